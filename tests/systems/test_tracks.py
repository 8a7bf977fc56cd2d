"""A key for what is left says nothing about the most there can be: wounds don't shorten a track."""

from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any, get_type_hints

import pytest

from affray.app.inputs.rosters import Roster, resolved, roster_for
from affray.app.inputs.setups import load_raw
from affray.app.inputs.tables import roster
from affray.app.registry import system_named
from affray.core.ruling import Rulings
from affray.core.system import System
from affray.systems.affinity.numbers import hd_max_of

SYSTEMS = ("affinity", "eclipse-phase", "emlia", "empty-earth", "grid-battles")
TRACKS: dict[str, tuple[str, str, Callable[[Any], int]]] = {
    "empty-earth": ("fighters", "vitality", lambda sheet: sheet.vitality_max),
    "affinity": ("fighters", "hd", lambda sheet: hd_max_of(sheet, Rulings())),
    "grid-battles": ("units", "health", lambda sheet: sheet.most),
}
"""For each room that has such a key: the roster, the key, and the most there can be."""


def _ready() -> Iterator[tuple[str, str]]:
    for system, (section, _, _) in TRACKS.items():
        yield from ((system, name) for name in roster(system_named(system))[section])


@pytest.mark.parametrize(("system", "name"), list(_ready()))
def test_a_ready_fighter_who_is_wounded_has_the_track_of_a_fresh_one(
    system: str, name: str
) -> None:
    _, key, most = TRACKS[system]
    raw = {"attacker": name, "defender": {"like": name, key: 1}}
    setup: Any = load_raw(system_named(system), raw, "table").setup
    assert most(setup.defender) == most(setup.attacker)


def _ready_tracks() -> Iterator[tuple[str, str, str, str]]:
    """Every roster entry with more than nothing of what its system keeps track of."""
    for name in SYSTEMS:
        known: System[Any] = system_named(name)
        for section, entries in roster(known).items():
            for entry, table in entries.items():
                yield from ((name, section, entry, key) for key in known.tracks if table.get(key))


@pytest.mark.parametrize(("system", "section", "entry", "key"), list(_ready_tracks()))
def test_less_of_something_than_in_the_roster_leaves_the_most_as_printed(
    system: str, section: str, entry: str, key: str
) -> None:
    known: System[Any] = system_named(system)
    name = {"fighters": "attacker", "weapons": "weapon"}[section]
    printed: Any = roster(known)[section][entry][key]
    none, more = (
        ({}, {**printed, "red": printed.get("red", 0) + 1}) if isinstance(printed, dict)
        else (0, printed + 1)
    )  # fmt: skip
    for value, most in ((none, printed), (printed, None), (more, None)):
        whole: Any = resolved(Roster(known), {name: {"like": entry, key: value}})
        assert (whole[name][key], whole[name].get(f"{key}_max")) == (value, most)


def test_a_chain_of_entries_keeps_the_most_of_the_first() -> None:
    raw = {"fighters": {"tired": {"like": "jinx", "insight": 1}}}
    own = roster_for(system_named("eclipse-phase"), {"roster": raw}, "table")
    whole: Any = resolved(own, {"attacker": {"like": "tired", "insight": 0}})
    assert (whole["attacker"]["insight"], whole["attacker"]["insight_max"]) == (0, 2)


ELSEWHERE = {"affinity": {"resolve"}}
"""Keys whose most has a default of its own."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_key_with_a_most_is_walked_here(system: str) -> None:
    known: System[Any] = system_named(system)
    sheet = get_type_hints(known.setup)["attacker"]
    keys = {field.name for field in fields(sheet)}
    with_most = {key for key in keys if f"{key}_max" in keys}
    walked = {*known.tracks, *ELSEWHERE.get(system, ())}
    assert with_most <= walked | ({TRACKS[system][1]} if system in TRACKS else set())
