"""Duels of shipped fights that several tests look into: each is found out once."""

from __future__ import annotations

from copy import deepcopy
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from affray.app.inputs.fight_changes import FIGHT_AS_WRITTEN, in_duels
from affray.app.inputs.fight_setups import load_fight
from affray.app.inputs.tables import fight_examples
from affray.app.registry import system_named
from affray.app.sources import Table
from affray.engine.fight.contest import Contest
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.matchup import EffectOdds

__all__ = ["among_all", "note_rolls", "odds_of_exchanges", "shipped_contest", "shipped_duel"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

POINTS = {"grenades-against-a-torch": {"durability": 10}}
"""Less to lose: the same exchanges, and fewer pairs of conditions."""


def shipped_contest(system_name: str, fight: str) -> Contest:
    """A shipped fight of two, in which some have less to lose."""
    table: dict[str, Any] = deepcopy(dict(fight_examples(system_named(system_name))[fight]))
    for side in ("one", "other"):
        for fighter in table[side]["fighters"] if fight in POINTS else ():
            fighter.update(POINTS[fight])
    simply = in_duels(system_named(system_name), FIGHT_AS_WRITTEN)
    return load_fight(system_name, Table(table, fight), simply).contest


def among_all(over: Floats, among: tuple[Ints, Ints], sizes: tuple[int, ...]) -> Floats:
    """What is told of pairs of some conditions, as told of all pairs."""
    one, other = among
    whole = np.zeros((len(over), *sizes))
    whole[:, one[:, None], other] = over.reshape(len(over), len(one), len(other))
    return whole.reshape(len(over), -1)


def odds_of_exchanges(system_name: str, fight: str) -> list[EffectOdds]:
    """The odds of all exchanges of such a fight, found out anew."""
    duel = Duel(shipped_contest(system_name, fight))
    return [odds for attacks in duel.attacks for odds in attacks.odds]


def note_rolls(monkeypatch: pytest.MonkeyPatch, kind: type[Any]) -> list[bool]:
    """For each roll for which `kind.rolled` is asked from now on whether it is followed there."""
    rolled, noted = kind.rolled, list[bool]()

    def noting(self: object, opening: object) -> object:
        found = rolled(self, opening)
        noted.append(found is not None)
        return found

    monkeypatch.setattr(kind, "rolled", noting)
    return noted


@lru_cache(maxsize=8)
def shipped_duel(system_name: str, fight: str) -> Duel:
    """The duel of such a fight; whoever looks into it changes nothing."""
    return Duel(shipped_contest(system_name, fight))
