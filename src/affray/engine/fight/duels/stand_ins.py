"""Conditions that stand for others in a duel: those that nothing tells apart any more.

Two conditions before an exchange come to the same if those who have them meet the same exchanges,
if each effect leads both to what comes to the same before the next exchange, and if a fight that
ends there leaves them alike. So it is found out backwards, from the last exchange of a round to the
first. With what comes to the same at the start of a round, more does in the round before.

                 first exchange         second exchange        end of the round
    prone    --  who is struck  --.
                                   >--  begins its turn   --   the same
    standing --  who is struck  --'

Here prone and standing are two conditions before the first exchange, and one before the second.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.engine.fight.duels.ahead import AnyLeads, ahead_of, kinds_of

if TYPE_CHECKING:
    from affray.engine.fight.duels.attacks import Numbered
    from affray.engine.fight.duels.duelists import Duelist
    from affray.engine.fight.duels.sweep import Sweep

__all__ = ["Both", "nearest", "stand_ins"]

Ints = NDArray[np.int64]
Both: TypeAlias = "tuple[Ints, Ints]"
"""For each condition of either side the one that stands for it."""

TURNS_BACK = 2
"""So many rounds are gone back at most; hardly anything comes to the same only after more."""


class _Met(NamedTuple):
    """What may befall conditions in a slot.

    Attributes:
        rows: the numbers of exchanges.
        acted, struck: the effects that some of them may have on whoever acts, and on the target.
    """

    rows: Numbered
    acted: Callable[[Ints], Ints]
    struck: Callable[[Ints], Ints]


class OpenAttacks(Protocol):
    """Attacks of a side in which choices are open."""

    def numbered(self, action: int = 0, /) -> Numbered:
        """The attacks, by the conditions of both."""

    def effect_numbers(self, number: int, /) -> tuple[Ints, Ints]:
        """The effects that may come of an attack, on the one who acts and on the target."""


def stand_ins(
    sweep: Sweep, leads: Sequence[AnyLeads], trees: Sequence[OpenAttacks] = ()
) -> list[Both]:
    """Who stands for each condition before the exchange of each slot of a round.

    Conditions in which the fight is over stand for themselves.

    Args:
        sweep: the duel.
        leads: for each way to begin the probability that side one goes first in a round, by pair
            of conditions.
        trees: the attacks of both sides, if choices in them are open: then all count that may
            come of an exchange.
    """
    half = len(sweep.slots) // 2
    every = list(range(len(sweep.slots)))
    orders = [every[:half], every[half:]] if sweep.offset else [every]
    left = _left_by_end(sweep.duelists[0]), _left_by_end(sweep.duelists[1])
    leading = None
    if sweep.offset:
        one, other = (np.zeros(n, np.int64) for n in sweep.n)
        one[sweep.standing[0][0]], other[sweep.standing[0][1]] = (
            ahead_of(leads, sweep.n).among(sweep.standing[0]).of
        )
        leading = one, other
    one, other = (np.arange(n) for n in sweep.n)
    begins: Both = one, other
    for _ in range(TURNS_BACK):
        found: list[Both] = [begins] * len(sweep.slots)
        for order in orders:
            then = begins
            for number in reversed(order):
                met = _in_trees(sweep, number, trees) if trees else _in_arrays(sweep, number)
                then = found[number] = _before(sweep, number, then, left, met)
        firsts = [found[order[0]] for order in orders]
        before = begins
        one, other = (
            _first_of(
                sweep.standing[0][side],
                [first[side] for first in firsts] + ([leading[side]] if leading else []),
                sweep.n[side],
            )
            for side in (0, 1)
        )
        begins = one, other
        for order in orders:
            found[order[0]] = begins
        if all((now == was).all() for now, was in zip(begins, before, strict=True)):
            break
    return found


def _left_by_end(duelist: Duelist) -> Ints:
    """A number for each condition: the same if a fight that ends in them leaves them alike."""
    fight, sheet = duelist.fight, duelist.sheet
    numbers: dict[Hashable, int] = {}
    kinds = []
    for here, condition in enumerate(duelist.conditions):
        left: Hashable = here
        on = not (duelist.is_out[here] or duelist.is_over[here])
        if on and fight.afterwards(sheet, condition) is None:
            fate = fight.fate(sheet, condition) if fight.fates else ""
            points = tuple(fight.resources(sheet, condition).items())
            left = fate, fight.vitals(sheet, condition), points
        kinds.append(numbers.setdefault(left, len(numbers)))
    return np.array(kinds)


def _in_arrays(sweep: Sweep, number: int) -> _Met:
    arrays = sweep.arrays[number]
    return _Met(arrays.rows, arrays.halves.acted, arrays.halves.struck)


def _in_trees(sweep: Sweep, number: int, trees: Sequence[OpenAttacks]) -> _Met:
    slot = sweep.slots[number]
    attacks = trees[slot.attacks]

    def effects(numbers: Ints, side: int) -> Ints:
        every = [attacks.effect_numbers(one)[side] for one in numbers.tolist()]
        return np.unique(np.concatenate(every)) if every else numbers

    return _Met(
        attacks.numbered(slot.number),
        lambda numbers: effects(numbers, 0),
        lambda numbers: effects(numbers, 1),
    )


def nearest(sweep: Sweep, onto: Both) -> Both:
    """The same, with somebody who is settled no later to stand for each condition.

    Whoever stands for another is nearer to the end, or of those with whom the other may come back
    to itself. Some then stand for fewer.
    """
    one, other = (
        _nearest(every, own.of, own.depth)
        for every, own in zip(onto, sweep.components, strict=True)
    )
    return one, other


def _nearest(onto: Ints, component: Ints, depth: Ints) -> Ints:
    order = np.lexsort((component, depth, onto))
    kind, deep, part = onto[order], depth[order], component[order]
    begins = np.diff(kind, prepend=-1) != 0
    first = np.flatnonzero(begins)[np.cumsum(begins) - 1]
    begins |= np.diff(part, prepend=-1) != 0
    own = np.flatnonzero(begins)[np.cumsum(begins) - 1]
    found = np.empty_like(onto)
    found[order] = order[np.where(deep > deep[first], first, own)]
    return found


def _before(sweep: Sweep, number: int, then: Both, left: Both, met_there: _Met) -> Both:
    """Who stands for each condition before an exchange.

    Args:
        sweep: the duel.
        number: of the slot.
        then: who stands for each before the next exchange, or at the start of a round.
        left: numbers of what a fight leaves when it ends.
        met_there: what may befall them.
    """
    slot, here = sweep.slots[number], sweep.standing[number]
    side = slot.actor.side
    rows, acted, struck_by = met_there
    acting, looks = np.unique(rows.acting[here[side]], return_inverse=True)
    struck, columns = np.unique(rows.struck[here[1 - side]], return_inverse=True)
    table = rows.table[np.ix_(acting, struck)]
    found = [then[0], then[1]]
    for who, of_rows, of, effects in (
        (side, table, looks, acted),
        (1 - side, np.ascontiguousarray(table.T), columns, struck_by),
    ):
        met, which = kinds_of(of_rows)
        which = which[of]
        leads_to = _led_to(sweep, who, then[who], left[who], ends_round=slot.ends_round)
        ids = here[who]
        from_ = sweep.begun[who][ids] if who == side and slot.begins else ids
        kinds = np.empty(len(ids), np.int64)
        n_kinds = 0
        for kind, row in enumerate(met):
            meter_in_force().tick(8)
            some = np.flatnonzero(which == kind)
            befalls = effects(np.unique(row))
            comes = leads_to[sweep.maps[who][befalls[:, None], from_[some]]]
            ways = np.concatenate([left[who][ids[some]][None, :], comes])
            _, same = kinds_of(np.ascontiguousarray(ways.T))
            kinds[some] = n_kinds + same
            n_kinds += len(same)
        whole = np.zeros(sweep.n[who], np.int64)
        whole[ids] = kinds
        found[who] = _first_of(ids, [whole], sweep.n[who])
    return found[0], found[1]


def _led_to(sweep: Sweep, who: int, then: Ints, left: Ints, *, ends_round: bool) -> Ints:
    """A number for each condition after an exchange: the same if it comes to the same."""
    if not ends_round:
        return then
    n, over, ended = sweep.n[who], sweep.over[who], sweep.ended[who]
    later = np.where(over[ended], n + ended, then[ended])
    # Of those whom the fight leaves now it doesn't matter what the end of the round would do.
    return np.where(over, np.arange(n) - n, left * (2 * n) + later)


def _first_of(ids: Ints, kinds: Sequence[Ints], size: int) -> Ints:
    """For each of some conditions the first one of all kinds that it has; others: themselves."""
    found = np.arange(size)
    _, which = kinds_of(np.ascontiguousarray(np.stack([kind[ids] for kind in kinds], 1)))
    _, first = np.unique(which, return_index=True)
    found[ids] = ids[first[which]]
    return found
