"""A duel under what both sides pick: the states that come up then, and the ways between them.

Under picks few of all states come up, so these are found out from the start on. From round to round
all of them are one sparse matrix for each exchange, for all ways to begin at once:

    round starts --> who leads --> exchange --> exchange --> round starts
                                       '-----------'--> fights that are over

Before an exchange stands one spot for all that share it (`Spots.alike`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array

from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.engine.fight.course import DECIDED, VERDICT_OF
from affray.engine.fight.duels.blocks import Equations
from affray.engine.fight.duels.chunks import States
from affray.engine.fight.duels.following import LEFT, PATIENCE, SLOW
from affray.engine.fight.duels.forward import Visits
from affray.engine.fight.duels.shares import Shares
from affray.engine.fight.duels.spots import Spots
from affray.engine.fight.duels.strategy import Strategy
from affray.engine.fight.duels.sweep import Sweep
from affray.engine.fight.duels.tree import Numbers, spans

__all__ = ["Decided", "Picked", "decided"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

AT_ONCE = 250_000
"""Numbers that are held at once."""


class _Exchanges(NamedTuple):
    """Exchanges as they are decided: effects on both and probabilities, one after the other.

    `of` says which exchange a spot has; `starts` where each begins.
    """

    of: Numbers
    starts: Ints
    mine: Ints
    theirs: Ints
    chance: Floats


class Decided(NamedTuple):
    """What is picked, without what it is worth.

    Attributes:
        sweep, spots: as for `Strategy`.
        exchanges: as they are decided, for each slot.
    """

    sweep: Sweep
    spots: Spots
    exchanges: list[_Exchanges]


def decided(strategy: Strategy) -> Decided:
    """What is picked; the strategy isn't needed any more."""
    settled, numbers = strategy.settled, range(len(strategy.sweep.slots))
    if settled is None:
        exchanges = [_compiled(strategy, number) for number in numbers]
    else:
        exchanges = [
            _rolled(settled.shares[number], settled.rolls[number], strategy.ground.rows_of(number))
            for number in numbers
        ]
    return Decided(strategy.sweep, strategy.spots, exchanges)


class _Places:
    """Spots at one place, numbered as they come up.

    Attributes:
        spots: all of them. number: of each spot; -1 if it has not come up.
    """

    def __init__(self, n: int) -> None:
        self.number = np.full(n, -1, np.int32)
        self._parts: list[Ints] = []
        self.n = 0

    def numbers(self, spots: Ints) -> Numbers:
        """The numbers of some spots; new ones are put in."""
        new = spots[self.number[spots] < 0]
        if len(new):
            new = np.unique(new)
            self.number[new] = self.n + np.arange(len(new))
            self.n += len(new)
            self._parts.append(new)
        return self.number[spots]

    def since(self, number: int) -> Ints:
        """Those that have come up since there were so many."""
        return self.spots[number:]

    def forget(self) -> None:
        """No more will be put in."""
        del self.number

    @property
    def spots(self) -> Ints:
        """All that have come up, in order."""
        if len(self._parts) != 1:
            self._parts = [np.concatenate([np.zeros(0, np.int64), *self._parts])]
        return self._parts[0]


class _Led:
    """Ways from spots at one place, in order, to those at another."""

    def __init__(self, then: _Places) -> None:
        self.then = then
        self._parts: list[csc_array] = []

    def add(self, there: Ints, chance: Floats, sizes: Ints) -> None:
        """Add the ways of further spots, so many each; those to the same spot add up."""
        numbers = self.then.numbers(there)
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
        part = csc_array((chance, numbers, starts), shape=(self.then.n, len(sizes)))
        part.sum_duplicates()
        self._parts.append(part.copy())  # what was summed up lies in the larger arrays still

    def close(self) -> None:
        """No more will be added."""
        parts = self._parts
        chances = np.concatenate([np.zeros(0), *(part.data for part in parts)])
        numbers = np.concatenate([np.zeros(0, np.int32), *(part.indices for part in parts)])
        sizes = np.concatenate([np.zeros(1, np.int64), *(np.diff(part.indptr) for part in parts)])
        parts.clear()
        shape = self.then.n, len(sizes) - 1
        self._ways = csc_array((chances, numbers, np.cumsum(sizes)), shape=shape)

    def follow(self, here: Floats) -> Floats:
        """Where these chances lead: a row for each spot, a column for each case."""
        there: Floats = self._ways @ here
        return there

    def back(self, there: Floats) -> Floats:
        """What spots are worth that lead where it is worth so much: a row for each spot."""
        here: Floats = self._ways.T @ there
        return here

    def listed(self) -> tuple[Ints, Ints, Floats]:
        """From which spot to which one, and how likely."""
        every = self._ways.tocoo()
        return every.col, every.row, every.data


class _Step(NamedTuple):
    """What follows an exchange: what goes on, and what is over."""

    on: _Led
    over: _Led


class Picked:
    """The spots of a duel that come up under what is picked; see `Spots`.

    Args:
        decided: what is picked.
        start: the pair of conditions in which the duel begins.
        shares: how likely each way to begin is in each case: way by case.
        verdicts: that of each pair of conditions, by number.

    Attributes:
        begins: whether the fight goes on at the start.
        rounds: the spots at the start of rounds. ends: those in which the fight is over.
        n_states: as for `Sweep`.
        on: how likely the fight goes on after each round that was followed, by case.
        ended: what is over by then, by case and verdict (`DECIDED`).
    """

    def __init__(
        self, decided: Decided, start: int, shares: Floats, verdicts: NDArray[np.int8]
    ) -> None:
        self.sweep, self.spots, exchanges = decided
        self.shares = shares
        self.on: list[Floats] = []
        self.ended: list[Floats] = []
        self.begins = bool(self.spots.ways.on[start])
        self._starts = self.spots.of[start]
        n_slots = len(exchanges)
        half = n_slots // 2
        self.orders = [range(half), range(half, n_slots)] if self.sweep.offset else [range(n_slots)]
        # What follows each slot: another one, or with -1 the start of a round.
        lasts = {order.stop - 1 for order in self.orders}
        self._then = [-1 if number in lasts else number + 1 for number in range(n_slots)]
        n = self.spots.n
        meter_in_force().claim(4 * (n_slots + 2) * n, f"{n:,} states")
        self._find(exchanges)
        table = np.array([[verdict == name for name in DECIDED] for verdict in VERDICT_OF], float)
        self._worth: Floats = table[verdicts[self.spots.pair[self.ends]]]
        self._now = self._begun(self.rounds if self.begins else self.ends)
        # How often each spot has come up in each slot, and what it is worth there if it is over.
        self._seen = [np.zeros((n, self.n_cases)) for n in self._sizes]
        self._verdicts = [step.over.back(self._worth) for step in self._steps]
        self.n_states = self.sweep.n_states
        self._pair, self._n_pairs = self.spots.pair, self.spots.ways.n
        self._n_others = self.sweep.n[1]
        del self.spots, self.sweep  # they take much memory

    @property
    def n_cases(self) -> int:
        """The number of cases."""
        return len(self.shares.T)

    def _find(self, made: list[_Exchanges]) -> None:
        """Find out what comes up, place by place."""
        slots = [_Places(self.spots.n) for _ in made]
        rounds, over = _Places(self.spots.n), _Places(self.spots.n)
        (over if not self.begins else rounds).numbers(self._starts)
        self._steps = ways = [
            _Step(_Led(rounds if then < 0 else slots[then]), _Led(over)) for then in self._then
        ]
        self._entered = entered = [_Led(slots[order.start]) for order in self.orders]
        done = [0] * (1 + len(slots))
        while done[0] < rounds.n or any(
            n < place.n for n, place in zip(done[1:], slots, strict=True)
        ):
            begun = rounds.since(done[0])
            done[0] = rounds.n
            for place, (order, led) in enumerate(zip(self.orders, entered, strict=True)):
                chance = self._leads(begun, place)
                some = chance > 0
                first = self.spots.alike(order.start, begun[some])
                led.add(first, chance[some], some.astype(np.int64))
            for number, slot in enumerate(slots):
                here = slot.since(done[number + 1])
                done[number + 1] = slot.n
                for part in self._led(number, here, made[number], ways[number]):
                    meter_in_force().tick(part)
        self.rounds, self.ends = rounds.spots, over.spots
        for places in (rounds, over, *slots):
            places.forget()
        for led in (*entered, *(led for step in ways for led in step)):
            led.close()
        self._sizes = [place.n for place in slots]

    def _leads(self, spots: Ints, number: int) -> Floats:
        """How likely rounds that start with some spots have one of the orders."""
        if not self.sweep.offset:
            return np.ones(len(spots))
        leads = self.spots.leads[spots]
        return 1 - leads if number else leads

    def _led(self, number: int, here: Ints, made: _Exchanges, ways: _Step) -> Iterator[int]:
        """Add the ways of some spots in a slot; how many there were, part by part."""
        width = max(1, AT_ONCE // int(np.diff(made.starts).max(initial=1)))
        for at in range(0, len(here), width):
            some = here[at : at + width]
            rows = made.of[some]
            effects, n_effects = spans(made.starts, rows)
            which = np.repeat(np.arange(len(some)), n_effects)
            own, foe = made.mine[effects], made.theirs[effects]
            there = self.spots.led(number, own, foe, some[which])
            likely = made.chance[effects]
            on = self.spots.on[there]
            if self._then[number] >= 0:
                there[on] = self.spots.alike(self._then[number], there[on])
            for led, part in zip(ways, (on, ~on), strict=True):
                sizes = np.bincount(which[part], minlength=len(some))
                led.add(there[part], likely[part], sizes)
            yield 64

    # -- from round to round ---------------------------------------------------------------------

    def _after(self, now: Floats) -> tuple[Floats, Floats]:
        """What goes on after a round, and what is over then."""
        on = np.zeros((len(self.rounds), self.n_cases))
        over = np.zeros((len(self.ends), self.n_cases))
        for place, order in enumerate(self.orders):
            here = self._entered[place].follow(now)
            for number in order:
                step = self._steps[number]
                over += step.over.follow(here)
                here = step.on.follow(here)
            on += here
        return on, over

    def _begun(self, states: Ints) -> Floats:
        """How likely each of some spots, among them all starts, is where the fight begins."""
        begun = np.zeros((len(states), self.n_cases))
        for start, shares in zip(self._starts, self.shares, strict=True):
            begun[states == start] += shares
        return begun

    def by_round(self) -> Iterator[tuple[Floats, Floats]]:
        """Round after round: how likely the fight goes on from, or ends in, each spot.

        A row for each of `rounds`, and of `ends`; a column for each case.
        """
        meter = meter_in_force()
        now = self._begun(self.rounds) if self.begins else np.zeros((0, self.n_cases))
        while True:
            meter.poll()
            now, over = self._after(now)
            yield now, over if self.begins else self._begun(self.ends)

    def by_pair(self, spots: Ints, values: Floats) -> Floats:
        """Values of some spots, by case and pair of conditions."""
        found = np.zeros((self._n_pairs, self.n_cases))
        np.add.at(found, self._pair[spots], values)
        return found.T

    def go_on(self) -> None:
        """Follow one more round."""
        meter_in_force().poll()
        before = self.ended[-1] if self.ended else 0.0
        if not self.begins:
            self.on.append(np.zeros(self.n_cases))
            self.ended.append(self._now.T @ self._worth)
            return
        on, ended = np.zeros_like(self._now), np.zeros((self.n_cases, self._worth.shape[1]))
        for place, order in enumerate(self.orders):
            here = self._entered[place].follow(self._now)
            for number in order:
                self._seen[number] += here
                ended += here.T @ self._verdicts[number]
                here = self._steps[number].on.follow(here)
            on += here
        self._now = on
        self.on.append(on.sum(0))
        self.ended.append(before + ended)

    def last(self, over: Floats) -> tuple[Floats, tuple[Ints, Ints]]:
        """How likely pairs are the last ones, by case, and the conditions of either side in them.

        Args:
            over: how likely each of `ends` is, by case.
        """
        one, other = np.divmod(self._pair[self.ends], self._n_others)
        (mine, first), (theirs, second) = (
            np.unique(some, return_inverse=True) for some in (one, other)
        )
        found = np.zeros((len(mine), len(theirs), self.n_cases))
        np.add.at(found, (first.ravel(), second.ravel()), over)
        return np.moveaxis(found, 2, 0).reshape(self.n_cases, -1), (mine, theirs)

    @cached_property
    def visits(self) -> Visits:
        """The course of the duel to the end: how likely each of `ends` is, for each case."""
        if not self.begins:
            over = self._begun(self.ends)
            return Visits(over, np.zeros(self.n_cases), 0.0)
        while not self.on or self.on[-1].max() > LEFT:
            self.go_on()
            n = len(self.on)
            if n % SLOW == 0:
                now, before = float(self.on[-1].max()), float(self.on[-SLOW // 2].max())
                if now * (now / before) ** (2 * PATIENCE / SLOW) > LEFT:
                    return self._solved()
        rounds = 1 + np.sum(self.on, 0)
        over = self._ended(self._seen)
        return Visits(over, rounds, float(self.on[-1].max()))

    def _ended(self, seen: list[Floats]) -> Floats:
        """How likely the fight ends in each spot, from how often it comes up in each slot."""
        every = (step.over.follow(here) for step, here in zip(self._steps, seen, strict=True))
        return sum(every, np.zeros((len(self.ends), self.n_cases)))

    def _solved(self) -> Visits:
        """The same where it takes many rounds: all spots at once."""
        starts = np.cumsum([0, len(self.rounds), *self._sizes])
        ways = Equations(1, int(starts[-1]))
        parts = [
            (entered, 0, 1 + order.start)
            for entered, order in zip(self._entered, self.orders, strict=True)
        ]
        parts += [
            (step.on, 1 + number, 1 + then)
            for number, (step, then) in enumerate(zip(self._steps, self._then, strict=True))
        ]
        for led, here, after in parts:
            rows, columns, chances = led.listed()
            ways.put(rows + starts[here], columns + starts[after], chances)
        known = np.zeros((1, int(starts[-1]), self.n_cases))
        first = slice(0, len(self.rounds))
        known[0, first] = self._begun(self.rounds)
        seen, missed = ways.visited(known)
        over = self._ended(np.split(seen[0], starts[1:-1])[1:])
        return Visits(over, seen[0, first].sum(0), missed)


def _compiled(strategy: Strategy, number: int) -> _Exchanges:
    """The exchange of each pair in a slot and each way to begin; and what each of them does."""
    slot = strategy.sweep.slots[number]
    attacks = strategy.attacks[slot.attacks]
    by_attack: dict[int, list[States]] = {}
    for states in strategy.states[number]:
        by_attack.setdefault(states.attack, []).append(states)
    found: list[tuple[int, Ints, Floats]] = []
    # The last row is of pairs that can't come up.
    spots = strategy.ground.rows[number].spots
    of_row = np.zeros(len(spots) + 1, np.int32)
    meter = meter_in_force()
    for attack, every in by_attack.items():
        meter.tick(64)
        tree = every[0].tree
        different, which = _different(np.concatenate([states.picks for states in every], 1))
        known: dict[bytes, int] = {}
        rows = []
        width = max(1, AT_ONCE // tree.n_places)
        for at in range(0, different.shape[1], width):
            for chance in tree.forward(different[:, at : at + width]).T:
                row = known.setdefault(chance.tobytes(), len(found))
                if row == len(found):
                    some = np.nonzero(chance)[0]
                    found.append((attack, some, chance[some]))
                rows.append(row)
        all_rows = np.array(rows)[which]
        for states in every:
            n = len(states.spots)
            of_row[np.searchsorted(spots, states.spots)], all_rows = all_rows[:n], all_rows[n:]
    sizes = [len(some) for _, some, _ in found]
    meter.claim(8 * 4 * sum(sizes), f"{len(found):,} exchanges as they are decided")
    effects = [(attacks.effect_numbers(attack), some) for attack, some, _ in found]
    none: Ints = np.zeros(0, np.int64)
    return _Exchanges(
        of_row[strategy.ground.rows_of(number)],
        np.cumsum([0, *sizes]),
        np.concatenate([none, *(own[some] for (own, _), some in effects)]),
        np.concatenate([none, *(foe[some] for (_, foe), some in effects)]),
        np.concatenate([np.zeros(0), *(chance for _, _, chance in found)]),
    )


def _rolled(shares: Shares, rolls: Numbers, rows: Numbers) -> _Exchanges:
    """The same where every choice comes before the dice.

    Args:
        shares: the exchanges.
        rolls: the roll that each state of a slot comes to.
        rows: the state of each spot; -1 if it can't come up.
    """
    some, which = np.unique(rolls, return_inverse=True)
    entries, n_entries = spans(shares.entries, some)
    effects, n_effects = spans(shares.starts, shares.share[entries])
    meter_in_force().claim(8 * 4 * len(effects), f"{len(some):,} exchanges as they are decided")
    ends = np.concatenate([np.zeros(1, np.int64), np.cumsum(n_effects)])
    return _Exchanges(
        np.append(which, 0).astype(np.int32)[rows],
        ends[np.concatenate([np.zeros(1, np.int64), np.cumsum(n_entries)])],
        np.repeat(shares.own[entries], n_effects),
        shares.effects[effects],
        np.repeat(shares.chance[entries], n_effects) * shares.likely[effects],
    )


def _different(picks: Numbers) -> tuple[Numbers, Ints]:
    """The different columns, and which of them each one is."""
    if not len(picks):
        return picks[:, :1], np.zeros(picks.shape[1], np.int64)
    columns = np.ascontiguousarray(picks.T)
    whole = columns.view(np.dtype((np.void, columns.itemsize * columns.shape[1]))).ravel()
    _, first, which = np.unique(whole, return_index=True, return_inverse=True)
    return picks[:, first], which
