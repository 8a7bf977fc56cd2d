"""Equations of states that follow each other exchange by exchange, solved by going round.

The states before one exchange lead to those before the next, and in the end to those with which a
round begins. So what they are worth is put in from the last exchange to the first: going round once
is a whole round of the fight, and where much of a round leads nearer to the end, few are enough.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force

__all__ = ["Step", "gone_round", "rows_of"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TURNS = 100
"""How often to go round before that is left to others."""
CLOSE = 4e-16
"""The change of a value, relative to the largest one, at which going round ends."""


class Step(NamedTuple):
    """States that lead to others.

    Attributes:
        here: where they stand. known: what of their worth is settled.
        ways: how likely each leads to each other state: of these by all.
    """

    here: slice
    known: Floats
    ways: csr_array


def rows_of(row: Ints, column: Ints, chance: Floats, shape: tuple[int, int]) -> csr_array:
    """Ways from rows to columns as a matrix; some may be there twice."""
    starts = np.zeros(shape[0] + 1, np.int64)
    np.cumsum(np.bincount(row, minlength=shape[0]), out=starts[1:])
    if (row[1:] < row[:-1]).any():
        order = np.argsort(row, kind="stable")
        column, chance = column[order], chance[order]
    return csr_array((chance, column, starts), shape=shape)


def gone_round(steps: Sequence[Step], worth: Floats) -> float | None:
    """Solve worth = ways worth + known, in place; by how much that is missed at most.

    Args:
        steps: all states, those that come first first.
        worth: what is close to it.

    Returns:
        None: it takes too long.
    """
    meter = meter_in_force()
    for turn in range(TURNS):
        meter.tick(8)
        change = 0.0
        for here, known, ways in reversed(steps):
            now = ways @ worth
            now += known
            if turn % 2:
                change = max(change, float(np.abs(now - worth[here]).max(initial=0.0)))
            worth[here] = now
        if turn % 2 and change <= CLOSE * max(1.0, float(np.abs(worth).max(initial=0.0))):
            return change
    return None
