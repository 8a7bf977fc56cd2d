"""The ends to which the options that are taken lead, on a table that is solved already.

No rule is applied again: weights go down the entries of a kernel. Their order is that of the
options and readings, whatever else the kernel was asked for before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import lcm

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

__all__ = ["Picks", "ends_from"]

Picks = Callable[[int, ChoiceEntry], Sequence[int]]
"""The option that is taken at an entry, given with its number, for each of its places."""


_Weights = tuple[int, Sequence[int]]
"""The total over which the weights count with which an entry is met; one for each of its places."""


def _together(one: _Weights, other: _Weights) -> _Weights:
    """Both, over one total."""
    (mine, row), (theirs, more) = one, other
    if mine == theirs:
        return mine, [a + b for a, b in zip(row, more, strict=True)]
    total = lcm(mine, theirs)
    mine, theirs = total // mine, total // theirs
    return total, [a * mine + b * theirs for a, b in zip(row, more, strict=True)]


def ends_from(entries: Sequence[Entry], start: int, picks: Picks) -> dict[int, dict[Facts, int]]:
    """Final facts with integer weights, for each total over which the weights count.

    Args:
        entries: of a kernel.
        start: the number of the first one, a place by itself.
        picks: the options that are taken.
    """
    finals: dict[int, dict[Facts, int]] = {}
    met: dict[int, _Weights] = {start: (1, (1,))}
    meter = meter_in_force()
    for here in _in_order(entries, start, picks):
        place, weights = entries[here], met.pop(here, None)
        meter.tick()
        if weights is None:
            continue  # no place of the row comes here
        if isinstance(place, Leaf):
            total, (weight,) = weights
            ends = finals.setdefault(total, {})
            n_ends = len(ends)
            before = ends.setdefault(place.facts, weight)  # hashes facts once, not twice
            if len(ends) == n_ends:
                ends[place.facts] = before + weight
            continue
        for to, more in _onward(here, place, weights, picks):
            known = met.get(to)
            met[to] = more if known is None else _together(known, more)
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
) -> Iterable[tuple[int, _Weights]]:
    """Where an entry leads, with the weights that go there."""
    total, row = weights
    if isinstance(place, ChanceEntry):
        over, each = total * place.total, zip(place.to, place.weights, strict=True)
        if len(row) == 1:
            (weight,) = row
            return [(to, (over, (weight * ways,))) for to, ways in each]
        return [(to, (over, [weight * ways for weight in row])) for to, ways in each]
    if isinstance(place, AsideEntry):
        return [(place.to[0], (total * place.total, [row[0] * ways for ways in place.weights]))]
    if isinstance(place, ChoiceEntry):
        taken = picks(here, place)
        if len(taken) == 1:
            return [(place.to[taken[0]], weights)]
        shares = [
            (pick, [w if one == pick else 0 for one, w in zip(taken, row, strict=True)])
            for pick in sorted(set(taken))
        ]
        return [(place.to[pick], (total, mine)) for pick, mine in shares if any(mine)]
    if isinstance(place, PerValue):
        which = range(len(row)) if place.which is None else place.which
        return [
            (place.to[number], (total, (weight,)))
            for number, weight in zip(which, row, strict=True)
            if weight
        ]
    assert isinstance(place, (Leaf, HiddenEntry))  # an end, or never part of a solved table
    return []
