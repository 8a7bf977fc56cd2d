"""Play: an exchange begun, answered step by step, taken back, gone on with another way.

A game is a record of data: where it began and the list of answers. The answers are the truth;
everything a player sees is worked out from them, by replay if need be. A game is played as a
`Fight` is: every change gives a new one.

>>> from affray.app.sources import Shipped
>>> game = PlayedGame.begin("eclipse-phase", Shipped("jinx-shoots"))
>>> game.question.ask, game.question.dice
('attack roll', '1d100')
>>> game = game.answer([96]).answer("flip")
>>> game.question.ask, game.undo().question.ask
('defense roll', 'spend a pool point on the attack roll?')
>>> game.undo().redo() == game
True
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property

from affray.app.files.saved import is_saved, outcome_of, restore, to_saved
from affray.app.inputs.intake import Raw, table_checked
from affray.app.inputs.setups import Loaded, load_table, setup_behind
from affray.app.registry import system_named
from affray.app.revisions import EVERYTHING, kept_since, revisions_of
from affray.app.roles import ALL, EasyRole, Role, as_role
from affray.app.rolling import Roll
from affray.app.sources import AS_WRITTEN, NO_ANSWERS, Answers, Changes, Source, Table
from affray.app.taken_back import TakenBack, no_later, with_dropped
from affray.app.usual import plain_option
from affray.app.views.accounts import Account, accounts
from affray.app.views.exchanges import NextRow, PlayView, QuestionRow, question_row
from affray.app.views.said import outcome_told
from affray.core.actor import role_of
from affray.core.dice import Face
from affray.core.errors import AnswerError, SetupError
from affray.core.lazy import dataclass
from affray.core.names import unknown
from affray.core.node import Choice, Facts
from affray.core.system import System
from affray.core.telling import escaped, shown
from affray.engine.exchange.difference import difference
from affray.engine.exchange.explain import explain, told_fields
from affray.engine.exchange.game import Game
from affray.engine.exchange.odds import fields_named
from affray.engine.exchange.sealed import lines_shown, log_for, picture_for, waits_sealed
from affray.engine.exchange.session import Answer, LogLine, Session
from affray.engine.exchange.sources import Script, drive

__all__ = ["SEATS", "PlayedGame", "SurplusError", "check_expected", "play_script"]


NOTHING = Answer()
SEATS = ("typed", "rolled", "computer")
"""Who may answer in an exchange."""


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
        seats: who answers, by role: "typed", "rolled" or "computer".
        revision: how many changes there were; it only grows, when answers are taken back as well.
        placed: the revision with which each of the answers came, or came back.
    """

    system: str
    source: Source
    changes: Changes = AS_WRITTEN
    answers: tuple[Answer, ...] = ()
    undone: tuple[Answer, ...] = ()
    lying: Answer = NOTHING
    remarks: tuple[str, ...] = ()
    taken_back: tuple[TakenBack, ...] = ()
    seats: Mapping[str, str] = field(default_factory=dict)
    revision: int = field(default=0, compare=False)
    placed: tuple[int, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        revision, placed = revisions_of(self.answers, self.revision, self.placed)
        vars(self).update(revision=revision, placed=placed)

    @classmethod
    def begin(cls, system_name: str, source: Source, changes: Changes = AS_WRITTEN) -> PlayedGame:
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
        game = cls(system.id, source, changes)
        vars(game)["session"] = Session(game.loaded.game)
        return game

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
    def moves(self) -> tuple[Answer, ...]:
        """The answers: what is a move of a fight is an answer here."""
        return self.answers

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

    @property
    def saved(self) -> Raw:
        """The game as a table that can be kept, and begun from again."""
        return to_saved(
            self.loaded, self.session, self.lying, taken_back=self.taken_back,
            revision=self.revision, seats=self.seats,
        )  # fmt: skip

    def view(
        self, role: EasyRole = ALL, *, since: int | None = None, seed: int | None = None,
        why: Sequence[str] = (),
    ) -> PlayView:  # fmt: skip
        """The game as far as it was played: the log, then a question or the outcome.

        Args:
            role: who looks; a short word for it is "all", or a role of the exchange. What others
                have decided under cover is left out.
            since: a revision: the log tells what happened after it; None: all of it.
            seed: the seed of its dice, if there was one.
            why: outcome fields to be explained.

        Raises:
            UnknownNameError: a field in `why` that there is not; no such role.
            SetupError: a field to be explained before the end.
        """
        found = as_role(role, self.loaded.game.system.actors)
        explanation = _explained(self, why)
        seed = seed if found.kind == "master" else None
        return replace(_view_of(self, found, since), explanation=explanation, seed=seed)

    def seen_by(self, role: Role) -> Callable[[str], bool]:
        """Tells whether somebody sees what an actor decides under cover."""
        names = Counter(self.names.values())

        def is_seen(actor: str) -> bool:
            side = role_of(actor)
            name = self.names.get(side, "")
            return role.has(side, (name,) if names[name] == 1 else ())

        return is_seen

    def question_for(self, role: Role) -> QuestionRow | None:
        """The open question; of a sealed one, others see only that somebody is asked."""
        row = self.question
        if row is None or not waits_sealed(self.session) or self.seen_by(role)(row.actor):
            return row
        return row._replace(options=(), about=(), closed=())

    # -- moving ------------------------------------------------------------------------------

    def answer(self, given: Answer | str | Sequence[Face], by: str = "hand") -> PlayedGame:
        """The game after an answer; what was undone before is forgotten.

        Args:
            given: faces of the dice, one each; the name of an option; or an `Answer`.
            by: where the answer came from: "hand", "script", ...

        Raises:
            AnswerError: a face that a die doesn't have, an option that is not on offer, or nothing
                is asked any more; the game stays as it is.
        """
        return self._gone_on(self.session.answer(given, by))

    def undo(self, n: int = 1) -> PlayedGame:
        """The game before the last answers; as far back as there are any."""
        n = min(n, len(self.answers))
        if n < 1:
            return self
        session = self.session
        for _ in range(n):
            session = session.undo()
        return self._moved(session, (*self.answers[-n:], *self.undone))

    def redo(self, n: int = 1) -> PlayedGame:
        """The game after answers that were undone are given again; as many as there are."""
        again, left = self.undone[:n], self.undone[n:]
        if not again:
            return self
        session = self.session
        for one in again:
            session = session.answer(one)
        return self._moved(session, left)

    def corrected(self, die: int, face: str) -> PlayedGame:
        """The game with another face on a die of the last roll; what came after it is asked anew.

        Args:
            die: the number of the die, from 1.
            face: as it was typed.

        Raises:
            AnswerError: nothing was rolled, or the die has no such face.
        """
        rolls = (n for n, one in enumerate(self.answers) if one.faces)
        last = max(rolls, default=-1)
        if last < 0:
            raise AnswerError("nothing has been rolled that could be corrected")
        before = self.undo(len(self.answers) - last)
        assert before.rolling is not None  # it was answered with faces
        rolled = self.answers[last]
        roll = Roll(before.rolling.pool, rolled.faces, rolled.by)
        found = before.answer(roll.corrected(die, face).answer)
        revision = self.revision + 1
        return found._copied(revision=revision, placed=(*before.placed, revision))

    def at(self, n: int) -> PlayedGame:
        """The game after its first answers: a fork, to go on another way.

        Raises:
            AnswerError: it has not as many answers.
        """
        if not 0 <= n <= len(self.answers):
            raise AnswerError(f"fork after {n} answers; allowed: 0 to {len(self.answers)}")
        back = tuple(row for row in self.taken_back if row.after < n)
        found = self.undo(len(self.answers) - n)
        return found._copied(undone=(), lying=NOTHING, taken_back=back)

    def laid(self, lying: Answer) -> PlayedGame:
        """The game with these faces of the open roll on the table; nothing is answered yet."""
        return self._copied(lying=lying, revision=self.revision + 1)

    def seated(self, seats: Mapping[str, str]) -> PlayedGame:
        """The game with others at its seats, by role: it changes nothing in what is played.

        Raises:
            UnknownNameError: there is no such role, or no such way to answer.
        """
        roles = self.loaded.game.system.actors
        for role, seat in seats.items():
            if role not in roles:
                raise unknown("side", role, roles)
            if seat not in SEATS:
                raise unknown("way to answer", seat, SEATS)
        return self._copied(seats=dict(seats), revision=self.revision + 1)

    @property
    def seat(self) -> str:
        """Who answers the open question; "": nobody is named, or nothing is asked."""
        question = self.session.question
        return "" if question is None else self.seats.get(role_of(question.actor), "")

    def _gone_on(self, session: Session) -> PlayedGame:
        """The game after new answers; what was undone before is given up."""
        back = with_dropped(self.taken_back, len(self.answers), self.undone)
        moved = self._moved(session)
        return moved if back == moved.taken_back else moved._copied(taken_back=back)

    def _moved(self, session: Session, undone: tuple[Answer, ...] = ()) -> PlayedGame:
        """The game where a session stands."""
        back = no_later(self.taken_back, len(session.answers))
        moved = self._copied(
            answers=session.answers, undone=undone, lying=NOTHING, taken_back=back,
            revision=self.revision + 1, placed=self.placed[: len(session.answers)],
        )  # fmt: skip
        vars(moved)["session"] = session
        return moved

    def _copied(self, **changes: object) -> PlayedGame:
        """The game with something changed; what is worked out already is kept."""
        copied = replace(self, **changes)  # type: ignore[arg-type]  # fields of this class
        vars(copied).update(loaded=self.loaded, session=self.session)
        return copied


# -- begin -----------------------------------------------------------------------------------


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
        taken_back=found.taken_back, revision=found.revision,
    )  # fmt: skip
    vars(game).update(loaded=found.loaded._replace(remarks=found.notes), session=found.session)
    return game.seated(found.seats)._copied(revision=found.revision)


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
    moved = game._gone_on(drive(game.session, script))
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
    for one, (name, expected) in zip(fields, loaded.expect.items(), strict=True):
        came = one.of(outcome)
        came = list(came) if isinstance(came, tuple) else came
        if came != expected:
            wrong.append(f"{name}: {shown(came)}, not {shown(expected)}")
    if wrong:
        raise AnswerError(f"{loaded.origin}: expect: {'; '.join(wrong)}")


# -- look ------------------------------------------------------------------------------------


def _explained(game: PlayedGame, why: Sequence[str]) -> tuple[str, ...]:
    """The account of outcome fields, in lines.

    Raises:
        UnknownNameError: a field that there is not.
        SetupError: the exchange is not over.
    """
    lines: list[str] = []
    for name in why:
        (field,) = fields_named(game.loaded.game.system, (name,))
        if game.session.outcome is None:
            raise SetupError(
                f"{field.name} can't be explained: the exchange is not over; play it to the end"
            )
        lines += explain(game.session, field.name).lines()
    return tuple(lines)


def _view_of(game: PlayedGame, role: Role, since: int | None) -> PlayView:
    """A game as far as it was played, for one who has some role in it; see `PlayedGame.view`."""
    loaded, session, is_mine = game.loaded, game.session, game.seen_by(role)
    kept, before = EVERYTHING, 0
    if since is not None:
        kept = kept_since(game.placed, game.revision, since)
    if kept >= 0:
        before = lines_shown(game.undo(len(game.answers) - kept).session, is_mine)
    log, is_master = log_for(session, is_mine), role.kind == "master"
    short, outcome, told = game.told(log), outcome_of(session), told_fields(session)
    return PlayView(
        notes=loaded.notes,
        system=loaded.game.system.id,
        setup=loaded.origin,
        title=loaded.title,
        seed=None,
        log=log[before:],
        question=game.question_for(role),
        outcome=outcome,
        told=told,
        picture=picture_for(session, is_mine),
        explanation=(),
        saved=game.saved if is_master else {},
        remarks=(*loaded.remarks, *(f"{row.told}." for row in game.taken_back)),
        assumed=loaded.assumed,
        names=tuple(game.names.items()),
        short=short,
        said=tuple(account.text for account in short),
        ending=outcome_told(outcome, told) if session.outcome is not None else "",
        role=role,
        revision=game.revision,
        kept=kept,
        lines_before=before,
        answers=len(game.answers),
        undone=len(game.undone),
        next=_next(game),
        seats=dict(game.seats),
        lying=game.lying.faces,
    )


def _next(game: PlayedGame) -> NextRow | None:
    """Who answers the open question, and in which way."""
    question = game.session.question
    if question is None:
        return None
    side, name = role_of(question.actor), game.names.get(question.actor, "")
    return NextRow(side, name, question.actor, game.seat, question.dice is not None, master=False)
