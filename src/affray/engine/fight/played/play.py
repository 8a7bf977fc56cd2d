"""A battle played exchange by exchange, with every answer kept, so that it can be replayed.

Every exchange is a `Session` like any other: real dice, real choices, a log. What a battle needs
beyond that is kept as well: the dice of initiative, the order of every round (coins and ties are
in it), and who did what to whom. Everything else is recomputed by `replay`.

What comes when is the business of `course`, and `position` goes through it; this supplies what each
position needs.
"""

from __future__ import annotations

import random
from functools import partial
from itertools import chain
from typing import Protocol

from affray.core.dice import Pool
from affray.core.errors import AnswerError, SetupError
from affray.core.fight import Deed
from affray.core.node import At, Choice, Facts, Option
from affray.engine.exchange.game import Game
from affray.engine.exchange.session import Answer, Session
from affray.engine.exchange.sources import Entropy, Policy, Seeded, Source, drive
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import FighterId, Ties, first_deed
from affray.engine.fight.matchup import Matchup
from affray.engine.fight.played.aiming import Found, found_for, starts_of
from affray.engine.fight.played.deciding import Deciding
from affray.engine.fight.played.deeds import attempts, begun_exchange, encounter, game_of
from affray.engine.fight.played.position import (
    Act,
    Call,
    Exchange,
    Need,
    Order,
    Over,
    Position,
    Roll,
    fates,
    spelled,
)
from affray.engine.fight.played.record import (
    Lines,
    PlayedBattle,
    PlayedExchange,
    Record,
    from_saved,
    to_saved,
)
from affray.engine.fight.played.supply import (
    begin,
    called,
    ordered,
    passed,
    rolled,
    went_on,
    wrong_order,
)
from affray.engine.fight.targeting import Targeting, aimed_at, checked

__all__ = [
    "PlayedBattle", "PlayedExchange", "Record", "from_saved", "play_battle", "replay", "to_saved",
]  # fmt: skip


# -- who answers -------------------------------------------------------------------------------


class _Voice(Protocol):
    """Gives the answers of a battle: live, or from a record."""

    def roll(self, pool: Pool) -> Answer:
        """Dice of initiative."""
        ...

    def order(self, ties: Ties) -> tuple[FighterId, ...]:
        """The order of turns: for each tie its blocks in some order."""
        ...

    def target(self, actor: FighterId, deed: Deed, found: Found) -> FighterId | None:
        """The target; None: this deed is passed over."""
        ...

    def exchange(self, contest: Contest, game: Game, matchup: Matchup) -> Session | None:
        """The exchange, to its end; None: the rules refuse it."""
        ...


class _Live:
    """Answers as they are made: by a source, by plans and what is best, by dice."""

    def __init__(
        self,
        seed: int | None,
        targeting: tuple[Targeting, Targeting],
        source: Source | None,
        deciding: Deciding,
    ) -> None:
        # Dice of exchanges and everything else by chance: two rows that have nothing in common.
        self.dice = Entropy() if seed is None else Seeded(seed)
        self.chance: random.Random = (
            random.SystemRandom() if seed is None else random.Random(f"battle {seed}")
        )
        self.targeting = tuple(checked(rule) for rule in targeting)
        self.source = source
        self.deciding = deciding

    def roll(self, pool: Pool) -> Answer:
        faces = [self.chance.choices(die.faces, die.weights)[0] for die in pool.dice]
        return Answer(faces=tuple(faces), by=(self.dice.label,) * len(faces))

    def order(self, ties: Ties) -> tuple[FighterId, ...]:
        found: list[FighterId] = []
        for blocks in ties:
            found += chain.from_iterable(self.chance.sample(list(blocks), len(blocks)))
        return tuple(found)

    def target(self, actor: FighterId, deed: Deed, found: Found) -> FighterId | None:
        if deed.on != "foe":
            return found.places[0]
        rule = self.targeting[actor.side]
        return FighterId(1 - actor.side, aimed_at(rule, found.sighted, self.chance))

    def exchange(self, contest: Contest, game: Game, matchup: Matchup) -> Session | None:
        def decide(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
            return self.deciding.option(game, matchup, (at, choice))

        sources = [self.source] if self.source else []
        try:
            return drive(begun_exchange(contest, game), *sources, Policy(decide), self.dice)
        except SetupError:
            return None


class _Kept:
    """Answers from a record, each checked."""

    def __init__(self, record: Record) -> None:
        self.rolls = iter(record.initiative)
        self.orders = iter(record.orders)
        self.round = 0
        self.exchanges = list(reversed(record.exchanges))
        self.now: PlayedExchange | None = None

    def roll(self, pool: Pool) -> Answer:
        answer = next(self.rolls, None)
        if answer is None:
            raise AnswerError(
                f"initiative: the record has no dice for a fighter; it must have {pool}"
            )
        wrong = pool.refuse(answer.faces)
        if wrong:
            raise AnswerError(f"initiative: {wrong}")
        return answer

    def order(self, ties: Ties) -> tuple[FighterId, ...]:
        kept = next(self.orders, ())
        self.round += 1
        wrong = wrong_order(ties, kept)
        if wrong:
            raise AnswerError(f"round {self.round}: {wrong}")
        return kept

    def target(self, actor: FighterId, deed: Deed, found: Found) -> FighterId | None:
        kept = self.exchanges[-1] if self.exchanges else None
        if kept is None or kept[:3] != (self.round, actor, deed.name):
            return None
        if kept.target not in found.places:
            raise AnswerError(
                f"round {self.round}: {deed.name} of {spelled([actor])} on "
                f"{spelled([kept.target])}; allowed: {spelled(found.places)}"
            )
        self.now = self.exchanges.pop()
        return kept.target

    def exchange(self, contest: Contest, game: Game, matchup: Matchup) -> Session | None:  # noqa: ARG002
        kept = self.now
        assert kept is not None  # a target was named just before
        where = f"round {kept.round}, {kept.deed} of {spelled([kept.actor])}"
        try:
            session = begun_exchange(contest, game).answered(kept.answers)
        except (AnswerError, SetupError) as error:
            raise AnswerError(f"{where}: {error}") from None
        if session.question is not None:
            raise AnswerError(
                f"{where}: {len(kept.answers)} answers are kept; then {session.question.step} "
                f"({session.question.ask}) asks for more"
            )
        return session


# -- a battle ----------------------------------------------------------------------------------


class _Battle:
    """A battle while it goes on: a voice supplies what each position needs."""

    def __init__(self, contest: Contest, voice: _Voice, rounds: int) -> None:
        self.voice = voice
        self.here = begin(contest, rounds)
        self.starts = starts_of(self.here, self.here.course.everybody)
        self.initiative: list[Answer] = []
        self.orders: list[tuple[FighterId, ...]] = []
        self.exchanges: list[PlayedExchange] = []

    def run(self) -> PlayedBattle:
        """Fight it out."""
        while not isinstance(self.here.need, Over):
            self.here = self._supplied(self.here, self.here.need)
        moment, verdict = self.here.moment, self.here.verdict
        assert verdict is not None  # it is over
        return PlayedBattle(
            self.here.names, verdict, moment.round, tuple(self.exchanges), self.here.conditions,
            tuple(self.initiative), tuple(self.orders), fates(self.here),
        )  # fmt: skip

    def _supplied(self, here: Position, need: Need) -> Position:
        if isinstance(need, Roll):
            self.initiative.append(self.voice.roll(need.pool))
            return rolled(here, self.initiative[-1].faces)
        if isinstance(need, Order):
            self.orders.append(self.voice.order(need.ties))
            return ordered(here, self.orders[-1])
        if isinstance(need, Call):
            return called(here, None)
        assert isinstance(need, Act)  # an exchange is played in one go
        return self._acted(here, need)

    def _acted(self, here: Position, act: Act) -> Position:
        """The position after the first deed that the rules allow."""

        def attempt(deed: Deed, targets: tuple[FighterId, ...]) -> Position | None:
            return self._attempt(here, act, deed, targets)

        return first_deed(attempts(here, act), attempt) or passed(here)

    def _attempt(
        self, here: Position, act: Act, deed: Deed, targets: tuple[FighterId, ...]
    ) -> Position | None:
        """The position after an exchange with one of these; None: the rules refuse it."""
        found = found_for(here, act.actor, targets, self.starts)
        target = self.voice.target(act.actor, deed, found)
        if target is None:
            _check_refused(here, act.actor, deed, found)
            return None
        try:
            game = game_of(here, act.actor, deed, target)
        except SetupError:
            return None
        matchup, _ = encounter(here, act.actor, deed, target)
        session = self.voice.exchange(here.contest, game, matchup)
        if session is None:
            return None
        there = went_on(here._replace(need=Exchange(act.actor, deed, target, session)), session)
        plain = partial(_begun_plainly, here, act.actor, deed, target)
        answers = session.answers
        self.exchanges.append(
            PlayedExchange(
                here.moment.round, act.actor, deed.name, target, answers, Lines(plain, answers),
                there.events[0].after, there.events[0].before, session.outcome, deed.on == "foe",
            )
        )  # fmt: skip
        return there


def _begun_plainly(here: Position, actor: FighterId, deed: Deed, target: FighterId) -> Session:
    """An exchange as people read it, with nothing hidden, up to its first question."""
    return begun_exchange(here.contest, game_of(here, actor, deed, target, plain=True))


def _check_refused(here: Position, actor: FighterId, deed: Deed, found: Found) -> None:
    """A deed may be passed over only where the rules refuse it."""
    for who in found.places:
        if here.board is not None:
            try:
                game_of(here, actor, deed, who)
            except SetupError:
                return
            continue
        matchup, met = encounter(here, actor, deed, who)
        if matchup.odds(met) is None:
            return
    raise AnswerError(
        f"round {here.moment.round}: {here.name(actor)} ({spelled([actor])}) can {deed.name}, "
        "but the record has no such exchange here"
    )


def play_battle(
    contest: Contest,
    *,
    seed: int | None,
    targeting: tuple[Targeting, Targeting] = ("weakest", "weakest"),
    rounds: int = 1000,
    source: Source | None = None,
    deciding: Deciding | None = None,
) -> PlayedBattle:
    """Play a battle to its end.

    Args:
        contest: the fight; all fighters of both sides take part.
        seed: for dice and everything else by chance; None: the system's entropy.
        targeting: how each side chooses its targets.
        rounds: after how many rounds it has stalled.
        source: asked first in every exchange, such as a person; what it leaves open is decided
            by plans and what is best, and rolled by the computer.
        deciding: decides what plans leave open, for several battles of this contest; None: just
            for this one.

    Raises:
        UnknownNameError: a targeting that nobody knows.
        AnswerError: the source gave an answer that isn't allowed, or a targeting rule named
            nobody who stands.
        LimitError: the budget in force is spent.
    """
    live = _Live(seed, targeting, source, deciding or Deciding())
    return _Battle(contest, live, rounds).run()


def replay(contest: Contest, played: PlayedBattle | Record) -> PlayedBattle:
    """The same battle again, from what was kept of it.

    Raises:
        AnswerError: an answer that doesn't fit, is missing or left over; says where.
    """
    record = played.record if isinstance(played, PlayedBattle) else played
    voice = _Kept(record)
    battle = _Battle(contest, voice, len(record.orders)).run()
    if voice.exchanges:
        left = voice.exchanges[-1]
        raise AnswerError(
            f"round {left.round}: {left.deed} of {spelled([left.actor])} is kept, but it is not "
            "their turn then or the battle is over"
        )
    if next(voice.rolls, None) is not None or battle.rounds < len(record.orders):
        raise AnswerError(
            f"{len(record.orders)} orders and {len(record.initiative)} rolls of initiative are "
            f"kept; the battle has {battle.rounds} rounds and {len(battle.initiative)} rolls"
        )
    return battle
