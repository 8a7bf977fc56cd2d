"""Who makes a check: weapons, dice, and all that its numbers depend on."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from affray.core.ruling import Rulings
from affray.core.step import cites
from affray.systems.emlia import rulings as rule
from affray.systems.emlia.body import Stand
from affray.systems.emlia.engagement import (
    Attack,
    attack_of,
    body_of,
    fighting,
    is_here,
    members_of,
    odds_of,
)
from affray.systems.emlia.geometry import band
from affray.systems.emlia.harm import uncovers
from affray.systems.emlia.resolution import level_of
from affray.systems.emlia.sheet import Skill, Troop, Weapon
from affray.systems.emlia.state import Plan, Terms
from affray.systems.emlia.tables import LACKING

__all__ = [
    "Crew", "Seen", "bares", "base_of", "dice_of", "edges_before", "seen_of", "skill_of",
    "weapon_for",
]  # fmt: skip


# -- weapons ---------------------------------------------------------------------------------


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


# -- dice ------------------------------------------------------------------------------------


def skill_of(troop: Troop, name: str) -> Skill | None:
    """The skill with this name, or None."""
    return next((skill for skill in troop.skills if skill.skill == name), None)


class Crew(NamedTuple):
    """What a troop brings to a check: dice, a modifier of its skill, and which clause it is of."""

    dice: int
    bonus: int = 0
    label: str = ""
    clause: str = "EM-5"


@cites("EM-3", "EM-5", "EM-22", "EM-45")
def dice_of(troop: Troop, stand: Stand, skill: str, rulings: Rulings, out: int = 0) -> Crew:
    """Dice of a check, and what its skill does to the difficulty.

    Args:
        troop: who rolls.
        stand: how it is now.
        skill: what is rolled.
        rulings: those on dice (B4), on lacking skills (B21) and on diminish values (B5).
        out: members who don't take part.
    """
    members = stand.members - out
    if members <= 0 or not is_here(stand):
        return Crew(0)
    known, by_members = skill_of(troop, skill), rulings[rule.DICE] == "members"
    if known is not None:
        level = level_of(troop, stand, known, rulings, out)
        return Crew(members, level, "skill level", "EM-3") if by_members else Crew(level)
    levels = [level_of(troop, stand, s, rulings, out) for s in troop.skills]
    best = max([LACKING["die"], *levels])
    reading = rulings[rule.LACKING]
    if reading == "one_die":
        return Crew(LACKING["die"])
    if reading == "half":
        return Crew(max(LACKING["die"], best // LACKING["share"]))
    return Crew(best, LACKING["penalty"], "without the skill")


# -- what a check looks at -------------------------------------------------------------------


class Seen(NamedTuple):
    """What the numbers of a check depend on besides what never changes.

    Attributes:
        crews: for each troop that attacks its place and what it brings.
        enemy_out, friend_out: how badly enemies and friends are outnumbered, 0 to 3.
        sizes: members of each troop of the body, those marked included, if there are several.
        exposed: of each troop of the body. bared: whether it has lost its cover. unaware: whether
            it is of whoever acts.
        aligned, charged, paced: places of those of the unit that acts who have aligned, who have
            charged, and who have moved at double pace.
    """

    crews: tuple[tuple[int, Crew], ...]
    enemy_out: int
    friend_out: int
    sizes: tuple[int, ...]
    exposed: tuple[int, ...]
    bared: tuple[bool, ...]
    unaware: tuple[bool, ...]
    aligned: tuple[int, ...]
    charged: tuple[int, ...]
    paced: tuple[int, ...]


def bares(terms: Terms, stands: tuple[Stand, ...], place: int) -> bool:
    """Whether a troop has lost its cover: what gives it was destroyed, or breached."""
    troop = terms.troops[place].troop
    if not troop.covered_by:
        return False
    for other, party in enumerate(terms.troops):
        if party.name == troop.covered_by:
            return uncovers(party.troop, stands[other])
    return False


@cites("EM-50")
def crews_of(terms: Terms, stands: tuple[Stand, ...], plan: Plan) -> tuple[tuple[int, Crew], ...]:
    """The troops that make an attack, each by itself: the unit, and who joined it and can."""
    found = []
    for place, party in enumerate(terms.troops):
        if party.unit != 0:
            break
        attack = attack_of(party.troop, plan.action)
        if attack is None:
            continue
        if place and not attack.default and skill_of(party.troop, attack.skill) is None:
            continue
        if place and attack.like != "close_combat" and weapon_for(party.troop, attack) is None:
            continue
        out = stands[place].members - fighting(terms, stands, plan, place)
        crew = dice_of(party.troop, stands[place], attack.skill, terms.rulings, out)
        if crew.dice or place == 0:
            found.append((place, crew))
    return tuple(found)


@lru_cache(maxsize=4096)
def _strict(terms: Terms, plan: Plan) -> bool:
    attack = attack_of(terms.troops[0].troop, plan.action)
    return attack is not None and attack.like == "aimed_fire"


def seen_of(terms: Terms, stands: tuple[Stand, ...], plan: Plan) -> Seen:
    """What the numbers of an attack depend on, as things are now."""
    body, strict = body_of(terms, plan), _strict(terms, plan)
    if len(terms.troops) == len(stands) == PAIR:
        crews, friends = _one_side(terms, stands[0], plan)
        enemies = _other_side(terms, stands[1], plan)
    else:
        crews = crews_of(terms, stands, plan)
        friends = members_of(terms, stands, plan, "friend")
        enemies = members_of(terms, stands, plan, "enemy")
    sizes: tuple[int, ...] = ()
    if len(body) > 1:
        sizes = tuple(stands[place].members * is_here(stands[place]) for place in body)
    return Seen(
        crews=crews,
        enemy_out=odds_of(friends, enemies, strict=strict) if enemies else 0,
        friend_out=odds_of(enemies, friends, strict=strict) if friends else 0,
        sizes=sizes,
        exposed=tuple([stands[place].exposed for place in body]),
        bared=tuple([bares(terms, stands, place) for place in body]),
        unaware=tuple([stands[place].unaware for place in body]),
        aligned=tuple([place for place, _ in crews if stands[place].aligned]),
        charged=tuple([place for place, _ in crews if plan.charged or stands[place].charged]),
        paced=tuple([place for place, _ in crews if stands[place].double_paced]),
    )


PAIR = 2
"""Troops where nobody else takes part; then each side is looked at by itself, and kept."""


@lru_cache(maxsize=4096)
def _one_side(terms: Terms, own: Stand, plan: Plan) -> tuple[tuple[tuple[int, Crew], ...], int]:
    stands = (own, own)
    return crews_of(terms, stands, plan), members_of(terms, stands, plan, "friend")


@lru_cache(maxsize=4096)
def _other_side(terms: Terms, foe: Stand, plan: Plan) -> int:
    return members_of(terms, (foe, foe), plan, "enemy")
