"""Targets in ranks that an attack can't tell apart, for hints. Nothing here is a rule."""

from __future__ import annotations

from functools import lru_cache

from affray.core.errors import SetupError
from affray.systems.emlia.actions import attack_of
from affray.systems.emlia.attacking import only_attacks
from affray.systems.emlia.fight import situation
from affray.systems.emlia.parties import terms_of
from affray.systems.emlia.sheet import Setup
from affray.systems.emlia.standing import Condition, Ranks, stands
from affray.systems.emlia.state import Decisions, Terms
from affray.systems.emlia.strength import members_of, outnumbered

__all__ = ["against"]


def against(setup: Setup, own: Condition, foe: Condition) -> Condition:
    """The strongest target in ranks that the acting unit attacks with the same numbers.

    Before hits fall, the number of a target's members matters only in so far as it is outnumbered;
    hits know no end of such a target.
    """
    if type(own) is not Ranks or type(foe) is not Ranks:
        return foe
    strongest = _strongest(setup, own)
    return strongest[foe.members] if foe.members < len(strongest) else foe


@lru_cache(maxsize=4096)
def _strongest(setup: Setup, own: Ranks) -> tuple[Ranks, ...]:
    """For each number of members of the target the strongest one that comes to the same.

    Empty where more than the numbers of one attack may depend on it.
    """
    try:
        terms = terms_of(situation(setup, ()), own.rulings)
    except SetupError:  # the declaration will say so
        return ()
    attacks = only_attacks(terms)
    if len(attacks) != 1:
        return ()
    (decided,) = attacks
    attack = attack_of(terms.troops[0].troop, decided.action)
    assert attack is not None  # just seen
    statuses = stands(setup.attacker, own) * 2
    friends, strict = members_of(terms, statuses, decided, "friend"), attack.like == "aimed_fire"
    last: dict[object, Ranks] = {}
    found = []
    for members, enemies in reversed(list(enumerate(_enemies(terms, decided)))):
        enemy_out, friend_out = outnumbered(friends, enemies, strict=strict)
        key = (
            bool(members), enemy_out if attack.like != "volley_fire" else 0,
            friend_out if attack.like == "aimed_fire" else 0,
        )  # fmt: skip
        if key not in last:
            last[key] = Ranks(members, 0, 0, own.rulings)
        found.append(last[key])
    return tuple(found[::-1])


@lru_cache(maxsize=512)
def _enemies(terms: Terms, decided: Decisions) -> tuple[int, ...]:
    """For each number of members of the target how many of them are in the combat."""
    unit = terms.setup.defender
    found = []
    for members in range(unit.members + unit.lost + 1):
        statuses = stands(unit, Ranks(members, 0, 0, terms.rulings)) * 2
        found.append(members_of(terms, statuses, decided, "enemy"))
    return tuple(found)
