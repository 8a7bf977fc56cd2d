"""Estimates as text: what is said where exact was too much."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.cli.terminal import new_table, number, open_screen, print_table, value_told

if TYPE_CHECKING:
    from affray.app.views.advice import AdvisedRow, EstimatedBestView, EstimatedRow
    from affray.cli.screen import Screen

__all__ = ["show_best_estimate"]


def show_best_estimate(view: EstimatedBestView) -> None:
    """Show what looks ahead advise."""
    screen = open_screen()
    if view.title:
        screen.print(view.title, style="bold")
    screen.print(f"{view.objective}: {view.meaning}")
    if view.threshold:
        screen.print(f"a point is spent only for a gain above {number(view.threshold)}")
    between = f" ({number(view.low)} to {number(view.high)})" if view.known == "estimate" else ""
    screen.print(f"with what is advised: {number(view.value)}{between}\n")
    for remark in (*view.remarks, *view.assumed):
        screen.print(f"{remark}\n")
    if not view.decisions:
        screen.print("no decision was met")
    for decision in view.decisions:
        _decision(screen, decision, alone=len(view.decisions) == 1)
    screen.print(view.how)
    if view.why:
        screen.print(f"Not solved: {view.why}")


def _decision(screen: Screen, decision: EstimatedRow, *, alone: bool) -> None:
    reached = "" if alone else f"; {decision.reached:.0%} of the looks came here"
    screen.print(
        f"{decision.step}: {decision.actor} ({decision.wants} is better), {decision.ask}  "
        f"[{', '.join(decision.clauses[:3])}]{reached}",
        style="bold",
    )
    if not alone and decision.about:
        screen.print(
            "  " + ", ".join(f"{label} {value_told(value)}" for label, value in decision.about)
        )
    table = new_table("  option", ">estimate", ">95 %", ">looks", "")
    for row in decision.options:
        mark = "best" if row.name == decision.best else ""
        table.add_row(f"  {row.name}", *_cells(row), f"{row.visits:,}", mark or row.words)
    print_table(screen, table)
    screen.print()


def _cells(row: AdvisedRow) -> tuple[str, str]:
    if row.value is None or row.low is None or row.high is None:
        return "", ""
    if row.known == "exact":
        return number(row.value), "exact"
    return number(row.value), f"{number(row.low)} to {number(row.high)}"
