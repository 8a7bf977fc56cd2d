"""The board as an SVG: hexes with their terrain, units of either player told apart by shape."""

from __future__ import annotations

from html import escape
from math import sqrt

from affray.systems.grid_battles.map.board import called, ground_of, owner
from affray.systems.grid_battles.map.hexes import Hex, to_label
from affray.systems.grid_battles.map.picture import code
from affray.systems.grid_battles.numbers import health_of
from affray.systems.grid_battles.sheet import PLAIN, Terrain
from affray.systems.grid_battles.state import Board, Exchange

__all__ = ["drawing"]

SIDE = 36.0
"""Side of a hex, in points of the drawing."""
HALF = SIDE * sqrt(3) / 2
MARGIN = 24.0
FOOT = 30.0
NARROWEST = 270.0
GROUND, INK, GREY = "#fbfaf7", "#1c1c1c", "#8a8a8a"
PLAIN_FILL, ROUGH_FILL = "#ffffff", "#e4e8d8"
FILLS = ("#f4b183", "#a6cee3")
"""Of either player; player one's units are square, player two's are round."""


def drawing(x: Exchange) -> str:
    """The map of a game as an SVG document; "" for a single combat."""
    board = x.board
    if board is None:
        return ""
    scenario = board.war.scenario
    width = max(NARROWEST, 2 * MARGIN + HALF * (2 * scenario.columns + 1))
    height = 2 * MARGIN + SIDE * (1.5 * scenario.rows + 0.5) + FOOT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'role="img" font-family="sans-serif" font-size="11" text-anchor="middle">',
        f"<title>{escape(scenario.name or 'Grid Battles')}</title>",
        "<desc>Hexes with their numbers and terrain. Units of player one stand in squares, those "
        "of player two in circles; the number is their health.</desc>",
        f'<rect width="100%" height="100%" fill="{GROUND}"/>',
    ]
    ground = ground_of(scenario)
    for hex_, terrain in sorted(ground.items(), key=lambda item: (item[0].r, item[0].q)):
        parts.append(_hex(hex_, terrain))
    for place, piece in enumerate(board.pieces):
        if piece is not None:
            parts.append(_unit(board, place))
    parts.append(
        f'<text x="{MARGIN:.0f}" y="{height - MARGIN / 2:.0f}" text-anchor="start" '
        f'font-size="10" fill="{INK}">'
        "squares: one, circles: other; number: health</text>"
    )
    return "\n".join((*parts, "</svg>")) + "\n"


def _middle(hex_: Hex) -> tuple[float, float]:
    """Place the center of a hex on the drawing; rows count down."""
    column, row = hex_.q + hex_.r // 2, hex_.r
    return (
        MARGIN + HALF * (1 + 2 * column + row % 2),
        MARGIN + SIDE * (1 + 1.5 * row),
    )


def _hex(hex_: Hex, terrain: Terrain) -> str:
    x, y = _middle(hex_)
    around = ((0, -1), (1, -0.5), (1, 0.5), (0, 1), (-1, 0.5), (-1, -0.5))
    corners = " ".join(f"{x + a * HALF:.1f},{y + b * SIDE:.1f}" for a, b in around)
    is_plain = terrain == PLAIN or terrain.name == PLAIN.name
    fill = PLAIN_FILL if is_plain else ROUGH_FILL
    label = to_label(hex_)
    name = "" if is_plain else escape(terrain.name)
    return (
        f'<polygon points="{corners}" fill="{fill}" stroke="{GREY}"/>'
        f'<text x="{x:.1f}" y="{y - SIDE * 0.62:.1f}" font-size="8" fill="{GREY}">{label}</text>'
        f'<text x="{x:.1f}" y="{y + SIDE * 0.78:.1f}" font-size="9" fill="{INK}">{name}</text>'
    )


def _unit(board: Board, place: int) -> str:
    piece = board.pieces[place]
    assert piece is not None  # only units that stand are drawn
    side = owner(board.war, place)
    x, y = _middle(piece.hex)
    name = called(board.war, place)
    shape = (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="16" ' if side else
        f'<rect x="{x - 16:.1f}" y="{y - 14:.1f}" width="32" height="28" '
    )  # fmt: skip
    health = health_of(piece.points, board.war.rulings)
    words = f"{code(name)} {health}"
    return (
        f'<g><title>{escape(name)}</title>{shape}fill="{FILLS[side]}" stroke="{INK}"/>'
        f'<text x="{x:.1f}" y="{y + 4:.1f}" fill="{INK}">{escape(words)}</text></g>'
    )
