"""The board of a game: its units and their turns, what stands where, and who wins."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from affray.core.errors import RulesError, SetupError
from affray.core.ruling import Rulings
from affray.core.step import cites
from affray.systems.grid_battles import rulings as rule
from affray.systems.grid_battles.map.hexes import (
    Hex,
    from_label,
    to_label,
)
from affray.systems.grid_battles.numbers import counter_told, health_of, points_of
from affray.systems.grid_battles.sheet import PLAIN, Goal, Placed, Scenario, Terrain, Unit
from affray.systems.grid_battles.state import PLAYERS, Board, Piece, Status, War

__all__ = [
    "activations_of", "called", "decided", "ended", "escaped", "fresh", "goal_told", "goals_of",
    "ground_of", "having", "hex_at", "known_as", "label_of", "moved", "named", "of_side",
    "opening", "owner", "piece_at", "refreshed", "state_told", "struck", "table_of", "told",
    "unit_of", "with_piece",
]  # fmt: skip


# -- what stays the same ---------------------------------------------------------------------


@lru_cache(maxsize=256)
def _placed(scenario: Scenario) -> tuple[Placed, ...]:
    return scenario.one + scenario.other


def unit_of(war: War, place: int) -> Unit:
    """The unit at a place of the list."""
    return _placed(war.scenario)[place].unit


def owner(war: War, place: int) -> int:
    """Give the side that owns a unit: 0 or 1."""
    return int(place >= len(war.scenario.one))


@lru_cache(maxsize=256)
def _names(scenario: Scenario) -> tuple[tuple[str, str, str], ...]:
    """Name all units, as (option, words, apart); several alike on one side are numbered."""
    found = []
    for side, army in (("one", scenario.one), ("other", scenario.other)):
        types = [placed.unit.name or "unit" for placed in army]
        for place, kind in enumerate(types):
            number = types[: place + 1].count(kind)
            found.append((side, kind if number == 1 else f"{kind} {number}"))
    every = [words for _, words in found]
    return tuple(
        (
            words.lower().replace(" ", "-"),
            words,
            words if every.count(words) == 1 else f"{words} ({side})",
        )
        for side, words in found
    )


def named(war: War, place: int) -> str:
    """A unit as options name it: "light-cav"."""
    return _names(war.scenario)[place][0]


def called(war: War, place: int) -> str:
    """A unit in words: "Light Cav"."""
    return _names(war.scenario)[place][1]


def known_as(war: War, place: int) -> str:
    """A unit by a name that no other one has: "Archer (one)" where both sides have an Archer."""
    return _names(war.scenario)[place][2]


@cites("GB-48", "GB-65")
@lru_cache(maxsize=256)
def ground_of(scenario: Scenario) -> Mapping[Hex, Terrain]:
    """Every hex of the map with the one feature that fills it."""
    hexes = {
        hex_at(scenario, label): PLAIN
        for column in range(scenario.columns)
        for row in range(scenario.rows)
        if (label := f"{column:02}{row:02}") not in scenario.missing
    }
    hexes.update({hex_at(scenario, ground.hex): ground.terrain for ground in scenario.hexes})
    return hexes


def hex_at(scenario: Scenario, label: str) -> Hex:
    """The hex of a label on the map of a scenario."""
    return from_label(label, scenario.layout)


def label_of(war: War, hex_: Hex) -> str:
    """The label of a hex on the map of a game."""
    return to_label(hex_, war.scenario.layout)


@cites("GB-44", "GB-48")
def activations_of(scenario: Scenario, side: int) -> int:
    """The number of units that a side must activate each turn."""
    return (scenario.other_activations if side else 0) or scenario.activations


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
        pieces.append(Piece(hex_at(war.scenario, placed.hex), points))
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


def of_side(board: Board, side: int) -> range:
    """The places of a side in the list of units."""
    n_one = len(board.war.scenario.one)
    return range(n_one) if side == 0 else range(n_one, len(board.pieces))


def having(board: Board, side: int, status: Status) -> tuple[int, ...]:
    """The places of a side's units with a status, in the order of the list."""
    pieces = board.pieces
    return tuple(
        [
            place
            for place in of_side(board, side)
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
    own = of_side(board, board.side)
    pieces = tuple(
        [
            piece._replace(status="fatigued")
            if piece is not None and place in own and piece.status != "fresh"
            else piece
            for place, piece in enumerate(board.pieces)
        ]
    )
    return board._replace(pieces=pieces, side=1 - board.side)


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
    """The board in a few words, for the player who decides; pictures and options tell more."""
    war, pieces = board.war, board.pieces
    rows: list[tuple[str, object]] = [("round", board.round)]
    for side, player in enumerate(PLAYERS):
        units = [
            _unit_in_short(war, place, piece)
            for place in of_side(board, side)
            if (piece := pieces[place]) is not None
        ]
        rows.append((player, ", ".join(units)))
        if goals_of(war)[side].escape:
            rows.append((f"escaped of {player}", board.escaped[side]))
    return tuple(rows)


@lru_cache(maxsize=65536)
def _unit_in_short(war: War, place: int, piece: Piece) -> str:
    return f"{called(war, place)} {label_of(war, piece.hex)} ({_health(war, place, piece)})"


def _health(war: War, place: int, piece: Piece) -> str:
    return f"{health_of(piece.points, war.rulings)}/{unit_of(war, place).most}"


@lru_cache(maxsize=65536)
def _unit_in_words(war: War, place: int, piece: Piece) -> str:
    unit = unit_of(war, place)
    return (
        f"{called(war, place)} {label_of(war, piece.hex)} ({_health(war, place, piece)} health, "
        f"{counter_told(unit)}, {state_told(unit, piece)})"
    )


def told(board: Board, place: int) -> str:
    """A unit in words: its name, hex, health, dice, movement points and status."""
    return _unit_in_words(board.war, place, piece_at(board, place))


_DONE: Mapping[Status, str] = {"moved": "activated, has moved", "fought": "activated, is done"}


@cites("GB-41", "GB-53")
def state_told(unit: Unit, piece: Piece) -> str:
    """The status of a unit, with the movement points that it has left in its turn."""
    if piece.status == "activated":
        return f"activated, {unit.move} movement points left"
    return _DONE.get(piece.status, piece.status)


# -- losses and victory ----------------------------------------------------------------------


@cites("GB-16", "GB-47")
def struck(board: Board, place: int, points: int) -> Board:
    """The board once a unit has these points left; without any it is removed, perhaps for good.

    A side that has destroyed as many units as the scenario says has won at once.
    """
    if points:
        piece = piece_at(board, place)._replace(points=points)
        return board._replace(pieces=with_piece(board, place, piece))
    return decided(board._replace(pieces=with_piece(board, place, None)))


@cites("GB-47c")
def escaped(board: Board, place: int) -> Board:
    """The board once a unit has left the map."""
    side = owner(board.war, place)
    one, other = board.escaped
    gone = (one, other + 1) if side else (one + 1, other)
    return decided(board._replace(pieces=with_piece(board, place, None), escaped=gone, mover=-1))


@cites("GB-47", "GB-47a", "GB-47b")
def decided(board: Board, holds: tuple[bool, bool] = (False, False)) -> Board:
    """The board with a winner, once a side has what it needs.

    Args:
        board: as it stands.
        holds: for each side whether hexes count as held now, if its units stand there (A-23).
    """
    if board.winner:
        return board
    now = _held_at_once(board.war)
    won = [_has_won(board, side, holds=holds[side] or now) for side in (0, 1)]
    if all(won):
        starts = board.war.rulings[rule.BOTH_WIN] == "starts"
        return board._replace(winner=board.war.scenario.starts if starts else "draw")
    if not any(won):
        return board
    return board._replace(winner="one" if won[0] else "other")


def moved(board: Board) -> Board:
    """The board after a move, which may win where hexes are held at once."""
    return decided(board) if _held_at_once(board.war) else board


@lru_cache(maxsize=256)
def _held_at_once(war: War) -> bool:
    held = any(goal.hold for goal in goals_of(war))
    return held and war.rulings[rule.HOLDING] == "at_once"


@lru_cache(maxsize=256)
def goals_of(war: War) -> tuple[Goal, Goal]:
    """The victory conditions of both players."""
    return war.scenario.goals


@cites("GB-47", "GB-47a")
def goal_told(board: Board, side: int) -> str:
    """The victory conditions of a player in words, with how far each of them is met."""
    goal = goals_of(board.war)[side]
    parts = []
    if goal.destroy:
        units = "enemy unit" if goal.destroy == 1 else "enemy units"
        parts.append(f"{goal.destroy} {units} destroyed ({_destroyed(board, side)} so far)")
    if goal.escape:
        units = "unit" if goal.escape == 1 else "units"
        parts.append(f"{goal.escape} {units} off the map ({board.escaped[side]} so far)")
    if goal.hold:
        now = "now" if _stands_on(board, side, goal) else "not now"
        parts.append(f"{' and '.join(goal.hold)} held ({now})")
    return (" and " if board.war.rulings[rule.CONDITIONS] == "all" else " or ").join(parts)


def _destroyed(board: Board, side: int) -> int:
    """How many units of the other player are removed and have not left the map."""
    foes = of_side(board, 1 - side)
    return sum([board.pieces[place] is None for place in foes]) - board.escaped[1 - side]


def _has_won(board: Board, side: int, *, holds: bool) -> bool:
    goal = goals_of(board.war)[side]
    met = []
    if goal.destroy:
        met.append(_destroyed(board, side) >= goal.destroy)
    if goal.escape:
        met.append(board.escaped[side] >= goal.escape)
    if goal.hold:
        met.append(holds and _stands_on(board, side, goal))
    return all(met) if board.war.rulings[rule.CONDITIONS] == "all" else any(met)


def _stands_on(board: Board, side: int, goal: Goal) -> bool:
    stood = {
        piece.hex for place in of_side(board, side) if (piece := board.pieces[place]) is not None
    }
    return all(hex_at(board.war.scenario, label) in stood for label in goal.hold)
