"""The ways on which a unit may go on a table, and where each of them leads.

The text has no rules of maneuver: a unit goes straight, for a move or at double pace, and turns its
front there where there is room. It goes towards an enemy, into contact if it gets so far; away
from whoever touches it; or in one of eight directions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import sqrt
from typing import Literal

from affray.core.lazy import NamedTuple
from affray.core.step import cites
from affray.systems.emlia.measured import course_to
from affray.systems.emlia.state import Terms
from affray.systems.emlia.table import contact, manoeuvres
from affray.systems.emlia.table.figures import hair_of, length, middle_of, towards
from affray.systems.emlia.table.placing import Point, Table
from affray.systems.emlia.tables import MOVES

__all__ = ["DIRECTIONS", "Way", "ways_of"]

_ASLANT = sqrt(0.5)
DIRECTIONS: Mapping[str, Point] = {
    "north": (0.0, 1.0), "northeast": (_ASLANT, _ASLANT),
    "east": (1.0, 0.0), "southeast": (_ASLANT, -_ASLANT),
    "south": (0.0, -1.0), "southwest": (-_ASLANT, -_ASLANT),
    "west": (-1.0, 0.0), "northwest": (-_ASLANT, _ASLANT),
}  # fmt: skip
"""Directions by name; north looks up the table."""
Pace = Literal["normal", "double"]


class Way(NamedTuple):
    """One way on which a unit may go.

    Attributes:
        name: "towards Trolls", "run away", "north". pace: a normal move, or at double pace.
        moved: how far it leads. table: the table then.
        leaves: it leads out of contact with an enemy.
        arrives: it leads into contact with the target. met: who is run into; empty: nobody.
        left: movement that is left at its end.
    """

    name: str
    pace: Pace
    moved: float
    table: Table
    leaves: bool
    arrives: bool = False
    met: str = ""
    left: float = 0.0

    @property
    def words(self) -> str:
        """How far it leads, and what it leads to, for the one who chooses."""
        told = f"{self.moved:.3g} {self.table.length}"
        if self.met:
            told += f", into {self.met}"
        return f"{told}, double pace" if self.pace == "double" else told


@lru_cache(maxsize=512)
@cites("EM-60", "EM-66")
def ways_of(terms: Terms, speed: float) -> tuple[Way, ...]:
    """All ways of the acting unit that lead anywhere, those towards enemies first.

    At double pace it goes towards enemies or away from them.

    Raises:
        SetupError: units that overlap.
    """
    table = terms.setup.table
    assert table is not None  # only asked on one
    unit = terms.troops[0].name
    before = set(contact.engaged(table, unit))
    found = []
    for way in _ways(terms, table, speed):
        if way.moved <= hair_of(table.of(unit), table.of(unit)):
            continue
        after = set(contact.engaged(way.table, unit))
        found.append(way._replace(leaves=not before <= after))
    return tuple(found)


def _ways(terms: Terms, table: Table, speed: float) -> Iterator[Way]:
    unit, target = terms.troops[0].name, terms.troops[terms.target].name
    side = table.of(unit).side
    foes = [target, *[p.unit for p in table.placements if p.side != side and p.unit != target]]
    back = _away(table, unit, target)
    paces: tuple[tuple[Pace, str], ...] = (("normal", ""), ("double", "run "))
    for pace, prefix in paces:
        reach = MOVES[pace] * speed
        for foe in foes:
            course = course_to(terms, foe, reach)
            assert course.table is not None  # there is one
            yield Way(
                f"{prefix}towards {foe}", pace, course.moved, course.table, leaves=False,
                arrives=course.reaches and foe == target,
                met=foe if course.reaches else course.met, left=course.left,
            )  # fmt: skip
        if back is not None:
            yield _straight(table, unit, f"{prefix}away", (pace, back, reach))
    for name, heading in DIRECTIONS.items():
        yield _straight(table, unit, name, ("normal", heading, speed))


def _straight(table: Table, unit: str, name: str, how: tuple[Pace, Point, float]) -> Way:
    pace, heading, reach = how
    found = manoeuvres.march(table, unit, heading, reach)
    left = max(0.0, reach - found.spent)
    return Way(name, pace, found.moved, table.moved(found.end), False, met=found.met, left=left)


def _away(table: Table, unit: str, target: str) -> Point | None:
    """The direction away from the enemies in contact, or from the target; None: there is none."""
    own = table.of(unit)
    x = y = 0.0
    for foe in contact.engaged(table, unit) or (target,):
        ahead = towards(middle_of(table.of(foe)), middle_of(own))
        x, y = x + ahead[0], y + ahead[1]
    if length((0.0, 0.0), (x, y)) <= 1e-6:
        return None
    return towards((0.0, 0.0), (x, y))
