"""Duels whose exchanges are declared without the points that they can't get so far as to spend.

A fighter who may spend one point in an exchange does the same with five left as with one, except
that four remain. So the exchange is declared without these four, and the condition that it leads to
gets them back (`Hints.reserve`). Fighters with many points share exchanges with those who have few.
"""

from __future__ import annotations

from collections.abc import Hashable

from affray.engine.fight.contest import Contest
from affray.engine.fight.duels.places import PlacedDuelist

__all__ = ["ReservingDuelist"]


class ReservingDuelist(PlacedDuelist):
    """One fighter whose exchanges are declared without a reserve (`Hints.reserve`)."""

    def __init__(self, contest: Contest, side: int) -> None:
        self._spends_for = contest.spends_for
        super().__init__(contest, side)

    def known_as(self, condition: Hashable) -> Hashable:
        """A condition without its reserve; the same object if it has none."""
        reserve = self.hints.reserve
        if reserve is None:
            return condition
        known: Hashable = reserve.without(self.sheet, condition, self._spends_for)
        return condition if known == condition else known

    def _restored(self, after: Hashable, known: Hashable, whole: Hashable) -> Hashable:
        reserve = self.hints.reserve
        assert reserve is not None  # else both are the same
        restored: Hashable = reserve.restored(after, known, whole)
        return restored
