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
    "Actors", "Both", "Class", "Columns", "Exchange", "Frame", "Index", "Weigh", "actors_in",
    "among", "apart", "columns_of", "in_order", "index_of",
]  # fmt: skip

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Index: TypeAlias = "slice | Ints"
Both: TypeAlias = "tuple[Ints, Ints]"
"""Conditions of either side, in the order of arrays."""

MOST_RUNS = 8
"""In so many runs at most places are gone through one run after the other."""
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


class Take(NamedTuple):
    """Conditions that an exchange takes up as attackers, no two of them as the same one.

    Attributes:
        part: in which part of what comes to the exchange they are.
        place: the attackers that they are. who: their places in the part.
        first: whether nobody else is one of these attackers so far, of all of whom there is
            somebody in the part.
    """

    part: int
    place: Index
    who: Index
    first: bool


class Columns(NamedTuple):
    """The targets in the parts that come to an exchange.

    Attributes:
        of: for each part the places of its targets among all of them.
        n: how many there are in all.
    """

    of: list[Index]
    n: int


class Weigh(NamedTuple):
    """How likely it is in a round that its exchanges come in this order.

    Attributes:
        chances: by the condition of whoever acts first, way to begin, and the target's condition.
        acting, struck: the place of each condition there.
        kinds: a number for each condition of whoever acts: the same if its chances are.
    """

    chances: Floats
    acting: Ints
    struck: Ints
    kinds: Ints

    def of(self, who: Ints, targets: Ints) -> tuple[Floats | None, slice]:
        """The chances of some attackers, None where all are certain; and the ways that have any."""
        rows = self.chances[self.acting[who]]
        some = np.flatnonzero(rows.any((0, 2)))
        if not len(some):
            return None, slice(0, 0)
        among = slice(int(some[0]), int(some[-1]) + 1)
        found: Floats = rows[:, among][:, :, self.struck[targets]]
        if (found == found[:1]).all():  # mostly
            found = found[:1].copy()
        return None if (found == 1).all() else found, among


class Class(NamedTuple):
    """Attackers of an exchange, ready to be followed.

    Attackers that are the same after it, as far as anybody asks, are one.

    Attributes:
        n: how many they are. takes: the conditions before the exchange that they are.
        weight: how likely they act in this order, by attacker, way to begin and target; None:
            they always do.
        among: the ways to begin in which they do.
        ways: from targets to what comes of them: what goes on, then a column for each verdict;
            or the other way round if it is sparse.
        verdicts: what the rest is, and for which attackers.
        puts: the attackers who go on, each with their places after the exchange.
    """

    n: int
    takes: list[Take]
    weight: Floats | None
    among: slice
    ways: Floats | csr_array
    verdicts: list[tuple[int, Index]]
    puts: list[tuple[Index, Index]]

    def came(self, parts: Sequence[Floats], columns: Columns, *, by_row: bool) -> Floats:
        """The attackers with their targets: attacker by way to begin by target.

        Args:
            parts: the pairs before the exchange, by condition of whoever acts, likewise.
            columns: the targets in each part.
            by_row: whether attackers are the rows of what lies in memory, not the columns.
        """
        found: Floats | None = None
        for part, (now, at) in enumerate(zip(parts, columns.of, strict=True)):
            takes = [take for take in self.takes if take.part == part]
            if not takes:
                continue
            came = self._taken(now, takes, by_row=by_row)
            if found is None and isinstance(at, slice) and came.shape[2] == columns.n:
                found = came
                continue
            if found is None:
                found = _zeros((self.n, came.shape[1], columns.n), by_row=by_row)
            found[:, :, at] += came
        assert found is not None  # attackers are in some part
        if self.weight is not None:
            found *= self.weight
        return found

    def _taken(self, now: Floats, takes: Sequence[Take], *, by_row: bool) -> Floats:
        """The attackers that are in one part."""
        shape = self.n, len(range(now.shape[1])[self.among]), now.shape[2]
        if takes[0].first:
            found = np.empty(shape) if by_row else np.empty(shape[::-1]).transpose()
        else:
            found = _zeros(shape, by_row=by_row)
        for _, place, who, first in takes:
            if first:
                found[place] = now[who, self.among]
            else:
                found[place] += now[who, self.among]
        return found


def _zeros(shape: tuple[int, int, int], *, by_row: bool) -> Floats:
    """Zeros, with the first or the last index as the rows of what lies in memory."""
    return np.zeros(shape) if by_row else np.zeros(shape[::-1]).transpose()


def columns_of(parts: Sequence[Ints], targets: Ints, size: int) -> Columns:
    """The targets in each part, among all of so many conditions that are targets."""
    places = where_in(targets, size)
    return Columns([index_of(places[ids]) for ids in parts], len(targets))


class Exchange:
    """An exchange of a round as it is made ready.

    Args:
        frame: what is followed. step: the exchange. actors: who may act in it.
        here: the conditions before it.
    """

    def __init__(self, frame: Frame, step: WholeStep, actors: Sequence[Actors], here: Both) -> None:
        self.frame, self.step, self.here = frame, step, here
        self.side, self.other = step.side, 1 - step.side
        self.struck = step.after[self.other]
        self.actors, self.n_targets = actors, len(here[self.other])
        targets = where_in(here[self.other], frame.sizes[self.other])
        self.target_at = targets[step.here[self.other]]
        self.ended = [step.closing(side) for side in (0, 1)]

    def next(self, after: WholeStep, may_act: Sequence[Actors]) -> tuple[list[Actors], Both]:
        """Those who act in the next exchange, and the conditions before it.

        `may_act` are all who could act there.
        """
        one, other = self.reached()
        found = [one, other]
        found[self.side] = in_order(found[self.side], [one.then for one in self.actors])
        acts = in_order(found[after.side], [one.who for one in may_act])
        found[after.side] = acts
        return among(may_act, acts), (found[0], found[1])

    def reached(self) -> Both:
        """The conditions after it, where the fight goes on."""
        comes = np.zeros(len(self.struck), np.bool_)
        for one in self.actors:
            rows, columns = one.ways.coords
            comes[rows[self.target_at[columns] >= 0]] = True
        struck = self.struck[comes]
        acted = np.unique(np.concatenate([one.then for one in self.actors] or [struck[:0]]))
        found = [acted, acted]
        found[self.other] = struck
        mine, theirs = (ids[self.frame.flags[side][ids] == 0] for side, ids in enumerate(found))
        return mine, theirs

    def left(self) -> Both:
        """The conditions with which the next round begins after it."""
        found = []
        for side, ids in enumerate(self.reached()):
            closed = np.unique(self.ended[side][ids])
            found.append(closed[self.frame.flags[side][closed] == 0])
        return found[0], found[1]

    def classes(self, there: Both, parts: Sequence[Both], weigh: Weigh | None) -> list[Class]:
        """The classes of attackers.

        Args:
            there: the conditions before the next exchange, or before the next round.
            parts: the conditions in each part of what comes to it.
            weigh: how likely they act in this order; None: always.
        """
        at, leads_to = (
            where_in(there[side], self.frame.sizes[side])[self.ended[side]]
            for side in (self.side, self.other)
        )
        size = self.frame.sizes[self.side]
        from_ = [where_in(ids[self.side], size) for ids in parts]
        found = []
        for one in self.actors:
            merged = self._merged(one, at)
            for some in _of_a_kind(merged.which, weigh and weigh.kinds[one.who]):
                acts = merged.part(some)
                weight, ways = self._weighed(acts, weigh)
                if ways != slice(0, 0):
                    takes = _takes(acts, from_)
                    made = self._class(acts, leads_to[self.struck], len(there[self.other]))
                    found.append(Class(acts.n, takes, weight, ways, *made))
        return found

    def _weighed(self, acts: _Merged, weigh: Weigh | None) -> tuple[Floats | None, slice]:
        """How likely attackers act in this order, and in which ways to begin."""
        if weigh is None:
            return None, slice(None)
        _, first = np.unique(acts.which, return_index=True)
        weight, ways = weigh.of(acts.who[first], self.here[self.other])
        if weight is not None and self.side != self.frame.rows:
            weight = np.ascontiguousarray(weight.transpose()).transpose()
        return weight, ways

    def _merged(self, one: Actors, at: Ints) -> _Merged:
        """Attackers, as one where they are the same after the exchange.

        Args:
            one: the attackers.
            at: the place of each condition of their side after it; -1: none.
        """
        mine = self.frame.flags[self.side]
        now, later = mine[one.then], mine[self.ended[self.side][one.then]]
        # Who goes on is known by the place after it; of others it only matters how they ended.
        goes_on = (now == 0) & (at[one.then] >= 0)
        key = np.where(goes_on, at[one.then], -1 - np.where(now == 0, later << 3, now))
        keys, first, same = np.unique(key, return_index=True, return_inverse=True)
        return _Merged(one.who, same[one.which], keys, now[first], later[first], one.ways)

    def _class(
        self, acts: _Merged, leads_to: Ints, n_sent: int
    ) -> tuple[Floats | csr_array, list[tuple[int, Index]], list[tuple[Index, Index]]]:
        """What goes on of attackers with their targets, and what they decide, as in `Class`.

        Args:
            acts: the attackers.
            leads_to: the place of what comes of targets; -1: none.
            n_sent: how many places these are.
        """
        theirs = self.frame.flags[self.other]
        rows, columns = acts.ways.coords
        comes = np.zeros(len(self.struck), np.bool_)
        comes[rows] = True
        struck, closed = theirs[self.struck], theirs[self.ended[self.other][self.struck]]
        ways_to = [np.where(struck == 0, leads_to, -1)]
        verdicts: list[tuple[int, Index]] = []
        for flag, close in dict.fromkeys(zip(acts.now.tolist(), acts.later.tolist(), strict=True)):
            some = index_of(np.flatnonzero((acts.now == flag) & (acts.later == close)))
            codes = flag | struck
            if not flag:
                codes = np.where(struck == 0, close | closed, struck)
            for code in np.unique(codes[(codes > 0) & comes]).tolist():
                ways_to.append(np.where(codes == code, n_sent + len(verdicts), -1))
                verdicts.append((WON[code], some))
        n_rows = n_sent + len(verdicts)
        to = np.concatenate([led[rows] for led in ways_to])
        columns = np.tile(self.target_at[columns], len(ways_to))
        chances = np.tile(acts.ways.data, len(ways_to))
        kept = (to >= 0) & (columns >= 0)
        to, columns, chances = to[kept], columns[kept], chances[kept]
        shape = n_rows, self.n_targets
        if self.side != self.frame.rows or len(to) * MOSTLY_EMPTY < shape[0] * shape[1]:
            ways: Floats | csr_array = csr_array((chances, (to, columns)), shape=shape)
        else:
            whole = np.bincount(columns * n_rows + to, chances, shape[0] * shape[1])
            ways = whole.reshape(self.n_targets, n_rows)
        on = np.flatnonzero(acts.keys >= 0)
        return ways, verdicts, _in_runs(on, acts.keys[on])


class _Merged(NamedTuple):
    """Attackers that are no longer told apart where they are the same after an exchange.

    Attributes:
        who, which, ways: as in `Actors`.
        keys: the place of each attacker after it, if they go on; below zero, if not.
        now, later: their flags after it, and after the end of the round.
    """

    who: Ints
    which: Ints
    keys: Ints
    now: Ints
    later: Ints
    ways: coo_array

    @property
    def n(self) -> int:
        """How many they are."""
        return len(self.keys)

    def part(self, some: Ints) -> _Merged:
        """Only the attackers of these conditions."""
        numbers, which = np.unique(self.which[some], return_inverse=True)
        return _Merged(
            self.who[some], which, self.keys[numbers], self.now[numbers], self.later[numbers],
            self.ways,
        )  # fmt: skip


def _of_a_kind(which: Ints, kinds: Ints | None) -> Iterator[Ints]:
    """The places of conditions in groups, so that in each group an attacker is of one kind."""
    if kinds is None:
        yield np.arange(len(which))
        return
    pairs, same = np.unique(np.stack([which, kinds]), axis=1, return_inverse=True)
    same = same.ravel()
    for group in apart(pairs[0]):
        yield np.flatnonzero(np.isin(same, group))


def _takes(acts: _Merged, parts: Sequence[Ints]) -> list[Take]:
    """The conditions before an exchange that attackers are.

    Args:
        acts: the attackers.
        parts: the place of each condition in each part; -1: none.
    """
    takes = []
    for part, places in enumerate(parts):
        there = np.flatnonzero(places[acts.who] >= 0)
        for number, group in enumerate(apart(acts.which[there])):
            few = there[group]
            few = few[np.argsort(acts.which[few], kind="stable")]
            first = number == 0 and len(few) == acts.n
            runs = _in_runs(acts.which[few], places[acts.who[few]])
            takes += [Take(part, place, who, first) for place, who in runs]
    return takes


def _in_runs(one: Ints, other: Ints) -> list[tuple[Index, Index]]:
    """Pairs of places as pairs of slices, where they are few runs; else in one piece."""
    cuts = np.flatnonzero((np.diff(one) != 1) | (np.diff(other) != 1)) + 1
    if len(cuts) >= MOST_RUNS:
        cuts = cuts[:0]
    runs = zip(np.split(one, cuts), np.split(other, cuts), strict=True)
    return [(index_of(mine), index_of(theirs)) for mine, theirs in runs if len(mine)]


def actors_in(step: WholeStep) -> list[Actors]:
    """The classes of those who act in an exchange."""
    here, after = step.here[step.side], step.after[step.side]
    found = []
    for one in step.classes:
        which = [np.arange(len(one.who)), *(place for place, _ in one.more)]
        who = [one.who, *(more for _, more in one.more)]
        found.append(
            Actors(
                here[np.concatenate(who)],
                np.concatenate(which),
                after[one.then],
                one.ways.tocoo(copy=False),
            )
        )
    return found


def among(actors: Sequence[Actors], there: Ints) -> list[Actors]:
    """Classes with no more than these conditions, in their order."""
    found: list[Actors] = []
    if not len(there):
        return found
    order = np.argsort(there, kind="stable")
    for one in actors:
        spots = np.searchsorted(there, one.who, sorter=order)
        spots = order[np.minimum(spots, len(order) - 1)]
        kept = np.flatnonzero(there[spots] == one.who)
        if not len(kept):
            continue
        kept = kept[np.argsort(spots[kept], kind="stable")]
        numbers, first = np.unique(one.which[kept], return_index=True)
        numbers = numbers[np.argsort(first, kind="stable")]
        rank = np.empty(len(one.then), np.int64)
        rank[numbers] = np.arange(len(numbers))
        found.append(Actors(one.who[kept], rank[one.which[kept]], one.then[numbers], one.ways))
    return found


def in_order(ids: Ints, sequences: Sequence[Ints]) -> Ints:
    """Conditions in the order in which they come up in sequences; the rest behind them."""
    found, first = np.unique(np.concatenate([*sequences, ids]), return_index=True)
    return ids[np.argsort(first[np.searchsorted(found, ids)], kind="stable")]


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
