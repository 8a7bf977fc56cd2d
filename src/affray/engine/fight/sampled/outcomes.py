"""The rows of all exchanges in one place, ready to be drawn from.

A row has columns in tables of `alias`, and each column has sixteen slices; a row is named by its
first slice. 16 bits of a draw tell a slice. Most slices lie wholly above or below the threshold of
their column, and so have one outcome. In a slice with a threshold another draw, of 64 bits, says
on which side of it the first one fell. So probabilities are as exact as those of the tables, and
most outcomes cost 16 bits.

Each column has two places for outcomes: the second one at twice its number, the first one behind
it. So the place of a draw is that of the first one, less one where the draw is above the
threshold: a subtraction that borrows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from affray.engine.fight.sampled.alias import BITS, Alias, columns_of, shares
from affray.engine.fight.sampled.arrays import Drawn, Ints, Shorts, Vector, Words

__all__ = ["FOE", "FRIEND", "HALF", "OPEN", "SELF", "SLICED", "More", "Outcomes"]

HALF = 32
"""Bits of a draw that tell an outcome where battles are paired."""
SHORT = 16
"""Bits of a draw that are looked at first."""
LOWER = (1 << HALF) - 1
SLICED = 4
"""Bits of a draw that tell the slice of a column."""
MOST_SLICES = 1 << 18
"""Slices whose outcomes are kept: two megabytes, which the cache of a processor has room for."""
OPEN = -1
"""A slice in which a threshold lies."""
FOE, FRIEND, SELF = 0, 1, 2
"""The target of a deed: a foe, a friend, or the actor."""
More = Callable[[int], Words]
"""Draws so many numbers of 64 bits."""


class Outcomes:
    """Rows, by column; nothing is in the first column.

    Attributes:
        thresholds: as `alias` has them, without sign; parts: of its slice, below each threshold.
        borrowing: by column the place of its first outcome, above the slice of its threshold.
        shifts: of a draw, to get its column; shift: the same for all rows, or 0. aims: the kind
            of target. numbers: of the row.
        sliced: by slice the place of its outcome, or `OPEN`; None where there are too many.
        on_target, on_actor: effects by place; on_mates: what befalls mates of the target.
        edges, places: outcomes by row with more and more harm: up to which draw (the number of
            the row above 32 bits of it), and the place.
    """

    def __init__(self) -> None:
        self.thresholds, self.shifts, self.aims, self.numbers = (Vector() for _ in range(4))
        self.borrowing, self.parts = Vector(), Vector()
        self.sliced: Vector | None = Vector(1 << SLICED)
        self.on_target, self.on_actor, self.on_mates = Vector(2), Vector(2), Vector(2)
        self.edges, self.places = Vector(0), Vector(0)
        self.shift = -1
        self._shift_of_shorts = np.uint16(0)
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
            Its first slice.
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
        base = self.thresholds.extend(table.thresholds.view(np.int64))
        self._slice(base, table)
        edge = 0
        by_harm = sorted(range(len(parts)), key=harms.__getitem__)
        edges = []
        for outcome in by_harm:
            edge += parts[outcome]
            edges.append((number << HALF) + (edge >> HALF))
        self.places.extend([2 * (base + outcome) + 1 for outcome in by_harm])
        self.edges.extend(edges)
        return base << SLICED

    def _slice(self, base: int, table: Alias) -> None:
        """Enter the slices of thresholds, and the outcomes of the others, from a column on."""
        n, width = len(table.firsts), table.shift - SLICED
        places, firsts, each = _slices(n)
        slices = (table.thresholds >> np.uint64(width)).view(np.int64)
        parts = (table.thresholds << np.uint64(BITS - width)).view(np.int64)
        self.parts.extend(parts)
        # A threshold at the start of a column lies below all draws in it.
        slices -= (slices == firsts) & (parts == 0)
        self.borrowing.extend((places + (2 * base + 1) << HALF) + slices + (base << SLICED))
        fits = width >= BITS - SHORT and self.shift in {-1, table.shift}
        self.shift = table.shift if fits else 0
        self._shift_of_shorts = np.uint16(max(0, self.shift - SLICED - BITS + SHORT))
        if self.sliced is None or not fits or base + n > MOST_SLICES >> SLICED:
            self.sliced = None
            return
        found = (slices[:, None] > each) + (places + 2 * base)[:, None]
        found[slices[:, None] == each] = OPEN
        self.sliced.extend(found.ravel())

    def places_of(self, rows: Ints, drawn: Drawn, more: More, desk: Ints) -> Ints:
        """The place of an outcome for each row and draw.

        Args:
            rows: their first slices.
            drawn: 16 bits for each.
            more: draws more, where these are not enough.
            desk: two arrays to work in; what is found stands in one of them.
        """
        slices = self.slices_of(rows, drawn, desk[0])
        sliced = self.sliced
        if sliced is None:
            return self._compared(rows, slices, more, desk[1])
        places: Ints = sliced.now.take(slices, None, desk[1], "clip")
        some = np.flatnonzero(places < 0)
        if len(some):
            places[some] = self.decided(slices.take(some) >> SLICED, more)
        return places

    def slices_of(self, rows: Ints, drawn: Drawn, slices: Ints) -> Ints:
        """Work out the slice for each row and draw, in an array that is given."""
        shift: Shorts | np.uint16 = self._shift_of_shorts
        if not self.shift:
            shifts = self.shifts.now.take(rows >> SLICED) - (SLICED + BITS - SHORT)
            shift = np.maximum(shifts, 0).astype(np.uint16)
        np.add(rows, drawn >> shift, out=slices)
        return slices

    def decided(self, columns: Ints, more: More) -> Ints:
        """The places for draws that fell into the slices of the thresholds of columns."""
        parts = self.parts.now.take(columns).view(np.uint64)
        return 2 * columns + (more(len(columns)) < parts)

    def _compared(self, rows: Ints, slices: Ints, more: More, places: Ints) -> Ints:
        """The places for draws, each compared with the threshold of its column."""
        columns = slices >> SLICED
        self.borrowing.now.take(columns, None, places, "clip")
        places -= slices
        is_open = places & LOWER == 0
        places >>= HALF
        is_wide = None
        if not self.shift:
            # 16 bits don't tell the slice of a row with very many columns.
            is_wide = self.shifts.now.take(rows >> SLICED) < SLICED + BITS - SHORT
            is_open &= ~is_wide
        some = np.flatnonzero(is_open)
        if len(some):
            places[some] = self.decided(columns.take(some), more)
        if is_wide is not None and is_wide.any():
            places[is_wide] = self._drawn_anew(rows[is_wide] >> SLICED, more)
        return places

    def _drawn_anew(self, firsts: Ints, more: More) -> Ints:
        """The places for draws of 64 bits in rows that are given by their first columns."""
        drawn = more(len(firsts))
        columns = (drawn >> self.shifts.now.take(firsts).view(np.uint64)).view(np.int64) + firsts
        return 2 * columns + (drawn < self.thresholds.now.take(columns).view(np.uint64))


@cache
def _slices(n: int) -> tuple[Ints, Ints, Ints]:
    """For so many columns their second places, their first slices, and all of their slices."""
    columns = np.arange(n)
    return 2 * columns, columns << SLICED, np.arange(n << SLICED).reshape(n, -1)
