"""Results of what-ifs, as blocks: curves, bars and heat maps of what was varied."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import prod

from affray.app.views.sweeps import SweepView, SweptRow, SweptValue
from affray.core.showing import number, percent
from affray.core.telling import plain_key, value_told
from affray.web.charts.bars import Bar, bars
from affray.web.charts.curves import Axis as ChartAxis
from affray.web.charts.curves import Line, Point, curve, number_axis
from affray.web.results import Block, Grid, Result, partly
from affray.web.sweep_cells import Chances, chance_map, reading_bars
from affray.web.varied import Axis

__all__ = ["event_of", "least_of", "sweep_result"]

MOST_EVENTS = 5
ROLES = ("one", "other", "third", "fourth", "nobody")


def sweep_result(view: SweepView, axes: Sequence[Axis], least: int | None = None) -> Result:
    """The odds for each value of a number or ruling, or for each pair of two.

    Args:
        view: the odds.
        axes: what is varied, in words.
        least: the least value of a numeric field that counts as the event; None: the least above
            nothing.
    """
    rows = [row for row in view.values if not row.refused]
    events = _events(view, rows, least)
    crossing = ""
    if len(axes) == 2:
        blocks = _maps(view, events, (axes[0], axes[1]))
    elif axes[0].is_number:
        blocks, crossing = _curves(view, rows, events, axes[0])
    else:
        blocks = [
            reading_bars(_named(number), event, axes[0])
            for number, event in enumerate(events, start=1)
        ]
        blocks += _reading_means(view, rows, axes[0])
    refused = tuple((_where(row, axes), row.refused) for row in view.values if row.refused)
    what = " and ".join(axis.what for axis in axes)
    if refused:
        blocks.append(Block("grid", Grid("Values that the rules refuse", (what, "why"), refused)))
    lead = [f"{plain_key(view.field).capitalize()}: {view.meaning}."]
    lead += [f"{crossing} for {what}."] if crossing else []
    lead += [f"Given {' and '.join(view.given)}."] if view.given else []
    n_wanted = prod(len(axis.values) for axis in view.axes)
    so_far = f"{len(view.values):,} of {n_wanted:,} values were priced"
    about = [f"Open decisions: {view.policy}.", *(line for axis in axes for line in axis.about)]
    return Result(
        view.title or view.setup, "exact", tuple(lead),
        partly(view.stopped_by, so_far) if view.partial else "",
        tuple(blocks), tuple(about), "Exact, value by value.", (),
    )  # fmt: skip


def _maps(view: SweepView, events: Sequence[Chances], axes: tuple[Axis, Axis]) -> list[Block]:
    refused = {(row.at, row.across): row.refused for row in view.values if row.refused}
    return [
        block for number, event in enumerate(events, start=1)
        for block in chance_map(_named(number), event, axes, refused)
    ]  # fmt: skip


def _curves(
    view: SweepView, rows: Sequence[SweptRow], events: Sequence[Chances], axis: Axis
) -> tuple[list[Block], str]:
    """The curves of a number, and in words where a single one crosses 50 %."""
    ends = [value for value in view.axes[0].values if not isinstance(value, str)]
    across = number_axis(axis.what, min(ends), max(ends))
    lines = [
        Line(
            event.event,
            tuple(
                Point(_x(at), chance, percent(chance)) for (at, _), chance in event.found.items()
            ),
            role,
        )
        for event, role in zip(events, ROLES, strict=False)
    ]
    is_number = rows[0].stats is not None
    title = f"Chance of {lines[0].name}" if is_number else f"Chance of each outcome: {view.meaning}"
    blocks = [Block("curve", curve("chances", title, lines, across=across, half=True))]
    if is_number:
        means = tuple(
            Point(_x(row.at), float(row.stats.mean), number(row.stats.mean))
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
    return blocks, _crossing(lines) if len(lines) == 1 else ""


def _reading_means(view: SweepView, rows: Sequence[SweptRow], axis: Axis) -> list[Block]:
    """The mean of a numeric field under each reading."""
    made = [
        Bar((axis.labels[row.at], number(row.stats.mean)), max(0.0, float(row.stats.mean)),
            role="third")
        for row in rows if row.stats
    ]  # fmt: skip
    name = f"{plain_key(view.field)} on average".capitalize()
    head = ("reading", view.unit or plain_key(view.field))
    return [Block("bars", bars("means", name, head, made, scaled=True))] if made else []


def _named(number: int) -> str:
    """The name of a chart of chances; the first has no number."""
    return "chances" if number == 1 else f"chances-{number}"


def _where(row: SweptRow, axes: Sequence[Axis]) -> str:
    values = (row.at,) if row.across is None else (row.at, row.across)
    return ", ".join(axis.labels[value] for axis, value in zip(axes, values, strict=True))


def _x(at: SweptValue) -> float:
    assert not isinstance(at, str)  # the values of a number
    return at


def _wide(axis: ChartAxis) -> ChartAxis:
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


def _from(row: SweptRow, least: int) -> Fraction:
    """The chance that a numeric field is at least so large."""
    return sum(
        (
            one.exactly
            for one in row.rows
            if isinstance(one.value, (int, Fraction)) and one.value >= least
        ),
        start=Fraction(0),
    )


def _events(view: SweepView, rows: Sequence[SweptRow], least: int | None) -> list[Chances]:
    """What is counted: of a number a least value, of yes and no only yes, else each outcome."""
    if rows[0].stats is not None:
        bound = least_of(view) if least is None else least
        found = {(row.at, row.across): float(_from(row, bound)) for row in rows}
        return [Chances(event_of(view, bound), found)]
    weights: dict[str, Fraction] = {}
    for row in rows:
        for one in row.rows:
            told = value_told(one.value)
            weights[told] = weights.get(told, Fraction(0)) + one.exactly
    if set(weights) <= {"yes", "no"}:
        found = {(row.at, row.across): float(_of(row, "yes")) for row in rows}
        return [Chances(plain_key(view.field), found)]
    wanted = sorted(weights, key=lambda told: -weights[told])
    return [
        Chances(told, {(row.at, row.across): float(_of(row, told)) for row in rows})
        for told in wanted[:MOST_EVENTS]
    ]


def _of(row: SweptRow, told: str) -> Fraction:
    """The chance of an outcome."""
    return sum(
        (one.exactly for one in row.rows if value_told(one.value) == told), start=Fraction(0)
    )


def _crossing(lines: list[Line]) -> str:
    """Between which numbers a chance crosses 50 %."""
    points = lines[0].points
    for one, other in pairwise(points):
        if (one.y >= 0.5) != (other.y >= 0.5):
            return f"The chance crosses 50 % between {one.x:g} and {other.x:g}"
    return ""
