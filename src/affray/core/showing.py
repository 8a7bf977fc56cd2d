"""Numbers for people: percentages that don't lie, and small tables for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from affray.core.telling import escaped

__all__ = ["MOST_ROWS", "html_table", "percent"]

MOST_ROWS = 40
"""Rows of a table in a notebook; how many are left out is told."""
MOST_OF_A_CELL = 200


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
