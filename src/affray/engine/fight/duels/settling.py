"""Best play where every choice comes before the dice, level by level.

A level is all states that are equally far from the end: nothing leads any further from it. What
shares of exchanges are worth (`slot_sums`) is kept for the whole fight, and added to as soon as a
level is settled. So what a roll is worth is a short sum, and only the ways between states of one
level are equations.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from affray.core.errors import LimitError
from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.engine.budget import clock_in_force
from affray.engine.fight.duels.blocks import Equations
from affray.engine.fight.duels.by_slots import Step, gone_round, rows_of
from affray.engine.fight.duels.ground import Ground
from affray.engine.fight.duels.outcomes import Axis, axis_of
from affray.engine.fight.duels.shares import Choices, Shares
from affray.engine.fight.duels.slot_sums import Before, Near, Next, SlotSums, Ways
from affray.engine.fight.duels.tree import Numbers, Signs
from affray.engine.fight.duels.wants import CALLED_OFF, CERTAIN, GAIN, MOST_TURNS, TOGETHER

__all__ = ["Settling"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Small = NDArray[np.int32]
Bools = NDArray[np.bool_]

POSSIBLE = 1e-12
"""A probability is more than nothing if it is larger."""
MOST_NUMBERS = 40_000_000
"""Numbers that what shares are worth may take."""


class _Starts(NamedTuple):
    """States with which a round begins, where it is open then who goes first.

    Attributes:
        spots: their spots. number: the state of two conditions of `axes`; -1: there is none.
        level: how far each is from the end.
        first: the states of the first exchange of either order, and how likely that is; -1 if
            it can't be.
    """

    spots: Ints
    axes: tuple[Axis, Axis]
    number: Small
    level: Small
    first: tuple[tuple[Ints, Floats], ...]


class Settling:
    """The states of a duel that has one way to begin, and what is picked in them.

    Args:
        ground: its states.
        verdicts: that of each pair of conditions.
        shares: the exchanges of both sides.

    Attributes:
        worth: of each state: slot by slot, then of the starts of rounds.
        first: the first state of each slot, and of these starts.
        begun: the spots of these starts.
        picks: for each slot what is picked: state by choice.
        rolls: for each slot the roll that each state comes to by that, as in `shares`.
        shares: for each slot its exchanges.
        residual: as in `Strategy`.
    """

    def __init__(
        self,
        ground: Ground,
        verdicts: NDArray[np.int8],
        shares: Sequence[Shares],
    ) -> None:
        spots, rows, seen = ground.spots, ground.rows, ground.seen
        self.spots, self.sweep, self._verdicts = spots, ground.sweep, verdicts
        self.system = self.sweep.attacks[0].contest.system.id
        self.residual = 0.0
        sweep = self.sweep
        self.first = np.cumsum([0, *(len(slot.spots) for slot in rows)])
        before: list[Before] = []
        numbers: list[Small] = []
        levels: list[Small] = []
        for some, start in zip(rows, self.first.tolist(), strict=False):
            axes, one, other, level = self._placed(some.spots)
            before.append(Before(axes, one, other, some.attack))
            levels.append(level)
            numbers.append(_table(axes, one, other, start))
        self.starts = self._begun(seen, before, numbers) if sweep.offset else None
        self.begun: Ints = np.zeros(0, np.int64)
        if self.starts is not None:
            self.begun = self.starts.spots
            levels.append(self.starts.level)
        self._level = np.concatenate(levels)
        self.worth = np.zeros(len(self._level))
        self.sums = []
        for number, (here, slot) in enumerate(zip(before, sweep.slots, strict=True)):
            after = sweep.then[number] - sweep.offset
            if after < 0 and self.starts is not None:
                themselves = np.arange(sweep.n[0]), np.arange(sweep.n[1])
                then = Next(self.starts.axes, self.starts.number, themselves)
            else:
                then = Next(before[after].axes, numbers[after], spots.ways.onto[after])
            self.sums.append(SlotSums(sweep, number, shares[slot.attacks], here, then))
        self.shares = [sums.shares for sums in self.sums]
        self.picks: list[Numbers] = [
            np.zeros((len(here.one), some.most_picks), np.int8 if some.few_options else np.int16)
            for here, some in zip(before, self.shares, strict=True)
        ]
        self.rolls: list[Small] = [np.zeros(len(here.one), np.int32) for here in before]

    @property
    def is_small(self) -> bool:
        """Whether what shares are worth finds room."""
        return sum(sums.size for sums in self.sums) <= MOST_NUMBERS

    def _placed(self, spots: Ints) -> tuple[tuple[Axis, Axis], Small, Small, Small]:
        """The axes of some spots, where they stand on them, and how far from the end they are."""
        one, other = np.divmod(self.spots.pair[spots], self.sweep.n[1])
        axes = axis_of(self.sweep, 0, one), axis_of(self.sweep, 1, other)
        mine, theirs = axes[0].number[one], axes[1].number[other]
        level = axes[0].depth[mine] + axes[1].depth[theirs]
        return axes, mine, theirs, level.astype(np.int32)

    def _begun(
        self, seen: Sequence[Bools], before: Sequence[Before], numbers: Sequence[Small]
    ) -> _Starts:
        """The states with which a round begins."""
        half = len(before) // 2
        spots = np.flatnonzero(seen[0] | seen[half])
        leads = self.spots.leads[spots]
        one, other = np.divmod(self.spots.pair[spots], self.sweep.n[1])
        first = []
        begins = np.ones(len(spots), np.bool_)  # others come up for those that they stand for
        for number, chance in ((0, leads), (half, 1 - leads)):
            axes, (mine, theirs) = before[number].axes, self.spots.ways.onto[number]
            at = axes[0].number[mine[one]], axes[1].number[theirs[other]]
            there = np.full(len(one), -1)
            some = np.flatnonzero((at[0] >= 0) & (at[1] >= 0))  # none, if this order never comes
            there[some] = numbers[number][at[0][some], at[1][some]]
            begins &= (there >= 0) | (chance <= 0)
            first.append((np.where(chance > 0, there, -1), chance))
        axes, one, other, level = self._placed(spots[begins])
        table = _table(axes, one, other, int(self.first[-1]))
        kept = tuple((there[begins], chance[begins]) for there, chance in first)
        return _Starts(spots[begins], axes, table, level, kept)

    # -- settling --------------------------------------------------------------------------------

    def solve(self) -> None:
        """Settle all states, those nearest to the end first.

        Raises:
            LimitError: it does not end.
        """
        clock = clock_in_force()
        for sums in self.sums:
            sums.start(self.sweep, self._verdicts)
        self.place = np.full(len(self.worth), -1)
        order = np.argsort(self._level, kind="stable")
        levels = np.unique(self._level)
        cuts = np.searchsorted(self._level[order], np.append(levels, [levels.max(initial=0) + 1]))
        for deep, (start, stop) in zip(levels.tolist(), pairwise(cuts.tolist()), strict=True):
            clock.tell("states solved", start, len(order))
            clock.poll()
            slack = _Level(self, deep, np.sort(order[start:stop])).solve()
            self.residual = max(self.residual, slack)

    def forget(self) -> None:
        """Keep nothing but what was found: the rest takes much memory."""
        self.sums.clear()


class _Level:
    """All states that are equally far from the end, while they are settled.

    Args:
        whole: all states. deep: how far from the end. states: their numbers, in order.
    """

    def __init__(self, whole: Settling, deep: int, states: Ints) -> None:
        self.whole, self.states = whole, states
        self.place = whole.place
        self.place[states] = np.arange(len(states))
        cuts = np.searchsorted(states, whole.first)
        nears = [sums.at(deep) for sums in whole.sums]
        self.near = [near for every in nears for near in every]
        self.groups = [
            _Group(whole, number, states[low:high], int(first), near)
            for number, (first, low, high, near) in enumerate(
                zip(whole.first[:-1], cuts[:-1], cuts[1:], nears, strict=True)
            )
            if high > low
        ]
        self.begun = states[cuts[-1] :] - whole.first[-1]
        # Where the states of each group stand among those of the level, and these last.
        ends = np.cumsum([len(group.states) for group in self.groups]).tolist()
        self.spans = [slice(*both) for both in pairwise([0, *ends, len(states)])]

    def solve(self) -> float:
        """Improve until nobody gains; by how much somebody could, or an equation is missed."""
        for group in self.groups:
            group.settle()
        self.endless = self._may_be_endless()
        for group in self.groups:
            group.choose()
        for chance in CALLED_OFF if self.endless else ():
            self._improve(1 - chance)
        slack = self._improve(1.0)
        for group in self.groups:
            group.store()
        for near in self.near:
            near.settle(self.whole.worth)
        self.place[self.states] = -1
        return slack

    def _put(self, worth: Floats) -> None:
        for near in self.near:
            near.put(worth)

    def _may_be_endless(self) -> bool:
        """Whether both sides together can stay in this level for ever; see `Strategy`.

        Exchanges are gone through from the last of a round to the first, so that what leads only
        to states that were dropped is dropped soon.
        """
        whole, first = self.whole, True
        lasts = np.zeros(len(whole.worth))
        lasts[self.states] = 1
        while True:
            left = int(np.count_nonzero(lasts))
            for group in reversed(self.groups):
                for near in group.near:
                    near.put(lasts)
                lasts[group.states] *= group.lasting(look=first)
            first = False
            if whole.starts is not None:
                begun = np.ones(len(self.begun))
                for there, chance in whole.starts.first:
                    begun *= (chance[self.begun] <= 0) | (lasts[there[self.begun]] > 0)
                lasts[whole.first[-1] + self.begun] *= begun
            if not any(lasts[group.states].any() for group in self.groups):
                return False
            if int(np.count_nonzero(lasts)) == left:
                return True

    def _improve(self, goes_on: float) -> float:
        """As `Strategy._improve`."""
        whole = self.whole
        for turn in range(MOST_TURNS):
            missed = self._evaluate(goes_on)
            if turn < TOGETHER:
                better, slack = self._picked((1, -1))
            else:
                better, slack = self._picked((0, -1))
                if not better:
                    better, more = self._picked((1, 0))
                    slack = max(slack, more)
            meter_in_force().tick(64)
            if not better:
                return max(missed, slack)
        raise LimitError(
            f"{whole.system}: picks still improve after {MOST_TURNS} "
            "turns; settle more choices in the plans of both sides",
            limit="turns",
            states=len(whole.worth),
        )

    def _picked(self, wishes: Signs) -> tuple[bool, float]:
        """Pick better; whether any pick was changed, and what else could be gained at most."""
        found = [group.improve(wishes) for group in self.groups]
        return any(better for better, _ in found), max((slack for _, slack in found), default=0.0)

    def _evaluate(self, goes_on: float) -> float:
        """What states are worth under what is picked; by how much equations are missed."""
        whole, n = self.whole, len(self.states)
        steps = []
        for here, group in zip(self.spans, self.groups, strict=False):
            base, (row, state, chance) = group.picked()
            ways = rows_of(row, self.place[state], chance * goes_on, (len(base), n))
            steps.append(Step(here, base * goes_on, ways))
        if len(self.begun):
            steps.append(self._first_step)
        worth = whole.worth[self.states]
        # Where nothing leaves, going round would keep what states were worth before.
        missed = None if self.endless else gone_round(steps, worth)
        if missed is None:
            worth, missed = _solved(steps, n)
        whole.worth[self.states] = worth
        self._put(whole.worth)
        return missed

    @cached_property
    def _first_step(self) -> Step:
        """From states with which a round begins to those before the first exchange."""
        whole, n, known = self.whole, len(self.states), np.zeros(len(self.begun))
        assert whole.starts is not None
        ways = []
        for every, chances in whole.starts.first:
            there, chance = every[self.begun], chances[self.begun]
            inside = (there >= 0) & (self.place[there] >= 0)
            settled = (there >= 0) & ~inside
            known[settled] += chance[settled] * whole.worth[there[settled]]
            ways.append((np.flatnonzero(inside), self.place[there[inside]], chance[inside]))
        row, column, chance = map(np.concatenate, zip(*ways, strict=True))
        return Step(self.spans[-1], known, rows_of(row, column, chance, (len(known), n)))


def _solved(steps: Sequence[Step], n: int) -> tuple[Floats, float]:
    """What states are worth, and by how much equations are missed, if going round is no good."""
    known, equations = np.zeros(n), Equations(1, n)
    for here, settled, ways in steps:
        known[here] = settled
        rows = here.start + np.repeat(np.arange(len(settled)), np.diff(ways.indptr))
        equations.put(rows, ways.indices, ways.data)
    solved, missed = equations.solved(known.reshape(1, n, 1))
    return solved.ravel(), missed


class _Group:
    """The states of a level before one exchange.

    Args:
        whole: all states. number: of the slot of this exchange. states: their numbers.
        first: the number of the first state before this exchange.
        near: the states of this level that follow it.
    """

    def __init__(
        self, whole: Settling, number: int, states: Ints, first: int, near: list[Near]
    ) -> None:
        self.sums, self.states, self.near = whole.sums[number], states, near
        self._stored = whole.rolls[number]
        sums, picks = self.sums, whole.picks[number]
        self._some = some = states - first
        self._rolls, self._first = sums.rolls(some)
        self._attack = sums.before.attack[some]
        kind = sums.shares.kind[self._attack]
        self._kinds = [
            _Alike(sums.shares.choices[one], np.flatnonzero(kind == one), some, picks, sums.side)
            for one in np.unique(kind).tolist()
        ]
        self._opens: Floats | None = None
        self._was: tuple[Ints, Ways] | None = None

    def settle(self) -> None:
        """Work out what rolls are worth as far as it is settled."""
        self._known = self._worth()

    def _worth(self) -> Floats:
        found: Floats = self._rolls @ self.sums.worth.ravel()
        return found

    def _of(self, alike: _Alike, worth: Floats) -> Floats:
        """What the rolls of some states are worth: roll by state."""
        rolls = np.arange(alike.choices.n_rolls)[:, None]
        return worth.take(self._first[alike.some] + rolls)

    def lasting(self, *, look: bool) -> Bools:
        """Which states lead to states that last for certain, if both sides want that.

        Args:
            look: take down which rolls lead to any; later only those count that lead to nothing
                else.
        """
        if look:
            stays = self._worth() - self._known
            self._opens = (stays > POSSIBLE).astype(float)
            sure = np.flatnonzero(stays > 1 - CERTAIN)
            state = np.searchsorted(self._first, sure, "right") - 1
            self._sure = self._rolls[sure], self._known[sure], state
        else:
            rolls, known, state = self._sure
            state = state[rolls @ self.sums.worth.ravel() - known > 1 - CERTAIN]
        found = np.zeros(len(self.states), np.bool_)
        found[state] = True
        return found

    def choose(self) -> None:
        """Pick what is best where all options are settled."""
        assert self._opens is not None
        for alike in self._kinds:
            alike.improve(
                self._of(alike, self._known), (1, -1), alike.settled(self._of(alike, self._opens))
            )

    def improve(self, wishes: Signs) -> tuple[bool, float]:
        """As `Forest.improve`."""
        worth = self._worth()
        found = [alike.improve(self._of(alike, worth), wishes) for alike in self._kinds]
        return any(better for better, _ in found), max((slack for _, slack in found), default=0.0)

    def picked(self) -> tuple[Floats, Ways]:
        """What is settled of the worth of each state under what is picked, and what is not."""
        roll = np.zeros(len(self.states), np.int64)
        for alike in self._kinds:
            roll[alike.some] = alike.picked()
        rolls = self.sums.shares.rolls[self._attack] + roll
        if self._was is None:
            ways = self.sums.stays(self._some, rolls)
        else:
            before, ways = self._was
            changed = before != rolls
            if changed.any():
                kept, other = ~changed[ways.row], np.flatnonzero(changed)
                more = self.sums.stays(self._some[other], rolls[other])
                ways = Ways(
                    np.concatenate([ways.row[kept], other[more.row]]),
                    np.concatenate([ways.state[kept], more.state]),
                    np.concatenate([ways.chance[kept], more.chance]),
                )
        self._was = rolls, ways
        return self._known[self._first + roll], ways

    def store(self) -> None:
        """Write down the rolls to which states come by what was picked last."""
        assert self._was is not None
        self._stored[self._some] = self._was[0]


class _Alike:
    """States whose exchanges have the same choices between as many rolls.

    Args:
        choices: these. some: which states of the group. rows: of all these the rows of `picks`.
        picks: what is picked: state by choice. side: who acts.
    """

    def __init__(
        self, choices: Choices, some: Ints, rows: Ints, picks: Numbers, side: int
    ) -> None:  # fmt: skip
        self.choices, self.some, self.side = choices, some, side
        self._rows, self._picks = rows[some], picks
        self._now = np.ascontiguousarray(picks[self._rows, : choices.n_picks].T)

    def _begun(self, rolls: Floats) -> Floats:
        values = np.empty((self._n_places, len(self.some)))
        values[: self.choices.n_rolls] = rolls
        return values

    @property
    def _n_places(self) -> int:
        layers = self.choices.layers
        return layers[-1].here.stop if layers else self.choices.n_rolls

    def settled(self, opens: Floats) -> Bools:
        """Which choices lead to nothing open, of rolls that are open or not: choice by state."""
        values = self._begun(opens)
        found = np.zeros(self._now.shape, np.bool_)
        for layer in self.choices.layers:
            values[layer.here] = now = values[layer.to].max(0)
            found[layer.rows] = now == 0
        return found

    def improve(
        self, rolls: Floats, wishes: Signs, among: Bools | None = None
    ) -> tuple[bool, float]:
        """Pick better; whether any pick was changed, and what else could be gained at most.

        Args:
            rolls: what they are worth: roll by state.
            wishes: as for `Forest.improve`.
            among: in which choices; None: all.
        """
        values, changed, slack = self._begun(rolls), False, 0.0
        columns = np.arange(len(self.some))
        for layer in self.choices.layers:
            most = 0.0
            for row, place, to, whose in zip(
                range(layer.rows.start, layer.rows.stop),
                range(layer.here.start, layer.here.stop),
                layer.to.T,
                layer.whose.tolist(),
                strict=True,
            ):
                below, picks = values[to], self._now[row]
                now = below[picks, columns]
                wish = wishes[self.side ^ whose]
                if wish and len(to) > 1:
                    top = below.max(0) if wish > 0 else below.min(0)
                    gain = np.abs(top - now)
                    better = gain > GAIN if among is None else (gain > GAIN) & among[row]
                    some = np.flatnonzero(better)
                    if len(some):
                        picks[some] = (below[:, some] * wish).argmax(0)
                        now[some], gain[some] = top[some], 0
                        changed = True
                    most = max(most, float(gain.max(initial=0.0)))
                values[place] = now
            slack += most
        if changed:
            self._picks[self._rows, : len(self._now)] = self._now.T
        return changed, slack

    def picked(self) -> Ints:
        """The roll of each state that is picked."""
        at = np.full(len(self.some), self._n_places - 1)
        for layer in reversed(self.choices.layers):
            here = np.flatnonzero(at >= layer.here.start)
            which = at[here] - layer.here.start
            at[here] = layer.to[self._now[layer.rows][which, here], which]
        return at


def _table(axes: tuple[Axis, Axis], one: Small, other: Small, first: int) -> Small:
    """The number of the state of each pair of conditions of two axes; -1: there is none."""
    table = np.full((len(axes[0].conditions), len(axes[1].conditions)), -1, np.int32)
    table[one, other] = first + np.arange(len(one))
    return table
