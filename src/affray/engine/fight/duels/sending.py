"""An exchange of rounds that carry only who fights on, made ready: who goes where, what is decided.

Attackers with the same odds for each target are a class. What comes of an exchange is sent on to
the places of the next one, or it is a verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from affray.core.lazy import NamedTuple
from affray.engine.fight.course import DECIDED, VERDICT_OF
from affray.engine.fight.duels.whole_round import WholeStep, where_in

__all__ = [
    "Actors", "Class", "Exchange", "Frame", "Index", "Send", "actors_in", "among", "apart",
    "index_of", "slabs_of",
]  # fmt: skip

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Index: TypeAlias = "slice | Ints"

MOSTLY_EMPTY = 10
"""Of an array in which less than one number in so many isn't zero the others are left out."""
WON = {code: DECIDED.index(verdict) for code, verdict in enumerate(VERDICT_OF) if verdict}
"""The column of each verdict, by its code."""


class Frame(NamedTuple):
    """What rounds follow.

    Attributes:
        rows: the side whose conditions are the rows of arrays.
        sizes: how many conditions either side has.
        ids: those that are followed, in the order of arrays.
        flags: of each condition: whether its fighter is out, whether that decides the fight.
    """

    rows: int
    sizes: Sequence[int]
    ids: tuple[Ints, Ints]
    flags: Sequence[Ints]


class Actors(NamedTuple):
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


class Send(NamedTuple):
    """A part of what comes of an exchange, and where it goes.

    Attributes:
        part: of what comes of targets. which: the attackers.
        to: an array of the next exchange. at: the place there of what becomes of the attackers.
    """

    part: slice
    which: Index
    to: int
    at: Index


class Class(NamedTuple):
    """Attackers of an exchange, ready to be followed.

    Attributes:
        ways: from targets to what comes of them: what is sent on, then a column for each verdict;
            or the other way round if it is sparse.
        n_sent: how much is sent on. verdicts: what the rest is, and for which attackers.
    """

    ways: Floats | csr_array
    n_sent: int
    verdicts: list[tuple[int, Index]]
    sends: list[Send]


class Exchange:
    """An exchange of a round as it is made ready.

    Args:
        frame: what is followed. step: the exchange. actors: who may act in it.
        targets: the conditions of the other side before it, in the order of arrays.
    """

    def __init__(
        self, frame: Frame, step: WholeStep, actors: Sequence[Actors], targets: Ints
    ) -> None:
        self.frame, self.step = frame, step
        self.side, self.other = step.side, 1 - step.side
        self.n_on = step.n_on[self.other]
        self.struck = step.after[self.other]
        self.actors, self.n_targets = actors, len(targets)
        self.place = where_in(targets, frame.sizes[self.other])[step.here[self.other]]
        self.ended = [step.closing(side) for side in (0, 1)]

    def next(self, after: WholeStep, may_act: Sequence[Actors]) -> tuple[list[Actors], Ints]:
        """Those who act in the next exchange, and the conditions of their targets before it.

        `may_act` are all who could act there.
        """
        thens = [one.then for one in self.actors] or [np.zeros(0, np.int64)]
        then = np.array(list(dict.fromkeys(np.concatenate(thens).tolist())), np.int64)
        acted = then[self.frame.flags[self.side][then] == 0]
        struck = self.struck[: self.n_on]
        acts, waits = (acted, struck) if after.side == self.side else (struck, acted)
        return among(may_act, acts), waits

    def leading(self, after: WholeStep, actors: Sequence[Actors], targets: Ints) -> list[Class]:
        """The classes of attackers, and how they come to the next exchange."""
        sizes = self.frame.sizes
        struck = self.struck[: self.n_on]
        slabs = [slice(*slab) for slab in slabs_of([len(then.then) for then in actors])]
        by_row = after.side == self.frame.rows
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

    def closing(self) -> list[Class]:
        """The classes of attackers of the last exchange of a round."""
        ids, sizes = self.frame.ids, self.frame.sizes
        after = self.ended[self.other][self.struck[: self.n_on]]
        spots = where_in(ids[self.other], sizes[self.other])[after]
        leads_to = self._led(np.arange(self.n_on), spots)
        at = where_in(ids[self.side], sizes[self.side])[self.ended[self.side]]
        n_sent = len(ids[self.other])
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

    def _sends(self, one: Actors, at: Ints, part: slice, to: int) -> list[Send]:
        """The attackers who go on, to an array of the next exchange.

        Args:
            one: the attackers.
            at: the place there of each condition; -1: none.
            part: of what comes of targets.
            to: the array.
        """
        spots = at[one.then]
        which = np.flatnonzero((spots >= 0) & (self.frame.flags[self.side][one.then] == 0))
        return [
            Send(part, index_of(which[group]), to, index_of(spots[which[group]]))
            for group in apart(spots[which])
        ]

    def _class(self, one: Actors, leads_to: list[Ints], n_sent: int, sends: list[Send]) -> Class:
        """Attackers with what they send on, and with what they decide.

        Args:
            one: the attackers.
            leads_to: where what comes of targets is sent on to; -1: nowhere.
            n_sent: how many places these are.
            sends: what is sent on.
        """
        leads_to = list(leads_to)
        verdicts: list[tuple[int, Index]] = []
        mine, theirs = (self.frame.flags[side] for side in (self.side, self.other))
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
        if self.side != self.frame.rows or len(to) * MOSTLY_EMPTY < shape[0] * shape[1]:
            ways: Floats | csr_array = csr_array((chances, (to, columns)), shape=shape)
        else:
            whole = np.bincount(columns * n_rows + to, chances, shape[0] * shape[1])
            ways = whole.reshape(self.n_targets, n_rows)
        return Class(ways, n_sent, verdicts, sends)


def slabs_of(sizes: Sequence[int]) -> list[tuple[int, int]]:
    """The places of parts of these sizes that lie one after the other."""
    return list(pairwise(accumulate(sizes, initial=0)))


def actors_in(step: WholeStep) -> list[Actors]:
    """The classes of those who act in an exchange."""
    here, after = step.here[step.side], step.after[step.side]
    found = []
    for one in step.classes:
        which = [np.arange(len(one.who)), *(place for place, _ in one.more)]
        who = [one.who, *(more for _, more in one.more)]
        found.append(
            Actors(
                here[np.concatenate(who)], np.concatenate(which), after[one.then], one.ways.tocoo()
            )
        )
    return found


def among(actors: Sequence[Actors], there: Ints) -> list[Actors]:
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
        found.append(Actors(one.who[kept], rank[one.which[kept]], one.then[numbers], one.ways))
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
