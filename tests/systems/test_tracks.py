"""A key for what is left says nothing about the most there can be: wounds don't shorten a track."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from affray.app.inputs.setups import load_raw
from affray.app.inputs.tables import roster
from affray.app.registry import system_named
from affray.core.ruling import Rulings
from affray.systems.affinity.numbers import hd_max_of

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
