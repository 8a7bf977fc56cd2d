"""Action cubes: what features and Abilities cost, and what can be paid for together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from affray.systems.empty_earth.sheet import Cubes, Feature

__all__ = ["bundles", "costs", "name_of", "spoken", "too_dear"]


def costs(features: Iterable[Feature]) -> Cubes:
    """Add up the cost of these features."""
    total = Cubes()
    for feature in features:
        total = total + feature.cost
    return total


def name_of(bundle: Sequence[Feature]) -> str:
    """Names of features taken together, joined by a plus; "none" for nothing."""
    return "+".join(feature.name for feature in bundle) or "none"


def bundles(features: Sequence[Feature], cubes: Cubes) -> Iterator[tuple[Feature, ...]]:
    """Every set of features that these cubes pay for; only a fool leaves a free one.

    First come those with everything that is free, the smallest first.
    """
    found = [
        bundle
        for size in range(len(features) + 1)
        for bundle in combinations(features, size)
        if cubes.covers(costs(bundle))
    ]
    free = [feature for feature in features if feature.is_free]
    yield from sorted(found, key=lambda bundle: not all(f in bundle for f in free))


def too_dear(features: Sequence[Feature], cubes: Cubes) -> tuple[tuple[str, str], ...]:
    """Features that these cubes don't pay for, each with the reason."""
    return tuple(
        (f.name, f"costs {spoken(f.cost)}; at hand: {spoken(cubes)}")
        for f in features
        if not cubes.covers(f.cost)
    )


def spoken(cubes: Cubes) -> str:
    """Cubes in words."""
    parts = [
        f"{n} {color}"
        for n, color in ((cubes.red, "red"), (cubes.blue, "blue"), (cubes.black, "black"))
        if n
    ]
    return ", ".join(parts) or "nothing"
