"""What places of an exchange come to, put together: ends with weights, and looks at the unknown."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from math import lcm

from affray.core.lazy import NamedTuple
from affray.core.node import At, Facts

__all__ = [
    "Ended", "Ends", "Found", "Helped", "Look", "Place", "Tail", "Weights", "crossed", "mixed",
    "together", "waits_at",
]  # fmt: skip

Helped = tuple[tuple[int, Hashable], ...]
"""Effects on mates of the target, each with their place among those that a context is made of."""
Weights = dict[tuple[Hashable, Hashable, Helped], int]


class Ends(NamedTuple):
    """Effects with weights, and the total over which these count."""

    weights: Weights
    total: int


class Ended(NamedTuple):
    """An end of an exchange whose effect depends on the hidden part."""

    facts: Facts


Place = At[Facts] | Ended
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


class Tail(NamedTuple):
    """What a place comes to, as far as it goes without the hidden part.

    Attributes:
        own: what befalls whoever acts, where the place is split; the rest is said of the others.
    """

    ends: Ends
    looks: list[Look]
    own: Ends | None = None


def waits_at(looks: Sequence[Look]) -> At[Facts] | None:
    """The place at which an exchange waits before anything else."""
    if len(looks) != 1:
        return None
    place, weight, total, own = looks[0]
    return place if weight == total and own is None and isinstance(place, At) else None


def mixed(parts: Iterable[tuple[Ends, int, int]]) -> Ends:
    """Ends that come up with a chance each: a weight, and the total over which it counts."""
    some = [part for part in parts if part[0].weights]
    if len(some) == 1 and some[0][1] == some[0][2]:
        return some[0][0]
    totals = [ends.total * total for ends, _, total in some]
    common = lcm(*set(totals))  # mostly one
    mixed: Weights = {}
    for (ends, times, _), total in zip(some, totals, strict=True):
        scale = times * (common // total)
        for whole, weight in ends.weights.items():
            mixed[whole] = mixed.get(whole, 0) + weight * scale
    return Ends(mixed, common)


def together(
    tails: Iterable[tuple[Tail, int, int]], parts: list[tuple[Ends, int, int]], looks: list[Look]
) -> Tail:
    """Tails that come up with a chance each, beside other ends and looks.

    What befalls whoever acts is put together for all tails that are otherwise the same.
    """
    apart: dict[tuple[int, int], tuple[Tail, list[tuple[Ends, int, int]]]] = {}
    for tail, weight, total in tails:
        if tail.own is not None:
            same = id(tail.ends), id(tail.looks)
            apart.setdefault(same, (tail, []))[1].append((tail.own, weight, total))
            continue
        parts.append((tail.ends, weight, total))
        looks += [Look(place, w * weight, over * total, own) for place, w, over, own in tail.looks]
    for tail, owns in apart.values():
        own = mixed(owns)
        if tail.ends.weights:
            parts.append((crossed(own, tail.ends), 1, 1))
        looks += [Look(place, w, over, own) for place, w, over, _ in tail.looks]
    return Tail(mixed(parts), _gathered(looks))


def crossed(own: Ends, others: Ends) -> Ends:
    """What befalls whoever acts with what befalls all others, independent of each other."""
    found: Weights = {}
    for (_, theirs, helped), weight in others.weights.items():
        for (mine, _, _), times in own.weights.items():
            whole = mine, theirs, helped
            found[whole] = found.get(whole, 0) + weight * times
    return Ends(found, own.total * others.total)


def _gathered(looks: list[Look]) -> list[Look]:
    """Each place once, with the chance of it."""
    if len(looks) < 2:
        return looks
    ways: dict[tuple[int, bool], list[Look]] = {}
    for look in looks:
        ways.setdefault((id(look.place), look.own is None), []).append(look)
    found: list[Look] = []
    for same in ways.values():
        first = same[0]
        if len(same) > 1:
            owns = [(own, weight, total) for _, weight, total, own in same if own is not None]
            if owns:
                first = Look(first.place, 1, 1, mixed(owns))
            else:
                common = lcm(*{total for _, _, total, _ in same})
                weight = sum(weight * (common // total) for _, weight, total, _ in same)
                first = Look(first.place, weight, common)
        found.append(first)
    return found
