"""A position: a whole fight as it stands between two moves, and how it goes on from there.

How to think about it
=====================

A position is a frozen record: the moment of the course, everybody's condition, and what the fight
needs before it can go on (`Position.need`). It asks nobody and rolls nothing. What is needed is one
of six things, and for each there is one function that supplies it and returns the next position:

    Roll       dice of a fighter's initiative           rolled(position, faces)
    Order      the order of turns in a round            ordered(position, order)
    Call       who has the next turn                    called(position, fighter)
    Act        a deed and its target, or none           begun(position, deed, target), passed, held
    Exchange   the exchange that has begun              went_on(position, session)
    Over       nothing any more

Between two needs the machine of `course` runs by itself: turns begin, rounds end, verdicts fall.
Everything that happened on the way lies in `Position.events`, those since the last need only.

Who decides is somebody else's business. `play` drives a position with plans and policies, a record
drives it again, and `session` lets people do it. All of them go this one way.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Literal, NamedTuple, TypeAlias, cast

from affray.core.dice import Face, Pool
from affray.core.errors import SetupError
from affray.core.fight import Deed, Whole
from affray.core.meter import meter_in_force
from affray.core.reading import Read
from affray.engine.exchange.game import Game
from affray.engine.exchange.session import Session
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import (
    Course,
    FighterId,
    First,
    Moment,
    Phase,
    Report,
    Standing,
    Ties,
    Verdict,
)
from affray.engine.fight.matchup import Encounter, Matchup

__all__ = [
    "Act", "Call", "Conditions", "Done", "Event", "Exchange", "Need", "Order", "Over", "Position",
    "Roll", "attempts", "befallen", "begin", "begin_whole", "begun", "called", "change",
    "encounter", "fates", "game_of", "go_on", "held", "ordered", "passed", "resumed", "rolled",
    "rolled_as", "spelled", "targets", "went_on", "wrong_order",
]  # fmt: skip

AnyWhole: TypeAlias = Whole[Any, Any, Any]
WHOLE = Deed("the whole fight")
"""Stands for the deed of an exchange that is a whole fight."""

Conditions: TypeAlias = tuple[tuple[Hashable, ...], ...]
"""Everybody's condition, side by side."""


# -- what is needed ------------------------------------------------------------------------------


class Roll(NamedTuple):
    """One roll for initiative: whose, the dice, and what they mean."""

    fighter: FighterId
    pool: Pool
    read: Read[int]


class Order(NamedTuple):
    """The order of turns of a round, as far as it is fixed."""

    ties: Ties


class Call(NamedTuple):
    """Who has the next turn: one of these; see `Course.callable`.

    Attributes:
        among: those it may be.
        report: what came of the phase before.
        default: the moment that follows if nobody chooses: a turn, or the end of the round.
    """

    among: tuple[FighterId, ...]
    report: Report
    default: Moment


class Act(NamedTuple):
    """A deed of a fighter, with its target.

    Attributes:
        actor: who acts.
        deeds: what may be done, the most urgent first.
        settles: whether it is what is left to settle when the fight is over.
    """

    actor: FighterId
    deeds: tuple[Deed, ...]
    settles: bool = False


class Exchange(NamedTuple):
    """An exchange that goes on, to be played to its end."""

    actor: FighterId
    deed: Deed
    target: FighterId
    session: Session


class Done(NamedTuple):
    """An exchange that is over.

    Attributes:
        actor, deed, target: who did what to whom.
        effects: on the actor and on the target.
        helped: on the target's mates who took part, by their place among all of them.
        session: the exchange as it was played; None where only its effects were drawn.
    """

    actor: FighterId
    deed: Deed
    target: FighterId
    effects: tuple[Hashable, Hashable]
    helped: tuple[tuple[int, Hashable], ...] = ()
    session: Session | None = None


class Over(NamedTuple):
    """Nothing: the fight is over."""


Need: TypeAlias = Roll | Order | Call | Act | Exchange | Over


class Event(NamedTuple):
    """Something that happened in a fight.

    Attributes:
        kind: what it was; "hand" is a game master's.
        round: the number of the round.
        fighter: whom it happened to, or who did it.
        deed, target: what was done to whom, in an exchange.
        session: that exchange, at its end.
        order: the order of turns of a round that begins.
        faces: the dice of initiative.
        before, after: everybody's condition.
        why: a reason, in words.
    """

    kind: Literal[
        "initiative", "round", "turn", "exchange", "pass", "wait", "close", "hand", "over"
    ]
    round: int
    fighter: FighterId | None = None
    deed: str = ""
    target: FighterId | None = None
    session: Session | None = None
    order: tuple[FighterId, ...] = ()
    faces: tuple[Face, ...] = ()
    before: Conditions = ()
    after: Conditions = ()
    why: str = ""


# -- the record ----------------------------------------------------------------------------------


class Position(NamedTuple):
    """A whole fight at rest.

    Attributes:
        contest: the fight: sheets, situations, rulings.
        course: its course.
        names: of all fighters, side by side; no two alike.
        moment: where the course stands.
        conditions: everybody's.
        need: what it waits for.
        gone: those whom a game master has taken out.
        rolls: what each has rolled for initiative, read.
        order: the order of turns in this round.
        attacked: how often each was acted upon in this round.
        coming: how turns begin from the next round on, where a game master has changed it.
        whole: how the exchange that is the whole fight is seen; None: there are many.
        settled: how many have settled what was left when the fight was over.
        events: what happened since the position before.
    """

    contest: Contest
    course: Course
    names: tuple[tuple[str, ...], ...]
    moment: Moment
    conditions: Conditions
    need: Need = Over()
    gone: frozenset[FighterId] = frozenset()
    rolls: Mapping[FighterId, int] = {}
    order: tuple[FighterId, ...] = ()
    attacked: Mapping[FighterId, int] = {}
    coming: First | None = None
    whole: AnyWhole | None = None
    settled: int = 0
    events: tuple[Event, ...] = ()

    @property
    def verdict(self) -> Verdict | None:
        """How the fight has ended; None while it goes on, or something is left to settle."""
        return self.moment.verdict if isinstance(self.need, Over) else None

    def name(self, who: FighterId) -> str:
        """The name of a fighter."""
        return self.names[who.side][who.place]

    def sheet(self, who: FighterId) -> Hashable:
        """The sheet of a fighter."""
        return self.contest.sides[who.side].fighters[who.place]

    def condition(self, who: FighterId) -> Hashable:
        """The condition of a fighter."""
        return self.conditions[who.side][who.place]

    def both(self, who: FighterId) -> tuple[Hashable, Hashable]:
        """The sheet of a fighter and the condition."""
        return self.sheet(who), self.condition(who)

    def is_out(self, who: FighterId) -> bool:
        """Whether a fighter is out of the fight."""
        return who in self.gone or self.contest.fight.is_out(*self.both(who))

    def mates(self, who: FighterId) -> list[FighterId]:
        """The others of a fighter's side who are still there, standing or not."""
        side = (FighterId(who.side, place) for place in range(len(self.conditions[who.side])))
        return [one for one in side if one != who and one not in self.gone]

    def standing(self) -> Standing:
        """How everybody stands."""
        fight, gone = self.contest.fight, self.gone
        out: list[list[bool]] = []
        says: list[list[bool | None]] = []
        for number, (side, conditions) in enumerate(
            zip(self.contest.sides, self.conditions, strict=True)
        ):
            rows = list(zip(side.fighters, conditions, strict=True))
            out.append([fight.is_out(*row) for row in rows])
            says.append([fight.ends(*row) for row in rows])
            for who in gone:
                if who.side == number:
                    out[number][who.place], says[number][who.place] = True, None
        return Standing((out[0], out[1]), (says[0], says[1]))


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
    here = Position(contest, course, contest.names, course.begin(), conditions)
    return _entered(here)


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
    return _entered(here._replace(moment=after, events=()))


def passed(here: Position, why: str = "") -> Position:
    """The position after a turn is over because its fighter does nothing more."""
    need = here.need
    assert isinstance(need, Act)
    here = here._replace(events=())
    if need.settles:
        return _settle(here)
    event = Event("pass", here.moment.round, need.actor, why=why)
    # An extra turn was only a chance: nobody is told of those who didn't take it.
    told = () if here.moment.is_extra else (event,)
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
    after = _applied(here, done)
    event = Event(
        "exchange", here.moment.round, done.actor, done.deed.name, done.target, done.session,
        before=here.conditions, after=after,
    )  # fmt: skip
    attacked = {**here.attacked, done.target: here.attacked.get(done.target, 0) + 1}
    there = here._replace(conditions=after, attacked=attacked, events=(event,))
    return _settle(there) if here.moment.phase is Phase.OVER else go_on(there)


def fates(here: Position) -> tuple[tuple[str, ...], ...]:
    """The fate of everybody, side by side; empty words where a system has none."""
    fate = here.contest.fight.fate
    return tuple(
        tuple(fate(*one) for one in zip(side.fighters, conditions, strict=True))
        for side, conditions in zip(here.contest.sides, here.conditions, strict=True)
    )


def change(conditions: Conditions, who: FighterId, condition: Hashable) -> Conditions:
    """The conditions with one of them replaced."""
    side = conditions[who.side]
    changed = (*side[: who.place], condition, *side[who.place + 1 :])
    return (changed, conditions[1]) if who.side == 0 else (conditions[0], changed)


# -- deeds ---------------------------------------------------------------------------------------


def attempts(here: Position, act: Act) -> Iterator[tuple[Deed, tuple[FighterId, ...]]]:
    """The deeds of one who acts, each with those it is done to where nobody chooses a friend."""
    if act.settles:
        yield from ((deed, (act.actor,)) for deed in act.deeds)
        return
    side, needs = act.actor.side, []
    if any(deed.on == "friend" for deed in act.deeds):
        whole = zip(here.contest.sides[side].fighters, here.conditions[side], strict=True)
        needs = [here.contest.fight.needs(*one) for one in whole]
    out = here.standing().out
    for who in here.gone:  # nobody helps those who aren't there
        if who.side == side:
            cast("list[bool]", out[side])[who.place] = False
            needs[who.place : who.place + 1] = [0] if needs else []
    yield from here.course.attempts(act.actor, act.deeds, out, needs)


def targets(here: Position, act: Act, deed: Deed) -> tuple[FighterId, ...]:
    """Everybody whom somebody may choose for a deed."""
    actor = act.actor
    if deed.on == "self":
        return (actor,)
    if deed.on == "foe":
        foes = (FighterId(1 - actor.side, n) for n in range(here.course.sizes[1 - actor.side]))
        return tuple(who for who in foes if not here.is_out(who))
    fallen_only = deed.on == "fallen friend"
    return tuple(who for who in here.mates(actor) if not fallen_only or here.is_out(who))


def encounter(
    here: Position, actor: FighterId, deed: Deed, target: FighterId
) -> tuple[Matchup, Encounter]:
    """What a deed of one fighter to another is, for those who price it."""
    fight = here.contest.fight
    matchup = here.contest.matchup(
        actor.side, here.sheet(actor), here.sheet(target), friend=deed.on != "foe"
    )
    minds = deed.on == "foe" and fight.minds_mates(*here.both(actor))
    return matchup, Encounter(
        deed, here.condition(actor), here.condition(target), _about_mates(here, target),
        _about_mates(here, actor) if minds else None,
    )  # fmt: skip


def game_of(
    here: Position, actor: FighterId, deed: Deed, target: FighterId, *, plain: bool = False
) -> Game:
    """The exchange in which a deed is done.

    Args:
        here: where the fight stands.
        actor: who does it.
        deed: what is done.
        target: to whom.
        plain: whether nothing is hidden: people read what the steps say; engines follow an
            exchange once for all that look alike.

    Raises:
        SetupError: the rules refuse it; says why.
    """
    matchup, met = encounter(here, actor, deed, target)
    at = matchup.plain_start(met) if plain else matchup.start(met)
    if at is None:
        raise SetupError(matchup.refusal(met))
    return Game(here.contest.system, at, {}, matchup.plans)


def _about_mates(here: Position, who: FighterId) -> Hashable:
    """What a declaration knows of a fighter's mates."""
    return here.contest.fight.context([here.both(mate) for mate in here.mates(who)])


def _applied(here: Position, done: Done) -> Conditions:
    """Everybody's condition after an exchange."""
    fight, found = here.contest.fight, here.conditions
    others = here.mates(done.target)
    befell = [
        (done.actor, done.effects[0]),
        (done.target, done.effects[1]),
        *((others[place], effect) for place, effect in done.helped),
    ]
    for who, effect in befell:
        after = fight.apply(here.sheet(who), found[who.side][who.place], effect)
        found = change(found, who, after)
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
    return Report(here.standing(), here.order, allowed, acted, holds)


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
        need = _need(here)
        if need is not None:
            return here._replace(need=need)
        if here.moment.phase is Phase.OVER:
            return _settle(here)
        here = _done(here)
        here = _follow(here, _report(here))
        if isinstance(here.need, Call):
            return here


def resumed(here: Position) -> Position:
    """The position at what is needed now, after something was changed that no rule brings about.

    That may decide the fight; or the one who acts is out, and the turn is lost.
    """
    moment, need = here.moment, here.need
    if moment.phase is Phase.OVER:
        return _settle(here)
    standing = here.standing()
    if moment.phase in {Phase.TURN, Phase.ACTION, Phase.CLOSE}:
        verdict = here.course.verdict(standing)
        if verdict is not None:
            over = Moment(Phase.OVER, moment.round, leads=moment.leads, verdict=verdict)
            return _settle(here._replace(moment=over))
    if isinstance(need, Call):
        there = _follow(here, need.report._replace(standing=standing))
        return there if isinstance(there.need, Call) else _entered(there)
    if isinstance(need, Act) and here.is_out(need.actor):
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
        deeds = here.contest.deeds(who.side, *here.both(who), extra=moment.is_extra)
        return Act(who, deeds)
    return None


def _done(here: Position) -> Position:
    """A phase that needs nobody, done."""
    moment, fight, before = here.moment, here.contest.fight, here.conditions
    if moment.phase is Phase.TURN and moment.actor is not None and not moment.extra:
        meter_in_force().tick(8)
        after = change(before, moment.actor, fight.begin_turn(*here.both(moment.actor)))
        event = Event("turn", moment.round, moment.actor, before=before, after=after)
    elif moment.phase is Phase.CLOSE:
        after = tuple(
            tuple(fight.end_round(*one) for one in zip(side.fighters, conditions, strict=True))
            for side, conditions in zip(here.contest.sides, before, strict=True)
        )
        event = Event("close", moment.round, before=before, after=after)
    else:
        return here
    return here._replace(conditions=after, events=(*here.events, event))


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


def spelled(places: Sequence[FighterId] | Iterator[FighterId]) -> str:
    """Fighters by number of side and place, both from 1: "1.1 2.3"."""
    return " ".join(f"{place.side + 1}.{place.place + 1}" for place in places)
