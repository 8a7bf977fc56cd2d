"""The table as a picture: an SVG that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from zlib import crc32

from affray.core.lazy import NamedTuple
from affray.core.step import cites
from affray.systems.emlia.table.contact import Contact, contacts
from affray.systems.emlia.table.figures import (
    boundary,
    corners,
    length,
    member_centers,
    parts,
)
from affray.systems.emlia.table.placing import Area, Placement, Point, Table
from affray.systems.emlia.table.words import (
    Box,
    area_told,
    bounds_of,
    described,
    plain,
    round_length,
    short,
    skirmish_told,
    table_told,
    title_of,
    touching_told,
)

__all__ = ["drawing"]

WIDE, TALL = 860.0, 560.0
"""Most that the units may take up, in points of the drawing."""
MOST_BASE = 44.0
"""A base is drawn no wider than that."""
MARGIN = 44.0
FOOT = 58.0
FONT = 14.0
LETTER = 0.66
"""Width of a letter in parts of its height, about."""

GROUND, INK, GREY, BOLD = "ground:#fbfaf7", "ink:#1c1c1c", "grey:#5a5a5a", "bold:#7a0045"
FILLS = {"attacker": "one:#f4b183", "defender": "other:#a6cee3"}
STROKES = {"attacker": "one-edge:#8a3b00", "defender": "other-edge:#0b4f7d"}
BADGES = {"attacker": "A", "defender": "D"}


class _Scale(NamedTuple):
    """The scale from the table to the drawing."""

    left: float
    top: float
    points: float

    def at(self, point: Point) -> Point:
        return (
            MARGIN + (point[0] - self.left) * self.points,
            MARGIN + (self.top - point[1]) * self.points,
        )


# -- SVG -----------------------------------------------------------------------------------


def drawing(table: Table, skirmishes: Sequence[frozenset[str]] = ()) -> str:
    """The table as an SVG document with its own ground, so it reads on light and dark pages.

    Attacker and defender differ by color, by hatching and outline, and by the letter of a badge.
    An arrow shows where a block faces. Contacts of enemies are drawn bold. A dashed line runs
    round each skirmish: the combined boundary of the units with these names.

    Raises:
        SetupError: no units; units that overlap.
    """
    touching = [contact for contact in contacts(table) if contact.hostile]
    west, south, east, north = bounds_of(table)
    smallest = min(placement.base for placement in table.placements)
    points = min(
        WIDE / max(east - west, smallest), TALL / max(north - south, smallest), MOST_BASE / smallest
    )
    scale = _Scale(west, north, points)
    width = max((east - west) * points + 2 * MARGIN, 520.0)
    scale = scale._replace(left=west - (width - 2 * MARGIN - (east - west) * points) / 2 / points)
    height = (north - south) * points + 2 * MARGIN + FOOT
    key = f"t{crc32(repr(table).encode()):08x}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(width)} {_n(height)}" '
        f'width="{_n(width)}" height="{_n(height)}" role="img" '
        f'aria-labelledby="{key}-title {key}-desc" font-family="system-ui, sans-serif" '
        f'font-size="{_n(FONT)}">',
        f'<title id="{key}-title">{_x(title_of(table))}</title>',
        f'<desc id="{key}-desc">{_x(table_told(table, touching, skirmishes))}</desc>',
        *_hatches(key),
        f'<rect width="{_n(width)}" height="{_n(height)}" rx="6" fill="{GROUND}" '
        f'stroke="{GREY}" stroke-width="1"/>',
        *[line for area in table.terrain for line in _ground(area, scale)],
        *[line for placement in table.placements for line in _unit(placement, scale, key)],
        *[line for names in skirmishes for line in _around(table, names, scale)],
        *_path(table, scale, key),
        *[_bold(contact, scale) for contact in touching],
        *_labels(table, scale, (width, height)),
        *_foot(table, points, (width, height), key),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _hatches(key: str) -> Iterator[str]:
    """Attackers get slanted lines, defenders dots."""
    yield "<defs>"
    yield (
        f'<pattern id="{key}-attacker" width="7" height="7" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><rect width="7" height="7" fill="{FILLS["attacker"]}"/>'
        f'<path d="M0 0V7" stroke="{STROKES["attacker"]}" stroke-width="1.6" '
        'stroke-opacity="0.55"/></pattern>'
    )
    yield (
        f'<pattern id="{key}-defender" width="8" height="8" patternUnits="userSpaceOnUse">'
        f'<rect width="8" height="8" fill="{FILLS["defender"]}"/>'
        f'<circle cx="4" cy="4" r="1.3" fill="{STROKES["defender"]}" fill-opacity="0.6"/>'
        "</pattern>"
    )
    yield (
        f'<marker id="{key}-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
        f'markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8Z" fill="{INK}"/></marker>'
    )
    yield "</defs>"


@cites("EM-66")
def _ground(area: Area, scale: _Scale) -> Iterator[str]:
    """An area of ground, dotted round its edge."""
    points = " ".join(f"{_n(x)},{_n(y)}" for x, y in map(scale.at, area.corners))
    yield (
        f'<polygon class="ground" points="{points}" fill="rough:#d9d2bd" fill-opacity="0.6" '
        f'stroke="{GREY}" stroke-width="1.5" stroke-dasharray="2 3">'
        f"<title>{_x(area_told(area))}</title></polygon>"
    )


@cites("EM-63")
def _around(table: Table, names: frozenset[str], scale: _Scale) -> Iterator[str]:
    """The combined boundary of a skirmish, a bit outside its units."""
    from shapely import union_all

    near = 4 / scale.points
    figures = [
        boundary(part).buffer(near)
        for placement in table.placements
        if placement.unit in names
        for part in parts(placement)
    ]
    outline = union_all(figures).buffer(near).buffer(-near)
    shapes = [outline] if outline.geom_type == "Polygon" else list(outline.geoms)
    for shape in shapes:
        points = " ".join(f"{_n(x)},{_n(y)}" for x, y in map(scale.at, shape.exterior.coords))
        yield (
            f'<polygon class="skirmish" points="{points}" fill="none" stroke="{INK}" '
            f'stroke-width="2" stroke-dasharray="8 5">'
            f"<title>{_x(skirmish_told(table, names))}</title></polygon>"
        )


def _unit(unit: Placement, scale: _Scale, key: str) -> Iterator[str]:
    """The boundary, the bases, and an arrow; those who have wrapped round an enemy apart."""
    for part in parts(unit):
        yield from _part(part, unit, scale, key)


def _part(placement: Placement, unit: Placement, scale: _Scale, key: str) -> Iterator[str]:
    """A block or a ring of a unit, turned as it faces."""
    x, y = scale.at((placement.x, placement.y))
    side, k = placement.side, scale.points
    outline = f'stroke="{STROKES[side]}" stroke-width="2"'
    if side == "defender":
        outline += ' stroke-dasharray="6 3"'
    yield (
        f'<g class="unit {side}" data-unit="{_x(unit.unit)}" transform="translate({_n(x)} {_n(y)}) '
        f'rotate({_n(placement.facing)})"><title>{_x(described(unit))}</title>'
    )
    if placement.shape == "ring":
        radius = placement.ring_radius * k
        yield f'<circle r="{_n(radius)}" fill="url(#{key}-{side})" fill-opacity="0.35" {outline}/>'
    else:
        wide, deep = placement.frontage * k, placement.thickness * k
        yield (
            f'<rect x="{_n(-wide / 2)}" y="0" width="{_n(wide)}" height="{_n(deep)}" '
            f'fill="{FILLS[side]}" fill-opacity="0.25" {outline}/>'
        )
    base, depth = placement.base * k, placement.depth * k
    inset = min(base, depth) * 0.06
    for right, ahead in member_centers(placement):
        yield (
            f'<rect class="member" x="{_n(right * k - base / 2 + inset)}" '
            f'y="{_n(-ahead * k - depth / 2 + inset)}" width="{_n(base - 2 * inset)}" '
            f'height="{_n(depth - 2 * inset)}" fill="url(#{key}-{side})" '
            f'stroke="{STROKES[side]}" stroke-width="0.8"/>'
        )
    if placement.shape == "block" and placement.members == unit.block:
        yield from _arrow(placement, k)
    yield "</g>"


def _arrow(placement: Placement, points: float) -> Iterator[str]:
    """From the middle of the block to its front edge."""
    deep = placement.thickness * points
    tip, half = 2.0, min(8.0, placement.frontage * points / 4)
    tail = max(min(deep - 3, 30.0), tip + 1.4 * half)
    path = (
        f"M0 {_n(tip)}L{_n(half)} {_n(tip + 1.4 * half)}H{_n(half / 3)}V{_n(tail)}"
        f"H{_n(-half / 3)}V{_n(tip + 1.4 * half)}H{_n(-half)}Z"
    )
    yield f'<path class="facing" d="{path}" fill="{INK}" stroke="{GROUND}" stroke-width="1.5"/>'


def _path(table: Table, scale: _Scale, key: str) -> Iterator[str]:
    if table.path:
        points = " ".join(f"{_n(x)},{_n(y)}" for x, y in map(scale.at, table.path))
        yield (
            f'<polyline class="path" points="{points}" fill="none" stroke="{INK}" '
            f'stroke-width="2" stroke-dasharray="2 4" marker-end="url(#{key}-arrow)"/>'
        )


def _bold(contact: Contact, scale: _Scale) -> str:
    """A contact of two units: a bold line, or a spot."""
    start, end = map(scale.at, contact.stretch)
    title = f"<title>{_x(touching_told(contact))}</title>"
    if length(start, end) < 1:
        return (
            f'<circle class="contact" cx="{_n(start[0])}" cy="{_n(start[1])}" r="5" '
            f'fill="{BOLD}" stroke="{GROUND}" stroke-width="1.5">{title}</circle>'
        )
    return (
        f'<line class="contact" x1="{_n(start[0])}" y1="{_n(start[1])}" x2="{_n(end[0])}" '
        f'y2="{_n(end[1])}" stroke="{BOLD}" stroke-width="6" stroke-linecap="round">{title}</line>'
    )


def _labels(table: Table, scale: _Scale, size: tuple[float, float]) -> Iterator[str]:
    """Badge and name of each unit, beside it where nothing else stands; else on it."""
    boxes = [_box(placement, scale) for placement in table.placements]
    taken: list[Box] = []
    for placement, own in zip(table.placements, boxes, strict=True):
        others = [box for box in boxes if box != own] + taken
        wide = len(placement.unit) * FONT * LETTER + FONT * 1.7
        box = _room(own, wide, others, size)
        taken.append(box)
        yield from _label(placement, box)


def _room(own: Box, wide: float, others: list[Box], size: tuple[float, float]) -> Box:
    left, top, right, bottom = own
    across, down, high = (left + right) / 2, (top + bottom) / 2, FONT * 1.5
    spots = (
        (across - wide / 2, top - high - 5), (across - wide / 2, bottom + 5),
        (left - wide - 6, down - high / 2), (right + 6, down - high / 2),
        (across - wide / 2, down - high / 2),
    )  # fmt: skip
    found = [(x, y, x + wide, y + high) for x, y in spots]
    for box in found:
        inside = box[0] >= 2 and box[1] >= 2 and box[2] <= size[0] - 2
        if inside and box[3] <= size[1] - FOOT and not any(_meet(box, other) for other in others):
            return box
    return found[-1]


def _label(placement: Placement, box: Box) -> Iterator[str]:
    x, y, half = box[0] + FONT * 0.75, (box[1] + box[3]) / 2, FONT * 0.68
    stroke = STROKES[placement.side]
    if placement.side == "attacker":
        yield (
            f'<rect x="{_n(x - half)}" y="{_n(y - half)}" width="{_n(2 * half)}" '
            f'height="{_n(2 * half)}" fill="{stroke}" stroke="{GROUND}" stroke-width="1.5"/>'
        )
    else:
        yield (
            f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(half)}" fill="{stroke}" '
            f'stroke="{GROUND}" stroke-width="1.5"/>'
        )
    yield (
        f'<text x="{_n(x)}" y="{_n(y + FONT * 0.3)}" font-size="{_n(FONT * 0.85)}" '
        f'font-weight="700" text-anchor="middle" fill="badge:#ffffff">'
        f"{BADGES[placement.side]}</text>"
    )
    yield (
        f'<text class="name" x="{_n(box[0] + FONT * 1.7)}" y="{_n(y + FONT * 0.35)}" '
        f'font-weight="600" fill="{INK}" stroke="{GROUND}" stroke-width="4" '
        f'stroke-linejoin="round" paint-order="stroke">{_x(placement.unit)}</text>'
    )


def _foot(table: Table, points: float, size: tuple[float, float], key: str) -> Iterator[str]:
    """A legend of the colors, and a scale bar."""
    y, x = size[1] - 24, 20.0
    for side in ("attacker", "defender"):
        dashes = ' stroke-dasharray="6 3"' if side == "defender" else ""
        yield (
            f'<rect x="{_n(x)}" y="{_n(y - 13)}" width="20" height="16" '
            f'fill="url(#{key}-{side})" stroke="{STROKES[side]}" stroke-width="2"{dashes}/>'
        )
        words = f"{BADGES[side]} {side}"
        yield f'<text x="{_n(x + 27)}" y="{_n(y)}" fill="{INK}">{words}</text>'
        x += 45 + len(words) * FONT * LETTER
    yield (
        f'<line x1="{_n(x)}" y1="{_n(y - 5)}" x2="{_n(x + 22)}" y2="{_n(y - 5)}" '
        f'stroke="{BOLD}" stroke-width="6" stroke-linecap="round"/>'
    )
    yield f'<text x="{_n(x + 31)}" y="{_n(y)}" fill="{INK}">in contact</text>'
    long = round_length(140 / points)
    end = size[0] - 24
    start = end - long * points
    yield (
        f'<path class="scale" d="M{_n(start)} {_n(y - 6)}V{_n(y + 2)}H{_n(end)}V{_n(y - 6)}" '
        f'fill="none" stroke="{INK}" stroke-width="2"/>'
    )
    yield (
        f'<text x="{_n((start + end) / 2)}" y="{_n(y - 8)}" text-anchor="middle" '
        f'fill="{INK}">{short(long)} {_x(table.length)}</text>'
    )


# -- lengths -------------------------------------------------------------------------------


def _box(placement: Placement, scale: _Scale) -> Box:
    rim = placement.ring_radius * scale.points
    found = [scale.at(corner) for part in parts(placement) for corner in corners(part)]
    across, down = [x for x, _ in found], [y for _, y in found]
    return min(across) - rim, min(down) - rim, max(across) + rim, max(down) + rim


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _x(words: str) -> str:
    """Words as text of an XML document."""
    from html import escape  # only where somebody looks

    return escape(plain(words))


def _n(number: float) -> str:
    return f"{round(number, 2) + 0.0:.2f}".rstrip("0").rstrip(".")
