"""The book's numbers, each with its clause. Nothing else in this room holds one.

Those of the core check are not in the text; they stand in `roster/checks.toml`.
"""

from __future__ import annotations

from affray.core.table import Table

__all__ = ["AIM", "CC", "DIS", "LACKING", "MORALE", "MOVES", "RANK", "RATIO", "VOL"]


LEAST = Table({"difficulty": 2, "one": 1, "die": 1, "level": 0}, "EM-3", "EM-4", "EM-5")
"""The least difficulty (B2), the face that counts as a one, dice without the skill."""

LACKING = Table({"die": 1, "share": 2, "penalty": -2}, "EM-5")
"""Without the skill (B21): dice; best level divided by this; or this modifier."""

AIM = Table(
    {
        "out_short": -1, "out_medium": -1, "conceal_partial": -1, "conceal_total": -3,
        "cover_partial": -2, "forfeit_move": 2, "elev_over": 1, "unaware": 1, "double_pace": -4,
        "support": -2, "support_skirmish": -4, "enemy_out": -1, "enemy_out2": -1, "enemy_out3": -2,
        "enemy_out_skirmish": -1, "friend_out": 1, "friend_out2": 1, "friend_out3": 2,
        "focus": -2, "small4": -1, "small10": -1, "focus_skirmish": -1,
    },
    "EM-30",
    "EM-33",
)  # fmt: skip
"""Modifiers of Aimed Fire."""

VOL = Table({"in_short": -2, "out_medium": -4, "blind": -6, "in_sight": 2, "vcover_partial": -2},
            "EM-31")  # fmt: skip
"""Modifiers of Volley Fire."""

CC = Table(
    {
        "conceal_partial": -1, "conceal_total": -2, "cover_partial": -2, "cover_total": -4,
        "rough": -1, "out1": 1, "out2": 1, "out3": 2, "charged": 1, "double_pace": -2,
        "target_elev": -1, "elev_over": 1, "focus": -1, "exposed": 1,
    },
    "EM-32",
    "EM-36",
)  # fmt: skip
"""Modifiers of Close Combat; `exposed` is for each excess 1 of a fumbled Disengage."""

DIS = Table(
    {
        "conceal_partial": 1, "conceal_total": 2, "cover_partial": 2, "cover_total": 4,
        "rough": -1, "src_charged": -4, "src_out1": -1, "src_out2": -1, "src_out3": -2,
        "sub_out1": 1, "sub_out2": 1, "sub_out3": 2,
    },
    "EM-36",
)  # fmt: skip
"""Modifiers of Disengage and Distract."""

RANK = Table({"to_flank": -1, "to_rear": -2, "to_multi": -2, "from_flank": 1, "from_rear": 2,
              "from_extra_front": 2, "aligned": -1}, "EM-20", "EM-23")  # fmt: skip
"""Modifiers of ranked combat: against enemies there, and of enemies there."""

MORALE = Table({"front": 0, "flank": -1, "rear": -2, "extra": -1, "charge": -1}, "EM-24", "EM-35")
"""Morale lost to a round of fighting on each side, per extra side, and to a failed charge."""

RATIO = Table({"two": 2, "three": 3, "quarter": 4, "tenth": 10}, "EM-30", "EM-32", "EM-36")
"""Odds of two and of three to one; shares of the enemy group below which a target is small."""

FOCUS = Table({"step": -1}, "EM-52")
"""The penalty of step 1.3."""

MOVES = Table(
    {"charge": 2, "double": 2, "normal": 1, "none": 0, "forfeit": 0, "open": 0, "spent": 0},
    "EM-35", "EM-60",
)  # fmt: skip
"""Multiples of Speed that each kind of movement covers."""
