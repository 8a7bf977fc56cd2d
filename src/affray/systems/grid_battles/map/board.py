"""The board of a game: activation, movement, Line of Sight, attacks, and who wins."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from heapq import heappop, heappush
from typing import Literal, NamedTuple

from affray.core.errors import RulesError, SetupError
from affray.core.ruling import Rulings
from affray.core.step import cites
from affray.systems.grid_battles import rulings as rule
from affray.systems.grid_battles.map.hexes import (
    Hex,
    distance,
    from_label,
    is_clear,
    line,
    neighbors,
    to_label,
)
from affray.systems.grid_battles.numbers import health_of, points_of, terms_of, why_not
from affray.systems.grid_battles.sheet import PLAIN, Placed, Scenario, Setup, Terrain, Unit
from affray.systems.grid_battles.state import PLAYERS, Board, Piece, Status, Terms, War
from affray.systems.grid_battles.tables import MAY_BLOCK, MELEE

__all__ = [
    "Attacks", "Ways", "attacks_of", "called", "ended", "engaged", "fresh", "ground_of", "hampers",
    "having", "named", "opening", "owner", "piece_at", "refreshed", "sees", "struck",
    "table_of", "unit_of", "ways_of", "with_piece",
]  # fmt: skip


# -- what stays the same ---------------------------------------------------------------------


@lru_cache(maxsize=256)
def _placed(scenario: Scenario) -> tuple[Placed, ...]:
    return scenario.one + scenario.other


def unit_of(war: War, place: int) -> Unit:
    """The unit at a place of the list."""
    return _placed(war.scenario)[place].unit


def owner(war: War, place: int) -> int:
    """Whose unit that is: 0 or 1."""
    return int(place >= len(war.scenario.one))


@lru_cache(maxsize=256)
def _names(scenario: Scenario) -> tuple[tuple[str, str], ...]:
    """What units are called, as (option, words): numbered where a side has several alike."""
    found = []
    for army in (scenario.one, scenario.other):
        types = [placed.unit.name or "unit" for placed in army]
        for place, kind in enumerate(types):
            number = types[: place + 1].count(kind)
            words = kind if number == 1 else f"{kind} {number}"
            found.append((words.lower().replace(" ", "-"), words))
    return tuple(found)


def named(war: War, place: int) -> str:
    """A unit as options name it: "light-cav"."""
    return _names(war.scenario)[place][0]


def called(war: War, place: int) -> str:
    """A unit in words: "Light Cav"."""
    return _names(war.scenario)[place][1]


@cites("GB-48", "GB-65")
@lru_cache(maxsize=256)
def ground_of(scenario: Scenario) -> Mapping[Hex, Terrain]:
    """Every hex of the map with the one feature that fills it."""
    hexes = {
        from_label(f"{column:02}{row:02}"): PLAIN
        for column in range(scenario.columns)
        for row in range(scenario.rows)
    }
    hexes.update({from_label(ground.hex): ground.terrain for ground in scenario.hexes})
    return hexes


@cites("GB-48")
def opening(war: War) -> Board:
    """The board as the scenario sets it up.

    Raises:
        SetupError: a unit that has no health left.
    """
    pieces = []
    for place, (placed, name) in enumerate(
        zip(_placed(war.scenario), _names(war.scenario), strict=True)
    ):
        points = points_of(placed.unit.health, war.rulings)
        if not points:
            raise SetupError(
                f"scenario: {PLAYERS[owner(war, place)]}: {name[1]} has no health left; "
                "leave it out, or give it some (GB-16)"
            )
        pieces.append(Piece(from_label(placed.hex), points))
    return Board(war, tuple(pieces), PLAYERS.index(war.scenario.starts))


# -- units and their turns -------------------------------------------------------------------


def with_piece(board: Board, place: int, piece: Piece | None) -> tuple[Piece | None, ...]:
    """The pieces with another one at a place."""
    return (*board.pieces[:place], piece, *board.pieces[place + 1 :])


def piece_at(board: Board, place: int) -> Piece:
    """The piece at a place of the list, which is there."""
    piece = board.pieces[place]
    if piece is None:
        raise RulesError(f"{called(board.war, place)} is no longer present")
    return piece


def _of_side(board: Board, side: int) -> range:
    n_one = len(board.war.scenario.one)
    return range(n_one) if side == 0 else range(n_one, len(board.pieces))


def having(board: Board, side: int, status: Status) -> tuple[int, ...]:
    """The places of a side's units with a status, in the order of the list."""
    pieces = board.pieces
    return tuple(
        [
            place
            for place in _of_side(board, side)
            if (piece := pieces[place]) is not None and piece.status == status
        ]
    )


@cites("GB-40")
def fresh(board: Board, side: int) -> tuple[int, ...]:
    """The places of a side's fresh units."""
    return having(board, side, "fresh")


@cites("GB-41")
def ended(board: Board) -> Board:
    """The board after a turn: its units are fatigued, the other player is next."""
    own = _of_side(board, board.side)
    pieces = tuple(
        [
            piece._replace(status="fatigued")
            if piece is not None and place in own and piece.status != "fresh"
            else piece
            for place, piece in enumerate(board.pieces)
        ]
    )
    return board._replace(pieces=pieces, side=1 - board.side, named=0)


@cites("GB-42")
def refreshed(board: Board, rulings: Rulings) -> Board:
    """The board as a new round begins: every unit is fresh."""
    pieces = tuple(
        [None if piece is None else piece._replace(status="fresh") for piece in board.pieces]
    )
    side, starts = board.side, PLAYERS.index(board.war.scenario.starts)
    if rulings[rule.NEXT_ROUND] == "same":
        side = starts
    elif rulings[rule.NEXT_ROUND] == "alternates":
        side = (starts + board.round) % 2
    return board._replace(pieces=pieces, side=side, round=board.round + 1)


def table_of(board: Board) -> tuple[tuple[str, object], ...]:
    """The board in words, for the player who decides."""
    war, pieces = board.war, board.pieces
    rows: list[tuple[str, object]] = [("round", board.round)]
    for side, player in enumerate(PLAYERS):
        units = [
            _unit_in_words(war, place, piece.hex, piece.points)
            for place in _of_side(board, side)
            if (piece := pieces[place]) is not None
        ]
        rows.append((player, ", ".join(units)))
    return tuple(rows)


@lru_cache(maxsize=65536)
def _unit_in_words(war: War, place: int, hex_: Hex, points: int) -> str:
    return f"{called(war, place)} {to_label(hex_)} ({health_of(points, war.rulings)})"


# -- movement --------------------------------------------------------------------------------


class Ways(NamedTuple):
    """Where a unit may go.

    Attributes:
        reached: hexes with the least cost and the steps of a way there, nearest first.
        closed: hexes as near as its movement points, but out of reach, each with the reason.
    """

    reached: tuple[tuple[Hex, int, tuple[Hex, ...]], ...]
    closed: tuple[tuple[Hex, str], ...]


def ways_of(board: Board, place: int) -> Ways:
    """Where a unit may go from where it stands."""
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
    return _ways(war.scenario, start, points, frozenset(taken), controlled, by_terrain=by_terrain)


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
    """Whether a unit that came onto a hex can't attack in this turn (A-19c)."""
    if board.war.rulings[rule.HAMPERED] == "attacks":
        return False
    return ground_of(board.war.scenario)[hex_].hampers


# -- Line of Sight ---------------------------------------------------------------------------


@cites("GB-61", "GB-62", "GB-63", "GB-64", "GB-66")
@lru_cache(maxsize=65536)
def sees(war: War, one: Hex, other: Hex, units: frozenset[Hex]) -> bool:
    """Whether there is Line of Sight between two hexes; beyond the map nothing is in the way.

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
    """Which attacks there are, as places of attacker and target; and which not, with reasons."""

    open: tuple[tuple[int, int], ...]
    closed: tuple[tuple[int, int, str], ...]


@cites("GB-46", "GB-49", "GB-60", "GB-67")
@lru_cache(maxsize=65536)
def attacks_of(board: Board) -> Attacks:
    """What the units that have moved, and not fought yet, may attack."""
    open_, closed = [], []
    foes = [place for place in _of_side(board, 1 - board.side) if board.pieces[place] is not None]
    for place in having(board, board.side, "moved"):
        for foe in foes:
            reason = why_not(_situation(board, place, foe), board.war.rulings)
            if reason:
                closed.append((place, foe, reason))
            else:
                open_.append((place, foe))
    return Attacks(tuple(open_), tuple(closed))


def _supported(board: Board, attacker: int, target: int) -> bool:
    """Whether a further unit of the attacker's side stands next to the target."""
    around = neighbors(piece_at(board, target).hex)
    mates = [
        board.pieces[place]
        for place in _of_side(board, owner(board.war, attacker))
        if place != attacker
    ]
    return any(mate is not None and mate.hex in around for mate in mates)


def _situation(board: Board, attacker: int, target: int) -> Setup:
    """How the two stand, as the setup of a combat by itself."""
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
    return terms_of(_situation(board, attacker, target), board.war.rulings, players)


@cites("GB-16", "GB-47")
def struck(board: Board, place: int, points: int) -> Board:
    """The board once a unit has these points left; without any it is removed, perhaps for good.

    Who has destroyed as many units as the scenario says has won at once.
    """
    if points:
        piece = piece_at(board, place)._replace(points=points)
        return board._replace(pieces=with_piece(board, place, piece))
    after = board._replace(pieces=with_piece(board, place, None))
    side = owner(board.war, place)
    lost = sum(after.pieces[other] is None for other in _of_side(board, side))
    if lost >= board.war.scenario.destroy:
        return after._replace(winner="other" if side == 0 else "one")
    return after
