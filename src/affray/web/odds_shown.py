"""Odds as a page shows them: rows with bars, from the JSON of a view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from affray.core.lazy import NamedTuple
from affray.core.telling import plain_key
from affray.web.odds_grouped import compared, glanced, with_all
from affray.web.odds_rows import OddsLine, line_of, told_number

__all__ = ["Odds", "odds_shown"]


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


def odds_shown(
    view: Mapping[str, Any], pinned: Sequence[tuple[str, Mapping[str, Any]]] = ()
) -> Odds:
    """A view of odds for the page.

    Args:
        view: the JSON of an exact view, or of an estimate.
        pinned: titles and views of other results.
    """
    known = view.get("known", "exact")
    lines = [line_of(row) for row in view["rows"]]
    numeric = bool(lines) and all(line.at_least is not None for line in lines)
    others = [[line_of(row) for row in other["rows"]] for _title, other in pinned]
    if others:
        lines = with_all(lines, others, view, [other for _title, other in pinned])
    grouped = glanced(lines, others, [view, *(other for _title, other in pinned)], numeric=numeric)
    lines = compared(lines, others)
    return Odds(
        known=known, title=str(view["title"] or view["setup"]),
        head=_head(view["fields"]), meaning=tuple(view["meaning"]),
        lines=tuple(lines), grouped=tuple(grouped), numeric=numeric,
        stats=_stats(view), gist=_gist(view, lines, numeric=numeric), given=tuple(view["given"]),
        policy=_sentence(view["policy"]), how=_sentence(view["how"]), why=str(view.get("why", "")),
        notes=tuple(dict.fromkeys([*view["remarks"], *view["assumed"], *view["notes"]])),
        pins=tuple(title for title, _view in pinned),
    )  # fmt: skip


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
