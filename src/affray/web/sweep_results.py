"""Results of what-ifs, as blocks: odds for each value of a number."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from affray.app.views.sweeps import SweepView, SweptRow
from affray.core.showing import number, percent
from affray.core.telling import plain_key, value_told
from affray.web.charts import Axis, Line, Point, curve, number_axis
from affray.web.results import Block, Grid, Result, partly

__all__ = ["event_of", "least_of", "sweep_result"]

MOST_LINES = 5
ROLES = ("one", "other", "third", "fourth", "nobody")


def sweep_result(view: SweepView, what: str, least: int | None = None) -> Result:
    """The odds for each value of a number.

    Args:
        view: the odds.
        what: the number, in words.
        least: the least value of a numeric field that counts as the event; None: the least above
            nothing.
    """
    rows = [row for row in view.values if not row.refused]
    across = number_axis(what, min(row.at for row in rows), max(row.at for row in rows))
    blocks: list[Block] = []
    if rows[0].stats is None:
        lines = _lines(rows)
        title = f"Chance of each outcome: {view.meaning}"
    else:
        bound = least_of(view) if least is None else least
        points = tuple(
            Point(row.at, float(p), percent(p))
            for row in rows
            if (p := _from(row, bound)) is not None
        )
        lines = [Line(event_of(view, bound), points)]
        title = f"Chance of {event_of(view, bound)}"
    blocks.append(Block("curve", curve("chances", title, lines, across=across, half=True)))
    if rows[0].stats is not None:
        means = tuple(
            Point(row.at, float(row.stats.mean), number(row.stats.mean))
            for row in rows
            if row.stats
        )
        most = max(point.y for point in means)
        least_mean = min(0.0, *(point.y for point in means))
        up = number_axis(view.unit or plain_key(view.field), least_mean, most or 1.0, most=5)
        name = f"{plain_key(view.field)} on average"
        chart = curve(
            "means", name.capitalize(), [Line(name, means, "third")], across=across, up=_wide(up)
        )
        blocks.append(Block("curve", chart))
    refused = tuple((f"{row.at:g}", row.refused) for row in view.values if row.refused)
    if refused:
        blocks.append(Block("grid", Grid("Values that the rules refuse", (what, "why"), refused)))
    crossing = _crossing(lines) if len(lines) == 1 else ""
    lead = [f"{plain_key(view.field).capitalize()}: {view.meaning}."]
    lead += [f"{crossing} for {what}."] if crossing else []
    lead += [f"Given {' and '.join(view.given)}."] if view.given else []
    return Result(
        view.title or view.setup, "exact", tuple(lead),
        partly(view.stopped_by, f"{len(view.values):,} values were priced") if view.partial else "",
        tuple(blocks), (f"Open decisions: {view.policy}.",), "Exact, value by value.", (),
    )  # fmt: skip


def _wide(axis: Axis) -> Axis:
    return axis if axis.high > axis.low else axis._replace(high=axis.low + 1)


def least_of(view: SweepView) -> int:
    """The least value of a numeric field that is more than nothing."""
    found = [
        value for row in view.values for one in row.rows
        if isinstance(value := one.value, int) and value > 0
    ]  # fmt: skip
    return min(found, default=1)


def event_of(view: SweepView, least: int) -> str:
    """What is counted of a numeric field."""
    unit = f" {view.unit.removesuffix('s') if least == 1 else view.unit}" if view.unit else ""
    return f"at least {least}{unit} of {plain_key(view.field)}"


def _from(row: SweptRow, least: int) -> Fraction | None:
    """The chance that a numeric field is at least so large."""
    return sum(
        (
            one.exactly
            for one in row.rows
            if isinstance(one.value, (int, Fraction)) and one.value >= least
        ),
        start=Fraction(0),
    )


def _lines(rows: list[SweptRow]) -> list[Line]:
    """A line for each outcome of a field that is no number; of yes and no only yes."""
    weights: dict[str, Fraction] = {}
    for row in rows:
        for one in row.rows:
            told = value_told(one.value)
            weights[told] = weights.get(told, Fraction(0)) + one.exactly
    wanted = (
        ["yes"]
        if set(weights) <= {"yes", "no"}
        else sorted(weights, key=lambda told: -weights[told])
    )
    lines = []
    for told, role in zip(wanted[:MOST_LINES], ROLES, strict=False):
        points = []
        for row in rows:
            chance = sum(
                (one.exactly for one in row.rows if value_told(one.value) == told),
                start=Fraction(0),
            )
            points.append(Point(row.at, float(chance), percent(chance)))
        lines.append(Line(told, tuple(points), role))
    return lines


def _crossing(lines: list[Line]) -> str:
    """Between which numbers a chance crosses 50 %."""
    points = lines[0].points
    for one, other in pairwise(points):
        if (one.y >= 0.5) != (other.y >= 0.5):
            return f"The chance crosses 50 % between {one.x:g} and {other.x:g}"
    return ""
