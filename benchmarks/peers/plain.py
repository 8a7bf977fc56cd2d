"""Plain Python, written by hand for exactly these four questions; no library, no numpy.

Weights are integers over one common denominator throughout; a raw result is the pair
`(weights, denominator)`. Nothing is kept between calls.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable
from fractions import Fraction
from itertools import accumulate, combinations_with_replacement, pairwise
from math import comb
from typing import TypeVar

from .numbers import W1, W2, W2L, W3, Attack, Check, Pools

Key = TypeVar("Key", bound=Hashable)
Triple = tuple[int, int, int]
Pair = tuple[int, int]


def clear() -> None:
    """Nothing to drop: every call starts from nothing."""


def normalise(raw: tuple[dict[Key, int], int]) -> dict[Key, Fraction]:
    """Divide every weight by the common denominator."""
    weights, denominator = raw
    return {key: Fraction(weight, denominator) for key, weight in weights.items()}


# W1: Eclipse Phase, attack 70 against 30, 3d10, armor 10


def _add_die(weights: list[int], sides: int) -> list[int]:
    """Add one die numbered from 0 (so sums start at 0): a sliding sum over `sides` places."""
    running = [0, *accumulate(weights)]
    total, last = running[-1], len(weights)
    return [
        (running[i + 1] if i < last else total) - (running[i + 1 - sides] if i >= sides else 0)
        for i in range(last + sides - 1)
    ]


def _hits_by_kind(attack: int, defence: int) -> tuple[int, list[int]]:
    """Out of 10,000 pairs of rolls: critical hits, and plain hits with 0, 1, 2 superior successes.

    One pass over the attacker's roll. The defender's rolls need only be counted: how many critical
    successes, how many plain successes, and how many of each lie below the attacker's roll.
    """
    criticals = sum(1 for roll in range(0, 99, 11) if roll <= defence or roll == 0)
    plains = sum(1 for roll in range(1, 99) if roll <= defence and roll % 11)
    failures = 100 - criticals - plains
    critical_hits = criticals_below = plains_below = 0
    plain_hits = [0, 0, 0]
    for roll in range(99):
        if roll % 11 == 0:
            defends = roll <= defence or roll == 0
            if roll <= attack or roll == 0:
                ties_won = defends and attack > defence
                critical_hits += failures + plains + criticals_below + ties_won
            criticals_below += defends
        else:
            if roll <= attack:
                plain_hits[(roll >= 33) + (roll >= 66)] += failures + plains_below
            plains_below += roll <= defence
    return critical_hits, plain_hits


def w1_raw(given: Attack = W1) -> tuple[dict[int, int], int]:
    """Count the kinds of hit in one pass over 0..99, then slide 3d10, +1d6, +2d6 past armor."""
    critical_hits, plain_hits = _hits_by_kind(given.attack, given.defence)
    three_d10 = _add_die(_add_die([1] * 10, 10), 10)
    plus_one = _add_die(three_d10, 6)
    plus_two = _add_die(plus_one, 6)
    weights = [0] * (61 - min(given.armor, 60))
    weights[0] = (10_000 - critical_hits - sum(plain_hits)) * 36_000
    kinds = (
        (three_d10, 3, 2, critical_hits * 36),
        (three_d10, 3, 1, plain_hits[0] * 36),
        (plus_one, 4, 1, plain_hits[1] * 6),
        (plus_two, 5, 1, plain_hits[2]),
    )
    for dice, lowest, factor, weight in kinds:
        damage = lowest * factor - given.armor
        for ways in dice:
            if damage > 0:
                weights[damage] += ways * weight
            else:
                weights[0] += ways * weight
            damage += factor
    return {damage: weight for damage, weight in enumerate(weights) if weight}, 360_000_000


def w1(given: Attack = W1) -> dict[int, Fraction]:
    """Count kinds of hit and convolve in integers, then divide."""
    return normalise(w1_raw(given))


# W2 and W2L: Empty Earth, three attack dice, rerolls, then dodge dice put whole on attack dice
#
# An attack die *needs* the amount by which it beats the defence. Once the dodge dice lie on the
# table, only their subset sums can be brought against a need, so all needs between two neighbouring
# sums are one class: class 0 missed already, class i is stopped by the i-th smallest sum, the last
# class by none. That mostly leaves 4 or 5 classes where W2L has 8 needs, and a reroll is solved on
# multisets of classes.


def _groupings(dodges: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Every way to heap the dodge dice, as ascending sums: one heap for each attack die stopped."""
    if len(dodges) == 2:
        low, high = dodges
        return [(low, high), (low + high,)]
    low, mid, high = dodges
    two_heaps = ((low, mid + high), (mid, low + high), (high, low + mid))
    return [dodges, *((a, b) if a <= b else (b, a) for a, b in two_heaps), (low + mid + high,)]


def _classes(groupings: list[tuple[int, ...]], top: int) -> list[int]:
    """The different amounts that the dodge dice can bring against a die, ascending, up to `top`."""
    return sorted({min(top, heap) for grouping in groupings for heap in grouping})


def _hits_left(classes: int, stops: tuple[tuple[int, ...], ...]) -> dict[Triple, int]:
    """Hits that stand after the defender's best assignment, for every multiset of three classes.

    `stops` holds the heaps as classes. If any n dice can be stopped, the n cheapest can.
    """
    hits = {}
    for triple in combinations_with_replacement(range(classes), 3):
        needs = [need for need in triple if need]
        stopped = 0
        for heaps in stops:
            n = len(heaps)
            if stopped < n <= len(needs) and all(map(int.__ge__, heaps, needs)):
                stopped = n
        hits[triple] = len(needs) - stopped
    return hits


def _reroll_one_sums(hits: dict[Triple, int], faces: list[int]) -> dict[Pair, int]:
    """For two kept dice: hits summed over every face of the rerolled third one."""
    sums: dict[Pair, int] = defaultdict(int)
    for (a, b, c), n in hits.items():
        if n:
            sums[a, b] += faces[c] * n
            if b != c:
                sums[a, c] += faces[b] * n
            if a != b:
                sums[b, c] += faces[a] * n
    return sums


def _best_of_one(hits: dict[Triple, int], faces: list[int], sides: int) -> int:
    """Attacker's value summed over all rolls times `sides`, when one die may be rerolled."""
    one = _reroll_one_sums(hits, faces)
    total = 0
    for (a, b, c), n in hits.items():
        best = max(sides * n, one[b, c], one[a, c], one[a, b])
        total += _ways(a, b, c) * faces[a] * faces[b] * faces[c] * best
    return total


def _best_of_any(hits: dict[Triple, int], faces: list[int], sides: int) -> int:
    """Attacker's value summed over all rolls times `sides` cubed, when any dice may be rerolled.

    The best over all sets of kept dice is built upwards: nothing kept, one die, two dice, three.
    """
    one = _reroll_one_sums(hits, faces)
    count = len(faces)
    two = [
        sum(faces[b] * one[(a, b) if a <= b else (b, a)] for b in range(count))
        for a in range(count)
    ]
    three = sum(map(int.__mul__, faces, two))
    best_single = [max(three, sides * value) for value in two]
    square, cube = sides**2, sides**3
    best_pair = {
        (a, b): max(best_single[a], best_single[b], square * one[a, b])
        for a, b in combinations_with_replacement(range(count), 2)
    }
    total = 0
    for (a, b, c), n in hits.items():
        best = max(cube * n, best_pair[b, c], best_pair[a, c], best_pair[a, b])
        total += _ways(a, b, c) * faces[a] * faces[b] * faces[c] * best
    return total


def _ways(a: int, b: int, c: int) -> int:
    """Orders in which an ascending triple can fall."""
    return 1 if a == c else 3 if a == b or b == c else 6


def _expected_hits(given: Pools, *, any_dice: bool) -> Fraction:
    """Solve the reroll for every roll of the dodge dice `(count, sides)` and average."""
    attack_sides, (n_dodges, dodge_sides), defence = given
    top = attack_sides - defence
    solve = _best_of_any if any_dice else _best_of_one
    capped = [1] * min(top, dodge_sides)
    capped[-1] += dodge_sides - len(capped)
    tables: dict[tuple[int, tuple[tuple[int, ...], ...]], dict[Triple, int]] = {}
    total = 0
    for roll in combinations_with_replacement(range(1, len(capped) + 1), n_dodges):
        groupings = _groupings(roll)
        sums = _classes(groupings, top)
        faces = [defence, sums[0], *(b - a for a, b in pairwise(sums))]
        if sums[-1] < top:
            faces.append(top - sums[-1])
        stops = tuple(
            tuple(bisect_left(sums, min(top, heap)) + 1 for heap in heaps) for heaps in groupings
        )
        key = len(faces), stops
        if key not in tables:
            tables[key] = _hits_left(len(faces), stops)
        value = solve(tables[key], faces, attack_sides)
        weight = 1
        for value_of_die in roll:
            weight *= capped[value_of_die - 1]
        orders = _ways(*roll) if n_dodges == 3 else 1 + (roll[0] != roll[1])
        total += orders * weight * value
    rolls = attack_sides**3 * dodge_sides**n_dodges
    return Fraction(total, rolls * attack_sides ** (3 if any_dice else 1))


def w2(given: Pools = W2) -> Fraction:
    """Merge needs into classes per dodge roll, then compare keeping with each single reroll."""
    return _expected_hits(given, any_dice=False)


def w2l(given: Pools = W2L) -> Fraction:
    """Merge needs into classes per dodge roll, then build the best kept set upwards."""
    return _expected_hits(given, any_dice=True)


# W3: n d10, dice of 7 or more and ones


def w3_raw(given: Check = W3) -> tuple[dict[Pair, int], int]:
    """Write the trinomial coefficients row by row, each from its neighbour."""
    n, target = given
    others = [(target - 2) ** k for k in range(n + 1)]
    weights = {}
    for high in range(n + 1):
        rest = n - high
        factor = comb(n, high) * (11 - target) ** high
        for ones in range(rest + 1):
            weights[high, ones] = factor * others[rest - ones]
            factor = factor * (rest - ones) // (ones + 1)
    return weights, 10**n


def w3(given: Check = W3) -> dict[Pair, Fraction]:
    """Trinomial coefficients in integers, then divide."""
    return normalise(w3_raw(given))
