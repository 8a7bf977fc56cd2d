"""A terminal of some width, with a person in front of it."""

from __future__ import annotations

import os
import re
import sys
from types import TracebackType

import pexpect

__all__ = ["Terminal"]

MOST_S = 30
_CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """The command on a terminal: `reads` waits for what it says, `types` answers.

    Args:
        words: what stands behind `affray`.
        width: columns of the terminal.
        echo: whether the terminal shows what is typed, as terminals do.
    """

    def __init__(self, *words: str, width: int = 80, echo: bool = False) -> None:
        environment = {k: v for k, v in os.environ.items() if k not in {"COLUMNS", "LINES"}}
        self.width = width
        self._child = pexpect.spawn(
            sys.executable, ["-m", "affray", *words], dimensions=(40, width), timeout=MOST_S,
            env={**environment, "TERM": "dumb", "NO_COLOR": "1"}, encoding="utf-8", echo=echo,
        )  # fmt: skip
        self._seen = ""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self._child.close(force=True)

    def reads(self, text: str) -> str:
        """Wait until the command says this; everything it said since the last time."""
        try:
            self._child.expect_exact(text)
        except (pexpect.TIMEOUT, pexpect.EOF):
            raise AssertionError(f"never said {text!r}; it said:\n{self._child.before}") from None
        return self._note(f"{self._child.before}{text}")

    def types(self, text: str) -> None:
        """Type a line."""
        self._child.sendline(text)

    def ends(self) -> str:
        """Wait for the end; what was said until then."""
        self._child.expect(pexpect.EOF)
        told = self._note(self._child.before)
        self._child.close()
        return told

    def kill(self) -> None:
        """End the command as the system does when it must: without a chance to do anything."""
        self._child.kill(9)
        self._child.wait()

    @property
    def status(self) -> int | None:
        """The exit status, once it has ended."""
        status: int | None = self._child.exitstatus
        return status

    @property
    def lines(self) -> list[str]:
        """Every line that was shown so far."""
        return self._seen.split("\n")

    def _note(self, text: str) -> str:
        told = _CODES.sub("", text).replace("\r\n", "\n").replace("\r", "")
        self._seen += told
        return told
