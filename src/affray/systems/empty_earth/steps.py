"""The procedure in the book's order.

| chapter | steps of the book | module |
|---|---|---|
| declaration | 1 declare and answer, 2 commit modifiers | `declaration` |
| rolling | 3 roll, 4 effects after the roll, 5 modifiers | `rolling` |
| harm | 6 Dodge, 7 hits, 8 damage | `harm` |
| aftermath | 9 Counter; Vitality 0, revival, the end of a Stage | `aftermath` |
"""

from affray.systems.empty_earth import aftermath, declaration, harm, rolling

__all__ = ["STEPS", "declare"]

STEPS = declaration.STEPS + rolling.STEPS + harm.STEPS + aftermath.STEPS
declare = declaration.declare
