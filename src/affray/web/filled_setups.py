"""Setups with the entries of the roster in place of their names."""

from __future__ import annotations

from functools import lru_cache
from json import dumps, loads

from affray.app.inputs.intake import Raw
from affray.app.inputs.rosters import Filling, roster_for
from affray.app.inputs.setups import load_raw
from affray.app.registry import system_named
from affray.core.errors import AffrayError

__all__ = ["OPENED", "filled"]

OPENED = ("choose", "rulings")
"""Keys of a setup that hold decisions and readings, by name."""


def filled(system: str, table: Raw) -> Raw:
    """A setup with the entries of the roster in place of their names, as far as it has them."""
    return loads(_filled(system, dumps(table)))  # type: ignore[no-any-return]  # a table


@lru_cache(maxsize=512)
def _filled(system: str, written: str) -> str:
    table = loads(written)
    try:
        found = load_raw(system_named(system), table, "setup").raw
    except AffrayError:
        found = _names_filled(system, table)
    return dumps({**table, **{key: found[key] for key in found if key not in {*OPENED}}})


def _names_filled(system: str, table: Raw) -> Raw:
    """The same where something else of it is wrong: each name that the roster knows."""
    named = system_named(system)
    found = dict(table)
    for key, value in table.items():
        if key in named.roster_keys and isinstance(value, (str, dict)):
            try:
                found[key] = Filling(roster_for(named, {}, ""), "setup").entry(key, value, (key,))
            except AffrayError:
                continue
    return found
