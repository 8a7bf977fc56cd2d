"""The rows of all exchanges in one place, ready to be drawn from.

A row is named by its first column in tables of `alias`. Each column has two places for outcomes:
the second one at twice its number, the first one behind it. So the place of a draw is that of the
first one, less one where the draw is above the threshold: a subtraction that borrows.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

from affray.engine.fight.sampled.alias import columns_of, shares
from affray.engine.fight.sampled.arrays import Ints, Vector, Words

__all__ = ["FOE", "FRIEND", "HALF", "SELF", "Outcomes"]

HALF = 32
"""Bits of a draw that a comparison looks at first."""
_HALF = np.uint64(HALF)
LOWER = (1 << HALF) - 1
LOWER_AT = int(sys.byteorder == "big")
"""Which half of a number in memory holds its lower bits."""
FOE, FRIEND, SELF = 0, 1, 2
"""The target of a deed: a foe, a friend, or the actor."""


class Outcomes:
    """Rows, by column; nothing is in the first column.

    Attributes:
        thresholds: as `alias` has them, without sign. borrowing: by column the place of its first
            outcome above the upper half of its threshold. shifts: of a draw, to get its column;
            shift: the same for all rows, or 0. aims: the kind of target. numbers: of the row.
        on_target, on_actor: effects by place; on_mates: what befalls mates of the target.
        edges, places: outcomes by row with more and more harm: up to which draw (the number of
            the row above 32 bits of it), and the place.
    """

    def __init__(self) -> None:
        self.thresholds, self.shifts, self.aims, self.numbers = (Vector() for _ in range(4))
        self.borrowing = Vector()
        self.on_target, self.on_actor, self.on_mates = Vector(2), Vector(2), Vector(2)
        self.edges, self.places = Vector(0), Vector(0)
        self.shift = -1
        self.n_rows = 0

    def add(
        self,
        weights: Sequence[int],
        effects: Sequence[tuple[tuple[int, int], int]],
        harms: Sequence[tuple[int, int]],
        aim: int,
    ) -> int:
        """Put a row to the others.

        Args:
            weights: of its outcomes.
            effects: on the actor and on the target, and what befalls its mates.
            harms: by which outcomes are sorted.
            aim: the kind of target.

        Returns:
            Its first column.
        """
        parts = shares(weights)
        table = columns_of([*parts])
        columns = len(table.firsts)
        number = self.n_rows
        self.n_rows += 1
        order: Ints = np.empty(2 * columns, np.int64)
        order[0::2], order[1::2] = table.seconds, table.firsts
        both, mates = zip(*effects, strict=True)
        mine, theirs = zip(*both, strict=True)
        for vector, one in (
            (self.on_actor, mine), (self.on_target, theirs), (self.on_mates, mates)
        ):  # fmt: skip
            if any(one):
                vector.extend(np.array(one).take(order))
            else:
                vector.repeat(0, 2 * columns)
        self.aims.repeat(aim, columns)
        self.numbers.repeat(number, columns)
        self.shifts.repeat(table.shift, columns)
        self.shift = table.shift if self.shift in {-1, table.shift} else 0
        base = self.thresholds.extend(table.thresholds.view(np.int64))
        firsts = np.arange(2 * base + 1, 2 * (base + columns), 2) << HALF
        self.borrowing.extend(firsts + (table.thresholds >> _HALF).view(np.int64))
        edge = 0
        by_harm = sorted(range(len(parts)), key=harms.__getitem__)
        edges = []
        for outcome in by_harm:
            edge += parts[outcome]
            edges.append((number << HALF) + (edge >> HALF))
        self.places.extend([2 * (base + outcome) + 1 for outcome in by_harm])
        self.edges.extend(edges)
        return base

    def places_of(self, rows: Ints, drawn: Words, desk: Ints) -> Ints:
        """The place of an outcome for each row and draw.

        Args:
            rows: their first columns.
            drawn: a number of 64 bits for each.
            desk: two arrays to work in; what is found stands in one of them.
        """
        columns: Ints = desk[0]
        places: Ints = desk[1]
        self._columns_of(rows, drawn, columns)
        self.borrowing.now.take(columns, None, places, "clip")
        upper = np.right_shift(drawn, _HALF, out=columns.view(np.uint64)).view(np.int64)
        places -= upper
        if not places.view(np.uint32)[LOWER_AT::2].min():
            # Of some draws the upper half is that of the threshold: the lower one tells.
            some = np.flatnonzero(places & LOWER == 0)
            columns = np.empty(len(some), np.int64)
            self._columns_of(rows[some], drawn[some], columns)
            thresholds = self.thresholds.now.take(columns).view(np.uint64)
            places[some] -= (drawn[some] >= thresholds).astype(np.int64)
        places >>= HALF
        return places

    def _columns_of(self, rows: Ints, drawn: Words, columns: Ints) -> None:
        shift: Words | np.uint64 = np.uint64(self.shift)
        if not self.shift:
            shift = self.shifts.now.take(rows).view(np.uint64)
        np.right_shift(drawn, shift, out=columns.view(np.uint64))
        columns += rows
