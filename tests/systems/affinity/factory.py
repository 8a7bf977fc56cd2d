"""Small makers: combatants that nothing modifies, and ways to run what they do.

The striker is of level 1 and hits with a light weapon; the target of level 1 has three Hit Dice of
ten sides and no layers, so it defends with one d10.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from affray.core.node import Facts
from affray.core.ruling import Rulings
from affray.core.system import Objective, System
from affray.engine.exchange import best
from affray.engine.exchange.game import Game
from affray.systems.affinity import SYSTEM as ROOM
from affray.systems.affinity.sheet import (
    Action,
    Affliction,
    Ally,
    Boost,
    Combatant,
    Hazard,
    Layer,
    Setup,
)
from tests.systems.playing import (
    asked,
    chance,
    dice,
    joint,
    line,
    mean,
    odds,
    offered,
    play,
    played,
    question,
    value,
)

__all__ = [
    "asked",
    "chance",
    "dice",
    "joint",
    "line",
    "mean",
    "odds",
    "offered",
    "play",
    "played",
    "question",
    "value",
]  # handed on, beside what is made here


SYSTEM = cast("System[Facts]", ROOM)

BLADE = Action(name="blade", weapon="light")
MAUL = Action(name="maul", weapon="heavy")
SLING = Action(name="sling", weapon="ranged_light", reach="ranged", extreme=True)
MEND = Action(name="mend", kind="heal", required=1, heal=2)
STRIKER = Combatant(name="striker", level=1, body="tough", actions=(BLADE,))
TARGET = Combatant(name="target", level=1, body="tough")
ORC = Combatant(
    name="Orc",
    level=3,
    hd_die=8,
    hd=7,
    hd_max=7,
    proficiency=2,
    actions=(Action(name="axe", weapon="heavy", pool=3, required=1, base=2),),
    boosts=(Boost(when="below_half", amount=2),),
    universal=("defend",),
)
SIMPLE: Mapping[str, str] = {
    "resolve": "off",
    "npc_burn": "none",
    "area_damage": "spread",
    "temporary_hd": "inner",
    "ranged_in_melee": "free",
}
"""Readings under which single clauses show by themselves; `test_defaults` holds the defaults."""
SLOWED = Affliction(name="slowed", move="half")
DAZED = Affliction(name="dazed", dice=1, defense=1, rounds=1)
BARRIER_SPELL = Layer(name="barrier", kind="magical", die=12)
WARD = Action(name="ward", kind="ward", required=1, grants=BARRIER_SPELL)
MEDIUM = Layer(name="medium", die=8, temp_hd=12)
BARRIER = Layer(name="barrier", kind="magical", die=12, temp_hd=9)
LIGHT = Layer(name="light", die=6, temp_hd=7)


def striker(*actions: Action, **changes: Any) -> Combatant:
    return replace(STRIKER, actions=actions or (BLADE,), **changes)


def target(*layers: Layer, **changes: Any) -> Combatant:
    return replace(TARGET, layers=layers, **changes)


def setup(
    attacker: Combatant | Action = STRIKER, defender: Combatant = TARGET, **changes: Any
) -> Setup:
    """An action; an `Action` stands for the striker who has it."""
    by = striker(attacker) if isinstance(attacker, Action) else attacker
    return Setup(attacker=by, defender=defender, **changes)


def harmed(damage: int, defender: Combatant = TARGET, **changes: Any) -> Setup:
    """Damage that no attack does, of the type `kind`."""
    kind = changes.pop("kind", "bludgeoning")
    hazard = Hazard(damage=damage, type=kind)
    return Setup(attacker=Combatant(), defender=defender, hazard=hazard, **changes)


def ally(distance_yd: int = 0, **changes: Any) -> Ally:
    return Ally(combatant=Combatant(**{"name": "ally", **changes}), distance_yd=distance_yd)


def held_to(picks: Mapping[str, str]) -> Rulings:
    """These readings, and the simple ones besides."""
    return Rulings.pick(SYSTEM.rulings, {**SIMPLE, **picks})


def game(made: Setup, rulings: Mapping[str, str] | None = None, **settled: str) -> Game:
    """A game in which these choices are settled and all others open."""
    held = held_to(rulings or {})
    start = SYSTEM.declared(made, held)
    return Game(SYSTEM, start).settle({name: (option,) for name, option in settled.items()})


def attack(
    made: Setup,
    exertion: int | None = 0,
    rulings: Mapping[str, str] | None = None,
    **settled: str,
) -> Game:
    """An attack with the first action of the sheet and so many exertion dice; None: no choice."""
    dice = {} if exertion is None else {"choose_exertion": str(exertion)}
    name = made.attacker.actions[0].name
    return game(made, rulings, **{"choose_action": name, **dice, **settled})


def objective(name: str) -> Objective[Facts]:
    return best.objective_named(SYSTEM, name)
