"""The procedure in order: one activation.

| chapter | what happens | module |
|---|---|---|
| declaration | an action is declared | `declaration` |
| disengaging | Disengage and Distract | `disengaging` |
| striking | Free Strikes at a unit that moves while engaged | `striking` |
| moving | movement, charge, aligning, enveloping | `moving` |
| attack | focus, the check, hits, damage | `attack` |
| ending | the activation is over; the Resolution Phase | `ending` |
"""

from affray.core.step import Step
from affray.systems.emlia import attack, declaration, disengaging, ending, moving, striking
from affray.systems.emlia.state import Exchange

__all__ = ["STEPS", "declare"]

STEPS: tuple[Step[Exchange], ...] = (
    declaration.STEPS + disengaging.STEPS + striking.STEPS + moving.STEPS + attack.STEPS
    + ending.STEPS
)  # fmt: skip
declare = declaration.declare
