"""Playing: a session asks, somebody answers, and the log tells what happened.

A session is immutable and does no input or output. `question` says which dice are to be rolled
or which options are open, for whom and under which clause; `answer` gives a new session; `undo`
gives the one before the last answer. What is stored is the list of answers: everything else is
recomputed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING, cast

from affray.core.dice import Face, Pool
from affray.core.drawing import with_classes
from affray.core.errors import AnswerError, LimitError, RulesError
from affray.core.lazy import NamedTuple
from affray.core.modifier import Total
from affray.core.node import At, Chance, Choice, End, Facts, Go, Option, Step, fill
from affray.core.reading import distribution
from affray.core.refused import faces_refused
from affray.core.showing import html_table
from affray.engine.exchange.faults import check_asked, check_hashable
from affray.engine.exchange.game import Game, refusal, settled_option

if TYPE_CHECKING:
    from affray.engine.exchange.result import Result

__all__ = [
    "Answer",
    "LogLine",
    "Question",
    "Session",
    "StepTaken",
    "Thrown",
    "answer_of",
    "log_line",
    "thrown",
]

MOST_STEPS = 100_000
MOST = 2000
"""Readings of a roll that are compared to tell the chance of what was rolled, and faces that are
gone through for it."""


class Answer(NamedTuple):
    """An answer to a question: faces of dice, or the name of an option.

    Attributes:
        faces: one face for each die, for a roll.
        option: the name of an option, for a choice.
        by: where each face (or the choice) came from: "hand", "entropy", "seed", "script",
            "policy", "habit", "line" or "unasked". One entry for each die; one for a choice.
    """

    faces: tuple[Face, ...] = ()
    option: str = ""
    by: tuple[str, ...] = ()


class Question(NamedTuple):
    """A roll or a decision that a session waits for.

    Attributes:
        actor: who has to answer.
        ask: what is asked, in the table's words.
        step: the step that asks; `clauses` what it carries out.
        dice: the dice to be rolled, or None for a choice.
        options: the options of a choice, or () for a roll.
        about: what the one who decides looks at.
        closed: options that are not on offer, each with the reason.
    """

    actor: str
    ask: str
    step: str
    clauses: tuple[str, ...]
    dice: Pool | None
    options: tuple[Option[Facts], ...]
    about: tuple[tuple[str, object], ...]
    closed: tuple[tuple[str, str], ...]

    def __repr__(self) -> str:
        wanted = str(self.dice or " | ".join(option.name for option in self.options))
        return f"<question to {self.actor} at {self.step}: {self.ask}; {wanted}>"


class StepTaken(NamedTuple):
    """One step taken: where, what the step said, the answer if there was one, what came of it.

    `asked` tells whether somebody was asked (settled choices are not).
    """

    at: At[Facts]
    node: Chance[Facts] | Choice[Facts] | Go[Facts]
    answer: Answer | None
    after: At[Facts]
    asked: bool = False


class Thrown(NamedTuple):
    """Dice of a kind in a roll, for those who show them: name, number of dice, sides.

    `symbols` are what stands on the sides of a die without numbers, in order; () for numbers.
    """

    die: str
    many: int
    sides: int
    symbols: tuple[str, ...] = ()


def thrown(dice: Pool) -> tuple[Thrown, ...]:
    """The dice of a roll by kinds, in the order in which faces are given."""
    return tuple(
        Thrown(die.name, many, len(die.faces), () if die.is_numeric else tuple(map(str, die.faces)))
        for die, many in dice.groups
    )


class LogLine(NamedTuple):
    """One line of the log.

    Attributes:
        step, clauses, title: which step, under which clauses, and what it is for.
        actor: who rolled or decided; empty for a step without either.
        dice: the pool, in table notation; empty without a roll.
        faces: what the dice showed; `by` where each came from.
        option: what was decided, with `words`.
        totals: itemised sums that were worked out.
        says: what it means, in a sentence.
        opens: with which words a short account of the exchange starts here; "": it goes on.
        brief: what this line adds to the short account; "": nothing.
        verdict: what a roll came to, for the short account; chance: that it comes to that, None
            where nobody says or there are too many faces to tell.
        kinds: the dice by kinds, in the order of the faces; () without a roll.
    """

    step: str
    clauses: tuple[str, ...]
    title: str
    actor: str
    dice: str
    faces: tuple[Face, ...]
    by: tuple[str, ...]
    option: str
    words: str
    totals: tuple[Total, ...]
    says: str
    opens: str = ""
    brief: str = ""
    verdict: str = ""
    chance: Fraction | None = None
    kinds: tuple[Thrown, ...] = ()

    @property
    def done(self) -> str:
        """The faces or the option of the step."""
        rolled = f"{self.dice}: {', '.join(map(str, self.faces))}" if self.faces else ""
        return " ".join(filter(None, (rolled, self.option)))

    @property
    def meant(self) -> str:
        """Its meaning in words, with the sums that were worked out."""
        told = (*map(str, self.totals), "" if self.says else self.words, self.says)
        return "; ".join(filter(None, told))

    def __repr__(self) -> str:
        return f"<{': '.join(filter(None, (self.actor, self.done, self.meant)))}>"


class Session:
    """An exchange in play. Immutable: every change gives a new session.

    Args:
        game: the exchange to be played.

    Raises:
        AnswerError: a choice was settled beforehand to an option that is not on offer.
    """

    __slots__ = ("_here", "_node", "_steps_taken", "game")

    def __init__(self, game: Game) -> None:
        self.game = game
        self._steps_taken: tuple[StepTaken, ...] = ()
        self._here = game.start
        self._node: Chance[Facts] | Choice[Facts] | End[Facts]
        self._advance([])

    def _advance(self, taken: list[StepTaken]) -> None:
        """Go on to the next question or the end; what nobody is asked is entered on the way."""
        at, system = self._here, self.game.system
        for _ in range(MOST_STEPS):
            try:
                hash(at.facts)
            except TypeError:
                if taken:
                    check_hashable(system, taken[-1].at.step, taken[-1].node)
                raise
            node = at.step.rule(at.facts)
            if isinstance(node, Chance | Choice):
                check_asked(system, at.step, node)
            if isinstance(node, Go):
                taken.append(StepTaken(at, node, None, node.at))
            elif isinstance(node, Choice):
                option = settled_option(self.game, at, node)
                if option is None:
                    break
                answer = Answer(option=option.name, by=("setup",))
                taken.append(StepTaken(at, node, answer, option.at))
            elif isinstance(node, Chance) and not node.dice.size:
                after = fill(node.then, node.into, node.read(()))
                taken.append(StepTaken(at, node, None, after))
            else:
                break
            at = taken[-1].after
        else:
            raise RulesError(f"step {at.step.name}: {MOST_STEPS} steps without a question")
        self._here, self._node = at, node
        self._steps_taken = (*self._steps_taken, *taken)

    def __repr__(self) -> str:
        state = self.question or "over"
        return f"<session of {self.game.system.id}: {len(self.answers)} answers, {state}>"

    def _repr_html_(self) -> str:
        """The log and what comes next as a table, for notebooks."""
        rows = ((line.actor, line.done, line.meant) for line in self.log)
        state = repr(self.question or self.result).strip("<>")
        return html_table(
            self.game.system.title, ("who", "dice and decisions", "meaning"), rows, state
        )

    # -- looking -------------------------------------------------------------------------

    @property
    def here(self) -> At[Facts]:
        """The place at which the session rests."""
        return self._here

    @property
    def node(self) -> Chance[Facts] | Choice[Facts] | End[Facts]:
        """The node with which the step at that place answers."""
        return self._node

    @property
    def steps_taken(self) -> tuple[StepTaken, ...]:
        """Every step taken so far."""
        return self._steps_taken

    @property
    def outcome(self) -> Facts | None:
        """The final facts, or None while the exchange goes on."""
        return self._node.outcome if isinstance(self._node, End) else None

    @property
    def result(self) -> Result:
        """The outcome fields by name: `session.result["net"]`; none while it goes on."""
        from affray.engine.exchange.result import Result  # most sessions are never asked

        return Result(self.game.system, self.outcome)

    @property
    def picture(self) -> str:
        """The table as it is now, where the system draws one; else ""."""
        return self._drawn(self.game.system.picture)

    @property
    def drawing(self) -> str:
        """The same as an SVG document, where the system makes one; else ""."""
        return with_classes(self._drawn(self.game.system.drawing))

    def _drawn(self, draw: Callable[[Facts], str] | None) -> str:
        facts = self._here.facts if self.outcome is None else self.outcome
        return "" if draw is None else draw(facts)

    @property
    def question(self) -> Question | None:
        """The open question, or None when the exchange is over."""
        node, step = self._node, self._here.step
        if isinstance(node, End):
            return None
        if isinstance(node, Chance):
            return Question(node.actor, node.ask, step.name, step.clauses, node.dice, (), (), ())
        return Question(
            node.actor, node.ask, step.name, step.clauses, None, node.options, node.about,
            node.closed,
        )  # fmt: skip

    @property
    def answers(self) -> tuple[Answer, ...]:
        """All answers to questions, in order: a stored game needs nothing else."""
        return tuple(
            entry.answer for entry in self._steps_taken if entry.asked and entry.answer is not None
        )

    @property
    def log(self) -> tuple[LogLine, ...]:
        """The log: one line for each step that has something to tell."""
        lines = (log_line(entry) for entry in self._steps_taken)
        return tuple(
            line for line in lines if line.says or line.totals or line.faces or line.option
        )

    def faces_of(self, step: str) -> tuple[Face, ...]:
        """The faces of the last roll of a step, or () if there was none."""
        for entry in reversed(self._steps_taken):
            if entry.at.step.name == step and entry.answer is not None:
                return entry.answer.faces
        return ()

    # -- moving --------------------------------------------------------------------------

    def answer(self, given: Answer | str | Sequence[Face], by: str = "hand") -> Session:
        """The session after an answer.

        Args:
            given: faces of the dice, one each, in the order of `question.dice`; or the name of
                an option; or an `Answer`.
            by: where the answer came from, if `given` doesn't say.

        Raises:
            AnswerError: faces that the dice don't have, an option that is not on offer, or no
                question; this session stays as it is.
        """
        node = self._node
        if isinstance(node, End):
            raise AnswerError("the exchange is over; nothing is asked any more")
        reply = answer_of(given, by)
        if isinstance(node, Chance):
            faces = node.dice.meant(reply.faces)
            wrong = faces_refused(node.dice, faces, f"{self._here.step.name} ({node.ask})")
            if wrong is not None:
                raise wrong
            reply = reply._replace(faces=cast("tuple[Face, ...]", faces))
            after = fill(node.then, node.into, node.read(reply.faces))
        else:
            option = node.named(reply.option)
            if option is None:
                raise refusal(self._here, node, reply.option or repr(reply.faces))
            reply, after = reply._replace(option=option.name), option.at
        taken = StepTaken(self._here, node, reply, after, asked=True)
        return self._moved(after, self._steps_taken, [taken])

    def undo(self) -> Session:
        """The session before the last answer; the same session if nothing was answered."""
        for place in range(len(self._steps_taken) - 1, -1, -1):
            if self._steps_taken[place].asked:
                return self._cut(place)
        return self

    def _cut(self, place: int) -> Session:
        return self._moved(self._steps_taken[place].at, self._steps_taken[:place], [])

    def _moved(
        self, here: At[Facts], steps_taken: tuple[StepTaken, ...], taken: list[StepTaken]
    ) -> Session:
        """A session of the same game that goes on from another place."""
        moved = object.__new__(Session)
        moved.game, moved._steps_taken, moved._here = self.game, steps_taken, here
        moved._advance(taken)
        return moved

    @classmethod
    def replay(cls, game: Game, answers: Iterable[Answer]) -> Session:
        """The session that these answers lead to.

        Raises:
            AnswerError: an answer that does not fit; says which.
        """
        return cls(game).answered(answers)

    def answered(self, answers: Iterable[Answer]) -> Session:
        """The session that these answers lead to from here.

        Raises:
            AnswerError: an answer that does not fit; says which.
        """
        session = self
        for number, given in enumerate(answers, start=1):
            try:
                session = session.answer(given)
            except AnswerError as error:
                raise AnswerError(f"answer {number}: {error}", faults=error.faults) from None
        return session


def answer_of(given: Answer | str | Sequence[Face], by: str) -> Answer:
    """An answer that was given, as a record.

    Args:
        given: faces of dice; the name of an option; or an `Answer`.
        by: where it came from, if `given` doesn't say.

    Raises:
        AnswerError: it is both, or doesn't say of each face where it came from.
    """
    if isinstance(given, Answer):
        if given.faces and given.option:
            raise AnswerError(
                f"both faces and the option {given.option!r}; an answer is one of them"
            )
        many = len(given.faces) or 1
        named = given.by or (by,)
        if len(named) not in {1, many}:
            raise AnswerError(f"by: {len(named)} names; needed: one for each of {many} faces")
        return given._replace(by=named * many if len(named) == 1 else named)
    if isinstance(given, str):
        return Answer(option=given, by=(by,))
    return Answer(faces=tuple(given), by=(by,) * len(given))


def log_line(entry: StepTaken) -> LogLine:
    """The log line of one step taken."""
    step: Step[Facts] = entry.at.step
    node, answer = entry.node, entry.answer
    faces = answer.faces if answer else ()
    told = step.told(entry.at.facts, entry.after.facts, faces)
    words, verdict = "", step.judged(entry.at.facts, entry.after.facts) if faces else ""
    if isinstance(node, Choice) and answer is not None:
        words = next(o.words for o in node.options if o.name == answer.option)
    return LogLine(
        step=step.name,
        clauses=step.clauses,
        title=step.title,
        actor="" if isinstance(node, Go) else node.actor,
        dice=str(node.dice) if isinstance(node, Chance) and node.dice.size else "",
        faces=faces,
        by=answer.by if answer else (),
        option=answer.option if answer else "",
        words=words,
        totals=tuple(part for part in told if isinstance(part, Total)),
        says=" ".join(part for part in told if isinstance(part, str)),
        opens=step.opening(entry.at.facts, entry.after.facts),
        brief=step.brief(entry.at.facts, entry.after.facts),
        verdict=verdict,
        chance=_chance_of(entry.at, node, verdict)
        if isinstance(node, Chance) and verdict
        else None,
        kinds=thrown(node.dice) if isinstance(node, Chance) else (),
    )


@lru_cache(maxsize=1024)
def _chance_of(at: At[Facts], node: Chance[Facts], verdict: str) -> Fraction | None:
    """The chance that a roll comes to this; None: it has too many faces or readings to tell."""
    if not hasattr(node.read, "counted") and prod(len(die.faces) for die in node.dice.dice) > MOST:
        return None
    try:
        rows = distribution(node.dice, node.read)
    except LimitError:
        return None
    if len(rows) > MOST:
        return None

    def comes_to_it(reading: object) -> bool:
        after = fill(node.then, node.into, reading)
        return at.step.judged(at.facts, after.facts) == verdict

    return rows.where(comes_to_it)
