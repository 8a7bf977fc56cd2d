"""A map as it is written down: Zones, their aim dots, lines of several colors, and figures.

Places are whole numbers on a grid of one's own choice: x to the right, y up. A finer grid takes
the place of fractions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Annotated, Literal

from affray.core.lazy import NamedTuple
from affray.core.names import unknown
from affray.core.sheet import INFORMS, sheet
from affray.core.step import cites
from affray.systems.empty_earth.map.geometry import (
    Piece,
    Point,
    inside,
    is_simple,
    on_piece,
    overlap,
    pieces,
)
from affray.systems.empty_earth.tables import STOPS_SIGHT

__all__ = ["STAY", "Figure", "Ground", "Line", "Map", "Zone"]

STAY = "stay"
"""The option of a move that leads nowhere."""
FARTHEST = 100_000
MOST = {"zones": 60, "lines": 200, "points": 40, "dots": 6}
"""More than this of anything is no map, but a slip of the pen."""


@sheet
@cites("EE-10", "EE-13")
class Zone:
    """One Zone of the map.

    Attributes:
        Zone (EE-10):
            name: what figures and messages call it.
            outline: its corners [x, y], in order round it; Zones whose outlines share a stretch
                border.
            dots (Aim dots): the aim dots [x, y] printed in it, inside the outline (EE-13).
    """

    name: str
    outline: tuple[tuple[int, int], ...]
    dots: tuple[tuple[int, int], ...]

    def check(self) -> str | None:
        """A name; an outline round one area; dots inside it."""
        if not self.name.strip():
            return "name is empty; allowed: the name of a Zone"
        if self.name == STAY:
            return f"name is {STAY!r}, which an option of every move is called; choose another"
        if wrong := _too_far(self.outline, "outline") or _too_far(self.dots, "dots"):
            return wrong
        if not 3 <= len(self.outline) <= MOST["points"]:
            return (
                f"outline has {len(self.outline)} corners; allowed: 3 to {MOST['points']}, "
                "the last one joined to the first"
            )
        if not is_simple(self.outline):
            return "outline meets itself; allowed: corners in order round one area"
        if not 1 <= len(self.dots) <= MOST["dots"]:
            return f"dots has {len(self.dots)}; allowed: 1 to {MOST['dots']} aim dots (EE-13)"
        for number, dot in enumerate(self.dots, start=1):
            if not inside(self.outline, dot):
                return f"aim dot {number} at {_told(dot)} is not inside the outline; move it in"
        return None


@sheet
@cites("EE-13")
class Line:
    """A line that is printed on the map; only black and green ones stop sight.

    Attributes:
        color: black, green or any other; only black and green lines stop sight.
        points: its points [x, y] in order, at least two; a line that ends where it began is closed.
    """

    color: Literal["black", "green", "other"]
    points: tuple[tuple[int, int], ...]

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Its straight pieces."""
        return tuple(pieces(self.points))

    def check(self) -> str | None:
        """Two points or more, each apart from the one before."""
        if not 2 <= len(self.points) <= MOST["points"]:
            return f"points has {len(self.points)}; allowed: 2 to {MOST['points']}"
        if wrong := _too_far(self.points, "points"):
            return wrong
        for number, (a, b) in enumerate(self.pieces, start=1):
            if a == b:
                return f"points {number} and {number + 1} are the same; allowed: apart"
        return None


@sheet
@cites("EE-10", "EE-11", "EE-13")
class Map:
    """The map: all Zones and all lines.

    Attributes:
        Map (EE-13):
            name: what the map is called.
            zones: each Zone once (EE-10).
            lines: the lines that are printed on it.
            source: where it comes from.
    """

    name: Annotated[str, INFORMS] = ""
    zones: tuple[Zone, ...]
    lines: tuple[Line, ...] = ()
    source: Annotated[str, INFORMS] = ""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all Zones, in order."""
        return tuple([zone.name for zone in self.zones])

    def of(self, name: str) -> Zone:
        """The Zone of this name.

        Raises:
            UnknownNameError: there is none.
        """
        for zone in self.zones:
            if zone.name == name:
                return zone
        raise unknown("Zone of the map", name, self.names)

    def check(self) -> str | None:
        """Each Zone once, none over another, and no aim dot on a line that stops sight."""
        for what, most in (("zones", MOST["zones"]), ("lines", MOST["lines"])):
            if len(getattr(self, what)) > most:
                return f"{len(getattr(self, what))} {what}; allowed: at most {most}"
        if not self.zones:
            return "no zones; allowed: at least one"
        for one, other in combinations(self.zones, 2):
            if one.name == other.name:
                return f"two Zones are called {one.name!r}; allowed: each name once"
            if overlap(one.outline, other.outline):
                return f"Zones {one.name!r} and {other.name!r} overlap; allowed: side by side"
        for zone, dot in self._dots():
            for number, line in enumerate(self.lines, start=1):
                if STOPS_SIGHT[line.color] and any(on_piece(piece, dot) for piece in line.pieces):
                    return (
                        f"the aim dot of {zone.name!r} at {_told(dot)} lies on line {number}, "
                        f"which is {line.color}; move one of them (EE-13)"
                    )
        return None

    def _dots(self) -> Iterator[tuple[Zone, Point]]:
        for zone in self.zones:
            for dot in zone.dots:
                yield zone, dot


@sheet
@cites("EE-14")
class Figure:
    """Somebody who stands on the map and takes no part in the exchange.

    Attributes:
        name: who it is.
        zone: where the figure stands.
        friend_of: whose friend it is; it is hostile to the other one.
    """

    name: Annotated[str, INFORMS] = ""
    zone: str
    friend_of: Literal["attacker", "defender"]


class Ground(NamedTuple):
    """A map with everybody on it.

    Attributes:
        chart: the map.
        attacker, defender: the two of the exchange. others: everybody else.
        defender_down: whether the defender lay there before.
    """

    chart: Map
    attacker: Figure
    defender: Figure
    others: tuple[Figure, ...] = ()
    defender_down: bool = False

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Everybody, the attacker and the defender first."""
        return self.attacker, self.defender, *self.others


def _told(point: Point) -> str:
    return f"({point[0]}, {point[1]})"


def _too_far(points: Sequence[Point], what: str) -> str | None:
    for point in points:
        if max(map(abs, point)) > FARTHEST:
            return f"{what} has {_told(point)}; allowed: from {-FARTHEST:,} to {FARTHEST:,}"
    return None
