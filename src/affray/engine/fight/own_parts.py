"""Exchanges followed once for all that may be hidden of whoever acts.

From a place on at which an exchange is split (`Hints.splits`), what befalls whoever acts depends on
nothing that befalls the target. So as long as nobody looks at what is hidden of whoever acts before
that, the exchange is followed with `OWN_UNKNOWN` in its place, and what befalls them is put off:
`Later` stands for it. With each hidden part the odds are spelled out, and the other half, which is
by far the larger one, is the same for all of them.

    an attack:  0.3  x  (own: Later 1)  x  (target: C 1)
                0.7  x  (own: Later 2)  x  (target: C 0.2, D 0.8)
    with few Hit Dice:  Later 1 is A 0.5, B 0.5, and Later 2 is A
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from affray.core.lazy import NamedTuple
from affray.core.unknown import Looked, holds_own_unknown
from affray.engine.fight.blending import (
    EffectOdds,
    Ends,
    Look,
    Place,
    Share,
    Tail,
    Weights,
    Wholes,
    joined,
    mixed,
)

__all__ = ["Later", "OwnParts"]

_Part = tuple[Ends, "Ends | None", int, int]
"""Ends, what befalls whoever acts, and the chance of both, as `joined` takes them."""


class Later:
    """What befalls whoever acts from a place on that looks at what is hidden of them."""

    __slots__ = ("place",)

    def __init__(self, place: Place) -> None:
        self.place = place


class _Settled(NamedTuple):
    """What ends come to for one hidden part, and their number: the same for the same ends.

    Attributes:
        put_off: the ends in which something was put off, since they stand for themselves.
    """

    put_off: Ends
    ends: Ends
    number: int


class _ForPart:
    """What was found out for one hidden part of whoever acts."""

    __slots__ = ("odds", "own", "part", "settled")

    def __init__(self, part: Hashable) -> None:
        self.part = part
        self.own: dict[int, Ends] = {}
        self.settled: dict[int, _Settled] = {}
        self.odds: dict[int, EffectOdds] = {}


class _Rows:
    """Odds of an exchange for several hidden parts of the target.

    Attributes:
        odds: as they are with what befalls whoever acts put off. laters: what was put off.
        alike: by what that comes to the first hidden part of whoever acts with which it does.
        settled: the odds for these.
    """

    __slots__ = ("alike", "laters", "odds", "settled")

    def __init__(self, odds: list[EffectOdds], laters: list[Later]) -> None:
        self.odds, self.laters = odds, laters
        self.alike: dict[tuple[int, ...], _ForPart] = {}
        self.settled: dict[int, list[EffectOdds]] = {}


class OwnParts:
    """What is put off until the hidden part of whoever acts is known.

    Args:
        wholes: the numbers of effects.
        ends_of: what a place comes to for a hidden part of whoever acts.
        content: a number of ends: those with the same weights share it.
    """

    def __init__(
        self,
        wholes: Wholes,
        ends_of: Callable[[Place, Hashable], Ends],
        content: Callable[[Ends], int],
    ) -> None:
        self._wholes, self._ends_of, self._content = wholes, ends_of, content
        self._numbers: dict[int, int] = {}
        self._looks: dict[int, tuple[Place, bool]] = {}
        self._laters: dict[int, tuple[Ends, list[Later]]] = {}
        self._rows: dict[int, _Rows] = {}
        self._alone: dict[int, list[EffectOdds]] = {}
        self._parts: dict[Hashable, _ForPart] = {}
        self._same: dict[int, Ends] = {}
        self._kept: dict[int, EffectOdds] = {}  # nothing else has the identity of what lies here

    def is_looked_at(self, place: Place) -> bool:
        """Whether something hidden of whoever acts is unknown at a place, which is kept."""
        known = self._looks.get(id(place))
        if known is None:
            known = self._looks[id(place)] = place, holds_own_unknown(place.facts)
        return known[1]

    def check(self, looks: Sequence[Look]) -> None:
        """Check that nothing hidden of whoever acts is looked at before it is split off.

        Raises:
            Looked: it is.
        """
        if any(self.is_looked_at(look.place) for look in looks):
            raise Looked

    def put_off(self, own: Tail) -> Ends:
        """What befalls whoever acts, of an exchange that is split, as ends."""
        waits = [look for look in own.looks if self.is_looked_at(look.place)]
        if not waits:
            return own.ends
        parts = [(own.ends, 1, 1)]
        for place, weight, total, _ in waits:
            number = self._numbers.get(id(place))
            if number is None:
                whole = Later(place), None, ()
                number = self._numbers[id(place)] = self._wholes.number(whole)
            parts.append((Ends({number: 1}, 1), weight, total))
        return mixed(parts)

    def alone(self, odds: EffectOdds, part: Hashable) -> EffectOdds:
        """Odds for one hidden part of whoever acts, whatever is hidden of the target."""
        return self.each(self._alone.setdefault(id(odds), [odds]), part)[0]

    def each(self, odds: list[EffectOdds], part: Hashable) -> list[EffectOdds]:
        """Odds, in a list that is kept, for one hidden part of whoever acts."""
        known = self._parts.get(part)
        if known is None:
            known = self._parts[part] = _ForPart(part)
        rows = self._rows.get(id(odds))
        if rows is None:
            rows = self._rows[id(odds)] = _Rows(odds, self._put_off_in(odds))
        comes_to = tuple([id(self._own_of(later, known)) for later in rows.laters])
        first = rows.alike.setdefault(comes_to, known)
        settled = rows.settled.get(id(first))
        if settled is None:
            settled = rows.settled[id(first)] = [self._odds(one, first) for one in odds]
        return settled

    def _put_off_in(self, odds: list[EffectOdds]) -> list[Later]:
        """All that was put off in some odds."""
        wholes, found = self._wholes.wholes, dict[int, Later]()
        every = {id(one): one for one in odds}.values()
        for one in every:
            if not one.shares:
                own = [effect for effect, _ in one.effects]
                found.update((id(later), later) for later in own if type(later) is Later)
        halves = [
            share.ends if share.own is None else share.own for one in every for share in one.shares
        ]
        for ends in {id(ends): ends for ends in halves}.values():
            known = self._laters.get(id(ends))
            if known is None:
                effects = [wholes[number][0] for number in ends.weights]
                laters = [later for later in effects if type(later) is Later]
                known = self._laters[id(ends)] = ends, laters
            found.update((id(later), later) for later in known[1])
        return list(found.values())

    def _own_of(self, later: Later, known: _ForPart) -> Ends:
        """What befalls whoever acts, of what was put off; the same ends are one."""
        own = known.own.get(id(later))
        if own is None:
            own = self._ends_of(later.place, known.part)
            own = known.own[id(later)] = self._same.setdefault(self._content(own), own)
        return own

    def _odds(self, odds: EffectOdds, known: _ForPart) -> EffectOdds:
        """The odds of an exchange for one hidden part of whoever acts."""
        found = known.odds.get(id(odds))
        if found is None:
            self._kept[id(odds)] = odds
            found = self._of_shares(odds, known) if odds.shares else self._told(odds, known)
            known.odds[id(odds)] = found
        return found

    def _of_shares(self, odds: EffectOdds, known: _ForPart) -> EffectOdds:
        shares, content = [], []
        for ends, own, weight, total in odds.shares:
            settled = self._settled(ends if own is None else own, known)
            if own is None:
                shares.append(Share(settled.ends, None, weight, total))
                content.append((-1, settled.number, weight, total))
            else:
                shares.append(Share(ends, settled.ends, weight, total))
                content.append((settled.number, id(ends), weight, total))
        content.sort()
        return EffectOdds.of_shares(shares, tuple(content), self._wholes)

    def _told(self, odds: EffectOdds, known: _ForPart) -> EffectOdds:
        """The same for odds that are kept as pairs of effects."""
        effects, weights, total, helped = odds.told
        if not any(type(own) is Later for own, _ in effects):
            return odds
        number = self._wholes.number
        mates = helped or [()] * len(effects)
        numbers = [number((*pair, them)) for pair, them in zip(effects, mates, strict=True)]
        ends = Ends(dict(zip(numbers, weights, strict=True)), total)
        return EffectOdds.of_ends(self._settled(ends, known).ends, self._wholes)

    def _settled(self, ends: Ends, known: _ForPart) -> _Settled:
        """Ends with all that was put off."""
        found = known.settled.get(id(ends))
        if found is None:
            whole = joined(self._spread(ends, known), self._wholes)
            number = self._content(whole)
            whole = self._same.setdefault(number, whole)
            found = known.settled[id(ends)] = _Settled(ends, whole, number)
        return found

    def _spread(self, ends: Ends, known: _ForPart) -> list[_Part]:
        """Ends as `joined` takes them: those that are known, and each that was put off."""
        wholes, total = self._wholes.wholes, ends.total
        settled: Weights = {}
        parts: list[_Part] = [(Ends(settled, total), None, 1, 1)]
        for number, weight in ends.weights.items():
            later = wholes[number][0]
            if type(later) is Later:
                parts.append((Ends({number: weight}, total), self._own_of(later, known), 1, 1))
            else:
                settled[number] = weight
        return parts
