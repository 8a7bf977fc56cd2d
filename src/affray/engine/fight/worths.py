"""What options before the dice are worth, for each value of the hidden part.

A decision depends on what is hidden, the way to the place where a step looks at it does not. So
each option is followed once as far as that, and what it is worth is put together for each value.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from math import lcm

from affray.core.actor import role_of
from affray.core.node import At, Choice, Facts, Option
from affray.core.system import Objective
from affray.engine.exchange.best import exact_worth
from affray.engine.exchange.flow import Decide
from affray.engine.exchange.game import Game, considered
from affray.engine.fight.fronts import EffectOdds, Ends, Front, Fronts, Helped, Open

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
        self._picks: dict[At[Facts], dict[Hashable, Option[Facts] | None]] = {}
        self._means: dict[int, Fraction] = {}
        self._sums: dict[int, tuple[Ends, int, int]] = {}

    def picks(
        self, at: At[Facts], choice: Choice[Facts], parts: Sequence[Hashable]
    ) -> list[Option[Facts] | None]:
        """The best options with these hidden parts; None if dice come before an open choice."""
        known = self._picks.setdefault(at, {})
        fresh = [part for part in parts if part not in known]
        if fresh:
            try:
                known.update(zip(fresh, self._best(at, choice, fresh), strict=True))
            except Open:
                for part in fresh:
                    try:
                        known.update({part: self._best(at, choice, (part,))[0]})
                    except Open:
                        known[part] = None
        return [known[part] for part in parts]

    def _best(
        self, at: At[Facts], choice: Choice[Facts], parts: Sequence[Hashable]
    ) -> list[Option[Facts]]:
        """The best option for each of these hidden parts.

        Raises:
            Open: dice come before an open choice.
        """
        options = considered(self._plan, at, choice)
        wanted = self.objective.actor in {choice.actor, role_of(choice.actor)}
        sign = 1 if wanted else -1
        columns = [self.each_odds_at(option.at, parts) for option in options]
        best: dict[tuple[int, ...], Option[Facts]] = {}
        found: list[Option[Facts]] = []
        for every in zip(*columns, strict=True):
            same = tuple(map(id, every))  # they are kept by their fronts
            option = best.get(same)
            if option is None:
                worths = [
                    sign * self._mean(odds) - self.threshold * option.spends
                    for option, odds in zip(options, every, strict=True)
                ]
                option = best[same] = options[worths.index(max(worths))]
            found.append(option)
        return found

    def _mean(self, odds: EffectOdds) -> Fraction:
        """What odds are worth."""
        known = self._means.get(id(odds))  # they are kept by their front
        if known is None:
            worths = (worth for worth, _ in odds.effects)
            known = _summed(zip(worths, odds.weights, strict=True)) / odds.total
            self._means[id(odds)] = known
        return known

    def _joined(self, front: Front, beyond: Sequence[Ends]) -> EffectOdds:
        """What an exchange is worth in the mean, as its one effect."""
        parts = [(front.ends, 1, 1)]
        for (_, weight, total, own), ends in zip(front.looks, beyond, strict=True):
            if own is not None:  # what befalls whoever acts may be worth something
                return super()._joined(front, beyond)
            parts.append((ends, weight, total))
        shares = [
            (numerator * times, denominator * total)
            for (numerator, denominator), times, total in (
                (self._mean_of(ends), times, total) for ends, times, total in parts
            )
        ]
        common = lcm(*(denominator for _, denominator in shares))
        whole = sum(share * (common // denominator) for share, denominator in shares)
        return EffectOdds(((Fraction(whole, common), None),), (1,), 1)

    def _mean_of(self, ends: Ends) -> tuple[int, int]:
        """What ends are worth, as numerator and denominator."""
        known = self._sums.get(id(ends))
        if known is None:
            mean = _summed((whole[0], times) for whole, times in ends.weights.items()) / ends.total
            # As long as the ends lie there, nothing else has their identity.
            known = self._sums[id(ends)] = ends, mean.numerator, mean.denominator
        return known[1:]

    def _effect(self, facts: Facts) -> tuple[Hashable, Hashable, Helped]:
        """What an outcome is worth."""
        return exact_worth(self.system, self.objective, facts), None, ()


def _summed(worths: Iterable[tuple[Hashable, int]]) -> Fraction:
    """The sum of worths, each so many times."""
    whole, broken = 0, Fraction(0)
    for worth, times in worths:
        assert isinstance(worth, (int, Fraction))  # see `Worths._effect`
        if worth.denominator == 1:
            whole += worth.numerator * times
        else:
            broken += worth * times
    return whole + broken
