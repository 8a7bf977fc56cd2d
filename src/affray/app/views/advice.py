"""Advice at a decision: what each option is worth, and how that is known."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from affray.app.views.envelope import View
from affray.core.lazy import NamedTuple, dataclass
from affray.core.showing import html_table, percent

__all__ = [
    "AdviceView", "AdvisedRow", "BoundedRow", "Certain", "EstimatedBestView", "EstimatedRow",
    "Known",
]  # fmt: skip

Known = Literal["exact", "estimate"]
"""How a number is known: worked out exactly, or estimated from a sample."""


class AdvisedRow(NamedTuple):
    """An option with what it is worth to the objective.

    Attributes:
        name, words, spends: the option.
        known: whether its value is exact or an estimate; "" where nobody looked.
        value: the value; None where nobody looked. low, high: its 95 % interval, of no width
            where it is exact. fraction: the exact value as a fraction.
        cost: how much worse it is than the best one; below zero where the best one was tried
            more often, but with less luck.
        visits: how many looks ahead began with it.
    """

    name: str
    words: str
    spends: int
    known: Known | Literal[""]
    value: float | None
    low: float | None
    high: float | None
    fraction: Fraction | None
    cost: Fraction | float | None
    visits: int


@dataclass(frozen=True)
class AdviceView(View):
    """Advice at the decision that a game waits for.

    `best` is the option to take, "" where no decision is waited for; `known` tells whether all is
    exact or an estimate, and `how` says so in a sentence. `by` is what the best option goes by:
    "solved", "look-ahead", "rule of thumb" or "toss-up"; `alike` are the other options that are as
    good, as far as that is known. `value`, `low` and `high` are of the
    objective from here on, with the best option. `wants` tells whether the one who decides wants
    more of it or less. `in_fight` is the same decision, inside an exchange of a fight, with the
    chance to win the fight in view; None where that is what this tells, or where it isn't known.
    """

    schema = "affray/advice"
    system: str
    setup: str
    title: str
    objective: str
    meaning: str
    actor: str
    wants: Literal["more", "less"]
    ask: str
    step: str
    clauses: tuple[str, ...]
    known: Known
    best: str
    value: float
    low: float
    high: float
    fraction: Fraction | None
    options: tuple[AdvisedRow, ...]
    looks: int
    seed: int
    stopped_by: str
    how: str
    remarks: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    by: str = "solved"
    alike: tuple[str, ...] = ()
    in_fight: AdviceView | None = None

    def __repr__(self) -> str:
        told = f"{self.best}, " if self.best else ""
        return (
            f"<advice in {self.setup} for {self.objective}: {told}{self.value:.4g}, {self.known}>"
        )

    def _repr_html_(self) -> str:
        """Each option with its value, for notebooks."""
        rows = (
            (
                row.name,
                _short(row.value),
                "" if row.known == "exact" else _interval(row),
                row.visits,
            )
            for row in self.options
        )
        head = ("option", self.objective, "95 %", "looks")
        return html_table(self.title or self.setup, head, rows, self.how)


class EstimatedRow(NamedTuple):
    """A decision that looks ahead met, with its advice.

    Attributes:
        about: what the one who decides looks at. reached: the share of the looks that came here.
        others as in `AdviceView`.
    """

    step: str
    actor: str
    wants: Literal["more", "less"]
    ask: str
    clauses: tuple[str, ...]
    about: tuple[tuple[str, object], ...]
    reached: float
    best: str
    options: tuple[AdvisedRow, ...]


class BoundedRow(NamedTuple):
    """An option: what it is worth under best play, at least and at most; None: no bound."""

    name: str
    least: float | None
    most: float | None


class Certain(NamedTuple):
    """What is certain under best play, whatever looks ahead came to.

    Attributes:
        least, most: what the objective comes to; None: no bound.
        options: the same for every option of the first decision, if that comes before dice.
        best: the option that is certainly best; "" where none is certain.
    """

    least: float | None
    most: float | None
    options: tuple[BoundedRow, ...]
    best: str


@dataclass(frozen=True)
class EstimatedBestView(View):
    """Advice where the best options could not be worked out: the next decisions, by look-ahead.

    Where dice come first, `decisions` are those that looks ahead came to most often. `certain` is
    known besides, None where that is nothing. `why` says why it is no exact solution.
    """

    schema = "affray/best-estimate"
    version = 2
    system: str
    setup: str
    title: str
    objective: str
    meaning: str
    threshold: Fraction
    known: Known
    value: float
    low: float
    high: float
    decisions: tuple[EstimatedRow, ...]
    certain: Certain | None
    looks: int
    seed: int
    stopped_by: str
    why: str
    how: str
    remarks: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return (
            f"<estimated best {self.objective} in {self.setup}: {self.value:.4g}, "
            f"{self.low:.4g} to {self.high:.4g}>"
        )

    def _repr_html_(self) -> str:
        """The advice at each decision, for notebooks."""
        rows = ((row.step, row.actor, row.best, percent(row.reached)) for row in self.decisions)
        head = ("decision", "who", "best", "reached")
        return html_table(f"{self.title or self.setup}: {self.meaning}", head, rows, self.how)


def _short(number: float | None) -> str:
    return "" if number is None else f"{number:.4g}"


def _interval(row: AdvisedRow) -> str:
    return "" if row.low is None else f"{_short(row.low)} to {_short(row.high)}"
