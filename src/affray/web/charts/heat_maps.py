"""Heat maps: tables with colored cells and the line of 50 %."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from affray.web.charts.styles import HALF

__all__ = ["Heat", "HeatCell", "heat"]


class HeatCell(NamedTuple):
    """A cell: its text, the share that colors it (None: there is none), and all of it in words."""

    told: str
    share: float | None
    words: str
    kind: str = ""


class Heat(NamedTuple):
    """A table with colored cells; where a thick line runs between two, 50 % lies between them."""

    name: str
    title: str
    corner: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[HeatCell, ...]], ...]
    note: str = ""


def heat(
    name: str, title: str, corner: str, columns: Sequence[str],
    rows: Sequence[tuple[str, Sequence[HeatCell]]], *, note: str = "",
) -> Heat:  # fmt: skip
    """A heat map with the line of 50 %.

    Args:
        name: an id that no other chart of the page has.
        title: what it shows.
        corner: what rows and columns are.
        columns: their names.
        rows: the name of each row, and its cells; all as long as the columns.
        note: a sentence below it.
    """
    below = [cells for _, cells in rows[1:]] + [()]
    made = tuple(
        (label, tuple(_kinds(cells, under)))
        for (label, cells), under in zip(rows, below, strict=True)
    )
    return Heat(name, title, corner, tuple(columns), made, note)


def _kinds(cells: Sequence[HeatCell], under: Sequence[HeatCell]) -> Iterator[HeatCell]:
    """Cells with their classes: ten steps of color, and where the line of 50 % runs."""
    right = {place for place, pair in enumerate(pairwise(cells)) if _crosses(*pair)}
    down = {place for place, pair in enumerate(zip(cells, under, strict=False)) if _crosses(*pair)}
    for place, cell in enumerate(cells):
        kinds = ["heat-none" if cell.share is None else f"heat-{min(9, int(cell.share * 10))}"]
        kinds += ["half-right"] if place in right else []
        kinds += ["half-below"] if place in down else []
        yield cell._replace(kind=" ".join(kinds))


def _crosses(one: HeatCell, other: HeatCell) -> bool:
    if one.share is None or other.share is None:
        return False
    return (one.share >= HALF) != (other.share >= HALF)
