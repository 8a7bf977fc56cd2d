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
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from affray.core.errors import LimitError
from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.engine.budget import clock_in_force
from affray.engine.fight.duels.blocks import Ways as Equations
from affray.engine.fight.duels.reached import Ways, reached
from affray.engine.fight.duels.split import Settled, Split
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

    There is a column for each pair of conditions and each way to begin; those of a pair lie
    together.

    Attributes:
        slot: the number of the slot. attack: its number. tree: the same with all its choices.
        pairs: the conditions of both sides, as one number.
        rows: where these pairs stand in the slot.
        picks: what is picked: choice by column.
    """

    __slots__ = ("attack", "pairs", "picks", "rows", "slot", "tree")

    def __init__(self, attack: tuple[int, int, Tree], pairs: Ints, at: int, n: int) -> None:
        self.slot, self.attack, self.tree = attack
        self.pairs = pairs
        self.rows = slice(at, at + len(pairs))
        kind = np.int8 if self.tree.most_options < 128 else np.int16  # a byte
        self.picks: Numbers = np.zeros((self.tree.n_picks, len(pairs) * n), kind)


class _Chunk(NamedTuple):
    """Pairs that are settled together: whole blocks of one size, everything else being settled.

    Attributes:
        pairs: all of them. size: of a block.
        states: those whose exchange is worked out here.
    """

    pairs: Ints
    size: int
    states: list[States]


class _Local(NamedTuple):
    """States while their chunk is settled.

    Attributes:
        states: which ones. split: their tree, ends that may stay in the block being open.
        there: the pair that each open end comes to: end by pair; inside: whether it stays.
        at: places in the chunk of the pairs that have these exchanges; which: which one each has.
    """

    states: States
    split: Split
    there: Ints
    inside: Bools
    at: Ints
    which: Ints


class Strategy:
    """Picks of both sides at every state that can come up, improved until nobody gains.

    Args:
        duel: the duel.
        leads: see `Sweep`; several ways to begin are improved side by side.
        everywhere: take the fight to begin with any conditions with which a round may.

    Attributes:
        sweep: the duel, without what is picked.
        n: how many ways to begin there are.
        values: what each state is worth: place in a round, pair of conditions, way to begin.
        states: for each slot all states, by exchange.
        rows: for each slot where a pair stands among its states; -1: it can't come up there.
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
        self.n = len(self.begins)
        self.sweep = sweep = Sweep(
            duel.duelists, duel.attacks, self.begins[0], [], places=duel.closure.places
        )  # fmt: skip
        self.residual = 0.0
        states = sweep.n_places * sweep.n_pairs * self.n
        meter_in_force().claim(8 * states, f"{states:,} states")
        pairs = sweep.n_pairs
        self.leads = np.stack(
            [np.broadcast_to(np.asarray(one, float).ravel(), (pairs,)) for one in self.begins], -1
        )
        self.ways = Ways(sweep, self.attacks)
        starts = np.array([duel.start_pair])
        if everywhere:
            starts = np.nonzero(sweep.at_rounds().ravel())[0]
        self.seen = reached(self.ways, starts, self.leads)
        worth = ((duel.questions[..., 0] - duel.questions[..., 1]) / 2).ravel()
        self.values: Floats = np.empty((sweep.n_places, pairs, self.n))
        self.values[:] = worth[:, None]
        self.states: list[list[States]] = [[] for _ in sweep.slots]
        self.rows = [np.full(sweep.n_pairs, -1, np.int32) for _ in sweep.slots]
        self.n_rows = [0] * len(sweep.slots)
        self._splits: dict[tuple[int, int, bytes], Split] = {}
        self.chunks = list(self._chunks())
        for number, rows in enumerate(self.rows):
            seen = np.nonzero(self.seen[number])[0]
            rows[seen] = rows[self.ways.alike(number, seen)]

    # -- states ----------------------------------------------------------------------------------

    def _chunks(self) -> Iterator[_Chunk]:
        n_slots = len(self.sweep.slots)
        meter = meter_in_force()
        anywhere = np.any(self.seen, axis=0)
        for level in self.sweep.levels():
            blocks = level.pairs.reshape(-1, level.size)
            blocks = blocks[anywhere[blocks].any(1)]
            many = max(1, IN_CHUNK // (level.size * n_slots * self.n))
            for at in range(0, len(blocks), many):
                meter.tick(8)
                pairs = blocks[at : at + many].ravel()
                states = [some for number in range(n_slots) for some in self._shared(number, pairs)]
                yield _Chunk(pairs, level.size, states)

    def _shared(self, number: int, pairs: Ints) -> Iterator[States]:
        """The states of a slot with these pairs, by exchange."""
        pairs = pairs[self.seen[number][pairs]]
        pairs = pairs[self.ways.alike(number, pairs) == pairs]
        if not len(pairs):
            return
        attacks = self.ways.rows[number][pairs]
        order = np.argsort(attacks, kind="stable")
        pairs = pairs[order]
        names, starts = np.unique(attacks[order], return_index=True)
        trees = self.attacks[self.sweep.slots[number].attacks].trees
        for name, group in zip(names.tolist(), np.split(pairs, starts[1:]), strict=True):
            width = max(1, AT_ONCE // (trees[name].n_places * self.n))
            for start in range(0, len(group), width):
                part = group[start : start + width]
                states = States((number, name, trees[name]), part, self.n_rows[number], self.n)
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
        row = int(self.rows[number][pair])
        for states in self.states[number]:
            if states.rows.start <= row < states.rows.stop:
                return states, (row - states.rows.start) * self.n + begin
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
            clock.tell("pairs of conditions solved", done, self.sweep.n_pairs)
            clock.poll()
            done += len(chunk.pairs)
            local = self._local(chunk)
            settled = [self._settled(one, BOTH) for one in local]
            for chance in CALLED_OFF if self._may_be_endless(chunk, local) else ():
                self._improve(chunk, local, settled, 1 - chance)
            slack = self._improve(chunk, local, settled, 1.0)
            self.residual = max(self.residual, slack)

    def evaluate(self, goes_on: float = 1.0) -> None:
        """The worth of every state under the current picks.

        Args:
            goes_on: how likely it is that more follows after an exchange.
        """
        for chunk in self.chunks:
            local = self._local(chunk)
            settled = [self._settled(one, (0, 0)) for one in local]
            self._evaluate(chunk, local, settled, goes_on)

    def _local(self, chunk: _Chunk) -> list[_Local]:
        sweep, ways = self.sweep, self.ways
        found: list[_Local] = []
        if not chunk.states:
            return found
        columns = [np.full(0, 0)] * len(sweep.slots)
        for number in range(len(sweep.slots)):
            alike = ways.alike(number, chunk.pairs)
            seen = self.seen[number][chunk.pairs] & sweep.inside(chunk.pairs, alike[:, None])[:, 0]
            columns[number] = np.where(seen, self.rows[number][alike], -1)
        for states in chunk.states:
            there = ways.there(states.slot, states.attack, states.pairs)
            inside = sweep.inside(states.pairs, there.T).T
            is_open: Bools = np.asarray(inside.any(1))
            rows = columns[states.slot]
            at = np.nonzero((rows >= states.rows.start) & (rows < states.rows.stop))[0]
            key = sweep.slots[states.slot].attacks, states.attack, is_open.tobytes()
            split = self._splits.get(key)
            if split is None:
                split = self._splits[key] = Split(states.tree, is_open)
            which = rows[at] - states.rows.start
            found.append(_Local(states, split, there[is_open], inside[is_open], at, which))
        return found

    def _settled(self, local: _Local, wishes: Signs) -> Settled:
        states = local.states
        signs = self._signs(states, wishes)
        return local.split.settle(self.ends_of(states), states.picks, signs, GAIN)

    def _improve(
        self, chunk: _Chunk, local: list[_Local], settled: list[Settled], goes_on: float
    ) -> float:
        """Improve until nobody gains, where each exchange is followed by more with a chance.

        Returns:
            The most that a side could still gain in one exchange.

        Raises:
            LimitError: it does not end.
        """
        meter = meter_in_force()
        for turn in range(MOST_TURNS):
            missed = self._evaluate(chunk, local, settled, goes_on)
            if turn < TOGETHER:
                better, slack = self._pick_better(local, settled, BOTH)
            else:
                # The first side improves only when the second one has nothing left to improve:
                # that comes to an end for certain.
                better, slack = self._pick_better(local, settled, (0, -1))
                if not better:
                    better, more = self._pick_better(local, settled, (1, 0))
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

    def _pick_better(
        self, local: list[_Local], settled: list[Settled], wishes: Signs
    ) -> tuple[bool, float]:
        """Better picks wherever there are any: whether there were, and what else could be gained.

        Args:
            local: the states.
            settled: what is settled of their trees.
            wishes: what the first and the second side make of values: 1 large, -1 small; 0 if
                they keep what is picked.
        """
        changed, most = False, 0.0
        for one, known in zip(local, settled, strict=True):
            states = one.states
            if not states.tree.n_picks:
                continue
            ends = self._worth(states.slot, one.there)
            how = self._signs(states, wishes), GAIN
            _, picks, slack = one.split.improve(known, ends, states.picks, how)
            changed = changed or picks is not states.picks
            states.picks = picks
            most = max(most, slack + known.slack)
        return changed, most

    def _evaluate(
        self, chunk: _Chunk, local: list[_Local], settled: list[Settled], goes_on: float
    ) -> float:
        """What a chunk is worth under what is picked; by how much equations are missed at most."""
        sweep, (pairs, size, _) = self.sweep, chunk
        n, n_blocks, width = self.n, len(pairs) // size, size * sweep.n_places
        known = np.zeros((n_blocks * n, width, 1))
        # A block for each way to begin; those of the same pairs lie together.
        block, here = np.divmod(np.arange(len(pairs)), size)
        block = block[:, None] * n + np.arange(n)
        equations = Equations(n_blocks * n, width, sweep.n_places)
        if sweep.offset:
            leads, spots = self.leads[pairs].ravel(), np.repeat(here, n)
            behind = size * (1 + len(sweep.slots) // 2)
            equations.add(block.ravel(), spots, spots + size, leads)
            equations.add(block.ravel(), spots, spots + behind, 1 - leads)
        self._borrow(chunk, known, goes_on)
        for one, what in zip(local, settled, strict=True):
            slot, then = one.states.slot, sweep.then[one.states.slot]
            base, chances = one.split.affine(what, one.states.picks)
            inside = np.repeat(one.inside, n, axis=1)
            outside = np.where(inside, 0.0, self._worth(slot, one.there))
            base = ((base + (chances * outside).sum(0)) * goes_on).reshape(-1, n)
            rows = (sweep.offset + slot) * size + here[one.at]
            known[block[one.at], rows[:, None], 0] = base[one.which]
            stays = (chances * inside * goes_on).reshape(len(chances), len(one.states.pairs), n)[
                :, one.which
            ]
            end, user, begin = np.nonzero(stays)
            to = one.there[end, one.which[user]]
            place = to * 0 if sweep.singles else sweep.place.take(to)
            equations.add(
                block[one.at[user], begin], rows[user], then * size + place, stays[end, user, begin]
            )
        solved, missed = equations.solved(known)
        for number in range(sweep.n_places):
            self.values[number, pairs] = solved[block, (number * size + here)[:, None], 0]
        return missed

    def _borrow(self, chunk: _Chunk, known: Floats, goes_on: float) -> None:
        """Put in what is known of pairs that share the exchanges of others, which are settled."""
        sweep, (pairs, size, _) = self.sweep, chunk
        block, here = np.divmod(np.arange(len(pairs)), size)
        for number in range(len(sweep.slots)):
            alike = self.ways.alike(number, pairs)
            if (alike == pairs).all():
                continue
            far = self.seen[number][pairs] & ~sweep.inside(pairs, alike[:, None])[:, 0]
            rows = (sweep.offset + number) * size + here[far]
            value = self.values[sweep.offset + number][alike[far]]
            begins = block[far][:, None] * self.n + np.arange(self.n)
            known[begins, rows[:, None], 0] = value * goes_on

    def _signs(self, states: States, wishes: Signs) -> Signs:
        actor = self.sweep.slots[states.slot].actor.side
        return wishes[actor], wishes[1 - actor]

    def ends_of(self, states: States) -> Floats:
        """The worth of each end: end by column."""
        return self._worth(states.slot, self.ways.there(states.slot, states.attack, states.pairs))

    def _worth(self, slot: int, there: Ints) -> Floats:
        """What pairs are worth after a slot: end by column."""
        values = self.values[self.sweep.then[slot]]
        worth: Floats = values.take(there.ravel(), axis=0).reshape(
            len(there), there.shape[1] * self.n
        )
        return worth

    def gains(self) -> float:
        """The most that a side gains by other picks in one exchange, all else staying as it is."""
        most = 0.0
        for states in (some for slot in self.states for some in slot):
            now = self.values[self.sweep.offset + states.slot][states.pairs].ravel()
            ends = self.ends_of(states)
            for wishes in ((1, 0), (0, -1)):
                signs = self._signs(states, wishes)
                values, _ = states.tree.backward(ends, states.picks, signs, 0.0)
                most = max(most, float(np.abs(values[-1] - now).max(initial=0.0)))
        return most

    # -- fights without end ----------------------------------------------------------------------

    def may_be_endless(self) -> bool:
        """Whether the fight could go on for ever if both sides wanted it."""
        return any(self._may_be_endless(chunk, self._local(chunk)) for chunk in self.chunks)

    def _may_be_endless(self, chunk: _Chunk, local: list[_Local]) -> bool:
        """Whether the fight could stay in one of these blocks for ever if both sides wanted it.

        An endless fight must return to some pair of conditions again and again. So it stays in one
        block: pairs that can come back to each other. This finds the largest set of states that
        both sides together can keep in their block for ever:

            all states that go on  -->  drop those whose every pick may leave the block or
            the set  -->  again, until nothing is dropped  -->  endless if any are left
        """
        sweep, pairs, lasts = self.sweep, chunk.pairs, self._lasting
        lasts[:, pairs] = False
        for one in local:
            lasts[sweep.offset + one.states.slot, pairs[one.at]] = True
        if sweep.offset:
            lasts[0, pairs] = True
        while True:
            before = lasts[:, pairs]
            for one in local:
                self._drop(one, pairs)
            if sweep.offset:
                leads = self.leads[pairs]
                one_on = lasts[1, pairs][:, None] | (leads == 0)
                other_on = lasts[1 + len(sweep.slots) // 2, pairs][:, None] | (leads == 1)
                lasts[0, pairs] &= (one_on & other_on).any(-1)
            now = lasts[:, pairs]
            if not now.any() or (now == before).all():
                lasts[:, pairs] = False
                return bool(now.any())

    def _drop(self, one: _Local, pairs: Ints) -> None:
        """Drop states whose every pick may leave those that last."""
        slot = self.sweep.offset + one.states.slot
        here = self._lasting[slot, pairs[one.at]]
        if not here.any():
            return
        then = self._lasting[self.sweep.then[one.states.slot]][one.there] & one.inside
        if not then.any():
            self._lasting[slot, pairs[one.at]] = False
            return
        picks = one.states.picks[:, :: self.n]
        how = (1, 1), 0.0
        worth, _, _ = one.split.improve(_nothing_of(one), then.astype(float), picks, how)
        self._lasting[slot, pairs[one.at]] = here & (worth[one.which] > 1 - CERTAIN)

    @cached_property
    def _lasting(self) -> Bools:
        return np.zeros(self.values.shape[:2], np.bool_)


def _nothing_of(local: _Local) -> Settled:
    """A settled part that is worth nothing."""
    split, n = local.split, len(local.states.pairs)
    return Settled(np.zeros((split.n_shares, n)), np.zeros((len(split.options), n)), 0.0)
