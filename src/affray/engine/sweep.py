"""One sweep over all states of a duel, those nearest to the end first.

Everything is arrays: pairs of conditions by how far they are from the end, for each of them the
row of effects of the exchange, and the values of the pairs it leads to.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

if TYPE_CHECKING:
    from affray.engine.duel import Duel

__all__ = ["Sweep"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

AT_ONCE = 2_000_000
"""Numbers that are held at once while sums are formed."""


class Phase(NamedTuple):
    """One place in a round: who acts, and what comes after."""

    actor: int
    then: int
    ends_round: bool


class Way(NamedTuple):
    """One direction as arrays: rows by pair, effects and probabilities, maps of conditions."""

    rows: Ints
    mine: Ints
    theirs: Ints
    chance: Floats
    actor_map: Ints
    target_map: Ints
    actor_stays: bool


class Sweep:
    """The states of a duel with one rule about who goes first.

    Args:
        duel: conditions and rows.
        leads: probability that side one goes first in a round, for each pair of conditions, or
            one for all.
        ways: the exchanges in each phase, if they are not the same in all.

    Attributes:
        n_phases: places in a round, the start of a round among them where it matters.
        residual: by how much the equations inside components are missed at most.
    """

    def __init__(self, duel: Duel, leads: Floats | float, ways: list[Way] | None = None) -> None:
        self.duel = duel
        self.leads = leads
        self.n = tuple(len(party.conditions) for party in duel.parties)
        self.maps = tuple(party.map_of_effects() for party in duel.parties)
        self.begun = tuple(np.array(party.begun) for party in duel.parties)
        self.ended = tuple(np.array(party.ended) for party in duel.parties)
        self.phases = self._phases()
        self.n_phases = len(self.phases) + (not isinstance(leads, float))
        if ways is None:
            by_actor = [self.way(side) for side in (0, 1)]
            ways = [by_actor[phase.actor] for phase in self.phases]
        self.ways = ways
        self.offset = self.n_phases - len(self.phases)
        self.n_pairs = self.n[0] * self.n[1]
        self.residual = 0.0

    def way(self, side: int) -> Way:
        """The exchanges of one side as arrays."""
        direction = self.duel.directions[side]
        mine, theirs, chance = direction.padded()
        own = self.maps[side]
        used = np.unique(mine)
        stays = bool((own[used] == np.arange(own.shape[1])).all())
        return Way(direction.numbers(), mine, theirs, chance, own, self.maps[1 - side], stays)

    def _phases(self) -> list[Phase]:
        """Who acts when: with a fixed order one row of turns, else one for each order."""
        times = self.duel.contest.fight.actions
        orders = [[0] * times + [1] * times, [1] * times + [0] * times]
        if isinstance(self.leads, float):
            orders = [orders[0] if self.leads == 1 else orders[1]]
        start = 0 if len(orders) == 1 else 1
        phases: list[Phase] = []
        for order in orders:
            for place, actor in enumerate(order):
                last = place == len(order) - 1
                here = start + len(phases)
                phases.append(Phase(actor, 0 if last else here + 1, last))
        return phases

    def run(self, columns: Floats, counted: int) -> Floats:
        """Values of every state: phase, pair of conditions, question.

        Args:
            columns: what pairs of conditions are worth when the fight is over; else zero.
            counted: the column to which every round adds one.
        """
        n_one, n_other = self.n
        n_columns = columns.shape[-1]
        values = np.zeros((self.n_phases, n_one * n_other, n_columns))
        values[:] = columns.reshape(1, -1, n_columns)
        for pairs, shape in self._levels():
            self._settle(values, pairs, shape, counted)
        return values

    def going_on(self) -> Bools:
        """Pairs of conditions in which the fight goes on."""
        one, other = self.duel.parties
        over = [np.array(party.is_out) | np.array(party.is_over) for party in (one, other)]
        on: Bools = ~(over[0][:, None] | over[1][None, :])
        return on

    def _levels(self) -> list[tuple[Ints, tuple[int, int]]]:
        """Pairs of conditions in the order in which they are settled.

        Each with the sizes of the components they lie in; pairs of one block lie together.
        """
        self.component: list[Ints] = []
        depths: list[Ints] = []
        places: list[Ints] = []
        sizes: list[Ints] = []
        for party, table in zip(self.duel.parties, self.maps, strict=True):
            component, depth = party.components(table)
            size = np.bincount(component)
            order = np.argsort(component, kind="stable")
            place = np.empty_like(component)
            starts = np.concatenate([[0], np.cumsum(size)[:-1]])
            place[order] = np.arange(len(order)) - starts[component[order]]
            self.component.append(component)
            depths.append(depth[component])
            places.append(place)
            sizes.append(size[component])
        self.places = places
        one, other = np.nonzero(self.going_on())
        level = depths[0][one] + depths[1][other]
        size_one, size_other = sizes[0][one], sizes[1][other]
        keys = (
            places[1][other], places[0][one], self.component[1][other], self.component[0][one],
            size_other, size_one, level,
        )  # fmt: skip
        if int(size_one.max(initial=1)) == int(size_other.max(initial=1)) == 1:
            order = np.argsort(level, kind="stable")
        else:
            order = np.lexsort(keys)
        one, other, level = one[order], other[order], level[order]
        size_one, size_other = size_one[order], size_other[order]
        pairs = one * self.n[1] + other
        changes = (np.diff(level) != 0) | (np.diff(size_one) != 0) | (np.diff(size_other) != 0)
        cuts = np.concatenate([[0], np.nonzero(changes)[0] + 1, [len(pairs)]])
        return [
            (pairs[a:b], (int(size_one[a]), int(size_other[a]))) for a, b in pairwise(cuts) if b > a
        ]

    def _settle(self, values: Floats, pairs: Ints, shape: tuple[int, int], counted: int) -> None:
        """Work out pairs of one level, everything nearer to the end being settled."""
        size = shape[0] * shape[1]
        n_blocks = len(pairs) // size
        width = size * self.n_phases
        inside = np.zeros((n_blocks, width, width))
        known = np.zeros((n_blocks, width, values.shape[-1]))
        block = np.arange(len(pairs)) // size
        here = np.arange(len(pairs)) % size
        if self.offset:
            leads = np.asarray(self.leads).ravel()[pairs]
            inside[block, here, size + here] = leads
            behind = size * (1 + len(self.phases) // 2)
            inside[block, here, behind + here] += 1 - leads
            known[block, here, counted] = 1
        one, other = np.divmod(pairs, self.n[1])
        for number, phase in enumerate(self.phases, start=self.offset):
            row = number * size + here
            for part, first, second, chance in self.nexts(one, other, number - self.offset):
                there = values[phase.then].take(first * self.n[1] + second, axis=0)
                known[block[part], row[part]] = np.matmul(chance[:, None, :], there)[:, 0]
                stays = self.component[0][first] == self.component[0][one[part]][:, None]
                stays &= self.component[1][second] == self.component[1][other[part]][:, None]
                stays &= chance > 0
                pair, effect = np.nonzero(stays)
                target = self.places[0].take(first[pair, effect]) * shape[1]
                target = target + self.places[1].take(second[pair, effect])
                pair_here = pair + part.start
                spots = (block[pair_here] * width + row[pair_here]) * width
                spots += phase.then * size + target
                np.add.at(inside.ravel(), spots, chance[pair, effect])
            if number == 0:
                known[block, row, counted] += 1
        solved = _solved(inside, known)
        missed = np.abs(solved - np.matmul(inside, solved) - known)
        self.residual = max(self.residual, float(missed.max(initial=0.0)))
        for number in range(self.n_phases):
            values[number, pairs] = solved[block, number * size + here]

    def _next(self, one: Ints, other: Ints, number: int) -> tuple[Ints, Ints, Floats]:
        """For each pair the conditions after each effect, and their probabilities."""
        phase, way = self.phases[number], self.ways[number]
        actor, target = (one, other) if phase.actor == 0 else (other, one)
        rows = way.rows[actor, target]
        begun = self.begun[phase.actor][actor]
        if way.actor_stays:
            after = np.broadcast_to(begun[:, None], (len(begun), way.mine.shape[1]))
        else:
            after = way.actor_map[way.mine[rows], begun[:, None]]
        struck = way.target_map[way.theirs[rows], target[:, None]]
        if phase.ends_round:
            after = self.ended[phase.actor][after]
            struck = self.ended[1 - phase.actor][struck]
        if phase.actor == 1:
            after, struck = struck, after
        return after, struck, way.chance[rows]

    def nexts(
        self, one: Ints, other: Ints, number: int
    ) -> Iterator[tuple[slice, Ints, Ints, Floats]]:
        """Where pairs of conditions go in a phase, in parts that are not too large.

        Yields:
            Which of the pairs, the conditions of both after each effect, and probabilities.
        """
        most = max(1, AT_ONCE // self.ways[number].mine.shape[1])
        for start in range(0, len(one), most):
            part = slice(start, min(len(one), start + most))
            yield part, *self._next(one[part], other[part], number)

    # -- forward, round by round -----------------------------------------------------------------

    def rounds(self, start: int) -> Iterator[tuple[Floats, Floats]]:
        """Round after round, from a pair of conditions.

        Yields:
            How likely each pair of conditions is to be fighting on after the round, and to be
            that in which the fight ended in the round.
        """
        on = self.going_on().ravel()
        here = np.zeros(len(on))
        here[start] = 1
        matrices = [self._matrix(number, on) for number in range(len(self.phases))]
        orders = [matrices] if self.n_phases == len(matrices) else [
            matrices[: len(matrices) // 2], matrices[len(matrices) // 2 :]
        ]  # fmt: skip
        while True:
            over, after = np.zeros(len(on)), np.zeros(len(on))
            for number, order in enumerate(orders):
                now = here
                if len(orders) > 1:
                    leads = np.asarray(self.leads).ravel()
                    now = here * (leads if number == 0 else 1 - leads)
                for matrix in order:
                    now = matrix @ now
                    over += np.where(on, 0, now)
                    now = np.where(on, now, 0)
                after += now
            here = after
            yield here, over

    def _matrix(self, number: int, on: Bools) -> csr_array:
        """Where pairs of conditions go in a phase, a column each."""
        pairs = np.nonzero(on)[0]
        one, other = np.divmod(pairs, self.n[1])
        rows, columns, chances = [], [], []
        for part, first, second, chance in self.nexts(one, other, number):
            used = chance > 0
            rows.append((first * self.n[1] + second)[used])
            columns.append(np.broadcast_to(pairs[part][:, None], used.shape)[used])
            chances.append(chance[used])
        spots = np.concatenate(rows), np.concatenate(columns)
        return csr_array((np.concatenate(chances), spots), shape=(len(on), len(on)))


def _solved(inside: Floats, known: Floats) -> Floats:
    """Solve x = inside x + known, block by block; a block that nothing leaves is worth nothing."""
    width = inside.shape[1]
    leaves = inside.sum(-1) < 1 - 1e-12
    for _ in range(width):
        further = leaves | (np.matmul(inside > 0, leaves[:, :, None])[..., 0] > 0)
        if (further == leaves).all():
            break
        leaves = further
    if not leaves.all():
        inside *= leaves[:, :, None]
        known *= leaves[:, :, None]
    return np.asarray(np.linalg.solve(np.eye(width) - inside, known), np.float64)
