"""Standard streams that may be closed, full, abandoned, or lack a character.

`run` puts these in the place of Python's own: what the operating system refuses on standard output
becomes an `OutputError`; a reader who has gone (`| head`) a `ReaderGoneError`. Standard error
never stops anything: what can't be told there is left out.
"""

from __future__ import annotations

import codecs
import errno
import os
import sys
from contextlib import suppress
from typing import TextIO, cast

from affray.core.errors import StoreError

__all__ = ["OutputError", "ReaderGoneError", "give_up", "guard"]

REPLACED = "affray.replaced"
KEPT = "surrogateescape"
"""Bytes that were typed and are no text reach the one who refuses them."""
CLOSEST = {
    "█": "#", "▉": "#", "▊": "#", "▋": "#", "▌": "|", "▍": "|", "▎": "|", "▏": "|",
    "…": "~", "±": "~", "×": "x", "−": "-", "–": "-", "—": "-", "·": ".", "’": "'", "‘": "'",
    "“": '"', "”": '"', "≥": ">", "≤": "<", "→": ">", "━": "-", "─": "-", "│": "|",
}  # fmt: skip
"""Stand-ins for characters that an encoding lacks, each one column wide."""


class OutputError(StoreError):
    """Standard output is closed or takes no more."""


class ReaderGoneError(Exception):
    """Whoever read standard output has gone; that is no error."""


def _replaced(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(CLOSEST.get(character, "?") for character in lacking), error.end


class _Guarded:
    """A stream that says in our own words what goes wrong."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> object:
        if name == "buffer":  # else some write past this stream
            raise AttributeError(name)
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write a text."""
        try:
            self._stream.write(text)
        except OSError as error:
            self._lost(error)
        return len(text)

    def flush(self) -> None:
        """Pass on what was written."""
        try:
            self._stream.flush()
        except OSError as error:
            self._lost(error)

    def _lost(self, error: OSError) -> None:  # noqa: ARG002  # standard output says it
        _to_nowhere(self._stream.fileno())


class _Output(_Guarded):
    """Standard output. What went wrong once is said again at each use, should somebody not hear."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self._error: Exception | None = None

    def write(self, text: str) -> int:
        """Write a text."""
        self._check()
        return super().write(text)

    def flush(self) -> None:
        """Pass on what was written."""
        self._check()
        super().flush()

    def _check(self) -> None:
        if self._error is not None:
            raise self._error

    def _lost(self, error: OSError) -> None:
        super()._lost(error)
        gone = error.errno == errno.EPIPE
        why = f"standard output can't be written: {error.strerror}"
        self._error = ReaderGoneError() if gone else OutputError(why)
        raise self._error from None


def _to_nowhere(number: int) -> None:
    """Let a stream end in nothing, so that Python's last flush has nothing to complain of."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)


def _believe_sizes() -> None:
    """Forget a size of the terminal that is none, before anybody computes with it."""
    for name in ("COLUMNS", "LINES"):
        told = os.environ.get(name, "")
        if not (told.isascii() and told.isdecimal() and len(told) < 7 and int(told)):
            os.environ.pop(name, None)


def give_up() -> None:
    """Let whatever is still written on standard output end in nothing."""
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # for good


def guard() -> None:
    """Put guarded streams in the place of Python's.

    Raises:
        OutputError: standard output is closed.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:  # else the next file to be opened would be taken for this stream
            os.open(os.devnull, os.O_RDWR)
    _believe_sizes()
    # Python has None where a stream is closed.
    before: tuple[TextIO | None, TextIO | None, TextIO | None]
    before = (sys.stdin, sys.stdout, sys.stderr)
    if before[0] is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115  # for good
    error = before[2] or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115  # for good
    codecs.register_error(REPLACED, _replaced)
    for stream, errors in ((sys.stdin, KEPT), (before[1], REPLACED), (error, REPLACED)):
        with suppress(AttributeError, ValueError):  # somebody else's stream stays as it is
            stream.reconfigure(errors=errors)  # type: ignore[union-attr]
    sys.stderr = cast(TextIO, _Guarded(error))
    if before[1] is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115  # for good
        raise OutputError("standard output is closed")
    sys.stdout = cast(TextIO, _Output(before[1]))
