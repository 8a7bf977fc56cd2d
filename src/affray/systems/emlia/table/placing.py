"""Units on a table: blocks and rings, in any unit of length.

x grows to the right of the table, y grows up the table. Facing 0 looks up the table, 90 looks
along x; it turns clockwise. A block of 10 members in 4 files, with facing 0:

        x, y                  the middle of the front edge
    +----*----+
    | 1 2 3 4 |   front rank
    | 5 6 7 8 |
    | 9 10    |   the last rank is filled from the unit's own left
    +---------+

The boundary of a block is the whole rectangle, also behind a last rank with gaps. When members are
lost, the front edge stays where it is and ranks go from behind. The boundary of a ring is a
circle; its members stand somewhere inside.
"""

from __future__ import annotations

from math import asin, hypot, pi
from typing import Annotated, Literal

from affray.core.names import unknown
from affray.core.sheet import INFORMS, Ge, Le, sheet
from affray.core.step import cites

__all__ = ["Area", "Placement", "Point", "Table", "ring_layers", "spot_told"]

Point = tuple[float, float]
"""A place on the table: x and y."""


def spot_told(x: float, y: float) -> str:
    """A place on the table, as people write it down.

    >>> spot_told(3.04, -0.01)
    '3, 0'
    """
    return ", ".join(f"{round(number, 1) + 0.0:g}" for number in (x, y))


def ring_layers(members: int) -> tuple[int, ...]:
    """Members of a ring in each layer, from the middle outwards.

    One in the middle; round it as many as fit in a circle, and so on. Each base has a circle
    round its corners to itself.
    """
    layers, left = [1], members - 1
    while left > 0:
        room = int(pi / asin(1 / (2 * len(layers))) + 1e-9)
        layers.append(min(room, left))
        left -= room
    return tuple(layers)


@sheet
@cites("EM-10", "EM-22")
class Placement:
    """The place of one unit, and its shape.

    Attributes:
        Placement (EM-10):
            unit: the name of the unit.
            side: whose it is.
            shape: "block": rows of bases; "ring": an open unit, with a circle as its boundary.
            x: place to the right on the table: the middle of the front edge of a block; the center
                of a ring.
            y: place up the table: the middle of the front edge of a block; the center of a ring.
            facing: degrees, clockwise; 0 looks up the table.
            base (Base width): width of the base of one member.
            depth (Base depth): depth of the base of one member.
            files: members side by side in a full rank of a block (EM-22).
            members: how many there are.
            radius: radius of a ring; 0: as large as the bases of its members need. 0 for a block.
            elevation: height of the ground it stands on (EM-66).
            around: members of a block who stand apart from it, having wrapped round an enemy: x, y
                and facing of each, as for a unit of one; the others form the block (EM-21).
    """

    unit: str
    side: Literal["attacker", "defender"] = "attacker"
    shape: Literal["block", "ring"] = "block"
    x: float = 0.0
    y: float = 0.0
    facing: float = 0.0
    base: float = 1.0
    depth: float = 1.0
    files: Annotated[int, Ge(1), Le(10_000)] = 1
    members: Annotated[int, Ge(1), Le(10_000)] = 1
    radius: float = 0.0
    elevation: float = 0.0
    around: tuple[tuple[float, float, float], ...] = ()

    @property
    def name(self) -> str:
        """The unit's name; messages say it."""
        return self.unit

    @property
    def block(self) -> int:
        """Members who stand in the block."""
        return self.members - len(self.around)

    @property
    def front(self) -> int:
        """Members in the front rank."""
        return min(self.files, self.block)

    @property
    def ranks(self) -> int:
        """Ranks of a block; the last may have gaps."""
        return -(-self.block // self.front)

    @property
    def frontage(self) -> float:
        """Width of a block, from its left flank to its right one."""
        return self.front * self.base

    @property
    def thickness(self) -> float:
        """Length from the front edge of a block to its rear edge."""
        return self.ranks * self.depth

    @property
    def ring_radius(self) -> float:
        """Radius of a ring: as written, else what the bases need; 0 for a block."""
        if self.shape == "block":
            return 0.0
        layers = len(ring_layers(self.members))
        return self.radius or (2 * layers - 1) * hypot(self.base, self.depth) / 2

    def check(self) -> str | None:
        """A name; lengths within the table; bases with a size; a radius for rings only."""
        if not self.unit.strip():
            return "unit is empty; allowed: the name of a unit"
        for field in ("x", "y", "facing", "base", "depth", "radius", "elevation"):
            wrong = _too_far(getattr(self, field))
            if wrong:
                return f"{field} is {wrong}"
        for field in ("base", "depth"):
            if getattr(self, field) <= 0:
                return f"{field} is {getattr(self, field)}; allowed: more than 0"
        if self.radius < 0:
            return f"radius is {self.radius}; allowed: 0 or more"
        if self.shape == "block" and self.radius:
            return f"radius is {self.radius}; allowed: 0 for a block"
        return self._wrong_around()

    def _wrong_around(self) -> str | None:
        if self.around and self.shape == "ring":
            return "around, of a ring; allowed: for a block (EM-21)"
        if self.members > 1 and len(self.around) >= self.members:
            return (f"{len(self.around)} around with {self.members} members; allowed: fewer than "
                    "its members, somebody forms the block (EM-21)")  # fmt: skip
        for place in self.around:
            for value in place:
                wrong = _too_far(value)
                if wrong:
                    return f"around has {wrong}"
        return None


@sheet
@cites("EM-35", "EM-66")
class Area:
    """Ground of one kind. The text names no costs: they are numbers of the setup.

    Attributes:
        Ground (EM-66):
            name: what the ground is called.
            corners: corners [x, y] of the area, in order; it has no dents. Ground with dents is
                several areas.
            slows: movement that each unit of length takes, as long as any part of a unit is in it.
            rough: units of which any part is in it fight in rough terrain.
            cover: cover of units that are wholly in it.
            concealment: concealment of units that are wholly in it.
    """

    name: Annotated[str, INFORMS] = "ground"
    corners: tuple[Point, ...]
    slows: Annotated[float, Ge(1), Le(100)] = 1.0
    rough: bool = False
    cover: Literal["none", "partial", "total"] = "none"
    concealment: Literal["none", "partial", "total"] = "none"

    def check(self) -> str | None:
        """At least a triangle, without dents, within the table; ground that does something."""
        if len(self.corners) < 3:
            return f"{len(self.corners)} corners; allowed: 3 or more"
        for number, point in enumerate(self.corners, start=1):
            for value in point:
                wrong = _too_far(value)
                if wrong:
                    return f"corner {number} has {wrong}"
        turns = [_turn(self.corners, number) for number in range(len(self.corners))]
        if any(turn == 0 for turn in turns) or len({turn > 0 for turn in turns}) > 1:
            return "corners with a dent, or in a line; allowed: every corner turns the same way"
        if self.slows == 1 and not self.rough and self.cover == self.concealment == "none":
            return "ground that does nothing; allowed: slows, rough, cover or concealment (EM-66)"
        return None


def _turn(corners: tuple[Point, ...], number: int) -> float:
    """Above 0 where the way round an area turns left at a corner, below 0 where it turns right."""
    (ax, ay), (bx, by), (cx, cy) = (corners[(number + n) % len(corners)] for n in range(3))
    return (bx - ax) * (cy - by) - (by - ay) * (cx - bx)


@sheet
@cites("EM-10", "EM-35")
class Table:
    """All units on the table.

    Attributes:
        Table:
            placements: where each unit stands, each once (EM-10).
            terrain: areas of ground; where several meet, the slowest counts (EM-66).
            length (Unit of length): the word for the unit of length.
            path: points [x, y] of a charge that is drawn on the table; empty: straight at its
                target (EM-35).
    """

    placements: tuple[Placement, ...] = ()
    length: Annotated[str, INFORMS] = "inch"
    path: tuple[Point, ...] = ()
    terrain: tuple[Area, ...] = ()

    @property
    def units(self) -> tuple[str, ...]:
        """Names of all units, in order."""
        return tuple([placement.unit for placement in self.placements])

    def of(self, unit: str) -> Placement:
        """The placement of a unit.

        Raises:
            UnknownNameError: no such unit on this table.
        """
        for placement in self.placements:
            if placement.unit == unit:
                return placement
        raise unknown("unit on the table", unit, self.units)

    def moved(self, to: Placement) -> Table:
        """The table with one unit placed anew; a drawn path is over then.

        Raises:
            UnknownNameError: the unit was not on this table.
        """
        before = self.of(to.unit)
        placements = [to if old is before else old for old in self.placements]
        return Table(placements=tuple(placements), length=self.length, terrain=self.terrain)

    def check(self) -> str | None:
        """Each unit once; a word for the unit of length; a path that goes somewhere."""
        names = self.units
        twice = [name for place, name in enumerate(names) if name in names[:place]]
        if twice:
            return f"unit {twice[0]!r} is placed twice; allowed: each unit once"
        if not self.length.strip():
            return "length is empty; allowed: a word for the unit of length"
        if len(self.path) == 1:
            return "path has 1 point; allowed: none, or 2 and more"
        for number, point in enumerate(self.path, start=1):
            for value in point:
                wrong = _too_far(value)
                if wrong:
                    return f"point {number} of path has {wrong}"
            if number > 1 and point == self.path[number - 2]:
                return f"points {number - 1} and {number} of path are the same; allowed: apart"
        return None


def _too_far(value: float) -> str | None:
    if abs(value) > MOST:
        return f"{value!r}; allowed: {-MOST:,.0f} to {MOST:,.0f}"
    return None


MOST = 1e9
"""The largest length: beyond it a table has no room for parts of a base."""
