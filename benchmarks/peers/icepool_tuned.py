"""icepool, as somebody would write it who knows how icepool works inside.

Dice are cut down to the classes that matter before they are combined; pools, never products.
"""

from fractions import Fraction
from functools import cache
from typing import Any

import icepool
import icepool.math

from . import rules
from .choices import Roll, heaps, hits_left, need, reroll_any, reroll_one
from .numbers import W1, W2, W2L, W3, Attack, Check, Pools


def clear() -> None:
    """Drop icepool's shared dice (with their sums), pools, binomials and evaluators' caches."""
    icepool.d.cache_clear()
    icepool.z.cache_clear()
    icepool.Pool.clear_cache()
    icepool.math.comb_row_cache.clear()
    for evaluator in vars(icepool.evaluator).values():
        if isinstance(evaluator, icepool.MultisetEvaluator):
            getattr(evaluator, "_cache", {}).clear()


def normalise(raw: Any) -> dict[Any, Fraction]:
    """Divide every quantity of a Die by its denominator."""
    denominator = raw.denominator()
    return {outcome: Fraction(quantity, denominator) for outcome, quantity in raw.items()}


def w1_raw(given: Attack = W1) -> Any:
    """Weigh each kind of hit by the defender's cumulative ranks, mix the damage dice once."""
    defence = icepool.Die([rules.rank(roll, given.defence) for roll in range(100)])
    weights = [0] * 5
    for roll in range(100):
        mine = rules.rank(roll, given.attack)
        if mine >= 0:
            beaten = defence.quantity("<=" if mine >= 100 else "<", mine)
            weights[rules.hit_kind(mine)] += beaten
    weights[rules.MISS] = 10_000 - sum(weights)
    dice = 3 @ icepool.d(10)
    plus_one = dice + icepool.d(6)
    damage: list[Any] = [dice, plus_one, plus_one + icepool.d(6), dice * 2, 0]
    return (icepool.Die(damage, weights) - given.armor).clip(0)


def w1(given: Attack = W1) -> dict[int, Fraction]:
    """Mix the damage dice by kind of hit, then divide."""
    return normalise(w1_raw(given))


def _need_and_dodge(given: Pools) -> tuple[Any, Any]:
    """An attack die as needs, and a dodge die capped at the greatest need."""
    top = need(given.sides, given.defence)
    attack = icepool.d(given.sides).map(lambda face: need(face, given.defence))
    return attack, icepool.d(given.dodges[1]).map(lambda face: min(face, top))


def w2(given: Pools = W2) -> Fraction:
    """Expand the pools of needs and dodges; the choices are solved by hand in integers."""
    attack, dodge = _need_and_dodge(given)
    dodged = dodge.pool(given.dodges[0]).expand()
    return reroll_one(attack, attack.pool(3).expand().items(), dodged.items())


def w2l(given: Pools = W2L) -> Fraction:
    """Expand the pools of needs and dodges; the choices are solved by hand in integers."""
    attack, dodge = _need_and_dodge(given)
    dodged = dodge.pool(given.dodges[0]).expand()
    return reroll_any(attack, attack.pool(3).expand().items(), dodged.items())


def _as_dice(given: Pools, fewest_kept: int) -> Any:
    """Die of hits where every choice takes the Die with the best mean (ties: keep more dice)."""
    attack, dodge = _need_and_dodge(given)
    rolls = attack.pool(3).expand()

    def defend(*dodged: int) -> Any:
        heapings = heaps(dodged)

        @cache
        def keep(kept: Roll) -> Any:
            if len(kept) == 3:
                return icepool.Die([hits_left(kept, heapings)])
            return attack.map(lambda face: keep(tuple(sorted((*kept, face)))))

        @cache
        def best(kept: Roll) -> tuple[Fraction, int, Any]:
            hits = keep(kept)
            options = [(hits.mean(), len(kept), hits)]
            if len(kept) > fewest_kept:
                options += [best(kept[:i] + kept[i + 1 :]) for i in range(len(kept))]
            return max(options, key=lambda option: option[:2])

        return rolls.map(lambda *needs: best(needs)[2], star=True)

    return dodge.pool(given.dodges[0]).expand().map(defend, star=True)


def w2_as_dice(given: Pools = W2) -> Any:
    """W2 with every value kept as a Die, chosen by its mean: the distribution of hits."""
    return _as_dice(given, 2)


def w2l_as_dice(given: Pools = W2L) -> Any:
    """W2L with every value kept as a Die, chosen by its mean: a distribution of hits."""
    return _as_dice(given, 0)


def w3_raw(given: Check = W3) -> Any:
    """Count the high dice by a pool of two-faced dice, then the ones among the rest by sums."""
    n, target = given
    high = icepool.Die({0: target - 1, 1: 11 - target}).pool(n).sum()
    one = icepool.Die({0: target - 2, 1: 1})
    return high.map(lambda count: icepool.tupleize(count, (n - count) @ one))


def w3(given: Check = W3) -> dict[tuple[int, int], Fraction]:
    """Binomial of high dice, binomial of ones among the rest, then divide."""
    return normalise(w3_raw(given))
