"""Setups: from a file, standard input or a shipped example to a game that can be played.

A setup is a table. These keys mean the same in every system; all others belong to its sheet
(`affray schema SYSTEM` prints it):

| key | meaning |
|---|---|
| `system` | which system it is for; a check only |
| `title`, `vectors`, `notes` | for people |
| `choose` | choices settled beforehand: step name = option, or a list, most wanted first |
| `rulings` | readings of open questions: name = reading |
| `play` | `dice` and `choose`: a script for `affray play` |
| `expect`, `odds` | outcome fields and what they must come to; tests read them |

Where a sheet is expected, the name of a roster entry will do; a table with `like = "name"` takes
that entry and overrides it.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from affray.app.registry import system_named
from affray.core.dice import Face
from affray.core.errors import StoreError
from affray.core.names import nearest, unknown
from affray.core.node import Facts
from affray.core.ruling import Rulings
from affray.core.step import System
from affray.engine.game import Game

if TYPE_CHECKING:
    from pydantic import TypeAdapter, ValidationError

__all__ = [
    "InputError", "Loaded", "Raw", "examples", "load", "load_raw", "read_source", "roster",
    "schema",
]  # fmt: skip

Raw = dict[str, object]
"""A table as TOML or JSON gives it."""

RESERVED = (
    "system", "title", "vectors", "notes", "choose", "rulings", "play", "expect", "odds", "source",
)  # fmt: skip


class InputError(StoreError, ValueError):
    """A file that can't be read, is no TOML or JSON, or doesn't fit the schema."""


class Loaded(NamedTuple):
    """A setup, ready: the game, and what the file says besides.

    Attributes:
        origin: where it came from, for messages.
        raw: the whole table, roster names resolved; enough to load it again.
        dice, options: the script for playing it.
        expect: outcome fields and what they must come to.
    """

    game: Game
    title: str
    origin: str
    raw: Raw
    dice: tuple[Face, ...]
    options: tuple[str, ...]
    expect: Mapping[str, object]


# -- reading ---------------------------------------------------------------------------------


@cache
def _tables(path: Path) -> Raw:
    with path.open("rb") as file:
        return tomllib.load(file)


@cache
def examples(system: System[Facts]) -> Mapping[str, Raw]:
    """The shipped examples of a system, by name."""
    path = system.folder / "examples.toml"
    found = _tables(path) if path.exists() else {}
    return {name: table for name, table in found.items() if isinstance(table, dict)}


@cache
def roster(system: System[Facts]) -> Mapping[str, Mapping[str, Raw]]:
    """The ready fighters, weapons and so on of a system: section, then name."""
    return {
        path.stem: {name: table for name, table in _tables(path).items() if isinstance(table, dict)}
        for path in sorted((system.folder / "roster").glob("*.toml"))
    }


def read_source(system: System[Facts], source: str) -> tuple[Raw, str]:
    """The table behind a SETUP argument and where it came from.

    Args:
        system: whose examples are meant.
        source: a path, the name of a shipped example, or `-` for standard input.

    Raises:
        UnknownNameError: neither a file nor an example.
        InputError: it can't be read, or is neither TOML nor JSON.
    """
    if source == "-":
        return _parsed(sys.stdin.read(), "standard input"), "standard input"
    known = examples(system)
    if source in known:
        return known[source], f"example {source}"
    path = Path(source)
    if not (path.suffix or path.exists() or "/" in source):
        raise unknown(f"example of {system.id}", source, known)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"{source}: can't be read: {why}") from None
    return _parsed(text, source), source


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


def _resolved(system: System[Facts], table: Raw, where: str) -> Raw:
    return {key: _entry(system, key, value, f"{where}{key}") for key, value in table.items()}


def _entry(system: System[Facts], key: str, value: object, where: str) -> object:
    section = system.roster_keys.get(key)
    if isinstance(value, list):
        return [_entry(system, key, item, where) for item in value]
    if section is not None and isinstance(value, str):
        return _resolved(system, _named(system, section, value, where), f"{where}.")
    if isinstance(value, dict):
        own = dict(value)
        if section is not None and "like" in own:
            like = own.pop("like")
            own = {**_named(system, section, str(like), f"{where}.like"), **own}
        return _resolved(system, own, f"{where}.")
    return value


def _named(system: System[Facts], section: str, name: str, where: str) -> Raw:
    entries = roster(system).get(section, {})
    found = entries.get(name) or entries.get(name.replace("-", "_"))
    if found is None:
        raise InputError(
            f"{where}: the roster of {system.id} has no {name!r} among its {section}."
            f"{nearest(name, entries)} "
            f"`affray roster {system.id}` lists them"
        )
    return dict(found)


# -- checking --------------------------------------------------------------------------------


@cache
def _adapter(kind: type) -> TypeAdapter[object]:
    from pydantic import TypeAdapter  # heavy; only where a setup is read

    return TypeAdapter(kind)


def schema(system: System[Facts]) -> Raw:
    """The JSON Schema of a system's setup, the keys common to all systems included."""
    made = dict(_adapter(system.setup).json_schema())
    properties = dict(made["properties"])
    texts = {"type": "object", "additionalProperties": {"type": "string"}}
    options = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
    properties |= {
        "system": {"const": system.id},
        "title": {"type": "string"},
        "notes": {"type": "string"},
        "choose": {"type": "object", "additionalProperties": options},
        "rulings": texts,
        "play": {
            "type": "object",
            "properties": {
                "dice": {"type": "array", "items": {"type": ["integer", "string"]}},
                "choose": {"type": "array", "items": {"type": "string"}},
            },
            "additionalProperties": False,
        },
    }
    return {**made, "properties": properties, "title": f"{system.title} setup"}


def _validated(system: System[Facts], table: Raw, origin: str) -> object:
    from pydantic import ValidationError  # heavy; only where a setup is read

    try:
        # Strictly, as JSON: lists may stand for tuples, but "70" is no number.
        return _adapter(system.setup).validate_json(json.dumps(table, default=str), strict=True)
    except ValidationError as error:
        raise InputError(_told(system, error, origin)) from None


def _told(system: System[Facts], error: ValidationError, origin: str) -> str:
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
            keys = _keys_at(system.setup, row["loc"][:-1])
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


# -- loading ---------------------------------------------------------------------------------


def load(
    system_name: str,
    source: str,
    *,
    choose: Mapping[str, tuple[str, ...]] | None = None,
    rulings: Mapping[str, str] | None = None,
) -> Loaded:
    """A setup, ready to be played, priced or solved.

    Args:
        system_name: id of a system.
        source: a path, the name of a shipped example, or `-` for standard input.
        choose: more choices settled beforehand; they win over the file's.
        rulings: more rulings; they win over the file's.

    Raises:
        UnknownNameError: an unknown system or example.
        InputError: a file that can't be read or doesn't fit.
        SetupError: a declaration that the rules refuse.
    """
    system = system_named(system_name)
    raw, origin = read_source(system, source)
    return load_raw(system, raw, origin, choose=choose, rulings=rulings)


def load_raw(
    system: System[Facts],
    raw: Raw,
    origin: str,
    *,
    choose: Mapping[str, tuple[str, ...]] | None = None,
    rulings: Mapping[str, str] | None = None,
) -> Loaded:
    """A setup from a table; arguments and errors as for `load`."""
    named = raw.get("system", system.id)
    if named != system.id:
        raise InputError(f"{origin}: system: it is for {named!r}, not for {system.id!r}")
    own = {key: value for key, value in raw.items() if key not in RESERVED}
    resolved = _resolved(system, own, "")
    setup = _validated(system, resolved, origin)
    picks = {**_texts(raw, "rulings", origin), **(rulings or {})}
    settled = {**_settled(raw, origin), **(choose or {})}
    play = _table(raw, "play", origin)
    stray = set(play) - {"dice", "choose"}
    if stray:
        raise InputError(f"{origin}: play: unknown key {sorted(stray)[0]!r}; known: dice, choose")
    start = system.declared(setup, Rulings.pick(system.rulings, picks))
    game = Game(system, start).settle(settled)
    kept = {key: raw[key] for key in RESERVED if key in raw}
    return Loaded(
        game=game,
        title=str(raw.get("title", "")),
        origin=origin,
        raw={**kept, **resolved, "choose": _plain(settled), "rulings": dict(picks)},
        dice=tuple(_list(play, "dice", origin)),  # type: ignore[arg-type]  # dice refuse others
        options=tuple(str(option) for option in _list(play, "choose", origin)),
        expect=_table(raw, "expect", origin),
    )


def _plain(settled: Mapping[str, tuple[str, ...]]) -> dict[str, object]:
    return {step: list(names) for step, names in settled.items()}


def _table(raw: Raw, key: str, origin: str) -> Raw:
    value = raw.get(key, {})
    if not isinstance(value, dict):
        raise InputError(f"{origin}: {key}: a table is needed, not {type(value).__name__}")
    return value


def _list(raw: Raw, key: str, origin: str) -> list[object]:
    value = raw.get(key, [])
    if not isinstance(value, list):
        raise InputError(f"{origin}: {key}: a list is needed, not {type(value).__name__}")
    return value


def _texts(raw: Raw, key: str, origin: str) -> dict[str, str]:
    table = _table(raw, key, origin)
    for name, value in table.items():
        if not isinstance(value, str):
            raise InputError(f"{origin}: {key}.{name}: {value!r}; needed is a name")
    return {name: str(value) for name, value in table.items()}


def _settled(raw: Raw, origin: str) -> dict[str, tuple[str, ...]]:
    settled = {}
    for step, value in _table(raw, "choose", origin).items():
        names = value if isinstance(value, list) else [value]
        if not names or not all(isinstance(name, str) for name in names):
            raise InputError(f"{origin}: choose.{step}: {value!r}; needed is an option or a list")
        settled[step] = tuple(str(name) for name in names)
    return settled
