"""Engagement: the kind of combat, the contacts of units, the body that is attacked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from affray.core.ruling import Rulings
from affray.core.step import cites
from affray.systems.emlia import rulings as rule
from affray.systems.emlia.actions import attack_of
from affray.systems.emlia.melee import is_skirmish
from affray.systems.emlia.sheet import Contact, Face
from affray.systems.emlia.state import Decisions, Terms
from affray.systems.emlia.table.contact import Edge, hostile
from affray.systems.emlia.tables import MORALE

__all__ = [
    "SIDES",
    "Combat",
    "body_of",
    "combat_of",
    "covering",
    "formation_of",
    "friends_in_combat",
    "is_hidden",
    "is_ranked",
    "loses_morale",
    "morale_lost",
    "morale_of",
    "sides_of",
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
    if terms.setup.engaged:
        return True
    attack = attack_of(terms.troops[0].troop, decided.action)
    shoots = attack is not None and attack.like != "close_combat"
    return not shoots and not terms.setup.distance


@lru_cache(maxsize=4096)
@cites("EM-13", "EM-15")
def combat_of(terms: Terms, decided: Decisions) -> Combat:
    """The close combat round the target: none, a skirmish, or ranked.

    A ranked unit in it makes it ranked (B30), and so do close units alone under a reading of B29.
    """
    if terms.setup.combat != "auto":
        return terms.setup.combat
    units = [
        place
        for place, party in enumerate(terms.troops)
        if party.unit == place and takes_part(terms, decided, place)
    ]
    if all(terms.troops[place].side == "enemy" for place in units):
        return "none"
    if terms.rulings[rule.RANKED_IN] == "two":
        two = [place for place in units if place in {0, terms.target}]
        if any(formation_of(terms, decided, place) == "ranked" for place in two):
            return "ranked"
        units = [place for place in units if not is_ranked(terms, decided, place)]
    found = [formation_of(terms, decided, place) for place in units]
    return "skirmish" if is_skirmish(found, terms.rulings) else "ranked"


def formation_of(terms: Terms, decided: Decisions, place: int) -> str:
    """The formation of a unit; one that envelops or breaks ranks has taken close formation."""
    if place == 0 and decided.closed:
        return "close"
    return terms.troops[place].troop.formation


def is_ranked(terms: Terms, decided: Decisions, place: int) -> bool:
    """A troop's unit stands in ranks."""
    return formation_of(terms, decided, terms.troops[place].unit) == "ranked"


def takes_part(terms: Terms, decided: Decisions, place: int) -> bool:
    party = terms.troops[place]
    return party.fights if party.unit else _in_melee(terms, decided)


def turned(contact: Contact) -> Contact:
    """A contact as the other of the two sees it."""
    return Contact(
        side=contact.own_side, own_side=contact.side, members=contact.theirs,
        theirs=contact.members, fighting=contact.theirs_fighting,
        theirs_fighting=contact.fighting, fronts=contact.own_fronts, own_fronts=contact.fronts,
        further=contact.own_further, own_further=contact.further,
    )  # fmt: skip


@cites("EM-22")
def touched(terms: Terms, unit: int) -> Contact:
    """A unit's contact with the enemy, seen from it."""
    return terms.troops[unit].contact


@lru_cache(maxsize=4096)
@cites("EM-24")
def sides_of(terms: Terms, decided: Decisions, place: int) -> tuple[Edge | Face, ...]:
    """The sides of a unit on which enemies fight it: one for each contact with an enemy.

    On a table the two flanks are told apart.
    """
    party = terms.troops[place]
    if terms.setup.table is not None:
        return tuple([contact.edge_of_one for contact in hostile(terms.setup.table, party.name)])
    ends = {0, terms.target}
    found: list[Edge | Face] = []
    if place not in ends or takes_part(terms, decided, 0):
        found += [party.contact.own_side, *party.contact.own_further]
    if place in ends:
        others = [
            other for number, other in enumerate(terms.troops)
            if other.unit == number and number not in ends and other.side != party.side
        ]  # fmt: skip
        found += [
            side for other in others if other.fights
            for side in (other.contact.side, *other.contact.further)
        ]  # fmt: skip
    return tuple(found)


@cites("EM-24")
def morale_of(terms: Terms, decided: Decisions, place: int) -> int:
    """Morale that a round of ranked combat costs a ranked unit: its sides, and extra ones."""
    if not loses_morale(terms, decided, place):
        return 0
    sides, fronts = sides_of(terms, decided, place), touched(terms, place).own_fronts
    return morale_lost(sides, fronts, terms.rulings)


@cites("EM-24")
def loses_morale(terms: Terms, decided: Decisions, place: int) -> bool:
    """A ranked unit loses morale by its position in ranked combat."""
    if terms.troops[place].unit != place or not is_ranked(terms, decided, place):
        return False
    if terms.setup.table is not None:
        return True
    return combat_of(terms, decided) == "ranked" and takes_part(terms, decided, place)


@cites("EM-24")
def morale_lost(sides: Sequence[Edge | Face], fronts: int, rulings: Rulings) -> int:
    """The loss from fighting on some sides, named once for each enemy there (B32).

    Args:
        sides: the side of each enemy.
        fronts: sides in all, if more than are named.
        rulings: the readings in force.
    """
    if not sides:
        return 0
    different = set(sides)
    counted = sides if rulings[rule.SIDES] == "contacts" else different
    extra = max(fronts, len(different)) - 1
    loss = sum(MORALE["flank" if side in {"left", "right"} else side] for side in counted)
    return loss + MORALE["extra"] * extra


# -- bodies -------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
@cites("EM-12", "EM-14", "EM-31", "EM-33", "EM-34", "EM-53")
def body_of(terms: Terms, decided: Decisions) -> tuple[int, ...]:
    """Places of the troops that the attack treats as one body, in their order.

    The target and those who joined it, always, and others marked as part of the body. In a
    skirmish all enemies in it; for shots without Supporting Fire friends in it too. In ranked
    combat all enemies that touch the unit (B33). Supporting Fire hits only enemies. A volley at a
    unit under a roof hits the roof.
    """
    attack = attack_of(terms.troops[0].troop, decided.action)
    assert attack is not None  # nothing else has a body
    like, support = attack.like, attack.support
    if like == "volley_fire":
        roof = covering(terms)
        if roof is not None:
            return (roof,)
    combat, two = combat_of(terms, decided), terms.rulings[rule.RANKED_IN] == "two"
    wide = like == "volley_fire" and terms.rulings[rule.AREA] == "all"
    found = []
    for place, party in enumerate(terms.troops):
        if party.unit == 0:
            continue
        mixed = party.body or wide or (support and party.fights)
        if combat == "skirmish" and party.fights:
            mixed = mixed or not (two and is_ranked(terms, decided, place))
        elif combat == "ranked" and like == "close_combat" and takes_part(terms, decided, 0):
            mixed = mixed or _touches_actor(terms, place)
        elif combat == "ranked" and like != "close_combat":
            mixed = mixed or (party.fights and terms.rulings[rule.SHOTS] == "mixed")
        spared = party.side == "friend" and (like == "close_combat" or support)
        if party.unit == terms.target or (mixed and not spared):
            found.append(place)
    if like == "aimed_fire" and terms.rulings[rule.TOTAL] == "spared":
        found = [place for place in found if not is_hidden(terms, place)] or found
    return tuple(found)


@cites("EM-30", "EM-43")
def is_hidden(terms: Terms, place: int) -> bool:
    """A troop is in total cover, and nothing has taken the cover away."""
    troop = terms.troops[place].troop
    if troop.cover != "total":
        return False
    givers = [party.troop for party in terms.troops if party.name == troop.covered_by]
    rows = [row for giver in givers for row in giver.table if row.name in giver.came_up]
    return not any(row.uncovers or row.destroyed for row in rows)


@cites("EM-53")
def _touches_actor(terms: Terms, place: int) -> bool:
    """A troop is of an enemy that touches the acting unit in ranked combat, and is attacked too."""
    party = terms.troops[place]
    if party.side == "friend" or terms.rulings[rule.RANKED_BODY] == "one":
        return False
    return party.fights and (party.engages or terms.setup.table is None)


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


@lru_cache(maxsize=512)
@cites("EM-11", "EM-12", "EM-63")
def strikers(terms: Terms) -> tuple[int, ...]:
    """Places of the troops that engage the acting unit: each makes its own Free Strikes.

    In a skirmish these are all enemies in it: they share one boundary.
    """
    skirmish = terms.setup.engaged and combat_of(terms, Decisions()) == "skirmish"
    return tuple(
        place
        for place, party in enumerate(terms.troops)
        if party.engages or (skirmish and party.side == "enemy" and party.fights)
    )
