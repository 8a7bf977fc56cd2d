"""Rounds of a duel followed for the pairs of conditions that fight on, and for nothing else.

Which pairs a fight ends in is a sum over rounds, and linear in what they begin with: it takes one
whole round, from how often each pair begins one. So the rounds themselves carry only pairs that
fight on, what is decided in them as a verdict each, and conditions that act alike as one, from the
moment on at which nothing tells them apart. Pairs that hardly come up any more are left out; how
much that misses shows in the whole round at the end.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from affray.core.meter import meter_in_force
from affray.engine.fight.course import DECIDED
from affray.engine.fight.duels.sending import (
    Actors,
    Class,
    Exchange,
    Frame,
    actors_in,
    among,
    in_order,
    index_of,
)
from affray.engine.fight.duels.whole_round import WholeRound, WholeStep, where_in

__all__ = ["Going"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
_Number = TypeVar("_Number", np.float64, np.bool_)

HARDLY = 1e-21
"""Probability of a pair below which it isn't followed any further."""
FEWER = 0.6
"""The share of pairs left with which it pays to follow no others."""


class Going:
    """What goes on from round to round.

    Args:
        whole: the rounds with all that is over.

    Attributes:
        rows: the side whose conditions are the rows of arrays, by way to begin and by condition
            of the other side. The other side's exchanges are products from the left, its own from
            the right, so that nothing ever has to be turned round.
        ids: the conditions of either side that are followed, in the order of arrays.
        frame: all of that, as exchanges are made ready for it.
        begun: how often each pair has begun a round, in the order of arrays of `whole`.
    """

    def __init__(self, whole: WholeRound) -> None:
        self.whole, self.sweep, self.n_ways = whole, whole.sweep, whole.n_ways
        self.flags = [
            np.array(duelist.is_out) * (4 >> side) | np.array(duelist.is_over)
            for side, duelist in enumerate(self.sweep.duelists)
        ]
        sizes = [len(first) for first in whole.first]
        self.rows = sizes.index(max(sizes))
        self.begun = np.zeros((*sizes, self.n_ways))
        self._left: Bools | None = None
        self._follows: Bools | None = None
        self._actors: dict[WholeStep, list[Actors]] = {}
        self._keep(whole.first)

    def actors_of(self, step: WholeStep) -> list[Actors]:
        """The classes of those who act in an exchange."""
        known = self._actors.get(step)
        if known is None:
            known = self._actors[step] = actors_in(step)
        return known

    def _keep(self, ids: tuple[Ints, Ints]) -> None:
        """Follow these conditions."""
        one, other = (self._sorted(side, ids[side]) for side in (0, 1))
        self.ids = one, other
        self.frame = Frame(self.rows, self.sweep.n, self.flags)
        shape = len(self.ids[self.rows]), self.n_ways, len(self.ids[1 - self.rows])
        self._known, self._spare = np.zeros(shape), np.zeros(shape)
        self._turns = [_Turn(self, number) for number in range(len(self.whole.turns))]
        if self._left is not None:
            self._follows = ~self.turned(self._left[np.ix_(*self.places())])

    def _sorted(self, side: int, ids: Ints) -> Ints:
        """Conditions with those that act alike at the start of a round side by side."""
        first = [steps[0] for steps, _, _ in self.whole.turns if steps[0].side == side]
        actors = [one for step in first for one in self.actors_of(step)]
        return in_order(ids, actors, self.sweep.n[side])

    def places(self) -> tuple[Ints, Ints]:
        """The places of what is followed in the arrays of `whole`."""
        one, other = (
            where_in(first, n)[ids]
            for first, n, ids in zip(self.whole.first, self.sweep.n, self.ids, strict=True)
        )
        return one, other

    def start(self, here: Floats) -> Floats:
        """What begins the first round, from what `whole` begins it with."""
        return np.ascontiguousarray(self.turned(here[np.ix_(*self.places())]))

    def turned(self, pairs: NDArray[_Number]) -> NDArray[_Number]:
        """Values by pair and by way to begin, in the order of arrays."""
        return pairs.transpose((1, 2, 0) if self.rows else (0, 2, 1))

    def after(self, here: Floats) -> tuple[Floats, Floats]:
        """What goes on after a round, and what it decides: a row for each way to begin.

        What it began with is written over in the next round.
        """
        self._known += here
        on, self._spare = self._spare, here
        on.fill(0)
        ended = np.zeros((self.n_ways, len(DECIDED)))
        for turn in self._turns:
            turn.follow(here, on, ended)
        if self._follows is not None:
            on *= self._follows
        return on, ended

    def leave(self, here: Floats, pairs: Bools) -> Floats:
        """Go on without some pairs, in the order of arrays of `whole`, from now on."""
        self._left = pairs
        follows = self._follows = ~self.turned(pairs[np.ix_(*self.places())])
        return here * follows

    def likely(self, here: Floats) -> Floats:
        """Go on without what was likely once, and is next to impossible by now."""
        likely = here.max(1, initial=0.0) > HARDLY
        kept = [likely.any(1), likely.any(0)]
        if not likely.any() or kept[0].mean() * kept[1].mean() > FEWER:
            return here
        begun = self.turned(self.settle()[np.ix_(*self.places())]).max(1, initial=0.0) > HARDLY
        kept = [kept[axis] | ~begun.any(1 - axis) for axis in (0, 1)]  # some are still to come
        if kept[0].mean() * kept[1].mean() > FEWER:
            return here
        places = [where_in(ids, n) for ids, n in zip(self.ids, self.sweep.n, strict=True)]
        one, other = kept[:: -1 if self.rows else 1]
        self._keep((self.ids[0][one], self.ids[1][other]))
        one, other = (place[ids] for place, ids in zip(places, self.ids, strict=True))
        return here[other][:, :, one] if self.rows else here[one][:, :, other]

    def settle(self) -> Floats:
        """How often each pair has begun a round by now, in the order of arrays of `whole`."""
        known = self._known.transpose((2, 0, 1) if self.rows else (0, 2, 1))
        self.begun[np.ix_(*self.places())] += known
        self._known.fill(0)
        return self.begun


class _Turn:
    """A round in one order of turns.

    Args:
        going: the rounds. number: of the order.
    """

    def __init__(self, going: Going, number: int) -> None:
        steps, ways, weight = going.whole.turns[number]
        self.ways, self.n_ways = index_of(ways), len(ways)
        self.weight = _weighed(going, weight)
        self.by_row = [step.side == going.rows for step in steps]
        self.classes: list[list[Class]] = []
        self.arrays: list[Floats] = []
        here = going.ids
        actors = among(going.actors_of(steps[0]), here[steps[0].side])
        for step, after in zip_longest(steps, steps[1:]):
            shape = len(here[going.rows]), self.n_ways, len(here[1 - going.rows])
            meter_in_force().claim(8 * 3 * shape[0] * shape[1] * shape[2], "rounds of a duel")
            self.arrays.append(np.zeros(shape))
            made = Exchange(going.frame, step, actors, here)
            here = going.ids
            if after is not None:
                actors, here = made.next(after, going.actors_of(after))
            self.classes.append(made.classes(here))

    def follow(self, here: Floats, on: Floats, ended: Floats) -> None:
        """Add what goes on after the round to `on`, and what it decides to `ended`."""
        if isinstance(self.ways, slice):
            self._run(here[:, self.ways], on[:, self.ways], ended)
        else:
            mine = np.zeros((len(on), self.n_ways, on.shape[2]))
            self._run(here[:, self.ways], mine, ended)
            on[:, self.ways] += mine

    def _run(self, here: Floats, on: Floats, ended: Floats) -> None:
        now = np.multiply(here, self.weight, out=self.arrays[0])
        meter = meter_in_force()
        for number, (by_row, classes) in enumerate(zip(self.by_row, self.classes, strict=True)):
            meter.poll()
            after = on
            if number + 1 < len(self.arrays):
                after = self.arrays[number + 1]
                after.fill(0)
            for one in classes:
                came = one.came(now, by_row=by_row)
                if not came.any():
                    continue
                went = _went(one.ways, came, by_row=by_row)
                n_sent = after.shape[2] if by_row else len(after)
                for place, (verdict, which) in enumerate(one.verdicts, start=n_sent):
                    decided = (
                        went[which, :, place].sum(0) if by_row else went[place][:, which].sum(1)
                    )
                    ended[self.ways, verdict] += decided
                if one.which is None:
                    continue
                if by_row:
                    after[one.at] += went[one.which, :, :n_sent]
                else:
                    after[:, :, one.at] += went[:n_sent, :, one.which]
            now = after


def _weighed(going: Going, weight: Floats) -> Floats:
    """How likely an order of turns is, in the order of arrays; mostly the same for all pairs."""
    if weight.ndim == 1:
        return weight
    whole = going.turned(weight[np.ix_(*going.places())])
    return whole[:1, :, :1] if (whole == whole[:1, :, :1]).all() else whole


def _went(ways: Floats | csr_array, came: Floats, *, by_row: bool) -> Floats:
    """What comes of an exchange, in the order of arrays.

    Args:
        ways: as in `Class`.
        came: attackers with targets before it.
        by_row: whether attackers are the rows.
    """
    if not by_row:
        went: Floats = ways @ came.reshape(len(came), -1)
        return went.reshape(len(went), *came.shape[1:])
    pairs = came.reshape(-1, came.shape[2])
    if isinstance(ways, np.ndarray):
        dense: Floats = pairs @ ways
        return dense.reshape(*came.shape[:2], ways.shape[1])
    sparse: Floats = ways @ pairs.T
    return sparse.reshape(len(sparse), *came.shape[:2]).transpose(1, 2, 0)
