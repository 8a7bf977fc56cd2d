"""Hexes: how far apart they are, and which of them lie between two centers.

Rows lie level, odd rows half a hex to the right of even ones. A hex is named by axial coordinates:
`q` along its row, `r` the number of the row. So that centers and corners are whole numbers, lengths
across are counted in half widths and lengths up in half sides:

           (0, 2)
    (-1, 1)      (1, 1)        the corners of a hex around its center;
    (-1,-1)      (1,-1)        the center of (q, r) lies at (2q + r, 3r)
           (0,-2)

Left and right are those of a drawing with its rows counted upwards. Everything is decided by
the signs of whole numbers: nothing is sampled, nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import groupby
from typing import Literal, get_args

from affray.core.errors import SetupError
from affray.core.lazy import NamedTuple
from affray.core.step import cites

__all__ = [
    "LAYOUTS", "Hex", "Layout", "Line", "distance", "from_label", "is_clear", "is_set_back",
    "line", "neighbors", "to_label",
]  # fmt: skip

Layout = Literal["rows-right", "rows-left", "columns-down", "columns-up"]
"""The odd rows of a map lie half a hex to the right or left of the even ones, or its odd columns
half a hex down or up. Maps with columns are maps with rows seen in a mirror along the diagonal: the
same hexes are neighbors, and the same lines are clear."""
LAYOUTS: tuple[Layout, ...] = get_args(Layout)


class Hex(NamedTuple):
    """One hex: its place in its row, and the row."""

    q: int
    r: int


class Line(NamedTuple):
    """The hexes between two centers; those at both ends are left out.

    Attributes:
        crossed: hexes whose inside it runs through: crossed to whichever side it is shifted.
        sides: for each place, in order from the start, where it runs along an edge or touches a
            corner: the hexes on its left and those on its right. At a corner one side is empty.
    """

    crossed: frozenset[Hex]
    sides: tuple[tuple[frozenset[Hex], frozenset[Hex]], ...]


_AROUND = (Hex(1, 0), Hex(0, 1), Hex(-1, 1), Hex(-1, 0), Hex(0, -1), Hex(1, -1))


@cites("GB-60")
def distance(one: Hex, other: Hex) -> int:
    """Count the steps from hex to hex that lead from one to the other."""
    q, r = other.q - one.q, other.r - one.r
    return max(abs(q), abs(r), abs(q + r))


def neighbors(hex_: Hex) -> tuple[Hex, ...]:
    """The six hexes around one, counted from the next in its row towards higher rows."""
    return tuple([Hex(hex_.q + q, hex_.r + r) for q, r in _AROUND])


@cites("GB-61", "GB-64", "GB-66")
@lru_cache(maxsize=65536)
def line(one: Hex, other: Hex) -> Line:
    """Find the hexes that the straight line between two centers crosses and touches."""
    found = _from_origin(other.q - one.q, other.r - one.r)
    if one == (0, 0):
        return found
    sides = tuple([(_moved(left, one), _moved(right, one)) for left, right in found.sides])
    return Line(_moved(found.crossed, one), sides)


@cites("GB-66")
def is_clear(line: Line, is_free: Callable[[Hex], bool], *, whole: bool) -> bool:
    """Decide whether nothing on a line is in the way.

    Args:
        line: what lies between the two hexes.
        is_free: whether a hex lets the line through.
        whole: where two sides count, all left sides or all right sides must be free, as if the
            whole line were shifted; if not, one free side at each place is enough.
    """
    if not all(is_free(hex_) for hex_ in line.crossed):
        return False
    free = [(_all(left, is_free), _all(right, is_free)) for left, right in line.sides]
    if whole:
        return all(left for left, _ in free) or all(right for _, right in free)
    return all(left or right for left, right in free)


def from_label(label: str, layout: Layout = "rows-right") -> Hex:
    """The hex of a label: two digits of the column, two of the row ("0201": column 2, row 1).

    Args:
        label: four digits.
        layout: how the hexes of the map lie.

    Raises:
        SetupError: anything but four digits.
    """
    if len(label) != 4 or not (label.isascii() and label.isdigit()):
        raise SetupError(
            f"hex {label!r}; allowed: four digits, two of the column and two of the row"
        )
    place, line_ = int(label[:2]), int(label[2:])
    if layout.startswith("columns"):
        place, line_ = line_, place
    return Hex(place - (line_ + _shifted_back(layout)) // 2, line_)


@lru_cache(maxsize=65536)
def to_label(hex_: Hex, layout: Layout = "rows-right") -> str:
    """The label of a hex: its column and its row, two digits each.

    Raises:
        SetupError: a column or a row that two digits can't tell.
    """
    column, row = hex_.q + (hex_.r + _shifted_back(layout)) // 2, hex_.r
    if layout.startswith("columns"):
        column, row = row, column
    if not (0 <= column < 100 and 0 <= row < 100):
        raise SetupError(f"hex in column {column}, row {row}; allowed: 0 to 99 for both")
    return f"{column:02}{row:02}"


def _shifted_back(layout: Layout) -> bool:
    """True where odd lines of hexes lie half a hex before even ones, not behind them."""
    return layout in {"rows-left", "columns-up"}


def is_set_back(line: int, layout: Layout) -> bool:
    """True for a row that begins half a hex farther right, a column half a hex farther down."""
    return line % 2 != _shifted_back(layout)


def _all(hexes: frozenset[Hex], is_free: Callable[[Hex], bool]) -> bool:
    return all(is_free(hex_) for hex_ in hexes)


def _moved(hexes: frozenset[Hex], by: Hex) -> frozenset[Hex]:
    return frozenset([Hex(hex_.q + by.q, hex_.r + by.r) for hex_ in hexes])


@lru_cache(maxsize=16384)
def _from_origin(q: int, r: int) -> Line:
    """The line from the center of (0, 0) to that of (q, r)."""
    across, up = 2 * q + r, 3 * r
    # The cross product with the line tells how far off a point lies, positive on the left. Corners
    # lie opposite each other, so a hex reaches as far to the left of its center as to the right.
    reach = max(abs(2 * across), abs(across + up), abs(across - up))
    crossed, touched = [], []
    for hex_ in _near(q, r, reach):
        # Hexes are met in the order of how far along the line their centers lie: each hex is what
        # is nearer to its center than to any other. Two that share an edge of it lie equally far.
        along = 3 * across * (2 * hex_.q + hex_.r) + up * 3 * hex_.r
        if not 0 < along < 3 * across * across + up * up:
            continue
        off = across * 3 * hex_.r - up * (2 * hex_.q + hex_.r)
        if abs(off) < reach:
            crossed.append(hex_)
        else:
            touched.append((along, off > 0, hex_))
    places = []
    for _, place in groupby(sorted(touched), key=lambda met: met[0]):
        met = tuple(place)
        left = frozenset([hex_ for _, is_left, hex_ in met if is_left])
        places.append((left, frozenset([hex_ for _, is_left, hex_ in met if not is_left])))
    return Line(frozenset(crossed), tuple(places))


def _near(q: int, r: int, reach: int) -> list[Hex]:
    """The hexes that the endless line through (0, 0) and (q, r) meets, in the rows between."""
    if r == 0:
        return [Hex(place, 0) for place in range(min(q, 0), max(q, 0) + 1)]
    across, sign = 2 * q + r, 1 if r > 0 else -1
    hexes, width = [], 6 * abs(r)  # the cross product changes by this much from hex to hex
    for row in range(min(r, 0), max(r, 0) + 1):
        middle = sign * 3 * row * (across - r)
        first, last = -((reach - middle) // width), (reach + middle) // width
        hexes += [Hex(place, row) for place in range(first, last + 1)]
    return hexes
