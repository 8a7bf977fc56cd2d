"""A table in words: what stands where, who touches whom, and how far it reaches."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10

from affray.core.errors import SetupError
from affray.systems.emlia.table.contact import Contact
from affray.systems.emlia.table.figures import corners, parts
from affray.systems.emlia.table.placing import Area, Placement, Table

__all__ = ["Box", "area_told", "arrow_of", "bounds_of", "described", "plain", "round_length",
           "short", "skirmish_told", "table_told", "title_of", "touching_told"]  # fmt: skip

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

ARROWS = "↑↗→↘↓↙←↖"
"""One for each eighth of a turn, clockwise."""


def area_told(area: Area) -> str:
    """An area of ground: its name, and what it does."""
    told = [f"each length counts {short(area.slows)}"] if area.slows > 1 else []
    told += ["rough"] if area.rough else []
    told += [f"{area.cover} cover"] if area.cover != "none" else []
    told += [f"{area.concealment} concealment"] if area.concealment != "none" else []
    return f"{plain(area.name)}: {', '.join(told)}"


def skirmish_told(table: Table, names: frozenset[str]) -> str:
    """The units inside one combined boundary."""
    inside = [name for name in table.units if name in names]
    return f"One boundary: a skirmish of {', '.join(map(plain, inside))}"


def title_of(table: Table) -> str:
    """How many units stand on the table."""
    return f"{len(table.placements)} units on a table"


def table_told(table: Table, touching: list[Contact], skirmishes: Sequence[frozenset[str]]) -> str:
    """Everything on the table, in sentences."""
    units = [described(placement) for placement in table.placements]
    met = [touching_told(contact) for contact in touching] or ["No enemies touch"]
    met += [skirmish_told(table, names) for names in skirmishes]
    met += [area_told(area) for area in table.terrain]
    return ". ".join([*units, *met]) + "."


def described(placement: Placement) -> str:
    """A unit: its side, its members, how they stand."""
    name, side = plain(placement.unit), placement.side
    members = f"{placement.members} member{'s' if placement.members > 1 else ''}"
    if placement.shape == "ring":
        return f"{name}: {side}, {members} in a ring"
    ranks = placement.ranks
    rows = f"{placement.front} wide, {ranks} rank{'s' if ranks > 1 else ''}"
    apart = f", {len(placement.around)} round an enemy" if placement.around else ""
    return f"{name}: {side}, {members}, {rows}{apart}, facing {arrow_of(placement)}"


def arrow_of(placement: Placement) -> str:
    """Where a block faces, to the nearest eighth of a turn."""
    return ARROWS[round(placement.facing / 45) % 8]


def touching_told(contact: Contact) -> str:
    """Two units that touch: the side of each, and members in contact."""
    return (
        f"{plain(contact.one)} ({contact.side_of_one}, {contact.members_of_one}) touches "
        f"{plain(contact.other)} ({contact.side_of_other}, {contact.members_of_other})"
    )


def bounds_of(table: Table) -> Box:
    """West, south, east and north of everything on the table."""
    if not table.placements:
        raise SetupError("a table without units; allowed: at least one")
    found = [*table.path, *[corner for area in table.terrain for corner in area.corners]]
    for placement in table.placements:
        rim = placement.ring_radius
        for x, y in (corner for part in parts(placement) for corner in corners(part)):
            found += [(x - rim, y - rim), (x + rim, y + rim)]
    across, up = [x for x, _ in found], [y for _, y in found]
    return min(across), min(up), max(across), max(up)


def round_length(most: float) -> float:
    """The greatest of 1, 2, 5, 10, ... and of their tenths that is no more than this."""
    power = floor(log10(most))
    return max(
        part * 10.0**exponent
        for exponent in (power - 1, power)
        for part in (1, 2, 5)
        if part * 10.0**exponent <= most * (1 + 1e-9)
    )


def plain(words: str) -> str:
    """Words on one line; whatever can't be shown becomes a question mark."""
    return "".join(c if c.isprintable() else "?" for c in " ".join(words.split()))


def short(number: float) -> str:
    """A number without zeros at its end."""
    return f"{number:g}"
