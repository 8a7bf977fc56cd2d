"""Tables from files: read, roster names filled in, checked against a system's sheets.

Where a sheet is expected, the name of a roster entry will do; a table with `like = "name"` takes
that entry and overrides it.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from affray.core.errors import StoreError
from affray.core.names import nearest, unknown
from affray.core.node import Facts
from affray.core.step import System

if TYPE_CHECKING:
    from pydantic import TypeAdapter, ValidationError

__all__ = [
    "ROSTER_SCHEMA", "InputError", "Raw", "Roster", "adapter", "check_system",
    "entry_resolved", "examples",
    "list_at", "own_files", "read_table", "resolved", "roster", "roster_for", "settled_at",
    "shipped", "table_at", "texts_at",
    "validated",
]  # fmt: skip

Raw = dict[str, object]
"""A table as TOML or JSON gives it."""


class InputError(StoreError, ValueError):
    """A file that can't be read, is no TOML or JSON, or doesn't fit the schema."""


# -- reading ---------------------------------------------------------------------------------


@cache
def _tables(path: Path) -> Raw:
    with path.open("rb") as file:
        return tomllib.load(file)


@cache
def shipped(system: System[Facts], file: str) -> Mapping[str, Raw]:
    """The tables of a file in a system's folder, by name; none if there is no such file."""
    path = system.folder / file
    found = _tables(path) if path.exists() else {}
    return {name: table for name, table in found.items() if isinstance(table, dict)}


def examples(system: System[Facts]) -> Mapping[str, Raw]:
    """The shipped examples of a system, by name."""
    return shipped(system, "examples.toml")


@cache
def roster(system: System[Facts]) -> Mapping[str, Mapping[str, Raw]]:
    """The ready fighters, weapons and so on of a system: section, then name."""
    return {
        path.stem: {name: table for name, table in _tables(path).items() if isinstance(table, dict)}
        for path in sorted((system.folder / "roster").glob("*.toml"))
    }


def read_table(
    system: System[Facts], source: str, known: Mapping[str, Raw], what: str
) -> tuple[Raw, str]:
    """The table behind an argument and where it came from.

    Args:
        system: whose tables are meant.
        source: a path, a name in `known`, or `-` for standard input.
        known: its shipped tables, by name.
        what: what such a table is called.

    Raises:
        UnknownNameError: neither a file nor a known name.
        InputError: it can't be read, or is neither TOML nor JSON.
    """
    if source == "-":
        return _parsed(sys.stdin.read(), "standard input"), "standard input"
    if source in known:
        return known[source], f"{what} {source}"
    path = Path(source)
    if not (path.suffix or path.exists() or "/" in source):
        raise unknown(f"{what} of {system.id}", source, known)
    return _from_file(path), source


def _parsed(text: str, origin: str) -> Raw:
    try:
        table = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except (json.JSONDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{origin}: neither TOML nor JSON: {error}") from None
    except RecursionError:
        raise InputError(f"{origin}: nested too deeply") from None
    if not isinstance(table, dict):
        raise InputError(f"{origin}: a table is needed, not {type(table).__name__}")
    return table


# -- roster names ----------------------------------------------------------------------------


class Roster:
    """Ready fighters, weapons and so on: those of a system, with a user's own on top.

    Attributes:
        sections: entries by section and name.
        keys: which keys of a setup name an entry, and of which section.
        own: a user's own entries alone.
    """

    def __init__(
        self, system: System[Facts], own: Mapping[str, Mapping[str, Raw]] | None = None
    ) -> None:
        self.system = system
        self.keys = system.roster_keys
        self.own = dict(own or {})
        self.sections: Mapping[str, Mapping[str, Raw]] = {
            name: {**entries, **self.own.get(name, {})} for name, entries in roster(system).items()
        }

    def named(self, section: str, name: str, where: str) -> Raw:
        """An entry.

        Raises:
            InputError: there is none of this name.
        """
        entries = self.sections.get(section, {})
        found = entries.get(name) or entries.get(name.replace("-", "_"))
        if found is None:
            raise InputError(
                f"{where}: the roster of {self.system.id} has no {name!r} among its {section}."
                f"{nearest(name, entries)} "
                f"`affray roster {self.system.id}` lists them"
            )
        return dict(found)

    def defaults(self, given: Raw, keys: Iterable[str] | None = None) -> Raw:
        """Entries that a setup has where it says nothing, as far as they are a user's own.

        Args:
            given: what it says.
            keys: only these keys; None: all.
        """
        return {
            key: self.named(self.keys[key], name, key)
            for key, name in self.system.roster_defaults.items()
            if key not in given and self.keys[key] in self.own and (keys is None or key in keys)
        }


def roster_for(system: System[Facts], raw: Raw, origin: str) -> Roster:
    """The roster for a table: with the entries that stand under `roster`, or in files named there.

    Paths are taken from the folder of the file that names them.

    Raises:
        InputError: a file that can't be read, or with a section that the system doesn't know.
    """
    given = raw.get("roster", [])
    own: dict[str, dict[str, Raw]] = {}
    for source in given if isinstance(given, list) else [given]:
        if isinstance(source, dict):
            table, where = source, f"{origin}: roster"
        elif isinstance(source, str):
            path = Path(origin).parent / source if Path(origin).is_file() else Path(source)
            table, where = _from_file(path), str(path)
        else:
            raise InputError(f"{origin}: roster: {source!r}; needed is a file, or entries")
        for section, entries in _sections(system, table, where).items():
            own.setdefault(section, {}).update(entries)
    return Roster(system, own)


ROSTER_SCHEMA: Raw = {
    "description": "a file with entries of one's own, the entries themselves, or several of these",
    "anyOf": [
        {"type": ["string", "object"]},
        {"type": "array", "items": {"type": ["string", "object"]}},
    ],
}
"""The JSON Schema of the key `roster`, in setups and in fights."""


def own_files(names: Iterable[str]) -> list[str]:
    """Roster files that a user names, wherever the table lies into which they are put."""
    return [str(Path(name).absolute()) for name in names]


def _from_file(path: Path) -> Raw:
    try:
        return _parsed(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"{path}: can't be read: {why}") from None


def _sections(system: System[Facts], table: Raw, where: str) -> Mapping[str, Mapping[str, Raw]]:
    """Roster entries by section and name, checked as far as their shape goes."""
    known = roster(system)
    found: dict[str, Mapping[str, Raw]] = {}
    for section, entries in table.items():
        if section not in known:
            raise InputError(
                f"{where}: {section}: no section of the roster of {system.id}."
                f"{nearest(section, known)} Known: {', '.join(known)}"
            )
        if not isinstance(entries, dict) or not all(isinstance(e, dict) for e in entries.values()):
            raise InputError(f"{where}: {section}: needed is a table for each entry, by its name")
        found[section] = entries
    return found


def resolved(roster: Roster, table: Raw, where: str = "") -> Raw:
    """A table with roster names filled in; `where` stands before keys in messages.

    Raises:
        InputError: a name that the roster doesn't have.
    """
    return {
        key: entry_resolved(roster, key, value, f"{where}{key}") for key, value in table.items()
    }


def entry_resolved(roster: Roster, key: str, value: object, where: str) -> object:
    """A value that stands under a key of a setup, with roster names filled in."""
    section = roster.keys.get(key)
    if isinstance(value, list):
        return [entry_resolved(roster, key, item, where) for item in value]
    if section is not None and isinstance(value, str):
        return resolved(roster, roster.named(section, value, where), f"{where}.")
    if isinstance(value, dict):
        own = dict(value)
        if section is not None and "like" in own:
            like = own.pop("like")
            own = {**roster.named(section, str(like), f"{where}.like"), **own}
        return resolved(roster, own, f"{where}.")
    return value


# -- checking --------------------------------------------------------------------------------


@cache
def adapter(kind: type) -> TypeAdapter[object]:
    """What checks tables against a sheet."""
    from pydantic import TypeAdapter  # heavy; only where a setup is read

    return TypeAdapter(kind)


def validated(kind: type, table: Raw, origin: str) -> object:
    """A sheet from a table.

    Raises:
        InputError: it doesn't fit; one message for everything, with paths and what is allowed.
    """
    from pydantic import ValidationError  # heavy; only where a setup is read

    try:
        # Strictly, as JSON: lists may stand for tuples, but "70" is no number.
        return adapter(kind).validate_json(json.dumps(table, default=str), strict=True)
    except ValidationError as error:
        raise InputError(_told(kind, error, origin)) from None


def _told(sheet: type, error: ValidationError, origin: str) -> str:
    """One message for everything that doesn't fit: where, what was given, what is allowed."""
    lines = []
    for row in error.errors(include_url=False):
        path = ".".join(str(part) for part in row["loc"])
        given = row["input"]
        shown = repr(given) if len(repr(given)) <= 40 else f"{type(given).__name__}"
        context = row.get("ctx", {})
        kind = row["type"]
        if kind in {"unexpected_keyword_argument", "extra_forbidden"}:
            key = str(row["loc"][-1])
            keys = _keys_at(sheet, row["loc"][:-1])
            hint = nearest(key, keys) or f" Known: {', '.join(keys)}"
            lines.append(f"{path}: unknown key.{hint}")
        elif kind == "missing":
            lines.append(f"{path}: missing; it is needed")
        elif kind == "literal_error":
            lines.append(f"{path}: {shown}; allowed: {context['expected']}")
        elif kind == "greater_than_equal":
            lines.append(f"{path}: {shown}; allowed: {context['ge']} or more")
        elif kind == "less_than_equal":
            lines.append(f"{path}: {shown}; allowed: {context['le']} or less")
        elif kind == "value_error":
            lines.append(f"{path or 'setup'}: {context['error']}")
        else:
            lines.append(f"{path}: {shown}: {row['msg'][0].lower()}{row['msg'][1:]}")
    return f"{origin}: " + "\n  ".join(lines)


def _keys_at(kind: object, path: tuple[int | str, ...]) -> list[str]:
    """The keys of the sheet at a path inside a setup sheet."""
    import typing  # only for messages

    here = kind
    for part in path:
        if isinstance(part, int) or not (isinstance(here, type) and is_dataclass(here)):
            continue
        hint = typing.get_type_hints(here).get(part, here)
        inner = [arg for arg in typing.get_args(hint) if is_dataclass(arg)]
        here = hint if is_dataclass(hint) else inner[0] if inner else here
    return [field.name for field in fields(here)] if is_dataclass(here) else []


# -- keys that every file may have --------------------------------------------------------------


def check_system(system: System[Facts], raw: Raw, origin: str) -> None:
    """Refuse a table that says it is for another system."""
    named = raw.get("system", system.id)
    if named != system.id:
        raise InputError(f"{origin}: system: it is for {named!r}, not for {system.id!r}")


def table_at(raw: Raw, key: str, origin: str) -> Raw:
    """The table under a key; an empty one if there is none."""
    value = raw.get(key, {})
    if not isinstance(value, dict):
        raise InputError(f"{origin}: {key}: a table is needed, not {type(value).__name__}")
    return value


def list_at(raw: Raw, key: str, origin: str) -> list[object]:
    """The list under a key; an empty one if there is none."""
    value = raw.get(key, [])
    if not isinstance(value, list):
        raise InputError(f"{origin}: {key}: a list is needed, not {type(value).__name__}")
    return value


def texts_at(raw: Raw, key: str, origin: str) -> dict[str, str]:
    """The table of names under a key."""
    table = table_at(raw, key, origin)
    for name, value in table.items():
        if not isinstance(value, str):
            raise InputError(f"{origin}: {key}.{name}: {value!r}; needed is a name")
    return {name: str(value) for name, value in table.items()}


def settled_at(raw: Raw, origin: str) -> dict[str, tuple[str, ...]]:
    """Choices settled under the key `choose`: options by step, most wanted first."""
    settled = {}
    for step, value in table_at(raw, "choose", origin).items():
        names = value if isinstance(value, list) else [value]
        if not names or not all(isinstance(name, str) for name in names):
            raise InputError(f"{origin}: choose.{step}: {value!r}; needed is an option or a list")
        settled[step] = tuple(str(name) for name in names)
    return settled
