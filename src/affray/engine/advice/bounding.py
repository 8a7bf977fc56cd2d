"""Bounds on what an exchange is worth under best play: sure, and closer the longer it looks.

Every place has a lower and an upper bound. At first they are as wide as the objective says that it
can still come to (`Objective.comes_to`); an end, and a small rest that is solved, is worth what it
is worth. A roll lies between the means of the bounds below it; a choice is worth at least the best
lower bound and at most the best upper bound of its options. So what nobody has looked at yet costs
width, never truth.

Each look goes down from the place in question to where most width can be taken off: at a choice to
the option that could be worth most, at a roll to the outcome with the most width for its chance
(bounded real-time dynamic programming, McMahan, Likhachev and Gordon 2005). The places on its way
are then bounded anew. Two ways to one place share its bounds, and options that can't be best any
more are not looked at.

Bounds are whole numbers of a tiny unit, rounded outwards, so that they hold in spite of rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor, inf, nextafter
from operator import mul
from random import Random
from time import monotonic

from affray.core.errors import LimitError, RulesError
from affray.core.lazy import NamedTuple
from affray.core.node import At, Chance, Choice, End, Facts, Option, Step, fill_each
from affray.core.reading import roll_of
from affray.core.system import Objective
from affray.engine.advice.walking import Resting, Walk
from affray.engine.budget import Budget, Clock, spending
from affray.engine.exchange.best import Solution, exact_worth
from affray.engine.exchange.faults import unhashable_at
from affray.engine.exchange.game import considered

__all__ = ["BoundedOption", "Bounds", "bounds_of"]

UNIT = 1 << 64
"""So many units make one."""
SETTLED = 1 << 16
"""Units of width below which a place is as good as known."""
SMALL = 1_000
"""Places within which a rest is solved."""
FRUITLESS = 0.25
"""The share of the places, or of the time where those have no limit, after which it is left off if
nothing at all is known of the place."""
FRUITLESS_S = 1.0
"""The seconds of the same, where there is no limit of time."""
UNBOUNDED = 10**15
"""As good as no limit on places."""
STUCK = 20
"""Looks in a row that bring nothing new, after which it is left off."""
MOST_DEPTH = 10_000
"""Rolls and decisions of one look."""
ROUNDED = 2
"""Units by which rounding may have moved a comparison of options."""

ENDS = frozenset({"seconds", "places", "bytes", "interrupted"})
"""Limits that end it with what is known by then."""

Number = int | float
"""Units; infinite where there is no bound."""


class BoundedOption(NamedTuple):
    """An option: what it is worth to the objective at least and at most; infinite: no bound."""

    name: str
    low: float
    high: float


class Bounds(NamedTuple):
    """What is certain of a place.

    Attributes:
        at: the place.
        low, high: what it is worth under best play, at least and at most; infinite: no bound.
        options: the same of every option; () where nobody decides.
        best: the option that is certainly best, "" where none is certain yet.
        looks: how many looks were taken. stopped_by: the limit that ended it, "" where all that
            matters is known.
    """

    at: At[Facts]
    low: float
    high: float
    options: tuple[BoundedOption, ...]
    best: str
    looks: int
    stopped_by: str


class _Spot:
    """A place, and what is known of it and of the places below it.

    Attributes:
        sign: whether the one who decides wants the objective large (1) or small (-1).
        weights: of the outcomes of a roll; total: their sum.
        at: the place. ats: where options or outcomes lead.
        below: the same places, as far as they were met.
        lows, highs: their bounds. low, high: its own, in units.
    """

    __slots__ = (
        "at", "ats", "below", "high", "highs", "low", "lows", "options", "prices", "sign", "total",
        "weights",
    )  # fmt: skip

    def __init__(self, at: At[Facts], low: Number, high: Number) -> None:
        self.at = at
        self.low, self.high = low, high
        self.sign = 1
        self.options: tuple[Option[Facts], ...] = ()
        self.prices: Sequence[Number] = ()
        self.weights: Sequence[int] = ()
        self.total = 1
        self.ats: Sequence[At[Facts]] = ()
        self.below: list[_Spot | None] = []
        self.lows: list[Number] = []
        self.highs: list[Number] = []

    @property
    def is_settled(self) -> bool:
        """Whether it is as good as known."""
        return self.high - self.low <= SETTLED

    def saw(self, number: int) -> bool:
        """Take over what is known of a place below; whether that is news."""
        under = self.below[number]
        assert under is not None  # it was just met
        if under.low == self.lows[number] and under.high == self.highs[number]:
            return False
        self.lows[number], self.highs[number] = under.low, under.high
        return True

    def narrow(self) -> None:
        """Bound it anew by what lies below."""
        low, high = self._within()
        self.low, self.high = max(self.low, low), min(self.high, high)

    def _within(self) -> tuple[Number, Number]:
        if self.weights:
            return _mean(self.weights, self.lows, self.total, -1), _mean(
                self.weights, self.highs, self.total, 1
            )
        if not any(self.prices):
            best = max if self.sign > 0 else min
            return best(self.lows), best(self.highs)
        among = self.candidates()
        return min(self.lows[n] for n in among), max(self.highs[n] for n in among)

    def scores(self) -> tuple[list[Number], list[Number]]:
        """What options are worth to the one who decides, less their price: at least, at most."""
        ends = (self.lows, self.highs) if self.sign > 0 else (self.highs, self.lows)
        least, most = (
            [self.sign * end - price for end, price in zip(row, self.prices, strict=True)]
            for row in ends
        )
        return least, most

    def candidates(self) -> list[int]:
        """The options that may be taken: none of them is certainly worse than another."""
        least, most = self.scores()
        bar = max(least) - ROUNDED
        return [number for number, score in enumerate(most) if score >= bar]

    def surely_best(self) -> int:
        """The option that is certainly best; -1: there is none."""
        if not self.options:
            return -1
        least, most = self.scores()
        for number, score in enumerate(least):
            if all(score + SETTLED >= other for n, other in enumerate(most) if n != number):
                return number
        return -1

    @property
    def is_told_apart(self) -> bool:
        """Whether it is certain which option is best, if there are any."""
        return not self.options or self.surely_best() >= 0

    def widest(self, *, apart: bool) -> int:
        """The option or outcome below which most width can be taken off; -1: there is none.

        Args:
            apart: whether options shall also be told apart, not only the best be valued.
        """
        if self.weights:
            gaps = [
                weight * (high - low)
                for weight, low, high in zip(self.weights, self.lows, self.highs, strict=True)
            ]
            widest = max(gaps)
            return gaps.index(widest) if widest > 0 else -1
        _, most = self.scores()
        order = sorted(range(len(most)), key=lambda n: (-most[n], self.lows[n] - self.highs[n]))
        first, *others = [n for n in order if self.highs[n] - self.lows[n] > SETTLED] or [-1]
        if not apart or not others or first != order[0]:
            return first
        return max((first, others[0]), key=lambda n: self.highs[n] - self.lows[n])


def _mean(weights: Sequence[int], ends: Sequence[Number], total: int, sign: int) -> Number:
    """The mean of bounds, rounded down for -1 and up for 1."""
    found: Number = sum(map(mul, weights, ends))
    if isinstance(found, float):
        return sign * inf
    return found // total if sign < 0 else -(-found // total)


class _Bounding:
    """Looks from places of one exchange, and what they have left behind."""

    def __init__(self, solution: Solution, small: int, clock: Clock) -> None:
        self.game, self.objective = solution.game, solution.objective
        self.solution = solution
        self.looks = 0
        self._small = small
        self._walk = Walk(self.game, solution.stops, Random(0))
        self._known: dict[tuple[Step[Facts], Facts], _Spot] = {}
        self._clock = clock
        self._begun = solution.followed

    @property
    def places(self) -> int:
        """Rules that were applied, and places that were followed."""
        return self._walk.places + self.solution.followed - self._begun

    def spot(self, at: At[Facts], *, asked: bool = False) -> _Spot:
        """The place where the way goes from here; `asked` if its options shall be told."""
        try:
            known = self._known.get((at.step, at.facts))
            if known is not None:
                return known
            there, node = self._walk.resting(*at)
            key = there.step, there.facts
            known = self._known.get(key)
        except TypeError:
            unhashable_at(self.game.system, *at)
            raise
        if known is None:
            known = self._known[key] = self._entered(there, node, asked=asked)
        self._known[at.step, at.facts] = known
        return known

    def _entered(self, at: At[Facts], node: Resting, *, asked: bool) -> _Spot:
        self._clock.tick(8)
        least, most = _reach(self.objective, node.outcome if isinstance(node, End) else at.facts)
        value = None
        if isinstance(node, End):
            value = exact_worth(self.game.system, self.objective, node.outcome)
        elif not asked:
            value = self._solved(at)
        if value is not None:
            if not least <= value <= most:
                raise RulesError(
                    f"{self.game.system.id}: objective {self.objective.name} comes to "
                    f"{float(value):g} from step {at.step.name}, beyond the {float(least):g} to "
                    f"{float(most):g} that its `comes_to` allows"
                )
            return _Spot(at, _units(value, -1), _units(value, 1))
        spot = _Spot(at, _units(least, -1), _units(most, 1))
        if isinstance(node, Choice):
            spot.options = considered(self.game, at, node)
            spot.sign = self.solution.wish_of(node.actor)[1]
            price = self.solution.threshold * UNIT
            spot.prices = [round(price * option.spends) for option in spot.options]
            spot.ats = [option.at for option in spot.options]
        elif isinstance(node, Chance):
            self._roll(spot, node)
        spot.below = [None] * len(spot.ats)
        spot.lows = [spot.low] * len(spot.ats)
        spot.highs = [spot.high] * len(spot.ats)
        return spot

    def _roll(self, spot: _Spot, node: Chance[Facts]) -> None:
        hints, minds = self.game.system.hints, self.solution.minds
        if minds is not None and hints.forget is not None:
            node = hints.forget(node, minds)
        roll = roll_of(node.dice, node.read)
        spot.total = roll.total
        spot.weights = [weight for _, weight in roll.rows]
        readings = [reading for reading, _ in roll.rows]
        step = node.then.step
        spot.ats = [At(step, facts) for facts in fill_each(node.then, node.into, readings)]

    def _solved(self, at: At[Facts]) -> Fraction | None:
        """The value of a place that is solved already, or within few places."""
        if not self._small:
            return self.solution.value_known(at)
        try:
            return self.solution.value_within(at, self._small)
        except LimitError as limit:
            if limit.limit != "places":
                raise
            return None

    def looked(self, root: _Spot, clock: Clock) -> str:
        """Look from a place until all that matters is known; the limit that ended it, or ""."""
        most, began = clock.places(UNBOUNDED), monotonic()
        patience = FRUITLESS_S if clock.seconds is None else FRUITLESS * max(0.0, clock.left)
        before = root.low, root.high
        stuck = 0
        try:
            while not (root.is_settled and root.is_told_apart) and stuck < STUCK:
                clock.tell("looks", self.looks)
                clock.poll()
                if self.places > most:
                    return "places"
                stuck = 0 if self.look(root) else stuck + 1
                idle = (root.low, root.high) == before and root.surely_best() < 0
                if idle and most < UNBOUNDED and self.places > FRUITLESS * most:
                    return "places"
                if idle and most == UNBOUNDED and monotonic() - began > patience:
                    return "seconds"
        except LimitError as limit:
            if limit.limit not in ENDS:
                raise
            return limit.limit
        return ""

    def look(self, root: _Spot) -> bool:
        """One look from a place; whether it brought anything new."""
        self.looks += 1
        way: list[tuple[_Spot, int]] = []
        passed: set[_Spot] = set()
        spot, news = root, False
        while not spot.is_settled or spot is root:
            self._clock.tick()
            number = spot.widest(apart=spot is root)
            if number < 0 or len(way) > MOST_DEPTH:
                break
            met = spot.below[number]
            if met is None:
                met = spot.below[number] = self.spot(spot.ats[number])
                news = True
            if spot.saw(number):
                news = True
                spot.narrow()
                if met.is_settled:
                    continue
            way.append((spot, number))
            passed.add(spot)
            if met in passed:
                break
            spot = met
        for above, number in reversed(way):
            if above.saw(number):
                above.narrow()
        return news


def bounds_of(
    solution: Solution,
    at: At[Facts] | None = None,
    *,
    small: int = SMALL,
    budget: Budget | None = None,
) -> Bounds | None:
    """What is certain of a place under best play, as far as the budget allows.

    Args:
        solution: of an exchange with one objective; what it has followed already is known, and
            small rests are solved with it.
        at: the place; by default the start.
        small: places within which a rest is solved; 0: none is that is not solved already.
        budget: how much it may take.

    Returns:
        The bounds; None where no more is certain than the objective says of itself.
    """
    start = at or solution.game.start
    with spending(budget) as clock:
        bounding = _Bounding(solution, small, clock)
        try:
            root = bounding.spot(start, asked=True)
        except LimitError as limit:
            if limit.limit not in ENDS:
                raise
            return None
        before = root.low, root.high
        stopped = bounding.looked(root, clock)
    ends = zip(root.lows, root.highs, strict=True)
    if (root.low, root.high) == before and all(pair == before for pair in ends):
        return None if not root.is_settled else _told(root, bounding.looks, stopped)
    return _told(root, bounding.looks, stopped)


def _told(root: _Spot, looks: int, stopped: str) -> Bounds:
    options = tuple(
        BoundedOption(option.name, _number(low, -1), _number(high, 1))
        for option, low, high in zip(root.options, root.lows, root.highs, strict=False)
    )
    best = root.options[sure].name if (sure := root.surely_best()) >= 0 else ""
    low, high = _number(root.low, -1), _number(root.high, 1)
    return Bounds(root.at, low, high, options, best, looks, stopped)


def _reach(objective: Objective[Facts], facts: Facts) -> tuple[Fraction | float, Fraction | float]:
    """What an objective can still come to, at least and at most."""
    if objective.comes_to is None:
        return -inf, inf
    least, most = objective.comes_to(facts)
    return (
        -inf if least is None else Fraction(least),
        inf if most is None else Fraction(most),
    )


def _units(worth: Fraction | float, sign: int) -> Number:
    """A worth in units, rounded down for -1 and up for 1."""
    if isinstance(worth, float):
        return worth
    whole = worth * UNIT
    return floor(whole) if sign < 0 else ceil(whole)


def _number(units: Number, sign: int) -> float:
    """Units as a number, rounded down for -1 and up for 1."""
    if isinstance(units, float):
        return units
    exact = Fraction(units, UNIT)
    number = float(exact)
    return nextafter(number, sign * inf) if sign * (exact - Fraction(number)) > 0 else number
