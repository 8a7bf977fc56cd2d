"""Actions and the attacks they make: the skill rolled, the weapon used."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from affray.core.lazy import NamedTuple
from affray.core.step import cites
from affray.systems.emlia.gear import Own, Skill, Weapon
from affray.systems.emlia.sheet import Action, BookAction, Troop
from affray.systems.emlia.table.contact import band

__all__ = [
    "BANDS",
    "Attack",
    "attack_of",
    "base_of",
    "edges_before",
    "own_fire",
    "skill_of",
    "weapon_for",
]


class Attack(NamedTuple):
    """An attack action.

    Attributes:
        like: the basic attack whose table of modifiers holds. skill: what is rolled.
        default: whether a troop without the skill may try it.
        support: it is Supporting Fire. own: the action of the unit's own.
    """

    like: Literal["aimed_fire", "volley_fire", "close_combat"]
    skill: str
    default: bool = True
    support: bool = False
    own: Own | None = None


ATTACKS: Mapping[Action, Attack] = {
    "close_combat": Attack("close_combat", "close_combat"),
    "charge": Attack("close_combat", "close_combat"),
    "aimed_fire": Attack("aimed_fire", "aimed_fire"),
    "supporting_fire": Attack("aimed_fire", "aimed_fire", support=True),
    "volley_fire": Attack("volley_fire", "volley_fire", default=False),
}
"""The attacks that every unit knows."""


@cites("EM-1", "EM-1b", "EM-30", "EM-31", "EM-32", "EM-33")
def attack_of(troop: Troop, action: Action) -> Attack | None:
    """Find the attack that an action makes for a troop; None: it makes none."""
    for own in troop.actions:
        if own.name == action:
            return Attack(own.like, own.skill or own.name, own.default, own=own)
    return ATTACKS.get(action)


# -- weapons ------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
@cites("EM-31", "EM-40")
def weapon_for(troop: Troop, attack: Attack, name: str = "") -> Weapon | None:
    """The weapon of an attack: the one with this name, else the first that serves it."""
    for weapon in troop.weapons:
        serves = {attack.skill, attack.like} & {weapon.skill, weapon.also}
        if serves and name in {"", weapon.name}:
            return weapon
    return None


def _bands(weapon: Weapon) -> tuple[int, int, int]:
    medium = weapon.damage if weapon.damage_medium is None else weapon.damage_medium
    return weapon.damage, medium, medium if weapon.damage_long is None else weapon.damage_long


@cites("EM-31", "EM-35", "EM-40")
def base_of(weapon: Weapon | None, attack: Attack, distance: float, *, charged: bool) -> int:
    """Base damage: by range; of a volley the least; of a charge what the weapon has for it."""
    if weapon is None:
        return 0
    if attack.like == "close_combat":
        charging = weapon.damage_charging
        return charging if charged and charging is not None else weapon.damage
    bands = _bands(weapon)
    if attack.like == "volley_fire" and not weapon.volley_full:
        return min(bands)
    return bands[min(edges_before(weapon, distance), 2)]


BANDS = ("short", "medium", "long", None)
"""Bands of range, the nearest first; None: out of range."""


@cites("EM-30", "EM-31")
def edges_before(weapon: Weapon, distance: float) -> int:
    """Edges of range that lie before a target: 0 within short range, 3 out of range."""
    return BANDS.index(band(distance, weapon.short, weapon.medium, weapon.longest))


def skill_of(troop: Troop, name: str) -> Skill | None:
    """The skill with this name, or None."""
    return next((skill for skill in troop.skills if skill.skill == name), None)


def own_fire(troop: Troop, name: BookAction) -> bool:
    """A troop can shoot if it has a weapon for it, or the skill."""
    found = attack_of(troop, name)
    assert found is not None
    return weapon_for(troop, found) is not None or skill_of(troop, found.skill) is not None
