"""What a fight looks like to those who look ahead: played on from any position."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from affray.app.inputs.fight_setups import LoadedFight, with_policies
from affray.core.errors import LimitError
from affray.engine.budget import Budget, spending
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.played.chances import Chances, chances
from affray.engine.fight.played.playouts import Players
from affray.engine.fight.played.position import Ground, Position

__all__ = ["Outlook", "planned_like"]

USUAL = "opening"
"""How a computer plays a side on, unless the fight names a policy that is as quick."""
QUICK = ("first", "opening")


class Outlook:
    """The chances in any position of one fight, played on as its computers play.

    What is worked out for one position serves the next ones.

    Args:
        loaded: the fight.
        seconds: how long it may take to work out opening moves; where it takes longer, sides are
            played on by first options. None: as long as it takes.

    Attributes:
        ready: puts the plans of both sides into a position. players: how it is played out.
    """

    def __init__(self, loaded: LoadedFight, seconds: float | None = None) -> None:
        one, other = (name if name in QUICK else USUAL for name in loaded.policies)
        try:
            with spending(None if seconds is None else Budget(seconds=seconds)):
                planned = with_policies(loaded, (one, other))
        except LimitError as limit:
            if limit.limit == "interrupted":
                raise
            planned = with_policies(loaded, ("first", "first"))
        self.ready = planned_like(planned.contest.sides)
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
    known: dict[tuple[Contest, tuple[Ground, ...]], Contest] = {}

    def planned(here: Position) -> Position:
        settled = here.grounds if here.course.sizes == (1, 1) else ()
        contest = known.get((here.contest, settled))
        if contest is None:
            met = _met(here) if settled else [side.situation for side in here.contest.sides]
            one, other = (
                side._replace(plan=like.plan, plans=like.plans, situation=situation)
                for side, like, situation in zip(here.contest.sides, sides, met, strict=True)
            )
            contest = known[here.contest, settled] = here.contest.changed(sides=(one, other))
        if settled:
            here = here._replace(grounds=())
        conditions = tuple(
            tuple(contest.lean(number, *one) for one in zip(side.fighters, row, strict=True))
            for number, (side, row) in enumerate(zip(contest.sides, here.conditions, strict=True))
        )
        return here._replace(contest=contest, conditions=conditions)

    return planned


def _met(here: Position) -> list[Hashable]:
    """The situations of two fighters where each acts upon the other."""
    one, other = here.course.everybody
    return [
        here.situation(*two) or side.situation
        for two, side in zip(((one, other), (other, one)), here.contest.sides, strict=True)
    ]
