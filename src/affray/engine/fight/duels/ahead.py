"""Who goes first in the rounds of a duel, for several ways to begin side by side.

It depends on a few kinds of conditions of either side, so a small table says it for all pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from affray.core.lazy import NamedTuple
from affray.engine.fight.duels.beginning import Leads

__all__ = ["Ahead", "AnyLeads", "ahead_of", "always", "by_pair", "kinds_of"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

AnyLeads: TypeAlias = "Leads | Floats | float"
"""How likely side one goes first in a round, by pair of conditions, or whatever they are."""


class Ahead(NamedTuple):
    """How likely side one goes first in a round.

    Attributes:
        table: by the kinds of conditions of both sides, and by way to begin.
        of: the kind of each condition.
    """

    table: Floats
    of: tuple[Ints, Ints]

    @property
    def n_ways(self) -> int:
        """The number of ways to begin."""
        return int(self.table.shape[2])

    def goes_first(self, place: int) -> Ahead:
        """How likely a side goes first, for side one (0) or side two (1)."""
        return self._replace(table=1 - self.table) if place else self

    def among(self, ids: tuple[Ints, Ints]) -> Ahead:
        """The same for some conditions of either side, in their order.

        Kinds that go first just as often against anybody are one.
        """
        table, of = self.table, []
        for side, (kinds, some) in enumerate(zip(self.of, ids, strict=True)):
            there, which = np.unique(kinds[some], return_inverse=True)
            table = table.take(there, axis=side)
            of.append(which.ravel())
        for side in (0, 1):
            rows, same = kinds_of(np.ascontiguousarray(np.moveaxis(table, side, 0)))
            if rows:
                table = np.moveaxis(np.array(rows), 0, side)
            of[side] = same[of[side]]
        return Ahead(np.ascontiguousarray(table), (of[0], of[1]))

    def by_pair(self, ways: Ints) -> Floats:
        """By pair of conditions, and by way to begin."""
        table = np.ascontiguousarray(self.table[:, :, ways])
        flat = self.of[0][:, None] * table.shape[1] + self.of[1]
        found: Floats = table.reshape(-1, len(ways)).take(flat, axis=0)
        return found


def ahead_of(leads: Sequence[AnyLeads], sizes: tuple[int, ...]) -> Ahead:
    """Who goes first, for several ways to begin.

    Args:
        leads: for each way.
        sizes: how many conditions either side has.
    """
    tables = [one for one in leads if isinstance(one, Leads)]
    if tables and all(isinstance(one, Leads | float) for one in leads):
        of = tables[0].of
        if all(mine is theirs for one in tables for mine, theirs in zip(one.of, of, strict=True)):
            shape = tables[0].table.shape
            rows = [
                one.table if isinstance(one, Leads) else np.full(shape, one)
                for one in leads
                if not isinstance(one, np.ndarray)
            ]
            return Ahead(np.stack(rows, -1), of)
    table = np.stack([np.broadcast_to(np.asarray(one), sizes) for one in leads], -1)
    return Ahead(table, (np.arange(sizes[0]), np.arange(sizes[1])))


def always(leads: AnyLeads) -> float | None:
    """How likely side one goes first in a round; None if that depends on conditions."""
    table = leads.table if isinstance(leads, Leads) else np.asarray(leads)
    first = table.flat[0]
    return float(first) if (table == first).all() else None


def by_pair(leads: Sequence[AnyLeads], sizes: tuple[int, ...]) -> Floats:
    """How likely side one goes first, by pair of conditions, as one number, and by way to begin.

    Args:
        leads: for each way.
        sizes: how many conditions either side has.
    """
    if len(leads) == 1 and (chance := always(leads[0])) is not None:
        return np.broadcast_to(chance, (sizes[0] * sizes[1], 1))
    every = [np.broadcast_to(np.asarray(one, float), sizes).ravel() for one in leads]
    return np.stack(every, -1)


def kinds_of(rows: NDArray[np.generic]) -> tuple[list[NDArray[np.generic]], Ints]:
    """The different rows of an array, and which of them each one is."""
    numbers: dict[bytes, int] = {}
    kinds: list[NDArray[np.generic]] = []
    which = np.empty(len(rows), np.int64)
    for place, row in enumerate(rows):
        which[place] = number = numbers.setdefault(row.tobytes(), len(kinds))
        if number == len(kinds):
            kinds.append(row)
    return kinds, which
