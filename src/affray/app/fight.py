"""A whole fight, played: begun, answered move by move, taken back, forked, looked at, saved.

A `Fight` is a record of data: how it began and the list of moves. The moves are the truth; whatever
anybody sees is worked out from them. Every change gives a new fight.

>>> fight = Fight.begin("empty-earth", ("bo", "2xhusk"))
>>> fight.question.kind, fight.question.ask, fight.question.dice
('order', 'Who begins? Flip a coin and say Bo or 2 x Husk', '1coin')
>>> fight = fight.answer(["Bo"])
>>> fight.question.ask, [option.name for option in fight.question.options]
('Bo: what now?', ['attack: Husk 1', 'attack: Husk 2', 'pass'])
>>> passed = fight.answer("pass")
>>> passed.undo().moves == fight.moves, passed.undo().redo() == passed
(True, True)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from affray.app.ahead import NOTHING_AHEAD, Ahead
from affray.app.asked import Answering, question_for, question_row
from affray.app.battle import MOST_ROUNDS
from affray.app.fight_computers import AT_SEATS, Computers
from affray.app.files import saved_fights
from affray.app.files.saved import check_lying
from affray.app.files.saved_fights import FightMove
from affray.app.inputs.fight_changes import FIGHT_AS_WRITTEN, FightChanges
from affray.app.inputs.fight_hands import Habit, HandMove, habits_of, hand_of
from affray.app.inputs.fight_setups import LoadedFight, check_policies, read_fight, read_raw_fight
from affray.app.inputs.fight_sheets import SIDES
from affray.app.inputs.intake import InputError, Raw, table_checked
from affray.app.inputs.whole_games import whole_game
from affray.app.played_view import view_of
from affray.app.registry import system_named
from affray.app.revisions import revisions_of
from affray.app.roles import ALL, EasyRole, Role
from affray.app.rolling import Roll
from affray.app.samples import SCHEMA as SAMPLES
from affray.app.samples import sample_of
from affray.app.sources import EasyFight, Table, fight_source_of
from affray.app.taken_back import TakenBack, no_later, with_dropped
from affray.app.views.played_fights import FightQuestionRow, FightView
from affray.core.dice import Face
from affray.core.errors import AnswerError, SetupError, StoreError
from affray.core.names import unknown
from affray.core.node import Facts
from affray.core.system import System
from affray.core.telling import shown
from affray.engine.budget import Budget
from affray.engine.exchange.sealed import waits_sealed
from affray.engine.exchange.session import Answer
from affray.engine.fight.course import FighterId
from affray.engine.fight.played.position import Exchange
from affray.engine.fight.played.questions import FightQuestion
from affray.engine.fight.played.retold import retold
from affray.engine.fight.played.session import FightSession

__all__ = ["Fight"]

NOTHING = Answer()
KINDS = ("typed", "rolled", "computer")
"""Who may answer for a side or a fighter; `computer:POLICY` says by which policy."""


@dataclass(frozen=True)
class Fight:
    """A whole fight as people play it. Immutable: every change gives a new one.

    Attributes:
        system: id of the system.
        source: the fight: a shipped name, a table, or the roster names of both sides; or a setup
            whose exchange is a whole fight by itself, such as a game on a map.
        changes: what holds instead of what the fight says.
        moves: answers and a game master's hands, in order.
        undone: moves that were taken back, the next to do again first.
        seats: who answers, by side ("one", "other") and by fighter: "typed", "rolled", "computer"
            or "computer:POLICY". It changes nothing in the fight.
        lying: faces of the roll that is asked for, as far as they are there.
        remarks: what a player should know: that a saved fight comes from other rules.
        taken_back: rolls that were taken back when they had been seen, and are not there again.
        revision: how many changes there were; it only grows, when moves are taken back as well.
        placed: the revision with which each of the moves came, or came back.
        ahead: what people have said for questions that are still to come.
    """

    system: str
    source: EasyFight
    changes: FightChanges = FIGHT_AS_WRITTEN
    moves: tuple[FightMove, ...] = ()
    undone: tuple[FightMove, ...] = ()
    seats: Mapping[str, str] = field(default_factory=dict)
    lying: Answer = NOTHING
    remarks: tuple[str, ...] = ()
    taken_back: tuple[TakenBack, ...] = ()
    revision: int = field(default=0, compare=False)
    placed: tuple[int, ...] = field(default=(), compare=False)
    ahead: Ahead = field(default=NOTHING_AHEAD, compare=False)

    def __post_init__(self) -> None:
        revision, placed = revisions_of(self.moves, self.revision, self.placed)
        vars(self).update(revision=revision, placed=placed)

    # -- beginning -------------------------------------------------------------------------------

    @classmethod
    def begin(
        cls,
        system_name: str,
        source: EasyFight,
        changes: FightChanges = FIGHT_AS_WRITTEN,
        *,
        battle: int = 1,
    ) -> Fight:
        """A new fight; a saved one where it stood; or a sample battle, played to its end.

        Args:
            system_name: id of a system.
            source: the name of a shipped fight, a table, or the roster names of both sides.
            changes: what holds instead of what the fight says; a saved one keeps what it has.
            battle: which of several sample battles; the first is 1.

        Raises:
            UnknownNameError: an unknown system, fight, roster name, ruling, ...
            InputError: a table that doesn't fit.
            SetupError: what the rules refuse; changes to a saved fight.
            AnswerError: a move of a saved fight that the rules of today don't allow.
        """
        system, found = system_named(system_name), fight_source_of(source)
        schema = found.raw.get("schema") if isinstance(found, Table) else None
        if isinstance(found, Table) and schema in (saved_fights.SCHEMA, SAMPLES):
            if changes != FIGHT_AS_WRITTEN:
                raise SetupError(
                    f"{found.origin}: a saved fight keeps its rulings, its situations and "
                    "everything else; begin a new fight to change them"
                )
            raw = table_checked(found.raw, found.origin)
            if schema == SAMPLES:
                return _from_sample(raw, found.origin, battle)
            return _restored(system, raw, found.origin)
        fight = cls(system.id, found, changes)
        _ = fight.session  # what the rules refuse is refused now
        return fight

    @classmethod
    def restored(cls, raw: Raw, origin: str = "saved fight") -> Fight:
        """A saved fight where it stood; errors as for `begin`."""
        name = raw.get("system")
        if not isinstance(name, str):
            raise InputError(f"{origin}: system: {shown(name)}; must be the name of one")
        return cls.begin(name, Table(raw, origin))

    @property
    def saved(self) -> Raw:
        """The fight as a table that can be stored: schema `affray/saved-fight`."""
        return saved_fights.to_saved(
            self.loaded, self.session, self.moves, undone=self.undone, seats=self.seats,
            lying=self.lying, taken_back=self.taken_back, revision=self.revision,
        )  # fmt: skip

    # -- what is worked out ----------------------------------------------------------------------

    @cached_property
    def loaded(self) -> LoadedFight:
        """The fight as it is written."""
        source = fight_source_of(self.source)
        found = whole_game(system_named(self.system), source, self.changes)
        return found or read_fight(self.system, self.source, self.changes, played=True)

    @cached_property
    def session(self) -> FightSession:
        """The place that the moves lead to."""
        return _played(self.loaded, self.moves)

    @cached_property
    def computers(self) -> Computers:
        """The computers that may sit in this fight, and what they have worked out."""
        return Computers(self.loaded)

    @property
    def question(self) -> FightQuestionRow | None:
        """The question or roll that the fight waits for; None when it is over."""
        return question_row(self.session, self.asked)

    def question_for(self, role: Role) -> FightQuestionRow | None:
        """The same; of a sealed one, others see only that somebody is asked."""
        return question_for(self, role)

    @property
    def asked(self) -> FightQuestion | None:
        """The same question as the engine has it, with its dice.

        Options that use something up and bring nothing for sure are not among its options.
        """
        question, idle = self.session.question, frozenset[str]()
        if question is not None and any(option.spends for option in question.options):
            idle = self.session.difference.idle
        if question is None or not idle:
            return question
        left = tuple(option for option in question.options if option.name not in idle)
        return question._replace(options=left)

    @property
    def rolling(self) -> Roll | None:
        """The roll that the fight waits for, with the faces that lie; None: it waits for none."""
        question = self.asked
        if question is None or question.dice is None:
            return None
        return Roll(question.dice, self.lying.faces, self.lying.by)

    @property
    def verdict(self) -> str:
        """How it has ended: "one", "other", "drawn", "ended" or "stalled"; "": it goes on."""
        return self.session.verdict or ""

    @property
    def seat(self) -> str:
        """Who answers the open question: the fighter's seat, else the side's; "" if unsaid.

        How the situation is, a person who has one of the two fighters says, if anybody has.
        """
        return self.answering.seat

    @property
    def answering(self) -> Answering:
        """The one who answers the open question, with the seat."""
        question = self.asked
        if question is None:
            return Answering(None, None, "")
        seat = self._seat_of(question.fighter, question.side)
        found = Answering(question.fighter, question.side, seat)
        if question.other is not None and seat.startswith("computer"):
            other = self._seat_of(question.other, question.other.side)
            if not other.startswith("computer"):
                return Answering(question.other, question.other.side, other)
        return found

    @property
    def habits(self) -> Mapping[Habit, str]:
        """The option that a fighter or a side always takes at a step, since somebody said so."""
        return habits_of(move for move in self.moves if isinstance(move, HandMove))

    @property
    def habitual(self) -> Answer | None:
        """The answer to the open question by habit; None: there is none, or it is not on offer.

        So is the only option of an exchange that is left, where others stood beside it.
        """
        question = self.asked
        if question is None or not question.options or not question.step:
            return None
        if len(question.options) == 1:
            return Answer(option=question.options[0].name, by=("habit",))
        named = self.session.position.name(question.fighter) if question.fighter else ""
        side = "" if question.side is None else SIDES[question.side]
        habits, offered = self.habits, [option.name for option in question.options]
        foe = self._met_by(question.fighter).casefold()
        for who in (named, side):
            own = {habit.against.casefold(): option for habit, option in habits.items()
                   if (habit.who, habit.step) == (who, question.step)}  # fmt: skip
            kinds = [kind for kind in own if foe.startswith(kind) and own[kind] in offered]
            if kinds:
                return Answer(option=own[max(kinds, key=len)], by=("habit",))
        return None

    def _met_by(self, who: FighterId | None) -> str:
        """The name of a fighter's opponent in the exchange that goes on; "": there is none."""
        here = self.session.position
        if not isinstance(here.need, Exchange) or who is None:
            return ""
        actor, target = here.need.actor, here.need.target
        return here.name(target if who == actor else actor)

    @property
    def unasked(self) -> Answer | None:
        """The answer where all options come to the same, so that nobody is asked; else None.

        What others may not see yet is always asked.
        """
        question, exchange = self.asked, self.session.exchange
        if question is None or not question.options or exchange is None or waits_sealed(exchange):
            return None
        if not self.session.difference.is_none:
            return None
        free = [option.name for option in question.options if not option.spends]
        return Answer(option=free[0] if free else question.options[0].name, by=("unasked",))

    def _seat_of(self, who: FighterId | None, side: int | None) -> str:
        """The seat of a fighter, else that of the side; "": nobody has said."""
        own = "" if who is None else self.seats.get(self.session.position.name(who), "")
        return own or ("" if side is None else self.seats.get(SIDES[side], ""))

    def view(self, role: EasyRole = ALL, *, since: int | None = None) -> FightView:
        """The fight as it stands, for one who has some role in it.

        Args:
            role: who looks; a short word for it is "all", or a side, "one" or "other". What others
                have decided under cover is left out, and so are their habits.
            since: a revision: what happened after it is told. None: what the last move brought;
                -1 (`EVERYTHING`): all of it.
        """
        return view_of(self, role, since)

    def __repr__(self) -> str:
        question = self.asked
        state = self.verdict or (question.ask if question else "over")
        return f"<fight of {self.system}, {self.loaded.origin}: {len(self.moves)} moves, {state}>"

    # -- moving ----------------------------------------------------------------------------------

    def answer(self, given: Answer | str | Sequence[Face], by: str = "hand") -> Fight:
        """The fight after an answer; what was undone before is forgotten.

        Args:
            given: faces of the dice, one each; the name of an option; or an `Answer`.
            by: where the answer came from: "hand", "script", ...

        Raises:
            AnswerError: a face that a die doesn't have, an option that is not on offer, or
                nothing is asked any more; the fight stays as it is.
        """
        session = self.session.answer(given, by)
        assert isinstance(session.move, Answer)
        return self._gone_on(session, session.move)

    def hand(self, what: str, **values: object) -> Fight:
        """The fight after a game master's hand; see `affray.app.inputs.fight_hands`.

        >>> fight = Fight.begin("empty-earth", ("bo", "husk")).answer(["Bo"])
        >>> fight.hand("leave", fighter="Husk").verdict
        'one'

        Raises:
            UnknownNameError, InputError, SetupError: it names nobody or nothing, or what can't be.
            AnswerError: it can't be played now.
        """
        move = HandMove(what, values)
        before = [one for one in self.moves if isinstance(one, HandMove)]
        hand = hand_of(self.loaded, self.session.position, move, before)
        return self._gone_on(self.session.hand(hand), move)

    def undo(self, n: int = 1) -> Fight:
        """The fight before the last moves; as far back as there are any."""
        n = min(n, len(self.moves))
        if n < 1:
            return self
        left, again = self.moves[:-n], (*self.moves[-n:], *self.undone)
        found = self._moved(self.session.line[len(left)], left, again, self.taken_back)
        return found.expecting(NOTHING_AHEAD)

    def redo(self, n: int = 1) -> Fight:
        """The fight after moves that were undone are done again; as many as there are."""
        again, left = self.undone[:n], self.undone[n:]
        if not again:
            return self
        session = self.session
        moves = list(self.moves)
        for move in again:
            session = _moved_on(self.loaded, session, move, moves)
            moves.append(move)
        found = self._moved(session, tuple(moves), left, self.taken_back)
        return found.expecting(NOTHING_AHEAD)

    def corrected(self, die: int, face: str) -> Fight:
        """The fight with another face on a die of the last roll; what came after it is asked anew.

        Args:
            die: its number, from 1.
            face: as it was typed.

        Raises:
            AnswerError: nothing was rolled, or the die has no such face; the fight stays as it is.
        """
        rolls = (n for n, move in enumerate(self.moves) if isinstance(move, Answer) and move.faces)
        last = max(rolls, default=-1)
        if last < 0:
            raise AnswerError("nothing has been rolled that could be corrected")
        before = self.undo(len(self.moves) - last)
        assert before.asked is not None  # it was answered
        assert before.asked.dice is not None  # with faces
        move = self.moves[last]
        assert isinstance(move, Answer)  # as it has faces
        roll = Roll(before.asked.dice, move.faces, move.by)
        found = before.answer(roll.corrected(die, face).answer)
        revision = self.revision + 1
        return found._copied(revision=revision, placed=(*before.placed, revision))

    def at(self, n: int) -> Fight:
        """The fight after its first moves: a fork, to go on another way.

        Raises:
            AnswerError: it has not as many moves.
        """
        if not 0 <= n <= len(self.moves):
            raise AnswerError(f"fork after {n} moves; allowed: 0 to {len(self.moves)}")
        back = [row for row in self.taken_back if row.after < n]
        found = self._moved(self.session.line[n], self.moves[:n], (), back)
        return found.expecting(NOTHING_AHEAD)

    def seated(self, seats: Mapping[str, str]) -> Fight:
        """The fight with others at its seats.

        Seats of somebody who came in and was taken back stay, for moves can be done again.

        Raises:
            UnknownNameError: nobody is called so, or no such way to answer.
        """
        every = (*SIDES, *(name for side in self.session.position.names for name in side))
        for name, seat in seats.items():
            if name not in every and name not in self.seats:
                raise unknown("side or fighter", name, every)
            kind, colon, policy = seat.partition(":")
            if kind not in KINDS or (colon and kind != "computer"):
                raise unknown("way to answer", seat, (*KINDS, "computer:POLICY"))
            if colon and policy not in AT_SEATS:
                raise unknown("policy for a computer in a fight", policy, AT_SEATS)
            check_policies(self.loaded, (policy,))
        return self._copied(seats=dict(seats), revision=self.revision + 1)

    def laid(self, lying: Answer) -> Fight:
        """The fight with these faces of the open roll on the table; nothing is answered yet."""
        return self._copied(lying=lying, revision=self.revision + 1)

    def expecting(self, ahead: Ahead) -> Fight:
        """The same fight, with something else said for later."""
        return self if ahead == self.ahead else self._copied(ahead=ahead)

    def promised(self, ahead: Ahead) -> Fight:
        """The same, as a change of its own."""
        return self._copied(ahead=ahead, revision=self.revision + 1)

    def decides(self, policy: str = "", budget: Budget | None = None, *, seed: int = 0) -> Answer:
        """The answer of a computer to the open question; not yet given.

        Args:
            policy: "first", "opening", "greedy", "optimal" or "search"; "": the policy that the
                fight's file names.
            budget: how much it may take; a search takes two seconds by default. Within places
                and battles instead of seconds it decides the same with the same seed.
            seed: of a search.

        Raises:
            AnswerError: nothing is to be decided.
            UnknownNameError: no such policy.
            SetupError: optimal play is not known in this fight.
            LimitError: the budget is spent.
        """
        found = self.computers.answer(self.session, policy, budget, seed)
        if found is None:
            raise AnswerError("nothing is to be decided; computers roll in another way")
        return found

    def _gone_on(self, session: FightSession, move: FightMove) -> Fight:
        """The fight after a new move; what was undone before is given up."""
        back = with_dropped(self.taken_back, len(self.moves), self.undone)
        return self._moved(session, (*self.moves, move), (), back)

    def _moved(
        self,
        session: FightSession,
        moves: tuple[FightMove, ...],
        undone: Iterable[FightMove],
        back: Iterable[TakenBack],
    ) -> Fight:
        moved = self._copied(
            moves=moves, undone=tuple(undone), lying=NOTHING,
            taken_back=no_later(back, len(moves)), revision=self.revision + 1,
            placed=self.placed[: len(moves)],
        )  # fmt: skip
        vars(moved)["session"] = session
        return moved

    def _copied(self, **changes: object) -> Fight:
        """The fight with something changed; what is worked out already is kept."""
        copied = replace(self, **changes)  # type: ignore[arg-type]  # fields of this class
        for key in ("loaded", "session", "computers"):
            if key in vars(self):
                vars(copied)[key] = vars(self)[key]
        return copied


# -- from moves to a session ---------------------------------------------------------------------


def _begun(loaded: LoadedFight) -> FightSession:
    """The session of a fight in which nobody has moved yet."""
    if loaded.whole is not None:
        return FightSession.of_whole(loaded.contest, loaded.whole)
    rounds = loaded.rounds or MOST_ROUNDS
    return FightSession(loaded.contest.undecided(), rounds, loaded.unsaid, scene=loaded.scene)


def _played(loaded: LoadedFight, moves: Sequence[FightMove]) -> FightSession:
    """The session to which moves lead.

    Raises:
        AnswerError: a move that doesn't fit; says which.
    """
    session = _begun(loaded)
    for number, move in enumerate(moves, start=1):
        try:
            session = _moved_on(loaded, session, move, moves[: number - 1])
        except (AnswerError, SetupError, StoreError) as error:
            raise AnswerError(f"move {number}: {error}", faults=error.faults) from None
    return session


def _moved_on(
    loaded: LoadedFight, session: FightSession, move: FightMove, before: Sequence[FightMove]
) -> FightSession:
    if isinstance(move, Answer):
        return session.answer(move)
    hands = [one for one in before if isinstance(one, HandMove)]
    return session.hand(hand_of(loaded, session.position, move, hands))


def _restored(system: System[Facts], raw: Raw, origin: str) -> Fight:
    saved = saved_fights.read(system, raw, origin)
    table = Table(saved.fight, origin)
    loaded = whole_game(system, table) or read_raw_fight(system, saved.fight, origin)
    try:
        session = _played(loaded, saved.moves)
        check_lying(session.question, saved.lying, "lying: ")
    except AnswerError as error:
        other = f". {saved.other}" if saved.other else ""
        raise AnswerError(f"{origin}: {error}{other}") from None
    fight = Fight(
        system.id, table, moves=saved.moves, undone=saved.undone,
        seats=saved.seats if saved.undone else {},
        lying=saved.lying, remarks=saved_fights.notes(saved, session),
        taken_back=saved.taken_back, revision=saved.revision,
    )  # fmt: skip
    vars(fight).update(loaded=loaded, session=session)
    return fight.seated(saved.seats)._copied(revision=saved.revision)


def _from_sample(raw: Raw, origin: str, number: int) -> Fight:
    """A sample battle as a fight that is over, to be watched or played on from any move."""
    loaded, record, remarks = sample_of(raw, origin, number)
    where = f"{origin}: battle {number}"
    try:
        session = retold(_begun(loaded), loaded.contest, record)
    except AnswerError as error:
        raise AnswerError(f"{where}: {error}") from None
    moves = tuple(move for move in session.moves if isinstance(move, Answer))
    fight = Fight(
        loaded.contest.system.id, Table(loaded.raw, where), moves=moves, remarks=remarks
    )  # fmt: skip
    vars(fight).update(loaded=loaded, session=session)
    return fight
