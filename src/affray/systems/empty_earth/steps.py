"""The procedure in the book's order.

| chapter | steps of the book | module |
|---|---|---|
| declaration | 1 declare and answer, 2 commit modifiers | `declaration` |
| the map | a move instead of an attack | `map.movement` |
| the roll | 3 roll, 4 effects after the roll, 5 modifiers | `roll` |
| harm | 6 Dodge, 7 hits, 8 damage | `harm` |
| aftermath | 9 Counter; Vitality 0, revival, the end of a Stage | `aftermath` |
"""

from affray.systems.empty_earth import aftermath, declaration, harm, roll
from affray.systems.empty_earth.map import movement

__all__ = ["STEPS", "declare"]

STEPS = declaration.STEPS + movement.STEPS + roll.STEPS + harm.STEPS + aftermath.STEPS
declare = declaration.declare

aftermath.NEXT_TURN.leads_to(declaration.begin_turn)
movement.STRIKE.leads_to(declaration.declare_attack)
aftermath.NEXT_ATTACK.leads_to(declaration.declare_attack)
aftermath.COUNTER.leads_to(declaration.buy_immediate)
aftermath.FIXED_COUNTER.leads_to(harm.count_hits)
aftermath.RETALIATION.leads_to(harm.reduce_damage)
