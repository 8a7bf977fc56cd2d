"""How a position runs on: through the phases of the course, to the next thing that is needed.

What is needed is supplied by the functions in `supply`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import chain, combinations
from typing import Any

from affray.core.errors import SetupError
from affray.core.fight import Deed
from affray.core.meter import meter_in_force
from affray.engine.fight.course import Block, FighterId, First, Moment, Phase, Report, Ties
from affray.engine.fight.played.boards import after_round
from affray.engine.fight.played.deeds import begun_exchange, game_of, targets
from affray.engine.fight.played.position import (
    Act,
    Call,
    Conditions,
    Event,
    Exchange,
    Interrupt,
    Need,
    Order,
    Over,
    Position,
    Roll,
    change,
)

__all__ = [
    "attended", "begun", "both_boards", "entered", "go_on", "interruptible", "resumed", "settled",
]  # fmt: skip


def go_on(here: Position, *, acted: bool = True, holds: bool = False) -> Position:
    """The position at the next need, once a phase of the course is done.

    Args:
        here: with everything done that the phase asks for.
        acted: whether any deed was done, where one could be.
        holds: whether the actor holds the turn back.
    """
    there = _follow(here, _report(here, acted=acted, holds=holds))
    return there if isinstance(there.need, Call) else entered(there)


def entered(here: Position) -> Position:
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


def resumed(here: Position) -> Position:
    """The position at what is needed now, after something was changed that no rule brings about.

    That may decide the fight; or the one who acts is out, and the turn is lost.
    """
    moment, need = here.moment, here.need
    if moment.phase is Phase.OVER:
        return _settle(here._replace(due=(), urged=False))
    if here.urged and isinstance(need, Act):
        return attended(here._replace(due=(need.actor, *here.due)))
    standing = here.standing()
    if moment.phase in {Phase.TURN, Phase.ACTION, Phase.CLOSE}:
        verdict = here.course.verdict(standing)
        if verdict is not None:
            over = Moment(Phase.OVER, moment.round, leads=moment.leads, verdict=verdict)
            return _settle(here._replace(moment=over))
    if isinstance(need, Call):
        there = _follow(here, need.report._replace(standing=standing))
        return there if isinstance(there.need, Call) else entered(there)
    if isinstance(need, Act | Interrupt) and moment.actor and here.is_out(moment.actor):
        return go_on(here, acted=False)
    return entered(here)


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
    return tuple(chain.from_iterable(
        _rolled_off(here, blocks) for blocks in here.course.ties(here.moment, quickness)
    ))  # fmt: skip


def _rolled_off(here: Position, blocks: tuple[Block, ...]) -> Ties:
    """Those who are equal, in order if all who stand have rolled off; who is out comes last."""
    standing = [who for (who,) in blocks if not here.is_out(who)]
    known = here.rolled_off
    if any({pair, pair[::-1]}.isdisjoint(known) for pair in combinations(standing, 2)):
        return (blocks,)
    before = {who: sum((who, other) in known for other in standing) for who in standing}
    out = tuple(block for block in blocks if block[0] not in before)
    ordered = sorted(standing, key=before.__getitem__, reverse=True)
    return (*(((who,),) for who in ordered), *([out] if out else []))


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
        boards = both_boards(here.board, board)
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


def both_boards(before: Hashable, after: Hashable) -> tuple[Hashable, ...]:
    """A board before and after something, where there is one."""
    return () if before is None else (before, after)


# -- exchanges begin ------------------------------------------------------------------------------


def begun(here: Position, deed: Deed, target: FighterId) -> Position:
    """The position in which an exchange has begun.

    Raises:
        SetupError: the rules refuse it; says why.
    """
    need = here.need
    assert isinstance(need, Act)
    game = game_of(here, need.actor, deed, target, plain=True)
    exchange = Exchange(need.actor, deed, target, begun_exchange(here.contest, game))
    return here._replace(need=exchange, events=())


def interruptible(here: Position) -> Position:
    """The position before an exchange, if somebody may interrupt it; else the same."""
    need = here.need
    assert isinstance(need, Exchange)
    if not here.contest.fight.interrupts:
        return here
    among = here.course.may_interrupt(here.moment, here.standing())
    among = tuple(who for who in among if who not in here.gone)
    return here._replace(need=Interrupt(among, need)) if among else here


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
        return interruptible(begins)
    except SetupError:
        return there


# -- what nobody has a say in --------------------------------------------------------------------


def settled(here: Position) -> Position:
    """The position after something was settled that nobody has a say in."""
    return _settle(here) if here.moment.phase is Phase.OVER else attended(here)


def attended(here: Position) -> Position:
    """The position once what is urgent is settled; then the course goes on."""
    return _urged(here) or go_on(here._replace(due=(), urged=False))


def _urged(here: Position) -> Position | None:
    """The position in which something urgent is settled; None: nothing is, or the fight is over."""
    for number, who in enumerate(here.due, start=1):
        deed = None if who in here.gone else here.contest.fight.urgent(*here.both(who))
        if deed is not None:
            if here.course.verdict(here.standing()) is not None:
                return None
            act = Act(who, (deed,), settles=True)
            return here._replace(need=act, due=here.due[number:], urged=True)
    return None


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
