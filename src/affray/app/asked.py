"""The open question of a fight as somebody sees it who has some role, and who answers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from affray.app.inputs.fight_sheets import SIDES
from affray.app.roles import EasyRole, Role, as_role
from affray.app.usual import usual
from affray.app.views.exchanges import NextRow, die_rows, option_row
from affray.app.views.played_fights import FightQuestionRow
from affray.core.lazy import NamedTuple
from affray.engine.exchange.sealed import waits_sealed
from affray.engine.exchange.session import Answer
from affray.engine.fight.course import FighterId
from affray.engine.fight.played.position import Position
from affray.engine.fight.played.questions import FightQuestion
from affray.engine.fight.played.session import FightSession

if TYPE_CHECKING:
    from collections.abc import Sized

    from affray.app.files.saved_fights import FightMove
    from affray.app.inputs.fight_setups import LoadedFight
    from affray.app.taken_back import TakenBack

__all__ = [
    "Answering", "Played", "mate_named", "next_row", "question_for", "question_row", "sees",
    "side_called", "side_seen",
]  # fmt: skip


class Answering(NamedTuple):
    """Who answers a question: a fighter, or a side; None: nobody in particular. And the seat."""

    fighter: FighterId | None
    side: int | None
    seat: str


class Played(Protocol):
    """A fight in play, as a view looks at it; see `affray.app.fight.Fight`."""

    @property
    def system(self) -> str:
        """The id of the system."""
        ...

    @property
    def loaded(self) -> LoadedFight:
        """The fight as it is written."""
        ...

    @property
    def session(self) -> FightSession:
        """The place that the moves lead to."""
        ...

    @property
    def asked(self) -> FightQuestion | None:
        """The open question."""
        ...

    @property
    def moves(self) -> tuple[FightMove, ...]:
        """Every move so far."""
        ...

    @property
    def taken_back(self) -> tuple[TakenBack, ...]:
        """The rolls that were taken back once they had been seen."""
        ...

    @property
    def undone(self) -> Sized:
        """The moves that can be done again."""
        ...

    @property
    def verdict(self) -> str:
        """How it has ended; "": it goes on."""
        ...

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a player should know."""
        ...

    @property
    def revision(self) -> int:
        """How many changes there were."""
        ...

    @property
    def placed(self) -> tuple[int, ...]:
        """The revision with which each of the moves came."""
        ...

    @property
    def lying(self) -> Answer:
        """The faces of the open roll that lie."""
        ...

    @property
    def seats(self) -> Mapping[str, str]:
        """Who answers, by side and by fighter."""
        ...

    @property
    def answering(self) -> Answering:
        """Who answers the open question."""
        ...


def question_for(fight: Played, role: Role) -> FightQuestionRow | None:
    """The open question; of a sealed one, others see only that somebody is asked."""
    session, question = fight.session, fight.asked
    row = question_row(session, question)
    if row is None or question is None or session.exchange is None:
        return row
    if not waits_sealed(session.exchange) or sees(session.position, role, question.side):
        return row
    return row._replace(options=(), about=(), closed=(), usual="")


def question_row(session: FightSession, question: FightQuestion | None) -> FightQuestionRow | None:
    """The open question, with names in place of numbers; None when the fight is over."""
    if question is None:
        return None
    return FightQuestionRow(
        question.kind,
        "" if question.fighter is None else session.position.name(question.fighter),
        "" if question.side is None else SIDES[question.side],
        question.actor,
        question.ask,
        question.step,
        question.clauses,
        str(question.dice or ""),
        tuple(map(option_row, question.options)),
        question.about,
        question.closed,
        question.key,
        question.takes,
        die_rows(question.dice),
        usual(session, question) if question.options else "",
    )


def next_row(fight: Played) -> NextRow | None:
    """Who answers the open question, and in which way."""
    question, here = fight.asked, fight.session.position
    if question is None:
        return None
    fighter, side, seat = fight.answering
    name = here.name(fighter) if fighter else mate_named(here, question)
    return NextRow(
        "" if side is None else SIDES[side], name,
        question.actor if fighter == question.fighter else "", seat.partition(":")[0],
        question.dice is not None, question.kind == "situation" or side is None,
    )  # fmt: skip


def mate_named(here: Position, question: FightQuestion) -> str:
    """The one who is asked in a role that several mates may have, as the question names them.

    "" where it is clear who is asked.
    """
    named = dict(question.about).get(question.actor)
    names = list(map(here.name, here.course.everybody))
    return str(named) if named in names else ""


def sees(here: Position, role: Role, side: int | None) -> bool:
    """Whether somebody sees what a side decides under cover, and its habits."""
    if role.kind == "master":
        return True
    return side is not None and role.has(SIDES[side], here.names[side])


def side_called(here: Position, name: str) -> int | None:
    """The side that is called so, or has a fighter of that name."""
    if name in SIDES:
        return SIDES.index(name)
    return next((side for side, names in enumerate(here.names) if name in names), None)


def side_seen(session: FightSession, given: EasyRole) -> Callable[[str], bool]:
    """Tells whether an actor of the exchange that goes on is one of a side that somebody sees."""
    role = as_role(given, SIDES)

    def is_of(actor: str) -> bool:
        return sees(session.position, role, session.side_of(actor))

    return is_of
