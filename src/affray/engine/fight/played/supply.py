"""How a position goes on: it is supplied with what it needs, and runs on to the next need.

See `position` for the needs, and for the function here that supplies each of them; `onward` has
how it runs on.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import chain, combinations

from affray.core.dice import Face
from affray.core.errors import SetupError
from affray.core.fight import Deed
from affray.engine.exchange.game import Game
from affray.engine.exchange.session import Session
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import FighterId, Moment, Phase, Ties
from affray.engine.fight.played.boards import after_exchange, laid
from affray.engine.fight.played.matters import lapsed
from affray.engine.fight.played.onward import (
    attended,
    begun,
    both_boards,
    entered,
    go_on,
    interruptible,
    settled,
)
from affray.engine.fight.played.position import (
    Act,
    AnyWhole,
    Call,
    Conditions,
    Done,
    Event,
    Exchange,
    Interrupt,
    Order,
    Over,
    Picks,
    Position,
    Roll,
    change,
    shared,
    spelled,
)

__all__ = [
    "befallen", "begin", "begin_whole", "called", "declared", "held",
    "interrupted", "kept_up", "ordered", "passed", "rolled", "rolled_as", "went_on",
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
    return entered(here if contest.board is None else here._replace(board=laid(here)))


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
    return entered(here._replace(rolls={**here.rolls, need.fighter: number}, events=events))


def ordered(here: Position, order: tuple[FighterId, ...]) -> Position:
    """The position after a round has got its order of turns, one that its ties allow."""
    need = here.need
    assert isinstance(need, Order)
    event = Event("round", here.moment.round, order=order)
    rolled_off = here.rolled_off
    if here.course.first == "initiative":
        for tied in (list(chain.from_iterable(blocks)) for blocks in need.ties):
            pairs = combinations(sorted(tied, key=order.index), 2)
            found = {pair for pair in pairs if not any(map(here.is_out, pair))}
            rolled_off = (rolled_off - {pair[::-1] for pair in found}) | found
    return go_on(here._replace(order=order, rolled_off=rolled_off, attacked={}, events=(event,)))


def called(here: Position, who: FighterId | None) -> Position:
    """The position in which somebody has the next turn; None: whoever has it by default."""
    need = here.need
    assert isinstance(need, Call)
    after = need.default
    if who is not None and who != after.actor:
        after = here.course.following(here.moment, need.report._replace(called=who))
    if who in here.moment.held:
        here = _recounted(here, who)
    return entered(here._replace(moment=after, events=()))


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
        return settled(here)
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


def declared(here: Position, deed: Deed, target: FighterId, picks: Picks = ()) -> Position:
    """The position in which an exchange has begun, unless somebody may interrupt it first.

    Args:
        here: where the fight stands.
        deed: what is done.
        target: to whom.
        picks: a step of it and the option that is taken there; (): none is.

    Raises:
        SetupError: the rules refuse it; says why.
    """
    act = here.need
    assert isinstance(act, Act)
    there = begun(here, deed, target)
    if picks and isinstance(there.need, Exchange):
        need = there.need._replace(picks=picks)
        there = there._replace(need=need._replace(session=_as_said(need, need.session)))
    return there if act.settles else interruptible(there)


def kept_up(here: Position) -> Position:
    """The position in which nobody interrupts the exchange that begins."""
    need = here.need
    assert isinstance(need, Interrupt)
    return here._replace(need=need.exchange, events=())


def interrupted(here: Position, who: FighterId) -> Position:
    """The position in which somebody acts before the exchange that was about to begin."""
    need = here.need
    assert isinstance(need, Interrupt)
    actor, deed, target = need.exchange[:3]
    event = Event("interrupt", here.moment.round, who, deed.name, actor)
    there = _recounted(here, who)._replace(
        moment=here.course.interrupted(here.moment, who),
        declared=(*here.declared, (actor, deed, target)),
        events=(),
        need=Over(),
    )
    there = entered(there)
    return there._replace(events=(event, *there.events))


def went_on(here: Position, session: Session) -> Position:
    """The position after an exchange went on; at its end, what it did is applied."""
    need = here.need
    assert isinstance(need, Exchange)
    session = _as_said(need, session)
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


def _as_said(exchange: Exchange, session: Session) -> Session:
    """An exchange once what was said with the deed is taken, if it is asked now."""
    asked = session.question
    if not exchange.picks or asked is None or asked.step != exchange.picks[0]:
        return session
    option = exchange.picks[1]
    offered = option in [one.name for one in asked.options]
    return session.answer(option) if offered else session


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
        before=here.in_full, after=kept or after, boards=both_boards(here.board, board),
    )  # fmt: skip
    there = here._replace(conditions=after, board=board, events=(event,), kept=kept)
    if here.urged or here.moment.phase is Phase.OVER:
        return settled(there)
    attacked = {**here.attacked, done.target: here.attacked.get(done.target, 0) + 1}
    struck = [who for who, _ in _befell(here, done)] if board is None else here.course.everybody
    return attended(there._replace(attacked=attacked, due=tuple(dict.fromkeys(struck))))


def _befell(here: Position, done: Done) -> list[tuple[FighterId, Hashable]]:
    """What an exchange did, in order, and to whom."""
    others = here.mates(done.target)
    return [
        (done.actor, done.effects[0]),
        (done.target, done.effects[1]),
        *((others[place], effect) for place, effect in done.helped),
    ]


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
