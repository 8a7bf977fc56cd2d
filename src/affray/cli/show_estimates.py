"""Estimates as text: what is said where exact was too much."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from math import ceil, floor
from typing import TYPE_CHECKING

from affray.app.views.fight_words import bounds_told, interval
from affray.app.views.ways import ways_of
from affray.cli.show_exchanges import show_wish
from affray.cli.show_fights import show_head
from affray.cli.terminal import (
    new_table,
    number,
    open_screen,
    percent,
    print_table,
)
from affray.core.showing import share_within
from affray.core.telling import plain_key, value_told

if TYPE_CHECKING:
    from affray.app.views.advice import AdvisedRow, Certain, EstimatedBestView, EstimatedRow
    from affray.app.views.estimated_duels import EstimatedDuelView
    from affray.app.views.estimates import Between, EstimatedOddsView
    from affray.cli.screen import Screen

__all__ = ["show_best_estimate", "show_duel_estimate", "show_odds_estimate"]

MOST_ROWS = 60
TINY = 1e-12
"""Differences that come of rounding in a computer."""


def show_best_estimate(view: EstimatedBestView) -> None:
    """Show what looks ahead advise."""
    screen = open_screen()
    show_wish(screen, view)
    between = f" ({number(view.low)} to {number(view.high)})" if view.known == "estimate" else ""
    screen.print(f"with the advised option: {number(view.value)}{between}\n")
    for remark in (*view.remarks, *view.assumed):
        screen.print(f"{remark}\n")
    if not view.decisions:
        screen.print("no decision was met")
    alone = len(view.decisions) == 1
    for decision in view.decisions:
        _decision(screen, decision, view.certain if alone else None, alone=alone)
    if view.certain is not None:
        _certain(screen, view.certain)
    screen.print(view.how)
    if view.why:
        screen.print(f"Not solved: {view.why}")


def show_odds_estimate(view: EstimatedOddsView) -> None:
    """Show what is known of a distribution, with bounds or intervals."""
    screen = open_screen()
    if view.title:
        screen.print(view.title, style="bold")
    for name, meaning in zip(view.fields, view.meaning, strict=True):
        screen.print(f"{plain_key(name)}: {meaning}")
    if view.given:
        screen.print(f"given {' and '.join(view.given)}")
    screen.print()
    for remark in (*view.remarks, *view.assumed):
        screen.print(f"{remark}\n")
    numeric = any(row.at_least is not None for row in view.rows)
    head = ", ".join(map(plain_key, view.fields))
    columns = [f">{head}" if numeric else head, ">exactly"]
    table = new_table(*columns, *([">at least", ">at most"] if numeric else []))
    for row in view.rows[:MOST_ROWS]:
        cells = (row.exactly, row.at_least, row.at_most) if numeric else (row.exactly,)
        table.add_row(value_told(row.value), *map(_between, cells))
    print_table(screen, table)
    if len(view.rows) > MOST_ROWS:
        screen.print(f"... and {len(view.rows) - MOST_ROWS} more rows; --json lists all")
    if view.mean is not None and view.mean.value is not None:
        unit = f" {view.unit}" if view.unit else ""
        screen.print(
            f"\nmean {number(view.mean.value)}{unit} "
            f"({number(view.mean.low)} to {number(view.mean.high)})"
        )
    screen.print(f"{view.how}; {view.policy}")
    screen.print(f"Not exact: {view.why}")


def show_duel_estimate(view: EstimatedDuelView) -> None:
    """Show the battles that stand in for a duel."""
    screen = open_screen()
    show_head(screen, view.title, view.sides, view.first)
    screen.print()
    sure = view.certain
    table = new_table("won by", ">chance", ">95 % interval", *([">certain"] if sure else []))
    bounds = (*sure.won, sure.drawn, sure.ended, sure.stalled) if sure else ()
    for way, bound in zip_longest(ways_of(view), bounds):
        if way.is_shown or (bound is not None and bound.least):
            certain = [bounds_told(*bound)] if bound is not None else []
            table.add_row(way.label, way.told, interval(way.share), *certain)
    print_table(screen, table)
    rounds = view.rounds
    screen.print(
        f"\nmean {number(rounds.value)} rounds ({number(rounds.low)} to {number(rounds.high)})"
    )
    screen.print(view.how)
    if sure is not None:
        ended = _rounded(100 * (1 - sure.open), floor)
        screen.print(f"certain: {ended} % of all that can happen has ended within these bounds")
    if view.best is not None:
        screen.print(
            f"certain: if both decide optimally, {view.sides[0].name} wins with a chance of "
            f"{bounds_told(*view.best)}; whatever nobody wins counts one half"
        )
    if view.instead:
        by = " and ".join(repr(name) for name in dict.fromkeys(s.policy for s in view.sides))
        fought = f"these battles are fought by {by} instead"
        needs = "an exact duel" if view.instead == "optimal" else "more time"
        screen.print(f"Policy {view.instead!r} needs {needs}; {fought}.")
    screen.print(f"Not worked out: {view.why}")
    for sentence in view.assumed:
        screen.print(sentence)


def _between(chance: Between | None) -> str:
    if chance is None:
        return ""
    if chance.value is None:
        return f"{_percent(chance.low)} to {_percent(chance.high)}"
    return share_within(chance.value, chance.low, chance.high).replace(" %", "")


def _percent(share: float) -> str:
    return f"{100 * share:.2f}"


def _decision(
    screen: Screen, decision: EstimatedRow, certain: Certain | None, *, alone: bool
) -> None:
    reached = "" if alone else f"; {percent(decision.reached)} of the looks came here"
    screen.print(
        f"{decision.actor} ({decision.wants} is better): {decision.ask}  "
        f"[{', '.join(decision.clauses[:3])}]  (--settle {decision.step}){reached}",
        style="bold",
    )
    if not alone and decision.about:
        screen.print(
            "  " + ", ".join(f"{label} {value_told(value)}" for label, value in decision.about)
        )
    bounds = {} if certain is None else {row.name: row for row in certain.options}
    columns = ["  option", ">estimate", ">95 %", ">looks", *([">certain"] if bounds else []), ""]
    table = new_table(*columns)
    for row in decision.options:
        mark = "best" if row.name == decision.best else ""
        bound = bounds.get(row.name)
        told = [_bounds(bound.least, bound.most) if bound else ""] if bounds else []
        table.add_row(f"  {row.name}", *_cells(row), f"{row.visits:,}", *told, mark or row.words)
    print_table(screen, table)
    screen.print()


def _certain(screen: Screen, certain: Certain) -> None:
    told = _bounds(certain.least, certain.most) or "no bounds"
    best = f"; {certain.best} is the best option" if certain.best else ""
    screen.print(f"certain: best play comes to {told}{best}")


def _bounds(least: float | None, most: float | None) -> str:
    """Bounds in words, rounded outwards."""
    low = None if least is None else _rounded(least, floor)
    high = None if most is None else _rounded(most, ceil)
    if low is None:
        return "" if high is None else f"at most {high}"
    if high is None:
        return f"at least {low}"
    return f"{low} to {high}" if low != high else low


def _rounded(bound: float, way: Callable[[float], int]) -> str:
    """A bound with four digits behind the point, rounded one way unless that changes nothing."""
    near = round(bound, 4)
    whole = near if abs(near - bound) < TINY else way(bound * 10_000) / 10_000
    return number(whole)


def _cells(row: AdvisedRow) -> tuple[str, str]:
    if row.value is None or row.low is None or row.high is None:
        return "", ""
    if row.known == "exact":
        return number(row.value), "exact"
    return number(row.value), f"{number(row.low)} to {number(row.high)}"
