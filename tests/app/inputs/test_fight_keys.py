"""Every key of a fight matters: some value changes who wins, or how long it takes."""

from __future__ import annotations

import copy
import json
import warnings
from functools import cache
from typing import Any, cast

import pytest

from affray.app.battle import Sampling, fought
from affray.app.inputs.fight_setups import fight_examples, load_raw_fight
from affray.app.inputs.fight_sheets import fight_schema
from affray.app.registry import system_named
from affray.core.telling import AffrayWarning

FOR_PEOPLE = {"title", "purpose", "notes", "system", "source", "vectors", "name"}
"""Keys that only tell, or that check."""
DRIVEN_ELSEWHERE = {"one", "other", "fighters", "roster", "play", "asks", "scene"}
"""Keys that hold what others are about; their own contents are looked at by conformance.

Those of `play`, a script, are looked at where it is played: `tests/cli/test_fight.py`;
`asks` and `scene` in `tests/engine/fight/played/test_matters.py`.
"""

BROCKTON = ("empty-earth", "brockton")
CASES: dict[str, tuple[str, str, dict[str, Any], dict[str, Any]]] = {
    "first": ("empty-earth", "bo-husk", {"first": "one"}, {"first": "other"}),
    "at_a_time": (*BROCKTON, {"first": "alternate"}, {"first": "alternate", "at_a_time": 3}),
    "rounds": (*BROCKTON, {}, {"rounds": 3}),
    "rulings": ("eclipse-phase", "w6", {}, {"rulings": {"wound_effects": "checks"}}),
    "objective": (
        *BROCKTON, {"one.policy": "greedy"}, {"one.policy": "greedy", "objective": "hit"},
    ),
    "threshold": (
        *BROCKTON, {"one.policy": "greedy"}, {"one.policy": "greedy", "threshold": 50},
    ),
    "one.policy": (*BROCKTON, {"one.policy": "first"}, {"one.policy": "greedy"}),
    "one.choose": ("eclipse-phase", "w6", {}, {"one.choose": {"choose_called_shot": "none"}}),
    "one.targets": (*BROCKTON, {"one.targets": "weakest"}, {"one.targets": "strongest"}),
    "one.situation": ("eclipse-phase", "w8", {}, {"one.situation": {"attacker_modifier": -60}}),
    "situation": ("eclipse-phase", "w8", {}, {"situation": {"attacker_modifier": -60}}),
    "one.idle": ("empty-earth", "bo-husk", {}, {"one.idle": True}),
    "other.yields_at": (*BROCKTON, {}, {"other.yields_at": 1}),
}  # fmt: skip


def found(system: str, fight: str, changes: dict[str, Any]) -> object:
    """How battles of a shipped fight go with some keys changed."""
    return fought_with(system, fight, json.dumps(changes))


@cache
def fought_with(system: str, fight: str, told: str) -> object:
    changes: dict[str, Any] = json.loads(told)
    rules = system_named(system)
    table = copy.deepcopy(fight_examples(rules)[fight])
    for path, value in changes.items():
        *way, key = path.split(".")
        inner: dict[str, Any] = table
        for part in way:
            inner = inner.setdefault(part, {})
        inner[key] = value
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AffrayWarning)
        view = fought(load_raw_fight(rules, table, fight), Sampling(n=60, seed=1))
    return view.won, view.rounds, view.histogram


@pytest.mark.parametrize("key", sorted(CASES))
def test_a_key_of_a_fight_matters(key: str) -> None:
    system, fight, before, after = CASES[key]
    assert found(system, fight, before) != found(system, fight, after)


def test_how_many_there_are_of_a_fighter_matters() -> None:
    """`number` stands in an entry of a side's fighters."""
    alone = {"one.fighters": ["bo"], "other.fighters": ["husk"]}
    pair = {"one.fighters": ["bo"], "other.fighters": [{"like": "husk", "number": 2}]}
    assert found(*BROCKTON, alone) != found(*BROCKTON, pair)


def test_every_key_of_a_fight_is_looked_at() -> None:
    """A key that is new has to be added above."""
    made = cast("dict[str, Any]", fight_schema(system_named("empty-earth")))
    side = made["$defs"][made["properties"]["one"]["$ref"].rpartition("/")[2]]
    known = {*CASES, *FOR_PEOPLE, *DRIVEN_ELSEWHERE}
    for key in made["properties"]:
        assert key in known, key
    for key in side["properties"]:
        assert {key, f"one.{key}", f"other.{key}"} & known, key
