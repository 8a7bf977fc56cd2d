"""A rule of thumb for a sensible turn; no rule of the book, and no promise.

Who can attack does rather than defend or rush, with all the exertion that is allowed: more dice
hit more often than they burn. Allies stay out of it.
"""

from __future__ import annotations

from affray.core.node import At, Choice
from affray.core.tactics import preferring
from affray.systems.affinity.state import Exchange

__all__ = ["rule_of_thumb"]

RARELY = ("defend", "rush", "disengage")
"""Actions that do no harm to anybody."""
by_name = preferring({"ask_ally": ("no",)})


def rule_of_thumb(at: At[Exchange], choice: Choice[Exchange]) -> tuple[float, ...]:
    """How sensible each option looks."""
    if at.step.name == "choose_action":
        return tuple([float(option.name not in RARELY) for option in choice.options])
    if at.step.name == "choose_exertion":
        return tuple([float(option.name) for option in choice.options])
    return tuple(by_name(at, choice))
