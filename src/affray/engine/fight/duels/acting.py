"""Those who may act in an exchange of a round that only follows what goes on (`going`).

Attackers with the same odds against each target are a class; conditions that are the same attacker
share what becomes of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from affray.core.lazy import NamedTuple
from affray.engine.fight.duels.strands import Strands
from affray.engine.fight.duels.whole_step import WholeStep

__all__ = ["Actors", "Weigh", "actors_in", "among", "apart", "in_order"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Actors(NamedTuple):
    """Attackers with the same odds for each target; what strands they are, or conditions.

    Attributes:
        who, which: those before the exchange, and which attacker each of them is.
        then: what becomes of each attacker.
        targets, struck, chance: what may become of targets.
    """

    who: Ints
    which: Ints
    then: Ints
    targets: Ints
    struck: Ints
    chance: Floats


class Weigh(NamedTuple):
    """How likely it is in a round that its exchanges come in this order.

    Attributes:
        chances: by kind of whoever acts first, and kind of the target.
        acting, struck: the kind of each; those who act are of the same one if their chances are.
    """

    chances: Floats
    acting: Ints
    struck: Ints

    def of(self, who: Ints, targets: Ints) -> Floats:
        """The chances of attackers with targets; one row if it is the same for all of them."""
        kinds = self.acting[who]
        if (kinds == kinds[0]).all():
            kinds = kinds[:1]
        found: Floats = self.chances[kinds][:, self.struck[targets]]
        return found

    def among(self, actors: Sequence[Actors], targets: Ints) -> list[Actors]:
        """Those who may act in this order, with those of some targets that they may then meet."""
        found = []
        for one in actors:
            own = self.acting[one.who]
            there = np.unique(self.struck[targets])
            act = np.flatnonzero(np.asarray((self.chances[:, there] > 0).any(1))[own])
            may = np.asarray((self.chances[np.unique(own)] > 0).any(0))
            met = may[self.struck[one.targets]]
            if len(act):
                some = _those(one, act)
                found.append(
                    some._replace(
                        targets=one.targets[met], struck=one.struck[met], chance=one.chance[met]
                    )
                )
        return found


def actors_in(step: WholeStep, strands: Strands) -> list[Actors]:
    """The classes of those who act in an exchange, with the strands of one side."""
    here, after = step.here, step.after
    side, found = step.side, []
    for one in step.classes:
        which = np.concatenate([np.arange(len(one.who)), *(place for place, _ in one.more)])
        who = here[side][np.concatenate([one.who, *(more for _, more in one.more)])]
        then = after[side][one.then]
        ways = one.ways.tocoo(copy=False)
        struck, targets = after[1 - side][ways.coords[0]], here[1 - side][ways.coords[1]]
        made = Actors(who, which, then, targets, struck, ways.data)
        found.append(_in_strands(made, strands, acts=side == strands.side))
    return found


def _in_strands(one: Actors, strands: Strands, *, acts: bool) -> Actors:
    """Attackers, with strands in the place of the conditions of whoever acts, or of targets."""
    if not acts:
        at, struck = strands.listed(one.struck)
        targets = strands.before(struck, one.targets[at])
        return one._replace(targets=targets, struck=struck, chance=one.chance[at])
    at, then = strands.listed(one.then)
    n = np.bincount(at, minlength=len(one.then))
    count = n[one.which]
    whose = np.repeat(np.arange(len(count)), count)
    rank = np.arange(len(whose)) - np.repeat(np.cumsum(count) - count, count)
    which = (np.cumsum(n) - n)[one.which[whose]] + rank
    return one._replace(
        who=strands.before(then[which], one.who[whose]), which=which, then=then
    )  # fmt: skip


def among(actors: Sequence[Actors], there: Ints) -> list[Actors]:
    """Classes with no more than these conditions, in their order."""
    found: list[Actors] = []
    if not len(there):
        return found
    order = np.argsort(there, kind="stable")
    for one in actors:
        spots = np.searchsorted(there, one.who, sorter=order)
        spots = order[np.minimum(spots, len(order) - 1)]
        kept = np.flatnonzero(there[spots] == one.who)
        if len(kept):
            found.append(_those(one, kept[np.argsort(spots[kept], kind="stable")]))
    return found


def _those(one: Actors, kept: Ints) -> Actors:
    """A class with only some of those who act, in this order."""
    numbers, first = np.unique(one.which[kept], return_index=True)
    numbers = numbers[np.argsort(first, kind="stable")]
    rank = np.empty(len(one.then), np.int64)
    rank[numbers] = np.arange(len(numbers))
    return one._replace(
        who=one.who[kept], which=rank[one.which[kept]], then=one.then[numbers]
    )  # fmt: skip


def in_order(ids: Ints, sequences: Sequence[Ints]) -> Ints:
    """Conditions in the order in which they come up in sequences; the rest behind them."""
    found, first = np.unique(np.concatenate([*sequences, ids]), return_index=True)
    return ids[np.argsort(first[np.searchsorted(found, ids)], kind="stable")]


def apart(numbers: Ints) -> Iterator[Ints]:
    """The places of numbers in groups in which none comes twice."""
    order = np.argsort(numbers, kind="stable")
    ranked = numbers[order]
    starts = np.searchsorted(ranked, ranked)
    rank = np.arange(len(ranked)) - starts
    for number in range(int(rank.max(initial=-1)) + 1):
        yield np.sort(order[rank == number])
