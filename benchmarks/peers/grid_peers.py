"""W5, a Grid Battles combat with Battle Back, as experts of each library would write it.

Red and yellow dice with Advantage against grey and brown; whoever is attacked, if it still stands,
strikes back with blue and without Advantage against black and brown. Both have 4 health; the dice
are the project's default faces. The answer is the joint distribution of (attacker's health,
defender's health).

`*_raw()` stops at the library's own type; `plain()`, `icepool()` and `dyce()` give plain dicts of
Fractions and must agree exactly. Libraries are imported when they are asked for.
"""

from collections import defaultdict
from fractions import Fraction
from typing import Any

from .numbers import W5, Combat

# Dice as numbers of hits or shields, and how many of six faces show them.
WITH_ADVANTAGE = {
    "red": {1: 2, 2: 3, 3: 1}, "yellow": {1: 6}, "blue": {1: 4, 2: 2},
}  # fmt: skip
WITHOUT = {"red": {0: 1, 1: 2, 2: 2, 3: 1}, "yellow": {0: 3, 1: 3}, "blue": {0: 1, 1: 4, 2: 1}}
GREY = {0: 3, 1: 3}
BROWN = {0: 4, 1: 2}
BLACK = {0: 2, 1: 3, 2: 1}

Key = tuple[int, int]
Die = dict[int, int]


def _health(over: int, health: int) -> int:
    """Health left of so much after so many more hits than shields."""
    return health - min(health, max(0, over))


# -- plain Python ----------------------------------------------------------------------------


def _left(attack: tuple[Die, ...], defence: tuple[Die, ...], health: int) -> list[int]:
    """Ways to each health from 0 up."""
    over: Die = {0: 1}
    for sign, dice in ((1, attack), (-1, defence)):
        for die in dice:
            more: Die = defaultdict(int)
            for n, ways in over.items():
                for hits, faces in die.items():
                    more[n + sign * hits] += ways * faces
            over = more
    left = [0] * (health + 1)
    for n, ways in over.items():
        left[_health(n, health)] += ways
    return left


def plain_raw(given: Combat = W5) -> tuple[dict[Key, int], int]:
    """Convolve both rounds apart; the second counts only if the defender stands."""
    one, two = given.attack
    defender = _left((WITH_ADVANTAGE[one], WITH_ADVANTAGE[two]), (GREY, BROWN), given.health)
    attacker = _left((WITHOUT[given.back],), (BLACK, BROWN), given.attacker_health)
    weights = {}
    if defender[0]:
        weights[given.attacker_health, 0] = defender[0] * 6**3
    for theirs in range(1, given.health + 1):
        for mine, ways in enumerate(attacker):
            if ways and defender[theirs]:
                weights[mine, theirs] = ways * defender[theirs]
    return weights, 6**7


def plain(given: Combat = W5) -> dict[Key, Fraction]:
    """Convolve in integers, then divide."""
    weights, denominator = plain_raw(given)
    return {key: Fraction(ways, denominator) for key, ways in weights.items()}


# -- icepool ---------------------------------------------------------------------------------


def icepool_raw(given: Combat = W5) -> Any:
    """Sums of dice cut down to hits; one operator joins the rounds."""
    from icepool import Die as Cut

    one, two = given.attack
    over = Cut(WITH_ADVANTAGE[one]) + Cut(WITH_ADVANTAGE[two]) - Cut(GREY) - Cut(BROWN)
    back = Cut(WITHOUT[given.back]) - Cut(BLACK) - Cut(BROWN)
    attacker = back.unary_operator(lambda n: _health(n, given.attacker_health))
    defender = over.unary_operator(lambda n: _health(n, given.health))
    return attacker.binary_operator(defender, lambda a, d: _both(a, d, given.attacker_health))


def _both(attacker: int, defender: int, whole: int) -> Key:
    """Nobody is struck by a unit that is gone."""
    return (attacker, defender) if defender else (whole, 0)


def icepool(given: Combat = W5) -> dict[Key, Fraction]:
    """Add up dice, join the rounds, then divide."""
    raw = icepool_raw(given)
    denominator = raw.denominator()
    return {tuple(end): Fraction(ways, denominator) for end, ways in raw.items()}


def clear_icepool() -> None:
    """Drop what icepool keeps between calls."""
    from .icepool_tuned import clear

    clear()


# -- dyce ------------------------------------------------------------------------------------


def dyce_raw(given: Combat = W5) -> Any:
    """Sums of histograms cut down to hits; one product joins the rounds."""
    from dyce import H

    one, two = given.attack
    over = H(WITH_ADVANTAGE[one]) + H(WITH_ADVANTAGE[two]) - H(GREY) - H(BROWN)
    back = H(WITHOUT[given.back]) - H(BLACK) - H(BROWN)
    attacker = back.apply(lambda n: _health(n, given.attacker_health))
    defender = over.apply(lambda n: _health(n, given.health))
    return attacker.apply(lambda a, d: _both(a, d, given.attacker_health), defender)


def dyce(given: Combat = W5) -> dict[Key, Fraction]:
    """Add up histograms, join the rounds, then divide."""
    return dict(dyce_raw(given).probability_items())
