"""The table of a fight on a few lines: who is next, how everybody stands, what has changed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from affray.cli.show_fight import MOST_WIDE, filled
from affray.core.lazy import NamedTuple

if TYPE_CHECKING:
    from affray.app.views.played_fights import FighterRow, FightView

__all__ = ["ShortTable", "level"]

CELLS = 10
"""Blocks of a bar; half as many where there is little room."""
SNUG = 60
"""Columns below which there is little room."""
SIGNS = ("+", "-")
"""What stands before the fighters of either side."""
_NUMBERED = re.compile(r"(?P<kind>.*\S) (?P<number>\d+)")


class _Line(NamedTuple):
    """A line of the table: one fighter, or several of a kind who stand alike."""

    sign: str
    rows: tuple[FighterRow, ...]

    @property
    def name(self) -> str:
        """The name, or the kind with numbers: "Husks 1, 2, 4"."""
        if len(self.rows) == 1:
            return self.rows[0].name
        found = [_NUMBERED.fullmatch(row.name) for row in self.rows]
        numbers = [match["number"] for match in found if match]
        kind = found[0]["kind"] if found[0] else ""
        return f"{kind} {', '.join(numbers)}"

    @property
    def names(self) -> set[str]:
        """The names of all."""
        return {row.name for row in self.rows}


class ShortTable:
    """Draws the table of a fight whenever it has changed, and marks what has.

    Args:
        width: columns that there are.
    """

    def __init__(self, width: int) -> None:
        self._width = min(width, MOST_WIDE)
        self._shown: dict[str, tuple[object, ...]] = {}

    def forget(self) -> None:
        """Draw it anew next time, whether it has changed or not."""
        self._shown = {}

    def lines(self, view: FightView) -> Iterator[str]:
        """The table; nothing if it is as it was when it was drawn last."""
        shown: dict[str, tuple[object, ...]] = {
            row.name: (row.bar, row.short, row.state) for row in view.fighters
        }
        if shown == self._shown:
            return
        known = self._shown
        changed = {name for name in shown if known and known.get(name) != shown[name]}
        self._shown = shown
        acts = next((turn.name for turn in view.turns if turn.state == "now"), "")
        one, other = view.sides
        sides = "" if _name_all(view) else f": {SIGNS[0]} {one}, {SIGNS[1]} {other}"
        began = f"Round {view.round}" if view.round else "Before the first round"
        yield from filled(f"{began}{sides}", self._width)
        lines = _grouped([row for row in _in_turn(view) if not row.is_out], changed, acts)
        names = min(max((len(line.name) for line in lines), default=0), self._width // 2 - 2)
        for line in lines:
            marks = (">" if acts in line.names else " ") + ("*" if line.names & changed else " ")
            text = f"{marks}{line.sign} {line.name:{names}} {self._stands(line, self._cells)}"
            if len(text) > self._width:  # words say more than a bar
                text = f"{marks}{line.sign} {line.name:{names}} {self._stands(line, 0)}"
            yield _cut(text.rstrip(), self._width)
        out = [
            f"{row.name}{'*' * (row.name in changed)}{f' ({row.state})' * (row.state != 'out')}"
            for row in view.fighters if row.is_out
        ]  # fmt: skip
        if out:
            yield from filled(f"Out: {', '.join(out)}", self._width, 2)

    @property
    def _cells(self) -> int:
        """Blocks of a bar."""
        return CELLS if self._width >= SNUG else CELLS // 2

    def _stands(self, line: _Line, cells: int) -> str:
        """How somebody stands: a bar of so many blocks, the points, then a few words."""
        row = line.rows[0]
        state = "" if row.state == "standing" else row.state
        words = ", ".join(filter(None, (state, *row.short)))
        if row.bar is None:
            return words
        left, most = row.bar
        if len(line.rows) > 1 and left == most and not words:
            return "unhurt"
        bar = f"{level(left, most, cells)} " if cells else ""
        return f"{bar}{f'{left}/{most}':>5}{f', {words}' if words else ''}"


def level(left: int, most: int, cells: int = CELLS) -> str:
    """A bar of points left: empty only at none, full only at all.

    >>> level(29, 40), level(1, 40), level(39, 40), level(0, 40)
    ('███████░░░', '█░░░░░░░░░', '█████████░', '░░░░░░░░░░')
    """
    full = 0 if not most else round(cells * left / most)
    if 0 < left < most:
        full = min(cells - 1, max(1, full))
    return "█" * full + "░" * (cells - full)


def _name_all(view: FightView) -> bool:
    """Whether the names of the sides are but those of their fighters."""
    rows = [", ".join(row.name for row in view.fighters if row.side == side)
            for side in ("one", "other")]  # fmt: skip
    return tuple(rows) == view.sides


def _in_turn(view: FightView) -> list[FighterRow]:
    """The fighters in the order of their turns; those without one are last."""
    places = {turn.name: place for place, turn in enumerate(view.turns)}
    return sorted(view.fighters, key=lambda row: places.get(row.name, len(places)))


def _grouped(rows: Sequence[FighterRow], changed: set[str], acts: str) -> list[_Line]:
    """A line each; one for all who have a kind and number, stand alike and are not in question."""
    found: dict[object, list[FighterRow]] = {}
    for row in rows:
        match = _NUMBERED.fullmatch(row.name)
        alone = match is None or row.name == acts or row.name in changed
        kind = row.name if match is None or alone else match["kind"]
        found.setdefault((kind, row.side, row.bar, row.short, row.state), []).append(row)
    return [_Line(SIGNS[group[0].side == "other"], tuple(sorted(group, key=_number)))
            for group in found.values()]  # fmt: skip


def _number(row: FighterRow) -> int:
    match = _NUMBERED.fullmatch(row.name)
    return int(match["number"]) if match else 0


def _cut(text: str, width: int) -> str:
    """A text that is no wider than there is room."""
    return text if len(text) <= width else f"{text[: width - 1]}…"
