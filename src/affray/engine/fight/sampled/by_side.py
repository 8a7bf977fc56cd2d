"""Battles side by side with one number for every side: quicker, where few states come up.

Where the target follows from how a side stands, its fighters are mostly hit one after the other,
and a side has few states. Then a state tells at once which fighter is attacked and what it looks
like, and an effect leads from state to state. The damage that fighters have taken follows from
the state as well. Where this doesn't hold, `Unsuited` is raised, and `by_fighter` takes over with
the same dice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from weakref import proxy

import numpy as np

from affray.core.meter import meter_in_force
from affray.engine.fight.course import SAYS_END, next_standing
from affray.engine.fight.sampled.arrays import Bools, Drawn, Grid, Ints, Vector, distinct, each_once
from affray.engine.fight.sampled.draws import Stream
from affray.engine.fight.sampled.lanes import Lanes
from affray.engine.fight.sampled.layout import Tally
from affray.engine.fight.sampled.outcomes import OPEN, SLICED
from affray.engine.fight.sampled.tables import BattleTables
from affray.engine.fight.sampled.turns import Actor, Turn

__all__ = ["SideLanes", "SideTables", "Unsuited"]

BY_STATE = frozenset({"weakest", "strongest", "nearest_out", "in_order"})
FEW_STATES = 250
STATES_OF_ONE = 250
"""So many states a side may have, and so many more for each fighter: others come up too fast."""
Cells = tuple[int, tuple[Ints, ...]]
"""A grid as somebody sees it."""
STATE_AT = Tally.taken_at
"""Numbers of changes hold a tally, and above it the state: the damage taken follows from that."""
TALLY = (1 << STATE_AT) - 1


class Unsuited(Exception):  # noqa: N818  # no error: the other kind of lanes takes over
    """States of sides don't tell enough, or there are too many of them."""


class _Side:
    """The states of one side: a condition for each fighter, and what they have taken.

    Attributes:
        actors_at, order, words: by place and state, as `tables` has them by condition; begun: the
            state when the fighter's turn has begun. In words is the damage taken, too.
        target, hit, view: the place, the condition and the view of the one who is attacked; 0 for
            the view if nobody stands. rest: a number for everybody else.
        hits: by such a number and the condition of the one who was attacked, the state.
        rows: exchanges with that fighter, by view of the actor and state. changes: what they do, by
            effect and state: the state after it, above the tally.
        nexts: by place and state, the first from there on who is not out.
        lost, says, ended: whether it has lost; whether it gives up or a rule ends the battle;
            the state after the end of a round.
    """

    def __init__(self, tables: BattleTables, side: int) -> None:
        self.x = tables
        self.side = side
        self.fighters = tables.sides[side]
        self.conditions: list[tuple[int, ...]] = [()]
        self.taken: list[tuple[int, ...]] = [()]
        self._numbers: dict[tuple[int, ...], int] = {}
        self._rests: dict[tuple[int, ...], int] = {}
        self.rows, self.changes, self.hits = Grid(), Grid(), Grid()
        numbering = tables.numbering
        self.rows.fit(len(numbering.actors), 0)
        self.changes.fit(len(numbering.effects), 0)
        self.hits.fit(0, len(numbering.conditions))
        numbering.actors_axis.rows.append(self.rows)
        numbering.effects_axis.rows.append(self.changes)
        numbering.conditions_axis.columns.append(self.hits)
        self.actors_at = [Grid() for _ in tables.numbering.actors_at]
        self.order, self.words, self.begun = Grid(), Grid(), Grid()
        self.target, self.hit, self.rest = Vector(), Vector(), Vector()
        self.view, self.lost, self.says, self.ended = Vector(), Vector(), Vector(), Vector()
        self.nexts = Grid()
        start = tuple(tables.fighters[fighter].start for fighter in self.fighters)
        self.start = self.number(start, (0,) * len(start))

    def number(self, conditions: tuple[int, ...], taken: tuple[int, ...]) -> int:
        """The number of a state.

        Raises:
            Unsuited: too many states, or the same conditions with other damage taken.
        """
        known = self._numbers.get(conditions)
        if known is not None:
            if self.taken[known] != taken:
                raise Unsuited
            return known
        meter_in_force().tick(len(conditions) >> 2)
        x, layout = self.x.numbering, self.x.layout
        here = len(self.conditions)
        most = FEW_STATES + STATES_OF_ONE * len(conditions)
        if here > most or max(taken) > layout.taken:
            raise Unsuited
        words = [
            int(x.fragment.now[condition]) | fighter << layout.fighter_at | harm << layout.taken_at
            for condition, fighter, harm in zip(conditions, self.fighters, taken, strict=True)
        ]
        lowest = min(words)
        target = (lowest >> layout.fighter_at & layout.fighter) - self.fighters.start
        is_out = [word >= layout.out for word in words]
        course = x.contest.course
        has_lost = sum(is_out) >= course.lost_at[self.side]
        rest = self._rests.setdefault((target, *_with(conditions, target, 0)), len(self._rests))
        view = 0 if has_lost else self.x.mates.target_among(target, conditions)
        # Room first: whatever is refused is refused before anything is entered.
        for grid in (*self.actors_at, self.order, self.words, self.begun, self.nexts):
            grid.fit(len(words), here)
        self.rows.fit(0, here)
        self.changes.fit(0, here)
        self.hits.fit(rest, conditions[target])
        for place, condition in enumerate(conditions):
            for grid, views in zip(self.actors_at, x.actors_at, strict=True):
                grid.put(place, here, int(views.now[condition]))
            self.order.put(place, here, int(x.order.now[condition]))
            self.words.put(place, here, words[place])
            begun = x.begun.now[condition] == x.fragment.now[condition]
            self.begun.put(place, here, here if begun else 0)
        ended = all(x.ended.now[one] == x.fragment.now[one] for one in conditions)
        said = reduce(or_, (int(x.says.now[condition]) for condition in conditions))
        self.hits.put(rest, conditions[target], here)
        self.rest.append(rest)
        self.target.append(target)
        self.hit.append(conditions[target])
        self.view.append(view)
        self.lost.append(int(has_lost))
        for place in range(len(words), -1, -1):
            self.nexts.put(place, here, next_standing(is_out, place))
        gives_up = has_lost and course.gives_up[self.side]
        self.says.append(int(gives_up or SAYS_END[said]))
        self.ended.append(here if ended else 0)
        self.conditions.append(conditions)
        self.taken.append(taken)
        self._numbers[conditions] = here
        return here

    @property
    def all_words(self) -> Ints:
        """The words of all fighters, by place and state."""
        width, (words,) = self.words.now
        return words[: len(self.fighters) * width].reshape(-1, width)[:, : len(self.conditions)]

    def meet_rows(self, actors: Ints, states: Ints) -> Ints:
        """Look up rows of exchanges with the one who is attacked."""
        return self.x.rows.of(actors, self.view.now.take(states))

    def meet_changes(self, effects: Ints, states: Ints) -> Ints:
        """Work out what effects make of states."""
        changes, tallies = self.x.numbering.changes_of(effects, self.hit.now.take(states))
        changes &= self.x.layout.condition
        rests = self.rest.now.take(states)
        width, (hits,) = self.hits.now
        after = hits.take(rests * width + changes)
        for place in np.flatnonzero(after == 0).tolist():
            target, state = int(self.target.now[states[place]]), int(states[place])
            taken = self.taken[state][target] + int(tallies[place] & Tally.dealt)
            after[place] = self.number(
                _with(self.conditions[state], target, int(changes[place])),
                _with(self.taken[state], target, taken),
            )
            self.hits.put(int(rests[place]), int(changes[place]), int(after[place]))
        self._check_taken(states, after, tallies & Tally.dealt)
        return after << STATE_AT | tallies

    def _check_taken(self, states: Ints, after: Ints, harm: Ints) -> None:
        """The damage taken must follow from the state, whichever way it was reached."""
        at = self.x.layout.taken_at
        width, (words,) = self.words.now
        targets = self.target.now.take(states) * width
        before, now = words.take(targets + states), words.take(targets + after)
        if ((before >> at) + harm & self.x.layout.taken != now >> at & self.x.layout.taken).any():
            raise Unsuited

    def turned(self, here: int, places: Sequence[int], table: Vector) -> int:
        """The state when these fighters have come to a turn's start or a round's end."""
        conditions = self.conditions[here]
        for place in places:
            fragment = self.x.numbering.turned(table, conditions[place])
            conditions = _with(conditions, place, fragment & self.x.layout.condition)
        return self.number(conditions, self.taken[here])


class SideTables:
    """The changes that exchanges bring to states of sides.

    Args:
        tables: the tables of the battle; they keep these, which don't keep them alive.

    Attributes:
        sides: the states of both.
    """

    def __init__(self, tables: BattleTables) -> None:
        self.x: BattleTables = proxy(tables)
        self.sides = _Side(self.x, 0), _Side(self.x, 1)
        # With the width and the size that they are for.
        self._actors_times: dict[tuple[int, int], tuple[int, int, Ints]] = {}
        self._effects_times: tuple[int, int, Ints] = (0, 0, np.zeros(0, np.int64))
        # By width, with the size that they are for.
        self._sliced_times: dict[int, tuple[int, Ints]] = {}

    def begun_of(self, side: int, places: int | Ints, states: Ints) -> Ints:
        """States of a side when the turns of these fighters have begun."""
        known = self.sides[side]
        while True:
            width, (table,) = known.begun.now
            keys = states + places * width
            after = table.take(keys)
            if after.min(initial=1):
                return after
            for key in each_once(keys[after == 0]).tolist():
                place, here = divmod(key, width)
                with self.x.lock:
                    known.begun.put(
                        place, here, known.turned(here, [place], self.x.numbering.begun)
                    )

    def ended_of(self, side: int, states: Ints) -> Ints:
        """States of a side at the end of a round."""
        known = self.sides[side]
        while True:
            after = known.ended.now.take(states)
            if after.min(initial=1):
                return after
            for here in each_once(states[after == 0]).tolist():
                with self.x.lock:
                    places = range(len(known.fighters))
                    known.ended.put(here, known.turned(here, places, self.x.numbering.ended))

    def actors_times(self, width: int, turn: Turn, action: int) -> Ints:
        """By state of its side the view of the fighter whose turn it is, so many times."""
        side, actor = self.sides[turn.side], turn.actor
        assert isinstance(actor, int)  # the same one in all battles
        n, (wide, (views,)) = len(side.conditions), side.actors_at[action].now
        known = self._actors_times.get((actor, action))
        if known is None or known[:2] != (width, n):
            start = (actor - side.fighters.start) * wide
            known = width, n, views[start : start + wide] * width
            self._actors_times[actor, action] = known
        return known[2]

    def effects_times(self, width: int) -> Ints:
        """By place of an outcome the effect on the target, so many times."""
        effects = self.x.rows.outcomes.on_target
        n, known = effects.size, self._effects_times
        if known[:2] != (width, n):
            known = width, n, effects.now[:n] * width
            self._effects_times = known
        return known[2]

    def sliced_times(self, width: int, sliced: Vector) -> Ints:
        """By slice the effect on the target, so many times; negative where it has several."""
        n, known = sliced.size, self._sliced_times.get(width)
        if known is None or known[0] != n:
            places = sliced.now[:n]
            times = self.effects_times(width).take(places, None, None, "clip")
            times[places < 0] = OPEN
            known = self._sliced_times[width] = n, times
        return known[1]

    @property
    def n_states(self) -> int:
        """The number of states of both sides."""
        return sum(len(side.conditions) - 1 for side in self.sides)

    @property
    def nbytes(self) -> int:
        """Memory reserved."""
        parts = [part for side in self.sides for part in (*vars(side).values(), *side.actors_at)]
        return sum(part.nbytes for part in parts if isinstance(part, (Grid, Vector)))


class SideLanes(Lanes):
    """Battles of which both sides are known by the numbers of their states.

    Views of actors and effects come ready to find their row in a grid: times its width.

    Attributes:
        now: the rows of exchanges for which views are ready.
    """

    tables: SideTables
    now: Cells

    @staticmethod
    def suits(tables: BattleTables) -> bool:
        """Whether the target follows from how a side stands, and nobody minds others."""
        apart = not (tables.numbering.tends or tables.contest.shares)
        return apart and all(rule in BY_STATE for rule in tables.targeting)

    def _start(self) -> list[int]:
        x = self.x
        with x.lock:
            known = x.side_tables
            self.tables = known if isinstance(known, SideTables) else SideTables(x)
            x.side_tables = self.tables
        return [side.start for side in self.tables.sides]

    def _words(self, states: Ints) -> Ints:
        found = np.empty((self.f, states.shape[1]), np.int64)
        for number, fighter in enumerate(self.x.fighters):
            width, (words,) = self.tables.sides[fighter.side].words.now
            mine = words[fighter.place * width : (fighter.place + 1) * width]
            mine.take(states[fighter.side], None, found[number], "clip")
        return found

    def _told(self, states: Ints) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints]]:
        one, other = (side.all_words for side in self.tables.sides)
        return (one, other), (states[0], states[1])

    def _tallies(self, rows: Ints) -> Ints:
        rows &= TALLY
        return rows

    def _over(self) -> Bools:
        over = self._lost(0)
        over |= self._lost(1)
        return over | self._is_ended() if self.noticed.can_end else over

    def _lost(self, side: int) -> Bools:
        """Battles that a side has lost."""
        lost: Bools = self.tables.sides[side].lost.now > 0
        found: Bools = lost.take(self.rows[side])  # a byte each: less to go through
        return found

    def _is_ended(self) -> Bools:
        one, other = self.tables.sides
        ended: Bools = (one.says.now.take(self.rows[0]) | other.says.now.take(self.rows[1])) > 0
        return ended

    def next_from(self, side: int, places: Ints) -> Ints:
        """In every battle, the first place from one on whose fighter stands."""
        width, (nexts,) = self.tables.sides[side].nexts.now
        return nexts.take(places * width + self._row(side, None))

    def order_of(self, fighter: int) -> Ints:
        """The part of a fighter's key that `Numbering.order` holds."""
        who = self.x.fighters[fighter]
        width, (order,) = self.tables.sides[who.side].order.now
        return order.take(self._row(who.side, None) + who.place * width)

    def _end_round(self) -> None:
        for side in (0, 1):
            self.rows[side] = self.tables.ended_of(side, self.rows[side])

    def _begin(self, side: int, actor: Actor, lanes: Ints | None) -> None:
        states, foes = self._row(side, lanes), self._row(1 - side, lanes)
        goes_on = self.tables.sides[1 - side].lost.now.take(foes) == 0
        if self.going is not None:
            goes_on &= (self.going if lanes is None else self.going.take(lanes)) > 0
        after = self.tables.begun_of(side, actor - self.x.sides[side].start, states)
        after -= states
        after *= goes_on
        after += states
        self._write(side, lanes, after)

    def _actor_views(self, turn: Turn, action: int) -> Ints:
        side, actor, lanes, _ = turn
        states = self._row(side, lanes)
        place = actor - self.x.sides[side].start
        self.now = self.tables.sides[1 - side].rows.now
        if isinstance(place, int):
            return self._pick(0, self.tables.actors_times(self.now[0], turn, action), states)
        width, (actors,) = self.tables.sides[side].actors_at[action].now
        views = self._pick(0, actors, states + place * width)
        views *= self.now[0]
        return views

    def _exchange(
        self, side: int, actor: Actor, lanes: Ints | None, deed: tuple[Ints, int]
    ) -> None:
        x, other = self.x, 1 - side
        view, action = deed
        drawn = self.cast("exchange", side, actor - x.sides[side].start, lanes, action)
        states = self._row(other, lanes)
        foes = self.tables.sides[other]
        row = self._known(1, (foes.rows, self.now), (view, states), foes.meet_rows)
        noticed = self.noticed
        if noticed.helps or noticed.acts_back or noticed.mates_help:
            raise Unsuited
        now = foes.changes.now
        effect = self._effects(row, drawn, now[0])
        change = self._known(1, (foes.changes, now), (effect, states), foes.meet_changes)
        self._count(actor, lanes, change)  # what lies above the tally does not change it
        if lanes is None:
            np.right_shift(change, STATE_AT, out=states)
        else:
            change >>= STATE_AT
            self._write(other, lanes, change)

    def _effects(self, row: Ints, drawn: Drawn, width: int) -> Ints:
        """The effects on targets, so many times; the rows are overwritten."""
        outcomes, draws = self.x.rows.outcomes, self.draws
        sliced = outcomes.sliced
        if not isinstance(draws, Stream) or sliced is None:
            effects = self.tables.effects_times(width)
            return self._pick(0, effects, self._outcomes(row, drawn))
        slices = outcomes.slices_of(row, drawn, row)  # in the same place: less memory to go through
        effect = self._pick(0, self.tables.sliced_times(width, sliced), slices)
        some = (effect < 0).nonzero()[0]
        if len(some):
            places = outcomes.decided(slices.take(some) >> SLICED, draws.more)
            effect[some] = self.tables.effects_times(width).take(places)
        return effect

    def _known(
        self,
        slot: int,
        cells: tuple[Grid, Cells],
        where: tuple[Ints, Ints],
        meet: Callable[[Ints, Ints], Ints],
    ) -> Ints:
        """The numbers of a grid by row and column; what is missing is met first.

        The rows come times the width of the grid as it is seen, and are overwritten.
        """
        keys, columns = where
        grid, (width, (table, *_)) = cells
        keys += columns
        found = self._pick(slot, table, keys)
        if not np.minimum.reduce(found):
            missing = np.flatnonzero(found == 0)
            unknown = keys.take(missing)
            new = distinct(unknown, len(table))
            rows, met = np.divmod(new, width)
            with self.x.lock:
                values = meet(rows, met)
                grid.put_all(rows, met, values)
            places = np.empty(len(table), np.int64)
            places[new] = self.everyone[: len(new)]
            found[missing] = values.take(places.take(unknown))
        return found


def _with(values: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    return (*values[:place], value, *values[place + 1 :])
