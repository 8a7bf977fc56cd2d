"""Play: an exchange begun, answered step by step, taken back, gone on with another way.

A game is a record of data: where it began and the list of answers. The answers are the truth;
everything a player sees is worked out from them, by replay if need be. Every face plays with these
functions: `begin`, `answer`, `roll`, `decide`, `undo`, `redo`, `fork`, and `look` at any time.

>>> from affray.app.sources import Shipped
>>> game = begin("eclipse-phase", Shipped("jinx-shoots"))
>>> game.question.ask, game.question.dice
('attack roll', '1d100')
>>> game = answer(answer(game, [96]), "flip")
>>> game.question.ask, undo(game).question.ask
('defense roll', 'spend a pool point on the attack roll?')
>>> redo(undo(game)) == game
True
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from math import inf
from time import monotonic

from affray.app.files.saved import is_saved, outcome_of, restore, to_saved
from affray.app.inputs.intake import Raw, table_checked
from affray.app.inputs.setups import Loaded, load_table, setup_behind
from affray.app.registry import system_named
from affray.app.rolling import Roll
from affray.app.sources import AS_WRITTEN, NO_ANSWERS, Answers, Changes, Source, Table
from affray.app.taken_back import TakenBack, no_later, with_dropped
from affray.app.usual import plain_option
from affray.app.views.accounts import Account, accounts
from affray.app.views.exchanges import PlayView, QuestionRow, question_row
from affray.core.dice import Face
from affray.core.errors import AnswerError, SetupError
from affray.core.lazy import dataclass
from affray.core.node import Choice, Facts
from affray.core.system import System
from affray.core.telling import escaped, shown
from affray.engine.advice.search import Search, guides_for
from affray.engine.budget import Budget
from affray.engine.exchange.best import objective_named
from affray.engine.exchange.difference import difference
from affray.engine.exchange.explain import explain, told_fields
from affray.engine.exchange.game import Game
from affray.engine.exchange.odds import fields_named
from affray.engine.exchange.sealed import log_for, picture_for, waits_sealed
from affray.engine.exchange.session import Answer, LogLine, Question, Session
from affray.engine.exchange.sources import Entropy, Script, Seeded, drive
from affray.engine.exchange.sources import Source as Deciding

__all__ = [
    "PlayedGame", "answer", "as_saved", "begin", "check_expected", "check_objective",
    "computer_decides", "computer_rolls", "correct", "decide", "fork", "lay", "look", "play_script",
    "redo", "roll", "undo",
]  # fmt: skip


NOTHING = Answer()


DECIDING_S = 2.0
"""The seconds that the computer looks ahead at a decision, unless it is told otherwise."""
COUNTED = Budget(places=2_000)
"""What it takes instead where the same seed shall decide the same."""


@dataclass(frozen=True)
class PlayedGame:
    """A game: where it began, and every answer since.

    Attributes:
        system: id of the system.
        source: the setup. changes: what holds instead of what it says.
        answers: what was answered, in order.
        undone: answers taken back, the last of them first.
        lying: faces of the roll that is asked for, as far as they are there.
        remarks: what a player should know: that a saved game comes from other rules.
        taken_back: rolls that were taken back when they had been seen, and are not there again.
    """

    system: str
    source: Source
    changes: Changes = AS_WRITTEN
    answers: tuple[Answer, ...] = ()
    undone: tuple[Answer, ...] = ()
    lying: Answer = NOTHING
    remarks: tuple[str, ...] = ()
    taken_back: tuple[TakenBack, ...] = ()

    @cached_property
    def loaded(self) -> Loaded:
        """The setup, ready."""
        system = system_named(self.system)
        table = setup_behind(system, self.source)
        return load_table(system, table, self.changes)._replace(remarks=self.remarks)

    @cached_property
    def session(self) -> Session:
        """The place that the answers lead to."""
        return Session.replay(self.loaded.game, self.answers)

    @property
    def here(self) -> Game:
        """The rest of the exchange, to be priced or solved."""
        return self.loaded.game._replace(start=self.session.here)

    @cached_property
    def question(self) -> QuestionRow | None:
        """The question or roll that the game waits for; None when it is over."""
        question = self.session.question
        return question and question_row(question)

    @property
    def rolling(self) -> Roll | None:
        """The roll that the game waits for, with the faces that lie; None: it waits for none."""
        question = self.session.question
        if question is None or question.dice is None:
            return None
        return Roll(question.dice, self.lying.faces, self.lying.by)

    @cached_property
    def unasked(self) -> Answer | None:
        """The answer where all options come to the same, so that nobody is asked; else None."""
        choice = self.session.node
        if not isinstance(choice, Choice) or waits_sealed(self.session):
            return None
        is_none = difference(self.session).is_none
        return Answer(option=self.usual, by=("unasked",)) if is_none else None

    @property
    def usual(self) -> str:
        """The option that Enter takes at the open decision; "": nothing is to be decided."""
        return plain_option(self.session) if isinstance(self.session.node, Choice) else ""

    @property
    def log(self) -> tuple[LogLine, ...]:
        """The log of the game so far."""
        return self.session.log

    @cached_property
    def names(self) -> dict[str, str]:
        """The names of those who take part, by the role that the log calls them."""
        setup, roles = self.loaded.setup, self.loaded.game.system.actors
        sheets = {role: getattr(setup, role, None) for role in roles}
        return {role: str(getattr(one, "name", "") or role) for role, one in sheets.items()}

    def told(self, log: Sequence[LogLine]) -> tuple[Account, ...]:
        """The exchange in a line or two, from as much of its log as somebody sees."""
        system, start = self.loaded.game.system, self.loaded.game.start.facts
        whole = None if system.fight is None else system.fight.whole
        if whole is not None and whole.fits(start):
            return accounts(log, {}, "", each_deed=True)
        at_length = not any(step.is_told_briefly for step in system.steps)
        return accounts(log, self.names, "", at_length=at_length) if log else ()

    @property
    def picture(self) -> str:
        """A picture of the table, where the system draws one; else ""."""
        return escaped(self.session.picture)

    def __repr__(self) -> str:
        waits = "over" if self.question is None else f"waits for {self.question.actor}"
        return (
            f"<game of {self.system}, {self.loaded.origin}: {len(self.answers)} answers, {waits}>"
        )


def _moved(game: PlayedGame, session: Session, undone: tuple[Answer, ...] = ()) -> PlayedGame:
    """The game where a session stands; what is worked out already is kept."""
    back = no_later(game.taken_back, len(session.answers))
    moved = replace(
        game, answers=session.answers, undone=undone, lying=NOTHING, taken_back=back
    )  # fmt: skip
    vars(moved).update(loaded=game.loaded, session=session)
    return moved


def _answered(game: PlayedGame, session: Session) -> PlayedGame:
    """The game after new answers; what was undone before is given up."""
    back = with_dropped(game.taken_back, len(game.answers), game.undone)
    moved = _moved(game, session)
    return moved if back == moved.taken_back else _copied(moved, taken_back=back)


# -- begin -----------------------------------------------------------------------------------


def begin(system_name: str, source: Source, changes: Changes = AS_WRITTEN) -> PlayedGame:
    """A new game from a setup, or a saved game where it stood.

    A saved game keeps the readings and the decided choices it was begun with.

    Raises:
        UnknownNameError: an unknown system or example.
        InputError: a table that doesn't fit.
        SetupError: a declaration that the rules refuse; changes to a saved game.
        AnswerError: an answer of a saved game that the rules of today don't allow.
    """
    system = system_named(system_name)
    if isinstance(source, Table) and is_saved(source.raw):
        return _reopened(system, source, changes)
    game = PlayedGame(system.id, source, changes)
    vars(game)["session"] = Session(game.loaded.game)
    return game


def _reopened(system: System[Facts], source: Table, changes: Changes) -> PlayedGame:
    if any(changes):
        given = ", ".join((*changes.rulings, *changes.settle, *(t.origin for t in changes.roster)))
        raise SetupError(
            f"{source.origin}: a saved game keeps its rulings, settled choices and roster entries; "
            f"given: {given}. Begin a new game from a setup to change them"
        )
    raw = table_checked(source.raw, source.origin)
    found = restore(system, raw, source.origin)
    setup = Table(found.loaded.raw, source.origin)
    game = PlayedGame(
        system.id, setup, answers=found.session.answers, lying=found.lying, remarks=found.notes,
        taken_back=found.taken_back,
    )  # fmt: skip
    vars(game).update(loaded=found.loaded._replace(remarks=found.notes), session=found.session)
    return game


def play_script(game: PlayedGame, script: Answers = NO_ANSWERS) -> PlayedGame:
    """Give answers that were written down beforehand.

    Raises:
        SetupError: the setup's own script is wanted, and there is none.
        AnswerError: an answer that doesn't fit.
        SurplusError: faces or options are left over; it carries the game as far as it went.
    """
    if script.own:
        loaded = game.loaded
        if not (loaded.dice or loaded.options):
            raise SetupError(
                f"{loaded.origin}: no script in it; write one under `play`: dice and choose"
            )
        game = _scripted(game, loaded.dice, loaded.options)
    return _scripted(game, script.dice, script.options)


def _scripted(game: PlayedGame, dice: Sequence[Face], options: Sequence[str]) -> PlayedGame:
    if not (dice or options):
        return game
    script = Script(dice, options)
    moved = _answered(game, drive(game.session, script))
    if script.faces or script.choices:
        left = ", ".join(map(str, (*script.faces, *script.choices)))
        question = moved.question
        state = "is over" if question is None else f"waits for {_awaited(question)}"
        raise SurplusError(f"answers left over: {left}; the exchange {state}", moved)
    return moved


class SurplusError(AnswerError):
    """Faces or options were left over.

    Attributes:
        game: the game after all answers that it took.
    """

    def __init__(self, message: str, game: PlayedGame) -> None:
        super().__init__(message)
        self.game = game


def _awaited(question: QuestionRow) -> str:
    wanted = question.dice or ", ".join(option.name for option in question.options)
    return f"{question.ask} ({wanted})"


# -- answer ----------------------------------------------------------------------------------


def answer(game: PlayedGame, given: Answer | str | Sequence[Face], by: str = "hand") -> PlayedGame:
    """The game after an answer; what was undone before is forgotten.

    Args:
        game: a game that waits for one.
        given: faces of the dice, one each; or the name of an option.
        by: where the answer came from: "hand", "script", ...

    Raises:
        AnswerError: a face that a die doesn't have, an option that is not on offer, or nothing
            is asked any more; the game stays as it is.
    """
    return _answered(game, game.session.answer(given, by))


def lay(game: PlayedGame, roll: Roll) -> PlayedGame:
    """The game with faces of the open roll on the table; they are no answer yet."""
    return _copied(game, lying=roll.answer)


def _copied(game: PlayedGame, **changes: object) -> PlayedGame:
    """The game with something changed; what is worked out already is kept."""
    copied = replace(game, **changes)  # type: ignore[arg-type]  # fields of this class
    vars(copied).update(loaded=game.loaded, session=game.session)
    return copied


def computer_rolls(seed: int | None = None) -> Entropy:
    """Somebody who rolls: with a seed, or with the operating system's entropy.

    One who has a seed goes on in its sequence from roll to roll; in a game from where it stands, so
    that the same answers get the same faces when some were taken back.
    """
    return Entropy() if seed is None else Seeded(seed)


def roll(game: PlayedGame, dice: Entropy) -> PlayedGame:
    """The game after a roll by the computer; the same game if no dice are asked for."""
    question = game.session.question
    dice.went_on((*game.answers, game.lying))
    given = question and dice(game.session, question)
    return game if given is None else answer(game, given)


def check_objective(game: PlayedGame, name: str) -> None:
    """Check that an objective can be wanted in a game, whether or not anybody will decide for it.

    Raises:
        UnknownNameError: it can't.
    """
    objective_named(game.loaded.game.system, name, game.loaded.game.start)


def computer_decides(
    game: PlayedGame,
    objective: str = "",
    budget: Budget | None = None,
    *,
    looking_s: float | None = DECIDING_S,
    in_all_s: float | None = None,
    seed: int = 0,
) -> Deciding:
    """Somebody who takes the best options for an objective; the system's first by default.

    What can be solved is. Else they look ahead, and learn from one decision to the next.

    Args:
        game: what is played.
        objective: what they want.
        budget: how much each decision may take.
        looking_s: the seconds that looks ahead may take of it; None: all of them.
        in_all_s: the seconds that all decisions together may take; the less is left, the less
            each of them takes. None: no limit.
        seed: of the looks ahead.
    """
    loaded, left = game.loaded, inf if in_all_s is None else in_all_s
    goal = objective_named(loaded.game.system, objective, loaded.game.start)
    search = Search(loaded.game, goal, seed=seed, guides=guides_for(loaded.game, goal))

    def decided(session: Session, question: Question) -> Answer | None:
        nonlocal left
        if question.dice is not None:
            return None
        limits, looks_s = budget, looking_s
        if left < inf:
            limits = budget or Budget()
            limits = limits._replace(seconds=min(limits.seconds or inf, left / 2))
            looks_s = min(left / 2 if looks_s is None else looks_s, left / 12)
        began = monotonic()
        option, by = search.taken(session.here, budget=limits, looking_s=looks_s)
        left = max(0.0, left - (monotonic() - began))
        return Answer(option=option, by=(by,))

    return decided


def decide(game: PlayedGame, policy: Deciding) -> PlayedGame:
    """The game after a decision by the computer; the same game if nothing is to be decided.

    Raises:
        LimitError: the policy's budget is spent.
    """
    question = game.session.question
    given = question and policy(game.session, question)
    return game if given is None else answer(game, given)


# -- go back ---------------------------------------------------------------------------------


def undo(game: PlayedGame) -> PlayedGame:
    """The game before its last answer; the same game if there is none."""
    if not game.answers:
        return game
    return _moved(game, game.session.undo(), (game.answers[-1], *game.undone))


def redo(game: PlayedGame) -> PlayedGame:
    """The game with the answer given again that was undone last; the same if there is none."""
    if not game.undone:
        return game
    again, *rest = game.undone
    return _moved(game, game.session.answer(again), tuple(rest))


def correct(game: PlayedGame, die: int, face: str) -> PlayedGame:
    """The game with another face on a die of the last roll; what came after it is asked anew.

    Args:
        game: a game.
        die: the number of the die, from 1.
        face: as it was typed.

    Raises:
        AnswerError: nothing was rolled, or the die has no such face.
    """
    before = game
    while before.answers:
        rolled, before = before.answers[-1], undo(before)
        question = before.session.question
        if rolled.faces and question is not None and question.dice is not None:
            roll = Roll(question.dice, rolled.faces, rolled.by)
            return answer(before, roll.corrected(die, face).answer)
    raise AnswerError("nothing has been rolled that could be corrected")


def fork(game: PlayedGame, answers: int) -> PlayedGame:
    """The game as it was after so many answers, to be gone on with another way.

    Raises:
        AnswerError: it has no so many answers.
    """
    if not 0 <= answers <= len(game.answers):
        raise AnswerError(f"fork after {answers} answers; allowed: 0 to {len(game.answers)}")
    back = tuple(row for row in game.taken_back if row.after < answers)
    return replace(
        game, answers=game.answers[:answers], undone=(), lying=NOTHING, taken_back=back
    )  # fmt: skip


# -- look ------------------------------------------------------------------------------------


def as_saved(game: PlayedGame) -> Raw:
    """The game as a table that can be kept, and begun from again."""
    return to_saved(game.loaded, game.session, game.lying, game.taken_back)


def look(game: PlayedGame, *, seed: int | None = None, why: Sequence[str] = ()) -> PlayView:
    """A game as far as it was played: the log, then a question or the outcome.

    Args:
        game: where it stands.
        seed: the seed of its dice, if there was one.
        why: outcome fields to be explained.

    Raises:
        UnknownNameError: a field in `why` that there is not.
        SetupError: a field to be explained before the end.
    """
    loaded, session = game.loaded, game.session
    system = loaded.game.system
    lines: list[str] = []
    for name in why:
        (field,) = fields_named(system, (name,))
        if session.outcome is None:
            raise SetupError(
                f"{field.name} can't be explained: the exchange is not over; play it to the end"
            )
        lines += explain(session, field.name).lines()
    log = log_for(session, lambda _: False)
    return PlayView(
        system=system.id,
        setup=loaded.origin,
        title=loaded.title,
        seed=seed,
        log=log,
        question=game.question,
        outcome=outcome_of(session),
        told=told_fields(session),
        picture=picture_for(session, lambda _: False),
        explanation=tuple(lines),
        saved=as_saved(game),
        remarks=(*loaded.remarks, *(f"{row.told}." for row in game.taken_back)),
        assumed=loaded.assumed,
        names=tuple(game.names.items()),
        short=game.told(log),
    )


def check_expected(game: PlayedGame) -> None:
    """Hold what came of an exchange against the key `expect` of its setup.

    Raises:
        AnswerError: a field came to something else, or the exchange is not over.
        UnknownNameError: a field that there is not.
    """
    loaded, outcome = game.loaded, game.session.outcome
    if not loaded.expect:
        return
    if outcome is None:
        raise AnswerError(f"{loaded.origin}: expect: the exchange is not over; play it to the end")
    wrong = []
    fields = fields_named(loaded.game.system, tuple(loaded.expect))
    for field, (name, expected) in zip(fields, loaded.expect.items(), strict=True):
        came = field.of(outcome)
        came = list(came) if isinstance(came, tuple) else came
        if came != expected:
            wrong.append(f"{name}: {shown(came)}, not {shown(expected)}")
    if wrong:
        raise AnswerError(f"{loaded.origin}: expect: {'; '.join(wrong)}")
