"""Rounds of a duel followed for the pairs of conditions that fight on, and for nothing else.

Which pairs a fight ends in is a sum over rounds, and linear in what they begin with: it takes one
whole round, from how often each pair begins one. So the rounds themselves carry only pairs that
fight on, what is decided in them as a verdict each, and conditions that act alike as one, from the
moment on at which nothing tells them apart. Pairs that hardly come up any more are left out; how
much that misses shows in the whole round at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise, zip_longest
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.engine.fight.course import DECIDED, VERDICT_OF
from affray.engine.fight.duels.whole_round import WholeRound, WholeStep, where_in

__all__ = ["Going"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Index: TypeAlias = "slice | Ints"

HARDLY = 1e-21
"""Probability of a pair below which it isn't followed any further."""
FEWER = 0.6
"""The share of pairs left with which it pays to follow no others."""
MOSTLY_EMPTY = 10
"""Of an array in which less than one number in so many isn't zero the others are left out."""
WON = {code: DECIDED.index(verdict) for code, verdict in enumerate(VERDICT_OF) if verdict}
"""The column of each verdict, by its code."""


class _Actors(NamedTuple):
    """Attackers with the same odds for each target.

    Attributes:
        who, which: conditions before the exchange, and which attacker each of them is.
        then: what becomes of each attacker.
        ways: from targets to what becomes of them, in the order of the step's arrays.
    """

    who: Ints
    which: Ints
    then: Ints
    ways: coo_array


class _Take(NamedTuple):
    """Some attackers as they come into a round.

    Attributes:
        those: where their conditions are. to: their array, `at`: which attackers they are there.
        weight: how likely this order of turns is, in the order of arrays; None: it is certain.
        adds: whether others came there before.
    """

    those: Index
    to: int
    at: Index
    weight: Floats | None
    adds: bool


class _Send(NamedTuple):
    """A part of what comes of an exchange, and where it goes.

    Attributes:
        part: of what comes of targets. which: the attackers.
        to: an array of the next exchange. at: the place there of what becomes of the attackers.
    """

    part: slice
    which: Index
    to: int
    at: Index


class _Class(NamedTuple):
    """Attackers of an exchange, ready to be followed.

    Attributes:
        ways: from targets to what comes of them: what is sent on, then a column for each verdict;
            or the other way round if it is sparse.
        n_sent: how much is sent on. verdicts: what the rest is, and for which attackers.
    """

    ways: Floats | csr_array
    n_sent: int
    verdicts: list[tuple[int, Index]]
    sends: list[_Send]


class Going:
    """What goes on from round to round.

    Args:
        whole: the rounds with all that is over.

    Attributes:
        rows: the side whose conditions are the rows of arrays, by way to begin and by condition
            of the other side. The other side's exchanges are products from the left, its own from
            the right, so that nothing ever has to be turned round.
        ids: the conditions of either side that are followed, in the order of arrays.
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
        self._actors: dict[WholeStep, list[_Actors]] = {}
        self._keep(whole.first)

    def actors_of(self, step: WholeStep) -> list[_Actors]:
        """The classes of those who act in an exchange."""
        known = self._actors.get(step)
        if known is None:
            known = self._actors[step] = _actors(step)
        return known

    def _keep(self, ids: tuple[Ints, Ints]) -> None:
        """Follow these conditions."""
        one, other = (self._sorted(side, ids[side]) for side in (0, 1))
        self.ids = one, other
        shape = len(self.ids[self.rows]), self.n_ways, len(self.ids[1 - self.rows])
        self._known, self._spare = np.zeros(shape), np.zeros(shape)
        self._turns = [_Turn(self, number) for number in range(len(self.whole.turns))]

    def _sorted(self, side: int, ids: Ints) -> Ints:
        """Conditions with those that act alike side by side, those that have acted first."""
        size = self.sweep.n[side]
        has_acted = np.zeros(size, np.bool_)
        order: list[Ints] = []
        for steps, _, _ in self.whole.turns:
            if steps[-1].side == side:
                after = [steps[-1].closing(side)[one.then] for one in self.actors_of(steps[-1])]
                has_acted[np.concatenate(after or [ids[:0]])] = True
                order += after
        for steps, _, _ in self.whole.turns:
            if steps[0].side == side:
                order = []
                for one in self.actors_of(steps[0]):
                    first = np.lexsort((one.which, ~has_acted[one.who]))
                    who, which = one.who[first], one.which[first]
                    order += [who[group[np.argsort(which[group])]] for group in apart(which)]
        place = np.full(size, size)
        every = np.concatenate([*order, ids])
        found, first = np.unique(every, return_index=True)
        place[found] = first
        return ids[np.argsort(place[ids], kind="stable")]

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

    def turned(self, pairs: Floats) -> Floats:
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
        return on, ended

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
        side = steps[0].side
        targets = going.ids[1 - side]
        actors = _among(going.actors_of(steps[0]), going.ids[side])
        self.takes = list(_taken(going, side, actors, weight))
        self.by_row = [step.side == going.rows for step in steps]
        self.classes: list[list[_Class]] = []
        self.arrays: list[list[Floats]] = []
        self.parts: list[list[Floats]] = []
        self.meets: list[list[bool]] = []
        for by_row, step, after in zip_longest(self.by_row, steps, steps[1:]):
            sizes = [len(one.then) for one in actors]
            meter_in_force().claim(
                8 * 3 * self.n_ways * len(targets) * sum(sizes), "rounds of a duel"
            )
            if by_row:
                whole = np.zeros((sum(sizes), self.n_ways, len(targets)))
                arrays, parts = [whole], [whole[start:stop] for start, stop in _slabs(sizes)]
            else:
                arrays = parts = [np.zeros((len(targets), self.n_ways, size)) for size in sizes]
            self.arrays.append(arrays)
            self.parts.append(parts)
            self.meets.append(self._meeting(arrays))
            made = _Exchange(going, step, actors, targets)
            if after is None:
                self.classes.append(made.closing())
            else:
                actors, targets = made.next(after)
                self.classes.append(made.leading(after, actors, targets))

    def _meeting(self, arrays: Sequence[Floats]) -> list[bool]:
        """Whether parts of what is sent to an array meet there."""
        met = [np.zeros((len(array), array.shape[2]), np.int64) for array in arrays]
        for one in self.classes[-1] if self.classes else ():
            for send in one.sends:
                place = (send.at,) if self.by_row[len(self.classes) - 1] else (..., send.at)
                met[send.to][place] += 1
        return [bool((count > 1).any()) for count in met]

    def follow(self, here: Floats, on: Floats, ended: Floats) -> None:
        """Add what goes on after the round to `on`, and what it decides to `ended`."""
        if isinstance(self.ways, slice):
            self._run(here[:, self.ways], on[:, self.ways], ended)
        else:
            mine = np.zeros((len(on), self.n_ways, on.shape[2]))
            self._run(here[:, self.ways], mine, ended)
            on[:, self.ways] += mine

    def _run(self, here: Floats, on: Floats, ended: Floats) -> None:
        self._begin(here)
        meter = meter_in_force()
        last = len(self.classes) - 1
        for number, (by_row, classes) in enumerate(zip(self.by_row, self.classes, strict=True)):
            meter.poll()
            after = [on] if number == last else self.arrays[number + 1]
            adds = [True] if number == last else self.meets[number + 1]
            for array, meets in zip(after, adds, strict=True):
                if meets and number < last:
                    array.fill(0)
            for one, came in zip(classes, self.parts[number], strict=True):
                went = _went(one.ways, came, by_row=by_row)
                for place, (verdict, which) in enumerate(one.verdicts, start=one.n_sent):
                    decided = (
                        went[which, :, place].sum(0) if by_row else went[place][:, which].sum(1)
                    )
                    ended[self.ways, verdict] += decided
                for part, which, to, at in one.sends:
                    spot: tuple[Any, ...] = (at,) if by_row else (..., at)
                    sent = went[which, :, part] if by_row else went[part, :, which]
                    if adds[to]:
                        after[to][spot] += sent
                    else:
                        after[to][spot] = sent

    def _begin(self, here: Floats) -> None:
        """Sort in what begins a round."""
        by_row = self.by_row[0]
        for those, to, at, weight, adds in self.takes:
            came = here[those] if by_row else here[:, :, those]
            array = self.arrays[0][to]
            place: tuple[Any, ...] = (at,) if by_row else (..., at)
            if adds:
                array[place] += came if weight is None else came * weight
            elif weight is None:
                array[place] = came
            elif isinstance(at, slice):
                np.multiply(came, weight, out=array[place])
            else:
                array[place] = came * weight


class _Exchange:
    """An exchange of a round as it is made ready.

    Args:
        going: the rounds. step: the exchange. actors: who may act in it.
        targets: the conditions of the other side before it, in the order of arrays.
    """

    def __init__(
        self, going: Going, step: WholeStep, actors: Sequence[_Actors], targets: Ints
    ) -> None:
        self.going, self.step = going, step
        self.side, self.other = step.side, 1 - step.side
        self.n_on = step.n_on[self.other]
        self.struck = step.after[self.other]
        self.actors, self.n_targets = actors, len(targets)
        self.place = where_in(targets, going.sweep.n[self.other])[step.here[self.other]]
        self.ended = [step.closing(side) for side in (0, 1)]

    def next(self, after: WholeStep) -> tuple[list[_Actors], Ints]:
        """Those who act in the next exchange, and the conditions of their targets before it."""
        thens = [one.then for one in self.actors] or [np.zeros(0, np.int64)]
        then = np.array(list(dict.fromkeys(np.concatenate(thens).tolist())), np.int64)
        acted = then[self.going.flags[self.side][then] == 0]
        struck = self.struck[: self.n_on]
        acts, waits = (acted, struck) if after.side == self.side else (struck, acted)
        return _among(self.going.actors_of(after), acts), waits

    def leading(self, after: WholeStep, actors: Sequence[_Actors], targets: Ints) -> list[_Class]:
        """The classes of attackers, and how they come to the next exchange."""
        sizes = self.going.sweep.n
        struck = self.struck[: self.n_on]
        slabs = [slice(*slab) for slab in _slabs([len(then.then) for then in actors])]
        by_row = after.side == self.going.rows
        if after.side != self.side:
            at = where_in(targets, sizes[self.side])
            spots = where_in(struck, sizes[self.other])
            rows = np.concatenate([spots[then.who] for then in actors] or [spots[:0]])
            to = [then.which + slab.start for then, slab in zip(actors, slabs, strict=True)]
            leads_to = self._led(rows, np.concatenate(to or [spots[:0]]))
            n_sent = slabs[-1].stop if slabs else 0
            parts = [slice(0, n_sent)] if by_row else slabs
            return [
                self._class(one, leads_to, n_sent, [
                    send for to, part in enumerate(parts) for send in self._sends(one, at, part, to)
                ])
                for one in self.actors
            ]  # fmt: skip
        everybody = np.arange(self.n_on)
        leads_to = self._led(everybody, everybody)
        made = []
        for one in self.actors:
            sends = []
            for number, (then, slab) in enumerate(zip(actors, slabs, strict=True)):
                at = np.full(sizes[self.side], -1)
                at[then.who] = then.which + slab.start if by_row else then.which
                sends += self._sends(one, at, slice(0, self.n_on), 0 if by_row else number)
            made.append(self._class(one, leads_to, self.n_on, sends))
        return made

    def closing(self) -> list[_Class]:
        """The classes of attackers of the last exchange of a round."""
        going, sizes = self.going, self.going.sweep.n
        after = self.ended[self.other][self.struck[: self.n_on]]
        spots = where_in(going.ids[self.other], sizes[self.other])[after]
        leads_to = self._led(np.arange(self.n_on), spots)
        at = where_in(going.ids[self.side], sizes[self.side])[self.ended[self.side]]
        n_sent = len(going.ids[self.other])
        return [
            self._class(one, leads_to, n_sent, self._sends(one, at, slice(0, n_sent), 0))
            for one in self.actors
        ]

    def _led(self, rows: Ints, to: Ints) -> list[Ints]:
        """Where what comes of targets leads to, once for each place that one leads to."""
        found = []
        for group in apart(rows):
            led = np.full(len(self.struck), -1)
            there = group[rows[group] >= 0]
            led[rows[there]] = to[there]
            found.append(led)
        return found

    def _sends(self, one: _Actors, at: Ints, part: slice, to: int) -> list[_Send]:
        """The attackers who go on, to an array of the next exchange.

        Args:
            one: the attackers.
            at: the place there of each condition; -1: none.
            part: of what comes of targets.
            to: the array.
        """
        spots = at[one.then]
        which = np.flatnonzero((spots >= 0) & (self.going.flags[self.side][one.then] == 0))
        return [
            _Send(part, index_of(which[group]), to, index_of(spots[which[group]]))
            for group in apart(spots[which])
        ]

    def _class(self, one: _Actors, leads_to: list[Ints], n_sent: int, sends: list[_Send]) -> _Class:
        """Attackers with what they send on, and with what they decide.

        Args:
            one: the attackers.
            leads_to: where what comes of targets is sent on to; -1: nowhere.
            n_sent: how many places these are.
            sends: what is sent on.
        """
        leads_to = list(leads_to)
        verdicts: list[tuple[int, Index]] = []
        mine, theirs = (self.going.flags[side] for side in (self.side, self.other))
        now, ends = mine[one.then], mine[self.ended[self.side][one.then]]
        struck, closed = theirs[self.struck], theirs[self.ended[self.other][self.struck]]
        comes = np.zeros(len(self.struck), np.bool_)
        rows, columns = one.ways.coords
        comes[rows] = True
        for flag, later in dict.fromkeys(zip(now.tolist(), ends.tolist(), strict=True)):
            which = index_of(np.flatnonzero((now == flag) & (ends == later)))
            codes = flag | struck
            if not flag:
                codes = np.where(struck == 0, later | closed, struck)
            for code in np.unique(codes[(codes > 0) & comes]).tolist():
                leads_to.append(np.where(codes == code, n_sent + len(verdicts), -1))
                verdicts.append((WON[code], which))
        n_rows = n_sent + len(verdicts)
        columns = self.place[columns]
        to = np.concatenate([led[rows] for led in leads_to])
        columns = np.tile(columns, len(leads_to))
        chances = np.tile(one.ways.data, len(leads_to))
        kept = (to >= 0) & (columns >= 0)
        to, columns, chances = to[kept], columns[kept], chances[kept]
        shape = n_rows, self.n_targets
        if self.side != self.going.rows or len(to) * MOSTLY_EMPTY < shape[0] * shape[1]:
            ways: Floats | csr_array = csr_array((chances, (to, columns)), shape=shape)
        else:
            whole = np.bincount(columns * n_rows + to, chances, shape[0] * shape[1])
            ways = whole.reshape(self.n_targets, n_rows)
        return _Class(ways, n_sent, verdicts, sends)


def _went(ways: Floats | csr_array, came: Floats, *, by_row: bool) -> Floats:
    """What comes of an exchange, in the order of arrays.

    Args:
        ways: as in `_Class`.
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


def _taken(going: Going, side: int, actors: Sequence[_Actors], weight: Floats) -> Iterator[_Take]:
    """How attackers come into a round.

    Args:
        going: the rounds.
        side: theirs.
        actors: their classes.
        weight: how likely the order of turns is, as `WholeRound` has it.
    """
    places = going.places()
    by_row = side == going.rows
    slabs = _slabs([len(one.then) for one in actors])
    for number, (one, (start, _)) in enumerate(zip(actors, slabs, strict=True)):
        here = where_in(going.ids[side], going.sweep.n[side])[one.who]
        for place, group in enumerate(apart(one.which)):
            share: Floats | None = None
            if weight.ndim > 1:
                both = [places[0], places[1]]
                both[side] = both[side][here[group]]
                share = going.turned(weight[np.ix_(*both)])
                first = share[:1] if by_row else share[:, :, :1]
                # Mostly it is the same for all attackers.
                share = np.ascontiguousarray(first if (share == first).all() else share)
            to, at = (0, start + one.which[group]) if by_row else (number, one.which[group])
            yield _Take(index_of(here[group]), to, index_of(at), share, place > 0)


def _slabs(sizes: Sequence[int]) -> list[tuple[int, int]]:
    """The places of parts of these sizes that lie one after the other."""
    return list(pairwise(accumulate(sizes, initial=0)))


def _actors(step: WholeStep) -> list[_Actors]:
    """The classes of those who act in an exchange."""
    here, after = step.here[step.side], step.after[step.side]
    found = []
    for one in step.classes:
        which = [np.arange(len(one.who)), *(place for place, _ in one.more)]
        who = [one.who, *(more for _, more in one.more)]
        found.append(
            _Actors(
                here[np.concatenate(who)], np.concatenate(which), after[one.then], one.ways.tocoo()
            )
        )
    return found


def _among(actors: Sequence[_Actors], there: Ints) -> list[_Actors]:
    """Classes with no more than these conditions, in their order."""
    found = []
    order = np.argsort(there, kind="stable")
    for one in actors:
        spots = np.searchsorted(there, one.who, sorter=order)
        spots = order[np.minimum(spots, len(order) - 1)] if len(order) else spots * 0 - 1
        kept = np.flatnonzero(there[spots] == one.who) if len(order) else spots[:0]
        if not len(kept):
            continue
        kept = kept[np.argsort(spots[kept], kind="stable")]
        numbers, first = np.unique(one.which[kept], return_index=True)
        numbers = numbers[np.argsort(first, kind="stable")]
        rank = np.empty(len(one.then), np.int64)
        rank[numbers] = np.arange(len(numbers))
        found.append(_Actors(one.who[kept], rank[one.which[kept]], one.then[numbers], one.ways))
    return found


def index_of(places: Ints) -> Index:
    """Places as an index: a slice if they follow one another."""
    if len(places) and (np.diff(places) == 1).all():
        return slice(int(places[0]), int(places[-1]) + 1)
    return places


def apart(numbers: Ints) -> Iterator[Ints]:
    """The places of numbers in groups in which none comes twice."""
    order = np.argsort(numbers, kind="stable")
    ranked = numbers[order]
    starts = np.searchsorted(ranked, ranked)
    rank = np.arange(len(ranked)) - starts
    for number in range(int(rank.max(initial=-1)) + 1):
        yield np.sort(order[rank == number])
