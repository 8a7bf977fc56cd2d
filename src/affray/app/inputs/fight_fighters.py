"""The fighters of a fight: roster names, how many of a kind, and what the sides are called."""

from __future__ import annotations

import re
import typing
from collections.abc import Hashable, Mapping, Sequence
from typing import cast

from affray.app.inputs.checking import Gathered, fault_at, validated
from affray.app.inputs.fight_sheets import (
    MOST_ALIKE,
    SIDES,
    SideSheet,
    section_of_fighters,
    situation_keys,
)
from affray.app.inputs.intake import Place, Raw, Written, pointer
from affray.app.inputs.rosters import Filling, Roster, roster_for
from affray.app.sources import Table
from affray.core.names import unknown
from affray.core.node import Facts
from affray.core.ruling import Rulings
from affray.core.system import System
from affray.engine.fight.matchup import fight_of

__all__ = ["entries_of", "fighters_of", "filled", "side_names", "side_of_names", "sides_of_names"]

MOST_FIGHTERS = 1_000
"""Fighters of a side, all entries together."""


def entries_of(entries: Roster) -> Mapping[str, Raw]:
    """Everybody in a roster who may fight, by name."""
    return entries.sections.get(section_of_fighters(entries.system), {})


def fighters_of(
    system: System[Facts], own: Sequence[Table] = ()
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of those in the roster who can attack, and of those who can't.

    Args:
        system: whose roster it is.
        own: own entries on top of it.

    Raises:
        SetupError: the system knows no fights.
        InputError: own entries that don't fit.
    """
    entries = roster_for(system, {}, "", own=own)
    fight, rulings = fight_of(system), Rulings()
    sheet = typing.get_type_hints(system.setup)["attacker"]
    armed: dict[bool, list[str]] = {True: [], False: []}
    for name in entries_of(entries):
        filling = Filling(entries, f"roster entry {name}")
        table = cast("Raw", filling.entry("attacker", name, ()))
        fighter = validated(sheet, table, filling.origin, filling=filling)
        deeds = fight.deeds(fighter, fight.enter(fighter, rulings))
        armed[any(deed.on == "foe" for deed in deeds)].append(name)
    return tuple(armed[True]), tuple(armed[False])


# -- from words to a table ---------------------------------------------------------------------

_NUMBER = re.compile(r"([0-9]{1,9})\s*[x*]\s*(.+)")


def sides_of_names(entries: Roster, texts: tuple[str, str]) -> Raw:
    """A fight of roster names: `ada,bo` against `3xhusk,shrieker`.

    Raises:
        UnknownNameError: a name that the roster doesn't have.
    """
    sides: Raw = {}
    wrong = Gathered()
    for key, text in zip(SIDES, texts, strict=True):
        with wrong.kept(pointer((key,)), "names"):
            sides[key] = {"fighters": side_of_names(entries, text)}
    wrong.tell()
    return sides


def side_of_names(entries: Roster, text: str) -> list[object]:
    """The fighters of one side, by roster names; errors as above."""
    known = entries_of(entries)
    fighters: list[object] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        match = _NUMBER.fullmatch(part)
        number, name = (int(match[1]), match[2]) if match else (1, part)
        if name not in known and name.replace("-", "_") not in known:
            raise unknown(f"fighter in the roster of {entries.system.id}", name, known)
        fighters.append({"like": name, "number": number})
    return fighters


# -- from entries to sheets ----------------------------------------------------------------------


def filled(filling: Filling, raw: Raw) -> tuple[Raw, tuple[tuple[int, ...], tuple[int, ...]]]:
    """The table with roster names filled in, and how many there are of each fighter."""
    table, numbers = {key: value for key, value in raw.items() if key != "roster"}, []
    keys = situation_keys(filling.roster.system)
    for key in SIDES:
        many: list[int] = []
        side = raw.get(key)
        if isinstance(side, dict):
            side = dict(side)
            fighters = side.get("fighters")
            if isinstance(fighters, list):
                side["fighters"] = [
                    _fighter(filling, entry, (key, "fighters", place), many)
                    for place, entry in enumerate(fighters)
                ]
            situation, at = side.get("situation", {}), (key, "situation")
            if isinstance(situation, dict):
                mine = filling.defaults(situation, at, keys)
                if situation or mine:
                    side["situation"] = {**mine, **filling.table(situation, at)}
            choose = side.get("choose")
            if isinstance(choose, dict):
                side["choose"] = {
                    step: [options] if isinstance(options, str) else options
                    for step, options in choose.items()
                }
            table[key] = side
        if sum(many) > MOST_FIGHTERS:
            what, allowed = f"{sum(many):,} fighters in all", f"up to {MOST_FIGHTERS:,} on a side"
            written = Written(filling.origin, (key, "fighters"))
            raise fault_at(written, None, allowed, what=what, code="out-of-range")
        numbers.append(tuple(many))
    return table, (numbers[0], numbers[1])


def _fighter(filling: Filling, entry: object, place: Place, many: list[int]) -> object:
    """One entry of a side; how many of it there are goes into `many`."""
    number: object = 1
    if isinstance(entry, dict):
        entry = dict(entry)
        number = entry.pop("number", 1)
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= MOST_ALIKE:
        at = filling.where((*place, "number"))
        refused = fault_at(at, number, f"1 to {MOST_ALIKE}", code="out-of-range")
        filling.refuse(at.place, refused)
        number = 1
    many.append(number)
    return filling.entry("attacker", entry, place)


def side_names(sides: Sequence[SideSheet], numbers: Sequence[Sequence[int]]) -> tuple[str, str]:
    """The names of the sides; never both the same."""
    one, other = (
        side.name or ", ".join(
            f"{n} x {_called(fighter)}" if n > 1 else _called(fighter)
            for fighter, n in zip(side.fighters, many, strict=True)
        )
        for side, many in zip(sides, numbers, strict=True)
    )  # fmt: skip
    return (f"{one} (one)", f"{other} (other)") if one == other else (one, other)


def _called(fighter: Hashable) -> str:
    return str(getattr(fighter, "name", "")) or "nameless"
