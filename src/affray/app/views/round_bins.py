"""Rounds of fights in bins, for tables and charts that would be too long otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from affray.core.lazy import NamedTuple

__all__ = ["Bin", "bin_width", "binned", "most_rounds"]

MOST_BINS = 30
SHOWN, LONGER = 0.99, 2
"""The share of fights that a histogram shows at least, and how much longer the others may last
without being left to its last row."""


class Bin(NamedTuple):
    """Rounds that are shown as one: from the first to the last; None: and all beyond."""

    first: int
    last: int | None
    many: float

    def label(self, to: str) -> str:
        """The rounds, with this word between the first and the last.

        >>> Bin(3, 4, 9).label(" to "), Bin(3, 3, 9).label("-"), Bin(8, None, 9).label("-")
        ('3 to 4', '3', 'over 7')
        """
        if self.last is None:
            return f"over {self.first - 1}"
        return str(self.first) if self.first == self.last else f"{self.first}{to}{self.last}"


def bin_width(rounds: int) -> int:
    """The number of rounds to show as one: 1, 2, 5, 10, 20, ...

    >>> bin_width(30), bin_width(31), bin_width(200)
    (1, 2, 10)
    """
    scale = 1
    while True:
        for step in (1, 2, 5):
            if rounds <= step * scale * MOST_BINS:
                return step * scale
        scale *= 10


def most_rounds(counts: Mapping[int, int]) -> int:
    """Rounds up to which a histogram goes: all of them, unless few battles lasted much longer."""
    last, left = max(counts), sum(counts.values()) * (1 - SHOWN)
    for round_ in sorted(counts, reverse=True):
        left -= counts[round_]
        if left < 0:
            return last if last <= round_ * LONGER else round_
    return last


def binned(counts: Mapping[int, float], last: int) -> Iterator[Bin]:
    """Rounds up to the last one, several together where there are many, then all beyond it."""
    first = min(counts)
    width = bin_width(last - first + 1)
    for start in range(first, last + 1, width):
        stop = min(start + width - 1, last)
        yield Bin(start, stop, sum(counts.get(n, 0) for n in range(start, stop + 1)))
    beyond = sum(many for n, many in counts.items() if n > last)
    if beyond:
        yield Bin(last + 1, None, beyond)
