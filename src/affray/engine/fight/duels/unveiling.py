"""What veiled places of exchanges come to with a hidden part filled in.

A place is veiled at which a step looks at something hidden, or an end that depends on it. All else
is followed once; with each hidden part only these places are followed, and what leads to them is
put together anew.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from affray.core.node import At, Facts
from affray.core.unknown import Made, Unknown, filled

__all__ = ["Unveiling"]

Ints = NDArray[np.int64]


class Veiled(Protocol):
    """Places by number, some of them veiled; see `Grove`."""

    veils: list[tuple[int, ...]]

    def veiled(self, number: int, /) -> At[Facts] | Facts:
        """Where a step looks at a hidden part, or the facts of an end that look at it."""

    def onward(self, at: At[Facts], most: int, /) -> int:
        """The place that a place of the rules comes to."""

    def end(self, facts: Facts, /) -> int:
        """The place of an end."""

    def rebuilt(self, number: int, unveiled: Ints, /) -> int:
        """A place whose veiled ones come to these."""


class Unveiling:
    """Fills in what is hidden of the target, or of whoever acts.

    Args:
        unknown: what stands in place of the hidden part.
        parts: as in `Grove`.
    """

    def __init__(
        self,
        unknown: Unknown,
        parts: Callable[[At[Any], Hashable], Hashable] = lambda _, part: part,
    ) -> None:
        self._unknown, self._parts = unknown, parts
        self._made: Made = {}
        # What veiled places come to with a hidden part filled in: by both, by number.
        self._unveiled = np.full((1, 1), -1)
        self._row_of: dict[int, int] = {}
        self._column_of: dict[Hashable, int] = {}
        self._rows_of: dict[int, Ints] = {}  # of all veiled places to which one leads
        self._by_key: dict[tuple[int, Hashable], int] = {}

    def with_parts(
        self, grove: Veiled, number: int, parts: Sequence[Hashable], most: int
    ) -> list[int]:
        """The places of a grove to which a veiled one comes with hidden parts filled in."""
        veils = grove.veils[number]
        every = self._known_of(number, veils, parts)
        if (every < 0).any():
            for column, part in enumerate(parts):
                for row in np.flatnonzero(every[:, column] < 0).tolist():
                    every[row, column] = self._unveil(grove, veils[row], part, most)
        return [grove.rebuilt(number, now) for now in np.ascontiguousarray(every.T)]

    def _known_of(self, number: int, veils: Sequence[int], parts: Sequence[Hashable]) -> Ints:
        """What the veiled places to which one leads come to, as far as it is known: -1 if not."""
        rows = self._rows_of.get(number)
        if rows is None:
            numbers = [self._row_of.setdefault(veil, len(self._row_of)) for veil in veils]
            rows = self._rows_of[number] = np.array(numbers)
        columns = [self._column_of.setdefault(part, len(self._column_of)) for part in parts]
        have, need = self._unveiled.shape, (len(self._row_of), len(self._column_of))
        if any(n < size for n, size in zip(have, need, strict=True)):
            grown = np.full([2 * max(both) for both in zip(have, need, strict=True)], -1)
            grown[: have[0], : have[1]] = self._unveiled
            self._unveiled = grown
        found: Ints = self._unveiled[rows[:, None], columns]
        return found

    def _unveil(self, grove: Veiled, veil: int, part: Hashable, most: int) -> int:
        """What a veiled place comes to; it may still be veiled by what is hidden of the other."""
        there = grove.veiled(veil)
        if isinstance(there, At):
            key = veil, self._parts(there, part)
            if key not in self._by_key:
                facts = filled(there.facts, part, self._made, self._unknown)
                self._by_key[key] = grove.onward(At(there.step, facts), most)
            found = self._by_key[key]
        else:
            found = grove.end(filled(there, part, self._made, self._unknown))
        self._unveiled[self._row_of[veil], self._column_of[part]] = found
        return found
