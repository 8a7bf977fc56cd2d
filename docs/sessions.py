"""Sessions at a terminal that documents show: typed again, line by line, on a terminal."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator

from tests.cli.terminal import Terminal

__all__ = ["replayed", "with_sessions"]

_BLOCK = re.compile(r"(?<=```terminal\n)(.*?)(?=```)", re.DOTALL)
_PROMPT = re.compile(r"([^>]+>)(?: (.*))?")
"""A line with a prompt, and what is typed behind it; the mark of whose turn it is comes first."""


def with_sessions(text: str) -> str:
    """The text with every session in it typed again, and what the terminal shows then."""
    return _BLOCK.sub(lambda block: replayed(block[1]), text)


def replayed(session: str) -> str:
    """What a terminal of 80 columns shows if somebody types what was typed in a session.

    Raises:
        AssertionError: a prompt never comes; says what came instead.
    """
    command, *lines = session.splitlines()
    with Terminal(*shlex.split(command.removeprefix("$ affray ")), echo=True) as here:
        for prompt, typed in _typed(lines):
            here.reads(prompt)
            here.types(typed)
        here.ends()
        shown = "\n".join(line.rstrip() for line in here.lines)
    return f"{command}\n{shown.strip()}\n"


def _typed(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Every prompt with what is typed behind it; "": Enter alone."""
    for line in lines:
        found = _PROMPT.fullmatch(line)
        if found is not None:
            yield f"{found[1]} ", found[2] or ""
