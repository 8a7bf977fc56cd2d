"""Ends of places at seams, kept for exchanges that differ only before them.

A tail says what a place leads to in the end. Whoever comes by with a weight passes it on: to ends
that are kept with their values, so that no facts are looked at again.
"""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.node import At, Facts, Step
from affray.engine.exchange.finals import Ends, Finals, LastRoll, Shared
from affray.engine.exchange.headway import Headway

__all__ = ["MOST_TAILS", "Met", "Tail", "Tails", "followed"]

MOST_TAILS = 2_000
"""Tails that are kept for one kind of exchange."""


class Tail:
    """What a place at a seam leads to, through other tails too.

    Args:
        finals, last_rolls: what has ended, as for `Flow`.
        on: other tails that it leads to, with weights for each of their totals.

    Attributes:
        ends: what it leads to, with weights for each total over which they count.
    """

    __slots__ = ("ends",)

    def __init__(self, finals: Finals, last_rolls: Sequence[LastRoll], on: Met) -> None:
        self.ends: dict[int, dict[Ends, int]] = {}
        for total, facts in finals.items():
            self.ends.setdefault(total, {})[Ends(facts)] = 1
        for roll in last_rolls:
            self.ends.setdefault(roll.total, {})[Ends(roll)] = 1
        _follow(on, self.ends)


Met = dict[int, dict[Tail, int]]
"""Tails that are met, with weights for each of their totals."""


class Tails:
    """The tails of one kind of exchange.

    A place, or a roll that leads to a seam, is noted when it comes up for the first time, and
    followed for itself when it does again.

    Attributes:
        places: for each step the tail of each place; None where it came up once.
        rolls: by the place that a roll leads to and the field that it fills, the tail of each
            reading; none yet where the roll came up once.
        headway: how far those exchanges come that differ in one number.
    """

    def __init__(self) -> None:
        self.places: dict[Step[Facts], dict[Facts, Tail | None]] = {}
        self.rolls: dict[tuple[At[Facts], str], dict[object, Tail]] = {}
        self.headway = Headway()
        self.left = MOST_TAILS

    def fresh(self, step: Step[Facts], states: dict[Facts, int]) -> set[Facts]:
        """The places at a step that come up for the first time; they are noted.

        Sets and dicts pass their hashes on: no facts are hashed anew.
        """
        known = self.places.setdefault(step, {})
        fresh = set(states).difference(known)
        if len(fresh) <= self.left:
            known.update(dict.fromkeys(fresh))
            self.left -= len(fresh)
        return fresh

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


def followed(met: Met) -> list[Shared]:
    """What tails lead to that are met."""
    found: dict[int, dict[Ends, int]] = {}
    _follow(met, found)
    return [
        Shared(ends, times, total) for total, all_ in found.items() for ends, times in all_.items()
    ]


def _follow(met: Met, into: dict[int, dict[Ends, int]]) -> None:
    """Add what tails lead to, times their weights."""
    for total, tails in met.items():
        for tail, weight in tails.items():
            for over, ends in tail.ends.items():
                both = total * over
                found = into.get(both)
                if found is None:
                    found = into[both] = {}
                for one, times in ends.items():
                    found[one] = found.get(one, 0) + weight * times
