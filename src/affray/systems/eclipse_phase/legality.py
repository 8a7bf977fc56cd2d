"""Reasons why something can't be done here: weapons, rounds, firing modes."""

from __future__ import annotations

from functools import lru_cache
from typing import get_args

from affray.core.step import cites
from affray.systems.eclipse_phase import rulings as rule
from affray.systems.eclipse_phase.gear import Ammo, Mode, Weapon
from affray.systems.eclipse_phase.modifiers import cone_targets, traits_of
from affray.systems.eclipse_phase.sheet import Combatant
from affray.systems.eclipse_phase.state import Exchange
from affray.systems.eclipse_phase.tables import (
    CLOSE_M,
    GRAPPLE,
    HELPLESS,
    MELEE_M,
    MENTAL,
    MODES,
    POINT_BLANK_M,
    SIZE_STEP,
    STUCK,
    SUPPRESS_ROUNDS,
)

__all__ = [
    "affordable",
    "bound",
    "held_up",
    "mode_closed",
    "movable",
    "out_of_action",
    "overloaded",
    "reach_m",
    "sweeps",
    "weapon_closed",
]


@cites("EP-35", "EP-36", "EP-65", "EP-112", "EP-115", "EP-124")
def out_of_action(who: Combatant) -> str:
    """Why a combatant can neither attack nor defend; empty if they can."""
    for condition in who.conditions:
        if condition in HELPLESS:
            return f"is {condition}"
    if who.damage >= who.durability:
        return f"is incapacitated: damage {who.damage} reaches durability {who.durability}"
    if who.stress >= who.lucid > 0:
        return f"is incapacitated: stress {who.stress} reaches lucidity {who.lucid}"
    return ""


@cites("EP-115", "EP-123")
def held_up(who: Combatant) -> str:
    """Why a combatant who may defend can't begin anything; empty if they can."""
    for condition in who.conditions:
        if condition in STUCK:
            return f"is {condition}"
    return ""


@cites("EP-115")
def bound(who: Combatant, weapon: Weapon) -> str:
    """Why a combatant who can act can't use this weapon; empty if they can."""
    if weapon.skill in MENTAL:
        return ""
    if "immobilized" in who.conditions:
        return f"needs a physical action, and {who.name!r} is immobilized"
    if "grappled" in who.conditions:
        return (
            f"needs a free hand, and {who.name!r} is grappled and has to break free first (EP-93)"
        )
    return ""


@cites("EP-117")
def overloaded(who: Combatant) -> str:
    """Why a combatant can't move under layers of armor; empty if they can."""
    energy, kinetic = who.worn
    if who.layers > 1 and max(energy, kinetic) > who.durability:
        return (
            f"would follow a move, but {who.name!r} can't move: armor {energy}/{kinetic} in layers "
            f"exceeds durability {who.durability}"
        )
    return ""


@cites("EP-32", "EP-33", "EP-115", "EP-117")
def movable(who: Combatant) -> str:
    """Why a combatant can't move from the spot; empty if they can."""
    for condition in ("grappled", "immobilized", "prone"):
        if condition in who.conditions:
            return f"would be a move, but {who.name!r} is {condition}"
    return overloaded(who)


@cites("EP-86")
def reach_m(x: Exchange, weapon: Weapon) -> int:
    """How many meters a melee weapon reaches (A-56)."""
    if x.rulings[rule.MELEE_REACH] == "point_blank":
        return MELEE_M["point_blank"]
    return MELEE_M["weapon"] + weapon.reach // MELEE_M["bonus"]


@cites("EP-32", "EP-85", "EP-86")
def _out_of_reach(x: Exchange, weapon: Weapon) -> str:
    """Why a melee weapon doesn't reach the target, even after the attacker's move."""
    setup, who = x.declared, x.declared.attacker
    if setup.distance_m is None:
        return ""
    moves = {"none": 0, "base": who.move_base, "rush": 0}
    reaches = reach_m(x, weapon)
    if setup.distance_m <= reaches + moves.get(setup.movement, who.move_full):
        return ""
    moved = f" after a {setup.movement} move" if setup.movement != "none" else ""
    return f"can't reach beyond {reaches} m; it is {setup.distance_m:g} m away{moved}"


@cites("EP-42", "EP-79", "EP-82", "EP-83", "EP-85", "EP-137")
def weapon_closed(x: Exchange, weapon: Weapon) -> str:
    """Why a weapon can't be used for this attack; empty when it can."""
    setup = x.declared
    if why := bound(setup.attacker, weapon) or _not_bought(x, weapon):
        return why
    if setup.movement != "none" and (why := overloaded(setup.attacker)):
        return why
    if setup.grapple != "none" and (why := _no_grapple(x, weapon)):
        return why
    if setup.movement == "charge" and not weapon.is_melee:
        return "can't be used in a charge (movement); only melee can"
    if setup.others and not (weapon.is_melee or weapon.is_fired or weapon.blast):
        return "attacks one target; leave 'others' out"
    if weapon.blast and (why := _unplaced(setup.others)):
        return why
    if weapon.form == "psi" and not all(target.is_biological for target in setup.targets):
        return "works on biological targets only"
    bodies = {target.is_biological for target in setup.targets}
    if setup.ammo.biomorphs_only and len(bodies) > 1:
        return (
            f"is loaded with {setup.ammo.name} (ammo), which works on biomorphs only, and the "
            "targets are mixed: not carried out yet (EP-83)"
        )
    plain = setup.ammo == _standard(setup.ammo.name, setup.ammo.source)
    if (weapon.form == "seeker") != (setup.ammo.payload is not None) and not plain:
        return (
            f"can't be loaded with {setup.ammo.name} (ammo); a seeker takes missiles, which have "
            "a 'payload', and other weapons don't"
        )
    if weapon.form not in {"kinetic", "seeker"} and not plain:
        return f"can't be loaded with {setup.ammo.name} (ammo); only firearms take special rounds"
    if weapon.form == "thrown" and not setup.attacker.som and setup.meters > CLOSE_M:
        return f"with SOM 0 is thrown {CLOSE_M} m at most; distance_m is {setup.meters:g}"
    if weapon.is_melee:
        return _out_of_reach(x, weapon)
    if weapon.form == "charge":
        return ""
    traits = traits_of(setup, weapon)
    least = CLOSE_M if "no_close" in traits else POINT_BLANK_M if "no_point_blank" in traits else -1
    if setup.meters <= least:
        return f"can't be fired at {least} m or less; distance_m is {setup.meters:g}"
    if weapon.is_fired:
        closed = [(mode, mode_closed(x, weapon, affordable(x, weapon, mode)))
                  for mode in weapon.modes]  # fmt: skip
        if all(why for _, why in closed):
            return "can't be fired: " + "; ".join(f"{mode} {why}" for mode, why in closed)
    return ""


@lru_cache(maxsize=256)
def _standard(name: str, source: str) -> Ammo:
    """Ammunition that does nothing special."""
    return Ammo(name=name, source=source)


@cites("EP-91")
def _no_grapple(x: Exchange, weapon: Weapon) -> str:
    """Why no grapple is possible with a weapon in hand; empty if one is."""
    setup = x.declared
    if not weapon.is_melee:
        return "takes hold of nobody (grapple); only an attack hand to hand can"
    one, other = SIZE_STEP[setup.attacker.size], SIZE_STEP[setup.defender.size]
    if other - one >= GRAPPLE["too_large"]:
        return f"can't grapple {setup.defender.name!r}, who is two sizes larger (EP-91)"
    return ""


@cites("EP-22", "EP-30", "EP-68")
def _not_bought(x: Exchange, weapon: Weapon) -> str:
    """Why an extra action isn't one with this weapon; empty if it is, or for the turn's own."""
    if x.bought == "physical" and weapon.skill in MENTAL:
        return "takes a mental action, and Vigor buys a physical one (EP-22)"
    if x.bought == "mental" and weapon.skill not in MENTAL:
        return "takes a physical action, and Insight buys a mental one (EP-22)"
    return ""


@cites("EP-102")
def _unplaced(others: tuple[Combatant, ...]) -> str:
    """Why a blast can't be worked out, if nobody says where a target stands."""
    for who in others:
        if who.spot is None:
            return (
                f"explodes, and nobody says where {who.name!r} stands: give 'place_m' (meters to "
                "the right of the point aimed at, and beyond it) or 'off_center_m'"
            )
    return ""


@cites("EP-68", "EP-71", "EP-73", "EP-79")
def mode_closed(x: Exchange, weapon: Weapon, mode: Mode) -> str:
    """Why a firing mode can't be used here; empty when it can."""
    setup, row = x.declared, MODES[mode]
    if mode == "single" and x.turned.single == weapon.name:
        return "has been fired in this turn, and fires one shot a turn (EP-68)"
    if weapon.rounds < row["rounds"]:
        return too_few(weapon, row["rounds"])
    if (most := _most_targets(x, weapon, mode)) is not None and len(setup.targets) > most:
        return f"attacks {most} at most, the setup has {len(setup.targets)} targets"
    unaimed = setup.aim == "quick" or x.rulings[rule.AIMED_BURST] == "no"
    if row["rounds"] > 1 and setup.aim != "none" and unaimed:
        return f"can't follow a {setup.aim} aim; only single and semi can be aimed"
    return ""


@cites("EP-71", "EP-72", "EP-102")
def _most_targets(x: Exchange, weapon: Weapon, mode: Mode) -> int | None:
    """How many targets one attack can have; None: as many as are there."""
    if weapon.blast or (mode == "auto" and sweeps(weapon)):
        return None
    most = MODES[mode]["targets"]
    if x.declared.others and "cone" in traits_of(x.declared, weapon):
        most = max(most, cone_targets(x._replace(weapon=weapon)))
    return most


def too_few(weapon: Weapon, rounds: int) -> str:
    """The words for a magazine that does not hold enough."""
    return f"needs {rounds} round{'s' * (rounds > 1)}, {weapon.name} holds {weapon.rounds}"


@cites("EP-72")
def sweeps(weapon: Weapon) -> bool:
    """Enough is loaded for suppressive fire."""
    return weapon.rounds >= SUPPRESS_ROUNDS


def affordable(x: Exchange, weapon: Weapon, mode: Mode) -> Mode:
    """The mode that is really fired: a lower one if the magazine is short and A-45 says so."""
    if x.rulings[rule.SHORT_MAGAZINE] == "refuse" or not weapon.rounds:
        return mode
    order: list[Mode] = [one for one in get_args(Mode) if MODES[one]["rounds"] <= weapon.rounds]
    return mode if mode in order else order[-1]
