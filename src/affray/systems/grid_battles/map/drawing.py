"""The board as an SVG: hexes with their terrain, and counters as the book describes them.

A counter has its attack dice at the top right and its defense dice at the bottom left, small
squares of their colors. Units of either player are told apart by shape. While a unit is activated
its movement points stand at the top left.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import sqrt

from affray.core.step import cites
from affray.systems.grid_battles.map.board import (
    called,
    ground_of,
    known_as,
    label_of,
    owner,
    state_told,
    unit_of,
)
from affray.systems.grid_battles.map.hexes import Hex, is_set_back
from affray.systems.grid_battles.map.picture import code
from affray.systems.grid_battles.numbers import counter_told, health_of
from affray.systems.grid_battles.sheet import PLAIN, Scenario, Terrain
from affray.systems.grid_battles.state import Board, Exchange, Status, War

__all__ = ["drawing"]

SIDE = 36.0
"""Side of a hex, in points of the drawing."""
HALF = SIDE * sqrt(3) / 2
MARGIN = 24.0
FOOT = 82.0
LINE = 14.0
NARROWEST = 420.0
GROUND, INK, GREY = "ground:#fbfaf7", "ink:#1c1c1c", "grey:#8a8a8a"
PLAIN_FILL, ROUGH_FILL = "place:#ffffff", "rough:#e4e8d8"
FILLS = ("one:#f4b183", "other:#a6cee3")
"""Of either player; player one's units are square, player two's are round."""
DICE = {
    "yellow": "die-yellow:#ffd92f", "blue": "die-blue:#4575b4", "red": "die-red:#d73027",
    "brown": "die-brown:#8c510a", "grey": "die-grey:#bdbdbd", "black": "die-black:#1c1c1c",
}  # fmt: skip
DIE = 6.0
EDGES: dict[Status, str] = {
    "fresh": 'stroke-width="1"', "activated": 'stroke-width="3"', "moved": 'stroke-width="2"',
    "fought": 'stroke-width="2" stroke-dasharray="4 2"',
    "fatigued": 'stroke-width="1" stroke-dasharray="2 2" fill-opacity="0.4"',
}  # fmt: skip
"""The edge of a counter, by its status."""
FOOT_LINES = (
    "squares: one, circles: other",
    "letters and health, below them movement points and range",
    "attack dice at the top right, defense dice at the bottom left",
    "heavy edge: activated, points left at the top left",
    "broken edge: done; pale: fatigued",
)


def drawing(x: Exchange) -> str:
    """The map of a game as an SVG document; "" for a single combat."""
    board = x.board
    if board is None:
        return ""
    scenario = board.war.scenario
    width, height = _size(scenario)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'role="img" font-family="sans-serif" font-size="11" text-anchor="middle">',
        f"<title>{escape(scenario.name or 'Grid Battles')}</title>",
        "<desc>Hexes with their numbers and terrain. Units of player one stand in squares, those "
        "of player two in circles, with their health, dice, movement points, range and status."
        "</desc>",
        f'<rect width="100%" height="100%" fill="{GROUND}"/>',
    ]
    ground = ground_of(scenario)
    for hex_, terrain in sorted(ground.items(), key=lambda item: (item[0].r, item[0].q)):
        parts.append(_hex(board.war, hex_, terrain))
    for place, piece in enumerate(board.pieces):
        if piece is not None:
            parts.append(_unit(board, place))
    for number, words in enumerate(FOOT_LINES):
        y = height - MARGIN / 2 - LINE * (len(FOOT_LINES) - 1 - number)
        parts.append(
            f'<text x="{MARGIN:.0f}" y="{y:.0f}" text-anchor="start" font-size="10" '
            f'fill="{INK}">{words}</text>'
        )
    return "\n".join((*parts, "</svg>")) + "\n"


def _size(scenario: Scenario) -> tuple[float, float]:
    """The width and the height of the drawing."""
    across, down = scenario.columns, scenario.rows
    if scenario.layout.startswith("columns"):
        wide, high = SIDE * (1.5 * across + 0.5), HALF * (2 * down + 1)
    else:
        wide, high = HALF * (2 * across + 1), SIDE * (1.5 * down + 0.5)
    return max(NARROWEST, 2 * MARGIN + wide), 2 * MARGIN + high + FOOT


def _middle(war: War, hex_: Hex) -> tuple[float, float]:
    """Place the center of a hex on the drawing; rows count down."""
    label, layout = label_of(war, hex_), war.scenario.layout
    column, row = int(label[:2]), int(label[2:])
    if layout.startswith("columns"):
        along = HALF * (1 + 2 * row + is_set_back(column, layout))
        return MARGIN + SIDE * (1 + 1.5 * column), MARGIN + along
    along = HALF * (1 + 2 * column + is_set_back(row, layout))
    return MARGIN + along, MARGIN + SIDE * (1 + 1.5 * row)


def _hex(war: War, hex_: Hex, terrain: Terrain) -> str:
    x, y = _middle(war, hex_)
    around = ((0.0, -SIDE), (HALF, -SIDE / 2), (HALF, SIDE / 2))
    if war.scenario.layout.startswith("columns"):
        around = ((-SIDE, 0.0), (-SIDE / 2, HALF), (SIDE / 2, HALF))
    points = (*around, *((-a, -b) for a, b in around))
    corners = " ".join(f"{x + a:.1f},{y + b:.1f}" for a, b in points)
    is_plain = terrain == PLAIN or terrain.name == PLAIN.name
    fill = PLAIN_FILL if is_plain else ROUGH_FILL
    label = label_of(war, hex_)
    name = "" if is_plain else escape(terrain.name)
    return (
        f'<polygon data-place="{label}" points="{corners}" fill="{fill}" stroke="{GREY}">'
        f"<title>{' '.join(filter(None, (label, name)))}</title></polygon>"
        f'<text x="{x:.1f}" y="{y - SIDE * 0.62:.1f}" font-size="8" fill="{GREY}">{label}</text>'
        f'<text x="{x:.1f}" y="{y + SIDE * 0.78:.1f}" font-size="9" fill="{INK}">{name}</text>'
    )


@cites("GB-18", "GB-19", "GB-41", "GB-53", "GB-60")
def _unit(board: Board, place: int) -> str:
    """A counter: its letters and health, its dice, its movement points and range, its status."""
    piece = board.pieces[place]
    assert piece is not None  # only units that stand are drawn
    war = board.war
    side, unit = owner(war, place), unit_of(war, place)
    x, y = _middle(war, piece.hex)
    name = called(war, place)
    shape = (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="16" ' if side else
        f'<rect x="{x - 16:.1f}" y="{y - 14:.1f}" width="32" height="28" '
    )  # fmt: skip
    health = health_of(piece.points, war.rulings)
    words = f"{code(name)} {health}"
    told = f"{name}: {health}/{unit.most} health, {counter_told(unit)}, {state_told(unit, piece)}"
    shows = f"{unit.move}" + (f" r{unit.range_hexes}" if unit.shoots else "")
    left = f'<text x="{x - 16:.1f}" y="{y - 16:.1f}" font-size="9" fill="{INK}">{unit.move}</text>'
    return (
        f'<g data-unit="{escape(known_as(war, place))}" data-at="{label_of(war, piece.hex)}">'
        f"<title>{escape(told)}</title>"
        f'{shape}fill="{FILLS[side]}" stroke="{INK}" '
        f"{EDGES[piece.status]}/>"
        f"{_dice(unit.attack, x + 16, y - 20, -1)}{_dice(unit.defence, x - 16 - DIE, y + 14, 1)}"
        f"{left if piece.status == 'activated' else ''}"
        f'<text x="{x:.1f}" y="{y + 11:.1f}" font-size="8" fill="{INK}">{shows}</text>'
        f'<text x="{x:.1f}" y="{y + 2:.1f}" fill="{INK}">{escape(words)}</text></g>'
    )


def _dice(colours: Sequence[str], x: float, y: float, step: int) -> str:
    """Dice in a row, from a corner of the counter inwards."""
    return "".join(
        f'<rect class="die {colour}" x="{x + step * number * (DIE + 1):.1f}" y="{y:.1f}" '
        f'width="{DIE:.0f}" height="{DIE:.0f}" fill="{DICE[colour]}" stroke="{INK}"/>'
        for number, colour in enumerate(colours)
    )
