"""A fight: turns of two actions, with allies who Intervene, until a side is out of action.

Everybody stands on one line between the two sides (`positions`): whoever is out of reach closes in.
Helping somebody's next roll and holding an action back stay outside. Initiative is rolled once and
kept, as the reading of A-20 has it; exertion for it is the business of a setup with
`act = "initiative"`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from typing import Literal

from affray.core.dice import Pool
from affray.core.errors import SetupError
from affray.core.fight import ATTACK, Deed, Fight, Interlude, Scene, renamed
from affray.core.lazy import NamedTuple
from affray.core.node import At
from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.step import cites
from affray.systems.affinity import rulings as rule
from affray.systems.affinity import state
from affray.systems.affinity.asking import MATTERS
from affray.systems.affinity.attempts import guard_of, strikes_several
from affray.systems.affinity.changes import (
    Effect,
    apply,
    begin_turn,
    effect,
    end_round,
    enter,
    helped,
    is_out,
    meets,
)
from affray.systems.affinity.declaration import declared
from affray.systems.affinity.glances import as_actor, as_target
from affray.systems.affinity.initiative import initiative_pool, phases_of
from affray.systems.affinity.lasting import RESTS, leaves
from affray.systems.affinity.numbers import (
    called,
    hd_max_of,
)
from affray.systems.affinity.positions import at_distance, footing
from affray.systems.affinity.reading import Rank
from affray.systems.affinity.sheet import Ally, Combatant, Hazard, Setup
from affray.systems.affinity.state import CombatantState, Condition, Exchange, Guard, Other
from affray.systems.affinity.tables import ECONOMY, REACH
from affray.systems.affinity.tactics import rule_of_thumb
from affray.systems.affinity.telling import mended, told

__all__ = ["FIGHT", "HEAL", "STABILIZE", "WARD", "WARD_SELF"]

HEAL = Deed("heal", "friend")
WARD = Deed("ward", "friend")
WARD_SELF = Deed("ward oneself", "self")
STABILIZE = Deed("stabilize", "fallen friend")
KINDS_OF: Mapping[Deed, state.Deed] = {
    HEAL: "heal",
    WARD: "ward",
    WARD_SELF: "ward",
    STABILIZE: "stabilize",
}
"""The one deed of an exchange that each deed of a fight stands for."""


@cites("AF-60", "AF-72")
def interludes(sheet: Combatant, rulings: Rulings) -> tuple[Interlude, ...]:
    """The phases of a combatant's home ground, at their counts."""
    return tuple(
        Interlude(
            at,
            Deed(_suffers(hazard), "self", forced=True, of=replace(hazard, strikes="foes")),
            hazard.strikes,
        )
        for at, hazard in phases_of(sheet, rulings)
    )


def _suffers(hazard: Hazard) -> str:
    return f"suffer {hazard.name or 'the lair'}"


class Company(NamedTuple):
    """The mates of a target: those who may Intervene, and those whom an area may reach."""

    guards: tuple[Guard, ...] = ()
    others: tuple[tuple[int, Combatant, CombatantState], ...] = ()


@cites("AF-41", "AF-75")
def context(others: Sequence[tuple[Combatant, Condition]]) -> Hashable:
    """Some of these may Intervene: each as a guard. All who stand may be caught in an area."""
    guards, near = [], []
    for place, (sheet, condition) in enumerate(others):
        if "intervene" in sheet.universal:
            guard = guard_of(place, Ally(combatant=sheet), condition.rulings, condition.now)
            if not guard.why:
                guards.append(guard)
        if condition.exposed and not is_out(sheet, condition):
            seen = as_target(sheet, condition.now, condition.rulings)
            near.append((place, sheet, seen._replace(gone=condition.now.gone)))
    return Company(tuple(guards), tuple(near))


@lru_cache(maxsize=4096)
def _in_turn(setup: Setup, deed: str) -> Setup:
    """A setup with one deed of a fight."""
    towards: Literal["foe", "friend"] = "foe" if deed == ATTACK.name else "friend"
    return replace(
        setup, towards=towards, act="turn", allies=(), hazard=None, moves=False, given=0, rest_hd=0,
    )  # fmt: skip


@lru_cache(maxsize=1024)
def _on_the_way(setup: Setup, yards: int) -> Setup:
    return replace(setup, act="close", distance_yd=yards)


@lru_cache(maxsize=1024)
def _suffering(setup: Setup, hazard: Hazard) -> Setup:
    return replace(setup, towards="foe", hazard=hazard)


def declare(scene: Scene[Setup, Condition]) -> At[Exchange]:
    """An action between two as they are now, from where they stand.

    Raises:
        SetupError: as for `declaration.declared`; a friend is out of reach, or needs no ward.
    """
    actor, target, rulings = scene.actor.now, scene.target.now, scene.rulings
    setup = _in_turn(scene.setup, scene.deed.name)
    if scene.deed in {WARD, WARD_SELF} and is_warded(target):
        raise SetupError(f"{called(setup.defender, 'friend')} has a ward already (AF-76)")
    guards: tuple[Guard, ...] = ()
    hazard = scene.deed.of
    harms = scene.deed == ATTACK or hazard is not None
    company = scene.context if isinstance(scene.context, Company) else Company()
    if harms:
        guards = _within_reach(company.guards, target.gone)
    if isinstance(hazard, Hazard):
        setup = _suffering(setup, hazard)
        struck = as_target(setup.defender, target, rulings)
        return declared(setup, (CombatantState(), struck), guards, rulings)
    where = footing(setup, (actor, target), rulings)
    striker = as_actor(setup.attacker, actor, rulings)
    struck = as_target(setup.defender, target, rulings)
    setup = _on_the_way(setup, where.yards) if where.closes else at_distance(setup, where.yards)
    others = _around(company, target.gone, where.yards) if scene.deed == ATTACK else ()
    if not strikes_several(setup.attacker):
        others = ()
    only = KINDS_OF.get(scene.deed, "")
    return declared(
        setup, (striker, struck), guards, rulings, where=where, deed=only, others=others
    )  # fmt: skip


@cites("AF-75", "AF-78")
def _around(company: Company, gone: int, yards: int) -> tuple[Other, ...]:
    """Those around a target, as far from it and from the attacker as they have gone."""
    return tuple(
        Other(
            place, sheet, now._replace(gone=0), abs(now.gone - gone),
            max(0, yards + gone - now.gone),
            _within_reach([one for one in company.guards if one.place != place], now.gone),
        )
        for place, sheet, now in company.others
    )  # fmt: skip


@cites("AF-75")
def caught(x: Exchange) -> tuple[int, ...]:
    """Those whom an area reaches besides its target."""
    return x.caught


@cites("AF-41", "AF-78")
def _within_reach(guards: Sequence[Guard], gone: int) -> tuple[Guard, ...]:
    """Allies who stand close enough to the target to Intervene."""
    return tuple(
        guard._replace(gone=0, reach=REACH["intervene"])
        for guard in guards
        if abs(guard.gone - gone) <= guard.reach
    )


def is_warded(now: CombatantState) -> bool:
    """A spell or an ability protects the combatant."""
    return any(cover.kind in {"magical", "temporary"} for cover in now.layers)


@cites("AF-51")
def needs(sheet: Combatant, condition: Condition) -> int:
    """The Hit Dice that are missing of somebody who stands with less than half of them."""
    if is_out(sheet, condition):
        return 0  # the first of the fallen comes first
    most, now = hd_max_of(sheet, condition.rulings), condition.now
    return most - now.hd if 2 * now.hd < most else 0


@cites("AF-40", "AF-51", "AF-62", "AF-76")
def deeds(sheet: Combatant, condition: Condition) -> tuple[Deed, ...]:
    """Healing, stabilizing or warding somebody who needs it, else an action towards a foe."""
    now, rulings = condition.now, condition.rulings
    if is_out(sheet, condition):
        return ()
    if not now.actions:
        return ()
    found: tuple[Deed, ...] = ()
    kinds = {action.kind for action in sheet.actions}
    if "heal" in kinds:
        found = (HEAL,)
    elif "stabilize" in sheet.universal and rulings[rule.RESOLVE] != "off":
        found = (STABILIZE,)
    if "ward" in kinds:
        found = (*found, WARD) if is_warded(now) else (*found, WARD_SELF, WARD)
    attacks = "attack" in kinds or (
        "unarmed" in sheet.universal and rulings[rule.UNARMED] == "basic"
    )
    if now.defending and rulings[rule.DEFEND_COST] == "attack":
        # After Defend there is no attack; whoever has nothing else to do is done.
        attacks = bool({"rush", "steady"} & set(sheet.universal))
    return (*found, ATTACK) if attacks else found


APART = frozenset({"defend", "rush", "steady", "repair", "disengage"})
"""Universal actions that need no target."""


@cites("AF-40", "AF-42", "AF-43", "AF-44", "AF-45", "AF-62")
def apart(step: str, option: str) -> str | None:
    """Universal actions stand beside the attack; nothing to do comes to the same as passing."""
    if step not in {"choose_action", "close_in"}:
        return None
    return "" if option == "pass" else option if option in APART else None


@cites("AF-60", "AF-61")
def initiative(sheet: Combatant, condition: Condition, rulings: Rulings) -> tuple[int, int]:
    """The dice alone; combatants who are equal in all of them roll off once."""
    return 0, 0


@cites("AF-60", "AF-61")
def initiative_roll(sheet: Combatant, rulings: Rulings) -> tuple[Pool, Rank]:
    """The dice of the reading of A-20, fewer for the surprised, without exertion."""
    pool, speed = initiative_pool(sheet, 0, rulings)
    return pool, Rank(speed)


def _vitals(sheet: Combatant, condition: Condition) -> int:
    return 0 if is_out(sheet, condition) else max(1, condition.now.hd)


def _resources(sheet: Combatant, condition: Condition) -> Mapping[str, int]:
    return {"Affinity dice": condition.now.affinity} if sheet.affinity else {}


def _harm(effect: Effect) -> int:
    return effect.lost


FIGHT: Fight[Exchange, Setup, Combatant, Condition, Effect] = Fight(
    enter=enter,
    declare=declare,
    effect=effect,
    apply=apply,
    is_out=is_out,
    vitals=_vitals,
    harm=_harm,
    hits="damage",
    deeds=deeds,
    apart=apart,
    interludes=interludes,
    needs=needs,
    begin_turn=begin_turn,
    end_round=end_round,
    initiative=initiative,
    initiative_roll=initiative_roll,
    context=context,
    helped=helped,
    caught=caught,
    meets=meets,
    resources=_resources,
    actions=ECONOMY["actions"],
    sets=frozenset({"towards", "act", "allies", "hazard", "held", "moves", "given", "rest_hd"}),
    matters=MATTERS,
    named=renamed,
    told=told,
    mended=mended,
    rests=RESTS,
    leaves=leaves,
    rule_of_thumb=rule_of_thumb,
)
