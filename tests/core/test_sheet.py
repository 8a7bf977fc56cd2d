"""Sheets: frozen, checked when made, quick to hash."""

import os
import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError, dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import pytest

from affray.core.errors import SetupError
from affray.core.node import KeepsHash
from affray.core.sheet import INFORMS, Ge, Le, by_hint, range_of, replace, sheet

ROOT = Path(__file__).resolve().parents[2]
Score = Annotated[int, Ge(0), Le(100)]


@sheet
class Fighter:
    """Somebody who fights."""

    name: str = ""
    skill: Score = 50
    stance: Literal["low", "high"] = "low"
    armor: Annotated[int | None, Ge(1)] = None
    points: int = 0
    weight: Annotated[float, Ge(0.5)] = 1.0

    def check(self) -> str | None:
        """A low stance needs skill."""
        if self.stance == "low" and self.skill < 10:
            return f"a low stance needs a skill of 10 or more, not {self.skill}"
        return None


@sheet
class Band:
    """Somebody with a leader."""

    leader: Fighter
    banners: tuple[str, ...] = ()
    march: tuple[tuple[float, float], ...] = ()
    camp: tuple[int, int] = (0, 0)
    rank: Annotated[int, Ge(1)] | None = None


@sheet
class Coin:
    """Nothing to check beyond the annotations."""

    side: Literal["crown", "cross", 1] = "crown"


def made(**values: Any) -> Fighter:
    return Fighter(**values)


def test_values_in_range_are_kept() -> None:
    fighter = Fighter(name="Ann", skill=100, stance="high", armor=1, points=-3, weight=0.5)
    assert (fighter.name, fighter.skill, fighter.stance) == ("Ann", 100, "high")
    assert (fighter.armor, fighter.points, fighter.weight) == (1, -3, 0.5)
    assert Fighter(skill=0, stance="high").skill == 0


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"skill": -1}, "Fighter: skill is -1; allowed: 0 or more"),
        ({"skill": 101}, "Fighter: skill is 101; allowed: 100 or less"),
        ({"skill": True}, "Fighter: skill is True; allowed: a whole number"),
        ({"skill": 50.5}, "Fighter: skill is 50.5; allowed: a whole number"),
        ({"skill": "50"}, "Fighter: skill is '50'; allowed: a whole number"),
        ({"skill": None}, "Fighter: skill is None; allowed: a whole number"),
        ({"points": 1.0}, "Fighter: points is 1.0; allowed: a whole number"),
        ({"stance": "lying"}, "Fighter: stance is 'lying'; allowed: low, high"),
        ({"armor": True}, "Fighter: armor is True; allowed: a whole number"),
        ({"armor": 1.5}, "Fighter: armor is 1.5; allowed: a whole number"),
        ({"name": 3}, "Fighter 3: name is 3; allowed: a text"),
        ({"weight": True}, "Fighter: weight is True; allowed: a finite number"),
        ({"weight": float("nan")}, "Fighter: weight is nan; allowed: a finite number"),
        ({"weight": float("inf")}, "Fighter: weight is inf; allowed: a finite number"),
        ({"armor": 0}, "Fighter: armor is 0; allowed: 1 or more"),
        ({"weight": 0}, "Fighter: weight is 0; allowed: 0.5 or more"),
        ({"weight": 0.4}, "Fighter: weight is 0.4; allowed: 0.5 or more"),
        ({"name": "Ann", "skill": 101}, "Fighter 'Ann': skill is 101; allowed: 100 or less"),
        ({"skill": 9}, "Fighter: a low stance needs a skill of 10 or more, not 9"),
    ],
)
def test_values_out_of_range_are_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(SetupError) as caught:
        made(**values)
    assert str(caught.value) == message


def test_changed_copies_are_checked() -> None:
    fighter = Fighter(skill=20)
    with pytest.raises(SetupError, match="a low stance needs a skill"):
        replace(fighter, skill=5)
    assert replace(fighter, skill=5, stance="high").skill == 5
    with pytest.raises(SetupError, match=r"Fighter: skill is 101; allowed: 100 or less"):
        replace(fighter, skill=101)
    assert fighter == Fighter(skill=20)


def test_a_changed_copy_is_the_sheet_that_is_made_with_these_values() -> None:
    fighter = Fighter(name="Ada", skill=20, weight=2.5)
    hash(fighter)
    copy = replace(fighter, armor=3)
    expected = Fighter(name="Ada", skill=20, weight=2.5, armor=3)
    assert (copy, repr(copy), vars(copy)) == (expected, repr(expected), vars(expected))
    assert hash(copy) == hash(expected) != hash(fighter)
    assert replace(fighter) == fighter


def test_copies_have_no_new_fields() -> None:
    with pytest.raises(TypeError, match="rank"):
        replace(Fighter(), rank=1)  # type: ignore[call-arg]  # that is what is tested


def test_whatever_is_no_sheet_is_copied_all_the_same() -> None:
    @dataclass(frozen=True)
    class Plain:
        height: int = 1

    assert replace(Plain(), height=2) == Plain(2)


def test_without_a_check_annotations_hold() -> None:
    assert Coin(side=1).side == 1
    side: Any
    for side in ("edge", True, 1.0):
        with pytest.raises(SetupError, match=r"Coin: side is .*; allowed: crown, cross, 1"):
            Coin(side=side)


def test_every_entry_of_a_tuple_is_of_its_kind() -> None:
    assert Band(leader=Fighter(), banners=("red", "blue")).banners == ("red", "blue")
    banners: Any
    for banners, told in ((("red", 3), "3; allowed: a text"), (["red"], "allowed: a tuple")):
        with pytest.raises(SetupError, match=told):
            Band(leader=Fighter(), banners=banners)


def test_a_bound_within_a_choice_of_kinds_holds() -> None:
    assert [Band(leader=Fighter(), rank=rank).rank for rank in (1, None)] == [1, None]
    with pytest.raises(SetupError, match="rank is 0; allowed: 1 or more"):
        Band(leader=Fighter(), rank=0)


def test_an_empty_tuple_is_none_of_two_entries() -> None:
    none: Any = ()
    with pytest.raises(SetupError, match="allowed: 2 entries"):
        Band(leader=Fighter(), camp=none)


def test_a_tuple_has_one_entry_for_each_hint() -> None:
    assert Band(leader=Fighter(), march=((0, 1.5), (2, 3))).march == ((0, 1.5), (2, 3))
    march: Any
    for march, told in (
        (((0, 0), (1,)), r"\[1\]; allowed: 2 entries"),
        (((0, 0, 0),), "allowed: 2 entries"),
        (((0, "far"),), "'far'; allowed: a finite number"),
        ((3,), "3; allowed: a tuple"),
    ):
        with pytest.raises(SetupError, match=told):
            Band(leader=Fighter(), march=march)


def test_a_whole_number_is_a_number() -> None:
    assert Fighter(weight=2).weight == 2


def test_sheets_are_frozen() -> None:
    fighter: Any = Fighter()
    with pytest.raises(FrozenInstanceError):
        fighter.skill = 3


def test_fields_are_given_by_name() -> None:
    kind: Any = Fighter
    with pytest.raises(TypeError):
        kind("Ann")
    with pytest.raises(TypeError):
        kind(nmae="Ann")


def test_equal_sheets_are_equal_and_hash_alike() -> None:
    one, other = Fighter(name="Ann"), Fighter(name="Ann")
    assert one == other
    assert hash(one) == hash(other)
    assert one == other  # after the hash was kept
    assert one != Fighter(name="Bob")
    assert len({Band(leader=one), Band(leader=other)}) == 1


def test_a_copy_does_not_keep_the_hash_of_the_first() -> None:
    one = Fighter(name="Ann")
    hash(one)
    assert hash(replace(one, name="Bob")) == hash(Fighter(name="Bob"))


def test_hash_is_computed_once() -> None:
    class Slow(str):
        __slots__ = ()
        asked = 0

        def __hash__(self) -> int:
            Slow.asked += 1
            return 7

        __eq__ = str.__eq__

    fighter = Fighter(name=Slow("Ann"))
    assert hash(fighter) == hash(fighter)
    assert Slow.asked == 1


# -- travelling --------------------------------------------------------------------------------

ARRIVES = """
import pickle, sys
from tests.core.test_sheet import Band, Fighter, Kept
met = pickle.loads(sys.stdin.buffer.read())
here = Band(leader=Fighter(name="Ada")), Kept("Ada")
assert met == here
assert {*met} == {*here}
"""


class Line(NamedTuple):
    """A record."""

    name: str


class Kept(KeepsHash, Line):
    """The same, with its hash kept."""


def test_hashes_stay_behind_when_sheets_travel_to_another_process() -> None:
    """Hashes of strings differ from process to process; a kept one would be wrong there."""
    things = Band(leader=Fighter(name="Ada")), Kept("Ada")
    assert len({hash(thing) for thing in things}) == 2
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", ARRIVES], input=pickle.dumps(things), capture_output=True,
            check=False, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr.decode()


def test_pydantic_holds_numbers_to_the_same_bounds() -> None:
    from pydantic import TypeAdapter, ValidationError

    adapter = TypeAdapter(Fighter)
    assert adapter.validate_python({"skill": 100, "armor": 1}) == Fighter(skill=100, armor=1)
    assert adapter.validate_python({"armor": None}) == Fighter()
    for wrong in ({"skill": 101}, {"skill": -1}, {"armor": 0}, {"weight": 0.4}):
        with pytest.raises(ValidationError, match="than or equal to"):
            adapter.validate_python(wrong)
    known = adapter.json_schema()["properties"]
    assert (known["skill"]["minimum"], known["skill"]["maximum"]) == (0, 100)
    assert known["armor"]["anyOf"] == [{"minimum": 1, "type": "integer"}, {"type": "null"}]


def test_bounds_are_shown_as_written() -> None:
    assert repr((Ge(0), Le(2.5))) == "(Ge(0), Le(2.5))"


def test_what_is_made_of_annotations_is_made_once_for_equal_ones() -> None:
    @sheet
    class Beast:
        kind: ClassVar[str] = "beast"
        claws: "Annotated[int, Ge(0)]" = 2
        teeth: "Annotated[int, Ge(0)]" = 3

    @sheet
    class Dog(Beast):
        teeth: "Annotated[int, Le(42)]" = 42
        name: str = ""

    seen: list[object] = []

    def make(hint: object) -> str:
        seen.append(hint)
        return repr(hint).partition("Annotated")[2] or "text"

    assert by_hint(Dog, make) == {
        "claws": "[int, Ge(0)]",
        "teeth": "[int, Le(42)]",
        "name": "text",
    }
    assert list(by_hint(Beast, make).values()) == ["[int, Ge(0)]"] * 2
    assert len(seen) == 4


def test_bounds_hold_within_what_is_annotated_once_more() -> None:
    @sheet
    class Pool:
        most: Annotated[Annotated[int, Ge(0), Le(10)] | None, INFORMS] = None

    assert Pool(most=10).most == 10
    assert range_of(Annotated[Annotated[int, Ge(0), Le(10)] | None, INFORMS]) == (0, 10)
    with pytest.raises(SetupError, match="most is 11; allowed: 10 or less"):
        Pool(most=11)


class Lazily(type):
    """Keeps annotations of its classes as Python 3.14 does: no class has them in its dictionary."""

    kept: ClassVar[dict[str, dict[str, Any]]] = {}

    def __new__(cls, name: str, bases: tuple[type, ...], inside: dict[str, Any]) -> "Lazily":
        made = super().__new__(cls, name, bases, inside)
        cls.kept[name] = dict(inside.get("__annotations__", {}))
        return made

    @property
    def __annotations__(cls) -> dict[str, Any]:  # type: ignore[override]  # lazy, as in 3.14
        return Lazily.kept[cls.__name__]


def test_inherited_fields_keep_their_ranges_where_annotations_are_lazy() -> None:
    @sheet
    class Beast(metaclass=Lazily):
        claws: Score = 3

    class Dragon(Beast):
        fire: Annotated[int, Ge(1)] = 2

    made = sheet(Dragon)
    for base in (Dragon, Beast):
        vars(type)["__annotations__"].__delete__(base)
        assert "__annotations__" not in vars(base)
    assert by_hint(made, range_of) == {"claws": (0, 100), "fire": (1, float("inf"))}
