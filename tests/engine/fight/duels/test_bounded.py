"""Bounds of best play hold what it comes to, however soon they are broken off."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from affray.core.errors import LimitError
from affray.engine.budget import Budget
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import First
from affray.engine.fight.duels.bounded import BestBounds, best_within
from affray.engine.fight.duels.exact import solve_exactly
from affray.engine.fight.duels.optimal import BestDuel
from affray.engine.fight.duels.trees import begun_of
from affray.engine.fight.plans import Plan
from tests import fight_systems as games
from tests.engine.fight.duels.test_exact import ONE, OTHER
from tests.engine.fight.duels.test_optimal import (
    CLOSE,
    ENDING,
    FIXED,
    LASTING,
    PLAIN,
    RICH,
    chance_fencer,
    told_again,
    worth,
)
from tests.engine.skirmish import Fencer, skirmish, skirmish_of
from tests.fight_systems import Fighter
from tests.oracles import skirmish as by_hand

STATES = 0, 1, 4, 16, 64
"""So many states are opened."""


def bounds(contest: Contest, states: int | None = None) -> BestBounds:
    found = best_within(contest, budget=Budget(pairs=states))
    assert found is not None
    assert 0 <= found.least <= found.most <= 1
    return found


def check(contest: Contest, value: float, close: float) -> BestBounds:
    """The bounds hold the value whenever they are broken off; those that were not."""
    for states in STATES:
        found = bounds(contest, states)
        assert found.states <= states
        assert found.least - close <= value <= found.most + close
    whole = bounds(contest)
    assert whole.least - close <= value <= whole.most + close
    return whole


@pytest.mark.parametrize(("first", "actions"), [(0, 2), (1, 1)])
@pytest.mark.parametrize("both", ENDING.values(), ids=ENDING)
def test_bounds_hold_what_best_play_comes_to_by_hand_and_meet_there(
    both: tuple[Fencer, Fencer], actions: int, first: int
) -> None:
    rules = told_again(*both, first, actions)
    value = by_hand.by_value_iteration(rules, rules.begin(), 1e-12)[rules.begin()]
    order: tuple[First, First] = ("one", "other")
    system = skirmish(actions=actions)
    assert check(skirmish_of(*both, order[first], system=system), value, CLOSE).open < 1e-4


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("both", LASTING.values(), ids=LASTING)
def test_bounds_hold_what_a_duel_that_may_be_endless_comes_to(
    both: tuple[Fencer, Fencer], first: int
) -> None:
    """They may stay apart."""
    rules = told_again(*both, first)
    value = by_hand.by_discount(rules, rules.begin())
    order: tuple[First, First] = ("one", "other")
    check(skirmish_of(*both, order[first]), value, 2e-6)


@pytest.mark.parametrize("first", [0, 1])
def test_putting_off_the_end_for_ever_is_worth_a_stalemate(first: int) -> None:
    """Without looking for circles the least bound would be that of a defeat."""
    both = LASTING["guarding"]
    rules = told_again(*both, first)
    value = by_hand.by_discount(rules, rules.begin())
    found = bounds(skirmish_of(*both, "one" if first == 0 else "other"))
    assert found.least == pytest.approx(value, abs=2e-6)


@pytest.mark.parametrize("seed", range(6))
def test_chance_fencers(seed: int) -> None:
    rng = Random(seed)
    one, other = chance_fencer("One", rng), chance_fencer("Other", rng)
    rules = told_again(one, other, 0)
    check(skirmish_of(one, other), by_hand.by_discount(rules, rules.begin()), 1e-5)


@pytest.mark.parametrize("die", [1, 2])
def test_initiative_that_changes_with_points_lost(die: int) -> None:
    one, other = Fencer("Quick", 3, 1, speed=1), Fencer("Slow", 3)
    rules = told_again(one, other, None)
    value = 0.0
    leads = Counter(
        mine - theirs + tie for mine in range(die) for theirs in range(die) for tie in (0.5, -0.5)
    )
    for lead, ways in leads.items():
        value += by_hand.by_discount(rules, rules.begin(lead)) * ways / (2 * die**2)
    contest = skirmish_of(one, other, None, system=skirmish(die=die))
    assert check(contest, value, 2e-6).open < 1e-4


@pytest.mark.parametrize("mine", FIXED)
def test_against_a_settled_plan(mine: Plan) -> None:
    contest = skirmish_of(*RICH, plans=(mine, Plan()))
    assert check(contest, worth(BestDuel(contest).solve()), CLOSE).open < 1e-4


def test_what_was_found_out_of_a_duel_that_was_given_up_is_used() -> None:
    both = ENDING["luck on both sides"]
    contest = skirmish_of(*both)
    with pytest.raises(LimitError):
        BestDuel(contest, budget=Budget(pairs=20))
    begun = begun_of(contest)
    known = [len(attacks.trees) for attacks in begun.attacks]
    value = worth(BestDuel(skirmish_of(*both)).solve())
    found = bounds(contest)
    assert found.least - CLOSE <= value <= found.most + CLOSE
    assert found.open < 1e-4
    assert known < [len(attacks.trees) for attacks in begun.attacks]


def test_a_coin_holds_the_mean_of_both_orders() -> None:
    contest = skirmish_of(*ENDING["luck on both sides"], "coin")
    assert check(contest, worth(BestDuel(contest).solve()), CLOSE).open < 1e-4


def test_over_before_it_begins() -> None:
    found = bounds(skirmish_of(Fencer("A", 1, yields=1), PLAIN))
    assert found.least == pytest.approx(0.5, abs=1e-8)
    assert found.most == pytest.approx(0.5, abs=1e-8)
    assert found.states == 0


def test_nobody_bounds_a_fight_that_an_interlude_befalls() -> None:
    assert best_within(games.contest(games.stormy, replace(ONE, bleeds=2), OTHER, None)) is None


def test_who_stops_it_gets_no_bounds() -> None:
    with pytest.raises(LimitError) as error:
        best_within(skirmish_of(*RICH), budget=Budget(stop=lambda: True))
    assert error.value.limit == "interrupted"


def test_bounds_that_nobody_waits_for_are_none_at_all() -> None:
    contest = skirmish_of(Fencer("A", 3), Fencer("B", 3))
    assert best_within(contest, budget=Budget(places=1)) == BestBounds(0.0, 1.0, 0, "places")
    with pytest.raises(LimitError) as error:
        best_within(contest, budget=Budget(stop=lambda: True))
    assert error.value.limit == "interrupted"


@pytest.mark.parametrize("first", ["one", "other"])
def test_bounds_count_no_blow_that_is_not_allowed(first: First) -> None:
    """Two blows in a turn with over half of the points, else one; nobody decides anything."""
    one, other = Fighter("A", 4, sides=2, quickness=1), Fighter("B", 5, sides=3, quickness=1)
    contest = games.contest(games.pacing, one, other, first)
    exact = solve_exactly(contest)
    check(contest, float(exact.won[0]), CLOSE)
