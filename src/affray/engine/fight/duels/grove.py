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
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from affray.core.fight import Role
from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.core.node import At, Chance, Facts
from affray.core.unknown import (
    OWN_UNKNOWN,
    UNKNOWN,
    Looked,
    holds_own_unknown,
    holds_unknown,
    is_look,
)
from affray.engine.exchange.entries import ChanceEntry, ChoiceEntry, HiddenEntry, Leaf, SeamEntry
from affray.engine.exchange.kernel import Kernel
from affray.engine.fight.duels.tree import Pair, Picks, Rolls, Tree
from affray.engine.fight.duels.unveiling import Unveiling

__all__ = ["Grove"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

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


class _Row(NamedTuple):
    """What comes of a roll in the end: places that aren't rolls, by number, and how likely.

    `picks` are the choices among them.
    """

    places: Ints
    chances: Floats
    picks: tuple[int, ...]


class _Veiled(NamedTuple):
    """A place at which a step looks at the hidden part, or the facts of an end that look at it."""

    there: At[Facts] | Facts
    to: tuple[int, ...] = ()


_Place = _End | _Roll | _Pick | _Veiled
_Beyond = At[Facts] | Chance[Facts]


class Grove:
    """Places of exchanges as they are met, each by number.

    What depends on something hidden is a place as well. An exchange is followed once with that
    unknown; then it is filled in where something looks at it, first what is hidden of whoever acts.

    Args:
        kernel: makes a kernel that follows the rules up to seams.
        effect: what an outcome did to one who took part (see `Fight.effect`).
        pares: a place at a seam, without what effects don't need.
        parts: a key of the target's hidden part at a place where a step looks at it: those with
            equal keys come to the same.
    """

    def __init__(
        self,
        kernel: Callable[[], Kernel],
        effect: Callable[[Facts, Role], Hashable],
        pares: Callable[[At[Facts]], At[Facts]],
        parts: Callable[[At[Any], Hashable], Hashable] = lambda _, part: part,
    ) -> None:
        self._fresh, self.effect, self.pares = kernel, effect, pares
        self.kernel = kernel()
        self.acting = self.kernel.game.system.actors[0]
        self._dropped = 0
        self.numbers: dict[_Place, int] = {}
        self.places: list[_Place] = []
        # The veiled places to which each place leads.
        self.veils: list[tuple[int, ...]] = []
        # The places of entries of the kernel, and of what lies beyond seams.
        self.known: dict[int, int] = {}
        self.beyond: dict[_Beyond, int] = {}
        self._rows: dict[int, _Row] = {}  # of rolls
        self._where: Ints = np.zeros(0, np.int64)  # of the places of one tree
        self._own, self._hidden = Unveiling(OWN_UNKNOWN), Unveiling(UNKNOWN, parts)
        # What places come to whose veiled ones come to these.
        self._by_veils: dict[tuple[int, bytes], int] = {}
        self._joined: dict[tuple[int, ...], int] = {}

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
        (number,), looked = self.places_of(at, [part], most)
        return number, looked

    def places_of(
        self, at: At[Facts], parts: Sequence[Hashable], most: int, own: Sequence[Hashable] = ()
    ) -> tuple[list[int], bool]:
        """The same for several hidden parts; one place where nothing looks at them.

        `own` is what is hidden of whoever acts, if that is unknown there as well.
        """
        if len(self.kernel) > MOST_KEPT:
            self._dropped += len(self.kernel)
            self.kernel = self._fresh()
            self.known.clear()
        most -= self._dropped
        number = self.onward(at, most)
        if own and self.veils[number]:
            (number,) = self._own.with_parts(self, number, own, most)
        if not self.veils[number]:
            return [number], False
        return self._hidden.with_parts(self, number, parts, most), True

    def _followed(self, at: At[Facts], most: int) -> int:
        """The place that a place of the rules comes to, veiled where something looks."""
        entry = self.kernel.number(at, most)
        _Following(self, most).follow(entry)
        return self.known[entry]

    # -- the hidden part -------------------------------------------------------------------------

    def veiled(self, number: int) -> At[Facts] | Facts:
        """Where a step looks at a hidden part, or the facts of an end that look at it."""
        place = self.places[number]
        assert isinstance(place, _Veiled)
        return place.there

    def onward(self, at: At[Facts], most: int) -> int:
        """The place that a place of the rules comes to, at a seam without what isn't needed."""
        at = self.pares(at) if at.step in self.kernel.seams else at
        known = self.beyond.get(at)
        if known is None:
            known = self.beyond[at] = self._followed(at, most)
        return known

    def rebuilt(self, number: int, unveiled: Ints) -> int:
        """A place whose veiled ones come to these."""
        key = number, unveiled.tobytes()
        known = self._by_veils.get(key)
        if known is not None:
            return known
        now: dict[int, int] = dict(zip(self.veils[number], unveiled.tolist(), strict=True))
        waiting = [number]
        while waiting:
            here = waiting[-1]
            place = self.places[here]
            new = [child for child in place.to if self.veils[child] and child not in now]
            if new:
                waiting += new
                continue
            waiting.pop()
            if here in now:
                continue
            to = here, *(now.get(child, child) for child in place.to)
            made = self._joined.get(to)
            if made is None:
                made = self._joined[to] = self.joined(place, to[1:])
            now[here] = made
        self._by_veils[key] = now[number]
        return now[number]

    # -- putting in ------------------------------------------------------------------------------

    def end(self, facts: Facts) -> int:
        """The place of an end, which may look at something hidden."""
        try:
            pair = self.effect(facts, "actor"), self.effect(facts, "target")
        except (Looked, Exception) as error:
            if not is_look(error, facts, "an effect"):
                raise
        else:
            end = _End(pair)
            known = self.numbers.get(end)
            if known is not None:
                return known
            if not holds_unknown(pair):
                return self.number(end)
        return self.number(_Veiled(facts))

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
            veils = {veil for child in place.to for veil in self.veils[child]}
            if isinstance(place, _Veiled):
                veils.add(known)
            self.veils.append(tuple(sorted(veils)))
        return known

    def tree(self, root: int) -> tuple[Tree, dict[int, int]]:
        """All that a place leads to as a tree, and where in it places stand.

        Rolls that only rolls lead to have no place there: whoever leads to them leads to what may
        come of them.
        """
        places, heights = self.places, self._heights(root)
        rows = {number: self._seen_through(number) for number in heights if self._is_roll(number)}
        some = [row.places for row in rows.values()] + [np.array([*heights], np.int64)]
        every = np.unique(np.concatenate(some))
        # Few places are no ends, and these are known.
        ends = every[~np.isin(every, [number for number, (high, _) in heights.items() if high])]

        def layer(number: int) -> tuple[int, int]:
            return heights[number]

        others = sorted((number for number in heights if heights[number][0]), key=layer)
        order = [*ends.tolist(), *others]
        now = {number: here for here, number in enumerate(order)}
        where = self._where
        if len(where) < len(places):
            where = self._where = np.zeros(2 * len(places), np.int64)
        where[order] = np.arange(len(order))
        layers: list[Rolls | Picks] = []
        n_picks, start = 0, len(ends)
        for _, numbers in groupby(others, layer):
            alike = [*numbers]
            span = slice(start, start + len(alike))
            start = span.stop
            if alike[0] in rows:
                layers.append(Rolls(span, _matrix([rows[one] for one in alike], where, span.start)))
                continue
            picks = [place for place in map(places.__getitem__, alike) if isinstance(place, _Pick)]
            to = np.array([[now[place] for place in pick.to] for pick in picks])
            own = slice(n_picks, n_picks + len(picks))
            n_picks = own.stop
            layers.append(Picks(span, own, to, np.array([pick.whose for pick in picks])))
        pairs = [place.pair for place in map(places.__getitem__, ends.tolist())
                 if isinstance(place, _End)]  # fmt: skip
        return Tree(tuple(pairs), layers), now

    def _is_roll(self, number: int) -> bool:
        return isinstance(self.places[number], _Roll)

    def _heights(self, root: int) -> dict[int, tuple[int, int]]:
        """How far the root and all choices and options below it are from ends.

        And the number of options of choices, so that those that are alike come together.
        """
        found: dict[int, tuple[int, int]] = {}
        waiting = [root]
        while waiting:
            number = waiting[-1]
            if number in found:
                waiting.pop()
                continue
            place = self.places[number]
            below = self._seen_through(number).picks if self._is_roll(number) else place.to
            new = [child for child in below if child not in found]
            if new:
                waiting += new
                continue
            waiting.pop()
            least = 0 if isinstance(place, _End) else 1
            height = max((found[child][0] + 1 for child in below), default=least)
            found[number] = height, len(place.to) if isinstance(place, _Pick) else 0
        return found

    def _seen_through(self, roll: int) -> _Row:
        """What comes of a roll: ends and choices, whatever else is rolled on the way."""
        waiting = [roll]
        while waiting:
            number = waiting[-1]
            if number in self._rows:
                waiting.pop()
                continue
            place = self.places[number]
            assert isinstance(place, _Roll)
            new = [child for child in place.to if self._is_roll(child) and child not in self._rows]
            if new:
                waiting += new
                continue
            waiting.pop()
            self._rows[number] = self._row(place)
        return self._rows[roll]

    def _row(self, roll: _Roll) -> _Row:
        """The same where it is known of the rolls to which one leads."""
        total = sum(roll.weights)
        likely = [weight / total for weight in roll.weights]
        further = [number in self._rows for number in roll.to]
        stops = [place for place, on in zip(roll.to, further, strict=True) if not on]
        chances = np.array([p for p, on in zip(likely, further, strict=True) if not on])
        places = np.array(stops, np.int64)
        picks = dict.fromkeys(n for n in stops if isinstance(self.places[n], _Pick))
        if any(further):
            rows = [
                (self._rows[place], p)
                for place, p, on in zip(roll.to, likely, further, strict=True)
                if on
            ]
            for row, _ in rows:
                picks.update(dict.fromkeys(row.picks))
            places = np.concatenate([places, *(row.places for row, _ in rows)])
            chances = np.concatenate([chances, *(p * row.chances for row, p in rows)])
            places, which = np.unique(places, return_inverse=True)
            chances = np.bincount(which.ravel(), chances)
        return _Row(places, chances, (*picks,))


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
        if place is None and isinstance(beyond, At) and holds_own_unknown(beyond.facts):
            # With what is hidden of whoever acts filled in, more places are equal from here on.
            place = self.beyond[beyond] = self.grove.number(_Veiled(beyond))
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
            return self.grove.end(entry.facts)
        if isinstance(entry, HiddenEntry):
            return self.grove.number(_Veiled(entry.at))
        if number in self.leads:
            place = self.beyond[self.leads.pop(number)[1]] = self.known[below[0]]
            return place
        assert isinstance(entry, (ChoiceEntry, ChanceEntry))  # nothing is left aside here
        return self.grove.joined(entry, [self.known[child] for child in below])


def _matrix(rows: list[_Row], where: Ints, width: int) -> csr_array:
    """The probability of each place: roll by place."""
    chances = np.concatenate([row.chances for row in rows])
    columns = where[np.concatenate([row.places for row in rows])]
    starts = np.cumsum([0, *(len(row.places) for row in rows)])
    return csr_array((chances, columns, starts), shape=(len(rows), width))
