"""A rule of thumb for a sensible turn on the map; no rule of the book, and no promise.

What can be hurt without being hurt is attacked; a unit goes where its attack is worth more than
what enemies may do to it there, nearer to them where none can be reached, and the wounded keep
away. The later the round, the less it minds being hit.
"""

from __future__ import annotations

from functools import lru_cache

from affray.core.lazy import NamedTuple
from affray.core.node import At, Choice
from affray.core.reading import roll_of
from affray.systems.grid_battles.map.attacks import situation_of
from affray.systems.grid_battles.map.board import (
    activations_of,
    goals_of,
    ground_of,
    hex_at,
    of_side,
    owner,
    piece_at,
    unit_of,
    with_piece,
)
from affray.systems.grid_battles.map.hexes import Hex, distance
from affray.systems.grid_battles.map.movement import hampers, ways_of
from affray.systems.grid_battles.numbers import hits_of, terms_of, why_not
from affray.systems.grid_battles.reading import Shields, Symbols
from affray.systems.grid_battles.sheet import PLAIN, Setup, Terrain
from affray.systems.grid_battles.state import Board, Clash, Exchange, War

__all__ = ["rule_of_thumb"]

REMOVED = 2.0
"""What it is worth to remove a unit, in points of health beside those that it loses."""
BACK = 0.8
"""The weight of what a Battle Back may do, against that of the attack."""
CAUTION = 0.7
"""The weight of what enemies may do next, early in a game; it falls to a third."""
NEARER = 0.25
"""What a hex nearer to an enemy is worth."""
GOAL = 1.0
"""What a hex nearer to one that wins is worth; to stand on it, or leave, is worth more."""


def rule_of_thumb(at: At[Exchange], choice: Choice[Exchange]) -> tuple[float, ...]:
    """How sensible each option looks, in points of health."""
    judge = _JUDGES.get(at.step.name)
    board = at.facts.board
    if board is None:
        return tuple([float(option.name == "strike") for option in choice.options])
    if judge is None:
        return ()
    return tuple([judge(board, option.at.facts) for option in choice.options])


# -- a blow ------------------------------------------------------------------------------------


class Blow(NamedTuple):
    """What a round of dice does: points of health lost, and the chance to be removed."""

    loss: float
    removed: float

    @property
    def worth(self) -> float:
        """Both in points of health."""
        return self.loss + REMOVED * self.removed


@lru_cache(maxsize=65536)
def _blow(clash: Clash, points: int) -> Blow:
    """What a round does to somebody who has so many points."""
    attack = roll_of(clash.attack, Symbols(clash.advantage))
    defense = roll_of(clash.defense, Shields())
    loss = removed = 0
    for rolled, ways in attack.rows:
        for shields, more in defense.rows:
            hits = hits_of(clash, rolled, shields)
            loss += ways * more * min(points, max(0, hits))
            removed += ways * more * (hits >= points)
    total = attack.total * defense.total
    return Blow(loss / total, removed / total)


def _gain(board: Board, place: int, foe: int) -> float:
    """What an attack is worth, less the Battle Back."""
    terms = terms_of(situation_of(board, place, foe), board.war.rulings)
    blow = _blow(terms.first, piece_at(board, foe).points)
    if terms.second is None:
        return blow.worth
    back = _blow(terms.second, piece_at(board, place).points)
    return blow.worth - BACK * (1 - blow.removed) * back.worth


def _best_gain(board: Board, place: int) -> float:
    """What the best attack of a unit is worth from where it stands; 0 if it does none."""
    piece, unit = piece_at(board, place), unit_of(board.war, place)
    best = 0.0
    for foe in _foes(board, owner(board.war, place)):
        if distance(piece.hex, piece_at(board, foe).hex) <= unit.range_hexes:
            setup = situation_of(board, place, foe)
            if not why_not(setup, board.war.rulings):
                best = max(best, _gain(board, place, foe))
    return best


# -- where to stand ------------------------------------------------------------------------------


def _foes(board: Board, side: int) -> list[int]:
    return [place for place in of_side(board, 1 - side) if board.pieces[place] is not None]


@lru_cache(maxsize=65536)
def _threat(war: War, foe: int, place: int, terrain: Terrain, points: int) -> float:
    """What an enemy does to a unit with so many points that it reaches on this terrain."""
    setup = Setup(
        attacker=unit_of(war, foe), defender=unit_of(war, place), defender_terrain=terrain,
        attacker_terrain=PLAIN, distance_hexes=unit_of(war, foe).range_hexes, dice=war.dice,
    )  # fmt: skip
    return _blow(terms_of(setup, war.rulings).first, points).worth


def _danger(board: Board, place: int, hex_: Hex) -> float:
    """What enemies may do to a unit on a hex before it acts again."""
    war, side = board.war, owner(board.war, place)
    points, terrain = piece_at(board, place).points, ground_of(board.war.scenario)[hex_]
    found = []
    for foe in _foes(board, side):
        piece, unit = piece_at(board, foe), unit_of(war, foe)
        if distance(piece.hex, hex_) <= unit.move + unit.range_hexes:
            threat = _threat(war, foe, place, terrain, points)
            found.append(threat if piece.status == "fresh" else threat / 2)
    found.sort(reverse=True)
    return sum(found[: activations_of(war.scenario, 1 - side)])


def _nearness(board: Board, place: int, hex_: Hex) -> float:
    """How near a hex is to the enemy, and to those hexes that win."""
    war, side = board.war, owner(board.war, place)
    goal, reach = goals_of(war)[side], unit_of(war, place).range_hexes
    away = [max(0, distance(hex_, piece_at(board, foe).hex) - reach) for foe in _foes(board, side)]
    found = -NEARER * min(away, default=0)
    wanted = [hex_at(war.scenario, label) for label in (*goal.hold, *goal.exits)]
    if wanted:
        found -= GOAL * min(distance(hex_, one) for one in wanted)
    return found


def _stand(board: Board, place: int) -> float:
    """How good it is for a unit to stand where it does, with its attack still to come."""
    war = board.war
    piece = piece_at(board, place)
    caution = CAUTION * (1 - 2 / 3 * board.round / war.scenario.rounds)
    gain = _best_gain(board, place) if piece.status == "moved" else 0.0
    return gain - caution * _danger(board, place, piece.hex) + _nearness(board, place, piece.hex)


@lru_cache(maxsize=4096)
def _improved(board: Board, place: int) -> float:
    """How much better a unit stands, at best, once it has moved."""
    piece, ways = piece_at(board, place), ways_of(board, place)
    if ways.leaves is not None:
        return 9 * GOAL
    best = -1e9
    for hex_ in (piece.hex, *[hex_ for hex_, _, _ in ways.reached]):
        hampered = hex_ != piece.hex and hampers(board, hex_)
        there = piece._replace(hex=hex_, status="fought" if hampered else "moved")
        best = max(best, _stand(board._replace(pieces=with_piece(board, place, there)), place))
    idle = board._replace(pieces=with_piece(board, place, piece._replace(status="fatigued")))
    return best - _stand(idle, place)


# -- the choices -----------------------------------------------------------------------------------


def _activation(board: Board, after: Exchange) -> float:
    changed = _changed(board, after)
    return 0.0 if changed < 0 else _improved(board, changed)


def _mover(board: Board, after: Exchange) -> float:
    return _improved(board, after.game.mover)


def _move(board: Board, after: Exchange) -> float:
    if after.game.pieces[board.mover] is None:
        return 9 * GOAL  # it has left the map
    return _stand(after.game, board.mover)


def _attack(board: Board, after: Exchange) -> float:
    pair = after.game.pair
    if pair is None:
        return 0.0
    return _gain(board, *pair)


def _back(board: Board, after: Exchange) -> float:
    return float(after.backs)


def _changed(board: Board, after: Exchange) -> int:
    """The place of the unit that an option activates; -1: none."""
    for place, (old, new) in enumerate(zip(board.pieces, after.game.pieces, strict=True)):
        if old != new:
            return place
    return -1


_JUDGES = {
    "activate": _activation, "choose_mover": _mover, "move": _move, "choose_attack": _attack,
    "battle_back": _back,
}  # fmt: skip
