"""A fight: turns of two actions, with allies who Intervene, until a side is out of action.

Everybody stands on one line between the two sides (`positions`): whoever is out of reach closes in.
Helping somebody's next roll and holding an action back stay outside. Initiative is rolled once and
kept, as the reading of A-20 has it; exertion for it is the business of a setup with
`act = "initiative"`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Literal, NamedTuple

from affray.core.dice import Pool
from affray.core.errors import SetupError
from affray.core.fight import ATTACK, Deed, Fight, Interlude, Role, Scene, renamed
from affray.core.node import At
from affray.core.ruling import Rulings
from affray.core.step import cites
from affray.systems.affinity import rulings as rule
from affray.systems.affinity import state
from affray.systems.affinity.aftermath import restored
from affray.systems.affinity.attempts import cap_of, guard_of
from affray.systems.affinity.declaration import declared
from affray.systems.affinity.initiative import initiative_pool, phases_of
from affray.systems.affinity.lasting import RESTS, leaves
from affray.systems.affinity.numbers import (
    called,
    condition_of,
    fewer_dice,
    harder,
    hd_max_of,
    is_hurt,
    is_torn,
    rages,
    repaired,
    stage,
    state_of,
)
from affray.systems.affinity.positions import at_distance, footing, gained
from affray.systems.affinity.reading import Rank
from affray.systems.affinity.sheet import Affliction, Ally, Combatant, Hazard, Setup
from affray.systems.affinity.state import CombatantState, Condition, Cover, Exchange, Guard
from affray.systems.affinity.tables import ECONOMY, REACH, RESOLVE
from affray.systems.affinity.telling import mended, told

__all__ = ["FIGHT", "HEAL", "STABILIZE", "WARD", "WARD_SELF", "Effect"]

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


class Effect(NamedTuple):
    """An exchange does this to one combatant who takes part in it.

    Attributes:
        deed: what was done, if it was this one's action; "intervene" of an ally.
        lost: Hit Dice lost to damage. burned: burned or given up. back: restored.
        layers: those that are left; None: as before.
        resolve: how it changes. checked: whether it was checked.
        affinity, exerted: dice that were put in. expert: whether it was Expert or higher.
        stabilized: the next check holds.
        gone: yards towards the foes. walked: the free move was used.
        conditions: those that are imposed.
        mended: whatever is worn is whole again.
    """

    deed: state.Deed = ""
    lost: int = 0
    burned: int = 0
    back: int = 0
    layers: tuple[Cover, ...] | None = None
    resolve: int = 0
    checked: bool = False
    affinity: int = 0
    exerted: int = 0
    expert: bool = False
    stabilized: bool = False
    gone: int = 0
    walked: bool = False
    conditions: tuple[Affliction, ...] = ()
    mended: bool = False


def enter(sheet: Combatant, rulings: Rulings) -> Condition:
    """A combatant as the sheet has them."""
    return Condition(condition_of(sheet, rulings), rulings)


@lru_cache(maxsize=4096)
def _alike(sheet: Combatant, resolve: int, rulings: Rulings, *, acts: bool) -> int:
    """The highest Resolve that makes no other difference to an action, or to its target.

    Resolve at its most can't rise, and the last point is its own stage: losing it is collapse.
    """
    if resolve <= RESOLVE["check"] or resolve >= sheet.resolve_max:
        return resolve

    def stages(at: int) -> tuple[object, ...]:
        if not acts:
            return (fewer_dice(at, rulings),)
        return *(harder(at, rank, rulings) for rank in (0, 1)), at <= stage(rulings, "no expert")

    same = (at for at in range(resolve, sheet.resolve_max) if stages(at) == stages(resolve))
    return max(same)


@lru_cache(maxsize=4096)
def _strain(sheet: Combatant, rulings: Rulings) -> tuple[int, int]:
    """Hit Dice lost, and dice exerted, up to which one more action can't make Resolve be checked.

    Each number is the greatest from which the most that an action can burn or exert is too few.
    """
    pools = [action.pool for action in sheet.actions]
    exerts = max(cap_of(sheet, CombatantState(), rulings, pool) for pool in (0, *pools))
    printed = 0
    if rulings[rule.NPC_BURN] != "none":
        printed = max(max(0, pool - sheet.prof) for pool in (0, *pools))
    burns = exerts + printed + (sheet.affinity if rulings[rule.AFFINITY] == "exertion" else 0)
    most = sheet.level if rulings[rule.RESOLVE] == "core" else sheet.prof
    return sheet.prof + RESOLVE["over"] - burns - 1, most - exerts - 1


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


def as_actor(sheet: Combatant, now: CombatantState, rulings: Rulings) -> CombatantState:
    """The parts of the actor's condition that an action looks at, so that exchanges merge."""
    if rulings[rule.RESOLVE] == "off":
        watches = {"rush", "steady"} & set(sheet.universal)
        resolve = now.resolve if watches else 0
        return now._replace(layers=(), acted=False, resolve=resolve, gone=0, walked=False)
    lost, exerted = _strain(sheet, rulings)
    limited = rulings[rule.BUDGET] == "turn"
    return now._replace(
        layers=(),
        acted=False,
        gone=0,
        walked=False,
        resolve=_alike(sheet, now.resolve, rulings, acts=True),
        lost=now.lost if now.lost > lost else 0,
        exerted=now.exerted if limited or now.exerted > exerted else 0,
    )


def as_target(sheet: Combatant, now: CombatantState, rulings: Rulings) -> CombatantState:
    """The parts of the target's condition that an action looks at."""
    resolve = now.resolve
    if not now.down:
        watches = rulings[rule.RESOLVE] != "off"
        resolve = _alike(sheet, resolve, rulings, acts=False) if watches else 0
    return CombatantState(
        hd=now.hd,
        down=now.down,
        layers=now.layers,
        resolve=resolve,
        defending=now.defending,
        checked=now.checked,
        stabilized=now.stabilized,
        lost=now.lost,
        conditions=now.conditions,
    )


@cites("AF-41")
def context(others: Sequence[tuple[Combatant, Condition]]) -> Hashable:
    """Some of these may Intervene: each as a guard."""
    found = []
    for place, (sheet, condition) in enumerate(others):
        if "intervene" in sheet.universal:
            guard = guard_of(place, Ally(combatant=sheet), condition.rulings, condition.now)
            if not guard.why:
                found.append(guard)
    return tuple(found)


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
    if harms and isinstance(scene.context, tuple):
        guards = _within_reach(scene.context, target.gone)
    if isinstance(hazard, Hazard):
        setup = _suffering(setup, hazard)
        struck = as_target(setup.defender, target, rulings)
        return declared(setup, (CombatantState(), struck), guards, rulings)
    where = footing(setup, (actor, target), rulings)
    striker = as_actor(setup.attacker, actor, rulings)
    struck = as_target(setup.defender, target, rulings)
    setup = _on_the_way(setup, where.yards) if where.closes else at_distance(setup, where.yards)
    only = KINDS_OF.get(scene.deed, "")
    return declared(setup, (striker, struck), guards, rulings, where=where, deed=only)


@cites("AF-41", "AF-78")
def _within_reach(guards: tuple[Guard, ...], gone: int) -> tuple[Guard, ...]:
    """Allies who stand close enough to the target to Intervene."""
    return tuple(
        guard._replace(gone=0, reach=REACH["intervene"])
        for guard in guards
        if abs(guard.gone - gone) <= guard.reach
    )


def is_warded(now: CombatantState) -> bool:
    """A spell or an ability protects the combatant."""
    return any(cover.kind in {"magical", "temporary"} for cover in now.layers)


def effect(outcome: Exchange, role: Role) -> Effect:
    """An outcome changes the one who acted, or the target, by this much."""
    done = outcome.done
    if role == "actor":
        return Effect(
            deed=done.deed,
            burned=outcome.burn + outcome.lasting,
            back=outcome.healed if done.deed == "rush" else 0,
            resolve=outcome.own_resolve,
            checked=outcome.own_checked,
            affinity=done.affinity,
            exerted=done.exerted,
            expert=done.expert,
            gone=gained(outcome),
            walked=outcome.stepped > 0,
            mended=outcome.mended,
        )
    return Effect(
        lost=outcome.lost,
        back=outcome.healed if done.deed == "heal" else 0,
        layers=outcome.layers,
        resolve=outcome.resolve,
        checked=outcome.checked,
        stabilized=outcome.stabilized,
        conditions=outcome.conditions,
        gone=-outcome.moved if outcome.terms.setup.hazard else 0,
    )


@cites("AF-41")
def helped(outcome: Exchange) -> tuple[tuple[int, Effect], ...]:
    """Allies who Intervened pay for it."""
    return tuple(
        (one.place, Effect(deed="intervene", burned=one.burned, exerted=one.exerted))
        for one in outcome.helped
    )


@cites("AF-7", "AF-28", "AF-30", "AF-39", "AF-41", "AF-42", "AF-54", "AF-63")
def apply(sheet: Combatant, condition: Condition, effect: Effect) -> Condition:
    """Hit Dice go and come back; what was done and spent stands."""
    now, rulings = condition.now, condition.rulings
    hd = max(0, now.hd - effect.lost)
    if effect.back or effect.burned:
        if effect.deed in {"rush", "intervene"} or effect.burned:
            hd = restored(sheet, hd, (effect.back, effect.burned), rulings)
        else:
            hd = min(max(hd, hd_max_of(sheet, rulings)), hd + effect.back)
    resolve = now.resolve + effect.resolve
    if state_of(hd, resolve, rulings) != "up":
        # A combatant who is out of action needs few details, so such conditions merge.
        kept = now.layers if effect.layers is None else effect.layers
        out = CombatantState(
            hd=hd, down=hd == 0, layers=kept, resolve=resolve, affinity=now.affinity,
            actions=ECONOMY["actions"], acted=now.acted, rushed=now.rushed,
            steadied=now.steadied, checked=now.checked or effect.checked,
            stabilized=effect.stabilized, gone=now.gone + effect.gone,
            conditions=now.conditions,
        )  # fmt: skip
        return condition._replace(now=out)
    after = now._replace(
        hd=hd,
        down=hd == 0,
        layers=now.layers if effect.layers is None else effect.layers,
        resolve=resolve,
        affinity=now.affinity - effect.affinity,
        exerted=now.exerted + effect.exerted,
        expert=now.expert or effect.expert,
        checked=now.checked or effect.checked,
        stabilized=(now.stabilized and not effect.checked) or effect.stabilized,
        raging=bool(sheet.boosts) and rages(sheet, hd, rulings),
        hurt=bool(sheet.boosts) and is_hurt(sheet, hd, rulings),
        gone=now.gone + effect.gone,
        walked=now.walked or effect.walked,
    )
    if effect.mended:
        after = after._replace(layers=repaired(sheet, after.layers, rulings))
    if effect.mended or effect.layers is not None:
        after = after._replace(torn=is_torn(sheet, after.layers, rulings))
    if effect.conditions:
        new = {condition.name: condition for condition in (*now.conditions, *effect.conditions)}
        after = after._replace(conditions=tuple(new.values()))
    if rulings[rule.RESOLVE] != "off":
        # Once checked, or beyond what calls for a check, more makes no difference in this round.
        lost = min(after.lost + max(0, now.hd - hd), sheet.prof + RESOLVE["over"])
        after = after._replace(lost=0 if after.checked else lost)
    return condition._replace(now=_acted(sheet, after, effect.deed, rulings))


def _tracks_actions(sheet: Combatant) -> bool:
    """The actions left between turns matter for those who may Intervene."""
    return "intervene" in sheet.universal


@cites("AF-40", "AF-62")
def _acted(
    sheet: Combatant, now: CombatantState, deed: state.Deed, rulings: Rulings
) -> CombatantState:
    """A condition after an own action of this kind, if it was one."""
    if not deed:
        return now
    actions = now.actions - ECONOMY["each"]
    # With no action left, nothing more of this round draws on its exertion or its free move.
    if deed == "defend" and rulings[rule.DEFEND_COST] == "turn":
        actions = 0
    return now._replace(
        actions=actions,
        exerted=now.exerted if actions else 0,
        walked=now.walked and actions > 0,
        attacked=(now.attacked or deed == "attack") and actions > 0,
        defending=now.defending or deed == "defend",
        rushed=now.rushed or (deed == "rush" and rulings[rule.RUSH] == "fixed"),
        steadied=now.steadied or deed == "steady",
    )


@cites("AF-50")
def is_out(sheet: Combatant, condition: Condition) -> bool:
    """Down, collapsed or dead."""
    now = condition.now
    return state_of(now.hd, now.resolve, condition.rulings) != "up"


@cites("AF-30", "AF-62", "AF-63")
def begin_turn(sheet: Combatant, condition: Condition) -> Condition:
    """Defend ends; a new turn has its actions and its exertion, less what reactions took."""
    now = condition.now
    fresh = now._replace(
        defending=False,
        attacked=False,
        expert=False,
        walked=False,
        acted=_tracks_actions(sheet),
        actions=now.actions if _tracks_actions(sheet) else ECONOMY["actions"],
    )
    return condition if fresh == now else condition._replace(now=fresh)


@cites("AF-30", "AF-52", "AF-62")
def end_round(sheet: Combatant, condition: Condition) -> Condition:
    """Everybody may act, exert and check Resolve again."""
    now = condition.now
    lasts = condition.rulings[rule.DEFEND_LASTS] == "next_turn"
    fresh = now._replace(
        acted=False,
        actions=ECONOMY["actions"],
        exerted=0,
        defending=now.defending and lasts,
        checked=False,
        lost=0,
        conditions=_lasting(now.conditions),
    )
    return condition if fresh == now else condition._replace(now=fresh)


@cites("AF-72")
def _lasting(conditions: tuple[Affliction, ...]) -> tuple[Affliction, ...]:
    """Conditions after the end of a round; those whose time is up are gone."""
    return tuple(
        replace(condition, rounds=condition.rounds - 1) if condition.rounds else condition
        for condition in conditions
        if condition.rounds != 1
    )


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


@cites("AF-60", "AF-61")
def initiative(sheet: Combatant, condition: Condition, rulings: Rulings) -> tuple[int, int]:
    """The dice alone; combatants who are equal in all of them roll off each round."""
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
    deeds=deeds,
    interludes=interludes,
    needs=needs,
    begin_turn=begin_turn,
    end_round=end_round,
    initiative=initiative,
    initiative_roll=initiative_roll,
    context=context,
    helped=helped,
    resources=_resources,
    actions=ECONOMY["actions"],
    sets=frozenset({"towards", "act", "allies", "hazard", "held", "moves", "given", "rest_hd"}),
    named=renamed,
    told=told,
    mended=mended,
    rests=RESTS,
    leaves=leaves,
)
