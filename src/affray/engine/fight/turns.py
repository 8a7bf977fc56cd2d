"""Who acts when: which side leads, and in which order the fighters of both sides have turns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Literal, NamedTuple, TypeAlias

__all__ = ["First", "Lead", "alternates", "leads", "leads_off", "order"]

First: TypeAlias = Literal[
    "initiative", "one", "other", "coin", "alternate", "alternate_other", "seats"
]
"""Who goes first: by initiative, the first side, the second one, or whom a coin names. With
`alternate` sides take turns, so many fighters at a time as `Contest.at_a_time` says, the first
side or the `other` one first; next is whoever stands. With `seats` the first of one side is
followed by the first of the other, then come the second ones; who is out leaves a gap."""

SECOND: frozenset[First] = frozenset({"other", "alternate_other"})


class Lead(NamedTuple):
    """One way in which a fight of two can begin.

    Attributes:
        chance: how likely it is.
        side: the number of the side that goes first in every round; None: by initiative.
        ahead: by how much the dice of the first side's initiative are ahead of the other's.
    """

    chance: Fraction
    side: int | None
    ahead: int = 0


def leads_off(first: First) -> int:
    """The number of the side that goes first where neither dice nor a coin say so."""
    return int(first in SECOND)


def alternates(first: First) -> bool:
    """Whether sides take turns within a round."""
    return first in {"alternate", "alternate_other"}


def leads(first: First, rolls: tuple[Mapping[int, int], Mapping[int, int]]) -> Iterator[Lead]:
    """Every way in which a fight of two can begin; their chances add up to one.

    Args:
        first: who goes first.
        rolls: what either side rolls once for its initiative: numbers with weights.
    """
    if first == "coin":
        yield Lead(Fraction(1, 2), 0)
        yield Lead(Fraction(1, 2), 1)
        return
    if first != "initiative":
        yield Lead(Fraction(1), leads_off(first))
        return
    ways: dict[int, int] = {}
    for (mine, one), (theirs, other) in product(rolls[0].items(), rolls[1].items()):
        ways[mine - theirs] = ways.get(mine - theirs, 0) + one * other
    total = sum(ways.values())
    for ahead, number in ways.items():
        yield Lead(Fraction(number, total), None, ahead)


def order(sizes: tuple[int, int], first: First, at_a_time: int = 1) -> tuple[tuple[int, int], ...]:
    """Everybody as (side, place) in the order of their turns, where it is fixed.

    Args:
        sizes: how many fighters each side has.
        first: who goes first; a coin or initiative don't fix it.
        at_a_time: how many of a side act before the other side does, where sides alternate.
    """
    sides = (leads_off(first), 1 - leads_off(first))
    block = at_a_time if alternates(first) else 1 if first == "seats" else max(sizes)
    return tuple(
        (side, place)
        for start in range(0, max(sizes), block)
        for side in sides
        for place in range(start, min(start + block, sizes[side]))
    )
