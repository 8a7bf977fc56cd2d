"""What is certain of a duel that is not worked out: the probability that has ended by then.

Probability flows forward from the start, exchange by exchange (`states`). What has ended has ended,
so each side wins at least so often; and at most so often as nobody else has won and nothing else
has come of it. Whatever is left of the time makes the bounds closer.

States with much probability come first: all that have at least a hundredth are followed, one after
the other, until none has, then all with a thousandth, and so on. So the time goes into what is
likely, and a state is mostly followed when all that leads to it has come together. Probabilities
are whole numbers of a tiny unit, rounded down: what is lost in rounding counts as not ended.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from fractions import Fraction
from math import nextafter
from typing import TypeAlias, get_args

from affray.core.errors import LimitError
from affray.core.lazy import NamedTuple
from affray.engine.budget import Budget, spending
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import Verdict
from affray.engine.fight.duels.states import State, States, Target, Weighted, all_states

__all__ = ["CertainDuel", "certain_of"]

UNIT = 10**30
"""So many units make one."""
FIRST, LAST = UNIT // 100, 1_000
"""The least probability of a state that is followed: at first, and at last."""
FINER = 10
"""By how much it falls when no state has so much any more."""

PATIENCE = 10
"""How often all states are followed before it is asked whether anything has ended meanwhile."""
MOST_STATES = 1_000_000
"""States that are followed, unless a budget says otherwise."""
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

_Place: TypeAlias = tuple[int, State]
"""A state, and the number of the way to begin."""


class CertainDuel(NamedTuple):
    """What is certain of a duel.

    Attributes:
        between: the probability of each verdict, at least and at most.
        open: the probability of what has not ended by then.
        states: how many different states were followed.
        stopped_by: the limit that ended it; "" where what is open never ends.
    """

    between: Mapping[Verdict, tuple[float, float]]
    open: float
    states: int
    stopped_by: str


class _Flow:
    """Probability on its way through the states of a duel."""

    def __init__(self, contest: Contest, rounds: int | None) -> None:
        self.ended: dict[Verdict, int] = dict.fromkeys(VERDICTS, 0)
        self._waiting: dict[_Place, int] = {}
        self._chain: dict[_Place, Weighted] = {}
        self._states: list[States] = []
        for number, states in enumerate(all_states(contest, rounds=rounds)):
            self._states.append(states)
            begins = states.begins()
            share = states.lead.chance / len(begins)
            for target in begins:
                self._pour(number, target, UNIT * share.numerator // share.denominator)

    @property
    def n_states(self) -> int:
        """How many different states were followed."""
        return len(self._chain)

    def _pour(self, number: int, target: Target, mass: int) -> None:
        if isinstance(target, str):
            self.ended[target] += mass
        else:
            place = number, target
            self._waiting[place] = self._waiting.get(place, 0) + mass

    def run(self, most: int) -> str:
        """Let it flow until next to nothing more ends; the limit that ended it before, or ""."""
        least, pours, ended = FIRST, 0, 0
        with spending() as clock:
            while least > LAST:
                ready = deque(place for place, mass in self._waiting.items() if mass >= least)
                while ready:
                    place = ready.popleft()
                    mass = self._waiting.pop(place, 0)
                    if not mass:
                        continue
                    pours += 1
                    if pours > PATIENCE * (1 + self.n_states):
                        now = sum(self.ended.values())
                        if now - ended <= LAST:
                            return ""  # whatever is left never ends
                        pours, ended = 0, now
                    clock.tell("states", self.n_states)
                    known = self._chain.get(place)
                    if known is None:
                        if self.n_states >= most:
                            return "pairs"
                        clock.poll()
                        known = self._chain[place] = self._states[place[0]].after(place[1])
                    after, total = known
                    clock.tick(len(after) >> 3)
                    for target, weight in after.items():
                        self._pour(place[0], target, mass * weight // total)
                        if not isinstance(target, str) and (
                            self._waiting[place[0], target] >= least
                        ):
                            ready.append((place[0], target))
                least //= FINER
        return ""


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
    ended = dict.fromkeys(VERDICTS, 0) if flow is None else flow.ended
    left = UNIT - sum(ended.values())
    between = {
        verdict: (_rounded(mass, down=True), _rounded(mass + left, down=False))
        for verdict, mass in ended.items()
    }
    return CertainDuel(
        between, _rounded(left, down=False), 0 if flow is None else flow.n_states, stopped
    )


def _rounded(mass: int, *, down: bool) -> float:
    """A probability as a number, rounded down or up."""
    exact = Fraction(mass, UNIT)
    number = float(exact)
    if down:
        return nextafter(number, 0.0) if number > exact else number
    return min(1.0, nextafter(number, 1.0)) if number < exact else number
