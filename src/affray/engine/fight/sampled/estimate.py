"""Estimates from a sample: a value, and the interval that holds the truth 95 times in 100."""

from __future__ import annotations

from math import sqrt

from affray.core.lazy import NamedTuple

__all__ = ["Estimate", "mean_of", "share_of"]

Z = 1.959963984540054
"""So many standard deviations around its mean hold 95 % of a normal distribution."""


class Estimate(NamedTuple):
    """A value from a sample, and the ends of its 95 % interval."""

    value: float
    low: float
    high: float


def share_of(count: int, n: int) -> Estimate:
    """The share of cases in which something happens, with Wilson's interval.

    >>> [round(share, 4) for share in share_of(50, 100)]
    [0.5, 0.4038, 0.5962]
    """
    share, square = count / n, Z * Z
    middle = (share + square / (2 * n)) / (1 + square / n)
    half = Z * sqrt(share * (1 - share) / n + square / (4 * n * n)) / (1 + square / n)
    low = 0.0 if count == 0 else max(0.0, middle - half)
    high = 1.0 if count == n else min(1.0, middle + half)
    return Estimate(share, low, high)


def mean_of(total: float, squares: float, n: int) -> Estimate:
    """A mean with the normal interval, from the sum of n values and that of their squares."""
    mean = total / n
    variance = max(0.0, squares - total * mean) / max(1, n - 1)
    half = Z * sqrt(variance / n)
    return Estimate(mean, mean - half, mean + half)
