"""Line of Sight between Zones: straight lines between aim dots, and black and green lines."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from affray.core.ruling import Rulings
from affray.core.step import cites
from affray.systems.empty_earth import rulings as rule
from affray.systems.empty_earth.map.geometry import Lie, Point, lie_of
from affray.systems.empty_earth.map.zones import Map
from affray.systems.empty_earth.tables import STOPS_SIGHT

__all__ = ["WORST", "best_dots", "line_between"]

WORST: tuple[Lie, ...] = ("clear", "touches", "runs_along", "blocked")
"""Ways to lie to walls, the worst last: where a reading sees past one, it sees past those before
it too."""


@cites("EE-12", "EE-13")
def line_between(chart: Map, one: str, other: str, rulings: Rulings) -> Lie:
    """How the line between the aim dots of two Zones lies to black and green walls.

    Several dots make several lines; the best of them counts, or the worst (A-9c).
    """
    if one == other:
        return "clear"
    ends = best_dots(chart, one, other, rulings)
    return _lie(chart, *ends, joined=rulings[rule.JOINTS] == "joined")


def best_dots(chart: Map, one: str, other: str, rulings: Rulings) -> tuple[Point, Point]:
    """The aim dots of two Zones whose line counts; the first ones among equals."""
    joined = rulings[rule.JOINTS] == "joined"
    pick = min if rulings[rule.DOTS] == "any" else max
    return pick(
        product(chart.of(one).dots, chart.of(other).dots),
        key=lambda ends: WORST.index(_lie(chart, *ends, joined=joined)),
    )


@lru_cache(maxsize=4096)
def _lie(chart: Map, one: Point, other: Point, *, joined: bool) -> Lie:
    """The lie of one straight line; lines of the map hang together, or each counts by itself."""
    walls = [line.pieces for line in chart.lines if STOPS_SIGHT[line.color]]
    if joined:
        return lie_of(one, other, [piece for wall in walls for piece in wall])
    return max((lie_of(one, other, wall) for wall in walls), key=WORST.index, default="clear")
