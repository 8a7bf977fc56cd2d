"""Fights and what-ifs as CSV: every number of a view in one table, a row each."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from functools import singledispatch

from affray.app.views.envelope import View
from affray.app.views.estimated_duels import EstimatedDuelView
from affray.app.views.fights import BattleView, CompareView, DuelView, Estimate, MatrixView
from affray.app.views.sweeps import SweepView
from affray.core.telling import escaped, value_told

__all__ = ["COLUMNS", "text_cell", "to_csv"]

COLUMNS = ("table", "side", "item", "measure", "value", "low", "high")
"""The columns: table of the view, side or outcome, subject (a round, a fighter, ...), measure, the
number, and the ends of its 95 % interval where it is an estimate, or its exact bounds."""

Row = tuple[object, ...]


def to_csv(view: View) -> str:
    """A view as CSV, with a line of column names; control characters in names are escaped.

    Raises:
        TypeError: a view that has no CSV form.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in _rows(view):
        cells = (text_cell(cell) if isinstance(cell, str) else cell for cell in row)
        writer.writerow([*cells, *[""] * (len(COLUMNS) - len(row))])
    return text.getvalue()


NUMBER = re.compile(r"[+-]?\d+(/\d+|\.\d+)?")


def text_cell(text: str) -> str:
    r"""A text as a cell: control characters are escaped, and no spreadsheet computes it.

    >>> text_cell("=1+1"), text_cell("-2"), text_cell("a\x1bb")
    ("'=1+1", '-2', 'a\\x1bb')
    """
    is_formula = text.startswith(("=", "+", "-", "@")) and not NUMBER.fullmatch(text)
    return "'" * is_formula + escaped(text)


@singledispatch
def _rows(view: View) -> Iterator[Row]:
    raise TypeError(f"{type(view).__name__} has no CSV form")


@_rows.register
def _estimated_duel(view: EstimatedDuelView) -> Iterator[Row]:
    names = [side.name for side in view.sides]
    for name, share in zip(names, view.won, strict=True):
        yield "result", name, "", "wins", *share
    for key in ("drawn", "ended", "stalled", "rounds"):
        yield "result", "", "", key, *getattr(view, key)
    if view.certain is not None:
        for name, bounds in zip(names, view.certain.won, strict=True):
            yield "certain", name, "", "wins", "", *bounds
        for key in ("drawn", "ended", "stalled"):
            yield "certain", "", "", key, "", *getattr(view.certain, key)
    if view.best is not None:
        yield "certain", names[0], "", "best play", "", *view.best


@_rows.register
def _duel(view: DuelView) -> Iterator[Row]:
    names = [side.name for side in view.sides]
    for name, chance in zip(names, view.won, strict=True):
        yield "result", name, "", "wins", chance
    for key in ("drawn", "ended", "endless", "stalled"):
        yield "result", "", "", key, getattr(view, key)
    yield "result", "", "", "rounds", "" if view.rounds is None else view.rounds
    for name, start, left in zip(names, view.start, view.left, strict=True):
        yield "result", name, "", "points at the start", start
        yield "result", name, "", "points left if it wins", "" if left is None else left
    for name, points in zip(names, view.points, strict=True):
        yield "result", name, "", "points left", "" if points.mean is None else points.mean
        for number, chance in points.chances:
            yield "points left", name, number, "chance", chance
    for row in view.by_round:
        yield "rounds", "", row.number, "ends", row.ends
        yield "rounds", "", row.number, "going_on", row.going_on
        for name, chance in zip(names, row.won, strict=True):
            yield "rounds", name, row.number, "has won", chance
        yield "rounds", "", row.number, "drawn", row.drawn
        yield "rounds", "", row.number, "ended", row.ended
    for spent in view.resources:
        yield "resources", names[spent.side], spent.name, "start", spent.start
        yield (
            "resources",
            names[spent.side],
            spent.name,
            "left",
            "" if spent.left is None else spent.left,
        )
    for name, fates in zip(names, view.fates, strict=True):
        for fate, chance in fates.items():
            yield "fates", name, fate, "chance", chance
    for case in view.cases:
        yield "cases", "", case.name, "chance", float(case.chance)
        for name, chance in zip(names, case.won, strict=True):
            yield "cases", name, case.name, "wins", chance
        for key in ("drawn", "ended", "endless", "stalled"):
            yield "cases", "", case.name, key, getattr(case, key)
        yield "cases", "", case.name, "rounds", "" if case.rounds is None else case.rounds


@_rows.register
def _battle(view: BattleView) -> Iterator[Row]:
    names = [side.name for side in view.sides]
    yield "result", "", "", "battles", view.n
    yield "result", "", "", "seed", view.seed
    for name, won in zip(names, view.won, strict=True):
        yield "result", name, "", "wins", *won
    for key in ("drawn", "ended", "stalled", "rounds"):
        yield "result", "", "", key, *getattr(view, key)
    for round_, battles in view.histogram:
        yield "rounds", "", round_, "battles", battles
    for row in view.survivors:
        yield "survivors", names[row.side], row.standing, "battles", row.battles
    for met in view.fates:
        yield "fates", names[met.side], f"{met.fighters} {met.fate}", "battles", met.battles
    for fighter in view.fighters:
        for key in ("survives", "dealt", "taken", "share", "outs"):
            estimate: Estimate = getattr(fighter, key)
            yield "fighters", names[fighter.side], fighter.name, key, *estimate
        for fate, chance in fighter.fates.items():
            yield "fighters", names[fighter.side], fighter.name, fate, *chance


@_rows.register
def _comparison(view: CompareView) -> Iterator[Row]:
    for letter, battle in zip("AB", view.battles, strict=True):
        for row in _battle(battle):
            yield f"{letter} {row[0]}", *row[1:]
    yield "difference", "", "", "the first side wins", *view.won
    yield "difference", "", "", "rounds", *view.rounds


@_rows.register
def _matrix(view: MatrixView) -> Iterator[Row]:
    for cell in view.cells:
        wins: tuple[object, ...] = ("", "", "") if cell.wins is None else cell.wins
        yield "pairs", cell.row, cell.column, "wins", *wins


@_rows.register
def _sweep(view: SweepView) -> Iterator[Row]:
    for swept in view.values:
        where = "" if swept.across is None else f" at {view.axes[1].path}={swept.across}"
        if swept.stats is not None:
            yield f"mean{where}", view.field, swept.at, "mean", float(swept.stats.mean)
        for row in swept.rows:
            told = value_told(row.value)
            yield f"odds{where}", told, swept.at, "exactly", float(row.exactly)
            if row.at_least is not None:
                yield f"odds{where}", told, swept.at, "at least", float(row.at_least)
