"""An exchange of rounds that carry only who fights on, made ready: who goes where, what is decided.

Attackers with the same odds for each target are a class. What comes of an exchange goes on to the
next one, or it is a verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from affray.core.lazy import NamedTuple
from affray.engine.fight.course import DECIDED, VERDICT_OF
from affray.engine.fight.duels.whole_round import WholeStep, where_in

__all__ = [
    "Actors", "Both", "Class", "Exchange", "Frame", "Index", "actors_in", "among", "apart",
    "in_order", "index_of",
]  # fmt: skip

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Index: TypeAlias = "slice | Ints"
Both: TypeAlias = "tuple[Ints, Ints]"
"""Conditions of either side, in the order of arrays."""

MOSTLY_EMPTY = 10
"""Of an array in which less than one number in so many isn't zero the others are left out."""
WON = {code: DECIDED.index(verdict) for code, verdict in enumerate(VERDICT_OF) if verdict}
"""The column of each verdict, by its code."""


class Frame(NamedTuple):
    """What rounds follow.

    Attributes:
        rows: the side whose conditions are the rows of arrays.
        sizes: how many conditions either side has.
        flags: of each condition: whether its fighter is out, whether that decides the fight.
    """

    rows: int
    sizes: Sequence[int]
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


class Class(NamedTuple):
    """Attackers of an exchange, ready to be followed.

    Attackers that are the same after it, as far as anybody asks, are one.

    Attributes:
        takes: conditions before the exchange, each with the attackers that they are: the first
            of them are all attackers, in order.
        ways: from targets to what comes of them: what goes on, then a column for each verdict;
            or the other way round if it is sparse.
        verdicts: what the rest is, and for which attackers.
        which: the attackers who go on; at: their places after the exchange. None: nobody does.
    """

    takes: list[tuple[Index, Index]]
    ways: Floats | csr_array
    verdicts: list[tuple[int, Index]]
    which: Index | None
    at: Index

    def came(self, now: Floats, *, by_row: bool) -> Floats:
        """The attackers with their targets, from all pairs before the exchange."""
        (_, first), *more = self.takes
        if by_row:
            came = now[first]
            if more and isinstance(first, slice):
                came = came.copy()
            for place, who in more:
                came[place] += now[who]
            return came
        came = np.ascontiguousarray(now[:, :, first])
        if more and came.base is not None and isinstance(first, slice):
            came = came.copy()
        for place, who in more:
            came[:, :, place] += now[:, :, who]
        return came


class Exchange:
    """An exchange of a round as it is made ready.

    Args:
        frame: what is followed. step: the exchange. actors: who may act in it.
        here: the conditions before it.
    """

    def __init__(self, frame: Frame, step: WholeStep, actors: Sequence[Actors], here: Both) -> None:
        self.frame, self.step = frame, step
        self.side, self.other = step.side, 1 - step.side
        self.struck = step.after[self.other]
        self.actors, self.n_targets = actors, len(here[self.other])
        self.actor_at = where_in(here[self.side], frame.sizes[self.side])
        targets = where_in(here[self.other], frame.sizes[self.other])
        self.target_at = targets[step.here[self.other]]
        self.ended = [step.closing(side) for side in (0, 1)]

    def next(self, after: WholeStep, may_act: Sequence[Actors]) -> tuple[list[Actors], Both]:
        """Those who act in the next exchange, and the conditions before it.

        `may_act` are all who could act there.
        """
        reached = np.zeros(len(self.struck), np.bool_)
        for one in self.actors:
            rows, columns = one.ways.coords
            reached[rows[self.target_at[columns] >= 0]] = True
        struck = self.struck[reached]
        acted = np.unique(np.concatenate([one.then for one in self.actors] or [struck[:0]]))
        found = [acted, acted]
        found[self.other] = struck
        for side, ids in enumerate(found):
            found[side] = ids[self.frame.flags[side][ids] == 0]
        acts = in_order(found[after.side], may_act, self.frame.sizes[after.side])
        found[after.side] = acts
        return among(may_act, acts), (found[0], found[1])

    def classes(self, there: Both) -> list[Class]:
        """The classes of attackers.

        Args:
            there: the conditions before the next exchange, or before the next round.
        """
        at, leads_to = (
            where_in(there[side], self.frame.sizes[side])[self.ended[side]]
            for side in (self.side, self.other)
        )
        return [
            self._class(one, at, leads_to[self.struck], len(there[self.other]))
            for one in self.actors
        ]

    def _class(self, one: Actors, at: Ints, leads_to: Ints, n_sent: int) -> Class:
        """Attackers with what goes on, and with what they decide.

        Args:
            one: the attackers.
            at: the place of each condition of their side after the exchange; -1: none.
            leads_to: the same for what comes of targets.
            n_sent: how many places these are.
        """
        mine, theirs = (self.frame.flags[side] for side in (self.side, self.other))
        now, later = mine[one.then], mine[self.ended[self.side][one.then]]
        # Who goes on is known by the place after it; of others it only matters how they ended.
        goes_on = (now == 0) & (at[one.then] >= 0)
        key = np.where(goes_on, at[one.then], -1 - np.where(now == 0, later << 3, now))
        keys, first, same = np.unique(key, return_index=True, return_inverse=True)
        who, which, now, later = one.who, same[one.which], now[first], later[first]
        takes: list[tuple[Index, Index]] = []
        for group in apart(which):
            few = group[np.argsort(which[group])]
            takes.append((index_of(which[few]), index_of(self.actor_at[who[few]])))
        rows, columns = one.ways.coords
        comes = np.zeros(len(self.struck), np.bool_)
        comes[rows] = True
        struck, closed = theirs[self.struck], theirs[self.ended[self.other][self.struck]]
        ways_to = [np.where(struck == 0, leads_to, -1)]
        verdicts: list[tuple[int, Index]] = []
        for flag, close in dict.fromkeys(zip(now.tolist(), later.tolist(), strict=True)):
            some = index_of(np.flatnonzero((now == flag) & (later == close)))
            codes = flag | struck
            if not flag:
                codes = np.where(struck == 0, close | closed, struck)
            for code in np.unique(codes[(codes > 0) & comes]).tolist():
                ways_to.append(np.where(codes == code, n_sent + len(verdicts), -1))
                verdicts.append((WON[code], some))
        n_rows = n_sent + len(verdicts)
        to = np.concatenate([led[rows] for led in ways_to])
        columns = np.tile(self.target_at[columns], len(ways_to))
        chances = np.tile(one.ways.data, len(ways_to))
        kept = (to >= 0) & (columns >= 0)
        to, columns, chances = to[kept], columns[kept], chances[kept]
        shape = n_rows, self.n_targets
        if self.side != self.frame.rows or len(to) * MOSTLY_EMPTY < shape[0] * shape[1]:
            ways: Floats | csr_array = csr_array((chances, (to, columns)), shape=shape)
        else:
            whole = np.bincount(columns * n_rows + to, chances, shape[0] * shape[1])
            ways = whole.reshape(self.n_targets, n_rows)
        on = np.flatnonzero(keys >= 0)
        return Class(takes, ways, verdicts, index_of(on) if len(on) else None, index_of(keys[on]))


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


def in_order(ids: Ints, actors: Sequence[Actors], size: int) -> Ints:
    """Conditions with those of a class side by side.

    Args:
        ids: the conditions.
        actors: the classes of those who may act.
        size: how many conditions there are in all.
    """
    place = np.full(size, size)
    found, first = np.unique(np.concatenate([*(one.who for one in actors), ids]), return_index=True)
    place[found] = first
    return ids[np.argsort(place[ids], kind="stable")]


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
