"""The procedure in the book's order.

| chapter | steps of the book | module |
|---|---|---|
| declaration | whose turn it is, 1 action and exertion | `declaration` |
| initiative | who acts first | `initiative` |
| the roll | 2 to 7: the roll, successes, damage, burning | `roll` |
| other actions | Defend, Rush, Steady, moving, healing, helping | `other_actions` |
| area | 8: each of those whom an area reaches defends | `area` |
| harm | 8 and 9: allies Intervene, layers, the loss | `harm` |
| aftermath | Resolve checks, who is down | `aftermath` |
"""

from affray.core.node import Step
from affray.systems.affinity import (
    aftermath,
    area,
    declaration,
    harm,
    initiative,
    other_actions,
    roll,
)
from affray.systems.affinity.state import Exchange

__all__ = ["STEPS", "declare"]

STEPS: tuple[Step[Exchange], ...] = (
    declaration.STEPS + initiative.STEPS + roll.STEPS + other_actions.STEPS + area.STEPS
    + harm.STEPS + aftermath.STEPS
)  # fmt: skip
declare = declaration.declare
aftermath.NEXT_TARGET.leads_to(area.next_target)
