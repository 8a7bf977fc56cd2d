"""What places of an exchange come to, put together: ends with weights, and looks at the unknown.

What an exchange does to all who take part is numbered; the numbers are counted.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from math import gcd, lcm
from typing import Any, Protocol

from affray.core.fight import Fight
from affray.core.lazy import NamedTuple
from affray.core.node import At, Facts

__all__ = [
    "EffectOdds", "Ends", "Fanned", "Found", "Helped", "Look", "OpenEnd", "Outcomes", "Place",
    "Share", "Tail", "Weights", "Whole", "Wholes", "joined", "mixed", "together", "waits_at",
    "whole_of",
]  # fmt: skip

Helped = tuple[tuple[int, Hashable], ...]
"""Effects on mates of the target, each with their place among those that a context is made of."""
Whole = tuple[Hashable, Hashable, Helped]
"""What an exchange does to the actor, to the target, and to the target's mates."""
Weights = dict[int, int]
"""Weights by the number of a whole; see `Wholes`."""


class Wholes:
    """What exchanges do to all who take part, by number.

    Attributes:
        wholes: each of them once. pairs: the effects on the actor and on the target alone.
    """

    def __init__(self) -> None:
        self.wholes: list[Whole] = []
        self.pairs: list[tuple[Hashable, Hashable]] = []
        self._numbers: dict[Whole, int] = {}
        self._crossed: dict[tuple[int, int], int] = {}

    def known(self, whole: Whole) -> int | None:
        """The number of a whole that has come up before."""
        return self._numbers.get(whole)

    def number(self, whole: Whole) -> int:
        """The number of a whole."""
        known = self._numbers.get(whole)
        if known is None:
            known = self._numbers[whole] = len(self.wholes)
            self.wholes.append(whole)
            self.pairs.append(whole[:2])
        return known

    def crossed(self, own: int, others: int) -> int:
        """What befalls whoever acts in one, with what befalls all others in another one."""
        known = self._crossed.get((own, others))
        if known is None:
            whole = self.wholes[own][0], *self.wholes[others][1:]
            known = self._crossed[own, others] = self.number(whole)
        return known


class Ends(NamedTuple):
    """Effects with weights, and the total over which these count."""

    weights: Weights
    total: int


class OpenEnd(NamedTuple):
    """An end of an exchange whose effect depends on the hidden part."""

    facts: Facts


Place = At[Facts] | OpenEnd
Found = list[tuple[Place, int, int]]
"""Places with weights and the totals that they count over."""


class Look(NamedTuple):
    """A place where something unknown is looked at, with its weight and the total of all.

    Attributes:
        own: what befalls whoever acts, if that is settled apart, with the weight of the place.
    """

    place: Place
    weight: int
    total: int
    own: Ends | None = None


_Row = tuple[Place, int, int, Ends | None]
"""The values of a look."""


class Share(NamedTuple):
    """Ends of an exchange that come up with some chance.

    Attributes:
        ends: what befalls others; without `own` what befalls all who take part.
        own: what befalls whoever acts, if that is settled apart, and independent of the rest.
        weight, total: how likely they come up.
    """

    ends: Ends
    own: Ends | None
    weight: int
    total: int


_Told = tuple[tuple[tuple[Hashable, Hashable], ...], tuple[int, ...], int, tuple[Helped, ...]]


class EffectOdds:
    """The effects of an exchange on those who take part, with their odds.

    Where what befalls whoever acts is settled apart, they are kept in shares, and multiplied out
    as soon as somebody asks.

    Attributes:
        shares: all ends with their chances; () if they are kept as pairs of effects.
        wholes: the numbers of what shares do; None without shares.
        content: the same for the same shares of these `wholes`.
    """

    __slots__ = ("_told", "content", "shares", "wholes")

    def __init__(
        self,
        effects: tuple[tuple[Hashable, Hashable], ...],
        weights: tuple[int, ...],
        total: int,
        helped: tuple[Helped, ...] = (),
    ) -> None:
        self._told: _Told | None = (effects, weights, total, helped)
        self.shares: tuple[Share, ...] = ()
        self.wholes: Wholes | None = None
        self.content: Hashable = None

    @classmethod
    def of_shares(cls, shares: Sequence[Share], content: Hashable, wholes: Wholes) -> EffectOdds:
        """Odds that are kept in shares; their chances add up to one."""
        odds = cls((), (), 1)
        odds._told, odds.shares, odds.content, odds.wholes = None, tuple(shares), content, wholes
        return odds

    @classmethod
    def of_ends(cls, ends: Ends, wholes: Wholes) -> EffectOdds:
        """The odds of ends that add up to one."""
        return cls(*_told(ends, wholes))

    @property
    def told(self) -> _Told:
        """Effects, weights, their total, and what befalls mates: all at once."""
        if self._told is None:
            assert self.wholes is not None  # see `of_shares`
            self._told = _told(joined(self.shares, self.wholes), self.wholes)
        return self._told

    @property
    def effects(self) -> tuple[tuple[Hashable, Hashable], ...]:
        """The effects on the actor and on the target."""
        return self.told[0]

    @property
    def weights(self) -> tuple[int, ...]:
        """The weight of each pair of effects."""
        return self.told[1]

    @property
    def total(self) -> int:
        """All weights together."""
        return self.told[2]

    @property
    def helped(self) -> tuple[Helped, ...]:
        """For each pair of effects what befalls the target's mates; () if they never take part."""
        return self.told[3]

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, EffectOdds) and self.told == other.told

    def __hash__(self) -> int:
        return hash(self.told)

    def __repr__(self) -> str:
        return "EffectOdds({!r}, {!r}, {!r}, {!r})".format(*self.told)


def _told(ends: Ends, wholes: Wholes) -> _Told:
    """Ends as pairs of effects with weights, the smallest that there are."""
    weights, total = ends
    divisor = gcd(*weights.values())
    every = wholes.wholes
    helped = tuple([every[number][2] for number in weights])
    return (
        tuple([wholes.pairs[number] for number in weights]),
        tuple([weight // divisor for weight in weights.values()]),
        total // divisor,
        helped if any(helped) else (),
    )


class Spreads(Protocol):
    """A fan: see `engine.fight.fans`."""

    def odds(self, fanned: Fanned, beyond: Sequence[Ends]) -> EffectOdds | None:
        """The odds of an exchange, from what lies beyond each place."""


class Fanned(NamedTuple):
    """A fan with the chances of what it leads to.

    Attributes:
        ways: of each effect, then of each place; they have no common divisor. total: all of them.
    """

    fan: Spreads
    ways: tuple[int, ...]
    total: int


class Tail(NamedTuple):
    """What a place comes to, as far as it goes without the hidden part.

    Attributes:
        own: what befalls whoever acts, where the place is split; the rest is said of the others.
        fanned: the same, of a roll each of whose readings leads to one thing.
    """

    ends: Ends
    looks: list[Look]
    own: Ends | None = None
    fanned: Fanned | None = None


def waits_at(looks: Sequence[Look]) -> At[Facts] | None:
    """The place at which an exchange waits before anything else."""
    if len(looks) != 1:
        return None
    place, weight, total, own = looks[0]
    return place if weight == total and own is None and isinstance(place, At) else None


def whole_of(fight: Fight[Facts, Any, Any, Any, Any], facts: Facts) -> Whole:
    """The effects of an outcome on the actor, the target and the target's mates."""
    return fight.effect(facts, "actor"), fight.effect(facts, "target"), fight.helped(facts)


class Outcomes:
    """Outcomes of a solution, in which nothing is unknown: their effects are found out once.

    Args:
        fight: says what an outcome does. wholes: where it is numbered.
    """

    def __init__(self, fight: Fight[Facts, Any, Any, Any, Any], wholes: Wholes) -> None:
        self._fight, self._wholes = fight, wholes
        self._known: dict[int, tuple[Facts, int]] = {}  # by identity: the same ones come again

    def ends(self, ended: dict[int, dict[Facts, int]]) -> Ends:
        """Outcomes with weights for each of their totals, as effects."""
        common, known = lcm(*ended), self._known
        weights: Weights = {}
        for total, finals in ended.items():
            scale = common // total
            for facts, weight in finals.items():
                found = known.get(id(facts))
                if found is None:
                    whole = whole_of(self._fight, facts)
                    found = known[id(facts)] = facts, self._wholes.number(whole)
                number = found[1]
                weights[number] = weights.get(number, 0) + weight * scale
        return Ends(weights, common)


def mixed(parts: Iterable[tuple[Ends, int, int]]) -> Ends:
    """Ends that come up with a chance each: a weight, and the total over which it counts."""
    some = [part for part in parts if part[0].weights]
    if len(some) == 1 and some[0][1] == some[0][2]:
        return some[0][0]
    totals = {ends.total * total for ends, _, total in some}
    common = lcm(*totals)
    found: Weights = {}
    for (weights, over), times, total in some:
        scale = times if len(totals) == 1 else times * (common // (over * total))  # mostly one
        for number, weight in weights.items():
            found[number] = found.get(number, 0) + weight * scale
    return Ends(found, common)


def joined(parts: Iterable[tuple[Ends, Ends | None, int, int]], wholes: Wholes) -> Ends:
    """As `mixed`, of ends with what befalls whoever acts, if that is settled apart.

    The two are independent of each other.
    """
    some = [part for part in parts if part[0].weights]
    if len(some) == 1 and some[0][1] is None and some[0][2] == some[0][3]:
        return some[0][0]
    totals = [
        total * ends.total * (1 if own is None else own.total) for ends, own, _, total in some
    ]
    common = lcm(*set(totals))
    found: Weights = {}
    crossed = wholes.crossed
    for (ends, own, times, _), total in zip(some, totals, strict=True):
        scale = times if total == common else times * (common // total)  # mostly one
        if own is None:
            for number, weight in ends.weights.items():
                found[number] = found.get(number, 0) + weight * scale
            continue
        for others, weight in ends.weights.items():
            scaled = weight * scale
            for mine, way in own.weights.items():
                number = crossed(mine, others)
                found[number] = found.get(number, 0) + scaled * way
    return Ends(found, common)


def together(
    tails: Iterable[tuple[Tail, int, int]],
    parts: list[tuple[Ends, int, int]],
    looks: list[Look],
    wholes: Wholes,
) -> Tail:
    """Tails that come up with a chance each, beside other ends and looks.

    What befalls whoever acts is put together for all tails that are otherwise the same.
    """
    apart: dict[tuple[int, int], tuple[Tail, list[tuple[Ends, int, int]]]] = {}
    found: list[_Row] = [*looks]
    for tail, weight, total in tails:
        if tail.own is not None:
            same = id(tail.ends), id(tail.looks)
            apart.setdefault(same, (tail, []))[1].append((tail.own, weight, total))
            continue
        parts.append((tail.ends, weight, total))
        for place, w, over, own in tail.looks:
            found.append((place, w * weight, over * total, own))
    for tail, owns in apart.values():
        own = mixed(owns)
        if tail.ends.weights:
            parts.append((joined([(tail.ends, own, 1, 1)], wholes), 1, 1))
        found += [(place, w, over, own) for place, w, over, _ in tail.looks]
    return Tail(mixed(parts), _gathered(found))


def _gathered(rows: list[_Row]) -> list[Look]:
    """Each place once, with the chance of it."""
    if len({id(row[0]) for row in rows}) == len(rows):
        return [Look(*row) for row in rows]
    ways: dict[tuple[int, bool], list[_Row]] = {}
    for row in rows:
        ways.setdefault((id(row[0]), row[3] is None), []).append(row)
    found: list[Look] = []
    for same in ways.values():
        first = Look(*same[0])
        if len(same) > 1:
            owns = [(own, weight, total) for _, weight, total, own in same if own is not None]
            if owns:
                first = Look(first.place, 1, 1, mixed(owns))
            else:
                common = lcm(*{total for _, _, total, _ in same})
                weight = sum([weight * (common // total) for _, weight, total, _ in same])
                first = Look(first.place, weight, common)
        found.append(first)
    return found
