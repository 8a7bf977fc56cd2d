"""A tree in two parts: what is settled already, and what still depends on some of its ends.

Where states can come back to each other, most ends of an exchange lie nearer to the end of the
fight, and are settled. All places that lead to no other ends are worked out once. What is left is a
small tree over the few ends that are not settled; it is gone through again and again.

    settled ends  -->  settled places  -.
                                         >-->  open places  -->  root
    open ends     -----------------------'
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import groupby

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from affray.core.lazy import NamedTuple
from affray.engine.fight.duels.tree import Numbers, Picks, Rolls, Signs, Tree, spans

__all__ = ["Settled", "Sided", "Split"]

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


class _Alike(NamedTuple):
    """Rolls that lead to equally many open places.

    Attributes:
        here: where they stand among what is worked out.
        to, chances: for each of them the open ends and choices to which it leads, and how likely.
    """

    here: slice
    to: Ints
    chances: Floats


class Sided(NamedTuple):
    """Open choices of one side that are equally far from the ends.

    Attributes:
        here: where they stand. rows: the same among all choices of the tree.
        to: where each option stands: option by choice.
        whose: as in `Picks`.
    """

    here: Ints
    rows: Ints
    to: Ints
    whose: int


class _OpenPicks(NamedTuple):
    """Open choices that are equally far from the ends.

    Attributes:
        options: rolls to which they lead: where they stand among what is worked out.
        rolls: the same rolls, those that are alike together.
        shares: where they stand among the shares.
        choices: these choices, those of one side together.
    """

    options: slice
    rolls: list[_Alike]
    shares: slice
    choices: list[Sided]


class Split:
    """A tree in two parts.

    Rolls lead to no other rolls: they are worth a sum of what open ends, open choices and settled
    places are worth.

    Args:
        tree: all of it.
        is_open: which ends are not settled.

    Attributes:
        ends: the ends that are not settled, by number.
        options: settled places to which open choices lead, and the root if it is settled.
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
        # Of each open roll the layer, and its row there.
        rows_of: dict[int, tuple[Rolls, int]] = {}
        for layer in tree.layers:
            start = layer.here.start
            if isinstance(layer, Rolls):
                ways = layer.chances
                here: Bools = np.logical_or.reduceat(opens[ways.indices], ways.indptr[:-1])
                for row in np.flatnonzero(here).tolist():
                    rows_of[start + row] = layer, row
            else:
                here = np.asarray(opens[layer.to].any(1))
            opens[layer.here] = here
            n_here = int(np.count_nonzero(here))
            if n_here < len(here):
                self.settled.append(_part(layer, ~here))
            if n_here and isinstance(layer, Picks):
                numbers = np.arange(n, n + n_here)
                n += n_here
                where[layer.here][here] = numbers
                rows = np.arange(layer.rows.start, layer.rows.stop)[here]
                found.append((numbers, rows, layer.to[here], layer.whose[here]))
        self.n_base, base_of = n, where.copy()
        root = tree.n_places - 1
        asked = [np.unique(to) for _, _, to, _ in found] + [np.array([root])]
        every = np.unique(np.concatenate(asked))
        self.options: Ints = every[~opens[every]]
        where[self.options] = n + np.arange(len(self.options))
        self.n_options = len(self.options)
        n += self.n_options
        self.layers: list[_OpenPicks] = []
        outer: list[tuple[Ints, Floats]] = []
        none = self.ends[:0]
        for to, (numbers, rows, options, whose) in zip(
            asked, [*found, (none, none, none, none)], strict=True
        ):
            rolls = [
                (roll, *_apart(*rows_of[roll], opens))
                for roll in to[opens[to] & (where[to] < 0)].tolist()
            ]
            rolls.sort(key=lambda row: len(row[1]))
            span, share = slice(n, n + len(rolls)), slice(len(outer), len(outer) + len(rolls))
            where[[roll for roll, *_ in rolls]] = np.arange(span.start, span.stop)
            n = span.stop
            outer += [(places, likely) for *_, places, likely in rolls]
            inner = [(base_of[places], likely) for _, places, likely, *_ in rolls]
            alike = list(_alike(inner, span.start))
            choices = list(_sided(numbers, rows, where[options], whose))
            self.layers.append(_OpenPicks(span, alike, share, choices))
        self.n, self.root = n, int(where[root])
        self.outer: csr_array | None = None
        if outer:
            starts = np.cumsum([0, *(len(places) for places, _ in outer)])
            chances = np.concatenate([likely for _, likely in outer])
            ways = chances, np.concatenate([places for places, _ in outer]), starts
            self.outer = csr_array(ways, shape=(len(outer), tree.n_places))

    @cached_property
    def stays(self) -> float:
        """How likely it leads to open ends, whichever these are, if both sides want that."""
        wanted = np.zeros((len(self.tree.pairs), 1))
        wanted[self.ends] = 1
        first: Numbers = np.zeros((self.tree.n_picks, 1), np.int64)
        values, _ = self.tree.backward(wanted, first, (1, 1), 0.0)
        return float(values[-1, 0])

    def settle(self, ends: Floats, picks: Numbers, signs: Signs, least: float) -> Settled:
        """Work out the settled part, and pick in it.

        Args:
            ends: what each end is worth: end by column; open ones are not looked at.
            picks: what is picked so far, choice by column; changed in place.
            signs: who picks anew, and to what end.
            least: as for `Tree.backward`.
        """
        columns = np.arange(ends.shape[1])
        values = np.empty((self.tree.n_places, len(columns)))  # open places are not looked at
        values[: len(self.tree.pairs)] = ends
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


def _apart(layer: Rolls, row: int, opens: Bools) -> tuple[Ints, Floats, Ints, Floats]:
    """The places to which a roll leads that are open, and how likely; and the others."""
    ways = layer.chances
    span = slice(int(ways.indptr[row]), int(ways.indptr[row + 1]))
    places, likely = ways.indices[span], ways.data[span]
    inside = opens[places]
    return places[inside], likely[inside], places[~inside], likely[~inside]


def _alike(rolls: list[tuple[Ints, Floats]], start: int) -> Iterator[_Alike]:
    """Rolls that lead to equally many places, of a list in that order.

    Args:
        rolls: to which places they lead, and how likely.
        start: where the first of them stands.
    """
    for _, some in groupby(rolls, lambda roll: len(roll[0])):
        to, chances = zip(*some, strict=True)
        here = slice(start, start + len(to))
        start = here.stop
        yield _Alike(here, np.array(to), np.array(chances))


def _sided(here: Ints, rows: Ints, to: Ints, whose: Ints) -> Iterator[Sided]:
    """The choices of either side."""
    for side in (0, 1):
        some = np.flatnonzero(whose == side)
        if len(some):
            yield Sided(here[some], rows[some], np.ascontiguousarray(to[some].T), side)


def _part(layer: Rolls | Picks, some: Bools) -> _SettledRolls | _SettledPicks:
    """Some of the places of a layer."""
    here = np.flatnonzero(some)
    if isinstance(layer, Rolls):
        ways = layer.chances
        if len(here) < len(some):
            entries, sizes = spans(ways.indptr, here)
            starts = np.concatenate([np.zeros(1, np.int32), np.cumsum(sizes, dtype=np.int32)])
            shape = len(here), ways.shape[1]
            ways = csr_array((ways.data[entries], ways.indices[entries], starts), shape=shape)
        return _SettledRolls(layer.here.start + here, ways)
    return _SettledPicks(
        layer.here.start + here, layer.rows.start + here, layer.to[some], layer.whose[some]
    )


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
