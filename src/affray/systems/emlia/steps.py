"""The procedure in order: one activation.

| chapter | what happens | module |
|---|---|---|
| declaration | an action is declared | `declaration` |
| disengage | Disengage and Distract | `disengage` |
| movement | Free Strikes, movement, charge, aligning, enveloping | `movement` |
| roll | focus, and the check of the attack | `roll` |
| harm | hits, damage, threshold tables | `harm` |
| aftermath | the activation is over; the Resolution Phase | `aftermath` |
"""

from affray.core.node import Step
from affray.systems.emlia import aftermath, declaration, disengage, harm, movement, roll
from affray.systems.emlia.state import Exchange

__all__ = ["STEPS", "declare"]

STEPS: tuple[Step[Exchange], ...] = (
    declaration.STEPS + disengage.STEPS + movement.STEPS + roll.STEPS + harm.STEPS
    + aftermath.STEPS
)  # fmt: skip
movement.NEXT_ACTION.leads_to(declaration.choose_action)
declare = declaration.declare
