"""The view of a sweep: odds while one or two numbers or rulings are varied."""

from __future__ import annotations

from affray.app.views.envelope import View
from affray.app.views.exchanges import FieldStats, OddsRow
from affray.core.lazy import NamedTuple, dataclass

__all__ = ["SweepView", "SweptAxis", "SweptRow", "SweptValue"]

SweptValue = int | float | str
"""A number, or the name of a reading."""


class SweptAxis(NamedTuple):
    """What is varied: a number by its path in the setup, or `rulings.NAME`; and its values."""

    path: str
    values: tuple[SweptValue, ...]


class SweptRow(NamedTuple):
    """The odds of one value, or of a pair of two.

    Attributes:
        at: the number or reading.
        rows: as in the odds. stats: of a numeric field; None: it is none, or this is refused.
        refused: why the rules or the sheet refuse this value; "": they don't.
        across: the value on the second axis; None: there is none.
    """

    at: SweptValue
    rows: tuple[OddsRow, ...]
    stats: FieldStats | None
    refused: str
    across: SweptValue | None = None


@dataclass(frozen=True)
class SweepView(View):
    """The odds of an outcome field while one or two numbers or rulings of a setup are varied.

    Attributes:
        path: what is varied, on the first axis.
        field, meaning, unit: the outcome field.
        given: conditions known to hold.
        policy: who decides what is left open, of the last value that was priced.
        values: one row for each value or pair, in the order that was asked.
        axes: what is varied, one or two, with all values that were asked for.
        partial: whether values are missing, as it goes on or a limit was reached: `stopped_by`.
    """

    schema = "affray/sweep"

    system: str
    setup: str
    title: str
    path: str
    field: str
    meaning: str
    unit: str
    given: tuple[str, ...]
    policy: str
    values: tuple[SweptRow, ...]
    axes: tuple[SweptAxis, ...]
    partial: bool = False
    stopped_by: str = ""
