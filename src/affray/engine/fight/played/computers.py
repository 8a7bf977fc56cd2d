"""A computer at the decisions of a fight: it decides as battles do, by plans and what is best."""

from __future__ import annotations

import random
from collections.abc import Collection

from affray.core.errors import LimitError
from affray.core.fight import Deed
from affray.core.node import At, Choice, Facts
from affray.engine.exchange.best import Solution, solve
from affray.engine.exchange.game import Game, considered, liked, settled_option
from affray.engine.exchange.session import Answer, Session
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import FighterId
from affray.engine.fight.plans import Both
from affray.engine.fight.played.aiming import found_for, starts_of
from affray.engine.fight.played.boards import plans_on
from affray.engine.fight.played.deeds import attempts, game_of
from affray.engine.fight.played.position import Act, Exchange, Position
from affray.engine.fight.played.questions import ACT, PASS, deed_named
from affray.engine.fight.played.session import FightSession
from affray.engine.fight.targeting import Targeting, aimed_at, checked

__all__ = ["Computer", "narrowed"]


class Computer:
    """Decides whatever somebody may decide in a fight; rolls nothing.

    The first deed that the rules allow is done, to the one whom the side's targeting names. In an
    exchange plans leave some options; among several the best for the objective is taken.

    Args:
        contest: the fight with the plans of both sides, its objective and threshold.
        targeting: how each side chooses its targets.
        seed: for a targeting by chance; None: the system's entropy.

    Raises:
        UnknownNameError: a targeting that nobody knows.
    """

    def __init__(
        self,
        contest: Contest,
        targeting: tuple[Targeting, Targeting] = ("weakest", "weakest"),
        seed: int | None = None,
    ) -> None:
        self.contest = contest
        self.targeting = tuple(checked(rule) for rule in targeting)
        self._chance = random.SystemRandom() if seed is None else random.Random(f"targets {seed}")
        self._solutions: dict[tuple[At[Facts], Both], Solution] = {}
        self._too_large: set[tuple[At[Facts], Both]] = set()

    def __call__(self, session: FightSession) -> Answer | None:
        """The decision at a fight's question; None if dice are asked for, or nothing is.

        An open choice that is too much for the budget in force falls to the rule of thumb.

        Raises:
            LimitError: somebody asked to stop.
        """
        question, here = session.question, session.position
        if question is None or question.dice is not None:
            return None
        need, names = here.need, [option.name for option in question.options]
        if question.kind == "situation":
            return _answer(names[0])  # as it is assumed
        if isinstance(need, Exchange):
            return _answer(*self._decided(here, need))
        if isinstance(need, Act):
            return _answer(self._deed(here, need, session.deeds))
        return _answer(ACT if ACT in names else names[0])

    def _deed(self, here: Position, act: Act, names: Collection[str]) -> str:
        """The name of the first deed on offer, done to the one that the targeting names."""
        for deed, places in attempts(here, act._replace(deeds=self._deeds(here, act))):
            target = places[0]
            if deed.on == "foe":
                found = found_for(here, act.actor, places, starts_of(here, places))
                rule = self.targeting[act.actor.side]
                place = aimed_at(rule, found.sighted, self._chance)
                target = FighterId(1 - act.actor.side, place)
            name = deed_named(here, deed, target)
            if name in names:
                return name
        return PASS

    def _deeds(self, here: Position, act: Act) -> tuple[Deed, ...]:
        """The deeds that come into consideration: not those for which points would be spent."""
        who, sheet, contest = act.actor, here.sheet(act.actor), self.contest
        lean = contest.lean(who.side, sheet, here.condition(who))
        if here.moment.done >= contest.allowed(sheet, lean) and here.moment.is_ordinary:
            return ()
        known = contest.deeds(who.side, sheet, lean, kind=here.moment.kind)
        return tuple(deed for deed in act.deeds if deed in known)

    def _decided(self, here: Position, exchange: Exchange) -> tuple[str, str]:
        """The option that plans leave, or that is best, and what it goes by."""
        plans = plans_of(here, exchange, self.contest)
        actor, deed, target, session = exchange[:4]
        if here.whole is None:
            # With what can be hidden hidden, so that exchanges that look alike are solved once.
            session = Session.replay(game_of(here, actor, deed, target), session.answers)
        game, at = session.game._replace(narrow=plans), session.here
        choice = at.step.rule(at.facts)
        assert isinstance(choice, Choice)  # the question has no dice
        option = settled_option(game, at, choice)
        if option is not None:
            return option.name, "policy"
        if (game.start, plans) not in self._too_large:
            try:
                return self._solution(game, plans).decide(at, choice).name, "policy"
            except LimitError as limit:
                if limit.limit == "interrupted":
                    raise
                self._too_large.add((game.start, plans))
        found = liked(game, at, choice) or considered(game, at, choice)
        return found[0].name, "rule of thumb"

    def _solution(self, game: Game, plans: Both) -> Solution:
        key = game.start, plans
        if key not in self._solutions:
            contest = self.contest
            self._solutions[key] = solve(game, contest.objective, threshold=contest.threshold)
        return self._solutions[key]


def plans_of(here: Position, exchange: Exchange, contest: Contest) -> Both:
    """The plans by which both sides of an exchange decide.

    Args:
        here: the position in which it goes on.
        exchange: the exchange.
        contest: the fight, with plans.
    """
    if here.whole is not None:
        one, other = (side.plan for side in contest.sides)
        return Both(one, other, here.whole.roles[0])
    actor, target = exchange.actor, exchange.target
    if here.board is not None:
        return plans_on(here, contest, actor, target)
    return Both(
        contest.sides[actor.side].plan_of(here.sheet(actor)),
        contest.sides[target.side].plan_of(here.sheet(target)),
        contest.system.actors[0],
    )


def narrowed(here: Position, exchange: Exchange) -> Game:
    """An exchange with the options that the plans of a position's contest leave."""
    return exchange.session.game._replace(narrow=plans_of(here, exchange, here.contest))


def _answer(option: str, by: str = "policy") -> Answer:
    return Answer(option=option, by=(by,))
