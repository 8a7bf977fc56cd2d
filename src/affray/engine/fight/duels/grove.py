"""Exchanges with all their choices, followed and merged: what trees are made of.

A kernel tells places apart by their facts, a grove by what they come to: ends with the same pair of
effects are one place, and so are rolls with the same chances of the same places, and choices of
the same side between the same places. That leaves a tenth to a fiftieth of the places, and every
number as it was. Where two options come to the same, the one that is listed first stands for both.

Exchanges of all conditions grow in one grove: what comes after a seam is followed once for all of
them, and those that come to the same in all that may happen are one tree. What a target hides is
unknown at first. Once an exchange has been followed so far, with another hidden part only the
places at which something looks at it are.
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
from affray.core.unknown import Looked, Made, holds_unknown, is_look
from affray.core.unknown import filled as filled_in
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


class _Veiled(NamedTuple):
    """A place at which a step looks at the hidden part, or the facts of an end that look at it."""

    there: At[Facts] | Facts
    to: tuple[int, ...] = ()


_Place = _End | _Roll | _Pick | _Veiled
_Beyond = At[Facts] | Chance[Facts]


class Grove:
    """Places of exchanges as they are met, each by number.

    What depends on the hidden part is a place as well. An exchange is followed once with the part
    unknown; then it is filled in where something looks at it.

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
        self.places: list[_Place] = []
        # The veiled places to which each place leads.
        self.veils: list[tuple[int, ...]] = []
        # The places of entries of the kernel, and of what lies beyond seams.
        self.known: dict[int, int] = {}
        self.beyond: dict[_Beyond, int] = {}
        self.made: Made = {}
        # What places come to with a hidden part filled in: by part, and by what veiled ones are.
        self._filled: dict[Hashable, dict[int, int]] = {}
        self._by_veils: dict[tuple[int, ...], int] = {}

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
            self.known.clear()
        return self._place(at, part, most - self._dropped)

    def _place(self, at: At[Facts], part: Hashable, most: int) -> tuple[int, bool]:
        entry = self.kernel.number(at, most)
        _Following(self, most).follow(entry)
        number = self.known[entry]
        if not self.veils[number]:
            return number, False
        return self._with_part(number, part, most), True

    # -- the hidden part -------------------------------------------------------------------------

    def _with_part(self, number: int, part: Hashable, most: int) -> int:
        """The place to which a veiled one comes with the hidden part filled in."""
        filled = self._filled.setdefault(part, {})
        known = filled.get(number)
        if known is not None:
            return known
        now = [self._unveiled(veil, part, filled, most) for veil in self.veils[number]]
        if number in filled:  # it is veiled itself
            return filled[number]
        key = number, *now
        found = self._by_veils.get(key)
        if found is None:
            found = self._by_veils[key] = self._rebuilt(number, filled)
        filled[number] = found
        return found

    def _unveiled(self, veil: int, part: Hashable, filled: dict[int, int], most: int) -> int:
        """The same for a place at which a step looks at the part, or an end."""
        known = filled.get(veil)
        if known is None:
            place = self.places[veil]
            assert isinstance(place, _Veiled)
            if isinstance(place.there, At):
                at = At(place.there.step, filled_in(place.there.facts, part, self.made))
                # A hidden part is known now, and some of it no longer needed.
                at = self.pares(at) if at.step in self.kernel.seams else at
                known = self.beyond.get(at)
                if known is None:
                    known = self.beyond[at] = self._place(at, part, most)[0]
            else:
                facts = filled_in(place.there, part, self.made)
                known = self.number(_End(self.pair(facts)))
            filled[veil] = known
        return known

    def _rebuilt(self, number: int, filled: dict[int, int]) -> int:
        """A place whose veiled ones are filled in already."""
        now = dict[int, int]()
        waiting = [number]
        while waiting:
            here = waiting[-1]
            below = [child for child in self.places[here].to if self.veils[child]]
            new = [child for child in below if child not in filled and child not in now]
            if new:
                waiting += new
                continue
            waiting.pop()
            if here in now:
                continue
            place = self.places[here]
            to = [now.get(child, filled.get(child, child)) for child in place.to]
            now[here] = self.joined(place, to)
        return now[number]

    # -- putting in ------------------------------------------------------------------------------

    def pair(self, facts: Facts) -> Pair:
        """What an end did to both."""
        return self.effect(facts, "actor"), self.effect(facts, "target")

    def joined(self, place: _Place | ChoiceEntry | ChanceEntry, to: Sequence[int]) -> int:
        """The place of a roll or a choice that leads to these places."""
        if len(set(to)) == 1:
            return to[0]
        if isinstance(place, (ChoiceEntry, _Pick)):
            whose = place.whose if isinstance(place, _Pick) else int(place.actor != self.acting)
            return self.number(_Pick(tuple(dict.fromkeys(to)), whose))
        assert isinstance(place, (ChanceEntry, _Roll))  # nothing is left aside in this kernel
        weights: dict[int, int] = {}
        for one, weight in zip(to, place.weights, strict=True):
            weights[one] = weights.get(one, 0) + weight
        ordered, divisor = sorted(weights), gcd(*weights.values())
        return self.number(_Roll(tuple(ordered), tuple(weights[p] // divisor for p in ordered)))

    def number(self, place: _Place) -> int:
        """The number of a place; a new one is put in."""
        known = self.numbers.setdefault(place, len(self.places))
        if known == len(self.places):
            self.places.append(place)
            below = (self.heights[child] for child in place.to)
            self.heights.append(1 + max(below, default=-1))
            veils = {veil for child in place.to for veil in self.veils[child]}
            if isinstance(place, _Veiled):
                veils.add(known)
            self.veils.append(tuple(sorted(veils)))
        return known

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
    """Entries of a kernel put into a grove."""

    def __init__(self, grove: Grove, most: int) -> None:
        self.grove, self.most = grove, most
        self.kernel, self.known, self.beyond = grove.kernel, grove.known, grove.beyond
        self.leads: dict[int, tuple[tuple[int], _Beyond]] = {}

    def follow(self, root: int) -> None:
        """Put in an entry and all that it leads to, the ends first."""
        known = self.known
        waiting = [root]
        meter = meter_in_force()
        while waiting:
            number = waiting[-1]
            if number in known:
                waiting.pop()
                continue
            below = self._below(number)
            if below is None:
                continue
            new = [child for child in below if child not in known]
            if new:
                waiting += new
                continue
            meter.tick()
            waiting.pop()
            known[number] = self._put(number, below)

    def _below(self, number: int) -> Sequence[int] | None:
        """The entries to which one leads; None if its place was known, and is noted now."""
        entry = self.kernel.entries[number]
        if not isinstance(entry, SeamEntry):
            return entry.to
        lead = self.leads.get(number)
        if lead is not None:
            return lead[0]
        beyond = entry.beyond
        if isinstance(beyond, At):
            beyond = self.grove.pares(beyond)
        place = self.beyond.get(beyond)
        if place is not None:
            self.known[number] = place
            return None
        follow = self.kernel.number if isinstance(beyond, At) else self.kernel.number_beyond
        below = follow(beyond, self.most)  # type: ignore[arg-type]  # it is of that kind
        self.leads[number] = (below,), beyond
        return self.leads[number][0]

    def _put(self, number: int, below: Sequence[int]) -> int:
        """The place of an entry; the places that it leads to are known."""
        entry = self.kernel.entries[number]
        if isinstance(entry, Leaf):
            return self._end(entry.facts)
        if isinstance(entry, HiddenEntry):
            return self.grove.number(_Veiled(entry.at))
        if number in self.leads:
            place = self.beyond[self.leads.pop(number)[1]] = self.known[below[0]]
            return place
        assert isinstance(entry, (ChoiceEntry, ChanceEntry))  # nothing is left aside here
        return self.grove.joined(entry, [self.known[child] for child in below])

    def _end(self, facts: Facts) -> int:
        """The place of an end."""
        grove = self.grove
        try:
            pair = grove.pair(facts)
        except (Looked, Exception) as error:
            if not is_look(error, facts, "an effect"):
                raise
        else:
            if not holds_unknown(pair):
                return grove.number(_End(pair))
        return grove.number(_Veiled(facts))


def _matrix(rolls: list[_Roll], now: dict[int, int], width: int) -> csr_array:
    """The probability of each place: roll by place."""
    chances = [weight / sum(roll.weights) for roll in rolls for weight in roll.weights]
    columns = [now[place] for roll in rolls for place in roll.to]
    starts = np.cumsum([0, *(len(roll.to) for roll in rolls)])
    return csr_array((chances, columns, starts), shape=(len(rolls), width))
