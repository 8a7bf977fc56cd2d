"""Pairs of conditions, each as often as ways to begin a duel still differ from there on.

Who goes first may depend on what fighters have suffered. Of two ways to begin that lead to the same
order of turns in all that may follow, only one needs to be worked out.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from affray.core.meter import meter_in_force
from affray.engine.fight.duels.reached import Ways
from affray.engine.fight.duels.sweep import Level
from affray.engine.fight.duels.tree import Numbers

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
        seen: the pairs that can come up in each slot.
        levels: all pairs, those nearest to the end first.
        leads: the probability that side one goes first in a round, by pair and way to begin.

    Attributes:
        of: the spot of each pair and way to begin.
        pair, begin: of each spot; the first of all ways to begin that it stands for.
        levels: the spots in the order in which they are settled, as for pairs.
        leads: of each spot. n, on: as for `Ways`.
    """

    def __init__(self, ways: Ways, seen: list[Bools], levels: list[Level], leads: Floats) -> None:
        n_pairs, n = leads.shape
        self.ways, self.sweep, self.attacks = ways, ways.sweep, ways.attacks
        self.n, self.on = n_pairs, ways.on
        self.leads: Floats = leads[:, 0]
        if n == 1:
            self.pair: Ints = np.arange(n_pairs)
            self.begin: Numbers = np.zeros(n_pairs, np.int16)
            self.of: Ints = self.pair[:, None]
            self.levels = levels
            return
        self._seen, self._by_pair = seen, leads
        both = list(combinations(range(n), 2))
        meter_in_force().claim(8 * n_pairs * (n + 2 * (1 + len(both) // BITS)), "ways to begin")
        self._apart = np.zeros((1 + len(both) // BITS, n_pairs), np.int64)
        self._put_apart(levels, np.array(both))
        kinds, kind = np.unique(self._apart, axis=1, return_inverse=True)
        kind = kind.ravel()
        first = np.array([_first_alike(one, both, n) for one in kinds.T])
        stands = first == np.arange(n)  # kind by way to begin
        count = stands.sum(1)[kind]
        start = np.cumsum(count) - count
        rank = np.cumsum(stands, 1) - 1
        own = np.take_along_axis(rank, first, 1)
        self.of = (start[:, None] + own[kind]).astype(np.int32)
        self.pair = np.repeat(np.arange(n_pairs), count)
        which = np.arange(len(self.pair)) - start[self.pair]
        listed = [np.nonzero(one)[0] for one in stands]
        table = np.zeros((len(kinds.T), n), np.int16 if n < MOST_SMALL else np.int64)
        for row, some in zip(table, listed, strict=True):
            row[: len(some)] = some
        self.begin = table[kind[self.pair], which]
        self.levels = [self._level(level, kind, stands) for level in levels]
        self.n, self.on = len(self.pair), ways.on[self.pair]
        self.leads = leads[self.pair, self.begin]
        block = np.arange(n_pairs) if self.sweep.singles else self.sweep.block
        self._block = block[self.pair].astype(np.int32)
        del self._apart, self._seen, self._by_pair

    def attack(self, number: int, spots: Ints) -> Numbers:
        """As for `Ways`."""
        return self.ways.attack(number, self.pair[spots])

    def alike(self, number: int, spots: Ints) -> Ints:
        """As for `Ways`."""
        return self._at(self.ways.alike(number, self.pair[spots]), spots)

    def there(self, number: int, attack: int, spots: Ints) -> Ints:
        """As for `Ways`."""
        return self._at(self.ways.there(number, attack, self.pair[spots]), spots)

    def led(self, number: int, own: Ints, foe: Ints, spots: Ints) -> Ints:
        """As for `Ways`."""
        return self._at(self.ways.led(number, own, foe, self.pair[spots]), spots)

    def inside(self, spots: Ints, there: Ints) -> Bools:
        """As for `Sweep`."""
        if self.of.shape[1] == 1:
            return self.sweep.inside(spots, there)
        found: Bools = self._block.take(there) == self._block.take(spots)[:, None]
        return found

    def _at(self, pairs: Ints, spots: Ints) -> Ints:
        """Pairs with the ways to begin of spots."""
        if self.of.shape[1] == 1:
            return pairs
        found: Ints = self.of.take(pairs * self.of.shape[1] + self.begin[spots])
        return found.astype(np.int64)

    def _level(self, level: Level, kind: Ints, stands: Bools) -> Level:
        blocks = level.pairs.reshape(-1, level.size)
        block, begin = np.nonzero(stands[kind[blocks[:, 0]]])
        return Level(self.of[blocks[block], begin[:, None]].ravel().astype(np.int64), level.size)

    def _put_apart(self, levels: list[Level], both: Ints) -> None:
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
            blocks = apart[:, level.pairs].reshape(len(apart), -1, level.size)
            joined = np.bitwise_or.reduce(blocks, 2)
            apart[:, level.pairs] = np.repeat(joined, level.size, 1)

    def _follow(self, number: int, pairs: Ints) -> None:
        """Add what differs after an exchange."""
        if not len(pairs):
            return
        ways, apart = self.ways, self._apart
        alike = ways.alike(number, pairs)
        attacks = ways.rows[number][alike]
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
