"""The table as a drawing in letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from math import ceil, floor, hypot
from textwrap import wrap

from affray.core.errors import SetupError
from affray.systems.emlia.table.contact import contacts
from affray.systems.emlia.table.figures import middle_of, parts, to_local
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
    grid, ground = [["."] * columns for _ in range(rows)], _ground(table)
    for row in range(rows):
        for column in range(columns):
            # A bit beside the middle: edges often run through the middle of a letter.
            point = (west + (column + 0.501) / across, north - (row + 0.501) * 2 / across)
            for sign, area in ground:
                if _is_in(area, point):
                    grid[row][column] = sign
            for placement in table.placements:
                if _covers(placement, point):
                    grid[row][column] = signs[placement.unit]
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


def _covers(unit: Placement, point: Point) -> bool:
    return any(_covers_part(part, point) for part in parts(unit))


def _covers_part(placement: Placement, point: Point) -> bool:
    right, ahead = to_local(placement, point)
    if placement.shape == "ring":
        return hypot(right, ahead) <= placement.ring_radius
    half = placement.frontage / 2
    return -half <= right <= half and -placement.thickness <= ahead <= 0
