"""Two fighters to the end in whole fractions: the audit of the sweep in floats.

States are followed one by one, breadth first from the start, with the exact weights of every
row. States that can come back to each other are solved together, by elimination in fractions,
those nearest to the end first. It is slow and meant to be: nothing here is shared with the sweep
but the rows of the exchanges.

A state is who acts first in this round, how many exchanges of the round are done, and the
conditions of both. A turn begins with its first exchange. Whether the duel is over is asked when
a turn has begun, after every exchange, and after the end of a round.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from time import monotonic
from typing import Literal, NamedTuple, TypeAlias

from affray.core.errors import LimitError
from affray.core.meter import meter_in_force
from affray.engine.budget import Budget, Clock, spending
from affray.engine.fight.contest import Contest
from affray.engine.fight.matchup import Row
from affray.engine.fight.turns import leads

__all__ = ["ExactResult", "solve_exactly"]

Verdict: TypeAlias = Literal["one", "other", "drawn", "ended"]

VERDICTS: tuple[Verdict, ...] = ("one", "other", "drawn", "ended")
ENDLESS, ROUNDS = 4, 5
"""Columns behind those of the verdicts."""

Values = list[Fraction]
"""What a state is worth: the probability of each verdict, of no end, and the mean of rounds."""


class ExactResult(NamedTuple):
    """A duel to the end, exactly.

    Attributes:
        won: probability that each side wins. drawn: that both are out; ended: that a rule ends
            the fight; endless: that it never ends. They add up to one.
        rounds: mean number of rounds; None if the fight can be endless.
        states: how many states were solved.
    """

    won: tuple[Fraction, Fraction]
    drawn: Fraction
    ended: Fraction
    endless: Fraction
    rounds: Fraction | None
    states: int


class _State(NamedTuple):
    """Where a duel stands; `done` exchanges of this round are over."""

    first: int
    done: int
    one: Hashable
    other: Hashable


Target: TypeAlias = "_State | Verdict"


@dataclass
class _Lead:
    """What side one's initiative dice are ahead of the other's: kept, so that it is a chain.

    Attributes:
        ahead: the difference.
        side: the side that goes first in every round, where it is fixed.
        starts: who goes first from the pairs of conditions in which a round began; None: rolled
            off.
        chain: states reached, each with what it leads to; probabilities add up to one.
        begins: where the first round begins.
    """

    ahead: int
    side: int | None
    starts: dict[tuple[Hashable, Hashable], int | None]
    chain: dict[_State, dict[Target, Fraction]]
    begins: dict[Target, Fraction]


MOST_STATES = 5_000
"""States that are followed in fractions, unless a budget says otherwise."""


def solve_exactly(contest: Contest, *, budget: Budget | None = None) -> ExactResult:
    """Work out a duel in fractions: the first fighters of both sides, to the end.

    Args:
        contest: the fight.
        budget: how much it may take, its states counting as `pairs`; by default what the running
            one has left.

    Raises:
        LimitError: the budget is spent; carries the probability that was over by then.
        SetupError: as for `Contest`.
    """
    with spending(budget) as clock:
        return _Exact(contest, clock).solve()


class _Exact:
    def __init__(self, contest: Contest, clock: Clock) -> None:
        self.contest = contest
        self.fight = contest.fight
        self.clock = clock
        self.most_states = clock.pairs(MOST_STATES)
        self.sheets = contest.sides[0].fighters[0], contest.sides[1].fighters[0]
        self.matchups = tuple(
            contest.matchup(side, self.sheets[side], self.sheets[1 - side]) for side in (0, 1)
        )
        self.states = 0
        self._changes: dict[tuple[int, Hashable, Hashable], Hashable] = {}

    def solve(self) -> ExactResult:
        sums = [Fraction(0)] * (ROUNDS + 1)
        known: list[tuple[_Lead, Values]] = []
        rolls = self.contest.rolled(self.sheets[0]), self.contest.rolled(self.sheets[1])
        for chance, side, ahead in leads(self.contest.first, rolls):
            lead = _Lead(ahead, side, {}, {}, {})
            row = next((row for other, row in known if self._is_like(lead, other)), None)
            if row is None:
                self._explore(lead)
                row = _solved(lead)
                known.append((lead, row))
            sums = [old + chance * new for old, new in zip(sums, row, strict=True)]
        one, other_won, drawn, ended, endless, rounds = sums
        return ExactResult(
            (one, other_won), drawn, ended, endless, None if endless else rounds, self.states
        )

    # -- who goes first ------------------------------------------------------------------------

    def _first(self, lead: _Lead, pair: tuple[Hashable, Hashable]) -> int | None:
        """Who goes first in a round that begins like this; None: it is rolled off."""
        if lead.side is not None:
            return lead.side
        initiative = self.fight.initiative
        assert initiative is not None  # Contest saw to it
        mine, theirs = (
            initiative(sheet, condition, self.contest.rulings)
            for sheet, condition in zip(self.sheets, pair, strict=True)
        )
        one, other = (mine[0] + lead.ahead, mine[1]), theirs
        return None if one == other else int(one < other)

    def _is_like(self, lead: _Lead, known: _Lead) -> bool:
        """Whether it is the same chain: wherever a round begins, the same side goes first."""
        return all(self._first(lead, pair) == who for pair, who in known.starts.items())

    # -- states --------------------------------------------------------------------------------

    def _explore(self, lead: _Lead) -> None:
        """Follow everything that can happen, breadth first."""
        one, other = (self.contest.enter(side, sheet) for side, sheet in enumerate(self.sheets))
        lead.begins = self._round(lead, one, other)
        waiting: deque[Target] = deque(lead.begins)
        chain = lead.chain
        while waiting:
            state = waiting.popleft()
            if isinstance(state, str) or state in chain:
                continue
            self.states += 1
            limit = "pairs" if self.states > self.most_states else self.clock.over()
            if limit:
                over = f"over {self.most_states}" if limit == "pairs" else self.clock.why(limit)
                states = "states" if limit == "pairs" else f"at {self.states} states"
                raise LimitError(
                    f"{self.contest.system.id}: {over} {states} of a duel in fractions. Allow "
                    "more, shorten the fight, or take Duel, which is in floats",
                    limit=limit,
                    states=self.states,
                    p_ended=_p_ended(lead),
                    done={"states": self.states},
                )
            chain[state] = self._after(lead, state)
            waiting.extend(target for target in chain[state] if target not in chain)

    def _round(self, lead: _Lead, one: Hashable, other: Hashable) -> dict[Target, Fraction]:
        """Where a round begins, unless it is over."""
        verdict = self._verdict(one, other)
        if verdict:
            return {verdict: Fraction(1)}
        first = lead.starts[one, other] = self._first(lead, (one, other))
        if first is not None:
            return {_State(first, 0, one, other): Fraction(1)}
        return {_State(side, 0, one, other): Fraction(1, 2) for side in (0, 1)}

    def _verdict(self, one: Hashable, other: Hashable) -> Verdict | None:
        both = tuple(zip(self.sheets, (one, other), strict=True))
        out = tuple(self.fight.is_out(sheet, condition) for sheet, condition in both)
        if all(out):
            return "drawn"
        if any(out):
            return "one" if out[1] else "other"
        if any(self.fight.ends(sheet, condition) is True for sheet, condition in both):
            return "ended"
        return None

    def _after(self, lead: _Lead, state: _State) -> dict[Target, Fraction]:
        """What an exchange leads to, and how likely that is."""
        fight, times = self.fight, self.fight.actions
        acts = state.first if state.done < times else 1 - state.first
        pair = [state.one, state.other]
        if state.done % times == 0:
            pair[acts] = fight.begin_turn(self.sheets[acts], pair[acts])
        verdict = self._verdict(*pair)
        if verdict:
            return {verdict: Fraction(1)}
        row = self._row(acts, pair[acts], pair[1 - acts])
        merged: dict[tuple[Hashable, ...], int] = {}
        for (own, struck), weight in zip(row.effects, row.weights, strict=True):
            after = list(pair)
            if row is not NOTHING:
                after[acts] = self._applied(acts, pair[acts], own)
                after[1 - acts] = self._applied(1 - acts, pair[1 - acts], struck)
            both = tuple(after)
            merged[both] = merged.get(both, 0) + weight
        found: dict[Target, int] = {}
        for both, weight in merged.items():
            following = self._next(lead, state, both)
            for target in following:  # two where it is rolled off who goes first, else one
                found[target] = found.get(target, 0) + weight * (2 // len(following))
        return {target: Fraction(share, 2 * row.total) for target, share in found.items()}

    def _applied(self, side: int, condition: Hashable, effect: Hashable) -> Hashable:
        """A condition after an effect, worked out once."""
        key = side, condition, effect
        if key not in self._changes:
            self._changes[key] = self.fight.apply(self.sheets[side], condition, effect)
        return self._changes[key]

    def _next(self, lead: _Lead, state: _State, pair: Sequence[Hashable]) -> dict[Target, Fraction]:
        """Where it goes on after an exchange that left both like this."""
        verdict = self._verdict(*pair)
        if verdict:
            return {verdict: Fraction(1)}
        if state.done + 1 < 2 * self.fight.actions:
            return {_State(state.first, state.done + 1, *pair): Fraction(1)}
        one, other = (
            self.fight.end_round(sheet, condition)
            for sheet, condition in zip(self.sheets, pair, strict=True)
        )
        return self._round(lead, one, other)

    def _row(self, acts: int, actor: Hashable, target: Hashable) -> Row:
        """The exchange of a turn: the first deed that the rules allow."""
        for deed in self.contest.deeds(acts, self.sheets[acts], actor):
            if deed.on == "foe":
                row = self.matchups[acts].row(deed, actor, target, self.fight.context(()))
                if row is not None:
                    return row
        return NOTHING


NOTHING = Row(((None, None),), (1,), 1)
"""A turn in which nothing can be done."""


def _p_ended(lead: _Lead) -> float:
    """The probability that the fight was over within the states that were followed."""
    going: dict[Target, float] = {target: float(share) for target, share in lead.begins.items()}
    over = 0.0
    until = monotonic() + FOLLOWED_S
    while monotonic() < until:
        following: dict[Target, float] = {}
        for state, mass in going.items():
            if isinstance(state, str):
                over += mass
                continue
            for target, share in lead.chain.get(state, {}).items():
                following[target] = following.get(target, 0.0) + mass * float(share)
        going = following
        if sum(going.values()) < NEGLIGIBLE:
            break
    return over


NEGLIGIBLE = 1e-9
FOLLOWED_S = 0.5
"""So long exchanges are followed to tell how likely the fight is over by then."""


# -- solving -----------------------------------------------------------------------------------


def _solved(lead: _Lead) -> Values:
    """What the beginning is worth."""
    values: dict[Target, Values] = {}
    for column, verdict in enumerate(VERDICTS):
        values[verdict] = [Fraction(int(column == place)) for place in range(ROUNDS + 1)]
    for component in _components(lead.chain):
        _settle(component, lead.chain, values)
    whole = [Fraction(0)] * (ROUNDS + 1)
    for target, share in lead.begins.items():
        whole = [old + share * new for old, new in zip(whole, values[target], strict=True)]
    return whole


def _components(chain: dict[_State, dict[Target, Fraction]]) -> Iterator[list[_State]]:
    """States that can come back to each other, those nearest to the end first (Tarjan)."""
    index: dict[_State, int] = {}
    low: dict[_State, int] = {}
    stack: list[_State] = []
    on_stack: set[_State] = set()
    for root in chain:
        if root in index:
            continue
        work: list[tuple[_State, Iterator[Target]]] = []
        entering: _State | None = root
        while entering is not None or work:
            if entering is not None:
                index[entering] = low[entering] = len(index)
                stack.append(entering)
                on_stack.add(entering)
                work.append((entering, iter(chain[entering])))
                entering = None
            state, targets = work[-1]
            for target in targets:
                if isinstance(target, str):
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
    component: list[_State],
    chain: dict[_State, dict[Target, Fraction]],
    values: dict[Target, Values],
) -> None:
    """Solve the states of a component; everything that it leads to besides is known."""
    inside = {state: place for place, state in enumerate(component)}
    rows: list[Values] = []
    leaves = False
    for here, state in enumerate(component):
        row = [Fraction(0)] * len(component)
        known = [Fraction(0)] * (ROUNDS + 1)
        row[here] += 1
        known[ROUNDS] += state.done == 0
        for target, share in chain[state].items():
            place = None if isinstance(target, str) else inside.get(target)
            if place is not None:
                row[place] -= share
                continue
            leaves = True
            for column, worth in enumerate(values[target]):
                if worth:
                    known[column] += share * worth
        rows.append(row + known)
    if not leaves:
        never = [Fraction(int(column == ENDLESS)) for column in range(ROUNDS + 1)]
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
