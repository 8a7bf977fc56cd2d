"""The next setup: harm, points and rounds as the attack left them; what it cost a turn is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast, get_args

from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.step import cites
from affray.systems.eclipse_phase import rulings as rule
from affray.systems.eclipse_phase.gear import Weapon
from affray.systems.eclipse_phase.sheet import Combatant, Condition, Lasting, Setup
from affray.systems.eclipse_phase.state import Exchange, Pools, Struck

__all__ = ["BEYOND", "LASTS", "RESETS", "after"]

CONDITIONS: tuple[Condition, ...] = get_args(Condition)
MOST = 100
"""As many wounds, traumas and failed attacks as a sheet can hold."""
MOST_FAILED = 20

RESETS = {
    "exposed": "an attacker who attacks has a new turn; `was_aggressive` is that of this attack",
    "holds": "a single attack knows who is grappled, not who holds whom",
    "held": "a single attack knows who is grappled, not who holds whom",
    "rounds": "the setup's own `weapon` says what is left in it; a sheet says it of its weapons",
    "opening": "an attacker who attacks is done with the full defense and the move before",
}
"""Fields of a fight's condition that the next setup does not carry, each with the reason."""


BEYOND = {
    "weapons": "whoever is disarmed loses a weapon; a fight forgets that",
    "alerted": "a fight begins after the ambush",
    "place_m": "in a fight nobody has a place",
    "off_center_m": "in a fight nobody has a place",
    "sheltered": "in a fight nobody has a place",
}
"""Keys of a sheet that change, and of which fights know nothing, each with the reason."""
LASTS = {"exposed": "attacker.was_aggressive"}
"""Outcome fields whose value stands in the next setup, with its key there."""


def after(setup: Setup, trail: Sequence[Exchange], rulings: Rulings) -> Setup:
    """The setup after an attack: damage, wounds, stress, pools, rounds and conditions last.

    The aim, the move and the ambush of this attack are over. A weapon that is broken or used up is
    gone, as is the only weapon of a target who is disarmed. With the last weapon that explodes go
    the places of those whom it could catch.
    """
    outcome = trail[-1]
    used = next((facts.weapon for facts in reversed(trail) if facts.weapon is not None), None)
    struck = [
        _struck(sheet, done, outcome)
        for sheet, done in zip(setup.targets, outcome.done, strict=False)
    ]
    struck += setup.targets[len(struck) :]
    failed = setup.failed_before
    if rulings[rule.RETRIES] == "yes" and outcome.done:
        failed = 0 if outcome.done[0].hit else min(MOST_FAILED, failed + 1)
    attacker = _acted(setup, outcome, used)
    weapon = None if setup.weapon is None else _left(setup.weapon, outcome)
    loads = [one for one in (weapon, *attacker.weapons, setup.ammo.payload) if one is not None]
    if not any(load.blast for load in loads):
        cones = any("cone" in load.traits for load in loads)
        struck = [_unplaced(who, keeps_shelter=cones) for who in struck]
    return replace(
        setup,
        attacker=attacker,
        defender=struck[0],
        others=tuple(struck[1:]),
        weapon=weapon,
        movement="none",
        aim="none",
        earlier_attacks=0,
        failed_before=failed,
        ambush=False,
        alert=False,
        grapple="none",
    )


@cites("EP-102")
def _unplaced(who: Combatant, *, keeps_shelter: bool) -> Combatant:
    """A target whom no blast can catch any more; shelter still helps against cones."""
    sheltered = who.sheltered and keeps_shelter
    return replace(who, place_m=(), off_center_m=0, sheltered=sheltered)


@cites("EP-18", "EP-48", "EP-79", "EP-84", "EP-93")
def _acted(setup: Setup, outcome: Exchange, used: Weapon | None) -> Combatant:
    """The attacker: points and rounds are spent, and only this attack counts as aggressive."""
    sheet = setup.attacker
    weapons = sheet.weapons if used is None else _with(sheet.weapons, used, outcome)
    held = {"grappled", "entangled"} if outcome.freed else set()
    return replace(
        _with_pools(sheet, outcome.pools),
        conditions=tuple(one for one in sheet.conditions if one not in held),
        lasting=tuple(one for one in sheet.lasting if one.condition not in held),
        weapons=weapons,
        was_aggressive=outcome.exposed,
        full_defense=False,
        lurks=False,
        moved_full=setup.movement in {"full", "rush", "charge"},
    )


@cites("EP-61", "EP-79")
def _with(weapons: tuple[Weapon, ...], used: Weapon, outcome: Exchange) -> tuple[Weapon, ...]:
    """The weapons of a sheet after an attack with one of them; of several alike one is used up."""
    kept: list[Weapon] = []
    is_lost = outcome.broken
    for one in weapons:
        if one.name != used.name:
            kept.append(one)
        elif is_lost:
            is_lost = False
        else:
            kept.append(one if outcome.broken else _left(one, outcome) or one)
    return tuple(kept)


@cites("EP-61", "EP-79")
def _left(weapon: Weapon, outcome: Exchange) -> Weapon | None:
    """The weapon with the rounds that are left; None if it is broken or used up."""
    if outcome.broken:
        return None
    return replace(weapon, rounds=outcome.rounds) if weapon.is_fired else weapon


@cites("EP-24")
def _with_pools(sheet: Combatant, left: Pools) -> Combatant:
    points = dict(left)
    threat = points.get("threat", 0)
    return replace(
        sheet,
        insight=points.get("insight", 0),
        moxie=points.get("moxie", 0),
        vigor=points.get("vigor", 0),
        flex=points.get("flex", 0),
        threat=threat,
        threat_group=sheet.threat_group if threat else "",
    )


@cites("EP-35", "EP-37", "EP-64", "EP-67", "EP-110", "EP-111", "EP-122")
def _struck(sheet: Combatant, struck: Struck, outcome: Exchange) -> Combatant:
    """A target: damage and wounds add up, or stress and traumas."""
    lasting = {one.condition: one.turns for one in sheet.lasting}
    for name, turns in struck.conditions:
        word = cast("Condition", name)
        lasting[word] = max(turns, lasting.get(word, 0))
    new = {
        *lasting,
        *(("prone",) if struck.prone else ()),
        *(("unconscious",) if struck.knocked_out else ()),
        *(("surprised",) if outcome.ambush == "surprised" else ()),
    }
    hurt = replace(
        _with_pools(sheet, struck.pools),
        conditions=(
            *sheet.conditions,
            *(c for c in CONDITIONS if c in new - set(sheet.conditions)),
        ),
        lasting=tuple(
            Lasting(condition=name, turns=turns) for name, turns in sorted(lasting.items())
        ),
        alerted=sheet.alerted or outcome.ambush == "alerted",
        weapons=() if struck.disarmed and len(sheet.weapons) == 1 else sheet.weapons,
    )
    if struck.stress:
        return replace(
            hurt,
            stress=sheet.stress + struck.net,
            traumas=min(MOST, sheet.traumas + struck.wounds),
        )
    return replace(
        hurt,
        damage=max(sheet.damage + struck.net, struck.total),
        stabilized=sheet.stabilized and not struck.bleeding,
        wounds=min(MOST, sheet.wounds + struck.wounds),
    )
