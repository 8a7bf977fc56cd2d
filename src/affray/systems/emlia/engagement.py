"""Engagement: the kind of combat, the contacts of units, the body that is attacked."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Literal

from affray.core.step import cites
from affray.systems.emlia import rulings as rule
from affray.systems.emlia.actions import attack_of
from affray.systems.emlia.sheet import Contact
from affray.systems.emlia.state import Decisions, Terms
from affray.systems.emlia.tables import MORALE

__all__ = [
    "SIDES",
    "Combat",
    "body_of",
    "combat_of",
    "covering",
    "formation_of",
    "friends_in_combat",
    "is_ranked",
    "morale_of",
    "strikers",
    "touched",
    "turned",
]


Combat = Literal["none", "skirmish", "ranked"]


SIDES = 4
"""Sides that a unit has, and on which it can be fought."""


@lru_cache(maxsize=4096)
@cites("EM-10", "EM-13", "EM-15")
def _in_melee(terms: Terms, decided: Decisions) -> bool:
    """The acting unit is in the close combat."""
    if terms.setup.engaged or decided.charged:
        return True
    attack = attack_of(terms.troops[0].troop, decided.action)
    shoots = attack is not None and attack.like != "close_combat"
    return not shoots and not terms.setup.distance


@lru_cache(maxsize=4096)
@cites("EM-13", "EM-15")
def combat_of(terms: Terms, decided: Decisions) -> Combat:
    """The close combat round the target: none, a skirmish, or ranked.

    A ranked unit on either side makes it ranked; all else is a skirmish (two close units as well).
    """
    if terms.setup.combat != "auto":
        return terms.setup.combat
    formations = {"friend": set[str](), "enemy": set[str]()}
    for place, party in enumerate(terms.troops):
        if party.unit == place and (party.fights if place else _in_melee(terms, decided)):
            formations[party.side].add(formation_of(terms, decided, place))
    if not formations["friend"]:
        return "none"
    return "ranked" if "ranked" in formations["friend"] | formations["enemy"] else "skirmish"


def formation_of(terms: Terms, decided: Decisions, place: int) -> str:
    """The formation of a unit; who envelops or breaks ranks has taken close formation."""
    if place == 0 and (decided.wraps or decided.action == "break_ranks"):
        return "close"
    return terms.troops[place].troop.formation


def is_ranked(terms: Terms, decided: Decisions, place: int) -> bool:
    """A troop's unit stands in ranks."""
    return formation_of(terms, decided, terms.troops[place].unit) == "ranked"


def takes_part(terms: Terms, decided: Decisions, place: int) -> bool:
    party = terms.troops[place]
    return party.fights if party.unit else _in_melee(terms, decided)


@lru_cache(maxsize=4096)
@cites("EM-22")
def touched(terms: Terms, decided: Decisions, unit: int) -> Contact:
    """A unit's contact with the enemy, seen from it, after charging, aligning and enveloping."""
    contact = terms.troops[unit].contact
    if unit == 0:
        contact = decided.contact or contact
        if not (decided.aligned or decided.wraps):
            return contact
        members, fights = contact.members, contact.fighting
        return replace(
            contact,
            side="front" if decided.aligned else contact.side,
            members=None if members is None else members + decided.wrapped,
            fighting=None if fights is None else fights + decided.wrapped,
            fronts=min(SIDES, contact.fronts + decided.wraps),
        )
    return turned(touched(terms, decided, 0)) if unit == terms.target else contact


def turned(contact: Contact) -> Contact:
    """A contact as the other of the two sees it."""
    return Contact(
        side=contact.own_side, own_side=contact.side, members=contact.theirs,
        theirs=contact.members, fighting=contact.theirs_fighting,
        theirs_fighting=contact.fighting, fronts=contact.own_fronts, own_fronts=contact.fronts,
    )  # fmt: skip


@cites("EM-24")
def morale_of(terms: Terms, decided: Decisions, place: int) -> int:
    """Morale that a round of ranked combat costs a ranked unit: by side, and for extra sides."""
    if combat_of(terms, decided) != "ranked" or not takes_part(terms, decided, place):
        return 0
    if terms.troops[place].unit != place or not is_ranked(terms, decided, place):
        return 0
    contact = touched(terms, decided, place)
    return MORALE[contact.own_side] + MORALE["extra"] * (contact.own_fronts - 1)


# -- bodies -------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
@cites("EM-12", "EM-14", "EM-31", "EM-33", "EM-34", "EM-53")
def body_of(terms: Terms, decided: Decisions) -> tuple[int, ...]:
    """Places of the troops that the attack treats as one body, in their order.

    The target and who joined it, always, and others marked as part of the body. In a skirmish all
    enemies in it; for shots without Supporting Fire friends in it too. Of others only enemies
    are hit by Supporting Fire. What falls on a roof hits the roof.
    """
    attack = attack_of(terms.troops[0].troop, decided.action)
    assert attack is not None  # nothing else has a body
    like, support = attack.like, attack.support
    if like == "volley_fire":
        roof = covering(terms)
        if roof is not None:
            return (roof,)
    skirmish = combat_of(terms, decided) == "skirmish"
    wide = like == "volley_fire" and terms.rulings[rule.AREA] == "all"
    found = []
    for place, party in enumerate(terms.troops):
        if party.unit == 0:
            continue
        mixed = party.body or (skirmish and party.fights) or wide or (support and party.fights)
        spared = party.side == "friend" and (like == "close_combat" or support)
        if party.unit == terms.target or (mixed and not spared):
            found.append(place)
    return tuple(found)


@cites("EM-31")
def covering(terms: Terms) -> int | None:
    """The place of what covers the target totally from above, if anything does."""
    target = terms.troops[terms.target].troop
    if target.vertical_cover != "total":
        return None
    names = [party.name for party in terms.troops]
    return names.index(target.covered_by)


@cites("EM-33")
def friends_in_combat(terms: Terms, decided: Decisions) -> tuple[int, ...]:
    """Places of friends in the close combat: who a fumbled Supporting Fire hits."""
    return tuple(
        place
        for place, party in enumerate(terms.troops)
        if party.side == "friend" and party.unit and party.fights
    )


@cites("EM-11", "EM-12")
def strikers(terms: Terms) -> tuple[int, ...]:
    """Places of the troops that engage whoever acts: each makes its own Free Strikes."""
    return tuple(place for place, party in enumerate(terms.troops) if party.engages)
