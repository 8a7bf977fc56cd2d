"""Charts of the page: curves, bars and heat maps, each of which is a table as well.

Bars and heat maps are tables whose cells are drawn on; what is seen is what is read aloud. A curve
is a drawing with a table beside it. Text is never scaled: places in a drawing are in percent of it,
and only lines are stretched. Colors have roles, as in `affray.core.drawing`: a page overrides them
by its classes, a file of its own keeps them. Nothing is told by color alone: lines differ by dashes
and marks, an estimate has a dashed, pale bar with its interval, a cell holds its number.

Templates draw them by `charts.curve(...)`, `charts.bars(...)` and `charts.heat(...)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape as html_escape
from itertools import pairwise
from math import ceil, floor, log10
from typing import NamedTuple

from markupsafe import Markup

from affray.core.drawing import with_classes
from affray.core.telling import escaped

__all__ = [
    "SHARES", "Axis", "Bar", "Bars", "Curve", "Heat", "HeatCell", "Line", "Point", "bars",
    "curve", "curve_file", "heat", "number_axis",
]  # fmt: skip

MOST_MARKS = 40
"""Points of a line that get marks of their own."""
HALF = 0.5


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


class _Style(NamedTuple):
    color: str
    dash: str
    mark: str


CIRCLE = "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z"
STYLES = {
    "one": _Style("#0072b2", "", CIRCLE),
    "other": _Style("#d55e00", "7 4", "M-4-4h8v8h-8z"),
    "nobody": _Style("#8a8a8a", "2 3", "M0-5 5 0 0 5-5 0z"),
    "third": _Style("#009e73", "10 3 2 3", "M0-5 5 4h-10z"),
    "fourth": _Style("#cc79a7", "4 2 4 6", "M0 5 5-4h-10z"),
}
"""Colors of Okabe and Ito, and what tells lines apart without color."""


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
    legend = tuple((line.name, _safe(_sample(line.role))) for line in lines)
    return Curve(
        name, title, about or title, across, up, _safe(_plot(lines, across, up, half=half)),
        _safe(_left(up)), _safe(_below(across)), legend if len(lines) > 1 else (),
        (across.title, *(line.name for line in lines)), rows,
    )  # fmt: skip


def _safe(parts: Iterable[str]) -> Markup:
    """SVG of ours, whose texts are escaped already."""
    return Markup(with_classes(escaped("".join(parts))))


def _text(text: str) -> str:
    return html_escape(text, quote=False)


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
            f'<svg x="{x:.2f}%" y="{y:.2f}%" overflow="visible"><title>{_text(words)}</title>'
            f'<path d="{style.mark}" fill="{line.role}:{style.color}"/></svg>'
        )


def _left(up: Axis) -> Iterator[str]:
    for value, told in up.ticks:
        y = 100 - up.part(value)
        yield f'<text x="100%" y="{y:.2f}%" dy="0.35em" text-anchor="end">{_text(told)}</text>'


def _below(across: Axis) -> Iterator[str]:
    for value, told in across.ticks:
        x = across.part(value)
        yield f'<text x="{x:.2f}%" y="1.35em" text-anchor="middle">{_text(told)}</text>'


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
        f'<title id="title">{_text(chart.title)}</title>',
        f'<desc id="about">{_text(chart.about)}</desc>',
        f'<rect width="{WIDTH}" height="{bottom}" fill="ground:#ffffff"/>',
        f'<text x="12" y="26" font-size="16" font-weight="600">{_text(chart.title)}</text>',
        f'<text x="12" y="46">{_text(chart.up.title)}</text>',
        f'<svg y="{TOP}" width="{LEFT - 8}" height="{high}" overflow="visible">{chart.left}</svg>',
        f'<svg x="{LEFT}" y="{TOP}" width="{wide}" height="{high}" overflow="visible">',
        str(chart.plot),
        "</svg>",
        f'<svg x="{LEFT}" y="{TOP + high + 4}" width="{wide}" height="20" overflow="visible">',
        str(chart.below),
        "</svg>",
        f'<text x="{LEFT}" y="{HEIGHT - 12}">{_text(chart.across.title)}</text>',
    ]
    for number, (name, sample) in enumerate(chart.legend):
        y = HEIGHT + ROW * number - 4
        lines.append(f'<svg x="{LEFT}" y="{y}" width="32" height="16">{sample}</svg>')
        lines.append(f'<text x="{LEFT + 44}" y="{y + 12}">{_text(name)}</text>')
    return escaped(with_classes("\n".join([*lines, "</svg>", ""])))


# -- bars --------------------------------------------------------------------------------------


class Bar(NamedTuple):
    """A row with a bar.

    Attributes:
        cells: what stands in the row, the label first.
        share: the length of the bar, from 0 to 1.
        low, high: the interval of an estimate.
        role: of whom.
    """

    cells: tuple[str, ...]
    share: float
    low: float | None = None
    high: float | None = None
    role: str = "one"

    @property
    def drawing(self) -> Markup:
        """What is in the drawing of the bar."""
        return _safe(_bar(self))


class Bars(NamedTuple):
    """A table whose rows end with bars; `head` names all columns but that of the bars."""

    name: str
    title: str
    head: tuple[str, ...]
    rows: tuple[Bar, ...]
    note: str = ""


def bars(
    name: str, title: str, head: Sequence[str], rows: Iterable[Bar], *, scaled: bool = False,
    note: str = "",
) -> Bars:  # fmt: skip
    """A table with bars.

    Args:
        name: an id that no other chart of the page has.
        title: what it shows.
        head: names of all columns but that of the bars.
        rows: its rows.
        scaled: whether the longest bar takes all the room; else a bar of 1 does.
        note: a sentence below it.
    """
    kept = tuple(rows)
    most = max((row.high or row.share for row in kept), default=0.0)
    if scaled and most:
        kept = tuple(
            row._replace(
                share=row.share / most,
                low=None if row.low is None else row.low / most,
                high=None if row.high is None else row.high / most,
            )
            for row in kept
        )
    return Bars(name, title, tuple(head), kept, note)


def _bar(row: Bar) -> Iterator[str]:
    style = STYLES[row.role]
    long = f"{100 * row.share:.2f}%"
    yield '<rect width="100%" height="100%" fill="track:#e4e1d9"/>'
    if row.low is None or row.high is None:
        yield f'<rect width="{long}" height="100%" fill="{row.role}:{style.color}"/>'
        return
    low, high = f"{100 * row.low:.2f}%", f"{100 * row.high:.2f}%"
    yield (
        f'<rect width="{long}" height="100%" fill="{row.role}:{style.color}" fill-opacity="0.45" '
        f'stroke="{row.role}:{style.color}" stroke-dasharray="4 3"/>'
        f'<line x1="{low}" x2="{high}" y1="50%" y2="50%" stroke="ink:#1b1f24" stroke-width="2"/>'
        f'<line x1="{low}" x2="{low}" y1="20%" y2="80%" stroke="ink:#1b1f24" stroke-width="2"/>'
        f'<line x1="{high}" x2="{high}" y1="20%" y2="80%" stroke="ink:#1b1f24" stroke-width="2"/>'
    )


# -- heat maps ---------------------------------------------------------------------------------


class HeatCell(NamedTuple):
    """A cell: its text, the share that colors it (None: there is none), and all of it in words."""

    told: str
    share: float | None
    words: str
    kind: str = ""


class Heat(NamedTuple):
    """A table with colored cells; where a thick line runs between two, 50 % lies between them."""

    name: str
    title: str
    corner: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[HeatCell, ...]], ...]
    note: str = ""


def heat(
    name: str, title: str, corner: str, columns: Sequence[str],
    rows: Sequence[tuple[str, Sequence[HeatCell]]], *, note: str = "",
) -> Heat:  # fmt: skip
    """A heat map with the line of 50 %.

    Args:
        name: an id that no other chart of the page has.
        title: what it shows.
        corner: what rows and columns are.
        columns: their names.
        rows: the name of each row, and its cells; all as long as the columns.
        note: a sentence below it.
    """
    below = [cells for _, cells in rows[1:]] + [()]
    made = tuple(
        (label, tuple(_kinds(cells, under)))
        for (label, cells), under in zip(rows, below, strict=True)
    )
    return Heat(name, title, corner, tuple(columns), made, note)


def _kinds(cells: Sequence[HeatCell], under: Sequence[HeatCell]) -> Iterator[HeatCell]:
    """Cells with their classes: ten steps of color, and where the line of 50 % runs."""
    right = {place for place, pair in enumerate(pairwise(cells)) if _crosses(*pair)}
    down = {place for place, pair in enumerate(zip(cells, under, strict=False)) if _crosses(*pair)}
    for place, cell in enumerate(cells):
        kinds = ["heat-none" if cell.share is None else f"heat-{min(9, int(cell.share * 10))}"]
        kinds += ["half-right"] if place in right else []
        kinds += ["half-below"] if place in down else []
        yield cell._replace(kind=" ".join(kinds))


def _crosses(one: HeatCell, other: HeatCell) -> bool:
    if one.share is None or other.share is None:
        return False
    return (one.share >= HALF) != (other.share >= HALF)
