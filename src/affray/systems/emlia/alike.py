"""Bodies that hits can't tell apart; for hints. Nothing here is a rule."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import fields
from functools import lru_cache

from affray.core.lazy import NamedTuple
from affray.core.unknown import is_unknown
from affray.systems.emlia.allocation import grouped, modes_of
from affray.systems.emlia.engagement import body_of
from affray.systems.emlia.harm import looked_at, targets_of
from affray.systems.emlia.rulings import MORALE
from affray.systems.emlia.state import Check, Decisions, Exchange, Held, Status, Terms

__all__ = ["DAMAGE", "Taking", "alike_hits", "even_places", "kind_of"]

DAMAGE = frozenset({"damage"})


@lru_cache(maxsize=65536)
def kind_of(thing: Hashable) -> object:
    """Stands for a thing, and is compared at once: the same object for the same thing."""
    return object()


@lru_cache(maxsize=4096)
def even_places(terms: Terms, decided: Decisions) -> tuple[int, ...]:
    """The enemies attacked as one body, if their sizes only matter when hits begin to fall."""
    places, modes = body_of(terms, decided), modes_of(terms.rulings)
    if len(places) == 1 or modes.live or modes.marked:
        return ()
    body = [terms.troops[place] for place in places]
    plain = all(one.side == "enemy" and one.troop.threshold is None for one in body)
    return places if plain else ()


class Taking:
    """A body that takes hits, as far as so many of them can tell it from others.

    It falls into groups; of each troop counts what it can still take, up to what hits suffice for.

    Args:
        terms: the troops.
        found: the statuses of everybody, as hits find them.
        places: of the troops of the body.
        base: base damage. bare: armor is ignored.
    """

    def __init__(
        self, terms: Terms, found: tuple[Status, ...], places: tuple[int, ...], base: int, *,
        bare: bool,
    ) -> None:  # fmt: skip
        targets = targets_of(terms, found, places, base, bare=bare)
        body = [found[target.place] for target in targets]
        left = [status.members - status.marked for status in body]
        by_unit = modes_of(terms.rulings).by_unit
        groups, _, order, self._times = grouped(targets, tuple(left), by_unit=by_unit)
        there = {target.place for target in targets}
        gone = tuple([found[place] for place in places if place not in there])
        self._markers = sum([status.markers for status in body])
        self._firsts = [line[0] for line in groups]
        self._needed = [max(1, target.needed) for target in targets]
        self._room: list[int] = []
        lies: list[tuple[int, int]] = []
        for target, status, members in zip(targets, body, left, strict=True):
            room, damage = members, status.damage
            if target.limit is not None and target.needed:  # else a hit may take a whole member
                room, damage = members * target.limit - damage, 0
            self._room.append(room)
            lies.append((status.markers, damage))
        self._kind = kind_of((gone, targets, tuple(lies), groups, order))
        self._felt: dict[int, Hashable] = {}

    def felt(self, hits: int) -> Hashable:
        """As much of the body as so many hits can tell apart."""
        felt = self._felt.get(hits)
        if felt is None:
            felt = self._felt[hits] = self._felt_by(hits)
        return felt

    def _felt_by(self, hits: int) -> Hashable:
        if not hits:
            return ()  # nobody looks at the body
        most = hits + self._markers
        portions = [most // needed for needed in self._needed]  # at most, of each
        suffered = map(min, self._room, [portion + 1 for portion in portions])
        # All of a group take as many hits for a point.
        limits = map(min, self._times, [portions[first] for first in self._firsts])
        return (self._kind, *suffered, *limits)


# -- after a roll --------------------------------------------------------------------------------


_LATER = Exchange._fields.index("successes")
"""Where the fields begin that nothing has changed yet when the first check is rolled."""
_FRESH = tuple(Exchange._field_defaults.values())[-(len(Exchange._fields) - _LATER) :]


class _Met(NamedTuple):
    """A check that is rolled against a body: what stands for it, and the body."""

    kind: object
    taking: Taking
    each: int


@lru_cache(maxsize=65536)
def _firsts(kind: object, rolled: tuple[int, int], felt: Hashable) -> list[Exchange]:
    """The first facts that were met of all that are alike, once there are any."""
    return []


def alike_hits(x: Exchange, needed: frozenset[str]) -> Exchange:
    """A check that was rolled against a body: the first one met whose hits deal the same damage."""
    rolled = x.rolled
    if not (needed <= DAMAGE and type(rolled) is tuple and len(x.checks) == 1):
        return x
    if x[_LATER:] != _FRESH or is_unknown(x.held):
        return x
    met = _met(x.terms, x.statuses, x.held, x.decided, x.checks[0])
    if met is None:
        return x
    firsts = _firsts(met.kind, rolled, met.taking.felt(rolled[0] * met.each))
    if not firsts:
        firsts.append(x)
    return firsts[0]


@lru_cache(maxsize=4096)
def _met(
    terms: Terms, statuses: tuple[Status, ...], held: Held | None, decided: Decisions, check: Check
) -> _Met | None:
    """What a check is rolled against; None where more than its damage may come of it."""
    places = () if check.friends else even_places(terms, decided)
    if not places:
        return None
    taking = _taking(terms, statuses, held, (places, check.base, check.bare))
    check = check._replace(by=0, sides=0, difficulty=0)  # all of it that is still looked at
    return _Met(kind_of((_but_attacker(terms), decided, check)), taking, check.each)


@lru_cache(maxsize=512)
def _but_attacker(terms: Terms) -> object:
    """Stands for what is settled, but for the attacker, at whom hits don't look.

    Where morale is lost it matters how the two stand.
    """
    if terms.rulings[MORALE] == "on":
        return kind_of(terms)
    setup = terms.setup
    rest = [getattr(setup, field.name) for field in fields(setup) if field.name != "attacker"]
    return kind_of((terms.rulings, terms.target, tuple(rest)))


@lru_cache(maxsize=4096)
def _taking(
    terms: Terms, statuses: tuple[Status, ...], held: Held | None,
    hit: tuple[tuple[int, ...], int, bool],
) -> Taking:  # fmt: skip
    """The body that hits fall on, whoever is in focus."""
    if held is not None:
        statuses = looked_at(Exchange(terms, statuses, held=held)).statuses
    places, base, bare = hit
    return Taking(terms, statuses, places, base, bare=bare)
