"""Some thousand battles side by side, a column of an array each: rounds, turns, who is done.

The two kinds of lanes differ in what they keep of a battle: `by_fighter` keeps a number for every
fighter, `by_side` one for every side. Both draw the same dice for the same battle, so that one
can take over from the other.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from affray.core.errors import LimitError
from affray.core.meter import meter_in_force
from affray.engine.fight.course import Course, Moment, Phase
from affray.engine.fight.sampled.arrays import Bools, Drawn, Ints, Words
from affray.engine.fight.sampled.draws import Call, Draws, Stream, What
from affray.engine.fight.sampled.ended import Ended, Past
from affray.engine.fight.sampled.layout import Tally
from affray.engine.fight.sampled.outcomes import HALF, SLICED
from affray.engine.fight.sampled.tables import BattleTables
from affray.engine.fight.sampled.turns import Actor, Turn, Turns

__all__ = ["Lanes"]

CROWDED = 0.75
"""Battles that are over are carried along while no more than a quarter are."""
SPARSE = 0.5
"""Below this share of battles in which a fighter can act, only those are looked at."""


class Lanes(ABC):
    """Battles side by side.

    Args:
        tables: what can happen.
        ids: which battles of the chunk.
        course: how they go; a coin has been tossed.
        draws: where the dice come from.

    Attributes:
        rows: what is known of each battle: the states that the kind of lanes keeps, tallies by
            fighter, and where they are wanted rolled initiatives and ids.
        n: battles that are still carried along; idle: those of them that are over.
        number: the round.
        going: whether each battle still goes on, as 1 and 0, where a rule may end it.
    """

    def __init__(
        self,
        tables: BattleTables,
        ids: Ints,
        course: Course,
        draws: Draws,
    ) -> None:
        self.x = tables
        self.noticed = tables.noticed
        self.layout = tables.layout
        self.course = course
        self.turn = course.turn()
        # Initiative has its own order in each round, and a coin has been tossed before.
        order = () if course.first == "initiative" else course.order()
        self.order = tuple([Turn(side, tables.sides[side][place], None) for side, place in order])
        self.befallen = tuple(
            (one, side, place)
            for one in course.interludes
            for side, places in enumerate(tables.sides)
            for place in places
            if one.befalls(side)
        )
        # What befalls everybody, with the number of the fighter it befalls first.
        self.on_all = {one.number: who for one, _, who in reversed(self.befallen) if one.on_all}
        self.draws = draws
        self.n = len(ids)
        self.f = len(tables.fighters)
        start = self._start()
        self.h = len(start)
        self.rolls = self.h + self.f
        by_initiative = course.first == "initiative"
        height = self.rolls + self.f * by_initiative + draws.paired
        self.meter = meter_in_force()
        self.meter.claim(8 * 4 * height * self.n, f"{self.n:,} battles of {self.f:,} fighters")
        size = height * self.n
        self._blocks = [tables.blocks.take(wanted) for wanted in (size, size, 4 * self.n)]
        rows, self.spare, desk = self._blocks
        self.rows: Ints = rows[:size].reshape(height, self.n)
        self.rows.fill(0)
        self.rows[: self.h] = np.array(start)[:, None]
        if draws.paired:
            self.rows[-1] = ids
        self.past = Past(height, self.n)
        self.everyone: Ints = np.arange(self.n)
        # Room for numbers that are needed for a moment.
        self.desk: Ints = desk[: 4 * self.n].reshape(4, self.n)
        self._slots = self.desk
        self.number = 0
        self.idle = 0
        self.open = np.zeros(self.n, np.int64)
        self.going: Ints | None = None
        if by_initiative:
            Turns(self).roll_initiatives()

    # -- the course of a battle: each phase in all battles at once -------------------------------

    def fight(self) -> Ended:
        """All rounds of all battles."""
        self._settle()
        while self.n and self.number != self.course.rounds:
            self.meter.poll()
            self.number += 1
            self._round()
            self._settle()
            if self.n:
                self._close()
        if self.idle:
            self._remove(self._over())
        past = self.past
        stalled = np.zeros(past.n + self.n, np.bool_)
        stalled[past.n :] = True
        past.count(self.number, self.n)
        past.put(self.rows, self.number)
        self.x.blocks.give_back(*self._blocks)
        ended = Ended(
            *self._told(past.rows[: self.h]), self._tallies(past.rows[self.h : self.rolls]),
            stalled, past.rounds, past.histogram,
        )  # fmt: skip
        return ended.by_id(past.rows[-1]) if self.draws.paired else ended

    def _round(self) -> None:
        exchanges = self.number * self.f * self.course.exchanges
        if exchanges * self.noticed.max_harm > Tally.dealt:
            raise LimitError(
                f"{self.x.contest.system.id}: {exchanges} exchanges of up to "
                f"{self.noticed.max_harm} points in {self.number} rounds; a battle counts up to "
                f"{Tally.dealt}. Allow fewer rounds"
            )
        if self.noticed.can_end:
            self.going = np.ones(self.n, np.int64)
        ordinary = self.course.actions
        extras = range(ordinary, ordinary + self.course.extras)
        # Made anew each time: kept here, it would keep these battles and all their memory alive.
        order = Turns(self)
        turns = list(order) if extras and not self.course.alternates else order
        for turn in turns:
            self.meter.tick(16)
            if turn.interlude >= 0:
                self._act(turn, extras.stop + turn.interlude)
                self._notice_end()
                continue
            for moment in self.turn:
                self._do(moment, turn)
        for action in extras:
            for turn in order if self.course.alternates else turns:
                self.meter.tick(16)
                if turn.interlude < 0:
                    self._act(turn, action)
                    self._notice_end()

    def _do(self, moment: Moment, turn: Turn) -> None:
        """A phase of a turn, in all battles in which it is this turn."""
        if moment.phase is Phase.ACTION:
            self._act(turn, moment.done)
        elif self.noticed.turns_matter:
            self._begin(turn.side, turn.actor, turn.lanes)
        else:
            return
        self._notice_end()

    def _close(self) -> None:
        """The end of a round."""
        if self.noticed.rounds_matter:
            self._end_round()
            self._settle()

    def _notice_end(self) -> None:
        """Nothing happens any more in battles that a rule has ended."""
        if self.noticed.can_end:
            if self.going is None:
                self.going = np.ones(self.n, np.int64)
            self.going[self._is_ended()] = 0

    def _settle(self) -> None:
        """Put aside battles that are over, now and then."""
        over = self._over()
        done = int(np.count_nonzero(over))
        self.past.count(self.number, done - self.idle)
        self.idle = done
        at_once = self.draws.paired or self.noticed.rounds_matter or self.noticed.can_end
        if done and (at_once or done == self.n or done > (1 - CROWDED) * self.n):
            self._remove(over)
        self.going = None

    def _remove(self, over: Bools) -> None:
        self.n -= int(np.count_nonzero(over))
        self.open = self.open[: self.n]
        # Into memory that was in use before: new memory costs more than the copy.
        left = self.spare[: len(self.rows) * self.n].reshape(len(self.rows), self.n)
        self.past.put_some(self.rows, self.number, over, left)
        self.spare, self.rows = self.rows.ravel(), left
        self.idle = 0

    def draw(self, what: What, side: int, place: Actor, lanes: Ints | None, action: int) -> Words:
        """Numbers for one purpose in some battles; see `Call`."""
        n = self.n if lanes is None else len(lanes)
        ids = None
        if self.draws.paired:
            ids = self.rows[-1] if lanes is None else self.rows[-1].take(lanes)
        return self.draws(Call(what, self.number, side, place, action, ids), n)

    def cast(self, what: What, side: int, place: Actor, lanes: Ints | None, action: int) -> Drawn:
        """Draws that outcomes are told from: short ones of one stream for all."""
        if isinstance(self.draws, Stream):
            return self.draws.short(self.n if lanes is None else len(lanes))
        return self.draw(what, side, place, lanes, action)

    # -- one exchange ----------------------------------------------------------------------------

    def _act(self, turn: Turn, action: int) -> None:
        """One exchange: everybody whose turn it is does the first deed that can be done."""
        side, actor, lanes, _ = turn
        view = self._actor_views(turn, action)
        if turn.interlude in self.on_all:
            view *= self._before(turn)
        elif self.going is not None:
            view *= self.going if lanes is None else self.going.take(lanes)
        acting = int(np.count_nonzero(view))
        if not acting:
            return
        if acting < SPARSE * len(view):
            some = (view != 0).nonzero()[0]
            view = view.take(some)
            if not isinstance(actor, int):
                actor = actor.take(some)
            lanes = some if lanes is None else lanes.take(some)
        self._exchange(side, actor, lanes, (view, action))

    def _before(self, turn: Turn) -> Ints:
        """Which battles went on when an interlude began that befalls everybody."""
        if self.on_all[turn.interlude] == turn.actor:  # the first of all
            lanes = self._all(turn.lanes)
            self.open[lanes] = ~self._over()[lanes]
        return self.open if turn.lanes is None else self.open.take(turn.lanes)

    def _all(self, lanes: Ints | None) -> Ints:
        return self.everyone[: self.n] if lanes is None else lanes

    def _row(self, number: Actor, lanes: Ints | None) -> Ints:
        """A row for some battles, or another row for each; not to be written to."""
        if isinstance(number, int):
            row: Ints = self.rows[number]
            return row if lanes is None else row.take(lanes)
        where = number * self.n + self._all(lanes)
        return self.rows.ravel().take(where)

    def _write(self, number: Actor, lanes: Ints | None, values: Ints) -> None:
        if isinstance(number, int):
            self.rows[number][slice(None) if lanes is None else lanes] = values
            return
        where = number * self.n + self._all(lanes)
        self.rows.ravel()[where] = values

    def _count(self, fighter: Actor, lanes: Ints | None, tally: Ints) -> None:
        """Add to the tallies of a fighter."""
        number = fighter + self.h
        if isinstance(number, int):
            row = self.rows[number]
            if lanes is None:
                row += tally
            else:
                row[lanes] += tally
            return
        where = number * self.n + self._all(lanes)
        self.rows.ravel()[where] += tally

    def _pick(self, slot: int, table: Ints, keys: Ints) -> Ints:
        """Numbers from a table, held in a slot of the desk; keys are never out of range."""
        if len(keys) != self._slots.shape[1]:
            self._slots = self.desk[:, : len(keys)]
        return table.take(keys, None, self._slots[slot], "clip")

    def _outcomes(self, row: Ints, drawn: Drawn) -> Ints:
        """Places of outcomes: a column of the row, and which of the two in it.

        If battles are paired, higher draws do more harm. That takes longer.
        """
        rows = self.x.rows.outcomes
        if isinstance(self.draws, Stream):
            return rows.places_of(row, drawn, self.draws.more, self.desk[2:, : len(row)])
        keys = rows.numbers.now.take(row >> SLICED) << HALF
        keys += (drawn >> np.uint64(HALF)).view(np.int64)
        edges = rows.edges.now[: rows.edges.size]
        return rows.places.now.take(np.searchsorted(edges, keys, "right"))

    # -- what both kinds of lanes provide--------------------------------------------------------

    @abstractmethod
    def _start(self) -> list[int]:
        """The states at the start of a battle."""

    @abstractmethod
    def _words(self, states: Ints) -> Ints:
        """The words of fighters for these states."""

    @abstractmethod
    def _told(self, states: Ints) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints] | None]:
        """Words and kinds of battles with these states, as `Ended` has them."""

    @abstractmethod
    def _tallies(self, rows: Ints) -> Ints:
        """What fighters have done, from the rows in which it was counted."""

    @abstractmethod
    def _over(self) -> Bools:
        """Battles that are over."""

    @abstractmethod
    def _is_ended(self) -> Bools:
        """Battles of which a rule says that they are over."""

    @abstractmethod
    def next_from(self, side: int, places: Ints) -> Ints:
        """`next_standing` in every battle: the first place from one on whose fighter stands.

        Args:
            side: its number.
            places: by battle, up to the size of the side.
        """

    @abstractmethod
    def order_of(self, fighter: int) -> Ints:
        """The part of a fighter's key that `Numbering.order` holds."""

    @abstractmethod
    def _actor_views(self, turn: Turn, action: int) -> Ints:
        """The views of those who act; a new array."""

    @abstractmethod
    def _begin(self, side: int, actor: Actor, lanes: Ints | None) -> None:
        """The start of a turn, in battles that still go on."""

    @abstractmethod
    def _exchange(
        self, side: int, actor: Actor, lanes: Ints | None, deed: tuple[Ints, int]
    ) -> None:
        """Look an exchange up and write down what comes of it.

        Args:
            side: of the actor.
            actor: who acts.
            lanes: in which battles; None: in all.
            deed: the views of those who act, and which action of the turn it is.
        """

    @abstractmethod
    def _end_round(self) -> None:
        """Everybody is changed as the rules say, out or not."""
