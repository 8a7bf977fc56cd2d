"""Which options make no difference to what anybody can see."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from affray.core.dice import Pool, d
from affray.core.node import At, Chance, End, Node, Option, choose
from affray.core.reading import SumOfDice
from affray.core.step import step
from affray.core.system import Field, Objective
from affray.engine.exchange.difference import Difference, difference
from affray.engine.exchange.game import Game
from affray.engine.exchange.session import Session
from tests.core.assembling import assembled


class Throw(NamedTuple):
    """A die that has to show some number; points may be spent on it."""

    needed: int = 4
    bonus: int = 0
    rolled: int = 0
    spent: int = 0
    style: str = ""
    hidden: str = ""
    offers: str = ""


WAYS: dict[str, dict[str, Any]] = {
    "none": {},
    "bonus": {"bonus": 1, "spent": 1},
    "nothing": {"spent": 1},
    "malus": {"bonus": -1, "spent": 1},
    "style": {"style": "high"},
    "hidden": {"hidden": "much"},
}


@step("TY-1")
def decide(x: Throw) -> Node[Throw]:
    """Whoever throws may do something first."""
    options = []
    for name in x.offers.split():
        after = x._replace(offers="", **WAYS[name])
        options.append(Option(name, At(throw, after), after.spent))
    return choose("attacker", "what?", options)


@step("TY-2")
def throw(x: Throw) -> Node[Throw]:
    """The die falls."""
    return Chance("attacker", "throw", Pool((d(6), 1)), SumOfDice(), "rolled", At(stop, x))


@step("TY-3")
def stop(x: Throw) -> Node[Throw]:
    """It is over."""
    return End(x)


def hit(x: Throw) -> bool:
    return x.rolled + x.bonus >= x.needed


def hit_as_number(x: Throw) -> int:
    return int(hit(x))


SYSTEM = assembled(
    (decide, throw, stop),
    fields=(
        Field("hit", "whether it hits", hit, "TY-3"),
        Field("style", "how it looks", lambda x: x.style, "TY-3"),
        Field("spent", "points spent", lambda x: x.spent, "TY-1", of_purse=True),
    ),
    objectives=(Objective("hit", "chance to hit", hit_as_number, "attacker"),),
)


def found(names: str, needed: int = 4, most: int = 1000) -> Difference:
    """The difference that these options make where this has to be thrown."""
    start: At[Any] = At(decide, Throw(needed, offers=names))
    return difference(Session(Game(SYSTEM, start)), most)


@pytest.mark.parametrize(
    ("names", "needed", "idle", "none"),
    [
        ("none bonus", 4, "", False),
        ("none bonus", 1, "bonus", True),  # every throw hits
        ("none bonus", 8, "bonus", True),  # none does, with 7 at most
        ("none bonus", 7, "", False),
        ("none nothing", 4, "nothing", True),
        ("none nothing bonus", 4, "nothing", False),
        ("none style", 4, "", False),  # it looks different
        ("none hidden", 4, "", True),  # nobody sees it
        ("none style nothing", 4, "nothing", False),
        ("bonus nothing", 4, "", False),  # one of them has to be paid for
        ("nothing malus", 9, "", True),
    ],
)
def test_options_that_bring_nothing_or_come_to_the_same(
    names: str, needed: int, idle: str, none: bool
) -> None:
    assert found(names, needed) == Difference(frozenset(idle.split()), none)


def test_what_may_only_do_harm_brings_nothing() -> None:
    """By every objective of the one who decides it never is better, and may be worse."""
    assert found("none malus", 1) == Difference(frozenset({"malus"}), is_none=True)


def test_what_may_do_harm_or_good_counts() -> None:
    """Where a throw may miss anyway, nothing is said against a worse one: it isn't worse for sure.

    The worst that comes of either is a miss, and the best is a hit.
    """
    assert found("none malus", 4) == Difference()


def test_where_more_follows_than_is_gone_through_every_option_counts() -> None:
    assert found("none nothing", 4, most=5) == Difference()
    assert found("none nothing", 4, most=50).is_none


def test_where_nothing_is_to_be_decided_there_is_no_difference() -> None:
    start: At[Any] = At(throw, Throw())
    session = Session(Game(SYSTEM, start))
    assert difference(session) == Difference()
    assert difference(session.answer([3])) == Difference()


def test_for_somebody_without_objectives_nothing_is_worse() -> None:
    """An ally has none of the two sides'; where too much follows, every option counts."""
    helper = assembled(
        (decide, throw, stop), fields=SYSTEM.fields,
        objectives=(Objective("hit", "chance to hit", hit_as_number, "defender"),),
    )  # fmt: skip
    start: At[Any] = At(decide, Throw(4, offers="malus none"))
    session = Session(Game(helper, start))
    for most in range(1, 40):
        assert "malus" not in difference(session, most).idle
