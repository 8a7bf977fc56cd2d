"""A battle played exchange by exchange, with every answer kept, so that it can be replayed.

Every exchange is a `Session` like any other: real dice, real choices, a log. What a battle needs
beyond that is kept as well: the dice of initiative, the order of every round (coins and ties are
in it), and who did what to whom. Everything else is recomputed by `replay`.

Order of a battle: the condition of everybody; who acts when in a round; in a turn as many
exchanges as the rules allow, each the first deed that finds somebody; after each of them, and
after the end of the round, whether it is over.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Hashable, Iterator, Sequence
from itertools import chain, groupby
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
from affray.engine.fight.matchup import Matchup
from affray.engine.fight.played.record import (
    Place,
    PlayedBattle,
    PlayedExchange,
    Record,
    Verdict,
    from_saved,
    to_saved,
)
from affray.engine.fight.targeting import Foe, Targeting, View, asked, checked, ranking
from affray.engine.fight.turns import alternates, leads_off, order

__all__ = [
    "Place", "PlayedBattle", "PlayedExchange", "Record", "Verdict", "from_saved", "play_battle",
    "replay", "to_saved",
]  # fmt: skip


class _Found(NamedTuple):
    """Those to whom a deed may be done.

    Attributes:
        places: who they are.
        view: the same for a targeting rule, if they are foes.
        starts: their points at the start of the battle.
        times: how often they have been attacked in this round.
    """

    places: tuple[Place, ...]
    view: View
    starts: tuple[int, ...]
    times: tuple[int, ...]


# -- who answers -------------------------------------------------------------------------------


class _Voice(Protocol):
    """Gives the answers of a battle: live, or from a record."""

    def roll(self, pool: Pool) -> Answer:
        """Dice of initiative."""
        ...

    def order(self, ties: Sequence[Sequence[tuple[Place, ...]]]) -> tuple[Place, ...]:
        """Who acts when: for each tie its blocks in some order."""
        ...

    def target(self, actor: Place, deed: Deed, found: _Found) -> Place | None:
        """To whom it is done; None: this deed is passed over."""
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

    def order(self, ties: Sequence[Sequence[tuple[Place, ...]]]) -> tuple[Place, ...]:
        found: list[Place] = []
        for blocks in ties:
            found += chain.from_iterable(self.chance.sample(list(blocks), len(blocks)))
        return tuple(found)

    def target(self, actor: Place, deed: Deed, found: _Found) -> Place | None:
        rule = self.targeting[actor.side]
        if deed.on != "foe":
            return found.places[0]
        if rule == "random":
            return self.chance.choice(found.places)
        if not isinstance(rule, str):
            return Place(1 - actor.side, asked(rule, found.view))
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
    """What is best in an exchange; worked out once for all battles of a contest."""
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
            raise AnswerError(f"initiative: no dice are kept for a fighter; needed: {pool}")
        wrong = pool.refuse(answer.faces)
        if wrong:
            raise AnswerError(f"initiative: {wrong}")
        return answer

    def order(self, ties: Sequence[Sequence[tuple[Place, ...]]]) -> tuple[Place, ...]:
        kept = next(self.orders, ())
        self.round += 1
        rest = list(kept)
        for blocks in ties:
            waiting = list(blocks)
            while waiting:
                block = next((b for b in waiting if tuple(rest[: len(b)]) == b), None)
                if block is None:
                    raise AnswerError(
                        f"the order {_spelled(kept)} of a round is none that the rules allow: "
                        f"{', then '.join(_spelled(chain.from_iterable(tie)) for tie in ties)}"
                    )
                waiting.remove(block)
                del rest[: len(block)]
        if rest:
            raise AnswerError(f"the order of a round names {_spelled(rest)} once too often")
        return kept

    def target(self, actor: Place, deed: Deed, found: _Found) -> Place | None:
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


def _spelled(places: Iterator[Place] | Sequence[Place]) -> str:
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
        self.times: dict[Place, int] = {}
        self.places = [
            Place(side, place) for side in (0, 1) for place in range(len(self.sheets[side]))
        ]
        self.names = contest.names
        self.initiative: list[Answer] = []
        self.quickness: list[int] = []
        self.orders: list[tuple[Place, ...]] = []
        self.entries: list[PlayedExchange] = []

    def run(self, most_rounds: int) -> PlayedBattle:
        """Fight it out."""
        roll = self.fight.initiative_roll
        if self.contest.first == "initiative" and roll is not None:
            for who in self.places:
                pool, read = roll(self._sheet(who), self.contest.rulings)
                self.initiative.append(self.voice.roll(pool))
                self.quickness.append(read(self.initiative[-1].faces))
        verdict = self._verdict()
        while verdict is None and len(self.orders) < most_rounds:
            verdict = self._round()
        return PlayedBattle(
            self.names, verdict or "stalled", len(self.orders), tuple(self.entries),
            self._snapshot(), tuple(self.initiative), tuple(self.orders),
        )  # fmt: skip

    def _round(self) -> Verdict | None:
        everybody = self.voice.order(self._ties())
        self.orders.append(everybody)
        self.times = {}
        turns = self._alternating() if alternates(self.contest.first) else iter(everybody)
        for place in turns:
            verdict = self._turn(place)
            if verdict is not None:
                return verdict
        for who in self.places:
            after = self.fight.end_round(self._sheet(who), self._condition(who))
            self.conditions[who.side][who.place] = after
        return self._verdict()

    def _turn(self, actor: Place) -> Verdict | None:
        meter_in_force().tick(8)
        if self._is_out(actor):
            return None
        begun = self.fight.begin_turn(self._sheet(actor), self._condition(actor))
        self.conditions[actor.side][actor.place] = begun
        verdict = self._verdict()
        for _ in range(self.fight.actions):
            if verdict is not None or self._is_out(actor) or not self._acted(actor):
                break
            verdict = self._verdict()
        return verdict

    def _acted(self, actor: Place) -> bool:
        """One exchange: the first deed that finds somebody and that the rules allow."""
        number = len(self.orders)
        for deed in self.contest.deeds(actor.side, self._sheet(actor), self._condition(actor)):
            found = self._found(actor, deed)
            if not found.places:
                continue
            target = self.voice.target(actor, deed, found)
            if target is None:
                self._check_refused(actor, deed, found)
                continue
            matchup, at = self._declared(actor, deed, target)
            session = None
            if at is not None:
                game = Game(self.contest.system, at, {}, matchup.plans)
                session = self.voice.exchange(game, matchup)
            if session is None:
                continue
            outcome = session.outcome
            assert outcome is not None  # a voice plays to the end
            self._apply(actor, target, outcome)
            self.times[target] = self.times.get(target, 0) + 1
            self.entries.append(
                PlayedExchange(
                    number, actor, deed.name, target, session.answers, session.log,
                    self._snapshot(),
                )
            )  # fmt: skip
            return True
        return False

    def _declared(
        self, actor: Place, deed: Deed, target: Place
    ) -> tuple[Matchup, At[Facts] | None]:
        matchup = self.contest.matchup(
            actor.side, self._sheet(actor), self._sheet(target), friend=deed.on != "foe"
        )
        mine, theirs = self._condition(actor), self._condition(target)
        fight = self.fight
        at = matchup.start(
            deed.name, fight.shown(mine), fight.shown(theirs), fight.held(theirs),
            self._context(target),
        )  # fmt: skip
        return matchup, at

    def _context(self, target: Place) -> Hashable:
        """What a declaration needs to know of the target's mates."""
        side = zip(self.sheets[target.side], self.conditions[target.side], strict=True)
        return self.fight.context([one for n, one in enumerate(side) if n != target.place])

    def _check_refused(self, actor: Place, deed: Deed, found: _Found) -> None:
        """A deed may be passed over only where the rules refuse it."""
        for who in found.places:
            matchup, _ = self._declared(actor, deed, who)
            one, other = self._condition(actor), self._condition(who)
            if matchup.row(deed, one, other, self._context(who)) is None:
                return
        raise AnswerError(
            f"round {len(self.orders)}: {self.names[actor.side][actor.place]} "
            f"({_spelled([actor])}) can {deed.name}, but no such exchange is kept here"
        )

    def _apply(self, actor: Place, target: Place, outcome: Facts) -> None:
        fight = self.fight
        for who, effect in (
            (actor, fight.effect(outcome, "actor")),
            (target, fight.effect(outcome, "target")),
        ):
            self._befall(who, effect)
        others = [who for who in self.places if who.side == target.side and who != target]
        for place, effect in fight.helped(outcome):
            self._befall(others[place], effect)

    def _befall(self, who: Place, effect: Hashable) -> None:
        after = self.fight.apply(self._sheet(who), self._condition(who), effect)
        self.conditions[who.side][who.place] = after

    # -- looking -----------------------------------------------------------------------------

    def _sheet(self, who: Place) -> Hashable:
        return self.sheets[who.side][who.place]

    def _condition(self, who: Place) -> Hashable:
        return self.conditions[who.side][who.place]

    def _is_out(self, who: Place) -> bool:
        return self.fight.is_out(self._sheet(who), self._condition(who))

    def _snapshot(self) -> tuple[tuple[Hashable, ...], ...]:
        return tuple(tuple(conditions) for conditions in self.conditions)

    def _found(self, actor: Place, deed: Deed) -> _Found:
        """To whom a deed may be done: foes who stand, the first fallen friend, or oneself."""
        foe = deed.on == "foe"
        side = 1 - actor.side if foe else actor.side
        places = [
            who
            for who in self.places
            if who.side == side and who != actor and self._is_out(who) != foe
        ]
        if not foe:
            places = [actor] if deed.on == "self" else places[:1]
        foes = tuple(
            Foe(who.place, self.names[side][who.place], self._sheet(who), self._condition(who),
                self.fight.vitals(self._sheet(who), self._condition(who)))
            for who in places
        )  # fmt: skip
        return _Found(
            tuple(places), View(actor.place, foes),
            tuple(self.starts[side][who.place] for who in places),
            tuple(self.times.get(who, 0) for who in places),
        )  # fmt: skip

    def _verdict(self) -> Verdict | None:
        out = [
            self.contest.sides[side].has_lost(
                sum(self._is_out(who) for who in self.places if who.side == side)
            )
            for side in (0, 1)
        ]
        if all(out):
            return "drawn"
        if any(out):
            return "one" if out[1] else "other"
        for sheets, conditions in zip(self.sheets, self.conditions, strict=True):
            says = [self.fight.ends(*one) for one in zip(sheets, conditions, strict=True)]
            if True in says and False not in says:
                return "ended"
        return None

    def _ties(self) -> list[list[tuple[Place, ...]]]:
        """Who acts when in the round that begins: ties, each with blocks that keep together."""
        sides = [tuple(who for who in self.places if who.side == side) for side in (0, 1)]
        first = self.contest.first
        if first == "coin" and self.orders:
            first = "one" if self.orders[0][0].side == 0 else "other"
        if first == "coin":
            return [sides]
        if first == "initiative":
            key = self._quickness
            quickest = sorted(range(len(self.places)), key=key, reverse=True)
            return [[(self.places[n],) for n in tied] for _, tied in groupby(quickest, key)]
        if alternates(first) or first == "seats":
            sizes = len(sides[0]), len(sides[1])
            return [[(Place(*who),)] for who in order(sizes, first, self.contest.at_a_time)]
        return [[sides[leads_off(first)]], [sides[1 - leads_off(first)]]]

    def _alternating(self) -> Iterator[Place]:
        """Who acts next where sides alternate: the next of the side who stands."""
        lead, block = leads_off(self.contest.first), self.contest.at_a_time
        waiting = [deque(who for who in self.places if who.side == side) for side in (0, 1)]
        while any(waiting):
            for side in (lead, 1 - lead):
                left = block
                while left and waiting[side]:
                    who = waiting[side].popleft()
                    if not self._is_out(who):
                        left -= 1
                        yield who

    def _quickness(self, number: int) -> tuple[int, int]:
        who = self.places[number]
        initiative = self.fight.initiative
        assert initiative is not None  # Contest saw to it
        value, tie = initiative(self._sheet(who), self._condition(who), self.contest.rulings)
        return value + (self.quickness[number] if self.quickness else 0), tie


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
        targeting: whom each side attacks.
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
