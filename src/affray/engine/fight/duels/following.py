"""A duel followed round after round from its start, all ways to begin side by side.

After each exchange the probabilities of all pairs of conditions are multiplied by a small matrix:
attackers whose exchanges with every target are the same form a class, and share the matrix that
says where targets come to. So matrices stay small, however many pairs of conditions there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from affray.core.meter import meter_in_force

if TYPE_CHECKING:
    from affray.engine.fight.duels.sweep import Sweep

__all__ = ["followed"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


class _Class(NamedTuple):
    """Attackers with the same odds for each target, and what becomes of them by one effect.

    Attributes:
        who: their conditions. then: what becomes of these, one for each.
        ways: from targets, by column, to what becomes of them, by row.
    """

    who: Ints
    then: Ints
    ways: csr_array


def followed(
    sweep: Sweep, start: int, leads: Sequence[Floats | float]
) -> Iterator[tuple[Floats, Floats]]:
    """Round after round.

    Args:
        sweep: the duel.
        start: the pair of conditions in which it begins.
        leads: for each way to begin the probability that side one goes first in a round, by pair
            of conditions.

    Yields:
        How likely each pair of conditions is to be fighting on after the round, and to be that in
        which the fight ended in the round; a row for each way to begin.
    """
    on = sweep.going_on()
    n_ways = len(leads)
    meter = meter_in_force()
    meter.claim(8 * 6 * n_ways * on.size, f"{n_ways} times {on.size:,} pairs of conditions")
    here = np.zeros((*sweep.n, n_ways))
    here.reshape(-1, n_ways)[start] = 1
    if not on.ravel()[start]:  # over before it begins
        yield np.zeros((n_ways, on.size)), here.reshape(-1, n_ways).T
        return
    round_ = _Round(sweep)
    weights: list[Floats | float] = [1.0]
    if sweep.offset:
        ahead = np.stack([np.broadcast_to(one, on.shape) for one in leads], -1)
        weights = [ahead, 1 - ahead]
    while True:
        here, over = round_.after(here, weights)
        yield here.reshape(-1, n_ways).T, over.reshape(-1, n_ways).T


class _Round:
    """The exchanges of a round, ready to be followed."""

    def __init__(self, sweep: Sweep) -> None:
        self.sweep = sweep
        self.over = tuple(np.flatnonzero(over) for over in sweep.over)
        self.ends = [_mapped_to(ended, len(ended)) for ended in sweep.ended]
        known: dict[tuple[int, int, bool], list[_Class]] = {}
        self.classes: list[list[_Class]] = []
        for slot, arrays in zip(sweep.slots, sweep.arrays, strict=True):
            key = id(arrays), slot.actor.side, slot.begins
            if key not in known:
                known[key] = list(self._classes(len(self.classes)))
            self.classes.append(known[key])
        half = len(sweep.slots) // 2
        every = list(range(len(sweep.slots)))
        self.orders = [every[:half], every[half:]] if sweep.offset else [every]

    def _classes(self, number: int) -> Iterator[_Class]:
        """The classes of attackers in a slot."""
        sweep, meter = self.sweep, meter_in_force()
        slot, arrays = sweep.slots[number], sweep.arrays[number]
        side = slot.actor.side
        acting = np.flatnonzero(~sweep.over[side])
        targets = np.flatnonzero(~sweep.over[1 - side])
        if not len(acting) or not len(targets):
            return
        rows = arrays.rows[np.ix_(acting, targets)]
        kinds, which = np.unique(rows, axis=0, return_inverse=True)
        begun = sweep.begun[side] if slot.begins else np.arange(sweep.n[side])
        size = sweep.n[1 - side]
        meter.claim(
            8 * 3 * len(kinds) * len(targets) * arrays.mine.shape[1],
            f"the ways of {len(kinds):,} classes of attackers",
        )
        for kind, row in enumerate(kinds):
            meter.tick(8)
            who = acting[which.ravel() == kind]
            chance = arrays.chance[row]
            struck = arrays.target_map[arrays.theirs[row], targets[:, None]]
            columns = np.broadcast_to(targets[:, None], struck.shape)
            for effect in np.unique(arrays.mine[row][chance > 0]).tolist():
                part = (arrays.mine[row] == effect) & (chance > 0)
                spots = struck[part], columns[part]
                ways = csr_array((chance[part], spots), shape=(size, size))
                yield _Class(who, arrays.actor_map[effect, begun[who]], ways)

    def after(self, here: Floats, weights: Sequence[Floats | float]) -> tuple[Floats, Floats]:
        """What goes on after a round, and what ended in it."""
        meter = meter_in_force()
        on, over = np.zeros_like(here), np.zeros_like(here)
        for order, weight in zip(self.orders, weights, strict=True):
            now = here * weight
            for number in order:
                meter.poll()
                now = self._exchanged(now, number)
                self._cut_off(now, over)
            on += now
        return on, over

    def _cut_off(self, now: Floats, over: Floats) -> None:
        """Move what is over from one to the other."""
        first, second = self.over
        over[first] += now[first]
        now[first] = 0
        over[:, second] += now[:, second]
        now[:, second] = 0

    def _exchanged(self, now: Floats, number: int) -> Floats:
        """After the exchange of a slot, and after the round if it ends it."""
        slot = self.sweep.slots[number]
        turned = now if slot.actor.side == 0 else now.transpose(1, 0, 2)
        there: Bools = np.any(turned, axis=(1, 2))
        found = np.zeros(turned.shape)
        for who, then, ways in self.classes[number]:
            here = there[who]
            if here.any():
                came = turned[who[here]].transpose(1, 0, 2)
                went = ways @ came.reshape(len(came), -1)
                _add(found, then[here], went.reshape(came.shape).transpose(1, 0, 2))
        after: Floats = found if slot.actor.side == 0 else found.transpose(1, 0, 2)
        if slot.ends_round and self.sweep.ends_change:
            over = np.zeros(after.shape)
            self._cut_off(after, over)  # a fight that is over has no end of the round
            after = _mapped(self.ends[0], after)
            after = _mapped(self.ends[1], after.transpose(1, 0, 2)).transpose(1, 0, 2)
            after += over
        return after


def _mapped(ends: csr_array, values: Floats) -> Floats:
    """Values by what becomes of the conditions of the first side."""
    mapped: Floats = (ends @ values.reshape(len(values), -1)).reshape(values.shape)
    return mapped


def _add(to: Floats, places: Ints, amounts: Floats) -> None:
    """Add amounts to places, several to one where they say so."""
    own, which = np.unique(places, return_inverse=True)
    if len(own) < len(places):
        places = own
        amounts = _mapped_to(which, len(own)) @ amounts.reshape(len(amounts), -1)
        amounts = amounts.reshape(len(own), *to.shape[1:])
    to[places] += amounts


def _mapped_to(places: Ints, size: int) -> csr_array:
    """The matrix that adds up what comes to the same place."""
    spots = places, np.arange(len(places))
    return csr_array((np.ones(len(places)), spots), shape=(size, len(places)))
