"""Files that appear whole or not at all: written beside, then moved into their place."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from affray.core.errors import StoreError

__all__ = ["told", "whole_file"]


@contextmanager
def told(path: Path, done: str) -> Iterator[None]:
    """Turn a refusal of the operating system into a message; `done` is such as "be written"."""
    try:
        yield
    except OSError as error:
        raise StoreError(f"{path}: can't {done}: {error.strerror or error}") from None
    except ValueError as error:  # NUL in a path
        raise StoreError(f"{str(path)!r}: can't {done}: {error}") from None


@contextmanager
def whole_file(path: Path, *, force: bool = False) -> Iterator[Path]:
    """A new file to write to, which takes its place when the block ends well.

    Args:
        path: its place.
        force: whether it may replace a file that is there.

    Raises:
        StoreError: there is a file, or it can't be written.
    """
    with told(path, "be written"):
        if path.is_dir() or (path.exists() and not force):
            raise StoreError(f"{path}: there is something of this name; --force replaces a file")
        beside = path.with_name(f".{path.name[:40]}.{secrets.token_hex(8)}.affray-unfinished")
        try:
            beside.touch(mode=0o600, exist_ok=False)
            yield beside
            with beside.open("rb") as file:
                os.fsync(file.fileno())
            beside.replace(path)
            with suppress(OSError):  # some file systems don't let a folder be synced
                folder = os.open(path.parent, os.O_RDONLY)
                try:
                    os.fsync(folder)
                finally:
                    os.close(folder)
        finally:
            beside.unlink(missing_ok=True)
