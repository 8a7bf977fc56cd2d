"""Playing, pricing and solving a game of any system; factories of the rooms hand these on."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, cast

from affray.core.dice import Face
from affray.engine.exchange import best
from affray.engine.exchange import odds as exact
from affray.engine.exchange.game import Game
from affray.engine.exchange.session import LogLine, Question, Session
from affray.engine.exchange.sources import Script, drive

__all__ = [
    "asked", "chance", "closed", "dice", "joint", "line", "mean", "odds", "offered", "play",
    "played", "question", "value",
]  # fmt: skip


def played(made: Game, *faces: Face, options: Sequence[str] = ()) -> Session:
    """A game with these faces and, for open choices, these options; all of them are used."""
    script = Script(faces, options)
    session = drive(Session(made), script)
    assert session.outcome is not None, session.question
    assert not script.faces
    assert not script.choices
    return session


def play(made: Game, *faces: Face, options: Sequence[str] = ()) -> dict[str, Any]:
    """Every outcome field at the end of a game."""
    outcome = played(made, *faces, options=options).outcome
    assert outcome is not None
    return {field.name: field.of(outcome) for field in made.system.fields}


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


def closed(session: Session) -> dict[str, str]:
    return dict(question(session).closed)


def dice(session: Session) -> str:
    """The dice that are asked for."""
    return str(question(session).dice)


def line(session: Session, step: str) -> LogLine:
    """The last line of the log that a step wrote."""
    return next(row for row in reversed(session.log) if row.step == step)


def value(made: Game, wish: str = "damage") -> Fraction:
    """What a game is worth when both sides play their best."""
    return best.solve(made, best.objective_named(made.system, wish)).value


def joint(made: Game, *names: str, wish: str = "damage") -> dict[tuple[object, ...], Fraction]:
    """Exact joint odds of outcome fields, both sides at their best."""
    decide = best.solve(made, best.objective_named(made.system, wish)).decide
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
