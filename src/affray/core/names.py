"""Names that users give, looked up; what is not known is refused with what is."""

from __future__ import annotations

from collections.abc import Iterable

from affray.core.errors import UnknownNameError
from affray.core.telling import shown

__all__ = ["nearest", "unknown"]

MOST_SHOWN = 40
LONGEST = 200
"""Longer names are nobody's misspelling."""


def nearest(given: str, known: Iterable[str]) -> str:
    """A question whether the nearest known name was meant, with a space before; or nothing."""
    from difflib import get_close_matches  # only for messages

    close = get_close_matches(given, list(known), 1) if len(given) <= LONGEST else []
    return f" Did you mean {close[0]!r}?" if close else ""


def unknown(what: str, given: str, known: Iterable[str]) -> UnknownNameError:
    """The error for a name: what was given, the nearest known one, and what is allowed."""
    names = list(known)
    if not names:
        return UnknownNameError(f"no {what} is called {shown(given)}; there is none at all")
    listed = ", ".join(names[:MOST_SHOWN])
    if len(names) > MOST_SHOWN:
        listed += f" and {len(names) - MOST_SHOWN} more"
    hint = nearest(given, names)
    return UnknownNameError(f"no {what} is called {shown(given)}.{hint} Known: {listed}")
