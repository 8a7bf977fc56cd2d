"""Small makers: combatants that nothing modifies, and ways to run what they do.

The striker is of level 1 and hits with a light weapon; the target of level 1 has three Hit Dice of
ten sides and no layers, so it defends with one d10.
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
from affray.systems.affinity import SYSTEM as ROOM
from affray.systems.affinity.sheet import Action, Ally, Boost, Combatant, Hazard, Layer, Setup

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


def game(made: Setup, rulings: Mapping[str, str] | None = None, **settled: str) -> Game:
    """A game in which these choices are settled and all others open."""
    held = Rulings.pick(SYSTEM.rulings, rulings or {})
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


def played(made: Game, *faces: Face, options: tuple[str, ...] = ()) -> Session:
    """A game with these faces and, for open choices, these options; all of them are used."""
    script = Script(faces, options)
    session = drive(Session(made), script)
    assert session.outcome is not None, session.question
    assert not script.faces
    assert not script.choices
    return session


def play(made: Game, *faces: Face, options: tuple[str, ...] = ()) -> dict[str, Any]:
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


def dice(session: Session) -> str:
    """The dice that are asked for."""
    return str(question(session).dice)


def line(session: Session, step: str) -> LogLine:
    """The last line of the log that a step wrote."""
    return next(row for row in reversed(session.log) if row.step == step)


def objective(name: str) -> Objective[Facts]:
    return best.objective_named(SYSTEM, name)


def value(made: Game, wish: str = "damage") -> Fraction:
    """What a game is worth when both sides play their best."""
    return best.solve(made, objective(wish)).value


def joint(made: Game, *names: str, wish: str = "damage") -> dict[tuple[object, ...], Fraction]:
    """Exact joint odds of outcome fields, both sides at their best."""
    decide = best.solve(made, objective(wish)).decide
    return exact.outcomes(made, names, decide=decide).fractions()


def odds(made: Game, name: str, *, wish: str = "damage") -> dict[object, Fraction]:
    return {key[0]: chance for key, chance in joint(made, name, wish=wish).items()}


def mean(made: Game, name: str) -> Fraction:
    return sum(
        (Fraction(cast("int", key)) * chance for key, chance in odds(made, name).items()),
        start=Fraction(0),
    )


def chance(made: Game, name: str, worth: object = True, *, wish: str = "damage") -> Fraction:
    return odds(made, name, wish=wish).get(worth, Fraction(0))
