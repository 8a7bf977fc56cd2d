"""Bounds of states that come back to each other, freed of what each of them lends the next.

The bound of a state that can come back to itself may rest on nothing but itself: though it is too
far from the truth, it holds itself up. But whoever stays among such states for ever gets a
stalemate.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from affray.core.lazy import NamedTuple
from affray.engine.fight.duels.tree import Numbers, Tree

__all__ = ["Alike", "freed"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

HALVINGS = 14
"""How often the bound of states that come back is halved."""
CERTAIN = 1e-9
"""A probability is called one if it is no further from it."""
ROUNDING = 1e-13
"""What one exchange may be missed by."""


class Alike(NamedTuple):
    """Opened states that share an exchange.

    Attributes:
        tree, signs: as in `Opened`.
        states: their numbers. ends: end by state.
        picks: what hopeful sides pick: choice by state.
    """

    tree: Tree
    signs: tuple[int, int]
    states: Ints
    ends: Ints
    picks: Numbers

    def only(self, some: Bools) -> Alike:
        """Only some of them."""
        return self._replace(
            states=self.states[some], ends=self.ends[:, some], picks=self.picks[:, some]
        )

    def free(self, side: int) -> tuple[int, int]:
        """Signs with which one side picks anew, and makes values large."""
        own = 1 - 2 * side
        one, other = (int(sign == own) for sign in self.signs)
        return one, other


def freed(alike: Sequence[Alike], most: Floats, side: int) -> Floats:
    """The greatest worth of states, none of which rests on putting off the end for ever.

    Of states that come back to each other the greatest worth may be what each lends the next. But
    whoever stays among them for ever gets a stalemate. So such states are worth no more than a
    stalemate, or than what leaving them is worth at most while the other side plays as it hopes to.

    Args:
        alike: opened states.
        most: what each state is worth at most to the side that may stay.
        side: that side.
    """
    part = _parts(alike, len(most))
    alike = [some.only(part[some.states] >= 0) for some in alike]
    stays = part >= 0
    kept = -1
    while kept != (kept := int(np.count_nonzero(stays))) and kept:
        for some in alike:
            inside = stays[some.ends] & (part[some.ends] == part[some.states])
            found, _ = some.tree.backward(inside * 1.0, some.picks, some.free(side), 0.0)
            stays[some.states] &= found[-1] > 1 - CERTAIN
    if not kept:
        return most
    part[~stays] = -1
    alike = [some.only(stays[some.states]) for some in alike]
    alike = [some for some in alike if len(some.states)]
    _, part[stays] = np.unique(part[stays], return_inverse=True)
    n = int(part.max()) + 1
    upper = np.zeros(n)
    np.maximum.at(upper, part[stays], most[stays])
    lower = np.zeros(n)
    for _ in range(HALVINGS):
        tried = (lower + upper) / 2
        holds = np.ones(n, np.bool_)
        capped = np.where(stays, np.minimum(most, tried[part]), most)
        for some in alike:
            inside = part[some.ends] == part[some.states]
            ends = np.where(inside, capped[some.ends], most[some.ends])
            found, _ = some.tree.backward(ends, some.picks, some.free(side), 0.0)
            here = part[some.states]
            fails = (found[-1] > tried[here] + ROUNDING) & (most[some.states] > tried[here])
            holds[here[fails]] = False
        upper, lower = np.where(holds, tried, upper), np.where(holds, lower, tried)
    return np.where(stays, np.minimum(most, upper[part]), most)


def _parts(alike: Sequence[Alike], n: int) -> Ints:
    """For each state the number of those with which it can come back to itself, else -1."""
    part = np.full(n, -1)
    if not alike:
        return part
    some = np.zeros(n, np.bool_)
    for one in alike:
        some[one.states] = True
    there = np.concatenate([one.ends.ravel() for one in alike])
    here = np.concatenate([np.tile(one.states, len(one.ends)) for one in alike])
    inside = some[there]
    ways = np.ones(int(inside.sum()), np.int8), (here[inside], there[inside])
    _, found = connected_components(csr_array(ways, shape=(n, n)), connection="strong")
    size = np.bincount(found)
    loops = np.zeros(n, np.bool_)
    loops[here[here == there]] = True
    back = some & ((size[found] > 1) | loops)
    part[back] = found[back]
    return part
