"""A rule of thumb for a sensible activation; no rule of the book, and no promise.

Who can charge or strike does, who can shoot does, everybody else goes towards the enemy; a unit
that enemies hold fast stays rather than be struck freely.
"""

from affray.core.tactics import preferring

__all__ = ["rule_of_thumb"]

rule_of_thumb = preferring({
    "choose_action": (
        "charge", "close combat", "aimed fire", "volley fire", "supporting fire", "move",
    ),
    "choose_way": ("towards ", "run towards "),
    "face_strikes": ("stay",),
    "align_skirmishers": ("align",),
})  # fmt: skip
