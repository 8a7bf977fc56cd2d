"""Engagement by geometry: contacts with their sides, members who fight, and ranges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from math import ceil, isclose, isfinite
from typing import Literal

from affray.core.errors import SetupError
from affray.core.lazy import NamedTuple
from affray.core.step import cites
from affray.systems.emlia.table.figures import (
    HAIR,
    boundary,
    corners,
    direction,
    gap_between,
    hair_of,
    length,
    overlap,
    parts,
    to_local,
    touches,
)
from affray.systems.emlia.table.placing import Placement, Point, Table

__all__ = [
    "AROUND",
    "SIDES",
    "Band",
    "Contact",
    "Edge",
    "Side",
    "band",
    "checked",
    "contact_of",
    "contacts",
    "distance",
    "edge_length",
    "engaged",
    "fighting",
    "fronts",
    "hostile",
    "two_of",
]  # fmt: skip

ROUNDING = 1e-9
"""Part of a range up to which a difference comes from rounding."""

Band = Literal["short", "medium", "long"]
Edge = Literal["front", "left", "right", "rear"]
Side = Literal["front", "flank", "rear"]

SIDES: Mapping[Edge, Side] = {"front": "front", "left": "flank", "right": "flank", "rear": "rear"}
"""The side that each edge of a block is."""
PENALTY: tuple[Side, ...] = ("front", "flank", "rear")
"""Sides, the least penalty first."""
AROUND: tuple[Edge, ...] = ("front", "right", "rear", "left")
"""Edges as they follow clockwise."""


@cites("EM-10", "EM-20", "EM-22")
class Contact(NamedTuple):
    """Two units that touch; a ring is touched on its front, wherever it is touched.

    Attributes:
        one, other: their names, as the table orders them.
        edge_of_one, edge_of_other: where each is touched; on a corner, the edge with the least
            penalty.
        members_of_one, members_of_other: how many members of each touch the other.
        stretch: ends of where they touch; the same point twice where they touch in a point.
        hostile: whether they are enemies.
    """

    one: str
    other: str
    edge_of_one: Edge
    edge_of_other: Edge
    members_of_one: int
    members_of_other: int
    stretch: tuple[Point, Point]
    hostile: bool

    @property
    def side_of_one(self) -> Side:
        """The side on which the one is touched."""
        return SIDES[self.edge_of_one]

    @property
    def side_of_other(self) -> Side:
        """The side on which the other is touched."""
        return SIDES[self.edge_of_other]

    def seen_from(self, unit: str) -> Contact:
        """The same contact with this unit as the one."""
        if unit == self.one:
            return self
        if unit != self.other:
            raise SetupError(
                f"{unit!r} has no part in a contact of {self.one!r} and {self.other!r}"
            )
        return Contact(
            self.other, self.one, self.edge_of_other, self.edge_of_one,
            self.members_of_other, self.members_of_one, self.stretch, self.hostile,
        )  # fmt: skip


@cites("EM-10", "EM-30")
def distance(table: Table, one: str, other: str) -> float:
    """Distance between the boundaries of two units; 0 for units that touch.

    Raises:
        SetupError: units that overlap.
        UnknownNameError: no such unit on this table.
    """
    checked(table)
    this, that = two_of(table, one, other)
    gap = min(gap_between(part, near) for part in parts(this) for near in parts(that))
    return 0.0 if gap <= hair_of(this, that) else gap


@cites("EM-30")
def band(distance: float, short: float, medium: float, longest: float) -> Band | None:
    """The range band of a distance, edges included; None beyond the longest range.

    Raises:
        SetupError: edges that are no numbers or don't grow.
    """
    if not (all(map(isfinite, (short, medium, longest))) and 0 <= short <= medium <= longest):
        raise SetupError(
            f"range bands {short}, {medium}, {longest}; allowed: three numbers from 0 that grow"
        )
    bands: tuple[tuple[Band, float], ...] = (
        ("short", short), ("medium", medium), ("long", longest),
    )  # fmt: skip
    for name, edge in bands:
        if distance <= edge or isclose(distance, edge, rel_tol=ROUNDING):
            return name
    return None


@lru_cache(maxsize=256)
@cites("EM-10")
def checked(table: Table) -> Table:
    """The table, if no two units overlap by more than a hair.

    Raises:
        SetupError: two units overlap; names both, and how far they have to be moved apart.
    """
    for one, other in combinations(table.placements, 2):
        deep = max(overlap(part, near) for part in parts(one) for near in parts(other))
        if deep > hair_of(one, other):
            raise SetupError(
                f"Table: {one.unit!r} and {other.unit!r} overlap by {deep:.3g} {table.length}; "
                "allowed: units that touch or stand apart"
            )
    return table


@lru_cache(maxsize=256)
@cites("EM-10", "EM-20", "EM-22")
def contacts(table: Table) -> tuple[Contact, ...]:
    """All pairs of units that touch, friends included; one contact for each edge that is touched.

    A member is in contact if some length of the edge of its base lies along the other unit; where
    two units meet in a point, whoever has that point on the edge of its base.

    Raises:
        SetupError: units that overlap.
    """
    pairs = combinations(checked(table).placements, 2)
    return tuple([found for pair in pairs for found in _contacts_of(*pair)])


@cites("EM-22")
def fighting(placement: Placement, enemies: Iterable[Placement], reach: int = 0) -> int:
    """Count the members who fight: those in contact, and those in the next ranks behind them.

    Each member counts once, however many enemies touch it.

    Args:
        placement: of the unit.
        enemies: all that it fights; those that don't touch it bring nobody into contact.
        reach: how many ranks behind those in contact fight as well; on a flank, how many files.

    Raises:
        SetupError: a reach below 0.
    """
    if reach < 0:
        raise SetupError(f"reach is {reach!r}; allowed: a whole number, 0 or more")
    pairs = [(n, part, near) for n, part in enumerate(parts(placement))
             for enemy in enemies for near in parts(enemy) if touches(part, near)]  # fmt: skip
    if placement.shape == "ring":
        return min(placement.members, len(pairs) * (1 + reach))
    members = [
        (n, spot) for n, part, near in pairs for spot in _spots(part, contact_of(part, near), reach)
    ]
    return len(set(members))


def _spots(block: Placement, contact: Contact, reach: int) -> Iterator[tuple[int, int]]:
    """The file and the rank of each member of a block who fights in a contact."""
    edge = contact.edge_of_one
    lines = _lines(block, edge)
    for line in _touched(block, edge, contact.stretch, HAIR * min(block.base, block.depth)):
        last = lines[line] - 1
        for behind in range(min(reach, last) + 1):
            deep = behind if edge in {"front", "left"} else last - behind
            yield (line, deep) if edge in {"front", "rear"} else (deep, line)


@cites("EM-10", "EM-11", "EM-12")
def engaged(table: Table, unit: str) -> tuple[str, ...]:
    """Names of the enemies that touch a unit, in the order of the table.

    Raises:
        SetupError: units that overlap.
        UnknownNameError: no such unit on this table.
    """
    return tuple(dict.fromkeys(contact.other for contact in hostile(table, unit)))


@cites("EM-23", "EM-24")
def fronts(table: Table, unit: str) -> tuple[Edge, ...]:
    """Edges of a unit that enemies touch, clockwise from its front; each is one front.

    The two flanks are two fronts. A ring has one at most.

    Raises:
        SetupError: units that overlap.
        UnknownNameError: no such unit on this table.
    """
    touched = {contact.edge_of_one for contact in hostile(table, unit)}
    return tuple([edge for edge in AROUND if edge in touched])


def two_of(table: Table, one: str, other: str) -> tuple[Placement, Placement]:
    """The placements of two different units."""
    if one == other:
        raise SetupError(f"{one!r} and itself; allowed: two different units")
    return table.of(one), table.of(other)


def hostile(table: Table, unit: str) -> list[Contact]:
    """The contacts of a unit with enemies, seen from it."""
    table.of(unit)
    found = [c for c in contacts(table) if c.hostile and unit in {c.one, c.other}]
    return [contact.seen_from(unit) for contact in found]


@lru_cache(maxsize=4096)
@cites("EM-21")
def _contacts_of(one: Placement, other: Placement) -> tuple[Contact, ...]:
    """The contacts of two units: one for each pair of edges that touch."""
    rows: dict[tuple[Edge, Edge], list[tuple[Placement, Placement]]] = {}
    for part in parts(one):
        for near in parts(other):
            if touches(part, near):
                found = contact_of(part, near)
                key = (found.edge_of_one, found.edge_of_other)
                rows.setdefault(key, []).append((part, near))
    return tuple([_together(one, other, pairs) for pairs in rows.values()])


def _together(
    one: Placement, other: Placement, pairs: list[tuple[Placement, Placement]]
) -> Contact:
    """The contacts of some parts of two units, all along the same two edges, as one."""
    found = [contact_of(*pair) for pair in pairs]
    if len(found) == 1 and not (one.around or other.around):
        return found[0]
    ends = [point for contact in found for point in contact.stretch]
    stretch = max([(p, q) for p in ends for q in ends], key=lambda pair: length(*pair))
    members = []
    for unit, side in ((one, 0), (other, 1)):
        block, hair = parts(unit)[0], hair_of(one, other)
        edge = found[0].edge_of_one if side == 0 else found[0].edge_of_other
        stretches = [
            contact.stretch
            for pair, contact in zip(pairs, found, strict=True)
            if pair[side] == block
        ]
        lines = {line for part in stretches for line in _touched(block, edge, part, hair)}
        members.append(len(lines) + len({pair[side] for pair in pairs} - {block}))
    return found[0]._replace(
        members_of_one=members[0], members_of_other=members[1], stretch=stretch,
    )  # fmt: skip


@lru_cache(maxsize=4096)
def contact_of(one: Placement, other: Placement) -> Contact:
    """The contact of two blocks or rings that touch."""
    stretch, hair = _stretch(one, other), hair_of(one, other)
    edges = [_edge(unit, stretch, hair) for unit in (one, other)]
    members = [
        len(_touched(unit, edge, stretch, hair))
        for unit, edge in zip((one, other), edges, strict=True)
    ]
    return Contact(
        one.unit, other.unit, edges[0], edges[1], members[0], members[1], stretch,
        one.side != other.side,
    )  # fmt: skip


def _stretch(one: Placement, other: Placement) -> tuple[Point, Point]:
    """Ends of where two units touch.

    Convex figures touch in a point or along a line whose ends are corners.
    """
    if "ring" in {one.shape, other.shape}:
        ring, unit = (one, other) if one.shape == "ring" else (other, one)
        heading = direction(ring, unit)
        at = (
            ring.x + ring.ring_radius * heading[0],
            ring.y + ring.ring_radius * heading[1],
        )
        return at, at
    from shapely.geometry import Point as Spot

    hair = 2 * hair_of(one, other)
    figures = {one: boundary(one), other: boundary(other)}
    ends = [
        corner
        for mine, theirs in ((one, other), (other, one))
        for corner in corners(mine)
        if figures[theirs].distance(Spot(corner)) <= hair
    ]
    start, end = max([(p, q) for p in ends for q in ends], key=lambda pair: length(*pair))
    if length(start, end) <= 2 * hair:
        middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        return middle, middle
    return min(start, end), max(start, end)


def _edge(placement: Placement, stretch: tuple[Point, Point], hair: float) -> Edge:
    """The edge that a stretch lies along; of two at a corner the one with the least penalty."""
    if placement.shape == "ring":
        return "front"
    off: dict[Edge, float] = dict.fromkeys(AROUND, 0.0)
    half, thick = placement.frontage / 2, placement.thickness
    for point in stretch:
        right, ahead = to_local(placement, point)
        away = {"front": ahead, "rear": ahead + thick, "left": right + half, "right": right - half}
        for edge in AROUND:
            off[edge] = max(off[edge], abs(away[edge]))
    least = min(off.values())
    near = [edge for edge in AROUND if off[edge] <= least + 2 * hair]
    return min(near, key=lambda edge: PENALTY.index(SIDES[edge]))


def edge_length(placement: Placement, edge: Edge) -> float:
    """Length of an edge of a block."""
    return placement.frontage if edge in {"front", "rear"} else placement.thickness


def _lines(placement: Placement, edge: Edge) -> list[int]:
    """Count the members one behind the other at each place along an edge of a block.

    From the unit's left along its front and rear, from the front along its flanks.
    """
    front, members = placement.front, placement.block
    if edge in {"front", "rear"}:
        return [ceil((members - place) / front) for place in range(front)]
    return [min(front, members - rank * front) for rank in range(placement.ranks)]


def _touched(
    placement: Placement, edge: Edge, stretch: tuple[Point, Point], hair: float
) -> list[int]:
    """Places along an edge whose member is in contact; gaps are closed by whoever is next."""
    if placement.shape == "ring":
        return [0]
    pitch = placement.base if edge in {"front", "rear"} else placement.depth
    places = range(len(_lines(placement, edge)))
    local = [to_local(placement, point) for point in stretch]
    spots = [r + placement.frontage / 2 if edge in {"front", "rear"} else -a for r, a in local]
    low, high = min(spots), max(spots)
    along = [
        place
        for place in places
        if min(high, (place + 1) * pitch) - max(low, place * pitch) > 2 * hair
    ]
    if along:
        return along
    middle = (low + high) / 2
    at = [p for p in places if p * pitch - 4 * hair <= middle <= (p + 1) * pitch + 4 * hair]
    return at or [min(max(int(middle // pitch), 0), places[-1])]
