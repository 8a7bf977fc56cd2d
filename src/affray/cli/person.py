"""A person at the terminal: what is asked, and the lines that are typed."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, Protocol

from affray.cli.texts import say
from affray.core.errors import AnswerError
from affray.core.node import Facts, Option, option_named
from affray.core.telling import shown

if TYPE_CHECKING:
    from affray.app.rolling import Roll
    from affray.engine.exchange.sources import Entropy

__all__ = ["COMMANDS", "Asked", "Command", "Person", "StopError", "read_line"]

MOST_TYPED = 10_000
"""Characters of a line that are looked at."""
COMMANDS: Mapping[str, str] = {
    "q": "quit", "quit": "quit", "u": "undo", "undo": "undo", "redo": "redo",
    "?": "advice", "h": "help", "help": "help",
}  # fmt: skip
"""The commands that are known at every question, by the words for them."""


class Asked(Protocol):
    """A question as far as a person sees it: of an exchange, or of a whole fight."""

    @property
    def ask(self) -> str:
        """What is asked."""
        ...

    @property
    def options(self) -> tuple[Option[Facts], ...]:
        """The options of a choice."""
        ...

    @property
    def about(self) -> tuple[tuple[str, object], ...]:
        """What the one who decides looks at."""
        ...

    @property
    def closed(self) -> tuple[tuple[str, str], ...]:
        """Options that are not on offer, each with the reason."""
        ...


class StopError(Exception):
    """The person stops; what was played stays."""


class Command(NamedTuple):
    """A command typed in the place of an answer: its name, and the words behind it."""

    name: str
    words: tuple[str, ...] = ()


def read_line(prompt: str) -> str:
    """A line that the person types, without blanks around it.

    Raises:
        StopError: there are no more.
    """
    say(prompt, end="")
    line = sys.stdin.readline(MOST_TYPED)
    if not line:
        raise StopError
    return line.strip()


class Person:
    """Asks at the terminal, and reads what is typed: an answer, or a command.

    A question is told once; after a line that was no answer only the prompt comes again.

    Args:
        dice: rolls the dice that the person leaves to the computer.
        commands: the commands that are known, by the words for them.
    """

    def __init__(self, dice: Entropy, commands: Mapping[str, str] = COMMANDS) -> None:
        self._dice = dice
        self._commands = commands
        self._told: object = None
        self._picture = ""
        self._about: tuple[tuple[str, object], ...] = ()
        self._confirms = sys.stdin.isatty()

    def is_new(self, question: object) -> bool:
        """Whether a question has not been told yet; from now on it has."""
        new = question != self._told
        self._told = question
        return new

    # -- choices -----------------------------------------------------------------------------

    def option(self, question: Asked) -> str | Command:
        """The option that the person takes, or a command."""
        while True:
            text = read_line("option> ")
            number = int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else 0
            if 1 <= number <= len(question.options):
                return question.options[number - 1].name
            # Names decide before commands do; so an option may be called like one.
            name = option_named(question.options, text)
            if name is not None:
                return name.name
            command = self._command(text)
            if command is not None:
                return command
            if text:
                names = ", ".join(option.name for option in question.options)
                say(f"  {shown(text)} is not on offer; allowed: {names}")

    def tell_choice(self, who: str, question: Asked) -> None:
        """Tell what is to be decided."""
        # What was said with the last question and still holds is not said again.
        new = [pair for pair in question.about if pair not in self._about]
        self._about = question.about
        about = ", ".join(f"{label} {value}" for label, value in new)
        say(f"{who}: {question.ask}{f' ({about})' if about else ''}")
        for number, option in enumerate(question.options, start=1):
            words = f"  {option.words}" if option.words else ""
            say(f"  {number} {option.name}{words}")
        for name, why in question.closed:
            say(f"  - {name}: closed, {why}")

    def tell_picture(self, picture: str) -> None:
        """Show the table, if it has changed since it was shown."""
        if picture and picture != self._picture:
            say(f"\n{picture}\n")
        self._picture = picture

    # -- dice --------------------------------------------------------------------------------

    def tell_roll(self, who: str, question: Asked, roll: Roll) -> None:
        """Tell which dice are asked for, and which of them lie already."""
        lie = f"; {_faces(roll)} lie already" if roll.faces else ""
        say(f"{who}: {question.ask}, roll {roll.told}{lie}")

    def roll(self, roll: Roll) -> Roll | Command:
        """The roll after one more line of faces, or a command."""
        number = len(roll.faces) + 1
        text = read_line(f"die {number} of {roll.pool.size} ({roll.next.told})> ")
        parts = text.replace(",", " ").split()
        if not roll.takes(text):
            command = self._command(text)
            if command is not None:
                return command
        try:
            for part in parts or ["r"]:
                roll = self._thrown(roll, part)
        except _FaceError as wrong:
            say(f"  {wrong}")
            return wrong.so_far
        return roll

    def _thrown(self, roll: Roll, part: str) -> Roll:
        """The roll after one word: a face, `r`, `rest`, or `2=5`."""
        try:
            if not roll.takes(part):
                if part in {"r", "rest"} and not roll.is_whole:
                    roll = roll.rolled(self._dice)
                    return roll if part == "r" or roll.is_whole else self._thrown(roll, part)
                if "=" in part:
                    return self._corrected(roll, part)
            return roll.typed(part)
        except AnswerError as error:
            raise _FaceError(roll, str(error)) from None

    @staticmethod
    def _corrected(roll: Roll, part: str) -> Roll:
        number, _, face = part.partition("=")
        if not (number.isascii() and number.isdecimal() and len(number) < 7):
            raise AnswerError(f"{shown(part)}: write a correction as 2=5, the die and its face")
        return roll.corrected(int(number), face)

    def looks_again(self, roll: Roll) -> bool:
        """Whether the person looks at a whole roll before it counts: at typed dice, if several."""
        return self._confirms and roll.pool.size > 1 and "hand" in roll.by

    def accepted(self, roll: Roll) -> Roll | Command | None:
        """None: the whole roll counts as it lies; else the corrected roll, or a command."""
        while self.looks_again(roll):
            text = read_line(f"{_faces(roll)}: Enter takes it, 2=5 corrects die 2> ")
            if not text:
                return None
            command = self._command(text)
            if command is not None:
                return command
            try:
                for part in text.replace(",", " ").split():
                    roll = self._thrown(roll, part)
            except _FaceError as wrong:
                say(f"  {wrong}")
                roll = wrong.so_far
            else:
                return roll
        return None

    # -- commands ----------------------------------------------------------------------------

    def _command(self, text: str) -> Command | None:
        name, *words = text.split() or [""]
        known = self._commands.get(name)
        return None if known is None else Command(known, tuple(words))


class _FaceError(AnswerError):
    """A word that is no face, with the roll as it was before."""

    def __init__(self, so_far: Roll, message: str) -> None:
        super().__init__(message)
        self.so_far = so_far


def _faces(roll: Roll) -> str:
    return ", ".join(str(face) or "blank" for face in roll.faces)
