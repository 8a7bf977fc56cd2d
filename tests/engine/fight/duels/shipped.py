"""Duels of shipped fights that several tests look into: each is found out once."""

from __future__ import annotations

from functools import lru_cache

from affray.app.inputs.fight_setups import load_fight
from affray.engine.fight.duels.duel import Duel

__all__ = ["shipped_duel"]


@lru_cache(maxsize=8)
def shipped_duel(system_name: str, fight: str) -> Duel:
    """The duel of a fight as it is written; whoever looks into it changes nothing."""
    return Duel(load_fight(system_name, fight).contest)
