"""Small makers: an attack that nothing modifies, and ways to run it.

The striker attacks with 2D6 for 2 damage a hit; the target has both defenses at 4 and Vitality 10,
so a die hits with a 5 or a 6. Ada and Bo are player characters with a track of 12.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from affray.core.node import Facts
from affray.core.ruling import Rulings
from affray.core.system import Objective, System
from affray.engine.exchange import best
from affray.engine.exchange.game import Game
from affray.engine.exchange.session import Session
from affray.systems.empty_earth import SYSTEM as ROOM
from affray.systems.empty_earth.gear import Weapon
from affray.systems.empty_earth.sheet import Affliction, Cubes, Feature, Fighter, Setup
from affray.systems.empty_earth.state import Exchange
from tests.systems.playing import asked, chance, joint, line, offered, play, played, question, value

__all__ = [
    "asked",
    "chance",
    "joint",
    "line",
    "offered",
    "play",
    "played",
    "question",
    "value",
]  # handed on, beside what is made here


SYSTEM = cast("System[Facts]", ROOM)

WEAPON = Weapon(name="club", dice="2D6", damage=2)
STRIKER = Fighter(name="striker", attacks=(WEAPON,))
TARGET = Fighter(name="target", phys_def=4, ess_def=4)
ADA = Fighter(name="Ada", side="pc", phys_def=4, vitality=10, vitality_max=12)
BO = Fighter(name="Bo", side="pc", phys_def=4, vitality=10, vitality_max=12)
SETUP = Setup(attacker=STRIKER, defender=TARGET)


def weapon(dice: str = "2D6", damage: int = 2, **changes: Any) -> Weapon:
    return replace(WEAPON, dice=dice, damage=damage, **changes)


def bow(dice: str = "2D6", damage: int = 2, **changes: Any) -> Weapon:
    return weapon(dice, damage, reach="ranged", range_zones=2, **changes)


def striker(*weapons: Weapon, **changes: Any) -> Fighter:
    return replace(STRIKER, attacks=weapons or (WEAPON,), **changes)


def target(**changes: Any) -> Fighter:
    return replace(TARGET, **changes)


def setup(
    attacker: Fighter | Weapon = STRIKER, defender: Fighter = TARGET, **changes: Any
) -> Setup:
    """An attack; a weapon stands for the striker who wields it."""
    by = striker(attacker) if isinstance(attacker, Weapon) else attacker
    return replace(SETUP, attacker=by, defender=defender, **changes)


def feature(name: str, *, red: int = 1, blue: int = 0, **changes: Any) -> Feature:
    if isinstance(changes.get("condition"), str):
        changes["condition"] = Affliction(name=changes["condition"])
    return Feature(name=name, cost=Cubes(red=red, blue=blue), **changes)


def game(made: Setup, rulings: Mapping[str, str] | None = None, **settled: str) -> Game:
    """A game in which these choices are settled and all others open.

    Nobody Counters unless a test names the ruling or settles it.
    """
    held = Rulings.pick(SYSTEM.rulings, rulings or {})
    if "counter" not in (rulings or {}):
        settled = {"offer_counter": "no", **settled}
    start = SYSTEM.declared(made, held)
    return Game(SYSTEM, start).settle({name: (option,) for name, option in settled.items()})


def facts_of(session: Session) -> Exchange:
    facts = session.here.facts
    assert isinstance(facts, Exchange)
    return facts


def over(session: Session) -> list[int]:
    """Attack dice over the defense after step 5, as values."""
    for entry in reversed(session.steps_taken):
        if entry.at.step.name == "apply_modifiers":
            facts, terms = entry.after.facts, entry.at.facts
            assert isinstance(facts, Exchange)
            assert isinstance(terms, Exchange)
            return [value + terms.terms.target.defense for value in facts.over + facts.special]
    raise AssertionError("no modifiers were applied")


def objective(name: str) -> Objective[Facts]:
    return best.objective_named(SYSTEM, name)
