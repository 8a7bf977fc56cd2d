"""What a game does by itself, until somebody has to be asked.

An answer that makes no difference is not asked for, habits and what was said before are followed,
computers decide and roll. All of that is a step of one of these kinds:

| kind | what happens |
|---|---|
| `answer` | an answer that is known already |
| `roll` | the computer rolls: a seat that is "rolled", or a computer's |
| `decide` | the computer decides; where it works something out that may take long |
| `drop` | what was said for this decision means nothing on offer; somebody is asked |
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from affray.app.ahead import NOTHING_AHEAD, Ahead
from affray.app.fight import Fight
from affray.app.lines import said
from affray.app.play import PlayedGame
from affray.core.errors import AnswerError
from affray.core.lazy import NamedTuple
from affray.engine.exchange.sealed import waits_sealed
from affray.engine.exchange.session import Answer
from affray.engine.fight.played.questions import FightQuestion

__all__ = ["Due", "Game", "due", "redone", "seat_at", "undone"]

Game = Fight | PlayedGame
QUICK = "first"
"""The policy that works nothing out."""


class Due(NamedTuple):
    """A step that a game takes by itself.

    Attributes:
        kind: as above.
        answer: the answer that is known; else nothing.
        ahead: what is still said for later, without what was said for this moment.
        policy: by which a computer decides in a fight; "": as the fight says.
        told: why what was said is dropped.
    """

    kind: Literal["answer", "roll", "decide", "drop"]
    answer: Answer = Answer()
    ahead: Ahead = NOTHING_AHEAD
    policy: str = ""
    told: str = ""

    @property
    def is_slow(self) -> bool:
        """Whether it may take seconds, so that it is better done in another process."""
        return self.kind == "decide" and self.policy != QUICK


def due(game: Game, unsaid: str = "typed", *, fills: bool = True) -> Due | None:
    """The step that a game takes next by itself; None: somebody is asked, or it is over.

    Args:
        game: where it stands.
        unsaid: the seat of everybody whose seat nobody has named: "typed" or "rolled".
        fills: whether a line that was said before takes as usual what it doesn't say.
    """
    if isinstance(game, Fight):
        return _due_in_fight(game, unsaid, fills=fills)
    return _due(game, unsaid)


def seat_at(game: Game, unsaid: str = "typed") -> str:
    """The seat whose question is open: "typed", "rolled", "computer" or "computer:POLICY".

    A coin belongs to somebody who types dice, if anybody does.
    """
    if game.seat:
        return game.seat
    question = game.asked if isinstance(game, Fight) else None
    if question is not None and question.side is None and "typed" in game.seats.values():
        return "typed"
    return unsaid


def _due(game: PlayedGame, unsaid: str) -> Due | None:
    question, seat = game.session.question, seat_at(game, unsaid)
    if question is None:
        return None
    if question.dice is not None:
        return None if seat == "typed" else Due("roll")
    if seat == "computer":
        return Due("decide")
    return None if game.unasked is None else Due("answer", game.unasked)


def _due_in_fight(fight: Fight, unsaid: str, *, fills: bool) -> Due | None:
    question, ahead = fight.asked, fight.ahead
    if question is None:
        return None
    if ahead.answers:
        first, *rest = ahead.answers
        return Due("answer", first, ahead._replace(answers=tuple(rest)))
    if question.kind == "deed":  # what was said for an exchange is over with it
        ahead = ahead._replace(later=())
    kind, _, policy = seat_at(fight, unsaid).partition(":")
    if question.dice is not None:
        return None if kind == "typed" else Due("roll", ahead=ahead)
    if kind == "computer" and question.kind == "situation":  # it is as it is assumed to be
        return Due("answer", Answer(option=question.options[0].name, by=("policy",)), ahead)
    if kind == "computer":
        return Due("decide", ahead=ahead, policy=policy)
    return (
        None
        if question.kind == "situation"
        else _known(fight.expecting(ahead), question, fills=fills)
    )


def _known(fight: Fight, question: FightQuestion, *, fills: bool) -> Due | None:
    """An answer that needs nobody: said before, by habit, or of no consequence."""
    named = "" if question.fighter is None else fight.session.position.name(question.fighter)
    names = [option.name for option in question.options]
    option = fight.ahead.option_for(named, question.step, names)
    ahead = fight.ahead.without(named, question.step)
    said_before = Answer(option=option, by=("line",)) if option else None
    for answer in (said_before, fight.habitual, fight.unasked):
        if answer is not None and _is_allowed(fight, answer):
            return Due("answer", answer, ahead)
    line, ahead = ahead.words, ahead._replace(words="")
    if not line and question.kind == "deed":
        line = ahead.ordered_for(named, fight.session.moment.round)
        ahead = ahead.without_order(named)
    if not line:
        return None
    exchange = fight.session.exchange
    if exchange is not None and waits_sealed(exchange):  # such a decision has a line to itself
        return Due("drop", ahead=ahead)
    try:
        found = said(fight.expecting(ahead), line, fills=fills, is_ordered=True)
    except AnswerError as error:
        return Due("drop", ahead=ahead, told=str(error))
    if not found.answers:  # it was to make a habit, or was for somebody else
        return Due("drop", ahead=ahead, told=f"{line}: say that where the choice is open")
    first, *more = found.answers
    return Due("answer", first, found.ahead._replace(answers=tuple(more)))


def _is_allowed(fight: Fight, answer: Answer) -> bool:
    """Whether an answer can be given; what the rules refuse by now is decided anew."""
    try:
        fight.answer(answer)
    except AnswerError:
        return False
    return True


# -- back to where somebody was asked ------------------------------------------------------------


def undone(game: Game, n: int = 1, is_asked: Callable[[Game], bool] | None = None) -> Game:
    """The game before the last answers of people; what it does by itself is taken back with them.

    Args:
        game: where it stands.
        n: how many of their answers.
        is_asked: whether somebody is asked at a place; by default where nothing is due.

    Raises:
        AnswerError: there are not as many.
    """
    return _moved(game, n, "taken back", is_asked or _asks)


def redone(game: Game, n: int = 1, is_asked: Callable[[Game], bool] | None = None) -> Game:
    """The game after answers of people that were taken back are given again; see `undone`."""
    return _moved(game, n, "given again", is_asked or _asks)


def _asks(game: Game) -> bool:
    return due(game) is None


def _moved(game: Game, n: int, what: str, is_asked: Callable[[Game], bool]) -> Game:
    is_back, found = what == "taken back", game
    for done in range(n):
        moved = _step(found, is_back=is_back)
        while moved is not found and not _is_whole(moved, is_asked):
            further = _step(moved, is_back=is_back)
            if further is moved:
                break
            moved = further
        if moved is found or (is_back and not is_asked(moved)):
            many = f"only {done} can be {what}" if done else f"nothing can be {what}"
            raise AnswerError(f"{many}; {n} were asked for" if n > 1 else many)
        found = moved
    return found


def _step(game: Game, *, is_back: bool) -> Game:
    return game.undo() if is_back else game.redo()


def _is_whole(game: Game, is_asked: Callable[[Game], bool]) -> bool:
    """Whether somebody is asked, and the answer given then was no part of a longer line."""
    again = game.undone[:1]
    part = any(isinstance(move, Answer) and move.by == ("line",) for move in again)
    return not part and is_asked(game)
