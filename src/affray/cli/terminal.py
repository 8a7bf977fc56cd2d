"""Tables, bars and numbers that don't lie, for every view."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from affray.cli.screen import GAP, Cell, Column, Screen, cell_len, open_screen
from affray.core.showing import exactly, number, percent, shares

__all__ = [
    "Table", "bar", "exactly", "new_table", "number", "open_screen", "percent", "print_table",
    "shares", "stopped",
]  # fmt: skip

BAR = 24
NARROW = 40
"""Columns below which there are lists in the place of tables."""
SNUG = 18
"""Columns that a text needs at least, if it is not shorter, to be read in a table."""
BLOCKS = frozenset("█▉▊▋▌▍▎▏")


STOPPED = {
    "interrupted": "interrupted",
    "seconds": "stopped when time was over (--seconds allows more)",
    "places": "stopped at a limit of places (--places allows more)",
    "bytes": "stopped at the limit of memory",
}


def stopped(limit: str) -> str:
    """Why a result is partial."""
    return STOPPED.get(limit, f"stopped at a limit of {limit}")


def bar(share: Fraction | float, most: Fraction | float, width: int = BAR) -> str:
    """A bar of full and partial blocks; anything above zero shows."""
    if not share:
        return ""
    eighths = max(1, round(float(share / most) * width * 8))
    return "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()


# -- tables ------------------------------------------------------------------------------------


class Table:
    """Columns with rows, some of which may be left out where there is no room.

    Attributes:
        columns: those of the table.
        spare: the places of columns to do without.
        plain: the places of columns whose head is left out where there is a list instead.
    """

    def __init__(self, columns: Sequence[Column], spare: set[int], plain: set[int]) -> None:
        self.columns = list(columns)
        self.spare = spare
        self.plain = plain

    def add_row(self, *cells: Cell) -> None:
        """Add a row; what it has no cells for stays empty."""
        for place, column in enumerate(self.columns):
            column.cells.append(cells[place] if place < len(cells) else "")


def new_table(*columns: str) -> Table:
    """A table without lines.

    Args:
        columns: their heads; a `>` before one aligns it right, a `?` lets the column be left
            out on a narrow terminal, a `~` leaves the head out where there is a list instead.
    """
    spare = {n for n, column in enumerate(columns) if column.startswith("?")}
    plain = {n for n, column in enumerate(columns) if column.startswith("~")}
    made = []
    for column in columns:
        head = column.lstrip("?~")
        right = head.startswith(">")
        made.append(Column(head.removeprefix(">"), "right" if right else "left", right))
    return Table(made, spare, plain)


def print_table(screen: Screen, table: Table) -> None:
    """Print a table as wide as there is room: without bars, without what is spare, as a list."""
    columns = list(table.columns)
    if screen.width >= NARROW:
        for left_out in _left_out(table, columns):
            shown = [column for place, column in enumerate(columns) if place not in left_out]
            if _needed(shown) <= screen.width:
                _print_columns(screen, shown, columns)
                return
    _print_list(screen, table, columns)


def _left_out(table: Table, columns: Sequence[Column]) -> list[set[int]]:
    """The columns to do without: none, bars, spare ones as well."""
    bars = {place for place, column in enumerate(columns) if _is_bar(column)}
    return [set(), bars, bars | table.spare]


def _is_bar(column: Column) -> bool:
    return not column.header and all(set(str(cell)) <= BLOCKS for cell in column.cells)


def _needed(columns: Sequence[Column]) -> int:
    """The least width of a table whose columns can all be read."""
    return sum(map(_least, columns)) + GAP * max(0, len(columns) - 1)


def _least(column: Column) -> int:
    """The least width of a column."""
    cells = [str(cell) for cell in (column.header, *column.cells)]
    whole = max(cell_len(line) for cell in cells for line in cell.split("\n"))
    if column.no_wrap:
        return whole
    word = max((cell_len(word) for cell in cells for word in cell.split()), default=0)
    return min(whole, max(word, SNUG))


def _print_columns(screen: Screen, shown: Sequence[Column], columns: Sequence[Column]) -> None:
    screen.print_columns(shown, [_least(column) for column in shown])
    gone = [column.header for column in columns if column not in shown and column.header]
    if gone:
        screen.print(f"(no room for: {', '.join(gone)})")


def _print_list(screen: Screen, table: Table, columns: Sequence[Column]) -> None:
    """Each row as a few lines: the first cell, then the others with the heads of their columns."""
    silent = table.plain
    kept = [(place, column) for place, column in enumerate(columns) if not _is_bar(column)]
    heads = ["" if place in silent else column.header for place, column in kept]
    for row in zip(*(column.cells for _, column in kept), strict=True):
        first, *cells = (_lines(cell) for cell in row)
        names, others = heads[1:], cells
        if kept[0][1].justify == "right" and heads[0]:
            first = [" ".join([heads[0], *first])]
        elif 1 in silent and cells:
            first, names, others = [*first, *cells[0]], names[1:], cells[1:]
        _print_line(screen, ": ".join(first), 0)
        for name, lines in zip(names, others, strict=True):
            for line in lines:
                _print_line(screen, f"{name}: {line}" if name else line, 2)
                name = ""  # noqa: PLW2901  # once
    screen.print()


def _lines(cell: Cell) -> list[str]:
    return [line.strip() for line in str(cell).split("\n") if line.strip()]


def _print_line(screen: Screen, line: str, indent: int) -> None:
    if line:
        screen.print_indented(line, indent)
