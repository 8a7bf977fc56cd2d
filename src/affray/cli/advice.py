"""Advice after an error, in terms of the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile

from affray.core.telling import shown

__all__ = ["ADVICE", "LIMITS", "advice_on"]

ADVICE: Mapping[str, str] = {
    "own-roster": "--roster FILE",
    "list-roster": "`affray roster {system}` lists them",
    "list-keys": "`affray schema {system}` prints all keys",
    "list-fight-keys": "`affray schema {system} --fight` prints all keys",
    "battle": "`affray battle {arguments}`",
    "fight": "`affray fight {arguments}`",
    "a-fight": "`affray fight {arguments}` plays it, `affray battle {arguments}` tells who wins",
    "a-game": "`affray fight {arguments}`",
    "win": "ask it of a fight: `affray fight {system} FIGHT` and ? there, or with --objective win "
    "`affray best`, `affray duel` and `affray report`",
    "win-elsewhere": "`affray duel {arguments} --objective win`, "
    "`affray fight {arguments} --objective win`",
    "an-exchange": "`affray play {arguments}` plays it, `affray odds {arguments}` prices it",
}
"""For each key that an error may carry, what it means here."""
LIMITS: Mapping[str, str] = {"seconds": "--seconds N", "places": "--places N"}
"""For each limit the option that allows more."""


def advice_on(error: Exception, words: Sequence[str]) -> str:
    """Advice in brackets; "" where nothing more can be said.

    Args:
        error: what was raised.
        words: the command line, from the command on.
    """
    told = ADVICE.get(getattr(error, "advice", "")) or LIMITS.get(getattr(error, "limit", ""))
    if not told:
        return ""
    arguments = list(takewhile(lambda word: word == "-" or word[:1] != "-", words[1:]))
    system = shown(arguments[0])[1:-1] if arguments else "SYSTEM"
    return f" ({told.format(system=system, arguments=' '.join(arguments)[:LONGEST])})"


LONGEST = 200
