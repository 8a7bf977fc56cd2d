"""A game on the map seen as a fight: its units, how they stand, the round, and who has won."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from affray.core.errors import RulesError
from affray.core.fight import Whole
from affray.core.node import At
from affray.core.step import cites
from affray.systems.grid_battles.harm import apply_hits
from affray.systems.grid_battles.map.board import known_as, label_of, of_side, state_told, unit_of
from affray.systems.grid_battles.numbers import points_of
from affray.systems.grid_battles.sheet import Unit
from affray.systems.grid_battles.state import PLAYERS, Board, Condition, Exchange

__all__ = ["GAME"]


Verdict: TypeAlias = Literal["one", "other", "drawn", "ended"]
VERDICTS: Mapping[str, Verdict] = {"one": "one", "other": "other"}


def _is_game(x: Exchange) -> bool:
    return x.board is not None


def _board(x: Exchange) -> Board:
    if x.board is None:
        raise RulesError("a combat of its own has no board")
    return x.board


def _units(x: Exchange) -> tuple[tuple[Unit, ...], tuple[Unit, ...]]:
    board = _board(x)
    one, other = (
        tuple(unit_of(board.war, place) for place in of_side(board, side)) for side in (0, 1)
    )
    return one, other


def _names(x: Exchange) -> tuple[tuple[str, ...], tuple[str, ...]]:
    board = _board(x)
    one, other = (
        tuple(known_as(board.war, place) for place in of_side(board, side)) for side in (0, 1)
    )
    return one, other


@cites("GB-16", "GB-41")
def _conditions(x: Exchange) -> tuple[tuple[Condition, ...], tuple[Condition, ...]]:
    """The points of each unit, its status and its hex; whoever is off the map has none."""
    board = _board(x)
    one, other = (
        tuple(_condition(board, place) for place in of_side(board, side)) for side in (0, 1)
    )
    return one, other


def _condition(board: Board, place: int) -> Condition:
    piece, most = board.pieces[place], unit_of(board.war, place).most
    points = points_of(most, board.war.rulings)
    if piece is None:
        return Condition(0, points)
    return Condition(
        piece.points,
        points,
        piece.status == "fatigued",
        state_told(unit_of(board.war, place), piece),
        label_of(board.war, piece.hex),
    )


@cites("GB-42")
def _round(x: Exchange) -> int:
    return _board(x).round


@cites("GB-47")
def _verdict(x: Exchange) -> Verdict:
    """The side that has won; neither is a draw."""
    return VERDICTS.get(_board(x).winner, "drawn")


@cites("GB-14")
def _hits(at: At[Exchange]) -> bool | None:
    """Whether the attack hits for which hits have just been counted."""
    return at.facts.scored > 0 if at.step is apply_hits else None


GAME: Whole[Exchange, Unit, Condition] = Whole(
    _is_game, (PLAYERS[0], PLAYERS[1]), _units, _names, _conditions, _round, _verdict, _hits
)
