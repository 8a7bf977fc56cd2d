"""The one way in which files are written: whole, or not at all.

What is to be written goes into a new file beside the target, onto the disk, and then takes the
target's place in one move. Whoever reads meanwhile sees the old text or the new one. A program
that is killed leaves the old text and a file whose name ends in `.affray-unfinished`; the next
one that writes in that folder clears it away.

- A link is followed: it stays, and what it points to is replaced.
- An existing file keeps its mode and, where that is allowed, its owner; a new one has the mode
  that the umask gives.
- One program at a time writes in a folder: the folder is locked for as long as that takes.
- A `Revision` says which text a writer knows. Where the file holds another one by now, nothing
  is written.
- What is no ordinary file (`/dev/stdout`, a pipe) is written to directly.
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NewType

from affray.core.errors import StoreError

__all__ = [
    "UNFINISHED",
    "ChangedError",
    "Revision",
    "digest",
    "revision",
    "write_beside",
    "write_whole",
]

UNFINISHED = ".affray-unfinished"
"""The ending of files that are not yet whole."""
PATIENCE_S = 10.0
"""Seconds to wait for another program that writes in the same folder."""
NAME_KEPT = 40
"""Bytes of a file's name that the name of its unfinished text begins with."""
MOST_BESIDE = 10_000

Revision = NewType("Revision", str)
"""The text of a file, as a digest, or "" where there is no file."""


class ChangedError(StoreError):
    """A file holds another text than the one the writer knows."""


def revision(path: Path) -> Revision:
    """Take the digest of the text that a file holds now.

    Raises:
        StoreError: it can't be read, or nothing could be written in its place.
    """
    with _told(path):
        target = _target(path)
        if target is None:
            return Revision("")
        target.parent.stat()
        if not os.access(target.parent, os.W_OK | os.X_OK):
            raise OSError(errno.EACCES, f"nothing may be written in {target.parent}")
        return _revision(target)


def write_whole(path: Path, text: str, *, known: Revision | None = None) -> Revision:
    """Write a file; one that exists is replaced when all is written.

    Args:
        path: where to.
        text: what it shall hold.
        known: the revision that may be replaced; None: any.

    Returns:
        the revision that was written.

    Raises:
        ChangedError: the file holds something else than the known revision; it stays.
        StoreError: it can't be written; what was there stays.
    """
    content = _encoded(text)
    with _told(path):
        target = _target(path)
        if target is None:
            _write_directly(path, content)
            return Revision("")
        with _locked(target.parent):
            if known is not None and _revision(target) != known:
                raise ChangedError(f"{path}: another program has changed it meanwhile")
            _replace(target, content)
    return digest(text)


def digest(text: str) -> Revision:
    """The revision of a file that holds this text."""
    return Revision(hashlib.sha256(_encoded(text)).hexdigest())


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


def write_beside(path: Path, text: str) -> Path:
    """Write a new file beside another one, under the first name that is free: `game-2.json`.

    Raises:
        StoreError: it can't be written.
    """
    content = _encoded(text)
    with _told(path):
        target = _target(path) or path
        with _locked(target.parent):  # else another program clears away what isn't finished
            made = _unfinished(target, content)
            try:
                for number in range(2, MOST_BESIDE):
                    ending = f"-{number}{target.suffix}"
                    stem = _cut(target.stem, 255 - len(os.fsencode(ending)))
                    free = target.with_name(stem + ending)
                    with suppress(FileExistsError):
                        _settle(made, free)
                        _sync_folder(free.parent)
                        return free
            finally:
                made.unlink(missing_ok=True)
        raise OSError(errno.EEXIST, f"every name up to {free.name} is taken")


def _settle(made: Path, free: Path) -> None:
    """Give a finished file a name that nobody has."""
    try:
        os.link(made, free)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        with free.open("xb") as file:
            file.write(made.read_bytes())
            file.flush()
            os.fsync(file.fileno())


# -- where to ----------------------------------------------------------------------------------


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Turn a refusal of the operating system into a message that names the file."""
    try:
        yield
    except OSError as error:
        raise StoreError(f"{path}: can't be written: {error.strerror or error}") from None
    except ValueError as error:  # NUL in a path
        raise StoreError(f"{str(path)!r}: can't be written: {error}") from None


def _target(path: Path) -> Path | None:
    """The ordinary file that is meant, links followed; None for a device, a pipe and the like."""
    if path.parts[1:2] == ("proc",) or str(path).startswith(("/dev/std", "/dev/fd/")):
        return None
    target = Path(os.path.realpath(path))
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        if path.name in {"", ".", ".."} or str(path).endswith(os.sep):
            raise OSError(errno.EISDIR, "it names a folder") from None
        return target
    if stat.S_ISDIR(mode):
        raise OSError(errno.EISDIR, "it is a folder")
    if not os.access(target, os.W_OK):
        raise OSError(errno.EACCES, "it is write-protected")
    return target if stat.S_ISREG(mode) else None


def _revision(target: Path) -> Revision:
    try:
        with target.open("rb") as file:
            return Revision(hashlib.file_digest(file, "sha256").hexdigest())
    except FileNotFoundError:
        return Revision("")


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keep other programs that write this way out of a folder, where it can be locked.

    Raises:
        OSError: another one has kept it for too long.
    """
    try:
        import fcntl
    except ImportError:  # Windows: there the revision alone has to do
        yield
        return
    place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > until:
                    raise OSError(
                        errno.EAGAIN,
                        f"another program has kept {folder} locked for {PATIENCE_S:.0f} s",
                    ) from None
                time.sleep(0.005)
            except OSError:  # a file system without locks
                break
            else:
                _clear(folder)
                break
        yield
    finally:
        os.close(place)


def _clear(folder: Path) -> None:
    """Clear away what was not finished; nobody else is writing here."""
    with suppress(OSError):
        for left in folder.glob(f".*{UNFINISHED}"):
            left.unlink(missing_ok=True)


# -- onto the disk -----------------------------------------------------------------------------


def _write_directly(path: Path, content: bytes) -> None:
    with path.open("wb", buffering=0) as file:
        left = memoryview(content)
        while left:
            left = left[file.write(left) :]


def _replace(target: Path, content: bytes) -> None:
    made = _unfinished(target, content)
    try:
        made.replace(target)
    except BaseException:
        made.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _unfinished(target: Path, content: bytes) -> Path:
    """A new file beside the target that holds all of it, on the disk, with the target's mode."""
    try:
        old = target.stat()
    except FileNotFoundError:
        old = None
    made = target.with_name(f".{_cut(target.name, NAME_KEPT)}.{secrets.token_hex(8)}{UNFINISHED}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0)
    place = os.open(made, flags, 0o600 if old else 0o666)
    try:
        with os.fdopen(place, "wb") as file:
            if old is not None:
                _keep_owner(file.fileno(), old)
                os.fchmod(file.fileno(), stat.S_IMODE(old.st_mode))
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        made.unlink(missing_ok=True)
        raise
    return made


def _keep_owner(place: int, old: os.stat_result) -> None:
    made = os.fstat(place)
    if (made.st_uid, made.st_gid) != (old.st_uid, old.st_gid):
        with suppress(PermissionError):
            os.fchown(place, old.st_uid, old.st_gid)


def _sync_folder(folder: Path) -> None:
    """Put a new name onto the disk; some file systems don't let a folder be synced."""
    with suppress(OSError):
        place = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(place)
        finally:
            os.close(place)


def _cut(name: str, most: int) -> str:
    """A name that takes so many bytes at most, cut between characters."""
    return os.fsencode(name)[:most].decode("utf-8", "ignore")
