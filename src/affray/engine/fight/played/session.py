"""A fight that people play: a session of a whole fight asks, they answer, and the log tells.

It is to a fight what `affray.engine.exchange.session.Session` is to an exchange: immutable, without
input and output. `question` says what is to be rolled or decided, and who has to; `answer` gives a
new session. Whatever is decided in a fight and every die is a question, of one of these kinds:

    initiative   dice of one fighter
    order        who comes first, of those whom the rules leave equal; or a coin. A die whose faces
                 are names, so that it can be typed, rolled and written in a script like any other
    actor        which fighter of a side has the next turn, or whether one who waits acts now
    deed         what the fighter does, and to whom; "wait" where the rules know it, and "pass"
    situation    how far, behind what, in which light; before round 1, or before a deed
    exchange     whatever the exchange asks

What is no question is not asked: an order that the rules fix, a turn in which nothing can be done,
the deeds of a side that only answers.

The moves, answers and a game master's hand, are the truth. Everything else is recomputed from them.
A session keeps the one before it, so undoing costs nothing, at any distance.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from itertools import chain
from typing import TypeAlias, cast

from affray.core.dice import Face
from affray.core.errors import AnswerError, SetupError
from affray.engine.exchange.difference import Difference, difference
from affray.engine.exchange.game import Game
from affray.engine.exchange.session import Answer, Session, answer_of
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import Block, Moment, Verdict
from affray.engine.fight.played.deeds import attempts
from affray.engine.fight.played.hands import Accustom, AskAgain, Hand, play_hand
from affray.engine.fight.played.matters import Chosen, first_of_scene, first_unsaid, said
from affray.engine.fight.played.onward import begun
from affray.engine.fight.played.position import (
    Act,
    Call,
    Conditions,
    Event,
    Exchange,
    Interrupt,
    Order,
    Position,
    Roll,
)
from affray.engine.fight.played.questions import (
    ACT,
    PASS,
    WAIT,
    Deeds,
    FightQuestion,
    answers_for,
    asked_to_act,
    asked_to_interrupt,
    block_names,
    call_question,
    checked_answer,
    deed_question,
    deeds_of,
    equals,
    exchange_question,
    interrupt_question,
    named_deeds,
    order_question,
    situation_question,
    whole_order,
    why_no_wait,
)
from affray.engine.fight.played.supply import (
    begin,
    begin_whole,
    called,
    declared,
    held,
    interrupted,
    kept_up,
    ordered,
    passed,
    rolled,
    went_on,
)

__all__ = ["FightSession", "Move"]

Move: TypeAlias = Answer | Hand
"""A move of a fight: somebody's answer, or a game master's hand."""


class FightSession:
    """A fight in play. Immutable: every change gives a new session.

    Args:
        contest: the fight. Its plans narrow what is asked: with plans that decide everything
            nobody is asked anything in an exchange.
        rounds: after how many rounds it has stalled; None: never.
        unsaid: what is asked of the situation (see `Position.unsaid`).
        scene: whether that is asked before the first round, as far as it may matter; else when it
            first matters for a deed.

    Attributes:
        position: the fight as it stands.
        past: the session before the last move; None at the beginning.
        move: the last move; None at the beginning.
        events: what has happened since the last move.
    """

    def __init__(
        self,
        contest: Contest,
        rounds: int | None = None,
        unsaid: frozenset[tuple[int, str]] = frozenset(),
        *,
        scene: bool = False,
    ) -> None:
        here = begin(contest, rounds)
        self._begin(here._replace(unsaid=unsaid) if unsaid else here, scene=scene)

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

    def _begin(self, here: Position, *, scene: bool = False) -> None:
        self.past: FightSession | None = None
        self.move: Move | None = None
        self._rest(here, scene=scene)

    def _rest(
        self,
        here: Position,
        partly: tuple[Block, ...] = (),
        chosen: Chosen | None = None,
        *,
        scene: bool = False,
    ) -> None:
        """Go on to the next question; what nobody is asked is settled on the way.

        Args:
            here: the position.
            partly: the part of an order that is known; of a call, those who don't want it.
            chosen: the deed that will be done, once the situation is known.
            scene: whether the scene is being set.
        """
        events = list(here.events) if not partly else []
        unsaid, began = None, here.moment.round
        if scene and (found := first_of_scene(here)) is not None:
            chosen, unsaid = found
        elif chosen is not None:
            unsaid = first_unsaid(here, chosen)
            if unsaid is None:
                there, chosen = _begun_if_allowed(here, chosen), None
                began = began if there is not None else -1
                here = there or here
        while unsaid is None and not _is_stuck(here, began):
            next_ = _unasked(here, partly)
            if next_ is None:
                break
            here, partly = next_, ()
            events += here.events
        self.position, self._partly, self.events = here, partly, tuple(events)
        self._chosen, self._unsaid = chosen, unsaid

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
        return answers_for(self.position, need, actor)[1] if isinstance(need, Exchange) else None

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
        if self._chosen is not None and self._unsaid is not None:
            return situation_question(here, self._chosen, self._unsaid)
        if isinstance(need, Roll):
            return FightQuestion(
                "initiative", need.fighter, need.fighter.side, "initiative", need.pool
            )
        if isinstance(need, Order):
            return order_question(here, equals(here, need, self._partly))
        if isinstance(need, Call):
            return call_question(here, need, self._partly)
        if isinstance(need, Interrupt):
            return interrupt_question(here, need, self._partly)
        if isinstance(need, Act):
            return deed_question(here, need, self._deeds)
        if isinstance(need, Exchange):
            asked = need.session.question
            assert asked is not None  # an exchange that is over has gone on
            return exchange_question(here, need, asked)
        return None

    @property
    def deeds(self) -> Collection[str]:
        """Every deed that may be answered now, those among them that people aren't shown."""
        if not isinstance(self.position.need, Act) or self._chosen is not None:
            return ()
        return self._deeds.offered

    @cached_property
    def difference(self) -> Difference:
        """The difference that the options of an open decision of an exchange make."""
        exchange = self.exchange
        return Difference() if exchange is None else difference(exchange)

    @cached_property
    def _deeds(self) -> Deeds:
        """The deeds of the turn."""
        act = self.position.need
        assert isinstance(act, Act)
        return deeds_of(self.position, act)

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
                told = f"{question.step} ({question.ask}): {error}"
                raise AnswerError(told, faults=error.faults) from None
            answer = exchange.answers[-1]
            return self._moved(answer, went_on(here, exchange))
        answer = checked_answer(question, answer_of(given, by), self.deeds)
        if self._chosen is not None and self._unsaid is not None:
            there = said(here, self._chosen, self._unsaid, answer.option)
            if self._chosen.is_scene:
                return self._moved(answer, there, scene=True)
            return self._moved(answer, there, chosen=self._chosen)
        if isinstance(need, Roll):
            return self._moved(answer, rolled(here, answer.faces))
        if isinstance(need, Order):
            blocks = equals(here, need, self._partly)
            names = block_names(here, blocks)
            block = blocks[names.index(cast("str", answer.faces[0]))]
            return self._moved(answer, here, (*self._partly, block))
        if isinstance(need, Call):
            return self._called(answer, need)
        if isinstance(need, Interrupt):
            return self._broke_in(answer, need)
        if answer.option == WAIT:
            return self._moved(answer, held(here))
        if answer.option == PASS:
            return self._moved(answer, passed(here))
        one = self._deeds.offered[answer.option]
        deed, target = one.deed, one.target
        chosen = Chosen(question.fighter, deed, target) if question.fighter else None
        if chosen is not None and not one.apart and first_unsaid(here, chosen) is not None:
            return self._moved(answer, here._replace(events=()), chosen=chosen)
        return self._moved(answer, declared(here, deed, target, one.picks))

    def _called(self, answer: Answer, call: Call) -> FightSession:
        here = self.position
        asked = asked_to_act(here, call, self._partly)
        if asked is None:
            found = next(who for who in call.among if here.name(who) == answer.option)
            return self._moved(answer, called(here, found))
        if answer.option == ACT:
            return self._moved(answer, called(here, asked))
        return self._moved(answer, here, (*self._partly, (asked,)))

    def _broke_in(self, answer: Answer, need: Interrupt) -> FightSession:
        who = asked_to_interrupt(need, self._partly)
        assert who is not None  # somebody was asked
        if answer.option == ACT:
            return self._moved(answer, interrupted(self.position, who))
        return self._moved(answer, self.position, (*self._partly, (who,)))

    def hand(self, hand: Hand) -> FightSession:
        """The session after a game master's hand.

        Raises:
            AnswerError: it can't be done now.
            SetupError: it names nobody, or what the rules refuse.
        """
        there = play_hand(self.position, hand)
        if self._chosen is not None and self._chosen.is_scene:
            return self._moved(hand, there, scene=True)
        if isinstance(hand, Accustom | AskAgain):  # the deed that was chosen stays
            return self._moved(hand, there, self._partly, self._chosen)
        return self._moved(hand, there)

    def undo(self) -> FightSession:
        """The session before the last move; the same session at the beginning."""
        return self.past or self

    def _moved(
        self,
        move: Move,
        here: Position,
        partly: tuple[Block, ...] = (),
        chosen: Chosen | None = None,
        *,
        scene: bool = False,
    ) -> FightSession:
        moved = object.__new__(FightSession)
        moved.past, moved.move = self, move
        moved._rest(here, partly, chosen, scene=scene)
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
                raise AnswerError(f"move {number}: {error}", faults=error.faults) from None
        return session


def _begun_if_allowed(here: Position, chosen: Chosen) -> Position | None:
    """The position in which a deed has begun; None where the rules refuse it as it is now.

    Then the deed is asked for again, and closed with the reason.
    """
    try:
        return declared(here, chosen.deed, chosen.target)
    except SetupError:
        return None


def _is_stuck(here: Position, began: int) -> bool:
    """Whether somebody is asked for a deed though none is possible.

    Where people say how the situation is, they may say that nobody reaches anybody; a game master
    can still change that.

    Args:
        here: the position.
        began: the round in which somebody was asked last; -1: the deed is asked for again.
    """
    if not isinstance(here.need, Act) or here.need.settles:
        return False
    if any(deed.forced for deed in here.need.deeds):
        return False
    is_said = any(ground.said for ground in here.grounds)
    return is_said and (began < 0 or here.moment.round > began + 1)


# -- what is not asked ---------------------------------------------------------------------------


def _unasked(here: Position, partly: tuple[Block, ...]) -> Position | None:
    """The position after what nobody is asked; None: somebody is."""
    need = here.need
    if isinstance(need, Roll) and not need.pool.size:
        return rolled(here, ())
    if isinstance(need, Order):
        if len(equals(here, need, partly)) > 1:
            return None
        return ordered(here, whole_order(here, need, partly))
    if isinstance(need, Call):
        if call_question(here, need, partly) is not None:
            return None
        return called(here, None)
    if isinstance(need, Interrupt):
        return kept_up(here) if interrupt_question(here, need, partly) is None else None
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
    for _, deed, target in named_deeds(here, act):
        try:
            begun(here, deed, target)
        except SetupError:
            continue
        return None
    waits = here.contest.fight.waits and act.deeds and not why_no_wait(here)
    return None if waits else passed(here, "nothing can be done")
