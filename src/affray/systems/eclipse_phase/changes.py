"""What exchanges, turns and rounds make of a combatant's condition."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from affray.core.fight import Kept
from affray.core.step import cites
from affray.systems.eclipse_phase.condition import (
    ASLEEP,
    GONE,
    GONE_FOR_GOOD,
    NOTHING_BESIDES,
    NOTHING_RARE,
    POOLS,
    Besides,
    Bleeds,
    Condition,
    Effect,
    Rare,
    is_dead,
    is_out,
    may_bleed,
)
from affray.systems.eclipse_phase.harm import is_full
from affray.systems.eclipse_phase.sheet import Combatant
from affray.systems.eclipse_phase.state import NOT_TURNED, Pools, States, Turned
from affray.systems.eclipse_phase.tables import INSANITY, LASTING

__all__ = ["KEPT", "apply", "begin_turn", "end_round", "settled"]


@cites("EP-64", "EP-65")
def apply(sheet: Combatant, condition: Condition, effect: Effect) -> Condition:
    """A condition after an attack; of those who are out, no more than their fate needs."""
    after = _taken(sheet, condition, effect)
    return _bare(sheet, after) if is_out(sheet, after) else after


@cites("EP-64", "EP-67", "EP-122")
def _taken(sheet: Combatant, condition: Condition, effect: Effect) -> Condition:
    """Damage and wounds add up, damage up to the Death Rating."""
    (damage, wounds, stress, traumas, pools, prone, knocked_out, exposed, opening,
     surprised, states, advance, guard, aim, rounds, dies_at, bleeds,
     by_round, rare) = condition  # fmt: skip
    net, harmed, mental, falls, faints, shows, left, brought, freed, besides = effect
    if brought or freed:
        states = _with_states(states, brought, freed=freed)
    if besides != NOTHING_BESIDES:
        advance, guard, aim, rounds = _stance(condition, besides)
        if besides.bled:
            damage = max(damage, dies_at) if besides.bled == "dead" else damage
            bleeds = "bleeding" if besides.bled == "begun" else ""
        if besides.aided == "treated":
            bleeds = ""
        elif besides.aided == "woken":
            prone, knocked_out = True, False
            slept = tuple(one for one in sheet.conditions if one in ASLEEP)
            rare = rare._replace(lifted=(*rare.lifted, *slept))
        if besides.hold:
            states, rare = _grappled(states, rare, besides.hold)
        if besides.rounds[1] == GONE_FOR_GOOD:
            rare = rare._replace(gone=tuple(sorted((*rare.gone, besides.rounds[0]))))
        if besides.alerted:
            rare = rare._replace(ambush="noticed")
        if besides.turned != NOT_TURNED:
            prone, rare = _turned(prone, rare, besides.turned)
        if besides.moved and rare.covered:
            rare = rare._replace(covered=False)
    if mental:
        stress = min(INSANITY * sheet.lucid, stress + net)
        traumas += harmed
    else:
        damage += net
        wounds += harmed
        if damage >= sheet.durability:
            damage = min(damage, max(sheet.durability, dies_at))
    if any(pools):
        pools = _points_left(left)
    return Condition(
        damage, wounds, stress, traumas, pools, prone or falls, knocked_out or faints,
        exposed or shows, opening, surprised, states, advance, guard, aim, rounds, dies_at,
        bleeds, by_round, rare,
    )  # fmt: skip


def _points_left(left: Pools) -> tuple[int, int, int, int, int]:
    """Points in all pools, from those with any."""
    points = dict(left)
    vigor, insight, moxie, threat, flex = (points.get(pool, 0) for pool in POOLS)
    return vigor, insight, moxie, threat, flex


def _stance(
    condition: Condition, besides: Besides
) -> tuple[int, bool, bool, tuple[tuple[str, int], ...]]:
    """Place, guard, aim and rounds after an effect."""
    return (
        condition.advance + besides.moved,
        condition.guard or besides.action == "full_defense",
        besides.action == "aim" or (condition.aim and not besides.aimed),
        _with_rounds(condition.rounds, besides.rounds),
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
        first=rare.first or turned.first, rested=turned.rested, ran=rare.ran or turned.ran,
        single=turned.single or rare.single,
        ignored=(rare.ignored[0] + turned.ignores[0], rare.ignored[1] + turned.ignores[1]),
        covered=rare.covered if not turned.ducked else turned.ducked == "behind",
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


@lru_cache(maxsize=4096)
def _with_states(states: States, brought: States, *, freed: bool = False) -> States:
    """Conditions with those that an effect brings; of the same one the longer lasts."""
    known = dict(states)
    if freed:
        known = {name: left for name, left in states if name not in {"grappled", "entangled"}}
    for name, turns in brought:
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


def _lasting(rare: Rare) -> Rare:
    """The part of it that lasts for the whole fight."""
    if rare is NOTHING_RARE or rare == NOTHING_RARE:
        return NOTHING_RARE
    return Rare(rare.plenty, rare.economy, rare.lifted, checks=rare.checks, gone=rare.gone)


@lru_cache(maxsize=16384)
def _bare(sheet: Combatant, condition: Condition) -> Condition:
    """A combatant who is out, with no more details than their fate needs: so conditions merge.

    Where turns are whole, friends may help, and find all as it is.
    """
    damage, stress, pools = condition.damage, condition.stress, condition.pools
    if condition.rare.economy:
        return _laid_out(sheet, condition)
    rare = _lasting(condition.rare)
    bare = Condition(
        damage=damage, stress=stress, pools=pools, dies_at=condition.dies_at,
        bleeds=condition.bleeds, by_round=condition.by_round, rare=rare._replace(gone=()),
    )  # fmt: skip
    if may_bleed(sheet, condition):
        return bare._replace(
            damage=_to_bleed_from(sheet, condition), wounds=condition.wounds,
            traumas=condition.traumas,
        )  # fmt: skip
    if is_full(damage, sheet.durability):
        if is_dead(condition):
            return bare._replace(stress=0)
        return bare._replace(damage=sheet.durability)
    if is_out(sheet, bare):
        return bare
    gone = tuple(one for one in condition.states if one in GONE)
    if gone:
        return bare._replace(states=gone)
    return bare._replace(
        knocked_out=True, wounds=condition.wounds, traumas=condition.traumas,
        advance=condition.advance, rounds=condition.rounds, rare=rare,
    )  # fmt: skip


def _laid_out(sheet: Combatant, condition: Condition) -> Condition:
    """A combatant who is out as friends find them: with all harm, and without a stance."""
    full = is_full(condition.damage, sheet.durability)
    done_for = is_dead(condition) or (sheet.lucid > 0 and is_full(condition.stress, sheet.lucid))
    return condition._replace(
        exposed=False, opening=False, surprised=False, guard=False, aim=False,
        rare=_lasting(condition.rare), prone=condition.prone or full,
        knocked_out=condition.knocked_out and not is_dead(condition),
        states=() if done_for else condition.states,
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
    if rare.ran or rare.single or rare.rested:
        rare = rare._replace(ran=False, single="", rested=False)
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
def _bleed_on(condition: Condition) -> Condition:
    """A turn of bleeding costs a point for each wound; as ruled, another check follows (A-38)."""
    damage = min(condition.dies_at, condition.damage + max(1, condition.wounds))
    bleeds: Bleeds = "always" if condition.rare.checks else "bleeding"
    return condition._replace(damage=damage, bleeds=bleeds)


@cites("EP-113")
def end_round(sheet: Combatant, condition: Condition) -> Condition:
    """A round is over, for those who bleed as well."""
    if condition.bleeds == "bleeding" and may_bleed(sheet, condition):
        condition = _bare(sheet, _bleed_on(condition))
    return _end_round(condition)


@cites("EP-35", "EP-36", "EP-115")
def _end_round(condition: Condition) -> Condition:
    """Nobody is surprised for longer than a round, and an ambush is over with the first."""
    if condition.by_round and condition.states:
        condition = condition._replace(states=_left(condition.states, 1))
    if condition.rare.ambush in {"lurks", "unaware"}:
        condition = condition._replace(rare=condition.rare._replace(ambush=""))
    elif condition.rare.ambush == "noticed":
        condition = condition._replace(rare=condition.rare._replace(ambush="alerted"))
    return condition._replace(surprised=False) if condition.surprised else condition


# -- in full ---------------------------------------------------------------------------------


@cites("EP-64", "EP-65")
def _kept(sheet: Combatant, condition: Condition, effect: Effect) -> Condition:
    """A condition after an attack, with all damage up to the Death Rating."""
    if effect.besides.aided == "woken":
        condition = settled(sheet, condition)  # what was forgotten meanwhile is over
    return _found(sheet, _taken(sheet, condition, effect))


@cites("EP-113")
def _kept_at_end(sheet: Combatant, condition: Condition) -> Condition:
    """The same when a round is over."""
    if condition.bleeds == "bleeding" and may_bleed(sheet, condition):
        condition = _found(sheet, _bleed_on(condition))
    return _end_round(condition)


def _found(sheet: Combatant, condition: Condition) -> Condition:
    return _laid_out(sheet, condition) if is_out(sheet, condition) else condition


KEPT = Kept(_kept, _kept_at_end, settled)
"""Conditions in full, as people at the table have them."""
