"""Computers that look further than an exchange: the search, and optimal play against an oracle."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from affray.core.errors import LimitError, SetupError
from affray.core.node import Facts
from affray.core.system import System
from affray.engine.budget import Budget
from affray.engine.exchange.session import Answer
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import First
from affray.engine.fight.duels.optimal import BestDuel
from affray.engine.fight.played.foresight import foresight_of
from affray.engine.fight.played.playouts import Players
from affray.engine.fight.played.position import Position
from affray.engine.fight.played.searching import Optimal, Searcher, options_of
from affray.engine.fight.played.session import FightSession
from affray.engine.fight.played.supply import begin
from affray.engine.fight.played.weighing import weigh
from tests import fight_systems as games
from tests.engine.skirmish import Fencer, skirmish, skirmish_of
from tests.fight_systems import Fighter
from tests.oracles import skirmish as by_hand
from tests.oracles.skirmish import Ended, Rolled, Skirmish, Skirmisher

CLOSE = 1e-9
FENCERS = {
    "luck on both sides": (Fencer("Lucky", 2, 1), Fencer("Other", 3, 2)),
    "finishing what is held back": (Fencer("Lucky", 2, 1, finishes=2), Fencer("Other", 3, 1)),
    "executing what is held back": (Fencer("Axe", 3, executes=2), Fencer("Other", 4, 1)),
    "healing and giving up": (Fencer("Lucky", 3, 1, heals=1), Fencer("Other", 4, yields=1)),
}


def same(here: Position) -> Position:
    return here


def rules_of(one: Fencer, other: Fencer, first: int, actions: int) -> Skirmish:
    """The same game for those who solve it by hand."""
    mine, theirs = (
        Skirmisher(f.hp, f.luck, f.moves, f.pierces, f.finishes, f.executes, f.heals, f.bleeds,
                   f.yields, f.speed)
        for f in (one, other)
    )  # fmt: skip
    return Skirmish(mine, theirs, first, actions)


# -- optimal play --------------------------------------------------------------------------------


@pytest.mark.parametrize(("first", "actions"), [(0, 1), (1, 2)])
@pytest.mark.parametrize("both", FENCERS.values(), ids=FENCERS)
def test_optimal_play_takes_what_is_best_by_looking_ahead(
    both: tuple[Fencer, Fencer], actions: int, first: int
) -> None:
    """The played fight and the oracle's game go side by side, over dice by lot."""
    order: tuple[First, First] = ("one", "other")
    contest = skirmish_of(*both, order[first], system=skirmish(actions=actions))
    rules = rules_of(*both, first, actions)
    worth = by_hand.by_value_iteration(rules, rules.begin(), 1e-12)
    optimal, dice, decided = Optimal(contest, same), Random(7), 0
    for _ in range(3):
        session = FightSession(contest)
        state: by_hand.State = rules.begin()
        while not isinstance(node := rules(state), Ended):
            if isinstance(node, Rolled) and len(node.branches) == 1:
                state = node.branches[0][1]
            elif isinstance(node, Rolled):
                face = dice.randint(1, 6)
                session, state = session.answer([face]), node.branches[face - 1][1]
            elif len(node.options) == 1:
                session, state = begun(session, optimal), node.options[0][1]
            else:
                session = begun(session, optimal)
                answer = optimal(session)
                assert answer is not None
                ways = dict(node.options)
                best = (max, min)[node.side](worth[to] for to in ways.values())
                assert worth[ways[answer.option]] == pytest.approx(best, abs=CLOSE)
                session, state = session.answer(answer), ways[answer.option]
                decided += 1
        assert session.verdict is not None
    assert decided > 6


def begun(session: FightSession, optimal: Optimal) -> FightSession:
    """The fight with an attack begun, if a deed is asked for."""
    question = session.question
    assert question is not None
    if question.kind != "deed":
        return session
    answer = optimal(session)
    assert answer is not None
    assert answer.option.startswith("attack")
    return session.answer(answer)


@pytest.mark.parametrize("first", ["one", "other", "coin"])
@pytest.mark.parametrize("both", FENCERS.values(), ids=FENCERS)
def test_best_foresight_begins_with_the_worth_of_the_best_duel(
    both: tuple[Fencer, Fencer], first: First
) -> None:
    """Exchange by exchange through the first round, not only where rounds begin."""
    contest = skirmish_of(*both, first)
    result = BestDuel(contest).solve()
    want = result.won[0] + (result.drawn + result.ended + result.endless) / 2
    here = begin(contest)
    if first != "coin":
        session = FightSession(contest)
        here = session.position
        assert type(here.need).__name__ == "Act"
    foresight = foresight_of(here, best=True)
    assert foresight is not None
    assert foresight.worth(here)[0] == pytest.approx(want, abs=CLOSE)


def test_optimal_play_is_refused_where_it_is_not_known() -> None:
    many = games.contest(
        games.choosing, (Fighter("A", 3), Fighter("B", 3)), (Fighter("C", 3),), "one"
    )
    session = FightSession(many).answer("attack: C")
    with pytest.raises(SetupError, match="only where a fight of two"):
        Optimal(many, same)(session)


# -- weighing options ----------------------------------------------------------------------------


def brawl(game: Callable[[], System[Facts]] = games.slugging) -> Contest:
    """B has one point left in him and hits as hard as S: whoever acts should take him out first."""
    two = (Fighter("A", 6), Fighter("Z", 6))
    return games.contest(game, two, (Fighter("S", 9), Fighter("B", 1)), "one")


def weighed(battles: int, seed: int = 1) -> dict[str, tuple[float, int]]:
    session = FightSession(brawl())
    found = weigh(
        options_of(session, same), 0, Players(), seed=seed, budget=Budget(battles=battles)
    )
    return {one.name: (one.score, one.chances.n if one.chances else 0) for one in found}


def test_most_fights_are_played_out_from_what_promises_most() -> None:
    found = weighed(400)
    assert list(found) == ["attack: S", "attack: B", "pass"]
    assert sum(n for _, n in found.values()) == 400
    assert found["attack: B"][0] > found["pass"][0]
    assert found["attack: B"][1] > found["pass"][1]
    assert min(n for _, n in found.values()) >= 400 // (4 * 3)


def test_the_same_seed_weighs_the_same() -> None:
    assert weighed(60) == weighed(60)
    assert weighed(60, seed=1) != weighed(60, seed=2)


def test_nothing_is_weighed_without_a_single_fight() -> None:
    session = FightSession(brawl())
    with pytest.raises(LimitError):
        weigh(options_of(session, same), 0, Players(), budget=Budget(seconds=0))


def test_in_a_fight_of_two_options_have_their_exact_worth() -> None:
    """Who passes lets the other strike: worth what the fight is worth that the other begins."""
    contest = games.contest(games.slugging, Fighter("A", 4), Fighter("B", 4), "one")
    session = FightSession(contest)
    found = weigh(options_of(session, same), 0, Players())
    assert all(one.chances is not None and one.chances.is_exact for one in found)
    attack, passing = found
    assert attack.name == "attack: B"
    later = games.contest(games.slugging, Fighter("A", 4), Fighter("B", 4), "other")
    here = begin(later)
    foresight = foresight_of(here)
    assert foresight is not None
    assert passing.score == pytest.approx(foresight.worth(here)[0], abs=1e-12)
    assert attack.score > passing.score


# -- the search ----------------------------------------------------------------------------------


def test_the_search_goes_for_the_one_who_can_be_taken_out() -> None:
    session = FightSession(brawl())
    answer = Searcher(same, Players(("strongest", "strongest")))(session, Budget(battles=200))
    assert answer == Answer(option="attack: B", by=("look-ahead",))


def test_in_a_fight_of_two_the_search_knows_what_ends_are_worth() -> None:
    """At one point left a light blow hits on 3, an execution on 4; the objective counts harm."""
    axe, other = (Fencer(name, 3, moves=("light",), executes=1) for name in ("Axe", "Other"))
    search, dice, differ = Searcher(same, Players()), Random(3), 0
    session = FightSession(skirmish_of(axe, other))
    while (question := session.question) is not None:
        if question.dice is not None:
            session = session.answer([dice.randint(1, 6)])
            continue
        answer = search(session, Budget(battles=50))
        assert answer is not None
        if question.ask == "what?":
            assert [option.name for option in question.options] == ["light", "execute"]
            assert answer.option == "light"
            differ += 1
        session = session.answer(answer)
    assert differ
