"""Names that users give, looked up; what is not known is refused with what is."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from affray.core.errors import SetupError

__all__ = ["UnknownNameError", "unknown"]

MOST_SHOWN = 40


class UnknownNameError(SetupError):
    """A name of a system, clause, field, objective or example that nobody knows."""


def unknown(what: str, given: str, known: Iterable[str]) -> UnknownNameError:
    """The error for a name: what was given, the nearest known one, and all that are allowed."""
    names = list(known)
    close = get_close_matches(given, names, 1)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    shown = ", ".join(names[:MOST_SHOWN])
    if len(names) > MOST_SHOWN:
        shown += f" and {len(names) - MOST_SHOWN} more"
    return UnknownNameError(f"no {what} is called {given!r}.{hint} Known: {shown}")
