"""Texts that users wrote, as they may be shown: without control characters, and not endless."""

from __future__ import annotations

import sys
from dataclasses import fields, is_dataclass, replace
from typing import TypeVar, cast

from affray.core.telling import escaped

__all__ = ["LONGEST", "plain", "plainly", "say", "silent", "tell"]

LONGEST = 1000
"""Characters of a text that are shown."""
DRAWN = frozenset({"picture", "drawing"})
"""Fields of views that consist of lines."""

V = TypeVar("V")


def plain(text: str, *, lines: bool = False, longest: int = LONGEST) -> str:
    r"""A text that does nothing to a terminal and is not too long for one.

    Args:
        text: anything.
        lines: whether it may consist of several lines.
        longest: how many characters may be shown.

    >>> plain("a\x1b[31mb\n\u202e")
    'a\\x1b[31mb\\n\\u202e'
    >>> plain("x" * 30, longest=10)
    'xxxxxxxxxx… (20 more characters)'
    """
    left = len(text) - longest
    told = escaped(text[:longest] if left > 0 else text)
    if not lines:
        told = told.replace("\n", "\\n")
    return f"{told}… ({left:,} more characters)" if left > 0 else told


def plainly(value: V) -> V:
    """A view, or a part of one, with every text in it made plain."""
    return cast(V, _plainly(value, ""))


def _plainly(value: object, name: str) -> object:
    if isinstance(value, str) and type(value) is str:
        return plain(value, lines=name in DRAWN, longest=10**6 if name in DRAWN else LONGEST)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(
            value, **{f.name: _plainly(getattr(value, f.name), f.name) for f in fields(value)}
        )
    if isinstance(value, tuple):
        parts = [_plainly(part, "") for part in value]
        make = getattr(type(value), "_make", tuple)
        return cast(object, make(parts))
    if isinstance(value, list):
        return [_plainly(part, "") for part in value]
    if isinstance(value, dict):
        return {_plainly(key, ""): _plainly(part, "") for key, part in value.items()}
    return value


def say(text: str, *, end: str = "\n") -> None:
    """Tell the person at the terminal something, on standard error."""
    print(plain(text, lines=True, longest=20 * LONGEST), end=end, file=sys.stderr, flush=True)  # noqa: T201


def tell(text: str, *, end: str = "\n") -> None:
    """Tell what happens at the table, on standard output."""
    sys.stdout.write(f"{plain(text, lines=True, longest=20 * LONGEST)}{end}")
    sys.stdout.flush()


def silent(text: str, *, end: str = "\n") -> None:
    """Tell nothing."""
