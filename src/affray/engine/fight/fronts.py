"""An exchange of two fighters followed as far as it goes, with the target's hidden part unknown.

A front is what it comes to before anything unknown is looked at, and the places where something is.
From each of them it is followed once for every value of the hidden part that comes up. Exchanges
with the same first roll share a front, those that lead to the same places what lies beyond.
"""

from __future__ import annotations

from collections.abc import Hashable
from math import lcm

from affray.core.errors import AffrayError, RulesError
from affray.core.fight import Fight
from affray.core.lazy import NamedTuple
from affray.core.node import At, Chance, Choice, Facts, Option, fill
from affray.core.reading import roll_of
from affray.core.system import System
from affray.core.unknown import Looked, filled, holds_unknown, is_look
from affray.engine.exchange.best import Solution
from affray.engine.exchange.flow import Decide, Flow
from affray.engine.exchange.game import Game, settled_option

__all__ = [
    "REFUSED", "AnyFight", "EffectOdds", "Ends", "Front", "Fronts", "Helped", "Open", "Refused",
    "closed", "odds_of", "solved",
]  # fmt: skip

AnyFight = Fight[Facts, Hashable, Hashable, Hashable, Hashable]
Helped = tuple[tuple[int, Hashable], ...]
"""Effects on mates of the target, each with their place among those that a context is made of."""
Weights = dict[tuple[Hashable, Hashable, Helped], int]
Ends = dict[int, Weights]
"""Effects with weights, for each total over which the weights count."""


class EffectOdds(NamedTuple):
    """The effects of an exchange on those who take part, with their odds.

    Attributes:
        effects: on the actor and on the target. weights: of each pair; total: all of them.
        helped: for each pair what befalls the target's mates; () if they never take part.
    """

    effects: tuple[tuple[Hashable, Hashable], ...]
    weights: tuple[int, ...]
    total: int
    helped: tuple[Helped, ...] = ()


class Refused:
    """Stands in the place of odds where the rules refuse the exchange."""

    def __bool__(self) -> bool:
        return False


REFUSED = Refused()


class _Ended(NamedTuple):
    """An end of an exchange whose effect depends on the hidden part."""

    facts: Facts


_Places = list[tuple[At[Facts] | _Ended, int, int]]
"""Places where something unknown is looked at, with weights and the totals that they count over."""


class Open(AffrayError):  # noqa: N818  # no error: asks for a solver
    """A choice is open: nobody's plan decides it."""


class Front(NamedTuple):
    """An exchange as far as it goes without the hidden part."""

    odds: EffectOdds | None
    ends: Ends
    looks: _Places
    by_part: dict[Hashable, EffectOdds | Refused]


class Fronts:
    """Exchanges of one fighter with another, all decisions being made.

    Args:
        game: the rules and both plans; where it starts does not matter.
        decide: makes every decision. It may raise `Open`; or `Looked`, where it depends on what
            is unknown: then the exchange waits there for the hidden part.
        minding: outcome fields on which decisions depend besides; None: nobody knows.
    """

    def __init__(
        self, game: Game, decide: Decide, minding: frozenset[str] | None = frozenset()
    ) -> None:
        self._plan = game
        self._decide = decide
        self._minding = minding
        self.system = game.system
        self.hints = game.system.hints
        fight = game.system.fight
        assert fight is not None  # there is none without a fight
        self.fight: AnyFight = fight
        needed = self.hints.needed
        self._kept = None if needed is None or minding is None else needed | minding
        self._by_opening: dict[At[Facts] | Chance[Facts], Front] = {}
        self._by_reading: dict[tuple[At[Facts], str], dict[object, tuple[Ends, _Places]]] = {}
        self._tails: dict[At[Facts], tuple[Ends, _Places]] = {}
        self._whole: set[object] = set()
        self._known: set[Hashable] = set()
        self._beyonds: dict[int, dict[Hashable, Ends]] = {}

    def front(self, at: At[Facts]) -> Front:
        """The exchange up to where something unknown is looked at."""
        looks: _Places = []
        flown = self._flow(at)
        opening = flown.opening()
        known = self._by_opening.get(opening)
        if known is not None:
            return known
        if isinstance(opening, Chance) and opening.then.step in self.hints.seams:
            ends = self._rolled(opening, looks)
        else:
            ends = self._followed(at, 1, 1, looks, flown)
        odds = None if looks else odds_of(self.system, ends)
        front = self._by_opening[opening] = Front(odds, ends, looks, {})
        return front

    def odds_from(self, at: At[Facts]) -> EffectOdds:
        """The odds of the rest of an exchange from a place where all is known."""
        return odds_of(self.system, self._followed(at, 1, 1, []))

    def _rolled(self, chance: Chance[Facts], looks: _Places) -> Ends:
        """The ends of a first roll that leads to a seam, reading by reading."""
        roll = roll_of(chance.dice, chance.read)
        known = self._by_reading.setdefault((chance.then, chance.into), {})
        ends: Ends = {}
        for reading, ways in roll.rows:
            after = known.get(reading)
            if after is None:
                found: _Places = []
                at = self.pared(fill(chance.then, chance.into, reading))
                after = known[reading] = (self._followed(at, 1, 1, found), found)
            _add(ends, after[0], ways, roll.total)
            looks += [(place, w * ways, total * roll.total) for place, w, total in after[1]]
        return ends

    def _flow(self, at: At[Facts]) -> Flow:
        hints = self.hints
        return Flow(
            self._plan._replace(start=at), self._decide, needed=hints.needed, seams=hints.seams,
            minding=self._minding,
        )  # fmt: skip

    def _followed(
        self, at: At[Facts], times: int, over: int, looks: _Places, begun: Flow | None = None
    ) -> Ends:
        """The ends of a place, times a chance; places that look at the unknown go to `looks`.

        `begun` is the flow from there, if its opening is known already.
        """
        tail = self._tails.get(at)
        if tail is None:
            flown = (begun or self._flow(at)).run()
            found: _Places = [*flown.hidden]
            ended = flown.all_finals()
            tail = self._tails[at] = (self.effects(ended, found), found)
        ends: Ends = {}
        _add(ends, tail[0], times, over)
        for place, weight, total in tail[1]:
            if isinstance(place, At) and place.step in self.hints.seams and place != at:
                place = self.pared(place)  # noqa: PLW2901  # no more of it matters
                _add(ends, self._followed(place, weight * times, total * over, looks), 1, 1)
            else:
                looks.append((place, weight * times, total * over))
        return ends

    def pared(self, at: At[Facts]) -> At[Facts]:
        """A place at a seam, without what neither effects nor decisions need."""
        pares, kept = self.hints.pares, self._kept
        return at if pares is None or kept is None else pares(at, kept)

    def joined(self, front: Front, part: Hashable) -> EffectOdds:
        """The odds of an exchange for one hidden part."""
        ends: Ends = {}
        _add(ends, front.ends, 1, 1)
        for place, weight, total in front.looks:
            _add(ends, self._beyond(place, part), weight, total)
        return odds_of(self.system, ends)

    def _beyond(self, place: At[Facts] | _Ended, part: Hashable) -> Ends:
        """The ends of a place where a step looks at the hidden part, for one value of it."""
        # Such places lie in `_tails`, and many odds share one of them: it stands for itself.
        known = self._beyonds.setdefault(id(place), {})
        ends = known.get(part)
        if ends is None:
            facts = filled(place.facts, part, self._whole)
            if isinstance(place, At):
                ends = self._followed(At(place.step, facts), 1, 1, [])
            else:
                ends = {1: {self._effect(facts): 1}}
            known[part] = ends
        return ends

    def _effect(self, facts: Facts) -> tuple[Hashable, Hashable, Helped]:
        """The effects of an outcome on the actor, the target and the target's mates."""
        fight = self.fight
        return fight.effect(facts, "actor"), fight.effect(facts, "target"), fight.helped(facts)

    def _passes_on(self, whole: Hashable) -> bool:
        """Whether something is unknown in effects."""
        if whole in self._known:
            return False
        if holds_unknown(whole):
            return True
        self._known.add(whole)
        return False

    def effects(self, ended: dict[int, dict[Facts, int]], looks: _Places) -> Ends:
        """Outcomes as effects, with weights over each total; what looks at the unknown is put off.

        An effect in which something is unknown has looked: it will be applied.
        """
        ends = Ends()
        for total, finals in ended.items():
            weights = ends.setdefault(total, {})
            for facts, weight in finals.items():
                try:
                    whole = self._effect(facts)
                except (Looked, Exception) as error:
                    if not is_look(error, facts, f"{self.system.id}: an effect"):
                        raise
                    looks.append((_Ended(facts), weight, total))
                    continue
                if whole in weights:
                    weights[whole] += weight
                elif self._passes_on(whole):
                    looks.append((_Ended(facts), weight, total))
                else:
                    weights[whole] = weight
            if not weights:
                del ends[total]
        return ends


def _add(ends: Ends, more: Ends, times: int, over: int) -> None:
    """Add weights, times a chance of `times` in `over`."""
    for total, weights in more.items():
        into = ends.setdefault(total * over, {})
        if times == 1 and not into:
            into.update(weights)
            continue
        for pair, weight in weights.items():
            into[pair] = into.get(pair, 0) + weight * times


def odds_of(system: System[Facts], ends: Ends) -> EffectOdds:
    """The odds of ends that add up to one."""
    common = lcm(*ends)
    weights: Weights = {}
    for total, pairs in ends.items():
        scale = common // total
        for pair, weight in pairs.items():
            weights[pair] = weights.get(pair, 0) + weight * scale
    if sum(weights.values()) != common:
        raise RulesError(f"{system.id}: the outcomes of an exchange don't add up to one")
    helped = tuple(third for _, _, third in weights)
    return EffectOdds(
        tuple((mine, theirs) for mine, theirs, _ in weights),
        tuple(weights.values()),
        common,
        helped if any(helped) else (),
    )


def closed(game: Game) -> Decide:
    """The decisions that both plans make; it raises `Open` at a choice that they leave open."""

    def decide(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
        option = settled_option(game, at, choice)
        if option is None:
            raise Open
        return option

    return decide


def solved(game: Game, solution: Solution) -> Decide:
    """The decisions that both plans make, and those of a solution at choices that are left open.

    A choice that comes up before the hidden part is known waits for it.
    """

    def decide(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
        option = settled_option(game, at, choice)
        if option is not None:
            return option
        if holds_unknown(at.facts):
            raise Looked
        return solution.decide(at, choice)

    return decide
