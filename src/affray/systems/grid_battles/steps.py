"""The procedure in the book's order: the turn of a game, and in it the combats.

A combat by itself begins with the roll of the attack dice and ends after its last round. In a game
it is one of the attacks of a turn.

| chapter | steps of the book | module |
|---|---|---|
| declaration | the turn: activation, movement, which attack | `declaration` |
| the roll | attack dice, defense dice | `roll` |
| harm | scored hits, health | `harm` |
| aftermath | Battle Back, the end of a combat, of a turn, of the game | `aftermath` |
"""

from affray.systems.grid_battles import aftermath, declaration, harm, roll

__all__ = ["STEPS", "declare"]

STEPS = declaration.STEPS + roll.STEPS + harm.STEPS + aftermath.STEPS
declare = declaration.declare

aftermath.NEXT_TURN.leads_to(declaration.begin_turn)
aftermath.NEXT_ATTACK.leads_to(declaration.choose_attack)
aftermath.ROUND.leads_to(roll.roll_attack)
