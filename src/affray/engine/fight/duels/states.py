"""The states of a duel, followed one by one: what comes after an exchange, with its exact weights.

A state is a moment of the course in which chance decides next, and the conditions of both: the
start of a turn with its first exchange, or a later exchange. The number of the round is left out
unless rounds are limited, so that states come back. The course of a fight (see `course`) is run
here moment by moment.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TypeAlias

from affray.core.fight import Deed
from affray.core.lazy import NamedTuple
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import (
    FighterId,
    Lead,
    Moment,
    Phase,
    Report,
    Standing,
    Verdict,
    first_deed,
    orders,
)
from affray.engine.fight.matchup import EffectOdds, Encounter

__all__ = ["End", "Order", "Pair", "State", "States", "Target", "Weighted", "all_states"]

Pair: TypeAlias = tuple[Hashable, Hashable]
"""The conditions of both."""


Exchange: TypeAlias = tuple[FighterId, EffectOdds]
"""The target of an exchange, and what it does."""


class State(NamedTuple):
    """A place in a duel; `opens` says that a round begins with this turn."""

    moment: Moment
    pair: Pair
    opens: bool


class End(NamedTuple):
    """The end of a duel: its verdict, and the conditions in which it leaves both."""

    verdict: Verdict
    pair: Pair


Target: TypeAlias = State | End
Order: TypeAlias = tuple[FighterId, ...]
Weighted: TypeAlias = "tuple[dict[Target, int], int]"
"""Where a state leads, with integer weights, and their total."""


class States:
    """The states of a duel with one way to begin.

    Args:
        contest: the fight; the first fighters of both sides take part.
        lead: the way to begin.
        rounds: after how many rounds it is called off; None: never.
        known: the same with another way to begin; what it found out is shared.

    Attributes:
        starts: the orders of turns from the pairs of conditions in which a round began; they are
            equally likely.
    """

    def __init__(
        self,
        contest: Contest,
        lead: Lead,
        *,
        rounds: int | None = None,
        known: States | None = None,
    ) -> None:
        self.contest = contest
        self.lead = lead
        self.starts: dict[Pair, tuple[Order, ...]] = {}
        self._course = contest.course.of_two()._replace(rounds=rounds)
        self._both = self._course.everybody
        self._fight = contest.fight
        self._sheets = contest.sides[0].fighters[0], contest.sides[1].fighters[0]
        self._alone = self._fight.context(())
        self._changes: dict[tuple[int, Hashable, Hashable], Hashable] = {}
        self._followings: dict[Hashable, Moment] = {}
        self._stands: dict[tuple[int, Hashable], tuple[bool, bool | None]] = {}
        if known is not None:
            self._changes, self._stands = known._changes, known._stands
            self._followings = known._followings

    def begins(self) -> tuple[Target, ...]:
        """Where the first round begins, or how the fight ended before; equally likely."""
        one, other = (self.contest.enter(side, sheet) for side, sheet in enumerate(self._sheets))
        return self._rests(self._course.begin(self.lead.side), (one, other))

    def orders(self, pair: Pair) -> tuple[Order, ...]:
        """Every order of turns in a round that begins like this; they are equally likely."""
        moment = Moment(Phase.ROUND, leads=self.lead.side)
        initiative = self._fight.initiative
        if self.lead.side is not None or initiative is None:
            return orders(self._course.ties(moment))
        one, other = (
            initiative(sheet, condition, self.contest.rulings)
            for sheet, condition in zip(self._sheets, pair, strict=True)
        )
        return (self._both[:: -1 if self.lead.first(one, other) else 1],)

    def points(self, pair: Pair) -> tuple[int, int]:
        """The points that both have left."""
        (one, other), vitals = zip(self._sheets, pair, strict=True), self._fight.vitals
        return vitals(*one), vitals(*other)

    def is_like(self, known: States) -> bool:
        """Whether it is the same chain: wherever a round begins, turns have the same order."""
        alike = self.lead.before == known.lead.before
        return alike and all(self.orders(pair) == found for pair, found in known.starts.items())

    def _rests(self, moment: Moment, pair: Pair) -> tuple[Target, ...]:
        """The next places where chance decides, or the end; several are equally likely."""
        while moment.verdict is None:
            if moment.phase is Phase.CLOSE:
                one, other = (
                    self._fight.end_round(sheet, condition)
                    for sheet, condition in zip(self._sheets, pair, strict=True)
                )
                pair = one, other
            elif moment.phase is Phase.ROUND:
                found = self.starts.get(pair) or self.orders(pair)
                self.starts[pair] = found
                turns = [
                    self._following(moment, pair, order=order, before=self.lead.before)
                    for order in found
                ]
                if self._course.rounds is None:
                    turns = [turn._replace(round=0) for turn in turns]
                return tuple(State(turn, pair, opens=True) for turn in turns)
            elif moment.phase is not Phase.START:
                return (State(moment, pair, opens=False),)
            moment = self._following(moment, pair)
        return (End(moment.verdict, pair),)

    def after(self, state: State) -> Weighted:
        """The states after an exchange, with their weights."""
        moment, pair, _ = state
        actor = moment.actor
        assert actor is not None  # states are in turns
        if moment.phase is Phase.TURN:
            if moment.is_ordinary:
                begun = self._fight.begin_turn(self._sheets[actor.side], pair[actor.side])
                pair = (begun, pair[1]) if actor.side == 0 else (pair[0], begun)
            moment = self._following(moment, pair)
            if moment.phase is not Phase.ACTION:
                (rest,) = self._rests(moment, pair)
                return {rest: 1}, 1
        exchange = self._exchange(actor, pair, kind=moment.kind)
        merged, total = {pair: 1}, 1
        if exchange is not None:
            target, odds = exchange
            merged, total = {}, odds.total
            for (own, struck), weight in zip(odds.effects, odds.weights, strict=True):
                both = self._applied(self._applied(pair, actor, own), target, struck)
                merged[both] = merged.get(both, 0) + weight
        found: dict[Target, int] = {}
        for both, weight in merged.items():
            following = self._following(moment, both, acted=exchange is not None)
            rests = self._rests(following, both)
            for rest in rests:  # two where it is rolled off who goes first, else one
                found[rest] = found.get(rest, 0) + weight * (2 // len(rests))
        return found, 2 * total

    def _following(
        self,
        moment: Moment,
        pair: Pair,
        *,
        order: Order = (),
        before: tuple[int, ...] = (),
        acted: bool = True,
    ) -> Moment:
        """The moment of the course after this one, worked out once for all who stand alike."""
        one, other = self._stand(0, pair), self._stand(1, pair)
        actor = moment.actor
        allowed = 1
        if actor is not None:
            allowed = self.contest.allowed(self._sheets[actor.side], pair[actor.side])
        key = moment, one, other, order, before, allowed, acted
        known = self._followings.get(key)
        if known is None:
            standing = Standing(((one[0],), (other[0],)), ((one[1],), (other[1],)))
            turns = tuple(before[who.side] for who in order) if before else ()
            report = Report(standing, order, allowed, acted, before=turns)
            known = self._followings[key] = self._course.following(moment, report)
        return known

    def _stand(self, side: int, pair: Pair) -> tuple[bool, bool | None]:
        """Whether a fighter is out, and its say about the end; the rules are asked once."""
        key = side, pair[side]
        if key not in self._stands:
            sheet, condition = self._sheets[side], pair[side]
            out, says = self._fight.is_out(sheet, condition), self._fight.ends(sheet, condition)
            self._stands[key] = out, says
        return self._stands[key]

    def _applied(self, pair: Pair, who: FighterId, effect: Hashable) -> Pair:
        """The conditions after an effect on one of both, worked out once."""
        key = who.side, pair[who.side], effect
        if key not in self._changes:
            self._changes[key] = self._fight.apply(self._sheets[who.side], pair[who.side], effect)
        after = self._changes[key]
        return (after, pair[1]) if who.side == 0 else (pair[0], after)

    def _exchange(self, actor: FighterId, pair: Pair, *, kind: int) -> Exchange | None:
        """The target of the exchange and its odds; None where nothing can be done."""
        own, sheet = pair[actor.side], self._sheets[actor.side]
        out = tuple((self._stand(side, pair)[0],) for side in (0, 1))

        def attempt(deed: Deed, targets: tuple[FighterId, ...]) -> Exchange | None:
            (target,) = targets
            matchup = self.contest.matchup(
                actor.side, sheet, self._sheets[target.side], friend=target == actor
            )
            odds = matchup.odds(Encounter(deed, own, pair[target.side], self._alone))
            return None if odds is None else (target, odds)

        deeds = self.contest.deeds(actor.side, sheet, own, kind=kind)
        return first_deed(self._course.attempts(actor, deeds, (out[0], out[1])), attempt)


def all_states(contest: Contest, *, rounds: int | None = None) -> Iterator[States]:
    """The states of a duel for every way to begin."""
    one, other = contest.sides[0].fighters[0], contest.sides[1].fighters[0]
    known: States | None = None
    for lead in contest.course.of_two().leads((contest.rolled(one), contest.rolled(other))):
        known = States(contest, lead, rounds=rounds, known=known)
        yield known
