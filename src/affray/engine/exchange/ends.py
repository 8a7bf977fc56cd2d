"""The ends to which the options that are taken lead, on a table that is solved already.

No rule is applied again: weights go down the entries of a kernel. Their order is that of the
options and readings, whatever else the kernel was asked for before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import lcm

from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.core.node import Facts
from affray.engine.exchange.entries import (
    AsideEntry,
    ChanceEntry,
    ChoiceEntry,
    Entry,
    HiddenEntry,
    Leaf,
    PerValue,
)

__all__ = ["ends_from"]

Picks = Callable[[int, ChoiceEntry], Sequence[int]]
"""The option that is taken at an entry, given with its number, for each of its places."""


class _Weights(NamedTuple):
    """The weights with which an entry is met, one for each of its places, over a total."""

    total: int
    row: Sequence[int]

    def plus(self, other: _Weights) -> _Weights:
        """Both together, over one total."""
        if self.total == other.total:
            return _Weights(self.total, [a + b for a, b in zip(self.row, other.row, strict=True)])
        total = lcm(self.total, other.total)
        mine, theirs = total // self.total, total // other.total
        both = zip(self.row, other.row, strict=True)
        return _Weights(total, [a * mine + b * theirs for a, b in both])


def ends_from(entries: Sequence[Entry], start: int, picks: Picks) -> dict[int, dict[Facts, int]]:
    """Final facts with integer weights, for each total over which the weights count.

    Args:
        entries: of a kernel.
        start: the number of the first one, a place by itself.
        picks: the options that are taken.
    """
    finals: dict[int, dict[Facts, int]] = {}
    met = {start: _Weights(1, (1,))}
    meter = meter_in_force()
    for here in _in_order(entries, start, picks):
        place, weights = entries[here], met.pop(here, None)
        meter.tick()
        if weights is None:
            continue  # no place of the row comes here
        if isinstance(place, Leaf):
            ends = finals.setdefault(weights.total, {})
            ends[place.facts] = ends.get(place.facts, 0) + weights.row[0]
            continue
        for to, more in _onward(here, place, weights, picks):
            known = met.get(to)
            met[to] = more if known is None else known.plus(more)
    return finals


def _in_order(entries: Sequence[Entry], start: int, picks: Picks) -> list[int]:
    """The entries that are led to, each before all that it leads to."""
    found: list[int] = []
    seen: set[int] = set()
    waiting = [start]
    while waiting:
        here = waiting.pop()
        if here < 0:
            found.append(~here)
        elif here not in seen:
            seen.add(here)
            place, to = entries[here], entries[here].to
            if isinstance(place, ChoiceEntry):
                to = [to[pick] for pick in sorted(set(picks(here, place)))]
            waiting.append(~here)
            waiting += to
    return found[::-1]


def _onward(
    here: int, place: Entry, weights: _Weights, picks: Picks
) -> Iterator[tuple[int, _Weights]]:
    """Where an entry leads, with the weights that go there."""
    total, row = weights
    if isinstance(place, ChanceEntry):
        over = total * place.total
        for to, ways in zip(place.to, place.weights, strict=True):
            yield to, _Weights(over, [weight * ways for weight in row])
    elif isinstance(place, AsideEntry):
        yield place.to[0], _Weights(total * place.total, [row[0] * ways for ways in place.weights])
    elif isinstance(place, ChoiceEntry):
        taken = picks(here, place)
        for pick in sorted(set(taken)):
            mine = [weight if one == pick else 0 for one, weight in zip(taken, row, strict=True)]
            if any(mine):
                yield place.to[pick], _Weights(total, mine)
    elif isinstance(place, PerValue):
        which = range(len(row)) if place.which is None else place.which
        for number, weight in zip(which, row, strict=True):
            if weight:
                yield place.to[number], _Weights(total, (weight,))
    else:
        assert isinstance(place, (Leaf, HiddenEntry))  # an end, or never part of a solved table
