"""Setups, fights and rosters on the command line: files, `-`, shipped names.

Files and standard input are read so that nothing hangs or leaks.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Container, Sequence
from functools import partial
from pathlib import Path, PurePosixPath, PureWindowsPath

from affray.app.inputs.intake import MOST_BYTES, InputError, table_of
from affray.app.inputs.tables import examples, fight_examples
from affray.app.registry import system_named
from affray.app.sources import FightSource, Names, Shipped, Source, Table
from affray.core.telling import shown

__all__ = [
    "fight_named", "lines_from_file", "own_rosters", "setup_named", "table_from_file",
    "table_from_stdin",
]  # fmt: skip

MOST_OF_A_PATH = 120


def setup_named(system_name: str, given: str) -> Source:
    """The setup or saved game behind an argument: a file, `-`, or a shipped example.

    Raises:
        UnknownNameError: an unknown system.
        InputError: a file that can't be read, or is neither TOML nor JSON.
    """
    return _named(given, examples(system_named(system_name)))


def fight_named(system_name: str, given: str, foes: str = "") -> FightSource:
    """The fight behind an argument, or the roster names of both sides; errors as above."""
    system = system_named(system_name)
    return Names(given, foes) if foes else _named(given, fight_examples(system))


def _named(given: str, known: Container[str]) -> Source:
    if given == "-":
        return table_from_stdin()
    if given in known or not _is_path(given):
        return Shipped(given)
    return table_from_file(Path(given))


def own_rosters(files: Sequence[str]) -> tuple[Table, ...]:
    """Roster entries from files.

    Raises:
        InputError: one that can't be read, or is neither TOML nor JSON.
    """
    return tuple(table_from_file(Path(name))._replace(beside=None) for name in files)


def _is_path(source: str) -> bool:
    """Whether a name is meant as a file: it has a folder or an ending, or a file is called so."""
    return bool(Path(source).suffix) or "/" in source or os.sep in source or os.path.exists(source)


def table_from_file(path: Path) -> Table:
    """A table from a regular file.

    Raises:
        InputError: it can't be read, is no regular file, too large, or neither TOML nor JSON.
    """
    origin = _path_told(path)
    raw = table_of(_bytes_of(path, origin), origin)
    return Table(raw, origin, partial(_file_below, path.parent))


def lines_from_file(path: Path) -> tuple[str, ...]:
    """The lines of a text file.

    Raises:
        InputError: it can't be read, is no regular file, too large, or not UTF-8.
    """
    origin = _path_told(path)
    data = _bytes_of(path, origin)
    try:
        return tuple(data.decode("utf-8-sig").splitlines())
    except UnicodeDecodeError:
        raise InputError(f"{origin}: it is not UTF-8 text") from None


def _path_told(path: Path) -> str:
    told = str(path)
    half = MOST_OF_A_PATH // 2
    return told if len(told) <= MOST_OF_A_PATH else f"{told[:half]}...{told[-half:]}"


def _bytes_of(path: Path, origin: str, *, flags: int = 0) -> bytes:
    # Opening a pipe without a writer would wait for one.
    flags |= os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        opened = os.open(path, flags)
        try:
            kind = os.fstat(opened).st_mode
            data = _read(opened, MOST_BYTES + 1) if stat.S_ISREG(kind) else None
        finally:
            os.close(opened)
    except OSError as error:
        raise InputError(f"{origin}: can't be read: {error.strerror or error}") from None
    except ValueError:
        raise InputError(f"{origin}: can't be read: no file has such a name") from None
    if data is None:
        what = "a folder" if stat.S_ISDIR(kind) else "no regular file"
        raise InputError(f"{origin}: can't be read: it is {what}; allowed: a file, or - for stdin")
    if len(data) > MOST_BYTES:
        raise InputError(f"{origin}: too large; allowed: {MOST_BYTES:,} bytes")
    return data


def _read(opened: int, most: int) -> bytes:
    """Read a file, `most` bytes of it."""
    parts = []
    while most > 0 and (part := os.read(opened, most)):
        parts.append(part)
        most -= len(part)
    return b"".join(parts)


def table_from_stdin() -> Table:
    """A table from standard input; it may name no files.

    Raises:
        InputError: it can't be read, too large, or neither TOML nor JSON.
    """
    origin = "standard input"
    stream = getattr(sys.stdin, "buffer", sys.stdin)
    if stream is None:
        raise InputError(f"{origin}: it is closed")
    try:
        given = stream.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is closed or no text"
        raise InputError(f"{origin}: can't be read: {why}") from None
    if len(given) > MOST_BYTES:
        raise InputError(f"{origin}: too large; allowed: {MOST_BYTES:,} bytes")
    return Table(table_of(given, origin), origin)


def _file_below(folder: Path, name: str, where: str) -> Table:
    """A table from a file that another table names.

    Args:
        folder: in or below which it must lie, links followed.
        name: a relative path.
        where: origin and place of the name, for messages.

    Raises:
        InputError: it lies elsewhere, without a look at any file; or as for `table_from_file`.
    """
    windows = PureWindowsPath(name)
    outside = PurePosixPath(name).is_absolute() or windows.drive or windows.root
    if not outside and ".." not in windows.parts and "\0" not in name:
        try:
            top = folder.resolve()
            path = (top / name).resolve()
        except (OSError, RuntimeError, ValueError):
            raise InputError(f"{where}: {shown(name)}: can't be read") from None
        if path.is_relative_to(top):
            origin = _path_told(folder / name)
            data = _bytes_of(path, origin, flags=getattr(os, "O_NOFOLLOW", 0))
            return Table(table_of(data, origin), origin)
    raise InputError(
        f"{where}: {shown(name)}: allowed: files beside the setup or below it; give others "
        "with --roster"
    )
