"""A line that somebody types or sends where a decision is open, in a fight or an exchange.

It may decide a whole turn (`attack husk 2 burst`), the turns of a group (`all husks attack
nearest`), say `again` what a mate did, answer a question of the situation, or make an option a
habit (`burst!`, `burst!!` for the whole side, `burst! against husk`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from affray.app.ahead import Ahead, Later, Order
from affray.app.fight import Fight
from affray.app.groups import AGAIN, group_of, said_before
from affray.app.inputs.fight_hands import HandMove
from affray.app.inputs.fight_sheets import SIDES
from affray.app.turns import Turn, turn_of
from affray.app.wording import meant, options_meant
from affray.core.errors import AnswerError
from affray.core.lazy import NamedTuple
from affray.core.telling import shown
from affray.engine.exchange.session import Answer
from affray.engine.fight.played.questions import FightQuestion

__all__ = [
    "Said",
    "always",
    "habit_meant",
    "kept_for_later",
    "lines_of",
    "said",
]

_HABIT = re.compile(r"(?P<option>[^!]+)!(?P<side>!)?(?: +against +(?P<against>.+))?")


class Said(NamedTuple):
    """What a line comes to.

    Attributes:
        answers: to the open question, and to those after it.
        habit: an option that is always taken from now on; None: it makes none.
        ahead: what is kept for later.
        turn: the turn that it decides; None: it decides none.
        told: what the one who said it should know: whom it was noted for.
    """

    answers: tuple[Answer, ...]
    ahead: Ahead
    habit: HandMove | None = None
    turn: Turn | None = None
    told: str = ""


def said(
    fight: Fight,
    text: str,
    *,
    fills: bool = True,
    is_ordered: bool = False,
    picks: Mapping[str, str] | None = None,
) -> Said:
    """What a line comes to at the open decision.

    Args:
        fight: it waits for a decision.
        text: the line.
        fills: whether what it doesn't say is taken as usual; else the turn ends there.
        is_ordered: whether it was said earlier, for a group or before a question of the situation;
            then whoever takes the answer back takes back what led to it.
        picks: options by the keys of their decisions, which count more than the line.

    Raises:
        AnswerError: words that mean nothing on offer, or several things; nothing is decided now.
    """
    question, ahead = fight.asked, fight.ahead
    if question is None or not question.options:
        raise AnswerError("a line is for a decision, and none is open")
    if question.kind == "situation":
        found = options_meant(question.options, text)
        option = found[0] if len(found) == 1 else text
        return Said((Answer(option=option, by=("hand",)),), ahead)
    group = None if picks else group_of(fight, text)
    if group is not None:
        number = fight.session.moment.round
        ahead = ahead._replace(orders=tuple(Order(one, number, group.line) for one in group.names))
        noted = f"noted for this round: {', '.join(group.names)}: {group.line}"
        asked = _named(fight, question)
        if asked not in group.names:
            return Said((), ahead, told=noted)
        found_said = said(
            fight.expecting(ahead.without_order(asked)), group.line,
            fills=fills, is_ordered=is_ordered,
        )  # fmt: skip
        return found_said._replace(told=noted)
    habit = None if picks else habit_meant(fight, question, text)
    if habit is not None:
        return Said((), ahead, habit=habit)
    turn = turn_of(fight, *lines_of(fight, question, text), fills=fills, picks=picks)
    if turn.unmet:
        raise AnswerError(f"{shown(turn.unmet[0])} is not on offer in this turn: {turn.told}")
    first, *rest = turn.answers
    first = first._replace(by=("line",)) if is_ordered else first
    return Said((first, *rest), kept_for_later(fight, question, turn), turn=turn)


def lines_of(fight: Fight, question: FightQuestion, text: str) -> tuple[str, ...]:
    """The lines that a line stands for: `again` for those of a mate, any other for itself."""
    names = [option.name for option in question.options]
    is_again = text.casefold() == AGAIN and not meant(text, names)
    return said_before(fight) if is_again else (text,)


def kept_for_later(fight: Fight, question: FightQuestion, turn: Turn) -> Ahead:
    """What was said for later, with that of a turn which somebody decides at a question."""
    who = _named(fight, question)
    new = [Later(who, one.step, one.option, one.names) for one in turn.later]
    over = {(one.who, one.step) for one in new}
    kept = [one for one in fight.ahead.later if (one.who, one.step) not in over]
    return fight.ahead._replace(later=(*kept, *new), words=turn.left)


def _named(fight: Fight, question: FightQuestion) -> str:
    return "" if question.fighter is None else fight.session.position.name(question.fighter)


# -- habits --------------------------------------------------------------------------------------


def habit_meant(fight: Fight, question: FightQuestion, text: str) -> HandMove | None:
    """The habit that a line makes of an option that is on offer; None: it makes none."""
    found = _HABIT.fullmatch(text)
    if found is None or any(text in {one.name, *one.also} for one in question.options):
        return None
    options = options_meant(question.options, found["option"])
    if len(options) != 1:
        return None
    return always(fight, options[0], for_side=bool(found["side"]), against=found["against"] or "")


def always(fight: Fight, text: str, *, for_side: bool = False, against: str = "") -> HandMove:
    """The hand that makes an option a habit.

    It is one of the open choice, or of a choice that this side has had in this fight.

    Args:
        fight: where it stands.
        text: the option, as somebody types it.
        for_side: whether everybody of the side takes it; else the fighter who had the choice.
        against: how the names of those begin against whom it is taken; "": anybody.

    Raises:
        AnswerError: no choice of an exchange has had it.
    """
    open_side = None if fight.asked is None else fight.asked.side
    for session in reversed(fight.session.line):
        question = None if session.exchange is None else session.question
        if question is None or question.side != open_side:
            continue
        found = meant(text, [one.name for one in question.options])
        if len(found) == 1 and question.dice is None:
            side = "" if question.side is None else SIDES[question.side]
            named = fight.session.position.name(question.fighter) if question.fighter else side
            more = {"against": against.strip()} if against.strip() else {}
            who = side if for_side else named
            return HandMove(
                "habit", {"who": who, "step": question.step, "option": found[0], **more}
            )
    raise AnswerError(
        f"always {shown(text)}: no choice of an exchange has had it; type ! after an option"
    )
