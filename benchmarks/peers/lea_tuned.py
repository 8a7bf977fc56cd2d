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


def _damage(dice: Any, scale: int, factor: int = 1) -> Any:
    """Damage of some dice after a factor and armour, with every weight multiplied by `scale`."""
    return _weighted((rules.net(factor * n), scale * ways) for n, ways in dice.pmf_tuple())


def w1_raw() -> Any:
    """Weigh each kind of hit by cumulated ranks, then switch to damage of equal total weight."""
    weights = rules.kinds_by_cumulation(
        _ranks(rules.ATTACK).pmf_tuple(), _ranks(rules.DEFENCE).pmf_tuple()
    )
    dice = _die(10).times(3, **INTEGERS)
    plus_one = (dice + _die(6)).calc(**INTEGERS)
    plus_two = (plus_one + _die(6)).calc(**INTEGERS)
    damage = [
        _damage(dice, 36),
        _damage(plus_one, 6),
        _damage(plus_two, 1),
        _damage(dice, 36, 2),
        _weighted([(0, 36_000)]),
    ]
    return _weighted(enumerate(weights)).switch_func(damage.__getitem__).calc(**INTEGERS)


def w1() -> dict[int, Fraction]:
    """Switch from kind of hit to damage, then divide."""
    return normalise(w1_raw())


def _rolls(faces: Any, n: int) -> Any:
    """The sorted rolls of n dice with their ways, by adding up sorted tuples."""
    single = _weighted(((face,), ways) for face, ways in faces.pmf_tuple())
    return single.times(n, op=_merge, **INTEGERS).pmf_tuple()


def _merge(left: Roll, right: Roll) -> Roll:
    """Two sorted rolls as one."""
    return tuple(sorted(left + right))


def _need_and_dodge(attack_sides: int, dodge_sides: int) -> tuple[Any, Any]:
    """An attack die as needs, and a dodge die capped at the greatest need."""
    top = need(attack_sides)
    attack = _weighted((need(face), 1) for face in range(1, attack_sides + 1))
    return attack, _weighted((min(face, top), 1) for face in range(1, dodge_sides + 1))


def w2() -> Fraction:
    """List the rolls of needs and dodges; the choices are solved by hand in integers."""
    attack, dodge = _need_and_dodge(8, 6)
    return reroll_one(attack.pmf_dict(), _rolls(attack, 3), _rolls(dodge, 2))


def w2l() -> Fraction:
    """List the rolls of needs and dodges; the choices are solved by hand in integers."""
    attack, dodge = _need_and_dodge(12, 10)
    return reroll_any(attack.pmf_dict(), _rolls(attack, 3), _rolls(dodge, 3))


def w3_raw(n: int) -> Any:
    """Switch from the number of high dice to the binomial of ones among the rest."""
    high = _weighted([(0, 6), (1, 4)]).times(n, **INTEGERS)
    one = _weighted([(0, 5), (1, 1)])
    ones = [_weighted([(0, 1)])]
    for _ in range(n):
        ones.append((ones[-1] + one.new()).calc(**INTEGERS))

    def joint(count: int) -> Any:
        scale = 6**count
        return _weighted(((count, low), scale * ways) for low, ways in ones[n - count].pmf_tuple())

    return high.switch_func(joint).calc(**INTEGERS)


def w3(n: int) -> dict[tuple[int, int], Fraction]:
    """Binomial of high dice, binomial of ones among the rest, then divide."""
    return normalise(w3_raw(n))
