"""One exchange of a round: what shares of it are worth to all who may meet there."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.engine.fight.duels.outcomes import Axis, outcomes_of
from affray.engine.fight.duels.ranges import ranges
from affray.engine.fight.duels.shares import Shares
from affray.engine.fight.duels.wants import WORTH_OF

if TYPE_CHECKING:
    from affray.engine.fight.duels.sweep import Sweep

__all__ = ["Before", "Next", "SlotSums", "Ways"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Small = NDArray[np.int32]
Bools = NDArray[np.bool_]

AT_ONCE = 100_000
"""Numbers that are held at once."""


class Before(NamedTuple):
    """The states before an exchange.

    Attributes:
        axes: the conditions of both sides. one, other: where those of each state stand there.
        attack: the number of its exchange.
    """

    axes: tuple[Axis, Axis]
    one: Small
    other: Small
    attack: Ints


class Next(NamedTuple):
    """The states after an exchange.

    Attributes:
        axes: the conditions of both sides.
        number: the state of two conditions of these axes; -1: there is none.
        onto: for either side, who stands for each condition.
    """

    axes: tuple[Axis, Axis]
    number: Small
    onto: tuple[Ints, Ints]


class Ways(NamedTuple):
    """From which row to which state, and how likely."""

    row: Ints
    state: Small
    chance: Floats


class _Band(NamedTuple):
    """Targets after the exchange that are equally far from the end.

    Attributes:
        foe: where they stand.
        near: the shares of targets that were no further from it; stays: what leads to them.
        far: the shares of others; leads: the same.
    """

    foe: slice
    near: Ints
    stays: csr_array
    far: Ints
    leads: csr_array


class SlotSums:
    """What shares are worth before the exchange of one slot, and the rolls that are sums of them.

    Args:
        sweep: the duel.
        number: of the slot.
        shares: its exchanges.
        before, then: the states before and after it.

    Attributes:
        side: who acts.
        size: how many numbers `start` sets up.
        worth: share of a target by outcome of the one who acts.
    """

    worth: Floats

    def __init__(
        self, sweep: Sweep, number: int, shares: Shares, before: Before, then: Next
    ) -> None:
        self.shares, self.before, self._then = shares, before, then
        slot = sweep.slots[number]
        self._ends = slot.ends_round and sweep.ends_change
        self.side = side = slot.actor.side
        sides = before.one, before.other
        self._own, self._foe = sides[side], sides[1 - side]
        self._own_axis, self._foe_axis = before.axes[side], before.axes[1 - side]
        self._after, self._struck = (
            outcomes_of(
                sweep, number, who, before.axes[who].conditions, (then.axes[who], then.onto[who])
            )
            for who in (side, 1 - side)
        )
        # Of each share and target the row; -1: they don't meet.
        n = len(self._foe_axis.conditions)
        attack, target = np.divmod(np.unique(before.attack * n + self._foe), n)
        entry, sizes = self._entries(shares.rolls[attack], shares.rolls[attack + 1])
        meets = np.zeros((n, shares.n), np.bool_)
        meets[np.repeat(target, sizes), shares.share[entry]] = True
        self._target, self._share = np.nonzero(meets)
        self._row = np.full(meets.shape, -1)
        self._row[self._target, self._share] = np.arange(len(self._share))
        self.size = len(self._share) * len(self._after.depth)

    def _entries(self, low: Ints, high: Ints) -> tuple[Ints, Ints]:
        """The entries of rolls from one number to another, and how many each time."""
        start = self.shares.entries[low]
        sizes = self.shares.entries[high] - start
        return ranges(start, sizes), sizes

    def start(self, sweep: Sweep, verdicts: NDArray[np.int8]) -> None:
        """Set up what shares are worth, as far as fights are over then.

        Args:
            sweep: the duel.
            verdicts: that of each pair of conditions.
        """
        shares, after, struck = self.shares, self._after, self._struck
        sizes = np.diff(shares.starts)[self._share]
        every = ranges(shares.starts[self._share], sizes)
        to = struck.of[shares.effects[every], np.repeat(self._target, sizes)]
        n_foe, n_own = len(struck.depth), len(after.depth)
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
        leads = csr_array((shares.likely[every], to, starts), shape=(len(self._share), n_foe))
        leads.sum_duplicates()
        numbers = self._then.number if self.side else self._then.number.T
        self._next = np.full((n_foe, n_own), -1, np.int32)
        self._next[: struck.n_on, : after.n_on] = numbers
        meter_in_force().claim(8 * (self.size + 2 * n_foe * n_own), "shares of exchanges")
        self.worth = np.asarray(leads @ self._known(sweep, verdicts))
        self._bands = self._banded(leads)
        stays = self._struck.depth[leads.indices] == np.repeat(
            self._foe_axis.depth[self._target], np.diff(leads.indptr)
        )
        self._stays = _only(leads, stays)

    def _known(self, sweep: Sweep, verdicts: NDArray[np.int8]) -> Floats:
        """What outcomes of the target and of the one who acts are worth if it is over."""
        pair = self._after.first[None, :], self._struck.first[:, None]
        one, other = pair[:: -1 if self.side else 1]
        known = verdicts[one, other]
        if self._ends:
            over = sweep.over[0][one] | sweep.over[1][other]
            later = verdicts[sweep.ended[0][one], sweep.ended[1][other]]
            known = np.where(over, known, later)
        found: Floats = WORTH_OF[known]
        found[: self._struck.n_on, : self._after.n_on] = 0
        return found

    def _banded(self, leads: csr_array) -> dict[int, _Band]:
        columns = leads.tocsc()
        depth = self._foe_axis.depth[self._target]
        found = {}
        for deep in np.unique(self._struck.depth[: self._struck.n_on]).tolist():
            foe = self._struck.band(deep)
            part = columns[:, foe].tocsr()
            some = np.flatnonzero(np.diff(part.indptr))
            near, far = some[depth[some] == deep], some[depth[some] != deep]
            found[deep] = _Band(foe, near, part[near], far, part[far])
        return found

    # -- what is worth how much ------------------------------------------------------------------

    def at(self, level: int) -> list[Near]:
        """What leads to states of a level from states of the same level."""
        own = ((band, self._after.band(level - deep)) for deep, band in self._bands.items())
        return [
            Near(self, band, mine, self._next[band.foe, mine])
            for band, mine in own
            if mine.stop > mine.start
        ]

    def rolls(self, some: Ints) -> tuple[csr_array, Ints]:
        """All rolls of some states, as sums of `worth`; and where those of each state start."""
        shares, attack = self.shares, self.before.attack[some]
        low, high = shares.rolls[attack], shares.rolls[attack + 1]
        sizes = shares.entries[high] - shares.entries[low]
        ends = np.cumsum(sizes)
        places, chances = np.empty(ends[-1], np.int32), np.empty(ends[-1])
        own, foe = self._own[some], self._foe[some]
        row_of, after = self._row.ravel() * len(self._after.depth), self._after.of.ravel()
        n_shares, n_own = shares.n, self._after.of.shape[1]
        start = 0
        for stop in _cuts(ends):
            here = slice(start, stop)
            entry, n = self._entries(low[here], high[here])
            into = slice(int(ends[stop - 1]) - len(entry), int(ends[stop - 1]))
            place = row_of.take(shares.share.take(entry) + np.repeat(foe[here] * n_shares, n))
            place += after.take(shares.own.take(entry) * n_own + np.repeat(own[here], n))
            places[into], chances[into] = place, shares.chance.take(entry)
            start = stop
        every = ranges(low, high - low)
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.diff(shares.entries)[every])])
        shape = len(every), self.worth.size
        first = np.cumsum(high - low) - (high - low)
        return csr_array((chances, places, starts.astype(np.int32)), shape=shape), first

    def stays(self, some: Ints, rolls: Ints) -> Ways:
        """The ways of some states, each by one roll, that bring them no nearer to the end."""
        cuts = _cuts(np.cumsum(np.diff(self.shares.entries)[rolls]))
        parts = [self._stay(some, rolls, slice(*cut)) for cut in pairwise([0, *cuts])]
        return Ways(*map(np.concatenate, zip(*parts, strict=True)))

    def _stay(self, some: Ints, rolls: Ints, part: slice) -> Ways:
        """The same of a part of these states."""
        shares, first = self.shares, part.start
        some, rolls = some[part], rolls[part]
        entry, sizes = self._entries(rolls, rolls + 1)
        row = np.repeat(np.arange(len(some)), sizes)
        own = self._own[some][row]
        to = self._after.of[shares.own[entry], own]
        on = np.flatnonzero(self._after.depth[to] == self._own_axis.depth[own])
        entry, row, to = entry[on], row[on], to[on]
        share = self._row[self._foe[some][row], shares.share[entry]]
        start = self._stays.indptr[share].astype(np.int64)
        sizes = self._stays.indptr[share + 1] - start
        every, which = ranges(start, sizes), np.repeat(np.arange(len(share)), sizes)
        state = self._next[self._stays.indices[every], to[which]]
        return Ways(
            first + row[which], state, shares.chance[entry][which] * self._stays.data[every]
        )


class Near:
    """States of a level after an exchange, as far as they are in a rectangle of conditions.

    Args:
        sums: the exchange. band: the targets. own: the outcomes of the one who acts.
        states: their numbers; -1 where there is none.
    """

    __slots__ = ("_before", "band", "own", "states", "sums")

    def __init__(self, sums: SlotSums, band: _Band, own: slice, states: Small) -> None:
        self.sums, self.band, self.own, self.states = sums, band, own, states
        self._before = sums.worth[band.near, own]

    def put(self, worth: Floats) -> None:
        """Let states be worth so much, for the states of this level."""
        here = self._before + self.band.stays @ self._of(worth)
        self.sums.worth[self.band.near, self.own] = here

    def settle(self, worth: Floats) -> None:
        """The same for those that are further from the end, once and for all."""
        self.sums.worth[self.band.far, self.own] += self.band.leads @ self._of(worth)

    def _of(self, worth: Floats) -> Floats:
        found: Floats = np.where(self.states >= 0, worth.take(self.states), 0.0)
        return found


def _only(ways: csr_array, some: Bools) -> csr_array:
    """Only some of the entries of a sparse matrix."""
    kept = np.concatenate([np.zeros(1, np.int64), np.cumsum(some)])
    parts = ways.data[some], ways.indices[some], kept[ways.indptr]
    return csr_array(parts, shape=ways.shape)


def _cuts(ends: Ints) -> list[int]:
    """Where a list is cut so that parts are small; of each item it is known where it ends."""
    cuts: list[int] = []
    done = 0
    while not cuts or cuts[-1] < len(ends):
        most = int(np.searchsorted(ends, done + AT_ONCE, "right"))
        cuts.append(max(most, (cuts[-1] if cuts else 0) + 1))
        done = int(ends[cuts[-1] - 1])
    return cuts
