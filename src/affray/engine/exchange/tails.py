"""Ends of places at seams, kept for exchanges that differ only before them.

A tail says what a place leads to: ends, last rolls, and other tails. Whoever comes by with a
weight passes it on, from the tails that lie farthest from the end to the nearest.
"""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.node import At, Facts
from affray.engine.exchange.finals import Finals, LastRoll, pour

__all__ = ["MOST_TAILS", "Met", "Tail", "Tails", "followed"]

MOST_TAILS = 2_000
"""Tails that are kept for one kind of exchange."""


class Tail:
    """What a place at a seam leads to.

    Attributes:
        finals, last_rolls: what has ended, as for `Flow`.
        on: other tails that it leads to, with weights for each of their totals.
        depth: how many tails may come one after the other from here.
    """

    __slots__ = ("depth", "finals", "last_rolls", "on")

    def __init__(self, finals: Finals, last_rolls: Sequence[LastRoll], on: Met) -> None:
        self.finals = finals
        self.last_rolls = last_rolls
        self.on = on
        depths = [tail.depth for weights in on.values() for tail in weights]
        self.depth: int = 1 + max(depths, default=0)


Met = dict[int, dict[Tail, int]]
"""Tails that are met, with weights for each of their totals."""


class Tails:
    """The tails of one kind of exchange.

    A place, or a roll that leads to a seam, is noted when it comes up for the first time, and
    followed for itself when it does again.

    Attributes:
        places: the tail of each place; None where it came up once.
        rolls: by the place that a roll leads to and the field that it fills, the tail of each
            reading; none yet where the roll came up once.
    """

    def __init__(self) -> None:
        self.places: dict[At[Facts], Tail | None] = {}
        self.rolls: dict[tuple[At[Facts], str], dict[object, Tail]] = {}
        self.left = MOST_TAILS

    def is_new(self, at: At[Facts]) -> bool:
        """Whether a place comes up for the first time; it is noted then."""
        if at in self.places:
            return False
        if self.left > 0:
            self.left -= 1
            self.places[at] = None
        return True

    def of_roll(self, then: At[Facts], into: str, readings: int) -> dict[object, Tail] | None:
        """The tails of a roll that came up before; else it is noted.

        Args:
            then: the place that the roll leads to.
            into: the field that it fills.
            readings: how many it has.
        """
        known = self.rolls.get((then, into))
        if known is None and self.left >= readings:
            self.left -= readings
            self.rolls[then, into] = {}
        return known


def followed(met: Met, finals: Finals) -> list[LastRoll]:
    """Pass weights on through tails; what ends is added to `finals`.

    Returns:
        The last rolls, with their weights.
    """
    levels: list[Met] = []
    _meet(levels, met, 1, 1)
    last_rolls = []
    while levels:
        for total, weights in levels.pop().items():
            for tail, weight in weights.items():
                if tail.on:
                    _meet(levels, tail.on, weight, total)
                for over, ends in tail.finals.items():
                    rows = [(end, weight * ways) for end, ways in ends.items()]
                    pour(rows, finals.setdefault(total * over, {}))
                for roll in tail.last_rolls:
                    ways_of = {reading: weight * ways for reading, ways in roll.rows.items()}
                    last_rolls.append(LastRoll(roll.then, roll.into, total * roll.total, ways_of))
    return last_rolls


def _meet(levels: list[Met], met: Met, weight: int, over: int) -> None:
    """Note tails that are met, times a weight in a total, each by its depth."""
    for total, tails in met.items():
        both = total * over
        for tail, ways in tails.items():
            depth = tail.depth
            while len(levels) < depth:
                levels.append({})
            weights = levels[depth - 1].get(both)
            if weights is None:
                weights = levels[depth - 1][both] = {}
            weights[tail] = weights.get(tail, 0) + ways * weight
