"""A game that goes on by itself until somebody is asked, within a budget."""

from __future__ import annotations

from affray.app.changes import taken
from affray.app.goes_on import due
from affray.core.errors import LimitError
from affray.core.meter import meter_in_force
from affray.mcp.games import Held

__all__ = ["go_on"]

STOPPED = (
    "The time was over before the game came to a question for you. Call change_game without a "
    "change to let it go on."
)


def go_on(held: Held) -> tuple[str, ...]:
    """Let a game go on to where somebody is asked; computers decide and roll.

    Args:
        held: the game; each step that is done stays when the budget in force is spent.

    Returns:
        what somebody should know who waits for it.

    Raises:
        LimitError: somebody asked to stop.
    """
    told: list[str] = []
    try:
        while (step := due(held.game)) is not None:
            meter_in_force().poll()
            after = taken(held.game, step)
            held.game = after.game
            told += after.told
    except LimitError as limit:
        if limit.limit == "interrupted":
            raise
        told.append(STOPPED)
    return tuple(told)
