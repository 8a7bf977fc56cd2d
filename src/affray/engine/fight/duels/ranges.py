"""Ranges of numbers one after the other, for arrays whose rows have different lengths."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["ranges"]

Ints = NDArray[np.int64]


def ranges(starts: Ints, sizes: Ints) -> Ints:
    """The numbers from each start on, so many each.

    >>> ranges(np.array([10, 3, 7]), np.array([2, 0, 3])).tolist()
    [10, 11, 7, 8, 9]
    """
    found: Ints = np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)
    found += np.arange(len(found))
    return found
