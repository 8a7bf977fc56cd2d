"""Results of what-ifs whose values are readings, or pairs of two values: bars and heat maps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from affray.app.views.sweeps import SweptValue
from affray.core.showing import percent
from affray.web.charts.bars import Bar, bars
from affray.web.charts.heat_maps import HeatCell, heat
from affray.web.results import Block, Grid
from affray.web.varied import Axis

__all__ = ["Chances", "chance_map", "reading_bars"]

HALF = 0.5
Pair = tuple[SweptValue, SweptValue | None]


class Chances(NamedTuple):
    """The chance of one event at each value, or pair of values, that was priced; and its name."""

    event: str
    found: Mapping[Pair, float]


def reading_bars(name: str, chances: Chances, axis: Axis) -> Block:
    """A bar for each reading of a ruling, and in words which of them reach 50 %."""
    found = {label: chances.found[value, None] for value, label in axis.labels.items()
             if (value, None) in chances.found}  # fmt: skip
    rows = [Bar((label, percent(chance)), chance) for label, chance in found.items()]
    return Block(
        "bars",
        bars(
            name, f"Chance of {chances.event}", ("reading", "chance"), rows, note=_reaching(found)
        ),
    )


def chance_map(
    name: str, chances: Chances, axes: tuple[Axis, Axis], refused: Mapping[Pair, str]
) -> Iterator[Block]:
    """A heat map with the line of 50 %, and a table that says in words where that line runs.

    Args:
        name: an id that no other chart of the page has.
        chances: of the event.
        axes: what the columns are, and what the rows are.
        refused: why the rules refuse a pair.
    """
    columns, down = axes
    rows = [
        (label, [_cell(chances, (at, across), axes, refused) for at in columns.labels])
        for across, label in down.labels.items()
    ]
    yield Block("heat", heat(
        name, f"Chance of {chances.event}, in percent",
        f"down: {down.what}; across: {columns.what}", list(columns.labels.values()), rows,
        note="A thick line runs where 50 % lies between two cells; the table below says where.",
    ))  # fmt: skip
    told = tuple((label, _along(chances, columns, across)) for across, label in down.labels.items())
    title = f"Where the chance of {chances.event} passes 50 %"
    yield Block("grid", Grid(title, (down.what, columns.what), told))


def _cell(
    chances: Chances, pair: Pair, axes: tuple[Axis, Axis], refused: Mapping[Pair, str]
) -> HeatCell:
    where = ", ".join(
        f"{axis.what} {axis.labels[value]}" for axis, value in zip(axes, pair, strict=True)
        if value is not None
    )  # fmt: skip
    if pair in refused:
        return HeatCell("–", None, f"{where}: {refused[pair]}")
    if pair not in chances.found:
        return HeatCell("", None, f"{where}: not priced")
    chance = chances.found[pair]
    return HeatCell(_whole(chance), chance, f"{where}: {percent(chance)}")


def _whole(chance: float) -> str:
    """A chance in whole percent, but never on the wrong side of 0, 50 or 100.

    >>> [_whole(chance) for chance in (0.0, 0.001, 0.31, 0.4996, 0.4999, 0.5, 0.999, 1.0)]
    ['0', '<1', '31', '<50', '<50', '50', '>99', '100']
    """
    told = f"{100 * chance:.0f}"
    if told == "0" and chance > 0:
        return "<1"
    if told == "50" and chance < HALF:
        return "<50"
    return ">99" if told == "100" and chance < 1 else told


def _along(chances: Chances, columns: Axis, across: SweptValue) -> str:
    """Where in a row of the map the chance passes 50 %."""
    found = {
        label: chances.found[at, across]
        for at, label in columns.labels.items() if (at, across) in chances.found
    }  # fmt: skip
    if not found:
        return "not priced"
    sides = {chance >= HALF for chance in found.values()}
    if len(sides) == 1:
        so_far = "" if len(found) == len(columns.labels) else ", as far as it was priced"
        return f"{'at least' if sides == {True} else 'below'} 50 % everywhere{so_far}"
    if not columns.is_number:
        return _reaching(found)
    passed = [
        f"between {one[0]} and {other[0]}" for one, other in pairwise(found.items())
        if (one[1] >= HALF) != (other[1] >= HALF)
    ]  # fmt: skip
    return " and ".join(passed)


def _reaching(found: Mapping[str, float]) -> str:
    """Which of several readings reach 50 %."""
    reaching: Sequence[str] = [label for label, chance in found.items() if chance >= HALF]
    if len(reaching) == len(found):
        return "Every reading reaches 50 %."
    return f"50 % is reached by: {', '.join(reaching)}." if reaching else "No reading reaches 50 %."
