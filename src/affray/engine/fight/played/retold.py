"""A battle that engines have played, told again as a fight that people can watch and play on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from affray.core.errors import AnswerError
from affray.core.node import Choice
from affray.engine.exchange.game import settled_option
from affray.engine.exchange.session import Answer
from affray.engine.fight.contest import Contest
from affray.engine.fight.played.computers import plans_of
from affray.engine.fight.played.position import Act, Exchange, Position
from affray.engine.fight.played.questions import PASS, deed_named
from affray.engine.fight.played.record import PlayedExchange, Record
from affray.engine.fight.played.session import FightSession

__all__ = ["retold"]


def retold(session: FightSession, contest: Contest, record: Record) -> FightSession:
    """The fight to which the answers of a battle lead, with everything that plans decided in it.

    Args:
        session: the same fight at its beginning; whatever plans decided in the battle is asked.
        contest: the fight as it was fought, with its plans.
        record: what was kept of the battle.

    Raises:
        AnswerError: an answer that the rules of today don't allow, or that is missing.
    """
    rolls = iter([answer for answer in record.initiative if answer.faces])
    n_done, answers = _n_exchanges(session), None  # some are over before anything is asked
    while (question := session.question) is not None:
        here = session.position
        answer: Answer
        if question.kind == "initiative":
            answer = _next(rolls, "the record has no dice of initiative")
        elif question.kind == "order" and question.dice is not None:
            answer = _first(here, question.dice.dice[0].faces, record)
        elif question.kind == "deed":
            answer = Answer(option=_deed(here, record.exchanges[n_done:]), by=("policy",))
        elif question.kind == "actor":
            answer = Answer(option=question.options[0].name, by=("policy",))
        else:
            if answers is None:
                answers = iter(record.exchanges[n_done].answers if n_done < len(record.exchanges)
                               else ())  # fmt: skip
            answer = _in_exchange(here, contest) or _next(
                answers, f"round {here.moment.round}: the record lacks an answer of an exchange"
            )
        session = session.answer(answer)
        done = _n_exchanges(session)
        n_done, answers = n_done + done, None if done else answers
    if n_done < len(record.exchanges):
        left = record.exchanges[n_done]
        raise AnswerError(f"round {left.round}: {left.deed} is kept, but the fight is over then")
    return session


def _n_exchanges(session: FightSession) -> int:
    """How many exchanges ended since the last move."""
    return sum(event.kind == "exchange" for event in session.events)


def _next(answers: Iterator[Answer], why: str) -> Answer:
    answer = next(answers, None)
    if answer is None:
        raise AnswerError(why)
    return answer


def _first(here: Position, faces: Sequence[object], record: Record) -> Answer:
    """The one of those who are equal who comes first in the round's order."""
    number = here.moment.round - 1
    order = record.orders[number] if number < len(record.orders) else ()
    told = list(chain.from_iterable(
        (here.name(who), here.contest.sides[who.side].name) for who in order
    ))  # fmt: skip
    found = sorted((name for name in faces if name in told), key=told.index)
    if not found:
        raise AnswerError(f"round {number + 1}: the record has no order of turns")
    return Answer(faces=(str(found[0]),), by=("other",))


def _deed(here: Position, left: Sequence[PlayedExchange]) -> str:
    """The option's name for the deed that comes next in the record; passing if it is another's."""
    act = here.need
    assert isinstance(act, Act)
    if not left or left[0][:2] != (here.moment.round, act.actor):
        return PASS
    entry = left[0]
    deed = next((one for one in act.deeds if one.name == entry.deed), None)
    return entry.deed if deed is None else deed_named(here, deed, entry.target)


def _in_exchange(here: Position, contest: Contest) -> Answer | None:
    """The option that plans left alone; None: it was asked, or dice are."""
    need = here.need
    assert isinstance(need, Exchange)
    at = need.session.here
    node = at.step.rule(at.facts)
    if not isinstance(node, Choice):
        return None
    game = need.session.game._replace(narrow=plans_of(here, need, contest))
    option = settled_option(game, at, node)
    return None if option is None else Answer(option=option.name, by=("policy",))
