"""Whose turn it is, in many battles at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from affray.core.errors import LimitError
from affray.core.lazy import NamedTuple
from affray.core.meter import Meter
from affray.engine.fight.course import Befalling, Course
from affray.engine.fight.sampled.alias import shares
from affray.engine.fight.sampled.arrays import Bools, Ints, Words, each_once
from affray.engine.fight.sampled.draws import What
from affray.engine.fight.sampled.layout import INITIATIVE_AT, MOST_INITIATIVE, TIE_AT
from affray.engine.fight.sampled.tables import BattleTables

__all__ = ["Actor", "SideBySide", "Turn", "Turns", "comparisons"]

Actor = int | Ints
"""The number of the fighter who acts: of one in all battles, or of another in each."""


class Turn(NamedTuple):
    """A turn in many battles.

    Attributes:
        side: the number of the side.
        actor: who acts.
        lanes: in which battles; None: in all.
        interlude: the number of the one that befalls the actor instead; -1: none.
    """

    side: int
    actor: Actor
    lanes: Ints | None
    interlude: int = -1


class SideBySide(Protocol):
    """Battles side by side, as far as turns need them.

    Attributes:
        x: the tables. course: of each battle. order: of turns, where a course fixes it.
        befallen: the interludes, each with the side and the number of one whom it befalls.
        n: how many battles go on. f: how many fighters each has.
        rows: by place and battle. rolls: the first of them that holds a roll for initiative,
            less a fraction that breaks ties.
        meter: of the budget.
    """

    x: BattleTables
    course: Course
    order: tuple[Turn, ...]
    befallen: tuple[tuple[Befalling, int, int], ...]
    n: int
    f: int
    rows: Ints
    rolls: int
    meter: Meter

    def draw(self, what: What, side: int, place: Actor, lanes: Ints | None, action: int) -> Words:
        """Numbers for one purpose in some battles."""

    def next_from(self, side: int, places: Ints) -> Ints:
        """In every battle the first place from one on whose fighter stands."""

    def order_of(self, fighter: int) -> Ints:
        """The part of a fighter's key that the condition gives."""


class Turns:
    """The turns of battles side by side; going through them goes through those of a round.

    Args:
        lanes: the battles.
    """

    def __init__(self, lanes: SideBySide) -> None:
        self.lanes = lanes

    def roll_initiatives(self) -> None:
        """Everybody rolls once for the whole battle, and draws a lot for the case of a tie."""
        contest = self.lanes.x.contest
        for number, fighter in enumerate(self.lanes.x.fighters):
            drawn = self.lanes.draw("order", fighter.side, fighter.place, None, 0)
            lots = (drawn >> np.uint64(64 - TIE_AT)).view(np.int64) & ~self._mask
            self.lanes.rows[self.lanes.rolls + number] = -lots
        if contest.fight.initiative_roll is None:
            return
        for number, fighter in enumerate(self.lanes.x.fighters):
            rows = contest.rolled(contest.sides[fighter.side].fighters[fighter.place])
            if max(map(abs, rows)) >= MOST_INITIATIVE:
                raise LimitError(
                    f"{contest.system.id}: {max(map(abs, rows))} rolled for initiative; a battle "
                    f"orders numbers below {MOST_INITIATIVE}"
                )
            edges = np.cumsum(np.array(shares(list(rows.values())), object))[:-1]
            totals = np.array(list(rows), np.int64) << INITIATIVE_AT
            drawn = self.lanes.draw("roll", fighter.side, fighter.place, None, 0)
            places = np.searchsorted(edges.astype(np.uint64), drawn, "right")
            self.lanes.rows[self.lanes.rolls + number] += totals.take(places)

    @property
    def _mask(self) -> int:
        """The bits of a key that tell who it belongs to."""
        return (1 << (self.lanes.f + len(self.lanes.befallen)).bit_length()) - 1

    def __iter__(self) -> Iterator[Turn]:
        """The turns of a round, as `Course` orders them, with the interludes among them."""
        if self.lanes.course.first == "initiative":
            yield from self._quickest_first()
            return
        for one, side, actor in self.lanes.befallen:
            yield Turn(side, actor, None, one.number)
        if self.lanes.course.alternates:
            yield from self._alternating()
        else:
            yield from self.lanes.order

    def _quickest_first(self) -> Iterator[Turn]:
        for actors in self._in_order():
            is_second = actors >= self.lanes.x.sides[1].start
            is_turn: Bools | bool = True
            if self.lanes.befallen:
                yield from self._interludes(actors - self.lanes.f)
                is_turn = actors < self.lanes.f
            for side in (0, 1):
                lanes = np.flatnonzero((is_second == bool(side)) & is_turn)
                if len(lanes):
                    yield Turn(side, actors.take(lanes), lanes)

    def _interludes(self, numbers: Ints) -> Iterator[Turn]:
        """What befalls fighters in battles in which it comes now; their numbers, or negative."""
        for number in each_once(numbers[numbers >= 0]).tolist():
            one, side, actor = self.lanes.befallen[number]
            yield Turn(side, actor, np.flatnonzero(numbers == number), one.number)

    def _alternating(self) -> Iterator[Turn]:
        """Each turn is that of the next of its side who stands, see `Moment.waiting`."""
        reached = [np.zeros(self.lanes.n, np.int64), np.zeros(self.lanes.n, np.int64)]
        for side, *_ in self.lanes.order:
            start, size = self.lanes.x.sides[side].start, len(self.lanes.x.sides[side])
            actor = self.lanes.next_from(side, reached[side])
            reached[side] = np.minimum(actor + 1, size)
            acting = actor < size
            if not acting.all():
                lanes = np.flatnonzero(acting)
                if len(lanes):
                    yield Turn(side, actor.take(lanes) + start, lanes)
            elif (actor == actor[0]).all():
                yield Turn(side, int(actor[0]) + start, None)
            else:
                yield Turn(side, actor + start, None)

    def _in_order(self) -> Iterator[Ints]:
        """Fighters by turn: for the first turn who acts in each battle, for the second, ..."""
        mask = self._mask
        keys = [
            self.lanes.order_of(number) - self.lanes.rows[self.lanes.rolls + number] + number
            for number in range(self.lanes.f)
        ]
        for number, (interlude, _, _) in enumerate(self.lanes.befallen, start=self.lanes.f):
            # Behind everybody who rolled as much.
            count = max(-MOST_INITIATIVE, min(interlude.at, MOST_INITIATIVE))
            last = ((2 * MOST_INITIATIVE - count + 1) << INITIATIVE_AT) - 1 - mask + number
            keys.append(np.full(self.lanes.n, last, np.int64))
        for one, other in comparisons(len(keys)):
            self.lanes.meter.tick()
            low = np.minimum(keys[one], keys[other])
            np.maximum(keys[one], keys[other], out=keys[other])
            keys[one] = low
        for key in keys:
            yield key & mask


def comparisons(n: int) -> Iterator[tuple[int, int]]:
    """Batcher's network: compared and swapped in this order, n things are sorted."""
    top = 1 << max(0, (n - 1).bit_length() - 1)
    block = top
    while block:
        reach, low, step = top, 0, block
        while True:
            for place in range(n - step):
                if place & block == low:
                    yield place, place + step
            if reach == block:
                break
            step, reach, low = reach - block, reach >> 1, block
        block >>= 1
