"""Numbers for people: percentages that don't lie, and small tables for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil

from affray.core.telling import escaped

__all__ = ["MOST_ROWS", "html_table", "percent", "share_told", "share_within"]

MOST_ROWS = 40
"""Rows of a table in a notebook; how many are left out is told."""
MOST_OF_A_CELL = 200
NOTHING = 1e-9
"""A share of a sample that is nothing but what comes of rounding in a computer."""


def percent(chance: Fraction | float) -> str:
    """A probability as a percentage that never says 0 or 100 for what is neither.

    >>> percent(Fraction(1, 3)), percent(Fraction(0)), percent(Fraction(1))
    ('33.33 %', '0 %', '100 %')
    >>> percent(Fraction(1, 1000000)), percent(Fraction(999999, 1000000))
    ('<0.01 %', '>99.99 %')
    """
    if chance == 0:
        return "0 %"
    if chance == 1:
        return "100 %"
    shown = f"{float(chance) * 100:.2f}"
    if shown == "0.00":
        return "<0.01 %"
    return ">99.99 %" if shown == "100.00" else f"{shown} %"


def share_told(value: float, low: float, high: float, *, digits: int = 2) -> str:
    """A share of a sample as a percentage; what came up never or always is told as a bound.

    No sample shows that something can't be. Of what never came up in n cases, the interval ends
    at the chance with which it would stay away 5 times in 100: 1 - 0.05 ** (1 / n), which is
    about 3 / n (the rule of three). Bounds are rounded outwards.

    >>> share_told(0, 0, 0.0582), share_told(1, 0.9418, 1)
    ('<5.82 %', '>94.18 %')
    >>> share_told(0, 0, 0.0582, digits=0), share_told(0.002, 0.001, 0.004, digits=0)
    ('<6 %', '0.2 %')
    >>> share_told(0, 0, 0), share_told(0.25, 0.2, 0.3)
    ('0 %', '25.00 %')

    Args:
        value: the share.
        low: the lower end of its 95 % interval; as much as the value where that is exact.
        high: the upper end.
        digits: behind the point; more where they would leave nothing.
    """
    if low == high:
        return percent(value)
    if value < NOTHING:
        bound, places = _outward(high, digits)
        return f"<{bound:.{places}f} %"
    if value > 1 - NOTHING:
        bound, places = _outward(1 - low, digits)
        return f">{100 - bound:.{places}f} %"
    shown = f"{value * 100:.{digits}f}"
    while float(shown) in {0, 100}:
        digits += 1
        shown = f"{value * 100:.{digits}f}"
    return f"{shown} %"


def _outward(bound: float, digits: int) -> tuple[float, int]:
    """A bound in percent, rounded up, and its digits behind the point: one more if it is small."""
    places = digits if bound * 100 * 10**digits >= 1 else digits + 1
    scale = 10**places
    return ceil(bound * 100 * scale - NOTHING) / scale, places


def share_within(value: float, low: float, high: float, *, digits: int = 2) -> str:
    """A share of a sample with its interval; a bound or an exact share says it all.

    >>> share_within(0.25, 0.2, 0.3), share_within(0, 0, 0.0582)
    ('25.00 % (20.00 to 30.00)', '<5.82 %')
    """
    told = share_told(value, low, high, digits=digits)
    if low == high or not NOTHING <= value <= 1 - NOTHING:
        return told
    return f"{told} ({low * 100:.{digits}f} to {high * 100:.{digits}f})"


def html_table(
    title: str, head: Sequence[str], rows: Iterable[Sequence[object]], note: str = ""
) -> str:
    """A small table as HTML, every text escaped.

    >>> html_table("Hits", ("chance",), [("<0.01 %",)]).partition("</caption>")[2]
    '<tr><th>chance</th></tr><tr><td>&lt;0.01 %</td></tr></table>'

    Args:
        title: what it shows.
        head: the heads of its columns.
        rows: as many cells each.
        note: a sentence below it.
    """
    lines = [f"<table><caption>{_safe(title)}</caption>", _row("th", head)]
    more = 0
    for number, row in enumerate(rows):
        if number < MOST_ROWS:
            lines.append(_row("td", row))
        else:
            more += 1
    lines.append("</table>")
    told = f"and {more:,} more rows" if more else ""
    below = "; ".join(filter(None, (told, note)))
    return "".join([*lines, f"<p>{_safe(below)}</p>" if below else ""])


def _row(tag: str, cells: Sequence[object]) -> str:
    return f"<tr>{''.join(f'<{tag}>{_safe(cell)}</{tag}>' for cell in cells)}</tr>"


def _safe(value: object) -> str:
    from html import escape  # only where somebody looks

    text = str(value)
    cut = text if len(text) <= MOST_OF_A_CELL else f"{text[:MOST_OF_A_CELL]}..."
    return escape(escaped(cut))
