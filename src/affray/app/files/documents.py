"""Documents: tables from files and from standard input, read so that nothing hangs or leaks."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import NamedTuple

from affray.app.inputs.intake import MOST_BYTES, InputError, Raw, table_of
from affray.core.telling import shown

__all__ = ["Document", "document_from_file", "document_from_stdin", "file_below", "is_path"]

MOST_OF_A_PATH = 120


class Document(NamedTuple):
    """A table that came in.

    Attributes:
        table: what it says.
        origin: where it came from, for messages.
        folder: files that it names lie in this folder or below; None: it may name none.
    """

    table: Raw
    origin: str
    folder: Path | None = None


def is_path(source: str) -> bool:
    """Whether a name is meant as a file: it has a folder or an ending, or a file is called so."""
    return bool(Path(source).suffix) or "/" in source or os.sep in source or os.path.exists(source)


def document_from_file(path: Path) -> Document:
    """A table from a regular file.

    Raises:
        InputError: it can't be read, is no regular file, too large, or neither TOML nor JSON.
    """
    origin = _path_told(path)
    return Document(table_of(_bytes_of(path, origin), origin), origin, path.parent)


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
    """What a file holds, `most` bytes of it."""
    parts = []
    while most > 0 and (part := os.read(opened, most)):
        parts.append(part)
        most -= len(part)
    return b"".join(parts)


def document_from_stdin() -> Document:
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
    return Document(table_of(given, origin), origin)


def file_below(name: str, folder: Path | None, where: str) -> Document:
    """A table from a file that another table names.

    Args:
        name: a relative path.
        folder: in or below which it must lie, links followed; None: no file may be named.
        where: origin and place of the name, for messages.

    Raises:
        InputError: it lies elsewhere or nothing may be named, without a look at any file; or as
            for `document_from_file`.
    """
    if folder is None:
        raise InputError(
            f"{where}: {shown(name)}: only a setup in a file can name files; give the file with "
            "--roster, or put its entries here"
        )
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
            return Document(table_of(data, origin), origin, folder)
    raise InputError(
        f"{where}: {shown(name)}: allowed are files beside the setup or below it; others are "
        "given with --roster"
    )
