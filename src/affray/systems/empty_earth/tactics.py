"""A rule of thumb for a sensible turn; no rule of the book, and no promise.

Whoever is attacked dodges, stops as many dice as that can, and counters where it is offered; cubes
are kept, except to aim.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from affray.core.node import At, Choice
from affray.core.tactics import preferring

__all__ = ["rule_of_thumb"]

_NUMBER = re.compile(r"\d+")


def rule_of_thumb(at: At[Any], choice: Choice[Any]) -> Sequence[float]:
    """How sensible each option looks."""
    if at.step.name != "spread_dodge":
        return _preferred(at, choice)
    return tuple(_stopped(option.name) for option in choice.options)


def _stopped(name: str) -> float:
    """The dice that a way to apply a Dodge stops: two for "stop-1-and-1-special"."""
    return -1.0 if name.startswith("raise") else float(sum(map(int, _NUMBER.findall(name))))


_preferred = preferring({
    "activate_armor": ("no",),
    "buy_features": ("none",),
    "choose_reaction": ("dodge", "center"),
    "offer_counter": ("counter",),
    "take_aim": ("aim",),
})  # fmt: skip
