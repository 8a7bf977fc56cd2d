"""The chances of a fight that people play, from where it stands or where it stood."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.app.inputs.fight_setups import with_policies
from affray.app.views.fight_reports import ChanceRow, ChancesView
from affray.core.errors import SetupError
from affray.engine.budget import Budget
from affray.engine.fight.contest import Contest
from affray.engine.fight.played.chances import Chances, Players, chances
from affray.engine.fight.played.position import Position

if TYPE_CHECKING:
    from affray.app.fight import Fight

__all__ = ["SECONDS", "Outlook", "ask_chances", "outlook_of"]

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

    Raises:
        SetupError: it is one exchange, such as a game on a map; advice says what that is worth.
    """

    def __init__(self, fight: Fight) -> None:
        loaded = fight.loaded
        if loaded.whole is not None:
            raise SetupError(
                f"{loaded.origin}: this game is one exchange; advice at its decisions says what "
                "they are worth"
            )
        one, other = (name if name in QUICK else USUAL for name in loaded.policies)
        self._sides = with_policies(loaded, (one, other)).contest.sides
        self._players = Players(loaded.targets)
        self._planned: dict[Contest, Contest] = {}

    def chances(self, here: Position, budget: Budget, seed: int = 1) -> Chances:
        """The chances in a position.

        Raises:
            LimitError: not even a few fights could be played out.
        """
        planned = self._with_plans(here.contest)
        conditions = tuple(
            tuple(planned.lean(number, *one) for one in zip(side.fighters, row, strict=True))
            for number, (side, row) in enumerate(zip(planned.sides, here.conditions, strict=True))
        )
        here = here._replace(contest=planned, conditions=conditions)
        return chances(here, self._players, seed=seed, budget=budget)

    def _with_plans(self, contest: Contest) -> Contest:
        """The fight as it stands, a game master's changes included, with the computers' plans."""
        if contest not in self._planned:
            one, other = (
                side._replace(plan=planned.plan, plans=planned.plans)
                for side, planned in zip(contest.sides, self._sides, strict=True)
            )
            self._planned[contest] = contest.changed(sides=(one, other))
        return self._planned[contest]


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
