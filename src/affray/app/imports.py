"""Fighters from files of other programs: the adapter that fits, names of the roster first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, cast

from affray.app.first_attacks import first_attacks, foe_named
from affray.app.inputs.checking import fault_alone, validated
from affray.app.inputs.described import meanings
from affray.app.inputs.fight_sheets import section_of_fighters
from affray.app.inputs.intake import InputError, Raw
from affray.app.inputs.rosters import resolved, roster_for
from affray.app.inputs.tables import roster
from affray.app.making import key_of, usual_of
from affray.app.registry import system_ids, system_named
from affray.app.sheets import filled_sheet, kinds_of, sheet_told
from affray.app.sources import Table
from affray.app.views.sheets import ImportView
from affray.core.adapter import Adapter, Carried
from affray.core.errors import SetupError
from affray.core.names import unknown
from affray.core.node import Facts
from affray.core.system import System

__all__ = ["import_fighter", "programs"]

FOLDER = "imports"
"""The folder of a system in which its adapters lie."""


def import_fighter(program: str, table: Table, against: str = "") -> ImportView:
    """A fighter from a file of another program, as entries of a roster.

    Args:
        program: whose file it is, such as "foundry".
        table: what stands in it.
        against: roster name of the one against whom the fighter is priced.

    Raises:
        UnknownNameError: nothing is known of this program, or of the foe.
        InputError: no adapter knows this format, or nobody can be made of it.
    """
    known = programs()
    if program not in known:
        raise unknown("program to import from", program, known)
    for system, adapter in known[program]:
        if adapter.fits(table.raw):
            return _imported(system, adapter, table, foe_named(system, against))
    titles = ", ".join(sorted({adapter.title for _, adapter in known[program]}))
    raise InputError(f"{table.origin}: no fighter in a format that is known. Known: {titles}")


def programs() -> dict[str, list[tuple[System[Facts], Adapter]]]:
    """The adapters of all systems, by the programs whose files they read."""
    found: dict[str, list[tuple[System[Facts], Adapter]]] = {}
    for name in system_ids():
        system = system_named(name)
        package = system.setup.__module__.rpartition(".")[0]
        for path in sorted((system.folder / FOLDER).glob("*_*.py")):
            adapter = getattr(import_module(f"{package}.{FOLDER}.{path.stem}"), "ADAPTER", None)
            if isinstance(adapter, Adapter):
                found.setdefault(path.stem.partition("_")[0], []).append((system, adapter))
    return found


def _imported(system: System[Facts], adapter: Adapter, table: Table, foe: str) -> ImportView:
    brought = adapter.read(table.raw)
    left_out = list(brought.left_out)
    entries: dict[str, Raw] = {}
    values: Raw = dict(brought.values)
    for carried in brought.carried:
        section = system.roster_keys[carried.key]
        name, notes = _named(system, section, carried, entries)
        left_out += notes
        if name:
            values[carried.key] = [*cast("list[str]", values.get(carried.key, [])), name]
    section = section_of_fighters(system)
    key = key_of(str(values.get("name", ""))) or "nameless"
    entries[section] = {key: _fitting(system, section, values, entries, left_out)}
    own = roster_for(system, {}, table.origin, own=[Table(entries, table.origin)])
    sheet = sheet_told(filled_sheet(own, section, key), section, key)
    entry = cast("Raw", entries[section][key])
    return ImportView(
        system.id, section, key, entry, sheet, foe, first_attacks(own, key, foe),
        format=adapter.title, entries={**entries},
        left_out=tuple(left_out),
    )  # fmt: skip


# -- what is carried -----------------------------------------------------------------------------


def _named(
    system: System[Facts], section: str, carried: Carried, entries: dict[str, Raw]
) -> tuple[str, list[str]]:
    """The roster name of something carried, one of the roster's first; with notes on it.

    What the roster doesn't have goes into the entries, if it fits its sheet.
    """
    known = {_words_of(name): name for name in roster(system).get(section, {})}
    for name in carried.names:
        found = known.get(_words_of(name))
        if found is not None:
            return found, list(_differences(system, section, found, carried))
    name = carried.names[0]
    key = key_of(name) or section
    kind = kinds_of(system)[section]
    usual = usual_of(kind)
    table = {k: v for k, v in carried.table.items() if v is not None and v != usual.get(k)}
    try:
        validated(kind, table, name)
    except (InputError, SetupError) as error:
        return "", [f"{name}: {fault_alone(error, kind).removeprefix(f'{name}: ')}"]
    entries.setdefault(section, {})[key] = table
    return key, []


def _words_of(name: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z0-9]+", name.casefold()))


def _differences(system: System[Facts], section: str, name: str, carried: Carried) -> Iterator[str]:
    """Whether the file has other numbers than the roster, whose are taken."""
    kind = kinds_of(system)[section]
    entry = resolved(roster_for(system, {}, ""), roster(system)[section][name])
    table, titles = {**usual_of(kind), **entry}, meanings(kind)
    other = [
        titles[key].title.lower()
        for key, value in carried.table.items()
        if key != "name" and value and key in titles and not _same(value, table.get(key))
    ]
    if other:
        yield (
            f"{carried.names[0]}: the roster's {name.replace('_', ' ')} is taken; the file "
            f"differs in {', '.join(other)}"
        )


def _same(one: object, other: object) -> bool:
    if isinstance(one, list):
        return set(one) == set(cast("Any", other) or ())
    return one == other


# -- the fighter ---------------------------------------------------------------------------------


def _fitting(
    system: System[Facts], section: str, values: Raw, entries: Mapping[str, Raw],
    left_out: list[str],
) -> Raw:  # fmt: skip
    """The entry of a fighter without values that don't fit the sheet; each is told."""
    kind = kinds_of(system)[section]
    own = roster_for(system, {}, "", own=[Table(dict(entries))])
    titles = meanings(kind)
    entry: Raw = {"name": values.get("name", "nameless")}
    usual = usual_of(kind)
    for key in titles:
        if key not in values or key == "name" or usual.get(key) == values[key]:
            continue
        more = {**entry, key: values[key]}
        try:
            validated(kind, resolved(own, more), "")
        except (InputError, SetupError) as error:
            left_out.append(f"{titles[key].title}: {fault_alone(error, kind)}")
        else:
            entry = more
    return entry
