"""A question for odds on its way to an answer, and how long each way to one may take."""

from __future__ import annotations

from affray.app.play import PlayedGame
from affray.core.lazy import NamedTuple

__all__ = ["SHARE", "Asked"]

SHARE = 0.4
"""The share of the seconds left that each of solving, following and looking ahead may take."""


class Asked(NamedTuple):
    """A question for odds, and why there is no exact answer."""

    game: PlayedGame
    names: tuple[str, ...]
    given: tuple[str, ...]
    objective: str
    why: str
