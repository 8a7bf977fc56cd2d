"""The matrix of a roster and samples of a battle: what a budget leaves of them."""

from __future__ import annotations

from typing import Any

import pytest

from affray.app import matrix
from affray.app.battle import Sampling
from affray.app.samples import play_samples
from affray.app.sources import Shipped
from affray.app.views.fights import CellRow
from affray.core.errors import LimitError
from affray.engine.budget import Budget


def test_all_pairs_give_the_cells_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[object] = []
    real = matrix._cell

    def counted(*given: Any) -> CellRow:
        done.append(given)
        return real(*given)

    monkeypatch.setattr(matrix, "_cell", counted)
    sampling = Sampling(20, seed=1)
    budget = Budget(stop=lambda: len(done) > 2)
    view = matrix.ask_matrix("empty-earth", sampling=sampling, budget=budget)
    assert (view.partial, view.stopped_by) == (True, "interrupted")
    assert 2 <= len({*map(frozenset, ((cell.row, cell.column) for cell in view.cells))}) <= 3
    with pytest.raises(LimitError, match="stopped after 0 seconds, before the first of"):
        matrix.ask_matrix("empty-earth", sampling=sampling, budget=Budget(seconds=0.0))


def test_samples_that_take_too_long_are_not_played_on() -> None:
    with pytest.raises(LimitError, match=r"stopped after 0\.2 seconds"):
        play_samples("empty-earth", Shipped("brockton"), seed=1, samples=1000,
                     budget=Budget(seconds=0.2))  # fmt: skip
