"""Rounds of a duel followed for the pairs of conditions that fight on, and for nothing else.

Which pairs a fight ends in is a sum over rounds, and linear in what they begin with: it takes one
whole round, from how often each pair begins one. So the rounds themselves carry only pairs that
fight on, what is decided in them as a verdict each, and conditions that act alike as one, from the
moment on at which nothing tells them apart. Pairs that hardly come up any more are left out; how
much that misses shows in the whole round at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.engine.fight.course import DECIDED, VERDICT_OF

if TYPE_CHECKING:
    from affray.engine.fight.duels.following import WholeRound, WholeStep

__all__ = ["Going"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Index: TypeAlias = "slice | Ints"

HARDLY = 1e-22
"""Probability of a pair below which it isn't followed any further."""
FEWER = 0.6
"""The share of pairs left with which it pays to follow no others."""
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
    ways: csr_array


class _Take(NamedTuple):
    """Some attackers of a class as they come into a round.

    Attributes:
        rows: where their conditions are. at: which attackers they are.
        weight: how likely this order of turns is, by target, way to begin and attacker; None: it
            is certain.
    """

    rows: Index
    at: Index
    weight: Floats | None


class _Send(NamedTuple):
    """A part of what comes of an exchange, and where it goes.

    Attributes:
        rows, columns: the part, by targets and by attackers.
        to: the class of the next exchange. at: its place there.
        turns: whether those who were targets act next, so that both change places.
    """

    rows: slice
    columns: Index
    to: int
    at: Index
    turns: bool


class _Class(NamedTuple):
    """Attackers of an exchange, ready to be followed.

    Attributes:
        ways: from targets to what comes of them: what is sent on, and a row for each verdict.
        n_sent: how many rows are sent on. verdicts: what the others are, each for some attackers.
    """

    ways: csr_array
    n_sent: int
    verdicts: list[tuple[int, Index]]
    sends: list[_Send]


class Going:
    """What goes on from round to round.

    Args:
        whole: the rounds with all that is over.

    Attributes:
        ids: the conditions of either side that are followed, in the order of arrays.
        begun: how often each pair has begun a round, in the order of arrays of `whole`.
    """

    def __init__(self, whole: WholeRound) -> None:
        self.whole, self.sweep, self.n_ways = whole, whole.sweep, whole.n_ways
        self.flags = [
            np.array(duelist.is_out) * (4 >> side) | np.array(duelist.is_over)
            for side, duelist in enumerate(self.sweep.duelists)
        ]
        self.begun = np.zeros((*map(len, whole.first), self.n_ways))
        self._keep(whole.first)

    def _keep(self, ids: tuple[Ints, Ints]) -> None:
        """Follow these conditions."""
        one, other = (self._sorted(side, ids[side]) for side in (0, 1))
        self.ids = one, other
        shape = len(one), self.n_ways, len(other)
        self._known, self._spare = np.zeros(shape), np.zeros(shape)
        self._turns = [_Turn(self, number) for number in range(len(self.whole.turns))]

    def _sorted(self, side: int, ids: Ints) -> Ints:
        """Conditions with those that act alike side by side, those that have acted first."""
        size = self.sweep.n[side]
        has_acted = np.zeros(size, np.bool_)
        order: list[Ints] = []
        for steps, _, _ in self.whole.turns:
            if steps[-1].side == side:
                after = [steps[-1].closing(side)[one.then] for one in _actors(steps[-1])]
                has_acted[np.concatenate(after or [ids[:0]])] = True
                order += after
        for steps, _, _ in self.whole.turns:
            if steps[0].side == side:
                order = []
                for one in _actors(steps[0]):
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
            places_of(first, n)[ids]
            for first, n, ids in zip(self.whole.first, self.sweep.n, self.ids, strict=True)
        )
        return one, other

    def start(self, here: Floats) -> Floats:
        """What begins the first round, from what `whole` begins it with."""
        return np.ascontiguousarray(here[np.ix_(*self.places())].transpose(0, 2, 1))

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
        """Go on without what is next to impossible by now."""
        likely = here.max(1, initial=0.0) > HARDLY
        rows, columns = likely.any(1), likely.any(0)
        if not likely.any() or rows.mean() * columns.mean() > FEWER:
            return here
        self.settle()
        places = [places_of(ids, n) for ids, n in zip(self.ids, self.sweep.n, strict=True)]
        self._keep((self.ids[0][rows], self.ids[1][columns]))
        one, other = (place[ids] for place, ids in zip(places, self.ids, strict=True))
        return here[one][:, :, other]

    def settle(self) -> Floats:
        """How often each pair has begun a round by now, in the order of arrays of `whole`."""
        self.begun[np.ix_(*self.places())] += self._known.transpose(0, 2, 1)
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
        self.acts_first = steps[0].side
        targets = going.ids[1 - self.acts_first]
        actors = _among(_actors(steps[0]), going.ids[self.acts_first])
        self.takes = [self._taken(going, one, weight) for one in actors]
        self.classes: list[list[_Class]] = []
        self.buffers: list[list[Floats]] = []
        self.meets: list[list[bool]] = []
        for step, after in zip_longest(steps, steps[1:]):
            shapes = [(len(targets), self.n_ways, len(one.then)) for one in actors]
            what = sum(rows * n * columns for rows, n, columns in shapes)
            meter_in_force().claim(8 * 3 * what, "rounds of a duel")
            self.buffers.append([np.zeros(shape) for shape in shapes])
            self.meets.append(self._meeting(shapes))
            made = _Exchange(going, step, actors, targets)
            if after is None:
                self.classes.append(made.closing())
            else:
                actors, targets = made.next(after)
                self.classes.append(made.leading(after, actors, targets))

    def _meeting(self, shapes: Sequence[tuple[int, int, int]]) -> list[bool]:
        """Whether parts of what is sent to a class meet there."""
        met = [np.zeros((rows, columns), np.int64) for rows, _, columns in shapes]
        for one in self.classes[-1] if self.classes else ():
            for send in one.sends:
                place = (send.at,) if send.turns else (slice(None), send.at)
                met[send.to][place] += 1
        return [bool((count > 1).any()) for count in met]

    def _taken(self, going: Going, one: _Actors, weight: Floats) -> list[_Take]:
        """How the attackers of a class come into the round."""
        side = self.acts_first
        here = places_of(going.ids[side], going.sweep.n[side])[one.who]
        places = going.places()
        found = []
        for group in apart(one.which):
            share: Floats | None = None
            if weight.ndim > 1:
                both = [places[0], places[1]]
                both[side] = both[side][here[group]]
                share = weight[np.ix_(*both)].transpose((1, 2, 0) if side == 0 else (0, 2, 1))
                if (share == share[:, :, :1]).all():  # the same for all attackers
                    share = share[:, :, :1]
                share = np.ascontiguousarray(share)
            found.append(_Take(index_of(here[group]), index_of(one.which[group]), share))
        return found

    def follow(self, here: Floats, on: Floats, ended: Floats) -> None:
        """Add what goes on after the round to `on`, and what it decides to `ended`."""
        if isinstance(self.ways, slice):
            self._run(here[:, self.ways], on[:, self.ways], ended)
        else:
            mine = np.zeros((len(on), self.n_ways, on.shape[2]))
            self._run(here[:, self.ways], mine, ended)
            on[:, self.ways] += mine

    def _run(self, here: Floats, on: Floats, ended: Floats) -> None:
        self._begin(here.transpose(2, 1, 0) if self.acts_first == 0 else here)
        meter = meter_in_force()
        for number, classes in enumerate(self.classes):
            meter.poll()
            after = self.buffers[number + 1] if number + 1 < len(self.classes) else []
            for to, buffer in enumerate(after):
                if self.meets[number + 1][to]:
                    buffer.fill(0)
            for one, came in zip(classes, self.buffers[number], strict=True):
                went = one.ways @ came.reshape(len(came), -1)
                parts = went.reshape(len(went), *came.shape[1:])
                for row, (verdict, columns) in enumerate(one.verdicts, start=one.n_sent):
                    ended[self.ways, verdict] += parts[row][:, columns].sum(1)
                for send in one.sends:
                    part = parts[send.rows][:, :, send.columns]
                    place: tuple[Any, ...] = (send.at,) if send.turns else (..., send.at)
                    moved = part.transpose(2, 1, 0) if send.turns else part
                    if not after:
                        on[place] += moved
                    elif self.meets[number + 1][send.to]:
                        after[send.to][place] += moved
                    else:
                        after[send.to][place] = moved

    def _begin(self, here: Floats) -> None:
        """Sort what begins a round in: targets first."""
        for takes, buffer in zip(self.takes, self.buffers[0], strict=True):
            for first, (rows, at, weight) in enumerate(takes):
                came = here[:, :, rows]
                if first:
                    buffer[:, :, at] += came if weight is None else came * weight
                elif weight is None:
                    buffer[:, :, at] = came
                elif isinstance(at, slice):
                    np.multiply(came, weight, out=buffer[:, :, at])
                else:
                    buffer[:, :, at] = came * weight


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
        columns = places_of(step.here[self.other], going.sweep.n[self.other])[targets]
        self.actors = [one._replace(ways=one.ways[:, columns]) for one in actors]
        self.ended = [step.closing(side) for side in (0, 1)]

    def next(self, after: WholeStep) -> tuple[list[_Actors], Ints]:
        """Those who act in the next exchange, and the conditions of their targets before it."""
        thens = [one.then for one in self.actors] or [np.zeros(0, np.int64)]
        then = np.array(list(dict.fromkeys(np.concatenate(thens).tolist())), np.int64)
        acted = then[self.going.flags[self.side][then] == 0]
        struck = self.struck[: self.n_on]
        acts, waits = (acted, struck) if after.side == self.side else (struck, acted)
        return _among(_actors(after), acts), waits

    def leading(self, after: WholeStep, actors: Sequence[_Actors], targets: Ints) -> list[_Class]:
        """The classes of attackers, and how they come to the next exchange."""
        sizes = self.going.sweep.n
        turns = after.side != self.side
        made = []
        for one in self.actors:
            goes_on = self.going.flags[self.side][one.then] == 0
            ways, sends = one.ways[: self.n_on], []
            parts: list[csr_array] = []
            if turns:
                at = places_of(targets, sizes[self.side])[one.then]
                columns, start = np.flatnonzero(goes_on), 0
                for number, then in enumerate(actors):
                    spots = places_of(self.struck[: self.n_on], sizes[self.other])[then.who]
                    parts.append(_summing(then.which, spots, (len(then.then), self.n_on)) @ ways)
                    rows = slice(start, start + len(then.then))
                    start = rows.stop
                    place = index_of(at[columns])
                    sends.append(_Send(rows, index_of(columns), number, place, turns=True))
            else:
                parts.append(ways)
                for number, then in enumerate(actors):
                    which = np.full(sizes[self.side], -1)
                    which[then.who] = then.which
                    sends += self._sends(one, which, number, turns=False)
            made.append(self._class(one, parts, sends))
        return made

    def closing(self) -> list[_Class]:
        """The classes of attackers of the last exchange of a round."""
        going, sizes = self.going, self.going.sweep.n
        after = self.ended[self.other][self.struck[: self.n_on]]
        spots = places_of(going.ids[self.other], sizes[self.other])[after]
        kept = np.flatnonzero(spots >= 0)
        sums = _summing(spots[kept], kept, (len(going.ids[self.other]), self.n_on))
        at = places_of(going.ids[self.side], sizes[self.side])[self.ended[self.side]]
        return [
            self._class(
                one, [sums @ one.ways[: self.n_on]],
                self._sends(one, at, 0, turns=self.side == 0, n_rows=sums.shape[0]),
            )
            for one in self.actors
        ]  # fmt: skip

    def _sends(
        self, one: _Actors, at: Ints, to: int, *, turns: bool, n_rows: int | None = None
    ) -> list[_Send]:
        """All targets with those attackers who go on, to a class of the next exchange.

        Args:
            one: the attackers.
            at: the place there of each condition; -1: none.
            to: the class.
            turns: as in `_Send`.
            n_rows: how many targets; None: as many as fight on.
        """
        rows = slice(0, self.n_on if n_rows is None else n_rows)
        spots = at[one.then]
        columns = np.flatnonzero((spots >= 0) & (self.going.flags[self.side][one.then] == 0))
        return [
            _Send(rows, index_of(columns[group]), to, index_of(spots[columns[group]]), turns)
            for group in apart(spots[columns])
        ]

    def _class(self, one: _Actors, parts: list[csr_array], sends: list[_Send]) -> _Class:
        """Attackers with what they send on, and with a row for each verdict."""
        n_sent = sum(part.shape[0] for part in parts)
        verdicts: list[tuple[int, Index]] = []
        mine, theirs = (self.going.flags[side] for side in (self.side, self.other))
        now, ends = mine[one.then], mine[self.ended[self.side][one.then]]
        struck, closed = theirs[self.struck], theirs[self.ended[self.other][self.struck]]
        for flag, later in dict.fromkeys(zip(now.tolist(), ends.tolist(), strict=True)):
            columns = index_of(np.flatnonzero((now == flag) & (ends == later)))
            codes = flag | struck
            if not flag:
                codes = np.where(struck == 0, later | closed, struck)
            for code in np.unique(codes[codes > 0]).tolist():
                rows = np.flatnonzero(codes == code)
                sums = _summing(np.zeros_like(rows), rows, (1, len(codes)))
                part = sums @ one.ways
                if part.nnz:
                    parts.append(part)
                    verdicts.append((WON[code], columns))
        ways = vstack(parts, format="csr") if len(parts) > 1 else parts[0]
        return _Class(ways, n_sent, verdicts, sends)


def _actors(step: WholeStep) -> list[_Actors]:
    """The classes of those who act in an exchange."""
    here, after = step.here[step.side], step.after[step.side]
    found = []
    for one in step.classes:
        which = [np.arange(len(one.who)), *(place for place, _ in one.more)]
        who = [one.who, *(more for _, more in one.more)]
        found.append(
            _Actors(here[np.concatenate(who)], np.concatenate(which), after[one.then], one.ways)
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


def _summing(rows: Ints, columns: Ints, shape: tuple[int, int]) -> csr_array:
    """The matrix that adds these columns up in these rows; columns below zero are nowhere."""
    there = columns >= 0
    rows, columns = rows[there], columns[there]
    return csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)


def places_of(ids: Ints, size: int) -> Ints:
    """The place of each condition in a list of some; -1 for all others."""
    places = np.full(size, -1)
    places[ids] = np.arange(len(ids))
    return places


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
