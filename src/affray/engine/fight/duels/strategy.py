"""Picks of both sides for a whole duel, improved until nobody gains.

States that can come up are settled in blocks, those nearest to the end first. For fixed picks the
states of a block are equations; then both sides pick better, exchange by exchange, with what
follows worth what was found. That is strategy iteration, block by block. At the end nobody can
gain more than the residual by other picks in any one exchange, wherever the duel can come to.

Worth is counted from a stalemate: 1/2 for a win of the first side, -1/2 for one of the second,
nothing for a draw, for an end by rule and for a fight that never ends. A pick stays unless another
one gains, and at first it is the option that is listed first: so ties are broken.

A fight that may be endless needs more care. Two options may be worth the same, though one puts off
the end for ever and the other leads to it. The side that is behind should take the first, and no
exchange by itself shows a gain. So such fights are first improved as if each exchange might be the
last, with a chance that gets smaller: then delay is worth something to the side that is behind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from affray.core.errors import LimitError
from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.engine.budget import clock_in_force
from affray.engine.fight.duels.blocks import Ways as Equations
from affray.engine.fight.duels.forest import Forest, Part
from affray.engine.fight.duels.reached import Ways, reached
from affray.engine.fight.duels.split import Split
from affray.engine.fight.duels.spots import Spots
from affray.engine.fight.duels.sweep import Sweep
from affray.engine.fight.duels.tree import Numbers, Signs, Tree
from affray.engine.fight.duels.trees import TreeDuel

__all__ = ["States", "Strategy"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

GAIN = 1e-13
"""The least gain for which a pick is changed."""
CERTAIN = 1e-9
"""A probability is called one if it is no further from it."""
CALLED_OFF = (1e-2, 1e-4, 1e-6)
"""Chances that an exchange is the last, one after the other, while endless fights are improved."""
MOST_TURNS = 200
"""Rounds of improvement after which the solver gives up."""
TOGETHER = 6
"""Rounds in which both sides improve at once; after them they take turns."""
AT_ONCE = 2_000_000
"""Numbers that one tree holds at once."""
IN_CHUNK = 400_000
"""States that are settled together, if no more of them have to be."""
BOTH: Signs = (1, -1)


class States:
    """States of one slot that share an exchange.

    Attributes:
        slot: the number of the slot. attack: its number. tree: the same with all its choices.
        spots: the conditions of both sides, and the way to begin, as one number.
        rows: where these spots stand in the slot.
        picks: what is picked: choice by column.
    """

    __slots__ = ("attack", "picks", "rows", "slot", "spots", "tree")

    def __init__(self, attack: tuple[int, int, Tree], spots: Ints, at: int) -> None:
        self.slot, self.attack, self.tree = attack
        self.spots = spots
        self.rows = slice(at, at + len(spots))
        kind = np.int8 if self.tree.most_options < 128 else np.int16  # a byte
        self.picks: Numbers = np.zeros((self.tree.n_picks, len(spots)), kind)


class _Chunk(NamedTuple):
    """Spots that are settled together: whole blocks of one size, everything else being settled.

    Attributes:
        spots: all of them. size: of a block.
        states: those whose exchange is worked out here.
    """

    spots: Ints
    size: int
    states: list[States]


class _Led(NamedTuple):
    """Ways from the start of a round to who leads in it: rows, columns, probabilities."""

    rows: Ints
    columns: Ints
    chances: Floats


class _Grown(NamedTuple):
    """A chunk while it is settled: its unknown states are numbered block by block.

    A block has its states place by place in a round.

    Attributes:
        chunk: which one. width: the number of states of a block.
        forest: its trees. rows: the state of each column of the forest.
        firsts: the state of each spot at the first place.
        led: ways from the start of rounds.
        shared: states, and those whose exchange they share.
        lent: states whose exchange is settled, and what that is worth.
        slack: by how much a side could gain by other picks in what is settled.
    """

    chunk: _Chunk
    width: int
    forest: Forest
    rows: Ints
    firsts: Ints
    led: _Led
    shared: Ints
    lent: tuple[Ints, Floats]
    slack: float


class Strategy:
    """Picks of both sides at every state that can come up, improved until nobody gains.

    Args:
        duel: the duel.
        leads: see `Sweep`; several ways to begin are improved side by side.
        everywhere: take the fight to begin with any conditions with which a round may.

    Attributes:
        sweep: the duel, without what is picked.
        spots: pairs of conditions with ways to begin. leads: how likely side one goes first there.
        seen: for each slot the spots that can come up there.
        values: what each state is worth: place in a round, spot.
        states: for each slot all states, by exchange.
        rows: for each slot where a spot stands among its states; -1: it can't come up there.
        n_rows: the number of these places in each slot.
        residual: the most that a side could gain by other picks in one exchange.
    """

    def __init__(
        self, duel: TreeDuel, leads: Sequence[Floats] | float, *, everywhere: bool = False
    ) -> None:
        self.duel = duel
        self.attacks = duel.trees
        self.begins: list[Floats] | list[float] = (
            [leads] if isinstance(leads, float) else list(leads)
        )
        self.sweep = sweep = Sweep(
            duel.duelists, duel.attacks, self.begins[0], [], places=duel.closure.places
        )  # fmt: skip
        self.residual = 0.0
        pairs = sweep.n_pairs
        leads_of = np.stack(
            [np.broadcast_to(np.asarray(one, float).ravel(), (pairs,)) for one in self.begins], -1
        )
        ways = Ways(sweep, self.attacks)
        starts = np.array([duel.start_pair])
        if everywhere:
            starts = np.nonzero(sweep.at_rounds().ravel())[0]
        seen = reached(ways, starts, leads_of)
        self.spots = spots = Spots(ways, seen, sweep.levels(), leads_of)
        self.leads = spots.leads
        self.seen = seen
        if len(self.begins) > 1:
            starts = np.unique(spots.of[starts])
            self.seen = reached(spots, starts, self.leads[:, None])
        states = sweep.n_places * spots.n
        meter_in_force().claim(8 * states, f"{states:,} states")
        worth = ((duel.questions[..., 0] - duel.questions[..., 1]) / 2).ravel()
        self.values: Floats = np.empty((sweep.n_places, spots.n))
        self.values[:] = worth[spots.pair]
        self.states: list[list[States]] = [[] for _ in sweep.slots]
        self.rows = [np.full(spots.n, -1, np.int32) for _ in sweep.slots]
        self.n_rows = [0] * len(sweep.slots)
        self._spot = np.zeros(spots.n, np.int64)  # where one stands in the chunk that is settled
        self._splits: dict[tuple[int, int, bytes], Split] = {}
        self.chunks = list(self._chunks())
        for number, rows in enumerate(self.rows):
            some = np.nonzero(self.seen[number])[0]
            rows[some] = rows[spots.alike(number, some)]

    # -- states ----------------------------------------------------------------------------------

    def _chunks(self) -> Iterator[_Chunk]:
        n_slots = len(self.sweep.slots)
        meter = meter_in_force()
        anywhere = np.any(self.seen, axis=0)
        for level in self.spots.levels:
            blocks = level.pairs.reshape(-1, level.size)
            blocks = blocks[anywhere[blocks].any(1)]
            many = max(1, IN_CHUNK // (level.size * n_slots))
            for at in range(0, len(blocks), many):
                meter.tick(8)
                spots = blocks[at : at + many].ravel()
                states = [some for number in range(n_slots) for some in self._shared(number, spots)]
                yield _Chunk(spots, level.size, states)

    def _shared(self, number: int, spots: Ints) -> Iterator[States]:
        """The states of a slot with these spots, by exchange."""
        spots = spots[self.seen[number][spots]]
        spots = spots[self.spots.alike(number, spots) == spots]
        if not len(spots):
            return
        attacks = self.spots.attack(number, spots)
        order = np.argsort(attacks, kind="stable")
        spots = spots[order]
        names, starts = np.unique(attacks[order], return_index=True)
        trees = self.attacks[self.sweep.slots[number].attacks].trees
        for name, group in zip(names.tolist(), np.split(spots, starts[1:]), strict=True):
            width = max(1, AT_ONCE // trees[name].n_places)
            for start in range(0, len(group), width):
                part = group[start : start + width]
                states = States((number, name, trees[name]), part, self.n_rows[number])
                self.n_rows[number] += len(part)
                self.rows[number][part] = np.arange(states.rows.start, states.rows.stop)
                self.states[number].append(states)
                yield states

    def found(self, number: int, pair: int, begin: int = 0) -> tuple[States, int] | None:
        """The states of a slot among which a pair is, and its column; None if it can't come up.

        Args:
            number: the slot.
            pair: both conditions, as one number.
            begin: which way to begin it is.
        """
        row = int(self.rows[number][self.spots.of[pair, begin]])
        for states in self.states[number]:
            if states.rows.start <= row < states.rows.stop:
                return states, row - states.rows.start
        return None

    # -- improving -------------------------------------------------------------------------------

    def solve(self) -> None:
        """Improve until nobody gains, the states nearest to the end first.

        Raises:
            LimitError: it does not end.
        """
        clock, done = clock_in_force(), 0
        self.residual = 0.0
        for chunk in self.chunks:
            clock.tell("pairs of conditions solved", done, self.spots.n)
            clock.poll()
            done += len(chunk.spots)
            grown = self._grown(chunk, BOTH)
            for chance in CALLED_OFF if self._may_be_endless(grown) else ():
                self._improve(grown, 1 - chance)
            slack = self._improve(grown, 1.0)
            self.residual = max(self.residual, slack + grown.slack)
            grown.forest.store()

    def evaluate(self, goes_on: float = 1.0) -> None:
        """The worth of every state under the current picks.

        Args:
            goes_on: how likely it is that more follows after an exchange.
        """
        for chunk in self.chunks:
            self._evaluate(self._grown(chunk, (0, 0)), goes_on)

    def _grown(self, chunk: _Chunk, wishes: Signs) -> _Grown:
        """The trees of a chunk, all that is settled being picked."""
        sweep, spots, size = self.sweep, chunk.spots, chunk.size
        block, here = np.divmod(np.arange(len(spots)), size)
        width = size * sweep.n_places
        firsts = block * width + here
        self._spot[spots] = np.arange(len(spots))
        stands, shared, lent = self._stands(chunk, firsts)
        parts, rows, slack = [], [np.zeros(0, np.int64)], 0.0
        for states in chunk.states:
            there = self.spots.there(states.slot, states.attack, states.spots)
            inside: Bools = np.asarray(self.spots.inside(states.spots, there.T).T)
            split = self._split(states, np.asarray(inside.any(1)))
            worth = self._worth(states.slot, there)
            settled = split.settle(worth, states.picks, self._signs(states, wishes), GAIN)
            slack = max(slack, settled.slack)
            there, inside = there[split.ends], inside[split.ends]
            then = sweep.then[states.slot]
            at = np.where(inside, self._spot[there], 0)
            if then >= sweep.offset:
                at = stands[then - sweep.offset, at]
            ends = np.where(inside, firsts[at] + then * size, -1)
            known = np.where(inside, 0.0, worth[split.ends])
            actor = sweep.slots[states.slot].actor.side
            parts.append(Part(split, settled, states.picks, actor, ends, known))
            rows.append(firsts[self._spot[states.spots]] + (sweep.offset + states.slot) * size)
        forest = Forest(parts, len(spots) * sweep.n_places)
        led = self._led(chunk, firsts, stands)
        return _Grown(chunk, width, forest, np.concatenate(rows), firsts, led, shared, lent, slack)

    def _split(self, states: States, is_open: Bools) -> Split:
        key = self.sweep.slots[states.slot].attacks, states.attack, is_open.tobytes()
        split = self._splits.get(key)
        if split is None:
            split = self._splits[key] = Split(states.tree, is_open)
        return split

    def _stands(self, chunk: _Chunk, firsts: Ints) -> tuple[Ints, Ints, tuple[Ints, Floats]]:
        """Where in a chunk each spot finds its exchange: slot by spot; and as in `_Grown`."""
        sweep, (spots, size, _) = self.sweep, chunk
        stands = np.tile(np.arange(len(spots)), (len(sweep.slots), 1))
        shared, lent, worth = [], [], []
        for number in range(len(sweep.slots)):
            alike = self.spots.alike(number, spots)
            seen = self.seen[number][spots]
            inside = np.asarray(self.spots.inside(spots, alike[:, None])[:, 0])
            start = (sweep.offset + number) * size
            own = np.nonzero(seen & inside & (alike != spots))[0]
            stands[number, own] = self._spot[alike[own]]
            shared.append(np.stack([firsts[own], firsts[stands[number, own]]]) + start)
            far = np.nonzero(seen & ~inside)[0]
            lent.append(firsts[far] + start)
            worth.append(self.values[sweep.offset + number][alike[far]])
        every = np.concatenate(lent), np.concatenate(worth)
        return stands, np.concatenate(shared, 1), every

    def _led(self, chunk: _Chunk, firsts: Ints, stands: Ints) -> _Led:
        """Who leads, where a round starts with that."""
        sweep, (spots, size, _) = self.sweep, chunk
        if not sweep.offset:
            nothing = np.zeros(0, np.int64)
            return _Led(nothing, nothing, np.zeros(0))
        chances = self.leads[spots]
        rows, columns, weights = [], [], []
        for slot, chance in ((0, chances), (len(sweep.slots) // 2, 1 - chances)):
            some = (chance > 0) & self.seen[slot][spots]
            rows.append(firsts[some])
            columns.append(firsts[stands[slot]][some] + (1 + slot) * size)
            weights.append(chance[some])
        return _Led(np.concatenate(rows), np.concatenate(columns), np.concatenate(weights))

    def _improve(self, grown: _Grown, goes_on: float) -> float:
        """Improve until nobody gains, where each exchange is followed by more with a chance.

        Returns:
            The most that a side could still gain in one exchange.

        Raises:
            LimitError: it does not end.
        """
        meter, forest = meter_in_force(), grown.forest
        for turn in range(MOST_TURNS):
            worth, missed = self._evaluate(grown, goes_on)
            if turn < TOGETHER:
                _, better, slack = forest.improve(worth, BOTH, GAIN)
            else:
                # The first side improves only when the second one has nothing left to improve:
                # that comes to an end for certain.
                _, better, slack = forest.improve(worth, (0, -1), GAIN)
                if not better:
                    _, better, more = forest.improve(worth, (1, 0), GAIN)
                    slack += more
            meter.tick(64)
            if not better:
                return max(missed, slack)
        raise LimitError(
            f"{self.duel.contest.system.id}: picks still improve after {MOST_TURNS} turns; settle "
            "more choices in the plans of both sides",
            limit="turns",
            states=self.sweep.n_places * self.sweep.n_pairs,
        )

    def _evaluate(self, grown: _Grown, goes_on: float) -> tuple[Floats, float]:
        """What a chunk is worth under what is picked; by how much equations are missed at most."""
        sweep, (spots, size, _) = self.sweep, grown.chunk
        sums = grown.forest.ways()
        known = np.zeros(grown.forest.n_states)
        known[grown.rows] = sums.base * goes_on
        known[grown.lent[0]] = grown.lent[1] * goes_on
        equations = Equations(len(known) // grown.width, grown.width, sweep.n_places)
        equations.put(*grown.led)
        equations.put(grown.rows[sums.column], sums.state, sums.chance * goes_on)
        solved, missed = equations.solved(known.reshape(-1, grown.width, 1))
        worth = solved.ravel()
        worth[grown.shared[0]] = worth[grown.shared[1]]
        for number in range(sweep.n_places):
            self.values[number, spots] = worth[grown.firsts + number * size]
        return worth, missed

    def _signs(self, states: States, wishes: Signs) -> Signs:
        actor = self.sweep.slots[states.slot].actor.side
        return wishes[actor], wishes[1 - actor]

    def ends_of(self, states: States) -> Floats:
        """The worth of each end: end by column."""
        there = self.spots.there(states.slot, states.attack, states.spots)
        return self._worth(states.slot, there)

    def _worth(self, slot: int, there: Ints) -> Floats:
        """What spots are worth after a slot."""
        worth: Floats = self.values[self.sweep.then[slot]].take(there)
        return worth

    def gains(self) -> float:
        """The most that a side gains by other picks in one exchange, all else staying as it is."""
        most = 0.0
        for states in (some for slot in self.states for some in slot):
            now = self.values[self.sweep.offset + states.slot][states.spots]
            ends = self.ends_of(states)
            for wishes in ((1, 0), (0, -1)):
                signs = self._signs(states, wishes)
                values, _ = states.tree.backward(ends, states.picks, signs, 0.0)
                most = max(most, float(np.abs(values[-1] - now).max(initial=0.0)))
        return most

    # -- fights without end ----------------------------------------------------------------------

    def may_be_endless(self) -> bool:
        """Whether the fight could go on for ever if both sides wanted it."""
        return any(self._may_be_endless(self._grown(chunk, (0, 0))) for chunk in self.chunks)

    def _may_be_endless(self, grown: _Grown) -> bool:
        """Whether the fight could stay in one of these blocks for ever if both sides wanted it.

        An endless fight must return to some pair of conditions again and again. So it stays in one
        block: pairs that can come back to each other. This finds the largest set of states that
        both sides together can keep in their block for ever:

            all states that go on  -->  drop those whose every pick may leave the block or
            the set  -->  again, until nothing is dropped  -->  endless if any are left
        """
        lasts = np.zeros(grown.forest.n_states, np.bool_)
        lasts[grown.rows] = True
        led = grown.led
        lasts[led.rows] = True
        while lasts.any():
            now = np.zeros_like(lasts)
            now[grown.rows] = grown.forest.lasting(lasts) > 1 - CERTAIN
            now &= lasts
            now[led.rows] = True
            now[led.rows[~lasts[led.columns]]] = False
            if (now == lasts).all():
                return True
            lasts = now
        return False
