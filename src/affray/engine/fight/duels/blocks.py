"""Equations x = ways x + known, in blocks of the same size that have nothing to do with each other.

Small blocks are solved as dense matrices, all at once. Of large ones few places are ever filled: a
state leads to a handful of others. They are solved by going round, x after x, which ends soon where
most of what happens leads out of the block; else by a sparse factorization.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, eye_array

from affray.core.meter import meter_in_force

__all__ = ["Equations"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

DENSE = 40
"""The largest width of blocks that are solved as dense matrices."""
DENSE_PLACE = 32
"""The same of the rows of one place."""
NARROW = 8
"""The largest width of blocks that are not solved place by place."""
TURNS = 200
"""How often to go round before a factorization is tried."""
FEW, FEW_TURNS = 10_000, 24
"""So many equations are soon factorized: then going round ends after this many turns."""
CLOSE = 4e-16
"""The change of a value, relative to the largest one, at which going round ends."""
EQUATIONS_A_SECOND = 2e10
"""The cube of a number of equations, solved in a second; a guess to foresee long work by."""
WAYS_A_SECOND = 5e7
"""Ways that are followed in a second, likewise."""


class Equations:
    """Equations inside blocks, made of ways from a row to a column of the same block.

    Args:
        n_blocks: the number of blocks.
        width: the number of rows of each.
        sizes: the number of rows of each place of a round, if rows lie place by place, and ways
            lead to later places, or back to the first. Then rows from which nothing leaves are
            known to be worth nothing.
    """

    def __init__(self, n_blocks: int, width: int, sizes: Sequence[int] = ()) -> None:
        self.n_blocks, self.width, self.sizes = n_blocks, width, sizes
        self._rows: list[Ints] = []
        self._columns: list[Ints] = []
        self._chances: list[Floats] = []

    def add(self, block: Ints, row: Ints, column: Ints, chance: Floats) -> None:
        """Add ways; those between the same places add up."""
        start = block * self.width
        self.put(start + row, start + column, chance)

    def put(self, rows: Ints, columns: Ints, chances: Floats) -> None:
        """Add ways between rows that are numbered block by block."""
        self._rows.append(rows)
        self._columns.append(columns)
        self._chances.append(chances)

    def solved(self, known: Floats) -> tuple[Floats, float]:
        """Solve x = ways x + known: what rows are worth.

        A row from which nothing ever leaves its block is worth nothing.

        Args:
            known: by block, row and question.

        Returns:
            x, in the form of `known`; and by how much the equations are missed at most.
        """
        if self.width > NARROW and len(self.sizes) > 1 and max(self.sizes) <= DENSE_PLACE:
            return self._by_places(known)
        if self.width > DENSE:
            return self._in_use(known, turned=False)
        inside, known = self._dense(known)
        return _solved_dense(inside, known)

    def visited(self, known: Floats) -> tuple[Floats, float]:
        """Solve x = x ways + known: how often rows come up; see `solved`."""
        if self.width > DENSE:
            return self._in_use(known, turned=True)
        inside, known = self._dense(known)
        return _solved_dense(inside.transpose(0, 2, 1), known)

    def _listed(self) -> tuple[Ints, Ints, Floats]:
        if not self._rows:
            return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
        rows, columns = np.concatenate(self._rows), np.concatenate(self._columns)
        return rows, columns, np.concatenate(self._chances)

    def _dense(self, known: Floats) -> tuple[Floats, Floats]:
        """A matrix for each block; rows from which nothing leaves lead nowhere."""
        n_blocks, width = known.shape[:2]
        what = f"{n_blocks:,} systems of {width:,} equations"
        meter = meter_in_force()
        meter.claim(8 * 4 * n_blocks * width * width, what)
        meter.foresee(n_blocks * width**3 / EQUATIONS_A_SECOND, what)
        rows, columns, chances = self._listed()
        inside = np.zeros((n_blocks, width, width))
        np.add.at(inside.reshape(-1), rows * width + columns % width, chances)
        return _left(inside, known)

    def _by_places(self, known: Floats) -> tuple[Floats, float]:
        """Solve by way of the first place: what follows it is put into it, the last place first.

        Each place is worth `turns` times what the first place is worth, and `rest` besides.
        """
        n, sizes = self.n_blocks, self.sizes
        what = f"{n:,} systems of {self.width:,} equations"
        meter_in_force().claim(8 * 3 * n * self.width * max(sizes), what)
        rows, columns, chances = self._listed()
        starts = np.cumsum([0, *sizes])
        place_of = np.repeat(np.arange(len(sizes)), sizes)
        block, row = np.divmod(rows, self.width)
        column = columns % self.width
        place, then = place_of[row], place_of[column]
        kind = place * len(sizes) + then
        ways: dict[tuple[int, int], Floats] = {}
        for number in np.nonzero(np.bincount(kind))[0].tolist():
            some = kind == number
            one, other = divmod(number, len(sizes))
            here, there = row[some] - starts[one], column[some] - starts[other]
            spot = (block[some] * sizes[one] + here) * sizes[other] + there
            shape = n, sizes[one], sizes[other]
            flat: Floats = np.bincount(spot, chances[some], prod(shape)).astype(np.float64)
            ways[one, other] = flat.reshape(shape)
        parts = np.split(known, starts[1:-1], 1)
        turns: dict[int, Floats] = {}
        rest: dict[int, Floats] = {}
        for one in reversed(range(len(sizes))):
            turns[one] = np.zeros((n, sizes[one], sizes[0]))
            rest[one] = parts[one].copy()
            for (start, other), inside in ways.items():
                if start == one and other == 0:
                    turns[one] += inside
                elif start == one:
                    turns[one] += np.matmul(inside, turns[other])
                    rest[one] += np.matmul(inside, rest[other])
        first, _ = _solved_dense(*_left(turns[0], rest[0]))
        later = range(1, len(sizes))
        solved = [first, *(rest[one] + np.matmul(turns[one], first) for one in later)]
        missed = [now - part for now, part in zip(solved, parts, strict=True)]
        for (one, other), inside in ways.items():
            missed[one] -= np.matmul(inside, solved[other])
        most = max(float(np.abs(part).max(initial=0.0)) for part in missed)
        return np.concatenate(solved, 1), most

    def _in_use(self, known: Floats, *, turned: bool) -> tuple[Floats, float]:
        """Solve for rows that lead anywhere or that anything leads to; others are known."""
        rows, columns, chances = self._listed()
        what = f"{known.shape[0]:,} systems of {known.shape[1]:,} equations"
        meter = meter_in_force()
        meter.claim(8 * (4 * len(chances) + 4 * known.size), what)
        meter.foresee(len(chances) / WAYS_A_SECOND, what)
        used = np.zeros(known.shape[0] * known.shape[1], np.bool_)
        used[rows] = used[columns] = True
        some = np.nonzero(used)[0]
        place = np.cumsum(used) - 1
        flat = known.reshape(len(used), -1)
        solved = flat.copy()
        inside, part = _leaving((place[rows], place[columns]), chances, flat[some])
        solved[some], missed = _solved_sparse(inside.T.tocsr() if turned else inside, part)
        return solved.reshape(known.shape), missed


def _leaving(ways: tuple[Ints, Ints], chances: Floats, known: Floats) -> tuple[csr_array, Floats]:
    """One matrix; rows from which nothing leaves lead nowhere, and are worth nothing."""
    inside = csr_array((chances, ways), shape=(len(known), len(known)))
    leaves = np.asarray(inside.sum(1)).ravel() < 1 - 1e-12
    joined = inside > 0
    while not leaves.all():
        more = leaves | (joined @ leaves)
        if (more == leaves).all():
            inside = csr_array(inside.multiply(leaves[:, None]))
            known = known * leaves[:, None]
            break
        leaves = more
    return inside, known


def _left(inside: Floats, known: Floats) -> tuple[Floats, Floats]:
    """The same equations; rows from which nothing leaves lead nowhere, and are worth nothing."""
    leaves = inside.sum(-1) < 1 - 1e-12
    for _ in range(inside.shape[1]):
        if leaves.all():
            break
        leaves |= np.matmul(inside > 0, leaves[:, :, None])[..., 0]
    if not leaves.all():
        inside *= leaves[:, :, None]
        known = known * leaves[:, :, None]
    return inside, known


def _solved_dense(inside: Floats, known: Floats) -> tuple[Floats, float]:
    """Solve x = inside x + known, block by block."""
    width = inside.shape[1]
    if width == 2:  # two places of a pair by itself: by hand, since there are many
        a, b = 1 - inside[:, 0, 0, None], inside[:, 0, 1, None]
        c, d = inside[:, 1, 0, None], 1 - inside[:, 1, 1, None]
        first, second = known[:, 0], known[:, 1]
        solved = np.stack([first * d + second * b, second * a + first * c], 1)
        solved /= (a * d - b * c)[:, None]
    else:
        solved = np.asarray(np.linalg.solve(np.eye(width) - inside, known), np.float64)
    missed = np.abs(solved - np.matmul(inside, solved) - known)
    return solved, float(missed.max(initial=0.0))


def _solved_sparse(inside: csr_array, known: Floats) -> tuple[Floats, float]:
    """Solve x = inside x + known, all blocks at once."""
    n = inside.shape[0]
    solved = _gone_round(inside, known, FEW_TURNS if n <= FEW else TURNS)
    if solved is None:
        from scipy.sparse.linalg import splu  # only where going round takes too long

        solved = np.asarray(splu((eye_array(n) - inside).tocsc()).solve(known), np.float64)
    missed = np.abs(solved - inside @ solved - known)
    return solved, float(missed.max(initial=0.0))


def _gone_round(inside: csr_array, known: Floats, turns: int) -> Floats | None:
    """Solve by going round; None if that takes too long."""
    solved = known
    meter = meter_in_force()
    for turn in range(turns):
        meter.tick(8)
        after: Floats = inside @ solved + known
        if turn % 4 == 3:
            change = float(np.abs(after - solved).max(initial=0.0))
            if change <= CLOSE * max(1.0, float(np.abs(after).max(initial=0.0))):
                return after
        solved = after
    return None
