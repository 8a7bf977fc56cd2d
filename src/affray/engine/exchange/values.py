"""Values on a kernel's table: what entries are worth, given what they lead to.

A value is a row of integers over one denominator: one number for each objective, and for each value
of a field that is left aside.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import lcm
from operator import mul

from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.core.node import Choice, Facts, Step
from affray.engine.exchange.entries import AsideEntry, ChanceEntry, ChoiceEntry, Entry, PerValue
from affray.engine.exchange.game import considered
from affray.engine.exchange.kernel import Kernel

__all__ = ["Habit", "Habits", "Values", "common", "mixed"]

Habit = tuple[Step[Facts], str, str]
"""A step, an actor, and the option that this actor takes wherever the step offers it."""


class Values(NamedTuple):
    """Values over one denominator: objective by objective, value left aside by value left aside."""

    total: int
    numbers: list[int]


def common(rows: list[Values]) -> list[Values]:
    """The same rows over one denominator."""
    total = rows[0].total
    for row in rows:
        if row.total != total:
            break
    else:
        return rows
    total = lcm(*[row.total for row in rows])
    return [
        row
        if row.total == total
        else Values(total, [number * (total // row.total) for number in row.numbers])
        for row in rows
    ]


def mixed(place: Entry, rows: list[Values]) -> Values:
    """The value of an entry at which nobody decides, from the rows that it leads to."""
    if isinstance(place, ChanceEntry):
        below, weights = common(rows), place.weights
        columns = zip(*[row.numbers for row in below], strict=True)
        numbers = [sum(map(mul, weights, column)) for column in columns]
        return Values(below[0].total * place.total, numbers)
    if isinstance(place, AsideEntry):
        row, size, weights = rows[0], len(place.weights), place.weights
        starts = range(0, len(row.numbers), size)
        return Values(
            row.total * place.total,
            [sum(map(mul, weights, row.numbers[at : at + size])) for at in starts],
        )
    assert isinstance(place, PerValue)
    below = common(rows)
    numbers = []
    for wish in range(len(below[0].numbers)):
        column = [row.numbers[wish] for row in below]
        numbers += column if place.which is None else [column[at] for at in place.which]
    return Values(below[0].total, numbers)


class Habits:
    """Habits valued on a table that is solved already.

    Only entries that lead to the habit under best play differ from their solved rows; all others
    keep them.

    Args:
        kernel: the table. rows: what its entries are worth under best play.
        taken: the option that best play takes at an entry, for each value left aside.
    """

    def __init__(
        self,
        kernel: Kernel,
        rows: Mapping[int, Values],
        taken: Callable[[ChoiceEntry], Sequence[int]],
    ) -> None:
        self._kernel = kernel
        self._rows = rows
        self._taken = taken
        self._picked: dict[int, Sequence[int]] = {}
        self._bits: dict[tuple[Step[Facts], str], int] = {}
        self._asks: dict[int, int] = {}
        """The choices that best play meets from an entry on, as bits."""
        self._names: dict[int, dict[str, int]] = {}

    def worth(self, start: int, habit: Habit) -> Values:
        """What an entry is worth if an actor has a habit, and all else is decided as it was."""
        entries, rows = self._kernel.entries, self._rows
        bit = self._bit(habit[:2])
        found: set[int] = set()
        waiting = [start]
        while waiting:
            here = waiting.pop()
            if here not in found and self._met_from(here) & bit:
                found.add(here)
                waiting += self._goes(here, habit)
        meter = meter_in_force()
        changed: dict[int, Values] = {}
        for here in sorted(found):
            place = entries[here]
            if isinstance(place, ChoiceEntry):
                fixed = self._by_habit(here, place, habit)
                picks = self.picks(here, place) if fixed is None else [fixed] * place.size
                if fixed is not None or any(place.to[pick] in changed for pick in set(picks)):
                    changed[here] = self._followed(place, picks, changed)
            elif any(to in changed for to in place.to):
                below = [changed[to] if to in changed else rows[to] for to in place.to]
                changed[here] = mixed(place, below)
            meter.tick()
        return changed[start] if start in changed else rows[start]

    def _followed(
        self, place: ChoiceEntry, picks: Sequence[int], changed: Mapping[int, Values]
    ) -> Values:
        """The row of a decision that takes these options."""
        used = sorted(set(picks))
        below = common([
            changed[to] if to in changed else self._rows[to]
            for to in [place.to[pick] for pick in used]
        ])  # fmt: skip
        by_pick = dict(zip(used, below, strict=True))
        size = place.size
        return Values(
            below[0].total,
            [by_pick[picks[at % size]].numbers[at] for at in range(len(below[0].numbers))],
        )

    def _goes(self, number: int, habit: Habit) -> Sequence[int]:
        """Where an entry leads under a habit."""
        place = self._kernel.entries[number]
        if not isinstance(place, ChoiceEntry):
            return place.to
        fixed = self._by_habit(number, place, habit)
        return self._to(number) if fixed is None else [place.to[fixed]]

    def _to(self, number: int) -> Sequence[int]:
        """Where an entry leads under best play."""
        place = self._kernel.entries[number]
        if not isinstance(place, ChoiceEntry):
            return place.to
        return [place.to[pick] for pick in set(self.picks(number, place))]

    def picks(self, number: int, place: ChoiceEntry) -> Sequence[int]:
        """The option that best play takes at an entry, for each value left aside."""
        picks = self._picked.get(number)
        if picks is None:
            picks = self._picked[number] = self._taken(place)
        return picks

    def _by_habit(self, number: int, place: ChoiceEntry, habit: Habit) -> int | None:
        """The option that a habit takes at an entry; None where the entry doesn't offer it."""
        step, actor, name = habit
        if place.at.step is not step or place.actor != actor:
            return None
        names = self._names.get(number)
        if names is None:
            node = step.rule(place.at.facts)
            assert isinstance(node, Choice)
            among = considered(self._kernel.game, place.at, node)
            names = {option.name: pick for pick, option in enumerate(among)}
            self._names[number] = names
        return names.get(name)

    def _bit(self, asked: tuple[Step[Facts], str]) -> int:
        return self._bits.setdefault(asked, 1 << len(self._bits))

    def _met_from(self, number: int) -> int:
        """The choices that best play meets from an entry on, as bits."""
        asks, entries = self._asks, self._kernel.entries
        if number not in asks:
            missing: set[int] = set()
            waiting = [number]
            while waiting:
                here = waiting.pop()
                if here not in missing and here not in asks:
                    missing.add(here)
                    waiting += self._to(here)
            for here in sorted(missing):
                place, bits = entries[here], 0
                if isinstance(place, ChoiceEntry):
                    bits = self._bit((place.at.step, place.actor))
                for to in self._to(here):
                    bits |= asks[to]
                asks[here] = bits
        return asks[number]
