"""Pairs of conditions that come up, told apart by the ways to begin that still differ.

Who goes first may depend on what fighters have suffered. Of two ways to begin that lead to the same
order of turns in all that may follow, only one needs to be worked out.
"""

from __future__ import annotations

from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from affray.core.meter import meter_in_force
from affray.engine.fight.duels.reached import Ways
from affray.engine.fight.duels.sweep import Blocks
from affray.engine.fight.duels.tree import Numbers, spans

__all__ = ["Spots"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

BITS = 63
"""Differences that are kept in one number."""
MOST_SMALL = 1 << 15
"""So many ways to begin are small numbers."""


class Spots:
    """Pairs with a way to begin, by number; pairs of a block have the same ways.

    Args:
        ways: where the duel can come to.
        seen: the pairs that can come up in each slot. Others have spots only if it is over there.
        leads: the probability that side one goes first in a round, by pair and way to begin.

    Attributes:
        of: the spot of each pair and way to begin; -1 if it has none.
        pair, begin: of each spot; the first of all ways to begin that it stands for.
        leads: of each spot. n, on: as for `Ways`.
    """

    def __init__(self, ways: Ways, seen: list[Bools], leads: Floats) -> None:
        n_pairs, n = leads.shape
        self.ways, self.sweep, self.attacks = ways, ways.sweep, ways.attacks
        anywhere = np.any(seen, axis=0)
        kept = anywhere | ~ways.on
        self._anywhere = anywhere
        meter_in_force().claim(4 * n_pairs * n, "ways to begin")
        self.of: NDArray[np.int32] = np.full((n_pairs, n), -1, np.int32)
        self.pair: Ints
        self.begin: Numbers
        if n == 1:
            self.pair = np.flatnonzero(kept)
            self.begin = np.broadcast_to(np.int16(0), len(self.pair))
            self.of[self.pair, 0] = np.arange(len(self.pair))
        else:
            self._seen, self._by_pair = seen, leads
            self._number(kept)
            del self._apart, self._seen, self._by_pair
        self.n, self.on = len(self.pair), ways.on[self.pair]
        alike = leads.strides[0] == 0  # one number for all pairs
        self.leads: Floats = (
            np.broadcast_to(leads[0, 0], self.n) if alike else leads[self.pair, self.begin]
        )

    @cached_property
    def levels(self) -> list[Blocks]:
        """The spots in the order in which they are settled, block by block."""
        blocks = self.sweep.blocks(np.flatnonzero(self._anywhere))
        return [one._replace(pairs=self._at(one.pairs, one.pairs)) for one in blocks]

    def _number(self, kept: Bools) -> None:
        """Number pairs with several ways to begin."""
        blocks = self.sweep.blocks(np.flatnonzero(self._anywhere))
        n_pairs, n = self._by_pair.shape
        both = list(combinations(range(n), 2))
        meter_in_force().claim(8 * n_pairs * 2 * (1 + len(both) // BITS), "ways to begin")
        self._apart = np.zeros((1 + len(both) // BITS, n_pairs), np.int64)
        self._put_apart(blocks, np.array(both))
        kinds, kind = np.unique(self._apart[:, kept], axis=1, return_inverse=True)
        kind_of = np.zeros(n_pairs, np.int32)
        kind_of[kept] = kind.ravel()
        first = np.array([_first_alike(one, both, n) for one in kinds.T])
        stands = first == np.arange(n)  # kind by way to begin
        pairs = np.flatnonzero(kept)
        here = kind_of[pairs]
        count = stands.sum(1)[here]
        start = np.cumsum(count) - count
        rank = np.cumsum(stands, 1) - 1
        own = np.take_along_axis(rank, first, 1)
        self.of[pairs] = start[:, None] + own[here]
        self.pair = np.repeat(pairs, count)
        which = np.arange(len(self.pair)) - np.repeat(start, count)
        listed = [np.nonzero(one)[0] for one in stands]
        table = np.zeros((len(kinds.T), n), np.int16 if n < MOST_SMALL else np.int64)
        for row, some in zip(table, listed, strict=True):
            row[: len(some)] = some
        self.begin = table[np.repeat(here, count), which]
        self.levels = [self._level(level, kind_of, stands) for level in blocks]

    def attack(self, number: int, spots: Ints) -> Numbers:
        """As for `Ways`."""
        return self.ways.attack(number, self.pair[spots])

    def alike(self, number: int, spots: Ints) -> Ints:
        """As for `Ways`."""
        return self._at(self.ways.alike(number, self.pair[spots]), spots)

    def there(self, number: int, attack: int, spots: Ints) -> Ints:
        """As for `Ways`."""
        n, pairs = self.of.shape[1], self.pair[spots]
        codes = self.ways.struck(number, attack, pairs, n, self.begin[spots])
        table = self._of_ended if self.ways.changes_at_end(number) else self.of
        return table.take(codes).astype(np.int64)

    def led(self, number: int, own: Ints, foe: Ints, spots: Ints) -> Ints:
        """As for `Ways`."""
        return self._at(self.ways.led(number, own, foe, self.pair[spots]), spots)

    @cached_property
    def _of_ended(self) -> NDArray[np.int32]:
        """The spot of each pair after the end of a round."""
        return self.of[self.ways.ended] if self.sweep.ends_change else self.of

    @cached_property
    def _block(self) -> NDArray[np.int32]:
        """The block of each spot."""
        return self.sweep.blocks_of(self.pair).astype(np.int32)

    def inside(self, spots: Ints, there: Ints) -> Bools:
        """As for `Sweep`."""
        found: Bools = self._block.take(there) == self._block.take(spots)[:, None]
        return found

    def _at(self, pairs: Ints, spots: Ints) -> Ints:
        """Pairs with the ways to begin of spots."""
        if self.of.shape[1] == 1:
            return self.of.take(pairs).astype(np.int64)
        found: Ints = self.of.take(pairs * self.of.shape[1] + self.begin[spots])
        return found.astype(np.int64)

    def _level(self, level: Blocks, kind: NDArray[np.int32], stands: Bools) -> Blocks:
        block, begin = np.nonzero(stands[kind[level.pairs[level.starts]]])
        every, sizes = spans(np.append(level.starts, len(level.pairs)), block)
        spots = self.of[level.pairs[every], np.repeat(begin, sizes)]
        return Blocks(spots.astype(np.int64), np.cumsum(sizes) - sizes)

    def _put_apart(self, levels: list[Blocks], both: Ints) -> None:
        """Note for each pair which ways to begin differ there or in what may follow."""
        apart, meter, half = self._apart, meter_in_force(), len(self._seen) // 2
        begins = self._seen[0] | self._seen[half]
        leads = np.zeros_like(apart)
        for number, (one, other) in enumerate(both.tolist()):
            differ = begins & (self._by_pair[:, one] != self._by_pair[:, other])
            leads[number // BITS] |= differ.astype(np.int64) << (number % BITS)
        for level in levels:
            meter.tick(64)
            apart[:, level.pairs] = leads[:, level.pairs]
            for number, seen in enumerate(self._seen):
                self._follow(number, level.pairs[seen[level.pairs]])
            joined = np.bitwise_or.reduceat(apart[:, level.pairs], level.starts, axis=1)
            apart[:, level.pairs] = np.repeat(joined, level.sizes, 1)

    def _follow(self, number: int, pairs: Ints) -> None:
        """Add what differs after an exchange."""
        if not len(pairs):
            return
        ways, apart = self.ways, self._apart
        alike = ways.alike(number, pairs)
        attacks = ways.attack(number, alike)
        order = np.argsort(attacks, kind="stable")
        names, starts = np.unique(attacks[order], return_index=True)
        for name, group in zip(names.tolist(), np.split(order, starts[1:]), strict=True):
            there = ways.there(number, name, alike[group])
            for differs in apart:
                differs[pairs[group]] |= np.bitwise_or.reduce(differs.take(there), 0)


def _first_alike(apart: Ints, both: list[tuple[int, int]], n: int) -> list[int]:
    """For each way to begin the first one that does not differ from it."""
    found = list(range(n))
    for number, (one, other) in enumerate(both):
        differs = int(apart[number // BITS]) >> (number % BITS) & 1
        if not differs and found[other] == other:
            found[other] = found[one]
    return found
