"""A fight in play as a view: rows in place of sessions, names in place of numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from affray.app.inputs.fight_hands import HandMove, habits_of, situations_of
from affray.app.inputs.fight_sheets import SIDES
from affray.app.usual import usual
from affray.app.views.accounts import Account, accounts
from affray.app.views.exchanges import OptionRow, die_rows
from affray.app.views.played_fights import (
    ChangeRow,
    EventRow,
    FighterRow,
    FightQuestionRow,
    FightView,
    GroundRow,
    HabitRow,
    StandsRow,
    ToldRow,
    TurnRow,
)
from affray.core.lazy import NamedTuple
from affray.core.names import unknown
from affray.core.telling import escaped
from affray.engine.exchange.sealed import log_for, picture_for, waits_sealed
from affray.engine.exchange.session import Answer, LogLine, Session
from affray.engine.fight.course import FighterId, Phase
from affray.engine.fight.played.boards import picture_of
from affray.engine.fight.played.deeds import called_in, done_to
from affray.engine.fight.played.position import Event, Exchange, Position
from affray.engine.fight.played.questions import FightQuestion
from affray.engine.fight.played.session import FightSession
from affray.engine.fight.played.telling import changes, standing, told_of, touched

if TYPE_CHECKING:
    from collections.abc import Sized

    from affray.app.files.saved_fights import FightMove
    from affray.app.inputs.fight_setups import LoadedFight
    from affray.app.taken_back import TakenBack

__all__ = [
    "ROLES", "decided_by", "ending_told", "names_of_caught", "question_row", "side_seen", "view_of",
]  # fmt: skip

ROLES = ("all", *SIDES)
"""Who may look at a fight: somebody who sees everything, such as a game master, or a side."""


PASSED = "pass", ""
"""The kind and the reason of an event: somebody passed who could have done something."""


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


def view_of(fight: Played, role: str, since: int) -> FightView:
    """A fight as it stands, for one who has some role in it.

    Raises:
        UnknownNameError: there is no such role.
    """
    if role not in ROLES:
        raise unknown("role", role, ROLES)
    loaded, session = fight.loaded, fight.session
    here, exchange = session.position, session.exchange
    one, other = (side.name for side in here.contest.sides)
    return FightView(
        system=fight.system,
        setup=loaded.origin,
        title=loaded.title,
        role=role,
        round=here.moment.round,
        phase=here.moment.phase.value,
        sides=(one, other),
        turns=_turns(session),
        fighters=tuple(_fighter(here, who) for who in here.course.everybody),
        situations=tuple(
            GroundRow(*row)
            for row in situations_of(
                loaded, [move for move in fight.moves if isinstance(move, HandMove)], here
            )
        ),
        picture=escaped(_picture(session, role)),
        exchange=() if exchange is None else log_for(exchange, side_seen(session, role)),
        question=_question_for(fight, role),
        events=tuple(_events(fight, since)),
        moves=len(fight.moves),
        undone=len(fight.undone),
        verdict=fight.verdict,
        remarks=fight.remarks,
        assumed=loaded.gaps,
        habits=tuple(
            HabitRow(*habit, option)
            for habit, option in habits_of(
                move for move in fight.moves if isinstance(move, HandMove)
            ).items()
        ),
        ending=ending_told(here),
        number=_numbered(session) + 1,
        short=_ongoing(session, role),
    )


def _numbered(session: FightSession) -> int:
    """How many exchanges there have been."""
    return sum(event.kind == "exchange" for one in session.line for event in one.events)


def _ongoing(session: FightSession, role: str) -> tuple[Account, ...]:
    """The short account of the exchange that goes on, so far."""
    here, exchange = session.position, session.exchange
    need = here.need
    if exchange is None or not isinstance(need, Exchange):
        return ()
    lines = log_for(exchange, side_seen(session, role))
    return _accounts(here, _Taking(need.actor, *done_to(here.contest.fight, need)), exchange, lines)


class _Taking(NamedTuple):
    """Who does what to whom in an exchange."""

    actor: FighterId | None
    deed: str
    target: FighterId | None


def _accounts(
    here: Position, taking: _Taking, session: Session, lines: Sequence[LogLine]
) -> tuple[Account, ...]:
    """The short accounts of an exchange of a fight.

    Args:
        here: the position in which it is, or after it.
        taking: who takes part.
        session: the exchange.
        lines: its log, as far as it is seen.
    """
    if here.whole is not None:
        return accounts(lines, {}, "", each_deed=True)
    actor, target = ("" if who is None else here.name(who) for who in (taking.actor, taking.target))
    names = dict(zip(here.contest.system.actors, (actor, target), strict=False))
    names |= dict(names_of_caught(here, taking.target, session))
    deed, whom = taking.deed.replace("_", " "), target if target != actor else ""
    heading = f"{actor}: {deed}{f', {whom}' if whom else ''}"
    if deed == "attack" and whom:
        heading = f"{actor} attacks {whom}"
    steps = here.contest.system.steps
    at_length = not any(step.is_told_briefly for step in steps)
    return accounts(lines, names, heading, at_length=at_length)


def ending_told(here: Position) -> str:
    """How a fight ended, in sentences; "": it goes on.

    Where neither side has won, it says how many of each still stand, and what they have left.
    """
    if here.verdict is None:
        return ""
    number, sides = here.moment.round, here.contest.sides
    if here.verdict in SIDES:
        return f"It is over after round {number}: {sides[SIDES.index(here.verdict)].name} won."
    if all(map(here.is_out, here.course.everybody)):
        return f"It is over after round {number}: nobody is left standing. A draw."
    how = {
        "drawn": "the fight ends in a draw.",
        "stalled": "the fight is called off. Nobody has won.",
    }.get(here.verdict, f"{here.contest.fight.over or 'the fight ends by rule'}. Nobody has won.")
    left = "; ".join(_standing(here, side) for side in range(len(sides)))
    return f"Round {number}: {how} {left}."


def _standing(here: Position, side: int) -> str:
    """How many of a side stand, and how much they have left."""
    mine = [who for who in here.course.everybody if who.side == side]
    standing = [who for who in mine if not here.is_out(who)]
    points = sum(here.contest.fight.vitals(*here.both(who)) for who in standing)
    many = f"{here.contest.sides[side].name}: {len(standing)} of {len(mine)} standing"
    return f"{many}, {points} {'point' if points == 1 else 'points'} left" if standing else many


def side_seen(session: FightSession, role: str) -> Callable[[str], bool]:
    """Tells whether an actor of the exchange that goes on is one of the side that looks."""

    def is_of(actor: str) -> bool:
        side = session.side_of(actor)
        return role == "all" or (side is not None and SIDES[side] == role)

    return is_of


def _question_for(fight: Played, role: str) -> FightQuestionRow | None:
    """The open question; of a sealed one, others see only that somebody is asked."""
    exchange = fight.session.exchange
    row = question_row(fight.session, fight.asked)
    if row is None or exchange is None or not waits_sealed(exchange) or role in {"all", row.side}:
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
        tuple(OptionRow(*option[:3]) for option in question.options),
        question.about,
        question.closed,
        question.key,
        question.takes,
        die_rows(question.dice),
        usual(session, question) if question.options else "",
    )


def _fighter(here: Position, who: FighterId) -> FighterRow:
    fight, is_out = here.contest.fight, here.is_out(who)
    state = "gone" if who in here.gone else fight.fate(*here.both(who))
    told = tuple(ToldRow(*line[:4]) for line in told_of(here, who))
    plain = "out" if is_out else "standing"
    bar, short = standing(told_of(here, who))
    return FighterRow(here.name(who), SIDES[who.side], state or plain, is_out, told, bar, short)


def _stands(here: Position, event: Event) -> Iterator[StandsRow]:
    """Everybody whom an event left otherwise than before."""
    fight = here.contest.fight
    for who, (bar, short) in touched(here, event):
        both = here.sheet(who), event.after[who.side][who.place]
        is_out = fight.is_out(*both)
        state = fight.fate(*both) or ("out" if is_out else "standing")
        yield StandsRow(here.name(who), state, is_out, bar, short)


def _turns(session: FightSession) -> tuple[TurnRow, ...]:
    """The turns of this round: those that were, the one that is, those still to come."""
    here, moment = session.position, session.moment
    if moment.phase in {Phase.START, Phase.ROUND}:
        return ()
    had = [event.fighter for event in _round_so_far(session) if event.kind == "turn"]
    left = [who for who in moment.waiting if isinstance(who, FighterId)]
    if here.course.alternates:
        sides = [who.side for who in left]
        everybody = [who for who in here.course.everybody if who not in moment.had]
        left = [who for who in everybody if who.side in sides]
    rows = []
    for who in dict.fromkeys((*(who for who in had if who is not None), *left)):
        acts = moment.phase in {Phase.TURN, Phase.ACTION} and moment.interlude < 0
        if who == moment.actor and acts:
            state = "now"
        elif who in moment.held:
            state = "waiting"
        elif any(who == actor for actor, _, _ in here.declared):
            state = "interrupted"
        elif who in had:
            state = "done"
        else:
            state = "out" if here.is_out(who) else "next"
        rows.append(TurnRow(here.name(who), SIDES[who.side], state))
    return _with_interludes(here, rows)


def _with_interludes(here: Position, rows: list[TurnRow]) -> tuple[TurnRow, ...]:
    """The turns with what befalls fighters between them, now or later in the round."""
    moment = here.moment
    names = [one.name for _, one in here.contest.interludes]
    left = [here.name(who) if isinstance(who, FighterId) else who for who in moment.waiting]
    if here.course.alternates:  # nobody knows yet whose turns these are
        left = [who for who in left if not isinstance(who, str)]
    if moment.interlude >= 0 and moment.phase in {Phase.TURN, Phase.ACTION}:
        at = next((n for n, row in enumerate(rows) if row.state == "next"), len(rows))
        rows.insert(at, TurnRow(names[moment.interlude], "", "now"))
    for place, one in enumerate(left):
        if isinstance(one, str) or any(row.name == names[one.number] for row in rows):
            continue
        later = {who for who in left[place:] if isinstance(who, str)}
        at = next((n for n, row in enumerate(rows) if row.name in later), len(rows))
        rows.insert(at, TurnRow(names[one.number], "", "next"))
    return tuple(rows)


def _round_so_far(session: FightSession) -> list[Event]:
    """What has happened in this round, the last first."""
    found: list[Event] = []
    here: FightSession | None = session
    while here is not None:
        for event in reversed(here.events):
            if event.kind == "round":
                return found[::-1]
            found.append(event)
        here = here.past
    return found[::-1]


def _picture(session: FightSession, role: str) -> str:
    """The table as the exchange that goes on shows it to a role, or the last one."""
    if session.position.board is not None:
        return picture_of(session.position)
    here: FightSession | None = session
    while here is not None:
        if here.exchange is not None:
            return picture_for(here.exchange, side_seen(here, role))
        for event in reversed(here.events):
            if event.session is not None:
                return event.session.picture
        here = here.past
    return ""


def _events(fight: Played, since: int) -> Iterator[EventRow]:
    """What happened since so many moves, and which rolls were taken back before each."""
    exchanges = 0
    for number, one in enumerate(fight.session.line):
        if number < since:
            exchanges += sum(event.kind == "exchange" for event in one.events)
            continue
        for row in fight.taken_back:
            if row.after == number - 1:
                round_ = one.past.moment.round if one.past else 0
                yield EventRow(number, "back", round_, "", "", "", (), (), (), (), row.told)
        for event in one.events:
            exchanges += event.kind == "exchange"
            yield _event(one, number, event, exchanges)


def _event(session: FightSession, number: int, event: Event, exchanges: int) -> EventRow:
    here = session.position
    lines = event.session.log if event.session is not None else ()
    short: tuple[Account, ...] = ()
    deed, target = called_in(here, event)
    if event.kind == "exchange" and event.session is not None:
        taking = _Taking(event.fighter, deed, target)
        short = _accounts(here, taking, event.session, lines)

    def name(who: FighterId | None) -> str:
        return "" if who is None else here.name(who)

    return EventRow(
        number,
        event.kind,
        event.round,
        name(event.fighter),
        deed,
        name(target),
        tuple(map(here.name, event.order)),
        event.faces,
        lines,
        tuple(ChangeRow(here.name(change.fighter), *change[1:]) for change in changes(here, event)),
        event.why,
        decided_by(session)
        if event.kind == "exchange" or (event.kind, event.why) == PASSED
        else "",
        names_of_caught(here, event.target, event.session),
        exchanges if event.kind == "exchange" else 0,
        short,
        tuple(_stands(here, event)),
    )


def decided_by(session: FightSession) -> str:
    """Who or what decided on the exchange that goes on or ended last, or to pass; "": nobody."""
    past = session.past
    while past is not None and (past.exchange is not None or _asks_the_table(past)):
        session, past = past, past.past
    move = session.move
    return move.by[0] if isinstance(move, Answer) and move.option else ""


def _asks_the_table(session: FightSession) -> bool:
    question = session.question
    return question is not None and question.kind == "situation"


def names_of_caught(
    here: Position, target: FighterId | None, session: Session | None
) -> tuple[tuple[str, str], ...]:
    """What the log of an exchange calls mates of its target who share its role, and their names."""
    if target is None or session is None:
        return ()
    return tuple((role, here.name(who)) for role, who in here.caught(target, session).items())
