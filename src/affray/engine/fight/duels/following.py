"""A duel followed round after round from its start, all ways to begin side by side.

After each exchange the probabilities of all pairs of conditions are multiplied by a small matrix:
attackers whose exchanges with every target are the same form a class, and share the matrix that
says where targets come to. So matrices stay small, however many pairs of conditions there are.

Conditions in which the fight goes on come first in all arrays, those in which it is over last: what
is over is a corner to cut off.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from affray.core.meter import meter_in_force

if TYPE_CHECKING:
    from affray.engine.fight.duels.sweep import Sweep

__all__ = ["Followed", "followed"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

LEFT = 1e-16
"""Probability of a fight still going on with which it is taken to be over."""
SLOW, PATIENCE = 16, 256
"""After so many rounds it is asked whether the fight is over in so many more."""


ALMOST_ALL = 0.9
"""The share of attackers that are there with which nobody looks any more who is."""


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

    def among(self, there: Bools) -> _Class:
        """The same class, with only those of its conditions that are there."""
        some = there[self.who]
        for place, who in self.more:
            some[place] |= there[who]
        if some.all():
            return self
        places = np.cumsum(some) - 1
        more = ((places[place[some[place]]], who[some[place]]) for place, who in self.more)
        return _Class(self.then[some], self.who[some], tuple(more), self.ways)

    def sent(self, values: Floats) -> Floats:
        """Where targets come to, from values by target, attacker and way to begin."""
        came = values[:, self.who]
        for place, who in self.more:
            came[:, place] += values[:, who]
        went: Floats = self.ways @ came.reshape(len(came), -1)
        return went.reshape(len(went), *came.shape[1:])


def _merged(who: Ints, then: Ints, ways: csr_array) -> _Class:
    """A class, from its conditions and what becomes of each."""
    own, which = np.unique(then, return_inverse=True)
    order = np.argsort(which, kind="stable")
    starts = np.searchsorted(which[order], np.arange(len(own)))
    rank = np.arange(len(who)) - starts[which[order]]
    groups = [order[rank == number] for number in range(int(rank.max()) + 1)]
    more = tuple((which[group], who[group]) for group in groups[1:])
    return _Class(own, who[groups[0]], more, ways)


class _Over(NamedTuple):
    """Probabilities of pairs of conditions in which the fight is over.

    Attributes:
        first: those in which side one's condition ends it. second: all others.
    """

    first: Floats
    second: Floats

    def add(self, values: Floats) -> Floats:
        """Add what is over of all pairs, and give back what goes on."""
        n_one, n_other = self.second.shape[0], values.shape[1] - self.second.shape[1]
        np.add(self.first, values[n_one:], out=self.first)
        np.add(self.second, values[:n_one, n_other:], out=self.second)
        return values[:n_one, :n_other]

    def more(self, other: _Over) -> None:
        """Add others."""
        np.add(self.first, other.first, out=self.first)
        np.add(self.second, other.second, out=self.second)


def followed(
    sweep: Sweep, start: int, leads: Sequence[Floats | float]
) -> Iterator[tuple[Floats, Floats]]:
    """Round after round.

    Args:
        sweep: the duel.
        start: the pair of conditions in which it begins.
        leads: for each way to begin the probability that side one goes first in a round, by pair
            of conditions.

    Yields:
        How likely each pair of conditions is to be fighting on after the round, and to be that in
        which the fight ended in the round; a row for each way to begin.
    """
    round_ = _Round(sweep, leads)
    here = round_.begun(start)
    if here is None:  # over before it begins
        over = np.zeros((round_.n_ways, sweep.n_pairs))
        over[:, start] = 1
        yield np.zeros_like(over), over
        return
    while True:
        here, ended = round_.after(here)
        yield round_.by_number(here), round_.by_number(ended)


class Followed:
    """The rounds of a duel from its start, as far as anybody has asked for them.

    Args:
        sweep, start, leads: as for `followed`.
        columns: what pairs of conditions are worth when the fight is over: a column a question.

    Attributes:
        on: how likely the fight goes on after each round; a row for each way to begin.
        ended: what is over by then, by question.
        over: how likely each pair of conditions is to be the last one.
    """

    def __init__(
        self, sweep: Sweep, start: int, leads: Sequence[Floats | float], columns: Floats
    ) -> None:
        self._round = _Round(sweep, leads)
        self._here = self._round.begun(start)
        self._over = self._round.nothing()
        self._worth = self._round.in_order(columns.reshape(*sweep.n, -1))
        self.begins = self._here is not None
        self._start = start
        self.on: list[Floats] = []
        self.ended: list[Floats] = []

    @property
    def over(self) -> Floats:
        """How likely each pair of conditions is the last so far; a row for each way to begin."""
        over = self._round.by_number(self._over)
        if not self.begins:
            over[:, self._start] = 1
        return over

    def go_on(self) -> None:
        """Follow one more round."""
        n_ways, n_questions = self._round.n_ways, self._worth.shape[-1]
        ended = self.ended[-1] if self.ended else np.zeros((n_ways, n_questions))
        if self._here is None:
            self.on.append(np.zeros(n_ways))
            self.ended.append(ended + self._round.worth_of(self._start, self._worth))
            return
        here, over = self._round.after(self._here)
        self._here = here
        self._over.more(over)
        n_one, n_other = here.shape[:2]
        worth = np.tensordot(over.first, self._worth[n_one:], ((0, 1), (0, 1)))
        worth += np.tensordot(over.second, self._worth[:n_one, n_other:], ((0, 1), (0, 1)))
        self.on.append(here.sum((0, 1)))
        self.ended.append(ended + worth)

    def to_the_end(self) -> bool:
        """Follow until next to nothing goes on; False if that takes too long."""
        while not self.on or self.on[-1].max() > LEFT:
            n = len(self.on)
            if n >= SLOW and n % SLOW == 0:
                now, before = float(self.on[-1].max()), float(self.on[-SLOW // 2].max())
                rate = (now / before) ** (2 / SLOW)
                if now * rate**PATIENCE > LEFT:
                    return False
            self.go_on()
        return True


class _Round:
    """The exchanges of a round, ready to be followed."""

    def __init__(self, sweep: Sweep, leads: Sequence[Floats | float]) -> None:
        self.sweep = sweep
        self.n_ways = len(leads)
        self.orders = tuple(np.argsort(over, kind="stable") for over in sweep.over)
        self.places = tuple(np.argsort(order) for order in self.orders)
        self.n_on = tuple(int((~over).sum()) for over in sweep.over)
        what = f"{self.n_ways} times {sweep.n_pairs:,} pairs of conditions"
        meter_in_force().claim(8 * 5 * self.n_ways * sweep.n_pairs, what)
        self.ends: list[csr_array | None] = []
        for ended, order, place, n_on in zip(
            sweep.ended, self.orders, self.places, self.n_on, strict=True
        ):
            then = place[ended[order[:n_on]]]
            stays = bool((then == np.arange(n_on)).all())
            self.ends.append(None if stays else _mapped_to(then, len(order)))
        half = len(sweep.slots) // 2
        every = list(range(len(sweep.slots)))
        self.turns: list[tuple[list[int], Floats | float]] = [(every, 1.0)]
        if sweep.offset:
            whole = np.stack([np.broadcast_to(one, sweep.n) for one in leads], -1)
            ahead = self.in_order(whole)[: self.n_on[0], : self.n_on[1]]
            self.turns = [(every[:half], ahead), (every[half:], 1 - ahead)]
        known: dict[tuple[int, int, bool], list[_Class]] = {}
        self.classes: list[list[_Class]] = []
        for slot, arrays in zip(sweep.slots, sweep.arrays, strict=True):
            key = id(arrays), slot.actor.side, slot.begins
            if key not in known:
                known[key] = list(self._classes(len(self.classes)))
            self.classes.append(known[key])
        self.full: set[int] = set()

    def in_order(self, values: Floats) -> Floats:
        """Values of pairs of conditions, those in which the fight goes on first."""
        ordered: Floats = values[np.ix_(*self.orders)]
        return ordered

    def nothing(self) -> _Over:
        """Nothing is over yet."""
        n_one, n_other = self.sweep.n
        on_one, on_other = self.n_on
        return _Over(
            np.zeros((n_one - on_one, n_other, self.n_ways)),
            np.zeros((on_one, n_other - on_other, self.n_ways)),
        )

    def begun(self, start: int) -> Floats | None:
        """The start of the fight; None if it is over before it begins."""
        one, other = (place[n] for place, n in zip(self.places, self._pair(start), strict=True))
        if one >= self.n_on[0] or other >= self.n_on[1]:
            return None
        here = np.zeros((*self.n_on, self.n_ways))
        here[one, other] = 1
        return here

    def worth_of(self, start: int, worth: Floats) -> Floats:
        """The worth of one pair of conditions."""
        one, other = (place[n] for place, n in zip(self.places, self._pair(start), strict=True))
        row: Floats = worth[one, other]
        return row

    def _pair(self, number: int) -> tuple[int, int]:
        return divmod(number, self.sweep.n[1])

    def by_number(self, values: Floats | _Over) -> Floats:
        """Values by the numbers of conditions: a row for each way to begin."""
        n_one, n_other = self.n_on
        whole = np.zeros((*self.sweep.n, self.n_ways))
        if isinstance(values, _Over):
            whole[n_one:] = values.first
            whole[:n_one, n_other:] = values.second
        else:
            whole[:n_one, :n_other] = values
        numbered = np.empty_like(whole)
        numbered[np.ix_(*self.orders)] = whole
        return numbered.reshape(-1, self.n_ways).T

    def _classes(self, number: int) -> Iterator[_Class]:
        """The classes of attackers in a slot."""
        sweep, meter = self.sweep, meter_in_force()
        slot, arrays = sweep.slots[number], sweep.arrays[number]
        side = slot.actor.side
        own, foe = self.places[side], self.places[1 - side]
        acting = self.orders[side][: self.n_on[side]]
        targets = self.orders[1 - side][: self.n_on[1 - side]]
        if not len(acting) or not len(targets):
            return
        rows = arrays.rows[np.ix_(acting, targets)]
        kinds, which = np.unique(rows, axis=0, return_inverse=True)
        begun = sweep.begun[side] if slot.begins else np.arange(sweep.n[side])
        shape = sweep.n[1 - side], len(targets)
        meter.claim(
            8 * 3 * len(kinds) * len(targets) * arrays.mine.shape[1],
            f"the ways of {len(kinds):,} classes of attackers",
        )
        for kind, row in enumerate(kinds):
            meter.tick(8)
            who = np.flatnonzero(which.ravel() == kind)
            chance = arrays.chance[row]
            struck = foe[arrays.target_map[arrays.theirs[row], targets[:, None]]]
            columns = np.broadcast_to(np.arange(len(targets))[:, None], struck.shape)
            for effect in np.unique(arrays.mine[row][chance > 0]).tolist():
                part = (arrays.mine[row] == effect) & (chance > 0)
                ways = csr_array((chance[part], (struck[part], columns[part])), shape=shape)
                then = own[arrays.actor_map[effect, begun[acting[who]]]]
                yield _merged(who, then, ways)

    def after(self, here: Floats) -> tuple[Floats, _Over]:
        """What goes on after a round, and what ended in it."""
        meter = meter_in_force()
        on, over = np.zeros(here.shape), self.nothing()
        for order, weight in self.turns:
            now = here * weight
            for number in order:
                meter.poll()
                now = over.add(self._exchanged(now, number))
                if self.sweep.slots[number].ends_round:
                    now = self._ended(now, over)
            on += now
        return on, over

    def _exchanged(self, now: Floats, number: int) -> Floats:
        """All pairs after the exchange of a slot."""
        side = self.sweep.slots[number].actor.side
        turned = now.transpose(1, 0, 2) if side == 0 else now  # targets first
        there: Bools | None = None
        if number not in self.full:
            there = now.max(1 - side).any(-1)
            if there.mean() > ALMOST_ALL:
                self.full.add(number)
        found = np.zeros((self.sweep.n[1 - side], self.sweep.n[side], self.n_ways))
        begun = np.zeros(self.sweep.n[side], np.bool_)
        for every in self.classes[number]:
            some = every if there is None else every.among(there)
            if len(some.then):
                went = some.sent(turned)
                if begun[some.then].any():
                    found[:, some.then] += went
                else:
                    found[:, some.then] = went
                begun[some.then] = True
        return found.transpose(1, 0, 2) if side == 0 else found

    def _ended(self, now: Floats, over: _Over) -> Floats:
        """What goes on after the end of the round."""
        one, other = self.ends
        if one is not None:
            now = _mapped(one, now)
        if other is not None:
            now = _mapped(other, now.transpose(1, 0, 2)).transpose(1, 0, 2)
        if one is None and other is None:
            return now
        whole = np.zeros((*self.sweep.n, self.n_ways))
        whole[: now.shape[0], : now.shape[1]] = now
        return over.add(whole)


def _mapped(ends: csr_array, values: Floats) -> Floats:
    """Values by what becomes of the conditions of the first side."""
    mapped: Floats = ends @ values.reshape(len(values), -1)
    return mapped.reshape(ends.shape[0], *values.shape[1:])


def _mapped_to(places: Ints, size: int) -> csr_array:
    """The matrix that adds up what comes to the same place."""
    spots = places, np.arange(len(places))
    return csr_array((np.ones(len(places)), spots), shape=(size, len(places)))
