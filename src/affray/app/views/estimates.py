"""Odds where exact was too much: bounds, or a sample with intervals."""

from __future__ import annotations

from typing import Literal

from affray.app.views.envelope import View
from affray.core.lazy import NamedTuple, dataclass
from affray.core.showing import html_table, share_within

__all__ = ["Between", "EstimatedOddsRow", "EstimatedOddsView"]


class Between(NamedTuple):
    """A number that is not known exactly.

    Attributes:
        value: the share in the sample; None where there are only bounds.
        low, high: the ends of its 95 % interval, or its exact bounds.
    """

    value: float | None
    low: float
    high: float


def _told(chance: Between) -> str:
    if chance.value is None:
        return f"{chance.low * 100:.2f} to {chance.high * 100:.2f} %"
    return share_within(chance.value, chance.low, chance.high)


class EstimatedOddsRow(NamedTuple):
    """One outcome: its probability, and those of at least and at most as much."""

    value: object
    exactly: Between
    at_least: Between | None
    at_most: Between | None


@dataclass(frozen=True)
class EstimatedOddsView(View):
    """The odds of one field, or the joint ones of several, as far as they could be known.

    Attributes:
        known: "bounds": each chance lies between its bounds, exactly; "estimate": shares of a
            sample, with intervals that hold 95 times in 100.
        settled: the probability that had ended; only of bounds. n: plays that count; only of a
            sample, with the `seed` of its dice.
        mean: of a numeric field, in a sample.
        policy: who decided what was open. why: why they are not exact. how: how they were got.
    """

    schema = "affray/odds-estimate"
    system: str
    setup: str
    title: str
    fields: tuple[str, ...]
    meaning: tuple[str, ...]
    unit: str
    given: tuple[str, ...]
    known: Literal["bounds", "estimate"]
    settled: float | None
    n: int
    seed: int | None
    rows: tuple[EstimatedOddsRow, ...]
    mean: Between | None
    policy: str
    why: str
    how: str
    remarks: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()

    def __repr__(self) -> str:
        names = ", ".join(self.fields)
        return f"<odds of {names} in {self.setup}: {self.known}, {len(self.rows)} values>"

    def _repr_html_(self) -> str:
        """Each value with the ends of its interval, for notebooks."""
        rows = ((row.value, _told(row.exactly)) for row in self.rows)
        head = (", ".join(self.fields), "chance")
        return html_table(self.title or self.setup, head, rows, f"{self.how}; {self.policy}")
