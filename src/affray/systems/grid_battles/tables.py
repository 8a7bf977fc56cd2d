"""The book's numbers, each with its clause. Nothing else in this room holds one.

The faces of the dice are pictures in the book; the ones assumed here stand in `roster/dice.toml`.
"""

from __future__ import annotations

from typing import Literal

from affray.core.lazy import NamedTuple
from affray.core.table import Table

__all__ = [
    "BONUSES", "COLOURS", "EXIT_COST", "KILLED_AT", "MAY_BLOCK", "MELEE", "SIDES", "SYMBOLS",
    "Gift", "Part",
]  # fmt: skip

Part = Literal["attack", "defense"]

COLOURS: Table[Part, tuple[str, ...]] = Table(
    {"attack": ("yellow", "blue", "red"), "defense": ("brown", "grey", "black")}, "GB-10"
)
"""The colors of the dice, in the order of the book's list."""

SIDES = Table({"die": 6}, "GB-10")
"""The number of faces on every die."""

SYMBOLS: Table[Part, str] = Table({"attack": "db", "defense": "s"}, "GB-11", "GB-13", "GB-17")
"""The symbols allowed on a face: Damage and Bonus Damage, or Shields."""


class Gift(NamedTuple):
    """A row of the book's table: it names the side that gets a bonus, the moment and the clause.

    Attributes:
        to: the Round Attacker ("attack") or the Round Defender ("defense").
        before: whether it comes before the roll, as a die.
    """

    to: Part
    before: bool
    clause: str


BONUSES = Table(
    {
        "attack_die": Gift("attack", True, "GB-24"),
        "defence_die": Gift("defense", True, "GB-25"),
        "damage": Gift("attack", False, "GB-26"),
        "bonus_damage": Gift("attack", False, "GB-27"),
        "shield": Gift("defense", False, "GB-28"),
    },
    "GB-24",
    "GB-25",
    "GB-26",
    "GB-27",
    "GB-28",
)
"""The bonuses that terrain can give."""

MELEE = Table({"range": 1}, "GB-46")
"""A unit that does not shoot attacks adjacent hexes only."""

EXIT_COST = Table({"step": 1, "reach": 0}, "GB-47c")
"""Movement points for leaving the map from an exit, by ruling."""

KILLED_AT = Table({"zero": 0, "below": -1}, "GB-16")
"""The health at which a unit is removed, by ruling."""

MAY_BLOCK = Table({"all": True, "crossed": True, "enemies": False}, "GB-62")
"""By ruling: units of the shooter's own side may or may not block its shots."""
