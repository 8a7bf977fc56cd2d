"""What options before the dice are worth, for each value of the hidden part.

A decision depends on what is hidden, the way to the place where a step looks at it does not. So
each option is followed once as far as that, and what it is worth is put together for each value.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

from affray.core.actor import role_of
from affray.core.node import At, Choice, Facts, Option
from affray.core.system import Objective
from affray.engine.exchange.best import exact_worth
from affray.engine.exchange.flow import Decide
from affray.engine.exchange.game import Game, considered
from affray.engine.fight.fronts import EffectOdds, Fronts, Helped, Open

__all__ = ["Worths"]


class Worths(Fronts):
    """The worth of places, and the decisions that are best by it.

    It is for exchanges in which all open choices come before the dice.

    Args:
        game: the rules and both plans; where it starts does not matter.
        decide: makes the decisions of both plans; see `unsolved`.
        objective: open choices are decided for it; zero-sum.
        threshold: a point is spent only for a gain above this.
        minds: outcome fields on which the objective alone depends; None: nobody knows.
    """

    def __init__(
        self,
        game: Game,
        decide: Decide,
        objective: Objective[Facts],
        *,
        threshold: int,
        minds: frozenset[str] | None,
    ) -> None:
        super().__init__(game, decide, needed=minds, chooses=self)
        self.objective, self.threshold = objective, threshold
        self._picks: dict[tuple[At[Facts], Hashable], Option[Facts] | None] = {}
        self._means: dict[int, Fraction] = {}

    def pick(self, at: At[Facts], choice: Choice[Facts], part: Hashable) -> Option[Facts] | None:
        """The best option with this hidden part; None if dice come before an open choice."""
        key = at, part
        if key not in self._picks:
            try:
                self._picks[key] = self._best(at, choice, part)
            except Open:
                self._picks[key] = None
        return self._picks[key]

    def _best(self, at: At[Facts], choice: Choice[Facts], part: Hashable) -> Option[Facts]:
        options = considered(self._plan, at, choice)
        wanted = self.objective.actor in {choice.actor, role_of(choice.actor)}
        sign = 1 if wanted else -1
        worths = [
            sign * self.worth(option.at, part) - self.threshold * option.spends
            for option in options
        ]
        return options[worths.index(max(worths))]

    def worth(self, at: At[Facts], part: Hashable) -> Fraction:
        """What a place is worth.

        Raises:
            Open: dice come before an open choice.
        """
        odds = self.odds_at(at, part)
        known = self._means.get(id(odds))  # they are kept by their front
        if known is None:
            known = self._means[id(odds)] = _mean(odds)
        return known

    def _effect(self, facts: Facts) -> tuple[Hashable, Hashable, Helped]:
        """What an outcome is worth."""
        return exact_worth(self.system, self.objective, facts), None, ()


def _mean(odds: EffectOdds) -> Fraction:
    whole, broken = 0, Fraction(0)
    for (worth, _), weight in zip(odds.effects, odds.weights, strict=True):
        assert isinstance(worth, (int, Fraction))  # see `Worths._effect`
        if worth.denominator == 1:
            whole += worth.numerator * weight
        else:
            broken += worth * weight
    return (whole + broken) / odds.total
