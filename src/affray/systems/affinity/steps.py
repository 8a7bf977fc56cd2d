"""The procedure in the book's order.

| chapter | steps of the book | module |
|---|---|---|
| declaration | whose turn it is, 1 action and exertion | `declaration` |
| speed | initiative | `speed` |
| attack | 2 to 7: the roll, successes, damage, burning | `attack` |
| others | Defend, Rush, Steady, moving, healing, helping | `others` |
| defence | 8 and 9: allies Intervene, layers, the loss | `defence` |
| aftermath | Resolve checks, who is down | `aftermath` |
"""

from affray.core.step import Step
from affray.systems.affinity import aftermath, attack, declaration, defence, others, speed
from affray.systems.affinity.state import Exchange

__all__ = ["STEPS", "declare"]

STEPS: tuple[Step[Exchange], ...] = (
    declaration.STEPS + speed.STEPS + attack.STEPS + others.STEPS + defence.STEPS + aftermath.STEPS
)
declare = declaration.declare
