"""A fight: rounds in which every unit attacks once, each followed by a Resolution Phase.

Units stand where the situation says; nobody moves. What hits do is marked and taken when the round
is over, so all attack with the strength that they had at its start. That a unit has charged, has
paced at double, has just aligned or is unaware holds for the first round. A unit fights together
with those who joined it. Who attacks in close combat has met the target and all of its mates who
are not in ranks: if any of them, or the attacker, is in open formation, it is a skirmish, and
target and mates are one body. Close units among themselves keep to the one that they attack. Who
outnumbers whom is counted between the two that meet. A Disengage, moves and what a table does to
cover stay outside.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import fields
from fractions import Fraction
from functools import lru_cache
from math import ceil
from typing import Literal

from affray.core.fight import ATTACK, Deed, Fight, Role, Scene
from affray.core.lazy import NamedTuple
from affray.core.node import At
from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.step import cites
from affray.systems.emlia import rulings as rule
from affray.systems.emlia.aftermath import resolved
from affray.systems.emlia.asking import MATTERS
from affray.systems.emlia.board import BOARD
from affray.systems.emlia.declaration import declared
from affray.systems.emlia.engagement import loses_morale, morale_lost, sides_of, touched
from affray.systems.emlia.lasting import leaves
from affray.systems.emlia.sheet import Face, Other, Setup, Troop, Unit
from affray.systems.emlia.standing import (
    Condition,
    Force,
    Ranks,
    has_tables,
    packed,
    stands,
    troops_of,
)
from affray.systems.emlia.state import Exchange, Held, Status, status_of, weakens_by_points
from affray.systems.emlia.strength import is_here
from affray.systems.emlia.table.contact import Edge
from affray.systems.emlia.tactics import rule_of_thumb
from affray.systems.emlia.telling import mended, told

__all__ = ["FIGHT", "NO_EFFECT", "Effect", "Mates", "calm", "met", "seen", "situation"]


class Effect(NamedTuple):
    """The effect of an exchange on one participant.

    Attributes:
        points: of damage.
        markers: that lie on it now, if nobody joined it; -1: as before.
        statuses: how the unit and those who joined it are now, where a table makes more of hits
            than points.
        sides: on which the exchange fought it, where that costs morale. fronts: sides in all.
        each: points and markers of the unit and of those who joined it, if any did.
    """

    points: int = 0
    markers: int = -1
    statuses: tuple[Status, ...] = ()
    sides: tuple[Edge | Face, ...] = ()
    fronts: int = 1
    each: tuple[tuple[int, int], ...] = ()


NO_EFFECT = Effect()


def enter(unit: Unit, rulings: Rulings) -> Condition:
    """A unit as its sheet has it."""
    statuses = [_short(troop, status_of(troop, rulings), rulings) for troop in troops_of(unit)]
    return packed(unit, tuple(statuses), rulings)


@cites("EM-13", "EM-64")
def beside(
    unit: Unit, condition: Condition, mates: Sequence[Unit], foes: Sequence[Unit]
) -> Condition:
    """A unit that is not alone, where anybody is in open formation: hits may be shared."""
    own = [one for one in (unit, *mates) if one.formation != "ranked"]
    found = {one.formation for one in (*own, *foes)}
    met = any(foe.formation != "ranked" for foe in foes)
    if unit.formation == "ranked" or len(own) == 1 or not met or "open" not in found:
        return condition
    troops = [troop for one in own for troop in troops_of(one)]
    alike = len({_to_hit(troop) for troop in troops}) == 1 and not any(t.covered_by for t in troops)
    mingles: Literal["alike", "apart"] = "alike" if alike else "apart"
    if isinstance(condition, Ranks):
        return Force(stands(unit, condition), condition.rulings, mingles=mingles)
    return condition._replace(mingles=mingles)


def _to_hit(troop: Troop) -> tuple[object, ...]:
    """What makes a troop easier or harder to hit in close combat than its mates."""
    return troop.concealment, troop.cover, troop.elevation, troop.rough, troop.to_hit


# -- what an exchange sees -----------------------------------------------------------------------


@cites("EM-44")
def seen(unit: Unit, condition: Condition) -> tuple[Status, ...]:
    """Stands as the others see them: what is marked doesn't show before the round is over."""
    if isinstance(condition, Ranks):
        return _calmed(unit, Ranks(condition.members, 0, 0, condition.rulings))
    return _calmed(unit, Force(condition.statuses, condition.rulings))


@lru_cache(maxsize=65536)
def _calmed(unit: Unit, condition: Condition) -> tuple[Status, ...]:
    return tuple([calm(status) for status in stands(unit, condition)])


def calm(status: Status) -> Status:
    """A troop without what only hits look at."""
    return status._replace(marked=0, damage=0, wear=0, fresh=0, markers=0)


def _found(condition: Condition) -> Held:
    """The state of the target that hits meet."""
    if isinstance(condition, Ranks):
        return condition.markers
    return condition.statuses if condition.hits is None else condition.hits


@cites("EM-13", "EM-34", "EM-64")
def context(mates: Sequence[tuple[Unit, Condition]]) -> Hashable:
    """All mates, if any of them may share hits with another; how they are where they may."""
    if not any(_mixes(unit, now) for unit, now in mates):
        return None
    return tuple((unit, now if _mixes(unit, now) else None) for unit, now in mates)


def _mixes(unit: Unit, condition: Condition) -> bool:
    """A unit may be one body with its mates: an open one, or a close one that mingles."""
    return isinstance(condition, Force) and (unit.formation == "open" or condition.mingles != "")


Mates = tuple[tuple[Unit, Force | None], ...]
"""Mates of the target, each with its condition where hits may fall on it too."""


@lru_cache(maxsize=4096)
def situation(setup: Setup, mates: tuple[tuple[Unit, bool], ...]) -> Setup:
    """A setup with what a fight fills in; some mates of the target may be one body with it."""
    others = tuple(Other(who=unit, side="enemy", body=body, fights=False) for unit, body in mates)
    return replace(
        setup, engaged=False, leaves=False, may_align=False, wrap=(), resolution=False, table=None,
        path=(), others=others, combat="skirmish" if mates else setup.combat,
    )  # fmt: skip


@lru_cache(maxsize=4096)
def _may_mix(setup: Setup) -> bool:
    """An attack in close combat, neither side being in ranks."""
    formations = {setup.attacker.formation, setup.defender.formation}
    melee = not setup.distance and setup.combat in {"auto", "skirmish"}
    return melee and "ranked" not in formations


@cites("EM-13", "EM-63", "EM-64")
def _is_skirmish(setup: Setup, mates: Mates) -> bool:
    """A unit in open formation makes one body of the enemies who are not in ranks.

    The one that attacks, the target, or a mate of the target who is left.
    """
    if "open" in {setup.attacker.formation, setup.defender.formation}:
        return True
    return any(
        unit.formation == "open" and now is not None and not is_out(unit, now)
        for unit, now in mates
    )


@lru_cache(maxsize=4096)
def _led(setup: Setup, by: int) -> Setup:
    """A setup in which those who joined the attacker act without it, one of them in its place."""
    leader, *rest = setup.attacker.joined[by - 1 :]
    sheet = {field.name: getattr(leader, field.name) for field in fields(Troop)}
    return replace(setup, attacker=Unit(**sheet, joined=tuple(rest)), weapon="")


def declare(scene: Scene[Setup, Condition]) -> At[Exchange]:
    """An attack of one unit on another as they are now.

    Raises:
        SetupError: as for `declaration.declared`.
    """
    given, rulings = scene.setup, scene.rulings
    setup, enemies, found = met(given, scene.target, scene.context)
    own = seen(given.attacker, scene.actor)
    if not is_here(own[0]) and len(own) > 1:
        by = next(place for place, status in enumerate(own) if is_here(status))
        setup, own = _led(setup, by), own[by:]
    return declared(setup, own + enemies, rulings, held=found)


def met(
    given: Setup, target: Condition, context: Hashable
) -> tuple[Setup, tuple[Status, ...], Held]:
    """The enemies that an attack meets: the situation, how they are seen, how hits find the target.

    Args:
        given: the sheets of both and the situation.
        target: the condition of the target.
        context: what is said of its mates.
    """
    mates: Mates = ()
    if context is not None and _may_mix(given):
        mates = context  # type: ignore[assignment]  # made by `context`
        if not _is_skirmish(given, mates):
            mates = ()
    setup = situation(given, tuple([(unit, now is not None) for unit, now in mates]))
    statuses = seen(given.defender, target)
    for unit, now in mates:
        statuses += (Status(0),) * len(troops_of(unit)) if now is None else now.statuses
    return setup, statuses, _found(target)


# -- what it did ---------------------------------------------------------------------------------


def effect(outcome: Exchange, role: Role) -> Effect:
    """The effect of an exchange on the actor or on the target."""
    if role == "actor":
        return NO_EFFECT
    terms = outcome.terms
    sides: tuple[Edge | Face, ...] = ()
    fronts = 1
    if terms.rulings[rule.MORALE] == "on" and loses_morale(terms, outcome.decided, terms.target):
        sides = sides_of(terms, outcome.decided, terms.target)
        fronts = touched(terms, terms.target).own_fronts
    if not outcome.dealt:
        return Effect(sides=sides, fronts=fronts) if sides else NO_EFFECT
    suffered = _suffered(outcome, terms.setup.defender, terms.target)
    return suffered._replace(sides=sides, fronts=fronts)


def _suffered(outcome: Exchange, unit: Unit, first: int) -> Effect:
    """The effect of hits on the unit at a place and on those who joined it."""
    last = first + 1 + len(unit.joined)
    points, now = outcome.dealt[first:last], outcome.statuses[first:last]
    if has_tables(unit):
        return Effect(sum(points), statuses=now)
    if not unit.joined:
        return Effect(points[0], now[0].markers)
    each = zip(points, [status.markers for status in now], strict=True)
    return Effect(sum(points), each=tuple(each))


@cites("EM-34", "EM-53")
def helped(outcome: Exchange) -> tuple[tuple[int, Effect], ...]:
    """The effects of hits on the target's mates in the same body."""
    if not outcome.dealt:
        return ()
    setup, found = outcome.setup, []
    first = outcome.terms.target + 1 + len(setup.defender.joined)
    for place, other in enumerate(setup.others):
        if other.body:
            suffered = _suffered(outcome, other.who, first)
            found.append((place, suffered))
        first += 1 + len(other.who.joined)
    return tuple(found)


@cites("EM-42", "EM-44")
def apply(unit: Unit, condition: Condition, suffered: Effect) -> Condition:
    """Casualties are marked; none of it shows before the round is over."""
    points, markers, statuses, sides, fronts, each = suffered
    if isinstance(condition, Ranks):
        members, marked, before, rulings = condition
        marked += points
        if marked >= members:
            return Ranks(members, members, 0, rulings)
        return Ranks(members, marked, before if markers < 0 else markers, rulings)
    if statuses:
        rulings, troops = condition.rulings, troops_of(unit)
        short = [_short(one, now, rulings) for one, now in zip(troops, statuses, strict=True)]
        condition = condition._replace(statuses=tuple(short))
    elif each or points or markers >= 0:
        hurt = [
            _hurt(troop, status, taken, condition.rulings)
            for troop, status, taken in zip(
                troops_of(unit), condition.statuses, each or ((points, markers),), strict=True
            )
        ]
        condition = condition._replace(statuses=tuple(hurt))
    if not sides:
        return condition
    found = tuple(sorted(condition.sides + sides))
    return condition._replace(sides=found, fronts=max(fronts, condition.fronts))


@cites("EM-41", "EM-42")
def _hurt(troop: Troop, status: Status, taken: tuple[int, int], rulings: Rulings) -> Status:
    """A troop without a table that has taken points, with so many markers on it now."""
    points, markers = taken
    if not points:
        return status if markers < 0 else status._replace(markers=markers)
    fell, damage = points, status.damage
    if troop.damage_limit is not None:
        fell, damage = divmod(damage + points, troop.damage_limit)
    marked = min(status.members, status.marked + fell)
    if marked == status.members:
        markers = 0
    after = status._replace(
        marked=marked, damage=damage, markers=status.markers if markers < 0 else markers
    )
    if not weakens_by_points(troop, rulings):
        return after
    return _short(troop, after._replace(fresh=status.fresh + points), rulings)


# -- rounds --------------------------------------------------------------------------------------


def _is_out(statuses: tuple[Status, ...]) -> bool:
    return statuses[0].broken or not any(is_here(status) for status in statuses)


@cites("EM-44", "EM-62")
def is_out(unit: Unit, condition: Condition) -> bool:
    """Nobody is left once casualties have been taken, or the unit is broken."""
    if isinstance(condition, Ranks):
        return not condition.members
    return _is_out(condition.statuses)


@cites("EM-24", "EM-44", "EM-45", "EM-61", "EM-62")
def end_round(unit: Unit, condition: Condition) -> Condition:
    """The Resolution Phase."""
    if isinstance(condition, Ranks):
        members, marked, markers, rulings = condition
        if markers and rulings[rule.MARKERS] == "resolution":
            return Ranks(members - marked, 0, 0, rulings)
        return Ranks(members - marked, 0, markers, rulings) if marked else condition
    rulings, statuses = condition.rulings, []
    loss = morale_lost(condition.sides, condition.fronts, rulings)
    for place, (troop, status) in enumerate(zip(troops_of(unit), condition.statuses, strict=True)):
        shaken = not place and is_here(status)
        after = resolved(troop, status, rulings, loss if shaken else 0)
        statuses.append(_rested(troop, after, rulings))
    if _is_out(tuple(statuses)):
        return Force((Status(0),) * len(statuses), rulings)
    if condition.mingles:
        return Force(tuple(statuses), rulings, mingles=condition.mingles)
    return packed(unit, tuple(statuses), rulings)


def _rested(troop: Troop, status: Status, rulings: Rulings) -> Status:
    """A troop between rounds: of the dead nothing is kept, so conditions meet."""
    if not is_here(status):
        return Status(0, broken=status.broken)
    morale = status.morale if rulings[rule.MORALE] == "on" else 0
    # Everybody has been activated: the penalty for aligning is over (EM-20), and every troop that
    # can act has seen the enemy. A wall never does.
    unaware = status.unaware and not troop.skills
    return _short(troop, status, rulings)._replace(
        morale=morale, aligned=False, unaware=unaware, exposed=0
    )


def _short(troop: Troop, status: Status, rulings: Rulings) -> Status:
    """A troop without what makes no difference any more; else a wall would have no last state."""
    most = _most(troop, rulings)
    return status._replace(
        points=min(status.points, most.points),
        fresh=min(status.fresh, most.points),
        weaker=min(status.weaker, most.weaker),
        bonus=max(-most.bonus, min(status.bonus, most.bonus)),
        rolled=tuple(sorted(most.lasting & set(status.rolled))),
    )


class _Most(NamedTuple):
    """Numbers of a troop beyond which more makes no difference.

    Attributes:
        points: of damage that it feels: no skill is left. weaker: levels lost: the same.
        bonus: to rolls on its table: every face means the last row, or the first.
        lasting: names of the rows whose effects last.
    """

    points: int
    weaker: int
    bonus: int
    lasting: frozenset[str]


@lru_cache(maxsize=4096)
def _most(troop: Troop, rulings: Rulings) -> _Most:
    points = 0
    for skill in troop.skills:
        value = Fraction(skill.diminish)
        if value:
            each = value if rulings[rule.DIMINISH] == "per_value" else 1 / value
            points = max(points, ceil(skill.level * each))
    levels = max((skill.level for skill in troop.skills), default=0)
    beyond = max((row.high or row.low for row in troop.table), default=0) + troop.table_die
    lasting = [row.name for row in troop.table if row.speed is not None or row.uncovers]
    return _Most(points, levels, beyond, frozenset(lasting))


def deeds(unit: Unit, condition: Condition) -> tuple[Deed, ...]:
    """A unit with a skill or a weapon attacks."""
    return (ATTACK,) if _attacks(unit) else ()


@lru_cache(maxsize=4096)
def _attacks(unit: Unit) -> bool:
    return any(troop.skills or troop.weapons for troop in troops_of(unit))


def vitals(unit: Unit, condition: Condition) -> int:
    """Points of damage until nobody is left; members, where only a table takes them."""
    if is_out(unit, condition):
        return 0
    if isinstance(condition, Ranks):
        return max(1, condition.members - condition.marked)
    left = 0
    for troop, status in zip(troops_of(unit), condition.statuses, strict=True):
        if is_here(status):
            members = status.members - status.marked
            left += members * (troop.damage_limit or 1) - status.damage
    return max(1, left)


def _harm(suffered: Effect) -> int:
    return suffered.points


FIGHT: Fight[Exchange, Setup, Unit, Condition, Effect] = Fight(
    enter=enter,
    declare=declare,
    effect=effect,
    apply=apply,
    is_out=is_out,
    vitals=vitals,
    harm=_harm,
    hits="hits",
    deeds=deeds,
    matters=MATTERS,
    end_round=end_round,
    beside=beside,
    context=context,
    helped=helped,
    sets=frozenset({
        "engaged", "leaves", "may_align", "align_cost", "wrap", "press", "resolution", "table",
        "path", "others",
    }),
    told=told,
    mended=mended,
    leaves=leaves,
    rule_of_thumb=rule_of_thumb,
    board=BOARD,
)  # fmt: skip
