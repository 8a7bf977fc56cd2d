"""One sweep over all states of a duel from its start: how often each comes up, and which end it.

`Sweep.run` goes back from the end and knows what every state is worth. Who asks about one start
only needs the way forward: each pair of conditions once, those furthest from the end first, with
one number for a state instead of one for each question.

    entered from pairs that are further away  -->  rounds in which nothing changes  -->  left for
    pairs that are nearer to the end
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.engine.budget import clock_in_force
from affray.engine.fight.duels.blocks import Equations
from affray.engine.fight.duels.onward import Onward

if TYPE_CHECKING:
    from affray.engine.fight.duels.ahead import AnyLeads
    from affray.engine.fight.duels.sweep import Level, Moves, Sweep

__all__ = ["Forward", "Visits"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CERTAIN = 1 - 1e-12
MOST_EFFECTS = 1_000_000
"""Effects of attacks on conditions up to which those that come to the same are added up."""


class Visits(NamedTuple):
    """The course of a duel from its start, for each way to begin.

    Attributes:
        over: how likely each pair of conditions is to be the last one; a row for a way to begin.
        rounds: how many rounds are fought on average.
        residual: by how much the equations are missed at most.
    """

    over: Floats
    rounds: Floats
    residual: float


class _Turns(NamedTuple):
    """Rounds in which nothing changes, for each pair of a list.

    Attributes:
        stays: the probability that nothing changes in a slot, by slot and pair.
        weights: the probability of each order of turns, by way to begin and pair.
        again: that a round changes anything, likewise; infinite where nothing ever changes.
    """

    stays: Floats
    weights: list[Floats]
    again: Floats

    def part(self, some: slice) -> _Turns:
        """Only these of the list."""
        weights = [weight[:, some] for weight in self.weights]
        return _Turns(self.stays[:, some], weights, self.again[:, some])


class Forward:
    """A sweep from the start.

    Args:
        sweep: the duel.
        leads: for each way to begin the probability that side one goes first in a round, by pair
            of conditions; taken from the sweep if nothing depends on it.
    """

    def __init__(self, sweep: Sweep, leads: Sequence[AnyLeads]) -> None:
        self.sweep = sweep
        self.leads: Floats | None = None
        if sweep.offset:
            self.leads = np.stack([np.asarray(one, np.float64).ravel() for one in leads])
        self.n = 1 if self.leads is None else len(self.leads)
        half = len(sweep.slots) // 2
        every = list(range(len(sweep.slots)))
        self.orders = [every[:half], every[half:]] if sweep.offset else [every]
        self.residual = 0.0

    def run(self, start: int) -> Visits:
        """From a pair of conditions to the end.

        Raises:
            LimitError: the budget is spent.
        """
        sweep = self.sweep
        states = sweep.n_places * sweep.n_pairs
        clock = clock_in_force()
        clock.claim(8 * states * self.n, f"{states:,} states with {self.n} ways to begin")
        on = sweep.going_on().ravel()
        levels = sweep.levels()[::-1] if on[start] else []
        if levels and sweep.singles and Onward.size(sweep) <= MOST_EFFECTS:
            entered = self._apart(levels, start)
        else:
            entered = np.zeros((sweep.n_places, self.n, sweep.n_pairs))
            entered[0, :, start] = 1
            for batch in self._told(levels):
                self._in_turn(entered, batch)
        over = np.where(on, 0, entered.sum(0))
        return Visits(over, np.where(on, entered[0], 0).sum(-1), self.residual)

    def _told(self, levels: list[Level]) -> Iterator[list[Level]]:
        """Levels that are prepared together, while it is told how far the sweep is."""
        clock = clock_in_force()
        solved, every = 0, sum(len(level.pairs) for level in levels)
        for batch in self.sweep.batches(levels):
            clock.tell("pairs of conditions solved", solved, every)
            clock.poll()
            solved += sum(len(level.pairs) for level in batch)
            yield batch

    def _in_turn(self, entered: Floats, batch: Sequence[Level]) -> None:
        """Follow pairs level by level."""
        sweep, meter = self.sweep, meter_in_force()
        pairs = np.concatenate([level.pairs for level in batch])
        moves = [sweep.moves(pairs, number) for number in range(len(sweep.slots))]
        begin = 0
        for pairs, size in batch:
            stop = begin + len(pairs)
            meter.tick(8)
            parts = [move.part(begin, stop) for move in moves]
            came = entered[:, :, pairs]
            if came.any():
                if size == 1:
                    stays = np.zeros((len(parts), len(pairs)))
                    for number, move in enumerate(parts):
                        np.add.at(stays[number], move.at, move.stays)
                    turns = self._turns(pairs, stays)
                    into = self._alone(came, turns)
                    self._missed(into, came[0], turns.again)
                else:
                    came = self._in_blocks(came, pairs, parts, size)
                entered[:, :, pairs] = came
                self._leave(entered, pairs, parts, came)
            begin = stop

    def _apart(self, levels: list[Level], start: int) -> Floats:
        """How often pairs come up where none leads back to another.

        Until the end they lie in the order of levels, so that those of a level are a slice.
        """
        sweep, meter = self.sweep, meter_in_force()
        onward = [Onward(sweep, number) for number in range(len(sweep.slots))]
        in_order = np.concatenate([level.pairs for level in levels])
        others = np.ones(sweep.n_pairs, np.bool_)
        others[in_order] = False
        in_order = np.concatenate([in_order, np.flatnonzero(others)])
        place_of = np.empty_like(in_order)
        place_of[in_order] = np.arange(len(in_order))
        entered = np.zeros((sweep.n_places, self.n, sweep.n_pairs))
        entered[0, :, place_of[start]] = 1
        begin = 0
        for batch in self._told(levels):
            first = begin
            pairs = np.concatenate([level.pairs for level in batch])
            every = [slot.of(pairs, place_of) for slot in onward]
            turns = self._turns(pairs, np.stack([leaving.stays for leaving in every]))
            into = np.empty(turns.again.shape)
            for level in batch:
                stop = begin + len(level.pairs)
                meter.tick(8 * len(every))
                seen = entered[:, :, begin:stop]
                some = slice(begin - first, stop - first)
                into[:, some] = self._alone(seen, turns.part(some))
                for number, (then, leaving) in enumerate(zip(sweep.then, every, strict=True)):
                    at, there, chance = leaving.part(some)
                    for way, counts in enumerate(entered[sweep.offset + number, :, first:]):
                        np.add.at(entered[then, way], there, counts.take(at) * chance)
                begin = stop
            self._missed(into, entered[0, :, first:begin], turns.again)
        return entered[:, :, place_of]

    def _turns(self, pairs: Ints, stays: Floats) -> _Turns:
        """The rounds in which nothing changes."""
        weights = [np.ones((1, len(pairs)))]
        if self.leads is not None:
            leads = self.leads[:, pairs]
            weights = [leads, 1 - leads]
        returns = np.zeros((self.n, len(pairs)))
        for order, weight in zip(self.orders, weights, strict=True):
            returns += weight * stays[order].prod(0)
        again = np.where(returns < CERTAIN, 1 - returns, np.inf)  # else nothing ever changes there
        return _Turns(stays, weights, again)

    def _alone(self, came: Floats, turns: _Turns) -> Floats:
        """Put how often pairs come up that nothing but themselves leads back to.

        Args:
            came: how often they are entered, by place in a round, way to begin, and pair; after
                it, how often they come up.
            turns: the rounds in which nothing changes.

        Returns:
            How often a round begins with each pair that did not begin with it before.
        """
        offset = self.sweep.offset
        stays, weights, again = turns
        into: Floats = came[0]
        for order in self.orders:
            flow: Floats | float = 0.0
            for number in order:
                if number or offset:
                    flow = (flow + came[offset + number]) * stays[number]
            into = into + flow
        came[0] = first = into / again
        for order, weight in zip(self.orders, weights, strict=True):
            here = weight * first
            for number in order:
                if number or offset:
                    here = here + came[offset + number]
                    came[offset + number] = here
                here = here * stays[number]
        return into

    def _missed(self, into: Floats, first: Floats, again: Floats) -> None:
        """Note by how much the equations of pairs are missed that nothing else leads back to."""
        changes = np.isfinite(again)
        missed = first[changes] * again[changes] - into[changes]
        self.residual = max(self.residual, float(np.abs(missed).max(initial=0.0)))

    def _in_blocks(self, came: Floats, pairs: Ints, moves: Sequence[Moves], size: int) -> Floats:
        """How often pairs come up that can come back to each other; see `_alone`."""
        sweep, offset = self.sweep, self.sweep.offset
        n_blocks, width = len(pairs) // size, size * sweep.n_places
        block, here = np.divmod(np.arange(len(pairs)), size)
        ways = Equations(self.n * n_blocks, width)
        known = np.zeros((self.n * n_blocks, width, 1))
        for begin in range(self.n):
            first = begin * n_blocks + block
            for place in range(sweep.n_places):
                known[first, place * size + here, 0] = came[place, begin]
            if self.leads is not None:
                leads = self.leads[begin, pairs]
                ways.add(first, here, here + size, leads)
                ways.add(first, here, here + size * (1 + len(sweep.slots) // 2), 1 - leads)
            for number, (then, move) in enumerate(zip(sweep.then, moves, strict=True), offset):
                row = number * size + here
                ways.add(first[move.at], row[move.at], then * size + move.target, move.stays)
        solved, missed = ways.visited(known)
        self.residual = max(self.residual, missed)
        seen = np.empty((sweep.n_places, self.n, len(pairs)))
        for begin in range(self.n):
            for place in range(sweep.n_places):
                seen[place, begin] = solved[begin * n_blocks + block, place * size + here, 0]
        return seen

    def _leave(self, entered: Floats, pairs: Ints, moves: Sequence[Moves], seen: Floats) -> None:
        """Enter the pairs that these lead to, unless they come back to each other."""
        sweep = self.sweep
        meter = meter_in_force()
        for number, (then, move) in enumerate(zip(sweep.then, moves, strict=True)):
            meter.tick(8)
            leaves = np.where(sweep.inside(pairs, move.there), 0, move.chance)
            there = move.there.ravel()
            for begin in range(self.n):
                flow = seen[sweep.offset + number, begin][:, None] * leaves
                np.add.at(entered[then, begin], there, flow.ravel())
