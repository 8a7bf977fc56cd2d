"""The pairs of conditions that an exchange leads to, each of them once.

Many effects of an attack make the same of its target: with enough damage it is out, however much
that was. Their probabilities are added up, once for all pairs with the same attack and target.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.engine.fight.duels.duelists import different

if TYPE_CHECKING:
    from affray.engine.fight.duels.sweep import Sweep

__all__ = ["Leaving", "Onward"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Leaving(NamedTuple):
    """The ways of a list of pairs in a slot.

    Attributes:
        starts: where the ways of each pair begin, and where the last ones end.
        at, there, chance: by way, from the pair at this place of the list, to this pair, with this
            probability; 0 for what stays.
        stays: the probability that nothing changes, for each pair of the list.
    """

    starts: Ints
    at: Ints
    there: Ints
    chance: Floats
    stays: Floats

    def part(self, some: slice) -> tuple[Ints, Ints, Floats]:
        """From which of some pairs, to which pair, and with which probability."""
        ways = slice(int(self.starts[some.start]), int(self.starts[some.stop]))
        return self.at[ways], self.there[ways], self.chance[ways]


class Onward:
    """The exchanges of a slot, with the effects that come to the same added up.

    Args:
        sweep: the duel. number: of the slot.
    """

    def __init__(self, sweep: Sweep, number: int) -> None:
        self.sweep, self.slot, self.arrays = sweep, sweep.slots[number], sweep.arrays[number]
        arrays, acts = self.arrays, self.slot.actor.side
        n = self.n_struck = sweep.n[1 - acts]
        # A row for each attack and target: only for those that conditions call for.
        numbers = arrays.rows.table[:, arrays.rows.struck]
        used = different((numbers * n + np.arange(n)).ravel(), len(arrays.mine) * n)
        attack, target = np.divmod(used, n)
        self._row_of = np.zeros(len(arrays.mine) * n, np.int64)
        self._row_of[used] = np.arange(len(used))
        width = arrays.mine.shape[1]
        ways = len(used) * width
        meter_in_force().claim(8 * 4 * ways, f"{ways:,} effects of exchanges")
        self._ends = self.slot.ends_round and sweep.ends_change
        mine = np.where(arrays.chance > 0, arrays.mine, arrays.mine[:, :1])
        alike = not self._ends and bool((mine == mine[:, :1]).all())
        self._own_of: Ints | None = mine[:, 0] if alike else None
        columns = arrays.target_map[arrays.theirs[attack], target[:, None]]
        own = mine[:1, 0]
        if not alike:
            own, place = np.unique(mine, return_inverse=True)
            columns += n * place.reshape(mine.shape)[attack]
        starts = np.arange(0, ways + 1, width)
        shape = len(used), len(own) * n
        merged = csr_array((arrays.chance[attack].ravel(), columns.ravel(), starts), shape=shape)
        merged.sum_duplicates()
        self._starts: Ints = merged.indptr.astype(np.int64)
        self._chance: Floats = merged.data
        struck = merged.indices.astype(np.int64)
        if not alike:
            which, struck = np.divmod(struck, n)
            self._own: Ints = own[which]
        self._struck: Ints = struck
        # The way of each attack that leaves a target as it is, and by how much ways shift pairs.
        here = np.repeat(np.arange(shape[0]), np.diff(self._starts))
        same = np.flatnonzero(struck == target[here])
        self._kept = np.full(shape[0], -1)
        self._kept[here[same]] = same
        self._shift: Ints = struck if acts == 0 else struck * sweep.n[1]

    @staticmethod
    def size(sweep: Sweep) -> int:
        """How many effects of attacks on conditions there are in all slots."""
        return sum(
            arrays.mine.size * sweep.n[1 - slot.actor.side]
            for slot, arrays in zip(sweep.slots, sweep.arrays, strict=True)
        )

    def of(self, pairs: Ints, place_of: Ints) -> Leaving:
        """The ways of pairs, to the places of others in a list of all."""
        sweep, acts = self.sweep, self.slot.actor.side
        n_other = sweep.n[1]
        both = np.divmod(pairs, n_other)
        actor, target = both[acts], both[1 - acts]
        attacks = self.arrays.rows.between(actor, target)
        row = self._row_of[attacks * self.n_struck + target]
        begun = sweep.begun[acts][actor] if self.slot.begins else actor
        first = self._starts[row]
        count = self._starts[row + 1] - first
        starts = np.concatenate([[0], np.cumsum(count)])
        at = np.repeat(np.arange(len(pairs)), count)
        way = np.repeat(first - starts[:-1], count)
        way += np.arange(len(way))
        chance = self._chance.take(way)
        if self._own_of is None:
            there = self._there(way, begun[at])
            same = np.flatnonzero(there == pairs[at])
        else:  # an attack makes the same of those who act, whatever happens
            after = self.arrays.actor_map[self._own_of[attacks], begun]
            there = np.repeat(after * n_other if acts == 0 else after, count)
            there += self._shift.take(way)
            kept = self._kept[row]
            still = (after == actor) & (kept >= 0)
            same = (starts[:-1] + kept - first)[still]
        stays: Floats = np.bincount(at[same], chance[same], len(pairs)).astype(np.float64)
        chance[same] = 0
        return Leaving(starts, at, place_of.take(there), chance, stays)

    def _there(self, way: Ints, begun: Ints) -> Ints:
        """The pairs to which ways lead, from the conditions of those who act."""
        sweep, acts = self.sweep, self.slot.actor.side
        after, struck = self.arrays.actor_map[self._own[way], begun], self._struck[way]
        if self._ends:
            # A fight that is over with the last exchange has no end of the round.
            over = sweep.over[acts][after] | sweep.over[1 - acts][struck]
            after = np.where(over, after, sweep.ended[acts][after])
            struck = np.where(over, struck, sweep.ended[1 - acts][struck])
        return after * sweep.n[1] + struck if acts == 0 else struck * sweep.n[1] + after
