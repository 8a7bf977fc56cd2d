"""Advice at a choice as a few lines, for whoever is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.cli.numbering import numbered
from affray.cli.terminal import number
from affray.core.showing import share_within

if TYPE_CHECKING:
    from affray.app.views.advice import AdviceView, AdvisedRow
    from affray.app.views.fight_reports import ChanceRow, ChancesView

__all__ = ["advice_told", "chances_lines"]


def advice_told(advice: AdviceView) -> str:
    """Each option with its value, which is best, and what the others cost."""
    head = f"  {advice.meaning} ({advice.objective}); {advice.wants} is better; {advice.how}"
    names = [name for _, name in numbered([row.name for row in advice.options])]
    wide = max(map(len, names))
    lines = [head]
    for name, row in zip(names, advice.options, strict=True):
        lines.append(f"  {name:{wide}}  {_value(row)}  {_judged(row, advice)}".rstrip())
    return "\n".join(lines)


def _value(row: AdvisedRow) -> str:
    if row.value is None or row.low is None or row.high is None:
        return "not looked at"
    between = "" if row.known == "exact" else f"  {number(row.low)} to {number(row.high)}"
    return f"{number(row.value if row.fraction is None else row.fraction):>7}{between}"


def _judged(row: AdvisedRow, advice: AdviceView) -> str:
    if row.name == advice.best:
        return "best"
    if row.cost is None or advice.known != "exact":
        return ""
    return f"costs {number(row.cost)}" if row.cost else "as good"


def chances_lines(view: ChancesView, width: int) -> list[str]:
    """The chance of both sides to win, each on a line that is no wider than there is room."""
    how = "exact" if view.known == "exact" else f"estimate, {view.played:,} fights played out"
    lines = [f"Chances to win ({how}):"]
    rows = [*zip(view.sides, (view.one, view.other), strict=True), ("neither", view.neither)]
    for name, row in rows:
        if row.value or name != "neither":
            lines.append(f"  {_share(row)}  {name}"[:width])
    return lines


def _share(row: ChanceRow) -> str:
    told, gap, interval = share_within(*row).partition(" (")
    return f"{told:>8}{gap}{interval}"
