"""What every view needs to be shown: the console, tables, bars, numbers that don't lie."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from fractions import Fraction

from rich.console import Console
from rich.table import Table

__all__ = ["bar", "exactly", "new_table", "number", "open_console", "percent", "shares"]

BAR = 24
WIDE = 100


def open_console() -> Console:
    """Where to print: as wide as the terminal, or as `WIDE` says where there is none."""
    wished = os.environ.get("COLUMNS", "")
    width = None if sys.stdout.isatty() or wished.isdigit() else WIDE
    return Console(highlight=False, width=width, soft_wrap=False)


def percent(chance: Fraction | float) -> str:
    """A probability as a percentage that never says 0 or 100 for what is neither.

    >>> percent(Fraction(1, 3)), percent(Fraction(0)), percent(Fraction(1))
    ('33.33 %', '0 %', '100 %')
    >>> percent(Fraction(1, 1000000)), percent(Fraction(999999, 1000000))
    ('<0.01 %', '>99.99 %')
    """
    if chance == 0:
        return "0 %"
    if chance == 1:
        return "100 %"
    shown = f"{float(chance) * 100:.2f}"
    if shown == "0.00":
        return "<0.01 %"
    return ">99.99 %" if shown == "100.00" else f"{shown} %"


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


def exactly(value: Fraction) -> str:
    """A fraction as it is written."""
    return f"{value.numerator}/{value.denominator}" if value.denominator != 1 else str(value)


def bar(share: Fraction | float, most: Fraction | float, width: int = BAR) -> str:
    """A bar of full and partial blocks; anything above zero shows."""
    if not share:
        return ""
    eighths = max(1, round(float(share / most) * width * 8))
    return "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()


def new_table(*columns: str) -> Table:
    """A table without lines; a `>` before a column's name aligns it right."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        right = column.startswith(">")
        table.add_column(column.removeprefix(">"), justify="right" if right else "left",
                         no_wrap=right)  # fmt: skip
    return table
