"""Answers as plain data, for files: written so, and read back only if they are whole."""

from __future__ import annotations

from collections.abc import Mapping

from affray.core.dice import Face
from affray.core.errors import StoreError
from affray.core.telling import shown
from affray.engine.exchange.session import Answer

__all__ = ["BY_CHOICE", "BY_DIE", "from_plain", "keys_at", "to_plain"]

OTHER = "other"
BY_DIE = ("hand", "entropy", "seed", "script", OTHER)
"""The sources of a face; one of somebody's own is kept as "other"."""
BY_CHOICE = (
    "hand", "policy", "solved", "look-ahead", "rule of thumb", "toss-up", "script", "habit", "line",
    "unasked", OTHER,
)  # fmt: skip
"""Everybody who can have decided; of a computer that looks ahead, what it went by. What
was said in one line is "line" but for the first of it; where nothing depends on it nobody is asked.
"""

NO_KEYS: frozenset[str] = frozenset()


def to_plain(answer: Answer) -> dict[str, object]:
    """An answer as plain data."""
    if answer.option:
        return {"option": answer.option, "by": [_kept(by, BY_CHOICE) for by in answer.by]}
    return {"faces": list(answer.faces), "by": [_kept(by, BY_DIE) for by in answer.by]}


def _kept(by: str, known: tuple[str, ...]) -> str:
    return by if by in known else OTHER


def keys_at(
    row: object, where: str, needed: frozenset[str], others: frozenset[str] = NO_KEYS
) -> Mapping[str, object]:
    """A table with these keys and no others.

    Args:
        row: what should be that table.
        where: what it is, for messages.
        needed: keys that it must have.
        others: keys that it may have besides.

    Raises:
        StoreError: it is no table, lacks a key, or has one that nobody knows.
    """
    if not isinstance(row, dict):
        raise StoreError(f"{where}: {shown(row)}; must be a table")
    for key in sorted(needed - set(row)):
        raise StoreError(f"{where}: {key!r} is missing")
    for key in row:
        if key not in needed | others:
            known = ", ".join(sorted(needed | others))
            raise StoreError(f"{where}: unknown key {shown(key)}; known: {known}")
    return row


def from_plain(row: object, where: str) -> Answer:
    """An answer from plain data.

    Args:
        row: what was read.
        where: which answer it is, for messages.

    Raises:
        StoreError: it is not whole, says more than one thing, or says that its faces come from
            where none can come from.
    """
    chosen = isinstance(row, dict) and "option" in row
    if chosen and isinstance(row, dict) and "faces" in row:
        raise StoreError(f"{where}: both 'option' and 'faces'; give one of them")
    table = keys_at(row, where, frozenset({"option" if chosen else "faces", "by"}))
    by = table["by"]
    if not isinstance(by, list) or not all(isinstance(source, str) for source in by):
        raise StoreError(f"{where}: by: {shown(by)}; must be a list of names")
    if chosen:
        return Answer((), _option(table["option"], where), _by(by, 1, BY_CHOICE, where))
    faces = _faces(table["faces"], where)
    return Answer(tuple(faces), "", _by(by, len(faces), BY_DIE, where))


def _by(by: list[str], many: int, known: tuple[str, ...], where: str) -> tuple[str, ...]:
    for source in by:
        if source not in known:
            raise StoreError(f"{where}: by: {shown(source)}; allowed: {', '.join(known)}")
    if len(by) != many:
        raise StoreError(f"{where}: by: {len(by)} names; needed: {many}, one for each face")
    return tuple(by)


def _option(option: object, where: str) -> str:
    if not isinstance(option, str) or not option:
        raise StoreError(f"{where}: option: {shown(option)}; must be the name of one")
    return option


def _faces(faces: object, where: str) -> list[Face]:
    if not isinstance(faces, list) or not faces:
        raise StoreError(f"{where}: faces: {shown(faces)}; must be a list of them")
    for face in faces:
        if isinstance(face, bool) or not isinstance(face, (int, str)):
            raise StoreError(f"{where}: faces: {shown(face)}; a face is a number or a name")
    return faces
