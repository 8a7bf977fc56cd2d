"""One fighter's exchanges with another: worked out once for all conditions that look alike.

An encounter is declared with the hidden part of the target's condition unknown. Encounters that
declare the same facts share their odds: effects on both, with integer weights. The odds differ
with the hidden part only where a step looks at it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any

from affray.core.errors import SetupError
from affray.core.fight import Deed, Scene
from affray.core.hints import Hints, Scenes
from affray.core.lazy import NamedTuple
from affray.core.node import At, Choice, Facts, Option
from affray.core.ruling import Rulings
from affray.core.system import Objective, System
from affray.core.unknown import OWN_UNKNOWN, UNKNOWN, Looked, is_look
from affray.engine.exchange.best import Solution, solve
from affray.engine.exchange.flow import Decide
from affray.engine.exchange.game import Game, Offered, note_offer, note_offers
from affray.engine.fight.blending import Helped, Outcomes
from affray.engine.fight.front import (
    REFUSED,
    EffectOdds,
    Front,
    Open,
    Refused,
    Several,
    closed,
    waiting,
)
from affray.engine.fight.fronts import AnyFight, Fronts
from affray.engine.fight.plans import Both
from affray.engine.fight.worths import Worths

__all__ = ["AnyFight", "EffectOdds", "Encounter", "Helped", "Matchup", "fight_of"]


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


ENOUGH_OPEN = 8
"""So many exchanges in a row that leave a choice open; further ones are solved without a try."""
MOST_SOLVED = 200_000
"""Places of a solution beyond which a new one is begun. They take half a gigabyte. Exchanges share
most of them, so a limit that is often reached costs more time and memory than it saves."""
_NOTHING_SAID: Hints[Any, Any, Any] = Hints()
Found = EffectOdds | Refused | dict[Hashable, EffectOdds | Refused]
"""The odds of an encounter; by the target's hidden part where they differ with it."""


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
        apart: why the two can't meet at all; "": they can.
    """

    def __init__(
        self,
        system: System[Facts],
        setup: Any,
        rulings: Rulings,
        plans: Both,
        objective: Objective[Facts],
        threshold: int,
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
        self.table: dict[Encounter, Found] = {}
        self._seen: tuple[dict[Hashable, Hashable], dict[Hashable, Hashable]] = {}, {}
        self._met_as: dict[tuple[Hashable, Hashable], Hashable] = {}
        self._solution: Solution | None = None
        self._fronts_of: tuple[Solution, Fronts] | None = None
        self._solutions: dict[At[Facts], EffectOdds] = {}
        self._by_number: dict[int, EffectOdds] = {}  # of places in the solution
        self._outcomes: Outcomes  # of the solution
        self._fronts: dict[Encounter, tuple[Fronts, Front]] = {}
        self._apart: dict[Encounter, tuple[Fronts, Front] | None] = {}
        self._actors_apart: dict[Hashable, tuple[Hashable, Hashable]] = {}
        self._veiled: dict[Hashable, Hashable] = {}
        self._whole: set[Encounter] = set()
        self._by_scene: dict[Hashable, tuple[EffectOdds | None, bool]] = {}
        self._met_open = [0, 0]  # exchanges solved as a whole in a row, without mates and with
        self.offered: Offered = {}
        self._starts: dict[tuple[Encounter, object], At[Facts] | type[Looked] | None] = {}
        self._named: dict[tuple[str, str], Hashable] = {}

    def visible(self, encounter: Encounter) -> Encounter:
        """An encounter as it is declared: without what is hidden, or makes no difference."""
        if self.setup is None:
            return encounter
        hints = self.hints
        deed, actor, target, context, company = encounter
        acting, struck = self._shown(actor, target)
        if context is None and company is None:
            return Encounter(deed, acting, self.met_as(acting, struck))
        return Encounter(deed, acting, struck, hints.around(context), company)

    def _shown(self, actor: Hashable, target: Hashable) -> tuple[Hashable, Hashable]:
        """What exchanges see of the conditions of both."""
        return self._as_actor(actor), self.as_target(target)

    def _as_actor(self, condition: Hashable) -> Hashable:
        """What exchanges see of whoever acts."""
        acting = self._seen[0].get(condition)
        if acting is None:
            shown = self.hints.hidden.visible(condition)
            acting = self.hints.acting(self.setup.attacker, shown)
            self._seen[0][condition] = acting
        return acting

    def as_target(self, condition: Hashable) -> Hashable:
        """What exchanges see of whoever is acted upon, if the two can meet."""
        struck = self._seen[1].get(condition)
        if struck is None:
            struck = self.hints.struck(self.setup.defender, self.hints.hidden.visible(condition))
            self._seen[1][condition] = struck
        return struck

    def each_met(self, actor: Hashable, targets: Sequence[Hashable]) -> list[Hashable]:
        """Targets without mates, each as `as_target` gives it, as exchanges of an actor see them.

        They are not kept.
        """
        against, setup, acting = self.hints.against, self.setup, self._as_actor(actor)
        return [against(setup, acting, struck) for struck in targets]

    @property
    def takes_for_others(self) -> bool:
        """Whether exchanges of one actor may take some targets for others."""
        return self.setup is not None and self.hints.against is not _NOTHING_SAID.against

    def met_as(self, acting: Hashable, struck: Hashable) -> Hashable:
        """A target without mates as exchanges of this actor see it, both as they are visible."""
        pair = acting, struck
        met = self._met_as.get(pair)
        if met is None:
            met = self._met_as[pair] = self.hints.against(self.setup, acting, struck)
        return met

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
        if encounter.context is None or self.hints.scenes is None or self.setup is None:
            return self._odds_of(encounter)
        key = self._scene_key(encounter, self.hints.scenes)
        if key is None:
            return self._odds_of(encounter)
        alike = self._by_scene.get(key)
        if alike is None:
            alike = self._by_scene[key] = self._odds_of(encounter)[0], False
        return alike

    def _scene_key(self, encounter: Encounter, scenes: Scenes) -> Hashable | None:
        """What is known of an exchange with mates before it is declared; see `Hints.scenes`."""
        needed = self._counts
        if needed is None:
            return None
        deed, actor, target, context, company = encounter
        hidden = self.hints.hidden
        acting, struck = self._shown(actor, target)
        struck = hidden.veiled(struck, hidden.part(target))
        scene = Scene(self.setup, deed, acting, struck, context, self.rulings, company)
        key = scenes(scene, needed, self.plans.actor.takes)
        return None if key is None else (deed, key)

    @cached_property
    def _counts(self) -> frozenset[str] | None:
        """The outcome fields that effects and decisions look at; None: nobody says."""
        needed, minds = self.hints.needed, self.solution.minds
        return None if needed is None or minds is None else needed | minds

    def _odds_of(self, encounter: Encounter) -> tuple[EffectOdds | None, bool]:
        """As `shared_odds`, by the conditions of both."""
        visible = self.visible(encounter)
        known = self.table.get(visible)
        if known is None:
            known = self.table[visible] = self._found(visible)
        if not isinstance(known, dict):
            return known if isinstance(known, EffectOdds) else None, True
        part = self.hints.hidden.part(encounter.target)
        odds = known.get(part)
        if odds is None:
            odds = known[part] = self._if_allowed(visible, part)
        return odds if isinstance(odds, EffectOdds) else None, False

    def odds_for(
        self, encounter: Encounter, several: Several
    ) -> tuple[Sequence[EffectOdds | None], bool]:
        """As `shared_odds`, for targets that differ in nothing but what is hidden.

        Args:
            encounter: with one of these targets.
            several: the hidden part of each of them.
        """
        visible = self.visible(encounter)
        if self.hints.splits is not None:
            apart = self._odds_apart(visible, several)
            if apart is not None:
                return apart
        known = self.table.get(visible)
        if known is None:
            known = self.table[visible] = self._found(visible)
        if not isinstance(known, dict):
            odds = known if isinstance(known, EffectOdds) else None
            return [odds] * len(several.parts), True
        front = self._fronts.get(visible)
        if front is not None:
            # Where not all of them come to something, each is followed by itself.
            with suppress(Open, SetupError):
                return front[0].each_odds_of(front[1], several), False
        found: list[EffectOdds | None] = []
        for part in several.parts:
            part_odds = known.get(part)
            if part_odds is None:
                part_odds = known[part] = self._if_allowed(visible, part)
            found.append(part_odds if isinstance(part_odds, EffectOdds) else None)
        return found, False

    def _odds_apart(
        self, visible: Encounter, several: Several
    ) -> tuple[Sequence[EffectOdds], bool] | None:
        """As `odds_for`, from an exchange that is followed once for all that is hidden of an actor.

        None: that is looked at before what befalls the actor is split off, or it comes to nothing.
        """
        for_all = visible
        try:
            veiled, part = self.actor_apart(visible.actor)
            for_all = visible._replace(actor=id(veiled))  # they are kept, and compare quickly
            if for_all not in self._apart:
                self._apart[for_all] = self._front_apart(visible._replace(actor=veiled))
            known = self._apart[for_all]
            if known is None:
                return None
            fronts, front = known
            if front.odds is not None:
                return [fronts.own_parts.alone(front.odds, part)] * len(several.parts), True
            return fronts.own_parts.each(fronts.each_odds_of(front, several), part), False
        except (Looked, Open, SetupError):
            self._apart[for_all] = None
            return None

    def actor_apart(self, actor: Hashable) -> tuple[Hashable, Hashable]:
        """Whoever acts with what is hidden of them unknown, the same for equal ones; and that."""
        known = self._actors_apart.get(actor)
        if known is None:
            hidden = self.hints.hidden
            veiled = hidden.veiled(actor, OWN_UNKNOWN)
            veiled = self._veiled.setdefault(veiled, veiled)
            known = self._actors_apart[actor] = veiled, hidden.part(actor)
        return known

    def _front_apart(self, for_all: Encounter) -> tuple[Fronts, Front] | None:
        """An exchange as far as it goes, with what is hidden of both unknown."""
        at = self._declared(for_all, UNKNOWN)
        return None if at is None else self._front(at)

    def _if_allowed(self, visible: Encounter, part: Hashable) -> EffectOdds | Refused:
        try:
            return self._for_part(visible, part)
        except SetupError:
            return REFUSED  # the rules refuse it at a later step

    def odds_from(self, at: At[Facts]) -> EffectOdds:
        """The odds of the rest of an exchange that has begun, from a place where all is known."""
        if at not in self._solutions:
            self._solutions[at] = self._from(at)
        return self._solutions[at]

    def _from(self, at: At[Facts]) -> EffectOdds:
        try:
            return self._closed.odds_from(at)
        except Open:
            opened = self._opened
            return self._solved(at) if opened is None else opened.odds_from(at)

    def _found(self, visible: Encounter) -> Found:
        """The odds of visible conditions; a table where they differ with the hidden part."""
        mixed = visible.context is not None
        if self._met_open[mixed] >= ENOUGH_OPEN:
            self._whole.add(visible)
            return {}
        try:
            at = self._declared(visible, UNKNOWN)
        except Looked:
            return {}
        if at is None:
            return REFUSED
        try:
            found = self._front(at)
        except SetupError:
            return REFUSED  # the rules refuse it at a later step
        if found is None:
            self._whole.add(visible)
            self._met_open[mixed] += 1
            return {}
        self._met_open[mixed] = 0
        _, front = self._fronts[visible] = found
        return front.by_part if front.odds is None else front.odds

    def _front(self, at: At[Facts]) -> tuple[Fronts, Front] | None:
        """An exchange as far as it goes; None where a choice is open, and is solved as a whole."""
        try:
            return self._closed, self._closed.front(at)
        except Open:
            opened = self._opened
            return None if opened is None else (opened, opened.front(at))

    def _for_part(self, visible: Encounter, part: Hashable) -> EffectOdds | Refused:
        known = self._fronts.get(visible)
        if known is not None:
            fronts, front = known
            # A choice may come only after a look at the hidden part.
            with suppress(Open):
                return fronts.each_odds_of(front, fronts.several((part,)))[0]
        real = self._declared(visible, part)  # asked for once
        if real is None:
            return REFUSED
        # Where choices are open no plan needs to be tried; the solution knows its places.
        return self._solved(real) if visible in self._whole else self.odds_from(real)

    @cached_property
    def _closed(self) -> Fronts:
        """Exchanges in which both plans decide everything."""
        game = self._game(_NOWHERE)
        return Fronts(game, self._noted(closed(game)), needed=self.hints.needed)

    @property
    def _opened(self) -> Fronts | None:
        """Exchanges with choices that are solved; None where a solution knows their ends."""
        solution, needed = self.solution, self.hints.needed
        if needed is not None and solution.minds is not None and needed <= solution.minds:
            return None
        if self._fronts_of is None or self._fronts_of[0] is not solution:
            game, offered = self._game(_NOWHERE), self.offered

            def decide(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
                option = solution.decide(at, choice)
                note_offers(offered, solution.offered)
                return option

            decided = self._noted(waiting(game, decide))
            worths = Worths(
                game, self._noted(waiting(game, closed(game))), self.objective,
                threshold=self.threshold, minds=solution.minds,
            )  # fmt: skip
            fronts = Fronts(
                game, decided, needed=needed, minding=solution.minds, chooses=worths,
                foregone=solution.foregone,
            )  # fmt: skip
            self._fronts_of = solution, fronts
        return self._fronts_of[1]

    @property
    def solution(self) -> Solution:
        """What is solved of open choices; begun anew where it has become too large."""
        if self._solution is None or self._solution.followed > MOST_SOLVED:
            self._forget_opened()
            game = self._game(_NOWHERE)
            self._solution = solve(game, self.objective, threshold=self.threshold)
            self._by_number, self._outcomes = {}, Outcomes(self.fight, self._closed.wholes)
        return self._solution

    def _forget_opened(self) -> None:
        """Forget exchanges that were followed with a solution; else they would keep it."""
        if self._fronts_of is None:
            return
        (_, opened), self._fronts_of = self._fronts_of, None
        for visible, (fronts, front) in list(self._fronts.items()):
            if fronts is opened:
                del self._fronts[visible]
                if front.odds is None:  # then they are still asked for other hidden parts
                    del self.table[visible]
        self._apart = {
            for_all: known
            for for_all, known in self._apart.items()
            if known is None or known[0] is not opened
        }

    def _game(self, at: At[Facts]) -> Game:
        return Game(self.system, at, {}, self.plans)

    def pared(self, at: At[Facts]) -> At[Facts]:
        """A place at a seam, without what effects don't need."""
        return self._closed.pared(at)

    def parted(self, at: At[Facts], part: Hashable) -> Hashable:
        """A key of a hidden part where a step looks at it; the part itself if nothing is known."""
        return self._closed.parted(at, part)

    def _solved(self, at: At[Facts]) -> EffectOdds:
        solution = self.solution
        number = solution.number(at)
        odds = self._by_number.get(number)
        if odds is None:
            finals = solution.ends(at)  # what was followed to solve it says what effects need
            note_offers(self.offered, solution.offered)
            odds = self._closed.odds_of(self._outcomes.ends(finals))
            self._by_number[number] = odds
        return odds

    def _noted(self, decide: Decide) -> Decide:
        """The same decisions, with a note of what is offered where there is a habit."""
        watched, offered = self.plans.watched, self.offered
        if not watched:
            return decide

        def noting(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
            if at.step.name in watched:
                note_offer(offered, at, choice)
            return decide(at, choice)

        return noting


_NOWHERE: At[Facts] = At.__new__(At, None, ())  # type: ignore[arg-type]  # plans start nowhere
