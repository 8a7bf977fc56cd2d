"""Saved games: the setup and the answers, nothing else; everything is recomputed by replay.

A saved game is JSON with a schema name and a version. Older versions are migrated when read;
newer ones are refused, never guessed at.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from affray.app.setups import InputError, Loaded, Raw, load_raw
from affray.core.errors import StoreError
from affray.core.node import Facts
from affray.core.step import System
from affray.engine.play import Answer, Session

__all__ = ["SCHEMA", "VERSION", "is_saved", "restore", "save", "to_saved"]

SCHEMA = "affray/saved-game"
VERSION = 1

MIGRATIONS: Mapping[int, Callable[[Raw], Raw]] = {}
"""For each older version the function that makes a saved game one version newer."""


def is_saved(raw: Mapping[str, object]) -> bool:
    """Whether a table is a saved game rather than a setup."""
    return raw.get("schema") == SCHEMA


def to_saved(loaded: Loaded, session: Session) -> Raw:
    """A saved game as a table: setup, settled choices, rulings and answers."""
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "system": loaded.game.system.id,
        "system_version": loaded.game.system.version,
        "setup": loaded.raw,
        "answers": [
            {"option": a.option, "by": list(a.by)} if a.option else
            {"faces": list(a.faces), "by": list(a.by)}
            for a in session.answers
        ],
    }  # fmt: skip


def save(loaded: Loaded, session: Session, path: Path) -> None:
    """Write a saved game; an existing file is replaced only when all is written.

    Raises:
        StoreError: the file can't be written.
    """
    text = json.dumps(to_saved(loaded, session), indent=1) + "\n"
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise StoreError(f"{path}: can't be written: {error.strerror}") from None


def restore(system: System[Facts], raw: Raw, origin: str) -> tuple[Loaded, Session]:
    """A saved game, replayed to where it stood.

    Raises:
        InputError: it is for another system, newer than this program, or not whole.
        AnswerError: an answer that the rules of today don't allow; says which.
    """
    version = raw.get("version")
    if not isinstance(version, int) or not 1 <= version <= VERSION:
        raise InputError(f"{origin}: saved game of version {version!r}; allowed: 1 to {VERSION}")
    for old in range(version, VERSION):
        raw = MIGRATIONS[old](raw)
    if raw.get("system") != system.id:
        raise InputError(f"{origin}: it is for {raw.get('system')!r}, not for {system.id!r}")
    setup, rows = raw.get("setup"), raw.get("answers")
    if not isinstance(setup, dict) or not isinstance(rows, list):
        raise InputError(f"{origin}: not a whole saved game; needed are 'setup' and 'answers'")
    loaded = load_raw(system, setup, origin)
    answers = [_answer(row, number, origin) for number, row in enumerate(rows, start=1)]
    return loaded, Session.replay(loaded.game, answers)


def _answer(row: object, number: int, origin: str) -> Answer:
    if not isinstance(row, dict) or not ("option" in row or "faces" in row):
        raise InputError(f"{origin}: answer {number}: {row!r}; needed is 'option' or 'faces'")
    faces, by = row.get("faces", []), row.get("by", [])
    if not isinstance(faces, list) or not isinstance(by, list):
        raise InputError(f"{origin}: answer {number}: 'faces' and 'by' are lists")
    return Answer(tuple(faces), str(row.get("option", "")), tuple(map(str, by)))
