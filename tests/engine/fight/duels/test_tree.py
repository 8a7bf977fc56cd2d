"""Trees of exchanges against places followed one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from affray.core.node import At, Chance, Choice, End, Go, fill
from affray.core.reading import roll_of
from affray.engine.exchange.kernel import Kernel
from affray.engine.fight.duels.tree import Picks, Rolls, Tree
from tests.engine import skirmish as game
from tests.engine.fight.duels.test_grove import EFFECT, HELD, TURN, grove

Floats = NDArray[np.float64]
SIGNS = [(mine, theirs) for mine in (-1, 0, 1) for theirs in (-1, 0, 1)]


def tree_of(at: At[Any], held: int = 2) -> tuple[Tree, dict[int, int], bool, Kernel]:
    trees = grove()
    root, looked = trees.place(at, held, 10_000)
    tree, places = trees.tree(root)
    return (
        tree,
        {number: places[here] for number, here in trees.known.items() if here in places},
        looked,
        trees.kernel,
    )


def worth(at: At[Any], ends: dict[Any, float], signs: tuple[int, int]) -> float:
    """What a place is worth; without a sign the first option is taken."""
    node = at.step.rule(at.facts)
    if isinstance(node, End):
        return ends[EFFECT(node.outcome, "actor"), EFFECT(node.outcome, "target")]
    if isinstance(node, Go):
        return worth(node.at, ends, signs)
    if isinstance(node, Choice):
        sign = signs[node.actor != "attacker"]
        options = [worth(option.at, ends, signs) for option in node.options]
        return sign * max(sign * option for option in options) if sign else options[0]
    assert isinstance(node, Chance)
    roll = roll_of(node.dice, node.read)
    return sum(
        weight / roll.total * worth(fill(node.then, node.into, reading), ends, signs)
        for reading, weight in roll.rows
    )


def chance_ends(tree: Tree, columns: int = 5) -> Floats:
    return np.random.default_rng(1).random((len(tree.pairs), columns))


def none_picked(tree: Tree, columns: int = 5) -> NDArray[np.int64]:
    return np.zeros((tree.n_picks, columns), np.int64)


@pytest.mark.parametrize("signs", SIGNS)
def test_values_are_those_of_the_rules(signs: tuple[int, int]) -> None:
    tree, _, _, _ = tree_of(TURN)
    ends = chance_ends(tree)
    values, _ = tree.backward(ends, none_picked(tree), signs, 0.0)
    for column in range(ends.shape[1]):
        by_pair = dict(zip(tree.pairs, ends[:, column], strict=True))
        assert values[-1, column] == pytest.approx(worth(TURN, by_pair, signs), abs=1e-15)


@pytest.mark.parametrize("signs", SIGNS)
def test_chances_of_ends_are_those_under_what_is_picked(signs: tuple[int, int]) -> None:
    tree, _, _, _ = tree_of(TURN)
    ends = chance_ends(tree)
    values, picks = tree.backward(ends, none_picked(tree), signs, 0.0)
    chances = tree.forward(picks)
    assert chances.sum(0) == pytest.approx(1)
    assert (chances * ends).sum(0) == pytest.approx(values[-1], abs=1e-15)


def test_what_is_held_back_is_filled_in_where_it_is_looked_at() -> None:
    for left in (1, 2, 3):
        known, _, looked, _ = tree_of(At(TURN.step, TURN.facts._replace(left=left)))
        assert not looked
        tree, _, looked, _ = tree_of(HELD, left)
        assert looked
        assert set(tree.pairs) == set(known.pairs)
        ends = chance_ends(tree)
        order = [tree.pairs.index(pair) for pair in known.pairs]
        for signs in SIGNS:
            one, _ = tree.backward(ends, none_picked(tree), signs, 0.0)
            other, _ = known.backward(ends[order], none_picked(known), signs, 0.0)
            assert one[-1] == pytest.approx(other[-1], abs=1e-15)


def inner(tree: Tree) -> Iterator[tuple[Any, ...]]:
    """Every roll and every choice of a tree, told so that equal ones are equal."""
    for layer in tree.layers:
        if isinstance(layer, Rolls):
            yield from (tuple(row) for row in layer.chances.toarray().tolist())
        else:
            yield from zip(layer.whose.tolist(), map(tuple, layer.to.tolist()), strict=True)


def test_no_place_is_there_twice_and_none_is_needless() -> None:
    tree, places, _, rules = tree_of(TURN)
    assert tree.n_places < len(rules.entries)
    assert sorted(set(places.values())) == list(range(tree.n_places))
    told = list(inner(tree))
    assert len(set(told)) == len(told) == tree.n_places - len(tree.pairs)
    for layer in tree.layers:
        if isinstance(layer, Picks):
            assert all(len(set(row)) == len(row) > 1 for row in layer.to.tolist())
            assert layer.to.max() < layer.here.start
        else:
            assert (np.diff(layer.chances.indptr) > 1).all()


def test_a_pick_stays_unless_another_one_gains_more_than_the_least() -> None:
    tree, _, _, _ = tree_of(At(game.dodge, TURN.facts._replace(damage=2)))
    (layer,) = tree.layers
    ends = np.zeros((len(tree.pairs), 3))
    ends[layer.to[0, 1]] = [0.5, 1e-3, -1.0]  # type: ignore[union-attr]  # it is a choice
    now = np.zeros((1, 3), np.int64)
    values, picks = tree.backward(ends, now, (0, 1), 1e-2)
    assert picks.tolist() == [[1, 0, 0]]
    assert values[-1].tolist() == [0.5, 0, 0]
    assert tree.backward(ends, now, (0, -1), 1e-2)[1].tolist() == [[0, 0, 1]]
    assert tree.backward(ends, now, (1, 0), 0.0)[1] is now
    assert tree.picked(tree.n_places - 1, picks[:, 0]) == layer.to[0, 1]  # type: ignore[union-attr]
    assert tree.picked(0, picks[:, 0]) == 0


def test_an_exchange_that_is_over_at_once() -> None:
    tree, places, _, _ = tree_of(At(game.stop, TURN.facts))
    assert (tree.n_places, tree.n_picks, tree.layers) == (1, 0, [])
    assert list(places.values()) == [0]
    values, _ = tree.backward(np.array([[0.25, 0.5]]), none_picked(tree, 2), (1, -1), 0.0)
    assert values.tolist() == [[0.25, 0.5]]
    assert tree.forward(none_picked(tree, 2)).tolist() == [[1.0, 1.0]]
