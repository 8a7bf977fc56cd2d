"""How fighters stand: the condition that a sheet describes, turns, and the end of a Stage."""

from __future__ import annotations

from functools import lru_cache

from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.step import cites
from affray.systems.empty_earth import rulings as rule
from affray.systems.empty_earth.conditions import aged, begun
from affray.systems.empty_earth.map.placed import exchanged
from affray.systems.empty_earth.sheet import Fighter, Injured, Setup
from affray.systems.empty_earth.state import (
    FighterState,
)
from affray.systems.empty_earth.tables import (
    REACTIONS,
)

__all__ = [
    "called", "condition_of", "counts_as_injured", "injury_of", "is_last", "refreshed",
    "strikes_back", "swapped",
]  # fmt: skip


def called(fighter: Fighter, actor: str) -> str:
    """The fighter's name, or the part played."""
    return fighter.name or f"the {actor}"


def condition_of(fighter: Fighter) -> FighterState:
    """The condition that a sheet describes."""
    return FighterState(
        vitality=fighter.left,
        shields=fighter.shields,
        injuries=fighter.injuries,
        taken=fighter.injured_this_stage,
        fallen="incapacitated" if fighter.is_down else "",
        reactions=fighter.reactions,
        active=fighter.armor_active,
        cubes=fighter.cubes,
        conditions=begun(fighter.conditions),
    )


@cites("EE-26", "EE-56", "EE-60", "EE-61", "EE-71")
def refreshed(fighter: Fighter, condition: FighterState, rulings: Rulings) -> FighterState:
    """A condition at the start of the own turn: no Shields, no Armor effect, new reactions.

    Conditions that last for a number of turns come nearer to their end, and cubes come in.
    """
    keeps = fighter.side != "pc" and rulings[rule.RESET] == "never"
    return condition._replace(
        shields=condition.shields if keeps else 0,
        active=False,
        reactions=REACTIONS["between turns"],
        conditions=aged(condition.conditions),
        cubes=condition.cubes.filled(fighter.income, fighter.most_cubes),
    )


@lru_cache(maxsize=256)
def swapped(setup: Setup) -> Setup:
    """The same situation with the parts exchanged, for a Counter."""
    return replace(
        setup,
        attacker=setup.defender,
        defender=setup.attacker,
        attacks=1,
        hostile_in_own_zone=setup.hostile_near_defender,
        hostile_near_defender=setup.hostile_in_own_zone,
        figures=exchanged(setup.figures),
        new_turn="none",
        turn_between=False,
    )


def strikes_back(rulings: Rulings) -> bool:
    """Say if Counters are carried out, so that an attack can harm the attacker."""
    return rulings[rule.COUNTER] != "off"


def injury_of(condition: FighterState, rulings: Rulings) -> Injured:
    """The Injury of a player character as the end of the Stage counts it."""
    # One that was discarded again is held no more, but it was taken.
    if condition.taken and (condition.injuries or rulings[rule.STAGE] == "taken"):
        return "taken"
    return "carried" if condition.injuries else "none"


@cites("EE-52")
def counts_as_injured(state: Injured, rulings: Rulings) -> bool:
    """Say if this Injury brings the end of the Stage nearer (A-14)."""
    return state != "none" if rulings[rule.STAGE] == "hold" else state == "taken"


def is_last(setup: Setup, rulings: Rulings) -> bool:
    """Say if every other player character has taken an Injury already."""
    return all(counts_as_injured(state, rulings) for state in setup.other_pcs)
