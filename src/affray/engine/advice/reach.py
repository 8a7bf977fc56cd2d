"""Solving within reach: it is tried, and given up as soon as the growth shows that it is too large.

A question that is far too large shows that early. From a place on, its choices are followed level
by level while each roll comes to one result only. All places that are met like this belong to the
exchange, so it has at least so many; and where their number has grown from level to level for a
while, and most of the way is still to go, what comes can be foreseen well enough to tell millions
from thousands of millions. Nothing is refused that comes within a tenth of what is allowed.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from math import inf, log10
from random import Random

from affray.core.errors import LimitError
from affray.core.lazy import NamedTuple
from affray.core.node import At, Chance, Choice, End, Facts
from affray.engine.advice.walking import Resting, Walk
from affray.engine.budget import Budget, clock_in_force, spending
from affray.engine.exchange.best import Solution
from affray.engine.exchange.game import considered

__all__ = ["Growth", "growth_from", "is_soon_solved", "solve_within_reach"]

thread_time: Callable[[], float] = getattr(time, "thread_time", time.process_time)
"""Seconds of the processor; of all threads where a platform can't tell those of one."""

FIRST, PORTION = 20_000, 4_000
"""Places that are tried before anybody looks how they grow, and how many at a time."""
FIRST_S = 0.7
"""Seconds of the processor that trying takes, and by the clock for so many at a time."""
COUNTED, MOST_COUNTED = 2_000, 6_000
"""Places that are counted to see how they grow: at least, and at most."""
COUNTED_S = 1.0
"""Seconds of the processor that counting takes at most."""
STEADY = 4
"""Levels for which the number of places has to grow."""
GROWING = 1.3
"""How much it has to grow from level to level, on the mean of those levels."""
FURTHER = 12
"""Levels at most for which it is taken to grow on like that."""
MARGIN = 10
"""How much larger than allowed an exchange must be that is refused."""
PLACES_A_SECOND = 60_000
"""More places than anybody solves in a second."""
TRIALS = 5
"""Ways by lot that tell how long the way is."""
LONGEST = 20_000
"""Rolls and decisions of such a way at most."""


class Growth(NamedTuple):
    """How the places of an exchange grow.

    Attributes:
        levels: different places after so many rolls and decisions, if every roll came to one
            result; cut off where enough were counted.
        length: rolls and decisions to the end, on a way by lot.
        foreseen: places in all, as far as that can be foreseen; those counted where it ended.
    """

    levels: tuple[int, ...]
    length: float
    foreseen: float


def growth_from(solution: Solution, at: At[Facts]) -> Growth:
    """See how the places grow from one on, within a fraction of a second."""
    clock = clock_in_force()
    most_s = thread_time() + max(0.0, min(COUNTED_S, clock.left / 4))
    walk = Walk(solution.game, solution.stops, Random(0))
    lengths = [_length(walk, at, most_s)]
    while len(lengths) < TRIALS and thread_time() < most_s:
        lengths.append(_length(walk, at, most_s))
    length = sum(lengths) / len(lengths)
    level: dict[At[Facts], Resting] = {}
    seen: set[At[Facts]] = set()
    _add(at, walk, level, seen)
    levels = [len(level)]
    while level and len(seen) < COUNTED and clock.left > 0 and thread_time() < most_s:
        below: dict[At[Facts], Resting] = {}
        for place, node in level.items():
            for after in _after(walk, place, node):
                _add(after, walk, below, seen)
            if len(seen) > MOST_COUNTED or clock.left < 0 or thread_time() > most_s:
                break
        levels.append(len(below))
        level = below
    return Growth(tuple(levels), length, _foreseen(levels, len(seen), length))


def _foreseen(levels: list[int], seen: int, length: float) -> float:
    """How many places there are, going by how they have grown."""
    rest, here = length - len(levels), levels[-1]
    last = levels[-STEADY - 1 :]
    steady = len(last) > STEADY and all(a <= b for a, b in pairwise(last))
    if not here or rest <= 0 or not steady:
        return seen
    ratio = float(here / last[0]) ** (1 / STEADY)
    further = min(rest / 4, FURTHER) if ratio >= GROWING else 0.0
    return seen + here * float(ratio**further) * rest / 2


def _add(at: At[Facts], walk: Walk, level: dict[At[Facts], Resting], seen: set[At[Facts]]) -> None:
    """Add the next roll or choice to a level, unless it was met before."""
    place, node = walk.resting(*at)
    if not isinstance(node, End) and place not in seen:
        level[place] = node
        seen.add(place)


def _after(walk: Walk, place: At[Facts], node: Resting) -> list[At[Facts]]:
    """The places that follow a choice or a roll: one for each option, one for a roll."""
    if isinstance(node, Choice):
        return [option.at for option in considered(walk.game, place, node)]
    assert isinstance(node, Chance)  # nothing follows an end
    return [walk.thrown(node)]


def _length(walk: Walk, at: At[Facts], most_s: float) -> int:
    """How many rolls and decisions a way by lot takes to its end, or until time is over."""
    for number in range(LONGEST):
        if thread_time() > most_s:
            return number
        place, node = walk.resting(*at)
        if isinstance(node, End):
            return number
        at = walk.random.choice(_after(walk, place, node))
    return LONGEST


def solve_within_reach(solution: Solution, at: At[Facts], share: float = 1.0) -> None:
    """Solve a place, unless that is certainly too large, which is said within two seconds.

    Args:
        solution: of the exchange; what it has followed stays followed.
        at: the place.
        share: the share of the seconds left that solving may take.

    Raises:
        LimitError: it is out of reach, foreseen (limit "growth") or found; somebody asked to
            stop; there is no memory left.
    """
    clock = clock_in_force()
    most, seconds = clock.places(), max(0.0, share * clock.left)
    soon = inf if seconds == inf else min(FIRST_S, seconds / 2)
    most_s = thread_time() + soon
    for tried in range(0, min(most, FIRST), PORTION):
        if is_soon_solved(solution, at, min(most - tried, PORTION), soon):
            return
        if thread_time() > most_s:
            break
    if most > PORTION:
        growth = growth_from(solution, at)
        if growth.foreseen > MARGIN * min(most, PLACES_A_SECOND * seconds):
            raise LimitError(
                f"{solution.game.system.id}: too large to be solved: {_counted(growth)}. Settle "
                "more choices beforehand",
                limit="growth",
                states=sum(growth.levels),
                done={"places": sum(growth.levels)},
            )
    clock.poll()
    with spending(clock.part(share)):
        solution.value_at(at)


def _counted(growth: Growth) -> str:
    """How an exchange grows, in words."""
    *_, before, last = growth.levels
    return (
        f"its choices alone lead to {sum(growth.levels):,} places after {len(growth.levels) - 1} "
        f"of some {growth.length:.0f} decisions and rolls, the last of them from {before:,} to "
        f"{last:,}, which makes over {_rounded(growth.foreseen)} in all"
    )


def _rounded(number: float) -> str:
    """A large number, rounded down to a power of ten."""
    power = 10 ** int(log10(number))
    return f"{power:,}" if power < 10**15 else "1,000,000,000,000,000"


def is_soon_solved(solution: Solution, at: At[Facts], places: int, seconds: float) -> bool:
    """Whether a place is solved within few further places and little time.

    Raises:
        LimitError: the budget in force is spent.
    """
    outer = clock_in_force()
    with spending(Budget(seconds=None if seconds == inf else seconds)):
        try:
            return solution.value_within(at, places) is not None
        except LimitError as limit:
            if limit.limit != "seconds" or outer.over():
                raise
            return False
