"""A fight that people play: a session of a whole fight asks, they answer, and the log tells.

It is to a fight what `affray.engine.exchange.session.Session` is to an exchange: immutable, without
input and output. `question` says what is to be rolled or decided, and who has to; `answer` gives a
new session. Whatever is decided in a fight and every die is a question, of one of these kinds:

    initiative   dice of one fighter
    order        who comes first, of those whom the rules leave equal; or a coin. A die whose faces
                 are names, so that it can be typed, rolled and written in a script like any other
    actor        which fighter of a side has the next turn, or whether one who waits acts now
    deed         what the fighter does, and to whom; "wait" where the rules know it, and "pass"
    exchange     whatever the exchange asks

What is no question is not asked: an order that the rules fix, a turn in which nothing can be done,
the deeds of a side that only answers.

The moves, answers and a game master's hand, are the truth. Everything else is recomputed from them.
A session keeps the one before it, so undoing costs nothing, at any distance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import Literal, NamedTuple, TypeAlias, cast

from affray.core.actor import role_of
from affray.core.dice import Die, Face, Pool
from affray.core.errors import AnswerError, RulesError, SetupError
from affray.core.fight import Deed
from affray.core.telling import shown
from affray.engine.exchange.game import Game
from affray.engine.exchange.session import Answer, Question, Session, answer_of
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import Block, FighterId, Moment, Phase, Verdict
from affray.engine.fight.played.hands import Hand, play_hand
from affray.engine.fight.played.position import (
    Act,
    Call,
    Conditions,
    Event,
    Exchange,
    Order,
    Position,
    Roll,
    attempts,
    begin,
    begin_whole,
    begun,
    called,
    game_of,
    held,
    ordered,
    passed,
    rolled,
    targets,
    went_on,
)

__all__ = [
    "ACT", "PASS", "WAIT", "FightOption", "FightQuestion", "FightSession", "Kind", "Move",
    "deed_named",
]  # fmt: skip

Kind: TypeAlias = Literal["initiative", "order", "actor", "deed", "exchange"]
Move: TypeAlias = Answer | Hand
"""A move of a fight: somebody's answer, or a game master's hand."""

WAIT, PASS, ACT = "wait", "pass", "act"


def deed_named(here: Position, deed: Deed, target: FighterId) -> str:
    """The name of the option to do a deed to somebody: "attack: Husk 2", or "reload"."""
    return deed.name if deed.on == "self" else f"{deed.name}: {here.name(target)}"


class FightOption(NamedTuple):
    """One way to decide: its name, what it means, and points of a limited resource it uses up."""

    name: str
    words: str = ""
    spends: int = 0


class FightQuestion(NamedTuple):
    """A roll or a decision that a fight waits for.

    Attributes:
        kind: what is asked.
        fighter: who has to answer; None: nobody in particular.
        side: the number of the side that has to; None: neither, such as a coin.
        ask: the question in the table's words.
        dice: the dice to be rolled; None for a decision.
        options: those of a decision, or () for a roll.
        about: what the one who decides looks at.
        closed: options that are not on offer, each with the reason.
        step, clauses: of an exchange: the step that asks, and what it carries out.
        actor: of an exchange: the role in it of the one who answers.
    """

    kind: Kind
    fighter: FighterId | None
    side: int | None
    ask: str
    dice: Pool | None = None
    options: tuple[FightOption, ...] = ()
    about: tuple[tuple[str, object], ...] = ()
    closed: tuple[tuple[str, str], ...] = ()
    step: str = ""
    clauses: tuple[str, ...] = ()
    actor: str = ""


class _Deeds(NamedTuple):
    """The deeds of a turn: those on offer by the option's name, and those refused."""

    offered: dict[str, tuple[Deed, FighterId]]
    closed: tuple[tuple[str, str], ...]


class FightSession:
    """A fight in play. Immutable: every change gives a new session.

    Args:
        contest: the fight. Its plans narrow what is asked: with plans that decide everything
            nobody is asked anything in an exchange.
        rounds: after how many rounds it has stalled; None: never.

    Attributes:
        position: the fight as it stands.
        past: the session before the last move; None at the beginning.
        move: the last move; None at the beginning.
        events: what has happened since the last move.
    """

    def __init__(self, contest: Contest, rounds: int | None = None) -> None:
        self._begin(begin(contest, rounds))

    @classmethod
    def of_whole(cls, contest: Contest, game: Game) -> FightSession:
        """The session of an exchange that is a whole fight by itself, such as a game on a map.

        Every question is one of the exchange; it tells how everybody stands.

        Raises:
            SetupError: it is no whole fight.
        """
        session = object.__new__(cls)
        session._begin(begin_whole(contest, game))
        return session

    def _begin(self, here: Position) -> None:
        self.past: FightSession | None = None
        self.move: Move | None = None
        self._rest(here)

    def _rest(self, here: Position, partly: tuple[Block, ...] = ()) -> None:
        """Go on to the next question; what nobody is asked is settled on the way.

        Args:
            here: the position.
            partly: the part of an order that is known; of a call, those who don't want it.
        """
        events = list(here.events) if not partly else []
        while True:
            there = _unasked(here, partly)
            if there is None:
                break
            here, partly = there, ()
            events += here.events
        self.position, self._partly, self.events = here, partly, tuple(events)

    def __repr__(self) -> str:
        question = self.question
        state = "over" if question is None else f"{question.kind}: {question.ask}"
        return f"<fight of {self.contest.system.id}, round {self.moment.round}, {state}>"

    # -- looking -----------------------------------------------------------------------------

    @property
    def contest(self) -> Contest:
        """The fight: sheets, situations, rulings."""
        return self.position.contest

    @property
    def moment(self) -> Moment:
        """Where the course of the fight stands."""
        return self.position.moment

    @property
    def conditions(self) -> Conditions:
        """Everybody's condition, side by side."""
        return self.position.conditions

    @property
    def verdict(self) -> Verdict | None:
        """How the fight has ended; None while it goes on."""
        return self.position.verdict

    @property
    def exchange(self) -> Session | None:
        """The exchange that goes on; None between exchanges."""
        need = self.position.need
        return need.session if isinstance(need, Exchange) else None

    def side_of(self, actor: str) -> int | None:
        """The number of the side that answers for a role of the exchange that goes on."""
        need = self.position.need
        return _answers(self.position, need, actor)[1] if isinstance(need, Exchange) else None

    @property
    def line(self) -> tuple[FightSession, ...]:
        """Every session from the beginning to this one."""
        found, here = [self], self.past
        while here is not None:
            found.append(here)
            here = here.past
        return tuple(reversed(found))

    @property
    def moves(self) -> tuple[Move, ...]:
        """Every move so far: a stored fight needs nothing else."""
        return tuple(one.move for one in self.line if one.move is not None)

    @property
    def log(self) -> tuple[Event, ...]:
        """Everything that has happened."""
        return tuple(chain.from_iterable(one.events for one in self.line))

    @cached_property
    def question(self) -> FightQuestion | None:
        """The open question; None when the fight is over."""
        here, need = self.position, self.position.need
        if isinstance(need, Roll):
            return FightQuestion(
                "initiative", need.fighter, need.fighter.side, "initiative", need.pool
            )
        if isinstance(need, Order):
            return _order_question(here, _equals(need, self._partly))
        if isinstance(need, Call):
            return _call_question(here, need, self._partly)
        if isinstance(need, Act):
            return self._deed_question(need)
        if isinstance(need, Exchange):
            asked = need.session.question
            assert asked is not None  # an exchange that is over has gone on
            return _exchange_question(here, need, asked)
        return None

    @cached_property
    def _deeds(self) -> _Deeds:
        """The deeds of the turn, each tried as far as it goes without an answer."""
        here, act = self.position, self.position.need
        assert isinstance(act, Act)
        offered: dict[str, tuple[Deed, FighterId]] = {}
        closed: list[tuple[str, str]] = []
        for name, deed, target in _named_deeds(here, act):
            try:
                Session(game_of(here, act.actor, deed, target, plain=True))
            except SetupError as error:
                closed.append((name, str(error)))
            else:
                offered[name] = deed, target
        return _Deeds(offered, tuple(closed))

    def _deed_question(self, act: Act) -> FightQuestion:
        here, deeds = self.position, self._deeds
        options = [FightOption(name) for name in deeds.offered]
        closed = list(deeds.closed)
        if here.contest.fight.waits and not act.settles:
            why = _no_wait(here)
            if why:
                closed.append((WAIT, why))
            else:
                options.append(FightOption(WAIT, "the turn comes later in the round, when called"))
        options.append(FightOption(PASS, "nothing more in this turn"))
        return FightQuestion(
            "deed", act.actor, act.actor.side, f"{here.name(act.actor)}: what now?",
            options=tuple(options), closed=tuple(closed),
        )  # fmt: skip

    # -- moving ------------------------------------------------------------------------------

    def answer(self, given: Answer | str | Sequence[Face], by: str = "hand") -> FightSession:
        """The session after an answer.

        Args:
            given: faces of the dice, one each; the name of an option; or an `Answer`.
            by: where the answer came from, if `given` doesn't say.

        Raises:
            AnswerError: faces that the dice don't have, an option that is not on offer, what
                the rules refuse, or no question; this session stays as it is.
        """
        question, here, need = self.question, self.position, self.position.need
        if question is None:
            raise AnswerError("the fight is over; nothing is asked any more")
        if isinstance(need, Exchange):
            try:
                exchange = need.session.answer(given, by)
            except SetupError as error:
                raise AnswerError(f"{question.step} ({question.ask}): {error}") from None
            answer = exchange.answers[-1]
            return self._moved(answer, went_on(here, exchange))
        answer = _checked(question, answer_of(given, by))
        if isinstance(need, Roll):
            return self._moved(answer, rolled(here, answer.faces))
        if isinstance(need, Order):
            blocks = _equals(need, self._partly)
            names = _block_names(here, blocks)
            block = blocks[names.index(cast("str", answer.faces[0]))]
            return self._moved(answer, here, (*self._partly, block))
        if isinstance(need, Call):
            return self._called(answer, need)
        if answer.option == WAIT:
            return self._moved(answer, held(here))
        if answer.option == PASS:
            return self._moved(answer, passed(here))
        return self._moved(answer, begun(here, *self._deeds.offered[answer.option]))

    def _called(self, answer: Answer, call: Call) -> FightSession:
        here = self.position
        asked = _asked_to_act(here, call, self._partly)
        if asked is None:
            found = next(who for who in call.among if here.name(who) == answer.option)
            return self._moved(answer, called(here, found))
        if answer.option == ACT:
            return self._moved(answer, called(here, asked))
        return self._moved(answer, here, (*self._partly, (asked,)))

    def hand(self, hand: Hand) -> FightSession:
        """The session after a game master's hand.

        Raises:
            AnswerError: it can't be done now.
            SetupError: it names nobody, or what the rules refuse.
        """
        return self._moved(hand, play_hand(self.position, hand))

    def undo(self) -> FightSession:
        """The session before the last move; the same session at the beginning."""
        return self.past or self

    def _moved(self, move: Move, here: Position, partly: tuple[Block, ...] = ()) -> FightSession:
        moved = object.__new__(FightSession)
        moved.past, moved.move = self, move
        moved._rest(here, partly)
        return moved

    def replay(self, moves: Iterable[Move]) -> FightSession:
        """The session to which more moves lead.

        Raises:
            AnswerError: a move that doesn't fit; says which.
        """
        session = self
        for number, move in enumerate(moves, start=1):
            try:
                session = session.answer(move) if isinstance(move, Answer) else session.hand(move)
            except (AnswerError, SetupError) as error:
                raise AnswerError(f"move {number}: {error}") from None
        return session


# -- what is not asked ---------------------------------------------------------------------------


def _unasked(here: Position, partly: tuple[Block, ...]) -> Position | None:
    """The position after what nobody is asked; None: somebody is."""
    need = here.need
    if isinstance(need, Roll) and not need.pool.size:
        return rolled(here, ())
    if isinstance(need, Order):
        if len(_equals(need, partly)) > 1:
            return None
        return ordered(here, tuple(_whole(need, partly)))
    if isinstance(need, Call):
        if _call_question(here, need, partly) is not None:
            return None
        return called(here, None)
    if isinstance(need, Act):
        return _no_choice(here, need)
    if isinstance(need, Exchange) and need.session.outcome is not None:
        return went_on(here, need.session)
    return None


def _no_choice(here: Position, act: Act) -> Position | None:
    """The position after a turn in which there is nothing to decide; None: there is."""
    forced = [deed for deed in act.deeds if deed.forced]
    if forced or act.settles:
        for deed, (target, *_) in attempts(here, act._replace(deeds=tuple(forced) or act.deeds)):
            try:
                return begun(here, deed, target)
            except SetupError:
                continue
        return passed(here, "nothing can be done")
    for _, deed, target in _named_deeds(here, act):
        try:
            begun(here, deed, target)
        except SetupError:
            continue
        return None
    waits = here.contest.fight.waits and act.deeds and not _no_wait(here)
    return None if waits else passed(here, "nothing can be done")


def _no_wait(here: Position) -> str:
    """Why the one who acts can't wait; "" if it can."""
    if here.moment.done:
        return "the turn has begun already"
    if here.moment.is_extra:
        return "an extra turn can't be held back"
    return "" if here.moment.waiting else "nobody else has a turn in this round"


# -- questions -----------------------------------------------------------------------------------


def _named_deeds(here: Position, act: Act) -> Iterator[tuple[str, Deed, FighterId]]:
    """Every deed with everybody it may be done to, and the option's name for both."""
    met: set[str] = {WAIT, PASS}
    for deed in act.deeds:
        for target in targets(here, act, deed):
            name = deed_named(here, deed, target)
            if name in met:
                raise RulesError(
                    f"{here.contest.system.id}: the deed {shown(name)} is offered twice, or called "
                    "like passing or waiting; deeds must have different names"
                )
            met.add(name)
            yield name, deed, target


def _equals(order: Order, partly: tuple[Block, ...]) -> tuple[Block, ...]:
    """Those among whom the next place in the order is open; () if none is."""
    for blocks in order.ties:
        left = tuple(block for block in blocks if block not in partly)
        if len(left) > 1:
            return left
    return ()


def _whole(order: Order, partly: tuple[Block, ...]) -> Iterator[FighterId]:
    """The whole order, once there is nothing open in it."""
    for blocks in order.ties:
        known = [block for block in partly if block in blocks]
        yield from chain.from_iterable((*known, *(b for b in blocks if b not in partly)))


def _block_names(here: Position, blocks: Sequence[Block]) -> list[str]:
    """The names of those who are equal: sides for a coin, else fighters."""
    if here.course.first == "coin":
        return [here.contest.sides[block[0].side].name for block in blocks]
    return [here.name(block[0]) for block in blocks]


def _order_question(here: Position, blocks: Sequence[Block]) -> FightQuestion:
    coin = here.course.first == "coin"
    die = Die("coin" if coin else "tie", _block_names(here, blocks))
    ask = "which side goes first" if coin else "who acts first of those who are equal"
    return FightQuestion("order", None, None, ask, Pool((die, 1)))


def _asked_to_act(here: Position, call: Call, partly: tuple[Block, ...]) -> FighterId | None:
    """The first of those who hold back a turn who has not said yet whether to act now."""
    waiting = (who for who in call.default.held if who in call.among and (who,) not in partly)
    return next(waiting, None)


def _call_question(here: Position, call: Call, partly: tuple[Block, ...]) -> FightQuestion | None:
    """The question who has the next turn; None: nobody has a choice."""
    asked = _asked_to_act(here, call, partly)
    if asked is not None:
        last = call.default.phase is Phase.CLOSE
        wait = "the turn is lost: the round ends" if last else "not yet"
        options = (FightOption(WAIT, wait), FightOption(ACT, "the turn that was held back"))
        ask = f"{here.name(asked)} waits: act now?"
        return FightQuestion("actor", asked, asked.side, ask, options=options)
    free = [who for who in call.among if who not in call.default.held]
    if len(free) < 2 or here.contest.sides[free[0].side].idle:
        return None
    side = free[0].side
    named = tuple(FightOption(here.name(who)) for who in free)
    ask = f"{here.contest.sides[side].name}: who has the turn?"
    return FightQuestion("actor", None, side, ask, options=named)


def _exchange_question(here: Position, exchange: Exchange, asked: Question) -> FightQuestion:
    fighter, side = _answers(here, exchange, asked.actor)
    return FightQuestion(
        "exchange", fighter, side, asked.ask, asked.dice,
        tuple(FightOption(o.name, o.words, o.spends) for o in asked.options), asked.about,
        asked.closed, asked.step, asked.clauses, asked.actor,
    )  # fmt: skip


def _answers(here: Position, exchange: Exchange, actor: str) -> tuple[FighterId | None, int | None]:
    """Who answers for a role of an exchange: the first acts, the second is acted upon.

    Others step in for the one who is acted upon; which of them it is, the exchange tells.
    """
    roles = exchange.session.game.system.actors
    role = role_of(actor)
    if here.whole is not None:
        sides = here.whole.roles
        return None, sides.index(role) if role in sides else None
    if role == roles[0]:
        return exchange.actor, exchange.actor.side
    if role == roles[1]:
        return exchange.target, exchange.target.side
    return None, exchange.target.side


def _checked(question: FightQuestion, answer: Answer) -> Answer:
    """An answer to a question of the fight's own, as it is kept.

    Raises:
        AnswerError: it doesn't answer the question.
    """
    if question.dice is not None:
        faces = question.dice.meant(answer.faces or ((answer.option,) if answer.option else ()))
        wrong = question.dice.refuse(faces)
        if wrong:
            raise AnswerError(f"{question.ask}: {wrong}")
        by = answer.by if len(answer.by) == len(faces) else answer.by[:1] * len(faces)
        return Answer(faces=cast("tuple[Face, ...]", faces), by=by)
    names = [option.name for option in question.options]
    if answer.option in names:
        return answer
    why = dict(question.closed).get(answer.option)
    reason = f": {why}" if why else " is not on offer"
    given = answer.option or " ".join(map(str, answer.faces))
    raise AnswerError(f"{question.ask} {shown(given)}{reason}; allowed: {', '.join(names)}")
