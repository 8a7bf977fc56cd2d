"""Duels in fractions and in floats against games solved by hand (`tests/oracles/fights.py`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from affray.core.errors import LimitError
from affray.core.node import Facts
from affray.core.ruling import Rulings
from affray.core.system import System
from affray.engine.budget import Budget
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.course import First
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.exact import ExactResult, solve_exactly
from affray.engine.fight.plans import Plan
from affray.systems import eclipse_phase
from affray.systems.eclipse_phase import sheet as ep
from affray.systems.eclipse_phase.gear import Weapon
from tests import fight_systems as games
from tests.fight_systems import Body, Fighter
from tests.oracles import fights as by_hand
from tests.oracles.fights import Answer, Slugger

F = Fraction
CLOSE = 1e-12
FIRSTS: tuple[First, ...] = ("one", "other", "coin")


def slugger(fighter: Fighter) -> Slugger:
    """The same fighter, for the games worked out by hand."""
    return Slugger(**{name: value for name, value in asdict(fighter).items() if name != "name"})


# -- every game, by hand and by both engines -------------------------------------------------------


class Game:
    """A game with two fighters, and who goes first; what it comes to by hand."""

    def __init__(
        self,
        name: str,
        game: Callable[[], System[Facts]],
        one: Fighter,
        other: Fighter,
        hand: Callable[..., Answer],
        firsts: tuple[First | None, ...] = FIRSTS,
        **more: Any,
    ) -> None:
        self.name, self.game, self.one, self.other = name, game, one, other
        self.hand, self.firsts, self.more = hand, firsts, more

    def contest(self, first: First | None) -> Contest:
        return games.contest(self.game, self.one, self.other, first)

    def answer(self, first: First | None) -> Answer:
        both = slugger(self.one), slugger(self.other)
        if first in {None, "initiative"}:
            return self.hand(*both, **self.more)
        return self.hand(*both, first, **self.more)


def at_once(one: Slugger, other: Slugger, first: str) -> Answer:
    return by_hand.at_once(one, other)


def struck(hurt: by_hand.Hurt) -> Callable[[Slugger, Slugger, str], Answer]:
    return lambda one, other, first: by_hand.struck(one, other, first, hurt)


ONE, OTHER = Fighter("One", 5, sides=4, armor=2), Fighter("Other", 6, sides=6, armor=1)
HEALER, SLOW = Fighter("Healer", 4, sides=3, heals=1), Fighter("Slow", 5, sides=3, armor=1)

GAMES = [
    Game("slugging", games.slugging, ONE, OTHER, by_hand.turns),
    Game("two dice", games.slugging, Fighter("Two", 7, 2, 3, armor=3), OTHER, by_hand.turns),
    Game("nobody can hurt", games.slugging, Fighter("Tin", 2, armor=6),
         Fighter("Lead", 3, sides=6, armor=4), by_hand.turns),
    Game("one can't hurt", games.slugging, Fighter("Tin", 2, armor=3),
         Fighter("Lead", 3, sides=6, armor=4), by_hand.turns),
    Game("simultaneous", games.simultaneous, ONE, OTHER, at_once),
    Game("units", games.units, Fighter("Spears", 4, sides=6, hits=4),
         Fighter("Bows", 3, sides=4, hits=2), struck(by_hand.by_members)),
    Game("healing", games.healing, HEALER, SLOW, by_hand.turns),
    Game("healing as much as hitting", games.healing,
         Fighter("A", 3, sides=2, armor=1, heals=1), Fighter("B", 3, sides=2, armor=1, heals=1),
         by_hand.turns),
    Game("healing for ever", games.healing, Fighter("A", 3, sides=2, armor=1, heals=2),
         Fighter("B", 3, sides=2, armor=1, heals=2), by_hand.turns),
    Game("healing from a blow that may kill", games.healing,
         Fighter("A", 2, sides=2, heals=1), Fighter("B", 3, sides=2, armor=2, heals=3),
         by_hand.turns),
    Game("yielding", games.yielding, Fighter("A", 6, sides=4, yields=2),
         Fighter("B", 5, sides=3, yields=1), by_hand.turns),
    Game("healing and yielding", games.healing_and_yielding,
         Fighter("A", 5, sides=4, yields=1, heals=1, armor=1),
         Fighter("B", 4, sides=3, yields=2, heals=1), by_hand.turns),
    Game("two blows a turn", games.twice, ONE, OTHER, by_hand.turns, actions=2),
    Game("one turn, one beginning", games.winding_up, ONE, OTHER, by_hand.wound_up),
    Game("initiative", games.hurrying, Fighter("Quick", 4, sides=4, speed=5, quickness=1),
         Fighter("Sturdy", 5, sides=4, armor=1, speed=4), by_hand.hurried, (None,), die=2),
    Game("initiative, ties", games.hurrying, Fighter("A", 4, sides=3, speed=4),
         Fighter("B", 4, sides=4, armor=1, speed=4), by_hand.hurried, (None,), die=2),
    Game("initiative without dice", games.steady_order, Fighter("A", 4, sides=3, speed=3),
         Fighter("B", 3, sides=3, speed=3), by_hand.hurried, (None,), die=1, slows=False),
    Game("a tie breaker", games.steady_order, Fighter("A", 4, sides=3, speed=3),
         Fighter("B", 3, sides=3, speed=3, quickness=1), by_hand.hurried, (None,), die=1,
         slows=False),
    Game("looking at what is held", games.finishing, Fighter("A", 7, sides=4, armor=1),
         Fighter("B", 6, sides=3, armor=1), struck(by_hand.finishing_off)),
    Game("choosing by what is held", games.choosing, Fighter("A", 9, sides=3),
         Fighter("B", 8, sides=4, armor=1), struck(by_hand.steady_or_wild)),
    Game("bleeding", games.bleeding, Fighter("A", 5, sides=3, bleeds=1),
         Fighter("B", 5, sides=4, armor=1, bleeds=2), by_hand.bled),
]  # fmt: skip
CASES = [(game, first) for game in GAMES for first in game.firsts]


@pytest.mark.parametrize(
    ("game", "first"), CASES, ids=[f"{game.name}-{first}" for game, first in CASES]
)
class TestEveryGame:
    def test_fractions_come_to_what_they_do_by_hand(self, game: Game, first: First | None) -> None:
        exact, hand = solve_exactly(game.contest(first)), game.answer(first)
        assert exact.won == hand.won
        assert (exact.drawn, exact.ended, exact.endless, exact.rounds) == hand[1:]
        assert exact.stalled == 0
        assert sum(exact.won) + exact.drawn + exact.ended + exact.endless == 1

    def test_floats_come_to_what_they_do_by_hand(self, game: Game, first: First | None) -> None:
        duel, hand = Duel(game.contest(first)).solve(), game.answer(first)
        whole = (*duel.won, duel.drawn, duel.ended, duel.endless)
        assert whole == pytest.approx(
            [float(p) for p in (*hand.won, hand.drawn, hand.ended, hand.endless)], abs=CLOSE
        )
        assert sum(whole) == pytest.approx(1, abs=CLOSE)
        mean = float("inf") if hand.rounds is None else float(hand.rounds)
        assert duel.rounds == pytest.approx(mean, rel=CLOSE)
        assert duel.residual <= CLOSE

    @pytest.mark.parametrize("rounds", [1, 3])
    def test_called_off_both_come_to_the_same(
        self, game: Game, first: First | None, rounds: int
    ) -> None:
        contest = game.contest(first)
        exact, duel = solve_exactly(contest, rounds=rounds), Duel(contest)
        found = duel.solve(rounds)
        whole = (*found.won, found.drawn, found.ended, found.stalled, found.rounds)
        hand = (*exact.won, exact.drawn, exact.ended, exact.stalled, exact.rounds)
        assert whole == pytest.approx([float(p) for p in hand if p is not None], abs=CLOSE)
        assert exact.endless == 0
        means = [sum(n * p for n, p in side.items()) for side in duel.points(rounds)]
        assert exact.points is not None
        assert means == pytest.approx([float(mean) for mean in exact.points], abs=CLOSE)

    def test_round_by_round_comes_to_the_same(self, game: Game, first: First | None) -> None:
        hand = game.answer(first)
        if hand.endless:
            return
        course = Duel(game.contest(first)).by_round()
        last = course[-1]
        assert (*last.won, last.drawn, last.ended) == pytest.approx(
            [float(p) for p in (*hand.won, hand.drawn, hand.ended)], abs=1e-10
        )
        assert hand.rounds is not None
        begun = 1 + sum(row.going_on for row in course)
        assert begun == pytest.approx(float(hand.rounds), abs=1e-8)


def test_what_the_games_can_come_to() -> None:
    """Each of the verdicts, and no end, comes up in some game; else they would prove little."""
    found = [game.answer(first) for game, first in CASES]
    assert any(answer.drawn for answer in found)
    assert any(answer.ended for answer in found)
    assert any(answer.endless == 1 for answer in found)
    assert any(answer.won[1] == 1 for answer in found)
    assert any(0 < answer.won[0] < 1 for answer in found)


@pytest.mark.parametrize(
    "game", [games.slugging, games.simultaneous, games.healing, games.bleeding, games.twice]
)
def test_a_mirror_match_is_even(game: Callable[[], System[Facts]]) -> None:
    fighter = Fighter("Twin", 4, sides=4, armor=1, heals=1, bleeds=1)
    exact = solve_exactly(games.contest(game, fighter, fighter, "coin"))
    assert exact.won[0] == exact.won[1]
    duel = Duel(games.contest(game, fighter, fighter, "coin")).solve()
    assert duel.won[0] == pytest.approx(duel.won[1], abs=CLOSE)


@pytest.mark.parametrize("seed", range(len(GAMES)))
def test_chance_fighters_come_to_the_same_in_both(seed: int) -> None:
    """Each game with fighters nobody thought about."""
    chance, game = Random(seed), GAMES[seed]
    one, other = (
        Fighter(
            name, chance.randint(1, 6), chance.choice((1, 1, 2)), chance.randint(1, 4),
            hits=chance.randint(0, 3), armor=chance.randint(0, 2), heals=chance.randint(0, 3),
            bleeds=chance.randint(0, 2), yields=chance.randint(0, 2), speed=chance.randint(2, 4),
        )
        for name in ("A", "B")
    )  # fmt: skip
    contest = games.contest(game.game, one, other, game.firsts[-1])
    exact, duel = solve_exactly(contest), Duel(contest).solve()
    whole = (*duel.won, duel.drawn, duel.ended, duel.endless)
    hand = (*exact.won, exact.drawn, exact.ended, exact.endless)
    assert whole == pytest.approx([float(p) for p in hand], abs=CLOSE)
    mean = float("inf") if exact.rounds is None else float(exact.rounds)
    assert duel.rounds == pytest.approx(mean, rel=CLOSE)


def test_nobody_fights_on_who_has_begun_out_of_it() -> None:
    exact = solve_exactly(games.contest(games.slugging, Fighter("A", 0), Fighter("B", 3), "one"))
    assert exact == ExactResult((F(0), F(1)), F(0), F(0), F(0), F(0), F(0), (F(0), F(3)), 0)
    duel = Duel(games.contest(games.slugging, Fighter("A", 0), Fighter("B", 3), "one")).solve()
    assert (duel.won, duel.rounds) == ((0, 1), 0)


def test_a_duel_over_before_it_begins_is_over_in_every_round() -> None:
    duel = Duel(games.contest(games.slugging, Fighter("A", 0), Fighter("B", 3), "one"))
    assert {(row.won, row.going_on) for row in duel.by_round()} == {((0, 1), 0)}
    assert duel.solve(rounds=5).won == (0, 1)


@pytest.mark.parametrize(("first", "same"), [("alternate", "one"), ("alternate_other", "other")])
def test_one_against_one_alternating_is_taking_turns(first: First, same: First) -> None:
    contest, plain = (games.contest(games.slugging, ONE, OTHER, who) for who in (first, same))
    assert solve_exactly(contest) == solve_exactly(plain)
    assert Duel(contest).solve().won == Duel(plain).solve().won


def test_nobody_comes_back_after_the_last_blow() -> None:
    """At the end of a round whoever is down gets up; a fight that is over has no such end.

    A blow of a d4 takes two points at once or at the second blow.
    """

    def end_round(sheet: Fighter, body: Body) -> Body:
        return body._replace(hp=max(1, body.hp))

    system = games._system(end_round=end_round)
    contest = games.contest(system, Fighter("A", 2), Fighter("B", 2), "one")
    plain = games.contest(games.slugging, Fighter("A", 2), Fighter("B", 2), "one")
    assert solve_exactly(contest).won == solve_exactly(plain).won == (F(13, 16), F(3, 16))
    assert Duel(contest).solve().won == pytest.approx((13 / 16, 3 / 16), abs=CLOSE)


@pytest.mark.parametrize("first", FIRSTS)
def test_who_goes_down_as_a_turn_begins_does_nothing_in_it(first: First) -> None:
    """Whoever begins their second turn has lost: only the first two blows count."""

    def begin_turn(sheet: Fighter, body: Body) -> Body:
        return body._replace(hp=body.hp - 1, strength=1) if body.hp > 1 else Body(0)

    system = games._system(begin_turn=begin_turn)
    one, other = Fighter("A", 2, sides=1, armor=1), Fighter("B", 2, sides=1, armor=1)
    exact = solve_exactly(games.contest(system, one, other, first))
    lost = {"one": F(1), "other": F(0), "coin": F(1, 2)}[first]
    assert exact.won == (1 - lost, lost)
    assert exact.rounds == 2
    duel = Duel(games.contest(system, one, other, first)).solve()
    assert duel.won == pytest.approx((1 - lost, lost), abs=CLOSE)
    assert duel.rounds == pytest.approx(2, abs=CLOSE)


def test_a_blow_counted_by_hand() -> None:
    """A d2 above armor 1 hits every other time; one point each, A first.

    A wins with 1/2 + 1/4 * A, so 2/3; a round goes on with 1/4, so 4/3 rounds. Who wins has one
    point left.
    """
    fighter = Fighter("A", 1, sides=2, armor=1)
    exact = solve_exactly(games.contest(games.slugging, fighter, fighter, "one"))
    won = F(2, 3), F(1, 3)
    assert exact == ExactResult(won, F(0), F(0), F(0), F(0), F(4, 3), won, 2)


def test_a_blow_counted_by_hand_for_a_round() -> None:
    """The same, called off after a round: both stand with 1/4."""
    fighter = Fighter("A", 1, sides=2, armor=1)
    exact = solve_exactly(games.contest(games.slugging, fighter, fighter, "one"), rounds=1)
    assert (exact.won, exact.stalled, exact.endless) == ((F(1, 2), F(1, 4)), F(1, 4), F(0))
    assert (exact.points, exact.rounds) == ((F(3, 4), F(1, 2)), F(1))


def test_over_the_limit_it_says_how_much_was_settled() -> None:
    contest = games.contest(games.slugging, ONE, OTHER, "one")
    states = solve_exactly(contest).states
    assert solve_exactly(contest, budget=Budget(pairs=states)).states == states
    with pytest.raises(LimitError, match=f"over {states - 1} states") as caught:
        solve_exactly(contest, budget=Budget(pairs=states - 1))
    assert caught.value.states == states
    assert 0.5 < caught.value.p_ended < 1
    with pytest.raises(LimitError) as caught:
        solve_exactly(contest, budget=Budget(pairs=1))
    assert caught.value.p_ended == 0


# -- rows ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_the_weights_of_every_row_add_up(game: Game) -> None:
    for attacks in Duel(game.contest(game.firsts[0])).attacks:
        for row in attacks.odds:
            assert all(weight > 0 for weight in row.weights)
            assert sum(row.weights) == row.total
            assert len(set(row.effects)) == len(row.effects)


# -- Eclipse Phase -------------------------------------------------------------------------------

EP: Any = eclipse_phase.SYSTEM
MODIFIERS = Rulings.pick(EP.rulings, {"wound_effects": "modifiers"})
FRAY = Plan("first", (("choose_defence", ("fray",)),))


def combatant(skill: int, fray: int, d10: int, **more: Any) -> ep.Combatant:
    weapon = Weapon(name="Weapon", form="melee", skill="melee", d10=d10)
    return ep.Combatant(name="", melee=skill, fray=fray, weapons=(weapon,), **more)


def melee(
    one: ep.Combatant, other: ep.Combatant, first: First, rulings: Rulings = MODIFIERS
) -> Contest:
    sides = (
        Side("A", (one,), ep.Setup(attacker=one, defender=other), FRAY),
        Side("B", (other,), ep.Setup(attacker=other, defender=one), FRAY),
    )
    return Contest(EP, sides, rulings, first=first)


@pytest.mark.parametrize(
    ("durabilities", "first", "rulings"),
    [
        ((10, 8), "one", {"wound_effects": "modifiers"}),
        ((9, 10), "coin", {"wound_effects": "modifiers"}),
        ((8, 9), "initiative", {"wound_effects": "modifiers"}),
        ((8, 9), "other", {}),
        ((7, 8), "initiative", {}),
    ],
)
def test_short_eclipse_phase_duels_in_fractions(
    durabilities: tuple[int, int], first: First, rulings: dict[str, str]
) -> None:
    one = combatant(60, 40, 1, kinetic=2, wound_threshold=4, durability=durabilities[0], ref=15)
    other = combatant(50, 30, 1, kinetic=1, wound_threshold=5, durability=durabilities[1])
    contest = melee(one, other, first, Rulings.pick(EP.rulings, rulings))
    exact, duel = solve_exactly(contest), Duel(contest).solve()
    assert sum(exact.won) + exact.drawn + exact.ended + exact.endless == 1
    assert duel.won == pytest.approx([float(p) for p in exact.won], abs=CLOSE)
    assert exact.rounds is not None
    assert duel.rounds == pytest.approx(float(exact.rounds), abs=CLOSE)
    assert exact.drawn == exact.ended == exact.endless == 0


W6 = (
    combatant(60, 40, 2, kinetic=5, wound_threshold=7, durability=35),
    combatant(50, 30, 3, kinetic=8, wound_threshold=8, durability=40),
)


def test_the_duel_that_others_have_worked_out() -> None:
    """P(A wins) and mean rounds by two other programs (benchmarks/peers, Storm)."""
    duel = Duel(melee(*W6, "one")).solve()
    assert duel.won[0] == pytest.approx(0.183410623124140, abs=CLOSE)
    assert duel.rounds == pytest.approx(7.281163511166391, abs=CLOSE)


def test_twins_in_eclipse_phase_are_even() -> None:
    for first in ("coin", "initiative"):
        duel = Duel(melee(W6[0], W6[0], first)).solve()
        assert duel.won[0] == pytest.approx(duel.won[1], abs=CLOSE)


def test_a_side_that_takes_no_turns_is_only_struck() -> None:
    """A coin a round until two hits are in: four rounds on average, and never a blow back."""
    fencer = games.Fighter("Fencer", 2, sides=2, hits=2)
    contest = games.contest(games.slugging, fencer, fencer, "one", idle=True)
    found = solve_exactly(contest)
    assert found.won == (Fraction(1), Fraction(0))
    assert found.rounds == 4
    assert Duel(contest).solve().rounds == pytest.approx(4, abs=1e-12)


def test_a_deed_to_oneself_is_done_in_a_duel_as_in_a_battle() -> None:
    """Both have two points and blows of a d2; who is down to one rests, once."""
    fighter = Fighter("A", 2, sides=2)
    contest = games.contest(games.resting, fighter, fighter, "one")
    exact = solve_exactly(contest)
    assert Duel(contest).solve().won[0] == pytest.approx(float(exact.won[0]), abs=1e-12)
    assert exact.won == resting_by_hand()


def resting_by_hand() -> tuple[Fraction, Fraction]:
    """States by who strikes next: points and whether rest is left, of the striker and the other."""

    def chance(mine: tuple[int, bool], theirs: tuple[int, bool]) -> Fraction:
        """That the one whose turn it is wins."""
        if mine[0] == 1 and mine[1]:
            return 1 - chance(theirs, (2, False))  # rests: a d2 brings at least the one point
        won = Fraction(0)
        for damage in (1, 2):
            left = theirs[0] - damage
            won += Fraction(1, 2) * (1 if left <= 0 else 1 - chance((left, theirs[1]), mine))
        return won

    one = chance((2, True), (2, True))
    return one, 1 - one


@pytest.mark.parametrize("quick", [0, 1])
def test_exchanges_of_a_turn_may_depend_on_the_fighter_and_its_condition(quick: int) -> None:
    """By hand: whose turn it is has so many blows as the course says, of a d2 each."""
    one, other = Fighter("A", 3, sides=2, quickness=1), Fighter("B", 4, sides=2, quickness=quick)
    contest = games.contest(games.pacing, one, other, "one")
    exact = solve_exactly(contest)
    assert Duel(contest).solve().won[0] == pytest.approx(float(exact.won[0]), abs=1e-12)
    assert exact.won[0] == pacing_by_hand(one, other)


def pacing_by_hand(one: Fighter, other: Fighter) -> Fraction:
    sheets = one, other

    def wins(points: tuple[int, int], acts: int, done: int, idle: int) -> Fraction:
        """That side one wins; `idle` turns in a row brought no blow."""
        sheet, left = sheets[acts], points[acts]
        allowed = min(2, sheet.quickness + (2 * left > sheet.hp))
        if done >= allowed:
            assert idle < 2
            return wins(points, 1 - acts, 0, 0 if done else idle + 1)
        found = Fraction(0)
        for damage in (1, 2):
            after = [*points]
            after[1 - acts] -= damage
            won = Fraction(1 - acts) if after[1 - acts] <= 0 else None
            following = won if won is not None else wins((after[0], after[1]), acts, done + 1, 0)
            found += Fraction(1, 2) * following
        return found

    return wins((one.hp, other.hp), 0, 0, 0)
