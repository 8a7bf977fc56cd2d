"""Odds as a page shows them: rows with bars, from the JSON of a view."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from affray.core.lazy import NamedTuple
from affray.core.showing import one_in, percent, share_told, share_within
from affray.core.telling import plain_key, value_told

__all__ = [
    "MOST_ROWS",
    "Odds",
    "OddsLine",
    "Share",
    "odds_shown",
    "plain_value",
    "told_number",
]

MOST_ROWS = 20
"""Rows of a table that is read at a glance; of more, neighbors are taken together."""
WIDTHS = (1, 2, 5)
COLUMNS = ("exactly", "at_least", "at_most")
WORDS = {"exactly": "exactly", "at_least": "at least", "at_most": "at most"}


class Share(NamedTuple):
    """A chance: as a part of one for a bar, in words, and the interval of an estimate."""

    part: float
    told: str
    low: float
    high: float
    exact: Fraction | None = None
    within: str = ""

    @property
    def width(self) -> str:
        """The bar, in percent."""
        return f"{self.part * 100:.2f}"

    @property
    def low_width(self) -> str:
        """Where the interval begins, in percent."""
        return f"{self.low * 100:.2f}"

    @property
    def open_width(self) -> str:
        """How wide the interval is, in percent."""
        return f"{max(0.0, self.high - self.low) * 100:.2f}"


class Beside(NamedTuple):
    """The same row of a pinned result, and how much more the new one has."""

    share: Share | None
    difference: str


class OddsLine(NamedTuple):
    """One row: a value or several neighbors, its chances, and those of pinned results."""

    value: str
    exactly: Share
    at_least: Share | None
    at_most: Share | None
    one_in: str
    beside: tuple[Beside, ...] = ()

    def share(self, show: str) -> Share:
        """The chance that is shown; exactly where the others have no meaning."""
        found: Share | None = getattr(self, show)
        return found or self.exactly


class Odds(NamedTuple):
    """The odds as a page shows them.

    Attributes:
        known: "exact", "bounds" or "estimate".
        lines: all rows. grouped: the same for a glance; () where they are few enough.
        stats: names and values of what sums them up.
    """

    known: str
    title: str
    head: str
    meaning: tuple[str, ...]
    lines: tuple[OddsLine, ...]
    grouped: tuple[OddsLine, ...]
    numeric: bool
    stats: tuple[tuple[str, str], ...]
    gist: str
    given: tuple[str, ...]
    policy: str
    how: str
    why: str
    notes: tuple[str, ...]
    pins: tuple[str, ...] = ()

    @property
    def shown(self) -> tuple[OddsLine, ...]:
        """The rows for a glance."""
        return self.grouped or self.lines

    @property
    def told_known(self) -> str:
        """In a word or two, how well they are known."""
        return {"exact": "Exact", "bounds": "Bounds only", "estimate": "Estimate"}[self.known]


def told_number(value: object) -> str:
    """A number of a view for people.

    >>> told_number({"numerator": "1", "denominator": "3", "float": 0.3333333333333333})
    '0.3333'
    """
    if isinstance(value, dict) and "float" in value:
        value = value["float"]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value_told(_tupled(value))
    return f"{value:,.4g}"


def odds_shown(
    view: Mapping[str, Any], pinned: Sequence[tuple[str, Mapping[str, Any]]] = ()
) -> Odds:
    """A view of odds for the page.

    Args:
        view: the JSON of an exact view, or of an estimate.
        pinned: titles and views of other results.
    """
    known = view.get("known", "exact")
    lines = [_line(row) for row in view["rows"]]
    numeric = bool(lines) and all(line.at_least is not None for line in lines)
    others = [[_line(row) for row in other["rows"]] for _title, other in pinned]
    if others:
        lines = _with_all(lines, others, view, [other for _title, other in pinned])
    grouped: list[OddsLine] = []
    numbers = _numbers(view, *(other for _title, other in pinned))
    if len(lines) > MOST_ROWS and numeric and numbers is not None:
        width = _width(numbers)
        grouped = _groups(_compared(lines, others), numbers, width)
        every = [
            _groups(other, _numbers(one) or [], width)
            for other, (_t, one) in zip(others, pinned, strict=True)
        ]
        grouped = _compared(grouped, every)
    elif len(lines) > MOST_ROWS:
        grouped = _likeliest(_compared(lines, others))
    lines = _compared(lines, others)
    return Odds(
        known=known, title=str(view["title"] or view["setup"]),
        head=_head(view["fields"]), meaning=tuple(view["meaning"]),
        lines=tuple(lines), grouped=tuple(grouped), numeric=numeric,
        stats=_stats(view), gist=_gist(view, lines, numeric=numeric), given=tuple(view["given"]),
        policy=_sentence(view["policy"]), how=_sentence(view["how"]), why=str(view.get("why", "")),
        notes=tuple(dict.fromkeys([*view["remarks"], *view["assumed"], *view["notes"]])),
        pins=tuple(title for title, _view in pinned),
    )  # fmt: skip


def _share(chance: Any) -> Share:
    if "numerator" in chance:
        exact = Fraction(int(chance["numerator"]), int(chance["denominator"]))
        part = float(exact)
        return Share(part, percent(exact), part, part, exact)
    value, low, high = chance["value"], chance["low"], chance["high"]
    if value is None:
        return Share((low + high) / 2, f"{low * 100:.2f} to {high * 100:.2f} %", low, high)
    within = share_within(value, low, high).partition("(")[2].removesuffix(")")
    return Share(value, share_told(value, low, high), low, high, None, within)


def _line(row: Mapping[str, Any]) -> OddsLine:
    exactly = _share(row["exactly"])
    least, most = (None if row[key] is None else _share(row[key]) for key in COLUMNS[1:])
    value = plain_value(row["value"])
    return OddsLine(value, exactly, least, most, one_in(exactly.exact or exactly.part))


def plain_value(value: object) -> str:
    """A value of an outcome for people, as it stands in the JSON of a view."""
    return value_told(_tupled(value))


def _number(value: Any) -> object:
    if isinstance(value, dict) and "numerator" in value:
        exact = Fraction(int(value["numerator"]), int(value["denominator"]))
        return exact.numerator if exact.denominator == 1 else f"{exact}"
    return value


def _tupled(value: object) -> object:
    return tuple(map(_tupled, value)) if isinstance(value, list) else _number(value)


def _numbers(*views: Mapping[str, Any]) -> list[int] | None:
    """All values of views, if they are whole numbers."""
    found = {_number(row["value"]) for view in views for row in view["rows"]
             if not isinstance(row["value"], list)}  # fmt: skip
    whole = [value for value in found if isinstance(value, int) and not isinstance(value, bool)]
    every = all(not isinstance(row["value"], list) for view in views for row in view["rows"])
    return sorted(whole) if every and len(whole) == len(found) and whole else None


def _with_all(
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


def _compared(lines: Iterable[OddsLine], others: Sequence[Sequence[OddsLine]]) -> list[OddsLine]:
    """Rows with the same rows of pinned results beside them."""
    known = [{line.value: line for line in other} for other in others]
    return [line._replace(beside=tuple(_beside(line, one) for one in known)) for line in lines]


def _beside(line: OddsLine, pinned: Mapping[str, OddsLine]) -> Beside:
    other = pinned.get(line.value)
    was = other.exactly.part if other else 0.0
    more = (line.exactly.part - was) * 100
    told = "same" if abs(more) < 0.005 else f"{more:+.2f}".replace("-", "−")
    return Beside(other.exactly if other else None, told)


def _stats(view: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    unit = f" {view['unit']}" if view["unit"] else ""
    if view.get("mean"):
        mean = view["mean"]
        return (
            ("mean", f"{mean['value']:,.4g}{unit} ({mean['low']:,.4g} to {mean['high']:,.4g})"),
        )
    stats = view.get("stats")
    if not stats:
        return ()
    low, high = stats["quartiles"]
    return (
        ("mean", f"{told_number(stats['mean'])}{unit}"), ("sd", told_number(stats["sd"])),
        ("median", told_number(stats["median"])),
        ("middle half", f"{told_number(low)} to {told_number(high)}"),
    )  # fmt: skip


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _gist(view: Mapping[str, Any], lines: Sequence[OddsLine], *, numeric: bool) -> str:
    """The odds in one line, for the edge of a small screen."""
    meaning = "; ".join(view["meaning"])
    stats = dict(_stats(view))
    if numeric and "mean" in stats:
        return f"{meaning}: {stats['mean']} on average"
    if not lines:
        return meaning
    top = max(lines, key=lambda line: line.exactly.part)
    return f"{meaning}: {top.value} {top.exactly.told}"


def _head(fields: Sequence[str]) -> str:
    """What stands over the values: the names of several fields; of one the caption says it."""
    return ", ".join(map(plain_key, fields)) if len(fields) > 1 else "value"
