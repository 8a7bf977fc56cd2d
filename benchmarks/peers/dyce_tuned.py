"""dyce, as somebody would write it who knows how dyce works inside.

`H` histograms of classes instead of faces, `aggregate_weighted` (the engine of `expand`) for
mixtures, `P.rolls_with_counts` for pools.
"""

import warnings
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import accumulate, repeat
from typing import Any

from dyce import H, P, expand
from dyce.h import aggregate_weighted
from dyce.lifecycle import ExperimentalWarning

from . import rules
from .choices import Roll, heaps, hits_left, need, reroll_any, reroll_one
from .numbers import W1, W2, W2L, W3, Attack, Check, Pools


def clear() -> None:
    """Nothing to drop: dyce keeps its caches in the objects, and these are built anew."""


def normalise(raw: Any) -> dict[Any, Fraction]:
    """Read the probabilities of a histogram as Fractions."""
    return dict(raw.probability_items())


def w1_raw(given: Attack = W1) -> Any:
    """Weigh each kind of hit by cumulated ranks, then mix the damage histograms once."""
    attack = H([rules.rank(roll, given.attack) for roll in range(100)])
    defence = H([rules.rank(roll, given.defence) for roll in range(100)])
    weights = rules.kinds_by_cumulation(attack.items(), defence.items())
    dice = 3 @ H(10)
    plus_one = dice + H(6)
    damage: list[Any] = [dice, plus_one, plus_one + H(6), dice * 2, 0]
    mixed = aggregate_weighted(zip(damage, weights, strict=True))
    return mixed.apply(lambda total: rules.net(total, given.armor))


def w1(given: Attack = W1) -> dict[int, Fraction]:
    """Mix the damage histograms by kind of hit, then divide."""
    return normalise(w1_raw(given))


def _need_and_dodge(given: Pools) -> tuple[Any, Any]:
    """An attack die as needs, and a dodge die capped at the greatest need."""
    top = need(given.sides, given.defence)
    attack = H(given.sides).apply(lambda face: need(face, given.defence))
    return attack, H(given.dodges[1]).apply(lambda face: min(face, top))


def w2(given: Pools = W2) -> Fraction:
    """List the rolls of needs and dodges; the choices are solved by hand in integers."""
    attack, dodge = _need_and_dodge(given)
    rolls = (3 @ P(attack)).rolls_with_counts()
    return reroll_one(attack, rolls, (given.dodges[0] @ P(dodge)).rolls_with_counts())


def w2l(given: Pools = W2L) -> Fraction:
    """List the rolls of needs and dodges; the choices are solved by hand in integers."""
    attack, dodge = _need_and_dodge(given)
    rolls = (3 @ P(attack)).rolls_with_counts()
    return reroll_any(attack, rolls, (given.dodges[0] @ P(dodge)).rolls_with_counts())


def _as_dice(given: Pools, fewest_kept: int) -> Any:
    """Histogram of hits where every choice takes the histogram with the best mean."""
    attack, dodge = _need_and_dodge(given)
    pool = 3 @ P(attack)

    def defend(dodged: Any) -> Any:
        heapings = heaps(dodged.roll)

        @cache
        def keep(kept: Roll) -> Any:
            if len(kept) == 3:
                return H({hits_left(kept, heapings): 1})
            return aggregate_weighted(
                (keep(tuple(sorted((*kept, face)))), ways) for face, ways in attack.items()
            )

        @cache
        def best(kept: Roll) -> tuple[Fraction, int, Any]:
            hits = keep(kept)
            mean = Fraction(sum(n * ways for n, ways in hits.items()), hits.total)
            options = [(mean, len(kept), hits)]
            if len(kept) > fewest_kept:
                options += [best(kept[:i] + kept[i + 1 :]) for i in range(len(kept))]
            return max(options, key=lambda option: option[:2])

        return aggregate_weighted(
            (best(needs)[2], ways) for needs, ways in pool.rolls_with_counts()
        )

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ExperimentalWarning)
        return expand(defend, given.dodges[0] @ P(dodge), min_path_probability=Fraction(0))


def w2_as_dice(given: Pools = W2) -> Any:
    """W2 with every value kept as a histogram, chosen by its mean: the distribution of hits."""
    return _as_dice(given, 2)


def w2l_as_dice(given: Pools = W2L) -> Any:
    """W2L with every value kept as a histogram, chosen by its mean: a distribution of hits."""
    return _as_dice(given, 0)


def _after(ones: int, high: int) -> tuple[int, int]:
    """The pair of counts, from the count drawn last."""
    return high, ones


def w3_raw(given: Check = W3) -> Any:
    """Mix, over the number of high dice, the binomials of ones among the rest."""
    n, target = given
    high = n @ H({0: target - 1, 1: 11 - target})
    one = H({0: target - 2, 1: 1})
    ones = list(accumulate(repeat(one, n), initial=H({0: 1})))

    def joint() -> Iterator[tuple[Any, int]]:
        for count, ways in high.items():
            yield ones[n - count].apply(_after, count), ways

    return aggregate_weighted(joint())


def w3(given: Check = W3) -> dict[tuple[int, int], Fraction]:
    """Binomial of high dice, binomial of ones among the rest, then divide."""
    return normalise(w3_raw(given))
