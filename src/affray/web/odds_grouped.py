"""Rows of odds taken together for a glance, and laid beside those of pinned results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from affray.core.showing import one_in, percent, share_told
from affray.web.odds_rows import Beside, OddsLine, Share, number_of

__all__ = ["compared", "glanced", "with_all"]

MOST_ROWS = 20
"""Rows of a table that is read at a glance; of more, neighbors are taken together."""
WIDTHS = (1, 2, 5)


def glanced(
    lines: Sequence[OddsLine], others: Sequence[Sequence[OddsLine]],
    views: Sequence[Mapping[str, Any]], *, numeric: bool,
) -> list[OddsLine]:  # fmt: skip
    """The rows for a glance: neighbors taken together, or the likeliest; few rows need none.

    Args:
        lines: the rows.
        others: those of pinned results.
        views: what the rows and the others come from.
        numeric: whether values have an order.
    """
    if len(lines) <= MOST_ROWS:
        return []
    numbers = _numbers(*views)
    if not numeric or numbers is None:
        return _likeliest(compared(lines, others))
    width = _width(numbers)
    every = [
        _groups(other, _numbers(view) or [], width)
        for other, view in zip(others, views[1:], strict=True)
    ]
    return compared(_groups(compared(lines, others), numbers, width), every)


def _numbers(*views: Mapping[str, Any]) -> list[int] | None:
    """All values of views, if they are whole numbers."""
    found = {number_of(row["value"]) for view in views for row in view["rows"]
             if not isinstance(row["value"], list)}  # fmt: skip
    whole = [value for value in found if isinstance(value, int) and not isinstance(value, bool)]
    every = all(not isinstance(row["value"], list) for view in views for row in view["rows"])
    return sorted(whole) if every and len(whole) == len(found) and whole else None


def with_all(
    lines: list[OddsLine],
    others: Sequence[Sequence[OddsLine]],
    view: Mapping[str, Any],
    pinned: Sequence[Mapping[str, Any]],
) -> list[OddsLine]:
    """The rows, with one for each value that only a pinned result has."""
    known = {line.value for line in lines}
    missing = {line.value for other in others for line in other} - known
    if not missing:
        return lines
    nothing = Share(0.0, percent(Fraction(0)), 0.0, 0.0, Fraction(0))
    numbers = _numbers(view, *pinned)
    if numbers is None or any(line.at_least is None for line in lines):
        return [*lines, *(OddsLine(value, nothing, None, None, "") for value in sorted(missing))]
    by_value = {line.value: line for line in lines}
    made: list[OddsLine] = []
    whole = Share(1.0, percent(Fraction(1)), 1.0, 1.0, Fraction(1))
    below = nothing
    ahead = {str(number): _next(numbers, number, by_value) for number in numbers}
    for number in numbers:
        line = by_value.get(str(number))
        if line is None:
            above = ahead[str(number)]
            line = OddsLine(str(number), nothing, above or nothing, below, "")
            if above is None:
                line = line._replace(at_most=whole)
        below = line.at_most or below
        made.append(line)
    return made


def _next(numbers: Sequence[int], number: int, lines: Mapping[str, OddsLine]) -> Share | None:
    """The chance of at least the next value that there is."""
    return next(
        (lines[str(one)].at_least for one in numbers if one > number and str(one) in lines), None
    )


def _width(numbers: Sequence[int]) -> int:
    span, scale = numbers[-1] - numbers[0] + 1, 1
    while True:
        for width in WIDTHS:
            if span <= width * scale * MOST_ROWS:
                return width * scale
        scale *= 10


def _groups(lines: Sequence[OddsLine], numbers: Sequence[int], width: int) -> list[OddsLine]:
    """Neighbors taken together."""
    by_value = {line.value: line for line in lines}
    made = []
    for start, group in groupby(numbers, key=lambda number: number // width * width):
        found = [by_value[str(number)] for number in group if str(number) in by_value]
        if not found:
            continue
        told = str(start) if width == 1 else f"{start} to {start + width - 1}"
        exactly = _sum([line.exactly for line in found])
        made.append(
            OddsLine(
                told,
                exactly,
                found[0].at_least,
                found[-1].at_most,
                one_in(exactly.exact or exactly.part),
            )
        )
    return made


def _sum(shares: Sequence[Share]) -> Share:
    if all(share.exact is not None for share in shares):
        exact = sum((share.exact or Fraction(0) for share in shares), Fraction(0))
        return Share(float(exact), percent(exact), float(exact), float(exact), exact)
    part = min(1.0, sum(share.part for share in shares))
    low, high = sum(share.low for share in shares), min(1.0, sum(share.high for share in shares))
    return Share(part, f"about {share_told(part, part, part)}", low, high)


def _likeliest(lines: Sequence[OddsLine]) -> list[OddsLine]:
    """The most likely rows, and one for all others."""
    order = sorted(lines, key=lambda line: -line.exactly.part)
    rest = order[MOST_ROWS - 1 :]
    exactly = _sum([line.exactly for line in rest])
    other = OddsLine(
        f"{len(rest)} others", exactly, None, None, one_in(exactly.exact or exactly.part)
    )
    blank = tuple(Beside(None, "") for _pin in lines[0].beside)
    return [*order[: MOST_ROWS - 1], other._replace(beside=blank)]


def compared(lines: Iterable[OddsLine], others: Sequence[Sequence[OddsLine]]) -> list[OddsLine]:
    """Rows with the same rows of pinned results beside them."""
    known = [{line.value: line for line in other} for other in others]
    return [line._replace(beside=tuple(_beside(line, one) for one in known)) for line in lines]


def _beside(line: OddsLine, pinned: Mapping[str, OddsLine]) -> Beside:
    other = pinned.get(line.value)
    was = other.exactly.part if other else 0.0
    more = (line.exactly.part - was) * 100
    told = "same" if abs(more) < 0.005 else f"{more:+.2f}".replace("-", "−")
    return Beside(other.exactly if other else None, told)
