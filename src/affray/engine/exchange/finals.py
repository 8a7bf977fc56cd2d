"""Ends of an exchange with integer weights: over several totals, with last rolls not spread out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import lcm
from typing import TypeVar

from affray.core.lazy import NamedTuple
from affray.core.node import At, Facts, fill_each

__all__ = ["Finals", "LastRoll", "joined", "mix", "pour"]

K = TypeVar("K")


class LastRoll(NamedTuple):
    """The roll after which nothing that is asked for changes: its readings, not spread out.

    Attributes:
        then: where it goes on, with `into` unfilled. into: the field that a reading fills.
        total: over which the weights count.
        rows: readings with weights.
    """

    then: At[Facts]
    into: str
    total: int
    rows: dict[object, int]

    def finals(self) -> list[Facts]:
        """The facts with each reading in turn."""
        return fill_each(self.then, self.into, self.rows)


Finals = dict[int, dict[Facts, int]]
"""Final facts with integer weights, for each total over which the weights count."""


def mix(rows: Sequence[tuple[object, int]], weight: int, into: dict[object, int]) -> None:
    """Add the readings of a roll, times a weight."""
    if into:
        for reading, ways in rows:
            into[reading] = into.get(reading, 0) + weight * ways
    elif weight == 1:
        into.update(rows)
    else:
        into.update([(reading, weight * ways) for reading, ways in rows])


def pour(rows: Collection[tuple[K, int]], into: dict[K, int]) -> None:
    """Add weights to what is there; quick where nothing is there and no two rows are equal."""
    if not into:
        into.update(rows)
        if len(into) == len(rows):
            return
        into.clear()
    for key, weight in rows:
        into[key] = into.get(key, 0) + weight


def joined(by_total: dict[int, dict[K, int]]) -> tuple[int, dict[K, int]]:
    """Weights over several totals, brought to one."""
    if len(by_total) == 1:
        return next(iter(by_total.items()))
    common = lcm(*by_total)
    joined: dict[K, int] = {}
    for total, weights in by_total.items():
        scale = common // total
        for key, weight in weights.items():
            joined[key] = joined.get(key, 0) + weight * scale
    return common, joined
