"""W4, an Affinity attack, as experts of each library would write it.

Four proficiency and three exertion d6 (a success on 2 or more, two on a 6), two successes
required, base damage 2, at most 4 more; ones on exertion dice burn. The damage meets a magical
layer of d12, armor of d8 and a body of d10 with 11 HD, two dice each: a die of 5 or more cancels
1; what is left strips the layer and passes inward. The answer is the joint distribution of
(burn, magical layer intact, armor intact, HD lost).

`*_raw()` stops at the library's own type; `plain()`, `icepool()` and `dyce()` give plain dicts of
Fractions and must agree exactly. Libraries are imported when they are asked for.
"""

from collections import defaultdict
from fractions import Fraction
from math import comb
from typing import Any

from .numbers import W4, Blow

PROFICIENCY = 4
BURN = 1 << 8  # one burnt HD beside the successes, in one number
BARRIER, ARMOUR, BODY = (1, 4, 4), (1, 2, 1), (4, 12, 9)  # two dice as ways to cancel 0, 1, 2

Key = tuple[int, int, int, int]


def _damage(successes: int, blow: Blow) -> int:
    """Damage of so many successes."""
    if successes < blow.required:
        return 0
    return blow.base + min(successes - blow.required, PROFICIENCY)


# -- plain Python ----------------------------------------------------------------------------


def _times(weights: list[int], die: tuple[int, ...]) -> list[int]:
    """Add one die, given as ways to show 0, 1, 2."""
    out = [0] * (len(weights) + len(die) - 1)
    for n, ways in enumerate(weights):
        for more, faces in enumerate(die):
            out[n + more] += ways * faces
    return out


def _passed(damage: int, hd: int) -> list[tuple[int, int, int, int]]:
    """What becomes of damage in the layers: (magical intact, armor intact, lost, ways of 900)."""
    if damage == 0:
        return [(1, 1, 0, 900)]
    ends: dict[tuple[int, int, int], int] = defaultdict(int)
    for barrier, ways in enumerate(BARRIER):
        at_armor = damage - barrier
        if at_armor <= 0:
            ends[1, 1, 0] += ways * 100
            continue
        for armor, more in enumerate(ARMOUR):
            at_body = at_armor - armor
            if at_body <= 0:
                ends[0, 1, 0] += ways * more * 25
                continue
            for body, last in enumerate(BODY):
                ends[0, 0, min(hd, max(0, at_body - body))] += ways * more * last
    return [(*end, ways) for end, ways in ends.items()]


def plain_raw(blow: Blow = W4) -> tuple[dict[Key, int], int]:
    """Convolve successes for each number of burnt dice; walk each damage through the layers."""
    safe = [1]
    for _ in range(PROFICIENCY):
        safe = _times(safe, (1, 4, 1))
    weights: dict[Key, int] = defaultdict(int)
    passed = [_passed(damage, blow.hd) for damage in range(blow.base + PROFICIENCY + 1)]
    for burn in range(blow.exertion, -1, -1):  # the dice that did not burn show a success or two
        by_damage = [0] * len(passed)
        for successes, ways in enumerate(safe):
            by_damage[_damage(successes, blow)] += ways
        choices = comb(blow.exertion, burn)
        for damage, ways in enumerate(by_damage):
            if ways:
                for magical, armor, lost, more in passed[damage]:
                    weights[burn, magical, armor, lost] += choices * ways * more
        safe = _times(safe, (0, 4, 1))
    return weights, 6 ** (PROFICIENCY + blow.exertion) * 900


def plain(blow: Blow = W4) -> dict[Key, Fraction]:
    """Convolve in integers, then divide."""
    weights, denominator = plain_raw(blow)
    return {key: Fraction(ways, denominator) for key, ways in weights.items()}


# -- what both libraries are given ------------------------------------------------------------
#
# Dice are cut down to classes of faces, and one number holds all facts: burnt HD, layers intact,
# damage on its way inward.

SAFE = {0: 1, 1: 4, 2: 1}  # a d6 as successes, and how many faces show them
BURNING = {BURN: 1, 1: 4, 2: 1}
MAGICAL_INTACT, ARMOUR_INTACT, DAMAGE = 32, 16, 15


def _struck(rolled: int, blow: Blow) -> int:
    """From successes and burn to damage and burn, with both layers intact."""
    successes = rolled & (BURN - 1)
    return rolled - successes | _damage(successes, blow) | MAGICAL_INTACT | ARMOUR_INTACT


def _at_barrier(facts: int, cancelled: int) -> int:
    left = facts & DAMAGE
    if left <= cancelled:
        return facts - left
    return (facts - cancelled) & ~MAGICAL_INTACT


def _at_armor(facts: int, cancelled: int) -> int:
    left = facts & DAMAGE
    if left <= cancelled:
        return facts - left
    return (facts - cancelled) & ~ARMOUR_INTACT


def _at_body(facts: int, cancelled: int) -> int:
    return facts - min(facts & DAMAGE, cancelled)


def _decoded(facts: int, hd: int) -> Key:
    """The four facts in one number; more than the HD there are cannot be lost."""
    return facts >> 8, facts >> 5 & 1, facts >> 4 & 1, min(hd, facts & DAMAGE)


# -- icepool ---------------------------------------------------------------------------------


def icepool_raw(blow: Blow = W4) -> Any:
    """Sum the dice once; operators, leaner than maps, pass the damage inward."""
    from icepool import Die

    rolled = PROFICIENCY @ Die(SAFE) + blow.exertion @ Die(BURNING)
    facts = rolled.unary_operator(lambda n: _struck(n, blow))
    facts = facts.binary_operator(Die(dict(enumerate(BARRIER))), _at_barrier)
    facts = facts.binary_operator(Die(dict(enumerate(ARMOUR))), _at_armor)
    facts = facts.binary_operator(Die(dict(enumerate(BODY))), _at_body)
    return facts.unary_operator(lambda n: _decoded(n, blow.hd))


def icepool(blow: Blow = W4) -> dict[Key, Fraction]:
    """Sum, map, then divide."""
    raw = icepool_raw(blow)
    denominator = raw.denominator()
    return {tuple(end): Fraction(ways, denominator) for end, ways in raw.items()}


def clear_icepool() -> None:
    """Drop what icepool keeps between calls."""
    from .icepool_tuned import clear

    clear()


# -- dyce ------------------------------------------------------------------------------------


def dyce_raw(blow: Blow = W4) -> Any:
    """Sum the dice once; three maps pass the damage inward."""
    from dyce import H

    rolled = PROFICIENCY @ H(SAFE) + blow.exertion @ H(BURNING)
    facts = rolled.apply(lambda n: _struck(n, blow))
    facts = facts.apply(_at_barrier, H(dict(enumerate(BARRIER))))
    facts = facts.apply(_at_armor, H(dict(enumerate(ARMOUR))))
    facts = facts.apply(_at_body, H(dict(enumerate(BODY))))
    return facts.apply(lambda n: _decoded(n, blow.hd))


def dyce(blow: Blow = W4) -> dict[Key, Fraction]:
    """Sum, map, then divide."""
    return dict(dyce_raw(blow).probability_items())
