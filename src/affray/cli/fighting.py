"""A fight at this terminal: whoever has the seat answers, everybody sees what comes of it."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from affray.app.exchange_computers import computer_rolls
from affray.app.fight import Fight
from affray.app.fight_advice import advise_fight
from affray.app.fight_chances import ask_chances
from affray.app.goes_on import due
from affray.app.hit_chances import hit_chances
from affray.app.lines import kept_for_later, lines_of, said
from affray.app.revisions import EVERYTHING
from affray.app.turns import Turn, turn_of
from affray.cli.fight_commands import COMMANDS, Commands
from affray.cli.fight_log import BriefLog, FightLog, LongLog, why_lines
from affray.cli.fight_seen import asked_name, is_covered, others, role_at, step_at
from affray.cli.fight_settings import LEAST_S, Settings
from affray.cli.fight_table import ShortTable
from affray.cli.person import (
    CORRECT,
    NO_NUMBERS,
    Command,
    Lines,
    Person,
    StopError,
    asked_of,
    done_told,
)  # fmt: skip
from affray.cli.show_advice import advice_told, chances_lines, hits_lines
from affray.cli.show_fight import table_lines, waiting_lines
from affray.core.errors import AffrayError, AnswerError, LimitError
from affray.core.telling import shown
from affray.engine.budget import Budget
from affray.engine.exchange.sealed import waits_sealed
from affray.engine.exchange.session import Answer
from affray.engine.exchange.sources import Script

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from affray.cli.game_file import FightFile
    from affray.engine.fight.played.questions import FightQuestion
    from affray.engine.fight.played.session import FightSession

__all__ = ["FightTable", "fight_here", "typed_for"]

UNSAID = "rolled"
"""Where nobody was named a person decides, and the computer rolls."""
COUNTED = 200
"""Fights that advice plays out where the same seed shall repeat the same."""
LOOKS_BACK = frozenset({"undo", "why", "log", "table", "who", "help"})
"""What may be done when a fight is over; anything else ends it."""
AT_END = "Type u to undo the last answer, anything else to end> "


class FightTable:
    """The table of a fight: who answers, and what everybody sees.

    Args:
        lines: what is typed at the terminal, and where texts go.
        width: columns that there are.
        settings: how it is played.
    """

    def __init__(self, lines: Lines, width: int, settings: Settings) -> None:
        self._dice = computer_rolls(settings.seed)
        self._person = Person(self._dice, lines, COMMANDS)
        self._log: FightLog = LongLog(width) if settings.long else BriefLog(width)
        self._commands = Commands(lines.tell, width, self._log)
        self._lines = lines
        self._width = width
        self._settings = settings
        self._table = ShortTable(width)
        self._long_table = ""
        self._ended: FightSession | None = None
        self._left_s = settings.alone_s
        self._listed = set[str]()

    def say(self, lines: Iterable[str]) -> None:
        """Show lines."""
        for line in lines:
            self._lines.tell(line)

    # -- showing -----------------------------------------------------------------------------

    def begin(self, fight: Fight) -> None:
        """Tell what is fought."""
        view = fight.view()
        if view.title:
            self.say([view.title])
        self.say((*view.remarks, *view.assumed))
        if not fight.moves:
            self._tell_opening(fight)

    def _tell_opening(self, fight: Fight) -> None:
        """Tell what happened before the first move."""
        self.say(self._log.events(fight.at(0).view().events))

    def end(self, fight: Fight) -> None:
        """Tell where the fight stands, and how it ended or what it waits for."""
        self.show_table(fight)
        question = fight.asked
        if question is None:
            self._tell_end(fight)
        else:
            wants = question.dice or ", ".join(option.name for option in question.options)
            self.say(
                waiting_lines(
                    f"{asked_of(asked_name(fight, question), question)} ({wants})", self._width
                )
            )
        if self._settings.seed is not None:
            self.say([f"seed {self._settings.seed}"])

    def _tell_end(self, fight: Fight) -> None:
        """Tell how the fight ended, once."""
        if self._ended is not fight.session:
            self.say(["", fight.view().ending])
        self._ended = fight.session

    def watch(self, fight: Fight, start: int) -> None:
        """Tell a fight again, move by move; at a terminal Enter goes on and q stops."""
        here = fight.at(start)
        if fight.moves and not start:
            self._tell_opening(fight)
        self.show_table(here)
        try:
            for number in range(start + 1, len(fight.moves) + 1):
                there = fight.at(number)
                self.follow(here, there)
                here = there
                if self._lines.looks and self._lines.read(f"move {number}> ") in {"q", "quit"}:
                    break
        except StopError:
            pass
        self.end(here)

    # -- answering ---------------------------------------------------------------------------

    def answered(self, fight: Fight) -> Fight | None:
        """The fight after the next answer or command; None: nobody answers any more."""
        question, step = fight.asked, due(fight, UNSAID, fills=self._lines.looks)
        if fight.ahead.answers and step is not None:
            return fight.expecting(step.ahead).answer(step.answer)
        if question is None:
            return self._at_end(fight)
        answers = (move for move in fight.moves if isinstance(move, Answer))
        self._dice.went_on((*answers, fight.lying))
        given = self._scripted(question)
        if given is not None:
            return fight.answer(given)
        if step is None:
            return None if self._settings.quiet else self._asked(fight, question)
        fight = fight.expecting(step.ahead)
        if step.kind == "drop":
            if step.told:
                self._lines.tell(f"  {step.told}")
            return fight
        if step.kind == "roll":
            assert fight.rolling is not None  # dice are asked for
            return fight.answer(fight.rolling.thrown(self._dice).answer)
        if step.kind == "answer":
            return fight.answer(step.answer)
        began = monotonic()
        answer = self._settings.decision(fight, step.policy, max(self._left_s, LEAST_S))
        self._left_s -= monotonic() - began
        return fight.answer(answer)

    def _asked(self, fight: Fight, question: FightQuestion) -> Fight:
        """The fight after a person was asked."""
        if question.dice is not None:
            return self._typed(fight, question)
        if question.kind == "situation":
            return self._situated(fight, question)
        return self._decided(fight, question)

    def follow(self, before: Fight, after: Fight) -> None:
        """Tell what happened between two answers; nothing if something was taken back.

        After a correction, that is what came of the corrected roll.
        """
        if after.session is before.session:
            return  # dice were laid, no more
        if after.session.past is not before.session and after.session not in before.session.line:
            self._log.forget()
            before = before.at(min(len(after.moves) - 1, len(before.moves)))
        if after.session.past is not before.session:
            self._log.forget()
        else:
            asked, move = before.asked, after.moves[-1]
            if asked is not None and asked.kind == "order" and isinstance(move, Answer):
                self.say([f"Going first: {move.faces[0]}"])
            old, new = map(step_at, (before, after))
            self.say(self._log.news(old, new, pauses=self.is_ours(after)))
            ended = any(event.kind == "exchange" for event in new.view.events)
            if self._settings.advises and ended and after.asked is not None:
                self._tell_chances(after)

    def show_table(self, fight: Fight) -> None:
        """Show the table, if it has changed since it was shown."""
        view = fight.view(role_at(fight))
        if fight.session.position.board is not None:
            self._person.tell_picture(view.picture)
        if not self._settings.long:
            lines = list(self._table.lines(view))
            self.say(["", *lines] if lines else [])
            return
        told = "\n".join(table_lines(view, self._width))
        if told != self._long_table:
            self._lines.tell(f"\n{told}")
        self._long_table = told

    @staticmethod
    def is_ours(fight: Fight) -> bool:
        """Whether a person answers the open question."""
        return fight.asked is not None and due(fight, UNSAID) is None

    def _scripted(self, question: FightQuestion) -> Answer | None:
        """The next answer of those that were given beforehand; None: none of its kind is left."""
        script = self._settings.script
        if question.kind == "situation":
            return _scripted_situation(script, question)
        if question.dice is None:
            option = script.choices.pop(0) if script.choices else ""
            return Answer(option=option, by=(script.by,)) if option else None
        size = question.dice.size
        if not script.faces:
            return None
        if len(script.faces) < size:
            left = ", ".join(map(str, script.faces))
            raise AnswerError(
                f"{question.ask}: {size} faces; only {len(script.faces)} left: {left}"
            )
        taken, script.faces = tuple(script.faces[:size]), script.faces[size:]
        return Answer(faces=taken, by=(script.by,) * size)

    def _typed(self, fight: Fight, question: FightQuestion) -> Fight:
        roll = fight.rolling
        assert roll is not None  # dice are asked for
        if self._person.is_new((question, len(fight.moves))):
            self.show_table(fight)
            self._person.tell_roll(asked_name(fight, question), question, roll)
        if roll.is_whole:
            return fight.answer(roll.answer)
        reply = self._person.roll(roll)
        if not isinstance(reply, Command):
            return fight.answer(reply.answer) if reply.is_whole else fight.laid(reply.answer)
        if reply.name == "undo" and roll.faces:
            return fight.laid(roll.shorter.answer)
        return self._done(fight, reply)

    def _decided(self, fight: Fight, question: FightQuestion) -> Fight:
        """The fight after a decision, and after what else of the turn the same line decides."""
        exchange = fight.session.exchange
        if exchange is not None and waits_sealed(exchange):
            return self._decided_sealed(fight, question)
        usual = turn_of(fight, fills=self._lines.looks)
        if self._person.is_new((question, len(fight.moves))):
            self._tell_choice(fight, question)
            self._tell_usual(usual)
            if self._settings.advises:
                self._advise(fight)
        reply = self._person.line(question, "option> ")
        if isinstance(reply, Command):
            return self._done(fight, reply)
        try:
            found = said(fight, reply, fills=self._lines.looks)
            if not found.answers:
                self._lines.tell(f"  {found.told}")
                return fight.expecting(found.ahead)
            turn = found.turn if found.told else self._agreed(fight, question, reply, usual)
        except AnswerError as error:
            self._lines.tell(f"  {error}")
            return fight
        if isinstance(turn, Command):  # undo takes back no more than the line
            return fight if turn.name == "undo" else self._done(fight, turn)
        if turn is None:
            return fight.answer(found.answers[0])
        if not found.told:
            found = found._replace(
                answers=turn.answers, ahead=kept_for_later(fight, question, turn)
            )
        first, *rest = found.answers
        return fight.expecting(found.ahead._replace(answers=tuple(rest))).answer(first)

    def _decided_sealed(self, fight: Fight, question: FightQuestion) -> Fight:
        """The fight after a decision that others may not see yet, which a line has to itself."""
        if self._person.is_new((question, len(fight.moves))):
            self._tell_choice(fight, question, away=others(fight, question))
            if self._settings.advises:
                self._advise(fight)
        reply = self._person.option(question, sealed=True)
        return self._done(fight, reply) if isinstance(reply, Command) else fight.answer(reply)

    def _agreed(
        self, fight: Fight, question: FightQuestion, reply: str, usual: Turn
    ) -> Turn | Command:
        """The turn that a line means, or a command that was typed instead of agreeing to it.

        Args:
            fight: where it stands.
            question: the decision that it waits for.
            reply: what was typed.
            usual: the turn that was told as usual; what else is taken for granted is told before
                it goes.

        Raises:
            AnswerError: words that mean nothing on offer, or several things.
        """
        fills = self._lines.looks
        lines = lines_of(fight, question, reply)
        turn = turn_of(fight, *lines, fills=fills)
        while not turn.goes_as(usual):
            self.say([f"  {turn.told}"])
            usual = turn
            more = self._person.line(question, "Enter goes, or change it> ")
            if isinstance(more, Command):
                return more
            lines = (*lines, more)
            turn = turn_of(fight, *lines, fills=fills)
        return turn

    def _tell_choice(self, fight: Fight, question: FightQuestion, *, away: str = "") -> None:
        """Tell what is to be decided, below the table; see `Person.tell_choice`."""
        self.show_table(fight)
        if fight.session.exchange is not None and fight.session.position.board is None:
            self._person.tell_picture(fight.view(role_at(fight)).picture)
        self._person.tell_choice(asked_name(fight, question), question, away=away)

    def _tell_usual(self, usual: Turn) -> None:
        """Tell what Enter takes, and what else belongs to a turn when that is asked first."""
        for one in usual.decided[1:]:
            if one.step not in self._listed and len(one.names) > 1:
                self.say([f"  {one.label}: {', '.join(one.names)}"])
                self._listed.add(one.step)
        told = usual.told if len(usual.decided) > 1 else usual.decided[0].option
        self.say([f"  Enter: {told}"])

    def _situated(self, fight: Fight, question: FightQuestion) -> Fight:
        """The fight after somebody said how something of the situation is."""
        if self._person.is_new((question, len(fight.moves))):
            self.show_table(fight)
            self._person.tell_choice("", question)
            if question.takes:
                self.say([f"  or {question.takes}"])
        reply = self._person.situation(question, typed_for(question))
        if isinstance(reply, Command):
            return self._done(fight, reply)
        try:
            return fight.answer(reply)
        except AnswerError as error:
            self._lines.tell(f"  {error}")
            return fight

    def _at_end(self, fight: Fight) -> Fight | None:
        """The end, unless a person takes an answer back."""
        if not (self._lines.looks or self._lines.script):
            return None
        self.show_table(fight)
        self._tell_end(fight)
        name, *words = self._lines.read(AT_END).split() or [""]
        command = COMMANDS.get(name, "")
        return self._done(fight, Command(command, tuple(words))) if command in LOOKS_BACK else None

    # -- commands ----------------------------------------------------------------------------

    def _done(self, fight: Fight, command: Command) -> Fight:
        """The fight after a command; one that can't be done is told, and nothing changes."""
        if command.name == "quit":
            raise StopError
        if command.name in {"undo", "redo"}:
            return self._moved(fight, command)
        if command.name == CORRECT:
            return self._corrected(fight, *command.words)
        if command.name == "advice":
            self._advise(fight)
            return fight
        if command.name == "table":
            self._table.forget()
            self._long_table = ""
            self.show_table(fight)
            return fight
        if command.name == "why":
            self._why(fight, command)
            return fight
        if command.name == "chances":
            self._tell_chances(fight)
            return fight
        if command.name == "hits":
            self._tell_numbers(fight, lambda: self._hits_told(fight))
            return fight
        try:
            return self._commands.done(fight, command)
        except AffrayError as error:
            self._lines.tell(f"  {error}")
            return fight

    def _why(self, fight: Fight, command: Command) -> None:
        """Tell everything about an exchange: the last one, or one by its number."""
        word = command.words[0] if command.words else ""
        if word and not (word.isascii() and word.isdecimal()):
            self._lines.tell(f"  why {shown(word)}: type the number of an exchange, as in why 3")
            return
        number, view = int(word[:9]) if word else None, fight.view(role_at(fight), since=EVERYTHING)
        try:
            self.say(why_lines(view, number, self._width))
        except AnswerError as error:
            self._lines.tell(f"  {error}")

    def _corrected(self, fight: Fight, die: str, face: str) -> Fight:
        """The fight with a die of the last roll corrected."""
        try:
            return fight.corrected(int(die), face)
        except AnswerError as error:
            self._lines.tell(f"  {error}")
            return fight

    def _moved(self, fight: Fight, command: Command) -> Fight:
        """The fight with moves taken back, or made again, to where a person made them."""
        found = fight
        for done in range(command.number):
            moved = _step(found, command.name)
            while moved is not found and not self._is_typed(moved):
                further = _step(moved, command.name)
                if further is moved:
                    break
                moved = further
            if moved is found or (command.name == "undo" and not self.is_ours(moved)):
                self._lines.tell(done_told(command.name, done))
                break
            found = moved
        return found

    def _is_typed(self, fight: Fight) -> bool:
        """Whether a person types the answer to the open question, not as part of a longer line."""
        again = fight.undone[:1]
        whole = not any(isinstance(move, Answer) and move.by == ("line",) for move in again)
        return whole and self.is_ours(fight)

    def _advise(self, fight: Fight) -> None:
        """Tell what each option is worth, or why that is not known.

        That is the chance to win the fight, in an exchange beside what comes of it.
        """
        settings = self._settings
        is_counted = settings.search.seconds is None
        budget = Budget(seconds=settings.seconds, battles=COUNTED if is_counted else None)
        self._tell_numbers(
            fight,
            lambda: advice_told(advise_fight(fight, settings.objective, budget), self._width),
        )

    def _tell_chances(self, fight: Fight) -> None:
        """Tell the chance of both sides to win from here, where it is known in time."""
        budget = Budget(seconds=self._settings.seconds)
        self._tell_numbers(
            fight, lambda: "\n".join(chances_lines(ask_chances(fight, budget), self._width))
        )

    def _hits_told(self, fight: Fight) -> str:
        """The chance to hit with each option of the turn."""
        budget = Budget(seconds=self._settings.seconds)
        return "\n".join(hits_lines(hit_chances(fight, budget=budget), self._width))

    def _tell_numbers(self, fight: Fight, worked_out: Callable[[], str]) -> None:
        """Tell numbers, or why there are none: they take too long, or would tell a secret."""
        if is_covered(fight):
            self._lines.tell(NO_NUMBERS)
            return
        try:
            self._lines.tell(worked_out())
        except LimitError as error:
            self._lines.tell(f"  {error}; --seconds allows more")
        except AffrayError as error:
            self._lines.tell(f"  {error}")


def typed_for(question: FightQuestion) -> str:
    """What is typed at a question of the situation, for its prompt: "meters", "cover"."""
    unit = question.takes.partition(";")[0]
    return unit if unit[:1].isalpha() else question.key.replace("_", " ")


def _scripted_situation(script: Script, question: FightQuestion) -> Answer | None:
    """What a script says of the situation: the next option if it fits, else what is assumed."""
    if not script.choices:
        return None
    names = [option.name for option in question.options]
    option = script.choices.pop(0) if script.choices[0] in names else names[0]
    return Answer(option=option, by=(script.by,))


def _step(fight: Fight, name: str) -> Fight:
    """One move back or on again; the same fight if there is none."""
    moved = fight.undo() if name == "undo" else fight.redo()
    return fight if moved.session is fight.session else moved


def fight_here(
    fight: Fight, table: FightTable, kept: FightFile | None = None
) -> tuple[Fight, LimitError | None]:
    """Go on with a fight at this terminal until it is over or nobody answers.

    Args:
        fight: where it stands.
        table: who answers, and where texts go.
        kept: where to keep the fight, after every answer.

    Returns:
        Where it stands, and the limit at which the computer gave up deciding, if it did.
    """
    limit: LimitError | None = None
    try:
        while (after := table.answered(fight)) is not None:
            before, fight = fight, after
            if kept is not None:
                kept.save(fight)
            table.follow(before, fight)
    except (StopError, KeyboardInterrupt):
        table.say(["stopped here"])
    except LimitError as error:
        limit = error
    if kept is not None:
        kept.save(fight)
    return fight, limit
