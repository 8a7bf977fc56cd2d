"""Tables of setups and systems: read, checked against sheets, common keys taken out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from affray.app.inputs.building import UnfitError, built
from affray.app.inputs.intake import InputError, Place, Raw, Written, place_told, table_of
from affray.core.names import nearest
from affray.core.node import Facts
from affray.core.system import System
from affray.core.telling import shown

if TYPE_CHECKING:
    from pydantic import TypeAdapter, ValidationError
    from pydantic_core import ErrorDetails

__all__ = [
    "MOST_TOLD", "adapter", "check_system", "examples", "fault_alone", "fight_examples", "list_at",
    "roster", "settled_at", "shipped", "table_at", "text_at", "texts_at", "validated",
]  # fmt: skip


# -- reading ---------------------------------------------------------------------------------


_HEADER = re.compile(r"^\[\[?([A-Za-z0-9_-]+)(?:\.[^\]\n]+)?\]\]?[ \t]*(?:#.*)?$", re.MULTILINE)


class Tables(Mapping[str, Raw]):
    """The tables of a file that ships with a system, by name; each is read when it is looked at.

    Args:
        path: a TOML file that consists of named tables.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._parts: dict[str, list[str]] = {}
        text = path.read_text(encoding="utf-8")
        headers = list(_HEADER.finditer(text))
        before = text[: headers[0].start()] if headers else text
        self._read: dict[str, Raw] = {}
        if any(line.strip() and not line.startswith("#") for line in before.splitlines()):
            headers = []  # it consists of more than named tables, so it is read at once
            whole = table_of(text, path.name)
            self._read = {name: held for name, held in whole.items() if isinstance(held, dict)}
            self._parts = {name: [] for name in self._read}
        ends = [*(header.start() for header in headers[1:]), len(text)]
        for header, end in zip(headers, ends, strict=False):
            self._parts.setdefault(header[1], []).append(text[header.start() : end])

    def __getitem__(self, name: str) -> Raw:
        if name not in self._read:
            text = "".join(self._parts[name])
            table = table_of(text, self.path.name)[name]
            if not isinstance(table, dict):
                raise InputError(f"{self.path.name}: {name}: must be tables, each once")
            self._read[name] = table
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def __contains__(self, name: object) -> bool:
        return name in self._parts


_tables = cache(Tables)


def shipped(system: System[Facts], file: str) -> Mapping[str, Raw]:
    """The tables of a file in a system's folder, by name; none if there is no such file."""
    path = system.folder / file
    return _tables(path) if path.exists() else {}


def examples(system: System[Facts]) -> Mapping[str, Raw]:
    """The shipped examples of a system, by name."""
    return shipped(system, "examples.toml")


def fight_examples(system: System[Facts]) -> Mapping[str, Raw]:
    """The shipped fights of a system, by name."""
    return shipped(system, "fights.toml")


@cache
def roster(system: System[Facts]) -> Mapping[str, Mapping[str, Raw]]:
    """The ready fighters, weapons and so on of a system: section, then name."""
    return {path.stem: _tables(path) for path in sorted((system.folder / "roster").glob("*.toml"))}


# -- checking --------------------------------------------------------------------------------


@cache
def adapter(kind: type) -> TypeAdapter[object]:
    """The validator that checks tables against a sheet."""
    from pydantic import TypeAdapter  # heavy; only where a setup is read

    return TypeAdapter(kind)


def validated(
    kind: type,
    table: Raw,
    origin: str,
    *,
    where: Callable[[Place], Written] | None = None,
    advice: str = "",
) -> object:
    """A sheet from a table.

    Args:
        kind: the sheet.
        table: with roster names filled in.
        origin: where it came from, for messages.
        where: says for each place of the table where it was written; None: all came from `origin`.
        advice: the key of what helps where a key is unknown; see `AffrayError.advice`.

    Raises:
        InputError: it doesn't fit; one message for everything, with paths and what is allowed.
    """
    with suppress(UnfitError):
        return built(kind, table)
    from pydantic import ValidationError  # heavy; only to say what is wrong

    try:
        # Strictly, as JSON: lists may stand for tuples, but "70" is no number.
        return adapter(kind).validate_json(json.dumps(table), strict=True)
    except ValidationError as error:
        here = where or (lambda place: Written(origin, place))
        told = _told(kind, error, here)
        raise InputError(told, advice=advice if "unknown key" in told else "") from None


def fault_alone(error: Exception, kind: type) -> str:
    """The fault of a sheet, without the place where it stands.

    >>> fault_alone(InputError("x.toml: setup: int 'Bo': low 12; allowed: 1 to 10"), int)
    'low 12; allowed: 1 to 10'
    """
    return re.split(rf"(?:^|: ){kind.__name__}(?: '[^']*')?: ", str(error))[-1].removeprefix(": ")


MOST_TOLD = 6
"""Faults, keys and entries that one message names."""


def _told(sheet: type, error: ValidationError, where: Callable[[Place], Written]) -> str:
    """One message for everything that doesn't fit: where, what was given, what is allowed."""
    faults = _as_one(error.errors(include_url=False))
    rows = []
    listed: set[tuple[int | str, ...]] = set()  # tables whose keys are told already
    for fault in faults[:MOST_TOLD]:
        origin, text = _fault(sheet, fault, where)
        short, keys, _ = text.partition(": unknown key. Known: ")
        table = fault["loc"][:-1]
        rows.append((origin, f"{short}: unknown key" if keys and table in listed else text))
        if keys:
            listed.add(table)
    lines = []
    for origin, group in groupby(rows, lambda row: row[0]):
        lines.append(f"{origin}: " + "\n  ".join(text for _, text in group))
    if len(faults) > MOST_TOLD:
        lines.append(f"  and {len(faults) - MOST_TOLD:,} more faults")
    return "\n".join(lines)


def _as_one(faults: list[ErrorDetails]) -> list[ErrorDetails]:
    """The faults, those of one value that fits none of several lists of words as one."""
    found: dict[tuple[int | str, ...], ErrorDetails] = {}
    for number, fault in enumerate(faults):
        *place, last = fault["loc"] or ("",)
        if fault["type"] != "literal_error" or not str(last).startswith("literal["):
            found[*fault["loc"], f"fault {number}"] = fault
            continue
        known = found.get(tuple(place))
        words = [] if known is None else _QUOTED.findall(known["ctx"]["expected"])
        words += _QUOTED.findall(fault["ctx"]["expected"])
        expected = " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
        found[tuple(place)] = fault | {"loc": tuple(place), "ctx": {"expected": expected}}
    return list(found.values())


_QUOTED = re.compile(r"'[^']*'")


def _fault(sheet: type, fault: ErrorDetails, where: Callable[[Place], Written]) -> tuple[str, str]:
    """The file of a fault, and the fault."""
    loc, given, kind = fault["loc"], shown(fault["input"]), fault["type"]
    context = fault.get("ctx", {})
    origin, place = where(loc)
    path = place_told(place)
    if kind in {"unexpected_keyword_argument", "extra_forbidden"}:
        return (
            origin,
            f"{path}: unknown key.{_near(str(loc[-1]), _keys_at(sheet, loc[:-1]))}",
        )
    if kind == "value_error":
        return origin, f"{path or 'setup'}: {context['error']}"
    if kind == "missing":
        return origin, f"{path}: missing; it is required"
    if kind in _LIMITS:
        name, words = _LIMITS[kind]
        return origin, f"{path}: {given}; allowed: {_cut(str(context[name]))}{words}"
    if kind in _KINDS:
        return origin, f"{path}: {given}; allowed: {_KINDS[kind]}"
    return origin, f"{path}: {given}: {fault['msg'][0].lower()}{fault['msg'][1:]}"


_LIMITS = {
    "literal_error": ("expected", ""),
    "greater_than_equal": ("ge", " or more"),
    "less_than_equal": ("le", " or less"),
    "greater_than": ("gt", " or less is too little"),
    "less_than": ("lt", " or more is too much"),
}
_KINDS = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "string_type": "a text",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "a table",
    "dataclass_type": "a table",
}


def _cut(words: str) -> str:
    """A list of words that may be long."""
    return words if len(words) <= MOST_WORDS else f"{words[:MOST_WORDS]} ..."


MOST_WORDS = 400


def _near(key: str, keys: list[str]) -> str:
    """The known key that was most likely meant; or all in order, where they fit; or some."""
    if key in ("from", "base", "extends", "inherits", "template"):
        return " Did you mean 'like'? It names the roster entry that this one starts from"
    hint = nearest(key, keys)
    if hint:
        return hint
    listed, rest = "", sorted(keys)
    while rest and len(listed) + len(rest[0]) <= MOST_WORDS:
        listed += f", {rest.pop(0)}" if listed else rest.pop(0)
    more = f" and {len(rest)} more" if rest else ""
    return f" Known: {listed}{more}"


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
    program = _program_behind(raw)
    if program:
        raise InputError(
            f"{origin}: this file comes from {program}. affray can't read it; write a file of your "
            "own with the numbers in it",
            advice="list-keys",
        )
    if not isinstance(named, str):
        raise InputError(f"{origin}: system: {shown(named)}; allowed: {system.id!r}")
    if named != system.id:
        raise InputError(f"{origin}: system: this file is for {shown(named)}, not {system.id!r}")


def _program_behind(raw: Raw) -> str:
    """The program that wrote a table of no setup of ours, told by keys that only it writes."""
    stats = raw.get("_stats")
    if isinstance(raw.get("system"), dict) or "prototypeToken" in raw or isinstance(stats, dict):
        return "Foundry Virtual Tabletop"
    if "attribs" in raw or "schema_version" in raw:
        return "Roll20"
    return ""


def table_at(raw: Raw, key: str, origin: str) -> Raw:
    """The table under a key; an empty one if there is none."""
    value = raw.get(key, {})
    if not isinstance(value, dict):
        raise InputError(f"{origin}: {key}: must be a table, not {type(value).__name__}")
    return value


def list_at(raw: Raw, key: str, origin: str) -> list[object]:
    """The list under a key; an empty one if there is none."""
    value = raw.get(key, [])
    if not isinstance(value, list):
        raise InputError(f"{origin}: {key}: must be a list, not {type(value).__name__}")
    return value


def text_at(raw: Raw, key: str, origin: str) -> str:
    """The text under a key; an empty one if there is none."""
    value = raw.get(key, "")
    if not isinstance(value, str):
        raise InputError(f"{origin}: {key}: {shown(value)}; must be a text")
    return value


def texts_at(raw: Raw, key: str, origin: str) -> dict[str, str]:
    """The table of names under a key."""
    table = table_at(raw, key, origin)
    for name, value in table.items():
        if not isinstance(value, str):
            raise InputError(f"{origin}: {place_told((key, name))}: {shown(value)}; must be a name")
    return {name: str(value) for name, value in table.items()}


def settled_at(raw: Raw, origin: str) -> dict[str, tuple[str, ...]]:
    """Choices settled under the key `choose`: options by step, most wanted first."""
    settled = {}
    for step, value in table_at(raw, "choose", origin).items():
        names = value if isinstance(value, list) else [value]
        if not names or not all(isinstance(name, str) for name in names):
            where = f"{origin}: {place_told(('choose', step))}"
            raise InputError(f"{where}: {shown(value)}; must be an option, or a list of options")
        settled[step] = tuple(str(name) for name in names)
    return settled
