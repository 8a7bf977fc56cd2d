"""A rule of thumb for a sensible turn; no rule of the book, and no promise.

Who can attack does, with no more than a burst and without finesse; who is attacked dodges. Points
of a pool are kept for checks on which staying in the fight depends.
"""

from affray.core.tactics import preferring

__all__ = ["rule_of_thumb"]

rule_of_thumb = preferring({
    "choose_mode": ("burst", "semi", "single"),
    "choose_fire": ("damage",),
    "choose_style": ("plain",),
    "choose_called_shot": ("none",),
    "choose_move": ("charge",),
    "choose_defence": ("fray", "melee"),
    "spend_before_attack": ("none",),
    "spend_before_defence": ("none",),
    "spend_after_attack": ("none",),
    "call_for_check": ("plus20",),
    "spend_on_check": ("flip",),
})  # fmt: skip
