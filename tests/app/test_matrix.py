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
from affray.engine.fight.sampled.workers import can_fork


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


@pytest.mark.parametrize("forks", [can_fork(), pytest.param(False, marks=pytest.mark.slow)])
def test_workers_find_the_same_and_one_tells_of_it(
    forks: bool, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(matrix, "can_fork", lambda: forks)
    budget = Budget(progress=lambda told: print(told.work, flush=True))
    one, two = (Sampling(1, seed=1, workers=workers) for workers in (1, 2))
    found = matrix.ask_matrix("grid-battles", sampling=two, budget=budget)
    assert {*capfd.readouterr().out.split()} == {"pairs"}
    assert found == matrix.ask_matrix("grid-battles", sampling=one)


def test_samples_that_take_too_long_are_not_played_on() -> None:
    with pytest.raises(LimitError, match=r"stopped after 0\.2 seconds"):
        play_samples("empty-earth", Shipped("brockton"), seed=1, samples=1000,
                     budget=Budget(seconds=0.2))  # fmt: skip
