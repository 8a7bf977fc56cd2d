"""Open choices of battles that are played: what is best, or a rule of thumb instead."""

from __future__ import annotations

from time import monotonic
from weakref import WeakKeyDictionary

from affray.core.errors import LimitError
from affray.core.meter import meter_in_force
from affray.core.node import At, Choice, Facts, Option
from affray.engine.budget import Budget, spending
from affray.engine.exchange.best import Solution, solve
from affray.engine.exchange.game import Game, considered, liked
from affray.engine.fight.matchup import Matchup

__all__ = ["Deciding"]

MOST_PLACES = 50_000
"""Places that are followed to solve the choices of one exchange, about a second's work."""
MOST_KEPT = 200_000
"""Places of solved exchanges that are kept, about half a gigabyte."""


class Deciding:
    """Decides what plans leave open in exchanges, for as many battles of a contest as you like.

    Args:
        seconds: in all, for solving exchanges; then rules of thumb decide. None: no limit.

    Attributes:
        by_thumb: choices that were decided by a rule of thumb, since solving them took too long.
    """

    def __init__(self, seconds: float | None = None) -> None:
        self.by_thumb = 0
        self._left = seconds
        self._solved: WeakKeyDictionary[Matchup, dict[At[Facts], Solution | None]]
        self._solved = WeakKeyDictionary()
        self._kept = 0

    def option(
        self, game: Game, matchup: Matchup, place: tuple[At[Facts], Choice[Facts]]
    ) -> Option[Facts]:
        """The option to take at a choice of an exchange.

        Raises:
            LimitError: the budget in force is spent.
        """
        at, choice = place
        options = considered(game, at, choice)
        if len(options) == 1:
            return options[0]
        known = self._solved.setdefault(matchup, {})
        if game.start not in known:
            known[game.start] = self._new(game, matchup)
        solution = known[game.start]
        found = None if solution is None else self._best(solution, at, choice)
        if found is None:
            known[game.start] = None
            self.by_thumb += 1
            return (liked(game, at, choice) or options)[0]
        return found

    def _new(self, game: Game, matchup: Matchup) -> Solution | None:
        """A solution that is still to be worked out; None where there is no time left for it."""
        if self._left is not None and self._left <= 0:
            return None
        if self._kept > MOST_KEPT:
            self._kept = 0
            self._solved.clear()
        return solve(game, matchup.objective, threshold=matchup.threshold)

    def _best(
        self, solution: Solution, at: At[Facts], choice: Choice[Facts]
    ) -> Option[Facts] | None:
        """The best option; None: it takes too long to find out."""
        began, before = monotonic(), solution.followed
        try:
            with spending(Budget(places=before + MOST_PLACES, seconds=self._left)):
                return solution.decide(at, choice)
        except LimitError:
            meter_in_force().poll()  # it was this budget that was spent, not that of the battle
            return None
        finally:
            self._kept += solution.followed - before
            if self._left is not None:
                self._left -= monotonic() - began
