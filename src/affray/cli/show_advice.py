"""Advice at a choice as a few lines, for whoever is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from affray.app.wording import numbered
from affray.cli.terminal import number, open_screen
from affray.core.showing import percent, share_within

if TYPE_CHECKING:
    from affray.app.views.advice import AdviceView, AdvisedRow
    from affray.app.views.fight_reports import ChanceRow, ChancesView
    from affray.app.views.hit_chances import HitChancesView

__all__ = ["advice_told", "chances_lines", "hits_lines", "show_advice"]

WIDE = 80
"""Columns of a terminal, where nobody says how many there are."""
UNSEEN = "not looked at"


def show_advice(view: AdviceView) -> None:
    """Show what each option of a decision is worth."""
    screen = open_screen()
    if view.title:
        screen.print(view.title, style="bold")
    screen.print(f"{view.ask}\n{advice_told(view)}")


def advice_told(advice: AdviceView, width: int = WIDE) -> str:
    """Each option with its value, which is best, and what the others cost.

    In an exchange of a fight the chance to win stands beside that, or below it where there is no
    room.
    """
    beside, names = advice.in_fight, [row.name for row in advice.options]
    listed = _column(numbered(names), "")
    if beside is None:
        return "\n".join((_head(advice), *_side_by_side([listed, _values(advice, names, "")])))
    views = (advice, beside)
    rows = _side_by_side([listed, *(_values(one, names, one.objective) for one in views)])
    if max(map(len, rows)) > width:
        return "\n".join(advice_told(replace(one, in_fight=None), width) for one in views)
    return "\n".join((*map(_head, views), *rows))


def _head(advice: AdviceView) -> str:
    return f"  {advice.meaning} ({advice.objective}); {advice.wants} is better; {advice.how}"


def _values(advice: AdviceView, names: Sequence[str], head: str) -> list[str]:
    """The column of what options of these names are worth."""
    told = {row.name: f"{_value(row)}  {_judged(row, advice)}" for row in advice.options}
    return _column([told.get(name, UNSEEN) for name in names], head)


def _column(cells: Sequence[str], head: str) -> list[str]:
    """Cells under a head, all as wide as the widest."""
    wide = max(map(len, (head, *cells)))
    return [f"{cell:{wide}}" for cell in (head, *cells)]


def _side_by_side(columns: Sequence[Sequence[str]]) -> list[str]:
    """The rows of columns that have the same number of cells; without heads if they have none."""
    rows = [f"  {'  '.join(cells)}".rstrip() for cells in zip(*columns, strict=True)]
    return rows if rows[0] else rows[1:]


def _value(row: AdvisedRow) -> str:
    if row.value is None or row.low is None or row.high is None:
        return UNSEEN
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


def hits_lines(view: HitChancesView, width: int) -> list[str]:
    """The chance that the attack hits with each option of a turn, a line for each."""
    lines = []
    for decision in view.decisions:
        known = [(row.hits, row.name) for row in decision.options if row.hits is not None]
        if known:
            lines.append(f"{decision.ask} Chance {'to be hit' if view.is_struck else 'to hit'}:")
        lines += [f"  {percent(hits):>8}  {name}"[:width] for hits, name in known]
    return lines or ["No attack is decided here."]


def _share(row: ChanceRow) -> str:
    told, gap, interval = share_within(*row).partition(" (")
    return f"{told:>8}{gap}{interval}"
