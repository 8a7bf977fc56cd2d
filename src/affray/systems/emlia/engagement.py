"""Who fights whom: the kind of combat, the body that is attacked, members that count, odds."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Literal, NamedTuple

from affray.core.step import cites
from affray.systems.emlia import rulings as rule
from affray.systems.emlia.body import Stand
from affray.systems.emlia.sheet import Contact, Own, Troop
from affray.systems.emlia.state import Plan, Terms
from affray.systems.emlia.tables import MORALE, RATIO

__all__ = [
    "Attack", "attack_of", "body_of", "combat_of", "fighting", "formation_of",
    "friends_in_combat", "in_contact", "is_here", "is_ranked", "members_of", "morale_of",
    "odds_of", "own_action", "press_of", "strikers", "touched", "turned",
]  # fmt: skip

Combat = Literal["none", "skirmish", "ranked"]
SIDES = 4
"""Sides that a unit has, and on which it can be fought."""
MANY = 1_000_000
"""More members than any unit has: all of them touch somebody."""


def is_here(stand: Stand) -> bool:
    """Whether a troop is still there: it has members, and is neither destroyed nor broken."""
    return stand.members > 0 and not stand.destroyed and not stand.broken


# -- actions ---------------------------------------------------------------------------------


class Attack(NamedTuple):
    """What an attack action is.

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


def own_action(troop: Troop, name: str) -> Own | None:
    """The action of a troop's own with this name."""
    return next((own for own in troop.actions if own.name == name), None)


@cites("EM-1", "EM-1b", "EM-30", "EM-31", "EM-32", "EM-33")
def attack_of(troop: Troop, action: str) -> Attack | None:
    """What an action is to a troop; None: no attack, or not one of its own."""
    own = own_action(troop, action)
    if own is not None:
        return Attack(own.like, own.skill or own.name, own.default, own=own)
    if action == "volley_fire":
        return Attack("volley_fire", "volley_fire", default=False)
    if action in {"aimed_fire", "supporting_fire"}:
        return Attack("aimed_fire", "aimed_fire", support=action == "supporting_fire")
    if action in {"close_combat", "charge"}:
        return Attack("close_combat", "close_combat")
    return None


# -- the combat ------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
@cites("EM-10", "EM-13", "EM-15")
def _in_melee(terms: Terms, plan: Plan) -> bool:
    """Whether whoever acts is in the close combat."""
    if terms.setup.engaged or plan.charged:
        return True
    attack = attack_of(terms.troops[0].troop, plan.action)
    shoots = attack is not None and attack.like != "close_combat"
    return not shoots and not terms.setup.distance


@lru_cache(maxsize=4096)
@cites("EM-13", "EM-15")
def combat_of(terms: Terms, plan: Plan) -> Combat:
    """The close combat round the target: none, a skirmish, or ranked.

    A ranked unit on either side makes it ranked; all else is a skirmish (two close units as well).
    """
    if terms.setup.combat != "auto":
        return terms.setup.combat
    formations = {"friend": set[str](), "enemy": set[str]()}
    for place, party in enumerate(terms.troops):
        if party.unit == place and (party.fights if place else _in_melee(terms, plan)):
            formations[party.side].add(formation_of(terms, plan, place))
    if not formations["friend"]:
        return "none"
    return "ranked" if "ranked" in formations["friend"] | formations["enemy"] else "skirmish"


def formation_of(terms: Terms, plan: Plan, place: int) -> str:
    """The formation of a unit; who envelops or breaks ranks has taken close formation."""
    if place == 0 and (plan.wraps or plan.action == "break_ranks"):
        return "close"
    return terms.troops[place].troop.formation


def is_ranked(terms: Terms, plan: Plan, place: int) -> bool:
    """Whether a troop's unit stands in ranks."""
    return formation_of(terms, plan, terms.troops[place].unit) == "ranked"


def _fights(terms: Terms, plan: Plan, place: int) -> bool:
    party = terms.troops[place]
    return party.fights if party.unit else _in_melee(terms, plan)


@lru_cache(maxsize=4096)
@cites("EM-22")
def touched(terms: Terms, plan: Plan, unit: int) -> Contact:
    """How a unit touches the enemy, seen from it, after charging, aligning and enveloping."""
    contact = terms.troops[unit].contact
    if unit == 0:
        contact = plan.contact or contact
        if not (plan.aligned or plan.wraps):
            return contact
        members, fights = contact.members, contact.fighting
        return replace(
            contact,
            side="front" if plan.aligned else contact.side,
            members=None if members is None else members + plan.wrapped,
            fighting=None if fights is None else fights + plan.wrapped,
            fronts=min(SIDES, contact.fronts + plan.wraps),
        )
    return turned(touched(terms, plan, 0)) if unit == terms.target else contact


def turned(contact: Contact) -> Contact:
    """A contact as the other of the two sees it."""
    return Contact(
        side=contact.own_side, own_side=contact.side, members=contact.theirs,
        theirs=contact.members, fighting=contact.theirs_fighting,
        theirs_fighting=contact.fighting, fronts=contact.own_fronts, own_fronts=contact.fronts,
    )  # fmt: skip


@cites("EM-22", "EM-44")
def fighting(terms: Terms, stands: tuple[Stand, ...], plan: Plan, place: int) -> int:
    """Members of a troop who count: all, or in ranked combat those in contact and in reach.

    Who is marked counts until the Resolution Phase. Characters who joined are always in contact.
    """
    stand, party = stands[place], terms.troops[place]
    if not is_here(stand):
        return 0
    if party.unit != place or combat_of(terms, plan) != "ranked":
        return stand.members
    contact = touched(terms, plan, place)
    if contact.fighting is not None:
        return min(stand.members, contact.fighting)
    if contact.members is None:
        return stand.members
    return min(stand.members, contact.members * (1 + party.troop.reach))


@cites("EM-24")
def morale_of(terms: Terms, plan: Plan, place: int) -> int:
    """What a round of ranked combat costs a ranked unit's morale: side, and sides beyond one."""
    if combat_of(terms, plan) != "ranked" or not _fights(terms, plan, place):
        return 0
    if terms.troops[place].unit != place or not is_ranked(terms, plan, place):
        return 0
    contact = touched(terms, plan, place)
    return MORALE[contact.own_side] + MORALE["extra"] * (contact.own_fronts - 1)


@cites("EM-26")
def press_of(terms: Terms, stands: tuple[Stand, ...], plan: Plan) -> int:
    """Members of whoever acts who press forward, where ranks meet head to head.

    How many is a number of the setup; at most those who are left and not in contact yet.
    """
    if combat_of(terms, plan) != "ranked" or not _fights(terms, plan, 0):
        return 0
    contact = touched(terms, plan, 0)
    head_to_head = contact.side == contact.own_side == "front"
    if contact.members is None or not head_to_head:
        return 0
    return max(0, min(terms.setup.press, stands[0].members - contact.members))


@cites("EM-22", "EM-26")
def in_contact(terms: Terms, stands: tuple[Stand, ...], plan: Plan, pressed: int = 0) -> int:
    """Members of whoever acts who touch the enemy, those who have pressed forward included."""
    if not _fights(terms, plan, 0):
        return 0
    members = touched(terms, plan, 0).members
    return stands[0].members if members is None else min(stands[0].members, members + pressed)


# -- bodies ----------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
@cites("EM-12", "EM-14", "EM-31", "EM-33", "EM-34", "EM-53")
def body_of(terms: Terms, plan: Plan) -> tuple[int, ...]:
    """Places of the troops that the attack treats as one body, in their order.

    The target and who joined it, always, and others marked as part of the body. In a skirmish all
    enemies in it; for shots without Supporting Fire friends in it too. Of others only enemies
    are hit by Supporting Fire. What falls on a roof hits the roof.
    """
    attack = attack_of(terms.troops[0].troop, plan.action)
    like = attack.like if attack is not None else "close_combat"
    support = attack is not None and attack.support
    if like == "volley_fire":
        roof = covering(terms)
        if roof is not None:
            return (roof,)
    skirmish = combat_of(terms, plan) == "skirmish"
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
def friends_in_combat(terms: Terms, plan: Plan) -> tuple[int, ...]:
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


# -- odds ------------------------------------------------------------------------------------


def members_of(
    terms: Terms, stands: tuple[Stand, ...], plan: Plan, side: Literal["friend", "enemy"]
) -> int:
    """Members of a side who are in the close combat; under a reading of B25 its units."""
    counts: dict[int, int] = {}
    for place, party in enumerate(terms.troops):
        if party.side == side and _fights(terms, plan, place):
            members = _involved(terms, stands, plan, place)
            if members:
                counts[party.unit] = counts.get(party.unit, 0) + members
    return len(counts) if terms.rulings[rule.COUNTED] == "units" else sum(counts.values())


@cites("EM-22")
def _involved(terms: Terms, stands: tuple[Stand, ...], plan: Plan, place: int) -> int:
    """Members of a troop who are in the close combat, whomever of the enemy they touch."""
    members = fighting(terms, stands, plan, place)
    total = _touching(terms, plan, place)
    if not members or total is None:
        return members
    return min(stands[place].members, total * (1 + terms.troops[place].troop.reach))


@lru_cache(maxsize=4096)
def _touching(terms: Terms, plan: Plan, place: int) -> int | None:
    """Members of attacker or target who touch the other, or others in the combat.

    None: nobody else fights there, or all touch somebody; then `fighting` knows.
    """
    if place not in {0, terms.target} or combat_of(terms, plan) != "ranked":
        return None
    side, more = terms.troops[place].side, []
    for other, party in enumerate(terms.troops):
        others = party.unit == other and other not in {0, terms.target}
        if others and party.side != side and party.fights:
            more.append(touched(terms, plan, other).theirs)
    total = touched(terms, plan, place).members
    if not more or total is None:
        return None
    return sum([total, *[MANY if theirs is None else theirs for theirs in more]])


@cites("EM-30", "EM-32", "EM-36")
def odds_of(many: int, few: int, *, strict: bool) -> int:
    """How badly the few are outnumbered: 0 not at all, 1 at all, 2 by two to one, 3 by three.

    Args:
        many: members of the one side.
        few: members of the other.
        strict: whether it takes more than two and three to one, or just so much.
    """
    if many <= few:
        return 0
    over = 1 if strict else 0
    return 1 + sum(many >= RATIO[step] * few + over for step in ("two", "three"))
