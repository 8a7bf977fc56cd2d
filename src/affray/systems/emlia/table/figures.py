"""Figures of units on a table: their corners, how far apart they are, when one runs into another.

Blocks and circles are convex, so one figure answers every question about two units: all
differences between a place in the other and a place in the one. Where that figure leaves
out the origin, its nearest point says how far apart the two are and in which direction;
where it holds the origin, the way out of it says how deeply they overlap.

Two units touch that are less than `HAIR` of a base apart, or that overlap by less: positions read
off a ruler are never exact. Everything else is as exact as floats are.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, hypot, inf, pi, radians, sin
from typing import TYPE_CHECKING

from affray.core.sheet import replace
from affray.core.step import cites
from affray.systems.emlia.table.placing import Placement, Point, ring_layers

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

__all__ = [
    "HAIR", "boundary", "corners", "direction", "dot", "first_touch",
    "gap_between", "hair_of", "is_deep", "length", "member_centers", "middle_of", "overlap",
    "parts", "to_local", "to_table", "touches", "towards",
]  # fmt: skip

HAIR = 1 / 1000
"""Part of the smallest edge of two units' bases up to which they still touch."""


@lru_cache(maxsize=4096)
@cites("EM-21")
def parts(placement: Placement) -> tuple[Placement, ...]:
    """The block of a unit, then each member who stands apart from it, as a unit of one."""
    if not placement.around:
        return (placement,)
    alone = [
        replace(placement, x=x, y=y, facing=facing, files=1, members=1, around=())
        for x, y, facing in placement.around
    ]
    return (replace(placement, members=placement.block, around=()), *alone)


@lru_cache(maxsize=4096)
def corners(placement: Placement) -> tuple[Point, ...]:
    """Corners of a block clockwise from the left end of its front; of a ring its center."""
    if placement.shape == "ring":
        return ((placement.x, placement.y),)
    half, back = placement.frontage / 2, -placement.thickness
    local = ((-half, 0.0), (half, 0.0), (half, back), (-half, back))
    return tuple([to_table(placement, point) for point in local])


@cites("EM-10")
def boundary(placement: Placement) -> BaseGeometry:
    """The boundary as a figure of shapely; a circle gets 256 corners, for drawings only."""
    # shapely takes as long to import as all the rest; a fight without a table never needs it.
    from shapely.geometry import Point as Spot
    from shapely.geometry import Polygon

    if placement.shape == "ring":
        return Spot(placement.x, placement.y).buffer(placement.ring_radius, quad_segs=64)
    return Polygon(corners(placement))


@cites("EM-22")
def member_centers(placement: Placement) -> tuple[Point, ...]:
    """The middle of each member's base: x to the unit's right, y ahead of its front.

    For a ring, from its center: in circles round it, pushed together where it is narrow.
    """
    if placement.shape == "block":
        base, depth, front = placement.base, placement.depth, placement.front
        left = -placement.frontage / 2
        return tuple([
            (left + (n % front + 0.5) * base, -(n // front + 0.5) * depth)
            for n in range(placement.block)
        ])  # fmt: skip
    layers = ring_layers(placement.members)
    half = hypot(placement.base, placement.depth) / 2
    step = max(placement.ring_radius - half, 0.0) / max(len(layers) - 1, 1)
    step = min(step, 2 * half)
    return tuple([
        (layer * step * sin(2 * pi * n / members), layer * step * cos(2 * pi * n / members))
        for layer, members in enumerate(layers)
        for n in range(members)
    ])  # fmt: skip


def middle_of(placement: Placement) -> Point:
    """The middle of a unit."""
    if placement.shape == "ring":
        return placement.x, placement.y
    return to_table(placement, (0.0, -placement.thickness / 2))


@cites("EM-10")
def overlap(one: Placement, other: Placement) -> float:
    """Distance that one of two units has to move until they only touch; 0 for units apart."""
    return max(0.0, -gap_between(one, other))


@lru_cache(maxsize=4096)
def gap_between(one: Placement, other: Placement) -> float:
    """Distance between two units; below 0: the depth of their overlap."""
    from shapely.geometry import Point as Spot

    figure, rim = _differences(one, other)
    away: float = figure.distance(Spot(0, 0))
    if away or figure.geom_type != "Polygon":
        return away - rim
    return -float(figure.exterior.distance(Spot(0, 0))) - rim


def direction(one: Placement, other: Placement) -> Point:
    """From the one to the nearest point of the other."""
    from shapely.geometry import Point as Spot
    from shapely.ops import nearest_points

    nearest = nearest_points(_differences(one, other)[0], Spot(0, 0))[0]
    return towards((0.0, 0.0), (nearest.x, nearest.y))


def touches(one: Placement, other: Placement) -> bool:
    """Two units touch if they are at most a hair apart."""
    return gap_between(one, other) <= hair_of(one, other)


def is_deep(one: Placement, other: Placement) -> bool:
    """Two units overlap if they do so by more than a hair."""
    return gap_between(one, other) < -hair_of(one, other)


def hair_of(one: Placement, other: Placement) -> float:
    """The gap or overlap of two units that still counts as touching."""
    return HAIR * min(one.base, one.depth, other.base, other.depth)


def first_touch(one: Placement, other: Placement, heading: Point, way: float) -> float | None:
    """Distance that the one covers until it runs into the other; None: it doesn't.

    Passing by and touching is not running into: that takes more than half a hair. `way` may be
    `inf`.
    """
    figure, rim = _differences(one, other)
    return _way_to(figure, rim, hair_of(one, other) / 2, (heading, way))


def _way_to(
    figure: BaseGeometry, rim: float, hair: float, line: tuple[Point, float]
) -> float | None:
    """Length of a line from the origin until it meets a convex figure with a rim round it."""
    from shapely.geometry import LineString
    from shapely.geometry import Point as Spot
    from shapely.ops import nearest_points

    heading, way = line
    origin = Spot(0, 0)
    if way == inf:
        way = float(figure.hausdorff_distance(origin)) + rim
    if not way:
        return None
    along = LineString([(0, 0), (way * heading[0], way * heading[1])])
    if rim > hair:
        enters = along.distance(figure) < rim - hair
    else:
        enters = along.intersects(figure.buffer(-hair, join_style="mitre"))
    if not enters:
        return None
    inside = along.intersection(figure)
    if not rim:
        return float(inside.distance(origin))
    if figure.distance(origin) <= rim:
        return 0.0
    # Up to the nearest place of the line, the distance only falls.
    nearest = nearest_points(along, figure)[0] if inside.is_empty else inside.centroid
    low, high = 0.0, hypot(nearest.x, nearest.y)
    for _ in range(64):
        between = (low + high) / 2
        away = figure.distance(Spot(between * heading[0], between * heading[1]))
        low, high = (between, high) if away > rim else (low, between)
    return high


@lru_cache(maxsize=4096)
def _differences(one: Placement, other: Placement) -> tuple[BaseGeometry, float]:
    """All differences of a place in the other and one in the one: a figure, and a rim round it."""
    from shapely.geometry import MultiPoint

    figure = MultiPoint([
        (theirs[0] - mine[0], theirs[1] - mine[1])
        for theirs in corners(other)
        for mine in corners(one)
    ]).convex_hull  # fmt: skip
    return figure, one.ring_radius + other.ring_radius


def dot(one: Point, other: Point) -> float:
    """The length of one step along another one of length 1."""
    return one[0] * other[0] + one[1] * other[1]


def towards(start: Point, end: Point) -> Point:
    """The direction from one point to another, as a step of length 1; none leads up the table."""
    x, y = end[0] - start[0], end[1] - start[1]
    far = hypot(x, y)
    return (x / far, y / far) if far else (0.0, 1.0)


def length(start: Point, end: Point) -> float:
    """Distance from one point to another."""
    return hypot(end[0] - start[0], end[1] - start[1])


def _axes(placement: Placement) -> tuple[Point, Point]:
    """Steps of length 1 to the unit's right, and ahead."""
    angle = radians(placement.facing)
    return (cos(angle), -sin(angle)), (sin(angle), cos(angle))


def to_table(placement: Placement, local: Point) -> Point:
    """The place on the table of a point in the unit's own terms; the inverse of `to_local`."""
    right, ahead = _axes(placement)
    return (
        placement.x + local[0] * right[0] + local[1] * ahead[0],
        placement.y + local[0] * right[1] + local[1] * ahead[1],
    )


def to_local(placement: Placement, point: Point) -> Point:
    """A point in the unit's own terms: right of the middle of its front edge, and ahead of it."""
    right, ahead = _axes(placement)
    off = (point[0] - placement.x, point[1] - placement.y)
    return dot(off, right), dot(off, ahead)
