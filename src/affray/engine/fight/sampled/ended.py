"""Battles that are over, put aside."""

from __future__ import annotations

import numpy as np

from affray.core.lazy import NamedTuple
from affray.engine.fight.sampled.arrays import Bools, Ints

__all__ = ["Ended", "Past"]


class Ended(NamedTuple):
    """Battles that are over; in the order of their ids if they are paired, else in any.

    Attributes:
        words: of each side by fighter and kind of battle, as `layout` has them, with all damage
            taken since `tallies` were written.
        kinds: for each side of what kind each battle is; None: each is a kind of its own.
        tallies: what each fighter has done.
        stalled: which of them were still going on.
        rounds: of each battle, if they are paired.
        histogram: how many had how many rounds.
    """

    words: tuple[Ints, Ints]
    kinds: tuple[Ints, Ints] | None
    tallies: Ints
    stalled: Bools
    rounds: Ints
    histogram: Ints

    def by_id(self, ids: Ints) -> Ended:
        """The same battles in the order of their ids."""
        order = np.argsort(ids)
        words, kinds = self.words, self.kinds
        if kinds is None:
            words = words[0].take(order, axis=1), words[1].take(order, axis=1)
        else:
            kinds = kinds[0].take(order), kinds[1].take(order)
        return Ended(
            words,
            kinds,
            self.tallies.take(order, axis=1),
            self.stalled.take(order),
            self.rounds.take(order),
            self.histogram,
        )


class Past:
    """Battles that are over.

    Args:
        height: how much is known of a battle.
        total: how many battles there are in all.

    Attributes:
        rows: what is known of them; n: how many there are.
        rounds: how many rounds each had, if battles are put aside at once.
        histogram: how many had how many rounds.
    """

    def __init__(self, height: int, total: int) -> None:
        self.rows: Ints = np.empty((height, total), np.int64)
        self.rounds: Ints = np.empty(total, np.int64)
        self.histogram: Ints = np.zeros(64, np.int64)
        self.n = 0

    def count(self, number: int, n: int) -> None:
        """Count battles that are over after so many rounds."""
        while number >= len(self.histogram):
            self.histogram = np.append(self.histogram, np.zeros_like(self.histogram))
        self.histogram[number] += n

    def put(self, rows: Ints, number: int, some: Ints | None = None) -> None:
        """Put battles to the others, all or some of them, after so many rounds."""
        after = self.n + (rows.shape[1] if some is None else len(some))
        there = self.rows[:, self.n : after]
        if some is None:
            there[:] = rows
        else:
            for row, place in zip(rows, there, strict=True):
                row.take(some, None, place, "clip")
        self.rounds[self.n : after] = number
        self.n = after
