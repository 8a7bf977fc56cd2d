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

    def put(self, rows: Ints, number: int) -> None:
        """Put battles to the others, after so many rounds."""
        self._room(rows.shape[1], number)[:] = rows

    def put_some(self, rows: Ints, number: int, over: Bools, left: Ints) -> None:
        """Put the battles that are over to the others, after so many rounds.

        Args:
            rows: what is known of all battles.
            number: of rounds.
            over: which of them are over.
            left: is filled with what is known of those that go on.
        """
        gone, stay = over.nonzero()[0], (~over).nonzero()[0]
        # Row by row: each is gone through twice while it is in the cache of a processor.
        for row, place, kept in zip(rows, self._room(len(gone), number), left, strict=True):
            row.take(gone, None, place, "clip")
            row.take(stay, None, kept, "clip")

    def _room(self, n: int, number: int) -> Ints:
        """Room for so many battles more, which had so many rounds."""
        before, self.n = self.n, self.n + n
        self.rounds[before : self.n] = number
        return self.rows[:, before : self.n]
