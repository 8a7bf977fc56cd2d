"""The chances of a fight of two from any position on, exactly.

The round is followed to its end over all that may happen. What pairs of conditions are worth at the
start of a round is known from the duel, worked out once for all positions of a fight. `Foresight`
keeps to the plans of both sides; `BestForesight` lets both decide as well as they can.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias, cast

from affray.core.errors import SetupError
from affray.core.fight import WIN, Deed
from affray.core.meter import meter_in_force
from affray.core.node import Choice, Facts, Option
from affray.core.reading import roll_of
from affray.core.system import Objective
from affray.engine.budget import Budget
from affray.engine.exchange.best import solve
from affray.engine.exchange.game import Game
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import FighterId, Lead, Phase, first_deed
from affray.engine.fight.matchup import EffectOdds
from affray.engine.fight.played.computers import narrowed
from affray.engine.fight.played.deeds import attempts, begun_exchange, game_of
from affray.engine.fight.played.playouts import odds_of, odds_of_rest
from affray.engine.fight.played.position import (
    Act,
    Call,
    Done,
    Exchange,
    Interrupt,
    Order,
    Position,
    Roll,
)
from affray.engine.fight.played.supply import (
    befallen,
    called,
    kept_up,
    passed,
    rolled_as,
)

if TYPE_CHECKING:
    from affray.engine.fight.duels.duel import Duel

__all__ = ["BestForesight", "Foresight", "UnforeseenError", "Worth", "foresight_of"]

MOST_PAIRS = 200_000
"""Pairs of conditions up to which a duel is worked out for its chances."""
MOST_PLACES = 20_000
"""Positions within one round that are followed at most."""
FINE = 2**50
"""Chances become fractions of this, where an exchange is solved for them."""

LONG = 100
"""Rounds still to come that are as good as any number of them."""

Worth: TypeAlias = tuple[float, float]
"""The chance of either side to win."""


class UnforeseenError(Exception):
    """A position for which nothing is known exactly, or not cheaply."""


class Duels:
    """The worth of pairs of conditions at the start of a round, for a fight of two.

    Attributes:
        too_large: whether it was too much to be worked out.
    """

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.too_large = False

    def worth(self, here: Position) -> Worth:
        """The chances at the start of a round.

        Raises:
            UnforeseenError: a condition that the duel never comes to.
            LimitError: it is too large to be worked out.
        """
        found = [self._at_round(here, lead) for lead in _leads(here)]
        mine, theirs = (sum(side) / len(found) for side in zip(*found, strict=True))
        return mine, theirs

    @cached_property
    def _duel(self) -> Duel:
        return self._worked_out()

    def _worked_out(self) -> Duel:
        from affray.engine.fight.duels.duel import Duel  # numpy, scipy

        # Whoever plays may bring conditions together that both plans never would.
        return Duel(self.contest, budget=Budget(pairs=MOST_PAIRS), everywhere=True)

    def _at_round(self, here: Position, lead: Lead) -> Worth:
        known = zip(self._duel.at_rounds(lead.side, lead.before), here.conditions, strict=True)
        one, other = (numbers.get(condition) for numbers, (condition,) in known)
        if one is None or other is None:
            raise UnforeseenError
        return self._duel.at_round((one, other), lead)


class _BestDuels(Duels):
    """The same where both sides decide for the whole fight; a draw counts one half."""

    def _worked_out(self) -> Duel:
        from affray.engine.fight.duels.optimal import BestDuel  # numpy, scipy

        if self.contest.course.interludes:
            raise UnforeseenError
        return BestDuel(self.contest, budget=Budget(pairs=MOST_PAIRS))


def _leads(here: Position) -> list[Lead]:
    """Every way in which a round may begin, all equally likely."""
    sure = Fraction(1)
    if here.course.first == "initiative":
        both = FighterId(0, 0), FighterId(1, 0)
        one, other = (here.rolls.get(who, 0) for who in both)
        lead = Lead(sure, None, one - other, here.course.before(both, here.rolls))
        ties = [first.side for first, _ in here.rolled_off] or [0, 1]
        return [lead._replace(ties=side) for side in ties]
    if here.course.first != "coin":
        return [Lead(sure, here.course.leads_off)]
    leads = here.moment.leads
    return [Lead(sure, side) for side in (0, 1) if leads in {None, side}]


class Foresight:
    """Follows a fight of two to the end of the round, over all that may happen.

    Args:
        duels: what the start of a round is worth.
    """

    def __init__(self, duels: Duels) -> None:
        self.duels = duels
        self._known: dict[tuple[object, ...], Worth] = {}

    def worth(self, here: Position) -> Worth:
        """The chances from a position on.

        Raises:
            UnforeseenError: they are not known.
            LimitError: the duel is too large to be worked out.
        """
        if here.moment.phase is Phase.OVER:
            return self._over(here)
        need = here.need
        if isinstance(need, Order):
            return self.duels.worth(here)
        exchange: object = need.session.here if isinstance(need, Exchange) else None
        if isinstance(need, Interrupt):
            exchange = need.exchange[:3]
        key = (here.moment, here.conditions, tuple(here.rolls.values()), here.rolled_off, exchange,
               here.declared)  # fmt: skip
        if key not in self._known:
            if len(self._known) >= MOST_PLACES:
                raise UnforeseenError
            meter_in_force().tick(8)
            self._known[key] = self._followed(here)
        return self._known[key]

    def decide(self, here: Position, exchange: Exchange, game: Game) -> Option[Facts]:
        """The option after which the side that decides has the best chance.

        The rest of the exchange is decided as well as both sides can.

        Args:
            here: a position in which an exchange goes on.
            exchange: the exchange, at a choice.
            game: the same exchange, with the options that come into consideration.

        Raises:
            UnforeseenError, LimitError: as for `worth`.
        """
        at = exchange.session.here
        choice = at.step.rule(at.facts)
        assert isinstance(choice, Choice)  # the exchange is at one
        return solve(game, self.wish(here, exchange)).decide(at, choice)

    def _over(self, here: Position) -> Worth:
        verdict = here.moment.verdict
        return float(verdict == "one"), float(verdict == "other")

    def _followed(self, here: Position) -> Worth:
        one = other = 0.0
        for after, chance in self._after(here):
            mine, theirs = self.worth(after)
            one, other = one + chance * mine, other + chance * theirs
        return one, other

    def _after(self, here: Position) -> Iterator[tuple[Position, float]]:
        """Every position that may follow, with its chance."""
        need = here.need
        if isinstance(need, Roll):
            roll = roll_of(need.pool, need.read)
            for number, ways in roll.rows:
                yield rolled_as(here, cast("int", number)), ways / roll.total
        elif isinstance(need, Call):
            yield called(here, None), 1.0
        elif isinstance(need, Interrupt):
            yield kept_up(here), 1.0
        elif isinstance(need, Exchange):
            yield from _effects(here, Done(*need[:3], (None, None)), odds_of_rest(here, need))
        else:
            assert isinstance(need, Act)  # nothing else is left
            yield from self._acted(here, need)

    def _acted(self, here: Position, act: Act) -> Iterator[tuple[Position, float]]:
        def attempt(deed: Deed, targets: tuple[FighterId, ...]) -> tuple[Done, EffectOdds] | None:
            odds = odds_of(here, act.actor, deed, targets[0])
            done = Done(act.actor, deed, targets[0], (None, None))
            return None if odds is None else (done, odds)

        found = first_deed(attempts(here, act), attempt)
        if found is None:
            yield passed(here), 1.0
        else:
            yield from _effects(here, *found)

    def wish(self, here: Position, exchange: Exchange) -> Objective[Facts]:
        """What the one who acts wants of an exchange: the chance to win the fight.

        Its utility raises `UnforeseenError` and `LimitError` as `worth` does.
        """
        side = exchange.actor.side
        known: dict[object, Fraction] = {}

        def utility(outcome: Facts) -> Fraction:
            fight = here.contest.fight
            effects = fight.effect(outcome, "actor"), fight.effect(outcome, "target")
            helped = fight.helped(outcome)
            key = effects, helped
            if key not in known:
                found = self.worth(befallen(here, Done(*exchange[:3], effects, helped)))
                mine = (found[side] + 1 - found[1 - side]) / 2
                known[key] = Fraction(round(mine * FINE), FINE)
            return known[key]

        role = exchange.session.game.system.actors[0]
        return Objective(WIN, "chance to win the fight", utility, role)


class BestForesight(Foresight):
    """The same where both sides decide for the whole fight; a draw counts one half."""

    def _over(self, here: Position) -> Worth:
        one, other = super()._over(here)
        mine = (one + 1 - other) / 2
        return mine, 1 - mine

    def _followed(self, here: Position) -> Worth:
        need = here.need
        if isinstance(need, Exchange):
            return self._solved(here, need)
        if isinstance(need, Act):
            exchange = _first(here, need)
            return self.worth(passed(here)) if exchange is None else self._solved(here, exchange)
        return super()._followed(here)

    def _solved(self, here: Position, exchange: Exchange) -> Worth:
        game = narrowed(here, exchange)
        solution = solve(game, self.wish(here, exchange))
        mine = float(solution.value_at(exchange.session.here))
        return (mine, 1 - mine) if exchange.actor.side == 0 else (1 - mine, mine)


def _first(here: Position, act: Act) -> Exchange | None:
    """The first deed that the rules allow, as an exchange that begins."""

    def attempt(deed: Deed, targets: tuple[FighterId, ...]) -> Exchange | None:
        try:
            game = game_of(here, act.actor, deed, targets[0], plain=True)
            return Exchange(act.actor, deed, targets[0], begun_exchange(here.contest, game))
        except SetupError:
            return None

    return first_deed(attempts(here, act), attempt)


def _effects(here: Position, done: Done, odds: EffectOdds) -> Iterator[tuple[Position, float]]:
    here = here._replace(kept=())
    for effects, weight in zip(odds.effects, odds.weights, strict=True):
        after = befallen(here, done._replace(effects=effects))  # of two, nobody has mates
        yield after, weight / odds.total


def foresight_of(here: Position, *, best: bool = False) -> Foresight | None:
    """The foresight in a position; None where there is none: it is no fight of two, ...

    Args:
        here: the position.
        best: whether both sides decide for the whole fight, instead of by their plans.
    """
    if here.board is not None or here.whole:
        return None
    if here.course.sizes != (1, 1) or here.gone or here.coming or here.grounds:
        return None
    last = here.course.rounds
    if not best and last is not None and last - here.moment.round < LONG:
        return None  # duels know no end but that of the fight
    key, kind = ("best chances", _BestDuels) if best else ("chances", Duels)
    kept = here.contest.worked_out
    duels = kept.get(key)
    if not isinstance(duels, Duels):
        duels = kept[key] = kind(here.contest)
    if duels.too_large:
        return None
    return (BestForesight if best else Foresight)(duels)
