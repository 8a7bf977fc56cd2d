"""Battles of two that walk through their duel together, round by round.

They need the exchanges that they come to, and no others; these are the exchanges of the whole duel,
so what was found out before it proved too large is known already. Battles are fought in batches
that grow: what the first ten come to is known early.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from affray.core.errors import LimitError
from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.engine.budget import Budget, spending
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import VERDICT_OF, Verdict
from affray.engine.fight.duels.walks import GOES_ON, Pairs, Walks

__all__ = ["WalkedBattles", "walked"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FIRST, GROWS = 10, 4
"""Battles of the first batch, and by how much each other one multiplies them."""


class WalkedBattles(NamedTuple):
    """Battles that were fought: how often each verdict came up, and in how many rounds.

    Attributes:
        verdicts, rounds: how often.
        stopped_by: the limit that ended it before all were fought; "".
    """

    verdicts: Counter[Verdict]
    rounds: Counter[int]
    stopped_by: str


def walked(
    contest: Contest, n: int, *, seed: int, rounds: int, budget: Budget | None = None
) -> WalkedBattles:
    """Fight battles of the first fighters of both sides.

    Args:
        contest: the fight, decided by fixed policies.
        n: how many battles.
        seed: the same one gives the same battles.
        rounds: after so many a battle is broken off.
        budget: how much it may take; once it is spent, whole batches by then count.

    Raises:
        LimitError: somebody asked to stop, or not one batch was over.
        SetupError: as for `Contest`.
    """
    verdicts: Counter[Verdict] = Counter()
    numbers: Counter[int] = Counter()
    done = 0
    with spending(budget) as clock:
        try:
            walks = Walks(contest)
            while done < n:
                size = min(n, max(FIRST, GROWS * done)) - done
                dice = np.random.default_rng([seed, done])
                ended, lasted = _fought(walks, size, rounds, dice)
                verdicts += ended
                numbers += lasted
                done += size
                clock.tell("battles", done, n)
        except LimitError as limit:
            if limit.limit == "interrupted" or not done:
                raise
            return WalkedBattles(verdicts, numbers, limit.limit)
    return WalkedBattles(verdicts, numbers, "")


def _fought(
    walks: Walks, n: int, most: int, dice: np.random.Generator
) -> tuple[Counter[Verdict], Counter[int]]:
    """How some battles end, and in which rounds."""
    verdicts: Counter[Verdict] = Counter()
    rounds: Counter[int] = Counter()

    def told(ended: Ints, number: int) -> None:
        for verdict, times in zip(*np.unique(ended, return_counts=True), strict=True):
            name = VERDICT_OF[verdict]
            if name is not None:
                verdicts[name] += int(times)
                rounds[number] += int(times)

    begins, chances = walks.begin()
    pairs = begins.some(np.sort(dice.choice(len(chances), n, p=chances / chances.sum())))
    over = walks.verdicts(pairs.one, pairs.other)
    told(over, 0)
    pairs = pairs.some(np.flatnonzero(over == GOES_ON))
    for number in range(1, most + 1):
        if not len(pairs.one):
            return verdicts, rounds
        meter_in_force().poll()
        left: list[Pairs] = []
        for (_, first), some in _in_order(walks, pairs, dice).items():
            here = some
            for slot in walks.slots(int(here.way[0]), first):
                one, other = here.one.copy(), here.other.copy()
                for branch in walks.branches(slot, here):
                    which = _thrown(branch.chances, len(branch.rows), dice)
                    one[branch.rows], other[branch.rows] = branch.each(which)
                one, other, over = walks.settled(one, other, slot)
                told(over, number)
                here = Pairs(here.way, one, other).some(np.flatnonzero(over == GOES_ON))
                if not len(here.one):
                    break
            left.append(here)
        pairs = Pairs(*(np.concatenate(rows) for rows in zip(*left, strict=True)))
    if len(pairs.one):
        verdicts["stalled"] += len(pairs.one)
        rounds[most] += len(pairs.one)
    return verdicts, rounds


def _in_order(
    walks: Walks, pairs: Pairs, dice: np.random.Generator
) -> dict[tuple[tuple[int, ...], int], Pairs]:
    """The battles by who goes first in this round, and how many interludes come before turns."""
    luck = dice.random(len(pairs.one))
    way, first = np.empty_like(pairs.way), np.empty_like(pairs.way)
    for turns in walks.turns(pairs):
        # Each order has its share of the numbers from 0 to 1; the last one has what is left.
        rows = turns.rows[luck[turns.rows] >= 0]
        way[rows], first[rows] = turns.way, turns.first
        luck[turns.rows] -= turns.chance
    ways = pairs._replace(way=way)
    found: dict[tuple[tuple[int, ...], int], list[Ints]] = {}
    for number in np.unique(2 * way + first).tolist():
        key = walks.before(number >> 1), number & 1
        found.setdefault(key, []).append(np.flatnonzero(2 * way + first == number))
    return {key: ways.some(np.concatenate(rows)) for key, rows in found.items()}


def _thrown(chances: Floats, n: int, dice: np.random.Generator) -> Ints:
    """Which of several things happens, so many times."""
    upto = np.cumsum(chances)
    found: Ints = np.searchsorted(upto[:-1], dice.random(n) * upto[-1], side="right")
    return found
