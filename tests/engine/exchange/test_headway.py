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
from affray.core.errors import AnswerError
from affray.core.node import At, Chance, End, Facts, Go, Node, Option, choose, facts
from affray.core.reading import SumOfDice
from affray.core.sheet import sheet
from affray.core.step import step
from affray.core.system import Field
from affray.engine.exchange.game import Game
from affray.engine.exchange.headway import MOST_VAIN
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


@dataclass(frozen=True)
class Learned:
    """A record that works something out for some numbers only."""

    skill: int

    def __post_init__(self) -> None:
        if self.skill > 12:
            object.__setattr__(self, "mastery", self.skill)


class _Plain(NamedTuple):
    skill: int


class LearnedToo(_Plain):
    """The same as a tuple."""

    mastery: int

    def __new__(cls, skill: int) -> LearnedToo:
        new = super().__new__(cls, skill)
        if skill > 12:
            new.mastery = skill
        return new


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
    return Go(look if x.face else reckon, x._replace(other=1))


@step("TY-1")
def reckon(x: Case) -> Node[Case]:
    """The number is used."""
    met.append("reckon")
    if isinstance(x.use, (Ways, Early, Dropped)):
        return x.use.node(x)
    return Go(throw, x._replace(target=x.use(x.sheet)))


@step("TY-1")
def look(x: Case) -> Node[Case]:
    """The number is looked at at once."""
    met.append("look")
    return Go(wait if x.face else throw, x._replace(target=x.sheet.skill // 2))


@step("TY-1")
def wait(x: Case) -> Node[Case]:
    """Only those come here whose number is none."""
    return Go(throw, x)


@step("TY-1")
def throw(x: Case) -> Node[Case]:
    """Dice are rolled against what came of it."""
    return Chance("attacker", "a roll", TWENTY, SumOfDice(), "face", At(over, x))


@step("TY-1")
def over(x: Case) -> Node[Case]:
    """It is over."""
    return End(x)


FIELD: Field[Any] = Field("hit", "whether it hits", lambda x: (x.target, x.face <= x.other), "TY-1")
SYSTEM = assembled((begin, reckon, look, wait, throw, over), fields=(FIELD,))


@lru_cache
def _remembered(skill: int) -> int:
    return skill + 1


class Ways:
    """Options by what they make of a sheet."""

    def __init__(self, ways: dict[str, Use]) -> None:
        self.ways = ways

    def __call__(self, x: Any) -> object:
        raise NotImplementedError  # it is a choice

    def node(self, x: Case) -> Node[Case]:
        """The choice between them."""
        options = [
            Option(name, At(throw, x._replace(target=way(x.sheet))))
            for name, way in self.ways.items()
        ]
        return choose("attacker", "which?", options)


class Early:
    """Dice are rolled at once for a number, by its type, and steps later for anything else."""

    def __call__(self, x: Any) -> object:
        raise NotImplementedError  # it says where it goes on

    def node(self, x: Case) -> Node[Case]:
        """The roll, or the step before it."""
        return throw.rule(x) if type(x.sheet.skill) is int else Go(wait, x)


class Dropped:
    """Only whether the number is above 10 is kept."""

    def __call__(self, x: Any) -> object:
        raise NotImplementedError  # the sheet is gone after it

    def node(self, x: Case) -> Node[Case]:
        """The step after it."""
        return Go(throw, Case(None, self, target=x.sheet.skill > 10))


class Box:
    """Something that nobody can look into, equal where what is in it is."""

    def __init__(self, thing: Any) -> None:
        self.thing = thing

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Box) and bool(self.thing == other.thing)

    def __hash__(self) -> int:
        return 7


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
    "two options": Ways({"own": lambda x: x.skill, "nine": lambda x: 9}),
    "early": Early(),
    "dropped": Dropped(),
    "in a box": lambda x: Box(x.skill),
    "a name in a box": lambda x: (Box(x.name), x.skill),
}

WAYS: dict[str, dict[str, Use]] = {
    "a number": {"nine": lambda x: 9, "own": lambda x: x.skill},
    "more": {"nine": lambda x: 9, "own": lambda x: x.skill + 3},
    "the other way": {"own more": lambda x: x.skill + 3, "own": lambda x: 9},
    "another kind of number": {"nine": lambda x: 9.0, "own": lambda x: x.skill},
    "a truth": {"true": lambda x: True, "own": lambda x: x.skill - 8},
    "a text": {"nine": lambda x: "9", "own": lambda x: x.skill},
    "nothing": {"none": lambda x: None, "own": lambda x: x.skill},
    "both moved": {"one more": lambda x: x.skill + 1, "own": lambda x: x.skill},
    "a tuple": {"nine": lambda x: (x.skill, 9), "own": lambda x: (x.skill, x.skill)},
    "two that meet": {"nine": lambda x: (9, 9), "own": lambda x: (x.skill, x.skill)},
    "one that moves and one that meets": {
        "nine": lambda x: (x.skill + 1, 9),
        "own": lambda x: (x.skill, x.skill),
    },
    "two that never do": {"nine": lambda x: (9, 8), "own": lambda x: (x.skill, x.skill)},
    "short and long": {"nine": lambda x: (9,), "own": lambda x: (x.skill, x.skill)},
    "a record": {"nine": lambda x: Sheet(skill=9), "own": lambda x: x},
    "another record": {"nine": lambda x: Sheet(skill=9, name="B"), "own": lambda x: x},
    "another type": {"nine": lambda x: (9, "A"), "own": lambda x: x},
}
"""Options, of which the one that is taken is offered by itself unless it is another one, too."""


def _ask(sheets: list[Any], use: Use, *, forget: bool, first: Any = begin) -> list[object]:
    found: list[object] = []
    for one in sheets:
        if forget:
            forget_kernels()
        case = one if isinstance(one, Case) else Case(one, use)
        start = cast("At[Facts]", At(first, case))
        try:
            found.append(odds(Game(SYSTEM, start, {"reckon": ("own",)})).fractions())
        except AnswerError as error:
            found.append(str(error))
    return found


def _asked(sheets: list[Any], use: Use, first: Any = begin) -> list[object]:
    forget_kernels()
    met.clear()
    return _ask(sheets, use, forget=False, first=first)


def _same(sheets: list[Any], use: Use, first: Any = begin) -> bool:
    """Whether each comes out as it does by itself."""
    return _asked(sheets, use, first) == _ask(sheets, use, forget=True, first=first)


SKILLS = [10, 11, 12, 7, 8, 13, 9, 14, 12, 20, 0]


@pytest.mark.parametrize("name", USES)
def test_whatever_a_rule_does_with_the_number_each_has_its_own_odds(name: str) -> None:
    assert _same([Sheet(skill=skill) for skill in SKILLS], USES[name])


@pytest.mark.parametrize("name", WAYS)
@pytest.mark.parametrize("third", [True, False])
def test_options_are_followed_unless_two_of_them_are_one(name: str, third: bool) -> None:
    """Taken is "own", which isn't on offer where the option before it leads to the same."""
    skills = [10, 11, 12, 7, 8, 13, 14, 20, 0, 9, 6][: None if name == "more" else -1]
    ways = {**WAYS[name], "third": lambda x: "third"} if third else WAYS[name]
    one = [n for n in skills if len({way(Sheet(skill=n)) for way in WAYS[name].values()}) == 1]
    sheets = [Sheet(skill=skill) for skill in skills]
    together = _asked(sheets, Ways(ways))
    looked = met.count("reckon")
    assert together == _ask(sheets, Ways(ways), forget=True)
    assert [isinstance(found, str) for found in together] == [third and n in one for n in skills]
    assert looked == 3 + 2 * len(one), "the first, and others with the number swept and as usual"


@pytest.mark.parametrize(("options", "begun"), [(12, 3), (13, len(set(SKILLS)) + 1)])
def test_so_many_options_are_compared(options: int, begun: int) -> None:
    def far(number: int) -> Use:
        return lambda x: 100 + number

    use = Ways({"own": lambda x: x.skill, **{str(n): far(n) for n in range(1, options)}})
    assert _same([Sheet(skill=skill) for skill in SKILLS], use)
    _asked([Sheet(skill=skill) for skill in SKILLS], use)
    assert met.count("reckon") == begun


def test_where_two_options_are_one_at_first_it_is_followed_up_to_them() -> None:
    use = Ways({"nine": lambda x: 9, "own": lambda x: x.skill, "third": lambda x: 3})
    sheets = [Sheet(skill=skill) for skill in (5, 9, 6, 7, 8)]
    assert _same(sheets, use)
    _asked(sheets, use)
    assert met.count("begin") == 3


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
    for use in (USES["moved"], USES["in a box"]):
        assert _same(sheets, use)


def test_numbers_of_another_type_are_told_apart() -> None:
    sheets = [Sheet(skill=one) for one in (10, 11, 11.5, 12, True, 13)]
    assert _same(sheets, USES["type"])


def test_records_that_work_something_out_are_left_alone() -> None:
    sheets = [Sums(skill) for skill in SKILLS]

    def use(x: Any) -> int:
        return int(x.double)

    assert _same(sheets, use)


def test_records_that_work_something_out_for_some_numbers_are_told_apart() -> None:
    def use(x: Any) -> object:
        return getattr(x, "mastery", "none")

    for kind in (Learned, LearnedToo):
        sheets = [kind(skill) for skill in (10, 11, 12, 13, 14, 15, 11)]
        assert _same(sheets, use)
        _asked(sheets, use)
        assert met.count("begin") == 3 + 3, "those without anything more are followed no more"


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

    assert _same(sheets, use)


@pytest.mark.parametrize("more", [(1, 0, 0), (0, 1, 0), (0, 0, 1)])
def test_numbers_in_tuples_are_told_apart_by_all_around_them(more: tuple[int, ...]) -> None:
    """Before it, after it, and after that."""

    def sheets(number: int, by: int) -> Sheet:
        before, after, last = (by * one for one in more)
        return Sheet(skill=(before, number, after, last))

    def use(x: Any) -> object:
        return x.skill

    rows = [(10, 1), (11, 1), (12, 1), (13, 2), (14, 2), (15, 2), (16, 1)]
    asked = [sheets(*row) for row in rows]
    assert _same(asked, use)
    _asked(asked, use)
    assert met.count("reckon") == 3 + 3, "each kind is followed as usual, and swept once"


def test_equal_things_need_not_be_the_same_ones() -> None:
    sheets = [Sheet(skill=(number, tuple("AB"))) for number in range(10)]
    assert sheets[0].skill[1] is not sheets[1].skill[1]
    _asked(sheets, USES["moved"])
    assert met.count("begin") == 3


def test_exchanges_that_begin_elsewhere_are_told_apart() -> None:
    forget_kernels()
    cases = [Case(Sheet(skill=skill), USES["moved"]) for skill in range(6)]
    starts = [cast("At[Facts]", At(begin, case)) for case in cases]
    elsewhere = [cast("At[Facts]", At(reckon, case)) for case in cases]
    together = [odds(Game(SYSTEM, at)).fractions() for at in (*starts[:5], *elsewhere, starts[5])]
    for at, found in zip((*starts[:5], *elsewhere, starts[5]), together, strict=True):
        forget_kernels()
        assert odds(Game(SYSTEM, at)).fractions() == found


def test_tuples_of_another_length_are_told_apart() -> None:
    def use(x: Any) -> object:
        return len(x.skill), x.skill[0]

    assert _same([Sheet(skill=(n,) * many) for n, many in ((1, 1), (2, 2), (3, 2), (4, 1))], use)


@dataclass(frozen=True)
class Adding:
    """A use that works something out as it is made."""

    by: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "twice", 2 * self.by)

    def __call__(self, x: Any) -> object:
        return x.skill + self.by


def test_what_does_not_hold_the_number_may_be_anything() -> None:
    _asked([Sheet(skill=skill) for skill in range(10)], Adding(3))
    assert met.count("reckon") == 3


def test_what_stands_on_its_own_is_passed_on_as_it_is() -> None:
    sheets = [Sheet(skill=skill) for skill in range(10)]
    passed: list[Any] = []

    def use(x: Any) -> object:
        passed.append(x)
        return x.skill // 2

    _asked(sheets, use)
    assert met.count("begin") == 3
    assert all(one is sheet for one, sheet in zip(passed[-8:], sheets[2:], strict=True))


def test_what_is_looked_at_at_once_is_followed_in_vain_a_few_times() -> None:
    _asked([Sheet(skill=skill) for skill in range(1, 40)], USES["moved"], look)
    assert met.count("look") == 39 + MOST_VAIN


def test_headway_is_tried_again_after_some_was_made() -> None:
    """Sheets of other names differ in more than a number, in vain each time."""
    others = [[Sheet(skill=1, name=f"{n} {m}") for m in range(MOST_VAIN - 1)] for n in range(3)]
    last = [Sheet(skill=n, name="C") for n in (1, 2, 3, 4)]
    known = [Sheet(skill=n) for n in (1, 2, 3, 4)]
    _asked([*known[:2], *others[0], known[2], *others[1], known[3], *last], USES["moved"])
    assert met.count("begin") == 3 + 2 * len(others[0]) + 3, "what is known, and what is new"
    _asked([*known[:2], *others[0], *others[1], *last], USES["moved"])
    assert met.count("begin") == 3 + 2 * len(others[0]) + 4, "it was left alone by then"
