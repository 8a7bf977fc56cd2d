"""Ground on a table: what it costs to move through it, and which units are in it."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from affray.core.lazy import NamedTuple
from affray.core.step import cites
from affray.systems.emlia.table.figures import HAIR, boundary, corners, dot, parts
from affray.systems.emlia.table.placing import Area, Placement, Point, Table

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

__all__ = ["Stretch", "holds", "meets", "reach_of", "slows_at", "spent_on", "stretches"]


class Stretch(NamedTuple):
    """A part of a way through ground of one kind: where it begins and ends, and what it costs."""

    start: float
    end: float
    slows: float


@lru_cache(maxsize=1024)
@cites("EM-35", "EM-66")
def stretches(table: Table, own: Placement, heading: Point, way: float) -> tuple[Stretch, ...]:
    """A unit's way straight ahead in parts, from its start to its end.

    Ground slows a unit as long as any part of it is in there, by more than a hair.
    """
    slow = [area for area in table.terrain if area.slows > 1]
    found = [
        (span[0], span[1], area.slows)
        for area in slow
        if (span := _span(own, area, heading, way)) is not None
    ]
    ends = sorted({0.0, way, *[edge for low, high, _ in found for edge in (low, high)]})
    made = []
    for start, end in pairwise(ends):
        middle = (start + end) / 2
        slows = max([1.0, *[cost for low, high, cost in found if low < middle < high]])
        made.append(Stretch(start, end, slows))
    return tuple(made)


def _span(own: Placement, area: Area, heading: Point, way: float) -> tuple[float, float] | None:
    """From where to where along its way a unit is in an area; None: nowhere."""
    from shapely.geometry import LineString, MultiPoint

    hair = HAIR * min(own.base, own.depth)
    differences = MultiPoint([
        (x - mine[0], y - mine[1]) for x, y in area.corners for mine in corners(own)
    ]).convex_hull  # fmt: skip
    rim = own.ring_radius - hair
    join = "round" if rim > 0 else "mitre"
    figure = differences.buffer(rim, quad_segs=64, join_style=join)
    inside = LineString([(0, 0), (way * heading[0], way * heading[1])]).intersection(figure)
    if inside.is_empty or not inside.length:
        return None
    along = [dot(point, heading) for point in inside.coords]
    # The hair belongs to the area again: its edges are exact.
    low, high = max(0.0, min(along) - hair), min(way, max(along) + hair)
    return low, high


def spent_on(parts_of_way: tuple[Stretch, ...], way: float) -> float:
    """Movement that it takes to go so far."""
    return sum(max(0.0, min(way, end) - start) * slows for start, end, slows in parts_of_way)


def reach_of(parts_of_way: tuple[Stretch, ...], movement: float) -> float:
    """How far so much movement leads."""
    far = 0.0
    for start, end, slows in parts_of_way:
        cost = (end - start) * slows
        if cost > movement:
            return start + movement / slows
        movement, far = movement - cost, end
    return far


def _figure(placement: Placement) -> list[BaseGeometry]:
    return [boundary(part) for part in parts(placement)]


@cites("EM-32", "EM-66")
def meets(placement: Placement, area: Area) -> bool:
    """Some part of a unit stands in an area, not only at its edge."""
    from shapely.geometry import Polygon

    inside = Polygon(area.corners).buffer(
        -HAIR * min(placement.base, placement.depth), join_style="mitre"
    )
    return any(figure.intersects(inside) for figure in _figure(placement))


@cites("EM-20", "EM-21", "EM-66")
def slows_at(table: Table, placement: Placement) -> float:
    """The movement that a unit of length takes where a unit stands."""
    return max([1.0, *[area.slows for area in table.terrain
                       if area.slows > 1 and meets(placement, area)]])  # fmt: skip


@cites("EM-30", "EM-66")
def holds(placement: Placement, area: Area) -> bool:
    """All of a unit stands in an area."""
    from shapely.geometry import Polygon

    outside = Polygon(area.corners).buffer(
        HAIR * min(placement.base, placement.depth), join_style="mitre"
    )
    return all(figure.within(outside) for figure in _figure(placement))
