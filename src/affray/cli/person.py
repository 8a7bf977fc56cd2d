"""A person at the terminal: what is asked, and the lines that are typed."""

from __future__ import annotations

import re
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Protocol

from affray.app.wording import not_meant, numbered, options_meant
from affray.cli.texts import say
from affray.core.errors import AnswerError
from affray.core.lazy import NamedTuple

if TYPE_CHECKING:
    from affray.app.rolling import Roll
    from affray.engine.exchange.sources import Entropy

__all__ = [
    "ALWAYS", "COMMANDS", "CORRECT", "FOR_SIDE", "NO_NUMBERS", "Asked", "Command", "Lines",
    "Person", "StopError", "Tell", "asked_of", "done_told",
]  # fmt: skip

MOST_TYPED = 10_000
"""Characters of a line that are looked at."""
COMMANDS: Mapping[str, str] = {
    "q": "quit", "quit": "quit", "u": "undo", "undo": "undo", "redo": "redo",
    "?": "advice", "h": "help", "help": "help", "why": "why",
}  # fmt: skip
"""The commands that are known at every question, by the words for them."""


ALWAYS = "always"
"""The command to take an option whenever it is on offer; people type ! after its name."""

CORRECT = "correct"
"""The command to correct a die of the last roll; people type 2=5."""

FOR_SIDE = "!"
"""Stands after the option of that command where the whole side takes it."""

UNSEEN = "***"
"""Stands for a line of a script that is not shown."""


COVERED = """\
  {away}: look away, please. {who} types; what is decided under cover is not
  shown before all have decided."""
"""Told at a decision that books make at once or in secret."""


NO_NUMBERS = "  numbers would tell what has been decided under cover; ask when all is shown"
"""The answer to those who ask for advice at such a question."""


class Offered(Protocol):
    """An option as far as a person sees it."""

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def also(self) -> tuple[str, ...]:
        """Other names that mean the same."""
        ...

    @property
    def words(self) -> str:
        """What it means."""
        ...


class Asked(Protocol):
    """A question as far as a person sees it: of an exchange, or of a whole fight."""

    @property
    def ask(self) -> str:
        """What is asked."""
        ...

    @property
    def options(self) -> Sequence[Offered]:
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


class Tell(Protocol):
    """Shows a text to whoever is at the terminal."""

    def __call__(self, text: str, *, end: str = "\n") -> None:
        """Show it."""
        ...


class StopError(Exception):
    """The person stops; what was played stays."""


class Command(NamedTuple):
    """A command typed in the place of an answer: its name, and the words behind it."""

    name: str
    words: tuple[str, ...] = ()

    @property
    def number(self) -> int:
        """The number behind it; 1 if there is none."""
        text = self.words[0] if self.words else ""
        return int(text) if text.isascii() and text.isdecimal() and 0 < len(text) < 7 else 1


class Lines:
    """The lines that somebody types, without blanks around them; those of a script come first.

    Args:
        script: lines that were written beforehand; empty ones and those that begin with # are
            left out. They are shown as if they were typed.
        tell: shows a text.
        draw: shows a picture, whose lines are never broken; None: as texts are.
        types: whether a person types more when the script is over.
    """

    def __init__(
        self, script: Iterable[str] = (), *, tell: Tell = say, draw: Tell | None = None,
        types: bool = True,
    ) -> None:  # fmt: skip
        lines = (line.strip() for line in script)
        self.script = deque(line for line in lines if line and not line.startswith("#"))
        self.tell = tell
        self.draw = tell if draw is None else draw
        self._types = types

    @property
    def looks(self) -> bool:
        """Whether a person looks at a terminal now."""
        return not self.script and sys.stdin.isatty()

    def read(self, prompt: str, *, unseen: bool = False) -> str:
        """The next line.

        Args:
            prompt: what it answers.
            unseen: whether it isn't shown while it is typed.

        Raises:
            StopError: there are no more.
        """
        if not self.script and not self._types:
            raise StopError
        if self.script:
            line = self.script.popleft()
            self.tell(f"{prompt}{UNSEEN if unseen else line}")
            return line
        with _unseen() if unseen else nullcontext():
            self.tell(prompt, end="")
            line = sys.stdin.readline(MOST_TYPED)
        if not line:
            raise StopError
        if unseen and sys.stdin.isatty():
            self.tell("")  # the terminal has not shown the end of the line either
        return line.strip()


@contextmanager
def _unseen() -> Iterator[None]:
    """Let the terminal not show what is typed; where there is none nothing shows it anyway."""
    if not sys.stdin.isatty():
        yield
        return
    import termios  # of terminals; not everywhere

    terminal = sys.stdin.fileno()
    usual = termios.tcgetattr(terminal)
    silent = [*usual]
    silent[3] &= ~termios.ECHO
    termios.tcsetattr(terminal, termios.TCSADRAIN, silent)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, usual)


class Person:
    """Asks at the terminal, and reads what is typed: an answer, or a command.

    A question is told once; after a line that was no answer only the prompt comes again.

    Args:
        dice: rolls the dice that the person leaves to the computer.
        lines: what is typed.
        commands: the commands that are known, by the words for them.
    """

    def __init__(self, dice: Entropy, lines: Lines, commands: Mapping[str, str] = COMMANDS) -> None:
        self._dice = dice
        self.lines = lines
        self._tell = lines.tell
        self._commands = commands
        self._told: object = None
        self._picture = ""
        self._about: tuple[tuple[str, object], ...] = ()

    def is_new(self, question: object) -> bool:
        """Whether a question has not been told yet; from now on it has."""
        new = question != self._told
        self._told = question
        return new

    # -- choices -----------------------------------------------------------------------------

    def option(self, question: Asked, usual: str = "", *, sealed: bool = False) -> str | Command:
        """The option that the person takes, or a command.

        Args:
            question: what is asked.
            usual: the option that Enter takes; "": it has to be said.
            sealed: whether nobody shall see it yet: it isn't shown while it is typed.
        """
        names = [option.name for option in question.options]
        while True:
            reply = self.line(question, "option> ", sealed=sealed)
            if isinstance(reply, Command):
                return reply
            found = options_meant(question.options, reply or usual)
            if len(found) == 1:
                return found[0]
            if reply:
                self._tell("  that is not on offer" if sealed else f"  {not_meant(reply, names)}")

    def line(self, question: Asked, prompt: str, *, sealed: bool = False) -> str | Command:
        """What the person types at a decision: words for it, or a command.

        Args:
            question: what is asked.
            prompt: for the line.
            sealed: whether nobody shall see it yet: it isn't shown while it is typed.
        """
        text = self.lines.read(prompt, unseen=sealed)
        # Names decide before commands do; so an option may be called like one.
        if any(text in {option.name, *option.also} for option in question.options):
            return text
        command = self._command(text)
        if command is None and not sealed:
            command = self._always(text, question)
        return text if command is None else command

    def _always(self, text: str, question: Asked) -> Command | None:
        """The command to take an option always: `burst!`, `burst!!`, `burst! against husk`."""
        said = _HABIT.fullmatch(text)
        if said is None or ALWAYS not in self._commands:
            return None
        found = options_meant(question.options, said["option"])
        more = [part for part in (said["side"], said["against"]) if part]
        return Command(ALWAYS, (found[0], *more)) if len(found) == 1 else None

    def situation(self, question: Asked, what: str) -> str | Command:
        """How something of the situation is, or a command; Enter takes the first option.

        Args:
            question: what is asked.
            what: what is typed, in a word or two, for the prompt.
        """
        from affray.engine.fight.played.matters import ALL, STOPS

        names = [option.name for option in question.options]
        text = self.lines.read(f"{what} [{names[0]}]> ")
        if not text:
            return names[0]
        is_for_all = text.endswith((f" {ALL}", f",{ALL}"))
        said = text[: -len(ALL)].rstrip(" ,") if is_for_all else text
        if said in STOPS:
            return said
        # Names decide before commands do.
        command = None if said in names else self._command(text)
        if command is not None:
            return command
        found = options_meant(question.options, said)
        if len(found) != 1:
            return text
        return f"{found[0]} {ALL}" if is_for_all and found[0] not in STOPS else found[0]

    def tell_choice(self, who: str, question: Asked, *, away: str = "") -> None:
        """Tell what is to be decided.

        Args:
            who: the one who is asked.
            question: what is asked.
            away: those who look away, as what is decided is shown only when everybody has decided;
                "": nobody does.
        """
        # What was said with the last question and still holds is not said again.
        new = [pair for pair in question.about if pair not in self._about]
        self._about = question.about
        about = ", ".join(f"{label} {value}" for label, value in new if value != who)
        self._tell(f"{asked_of(who, question)}{f' ({about})' if about else ''}")
        listed = numbered([option.name for option in question.options])
        for told, option in zip(listed, question.options, strict=True):
            self._tell(f"  {told}{f'  {option.words}' if option.words else ''}")
        for name, why in question.closed:
            self._tell(f"  - {name}: closed, {why}")
        if away:
            self._tell(COVERED.format(away=away, who=who))

    def tell_picture(self, picture: str) -> None:
        """Show the table, if it has changed since it was shown."""
        if picture and picture != self._picture:
            self.lines.draw(f"\n{picture}\n")
        self._picture = picture

    # -- dice --------------------------------------------------------------------------------

    def tell_roll(self, who: str, question: Asked, roll: Roll) -> None:
        """Tell which dice are asked for, and which of them lie already."""
        if not who:  # a coin or a lot, for everybody
            self._tell(f"{question.ask} (Enter does it for you)")
            return
        lie = f"; {_faces(roll)} lie already" if roll.faces else ""
        names = "" if roll.pool.groups[0][0].is_numeric else f" ({roll.rows[0].faces})"
        plain = set(roll.pool.labels) == {question.ask}  # nothing that is not said already
        dice = roll.pool if plain else roll.told
        self._tell(f"{asked_of(who, question)}{names}, roll {dice}{lie}")

    def roll(self, roll: Roll) -> Roll | Command:
        """The roll after one more line of faces, or a command; Enter rolls all that is missing."""
        number = len(roll.faces) + 1
        is_lot = roll.next.name in {"coin", "lot"} and not roll.next.label
        dice = f"die {number} of {roll.pool.size}" if roll.pool.size > 1 else "die"
        text = self.lines.read("> " if is_lot else f"{dice} ({roll.next.told})> ")
        if not roll.takes(text) and not (roll.faces and _is_correction(text)):
            command = self._command(text)
            if command is not None:
                return command
        try:
            for part in roll.faces_in(text) or ["r"]:
                roll = self._thrown(roll, part)
        except _FaceError as wrong:
            self._tell(f"  {wrong}")
            return wrong.so_far
        return roll

    def _thrown(self, roll: Roll, part: str) -> Roll:
        """The roll after one word: a face, `r`, or `2=5`."""
        try:
            if not roll.takes(part):
                if part in {"r", "rest"} and not roll.is_whole:
                    return roll.thrown(self._dice)
                if _is_correction(part):
                    number, _, face = part.partition("=")
                    return roll.corrected(int(number), face)
            return roll.typed(part)
        except AnswerError as error:
            raise _FaceError(roll, str(error)) from None

    # -- commands ----------------------------------------------------------------------------

    def _command(self, text: str) -> Command | None:
        if _is_correction(text):
            return Command(CORRECT, tuple(text.split("=", 1)))
        name, *words = text.split() or [""]
        known = self._commands.get(name)
        return None if known is None else Command(known, tuple(words))


_HABIT = re.compile(r"(?P<option>[^!]+)!(?P<side>!)?(?P<against> +against +.+)?")


class _FaceError(AnswerError):
    """A word that is no face, with the roll as it was before."""

    def __init__(self, so_far: Roll, message: str) -> None:
        super().__init__(message)
        self.so_far = so_far


def asked_of(who: str, question: Asked) -> str:
    """Who is asked what; a question may begin with the name itself."""
    return question.ask if question.ask.startswith(who) else f"{who}: {question.ask}"


def done_told(name: str, done: int) -> str:
    """That fewer answers could be taken back ("undo") or given again ("redo") than was asked."""
    if not done:
        return f"  nothing to {name}"
    what = "taken back" if name == "undo" else "given again"
    return f"  {done} {what}; there are no more"


def _is_correction(text: str) -> bool:
    """Whether a text corrects a die: `2=5`."""
    number, equals, face = text.partition("=")
    return bool(equals and face) and number.isascii() and number.isdecimal() and len(number) < 7


def _faces(roll: Roll) -> str:
    return ", ".join(str(face) or "blank" for face in roll.faces)
