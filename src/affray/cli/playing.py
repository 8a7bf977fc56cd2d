"""A game at this terminal: whoever has the seat answers, everybody sees what comes of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from affray.app import exchange_computers
from affray.app.advice import advise
from affray.app.play import PlayedGame
from affray.app.roles import ALL, SPECTATOR, EasyRole
from affray.cli.fight_log import Progress, has_rolled, opened
from affray.cli.person import CORRECT, NO_NUMBERS, Command, Lines, Person, StopError, done_told
from affray.cli.screen import open_screen
from affray.cli.seats import ALONE_S, Seats
from affray.cli.show_advice import advice_told
from affray.cli.show_fight import fitted_to, log_lines
from affray.cli.texts import say
from affray.core.actor import role_of
from affray.core.errors import AnswerError, LimitError
from affray.engine.budget import Budget
from affray.engine.exchange.sealed import (
    hides,
    lines_shown,
    log_for,
    picture_for,
    waits_sealed,
)

if TYPE_CHECKING:
    from affray.app.rolling import Roll
    from affray.cli.game_file import GameFile
    from affray.engine.exchange.session import LogLine, Question
    from affray.engine.exchange.sources import Source

__all__ = ["play_here", "role_at"]

HELP = """\
  a choice: type its number, its name or the beginning of it; Enter takes the usual one;
  ? tells what each option is worth
  dice: type the faces, 6 4 or 64; a ten may be typed as 0; Enter or r rolls what is missing
  2=5 corrects die 2, of this roll or of the last one
  why tells every step so far, with its sums and clauses
  u undoes the last answer (u 3: the last three), redo gives it again
  q stops here; faces that lie already are kept in a saved game"""
AT_END = "It is over. Type u to undo the last answer, anything else to end> "


class _Table:
    """The seats of a game: who answers its questions, and what they see."""

    def __init__(self, game: PlayedGame, seats: Seats, budget: Budget | None) -> None:
        asked = any(seat.types for seat in seats.everybody) or bool(seats.by_role)
        self.follows = (sys.stdin.isatty() or asked) and not seats.quiet
        self.seats = seats
        self.dice = exchange_computers.computer_rolls(seats.seed)
        self.width = open_screen().width
        self.tell = fitted_to(say, self.width)
        self.progress = Progress(self.width)
        self.person = Person(self.dice, Lines(tell=self.tell, draw=say))
        self.budget = budget
        self.policy: Source | None = None
        self.told = len(game.log)
        self.back = len(game.taken_back)

    def answered(self, game: PlayedGame) -> PlayedGame | None:
        """The game after the next answer or command; None: nobody answers."""
        question = game.session.question
        if question is None:
            return self._at_end(game)
        roll = game.rolling
        self.dice.went_on((*game.answers, game.lying))
        if self._is_ours(game):
            if not self.follows:
                return None
            if roll is not None:
                return self._typed(game, question, roll)
            return self._decided(game, question)
        if game.unasked is not None and self.seats.of(role_of(question.actor)).decides:
            return game.answer(game.unasked)
        if roll is None:
            return exchange_computers.decide(game, self._policy(game))
        usual = role_of(question.actor) not in self.seats.by_role
        if usual and self.seats.scripted and self.seats.seed is None:
            return None
        return exchange_computers.roll(game, self.dice)

    def _is_ours(self, game: PlayedGame) -> bool:
        """Whether the person at the terminal answers the open question."""
        question = game.session.question
        if question is None or game.unasked is not None:
            return False
        seat = self.seats.of(role_of(question.actor))
        return seat.decides if game.rolling is None else seat.types

    def follow(self, game: PlayedGame) -> None:
        """Tell what happened since the last question."""
        if not self.follows:
            return
        for row in game.taken_back[self.back :]:
            self.tell(f"  {row.told}.")
        self.back = len(game.taken_back)
        lines = log_for(game.session, _is_asked(game))
        if self.seats.long:
            for line in lines[min(self.told, len(lines)) :]:
                for text in log_lines(line, game.names, self.width):
                    self.tell(text)
            self.told = lines_shown(game.session, _is_asked(game))
        else:
            self._tell_accounts(game, lines)

    def _tell_accounts(self, game: PlayedGame, lines: Sequence[LogLine]) -> None:
        """Tell in a line or two what happened, as far as it is over or somebody is asked."""
        accounts = game.told(lines)
        last, question = len(accounts) - 1, game.session.question
        is_over, first = question is None, next(iter(game.names), "")
        is_news = question is not None and role_of(question.actor) != first
        for place, account in enumerate(accounts):
            number = place + 1 if last else 0
            if place < last or is_over:
                texts = self.progress.lines(number, account.text)
            elif self._is_ours(game) and (is_news or has_rolled(account, lines)):
                texts = self.progress.lines(number, opened(account.text), " ...")
            else:
                continue
            for text in texts:
                self.tell(text)

    # -- a person ----------------------------------------------------------------------------

    def _typed(self, game: PlayedGame, question: Question, roll: Roll) -> PlayedGame:
        if self.person.is_new((question, len(game.answers))):
            self.person.tell_roll(_called(game, question), question, roll)
        if roll.is_whole:
            return game.answer(roll.answer)
        reply = self.person.roll(roll)
        if isinstance(reply, Command):
            return self._done(game, reply)
        return game.answer(reply.answer) if reply.is_whole else game.laid(reply.answer)

    def _decided(self, game: PlayedGame, question: Question) -> PlayedGame:
        sealed = waits_sealed(game.session)
        self.person.tell_picture(picture_for(game.session, _is_asked(game)))
        if self.person.is_new((question, len(game.answers))):
            who = _called(game, question)
            others = (name for name in game.names.values() if name != who)
            self.person.tell_choice(who, question, away=", ".join(others) if sealed else "")
            if self.seats.advises:
                self._advise(game)
        reply = self.person.option(question, "" if sealed else game.usual, sealed=sealed)
        return self._done(game, reply) if isinstance(reply, Command) else game.answer(reply)

    def _at_end(self, game: PlayedGame) -> PlayedGame | None:
        """The end, unless the person takes an answer back."""
        if not (self.follows and any(seat.decides for seat in self.seats.everybody)):
            return None
        words = self.person.lines.read(AT_END).split() or [""]
        if words[0] in {"u", "undo"}:
            return self._done(game, Command("undo", tuple(words[1:])))
        return None

    # -- commands ----------------------------------------------------------------------------

    def _done(self, game: PlayedGame, command: Command) -> PlayedGame:
        """The game after a command."""
        if command.name == "quit":
            raise StopError
        if command.name in {"undo", "redo"}:
            self.progress.forget()
            return self._moved(game, command)
        if command.name == CORRECT:
            try:
                return game.corrected(int(command.words[0]), command.words[1])
            except AnswerError as error:
                self.tell(f"  {error}")
        elif command.name == "advice" and game.rolling is None:
            self._advise(game)
        elif command.name == "why":
            self._why(game)
        else:
            self.tell(HELP)
        return game

    def _why(self, game: PlayedGame) -> None:
        """Tell every step so far, with the parts of its sums, chances and clauses."""
        lines = log_for(game.session, _is_asked(game))
        for line in lines:
            for text in log_lines(line, game.names, self.width, itemised=True):
                self.tell(text)
        if not lines:
            self.tell("  nothing has happened yet")

    def _moved(self, game: PlayedGame, command: Command) -> PlayedGame:
        """The game with answers taken back, or given again, to where the person answered them."""
        roll = game.rolling
        if command.name == "undo" and roll is not None and roll.faces:
            return game.laid(roll.shorter.answer)
        found = game
        for done in range(command.number):
            moved = _step(found, command.name)
            while moved.answers != found.answers and not self._is_ours(moved):
                further = _step(moved, command.name)
                if further is moved:
                    break
                moved = further
            if moved is found or (command.name == "undo" and not self._is_ours(moved)):
                self.tell(done_told(command.name, done))
                break
            found = moved
        return found

    def _advise(self, game: PlayedGame) -> None:
        """Tell what each option is worth, or why that is not known."""
        if hides(game.session, _is_asked(game)):
            self.tell(NO_NUMBERS)
            return
        try:
            advice = advise(game, self.seats.objective, Budget(seconds=self.seats.seconds))
        except LimitError as error:
            self.tell(f"  {error}; --seconds allows more")
        else:
            self.tell(advice_told(advice))

    def _policy(self, game: PlayedGame) -> Source:
        if self.policy is None:
            budget = exchange_computers.COUNTED if self.seats.counts else self.budget
            looking_s = None if self.seats.counts else self.seats.seconds
            alone = not any(seat.decides for seat in self.seats.everybody)
            in_all_s = ALONE_S if alone and self.seats.hurries else None
            self.policy = exchange_computers.computer_decides(
                game, self.seats.objective, budget, looking_s=looking_s, in_all_s=in_all_s,
                seed=self.seats.seed or 0,
            )  # fmt: skip
        return self.policy


def role_at(game: PlayedGame, *, as_json: bool) -> EasyRole:
    """The role for which a game is printed: what is decided under cover is not on the screen."""
    return SPECTATOR if waits_sealed(game.session) and not as_json else ALL


def _step(game: PlayedGame, name: str) -> PlayedGame:
    """One answer back or on again; the same game if there is none."""
    return game.undo() if name == "undo" else game.redo()


def _called(game: PlayedGame, question: Question) -> str:
    """The name of the one who is asked; the role where that says more, or nobody is named."""
    return game.names.get(question.actor, question.actor)


def _is_asked(game: PlayedGame) -> Callable[[str], bool]:
    """Tells whether an actor is the one whose question is open; everybody is, if none is."""
    question = game.session.question
    role = None if question is None else role_of(question.actor)

    def is_asked(actor: str) -> bool:
        return role is None or role_of(actor) == role

    return is_asked


def play_here(
    game: PlayedGame, seats: Seats, *, save: GameFile | None = None, budget: Budget | None = None
) -> tuple[PlayedGame, LimitError | None]:
    """Go on with a game at this terminal until it is over or nobody answers.

    Args:
        game: where it stands.
        seats: who answers.
        save: where to keep the game, after every answer.
        budget: how much each decision of the computer may take.

    Returns:
        Where it stands, and the limit at which the computer gave up deciding, if it did.
    """
    limit: LimitError | None = None
    try:
        table = _Table(game, seats, budget)
        while (after := table.answered(game)) is not None:
            game = after
            if save is not None:
                save.save(game)
            table.follow(game)
    except (StopError, KeyboardInterrupt):
        say("stopped here")
    except LimitError as error:
        limit = error
    if save is not None:
        save.save(game)
    return game, limit
