"""How a fight leaves its fighters: standing, out, dead, or whatever else its system tells apart.

Once a fight is over, something may still be to be settled for a fighter (`Fight.afterwards`): a
deed on oneself, priced like any other exchange. So a condition leads to a fate with a chance.
"""

from __future__ import annotations

from collections.abc import Hashable

from affray.engine.fight.contest import Contest
from affray.engine.fight.matchup import Encounter

__all__ = ["Fates"]


class Fates:
    """The chances of all fates, condition by condition.

    Attributes:
        names: of the fates, in the system's order; () if it tells none apart.
    """

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.names = contest.fight.fates
        self._known: dict[tuple[int, Hashable, Hashable], tuple[float, ...]] = {}

    def of(self, side: int, sheet: Hashable, condition: Hashable) -> tuple[float, ...]:
        """The chance of each fate of a fighter whom a fight leaves in this condition.

        Args:
            side: the number of the fighter's side.
            sheet: the fighter's.
            condition: at the end of the fight.
        """
        key = (side, sheet, condition)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._worked_out(side, sheet, condition)
        return known

    def _worked_out(self, side: int, sheet: Hashable, condition: Hashable) -> tuple[float, ...]:
        fight = self.contest.fight
        chances = dict.fromkeys(self.names, 0.0)
        deed = fight.afterwards(sheet, condition)
        odds = None
        if deed is not None:
            matchup = self.contest.matchup(side, sheet, sheet, friend=True)
            odds = matchup.odds(Encounter(deed, condition, condition, fight.context(())))
        if odds is None:
            chances[fight.fate(sheet, condition)] = 1.0
            return tuple(chances.values())
        for (mine, theirs), weight in zip(odds.effects, odds.weights, strict=True):
            after = fight.apply(sheet, fight.apply(sheet, condition, mine), theirs)
            chances[fight.fate(sheet, after)] += weight / odds.total
        return tuple(chances.values())
