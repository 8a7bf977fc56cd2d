"""Equations of states slot by slot, against a dense solution."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from affray.engine.fight.duels import by_slots
from affray.engine.fight.duels.by_slots import Step, gone_round, rows_of

Floats = NDArray[np.float64]


def slots(seed: int, sizes: tuple[int, ...], stays: float) -> tuple[list[Step], Floats]:
    """States of some slots that lead to the next slot, and in the end to the first; and all ways.

    Args:
        seed: for the dice. sizes: states of each slot. stays: how likely each leads to another.
    """
    random, cuts = np.random.default_rng(seed), np.cumsum([0, *sizes])
    n = int(cuts[-1])
    whole, steps = np.zeros((n, n)), []
    for number, (low, high) in enumerate(pairwise(cuts.tolist())):
        then = (number + 1) % len(sizes)
        row = random.integers(0, high - low, 4 * (high - low))
        column = random.integers(cuts[then], cuts[then + 1], len(row))
        chance = stays / np.bincount(row, minlength=high - low)[row]
        np.add.at(whole, (low + row, column), chance)
        ways = rows_of(row, column, chance, (high - low, n))
        assert ways.toarray() == pytest.approx(whole[low:high], abs=1e-15)
        steps.append(Step(slice(low, high), random.normal(size=high - low), ways))
    return steps, whole


@pytest.mark.parametrize("sizes", [(5,), (4, 1, 6), (3, 8, 2, 5)])
@pytest.mark.parametrize("close", [False, True])
def test_going_round_solves_the_equations(sizes: tuple[int, ...], close: bool) -> None:
    steps, whole = slots(len(sizes), sizes, 0.6)
    known = np.concatenate([step.known for step in steps])
    expected = np.linalg.solve(np.eye(len(whole)) - whole, known)
    worth = expected.copy() if close else np.zeros(len(whole))
    missed = gone_round(steps, worth)
    assert missed is not None
    assert missed <= 1e-14
    assert worth == pytest.approx(expected, abs=1e-13)
    assert whole @ worth + known == pytest.approx(worth, abs=1e-13)


def test_a_round_is_gone_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """States from which all leads nearer to the end are right after the first round."""
    steps, whole = slots(3, (4, 5, 6), 1.0)
    low = steps[-1].here
    whole[low] = 0
    steps[-1] = steps[-1]._replace(ways=steps[-1].ways * 0.0)
    known = np.concatenate([step.known for step in steps])
    monkeypatch.setattr(by_slots, "TURNS", 2)
    worth = np.zeros(len(whole))
    assert gone_round(steps, worth) == 0
    assert worth == pytest.approx(np.linalg.solve(np.eye(len(whole)) - whole, known), abs=1e-13)


def test_what_takes_too_long_is_left_to_others() -> None:
    steps, whole = slots(1, (4, 5), 1 - 1e-6)
    assert gone_round(steps, np.zeros(len(whole))) is None
    steps, whole = slots(1, (4, 5), 0.2)
    assert gone_round(steps, np.zeros(len(whole))) is not None


def test_rows_in_any_order_are_a_matrix() -> None:
    row, column = np.array([2, 0, 2, 0, 2]), np.array([1, 3, 0, 3, 1])
    found = rows_of(row, column, np.array([0.1, 0.2, 0.3, 0.4, 0.05]), (4, 4)).toarray()
    expected = np.zeros((4, 4))
    expected[2, 1], expected[0, 3], expected[2, 0] = 0.15, 0.6, 0.3
    assert found == pytest.approx(expected, abs=1e-15)
    none = rows_of(row[:0], column[:0], np.zeros(0), (0, 4))
    assert none.shape == (0, 4)
