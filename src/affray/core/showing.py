"""Numbers for people: percentages that don't lie, and small tables for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil

from affray.core.telling import escaped

__all__ = [
    "MOST_ROWS", "exactly", "html_table", "number", "one_in", "percent", "share_told",
    "share_within", "shares",
]  # fmt: skip

MOST_ROWS = 40
"""Rows of a table in a notebook; how many are left out is told."""
MOST_OF_A_CELL = 200
NOTHING = 1e-9
"""A share of a sample that is nothing but what comes of rounding in a computer."""


def percent(chance: Fraction | float, digits: int = 2) -> str:
    """A probability as a percentage that never says 0 or 100 for what is neither.

    >>> percent(Fraction(1, 3)), percent(Fraction(0)), percent(Fraction(1))
    ('33.33 %', '0 %', '100 %')
    >>> percent(Fraction(1, 1000000)), percent(Fraction(999999, 1000000))
    ('<0.01 %', '>99.99 %')
    >>> percent(Fraction(1, 3), 0), percent(Fraction(7775, 7776), 0)
    ('33 %', '>99 %')
    """
    if chance == 0:
        return "0 %"
    if chance == 1:
        return "100 %"
    shown, least = f"{float(chance) * 100:.{digits}f}", 10**-digits
    if float(shown) == 0:
        return f"<{least:.{digits}f} %"
    return f">{100 - least:.{digits}f} %" if float(shown) == 100 else f"{shown} %"


def shares(chances: Sequence[float]) -> tuple[str, ...]:
    """Probabilities that add up to one, as percentages that add up to 100.00.

    What is left over by rounding goes where most was cut off. None says 0 or 100 for what is
    neither.

    >>> shares([1 / 3, 1 / 3, 1 / 3])
    ('33.34 %', '33.33 %', '33.33 %')
    >>> shares([0.99999, 0.00001, 0.0]), shares([0.0, 1 - 1e-16])
    (('>99.99 %', '<0.01 %', '0 %'), ('0 %', '100 %'))
    """
    exact = [chance * 10_000 for chance in chances]
    parts = [int(part) for part in exact]
    by_cut = sorted(range(len(parts)), key=lambda n: parts[n] - exact[n])
    for place in by_cut[: max(0, 10_000 - sum(parts))]:
        parts[place] += 1
    told = []
    for place, (part, chance) in enumerate(zip(parts, chances, strict=True)):
        others = sum(chances[:place]) + sum(chances[place + 1 :])
        if not chance or not others:
            told.append("100 %" if chance else "0 %")
        elif part in {0, 10_000}:
            told.append(">99.99 %" if part else "<0.01 %")
        else:
            told.append(f"{part / 100:.2f} %")
    return tuple(told)


def number(value: Fraction | float) -> str:
    """A number with four decimals at most."""
    return f"{float(value):.4f}".rstrip("0").rstrip(".")


def one_in(chance: Fraction | float) -> str:
    """A chance as one in so many.

    >>> one_in(Fraction(1, 20)), one_in(0.4), one_in(0), one_in(1)
    ('1 in 20', '1 in 2.5', '', '')
    """
    if chance in {0, 1}:
        return ""
    times = float(1 / chance)
    return f"1 in {times:,.0f}" if times >= 10 else f"1 in {times:.2g}"


def exactly(value: Fraction) -> str:
    """A fraction as it is written."""
    return f"{value.numerator}/{value.denominator}" if value.denominator != 1 else str(value)


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
