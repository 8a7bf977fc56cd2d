"""A report of a fight as text: exchanges in two lines, who carried it, luck, decisions, a curve."""

from __future__ import annotations

from affray.app.views.fight_report_text import (
    costliest,
    costly_told,
    deed_told,
    headline,
    luck_told,
    luckiest,
    side_luck_told,
)
from affray.app.views.fight_reports import ChancesView, FightReportView
from affray.cli.screen import Screen
from affray.cli.terminal import bar, new_table, open_screen, print_table
from affray.core.showing import share_told, share_within

__all__ = ["show_chances", "show_report"]

NOTED = 0.005
"""A chance of neither side from which on it has a column."""


def show_report(view: FightReportView) -> None:
    """Show a report."""
    screen = open_screen()
    screen.print(view.title or view.setup, style="bold")
    screen.print(headline(view))
    _exchanges(screen, view)
    _carried(screen, view)
    _luck(screen, view)
    _curve(screen, view)


def _exchanges(screen: Screen, view: FightReportView) -> None:
    round_ = 0
    for row in view.exchanges:
        if row.round != round_:
            round_ = row.round
            screen.print(f"\nround {round_}", style="bold")
        rolled = f"  [{row.rolled}]" if row.rolled else ""
        screen.print_indented(f"{row.number} {deed_told(row)}{rolled}", 0)
        screen.print_indented(row.came, 4)


def _carried(screen: Screen, view: FightReportView) -> None:
    screen.print()
    most = max((row.harm for row in view.carried), default=0)
    table = new_table("who carried it", ">harm done", ">taken", ">put out", "at the end", "")
    for row in view.carried:
        table.add_row(row.name, str(row.harm), str(row.suffered), str(row.felled), row.state,
                      bar(row.harm, most or 1, 12))  # fmt: skip
    print_table(screen, table)


def _luck(screen: Screen, view: FightReportView) -> None:
    screen.print(f"\nluck, in {view.objective}: {view.meaning}", style="bold")
    for side in view.of_sides:
        screen.print_indented(side_luck_told(side, view.objective), 2)
    for roll in luckiest(view):
        screen.print_indented(f"{roll.exchange} {luck_told(roll, view.objective)}", 2)
    costly = costliest(view)
    if costly:
        screen.print("\nthe costliest decisions", style="bold")
    for row in costly:
        screen.print_indented(f"{row.exchange} {costly_told(row, view.objective)}", 2)
    if view.unjudged:
        numbers = ", ".join(map(str, view.unjudged))
        screen.print_indented(f"not judged, as {view.why_unjudged}: exchanges {numbers}", 2)


def _curve(screen: Screen, view: FightReportView) -> None:
    if not view.curve:
        return
    screen.print("\nchance to win along the fight", style="bold")
    neither = any(point.neither.value >= NOTED for point in view.curve)
    heads = [">after", f">{view.sides[0]}", "", f">{view.sides[1]}", *[">neither"] * neither]
    table = new_table(*heads, "?known")
    for point in view.curve:
        chances = [share_told(*point.other, digits=0)]
        chances += [share_told(*point.neither, digits=0)] if neither else []
        one = share_told(*point.one, digits=0), bar(point.one.value, 1, 20)
        table.add_row(str(point.exchange), *one, *chances, point.known)
    print_table(screen, table)


def show_chances(view: ChancesView) -> None:
    """Show the chances of a fight from where it stands."""
    screen = open_screen()
    table = new_table("won by", ">chance", ">95 % interval", "")
    rows = (*zip(view.sides, (view.one, view.other), strict=True), ("neither", view.neither))
    for name, chance in rows:
        told, _, interval = share_within(*chance, digits=1).partition(" (")
        if name != "neither" or chance.value:
            table.add_row(name, told, interval.removesuffix(")"), bar(chance.value, 1, 16))
    print_table(screen, table)
    how = "exact" if view.known == "exact" else f"an estimate from {view.played:,} fights"
    screen.print(f"{how}, if the computer plays on for both")
