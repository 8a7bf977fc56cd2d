"""A rule of thumb for a sensible turn; no rule of the book, and no promise.

Who can attack does, from where they stand if anything reaches; else they close in. No more than a
burst, without finesse, and a quick aim only where nothing fires more than single shots; who is
attacked dodges. Points of a pool are kept for checks on which staying in the fight depends.
"""

from __future__ import annotations

from affray.core.node import At, Choice
from affray.core.tactics import preferring
from affray.systems.eclipse_phase.state import Exchange
from affray.systems.eclipse_phase.turns import must_close, weapons_of

__all__ = ["rule_of_thumb"]

by_name = preferring({
    "choose_quick": ("stand", "none"),
    "choose_move": ("charge", "step", "run"),
    "choose_action": ("attack", "reload", "rush", "full defense"),
    "choose_mode": ("burst", "semi", "single"),
    "choose_fire": ("damage",),
    "choose_style": ("plain",),
    "choose_called_shot": ("none",),
    "choose_rest": ("stay",),
    "choose_extra": ("none",),
    "choose_defence": ("fray", "melee"),
    "spend_before_attack": ("none",),
    "spend_before_defence": ("none",),
    "spend_after_attack": ("none",),
    "call_for_check": ("plus20",),
    "spend_on_check": ("flip",),
})  # fmt: skip
by_name_here = preferring({"choose_quick": ("stand", "aim", "none"), "choose_move": ("stay",)})
"""What is better where something reaches, and where it fires single shots alone."""


def rule_of_thumb(at: At[Exchange], choice: Choice[Exchange]) -> tuple[float, ...]:
    """How sensible each option looks."""
    name, x = at.step.name, at.facts
    if name == "choose_move" and not must_close(x):
        return tuple(by_name_here(at, choice))
    if name == "choose_quick" and not must_close(x) and _fires_slowly(x):
        return tuple(by_name_here(at, choice))
    return tuple(by_name(at, choice))


def _fires_slowly(x: Exchange) -> bool:
    """Whether a quick aim costs nothing: no weapon fires bursts."""
    return not any({"burst", "auto"}.intersection(weapon.modes) for weapon in weapons_of(x))
