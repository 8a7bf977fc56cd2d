"""What is certain of a duel that both sides decide optimally, if it is not solved.

Every state has a least and a greatest worth, at first as far apart as a defeat and a win. A state
is opened by following its exchange; then it is worth what best play makes of it if all that follows
is worth as little as it can be, and as much. So both numbers hold whenever it is stopped:

    start --> opened states --> fights that ended, or closed states (between a defeat and a win)

The states to open are found by hopeful play: each side picks what could be best for it at most.
The gap at the start is no greater than those of the closed states that such play comes to, so these
are opened, those first that come up most often. What neither side could ever want to do is not
followed any further.
"""

from __future__ import annotations

from itertools import pairwise
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from affray.core.errors import LimitError
from affray.core.lazy import NamedTuple
from affray.engine.budget import Budget, Clock, spending
from affray.engine.fight.contest import Contest
from affray.engine.fight.duels.circles import Alike, freed
from affray.engine.fight.duels.opening import ENDS, Exchanges, NewInitiativeError, Opening, Ranks
from affray.engine.fight.duels.tree import Numbers, Picks

__all__ = ["BestBounds", "best_within"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CLOSE = 1e-6
"""Bounds that are so close are close enough."""
UNSURE = 1e-9
"""More than all roundings of floats can add up to."""
LEAST_S = 0.2
"""Seconds for opening states, at least, before all bounds are worked out anew."""
SHARE = 2.0
"""How much longer than that states are opened."""
COVERED = 0.8
"""The share of the gap whose closed states are opened by then; bounds anew tell better which."""
GROWS = 0.1
"""By how much opened states grow by then, at least."""
TIMES = 4
"""How often hopeful play is followed through states that can come back."""
AT_ONCE = 400_000
"""Numbers that are held at once."""
MOST_OPEN = 1_000_000
"""States that are opened, unless a budget says otherwise."""
GROWN = 1.2
"""By how much opened states have grown before bounds are freed again."""
FOUND = 0.25
"""The share of the gap that closed states must account for, so that they alone are opened."""
LEAST = 1e-12
"""How often states count to which hopeful play does not come, next to circles in which it goes."""
SECOND = 1e-2
"""How much hopeful sides look at the other bound: of options that may be as good, the surer one."""
SLOWEST = 1e-4
"""The share of the gap that bounds of states that come back must lose each time, at least."""


class BestBounds(NamedTuple):
    """What is certain of a duel of best play.

    Attributes:
        least, most: the probability that the first side wins, everything that nobody wins counting
            one half, at least and at most.
        states: how many states were opened.
        stopped_by: the limit that ended it; "" where the bounds came close.
    """

    least: float
    most: float
    states: int
    stopped_by: str

    @property
    def open(self) -> float:
        """How far they are apart."""
        return self.most - self.least


class _Bounds:
    """States with what they are worth at least and at most.

    Args:
        opening: the states.
    """

    def __init__(self, opening: Opening) -> None:
        self.opening, self.opened = opening, opening.opened
        self.low: Floats = np.array(ENDS)
        self.high: Floats = np.array(ENDS)
        self._freed_at = 0
        self._take_up()

    def _take_up(self) -> None:
        """Bound the states that are new: each is worth anything from a defeat to a win."""
        more = np.full(len(self.opening.deep) - len(self.low), 0.5)
        self.low = np.concatenate([self.low, -more])
        self.high = np.concatenate([self.high, more])

    @property
    def gap(self) -> float:
        """How far the bounds are apart at the start."""
        return sum(
            chance * float(self.high[state] - self.low[state])
            for state, chance in self.opening.starts.items()
        )

    def between(self) -> tuple[float, float]:
        """The worth of the duel to the first side, at least and at most."""
        low, high = (
            sum(chance * float(worth[state]) for state, chance in self.opening.starts.items())
            for worth in (self.low, self.high)
        )
        return max(0.0, 0.5 + low - UNSURE), min(1.0, 0.5 + high + UNSURE)

    def renew(self) -> Floats:
        """Work out the bounds of all opened states; by how much each closed one keeps them apart.

        Hopeful play may go round in circles, where putting off the end seems to be as good as
        anything else. Then all closed states next to it count.
        """
        self._take_up()
        alike = [self._renewed(states) for states in self._groups()]
        reach = np.zeros(len(self.low))
        for state, chance in self.opening.starts.items():
            reach[state] = chance
        seen = np.zeros(len(self.low))
        for _ in range(TIMES):
            for every in reversed(alike):
                often = reach[every.states] > UNSURE
                if often.any():
                    some = every.only(often)
                    here = reach[some.states]
                    seen[some.states] += here
                    reach[some.states] = 0
                    np.add.at(reach, some.ends, some.tree.forward(some.picks) * here)
        if len(self.opened) >= GROWN * self._freed_at:
            self._freed_at = len(self.opened)
            met = [some.only(seen[some.states] > UNSURE) for some in alike]
            met = [some for some in met if len(some.states)]
            self.high = freed(met, self.high, 0)
            self.low = -freed(met, -self.low, 1)
        apart = self.high - self.low
        apart[list(self.opened)] = 0
        score = reach * apart
        if score.sum() < FOUND * self.gap:
            near = np.zeros(len(self.low))
            for some in alike:
                often = np.maximum(seen[some.states], LEAST)
                weight = np.broadcast_to(often, some.ends.shape)
                np.maximum.at(near, some.ends, weight)
            score = np.maximum(score, near * apart)
        return score

    def _groups(self) -> list[Ints]:
        """Opened states that share an exchange, those furthest from the start first."""
        every = sorted(
            (-self.opening.deep[state], id(opened.tree), opened.signs, state)
            for state, opened in self.opened.items()
        )
        if not every:
            return []
        cuts = [0, len(every)]
        cuts[1:1] = [n + 1 for n, (one, two) in enumerate(pairwise(every)) if one[:3] != two[:3]]
        states = np.array([row[3] for row in every])
        found = []
        for start, stop in pairwise(cuts):
            width = max(1, AT_ONCE // self.opened[int(states[start])].tree.n_places)
            found += [states[at : min(stop, at + width)] for at in range(start, stop, width)]
        return found

    def _renewed(self, states: Ints) -> Alike:
        """Work out the bounds of states that share an exchange."""
        tree, signs, _ = self.opened[int(states[0])]
        ends = np.stack([self.opened[state].ends for state in states.tolist()], 1)
        n = len(states)
        low, high = self.low[ends], self.high[ends]
        worth = np.concatenate([low, high, low + SECOND * high, high + SECOND * low], 1)
        picks: Numbers = np.zeros((tree.n_picks, 4 * n), np.int16)
        values, picks = tree.backward(worth, picks, signs, 0.0)
        # Bounds that were known hold as well.
        self.low[states] = np.maximum(self.low[states], values[-1, :n])
        self.high[states] = np.minimum(self.high[states], values[-1, n : 2 * n])
        picks = picks[:, 2 * n :]
        whose = [layer.whose for layer in tree.layers if isinstance(layer, Picks)]
        if whose:
            first = np.array(signs)[np.concatenate(whose)] > 0
            picks = np.where(first[:, None], picks[:, n:], picks[:, :n])
        return Alike(tree, signs, states, ends, picks[:, :n])

    def _chosen(self, score: Floats) -> Ints:
        """The closed states to open, those first that keep the bounds apart most."""
        order = np.argsort(-score, kind="stable")[: np.count_nonzero(score)]
        covered = np.cumsum(score[order])
        enough = np.searchsorted(covered, COVERED * covered[-1]) + 1 if len(order) else 0
        return order[: max(int(enough), int(GROWS * len(self.opened)))]

    def improve(self, clock: Clock, most: int) -> str:
        """Open states until the bounds are close; the limit that ended it before, or ""."""
        began = monotonic()
        score = self.renew()
        while self.gap > CLOSE:
            took = monotonic() - began
            chosen = self._chosen(score)
            began = monotonic()
            for state in chosen.tolist():
                if len(self.opened) >= most:
                    return "pairs"
                clock.tell("states", len(self.opened))
                clock.tick(64)
                self.opening.open(state)
                clock.claim(2 * 8 * len(self.opened[state].ends), "opened states")
                if monotonic() - began > max(LEAST_S, SHARE * took):
                    break
            if not score.any():  # all is open; states come back to each other
                before, self._freed_at = self.gap, 0
                clock.poll()
                score = self.renew()
                if self.gap > before * (1 - SLOWEST):
                    return "turns"
                continue
            began = monotonic()
            score = self.renew()
        return ""


def best_within(contest: Contest, *, budget: Budget | None = None) -> BestBounds | None:
    """Bound a duel in which both sides decide optimally, as closely as the budget allows.

    Args:
        contest: the fight; the first fighters of both sides take part, each within its plan.
        budget: how much it may take, its states counting as `pairs`; by default what the running
            one has left.

    Returns:
        The bounds; None if interludes befall the fighters.

    Raises:
        LimitError: somebody asked to stop.
        SetupError: as for `Contest`.
    """
    if contest.course.interludes:
        return None
    bounds: _Bounds | None = None
    with spending(budget) as clock:
        try:
            exchanges = Exchanges(contest)
            ranks: Ranks = ({}, {})
            while True:
                try:
                    bounds = _Bounds(Opening(exchanges, ranks))
                    stopped = bounds.improve(clock, clock.pairs(MOST_OPEN))
                    break
                except NewInitiativeError:
                    bounds = None
        except LimitError as limit:
            if limit.limit == "interrupted":
                raise
            stopped = limit.limit
    if bounds is None:
        return BestBounds(0.0, 1.0, 0, stopped)
    bounds.renew()
    return BestBounds(*bounds.between(), len(bounds.opened), stopped)
