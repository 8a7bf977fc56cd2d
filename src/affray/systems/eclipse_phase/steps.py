"""The procedure in the book's order.

| chapter | steps of the book | module |
|---|---|---|
| declaration | 1 declare attack, 2 declare defense, 3 modifiers | `declaration` |
| the roll | 4 opposed test, 5 determine result | `roll` |
| harm | 6 damage, 7 armor, 8 apply damage | `harm` |
| aftermath | 9 wounds and their checks, then the next target | `aftermath` |
| bleeding | the check of somebody who lies bleeding when the fight is over | `bleeding` |
"""

from affray.systems.eclipse_phase import aftermath, bleeding, declaration, harm, roll

__all__ = ["STEPS", "declare"]

STEPS = declaration.STEPS + roll.STEPS + harm.STEPS + aftermath.STEPS + bleeding.STEPS
declare = declaration.declare
aftermath.NEXT_TARGET.leads_to(harm.next_target)
