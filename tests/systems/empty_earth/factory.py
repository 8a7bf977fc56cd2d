"""Small makers: an attack that nothing modifies, and ways to run it.

The striker attacks with 2D6 for 2 damage a hit; the target has both defences at 4 and Vitality 10,
so a die hits with a 5 or a 6. Ada and Bo are player characters with a track of 12.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

from affray.core.dice import Face
from affray.core.node import Facts
from affray.core.ruling import Rulings
from affray.core.step import Objective, System
from affray.engine import best
from affray.engine import odds as exact
from affray.engine.game import Game
from affray.engine.play import LogLine, Question, Script, Session, drive
from affray.systems.empty_earth import SYSTEM as ROOM
from affray.systems.empty_earth.sheet import Cubes, Feature, Fighter, Setup, Weapon
from affray.systems.empty_earth.state import Exchange

SYSTEM = cast("System[Facts]", ROOM)

WEAPON = Weapon(name="club", dice="2D6", damage=2)
STRIKER = Fighter(name="striker", attacks=(WEAPON,))
TARGET = Fighter(name="target", phys_def=4, ess_def=4, vitality=10)
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
    return Feature(name=name, cost=Cubes(red=red, blue=blue), **changes)


def game(made: Setup, rulings: Mapping[str, str] | None = None, **settled: str) -> Game:
    """A game in which these choices are settled and all others open."""
    held = Rulings.pick(SYSTEM.rulings, rulings or {})
    start = SYSTEM.declared(made, held)
    return Game(SYSTEM, start).settle({name: (option,) for name, option in settled.items()})


def facts_of(session: Session) -> Exchange:
    facts = session.here.facts
    assert isinstance(facts, Exchange)
    return facts


def played(made: Game, *faces: Face, options: tuple[str, ...] = ()) -> Session:
    """A game with these faces and, for open choices, these options; all of them are used."""
    script = Script(faces, options)
    session = drive(Session(made), script)
    assert session.outcome is not None, session.question
    assert not script.faces
    assert not script.choices
    return session


def play(made: Game, *faces: Face, options: tuple[str, ...] = ()) -> dict[str, object]:
    """Every outcome field at the end of a game."""
    outcome = played(made, *faces, options=options).outcome
    assert outcome is not None
    return {field.name: field.of(outcome) for field in SYSTEM.fields}


def asked(made: Game, *answers: str | int | tuple[Face, ...]) -> Session:
    """The session after these answers: names of options, single faces, rows of faces."""
    session = Session(made)
    for given in answers:
        session = session.answer((given,) if isinstance(given, int) else given)
    return session


def question(session: Session) -> Question:
    found = session.question
    assert found is not None
    return found


def offered(session: Session) -> list[str]:
    return [option.name for option in question(session).options]


def line(session: Session, step: str) -> LogLine:
    """The last line of the log that a step wrote."""
    return next(row for row in reversed(session.log) if row.step == step)


def over(session: Session) -> list[int]:
    """Attack dice over the defence after step 5, as values."""
    for entry in reversed(session.entries):
        if entry.at.step.name == "apply_modifiers":
            facts, terms = entry.after.facts, entry.at.facts
            assert isinstance(facts, Exchange)
            assert isinstance(terms, Exchange)
            return [value + terms.terms.defence for value in facts.over + facts.special]
    raise AssertionError("no modifiers were applied")


def objective(name: str) -> Objective[Facts]:
    return best.objective_named(SYSTEM, name)


def value(made: Game, wish: str = "damage") -> Fraction:
    """What a game is worth when both sides play their best."""
    return best.solve(made, objective(wish)).value


def joint(made: Game, *names: str, wish: str = "damage") -> dict[tuple[object, ...], Fraction]:
    """Exact joint odds of outcome fields, both sides at their best."""
    decide = best.solve(made, objective(wish)).decide
    return exact.outcomes(made, names, decide=decide).fractions()


def chance(made: Game, name: str, worth: object = True, *, wish: str = "damage") -> Fraction:
    return joint(made, name, wish=wish).get((worth,), Fraction(0))
