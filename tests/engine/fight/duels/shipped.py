"""Duels of shipped fights that several tests look into: each is found out once."""

from __future__ import annotations

from copy import deepcopy
from functools import lru_cache
from typing import Any

from affray.app.inputs.fight_setups import load_fight
from affray.app.inputs.tables import fight_examples
from affray.app.registry import system_named
from affray.app.sources import Table
from affray.engine.fight.contest import Contest
from affray.engine.fight.duels.duel import Duel

__all__ = ["shipped_contest", "shipped_duel"]

POINTS = {"grenades-against-a-torch": {"durability": 10}}
"""Less to lose: the same exchanges, and fewer pairs of conditions."""


def shipped_contest(system_name: str, fight: str) -> Contest:
    """A shipped fight of two, in which some have less to lose."""
    table: dict[str, Any] = deepcopy(dict(fight_examples(system_named(system_name))[fight]))
    for side in ("one", "other"):
        for fighter in table[side]["fighters"] if fight in POINTS else ():
            fighter.update(POINTS[fight])
    return load_fight(system_name, Table(table, fight)).contest


@lru_cache(maxsize=8)
def shipped_duel(system_name: str, fight: str) -> Duel:
    """The duel of such a fight; whoever looks into it changes nothing."""
    return Duel(shipped_contest(system_name, fight))
