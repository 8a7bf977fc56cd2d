"""Ends of an exchange with integer weights: over several totals, with last rolls not spread out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import lcm
from typing import Any, TypeVar

from affray.core.hints import Column
from affray.core.lazy import NamedTuple
from affray.core.meter import in_portions
from affray.core.node import At, Facts, fill_each
from affray.core.system import Field

__all__ = ["Ends", "Finals", "LastRoll", "Shared", "joined", "mix", "pour", "values_of"]

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

    def column(self, field: Field[Facts], hint: Column[Facts] | None) -> Sequence[object]:
        """The values of an outcome field for each reading in turn.

        Args:
            field: the field.
            hint: a quicker way to all its values, if the system's hints have one.
        """
        if hint is not None:
            return hint(self.then.facts, self.into, tuple(self.rows))
        return values_of(field, self.finals())


class Ends:
    """Ends that always come together, in the same proportions: what they are is kept.

    Args:
        of: final facts with weights, or a last roll.

    Attributes:
        ways: the weight of each end, in order.
    """

    __slots__ = ("_joint", "_of", "_values", "ways")

    def __init__(self, of: dict[Facts, int] | LastRoll) -> None:
        self._of = of
        rows: dict[Any, int] = of.rows if isinstance(of, LastRoll) else of
        self.ways = tuple(rows.values())
        self._values: dict[str, Sequence[object]] = {}
        self._joint: dict[tuple[str, ...], Sequence[tuple[object, ...]]] = {}

    def finals(self) -> list[Facts]:
        """The facts, in order."""
        return self._of.finals() if isinstance(self._of, LastRoll) else list(self._of)

    def joint(
        self, fields: Sequence[Field[Facts]], hints: Mapping[str, Column[Facts]]
    ) -> Sequence[tuple[object, ...]]:
        """The values of several outcome fields for each end, kept."""
        names = tuple([field.name for field in fields])
        known = self._joint.get(names)
        if known is None:
            columns = [self.column(field, hints.get(field.name)) for field in fields]
            known = self._joint[names] = list(zip(*columns, strict=True))
        return known

    def column(self, field: Field[Facts], hint: Column[Facts] | None) -> Sequence[object]:
        """The values of an outcome field for each end; arguments as for `LastRoll`."""
        known = self._values.get(field.name)
        if known is None:
            of = self._of
            if isinstance(of, LastRoll):
                known = of.column(field, hint)
            else:
                known = values_of(field, list(of))
            self._values[field.name] = known
        return known


class Shared(NamedTuple):
    """Ends that several exchanges lead to, `times` their weights over `total`."""

    ends: Ends
    times: int
    total: int


def values_of(field: Field[Facts], finals: Sequence[Facts]) -> list[object]:
    """The values of an outcome field for final facts."""
    return [value for part in in_portions(finals) for value in map(field.of, part)]


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


def pour(rows: Collection[tuple[K, int]] | dict[K, int], into: dict[K, int]) -> None:
    """Add weights to what is there; quick where nothing is there and no two rows are equal."""
    if not into:
        into.update(rows)
        if len(into) == len(rows):
            return
        into.clear()
    size = len(into)
    for key, weight in rows.items() if isinstance(rows, dict) else rows:
        known = into.setdefault(key, weight)  # hashes a new key once, not twice
        if len(into) == size:
            into[key] = known + weight
        else:
            size += 1


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
