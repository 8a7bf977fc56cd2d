"""The computers at the seats of a fight: the search plays whole fights, in all five systems."""

from __future__ import annotations

import gc
from time import process_time

import pytest

from affray.app.fight import Fight
from affray.app.fight_computers import COUNTED
from affray.app.inputs.fight_changes import FightChanges
from affray.app.rolling import Roll
from affray.app.sources import EasyFight, Table
from affray.core.errors import SetupError, UnknownNameError
from affray.engine import budget as budgets
from affray.engine.budget import Budget
from affray.engine.exchange.session import Answer
from affray.engine.exchange.sources import Seeded
from affray.engine.fight.played.searching import Searcher
from tests.app.test_computer import MEETING

FEW = Budget(places=300, battles=6)
"""Bounded by what is looked at, not by the clock: the same on any machine."""


def played(fight: Fight, policies: tuple[str, str], seed: int, budget: Budget = FEW) -> Fight:
    """A fight played to its end by computers, the dice with a seed."""
    dice = Seeded(seed)
    while (question := fight.asked) is not None:
        if question.dice is not None:
            fight = fight.answer(Roll(question.dice).thrown(dice).answer)
        else:
            assert question.side is not None
            fight = fight.answer(fight.decides(policies[question.side], budget, seed=seed))
    return fight


@pytest.mark.parametrize(
    ("system", "name"),
    [
        ("eclipse-phase", "shot-on-the-run"), ("empty-earth", "brambles"), ("affinity", "novices"),
        ("emlia", "skirmish"), ("grid-battles", "healing"),
    ],
)  # fmt: skip
def test_the_search_plays_fights_of_all_systems_to_the_end(
    system: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its answers are kept like anybody's: the fight told again asks nobody."""
    fight = played(Fight.begin(system, name), ("search", "search"), 1)
    assert fight.verdict in {"one", "other", "drawn", "ended"}

    def nobody(*_: object) -> None:
        raise AssertionError("somebody searched again")

    monkeypatch.setattr(Searcher, "__call__", nobody)
    again = Fight.restored(fight.saved)
    assert (again.verdict, again.moves) == (fight.verdict, fight.moves)
    assert again.undo(3).redo(3).moves == fight.moves


def test_the_same_seed_searches_the_same_fight() -> None:
    begun = [Fight.begin("emlia", "skirmish") for _ in range(2)]
    one, other = (played(fight, ("search", "first"), 3) for fight in begun)
    assert one.moves == other.moves


def test_the_search_beats_whoever_takes_the_first_option() -> None:
    """A strong army and a weak one: two who take what comes first never come to blows."""
    for seed in (1, 2):
        begun = Fight.begin("grid-battles", Table(MEETING, "a meeting"))
        assert played(begun, ("first", "first"), seed).verdict == "drawn"
        assert played(begun, ("search", "first"), seed, Budget(places=700)).verdict == "one"


def test_a_game_on_the_map_is_searched_as_a_whole() -> None:
    """In a few looks the side that never moves by itself comes to blows."""
    budget = Budget(places=300)
    fight = played(Fight.begin("grid-battles", "chase"), ("first", "search"), 1, budget)
    assert fight.verdict in {"one", "other", "drawn"}
    mine = [move for move in fight.moves if getattr(move, "by", ()) == ("policy",)]
    assert mine


@pytest.mark.parametrize("policy", ["", "greedy"])
def test_computers_at_the_ford_come_to_blows(policy: str) -> None:
    """Nobody may name a policy, or one that can't solve a map: both fight it out all the same.

    What is too large to be solved falls to the rule of thumb, and that is said.
    """
    budget = Budget(places=100)
    fight = played(Fight.begin("grid-battles", "ford"), (policy, policy), 3, budget)
    assert fight.verdict in {"one", "other"}
    grounds = {by for move in fight.moves if isinstance(move, Answer) for by in move.by}
    assert "rule of thumb" in grounds


def test_a_computer_without_a_policy_repeats_itself_where_looks_are_counted() -> None:
    one, other = (
        played(Fight.begin("grid-battles", "chase"), ("", ""), 5, COUNTED) for _ in range(2)
    )
    assert one.moves == other.moves


@pytest.mark.parametrize(
    ("system", "name"),
    [
        ("grid-battles", "ford"), ("emlia", "ford-meadow"), ("affinity", "raid"),
        ("empty-earth", "brockton"), ("eclipse-phase", ("jinx,ripper", "2xcorp_guard,guard_dog")),
    ],
    ids=str,
)  # fmt: skip
def test_a_decision_takes_at_most_twice_its_budget(
    system: str, name: EasyFight, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the processor's clock, for this machine may be busy; the collector's work is included.

    It looks through what the fight has left behind, not through what other tests have. Modules are
    loaded before, once for all.
    """
    Fight.begin("grid-battles", "siege").decides("", Budget(places=50))
    monkeypatch.setattr(budgets, "monotonic", process_time)
    fight, dice, budget = Fight.begin(system, name), Seeded(1), Budget(seconds=0.5)
    took: list[float] = []
    gc.collect()
    gc.freeze()
    while (question := fight.asked) is not None and len(took) < 6:
        if question.dice is not None:
            fight = fight.answer(Roll(question.dice).thrown(dice).answer)
            continue
        began = process_time()
        answer = fight.decides("", budget, seed=1)
        took.append(process_time() - began)
        fight = fight.answer(answer)
    gc.unfreeze()
    assert max(took) < 2 * 0.5


@pytest.mark.parametrize(
    ("system", "name"),
    [
        ("eclipse-phase", "pack"), ("empty-earth", "brockton"), ("affinity", "winter-pass"),
        ("emlia", "skirmish"), ("grid-battles", "ford"),
    ],
)  # fmt: skip
def test_a_computer_that_wants_to_win_looks_beyond_the_exchange(system: str, name: str) -> None:
    """It plays fights out from the options of an exchange; else it solves that by itself."""
    fight = played_to_an_exchange(Fight.begin(system, name, FightChanges(objective="win")))
    assert fight.asked is not None
    answer = fight.decides("", Budget(places=2_000, battles=24, seconds=60), seed=1)
    assert answer.option in [option.name for option in fight.asked.options]
    assert answer.by[0] in {"look-ahead", "rule of thumb"}


def test_what_a_computer_wants_decides_in_an_exchange() -> None:
    """Damage is solved; to win, fights are played out, so that it is not."""
    grounds = []
    for objective in ("damage", "win"):
        begun = Fight.begin("empty-earth", "brockton", FightChanges(objective=objective))
        fight = played_to_an_exchange(begun)
        grounds.append(fight.decides("", Budget(battles=24, seconds=60), seed=1).by[0])
    assert grounds[0] == "solved"
    assert grounds[1] in {"look-ahead", "rule of thumb"}


def played_to_an_exchange(fight: Fight) -> Fight:
    """A fight at the first choice inside an exchange."""
    dice = Seeded(1)
    while (question := fight.asked) is not None:
        if question.dice is not None:
            fight = fight.answer(Roll(question.dice).thrown(dice).answer)
        elif fight.session.exchange is None:
            fight = fight.answer(question.options[0].name)
        else:
            break
    return fight


def test_seats_of_a_fight_that_is_to_be_won_take_policies_that_can() -> None:
    fight = Fight.begin("empty-earth", "bo-husk", FightChanges(objective="win"))
    for policy in ("opening", "greedy"):
        with pytest.raises(SetupError, match=f"policy {policy} decides exchange by exchange"):
            fight.seated({"one": f"computer:{policy}"})
    for policy in ("first", "search", "optimal"):
        assert fight.seated({"one": f"computer:{policy}"}).seats == {"one": f"computer:{policy}"}


def test_optimal_computers_decide_duels_and_nothing_else() -> None:
    fight = played(Fight.begin("emlia", "spears"), ("optimal", "optimal"), 2, Budget(seconds=60))
    assert fight.verdict in {"one", "other", "drawn"}
    many = Fight.begin("empty-earth", "brockton").answer("attack: Husk 1")
    with pytest.raises(SetupError, match="only where a fight of two"):
        many.decides("optimal")


def test_nobody_decides_by_a_policy_that_there_is_not_or_without_time() -> None:
    fight = Fight.begin("empty-earth", "brockton")
    with pytest.raises(UnknownNameError, match="clever"):
        fight.decides("clever")
    with pytest.raises(UnknownNameError, match="clever"):
        fight.seated({"one": "computer:clever"})
    with pytest.raises(UnknownNameError, match="typed:first"):
        fight.seated({"one": "typed:first"})
    nothing = Budget(seconds=1e-9)
    assert fight.decides("search", nothing).option.startswith("attack: "), "what comes first"
    with pytest.raises(SetupError, match="only where a fight of two"):
        Fight.begin("grid-battles", "ford").decides("optimal", nothing)
