"""What looks ahead leave behind: tallies, the places of the tree, and advice."""

from __future__ import annotations

from collections.abc import Sized
from fractions import Fraction
from math import inf, sqrt
from typing import Literal

from affray.core.lazy import NamedTuple
from affray.core.node import At, Chance, Choice, End, Facts, Option

__all__ = [
    "Advice",
    "Ground",
    "Habit",
    "Look",
    "Place",
    "Spread",
    "Tally",
    "Weighed",
    "are_most",
    "mean_within",
]

Z = 1.959963984540054
"""So many standard deviations around its mean hold 95 % of a normal distribution."""


Ground = Literal["solved", "look-ahead", "rule of thumb", "toss-up"]
"""What a decision goes by: what was solved, what looks tell apart, the rule of thumb, or nothing:
most options look about as good, and no rule of thumb says which to take."""


class Weighed(NamedTuple):
    """An option, with what the looks through it came to.

    Attributes:
        name, words: the option.
        value: the mean of the objective; None where no look went there.
        low, high: the ends of its 95 % interval; equal to the value where that is exact.
        visits: how many looks. exact: the value by backward induction, where it was found.
    """

    name: str
    words: str
    value: float | None
    low: float | None
    high: float | None
    visits: int
    exact: Fraction | None = None


class Advice(NamedTuple):
    """The advice at one place.

    Attributes:
        at: the place. actor: who decides there, "" where nobody does; sign: whether they want
            the objective large (1) or small (-1).
        best: the name of the option to take, "" where there is none.
        value: what the objective comes to from here, with the best option; low, high: its
            interval. exact: the same by backward induction, where it was found.
        options: every option that comes into consideration, in the order of the book.
        looks: how many looks were taken. places: how many rules were applied.
        seed: of the throws. stopped_by: the limit that ended it; "" where it was solved.
        by: what the best option goes by.
        alike: the other options that are as good, as far as that is known.
    """

    at: At[Facts]
    actor: str
    sign: int
    best: str
    value: float
    low: float
    high: float
    exact: Fraction | None
    options: tuple[Weighed, ...]
    looks: int
    places: int
    seed: int
    stopped_by: str
    by: Ground = "look-ahead"
    alike: tuple[str, ...] = ()

    def __repr__(self) -> str:
        kind = "exact" if self.exact is not None else f"{self.low:.4g} to {self.high:.4g}"
        return f"<advice: {self.best or 'nothing to decide'}, {self.value:.4g} ({kind})>"


def are_most(alike: Sized, options: Sized) -> bool:
    """Whether options that may be as good as the best are most of the others."""
    return 2 * len(alike) > len(options) - 1 > 0


Habit = tuple[str, str, str]
"""A question and an answer: actor, what is asked, name of the option."""


class Spread:
    """Numbers that looks came to.

    Attributes:
        mean: 0 if there was none.
        scale: two standard deviations, the distance between 0 and 1 tossed by a coin; else 1.
        least, greatest: of them; infinite if there was none.
    """

    __slots__ = ("_n", "_squares", "_total", "greatest", "least", "mean", "scale")

    def __init__(self) -> None:
        self._n = 0
        self._total = self._squares = self.mean = 0.0
        self.least, self.greatest = inf, -inf
        self.scale = 1.0

    def note(self, number: float) -> None:
        """One more."""
        self._n += 1
        self._total += number
        self._squares += number * number
        self.least, self.greatest = min(self.least, number), max(self.greatest, number)
        self.mean = mean = self._total / self._n
        if self.least < self.greatest:
            self.scale = 2 * sqrt(max(0.0, self._squares / self._n - mean * mean)) or 1.0


class Tally:
    """What looks through a place, or by a habit, came to.

    Attributes:
        looks: all of them. guided, guided_squares: sums of what the guides said.
        n: those that were played to the end; total, squares: sums of what they came to.
    """

    __slots__ = ("guided", "guided_squares", "looks", "n", "squares", "total")

    def __init__(self) -> None:
        self.looks = self.n = 0
        self.guided = self.guided_squares = self.total = self.squares = 0.0

    def note(self, worth: float | None, guided: float | None) -> None:
        """One more look came to this."""
        if guided is not None:
            self.looks += 1
            self.guided += guided
            self.guided_squares += guided * guided
        if worth is not None:
            self.n += 1
            self.total += worth
            self.squares += worth * worth


class Place(Tally):
    """A place of the tree, and what the looks through it came to.

    Attributes:
        liked: the options by number, those first that the system's rule of thumb likes best;
            () where it has nothing to say.
    """

    __slots__ = ("at", "edges", "exact", "kept", "liked", "node", "options", "places", "sign")

    def __init__(self, at: At[Facts], node: Chance[Facts] | Choice[Facts] | End[Facts]) -> None:
        super().__init__()
        self.at = at
        self.node = node
        self.exact: Fraction | None = None
        self.sign = 1
        self.options: tuple[Option[Facts], ...] = ()
        self.places: list[Place | None] = []
        self.edges: list[int] = []
        self.kept: dict[object, Place] = {}
        self.liked: tuple[int, ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether it was solved, or a look through it was played to the end."""
        return self.exact is not None or self.n > 0


class Look:
    """One look on its way: the places, and what was decided.

    Attributes:
        way: the places of the tree. edges: the choices there, each with the option taken.
        taken: habits that were followed up to where the guides were asked; later: after that.
        worth: what it came to; None if it was broken off. guided: what the guides said.
    """

    __slots__ = ("edges", "far", "guided", "later", "taken", "way", "worth")

    def __init__(self, *, far: bool) -> None:
        self.far = far
        self.way: list[Place] = []
        self.edges: list[tuple[Place, int]] = []
        self.taken: list[Habit] = []
        self.later: list[Habit] = []
        self.worth: float | None = None
        self.guided: float | None = None


def mean_within(
    n: int, total: float, squares: float, ends: tuple[float, float]
) -> tuple[float, float]:
    """The 95 % interval of a mean of numbers between two ends, after Agresti and Coull.

    For numbers that are 0 or 1 it is close to Wilson's interval.

    Args:
        n: how many numbers.
        total: their sum.
        squares: the sum of their squares.
        ends: the least and the greatest number there can be, as far as is known.

    >>> [round(end, 2) for end in mean_within(100, 50, 50, (0, 1))]
    [0.4, 0.6]
    >>> [round(end, 2) for end in mean_within(3, 3, 3, (0, 1))]
    [0.38, 1]
    """
    more, (least, greatest) = Z * Z, ends
    n_all = n + more
    mean = (total + more * (least + greatest) / 2) / n_all
    second = (squares + more * (least * least + greatest * greatest) / 2) / n_all
    half = Z * sqrt(max(0.0, second - mean * mean) / n_all)
    return max(least, mean - half), min(greatest, mean + half)
