"""Probability flowing forward through the rules, equal places merged.

Places are expanded in the order of the book; a step back (the next target, the next round)
starts a new lap. So everything that can meet has met before it is expanded, and each place
is expanded once. Weights are integers over one denominator for each step; denominators grow
only where dice are rolled.

A procedure may go on for ever. Where its places repeat, how often each is met is worked out from
the chances between them (`affray.engine.exchange.returning`). Where new places come up without
end, the flow stops once hardly anything goes on; `residual` is what does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import inf
from operator import is_
from typing import Any

from affray.core.errors import LimitError
from affray.core.lazy import NamedTuple
from affray.core.node import At, Chance, Choice, End, Facts, Go, Node, Option, Step, fill
from affray.core.reading import roll_of
from affray.core.showing import percent
from affray.core.unknown import Looked, is_look
from affray.engine.budget import BETWEEN_POLLS, clock_in_force
from affray.engine.exchange.faults import check_asked
from affray.engine.exchange.finals import Finals, LastRoll, Shared, joined, mix, pour
from affray.engine.exchange.game import Game
from affray.engine.exchange.headway import Headway
from affray.engine.exchange.merging import plainer
from affray.engine.exchange.returning import EndlessError, circle, components, visits
from affray.engine.exchange.tails import Met, Tail, Tails, followed
from affray.engine.exchange.waiting import Places, Waiting

__all__ = ["Decide", "Decided", "Flow", "flow"]

Leads = dict[At[Facts], Fraction]
"""Places with their chances."""
Decide = Callable[[At[Facts], Choice[Facts]], Option[Facts]]
"""A policy: takes a place and the choice there, returns one of its options."""

_NONE: frozenset[Any] = frozenset()

MOST_STRAIGHT = 1_000
"""Steps in a row without dice that are followed at once."""

RESIDUAL = 1e-6
"""So little probability may be left open in a procedure that goes on for ever."""
LAPS = 8
"""Laps after which the flow looks whether it may go on for ever."""
GRACE = 1_000
"""With so little left so many places more are expanded, and as many as before: it may yet end."""
MOST_RETURNING, MOST_TOGETHER = 20_000, 300
"""Places that are looked at where some repeat; those that lead to one another."""


class Decided(NamedTuple):
    """A decision that was met: where, between what, how it was decided, how likely it is."""

    at: At[Facts]
    choice: Choice[Facts]
    taken: Option[Facts]
    weight: int
    total: int


FEWEST_PLAIN = 100
"""Below so many places it takes longer to make them plainer than to follow them as they are."""


def flow(
    game: Game,
    decide: Decide,
    *,
    needed: frozenset[str] | None = None,
    minding: frozenset[str] | None = _NONE,
    watch: Callable[[Decided], None] | None = None,
) -> Finals:
    """Let all probability flow from the start to the ends.

    Args:
        game: the exchange.
        decide: who decides at each choice that is not settled.
        needed: outcome fields that are looked at; None for all. Where they no longer change, the
            flow stops, and what only other fields need is dropped.
        minding: further fields, that `decide` looks at, and which are not dropped either; None:
            nobody knows them, so nothing is dropped.
        watch: told of every decision.

    Raises:
        LimitError: the budget in force is spent; carries the probability that had ended.
    """
    found = Flow(game, decide, needed=needed, minding=minding, watch=watch)
    return found.run().all_finals()


class Flow:
    """The probability of one exchange on its way to the ends.

    Args:
        game, decide, needed, minding, watch: as for `flow`.
        seams: where given, hidden facts are expected: places whose step looks at something
            unknown are collected in `hidden` instead of raising, and so are places at one of
            these steps, except the start.
        most: how many places may be expanded; None: as the budget in force says.
        tails: where given, the ends of places at seams that several exchanges lead to; found out
            when a place comes up for the second time, and then kept here.
        headway: where given, how far exchanges like this one come that differ in one number.

    Attributes:
        finals: what has ended.
        last_rolls: rolls after which nothing that is needed changes any more; their readings are
            not spread out.
        shared: ends that tails lead to.
        hidden: places that wait for what is unknown, each with its weight and the total over
            which it counts; nothing flows on from there.
        residual: the probability that was left open in a procedure that goes on for ever.
    """

    def __init__(
        self,
        game: Game,
        decide: Decide,
        *,
        needed: frozenset[str] | None = None,
        minding: frozenset[str] | None = _NONE,
        watch: Callable[[Decided], None] | None = None,
        seams: frozenset[Step[Facts]] | None = None,
        most: int | None = None,
        tails: Tails | None = None,
        headway: Headway | None = None,
    ) -> None:
        self.game = game
        self.finals: Finals = {}
        self.last_rolls: list[LastRoll] = []
        self.shared: list[Shared] = []
        self.hidden: list[tuple[At[Facts], int, int]] = []
        self.read_as: list[tuple[Chance[Facts], Chance[Facts], int, int]] = []
        self._decide = decide
        self._needed = needed
        self._watch = watch
        self._seams = seams
        self._tails = tails
        self._headway = headway
        self._met: Met = {}
        self._minding = minding
        hints = game.system.hints
        self._joints = _NONE if tails is None else hints.seams | hints.rejoins
        self._kept = None if needed is None or minding is None else needed | minding
        self._forget = None if self._kept is None else hints.forget
        self._several = hints.several
        self._plain = {} if self._kept is None else hints.plain
        self._fixes_where = {} if needed is None else hints.fixes_where
        self._over = _NONE if needed is None else game.system.over(needed)
        self._pending: Waiting
        self._trail: list[At[Facts] | Go[Facts]] = [game.start]
        self._first: tuple[At[Facts], Node[Facts] | None] | None = None
        self._begun: Callable[[Facts], Node[Facts]] | None = None
        self._expanded = 0
        self._clock = clock_in_force()
        self._most = self._clock.places() if most is None else min(most, self._clock.places())
        # Every place that waits will be expanded: too many are noticed before they are all made.
        self._foresees = most is not None and needed is None and seams is None and tails is None
        self._until_poll = BETWEEN_POLLS
        self.residual = Fraction(0)
        # The lap before which it is looked at next; ends of places at seams are kept whole.
        self._lap_to_look = LAPS if tails is None or not self._joints else inf
        self._earlier: Places = {}
        self._earlier_until = 0.0
        self._enough: int | None = None

    def run(self) -> Flow:
        """Expand place by place until nothing waits any more.

        Raises:
            LimitError: the budget in force is spent, or some is left open for ever; carries the
                probability that had ended.
        """
        self.run_on()
        if self.residual:
            raise LimitError(
                f"{self.game.system.id}: this can go on for ever; a residual of "
                f"{float(self.residual):.2g} of the probability has not ended",
                limit="endless",
                states=self._expanded,
                p_ended=float(1 - self.residual),
            )
        return self

    def run_on(self) -> Flow:
        """The same for those who look at `residual`, which may be left open."""
        self._follow()
        if self._met:
            self.shared += followed(self._met)
            self._met = {}
        return self

    def _follow(self) -> None:
        pending = self._pending = Waiting(self.game.system.places, self._trail)
        steps = self.game.system.steps
        try:
            start = self.game.start
            if self._watch is None:
                start, node = self._first_roll()
                listed = start.step in pending.places
                if isinstance(node, End) and listed and start.step not in self._fixes_where:
                    self.finals[1] = {node.outcome: 1}  # no dice are rolled at all
                    return
                if node is not None:  # it need not be asked for again
                    self._begun = {start.facts: node}.__getitem__
            pending.layer(start.step, 1)[start.facts] = 1
            while pending.order:
                if pending.order[0][0] >= self._lap_to_look and self._is_closed():
                    break
                total, states = pending.pop()
                self._expand(steps[pending.here], total, states)
        except TypeError:
            pending.check_hashable(self.game.system)
            raise

    # -- procedures that go on for ever ----------------------------------------------------

    def _is_closed(self) -> bool:
        """Whether all that waits is dealt with: solved, or so little that it is left open.

        Asked before each lap. Places of an earlier lap that wait again have come back.
        """
        pending = self._pending
        lap = pending.order[0][0]
        self._lap_to_look = lap + 1
        waiting = pending.all_places()
        if any(not facts.isdisjoint(self._earlier.get(at, ())) for at, facts in waiting.items()):
            if self._solve_returns():
                return True
            self._earlier, self._earlier_until = {}, inf  # too many places; not tried again
        if lap >= self._earlier_until:
            self._earlier, self._earlier_until = waiting, 2 * lap
        if pending.probability() > RESIDUAL:
            self._enough = None
            return False
        if self._enough is None:
            self._enough = 2 * self._expanded + GRACE
        if self._expanded < self._enough:
            return False
        self.residual = sum(pending.begun().values(), start=Fraction(0))
        return True

    def _solve_returns(self) -> bool:
        """Let all that waits come to its ends by way of places that repeat; False: too many.

        Raises:
            RulesError: some of it comes to no end.
        """
        begun = self._pending.begun()
        leads = self._leads(begun)
        if not leads or any(len(those) > MOST_TOGETHER for those in components(leads)):
            return False
        try:
            often = visits(begun, leads)
        except EndlessError as error:
            raise circle(self.game.system, error) from None
        self._lap_from(often)  # what it leads to is known
        return True

    def _leads(self, begun: Mapping[At[Facts], Fraction]) -> dict[At[Facts], Leads]:
        """For every place from which laps can begin, where the next ones do; empty: too many."""
        apart = Flow(
            self.game, self._decide, needed=self._needed, minding=self._minding, seams=self._seams
        )
        apart._expanded = 1  # the start is behind it
        leads: dict[At[Facts], Leads] = {}
        found = list(begun)
        while found:
            at = found.pop()
            if at not in leads:
                leads[at] = apart._lap_from({at: Fraction(1)})
                found += leads[at]
                if len(leads) > MOST_RETURNING:
                    return {}
        return leads

    def _lap_from(self, begun: Mapping[At[Facts], Fraction]) -> Leads:
        """Expand the places at which a lap begins and all that follow in it.

        Returns:
            The places at which the next lap begins.
        """
        pending = self._pending = Waiting(self.game.system.places, self._trail)
        for (step, facts), times in begun.items():
            pending.layer(step, times.denominator)[facts] = times.numerator
        while pending.order and not pending.order[0][0]:
            total, states = pending.pop()
            self._expand(self.game.system.steps[pending.here], total, states)
        return pending.begun()

    def opening(self) -> At[Facts] | Chance[Facts]:
        """The first roll, without what is not needed; where there is none, how far the way goes.

        Exchanges with equal openings come to the same.
        """
        at, node = self._first_roll()
        if not isinstance(node, Chance):
            return at
        check_asked(self.game.system, at.step, node)
        if self._forget is None or self._kept is None:
            return node
        return self._forget(node, self._kept)

    def all_finals(self) -> Finals:
        """Everything that has ended, with the readings of the last rolls spread out."""
        for roll in self.last_rolls:
            spread = list(zip(roll.finals(), roll.rows.values(), strict=True))
            pour(spread, self.finals.setdefault(roll.total, {}))
        for ends, times, total in self.shared:
            ways = [times * way for way in ends.ways]
            pour(list(zip(ends.finals(), ways, strict=True)), self.finals.setdefault(total, {}))
        self.last_rolls.clear()
        self.shared.clear()
        return self.finals

    def _expand(self, step: Step[Facts], total: int, states: dict[Facts, int]) -> None:
        """Apply a step to all places that wait at it."""
        if step in self._over:
            pour(states, self.finals.setdefault(total, {}))
            return
        if self._seams and step in self._seams and self._expanded:
            self.hidden += [(At(step, facts), weight, total) for facts, weight in states.items()]
            return
        if self._tails is not None and self._expanded and step in self._joints:
            states = self._with_tails(self._tails, step, total, states)
        if len(states) >= FEWEST_PLAIN and step in self._plain:
            states = self._plainer(step, states)
        if step in self._fixes_where:
            states = self._going_on(step, total, states)
        self._expanded += len(states)
        if self._expanded > self._most:
            raise self._spent("places", step)
        system, forget = self.game.system, self._forget
        rule = step.rule
        if self._begun is not None:
            rule, self._begun = self._begun, None
        elif len(states) > 1 and step in self._several:
            rule = self._several[step]()
        rolls: dict[tuple[At[Facts], str], dict[int, dict[object, int]]] = {}
        going: dict[Step[Facts], list[tuple[Facts, int]]] = {}
        over: list[tuple[Facts, int]] = []
        asked = system.asked
        left = self._until_poll
        for facts, weight in states.items():
            left -= 1
            if left < 0:
                left = self._poll(step)
            try:
                node = rule(facts)
                if isinstance(node, Go):
                    target, after = node
                    rows = going.get(target)
                    if rows is None:
                        rows = going[target] = []
                    rows.append((after, weight))
                    continue
                if isinstance(node, Chance):
                    actor, _, dice, read, into, then = node
                    if (actor, into, type(then.facts)) not in asked:
                        check_asked(system, step, node)
                    if forget is not None and self._kept is not None:
                        whole, node = node, forget(node, self._kept)
                        if node is not whole:
                            _, _, dice, read, into, then = node
                            if self._watch is not None:
                                self.read_as.append((whole, node, weight, total))
                    roll = roll_of(dice, read)
                elif isinstance(node, Choice):
                    check_asked(system, step, node)
                    target, after = self._decided(At(step, facts), node, weight, total)
                    going.setdefault(target, []).append((after, weight))
                    continue
            except (Looked, Exception) as error:
                if self._seams is None or not is_look(error, facts, step.name):
                    raise
                self.hidden.append((At(step, facts), weight, total))
                continue
            if isinstance(node, Chance):
                left -= len(roll.rows) >> 4
                readings = rolls.setdefault((then, into), {}).setdefault(roll.total, {})
                mix(roll.rows, weight, readings)
            else:
                over.append((node.outcome, weight))
        self._until_poll = left
        for target, rows in going.items():
            pour(rows, self._pending.layer(target, total))
        if over:
            pour(over, self.finals.setdefault(total, {}))
        for (then, into), by_total in rolls.items():
            self._spread(step, LastRoll(then, into, *joined(by_total)), total)

    def _with_tails(
        self, tails: Tails, step: Step[Facts], total: int, states: dict[Facts, int]
    ) -> dict[Facts, int]:
        """The places whose ends nobody knows; the others are met."""
        fresh = tails.fresh(step, states)
        if len(fresh) == len(states):
            return states
        known = tails.places[step]
        unknown: dict[Facts, int] = {}
        for facts, weight in states.items():
            if facts in fresh:
                unknown[facts] = weight
                continue
            tail = known[facts]
            if tail is None:
                tail = known[facts] = self._tail(At(step, facts), tails)
            met = self._met.setdefault(total, {})
            met[tail] = met.get(tail, 0) + weight
        return unknown

    def _tail(self, at: At[Facts], tails: Tails) -> Tail:
        """A place followed by itself."""
        flown = Flow(
            self.game._replace(start=at), self._decide, needed=self._needed,
            minding=self._minding, tails=tails,
        )  # fmt: skip
        flown._follow()
        self._expanded += flown._expanded
        return Tail(flown.finals, flown.last_rolls, flown._met)

    def _plainer(self, step: Step[Facts], states: dict[Facts, int]) -> dict[Facts, int]:
        """The places without what is not needed; more of them are equal."""
        plain, needed = self._plain[step], self._kept or _NONE
        plains = [plainer(plain, facts, needed) for facts in states]
        if all(map(is_, plains, states)):
            return states
        merged: dict[Facts, int] = {}
        pour(list(zip(plains, states.values(), strict=True)), merged)
        return merged

    def _going_on(
        self, step: Step[Facts], total: int, states: dict[Facts, int]
    ) -> dict[Facts, int]:
        """The places where something that is needed can still change; the others have ended."""
        fixed = self._fixes_where[step]
        changes = (self._needed or _NONE) - self.game.system.fixes[step]
        going: list[tuple[Facts, int]] = []
        over: list[tuple[Facts, int]] = []
        for row in states.items():
            try:
                ends = changes.issubset(fixed(row[0]))
            except Looked:
                ends = False
            (over if ends else going).append(row)
        if not over:
            return states
        # All of them at once: a dict passes its hashes on.
        pour(over if going else states, self.finals.setdefault(total, {}))
        return dict(going)

    def _decided(self, at: At[Facts], choice: Choice[Facts], weight: int, total: int) -> Go[Facts]:
        """The places that a decision leads to."""
        option = self._decide(at, choice)
        if self._watch is not None:
            self._watch(Decided(at, choice, option, weight, total))
        return Go(*option.at)

    def _spread(self, step: Step[Facts], roll: LastRoll, total: int) -> None:
        """Spread the readings of a roll over places, unless nothing changes after it."""
        self._until_poll -= len(roll.rows) >> 3
        if self._until_poll < 0:
            self._until_poll = self._poll(step)
        over = total * roll.total
        if roll.then.step in self._over:
            self.last_rolls.append(roll._replace(total=over))
            return
        if self._tails is not None and roll.then.step in self._joints:
            known = self._tails.of_roll(roll.then, roll.into, len(roll.rows))
            if known is not None:
                self._read(roll, over, self._tails, known)
                return
        filled = list(zip(roll.finals(), roll.rows.values(), strict=True))
        waiting = self._pending.layer(roll.then.step, over)
        pour(filled, waiting)
        if self._foresees and self._expanded + len(waiting) > self._most:
            raise self._spent("places", step)

    def _read(self, roll: LastRoll, total: int, tails: Tails, known: dict[object, Tail]) -> None:
        """Meet the tails of a roll, reading by reading."""
        met = self._met.setdefault(total, {})
        for reading, weight in roll.rows.items():
            tail = known.get(reading)
            if tail is None:
                tail = known[reading] = self._tail(fill(roll.then, roll.into, reading), tails)
            met[tail] = met.get(tail, 0) + weight

    def _first_roll(self) -> tuple[At[Facts], Node[Facts] | None]:
        """The place where dice are rolled for the first time, or the way ends.

        With what its step says; None where that is not needed, or looks at what is unknown.
        """
        if self._first is None:
            self._first = self._straight_on()
        return self._first

    def _straight_on(self) -> tuple[At[Facts], Node[Facts] | None]:
        trail, system, seams, over = self._trail, self.game.system, self._seams, self._over
        if self._headway is not None:
            trail.append(self._headway.made(self.game.start, self._step_on))
        step, facts = trail[-1]
        for _ in range(MOST_STRAIGHT):
            if step in over:
                break
            try:
                node = step.rule(facts)
                if isinstance(node, Go):
                    after: At[Facts] | Go[Facts] = node
                elif isinstance(node, Choice):
                    check_asked(system, step, node)
                    after = self._decide(At(step, facts), node).at
                else:
                    return At(step, facts), node
            except (Looked, Exception) as error:
                if is_look(error, facts, step.name):
                    break
                raise
            if seams and after[0] in seams:
                break
            step, facts = after
            trail.append(after)
        return At(step, facts), None

    def _step_on(self, at: At[Facts]) -> tuple[Node[Facts] | None, At[Facts] | None]:
        """What a step says, and the place after it; None for what nobody needs, and before dice."""
        if at.step in self._over:
            return None, None
        node = at.step.rule(at.facts)
        if isinstance(node, Go):
            return node, node.at
        return node, self._decide(at, node).at if isinstance(node, Choice) else None

    def _poll(self, step: Step[Facts]) -> int:
        """Check the budget; returns how many places may be expanded until the next time."""
        self._clock.tell("places", self._expanded)
        limit = self._clock.over()
        if limit:
            raise self._spent(limit, step)
        return BETWEEN_POLLS

    def _spent(self, limit: str, step: Step[Facts]) -> LimitError:
        """The error for a limit that was reached: how far the flow came, and what may help."""
        clock = self._clock
        p_ended = sum(sum(rows.values()) / total for total, rows in self.finals.items())
        p_ended += sum(sum(roll.rows.values()) / roll.total for roll in self.last_rolls)
        over = f"over {self._most:,} places" if limit == "places" else clock.why(limit)
        return LimitError(
            f"{self.game.system.id}: {over} at {step.title!r}; {percent(p_ended)} of the "
            "probability has ended. Settle more choices beforehand, ask for fewer fields, or "
            f"allow more {limit if limit in {'places', 'bytes'} else 'time'}",
            limit=limit,
            states=self._expanded,
            p_ended=p_ended,
            done={"places": self._expanded},
        )
