"""Split trees in a forest against whole ones: the same picks, worth and chances."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from affray.core.node import At
from affray.engine.fight.duels.forest import Forest, Part
from affray.engine.fight.duels.split import Settled, Split, _better
from affray.engine.fight.duels.tree import Numbers, Signs, Tree
from tests.engine import skirmish as game
from tests.engine.fight.duels.test_grove import TURN, grove

SIGNS: list[Signs] = [(1, -1), (-1, 1), (1, 0), (0, -1), (0, 0)]
COLUMNS = 6


def tree(at: At[Any] = TURN) -> Tree:
    trees = grove()
    return trees.tree(trees.place(at, 2, 10_000)[0])[0]


Floats = np.typing.NDArray[np.float64]
NOBODY: Signs = (0, 0)


def forest_of(split: Split, settled: Settled, picks: Numbers, actor: int = 0) -> Forest:
    """A forest of one tree, each open end of each column being a state of its own."""
    n = settled.options.shape[1]
    ends = np.arange(len(split.ends) * n).reshape(-1, n)
    return Forest([Part(split, settled, picks, actor, ends, np.zeros(0))], ends.size)


def worth_of(forest: Forest, worth: Floats) -> Floats:
    """What columns are worth, put together from their ways."""
    sums = forest.ways()
    more = np.bincount(sums.column, sums.chance * worth.ravel()[sums.state], len(sums.base))
    found: Floats = sums.base + more
    return found


def opened(n: int, share: float, seed: int) -> np.typing.NDArray[np.bool_]:
    return np.random.default_rng(seed).random(n) < share


@pytest.mark.parametrize("signs", SIGNS)
@pytest.mark.parametrize("share", [0.0, 0.1, 0.3, 0.7, 1.0])
def test_a_split_tree_picks_and_is_worth_what_the_whole_one_does(
    share: float, signs: Signs
) -> None:
    whole = tree()
    rng = np.random.default_rng(1)
    for seed in range(4):
        split = Split(whole, opened(len(whole.pairs), share, seed))
        ends = rng.random((len(whole.pairs), COLUMNS))
        first = np.zeros((whole.n_picks, COLUMNS), np.int8)
        values, best = whole.backward(ends, first, signs, 0.0)
        picks = first.copy()
        settled = split.settle(ends, picks, signs, 0.0)
        forest = forest_of(split, settled, picks)
        open_ = ends[split.ends]
        worth, _, slack = forest.improve(open_.ravel(), signs, 0.0)
        forest.store()
        assert worth == pytest.approx(values[-1], abs=1e-14)
        assert (picks == best).all()
        assert slack == settled.slack == 0
        assert worth_of(forest, open_) == pytest.approx(values[-1], abs=1e-14)
        sums = forest.ways()
        chances = np.zeros(open_.size)
        np.add.at(chances, sums.state, sums.chance)
        whole_chances = whole.forward(picks)[split.ends]
        assert chances.reshape(open_.shape) == pytest.approx(whole_chances, abs=1e-14)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.3, 0.7, 1.0])
def test_an_exchange_stays_as_likely_as_in_a_forest_all_of_whose_states_last(share: float) -> None:
    whole = tree()
    for seed in range(4):
        split = Split(whole, opened(len(whole.pairs), share, seed))
        picks = np.zeros((whole.n_picks, 1), np.int8)
        settled = split.settle(np.zeros((len(whole.pairs), 1)), picks, NOBODY, 0.0)
        forest = forest_of(split, settled, picks)
        lasting = forest.lasting(np.ones(forest.n_states, np.bool_))
        assert split.stays == pytest.approx(float(lasting[0]), abs=1e-14)
    assert split.stays == pytest.approx({0.0: 0, 1.0: 1}.get(share, split.stays))


def test_trees_side_by_side_are_worth_what_each_is_by_itself() -> None:
    """Two trees, two sides that act, ends that are settled for one column and open for another."""
    whole, small = tree(), tree(At(game.dodge, TURN.facts._replace(damage=2)))
    rng = np.random.default_rng(2)
    parts, expected, states = [], [], rng.random(7)
    for actor, one in enumerate((whole, small)):
        split = Split(one, np.arange(len(one.pairs)) % 3 == 0)
        ends = rng.random((len(one.pairs), COLUMNS))
        which = rng.integers(-1, len(states), (len(split.ends), COLUMNS))
        known = ends[split.ends][which < 0]
        ends[split.ends] = np.where(which < 0, ends[split.ends], states[which])
        picks = np.zeros((one.n_picks, COLUMNS), np.int8)
        signs = (1, -1) if actor == 0 else (-1, 1)
        expected.append(one.backward(ends, picks, signs, 0.0))
        settled = split.settle(ends, picks, signs, 0.0)
        parts.append(Part(split, settled, picks, actor, which, known))
    forest = Forest(parts, len(states))
    worth, _, _ = forest.improve(states, (1, -1), 0.0)
    forest.store()
    assert worth == pytest.approx(np.concatenate([v[-1] for v, _ in expected]), abs=1e-14)
    for part, (_, best) in zip(parts, expected, strict=True):
        assert (part.picks == best).all()
    sums = forest.ways()
    more = np.bincount(sums.column, sums.chance * states[sums.state], len(sums.base))
    assert sums.base + more == pytest.approx(worth, abs=1e-14)


def test_columns_that_both_sides_can_keep_among_some_states() -> None:
    """Lasting is asked of both sides at once, and leaves picks as they are."""
    whole = tree(At(game.dodge, TURN.facts._replace(damage=2)))
    split = Split(whole, np.ones(len(whole.pairs), np.bool_))
    picks = np.zeros((1, 1), np.int8)
    settled = split.settle(np.zeros((len(whole.pairs), 1)), picks, NOBODY, 0.0)
    forest = forest_of(split, settled, picks)
    (layer,) = whole.layers
    lasts = np.zeros(len(whole.pairs), np.bool_)
    assert forest.lasting(lasts).tolist() == [0]
    lasts[layer.to[0, 1]] = True  # type: ignore[union-attr]  # it is a choice
    assert forest.lasting(lasts).tolist() == [1]
    assert worth_of(forest, lasts.astype(float)).tolist() == [0]


def test_what_could_still_be_gained_is_told() -> None:
    """A gain that is too small to pick otherwise counts towards the residual."""
    whole = tree(At(game.dodge, TURN.facts._replace(damage=2)))
    (layer,) = whole.layers
    ends = np.zeros((len(whole.pairs), 1))
    ends[layer.to[0, 1]] = 0.25  # type: ignore[union-attr]  # it is a choice
    picks = np.zeros((1, 1), np.int8)
    split = Split(whole, np.ones(len(whole.pairs), np.bool_))
    settled = split.settle(ends, picks, (0, 1), 0.5)
    assert forest_of(split, settled, picks).improve(ends.ravel(), (0, 1), 0.5)[2] == 0.25
    closed = Split(whole, np.zeros(len(whole.pairs), np.bool_))
    assert closed.settle(ends, picks, (0, 1), 0.5).slack == 0.25


def test_a_pick_stays_unless_another_option_gains_more_than_the_least() -> None:
    """Three choices of two options, of which the second is picked; the last one is the foe's."""
    below = np.array([[[0.5], [0.5]], [[0.75], [0.5]], [[0.25], [0.5]]])
    whose, now = np.array([0, 0, 1]), np.ones((3, 1), np.int64)
    for signs, least, picked, slack in (
        ((1, -1), 0.0, [1, 0, 0], 0.0),
        ((1, -1), 0.25, [1, 1, 1], 0.25),
        ((1, 0), 0.0, [1, 0, 1], 0.0),
        ((0, 0), 0.0, [1, 1, 1], 0.0),
    ):
        found, more = _better(whose, below, now, signs, least)
        assert found[:, 0].tolist() == picked
        assert more == slack


def test_an_exchange_that_is_over_at_once() -> None:
    whole = tree(At(game.stop, TURN.facts))
    ends, picks = np.array([[0.5, 0.25]]), np.zeros((0, 2), np.int8)
    for is_open in (False, True):
        split = Split(whole, np.array([is_open]))
        settled = split.settle(ends, picks, (1, -1), 0.0)
        forest = forest_of(split, settled, picks)
        open_ = ends[split.ends]
        assert forest.improve(open_.ravel(), (1, -1), 0.0)[0].tolist() == [0.5, 0.25]
        sums = forest.ways()
        assert sums.base.tolist() == ([0, 0] if is_open else [0.5, 0.25])
        assert sums.chance.tolist() == ([1, 1] if is_open else [])


def test_a_forest_without_trees_is_worth_nothing() -> None:
    """All may be settled that stands beside others."""
    forest = Forest([], 2)
    values, changed, slack = forest.improve(np.array([0.5, -0.5]), (1, -1), 0.0)
    assert (len(values), changed, slack) == (0, False, 0.0)
    assert not len(forest.lasting(np.array([True, False])))
    assert [len(one) for one in forest.ways()] == [0, 0, 0, 0]
    forest.store()
