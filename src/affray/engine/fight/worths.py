"""What the options before the dice are worth, for each value of the hidden part.

A decision depends on what is hidden; the way to the place where a step looks at it doesn't. So each
option is followed only once up to there, and its worth is put together for each value.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from math import inf, lcm
from weakref import proxy

from affray.core.actor import role_of
from affray.core.node import At, Choice, Facts, Option
from affray.core.system import Objective
from affray.engine.exchange.best import exact_worth
from affray.engine.exchange.flow import Decide
from affray.engine.exchange.game import Game, considered
from affray.engine.fight.blending import Ends, Look, OpenEnd, Tail, Whole
from affray.engine.fight.formulas import Formula, Formulas
from affray.engine.fight.front import EffectOdds, Front, Open, Several, Target, Waits
from affray.engine.fight.fronts import Fronts

__all__ = ["Worths"]

_Alike = tuple[int, tuple[tuple[int, int], ...]]
"""A sign as in `Worths._sign`; for each option the identity of its front, and what it spends."""

_Alternatives = tuple[Sequence[Option[Facts]], list[Front], _Alike]


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
        super().__init__(game, decide, needed=minds, chooses=proxy(self))
        self.objective, self.threshold = objective, threshold
        self._picks: dict[tuple[int, Target], dict[Several, list[Option[Facts] | None]]] = {}
        self._waited: dict[int, At[Facts]] = {}
        self._offered: dict[tuple[int, Target], _Alternatives] = {}
        self._worths: dict[tuple[int, int, int], tuple[float, Fraction]] = {}
        self._best_places: dict[_Alike, dict[Several, list[int]]] = {}
        self._by_alternatives: dict[_Alike, Front] = {}
        self._by_mean: dict[tuple[object, ...], Front] = {}
        self._formulas = Formulas(objective.utility)
        self._by_formula: dict[Formula, OpenEnd] = {}
        self._told: set[int] = set()
        self._sums: dict[int, tuple[Ends, int, int]] = {}

    def picks(self, waits: Waits, several: Several) -> list[Option[Facts] | None]:
        """The best options with these hidden parts; None if dice come before an open choice."""
        known = self._picks.setdefault(self._key(waits), {})
        picks = known.get(several)
        if picks is None:
            picks = known[several] = self._picked(waits, several)
        return picks

    def _picked(self, waits: Waits, several: Several) -> list[Option[Facts] | None]:
        try:
            return [*self._best(waits, several)]
        except Open:
            found: list[Option[Facts] | None] = []
            for part in several.parts:
                try:
                    found += self._best(waits, self.several((part,)))
                except Open:
                    found.append(None)
            return found

    def _key(self, waits: Waits) -> tuple[int, Target]:
        """Stands for where an exchange waits, and for the target."""
        self._waited[id(waits.at)] = waits.at  # as long as it lives, nothing else has its id
        return id(waits.at), waits.target

    def _best(self, waits: Waits, several: Several) -> list[Option[Facts]]:
        """The best option for each of these hidden parts.

        Raises:
            Open: dice come before an open choice.
        """
        options, fronts, alike = self._alternatives(waits)
        known = self._best_places.setdefault(alike, {})
        places = known.get(several)
        if places is None:
            sign = self._sign(waits.choice)
            columns = [self.each_odds_of(front, several) for front in fronts]
            best: dict[tuple[int, ...], int] = {}
            places = []
            for every in zip(*columns, strict=True):
                same = tuple(map(id, every))  # they are kept by their fronts
                place = best.get(same)
                if place is None:
                    worths = [
                        self._worth(odds, sign, option.spends)
                        for option, odds in zip(options, every, strict=True)
                    ]
                    place = best[same] = worths.index(max(worths))
                places.append(place)
            known[several] = places
        return [options[place] for place in places]

    def _alternatives(self, waits: Waits) -> _Alternatives:
        """The options of a choice and their fronts, and what choices share that are decided alike.

        Raises:
            Open: dice come before an open choice.
        """
        key = self._key(waits)
        known = self._offered.get(key)
        if known is None:
            options = considered(self._plan, waits.at, waits.choice)
            fronts = [self.front_of(option.at, waits.target) for option in options]
            # Fronts are kept.
            ways = tuple(
                (id(front), option.spends) for front, option in zip(fronts, options, strict=True)
            )
            known = self._offered[key] = options, fronts, (self._sign(waits.choice), ways)
        return known

    def _sign(self, choice: Choice[Facts]) -> int:
        """Whether whoever chooses wants the objective large, 1, or small, -1."""
        return 1 if self.objective.actor in {choice.actor, role_of(choice.actor)} else -1

    def _front(self, at: At[Facts]) -> Front:
        """The exchange up to where something unknown is looked at."""
        front = super()._front(at)
        waits = None if front.waits is not None else self._waits(front)
        return front if waits is None else self._shared(front, waits)

    def _made_of(self, tail: Tail) -> Front:
        """An exchange; of all that are worth the same, whatever is hidden, there is one."""
        front = super()._made_of(tail)
        looks = sorted((id(place), Fraction(w, total)) for place, w, total, _ in front.looks)
        return self._by_mean.setdefault((self._mean_of(front.ends), *looks), front)

    def _waiting(self, waits: Waits) -> Front:
        """An exchange that waits at a choice."""
        return self._shared(super()._waiting(waits), waits)

    def _shared(self, front: Front, waits: Waits) -> Front:
        """The one front of all places at which the same can be chosen, whoever chooses there."""
        try:
            _, _, alike = self._alternatives(waits)
        except Open:
            return front
        return self._by_alternatives.setdefault(alike, front)

    def _worth(self, odds: EffectOdds, sign: int, spends: int) -> tuple[float, Fraction]:
        """What odds are worth to whoever wants it large or small, and spends so much for it.

        The float is the nearest one; it tells nearly all of them apart, and quickly.
        """
        key = id(odds), sign, spends  # they are kept by their front
        known = self._worths.get(key)
        if known is None:
            worth = sign * _mean(odds) - self.threshold * spends
            try:
                near = float(worth)
            except OverflowError:
                near = inf if worth > 0 else -inf
            known = self._worths[key] = near, worth
        return known

    def _split(self, at: At[Facts]) -> None:
        """Nothing is followed apart: what befalls whoever acts may be worth something."""

    def _joined(self, front: Front, beyond: Sequence[Ends]) -> EffectOdds:
        """What an exchange is worth in the mean, as its one effect."""
        parts = [(front.ends, 1, 1)]
        for look, ends in zip(front.looks, beyond, strict=True):
            parts.append((ends, look.weight, look.total))
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
            wholes = self.wholes.wholes
            worths = ((wholes[number][0], times) for number, times in ends.weights.items())
            mean = _summed(worths) / ends.total
            # As long as the ends lie there, nothing else has their identity.
            known = self._sums[id(ends)] = ends, mean.numerator, mean.denominator
        return known[1:]

    def _put_off(self, facts: Facts, error: BaseException) -> OpenEnd:
        """As in `Fronts`; outcomes with the same formula are one."""
        formula = self._formulas.formula(facts)
        if formula is None:
            return super()._put_off(facts, error)
        ended = self._by_formula.get(formula)
        if ended is None:
            ended = self._by_formula[formula] = OpenEnd(facts)
            self._told.add(id(ended))
        return ended

    def _looked_at(self, looks: Sequence[Look]) -> Sequence[Look]:
        """As in `Fronts`; an outcome with a formula is worth the same, whatever is hidden there."""
        return [look for look in looks if id(look.place) not in self._told]

    def _effect(self, facts: Facts) -> Whole:
        """What an outcome is worth."""
        return exact_worth(self.system, self.objective, facts), None, ()


def _mean(odds: EffectOdds) -> Fraction:
    """What odds are worth."""
    worths = (worth for worth, _ in odds.effects)
    return _summed(zip(worths, odds.weights, strict=True)) / odds.total


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
