"""Exchanges that differ in one number: whatever a rule does with it, each has its own odds."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, cast

import pytest

from affray.core.dice import Pool, d
from affray.core.node import At, Chance, End, Facts, Go, Node, Option, choose, facts
from affray.core.reading import SumOfDice
from affray.core.sheet import sheet
from affray.core.step import step
from affray.core.system import Field
from affray.engine.exchange.game import Game
from affray.engine.exchange.keeping import forget_kernels
from affray.engine.exchange.odds import odds
from tests.core.assembling import assembled

Use = Callable[[Any], Any]
TWENTY = Pool((d(20), 1))


@sheet
class Sheet:
    """A sheet, which keeps its hash."""

    skill: Any
    name: str = "A"


@dataclass(frozen=True)
class Sums:
    """A record that works something out as it is made."""

    skill: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "double", 2 * self.skill)


@facts
class Case(NamedTuple):
    """A number on a sheet, how a rule uses it, and what comes of it."""

    sheet: Any
    use: Use
    target: Any = None
    other: int = 0
    face: int = 0


met: list[str] = []


@step("TY-1")
def begin(x: Case) -> Node[Case]:
    """Nothing is looked at yet."""
    met.append("begin")
    return Go(reckon, x._replace(other=1))


@step("TY-1")
def reckon(x: Case) -> Node[Case]:
    """The number is used."""
    met.append("reckon")
    if x.use is _two_ways:
        return _two_ways(x.sheet)
    return Go(throw, x._replace(target=x.use(x.sheet)))


@step("TY-1")
def throw(x: Case) -> Node[Case]:
    """Dice are rolled against what came of it."""
    return Chance("attacker", "a roll", TWENTY, SumOfDice(), "face", At(over, x))


@step("TY-1")
def over(x: Case) -> Node[Case]:
    """It is over."""
    return End(x)


FIELD: Field[Any] = Field("hit", "whether it hits", lambda x: (x.target, x.face <= x.other), "TY-1")
SYSTEM = assembled((begin, reckon, throw, over), fields=(FIELD,))


@lru_cache
def _remembered(skill: int) -> int:
    return skill + 1


def _two_ways(x: Sheet) -> Node[Case]:
    """Two options that are one where the number is 9."""
    kept = Case(x, _two_ways)
    options = [
        Option("own", At(throw, kept._replace(target=x.skill))),
        Option("nine", At(throw, kept._replace(target=9))),
    ]
    return choose("attacker", "which?", options)


USES: dict[str, Use] = {
    "moved": lambda x: x.skill,
    "added to": lambda x: 3 + x.skill + 2,
    "taken from": lambda x: x.skill - 4,
    "taken away": lambda x: 30 - x.skill,
    "from itself": lambda x: (x.skill + 5) - (x.skill + 1),
    "against itself": lambda x: (x.skill + 5 > x.skill, x.skill == x.skill + 1, x.skill - x.skill),
    "clamped": lambda x: max(8, min(12, x.skill + 1)),
    "summed": lambda x: sum([x.skill, 2, 3]),
    "compared": lambda x: (x.skill > 9, x.skill >= 10, x.skill < 11, x.skill <= 8),
    "the other way": lambda x: (operator.lt(9, x.skill), operator.ge(12, x.skill)),
    "equal": lambda x: "ten" if x.skill == 10 else "other" if x.skill != 12 else "twelve",
    "in": lambda x: x.skill in {8, 9} or x.skill in (11, 12),
    "true": lambda x: 1 if x.skill - 10 else 2,
    "not there": lambda x: 0 if x.skill is None else x.skill,
    "no text": lambda x: 0 if x.skill == "ten" else x.skill,
    "halved": lambda x: x.skill // 2,
    "exactly halved": lambda x: Fraction(x.skill, 2),
    "negative": lambda x: -x.skill,
    "told": lambda x: f"{x.skill}",
    "type": lambda x: x.skill if type(x.skill) is int else 0,
    "instance": lambda x: x.skill if isinstance(x.skill, int) else 0,
    "matched": lambda x: {10: 3}.get(x.skill, 4),
    "an index": lambda x: list(range(40))[x.skill],
    "remembered": lambda x: _remembered(x.skill),
    "root": lambda x: math.isqrt(x.skill),
    "with a half": lambda x: x.skill + 0.5,
    "a new record": lambda x: Sheet(skill=x.skill + 1, name="B"),
    "in a tuple": lambda x: (x.skill, (x.skill + 1, x)),
    "options": _two_ways,
}


def _ask(sheets: list[Any], use: Use, *, forget: bool) -> list[object]:
    found: list[object] = []
    for one in sheets:
        if forget:
            forget_kernels()
        start = cast("At[Facts]", At(begin, Case(one, use)))
        found.append(odds(Game(SYSTEM, start, {"reckon": ("own",)})).fractions())
    return found


def _asked(sheets: list[Any], use: Use) -> list[object]:
    forget_kernels()
    met.clear()
    return _ask(sheets, use, forget=False)


SKILLS = [10, 11, 12, 7, 8, 13, 9, 14, 12, 20, 0]


@pytest.mark.parametrize("name", USES)
def test_whatever_a_rule_does_with_the_number_each_has_its_own_odds(name: str) -> None:
    sheets = [Sheet(skill=skill) for skill in SKILLS]
    together = _asked(sheets, USES[name])
    assert together == _ask(sheets, USES[name], forget=True)


@pytest.mark.parametrize("name", ["moved", "added to", "taken from", "not there", "a new record"])
def test_steps_that_only_move_the_number_are_followed_no_more(name: str) -> None:
    _asked([Sheet(skill=skill) for skill in SKILLS], USES[name])
    assert met.count("reckon") == 3, "the first, the second with the number swept and as usual"


def test_comparisons_that_come_out_the_same_need_no_steps() -> None:
    _asked([Sheet(skill=skill) for skill in (10, 11, 12, 13, 14, 3, 4, 5, 6)], USES["clamped"])
    assert met.count("begin") < 9


@pytest.mark.parametrize("kind", [float, lambda n: n > 10, Fraction, lambda n: (n, 1), str])
def test_other_values_have_their_own_odds(kind: Callable[[int], Any]) -> None:
    sheets = [Sheet(skill=kind(skill)) for skill in SKILLS]
    assert _asked(sheets, USES["moved"]) == _ask(sheets, USES["moved"], forget=True)


def test_numbers_of_another_type_are_told_apart() -> None:
    sheets = [Sheet(skill=one) for one in (10, 11, 11.5, 12, True, 13)]
    use = USES["type"]
    assert _asked(sheets, use) == _ask(sheets, use, forget=True)


def test_records_that_work_something_out_are_left_alone() -> None:
    sheets = [Sums(skill) for skill in SKILLS]

    def use(x: Any) -> int:
        return int(x.double)

    assert _asked(sheets, use) == _ask(sheets, use, forget=True)


def test_exchanges_that_differ_in_more_are_told_apart() -> None:
    sheets = [
        Sheet(skill=1, name="A"),
        Sheet(skill=2, name="A"),
        Sheet(skill=3, name="A"),
        Sheet(skill=4, name="B"),
        Sheet(skill=5, name="B"),
    ]

    def use(x: Any) -> str:
        return str(x.name)

    assert _asked(sheets, use) == _ask(sheets, use, forget=True)


def test_a_number_that_is_looked_at_at_once_is_left_alone_soon() -> None:
    _asked([Sheet(skill=skill) for skill in range(1, 40)], USES["halved"])
    begun = met.count("begin")
    assert begun < 39, "the step before is followed no more"
    assert met.count("reckon") < 39 + 20
