"""The usual option of a decision in a fight: the one that Enter takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from affray.app.wording import called
from affray.core.node import Choice
from affray.engine.exchange.game import liked
from affray.engine.exchange.session import Answer, Session
from affray.engine.fight.course import FighterId
from affray.engine.fight.played.position import Act, Exchange, Position
from affray.engine.fight.played.questions import PASS, FightQuestion, answers_for
from affray.engine.fight.played.session import FightSession

__all__ = ["plain_option", "usual"]


def usual(session: FightSession, question: FightQuestion) -> str:
    """The option that Enter takes.

    It is what the fighter decided there last, or a mate of the same kind, if it costs nothing;
    else what the room's rule of thumb likes best of what costs nothing; else the first option.
    Of deeds only those done to somebody are done again: who walked once does not walk on for ever.
    An extra turn, which has to be paid for, is passed.

    Args:
        session: the fight.
        question: the decision that it waits for.
    """
    free = [option.name for option in question.options if not option.spends]
    names = free or [option.name for option in question.options]
    if question.kind == "deed" and session.position.moment.extra and PASS in names:
        return PASS
    if session.position.whole is None:
        again = _done_to_somebody(session.position, names) if question.kind == "deed" else names
        last = next((option for option in _before(session) if option in again), "")
        if last:
            return last
    exchange = session.exchange
    return names[0] if exchange is None else plain_option(exchange, names)


def plain_option(exchange: Session, names: Sequence[str] = ()) -> str:
    """The option of an exchange that the room's rule of thumb likes best, else the first one.

    Args:
        exchange: it waits for a decision.
        names: the options among which to choose; none: those that cost nothing, if there are any.
    """
    choice = exchange.node
    assert isinstance(choice, Choice)  # a decision is waited for
    if not names:
        free = [option.name for option in choice.options if option.is_free]
        names = free or [option.name for option in choice.options]
    best = (option.name for option in liked(exchange.game, exchange.here, choice))
    return next((name for name in best if name in names), names[0])


def _done_to_somebody(here: Position, names: Sequence[str]) -> list[str]:
    """The deeds that are done to a fighter."""
    fighters = {here.name(who) for who in here.course.everybody}
    return [name for name in names if called(name) in fighters]


def _before(session: FightSession) -> Iterator[str]:
    """Earlier decisions at this place, the last first: the fighter's own, then those of mates."""
    place, here, by_mates = _place(session), session, list[str]()
    while place is not None and here.past is not None:
        move, here = here.move, here.past
        if not isinstance(move, Answer) or not move.option:
            continue
        other = _place(here)
        if other == place:
            yield move.option
        elif other is not None and _are_alike(session.position, place, other):
            by_mates.append(move.option)
    yield from by_mates


def _are_alike(here: Position, place: Place, other: Place) -> bool:
    """Whether another one of the same kind and side decided at the same step."""
    (who, step), (mate, at) = place, other
    same = who is not None and mate is not None and who.side == mate.side and step == at
    return same and who is not None and mate is not None and here.sheet(who) == here.sheet(mate)


Place = tuple[FighterId | None, str]
"""Who decides, and at which step of an exchange; "": on a deed."""


def _place(session: FightSession) -> Place | None:
    """Who decides, and at which step; None: it is neither a turn nor an exchange."""
    here, need = session.position, session.position.need
    if isinstance(need, Act):
        return need.actor, ""
    if isinstance(need, Exchange) and need.session.question is not None:
        asked = need.session.question
        return answers_for(here, need, asked.actor)[0], asked.step
    return None
