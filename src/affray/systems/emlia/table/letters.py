"""The table as a drawing in letters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import cycle
from math import ceil, floor, hypot
from textwrap import wrap

from affray.core.errors import SetupError
from affray.systems.emlia.table.contact import contacts
from affray.systems.emlia.table.figures import corners, middle_of, parts, to_local
from affray.systems.emlia.table.placing import Area, Placement, Point, Table
from affray.systems.emlia.table.words import (
    area_told,
    arrow_of,
    bounds_of,
    described,
    plain,
    round_length,
    short,
    skirmish_told,
    touching_told,
)

__all__ = ["drawn", "letters"]

ROWS = 40
"""Most rows of a drawing in letters."""
CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
GROUND = "~%#+*^"
"""Signs of ground that does something, one area after another; beyond the last they start over."""


def letters(table: Table, width: int = 72, skirmishes: Sequence[frozenset[str]] = ()) -> str:
    """The table in letters: capital ones for the attacker, small ones for the defender.

    A letter is twice as high as it is wide. Below stand what each letter means, which enemies touch
    where, which units are in a skirmish, and how long a unit of length is.

    Raises:
        SetupError: no units; units that overlap; more than 26 units of a side; a width below 20.
    """
    touching = [contact for contact in contacts(table) if contact.hostile]
    signs = _signs(table)
    lines = _rows(table, width, signs)
    lines += [f"{signs[p.unit]}  {described(p)}" for p in table.placements]
    lines += [f"{signs[c.one]}-{signs[c.other]}  {touching_told(c)}" for c in touching]
    lines += [skirmish_told(table, names) for names in skirmishes]
    lines += [f"{sign}  {area_told(area)}" for sign, area in _ground(table)]
    return "\n".join(lines)


def drawn(table: Table, width: int, skirmishes: Sequence[frozenset[str]] = ()) -> str:
    """The table in letters for those who know its units: no line is longer than `width`.

    Raises:
        SetupError: as for `letters`.
    """
    signs = _signs(table)
    lines = _rows(table, width, signs)
    for place in table.placements:
        facing = "" if place.shape == "ring" else f" {arrow_of(place)}"
        lines += _broken(f"{signs[place.unit]}  {plain(place.unit)}{facing}", width)
    met = [f"{signs[c.one]}-{signs[c.other]}" for c in contacts(table) if c.hostile]
    if met:
        lines += _broken(f"in contact: {', '.join(dict.fromkeys(met))}", width)
    for names in skirmishes:
        inside = [signs[name] for name in table.units if name in names]
        lines += _broken(f"one skirmish: {', '.join(inside)}", width)
    for sign, area in _ground(table):
        lines += _broken(f"{sign}  {area_told(area)}", width)
    return "\n".join(lines)


def _broken(line: str, width: int) -> list[str]:
    return wrap(line, width, subsequent_indent="   ")


def _rows(table: Table, width: int, signs: Mapping[str, str]) -> list[str]:
    """The table itself, and its scale."""
    if width < 20:
        raise SetupError(f"width is {width}; allowed: 20 letters or more")
    west, south, east, north = bounds_of(table)
    smallest = min(min(placement.base, placement.depth) for placement in table.placements)
    across = min(
        width / max(east - west, smallest), 2 * ROWS / max(north - south, smallest), 2 / smallest
    )
    columns = min(width, max(1, ceil((east - west) * across - 1e-6)))
    rows = max(1, ceil((north - south) * across / 2 - 1e-6))
    grid = [["."] * columns for _ in range(rows)]
    for sign, ends, rim, covers in _marks(table, signs):
        xs, ys = zip(*ends, strict=True)
        left, right = ((x - west) * across for x in (min(xs) - rim, max(xs) + rim))
        top, bottom = ((north - y) * across / 2 for y in (max(ys) + rim, min(ys) - rim))
        for row in range(max(0, floor(top) - 1), min(rows, floor(bottom) + 2)):
            for column in range(max(0, floor(left) - 1), min(columns, floor(right) + 2)):
                # A bit beside the middle: edges often run through the middle of a letter.
                if covers((west + (column + 0.501) / across, north - (row + 0.501) * 2 / across)):
                    grid[row][column] = sign
    for placement in table.placements:
        x, y = middle_of(placement)
        row = min(rows - 1, max(0, floor((north - y) * across / 2)))
        column = min(columns - 1, max(0, floor((x - west) * across)))
        grid[row][column] = signs[placement.unit]  # a unit smaller than a letter shows as well
    lines = ["".join(row) for row in grid]
    long = round_length(min(24, columns) / across)
    dashes = max(1, round(long * across))
    scale = f"|{'-' * (dashes - 2)}|" if dashes > 1 else "-"
    return [*lines, "", f"{scale} {short(long)} {plain(table.length)}", ""]


def _marks(
    table: Table, signs: Mapping[str, str]
) -> Iterator[tuple[str, Sequence[Point], float, Callable[[Point], bool]]]:
    """Everything with an extent, what is drawn above it later.

    The sign, corners with a rim round them that it lies within, and whether it covers a point.
    """
    for sign, area in _ground(table):
        yield sign, area.corners, 0.0, partial(_is_in, area)
    for placement in table.placements:
        for part in parts(placement):
            covers = partial(_covers, part)
            yield signs[placement.unit], corners(part), part.ring_radius, covers


def _signs(table: Table) -> dict[str, str]:
    found: dict[str, str] = {}
    for side, alphabet in (("attacker", CAPITALS), ("defender", CAPITALS.lower())):
        units = [placement.unit for placement in table.placements if placement.side == side]
        if len(units) > len(alphabet):
            raise SetupError(
                f"{len(units)} units of the {side}; allowed for a drawing in letters: "
                f"{len(alphabet)} a side"
            )
        found.update(zip(units, alphabet, strict=False))
    return found


def _ground(table: Table) -> list[tuple[str, Area]]:
    """Areas of ground with their signs; where two overlap, the later one is drawn."""
    return list(zip(cycle(GROUND), table.terrain, strict=False))


def _is_in(area: Area, point: Point) -> bool:
    """A point lies within an area: on the same side of all its edges."""
    ends = zip(area.corners, (*area.corners[1:], area.corners[0]), strict=True)
    sides = [
        (x2 - x1) * (point[1] - y1) - (y2 - y1) * (point[0] - x1) for (x1, y1), (x2, y2) in ends
    ]
    return all(side > 0 for side in sides) or all(side < 0 for side in sides)


def _covers(placement: Placement, point: Point) -> bool:
    right, ahead = to_local(placement, point)
    if placement.shape == "ring":
        return hypot(right, ahead) <= placement.ring_radius
    half = placement.frontage / 2
    return -half <= right <= half and -placement.thickness <= ahead <= 0
