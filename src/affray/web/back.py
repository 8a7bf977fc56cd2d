"""Back and forth in a game: what an undo takes back, other choices, a die to be corrected."""

from __future__ import annotations

from collections.abc import Mapping

from affray.app.fight import Fight
from affray.app.goes_on import Game, due, redone, undone
from affray.app.inputs.fight_hands import HandMove
from affray.app.inputs.fight_sheets import SIDES
from affray.app.rights import may
from affray.app.views.accounts import by_name
from affray.app.views.exchanges import die_rows
from affray.core.actor import role_of
from affray.core.errors import AnswerError, ForbiddenError
from affray.core.lazy import NamedTuple
from affray.core.telling import counted
from affray.engine.exchange.sealed import waits_sealed
from affray.engine.exchange.session import Answer, Session
from affray.engine.fight.played.questions import FightQuestion
from affray.engine.fight.played.session import FightSession
from affray.web.games import Look
from affray.web.questions import DieField, die_fields

__all__ = ["Back", "Corrected", "Instead", "back_of"]

MOST_CHOICES = 12
"""Decisions that are listed with what else could have been chosen, the last ones."""
MOST_INSTEAD = 8
"""Other options that are listed of each."""


class Instead(NamedTuple):
    """A decision that was made, and what could have been chosen instead.

    Attributes:
        moves: how many moves were made before it.
        words: what was decided. options: what else was on offer.
    """

    moves: int
    words: str
    options: tuple[str, ...]


class Corrected(NamedTuple):
    """The last roll, whose dice may be corrected: what it was, and its dice."""

    words: str
    dice: tuple[DieField, ...]


class Back(NamedTuple):
    """What can be done with what has been done.

    Attributes:
        undo: what an undo takes back, in words; "": there is nothing, or it isn't for this role.
        redo: what a redo gives again.
        asks: whether the game master is asked for it.
        correct: the last roll; None: there is none, or it isn't for this role.
        instead: decisions to go back to, in a game of their own; for the game's master only.
    """

    undo: str
    redo: str
    asks: bool
    correct: Corrected | None
    instead: tuple[Instead, ...]


def back_of(look: Look) -> Back:
    """What somebody may do with what has been done in a game."""
    may_undo, asks = _allowed(look, {"do": "undo"})
    may_redo, _ = _allowed(look, {"do": "redo"})
    may_correct, _ = _allowed(look, {"do": "correct", "die": 1, "face": "1"})
    return Back(
        _undo(look) if may_undo or asks else "",
        _redo(look) if may_redo or asks else "",
        asks,
        _last_roll(look.game) if may_correct else None,
        tuple(_instead(look.game)) if look.role.kind == "master" else (),
    )


def _allowed(look: Look, change: Mapping[str, object]) -> tuple[bool, bool]:
    """Whether somebody may do something; else, whether the game master can be asked for it."""
    try:
        may(look.game, look.role, change, back=look.back, unsaid=look.unsaid)  # type: ignore[arg-type]
    except ForbiddenError as error:
        return False, error.asks
    return True, False


def _undo(look: Look) -> str:
    game = look.game
    try:
        first = len(undone(game, 1, lambda one: due(one, look.unsaid) is None).moves)
    except AnswerError:
        return ""
    more = len(game.moves) - first - 1
    followed = f", and {counted(more, 'answer')} that followed" if more else ""
    return f"{_told(look, game, first)}{followed}"


def _redo(look: Look) -> str:
    if not look.game.undone:
        return ""
    again = redone(look.game, 1, lambda one: due(one, look.unsaid) is None)
    return _told(look, again, len(look.game.moves))


def _told(look: Look, game: Game, n: int) -> str:
    """A move in words, as far as somebody may see it."""
    before = _before(game, n)
    exchange = before.exchange if isinstance(before, FightSession) else before
    if look.role.kind != "master" and exchange is not None and waits_sealed(exchange):
        return "the last answer"
    return _move_told(game, n, before)


def _before(game: Game, n: int) -> Session | FightSession:
    """Where a game stood before a move."""
    if isinstance(game, Fight):
        return game.session.line[n]
    return game.undo(len(game.moves) - n).session


def _move_told(game: Game, n: int, before: Session | FightSession) -> str:
    move, question = game.moves[n], before.question
    if isinstance(move, HandMove) or question is None:
        return "the game master's hand"
    answer = move.option or " ".join(str(face) or "blank" for face in move.faces)
    if isinstance(question, FightQuestion):
        assert isinstance(before, FightSession)  # whose question it is
        who = "" if question.side is None else SIDES[question.side]
        who = before.position.name(question.fighter) if question.fighter else ""
        ask = question.ask
    else:
        assert not isinstance(game, Fight)  # whose questions are of the other kind
        who, ask = game.names.get(role_of(question.actor), ""), by_name(question.ask, game.names)
    named = f"{who}: " if who and not ask.startswith(who) else ""
    return f"{named}{ask.rstrip('?')}: {answer}"


def _last_roll(game: Game) -> Corrected | None:
    rolls = [n for n, move in enumerate(game.moves) if isinstance(move, Answer) and move.faces]
    if not rolls:
        return None
    n = rolls[-1]
    before, move = _before(game, n), game.moves[n]
    assert isinstance(move, Answer)  # as it has faces
    if before.question is None:
        return None
    rows = die_rows(before.question.dice)
    dice = die_fields(rows, f"again-{n}", move.faces)
    return Corrected(_move_told(game, n, before), tuple(dice))


def _instead(game: Game) -> list[Instead]:
    """The last decisions of people, the latest first, with what else was on offer."""
    found = list[Instead]()
    for n in range(len(game.moves) - 1, -1, -1):
        move = game.moves[n]
        if not isinstance(move, Answer) or move.by[:1] not in {("hand",), ("line",)}:
            continue
        before = _before(game, n)
        if not move.option or before.question is None:
            continue
        names = [row.name for row in before.question.options if row.name != move.option]
        if names:
            told = _move_told(game, n, before)
            found.append(Instead(n, told, tuple(names[:MOST_INSTEAD])))
        if len(found) == MOST_CHOICES:
            break
    return found
