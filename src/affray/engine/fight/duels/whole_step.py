"""One exchange of a whole round (`whole_round`), ready to be followed.

After it the probabilities of all pairs of conditions are multiplied by a small matrix: attackers
whose exchanges with every target are the same form a class, and share the matrix that says where
targets come to. So matrices stay small, however many pairs of conditions there are.

Before it only those conditions are held that may come up there (`Sweep.standing`). After it those
in which the fight goes on come first, those in which it is over last: what is over is a corner to
cut off.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.engine.fight.duels.ahead import kinds_of
from affray.engine.fight.duels.duelists import different
from affray.engine.fight.duels.ranges import ranges

if TYPE_CHECKING:
    from affray.engine.fight.duels.sweep import Groups, Sweep

__all__ = ["Index", "WholeStep", "index_of", "where_in"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Index: TypeAlias = "slice | Ints"

ALMOST_ALL = 0.9
"""The share of attackers that are there with which nobody looks any more who is."""
AT_ONCE = 1 << 19
"""Numbers that come of attackers followed at once, about."""


NEVER = -1
"""Stands for the exchange of those who never stand opposite each other."""


class _Class(NamedTuple):
    """Attackers with the same odds for each target, and what becomes of them by one effect.

    Attributes:
        then: what becomes of them, each once. who: a condition that comes to each of these; more:
            further ones, each with the place in `then` of what becomes of it.
        ways: from targets, by column, to what becomes of them, by row.
    """

    then: Ints
    who: Ints
    more: tuple[tuple[Ints, Ints], ...]
    ways: csr_array


class _Alike(NamedTuple):
    """Attackers with the same odds for each target.

    Attributes:
        who: their places before the exchange.
        then: what becomes of each by each effect, a row for each effect; ranks: how many of them
            before each become the same.
        ways: from targets, by column, to effects with what becomes of targets, by row.
    """

    who: Ints
    then: Ints
    ranks: Ints
    ways: csr_array

    def among(self, there: Bools) -> _Alike:
        """The same, with only those who are there."""
        some = there[self.who]
        if some.all():
            return self
        return _Alike(self.who[some], self.then[:, some], self.ranks[:, some], self.ways)

    def part(self, start: int, stop: int) -> _Alike:
        """Only attackers from a place to another."""
        some = slice(start, stop)
        return _Alike(self.who[some], self.then[:, some], self.ranks[:, some], self.ways)

    def send(self, values: Floats, found: Floats) -> None:
        """Add what comes of them to what is found.

        Args:
            values: by target, way to begin and attacker.
            found: by attacker, way to begin and target, after it: it is much quicker to add whole
                rows.
        """
        came = values.take(self.who, axis=2)
        went: Floats = self.ways @ came.reshape(len(came), -1)
        by_effect = went.reshape(len(self.then), found.shape[2], *came.shape[1:])
        for then, ranks, after in zip(self.then, self.ranks, by_effect, strict=True):
            rows = after.transpose(2, 1, 0)
            if not ranks.any():
                found[then] += rows
                continue
            for rank in np.unique(ranks).tolist():
                found[then[ranks == rank]] += rows[ranks == rank]


def _ranks(numbers: Ints) -> Ints:
    """Of each number how many before it are the same."""
    order = np.argsort(numbers, kind="stable")
    ranked = numbers[order]
    found = np.empty_like(numbers)
    found[order] = np.arange(len(numbers)) - np.searchsorted(ranked, ranked)
    return found


def _merged(who: Ints, then: Ints, ways: csr_array) -> _Class:
    """A class, from its conditions and what becomes of each."""
    own, which = np.unique(then, return_inverse=True)
    order = np.argsort(which, kind="stable")
    starts = np.searchsorted(which[order], np.arange(len(own)))
    rank = np.arange(len(who)) - starts[which[order]]
    groups = [order[rank == number] for number in range(int(rank.max()) + 1)]
    more = tuple((which[group], who[group]) for group in groups[1:])
    return _Class(own, who[groups[0]], more, ways)


class WholeStep:
    """An exchange of a round, ready to be followed.

    Args:
        sweep: the duel. number: of its slot.
        here: the conditions of either side that may come up before it, in the order of arrays.
        then: those before the next exchange, or at the start of a round.
        onto: for each condition the one of those that stands for it.
        groups: who of `here` may stand opposite whom.

    Attributes:
        side: who acts.
        after: the conditions of either side after it, those in which the fight goes on first;
            n_on: how many these are.
        ends, ended, n_ended: the same for the end of the round; no `ends` where nothing changes.
        corners: the pairs of conditions in which the fight may be over after it.
    """

    def __init__(
        self,
        sweep: Sweep,
        number: int,
        here: tuple[Ints, Ints],
        then: tuple[Ints, Ints],
        onto: tuple[Ints, Ints],
        groups: Groups,
    ) -> None:
        slot = sweep.slots[number]
        self.sweep, self.here, self.onto = sweep, here, onto
        self.ends_round = slot.ends_round
        self.side = slot.actor.side
        found = list(_raw_classes(sweep, number, here, onto, groups))
        images = [np.zeros(0, np.int64), np.zeros(0, np.int64)]
        if found:
            own, foe = [one.then.ravel() for one in found], [one.struck for one in found]
            images[self.side] = different(np.concatenate(own), sweep.n[self.side])
            images[1 - self.side] = different(np.concatenate(foe), sweep.n[1 - self.side])
        self.ends: list[csr_array | None] = [None, None]
        self.after: list[Ints] = []
        self.ended: list[Ints] = []
        self.n_on: list[int] = []
        self.n_ended = [len(there) for there in then]
        becomes = [np.arange(n) for n in sweep.n]
        for place, (image, there) in enumerate(zip(images, then, strict=True)):
            on, over = image[~sweep.over[place][image]], image[sweep.over[place][image]]
            ends = onto[place][sweep.ended[place][on]]
            ended = there
            if not slot.ends_round or (sweep.ended[place][on] == on).all():
                becomes[place], on = onto[place], there
            else:
                ended = np.concatenate([there, np.unique(ends[sweep.over[place][ends]])])
                self.ends[place] = _mapped_to(where_in(ended, sweep.n[place])[ends], len(ended))
            self.after.append(np.concatenate([on, over]))
            self.n_on.append(len(on))
            self.ended.append(ended)
        own_at, foe_at = (
            where_in(self.after[place], sweep.n[place])[becomes[place]]
            for place in (self.side, 1 - self.side)
        )
        n_struck = len(self.after[1 - self.side])
        self._alike = [self._as_one(one, own_at, foe_at, n_struck) for one in found]
        self.full = False
        self.corners = _corners(self.after, self.n_on)
        if self.changes:
            self.corners += _corners(self.ended, self.n_ended)

    def _as_one(self, raw: _Raw, own: Ints, foe: Ints, n_struck: int) -> _Alike:
        """Attackers ready to be followed, by the places of either side after the exchange."""
        then = own[raw.then]
        # Each way of a target with each effect that may befall whoever acts.
        half, effect = np.nonzero(raw.own.T)
        starts = np.searchsorted(half, np.arange(raw.own.shape[1] + 1))
        count = np.diff(starts)[raw.half]
        way = np.repeat(np.arange(len(count)), count)
        spot = ranges(starts[raw.half], count)
        rows = effect[spot] * n_struck + foe[raw.struck][way]
        chance = raw.own[effect[spot], half[spot]] * raw.chance[way]
        shape = len(then) * n_struck, len(self.here[1 - self.side])
        ways = csr_array((chance, (rows, raw.targets[way])), shape=shape)
        return _Alike(raw.who, then, np.array([_ranks(row) for row in then]), ways)

    @cached_property
    def classes(self) -> list[_Class]:
        """Those who act, by what becomes of them."""
        size = len(self.after[1 - self.side])
        return [
            _merged(one.who, then, one.ways[number * size : (number + 1) * size])
            for one in self._alike
            for number, then in enumerate(one.then)
        ]

    def closing(self, side: int) -> Ints:
        """What the end of the round makes of each condition of a side, if it comes after it."""
        if not self.ends_round:
            return np.arange(self.sweep.n[side])
        closing: Ints = self.onto[side][self.sweep.ended[side]]
        return closing

    @property
    def changes(self) -> bool:
        """Whether the end of the round changes anybody."""
        return any(end is not None for end in self.ends)

    def done(self, now: Floats, over: list[Floats]) -> Floats:
        """What goes on after it; what is over goes to `over`, a corner each."""
        after = _cut(self._exchanged(now), self.n_on, over)
        if not self.changes:
            return after
        one, other = self.ends
        if one is not None:
            after = _mapped(one, after)
        if other is not None:
            after = _mapped(other, after.transpose(1, 0, 2)).transpose(1, 0, 2)
        return _cut(after, self.n_ended, over)

    def _exchanged(self, now: Floats) -> Floats:
        """All pairs after the exchange."""
        acts, struck, way = (0, 1, 2) if self.side == 0 else (1, 0, 2)
        turned = np.ascontiguousarray(now.transpose(struck, way, acts))
        there: Bools | None = None
        if not self.full:
            there = np.asarray(turned.any((0, 1)))
            self.full = not len(there) or bool(there.mean() > ALMOST_ALL)
        n_acts, n_struck = len(self.after[self.side]), len(self.after[1 - self.side])
        found = np.zeros((n_acts, now.shape[2], n_struck))
        for every in self._alike:
            some = every if there is None else every.among(there)
            size = len(some.then) * n_struck * now.shape[2]
            most = max(1, AT_ONCE // max(1, size))
            for start in range(0, len(some.who), most):
                some.part(start, start + most).send(turned, found)
        return found.transpose((0, 2, 1) if self.side == 0 else (2, 0, 1))


class _Raw(NamedTuple):
    """A class by the numbers of conditions: who acts, and what becomes of them, by effect.

    Attributes:
        own: how likely each effect is, by what may befall them.
        half: of each way of a target what may befall whoever acts; targets: the target; struck:
            what becomes of it; chance: how likely that is.
    """

    who: Ints
    then: Ints
    own: Floats
    half: Ints
    targets: Ints
    struck: Ints
    chance: Floats


def _raw_classes(
    sweep: Sweep, number: int, here: tuple[Ints, Ints], onto: tuple[Ints, Ints], groups: Groups
) -> Iterator[_Raw]:
    """The classes of those who act in a slot, with the targets that they may meet.

    Arguments as for `WholeStep`.
    """
    meter = meter_in_force()
    slot, arrays = sweep.slots[number], sweep.arrays[number]
    side = slot.actor.side
    acting, targets = here[side], here[1 - side]
    stands = np.arange(sweep.n[side]) if slot.ends_round else onto[side]
    meets = groups.meets.T if side else groups.meets
    alike = np.stack([arrays.rows.acting[acting], groups.of[side]])
    _, first, same = np.unique(alike, axis=1, return_index=True, return_inverse=True)
    numbers = arrays.rows.between(acting[first][:, None], targets[None, :])
    met = meets[np.ix_(groups.of[side][first], groups.of[1 - side])]
    kinds, which = kinds_of(np.where(met, numbers, NEVER))
    which = which[same.ravel()]
    begun = sweep.begun[side][acting] if slot.begins else acting
    halves = arrays.halves
    meter.claim(
        8 * 3 * len(kinds) * len(targets) * halves.own.shape[1],
        f"the ways of {len(kinds):,} classes of attackers",
    )
    for kind, row in enumerate(kinds):
        meter.tick(8)
        who = np.flatnonzero(which == kind)
        columns = np.flatnonzero(row != NEVER)
        row = row[columns]  # noqa: PLW2901
        chances = halves.chance[row]
        column, spot = np.nonzero(chances > 0)
        mine = halves.own[row][column, spot]
        struck = arrays.target_map[halves.theirs[row][column, spot], targets[columns][column]]
        used = different(mine, len(halves.of.starts))
        effects, likely = halves.of.spread(used)
        # Effects that come to the same for all who act are one.
        becomes = stands[arrays.actor_map[effects][:, begun[who]]]
        rows, numbers = kinds_of(becomes)
        if not rows:
            continue
        own = np.zeros((len(rows), len(used)))
        np.add.at(own, numbers, likely)
        half = where_in(used, len(halves.of.starts))[mine]
        yield _Raw(who, np.array(rows), own, half, columns[column], struck, chances[column, spot])


def _corners(ids: Sequence[Ints], n_on: Sequence[int]) -> list[tuple[Ints, Ints]]:
    """The pairs of conditions that `_cut` cuts off."""
    (one, other), (n_one, n_other) = ids, n_on
    return [(one[n_one:], other), (one[:n_one], other[n_other:])]


def _cut(values: Floats, n_on: Sequence[int], over: list[Floats]) -> Floats:
    """What goes on; what is over goes to `over`."""
    n_one, n_other = n_on
    over += [values[n_one:], values[:n_one, n_other:]]
    return values[:n_one, :n_other]


def where_in(ids: Ints, size: int) -> Ints:
    """Where each condition is in a list of some; -1 for all others."""
    places = np.full(size, -1)
    places[ids] = np.arange(len(ids))
    return places


def index_of(places: Ints) -> Index:
    """Places as an index: a slice if they follow one another."""
    if len(places) and (np.diff(places) == 1).all():
        return slice(int(places[0]), int(places[-1]) + 1)
    return places


def _mapped(ends: csr_array, values: Floats) -> Floats:
    """Values by what becomes of the conditions of the first side."""
    mapped: Floats = ends @ values.reshape(len(values), -1)
    return mapped.reshape(ends.shape[0], *values.shape[1:])


def _mapped_to(places: Ints, size: int) -> csr_array:
    """The matrix that adds up what comes to the same place."""
    spots = places, np.arange(len(places))
    return csr_array((np.ones(len(places)), spots), shape=(size, len(places)))
