"""The turn of a game: units are activated, move, and attack; or one combat by itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from affray.core.errors import SetupError
from affray.core.node import At, Go, Node, Offer, Option, Pointer, choose
from affray.core.ruling import Rulings
from affray.core.sheet import replace
from affray.core.step import step
from affray.systems.grid_battles import aftermath, roll
from affray.systems.grid_battles import rulings as rule
from affray.systems.grid_battles.map.attacks import attacks_of, engaged
from affray.systems.grid_battles.map.board import (
    activations_of,
    called,
    decided,
    escaped,
    fresh,
    having,
    known_as,
    label_of,
    moved,
    named,
    opening,
    piece_at,
    refreshed,
    table_of,
    told,
    unit_of,
    with_piece,
)
from affray.systems.grid_battles.map.movement import hampers, ways_of
from affray.systems.grid_battles.numbers import (
    combat_told,
    health_of,
    points_of,
    terms_of,
    why_not,
    wrong_dice,
)
from affray.systems.grid_battles.sheet import DiceSet, Scenario, Setup
from affray.systems.grid_battles.state import PLAYERS, Board, Exchange, Piece, War

__all__ = ["STEPS", "declare", "declared"]


# -- before the first step -------------------------------------------------------------------


def declare(setup: Setup, rulings: Rulings) -> At[Exchange]:
    """The start: a combat, or the first turn of a game.

    Raises:
        SetupError: dice that a ruling refuses, a unit that is not there any more, or an attack
            that is out of range or without Line of Sight.
    """
    wrong = wrong_dice(setup.dice, rulings)
    if wrong:
        raise SetupError(wrong)
    if setup.scenario is not None:
        board = opening(_frame_of(setup.scenario, setup.dice, rulings))
        return At(begin_turn, Exchange(board=board))
    for unit in (setup.attacker, *setup.followers):
        who = unit.name or "the attacker"
        if reason := why_not(replace(setup, attacker=unit, followers=()), rulings):
            raise SetupError(f"attacker: {who} can't attack from there: {reason}")
    for unit in (setup.attacker, *setup.followers, setup.defender):
        if not points_of(unit.health, rulings):
            raise SetupError(
                f"{unit.name or 'a unit'} has no health left and is no longer present (GB-16); "
                "give it some health"
            )
    points = [points_of(unit.health, rulings) for unit in (setup.attacker, setup.defender)]
    return declared(setup, points[0], points[1], rulings)


@lru_cache(maxsize=64)
def _frame_of(scenario: Scenario, dice: DiceSet, rulings: Rulings) -> War:
    """The frame of a game; equal ones are one object, which tables find without comparing."""
    return War(scenario, dice, rulings)


def declared(setup: Setup, attacker: int, defender: int, rulings: Rulings) -> At[Exchange]:
    """The start of a combat that is allowed, between two units with these points left."""
    return At(roll.roll_attack, Exchange(terms_of(setup, rulings), attacker, defender))


# -- a turn ----------------------------------------------------------------------------------


@step("GB-40", "GB-42", "GB-43", "GB-47b")
def begin_turn(x: Exchange) -> Node[Exchange]:
    """The next player with fresh units takes a turn; if neither has any, a new round begins."""
    board = x.game
    rulings = board.war.rulings
    if board.winner:
        return Go(aftermath.end_game, x)
    mine, theirs = fresh(board, board.side), fresh(board, 1 - board.side)
    if mine:
        return Go(activate, x)
    if theirs and rulings[rule.NO_FRESH] == "passes":
        return Go(begin_turn, x._replace(board=board._replace(side=1 - board.side)))
    if rulings[rule.HOLDING] == "round":
        held = decided(board, (True, True))
        if held.winner:
            return Go(aftermath.end_game, x._replace(board=held))
    if board.round >= board.war.scenario.rounds:
        winner = board.war.scenario.at_the_end
        return Go(aftermath.end_game, x._replace(board=board._replace(winner=winner)))
    return Go(begin_turn, x._replace(board=refreshed(board, rulings)))


@begin_turn.says
def _(before: Exchange, after: Exchange) -> str:
    old, new = before.game, after.game
    if old.winner:
        return ""
    if new.winner:
        held = decided(old, (True, True)).winner
        over = "is over" if held else "was the last one"
        who = "It is a draw." if new.winner == "draw" else f"Player {new.winner} has won."
        return f"Round {old.round} {over}. {who}"
    if new.round != old.round:
        return f"Round {new.round} begins: all units are fresh."
    if new.side != old.side:
        return f"Player {PLAYERS[old.side]} has no fresh unit and passes."
    return f"Round {new.round}: a turn of player {PLAYERS[new.side]}."


@step("GB-43", "GB-44")
def activate(x: Exchange) -> Node[Exchange]:
    """Activation: the player names the units of this turn, as many as the scenario says.

    They are named in any order. The board does not keep the order, so that naming the same units
    in another one leads to the same place, which engines look at once.
    """
    board = x.game
    war, rulings = board.war, board.war.rulings
    left, chosen = fresh(board, board.side), having(board, board.side, "activated")
    missing = min(activations_of(war.scenario, board.side) - len(chosen), len(left))
    exactly = rulings[rule.ACTIVATIONS] == "exactly"
    if not missing:
        return Go(choose_mover, x)
    if exactly and missing == len(left):
        return Go(choose_mover, x._replace(board=_activated(board, left)))
    offer: Offer[Exchange] = Offer()
    if chosen and not exactly:
        offer.add("enough", At(choose_mover, x), 0, "no further unit")
    for place in left:
        after = x._replace(board=_activated(board, (place,)))
        points = Pointer(unit=known_as(war, place))
        offer.add(named(war, place), At(activate, after), 0, told(board, place), points=points)
    for place in chosen:
        offer.close(named(war, place), "activated already")
    for place in having(board, board.side, "fatigued"):
        offer.close(named(war, place), "fatigued until the next round (GB-41)")
    return offer.choose(PLAYERS[board.side], "which unit is activated?", table_of(board))


def _activated(board: Board, places: Iterable[int]) -> Board:
    for place in places:
        piece = piece_at(board, place)._replace(status="activated")
        board = board._replace(pieces=with_piece(board, place, piece))
    return board


@activate.says
def _(before: Exchange, after: Exchange) -> str:
    old, new = before.game, after.game
    found = [
        called(old.war, place)
        for place in fresh(old, old.side)
        if piece_at(new, place).status == "activated"
    ]
    if not found or len(found) < len(fresh(old, old.side)):
        return ""
    why = "no other unit is fresh" if len(found) == 1 else "all fresh units must be"
    return f"{_listed(found)} {'is' if len(found) == 1 else 'are'} activated: {why}."


def _listed(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


# -- movement --------------------------------------------------------------------------------


@step("GB-43", "GB-45", "GB-50")
def choose_mover(x: Exchange) -> Node[Exchange]:
    """Movement: activated units move one at a time, in the order that their player picks."""
    board = x.game
    waiting = having(board, board.side, "activated")
    if not waiting:
        return Go(choose_attack, x)
    options = [
        Option(
            named(board.war, place),
            At(move, x._replace(board=board._replace(mover=place))),
            words=told(board, place),
            points=Pointer(unit=known_as(board.war, place)),
        )
        for place in waiting
    ]
    return choose(PLAYERS[board.side], "which unit moves next?", options, table_of(board))


@choose_mover.says
def _(before: Exchange, after: Exchange) -> str:
    board, mover = before.game, after.game.mover
    if mover < 0 or len(having(board, board.side, "activated")) > 1:
        return ""
    return f"{called(board.war, mover)} moves: no other activated unit is left to move."


@step("GB-45", "GB-47c", "GB-51", "GB-52", "GB-53", "GB-54", "GB-55")
def move(x: Exchange) -> Node[Exchange]:
    """Movement: a unit moves as far as its points allow, or stays; the move is final."""
    board = x.game
    place = board.mover
    war = board.war
    name, points = called(war, place), unit_of(war, place).move
    piece = piece_at(board, place)._replace(status="moved")
    ways = ways_of(board, place)

    def put(piece: Piece) -> At[Exchange]:
        return _goes_on(x, moved(board._replace(pieces=with_piece(board, place, piece), mover=-1)))

    own, unit = label_of(war, piece.hex), known_as(war, place)
    stays = Pointer(unit=unit, place=own)
    offer = Offer(Option("stay", put(piece), 0, f"{name} stays on {own}", points=stays))
    for hex_, cost, way in ways.reached:
        there = piece._replace(hex=hex_, status="fought" if hampers(board, hex_) else "moved")
        steps = " ".join([label_of(war, step) for step in way])
        words = f"{name} goes {steps}, {cost} of {points} movement points"
        label = label_of(war, hex_)
        offer.add(label, put(there), 0, words, points=Pointer(unit=unit, place=label))
    if ways.leaves is not None:
        exit_, cost = ways.leaves
        label = label_of(war, exit_)
        words = f"{name} leaves the map by {label}, {cost} of {points} movement points"
        leaves = Pointer(unit=unit, place=label)
        offer.add("leave", _goes_on(x, escaped(board, place)), 0, words, points=leaves)
    for hex_, reason in ways.closed:
        offer.close(label_of(war, hex_), reason)
    ask = f"where does {called(board.war, place)} go?"
    return offer.choose(PLAYERS[board.side], ask, table_of(board))


def _goes_on(x: Exchange, board: Board) -> At[Exchange]:
    return At(aftermath.end_game if board.winner else choose_mover, x._replace(board=board))


@move.says
def _(before: Exchange, after: Exchange) -> str:
    winner = after.game.winner
    return f"Player {winner} has won." if winner else ""


@move.opens
def _(before: Exchange, after: Exchange) -> str:
    board, place = before.game, before.game.mover
    name, old = called(board.war, place), piece_at(board, place)
    if after.game.pieces[place] is None:
        return f"{name} leaves the map"
    new = piece_at(after.game, place)
    if old.hex == new.hex:
        return ""
    return f"{name} goes from {label_of(board.war, old.hex)} to {label_of(board.war, new.hex)}"


# -- attacks ---------------------------------------------------------------------------------


@step("GB-1", "GB-2", "GB-43", "GB-46", "GB-49", "GB-67")
def choose_attack(x: Exchange) -> Node[Exchange]:
    """Attack: each activated unit may attack one enemy, one combat at a time."""
    board = x.game
    attacks = attacks_of(board)
    offer = Offer(Option("end", At(aftermath.end_turn, x), 0, "no further attack in this turn"))
    for place, foe in attacks.open:
        piece, target = piece_at(board, place), piece_at(board, foe)
        pieces = with_piece(board, place, piece._replace(status="fought"))
        after = board._replace(pieces=pieces, pair=(place, foe))
        terms = engaged(board, place, foe)
        fight = Exchange(terms, piece.points, target.points, board=after)
        words = f"{_standing(board, place)} attacks {_standing(board, foe)}: {combat_told(terms)}"
        pointer = Pointer(known_as(board.war, foe), known_as(board.war, place), deed="attack")
        offer.add(_pair(board, place, foe), At(roll.roll_attack, fight), 0, words, points=pointer)
    for place, foe, reason in attacks.closed:
        offer.close(_pair(board, place, foe), reason)
    return offer.choose(PLAYERS[board.side], "which attack comes next?", table_of(board))


@choose_attack.opens
def _(before: Exchange, after: Exchange) -> str:
    if after.terms is None:
        return ""
    one, other = after.terms.first.names
    return f"{one} attacks {other}"


def _standing(board: Board, place: int) -> str:
    piece = piece_at(board, place)
    health = health_of(piece.points, board.war.rulings)
    return f"{called(board.war, place)} on {label_of(board.war, piece.hex)} ({health} health)"


def _pair(board: Board, attacker: int, target: int) -> str:
    return f"{named(board.war, attacker)}-on-{named(board.war, target)}"


STEPS = (begin_turn, activate, choose_mover, move, choose_attack)
"""The steps of this chapter in the order of the book."""
