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

HEALTH = 4

# Dice as numbers of hits or shields, and how many of six faces show them.
RED_WITH_ADVANTAGE = {1: 2, 2: 3, 3: 1}
YELLOW_WITH_ADVANTAGE = {0: 1, 1: 4, 2: 1}
BLUE = {0: 1, 1: 4, 2: 1}
GREY = {0: 3, 1: 3}
BROWN = {0: 4, 1: 2}
BLACK = {0: 2, 1: 3, 2: 1}

Key = tuple[int, int]
Die = dict[int, int]


def _health(over: int) -> int:
    """Health left after so many more hits than shields."""
    return HEALTH - min(HEALTH, max(0, over))


# -- plain Python ----------------------------------------------------------------------------


def _left(attack: tuple[Die, ...], defence: tuple[Die, ...]) -> list[int]:
    """Ways to each health from 0 up."""
    over: Die = {0: 1}
    for sign, dice in ((1, attack), (-1, defence)):
        for die in dice:
            more: Die = defaultdict(int)
            for n, ways in over.items():
                for hits, faces in die.items():
                    more[n + sign * hits] += ways * faces
            over = more
    left = [0] * (HEALTH + 1)
    for n, ways in over.items():
        left[_health(n)] += ways
    return left


def plain_raw() -> tuple[dict[Key, int], int]:
    """Convolve both rounds apart; the second counts only if the defender stands."""
    defender = _left((RED_WITH_ADVANTAGE, YELLOW_WITH_ADVANTAGE), (GREY, BROWN))
    attacker = _left((BLUE,), (BLACK, BROWN))
    weights = {(HEALTH, 0): defender[0] * 6**3}
    for theirs in range(1, HEALTH + 1):
        for mine, ways in enumerate(attacker):
            if ways and defender[theirs]:
                weights[mine, theirs] = ways * defender[theirs]
    return weights, 6**7


def plain() -> dict[Key, Fraction]:
    """Convolve in integers, then divide."""
    weights, denominator = plain_raw()
    return {key: Fraction(ways, denominator) for key, ways in weights.items()}


# -- icepool ---------------------------------------------------------------------------------


def icepool_raw() -> Any:
    """Sums of dice cut down to hits; one operator joins the rounds."""
    from icepool import Die as Cut

    over = Cut(RED_WITH_ADVANTAGE) + Cut(YELLOW_WITH_ADVANTAGE) - Cut(GREY) - Cut(BROWN)
    back = Cut(BLUE) - Cut(BLACK) - Cut(BROWN)
    return back.unary_operator(_health).binary_operator(over.unary_operator(_health), _both)


def _both(attacker: int, defender: int) -> Key:
    """Nobody is struck by a unit that is gone."""
    return (attacker, defender) if defender else (HEALTH, 0)


def icepool() -> dict[Key, Fraction]:
    """Add up dice, join the rounds, then divide."""
    raw = icepool_raw()
    denominator = raw.denominator()
    return {tuple(end): Fraction(ways, denominator) for end, ways in raw.items()}


def clear_icepool() -> None:
    """Drop what icepool keeps between calls."""
    from .icepool_tuned import clear

    clear()


# -- dyce ------------------------------------------------------------------------------------


def dyce_raw() -> Any:
    """Sums of histograms cut down to hits; one product joins the rounds."""
    from dyce import H

    over = H(RED_WITH_ADVANTAGE) + H(YELLOW_WITH_ADVANTAGE) - H(GREY) - H(BROWN)
    back = H(BLUE) - H(BLACK) - H(BROWN)
    return back.apply(_health).apply(_both, over.apply(_health))


def dyce() -> dict[Key, Fraction]:
    """Add up histograms, join the rounds, then divide."""
    return dict(dyce_raw().probability_items())
