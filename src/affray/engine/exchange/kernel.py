"""Kernels: an exchange's rule text followed once, and kept as a table of numbered places.

A kernel knows no objective. Whoever solves an exchange walks its table from the leaves up; a
second objective, another threshold or another visit to the same exchange needs no rule any more.
Places with equal facts are one entry; places without roll or decision are none.

Where a roll fills a field that the next steps neither read nor change (`Hints.aside`), those
steps are followed once for all its values: such entries stand for a row of places, one for each
value, until a step looks at the field (`PerValue`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Sequence
from threading import RLock

from affray.core.errors import LimitError
from affray.core.lazy import NamedTuple
from affray.core.node import At, Chance, Choice, Facts, Go, Step, fill, fill_each
from affray.core.reading import Roll as Distributed
from affray.core.reading import roll_of
from affray.core.unknown import Looked, is_look
from affray.engine.budget import BETWEEN_POLLS, Clock, clock_in_force
from affray.engine.exchange.entries import (
    Aside,
    AsideEntry,
    ChanceEntry,
    ChoiceEntry,
    Entry,
    HiddenEntry,
    Leaf,
    PerValue,
    SeamEntry,
)
from affray.engine.exchange.faults import check_asked, unhashable_at
from affray.engine.exchange.game import Game, Offered, note_offer, options_left
from affray.engine.exchange.merging import plainer

__all__ = ["Kernel", "TooLongError"]

_NONE: frozenset[str] = frozenset()


class TooLongError(LimitError):
    """A way through the rules that may have no end."""


class _Rolled(NamedTuple):
    """Dice with their distribution, where it goes on, and the field that a reading fills."""

    roll: Distributed
    then: At[Facts]
    into: str


class Kernel:
    """The table of one system under certain settled choices; it grows as places are asked for.

    Args:
        game: system and settled choices; where it starts does not matter.
        until: outcome fields; where hints say that none of them changes any more, a place counts
            as an end. None: everything is followed to the end.
        lifts: whether rolls may be left aside; without, the table has no rows of places.
        needed: outcome fields that are looked at; what only others need is dropped. None: all.
        seams: steps at which it ends, and whoever asks goes on from there.

    Attributes:
        seams: as given. stops: steps from which on nothing that is wanted changes any more.
        offered: options that were met, at steps for which there is a habit.
    """

    def __init__(
        self,
        game: Game,
        until: frozenset[str] | None = None,
        *,
        lifts: bool = True,
        needed: frozenset[str] | None = None,
        seams: frozenset[Step[Facts]] = frozenset(),
    ) -> None:
        self.game = game
        hints = game.system.hints
        self.lifts = lifts
        self.seams = seams
        self._root: At[Facts] | None = None
        self._forget = None if needed is None else hints.forget
        self._plain = {} if needed is None else hints.plain
        self._aside = game.system.aside
        self._alike = hints.alike
        self._needed = needed or frozenset()
        self._until = until or frozenset()
        self.stops = game.system.over(until) if until else frozenset()
        self._stops_where = hints.fixes_where if until else {}
        self.entries: list[Entry] = []
        # The number of a place in a list, which is empty until the place is followed to the end.
        self._numbers: dict[tuple[Step[Facts], Facts], list[int]] = {}
        self._by_reading: dict[tuple[At[Facts], str], dict[object, int]] = {}
        self._asides: dict[tuple[str, tuple[object, ...]], Aside] = {}
        self._marks: dict[str, list[Aside]] = {}
        self._lock = RLock()
        self._clock: Clock
        self._most = self._look_at = 0
        self._watched: frozenset[str] = getattr(game.narrow, "watched", frozenset())
        self.offered: Offered = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def number(self, at: At[Facts], most: int | None = None) -> int:
        """The entry of a place; what it leads to is followed first, so that it comes before.

        Args:
            at: the place.
            most: how many places there may be; None: as the budget in force says.

        Raises:
            LimitError: the budget in force is spent, or too long a way to the end; what was
                followed to the end is kept.
        """
        with self._lock:
            known = self._numbers.get(at)
            if known:
                return known[0]
            self._root = at
            return self._begun(lambda: self._visit(at.step, at.facts, None), at.step, most)

    def number_beyond(self, roll: Chance[Facts], most: int | None = None) -> int:
        """The entry of a roll that leads to a seam, as a `SeamEntry` has it; see `number`."""
        with self._lock:
            self._root = None
            rolled = _Rolled(roll_of(roll.dice, roll.read), roll.then, roll.into)
            return self._begun(lambda: self._roll(rolled, None), roll.then.step, most)

    def _begun(self, follow: Callable[[], int], step: Step[Facts], most: int | None) -> int:
        self._clock = clock_in_force()
        self._most = self._clock.places() if most is None else most
        self._look_at = min(self._most, len(self._numbers) + BETWEEN_POLLS)
        try:
            return follow()
        except RecursionError:
            raise TooLongError(
                f"{self.game.system.id}: the exchange is too long to be solved from step "
                f"{step.name}: over {sys.getrecursionlimit()} calls deep",
                limit="places",
                states=len(self),
            ) from None

    def plain(self, at: At[Facts]) -> At[Facts]:
        """The place that stands for this one: without what isn't needed."""
        step, facts = at
        if step not in self._plain:
            return at
        return At(step, plainer(self._plain[step], facts, self._needed))

    def found(self, at: At[Facts]) -> tuple[int, int] | None:
        """The entry that stands for a place, alone or in a row, and where in the row it stands."""
        step, facts = self.plain(at)
        known = self._numbers.get((step, facts))
        if known:
            return known[0], 0
        for field in self._aside.get(step, _NONE):
            value = getattr(facts, field)
            for mark in self._marks.get(field, ()):
                place = mark.place_of.get(value)
                if place is not None:
                    known = self._numbers.get((step, fill(at, field, mark).facts))
                    if known:
                        return known[0], place
        return None

    def _look(self, step: Step[Facts]) -> None:
        """Whether more places may be followed."""
        here, clock = len(self._numbers), self._clock
        clock.tell("places", here)
        limit = "places" if here > self._most else clock.over()
        if limit:
            over = f"over {self._most:,} places" if limit == "places" else clock.why(limit)
            more = limit if limit in {"places", "bytes"} else "time"
            raise LimitError(
                f"{self.game.system.id}: {over} to solve, at {step.title!r}"
                f"{'' if limit == 'places' else f', with {here:,} places followed'}. Settle more "
                f"choices beforehand, or allow more {more}",
                limit=limit,
                states=here,
                done={"places": here},
            )
        self._look_at = min(self._most, here + BETWEEN_POLLS)

    def _visit(
        self, step: Step[Facts], facts: Facts, aside: Aside | None, *, once: bool = False
    ) -> int:
        """The entry of a place; `once` for a place that can't be met again and need not be kept."""
        numbers = self._numbers
        number: list[int] = []  # shared by all places that are passed here
        by: tuple[Step[Facts], Facts] | None = None  # the last rule that was applied here
        try:
            while True:
                if once:
                    once = False
                else:
                    if aside is None and step in self._plain:
                        facts = plainer(self._plain[step], facts, self._needed)
                    key = (step, facts)
                    if step in self.seams and key != self._root:
                        other = numbers.get(key)
                        known = other[0] if other else self._add(SeamEntry(At(step, facts)))
                        break
                    size = len(numbers)
                    other = numbers.setdefault(key, number)  # hashes facts once, not twice
                    if other:
                        known = other[0]
                        break
                    if other is not number:
                        numbers[key] = number
                    elif len(numbers) == size:
                        raise RecursionError  # rules go in a circle
                if aside is not None and aside.field not in self._aside.get(step, _NONE):
                    known = self._spread(step, facts, aside)
                    break
                if aside is None and self.is_over(step, facts):
                    known = self._add(Leaf(facts))
                    break
                try:
                    by = step, facts
                    node = step.rule(facts)
                    if isinstance(node, Go):
                        step, facts = node.step, node.facts
                        continue
                    if isinstance(node, Choice):
                        check_asked(self.game.system, step, node)
                        if step.name in self._watched:
                            note_offer(self.offered, At(step, facts), node)
                        options = options_left(self.game, At(step, facts), node)
                        if len(options) == 1:
                            step, facts = options[0].at
                            continue
                    elif isinstance(node, Chance):
                        check_asked(self.game.system, step, node)
                        if self._forget is not None:
                            node = self._forget(node, self._needed)
                        rolled = _Rolled(roll_of(node.dice, node.read), node.then, node.into)
                except (Looked, Exception) as error:
                    if not is_look(error, facts, step.name):
                        raise
                    known = self._add(HiddenEntry(At(step, facts)))
                    break
                if isinstance(node, Choice):
                    size = 1 if aside is None else len(aside.values)
                    to = [self._visit(*option.at, aside) for option in options]
                    spends = [option.spends for option in options]
                    known = self._add(ChoiceEntry(node.actor, spends, to, size, At(step, facts)))
                elif isinstance(node, Chance):
                    if node.then.step in self.seams:
                        known = self._add(SeamEntry(node))
                    else:
                        known = self._roll(rolled, aside)
                elif aside is None:
                    known = self._add(Leaf(node.outcome))
                else:
                    ends = _with_each(node.outcome, aside)
                    known = self._add(PerValue([self._add(Leaf(end)) for end in ends], None))
                break
        except TypeError:
            if by is not None:  # else it is for the one who led here to say
                unhashable_at(self.game.system, *by)
            raise
        number.append(known)
        if len(numbers) > self._look_at:
            self._look(step)
        return known

    def is_over(self, step: Step[Facts], facts: Facts) -> bool:
        """Whether nothing that is wanted changes from a place on."""
        if step in self.stops:
            return True
        if step not in self._stops_where:
            return False
        try:
            return self._until <= self.game.system.fixed(step, facts)
        except Looked:
            return False

    def _add(self, place: Entry) -> int:
        self.entries.append(place)
        return len(self.entries) - 1

    def _roll(self, rolled: _Rolled, aside: Aside | None) -> int:
        roll, then, into = rolled
        weights = [weight for _, weight in roll.rows]
        lifts = self.lifts and aside is None and len(weights) > 1
        if lifts and into in self._aside.get(then.step, _NONE):
            key = (into, tuple([reading for reading, _ in roll.rows]))
            mark = self._asides.get(key)
            if mark is None:
                mark = self._asides[key] = Aside(*key)
                self._marks.setdefault(into, []).append(mark)
            facts = fill(then, into, mark).facts
            return self._add(
                AsideEntry(weights, roll.total, (self._visit(then.step, facts, mark),))
            )
        readings = [reading for reading, _ in roll.rows]
        if aside is None:
            to = self._read(then, into, readings)
        else:
            to = [self._visit(then.step, facts, aside) for facts in fill_each(then, into, readings)]
        self._look_at -= len(to) >> 3
        return self._add(ChanceEntry(weights, roll.total, to))

    def _read(self, then: At[Facts], into: str, readings: Sequence[object]) -> list[int]:
        """The entry for each reading of a roll; rolls that lead to the same place share them."""
        known = self._by_reading.setdefault((then, into), {})
        new = [reading for reading in readings if reading not in known]
        for reading, facts in zip(new, fill_each(then, into, new), strict=True):
            known[reading] = self._visit(then.step, facts, None)
        return [known[reading] for reading in readings]

    def _spread(self, step: Step[Facts], facts: Facts, aside: Aside) -> int:
        """A step that looks at the field left aside: followed for each of its values."""
        alike = self._alike.get(step)
        if alike is not None and alike.field == aside.field and step not in self.stops:
            different: dict[Hashable, int] = {}
            keys = alike.keys(facts, aside.values)
            which = [different.setdefault(key, len(different)) for key in keys]
            some = [aside.values[which.index(number)] for number in range(len(different))]
            to = [
                self._visit(step, place, None, once=True)
                for place in fill_each(At(step, facts), aside.field, some)
            ]
            return self._add(PerValue(to, which))
        each = [self._visit(step, place, None, once=True) for place in _with_each(facts, aside)]
        return self._add(PerValue(each, None))


def _with_each(facts: Facts, aside: Aside) -> list[Facts]:
    """The facts with each value of a field left aside in turn."""
    kind, new = type(facts), tuple.__new__
    marked = [place for place, part in enumerate(facts) if part is aside]
    if not marked:
        return [facts] * len(aside.values)
    before, after = facts[: marked[0]], facts[marked[0] + 1 :]
    return [new(kind, before + (value,) + after) for value in aside.values]  # noqa: RUF005  # quicker
