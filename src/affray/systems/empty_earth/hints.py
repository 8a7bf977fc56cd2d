"""Promises about these rules that make engines quick; see `affray.core.hints`."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from affray.core.hints import Alike, Hints, hides
from affray.systems.empty_earth import harm, roll
from affray.systems.empty_earth.sheet import Fighter
from affray.systems.empty_earth.standing import strikes_back
from affray.systems.empty_earth.state import Condition, Exchange

__all__ = ["HINTS"]

UNSEEN = ("dodge", "parry")
"""Fields that the attacker's steps after the roll neither read nor change."""


def _stopped(x: Exchange, values: Sequence[tuple[int, ...]]) -> Sequence[Hashable]:
    """List the dice that each Dodge could stop; one key for all while the dice can change."""
    if x.parry:
        return [None] * len(values)
    return [harm.reach_of(x.over, x.special, value, x.terms.dodge.spread) for value in values]


def visible(condition: Condition) -> Condition:
    """A condition as exchanges see it: Vitality matters only where an own attack may do harm."""
    now = condition.now
    matters = condition.exposed or strikes_back(condition.rulings)
    vitality = now.vitality if matters else 0
    now = now._replace(vitality=vitality, taken=False)
    return condition._replace(now=now, ended=False, enacted=())


HINTS: Hints[Exchange, Fighter, Condition] = Hints(
    aside={
        roll.buy_after_roll: UNSEEN,
        roll.adjust_attack: UNSEEN,
        roll.roll_again: UNSEEN,
        roll.apply_modifiers: UNSEEN,
        roll.place_penalty: UNSEEN,
    },
    hidden=hides("now.vitality", visible),
    alike={harm.weigh_dodge: Alike("dodge", _stopped)},
)
