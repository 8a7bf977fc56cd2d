"""Rounds of a duel followed for the pairs of conditions that fight on, and for nothing else.

Which pairs a fight ends in is a sum over rounds, and linear in what they begin with: it takes one
whole round, from how often each pair begins one. So the rounds themselves carry only pairs that
fight on, what is decided in them as a verdict each, and conditions that act alike as one, from the
moment on at which nothing tells them apart. Pairs that hardly come up any more are left out; how
much that misses shows in the whole round at the end.

    after a round in which one acts last: one's few conditions  x  all of the other's  --.
                                                                                          >-- next
    after a round in which the other does: all of one's  x  the other's few conditions  --'

Whoever has just acted stands, and has nothing of what only lasts until the own turn. So what goes
on after a round is kept in a part for each order of turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from math import prod
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from affray.core.meter import meter_in_force
from affray.engine.fight.course import DECIDED
from affray.engine.fight.duels.sending import (
    Actors,
    Both,
    Class,
    Columns,
    Exchange,
    Frame,
    Weigh,
    actors_in,
    among,
    columns_of,
    in_order,
    index_of,
)
from affray.engine.fight.duels.stand_ins import kinds_of
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
        begin: what `whole` begins the first round with.

    Attributes:
        rows: the side whose conditions are the rows of arrays, by way to begin and by condition
            of the other side. The other side's exchanges are products from the left, its own from
            the right, so that nothing ever has to be turned round.
        order: the conditions of either side that are followed; parts: those that are followed
            after a round in each order of turns, in the order of arrays.
        frame: all of that, as exchanges are made ready for it.
        begun: how often each pair has begun a round, in the order of arrays of `whole`.
    """

    def __init__(self, whole: WholeRound, begin: Floats) -> None:
        self.whole, self.sweep, self.n_ways = whole, whole.sweep, whole.n_ways
        flags = [
            np.array(duelist.is_out) * (4 >> side) | np.array(duelist.is_over)
            for side, duelist in enumerate(self.sweep.duelists)
        ]
        sizes = [len(first) for first in whole.first]
        self.rows = sizes.index(max(sizes))
        self.frame = Frame(self.rows, self.sweep.n, flags)
        self.begun = np.zeros((*sizes, self.n_ways))
        self._begin = begin
        self._left: Bools | None = None
        self._actors: dict[WholeStep, list[Actors]] = {}
        self.weigh = [_weigh(whole, number) for number in range(len(whole.turns))]
        parts = [self._left_by(steps) for steps, _, _ in whole.turns]
        starts = [
            first[np.unique(at)] for first, at in zip(whole.first, begin.nonzero(), strict=False)
        ]
        parts[0] = np.union1d(parts[0][0], starts[0]), np.union1d(parts[0][1], starts[1])
        self._keep(parts)

    def actors_of(self, step: WholeStep) -> list[Actors]:
        """The classes of those who act in an exchange."""
        known = self._actors.get(step)
        if known is None:
            known = self._actors[step] = actors_in(step)
        return known

    def _left_by(self, steps: Sequence[WholeStep]) -> Both:
        """The conditions that may begin a round after one with these exchanges."""
        here = self.whole.first
        actors = among(self.actors_of(steps[0]), here[steps[0].side])
        made = Exchange(self.frame, steps[0], actors, here)
        for step in steps[1:]:
            actors, here = made.next(step, self.actors_of(step))
            made = Exchange(self.frame, step, actors, here)
        one, other = (
            np.intersect1d(ids, first)
            for ids, first in zip(made.left(), self.whole.first, strict=True)
        )
        return one, other

    def _keep(self, parts: Sequence[Both]) -> None:
        """Follow these conditions after a round in each order of turns."""
        one, other = (self._sorted(side, [ids[side] for ids in parts]) for side in (0, 1))
        self.order = one, other
        self.parts = [(one[np.isin(one, ids[0])], other[np.isin(other, ids[1])]) for ids in parts]
        self._once = [
            [np.zeros(len(part[side]), np.bool_) for side in (self.rows, 1 - self.rows)]
            for part in self.parts
        ]
        shapes = [self._shape(part, self.n_ways) for part in self.parts]
        meter_in_force().claim(8 * 3 * sum(map(prod, shapes)), "rounds of a duel")
        self._known = [np.zeros(shape) for shape in shapes]
        self._spare = [np.zeros(shape) for shape in shapes]
        self._turns = [_Turn(self, number) for number in range(len(self.whole.turns))]
        self._follow()

    def _shape(self, ids: Both, n_ways: int) -> tuple[int, int, int]:
        return len(ids[self.rows]), n_ways, len(ids[1 - self.rows])

    def _sorted(self, side: int, parts: Sequence[Ints]) -> Ints:
        """The conditions of a side: who has acted last first, those that act alike side by side."""
        rounds = [steps for steps, _, _ in self.whole.turns]
        acted = []
        for ids, (*_, last) in zip(parts, rounds, strict=True):
            if last.side == side:
                ended = last.closing(side)
                every = [ended[one.then] for one in self.actors_of(last)]
                acted += [some[np.isin(some, ids)] for some in every] + [ids]
        acts = [
            one.who for first, *_ in rounds if first.side == side for one in self.actors_of(first)
        ]
        return in_order(np.unique(np.concatenate(parts)), acted + acts)

    def places(self, part: int) -> Both:
        """The places of what is followed in the arrays of `whole`."""
        one, other = (
            where_in(first, n)[ids]
            for first, n, ids in zip(self.whole.first, self.sweep.n, self.parts[part], strict=True)
        )
        return one, other

    def start(self) -> list[Floats]:
        """What begins the first round, by part."""
        here = [np.zeros(known.shape) for known in self._known]
        here[0] += self._turned(self._begin[np.ix_(*self.places(0))])
        return here

    def pairs(self, here: Sequence[Floats]) -> Floats:
        """What begins a round, in the order of arrays of `whole`."""
        found = np.zeros_like(self.begun)
        for part, values in enumerate(here):
            found[np.ix_(*self.places(part))] += values.transpose(
                (2, 0, 1) if self.rows else (0, 2, 1)
            )
        return found

    def _turned(self, pairs: NDArray[_Number]) -> NDArray[_Number]:
        """Values by pair and by way to begin, in the order of arrays."""
        return pairs.transpose((1, 2, 0) if self.rows else (0, 2, 1))

    def after(self, here: list[Floats]) -> tuple[list[Floats], Floats]:
        """What goes on after a round, and what it decides: a row for each way to begin.

        What it began with is written over in the next round.
        """
        for known, now in zip(self._known, here, strict=True):
            np.add(known, now, out=known)
        every, self._spare = self._spare, here
        ended = np.zeros((self.n_ways, len(DECIDED)))
        for turn, on in zip(self._turns, every, strict=True):
            on.fill(0)
            turn.follow(here, on, ended)
        for on, follows in zip(every, self._follows, strict=False):
            np.multiply(on, follows, out=on)
        return every, ended

    def leave(self, here: list[Floats], pairs: Bools) -> list[Floats]:
        """Go on without some pairs, in the order of arrays of `whole`, from now on."""
        self._left = pairs
        self._follow()
        return [now * follows for now, follows in zip(here, self._follows, strict=True)]

    def _follow(self) -> None:
        """Find out which pairs of each part are followed; an empty list: all."""
        self._follows: list[Bools] = []
        if self._left is not None:
            left = self._left
            self._follows = [
                ~self._turned(left[np.ix_(*self.places(part))]) for part in range(len(self.parts))
            ]

    def likely(self, here: list[Floats]) -> list[Floats]:
        """Go on without what was likely once, and is next to impossible by now."""
        kept, before, after = [], 0, 0
        for now, known, once in zip(here, self._known, self._once, strict=True):
            likely = now.max(1, initial=0.0) > HARDLY
            came = known.max(1, initial=0.0) > HARDLY
            both = []
            for axis in (0, 1):
                once[axis] = once[axis] | came.any(1 - axis)
                both.append(likely.any(1 - axis) | ~once[axis])  # some are still to come
            kept.append(both)
            before += likely.size
            after += int(both[0].sum()) * int(both[1].sum())
        if after > FEWER * before:
            return here
        self.settle()
        parts = []
        for ids, both in zip(self.parts, kept, strict=True):
            one, other = both[:: -1 if self.rows else 1]
            parts.append((ids[0][one], ids[1][other]))
        had, had_come = self.parts, self._once
        self._keep(parts)
        found = []
        for part, (ids, now) in enumerate(zip(had, here, strict=True)):
            one, other = (
                where_in(all_ids, n)[few]
                for all_ids, n, few in zip(ids, self.sweep.n, self.parts[part], strict=True)
            )
            rows, columns = (other, one) if self.rows else (one, other)
            self._once[part] = [had_come[part][0][rows], had_come[part][1][columns]]
            found.append(now[rows][:, :, columns])
        return found

    def settle(self) -> Floats:
        """How often each pair has begun a round by now, in the order of arrays of `whole`."""
        self.begun += self.pairs(self._known)
        for known in self._known:
            known.fill(0)
        return self.begun


class _Turn:
    """A round in one order of turns.

    Args:
        going: the rounds. number: of the order.
    """

    def __init__(self, going: Going, number: int) -> None:
        steps, ways, _ = going.whole.turns[number]
        self.ways, self.n_ways = index_of(ways), len(ways)
        self.by_row = [step.side == going.rows for step in steps]
        self.classes: list[list[Class]] = []
        self.columns: list[Columns] = []
        self.arrays: list[Floats] = []
        parts, here, weigh = going.parts, going.order, going.weigh[number]
        actors = among(going.actors_of(steps[0]), here[steps[0].side])
        for step, after in zip_longest(steps, steps[1:]):
            made, foe = Exchange(going.frame, step, actors, here), 1 - step.side
            struck = [ids[foe] for ids in parts]
            self.columns.append(columns_of(struck, here[foe], going.sweep.n[foe]))
            there = going.parts[number]
            if after is not None:
                actors, there = made.next(after, going.actors_of(after))
                shape = going._shape(there, self.n_ways)
                meter_in_force().claim(8 * 3 * prod(shape), "rounds of a duel")
                self.arrays.append(np.zeros(shape))
            self.classes.append(made.classes(there, parts, weigh))
            parts, here, weigh = [there], there, None

    def follow(self, here: Sequence[Floats], on: Floats, ended: Floats) -> None:
        """Add what goes on after the round to `on`, and what it decides to `ended`."""
        parts = [part[:, self.ways] for part in here]
        if isinstance(self.ways, slice):
            ended[self.ways] += self._run(parts, on[:, self.ways])
        else:
            mine = np.zeros((len(on), self.n_ways, on.shape[2]))
            ended[self.ways] += self._run(parts, mine)
            on[:, self.ways] += mine

    def _run(self, parts: Sequence[Floats], on: Floats) -> Floats:
        """Add what goes on to `on`; what is decided, a row for each way."""
        ended = np.zeros((self.n_ways, len(DECIDED)))
        meter = meter_in_force()
        for number, (by_row, classes) in enumerate(zip(self.by_row, self.classes, strict=True)):
            meter.poll()
            after = on
            if number < len(self.arrays):
                after = self.arrays[number]
                after.fill(0)
            before = parts if by_row else [part.transpose() for part in parts]
            for one in classes:
                came = one.came(before, self.columns[number], by_row=by_row)
                if not came.any():
                    continue
                went = _went(one.ways, came if by_row else came.transpose(), by_row=by_row)
                n_sent = after.shape[2] if by_row else len(after)
                for place, (verdict, which) in enumerate(one.verdicts, start=n_sent):
                    decided = (
                        went[which, :, place].sum(0) if by_row else went[place][:, which].sum(1)
                    )
                    ended[one.among, verdict] += decided
                for which, at in one.puts:
                    if by_row:
                        after[at, one.among] += went[which, :, :n_sent]
                    else:
                        after[:, one.among, at] += went[:n_sent, :, which]
            parts = [after]
        return ended


def _weigh(whole: WholeRound, number: int) -> Weigh | None:
    """How likely rounds come in one order of turns; None where there is only one."""
    (first, *_), _, weight = whole.turns[number]
    if weight.ndim == 1:
        return None
    side, n = first.side, whole.sweep.n
    chances = weight.transpose((1, 2, 0) if side else (0, 2, 1))
    kinds = np.zeros(n[side], np.int64)
    kinds[whole.first[side]] = kinds_of(np.ascontiguousarray(chances))[1]
    acting, struck = (where_in(whole.first[who], n[who]) for who in (side, 1 - side))
    return Weigh(chances, acting, struck, kinds)


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
