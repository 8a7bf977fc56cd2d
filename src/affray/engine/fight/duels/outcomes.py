"""Conditions of one side by their place in a round, and what effects make of them there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from affray.core.lazy import NamedTuple

if TYPE_CHECKING:
    from affray.engine.fight.duels.sweep import Sweep

__all__ = ["Axis", "Outcomes", "axis_of", "outcomes_of"]

Ints = NDArray[np.int64]
Small = NDArray[np.int32]

OVER = -1
"""The depth of conditions in which the fight is over."""


class Axis(NamedTuple):
    """Conditions of one side that come up at one place of a round, the nearest to the end first.

    Attributes:
        conditions: these. depth: how far each is from the end.
        number: where each condition of the side stands among them; -1: it does not come up there.
    """

    conditions: Ints
    depth: Ints
    number: Small


def axis_of(sweep: Sweep, side: int, conditions: Ints) -> Axis:
    """Some conditions of a side in order."""
    depth = sweep.components[side].depth
    some = np.unique(conditions)
    some = some[np.argsort(depth[some], kind="stable")]
    number = np.full(sweep.n[side], -1, np.int32)
    number[some] = np.arange(len(some))
    return Axis(some, depth[some], number)


class Outcomes(NamedTuple):
    """What one side may be after an exchange: the conditions that come up next, and ways to be out.

    Attributes:
        of: by effect and condition, which of them it comes to.
        depth: how far each is from the end; `OVER` where the fight is over.
        first: a condition for each, as the exchange leaves it.
        n_on: the number of those, the first ones, in which the fight may go on.
    """

    of: Small
    depth: Ints
    first: Ints
    n_on: int

    def band(self, depth: int) -> slice:
        """Those in which the fight may go on that are so far from the end."""
        low, high = np.searchsorted(self.depth[: self.n_on], (depth, depth + 1))
        return slice(int(low), int(high))


def outcomes_of(
    sweep: Sweep, number: int, side: int, conditions: Ints, then: tuple[Axis, Ints]
) -> Outcomes:
    """What one side may be after the exchange of a slot.

    Args:
        sweep: the duel.
        number: of the slot.
        side: which side.
        conditions: those before the exchange, in order.
        then: the conditions that come up next, and who stands for each condition there.
    """
    slot, (axis, onto) = sweep.slots[number], then
    duelist, over = sweep.duelists[side], sweep.over[side]
    every = np.arange(sweep.n[side])
    ended = sweep.ended[side] if slot.ends_round and sweep.ends_change else every
    n_on = len(axis.conditions)
    # Of those with whom it is over only that matters, and whether the end of the round did it.
    way_out = 1 + 2 * np.array(duelist.is_out, np.int64) + np.array(duelist.is_over, np.int64)
    kinds = int(way_out.max(initial=1)) + 1
    where = axis.number[onto[ended]]
    where = np.where(over, n_on + way_out, np.where(over[ended], n_on + kinds + way_out[ended],
                     np.where(where < 0, n_on, where)))  # fmt: skip
    if side == slot.actor.side and slot.begins:
        conditions = sweep.begun[side][conditions]
    first = np.zeros(n_on + 2 * kinds, np.int64)
    first[where[::-1]] = every[::-1]
    depth = np.full(len(first), OVER)
    depth[:n_on] = axis.depth
    of = where.astype(np.int32)[sweep.maps[side][:, conditions]]
    return Outcomes(of, depth, first, n_on)
