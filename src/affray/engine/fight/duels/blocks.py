"""Equations x = ways x + known, in blocks of the same size that have nothing to do with each other.

Small blocks are solved as dense matrices, all at once. Of large ones few places are ever filled: a
state leads to a handful of others. They are solved by going round, x after x, which ends soon where
most of what happens leads out of the block; else by a sparse factorization.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, eye_array

from affray.core.meter import meter_in_force

__all__ = ["Ways"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

DENSE = 40
"""The largest width of blocks that are solved as dense matrices."""
TURNS = 200
"""How often to go round before a factorization is tried."""
CLOSE = 4e-16
"""The change of a value, relative to the largest one, at which going round ends."""
EQUATIONS_A_SECOND = 2e10
"""The cube of a number of equations, solved in a second; a guess to foresee long work by."""
WAYS_A_SECOND = 5e7
"""Ways that are followed in a second, likewise."""


class Ways:
    """The ways inside blocks: from a row to a column of the same block, with a probability.

    Args:
        n_blocks: the number of blocks.
        width: the number of rows of each.
    """

    def __init__(self, n_blocks: int, width: int) -> None:
        self.n_blocks, self.width = n_blocks, width
        self._rows: list[Ints] = []
        self._columns: list[Ints] = []
        self._chances: list[Floats] = []

    def add(self, block: Ints, row: Ints, column: Ints, chance: Floats) -> None:
        """Add ways; those between the same places add up."""
        start = block * self.width
        self._rows.append(start + row)
        self._columns.append(start + column)
        self._chances.append(chance)

    def solved(self, known: Floats) -> tuple[Floats, float]:
        """Solve x = ways x + known: what rows are worth.

        A row from which nothing ever leaves its block is worth nothing.

        Args:
            known: by block, row and question.

        Returns:
            x, in the form of `known`; and by how much the equations are missed at most.
        """
        if self.width > DENSE:
            inside, known = self._sparse(known)
            return _solved_sparse(inside, known)
        inside, known = self._dense(known)
        return _solved_dense(inside, known)

    def visited(self, known: Floats) -> tuple[Floats, float]:
        """Solve x = x ways + known: how often rows come up; see `solved`."""
        if self.width > DENSE:
            inside, known = self._sparse(known)
            return _solved_sparse(inside.T.tocsr(), known)
        inside, known = self._dense(known)
        return _solved_dense(inside.transpose(0, 2, 1), known)

    def _listed(self) -> tuple[Ints, Ints, Floats]:
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
        leaves = inside.sum(-1) < 1 - 1e-12
        for _ in range(width):
            if leaves.all():
                break
            leaves |= np.matmul(inside > 0, leaves[:, :, None])[..., 0]
        if not leaves.all():
            inside *= leaves[:, :, None]
            known = known * leaves[:, :, None]
        return inside, known

    def _sparse(self, known: Floats) -> tuple[csr_array, Floats]:
        """One matrix of all blocks; rows from which nothing leaves lead nowhere."""
        n = known.shape[0] * known.shape[1]
        rows, columns, chances = self._listed()
        what = f"{known.shape[0]:,} systems of {known.shape[1]:,} equations"
        meter = meter_in_force()
        meter.claim(8 * (4 * len(chances) + 4 * known.size), what)
        meter.foresee(len(chances) / WAYS_A_SECOND, what)
        inside = csr_array((chances, (rows, columns)), shape=(n, n))
        leaves = np.asarray(inside.sum(1)).ravel() < 1 - 1e-12
        joined = inside > 0
        while not leaves.all():
            more = leaves | (joined @ leaves)
            if (more == leaves).all():
                inside = csr_array(inside.multiply(leaves[:, None]))
                known = known * leaves.reshape(known.shape[:2])[:, :, None]
                break
            leaves = more
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
    flat = known.reshape(n, -1)
    solved = _gone_round(inside, flat)
    if solved is None:
        from scipy.sparse.linalg import splu  # only where going round takes too long

        solved = np.asarray(splu((eye_array(n) - inside).tocsc()).solve(flat), np.float64)
    missed = np.abs(solved - inside @ solved - flat)
    return solved.reshape(known.shape), float(missed.max(initial=0.0))


def _gone_round(inside: csr_array, known: Floats) -> Floats | None:
    """Solve by going round; None if that takes too long."""
    solved = known
    meter = meter_in_force()
    for turn in range(TURNS):
        meter.tick(8)
        after: Floats = inside @ solved + known
        if turn % 4 == 3:
            change = float(np.abs(after - solved).max(initial=0.0))
            if change <= CLOSE * max(1.0, float(np.abs(after).max(initial=0.0))):
                return after
        solved = after
    return None
