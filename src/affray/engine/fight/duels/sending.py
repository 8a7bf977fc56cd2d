"""One exchange of a round that only follows what goes on (`going`), made ready.

Attackers with the same odds against each target are a class. Whatever comes of their exchange
either goes on to the next one, or counts as a verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from affray.core.lazy import NamedTuple
from affray.engine.fight.course import DECIDED, VERDICT_OF
from affray.engine.fight.duels.acting import Actors, Weigh, among, apart, in_order
from affray.engine.fight.duels.strands import Strands
from affray.engine.fight.duels.whole_step import Index, WholeStep, index_of, where_in

__all__ = ["Both", "Class", "Columns", "Exchange", "Frame", "Sent", "columns_of"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Both: TypeAlias = "tuple[Ints, Ints]"
"""Conditions of either side, in the order of arrays."""

MOST_RUNS = 8
"""In so many runs at most places are gone through one run after the other."""
MOSTLY_EMPTY = 10
"""Of an array in which less than one number in so many isn't zero the others are left out."""
WON = {code: DECIDED.index(verdict) for code, verdict in enumerate(VERDICT_OF) if verdict}
"""The column of each verdict, by its code."""


class Frame(NamedTuple):
    """What rounds follow: conditions of one side, and strands of the other one.

    Attributes:
        strands: those of the side whose conditions are the rows of arrays.
        sizes: how many conditions or strands either side has.
        flags: of each: whether its fighter is out, whether that decides the fight.
    """

    strands: Strands
    sizes: Sequence[int]
    flags: Sequence[Ints]

    @property
    def rows(self) -> int:
        """The side whose strands are the rows of arrays."""
        return self.strands.side

    def closing(self, step: WholeStep, side: int) -> Ints:
        """What the end of the round makes of each, if it comes after an exchange."""
        closing = step.closing(side)
        return self.strands.of[closing].ravel() if side == self.rows else closing


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


class Decides(NamedTuple):
    """The verdicts to which an exchange leads for some attackers.

    Attributes:
        which: the attackers. places: where the verdicts are among what comes of an exchange.
        ways: the ways to begin for which they count: a row for each way, and a column for each
            attacker, or for each place where attackers are the columns.
        verdicts: which verdict each place is: a row for each place.
    """

    which: Index
    places: slice
    ways: Floats
    verdicts: Floats

    def told(self, went: Floats, *, by_row: bool) -> Floats:
        """How likely each verdict is: a row for each way to begin.

        Args:
            went: what comes of the exchange.
            by_row: whether attackers are the rows.
        """
        if by_row:
            found: Floats = self.ways @ went[self.which, self.places] @ self.verdicts
        else:
            found = self.ways * went[self.places, self.which].sum(1) @ self.verdicts
        return found


class Sent(NamedTuple):
    """What comes of attackers and their targets by one of the effects on the attackers.

    Attributes:
        ways: from targets to what comes of them: what goes on, then a column for each verdict;
            or the other way round if it is sparse.
        decides: what the rest is.
        puts: the attackers who go on, each with their places after the exchange.
    """

    ways: Floats | csr_array
    decides: list[Decides]
    puts: list[tuple[Index, Index]]


class Class(NamedTuple):
    """Attackers of an exchange, ready to be followed.

    Attackers that are the same after it, as far as anybody asks, are one.

    Attributes:
        n: how many they are. takes: the conditions before the exchange that they are.
        weight: how likely they act in this order, as they lie in memory; None: they always do, or
            what is sent knows.
        sent: what comes of them, one for each effect on them after which the same ones are one.
    """

    n: int
    takes: list[Take]
    weight: Floats | None
    sent: list[Sent]

    def came(self, parts: Sequence[Floats], columns: Columns, *, by_row: bool) -> Floats:
        """The attackers with their targets, as they lie in memory; not to be written to.

        Args:
            parts: the pairs before the exchange, likewise.
            columns: the targets in each part.
            by_row: whether attackers are the rows, and targets the columns.
        """
        found: Floats | None = None
        is_view = False
        for part, (now, at) in enumerate(zip(parts, columns.of, strict=True)):
            takes = [take for take in self.takes if take.part == part]
            if not takes:
                continue
            came = self._taken(now, takes, by_row=by_row)
            if found is None and isinstance(at, slice) and came.shape[by_row] == columns.n:
                found, is_view = came, came.base is not None
                continue
            if found is None:
                found = np.zeros((self.n, columns.n) if by_row else (columns.n, self.n))
            elif is_view:
                found, is_view = found.copy(), False
            found[_spots(at, rows=not by_row)] += came
        assert found is not None  # attackers are in some part
        if self.weight is None:
            return found
        return np.multiply(found, self.weight, out=None if is_view else found)

    def _taken(self, now: Floats, takes: Sequence[Take], *, by_row: bool) -> Floats:
        """The attackers that are in one part; a part of it, if they follow one another."""
        (_, _, who, first), *more = takes
        if first and not more and isinstance(who, slice):  # all attackers, in their order
            return now[_spots(who, rows=by_row)]
        shape = (self.n, now.shape[1]) if by_row else (len(now), self.n)
        found = np.empty(shape) if first else np.zeros(shape)
        for _, place, who, first in takes:
            spots, those = _spots(place, rows=by_row), now[_spots(who, rows=by_row)]
            if first:
                found[spots] = those
            else:
                found[spots] += those
        return found


def _spots(index: Index, *, rows: bool) -> tuple[Index, Index]:
    """Some rows of an array, or some columns."""
    return (index, slice(None)) if rows else (slice(None), index)


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
        self.frame, self.here = frame, here
        self.side, self.other = step.side, 1 - step.side
        self.actors, self.n_targets = actors, len(here[self.other])
        self.target_at = where_in(here[self.other], frame.sizes[self.other])
        self.ended = [frame.closing(step, side) for side in (0, 1)]

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
        comes = [np.zeros(size, np.bool_) for size in self.frame.sizes]
        for one in self.actors:
            comes[self.side][one.then] = True
            comes[self.other][one.struck[self.target_at[one.targets] >= 0]] = True
        mine, theirs = (
            np.flatnonzero(came & (flags == 0))
            for came, flags in zip(comes, self.frame.flags, strict=True)
        )
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
        found: dict[tuple[bytes, bytes], tuple[Class, Ints]] = {}
        for one in self.actors:
            merged = self._merged(one, at)
            for some in _of_a_kind(merged.which, weigh and weigh.acting[one.who]):
                acts = merged.part(some)
                order = acts.by_first()
                key = acts.who.tobytes(), _rank_of(order)[acts.which].tobytes()
                if key not in found:
                    weight = None if weigh is None else self._weight(acts, weigh)
                    found[key] = Class(acts.n, _takes(acts, from_), weight, []), _rank_of(order)
                known, rank = found[key]
                acts = acts.in_order(order[rank])
                if weigh is not None and known.weight is None:
                    acts = self._weighed(acts, weigh)
                known.sent.append(self._sent(acts, leads_to, len(there[self.other])))
        return [known for known, _ in found.values()]

    def _weight(self, acts: _Merged, weigh: Weigh) -> Floats | None:
        """How likely attackers act in this order, where that differs from one to the other."""
        _, first = np.unique(acts.which, return_index=True)
        weight = weigh.of(acts.who[first], self.here[self.other])
        if len(weight) == 1:
            return None
        return weight if self.side == self.frame.rows else weight.T.copy()

    def _weighed(self, acts: _Merged, weigh: Weigh) -> _Merged:
        """Attackers of one kind with chances that know how likely they act in this order."""
        (weight,) = weigh.of(acts.who[:1], self.here[self.other])
        at = self.target_at[acts.odds.targets]
        chance = np.where(at < 0, 0, acts.odds.chance * weight[at])
        return acts._replace(odds=acts.odds._replace(chance=chance))

    def _merged(self, one: Actors, at: Ints) -> _Merged:
        """Attackers, as one where they are the same after the exchange.

        Args:
            one: the attackers.
            at: the place of each condition of their side after it; -1: none.
        """
        mine = self.frame.flags[self.side]
        now, later = mine[one.then], mine[self.ended[self.side][one.then]]
        # Who goes on is known by the place after it; of others it only matters how they ended, and
        # in which ways to begin.
        goes_on = (now == 0) & (at[one.then] >= 0)
        ended = np.where(now == 0, later << 3, now) + (self._group(self.side, one.then) << 6)
        key = np.where(goes_on, at[one.then], -1 - ended)
        keys, first, same = np.unique(key, return_index=True, return_inverse=True)
        return _Merged(
            one.who, same[one.which], keys, now[first], later[first], one.then[first], one
        )

    def _group(self, side: int, ids: Ints) -> Ints:
        """A number for each, the same if its ways to begin are."""
        return self.frame.strands.group(ids)[0] if side == self.frame.rows else 0 * ids

    def _sent(self, acts: _Merged, leads_to: Ints, n_sent: int) -> Sent:
        """What goes on of attackers with their targets, and what they decide.

        Args:
            acts: the attackers.
            leads_to: the place to which each condition leads; -1: none.
            n_sent: how many places these are.
        """
        theirs, strands = self.frame.flags[self.other], self.frame.strands
        columns = self.target_at[acts.odds.targets]
        kept = (columns >= 0) & (acts.odds.chance > 0)
        columns, struck, chance = columns[kept], acts.odds.struck[kept], acts.odds.chance[kept]
        over, closed = theirs[struck], theirs[self.ended[self.other][struck]]
        group = self._group(self.other, struck)
        ways_to = [np.where(over == 0, leads_to[struck], -1)]
        decides: list[Decides] = []
        n_rows = n_sent
        for flag, close in dict.fromkeys(zip(acts.now.tolist(), acts.later.tolist(), strict=True)):
            some = np.flatnonzero((acts.now == flag) & (acts.later == close))
            codes = flag | over
            if not flag:
                codes = np.where(over == 0, close | closed, over)
            codes = np.where(codes > 0, codes + (group << 3), -1)
            numbers, first, which = np.unique(codes, return_index=True, return_inverse=True)
            on = int((numbers < 0).sum())  # goes on
            there = slice(n_rows, n_rows + len(numbers) - on)
            who = acts.then[some] if self.side == self.frame.rows else struck[first[on:]]
            verdicts = np.zeros((len(numbers) - on, len(DECIDED)))
            for row, code in zip(verdicts, numbers[on:].tolist(), strict=True):
                row[WON[code & 7]] = 1
            ways_to.append(np.where(codes < 0, -1, which - on + n_rows))
            among_ways = strands.ways(who).T.astype(np.float64)
            decides.append(Decides(index_of(some), there, among_ways, verdicts))
            n_rows = there.stop
        to = np.concatenate(ways_to)
        columns, chance = np.tile(columns, len(ways_to)), np.tile(chance, len(ways_to))
        kept = to >= 0
        to, columns, chance = to[kept], columns[kept], chance[kept]
        shape = n_rows, self.n_targets
        sparse = csr_array((chance, (to, columns)), shape=shape)
        ways: Floats | csr_array = sparse
        if self.side == self.frame.rows and sparse.nnz * MOSTLY_EMPTY >= prod(shape):
            ways = sparse.toarray().T.copy()
        go_on = np.flatnonzero(acts.keys >= 0)
        return Sent(ways, decides, _in_runs(go_on, acts.keys[go_on]))


class _Merged(NamedTuple):
    """Attackers that are no longer told apart where they are the same after an exchange.

    Attributes:
        who, which: as in `Actors`.
        keys: the place of each attacker after it, if they go on; below zero, if not.
        now, later: their flags after it, and after the end of the round.
        then: what becomes of each, or of one that is the same.
        odds: with the chances of targets.
    """

    who: Ints
    which: Ints
    keys: Ints
    now: Ints
    later: Ints
    then: Ints
    odds: Actors

    @property
    def n(self) -> int:
        """How many they are."""
        return len(self.keys)

    def part(self, some: Ints) -> _Merged:
        """Only the attackers of these conditions."""
        numbers, which = np.unique(self.which[some], return_inverse=True)
        return _Merged(
            self.who[some], which, self.keys[numbers], self.now[numbers], self.later[numbers],
            self.then[numbers], self.odds,
        )  # fmt: skip

    def by_first(self) -> Ints:
        """The attackers in the order in which the conditions come that they are."""
        _, first = np.unique(self.which, return_index=True)
        return np.argsort(first)

    def in_order(self, order: Ints) -> _Merged:
        """The attackers in another order."""
        return _Merged(
            self.who, _rank_of(order)[self.which], self.keys[order], self.now[order],
            self.later[order], self.then[order], self.odds,
        )  # fmt: skip


def _rank_of(order: Ints) -> Ints:
    """The place of each number in an order."""
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return rank


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
