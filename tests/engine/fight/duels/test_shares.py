"""Exchanges as sums over shares: what befalls the target, given what befalls the one who acts."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from affray.core.errors import LimitError
from affray.core.meter import Meter, metered
from affray.engine.fight.duels.shares import Shares, are_plain
from affray.engine.fight.duels.tree import Picks, Rolls, Tree

ENDS = (("tired", "hit"), ("tired", "missed"), ("fresh", "hit"))
OWN, FOE = np.array([0, 0, 1]), np.array([0, 1, 0])


def rolled(*chances: float) -> Tree:
    """A roll that leads to these ends."""
    return Tree(ENDS, [Rolls(slice(3, 4), csr_array(np.array([chances])))])


def test_rolls_whose_targets_fare_alike_share_that() -> None:
    """Who is tired hits every other time, whatever the chance to be tired is."""
    shares = Shares(
        [rolled(1 / 4, 1 / 4, 1 / 2), rolled(1 / 6, 1 / 6, 2 / 3)], lambda _: (OWN, FOE)
    )
    assert shares.kind.tolist() == [0, 0]
    assert shares.rolls.tolist() == [0, 1, 2]
    assert shares.entries.tolist() == [0, 2, 4]
    assert shares.own.tolist() == [0, 1, 0, 1]
    assert shares.chance == pytest.approx([1 / 2, 1 / 2, 1 / 3, 2 / 3])
    assert shares.share.tolist() == [0, 1, 0, 1]
    assert shares.n == 2
    assert shares.starts.tolist() == [0, 2, 3]
    assert shares.effects.tolist() == [0, 1, 0]
    assert shares.likely == pytest.approx([1 / 2, 1 / 2, 1])


def test_ends_with_the_same_effects_on_both_are_told_apart_by_roll_only() -> None:
    """The second exchange befalls the target otherwise: its shares are others."""
    foes = [FOE, np.array([2, 1, 0])]
    trees = [rolled(1 / 4, 1 / 4, 1 / 2)] * 2
    shares = Shares(trees, lambda number: (OWN, foes[number]))
    assert shares.share.tolist() == [0, 1, 2, 1]
    assert shares.effects[shares.starts[2] :].tolist() == [1, 2]


def test_exchanges_with_the_same_choices_are_of_one_kind() -> None:
    roll = Rolls(slice(3, 4), csr_array(np.array([[1 / 2, 1 / 4, 1 / 4]])))
    mine = [
        Tree(ENDS, [roll, Picks(slice(4, 5), slice(0, 1), np.array([to]), np.array([whose]))])
        for to, whose in (([3, 2], 0), ([3, 2], 0), ([3, 2], 1), ([2, 3], 0))
    ]
    shares = Shares([*mine, rolled(1 / 2, 1 / 4, 1 / 4)], lambda _: (OWN, FOE))
    assert shares.kind.tolist() == [0, 0, 1, 2, 3]
    first, *_, last = shares.choices
    assert (first.n_rolls, first.n_picks, len(first.layers)) == (2, 1, 1)
    assert first.layers[0].to.tolist() == [[0], [1]]
    assert (last.n_rolls, last.n_picks, last.layers) == (1, 0, ())


def test_an_exchange_that_is_over_at_once_is_a_roll_with_one_end() -> None:
    shares = Shares([Tree(ENDS[:1], [])], lambda _: (OWN[:1], FOE[:1]))
    assert (shares.rolls.tolist(), shares.entries.tolist(), shares.n) == ([0, 1], [0, 1], 1)
    assert (shares.own.tolist(), shares.chance.tolist()) == ([0], [1])


def test_a_choice_after_the_dice_is_not_plain() -> None:
    pick = Picks(slice(3, 4), slice(0, 1), np.array([[0, 1]]), np.array([0]))
    roll = Rolls(slice(4, 5), csr_array(np.array([[0, 0, 1 / 2, 1 / 2]])))
    assert not are_plain([rolled(1 / 2, 1 / 4, 1 / 4), Tree(ENDS, [pick, roll])])
    assert are_plain([rolled(1 / 2, 1 / 4, 1 / 4), Tree(ENDS, [pick]), Tree(ENDS[:1], [])])


def test_compiling_many_exchanges_takes_time() -> None:
    class Spent(Meter):
        def tick(self, work: int = 1) -> None:
            raise LimitError("no time", limit="seconds")

    with metered(Spent()), pytest.raises(LimitError, match="no time"):
        Shares([rolled(1 / 2, 1 / 4, 1 / 4)], lambda _: (OWN, FOE))
