"""Exchanges of a fight: what each deed begins with, for two as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple, cast

from affray.core.errors import SetupError
from affray.core.fight import ATTACK, Deed, Scene
from affray.core.node import At
from affray.core.sheet import replace
from affray.core.step import cites
from affray.core.unknown import is_unknown
from affray.systems.eclipse_phase import rulings as rule
from affray.systems.eclipse_phase.aid import rouse, treat
from affray.systems.eclipse_phase.bleeding import bleed_to_death, break_free, check_bleeding
from affray.systems.eclipse_phase.condition import (
    MOST_WOUNDS,
    POOLS,
    Condition,
    is_out,
    may_bleed,
    weapons_left,
)
from affray.systems.eclipse_phase.declaration import declare_attack
from affray.systems.eclipse_phase.economy import (
    choose_extra,
    choose_quick,
)
from affray.systems.eclipse_phase.gear import Weapon
from affray.systems.eclipse_phase.hold import choose_grip, choose_upkeep
from affray.systems.eclipse_phase.sheet import Combatant, Setup
from affray.systems.eclipse_phase.sheet import Condition as SheetCondition
from affray.systems.eclipse_phase.state import Exchange, Turned
from affray.systems.eclipse_phase.tables import COVER
from affray.systems.eclipse_phase.turns import choose_move, needs_turn, reload

__all__ = [
    "AGAIN",
    "ATTACKS",
    "BLEED_TO_DEATH",
    "BREAK_FREE",
    "BREAK_HOLD",
    "CHECK_BLEEDING",
    "KEEP_HOLD",
    "RELOAD",
    "STOP_BLEEDING",
    "TREAT",
    "TURN",
    "WAKE",
    "as_it_is",
    "can_wake",
    "crowd_of",
    "declare",
    "hardened",
]  # fmt: skip

MOST_CAUGHT = 9
"""Targets of a blast besides the one it is aimed at, as many as a single attack has."""
STOP_BLEEDING = Deed("stop the bleeding", "self")
CHECK_BLEEDING = Deed("check for bleeding", "self")
BLEED_TO_DEATH = Deed("bleed to death", "self")
TURN = ATTACK._replace(words="with a quick action and a move")
"""What an attack is called where turns are whole (H-4)."""
ATTACKS = frozenset({ATTACK, TURN})
RELOAD = Deed("reload", "self")
BREAK_FREE = Deed("break free", "self")
AGAIN = Deed("again", words="one more action, for a pool point")
TREAT = Deed("treat", "fallen friend")
WAKE = Deed("wake", "fallen friend")
KEEP_HOLD = Deed("keep the hold")
BREAK_HOLD = Deed("break the hold")


@cites("EP-22", "EP-109")
def hardened(sheet: Combatant, condition: Condition) -> Combatant:
    """The sheet with the wounds and traumas that points have bought off."""
    wounds, traumas = condition.rare.ignored
    return replace(
        sheet, ignore_wounds=sheet.ignore_wounds + wounds,
        ignore_traumas=sheet.ignore_traumas + traumas,
    )  # fmt: skip


@cites("EP-61", "EP-79")
def _loaded(weapons: tuple[Weapon, ...], condition: Condition) -> tuple[Weapon, ...]:
    """Weapons with what is left in them, where rounds are counted."""
    if condition.rare.plenty:
        return weapons
    left = dict(condition.rounds)
    return tuple(
        weapon if weapon.rounds == (rounds := left.get(weapon.name, weapon.magazine))
        else replace(weapon, rounds=rounds)
        for weapon in weapons
    )  # fmt: skip


NEVER_RESTED: Mapping[str, Any] = {f"{pool}_max": None for pool in POOLS}
"""Between rests the points of now count."""


@cites("EP-36", "EP-48", "EP-50", "EP-84")
@lru_cache(maxsize=65536)
def as_it_is(sheet: Combatant, condition: Condition) -> Combatant:
    """A sheet with the condition written into it."""
    if condition.rare.ignored != (0, 0):
        sheet = hardened(sheet, condition)
    now = {"prone": condition.prone, "surprised": condition.surprised, "grappled": False}
    now |= {one.condition: False for one in sheet.lasting}
    now |= dict.fromkeys(condition.rare.lifted, False)
    kept = tuple(one for one in sheet.conditions if now.get(one, True))
    if condition.states:
        brought = (cast("SheetCondition", name) for name, _ in condition.states
                   if name != "entangled" and name not in kept)  # fmt: skip
        kept = (*kept, *brought)
    if condition.prone and "prone" not in kept:
        kept = (*kept, "prone")
    vigor, insight, moxie, threat, flex = condition.pools
    return replace(
        sheet,
        vigor=vigor,
        insight=insight,
        moxie=moxie,
        threat=threat,
        flex=flex,
        **NEVER_RESTED,
        stabilized=False,
        stands_m=(),
        damage=condition.damage,
        wounds=min(MOST_WOUNDS, condition.wounds),
        stress=condition.stress,
        traumas=min(MOST_WOUNDS, condition.traumas),
        conditions=kept,
        lasting=(),
        was_aggressive=condition.exposed,
        lurks=False,
        takes_lead=False,
        threat_group="",
        full_defense=(sheet.full_defense and condition.opening) or condition.guard,
        weapons=_loaded(weapons_left(sheet, condition), condition),
        moved_full=sheet.moved_full and condition.opening,
    )


@cites("EP-41")
def declare(scene: Scene[Setup, Condition]) -> At[Exchange]:
    """An attack between two as they are.

    Whoever has a turn or is attacked stands; so hidden damage is left out of the exchange, and
    counts when its effect is applied.
    """
    setup, target = scene.setup, scene.target
    if scene.deed in {TREAT, WAKE}:
        return _declare_aid(scene)
    if is_unknown(target.damage) and scene.deed.on == "foe":
        target = target._replace(damage=0, stress=0)
    if scene.deed in {KEEP_HOLD, BREAK_HOLD}:
        return _declare_hold(scene, target)
    if scene.deed not in {*ATTACKS, AGAIN}:
        return _declare_alone(scene)
    if scene.deed in ATTACKS and scene.actor.rare.holds and target.rare.held:
        raise SetupError(
            f"{setup.attacker.name!r} holds {setup.defender.name!r}, and keeps the hold or lets "
            "go before anything else (EP-92)"
        )
    now = replace(
        setup,
        attacker=as_it_is(setup.attacker, scene.actor),
        defender=as_it_is(setup.defender, target),
        ambush=_springs(scene),
        alert=False,
        bleeding="later",
    )
    if (
        scene.actor.advance
        or target.advance
        or scene.actor.aim
        or scene.actor.rounds
        or scene.actor.rare.gone
    ):
        now = _placed(now, scene.actor, target)
    begun = Exchange(scene.rulings, now, aimed=scene.actor.aim, lurking=now.ambush)
    if scene.target.rare.covered or scene.actor.rare.covered:
        begun = _behind_cover(begun, scene)
    if isinstance(scene.context, Crowd) and not now.ambush:
        begun = _crowded(begun, scene.context, _moved(setup.defender, target.advance))
    if scene.rulings[rule.TURNS] == "actions":
        return _declare_whole(scene, begun)
    return At(choose_move if needs_turn(begun) else declare_attack, begun)


@cites("EP-28", "EP-77")
def _behind_cover(begun: Exchange, scene: Scene[Setup, Condition]) -> Exchange:
    """A turn where one of both has ducked before: the better cover counts."""
    now, near = begun.declared, scene.setup.defender.cover_near
    if scene.target.rare.covered and COVER[near] < COVER[now.cover]:
        now = replace(now, cover=near)
    if not scene.actor.rare.covered:
        return begun._replace(setup=now)
    covered: Literal["ducked", "anyway"] = "anyway" if now.attacker_cover else "ducked"
    return begun._replace(setup=replace(now, attacker_cover=True), covered=covered)


class Crowd(NamedTuple):
    """Mates of a target who stand: the place of each among all of them, the sheet, the condition.

    None of them is told of who doesn't say where it stands.
    """

    standing: tuple[tuple[int, Combatant, Condition], ...]


@cites("EP-102")
def crowd_of(mates: Sequence[tuple[Combatant, Condition]]) -> Crowd | None:
    """Who stands near somebody, and may be caught by the same blast."""
    found = []
    for place, (sheet, now) in enumerate(mates):
        if sheet.stands_m and not is_out(sheet, now):
            seen = now._replace(damage=0, stress=0, advance=0, aim=False, rounds=(),
                                rare=now.rare._replace(gone=()))  # fmt: skip
            found.append((place, _moved(sheet, now.advance), seen))
    return Crowd(tuple(found)) if found else None


@cites("EP-32", "EP-102")
@lru_cache(maxsize=4096)
def _moved(sheet: Combatant, advance: int) -> Combatant:
    """A sheet with the place after so many meters toward the other side, where blasts come from."""
    if not (advance and sheet.stands_m):
        return sheet
    right, beyond = sheet.stands_m
    return replace(sheet, stands_m=(right, beyond - advance))


@cites("EP-102")
def _around(crowd: Crowd, target: Combatant) -> tuple[tuple[int, Combatant], ...]:
    """Those around a target as they are, each where it stands as seen from there."""
    if not target.stands_m:
        return ()
    right, beyond = target.stands_m
    found = []
    for place, sheet, condition in crowd.standing[:MOST_CAUGHT]:
        there = (sheet.stands_m[0] - right, sheet.stands_m[1] - beyond)
        seen = _of_group(sheet, as_it_is(sheet, condition))
        found.append((place, replace(seen, place_m=there)))
    return tuple(found)


@cites("EP-24")
def _of_group(sheet: Combatant, now: Combatant) -> Combatant:
    """One of several targets, who may draw on the same Threat pool."""
    return replace(now, threat_group=sheet.threat_group) if now.threat else now


@cites("EP-102")
def _crowded(begun: Exchange, crowd: Crowd, target: Combatant) -> Exchange:
    """An attack of which others know who stand around its target."""
    around = _around(crowd, target)
    if not around:
        return begun
    setup = begun.declared
    aimed_at = _of_group(target, setup.defender)
    return begun._replace(crowd=around, setup=replace(setup, defender=aimed_at))


@cites("EP-35")
def _springs(scene: Scene[Setup, Condition]) -> bool:
    """Whether this is the free action of somebody in ambush, against one who is unaware.

    Raises:
        SetupError: the target has noticed another one.
    """
    if scene.actor.rare.ambush != "lurks":
        return False
    if scene.target.rare.ambush == "noticed":
        raise SetupError(
            f"{scene.setup.defender.name!r} has noticed the ambush; the free action of those who "
            "lie in it is for those who are unaware (EP-35)"
        )
    return scene.target.rare.ambush == "unaware" and not scene.target.surprised


@cites("EP-27", "EP-30")
def _declare_whole(scene: Scene[Setup, Condition], begun: Exchange) -> At[Exchange]:
    """A whole turn, or an extra action at its end: that one brings no move of its own."""
    actor = scene.actor
    begun = begun._replace(empty=tuple(name for name, _ in actor.rounds))
    if scene.deed in ATTACKS:
        return At(choose_quick, begun)
    if actor.rare.ran:
        begun = begun._replace(setup=replace(begun.declared, movement="full"))
    turned = Turned(single=actor.rare.single, first=actor.rare.first)
    return At(choose_extra, begun._replace(turned=turned))


@cites("EP-61", "EP-79", "EP-93", "EP-113")
def _declare_alone(scene: Scene[Setup, Condition]) -> At[Exchange]:
    """A deed to oneself: against bleeding, to break free, or to reload."""
    bleeds = scene.deed in {STOP_BLEEDING, CHECK_BLEEDING, BLEED_TO_DEATH}
    here = scene.target if bleeds else scene.actor
    sheet = as_it_is(scene.setup.attacker, here)
    begun = Exchange(scene.rulings, replace(scene.setup, attacker=sheet, defender=sheet))
    if scene.deed == BLEED_TO_DEATH:
        return At(bleed_to_death, begun)
    if bleeds:
        falls = scene.deed == CHECK_BLEEDING
        return At(check_bleeding, begun._replace(bleeding="falls" if falls else "ends"))
    if scene.deed == BREAK_FREE:
        return At(break_free, begun._replace(snare=dict(here.states).get("entangled", 0)))
    return At(reload, begun._replace(empty=tuple(name for name, _ in here.rounds)))


@cites("EP-92", "EP-93")
def _declare_hold(scene: Scene[Setup, Condition], target: Condition) -> At[Exchange]:
    """A hold is kept, or somebody tries to break it.

    Raises:
        SetupError: the other one isn't held, or holds nobody.
    """
    keeps, who = scene.deed == KEEP_HOLD, scene.setup.defender
    if not (target.rare.held if keeps else target.rare.holds):
        raise SetupError(f"{who.name!r} {'is not held' if keeps else 'holds nobody'} (EP-92)")
    setup = replace(
        scene.setup,
        attacker=as_it_is(scene.setup.attacker, scene.actor),
        defender=as_it_is(who, target),
        bleeding="later",
        grapple="none",
        movement="none",
    )
    return At(choose_upkeep if keeps else choose_grip, Exchange(scene.rulings, setup))


@cites("EP-112", "EP-113", "EP-154")
def _declare_aid(scene: Scene[Setup, Condition]) -> At[Exchange]:
    """Help for a friend who is down.

    Raises:
        SetupError: it is of no use.
    """
    who, target = scene.setup.defender, scene.target
    if scene.deed == TREAT and not may_bleed(who, target):
        raise SetupError(f"{who.name!r} isn't bleeding")
    if scene.deed == WAKE and not can_wake(who, target):
        raise SetupError(f"{who.name!r} can't be woken")
    setup = replace(
        scene.setup,
        attacker=as_it_is(scene.setup.attacker, scene.actor),
        defender=as_it_is(who, target),
        bleeding="later",
    )
    return At(treat if scene.deed == TREAT else rouse, Exchange(scene.rulings, setup))


@cites("EP-112", "EP-154")
def can_wake(who: Combatant, condition: Condition) -> bool:
    """Somebody is unconscious, and nothing else keeps them down."""
    return condition.knocked_out and not is_out(who, condition._replace(knocked_out=False))


@cites("EP-32", "EP-73")
def _placed(setup: Setup, actor: Condition, target: Condition) -> Setup:
    """The situation where both have moved to, after an aim if there was one."""
    met = actor.advance + target.advance
    if met and setup.distance_m is not None:
        setup = replace(setup, distance_m=max(0.0, setup.distance_m - met))
    if setup.weapon is not None and setup.weapon.name in actor.rare.gone:
        setup = replace(setup, weapon=None)
    elif actor.rounds and setup.weapon is not None:
        (loaded,) = _loaded((setup.weapon,), actor)
        setup = replace(setup, weapon=loaded)
    return replace(setup, aim="complex") if actor.aim else setup
