"""What exchanges of a fight come to, kept on disk, so that the next run need not follow the rules.

An entry is named by a hash of everything that it depends on: the rule text and the engine (their
source), the sheets, the situation, the readings and the plans. Whatever changes, another entry is
looked for; nothing is ever read that was made by other rules. Entries that were not used for the
longest time go when the folder gets too large. `AFFRAY_CACHE` names another folder, or is `off`.
"""

from __future__ import annotations

import hashlib
import inspect
import io
import os
import pickle
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import TypeAlias

from affray import _version
from affray.core.dice import Die, Pool
from affray.core.node import Facts
from affray.core.ruling import Ruling, Rulings
from affray.core.step import System
from affray.engine.contest import Contest
from affray.engine.matchup import Entry, Key, Matchup, Row

__all__ = ["LARGEST", "folder", "remembered"]

LARGEST = 200_000_000
"""Bytes that all entries together may take."""
VARIABLE = "AFFRAY_CACHE"
LAYOUT = 2
MARK = 32
"""Bytes at the start of an entry: the hash of the rest."""
ABANDONED = 3600
"""Seconds after which a file that is still being written is given up."""


def folder() -> Path | None:
    """Where entries lie; None when nothing is kept."""
    wanted = os.environ.get(VARIABLE, "")
    if wanted == "off":
        return None
    if wanted:
        return Path(wanted)
    from platformdirs import user_cache_path  # small; only where fights are worked out

    return user_cache_path("affray") / "exchanges"


@contextmanager
def remembered(contest: Contest, *, use: bool = True) -> Iterator[None]:
    """What is known of the exchanges of a fight is put back, and kept afterwards.

    A folder that can't be read or written is no error: then everything is worked out.
    """
    place = folder() if use else None
    if place is None:
        yield
        return
    entries: dict[Path, list[Matchup]] = {}
    known: dict[Path, int] = {}

    def recall(matchup: Matchup) -> None:
        entry = place / f"{_key(matchup)}.exchanges"
        table = _read(entry, matchup.system)
        for key, row in table.items():
            matchup.table.setdefault(key, row)
        entries.setdefault(entry, []).append(matchup)
        known[entry] = _size(table)

    for matchup in contest.matchups():
        recall(matchup)
    contest.on_matchup = recall
    try:
        yield
    finally:
        contest.on_matchup = None
        for entry, matchups in entries.items():
            table = _merged(matchups)
            if _size(table) > known[entry]:
                with suppress(Exception):  # what can't be kept is worked out anew
                    _write(entry, table)


Table: TypeAlias = dict[Key, Entry]


def _merged(matchups: list[Matchup]) -> Table:
    """What all of these know; two who are alike fight with one name."""
    if len(matchups) == 1:
        return matchups[0].table
    merged: Table = {}
    for matchup in matchups:
        for key, row in matchup.table.items():
            before = merged.get(key)
            if isinstance(row, dict) and isinstance(before, dict):
                merged[key] = {**before, **row}
            else:
                merged[key] = row
    return merged


def _size(table: Table) -> int:
    return sum(len(row) if isinstance(row, dict) else 1 for row in table.values())


# -- names -----------------------------------------------------------------------------------


def _key(matchup: Matchup) -> str:
    parts = (
        LAYOUT, _version.VERSION, sys.version_info[:2], matchup.system.id, matchup.system.version,
        _source(_places(matchup.system)), _spelled(matchup.setup),
        sorted(matchup.rulings.named().items()), _spelled(matchup.plans),
        matchup.objective.name, matchup.threshold,
    )  # fmt: skip
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:40]


def _spelled(thing: object) -> str:
    """A record in full: no two that differ are spelled alike, in any process."""
    if isinstance(thing, (Die, Pool)):
        parts = [thing.name, thing.weighted] if isinstance(thing, Die) else list(thing.groups)
        return f"{type(thing).__name__}({', '.join(map(_spelled, parts))})"
    if is_dataclass(thing) and not isinstance(thing, type):
        rows = [f"{row.name}={_spelled(getattr(thing, row.name))}" for row in fields(thing)]
        return f"{type(thing).__qualname__}({', '.join(rows)})"
    if isinstance(thing, (tuple, list)):
        return f"{type(thing).__qualname__}({', '.join(map(_spelled, thing))})"
    if isinstance(thing, (set, frozenset)):
        return f"set({', '.join(sorted(map(_spelled, thing)))})"
    if isinstance(thing, Mapping):
        rows = [f"{_spelled(key)}: {_spelled(value)}" for key, value in thing.items()]
        return f"mapping({', '.join(sorted(rows))})"
    return repr(thing)


def _places(system: System[Facts]) -> tuple[Path, ...]:
    """Where the source lies of the language, the engine and a system's own package."""
    house = Path(__file__).parent.parent
    places = [house / "core", house / "engine", system.folder]
    home = Path(inspect.getfile(system.start.rule))
    if home.is_file() and system.folder not in home.parents:
        places.append(home.parent if "." in system.start.rule.__module__ else home)
    return tuple(places)


@cache
def _source(places: tuple[Path, ...]) -> str:
    """A hash of all source in these places."""
    found = hashlib.sha256()
    for place in places:
        for file in [place] if place.is_file() else sorted(place.rglob("*.py")):
            text = file.read_bytes()
            name = file.relative_to(place).as_posix()
            found.update(f"{name} {len(text)}\n".encode() + text)
    return found.hexdigest()


# -- files -----------------------------------------------------------------------------------


class _Writer(pickle.Pickler):
    """Rulings are kept by number: their texts belong to the rules."""

    def persistent_id(self, thing: object) -> str | None:
        return thing.id if isinstance(thing, Ruling) else None


class _Reader(pickle.Unpickler):
    """Reads records: rows, rulings and what the system defines; nothing else can be called."""

    def __init__(self, file: io.BytesIO, system: System[Facts]) -> None:
        super().__init__(file)
        self.system = system
        self.known = {ruling.id: ruling for ruling in system.rulings}
        self.home, _, self.name = system.start.rule.__module__.rpartition(".")

    def persistent_load(self, number: str) -> Ruling[str]:
        return self.known[number]

    def find_class(self, module: str, name: str) -> object:
        if (module, name) in OUR_OWN or (self._is_own(module) and "." not in name):
            found: object = super().find_class(module, name)
            if (module, name) in OUR_OWN or _is_record(found, module):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no record of {self.system.id}")

    def _is_own(self, module: str) -> bool:
        """Whether a module belongs to the system: to its package, or it is the only one."""
        return module.startswith(f"{self.home}.") if self.home else module == self.name


OUR_OWN = frozenset(
    {(Row.__module__, "Row"), (Row.__module__, "REFUSED"), (Rulings.__module__, "Rulings")}
)


def _is_record(found: object, module: str) -> bool:
    """Whether this is a class of records that is defined in this very module."""
    if not isinstance(found, type) or found.__module__ != module:
        return False
    return issubclass(found, (tuple, Enum)) or is_dataclass(found)


def _read(entry: Path, system: System[Facts]) -> Table:
    """What an entry holds; nothing if there is none or it can't be read."""
    try:
        data = entry.read_bytes()
        mark, kept = data[:MARK], data[MARK:]
        if hashlib.sha256(kept).digest() != mark:
            return {}
        table = _Reader(io.BytesIO(kept), system).load()
    except Exception:  # whatever is wrong with it, it is worked out anew
        return {}
    with suppress(OSError):
        os.utime(entry)
    return table if isinstance(table, dict) else {}


def _write(entry: Path, table: Table) -> None:
    """Write an entry whole or not at all, and make room."""
    out = io.BytesIO()
    _Writer(out, protocol=pickle.HIGHEST_PROTOCOL).dump(table)
    if out.tell() > LARGEST // 4:
        return
    entry.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=entry.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(hashlib.sha256(out.getbuffer()).digest())
            file.write(out.getbuffer())
        Path(name).replace(entry)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    _make_room(entry.parent)


def _make_room(place: Path) -> None:
    """Entries that were not used for the longest time go, and what a killed process left."""
    for part in place.glob("*.part"):
        if part.stat().st_mtime < time.time() - ABANDONED:
            part.unlink(missing_ok=True)
    files = sorted(place.glob("*.exchanges"), key=lambda file: file.stat().st_mtime)
    sizes = {file: file.stat().st_size for file in files}
    total = sum(sizes.values())
    for file in files:
        if total <= LARGEST:
            return
        file.unlink(missing_ok=True)
        total -= sizes[file]
