"""Revisions of a game: a number that grows with every change, when something is taken back as well.

Each move that stands keeps the revision with which it came. So whoever knows a game as it was at
some revision can be told how many of its moves still stand, and what happened since.

>>> revisions_of(("a", "b", "c"), 7, (1, 2))
(7, (1, 2, 7))
>>> revisions_of(("a", "b", "c"), 0, ())
(3, (1, 2, 3))
>>> kept_since((1, 2, 7), 7, 5), kept_since((1, 2, 7), 7, 7), kept_since((1, 2, 7), 7, 8)
(2, 3, -1)
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence, Sized

__all__ = ["EVERYTHING", "kept_since", "revisions_of"]

EVERYTHING = -1
"""Stands for the revision of somebody who knows nothing of a game."""


def revisions_of(
    moves: Sized, revision: int, placed: tuple[int, ...]
) -> tuple[int, tuple[int, ...]]:
    """The revision of a game, and that with which each of its moves came.

    Args:
        moves: all its moves.
        revision: its revision; less than there are moves where nobody has counted.
        placed: the revisions of the first moves; those after them came with this one.
    """
    n = len(moves)
    if revision <= n and not placed:
        return n, tuple(range(1, n + 1))
    return revision, (*placed, *(revision,) * (n - len(placed)))


def kept_since(placed: Sequence[int], revision: int, since: int) -> int:
    """How many moves stand that were there at a revision already.

    Args:
        placed: the revision with which each of the moves came.
        revision: the revision now.
        since: the one that somebody knows.

    Returns:
        -1 if the game was never at that revision, so that nothing is known of it.
    """
    return bisect_right(placed, since) if 0 <= since <= revision else -1
