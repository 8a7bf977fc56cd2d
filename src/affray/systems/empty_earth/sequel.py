"""The next setup: both fighters as the exchange left them."""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.errors import SetupError
from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.step import cites
from affray.systems.empty_earth.conditions import written
from affray.systems.empty_earth.sheet import Fighter, Setup
from affray.systems.empty_earth.standing import called
from affray.systems.empty_earth.state import Actor, Exchange, FighterState

__all__ = ["LASTS", "RESETS", "after"]

RESETS = {
    "ended": "the Stage is over, and the next setup belongs to another one",
    "enacted": "they are on the sheets, and the next setup belongs to another Stage",
    "exposed": "it follows from the foes",
}
"""Fields of a fight's condition that the next setup does not carry, each with the reason."""
LASTS = {
    "vitality": "defender.left",
    "shields": "defender.shields",
    "injuries": "defender.injuries",
    "injured_this_stage": "defender.injured_this_stage",
    "armor_active": "defender.armor_active",
    "reactions": "defender.reactions",
    "attacker_vitality": "attacker.left",
    "attacker_shields": "attacker.shields",
    "attacker_injuries": "attacker.injuries",
    "attacker_injured_this_stage": "attacker.injured_this_stage",
    "attacker_armor_active": "attacker.armor_active",
    "attacker_reactions": "attacker.reactions",
    "zone": "attacker.zone",
    **{
        f"{who}_{color}_cubes": f"{who}.cubes.{color}"
        for who in ("attacker", "defender")
        for color in ("red", "blue", "black")
    },
}
"""Outcome fields whose value stands in the next setup, with its key there."""


def after(setup: Setup, trail: Sequence[Exchange], rulings: Rulings) -> Setup:
    """The setup after an exchange: all that changed on the two sheets lasts, places too.

    Raises:
        SetupError: one of the two is defeated, and gone.
    """
    outcome = trail[-1]
    ground = outcome.terms.ground
    zone = setup.attacker.zone if ground is None else ground.attacker.zone
    return replace(
        setup,
        attacker=replace(_with(setup.attacker, outcome.terms.striker, "attacker"), zone=zone),
        defender=_with(setup.defender, outcome.defending, "defender"),
    )


@cites("EE-25", "EE-46", "EE-47", "EE-60", "EE-61")
def _with(sheet: Fighter, now: FighterState, actor: Actor) -> Fighter:
    """The fighter in this condition; the Vitality track stays as long as it was."""
    if now.fallen == "defeated":
        raise SetupError(
            f"{actor}: {called(sheet, actor)} is defeated and gone; no setup goes on from there "
            "(EE-53)"
        )
    return replace(
        sheet,
        vitality=sheet.vitality if now.vitality == sheet.left else now.vitality,
        shields=now.shields,
        injuries=now.injuries,
        injured_this_stage=now.taken,
        reactions=now.reactions,
        armor_active=now.active,
        cubes=now.cubes,
        cubes_max=sheet.most_cubes if sheet.income.number else None,
        conditions=written(now.conditions),
    )
