"""One sweep over all states of a duel from its start: how often each comes up, and which end it.

`Sweep.run` goes back from the end and knows what every state is worth. Who asks about one start
only needs the way forward: each pair of conditions once, those furthest from the end first, with
one number for a state instead of one for each question.

    entered from pairs that are further away  -->  rounds in which nothing changes  -->  left for
    pairs that are nearer to the end
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.engine.budget import clock_in_force
from affray.engine.fight.duels.blocks import Ways

if TYPE_CHECKING:
    from affray.engine.fight.duels.sweep import Moves, Sweep

__all__ = ["Forward", "Visits"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CERTAIN = 1 - 1e-12


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


class Forward:
    """A sweep from the start.

    Args:
        sweep: the duel.
        leads: for each way to begin the probability that side one goes first in a round, by pair
            of conditions; taken from the sweep if nothing depends on it.
    """

    def __init__(self, sweep: Sweep, leads: Sequence[Floats | float]) -> None:
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
        entered = np.zeros((sweep.n_places, self.n, sweep.n_pairs))
        entered[0, :, start] = 1
        on = sweep.going_on().ravel()
        levels = sweep.levels()[::-1] if on[start] else []
        solved, every = 0, sum(len(level.pairs) for level in levels)
        for batch in sweep.batches(levels):
            clock.tell("pairs of conditions solved", solved, every)
            clock.poll()
            solved += sum(len(level.pairs) for level in batch)
            pairs = np.concatenate([level.pairs for level in batch])
            moves = [sweep.moves(pairs, number) for number in range(len(sweep.slots))]
            begin = 0
            for pairs, size in batch:
                stop = begin + len(pairs)
                clock.tick(8)
                parts = [move.part(begin, stop) for move in moves]
                came = entered[:, :, pairs]
                if came.any():
                    seen = self._alone(came, pairs, parts) if size == 1 else self._in_blocks(
                        came, pairs, parts, size
                    )  # fmt: skip
                    entered[:, :, pairs] = seen
                    self._leave(entered, pairs, parts, seen)
                begin = stop
        over = np.where(on, 0, entered.sum(0))
        return Visits(over, np.where(on, entered[0], 0).sum(-1), self.residual)

    def _alone(self, came: Floats, pairs: Ints, moves: Sequence[Moves]) -> Floats:
        """How often pairs come up that nothing but themselves leads back to.

        Args:
            came: how often they are entered, by place in a round, way to begin, and pair.
            pairs: those of one level.
            moves: their ways, slot by slot.
        """
        sweep, offset = self.sweep, self.sweep.offset
        stays = np.zeros((len(moves), len(pairs)))
        for number, move in enumerate(moves):
            np.add.at(stays[number], move.at, move.stays)
        weights: list[Floats | float] = [1.0]
        if self.leads is not None:
            leads = self.leads[:, pairs]
            weights = [leads, 1 - leads]
        into, returns = came[0].copy(), np.zeros_like(came[0])
        for order, weight in zip(self.orders, weights, strict=True):
            through, flow = np.ones(len(pairs)), np.zeros_like(into)
            for number in order:
                if number or offset:
                    flow = flow + came[offset + number]
                flow, through = flow * stays[number], through * stays[number]
            into, returns = into + flow, returns + weight * through
        again = np.where(returns < CERTAIN, 1 - returns, np.inf)  # else nothing ever changes there
        first = into / again
        missed = np.where(np.isinf(again), 0, first * (1 - returns) - into)
        self.residual = max(self.residual, float(np.abs(missed).max(initial=0.0)))
        seen = np.zeros((sweep.n_places, *into.shape))
        seen[0] = first
        for order, weight in zip(self.orders, weights, strict=True):
            here = weight * first
            for number in order:
                if number or offset:
                    here = here + came[offset + number]
                seen[offset + number] = here
                here = here * stays[number]
        return seen

    def _in_blocks(self, came: Floats, pairs: Ints, moves: Sequence[Moves], size: int) -> Floats:
        """How often pairs come up that can come back to each other; see `_alone`."""
        sweep, offset = self.sweep, self.sweep.offset
        n_blocks, width = len(pairs) // size, size * sweep.n_places
        block, here = np.divmod(np.arange(len(pairs)), size)
        ways = Ways(self.n * n_blocks, width)
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
