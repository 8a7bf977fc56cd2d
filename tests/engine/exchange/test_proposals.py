"""Hints proposed from playthroughs: what rules leave aside and fix, and nothing that they touch."""

from functools import cache
from typing import Any, NamedTuple

import pytest

from affray.core.dice import Face, Pool, d
from affray.core.node import At, Chance, End, Go, Node, Option, choose
from affray.core.reading import SumOfDice
from affray.core.step import step
from affray.core.system import Field, System
from affray.core.unknown import is_unknown
from affray.engine.exchange.game import Game
from affray.engine.exchange.proposals import Proposal, propose
from affray.engine.exchange.session import Session
from affray.engine.exchange.sources import Script, Seeded, drive
from tests.core.assembling import Setup, assembled
from tests.scenarios import PLAYED, ended, example, of, unsettled


class Bout(NamedTuple):
    """Facts of a bout: two dice and what comes of them."""

    first: int = 0
    second: int = 0
    sum: int = 0


@step("TY-1")
def begin(x: Bout) -> Node[Bout]:
    """The first die."""
    return Chance("attacker", "first", Pool((d(6), 1)), SumOfDice(), "first", At(again, x))


@step("TY-2")
def again(x: Bout) -> Node[Bout]:
    """The second die: the first one lies aside."""
    return Chance("attacker", "second", Pool((d(6), 1)), SumOfDice(), "second", At(add, x))


@step("TY-3")
def add(x: Bout) -> Node[Bout]:
    """Both count; this rule reads the second by its place."""
    return Go(close, x._replace(sum=x.first + x[1]))


@step("TY-4")
def close(x: Bout) -> Node[Bout]:
    """The dice are forgotten."""
    return End(x._replace(first=0, second=0))


FIELDS: tuple[Field[Any], ...] = (
    Field("sum", "Both dice.", lambda x: x.sum, "TY-3"),
    Field("always", "The same in every bout.", lambda x: 7, "TY-3"),
)
SYSTEM: System[Any] = assembled((begin, again, add, close), fields=FIELDS)


def bouts(number: int) -> list[Session]:
    game = Game(SYSTEM, SYSTEM.declared(Setup(Bout())))
    return [drive(Session(game), Seeded(seed)) for seed in range(number)]


def test_what_no_bout_contradicts_is_proposed() -> None:
    found = propose(SYSTEM, bouts(20))
    assert found.aside == {again: ("first",), close: ("sum",)}
    assert found.fixes == {close: ("sum",)}
    assert found.lines() == [
        "HINTS = Hints(",
        "    aside={",
        '        test_proposals.again: ("first",),',
        '        test_proposals.close: ("sum",),',
        "    },",
        "    fixes={",
        '        test_proposals.close: ("sum",),',
        "    },",
        ")",
    ]


def test_one_bout_shows_no_field_that_differs() -> None:
    assert propose(SYSTEM, bouts(1)).aside == {}


def test_an_exchange_that_goes_on_shows_nothing() -> None:
    game = Game(SYSTEM, SYSTEM.declared(Setup(Bout())))
    assert propose(SYSTEM, [Session(game)]) == ({}, {})


@cache
def proposed(room: str) -> Proposal:
    """Hints proposed from random playthroughs of a room's examples."""
    games = [example(*row).game for row in PLAYED if row[0] == room]
    return propose(of(room), [ended(unsettled(game), seed) for game in games for seed in (0, 1)])


@step("TY-1")
def throw(x: Bout) -> Node[Bout]:
    """The first die."""
    return Chance("attacker", "first", Pool((d(6), 1)), SumOfDice(), "first", At(and_throw, x))


class AtLeast(NamedTuple):
    """The sum of dice, which is no less than a number."""

    number: int

    def __call__(self, faces: tuple[Face, ...]) -> Face:
        return max(self.number, *map(int, faces))


@step("TY-1")
def and_throw(x: Bout) -> Node[Bout]:
    """The second die, which is read by the first."""
    return Chance("attacker", "second", Pool((d(6), 1)), AtLeast(x.first), "second", At(show, x))


@step("TY-2")
def show(x: Bout) -> Node[Bout]:
    """The first one is shown to the one who decides; the second may be put away."""
    options = [Option("no", At(cover, x)), Option("yes", At(cover, x._replace(second=0, sum=1)))]
    return choose("attacker", "go on?", options, (("first", x.first),))


@step("TY-2")
def cover(x: Bout) -> Node[Bout]:
    """The second one is put on the first."""
    return Go(part, x._replace(first=x.second))


@step("TY-3")
def part(x: Bout) -> Node[Bout]:
    """Nobody comes to rest whose first die is known."""
    return Go(rest if is_unknown(x.first) else stop, x)


@step("TY-3")
def rest(x: Bout) -> Node[Bout]:
    """A step that is never met."""
    return Go(stop, x)


@step("TY-4")
def stop(x: Bout) -> Node[Bout]:
    """It is over."""
    return End(x)


def test_what_is_shown_or_read_by_or_covered_or_may_be_unknown_is_not_left_aside() -> None:
    """Both dice fall alike in each bout, so nothing is to be seen of the one that is covered."""
    steps = (throw, and_throw, show, cover, part, rest, stop)
    both: Field[Any] = Field("both", "Both dice.", lambda x: x.first + x.second, "TY-1")
    said: Field[Any] = Field("said", "What was said.", lambda x: x.sum, "TY-2")
    kind: Field[Any] = Field("kind", "Of another kind.", lambda x: not x.second and 0, "TY-1")
    system = assembled(steps, fields=(both, said, kind))
    game = Game(system, system.declared(Setup(Bout())))
    played = [drive(Session(game), Script((face, face), ("no",))) for face in (1, 2, 3)]
    found = propose(system, played)
    assert found.aside == {
        part: ("second",),
        stop: ("first", "second"),
    }
    assert found.fixes == dict.fromkeys((show, cover, part, stop), ("both", "kind"))
    assert [line.strip() for line in found.lines() if "stop" in line] == [
        'test_proposals.stop: ("first", "second"),',
        'test_proposals.stop: ("both", "kind"),',
    ]


@pytest.mark.parametrize(
    ("room", "kind", "where", "names"),
    [
        ("empty-earth", "aside", "adjust_attack", {"dodge"}),
        ("empty-earth", "aside", "apply_modifiers", {"dodge", "parry"}),
        ("emlia", "fixes", "count_last_check", {"successes", "ones", "difficulty", "dice"}),
    ],
)
def test_what_a_room_promises_is_proposed_from_its_examples(
    room: str, kind: str, where: str, names: set[str]
) -> None:
    promised = of(room).step_named(where)
    assert names <= set(getattr(of(room).hints, kind)[promised])
    assert names <= set(getattr(proposed(room), kind)[promised])
