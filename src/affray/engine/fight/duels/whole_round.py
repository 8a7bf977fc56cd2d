"""A whole round of a duel, ready to be followed for all ways to begin side by side.

It is followed exchange by exchange (`whole_step`), in either order of turns if who goes first is
settled at its start.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from affray.core.meter import meter_in_force
from affray.engine.fight.course import DECIDED, VERDICT_OF
from affray.engine.fight.duels.ahead import Ahead, AnyLeads, ahead_of
from affray.engine.fight.duels.whole_step import WholeStep, index_of, where_in

if TYPE_CHECKING:
    from affray.engine.fight.duels.sweep import Sweep

__all__ = ["WholeRound"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_Turns: TypeAlias = "tuple[list[WholeStep], Ints, Ahead | None]"
"""Exchanges in one order of turns, the ways to begin in which it may come, and how likely it does
for the conditions of `first`; None: always."""


class WholeRound:
    """The exchanges of a round, ready to be followed.

    Args:
        sweep: the duel. leads: as for `followed`.
        onto: who stands for each condition before the exchange of each slot (`stand_ins`); None:
            each for itself.

    Attributes:
        turns: the exchanges of each order of turns.
        met: the pairs with which a round may begin.
        corners: pairs of conditions in which the fight may be over, as rows and columns of the
            arrays that `after` gives.
    """

    def __init__(
        self,
        sweep: Sweep,
        leads: Sequence[AnyLeads],
        onto: Sequence[tuple[Ints, Ints]] | None = None,
    ) -> None:
        self.sweep = sweep
        self.n_ways = len(leads)
        half = len(sweep.slots) // 2
        every = list(range(len(sweep.slots)))
        orders = [every[:half], every[half:]] if sweep.offset else [every]
        if onto is None:
            onto = [(np.arange(sweep.n[0]), np.arange(sweep.n[1]))] * len(every)
        self._begins = onto[0]
        standing = [_standing_for(*both) for both in zip(sweep.standing, onto, strict=True)]
        self.first = standing[0]
        n_pairs = len(self.first[0]) * len(self.first[1])
        what = f"{self.n_ways} times {n_pairs:,} pairs of conditions"
        meter_in_force().claim(8 * 5 * self.n_ways * n_pairs, what)
        groups = [sweep.groups(number, stands) for number, stands in enumerate(onto)]
        self.met: Bools = groups[0].meets[np.ix_(*groups[0].of)]
        ahead = ahead_of(leads, sweep.n).among(self.first) if sweep.offset else None
        self.turns: list[_Turns] = []
        for place, order in enumerate(orders):
            ways, goes_first = np.arange(self.n_ways), None
            if ahead is not None:
                goes_first = ahead.goes_first(place)
                ways = np.flatnonzero(goes_first.table.any((0, 1)))
            steps = [
                WholeStep(sweep, number, standing[number], standing[after], onto[after],
                          groups[number])
                for number, after in zip(order, [*order[1:], 0], strict=True)
            ]  # fmt: skip
            self.turns.append((steps, ways, goes_first))
        self.corners = [corner for steps, *_ in self.turns for step in steps
                        for corner in step.corners]  # fmt: skip

    def begun(self, start: int) -> Floats | None:
        """The start of the fight; None if it is over before it begins."""
        pair = divmod(start, self.sweep.n[1])
        places = [
            where_in(ids, n)[onto[at]]
            for ids, n, onto, at in zip(self.first, self.sweep.n, self._begins, pair, strict=True)
        ]
        if min(places) < 0:
            return None
        here = np.zeros((len(self.first[0]), len(self.first[1]), self.n_ways))
        here[places[0], places[1]] = 1
        return here

    def after(self, here: Floats) -> tuple[Floats, list[Floats]]:
        """What goes on after a round, and what ended in it, by corner."""
        meter = meter_in_force()
        on, corners = np.zeros(here.shape), list[Floats]()
        for steps, ways, goes_first in self.turns:
            at = index_of(ways)
            now = here[:, :, at]
            if goes_first is not None:
                chances = goes_first.by_pair(ways)
                now = np.multiply(now, chances, out=chances)
            over: list[Floats] = []
            for step in steps:
                meter.poll()
                now = step.done(now, over)
            on[:, :, at] += now
            corners += [self._of_all(few, ways) for few in over]
        return on, corners

    def _of_all(self, values: Floats, ways: Ints) -> Floats:
        """Values of some ways to begin, for all of them."""
        if len(ways) == self.n_ways:
            return values
        whole = np.zeros((*values.shape[:2], self.n_ways))
        whole[:, :, index_of(ways)] = values
        return whole

    def ends(self, begun: Iterable[Floats], shares: Floats) -> tuple[Floats, list[Floats]]:
        """What goes on after a round, less what began it, and what ended in it, by corner.

        Once it is known who goes first, ways to begin are the same: they are mixed.

        Args:
            begun: what begins the round, by pair; for one way to begin after the other.
            shares: for each mixture of ways to begin the share of each of them.
        """
        meter = meter_in_force()
        size = len(shares), *map(len, self.first)
        on, firsts = np.zeros(size), [np.zeros(size) for _ in self.turns]
        for way, values in enumerate(begun):
            meter.poll()
            for mix in np.flatnonzero(shares[:, way]).tolist():
                on[mix] -= shares[mix, way] * values
                for first, (_, ways, goes_first) in zip(firsts, self.turns, strict=True):
                    if goes_first is None:
                        first[mix] += shares[mix, way] * values
                    elif way in ways:
                        chances = goes_first.by_pair(np.array([way]))[:, :, 0]
                        first[mix] += shares[mix, way] * values * chances
        corners: list[Floats] = []
        for steps, _, _ in self.turns:
            now = np.moveaxis(firsts.pop(0), 0, 2)
            for step in steps:
                meter.poll()
                now = step.done(now, corners)
            on += np.moveaxis(now, 2, 0)
        return np.moveaxis(on, 0, 2), corners

    def codes(self) -> list[Ints]:
        """The verdict of each pair of `corners`, by its number in `VERDICT_OF`."""
        flags = [
            np.array(duelist.is_out) * (4 >> side) | np.array(duelist.is_over)
            for side, duelist in enumerate(self.sweep.duelists)
        ]
        return [flags[0][rows][:, None] | flags[1][columns] for rows, columns in self.corners]

    def decided(self, pair: int) -> Floats:
        """The verdict of a pair in which the fight is over: a row for each way to begin."""
        flags = [
            (bool(duelist.is_out[here]), bool(duelist.is_over[here]))
            for duelist, here in zip(
                self.sweep.duelists, divmod(pair, self.sweep.n[1]), strict=True
            )
        ]
        (one_out, one_over), (other_out, other_over) = flags
        verdict = VERDICT_OF[4 * one_out + 2 * other_out + (one_over or other_over)]
        row = np.array([verdict == name for name in DECIDED], np.float64)
        return np.tile(row, (self.n_ways, 1))

    def on_by_number(self, on: Floats) -> Floats:
        """What goes on, by the numbers of conditions: a row for each way to begin."""
        whole = np.zeros((*self.sweep.n, self.n_ways))
        whole[np.ix_(*self.first)] = on
        return whole.reshape(-1, self.n_ways).T

    def settle(self) -> None:
        """Drop the exchanges: they are large, and no round is followed any more."""
        self.turns.clear()

    def last(self, over: Sequence[Floats]) -> tuple[Floats, tuple[Ints, Ints]]:
        """What is over: a row for each way to begin, or for each mixture of them in `over`.

        And the conditions that make up the pairs.
        """
        one, other = (
            np.unique(np.concatenate([corner[side] for corner in self.corners])) for side in (0, 1)
        )
        n_rows = over[0].shape[2]
        whole = np.zeros((n_rows, len(one), len(other)))
        for (rows, columns), values in zip(self.corners, over, strict=True):
            spots = np.searchsorted(one, rows)[:, None], np.searchsorted(other, columns)
            whole[:, *spots] += values.transpose(2, 0, 1)
        return whole.reshape(n_rows, -1), (one, other)

    def over_by_number(self, over: Sequence[Floats]) -> Floats:
        """What is over, by the numbers of conditions: a row for each way to begin."""
        whole = np.zeros((self.n_ways, *self.sweep.n))
        for (rows, columns), values in zip(self.corners, over, strict=False):
            whole[:, rows[:, None], columns] += values.transpose(2, 0, 1)
        return whole.reshape(self.n_ways, -1)


def _standing_for(here: tuple[Ints, Ints], onto: tuple[Ints, Ints]) -> tuple[Ints, Ints]:
    """Those who stand for some conditions of either side."""
    one, other = (np.unique(every[ids]) for ids, every in zip(here, onto, strict=True))
    return one, other
