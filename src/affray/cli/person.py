"""A person at the terminal: types faces and decisions, and can undo."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

from affray.app import play
from affray.app.play import PlayedGame
from affray.cli.texts import say
from affray.core.dice import Face
from affray.core.errors import AnswerError, LimitError
from affray.core.telling import shown

if TYPE_CHECKING:
    from affray.app.views.exchanges import QuestionRow
    from affray.cli.game_file import GameFile
    from affray.engine.budget import Budget

__all__ = ["Seat", "play_here"]

MOST_TYPED = 10_000
"""Characters of a line that are looked at."""
HELP = "Type your answer; u undoes the last one, q stops here, ? shows this help."


class _StopError(Exception):
    """The person stops; what was played stays."""


class _UndoError(Exception):
    """The person takes the last answer back."""


class Seat(NamedTuple):
    """The person who answers at this terminal.

    Attributes:
        own_dice: the person types every face.
        seed: the computer rolls with this seed; None: with the operating system's entropy.
        objective: the computer decides for this objective; None: the person decides.
        scripted: dice were given, so the computer rolls no others.
        quiet: nobody is asked.
    """

    own_dice: bool = False
    seed: int | None = None
    objective: str | None = None
    scripted: bool = False
    quiet: bool = False


class Person:
    """Asks at the terminal. Faces may be typed one by one or all at once."""

    def __init__(self) -> None:
        self._picture = ""
        self._about: tuple[tuple[str, object], ...] = ()

    def option(self, game: PlayedGame, question: QuestionRow) -> str:
        """The option that the person takes."""
        self._show_table(game)
        # What was said with the last question and still holds is not said again.
        new = [pair for pair in question.about if pair not in self._about]
        self._about = question.about
        about = ", ".join(f"{label} {value}" for label, value in new)
        say(f"{question.actor}: {question.ask}{f' ({about})' if about else ''}")
        for number, option in enumerate(question.options, start=1):
            words = f"  {option.words}" if option.words else ""
            say(f"  {number} {option.name}{words}")
        for name, why in question.closed:
            say(f"  - {name}: closed, {why}")
        while True:
            try:
                return play.option_meant(game, _typed("option> "))
            except AnswerError as error:
                say(f"  {error}")

    def faces(self, game: PlayedGame, question: QuestionRow) -> tuple[Face, ...]:
        """The faces that the person has rolled."""
        dice = play.dice_asked_for(game)
        faces: list[Face] = []
        say(f"{question.actor}: {question.ask}, roll {question.dice}")
        while len(faces) < len(dice):
            prompt = f"die {len(faces) + 1} of {len(dice)} ({dice[len(faces)].name})> "
            for part in _typed(prompt).split():
                if len(faces) == len(dice):
                    say(f"  {shown(part)} is one face too many; it is not used")
                    break
                try:
                    faces.append(play.face_meant(game, len(faces), part))
                except AnswerError as error:
                    say(f"  {error}")
                    break
        return tuple(faces)

    def _show_table(self, game: PlayedGame) -> None:
        """Show the table, if it has changed since it was shown."""
        picture = game.picture
        if picture and picture != self._picture:
            say(f"\n{picture}\n")
        self._picture = picture


def _typed(prompt: str) -> str:
    while True:
        say(prompt, end="")
        line = sys.stdin.readline(MOST_TYPED)
        text = line.strip().replace(",", " ")
        if not line or text in {"q", "quit"}:
            raise _StopError
        if text in {"u", "undo"}:
            raise _UndoError
        if text == "?":
            say(HELP)
        elif text:
            return text


class _Table:
    """The one who answers a question: the computer, the person, or nobody."""

    def __init__(self, game: PlayedGame, seat: Seat, budget: Budget | None) -> None:
        here = sys.stdin.isatty() or seat.own_dice
        self.follows = here and not seat.quiet
        self.person = Person()
        self.types = seat.own_dice
        self.decides = self.follows and seat.objective is None
        self.policy = (
            None if seat.objective is None else play.computer_decides(game, seat.objective, budget)
        )
        rolls = not seat.own_dice and (seat.seed is not None or not seat.scripted)
        self.dice = play.computer_rolls(seat.seed) if rolls else None

    def answered(self, game: PlayedGame) -> PlayedGame:
        """The game after the next answer; the same game if nobody answers."""
        question = game.question
        if question is None:
            return _undone_at_end(game) if self.decides else game
        try:
            if question.dice:
                if self.types:
                    return play.answer(game, self.person.faces(game, question))
                return game if self.dice is None else play.roll(game, self.dice)
            if self.policy is not None:
                return play.decide(game, self.policy)
            if self.decides:
                return play.answer(game, self.person.option(game, question))
        except _UndoError:
            if game.answers:
                return play.undo(game)
            say("  nothing to undo")
            return self.answered(game)
        return game


def _undone_at_end(game: PlayedGame) -> PlayedGame:
    """The end, unless the person takes the last answer back."""
    say("It is over. Type u to undo the last answer, anything else to end> ", end="")
    undone = sys.stdin.readline(MOST_TYPED).strip() in {"u", "undo"}
    return play.undo(game) if undone else game


def play_here(
    game: PlayedGame, seat: Seat, *, save: GameFile | None = None, budget: Budget | None = None
) -> tuple[PlayedGame, LimitError | None]:
    """Go on with a game at this terminal until it is over or nobody answers.

    Args:
        game: where it stands.
        seat: who answers.
        save: where to keep the game, after every answer.
        budget: how much each decision of the computer may take.

    Returns:
        Where it stands, and the limit at which the computer gave up deciding, if it did.
    """
    limit: LimitError | None = None
    told = len(game.log)
    table = _Table(game, seat, budget)
    try:
        while True:
            before = game
            game = table.answered(game)
            if save is not None:
                save.save(game)
            if game is before:
                break
            if table.follows:
                told = _follow(game, told)
    except (_StopError, KeyboardInterrupt):
        say("stopped here")
    except LimitError as error:
        limit = error
    if save is not None:
        save.save(game)
    return game, limit


def _follow(game: PlayedGame, told: int) -> int:
    """Tell what happened since the last question."""
    lines = game.log
    for line in lines[min(told, len(lines)) :]:
        faces = f" [{', '.join(map(str, line.faces))}]" if line.faces else ""
        says = line.says or line.words or line.option
        if says or faces:
            say(f"  {line.actor}{faces} {says}".rstrip())
    return len(lines)
