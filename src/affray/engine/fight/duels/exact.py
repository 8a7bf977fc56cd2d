"""Two fighters to the end in whole fractions: the audit of the sweep in floats.

States are followed one by one, breadth first from the start, with the exact weights of every
exchange (`states`). States that can come back to each other are solved together, by elimination in
fractions, those nearest to the end first. It is slow and meant to be: nothing here is shared with
the sweep but the odds of the exchanges and the course of a fight.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from time import monotonic

from affray.core.errors import LimitError
from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.engine.budget import Budget, Clock, spending
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import DECIDED
from affray.engine.fight.duels.states import End, State, States, Target, all_states

__all__ = ["ExactResult", "solve_exactly"]

VERDICTS = *DECIDED, "stalled"
ENDLESS, ROUNDS, POINTS = 5, 6, 7
"""Columns behind those of the verdicts."""
WIDTH = POINTS + 2

Values = list[Fraction]
"""The worth of a state: the probability of each verdict, of no end, the mean of rounds, and the
mean of points that either side has left, which counts nothing where it never ends."""


class ExactResult(NamedTuple):
    """A duel to the end, exactly.

    Attributes:
        won: probability that each side wins. drawn: that both are out; ended: that a rule ends
            the fight; endless: that it never ends; stalled: that a limit of rounds is reached.
            They add up to one.
        rounds: mean number of rounds; None if the fight can be endless.
        points: mean of points that each side has left when it is over or called off; None if that
            never happens.
        states: how many states were solved.
    """

    won: tuple[Fraction, Fraction]
    drawn: Fraction
    ended: Fraction
    endless: Fraction
    stalled: Fraction
    rounds: Fraction | None
    points: tuple[Fraction, Fraction] | None
    states: int


@dataclass
class _Branch:
    """One way to begin. A difference between initiative dice is kept for the whole fight.

    Attributes:
        states: the states with this way to begin.
        chain: states reached, each with what it leads to; probabilities add up to one.
        begins: where the first round begins.
    """

    states: States
    chain: dict[State, dict[Target, Fraction]]
    begins: dict[Target, Fraction]


MOST_STATES = 5_000
"""States that are followed in fractions, unless a budget says otherwise."""


def solve_exactly(
    contest: Contest, *, rounds: int | None = None, budget: Budget | None = None
) -> ExactResult:
    """Work out a duel in fractions: the first fighters of both sides, to the end.

    Args:
        contest: the fight.
        rounds: after how many rounds it is called off; None: never.
        budget: how much it may take, its states counting as `pairs`; by default what the running
            one has left.

    Raises:
        LimitError: the budget is spent; carries the probability that was over by then.
        SetupError: as for `Contest`.
    """
    with spending(budget) as clock:
        return _Exact(contest, rounds, clock).solve()


class _Exact:
    def __init__(self, contest: Contest, rounds: int | None, clock: Clock) -> None:
        self.contest = contest
        self.rounds = rounds
        self.clock = clock
        self.most_states = clock.pairs(MOST_STATES)
        self.n_states = 0

    def solve(self) -> ExactResult:
        sums = [Fraction(0)] * WIDTH
        known: list[tuple[_Branch, Values]] = []
        for states in all_states(self.contest, rounds=self.rounds):
            branch = _Branch(states, {}, {})
            row = next((row for other, row in known if states.is_like(other.states)), None)
            if row is None:
                self._explore(branch)
                row = _solved(branch)
                known.append((branch, row))
            sums = [old + states.lead.chance * new for old, new in zip(sums, row, strict=True)]
        one, other_won, drawn, ended, stalled, endless, rounds, *points = sums
        over = 1 - endless
        return ExactResult(
            (one, other_won), drawn, ended, endless, stalled, None if endless else rounds,
            (points[0] / over, points[1] / over) if over else None, self.n_states,
        )  # fmt: skip

    def _explore(self, branch: _Branch) -> None:
        """Follow everything that can happen, breadth first."""
        begins = branch.states.begins()
        branch.begins = {target: Fraction(1, len(begins)) for target in begins}
        waiting: deque[Target] = deque(branch.begins)
        chain = branch.chain
        while waiting:
            state = waiting.popleft()
            if isinstance(state, End) or state in chain:
                continue
            self.n_states += 1
            limit = "pairs" if self.n_states > self.most_states else self.clock.over()
            if limit:
                over = f"over {self.most_states}" if limit == "pairs" else self.clock.why(limit)
                states = "states" if limit == "pairs" else f"at {self.n_states} states"
                raise LimitError(
                    f"{self.contest.system.id}: {over} {states} of a duel in fractions. Allow "
                    "more, shorten the fight, or take Duel, which is in floats",
                    limit=limit,
                    states=self.n_states,
                    p_ended=_p_ended(branch),
                    done={"states": self.n_states},
                )
            found, total = branch.states.after(state)
            chain[state] = {target: Fraction(share, total) for target, share in found.items()}
            waiting.extend(target for target in chain[state] if target not in chain)


def _p_ended(branch: _Branch) -> float:
    """The probability that the fight was over within the states that were followed."""
    going: dict[Target, float] = {target: float(share) for target, share in branch.begins.items()}
    over = 0.0
    until = monotonic() + FOLLOWED_S
    while monotonic() < until:
        following: dict[Target, float] = {}
        for state, mass in going.items():
            if isinstance(state, End):
                over += mass
                continue
            for target, share in branch.chain.get(state, {}).items():
                following[target] = following.get(target, 0.0) + mass * float(share)
        going = following
        if sum(going.values()) < NEGLIGIBLE:
            break
    return over


NEGLIGIBLE = 1e-9
FOLLOWED_S = 0.5
"""So long exchanges are followed to tell how likely the fight is over by then."""


# -- solving -----------------------------------------------------------------------------------


def _solved(branch: _Branch) -> Values:
    """The worth of the beginning."""
    values: dict[Target, Values] = {}
    for targets in (branch.begins, *branch.chain.values()):
        for end in targets:
            if isinstance(end, End) and end not in values:
                values[end] = _worth(end, branch.states)
    for component in _components(branch.chain):
        _settle(component, branch.chain, values)
    whole = [Fraction(0)] * WIDTH
    for target, share in branch.begins.items():
        whole = [old + share * new for old, new in zip(whole, values[target], strict=True)]
    return whole


def _worth(end: End, states: States) -> Values:
    """The worth of an end."""
    values = [Fraction(int(verdict == end.verdict)) for verdict in VERDICTS]
    return [*values, Fraction(0), Fraction(0), *map(Fraction, states.points(end.pair))]


def _components(chain: dict[State, dict[Target, Fraction]]) -> Iterator[list[State]]:
    """States that can come back to each other, those nearest to the end first (Tarjan)."""
    index: dict[State, int] = {}
    low: dict[State, int] = {}
    stack: list[State] = []
    on_stack: set[State] = set()
    for root in chain:
        if root in index:
            continue
        work: list[tuple[State, Iterator[Target]]] = []
        entering: State | None = root
        while entering is not None or work:
            if entering is not None:
                index[entering] = low[entering] = len(index)
                stack.append(entering)
                on_stack.add(entering)
                work.append((entering, iter(chain[entering])))
                entering = None
            state, targets = work[-1]
            for target in targets:
                if isinstance(target, End):
                    continue
                if target not in index:
                    entering = target
                    break
                if target in on_stack:
                    low[state] = min(low[state], index[target])
            if entering is not None:
                continue
            work.pop()
            if work:
                above = work[-1][0]
                low[above] = min(low[above], low[state])
            if low[state] == index[state]:
                cut = stack.index(state)
                component = stack[cut:]
                del stack[cut:]
                on_stack.difference_update(component)
                yield component


def _settle(
    component: list[State],
    chain: dict[State, dict[Target, Fraction]],
    values: dict[Target, Values],
) -> None:
    """Solve the states of a component; everything that it leads to besides is known."""
    inside = {state: place for place, state in enumerate(component)}
    rows: list[Values] = []
    leaves = False
    for here, state in enumerate(component):
        row = [Fraction(0)] * len(component)
        known = [Fraction(0)] * WIDTH
        row[here] += 1
        known[ROUNDS] += state.opens
        for target, share in chain[state].items():
            place = None if isinstance(target, End) else inside.get(target)
            if place is not None:
                row[place] -= share
                continue
            leaves = True
            for column, worth in enumerate(values[target]):
                if worth:
                    known[column] += share * worth
        rows.append(row + known)
    if not leaves:
        never = [Fraction(int(column == ENDLESS)) for column in range(WIDTH)]
        values.update(dict.fromkeys(component, never))
        return
    values.update(zip(component, _eliminated(rows), strict=True))


def _eliminated(rows: list[Values]) -> list[Values]:
    """Solve a square system: coefficients in front, right-hand sides behind them."""
    size = len(rows)
    meter = meter_in_force()
    for here in range(size):
        pivot = next(place for place in range(here, size) if rows[place][here])
        rows[here], rows[pivot] = rows[pivot], rows[here]
        lead = rows[here][here]
        rows[here] = [value / lead if value else value for value in rows[here]]
        for place in range(size):
            meter.tick(size >> 4)
            factor = rows[place][here]
            if place != here and factor:
                rows[place] = [
                    old - factor * new if new else old
                    for old, new in zip(rows[place], rows[here], strict=True)
                ]
    return [row[size:] for row in rows]
