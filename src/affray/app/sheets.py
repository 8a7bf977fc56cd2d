"""Sheets as the game prints them: of the roster, or of a user's own."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from affray.app.inputs.checking import validated
from affray.app.inputs.described import Meaning, kind_within, sheets_within, with_computed
from affray.app.inputs.intake import InputError
from affray.app.inputs.rosters import Filling, Roster, roster_for
from affray.app.inputs.typed import as_typed
from affray.app.registry import system_named
from affray.app.sources import Table
from affray.app.views.sheets import Sheet, SheetGroup, SheetPart, SheetRow, SheetView
from affray.core.names import unknown
from affray.core.node import Facts
from affray.core.sheet import as_table, by_hint, informs
from affray.core.system import System

__all__ = ["filled_sheet", "kinds_of", "sheet_told", "show_sheets"]

SAYS_NOTHING = frozenset({None, "", 0, "none", ()})
"""Values of which a sheet says nothing, where they are the usual ones."""


def show_sheets(system_name: str, wanted: str = "", *, own: Sequence[Table] = ()) -> SheetView:
    """Sheets of a roster: one, or all of a user's own.

    Args:
        system_name: id of a system.
        wanted: name of a roster entry; "": every own one.
        own: own entries on top of the roster.

    Raises:
        UnknownNameError: an unknown system or entry.
        InputError: an entry that doesn't fit its sheet.
    """
    system = system_named(system_name)
    roster = roster_for(system, {}, "", own=own)
    kinds = kinds_of(system)
    sections = roster.sections if wanted else roster.own
    names = {wanted, wanted.replace("-", "_"), wanted.casefold().replace(" ", "_")}
    found = [
        (section, name)
        for section, entries in sections.items()
        for name in entries
        if section in kinds and (not wanted or name in names)
    ]
    if not found and not wanted:
        raise InputError("no fighters or other entries stand there", advice="list-roster")
    if not found:
        known = [name for part in kinds for name in roster.sections.get(part, {})]
        raise unknown(f"sheet in the roster of {system.id}", wanted, known)
    sheets = (
        sheet_told(filled_sheet(roster, section, name), section, name) for section, name in found
    )
    return SheetView(system.id, tuple(sheets))


# -- which sheets there are ----------------------------------------------------------------------


def kinds_of(system: System[Facts]) -> Mapping[str, type]:
    """The sheet of each section of a system's roster, fighters first."""
    found: dict[str, type] = {}
    for sheet in sheets_within(system.setup).values():
        for name, hint in by_hint(sheet, lambda hint: hint).items():
            section, kind = system.roster_keys.get(name), kind_within(hint)
            if section and kind is not None:
                found.setdefault(section, kind)
    return {section: found[section] for section in system.roster_keys.values() if section in found}


def filled_sheet(roster: Roster, section: str, name: str) -> object:
    """The sheet of a roster entry, with names filled in.

    Raises:
        InputError: it doesn't fit its sheet.
    """
    key = next(key for key, held in roster.keys.items() if held == section)
    filling = Filling(roster, f"roster entry {name}")
    table = typing.cast("dict[str, object]", filling.entry(key, name, ()))
    kind = kinds_of(roster.system)[section]
    return validated(kind, table, filling.origin, filling=filling, advice="list-keys")


# -- what they say -------------------------------------------------------------------------------


def sheet_told(sheet: object, section: str, key: str) -> Sheet:
    """A sheet with its groups, and in them all values that say something."""
    rows = groupby(_rows(sheet), lambda row: row[0])
    groups = tuple(SheetGroup(title, tuple(row for _, row in some)) for title, some in rows)
    return Sheet(section, key, str(getattr(sheet, "name", "")) or key, groups)


def _rows(sheet: object) -> Iterator[tuple[str, SheetRow]]:
    """The values of a sheet that say something, each with its group."""
    kind: type = type(sheet)
    fields = {field.name: field for field in dataclasses.fields(typing.cast("Any", sheet))}
    meanings = with_computed(kind)
    values = {name: getattr(sheet, name) for name in meanings}
    replaced = {
        name
        for one in meanings.values()
        if values[one.name] not in SAYS_NOTHING
        for name in one.instead
    }
    for name, one in meanings.items():
        value, field = values[name], fields.get(name)
        usual = () if field is None else _usual(field)
        idle = _says_nothing(value) and (field is None or value == usual)
        if name in {"name", *replaced} or idle:
            continue
        yield one.group, _row(one, value, computed=field is None)


def _usual(field: dataclasses.Field[Any]) -> object:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


def _says_nothing(value: object) -> bool:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return not as_table(value)
    return value in SAYS_NOTHING


def _row(one: Meaning, value: object, *, computed: bool) -> SheetRow:
    held = value if isinstance(value, tuple) else (value,)
    sheets = [part for part in held if dataclasses.is_dataclass(part)]
    if not sheets:
        told = one.with_unit(value, as_typed(value))
        return SheetRow(one.name, one.title, told, value, one.told, computed)
    parts = tuple(map(_part, sheets))
    told = ", ".join(part.name or part.told for part in parts)
    tables = [as_table(part) for part in sheets]
    whole = tables if isinstance(value, tuple) else tables[0]
    return SheetRow(one.name, one.title, told, whole, one.told, computed, parts)


def _part(sheet: object) -> SheetPart:
    """A sheet within another one: of it only what rules read and isn't usual."""
    kind: type = type(sheet)
    usual = {field.name: _usual(field) for field in dataclasses.fields(typing.cast("Any", sheet))}
    rows = tuple(
        row
        for _, row in _rows(sheet)
        if row.key not in usual
        or (getattr(sheet, row.key) != usual[row.key] and not informs(kind, row.key))
    )
    told = "; ".join(f"{row.title} {row.told}" for row in rows)
    return SheetPart(str(getattr(sheet, "name", "")), told, rows)
