"""A tree in two parts: what is settled already, and what still depends on some of its ends.

Where states can come back to each other, most ends of an exchange lie nearer to the end of the
fight, and are settled. All places that lead to no other ends are worked out once. What is left is a
small tree over the few ends that are not settled; it is gone through again and again.

    settled ends  -->  settled places  -.
                                         >-->  open places  -->  root
    open ends     -----------------------'
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from affray.core.lazy import NamedTuple
from affray.engine.fight.duels.tree import Numbers, Picks, Rolls, Signs, Tree

__all__ = ["Settled", "Split"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


class Settled(NamedTuple):
    """What the settled part of a tree is worth, a column for each state.

    Attributes:
        shares: what open rolls are worth as far as they lead to settled places.
        options: what settled places are worth to which open choices lead, and the root if it is
            settled.
        slack: by how much a side could gain by other picks in the settled part, at most.
    """

    shares: Floats
    options: Floats
    slack: float


class _SettledRolls(NamedTuple):
    here: Ints
    chances: csr_array


class _SettledPicks(NamedTuple):
    here: Ints
    rows: Ints
    to: Ints
    whose: Ints


class _OpenPicks(NamedTuple):
    """Open choices that are equally far from the ends.

    Attributes:
        options: rolls to which they lead: where they stand among what is worked out.
        chances: for each of these the probability of each open end, and of each choice before.
        shares: where they stand among the shares.
        here: where these choices stand. rows: the same among all choices of the tree.
        to: where each option stands: choice by option.
        whose: as in `Picks`.
    """

    options: slice
    chances: Floats
    shares: slice
    here: slice
    rows: Ints
    to: Ints
    whose: Ints


class Split:
    """A tree in two parts.

    Rolls are worth a sum of what open ends, open choices and settled places are worth; so nothing
    but choices is gone through one after the other, and what they choose from.

    Args:
        tree: all of it.
        is_open: which ends are not settled.

    Attributes:
        ends: the ends that are not settled, by number.
        options: settled places to which open choices lead, and the root if it is settled.
        n_shares: how many rolls there are to which open choices lead, or the root.
    """

    def __init__(self, tree: Tree, is_open: Bools) -> None:
        self.tree = tree
        self.ends: Ints = np.nonzero(is_open)[0]
        opens = np.zeros(tree.n_places, np.bool_)
        opens[: len(tree.pairs)] = is_open
        self.settled: list[_SettledRolls | _SettledPicks] = []
        found: list[tuple[Ints, Ints, Ints, Ints]] = []
        where = np.full(tree.n_places, -1)
        where[self.ends] = np.arange(len(self.ends))
        n = len(self.ends)
        open_rolls = np.zeros(tree.n_places, np.bool_)
        for layer in tree.layers:
            places, start = np.arange(layer.here.start, layer.here.stop), layer.here.start
            if isinstance(layer, Rolls):
                here: Bools = np.asarray((layer.chances @ opens[:start].astype(float)) > 0)
                open_rolls[places] = here
            else:
                here = np.asarray(opens[layer.to].any(1))
            opens[places] = here
            if not here.all():
                self.settled.append(_part(layer, ~here))
            if here.any() and isinstance(layer, Picks):
                numbers = np.arange(n, n + int(here.sum()))
                n += len(numbers)
                where[places[here]] = numbers
                rows = np.arange(layer.rows.start, layer.rows.stop)[here]
                found.append((numbers, rows, layer.to[here], layer.whose[here]))
        n_base, bases = n, np.nonzero(where >= 0)[0]
        root = tree.n_places - 1
        asked = [np.unique(to) for _, _, to, _ in found] + [np.array([root])]
        every = np.unique(np.concatenate(asked))
        self.options: Ints = every[~opens[every]]
        where[self.options] = n + np.arange(len(self.options))
        self.n_base, n = n, n + len(self.options)
        self.n_options = len(self.options)
        self.layers: list[_OpenPicks] = []
        asked_rolls = every[open_rolls[every]]
        row_of = np.zeros(tree.n_places, np.int64)
        row_of[asked_rolls] = np.arange(len(asked_rolls))
        # What these are worth in open ends and choices, and in settled places.
        base = np.zeros((len(asked_rolls), n_base))
        if len(asked_rolls):
            known = _seen_through(tree, asked_rolls, open_rolls)
            base[:, where[bases]] = known[:, bases].toarray()
        shares: list[Ints] = []
        self.n_shares = 0
        for to, (numbers, rows, options, whose) in zip(
            asked,
            [*found, (self.ends[:0], self.ends[:0], self.ends[:0], self.ends[:0])],
            strict=True,
        ):
            rolls = to[opens[to] & (where[to] < 0)]
            where[rolls] = n + np.arange(len(rolls))
            span = slice(n, n + len(rolls))
            low = int(numbers[0]) if len(numbers) else self.n_base
            share = slice(self.n_shares, self.n_shares + len(rolls))
            n, self.n_shares = span.stop, share.stop
            shares.append(rolls)
            chances = np.ascontiguousarray(base[row_of[rolls], :low])
            here_ = slice(low, low + len(numbers))
            self.layers.append(_OpenPicks(span, chances, share, here_, rows, where[options], whose))
        self.n, self.root = n, int(where[root])
        kept = np.concatenate(shares)
        self.outer: csr_array | None = None
        if len(kept):
            outer = known[row_of[kept]].tocoo()
            some = ~opens[outer.col]
            parts = outer.data[some], (outer.row[some], outer.col[some])
            self.outer = csr_array(parts, shape=outer.shape)

    def settle(self, ends: Floats, picks: Numbers, signs: Signs, least: float) -> Settled:
        """Work out the settled part, and pick in it.

        Args:
            ends: what each end is worth: end by column; open ones are not looked at.
            picks: what is picked so far, choice by column; changed in place.
            signs: who picks anew, and to what end.
            least: as for `Tree.backward`.
        """
        columns = np.arange(ends.shape[1])
        values = np.zeros((self.tree.n_places, len(columns)))
        values[: len(self.tree.pairs)] = ends
        values[self.ends] = 0
        slack = 0.0
        for layer in self.settled:
            if isinstance(layer, _SettledRolls):
                values[layer.here] = layer.chances @ values[: layer.chances.shape[1]]
            else:
                now, more = _better(layer.whose, values[layer.to], picks[layer.rows], signs, least)
                picks[layer.rows] = now
                slack += more
                values[layer.here] = values[np.take_along_axis(layer.to, now, 1), columns]
        shares = np.zeros((0, len(columns))) if self.outer is None else self.outer @ values
        return Settled(shares, values[self.options], slack)


def _seen_through(tree: Tree, rolls: Ints, open_rolls: Bools) -> csr_array:
    """The chance with which some rolls come to each place that is not an open roll."""
    every = [(layer.here.start, layer.chances.tocoo()) for layer in tree.layers
             if isinstance(layer, Rolls)]  # fmt: skip
    here = np.concatenate([start + one.row for start, one in every])
    there = np.concatenate([one.col for _, one in every])
    chances = np.concatenate([one.data for _, one in every])
    shape = tree.n_places, tree.n_places
    on = open_rolls[there]
    further = csr_array((chances[on], (here[on], there[on])), shape=shape)
    stops = csr_array((chances[~on], (here[~on], there[~on])), shape=shape)
    now = csr_array(
        (np.ones(len(rolls)), (np.arange(len(rolls)), rolls)), shape=(len(rolls), tree.n_places)
    )
    found = now @ stops
    while (now := now @ further).nnz:
        found = found + now @ stops
    return csr_array(found)


def _part(layer: Rolls | Picks, some: Bools) -> _SettledRolls | _SettledPicks:
    """Some of the places of a layer."""
    here = np.arange(layer.here.start, layer.here.stop)[some]
    if isinstance(layer, Rolls):
        return _SettledRolls(here, layer.chances[some])
    rows = np.arange(layer.rows.start, layer.rows.stop)[some]
    return _SettledPicks(here, rows, layer.to[some], layer.whose[some])


def _better(
    whose: Ints, below: Floats, now: Numbers, signs: Signs, least: float
) -> tuple[Numbers, float]:
    """The picks of a layer, and how much more the best options are worth at most.

    Args:
        whose: who decides.
        below: what the options are worth: choice, option, column.
        now: what is picked so far: choice by column.
        signs: who picks anew, and to what end.
        least: as for `Tree.backward`.
    """
    wants = np.array(signs)[whose, None]
    if not wants.any():
        return now, 0.0
    below = below * wants[:, :, None]
    best = below.argmax(1)
    gains = np.take_along_axis(below, np.stack([best, now], 1), 1)
    gain = gains[:, 0] - gains[:, 1]
    better = gain > least
    return np.where(better, best, now).astype(now.dtype), float(
        np.where(better, 0.0, gain).max(initial=0.0)
    )
