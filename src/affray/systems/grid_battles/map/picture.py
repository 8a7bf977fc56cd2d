"""The board as a drawing in letters, and below it the counters: what each unit shows."""

from __future__ import annotations

from collections.abc import Iterator

from affray.core.step import cites
from affray.systems.grid_battles.map.board import (
    called,
    goal_told,
    ground_of,
    hex_at,
    label_of,
    owner,
    state_told,
    unit_of,
)
from affray.systems.grid_battles.map.hexes import is_set_back
from affray.systems.grid_battles.numbers import dice_told, health_of
from affray.systems.grid_battles.sheet import PLAIN, Scenario, Terrain
from affray.systems.grid_battles.state import PLAYERS, Board, Exchange, Status

__all__ = ["code", "picture"]

WIDTH = 14
LETTERS = 5
MARKS: dict[Status, str] = {
    "fresh": "", "activated": "*", "moved": "*", "fought": "*", "fatigued": "~",
}  # fmt: skip
"""The signs behind a unit's health, by its status."""
KEY = "* activated  ~ fatigued; capital letters are player one's"


def picture(x: Exchange) -> str:
    """The map: units with their health, capital letters for player one, and what they stand on."""
    board = x.board
    if board is None:
        return ""
    scenario = board.war.scenario
    lines = _columns(board) if scenario.layout.startswith("columns") else _rows(board)
    goals = [f"{name} wins with {goal_told(board, side)}" for side, name in enumerate(PLAYERS)]
    return "\n".join([_head(scenario), *lines, "", *counters(board), KEY, "", *goals])


def _head(scenario: Scenario) -> str:
    columns = range(scenario.columns)
    return "    " + "".join(f"{column:02}".ljust(WIDTH) for column in columns).rstrip()


def _rows(board: Board) -> Iterator[str]:
    """Rows from the top; those that are set back begin half a hex later."""
    scenario = board.war.scenario
    for row in range(scenario.rows):
        cells = [_cell(board, column, row) for column in range(scenario.columns)]
        shift = " " * (WIDTH // 2 if is_set_back(row, scenario.layout) else 0)
        yield f"{row:02}  {shift}{''.join(cell.ljust(WIDTH) for cell in cells)}".rstrip()


def _columns(board: Board) -> Iterator[str]:
    """Rows from the top, two lines each; columns that are set back stand on the second."""
    scenario = board.war.scenario
    for row in range(scenario.rows):
        for back in (False, True):
            cells = [
                _cell(board, column, row) if is_set_back(column, scenario.layout) is back else ""
                for column in range(scenario.columns)
            ]
            line = "".join(cell.ljust(WIDTH) for cell in cells)
            yield f"{'' if back else f'{row:02}'}".ljust(4) + line.rstrip()


def _cell(board: Board, column: int, row: int) -> str:
    scenario = board.war.scenario
    hex_ = hex_at(scenario, f"{column:02}{row:02}")
    terrain = ground_of(scenario).get(hex_)
    if terrain is None:
        return ""
    under = _under(terrain)
    for place, piece in enumerate(board.pieces):
        if piece is not None and piece.hex == hex_:
            health = health_of(piece.points, board.war.rulings)
            shown = f"{_code(board, place)}:{health}{MARKS[piece.status]}"
            return f"{shown}/{under}" if under else shown
    return under or "."


def _under(terrain: Terrain) -> str:
    plain = terrain == PLAIN or terrain.name == PLAIN.name
    return "" if plain else terrain.name[:LETTERS]


@cites("GB-18", "GB-19", "GB-41", "GB-53", "GB-60")
def counters(board: Board) -> list[str]:
    """A line for each unit on the board: what its counter shows, and its status."""
    war = board.war
    rows = []
    for place, piece in enumerate(board.pieces):
        if piece is None:
            continue
        unit = unit_of(war, place)
        rows.append(
            (
                PLAYERS[owner(war, place)],
                _code(board, place),
                called(war, place),
                label_of(war, piece.hex),
                f"health {health_of(piece.points, war.rulings)}/{unit.most}",
                f"attack {dice_told(unit.attack)}",
                f"defense {dice_told(unit.defence)}",
                f"move {unit.move}",
                f"range {unit.range_hexes}",
                state_told(unit, piece),
            )
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _code(board: Board, place: int) -> str:
    shown = code(called(board.war, place))
    return shown.lower() if owner(board.war, place) else shown.upper()


def code(words: str) -> str:
    """A unit in few letters: "LC", "AR", "AR2"."""
    names = [word for word in words.split() if not word.isdigit()]
    short = "".join(name[0] for name in names) if len(names) > 1 else words[:2]
    return short + "".join(word for word in words.split() if word.isdigit())
