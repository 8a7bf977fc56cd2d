"""The schema of what people write: everything shipped fits, and it is no stricter than `load`."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, cast

import pytest
from jsonschema import Draft202012Validator

from affray.app.inputs.common_keys import COMMON
from affray.app.inputs.fight_setups import fight_examples, read_raw_fight
from affray.app.inputs.fight_sheets import fight_schema
from affray.app.inputs.setups import examples, load_raw, schema
from affray.app.registry import system_ids, system_named
from affray.core.errors import AffrayError, Fault
from affray.core.node import Facts
from affray.core.system import System
from affray.core.telling import unheard
from tests.outside.brawl import SYSTEM as BRAWL
from tests.outside.feint import SYSTEM as FEINT

KINDS = ("setup", "fight")
OUTSIDE = {"brawl": cast("System[Facts]", BRAWL), "feint": cast("System[Facts]", FEINT)}
"""Systems of other packages."""
SYSTEMS = [(system, kind) for system in (*system_ids(), *OUTSIDE) for kind in KINDS]
OF_SHAPE = {"unknown-key", "missing", "wrong-kind", "out-of-range", "unknown-word"}
"""Codes of faults that a schema can tell as well."""

Table = dict[str, Any]


def room_of(system: str) -> System[Facts]:
    return OUTSIDE.get(system) or system_named(system)


@cache
def validator(system: str, kind: str) -> Draft202012Validator:
    room = room_of(system)
    made = schema(room) if kind == "setup" else fight_schema(room)
    Draft202012Validator.check_schema(made)
    return Draft202012Validator(made)


def shipped(system: str, kind: str) -> Mapping[str, Mapping[str, object]]:
    room = room_of(system)
    return examples(room) if kind == "setup" else fight_examples(room)


def faults(system: str, kind: str, table: Mapping[str, object]) -> tuple[Fault, ...]:
    """The faults that a table is refused for."""
    room = room_of(system)
    read: Callable[..., object] = load_raw if kind == "setup" else read_raw_fight
    try:
        with unheard():
            read(room, table, "table")
    except AffrayError as error:
        return error.faults
    return ()


@pytest.mark.parametrize(("system", "kind"), SYSTEMS)
def test_everything_shipped_fits(system: str, kind: str) -> None:
    for name, raw in shipped(system, kind).items():
        wrong = [f"{error.json_path}: {error.message}" for error in
                 validator(system, kind).iter_errors(raw)]  # fmt: skip
        refused = {fault.code for fault in faults(system, kind, raw)}
        assert not wrong or refused & OF_SHAPE, (name, wrong)


@pytest.mark.parametrize(("system", "kind"), SYSTEMS)
def test_schema_and_load_refuse_the_same_changed_examples(system: str, kind: str) -> None:
    """A schema can't tell names and rules; in all else both agree."""
    dice = random.Random(7)
    every = list(shipped(system, kind).values())
    n_refused = 0
    for _ in range(80):
        table = changed(copy.deepcopy(dice.choice(every)), dice)
        found = faults(system, kind, table)
        fits = validator(system, kind).is_valid(table)
        told = (table, found)
        if fits:
            assert not any(is_of_shape(fault) for fault in found), told
        else:
            assert found, told
            n_refused += 1
    assert n_refused > 10


def is_of_shape(fault: Fault) -> bool:
    """Whether a schema could tell it: files and other names have no shape."""
    return fault.code in OF_SHAPE and not fault.where.startswith(("/roster", "/rulings"))


def changed(raw: Mapping[str, object], dice: random.Random) -> Table:
    """The table with one thing in it changed."""
    table = cast("Table", raw)
    holders = list(tables_in(table))
    holder = dice.choice(holders)
    keys = list(holder)
    what = dice.choice(["drop", "add", "change", "change", "name", "like"])
    if what == "add" or not keys:
        holder[dice.choice(["nonsense", "like", "name", "notes", "number"])] = dice.choice(VALUES)
    elif what == "drop":
        del holder[dice.choice(keys)]
    elif what == "like":
        holder["like"] = "nobody"
    else:
        key = dice.choice(keys)
        holder[key] = "somebody" if what == "name" else copy.deepcopy(dice.choice(VALUES))
    return table


VALUES: tuple[object, ...] = (-1, 0, 1, 7, 10**6, 1.5, True, "x", "", [], ["x"], [1], {}, {"x": 1})


def tables_in(value: object) -> Iterator[Table]:
    """A table and all tables within it."""
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(
        value, list) else ():  # fmt: skip
        yield from tables_in(inner)


def test_a_table_that_is_like_another_needs_no_other_key() -> None:
    setups = validator("eclipse-phase", "setup")
    whole = {"name": "A"}
    assert setups.is_valid({"attacker": {"like": "x"}, "defender": whole})
    assert not setups.is_valid({"attacker": {"fray": 4}, "defender": whole})
    assert not setups.is_valid({"attacker": {"like": "x", "fray": "x"}, "defender": whole})
    fights = validator("eclipse-phase", "fight")
    sides = {"one": {"fighters": [{"like": "x", "number": 3}]}, "other": {"fighters": ["x"]}}
    assert fights.is_valid(sides)
    assert not fights.is_valid({**sides, "one": {"fighters": [{"number": 3}]}})


@pytest.mark.parametrize("system", system_ids())
def test_every_common_key_is_described(system: str) -> None:
    properties = cast("Table", schema(system_named(system))["properties"])
    for key in COMMON:
        assert properties[key]["description"] == COMMON[key]
