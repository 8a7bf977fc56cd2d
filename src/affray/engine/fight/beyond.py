"""What lies beyond the looks of exchanges, for each hidden part of the target.

Exchanges wait at a look until it is known what is hidden. Many wait at the same place, and many
hidden parts come to the same there. So a place is followed once for each hidden part, and what
lies beyond all looks of an exchange is a row that others share.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeAlias

from affray.core.node import At, Facts
from affray.engine.fight.blending import Ends, Look, Place
from affray.engine.fight.front import Several

__all__ = ["Beyond"]

Row: TypeAlias = tuple[Ends, ...]
"""What lies beyond each of some looks, for one hidden part."""
Rows: TypeAlias = tuple[list[Row], list[int]]
"""Different rows, and which of them each of some hidden parts has."""


class Beyond:
    """What lies beyond looks, as far as somebody has asked.

    Looks and their places are kept by those who ask: a place stands for itself.

    Args:
        ends_of: what a place comes to for a hidden part; the same ends are one.
        parted: a key of a hidden part at a place: parts with the same key come to the same there.
    """

    def __init__(
        self,
        ends_of: Callable[[Place, Hashable], Ends],
        parted: Callable[[At[Facts], Hashable], Hashable],
    ) -> None:
        self._ends_of, self._parted = ends_of, parted
        self._rows: dict[tuple[int, ...], dict[Several, Rows]] = {}
        self._same_rows: dict[tuple[int, ...], Row] = {}
        self._columns: dict[int, dict[Several, list[Ends]]] = {}
        self._by_part: dict[int, dict[Hashable, Ends]] = {}
        self._alike: dict[int, dict[Hashable, Ends]] = {}

    def rows(self, looks: Sequence[Look], several: Several) -> Rows:
        """What lies beyond some looks for each of these hidden parts; the same rows are one."""
        places = tuple([id(look.place) for look in looks])
        known = self._rows.setdefault(places, {})
        rows = known.get(several)
        if rows is None:
            columns = [self._each(look.place, several) for look in looks]
            numbers: dict[tuple[int, ...], int] = {}
            different: list[Row] = []
            which: list[int] = []
            for ids, row in zip(
                zip(*[map(id, column) for column in columns], strict=True),
                zip(*columns, strict=True),
                strict=True,
            ):
                number = numbers.setdefault(ids, len(different))
                if number == len(different):
                    different.append(self._same_rows.setdefault(ids, row))
                which.append(number)
            rows = known[several] = different, which
        return rows

    def _each(self, place: Place, several: Several) -> list[Ends]:
        """The ends of a place where a step looks at the hidden part, for each of these."""
        known = self._columns.setdefault(id(place), {})
        found = known.get(several)
        if found is None:
            by_part = self._by_part.setdefault(id(place), {})
            for part in several.parts:
                if part not in by_part:
                    by_part[part] = self._for(place, part)
            found = known[several] = [by_part[part] for part in several.parts]
        return found

    def _for(self, place: Place, part: Hashable) -> Ends:
        """The ends of a place for a hidden part."""
        if not isinstance(place, At):
            return self._ends_of(place, part)
        alike, key = self._alike.setdefault(id(place), {}), self._parted(place, part)
        ends = alike.get(key)
        if ends is None:
            ends = alike[key] = self._ends_of(place, part)
        return ends
