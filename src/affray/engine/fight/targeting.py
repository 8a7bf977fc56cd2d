"""Rules that choose a target: by name, or written in Python."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from typing import TypeAlias

from affray.core.errors import AnswerError
from affray.core.lazy import NamedTuple
from affray.core.names import unknown

__all__ = [
    "TARGETINGS", "Foe", "Sighted", "Targeting", "View", "aimed_at", "asked", "checked", "ranking",
]  # fmt: skip

TARGETINGS: Mapping[str, str] = {
    "weakest": "The foe with the fewest points left.",
    "strongest": "The foe with the most points left.",
    "nearest_out": "The foe with the least left as a share of what it had at the start.",
    "spread": "The foe that was attacked least often this round, then the weakest.",
    "random": "Any foe, all with the same chance.",
    "in_order": "The first foe who stands.",
}
"""Rules by name, each with what it says. Among equals the first in order is the target."""


class Foe(NamedTuple):
    """A foe who stands.

    Attributes:
        place: its number on its side, from 0 on.
        name: its name.
        sheet, condition: its sheet, and its condition now.
        vitals: points left until it is out.
    """

    place: int
    name: str
    sheet: Hashable
    condition: Hashable
    vitals: int


class View(NamedTuple):
    """A targeting rule's view: the actor's place on its side, and all foes who stand."""

    actor: int
    foes: tuple[Foe, ...]


class Sighted(NamedTuple):
    """The foes whom a deed may be done to, as a targeting rule looks at them.

    Attributes:
        view: those who stand.
        starts: their points at the start of the battle.
        times: how often they have been acted upon in this round.
    """

    view: View
    starts: tuple[int, ...]
    times: tuple[int, ...]


Targeting: TypeAlias = str | Callable[[View], int]
"""A name from `TARGETINGS`, or a function from a view to the place of one of its foes."""

Ranking: TypeAlias = Callable[[int, int], int]
"""From points left and points at the start to a rank; the lowest rank is the target."""


def checked(targeting: Targeting) -> Targeting:
    """Return the rule unchanged if it exists.

    Raises:
        UnknownNameError: no rule has this name.
    """
    if isinstance(targeting, str) and targeting not in TARGETINGS:
        raise unknown("targeting", targeting, TARGETINGS)
    return targeting


def asked(rule: Callable[[View], int], view: View) -> int:
    """The place that a rule names.

    Raises:
        AnswerError: nobody who stands is there.
    """
    place = rule(view)
    places = [foe.place for foe in view.foes]
    if place not in places:
        allowed = ", ".join(f"{foe.place} ({foe.name})" for foe in view.foes)
        raise AnswerError(
            f"the targeting rule names place {place!r} for fighter {view.actor}; "
            f"foes who stand: {allowed}"
        )
    return places[places.index(place)]


def aimed_at(rule: Targeting, sighted: Sighted, chance: random.Random) -> int:
    """The place of the foe whom a rule names.

    Args:
        rule: the rule of the side that acts.
        sighted: the foes.
        chance: draws, where the rule is a draw.

    Raises:
        AnswerError: nobody who stands is at the place that it names.
    """
    foes = sighted.view.foes
    if rule == "random":
        return chance.choice(foes).place
    if not isinstance(rule, str):
        return asked(rule, sighted.view)
    rank = ranking(rule, sighted.starts, max(foe.vitals for foe in foes))
    often = sighted.times if rule == "spread" else (0,) * len(foes)
    keys = [
        (times, rank(foe.vitals, start))
        for foe, start, times in zip(foes, sighted.starts, often, strict=True)
    ]
    return foes[keys.index(min(keys))].place


def ranking(targeting: Targeting, starts: Iterable[int], top: int) -> Ranking:
    """The ranking of foes by their points.

    Args:
        targeting: the rule of the side that attacks.
        starts: points that the foes have at the start.
        top: the highest rank there may be.
    """
    if targeting == "nearest_out":
        sizes = {start for start in starts if start > 0}
        shares = {Fraction(left, start) for start in sizes for left in range(2 * start + 1)}
        ranks = {share: rank for rank, share in enumerate(sorted(shares))}
        return lambda left, start: ranks.get(Fraction(left, start), top) if start > 0 else 0
    points = {"weakest": 1, "spread": 1, "strongest": -1}.get(str(targeting), 0)
    worst = top if points < 0 else 0
    return lambda left, _: worst + points * left
