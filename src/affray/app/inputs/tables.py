"""Tables of setups and systems: read, and common keys taken out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from affray.app.inputs.checking import Gathered, fault_at
from affray.app.inputs.intake import InputError, Raw, Written, table_of
from affray.core.node import Facts
from affray.core.system import System
from affray.core.telling import shown

__all__ = [
    "check_system", "examples", "fight_examples", "list_at", "roster", "settled_at", "shipped",
    "table_at", "text_at", "texts_at",
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
    if named != system.id:
        what = f"this file is for {shown(named)}, not {system.id!r}"
        if not isinstance(named, str):
            what = ""
        at = Written(origin, ("system",))
        raise fault_at(at, named, repr(system.id), what=what, code="other-system")


def _program_behind(raw: Raw) -> str:
    """The program that wrote a table of no setup of ours, told by keys that only it writes."""
    stats = raw.get("_stats")
    if isinstance(raw.get("system"), dict) or "prototypeToken" in raw or isinstance(stats, dict):
        return "Foundry Virtual Tabletop"
    if "attribs" in raw or "schema_version" in raw:
        return "Roll20"
    return ""


def table_at(raw: Raw, key: str, at: Written) -> Raw:
    """The table under a key; an empty one if there is none.

    Args:
        raw: the table that may have the key.
        key: the key.
        at: where that table stands.
    """
    value = raw.get(key, {})
    if not isinstance(value, dict):
        raise fault_at(at.below(key), value, "a table")
    return value


def list_at(raw: Raw, key: str, at: Written) -> list[object]:
    """The list under a key; an empty one if there is none."""
    value = raw.get(key, [])
    if not isinstance(value, list):
        raise fault_at(at.below(key), value, "a list")
    return value


def text_at(raw: Raw, key: str, at: Written) -> str:
    """The text under a key; an empty one if there is none."""
    value = raw.get(key, "")
    if not isinstance(value, str):
        raise fault_at(at.below(key), value, "a text")
    return value


def texts_at(raw: Raw, key: str, at: Written, wrong: Gathered | None = None) -> dict[str, str]:
    """The table of names under a key.

    Args:
        raw: the table that may have the key.
        key: the key.
        at: where that table stands.
        wrong: takes what doesn't fit, and the rest is returned; None: it is raised.
    """
    table, found, own = table_at(raw, key, at), {}, wrong or Gathered()
    for name, value in table.items():
        with own.kept():
            if not isinstance(value, str):
                raise fault_at(at.below(key, name), value, "a name")
            found[name] = value
    if wrong is None:
        own.tell()
    return found


def settled_at(raw: Raw, at: Written, wrong: Gathered | None = None) -> dict[str, tuple[str, ...]]:
    """Choices settled under the key `choose`: options by step, most wanted first; as above."""
    settled, own = {}, wrong or Gathered()
    for step, value in table_at(raw, "choose", at).items():
        names = value if isinstance(value, list) else [value]
        with own.kept():
            if not names or not all(isinstance(name, str) for name in names):
                raise fault_at(at.below("choose", step), value, "an option, or a list of options")
            settled[step] = tuple(str(name) for name in names)
    if wrong is None:
        own.tell()
    return settled
