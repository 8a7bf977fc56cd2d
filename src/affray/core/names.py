"""Names that users give, looked up; what is not known is refused with what is."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from affray.core.errors import UnknownNameError

__all__ = ["nearest", "unknown"]

MOST_SHOWN = 40


def nearest(given: str, known: Iterable[str]) -> str:
    """A question whether the nearest known name was meant, with a space before; or nothing."""
    close = get_close_matches(given, list(known), 1)
    return f" Did you mean {close[0]!r}?" if close else ""


def unknown(what: str, given: str, known: Iterable[str]) -> UnknownNameError:
    """The error for a name: what was given, the nearest known one, and what is allowed."""
    names = list(known)
    shown = ", ".join(names[:MOST_SHOWN])
    if len(names) > MOST_SHOWN:
        shown += f" and {len(names) - MOST_SHOWN} more"
    hint = nearest(given, names)
    return UnknownNameError(f"no {what} is called {given!r}.{hint} Known: {shown}")
