"""Equations in blocks: dense, going round, and factored come to what fractions come to."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from affray.engine.fight.duels import blocks
from affray.engine.fight.duels.blocks import Equations

Row = dict[int, Fraction]


def exact(rows: list[Row], known: list[Fraction]) -> list[Fraction]:
    """Solve x = rows x + known by elimination in whole fractions."""
    n = len(rows)
    table = [[Fraction(int(i == j)) - rows[i].get(j, Fraction(0)) for j in range(n)] + [known[i]]
             for i in range(n)]  # fmt: skip
    for i in range(n):
        pivot = next(j for j in range(i, n) if table[j][i])
        table[i], table[pivot] = table[pivot], table[i]
        table[i] = [value / table[i][i] for value in table[i]]
        for j in range(n):
            if j != i and table[j][i]:
                factor = table[j][i]
                table[j] = [a - factor * b for a, b in zip(table[j], table[i], strict=True)]
    return [row[n] for row in table]


def made(seed: int, width: int, out: Fraction) -> tuple[list[Row], list[Fraction]]:
    """A block whose rows lead to three places of it, and out of it with a chance."""
    random = np.random.default_rng(seed)
    rows: list[Row] = []
    for _ in range(width):
        to = [int(place) for place in random.choice(width, 3)]
        row: Row = {}
        for place in to:
            row[place] = row.get(place, Fraction(0)) + (1 - out) / 3
        rows.append(row)
    return rows, [Fraction(int(value), 7) for value in random.integers(0, 8, width)]


def asked(all_rows: list[list[Row]], all_known: list[list[Fraction]]) -> tuple[np.ndarray, float]:
    width = len(all_rows[0])
    ways = Equations(len(all_rows), width)
    for number, rows in enumerate(all_rows):
        for here, row in enumerate(rows):
            for there, chance in row.items():
                spot = np.array([number]), np.array([here]), np.array([there])
                ways.add(*spot, np.array([float(chance)]))
    return ways.solved(np.array(all_known, dtype=float)[:, :, None])


@pytest.mark.parametrize("dense", [1, 40], ids=["sparse", "dense"])
@pytest.mark.parametrize("out", [Fraction(1, 2), Fraction(1, 50), Fraction(1, 5000)])
def test_blocks_come_to_the_fractions(
    monkeypatch: pytest.MonkeyPatch, dense: int, out: Fraction
) -> None:
    """Whether most leads out at once or next to nothing does: then going round is given up."""
    monkeypatch.setattr(blocks, "DENSE", dense)
    given = [made(seed, 6, out) for seed in range(4)]
    solved, missed = asked([rows for rows, _ in given], [known for _, known in given])
    for number, (rows, known) in enumerate(given):
        want = [float(value) for value in exact(rows, known)]
        np.testing.assert_allclose(solved[number, :, 0], want, rtol=1e-11)
    assert missed < 1e-9


@pytest.mark.parametrize("dense", [1, 40], ids=["sparse", "dense"])
def test_a_block_that_nothing_leaves_is_worth_nothing(
    monkeypatch: pytest.MonkeyPatch, dense: int
) -> None:
    """Two places that lead to each other for ever, beside a block that is left."""
    monkeypatch.setattr(blocks, "DENSE", dense)
    one, half = Fraction(1), Fraction(1, 2)
    closed: list[Row] = [{1: one}, {0: one}, {2: half}]
    left: list[Row] = [{1: one}, {0: half}, {0: one}]
    known = [[one, one, one], [Fraction(0), one, one]]
    solved, missed = asked([closed, left], known)
    assert solved[0, :, 0].tolist() == [0, 0, 2]
    assert solved[1, :, 0].tolist() == pytest.approx([2, 2, 3])
    assert missed < 1e-12


def test_ways_between_the_same_places_add_up() -> None:
    half: list[Row] = [{0: Fraction(1, 2)}]
    ways = Equations(1, 1)
    for chance in (0.25, 0.25):
        ways.add(np.array([0]), np.array([0]), np.array([0]), np.array([chance]))
    solved, _ = ways.solved(np.ones((1, 1, 1)))
    assert solved[0, 0, 0] == pytest.approx(float(exact(half, [Fraction(1)])[0]))


@pytest.mark.parametrize("sizes", [(3, 3, 3, 3), (6, 1, 2), (2, 4, 5)], ids=str)
@pytest.mark.parametrize("stays", [False, True], ids=["leaves", "some stay"])
def test_places_of_rounds_come_to_the_fractions(
    monkeypatch: pytest.MonkeyPatch,
    sizes: tuple[int, ...],
    stays: bool,  # a parameter
) -> None:
    """Rows of a place lead to the next one, to the one after, or back to the first."""
    monkeypatch.setattr(blocks, "NARROW", 1)
    places, n, out = len(sizes), sum(sizes), Fraction(1, 9)
    starts = [sum(sizes[:place]) for place in range(places)]
    random = np.random.default_rng(2)
    ways = Equations(1, n, sizes)
    rows: list[Row] = []
    for place, size in enumerate(sizes):
        for _ in range(size):
            thens = [then for then in (place + 1, place + 2) if then < places] or [0]
            row: Row = {}
            for then in [*thens, 0]:
                to = starts[then] + int(random.integers(sizes[then]))
                row[to] = row.get(to, Fraction(0)) + (1 - out) / (len(thens) + 1)
            rows.append(row)
    known = [Fraction(int(value), 7) for value in random.integers(1, 8, n)]
    if stays:  # the first row leads to itself by way of the last one, for ever
        rows[0], rows[-1] = {n - 1: Fraction(1)}, {0: Fraction(1)}
        known[0] = known[-1] = Fraction(0)
    for here, row in enumerate(rows):
        for to, chance in row.items():
            spot = np.array([0]), np.array([here]), np.array([to])
            ways.add(*spot, np.array([float(chance)]))
    found, missed = ways.solved(np.array([known], dtype=float)[:, :, None])
    if stays:
        rows[0], rows[-1] = {}, {}
    assert found[0, :, 0] == pytest.approx(
        [float(value) for value in exact(rows, known)], abs=1e-14
    )
    assert missed < 1e-14
