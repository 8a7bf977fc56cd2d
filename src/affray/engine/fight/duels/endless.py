"""The pairs of conditions from which a duel never ends: two who only defend, or can't be hurt.

They are found backwards, from what is over: a pair may end if some exchange of a round leads from
it to the end, or to a pair at the start of the next round that may end. All others never do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from affray.core.meter import meter_in_force
from affray.engine.fight.duels.whole_round import WholeRound
from affray.engine.fight.duels.whole_step import WholeStep

__all__ = ["endless"]

Bools = NDArray[np.bool_]


def endless(whole: WholeRound) -> Bools:
    """The pairs at the start of a round from which nothing ends, in the order of `whole.after`."""
    meter = meter_in_force()
    may_end = np.zeros((*map(len, whole.first), whole.n_ways), np.bool_)
    while True:
        before = may_end.copy()
        for steps, ways, goes_first in whole.turns:
            here = before[:, :, ways]
            for step in reversed(steps):
                meter.poll()
                here = _before(step, here)
            may_end[:, :, ways] |= here & (goes_first is None or goes_first.by_pair(ways) > 0)
        if (may_end == before).all():
            return ~may_end & whole.met[:, :, None]


def _before(step: WholeStep, later: Bools) -> Bools:
    """The pairs before an exchange that may end.

    Args:
        step: the exchange.
        later: the pairs that may end before the next one, or at the start of the next round.
    """
    if step.changes:
        later = _with_what_is_over(later, step.n_ended, [len(ids) for ids in step.ended])
        one, other = step.ends
        if one is not None:
            later = later[_becomes(one)]
        if other is not None:
            later = later[:, _becomes(other)]
    after = _with_what_is_over(later, step.n_on, [len(ids) for ids in step.after])
    side = step.side
    turned = after.transpose(1, 0, 2) if side == 0 else after  # targets first
    found = np.zeros((len(step.here[1 - side]), len(step.here[side]), after.shape[-1]), np.bool_)
    for every in step.classes:
        there = turned[:, every.then].astype(np.float64)
        came = every.ways.T @ there.reshape(len(there), -1) > 0
        came = came.reshape(len(found), *there.shape[1:])
        found[:, every.who] |= came
        for place, who in every.more:
            found[:, who] |= came[:, place]
    return found.transpose(1, 0, 2) if side == 0 else found


def _with_what_is_over(on: Bools, n_on: list[int], sizes: list[int]) -> Bools:
    """All pairs, from those in which the fight goes on; the rest are over."""
    whole = np.ones((*sizes, on.shape[-1]), np.bool_)
    whole[: n_on[0], : n_on[1]] = on
    return whole


def _becomes(end: csr_array) -> NDArray[np.int64]:
    """What each condition becomes, from the matrix that adds up what comes to the same."""
    there, here = end.nonzero()
    found = np.zeros(end.shape[1], np.int64)
    found[here] = there
    return found
