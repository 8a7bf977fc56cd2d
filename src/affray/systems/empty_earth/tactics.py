"""A rule of thumb for a sensible turn; no rule of the book, and no promise.

Whoever is attacked dodges, and counters where it is offered; cubes are kept, except to aim.
"""

from affray.core.tactics import preferring

__all__ = ["rule_of_thumb"]

rule_of_thumb = preferring({
    "activate_armor": ("no",),
    "buy_features": ("none",),
    "choose_reaction": ("dodge", "center"),
    "offer_counter": ("counter",),
    "take_aim": ("aim",),
})  # fmt: skip
