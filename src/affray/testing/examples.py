"""Worked examples come to what they expect: outcomes, refusals, exact odds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from affray.core.errors import AnswerError, SetupError
from affray.core.telling import shown
from affray.engine.exchange.best import objective_named, solve
from affray.engine.exchange.odds import outcomes
from affray.engine.exchange.session import Session
from affray.engine.exchange.sources import Script, drive
from affray.testing.cases import Case
from affray.testing.law import Law, law
from affray.testing.material import Material

__all__ = ["LAWS"]

_BOOK = "Either the rules or the example are wrong; count by hand which."


def _scripted(material: Material, name: str) -> tuple[Session, Script]:
    loaded = material.loaded(name)
    script = Script(loaded.dice, loaded.options)
    return drive(Session(loaded.game), script), script


@law("examples", "Refuse it by a SetupError in the declaration, or correct `expect.refused`.",
     over=Material.refused)  # fmt: skip
def what_is_against_the_rules_is_refused(material: Material, name: str) -> Iterator[str]:
    """An example that is to be refused is refused, in the words that it expects."""
    expected = material.part(name, "expect")
    if set(expected) != {"refused"}:
        yield "`expect` has `refused` beside other fields"
    try:
        _scripted(material, name)
    except (SetupError, AnswerError) as refused:
        if str(expected["refused"]) not in str(refused):
            yield f"it is refused with {str(refused)!r}, without the words {expected['refused']!r}"
    else:
        yield "it is accepted"


def _expecting(material: Material) -> Iterator[Case]:
    yield from (case for case in material.accepted() if material.part(case.thing, "expect"))


@law("examples", _BOOK, over=_expecting)
def examples_come_to_what_they_expect(material: Material, name: str) -> Iterator[str]:
    """A scripted example comes to the outcome that it expects, and uses its whole script."""
    session, script = _scripted(material, name)
    if session.outcome is None:
        yield f"its script ends too early; it waits for {session.question}"
        return
    left = [*script.faces, *script.choices]
    if left:
        yield f"its script goes on after the end: {', '.join(map(str, left))}"
    for field_name, value in material.part(name, "expect").items():
        field = material.system.field_named(field_name)
        if field is None:
            yield f"`expect` names {field_name!r}, no field of the system"
            continue
        got = field.of(session.outcome)
        got = list(got) if isinstance(got, tuple) else got
        if got != value:
            yield f"{field_name} comes to {shown(got)}, and is expected to be {shown(value)}"


def _priced(material: Material) -> Iterator[Case]:
    yield from (case for case in material.accepted() if material.part(case.thing, "odds"))


@law("examples", _BOOK, over=_priced)
def examples_have_the_odds_that_were_counted(material: Material, name: str) -> Iterator[str]:
    """The odds of an example are those that it states."""
    table = dict(material.part(name, "odds"))
    game = material.loaded(name).game
    given = {field: _is(value) for field, value in table.pop("_given", {}).items()}
    decide = solve(game, objective_named(game.system, table.pop("_objective", ""))).decide
    means = table.pop("_mean", {})
    if not (means or any(table.values())):
        yield "`odds` states nothing"
    for field, value in means.items():
        mean = outcomes(game, (field,), given=given, decide=decide).map(lambda v: v[0]).mean()
        if mean != Fraction(value):
            yield f"the mean of {field} is {mean}, and is said to be {value}"
    for field, expected in table.items():
        chances = outcomes(game, (field,), given=given, decide=decide).fractions()
        found = {_text(value[0]): chance for value, chance in chances.items()}
        for value, chance in expected.items():
            got = found.get(value, Fraction(0))
            if got != Fraction(chance):
                yield f"{field} is {value} with chance {got}, and is said to be with {chance}"


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is(expected: object) -> Callable[[object], bool]:
    return lambda value: value == expected


LAWS: tuple[Law, ...] = (
    what_is_against_the_rules_is_refused,
    examples_come_to_what_they_expect,
    examples_have_the_odds_that_were_counted,
)
