"""Exchanges with all their choices, followed and merged: what trees are made of.

A kernel tells places apart by their facts, a grove by what they come to: ends with the same pair of
effects are one place, and so are rolls with the same chances of the same places, and choices of
the same side between the same places. That leaves a tenth to a fiftieth of the places, and every
number as it was. Where two options come to the same, the one that is listed first stands for both.

Exchanges of all conditions grow in one grove: what comes after a seam is followed once for all of
them, and those that come to the same in all that may happen are one tree.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import groupby
from math import gcd

import numpy as np
from scipy.sparse import csr_array

from affray.core.fight import Role
from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.core.node import At, Chance, Facts
from affray.core.unknown import Looked, Made, filled, holds_unknown, is_look
from affray.engine.exchange.entries import ChanceEntry, ChoiceEntry, HiddenEntry, Leaf, SeamEntry
from affray.engine.exchange.kernel import Kernel
from affray.engine.fight.duels.tree import Pair, Picks, Rolls, Tree

__all__ = ["Grove"]

MOST_KEPT = 20_000
"""Entries of a kernel beyond which a fresh one is begun."""


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
_Beyond = At[Facts] | Chance[Facts]


class Grove:
    """Places of exchanges as they are met, each by number.

    Args:
        kernel: makes a kernel that follows the rules up to seams.
        effect: what an outcome did to one who took part (see `Fight.effect`).
        pares: a place at a seam, without what effects don't need.

    """

    def __init__(
        self,
        kernel: Callable[[], Kernel],
        effect: Callable[[Facts, Role], Hashable],
        pares: Callable[[At[Facts]], At[Facts]],
    ) -> None:
        self._fresh, self.effect, self.pares = kernel, effect, pares
        self.kernel = kernel()
        self.acting = self.kernel.game.system.actors[0]
        self._dropped = 0
        self.numbers: dict[_Place, int] = {}
        self.heights: list[int] = []
        # Of entries of the kernel, and of what lies beyond seams: the place of those that don't
        # look at the hidden part, and of those that do, for each part.
        self.alike: dict[int, int] = {}
        self.apart: dict[Hashable, dict[int, int]] = {}
        self.beyond: dict[_Beyond, int] = {}
        self.beyond_apart: dict[Hashable, dict[_Beyond, int]] = {}
        self.made: Made = {}
        self.places: list[_Place] = []

    @property
    def n_followed(self) -> int:
        """How many places were followed so far."""
        return self._dropped + len(self.kernel)

    def place(self, at: At[Facts], part: Hashable, most: int) -> tuple[int, bool]:
        """The place that a place of the rules comes to.

        Args:
            at: where the exchange is.
            part: the hidden part, filled in where a step looks at it.
            most: how many places may be followed, all in all.

        Returns:
            Its number, and whether something looked at the hidden part: a step, or an end.

        Raises:
            LimitError: more than `most`.
        """
        if len(self.kernel) > MOST_KEPT:
            self._dropped += len(self.kernel)
            self.kernel = self._fresh()
            self.alike.clear()
            self.apart.clear()
        most -= self._dropped
        number = self.kernel.number(at, most)
        _Following(self, part, most).follow(number)
        found = self.alike.get(number)
        return (found, False) if found is not None else (self.apart[part][number], True)

    def tree(self, root: int) -> tuple[Tree, dict[int, int]]:
        """All that a place leads to as a tree, and where in it each of these places stands."""
        places, heights = self.places, self.heights
        inside, waiting = {root}, [root]
        while waiting:
            for child in places[waiting.pop()].to:
                if child not in inside:
                    inside.add(child)
                    waiting.append(child)

        def layer(number: int) -> tuple[int, int]:
            place = places[number]
            return heights[number], len(place.to) if isinstance(place, _Pick) else 0

        order = sorted(sorted(inside), key=layer)
        now = {number: here for here, number in enumerate(order)}
        pairs: list[Pair] = []
        layers: list[Rolls | Picks] = []
        n_picks = start = 0
        for _, numbers in groupby(order, layer):
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


class _Following:
    """Entries of a kernel put into a grove, for one hidden part."""

    def __init__(self, grove: Grove, part: Hashable, most: int) -> None:
        self.grove, self.part, self.most = grove, part, most
        self.kernel = grove.kernel
        self.alike = grove.alike
        self.apart = grove.apart.setdefault(part, {})
        self.beyond = grove.beyond
        self.beyond_apart = grove.beyond_apart.setdefault(part, {})
        self.leads: dict[int, tuple[tuple[int], _Beyond]] = {}

    def follow(self, root: int) -> None:
        """Put in an entry and all that it leads to, the ends first."""
        alike, apart = self.alike, self.apart
        waiting = [root]
        meter = meter_in_force()
        while waiting:
            number = waiting[-1]
            if number in alike or number in apart:
                waiting.pop()
                continue
            below = self._below(number)
            if below is None:
                continue
            new = [child for child in below if child not in alike and child not in apart]
            if new:
                waiting += new
                continue
            meter.tick()
            waiting.pop()
            self._put(number, below)

    def _below(self, number: int) -> Sequence[int] | None:
        """The entries to which one leads; None if its place was known, and is noted now."""
        entry = self.kernel.entries[number]
        if not isinstance(entry, (SeamEntry, HiddenEntry)):
            return entry.to
        known = self.leads.get(number)
        if known is not None:
            return known[0]
        beyond: _Beyond
        if isinstance(entry, HiddenEntry):
            at = At(entry.at.step, filled(entry.at.facts, self.part, self.grove.made))
            # A hidden part is known now, and some of it no longer needed.
            beyond = self.grove.pares(at) if at.step in self.kernel.seams else at
        elif isinstance(entry.beyond, At):
            beyond = self.grove.pares(entry.beyond)
        else:
            beyond = entry.beyond
        for places, into in ((self.beyond, self.alike), (self.beyond_apart, self.apart)):
            if beyond in places:
                looks = isinstance(entry, HiddenEntry)
                (self.apart if looks else into)[number] = places[beyond]
                return None
        follow = self.kernel.number if isinstance(beyond, At) else self.kernel.number_beyond
        below = follow(beyond, self.most)  # type: ignore[arg-type]  # it is of that kind
        self.leads[number] = (below,), beyond
        return self.leads[number][0]

    def _put(self, number: int, below: Sequence[int]) -> None:
        """Note the place of an entry; the places that it leads to are known."""
        entry = self.kernel.entries[number]
        alike, apart = self.alike, self.apart
        if isinstance(entry, Leaf):
            pair, looked = self._pair(entry.facts)
            (apart if looked else alike)[number] = self._number(_End(pair))
            return
        looks = isinstance(entry, HiddenEntry)
        to = []
        for child in below:
            place = alike.get(child)
            if place is None:
                place, looks = apart[child], True
            to.append(place)
        if number in self.leads:
            beyond = self.leads.pop(number)[1]
            (self.beyond if below[0] in alike else self.beyond_apart)[beyond] = to[0]
        (apart if looks else alike)[number] = self._joined(entry, to)

    def _joined(self, entry: object, to: list[int]) -> int:
        if len(set(to)) == 1:
            return to[0]
        if isinstance(entry, ChoiceEntry):
            whose = int(entry.actor != self.grove.acting)
            return self._number(_Pick(tuple(dict.fromkeys(to)), whose))
        assert isinstance(entry, ChanceEntry)  # nothing is left aside in this kernel
        weights: dict[int, int] = {}
        for place, weight in zip(to, entry.weights, strict=True):
            weights[place] = weights.get(place, 0) + weight
        ordered, divisor = sorted(weights), gcd(*weights.values())
        return self._number(_Roll(tuple(ordered), tuple(weights[p] // divisor for p in ordered)))

    def _pair(self, facts: Facts) -> tuple[Pair, bool]:
        """What an end did to both, and whether that looks at the hidden part."""
        effect = self.grove.effect
        try:
            pair = effect(facts, "actor"), effect(facts, "target")
        except (Looked, Exception) as error:
            if not is_look(error, facts, "an effect"):
                raise
        else:
            if not holds_unknown(pair):
                return pair, False
        facts = filled(facts, self.part, self.grove.made)
        return (effect(facts, "actor"), effect(facts, "target")), True

    def _number(self, place: _Place) -> int:
        grove = self.grove
        known = grove.numbers.setdefault(place, len(grove.places))
        if known == len(grove.places):
            grove.places.append(place)
            below = (grove.heights[child] for child in place.to)
            grove.heights.append(1 + max(below, default=-1))
        return known


def _matrix(rolls: list[_Roll], now: dict[int, int], width: int) -> csr_array:
    """The probability of each place: roll by place."""
    chances = [weight / sum(roll.weights) for roll in rolls for weight in roll.weights]
    columns = [now[place] for roll in rolls for place in roll.to]
    starts = np.cumsum([0, *(len(roll.to) for roll in rolls)])
    return csr_array((chances, columns, starts), shape=(len(rolls), width))
