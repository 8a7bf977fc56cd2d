"""How a position goes on: it is supplied with what it needs, and the course runs to the next need.

See `position` for the needs, and for the function here that supplies each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import chain
from typing import Any

from affray.core.dice import Face
from affray.core.errors import SetupError
from affray.core.fight import Deed
from affray.core.meter import meter_in_force
from affray.engine.exchange.game import Game
from affray.engine.exchange.session import Session
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import FighterId, First, Moment, Phase, Report, Ties
from affray.engine.fight.played.boards import after_exchange, after_round, laid
from affray.engine.fight.played.deeds import game_of, targets
from affray.engine.fight.played.matters import lapsed
from affray.engine.fight.played.position import (
    Act,
    AnyWhole,
    Call,
    Conditions,
    Done,
    Event,
    Exchange,
    Interrupt,
    Need,
    Order,
    Over,
    Position,
    Roll,
    change,
    shared,
    spelled,
)

__all__ = [
    "befallen", "begin", "begin_whole", "begun", "called", "declared", "go_on", "held",
    "interrupted", "kept_up", "ordered", "passed", "resumed", "rolled", "rolled_as", "went_on",
    "wrong_order",
]  # fmt: skip

WHOLE = Deed("the whole fight")
"""Stands for the deed of an exchange that is a whole fight."""

# -- beginning -----------------------------------------------------------------------------------


def begin(contest: Contest, rounds: int | None = None) -> Position:
    """The position in which a fight begins.

    Args:
        contest: the fight; all fighters of both sides take part.
        rounds: after how many rounds it has stalled; None: never.
    """
    course = contest.course._replace(rounds=rounds)
    conditions = tuple(
        tuple(contest.enter(number, sheet) for sheet in side.fighters)
        for number, side in enumerate(contest.sides)
    )
    kept = () if contest.fight.kept is None else conditions
    here = Position(
        contest, course, contest.names, course.begin(), conditions, board=contest.board, kept=kept
    )
    return _entered(here if contest.board is None else here._replace(board=laid(here)))


def begin_whole(contest: Contest, game: Game) -> Position:
    """The position in which an exchange begins that is a whole fight by itself.

    Args:
        contest: both sides, with the fighters that the exchange has.
        game: the exchange.

    Raises:
        SetupError: it is none.
    """
    whole = contest.fight.whole
    if whole is None or not whole.fits(game.start.facts):
        raise SetupError(f"{contest.system.id}: this exchange is no whole fight")
    names = _apart(whole.names(game.start.facts))
    one, other = FighterId(0, 0), FighterId(1, 0)
    course = contest.course
    here = Position(
        contest, course, names, Moment(Phase.ACTION, 1), ((), ()),
        Exchange(one, WHOLE, other, Session(game)), whole=whole,
    )  # fmt: skip
    return _read_off(here, whole)


def _apart(names: tuple[tuple[str, ...], tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """The names of all, with the side where both sides have a fighter of that name."""
    both = set(names[0]) & set(names[1])
    return tuple(
        tuple(f"{name} ({side})" if name in both else name for name in row)
        for side, row in zip(("one", "other"), names, strict=True)
    )


# -- supplying what is needed --------------------------------------------------------------------


def rolled(here: Position, faces: tuple[Face, ...]) -> Position:
    """The position after one roll for initiative."""
    need = here.need
    assert isinstance(need, Roll)  # callers look at what is needed
    event = Event("initiative", here.moment.round, need.fighter, faces=faces)
    return rolled_as(here, need.read(faces), (event,))


def rolled_as(here: Position, number: int, events: tuple[Event, ...] = ()) -> Position:
    """The position after one roll for initiative that comes to this number."""
    need = here.need
    assert isinstance(need, Roll)
    return _entered(here._replace(rolls={**here.rolls, need.fighter: number}, events=events))


def ordered(here: Position, order: tuple[FighterId, ...]) -> Position:
    """The position after a round has got its order of turns, one that its ties allow."""
    event = Event("round", here.moment.round, order=order)
    return go_on(here._replace(order=order, attacked={}, events=(event,)))


def called(here: Position, who: FighterId | None) -> Position:
    """The position in which somebody has the next turn; None: whoever has it by default."""
    need = here.need
    assert isinstance(need, Call)
    after = need.default
    if who is not None and who != after.actor:
        after = here.course.following(here.moment, need.report._replace(called=who))
    if who in here.moment.held:
        here = _recounted(here, who)
    return _entered(here._replace(moment=after, events=()))


def _recounted(here: Position, who: FighterId | None) -> Position:
    """The position once somebody's turn was held back until now: as the rules say, for good.

    From now on the fighter is as quick as the one whose turn has just been, and never quicker than
    before.
    """
    fight, before = here.contest.fight, here.moment.actor
    if who is None or before is None or here.course.first != "initiative":
        return here
    if not fight.recounts or fight.initiative is None:
        return here
    own, other = (
        fight.initiative(*here.both(one), here.contest.rulings)[0] + here.rolls.get(one, 0)
        for one in (who, before)
    )
    roll = here.rolls.get(who, 0) + min(0, other - own)
    return here._replace(rolls={**here.rolls, who: roll})


def passed(here: Position, why: str = "") -> Position:
    """The position after a turn is over because its fighter does nothing more."""
    need = here.need
    assert isinstance(need, Act)
    here = here._replace(events=())
    if need.settles:
        return _settled(here)
    event = Event("pass", here.moment.round, need.actor, why=why)
    # An extra turn was only a chance: nobody is told of those who didn't take it.
    told = (event,) if here.moment.is_ordinary else ()
    return go_on(here._replace(events=told), acted=False)


def held(here: Position) -> Position:
    """The position after a fighter held back the turn that has just begun."""
    need = here.need
    assert isinstance(need, Act)
    event = Event("wait", here.moment.round, need.actor)
    return go_on(here._replace(events=(event,)), acted=False, holds=True)


def begun(here: Position, deed: Deed, target: FighterId) -> Position:
    """The position in which an exchange has begun.

    Raises:
        SetupError: the rules refuse it; says why.
    """
    need = here.need
    assert isinstance(need, Act)
    game = game_of(here, need.actor, deed, target, plain=True)
    exchange = Exchange(need.actor, deed, target, Session(game))
    return here._replace(need=exchange, events=())


def declared(here: Position, deed: Deed, target: FighterId) -> Position:
    """The position in which an exchange has begun, unless somebody may interrupt it first.

    Raises:
        SetupError: the rules refuse it; says why.
    """
    act = here.need
    assert isinstance(act, Act)
    there = begun(here, deed, target)
    return there if act.settles else _interruptible(there)


def _interruptible(here: Position) -> Position:
    """The position before an exchange, if somebody may interrupt it; else the same."""
    need = here.need
    assert isinstance(need, Exchange)
    if not here.contest.fight.interrupts:
        return here
    among = here.course.may_interrupt(here.moment, here.standing())
    among = tuple(who for who in among if who not in here.gone)
    return here._replace(need=Interrupt(among, need)) if among else here


def kept_up(here: Position) -> Position:
    """The position in which nobody interrupts the exchange that begins."""
    need = here.need
    assert isinstance(need, Interrupt)
    return here._replace(need=need.exchange, events=())


def interrupted(here: Position, who: FighterId) -> Position:
    """The position in which somebody acts before the exchange that was about to begin."""
    need = here.need
    assert isinstance(need, Interrupt)
    actor, deed, target, _ = need.exchange
    event = Event("interrupt", here.moment.round, who, deed.name, actor)
    there = _recounted(here, who)._replace(
        moment=here.course.interrupted(here.moment, who),
        declared=(*here.declared, (actor, deed, target)),
        events=(),
        need=Over(),
    )
    there = _entered(there)
    return there._replace(events=(event, *there.events))


def went_on(here: Position, session: Session) -> Position:
    """The position after an exchange went on; at its end, what it did is applied."""
    need = here.need
    assert isinstance(need, Exchange)
    outcome = session.outcome
    there = here._replace(need=need._replace(session=session), events=())
    if here.whole is not None:
        return _read_off(there, here.whole)
    if outcome is None:
        return there
    here = lapsed(here, need.actor, outcome)
    if here.board is not None:
        done = Done(*need[:3], (None, None), session=session)
        return _followed(here, done, *after_exchange(here, need, outcome))
    fight = here.contest.fight
    effects = fight.effect(outcome, "actor"), fight.effect(outcome, "target")
    return befallen(here, Done(*need[:3], effects, fight.helped(outcome), session))


def _read_off(here: Position, whole: AnyWhole) -> Position:
    """The position after an exchange that is a whole fight went on: what its facts say of it."""
    need = here.need
    assert isinstance(need, Exchange)
    session = need.session
    facts = session.here.facts if session.outcome is None else session.outcome
    number, after = whole.round(facts), whole.conditions(facts)
    events = []
    if number != here.moment.round or not here.conditions[0]:
        events.append(Event("round", number))
    if session.outcome is None:
        moment = here.moment._replace(round=number)
        return here._replace(moment=moment, conditions=after, events=tuple(events))
    verdict = whole.verdict(facts)
    events += [
        Event("exchange", number, session=session, before=here.conditions, after=after),
        Event("over", number, why=verdict),
    ]
    over = Moment(Phase.OVER, number, verdict=verdict)
    return here._replace(moment=over, conditions=after, need=Over(), events=tuple(events))


def befallen(here: Position, done: Done) -> Position:
    """The position after an exchange, of which its effects are all that has to be known."""
    return _followed(here, done, here.board, _applied(here, done))


def _followed(here: Position, done: Done, board: Hashable, after: Conditions) -> Position:
    """The position after an exchange that left a board and everybody's conditions like this."""
    kept = _kept(here, done)
    event = Event(
        "exchange", here.moment.round, done.actor, done.deed.name, done.target, done.session,
        before=here.in_full, after=kept or after, boards=_both(here.board, board),
    )  # fmt: skip
    there = here._replace(conditions=after, board=board, events=(event,), kept=kept)
    if here.urged or here.moment.phase is Phase.OVER:
        return _settled(there)
    attacked = {**here.attacked, done.target: here.attacked.get(done.target, 0) + 1}
    struck = [who for who, _ in _befell(here, done)] if board is None else here.course.everybody
    return _attended(there._replace(attacked=attacked, due=tuple(dict.fromkeys(struck))))


def _settled(here: Position) -> Position:
    """The position after something was settled that nobody has a say in."""
    return _settle(here) if here.moment.phase is Phase.OVER else _attended(here)


def _attended(here: Position) -> Position:
    """The position once what is urgent is settled; then the course goes on."""
    return _urged(here) or go_on(here._replace(due=(), urged=False))


def _urged(here: Position) -> Position | None:
    """The position in which something urgent is settled; None: nothing is, or the fight is over."""
    if here.due and here.course.verdict(here.standing()) is None:
        for number, who in enumerate(here.due, start=1):
            deed = None if who in here.gone else here.contest.fight.urgent(*here.both(who))
            if deed is not None:
                act = Act(who, (deed,), settles=True)
                return here._replace(need=act, due=here.due[number:], urged=True)
    return None


def _befell(here: Position, done: Done) -> list[tuple[FighterId, Hashable]]:
    """What an exchange did, in order, and to whom."""
    others = here.mates(done.target)
    return [
        (done.actor, done.effects[0]),
        (done.target, done.effects[1]),
        *((others[place], effect) for place, effect in done.helped),
    ]


def _both(before: Hashable, after: Hashable) -> tuple[Hashable, ...]:
    """A board before and after something, where there is one."""
    return () if before is None else (before, after)


def _applied(here: Position, done: Done) -> Conditions:
    """Everybody's condition after an exchange."""
    fight, found = here.contest.fight, here.conditions
    for who, effect in _befell(here, done):
        after = fight.apply(here.sheet(who), found[who.side][who.place], effect)
        found = shared(here, change(found, who, after), who)
    return found


def _kept(here: Position, done: Done) -> Conditions:
    """Everybody's condition after an exchange, in full; (): nothing is kept besides."""
    kept, found = here.contest.fight.kept, here.kept
    if kept is None or not found:
        return ()
    for who, effect in _befell(here, done):
        after = kept.apply(here.sheet(who), found[who.side][who.place], effect)
        found = shared(here, change(found, who, after), who)
    return found


# -- the course ----------------------------------------------------------------------------------


def go_on(here: Position, *, acted: bool = True, holds: bool = False) -> Position:
    """The position at the next need, once a phase of the course is done.

    Args:
        here: with everything done that the phase asks for.
        acted: whether any deed was done, where one could be.
        holds: whether the actor holds the turn back.
    """
    there = _follow(here, _report(here, acted=acted, holds=holds))
    return there if isinstance(there.need, Call) else _entered(there)


def _report(here: Position, *, acted: bool = True, holds: bool = False) -> Report:
    allowed, actor = 1, here.moment.actor
    if actor is not None:
        allowed = here.contest.allowed(*here.both(actor))
    before = here.course.before(here.order, here.rolls)
    return Report(here.standing(), here.order, allowed, acted, holds, before=before)


def _follow(here: Position, report: Report) -> Position:
    """The position at the next moment; or before it, if somebody has to be called."""
    after = here.course.following(here.moment, report)
    among = here.course.callable(here.moment, report, after)
    if among and among != (after.actor,):
        return here._replace(need=Call(among, report, after))
    return here._replace(moment=after, need=Over())


def _entered(here: Position) -> Position:
    """Do what the phase asks for that needs nobody, and go on; stop at what needs somebody."""
    while True:
        if here.coming and here.moment.phase is Phase.ROUND:
            here = _restarted(here, here.coming)
        if here.declared:
            here = _taken_up(here)
            if isinstance(here.need, Exchange | Interrupt):
                return here
        need = _need(here)
        if need is not None:
            return here._replace(need=need)
        if here.moment.phase is Phase.OVER:
            return _settle(here)
        here = _done(here)
        if here.moment.phase in {Phase.START, Phase.CLOSE}:
            urged = _urged(here._replace(due=here.course.everybody))
            if urged is not None:
                return urged
        here = _follow(here, _report(here))
        if isinstance(here.need, Call):
            return here


def _taken_up(here: Position) -> Position:
    """The position in which a deed that was interrupted is done after all, if it can be."""
    moment, left = here.moment, here.declared
    if len(left) <= moment.depth:
        return here
    while len(left) > moment.depth + 1:
        left = left[:-1]
    (actor, deed, target), left = left[-1], left[:-1]
    there = here._replace(declared=left)
    if moment.phase is not Phase.ACTION or moment.actor != actor:
        return there
    act = Act(actor, here.contest.deeds(actor.side, *here.both(actor), kind=moment.kind))
    if deed not in act.deeds or target not in targets(here, act, deed):
        return there
    try:
        begins = begun(there._replace(need=act), deed, target)._replace(events=here.events)
        return _interruptible(begins)
    except SetupError:
        return there


def resumed(here: Position) -> Position:
    """The position at what is needed now, after something was changed that no rule brings about.

    That may decide the fight; or the one who acts is out, and the turn is lost.
    """
    moment, need = here.moment, here.need
    if moment.phase is Phase.OVER:
        return _settle(here._replace(due=(), urged=False))
    if here.urged and isinstance(need, Act):
        return _attended(here._replace(due=(need.actor, *here.due)))
    standing = here.standing()
    if moment.phase in {Phase.TURN, Phase.ACTION, Phase.CLOSE}:
        verdict = here.course.verdict(standing)
        if verdict is not None:
            over = Moment(Phase.OVER, moment.round, leads=moment.leads, verdict=verdict)
            return _settle(here._replace(moment=over))
    if isinstance(need, Call):
        there = _follow(here, need.report._replace(standing=standing))
        return there if isinstance(there.need, Call) else _entered(there)
    if isinstance(need, Act | Interrupt) and moment.actor and here.is_out(moment.actor):
        return go_on(here, acted=False)
    return _entered(here)


def _restarted(here: Position, first: First) -> Position:
    """The position in which turns begin in another way."""
    return here._replace(
        contest=here.contest.changed(first=first),
        course=here.course._replace(first=first),
        moment=here.moment._replace(leads=None),
        coming=None,
    )


def _need(here: Position) -> Need | None:
    """What the phase needs before it can be done; None: nothing."""
    moment = here.moment
    if moment.phase in {Phase.START, Phase.ROUND}:
        roll = _unrolled(here)
        if roll is not None:
            return roll
    if moment.phase is Phase.ROUND:
        return Order(_ties(here))
    if moment.phase is Phase.ACTION and moment.actor is not None:
        who = moment.actor
        deeds = here.contest.deeds(who.side, *here.both(who), kind=moment.kind)
        return Act(who, deeds)
    return None


def _done(here: Position) -> Position:
    """A phase that needs nobody, done."""
    moment, fight, before = here.moment, here.contest.fight, here.conditions
    board, kept = here.board, here.kept
    if moment.phase is Phase.TURN and moment.actor is not None and moment.is_ordinary:
        meter_in_force().tick(8)
        who = moment.actor
        after = change(before, who, fight.begin_turn(*here.both(who)))
        if kept:
            full = fight.begin_turn(here.sheet(who), kept[who.side][who.place])
            kept = change(kept, who, full)
        event = Event("turn", moment.round, who, before=here.in_full, after=kept or after)
    elif moment.phase is Phase.CLOSE:
        if board is None:
            after = _closed(here, fight.end_round, before)
            if kept and fight.kept is not None:
                kept = _closed(here, fight.kept.end_round, kept)
        else:
            board, after = after_round(here)
        boards = _both(here.board, board)
        now = kept or after
        event = Event("close", moment.round, before=here.in_full, after=now, boards=boards)
    else:
        return here
    events = (*here.events, event)
    return here._replace(conditions=after, board=board, events=events, kept=kept)


def _closed(
    here: Position, end_round: Callable[[Any, Any], Hashable], before: Conditions
) -> Conditions:
    """Everybody's condition when a round ends."""
    return tuple(
        tuple(end_round(*one) for one in zip(side.fighters, conditions, strict=True))
        for side, conditions in zip(here.contest.sides, before, strict=True)
    )


def _settle(here: Position) -> Position:
    """Whatever is left when the fight is over, fighter by fighter; then it is really over."""
    everybody = here.course.everybody
    for number in range(here.settled, len(everybody)):
        who = everybody[number]
        deed = None if who in here.gone else here.contest.fight.afterwards(*here.both(who))
        if deed is not None:
            act = Act(who, (deed,), settles=True)
            return here._replace(need=act, settled=number + 1)
    event = Event("over", here.moment.round, why=here.moment.verdict or "")
    return here._replace(need=Over(), settled=len(everybody), events=(*here.events, event))


# -- the order of turns --------------------------------------------------------------------------


def _unrolled(here: Position) -> Roll | None:
    """The first roll for initiative that nobody has made yet."""
    roll = here.contest.fight.initiative_roll
    if here.course.first != "initiative" or roll is None:
        return None
    for who in here.course.everybody:
        if who not in here.rolls and who not in here.gone:
            return Roll(who, *roll(here.sheet(who), here.contest.rulings))
    return None


def _ties(here: Position) -> Ties:
    """The order of turns in the round that begins, as far as it is fixed."""
    initiative = here.contest.fight.initiative
    if here.course.first != "initiative" or initiative is None:
        return here.course.ties(here.moment)
    quickness = {}
    for who in here.course.everybody:
        value, tie = initiative(*here.both(who), here.contest.rulings)
        quickness[who] = value + here.rolls.get(who, 0), tie
    return here.course.ties(here.moment, quickness)


def wrong_order(ties: Ties, order: Sequence[FighterId]) -> str:
    """Why an order of turns is not one that the ties allow; "" if it is one."""
    rest = list(order)
    for blocks in ties:
        waiting = list(blocks)
        while waiting:
            block = next((b for b in waiting if tuple(rest[: len(b)]) == b), None)
            if block is None:
                told = ", then ".join(spelled(chain.from_iterable(tie)) for tie in ties)
                return f"turn order {spelled(order)} is not allowed; allowed: {told}"
            waiting.remove(block)
            del rest[: len(block)]
    return f"turn order {spelled(order)} names {spelled(rest)} once too often" if rest else ""
