"""Tables that grow while others read them.

All numbers are 64 bits wide, and 0 stands for what nobody has worked out yet. A reader takes
`now` once and works with it: what it refers to stays in place, what is new comes on top.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from affray.core.meter import meter_in_force

__all__ = [
    "Blocks", "Bools", "Drawn", "Floats", "Grid", "Ints", "Memo", "Shorts", "Spread", "Vector",
    "Words", "distinct", "each_once", "keep_freed_memory",
]  # fmt: skip

Ints: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]
Shorts: TypeAlias = NDArray[np.uint16]
Drawn: TypeAlias = Words | Shorts
"""What outcomes are told from: 16 bits each; where battles are paired, 64."""
Floats: TypeAlias = NDArray[np.float64]
Bools: TypeAlias = NDArray[np.bool_]

FIRST_SIZE = 64
"""Rows and columns that a table begins with: many stay small, and each is filled with zeros."""
SPARSE_KEYS = 64
"""Of a table so many times as large as there are keys it is quicker to sort these."""


FREED = 31 << 20
"""Bytes up to which arrays that come and go shall cost no new memory; glibc allows 32 MB."""


def keep_freed_memory() -> None:
    """Let the C library keep what arrays free, and not ask the system for it each time.

    glibc maps pieces above a size one by one, and every page of them is a fault; that size is the
    largest of what was mapped and freed. Elsewhere this does nothing.
    """
    np.empty(FREED // 8, np.int64)


MOST_BLOCKS = 8
"""Blocks that are kept."""


def distinct(keys: Ints, size: int) -> Ints:
    """Each key once, in order; all are below `size`."""
    if SPARSE_KEYS * len(keys) < size:
        return each_once(keys)
    met = np.zeros(size, np.bool_)
    met[keys] = True
    return np.flatnonzero(met)


def each_once(keys: Ints) -> Ints:
    """Each key once, in order. `np.unique` would load masked arrays first, for ten milliseconds."""
    ordered = np.sort(keys)
    is_first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
    return ordered[is_first]


class Blocks:
    """Memory for arrays that come and go: taken anew from the system, it would cost more."""

    def __init__(self) -> None:
        self._free: list[Ints] = []
        self._lock = Lock()

    def take(self, size: int) -> Ints:
        """A block of at least so many numbers, whatever they are."""
        with self._lock:
            for place, block in enumerate(self._free):
                if len(block) >= size:
                    return self._free.pop(place)
        return np.empty(size, np.int64)

    def give_back(self, *blocks: Ints) -> None:
        """Nobody looks at these any more."""
        with self._lock:
            self._free += blocks
            del self._free[:-MOST_BLOCKS]


class Vector:
    """A row of numbers that gets longer.

    Args:
        size: how many zeros it begins with.
    """

    def __init__(self, size: int = 1) -> None:
        self.now: Ints = np.zeros(FIRST_SIZE, np.int64)
        self.size = size

    def append(self, value: int) -> int:
        """Put a value behind what is there; its place."""
        here = self.size
        if here == len(self.now):
            return self.extend((value,))
        self.now[here] = value
        self.size = here + 1
        return here

    def extend(self, values: Sequence[int] | Ints) -> int:
        """Put values behind what is there; the place of the first."""
        here = self.size
        after = here + len(values)
        if after > len(self.now):
            self._grow(after)
        self.now[here:after] = values
        self.size = after
        return here

    def _grow(self, size: int) -> None:
        longer = np.zeros(max(size, 2 * len(self.now)), np.int64)
        longer[: self.size] = self.now[: self.size]
        self.now = longer

    def repeat(self, value: int, times: int) -> None:
        """Put a value behind what is there, so many times."""
        here = self.size
        after = here + times
        if after > len(self.now):
            self._grow(after)
        self.now[here:after] = value
        self.size = after

    def put(self, place: int, value: int) -> None:
        """Set one value."""
        self.now[place] = value

    @property
    def nbytes(self) -> int:
        """Memory taken."""
        return self.now.nbytes


class Grid:
    """Numbers by row and column, a few for each; callers `fit` it to new rows and columns.

    Attributes:
        now: the width, and for each layer all rows one after the other.
    """

    def __init__(self, layers: int = 1) -> None:
        self.height = FIRST_SIZE
        width = FIRST_SIZE
        self.now: tuple[int, tuple[Ints, ...]] = (
            width, tuple(np.zeros(self.height * width, np.int64) for _ in range(layers))
        )  # fmt: skip

    def __getitem__(self, key: tuple[int, int]) -> int:
        width, layers = self.now
        row, column = key
        if row >= self.height or column >= width:
            return 0
        return int(layers[0][row * width + column])

    def look_up(
        self, rows: Ints, columns: Ints, work_out: Callable[[int, int], object]
    ) -> tuple[Ints, ...]:
        """What stands at several places: an array for each layer.

        Args:
            rows: of the places.
            columns: of the places.
            work_out: puts something where the first layer still has 0.
        """
        while True:
            width, (first, *others) = self.now
            keys = rows * width
            keys += columns
            found = first.take(keys)
            if found.min(initial=1):
                return found, *[layer.take(keys) for layer in others]
            for key in distinct(keys[found == 0], len(first)).tolist():
                work_out(*divmod(key, width))

    def put(self, row: int, column: int, *values: int) -> None:
        """Set what stands at one place, the last layer first."""
        width, layers = self.now
        if row >= self.height or column >= width:
            self.fit(row, column)
            width, layers = self.now
        place = row * width + column
        # Readers look at the first layer to see whether there is something.
        for number in range(len(layers) - 1, -1, -1):
            layers[number][place] = values[number]

    def put_all(self, rows: Ints, columns: Ints, values: Ints) -> None:
        """Set the first layer at several places."""
        if len(rows):
            self.fit(int(rows.max()), int(columns.max()))
            width, layers = self.now
            layers[0][rows * width + columns] = values

    def fit(self, row: int, column: int) -> None:
        """Make room for a row and a column; readers may then ask for it."""
        width, layers = self.now
        if row < self.height and column < width:
            return
        height, wider = self.height, width
        while height <= row:
            height *= 2
        while wider <= column:
            wider *= 2
        size = height * wider
        meter_in_force().claim(8 * size * len(layers), f"a table of {size:,} cells")
        grown = []
        for layer in layers:
            new = np.zeros((height, wider), np.int64)
            new[: self.height, :width] = layer.reshape(self.height, width)
            grown.append(new.ravel())
        self.height = height
        self.now = wider, tuple(grown)

    @property
    def nbytes(self) -> int:
        """Memory that is reserved; what was never touched costs nothing."""
        return sum(layer.nbytes for layer in self.now[1])


class Memo:
    """Numbers by keys that are too many for a grid."""

    def __init__(self) -> None:
        top = np.iinfo(np.int64).max
        self.now: tuple[Ints, Ints] = (np.array([top]), np.zeros(1, np.int64))

    def look_up(self, keys: Ints) -> tuple[Ints, Bools]:
        """The value for each key, and whether there is one."""
        known, values = self.now
        places = np.searchsorted(known, keys)
        return values.take(places), known.take(places) == keys

    def learn(self, keys: Ints, work_out: Callable[[int], int]) -> None:
        """Work out the value of every key that isn't known, from the place where it is met."""
        unknown = np.flatnonzero(~self.look_up(keys)[1])
        new, places = np.unique(keys[unknown], return_index=True)
        values = np.array([work_out(place) for place in unknown[places].tolist()], np.int64)
        known, old = self.now
        every = np.concatenate([known, new])
        order = np.argsort(every, kind="stable")
        self.now = every[order], np.concatenate([old, values])[order]

    @property
    def nbytes(self) -> int:
        """Memory taken."""
        return sum(part.nbytes for part in self.now)


COLUMN_BITS = 32
MOST_CELLS = 1 << 22
"""Cells of a grid that is spread out; with more it keeps what it holds alone."""


class Spread(Grid):
    """A grid of one layer that keeps only the places in use once all of them would be too many.

    A look takes somewhat longer then, and memory grows with what is known.
    """

    def __init__(self) -> None:
        super().__init__()
        self._kept: dict[int, int] | None = None
        self._memo = Memo()

    def __getitem__(self, key: tuple[int, int]) -> int:
        if self._kept is None:
            return super().__getitem__(key)
        return self._kept.get(key[0] << COLUMN_BITS | key[1], 0)

    def look_up(
        self, rows: Ints, columns: Ints, work_out: Callable[[int, int], object]
    ) -> tuple[Ints, ...]:
        """As for every grid."""
        while self._kept is None:
            width, (layer,) = self.now
            places = rows * width + columns
            found = layer.take(places)
            if found.min(initial=1):
                return (found,)
            for key in distinct(places[found == 0], len(layer)).tolist():
                work_out(*divmod(key, width))
        kept = self._kept
        keys = rows << COLUMN_BITS | columns
        values, there = self._memo.look_up(keys)
        while not there.all():
            for key in each_once(keys[~there]).tolist():
                if key not in kept:
                    work_out(key >> COLUMN_BITS, key & ((1 << COLUMN_BITS) - 1))
            self._memo.learn(keys, lambda place: kept[int(keys[place])])
            values, there = self._memo.look_up(keys)
        return (values,)

    def put(self, row: int, column: int, *values: int) -> None:
        """As for every grid."""
        self.fit(row, column)
        if self._kept is None:
            super().put(row, column, *values)
        else:
            (self._kept[row << COLUMN_BITS | column],) = values

    def fit(self, row: int, column: int) -> None:
        """Make room, or from now on keep only the places in use."""
        width, (layer,) = self.now
        if self._kept is not None or (row < self.height and column < width):
            return
        if max(row, self.height) * max(column, width) < MOST_CELLS:
            super().fit(row, column)
            return
        rows, columns = np.divmod(np.flatnonzero(layer), width)
        keys = (rows << COLUMN_BITS | columns).tolist()
        self._kept = dict(zip(keys, layer[layer != 0].tolist(), strict=True))

    @property
    def nbytes(self) -> int:
        """Memory that is reserved."""
        return super().nbytes + self._memo.nbytes
