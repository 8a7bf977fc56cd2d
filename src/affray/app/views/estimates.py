"""Odds and duels where exact was too much: bounds, or a sample with intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from affray.app.views.envelope import View
from affray.app.views.fights import Estimate, SideRow
from affray.core.showing import html_table

__all__ = ["Between", "EstimatedDuelView", "EstimatedOddsRow", "EstimatedOddsView"]


class Between(NamedTuple):
    """A number that is not known exactly.

    Attributes:
        value: the share in the sample; None where there are only bounds.
        low, high: the ends of its 95 % interval, or its exact bounds.
    """

    value: float | None
    low: float
    high: float


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
        rows = (
            (row.value, f"{row.exactly.low:.2%} to {row.exactly.high:.2%}") for row in self.rows
        )
        head = (", ".join(self.fields), "chance")
        return html_table(self.title or self.setup, head, rows, f"{self.how}; {self.policy}")


@dataclass(frozen=True)
class EstimatedDuelView(View):
    """A duel that could not be worked out within its budget: battles of the two, fought.

    `won`, `drawn`, `ended` (by rule; `over` says which) and `stalled` (called off after round
    `limit`) are shares of `n` battles, with Wilson's intervals. `sides` say by which policies they
    were fought; `instead` names a policy that battles can't follow, "" where they follow all.
    `why` says why the duel is not worked out.
    """

    schema = "affray/duel-estimate"
    system: str
    setup: str
    title: str
    sides: tuple[SideRow, SideRow]
    first: str
    limit: int
    objective: str
    rulings: dict[str, str]
    known: Literal["estimate"]
    won: tuple[Estimate, Estimate]
    drawn: Estimate
    ended: Estimate
    stalled: Estimate
    over: str
    rounds: Estimate
    n: int
    seed: int
    stopped_by: str
    instead: str
    why: str
    how: str
    assumed: tuple[str, ...] = ()

    def __repr__(self) -> str:
        one, other = (
            f"{side.name} wins {share.low:.1%} to {share.high:.1%}"
            for side, share in zip(self.sides, self.won, strict=True)
        )
        return f"<estimated duel: {one}, {other}; {self.n:,} battles>"

    def _repr_html_(self) -> str:
        """Who wins, with intervals, for notebooks."""
        rows = (
            (side.name, f"{share.value:.1%}", f"{share.low:.1%} to {share.high:.1%}")
            for side, share in zip(self.sides, self.won, strict=True)
        )
        head = ("won by", "chance", "95 % interval")
        return html_table(self.title or self.setup, head, rows, self.how)
