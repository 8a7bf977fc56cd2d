"""The facts about these rules that make engines quick; see `affray.core.hints`."""

from __future__ import annotations

from affray.core.hints import Hints, hides
from affray.systems.grid_battles import harm, roll
from affray.systems.grid_battles.sheet import Unit
from affray.systems.grid_battles.state import Condition, Exchange

__all__ = ["HINTS"]

UNSEEN = (
    "attacker", "defender", "hits", "back_hits", "damage", "taken", "battled_back", "why_not",
    "fallen", "board",
)  # fmt: skip
"""Fields that a round of dice neither reads nor changes until its hits are applied."""


HINTS: Hints[Exchange, Unit, Condition] = Hints(
    aside={
        roll.roll_attack: UNSEEN,
        roll.roll_defence: ("rolled", *UNSEEN),
        harm.count_hits: UNSEEN,
    },
    hidden=hides("points"),
)
