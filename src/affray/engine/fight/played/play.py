"""A battle played exchange by exchange, with every answer kept, so that it can be replayed.

Every exchange is a `Session` like any other: real dice, real choices, a log. What a battle needs
beyond that is kept as well: the dice of initiative, the order of every round (coins and ties are
in it), and who did what to whom. Everything else is recomputed by `replay`.

What comes when is the business of `course`; this does what each of its phases asks for.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple, Protocol
from weakref import WeakKeyDictionary

from affray.core.dice import Pool
from affray.core.errors import AnswerError, SetupError
from affray.core.fight import Deed
from affray.core.meter import meter_in_force
from affray.core.node import At, Choice, Facts, Option
from affray.engine.exchange.best import Solution, solve
from affray.engine.exchange.game import Game
from affray.engine.exchange.session import Answer, Session
from affray.engine.exchange.sources import Entropy, Policy, Seeded, Source, drive
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import (
    FighterId,
    Moment,
    Phase,
    Report,
    Standing,
    Ties,
    first_deed,
)
from affray.engine.fight.matchup import Encounter, Matchup
from affray.engine.fight.played.record import (
    PlayedBattle,
    PlayedExchange,
    Record,
    from_saved,
    to_saved,
)
from affray.engine.fight.targeting import Foe, Targeting, View, asked, checked, ranking

__all__ = [
    "PlayedBattle", "PlayedExchange", "Record", "from_saved", "play_battle", "replay", "to_saved",
]  # fmt: skip


class _Found(NamedTuple):
    """The targets that a deed may have.

    Attributes:
        places: the fighters.
        view: the same for a targeting rule, if they are foes.
        starts: their points at the start of the battle.
        times: how often they have been attacked in this round.
    """

    places: tuple[FighterId, ...]
    view: View
    starts: tuple[int, ...]
    times: tuple[int, ...]


# -- who answers -------------------------------------------------------------------------------


class _Voice(Protocol):
    """Gives the answers of a battle: live, or from a record."""

    def roll(self, pool: Pool) -> Answer:
        """Dice of initiative."""
        ...

    def order(self, ties: Ties) -> tuple[FighterId, ...]:
        """The order of turns: for each tie its blocks in some order."""
        ...

    def target(self, actor: FighterId, deed: Deed, found: _Found) -> FighterId | None:
        """The target; None: this deed is passed over."""
        ...

    def exchange(self, game: Game, matchup: Matchup) -> Session | None:
        """The exchange, to its end; None: the rules refuse it."""
        ...


class _Live:
    """Answers as they are made: by a source, by plans and what is best, by dice."""

    def __init__(
        self, seed: int | None, targeting: tuple[Targeting, Targeting], source: Source | None
    ) -> None:
        # Dice of exchanges and everything else by chance: two rows that have nothing in common.
        self.dice = Entropy() if seed is None else Seeded(seed)
        self.chance: random.Random = (
            random.SystemRandom() if seed is None else random.Random(f"battle {seed}")
        )
        self.targeting = tuple(checked(rule) for rule in targeting)
        self.source = source

    def roll(self, pool: Pool) -> Answer:
        faces = [self.chance.choices(die.faces, die.weights)[0] for die in pool.dice]
        return Answer(faces=tuple(faces), by=(self.dice.label,) * len(faces))

    def order(self, ties: Ties) -> tuple[FighterId, ...]:
        found: list[FighterId] = []
        for blocks in ties:
            found += chain.from_iterable(self.chance.sample(list(blocks), len(blocks)))
        return tuple(found)

    def target(self, actor: FighterId, deed: Deed, found: _Found) -> FighterId | None:
        rule = self.targeting[actor.side]
        if deed.on != "foe":
            return found.places[0]
        if rule == "random":
            return self.chance.choice(found.places)
        if not isinstance(rule, str):
            return FighterId(1 - actor.side, asked(rule, found.view))
        foes = found.view.foes
        rank = ranking(rule, found.starts, max(foe.vitals for foe in foes))
        often = found.times if rule == "spread" else (0,) * len(foes)
        keys = [
            (times, rank(foe.vitals, start))
            for foe, start, times in zip(foes, found.starts, often, strict=True)
        ]
        return found.places[keys.index(min(keys))]

    def exchange(self, game: Game, matchup: Matchup) -> Session | None:
        def decide(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
            return _solution(game, matchup).decide(at, choice)

        sources = [self.source] if self.source else []
        try:
            return drive(Session(game), *sources, Policy(decide), self.dice)
        except SetupError:
            return None


_SOLVED: WeakKeyDictionary[Matchup, dict[At[Facts], Solution]] = WeakKeyDictionary()


def _solution(game: Game, matchup: Matchup) -> Solution:
    """The best decisions of an exchange, worked out once for all battles of a contest."""
    known = _SOLVED.setdefault(matchup, {})
    if game.start not in known:
        known[game.start] = solve(game, matchup.objective, threshold=matchup.threshold)
    return known[game.start]


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
        rest = list(kept)
        for blocks in ties:
            waiting = list(blocks)
            while waiting:
                block = next((b for b in waiting if tuple(rest[: len(b)]) == b), None)
                if block is None:
                    raise AnswerError(
                        f"turn order {_spelled(kept)} is not allowed in round {self.round}; "
                        "allowed: "
                        f"{', then '.join(_spelled(chain.from_iterable(tie)) for tie in ties)}"
                    )
                waiting.remove(block)
                del rest[: len(block)]
        if rest:
            raise AnswerError(
                f"the order of round {self.round} names {_spelled(rest)} once too often"
            )
        return kept

    def target(self, actor: FighterId, deed: Deed, found: _Found) -> FighterId | None:
        kept = self.exchanges[-1] if self.exchanges else None
        if kept is None or kept[:3] != (self.round, actor, deed.name):
            return None
        if kept.target not in found.places:
            raise AnswerError(
                f"round {self.round}: {deed.name} of {_spelled([actor])} on "
                f"{_spelled([kept.target])}; allowed: {_spelled(found.places)}"
            )
        self.now = self.exchanges.pop()
        return kept.target

    def exchange(self, game: Game, matchup: Matchup) -> Session | None:  # noqa: ARG002
        kept = self.now
        assert kept is not None  # a target was named just before
        where = f"round {kept.round}, {kept.deed} of {_spelled([kept.actor])}"
        try:
            session = Session.replay(game, kept.answers)
        except (AnswerError, SetupError) as error:
            raise AnswerError(f"{where}: {error}") from None
        if session.question is not None:
            raise AnswerError(
                f"{where}: {len(kept.answers)} answers are kept; then {session.question.step} "
                f"({session.question.ask}) asks for more"
            )
        return session


def _spelled(places: Iterator[FighterId] | Sequence[FighterId]) -> str:
    return " ".join(f"{place.side + 1}.{place.place + 1}" for place in places)


# -- a battle ----------------------------------------------------------------------------------


class _Battle:
    """A battle while it goes on."""

    def __init__(self, contest: Contest, voice: _Voice) -> None:
        self.contest = contest
        self.fight = contest.fight
        self.voice = voice
        self.sheets = [list(side.fighters) for side in contest.sides]
        self.conditions = [
            [contest.enter(side, sheet) for sheet in sheets]
            for side, sheets in enumerate(self.sheets)
        ]
        self.starts = [
            [self.fight.vitals(*one) for one in zip(sheets, conditions, strict=True)]
            for sheets, conditions in zip(self.sheets, self.conditions, strict=True)
        ]
        self.times: dict[FighterId, int] = {}
        self.everybody = contest.course.everybody
        self.names = contest.names
        self.initiative: list[Answer] = []
        self.rolled: dict[FighterId, int] = {}
        self.orders: list[tuple[FighterId, ...]] = []
        self.entries: list[PlayedExchange] = []

    def run(self, most_rounds: int) -> PlayedBattle:
        """Fight it out."""
        self._roll_initiative()
        course = self.contest.course._replace(rounds=most_rounds)
        moment = course.begin()
        while moment.verdict is None:
            moment = course.following(moment, self._done(moment))
        self._settle(moment.round)
        return PlayedBattle(
            self.names, moment.verdict, moment.round, tuple(self.entries),
            self._snapshot(), tuple(self.initiative), tuple(self.orders), self._fates(),
        )  # fmt: skip

    def _fates(self) -> tuple[tuple[str, ...], ...]:
        """The fate of everybody."""
        fate = self.fight.fate
        return tuple(
            tuple(fate(*one) for one in zip(sheets, conditions, strict=True))
            for sheets, conditions in zip(self.sheets, self.conditions, strict=True)
        )

    def _settle(self, number: int) -> None:
        """Settle for every fighter what is left when the fight is over."""
        for who in self.everybody:
            deed = self.fight.afterwards(self._sheet(who), self._condition(who))
            entry = None if deed is None else self._attempt(who, deed, (number, (who,)))
            if entry is not None:
                self.entries.append(entry)

    def _roll_initiative(self) -> None:
        roll = self.fight.initiative_roll
        if self.contest.first == "initiative" and roll is not None:
            for who in self.everybody:
                pool, read = roll(self._sheet(who), self.contest.rulings)
                self.initiative.append(self.voice.roll(pool))
                self.rolled[who] = read(self.initiative[-1].faces)

    def _done(self, moment: Moment) -> Report:
        """Do what a phase of the course asks for."""
        acted, actor = True, moment.actor
        if moment.phase is Phase.ROUND:
            self.orders.append(self.voice.order(self._ties(moment)))
            self.times = {}
        elif moment.phase is Phase.TURN and actor is not None:
            meter_in_force().tick(8)
            self._become(actor, self.fight.begin_turn(self._sheet(actor), self._condition(actor)))
        elif moment.phase is Phase.ACTION and actor is not None:
            acted = self._acted(actor, moment.round)
        elif moment.phase is Phase.CLOSE:
            for who in self.everybody:
                self._become(who, self.fight.end_round(self._sheet(who), self._condition(who)))
        order = self.orders[-1] if self.orders else ()
        allowed = 1
        if actor is not None:
            allowed = self.contest.allowed(self._sheet(actor), self._condition(actor))
        return Report(self._standing(), order, allowed, acted)

    def _acted(self, actor: FighterId, number: int) -> bool:
        """One exchange; whether there is a deed that can be done."""
        deeds = self.contest.deeds(actor.side, self._sheet(actor), self._condition(actor))
        needs = self._needs(actor.side) if any(deed.on == "friend" for deed in deeds) else ()
        attempts = self.contest.course.attempts(actor, deeds, self._standing().out, needs)

        def attempt(deed: Deed, targets: tuple[FighterId, ...]) -> PlayedExchange | None:
            return self._attempt(actor, deed, (number, targets))

        entry = first_deed(attempts, attempt)
        if entry is not None:
            self.entries.append(entry)
        return entry is not None

    def _needs(self, side: int) -> tuple[int, ...]:
        """How much each fighter of a side needs help."""
        whole = zip(self.sheets[side], self.conditions[side], strict=True)
        return tuple(self.fight.needs(sheet, condition) for sheet, condition in whole)

    def _attempt(
        self, actor: FighterId, deed: Deed, how: tuple[int, tuple[FighterId, ...]]
    ) -> PlayedExchange | None:
        """An exchange in some round with one of these; None: the rules refuse it."""
        number, targets = how
        found = self._found(actor, targets)
        target = self.voice.target(actor, deed, found)
        if target is None:
            self._check_refused(actor, deed, found)
            return None
        matchup, encounter = self._encounter(actor, deed, target)
        at = matchup.start(encounter)
        if at is None:
            return None
        session = self.voice.exchange(Game(self.contest.system, at, {}, matchup.plans), matchup)
        if session is None:
            return None
        outcome = session.outcome
        assert outcome is not None  # a voice plays to the end
        self._apply(actor, target, outcome)
        self.times[target] = self.times.get(target, 0) + 1
        return PlayedExchange(
            number, actor, deed.name, target, session.answers, session.log, self._snapshot()
        )

    def _encounter(
        self, actor: FighterId, deed: Deed, target: FighterId
    ) -> tuple[Matchup, Encounter]:
        matchup = self.contest.matchup(
            actor.side, self._sheet(actor), self._sheet(target), friend=deed.on != "foe"
        )
        own = self._condition(actor)
        minds = deed.on == "foe" and self.fight.minds_mates(self._sheet(actor), own)
        company = self._about_mates(actor) if minds else None
        encounter = Encounter(
            deed, own, self._condition(target), self._about_mates(target), company
        )  # fmt: skip
        return matchup, encounter

    def _about_mates(self, who: FighterId) -> Hashable:
        """What a declaration knows of a fighter's mates."""
        side = zip(self.sheets[who.side], self.conditions[who.side], strict=True)
        return self.fight.context([one for n, one in enumerate(side) if n != who.place])

    def _check_refused(self, actor: FighterId, deed: Deed, found: _Found) -> None:
        """A deed may be passed over only where the rules refuse it."""
        for who in found.places:
            matchup, encounter = self._encounter(actor, deed, who)
            if matchup.odds(encounter) is None:
                return
        raise AnswerError(
            f"round {len(self.orders)}: {self.names[actor.side][actor.place]} "
            f"({_spelled([actor])}) can {deed.name}, but the record has no such exchange here"
        )

    def _apply(self, actor: FighterId, target: FighterId, outcome: Facts) -> None:
        fight = self.fight
        for who, effect in (
            (actor, fight.effect(outcome, "actor")),
            (target, fight.effect(outcome, "target")),
        ):
            self._befall(who, effect)
        others = [who for who in self.everybody if who.side == target.side and who != target]
        for place, effect in fight.helped(outcome):
            self._befall(others[place], effect)

    def _befall(self, who: FighterId, effect: Hashable) -> None:
        self._become(who, self.fight.apply(self._sheet(who), self._condition(who), effect))

    def _become(self, who: FighterId, condition: Hashable) -> None:
        self.conditions[who.side][who.place] = condition

    # -- looking -----------------------------------------------------------------------------

    def _sheet(self, who: FighterId) -> Hashable:
        return self.sheets[who.side][who.place]

    def _condition(self, who: FighterId) -> Hashable:
        return self.conditions[who.side][who.place]

    def _standing(self) -> Standing:
        one, other = (
            list(zip(*both, strict=True)) for both in zip(self.sheets, self.conditions, strict=True)
        )
        is_out, ends = self.fight.is_out, self.fight.ends
        return Standing(
            ([is_out(*who) for who in one], [is_out(*who) for who in other]),
            ([ends(*who) for who in one], [ends(*who) for who in other]),
        )

    def _snapshot(self) -> tuple[tuple[Hashable, ...], ...]:
        return tuple(tuple(conditions) for conditions in self.conditions)

    def _found(self, actor: FighterId, targets: tuple[FighterId, ...]) -> _Found:
        """Targets of a deed, as a targeting rule sees them."""
        foes = tuple(
            Foe(who.place, self.names[who.side][who.place], self._sheet(who), self._condition(who),
                self.fight.vitals(self._sheet(who), self._condition(who)))
            for who in targets
        )  # fmt: skip
        return _Found(
            targets, View(actor.place, foes),
            tuple(self.starts[who.side][who.place] for who in targets),
            tuple(self.times.get(who, 0) for who in targets),
        )  # fmt: skip

    def _ties(self, moment: Moment) -> Ties:
        """The order of turns in the round that begins, as far as it is fixed."""
        initiative = self.fight.initiative
        if self.contest.first != "initiative" or initiative is None:
            return self.contest.course.ties(moment)
        quickness = {}
        for who in self.everybody:
            value, tie = initiative(self._sheet(who), self._condition(who), self.contest.rulings)
            quickness[who] = value + self.rolled.get(who, 0), tie
        return self.contest.course.ties(moment, quickness)


def play_battle(
    contest: Contest,
    *,
    seed: int | None,
    targeting: tuple[Targeting, Targeting] = ("weakest", "weakest"),
    rounds: int = 1000,
    source: Source | None = None,
) -> PlayedBattle:
    """Play a battle to its end.

    Args:
        contest: the fight; all fighters of both sides take part.
        seed: for dice and everything else by chance; None: the system's entropy.
        targeting: how each side chooses its targets.
        rounds: after how many rounds it has stalled.
        source: asked first in every exchange, such as a person; what it leaves open is decided
            by plans and what is best, and rolled by the computer.

    Raises:
        UnknownNameError: a targeting that nobody knows.
        AnswerError: the source gave an answer that isn't allowed, or a targeting rule named
            nobody who stands.
        LimitError: an open choice that is too much to be solved.
    """
    return _Battle(contest, _Live(seed, targeting, source)).run(rounds)


def replay(contest: Contest, played: PlayedBattle | Record) -> PlayedBattle:
    """The same battle again, from what was kept of it.

    Raises:
        AnswerError: an answer that doesn't fit, is missing or left over; says where.
    """
    record = played.record if isinstance(played, PlayedBattle) else played
    voice = _Kept(record)
    battle = _Battle(contest, voice).run(len(record.orders))
    if voice.exchanges:
        left = voice.exchanges[-1]
        raise AnswerError(
            f"round {left.round}: {left.deed} of {_spelled([left.actor])} is kept, but it is not "
            "their turn then or the battle is over"
        )
    if next(voice.rolls, None) is not None or battle.rounds < len(record.orders):
        raise AnswerError(
            f"{len(record.orders)} orders and {len(record.initiative)} rolls of initiative are "
            f"kept; the battle has {battle.rounds} rounds and {len(battle.initiative)} rolls"
        )
    return battle
