"""A grid that spreads out answers as a dictionary does, and large battles stay small."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from affray.app.battle import Sampling, ask_battle
from affray.app.sources import Names
from affray.engine.fight.sampled import arrays
from affray.engine.fight.sampled.arrays import Spread

PARTY = Names("fighter,healer,warder,mage", "orc_raider,hedge_raider,shield_sergeant")


@pytest.mark.parametrize("seed", range(5))
def test_a_grid_that_spreads_out_answers_as_a_dictionary(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrays, "MOST_CELLS", 1 << 14)
    rng, grid, asked = Random(seed), Spread(), set[tuple[int, int]]()

    def work_out(row: int, column: int) -> None:
        assert (row, column) not in asked, "once only"
        asked.add((row, column))
        grid.put(row, column, 1 + row * 1000 + column)

    for size in (10, 60, 100, 300, 1000):
        grid.fit(size, size)
        rows, columns = (np.array([rng.randrange(size) for _ in range(200)]) for _ in "ab")
        (found,) = grid.look_up(rows, columns, work_out)
        assert found.tolist() == (1 + rows * 1000 + columns).tolist()
        assert all(grid[row, column] for row, column in asked)
    assert grid[999, 0] in {0, 999_001}
    assert grid.nbytes < 1_000_000


def test_a_party_of_many_conditions_is_fought_to_the_end() -> None:
    """Thousands of views on either side meet in few of all pairs; memory follows those few.

    A place for each pair would take 310 MB.
    """
    view = ask_battle("affinity", PARTY, sampling=Sampling(300, seed=1))
    assert view.n == 300
    assert not view.partial
    assert view.tables["bytes"] < 200_000_000
