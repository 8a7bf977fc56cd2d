"""Ways through a duel that are followed only where somebody goes, many pairs of conditions at once.

A duel that is too large to be found out is found out as far as somebody walks: conditions are
numbered, and exchanges are worked out, when a pair comes to them. Exchanges are those of the whole
duel (`attacks`), so whoever looks alike shares them. Two walk here: probability, which goes every
way at once (`certain`), and battles, each of which goes one of them (`walked`).

Who goes first in rounds depends on dice that are rolled once. A way to begin stays one with others
until it makes a difference (`_Way`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from fractions import Fraction
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import EXTRA, ORDINARY, Lead, Slot
from affray.engine.fight.duels.attacks import Attacks
from affray.engine.fight.duels.closure import parts_of
from affray.engine.fight.duels.places import PlacedDuelist
from affray.engine.fight.duels.reserves import ReservingDuelist

__all__ = ["GOES_ON", "Branch", "Pairs", "Turns", "Walks"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

GOES_ON = 0
"""The number of the verdict where there is none, in `VERDICT_OF`."""
BITS = 24
"""Bits of the number of a condition."""
NOBODY = -1
"""The look of those who can't act."""

_Effects: TypeAlias = "list[tuple[Hashable, int]]"


class Pairs(NamedTuple):
    """Pairs of conditions with their way to begin.

    Attributes:
        way: its number. one, other: the numbers of the conditions of both sides.
    """

    way: Ints
    one: Ints
    other: Ints

    def some(self, which: Ints) -> Pairs:
        """Some of them, by their places."""
        return Pairs(*(row[which] for row in self))

    @property
    def codes(self) -> Ints:
        """One number for each."""
        found: Ints = (self.way << 2 * BITS) | (self.one << BITS) | self.other
        return found

    @classmethod
    def of(cls, codes: Ints) -> Pairs:
        """The pairs with these codes."""
        mask = (1 << BITS) - 1
        return cls(codes >> 2 * BITS, (codes >> BITS) & mask, codes & mask)


class Turns(NamedTuple):
    """An order of turns that pairs may have in a round.

    Attributes:
        rows: the places of these pairs. first: the side that goes first.
        way: the number of their way to begin from now on. chance: how likely this order is.
    """

    rows: Ints
    first: int
    way: int
    chance: float


class Branch(NamedTuple):
    """An exchange that some pairs come to, and what comes of it.

    Attributes:
        rows: the places of these pairs.
        chances: of each thing that may come of it.
        afters: for either side what its conditions become, a row for each condition; the row of
            each pair; the column of each thing that may come of it.
    """

    rows: Ints
    chances: Floats
    afters: tuple[tuple[Ints, Ints, Ints], tuple[Ints, Ints, Ints]]

    def every(self, some: slice) -> tuple[Ints, Ints]:
        """The conditions of either side after all that may come of it, a row for each pair."""
        one, other = (table[of[some]][:, at] for table, of, at in self.afters)
        return one, other

    def each(self, which: Ints) -> tuple[Ints, Ints]:
        """The same after one thing for each pair."""
        one, other = (table[of, at[which]] for table, of, at in self.afters)
        return one, other


class _Way(NamedTuple):
    """A way to begin, or several that have made no difference yet.

    Attributes:
        side: the side that goes first in every round; None: by initiative.
        before: as in `Lead`.
        leads: those that it may be, where initiative decides.
    """

    side: int | None
    before: tuple[int, ...]
    leads: tuple[Lead, ...]


class _Rows(NamedTuple):
    """An exchange as arrays: its different effects on either side, and where each thing has its."""

    effects: tuple[_Effects, _Effects]
    at: tuple[Ints, Ints]
    chances: Floats


class Walks:
    """A duel as far as somebody walks.

    Args:
        contest: the fight; the first fighters of both sides take part.

    Raises:
        LimitError: the budget is spent. Everything here may raise it.
    """

    def __init__(self, contest: Contest) -> None:
        self._contest, self._fight = contest, contest.fight
        self._course = contest.course.of_two()
        self.duelists: tuple[PlacedDuelist, PlacedDuelist]
        self.duelists, self._attacks = parts_of(contest, (ReservingDuelist, Attacks))
        self._ways: list[_Way] = []
        self._number: dict[_Way, int] = {}
        self._slots: dict[tuple[int, tuple[int, ...]], tuple[Slot, ...]] = {}
        self._quick: tuple[dict[int, int], dict[int, int]] = {}, {}
        self._paces: list[tuple[int, int]] = []
        self._pace: dict[tuple[int, int], int] = {}
        self._turns: dict[tuple[int, int, int], tuple[tuple[int, int, float], ...]] = {}
        self._called: dict[tuple[int, int, int], int] = {}
        self._rows: dict[tuple[int, int], _Rows] = {}
        self._afters: dict[tuple[int, int, int], Ints] = {}
        self._lists: dict[tuple[int, ...], int] = {}

    # -- rounds ----------------------------------------------------------------------------------

    def begin(self) -> tuple[Pairs, Floats]:
        """The pair with which the fight begins, for each way to begin, and their chances."""
        rolls = (
            self._contest.rolled(self.duelists[0].sheet),
            self._contest.rolled(self.duelists[1].sheet),
        )
        apart: dict[_Way, Fraction] = {}
        by_before: dict[tuple[int, ...], list[Lead]] = {}
        for lead in self._course.leads(rolls):
            if lead.side is None:
                by_before.setdefault(lead.before, []).append(lead)
            else:
                apart[_Way(lead.side, lead.before, ())] = lead.chance
        for before, leads in by_before.items():
            apart[_Way(None, before, tuple(leads))] = _total(leads)
        ways = np.array([self._way(way) for way in apart])
        one, other = (np.full(len(ways), duelist.start) for duelist in self.duelists)
        return Pairs(ways, one, other), np.array([float(chance) for chance in apart.values()])

    def before(self, way: int) -> tuple[int, ...]:
        """How many interludes come before the turn of each side, as in `Lead`."""
        return self._ways[way].before

    def slots(self, way: int, first: int) -> tuple[Slot, ...]:
        """The exchanges of a round in which a side goes first."""
        before = self.before(way)
        known = self._slots.get((first, before))
        if known is None:
            order = self._course.everybody[:: -1 if first else 1]
            befallen = tuple(before[who.side] for who in order if before)
            known = self._slots[first, before] = self._course.slots(order, befallen)
        return known

    def turns(self, pairs: Pairs) -> Iterator[Turns]:
        """The orders of turns with which a round may begin."""
        paces = [
            _looked_up(conditions, partial(self._pace_of, side))
            for side, conditions in enumerate((pairs.one, pairs.other))
        ]
        codes = Pairs(pairs.way, *paces).codes
        for code, rows in _grouped(codes):
            way, one, other = (int(row[0]) for row in Pairs.of(np.array([code])))
            for first, then, chance in self._orders(way, one, other):
                yield Turns(rows, first, then, chance)

    def _way(self, way: _Way) -> int:
        known = self._number.get(way)
        if known is None:
            known = self._number[way] = len(self._ways)
            self._ways.append(way)
        return known

    def _pace_of(self, side: int, here: int) -> int:
        """The number of how quick a condition is; those who don't roll are all the same."""
        known = self._quick[side].get(here)
        if known is None:
            duelist, initiative = self.duelists[side], self._fight.initiative
            pace = 0, 0
            if initiative is not None:
                condition = duelist.conditions[here]
                pace = initiative(duelist.sheet, condition, self._contest.rulings)
            known = self._pace.setdefault(pace, len(self._paces))
            if known == len(self._paces):
                self._paces.append(pace)
            self._quick[side][here] = known
        return known

    def _orders(self, way: int, one: int, other: int) -> tuple[tuple[int, int, float], ...]:
        """Who may go first, with the way to begin from then on, and how likely it is."""
        known = self._turns.get((way, one, other))
        if known is not None:
            return known
        found: list[tuple[int, int, float]] = []
        whole = self._ways[way]
        if whole.side is not None:
            found.append((whole.side, way, 1.0))
        else:
            apart: dict[int, list[Lead]] = {}
            for lead in whole.leads:
                first = lead.first(self._paces[one], self._paces[other])
                apart.setdefault(first, []).append(lead)
            total = _total(whole.leads)
            for first, some in apart.items():
                then = self._way(whole._replace(leads=tuple(some)))
                found.append((first, then, float(_total(some) / total)))
        known = self._turns[way, one, other] = tuple(found)
        return known

    # -- exchanges -------------------------------------------------------------------------------

    def branches(self, slot: Slot, pairs: Pairs) -> Iterator[Branch]:
        """The exchanges that pairs come to, with what comes of each."""
        side = slot.actor.side
        attacks = self._attacks[slot.attacks]
        actor = self.duelists[side]
        acting, struck = (pairs.one, pairs.other)[:: -1 if side else 1]
        if slot.begins:
            acting = _looked_up(acting, actor.begin)
        for number, rows in self._exchanges(slot, acting, struck):
            found = self._as_rows(slot.attacks, attacks, number)
            afters = [
                (*self._become(who, conditions[rows], effects), at)
                for who, conditions, effects, at in zip(
                    (side, 1 - side), (acting, struck), found.effects, found.at, strict=True
                )
            ]
            one, other = afters[:: -1 if side else 1]
            yield Branch(rows, found.chances, (one, other))

    def settled(self, one: Ints, other: Ints, slot: Slot) -> tuple[Ints, Ints, Ints]:
        """Conditions after an exchange, at the end of the round if it is one, and the verdicts.

        Verdicts are numbers, as in `VERDICT_OF`.
        """
        verdicts = self.verdicts(one, other)
        if slot.ends_round:
            on = np.flatnonzero(verdicts == GOES_ON)
            one, other = one.copy(), other.copy()
            for conditions, duelist in zip((one, other), self.duelists, strict=True):
                conditions[on] = _looked_up(conditions[on], duelist.end)
            verdicts = self.verdicts(one, other)
        return one, other, verdicts

    def verdicts(self, one: Ints, other: Ints) -> Ints:
        """The number of the verdict for each pair of conditions."""
        out = [
            np.array(duelist.is_out)[here]
            for duelist, here in zip(self.duelists, (one, other), strict=True)
        ]
        over = [
            np.array(duelist.is_over)[here]
            for duelist, here in zip(self.duelists, (one, other), strict=True)
        ]
        found: Ints = 4 * out[0] + 2 * out[1] + (over[0] | over[1])
        return found

    def _exchanges(self, slot: Slot, acting: Ints, struck: Ints) -> Iterator[tuple[int, Ints]]:
        """The numbers of exchanges, each with the places of the pairs that come to it."""
        actor = self.duelists[slot.actor.side]
        target = self.duelists[1 - slot.actor.side]
        looks = _looked_up(acting, lambda here: self._look(slot, actor, here))
        if slot.kind > EXTRA:
            met = np.zeros_like(looks)
        else:
            met = np.array(target.struck.of)[struck] << BITS | np.array(target.part_of)[struck]
        found = np.empty_like(looks)
        for look, rows in _grouped(looks):
            ways, which = np.unique(met[rows], return_inverse=True)
            heres = np.empty_like(ways)
            heres[which] = struck[rows]
            numbers = self._called_for(slot, look, ways.tolist(), heres.tolist())
            found[rows] = np.array(numbers)[which]
        yield from _grouped(found)

    def _look(self, slot: Slot, actor: PlacedDuelist, here: int) -> int:
        """How somebody looks who acts; `NOBODY` if it can't."""
        if slot.kind > EXTRA:
            return actor.alone.of[here]
        if slot.kind == ORDINARY and actor.allowed[here] <= slot.number:
            return NOBODY
        return actor.acting.of[here]

    def _called_for(self, slot: Slot, look: int, met: list[int], heres: list[int]) -> list[int]:
        """The numbers of the exchanges of those with a look with targets.

        Args:
            slot: the exchange.
            look: of those who act.
            met: how each target looks, with what is hidden of it, as a number.
            heres: a condition of each.
        """
        attacks, number = self._attacks[slot.attacks], slot.attacks
        if look == NOBODY:
            return [attacks.passed] * len(met)
        if slot.kind > EXTRA:
            return [attacks.interlude(look)] * len(met)
        fresh: dict[int, list[tuple[int, int]]] = {}
        for one, here in zip(met, heres, strict=True):
            if (number, look, one) not in self._called:
                fresh.setdefault(one >> BITS, []).append((one, here))
        for some in fresh.values():
            meter_in_force().tick()
            found, alike = attacks.between(look, [here for _, here in some])
            for at, (one, _) in enumerate(some):
                self._called[number, look, one] = found[0 if alike else at]
        return [self._called[number, look, one] for one in met]

    def _as_rows(self, place: int, attacks: Attacks, number: int) -> _Rows:
        """An exchange as arrays."""
        known = self._rows.get((place, number))
        if known is None:
            both, weights, total, _ = attacks.odds[number].told
            meter_in_force().tick(len(both) >> 4)
            listed: list[_Effects] = []
            places: list[Ints] = []
            for duelist, effects in zip(
                (attacks.actor, attacks.target), zip(*both, strict=True), strict=True
            ):
                numbers = duelist.effects
                at: dict[Hashable, int] = {}
                places.append(np.array([at.setdefault(effect, len(at)) for effect in effects]))
                listed.append([(one, numbers.setdefault(one, len(numbers))) for one in at])
            known = self._rows[place, number] = _Rows(
                (listed[0], listed[1]), (places[0], places[1]),
                np.array([weight / total for weight in weights]),
            )  # fmt: skip
        return known

    def _become(self, side: int, conditions: Ints, effects: _Effects) -> tuple[Ints, Ints]:
        """What conditions become, a row for each different one, and the row of each."""
        duelist, meter = self.duelists[side], meter_in_force()
        different, which = np.unique(conditions, return_inverse=True)
        key = tuple([number for _, number in effects])
        listed = self._lists.setdefault(key, len(self._lists))
        rows = []
        for here in different.tolist():
            row = self._afters.get((side, listed, here))
            if row is None:
                meter.tick(len(effects))
                row = np.array(duelist.becomes(here, effects), np.int32)
                self._afters[side, listed, here] = row
            rows.append(row)
        return np.array(rows, np.int64), which


def _total(leads: Iterable[Lead]) -> Fraction:
    """How likely one of these ways to begin is."""
    return sum((lead.chance for lead in leads), Fraction(0))


def _looked_up(numbers: Ints, find: Callable[[int], int]) -> Ints:
    """What is found for each number; each different one is looked up once."""
    different, which = np.unique(numbers, return_inverse=True)
    return np.array([find(number) for number in different.tolist()], np.int64)[which]


def _grouped(numbers: Ints) -> Iterator[tuple[int, Ints]]:
    """Each different number, the least first, with its places."""
    order = np.argsort(numbers, kind="stable")
    different, starts = np.unique(numbers[order], return_index=True)
    yield from zip(different.tolist(), np.split(order, starts[1:]), strict=True)
