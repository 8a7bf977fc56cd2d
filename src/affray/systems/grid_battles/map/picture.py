"""The board as a drawing in letters: rows from the top, odd ones half a hex to the right."""

from __future__ import annotations

from affray.systems.grid_battles.map.board import called, ground_of, owner
from affray.systems.grid_battles.map.hexes import from_label
from affray.systems.grid_battles.numbers import health_of
from affray.systems.grid_battles.sheet import PLAIN, Terrain
from affray.systems.grid_battles.state import Board, Exchange

__all__ = ["code", "picture"]

WIDTH = 12
LETTERS = 5


def picture(x: Exchange) -> str:
    """The map: units with their health, capital letters for player one, and what they stand on."""
    board = x.board
    if board is None:
        return ""
    scenario = board.war.scenario
    ground = ground_of(scenario)
    columns = range(scenario.columns)
    lines = ["    " + "".join(f"{column:02}".ljust(WIDTH) for column in columns).rstrip()]
    for row in range(scenario.rows):
        cells = []
        for column in columns:
            hex_ = from_label(f"{column:02}{row:02}")
            here = [p for p, piece in enumerate(board.pieces) if piece and piece.hex == hex_]
            cells.append(_cell(board, here[0] if here else None, ground[hex_]).ljust(WIDTH))
        shift = " " * (WIDTH // 2 if row % 2 else 0)
        lines.append(f"{row:02}  {shift}{''.join(cells)}".rstrip())
    return "\n".join(lines)


def _cell(board: Board, place: int | None, terrain: Terrain) -> str:
    piece = None if place is None else board.pieces[place]
    under = "" if terrain == PLAIN or terrain.name == PLAIN.name else terrain.name[:LETTERS]
    if place is None or piece is None:
        return under or "."
    health = health_of(piece.points, board.war.rulings)
    shown = f"{code(called(board.war, place))}:{health}"
    shown = shown.lower() if owner(board.war, place) else shown.upper()
    return f"{shown}/{under}" if under else shown


def code(words: str) -> str:
    """A unit in few letters: "LC", "AR", "AR2"."""
    names = [word for word in words.split() if not word.isdigit()]
    short = "".join(name[0] for name in names) if len(names) > 1 else words[:2]
    return short + "".join(word for word in words.split() if word.isdigit())
