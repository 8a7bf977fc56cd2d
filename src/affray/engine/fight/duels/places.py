"""The conditions of a duel by their place in a round: only what can come up there.

Before each exchange of a round some conditions can come up and others can't: whoever has acted
stands otherwise than whoever is about to. So conditions and exchanges are found out place by place,
and what the whole fight never brings together is neither worked out nor followed.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import islice, pairwise
from sys import maxsize
from typing import TypeAlias

from affray.core.meter import meter_in_force
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import EXTRA, ORDINARY, Course, Slot
from affray.engine.fight.duels.attacks import Attacks
from affray.engine.fight.duels.duelists import Duelist

__all__ = ["Order", "Place", "PlacedDuelist", "places_in", "places_of"]

Order: TypeAlias = tuple[int, tuple[int, ...]]
"""The side that goes first in a round, and `Lead.before`."""
_Whom = tuple[int, Hashable]
"""Targets of a look, and of a hidden part of their condition; None: whatever it is."""
NOBODY = -1
"""The look of those who can't act."""


class PlacedDuelist(Duelist):
    """One fighter whose conditions are found out place by place."""

    def __init__(self, contest: Contest, side: int) -> None:
        self._has_begun: set[int] = set()
        self._has_ended: set[int] = set()
        super().__init__(contest, side)

    def add(self, condition: Hashable) -> int:
        """The number of a condition."""
        known = self.number.get(condition)
        return self._entered(condition) if known is None else known

    def begin(self, here: int) -> int:
        """What a condition becomes at the start of a turn."""
        if here not in self._has_begun:
            self._has_begun.add(here)
            self.begun[here] = self.add(self.fight.begin_turn(self.sheet, self.conditions[here]))
        return self.begun[here]

    def end(self, here: int) -> int:
        """What a condition becomes at the end of a round."""
        if here not in self._has_ended:
            self._has_ended.add(here)
            self.ended[here] = self.add(self.fight.end_round(self.sheet, self.conditions[here]))
        return self.ended[here]

    def goes_on(self, here: int) -> bool:
        """Whether the fight goes on in a condition."""
        return not (self.is_out[here] or self.is_over[here])

    def becomes(self, here: int, effects: Sequence[tuple[Hashable, int]]) -> list[int]:
        """What a condition becomes by each of these effects, given with their numbers."""
        return self._change(here, effects)


class _Befalls:
    """Conditions that share what may befall them, and what has come of it so far."""

    __slots__ = ("effects", "exchanges", "grown", "members")

    def __init__(self) -> None:
        self.members: list[int] = []
        self.effects: dict[Hashable, int] = {}
        self.exchanges: set[int] = set()
        self.grown = 0, 0

    def fresh(self) -> list[tuple[int, list[tuple[Hashable, int]]]]:
        """Members with the effects that they have not been told of yet."""
        n_members, n_effects = self.grown
        effects = list(self.effects.items())
        self.grown = len(self.members), len(effects)
        newer = effects[n_effects:]
        told = [(here, newer) for here in self.members[:n_members] if newer]
        return told + [(here, effects) for here in self.members[n_members:] if effects]


class Place:
    """A place in a round: an exchange that is about to be made.

    Attributes:
        slot: the exchange. attacks: those that may be made.
        then: the places after it; those with which a round begins, if it ends there.
        there: the conditions of either side, by number, in which the fight goes on.
    """

    def __init__(self, slot: Slot, attacks: Attacks) -> None:
        self.slot, self.attacks = slot, attacks
        self.then: tuple[Place, ...] = ()
        self.there: tuple[dict[int, None], dict[int, None]] = {}, {}
        self._waiting: tuple[list[int], list[int]] = [], []
        self._left: tuple[set[int], set[int]] = set(), set()
        self._actors: dict[int, _Befalls] = {}
        self._targets: dict[int, dict[Hashable, list[int]]] = {}
        self._struck: dict[_Whom, _Befalls] = {}
        self._met: dict[tuple[int, int], int] = {}

    def enter(self, side: int, here: int) -> None:
        """Let a condition come up here."""
        if here not in self.there[side]:
            self.there[side][here] = None
            self._waiting[side].append(here)

    def grow(self, most: int) -> bool:
        """Find out what comes of the exchange; whether anything new came up here before."""
        if not any(self._waiting):
            return False
        self._sort_in()
        self._meet()
        acts = self.slot.actor.side
        for every, side in ((self._actors, acts), (self._struck, 1 - acts)):
            for befalls in every.values():
                self._leave(side, befalls, most)
        return True

    def settle(self) -> None:
        """Drop what is only needed to find out more; nothing new comes up here any longer."""
        self.then = ()
        self._left = set(), set()
        self._actors, self._targets, self._struck, self._met = {}, {}, {}, {}

    def _sort_in(self) -> None:
        """Take up the conditions that have come."""
        actor, target = self._both
        side = self.slot.actor.side
        waiting, struck = self._waiting[side], self._waiting[1 - side]
        begins, kind, before = self.slot.begins, self.slot.kind, self.slot.number
        for here in waiting:
            begun = actor.begin(here) if begins else here
            look = actor.acting.of[begun]
            if kind == ORDINARY and actor.allowed[begun] <= before:
                look = NOBODY
            elif kind > EXTRA:
                look = actor.alone.of[begun]
            self._actors.setdefault(look, _Befalls()).members.append(begun)
        for here in struck:
            look, part = target.struck.of[here], target.parts[here]
            self._targets.setdefault(look, {}).setdefault(part, []).append(here)
            for whom in dict.fromkeys(((look, None), (look, part))):
                self._struck.setdefault(whom, _Befalls()).members.append(here)
        waiting.clear()
        struck.clear()

    def _meet(self) -> None:
        """Find out the exchanges of those who have not met yet."""
        meter = meter_in_force()
        for mine, own in self._actors.items():
            for theirs, by_part in self._targets.items():
                known = self._met.get((mine, theirs), 0)
                if known == len(by_part):
                    continue
                self._met[mine, theirs] = len(by_part)
                meter.tick()
                if mine == NOBODY or self.slot.kind > EXTRA:
                    number = self.attacks.passed if mine == NOBODY else self.attacks.interlude(mine)
                    self._want(own, number, struck=False)
                    self._want(self._struck[theirs, None], number, struck=True)
                    continue
                some = dict(islice(by_part.items(), known, None))
                numbers, alike = self.attacks.between(
                    mine, [members[0] for members in some.values()]
                )
                for number in dict.fromkeys(numbers):
                    if number not in own.exchanges:
                        self._want(own, number, struck=False)
                for part, number in zip(some, numbers, strict=False):
                    befalls = self._struck[theirs, None if alike else part]
                    if number not in befalls.exchanges:
                        self._want(befalls, number, struck=True)

    def _want(self, befalls: _Befalls, number: int, *, struck: bool) -> None:
        """Let an exchange befall those who act, or those who are struck."""
        befalls.exchanges.add(number)
        effects = self.attacks.effects_of(number)[struck]
        numbers, wanted = self._both[struck].effects, befalls.effects
        for effect in effects:
            if effect not in wanted:
                wanted[effect] = numbers.setdefault(effect, len(numbers))

    def _leave(self, side: int, befalls: _Befalls, most: int) -> None:
        """Let what comes of conditions come up at the places after this one."""
        duelist, left = self._both[side != self.slot.actor.side], self._left[side]
        meter = meter_in_force()
        for here, effects in befalls.fresh():
            meter.tick(len(effects))
            if len(duelist.conditions) > most:
                return
            for after in dict.fromkeys(duelist.becomes(here, effects)):
                if after in left:
                    continue
                left.add(after)
                if not duelist.goes_on(after):
                    continue
                if self.slot.ends_round:
                    after = duelist.end(after)  # noqa: PLW2901
                    if not duelist.goes_on(after):
                        continue
                for place in self.then:
                    place.enter(side, after)

    @property
    def _both(self) -> tuple[PlacedDuelist, PlacedDuelist]:
        """Who acts, and who is acted upon."""
        actor, target = self.attacks.actor, self.attacks.target
        assert isinstance(actor, PlacedDuelist)
        assert isinstance(target, PlacedDuelist)
        return actor, target


def places_of(contest: Contest, attacks: Sequence[Attacks]) -> dict[Order, tuple[Place, ...]]:
    """The places of a round, by its order, with what comes up at the start.

    Where who goes first changes from round to round, a round may go on with either order.
    """
    course = contest.course.of_two()
    duelists = attacks[0].actor, attacks[0].target
    rolls = contest.rolled(duelists[0].sheet), contest.rolled(duelists[1].sheet)
    found: dict[Order, tuple[Place, ...]] = {}
    for side, before in dict.fromkeys((lead.side, lead.before) for lead in course.leads(rolls)):
        sides = (0, 1) if side is None else (side,)
        rounds = [_in_order(course, attacks, (first, before)) for first in sides]
        begins = tuple(places[0] for places in rounds)
        for first, places in zip(sides, rounds, strict=True):
            places[-1].then = begins
            found[first, before] = places
        _begin(begins, duelists)
    return found


def places_in(attacks: Sequence[Attacks], order: Order) -> tuple[Place, ...]:
    """The places of a round if all rounds have this order, once all exchanges are known."""
    places = _in_order(attacks[0].course, attacks, order)
    places[-1].then = places[:1]
    _begin(places[:1], (attacks[0].actor, attacks[0].target))
    while any(place.grow(maxsize) for place in places):
        pass
    for place in places:
        place.settle()
    return places


def _begin(places: Sequence[Place], duelists: Sequence[Duelist]) -> None:
    """Let the fight begin at these places."""
    for number, duelist in enumerate(duelists):
        if not (duelist.is_out[duelist.start] or duelist.is_over[duelist.start]):
            for place in places:
                place.enter(number, duelist.start)


def _in_order(course: Course, attacks: Sequence[Attacks], order: Order) -> tuple[Place, ...]:
    """The places of a round, each with the one after it."""
    first, before = order
    turns = course.everybody[:: -1 if first else 1]
    slots = course.slots(turns, tuple(before[who.side] for who in turns if before))
    places = tuple(Place(slot, attacks[slot.attacks]) for slot in slots)
    for place, after in pairwise(places):
        place.then = (after,)
    return places
