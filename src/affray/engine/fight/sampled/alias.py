"""One draw of 64 bits to one of many outcomes: Walker's tables, built in whole numbers.

The upper bits of a draw choose a column; a column holds two outcomes, and a draw below its
threshold takes the first. A row of weights becomes shares of 2^64 by the largest remainders, so
that no probability is further from the truth than one in 2^64. How a draw falls depends on the
weights alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.lazy import NamedTuple

__all__ = ["BITS", "Alias", "alias", "shares"]

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
    thresholds: tuple[int, ...]
    firsts: tuple[int, ...]
    seconds: tuple[int, ...]


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
    bits = max(FEWEST_BITS, (len(weights) - 1).bit_length())
    columns, width = 1 << bits, WHOLE >> bits
    left = shares(weights) + [0] * (columns - len(weights))
    firsts, seconds, fills = list(range(columns)), list(range(columns)), [width] * columns
    small = [place for place in range(columns) if left[place] < width]
    large = [place for place in range(columns) if left[place] > width]
    while small:
        low, high = small.pop(), large[-1]
        seconds[low], fills[low] = high, left[low]
        left[high] -= width - left[low]
        if left[high] <= width:
            large.pop()
        if left[high] < width:
            small.append(high)
    # A full column has one outcome only; its threshold need not fit.
    thresholds = (
        min(WHOLE - 1, place * width + fill) for place, fill in enumerate(fills)
    )  # fmt: skip
    # Columns beyond the row are empty: what they hold first is never taken.
    firsts = [place if place < len(weights) else seconds[place] for place in firsts]
    return Alias(BITS - bits, tuple(thresholds), tuple(firsts), tuple(seconds))
