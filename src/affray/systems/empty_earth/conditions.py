"""Conditions that a fighter suffers: they come, act, and end as own turns begin."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

from affray.core.lazy import NamedTuple
from affray.core.sheet import replace
from affray.core.step import cites
from affray.systems.empty_earth.cards import Affliction

__all__ = [
    "Suffered",
    "aged",
    "begun",
    "forbidding",
    "grown",
    "healed",
    "injured",
    "shift",
    "written",
]


class Suffered(NamedTuple):
    """A Condition that somebody suffers.

    Attributes:
        card: the Condition, without a duration.
        left: how many own turns have to begin before it ends; 0: it lasts; `HELD`: as long as
            the Injury that brought it.
    """

    card: Affliction
    left: int = 0


Conditions = tuple[Suffered, ...]
HELD = -1
"""Turns that an Injury card has left."""


@lru_cache(maxsize=1024)
def _bare(card: Affliction) -> Affliction:
    """The card without a duration."""
    return replace(card, turns=0, held=False)


def begun(cards: Iterable[Affliction]) -> Conditions:
    """Begin with these, as they stand on a sheet."""
    begins = [Suffered(_bare(card), HELD if card.held else card.turns) for card in cards]
    return tuple(sorted(begins, key=lambda one: one.card.name))


@cites("EE-56")
def written(suffered: Conditions) -> tuple[Affliction, ...]:
    """Write them on a sheet, so that they go on from there."""
    return tuple(
        replace(one.card, turns=max(0, one.left), held=one.left == HELD) for one in suffered
    )


@cites("EE-23", "EE-56")
def grown(suffered: Conditions, more: Iterable[Affliction]) -> Conditions:
    """Add Conditions; one that is suffered already begins anew, and counts once.

    >>> slow = Affliction(name="Slow", turns=2)
    >>> once = aged(grown((), [slow]))
    >>> [(one.card.name, one.left) for one in once], grown(once, [slow]) == grown((), [slow])
    ([('Slow', 1)], True)
    """
    new = {card.name: Suffered(_bare(card), card.turns) for card in more}
    kept = [one for one in suffered if one.card.name not in new]
    return tuple(sorted([*kept, *new.values()], key=lambda one: one.card.name))


@cites("EE-47", "EE-59")
def injured(suffered: Conditions, card: Affliction) -> Conditions:
    """Draw an Injury card: it acts as long as the Injury is held, or for its turns."""
    kept = [one for one in suffered if one.card.name != card.name]
    new = Suffered(_bare(card), card.turns or HELD)
    return tuple(sorted([*kept, new], key=lambda one: one.card.name))


@cites("EE-59")
def healed(suffered: Conditions) -> Conditions:
    """Discard all Injury cards."""
    return tuple(one for one in suffered if one.left != HELD)


@cites("EE-56")
def aged(suffered: Conditions) -> Conditions:
    """Count a turn of the one who suffers: some Conditions end."""
    if not suffered:
        return suffered
    return tuple(
        one if one.left <= 0 else one._replace(left=one.left - 1)
        for one in suffered
        if one.left != 1
    )


@cites("EE-56")
def shift(suffered: Conditions, number: Literal["each_die", "phys_def", "ess_def", "dr"]) -> int:
    """Add up one number of all Conditions."""
    return sum(getattr(one.card, number) for one in suffered)


@cites("EE-56")
def forbidding(suffered: Conditions, ban: Literal["no_reactions", "no_actions"]) -> str:
    """Name a Condition that forbids something; "" where none does."""
    return next((one.card.name for one in suffered if getattr(one.card, ban)), "")
