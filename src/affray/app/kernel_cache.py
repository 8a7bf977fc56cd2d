"""What exchanges of a fight come to, kept on disk, so that the next run need not follow the rules.

An entry is named by a hash of everything that it depends on: the rule text and the engine (their
source), the sheets, the situation, the readings and the plans. Whatever changes, another entry is
looked for; nothing is ever read that was made by other rules. Entries that were not used for the
longest time go when the folder gets too large. `AFFRAY_CACHE` names another folder, or is `off`.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from affray import _version
from affray.core.node import Facts
from affray.core.ruling import Ruling
from affray.core.step import System
from affray.engine.contest import Contest
from affray.engine.matchup import Entry, Key, Matchup

__all__ = ["LARGEST", "folder", "remembered"]

LARGEST = 200_000_000
"""Bytes that all entries together may take."""
VARIABLE = "AFFRAY_CACHE"
LAYOUT = 1


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
    known: dict[Path, int] = {}

    def recall(matchup: Matchup) -> None:
        entry = place / f"{_key(matchup)}.exchanges"
        matchup.table.update(_read(entry, matchup.system))
        known[entry] = _size(matchup)

    contest.on_matchup = recall
    try:
        yield
    finally:
        contest.on_matchup = None
        for matchup in contest.matchups():
            entry = place / f"{_key(matchup)}.exchanges"
            if _size(matchup) > known.get(entry, 0):
                with suppress(OSError):
                    _write(entry, matchup)


def _size(matchup: Matchup) -> int:
    return sum(len(row) if isinstance(row, dict) else 1 for row in matchup.table.values())


# -- names -----------------------------------------------------------------------------------


def _key(matchup: Matchup) -> str:
    parts = (
        LAYOUT, _version.VERSION, sys.version_info[:2], matchup.system.id, matchup.system.version,
        _source(matchup.system.folder), matchup.setup, matchup.rulings.named(), matchup.plans,
        matchup.objective.name, matchup.threshold,
    )  # fmt: skip
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:40]


@cache
def _source(rules: Path) -> str:
    """A hash of the source of a room, of the language it is written in, and of the engine."""
    house = Path(__file__).parent.parent
    found = hashlib.sha256()
    for place in (house / "core", house / "engine", rules):
        for file in sorted(place.rglob("*.py")):
            found.update(file.name.encode() + b"\0" + file.read_bytes())
    return found.hexdigest()


# -- files -----------------------------------------------------------------------------------


class _Writer(pickle.Pickler):
    """Rulings are kept by number: their texts belong to the rules."""

    def persistent_id(self, thing: object) -> str | None:
        return thing.id if isinstance(thing, Ruling) else None


class _Reader(pickle.Unpickler):
    """Reads records of this package and of the system's own; nothing else can be called."""

    def __init__(self, file: io.BytesIO, system: System[Facts]) -> None:
        super().__init__(file)
        self.system = system
        self.known = {ruling.id: ruling for ruling in system.rulings}
        self.roots = ("affray.core.", "affray.engine.", _package(system))

    def persistent_load(self, number: str) -> Ruling[str]:
        return self.known[number]

    def find_class(self, module: str, name: str) -> object:
        if module.startswith(self.roots) and "." not in name:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} is no record of {self.system.id}")


def _package(system: System[Facts]) -> str:
    return system.start.rule.__module__.rpartition(".")[0] + "."


def _read(entry: Path, system: System[Facts]) -> dict[Key, Entry]:
    """What an entry holds; nothing if there is none or it can't be read."""
    try:
        data = entry.read_bytes()
        os.utime(entry)
        table = _Reader(io.BytesIO(data), system).load()
    except Exception:  # whatever is wrong with it, it is worked out anew
        return {}
    return table if isinstance(table, dict) else {}


def _write(entry: Path, matchup: Matchup) -> None:
    """Write an entry whole or not at all, and make room."""
    out = io.BytesIO()
    _Writer(out, protocol=pickle.HIGHEST_PROTOCOL).dump(matchup.table)
    if out.tell() > LARGEST // 4:
        return
    entry.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=entry.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(out.getbuffer())
        Path(name).replace(entry)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    _make_room(entry.parent)


def _make_room(place: Path) -> None:
    files = sorted(place.glob("*.exchanges"), key=lambda file: file.stat().st_mtime)
    sizes = {file: file.stat().st_size for file in files}
    total = sum(sizes.values())
    for file in files:
        if total <= LARGEST:
            return
        file.unlink(missing_ok=True)
        total -= sizes[file]
