"""Two fighters to the end in whole fractions: the audit of the sweep in floats.

States are followed one by one, breadth first from the start, with the exact weights of every
exchange. States that can come back to each other are solved together, by elimination in fractions,
those nearest to the end first. It is slow and meant to be: nothing here is shared with the sweep
but the odds of the exchanges and the course of a fight (see `course`), which is run here moment by
moment.

A state is a moment of the course in which chance decides next, and the conditions of both: the
start of a turn with its first exchange, or a later exchange. The number of the round is left out,
so that states come back.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from time import monotonic
from typing import TypeAlias

from affray.core.errors import LimitError
from affray.core.fight import Deed
from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.engine.budget import Budget, Clock, spending
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import (
    DECIDED,
    FighterId,
    Lead,
    Moment,
    Phase,
    Report,
    Standing,
    Verdict,
    first_deed,
    orders,
)
from affray.engine.fight.matchup import EffectOdds, Encounter

__all__ = ["ExactResult", "solve_exactly"]

ENDLESS, ROUNDS = 4, 5
"""Columns behind those of the verdicts."""

Values = list[Fraction]
"""The worth of a state: the probability of each verdict, of no end, and the mean of rounds."""


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


Pair: TypeAlias = tuple[Hashable, Hashable]
"""The conditions of both."""


Exchange: TypeAlias = tuple[FighterId, EffectOdds]
"""The target of an exchange, and what it does."""


class _State(NamedTuple):
    """A place in a duel; `opens` says that a round begins with this turn."""

    moment: Moment
    pair: Pair
    opens: bool


Target: TypeAlias = "_State | Verdict"
Order: TypeAlias = tuple[FighterId, ...]


@dataclass
class _Branch:
    """One way to begin. A difference between initiative dice is kept for the whole fight.

    Attributes:
        lead: the way to begin.
        starts: the orders of turns from the pairs of conditions in which a round began; they are
            equally likely.
        chain: states reached, each with what it leads to; probabilities add up to one.
        begins: where the first round begins.
    """

    lead: Lead
    starts: dict[Pair, tuple[Order, ...]]
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
        self.course = contest.course.of_two()
        self.both = self.course.everybody
        self.fight = contest.fight
        self.clock = clock
        self.most_states = clock.pairs(MOST_STATES)
        self.sheets = contest.sides[0].fighters[0], contest.sides[1].fighters[0]
        self.alone = self.fight.context(())
        self.states = 0
        self._changes: dict[tuple[int, Hashable, Hashable], Hashable] = {}
        self._followings: dict[Hashable, Moment] = {}
        self._stands: dict[tuple[int, Hashable], tuple[bool, bool | None]] = {}

    def solve(self) -> ExactResult:
        sums = [Fraction(0)] * (ROUNDS + 1)
        known: list[tuple[_Branch, Values]] = []
        rolls = self.contest.rolled(self.sheets[0]), self.contest.rolled(self.sheets[1])
        for lead in self.course.leads(rolls):
            branch = _Branch(lead, {}, {}, {})
            row = next((row for other, row in known if self._is_like(branch, other)), None)
            if row is None:
                self._explore(branch)
                row = _solved(branch)
                known.append((branch, row))
            sums = [old + lead.chance * new for old, new in zip(sums, row, strict=True)]
        one, other_won, drawn, ended, endless, rounds = sums
        return ExactResult(
            (one, other_won), drawn, ended, endless, None if endless else rounds, self.states
        )

    # -- who goes first ------------------------------------------------------------------------

    def _orders(self, branch: _Branch, pair: Pair) -> tuple[Order, ...]:
        """Every order of turns in a round that begins like this; they are equally likely."""
        moment = Moment(Phase.ROUND, leads=branch.lead.side)
        initiative = self.fight.initiative
        if branch.lead.side is not None or initiative is None:
            return orders(self.course.ties(moment))
        quickness = {}
        for who, sheet, condition in zip(self.both, self.sheets, pair, strict=True):
            value, tie = initiative(sheet, condition, self.contest.rulings)
            quickness[who] = (value if who.side else value + branch.lead.ahead), tie
        return orders(self.course.ties(moment, quickness))

    def _is_like(self, branch: _Branch, known: _Branch) -> bool:
        """Whether it is the same chain: wherever a round begins, turns have the same order."""
        alike = branch.lead.before == known.lead.before
        return alike and all(
            self._orders(branch, pair) == found for pair, found in known.starts.items()
        )

    # -- states --------------------------------------------------------------------------------

    def _explore(self, branch: _Branch) -> None:
        """Follow everything that can happen, breadth first."""
        one, other = (self.contest.enter(side, sheet) for side, sheet in enumerate(self.sheets))
        begins = self._rests(branch, self.course.begin(branch.lead.side), (one, other))
        branch.begins = {target: Fraction(1, len(begins)) for target in begins}
        waiting: deque[Target] = deque(branch.begins)
        chain = branch.chain
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
                    p_ended=_p_ended(branch),
                    done={"states": self.states},
                )
            chain[state] = self._after(branch, state)
            waiting.extend(target for target in chain[state] if target not in chain)

    def _rests(self, branch: _Branch, moment: Moment, pair: Pair) -> tuple[Target, ...]:
        """The next places where chance decides, or the verdict; several are equally likely."""
        while moment.verdict is None:
            if moment.phase is Phase.CLOSE:
                one, other = (
                    self.fight.end_round(sheet, condition)
                    for sheet, condition in zip(self.sheets, pair, strict=True)
                )
                pair = one, other
            elif moment.phase is Phase.ROUND:
                found = branch.starts.get(pair) or self._orders(branch, pair)
                branch.starts[pair] = found
                turns = [
                    self._following(moment, pair, order=order, before=branch.lead.before)
                    for order in found
                ]
                return tuple(_State(turn._replace(round=0), pair, opens=True) for turn in turns)
            elif moment.phase is not Phase.START:
                return (_State(moment, pair, opens=False),)
            moment = self._following(moment, pair)
        return (moment.verdict,)

    def _after(self, branch: _Branch, state: _State) -> dict[Target, Fraction]:
        """The states after an exchange, with their probabilities."""
        moment, pair, _ = state
        actor = moment.actor
        assert actor is not None  # states are in turns
        if moment.phase is Phase.TURN:
            if moment.is_ordinary:
                begun = self.fight.begin_turn(self.sheets[actor.side], pair[actor.side])
                pair = (begun, pair[1]) if actor.side == 0 else (pair[0], begun)
            moment = self._following(moment, pair)
            if moment.phase is not Phase.ACTION:
                (rest,) = self._rests(branch, moment, pair)
                return {rest: Fraction(1)}
        exchange = self._exchange(actor, pair, kind=moment.kind)
        merged, total = {pair: 1}, 1
        if exchange is not None:
            target, odds = exchange
            merged, total = {}, odds.total
            for (own, struck), weight in zip(odds.effects, odds.weights, strict=True):
                both = self._applied(self._applied(pair, actor, own), target, struck)
                merged[both] = merged.get(both, 0) + weight
        found: dict[Target, int] = {}
        for both, weight in merged.items():
            following = self._following(moment, both, acted=exchange is not None)
            rests = self._rests(branch, following, both)
            for rest in rests:  # two where it is rolled off who goes first, else one
                found[rest] = found.get(rest, 0) + weight * (2 // len(rests))
        return {rest: Fraction(share, 2 * total) for rest, share in found.items()}

    def _following(
        self,
        moment: Moment,
        pair: Pair,
        *,
        order: Order = (),
        before: tuple[int, ...] = (),
        acted: bool = True,
    ) -> Moment:
        """The moment of the course after this one, worked out once for all who stand alike."""
        one, other = self._stand(0, pair), self._stand(1, pair)
        actor = moment.actor
        allowed = 1
        if actor is not None:
            allowed = self.contest.allowed(self.sheets[actor.side], pair[actor.side])
        key = moment, one, other, order, before, allowed, acted
        known = self._followings.get(key)
        if known is None:
            standing = Standing(((one[0],), (other[0],)), ((one[1],), (other[1],)))
            turns = tuple(before[who.side] for who in order) if before else ()
            report = Report(standing, order, allowed, acted, before=turns)
            known = self._followings[key] = self.course.following(moment, report)
        return known

    def _stand(self, side: int, pair: Pair) -> tuple[bool, bool | None]:
        """Whether a fighter is out, and its say about the end; the rules are asked once."""
        key = side, pair[side]
        if key not in self._stands:
            sheet, condition = self.sheets[side], pair[side]
            out, says = self.fight.is_out(sheet, condition), self.fight.ends(sheet, condition)
            self._stands[key] = out, says
        return self._stands[key]

    def _applied(self, pair: Pair, who: FighterId, effect: Hashable) -> Pair:
        """The conditions after an effect on one of both, worked out once."""
        key = who.side, pair[who.side], effect
        if key not in self._changes:
            self._changes[key] = self.fight.apply(self.sheets[who.side], pair[who.side], effect)
        after = self._changes[key]
        return (after, pair[1]) if who.side == 0 else (pair[0], after)

    def _exchange(self, actor: FighterId, pair: Pair, *, kind: int) -> Exchange | None:
        """The target of the exchange and its odds; None where nothing can be done."""
        own, sheet = pair[actor.side], self.sheets[actor.side]
        out = tuple((self._stand(side, pair)[0],) for side in (0, 1))

        def attempt(deed: Deed, targets: tuple[FighterId, ...]) -> Exchange | None:
            (target,) = targets
            matchup = self.contest.matchup(
                actor.side, sheet, self.sheets[target.side], friend=target == actor
            )
            odds = matchup.odds(Encounter(deed, own, pair[target.side], self.alone))
            return None if odds is None else (target, odds)

        deeds = self.contest.deeds(actor.side, sheet, own, kind=kind)
        return first_deed(self.course.attempts(actor, deeds, (out[0], out[1])), attempt)


def _p_ended(branch: _Branch) -> float:
    """The probability that the fight was over within the states that were followed."""
    going: dict[Target, float] = {target: float(share) for target, share in branch.begins.items()}
    over = 0.0
    until = monotonic() + FOLLOWED_S
    while monotonic() < until:
        following: dict[Target, float] = {}
        for state, mass in going.items():
            if isinstance(state, str):
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
    for column, verdict in enumerate(DECIDED):
        values[verdict] = [Fraction(int(column == place)) for place in range(ROUNDS + 1)]
    for component in _components(branch.chain):
        _settle(component, branch.chain, values)
    whole = [Fraction(0)] * (ROUNDS + 1)
    for target, share in branch.begins.items():
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
        known[ROUNDS] += state.opens
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
