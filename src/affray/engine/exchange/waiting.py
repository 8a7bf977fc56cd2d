"""Places that wait to be expanded."""

from __future__ import annotations

from fractions import Fraction
from heapq import heappop, heappush

from affray.core.errors import RulesError
from affray.core.node import At, Facts, Go, Step
from affray.core.system import System
from affray.engine.exchange.faults import unhashable_at
from affray.engine.exchange.finals import joined

__all__ = ["Places", "Waiting"]

Places = dict[Step[Facts], set[Facts]]
"""The facts of places, by step."""


class Waiting:
    """Places waiting to be expanded, by lap and by position in the book."""

    def __init__(self, places: dict[Step[Facts], int], trail: list[At[Facts] | Go[Facts]]) -> None:
        self.places = places
        self.waiting: dict[tuple[int, int], dict[int, dict[Facts, int]]] = {}
        self.order: list[tuple[int, int]] = []
        self.lap = 0
        self.here = -1
        self.trail = trail
        self._steps = tuple(places)
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

    def all_places(self) -> Places:
        """Every place that waits."""
        found: Places = {}
        for (_, place), layers in self.waiting.items():
            found.setdefault(self._steps[place], set()).update(*layers.values())
        return found

    def probability(self) -> float:
        """The probability that waits."""
        return sum(
            sum(rows.values()) / total
            for layers in self.waiting.values()
            for total, rows in layers.items()
        )

    def begun(self) -> dict[At[Facts], Fraction]:
        """The probability of each place that waits, exactly."""
        found: dict[At[Facts], Fraction] = {}
        for (_, place), layers in self.waiting.items():
            step = self._steps[place]
            for total, rows in layers.items():
                for facts, weight in rows.items():
                    at = At(step, facts)
                    found[at] = found.get(at, Fraction(0)) + Fraction(weight, total)
        return found

    def check_hashable(self, system: System[Facts]) -> None:
        """Check what the steps said that were followed last, when hashing failed.

        Raises:
            RulesError: one says something that can't be hashed.
        """
        step = system.steps[self.here]
        for at in [At(step, facts) for facts in self.expanding] or self.trail:
            unhashable_at(system, *at)
