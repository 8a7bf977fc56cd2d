"""Odds as CSV: a row for each outcome."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any

from affray.app.views.csv_tables import text_cell
from affray.web.odds_rows import plain_value

__all__ = ["odds_csv"]

CHANCES = ("exactly", "at_least", "at_most")


def odds_csv(view: Mapping[str, Any]) -> str:
    """The JSON of exact or estimated odds as CSV.

    Each chance of exact odds has a column with the fraction; one of an estimate has columns with
    the ends of its interval.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    is_exact = "known" not in view
    ends = ("fraction",) if is_exact else ("low", "high")
    head = [column for name in CHANCES for column in (name, *(f"{name}_{end}" for end in ends))]
    writer.writerow([*view["fields"], *head])
    for row in view["rows"]:
        values = row["value"] if len(view["fields"]) > 1 else [row["value"]]
        chances = [cell for name in CHANCES for cell in _cells(row[name], exact=is_exact)]
        writer.writerow([*(text_cell(plain_value(value)) for value in values), *chances])
    return text.getvalue()


def _cells(chance: Any, *, exact: bool) -> Iterator[object]:
    if exact:
        yield "" if chance is None else chance["float"]
        yield "" if chance is None else f"{chance['numerator']}/{chance['denominator']}"
        return
    for key in ("value", "low", "high"):
        yield "" if chance is None or chance[key] is None else chance[key]
