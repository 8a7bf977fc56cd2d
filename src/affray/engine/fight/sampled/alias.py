"""One draw of 64 bits to one of many outcomes: Walker's tables, built in whole numbers.

The upper bits of a draw choose a column; a column holds two outcomes, and a draw below its
threshold takes the first. A row of weights becomes shares of 2^64 by the largest remainders, so
that no probability is further from the truth than one in 2^64. How a draw falls depends on the
weights alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from affray.core.lazy import NamedTuple
from affray.engine.fight.sampled.arrays import Ints, Words

__all__ = ["BITS", "Alias", "alias", "columns_of", "shares"]

BITS = 64
WHOLE = 1 << BITS
FEWEST_BITS = 6


class Alias(NamedTuple):
    """A row of weights, ready to be drawn from.

    Attributes:
        shift: a draw shifted right by this is the number of its column.
        thresholds: a draw below takes the first outcome of its column.
        firsts, seconds: the outcomes of each column, as places in the row.
    """

    shift: int
    thresholds: Words
    firsts: Ints
    seconds: Ints


def shares(weights: Sequence[int]) -> list[int]:
    """Weights as whole numbers that add up to 2^64.

    >>> [share / 2**64 for share in shares([1, 3])]
    [0.25, 0.75]
    """
    total = sum(weights)
    parts = [divmod(weight << BITS, total) for weight in weights]
    missing = WHOLE - sum(share for share, _ in parts)
    by_rest = sorted(range(len(parts)), key=lambda place: (-parts[place][1], place))
    found = [share for share, _ in parts]
    for place in by_rest[:missing]:
        found[place] += 1
    return found


def alias(weights: Sequence[int]) -> Alias:
    """Columns for a row of weights: a power of two of them, for most rows the same."""
    return columns_of(shares(weights))


def columns_of(left: list[int]) -> Alias:
    """As `alias`, of shares of 2^64, which are used up.

    Columns beyond the outcomes are empty: who has more than a column fills several at once.
    """
    n = len(left)
    bits = max(FEWEST_BITS, (n - 1).bit_length())
    columns, width = 1 << bits, WHOLE >> bits
    seconds = list(range(columns))
    fills = [width] * n
    small = [place for place in range(n) if left[place] < width]
    large = [place for place in range(n) if left[place] > width]
    empty, next_is_small = columns, False
    while small or empty > n:
        high = large[-1]
        if empty > n and not next_is_small:
            run = min(empty - n, -((width - left[high]) // width))
            seconds[empty - run : empty] = [high] * run
            empty -= run
            left[high] -= run * width
        else:
            low = small.pop()
            seconds[low], fills[low] = high, left[low]
            left[high] -= width - left[low]
        if left[high] <= width:
            large.pop()
        next_is_small = left[high] < width
        if next_is_small:
            small.append(high)
    starts, places = _columns(bits)
    thresholds = starts.copy()
    if n == columns and fills[-1] == width:
        fills[-1] -= 1  # a full column has one outcome only; its threshold need not fit
    thresholds[:n] += np.array(fills, np.uint64)
    # What empty columns hold first is never taken.
    behind = np.array(seconds, np.int64)
    firsts = behind.copy()
    firsts[:n] = places[:n]
    return Alias(BITS - bits, thresholds, firsts, behind)


@cache
def _columns(bits: int) -> tuple[Words, Ints]:
    """The least draw of each column, and its number."""
    places = np.arange(1 << bits)
    return places.astype(np.uint64) << np.uint64(BITS - bits), places
