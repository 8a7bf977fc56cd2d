"""The outcome fields that can be asked for, and the objectives of each side."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Literal

from affray.core.system import Field, Objective, Reach, a_chance
from affray.systems.grid_battles.numbers import health_of
from affray.systems.grid_battles.state import PLAYERS, Exchange

__all__ = ["FIELDS", "OBJECTIVES"]

HALF = Fraction(1, 2)


def _left(role: Literal["attacker", "defender"]) -> Callable[[Exchange], object]:
    def of(x: Exchange) -> object:
        if x.terms is None:
            return 0
        return health_of(getattr(x, role), x.terms.rulings)

    return of


def _removed(x: Exchange) -> bool:
    return x.terms is not None and not x.defender


def _units(x: Exchange, side: int) -> int:
    if x.board is None:
        return 0
    n_one = len(x.board.war.scenario.one)
    army = x.board.pieces[n_one:] if side else x.board.pieces[:n_one]
    return sum(piece is not None for piece in army)


def _points(x: Exchange, side: int) -> int:
    if x.board is None:
        return 0
    n_one = len(x.board.war.scenario.one)
    army = x.board.pieces[n_one:] if side else x.board.pieces[:n_one]
    return sum(health_of(piece.points, x.board.war.rulings) for piece in army if piece is not None)


def _escaped(x: Exchange, side: int) -> int:
    return x.board.escaped[side] if x.board else 0


def _winner(x: Exchange) -> str:
    return x.board.winner if x.board else ""


def _in_game(x: Exchange) -> bool:
    return x.board is not None


def _in_combat(x: Exchange) -> bool:
    return x.board is None


def _won(x: Exchange) -> Fraction:
    """1 for a victory of player one, a half for a draw."""
    return HALF if _winner(x) == "draw" else Fraction(_winner(x) == PLAYERS[0])


COMBAT_FIELDS: tuple[Field[Exchange], ...] = (
    Field("damage", "health that the defender lost, the last point included", lambda x: x.damage,
          "GB-16", "points"),
    Field("hits", "hits that attackers scored", lambda x: x.hits, "GB-14", "hits"),
    Field("health", "the defender's health afterwards", _left("defender"), "GB-16", "points"),
    Field("removed", "whether the defender is removed", _removed, "GB-16", also=("killed",)),
    Field("battle_back", "whether there was a Battle Back", lambda x: x.battled_back, "GB-6"),
    Field("no_battle_back", "why the last attack had none", lambda x: x.why_not, "GB-6"),
    Field("back_hits", "hits scored in Battle Back", lambda x: x.back_hits, "GB-14", "hits"),
    Field("taken", "health that attackers lost", lambda x: x.taken, "GB-16", "points"),
    Field("attacker_health", "the last attacker's health afterwards", _left("attacker"), "GB-16",
          "points"),
    Field("attackers_removed", "attackers that are removed", lambda x: x.fallen, "GB-16",
          "units"),
)  # fmt: skip

GAME_FIELDS: tuple[Field[Exchange], ...] = (
    Field("winner", "who wins a game: one, other, or neither (draw)", _winner, "GB-47"),
    Field("rounds", "rounds of a game that began",
          lambda x: x.board.round if x.board else 0, "GB-42", "rounds"),
    Field("units_one", "units that player one has left", lambda x: _units(x, 0), "GB-47",
          "units"),
    Field("units_other", "units that the other player has left", lambda x: _units(x, 1), "GB-47",
          "units"),
    Field("escaped_one", "units of player one that have left the map", lambda x: _escaped(x, 0),
          "GB-47c", "units"),
    Field("escaped_other", "units of the other player that have left the map",
          lambda x: _escaped(x, 1), "GB-47c", "units"),
)  # fmt: skip

FIELDS = (
    *(field._replace(fits=_in_combat) for field in COMBAT_FIELDS),
    *(field._replace(fits=_in_game) for field in GAME_FIELDS),
)


def _units_at_stake(x: Exchange) -> Reach:
    """Whoever is off the map stays off it."""
    return -_units(x, 1), _units(x, 0)


COMBAT_WISHES: tuple[Objective[Exchange], ...] = (
    Objective("damage", "expected loss of the defender's health", lambda x: x.damage, "attacker",
              "damage"),
    Objective("kill", "chance that the defender is removed", lambda x: int(_removed(x)),
              "attacker", "removed", comes_to=a_chance),
    Objective("trade", "expected loss of the defender's health, less the attackers'",
              lambda x: x.damage - x.taken, "attacker"),
    Objective("survive", "chance that the defender stays", lambda x: int(not _removed(x)),
              "defender", "removed", comes_to=a_chance),
)  # fmt: skip

GAME_WISHES: tuple[Objective[Exchange], ...] = (
    Objective("win", "chance that player one wins the game, a draw counting half", _won, "one",
              "winner", comes_to=a_chance),
    Objective("units", "expected units that player one has left, less the other player's",
              lambda x: _units(x, 0) - _units(x, 1), "one", comes_to=_units_at_stake),
    Objective("health", "expected health of player one's units, less that of the other player's",
              lambda x: _points(x, 0) - _points(x, 1), "one"),
)  # fmt: skip

OBJECTIVES = (
    *(wish._replace(fits=_in_combat) for wish in COMBAT_WISHES),
    *(wish._replace(fits=_in_game) for wish in GAME_WISHES),
)
