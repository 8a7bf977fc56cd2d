"""The chances of a fight that people play, from where it stands or where it stood."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.app.views.fight_reports import ChanceRow, ChancesView
from affray.core.errors import SetupError
from affray.engine.budget import Budget

if TYPE_CHECKING:
    from affray.app.fight import Fight

__all__ = ["SECONDS", "ask_chances", "check_many"]

SECONDS = 2.0
"""The seconds that chances take at most, unless it is told otherwise."""


def check_many(fight: Fight) -> None:
    """Check that a fight has more than one exchange.

    Raises:
        SetupError: it is one exchange, such as a game on a map; advice says what that is worth.
    """
    if fight.loaded.whole is not None:
        raise SetupError(
            f"{fight.loaded.origin}: this game is one exchange; advice at its decisions says what "
            "they are worth"
        )


def ask_chances(fight: Fight, budget: Budget | None = None, *, seed: int = 1) -> ChancesView:
    """The chance of both sides to win from where a fight stands.

    Exact in a fight of two where that is quick; else from fights that are played out, with the
    interval that holds the truth 95 times in 100.

    Args:
        fight: the fight.
        budget: how much it may take; two seconds by default.
        seed: of what is drawn.

    Raises:
        SetupError: the fight is one exchange, such as a game on a map.
        LimitError: not even a few fights could be played out.
    """
    check_many(fight)
    here = fight.session.position
    found = fight.computers.outlook.chances(here, budget or Budget(seconds=SECONDS), seed)
    one, other = (side.name for side in here.contest.sides)
    return ChancesView(
        system=fight.system,
        setup=fight.loaded.origin,
        sides=(one, other),
        moves=len(fight.moves),
        round=here.moment.round,
        one=ChanceRow(*found.won[0]),
        other=ChanceRow(*found.won[1]),
        neither=ChanceRow(*found.neither),
        known="exact" if found.is_exact else "estimate",
        played=found.n,
    )
