"""One sweep over all states of a duel, those nearest to the end first.

Conditions that can come back to each other form a component. Every exchange stays in the components
of both fighters, or brings one of them nearer to the end. So a sweep settles all states, one pair
of components after the other: with sums over what is settled already, and a small linear system for
what is not. All questions are answered at once, as columns.

Everything is arrays: pairs of conditions by how far they are from the end, for each of them the
row of effects of the exchange, and the values of the pairs it leads to. The exchanges of a round
and what comes around them are compiled from the course of a fight (`Course.slots`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.engine.budget import clock_in_force
from affray.engine.fight.course import Course, Slot
from affray.engine.fight.duels.beginning import Leads
from affray.engine.fight.duels.blocks import Equations
from affray.engine.fight.duels.duelists import different

if TYPE_CHECKING:
    from affray.engine.fight.duels.attacks import Attacks, Numbered
    from affray.engine.fight.duels.duelists import Duelist
    from affray.engine.fight.duels.halves import Halves
    from affray.engine.fight.duels.places import Order, Place

__all__ = ["Blocks", "Level", "Moves", "Sweep"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

AT_ONCE = 100_000
"""Numbers that are held at once while sums are formed."""


class AttackArrays:
    """One direction as arrays.

    Args:
        attacks: the exchanges.
        rows: which of them pairs of conditions call for.
        actor_map, target_map: what effects make of conditions.
    """

    def __init__(self, attacks: Attacks, rows: Numbered, actor_map: Ints, target_map: Ints) -> None:
        self._attacks, self.rows = attacks, rows
        self.actor_map, self.target_map = actor_map, target_map

    @cached_property
    def halves(self) -> Halves:
        """All exchanges, with what may befall whoever acts left together."""
        return self._attacks.halves()

    @property
    def mine(self) -> Ints:
        """Effects on whoever acts, a row for each exchange."""
        return self._padded[0]

    @property
    def theirs(self) -> Ints:
        """Effects on the target."""
        return self._padded[1]

    @property
    def chance(self) -> Floats:
        """How likely the two effects are."""
        return self._padded[2]

    @cached_property
    def _padded(self) -> tuple[Ints, Ints, Floats]:
        return self._attacks.padded()

    @cached_property
    def actor_stays(self) -> bool:
        """Whether no exchange changes whoever acts."""
        own = self.actor_map
        used = different(self.mine, len(own))
        return bool((own[used] == np.arange(own.shape[1])).all())


class Groups(NamedTuple):
    """Who may stand opposite whom before an exchange.

    Attributes:
        of: the group of each of some conditions, for either side.
        meets: whether those of a group of side one may stand opposite those of one of side two.
    """

    of: tuple[Ints, Ints]
    meets: Bools


class Level(NamedTuple):
    """Pairs that are settled together: whole blocks, each of the same size."""

    pairs: Ints
    size: int


class Blocks(NamedTuple):
    """Pairs, or spots, that are settled together, block by block.

    Attributes:
        pairs: all of them. starts: where each block starts among them.
    """

    pairs: Ints
    starts: Ints

    @property
    def sizes(self) -> Ints:
        """How many there are of each block."""
        found: Ints = np.diff(self.starts, append=len(self.pairs))
        return found

    def only(self, some: Bools) -> Blocks:
        """Only some of them, and the blocks that have any."""
        if not len(self.pairs) or some.all():
            return self
        sizes = np.add.reduceat(some.astype(np.int64), self.starts)
        sizes = sizes[sizes > 0]
        return self._replace(pairs=self.pairs[some], starts=np.cumsum(sizes) - sizes)

    def part(self, start: int, stop: int) -> Blocks:
        """The blocks from one number to another."""
        ends = np.append(self.starts, len(self.pairs))
        first, last = int(ends[start]), int(ends[min(stop, len(self.starts))])
        return self._replace(pairs=self.pairs[first:last], starts=self.starts[start:stop] - first)


class Components(NamedTuple):
    """What conditions of one side can come back to each other.

    Attributes:
        of: the component of each condition. n: how many there are.
        depth: how far each condition is from the end at most.
        size: of the component of each condition. place: where each condition stands in its own.
    """

    of: Ints
    n: int
    depth: Ints
    size: Ints
    place: Ints


class Moves(NamedTuple):
    """The ways of pairs in a slot.

    Attributes:
        there, chance: pairs after each effect, and probabilities.
        at, target, stays: those that stay in their block: from the pair at this place of the
            list, to this place of the block, with this probability.
    """

    there: Ints
    chance: Floats
    at: Ints
    target: Ints
    stays: Floats

    def part(self, start: int, stop: int) -> Moves:
        """Only pairs from a place of the list to another."""
        low, high = np.searchsorted(self.at, (start, stop))
        inside = slice(int(low), int(high))
        return Moves(
            self.there[start:stop], self.chance[start:stop], self.at[inside] - start,
            self.target[inside], self.stays[inside],
        )  # fmt: skip


class Sweep:
    """The states of a duel with one rule about who goes first.

    Args:
        duelists: conditions of both sides. attacks: rows of exchanges by who acts.
        leads: probability that side one goes first in a round, for each pair of conditions, or
            one for all.
        before: for each side how many interludes come before its turn, as in `Lead`.
        places: the places of a round by its order, if they are known.

    Attributes:
        slots: the exchanges of a round, for one order of turns after the other; then: what
            follows each of them, as a place in a round.
        n_places: places in a round: the slots, and before them the start of a round where it
            matters.
        standing: the conditions of either side before the exchange of each slot, as far as the
            fight goes on in them.
    """

    def __init__(
        self,
        duelists: tuple[Duelist, Duelist],
        attacks: Sequence[Attacks],
        leads: Leads | Floats | float,
        *,
        before: tuple[int, ...] = (),
        places: Mapping[Order, tuple[Place, ...]] | None = None,
    ) -> None:
        self.duelists, self.attacks = duelists, attacks
        self.leads, self.before = leads, before
        self.n = tuple(len(duelist.conditions) for duelist in duelists)
        self.maps = tuple(duelist.map_of_effects() for duelist in duelists)
        self.begun = tuple(np.array(duelist.begun) for duelist in duelists)
        self.ended = tuple(np.array(duelist.ended) for duelist in duelists)
        self.over = tuple(
            np.array(duelist.is_out) | np.array(duelist.is_over) for duelist in duelists
        )
        rounds = self._rounds(attacks[0].contest.course.of_two())
        self.slots = list(chain.from_iterable(rounds))
        self.offset = len(rounds) - 1  # who leads is settled at the start of a round, if not before
        orders = {(lead, before) for lead in self._first}
        self._places = places if places is not None and orders <= places.keys() else None
        self.n_places = self.offset + len(self.slots)
        self.then = [
            0 if slot.ends_round else after
            for after, slot in enumerate(self.slots, start=self.offset + 1)
        ]
        self.ends_change = any((end != np.arange(len(end))).any() for end in self.ended)
        self.n_pairs = self.n[0] * self.n[1]

    @cached_property
    def arrays(self) -> list[AttackArrays]:
        """The exchanges in each slot; best play has no use for them."""
        varies = self.attacks[0].fight.actions_of is not None
        kinds = [
            (slot.attacks, slot.number if varies else min(slot.number, 1)) for slot in self.slots
        ]
        made: dict[tuple[int, int], AttackArrays] = {}
        for place, action in dict.fromkeys(kinds):
            attacks, side = self.attacks[place], place % 2
            numbered = attacks.numbered(action)
            maps = self.maps[side], self.maps[1 - side]
            made[place, action] = AttackArrays(attacks, numbered, *maps)
        return [made[kind] for kind in kinds]

    def _rounds(self, course: Course) -> list[tuple[Slot, ...]]:
        """The exchanges of a round: for the fixed order of turns, else for both of them."""
        one_leads = course.everybody
        orders = [one_leads, one_leads[::-1]]
        if isinstance(self.leads, float):
            orders = [one_leads if self.leads == 1 else one_leads[::-1]]
        return [
            course.slots(order, tuple(self.before[who.side] for who in order if self.before))
            for order in orders
        ]

    @cached_property
    def standing(self) -> list[tuple[Ints, Ints]]:
        """The conditions that may come up before the exchange of each slot."""
        if self._places is None:
            one, other = (np.flatnonzero(~over) for over in self.over)
            return [(one, other)] * len(self.slots)
        found = []
        for place in self._in_order:
            one, other = (np.array(sorted(there), np.int64) for there in place.there)
            found.append((one, other))
        return found

    @cached_property
    def _in_order(self) -> list[Place]:
        """The places of all slots, as far as they are known."""
        if self._places is None:
            return []
        places = (self._places[lead, self.before] for lead in self._first)
        return list(chain.from_iterable(places))

    @property
    def _first(self) -> tuple[int, ...]:
        """The sides that may go first, as in `Order`."""
        return (0, 1) if self.offset else (int(self.leads != 1),)

    def groups(self, number: int, onto: tuple[Ints, Ints]) -> Groups:
        """Those who stand for the conditions before an exchange, and whom they may meet.

        Args:
            number: of the slot.
            onto: for each condition the one that stands for it; those are told in order.
        """
        both = [
            np.unique(every[ids], return_inverse=True)
            for every, ids in zip(onto, self.standing[number], strict=True)
        ]
        if not self._in_order:
            one, other = (np.zeros(len(ids), np.int64) for ids, _ in both)
            return Groups((one, other), np.ones((1, 1), np.bool_))
        place = self._in_order[number]
        kinds = [place.groups(side) for side in (0, 1)]
        table = np.zeros([1 + max(some.values(), default=0) for some in kinds], np.bool_)
        for pair in place.met():
            table[pair] = True
        of, marks = [], []
        for some, (stand, which), ids in zip(kinds, both, self.standing[number], strict=True):
            marked = np.zeros((len(stand), 1 + max(some.values(), default=0)))
            marked[which, [some[here] for here in ids.tolist()]] = 1
            different, group = np.unique(marked, axis=0, return_inverse=True)
            marks.append(different)
            of.append(group.ravel())
        return Groups((of[0], of[1]), marks[0] @ table @ marks[1].T > 0)

    @property
    def n_states(self) -> int:
        """The number of states: the pairs of conditions that may come up before each exchange."""
        return sum(len(one) * len(other) for one, other in self.standing)

    def run(self, columns: Floats, counted: int) -> Floats:
        """Values of every state: place in a round, pair of conditions, question.

        Args:
            columns: what pairs of conditions are worth when the fight is over; else zero.
            counted: the column to which every round adds one.
        """
        n_one, n_other = self.n
        n_columns = columns.shape[-1]
        clock = clock_in_force()
        states = self.n_places * n_one * n_other
        clock.claim(8 * states * n_columns, f"{states:,} states with {n_columns} answers")
        values = np.zeros((self.n_places, n_one * n_other, n_columns))
        values[:] = columns.reshape(1, -1, n_columns)
        levels = self.levels()
        solved, every = 0, sum(len(level.pairs) for level in levels)
        for batch in self.batches(levels):
            clock.tell("pairs of conditions solved", solved, every)
            clock.poll()
            solved += sum(len(level.pairs) for level in batch)
            pairs = np.concatenate([level.pairs for level in batch])
            moves = [self.moves(pairs, number) for number in range(len(self.slots))]
            start = 0
            for level in batch:
                stop = start + len(level.pairs)
                clock.tick(8)
                self._settle(values, level, [move.part(start, stop) for move in moves], counted)
                start = stop
        return values

    def batches(self, levels: list[Level]) -> Iterator[list[Level]]:
        """Levels that are prepared together: not too many numbers at once."""
        width = sum(arrays.mine.shape[1] for arrays in self.arrays)
        batch: list[Level] = []
        waiting = 0
        for level in levels:
            if batch and (waiting + len(level.pairs)) * width > AT_ONCE:
                yield batch
                batch, waiting = [], 0
            batch.append(level)
            waiting += len(level.pairs)
        if batch:
            yield batch

    def going_on(self) -> Bools:
        """Pairs of conditions in which the fight goes on."""
        on: Bools = ~(self.over[0][:, None] | self.over[1][None, :])
        return on

    def at_rounds(self) -> Bools:
        """Pairs of conditions with which a round may begin."""
        found: Bools = np.zeros(self.n, np.bool_)
        half = len(self.slots) // 2
        for number in (0, half) if self.offset else (0,):
            found[np.ix_(*self.standing[number])] = True
        return found

    def levels(self) -> list[Level]:
        """Pairs of conditions in the order in which they are settled.

        Pairs of one block lie together.
        """
        # Keys to sort by, the order, and which pairs there are.
        meter_in_force().claim(8 * 14 * self.n_pairs, f"{self.n_pairs:,} pairs of conditions")
        mine, theirs = self.components
        components, depths = (mine.of, theirs.of), (mine.depth, theirs.depth)
        places, sizes = (mine.place, theirs.place), (mine.size, theirs.size)
        one, other = np.nonzero(self.going_on())
        level = depths[0][one] + depths[1][other]
        size_one, size_other = sizes[0][one], sizes[1][other]
        keys = (
            places[1][other], places[0][one], components[1][other], components[0][one],
            size_other, size_one, level,
        )  # fmt: skip
        self.singles = int(size_one.max(initial=1)) == int(size_other.max(initial=1)) == 1
        if not self.singles:
            # The block of each pair, and its place there.
            self.block = (components[0][:, None] * theirs.n + components[1][None, :]).ravel()
            self.place = (places[0][:, None] * sizes[1][None, :] + places[1][None, :]).ravel()
        order = np.argsort(level, kind="stable") if self.singles else np.lexsort(keys)
        one, other, level = one[order], other[order], level[order]
        size_one, size_other = size_one[order], size_other[order]
        pairs = one * self.n[1] + other
        changes = (np.diff(level) != 0) | (np.diff(size_one) != 0) | (np.diff(size_other) != 0)
        cuts = np.concatenate([[0], np.nonzero(changes)[0] + 1, [len(pairs)]])
        return [
            Level(pairs[a:b], int(size_one[a] * size_other[a])) for a, b in pairwise(cuts) if b > a
        ]

    @cached_property
    def components(self) -> tuple[Components, Components]:
        """Of either side."""
        found = []
        for duelist, table in zip(self.duelists, self.maps, strict=True):
            component, depth = duelist.components(table)
            size = np.bincount(component)
            order = np.argsort(component, kind="stable")
            place = np.empty_like(component)
            starts = np.concatenate([[0], np.cumsum(size)[:-1]])
            place[order] = np.arange(len(order)) - starts[component[order]]
            n = len(size)
            found.append(Components(component, n, depth[component], size[component], place))
        one, other = found
        return one, other

    def blocks_of(self, pairs: Ints) -> Ints:
        """The number of the block of each pair: of those that can come back to each other."""
        mine, theirs = self.components
        one, other = np.divmod(pairs, self.n[1])
        found: Ints = mine.of[one] * theirs.n + theirs.of[other]
        return found

    def blocks(self, pairs: Ints) -> list[Blocks]:
        """Some pairs in the order in which they are settled, block by block.

        Those of equally large blocks that are equally far from the end come together.

        Args:
            pairs: in order.
        """
        mine, theirs = self.components
        one, other = np.divmod(pairs, self.n[1])
        block = mine.of[one] * theirs.n + theirs.of[other]
        size = mine.size[one] * theirs.size[other]
        level = mine.depth[one] + theirs.depth[other]
        order = np.lexsort((block, size, level))
        pairs, block, size, level = pairs[order], block[order], size[order], level[order]
        begins = np.diff(block, prepend=-1) != 0
        apart = np.diff(level, prepend=-1) != 0
        apart |= np.diff(size, prepend=-1) != 0
        cuts = np.append(np.flatnonzero(apart), len(pairs)).tolist()
        return [Blocks(pairs[a:b], np.flatnonzero(begins[a:b])) for a, b in pairwise(cuts)]

    def moves(self, pairs: Ints, number: int) -> Moves:
        """The ways of pairs in a slot."""
        first, second, chance = self._next(*np.divmod(pairs, self.n[1]), number)
        there = first * self.n[1] + second
        if self.singles:
            stays = np.einsum("ij,ij->i", chance, there == pairs[:, None])
            at = np.nonzero(stays)[0]
            return Moves(there, chance, at, np.zeros_like(at), stays[at])
        inside = self.inside(pairs, there) & (chance > 0)
        at, effect = np.nonzero(inside)
        return Moves(there, chance, at, self.place.take(there[at, effect]), chance[at, effect])

    def inside(self, pairs: Ints, there: Ints) -> Bools:
        """Whether pairs that pairs lead to, a row for each, lie in the same block."""
        if self.singles:
            same: Bools = there == pairs[:, None]
        else:
            same = self.block.take(there) == self.block.take(pairs)[:, None]
        return same

    def _settle(self, values: Floats, level: Level, moves: list[Moves], counted: int) -> None:
        """Work out pairs of one level, everything nearer to the end being settled."""
        pairs, size = level
        n_blocks, width = len(pairs) // size, size * self.n_places
        known = np.zeros((n_blocks, width, values.shape[-1]))
        block, here = np.divmod(np.arange(len(pairs)), size)
        ways = Equations(n_blocks, width)
        if self.offset:
            assert isinstance(
                self.leads, Leads
            )  # arrays are for optimal play, which settles otherwise
            leads = self.leads.at(*np.divmod(pairs, self.n[1]))
            ways.add(block, here, here + size, leads)
            ways.add(block, here, here + size * (1 + len(self.slots) // 2), 1 - leads)
            known[block, here, counted] = 1
        for number, (then, move) in enumerate(zip(self.then, moves, strict=True), self.offset):
            row = number * size + here
            there = values[then].take(move.there, axis=0)
            known[block, row] = np.matmul(move.chance[:, None, :], there)[:, 0]
            ways.add(block[move.at], row[move.at], then * size + move.target, move.stays)
            if number == 0:
                known[block, row, counted] += 1
        solved, _ = ways.solved(known)
        for number in range(self.n_places):
            values[number, pairs] = solved[block, number * size + here]

    def _next(self, one: Ints, other: Ints, number: int) -> tuple[Ints, Ints, Floats]:
        """For each pair the conditions after each effect, and their probabilities."""
        slot, arrays = self.slots[number], self.arrays[number]
        acts = slot.actor.side
        actor, target = (one, other) if acts == 0 else (other, one)
        rows = arrays.rows.between(actor, target)
        begun = self.begun[acts][actor] if slot.begins else actor
        if arrays.actor_stays:
            after = np.broadcast_to(begun[:, None], (len(begun), arrays.mine.shape[1]))
        else:
            after = arrays.actor_map[arrays.mine[rows], begun[:, None]]
        spots = arrays.theirs.take(rows, axis=0) * arrays.target_map.shape[1] + target[:, None]
        struck = arrays.target_map.take(spots)
        if slot.ends_round and self.ends_change:
            # A fight that is over with the last exchange has no end of the round.
            over = self.over[acts][after] | self.over[1 - acts][struck]
            after = np.where(over, after, self.ended[acts][after])
            struck = np.where(over, struck, self.ended[1 - acts][struck])
        if acts == 1:
            after, struck = struck, after
        return after, struck, arrays.chance.take(rows, axis=0)
