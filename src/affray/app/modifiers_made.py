"""The modifiers that a value of the situation makes: an exchange is played with and without it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from affray.app.inputs.intake import Raw
from affray.app.play import PlayedGame
from affray.app.sources import Table
from affray.core.errors import AffrayError
from affray.core.lazy import NamedTuple
from affray.core.telling import unheard
from affray.engine.exchange.session import Session

__all__ = ["Made", "modifiers_made"]

MOST_ANSWERS = 12
"""Answers that are given; modifiers come with the first rolls."""


class Made(NamedTuple):
    """What a value makes of a number: "Guns", -10."""

    number: str
    value: int


def modifiers_made(
    system: str, table: Raw, variants: Sequence[tuple[str, object]]
) -> Mapping[tuple[str, str], tuple[Made, ...]]:
    """The modifiers that each value makes, by its key and the value as text.

    The exchange is played with the first option at each choice, and the same faces. What the rules
    refuse makes nothing.

    Args:
        system: id of the system.
        table: the setup.
        variants: keys of the setup, and values to put there.
    """
    before = _totals(system, table)
    if before is None:
        return {}
    found = {}
    for key, value in variants:
        after = _totals(system, {**table, key: value})
        if after is not None:
            rows = (
                Made(number, after[number] - was)
                for number, was in before.items()
                if number in after
            )
            made = tuple(row for row in rows if row.value)
            if made:
                found[key, str(value)] = made
    return found


def _totals(system: str, table: Raw) -> dict[str, int] | None:
    """The sum of the modifiers of each number that is rolled against; None: it is refused."""
    try:
        with unheard():
            session = _played(PlayedGame.begin(system, Table(table)).session)
            totals = [total for line in session.log for total in line.totals]
    except AffrayError:
        return None
    found: dict[str, int] = {}
    for total in totals:
        found.setdefault(total.base.label, total.value - total.base.value)
    return found


def _played(session: Session) -> Session:
    for _ in range(MOST_ANSWERS):
        question = session.question
        if question is None:
            break
        if question.dice is None:
            session = session.answer(question.options[0].name)
        else:
            faces = [
                die.faces[len(die.faces) // 3]
                for die, many in question.dice.groups
                for _number in range(many)
            ]
            session = session.answer(faces)
    return session
