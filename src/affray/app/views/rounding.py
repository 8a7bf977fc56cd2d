"""Numbers in few digits."""

from __future__ import annotations

from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction

__all__ = ["at_most"]

_UP = Context(prec=2, rounding=ROUND_CEILING)


def at_most(chance: Fraction) -> str:
    """A small chance in two digits, rounded up.

    >>> at_most(Fraction(83_001, 10**11))
    '8.4e-7'
    """
    rounded = _UP.divide(Decimal(chance.numerator), Decimal(chance.denominator))
    digits, _, power = f"{rounded:.1e}".partition("e")
    return f"{digits}e{int(power)}"
