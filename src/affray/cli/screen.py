"""The screen: plain lines where they will do, rich where there is more to show.

Rich knows how wide characters are, breaks lines between words and styles them. Most output needs
none of that when it goes into a pipe or a file, and loading rich takes longer than pricing an
exchange. Both ways print the same.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TextIO

from affray.core.lazy import NamedTuple

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

__all__ = ["GAP", "Cell", "Column", "Screen", "Styled", "cell_len", "open_screen"]

WIDE = 100
WIDEST = 1000
HIGH = 25
GAP = 2
"""Blanks between columns."""
NARROW_SIGNS = frozenset("█▉▊▋▌▍▎▏…±×−–—·’‘“”≥≤→é")
"""Signs beyond ASCII that are one column wide, as everybody agrees."""


class Styled(NamedTuple):
    """A text with a style, such as "bold"."""

    text: str
    style: str = ""

    def __str__(self) -> str:
        return self.text


Cell = str | Styled


@dataclass
class Column:
    """A column of a table: its head, and a cell for each row."""

    header: str
    justify: Literal["left", "right"]
    no_wrap: bool
    cells: list[Cell] = field(default_factory=list)


def cell_len(text: str) -> int:
    """The number of columns that a text takes."""
    if text.isascii() or NARROW_SIGNS.issuperset(sign for sign in text if not sign.isascii()):
        return len(text)
    from rich.cells import cell_len as measured

    return measured(text)


class Screen:
    """Prints lines and columns, as wide as there is room.

    Args:
        width: columns that there are.
        file: where to; None: standard output.
        styled: whether styles are shown at all.
    """

    def __init__(self, width: int, file: TextIO | None = None, *, styled: bool = False) -> None:
        self.width = width
        self.styled = styled
        self._file = file

    @property
    def file(self) -> TextIO:
        """The stream that text goes to."""
        return sys.stdout if self._file is None else self._file

    def print(self, text: str = "", *, style: str = "", soft_wrap: bool = False) -> None:
        """Print a text; lines that are too long are broken between words.

        Args:
            text: it may consist of several lines.
            style: as rich has it, such as "bold".
            soft_wrap: long lines are left as they are.
        """
        lines = [text] if soft_wrap else _broken(text, self.width)
        if lines and not (style and self.styled):
            self.file.write("".join(f"{line}\n" for line in lines))
        else:
            self._console().print(_text(Styled(text, style)), soft_wrap=soft_wrap)

    def print_parts(self, parts: Sequence[Styled]) -> None:
        """Print parts of a line, each with its style; it is not broken, however long."""
        if not self.styled:
            self.file.write(f"{''.join(map(str, parts))}\n")
            return
        from rich.text import Text

        self._console().print(Text.assemble(*map(_text, parts)), soft_wrap=True)

    def print_indented(self, text: str, indent: int) -> None:
        """Print a text whose lines all begin after some blanks, where it is broken too."""
        if not self.styled and indent + cell_len(text) <= self.width:
            self.file.write(f"{' ' * indent}{text}\n")
            return
        from rich.padding import Padding

        style = "" if indent else "bold"
        padded = Padding(_text(Styled(text, style)), (0, 0, 0, indent), expand=False)
        self._console().print(padded)

    def print_columns(self, columns: Sequence[Column], least: Sequence[int]) -> None:
        """Print columns side by side, with their heads.

        Args:
            columns: each with as many cells.
            least: how narrow each may become.
        """
        wide = [
            max(cell_len(line) for cell in (column.header, *column.cells)
                for line in str(cell).split("\n"))
            for column in columns
        ]  # fmt: skip
        room = sum(wide) + GAP * (len(wide) - 1)
        if self.styled or room > self.width or not any(wide):
            self._print_by_rich(columns, least)
            return
        for row in zip(*((column.header, *column.cells) for column in columns), strict=True):
            parts = [str(cell).split("\n") for cell in row]
            for number in range(max(map(len, parts))):
                told = (part[number] if number < len(part) else "" for part in parts)
                aligned = (
                    f"{' ' * (width - cell_len(line))}{line}" if column.justify == "right"
                    else f"{line}{' ' * (width - cell_len(line))}"
                    for line, width, column in zip(told, wide, columns, strict=True)
                )  # fmt: skip
                self.file.write(f"{(' ' * GAP).join(aligned)}\n")

    def _print_by_rich(self, columns: Sequence[Column], least: Sequence[int]) -> None:
        from rich.table import Table

        made = Table(box=None, pad_edge=False, header_style="bold")
        for column, narrow in zip(columns, least, strict=True):
            made.add_column(_text(column.header), justify=column.justify, no_wrap=column.no_wrap,
                            min_width=narrow)  # fmt: skip
        for cells in zip(*(column.cells for column in columns), strict=True):
            made.add_row(*map(_text, cells))
        self._console().print(made)

    def _console(self) -> Console:
        from rich.console import Console

        # Given both, rich does not try to read COLUMNS and LINES itself.
        return Console(
            file=self._file, highlight=False, width=self.width, height=HIGH, soft_wrap=False
        )


_WORD = re.compile(r"\s*\S+\s*")


def _broken(text: str, width: int) -> list[str]:
    """Lines of a text, broken between words as rich does it; [] where rich has to."""
    found = []
    for whole in text.split("\n"):
        if "\t" in whole or (whole.isspace() and cell_len(whole) > width):
            return []
        line = ""
        for word in _WORD.findall(whole) if cell_len(whole) > width else [whole]:
            if line and cell_len(line) + cell_len(word.rstrip()) > width:
                found.append(_cut(line, width))
                line = ""
            if cell_len(word.rstrip()) > width:
                return []
            line += word
        found.append(_cut(line, width))
    return found


def _cut(line: str, width: int) -> str:
    """A line without the blanks at its end for which there is no room."""
    bare = line.rstrip()
    return f"{bare}{line[len(bare) :][: max(0, width - cell_len(bare))]}"


def _text(cell: Cell) -> Text:
    from rich.text import Text

    return Text(cell.text, style=cell.style) if isinstance(cell, Styled) else Text(cell)


def open_screen() -> Screen:
    """A screen as wide as the terminal, or as `WIDE` says where there is none."""
    wished, on_terminal = os.environ.get("COLUMNS", ""), sys.stdout.isatty()
    width = WIDE
    if wished.isascii() and wished.isdecimal() and len(wished) < 10 and int(wished):
        width = min(int(wished), WIDEST)
    elif on_terminal:
        width = os.get_terminal_size(sys.stdout.fileno()).columns or WIDE
    forced = any(os.environ.get(name) for name in ("FORCE_COLOR", "TTY_COMPATIBLE"))
    return Screen(width, styled=on_terminal or forced)
