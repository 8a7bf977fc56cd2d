"""Ways to begin a duel that nothing tells apart yet are followed as one.

Two ways to begin differ in who goes first against whom. Until a pair of conditions has come up in
which they do, they are the same fight: whoever has no wounds goes first in both, whoever has three
only in one of them. So each condition of one side is followed once for all ways to begin that are
the same in it and in everything that may have come before it: that is a strand.

                         ways to begin
    no wounds            1 2 3 4       5
    one wound            1 2 3       4 5
    two wounds           1 2       3 4 5      each group of ways is a strand
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from affray.engine.fight.duels.ahead import Ahead
from affray.engine.fight.duels.ranges import ranges

__all__ = ["Strands", "as_one", "first_alike", "strands_of"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


class Strands:
    """The conditions of one side, each with groups of ways to begin.

    A strand has a number: that of its condition, times the number of ways to begin, plus the first
    of its ways.

    Args:
        side: whose conditions they are.
        kinds: the kinds of conditions: for each of them and each way to begin the first way that is
            the same.
        kind_of: the kind of each condition.

    Attributes:
        side: as given.
        n_ways: how many ways to begin there are.
        size: all numbers of strands are smaller.
        of: for each condition and each way to begin the strand.
    """

    def __init__(self, side: int, kinds: Ints, kind_of: Ints) -> None:
        self.side, self.n_ways = side, kinds.shape[1]
        self.size = len(kind_of) * self.n_ways
        self._kinds, self._kind_of = kinds, kind_of
        self.of: Ints = kinds[kind_of] + np.arange(len(kind_of))[:, None] * self.n_ways
        firsts = kinds == np.arange(self.n_ways)
        self._n_strands = firsts.sum(1)[kind_of]
        ways = [np.flatnonzero(row) for row in firsts]
        self._ways: Ints = np.concatenate([ways[kind] for kind in kind_of.tolist()] or [kind_of])
        self._starts = np.cumsum(self._n_strands) - self._n_strands

    def listed(self, conditions: Ints) -> tuple[Ints, Ints]:
        """The strands of some conditions in their order.

        Returns:
            For each strand the place of its condition among these, and its number.
        """
        count = self._n_strands[conditions]
        at = np.repeat(np.arange(len(conditions)), count)
        way = self._ways[ranges(self._starts[conditions], count)]
        return at, conditions[at] * self.n_ways + way

    def count(self, conditions: Ints) -> int:
        """How many strands conditions have."""
        return int(self._n_strands[conditions].sum())

    def before(self, strands: Ints, conditions: Ints) -> Ints:
        """The strands of conditions from which some strands may come: one for each."""
        found: Ints = self.of[conditions, strands % self.n_ways]
        return found

    def ways(self, strands: Ints) -> Bools:
        """The ways to begin of strands: a row for each."""
        found: Bools = self._kinds[self.group(strands)[1]] == (strands % self.n_ways)[:, None]
        return found

    def group(self, strands: Ints) -> tuple[Ints, Ints]:
        """A number for each strand, the same if its ways to begin are; and the kind of each."""
        kind = self._kind_of[strands // self.n_ways]
        return kind * self.n_ways + strands % self.n_ways, kind


def as_one(side: int, size: int, n_ways: int) -> Strands:
    """One strand for each of so many conditions of a side: ways to begin make no difference."""
    return Strands(side, np.zeros((1, n_ways), np.int64), np.zeros(size, np.int64))


def strands_of(
    side: int, ahead: Ahead, first: Ints, size: int, become: tuple[Ints, Ints]
) -> Strands:
    """The strands of a side.

    Args:
        side: whose conditions they are.
        ahead: who goes first, with the conditions that may begin a round.
        first: these conditions.
        size: how many the side has in all.
        become: conditions, and what each of them may become.
    """
    table = np.moveaxis(ahead.table, side, 0)
    alike = np.array([first_alike(told) for told in table])
    kinds, which = np.unique(alike, axis=0, return_inverse=True)
    came = np.zeros((size, len(kinds)), np.bool_)
    came[first, which.ravel()[ahead.of[side]]] = True
    from_, to = become
    leads = csr_array((np.ones(len(to), np.float32), (to, from_)), shape=(size, size))
    n_known = 0
    while n_known < (n_known := int(came.sum())):
        came |= leads @ came.astype(np.float32) > 0
    patterns, kind_of = np.unique(came, axis=0, return_inverse=True)
    every = [first_alike(kinds[pattern]) for pattern in patterns]
    return Strands(side, np.array(every), kind_of.ravel())


def first_alike(rows: Ints | Floats) -> Ints:
    """For each column of an array the first one that is the same."""
    if not len(rows):
        return np.zeros(rows.shape[1], np.int64)
    _, first, which = np.unique(rows, axis=1, return_index=True, return_inverse=True)
    found: Ints = first[which.ravel()]
    return found
