"""The turn of a game: units are activated, move, and attack; or one combat by itself."""

from __future__ import annotations

from dataclasses import replace

from affray.core.errors import SetupError
from affray.core.node import At, Go, Node, Offer, Option, choose
from affray.core.ruling import Rulings
from affray.core.step import step
from affray.systems.grid_battles import aftermath, roll
from affray.systems.grid_battles import rulings as rule
from affray.systems.grid_battles.map.attacks import attacks_of, engaged
from affray.systems.grid_battles.map.board import (
    called,
    fresh,
    having,
    named,
    opening,
    piece_at,
    refreshed,
    table_of,
    unit_of,
    with_piece,
)
from affray.systems.grid_battles.map.hexes import to_label
from affray.systems.grid_battles.map.movement import hampers, ways_of
from affray.systems.grid_battles.numbers import (
    points_of,
    terms_of,
    why_not,
    wrong_dice,
)
from affray.systems.grid_battles.sheet import Setup
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
        board = opening(War(setup.scenario, setup.dice, rulings))
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


def declared(setup: Setup, attacker: int, defender: int, rulings: Rulings) -> At[Exchange]:
    """The start of a combat that is allowed, between two units with these points left."""
    return At(roll.roll_attack, Exchange(terms_of(setup, rulings), attacker, defender))


# -- a turn ----------------------------------------------------------------------------------


@step("GB-40", "GB-42", "GB-43")
def begin_turn(x: Exchange) -> Node[Exchange]:
    """The next player with fresh units takes a turn; if neither has any, a new round begins."""
    board = x.game
    rulings = board.war.rulings
    mine, theirs = fresh(board, board.side), fresh(board, 1 - board.side)
    if mine:
        return Go(activate, x)
    if theirs and rulings[rule.NO_FRESH] == "passes":
        return Go(begin_turn, x._replace(board=board._replace(side=1 - board.side)))
    if board.round >= board.war.scenario.rounds:
        return Go(aftermath.end_game, x._replace(board=board._replace(winner="draw")))
    return Go(begin_turn, x._replace(board=refreshed(board, rulings)))


@begin_turn.says
def _(before: Exchange, after: Exchange) -> str:
    old, new = before.game, after.game
    if new.winner:
        return f"Round {old.round} was the last one."
    if new.round != old.round:
        return f"Round {new.round} begins: all units are fresh."
    if new.side != old.side:
        return f"Player {PLAYERS[old.side]} has no fresh unit and passes."
    return f"Round {new.round}: a turn of player {PLAYERS[new.side]}."


@step("GB-43", "GB-44")
def activate(x: Exchange) -> Node[Exchange]:
    """Activation: the player names the units of this turn, as many as the scenario says."""
    board = x.game
    war, rulings = board.war, board.war.rulings
    left, chosen = fresh(board, board.side), having(board, board.side, "activated")
    missing = min(war.scenario.activations - len(chosen), len(left))
    enough = bool(chosen) and rulings[rule.ACTIVATIONS] == "up_to"
    done = At(choose_mover, x._replace(board=board._replace(named=0)))
    if not missing:
        return Go(*done)
    offer: Offer[Exchange] = Offer()
    if enough:
        offer.add("enough", done)
    waiting = [place for place in left if place >= board.named]
    for number, place in enumerate(waiting):
        # Units are named in the order of the list, so that no set of them comes up twice.
        if len(waiting) - number < missing and rulings[rule.ACTIVATIONS] == "exactly":
            reason = f"{missing} units must be named, in the order of the list (GB-44)"
            offer.close(named(war, place), reason)
            continue
        piece = piece_at(board, place)._replace(status="activated")
        after = board._replace(pieces=with_piece(board, place, piece), named=place + 1)
        offer.add(named(war, place), At(activate, x._replace(board=after)))
    for place in left:
        if place < board.named:
            offer.close(named(war, place), "passed over; units are named in order")
    for place in having(board, board.side, "fatigued"):
        offer.close(named(war, place), "fatigued until the next round (GB-41)")
    return offer.choose(PLAYERS[board.side], "which unit is activated?", table_of(board))


# -- movement --------------------------------------------------------------------------------


@step("GB-43", "GB-45", "GB-50")
def choose_mover(x: Exchange) -> Node[Exchange]:
    """Movement: activated units move one at a time, in the order that their player picks."""
    board = x.game
    waiting = having(board, board.side, "activated")
    if not waiting:
        return Go(choose_attack, x)
    options = [
        Option(named(board.war, place), At(move, x._replace(board=board._replace(mover=place))))
        for place in waiting
    ]
    return choose(PLAYERS[board.side], "which unit moves next?", options, table_of(board))


@step("GB-45", "GB-51", "GB-52", "GB-53", "GB-54", "GB-55")
def move(x: Exchange) -> Node[Exchange]:
    """Movement: a unit moves as far as its points allow, or stays; the move is final."""
    board = x.game
    place = board.mover
    piece = piece_at(board, place)._replace(status="moved")
    ways = ways_of(board, place)
    points = unit_of(board.war, place).move

    def put(piece: Piece) -> At[Exchange]:
        pieces = with_piece(board, place, piece)
        return At(choose_mover, x._replace(board=board._replace(pieces=pieces, mover=-1)))

    offer = Offer(Option("stay", put(piece), 0, f"stays on {to_label(piece.hex)}"))
    for hex_, cost, way in ways.reached:
        there = piece._replace(hex=hex_, status="fought" if hampers(board, hex_) else "moved")
        steps = " ".join(map(to_label, way))
        words = f"goes {steps}, {cost} of {points} movement points"
        offer.add(to_label(hex_), put(there), 0, words)
    for hex_, reason in ways.closed:
        offer.close(to_label(hex_), reason)
    ask = f"where does {called(board.war, place)} go?"
    return offer.choose(PLAYERS[board.side], ask, table_of(board))


# -- attacks ---------------------------------------------------------------------------------


@step("GB-1", "GB-2", "GB-43", "GB-46", "GB-49", "GB-67")
def choose_attack(x: Exchange) -> Node[Exchange]:
    """Attack: each activated unit may attack one enemy, one combat at a time."""
    board = x.game
    war = board.war
    attacks = attacks_of(board)
    offer = Offer(Option("end", At(aftermath.end_turn, x), 0, "no further attack in this turn"))
    for place, foe in attacks.open:
        piece, target = piece_at(board, place), piece_at(board, foe)
        pieces = with_piece(board, place, piece._replace(status="fought"))
        after = board._replace(pieces=pieces, pair=(place, foe))
        terms = engaged(board, place, foe)
        fight = Exchange(terms, piece.points, target.points, board=after)
        words = f"{called(war, place)} attacks {called(war, foe)}"
        offer.add(_pair(board, place, foe), At(roll.roll_attack, fight), 0, words)
    for place, foe, reason in attacks.closed:
        offer.close(_pair(board, place, foe), reason)
    return offer.choose(PLAYERS[board.side], "which attack comes next?", table_of(board))


def _pair(board: Board, attacker: int, target: int) -> str:
    return f"{named(board.war, attacker)}-on-{named(board.war, target)}"


STEPS = (begin_turn, activate, choose_mover, move, choose_attack)
"""The steps of this chapter in the order of the book."""
