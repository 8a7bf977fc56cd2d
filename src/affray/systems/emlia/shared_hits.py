"""Allocations that differ in nothing but their hits, worked out in one go.

More hits buy the same portions as fewer, in the same order, up to the first portion that the fewer
could not pay for. From there on every number of hits goes its own way.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from affray.core.node import Node
from affray.systems.emlia.allocation import Spending
from affray.systems.emlia.harm import allocate_hits, allocated, looked_at
from affray.systems.emlia.state import Exchange, Pile

__all__ = ["allocations"]


def allocations() -> Callable[[Exchange], Node[Exchange]]:
    """`allocate_hits` for exchanges that differ in little but their hits (`Hints.several`)."""
    known: dict[Hashable, Body] = {}
    last: tuple[Hashable, Body] = None, Body()

    def allocate(x: Exchange) -> Node[Exchange]:
        nonlocal last
        pile = x.pile
        if pile is None or pile.sizes or not pile.hits or len(pile.targets) == 1:
            return allocate_hits.rule(x)  # it has begun already, or there is no way to share
        if x.held is not None and pile.why == "attack":
            x = looked_at(x)
        key = x.statuses, pile.targets, pile.focus, x.rulings
        if key != last[0]:  # mostly the same objects: quicker than to hash them
            last = key, known.setdefault(key, Body())
        return allocated(*last[1].spend(x, pile))

    return allocate


CHANGED = ("left", "turns", "wear", "points", "marked", "damage", "markers")
"""Lists of an allocation that portions change."""


class Noted(Spending):
    """An allocation that notes how far other numbers of hits come with it.

    Attributes:
        total: the hits at its start.
        below: from so many hits on one of the portions could be paid for that were too dear.
        noted: how it was after each portion.
    """

    def __init__(self, x: Exchange, pile: Pile) -> None:
        super().__init__(x, pile)
        self.total, self.below = pile.hits, 1 << 62
        self.noted: list[Noted] = []

    def affords(self, number: int) -> bool:
        """As by itself; portions that are too dear are noted."""
        if not self.left[number]:
            return False
        lacking = self.lacks(number)
        if lacking <= 0:
            return True
        self.below = min(self.below, self.total + lacking)
        return False

    def serve(self, number: int) -> None:
        """As by itself; noted unless somebody has to roll now."""
        super().serve(number)
        if not self.rolls:
            self.noted.append(self.again())

    def again(self) -> Noted:
        """A second one that goes on from here."""
        other: Noted = object.__new__(Noted)
        now = self.__dict__.copy()
        now["noted"] = []  # holding the list that holds it, it would be garbage in a circle
        for name in CHANGED:
            now[name] = now[name].copy()
        other.__dict__ = now
        return other

    def go_on(self, x: Exchange, pile: Pile) -> Noted:
        """A second one that goes on from here with as many more hits as this pile has."""
        other = self.again()
        other.x, other.pile = x, pile
        other.hits += pile.hits - self.total
        other.total = pile.hits
        return other


class Body:
    """How one body takes hits: the way of the most hits so far, portion by portion."""

    def __init__(self) -> None:
        self._known: tuple[int, list[Noted]] = (0, [])

    def spend(self, x: Exchange, pile: Pile) -> tuple[Spending, tuple[int, ...]]:
        """As `Spending.hurt`, from the last portion on that is the same for these hits."""
        hits = pile.hits
        most, known = self._known
        shared = len(known)
        while shared and not known[shared - 1].total <= hits < known[shared - 1].below:
            shared -= 1
        spending = known[shared - 1].go_on(x, pile) if shared else Noted(x, pile)
        among = spending.hurt_body()
        if hits > most:
            self._known = (hits, known[:shared] + spending.noted)
        return spending, among
