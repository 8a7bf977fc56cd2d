"""Split trees against whole ones: the same picks, worth and chances, whatever is open."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from affray.core.node import At
from affray.engine.fight.duels.split import Split
from affray.engine.fight.duels.tree import Signs, Tree
from tests.engine import skirmish as game
from tests.engine.fight.duels.test_grove import TURN, grove

SIGNS: list[Signs] = [(1, -1), (-1, 1), (1, 0), (0, -1), (0, 0)]
COLUMNS = 6


def tree(at: At[Any] = TURN) -> Tree:
    trees = grove()
    return trees.tree(trees.place(at, 2, 10_000)[0])[0]


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
        worth, picks, slack = split.improve(settled, ends[split.ends], picks, (signs, 0.0))
        assert worth == pytest.approx(values[-1], abs=1e-14)
        assert (picks == best).all()
        assert slack == settled.slack == 0
        base, chances = split.affine(settled, picks)
        assert base + (chances * ends[split.ends]).sum(0) == pytest.approx(values[-1], abs=1e-14)
        assert chances == pytest.approx(whole.forward(picks)[split.ends], abs=1e-14)


def test_what_could_still_be_gained_is_told() -> None:
    """A gain that is too small to pick otherwise counts towards the residual."""
    whole = tree(At(game.dodge, TURN.facts._replace(damage=2)))
    (layer,) = whole.layers
    ends = np.zeros((len(whole.pairs), 1))
    ends[layer.to[0, 1]] = 0.25  # type: ignore[union-attr]  # it is a choice
    picks = np.zeros((1, 1), np.int8)
    split = Split(whole, np.ones(len(whole.pairs), np.bool_))
    settled = split.settle(ends, picks, (0, 1), 0.5)
    assert split.improve(settled, ends[split.ends], picks, ((0, 1), 0.5))[2] == 0.25
    closed = Split(whole, np.zeros(len(whole.pairs), np.bool_))
    assert closed.settle(ends, picks, (0, 1), 0.5).slack == 0.25


def test_an_exchange_that_is_over_at_once() -> None:
    whole = tree(At(game.stop, TURN.facts))
    ends, picks = np.array([[0.5, 0.25]]), np.zeros((0, 2), np.int8)
    for is_open in (False, True):
        split = Split(whole, np.array([is_open]))
        settled = split.settle(ends, picks, (1, -1), 0.0)
        worth, _, _ = split.improve(settled, ends[split.ends], picks, ((1, -1), 0.0))
        assert worth.tolist() == [0.5, 0.25]
        base, chances = split.affine(settled, picks)
        assert base.tolist() == ([0, 0] if is_open else [0.5, 0.25])
        assert chances.tolist() == ([[1, 1]] if is_open else [])
