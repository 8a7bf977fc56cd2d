"""Two fighters to the end, exactly: who wins, in how many rounds, with how much left.

A state of a duel is whose turn it is and the conditions of both. Transitions are never written
down one by one: an exchange is a short row of effects, shared by all pairs of conditions that
look alike, and an effect is a map from condition to condition.

How it goes from its start is found out for each way to begin (`found`). What it is worth from other
pairs of conditions on is found out backwards, from the end (`sweep`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from affray.core.errors import LimitError
from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.engine.budget import Clock, spending
from affray.engine.fight.course import DECIDED, VERDICT_OF, Lead
from affray.engine.fight.duels.answers import (
    RESOURCES,
    ROUNDS,
    Answers,
    Case,
    DuelResult,
    Round,
    answers_of,
    averaged,
    ended_sums,
)
from affray.engine.fight.duels.beginning import ANY_START, Leads, initiatives, starts_of
from affray.engine.fight.duels.found import FoundDuel
from affray.engine.fight.duels.places import Order
from affray.engine.fight.fates import Fates

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from affray.engine.fight.duels.found import Course
    from affray.engine.fight.duels.rounds import Rounds

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["Duel", "Ending"]

SETTLED = 1e-12
"""Probability of a fight still going on below which it is not followed any further."""
MOST_ROUNDS = 10_000
"""Rounds that are followed one by one at most."""


class Ending(NamedTuple):
    """How a duel ends for some ways to begin, those of the same name as one.

    Attributes:
        over: how likely each pair of conditions is the last; a row for each case.
        rounds: the means of rounds.
        among: the conditions of either side of which `over` tells; None: all of them.
    """

    cases: list[Case]
    over: Floats
    rounds: Floats
    among: tuple[Ints, Ints] | None = None


class Duel(FoundDuel):
    """A duel worked out: one fighter of each side, to the end.

    Args:
        contest: the fight; only the first fighter of each side takes part.
        budget: how much finding out the conditions and each question may take; by default what
            the running one has left.
        everywhere: whether it is also known for pairs of conditions that come up in the same place
            of a round, but never together; `at_round` then knows all of them.

    Attributes:
        residual: by how much equations were missed at most by now.

    Raises:
        LimitError: the budget is spent; carries what was found out by then.
        SetupError: as for `Contest`.
    """

    residual = 0.0

    # -- the sweep -------------------------------------------------------------------------------

    def solve(self, rounds: int | None = None) -> DuelResult:
        """Work out who wins, from the start, for every way to begin.

        Args:
            rounds: after how many rounds the fight is called off; None: never.

        Raises:
            LimitError: the budget is spent.
        """
        with spending(self.budget) as clock:
            clock.tell("pairs of conditions solved", 0, self.n_pairs)
            try:
                return self._solve(rounds)
            except LimitError as error:
                if error.limit not in {"seconds", "interrupted"}:
                    raise
                found = sum(len(acts) for acts in self.attacks)
                raise LimitError(
                    f"{self.contest.system.id}: {clock.why(error.limit)}; {self.n_pairs:,} pairs "
                    f"of conditions and {found:,} exchanges were found out, and not yet solved"
                    f"{clock.so_far}. Settle more choices, allow more time, or fight a battle "
                    "instead",
                    limit=error.limit,
                    states=self.n_pairs,
                    done={"pairs": self.n_pairs, "exchanges": found},
                ) from error

    def _solve(self, rounds: int | None) -> DuelResult:
        rows: list[tuple[Case, Answers]] = []
        if rounds is None:
            for cases, over, n_rounds, among in self._ends:
                sums = ended_sums(over, self.duelists, among)
                sums[:, ROUNDS] = n_rounds
                ended = [answers_of(row, self.duelists, stalls=False) for row in sums]
                rows += zip(cases, ended, strict=True)
        else:
            for cases, begins, course in self._courses():
                counted = self._counted(course, begins, len(cases), rounds)
                called_off = [answers_of(row, self.duelists, stalls=True) for row in counted]
                rows += zip(cases, called_off, strict=True)
        if self.together is not None:  # who goes first makes no difference
            rows = [(start.case, rows[0][1]) for start in starts_of(self.contest, self.duelists)]
        merged: dict[str, list[tuple[Case, Answers]]] = {}
        for case, answers in rows:
            merged.setdefault(case.name, []).append((case, answers))
        by_name = tuple(averaged(group) for group in merged.values())
        whole = averaged(list(by_name))[1]
        exchanges = sum(len(acts) for acts in self.attacks)
        return DuelResult(
            **vars(whole), cases=by_name, states=self._n_states, exchanges=exchanges,
            residual=self.residual,
        )  # fmt: skip

    @cached_property
    def _ends(self) -> tuple[Ending, ...]:
        """How the duel ends if nobody calls it off."""
        if self.together is not None:
            visits, over = self.together.run(self._start)
            self.residual = max(self.residual, self.together.residual)
            return (Ending([ANY_START], over.reshape(1, -1), visits.sum(keepdims=True)[0]),)
        found: list[Ending] = []
        for number in range(len(self._sweeps)):
            cases, (over, n_rounds, residual), among = self._visits(number)
            self.residual = max(self.residual, residual)
            found.append(Ending(cases, over, n_rounds, among))
        return tuple(found)

    def at_rounds(
        self, side: int | None, before: tuple[int, ...] = ()
    ) -> tuple[dict[Hashable, int], dict[Hashable, int]]:
        """The conditions of both with which a round may begin, or the fight is over, by number.

        Args:
            side: the side that goes first in every round; None: by initiative.
            before: for each side how many interludes come before its turn.
        """
        one, other = self.duelists
        places = self.closure.places
        if places is None:
            return one.number, other.number
        order = side or 0, before
        known = self._numbers_known.get(order)
        if known is None:
            there = places[order][0].there if order in places else ({}, {})
            found = (
                {
                    condition: here
                    for here, condition in enumerate(duelist.conditions)
                    if here in begins or duelist.is_out[here] or duelist.is_over[here]
                }
                for duelist, begins in zip(self.duelists, there, strict=True)
            )
            known = self._numbers_known[order] = next(found), next(found)
        return known

    def at_round(self, pair: tuple[int, int], lead: Lead) -> tuple[float, float]:
        """The chance of either side to win from the start of a round on.

        Args:
            pair: the numbers of both conditions, as `at_rounds` gives them.
            lead: the way in which the fight began.

        Raises:
            LimitError: the budget is spent.
        """
        with spending(self.budget):
            if self.together is not None:
                _, over = self.together.run(pair)
                one, other = over.ravel() @ self.questions[..., :2].reshape(-1, 2)
            else:
                one, other = self._at_rounds(lead)[pair]
        return float(one), float(other)

    def _at_rounds(self, lead: Lead) -> Floats:
        """The chance of either side to win from the start of a round on, for all conditions."""
        known = self._rounds_known.get(lead)
        if known is None:
            leads: Leads | float = 1.0 - (lead.side or 0)
            if lead.side is None:
                (start,) = initiatives(self.contest, self.duelists, [lead])
                leads = start.leads
            shape = tuple(len(duelist.conditions) for duelist in self.duelists)
            known = self._round_values(leads, lead.before).reshape(*shape, 2)
            self._rounds_known[lead] = known
        return known

    def _round_values(self, leads: Leads | float, before: tuple[int, ...]) -> Floats:
        """The same, a row for each pair."""
        sweep = self._sweep(leads, before)
        values: Floats = sweep.run(self.questions[..., : ROUNDS + 1], ROUNDS)[0, :, :2]
        return values

    @cached_property
    def _numbers_known(self) -> dict[Order, tuple[dict[Hashable, int], dict[Hashable, int]]]:
        return {}

    @cached_property
    def _rounds_known(self) -> dict[Lead, Floats]:
        return {}

    @cached_property
    def verdicts(self) -> NDArray[np.int8]:
        """The verdict in each pair of conditions, by its number in `VERDICT_OF`."""
        import numpy as np  # heavy; only where fights are worked out

        one, other = (np.array(duelist.is_out, np.int8) for duelist in self.duelists)
        over = (np.array(duelist.is_over) for duelist in self.duelists)
        ends = np.logical_or.outer(*over)
        return np.asarray(4 * one[:, None] + 2 * other[None, :] + ends, np.int8)

    @cached_property
    def questions(self) -> Floats:
        """The worth of each pair of conditions when the fight is over: a column a question."""
        import numpy as np  # heavy; only where fights are worked out

        one, other = self.duelists
        width = RESOURCES + len(one.spare) + len(other.spare)
        what = f"{self.n_pairs:,} pairs of conditions"
        meter_in_force().claim(8 * 2 * width * self.n_pairs, what)
        won, lost, drawn, ended = (
            np.array([verdict == name for verdict in VERDICT_OF]).take(self.verdicts)
            for name in DECIDED
        )
        columns = [won, lost, drawn, ended, np.zeros(won.shape)]
        done = won | lost | drawn | ended
        for number, duelist in enumerate(self.duelists):
            vitals = np.array([duelist.fight.vitals(duelist.sheet, c) for c in duelist.conditions])
            columns.append((won, lost)[number] * (vitals[:, None] if number == 0 else vitals))
        columns += [done * left for left in self._left()]
        return np.stack([np.broadcast_to(c, won.shape) for c in columns], -1).astype(float)

    def _left(self) -> list[Ints]:
        """Resources that either side has left, by pair of conditions."""
        one, other = self.duelists
        return [
            *(left[:, None] for left in one.left().values()),
            *(left[None, :] for left in other.left().values()),
        ]

    def fates(self, rounds: int | None = None) -> tuple[dict[str, float], dict[str, float]]:
        """How likely each fate of either side is when the duel is over.

        Where it can go on forever, they add up to less than one.

        Args:
            rounds: as for `solve`.

        Raises:
            LimitError: the budget is spent.
        """
        with spending(self.budget):
            return self._fates(rounds)

    def _fates(self, rounds: int | None) -> tuple[dict[str, float], dict[str, float]]:
        import numpy as np  # heavy; only where fights are worked out

        fates = Fates(self.contest)
        found: list[dict[str, float]] = []
        for side, (duelist, chances) in enumerate(
            zip(self.duelists, self._last(rounds), strict=True)
        ):
            total = np.zeros(len(fates.names))
            for here in np.flatnonzero(chances).tolist():
                of = fates.of(side, duelist.sheet, duelist.conditions[here])
                total += chances[here] * np.array(of)
            found.append(dict(zip(fates.names, total.tolist(), strict=True)))
        return found[0], found[1]

    def points(self, rounds: int | None = None) -> tuple[dict[int, float], dict[int, float]]:
        """How likely either side has so many points left when the duel is over or called off.

        Where it can go on forever, they add up to less than one.

        Args:
            rounds: as for `solve`.

        Raises:
            LimitError: the budget is spent.
        """
        found: tuple[dict[int, float], dict[int, float]] = {}, {}
        with spending(self.budget):
            lasts = self._last(rounds)
        for duelist, chances, points in zip(self.duelists, lasts, found, strict=True):
            for here in chances.nonzero()[0].tolist():
                left = duelist.fight.vitals(duelist.sheet, duelist.conditions[here])
                points[left] = points.get(left, 0.0) + float(chances[here])
        return found

    def _last(self, rounds: int | None) -> tuple[Floats, Floats]:
        """How likely each condition of either side is the last one."""
        known = self._last_known.get(rounds)
        if known is None:
            known = self._last_known[rounds] = self._find_last(rounds)
        return known

    @cached_property
    def _last_known(self) -> dict[int | None, tuple[Floats, Floats]]:
        return {}

    def _find_last(self, rounds: int | None) -> tuple[Floats, Floats]:
        """The same, from the last pairs."""
        import numpy as np  # heavy; only where fights are worked out

        one, other = (np.zeros(len(duelist.conditions)) for duelist in self.duelists)
        every = np.arange(len(one)), np.arange(len(other))
        for cases, pairs, among in self._last_pairs(rounds):
            shares = np.array([float(case.chance) for case in cases])
            places = among or every
            last = (shares @ pairs).reshape(*map(len, places))
            np.add.at(one, places[0], last.sum(1))
            np.add.at(other, places[1], last.sum(0))
        return one, other

    def _last_pairs(
        self, rounds: int | None
    ) -> Iterator[tuple[list[Case], Floats, tuple[Ints, Ints] | None]]:
        """How likely pairs of conditions are the last ones, a row for each way to begin."""
        if rounds is None:
            for cases, over, _, among in self._ends:
                yield cases, over, among
            return
        for cases, _, course in self._courses():
            for number, (on, over) in enumerate(course, start=1):
                yield cases, over, None
                if number == rounds or not on.any():
                    yield cases, on, None
                    break

    def by_round(self, most_rounds: int | None = None) -> tuple[Round, ...]:
        """Probabilities after each round, until next to nothing goes on.

        Args:
            most_rounds: how many rounds at most.

        Raises:
            LimitError: the budget is spent.
        """
        with spending(self.budget) as clock:
            return self._by_round(most_rounds, clock)

    def _by_round(self, most_rounds: int | None, clock: Clock) -> tuple[Round, ...]:
        import numpy as np  # heavy; only where fights are worked out

        mixed: list[Floats] = []
        for cases, rounds in self._rounds():
            shares = np.array([float(case.chance) for case in cases])
            course: list[Floats] = []
            for on, ended in rounds:
                course.append(shares @ ended)
                clock.tell("rounds", len(course), most_rounds)
                clock.poll()
                enough = len(course) == (most_rounds or MOST_ROUNDS)
                if enough or on.max() < SETTLED:
                    break
            while len(mixed) < len(course):
                mixed.append(mixed[-1] if mixed else np.zeros(ROUNDS))
            for number in range(len(mixed)):
                mixed[number] = mixed[number] + course[min(number, len(course) - 1)]
        return tuple(
            Round(number, max(0.0, 1 - float(row.sum())), (float(row[0]), float(row[1])),
                  float(row[2]), float(row[3]))
            for number, row in enumerate(mixed, start=1)
        )  # fmt: skip

    def _rounds(self) -> Iterator[tuple[list[Case], Course]]:
        """Ways to begin, and for each round how likely it goes on, and the verdicts by then."""
        if self.together is not None:
            yield [ANY_START], self._together_rounds(self.together)
            return
        for number, (_, starts) in enumerate(self._sweeps):
            yield [start.case for start in starts], self._rounds_of(number)

    def _together_rounds(self, together: Rounds) -> Course:
        columns = self.questions.reshape(-1, self.questions.shape[-1])[:, :ROUNDS]
        ended = 0 * columns[:1]
        for on, over in together.rounds(self._start):
            ended = ended + over @ columns
            yield on.sum(keepdims=True), ended

    def _courses(self) -> Iterator[tuple[list[Case], bool, Course]]:
        """Ways to begin, whether the fight begins at all, and its rounds, a row for each way."""
        if self.together is not None:
            begins = bool(self.together.going_on()[self._start])
            rounds = self.together.rounds(self._start)
            yield [ANY_START], begins, ((on[None, :], over[None, :]) for on, over in rounds)
            return
        from affray.engine.fight.duels.following import followed  # numpy, scipy

        for sweep, starts in self._sweeps:
            begins = bool(sweep.going_on().ravel()[self.start_pair])
            leads = [start.leads for start in starts]
            yield [start.case for start in starts], begins, followed(sweep, self.start_pair, leads)

    @property
    def _n_states(self) -> int:
        if self.together is not None:
            return self.together.n_pairs
        return max(sweep.n_states for sweep, _ in self._sweeps)

    def _counted(self, rounds: Course, begins: bool, n: int, most_rounds: int) -> Floats:  # noqa: FBT001
        """The answers after so many rounds: a row for each of `n` ways to begin."""
        import numpy as np  # heavy; only where fights are worked out

        columns = self.questions.reshape(-1, self.questions.shape[-1])
        rows, going_on = np.zeros((n, columns.shape[-1])), np.full(n, float(begins))
        meter = meter_in_force()
        for number, (on, over) in enumerate(rounds, start=1):
            meter.poll()
            rows += over @ columns
            rows[:, ROUNDS] += going_on
            going_on = on.sum(-1)
            if number == most_rounds or not going_on.any():
                still = on.reshape(n, *self.questions.shape[:2])
                for place, left in enumerate(self._left(), start=RESOURCES):
                    rows[:, place] += (still * left).sum((1, 2))
                break
        return rows
