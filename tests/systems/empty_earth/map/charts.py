"""Small maps: squares of four by four in a grid, with lines on them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from affray.systems.empty_earth.map.zones import Figure, Line, Map, Zone
from affray.systems.empty_earth.sheet import Fighter, Setup
from tests.systems.empty_earth.factory import bow, striker, target

__all__ = ["black", "chart", "figure", "green", "on_map", "other", "square"]

Points = Sequence[tuple[int, int]]
SIDE = 4


def square(name: str, column: int, row: int, **changes: Any) -> Zone:
    """A Zone of four by four with its aim dot in the middle."""
    x, y = SIDE * column, SIDE * row
    made: dict[str, Any] = {
        "outline": ((x, y), (x + SIDE, y), (x + SIDE, y + SIDE), (x, y + SIDE)),
        "dots": ((x + 2, y + 2),),
    }
    return Zone(name=name, **{**made, **changes})


def chart(rows: Sequence[str], *lines: Line) -> Map:
    """Zones with one letter each, the lowest row last: ["ab", "cd"]; a blank leaves a hole."""
    zones = [
        square(letter, column, len(rows) - 1 - row)
        for row, letters in enumerate(rows)
        for column, letter in enumerate(letters)
        if letter != " "
    ]
    return Map(zones=tuple(zones), lines=lines)


def black(*points: tuple[int, int]) -> Line:
    return Line(color="black", points=points)


def green(*points: tuple[int, int]) -> Line:
    return Line(color="green", points=points)


def other(*points: tuple[int, int]) -> Line:
    return Line(color="other", points=points)


def figure(zone: str, friend_of: Literal["attacker", "defender"] = "defender") -> Figure:
    return Figure(zone=zone, friend_of=friend_of)


def on_map(
    drawn: Map,
    one: str,
    two: str,
    *figures: Figure,
    attacker: Fighter | None = None,
    **changes: Any,
) -> Setup:
    """An attack from one Zone at somebody in another, by default with a bow of range 2."""
    shooter = attacker or striker(bow())
    values: Mapping[str, Any] = {"map": drawn, "figures": figures, **changes}
    return Setup(attacker=_in(shooter, one), defender=_in(target(), two), **values)


def _in(fighter: Fighter, zone: str) -> Fighter:
    return replace(fighter, zone=zone)
