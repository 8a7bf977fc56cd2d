"""Places of an exchange at which something hidden is filled in."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from affray.core.node import At, Facts
from affray.core.unknown import Made, Unknown, filled
from affray.engine.fight.blending import OpenEnd, Place

__all__ = ["Filling"]


class Filling:
    """Fills in what is hidden of the target, or of whoever acts.

    Args:
        unknown: what stands in its place.
        pared: a place without what neither effects nor decisions need.
    """

    def __init__(self, unknown: Unknown, pared: Callable[[At[Facts]], At[Facts]]) -> None:
        self._unknown, self._pared = unknown, pared
        self._made: Made = {}

    def place(self, place: Place, part: Hashable) -> Place:
        """A place or an end with the hidden part known."""
        facts = filled(place.facts, part, self._made, self._unknown)
        return self._pared(At(place.step, facts)) if isinstance(place, At) else OpenEnd(facts)
