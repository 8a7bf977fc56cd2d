"""An exact probability distribution: integer weights over one common total."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from math import lcm, sqrt
from typing import Generic, TypeVar, cast

from affray.core.showing import html_table, percent

__all__ = ["Distribution"]

V = TypeVar("V")
W = TypeVar("W")


def _order(value: object) -> tuple[object, ...]:
    """A sort key that works for numbers, tuples of them, names and None together."""
    if isinstance(value, tuple):
        return (2, tuple(_order(part) for part in value))
    if isinstance(value, (bool, int, float, Fraction)):
        return (0, value, "")
    return (1, 0, str(value))


def _sorted(values: Collection[V]) -> list[V]:
    """Values in ascending order, whatever they are; quick where they can be compared at all."""
    some = next(iter(values), None)
    parts = some if isinstance(some, tuple) else (some,)
    if not any(isinstance(part, (set, frozenset)) for part in parts):  # those compare by what is in
        try:
            return sorted(values)  # type: ignore[type-var]  # what can't be compared is caught
        except TypeError:
            pass
    return sorted(values, key=_order)


class Distribution(Mapping[V, int], Generic[V]):
    """Outcomes with integer weights; the weights add up to `total`, exactly.

    A mapping from outcome to weight, in ascending order of outcome. Probabilities come as
    `Fraction` (`chance`) or float (`p`). Statistics need numeric outcomes.

    >>> coin = Distribution({"heads": 1, "tails": 1})
    >>> coin.chance("heads")
    Fraction(1, 2)
    >>> two_d4 = Distribution({2: 1, 3: 2, 4: 3, 5: 4, 6: 3, 7: 2, 8: 1})
    >>> two_d4.mean(), two_d4.at_least(7), two_d4.median()
    (Fraction(5, 1), Fraction(3, 16), 5)

    Where a procedure may go on for ever, the weights may add up to less: the rest is `residual`.
    Every probability is then too small by at most that much; mean and variance are those of what
    has ended.

    Args:
        weights: of each outcome.
        total: what they and a residual add up to; None: there is no residual.

    Raises:
        ValueError: a negative weight, or no weight at all.
    """

    __slots__ = ("_weights", "total")

    def __init__(self, weights: Mapping[V, int], *, total: int | None = None) -> None:
        kept = dict(weights)
        least = min(kept.values(), default=0)
        if least < 0:
            raise ValueError("a weight below zero is no probability")
        if least == 0:
            kept = {value: weight for value, weight in kept.items() if weight}
        if not kept:
            raise ValueError("a distribution needs at least one outcome with a positive weight")
        try:
            ordered = _sorted(kept)
        except TypeError:
            ordered = list(kept)
        if ordered != list(kept):
            kept = {value: kept[value] for value in ordered}
        self._weights: dict[V, int] = kept
        self.total: int = sum(kept.values()) if total is None else total

    def __getitem__(self, value: V) -> int:
        return self._weights[value]

    def __iter__(self) -> Iterator[V]:
        return iter(self._weights)

    def __len__(self) -> int:
        return len(self._weights)

    def __hash__(self) -> int:
        return hash(frozenset(self.fractions().items()))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Distribution):
            return NotImplemented
        if len(self) != len(other):
            return False
        mine, theirs = self.total, other.total
        return all(
            weight * theirs == other._weights.get(value, 0) * mine
            for value, weight in self._weights.items()
        )

    def __repr__(self) -> str:
        shown = ", ".join(f"{v!r}: {w}" for v, w in list(self._weights.items())[:8])
        more = ", ..." if len(self) > 8 else ""
        return f"Distribution({{{shown}{more}}}, total={self.total})"

    def _repr_html_(self) -> str:
        """The probabilities as a table, for notebooks."""
        rows = ((value, percent(chance), chance) for value, chance in self.fractions().items())
        return html_table("Distribution", ("outcome", "chance", "exactly"), rows)

    @property
    def residual(self) -> Fraction:
        """The probability that was left open; zero unless a procedure may go on for ever."""
        return Fraction(self.total - self._known, self.total)

    @property
    def _known(self) -> int:
        return sum(self._weights.values())

    # -- probabilities -------------------------------------------------------------------

    def chance(self, value: V) -> Fraction:
        """The exact probability of `value`; zero when it can't happen."""
        return Fraction(self._weights.get(value, 0), self.total)

    def p(self, value: V) -> float:
        """The probability of `value` as the nearest float."""
        return self._weights.get(value, 0) / self.total

    def where(self, test: Callable[[V], bool]) -> Fraction:
        """The exact probability that `test` holds."""
        return Fraction(sum(w for v, w in self._weights.items() if test(v)), self.total)

    def at_least(self, value: V) -> Fraction:
        """The exact probability of `value` or more."""
        return self.where(lambda v: v >= value)  # type: ignore[operator]  # ordered outcomes only

    def at_most(self, value: V) -> Fraction:
        """The exact probability of `value` or less."""
        return self.where(lambda v: v <= value)  # type: ignore[operator]  # ordered outcomes only

    def fractions(self) -> dict[V, Fraction]:
        """Every outcome with its exact probability."""
        return {value: Fraction(weight, self.total) for value, weight in self._weights.items()}

    def floats(self) -> dict[V, float]:
        """Every outcome with its probability as the nearest float."""
        return {value: weight / self.total for value, weight in self._weights.items()}

    # -- statistics (numeric outcomes) ---------------------------------------------------

    def _numbers(self) -> Iterable[tuple[Fraction, int]]:
        for value, weight in self._weights.items():
            if not isinstance(value, (int, float, Fraction)):
                raise ValueError(f"{value!r} is not a number: only numbers have a mean")
            yield Fraction(cast("int | float | Fraction", value)), weight

    def mean(self) -> Fraction:
        """The expected value, exact."""
        return sum((v * w for v, w in self._numbers()), start=Fraction(0)) / self._known

    def variance(self) -> Fraction:
        """The expected squared distance from the mean, exact."""
        centre = self.mean()
        spread = sum(((v - centre) ** 2 * w for v, w in self._numbers()), start=Fraction(0))
        return spread / self._known

    def sd(self) -> float:
        """The standard deviation: the square root of the variance."""
        return sqrt(self.variance())

    def quantile(self, share: float | Fraction) -> V:
        """The smallest outcome that at least `share` (0 to 1) of the weight does not exceed.

        A float counts as the decimal that it prints as: 0.1 is a tenth.

        Raises:
            ValueError: a share outside 0 to 1.
        """
        if not 0 <= share <= 1:
            raise ValueError(f"a quantile lies between 0 and 1, not at {share}")
        exact = share if isinstance(share, Fraction) else Fraction(str(share))
        reached = 0
        for value, weight in self._weights.items():
            reached += weight
            if reached >= exact * self.total:
                return value
        return value

    def median(self) -> V:
        """The smallest outcome with at least half of the weight at or below it."""
        return self.quantile(Fraction(1, 2))

    # -- making others -------------------------------------------------------------------

    def map(self, to: Callable[[V], W]) -> Distribution[W]:
        """The distribution of `to(outcome)`."""
        weights: dict[W, int] = {}
        for value, weight in self._weights.items():
            image = to(value)
            weights[image] = weights.get(image, 0) + weight
        return Distribution(weights, total=self.total)

    def given(self, test: Callable[[V], bool]) -> Distribution[V]:
        """The distribution of what is left when `test` is known to hold.

        Raises:
            ValueError: `test` holds for no outcome.
        """
        kept = {value: weight for value, weight in self._weights.items() if test(value)}
        if not kept:
            raise ValueError("the condition never holds, so nothing can be told under it")
        return Distribution(kept, total=sum(kept.values()) + self.total - self._known)

    @classmethod
    def from_fractions(cls, chances: Mapping[V, Fraction]) -> Distribution[V]:
        """The distribution with these probabilities, brought to one denominator.

        Raises:
            ValueError: the probabilities don't add up to one.
        """
        total = lcm(*(chance.denominator for chance in chances.values()))
        weights = {
            v: chance.numerator * (total // chance.denominator) for v, chance in chances.items()
        }
        if sum(weights.values()) != total:
            raise ValueError("these probabilities don't add up to one")
        return cls(weights)
