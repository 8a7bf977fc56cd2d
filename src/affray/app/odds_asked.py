"""A question for odds on its way to an answer, and how long each way to one may take."""

from __future__ import annotations

from typing import NamedTuple

from affray.app.play import PlayedGame
from affray.engine.budget import Budget, Clock

__all__ = ["Asked", "part_of"]

SHARE = 0.4
"""The share of the seconds left that each of solving, following and looking ahead may take."""


class Asked(NamedTuple):
    """A question for odds, and why there is no exact answer."""

    game: PlayedGame
    names: tuple[str, ...]
    given: tuple[str, ...]
    objective: str
    why: str


def part_of(clock: Clock) -> Budget:
    """A share of the seconds that are left."""
    return Budget(seconds=None if clock.seconds is None else max(0.0, round(SHARE * clock.left, 1)))
