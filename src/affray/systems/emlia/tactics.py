"""A rule of thumb for a sensible activation; no rule of the book, and no promise.

Who can charge or strike does, who can shoot does, everybody else goes towards the enemy; a unit
that enemies hold fast stays rather than be struck freely. Nobody charges in vain.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from affray.core.node import At, Choice
from affray.core.tactics import preferring

__all__ = ["rule_of_thumb"]


def rule_of_thumb(at: At[Any], choice: Choice[Any]) -> Sequence[float]:
    """How sensible each option looks; a charge that is listed after a move can't get there."""
    ranks = _preferred(at, choice)
    names = [option.name for option in choice.options]
    if not ranks or "move" not in names or "charge" not in names[names.index("move") :]:
        return ranks
    return tuple(
        -1.0 if name == "charge" else rank for name, rank in zip(names, ranks, strict=True)
    )


_preferred = preferring({
    "choose_action": (
        "charge", "close combat", "aimed fire", "volley fire", "supporting fire", "move",
    ),
    "choose_way": ("towards ", "run towards "),
    "face_strikes": ("stay",),
    "align_skirmishers": ("align",),
})  # fmt: skip
