"""Ends of a solved exchange: what the table leads to, against following the rules by its policy."""

from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given, settings

from affray.app.inputs.setups import load
from affray.core.node import At, Facts
from affray.core.system import Objective
from affray.engine.exchange.best import solve
from affray.engine.exchange.ends import Picks, ends_from
from affray.engine.exchange.entries import (
    AsideEntry,
    ChanceEntry,
    ChoiceEntry,
    Entry,
    Leaf,
    PerValue,
)
from affray.engine.exchange.flow import flow
from affray.engine.exchange.keeping import forget_kernels
from tests.engine import trees
from tests.engine.trees import TREES, Tree, game_of

EXAMPLES = [
    ("affinity", "layered"),
    ("eclipse-phase", "jinx-decides"),
    ("eclipse-phase", "exhuman-charges"),
    ("emlia", "mixed"),
    ("emlia", "focus-c"),
    ("empty-earth", "w2"),
    ("empty-earth", "reroll"),
    ("grid-battles", "choice"),
    ("grid-battles", "light-cavalry"),
]


def chances(finals: Mapping[int, Mapping[Facts, int]]) -> dict[Facts, Fraction]:
    found: dict[Facts, Fraction] = {}
    for total, ends in finals.items():
        for facts, weight in ends.items():
            found[facts] = found.get(facts, Fraction(0)) + Fraction(weight, total)
    return found


def worths(objective: Objective[Facts], finals: Mapping[int, Mapping[Facts, int]]) -> object:
    found: dict[Fraction, Fraction] = {}
    for facts, chance in chances(finals).items():
        worth = Fraction(objective.utility(facts))
        found[worth] = found.get(worth, Fraction(0)) + chance
    return found


@given(TREES)
@settings(max_examples=100)
def test_ends_are_those_of_the_policy_on_any_tree(tree: Tree) -> None:
    game = game_of(tree)
    solution = solve(game, trees.WISHES["attacker"])
    assert chances(solution.ends(game.start)) == chances(flow(game, solution.decide))


@pytest.mark.parametrize(("system", "example"), EXAMPLES)
def test_worths_come_as_often_as_by_the_rules(system: str, example: str) -> None:
    game = load(system, example).game
    objective = game.system.objectives[0]
    solution = solve(game, objective)
    found = worths(objective, solution.ends(game.start))
    assert found == worths(objective, flow(game, solution.decide))
    assert isinstance(found, dict)
    assert sum(found.values()) == 1
    assert sum(worth * chance for worth, chance in found.items()) == solution.value


def test_order_of_ends_is_the_same_whatever_was_asked_before() -> None:
    game, other = load("emlia", "mixed").game, load("emlia", "two-groups").game
    assert (game.settled, game.narrow) == (other.settled, other.narrow)  # they share a kernel
    objective = game.system.objectives[0]
    forget_kernels()
    fresh = solve(game, objective)
    first = [list(ends.items()) for ends in fresh.ends(game.start).values()]
    forget_kernels()
    solve(other, objective).ends(other.start)
    later = solve(game, objective)
    assert [list(ends.items()) for ends in later.ends(game.start).values()] == first
    assert later.followed > fresh.followed


# -- tables made by hand -----------------------------------------------------------------------

A, B, C = (("a",), ("b",), ("c",))
LEAVES: list[Entry] = [Leaf(A), Leaf(B), Leaf(C)]


def taking(*picks: int) -> Picks:
    return lambda _number, _place: picks


def choice(to: tuple[int, ...], size: int) -> ChoiceEntry:
    return ChoiceEntry("attacker", (0,) * len(to), to, size, At(None, ()))  # type: ignore[arg-type]  # nobody looks


def test_equal_ends_are_one_and_each_total_stands_alone() -> None:
    entries: list[Entry] = [
        *LEAVES,
        Leaf(A),
        ChanceEntry((1, 2), 3, (0, 3)),
        ChanceEntry((1, 1), 2, (4, 1)),
    ]
    assert ends_from(entries, 5, taking()) == {6: {A: 3}, 2: {B: 1}}


def test_ways_to_an_end_meet_over_the_least_total() -> None:
    entries: list[Entry] = [
        *LEAVES, ChanceEntry((1, 1), 2, (0, 1)), ChanceEntry((1, 2), 3, (0, 1)),
        ChanceEntry((1, 1), 2, (3, 4)),
    ]  # fmt: skip
    assert ends_from(entries, 5, taking()) == {12: {A: 5, B: 7}}


def test_each_value_left_aside_goes_where_its_option_leads() -> None:
    entries: list[Entry] = [
        *LEAVES, PerValue((0, 1), (0, 1, 1)), PerValue((0, 1, 2), None), choice((3, 4), 3),
        AsideEntry((1, 2, 3), 6, (5,)),
    ]  # fmt: skip
    assert ends_from(entries, 6, taking(0, 1, 0)) == {6: {A: 1, B: 5}}
    assert ends_from(entries, 6, taking(1, 1, 1)) == {6: {A: 1, B: 2, C: 3}}


def test_a_roll_for_many_places_counts_for_each() -> None:
    entries: list[Entry] = [
        *LEAVES, PerValue((0, 1), (0, 1, 1)), PerValue((0, 1, 2), None),
        ChanceEntry((1, 3), 4, (3, 4)), AsideEntry((1, 2, 3), 6, (5,)), choice((3, 6), 1),
        ChanceEntry((1, 1), 2, (0, 7)),
    ]  # fmt: skip
    assert ends_from(entries, 6, taking()) == {24: {A: 4, B: 11, C: 9}}
    assert ends_from(entries, 8, taking(1)) == {48: {A: 28, B: 11, C: 9}}
