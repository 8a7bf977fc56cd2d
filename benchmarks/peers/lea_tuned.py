"""lea, as somebody would write it who knows how lea works inside.

Weights stay integers (`prob_type=-1, normalization=False`), which is several times faster than
lea's Fractions, and are divided only at the end. `switch_func` keeps integer weights; `switch`
does not when a branch is certain. lea has no pools, so sorted rolls are made with `times`.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import lea

from . import rules
from .choices import Roll, need, reroll_any, reroll_one
from .numbers import W1, W2, W2L, W3, Attack, Check, Pools

INTEGERS: dict[str, Any] = {"prob_type": -1, "normalization": False}


def clear() -> None:
    """Nothing to drop: lea keeps its caches in the objects, and these are built anew."""


def normalise(raw: Any) -> dict[Any, Fraction]:
    """Divide every weight of an unnormalised distribution by their sum."""
    weights = raw.pmf_tuple()
    total = sum(weight for _, weight in weights)
    return {value: Fraction(weight, total) for value, weight in weights}


def _weighted(pairs: Iterable[tuple[Any, int]]) -> Any:
    """A distribution with integer weights."""
    return lea.pmf(pairs, **INTEGERS)


def _die(sides: int) -> Any:
    """A fair die with weight one a face."""
    return _weighted((face, 1) for face in range(1, sides + 1))


def _ranks(target: int) -> Any:
    """A d100 as ranks against a target."""
    return _weighted((rules.rank(roll, target), 1) for roll in range(100))


def _damage(dice: Any, armor: int, scale: int, factor: int = 1) -> Any:
    """Damage of some dice after a factor and armor, with every weight multiplied by `scale`."""
    return _weighted((rules.net(factor * n, armor), scale * ways) for n, ways in dice.pmf_tuple())


def w1_raw(given: Attack = W1) -> Any:
    """Weigh each kind of hit by cumulated ranks, then switch to damage of equal total weight."""
    weights = rules.kinds_by_cumulation(
        _ranks(given.attack).pmf_tuple(), _ranks(given.defence).pmf_tuple()
    )
    dice = _die(10).times(3, **INTEGERS)
    plus_one = (dice + _die(6)).calc(**INTEGERS)
    plus_two = (plus_one + _die(6)).calc(**INTEGERS)
    damage = [
        _damage(dice, given.armor, 36),
        _damage(plus_one, given.armor, 6),
        _damage(plus_two, given.armor, 1),
        _damage(dice, given.armor, 36, 2),
        _weighted([(0, 36_000)]),
    ]
    return _weighted(enumerate(weights)).switch_func(damage.__getitem__).calc(**INTEGERS)


def w1(given: Attack = W1) -> dict[int, Fraction]:
    """Switch from kind of hit to damage, then divide."""
    return normalise(w1_raw(given))


def _rolls(faces: Any, n: int) -> Any:
    """The sorted rolls of n dice with their ways, by adding up sorted tuples."""
    single = _weighted(((face,), ways) for face, ways in faces.pmf_tuple())
    return single.times(n, op=_merge, **INTEGERS).pmf_tuple()


def _merge(left: Roll, right: Roll) -> Roll:
    """Two sorted rolls as one."""
    return tuple(sorted(left + right))


def _need_and_dodge(given: Pools) -> tuple[Any, Any]:
    """An attack die as needs, and a dodge die capped at the greatest need."""
    top = need(given.sides, given.defence)
    attack = _weighted((need(face, given.defence), 1) for face in range(1, given.sides + 1))
    return attack, _weighted((min(face, top), 1) for face in range(1, given.dodges[1] + 1))


def w2(given: Pools = W2) -> Fraction:
    """List the rolls of needs and dodges; the choices are solved by hand in integers."""
    attack, dodge = _need_and_dodge(given)
    return reroll_one(attack.pmf_dict(), _rolls(attack, 3), _rolls(dodge, given.dodges[0]))


def w2l(given: Pools = W2L) -> Fraction:
    """List the rolls of needs and dodges; the choices are solved by hand in integers."""
    attack, dodge = _need_and_dodge(given)
    return reroll_any(attack.pmf_dict(), _rolls(attack, 3), _rolls(dodge, given.dodges[0]))


def w3_raw(given: Check = W3) -> Any:
    """Switch from the number of high dice to the binomial of ones among the rest."""
    n, target = given
    high = _weighted([(0, target - 1), (1, 11 - target)]).times(n, **INTEGERS)
    one = _weighted([(0, target - 2), (1, 1)])
    ones = [_weighted([(0, 1)])]
    for _ in range(n):
        ones.append((ones[-1] + one.new()).calc(**INTEGERS))

    def joint(count: int) -> Any:
        scale = (target - 1) ** count
        return _weighted(((count, low), scale * ways) for low, ways in ones[n - count].pmf_tuple())

    return high.switch_func(joint).calc(**INTEGERS)


def w3(given: Check = W3) -> dict[tuple[int, int], Fraction]:
    """Binomial of high dice, binomial of ones among the rest, then divide."""
    return normalise(w3_raw(given))
