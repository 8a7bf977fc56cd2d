"""One exchange with all its choices as arrays: values from the ends up, chances from the root down.

A kernel tells places apart by their facts, a tree by what they come to: ends with the same pair of
effects are one place, and so are rolls with the same chances of the same places, and choices of
the same side between the same places. That leaves a tenth to a fiftieth of the places, and every
number as it was. Where two options come to the same, the one that is listed first stands for both.

All that is worked out is worked out for many columns at once: states of a fight that share the
exchange, but not what its ends are worth.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import groupby
from math import gcd
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from affray.core.fight import Role
from affray.core.meter import meter_in_force
from affray.core.node import At, Facts
from affray.core.unknown import Looked, filled, holds_unknown, is_look
from affray.engine.exchange.kernel import ChanceEntry, ChoiceEntry, HiddenEntry, Kernel, Leaf

__all__ = ["Picks", "Rolls", "Signs", "Tree", "grown"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
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
    """

    def __init__(self, pairs: tuple[Pair, ...], layers: Sequence[Rolls | Picks]) -> None:
        self.pairs = pairs
        self.layers = layers
        self.n_places = layers[-1].here.stop if layers else len(pairs)
        self.n_picks = sum(len(layer.to) for layer in layers if isinstance(layer, Picks))

    def backward(
        self, ends: Floats, picks: Ints, signs: Signs, least: float
    ) -> tuple[Floats, Ints]:
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
            wants = np.array(signs)[layer.whose, None]
            if wants.any():
                below = values[layer.to] * wants[:, :, None]
                best = below.argmax(1)
                gains = np.take_along_axis(below, np.stack([best, now], 1), 1)
                better = gains[:, 0] - gains[:, 1] > least
                if better.any():
                    fresh = picks.copy() if fresh is picks else fresh
                    fresh[layer.rows] = now = np.where(better, best, now)
            values[layer.here] = values[np.take_along_axis(layer.to, now, 1), columns]
        return values, fresh

    def forward(self, picks: Ints) -> Floats:
        """The probability of each pair of effects under what is picked: pair by column."""
        columns = np.arange(picks.shape[1])
        chances = np.zeros((self.n_places, len(columns)))
        chances[-1] = 1
        for layer in reversed(self.layers):
            reached = chances[layer.here]
            if isinstance(layer, Rolls):
                chances[: layer.here.start] += layer.chances.T @ reached
            else:
                to = np.take_along_axis(layer.to, picks[layer.rows], 1)
                np.add.at(chances, (to, columns), reached)
        return chances[: len(self.pairs)]

    def picked(self, place: int, picks: Ints) -> int:
        """The place to which a place leads under picks of one column; itself where none picks."""
        for layer in self.layers:
            if isinstance(layer, Picks) and layer.here.start <= place < layer.here.stop:
                number = place - layer.here.start
                return int(layer.to[number, picks[layer.rows][number]])
        return place


# -- growing one ---------------------------------------------------------------------------------


class _End(NamedTuple):
    """An end: what it did to both."""

    pair: Pair
    to: tuple[int, ...] = ()


class _Roll(NamedTuple):
    """A roll: to which places, with which weights in lowest terms."""

    to: tuple[int, ...]
    weights: tuple[int, ...]


class _Pick(NamedTuple):
    """A choice: to which places, and who decides (see `Picks.whose`)."""

    to: tuple[int, ...]
    whose: int


_Place = _End | _Roll | _Pick


def grown(
    kernel: Kernel,
    root: At[Facts],
    part: Hashable,
    effect: Callable[[Facts, Role], Hashable],
    most_places: int,
) -> tuple[Tree, dict[int, int], bool]:
    """The tree of an exchange.

    Args:
        kernel: follows the rules; it grows as well, by what it did not know yet.
        root: where the exchange starts.
        part: the hidden part, filled in where a step looks at it.
        effect: what an outcome did to one who took part (see `Fight.effect`).
        most_places: how many places the kernel may have.

    Returns:
        The tree, the place of each entry of the kernel that belongs to it, and whether a step
        looked at the hidden part.

    Raises:
        LimitError: more than `most_places`.
    """
    growing = _Growing(kernel, part, effect, most_places)
    growing.follow(kernel.number(root, most_places))
    tree, order = growing.tree()
    places = {number: order[found] for number, found in growing.found.items()}
    return tree, places, growing.looked


class _Growing:
    """Places of a tree as they are met.

    Attributes:
        found: the place of each entry of the kernel.
        looks: for each entry that looks at the hidden part, the one that it comes to.
        looked: whether anything looked at it: a step, or what an end comes to.
    """

    def __init__(
        self,
        kernel: Kernel,
        part: Hashable,
        effect: Callable[[Facts, Role], Hashable],
        most_places: int,
    ) -> None:
        self.kernel, self.part, self.effect = kernel, part, effect
        self.most_places = most_places
        self.acting = kernel.game.system.actors[0]
        self.found: dict[int, int] = {}
        self.looks: dict[int, int] = {}
        self.looked = False
        self._places: dict[_Place, int] = {}
        self._heights: list[int] = []

    def follow(self, root: int) -> None:
        """Put in an entry of the kernel and all that it leads to, the ends first."""
        waiting = [root]
        meter = meter_in_force()
        while waiting:
            meter.tick()
            number = waiting[-1]
            new = [child for child in self._below(number) if child not in self.found]
            if new:
                waiting += new
                continue
            waiting.pop()
            if number not in self.found:
                self.found[number] = self._place(number)

    def _below(self, number: int) -> Sequence[int]:
        entry = self.kernel.entries[number]
        if not isinstance(entry, HiddenEntry):
            return entry.to
        if number not in self.looks:
            self.looked = True
            at = At(entry.at.step, filled(entry.at.facts, self.part))
            self.looks[number] = self.kernel.number(at, self.most_places)
        return (self.looks[number],)

    def _place(self, number: int) -> int:
        """The place of an entry; the places that it leads to are known."""
        entry = self.kernel.entries[number]
        if isinstance(entry, Leaf):
            return self._put(_End(self._pair(entry.facts)))
        to = [self.found[child] for child in self._below(number)]
        if len(set(to)) == 1:
            return to[0]
        if isinstance(entry, ChoiceEntry):
            return self._put(_Pick(tuple(dict.fromkeys(to)), int(entry.actor != self.acting)))
        assert isinstance(entry, ChanceEntry)  # nothing is left aside in this kernel
        weights: dict[int, int] = {}
        for place, weight in zip(to, entry.weights, strict=True):
            weights[place] = weights.get(place, 0) + weight
        ordered, divisor = sorted(weights), gcd(*weights.values())
        return self._put(_Roll(tuple(ordered), tuple(weights[p] // divisor for p in ordered)))

    def _pair(self, facts: Facts) -> Pair:
        try:
            pair = self.effect(facts, "actor"), self.effect(facts, "target")
        except (Looked, Exception) as error:
            if not is_look(error, facts, "an effect"):
                raise
        else:
            if not holds_unknown(pair):
                return pair
        self.looked = True
        facts = filled(facts, self.part)
        return self.effect(facts, "actor"), self.effect(facts, "target")

    def _put(self, place: _Place) -> int:
        known = self._places.setdefault(place, len(self._places))
        if known == len(self._heights):
            below = (self._heights[child] for child in place.to)
            self._heights.append(1 + max(below, default=-1))
        return known

    def tree(self) -> tuple[Tree, list[int]]:
        """All that was met as a tree, and the place in it of each place here."""
        places = list(self._places)

        def layer(number: int) -> tuple[int, int]:
            place = places[number]
            return self._heights[number], len(place.to) if isinstance(place, _Pick) else 0

        order = sorted(range(len(places)), key=layer)
        now = [0] * len(places)
        for here, number in enumerate(order):
            now[number] = here
        pairs: list[Pair] = []
        layers: list[Rolls | Picks] = []
        n_picks = start = 0
        meter = meter_in_force()
        for _, numbers in groupby(order, layer):
            meter.poll()
            alike = [places[number] for number in numbers]
            span = slice(start, start + len(alike))
            start = span.stop
            ends = [place for place in alike if isinstance(place, _End)]
            rolls = [place for place in alike if isinstance(place, _Roll)]
            picks = [place for place in alike if isinstance(place, _Pick)]
            if ends:
                pairs = [end.pair for end in ends]
            elif rolls:
                layers.append(Rolls(span, _matrix(rolls, now, span.start)))
            else:
                to = np.array([[now[place] for place in pick.to] for pick in picks])
                rows = slice(n_picks, n_picks + len(picks))
                n_picks = rows.stop
                layers.append(Picks(span, rows, to, np.array([pick.whose for pick in picks])))
        return Tree(tuple(pairs), layers), now


def _matrix(rolls: list[_Roll], now: list[int], width: int) -> csr_array:
    """The probability of each place: roll by place."""
    chances = [weight / sum(roll.weights) for roll in rolls for weight in roll.weights]
    columns = [now[place] for roll in rolls for place in roll.to]
    starts = np.cumsum([0, *(len(roll.to) for roll in rolls)])
    return csr_array((chances, columns, starts), shape=(len(rolls), width))
