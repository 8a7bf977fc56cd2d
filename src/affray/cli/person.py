"""A person at the terminal: asked for faces and decisions, with undo."""

from __future__ import annotations

import sys

from affray.app.files import saved
from affray.app.inputs.setups import Loaded
from affray.app.use_cases import objective_policy
from affray.cli.texts import say
from affray.core.dice import Face, spoken
from affray.core.errors import AnswerError, LimitError
from affray.core.node import option_named
from affray.core.telling import shown
from affray.engine.budget import Budget
from affray.engine.exchange.session import Answer, Question, Session
from affray.engine.exchange.sources import Entropy, Seeded, Source

__all__ = ["play_here"]

MOST_TYPED = 10_000
"""Characters of a line that are looked at."""
HELP = "Type the answer; u undoes the last one, q stops here, ? says this."


class _StopError(Exception):
    """The person stops; what was played stays."""


class _UndoError(Exception):
    """The person takes the last answer back."""


class Person:
    """Asks at the terminal. Faces may be typed one by one or all at once."""

    def __init__(self, *, dice: bool, choices: bool) -> None:
        self.dice = dice
        self.choices = choices
        self._picture = ""
        self._about: tuple[tuple[str, object], ...] = ()

    def __call__(self, session: Session, question: Question) -> Answer | None:
        """What the person answers, or None for what is not theirs to answer."""
        if question.dice is None:
            if self.choices:
                self._look(session)
            return self._choose(question) if self.choices else None
        return self._faces(question) if self.dice else None

    def _look(self, session: Session) -> None:
        """Show the table, if it has changed since it was shown."""
        picture = session.picture
        if picture and picture != self._picture:
            say(f"\n{picture}\n")
        self._picture = picture

    def _choose(self, question: Question) -> Answer:
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
            text = _typed("option> ")
            names = [option.name for option in question.options]
            numbers = {str(number): name for number, name in enumerate(names, start=1)}
            text = numbers.get(text, text)
            chosen = option_named(question.options, text)
            if chosen is not None:
                return Answer(option=chosen.name, by=("hand",))
            say(f"  {shown(text)} is not on offer; allowed: {', '.join(names)}")

    def _faces(self, question: Question) -> Answer:
        pool = question.dice
        if pool is None:
            raise AnswerError("no dice are asked for")
        faces: list[Face] = []
        say(f"{question.actor}: {question.ask}, roll {pool}")
        while len(faces) < pool.size:
            die = pool.dice[len(faces)]
            for part in _typed(f"die {len(faces) + 1} of {pool.size} ({die.name})> ").split():
                if len(faces) == pool.size:
                    say(f"  {shown(part)} is one face too many; it is not used")
                    break
                die = pool.dice[len(faces)]
                face = die.meant(part)
                if face is None:
                    say(f"  {shown(part)} is no face; allowed: {spoken(die)}")
                    break
                faces.append(face)
        return Answer(faces=tuple(faces), by=("hand",) * pool.size)


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


def play_here(
    loaded: Loaded,
    session: Session,
    *,
    own_dice: bool,
    seed: int | None,
    objective: str | None,
    scripted: bool,
    save: saved.GameFile | None,
    quiet: bool,
    budget: Budget | None = None,
) -> tuple[Session, LimitError | None]:
    """Go on with a game at this terminal until it is over or nobody answers.

    Args:
        loaded: what is played.
        session: where it stands.
        own_dice: ask for every face.
        seed: roll with this seed; None: with the operating system's entropy.
        objective: decide for this objective; None: ask.
        scripted: dice were given, so no others are rolled unasked.
        save: where to keep the game, after every answer.
        quiet: nobody is asked.
        budget: how much each decision of the computer may take.

    Returns:
        Where it stands, and the limit at which the computer gave up deciding, if it did.
    """
    here = sys.stdin.isatty() or own_dice
    person = Person(dice=own_dice, choices=here and objective is None and not quiet)
    sources: list[Source] = []
    if objective is not None:
        sources.append(objective_policy(loaded, objective, budget))
    sources.append(person)
    if not own_dice and seed is not None:
        sources.append(Seeded(seed))
    elif not own_dice and not scripted:
        sources.append(Entropy())
    shown = len(session.log)
    limit: LimitError | None = None
    try:
        while True:
            before = session
            question = session.question
            if question is not None:
                session = _answered(session, question, sources)
            elif person.choices:
                session = _undone_at_end(session)
            if save is not None:
                save.save(loaded, session)
            if session is before:
                break
            if here and not quiet:
                shown = _follow(session, shown)
    except (_StopError, KeyboardInterrupt):
        say("stopped here")
    except LimitError as error:
        limit = error
    if save is not None:
        save.save(loaded, session)
    return session, limit


def _undone_at_end(session: Session) -> Session:
    """The end, unless the person takes the last answer back."""
    say("It is over. u undoes the last answer, anything else ends> ", end="")
    return session.undo() if sys.stdin.readline(MOST_TYPED).strip() in {"u", "undo"} else session


def _answered(session: Session, question: Question, sources: list[Source]) -> Session:
    for source in sources:
        try:
            given = source(session, question)
        except _UndoError:
            undone = session.undo()
            if undone is session:
                say("  nothing to undo")
                return _answered(session, question, sources)
            return undone
        if given is not None:
            return session.answer(given)
    return session


def _follow(session: Session, shown: int) -> int:
    """Tell what happened since the last question."""
    lines = session.log
    for line in lines[min(shown, len(lines)) :]:
        faces = f" [{', '.join(map(str, line.faces))}]" if line.faces else ""
        says = line.says or line.words or line.option
        if says or faces:
            say(f"  {line.actor}{faces} {says}".rstrip())
    return len(lines)
