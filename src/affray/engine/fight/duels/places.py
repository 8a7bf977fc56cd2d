"""The conditions of a duel by their place in a round: only what can come up there.

Before each exchange of a round some conditions can come up and others can't: whoever has acted
stands otherwise than whoever is about to. So conditions and exchanges are found out place by place,
and what the whole fight never brings together is neither worked out nor followed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain, islice, pairwise
from operator import or_
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
    """Conditions that share what may befall them, and what has come of it so far.

    Attributes:
        members: the conditions, each with its kind.
    """

    __slots__ = ("effects", "exchanges", "grown", "members", "told")

    def __init__(self) -> None:
        self.members: list[tuple[int, int]] = []
        self.effects: dict[Hashable, int] = {}
        self.exchanges: set[int] = set()
        self.told: set[int] = set()
        self.grown = 0, 0

    def fresh(self) -> list[tuple[tuple[int, int], list[tuple[Hashable, int]]]]:
        """Members with the effects that they have not been told of yet."""
        n_members, n_effects = self.grown
        if n_members == len(self.members) and n_effects == len(self.effects):
            return []  # by far the most
        effects = list(self.effects.items())
        self.grown = len(self.members), len(effects)
        newer = effects[n_effects:]
        told = [(member, newer) for member in self.members[:n_members] if newer]
        return told + [(member, effects) for member in self.members[n_members:] if effects]


class _Kind:
    """The conditions of one kind that have come up at a place, in whoever acts or is struck there.

    Attributes:
        groups: of those who act.
        parts: of targets the conditions by the number of the hidden part.
        befalls: what may befall targets, by that number, and with None: whatever it is.
        leads_to: the kinds that they may be of after each effect, by its number, as bits.
        leads: the same after any effect. n_leads: how often it has grown.
    """

    __slots__ = ("_known", "befalls", "groups", "leads", "leads_to", "n_leads", "parts")

    def __init__(self) -> None:
        self.groups: dict[int, None] = {}
        self.parts: dict[int, list[int]] = {}
        self.befalls: dict[int | None, _Befalls] = {}
        self.leads_to: dict[int, int] = {}
        self.leads = self.n_leads = 0
        self._known: dict[int, tuple[int, int]] = {}

    def lead(self, numbers: Iterable[int], kinds: Iterable[int]) -> None:
        """Note the kinds to which effects lead, as bits."""
        known = self.leads_to
        for number, some in zip(numbers, kinds, strict=True):
            before = known.get(number, 0)
            if some | before != before:
                known[number] = some | before
                self.leads |= some
                self.n_leads += 1

    def after(self, exchange: int, numbers: Iterable[int]) -> int:
        """The kinds that they may be of after an exchange with these effects, as bits."""
        known = self._known.get(exchange)
        if known is None or known[0] != self.n_leads:
            kinds = 0
            for number in numbers:
                kinds |= self.leads_to.get(number, 0)
            known = self._known[exchange] = self.n_leads, kinds
        return known[1]


class Place:
    """A place in a round: an exchange that is about to be made.

    Which conditions may stand opposite each other is known by their kinds.

    Args:
        slot: the exchange. attacks: those that may be made.
        everywhere: whether all conditions are taken to stand opposite each other that come up here.

    Attributes:
        slot, attacks: as given.
        then: the places after it; those with which a round begins, if it ends there.
        there: the conditions of either side, by number, in which the fight goes on.
    """

    def __init__(self, slot: Slot, attacks: Attacks, *, everywhere: bool) -> None:
        self.slot, self.attacks, self._everywhere = slot, attacks, everywhere
        self.then: tuple[Place, ...] = ()
        self.there: tuple[dict[int, None], dict[int, None]] = {}, {}
        self._waiting: tuple[list[int], list[int]] = [], []
        # What conditions come to at the places after this one: their kind as a bit; 0: it is over.
        self._left: tuple[dict[int, int], dict[int, int]] = {}, {}
        self._actors: list[_Befalls] = []  # by group: those who look alike, and are alike
        self._groups: dict[tuple[int, int], int] = {}
        self._look_of: list[int] = []  # of each group
        self._group_of: dict[int, int] = {}  # of those who act
        self._acting: dict[int, _Kind] = {}
        self._struck: dict[int, _Kind] = {}
        self._opposite: dict[int, int] = {}
        self._grown_opposite = self._may_meet = False
        self._n_met: int | None = None  # once nothing new comes up
        self._met: dict[tuple[int, int], int] = {}
        self._exchanges: dict[tuple[int, int], dict[int, None]] = {}  # by group, kind of targets
        self._sent: dict[tuple[int, int, int], tuple[int, int]] = {}

    def enter(self, side: int, here: int) -> None:
        """Let a condition come up here."""
        if here not in self.there[side]:
            self.there[side][here] = None
            self._waiting[side].append(here)

    def oppose(self, one: int, other: int) -> None:
        """Let conditions of these kinds of either side, as bits, stand opposite each other here."""
        acting, struck = (other, one) if self.slot.actor.side else (one, other)
        for kind in _each(acting):
            before = self._opposite.get(kind, 0)
            if struck | before != before:
                self._opposite[kind] = struck | before
                self._grown_opposite = True

    def _are_opposed(self, one: int, other: int) -> bool:
        """Whether it is known that all of these kinds may stand opposite each other here."""
        acting, struck = (other, one) if self.slot.actor.side else (one, other)
        return all(struck | known == known for known in map(self._opposite_to, _each(acting)))

    def groups(self, side: int) -> dict[int, int]:
        """The group of each condition of a side that comes up here, for `met`.

        Those who act are grouped by look, since whatever befalls some of a look is told of all; and
        by all that exchanges don't know of.
        """
        if side == self.slot.actor.side:
            return self._group_of
        of = self._both[1].kinds.of
        return {here: of[here] for here in self.there[side]}

    def met(self) -> Iterator[tuple[int, int]]:
        """The groups of side one, each with the groups of side two that it may stand opposite."""
        for group, theirs in self._met:
            yield (theirs, group) if self.slot.actor.side else (group, theirs)

    @property
    def n_met(self) -> int:
        """The number of pairs of conditions that may stand opposite each other.

        As far as it is known: these are certain, whether or not their exchanges are known yet.
        """
        if self._n_met is not None:
            return self._n_met
        if self._everywhere:
            return len(self.there[0]) * len(self.there[1])
        acting, struck = (
            Counter(map(duelist.kinds.of.__getitem__, self.there[side]))
            for duelist, side in zip(self._both, self._sides, strict=True)
        )
        return sum(
            acting[mine] * struck[theirs]
            for mine, opposite in self._opposite.items()
            for theirs in _each(opposite)
        )

    def _opposite_to(self, mine: int) -> int:
        """The kinds of targets that those of a kind who act may stand opposite, as bits."""
        if self._everywhere:
            return sum(1 << kind for kind in self._struck)
        return self._opposite.get(mine, 0)

    def grow(self, most: int) -> bool:
        """Find out what comes of the exchange; whether anything new came up here before."""
        spread = self.spread(most)
        return self.meet(most) or spread

    def spread(self, most: int) -> bool:
        """Find out what comes of exchanges that are known; whether anything new came up here.

        That is quick, and tells early how many conditions there are at least.
        """
        if not any(self._waiting) and not self._grown_opposite:
            return False
        self._grown_opposite, self._may_meet = False, True
        self._sort_in()
        self._go_on(most)
        return True

    def meet(self, most: int) -> bool:
        """Find out the exchanges of all who stand opposite each other by now, and what comes of it.

        Returns:
            Whether anything new had come up since the last time.
        """
        if not self._may_meet:
            return False
        self._may_meet = False
        self._meet()
        self._go_on(most)
        return True

    def _go_on(self, most: int) -> None:
        """Let come up after this place what comes of exchanges here."""
        acts, struck = self._sides
        for befalls in self._actors:
            self._leave(acts, self._acting, befalls, most)
        for kind in self._struck.values():
            for befalls in kind.befalls.values():
                self._leave(struck, self._struck, befalls, most)
        if not self._everywhere:
            self._lead_on()

    def settle(self) -> None:
        """Drop what is only needed to find out more; nothing new comes up here any longer."""
        self._n_met = self.n_met
        self.then = ()
        self._left = {}, {}
        self._actors, self._acting, self._struck = [], {}, {}
        self._opposite, self._exchanges, self._sent = {}, {}, {}

    def _sort_in(self) -> None:
        """Take up the conditions that have come."""
        actor, target = self._both
        side = self.slot.actor.side
        waiting, struck = self._waiting[side], self._waiting[1 - side]
        begins, kind, before = self.slot.begins, self.slot.kind, self.slot.number
        for here in waiting:
            begun = actor.begin(here) if begins else here
            look, whole = actor.acting.of[begun], actor.doing.of[begun]
            if kind == ORDINARY and actor.allowed[begun] <= before:
                look = whole = NOBODY
            elif kind > EXTRA:
                look, whole = actor.alone.of[begun], NOBODY
            number = actor.kinds.of[here]
            group = self._groups.setdefault((look, whole), len(self._groups))
            self._group_of[here] = group
            if group == len(self._actors):
                self._actors.append(_Befalls())
                self._look_of.append(look)
            self._acting.setdefault(number, _Kind()).groups[group] = None
            self._actors[group].members.append((number, begun))
        for here in struck:
            number, part = target.kinds.of[here], target.part_of[here]
            those = self._struck.setdefault(number, _Kind())
            those.parts.setdefault(part, []).append(here)
            for key in (None, part):
                those.befalls.setdefault(key, _Befalls()).members.append((number, here))
        waiting.clear()
        struck.clear()

    def _meet(self) -> None:
        """Find out the exchanges of those who have not met yet."""
        opposite = [0] * len(self._actors)
        for mine, kind in self._acting.items():
            for group in kind.groups:
                opposite[group] |= self._opposite_to(mine)
        for group, (look, own) in enumerate(zip(self._look_of, self._actors, strict=True)):
            for theirs in _each(opposite[group]):
                target = self._struck[theirs]
                known = self._met.get((group, theirs), 0)
                if known != len(target.parts):
                    self._met[group, theirs] = len(target.parts)
                    found = self._exchanged(look, own, target, known)
                    self._exchanges.setdefault((group, theirs), {}).update(found)

    def _exchanged(self, look: int, own: _Befalls, target: _Kind, known: int) -> dict[int, None]:
        """Find out the exchanges of those with a look with a kind of targets.

        Args:
            look: of those who act.
            own: what may befall them.
            target: the targets.
            known: how many hidden parts of theirs have been met.
        """
        meter_in_force().tick()
        if look == NOBODY or self.slot.kind > EXTRA:
            number = self.attacks.passed if look == NOBODY else self.attacks.interlude(look)
            self._want(own, number, struck=False)
            self._want(target.befalls[None], number, struck=True)
            return {number: None}
        some = dict(islice(target.parts.items(), known, None))
        numbers, alike = self.attacks.between(look, [members[0] for members in some.values()])
        found = dict.fromkeys(numbers)
        for number in found:
            if number not in own.exchanges:
                self._want(own, number, struck=False)
        for part, number in zip(some, numbers, strict=False):
            befalls = target.befalls[None if alike else part]
            if number not in befalls.exchanges:
                self._want(befalls, number, struck=True)
        return found

    def _want(self, befalls: _Befalls, number: int, *, struck: bool) -> None:
        """Let an exchange befall those who act, or those who are struck."""
        befalls.exchanges.add(number)
        effects = self.attacks.effects_of(number)[struck]
        if id(effects) in befalls.told:
            return  # by far the most
        befalls.told.add(id(effects))  # they are kept
        numbers, wanted = self._both[struck].effects, befalls.effects
        for effect in effects:
            if effect not in wanted:
                wanted[effect] = numbers.setdefault(effect, len(numbers))

    def _leave(self, side: int, kinds: dict[int, _Kind], befalls: _Befalls, most: int) -> None:
        """Let what comes of conditions come up at the places after this one."""
        fresh = befalls.fresh()
        if not fresh:
            return
        duelist, left = self._both[side != self.slot.actor.side], self._left[side]
        meter = meter_in_force()
        told: dict[tuple[int, int], tuple[list[tuple[Hashable, int]], list[int]]] = {}
        for (kind, here), effects in fresh:
            meter.tick(len(effects))
            if len(duelist.conditions) > most:
                return
            becomes = duelist.becomes(here, effects)
            for after in dict.fromkeys(becomes):
                if after not in left:
                    left[after] = self._left_as(side, duelist, after)
            leads = list(map(left.__getitem__, becomes))
            key = kind, id(effects)
            known = told.get(key)
            if known is None:
                told[key] = effects, leads
            elif leads != known[1]:
                told[key] = effects, list(map(or_, known[1], leads))
        for (kind, _), (effects, leads) in told.items():
            kinds[kind].lead([number for _, number in effects], leads)

    def _left_as(self, side: int, duelist: PlacedDuelist, after: int) -> int:
        """Let a condition that comes of the exchange come up; its kind as a bit, 0 if it is out."""
        if not duelist.goes_on(after):
            return 0
        if self.slot.ends_round:
            after = duelist.end(after)
            if not duelist.goes_on(after):
                return 0
        for place in self.then:
            place.enter(side, after)
        return 1 << duelist.kinds.of[after]

    def _lead_on(self) -> None:
        """Let kinds to which exchanges lead stand opposite each other at the places after this."""
        actor, target = self._both
        turn = -1 if self.slot.actor.side else 1
        for mine, own in self._acting.items():
            for theirs in _each(self._opposite_to(mine)):
                other = self._struck[theirs]
                every = own.leads, other.leads
                if all(place._are_opposed(*every[::turn]) for place in self.then):
                    continue  # there is no more to find out
                leads = own.n_leads, other.n_leads
                for number in chain.from_iterable(
                    self._exchanges.get((group, theirs), ()) for group in own.groups
                ):
                    if self._sent.get((mine, theirs, number)) == leads:
                        continue
                    self._sent[mine, theirs, number] = leads
                    effects = self.attacks.effects_of(number)
                    acted = own.after(number, map(actor.effects.__getitem__, effects[0]))
                    struck = other.after(number, map(target.effects.__getitem__, effects[1]))
                    for place in self.then:
                        place.oppose(*(acted, struck)[::turn])

    @property
    def _sides(self) -> tuple[int, int]:
        """The side that acts, and the other one."""
        return self.slot.actor.side, 1 - self.slot.actor.side

    @property
    def _both(self) -> tuple[PlacedDuelist, PlacedDuelist]:
        """Who acts, and who is acted upon."""
        actor, target = self.attacks.actor, self.attacks.target
        assert isinstance(actor, PlacedDuelist)
        assert isinstance(target, PlacedDuelist)
        return actor, target


def _each(bits: int) -> Iterator[int]:
    """The numbers of the bits that are set."""
    while bits:
        least = bits & -bits
        yield least.bit_length() - 1
        bits ^= least


def places_of(
    contest: Contest, attacks: Sequence[Attacks], *, everywhere: bool
) -> dict[Order, tuple[Place, ...]]:
    """The places of a round, by its order, with what comes up at the start.

    Where who goes first changes from round to round, a round may go on with either order.

    Args:
        contest: the fight.
        attacks: those that may be made.
        everywhere: as in `Place`.
    """
    course = contest.course.of_two()
    duelists = attacks[0].actor, attacks[0].target
    rolls = contest.rolled(duelists[0].sheet), contest.rolled(duelists[1].sheet)
    found: dict[Order, tuple[Place, ...]] = {}
    for side, before in dict.fromkeys((lead.side, lead.before) for lead in course.leads(rolls)):
        sides = (0, 1) if side is None else (side,)
        rounds = [
            _in_order(course, attacks, (first, before), everywhere=everywhere) for first in sides
        ]
        begins = tuple(places[0] for places in rounds)
        for first, places in zip(sides, rounds, strict=True):
            places[-1].then = begins
            found[first, before] = places
        _begin(begins, duelists)
    return found


def places_in(attacks: Sequence[Attacks], order: Order, *, everywhere: bool) -> tuple[Place, ...]:
    """The places of a round if all rounds have this order, once all exchanges are known."""
    places = _in_order(attacks[0].course, attacks, order, everywhere=everywhere)
    places[-1].then = places[:1]
    _begin(places[:1], (attacks[0].actor, attacks[0].target))
    while any(place.grow(maxsize) for place in places):
        pass
    for place in places:
        place.settle()
    return places


def _begin(places: Sequence[Place], duelists: Sequence[Duelist]) -> None:
    """Let the fight begin at these places."""
    kinds = []
    for number, duelist in enumerate(duelists):
        assert isinstance(duelist, PlacedDuelist)
        kinds.append(0)
        if duelist.goes_on(duelist.start):
            kinds[number] = 1 << duelist.kinds.of[duelist.start]
            for place in places:
                place.enter(number, duelist.start)
    for place in places:
        place.oppose(*kinds)


def _in_order(
    course: Course, attacks: Sequence[Attacks], order: Order, *, everywhere: bool
) -> tuple[Place, ...]:
    """The places of a round, each with the one after it."""
    first, before = order
    turns = course.everybody[:: -1 if first else 1]
    slots = course.slots(turns, tuple(before[who.side] for who in turns if before))
    places = tuple(Place(slot, attacks[slot.attacks], everywhere=everywhere) for slot in slots)
    for place, after in pairwise(places):
        place.then = (after,)
    return places
