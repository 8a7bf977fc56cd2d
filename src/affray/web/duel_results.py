"""Results of duels, as blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from affray.app.views.estimated_duels import EstimatedDuelView
from affray.app.views.fight_words import bounds_told, met, unsettled
from affray.app.views.fights import DuelView
from affray.app.views.round_bins import binned
from affray.app.views.ways import ways_of
from affray.core.showing import number, percent
from affray.web.charts.bars import Bar, bars
from affray.web.charts.curves import Line, Point
from affray.web.results import (
    Block,
    Grid,
    Result,
    mean_told,
    partly,
    sides_told,
    survival,
    verdict,
    within,
)

__all__ = ["duel_result", "estimated_result"]


def duel_result(view: DuelView) -> Result:
    """A duel."""
    one, other = (side.name for side in view.sides)
    blocks = [verdict("verdict", "Who wins", ways_of(view, view.endless), exact=True)]
    blocks += _duel_rounds(view)
    blocks += _points(view)
    wins = f"{one} wins {percent(view.won[0])}, {other} {percent(view.won[1])}."
    return Result(
        view.title or f"{one} against {other}", "exact",
        (wins, mean_told(view.rounds, view.quartiles)),
        partly(view.stopped_by, f"{len(view.by_round):,} rounds were followed; who wins is known")
        if view.partial else "",
        tuple(blocks), sides_told(view.sides, view.first), f"Exact: {view.how}.", view.assumed,
    )  # fmt: skip


def _duel_rounds(view: DuelView) -> Iterator[Block]:
    rows = unsettled(view.by_round)
    if not rows:
        return
    start = Point(0, 0.0, percent(0))
    still = (Point(row.number, row.going_on, percent(row.going_on)) for row in rows)
    lines = [Line("still going on", (Point(0, 1.0, percent(1)), *still), "nobody")]
    for place, (side, role) in enumerate(zip(view.sides, ("one", "other"), strict=True)):
        won = (Point(row.number, row.won[place], percent(row.won[place])) for row in rows)
        lines.append(Line(f"{side.name} has won", (start, *won), role))
    yield survival(lines)
    ends = {row.number: row.ends for row in rows}
    made = [
        Bar((one.label(" to "), percent(one.many)), one.many, role="third")
        for one in binned(ends, max(ends))
    ]
    yield Block(
        "bars", bars("rounds", "In which round it ends", ("round", "chance"), made, scaled=True)
    )


def _points(view: DuelView) -> Iterator[Block]:
    """What is left when it is over: points, fates, what can be spent; who begins, first choices."""
    names = [side.name for side in view.sides]
    left = (
        (name, str(start), number(points))
        for name, start, points in zip(names, view.start, view.left, strict=True)
        if points is not None
    )
    yield from _grid("What the winner has left", (
        "who wins", "points at the start", "left on average"), left)  # fmt: skip
    if any(view.fates):
        fates = met(view.fates)
        yield from _grid("How it leaves either side", ("side", *fates), (
            (name, *(percent(min(1.0, met[fate])) for fate in fates))
            for name, met in zip(names, view.fates, strict=True)
        ))  # fmt: skip
    yield from _grid("What is spent", ("can be spent", "at the start", "left on average"), (
        (f"{names[row.side]}: {row.name}", str(row.start),
         "" if row.left is None else number(row.left))
        for row in view.resources
    ))  # fmt: skip
    if len(view.cases) > 1:
        head = ("if", "chance", *(f"{name} wins" for name in names), "rounds")
        yield from _grid("Who goes first", head, (
            (case.name, percent(case.chance), *map(percent, case.won),
             "endless" if case.rounds is None else number(case.rounds))
            for case in view.cases
        ))  # fmt: skip
    note = f"Worth: the chance that {names[0]} wins; whatever nobody wins counts one half."
    head = ("side", "decision", "option", "worth", "best")
    yield from _grid("Decisions before the first roll", head, (
        (row.side, row.ask, name, percent(min(1.0, value)), "yes" if name == row.best else "")
        for row in view.openings for name, value in row.values
    ), note)  # fmt: skip


def _grid(
    title: str, head: tuple[str, ...], rows: Iterable[tuple[str, ...]], note: str = ""
) -> Iterator[Block]:
    """A table, unless it is empty."""
    kept = tuple(rows)
    if kept:
        yield Block("grid", Grid(title, head, kept, note))


def estimated_result(view: EstimatedDuelView) -> Result:
    """A duel where exact was too much."""
    one, other = (side.name for side in view.sides)
    blocks = [verdict("verdict", "Who wins", ways_of(view))]
    sure = view.certain
    if sure is not None:
        certain = [
            (f"{name} wins", bounds_told(*bounds))
            for name, bounds in zip((one, other), sure.won, strict=True)
        ]
        if view.best is not None:
            certain.append((f"{one}, if both decide optimally", bounds_told(*view.best)))
        grid = Grid("What is certain", ("that", "chance"), tuple(certain))
        blocks.append(Block("grid", grid))
    lead = [f"It takes {within(view.rounds)} rounds on average."]
    if view.instead:
        lead.append(
            "These battles are fought by simpler decisions than those that were asked for, which "
            "take an exact duel."
        )
    return Result(
        view.title or f"{one} against {other}", "estimate", tuple(lead),
        f"Not worked out exactly: {view.why.rstrip('.')}.", tuple(blocks),
        sides_told(view.sides, view.first), f"An estimate: {view.how}.", view.assumed,
    )  # fmt: skip
