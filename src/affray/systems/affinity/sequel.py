"""The next setup: Hit Dice, layers, Resolve, exertion and places as the action left them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from affray.core.fight import Role
from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.step import cites
from affray.systems.affinity import changes
from affray.systems.affinity.attempts import action_named
from affray.systems.affinity.lasting import outermost_of, whole, worn_down
from affray.systems.affinity.numbers import WORN, condition_of, hd_max_of
from affray.systems.affinity.positions import distance_after
from affray.systems.affinity.sheet import NOBODY, Ally, Combatant, Layer, Setup
from affray.systems.affinity.state import CombatantState, Cover, Exchange
from affray.systems.affinity.tables import MENDED, REACH

__all__ = ["LASTS", "RESETS", "after"]

LEAST_RESOLVE = -5
"""As low as Resolve can be on a sheet."""
RESETS = {
    "gone": "`distance_yd` says how far apart both are",
    "plenty": "it follows from the sheet",
    "walked": "a setup offers the free move with each action",
}
"""Fields of a fight's condition that the next setup does not carry, each with the reason."""
LASTS = {
    "own_resolve": "attacker.resolve",
    "resolve": "defender.resolve",
    "checked": "defender.checked",
    "lost_this_round": "defender.lost_this_round",
    "own_checked": "attacker.checked",
    "own_lost_this_round": "attacker.lost_this_round",
    "own_actions_left": "attacker.actions_left",
    "own_attacked": "attacker.attacked",
    "own_exerted": "attacker.exerted",
    "own_expert_used": "attacker.expert_used",
    "own_affinity": "attacker.affinity",
    "own_defending": "attacker.defending",
    "own_steadied": "attacker.steadied",
    "own_rushed": "attacker.rushed",
    "distance": "distance_yd",
}
"""Outcome fields whose value stands in the next setup, with its key there."""


@cites("AF-9", "AF-41", "AF-62", "AF-72", "AF-78")
def after(setup: Setup, trail: Sequence[Exchange], rulings: Rulings) -> Setup:
    """The setup after an action; a hazard has come, and a repair or a rest is over."""
    x = trail[-1]
    names = [facts.plan.name for facts in trail if facts.plan is not None and facts.plan.name]
    nobody = setup.attacker == NOBODY
    attacker = Combatant() if nobody else _after(setup.attacker, x, "actor")
    defender = _after(setup.defender, x, "target")
    if x.mended:
        attacker = replace(attacker, layers=whole(attacker.layers, WORN))
    if x.layers is not None:
        defender = replace(defender, layers=_layers(setup, x, names[-1] if names else ""))
    if setup.act == "recover":
        defender = replace(defender, rushed=False, steadied=False)
    yards = distance_after(x)
    apart = setup.act == "close" and yards > REACH["melee"]
    alone = setup.towards == "friend"
    return replace(
        setup,
        attacker=attacker,
        defender=defender,
        allies=() if alone else _allies(setup, x, rulings),
        act="close" if apart else "turn",
        distance_yd=yards,
        hazard=None,
        held="no",
        given=0,
        rest_hd=0,
    )


def _after(sheet: Combatant, x: Exchange, role: Role) -> Combatant:
    before = changes.enter(sheet, x.rulings)
    found = changes.apply(sheet, before, changes.effect(x, role)).now
    return _with(sheet, before.now, found, x.rulings)


@cites("AF-7", "AF-28", "AF-30", "AF-52", "AF-63")
def _with(
    sheet: Combatant, before: CombatantState, now: CombatantState, rulings: Rulings
) -> Combatant:
    """The combatant in this condition, layers left aside."""
    keys: dict[str, Any] = {
        "resolve": max(LEAST_RESOLVE, now.resolve),
        "affinity": now.affinity,
        "actions_left": now.actions,
        "attacked": now.attacked,
        "expert_used": now.expert,
        "exerted": now.exerted,
        "rushed": now.rushed,
        "steadied": now.steadied,
        "checked": now.checked,
        "stabilized": now.stabilized,
        "lost_this_round": now.lost,
        "conditions": now.conditions,
    }
    if now.hd != before.hd:
        most = max(now.hd, hd_max_of(sheet, rulings))
        keys |= {"hd": now.hd, "hd_max": most}
    if now.defending != before.defending:
        keys |= {"defending": now.defending, "braced_earlier": False}
    return replace(sheet, **keys)


@cites("AF-41", "AF-75")
def _allies(setup: Setup, x: Exchange, rulings: Rulings) -> tuple[Ally, ...]:
    """Allies as an area left them; those who Intervened pay for it."""
    allies = list(setup.allies)
    for place, effect in changes.helped(x):
        sheet = allies[place].combatant
        before = changes.enter(sheet, rulings)
        now = changes.apply(sheet, before, effect).now
        changed = _with(sheet, before.now, now, rulings)
        if effect.layers is not None:
            changed = replace(changed, layers=_left(sheet, effect.layers, rulings))
        allies[place] = replace(allies[place], combatant=changed)
    return tuple(allies)


@cites("AF-22", "AF-27", "AF-39", "AF-51", "AF-76", "AF-80")
def _layers(setup: Setup, x: Exchange, action: str) -> tuple[Layer, ...]:
    """The defender's layers: those that gave way are there no longer, new ones come first."""
    sheet, rulings = setup.defender, x.rulings
    if setup.act in MENDED:
        return whole(sheet.layers, MENDED[setup.act])
    if x.done.deed == "ward":
        ward = action_named(setup.attacker, action)
        assert ward is not None and ward.grants is not None  # noqa: PT018  # only wards grant
        return (replace(ward.grants, temp_hd=x.granted), *sheet.layers)
    return _left(sheet, x.covers, rulings)


@cites("AF-22", "AF-27")
def _left(sheet: Combatant, left: tuple[Cover, ...], rulings: Rulings) -> tuple[Layer, ...]:
    """The layers of a sheet, of which these are left."""
    layers = sheet.layers
    while True:
        there = condition_of(replace(sheet, layers=layers), rulings).layers
        outermost = outermost_of(sheet, layers, there, rulings)
        if len(there) <= len(left):
            return worn_down(layers, outermost, left) if there != left else layers
        layers = tuple(
            replace(layer, intact=False) if place in outermost else layer
            for place, layer in enumerate(layers)
        )
