"""icepool, as somebody would write it who reads the rules and translates them step by step."""

from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import icepool

from . import rules
from .choices import Roll, hits_by_trying
from .icepool_tuned import clear, normalise
from .numbers import W1, W2, W2L, W3, Attack, Check, Pools

__all__ = ["clear", "normalise", "w1", "w1_raw", "w2", "w2l", "w3", "w3_raw"]


def w1_raw(given: Attack = W1) -> Any:
    """Map over both d100 at once to the damage die that the pair of rolls calls for."""
    dice = 3 @ icepool.d(10)
    damage: list[Any] = [dice + superior @ icepool.d(6) for superior in range(3)]
    damage += [dice * 2, 0]

    def resolve(attack: int, defence: int) -> Any:
        mine, theirs = rules.rank(attack, given.attack), rules.rank(defence, given.defence)
        return damage[rules.kind(mine, theirs)]

    return (icepool.map(resolve, icepool.z(100), icepool.z(100)) - given.armor).clip(0)


def w1(given: Attack = W1) -> dict[int, Fraction]:
    """Map over both d100, then divide."""
    return normalise(w1_raw(given))


def _hits(given: Pools, fewest_kept: int) -> Any:
    """Map over the pool of dodge dice, in it over the pool of attack dice, with real faces."""
    n_dodges, dodge_sides = given.dodges
    attack = icepool.d(given.sides)

    def defend(*dodged: int) -> Any:

        @cache
        def keep(kept: Roll) -> Any:
            if len(kept) == 3:
                return icepool.Die([hits_by_trying(kept, dodged, given.defence)])
            return attack.map(lambda face: keep(tuple(sorted((*kept, face)))))

        def choose(*roll: int) -> Any:
            options = (
                keep(kept) for n in range(3, fewest_kept - 1, -1) for kept in combinations(roll, n)
            )
            return max(options, key=lambda hits: hits.mean())

        return icepool.map(choose, attack.pool(3), star=True)

    return icepool.map(defend, icepool.d(dodge_sides).pool(n_dodges), star=True)


def w2(given: Pools = W2) -> Fraction:
    """Compare the Die of each reroll by its mean, for every roll of both pools, then average."""
    mean: Fraction = _hits(given, 2).mean()
    return mean


def w2l(given: Pools = W2L) -> Fraction:
    """Compare the Die of each set of rerolls by its mean, for every roll of both pools."""
    mean: Fraction = _hits(given, 0).mean()
    return mean


def w3_raw(given: Check = W3) -> Any:
    """Turn one die into a vector of two counts and add it up n times."""
    n, target = given
    return n @ icepool.d(10).map(lambda face: icepool.Vector((int(face >= target), int(face == 1))))


def w3(given: Check = W3) -> dict[tuple[int, int], Fraction]:
    """Add up vectors, then divide."""
    return {tuple(counts): chance for counts, chance in normalise(w3_raw(given)).items()}
