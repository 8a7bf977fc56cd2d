"""The condition of a combatant between attacks: what it holds, and what it amounts to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from affray.core.errors import SetupError
from affray.core.lazy import NamedTuple
from affray.core.ruling import Rulings
from affray.core.step import cites
from affray.systems.eclipse_phase import rulings as rule
from affray.systems.eclipse_phase.gear import Weapon
from affray.systems.eclipse_phase.harm import is_full
from affray.systems.eclipse_phase.numbers import can_bleed, death_rating
from affray.systems.eclipse_phase.sheet import Combatant
from affray.systems.eclipse_phase.state import NOT_TURNED, Action, Aided, Pools, States, Turned
from affray.systems.eclipse_phase.tables import INSANITY, LASTING

__all__ = [
    "ASLEEP", "FATES", "GONE", "GONE_FOR_GOOD", "NOTHING_BESIDES", "NO_EFFECT", "POOLS", "RELOADED",
    "Besides", "Bleeds",
    "Condition", "Effect", "Rare",
    "enter", "fate", "is_dead", "is_out", "may_bleed", "meets", "shared_pool", "weapons_left",
    "with_pool",
]  # fmt: skip

POOLS = ("vigor", "insight", "moxie", "threat", "flex")
THREAT = POOLS.index("threat")
GONE = frozenset({("detached", LASTING), ("fleeing", LASTING)})
"""Conditions with which nobody is in the fight any longer."""
MOST_WOUNDS = 100
"""As many as a sheet can hold; with more no test turns out differently."""


Bleeds = Literal["", "wounded", "always", "bleeding"]
"""A body that is brought down may bleed never, if it has a wound, or even without one; or it has
failed the check, and bleeds to death unless it is treated."""
Bled = Literal["", "stopped", "begun", "dead"]
"""What came of a check against bleeding; nothing if none was made."""
FATES = ("standing", "fled", "out", "insane", "dead")


class Rare(NamedTuple):
    """What few fights know of a combatant.

    Attributes:
        plenty: nobody counts rounds (H-3); economy: turns are whole (H-4); the same for the whole
            fight.
        lifted: conditions of the sheet that a game master has taken away.
        first: goes first in the coming turn. ignored: further wounds and traumas whose modifiers
            points have bought off.
        ambush: lies in one; is unaware of one, and neither acts in the first round nor defends
            against it; has noticed it just in time; is alerted from the next round on.
        checks: who bleeds checks each turn (A-38). holds, held: has hold of the other, or is
            held, in a fight of two.
        covered: has ducked behind the cover where it stands.
        rested: wants no extra action any more until the next own turn.
        gone: weapons that are broken or used up, each as often as that, where rounds are counted.
        ran, single: moved farther than a base move in this turn; the weapon that was fired in
            single mode. Kept only where points may buy another action.
    """

    plenty: bool = False
    economy: bool = False
    lifted: tuple[str, ...] = ()
    first: bool = False
    ignored: tuple[int, int] = (0, 0)
    ran: bool = False
    single: str = ""
    ambush: Literal["", "lurks", "unaware", "noticed", "alerted"] = ""
    checks: bool = False
    holds: bool = False
    held: bool = False
    covered: bool = False
    gone: tuple[str, ...] = ()
    rested: bool = False


NOTHING_RARE = Rare()
ASLEEP = frozenset({"unconscious", "incapacitated"})
"""Conditions of a sheet that are over once somebody is awake."""


class Condition(NamedTuple):
    """A combatant's state between attacks.

    Attributes:
        damage, wounds, stress, traumas: what was taken so far.
        pools: points left, in the order of `POOLS`.
        prone: lies on the ground. knocked_out: failed the check for two or more wounds.
        exposed: attacked aggressively; lasts until the next own turn.
        opening: no own turn yet, so that what the sheet says of the turn before (full defense, a
            full move) counts.
        surprised: neither acts nor defends; lasts to the end of the round.
        states: conditions that last for a while, with their turns.
        advance: meters toward the other side, from where the fight began. guard: on full defense
            until the next own turn; aim: has aimed. rounds: what is left in weapons that aren't
            full any more, where rounds are counted.
        dies_at: the Death Rating, as ruled; 0: never. bleeds: when a body that reaches durability
            is in danger of bleeding to death. by_round: turns of conditions are those of the
            fight, not the combatant's own.
        rare: what few fights know.
    """

    damage: int = 0
    wounds: int = 0
    stress: int = 0
    traumas: int = 0
    pools: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    prone: bool = False
    knocked_out: bool = False
    exposed: bool = False
    opening: bool = False
    surprised: bool = False
    states: States = ()
    advance: int = 0
    guard: bool = False
    aim: bool = False
    rounds: tuple[tuple[str, int], ...] = ()
    dies_at: int = 0
    bleeds: Bleeds = ""
    by_round: bool = False
    rare: Rare = NOTHING_RARE


RELOADED, GONE_FOR_GOOD = -1, -2
"""Stand for the rounds of a weapon that was reloaded, and of one that is broken or used up."""


class Besides(NamedTuple):
    """What comes of an attack or another action besides harm, points and conditions.

    Attributes:
        bled: what came of a check against bleeding.
        moved: meters toward the other side. action: what was done instead of an attack; aimed:
            an aim is used up. rounds: a weapon's name and the rounds left in it, or `RELOADED`,
            or `GONE_FOR_GOOD`.
        hold: holds the other one now, is held, or neither.
        turned: what a whole turn leaves behind. alerted: noticed an ambush. aided: what a friend
            has done for them.
    """

    bled: Bled = ""
    moved: int = 0
    action: Action = ""
    aimed: bool = False
    rounds: tuple[str, int] = ("", 0)
    turned: Turned = NOT_TURNED
    alerted: bool = False
    aided: Aided = ""
    hold: Literal["", "holds", "held", "free"] = ""


NOTHING_BESIDES = Besides()


class Effect(NamedTuple):
    """An attack did this to one who took part in it.

    Attributes:
        net, wounds: damage and wounds; with `stress` to the mind.
        prone, knocked_out, exposed: what it brought about.
        pools: every point that is left.
        states: conditions that it brought, with their turns. freed: broke free from a grapple.
        besides: what else came of it.
    """

    net: int = 0
    wounds: int = 0
    stress: bool = False
    prone: bool = False
    knocked_out: bool = False
    exposed: bool = False
    pools: Pools = ()
    states: States = ()
    freed: bool = False
    besides: Besides = NOTHING_BESIDES


NO_EFFECT = Effect()


@cites("EP-61")
def weapons_left(sheet: Combatant, condition: Condition) -> tuple[Weapon, ...]:
    """The weapons of a sheet that are neither broken nor used up; of several alike the rest."""
    if not condition.rare.gone:
        return sheet.weapons
    gone, kept = list(condition.rare.gone), []
    for weapon in sheet.weapons:
        if weapon.name in gone:
            gone.remove(weapon.name)
        else:
            kept.append(weapon)
    return tuple(kept)


def enter(sheet: Combatant, rulings: Rulings) -> Condition:
    """A combatant as the sheet has them.

    Raises:
        SetupError: something that only single attacks carry out.
    """
    if sheet.spot is not None or sheet.sheltered:
        raise SetupError(
            f"{sheet.name!r}: 'place_m', 'off_center_m' and 'sheltered' work in single attacks "
            "only; in a fight 'stands_m' says who is near whom (EP-102)"
        )
    if sheet.cover_near != "none" and rulings[rule.TURNS] != "actions":
        raise SetupError(
            f"{sheet.name!r}: 'cover_near' takes a quick action, which only whole turns have; name "
            "the reading turns=actions (H-4), or say in the situation what 'cover' there is"
        )
    lasting: dict[str, int] = {"grappled": LASTING} if "grappled" in sheet.conditions else {}
    lasting |= {one.condition: one.turns for one in sheet.lasting}
    vigor, threat = _lead(sheet)
    return Condition(
        damage=sheet.damage,
        wounds=sheet.wounds,
        stress=sheet.stress,
        traumas=sheet.traumas,
        pools=(vigor, sheet.insight, sheet.moxie, threat, sheet.flex),
        prone="prone" in sheet.conditions,
        knocked_out=any(
            one in {"unconscious", "incapacitated"} and one not in lasting
            for one in sheet.conditions
        ),
        exposed=sheet.was_aggressive,
        opening=sheet.full_defense or sheet.moved_full,
        surprised="surprised" in sheet.conditions,
        states=tuple(sorted(lasting.items())),
        rounds=_partly_loaded(sheet) if rulings[rule.AMMUNITION] == "counted" else (),
        by_round=rulings[rule.CONDITION_TURNS] == "rounds",
        dies_at=death_rating(sheet, rulings),
        bleeds=_bleeds(sheet, rulings),
        rare=Rare(
            plenty=rulings[rule.AMMUNITION] == "plenty",
            economy=rulings[rule.TURNS] == "actions",
            first=sheet.takes_lead,
            ambush="lurks" if sheet.lurks else "",
            checks=rulings[rule.BLEEDING] == "each",
        ),
    )


Pool = tuple[str, int]
"""A Threat pool that several share: its name, and the points in it."""


@cites("EP-24")
def shared_pool(sheet: Combatant, condition: Condition) -> Pool | None:
    """The Threat pool that a combatant shares with others."""
    return (sheet.threat_group, condition.pools[THREAT]) if sheet.threat_group else None


@cites("EP-24")
def with_pool(sheet: Combatant, condition: Condition, left: object) -> Condition:
    """A condition once somebody has left so much in a Threat pool."""
    match left:
        case (str() as group, int() as threat) if group and group == sheet.threat_group:
            vigor, insight, moxie, _, flex = condition.pools
            return condition._replace(pools=(vigor, insight, moxie, threat, flex))
        case _:
            return condition


@cites("EP-35")
def meets(sheet: Combatant, condition: Condition, foes: Sequence[Combatant]) -> Condition:
    """Those who meet somebody in ambush don't know of it."""
    if sheet.lurks or not any(foe.lurks for foe in foes):
        return condition
    return condition._replace(rare=condition.rare._replace(ambush="unaware"))


@cites("EP-24", "EP-29")
def _lead(sheet: Combatant) -> tuple[int, int]:
    """Vigor and Threat that are left once the first place of the first turn is paid.

    Raises:
        SetupError: there is no point to pay it with.
    """
    if not sheet.takes_lead:
        return sheet.vigor, sheet.threat
    if sheet.vigor:
        return sheet.vigor - 1, sheet.threat
    if sheet.threat:
        return sheet.vigor, sheet.threat - 1
    raise SetupError(
        f"{sheet.name!r} takes the lead (takes_lead), which costs a point of Vigor or Threat, and "
        "has none (EP-29)"
    )


@cites("EP-79")
def _partly_loaded(sheet: Combatant) -> tuple[tuple[str, int], ...]:
    """Rounds in weapons that aren't full."""
    left = {one.name: one.rounds for one in sheet.weapons if one.rounds < one.magazine}
    return tuple(sorted(left.items()))


@cites("EP-113")
def _bleeds(sheet: Combatant, rulings: Rulings) -> Bleeds:
    """When a body bleeds (A-39); the house rule without checks (H-1) knows no bleeding."""
    if sheet.stabilized or not can_bleed(sheet, rulings):
        return ""
    return "always" if rulings[rule.BLEEDS_UNWOUNDED] == "yes" else "wounded"


@cites("EP-65")
def is_dead(condition: Condition) -> bool:
    """Damage reaches the Death Rating."""
    return 0 < condition.dies_at <= condition.damage


@cites("EP-113")
def may_bleed(sheet: Combatant, condition: Condition) -> bool:
    """A body that is brought down and lives is in danger of bleeding to death."""
    if not condition.bleeds or is_dead(condition):
        return False
    wounded = condition.wounds > 0 or condition.bleeds != "wounded"
    return wounded and is_full(condition.damage, sheet.durability)


@cites("EP-65", "EP-112", "EP-113", "EP-125")
def fate(sheet: Combatant, condition: Condition) -> str:
    """Standing, fled, out of it, insane, or dead."""
    if is_dead(condition):
        return "dead"
    if 0 < INSANITY * sheet.lucid <= condition.stress:
        return "insane"
    if condition.states == (("fleeing", LASTING),):
        return "fled"
    return "out" if is_out(sheet, condition) else "standing"


@cites("EP-65", "EP-111", "EP-112", "EP-124")
def is_out(sheet: Combatant, condition: Condition) -> bool:
    """Durability or lucidity reached, or knocked out; without lucidity no mind gives out."""
    if condition.knocked_out or is_full(condition.damage, sheet.durability):
        return True
    if condition.states and not GONE.isdisjoint(condition.states):
        return True
    return 0 < sheet.lucid <= condition.stress
