"""One fighter's exchanges with another: worked out once for all conditions that look alike.

An encounter is declared with the hidden part of the target's condition unknown. Encounters that
declare the same facts share their odds: effects on both, with integer weights. The odds differ
with the hidden part only where a step looks at it.
"""

from __future__ import annotations

from collections.abc import Hashable
from contextlib import suppress
from math import lcm
from typing import Any, NamedTuple

from affray.core.errors import AffrayError, RulesError, SetupError
from affray.core.fight import Deed, Fight, Scene
from affray.core.node import At, Chance, Choice, Facts, Option, fill
from affray.core.reading import roll_of
from affray.core.ruling import Rulings
from affray.core.system import Objective, System
from affray.core.unknown import UNKNOWN, Looked, filled, holds_unknown, is_look
from affray.engine.exchange.best import Solution, solve
from affray.engine.exchange.flow import Decide, Flow, flow
from affray.engine.exchange.game import Game, Offered, note_offer, settled_option
from affray.engine.fight.plans import Both

__all__ = ["AnyFight", "EffectOdds", "Encounter", "Helped", "Matchup", "fight_of"]

AnyFight = Fight[Facts, Hashable, Hashable, Hashable, Hashable]
Helped = tuple[tuple[int, Hashable], ...]
"""Effects on mates of the target, each with their place among those that a context is made of."""
Weights = dict[tuple[Hashable, Hashable, Helped], int]
Ends = dict[int, Weights]
"""Effects with weights, for each total over which the weights count."""


class Encounter(NamedTuple):
    """One exchange of two fighters of a matchup, about to be declared.

    Attributes:
        deed: what the actor does.
        actor, target: the conditions of both.
        context: what `Fight.context` says of the target's mates. company: the same of the
            actor's mates, where they matter.
    """

    deed: Deed
    actor: Hashable
    target: Hashable
    context: Hashable = None
    company: Hashable = None


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
MOST_SOLVED = 50_000
"""Places of a solution beyond which a new one is begun."""
Found = EffectOdds | Refused | dict[Hashable, EffectOdds | Refused]
"""The odds of an encounter; by the target's hidden part where they differ with it."""


class _Ended(NamedTuple):
    """An end of an exchange whose effect depends on the hidden part."""

    facts: Facts


_Places = list[tuple[At[Facts] | _Ended, int, int]]
"""Places where something unknown is looked at, with weights and the totals that they count over."""


class Open(AffrayError):  # noqa: N818  # no error: asks for a solver
    """A choice is open: nobody's plan decides it."""


def fight_of(system: System[Facts]) -> AnyFight:
    """The fights of a system.

    Raises:
        SetupError: it says nothing.
    """
    if system.fight is None:
        raise SetupError(f"{system.id} says nothing about fights; it knows single exchanges only")
    return system.fight


class Matchup:
    """Exchanges of one fighter as actor with another as target.

    Args:
        system: whose rules hold.
        setup: sheets of both and the situation; None: they can't meet at all.
        rulings: the readings in force.
        plans: the options that either side considers.
        objective: decides open choices, exchange by exchange; zero-sum.
        threshold: a point is spent only for a gain above this.

    Attributes:
        table: all odds found so far, by encounter of visible conditions.
        is_sparing: whether the actor never strains itself (`Hints.strains_at`).
        apart: why the two can't meet at all; "": they can.
    """

    def __init__(
        self,
        system: System[Facts],
        setup: Any,
        rulings: Rulings,
        plans: Both,
        objective: Objective[Facts],
        threshold: int = 0,
    ) -> None:
        self.system = system
        self.fight = fight_of(system)
        self.hints = system.hints
        self.setup = setup
        self.rulings = rulings
        self.plans = plans
        self.objective = objective
        self.threshold = threshold
        self.apart = ""
        self.is_sparing = plans.actor.is_sparing(system.hints.strains_at)
        self.table: dict[Encounter, Found] = {}
        self._settled: Decide | None = None
        self._solution: Solution | None = None
        self._solutions: dict[At[Facts], EffectOdds] = {}
        self._fronts: dict[Encounter, _Front] = {}
        self._by_opening: dict[At[Facts] | Chance[Facts], _Front] = {}
        self._by_reading: dict[tuple[At[Facts], str], dict[object, tuple[Ends, _Places]]] = {}
        self._tails: dict[At[Facts], tuple[Ends, _Places]] = {}
        self._whole: set[object] = set()
        self._known: set[Hashable] = set()
        self.offered: Offered = {}
        self._beyonds: dict[int, dict[Hashable, Ends]] = {}
        self._starts: dict[tuple[Encounter, object], At[Facts] | type[Looked] | None] = {}
        self._named: dict[tuple[str, str], Hashable] = {}

    def visible(self, encounter: Encounter) -> Encounter:
        """An encounter as it is declared: without what is hidden, or makes no difference."""
        if self.setup is None:
            return encounter
        hints, setup = self.hints, self.setup
        visible = hints.hidden.visible
        actor, target = visible(encounter.actor), visible(encounter.target)
        return encounter._replace(
            actor=hints.acting(setup.attacker, actor, self.is_sparing),
            target=hints.struck(setup.defender, target),
        )

    def start(self, encounter: Encounter) -> At[Facts] | None:
        """The first place of an exchange; None where the rules refuse the declaration."""
        part = self.hints.hidden.part(encounter.target)
        return self.veiled_start(self.visible(encounter), part)

    def plain_start(self, encounter: Encounter, names: tuple[str, str]) -> At[Facts] | None:
        """As `start`, with nothing hidden: for people, who read what the steps say.

        Args:
            encounter: the exchange.
            names: those of actor and target.
        """
        if self.setup is None:
            return None
        deed, actor, target, context, company = encounter
        setup = self._named.get(names)
        if setup is None:
            setup = self._named[names] = self.fight.named(self.setup, *names)
        scene = Scene(setup, deed, actor, target, context, self.rulings, company)
        try:
            return self.fight.declare(scene)
        except SetupError:
            return None

    def veiled_start(self, visible: Encounter, part: object = UNKNOWN) -> At[Facts] | None:
        """As `start`, from visible conditions and the hidden part of the target's.

        Raises:
            Looked: the part is unknown, and the declaration looks at it.
        """
        key = (visible, part)
        if key not in self._starts:
            try:
                self._starts[key] = self._declared(visible, part)
            except Looked:
                self._starts[key] = Looked
        known = self._starts[key]
        if isinstance(known, type):
            raise Looked
        return known

    def _declared(self, visible: Encounter, part: object) -> At[Facts] | None:
        if self.setup is None:
            return None
        deed, actor, target, context, company = visible
        struck = self.hints.hidden.veiled(target, part)
        scene = Scene(self.setup, deed, actor, struck, context, self.rulings, company)
        try:
            return self.fight.declare(scene)
        except SetupError:
            return None
        except (Looked, Exception) as error:
            if not is_look(error, (part,), "a declaration"):
                raise
        raise Looked

    def refusal(self, encounter: Encounter) -> str:
        """Why the rules refuse a declaration; "" if they allow it."""
        if self.setup is None:
            return self.apart or "they can't meet"
        deed, actor, target, context, company = encounter
        scene = Scene(self.setup, deed, actor, target, context, self.rulings, company)
        try:
            self.fight.declare(scene)
        except SetupError as error:
            return str(error)
        return ""

    def odds(self, encounter: Encounter) -> EffectOdds | None:
        """The odds of an encounter; None where the rules refuse it.

        Odds that are the same are the same object.
        """
        return self.shared_odds(encounter)[0]

    def shared_odds(self, encounter: Encounter) -> tuple[EffectOdds | None, bool]:
        """As `odds`, and whether they are the same whatever is hidden in the target's condition."""
        visible = self.visible(encounter)
        known = self.table.get(visible)
        if known is None:
            known = self.table[visible] = self._found(visible)
        if not isinstance(known, dict):
            return known if isinstance(known, EffectOdds) else None, True
        part = self.hints.hidden.part(encounter.target)
        odds = known.get(part)
        if odds is None:
            try:
                odds = self._for_part(visible, part)
            except SetupError:
                odds = REFUSED  # the rules refuse it at a later step
            known[part] = odds
        return odds if isinstance(odds, EffectOdds) else None, False

    def odds_from(self, at: At[Facts]) -> EffectOdds:
        """The odds of the rest of an exchange that has begun, from a place where all is known."""
        if at not in self._solutions:
            try:
                self._solutions[at] = _odds_of(self.system, self._followed(at, 1, 1, []))
            except Open:
                self._solutions[at] = self._solved(at)
        return self._solutions[at]

    def _found(self, visible: Encounter) -> Found:
        """The odds of visible conditions; a table where they differ with the hidden part."""
        try:
            at = self._declared(visible, UNKNOWN)
        except Looked:
            return {}
        if at is None:
            return REFUSED
        try:
            front = self._fronts[visible] = self._front(at)
        except SetupError:
            return REFUSED  # the rules refuse it at a later step
        return front.by_part if front.odds is None else front.odds

    def _for_part(self, visible: Encounter, part: Hashable) -> EffectOdds | Refused:
        front = self._fronts.get(visible)
        if front is not None and not front.is_open:
            with suppress(Open):  # a choice comes only after a look at the hidden part
                return self._joined(front, part)
        real = self.veiled_start(visible, part)
        if real is None:
            return REFUSED
        if real not in self._solutions:
            self._solutions[real] = self._solved(real)
        return self._solutions[real]

    def _game(self, at: At[Facts]) -> Game:
        return Game(self.system, at, {}, self.plans)

    def _front(self, at: At[Facts]) -> _Front:
        """The exchange up to where something unknown is looked at."""
        looks: _Places = []
        try:
            flown = self._flow(at)
            opening = flown.opening()
            known = self._by_opening.get(opening)
            if known is not None:
                return known
            if isinstance(opening, Chance) and opening.then.step in self.hints.seams:
                ends = self._rolled(opening, looks)
            else:
                ends = self._followed(at, 1, 1, looks, flown)
        except Open:
            return _Front(None, {}, [], {}, is_open=True)
        odds = None if looks else _odds_of(self.system, ends)
        front = self._by_opening[opening] = _Front(odds, ends, looks, {}, is_open=False)
        return front

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
        if self._settled is None:
            self._settled = self._noted(_closed(self._game(at)))  # whatever the place
        hints = self.hints
        return Flow(self._game(at), self._settled, needed=hints.needed, seams=hints.seams)

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
            tail = self._tails[at] = (self._effects(ended, found), found)
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
        """A place at a seam, without what effects don't need."""
        pares, needed = self.hints.pares, self.hints.needed
        return at if pares is None or needed is None else pares(at, needed)

    def _joined(self, front: _Front, part: Hashable) -> EffectOdds:
        """The odds of an exchange for one hidden part."""
        ends: Ends = {}
        _add(ends, front.ends, 1, 1)
        for place, weight, total in front.looks:
            _add(ends, self._beyond(place, part), weight, total)
        return _odds_of(self.system, ends)

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

    def _solved(self, at: At[Facts]) -> EffectOdds:
        solution, needed = self._solution, self.hints.needed
        if solution is None or solution.followed > MOST_SOLVED:
            solution = solve(self._game(at), self.objective, threshold=self.threshold)
            self._solution = solution
        minds = solution.minds
        if needed is not None and minds is not None and needed <= minds:
            finals = solution.ends(at)  # what was followed to solve it says what effects need
        else:
            decide = self._noted(solution.decide)
            finals = flow(self._game(at), decide, needed=needed, minding=minds)
        self.note(solution.offered)
        return _odds_of(self.system, self._effects(finals, []))

    def note(self, offered: Offered) -> None:
        """Note options that were met."""
        for key, names in offered.items():
            met = self.offered.setdefault(key, {})
            for name, is_open in names.items():
                met[name] = is_open or met.get(name, False)

    def _noted(self, decide: Decide) -> Decide:
        """The same decisions, with a note of what is offered where there is a habit."""
        watched = self.plans.watched
        if not watched:
            return decide

        def noting(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
            if at.step.name in watched:
                note_offer(self.offered, at, choice)
            return decide(at, choice)

        return noting

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

    def _effects(self, ended: dict[int, dict[Facts, int]], looks: _Places) -> Ends:
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


def _odds_of(system: System[Facts], ends: Ends) -> EffectOdds:
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


class _Front(NamedTuple):
    """An exchange as far as it goes without the hidden part."""

    odds: EffectOdds | None
    ends: Ends
    looks: _Places
    by_part: dict[Hashable, EffectOdds | Refused]
    is_open: bool


def _closed(game: Game) -> Decide:
    def decide(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
        option = settled_option(game, at, choice)
        if option is None:
            raise Open
        return option

    return decide
