"""Numbers that count: members in the combat, odds, skill levels, and the dice of a check."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import floor
from typing import Literal

from affray.core.lazy import NamedTuple
from affray.core.ruling import Rulings
from affray.core.step import cites
from affray.systems.emlia import rulings as rule
from affray.systems.emlia.actions import attack_of, skill_of, weapon_for
from affray.systems.emlia.engagement import body_of, combat_of, takes_part, touched
from affray.systems.emlia.gear import Row, Skill
from affray.systems.emlia.sheet import Troop
from affray.systems.emlia.state import Decisions, Status, Terms, weakens_by_points
from affray.systems.emlia.table import contact
from affray.systems.emlia.tables import LACKING, RATIO

__all__ = [
    "MANY",
    "PAIR",
    "CheckInputs",
    "Crew",
    "attacking",
    "bares",
    "crews_of",
    "dice_of",
    "fighting",
    "in_contact",
    "inputs_of",
    "is_here",
    "level_of",
    "members_of",
    "odds_of",
    "outnumbered",
    "press_of",
    "rows_of",
    "speed_of",
    "uncovers",
]


def rows_of(troop: Troop, status: Status) -> tuple[Row, ...]:
    """Rows of a troop's table that have come up, each once."""
    return tuple(row for row in troop.table if row.name in status.rolled)


def uncovers(troop: Troop, status: Status) -> bool:
    """A destroyed or breached troop no longer covers those on it or behind it."""
    return status.destroyed or any(row.uncovers for row in rows_of(troop, status))


def is_here(status: Status) -> bool:
    """A troop is still there if it has members and is neither destroyed nor broken."""
    return status.members > 0 and not status.destroyed and not status.broken


# -- members ------------------------------------------------------------------------------


MANY = 1_000_000
"""More members than any unit has: all of them count, or touch somebody."""


@cites("EM-22", "EM-44")
def fighting(terms: Terms, statuses: tuple[Status, ...], decided: Decisions, place: int) -> int:
    """Members of a troop who count: all, or in ranked combat those in contact and in reach.

    Who is marked counts until the Resolution Phase. Characters who joined are always in contact.
    """
    status = statuses[place]
    return min(status.members, _most_fighting(terms, decided, place)) if is_here(status) else 0


@lru_cache(maxsize=4096)
def _most_fighting(terms: Terms, decided: Decisions, place: int) -> int:
    """The most members of a troop who can count."""
    party = terms.troops[place]
    if party.unit != place or combat_of(terms, decided) != "ranked":
        return MANY
    seen = touched(terms, place)
    if seen.fighting is not None:
        return seen.fighting
    return MANY if seen.members is None else seen.members * (1 + party.troop.reach)


@cites("EM-26")
def press_of(terms: Terms, statuses: tuple[Status, ...], decided: Decisions) -> int:
    """Members of the acting unit who press forward, where ranks meet head to head.

    How many is a number of the setup; at most those who are left and not in contact yet.
    """
    if combat_of(terms, decided) != "ranked" or not takes_part(terms, decided, 0):
        return 0
    seen = touched(terms, 0)
    head_to_head = seen.side == seen.own_side == "front"
    if seen.members is None or not head_to_head:
        return 0
    return max(0, min(terms.setup.press, statuses[0].members - seen.members))


@cites("EM-22", "EM-26")
def in_contact(
    terms: Terms, statuses: tuple[Status, ...], decided: Decisions, pressed: int = 0
) -> int:
    """Members of the acting unit who touch the target, including those who pressed forward."""
    if not takes_part(terms, decided, 0):
        return 0
    members = touched(terms, 0).members
    return statuses[0].members if members is None else min(statuses[0].members, members + pressed)


# -- odds ---------------------------------------------------------------------------------


def members_of(
    terms: Terms, statuses: tuple[Status, ...], decided: Decisions, side: Literal["friend", "enemy"]
) -> int:
    """Members of a side who are in the close combat; under a reading of B25 its units."""
    counts: dict[int, int] = {}
    for place, unit, most in _involved_of(terms, decided, side):
        status = statuses[place]
        if is_here(status) and most:
            counts[unit] = counts.get(unit, 0) + min(status.members, most)
    return len(counts) if terms.rulings[rule.COUNTED] == "units" else sum(counts.values())


@lru_cache(maxsize=4096)
def _involved_of(
    terms: Terms, decided: Decisions, side: Literal["friend", "enemy"]
) -> tuple[tuple[int, int, int], ...]:
    """The troops of a side in the close combat: place, unit, and as in `_most_involved`."""
    return tuple([
        (place, party.unit, _most_involved(terms, decided, place))
        for place, party in enumerate(terms.troops)
        if party.side == side and takes_part(terms, decided, place)
    ])  # fmt: skip


@cites("EM-22")
def _most_involved(terms: Terms, decided: Decisions, place: int) -> int:
    """The most members of a troop in the close combat, whomever of the enemy they touch."""
    most = _most_fighting(terms, decided, place)
    total = _touching(terms, decided, place, terms.troops[place].troop.reach) if most else None
    return most if total is None else total


@lru_cache(maxsize=4096)
@cites("EM-22")
def _touching(terms: Terms, decided: Decisions, place: int, reach: int) -> int | None:
    """Members of a unit who touch any enemy in ranked combat, each once, and those in reach.

    Without a table the numbers of the setup are added up, for attacker and target. None: nobody
    else fights there, or all touch somebody; then `fighting` knows.
    """
    party, setup, ends = terms.troops[place], terms.setup, {0, terms.target}
    if party.unit != place or combat_of(terms, decided) != "ranked":
        return None
    foes = [
        other for other, foe in enumerate(terms.troops)
        if foe.unit == other and foe.side != party.side and takes_part(terms, decided, other)
    ]  # fmt: skip
    if setup.table is not None:
        enemies = [setup.table.of(terms.troops[foe].name) for foe in foes]
        return contact.fighting(setup.table.of(party.name), enemies, reach) or None
    total = touched(terms, place).members
    more = [touched(terms, foe).theirs for foe in foes if foe not in ends]
    if place not in ends or total is None or not more:
        return None
    every = [total, *[MANY if theirs is None else theirs for theirs in more]]
    return sum(every) * (1 + reach)


@cites("EM-30", "EM-32", "EM-36")
def odds_of(many: int, few: int, *, strict: bool) -> int:
    """Count the rows of being outnumbered: 0 not at all, 1 at all, 2 by two to one, 3 by three.

    Args:
        many: members of the one side.
        few: members of the other.
        strict: whether it takes more than two and three to one, or just so much.
    """
    if many <= few:
        return 0
    over = 1 if strict else 0
    return 1 + sum(many >= RATIO[step] * few + over for step in ("two", "three"))


def outnumbered(friends: int, enemies: int, *, strict: bool) -> tuple[int, int]:
    """How badly the enemies are outnumbered, and the friends, as `odds_of` counts.

    A side of which nobody takes part isn't outnumbered.
    """
    return (
        odds_of(friends, enemies, strict=strict) if enemies else 0,
        odds_of(enemies, friends, strict=strict) if friends else 0,
    )


# -- levels and dice ----------------------------------------------------------------------


@lru_cache(maxsize=16384)
def _level(skill: Skill, gone: int, *, per_value: bool) -> int:
    """A skill level with so many members missing."""
    value = Fraction(skill.diminish)
    if not value:
        return skill.level
    fall = floor(gone / value) if per_value else value * gone
    return max(0, floor(skill.level - fall))


@cites("EM-22", "EM-44", "EM-45")
def level_of(troop: Troop, status: Status, skill: Skill, rulings: Rulings, out: int = 0) -> int:
    """The level of a skill as a troop is now; members who are marked still count.

    Members out of the combat (`out`), by distance or because they are pinned, do not.
    """
    gone = status.lost + out
    if weakens_by_points(troop, rulings):
        gone += status.points
    level = _level(skill, gone, per_value=rulings[rule.DIMINISH] == "per_value")
    return max(0, level - status.weaker)


@cites("EM-43")
def speed_of(troop: Troop, status: Status) -> float:
    """The speed, as rolls on a troop's table have left it; of several the lowest counts."""
    speeds = [row.speed for row in rows_of(troop, status) if row.speed is not None]
    return min([troop.speed, *speeds])


class Crew(NamedTuple):
    """A troop's part in a check: its dice, a modifier of its skill, and the clause of that."""

    dice: int
    bonus: int = 0
    label: str = ""
    clause: str = "EM-5"


@cites("EM-3", "EM-5", "EM-22", "EM-45")
def dice_of(troop: Troop, status: Status, skill: str, rulings: Rulings, out: int = 0) -> Crew:
    """Dice of a check, and what its skill does to the difficulty.

    Args:
        troop: who rolls.
        status: how it is now.
        skill: what is rolled.
        rulings: those on dice (B4), on lacking skills (B21) and on diminish values (B5).
        out: members who don't take part.
    """
    members = status.members - out
    if members <= 0 or not is_here(status):
        return Crew(0)
    known, by_members = skill_of(troop, skill), rulings[rule.DICE] == "members"
    if known is not None:
        level = level_of(troop, status, known, rulings, out)
        return Crew(members, level, "skill level", "EM-3") if by_members else Crew(level)
    levels = [level_of(troop, status, s, rulings, out) for s in troop.skills]
    best = max([LACKING["die"], *levels])
    reading = rulings[rule.LACKING]
    if reading == "one_die":
        return Crew(LACKING["die"])
    if reading == "half":
        return Crew(max(LACKING["die"], best // LACKING["share"]))
    return Crew(best, LACKING["penalty"], "without the skill")


# -- inputs of a check ------ --------------------------------------------------------------


class CheckInputs(NamedTuple):
    """The changing facts that the numbers of a check depend on.

    Attributes:
        crews: for each troop that attacks its place and what it brings.
        enemy_out, friend_out: how badly enemies and friends are outnumbered, 0 to 3.
        sizes: members of each troop of the body, those marked included, if there are several.
        exposed: of each troop of the body. bared: it has lost its cover. unaware: it has not
            noticed the acting unit, or it is gone.
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


def bares(terms: Terms, statuses: tuple[Status, ...], place: int) -> bool:
    """A troop loses its cover when the troop that gives it is destroyed or breached."""
    troop = terms.troops[place].troop
    if not troop.covered_by:
        return False
    for other, party in enumerate(terms.troops):
        if party.name == troop.covered_by:
            return uncovers(party.troop, statuses[other])
    return False


@cites("EM-22", "EM-53")
def attacking(terms: Terms, statuses: tuple[Status, ...], decided: Decisions, place: int) -> int:
    """Members of a troop of the acting unit who attack."""
    attack, status = attack_of(terms.troops[0].troop, decided.action), statuses[place]
    close = attack is not None and attack.like == "close_combat"
    if place == 0 and close and is_here(status):
        body = {terms.troops[other].unit for other in body_of(terms, decided)}
        if len(body) > 1:
            return min(status.members, _most_involved(terms, decided, 0))
    return fighting(terms, statuses, decided, place)


@lru_cache(maxsize=4096)
@cites("EM-50")
def crews_of(
    terms: Terms, statuses: tuple[Status, ...], decided: Decisions
) -> tuple[tuple[int, Crew], ...]:
    """The troops that make an attack, each by itself: the unit, and those who joined and can.

    In ranked combat members in contact count; with any of several enemies attacked as one (B33).

    Args:
        terms: the troops.
        statuses: of the unit that acts and of those who joined it; others don't matter.
        decided: the attack.
    """
    found = []
    for place, party in enumerate(terms.troops):
        if party.unit != 0:
            break
        attack = attack_of(party.troop, decided.action)
        if attack is None:
            continue
        if place and not attack.default and skill_of(party.troop, attack.skill) is None:
            continue
        if place and attack.like != "close_combat" and weapon_for(party.troop, attack) is None:
            continue
        status = statuses[place]
        out = status.members - attacking(terms, statuses, decided, place)
        crew = dice_of(party.troop, status, attack.skill, terms.rulings, out)
        if crew.dice or place == 0:
            found.append((place, crew))
    return tuple(found)


@lru_cache(maxsize=4096)
def _strict(terms: Terms, decided: Decisions) -> bool:
    attack = attack_of(terms.troops[0].troop, decided.action)
    assert attack is not None  # odds are those of an attack
    return attack.like == "aimed_fire"


def inputs_of(terms: Terms, statuses: tuple[Status, ...], decided: Decisions) -> CheckInputs:
    """Collect what the numbers of an attack depend on now."""
    body, strict = body_of(terms, decided), _strict(terms, decided)
    if len(terms.troops) == len(statuses) == PAIR:
        crews, friends = _one_side(terms, statuses[0], decided)
        enemies = _other_side(terms, statuses[1], decided)
    else:
        own = statuses[: 1 + len(terms.setup.attacker.joined)]
        crews = crews_of(terms, own, decided)
        friends = members_of(terms, statuses, decided, "friend")
        enemies = members_of(terms, statuses, decided, "enemy")
    sizes: tuple[int, ...] = ()
    if len(body) > 1:
        sizes = tuple(statuses[place].members * is_here(statuses[place]) for place in body)
    enemy_out, friend_out = outnumbered(friends, enemies, strict=strict)
    return CheckInputs(
        crews=crews,
        enemy_out=enemy_out,
        friend_out=friend_out,
        sizes=sizes,
        exposed=tuple([statuses[place].exposed for place in body]),
        bared=tuple([bares(terms, statuses, place) for place in body]),
        unaware=tuple([statuses[n].unaware or not is_here(statuses[n]) for n in body]),
        aligned=tuple([place for place, _ in crews if statuses[place].aligned]),
        charged=tuple([place for place, _ in crews if decided.charged or statuses[place].charged]),
        paced=tuple([place for place, _ in crews if statuses[place].double_paced]),
    )


PAIR = 2
"""Troops where nobody else takes part; then each side is looked at by itself, and kept."""


@lru_cache(maxsize=4096)
def _one_side(
    terms: Terms, own: Status, decided: Decisions
) -> tuple[tuple[tuple[int, Crew], ...], int]:
    statuses = (own, own)
    return crews_of(terms, statuses, decided), members_of(terms, statuses, decided, "friend")


@lru_cache(maxsize=4096)
def _other_side(terms: Terms, foe: Status, decided: Decisions) -> int:
    return members_of(terms, (foe, foe), decided, "enemy")
