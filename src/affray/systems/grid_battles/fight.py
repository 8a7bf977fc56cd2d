"""A fight: combats in turn until one side's units are all removed."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from affray.core.errors import SetupError
from affray.core.fight import Fight, Role, Scene
from affray.core.lazy import NamedTuple
from affray.core.node import At
from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.step import cites
from affray.systems.grid_battles import rulings as rule
from affray.systems.grid_battles.asking import MATTERS
from affray.systems.grid_battles.declaration import declared
from affray.systems.grid_battles.map.game import GAME
from affray.systems.grid_battles.numbers import points_of, reduced, why_not
from affray.systems.grid_battles.sheet import Setup, Unit
from affray.systems.grid_battles.state import Condition, Exchange
from affray.systems.grid_battles.tactics import rule_of_thumb
from affray.systems.grid_battles.telling import mended, told

__all__ = ["FIGHT", "Effect", "named"]


class Effect(NamedTuple):
    """The effect of a combat on one unit: hits scored on it, and whether it had its turn."""

    hits: int
    tires: bool = False


def enter(sheet: Unit, rulings: Rulings) -> Condition:
    """A unit as its counter has it."""
    return Condition(points_of(sheet.health, rulings), points_of(sheet.most, rulings))


@lru_cache(maxsize=4096)
def _in_turn(setup: Setup, *, tired: bool) -> Setup:
    status: Literal["fresh", "fatigued"] = "fatigued" if tired else "fresh"
    return replace(setup, followers=(), defender_status=status)


@cites("GB-1", "GB-2")
def declare(scene: Scene[Setup, Condition]) -> At[Exchange]:
    """An attack, between two as they are now.

    Raises:
        SetupError: out of range, or no Line of Sight.
    """
    setup = _in_turn(scene.setup, tired=scene.target.tired)
    if reason := why_not(setup, scene.rulings):
        raise SetupError(f"attacker: {setup.attacker.name or 'it'} can't attack: {reason}")
    # What Battle Back leaves of the actor is worked out from its hits, not here.
    return declared(setup, scene.actor.points, scene.target.points, scene.rulings)


def effect(outcome: Exchange, role: Role) -> Effect:
    """Read the hits: those on the target, and those of Battle Back on the actor."""
    if role == "target":
        return Effect(outcome.hits)
    return Effect(outcome.back_hits, outcome.fought.rulings[rule.FATIGUE] == "fresh")


@cites("GB-16")
def apply(sheet: Unit, condition: Condition, effect: Effect) -> Condition:
    """Points go; a unit without any is gone, whatever else held of it."""
    left = reduced(condition.points, effect.hits, condition.most)
    return (
        Condition(left, condition.most, condition.tired or effect.tires) if left else Condition(0)
    )


@cites("GB-16")
def is_out(sheet: Unit, condition: Condition) -> bool:
    """Tell whether the unit is removed."""
    return condition.points == 0


@cites("GB-42")
def end_round(sheet: Unit, condition: Condition) -> Condition:
    """In a new round every unit is fresh."""
    return condition._replace(tired=False) if condition.tired else condition


@cites("GB-16", "GB-42")
def leaves(situation: Setup, sheet: Unit, condition: Condition, rest: str) -> Unit:
    """The unit that comes into the next fight: the health that it has left; it is fresh.

    Raises:
        SetupError: it is removed; a rest, of which there is none.
    """
    if rest:
        raise SetupError(f"rest {rest!r}; allowed: none, units don't rest")
    if not condition.points:
        raise SetupError(f"{sheet.name or 'the unit'} is removed (GB-16)")
    health = condition.points + sheet.most - condition.most
    return sheet if health == sheet.health else replace(sheet, health=health, health_max=sheet.most)


def _called(unit: Unit, name: str) -> Unit:
    """The unit by another name; the type that Advantage asks for stays among its kinds (A-3)."""
    is_kept = unit.name in {"", name, *unit.kinds}
    return replace(unit, name=name, kinds=unit.kinds if is_kept else (*unit.kinds, unit.name))


def named(setup: Setup, actor: str, target: str) -> Setup:
    """The setup as people read it, with the names of the fight."""
    attacker, defender = _called(setup.attacker, actor), _called(setup.defender, target)
    return replace(setup, attacker=attacker, defender=defender)


def _vitals(sheet: Unit, condition: Condition) -> int:
    return condition.points


def _harm(effect: Effect) -> int:
    return max(0, effect.hits)


FIGHT: Fight[Exchange, Setup, Unit, Condition, Effect] = Fight(
    enter=enter,
    declare=declare,
    effect=effect,
    apply=apply,
    is_out=is_out,
    vitals=_vitals,
    harm=_harm,
    hits="hits",
    end_round=end_round,
    matters=MATTERS,
    named=named,
    told=told,
    mended=mended,
    leaves=leaves,
    whole=GAME,
    sets=frozenset({"followers", "defender_status", "scenario"}),
    rule_of_thumb=rule_of_thumb,
)
