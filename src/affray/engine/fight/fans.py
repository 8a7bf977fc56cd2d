"""First rolls with the same readings but other chances: what they come to is put together once.

Exchanges of fighters who throw as many dice differ in chances alone. Where each reading leads to
one effect, or to one place that waits for the hidden part, the chances pass on as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import repeat
from math import gcd
from operator import itemgetter

from affray.core.lazy import NamedTuple
from affray.engine.fight.blending import (
    EffectOdds,
    Ends,
    Fanned,
    Helped,
    Look,
    Place,
    Tail,
    Wholes,
    together,
)

__all__ = ["Fan"]

_Ways = tuple[int, ...]
_Adds = Callable[[_Ways], _Ways]

NO_ENDS = Ends({}, 1)


class _Spread(NamedTuple):
    """What a fan comes to once it is known what lies beyond its places.

    Attributes:
        effects, helped: as in `EffectOdds`. adds: adds up the chances of equal effects.
    """

    effects: tuple[tuple[Hashable, Hashable], ...]
    helped: tuple[Helped, ...]
    adds: _Adds


class Fan:
    """Where the readings of a roll lead, one by one.

    Args:
        tails: what each reading comes to.
        wholes: the numbers of effects.

    Attributes:
        places: where something unknown is looked at.
    """

    def __init__(self, tails: Sequence[Tail], wholes: Wholes) -> None:
        self._tails, self._wholes = tails, wholes
        self._numbers: tuple[int, ...] = ()
        self.places: tuple[Place, ...] = ()
        self._adds = self._sorted()
        self._spreads: dict[int, _Spread | None] = {}

    def _sorted(self) -> _Adds | None:
        """Sort readings by what they lead to; None if one of them leads to several things."""
        by_number: dict[int, list[int]] = {}
        by_place: dict[int, tuple[Place, list[int]]] = {}
        for at, (ends, looks, own, _) in enumerate(self._tails):
            number = _only(ends)
            if own is not None or len(looks) != (number is None):
                return None
            if number is not None:
                by_number.setdefault(number, []).append(at)
                continue
            place, weight, total, apart = looks[0]
            if ends.weights or weight != total or apart is not None:
                return None
            by_place.setdefault(id(place), (place, []))[1].append(at)
        self._numbers = tuple(by_number)
        self.places = tuple([place for place, _ in by_place.values()])
        return _adding([*by_number.values(), *[some for _, some in by_place.values()]])

    def tail(self, ways: _Ways, total: int) -> Tail:
        """What a roll comes to, from the ways of each reading and of all together."""
        if self._adds is None:
            return together(zip(self._tails, ways, repeat(total)), [], [], self._wholes)
        fanned = Fanned(self, *_reduced(self._adds(ways), total))
        n_ends, total = len(self._numbers), fanned.total
        ends = Ends(dict(zip(self._numbers, fanned.ways, strict=False)), total)
        rows = zip(self.places, fanned.ways[n_ends:], repeat(total), repeat(None), strict=False)
        looks = list(map(tuple.__new__, repeat(Look), rows))  # quicker than one by one
        return Tail(ends if n_ends else NO_ENDS, looks, None, fanned)

    def odds(self, fanned: Fanned, beyond: Sequence[Ends]) -> EffectOdds | None:
        """The odds of an exchange, from what lies beyond each place, which is kept elsewhere.

        Returns:
            None, if one of the places leads to several effects.
        """
        if id(beyond) not in self._spreads:
            self._spreads[id(beyond)] = self._spread(beyond)
        spread = self._spreads[id(beyond)]
        if spread is None:
            return None
        ways, total = _reduced(spread.adds(fanned.ways), fanned.total)
        return EffectOdds(spread.effects, ways, total, spread.helped)

    def _spread(self, beyond: Sequence[Ends]) -> _Spread | None:
        """What each effect and place comes to; None if one of the places comes to several."""
        by_number = {number: [at] for at, number in enumerate(self._numbers)}
        for at, ends in enumerate(beyond, start=len(self._numbers)):
            number = _only(ends)
            if number is None:
                return None
            by_number.setdefault(number, []).append(at)
        pairs, wholes = self._wholes.pairs, self._wholes.wholes
        helped = tuple([wholes[number][2] for number in by_number])
        return _Spread(
            tuple([pairs[number] for number in by_number]),
            helped if any(helped) else (),
            _adding(list(by_number.values())),
        )


def _only(ends: Ends) -> int | None:
    """The number of the one effect that ends come to."""
    weights, total = ends
    if len(weights) != 1:
        return None
    ((number, weight),) = weights.items()
    return number if weight == total else None


def _reduced(ways: _Ways, total: int) -> tuple[_Ways, int]:
    """The same chances by the smallest numbers."""
    divisor = gcd(total, *ways)
    if divisor == 1:
        return ways, total
    return tuple([way // divisor for way in ways]), total // divisor


def _adding(groups: Sequence[Sequence[int]]) -> _Adds:
    """Something that adds up what stands at some places, group by group."""
    if any(len(group) > 1 for group in groups):
        return lambda ways: tuple([sum([ways[at] for at in group]) for group in groups])
    order = [at for (at,) in groups]
    if order == list(range(len(order))):
        return tuple  # a tuple is left as it is
    return itemgetter(*order)  # more than one, since they are out of order
