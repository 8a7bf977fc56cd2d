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
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from affray.core.errors import LimitError
from affray.core.meter import meter_in_force
from affray.engine.budget import clock_in_force
from affray.engine.fight.duels.ahead import AnyLeads
from affray.engine.fight.duels.blocks import Equations
from affray.engine.fight.duels.chunks import Chunk, Grown, Led, Met, Numbered, States
from affray.engine.fight.duels.forest import Forest, Part
from affray.engine.fight.duels.ground import ground_of
from affray.engine.fight.duels.settling import Settling
from affray.engine.fight.duels.split import Split
from affray.engine.fight.duels.tree import Signs
from affray.engine.fight.duels.trees import TreeDuel
from affray.engine.fight.duels.wants import (
    CALLED_OFF,
    CERTAIN,
    GAIN,
    MOST_TURNS,
    TOGETHER,
    WORTH_OF,
)

__all__ = ["Strategy"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

AT_ONCE = 2_000_000
"""Numbers that one tree holds at once."""
IN_CHUNK = 400_000
"""States that are settled together, if no more of them have to be."""
BOTH: Signs = (1, -1)


class Strategy:
    """Picks of both sides at every state that can come up, improved until nobody gains.

    Args:
        duel: the duel.
        leads: see `Sweep`; several ways to begin are improved side by side.
        everywhere: take the fight to begin with any conditions with which a round may.

    Attributes:
        ground: these states. sweep, spots, seen: as there.
        leads: how likely side one goes first in each spot.
        settled: what was found with shares of exchanges, if all choices come before the dice.
        residual: the most that a side could gain by other picks in one exchange.
    """

    def __init__(
        self,
        duel: TreeDuel,
        leads: Sequence[AnyLeads] | float,
        *,
        everywhere: bool = False,
    ) -> None:
        self.duel = duel
        self.attacks = duel.trees
        self.begins = [leads] if isinstance(leads, float) else list(leads)
        ground = self.ground = ground_of(duel, self.begins, everywhere=everywhere)
        self.sweep, self.spots, self.seen = (
            ground.sweep, ground.spots, ground.seen
        )  # fmt: skip
        self.leads = self.spots.leads
        self.residual = 0.0
        self.settled: Settling | None = None

    @cached_property
    def values(self) -> Floats:
        """What each state is worth: place in a round, spot; until it is solved, if it is over."""
        places = range(self.sweep.n_places)
        states = len(places) * self.spots.n
        meter_in_force().claim(8 * states, f"{states:,} states")
        return np.stack([self._worth_at(place) for place in places])

    def _worth_at(self, place: int) -> Floats:
        """What each spot is worth at a place in a round, as far as it is settled or over."""
        if "values" in vars(self):
            known: Floats = self.values[place]
            return known
        worth: Floats = WORTH_OF.take(self.duel.verdicts.ravel()[self.spots.pair])
        if self.settled is not None:
            found, first = self.settled.worth, self.settled.first.tolist()
            worth[np.any(self.seen, axis=0)] = 0
            if place < self.sweep.offset:
                worth[self.settled.begun] = found[first[-1] :]
            else:
                rows = self.ground.rows_of(place - self.sweep.offset)
                some = np.flatnonzero(rows >= 0)
                worth[some] = found[first[place - self.sweep.offset] + rows[some]]
        return worth

    # -- states ----------------------------------------------------------------------------------

    @property
    def chunks(self) -> list[Chunk]:
        """States that are settled together, those nearest to the end first."""
        return self._listed[0]

    @property
    def states(self) -> list[list[States]]:
        """For each slot all states, by exchange."""
        return self._listed[1]

    @cached_property
    def _listed(self) -> tuple[list[Chunk], list[list[States]]]:
        every: list[list[States]] = [[] for _ in self.sweep.slots]
        chunks = list(self._chunks(every))
        if self.settled is not None:
            for rows, picks, slot in zip(self.ground.rows, self.settled.picks, every, strict=True):
                for states in slot:
                    here = np.searchsorted(rows.spots, states.spots)
                    states.picks[:] = picks[here, : len(states.picks)].T
        return chunks, every

    def _chunks(self, every: list[list[States]]) -> Iterator[Chunk]:
        """The states in chunks; they are put into a list for each slot."""
        n_slots = len(self.sweep.slots)
        meter = meter_in_force()
        anywhere = np.any(self.seen, axis=0)
        for whole in self.spots.levels:
            level = whole.only(anywhere[whole.pairs])
            size = int(level.sizes.max(initial=1))
            many = max(1, IN_CHUNK // (size * n_slots))
            for at in range(0, len(level.starts), many):
                meter.tick(8)
                spots, starts = level.part(at, at + many)
                found = [list(self._shared(number, spots)) for number in range(n_slots)]
                for slot, more in zip(every, found, strict=True):
                    slot.extend(more)
                yield Chunk(spots, starts, list(chain.from_iterable(found)))

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
                yield States((number, name, trees[name]), group[start : start + width])

    def found(self, number: int, pair: int, begin: int = 0) -> tuple[States, int] | None:
        """The states of a slot among which a pair is, and its column; None if it can't come up.

        Args:
            number: the slot.
            pair: both conditions, as one number.
            begin: which way to begin it is.
        """
        spot = int(self.spots.of[pair, begin])
        row = int(self.ground.rows_of(number)[spot]) if spot >= 0 else -1
        if row < 0:
            return None
        rows = self.ground.rows[number]
        here, attack = rows.spots[row], int(rows.attack[row])
        if self.settled is None or "_listed" in vars(self):
            for states in self.states[number]:
                if states.attack == attack and here in states.spots:
                    return states, int(np.flatnonzero(states.spots == here)[0])
        assert self.settled is not None  # all rows are among the states
        tree = self.attacks[self.sweep.slots[number].attacks].trees[attack]
        alone = States((number, attack, tree), rows.spots[row : row + 1])
        alone.picks[:, 0] = self.settled.picks[number][row, : len(alone.picks)]
        return alone, 0

    # -- improving -------------------------------------------------------------------------------

    def solve(self) -> None:
        """Improve until nobody gains, the states nearest to the end first.

        Raises:
            LimitError: it does not end.
        """
        settling = self.by_shares()
        if settling is not None and _is_settled(settling):
            settling.forget()
            self.residual = settling.residual
            self.settled = settling
            return
        clock, done, every = clock_in_force(), 0, sum(len(chunk.spots) for chunk in self.chunks)
        _ = self.values  # so that they are there to be changed
        self.residual = 0.0
        for chunk in self.chunks:
            clock.tell("pairs of conditions solved", done, every)
            clock.poll()
            done += len(chunk.spots)
            grown = self._grown(chunk, BOTH)
            for chance in CALLED_OFF if self._may_be_endless(grown) else ():
                self._improve(grown, 1 - chance)
            slack = self._improve(grown, 1.0)
            self.residual = max(self.residual, slack + grown.slack)
            grown.store()

    def by_shares(self) -> Settling | None:
        """All states with shares of exchanges; None: these are too many, or not known.

        They are known where every choice comes before the dice.
        """
        if len(self.begins) > 1 or self.duel.shares is None:
            return None
        settling = Settling(self.ground, self.duel.verdicts, self.duel.shares)
        return settling if settling.is_small else None

    @cached_property
    def _spot(self) -> NDArray[np.int32]:
        """Where each spot stands in the chunk that is settled."""
        return np.zeros(self.spots.n, np.int32)

    def _grown(self, chunk: Chunk, wishes: Signs) -> Grown:
        """The trees of a chunk, all that is settled being picked."""
        sweep, spots = self.sweep, chunk.spots
        self._spot[spots] = np.arange(len(spots))
        numbered = self._numbered(chunk)
        parts, rows, joined, slack = [], [np.zeros(0, np.int64)], [], 0.0
        for together in self._sharing(chunk.states):
            every: dict[Split, list[Met]] = {}
            for states in together:
                met = self._met(states, numbered)
                every.setdefault(met.split, []).append(met)
            for split, some in every.items():
                sharing = [met.states for met in some]
                picks = np.concatenate([states.picks for states in sharing], 1)
                joined.append((sharing, picks))
                signs = self._signs(sharing[0], wishes)
                worth = np.concatenate([met.worth for met in some], 1)
                settled = split.settle(worth, picks, signs, GAIN)
                slack = max(slack, settled.slack)
                ends = np.concatenate([met.ends for met in some], 1)
                known = worth[split.ends][ends < 0]
                actor = sweep.slots[sharing[0].slot].actor.side
                parts.append(Part(split, settled, picks, actor, ends, known))
                rows += [met.rows for met in some]
        forest = Forest(parts, numbered.n + (len(spots) if sweep.offset else 0))
        led = list(self._led(chunk, numbered))
        return Grown(chunk, numbered, forest, np.concatenate(rows), led, joined, slack)

    def _sharing(self, every: list[States]) -> Iterator[list[States]]:
        """States of all slots that share an exchange, not too many of them at once."""
        alike: dict[tuple[int, int], list[States]] = {}
        for states in every:
            key = self.sweep.slots[states.slot].attacks, states.attack
            alike.setdefault(key, []).append(states)
        for sharing in alike.values():
            most = AT_ONCE // sharing[0].tree.n_places
            together: list[States] = []
            for states in sharing:
                if together and sum(len(some.spots) for some in (*together, states)) > most:
                    yield together
                    together = []
                together.append(states)
            yield together

    def _met(self, states: States, numbered: Numbered) -> Met:
        """What states come to."""
        sweep = self.sweep
        there = self.spots.there(states.slot, states.attack, states.spots)
        inside: Bools = np.asarray(self.spots.inside(states.spots, there.T).T)
        split = self._split(states, np.asarray(inside.any(1)))
        worth = self._worth(states.slot, there)
        there, inside = there[split.ends], inside[split.ends]
        then = sweep.then[states.slot]
        at = np.where(inside, self._spot[there], 0)
        on = numbered.n + at if then < sweep.offset else numbered.of[then - sweep.offset, at]
        rows = numbered.of[states.slot, self._spot[states.spots]]
        ends = np.where(inside, on, -1).astype(np.int32)  # there are many
        return Met(states, split, worth, ends, rows)

    def _split(self, states: States, is_open: Bools) -> Split:
        key = self.sweep.slots[states.slot].attacks, states.attack, is_open.tobytes()
        split = self.duel.splits.get(key)
        if split is None:
            split = self.duel.splits[key] = Split(states.tree, is_open)
        return split

    def _numbered(self, chunk: Chunk) -> Numbered:
        """The states of a chunk."""
        sweep, (spots, starts, _) = self.sweep, chunk
        n_slots, n_blocks = len(sweep.slots), len(starts)
        block = np.repeat(np.arange(n_blocks), np.diff(starts, append=len(spots)))
        of = np.full((n_slots, len(spots)), -1)
        counts, lent, worth = [], [], []
        for number in range(n_slots):
            alike = self.spots.alike(number, spots)
            seen = self.seen[number][spots]
            inside = np.asarray(self.spots.inside(spots, alike[:, None])[:, 0])
            shares = seen & inside & (alike != spots)
            own = seen & ~shares
            ranks = np.cumsum(own)
            ranks -= (ranks[starts] - own[starts])[block]
            counts.append(int(ranks.max(initial=1)))
            of[number, seen] = ranks[seen] - 1
            of[number, shares] = of[number, self._spot[alike[shares]]]
            far = np.nonzero(seen & ~inside)[0]
            lent.append(far)
            worth.append(self.values[sweep.offset + number][alike[far]])
        firsts = [0, n_slots // 2] if sweep.offset else [0]
        later = [number for number in range(n_slots) if number not in firsts]
        sizes = sum(counts[k] for k in firsts), *(counts[k] for k in later)
        blocks = block * sum(sizes)
        start = 0
        for number in firsts + later:
            seen = of[number] >= 0
            of[number, seen] += blocks[seen] + start
            start += counts[number]
        states = [row[far] for row, far in zip(of, lent, strict=True)]
        every = np.concatenate(states), np.concatenate(worth)
        return Numbered(of, sizes, n_blocks * sum(sizes), every)

    def _led(self, chunk: Chunk, numbered: Numbered) -> Iterator[Led]:
        """Who leads, where a round starts with that."""
        if self.sweep.offset:
            leads = self.leads[chunk.spots]
            for slot, chance in ((0, leads), (len(self.sweep.slots) // 2, 1 - leads)):
                exchange = numbered.of[slot]
                yield Led(exchange, chance * (exchange >= 0))

    def _improve(self, grown: Grown, goes_on: float) -> float:
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

    def _evaluate(self, grown: Grown, goes_on: float) -> tuple[Floats, float]:
        """What a chunk is worth under what is picked; by how much equations are missed at most."""
        spots, numbered, offset = grown.chunk.spots, grown.numbered, self.sweep.offset
        sums = grown.forest.ways()
        known = np.zeros(numbered.n)
        known[grown.rows] = sums.base * goes_on
        known[numbered.lent[0]] = numbered.lent[1] * goes_on
        width = sum(numbered.sizes)
        equations = Equations(numbered.n // width, width, numbered.sizes)
        rows, columns, chances = grown.rows[sums.column], sums.state, sums.chance * goes_on
        if offset:
            start = columns >= numbered.n
            begun, spot, likely = rows[start], columns[start] - numbered.n, chances[start]
            for led in grown.led:
                some = led.chance[spot] > 0
                at = spot[some]
                equations.put(begun[some], led.exchange[at], likely[some] * led.chance[at])
            rows, columns, chances = rows[~start], columns[~start], chances[~start]
        equations.put(rows, columns, chances)
        solved, missed = equations.solved(known.reshape(-1, width, 1))
        worth = solved.ravel()
        for number, state in enumerate(numbered.of, start=offset):
            self.values[number, spots] = np.where(state >= 0, worth[state], 0)
        if offset:
            starts = sum(led.chance * worth[led.exchange] for led in grown.led)
            self.values[0, spots] = starts
            worth = np.concatenate([worth, starts])
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
        worth: Floats = self._worth_at(self.sweep.then[slot]).take(there)
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

    def _may_be_endless(self, grown: Grown) -> bool:
        """Whether the fight could stay in one of these blocks for ever if both sides wanted it.

        An endless fight must return to some pair of conditions again and again. So it stays in one
        block: pairs that can come back to each other. This finds the largest set of states that
        both sides together can keep in their block for ever:

            all states that go on  -->  drop those whose every pick may leave the block or
            the set  -->  again, until nothing is dropped  -->  endless if any are left

        Most exchanges leave their block with some chance whatever is picked: their states are
        dropped beforehand, and those that lead to no others.
        """
        n, rows, led = grown.numbered.n, grown.rows, grown.led
        lasts = np.zeros(grown.forest.n_states, np.bool_)
        widths = [part.ends.shape[1] for part in grown.forest.parts]
        parts = list(zip(grown.forest.parts, np.split(rows, np.cumsum(widths))[:-1], strict=True))
        for part, here in parts:
            lasts[here] = part.split.stays > 1 - CERTAIN
        for one in led:
            lasts[n:] |= one.chance > 0
        for one in led:
            lasts[n:] &= (one.chance == 0) | lasts[one.exchange]
        for part, here in parts:
            if lasts[here].any():
                lasts[here] &= (lasts[part.ends] & (part.ends >= 0)).any(0)
        while lasts[rows].any():
            now = np.zeros_like(lasts)
            now[rows] = grown.forest.lasting(lasts) > 1 - CERTAIN
            now &= lasts
            now[n:] = lasts[n:]
            for one in led:
                now[n:] &= (one.chance == 0) | now[one.exchange]
            if (now == lasts).all():
                return True
            lasts = now
        return False


def _is_settled(settling: Settling) -> bool:
    """Settle all states; False if picks never come to rest, by rounding, and trees have to do."""
    try:
        settling.solve()
    except LimitError as error:
        if error.limit != "turns":
            raise
        return False
    return True
