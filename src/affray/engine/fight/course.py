"""The course of a fight: rounds, turns, who leads, what follows an exchange, and who has won.

How to think about it
=====================

A fight is a small state machine. It knows nothing of dice, sheets or rules of a game; it knows
fighters by number, and it knows which of them are out. `Moment` is its state, a frozen record:
the phase, the number of the round, who acts, how many exchanges of the turn are done, and who
still waits for a turn. Three things happen over and over:

1. The interpreter looks at `moment.phase` and does what it says.
2. It tells the course in a `Report` which fighters are out now.
3. `Course.following(moment, report)` gives the next moment.

The phases, and what to do in each:

    START    nothing: the fighters are there, and it may be over before it begins
    ROUND    put the fighters in order: `Course.ties`, with dice or a coin where it says so
    TURN     apply `Fight.begin_turn` to the one who acts, if `Moment.is_ordinary`
    ACTION   do the first deed that can be done: `first_deed`, over `Course.attempts`; which deeds
             there are depends on the `Moment.kind` of the turn
    CLOSE    apply `Fight.end_round` to everybody
    OVER     nothing: `moment.verdict` says how it ended

What follows a phase is the first of these that can be entered (`AFTER` has them as data):

    START  -> OVER, ROUND
    ROUND  -> TURN, CLOSE
    TURN   -> OVER, ACTION, TURN, CLOSE
    ACTION -> OVER, ACTION, TURN, CLOSE
    CLOSE  -> OVER, ROUND

    START --> ROUND --> TURN --> ACTION --> CLOSE --+     OVER can follow every phase
                ^        ^ |      ^ |  |            |     but ROUND, which changes
                |        | +--+   +-+  |            |     nobody.
                |        +----+--------+            |
                +-----------------------------------+

A phase is entered on these conditions:

    OVER     the table `VERDICTS` has a verdict, or the last round that is allowed is closed
    ACTION   the one who acts stands, was able to act so far, and has an exchange left; or
             somebody who holds back a turn that has begun is called
    TURN     somebody who waits for a turn stands; those who don't lose theirs. A turn that
             was interrupted goes on first, as ACTION. When nobody
             waits any more, everybody has an extra turn in the same order, `Course.extras` times.
             Whatever befalls fighters between turns (`Interlude`) waits among them: it is a
             turn of one exchange for each whom it befalls
    CLOSE    always: it is the last in its rows, and so is ROUND

Where people are asked, two things more may be decided, and the report says them. `Course.callable`
names those who may act next, if there is more than one: where sides alternate any of the side who
stands and had no turn yet, and everybody who holds back a turn. `Report.called` is the one of them
who does; without it the first is. `Report.holds` says that the one whose turn has begun holds it
back until called; a turn that nobody calls is lost with the round. Those who compile never choose
and never hold back.

So whether a fight is over is asked at its start, when a turn has begun, after every exchange and
after the end of a round: nowhere else, and by nobody else. Of an interlude that befalls everybody
it is asked when all have had it.

Who runs it, and who compiles from it
=====================================

Two interpreters run the machine itself, moment by moment: `played` with real dice and people, and
`duels.states` with every branch. The others work on many fights at once, as arrays, and have no
moment to look at. They compile their arrays from the same data:

    duels.sweep      its places in a round from `Course.slots`, for each order of turns
    duels.rounds     takes only fights whose `round_of` has one exchange each
    duels.duel       what pairs of conditions are worth from `VERDICTS`
    sampled.lanes    a turn from `Course.turn`
    sampled.turns    the order of turns from `Course.order`
    sampled (both kinds of lanes)   who has lost from `Course.lost_at` and `SAYS_END`
    sampled.sums     who has won from `VERDICTS`

None of them decides anything of this by itself. `tests/engine/fight/test_course.py` follows small
fights through all of them and compares phase by phase.

What it leaves to others
========================

Everything that needs a person, dice or a rule text enters through the report: the order of a
round, how many exchanges a turn has for this fighter in this condition, whether a deed could be
done. A `Moment` holds data only, so it can be stored, compared and continued elsewhere; an
interpreter that asks a person at each phase needs no other machine. Conditions, with everything
in them that lasts for a while or changes, belong to the system's `Fight`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from itertools import chain, groupby, pairwise, permutations, product
from typing import Literal, TypeAlias, TypeVar

from affray.core.fight import Deed
from affray.core.lazy import NamedTuple

__all__ = [
    "AFTER", "COIN", "DECIDED", "EXTRA", "ORDINARY", "SAYS", "SAYS_END", "VERDICTS", "VERDICT_OF",
    "Befallen", "Befalling", "Course", "FighterId", "First", "Lead", "Moment", "Phase", "Report",
    "Slot", "Standing", "Ties", "Verdict", "first_deed", "friend_of",
    "next_standing", "orders", "says_end",
]  # fmt: skip

T = TypeVar("T")
Targets = TypeVar("Targets")

# -- words ---------------------------------------------------------------------------------------

First: TypeAlias = Literal[
    "initiative", "one", "other", "coin", "alternate", "alternate_other", "seats"
]
"""The start of the order of turns: by initiative, with side `one`, with the `other`, or by a coin.
With `alternate` sides take turns, `Course.at_a_time` fighters each, and the next is always one who
stands. With `seats` the first of one side is followed by the first of the other, then come the
second ones; a fighter who is out leaves a gap."""

SECOND: frozenset[First] = frozenset({"other", "alternate_other"})
ALTERNATING: frozenset[First] = frozenset({"alternate", "alternate_other"})
COIN: tuple[First, First] = ("one", "other")
"""The order once a coin has named a side. It is tossed once for the whole fight."""

Verdict: TypeAlias = Literal["one", "other", "drawn", "ended", "stalled"]
"""A verdict: the side that has won, both out, ended by a rule, or too long."""


DECIDED: tuple[Verdict, ...] = ("one", "other", "drawn", "ended")
"""Verdicts of fights that may go on as long as they take."""


class FighterId(NamedTuple):
    """A fighter: the number of the side, and the place on it. Both count from 0."""

    side: int
    place: int


class Befalling(NamedTuple):
    """An interlude as the course knows it.

    Attributes:
        number: its place among all of the fight. at: as in `Interlude`.
        by: the fighter who brings it. on_all: whether it befalls everybody, not only the foes.
    """

    number: int
    at: int
    by: FighterId
    on_all: bool = False

    def befalls(self, side: int) -> bool:
        """Whether it befalls fighters of a side."""
        return self.on_all or side != self.by.side


class Befallen(NamedTuple):
    """A place in the order of turns in which an interlude befalls a fighter."""

    fighter: FighterId
    number: int


Block: TypeAlias = tuple[FighterId, ...]
"""Fighters whose turns follow each other, whatever chance says."""
Ties: TypeAlias = tuple[tuple[Block, ...], ...]
"""An order of turns as far as it is fixed: tie after tie, the blocks of each in any order."""


class Phase(StrEnum):
    """The phase that comes now."""

    START = "start"
    ROUND = "round"
    TURN = "turn"
    ACTION = "action"
    CLOSE = "close"
    OVER = "over"


class Moment(NamedTuple):
    """The state of a fight, apart from the conditions of its fighters.

    Attributes:
        phase: what is to be done.
        round: the number of the round; the first is 1.
        actor: whose turn it is, in a turn.
        done: exchanges of this turn that are over.
        waiting: the turns of this round still to come, with the interludes among them. Where
            sides alternate, each turn stands for the next of its side who stands.
        reached: where sides alternate, for each side the first place that had no turn yet.
        leads: the side that the coin has named.
        verdict: how the fight ended, once it is over.
        had: where sides alternate, those who had a turn in this round, in order.
        held: those who hold back a turn that has begun.
        extra: which of the extra turns at the end of the round come now; 0: ordinary turns.
        again: the order of turns, kept for those extra turns.
        late: whether a turn that was held back goes on.
        interlude: the number of the one that befalls the actor now; -1: it is a turn.
        broken: the moment of the turn that was interrupted and goes on after this one.
    """

    phase: Phase
    round: int = 0
    actor: FighterId | None = None
    done: int = 0
    waiting: tuple[FighterId | Befallen, ...] = ()
    reached: tuple[int, int] = (0, 0)
    leads: int | None = None
    verdict: Verdict | None = None
    had: tuple[FighterId, ...] = ()
    held: tuple[FighterId, ...] = ()
    extra: int = 0
    again: tuple[FighterId, ...] = ()
    late: bool = False
    interlude: int = -1
    broken: Moment | None = None

    @property
    def depth(self) -> int:
        """How many turns are interrupted now."""
        return 0 if self.broken is None else 1 + self.broken.depth

    @property
    def kind(self) -> int:
        """The kind of the turn: `ORDINARY`, `EXTRA`, then one for each interlude."""
        return ORDINARY if self.late else _kind(self.extra, self.interlude)

    @property
    def is_ordinary(self) -> bool:
        """Whether it is a fighter's own turn, and no extra one."""
        return self.kind == ORDINARY


ORDINARY, EXTRA = 0, 1
"""Kinds of turns; those after them are interludes by number."""


def _kind(extra: int, interlude: int) -> int:
    """The kind of a turn: an interlude has its own, extra turns share one."""
    return EXTRA + 1 + interlude if interlude >= 0 else EXTRA if extra else ORDINARY


class Standing(NamedTuple):
    """The fighters who are out, and each one's say about the end; by side and place.

    Attributes:
        out: whether each is out.
        says: what `Fight.ends` says of each.
    """

    out: tuple[Sequence[bool], Sequence[bool]]
    says: tuple[Sequence[bool | None], Sequence[bool | None]]


class Report(NamedTuple):
    """The result of a phase.

    Attributes:
        standing: how everybody stands now.
        order: after ROUND: everybody in the order of their turns.
        allowed: exchanges that the actor has in this turn.
        acted: after ACTION: whether any deed could be done.
        holds: after ACTION: whether the actor holds the turn back instead.
        called: who acts next, one of `Course.callable`; None: the first of them.
        before: after ROUND: for each of the order how many interludes come before that turn; ():
            all of them come before all turns.
    """

    standing: Standing
    order: tuple[FighterId, ...] = ()
    allowed: int = 1
    acted: bool = True
    holds: bool = False
    called: FighterId | None = None
    before: tuple[int, ...] = ()


class Slot(NamedTuple):
    """One exchange of a round in which nobody falls.

    Attributes:
        actor: who acts.
        number: which exchange of the turn it is; the first is 0.
        ends_round: whether the round ends after it.
        extra: which of the extra turns at the end of the round it is; 0: none of them.
        interlude: the number of the one that befalls the actor; -1: none.
    """

    actor: FighterId
    number: int
    ends_round: bool
    extra: int = 0
    interlude: int = -1

    @property
    def begins(self) -> bool:
        """Whether an ordinary turn begins with it."""
        return self.number == 0 and self.kind == ORDINARY

    @property
    def kind(self) -> int:
        """The kind of its turn, as in `Moment`."""
        return _kind(self.extra, self.interlude)

    @property
    def attacks(self) -> int:
        """The place of its exchanges among those of a duel: by kind of turn, then by side."""
        return self.actor.side + 2 * self.kind


class Lead(NamedTuple):
    """One way in which a fight of two can begin.

    Attributes:
        chance: how likely it is.
        side: the number of the side that goes first in every round; None: by initiative.
        ahead: by how much the dice of the first side's initiative are ahead of the other's.
        before: for each side how many interludes come before its turn; (): all of them come
            before both.
        ties: the side that goes first whenever both are equal in initiative.
    """

    chance: Fraction
    side: int | None
    ahead: int = 0
    before: tuple[int, ...] = ()
    ties: int = 0

    def first(self, one: tuple[int, int], other: tuple[int, int]) -> int:
        """The side that goes first by initiative, of two with these numbers and tie breakers."""
        mine, theirs = (one[0] + self.ahead, one[1]), other
        return self.ties if mine == theirs else int(mine < theirs)


# -- tables ----------------------------------------------------------------------------------------

AFTER: Mapping[Phase, tuple[Phase, ...]] = {
    Phase.START: (Phase.OVER, Phase.ROUND),
    Phase.ROUND: (Phase.TURN, Phase.CLOSE),
    Phase.TURN: (Phase.OVER, Phase.ACTION, Phase.TURN, Phase.CLOSE),
    Phase.ACTION: (Phase.OVER, Phase.ACTION, Phase.TURN, Phase.CLOSE),
    Phase.CLOSE: (Phase.OVER, Phase.ROUND),
}
"""The phases that may follow a phase: the first one that can be entered does."""

VERDICTS: Mapping[tuple[bool, bool, bool], Verdict | None] = {
    (False, False, False): None,
    (False, False, True): "ended",
    (False, True, False): "one",
    (False, True, True): "one",
    (True, False, False): "other",
    (True, False, True): "other",
    (True, True, False): "drawn",
    (True, True, True): "drawn",
}
"""The verdict by three facts: side one has lost, side two has lost, a rule ends the fight. There is
one as soon as any of the three holds."""
VERDICT_OF: tuple[Verdict | None, ...] = tuple(
    VERDICTS[code >= 4, code % 4 >= 2, code % 2 == 1] for code in range(8)
)
"""The same by number: 4 if side one has lost, plus 2 if side two has, plus 1 if a rule ends it."""

SAYS: Mapping[bool | None, int] = {None: 0, True: 1, False: 2}
"""The answers of `Fight.ends` as bits; those of a side are put together by `or`."""
SAYS_END: tuple[bool, ...] = (False, True, False, False)
"""Whether a side with these bits ends the fight: somebody says so, and nobody denies it."""


# -- the machine -----------------------------------------------------------------------------------


class Course(NamedTuple):
    """The fixed terms of a fight, on which its course depends besides its fighters' conditions.

    Attributes:
        first: who goes first.
        sizes: how many fighters each side has.
        lost_at: how many of each side are out when it has lost.
        at_a_time: how many of a side act before the other side does, where sides alternate.
        actions: exchanges in one turn, at most.
        extras: how often everybody may act once more at the end of a round, at most.
        rounds: after how many rounds the fight has stalled; None: never.
        interludes: what befalls fighters between turns, the highest number first.
    """

    first: First
    sizes: tuple[int, int]
    lost_at: tuple[int, int]
    at_a_time: int = 1
    actions: int = 1
    rounds: int | None = None
    extras: int = 0
    interludes: tuple[Befalling, ...] = ()

    def of_two(self) -> Course:
        """The same course with one fighter on each side, and what these two bring."""
        kept = tuple(one for one in self.interludes if one.by.place == 0)
        return self._replace(sizes=(1, 1), lost_at=(1, 1), interludes=kept)

    @property
    def exchanges(self) -> int:
        """Exchanges of a fighter in one round, at most."""
        return self.actions + self.extras + len(self.interludes)

    @property
    def kinds(self) -> range:
        """The kinds of turns that a round has; see `Moment.kind`."""
        if self.interludes:
            return range(EXTRA + 2 + max(one.number for one in self.interludes))
        return range(ORDINARY, EXTRA + (self.extras > 0))

    def kind_of(self, action: int) -> int:
        """The kind of turn that an exchange of a round belongs to: `actions`, `extras`, others."""
        if action < self.actions:
            return ORDINARY
        return max(EXTRA, EXTRA + 1 + action - self.actions - self.extras)

    @property
    def alternates(self) -> bool:
        """Whether sides take turns within a round."""
        return self.first in ALTERNATING

    @property
    def leads_off(self) -> int:
        """The side that goes first where neither dice nor a coin say so."""
        return int(self.first in SECOND)

    @property
    def gives_up(self) -> tuple[bool, bool]:
        """Whether each side may have lost with some of its fighters standing."""
        one, other = (at < size for at, size in zip(self.lost_at, self.sizes, strict=True))
        return one, other

    @property
    def everybody(self) -> tuple[FighterId, ...]:
        """All fighters, the first side first."""
        return tuple(chain.from_iterable(self._sides()))

    def _sides(self) -> tuple[Block, Block]:
        one, other = (
            tuple(FighterId(side, place) for place in range(size))
            for side, size in enumerate(self.sizes)
        )
        return one, other

    # -- from moment to moment ---------------------------------------------------------------------

    def begin(self, leads: int | None = None) -> Moment:
        """The first moment; `leads` is the side that a coin has named already."""
        return Moment(Phase.START, leads=leads)

    def following(self, moment: Moment, report: Report) -> Moment:
        """The moment after this one.

        Raises:
            ValueError: the fight is over already.
        """
        if moment.phase is Phase.ROUND:
            moment = self._ordered(moment, report)
        if report.holds and moment.actor is not None:
            moment = moment._replace(held=(*moment.held, moment.actor))
        for phase in AFTER.get(moment.phase, ()):
            entered = _ENTERED[phase](self, moment, report)
            if entered is not None:
                return entered
        raise ValueError(f"nothing follows {moment.phase.value!r}")

    def callable(self, moment: Moment, report: Report, after: Moment) -> tuple[FighterId, ...]:
        """Everybody who may act next, if a turn is over and the fight is not; else ().

        First the one who has the next turn by default, if there is any, and others of that side
        where sides alternate; then those who hold back a turn.

        Args:
            moment: where the fight stands.
            report: what came of it, with nobody called.
            after: the moment that follows by default.
        """
        if after.phase not in {Phase.TURN, Phase.CLOSE}:
            return ()
        out = report.standing.out
        held = (who for who in after.held if not out[who.side][who.place])
        if after.phase is Phase.CLOSE or after.actor is None:
            return tuple(held)
        if after.interlude >= 0:
            return (after.actor, *(who for who in held if who != moment.actor))
        mates: list[FighterId] = []
        if self.alternates:
            side = (FighterId(after.actor.side, n) for n in range(self.sizes[after.actor.side]))
            mates = [who for who in side if who not in after.had
                     and not out[who.side][who.place]]  # fmt: skip
        return (after.actor, *mates, *(who for who in held if who != moment.actor))

    def may_interrupt(self, moment: Moment, standing: Standing) -> tuple[FighterId, ...]:
        """Everybody who may act before a deed of the one who acts now is done."""
        if moment.phase is not Phase.ACTION or moment.interlude >= 0:
            return ()
        return tuple(who for who in moment.held if not standing.out[who.side][who.place])

    def interrupted(self, moment: Moment, who: FighterId) -> Moment:
        """The moment at which somebody who holds back a turn acts, in the middle of another's."""
        rest = tuple(one for one in moment.held if one != who)
        return moment._replace(actor=who, done=0, held=rest, late=True, broken=moment)

    def verdict(self, standing: Standing) -> Verdict | None:
        """The verdict on fighters who stand like this; None: the fight goes on."""
        one, other = (sum(out) >= at for out, at in zip(standing.out, self.lost_at, strict=True))
        return VERDICTS[one, other, any(map(says_end, standing.says))]

    def _ordered(self, moment: Moment, report: Report) -> Moment:
        order = report.order
        leads = order[0].side if self.first == "coin" else moment.leads
        waiting: tuple[FighterId | Befallen, ...] = order
        if self.interludes:
            waiting = tuple(self._with_interludes(order, report.before))
        return Moment(
            moment.phase, moment.round, waiting=waiting, leads=leads,
            again=order if self.extras else (),
        )  # fmt: skip

    def _with_interludes(
        self, order: tuple[FighterId, ...], before: tuple[int, ...]
    ) -> Iterator[FighterId | Befallen]:
        """An order of turns with what befalls fighters between them."""
        befallen = [
            [Befallen(who, one.number) for who in self.everybody if one.befalls(who.side)]
            for one in self.interludes
        ]
        done = 0
        for place, who in enumerate(order):
            upto = max(done, before[place] if before else len(befallen))
            yield from chain.from_iterable(befallen[done:upto])
            yield who
            done = upto
        yield from chain.from_iterable(befallen[done:])

    def before(self, order: Iterable[FighterId], rolls: Mapping[FighterId, int]) -> tuple[int, ...]:
        """For each fighter how many interludes come before the turn; see `Report.before`.

        Args:
            order: whose turns they are.
            rolls: what each has rolled for initiative; 0 where nobody rolls.
        """
        if not self.interludes or self.first != "initiative":
            return ()
        return tuple(sum(one.at > rolls.get(who, 0) for one in self.interludes) for who in order)

    def _over(self, moment: Moment, report: Report) -> Moment | None:
        if self._goes_on(moment, report.standing.out):
            return None
        verdict = self.verdict(report.standing)
        if verdict is None and moment.round == self.rounds and Phase.ROUND in AFTER[moment.phase]:
            verdict = "stalled"
        if verdict is None:
            return None
        return Moment(Phase.OVER, moment.round, leads=moment.leads, verdict=verdict)

    def _goes_on(self, moment: Moment, out: tuple[Sequence[bool], Sequence[bool]]) -> bool:
        """Whether an interlude that befalls everybody has somebody who stands still to befall."""
        if not any(one.on_all and one.number == moment.interlude for one in self.interludes):
            return False
        if moment.phase is Phase.TURN:
            return True
        waiting = (
            turn.fighter for turn in moment.waiting
            if isinstance(turn, Befallen) and turn.number == moment.interlude
        )  # fmt: skip
        return any(not out[who.side][who.place] for who in waiting)

    def _round(self, moment: Moment, report: Report) -> Moment:  # noqa: ARG002  # always entered
        return Moment(Phase.ROUND, moment.round + 1, leads=moment.leads)

    def _turn(self, moment: Moment, report: Report) -> Moment | None:
        if moment.broken is not None:
            return self._resumed(moment, moment.broken, report)
        found = self._next_turn(moment, report)
        while found is None and moment.extra < self.extras:
            moment = moment._replace(
                extra=moment.extra + 1, waiting=moment.again, reached=(0, 0), had=()
            )
            found = self._next_turn(moment, report)
        return found

    def _resumed(self, moment: Moment, broken: Moment, report: Report) -> Moment | None:
        """The turn that was interrupted; if its fighter is out now, the one after it."""
        out, back = report.standing.out, broken._replace(held=moment.held)
        if back.actor is None or out[back.actor.side][back.actor.place]:
            return self._turn(back, report)
        return back

    def _next_turn(self, moment: Moment, report: Report) -> Moment | None:
        out = report.standing.out
        waiting, reached, had = moment.waiting, moment.reached, moment.had
        while waiting:
            turn, waiting = waiting[0], waiting[1:]
            if isinstance(turn, Befallen):
                actor = turn.fighter
                if out[actor.side][actor.place]:
                    continue
                return moment._replace(
                    phase=Phase.TURN, actor=actor, done=0, waiting=waiting, reached=reached,
                    late=False, interlude=turn.number,
                )  # fmt: skip
            actor = turn
            if self.alternates:
                place = self._next_of(actor.side, moment._replace(reached=reached), out)
                if report.called is not None and report.called.side == actor.side:
                    called = report.called.place
                else:
                    called = place
                if called == place:
                    after = min(place + 1, self.sizes[actor.side])
                    reached = (after, reached[1]) if actor.side == 0 else (reached[0], after)
                actor = FighterId(actor.side, called)
            if actor.place < self.sizes[actor.side] and not out[actor.side][actor.place]:
                had = (*had, actor) if self.alternates else ()
                return moment._replace(
                    phase=Phase.TURN, actor=actor, done=0, waiting=waiting, reached=reached,
                    had=had, late=False, interlude=-1,
                )  # fmt: skip
        return None

    def _next_of(
        self, side: int, moment: Moment, out: tuple[Sequence[bool], Sequence[bool]]
    ) -> int:
        """Where sides alternate, the place of the next of a side who stands and had no turn."""
        place = next_standing(out[side], moment.reached[side])
        while FighterId(side, place) in moment.had:
            place = next_standing(out[side], place + 1)
        return place

    def _action(self, moment: Moment, report: Report) -> Moment | None:
        actor = moment.actor
        if report.called in moment.held:
            rest = tuple(who for who in moment.held if who != report.called)
            return moment._replace(
                phase=Phase.ACTION, actor=report.called, done=0, held=rest, late=True,
                interlude=-1,
            )  # fmt: skip
        done = moment.done + (moment.phase is Phase.ACTION)
        if actor is None or report.standing.out[actor.side][actor.place]:
            return None
        allowed = report.allowed if moment.is_ordinary else 1
        if done >= allowed or not report.acted:
            return None
        return moment._replace(phase=Phase.ACTION, done=done)

    def _close(self, moment: Moment, report: Report) -> Moment:  # noqa: ARG002  # always entered
        return Moment(Phase.CLOSE, moment.round, leads=moment.leads, held=moment.held)

    # -- the order of turns ------------------------------------------------------------------------

    def ties(
        self, moment: Moment, quickness: Mapping[FighterId, tuple[int, int]] | None = None
    ) -> Ties:
        """The order of turns in a round that begins, as far as it is fixed.

        Args:
            moment: the beginning of the round.
            quickness: everybody's initiative and tie breaker; only initiative needs it.
        """
        if self.first == "coin" and moment.leads is None:
            return (self._sides(),)
        if self.first == "initiative":
            quick = quickness or {}
            quickest = sorted(self.everybody, key=quick.__getitem__, reverse=True)
            return tuple(
                tuple((who,) for who in tied)
                for _, tied in groupby(quickest, quick.__getitem__)
            )  # fmt: skip
        if self.alternates or self.first == "seats":
            return tuple(((who,),) for who in self.order())
        sides = self._sides()
        lead = self.leads_off if moment.leads is None else moment.leads
        return ((sides[lead],), (sides[1 - lead],))

    def order(self) -> tuple[FighterId, ...]:
        """Everybody in the order of their turns; neither a coin nor initiative fix it."""
        sides = (self.leads_off, 1 - self.leads_off)
        most = max(self.sizes)
        block = self.at_a_time if self.alternates else 1 if self.first == "seats" else most
        return tuple(
            FighterId(side, place)
            for start in range(0, most, block)
            for side in sides
            for place in range(start, min(start + block, self.sizes[side]))
        )

    def leads(self, rolls: tuple[Mapping[int, int], Mapping[int, int]]) -> Iterator[Lead]:
        """Every way in which a fight of two can begin; their chances add up to one.

        Args:
            rolls: each side's one roll for initiative: numbers with weights.
        """
        if self.first == "coin":
            yield Lead(Fraction(1, 2), 0)
            yield Lead(Fraction(1, 2), 1)
            return
        if self.first != "initiative":
            yield Lead(Fraction(1), self.leads_off)
            return
        ways: dict[tuple[int, tuple[int, ...]], int] = {}
        both = FighterId(0, 0), FighterId(1, 0)
        for (mine, one), (theirs, other) in product(rolls[0].items(), rolls[1].items()):
            rolled = dict(zip(both, (mine, theirs), strict=True)) if self.interludes else {}
            key = mine - theirs, self.before(both, rolled)
            ways[key] = ways.get(key, 0) + one * other
        total = sum(ways.values())
        for (ahead, before), number in ways.items():
            for ties in (0, 1):
                yield Lead(Fraction(number, 2 * total), None, ahead, before, ties)

    # -- deeds -------------------------------------------------------------------------------------

    def attempts(
        self,
        actor: FighterId,
        deeds: Iterable[Deed],
        out: tuple[Sequence[bool], Sequence[bool]],
        needs: Sequence[int] = (),
    ) -> Iterator[tuple[Deed, tuple[FighterId, ...]]]:
        """Deeds that have a target, the most urgent first, each with all its targets.

        These are the foes who stand, a friend (`friend_of`), or the actor.

        Args:
            actor: who acts.
            deeds: those of this fighter.
            out: as in `Standing`.
            needs: `Fight.needs` of the actor's side, where a deed is done to a friend.
        """
        for deed in deeds:
            targets: tuple[FighterId, ...] = (actor,)
            if deed.on == "foe":
                foes = 1 - actor.side
                standing = (place for place, is_out in enumerate(out[foes]) if not is_out)
                targets = tuple(FighterId(foes, place) for place in standing)
            elif deed.on != "self":
                friend = friend_of(out[actor.side], needs, actor.place)
                if friend is None or (deed.on == "fallen friend" and not out[actor.side][friend]):
                    continue
                targets = (FighterId(actor.side, friend),)
            if targets:
                yield deed, targets

    # -- for those who compile ---------------------------------------------------------------------

    def round_of(
        self, order: tuple[FighterId, ...], before: tuple[int, ...] = ()
    ) -> tuple[Moment, ...]:
        """The moments of a round in which nobody falls and everybody can act, CLOSE the last.

        Args:
            order: everybody in the order of their turns.
            before: how many interludes come before each turn, as in `Report`.
        """
        out = tuple((False,) * size for size in self.sizes)
        says = tuple((None,) * size for size in self.sizes)
        standing = Standing((out[0], out[1]), (says[0], says[1]))
        report = Report(standing, order, self.actions, before=before)
        found = [self.following(Moment(Phase.ROUND), report)]
        while found[-1].phase is not Phase.CLOSE:
            found.append(self.following(found[-1], report))
        return tuple(found)

    def slots(self, order: tuple[FighterId, ...], before: tuple[int, ...] = ()) -> tuple[Slot, ...]:
        """The exchanges of such a round."""
        return tuple(
            Slot(m.actor, m.done, after.phase is Phase.CLOSE, m.extra, m.interlude)
            for m, after in pairwise(self.round_of(order, before))
            if m.phase is Phase.ACTION and m.actor is not None
        )

    @property
    def acts_once(self) -> bool:
        """Whether everybody has one exchange in a round."""
        return sorted(slot.actor for slot in self.slots(self.everybody)) == list(self.everybody)

    def turn(self) -> tuple[Moment, ...]:
        """The moments of one ordinary turn in a fight of two, TURN the first."""
        two = self.of_two()._replace(first="one")
        actor, _ = order = two.order()
        moments = two.round_of(order)
        return tuple(one for one in moments if one.actor == actor and one.is_ordinary)


_ENTERED: Mapping[Phase, Callable[[Course, Moment, Report], Moment | None]] = {
    Phase.OVER: Course._over,
    Phase.ROUND: Course._round,
    Phase.TURN: Course._turn,
    Phase.ACTION: Course._action,
    Phase.CLOSE: Course._close,
}
"""The moment with which a phase is entered; None where it can't be."""


def says_end(says: Iterable[bool | None]) -> bool:
    """Whether a side whose fighters say this ends the fight."""
    bits = 0
    for said in says:
        bits |= SAYS[said]
    return SAYS_END[bits]


def next_standing(out: Sequence[bool], start: int) -> int:
    """The first place of a side, from one on, whose fighter stands; its size if nobody does."""
    return next((place for place in range(start, len(out)) if not out[place]), len(out))


def friend_of(out: Sequence[bool], needs: Sequence[int], besides: int) -> int | None:
    """The place of the friend who is helped: one who is out, else one in need; the neediest first.

    Args:
        out: who of the side is out.
        needs: how much each needs help; empty: nobody does.
        besides: the place of the one who helps.
    """

    def first(places: Iterable[int]) -> int | None:
        return max(places, key=lambda place: (needs[place] if needs else 0, -place), default=None)

    mates = [place for place in range(len(out)) if place != besides]
    fallen = first(place for place in mates if out[place])
    if fallen is not None or not needs:
        return fallen
    return first(place for place in mates if needs[place] > 0)


def orders(ties: Ties) -> tuple[tuple[FighterId, ...], ...]:
    """Every order of turns that ties leave open; all are equally likely."""
    ways = product(*(permutations(blocks) for blocks in ties))
    return tuple(tuple(chain.from_iterable(chain.from_iterable(way))) for way in ways)


def first_deed(
    attempts: Iterable[tuple[Deed, Targets]], attempt: Callable[[Deed, Targets], T | None]
) -> T | None:
    """Find the first deed that the rules allow; None if they refuse all of them.

    Args:
        attempts: deeds, each with its targets (see `Course.attempts`).
        attempt: does a deed; None where the rules refuse it.
    """
    for deed, targets in attempts:
        found = attempt(deed, targets)
        if found is not None:
            return found
    return None
