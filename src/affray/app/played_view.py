"""A fight in play as a view: rows in place of sessions, names in place of numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from affray.app.asked import Played, next_row, question_for, sees, side_called, side_seen
from affray.app.inputs.fight_hands import HandMove, habits_of, situations_of
from affray.app.inputs.fight_sheets import SIDES
from affray.app.revisions import kept_since
from affray.app.roles import EasyRole, Role, as_role
from affray.app.views.accounts import Account, accounts
from affray.app.views.played_fights import (
    ChangeRow,
    EventRow,
    FighterRow,
    FightView,
    GroundRow,
    HabitRow,
    StandsRow,
    ThresholdRow,
    ToldRow,
    TurnRow,
)
from affray.app.views.said import said_of
from affray.core.deed import Told
from affray.core.drawing import with_classes
from affray.core.lazy import NamedTuple
from affray.core.telling import escaped, value_told
from affray.engine.exchange.sealed import drawing_for, lines_shown, log_for, picture_for
from affray.engine.exchange.session import Answer, LogLine, Session, Thrown, thrown
from affray.engine.fight.course import FighterId, Phase
from affray.engine.fight.played.boards import drawing_of, picture_of
from affray.engine.fight.played.deeds import called_in, done_to
from affray.engine.fight.played.position import Event, Exchange, Position
from affray.engine.fight.played.session import FightSession
from affray.engine.fight.played.telling import changes, standing, told_of, touched

__all__ = ["decided_by", "drawing_seen", "ending_told", "names_in", "view_of"]

PASSED = "pass", ""
"""The kind and the reason of an event: somebody passed who could have done something."""


def view_of(fight: Played, given: EasyRole, since: int | None) -> FightView:
    """A fight as it stands, for one who has some role in it; see `Fight.view`.

    Raises:
        UnknownNameError: there is no such role.
    """
    role = as_role(given, SIDES)
    kept = len(fight.moves) - 1
    if since is not None:
        kept = kept_since(fight.placed, fight.revision, since)
    loaded, session = fight.loaded, fight.session
    here, exchange = session.position, session.exchange
    one, other = (side.name for side in here.contest.sides)
    lines = () if exchange is None else log_for(exchange, side_seen(session, role))
    short = _ongoing(session, role)
    known = (0, 0) if since is None else _known_of(session, role, kept)
    return FightView(
        notes=loaded.notes,
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
        exchange=lines[known[0] :],
        question=question_for(fight, role),
        events=tuple(_events(fight, kept + 1, role)),
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
            if sees(here, role, side_called(here, habit.who))
        ),
        ending=ending_told(here),
        number=_numbered(session) + 1,
        short=short[known[1] :],
        names=_names_now(here),
        revision=fight.revision,
        kept=kept,
        lines_before=known[0],
        short_before=known[1],
        next=next_row(fight),
        seats=_seats(fight, role),
        lying=fight.lying.faces,
    )


def _seats(fight: Played, role: Role) -> dict[str, str]:
    """Who was named to answer; from its policy follows what a computer decides under cover."""
    here = fight.session.position
    return {
        name: seat if sees(here, role, side_called(here, name)) else seat.partition(":")[0]
        for name, seat in fight.seats.items()
    }


def _known_of(session: FightSession, role: Role, kept: int) -> tuple[int, int]:
    """How much somebody knows of the exchange that goes on: lines, and accounts that stay as told.

    That is worth knowing where the exchange is the whole fight, and long.
    """
    exchange, there = session.exchange, session.line[max(kept, 0)]
    if session.position.whole is None or exchange is None or there.exchange is None or kept < 0:
        return 0, 0
    lines = lines_shown(there.exchange, side_seen(there, role))
    told = log_for(there.exchange, side_seen(there, role))[:lines]
    accounts_told = _accounts(there.position, _Taking(None, "", None), there.exchange, told)
    return lines, max(0, len(accounts_told) - 1)  # the last one may go on


def _numbered(session: FightSession) -> int:
    """How many exchanges there have been."""
    return sum(event.kind == "exchange" for one in session.line for event in one.events)


def _ongoing(session: FightSession, role: Role) -> tuple[Account, ...]:
    """The short account of the exchange that goes on, so far."""
    here, exchange = session.position, session.exchange
    need = here.need
    if exchange is None or not isinstance(need, Exchange):
        return ()
    lines = log_for(exchange, side_seen(session, role))
    return _accounts(here, _Taking(need.actor, *done_to(here.contest.fight, need)), exchange, lines)


def _names_now(here: Position) -> tuple[tuple[str, str], ...]:
    """The names of those in the exchange that goes on, by role; (): none does."""
    need = here.need
    if not isinstance(need, Exchange):
        return ()
    _, target = done_to(here.contest.fight, need)
    return names_in(here, need.actor, target, need.session)


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
    names = dict(names_in(here, taking.actor, taking.target, session))
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


def _fighter(here: Position, who: FighterId) -> FighterRow:
    fight, is_out = here.contest.fight, here.is_out(who)
    state = "gone" if who in here.gone else fight.fate(*here.both(who))
    told = tuple(map(_told_row, told_of(here, who)))
    plain = "out" if is_out else "standing"
    bar, short = standing(told_of(here, who))
    return FighterRow(here.name(who), SIDES[who.side], state or plain, is_out, told, bar, short)


def _told_row(line: Told) -> ToldRow:
    """A line of a condition, with its numbers."""
    words = value_told(line.value)
    row = ToldRow(line.label, words, line.does, line.key, line.kind)
    numbers = line.numbers
    if numbers is None:
        return row
    thresholds = tuple(ThresholdRow(*one) for one in numbers.thresholds)
    return row._replace(
        now=numbers.now, most=numbers.most, thresholds=thresholds, unit=numbers.unit,
        rises=numbers.rises,
    )  # fmt: skip


def _changes(here: Position, event: Event) -> Iterator[ChangeRow]:
    """What an event changed in conditions, in words."""
    for who, label, *values in changes(here, event):
        before, after = (None if value is None else value_told(value) for value in values)
        yield ChangeRow(here.name(who), label, before, after)


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


def _picture(session: FightSession, role: Role) -> str:
    """The table as the exchange that goes on shows it to a role, or the last one."""
    if session.position.board is not None:
        return picture_of(session.position)
    shown = _last_shown(session)
    if shown is None:
        return ""
    here, exchange = shown
    return exchange.picture if here is None else picture_for(exchange, side_seen(here, role))


def drawing_seen(session: FightSession, role: Role) -> str:
    """The same as an SVG document, where the system makes one."""
    if session.position.board is not None:
        return drawing_of(session.position)
    if session.exchange is None:
        begun = _begun_on(session)
        if begun is not None:
            return begun.drawing
    shown = _last_shown(session)
    if shown is None:
        return ""
    here, exchange = shown
    now = exchange.drawing if here is None else drawing_for(exchange, side_seen(here, role))
    return now or _as_begun(exchange)


def _as_begun(exchange: Session) -> str:
    """The table as an exchange began on it, for one that has put it away since."""
    draw = exchange.game.system.drawing
    return with_classes(draw(exchange.game.start.facts)) if draw else ""


def _begun_on(session: FightSession) -> Session | None:
    """An exchange as a deed on offer would begin it, for it shows everybody as they stand now."""
    if session.contest.system.drawing is None or session.question is None:
        return None
    if session.question.kind != "deed":
        return None
    for option in session.question.options:
        begun = session.answer(option.name).exchange
        if begun is not None:
            return begun
    return None


def _last_shown(session: FightSession) -> tuple[FightSession | None, Session] | None:
    """The exchange that goes on, and when; else the last one, which all have seen to its end."""
    here: FightSession | None = session
    while here is not None:
        if here.exchange is not None:
            return here, here.exchange
        for event in reversed(here.events):
            if event.session is not None:
                return None, event.session
        here = here.past
    return None


def _events(fight: Played, since: int, role: Role) -> Iterator[EventRow]:
    """What happened from a move on, and which rolls were taken back before each.

    Nobody is told of habits of the other side. The order of turns is said where it is another
    than in the round before.
    """
    exchanges = 0
    order: tuple[FighterId, ...] = ()
    for number, one in enumerate(fight.session.line):
        if number < since:
            exchanges += sum(event.kind == "exchange" for event in one.events)
            orders = [event.order for event in one.events if event.kind == "round"]
            order = orders[-1] if orders else order
            continue
        for taken in fight.taken_back:
            if taken.after == number - 1:
                round_ = one.past.moment.round if one.past else 0
                back = EventRow(number, "back", round_, "", "", "", (), (), (), (), taken.told)
                yield back._replace(said=said_of(back))
        for event in one.events:
            exchanges += event.kind == "exchange"
            if event.kind == "habit" and not _sees_habit(fight, role, number):
                continue
            row = _event(one, number, event, exchanges)
            is_old = event.kind == "round" and event.order == order
            order = event.order if event.kind == "round" else order
            ending = ending_told(one.position) if event.kind == "over" else ""
            said = said_of(row._replace(order=()) if is_old else row, ending)
            yield row._replace(said=said)


def _sees_habit(fight: Played, role: Role, number: int) -> bool:
    """Whether somebody sees the habit that a move has made or given up."""
    move, here = fight.moves[number - 1], fight.session.position
    who = str(move.values.get("who", "")) if isinstance(move, HandMove) else ""
    return sees(here, role, side_called(here, who))


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
        tuple(_changes(here, event)),
        event.why,
        decided_by(session)
        if event.kind == "exchange" or (event.kind, event.why) == PASSED
        else "",
        names_in(here, event.fighter, target, event.session) if event.kind == "exchange" else (),
        exchanges if event.kind == "exchange" else 0,
        short,
        tuple(_stands(here, event)),
        kinds=_initiative_dice(here, event),
    )


def _initiative_dice(here: Position, event: Event) -> tuple[Thrown, ...]:
    """The dice of a roll for initiative; () of anything else."""
    roll, who = here.contest.fight.initiative_roll, event.fighter
    if event.kind != "initiative" or roll is None or who is None:
        return ()
    dice, _ = roll(here.sheet(who), here.contest.rulings)
    return thrown(dice)


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


def names_in(
    here: Position, actor: FighterId | None, target: FighterId | None, session: Session | None
) -> tuple[tuple[str, str], ...]:
    """The names of those in an exchange, by the role that its log calls them.

    After the two come mates of the target who share its role.
    """
    two = ("" if who is None else here.name(who) for who in (actor, target))
    names = tuple(zip(here.contest.system.actors, two, strict=False))
    if target is None or session is None:
        return names
    caught = here.caught(target, session).items()
    return (*names, *((role, here.name(who)) for role, who in caught))
