"""What a look-ahead solves exactly: small rests on its way, and the place in question if it can.

Attempts take a share of the budget. Steps that turned out to be large are tried ever more rarely;
the share for the place in question is halved each time that it isn't enough, and grows again when
it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

from affray.core.errors import LimitError
from affray.core.node import At, Facts, Step
from affray.engine.advice.reach import is_soon_solved, solve_within_reach
from affray.engine.advice.walking import Walk
from affray.engine.budget import Budget, Clock, spending
from affray.engine.exchange.best import Solution

__all__ = ["SMALL", "Rests"]

MOST_SHARE, LEAST_SHARE = 0.4, 0.02
"""The share of a budget that goes into solving the place in question: at first, and at least."""
MOST_SOLVED = 2_000_000
"""Places that are followed at most to solve the place in question."""
SMALL = 4_000
"""Places within which a rest is solved at most."""
FIRST_TRIED = 250
"""Places within which a rest is solved at first."""
SHARE_SOLVED = 0.3
"""The share of all places that may go into attempts to solve."""


class _Trial:
    """How attempts to solve from a step have gone: how large they may be, how long to wait."""

    __slots__ = ("failed", "most", "wait")

    def __init__(self) -> None:
        self.most = FIRST_TRIED
        self.failed = 0
        self.wait = 0


class Rests:
    """Solves what is left of an exchange from a place, where that is worth its time.

    Args:
        solution: keeps what was solved.
        walk: counts the rules that were applied.
        most: places within which a rest is solved; 0: nothing is.
        solves: whether the place in question may be tried at once, however large it is.
    """

    def __init__(self, solution: Solution, walk: Walk, most: int, *, solves: bool) -> None:
        self._solution = solution
        self._walk = walk
        self._most = most
        self._trials: dict[Step[Facts], _Trial] = {}
        self._spent = 0
        self._share = MOST_SHARE
        self._outgrown = not solves

    @contextmanager
    def left_alone(self) -> Iterator[None]:
        """Nothing is solved meanwhile."""
        most, self._most = self._most, 0
        try:
            yield
        finally:
            self._most = most

    def small(self, at: At[Facts]) -> Fraction | None:
        """The value of a rest that takes few places; None of any other."""
        trial = self._trials.setdefault(at.step, _Trial())
        if trial.wait:
            trial.wait -= 1
            return None
        if not self._most or self._spent > SHARE_SOLVED * self._walk.places:
            return None
        known = self._solution.followed
        value = self._solution.value_within(at, min(trial.most, self._most))
        spent = self._solution.followed - known
        self._spent += spent
        self._walk.places += spent
        if value is None:
            trial.failed += 1
            trial.wait = 1 << min(trial.failed, 20)
            return None
        trial.failed = 0
        trial.most = min(self._most, 2 * trial.most)
        return value

    def whole(self, at: At[Facts], most: int, clock: Clock) -> Fraction | None:
        """The value of the place in question, if a share of the budget is enough; else None.

        Args:
            at: the place.
            most: places that may be followed; a share of them is.
            clock: of the budget.
        """
        if not self._most:
            return None
        known = self._solution.followed
        found = False
        try:
            places = int(min(most, MOST_SOLVED) * self._share)
            with spending(Budget(places=places)):
                if self._outgrown:
                    seconds = max(0.0, self._share * clock.left)
                    soon = min(places, self._most)
                    found = is_soon_solved(self._solution, at, soon, seconds)
                else:
                    solve_within_reach(self._solution, at, self._share)
                    found = True
        except LimitError as limit:
            clock.poll()
            if limit.limit not in {"growth", "seconds", "places"}:
                raise
            self._outgrown = limit.limit == "growth"
        self._walk.places += self._solution.followed - known
        self._share = max(LEAST_SHARE, self._share / 2)
        if not found:
            return None
        self._share = min(MOST_SHARE, self._share * 4)
        self._outgrown = False
        return self._solution.value_at(at)
