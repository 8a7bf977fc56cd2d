"""What is certain of a duel that is not worked out: the probability that has ended by then.

Probability flows forward from the start, exchange by exchange (`walks`). What has ended has ended,
so each side wins at least so often; and at most so often as nobody else has won and nothing else
has come of it. Whatever is left of the time makes the bounds closer.

Pairs of conditions with much probability come first: all that have at least a hundredth are
followed, until none has, then all with a thousandth, and so on. So the time goes into what is
likely, and exchanges are worked out for what is likely. Sums are rounded, by no more than a part
that is counted along and left open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import nextafter
from typing import TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from affray.core.errors import LimitError
from affray.core.lazy import NamedTuple
from affray.engine.budget import Budget, Clock, spending
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import VERDICT_OF, Slot, Verdict
from affray.engine.fight.duels.walks import Pairs, Walks

__all__ = ["VERDICTS", "CertainDuel", "certain_of"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FIRST, LAST = 1e-2, 1e-15
"""The least probability of a pair that is followed: at first, and at last."""
FINER = 10
"""By how much it falls when no pair has so much any more."""
ROUNDING = 2.0**-52
"""By how much one sum or product misses at most, as a part of it."""
AT_ONCE = 500_000
"""Numbers that are formed at once."""

PATIENCE = 10
"""How often all places are followed before it is asked whether anything has ended meanwhile."""
LEAST = 1e-18
"""Probability that counts as nothing."""
MOST_STATES = 1_000_000
"""States that are followed, unless a budget says otherwise."""
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

_Place: TypeAlias = tuple[int, int, int, tuple[int, ...]]
"""The number of the round, 0 where that makes no difference; the next exchange, -1 at the start of
the round; which side goes first in it; and how many interludes come before the turns of both."""


class CertainDuel(NamedTuple):
    """What is certain of a duel.

    Attributes:
        between: the probability of each verdict, at least and at most.
        open: the probability of what has not ended by then.
        states: how many states were followed; one that came up again counts again.
        stopped_by: the limit that ended it; "" where what is open never ends.
    """

    between: Mapping[Verdict, tuple[float, float]]
    open: float
    states: int
    stopped_by: str


class _Waiting:
    """Pairs at a place that are still to be followed, with their probabilities."""

    def __init__(self) -> None:
        self._codes: list[Ints] = []
        self._masses: list[Floats] = []
        self.most = 0.0

    def put(self, codes: Ints, masses: Floats) -> None:
        """Let these come there, too."""
        self._codes.append(codes)
        self._masses.append(masses)
        self._merge()

    def _merge(self) -> None:
        codes, masses = _added_up(np.concatenate(self._codes), np.concatenate(self._masses))
        self._codes, self._masses = [codes], [masses]
        self.most = float(masses.max(initial=0.0))

    def taken(self, least: float) -> tuple[Ints, Floats]:
        """Take those with at least so much."""
        (codes,), (masses,) = self._codes, self._masses
        taken = masses >= least
        self._codes, self._masses = [codes[~taken]], [masses[~taken]]
        self.most = float(self._masses[0].max(initial=0.0))
        return codes[taken], masses[taken]


def _added_up(codes: Ints, masses: Floats) -> tuple[Ints, Floats]:
    """Each code once, with all that it has."""
    different, which = np.unique(codes, return_inverse=True)
    sums = np.bincount(which, masses, len(different)).astype(np.float64, copy=False)
    return different, sums


class _Flow:
    """Probability on its way through a duel."""

    def __init__(self, contest: Contest, rounds: int | None) -> None:
        self.ended = np.zeros(len(VERDICT_OF))
        self.stalled = 0.0
        self.missed = 8 * ROUNDING
        self.n_states = 0
        self._rounds = rounds
        self._waiting: dict[_Place, _Waiting] = {}
        self._walks = walks = Walks(contest)
        pairs, chances = walks.begin()
        self._arrive((min(1, rounds or 0), -1, 0, ()), pairs, chances, walks.verdicts(*pairs[1:]))

    def _arrive(self, place: _Place, pairs: Pairs, masses: Floats, verdicts: Ints) -> None:
        """Let pairs come to a place, but for those that it is over for."""
        self.ended += np.bincount(verdicts, masses, len(VERDICT_OF))
        self.ended[0] = 0.0
        on = np.flatnonzero(verdicts == 0)
        if not len(on):
            return
        if self._rounds is not None and place[0] > self._rounds:
            self.stalled += float(masses[on].sum())
            return
        self._waiting.setdefault(place, _Waiting()).put(pairs.some(on).codes, masses[on])

    @property
    def all_ended(self) -> float:
        """The probability that has ended."""
        return float(self.ended.sum()) + self.stalled

    def run(self, most: int) -> str:
        """Let it flow until next to nothing more ends; the limit that ended it before, or ""."""
        least = FIRST
        with spending() as clock:
            while least > LAST:
                passes, ended = 0, self.all_ended
                while True:
                    places = sorted(p for p, those in self._waiting.items() if those.most >= least)
                    if not places:
                        break
                    for place in places:
                        if not self._followed(place, least, most, clock):
                            return "pairs"
                    passes += 1
                    if passes > PATIENCE * (1 + len(self._waiting)):
                        if self.all_ended - ended <= LEAST:
                            break  # what has so much never ends
                        passes, ended = 0, self.all_ended
                least /= FINER
        return ""

    def _followed(self, place: _Place, least: float, most: int, clock: Clock) -> bool:
        """Follow pairs with so much at a place; whether that is allowed."""
        codes, masses = self._waiting[place].taken(least)
        if self.n_states + len(codes) > most:
            self._waiting[place].put(codes, masses)
            return False
        clock.poll()
        self.n_states += len(codes)
        clock.tell("states", self.n_states)
        pairs = Pairs.of(codes)
        if place[1] < 0:
            self._begin_round(place, pairs, masses)
        else:
            self._act(place, pairs, masses)
        return True

    def _begin_round(self, place: _Place, pairs: Pairs, masses: Floats) -> None:
        walks = self._walks
        for turns in walks.turns(pairs):
            there = place[0], 0, turns.first, walks.before(turns.way)
            some = pairs.some(turns.rows)._replace(way=np.full(len(turns.rows), turns.way))
            self._arrive(there, some, masses[turns.rows] * turns.chance, 0 * turns.rows)
        self.missed += ROUNDING * (4 + len(masses))

    def _act(self, place: _Place, pairs: Pairs, masses: Floats) -> None:
        number, at, first, before = place
        slots = self._walks.slots(int(pairs.way[0]), first)
        there: _Place = number, at + 1, first, before
        if slots[at].ends_round:
            there = number + (self._rounds is not None), -1, 0, ()
        codes, after = zip(*self._sums(slots[at], pairs, masses), strict=True)
        merged = _added_up(np.concatenate(codes), np.concatenate(after))
        pairs, masses = Pairs.of(merged[0]), merged[1]
        one, other, verdicts = self._walks.settled(pairs.one, pairs.other, slots[at])
        self.missed += ROUNDING * (4 + len(masses))
        self._arrive(there, Pairs(pairs.way, one, other), masses, verdicts)

    def _sums(self, slot: Slot, pairs: Pairs, masses: Floats) -> Iterator[tuple[Ints, Floats]]:
        """The codes of pairs after an exchange, with how likely they are, a part after another."""
        for branch in self._walks.branches(slot, pairs):
            n = max(1, AT_ONCE // len(branch.chances))
            for start in range(0, len(branch.rows), n):
                some = slice(start, start + n)
                rows = branch.rows[some]
                after = masses[rows, None] * branch.chances
                way = np.broadcast_to(pairs.way[rows, None], after.shape)
                codes = Pairs(way, *branch.every(some)).codes
                self.missed += ROUNDING * (4 + after.size)
                yield _added_up(codes.ravel(), after.ravel())


def certain_of(
    contest: Contest, *, rounds: int | None = None, budget: Budget | None = None
) -> CertainDuel:
    """Let the probability of a duel end, as far as the budget allows.

    Args:
        contest: the fight; the first fighters of both sides take part, by fixed policies.
        rounds: after how many rounds it is called off; None: never.
        budget: how much it may take, its states counting as `pairs`; by default what the running
            one has left.

    Raises:
        LimitError: somebody asked to stop.
        SetupError: as for `Contest`.
    """
    with spending(budget) as clock:
        flow: _Flow | None = None
        try:
            flow = _Flow(contest, rounds)
            stopped = flow.run(clock.pairs(MOST_STATES))
        except LimitError as limit:
            if limit.limit == "interrupted":
                raise
            stopped = limit.limit
    least = dict.fromkeys(VERDICTS, 0.0)
    if flow is not None:
        least["stalled"] = flow.stalled
        for verdict, mass in zip(VERDICT_OF, flow.ended.tolist(), strict=True):
            if verdict is not None:
                least[verdict] += mass
        sure = 1 - flow.missed
        least = {verdict: max(0.0, mass * sure) for verdict, mass in least.items()}
    left = min(1.0, nextafter(1 - sum(least.values()), 1.0))
    between = {verdict: (mass, min(1.0, mass + left)) for verdict, mass in least.items()}
    return CertainDuel(between, left, 0 if flow is None else flow.n_states, stopped)
