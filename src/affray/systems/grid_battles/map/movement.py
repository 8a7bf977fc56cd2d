"""Movement: where a unit may go, what it costs, and why not elsewhere."""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush

from affray.core.lazy import NamedTuple
from affray.core.step import cites
from affray.systems.grid_battles import rulings as rule
from affray.systems.grid_battles.map.board import (
    goals_of,
    ground_of,
    hex_at,
    owner,
    piece_at,
    unit_of,
)
from affray.systems.grid_battles.map.hexes import (
    Hex,
    distance,
    neighbors,
)
from affray.systems.grid_battles.sheet import Scenario
from affray.systems.grid_battles.state import Board
from affray.systems.grid_battles.tables import EXIT_COST

__all__ = ["Ways", "hampers", "ways_of"]


class Ways(NamedTuple):
    """The hexes that a unit can reach, and those it can't.

    Attributes:
        reached: hexes with the least cost and the steps of a way there, nearest first.
        closed: hexes as near as its movement points, but out of reach, each with the reason.
        leaves: the nearest exit by which it may leave the map, with the whole cost; or None.
    """

    reached: tuple[tuple[Hex, int, tuple[Hex, ...]], ...]
    closed: tuple[tuple[Hex, str], ...]
    leaves: tuple[Hex, int] | None = None


def ways_of(board: Board, place: int) -> Ways:
    """Find the hexes that a unit can reach from its own."""
    war, own = board.war, owner(board.war, place)
    taken, enemies = set(), set()
    for other, piece in enumerate(board.pieces):
        if piece is not None and other != place:
            taken.add(piece.hex)
            if owner(war, other) != own:
                enemies.add(piece.hex)
    stops = war.rulings[rule.CONTROL] == "stops"
    controlled = frozenset(near for hex_ in enemies for near in neighbors(hex_)) if stops else None
    by_terrain = war.rulings[rule.MOVE_COST] == "terrain"
    points = unit_of(war, place).move
    start = piece_at(board, place).hex
    ways = _ways(war.scenario, start, points, frozenset(taken), controlled, by_terrain=by_terrain)
    if not goals_of(war)[own].exits:
        return ways
    return ways._replace(leaves=_leaves(board, place, ways, controlled))


@cites("GB-47c")
def _leaves(
    board: Board, place: int, ways: Ways, controlled: frozenset[Hex] | None
) -> tuple[Hex, int] | None:
    """The cheapest exit from which a unit may leave the map, and what it costs."""
    war = board.war
    exits = {hex_at(war.scenario, label) for label in goals_of(war)[owner(war, place)].exits}
    more = EXIT_COST[war.rulings[rule.LEAVING]]
    points, start = unit_of(war, place).move, piece_at(board, place).hex
    for hex_, cost, _ in ((start, 0, ()), *ways.reached):
        stopped = bool(more) and hex_ != start and controlled is not None and hex_ in controlled
        if hex_ in exits and cost + more <= points and not stopped:
            return hex_, cost + more
    return None


@cites("GB-50", "GB-51", "GB-52", "GB-53", "GB-54", "GB-55")
@lru_cache(maxsize=65536)
def _ways(
    scenario: Scenario,
    start: Hex,
    points: int,
    taken: frozenset[Hex],
    controlled: frozenset[Hex] | None,
    *,
    by_terrain: bool,
) -> Ways:
    """Hexes within so many movement points, step by step, through no other unit.

    Args:
        scenario: the map.
        start: where the unit stands.
        points: its movement points.
        taken: where other units stand.
        controlled: hexes on which a move ends; None for none.
        by_terrain: whether steps cost what the terrain says.
    """
    ground = ground_of(scenario)
    best: dict[Hex, tuple[int, tuple[Hex, ...]]] = {start: (0, ())}
    waiting: list[tuple[int, tuple[Hex, ...], Hex]] = [(0, (), start)]
    while waiting:
        cost, path, here = heappop(waiting)
        if (cost, path) != best[here] or (controlled and here in controlled and path):
            continue
        for near in neighbors(here):
            if near not in ground or near in taken:
                continue
            more = cost + (ground[near].move_cost if by_terrain else 1)
            way = (*path, near)
            if more <= points and (near not in best or (more, way) < best[near]):
                best[near] = (more, way)
                heappush(waiting, (more, way, near))
    reached = sorted((cost, hex_, way) for hex_, (cost, way) in best.items() if hex_ != start)
    closed = [
        (hex_, "another unit stands there (GB-51)" if hex_ in taken else "no way there (GB-53)")
        for hex_ in sorted(ground)
        if hex_ not in best and distance(start, hex_) <= points
    ]
    return Ways(tuple((hex_, cost, way) for cost, hex_, way in reached), tuple(closed))


@cites("GB-55")
def hampers(board: Board, hex_: Hex) -> bool:
    """Decide whether a unit that came onto a hex can't attack in this turn (A-19c)."""
    if board.war.rulings[rule.HAMPERED] == "attacks":
        return False
    return ground_of(board.war.scenario)[hex_].hampers
