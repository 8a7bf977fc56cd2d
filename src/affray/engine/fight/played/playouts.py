"""Fights that the computer plays out from a position on, exchange by exchange.

Exchanges are not played die by die: their effects are drawn from their exact odds, by the plans of
the contest; targets are chosen by rules. On a board that all share, exchanges are rolled.
"""

from __future__ import annotations

import random
from bisect import bisect
from functools import cached_property
from itertools import accumulate, chain

from affray.core.errors import SetupError
from affray.core.fight import Deed
from affray.core.lazy import NamedTuple
from affray.core.node import At, Choice, Facts, Option
from affray.engine.budget import clock_in_force
from affray.engine.exchange.session import Session
from affray.engine.exchange.sources import Policy, Seeded, drive
from affray.engine.fight.course import FighterId, Phase, Verdict, first_deed
from affray.engine.fight.matchup import EffectOdds
from affray.engine.fight.played.aiming import found_for
from affray.engine.fight.played.computers import plans_of
from affray.engine.fight.played.deeds import attempts, encounter
from affray.engine.fight.played.onward import begun
from affray.engine.fight.played.position import (
    Act,
    Call,
    Done,
    Exchange,
    Interrupt,
    Order,
    Over,
    Position,
    Roll,
)
from affray.engine.fight.played.supply import (
    befallen,
    called,
    kept_up,
    ordered,
    passed,
    rolled,
    went_on,
)
from affray.engine.fight.targeting import Targeting, aimed_at, checked

__all__ = ["Players", "Playout", "odds_of", "odds_of_rest"]


class Players(NamedTuple):
    """How the computer plays a fight out.

    Attributes:
        targeting: the rule by which each side chooses its targets.
        rounds: after how many more rounds a fight counts as undecided, unless it is called off
            earlier.
    """

    targeting: tuple[Targeting, Targeting] = ("weakest", "weakest")
    rounds: int = 1000


class _Drawn(NamedTuple):
    """Odds of effects, ready to be drawn from."""

    odds: EffectOdds
    sums: list[int]


class Playout:
    """Plays a fight out from a position, again and again.

    Args:
        here: the position; its contest's plans decide.
        players: how it is played out.
        seed: of what is drawn.
    """

    def __init__(self, here: Position, players: Players, seed: int) -> None:
        self.chance = random.Random(f"playout {seed}")
        self.dice = Seeded(seed)
        self.targeting = tuple(checked(rule) for rule in players.targeting)
        last = here.moment.round + players.rounds
        if here.course.rounds is not None:
            last = min(last, here.course.rounds)
        self.start = here._replace(kept=(), course=here.course._replace(rounds=last))
        vitals = here.contest.fight.vitals
        self.points = {who: vitals(*here.both(who)) for who in here.course.everybody}
        self.drawn: dict[int, _Drawn] = {}

    def verdict(self) -> Verdict:
        """How one fight ends."""
        here = self.start
        clock = clock_in_force()
        while not isinstance(here.need, Over) and here.moment.phase is not Phase.OVER:
            clock.poll()
            here = self._next(here)
        found = here.moment.verdict
        assert found is not None  # it is over
        return found

    def _next(self, here: Position) -> Position:
        need = here.need
        if isinstance(need, Roll):
            dice = (self.chance.choices(die.faces, die.weights)[0] for die in need.pool.dice)
            return rolled(here, tuple(dice))
        if isinstance(need, Order):
            drawn = (self.chance.sample(list(tie), len(tie)) for tie in need.ties)
            return ordered(here, tuple(chain.from_iterable(chain.from_iterable(drawn))))
        if isinstance(need, Call):
            return called(here, None)
        if isinstance(need, Interrupt):
            return kept_up(here)
        if here.board is not None and isinstance(need, Act | Exchange):
            return self._on_board(here, need)
        if isinstance(need, Exchange):  # the first one, or one that was interrupted
            known = self.rest if need is self.start.need else odds_of(here, *need[:3])
            if known is None:
                return passed(here._replace(need=Act(need.actor, ())))
            return self._befallen(here, Done(*need[:3], (None, None)), known)
        assert isinstance(need, Act)  # it is not over

        def attempt(deed: Deed, targets: tuple[FighterId, ...]) -> Position | None:
            target = targets[0]
            if deed.on == "foe":
                target = self._target(here, need.actor, targets)
            odds = odds_of(here, need.actor, deed, target)
            if odds is None:
                return None
            return self._befallen(here, Done(need.actor, deed, target, (None, None)), odds)

        return first_deed(attempts(here, need), attempt) or passed(here)

    def _on_board(self, here: Position, need: Act | Exchange) -> Position:
        """The position after an exchange on a board, rolled die by die."""
        if isinstance(need, Exchange):
            return went_on(here, self._to_its_end(here, need))

        def attempt(deed: Deed, targets: tuple[FighterId, ...]) -> Position | None:
            target = targets[0]
            if deed.on == "foe":
                target = self._target(here, need.actor, targets)
            try:
                there = begun(here, deed, target)
                assert isinstance(there.need, Exchange)  # it has begun
                return went_on(there, self._to_its_end(there, there.need))
            except SetupError:
                return None

        return first_deed(attempts(here, need), attempt) or passed(here)

    def _to_its_end(self, here: Position, exchange: Exchange) -> Session:
        plans = plans_of(here, exchange, here.contest)

        def decide(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
            return plans(at, choice)[0]

        return drive(exchange.session, Policy(decide), self.dice)

    def _target(
        self, here: Position, actor: FighterId, targets: tuple[FighterId, ...]
    ) -> FighterId:
        sighted = found_for(here, actor, targets, self.points).sighted
        place = aimed_at(self.targeting[actor.side], sighted, self.chance)
        return FighterId(1 - actor.side, place)

    @cached_property
    def rest(self) -> EffectOdds:
        """The odds of what is left of the exchange that has begun."""
        need = self.start.need
        assert isinstance(need, Exchange)
        return odds_of_rest(self.start, need)

    def _befallen(self, here: Position, done: Done, odds: EffectOdds) -> Position:
        known = self.drawn.get(id(odds))
        if known is None:  # the odds are kept too, so that no other ones get their id
            known = self.drawn[id(odds)] = _Drawn(odds, list(accumulate(odds.weights)))
        place = bisect(known.sums, self.chance.randrange(odds.total))
        helped = odds.helped[place] if odds.helped else ()
        return befallen(here, done._replace(effects=odds.effects[place], helped=helped))


def odds_of(here: Position, actor: FighterId, deed: Deed, target: FighterId) -> EffectOdds | None:
    """The odds of a deed; None where the rules refuse it."""
    matchup, met = encounter(here, actor, deed, target)
    return matchup.odds(met)


def odds_of_rest(here: Position, exchange: Exchange) -> EffectOdds:
    """The odds of what is left of an exchange that has begun."""
    matchup, _ = encounter(here, *exchange[:3])
    return matchup.odds_from(exchange.session.here)
