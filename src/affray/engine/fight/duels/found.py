"""A duel found out: all that it is made of, and its course for each way to begin.

From its start a duel is followed round after round (`following`); where it has few states, or
takes very many rounds, one pass over all states takes the place of that (`forward`). Where nothing
shows before the end of a round, rounds are products (`rounds`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any, TypeAlias

from affray.core.fight import same
from affray.core.lazy import NamedTuple
from affray.engine.budget import Budget, Clock, spending
from affray.engine.fight.contest import Contest
from affray.engine.fight.duels.answers import Case, mixed
from affray.engine.fight.duels.attacks import Attacks
from affray.engine.fight.duels.beginning import Leads, Start, starts_of
from affray.engine.fight.duels.closure import MOST_PAIRS, Closure, closed
from affray.engine.fight.duels.duelists import Duelist
from affray.engine.fight.duels.places import places_in
from affray.engine.fight.duels.reserves import ReservingDuelist

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from affray.engine.fight.duels.following import Followed
    from affray.engine.fight.duels.forward import Visits
    from affray.engine.fight.duels.mirrored import Twins
    from affray.engine.fight.duels.rounds import Rounds
    from affray.engine.fight.duels.sweep import Sweep

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Course = Iterator[tuple[Floats, Floats]]

__all__ = ["AnyClosure", "FoundDuel"]

FEW_STATES = 50_000
"""States below which going through them once is quicker than going from round to round."""

AnyClosure: TypeAlias = Closure[Any, Any]


class _Known(NamedTuple):
    """A duel found out: all that it is made of, and its rounds if they are products."""

    closure: AnyClosure
    together: Rounds | None


class FoundDuel:
    """One fighter of each side, with everything that can come up between them.

    Args:
        contest: the fight; only the first fighter of each side takes part.
        budget: how much finding out the conditions and each question may take; by default what
            the running one has left.
        everywhere: whether it is also known for pairs of conditions that come up in the same place
            of a round, but never together.

    Attributes:
        closure: its conditions and attacks. together: its rounds, if they are products.

    Raises:
        LimitError: the budget is spent; carries what was found out by then.
        SetupError: as for `Contest`.
    """

    def __init__(
        self, contest: Contest, *, budget: Budget | None = None, everywhere: bool = False
    ) -> None:
        contest.check_no_board("a duel")
        self.contest = contest
        self.budget = budget
        self.everywhere = everywhere
        self._known: dict[int, Followed] = {}
        self._twins_known: dict[int, Twins] = {}
        with spending(budget) as clock:
            self.closure, self.together = self._worked_out(clock)
        self.duelists: tuple[Duelist, Duelist] = self.closure.duelists
        self.attacks: tuple[Attacks, ...] = self.closure.attacks

    def _worked_out(self, clock: Clock) -> tuple[AnyClosure, Rounds | None]:
        """Conditions and attacks, and rounds as products if they are; kept with the contest."""
        name = "duel everywhere" if self.everywhere else "duel"
        known = self.contest.worked_out.get(name)
        if isinstance(known, _Known) and known.closure.n_met <= clock.pairs(MOST_PAIRS):
            return known
        found = self._together(clock) or _Known(
            closed(self.contest, (ReservingDuelist, Attacks), clock, everywhere=self.everywhere),
            None,
        )
        self.contest.worked_out[name] = found
        return found

    def _together(self, clock: Clock) -> _Known | None:
        """The duel as rounds in which both act before anything shows, if it is one."""
        contest = self.contest
        if contest.fight.end_round is same or not contest.course.of_two().acts_once:
            return None
        from affray.engine.fight.duels.rounds import RoundDuelist, Rounds, Shows  # numpy, scipy

        try:
            closure = closed(contest, (RoundDuelist, Attacks), clock)
            return _Known(closure, Rounds(closure.duelists, closure.attacks))
        except Shows:
            return None

    def _visits(self, number: int) -> tuple[list[Case], Visits, tuple[Ints, Ints]]:
        """The course of the duel to the end, for the ways to begin of one sweep.

        And the conditions of either side that make up the pairs in it. Ways to begin of the same
        name are mixed.

        Round after round where it is over soon, since rounds are asked for anyway; else, and where
        there are few states, each pair of conditions once.
        """
        import numpy as np  # heavy; only where fights are worked out

        from affray.engine.fight.duels.forward import Forward, Visits  # numpy, scipy

        sweep, starts = self._sweeps[number]
        twins = self._twins(number)
        cases, shares = mixed([start.case for start in starts], twins.turned.tolist())
        followed, told = twins.mixed(np.array(shares))
        many = sweep.n_places * self.n_pairs >= FEW_STATES
        course = self._course(number) if many else None
        if course is not None and course.to_the_end():
            over, missed, among = course.over(followed)
            rounds = course.rounds
        else:
            leads = [starts[way].leads for way in twins.kept]
            over, rounds, missed = Forward(sweep, leads).run(self.start_pair)
            over, among = followed @ over, (np.arange(sweep.n[0]), np.arange(sweep.n[1]))
        over, among = told.pairs(over, among)
        return cases, Visits(over, told.told(followed @ rounds), missed), among

    def _course(self, number: int) -> Followed:
        """The rounds of one sweep, as far as they are known, for the ways that are followed."""
        from affray.engine.fight.duels.following import Followed  # numpy, scipy
        from affray.engine.fight.duels.stand_ins import stand_ins  # numpy

        known = self._known.get(number)
        if known is None:
            sweep, starts = self._sweeps[number]
            twins = self._twins(number)
            leads = [starts[way].leads for way in twins.kept]
            known = self._known[number] = Followed(
                sweep, self.start_pair, leads, stand_ins(sweep, leads)
            )
        return known

    def _twins(self, number: int) -> Twins:
        """The ways to begin of one sweep that are followed."""
        from affray.engine.fight.duels.mirrored import images_of, twins_of  # numpy

        known = self._twins_known.get(number)
        if known is None:
            _, starts = self._sweeps[number]
            alike = self.contest.is_mirrored and not self.contest.course.interludes
            images = images_of(self.duelists) if alike else None
            known = self._twins_known[number] = twins_of([one.leads for one in starts], images)
        return known

    @cached_property
    def _sweeps(self) -> tuple[tuple[Sweep, list[Start]], ...]:
        """The states of the duel, each with the ways to begin that have them."""
        found: list[tuple[Sweep, list[Start]]] = []
        by_before: dict[tuple[int, ...], list[Start]] = {}
        for start in starts_of(self.contest, self.duelists):
            by_before.setdefault(start.before, []).append(start)
        for before, starts in by_before.items():
            changing = [start.leads for start in starts if not isinstance(start.leads, float)]
            if not changing:
                found += [(self._sweep(start.leads, before), [start]) for start in starts]
                continue
            by_way: list[tuple[float, Start]] = []
            for start in starts:
                leads = start.leads
                if isinstance(leads, float):
                    # Somebody who goes first in every round does so in rounds of either order.
                    leads = changing[0].always(leads)
                by_way.append((leads.mean(), start._replace(leads=leads)))
            # Those with the same order of turns lie side by side.
            ways = [start for _, start in sorted(by_way, key=lambda way: -way[0])]
            found.append((self._sweep(changing[0], before), ways))
        return tuple(found)

    def _sweep(self, leads: Leads | float, before: tuple[int, ...]) -> Sweep:
        """The states of the duel with one rule about who goes first, and about interludes."""
        from affray.engine.fight.duels.sweep import Sweep  # numpy

        places = self.closure.places
        if places is not None and isinstance(leads, float):
            order = int(leads != 1), before
            if (1 - order[0], before) in places:  # whoever leads may change, but not in this case
                places = {order: places_in(self.attacks, order, everywhere=self.closure.everywhere)}
        return Sweep(self.duelists, self.attacks, leads, before=before, places=places)

    def _rounds_of(self, number: int) -> Course:
        course, twins = self._course(number), self._twins(number)
        for place in count():
            if place == len(course.on):
                course.go_on()
            yield twins.told(course.on[place]), twins.verdicts(course.ended[place])

    @property
    def n_pairs(self) -> int:
        """The number of pairs of conditions."""
        return self.closure.n_pairs

    @property
    def _start(self) -> tuple[int, int]:
        return self.duelists[0].start, self.duelists[1].start

    @property
    def start_pair(self) -> int:
        """The pair of conditions in which the duel begins."""
        one, other = self.duelists
        return one.start * len(other.conditions) + other.start
