"""Duels in which both sides act before anything comes of it, round by round at once.

Where what befalls a fighter shows only at the end of a round (a Resolution Phase), the second
exchange of a round doesn't depend on the first: a round is two independent rows of effects, and
who goes first makes no difference. So the states are the pairs of conditions at the start of
rounds, and the way from one to the next is a product of two matrices. Nothing has to be promised:
`RoundDuelist` notices where something shows, and the general sweep is taken. That everybody has one
exchange in a round is seen from the course of a fight (`Course.slots`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from affray.core.meter import meter_in_force
from affray.engine.fight.contest import Contest
from affray.engine.fight.duels.attacks import Attacks
from affray.engine.fight.duels.duelists import PASS, Duelist, InTurn

__all__ = ["RoundDuelist", "Rounds", "Shows"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_Looks = tuple[Hashable, Hashable, int | None]
"""What exchanges see of a condition, its deeds, and its exchanges in a turn, if they vary."""

AT_ONCE = 4_000_000
"""Numbers that the matrices of several conditions hold at once."""
CERTAIN = 1 - 1e-12


class Shows(Exception):  # noqa: N818  # no error: the general sweep is taken
    """Something that befell a fighter shows within the round."""


class RoundDuelist(Duelist):
    """One fighter, as rounds find them: effects are taken together with the end of the round.

    Raises (while conditions are added and grown):
        Shows: a turn's start changes a condition, or an effect shows before the end of the round.
    """

    def __init__(self, contest: Contest, side: int) -> None:
        self._afters: dict[_Looks, dict[Hashable, int]] = {}
        super().__init__(contest, side)

    def _check_begun(self, here: int, begun: int) -> None:
        if begun != here:
            raise Shows

    def _change(self, here: int, effects: Sequence[tuple[Hashable, int]]) -> list[int]:
        fight, sheet, condition = self.fight, self.sheet, self.conditions[here]
        changes, number_of = self.changes[here], self.number
        looks = self._looks(condition)
        known = self._afters.setdefault(looks, {})
        for effect, its_number in effects:
            if its_number in changes:
                continue
            if effect is PASS or type(effect) is InTurn:
                after = self.after(condition, effect)
            else:  # by far the most
                after = fight.apply(sheet, condition, effect)
            become = known.get(after)
            if become is None:
                if after != condition:
                    self._check(after, looks)
                ended = fight.end_round(sheet, after)
                become = number_of.get(ended)
                if become is None:
                    become = self.add(ended)
                known[after] = become
            changes[its_number] = become
        return [changes[its_number] for _, its_number in effects]

    def _looks(self, condition: Hashable) -> _Looks:
        """What would show of a condition within a round."""
        fight, sheet = self.fight, self.sheet
        actions = None if fight.actions_of is None else fight.actions_of(sheet, condition)
        return self.hidden.visible(condition), fight.deeds(sheet, condition), actions

    def _check(self, after: Hashable, looks: _Looks) -> None:
        """Make sure that nothing shows of what befell a condition that looks like this.

        Raises:
            Shows: something does.
        """
        fight, sheet = self.fight, self.sheet
        if (
            self._looks(after) != looks
            or fight.is_out(sheet, after)
            or fight.ends(sheet, after)
            or fight.begin_turn(sheet, after) != after
        ):
            raise Shows

    def acting_shows(self) -> bool:
        """Whether acting itself changes anything."""
        own, ended = self.own, self.ended
        return any(
            effect in own and after != ended[here]
            for here, changes in enumerate(self.changes)
            for effect, after in changes.items()
        )


class Rounds:
    """The states of a duel whose rounds are products.

    Args:
        duelists: conditions of both sides at the start of rounds.
        attacks: rows of exchanges by who acts.

    Attributes:
        slots: the exchanges of a round, in one of the orders that come to the same.
        n_pairs: how many states there are.
        residual: by how much the equations are missed at most.

    Raises:
        Shows: acting changes who acts, somebody acts more than once in a round, or conditions
            can come back to each other.
    """

    def __init__(self, duelists: Sequence[RoundDuelist], attacks: Sequence[Attacks]) -> None:
        course = attacks[0].contest.course.of_two()
        self.slots = course.slots(course.everybody)
        if not course.acts_once or any(duelist.acting_shows() for duelist in duelists):
            raise Shows
        self.n = tuple(len(duelist.conditions) for duelist in duelists)
        self.n_pairs = self.n[0] * self.n[1]
        over = [np.array(duelist.is_out) | np.array(duelist.is_over) for duelist in duelists]
        orders = []
        maps = []
        for duelist in duelists:
            table = duelist.map_of_effects()
            component, depth = duelist.components(table)
            if len(depth) < len(component):
                raise Shows
            order = np.argsort(-depth[component], kind="stable")
            rank = np.empty_like(order)
            rank[order] = np.arange(len(order))
            orders.append(order)
            maps.append(rank[table[:, order]])
        self.orders = orders  # conditions, those furthest from the end first
        self.on: Bools = ~(over[0][orders[0]][:, None] | over[1][orders[1]][None, :])
        # For each direction: row by pair (side one's condition first), effects on the target by
        # row, probabilities, and where effects lead the target.
        meter_in_force().claim(8 * 10 * self.n_pairs, f"{self.n_pairs:,} pairs of conditions")
        one, other = (acts.numbers() for acts in attacks)
        self.rows = one[np.ix_(*orders)], other.T[np.ix_(*orders)]
        padded = [acts.padded() for acts in attacks]
        self.effects = tuple(theirs for _, theirs, _ in padded)
        self.chances = tuple(chance for _, _, chance in padded)
        self.maps = maps
        self.residual = 0.0
        self._kept: tuple[Floats, Floats] | None = None

    def _matrices(self, start: int, stop: int) -> tuple[Floats, Floats]:
        """Ways of both sides' conditions, for conditions of side one from a place to another.

        Returns:
            By side one's condition and side two's: where side two comes, where side one comes.
            Of pairs that are over nothing leads on.
        """
        n_one, n_other = self.n
        size = stop - start
        meter = meter_in_force()
        meter.poll()
        width = sum(chances.shape[1] for chances in self.chances)
        meter.claim(
            8 * size * n_other * (2 * (n_one + n_other) + 4 * width),
            f"rounds between {size * n_other:,} and {self.n_pairs:,} pairs of conditions",
        )
        if self._kept is not None and size == n_one:
            return self._kept
        struck = self._led(0, slice(start, stop), np.arange(n_other)[None, :])
        back = self._led(1, slice(start, stop), np.arange(start, stop)[:, None])
        if size == n_one:
            self._kept = struck, back
        return struck, back

    def _led(self, actor: int, part: slice, targets: Ints) -> Floats:
        """How likely each condition of the target is after an exchange, by pair of conditions.

        Pairs with the same exchange and the same target are worked out once.
        """
        table, rows = self.maps[1 - actor], self.rows[actor][part]
        n = table.shape[1]
        # Of pairs that are over nothing leads on: they share a row without any chances.
        keys = np.where(self.on[part] | (actor == 1), rows * n + targets, -1)
        known, which = np.unique(keys, return_inverse=True)
        row, target = np.divmod(known, n)
        chances = self.chances[actor].take(row, axis=0)
        chances[known < 0] = 0
        at, effect = np.nonzero(chances)
        there = table[self.effects[actor][row[at], effect], target[at]]
        ways = _gathered(at * n + there, chances[at, effect], len(known) * n)
        return ways.reshape(-1, n)[which.reshape(rows.shape)]

    def going_on(self) -> Bools:
        """Pairs of conditions, by their numbers, in which the fight goes on."""
        return self._given(self.on.astype(float)) > 0

    def _parts(self) -> Iterator[tuple[int, int]]:
        size = max(1, AT_ONCE // (self.n[1] * max(self.n)))
        for start in range(0, self.n[0], size):
            yield start, min(start + size, self.n[0])

    def run(self, start: tuple[int, int]) -> tuple[Floats, Floats]:
        """From a pair of conditions to the end.

        Returns:
            How often each pair is fought in on average, and how likely each is to be that in
            which the fight ends; by the numbers of conditions. Of a pair in which nothing ever
            changes it is left out how often it is fought in.
        """
        from scipy.linalg.lapack import dtrtrs  # most duels are no products, and need none of it

        visits = np.zeros(self.n)
        visits[self._placed(start)] = 1
        unit = np.eye(self.n[1])
        self.residual = 0.0
        meter = meter_in_force()
        for low, high in self._parts():
            struck, back = self._matrices(low, high)
            for here in range(low, high):
                meter.tick(8)
                on = self.on[here]
                left = visits[here] * on
                if not left.any():
                    continue
                ways, returns = struck[here - low], back[here - low]
                # Rounds in which side one stays as it is: a triangle of equations.
                inside = ways * returns[:, here, None]
                stuck = np.diagonal(inside) >= CERTAIN
                inside[stuck] = 0.0
                solved, _ = dtrtrs((unit - inside).T, left, lower=1)
                self.residual = max(
                    self.residual, float(np.abs(solved - solved @ inside - left).max())
                )
                solved[stuck] = 0.0  # nothing ever changes there
                visits[here] = np.where(on, solved, visits[here] + solved)
                further = (solved * on)[:, None] * returns[:, here + 1 :]
                visits[here + 1 :] += further.T @ ways
        return self._given(np.where(self.on, visits, 0)), self._given(np.where(self.on, 0, visits))

    def rounds(self, start: tuple[int, int]) -> Iterator[tuple[Floats, Floats]]:
        """Round after round, from a pair of conditions.

        Yields:
            How likely each pair of conditions is to be fighting on after the round, and to be
            that in which the fight ended in the round.
        """
        here = np.zeros(self.n)
        here[self._placed(start)] = 1
        if not (here * self.on).any():  # over before it begins
            yield np.zeros(self.n_pairs), self._given(here).ravel()
            return
        parts = list(self._parts())
        while True:
            after = np.zeros(self.n)
            for low, high in parts:
                struck, back = self._matrices(low, high)
                flowing = (here[low:high, :, None] * back).reshape(-1, self.n[0])
                after += flowing.T @ struck.reshape(-1, self.n[1])
            here = after * self.on
            yield self._given(here).ravel(), self._given(after * ~self.on).ravel()

    def _placed(self, pair: tuple[int, int]) -> tuple[int, int]:
        """The places of a pair of conditions in `orders`."""
        one, other = (
            int(np.flatnonzero(order == here)[0])
            for order, here in zip(self.orders, pair, strict=True)
        )
        return one, other

    def _given(self, values: Floats) -> Floats:
        """Values by the numbers of conditions."""
        numbered = np.empty_like(values)
        numbered[np.ix_(*self.orders)] = values
        return numbered


def _gathered(spots: Ints, amounts: Floats, size: int) -> Floats:
    """Amounts that fall on the same spots, added up."""
    gathered: NDArray[np.generic] = np.bincount(spots.ravel(), amounts.ravel(), size)
    return gathered.astype(np.float64, copy=False)
