"""The view of a sweep: odds for each of several values of one number."""

from __future__ import annotations

from affray.app.views.envelope import View
from affray.app.views.exchanges import FieldStats, OddsRow
from affray.core.lazy import NamedTuple, dataclass

__all__ = ["SweepView", "SweptRow"]


class SweptRow(NamedTuple):
    """The odds where the number is `at`.

    Attributes:
        at: the number.
        rows: as in the odds. stats: of a numeric field; None: it is none, or this is refused.
        refused: why the rules or the sheet refuse this value; "": they don't.
    """

    at: int | float
    rows: tuple[OddsRow, ...]
    stats: FieldStats | None
    refused: str


@dataclass(frozen=True)
class SweepView(View):
    """The odds of an outcome field for each of several values of one number of a setup.

    Attributes:
        path: where the number stands in the setup.
        field, meaning, unit: the outcome field.
        given: conditions known to hold.
        policy: who decides what is left open, of the last value that was priced.
        values: one row for each value, in the order that was asked.
        partial: whether values are missing, since a limit was reached: `stopped_by`.
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
    partial: bool = False
    stopped_by: str = ""
