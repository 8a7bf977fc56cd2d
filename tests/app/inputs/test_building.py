"""Sheets built from tables that fit, and the same ones as pydantic makes of them."""

from __future__ import annotations

import json
import random
import tomllib
from typing import Annotated, Any, Literal

import pytest
from annotated_types import Ge, Le, MinLen
from pydantic import ValidationError

from affray.app.inputs.building import UnfitError, built
from affray.app.inputs.checking import adapter
from affray.app.inputs.common_keys import COMMON
from affray.app.inputs.fight_sheets import sheet_of
from affray.app.inputs.intake import Raw
from affray.app.inputs.rosters import Filling, Roster
from affray.app.inputs.tables import Tables, examples
from affray.app.registry import system_named
from affray.core.sheet import sheet
from tests.scenarios import EXAMPLES, FIGHTING, SHIPPED


@sheet
class Blade:
    """A blade."""

    name: str = ""
    edge: Annotated[int, Ge(1), Le(9)] = 1
    weight: float = 1.0


@sheet
class Duelist:
    """A duelist."""

    blades: tuple[Blade, ...] = ()
    stance: Literal["low", "high"] = "low"
    luck: int | str | None = None
    at: tuple[int, int] | None = None
    marks: dict[str, int] | None = None

    def check(self) -> str | None:
        """No more than two blades."""
        return "three blades" if len(self.blades) > 2 else None


def test_a_table_becomes_a_sheet() -> None:
    made = built(
        Duelist,
        {"blades": [{"name": "Fang", "edge": 3, "weight": 2}], "luck": 7, "at": [1, 2]},
    )
    assert made == Duelist(blades=(Blade(name="Fang", edge=3, weight=2.0),), luck=7, at=(1, 2))
    (blade,) = made.blades
    assert type(blade.weight) is float


@pytest.mark.parametrize(
    "table",
    [
        {"blade": []}, {"blades": {}}, {"blades": [3]}, {"blades": [{"edge": 0}]},
        {"blades": [{"edge": 10}]}, {"blades": [{"edge": True}]}, {"blades": [{"edge": 2.0}]},
        {"blades": [{"weight": True}]}, {"blades": [{"weight": "2"}]}, {"blades": [{}, {}, {}]},
        {"stance": "mid"}, {"stance": None}, {"luck": 1.5}, {"luck": True}, {"luck": []},
        {"at": [1]}, {"at": [1, 2, 3]}, {"at": [1, "2"]}, {"marks": {"a": "b"}}, {"marks": [1]},
    ],
)  # fmt: skip
def test_what_does_not_fit_is_not_built_and_pydantic_agrees(table: Raw) -> None:
    with pytest.raises(UnfitError):
        built(Duelist, table)
    with pytest.raises(ValidationError):
        adapter(Duelist).validate_json(json.dumps(table), strict=True)


def test_bounds_that_nobody_follows_are_left_to_pydantic() -> None:
    @sheet
    class Team:
        names: Annotated[tuple[str, ...], MinLen(1)] = ("a",)

    with pytest.raises(UnfitError):
        built(Team, {"names": ["b"]})


def filled(system: str, name: str) -> tuple[type, Raw]:
    found = system_named(system)
    raw = {key: value for key, value in examples(found)[name].items() if key not in COMMON}
    return found.setup, Filling(Roster(found)).table(raw)


@pytest.mark.parametrize("system", SHIPPED)
def test_shipped_examples_are_built_as_pydantic_makes_them(system: str) -> None:
    same = 0
    for name in (name for home, name in EXAMPLES if home == system):
        kind, table = filled(system, name)
        try:
            checked = adapter(kind).validate_json(json.dumps(table), strict=True)
        except ValidationError:
            with pytest.raises(UnfitError):
                built(kind, table)
            continue
        assert repr(built(kind, table)) == repr(checked), name
        same += 1
    assert same


WILD: tuple[object, ...] = (None, True, 0, -1, 3, 10**6, 2.5, "", "x", [], [1], {}, {"like": "x"})


def spoiled(table: Any, dice: random.Random) -> Any:
    """A table with one thing in it changed, left out or added."""
    if isinstance(table, dict) and table and dice.random() < 0.9:
        key = dice.choice(list(table))
        chance = dice.random()
        if chance < 0.1:
            return {name: held for name, held in table.items() if name != key}
        if chance < 0.2:
            return {**table, f"{key}s": dice.choice(WILD)}
        return {**table, key: spoiled(table[key], dice)}
    if isinstance(table, list) and table and dice.random() < 0.7:
        place = dice.randrange(len(table))
        return [*table[:place], spoiled(table[place], dice), *table[place + 1 :]]
    return dice.choice(WILD)


@pytest.mark.parametrize("system", SHIPPED)
def test_whatever_is_built_pydantic_would_have_made(system: str) -> None:
    dice = random.Random(7)
    names = [name for home, name in EXAMPLES if home == system]
    fitting = 0
    for _ in range(300):
        kind, table = filled(system, dice.choice(names))
        table = spoiled(table, dice)
        if not isinstance(table, dict):
            continue
        try:
            made = built(kind, table)
        except UnfitError:
            continue
        assert repr(made) == repr(adapter(kind).validate_json(json.dumps(table), strict=True))
        fitting += 1
    assert fitting > 20


@pytest.mark.parametrize("system", FIGHTING)
def test_fights_are_built_as_pydantic_makes_them(system: str) -> None:
    kind = sheet_of(system_named(system))
    tables = (filled(system, name)[1] for home, name in EXAMPLES if home == system)
    fighter = next(table["attacker"] for table in tables if "attacker" in table)
    table: Raw = {
        "one": {"fighters": [fighter], "policy": "first", "idle": True},
        "other": {"fighters": [fighter], "choose": {"a": ["b", "c"]}, "yields_at": 1},
        "rounds": 7, "first": "coin",
    }  # fmt: skip
    checked = adapter(kind).validate_json(json.dumps(table), strict=True)
    assert repr(built(kind, table)) == repr(checked)
    changes: tuple[Raw, ...] = (
        {"rounds": 0}, {"first": "me"}, {"rounds": True}, {"title": 3}, {"two": {}},
    )  # fmt: skip
    for change in changes:
        with pytest.raises(UnfitError):
            built(kind, {**table, **change})


@pytest.mark.parametrize("system", SHIPPED)
def test_tables_that_are_read_one_by_one_are_those_of_the_whole_file(system: str) -> None:
    folder = system_named(system).folder
    for path in (folder / "examples.toml", folder / "fights.toml", *folder.glob("roster/*.toml")):
        whole = tomllib.loads(path.read_text(encoding="utf-8"))
        tables = Tables(path)
        assert list(tables) == list(whole), path
        assert dict(tables) == whole, path
