"""Numbers put off while an exchange is solved, against solutions in which nothing is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple, cast

import pytest

from affray.core.dice import Face, Pool, d
from affray.core.errors import RulesError
from affray.core.hints import Hints
from affray.core.node import At, Chance, Choice, End, Facts, Go, Node, Option, choose
from affray.core.step import step
from affray.core.system import Field, Objective, System
from affray.core.unknown import UNKNOWN
from affray.engine.exchange.best import Solution, solve
from affray.engine.exchange.game import Game
from tests.core.assembling import assembled


class Blow(NamedTuple):
    """What a hit does: so much, once more with a good one; `fuss` is of no matter."""

    harm: Any
    more: Any = 0
    fuss: int = 0


class Bout(NamedTuple):
    """The facts; `way` says who looks at the blow, and when."""

    way: str = ""
    blow: Blow | None = None
    shown: Any = 0
    bold: bool = False
    worth: Any = 0


met: Counter[str] = Counter()
"""How often rules were asked, by step."""


@pytest.fixture(autouse=True)
def _none_met() -> Iterator[None]:
    met.clear()
    yield
    met.clear()


class Shown(NamedTuple):
    """What the only die shows."""

    def __call__(self, faces: tuple[Face, ...]) -> int:
        return int(faces[0])


@step("TY-1")
def arm(x: Bout) -> Node[Bout]:
    """The attacker takes one of three weapons."""
    blows = (Blow(4, 1, 1), Blow(3, 5, 2), Blow(4, 1, 3))
    options = [Option(f"weapon {n}", At(swing, x._replace(blow=b))) for n, b in enumerate(blows)]
    return choose("attacker", "which weapon?", options)


@step("TY-2")
def swing(x: Bout) -> Node[Bout]:
    """The attacker rolls a die."""
    met["swing"] += 1
    if x.way == "at once" and x.blow is not None and x.blow.harm > 3:
        return Go(land, x._replace(shown=6))
    return Chance("attacker", "swing", Pool((d(6), 1)), Shown(), "shown", At(push, x))


@step("TY-2")
def push(x: Bout) -> Node[Bout]:
    """The attacker may be bold, where that isn't settled."""
    met["push"] += 1
    if x.blow is None:
        return Go(land, x)
    if x.way == "in between" and x.shown == 6 and x.blow.more > 2:
        return Go(land, x._replace(bold=True))
    if x.way == "an option" and x.shown == 5 and x.blow.more > 2:
        again = At(swing, x._replace(way=""))
        return choose(
            "attacker", "bold?", [Option("no", At(land, x)), Option("once more", again)]
        )  # fmt: skip
    return choose(
        "attacker", "bold?",
        [Option("no", At(land, x)), Option("yes", At(land, x._replace(bold=True)))],
    )  # fmt: skip


@step("TY-3")
def land(x: Bout) -> Node[Bout]:
    """The blow lands on 4 and more; who is bold needs a 5, and does more."""
    met["land"] += 1
    blow = x.blow
    if blow is None or x.shown < 4 + x.bold:
        return End(Bout(worth=0))
    return End(Bout(worth=blow.harm + (blow.more if x.bold else 0)))


WHERE: dict[Any, tuple[str, tuple[str, ...]]] = dict.fromkeys(
    (swing, push), ("blow", ("harm", "more", "fuss"))
)
WORTH = Objective[Any]("worth", "It does a lot.", lambda x: x.worth, "attacker")


def _system(defers: Any = None) -> System[Facts]:
    system = assembled(
        (arm, swing, push, land),
        fields=(Field("worth", "What it does.", lambda x: x.worth, "TY-3"),),
        objectives=(WORTH,),
    )
    return system.with_hints(
        Hints[Any, Any, Any](decides={"worth": ("worth",)}, defers=defers or {})
    )


def _solved(way: str, defers: Any = None, threshold: int = 0) -> Solution:
    start: At[Any] = At(arm, Bout(way))
    return solve(Game(_system(defers), start, {}), WORTH, threshold=threshold)


def _swing(x: Bout) -> At[Any]:
    return At(swing, x)


def _decided(solution: Solution, at: At[Any]) -> str:
    node = at.step.rule(at.facts)
    return solution.decide(at, cast("Choice[Facts]", node)).name


WAYS = ("", "at once", "in between", "an option")
PLACES = [
    At(push, Bout(way, Blow(harm, more), shown))
    for way, harm, more, shown in product(WAYS, (3, 4), (1, 5), (3, 4, 5, 6))
    if not (way == "in between" and shown == 6 and more > 2)
]


@pytest.mark.parametrize("at", PLACES, ids=str)
def test_the_same_is_decided(at: At[Any]) -> None:
    plain, deferred = _solved(at.facts.way), _solved(at.facts.way, WHERE)
    for solution in (plain, deferred, plain, deferred):
        assert _decided(solution, at) == _decided(plain, at)
        assert solution.value_at(at) == plain.value_at(at)


@pytest.mark.parametrize("way", WAYS)
def test_options_before_the_dice_are_worth_the_same(way: str) -> None:
    plain, deferred = _solved(way), _solved(way, WHERE)
    assert _decided(deferred, plain.game.start) == _decided(plain, plain.game.start)
    assert deferred.value == plain.value
    for n in range(3):
        at: Any = arm.rule(Bout(way)).options[n].at  # type: ignore[union-attr]  # a choice
        assert deferred.value_at(at) == plain.value_at(at)


def test_what_it_is_worth_is_plain_counting() -> None:
    """Bold on a 5 or 6, and not on a 4, where that misses."""
    harm, more = 3, 5
    at: At[Any] = At(swing, Bout("", Blow(harm, more)))
    assert _solved("", WHERE).value_at(at) == Fraction(harm + 2 * (harm + more), 6)


def test_a_roll_is_followed_once_for_all() -> None:
    solution = _solved("", WHERE)
    _decided(solution, solution.game.start)
    assert met["push"] == 6
    met.clear()
    plain = _solved("")
    _decided(plain, plain.game.start)
    assert met["push"] == 3 * 6


def test_what_differs_in_nothing_else_is_followed_no_more_often() -> None:
    solution = _solved("", {swing: ("blow", ("fuss",))})
    _decided(solution, solution.game.start)
    assert met["push"] == 2 * 6, "4 and 1 come twice"


def test_who_looks_at_once_gets_the_numbers() -> None:
    solution = _solved("at once", WHERE)
    assert solution.value_at(_swing(Bout("at once", Blow(9, 1)))) == 9 + 1 - 1
    assert solution.value_at(_swing(Bout("at once", Blow(3, 1)))) == Fraction(3 + 4 + 4, 6)


def test_nothing_is_put_off_where_there_is_no_record() -> None:
    assert _solved("", WHERE).value_at(_swing(Bout(""))) == 0


@pytest.mark.parametrize(
    "at",
    [_swing(Bout("", Blow(UNKNOWN))), At(push, Bout("", Blow(3), shown=UNKNOWN))],
    ids=["of the blow", "of the die"],
)
def test_nothing_is_put_off_where_something_is_unknown_anyway(at: At[Any]) -> None:
    solution = _solved("", WHERE)
    with pytest.raises(RulesError, match="fill it in"):
        solution.value_at(at)


def test_where_points_have_a_price_nothing_is_put_off() -> None:
    solution = _solved("", WHERE, threshold=1)
    assert _decided(solution, solution.game.start) == "weapon 1"
    assert met["push"] == 3 * 6
    assert solution.value == _solved("").value


def test_what_was_followed_with_all_numbers_is_not_followed_again() -> None:
    solution = _solved("", WHERE)
    assert solution.value
    known = solution.followed
    for option, shown in product(arm.rule(Bout()).options, range(1, 7)):  # type: ignore[union-attr]
        _decided(solution, At(push, option.at.facts._replace(shown=shown)))
    assert solution.followed == known


def test_what_is_over_is_decided_without_numbers_too() -> None:
    """Who missed misses, bold or not."""
    fixes: Any = {push: lambda x: ("worth",) if x.shown < 4 else ()}
    system = _system(WHERE)
    system = system.with_hints(replace(system.hints, fixes_where=fixes))
    at: At[Any] = At(push, Bout("", Blow(3, 5), shown=3))
    solution = solve(Game(system, at, {}), WORTH)
    assert _decided(solution, at) == "no"
    assert solution.value_at(at) == 0
    assert solution.value_at(_swing(at.facts)) == Fraction(3 + 2 * 8, 6)
    assert met["push"] == 1 + 3, "by this test, and for 4, 5 and 6"
