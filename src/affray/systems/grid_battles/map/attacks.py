"""Line of Sight and attacks: which units see each other, and who may attack."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from affray.core.lazy import NamedTuple
from affray.core.step import cites
from affray.systems.grid_battles import rulings as rule
from affray.systems.grid_battles.map.board import (
    ground_of,
    having,
    of_side,
    owner,
    piece_at,
    unit_of,
)
from affray.systems.grid_battles.map.hexes import (
    Hex,
    distance,
    is_clear,
    line,
    neighbors,
)
from affray.systems.grid_battles.numbers import terms_of, why_not
from affray.systems.grid_battles.sheet import PLAIN, Setup
from affray.systems.grid_battles.state import PLAYERS, Board, Terms, War
from affray.systems.grid_battles.tables import MAY_BLOCK, MELEE

__all__ = ["Attacks", "attacks_of", "engaged", "sees", "situation_of"]


# -- Line of Sight ---------------------------------------------------------------------------


@cites("GB-61", "GB-62", "GB-63", "GB-64", "GB-66")
@lru_cache(maxsize=65536)
def sees(war: War, one: Hex, other: Hex, units: frozenset[Hex]) -> bool:
    """Decide Line of Sight between two hexes; beyond the map nothing is in the way.

    Args:
        war: the map and the readings in force.
        one: the hex of the unit that looks; what stands there is in nobody's way.
        other: the hex that is looked at; the same holds.
        units: hexes with units that can be in the way.
    """
    ground = ground_of(war.scenario)
    lies = line(one, other)
    crossed_only = war.rulings[rule.IN_THE_WAY] == "crossed"

    def is_free(hex_: Hex) -> bool:
        if hex_ in units and (hex_ in lies.crossed or not crossed_only):
            return False
        return not ground.get(hex_, PLAIN).blocks

    return is_clear(lies, is_free, whole=war.rulings[rule.EDGES] == "line")


def _sight(board: Board, shooter: int, target: int) -> Literal["clear", "blocked"]:
    war, own = board.war, owner(board.war, shooter)
    friends = MAY_BLOCK[war.rulings[rule.IN_THE_WAY]]
    units = frozenset(
        piece.hex
        for place, piece in enumerate(board.pieces)
        if piece is not None and (friends or owner(war, place) != own)
    )
    seen_from = piece_at(board, shooter).hex, piece_at(board, target).hex
    return "clear" if sees(war, *seen_from, units) else "blocked"


# -- attacks ---------------------------------------------------------------------------------


class Attacks(NamedTuple):
    """Open and closed attacks, as places of attacker and target; closed ones carry a reason."""

    open: tuple[tuple[int, int], ...]
    closed: tuple[tuple[int, int, str], ...]


@cites("GB-46", "GB-49", "GB-60", "GB-67")
@lru_cache(maxsize=65536)
def attacks_of(board: Board) -> Attacks:
    """List the attacks of the units that have moved and not fought yet."""
    open_, closed = [], []
    foes = [place for place in of_side(board, 1 - board.side) if board.pieces[place] is not None]
    for place in having(board, board.side, "moved"):
        for foe in foes:
            reason = why_not(situation_of(board, place, foe), board.war.rulings)
            if reason:
                closed.append((place, foe, reason))
            else:
                open_.append((place, foe))
    return Attacks(tuple(open_), tuple(closed))


def _supported(board: Board, attacker: int, target: int) -> bool:
    """Look for a further unit of the attacker's side next to the target."""
    around = neighbors(piece_at(board, target).hex)
    mates = [
        board.pieces[place]
        for place in of_side(board, owner(board.war, attacker))
        if place != attacker
    ]
    return any(mate is not None and mate.hex in around for mate in mates)


def situation_of(board: Board, attacker: int, target: int) -> Setup:
    """Write down how two units stand, as the setup of a single combat."""
    war = board.war
    hexes = piece_at(board, attacker).hex, piece_at(board, target).hex
    away = distance(*hexes)
    units = unit_of(war, attacker), unit_of(war, target)
    there = back = "clear"
    if away > MELEE["range"]:  # between adjacent hexes nothing can stand
        there = _sight(board, attacker, target) if units[0].shoots else there
        back = _sight(board, target, attacker) if units[1].shoots else back
    support = (False, False)
    if war.rulings[rule.ADVANTAGE] == "support":
        support = _supported(board, attacker, target), _supported(board, target, attacker)
    tired = piece_at(board, target).status != "fresh"
    return _setup(war, (attacker, target), hexes, (there, back), (*support, tired))


@lru_cache(maxsize=65536)
def _setup(
    war: War,
    pair: tuple[int, int],
    hexes: tuple[Hex, Hex],
    sights: tuple[Literal["clear", "blocked"], Literal["clear", "blocked"]],
    marks: tuple[bool, bool, bool],
) -> Setup:
    ground = ground_of(war.scenario)
    return Setup(
        attacker=unit_of(war, pair[0]),
        defender=unit_of(war, pair[1]),
        attacker_terrain=ground[hexes[0]],
        defender_terrain=ground[hexes[1]],
        distance_hexes=distance(*hexes),
        line_of_sight=sights[0],
        return_sight=sights[1],
        attacker_supported=marks[0],
        defender_supported=marks[1],
        defender_status="fatigued" if marks[2] else "fresh",
        dice=war.dice,
    )


@cites("GB-1", "GB-29")
def engaged(board: Board, attacker: int, target: int) -> Terms:
    """The combat between two units of the board."""
    side = owner(board.war, attacker)
    players = PLAYERS[side], PLAYERS[1 - side]
    return terms_of(situation_of(board, attacker, target), board.war.rulings, players)
