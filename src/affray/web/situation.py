"""What each value of the situation would make of the numbers that are rolled against."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from json import dumps, loads

from affray.app.modifiers_made import Made, modifiers_made
from affray.web.fields import fields_in, value_typed
from affray.web.filled_setups import filled
from affray.web.setups import Setup

__all__ = ["Modifiers", "modifiers_of"]

Modifiers = Mapping[tuple[str, str], str]
"""Modifiers in words, by path and text of a value."""
MOST_VARIANTS = 60
LISTED = frozenset({"choice", "switch"})


def modifiers_of(setup: Setup) -> Modifiers:
    """The modifiers that each value of the situation makes, in this setup without its changes."""
    return _modifiers(setup.wanted.system, dumps(setup.begun))


@lru_cache(maxsize=200)
def _modifiers(system: str, written: str) -> Modifiers:
    table = loads(written)
    listed = [
        (field, choice.value)
        for field in fields_in(system, filled(system, table)).values()
        if not field.depth and field.kind in LISTED
        for choice in field.choices
        if choice.value != field.text
    ][:MOST_VARIANTS]
    made = modifiers_made(
        system, table, [(field.path, value_typed(field, text)) for field, text in listed]
    )
    told: dict[tuple[str, str], str] = {}
    for field, text in listed:
        rows = made.get((field.path, str(value_typed(field, text))))
        if rows:
            told[field.path, text] = _told(rows)
    return told


def _told(rows: tuple[Made, ...]) -> str:
    return ", ".join(f"{row.value:+d} {row.number}".replace("-", "−") for row in rows)
