"""Small makers: units on a table.

Blocks face up the table unless said otherwise: a block with the middle of its front in (x, y)
reaches from x - half its files to x + half of them, and from y down to y - its ranks. Bases are
1 by 1.
"""

from typing import Any

from hypothesis import settings

from affray.systems.emlia.table.contact import Contact, contacts
from affray.systems.emlia.table.placing import Placement, Table

__all__ = ["FEW", "LINE", "SPEARS", "only", "ring", "table", "them", "touched", "us"]

FEW = settings(max_examples=20, deadline=None)


def us(unit: str = "us", x: float = 0, y: float = 0, facing: float = 0, **more: Any) -> Placement:
    """A unit of the attacker: a block of one member unless said otherwise."""
    more = {"members": more.get("files", 1)} | more
    return Placement(unit=unit, x=x, y=y, facing=facing, **more)


def them(
    unit: str = "them", x: float = 0, y: float = 0, facing: float = 180, **more: Any
) -> Placement:
    """A unit of the defender, which faces down the table."""
    return us(unit, x, y, facing, side="defender", **more)


def ring(unit: str, x: float, y: float, radius: float, **more: Any) -> Placement:
    """A unit of the attacker in a ring."""
    return Placement(unit=unit, x=x, y=y, shape="ring", radius=radius, **more)


def table(*placements: Placement, **more: Any) -> Table:
    """A table with these units."""
    return Table(placements=placements, **more)


def only(*placements: Placement) -> Contact:
    """The one contact of these units."""
    (found,) = contacts(table(*placements))
    return found


def touched(contact: Contact) -> tuple[str, int, str, int]:
    """Side and members of both."""
    return (
        contact.side_of_one,
        contact.members_of_one,
        contact.side_of_other,
        contact.members_of_other,
    )


# Spears: 6 files, 20 members, so 4 ranks, the last of 2; front from (-3, 0) to (3, 0).
SPEARS = us("spears", files=6, members=20)
# A line of 4 files and 2 ranks that faces up: from (-2, 0) to (2, -2).
LINE = us("line", files=4, members=8)
