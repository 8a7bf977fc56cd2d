"""A position: a whole fight as it stands between two moves.

How to think about it
=====================

A position is a frozen record: the moment of the course, everybody's condition, and what the fight
needs before it can go on (`Position.need`). It asks nobody and rolls nothing. What is needed is one
of seven things, and for each there is one function in `supply` that returns the next position:

    Roll       dice of a fighter's initiative           rolled(position, faces)
    Order      the order of turns in a round            ordered(position, order)
    Call       who has the next turn                    called(position, fighter)
    Act        a deed and its target, or none           declared(position, deed, whom), passed, held
    Interrupt  who acts before the exchange             interrupted(position, fighter), kept_up
    Exchange   the exchange that has begun              went_on(position, session)
    Over       nothing any more

Between two needs the machine of `course` runs by itself (`onward`): turns begin, rounds end,
verdicts fall. Everything that happened on the way lies in `Position.events`, those since the last
need only.

Who decides is somebody else's business. `play` drives positions with plans and policies, or with
what was kept of a battle; `session` lets people do it, `hands` a game master. All go this one way.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from affray.core.actor import Actor
from affray.core.dice import Face, Pool
from affray.core.fight import Deed, Whole
from affray.core.lazy import NamedTuple
from affray.core.reading import Read
from affray.core.sheet import replace
from affray.engine.exchange.session import Session
from affray.engine.fight.contest import Contest
from affray.engine.fight.course import (
    Course,
    FighterId,
    First,
    Moment,
    Report,
    Standing,
    Ties,
    Verdict,
)

__all__ = [
    "Act", "AnyWhole", "Call", "Conditions", "Done", "Event", "Exchange", "Ground", "Interrupt",
    "Need", "Order", "Over", "Position", "Roll", "change", "fates", "shared", "spelled",
]  # fmt: skip

AnyWhole: TypeAlias = Whole[Any, Any, Any]
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
        settles: whether something is settled that a fighter has no say in: what is urgent, or
            what is left when the fight is over.
    """

    actor: FighterId
    deeds: tuple[Deed, ...]
    settles: bool = False


Picks: TypeAlias = tuple[()] | tuple[str, str]
"""A step of an exchange and the option that is taken there; (): none is."""


class Exchange(NamedTuple):
    """An exchange that goes on, to be played to its end.

    Attributes:
        actor, deed, target: who does what to whom.
        session: the exchange.
        picks: what was said with the deed, and is taken once it is asked; (): nothing.
    """

    actor: FighterId
    deed: Deed
    target: FighterId
    session: Session
    picks: Picks = ()


class Interrupt(NamedTuple):
    """Who acts before an exchange that is about to begin: one of these, or nobody."""

    among: tuple[FighterId, ...]
    exchange: Exchange


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


Need: TypeAlias = Roll | Order | Call | Act | Interrupt | Exchange | Over


class Event(NamedTuple):
    """Something that happened in a fight.

    Attributes:
        kind: what it was; "hand" is a game master's, "situation" what was said of it, "habit" one
            that somebody took up or gave up.
        round: the number of the round.
        fighter: whom it happened to, or who did it. Of an interruption: who interrupts the deed
            of the `target`.
        deed, target: what was done to whom, in an exchange.
        session: that exchange, at its end.
        order: the order of turns of a round that begins.
        faces: the dice of initiative.
        before, after: everybody's condition, in full.
        boards: what all stand on, before and after it; (): nothing.
        why: a reason, in words.
    """

    kind: Literal[
        "initiative",
        "round",
        "turn",
        "situation",
        "habit",
        "exchange",
        "pass",
        "wait",
        "interrupt",
        "close",
        "hand",
        "over",
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
    boards: tuple[Hashable, ...] = ()
    why: str = ""


class Ground(NamedTuple):
    """One thing in the situation between two, set by a game master or said at the table.

    Attributes:
        actor: who acts; None: anybody. target: upon whom; None: anybody.
        key, value: of the system's setup.
        said: what was said when it was asked; "": it was set.
    """

    actor: FighterId | None
    target: FighterId | None
    key: str
    value: object
    said: str = ""

    def holds(self, actor: FighterId, target: FighterId) -> bool:
        """Whether it holds where one acts upon another."""
        return self.actor in {None, actor} and self.target in {None, target}


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
        grounds: what holds between some of them instead of their side's situation, the last set
            counts.
        unsaid: what is asked of the situation where each side acts, when it first matters: number
            of the side and key.
        gone: those whom a game master has taken out.
        rolls: what each has rolled for initiative, read.
        rolled_off: pairs who were equal in initiative, each with the one who goes first in front;
            they keep that order.
        order: the order of turns in this round.
        attacked: how often each was acted upon in this round.
        coming: how turns begin from the next round on, where a game master has changed it.
        whole: how the exchange that is the whole fight is seen; None: there are many.
        settled: how many have settled what was left when the fight was over.
        due: those for whom something may be urgent still; urged: whether it is settled now.
        board: what all fighters stand on (see `core.board`); None: nothing.
        events: what happened since the position before.
        declared: deeds that were interrupted and are still to be done: the actor, the deed, the
            target.
        kept: everybody's condition with everything that people keep of it (see `Fight.kept`);
            (): that is all there is.
    """

    contest: Contest
    course: Course
    names: tuple[tuple[str, ...], ...]
    moment: Moment
    conditions: Conditions
    need: Need = Over()
    grounds: tuple[Ground, ...] = ()
    unsaid: frozenset[tuple[int, str]] = frozenset()
    gone: frozenset[FighterId] = frozenset()
    rolls: Mapping[FighterId, int] = {}
    rolled_off: frozenset[tuple[FighterId, FighterId]] = frozenset()
    order: tuple[FighterId, ...] = ()
    attacked: Mapping[FighterId, int] = {}
    coming: First | None = None
    whole: AnyWhole | None = None
    settled: int = 0
    due: tuple[FighterId, ...] = ()
    urged: bool = False
    board: Hashable = None
    events: tuple[Event, ...] = ()
    declared: tuple[tuple[FighterId, Deed, FighterId], ...] = ()
    kept: Conditions = ()

    @property
    def in_full(self) -> Conditions:
        """Everybody's condition, with everything that people keep of it."""
        return self.kept or self.conditions

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

    def situation(self, actor: FighterId, target: FighterId) -> Any:
        """The situation in which one acts upon another; None: that of the actor's side."""
        found = {one.key: one.value for one in self.grounds if one.holds(actor, target)}
        return replace(self.contest.sides[actor.side].situation, **found) if found else None

    def mates(self, who: FighterId) -> list[FighterId]:
        """The others of a fighter's side who are still there, standing or not."""
        side = (FighterId(who.side, place) for place in range(len(self.conditions[who.side])))
        return [one for one in side if one != who and one not in self.gone]

    def caught(self, target: FighterId, session: Session) -> dict[str, FighterId]:
        """The mates of a target who share its role in an exchange, by what its log calls them."""
        facts = session.here.facts if session.outcome is None else session.outcome
        places = self.contest.fight.caught(facts)
        role, mates = self.contest.system.actors[1], self.mates(target) if places else []
        return {Actor(role, n): mates[place] for n, place in enumerate(places, start=2)}

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


def shared(here: Position, conditions: Conditions, who: FighterId) -> Conditions:
    """The conditions with one of them replaced; mates who have something in common have it, too.

    Args:
        here: where that was not so yet.
        conditions: with the new one.
        who: whose it is.
    """
    fight, sheet = here.contest.fight, here.sheet(who)
    common = fight.common(sheet, conditions[who.side][who.place])
    if common is None or common == fight.common(sheet, here.conditions[who.side][who.place]):
        return conditions
    for mate in here.mates(who):
        theirs = conditions[mate.side][mate.place]
        conditions = change(conditions, mate, fight.with_common(here.sheet(mate), theirs, common))
    return conditions


def spelled(places: Sequence[FighterId] | Iterator[FighterId]) -> str:
    """Fighters by number of side and place, both from 1: "1.1 2.3"."""
    return " ".join(f"{place.side + 1}.{place.place + 1}" for place in places)
