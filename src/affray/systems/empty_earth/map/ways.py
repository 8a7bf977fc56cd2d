"""From Zone to Zone: which ones border on each other, which way is open, how far they are."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from affray.core.ruling import Rulings
from affray.core.step import cites
from affray.systems.empty_earth import rulings as rule
from affray.systems.empty_earth.map.geometry import corners_meet, gaps, shared
from affray.systems.empty_earth.map.zones import Map
from affray.systems.empty_earth.tables import STOPS_SIGHT

__all__ = ["bordering", "distance", "open_to"]

Neighbors = Mapping[str, tuple[str, ...]]


@cites("EE-11")
def bordering(chart: Map, rulings: Rulings) -> Neighbors:
    """For each Zone the Zones that border on it (A-10b)."""
    return _bordering(chart, corners=rulings[rule.CORNERS] == "border")


@lru_cache(maxsize=64)
def _bordering(chart: Map, *, corners: bool) -> Neighbors:
    touch = corners_meet if corners else shared
    return {
        zone.name: tuple([
            other.name
            for other in chart.zones
            if other != zone and touch(zone.outline, other.outline)
        ])
        for zone in chart.zones
    }  # fmt: skip


def open_to(chart: Map, rulings: Rulings) -> Neighbors:
    """For each Zone those that one can walk to: no wall covers the whole border (A-10c)."""
    return _open(chart, green=rulings[rule.WALLS] == "both")


@lru_cache(maxsize=64)
def _open(chart: Map, *, green: bool) -> Neighbors:
    stops = [line for line in chart.lines if STOPS_SIGHT[line.color]]
    walls = [
        piece for line in stops if green or line.color != "green" for piece in line.pieces
    ]  # fmt: skip
    return {
        zone.name: tuple([
            other.name
            for other in chart.zones
            if other != zone
            and any(gaps(border, walls) for border in shared(zone.outline, other.outline))
        ])
        for zone in chart.zones
    }  # fmt: skip


@cites("EE-11")
def distance(neighbors: Neighbors, one: str, other: str) -> int | None:
    """How many Zones away another one is, 0 for the same; None: no way leads there."""
    reached, front, steps = {one}, {one}, 0
    while other not in reached:
        front = {there for here in front for there in neighbors[here]} - reached
        if not front:
            return None
        reached |= front
        steps += 1
    return steps
