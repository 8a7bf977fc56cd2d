"""One exchange with all its choices as arrays: values from the ends up, chances from the root down.

All that is worked out is worked out for many columns at once: states of a fight that share the
exchange, but not what its ends are worth.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array

from affray.core.lazy import NamedTuple
from affray.engine.fight.duels.ranges import ranges

__all__ = ["Numbers", "Picks", "Rolls", "Signs", "Tree", "spans"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Numbers: TypeAlias = "NDArray[np.signedinteger[Any]]"
"""Small or large numbers."""
Pair = tuple[Hashable, Hashable]
"""Effects of an exchange on the one who acts and on the target."""
Signs = tuple[int, int]
"""The actor's and the target's way to pick: 1 makes values large,
-1 what makes them small, 0 keeps what is picked."""


class Rolls(NamedTuple):
    """Rolls that are equally far from the ends.

    Attributes:
        here: their places.
        chances: for each of them a row with the probability of each place before `here`.
    """

    here: slice
    chances: csr_array


class Picks(NamedTuple):
    """Choices that are equally far from the ends and have equally many options.

    Attributes:
        here: their places.
        rows: where they stand among all choices of the tree.
        to: the place to which each option leads: choice by option.
        whose: 0 where the one who acts decides, 1 where the target does.
    """

    here: slice
    rows: slice
    to: Ints
    whose: Ints


class Tree:
    """An exchange: ends come first, then what leads to them, the root last.

    Attributes:
        pairs: what the ends are: the place of an end is the number of its pair.
        layers: all other places, those nearer to the ends first.
        n_places, n_picks: how many places there are, and how many of them are choices.
        most_options: how many options a choice has at most.
    """

    def __init__(self, pairs: tuple[Pair, ...], layers: Sequence[Rolls | Picks]) -> None:
        self.pairs = pairs
        self.layers = layers
        self.n_places = layers[-1].here.stop if layers else len(pairs)
        picks = [layer for layer in layers if isinstance(layer, Picks)]
        self.n_picks = sum(len(layer.to) for layer in picks)
        self.most_options = max((layer.to.shape[1] for layer in picks), default=0)

    def backward(
        self, ends: Floats, picks: Numbers, signs: Signs, least: float
    ) -> tuple[Floats, Numbers]:
        """The worth of every place, and the picks.

        Args:
            ends: what each pair of effects is worth: pair by column.
            picks: the option that is picked so far: choice by column.
            signs: who picks anew, and to what end.
            least: another option is picked only if it gains more than this; the earliest one
                of those that gain most.
        """
        columns = np.arange(ends.shape[1])
        values = np.empty((self.n_places, len(columns)))
        values[: len(self.pairs)] = ends
        fresh = picks
        for layer in self.layers:
            if isinstance(layer, Rolls):
                values[layer.here] = layer.chances @ values[: layer.here.start]
                continue
            now = picks[layer.rows]
            worth = values[_led(layer.to, now), columns]
            wants = np.array(signs)[layer.whose, None]
            if wants.any():
                below = values[layer.to] * wants[:, :, None]
                top = below.max(1)
                better = top - worth * wants > least
                if better.any():
                    fresh = picks.copy() if fresh is picks else fresh
                    fresh[layer.rows] = np.where(better, below.argmax(1), now)
                    worth = np.where(better, top * wants, worth)
            values[layer.here] = worth
        return values, fresh

    def forward(self, picks: Numbers) -> Floats:
        """The probability of each pair of effects under what is picked: pair by column."""
        columns = np.arange(picks.shape[1])
        chances = np.zeros((self.n_places, len(columns)))
        chances[-1] = 1
        for layer, turned in zip(reversed(self.layers), self._turned, strict=True):
            reached = chances[layer.here]
            if isinstance(layer, Rolls):
                chances[: layer.here.start] += turned @ reached
            else:
                np.add.at(chances, (_led(layer.to, picks[layer.rows]), columns), reached)
        return chances[: len(self.pairs)]

    @cached_property
    def _turned(self) -> list[csc_array | None]:
        """The chances of rolls, place by roll, the layers nearest to the root first."""
        return [
            layer.chances.T if isinstance(layer, Rolls) else None for layer in reversed(self.layers)
        ]

    def picked(self, place: int, picks: Numbers) -> int:
        """The place to which a place leads under picks of one column; itself where none picks."""
        for layer in self.layers:
            if isinstance(layer, Picks) and layer.here.start <= place < layer.here.stop:
                number = place - layer.here.start
                return int(layer.to[number, picks[layer.rows][number]])
        return place


def _led(to: Ints, picks: Numbers) -> Ints:
    """The place to which each choice leads under what is picked: choice by column."""
    starts = np.arange(0, to.size, to.shape[1])[:, None]
    found: Ints = to.take(starts + picks)
    return found


def spans(starts: Ints, rows: Ints) -> tuple[Ints, Ints]:
    """The entries of some rows of a sparse matrix, one after the other, and how many in each.

    Args:
        starts: where the entries of each row start, and where the last one ends.
        rows: these rows.
    """
    begin = starts[rows].astype(np.int64)
    sizes = starts[rows + 1] - begin
    return ranges(begin, sizes), sizes
