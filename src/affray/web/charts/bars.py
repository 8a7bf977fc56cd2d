"""Bars: tables whose rows end with a bar."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup

from affray.web.charts.styles import STYLES, safe

__all__ = ["Bar", "Bars", "bars"]


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
        return safe(_bar(self))


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
