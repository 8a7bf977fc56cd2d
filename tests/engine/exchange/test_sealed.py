"""Decisions that are made one by one and shown together."""

from __future__ import annotations

from typing import Any, NamedTuple, cast

from affray.core.dice import Pool, d
from affray.core.node import At, Chance, End, Facts, Go, Node, Option, choose
from affray.core.reading import SumOfDice
from affray.core.step import step
from affray.core.system import Field, Objective, System
from affray.engine.exchange.game import Game
from affray.engine.exchange.sealed import (
    hides,
    lines_shown,
    log_for,
    picture_for,
    waits_sealed,
)
from affray.engine.exchange.session import Session
from tests.core.assembling import assembled


class Feint(NamedTuple):
    """A blow and a guard, high or low, and a die."""

    blow: str = ""
    guard: str = ""
    rolled: int = 0


@step("TY-1")
def take_aim(x: Feint) -> Node[Feint]:
    """The attacker hurries or not, for everybody to see."""
    hurried = x._replace(rolled=1)
    options = (Option("calm", At(step_up, x)), Option("hurry", At(step_up, hurried)))
    return choose("attacker", "how?", options)


@step("TY-1")
def step_up(x: Feint) -> Node[Feint]:
    """Nothing is told of it."""
    return Go(choose_blow, x)


@step("TY-2", sealed=True)
def choose_blow(x: Feint) -> Node[Feint]:
    """The attacker strikes high or low, and covers it."""
    options = [Option(way, At(note_blow, x._replace(blow=way))) for way in ("high", "low")]
    return choose("attacker", "where?", options)


@step("TY-2")
def note_blow(x: Feint) -> Node[Feint]:
    """The blow is noted."""
    return Go(choose_guard, x)


@note_blow.says
def _(before: Feint, after: Feint) -> str:
    return f"Noted: {before.blow}."


@step("TY-3", sealed=True)
def choose_guard(x: Feint) -> Node[Feint]:
    """The defender guards high or low, and covers it."""
    options = [Option(way, At(strike, x._replace(guard=way))) for way in ("high", "low")]
    return choose("defender", "where?", options)


@step("TY-4")
def strike(x: Feint) -> Node[Feint]:
    """Both are uncovered; a die says how hard it is."""
    return Chance("attacker", "blow", Pool((d(6), 1)), SumOfDice(), "rolled", At(stop, x))


@step("TY-5")
def stop(x: Feint) -> Node[Feint]:
    """It is over."""
    return End(x)


def feinting(**changes: Any) -> System[Facts]:
    return assembled(
        (take_aim, step_up, choose_blow, note_blow, choose_guard, strike, stop),
        fields=(Field("hit", "a hit", lambda x: x.blow != x.guard, "TY-4"),),
        objectives=(Objective("hit", "a hit", lambda x: int(x.blow != x.guard), "attacker"),),
        picture=lambda x: f"blow {x.blow or '?'}, guard {x.guard or '?'}",
        **changes,
    )


def begun() -> Session:
    start = cast("At[Facts]", At(take_aim, Feint()))
    return Session(Game(feinting(), start)).answer("calm")


def attacker(actor: str) -> bool:
    return actor == "attacker"


def defender(actor: str) -> bool:
    return actor == "defender"


def told(session: Session, who: object) -> list[str]:
    return [line.option or line.says for line in log_for(session, who)]  # type: ignore[arg-type]


def test_what_is_decided_under_cover_is_shown_to_the_one_who_decided() -> None:
    session = begun().answer("low")
    assert waits_sealed(session)
    assert told(session, attacker) == ["calm", "low", "Noted: low."]
    assert picture_for(session, attacker) == "blow low, guard ?"


def test_others_see_that_somebody_decided_and_nothing_that_came_of_it() -> None:
    session = begun().answer("low")
    assert told(session, defender) == ["calm", "(decided, not shown yet)"]
    assert picture_for(session, defender) == "blow ?, guard ?"
    assert told(session, lambda actor: actor != "attacker") == told(session, defender)
    # before anybody has decided there is nothing to hide
    assert told(begun(), defender) == ["calm"]


def test_it_is_told_whether_anything_is_hidden_and_how_many_lines_come_before_it() -> None:
    session = begun()
    for who in (attacker, defender):
        assert not hides(session, who)
        assert lines_shown(session, who) == 1
    session = session.answer("low")
    assert (hides(session, attacker), lines_shown(session, attacker)) == (False, 3)
    assert (hides(session, defender), lines_shown(session, defender)) == (True, 1)
    session = session.answer("high")
    assert (hides(session, defender), lines_shown(session, defender)) == (False, 4)


def test_all_of_it_is_shown_once_everybody_has_decided() -> None:
    session = begun().answer("low").answer("high")
    assert not waits_sealed(session)
    for who in (attacker, defender):
        assert told(session, who) == ["calm", "low", "Noted: low.", "high"]
        assert picture_for(session, who) == "blow low, guard high"
    assert log_for(session.answer([3]), defender) == session.answer([3]).log


def test_a_step_seals_nothing_unless_it_says_so() -> None:
    assert [one.sealed for one in feinting().steps] == [
        False, False, True, False, True, False, False,
    ]  # fmt: skip
