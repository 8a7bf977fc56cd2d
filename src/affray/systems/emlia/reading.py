"""Readings of dice: successes and ones of a check."""

from __future__ import annotations

from functools import lru_cache

from affray.core.dice import Face, Pool, d
from affray.core.lazy import NamedTuple
from affray.core.reading import Counts, Tally, count_tallies
from affray.core.step import cites
from affray.systems.emlia.tables import LEAST

__all__ = ["EveryDie", "Outcome", "counted_of", "pool_of", "tally_of"]


class Outcome(NamedTuple):
    """The outcome of a check.

    Attributes:
        net: successes that are left.
        excess: ones in excess: a fumble if there are any.
    """

    net: int = 0
    excess: int = 0


@cites("EM-4")
def counted_of(rule: str, tally: tuple[int, int], dice: int) -> Outcome:
    """Turn successes and ones into an outcome.

    Args:
        rule: the effect of ones (`CoreCheck.ones`).
        tally: successes, and ones.
        dice: how many were rolled.
    """
    successes, ones = tally
    if rule == "cancel":
        return Outcome(max(0, successes - ones), max(0, ones - successes))
    excess = 0
    if rule == "outnumber":
        excess = max(0, ones - successes)
    elif rule == "botch":
        excess = 0 if successes else ones
    elif rule == "half":
        excess = max(0, ones - dice // 2)
    return Outcome(0 if excess else successes, excess)


@lru_cache(maxsize=512)
def pool_of(sides: int, dice: int) -> Pool:
    """So many dice; the same object for the same dice."""
    return Pool((d(sides), dice))


def successes_of(difficulty: int, sides: int) -> frozenset[Face]:
    """Faces that are successes and no ones."""
    return frozenset(range(max(difficulty, LEAST["one"] + 1), sides + 1))


_ONES: frozenset[Face] = frozenset({LEAST["one"]})


class EveryDie(NamedTuple):
    """Successes and ones where every face is a success, a 1 as well (B2)."""

    def __call__(self, faces: tuple[Face, ...]) -> tuple[int, int]:
        """As many successes as dice, and the ones among them."""
        return len(faces), sum(face in _ONES for face in faces)

    def counted(self, pool: Pool) -> Counts[tuple[int, int]]:
        """By binomials."""
        ones = count_tallies(pool, (_ONES,))
        return {(pool.size, number): ways for (number,), ways in ones.items()}


@lru_cache(maxsize=512)
@cites("EM-2", "EM-4")
def tally_of(difficulty: int, sides: int) -> Tally | EveryDie:
    """The reading that counts successes and ones of a check."""
    if difficulty <= LEAST["one"]:
        return EveryDie()
    return Tally((successes_of(difficulty, sides), _ONES))
