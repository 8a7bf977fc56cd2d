"""The procedure in the book's order: declaration, opposed test, injury.

| chapter | steps of the book | module |
|---|---|---|
| declaration | 1 declare attack, 2 declare defence, 3 modifiers | `attack` |
| opposed test | 4 roll, 5 determine result | `opposed` |
| injury | 6 damage, 7 armor, 8 apply, 9 wounds and their checks | `injury` |
"""

from affray.systems.eclipse_phase import attack, injury, opposed

__all__ = ["STEPS", "declare"]

STEPS = attack.STEPS + opposed.STEPS + injury.STEPS
declare = attack.declare
