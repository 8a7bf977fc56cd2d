"""All that a duel is made of: conditions of both fighters and attacks between them.

They call for each other until nothing new comes up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import prod
from typing import Generic, TypeAlias, TypeVar

from affray.core.errors import LimitError
from affray.engine.budget import Clock
from affray.engine.fight.contest import Contest
from affray.engine.fight.duels.attacks import Attacks
from affray.engine.fight.duels.duelists import Duelist
from affray.engine.fight.duels.places import Order, Place, PlacedDuelist, places_of

__all__ = ["MOST_PAIRS", "Closure", "closed", "parts_of"]

MOST_PAIRS = 4_000_000

D = TypeVar("D", bound=Duelist)
A = TypeVar("A", bound=Attacks)
_Parts: TypeAlias = tuple[Sequence[Duelist], Sequence[Attacks]]


@dataclass(frozen=True)
class Closure(Generic[D, A]):
    """Both fighters of a duel with every condition that can come up, and their attacks.

    The attacks are those in turns of each kind (`Course.kinds`), for both sides.

    Attributes:
        places: the places of a round by its `Order`, where conditions were found out place by
            place.
        everywhere: as in `closed`.
    """

    duelists: tuple[D, D]
    attacks: tuple[A, ...]
    places: Mapping[Order, tuple[Place, ...]] | None = None
    everywhere: bool = False

    @property
    def n_pairs(self) -> int:
        """The number of pairs of conditions."""
        return prod(len(duelist.conditions) for duelist in self.duelists)

    @property
    def n_met(self) -> int:
        """The number of pairs of conditions that may come up, as far as it is known."""
        if self.places is None:
            return self.n_pairs
        return min(self.n_pairs, _met_in(chain.from_iterable(self.places.values())))


def parts_of(contest: Contest, kinds: tuple[type[D], type[A]]) -> tuple[tuple[D, D], tuple[A, ...]]:
    """Both fighters of a duel and their attacks, with nothing found out yet; see `closed`."""
    a_duelist, an_attacker = kinds
    duelists = a_duelist(contest, 0), a_duelist(contest, 1)
    if contest.is_mirrored:
        duelists[0].twin, duelists[1].twin = duelists[1], duelists[0]
    attacks = tuple(
        an_attacker(contest, side, duelists, kind=kind)
        for kind in contest.course.of_two().kinds
        for side in (0, 1)
    )
    return duelists, attacks


def closed(
    contest: Contest,
    kinds: tuple[type[D], type[A]],
    clock: Clock,
    begun: tuple[tuple[D, D], tuple[A, ...]] | None = None,
    *,
    everywhere: bool = False,
) -> Closure[D, A]:
    """Work out conditions and attacks until nothing new comes up.

    Args:
        contest: the fight; the first fighters of both sides take part.
        kinds: what stands for a fighter, and for its attacks; the conditions of a `PlacedDuelist`
            are found out place by place.
        clock: the budget that runs.
        begun: fighters and attacks of these kinds to find it out for. They keep what was found
            out even if it takes too long; None: fresh ones.
        everywhere: whether conditions that come up at the same place are all taken to stand
            opposite each other, whether or not the fight ever brings them together.

    Raises:
        LimitError: the budget is spent; carries what was found out by then.
    """
    parts: _Parts = ([], [])
    places: Mapping[Order, tuple[Place, ...]] | None = None
    try:
        parts = duelists, attacks = begun or parts_of(contest, kinds)
        most = clock.pairs(MOST_PAIRS)
        if isinstance(duelists[0], PlacedDuelist):
            places = places_of(contest, attacks, everywhere=everywhere)
            every = list(chain.from_iterable(places.values()))
            try:
                _grow_in_places(contest, parts, every, most)
            finally:
                for place in every:
                    place.settle()
        else:
            _grow(contest, parts, most)
    except LimitError as error:
        if error.limit not in {"seconds", "interrupted"}:
            raise
        found = [len(duelist.conditions) for duelist in parts[0]]
        exchanges = sum(map(len, parts[1]))
        raise LimitError(
            f"{contest.system.id}: {clock.why(error.limit)}, with "
            f"{' and '.join(map(str, found)) or 'no'} conditions of the fighters found out and "
            f"{exchanges:,} exchanges between them. Settle more choices, allow more time, or fight "
            "a battle instead",
            limit=error.limit,
            states=prod(found),
            done={"conditions": sum(found), "exchanges": exchanges},
        ) from error
    return Closure(duelists, attacks, places, everywhere=everywhere)


def _met_in(places: Iterable[Place]) -> int:
    """The number of pairs of conditions that may stand opposite each other, place by place."""
    return sum(place.n_met for place in places)


def _grow(contest: Contest, parts: _Parts, most: int) -> None:
    duelists, attacks = parts
    growing = True
    while growing:
        for own in attacks:
            own.extend()
        grown = [duelist.grow(most) for duelist in duelists]
        growing = any(grown)
        _check_pairs(contest, duelists, most)


def _grow_in_places(contest: Contest, parts: _Parts, places: Sequence[Place], most: int) -> None:
    growing = True
    while growing:
        # Looking for exchanges takes long, so it is seen first whether there are too many pairs.
        while any(place.spread(most) for place in places):
            _check_pairs(contest, parts[0], most, places)
        growing = any(place.meet(most) for place in places)


def _check_pairs(
    contest: Contest, duelists: Sequence[Duelist], most: int, places: Sequence[Place] = ()
) -> None:
    one, other = (len(duelist.conditions) for duelist in duelists)
    if one * other > most and not (places and _met_in(places) <= most):
        raise LimitError(
            f"{contest.system.id}: over {one:,} x {other:,} pairs of conditions; allowed: {most:,} "
            "that may meet. Settle more choices, take policies that spend nothing, allow more "
            "pairs, or fight a battle instead",
            limit="pairs",
            states=one * other,
        )
