"""Where a duel can come to, whatever both sides pick."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from affray.core.meter import meter_in_force
from affray.engine.fight.duels.tree import Numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affray.engine.fight.duels.attacks import Numbered
    from affray.engine.fight.duels.sweep import Sweep
    from affray.engine.fight.duels.trees import AttackTrees

__all__ = ["Led", "Ways", "reached"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
FURTHER = 8
"""Steps, each twice as long as the one before, in which it is found who stands for somebody."""
AT_ONCE = 250_000
"""Numbers that are held at once."""


class Ways:
    """What pairs of conditions come to by each end of an exchange.

    Args:
        sweep: the duel.
        attacks: all exchanges of both sides, as trees.
        onto: who stands for each condition in each slot; None: nobody.

    Attributes:
        onto: for each slot and the conditions of both sides, the ones that share their exchanges:
            whoever stands for the one who is found there when a turn has begun.
        n: how many pairs there are. on: those in which the fight goes on.
        ended: the pair that each is after the end of a round.
    """

    def __init__(
        self,
        sweep: Sweep,
        attacks: tuple[AttackTrees, ...],
        onto: Sequence[tuple[Ints, Ints]] | None = None,
    ) -> None:
        self.sweep, self.attacks = sweep, attacks
        self.n = sweep.n_pairs
        self.on: Bools = sweep.going_on().ravel()
        one, other = np.divmod(np.arange(self.n, dtype=np.int32), np.int32(sweep.n[1]))
        ended = sweep.ended[0].astype(np.int32)[one] * np.int32(sweep.n[1])
        ended += sweep.ended[1].astype(np.int32)[other]
        # A fight that is over with the last exchange has no end of the round.
        self.ended = np.where(self.on, ended, np.arange(self.n, dtype=np.int32))
        self._numbered: list[Numbered] = []
        kinds: dict[tuple[int, int], Numbered] = {}
        self._effects: dict[tuple[int, int], tuple[tuple[Ints, Ints], tuple[Ints, Ints]]] = {}
        self.onto: list[tuple[Ints, Ints]] = []
        every = np.arange(sweep.n[0]), np.arange(sweep.n[1])
        for number, slot in enumerate(sweep.slots):
            kind = slot.attacks, slot.number
            if kind not in kinds:
                kinds[kind] = attacks[slot.attacks].numbered(slot.number)
            self._numbered.append(kinds[kind])
            side = slot.actor.side
            begun = sweep.begun[side]
            # Where beginning a turn twice would change more, each condition stands for itself.
            steady = slot.begins and bool((begun[begun] == begun).all())
            found = list(onto[number] if onto is not None else every)
            if steady:
                found[side] = found[side][begun]
            mine, theirs = (_settled(one) for one in found)
            self.onto.append((mine, theirs))

    def forget(self) -> None:
        """Drop what only makes it quicker to find out what comes up; it takes much memory."""
        self._effects.clear()

    def attack(self, number: int, pairs: Ints) -> Numbers:
        """The number of the attack of each pair in a slot."""
        one, other = np.divmod(pairs, self.sweep.n[1])
        if self.sweep.slots[number].actor.side:
            one, other = other, one
        return self._numbered[number].between(one, other)

    def alike(self, number: int, pairs: Ints) -> Ints:
        """The pairs whose exchanges in a slot these share."""
        one, other = np.divmod(pairs, self.sweep.n[1])
        mine, theirs = self.onto[number]
        found: Ints = mine[one] * self.sweep.n[1] + theirs[other]
        return found

    def there(self, number: int, attack: int, pairs: Ints) -> Ints:
        """The pair that each pair comes to in a slot: a row for each end of the attack."""
        return self._after_all(number, self.struck(number, attack, pairs))

    def struck(
        self, number: int, attack: int, pairs: Ints, n: int = 1, more: Numbers | int = 0
    ) -> Ints:
        """The same before the end of the round; `n` times that pair and something more."""
        key = self.sweep.slots[number].attacks, attack
        known = self._effects.get(key)
        if known is None:
            own, foe = self.attacks[key[0]].effect_numbers(attack)
            known = self._effects[key] = _listed(own), _listed(foe)
        (mine, of_mine), (theirs, of_theirs) = known
        # Each effect is looked up once, however many ends have it.
        after, struck = self._after(number, mine[:, None], theirs[:, None], pairs)
        side, factors = self.sweep.slots[number].actor.side, (self.sweep.n[1] * n, n)
        found: Ints = (after * factors[side] + more).take(of_mine, 0)
        found += (struck * factors[1 - side]).take(of_theirs, 0)
        return found

    def led(self, number: int, own: Ints, foe: Ints, pairs: Ints) -> Ints:
        """The pairs to which effects on the one who acts and on the target lead in a slot."""
        after, struck = self._after(number, own, foe, pairs)
        if self.sweep.slots[number].actor.side:
            after, struck = struck, after
        return self._after_all(number, after * self.sweep.n[1] + struck)

    def changes_at_end(self, number: int) -> bool:
        """Whether the end of the round follows a slot, and changes anybody."""
        return self.sweep.slots[number].ends_round and self.sweep.ends_change

    def _after(self, number: int, own: Ints, foe: Ints, pairs: Ints) -> tuple[Ints, Ints]:
        """The conditions of the one who acts and of the target after effects in a slot."""
        sweep, slot = self.sweep, self.sweep.slots[number]
        side = slot.actor.side
        sides = np.divmod(pairs, sweep.n[1])
        acts, target = sides[side], sides[1 - side]
        if slot.begins:
            acts = sweep.begun[side][acts]
        mine, theirs = sweep.maps[side], sweep.maps[1 - side]
        # A flat table is read faster than one with rows and columns.
        after = mine.ravel().take(own * mine.shape[1] + acts)
        return after, theirs.ravel().take(foe * theirs.shape[1] + target)

    def _after_all(self, number: int, pairs: Ints) -> Ints:
        """Pairs after a slot, at the end of the round if it is the last."""
        if self.changes_at_end(number):
            return self.ended.take(pairs).astype(np.int64)
        return pairs


def _settled(onto: Ints) -> Ints:
    """Who stands for each in the end, where those who stand for others have somebody, too.

    Nobody does for anybody if that goes round in a circle.
    """
    for _ in range(FURTHER):
        further = onto[onto]
        if (further == onto).all():
            return onto
        onto = further
    return np.arange(len(onto))


def _listed(effects: Ints) -> tuple[Ints, Ints]:
    """Different effects, and which of them each one is."""
    different, which = np.unique(effects, return_inverse=True)
    return different, which


class Led(Protocol):
    """Pairs of conditions, or spots, and what they come to; see `Ways`."""

    sweep: Sweep
    attacks: tuple[AttackTrees, ...]
    n: int
    on: Bools

    def attack(self, number: int, pairs: Ints) -> Numbers:
        """The number of the attack of each in a slot."""

    def alike(self, number: int, pairs: Ints) -> Ints:
        """Those whose exchanges in a slot these share."""

    def there(self, number: int, attack: int, pairs: Ints) -> Ints:
        """Where each comes to in a slot: a row for each end of the attack."""


def reached(ways: Led, starts: Ints, leads: Floats) -> list[Bools]:
    """The pairs or spots that can come up in each slot, and those that stand for them.

    Args:
        ways: the duel.
        starts: those with which it may begin.
        leads: the probability that side one goes first in a round, for each, by way to begin.
    """
    sweep, meter = ways.sweep, meter_in_force()
    n_slots = len(sweep.slots)
    meter.claim(3 * n_slots * ways.n, f"{ways.n:,} pairs of conditions")
    on = ways.on
    ahead, behind = (leads > 0).any(-1), (leads < 1).any(-1)
    seen = [np.zeros(ways.n, np.bool_) for _ in range(n_slots)]
    fresh = [np.zeros(ways.n, np.bool_) for _ in range(n_slots)]

    def enter(place: int, pairs: Bools | Ints) -> None:
        """Come to a place of a round with some pairs."""
        if place >= sweep.offset:
            fresh[place - sweep.offset][pairs] = True
            return
        some = np.zeros(ways.n, np.bool_)
        some[pairs] = True
        fresh[0] |= some & ahead
        fresh[n_slots // 2] |= some & behind

    enter(0, starts)
    while any(one.any() for one in fresh):
        for number in range(n_slots):
            new = np.nonzero(fresh[number] & ~seen[number] & on)[0]
            seen[number][new] = True
            fresh[number][:] = False
            alike = ways.alike(number, new)
            new = np.unique(np.concatenate([new[alike == new], alike[~seen[number][alike]]]))
            if not len(new):
                continue
            seen[number][new] = True
            rows = ways.attack(number, new)
            order = np.argsort(rows, kind="stable")
            names, starts = np.unique(rows[order], return_index=True)
            then = np.zeros(ways.n, np.bool_)
            for name, group in zip(names.tolist(), np.split(new[order], starts[1:]), strict=True):
                width = max(
                    1, AT_ONCE // len(ways.attacks[sweep.slots[number].attacks].trees[name].pairs)
                )
                for at in range(0, len(group), width):
                    meter.tick(64)
                    then[ways.there(number, name, group[at : at + width])] = True
            enter(sweep.then[number], then)
    return seen
