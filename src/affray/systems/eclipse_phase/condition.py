"""The condition of a combatant between attacks, and what becomes of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from affray.core.errors import SetupError
from affray.core.node import facts
from affray.core.ruling import Rulings
from affray.core.step import cites
from affray.systems.eclipse_phase import rulings as rule
from affray.systems.eclipse_phase.harm import is_full
from affray.systems.eclipse_phase.numbers import can_bleed, death_rating
from affray.systems.eclipse_phase.sheet import Combatant
from affray.systems.eclipse_phase.state import NOT_TURNED, Action, Aided, Pools, States, Turned
from affray.systems.eclipse_phase.tables import INSANITY, LASTING

__all__ = [
    "FATES", "NO_EFFECT", "POOLS", "Bleeds", "Condition", "Effect", "apply", "begin_turn",
    "end_round", "enter", "fate", "is_out", "may_bleed", "meets", "settled", "shared_pool",
    "with_pool",
]  # fmt: skip

POOLS = ("vigor", "insight", "moxie", "threat", "flex")
THREAT = POOLS.index("threat")
GONE = (("detached", LASTING), ("fleeing", LASTING))
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
        counted: rounds are counted; economy: turns are whole (H-4); the same for the whole fight.
        lifted: conditions of the sheet that a game master has taken away.
        first: goes first in the coming turn. ignored: further wounds and traumas whose modifiers
            points have bought off.
        ambush: lies in one; is unaware of one, and neither acts in the first round nor defends
            against it; has noticed it just in time; is alerted from the next round on.
        checks: who bleeds checks each turn (A-38). holds, held: has hold of the other, or is
            held, in a fight of two.
        ran, single: moved farther than a base move in this turn; the weapon that was fired in
            single mode. Kept only where points may buy another action.
    """

    counted: bool = False
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


NOTHING_RARE = Rare()
ASLEEP = frozenset({"unconscious", "incapacitated"})
"""Conditions of a sheet that are over once somebody is awake."""


@facts
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


class Effect(NamedTuple):
    """An attack did this to one who took part in it.

    Attributes:
        net, wounds: damage and wounds; with `stress` to the mind.
        prone, knocked_out, exposed: what it brought about.
        pools: every point that is left.
        bled: what came of a check against bleeding.
        states: conditions that it brought, with their turns. freed: broke free from a grapple.
        moved: meters toward the other side. action: what was done instead of an attack; aimed:
            an aim is used up. rounds: a weapon's name and the rounds left in it; -1: reloaded.
        hold: holds the other one now, is held, or neither.
        turned: what a whole turn leaves behind. alerted: noticed an ambush. aided: what a friend
            has done for them.
    """

    net: int = 0
    wounds: int = 0
    stress: bool = False
    prone: bool = False
    knocked_out: bool = False
    exposed: bool = False
    pools: Pools = ()
    bled: Bled = ""
    states: States = ()
    freed: bool = False
    moved: int = 0
    action: Action = ""
    aimed: bool = False
    rounds: tuple[str, int] = ("", 0)
    turned: Turned = NOT_TURNED
    alerted: bool = False
    aided: Aided = ""
    hold: Literal["", "holds", "held", "free"] = ""


NO_EFFECT = Effect()


def enter(sheet: Combatant, rulings: Rulings) -> Condition:
    """A combatant as the sheet has them.

    Raises:
        SetupError: something that only single attacks carry out.
    """
    if sheet.spot is not None or sheet.sheltered:
        raise SetupError(
            f"{sheet.name!r}: 'place_m', 'off_center_m' and 'sheltered' work in single attacks "
            "only; in a fight a blast or cone catches its target alone (EP-102)"
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
        by_round=rulings[rule.CONDITION_TURNS] == "rounds",
        dies_at=death_rating(sheet, rulings),
        bleeds=_bleeds(sheet, rulings),
        rare=Rare(
            counted=rulings[rule.AMMUNITION] == "counted",
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


@cites("EP-113")
def _bleeds(sheet: Combatant, rulings: Rulings) -> Bleeds:
    """When a body bleeds (A-39); the house rule without checks (H-1) knows no bleeding."""
    if not can_bleed(sheet, rulings):
        return ""
    return "always" if rulings[rule.BLEEDS_UNWOUNDED] == "yes" else "wounded"


@cites("EP-64", "EP-67", "EP-122")
def apply(sheet: Combatant, condition: Condition, effect: Effect) -> Condition:
    """Damage and wounds add up, damage up to the Death Rating."""
    (damage, wounds, stress, traumas, pools, prone, knocked_out, exposed, opening,
     surprised, states, advance, guard, aim, rounds, dies_at, bleeds,
     by_round, rare) = condition  # fmt: skip
    net, harmed, mental, falls, faints, shows, left, *rest = effect
    if rest != PLAIN:
        states, advance, guard, aim, rounds = _besides(condition, effect)
        if effect.bled:
            damage = max(damage, dies_at) if effect.bled == "dead" else damage
            bleeds = "bleeding" if effect.bled == "begun" else ""
        if effect.aided == "treated":
            bleeds = ""
        elif effect.aided == "woken":
            prone, knocked_out = True, False
            slept = tuple(one for one in sheet.conditions if one in ASLEEP)
            rare = rare._replace(lifted=(*rare.lifted, *slept))
        if effect.hold:
            states, rare = _grappled(states, rare, effect.hold)
        if effect.alerted:
            rare = rare._replace(ambush="noticed")
        if effect.turned != NOT_TURNED:
            prone, rare = _turned(prone, rare, effect.turned)
    if mental:
        stress = min(INSANITY * sheet.lucid, stress + net)
        traumas += harmed
    else:
        damage += net
        wounds += harmed
        if damage >= sheet.durability:
            damage = min(damage, max(sheet.durability, dies_at))
    if any(pools):
        points = dict(left)
        vigor, insight, moxie, threat, flex = (points.get(pool, 0) for pool in POOLS)
        pools = (vigor, insight, moxie, threat, flex)
    done_for = not bleeds or 0 < dies_at <= damage
    if damage >= sheet.durability and done_for and not rare.economy:
        return _fallen(sheet, damage, stress, pools, (dies_at, bleeds, by_round, rare))
    after = Condition(
        damage, wounds, stress, traumas, pools, prone or falls, knocked_out or faints,
        exposed or shows, opening, surprised, states, advance, guard, aim, rounds, dies_at,
        bleeds, by_round, rare,
    )  # fmt: skip
    unharmed = damage < sheet.durability and not (knocked_out or faints or states or stress)
    return after if unharmed or not is_out(sheet, after) else _bare(sheet, after)


PLAIN = list(NO_EFFECT[7:])
"""An effect that does no more than harm, in what comes after it."""


def _besides(
    condition: Condition, effect: Effect
) -> tuple[States, int, bool, bool, tuple[tuple[str, int], ...]]:
    """Conditions, place, guard, aim and rounds after an effect."""
    states = condition.states
    if effect.states or effect.freed:
        states = _with_states(states, effect)
    return (
        states, condition.advance + effect.moved,
        condition.guard or effect.action == "full_defense",
        effect.action == "aim" or (condition.aim and not effect.aimed),
        _with_rounds(condition.rounds, effect.rounds),
    )  # fmt: skip


@cites("EP-91", "EP-92", "EP-93")
def _grappled(
    states: States, rare: Rare, hold: Literal["holds", "held", "free"]
) -> tuple[States, Rare]:
    """Who holds whom in a fight of two."""
    known = dict(states)
    if hold == "held":
        known["grappled"] = LASTING
    elif rare.held:
        known = {name: left for name, left in states if name not in {"grappled", "entangled"}}
    rare = rare._replace(holds=hold == "holds", held=hold == "held")
    return tuple(sorted(known.items())), rare


@cites("EP-29", "EP-33", "EP-68")
def _turned(prone: bool, rare: Rare, turned: Turned) -> tuple[bool, Rare]:  # noqa: FBT001
    """Who lies down or stands, and what is known for the rest of the turn."""
    prone = (prone and not turned.stood) or turned.fell
    rare = rare._replace(
        first=rare.first or turned.first, ran=rare.ran or turned.ran,
        single=turned.single or rare.single,
        ignored=(rare.ignored[0] + turned.ignores[0], rare.ignored[1] + turned.ignores[1]),
    )  # fmt: skip
    return prone, rare


def _with_rounds(
    rounds: tuple[tuple[str, int], ...], change: tuple[str, int]
) -> tuple[tuple[str, int], ...]:
    """Rounds in weapons that aren't full after one was fired or reloaded."""
    name, left = change
    if not name:
        return rounds
    kept = {weapon: number for weapon, number in rounds if weapon != name}
    return tuple(sorted((kept if left < 0 else {**kept, name: left}).items()))


def _with_states(states: States, effect: Effect) -> States:
    """Conditions with those that an effect brings; of the same one the longer lasts."""
    known = dict(states)
    if effect.freed:
        known = {name: left for name, left in states if name not in {"grappled", "entangled"}}
    for name, turns in effect.states:
        known[name] = max(turns, known.get(name, 0))
    return tuple(sorted(known.items()))


def _left(states: States, gone: int) -> States:
    """Conditions that are left when a turn begins or a round ends: those with less turns go."""
    kept = []
    for name, turns in states:
        if turns >= LASTING or name == "entangled":
            kept.append((name, turns))
        elif turns > gone:
            kept.append((name, turns - 1))
    return tuple(kept)


def _fallen(
    sheet: Combatant,
    damage: int,
    stress: int,
    pools: tuple[int, int, int, int, int],
    about: tuple[int, Bleeds, bool, Rare],
) -> Condition:
    """A combatant brought down by damage who doesn't bleed, or is dead."""
    dies_at, bleeds, by_round, rare = about
    rare = _lasting(rare)
    if 0 < dies_at <= damage:
        stress = 0
    else:
        damage = sheet.durability
    return Condition(
        damage, 0, stress, 0, pools, False, False, False, False, False, (), 0, False, False, (),
        dies_at, bleeds, by_round, rare,
    )  # fmt: skip


def _lasting(rare: Rare) -> Rare:
    """The part of it that lasts for the whole fight."""
    return Rare(rare.counted, rare.economy, rare.lifted, checks=rare.checks)


def _bare(sheet: Combatant, condition: Condition) -> Condition:
    """A combatant who is out, with no more details than their fate needs: so conditions merge.

    Where turns are whole, friends may help, and find all as it is.
    """
    damage, stress, pools = condition.damage, condition.stress, condition.pools
    rare = condition.rare
    kept = _lasting(rare)
    if rare.economy:  # friends may help, and find them as they are
        full = is_full(damage, sheet.durability)
        done_for = is_dead(condition) or (sheet.lucid > 0 and is_full(stress, sheet.lucid))
        return condition._replace(
            exposed=False, opening=False, surprised=False, guard=False, aim=False, rare=kept,
            prone=condition.prone or full,
            knocked_out=condition.knocked_out and not is_dead(condition),
            states=() if done_for else condition.states,
        )  # fmt: skip
    about = condition.dies_at, condition.bleeds, condition.by_round, kept
    bare = Condition(damage=damage, stress=stress, pools=pools, dies_at=about[0],
                     bleeds=about[1], by_round=about[2], rare=about[3])  # fmt: skip
    if may_bleed(sheet, condition):
        return bare._replace(
            damage=_to_bleed_from(sheet, condition), wounds=condition.wounds,
            traumas=condition.traumas,
        )  # fmt: skip
    if is_full(damage, sheet.durability):
        return _fallen(sheet, damage, stress, pools, about)
    if is_out(sheet, bare):
        return bare
    gone = tuple(one for one in condition.states if one in GONE)
    if gone:
        return bare._replace(states=gone)
    return bare._replace(
        knocked_out=True, wounds=condition.wounds, traumas=condition.traumas,
        advance=condition.advance, rounds=condition.rounds,
    )  # fmt: skip


def settled(sheet: Combatant, condition: Condition) -> Condition:
    """A condition without the details that don't matter any more for somebody who is out."""
    return _bare(sheet, condition) if is_out(sheet, condition) else condition


@cites("EP-113")
def _to_bleed_from(sheet: Combatant, condition: Condition) -> int:
    """The least damage from which bleeding to death takes as many turns: one for each wound."""
    loss = max(1, condition.wounds)
    turns = -(-(condition.dies_at - condition.damage) // loss)
    return max(sheet.durability, condition.dies_at - loss * turns)


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
    if condition.states and any(one in GONE for one in condition.states):
        return True
    return sheet.lucid > 0 and is_full(condition.stress, sheet.lucid)


@cites("EP-33", "EP-48", "EP-84")
def begin_turn(sheet: Combatant, condition: Condition) -> Condition:
    """A quick action to stand up; an aggressive attack no longer exposes, full defense is over."""
    if condition.states:
        condition = _turn_of_states(condition)
    if condition.guard:
        condition = condition._replace(guard=False)
    if condition.rare.first:
        condition = condition._replace(rare=condition.rare._replace(first=False))
    if condition.rare.economy:
        return _begin_whole(condition)
    if not (condition.prone or condition.exposed or condition.opening):
        return condition
    if condition.states and not _may_act(condition):
        return condition._replace(exposed=False, opening=False)
    return condition._replace(prone=False, exposed=False, opening=False)


@cites("EP-29", "EP-33")
def _begin_whole(condition: Condition) -> Condition:
    """A whole turn: nobody stands up unasked, and what the last turn left behind is over."""
    rare = condition.rare
    if rare.ran or rare.single:
        rare = rare._replace(ran=False, single="")
    return condition._replace(exposed=False, opening=False, rare=rare)


@cites("EP-107", "EP-115")
def _turn_of_states(condition: Condition) -> Condition:
    """Conditions grow older in the own turn, or with the rounds (A-55)."""
    if condition.by_round:
        return condition
    return condition._replace(states=_left(condition.states, 0))


def _may_act(condition: Condition) -> bool:
    return not any(name == "incapacitated" for name, _ in condition.states)


@cites("EP-113")
def _bleed_on(sheet: Combatant, condition: Condition) -> Condition:
    """A turn of bleeding costs a point for each wound; as ruled, another check follows (A-38)."""
    damage = min(condition.dies_at, condition.damage + max(1, condition.wounds))
    bleeds: Bleeds = "always" if condition.rare.checks else "bleeding"
    return _bare(sheet, condition._replace(damage=damage, bleeds=bleeds))


@cites("EP-35", "EP-36", "EP-113")
def end_round(sheet: Combatant, condition: Condition) -> Condition:
    """Nobody is surprised for longer than a round, and an ambush is over with the first."""
    if condition.bleeds == "bleeding" and may_bleed(sheet, condition):
        condition = _bleed_on(sheet, condition)
    if condition.by_round and condition.states:
        condition = condition._replace(states=_left(condition.states, 1))
    if condition.rare.ambush in {"lurks", "unaware"}:
        condition = condition._replace(rare=condition.rare._replace(ambush=""))
    elif condition.rare.ambush == "noticed":
        condition = condition._replace(rare=condition.rare._replace(ambush="alerted"))
    return condition._replace(surprised=False) if condition.surprised else condition
