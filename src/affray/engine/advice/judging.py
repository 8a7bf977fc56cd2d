"""What looks have taught: what ends are worth, what guides say of facts, what habits came to."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf
from random import Random

from affray.core.node import Choice, Facts, Option
from affray.core.system import Objective, System
from affray.engine.advice.records import Habit, Look, Place, Spread, Tally, mean_within
from affray.engine.exchange.best import exact_worth

__all__ = ["Judge"]

TRUST = 2.0
"""For how many looks a habit counts at an option of the tree."""
GUIDED, GUIDED_LOOKS = 1.0, 50.0
"""The weight of the guides at the first looks, and how many looks halve it."""


class Judge:
    """Judges ends, facts and options by one objective and its guides; learns from every look.

    Args:
        system: whose objectives they are.
        objective: what its actor wants large and everybody else small.
        guides: what to go by besides.
        price: what a point of a limited resource has to gain.

    Attributes:
        worths: what looks to the end came to. hints: what the guides said.
        habits: what looks came to, by question and answer.
        asks_midway: whether guides can be asked before the end.
    """

    def __init__(
        self,
        system: System[Facts],
        objective: Objective[Facts],
        guides: Sequence[Objective[Facts]],
        price: float,
    ) -> None:
        self.price = price
        self.worths, self.hints = Spread(), Spread()
        self.habits: dict[Habit, Tally] = {}
        self._system = system
        self._objective = objective
        self._guides = [
            (1 if guide.actor == objective.actor else -1, guide, Spread()) for guide in guides
        ]
        self.asks_midway = bool(self._guides)

    def note(self, look: Look) -> None:
        """Learn from a look: what it came to on the whole, and for each habit on its way."""
        if look.worth is not None:
            self.worths.note(look.worth)
        if look.guided is not None:
            self.hints.note(look.guided)
        for taken, hint in ((look.taken, look.guided), (look.later, None)):
            for habit in taken:
                record = self.habits.get(habit)
                if record is None:
                    record = self.habits[habit] = Tally()
                record.note(look.worth, hint)

    def worth(self, outcome: Facts) -> float:
        """What an end is worth to the objective."""
        return float(exact_worth(self._system, self._objective, outcome))

    def hint(self, facts: Facts) -> float:
        """What the guides say of these facts, as if it were over: 0 if that is nothing unusual."""
        hint = 0.0
        for sign, guide, seen in self._guides:
            number = sign * float(exact_worth(self._system, guide, facts))
            seen.note(number)
            hint += (number - seen.mean) / seen.scale
        return hint

    def hint_midway(self, facts: Facts) -> float | None:
        """The same where it isn't over; None where one of them looks at what is not there yet."""
        try:
            return self.hint(facts)
        except Exception:  # an objective promises nothing before the end
            self.asks_midway = False
            return None

    def estimate(self, place: Place) -> tuple[float, float, float, Fraction | None]:
        """The mean of a place, the ends of its interval, and the exact value if that is known."""
        if place.exact is not None:
            sure = float(place.exact)
            return sure, sure, sure, place.exact
        ends = min(0.0, self.worths.least), max(1.0, self.worths.greatest)
        low, high = mean_within(place.n, place.total, place.squares, ends)
        return place.total / place.n, low, high, None

    def promise(self, record: Tally | None, habit: Tally | None) -> float:
        """The mean of some looks, on a scale of 1 for two deviations, moved a little by the guides.

        A habit counts as a few looks; without any it is the mean of all.
        """
        n, total, looks, guided = 0.0, 0.0, 0.0, 0.0
        if record is not None:
            n, total, looks, guided = record.n, record.total, record.looks, record.guided
        if habit is not None:
            if habit.n:
                n, total = n + TRUST, total + TRUST * habit.total / habit.n
            if habit.looks:
                looks, guided = looks + TRUST, guided + TRUST * habit.guided / habit.looks
        promise = (total / n if n else self.worths.mean) / self.worths.scale
        if looks and self._guides:
            weight = GUIDED * GUIDED_LOOKS / (GUIDED_LOOKS + n)
            promise += weight * (guided / looks - self.hints.mean) / self.hints.scale
        return promise

    def by_habit(
        self, options: Sequence[Option[Facts]], choice: Choice[Facts], sign: int, random: Random
    ) -> Option[Facts]:
        """The option whose habit is worth most, or one without a habit; by lot among equals."""
        habits, actor, ask = self.habits, choice.actor, choice.ask
        price = self.price / self.worths.scale
        best: list[Option[Facts]] = []
        most = -inf
        for option in options:
            habit = habits.get((actor, ask, option.name))
            worth = inf
            if habit is not None:
                worth = sign * self.promise(habit, None) - price * option.spends
            if worth > most:
                best, most = [option], worth
            elif worth == most:
                best.append(option)
        return best[int(random.random() * len(best))] if len(best) > 1 else best[0]
