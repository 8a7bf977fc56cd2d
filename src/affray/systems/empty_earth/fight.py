"""A fight: attacks and revivals in turn until one side is out of it, or the Stage ends."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from typing import Literal, cast

from affray.core.errors import SetupError
from affray.core.fight import ATTACK, Deed, Fight, Role, Scene, renamed
from affray.core.lazy import NamedTuple
from affray.core.node import At
from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.step import cites
from affray.systems.empty_earth import rulings as rule
from affray.systems.empty_earth.aftermath import can_pay_revival, eased, lowered
from affray.systems.empty_earth.aftermath import enacted as enact
from affray.systems.empty_earth.asking import MATTERS
from affray.systems.empty_earth.cards import StageEffect
from affray.systems.empty_earth.conditions import Suffered, forbidding
from affray.systems.empty_earth.declaration import begun
from affray.systems.empty_earth.lasting import RESTS, leaves
from affray.systems.empty_earth.map.movement import steps_to_attack
from affray.systems.empty_earth.map.sides import clash
from affray.systems.empty_earth.map.zones import STAY, Figure
from affray.systems.empty_earth.sheet import Cubes, Fighter, Injured, Setup
from affray.systems.empty_earth.standing import (
    called,
    condition_of,
    counts_as_injured,
    injury_of,
    refreshed,
    strikes_back,
)
from affray.systems.empty_earth.state import Condition, Exchange, FighterState
from affray.systems.empty_earth.tactics import rule_of_thumb
from affray.systems.empty_earth.telling import mended, placed, told

__all__ = ["FIGHT", "MOVE", "REVIVE", "Around", "Effect"]

REVIVE = Deed("revive", "fallen friend")
MOVE = Deed("move")
COLORS = ("red", "blue", "black")


class Around(NamedTuple):
    """The mates of one who is acted upon.

    Attributes:
        injuries: Injuries of the player characters among them, in order.
        zones: Zones of the map in which any of them stands, in order.
    """

    injuries: tuple[Injured, ...] = ()
    zones: tuple[str, ...] = ()


class Effect(NamedTuple):
    """The harm, gains and costs that an exchange brought one who took part in it.

    Attributes:
        damage: what came off Vitality, excess included.
        vitality: Vitality now, where it is not what the damage leaves; None: it is.
        injuries: Injuries held now; None: as many as before.
        taken: whether an Injury was drawn. ended: whether the Stage ended; enacted: the effects
            that this had on player characters.
        shields, fallen, reactions, active, cubes, conditions: as they are now.
        zone: where a move led; "" without one.
    """

    damage: int = 0
    vitality: int | None = None
    injuries: int | None = None
    taken: bool = False
    ended: bool = False
    enacted: tuple[StageEffect, ...] = ()
    shields: int = 0
    fallen: Literal["", "incapacitated", "defeated"] = ""
    reactions: int = 0
    active: bool = False
    cubes: Cubes = Cubes()
    conditions: tuple[Suffered, ...] = ()
    zone: str = ""


def enter(sheet: Fighter, rulings: Rulings) -> Condition:
    """A fighter as the sheet has them."""
    return Condition(condition_of(sheet), zone=sheet.zone, rulings=rulings)


@cites("EE-55")
def meets(sheet: Fighter, condition: Condition, foes: Sequence[Fighter]) -> Condition:
    """Foes who retaliate make the own Vitality matter to the own attacks."""
    exposed = any(foe.retaliation for foe in foes)
    return condition._replace(exposed=True) if exposed else condition


@cites("EE-14", "EE-52")
def context(others: Sequence[tuple[Fighter, Condition]]) -> Hashable:
    """Injuries of the player characters among these, in order, and where any of them stands."""
    pcs = [standing for sheet, standing in others if sheet.side == "pc"]
    injuries = sorted(injury_of(one.now, one.rulings) for one in pcs)
    zones = {one.zone for _, one in others if one.zone and _is_figure(one)}
    return Around(tuple(injuries), tuple(sorted(zones)))


@cites("EE-14", "EE-52")
def minds_mates(sheet: Fighter, condition: Condition) -> bool:
    """An answer to the own attack looks at mates near the target, and at Injuries of mates."""
    answered = strikes_back(condition.rulings)
    if sheet.side == "pc" and (answered or condition.exposed):
        return True
    return answered and condition.zone != ""


def _is_figure(condition: Condition) -> bool:
    """Tell if somebody is still a figure that others mind (A-17b)."""
    lies = condition.now.fallen == "incapacitated"
    return not condition.now.fallen or (lies and condition.rulings[rule.LYING] == "counts")


@cites("EE-26", "EE-60")
@lru_cache(maxsize=4096)
def _in_turn(setup: Setup, deed: str, others: tuple[Injured, ...]) -> Setup:
    """A setup with one deed that begins the attacker's turn."""
    return replace(
        setup,
        act=cast("Literal['attack', 'revive', 'move']", deed),
        attacks=1,
        new_turn="attacker",
        turn_between=False,
        other_pcs=others,
    )


@lru_cache(maxsize=4096)
def _in_place(
    setup: Setup, one: str, other: str, mates: tuple[tuple[str, ...], tuple[str, ...]]
) -> Setup:
    """A setup with both, and the mates of either, where they stand by now."""
    if setup.map is None:
        return setup
    return replace(
        setup,
        attacker=replace(setup.attacker, zone=one),
        defender=replace(setup.defender, zone=other),
        figures=(
            *[Figure(zone=zone, friend_of="attacker") for zone in mates[0]],
            *[Figure(zone=zone, friend_of="defender") for zone in mates[1]],
        ),
    )


@cites("EE-1", "EE-2", "EE-28")
def declare(scene: Scene[Setup, Condition]) -> At[Exchange]:
    """A turn: an attack, a revival or a move, between two as they are now.

    Raises:
        SetupError: as for `declaration.declare`.
    """
    striker, is_pc = scene.actor.now, scene.setup.attacker.side == "pc"
    answered = strikes_back(scene.rulings) or scene.setup.defender.retaliation > 0
    # Only a player character draws Injuries: one who is attacked, or whose attack is answered.
    draws = scene.setup.defender.side == "pc"
    if scene.deed.name == REVIVE.name:
        draws = scene.rulings[rule.REVIVAL] == "add"
    around = scene.context if isinstance(scene.context, Around) else Around()
    company = scene.company if isinstance(scene.company, Around) else Around()
    others: tuple[Injured, ...] = ()
    if draws:
        others = around.injuries
    elif is_pc and answered:
        others = company.injuries
    if not answered and not (draws and is_pc and scene.setup.stage_end):
        striker = striker._replace(vitality=0, injuries=0)
    placed = _in_place(
        scene.setup, scene.actor.zone, scene.target.zone, (company.zones, around.zones)
    )  # fmt: skip
    setup = _in_turn(placed, scene.deed.name, others)
    if scene.deed.name == MOVE.name and scene.actor.zone not in steps_to_attack(
        setup, scene.rulings
    ):
        who = called(setup.attacker, "attacker")
        raise SetupError(f"attacker: {who} finds no way to an attack (EE-70)")
    return begun(setup, striker, scene.target.now, scene.rulings)


def effect(outcome: Exchange, role: Role) -> Effect:
    """Read off an outcome the harm, the Injuries, and the cubes and points that changed."""
    if role == "actor":
        after, damage = outcome.terms.striker, outcome.countered + outcome.retaliated
        vitality = after.vitality if damage else None
        injuries = after.injuries if damage or outcome.enacted else None
    else:
        after, damage = outcome.defending, outcome.final + outcome.returned
        vitality = outcome.regained or None
        if outcome.returned or outcome.enacted:
            vitality = after.vitality
        injuries = after.injuries
    ground = outcome.terms.ground if role == "actor" else None
    enacted = _enacted(outcome, role)
    return Effect(
        damage, vitality, injuries, after.taken, enacted is not None, enacted or (), after.shields,
        after.fallen, after.reactions, after.active, after.cubes,
        after.conditions, "" if ground is None else ground.attacker.zone,
    )  # fmt: skip


def _enacted(outcome: Exchange, role: Role) -> tuple[StageEffect, ...] | None:
    """What the end of the Stage brought a player character; None: it goes on."""
    if not outcome.stage_ended:
        return None
    if not outcome.enacted:
        after = outcome.terms.striker if role == "actor" else outcome.defending
        return () if after.taken or after.injuries else None
    setup = outcome.terms.declared
    who = setup.attacker if role == "actor" else setup.defender
    return setup.stage_end if who.side == "pc" else None


@cites("EE-46", "EE-47", "EE-51", "EE-52", "EE-59")
def apply(sheet: Fighter, condition: Condition, effect: Effect) -> Condition:
    """Damage comes off Vitality; what was drawn, spent or regained stands."""
    now = condition.now
    if effect.fallen == "defeated":
        # A fighter who is out of the fight for good needs no details, so such conditions merge.
        gone = FighterState(fallen="defeated", cubes=effect.cubes)
        return Condition(gone, rulings=condition.rulings)
    vitality = effect.vitality
    if vitality is None:
        vitality = lowered(now.vitality, effect.damage)
        vitality = eased(vitality, effect.enacted, sheet.vitality_max)
    after = now._replace(
        vitality=vitality,
        shields=effect.shields,
        injuries=now.injuries if effect.injuries is None else effect.injuries,
        taken=now.taken or effect.taken,
        fallen=effect.fallen,
        reactions=effect.reactions,
        active=effect.active,
        cubes=effect.cubes,
        conditions=effect.conditions,
    )
    after_all = condition._replace(now=after, zone=effect.zone or condition.zone)
    return after_all._replace(ended=True, enacted=effect.enacted) if effect.ended else after_all


@cites("EE-52")
def common(sheet: Fighter, condition: Condition) -> Hashable:
    """All player characters are on one Stage: whether it has ended, and with what effects."""
    return (condition.ended, condition.enacted) if sheet.side == "pc" else None


@cites("EE-52", "EE-59")
def with_common(sheet: Fighter, condition: Condition, left: object) -> Condition:
    """The end of the Stage reaches those who took no part in its last attack, once."""
    match left:
        case (True, tuple() as effects) if sheet.side == "pc" and not condition.ended:
            now = condition.now
            for one in effects:
                now = enact(one, now, sheet.vitality_max)
            return condition._replace(now=now, ended=True, enacted=effects)
        case _:
            return condition


@cites("EE-50", "EE-53")
def is_out(sheet: Fighter, condition: Condition) -> bool:
    """An Enemy or Ally is defeated; a player character can't move or act."""
    return condition.now.fallen != ""


@cites("EE-26", "EE-56", "EE-60", "EE-61")
def begin_turn(sheet: Fighter, condition: Condition) -> Condition:
    """The turn begins even if nothing can be done in it; see the step of the same name."""
    fresh = refreshed(sheet, condition.now, condition.rulings)
    return condition if fresh == condition.now else condition._replace(now=fresh)


@cites("EE-50", "EE-51", "EE-56")
def deeds(sheet: Fighter, condition: Condition) -> tuple[Deed, ...]:
    """A revival if there are cubes for it; an attack if the fighter has one, else a move to one."""
    now = condition.now
    if now.fallen or forbidding(now.conditions, "no_actions"):
        return ()
    revives = sheet.side == "pc" and can_pay_revival(now.cubes)
    moves = condition.zone and condition.rulings[rule.MOVES] != "none"
    strikes = (ATTACK, MOVE) if moves else (ATTACK,)
    return ((REVIVE,) if revives else ()) + (strikes if sheet.attacks else ())


@cites("EE-70")
def apart(step: str, option: str) -> str | None:
    """A move names the Zone to which it leads; to stay there comes to the same as passing."""
    if step != "walk":
        return None
    return "" if option == STAY else f"{MOVE.name}: {option}"


@cites("EE-52")
def ends(sheet: Fighter, condition: Condition) -> bool | None:
    """A player character whose Stage has ended says so; one without an Injury denies it."""
    if sheet.side != "pc":
        return None
    if condition.ended:
        return True
    injury = injury_of(condition.now, condition.rulings)
    return None if counts_as_injured(injury, condition.rulings) else False


FATES = ("standing", "suffering", "injured", "incapacitated", "defeated")
"""The words for how a fight leaves a fighter."""


@cites("EE-47", "EE-50", "EE-53", "EE-56")
def fate(sheet: Fighter, condition: Condition) -> str:
    """A fighter stands, with Conditions or an Injury or neither, waits to be revived, or is gone.

    Those who wait to be revived hold an Injury as well.
    """
    now = condition.now
    if now.fallen:
        return now.fallen
    if now.injuries:
        return "injured"
    return "suffering" if now.conditions else "standing"


def _vitals(sheet: Fighter, condition: Condition) -> int:
    return condition.now.vitality


def _resources(sheet: Fighter, condition: Condition) -> Mapping[str, int]:
    left = condition.now.cubes
    return {
        f"{color} cubes": getattr(left, color) for color in COLORS if getattr(sheet.cubes, color)
    }


def _harm(effect: Effect) -> int:
    return effect.damage


FIGHT: Fight[Exchange, Setup, Fighter, Condition, Effect] = Fight(
    enter=enter,
    meets=meets,
    clash=clash,
    declare=declare,
    effect=effect,
    apply=apply,
    is_out=is_out,
    vitals=_vitals,
    harm=_harm,
    hits="hits",
    deeds=deeds,
    apart=apart,
    begin_turn=begin_turn,
    context=context,
    minds_mates=minds_mates,
    ends=ends,
    common=common,
    with_common=with_common,
    fates=FATES,
    fate=fate,
    resources=_resources,
    matters=MATTERS,
    placed=placed,
    sets=frozenset({"act", "attacks", "new_turn", "turn_between", "other_pcs", "figures"}),
    over="the Stage ends (EE-52)",
    named=renamed,
    told=told,
    mended=mended,
    rests=RESTS,
    leaves=leaves,
    rule_of_thumb=rule_of_thumb,
)
