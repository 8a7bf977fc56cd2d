"""Battle Back, and what ends: a combat, a turn, the game."""

from __future__ import annotations

from affray.core.loop import Loop
from affray.core.node import At, End, Go, Node, Option, choose
from affray.core.step import step
from affray.systems.grid_battles import rulings as rule
from affray.systems.grid_battles.map.board import decided, ended
from affray.systems.grid_battles.state import Exchange

__all__ = [
    "NEXT_ATTACK",
    "NEXT_TURN",
    "ROUND",
    "STEPS",
    "battle_back",
    "end_combat",
    "end_game",
    "end_turn",
]

NEXT_TURN: Loop[Exchange] = Loop("the next turn")
NEXT_ATTACK: Loop[Exchange] = Loop("the next attack of a turn")
ROUND: Loop[Exchange] = Loop("a round of combat")


@step("GB-6", "GB-7", "GB-8", "GB-9", "GB-29")
def battle_back(x: Exchange) -> Node[Exchange]:
    """Battle Back: a defender that is still present strikes back once, roles reversed."""
    terms = x.fought
    if not x.defender:
        return Go(end_combat, x._replace(why_not="removed"))
    if terms.second is None:
        return Go(end_combat, x._replace(why_not=terms.why_not))
    strikes = At(ROUND.step, x._replace(backs=True, battled_back=True))
    if not terms.asks:
        return Go(*strikes)
    options = (
        Option("strike", strikes),
        Option("hold", At(end_combat, x._replace(why_not="declined"))),
    )
    return choose(terms.second.striker, "Battle Back?", options)


@battle_back.says
def _(before: Exchange, after: Exchange) -> str:
    return "The roles are reversed." if after.backs else f"No Battle Back: {after.why_not}."


@battle_back.briefly
def _(before: Exchange, after: Exchange) -> str:
    return f"{after.clash.names[0]} strikes back." if after.backs else ""


@step("GB-7", "GB-46")
def end_combat(x: Exchange) -> Node[Exchange]:
    """The combat is over; another attack on the same defender or in this turn may follow."""
    if x.board is not None:
        return Go(NEXT_ATTACK.step, Exchange(board=x.board._replace(pair=None)))
    following = x.fought.following
    if following is None or not x.defender:
        return End(x)
    after = x._replace(terms=following, attacker=following.points, backs=False, why_not="")
    return Go(ROUND.step, after)


@step("GB-41", "GB-47b")
def end_turn(x: Exchange) -> Node[Exchange]:
    """The turn is over: the activated units are fatigued, and the other player is next."""
    board = x.game
    after = ended(board)
    if board.war.rulings[rule.HOLDING] == "turn":
        after = decided(after, (board.side == 0, board.side == 1))
    return Go(NEXT_TURN.step, x._replace(board=after))


@end_turn.says
def _(before: Exchange, after: Exchange) -> str:
    winner = after.game.winner
    return f"Player {winner} has won." if winner else ""


@step("GB-47")
def end_game(x: Exchange) -> Node[Exchange]:
    """The game ends as soon as it is decided."""
    return End(Exchange(board=x.game._replace(pair=None)))


STEPS = (battle_back, end_combat, end_turn, end_game)
"""The steps of this chapter in the order of the book."""
