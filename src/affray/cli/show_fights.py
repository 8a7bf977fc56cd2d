"""Whole fights as text: who wins, in how many rounds, with how much left."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from affray.app.inputs.fight_sheets import FIRST
from affray.app.views.fight_words import met, unsettled
from affray.app.views.fights import DuelView, SideRow
from affray.app.views.round_bins import bin_width
from affray.app.views.ways import ways_of
from affray.cli.screen import Screen
from affray.cli.terminal import (
    bar,
    exactly,
    new_table,
    number,
    open_screen,
    percent,
    print_table,
    shares,
    stopped,
)
from affray.core.lazy import NamedTuple

__all__ = ["show_assumed", "show_duel", "show_head"]

UNSEEN = 1e-9
"""Probability too small to be told."""
WIDE = 96
"""Columns of a terminal from which on there is room for a second chart."""
LONGEST = 60
"""Characters of a fraction that are shown on the terminal."""


def show_duel(view: DuelView) -> None:
    """Show a duel."""
    screen = open_screen()
    show_head(screen, view.title, view.sides, view.first)
    if view.limit is not None:
        screen.print(f"called off after round {view.limit}")
    if view.partial:
        rounds = len(view.by_round)
        screen.print(
            f"{stopped(view.stopped_by)}, with {rounds:,} rounds followed; who wins is known",
            style="bold",
        )
    screen.print()
    _verdict(screen, view)
    _rounds(screen, view)
    _left(screen, view)
    if len(view.cases) > 1:
        _cases(screen, view)
    if view.openings:
        _openings(screen, view)
    if view.exact is not None:
        _exact(screen, view)
    screen.print(f"\n{view.how}")
    show_assumed(screen, view.assumed)


def show_assumed(screen: Screen, assumed: tuple[str, ...]) -> None:
    """Say what a fight rests on that the book leaves out."""
    for sentence in assumed:
        screen.print(sentence)


def show_head(
    screen: Screen,
    title: str,
    sides: tuple[SideRow, SideRow],
    first: str,
    *,
    targets: bool = False,
) -> None:
    """Introduce a fight: the title, the sides, who goes first, how each side decides."""
    if title:
        screen.print(title, style="bold")
    one, other = sides
    screen.print(f"{one.name} against {other.name}; {_goes_first(sides, first)}")
    alike = one[2:] == other[2:]
    for side in (one,) if alike else sides:
        line = f"{'both sides' if alike else side.name}: {side.meaning}"
        if targets:
            line += f"; target {side.targets}"
        if side.habits:
            line += f"; {_kept(side.habits)}"
        screen.print(line)
    for side in sides:
        for fighter in side.fighters:
            if fighter.habits:
                screen.print(f"  {fighter.name}: {_kept(fighter.habits)}")


def _kept(habits: Mapping[str, tuple[str, ...]]) -> str:
    """What is settled, as it is typed."""
    return " ".join(
        f"--settle {step}={shlex.quote('|'.join(names))}" for step, names in habits.items()
    )


def _goes_first(sides: tuple[SideRow, SideRow], first: str) -> str:
    if first in {"one", "other"}:
        return f"first to act: {sides[first == 'other'].name}"
    return FIRST[first]


def _openings(screen: Screen, view: DuelView) -> None:
    """Show the values of the choices before the first roll."""
    screen.print(f"\nbefore the first roll; chance that {view.sides[0].name} wins (draws half):")
    for row in view.openings:
        options = ", ".join(
            f"{name} {value:.4f}{' (best)' * (name == row.best)}" for name, value in row.values
        )
        screen.print(f"  {row.side}, {row.ask} {options}  [{row.step}]")


def _verdict(screen: Screen, view: DuelView) -> None:
    table = new_table("won by", ">chance", "")
    for way in ways_of(view, view.endless):
        if way.is_shown:
            table.add_row(way.label, way.told, bar(way.share.value, 1))
    print_table(screen, table)


class _Bin(NamedTuple):
    """Rounds that are shown as one."""

    label: str
    ends: float
    going_on: float
    won: tuple[float, float]
    drawn: float
    ended: float


def _bins(view: DuelView) -> Iterator[_Bin]:
    """Rounds, several together where there are many."""
    rows = unsettled(view.by_round)
    width = bin_width(len(rows))
    for start in range(0, len(rows), width):
        part = rows[start : start + width]
        first, last = part[0], part[-1]
        label = str(first.number) if len(part) == 1 else f"{first.number}-{last.number}"
        yield _Bin(label, sum(row.ends for row in part), *last[2:])


def _length(view: DuelView) -> str:
    """Mean and quartiles of the rounds."""
    parts = [
        "it can go on forever" if view.rounds is None else f"mean {number(view.rounds)} rounds"
    ]
    for share, round_ in zip(("a quarter", "half", "three quarters"), view.quartiles, strict=True):
        if round_ is not None:
            parts.append(f"{share} over by round {round_}")
    return "; ".join([parts[0], ", ".join(parts[1:])]).removesuffix("; ")


def _rounds(screen: Screen, view: DuelView) -> None:
    screen.print(f"\n{_length(view)}")
    bins = list(_bins(view))
    if not bins:
        return  # stopped before a single round was followed
    wide = screen.width >= WIDE
    columns = [">round", ">ends", "", ">still on", *([""] if wide else [])]
    columns += [f">{_short(side.name, 16 if wide else 10)} has won" for side in view.sides]
    columns += [">both out"] if view.drawn else []
    columns += [">by rule"] if view.ended else []
    table = new_table(*columns)
    most = max(one.ends for one in bins) or 1.0
    for one in bins:
        cells = [one.label, percent(one.ends), bar(one.ends, most, 16), percent(one.going_on)]
        cells += [bar(one.going_on, 1, 12)] if wide else []
        cells += map(percent, one.won)
        cells += [percent(one.drawn)] if view.drawn else []
        cells += [percent(one.ended)] if view.ended else []
        table.add_row(*cells)
    print_table(screen, table)
    left = bins[-1].going_on
    if left > view.endless + UNSEEN and view.limit is None:
        screen.print(f"after that it goes on with {percent(left)}; --json lists every round")


def _short(name: str, most: int) -> str:
    """A name that is not too long; what sets names apart is often at their end."""
    end = most // 3
    return name if len(name) <= most else f"{name[: most - end - 1]}…{name[-end:]}"


def _left(screen: Screen, view: DuelView) -> None:
    lines = [
        f"if {side.name} wins, {number(left)} of {start} points are left on average"
        for side, start, left in zip(view.sides, view.start, view.left, strict=True)
        if left is not None
    ]
    if lines:
        screen.print("\n" + "\n".join(lines))
    if view.limit is not None:
        _points(screen, view)
    if any(view.fates):
        told = met(view.fates)
        table = new_table("at the end", *(f">{fate}" for fate in told))
        for side, fates in zip(view.sides, view.fates, strict=True):
            table.add_row(side.name, *(percent(fates[fate]) for fate in told))
        screen.print()
        print_table(screen, table)
    if view.resources:
        table = new_table("can be spent", ">at the start", ">left when it is over", ">spent")
        for row in view.resources:
            told = ["", ""]
            if row.left is not None:
                told = [number(row.left), number(max(0.0, row.start - row.left))]
            table.add_row(f"{view.sides[row.side].name}: {row.name}", str(row.start), *told)
        screen.print()
        print_table(screen, table)


def _points(screen: Screen, view: DuelView) -> None:
    """Show what is left of both sides when a duel may be called off."""
    chances = [dict(side.chances) for side in view.points]
    known = sorted({points for side in chances for points in side})
    width = bin_width(known[-1] - known[0] + 1)
    table = new_table(">points left", *(f">{side.name}" for side in view.sides))
    for least in range(known[0], known[-1] + 1, width):
        most = min(least + width - 1, known[-1])
        shares_ = [sum(p for n, p in side.items() if least <= n <= most) for side in chances]
        if any(shares_):
            label = str(least) if least == most else f"{least}-{most}"
            table.add_row(label, *map(percent, shares_))
    table.add_row("mean", *("" if side.mean is None else number(side.mean) for side in view.points))
    screen.print(f"\nwhen it is over, or called off after round {view.limit}")
    print_table(screen, table)


def _cases(screen: Screen, view: DuelView) -> None:
    names = [f">{_short(side.name, 16)} wins" for side in view.sides]
    more = {"both out": "drawn", "by rule": "ended", "endless": "endless", "called off": "stalled"}
    shown = {title: key for title, key in more.items() if getattr(view, key)}
    table = new_table("if", ">chance", *names, *(f">{title}" for title in shown), ">mean rounds")
    for row in view.cases:
        told = shares([*row.won, row.drawn, row.ended, row.endless, row.stalled])
        by_key = dict(zip(("one", "other", *more.values()), told, strict=True))
        table.add_row(
            row.name, percent(row.chance), by_key["one"], by_key["other"],
            *(by_key[key] for key in shown.values()),
            "endless" if row.rounds is None else number(row.rounds),
        )  # fmt: skip
    screen.print()
    print_table(screen, table)


def _exact(screen: Screen, view: DuelView) -> None:
    found = view.exact
    if found is None:
        return
    one, other = (side.name for side in view.sides)
    points = found.points if view.limit and found.points else (None, None)
    rows: Sequence[tuple[str, Fraction | None]] = (
        (f"{one} wins", found.won[0]), (f"{other} wins", found.won[1]),
        ("both are out", found.drawn), (view.over or "ended by rule", found.ended),
        ("it never ends", found.endless), (f"called off after round {view.limit}", found.stalled),
        ("mean rounds", found.rounds),
        (f"points left of {one}", points[0]), (f"points left of {other}", points[1]),
    )  # fmt: skip
    screen.print("\nin whole fractions", style="bold")
    for what, value in rows:
        if value:
            told = exactly(value)
            if len(told) > LONGEST:
                told = f"a fraction of {len(told)} characters, {float(value)!r}; --json prints it"
            screen.print(f"  {what}: {told}")
