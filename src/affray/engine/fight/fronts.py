"""An exchange of two fighters followed as far as it goes, with the target's hidden part unknown.

A front is what it comes to before anything unknown is looked at, and the places where something is.
From each of them it is followed once for every value of the hidden part that comes up. Exchanges
with the same first roll share a front, those that lead to the same places what lies beyond.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from contextlib import suppress
from math import gcd, lcm

from affray.core.errors import RulesError
from affray.core.fight import Fight
from affray.core.meter import meter_in_force
from affray.core.node import At, Chance, Choice, Facts, Option, fill
from affray.core.reading import roll_of
from affray.core.unknown import OWN_UNKNOWN, UNKNOWN, Looked, holds_unknown, is_look
from affray.core.weakly import weakly
from affray.engine.exchange.flow import Decide, Flow
from affray.engine.exchange.game import Game
from affray.engine.fight.beyond import Beyond
from affray.engine.fight.blending import (
    Ends,
    Found,
    Look,
    OpenEnd,
    Place,
    Tail,
    Weights,
    Whole,
    Wholes,
    joined,
    together,
    waits_at,
    whole_of,
)
from affray.engine.fight.fans import Fan
from affray.engine.fight.filling import Filling
from affray.engine.fight.front import (
    SHOWN,
    Chooses,
    EffectOdds,
    Front,
    Open,
    Several,
    Target,
    Waits,
)
from affray.engine.fight.own_parts import OwnParts
from affray.engine.fight.rejoining import Rejoins
from affray.engine.fight.sharing import adds_up, check_whole, shares_of
from affray.engine.fight.stretches import Foregone, Stretches

__all__ = ["AnyFight", "Fronts"]

AnyFight = Fight[Facts, Hashable, Hashable, Hashable, Hashable]
TAIL = 8
"""The work of following a place to its end, as it is told to the meter: half a millisecond."""


class Fronts:
    """Exchanges of one fighter with another, all decisions being made.

    Args:
        game: the rules and both plans; where it starts does not matter.
        decide: makes every decision. It may raise `Open`; or `Looked`, where it depends on what
            is unknown: then the exchange waits there for the hidden part.
        needed: outcome fields that are looked at; None: all.
        minding: outcome fields on which decisions depend besides; None: nobody knows.
        chooses: makes decisions that wait for the hidden part before dice are rolled.
        foregone: as for `Stretches`.
    """

    def __init__(
        self,
        game: Game,
        decide: Decide,
        *,
        needed: frozenset[str] | None,
        minding: frozenset[str] | None = frozenset(),
        chooses: Chooses | None = None,
        foregone: Foregone | None = None,
    ) -> None:
        self._plan = game
        self._decide = decide
        self._needed, self._minding = needed, minding
        self._chooses = chooses
        self.system = game.system
        self.hints = game.system.hints
        fight = game.system.fight
        assert fight is not None  # there is none without a fight
        self.fight: AnyFight = fight
        self._kept = None if needed is None or minding is None else needed | minding
        ends_at, content = weakly(self._ends_at), weakly(self._content)
        self._rejoins = Rejoins(game, decide, needed, self._kept, weakly(self._pared_tail))
        self.wholes = Wholes()
        self._stretches = Stretches(
            game, decide, needed, self._kept, self.wholes,
            weakly(self._effect), weakly(self._put_off), foregone,
        )  # fmt: skip
        own = Filling(OWN_UNKNOWN, weakly(self.pared))
        self._filled = Filling(UNKNOWN, weakly(self._pared_at_seam)).place
        self.own_parts = OwnParts(
            self.wholes, lambda place, part: ends_at(own.place(place, part)), content
        )
        self._beyond = Beyond(weakly(self._ends_of), weakly(self.parted))
        self._by_opening: dict[At[Facts] | Chance[Facts], Front] = {}
        self._by_content: dict[Hashable, Front] = {}
        self._ends_by_content: dict[int, Ends] = {}
        self._contents: dict[Hashable, int] = {}
        self._by_start: dict[At[Facts], Front] = {}
        self._by_reading: dict[tuple[At[Facts], str], dict[object, Tail]] = {}
        self._fans: dict[tuple[At[Facts], str], dict[tuple[object, ...], Fan]] = {}
        self._tails: dict[At[Facts], Tail] = {}
        self._cloaked: dict[At[Facts], Tail] = {}
        self._by_cloaked: dict[At[Facts] | Chance[Facts], Tail] = {}
        self._left_open: set[At[Facts]] = set()
        self._by_shown: dict[tuple[int, tuple[int, ...]], Front] = {}
        self._targets: dict[Hashable, Target] = {}
        self._uncovered: dict[tuple[int, Target], Front] = {}
        self._showns: dict[int, dict[Target, Tail]] = {}
        self._several: dict[tuple[Hashable, ...], Several] = {}
        self._by_ends: dict[Hashable, dict[int, EffectOdds]] = {}
        self._after: dict[tuple[int, Target], Front] = {}
        self._choices: dict[int, Choice[Facts] | None] = {}

    def front(self, at: At[Facts]) -> Front:
        """The exchange up to where something unknown is looked at."""
        known = self._by_start.get(at)
        if known is None:
            known = self._by_start[at] = self._front(at)
        return known

    def _front(self, at: At[Facts]) -> Front:
        cloaked = None if self.hints.cloaks is None else self.hints.cloaks(at)
        if cloaked is not None:
            return self._uncloaked(cloaked[0], self._target(cloaked[1]))
        flown = self._flow(at)
        opening = flown.opening()
        known = self._by_opening.get(opening)
        if known is None:
            known = self._by_opening[opening] = self._made_of(self._opened(at, flown, opening))
        return known

    def _opened(self, at: At[Facts], flown: Flow, opening: At[Facts] | Chance[Facts]) -> Tail:
        """What a place comes to, by its opening."""
        if isinstance(opening, Chance):
            if opening.then.step in self.hints.seams:
                return self._rolled(opening)
            rejoined = self._rejoins.rolled(opening)
            if rejoined is not None:
                return self._together(rejoined)
        return self._together([(self._tail(at, flown), 1, 1)])

    def _target(self, known: Hashable) -> Target:
        """The one target of which this is known."""
        target = self._targets.get(known)
        if target is None:
            target = self._targets[known] = Target(known)
        return target

    def _uncloaked(self, at: At[Facts], target: Target) -> Front:
        """The exchange from a place that was followed with the target unknown, for one target."""
        tail = self._cloaked.get(at)
        if tail is None:
            tail = self._cloaked[at] = self._cloaked_from(at)
        key = id(tail), target
        front = self._uncovered.get(key)
        if front is None:
            place = None if self._chooses is None else waits_at(tail.looks)
            choice = None if place is None else self._choice(place)
            if place is not None and choice is not None:
                front = self._waiting(Waits(place, choice, target))
            else:
                front = self._front_shown(tail, target)
            self._uncovered[key] = front
        return front

    def _cloaked_from(self, at: At[Facts]) -> Tail:
        """What a place comes to that says nothing of the target."""
        if at in self._left_open:
            raise Open
        try:
            flown = self._flow(at)
            opening = flown.opening()
            tail = self._by_cloaked.get(opening)
            if tail is None:
                tail = self._by_cloaked[opening] = self._opened(at, flown, opening)
        except Open:
            self._left_open.add(at)
            raise
        return tail

    def _waiting(self, waits: Waits) -> Front:
        """An exchange that waits at a choice."""
        return Front(None, Ends({}, 1), [], {}, {}, {}, waits)

    def front_of(self, at: At[Facts], target: Target) -> Front:
        """As `front`, for a place that says nothing of the target, or all there is (`SHOWN`)."""
        return self.front(at) if target is SHOWN else self._uncloaked(at, target)

    def _front_shown(self, tail: Tail, target: Target) -> Front:
        """The exchange that was followed with the target unknown, for one target."""
        shown = [self._shown(look.place, target) for look in tail.looks]
        key = id(tail), tuple(map(id, shown))  # both are kept
        front = self._by_shown.get(key)
        if front is None:
            front = self._by_shown[key] = self._made_of(self._all_shown(tail, shown))
        return front

    def _all_shown(self, tail: Tail, shown: Sequence[Tail]) -> Tail:
        """What a place comes to, from what its looks come to for one target."""
        parts, looks = [(tail.ends, 1, 1)], list[Look]()
        tails: list[tuple[Tail, int, int]] = []
        for (_, weight, total, own), after in zip(tail.looks, shown, strict=True):
            if own is None:
                tails.append((after, weight, total))
            elif after.own is None:
                tails.append((after._replace(own=own), weight, total))
            else:
                raise RulesError(f"{self.system.id}: a place is split twice")
        return together(tails, parts, looks, self.wholes)

    def _shown(self, place: Place, target: Target) -> Tail:
        """What a place comes to at which the target was unknown, for one target."""
        known = self._showns.setdefault(id(place), {})
        tail = known.get(target)
        if tail is None:
            at = self._filled(place, target.known)
            if isinstance(at, At):
                tail = self._tail(at)
            else:
                looks: Found = []
                ends = self.effects({1: {at.facts: 1}}, looks)
                tail = Tail(ends, [Look(*look) for look in looks])
            known[target] = tail
        return tail

    def _pared_at_seam(self, at: At[Facts]) -> At[Facts]:
        return self.pared(at) if at.step in self.hints.seams else at

    def _made_of(self, tail: Tail) -> Front:
        """An exchange; of all that come to the same there is one."""
        fanned = tail.fanned
        if fanned is not None:
            key = id(fanned.fan), fanned.ways  # fans are kept
            front = self._by_content.get(key)
            if front is None:
                front = self._by_content[key] = self._front_of(tail, {})
            return front
        places, weights, totals, owns = zip(*tail.looks, strict=True) if tail.looks else [()] * 4
        common = lcm(*set(totals))
        if totals.count(common) < len(totals):
            rows = zip(weights, totals, strict=True)
            weights = tuple([weight * (common // total) for weight, total in rows])
        divisor = gcd(common, *weights)
        if divisor > 1:
            weights = tuple([weight // divisor for weight in weights])
        content = (
            self._content(tail.ends), common // divisor, weights,
            tuple(map(id, places)),  # places stand for themselves
            owns.count(None) < len(owns)
            and tuple([None if own is None else self._content(own) for own in owns]),
        )  # fmt: skip
        front = self._by_content.get(content)
        if front is None:
            # With the same beyond their looks, exchanges with other places come to the same.
            by_ends = self._by_ends.setdefault((*content[:3], content[4]), {})
            front = self._by_content[content] = self._front_of(tail, by_ends)
        return front

    def _front_of(self, tail: Tail, by_ends: dict[int, EffectOdds]) -> Front:
        if self.hints.splits is not None:
            self.own_parts.check(self._looked_at(tail.looks))
        odds = None if tail.looks else self.odds_of(tail.ends)
        owns: Sequence[int] = ()
        if any(look.own is not None for look in tail.looks):
            check_whole(self.system.id, adds_up(tail))
            owns = list(map(self._own_content, tail.looks))
        return Front(odds, tail.ends, tail.looks, {}, {}, by_ends, fanned=tail.fanned, owns=owns)

    def _looked_at(self, looks: Sequence[Look]) -> Sequence[Look]:
        """Those of some looks at which something hidden of whoever acts may be looked at, too."""
        return looks

    def _own_content(self, look: Look) -> int:
        """A number of what befalls whoever acts at a look, if settled apart, and of the chance."""
        own = None if look.own is None else self._content(look.own)
        divisor = gcd(look.weight, look.total)
        content = own, look.weight // divisor, look.total // divisor
        return self._contents.setdefault(content, len(self._contents))

    def _content(self, ends: Ends) -> int:
        """A number of ends: those with the same weights share it."""
        weights, total = ends
        divisor = gcd(total, *weights.values())
        ways = [way // divisor for way in weights.values()] if divisor > 1 else weights.values()
        content = total // divisor, *weights, *ways
        return self._contents.setdefault(content, len(self._contents))

    def odds_from(self, at: At[Facts]) -> EffectOdds:
        """The odds of the rest of an exchange from a place where all is known."""
        return self.odds_of(self._ends(at))

    def _ends(self, at: At[Facts]) -> Ends:
        """The ends of a place where all is known."""
        return self._together([(self._tail(at), 1, 1)]).ends

    def each_odds_at(self, at: At[Facts], parts: Sequence[Hashable]) -> list[EffectOdds]:
        """The odds of the rest of an exchange from a place, for each of these hidden parts."""
        return self.each_odds_of(self.front(at), self.several(parts))

    def several(self, parts: Sequence[Hashable]) -> Several:
        """These hidden parts together; the same ones are one."""
        key = tuple(parts)
        known = self._several.get(key)
        if known is None:
            known = self._several[key] = Several(key)
        return known

    def each_odds_of(self, front: Front, several: Several) -> list[EffectOdds]:
        """The odds of an exchange for each of these hidden parts."""
        if front.odds is not None:
            return [front.odds] * len(several.parts)
        known = front.by_several.get(several)
        if known is None:
            known = front.by_several[several] = self._each_odds(front, several)
        return known

    def _each_odds(self, front: Front, several: Several) -> list[EffectOdds]:
        waits = None if self._chooses is None else self._waits(front)
        if waits is None or self._chooses is None:
            return self._each_joined(front, several)
        picks = self._chooses.picks(waits, several)
        ways: dict[int, Option[Facts] | None] = {id(option): option for option in picks}
        if len(ways) == 1:
            return self._going_on(front, waits, picks[0], several)
        found: dict[Hashable, EffectOdds] = {}
        for way, option in ways.items():
            some = self.several([
                part for part, pick in zip(several.parts, picks, strict=True) if id(pick) == way
            ])  # fmt: skip
            odds = self._going_on(front, waits, option, some)
            found.update(zip(some.parts, odds, strict=True))
        return [found[part] for part in several.parts]

    def _going_on(
        self, front: Front, waits: Waits, option: Option[Facts] | None, several: Several
    ) -> list[EffectOdds]:
        """The odds of an exchange that goes on with an option; None: nobody knows with which."""
        if option is not None:
            key = id(option), waits.target  # options lie in `_choices`
            after = self._after.get(key)
            if after is None:
                after = self._after[key] = self.front_of(option.at, waits.target)
            return self.each_odds_of(after, several)
        if front.waits is not None:  # decided where all is known of the target
            shown = self._made_of(self._shown(waits.at, waits.target))
            return self.each_odds_of(shown, several)
        return self._each_joined(front, several)

    def _rolled(self, chance: Chance[Facts]) -> Tail:
        """The ends of a first roll that leads to a seam, reading by reading."""
        total, rows = roll_of(chance.dice, chance.read)
        readings, ways = zip(*rows, strict=True)
        fans = self._fans.setdefault((chance.then, chance.into), {})
        fan = fans.get(readings)
        if fan is None:
            fan = fans[readings] = Fan(self._readings(chance, readings), self.wholes)
        return fan.tail(ways, total)

    def _readings(self, chance: Chance[Facts], readings: Sequence[object]) -> list[Tail]:
        """What the readings of a roll that leads to a seam come to."""
        known = self._by_reading.setdefault((chance.then, chance.into), {})
        tails: list[Tail] = []
        for reading in readings:
            after = known.get(reading)
            if after is None:
                at = self.pared(fill(chance.then, chance.into, reading))
                after = known[reading] = self._tail(at)
            tails.append(after)
        return tails

    def _together(self, tails: Iterable[tuple[Tail, int, int]]) -> Tail:
        """Tails that come up with a chance each."""
        return together(tails, [], [], self.wholes)

    def _flow(self, at: At[Facts]) -> Flow:
        return Flow(
            self._plan._replace(start=at), self._decide, needed=self._needed,
            seams=self.hints.seams, minding=self._minding,
        )  # fmt: skip

    def _tail(self, at: At[Facts], begun: Flow | None = None) -> Tail:
        """What a place comes to; `begun` is the flow from there, if its opening is known already.

        Places at seams are followed by themselves, without what neither effects nor decisions
        need.
        """
        known = self._tails.get(at)
        if known is not None:
            return known
        meter_in_force().tick(TAIL)
        both = self._split(at) if at.step in self.hints.seams else None
        if both is not None:
            own, others = map(self._tail, both)
            tail = self._tails[at] = others._replace(own=self.own_parts.put_off(own))
            return tail
        ends, found = self._followed(begun or self._flow(at))
        parts, looks = [(ends, 1, 1)], list[Look]()
        tails: list[tuple[Tail, int, int]] = []
        for place, weight, total in found:
            if isinstance(place, At) and place.step in self.hints.seams and place != at:
                tails.append((self._tail(self.pared(place)), weight, total))
            else:
                looks.append(Look(place, weight, total))
        tail = self._tails[at] = together(tails, parts, looks, self.wholes)
        return tail

    def _followed(self, flown: Flow) -> tuple[Ends, Found]:
        """Effects of a flow, and what waits for the hidden part, or at a seam."""
        opening = flown.opening()
        known = self._stretches.rolled(opening) if isinstance(opening, Chance) else None
        if known is not None:
            ends, places, outcomes = known
            return ends, places + outcomes
        found: Found = [*flown.run().hidden]
        return self.effects(flown.all_finals(), found), found

    def _split(self, at: At[Facts]) -> tuple[At[Facts], At[Facts]] | None:
        """The places from which whoever acts, and all others, are followed apart."""
        splits, minding = self.hints.splits, self._minding
        if splits is None or minding is None or self._needed != self.hints.needed:
            return None
        return splits(at, minding)

    def pared(self, at: At[Facts]) -> At[Facts]:
        """A place at a seam, without what neither effects nor decisions need."""
        pares, kept = self.hints.pares, self._kept
        return at if pares is None or kept is None else pares(at, kept)

    def _pared_tail(self, at: At[Facts]) -> Tail:
        return self._tail(self.pared(at))

    def parted(self, at: At[Facts], part: Hashable) -> Hashable:
        """A key of a hidden part where a step looks at it; the part itself if nothing is known."""
        parted, kept = self.hints.parted, self._kept
        if parted is None or kept is None or at.step not in self.hints.seams:
            return part
        return parted(at, part, kept)

    def _each_joined(self, front: Front, several: Several) -> list[EffectOdds]:
        """The odds of an exchange for hidden parts, by what lies beyond its looks for each."""
        rows, which = self._beyond.rows(front.looks, several)
        by_ends = front.by_ends
        found: list[EffectOdds] = []
        for row in rows:
            odds = by_ends.get(id(row))
            if odds is None:
                odds = by_ends[id(row)] = self._joined(front, row)
            found.append(odds)
        return [found[number] for number in which]

    def _waits(self, front: Front) -> Waits | None:
        """The choice for which an exchange waits for the hidden part before anything else."""
        if front.waits is not None:
            return front.waits
        place = waits_at(front.looks)
        choice = None if place is None else self._choice(place)
        return None if place is None or choice is None else Waits(place, choice, SHOWN)

    def _joined(self, front: Front, beyond: Sequence[Ends]) -> EffectOdds:
        """The odds of an exchange, from what lies beyond each of its looks."""
        if front.fanned is not None:
            odds = front.fanned.fan.odds(front.fanned, beyond)
            if odds is not None:
                return odds
        if front.owns:
            content = (
                self._content(front.ends),
                *sorted(zip(front.owns, map(id, beyond), strict=True)),
            )
            return EffectOdds.of_shares(shares_of(front, beyond), content, self.wholes)
        parts: list[tuple[Ends, Ends | None, int, int]] = [(front.ends, None, 1, 1)]
        for (_, weight, total, own), ends in zip(front.looks, beyond, strict=True):
            parts.append((ends, own, weight, total))
        return self.odds_of(joined(parts, self.wholes))

    def _choice(self, at: At[Facts]) -> Choice[Facts] | None:
        """The choice at a place that waits for the hidden part; None: there is none.

        Whatever a rule raises there, it does so again for each hidden part, and is told then.
        """
        # Such places lie in `_tails`: this one stands for itself.
        if id(at) not in self._choices:
            self._choices[id(at)] = None
            with suppress(Looked, Exception):
                node = at.step.rule(at.facts)
                self._choices[id(at)] = node if isinstance(node, Choice) else None
        return self._choices[id(at)]

    def _ends_of(self, place: Place, part: Hashable) -> Ends:
        """What a place comes to for a hidden part; the same ends are one."""
        return self._ends_at(self._filled(place, part))

    def _ends_at(self, at: Place) -> Ends:
        """What a place comes to at which all is known; the same ends are one."""
        if isinstance(at, At):
            ends = self._ends(at)
        else:
            ends = Ends({self.wholes.number(self._effect(at.facts)): 1}, 1)
        known = self._ends_by_content.setdefault(self._content(ends), ends)
        if known is ends:
            check_whole(self.system.id, sum(ends.weights.values()) == ends.total)
        return known

    def _effect(self, facts: Facts) -> Whole:
        """The effects of an outcome on the actor, the target and the target's mates."""
        return whole_of(self.fight, facts)

    def _put_off(self, facts: Facts, error: BaseException) -> OpenEnd:
        """An outcome whose effect depends on the hidden part, if that is why this was raised."""
        if not is_look(error, facts, f"{self.system.id}: an effect"):
            raise error
        return OpenEnd(facts)

    def effects(self, ended: dict[int, dict[Facts, int]], looks: Found) -> Ends:
        """Outcomes as effects with weights; what looks at the unknown is put off.

        An effect in which something is unknown has looked: it will be applied.
        """
        common, known = lcm(*ended), self.wholes.known
        weights: Weights = {}
        for total, finals in ended.items():
            scale = common // total
            for facts, weight in finals.items():
                try:
                    whole = self._effect(facts)
                except (Looked, Exception) as error:
                    looks.append((self._put_off(facts, error), weight, total))
                    continue
                number = known(whole)
                if number is None:
                    if holds_unknown(whole):
                        looks.append((OpenEnd(facts), weight, total))
                        continue
                    number = self.wholes.number(whole)
                weights[number] = weights.get(number, 0) + weight * scale
        return Ends(weights, common)

    def odds_of(self, ends: Ends) -> EffectOdds:
        """The odds of ends that add up to one."""
        check_whole(self.system.id, sum(ends.weights.values()) == ends.total)
        return EffectOdds.of_ends(ends, self.wholes)
