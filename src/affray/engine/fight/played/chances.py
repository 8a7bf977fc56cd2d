"""The chances of both sides from a position on: who wins, if the computer plays it out.

Two ways, and the answer says which:

    exactly    in a fight of two, between two exchanges. The round is followed to its end over
               every effect that exchanges have; what pairs of conditions are worth at the start of
               a round is known from the duel, worked out once for all positions of a fight
    sampled    always. The fight is played out over and over; exchanges are not played die by die,
               their effects are drawn from their exact odds

Exchanges are decided by the contest's plans, targets by rules: the same as in battles.
"""

from __future__ import annotations

import random
from bisect import bisect
from collections.abc import Hashable, Iterator
from functools import cached_property
from itertools import accumulate, chain
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from affray.core.errors import LimitError
from affray.core.fight import Deed
from affray.core.meter import meter_in_force
from affray.core.reading import roll_of
from affray.engine.budget import Budget, spending
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import FighterId, Phase, Verdict, first_deed
from affray.engine.fight.matchup import EffectOdds
from affray.engine.fight.played.deeds import attempts, encounter
from affray.engine.fight.played.position import (
    Act,
    Call,
    Done,
    Exchange,
    Order,
    Over,
    Position,
    Roll,
)
from affray.engine.fight.played.supply import befallen, called, ordered, passed, rolled, rolled_as
from affray.engine.fight.sampled.estimate import Estimate, share_of
from affray.engine.fight.targeting import Foe, Sighted, Targeting, View, aimed_at, checked

if TYPE_CHECKING:
    from affray.engine.fight.duels.duel import Duel

__all__ = ["Chances", "Players", "chances", "exact_chances", "sampled_chances"]

MOST_PAIRS = 200_000
"""Pairs of conditions up to which a duel is worked out for its chances."""
MOST_PLACES = 20_000
"""Positions within one round that are followed at most."""
AT_ONCE = 32
"""Fights that are played out between two looks at the clock."""


class Players(NamedTuple):
    """How the computer plays a fight out.

    Attributes:
        targeting: the rule by which each side chooses its targets.
        rounds: after how many more rounds a fight counts as undecided.
    """

    targeting: tuple[Targeting, Targeting] = ("weakest", "weakest")
    rounds: int = 1000


USUAL = Players()


class Chances(NamedTuple):
    """The chances of a fight from some position on.

    Attributes:
        won: that each side wins, with the interval that holds the truth 95 times in 100; of
            nothing but the value itself, where it is exact.
        neither: that neither does.
        n: how many fights were played out; 0: it is exact.
    """

    won: tuple[Estimate, Estimate]
    neither: Estimate
    n: int = 0

    @property
    def is_exact(self) -> bool:
        """Whether nothing was sampled."""
        return self.n == 0


def chances(
    here: Position, players: Players = USUAL, *, seed: int = 1, budget: Budget | None = None
) -> Chances:
    """The chances from a position on: exact where that is cheap, else sampled.

    Args:
        here: the position; its contest's plans decide.
        players: how it is played out.
        seed: of what is drawn.
        budget: `seconds` and `battles` are what it may take.

    Raises:
        LimitError: not even a few fights could be played out.
    """
    seconds = None if budget is None else budget.seconds
    half = budget if budget is None or seconds is None else budget._replace(seconds=seconds / 2)
    exact = exact_chances(here, budget=half)
    return exact or sampled_chances(here, players, seed=seed, budget=budget)


# -- sampled ---------------------------------------------------------------------------------------


def sampled_chances(
    here: Position,
    players: Players = USUAL,
    *,
    seed: int = 1,
    budget: Budget | None = None,
    most: int = 1000,
) -> Chances:
    """The chances from a position on, from fights that are played out.

    Args:
        here: the position; its contest's plans decide.
        players: how it is played out.
        seed: of what is drawn.
        budget: as for `chances`.
        most: how many fights at most.

    Raises:
        LimitError: not even a few fights could be played out.
    """
    playout = _Playout(here, players, seed)
    counts: dict[Verdict, int] = {}
    n = 0
    with spending(budget) as clock:
        most = clock.battles(most)
        try:
            while n < most:
                clock.poll()
                for _ in range(min(AT_ONCE, most - n)):
                    verdict = playout.verdict()
                    counts[verdict] = counts.get(verdict, 0) + 1
                    n += 1
        except LimitError:
            if not n:
                raise
    one, other = counts.get("one", 0), counts.get("other", 0)
    return Chances((share_of(one, n), share_of(other, n)), share_of(n - one - other, n), n)


class _Drawn(NamedTuple):
    """Odds of effects, ready to be drawn from."""

    odds: EffectOdds
    sums: list[int]


class _Playout:
    """Plays a fight out from a position, again and again."""

    def __init__(self, here: Position, players: Players, seed: int) -> None:
        self.chance = random.Random(f"playout {seed}")
        self.targeting = tuple(checked(rule) for rule in players.targeting)
        self.start = here._replace(
            course=here.course._replace(rounds=here.moment.round + players.rounds)
        )
        vitals = here.contest.fight.vitals
        self.points = tuple(
            tuple(vitals(*one) for one in zip(side.fighters, conditions, strict=True))
            for side, conditions in zip(here.contest.sides, here.conditions, strict=True)
        )
        self.drawn: dict[int, _Drawn] = {}

    def verdict(self) -> Verdict:
        """How one fight ends."""
        here = self.start
        while not isinstance(here.need, Over) and here.moment.phase is not Phase.OVER:
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
        if isinstance(need, Exchange):  # the first one, which has begun already
            return self._befallen(here, Done(*need[:3], (None, None)), self.rest)
        assert isinstance(need, Act)  # it is not over

        def attempt(deed: Deed, targets: tuple[FighterId, ...]) -> Position | None:
            target = targets[0]
            if deed.on == "foe":
                target = self._target(here, need.actor, targets)
            odds = _odds(here, need.actor, deed, target)
            if odds is None:
                return None
            return self._befallen(here, Done(need.actor, deed, target, (None, None)), odds)

        return first_deed(attempts(here, need), attempt) or passed(here)

    def _target(
        self, here: Position, actor: FighterId, targets: tuple[FighterId, ...]
    ) -> FighterId:
        vitals = here.contest.fight.vitals
        foes = tuple(
            Foe(who.place, here.name(who), *here.both(who), vitals(*here.both(who)))
            for who in targets
        )
        starts = tuple(self.points[who.side][who.place] for who in targets)
        times = tuple(here.attacked.get(who, 0) for who in targets)
        sighted = Sighted(View(actor.place, foes), starts, times)
        place = aimed_at(self.targeting[actor.side], sighted, self.chance)
        return FighterId(1 - actor.side, place)

    @cached_property
    def rest(self) -> EffectOdds:
        """The odds of what is left of the exchange that has begun."""
        need = self.start.need
        assert isinstance(need, Exchange)
        return _rest(self.start, need)

    def _befallen(self, here: Position, done: Done, odds: EffectOdds) -> Position:
        known = self.drawn.get(id(odds))
        if known is None:  # the odds are kept too, so that no other ones get their id
            known = self.drawn[id(odds)] = _Drawn(odds, list(accumulate(odds.weights)))
        place = bisect(known.sums, self.chance.randrange(odds.total))
        helped = odds.helped[place] if odds.helped else ()
        return befallen(here, done._replace(effects=odds.effects[place], helped=helped))


def _odds(here: Position, actor: FighterId, deed: Deed, target: FighterId) -> EffectOdds | None:
    """The odds of a deed; None where the rules refuse it."""
    matchup, met = encounter(here, actor, deed, target)
    return matchup.odds(met)


def _rest(here: Position, exchange: Exchange) -> EffectOdds:
    """The odds of what is left of an exchange that has begun."""
    matchup, _ = encounter(here, *exchange[:3])
    return matchup.odds_from(exchange.session.here)


# -- exactly ---------------------------------------------------------------------------------------


class _Unknown(Exception):  # noqa: N818  # no error: something is not known exactly
    """A position for which nothing is known exactly, or not cheaply."""


Worth: TypeAlias = tuple[float, float]
"""The chance of either side to win."""


def exact_chances(here: Position, *, budget: Budget | None = None) -> Chances | None:
    """The chances from a position on, exactly; None where that is not known, or not cheap.

    Args:
        here: a position of a fight of two.
        budget: as for `chances`.
    """
    if here.course.sizes != (1, 1) or here.gone or here.coming or here.grounds:
        return None
    duels = _duels(here.contest)
    if duels.too_large:
        return None
    try:
        with spending(budget):
            one, other = _Round(duels).worth(here)
    except _Unknown:
        return None
    except LimitError:
        duels.too_large = True
        return None
    neither = max(0.0, 1 - one - other)
    return Chances((_certain(one), _certain(other)), _certain(neither))


def _certain(value: float) -> Estimate:
    return Estimate(value, value, value)


class _Round:
    """Follows a fight of two to the end of the round, over all that may happen."""

    def __init__(self, duels: _Duels) -> None:
        self.known: dict[tuple[object, ...], Worth] = {}
        self.duels = duels

    def worth(self, here: Position) -> Worth:
        """The chances from a position on.

        Raises:
            _Unknown: they are not known.
        """
        if here.moment.phase is Phase.OVER:
            verdict = here.moment.verdict
            return float(verdict == "one"), float(verdict == "other")
        need = here.need
        if isinstance(need, Order):
            return self.duels.worth(here)
        exchange = need.session.here if isinstance(need, Exchange) else None
        key = (here.moment, here.conditions, tuple(here.rolls.values()), exchange)
        if key not in self.known:
            if len(self.known) >= MOST_PLACES:
                raise _Unknown
            meter_in_force().tick(8)
            one = other = 0.0
            for after, chance in self._after(here):
                mine, theirs = self.worth(after)
                one, other = one + chance * mine, other + chance * theirs
            self.known[key] = one, other
        return self.known[key]

    def _after(self, here: Position) -> Iterator[tuple[Position, float]]:
        """Every position that may follow, with its chance."""
        need = here.need
        if isinstance(need, Roll):
            roll = roll_of(need.pool, need.read)
            for number, ways in roll.rows:
                yield rolled_as(here, cast("int", number)), ways / roll.total
        elif isinstance(need, Call):
            yield called(here, None), 1.0
        elif isinstance(need, Exchange):
            yield from _effects(here, Done(*need[:3], (None, None)), _rest(here, need))
        else:
            assert isinstance(need, Act)  # nothing else is left
            yield from self._acted(here, need)

    def _acted(self, here: Position, act: Act) -> Iterator[tuple[Position, float]]:
        def attempt(deed: Deed, targets: tuple[FighterId, ...]) -> tuple[Done, EffectOdds] | None:
            odds = _odds(here, act.actor, deed, targets[0])
            return odds and (Done(act.actor, deed, targets[0], (None, None)), odds)

        found = first_deed(attempts(here, act), attempt)
        if found is None:
            yield passed(here), 1.0
        else:
            yield from _effects(here, *found)


def _effects(here: Position, done: Done, odds: EffectOdds) -> Iterator[tuple[Position, float]]:
    for place, (effects, weight) in enumerate(zip(odds.effects, odds.weights, strict=True)):
        helped = odds.helped[place] if odds.helped else ()
        after = befallen(here, done._replace(effects=effects, helped=helped))
        yield after, weight / odds.total


class _Duels:
    """What pairs of conditions are worth at the start of a round, for a fight of two.

    Attributes:
        too_large: whether it was too much to be worked out.
    """

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.too_large = False

    def worth(self, here: Position) -> Worth:
        """The chances at the start of a round.

        Raises:
            _Unknown: a condition that the duel never comes to.
            LimitError: it is too large to be worked out.
        """
        one, other = (
            numbers.get(condition)
            for numbers, (condition,) in zip(self._numbers, here.conditions, strict=True)
        )
        if one is None or other is None:
            raise _Unknown
        found = [self._duel.at_round((one, other), *lead) for lead in _leads(here)]
        mine, theirs = (sum(side) / len(found) for side in zip(*found, strict=True))
        return mine, theirs

    @cached_property
    def _duel(self) -> Duel:
        from affray.engine.fight.duels.duel import Duel  # numpy, scipy

        return Duel(self.contest, budget=Budget(pairs=MOST_PAIRS))

    @cached_property
    def _numbers(self) -> tuple[dict[Hashable, int], dict[Hashable, int]]:
        one, other = (
            {condition: number for number, condition in enumerate(duelist.conditions)}
            for duelist in self._duel.duelists
        )
        return one, other


def _leads(here: Position) -> list[tuple[int | None, int, tuple[int, ...]]]:
    """Every way in which a round may begin, all equally likely: the side, or by initiative.

    And how many interludes come before the turn of each.
    """
    if here.course.first == "initiative":
        both = FighterId(0, 0), FighterId(1, 0)
        one, other = (here.rolls.get(who, 0) for who in both)
        return [(None, one - other, here.course.before(both, here.rolls))]
    if here.course.first != "coin":
        return [(here.course.leads_off, 0, ())]
    leads = here.moment.leads
    return [(0, 0, ()), (1, 0, ())] if leads is None else [(leads, 0, ())]


def _duels(contest: Contest) -> _Duels:
    """The duel of a contest, worked out once for all positions of a fight."""
    known = contest.worked_out.get("chances")
    if not isinstance(known, _Duels):
        known = contest.worked_out["chances"] = _Duels(contest)
    return known
