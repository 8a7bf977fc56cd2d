"""A fight: attacks in turn until one side is out of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from affray.core.dice import Pool
from affray.core.fight import ATTACK, Deed, Fight, Role, renamed
from affray.core.reading import SumOfDice
from affray.core.ruling import Rulings
from affray.core.step import cites
from affray.systems.eclipse_phase import rulings as rule
from affray.systems.eclipse_phase.aid import rouse, treat
from affray.systems.eclipse_phase.asking import FIGHT_M, MATTERS
from affray.systems.eclipse_phase.bleeding import bleed_to_death, break_free, check_bleeding
from affray.systems.eclipse_phase.changes import KEPT, apply, begin_turn, end_round
from affray.systems.eclipse_phase.condition import (
    FATES,
    GONE_FOR_GOOD,
    NO_EFFECT,
    POOLS,
    RELOADED,
    Besides,
    Bled,
    Condition,
    Effect,
    enter,
    fate,
    is_out,
    may_bleed,
    meets,
    shared_pool,
    weapons_left,
    with_pool,
)
from affray.systems.eclipse_phase.economy import (
    choose_extra,
    choose_quick,
    choose_rest,
    end_turn,
)
from affray.systems.eclipse_phase.hold import choose_grip, choose_upkeep
from affray.systems.eclipse_phase.lasting import RESTS, leaves
from affray.systems.eclipse_phase.legality import bound, held_up, out_of_action
from affray.systems.eclipse_phase.scenes import (
    AGAIN,
    ATTACKS,
    BLEED_TO_DEATH,
    BREAK_FREE,
    BREAK_HOLD,
    CHECK_BLEEDING,
    KEEP_HOLD,
    RELOAD,
    STOP_BLEEDING,
    TREAT,
    TURN,
    WAKE,
    as_it_is,
    can_wake,
    crowd_of,
    declare,
    hardened,
)
from affray.systems.eclipse_phase.sheet import Combatant, Setup
from affray.systems.eclipse_phase.state import NOT_TURNED, Exchange, Hold, Struck, Turned
from affray.systems.eclipse_phase.tables import (
    ACTION_POOLS,
    ALERTED,
    FIRST_PLACE,
    INITIATIVE,
    MENTAL,
    MOST_EXTRA,
)
from affray.systems.eclipse_phase.tactics import rule_of_thumb
from affray.systems.eclipse_phase.telling import mended, told
from affray.systems.eclipse_phase.turns import choose_move, must_close, reload

__all__ = ["FIGHT"]


@cites("EP-25", "EP-26", "EP-29", "EP-37", "EP-40")
def initiative(sheet: Combatant, condition: Condition, rulings: Rulings) -> tuple[int, int]:
    """The sheet's less one for each wound and trauma not ignored, 3 once ambushed; ties by REF."""
    if is_out(sheet, condition):
        return sheet.initiative, 0  # has no turn
    if condition.rare.ignored != (0, 0):
        sheet = hardened(sheet, condition)
    harm = max(0, condition.wounds - sheet.ignored_wounds)
    harm += max(0, condition.traumas - sheet.ignored_traumas)
    ties = sheet.ref if rulings[rule.INITIATIVE_TIES] == "reflexes" else 0
    first = FIRST_PLACE * condition.rare.first
    alerted = sheet.alerted or condition.rare.ambush == "alerted"
    return sheet.initiative - harm + ALERTED * alerted + first, ties


@cites("EP-25")
def initiative_roll(sheet: Combatant, rulings: Rulings) -> tuple[Pool, SumOfDice]:
    """A d6, rolled once for the fight."""
    return INITIATIVE, SumOfDice()


@cites("EP-24", "EP-35", "EP-91")
def clash(
    situations: tuple[Setup, Setup], sheets: tuple[Sequence[Combatant], Sequence[Combatant]]
) -> str | None:
    """Two sides can't lie in ambush for each other, or share a Threat pool."""
    if all(any(sheet.lurks for sheet in side) for side in sheets):
        return "both lie in ambush (lurks); one side can"
    one, other = ({sheet.threat_group for sheet in side} - {""} for side in sheets)
    if both := sorted(one & other):
        return f"both draw on the Threat pool {both[0]!r} (threat_group); one side can"
    for setup in situations:
        if setup.weapon is not None and setup.weapon.rounds < setup.weapon.magazine:
            return (
                f"the situation has a weapon ({setup.weapon.name}) that isn't fully loaded; put "
                "it among the 'weapons' of its fighter"
            )
    grapples = any(setup.grapple != "none" for setup in situations)
    if grapples and max(map(len, sheets)) > 1:
        return "grapple: among several nobody keeps track of who holds whom; one against one can"
    return next(filter(None, map(_pools_that_clash, sheets)), None)


@cites("EP-24", "EP-29")
def _pools_that_clash(side: Sequence[Combatant]) -> str | None:
    """Those who share a Threat pool say the same of it, when a fight begins."""
    known: dict[str, int] = {}
    for sheet in side:
        group, threat = sheet.threat_group, sheet.threat
        if not group:
            continue
        if known.setdefault(group, threat) != threat:
            return (
                f"{sheet.name!r} shares the Threat pool {group!r} and has {threat} points in it, "
                f"another {known[group]}"
            )
        if sheet.takes_lead and not sheet.vigor:
            return (
                f"{sheet.name!r} takes the lead (takes_lead) with a point of the Threat pool "
                f"{group!r}, which others share; lower its 'threat' and alter 'initiative'"
            )
    return None


Holding = Literal["", "holds", "held", "free"]
HOLDS: Mapping[Hold, tuple[Holding, Holding]] = {
    "": ("", ""), "seized": ("holds", "held"), "reversed": ("holds", "held"),
    "freed": ("free", "free"), "released": ("free", "free"),
}  # fmt: skip
"""What becomes of the actor and the target of an exchange in which a hold changes."""


def effect(outcome: Exchange, role: Role) -> Effect:
    """An attack leaves harm, points, and the exposure of an aggressive attack."""
    if role == "actor":
        rounds = _rounds_left(outcome)
        turned = _turned(outcome)
        if not (outcome.pools or outcome.exposed or outcome.moved or outcome.action
                or outcome.aimed or rounds[0] or turned != NOT_TURNED
                or outcome.hold):  # fmt: skip
            return NO_EFFECT
        besides = Besides(
            moved=outcome.moved, action=outcome.action, aimed=outcome.aimed, rounds=rounds,
            turned=turned, hold=HOLDS[outcome.hold][0],
        )  # fmt: skip
        return Effect(exposed=outcome.exposed, pools=outcome.pools, besides=besides)
    besides = Besides(
        bled=_bled(outcome), alerted=outcome.ambush == "alerted", aided=outcome.aided,
        hold=HOLDS[outcome.hold][1],
    )  # fmt: skip
    return _upon(outcome.final)._replace(freed=outcome.freed, besides=besides)


def _upon(struck: Struck) -> Effect:
    """An attack did this to one whom it was aimed at, or who was near."""
    stress = struck.stress and struck.net > 0
    return Effect(
        struck.net, struck.wounds, stress, struck.prone, struck.knocked_out, pools=struck.pools,
        states=struck.conditions,
    )  # fmt: skip


@cites("EP-102")
def helped(outcome: Exchange) -> tuple[tuple[int, Effect], ...]:
    """A blast did this to those near its target."""
    return tuple(
        (place, _upon(struck))
        for place, struck in zip(caught(outcome), outcome.done[1:], strict=False)
    )


@cites("EP-102")
def caught(x: Exchange) -> tuple[int, ...]:
    """Those near the target of a blast, who are its other targets."""
    return x.caught


@cites("EP-102")
def in_context(sheet: Combatant) -> bool:
    """Only those who say where they stand can be caught together."""
    return bool(sheet.stands_m)


@cites("EP-113")
def _bled(outcome: Exchange) -> Bled:
    """What came of a check against bleeding."""
    if not outcome.bleeding:
        return ""
    if not outcome.final.bleeding:
        return "stopped"
    return "begun" if outcome.bleeding == "falls" else "dead"


@cites("EP-30")
def _turned(outcome: Exchange) -> Turned:
    """What the turn leaves behind; for those who can't buy another action not all of it."""
    if any(pool in ACTION_POOLS for pool, _ in outcome.pools):
        return outcome.turned
    return outcome.turned._replace(ran=False, single="")


@cites("EP-61", "EP-79")
def _rounds_left(outcome: Exchange) -> tuple[str, int]:
    """The weapon that was fired, reloaded or used up, and its rounds; none where nobody counts."""
    if outcome.reloaded:
        return outcome.reloaded, RELOADED
    if outcome.rulings[rule.AMMUNITION] == "plenty":
        return "", 0
    if outcome.broken and outcome.breaks:
        return outcome.breaks, GONE_FOR_GOOD
    return outcome.fired, outcome.rounds


@cites("EP-113")
def afterwards(sheet: Combatant, condition: Condition) -> Deed | None:
    """When the fight is over, those in danger of bleeding to death check against it.

    Nobody treats those who fail, or have failed before.
    """
    if not may_bleed(sheet, condition):
        return None
    return BLEED_TO_DEATH if condition.bleeds == "bleeding" else STOP_BLEEDING


@cites("EP-113")
def urgent(sheet: Combatant, condition: Condition) -> Deed | None:
    """Those who are brought down check against bleeding at once."""
    if condition.bleeds == "bleeding" or not may_bleed(sheet, condition):
        return None
    return CHECK_BLEEDING


@cites("EP-24", "EP-113")
def tends(sheet: Combatant, rulings: Rulings) -> bool:
    """Those whose sheet says so treat the fallen; where turns are whole, anybody may.

    Points that a check takes out of a shared pool are gone for others.
    """
    helps = "treat" in sheet.aids or rulings[rule.TURNS] == "actions"
    return helps or bool(sheet.threat_group)


@cites("EP-35", "EP-115")
def deeds(sheet: Combatant, condition: Condition) -> tuple[Deed, ...]:
    """A turn for a combatant with a weapon who is able to use it; or breaking free."""
    idle = condition.surprised or condition.rare.ambush in {"unaware", "noticed"}
    if idle or is_out(sheet, condition):
        return ()
    if not (sheet.conditions or condition.states):
        armed = bool(weapons_left(sheet, condition) or condition.rounds)
        own = _with_weapons(condition, armed=armed)
        economy = condition.rare.economy
        return _with_aid(sheet, own, everybody=economy) if economy or sheet.aids else own
    now = as_it_is(sheet, condition._replace(damage=0, stress=0))
    if out_of_action(now) or held_up(now):
        return ()
    armed = not all(bound(now, weapon) for weapon in now.weapons)
    found = _with_weapons(condition, armed=armed)
    helps = condition.rare.economy or sheet.aids
    if helps and not {"grappled", "immobilized"}.intersection(now.conditions):
        return _with_aid(sheet, found, everybody=condition.rare.economy)
    if "grappled" not in now.conditions:
        return found
    return *found, BREAK_HOLD if condition.rare.held else BREAK_FREE


@cites("EP-28", "EP-79", "EP-92")
def _with_weapons(condition: Condition, *, armed: bool) -> tuple[Deed, ...]:
    """A turn with what is at hand."""
    found: tuple[Deed, ...] = (TURN if condition.rare.economy else ATTACK,) if armed else ()
    found = (*found, RELOAD) if condition.rounds else found
    return (KEEP_HOLD, *found) if condition.rare.holds else found


APART = frozenset({"full defense", "aim"})
"""Actions that need no target."""


@cites("EP-48", "EP-73")
def apart(step: str, option: str) -> str | None:
    """Of the actions of a whole turn those that are no attack stand beside it."""
    return option if step == "choose_action" and option in APART else None


@cites("EP-113", "EP-154")
def _with_aid(sheet: Combatant, own: tuple[Deed, ...], *, everybody: bool) -> tuple[Deed, ...]:
    """Help for the fallen after one's own deeds; or before them, where the sheet says so."""
    first = tuple(deed for deed in (TREAT, WAKE) if deed.name in sheet.aids)
    if not everybody:
        return *first, *own
    return (*first, *own, *(deed for deed in (TREAT, WAKE) if deed not in first))


@cites("EP-113", "EP-154")
def needs(sheet: Combatant, condition: Condition) -> int:
    """Of the fallen those who bleed come first, then those who can be woken."""
    if not is_out(sheet, condition):
        return 0
    return 2 if may_bleed(sheet, condition) else int(can_wake(sheet, condition))


@cites("EP-22", "EP-24", "EP-30")
def _points(condition: Condition) -> int:
    """Points that buy extra actions."""
    return sum(
        points for pool, points in zip(POOLS, condition.pools, strict=True) if pool in ACTION_POOLS
    )


@cites("EP-22")
def _buys_nothing(sheet: Combatant, condition: Condition) -> bool:
    """Whether points buy mental actions alone, and there is none to take."""
    vigor, insight, _, threat, _ = condition.pools
    if vigor or threat or not insight:
        return False
    return not any(weapon.skill in MENTAL for weapon in weapons_left(sheet, condition))


@cites("EP-22")
def _soothes(condition: Condition) -> int:
    """Points that buy off modifiers of wounds and traumas."""
    vigor, _, moxie, threat, _ = condition.pools
    hurt = vigor * (condition.wounds > 0) + moxie * (condition.traumas > 0)
    return hurt + threat * (condition.wounds + condition.traumas > 0)


@cites("EP-30")
def extras(sheet: Combatant, condition: Condition, rulings: Rulings) -> int:
    """Two extra turns at most, where turns are whole; Moxie has a use in them as well."""
    if not condition.rare.economy or not sheet.weapons:
        return 0
    moxie = condition.pools[POOLS.index("moxie")]
    return min(MOST_EXTRA, _points(condition) + moxie)


@cites("EP-30")
def extra_deeds(sheet: Combatant, condition: Condition) -> tuple[Deed, ...]:
    """An extra action, for those who can act and have a point to pay it with."""
    lurks = condition.rare.ambush == "lurks"  # no point buys anything in that round
    points = 0 if _buys_nothing(sheet, condition) else _points(condition)
    points = points or _soothes(condition)
    if lurks or condition.rare.rested or not points or ATTACKS.isdisjoint(deeds(sheet, condition)):
        return ()
    return (AGAIN,)


@cites("EP-31")
def may_wait() -> bool:
    """Everybody may hold back a turn, until it is called."""
    return True


@cites("EP-31")
def moves_for_good() -> bool:
    """The place of a turn that was held back is the place of all turns from then on."""
    return True


@cites("EP-31")
def may_interrupt() -> bool:
    """Those who wait may act once somebody has said what they do, and before it is done."""
    return True


def _vitals(sheet: Combatant, condition: Condition) -> int:
    if is_out(sheet, condition):
        return 0
    return sheet.durability - condition.damage


def _resources(sheet: Combatant, condition: Condition) -> Mapping[str, int]:
    return {
        pool: points
        for pool, points in zip(POOLS, condition.pools, strict=True)
        if getattr(sheet, pool)
    }


def _harm(effect: Effect) -> int:
    return effect.net


@cites("EP-32")
def engaged(setup: Setup, condition: Condition, rulings: Rulings) -> Condition:
    """A combatant who has only blades, where they reach."""
    far = setup.distance_m is not None and must_close(Exchange(rulings, setup))
    return condition._replace(advance=int(setup.distance_m or 0)) if far else condition


def assumes(setup: Setup) -> Mapping[str, object]:
    """The distance of a fight, for those who don't fight hand to hand."""
    weapons = setup.attacker.weapons if setup.weapon is None else (setup.weapon,)
    if setup.distance_m is not None or all(weapon.is_melee for weapon in weapons):
        return {}
    return {"distance_m": FIGHT_M}


FIGHT: Fight[Exchange, Setup, Combatant, Condition, Effect] = Fight(
    enter=enter,
    meets=meets,
    clash=clash,
    declare=declare,
    effect=effect,
    apply=apply,
    is_out=is_out,
    vitals=_vitals,
    harm=_harm,
    hits="hit",
    deeds=deeds,
    apart=apart,
    needs=needs,
    begin_turn=begin_turn,
    end_round=end_round,
    initiative=initiative,
    initiative_roll=initiative_roll,
    resources=_resources,
    context=crowd_of,
    in_context=in_context,
    helped=helped,
    caught=caught,
    sets=frozenset({"ambush", "alert", "bleeding"}),
    turned=(
        (
            "superior",
            (
                ("none", "none"),
                ("attacker", "defender"),
                ("defender", "attacker"),
                ("both", "both"),
            ),
        ),
    ),
    matters=MATTERS,
    assumes=assumes,
    engaged=engaged,
    starts=(
        check_bleeding,
        bleed_to_death,
        break_free,
        choose_move,
        reload,
        choose_quick,
        choose_rest,
        end_turn,
        choose_extra,
        treat,
        rouse,
        choose_upkeep,
        choose_grip,
    ),
    extras=extras,
    extra_deeds=extra_deeds,
    fates=FATES,
    fate=fate,
    afterwards=afterwards,
    named=renamed,
    urgent=urgent,
    tends=tends,
    common=shared_pool,
    with_common=with_pool,
    told=told,
    mended=mended,
    kept=KEPT,
    rests=RESTS,
    leaves=leaves,
    in_battles=((rule.TURNS.name, "attacks"),),
    in_duels=((rule.AMMUNITION.name, "plenty"), (rule.TURNS.name, "attacks")),
    rule_of_thumb=rule_of_thumb,
    waits=may_wait(),
    recounts=moves_for_good(),
    interrupts=may_interrupt(),
)
