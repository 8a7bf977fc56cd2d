"""Bounds on best play hold whatever was looked at, and close in on the solution."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.core.errors import RulesError
from affray.core.node import Choice, Facts
from affray.core.system import Objective
from affray.engine.advice.bounding import Bounds, bounds_of
from affray.engine.budget import Budget
from affray.engine.exchange.best import Solution
from tests.engine import trees
from tests.engine.trees import Fork, Leaf, Roll, Tree, game_of

F = Fraction


def wish(reach: tuple[int | None, int | None] | None = (-3, 3)) -> Objective[Facts]:
    return trees.WISHES["attacker"]._replace(comes_to=None if reach is None else lambda _: reach)


def solution(
    tree: Tree, *, threshold: int = 0, reach: tuple[int | None, int | None] | None = (-3, 3)
) -> Solution:
    goal = wish(reach)
    return Solution(game_of(tree), {goal.actor: goal}, threshold=F(threshold), shared=False)


def bounded(tree: Tree, places: int | None, *, threshold: int = 0) -> Bounds | None:
    """Bounds without any rest that is solved."""
    return bounds_of(solution(tree, threshold=threshold), small=0, budget=Budget(places=places))


def leaf(worth: F | int) -> Leaf:
    return Leaf(F(worth), F(-worth))


FAR = Fork("defender", (leaf(-2), leaf(-1)), (0, 0))
NEAR = Roll((1, 3), (leaf(2), leaf(0)))
"""Worth 1/2."""
BOTH = Fork("attacker", (FAR, NEAR), (0, 0))


@given(trees.TREES, st.integers(0, 12), st.integers(0, 1))
def test_bounds_hold_the_value_and_the_certain_option_is_best(
    tree: Tree, places: int, threshold: int
) -> None:
    found = bounded(tree, places, threshold=threshold)
    solved = solution(tree, threshold=threshold)
    value = solved.value
    if found is None:
        return
    assert found.low <= value <= found.high
    if found.options:
        worths = {row.name: row.value for row in solved.values(found.at)}
        for option in found.options:
            assert option.low <= worths[option.name] <= option.high
    if found.best:
        node = found.at.step.rule(found.at.facts)
        assert isinstance(node, Choice)
        sign = 1 if node.actor == "attacker" else -1
        gains = {
            option.name: sign * worths[option.name] - threshold * option.spends
            for option in node.options
        }
        assert gains[found.best] == max(gains.values())


@given(trees.TREES)
def test_without_a_limit_they_close_in_on_the_value(tree: Tree) -> None:
    found = bounded(tree, None)
    value = solution(tree).value
    assert found is not None
    assert found.low <= value <= found.high
    assert found.high - found.low < 1e-12
    assert found.stopped_by == ""
    if found.options:
        assert found.best


def test_an_option_that_cannot_be_best_is_not_looked_at_further() -> None:
    """One look at each option: the defender takes at most -1 from the first, so 1/2 is more."""
    wide = Fork(
        "defender", (leaf(-1), *[Roll((1, 1), (leaf(n), leaf(0))) for n in (1, 2, 3)]), (0,) * 4
    )
    tree = Fork("attacker", (wide, NEAR), (0, 0))
    found = bounded(tree, None)
    assert found is not None
    assert found.best == "branch 1"
    assert (found.low, found.high) == (0.5, 0.5)
    first = found.options[0]
    assert first.high <= 0.5


def test_an_unbounded_objective_has_one_sided_bounds() -> None:
    """One look finds what the first option is worth; the other may be worth anything above."""
    again = Fork("attacker", (leaf(2), NEAR), (0, 0))
    tree = Fork("attacker", (again, NEAR), (0, 0))
    found = bounds_of(solution(tree, reach=(0, None)), small=0, budget=Budget(places=1))
    assert found is not None
    assert (found.low, found.high) == (2.0, inf)
    assert found.best == ""


def test_where_nobody_says_what_an_objective_comes_to_all_must_be_known() -> None:
    assert bounds_of(solution(BOTH, reach=None), small=0, budget=Budget(places=0)) is None
    found = bounds_of(solution(BOTH, reach=None), small=0)
    assert found is not None
    assert (found.low, found.high, found.best) == (0.5, 0.5, "branch 1")


def test_what_was_solved_before_is_known_at_once() -> None:
    known = solution(BOTH)
    known.value_at(known.game.start)
    found = bounds_of(known, budget=Budget(places=1))
    assert found is not None
    assert (found.low, found.high) == (0.5, 0.5)


def test_more_than_an_objective_says_it_comes_to_is_a_fault_of_the_system() -> None:
    with pytest.raises(RulesError, match="beyond the 0 to 1 that its `comes_to` allows"):
        bounds_of(solution(Fork("attacker", (leaf(2), leaf(3)), (0, 0)), reach=(0, 1)))


def test_a_third_is_rounded_outwards() -> None:
    found = bounded(Roll((1, 2), (leaf(1), leaf(0))), None)
    assert found is not None
    assert found.low <= F(1, 3) <= found.high
    assert found.high - found.low < 1e-15


def grown(rng: Random, depth: int) -> Tree:
    """A tree in which attacker, defender and dice take turns; worth from -3 to 3 at its ends."""
    if not depth:
        return leaf(F(rng.randrange(-12, 13), 4))
    branches = tuple(grown(rng, depth - 1) for _ in range(3))
    if depth % 3 == 0:
        return Roll((1, 2, 1), branches)
    return Fork(trees.ACTORS[depth % 2], branches, (0, 0, 0))


def test_more_looks_never_widen_them() -> None:
    tree = grown(Random(5), 6)
    found = [bounded(tree, places) for places in (0, 30, 100, 300, 1_000, None)]
    widths = [6.0 if one is None else one.high - one.low for one in found]
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < 1e-12 < widths[0]


def test_who_asks_to_stop_gets_what_is_known() -> None:
    asked = iter([False] * 40)
    tree = grown(Random(5), 6)
    found = bounds_of(solution(tree), small=0, budget=Budget(stop=lambda: next(asked, True)))
    assert found is not None
    assert found.stopped_by == "interrupted"
    assert -3 <= found.low <= solution(tree).value <= found.high <= 3
