"""Estimates from a sample: a value, and the interval that holds the truth 95 times in 100."""

from __future__ import annotations

from math import sqrt

from affray.core.lazy import NamedTuple

__all__ = ["Estimate", "mean_of", "share_of"]

Z = 1.959963984540054
"""So many standard deviations around its mean hold 95 % of a normal distribution."""

UNSEEN = 0.05
"""How often something stays away from a whole sample, if it is as likely as its bound."""


class Estimate(NamedTuple):
    """A value from a sample, and the ends of its 95 % interval."""

    value: float
    low: float
    high: float


def share_of(count: float, n: int) -> Estimate:
    """The share of cases in which something happens, with Wilson's interval.

    What never happened may have a chance with which it would stay away 5 times in 100, and not
    more; what always did, the other way round.

    >>> [round(share, 4) for share in share_of(50, 100)]
    [0.5, 0.4038, 0.5962]
    >>> [round(share, 4) for share in share_of(0, 100)], round(1 - 0.05 ** (1 / 100), 4)
    ([0.0, 0.0, 0.0295], 0.0295)
    """
    if count in {0, n}:
        beyond = 1 - UNSEEN ** (1 / n)
        return Estimate(1.0, 1 - beyond, 1.0) if count else Estimate(0.0, 0.0, beyond)
    share, square = count / n, Z * Z
    middle = (share + square / (2 * n)) / (1 + square / n)
    half = Z * sqrt(share * (1 - share) / n + square / (4 * n * n)) / (1 + square / n)
    return Estimate(share, max(0.0, middle - half), min(1.0, middle + half))


def mean_of(total: float, squares: float, n: int) -> Estimate:
    """A mean with the normal interval, from the sum of n values and that of their squares."""
    mean = total / n
    variance = max(0.0, squares - total * mean) / max(1, n - 1)
    half = Z * sqrt(variance / n)
    return Estimate(mean, mean - half, mean + half)
