"""The dice of many battles: streams of 64-bit numbers, one for each chunk.

`Stream` draws what is asked for and no more. `Shared` draws for every battle of a chunk, whether
it still goes on or not, and for every fighter and round apart: two setups that are compared meet
the same luck.
"""

from __future__ import annotations

from typing import Literal, Protocol, TypeAlias

import numpy as np

from affray.core.lazy import NamedTuple
from affray.engine.fight.sampled.arrays import Ints, Shorts, Words

__all__ = ["Call", "Draws", "Shared", "Stream", "What"]

What: TypeAlias = Literal["exchange", "choice", "order", "roll", "coin", "urgent", "close"]
LITTLE_WORD, LITTLE_SHORT = np.dtype("<u8"), np.dtype("<u2")
KINDS: dict[What, int] = {
    "exchange": 0,
    "choice": 1,
    "order": 2,
    "roll": 3,
    "coin": 4,
    "urgent": 5,
    "close": 6,
}


class Call(NamedTuple):
    """The purpose of some numbers.

    Attributes:
        what: which decision of the dice. number: the round.
        side, place, action: whose they are, and for which action of a turn.
        ids: for which battles of the chunk; None where nobody keeps count.
    """

    what: What
    number: int = 0
    side: int = 0
    place: int | Ints = 0
    action: int = 0
    ids: Ints | None = None


class Draws(Protocol):
    """Numbers for some battles of a chunk."""

    paired: bool

    def __call__(self, call: Call, n: int) -> Words:
        """This many numbers."""


class Stream:
    """One stream for a chunk, in the order in which it is asked."""

    paired = False

    def __init__(self, seed: int, chunk: int) -> None:
        self._bits = np.random.SFC64(np.random.SeedSequence(seed, spawn_key=(chunk,)))

    def __call__(self, call: Call, n: int) -> Words:  # noqa: ARG002  # one stream for all
        """The next numbers."""
        return self.more(n)

    def short(self, n: int) -> Shorts:
        """So many numbers of 16 bits, four from one of the stream."""
        raw = self._bits.random_raw(-(-n // 4)).astype(LITTLE_WORD, copy=False)
        drawn: Shorts = raw.view(LITTLE_SHORT)[:n].astype(np.uint16, copy=False)
        return drawn

    def more(self, n: int) -> Words:
        """The next numbers of the stream."""
        return self._bits.random_raw(n)


class Shared:
    """A stream of its own for every purpose, round and side, a row of it for each action.

    Args:
        seed, chunk: as for `Stream`.
        size: battles in the chunk.
        sides: fighters of each side. actions: in a turn.
    """

    paired = True

    def __init__(
        self, seed: int, chunk: int, *, size: int, sides: tuple[int, int], actions: int
    ) -> None:
        self._seed, self._chunk, self._size = seed, chunk, size
        self._sides, self._actions = sides, actions
        self._blocks: dict[tuple[What, int], tuple[int, Words]] = {}

    def __call__(self, call: Call, n: int) -> Words:
        """The numbers of these battles."""
        what, number, side, place, action, ids = call
        block = self._blocks.get((what, side))
        if block is None or block[0] != number:
            key = (self._chunk, KINDS[what], number, side)
            bits = np.random.SFC64(np.random.SeedSequence(self._seed, spawn_key=key))
            drawn = bits.random_raw(self._sides[side] * self._actions * self._size)
            block = self._blocks[what, side] = number, drawn
        assert ids is not None
        assert len(ids) == n
        return block[1].take((place * self._actions + action) * self._size + ids)
