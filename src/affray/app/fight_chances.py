"""The chances of a fight that people play, from where it stands or where it stood."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from affray.app.inputs.fight_setups import with_policies
from affray.app.views.fight_reports import ChanceRow, ChancesView
from affray.core.errors import SetupError
from affray.engine.budget import Budget
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.played.chances import Chances, chances
from affray.engine.fight.played.playouts import Players
from affray.engine.fight.played.position import Position

if TYPE_CHECKING:
    from affray.app.fight import Fight

__all__ = ["SECONDS", "Outlook", "ask_chances", "check_many", "outlook_of", "planned_like"]

SECONDS = 2.0
"""The seconds that chances take at most, unless it is told otherwise."""
USUAL = "opening"
"""How a computer plays a side on, unless the fight names a policy that is as quick."""
QUICK = ("first", "opening")


class Outlook:
    """The chances in any position of one fight, played on as its computers play.

    What is worked out for one position serves the next ones.

    Args:
        fight: the fight.

    Attributes:
        ready: puts the plans of both sides into a position. players: how it is played out.
    """

    def __init__(self, fight: Fight) -> None:
        loaded = fight.loaded
        one, other = (name if name in QUICK else USUAL for name in loaded.policies)
        self.ready = planned_like(with_policies(loaded, (one, other)).contest.sides)
        self.players = Players(loaded.targets)

    def chances(self, here: Position, budget: Budget, seed: int = 1) -> Chances:
        """The chances in a position.

        Raises:
            LimitError: not even a few fights could be played out.
        """
        return chances(self.ready(here), self.players, seed=seed, budget=budget)


def planned_like(sides: tuple[Side, Side]) -> Callable[[Position], Position]:
    """Puts the plans of these sides into a position, a game master's changes included.

    Conditions are then without what those plans never spend.
    """
    known: dict[Contest, Contest] = {}

    def planned(here: Position) -> Position:
        contest = known.get(here.contest)
        if contest is None:
            one, other = (
                side._replace(plan=like.plan, plans=like.plans)
                for side, like in zip(here.contest.sides, sides, strict=True)
            )
            contest = known[here.contest] = here.contest.changed(sides=(one, other))
        conditions = tuple(
            tuple(contest.lean(number, *one) for one in zip(side.fighters, row, strict=True))
            for number, (side, row) in enumerate(zip(contest.sides, here.conditions, strict=True))
        )
        return here._replace(contest=contest, conditions=conditions)

    return planned


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


def outlook_of(fight: Fight) -> Outlook:
    """The outlook of a fight, which is kept with it; errors as for `Outlook`."""
    known = vars(fight).get("_outlook")
    if not isinstance(known, Outlook):
        known = vars(fight)["_outlook"] = Outlook(fight)
    return known


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
    found = outlook_of(fight).chances(here, budget or Budget(seconds=SECONDS), seed)
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
