"""Rounds of a duel, followed only as long as the fight goes on.

How often a fight ends with each pair of conditions is a sum over rounds, and linear in how often
each pair begins one. So it takes a single whole round, at the end, that begins with the sums over
all rounds (`whole_round`). Until then nothing is kept of a fight that has ended but its verdict;
conditions that act alike become one as soon as nothing tells them apart; and pairs that have become
next to impossible are left out. The whole round at the end shows how much that misses.

    after a round in which one acts last: one's few conditions  x  all of the other's  --.
                                                                                          >-- next
    after a round in which the other does: all of one's  x  the other's few conditions  --'

A fighter who has just acted stands, and has nothing of what only lasts until its own turn. So what
goes on after a round is kept in one part for each order of turns. Ways to begin are followed side
by side as far as they differ (`strands`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.engine.fight.course import DECIDED
from affray.engine.fight.duels.acting import Actors, Weigh, actors_in, among, in_order
from affray.engine.fight.duels.ahead import Ahead, kinds_of
from affray.engine.fight.duels.sending import Both, Class, Columns, Exchange, Frame, columns_of
from affray.engine.fight.duels.strands import Strands, as_one, strands_of
from affray.engine.fight.duels.whole_round import WholeRound
from affray.engine.fight.duels.whole_step import WholeStep, where_in

__all__ = ["Begun", "Fading", "Going"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

HARDLY = 1e-21
"""Probability of a pair below which it isn't followed any further."""
FEWER = 0.6
"""The share of pairs left with which it pays to follow no others."""
HARDLY_MORE = 1.2
"""With so many strands for a condition nobody asks whether the other side has fewer."""
KEPT, KEPT_BYTES = 12, 32_000_000
"""So many rounds are kept, if they don't take more, to see whether the next one follows."""
SOME = 8_000
"""So many numbers, about, are looked at first."""
LEAST = 1e-14
"""What differs by less in rounds before is not told apart."""
LEAST_ENDS = 1e-4
"""The least by which shares of the rounds before must add up to less than one."""
MISSED = 1e-16
"""Probability by which a round may then miss what follows from those before it."""


class Fading(NamedTuple):
    """All further rounds of a fight that dies away evenly.

    Attributes:
        shares: each round is the sum of these shares of the rounds before it, the last one first.
        later: how often the fight goes on after the next round and all later ones, by way to begin.
    """

    shares: Floats
    later: Floats


class Begun(NamedTuple):
    """How often pairs have begun a round, while no others were followed.

    Attributes:
        rows, columns: the places of these pairs in the arrays of `whole`, rows being turned.
        among: whether each row is that of a way to begin.
        values: how often.
    """

    rows: Ints
    columns: Ints
    among: Bools
    values: Floats

    def add_to(self, turned: Floats, way: int) -> None:
        """Add what counts for a way to begin."""
        some = self.among[:, way]
        turned[self.rows[some, None], self.columns] += self.values[some]


class Going:
    """What goes on from round to round.

    Args:
        whole: the rounds with all that is over.
        begin: what `whole` begins the first round with.
        without: pairs that are not followed, in the order of arrays of `whole`; None: all are.
        before: how often pairs have begun a round already.

    Attributes:
        rows: the side whose strands are the rows of arrays; the other side's conditions are the
            columns. The other side's exchanges are products from the left, its own from the right,
            so that nothing ever has to be turned round.
        order: the strands and conditions that are followed; parts: those that are followed after a
            round in each order of turns, in the order of arrays.
        frame: all of that, as exchanges are made ready for it.
    """

    def __init__(
        self,
        whole: WholeRound,
        begin: Floats,
        without: Bools | None = None,
        before: Sequence[Begun] = (),
    ) -> None:
        self.whole, self.sweep, self.n_ways = whole, whole.sweep, whole.n_ways
        self.strands = _strands(whole, apart=without is not None)
        self.rows = self.strands.side
        flags = [
            np.array(duelist.is_out) * (4 >> side) | np.array(duelist.is_over)
            for side, duelist in enumerate(self.sweep.duelists)
        ]
        flags[self.rows] = np.repeat(flags[self.rows], self.n_ways)
        self.frame = Frame(self.strands, [len(some) for some in flags], flags)
        self._before = list(before)
        self._begin, self._without = begin, without
        self._actors: dict[WholeStep, list[Actors]] = {}
        self.weigh = [
            None if goes_first is None else _weigh(whole, steps[0].side, goes_first, self.strands)
            for steps, _, goes_first in whole.turns
        ]
        one, other = whole.first
        self.first = self._with_strands(one, other)
        parts = [self._left_by(number) for number in range(len(whole.turns))]
        starts = self._with_strands(
            *(first[np.unique(at)] for first, at in zip(whole.first, begin.nonzero(), strict=False))
        )
        parts[0] = np.union1d(parts[0][0], starts[0]), np.union1d(parts[0][1], starts[1])
        self._keep(parts)

    def _with_strands(self, one: Ints, other: Ints) -> Both:
        """Conditions of both sides, with the strands of one of them."""
        if self.rows:
            return one, self.strands.listed(other)[1]
        return self.strands.listed(one)[1], other

    def actors_of(self, step: WholeStep) -> list[Actors]:
        """The classes of those who act in an exchange."""
        known = self._actors.get(step)
        if known is None:
            known = self._actors[step] = actors_in(step, self.strands)
        return known

    def begins(self, number: int, here: Both) -> list[Actors]:
        """Those who may act first in a round in an order of turns, with some conditions."""
        first, weigh = self.whole.turns[number][0][0], self.weigh[number]
        actors = among(self.actors_of(first), here[first.side])
        return actors if weigh is None else weigh.among(actors, here[1 - first.side])

    def _left_by(self, number: int) -> Both:
        """What may begin a round after one in an order of turns."""
        steps, here = self.whole.turns[number][0], self.first
        made = Exchange(self.frame, steps[0], self.begins(number, here), here)
        for step in steps[1:]:
            actors, here = made.next(step, self.actors_of(step))
            made = Exchange(self.frame, step, actors, here)
        one, other = (
            np.intersect1d(ids, first) for ids, first in zip(made.left(), self.first, strict=True)
        )
        return one, other

    def _keep(self, parts: Sequence[Both]) -> None:
        """Follow these conditions after a round in each order of turns."""
        one, other = (self._sorted(side, [ids[side] for ids in parts]) for side in (0, 1))
        self.order = one, other
        self.parts = [(one[np.isin(one, ids[0])], other[np.isin(other, ids[1])]) for ids in parts]
        self._once = [
            [np.zeros(len(part[side]), np.bool_) for side in (self.rows, 1 - self.rows)]
            for part in self.parts
        ]
        shapes = [self.shape(part) for part in self.parts]
        size = 8 * sum(map(prod, shapes))
        kept = max(1, min(KEPT, KEPT_BYTES // max(1, size)))
        meter_in_force().claim((kept + 2) * size, "rounds of a duel")
        self._known = [np.zeros(shape) for shape in shapes]
        self._past = [[np.zeros(shape) for shape in shapes] for _ in range(kept)]
        self._turns = [_Turn(self, number) for number in range(len(self.whole.turns))]
        self._follows: list[Bools] = []
        if self._without is not None:
            self._follows = [~self._of_rows(self._without, part) for part in range(len(parts))]

    def shape(self, ids: Both) -> tuple[int, int]:
        """The shape of an array of these."""
        return len(ids[self.rows]), len(ids[1 - self.rows])

    def _sorted(self, side: int, parts: Sequence[Ints]) -> Ints:
        """The conditions of a side: who has acted last first, those that act alike side by side."""
        rounds = [steps for steps, _, _ in self.whole.turns]
        acted = []
        for ids, (*_, last) in zip(parts, rounds, strict=True):
            if last.side == side:
                ended = self.frame.closing(last, side)
                every = [ended[one.then] for one in self.actors_of(last)]
                acted += [some[np.isin(some, ids)] for some in every] + [ids]
        acts = [
            one.who for first, *_ in rounds if first.side == side for one in self.actors_of(first)
        ]
        return in_order(np.unique(np.concatenate(parts)), acted + acts)

    def _places(self, part: int) -> tuple[Ints, Ints, Ints]:
        """Where the rows and columns of a part are in the arrays of `whole`.

        And the first way to begin of each row.
        """
        strands, ids = self.parts[part][self.rows], self.parts[part][1 - self.rows]
        conditions, ways = np.divmod(strands, self.n_ways)
        rows, columns = (
            where_in(self.whole.first[side], self.sweep.n[side])[some]
            for side, some in ((self.rows, conditions), (1 - self.rows, ids))
        )
        return rows, columns, ways

    def _turned(self, pairs: NDArray[Any]) -> NDArray[Any]:
        """Values by pair and way to begin, with the rows first."""
        return pairs.transpose(1, 0, 2) if self.rows else pairs

    def _of_rows(self, pairs: NDArray[Any], part: int) -> NDArray[Any]:
        """Of values by pair and way to begin those of a part."""
        rows, columns, ways = self._places(part)
        found: NDArray[Any] = self._turned(pairs)[rows[:, None], columns, ways[:, None]]
        return found

    def start(self) -> list[Floats]:
        """What begins the first round, by part."""
        here = [np.zeros(known.shape) for known in self._known]
        here[0] += self._of_rows(self._begin, 0)
        return here

    def pairs(self, here: Sequence[Floats]) -> Floats:
        """What begins a round, in the order of arrays of `whole`."""
        found = np.zeros((*map(len, self.whole.first), self.n_ways))
        turned = self._turned(found)
        for one in self._begun_by(here):
            for way in range(self.n_ways):
                one.add_to(turned[:, :, way], way)
        return found

    def _begun_by(self, here: Sequence[Floats]) -> Iterator[Begun]:
        """What begins a round, by part."""
        for part, values in enumerate(here):
            rows, columns, _ = self._places(part)
            yield Begun(rows, columns, self.strands.ways(self.parts[part][self.rows]), values)

    def on(self, here: Sequence[Floats]) -> Floats:
        """How likely the fight goes on, by way to begin."""
        found = np.zeros(self.n_ways)
        for part, values in zip(self.parts, here, strict=True):
            found += values.sum(1) @ self.strands.ways(part[self.rows])
        return found

    def after(self, here: list[Floats]) -> tuple[list[Floats], Floats]:
        """What goes on after a round, and what it decides: a row for each way to begin.

        What it began with is written over some rounds later.
        """
        for known, now in zip(self._known, here, strict=True):
            np.add(known, now, out=known)
        every, *before = self._past
        self._past = [*before, here]
        ended = np.zeros((self.n_ways, len(DECIDED)))
        for turn, on in zip(self._turns, every, strict=True):
            on.fill(0)
            turn.follow(here, on, ended)
        for on, follows in zip(every, self._follows, strict=False):
            np.multiply(on, follows, out=on)
        return every, ended

    def likely(self, here: list[Floats]) -> list[Floats]:
        """Go on without what was likely once, and is next to impossible by now."""
        kept, before, after = [], 0, 0
        for now, known, once in zip(here, self._known, self._once, strict=True):
            likely, came = now > HARDLY, known > HARDLY
            both = []
            for axis in (0, 1):
                once[axis] = once[axis] | came.any(1 - axis)
                both.append(likely.any(1 - axis) | ~once[axis])  # some are still to come
            kept.append(both)
            before += likely.size
            after += int(both[0].sum()) * int(both[1].sum())
        if after > FEWER * before:
            return here
        self._before = self.begun()
        parts = []
        for ids, both in zip(self.parts, kept, strict=True):
            one, other = both[:: -1 if self.rows else 1]
            parts.append((ids[0][one], ids[1][other]))
        had, had_come, past = self.parts, self._once, self._past
        self._turns = []  # they are large: gone before there are new ones
        self._keep(parts)
        spots = []
        for part, ids in enumerate(had):
            places = [
                where_in(before, n)[few]
                for before, n, few in zip(ids, self.frame.sizes, self.parts[part], strict=True)
            ]
            rows, columns = places[self.rows], places[1 - self.rows]
            self._once[part] = [had_come[part][0][rows], had_come[part][1][columns]]
            spots.append(np.ix_(rows, columns))
        few = [[now[at] for now, at in zip(parts, spots, strict=True)] for parts in (*past, here)]
        self._past = [*self._past, *few[:-1]][-len(self._past) :]
        return few[-1]

    def fading(self, here: list[Floats]) -> Fading | None:
        """Count all further rounds at once, where each follows from those before it.

        What is left of a fight dies away evenly: a round is as good as the sum of shares of the few
        before it. All later ones then are, too, and add up to shares of the last few.

        Args:
            here: what goes on after the last round.

        Returns:
            What follows; None, and nothing is counted, if rounds don't follow from each other
            closely enough.
        """
        past = self._past[::-1]
        step = max(1, sum(part.size for part in here) // SOME)
        few = [np.concatenate([part.ravel()[::step] for part in parts]) for parts in (here, *past)]
        sizes = np.array([one.sum() for one in few[1:]])
        if not sizes.any():
            return None
        before = np.stack([one / size for one, size in zip(few[1:], sizes, strict=True) if size], 1)
        shares = np.zeros(len(past))
        shares[sizes > 0] = np.linalg.lstsq(before, few[0], rcond=LEAST)[0] / sizes[sizes > 0]
        differs, ends = np.concatenate([[1], -shares]), 1 - float(shares.sum())
        roughly = float(np.abs(differs @ np.array(few)).sum())
        if ends < LEAST_ENDS or roughly * step > 2 * self.n_ways * MISSED * ends:
            return None
        if np.abs(np.roots(differs)).max() >= 1:  # what is missed would grow from round to round
            return None
        missed = [np.abs(part) for part in _mixed([here, *past], differs)]
        if self.on(missed).max() > MISSED * ends:
            return None
        last = np.cumsum(shares[::-1])[::-1] / ends
        later = [np.maximum(part, 0) for part in _mixed([here, *past[:-1]], last)]
        for known, now, more in zip(self._known, here, later, strict=True):
            np.add(known, now + more, out=known)
        return Fading(shares, self.on(later))

    def leave(self, here: Sequence[Floats], without: Bools) -> list[Floats] | None:
        """No longer follow some pairs.

        Args:
            here: what goes on.
            without: these pairs, in the order of arrays of `whole`.

        Returns:
            What of it is followed; None, and nothing changes, where ways to begin that are one
            strand differ in that.
        """
        follows = []
        for part, ids in enumerate(self.parts):
            rows, columns, _ = self._places(part)
            among = self.strands.ways(ids[self.rows])
            left = self._turned(without)[rows[:, None], columns]
            first = self._of_rows(without, part)
            if ((left != first[:, :, None]) & among[:, None]).any():
                return None
            follows.append(~first)
        self._follows, self._without = follows, without
        return [np.where(some, now, 0) for some, now in zip(follows, here, strict=True)]

    def begun(self) -> list[Begun]:
        """How often each pair has begun a round by now."""
        return [*self._before, *self._begun_by(self._known)]

    def begun_in(self, way: int) -> Floats:
        """The same for a way to begin, in the order of arrays of `whole`."""
        found = np.zeros([len(first) for first in self.whole.first])
        for one in self.begun():
            one.add_to(found.T if self.rows else found, way)
        return found


def _mixed(rounds: Sequence[list[Floats]], shares: Floats) -> list[Floats]:
    """The sum of shares of rounds, part by part."""
    found = []
    for first, *others in zip(*rounds, strict=True):
        mixed = shares[0] * first
        for share, part in zip(shares[1:], others, strict=True):
            mixed += share * part
        found.append(mixed)
    return found


class _Turn:
    """A round in one order of turns.

    Args:
        going: the rounds. number: of the order.
    """

    def __init__(self, going: Going, number: int) -> None:
        steps = going.whole.turns[number][0]
        self.n_ways = going.n_ways
        self.by_row = [step.side == going.rows for step in steps]
        self.classes: list[list[Class]] = []
        self.columns: list[Columns] = []
        self.arrays: list[Floats] = []
        self._acted: list[set[int]] = [set() for _ in steps]
        parts, here, weigh = going.parts, going.order, going.weigh[number]
        actors = going.begins(number, here)
        for step, after in zip_longest(steps, steps[1:]):
            made, foe = Exchange(going.frame, step, actors, here), 1 - step.side
            struck = [ids[foe] for ids in parts]
            self.columns.append(columns_of(struck, here[foe], going.frame.sizes[foe]))
            there = going.parts[number]
            if after is not None:
                actors, there = made.next(after, going.actors_of(after))
                shape = going.shape(there)
                meter_in_force().claim(8 * 3 * prod(shape), "rounds of a duel")
                self.arrays.append(np.zeros(shape))
            self.classes.append(made.classes(there, parts, weigh))
            parts, here, weigh = [there], there, None

    def follow(self, parts: Sequence[Floats], on: Floats, ended: Floats) -> None:
        """Add what goes on after the round to `on`, and what it decides to `ended`."""
        meter = meter_in_force()
        for number, (by_row, classes) in enumerate(zip(self.by_row, self.classes, strict=True)):
            meter.poll()
            after = on
            if number < len(self.arrays):
                after = self.arrays[number]
                after.fill(0)
            for place, one in enumerate(classes):
                came = one.came(parts, self.columns[number], by_row=by_row)
                if place not in self._acted[number]:
                    if not came.any():
                        continue
                    self._acted[number].add(place)
                n_sent = after.shape[1] if by_row else len(after)
                turned = came
                if by_row and any(isinstance(sent.ways, csr_array) for sent in one.sent):
                    turned = np.ascontiguousarray(came.T)
                for sent in one.sent:
                    went = _went(sent.ways, came, turned)
                    for decides in sent.decides:
                        ended += decides.told(went, by_row=by_row)
                    for which, at in sent.puts:
                        if by_row:
                            after[at] += went[which, :n_sent]
                        else:
                            after[:, at] += went[:n_sent, which]
            parts = [after]


def _strands(whole: WholeRound, *, apart: bool) -> Strands:
    """The strands of the side with which there are fewer pairs.

    Args:
        whole: the rounds.
        apart: whether all ways to begin are to be told apart.
    """
    sizes = [len(first) for first in whole.first]
    most = sizes.index(max(sizes))
    ahead = whole.turns[0][2]
    if apart:
        return Strands(
            most, np.arange(whole.n_ways)[None, :], np.zeros(whole.sweep.n[most], np.int64)
        )
    if ahead is None or whole.n_ways == 1:
        return as_one(most, whole.sweep.n[most], whole.n_ways)
    found = []
    for side in (most, 1 - most):
        first = whole.first[side]
        some = strands_of(side, ahead, first, whole.sweep.n[side], _become(whole, side))
        found.append((some.count(first) / sizes[side], some))
        if found[0][0] < HARDLY_MORE:
            break
    return min(found, key=lambda some: some[0])[1]


def _become(whole: WholeRound, side: int) -> Both:
    """Conditions of a side, and what each may become in a round.

    What ends a round is in as many ways to begin before it as after it.
    """
    pairs = []
    n = whole.sweep.n[side]
    for steps, _, _ in whole.turns:
        for step in steps:
            here, after = step.here[side], step.after[side]
            for one in step.classes:
                if step.side == side:
                    then = after[one.then]
                    pairs.append(here[one.who] * n + then)
                    pairs += [here[who] * n + then[place] for place, who in one.more]
                else:
                    struck, met = one.ways.tocoo(copy=False).coords
                    pairs.append(here[met] * n + after[struck])
            if step.ends_round:
                on = after[~whole.sweep.over[side][after]]
                closed = step.closing(side)[on]
                pairs += [on * n + closed, closed * n + on]
    from_, to = np.divmod(np.concatenate(pairs or [np.zeros(0, np.int64)]), n)
    return from_, to


def _weigh(whole: WholeRound, acts: int, goes_first: Ahead, strands: Strands) -> Weigh:
    """How likely rounds come in one order of turns.

    Args:
        whole: the rounds.
        acts: the side that goes first.
        goes_first: how likely it does.
        strands: those of one side.
    """
    rows = strands.side
    table = np.moveaxis(goes_first.table, (rows, 2), (0, 1))
    chances = table.reshape(-1, table.shape[2])
    of = [np.zeros(n, np.int64) for n in whole.sweep.n]
    for side, (first, kinds) in enumerate(zip(whole.first, goes_first.of, strict=True)):
        of[side][first] = kinds
    ways = np.arange(whole.n_ways)
    of[rows] = (of[rows][:, None] * whole.n_ways + ways).ravel()
    if acts != rows:
        chances = chances.T
    different, which = kinds_of(np.ascontiguousarray(chances))
    return Weigh(np.array(different, np.float64), which[of[acts]], of[1 - acts])


def _went(ways: Floats | csr_array, came: Floats, turned: Floats) -> Floats:
    """What comes of an exchange, in the order of arrays.

    Args:
        ways: as in `Sent`.
        came: attackers with targets before it.
        turned: the same with targets as the rows.
    """
    if isinstance(ways, np.ndarray):
        went: Floats = came @ ways
        return went
    went = ways @ turned
    return went if turned is came else went.T
