"""What every view needs to be shown: the console, tables, bars, numbers that don't lie."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from fractions import Fraction

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

from affray.core.showing import percent

__all__ = [
    "bar", "exactly", "new_table", "number", "open_console", "percent", "print_table",
    "shares", "stopped", "value_told",
]  # fmt: skip

BAR = 24
WIDE = 100
NARROW = 40
"""Columns below which there are lists in the place of tables."""
WIDEST = 1000
HIGH = 25
GAP = 2
SNUG = 18
"""Columns that a text needs at least, if it is not shorter, to be read in a table."""
BLOCKS = frozenset("█▉▊▋▌▍▎▏")


def open_console() -> Console:
    """Where to print: as wide as the terminal, or as `WIDE` says where there is none."""
    wished = os.environ.get("COLUMNS", "")
    width = None if sys.stdout.isatty() else WIDE
    if wished.isascii() and wished.isdecimal() and len(wished) < 10 and int(wished):
        width = min(int(wished), WIDEST)
    elif width is None:
        width = os.get_terminal_size(sys.stdout.fileno()).columns or WIDE
    # Given both, rich does not try to read COLUMNS and LINES itself.
    return Console(highlight=False, width=width, height=HIGH, soft_wrap=False)


# -- numbers -----------------------------------------------------------------------------------


def shares(chances: Sequence[float]) -> tuple[str, ...]:
    """Probabilities that add up to one, as percentages that add up to 100.00.

    What is left over by rounding goes where most was cut off. None says 0 or 100 for what is
    neither.

    >>> shares([1 / 3, 1 / 3, 1 / 3])
    ('33.34 %', '33.33 %', '33.33 %')
    >>> shares([0.99999, 0.00001, 0.0]), shares([0.0, 1 - 1e-16])
    (('>99.99 %', '<0.01 %', '0 %'), ('0 %', '100 %'))
    """
    exact = [chance * 10_000 for chance in chances]
    parts = [int(part) for part in exact]
    by_cut = sorted(range(len(parts)), key=lambda n: parts[n] - exact[n])
    for place in by_cut[: max(0, 10_000 - sum(parts))]:
        parts[place] += 1
    told = []
    for place, (part, chance) in enumerate(zip(parts, chances, strict=True)):
        others = sum(chances[:place]) + sum(chances[place + 1 :])
        if not chance or not others:
            told.append("100 %" if chance else "0 %")
        elif part in {0, 10_000}:
            told.append(">99.99 %" if part else "<0.01 %")
        else:
            told.append(f"{part / 100:.2f} %")
    return tuple(told)


def number(value: Fraction | float) -> str:
    """A number with four decimals at most."""
    return f"{float(value):.4f}".rstrip("0").rstrip(".")


def value_told(value: object) -> str:
    """A value of an outcome, for people."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(value_told(part) for part in value) or "none"
    return "none" if value in {"", None} else str(value)


def exactly(value: Fraction) -> str:
    """A fraction as it is written."""
    return f"{value.numerator}/{value.denominator}" if value.denominator != 1 else str(value)


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


class _Table(Table):
    """A table that knows which of its columns may be left out where there is no room."""

    spare: frozenset[int] = frozenset()
    plain: frozenset[int] = frozenset()


def new_table(*columns: str) -> Table:
    """A table without lines.

    Args:
        columns: their heads; a `>` before one aligns it right, a `?` lets the column be left
            out on a narrow terminal, a `~` leaves the head out where there is a list instead.
    """
    table = _Table(box=None, pad_edge=False, header_style="bold")
    table.spare = frozenset(n for n, column in enumerate(columns) if column.startswith("?"))
    table.plain = frozenset(n for n, column in enumerate(columns) if column.startswith("~"))
    for column in columns:
        head = column.lstrip("?~")
        right = head.startswith(">")
        table.add_column(head.removeprefix(">"), justify="right" if right else "left",
                         no_wrap=right)  # fmt: skip
    return table


def print_table(console: Console, table: Table) -> None:
    """Print a table as wide as there is room: without bars, without what is spare, as a list."""
    columns = list(table.columns)
    if console.width >= NARROW:
        for left_out in _left_out(table, columns):
            shown = [column for place, column in enumerate(columns) if place not in left_out]
            if _needed(shown) <= console.width:
                _print_columns(console, shown, columns)
                return
    _print_list(console, table, columns)


def _left_out(table: Table, columns: Sequence[Column]) -> list[set[int]]:
    """Which columns to do without: none, bars, what is spare as well."""
    bars = {place for place, column in enumerate(columns) if _is_bar(column)}
    return [set(), bars, bars | getattr(table, "spare", set())]


def _is_bar(column: Column) -> bool:
    return not str(column.header) and all(set(_plain_cell(cell)) <= BLOCKS for cell in column.cells)


def _plain_cell(cell: object) -> str:
    return cell.plain if isinstance(cell, Text) else str(cell)


def _needed(columns: Sequence[Column]) -> int:
    """How wide a table is at least if all its columns can be read."""
    return sum(map(_least, columns)) + GAP * max(0, len(columns) - 1)


def _least(column: Column) -> int:
    """How narrow a column may get."""
    cells = [_plain_cell(cell) for cell in (column.header, *column.cells)]
    whole = max(cell_len(line) for cell in cells for line in cell.split("\n"))
    if column.no_wrap:
        return whole
    word = max((cell_len(word) for cell in cells for word in cell.split()), default=0)
    return min(whole, max(word, SNUG))


def _print_columns(console: Console, shown: Sequence[Column], columns: Sequence[Column]) -> None:
    made = Table(box=None, pad_edge=False, header_style="bold")
    for column in shown:
        made.add_column(column.header, justify=column.justify, no_wrap=column.no_wrap,
                        min_width=_least(column))  # fmt: skip
    for cells in zip(*(column.cells for column in shown), strict=True):
        made.add_row(*cells)
    console.print(made)
    gone = [str(column.header) for column in columns if column not in shown and column.header]
    if gone:
        console.print(f"(no room for: {', '.join(gone)})", markup=False)


def _print_list(console: Console, table: Table, columns: Sequence[Column]) -> None:
    """Each row as a few lines: the first cell, then the others with the heads of their columns."""
    silent: frozenset[int] = getattr(table, "plain", frozenset())
    kept = [(place, column) for place, column in enumerate(columns) if not _is_bar(column)]
    heads = ["" if place in silent else str(column.header) for place, column in kept]
    for row in zip(*(column.cells for _, column in kept), strict=True):
        first, *cells = (_lines(cell) for cell in row)
        names, others = heads[1:], cells
        if kept[0][1].justify == "right" and heads[0]:
            first = [" ".join([heads[0], *first])]
        elif 1 in silent and cells:
            first, names, others = [*first, *cells[0]], names[1:], cells[1:]
        _print_line(console, ": ".join(first), 0)
        for name, lines in zip(names, others, strict=True):
            for line in lines:
                _print_line(console, f"{name}: {line}" if name else line, 2)
                name = ""  # noqa: PLW2901  # once
    console.print()


def _lines(cell: object) -> list[str]:
    return [line.strip() for line in _plain_cell(cell).split("\n") if line.strip()]


def _print_line(console: Console, line: str, indent: int) -> None:
    if line:
        style = "" if indent else "bold"
        console.print(Padding(Text(line, style=style), (0, 0, 0, indent), expand=False))
