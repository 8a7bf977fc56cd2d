"""The procedure in the book's order.

| chapter | steps of the book | module |
|---|---|---|
| declaration | 1 declare attack, 2 declare defense, 3 modifiers | `declaration` |
| ambush | before the defense: Infiltrate against Perceive | `ambush` |
| the roll | 4 opposed test, 5 determine result | `roll` |
| area | 4 and 5 of attacks on an area: where they go off, who gets away | `area` |
| harm | 6 damage, 7 armor, 8 apply damage | `harm` |
| aftermath | 9 wounds and their checks, then the next target | `aftermath` |
| turns | moves and actions in a fight | `turns` |
| economy | quick actions, the rest of a move, extra actions | `economy` |
| aid | treating and waking the fallen in a fight | `aid` |
| hold | keeping a grapple in a fight, and breaking free | `hold` |
| bleeding | the check of somebody who lies bleeding when the fight is over | `bleeding` |
"""

from affray.systems.eclipse_phase import (
    aftermath,
    aid,
    ambush,
    area,
    bleeding,
    declaration,
    economy,
    harm,
    hold,
    roll,
    turns,
)

__all__ = ["STEPS", "declare"]

STEPS = (
    declaration.STEPS
    + ambush.STEPS
    + roll.STEPS
    + area.STEPS
    + harm.STEPS
    + aftermath.STEPS
    + bleeding.STEPS
    + turns.STEPS
    + economy.STEPS
    + aid.STEPS
    + hold.STEPS
)
declare = declaration.declare
ambush.DEFENSE.leads_to(declaration.choose_defence)
aftermath.NEXT_TARGET.leads_to(harm.next_target)
aftermath.REST_OF_MOVE.leads_to(economy.choose_rest)
