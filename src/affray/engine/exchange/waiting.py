"""Places that wait to be expanded."""

from __future__ import annotations

from heapq import heappop, heappush

from affray.core.errors import RulesError
from affray.core.node import At, Facts, Go, Step
from affray.core.system import System
from affray.engine.exchange.faults import unhashable_at
from affray.engine.exchange.finals import joined

__all__ = ["Waiting"]


class Waiting:
    """Places waiting to be expanded, by lap and by position in the book."""

    def __init__(self, places: dict[Step[Facts], int], trail: list[At[Facts] | Go[Facts]]) -> None:
        self.places = places
        self.waiting: dict[tuple[int, int], dict[int, dict[Facts, int]]] = {}
        self.order: list[tuple[int, int]] = []
        self.lap = 0
        self.here = -1
        self.trail = trail
        self.expanding: dict[Facts, int] = {}

    def layer(self, step: Step[Facts], total: int) -> dict[Facts, int]:
        """The facts that wait at a step, with weights over `total`."""
        place = self.places.get(step)
        if place is None:
            raise RulesError(f"a step leads to {step.name}, which the system doesn't list")
        key = (self.lap + (place <= self.here), place)
        layers = self.waiting.get(key)
        if layers is None:
            layers = self.waiting[key] = {}
            heappush(self.order, key)
        return layers.setdefault(total, {})

    def pop(self) -> tuple[int, dict[Facts, int]]:
        """The next step's facts, all weights over one total."""
        key = heappop(self.order)
        self.lap, self.here = key
        layers = self.waiting.pop(key)
        total, self.expanding = joined(layers)
        return total, self.expanding

    def check_hashable(self, system: System[Facts]) -> None:
        """Check what the steps said that were followed last, when hashing failed.

        Raises:
            RulesError: one says something that can't be hashed.
        """
        step = system.steps[self.here]
        for at in [At(step, facts) for facts in self.expanding] or self.trail:
            unhashable_at(system, *at)
