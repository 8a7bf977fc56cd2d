"""Curves: lines over an axis, with a table beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor, log10
from typing import NamedTuple

from markupsafe import Markup

from affray.core.drawing import with_classes
from affray.core.telling import escaped
from affray.web.charts.styles import HALF, STYLES, safe, text

__all__ = [
    "SHARES", "Axis", "Curve", "Line", "Point", "curve", "curve_file", "number_axis",
]  # fmt: skip

MOST_MARKS = 40
"""Points of a line that get marks of their own."""


class Point(NamedTuple):
    """A point of a line, what it is called in the table, and the interval of an estimate."""

    x: float
    y: float
    told: str
    low: float | None = None
    high: float | None = None


class Line(NamedTuple):
    """A line of a curve; its role gives color, dashes and marks."""

    name: str
    points: tuple[Point, ...]
    role: str = "one"


class Axis(NamedTuple):
    """An axis: what it shows, its ends, and the places that are labelled."""

    title: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]

    def part(self, value: float) -> float:
        """How far along a value lies, in percent."""
        return 100 * (value - self.low) / ((self.high - self.low) or 1)


SHARES = Axis("chance", 0.0, 1.0, tuple((n / 4, f"{25 * n} %") for n in range(5)))


class Curve(NamedTuple):
    """A curve as its template draws it.

    Attributes:
        name: an id for this page. title, about: what it shows.
        plot, left, below: what is in its three drawings.
        legend: each line's name with a sample of it; empty for a single line.
        head, rows: the same as a table.
    """

    name: str
    title: str
    about: str
    across: Axis
    up: Axis
    plot: Markup
    left: Markup
    below: Markup
    legend: tuple[tuple[str, Markup], ...]
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def number_axis(title: str, low: float, high: float, *, most: int = 6) -> Axis:
    """An axis of numbers from `low` to `high`, with at most so many round labels.

    >>> [told for _, told in number_axis("rounds", 1, 23).ticks]
    ['5', '10', '15', '20']
    """
    step = _step((high - low) / most)
    if float(low).is_integer() and float(high).is_integer():
        step = max(step, 1.0)
    ticks = [step * n for n in range(ceil(low / step), floor(high / step) + 1)]
    return Axis(title, low, high, tuple((tick, f"{tick:.6g}") for tick in ticks))


def _step(least: float) -> float:
    """The smallest of 1, 2, 5, 10, 20, ... that is as large, or as many tenths."""
    if least <= 0:
        return 1.0
    scale = 10.0 ** floor(log10(least))
    return next(step * scale for step in (1, 2, 5, 10) if step * scale >= least * (1 - 1e-9))


def curve(
    name: str, title: str, lines: Sequence[Line], *, across: Axis, up: Axis = SHARES,
    half: bool = False, about: str = "",
) -> Curve:  # fmt: skip
    """A curve of one or more lines.

    Args:
        name: an id that no other chart of the page has.
        title: what it shows.
        lines: the lines; each value of x is a row of the table.
        across: the axis below.
        up: the axis on the left.
        half: whether the line of 50 % is drawn.
        about: what can be seen in a sentence, for those who don't see it.
    """
    told = {(line.name, point.x): point.told for line in lines for point in line.points}
    labels = dict(across.ticks)
    rows = tuple(
        (labels.get(x, f"{x:.6g}"), *(told.get((line.name, x), "") for line in lines))
        for x in sorted({point.x for line in lines for point in line.points})
    )
    legend = tuple((line.name, safe(_sample(line.role))) for line in lines)
    return Curve(
        name, title, about or title, across, up, safe(_plot(lines, across, up, half=half)),
        safe(_left(up)), safe(_below(across)), legend if len(lines) > 1 else (),
        (across.title, *(line.name for line in lines)), rows,
    )  # fmt: skip


def _plot(lines: Sequence[Line], across: Axis, up: Axis, *, half: bool) -> Iterator[str]:
    for value, _ in up.ticks:
        y = 100 - up.part(value)
        yield f'<line x1="0" x2="100%" y1="{y:.2f}%" y2="{y:.2f}%" stroke="grid:#cccccc"/>'
    if half:
        y = 100 - up.part(HALF)
        yield (
            f'<line x1="0" x2="100%" y1="{y:.2f}%" y2="{y:.2f}%" stroke="half:#1b1f24" '
            'stroke-width="1.5"/>'
        )
    yield (
        '<svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%" '
        'overflow="visible">'
    )
    for line in lines:
        yield from _strokes(line, across, up)
    yield "</svg>"
    for line in lines:
        if len(line.points) <= MOST_MARKS:
            yield from _marks(line, across, up)


def _strokes(line: Line, across: Axis, up: Axis) -> Iterator[str]:
    style = STYLES[line.role]
    ends = [
        (across.part(point.x), up.part(point.low), up.part(point.high))
        for point in line.points
        if point.low is not None and point.high is not None
    ]
    if ends:
        band = [(x, high) for x, _, high in ends] + [(x, low) for x, low, _ in reversed(ends)]
        yield (
            f'<polygon points="{_path(band)}" fill="{line.role}:{style.color}" fill-opacity="0.2"/>'
        )
    path = _path([(across.part(point.x), up.part(point.y)) for point in line.points])
    yield (
        f'<polyline points="{path}" fill="none" stroke="{line.role}:{style.color}" '
        f'stroke-width="2.5" stroke-dasharray="{style.dash}" vector-effect="non-scaling-stroke"/>'
    )


def _path(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.3f},{100 - y:.3f}" for x, y in points)


def _marks(line: Line, across: Axis, up: Axis) -> Iterator[str]:
    style = STYLES[line.role]
    for point in line.points:
        x, y = across.part(point.x), 100 - up.part(point.y)
        words = f"{line.name}, {across.title} {point.x:.6g}: {point.told}"
        yield (
            f'<svg x="{x:.2f}%" y="{y:.2f}%" overflow="visible"><title>{text(words)}</title>'
            f'<path d="{style.mark}" fill="{line.role}:{style.color}"/></svg>'
        )


def _left(up: Axis) -> Iterator[str]:
    for value, told in up.ticks:
        y = 100 - up.part(value)
        yield f'<text x="100%" y="{y:.2f}%" dy="0.35em" text-anchor="end">{text(told)}</text>'


def _below(across: Axis) -> Iterator[str]:
    for value, told in across.ticks:
        x = across.part(value)
        yield f'<text x="{x:.2f}%" y="1.35em" text-anchor="middle">{text(told)}</text>'


def _sample(role: str) -> Iterator[str]:
    style = STYLES[role]
    yield (
        f'<line x1="0" x2="32" y1="8" y2="8" stroke="{role}:{style.color}" stroke-width="2.5" '
        f'stroke-dasharray="{style.dash}"/>'
        f'<svg x="16" y="8" overflow="visible">'
        f'<path d="{style.mark}" fill="{role}:{style.color}"/></svg>'
    )


WIDTH, HEIGHT, LEFT, TOP, ROW = 720, 420, 72, 56, 20


def curve_file(chart: Curve) -> str:
    """A curve as an SVG that needs nothing else."""
    wide, high = WIDTH - LEFT - 32, HEIGHT - TOP - 56
    bottom = HEIGHT + ROW * len(chart.legend)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom}" width="{WIDTH}" '
        f'height="{bottom}" role="img" aria-labelledby="title about" '
        'font-family="system-ui, sans-serif" font-size="13" fill="ink:#000000">',
        f'<title id="title">{text(chart.title)}</title>',
        f'<desc id="about">{text(chart.about)}</desc>',
        f'<rect width="{WIDTH}" height="{bottom}" fill="ground:#ffffff"/>',
        f'<text x="12" y="26" font-size="16" font-weight="600">{text(chart.title)}</text>',
        f'<text x="12" y="46">{text(chart.up.title)}</text>',
        f'<svg y="{TOP}" width="{LEFT - 8}" height="{high}" overflow="visible">{chart.left}</svg>',
        f'<svg x="{LEFT}" y="{TOP}" width="{wide}" height="{high}" overflow="visible">',
        str(chart.plot),
        "</svg>",
        f'<svg x="{LEFT}" y="{TOP + high + 4}" width="{wide}" height="20" overflow="visible">',
        str(chart.below),
        "</svg>",
        f'<text x="{LEFT}" y="{HEIGHT - 12}">{text(chart.across.title)}</text>',
    ]
    for number, (name, sample) in enumerate(chart.legend):
        y = HEIGHT + ROW * number - 4
        lines.append(f'<svg x="{LEFT}" y="{y}" width="32" height="16">{sample}</svg>')
        lines.append(f'<text x="{LEFT + 44}" y="{y + 12}">{text(name)}</text>')
    return escaped(with_classes("\n".join([*lines, "</svg>", ""])))
