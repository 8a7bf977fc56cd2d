"""Rolls of a number, followed once for each stretch of numbers that take the same way.

A roll for damage has some forty readings, and rules do little with them: armor is subtracted, the
rest is compared with thresholds. So one reading is followed with `Swept` in its place, which notes
these comparisons. All readings for which they come out alike take the same way; only the effects at
its end have to be filled in for each of them.

This needs no hint. Where rules look at the number more closely, each reading is followed as it is;
and the way of a stretch is kept only if it agrees with that of the plain number.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from math import lcm
from operator import itemgetter
from typing import Any, TypeVar, cast

from affray.core.errors import LimitError
from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.core.node import At, Chance, Choice, End, Facts, Node, Option, Step, fill
from affray.core.reading import roll_of
from affray.core.unknown import Looked, holds_unknown, is_look
from affray.engine.exchange.faults import check_asked
from affray.engine.exchange.flow import Decide
from affray.engine.exchange.game import Game, settled_option
from affray.engine.exchange.headway import Plan, planned, put
from affray.engine.exchange.swept import Stretch, Swept
from affray.engine.fight.blending import Ends, Found, OpenEnd, Place, Weights, Whole, Wholes

__all__ = ["Stretches"]

FEWEST = 4
"""A roll with fewer readings is left to a flow."""
MOST_PLACES = 100
"""So many places are followed from a reading on; a flow, which merges equal ones, may need less."""
LAST = 1_000_000
"""The lap of what ends with a roll: a flow comes to that last."""
MOST_VAIN = 4
"""Readings in a row that hold for themselves alone; after them rolls to a step are left alone."""

T = TypeVar("T")
Foregone = Callable[[At[Any], Choice[Any]], Option[Any] | None]

_When = tuple[int, int, bool]
"""When a flow would come by: the lap, the place of the step, and last what the rules end."""


class _Lost(Exception):  # noqa: N818  # no error: a flow has to find out
    """This is not followed any further."""


class _Came(NamedTuple):
    """Something that a reading comes to.

    Attributes:
        when: a flow would come by.
        what: an effect on all who take part; or a place or an end that waits for the hidden part.
        weight, total: how likely it is.
        plan: where the reading stands in an effect; None: nowhere, or it is no effect.
    """

    when: _When
    what: Any
    weight: int
    total: int
    plan: Plan | None = None


class _Known(NamedTuple):
    """What all readings of a stretch come to; or a single one, if it was followed by itself."""

    seen: Stretch
    ends: list[_Came]
    places: list[_Came]
    outcomes: list[_Came]
    by_itself: bool


class _Met(NamedTuple):
    """What one reading comes to, effects by number."""

    ends: list[tuple[_When, int, int, int]]
    places: list[_Came]
    outcomes: list[_Came]


class _Rolled:
    """A roll: the stretches that are known, and readings."""

    __slots__ = ("met", "stretches")

    def __init__(self) -> None:
        self.stretches: list[_Known] = []
        self.met: dict[int, _Met] = {}


class Stretches:
    """What rolls of a number come to.

    What lies in the way (choices that are open, too many places, whatever rules raise) is left to
    a flow. Effects and places stand in the order of the laps and steps in which a flow comes by,
    and in that of readings.

    Args:
        game: the rules and both plans.
        decide: makes every decision; it takes what plans settle.
        needed: outcome fields that are looked at; None: all.
        kept: outcome fields on which effects and decisions depend; None: nobody knows.
        wholes: the numbers of effects.
        effect: what an outcome does to all who take part.
        put_off: an outcome whose effect depends on the hidden part, if that is why this was raised.
        foregone: the option at an open choice that makes no difference to whoever decides; None
            where it does. It may be asked of facts with a swept number in them.
    """

    def __init__(
        self,
        game: Game,
        decide: Decide,
        needed: frozenset[str] | None,
        kept: frozenset[str] | None,
        wholes: Wholes,
        effect: Callable[[Facts], Whole],
        put_off: Callable[[Facts, BaseException], OpenEnd],
        foregone: Foregone | None = None,
    ) -> None:
        self._game, self._decide, self._kept, self._wholes = game, decide, kept, wholes
        self._effect, self._put_off, self._foregone = effect, put_off, foregone
        self._system = system = game.system
        self._hints = system.hints
        self._over = frozenset() if needed is None else system.over(needed)
        self._fixes_where = {} if needed is None else self._hints.fixes_where
        self._needed = needed or frozenset()
        self._rolls: dict[tuple[At[Facts], str], _Rolled] = {}
        self._vain: defaultdict[tuple[Step[Facts], str], int] = defaultdict(int)
        self._left = 0

    def rolled(self, opening: Chance[Facts]) -> tuple[Ends, Found, Found] | None:
        """What a roll comes to; None: a flow has to find that out.

        Returns:
            Effects; places, and then ends, that wait for the hidden part.
        """
        then, into = opening.then, opening.into
        kind = then.step, into
        if then.step in self._hints.several:
            return None
        try:
            total, rows = roll_of(opening.dice, opening.read)
        except (Looked, Exception):  # a flow meets it again
            return None
        if len(rows) < FEWEST or any(type(reading) is not int for reading, _ in rows):
            return None
        if self._vain[kind] >= MOST_VAIN:
            return None
        known = self._rolls.setdefault((then, into), _Rolled())
        meter_in_force().tick(len(rows))
        found: list[tuple[_Met, int]] = []
        for number, ways in rows:
            reading = cast("int", number)
            met = known.met.get(reading)
            if met is None:
                met = self._met(known, opening, reading)
                if met is None:
                    return None
                known.met[reading] = met
            found.append((met, ways))
        return _together(found, total)

    def _met(self, known: _Rolled, opening: Chance[Facts], reading: int) -> _Met | None:
        """What a reading comes to; None: a flow has to find that out."""
        for stretch in known.stretches:
            if stretch.seen.has(reading):
                return self._filled(stretch, reading)
        kind = opening.then.step, opening.into
        found = None
        try:
            found = self._followed(opening, reading)
        except LimitError:
            raise
        except (Looked, Exception):  # a flow meets it again, and tells what it is
            self._vain[kind] = MOST_VAIN
            return None
        alone = found.seen.least == found.seen.most
        self._vain[kind] = self._vain[kind] + 1 if alone else 0
        if self._vain[kind] >= MOST_VAIN:
            return None
        known.stretches.append(found)
        return self._filled(found, reading)

    def _followed(self, opening: Chance[Facts], reading: int) -> _Known:
        """What a reading comes to, and all for which it comes to the same."""
        swept = self._went(opening, Stretch(reading), by_itself=False)
        plain = self._went(opening, Stretch(reading), by_itself=True)
        plain.seen.settle()
        return swept if _spelled(swept, reading) == _spelled(plain, reading) else plain

    def _filled(self, known: _Known, reading: int) -> _Met:
        """The same for one reading, which stands where the plan says."""
        number = self._wholes.number
        ends = [
            (when, number(whole), weight, total)
            for when, whole, weight, total in _spelled(known, reading)[0]
        ]
        return _Met(ends, known.places, known.outcomes)

    # -- following one reading -----------------------------------------------------------------

    def _went(self, opening: Chance[Facts], seen: Stretch, *, by_itself: bool) -> _Known:
        """Follow a reading.

        Args:
            opening: the roll.
            seen: the reading, and what is found out about others.
            by_itself: follow it as a plain number, without others.
        """
        reading: object = seen.now if by_itself else Swept(seen)
        way = _Known(seen, [], [], [], by_itself)
        self._left = MOST_PLACES
        self._go(way, fill(opening.then, opening.into, reading), 0, (1, 1))
        meter_in_force().tick(MOST_PLACES - self._left)
        return way

    def _go(self, way: _Known, at: At[Facts], lap: int, chance: tuple[int, int]) -> None:
        """Go on from a place with a weight over a total."""
        places, is_rolled = self._system.places, True
        while True:
            self._left -= 1
            if self._left < 0:
                raise _Lost
            step, facts = at
            here = places[step]
            if step in self._over:
                lap += LAST * is_rolled
                self._end(way, facts, (lap, here, False), chance)
                return
            is_rolled = False
            if self._is_fixed(way, step, facts):
                self._end(way, facts, (lap, here, False), chance)
                return
            if step in self._hints.seams:
                at = At(step, self._settled(way, facts))
                way.places.append(_Came((lap, here, False), at, *chance))
                return
            node, facts = self._node(way, step, facts)
            if node is None:
                way.places.append(_Came((lap, here, True), At(step, facts), *chance))
                return
            if isinstance(node, End):
                self._end(way, node.outcome, (lap, here, True), chance)
                return
            if isinstance(node, Chance):
                lap += places[node.then.step] <= here
                self._roll(way, node, lap, chance)
                return
            at = self._taken(way, step, facts, node) if isinstance(node, Choice) else At(*node)
            lap += places[at.step] <= here

    def _roll(self, way: _Known, node: Chance[Facts], lap: int, chance: tuple[int, int]) -> None:
        """Go on with each reading of a further roll."""
        if self._hints.forget is not None and self._kept is not None:
            node = self._hints.forget(node, self._kept)
        total, rows = roll_of(node.dice, node.read)
        weight, over = chance
        for reading, ways in rows:
            self._go(way, fill(node.then, node.into, reading), lap, (weight * ways, over * total))

    def _taken(
        self, way: _Known, step: Step[Facts], facts: Facts, choice: Choice[Facts]
    ) -> At[Facts]:
        """The place that a decision leads to: of one number, unless plans settle it for all."""
        at = At(step, facts)
        if settled_option(self._game, at, choice) is None:
            if not way.by_itself and self._foregone is not None:
                option = self._foregone(at, choice)
                if option is not None:
                    return option.at
            real = self._settled(way, facts)
            if real is not facts:
                at, again = At(step, real), step.rule(real)
                if not isinstance(again, Choice):
                    raise _Lost
                choice = again
        return self._decide(at, choice).at

    def _is_fixed(self, way: _Known, step: Step[Facts], facts: Facts) -> bool:
        """Whether nothing that is needed changes any more from a place on."""
        where = self._fixes_where.get(step)
        if where is None:
            return False
        changes = self._needed - self._system.fixes[step]
        try:
            return changes.issubset(where(facts))
        except Looked:
            real = self._settled(way, facts)
        try:
            return changes.issubset(where(real))
        except Looked:
            return False

    def _node(
        self, way: _Known, step: Step[Facts], facts: Facts
    ) -> tuple[Node[Facts] | None, Facts]:
        """What a step says, and of which facts; nothing where it looks at the hidden part."""
        try:
            node = step.rule(facts)
        except (Looked, Exception):
            facts = self._settled(way, facts)
            try:
                node = step.rule(facts)
            except (Looked, Exception) as error:
                if not is_look(error, facts, step.name):
                    raise
                return None, facts
        if isinstance(node, Chance | Choice):
            check_asked(self._system, step, node)
        return node, facts

    def _end(self, way: _Known, facts: Facts, when: _When, chance: tuple[int, int]) -> None:
        """Enter what an outcome does to all who take part."""
        plan: Plan | None = None
        try:
            whole = self._effect(facts)
            if not way.by_itself:
                plan = planned(whole, {})
        except (Looked, Exception):
            facts = self._settled(way, facts)
            try:
                whole = self._effect(facts)
            except (Looked, Exception) as error:
                way.outcomes.append(_Came(when, self._put_off(facts, error), *chance))
                return
        # With something unknown in it, the reading followed by itself comes to something else.
        if way.by_itself and self._wholes.known(whole) is None and holds_unknown(whole):
            way.outcomes.append(_Came(when, OpenEnd(facts), *chance))
            return
        way.ends.append(_Came(when, whole, *chance, plan))

    def _settled(self, way: _Known, facts: T) -> T:
        """Facts with the present reading as a plain number: they hold for no other one."""
        if way.by_itself:
            return facts
        plan = planned(facts, {})
        way.seen.settle()
        settled: T = facts if plan is None else put(facts, plan, (way.seen.now,))
        return settled


def _spelled(
    known: _Known, reading: int
) -> tuple[list[tuple[_When, Whole, int, int]], list[_Came], list[_Came]]:
    """What one reading comes to, which stands in effects where the plan says."""
    things = (reading,)
    ends = [
        (when, what if plan is None else put(what, plan, things), weight, total)
        for when, what, weight, total, plan in known.ends
    ]
    return ends, known.places, known.outcomes


_first: Callable[[Any], _When] = itemgetter(0)


def _together(met: list[tuple[_Met, int]], total: int) -> tuple[Ends, Found, Found]:
    """What the readings of a roll come to, in the order of laps and steps."""
    ends = [
        (when, number, weight * ways, over)
        for (rows, _, _), ways in met
        for when, number, weight, over in rows
    ]
    ends.sort(key=_first)
    common = lcm(*{over for _, _, _, over in ends})
    weights: Weights = {}
    for _, number, weight, over in ends:
        weights[number] = weights.get(number, 0) + weight * (common // over)
    places = _gathered([(one, ways) for (_, some, _), ways in met for one in some], total)
    outcomes = _gathered([(one, ways) for (_, _, some), ways in met for one in some], total)
    return Ends(weights, total * common), places, outcomes


def _gathered(met: list[tuple[_Came, int]], total: int) -> Found:
    """Places with their weights, each once where the weights count over the same."""
    met.sort(key=lambda both: both[0].when)
    found: dict[tuple[Place, int], int] = {}
    for came, ways in met:
        key = came.what, came.total * total
        found[key] = found.get(key, 0) + came.weight * ways
    return [(place, weight, over) for (place, over), weight in found.items()]
