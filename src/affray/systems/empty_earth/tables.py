"""The book's numbers, each with its clause. Nothing else in this room holds one."""

from __future__ import annotations

from typing import Literal

from affray.core.dice import Pool, d
from affray.core.table import Table

__all__ = [
    "COST", "CROWDED", "DEFENSE_FOR", "MELEE_ZONES", "NEEDED", "REACTIONS", "REACTION_FOR",
    "REGAIN", "SEEN", "STOPS_SIGHT", "Reaction",
]  # fmt: skip

DEFENSE_FOR = Table({"physical": "phys_def", "essential": "ess_def"}, "EE-6")
"""The static defense that an attack of each kind has to exceed."""

Reaction = Literal["dodge", "center"]

REACTION_FOR: Table[str, Reaction] = Table({"physical": "dodge", "essential": "center"}, "EE-33")
"""The reaction that rolls dice against an attack of each kind."""

MELEE_ZONES = Table({"adjacent": 0}, "EE-9", "EE-10")
"""The number of Zones between adjacent figures."""

CROWDED = Table({"melee": 0, "ranged": -1}, "EE-14", "EE-15")
"""Modifier for hostile figures in the attacker's own Zone; it counts once, however many."""

NEEDED = Table({"on hit": 1, "on damage": 1}, "EE-23", "EE-24")
"""Hits for effects on hit, points of damage for effects on damage."""

COST = Table(
    {"aim": 1, "armor": 1, "revive": 3, "reaction": 1, "focus": 1, "counter": 1},
    "EE-30",
    "EE-51",
    "EE-60",
)
"""Cubes: blue for Aim and for an Armor's active effect, black for a revival.

The last three are assumed, for rulings under which they cost something: blue, blue, red.
"""

REACTIONS = Table({"between turns": 1}, "EE-61")
"""Dodges and Centers between two turns, unless something grants more."""

REGAIN = Table({"injury": Pool((d(6), 1)), "revival": Pool((d(6), 1))}, "EE-47", "EE-51")
"""Dice for the Vitality that comes back."""

SEEN = Table(
    {
        ("crossing", "clear"): True,
        ("crossing", "touches"): True,
        ("crossing", "runs_along"): False,
        ("strict", "clear"): True,
        ("strict", "touches"): False,
        ("strict", "runs_along"): False,
        ("lenient", "clear"): True,
        ("lenient", "touches"): True,
        ("lenient", "runs_along"): True,
        ("crossing", "blocked"): False,
        ("strict", "blocked"): False,
        ("lenient", "blocked"): False,
    },
    "EE-12",
    "EE-13",
)
"""Line of Sight, by ruling and by the way the line lies to black and green walls."""

STOPS_SIGHT = Table({"black": True, "green": True, "other": False}, "EE-13")
"""Lines of the map that no line of sight may cross, by color."""
