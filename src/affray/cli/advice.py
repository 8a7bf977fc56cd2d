"""What helps after an error, as it is done on the command line."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["ADVICE", "advice_on"]

ADVICE: Mapping[str, str] = {
    "own-roster": "--roster FILE",
    "list-roster": "`affray roster SYSTEM` lists them",
    "list-keys": "`affray schema SYSTEM` prints all keys",
    "list-fight-keys": "`affray schema SYSTEM --fight` prints all keys",
    "battle": "`affray battle` takes the same arguments",
}
"""For each key that an error may carry, what it means here."""
LIMITS: Mapping[str, str] = {"seconds": "--seconds N", "places": "--places N"}
"""For each limit the option that allows more."""


def advice_on(error: Exception) -> str:
    """What helps, in brackets; "" where nothing more can be said."""
    told = ADVICE.get(getattr(error, "advice", "")) or LIMITS.get(getattr(error, "limit", ""))
    return f" ({told})" if told else ""
