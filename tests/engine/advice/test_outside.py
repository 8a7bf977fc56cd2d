"""Look-ahead needs nothing from a system but its steps: it holds for one of another package."""

from __future__ import annotations

from typing import cast

import pytest

from affray.app.inputs.setups import load_raw
from affray.core.node import Facts
from affray.core.system import System
from affray.engine.advice.search import Search, guides_for
from affray.engine.budget import Budget
from affray.engine.exchange.best import objective_named, solve
from tests.outside.brawl import SYSTEM

BRAWL = cast("System[Facts]", SYSTEM)


@pytest.mark.parametrize("small", [0, 100])
def test_its_value_is_near_the_solution_and_its_advice_best(small: int) -> None:
    """A die of six that may be rolled again: what is below four is, for 4.25 on the mean."""
    game = load_raw(BRAWL, {}, "a blow").game
    goal = objective_named(BRAWL, "", game.start)
    exact = solve(game, goal)
    search = Search(game, goal, seed=1, small=small, guides=guides_for(game, goal))
    advice = search.advise(budget=Budget(places=20_000))
    if small:
        assert advice.exact == exact.value
    else:
        assert advice.exact is None
        assert advice.low - 0.05 < exact.value < advice.high + 0.05
    for one in [one for one in search.met(6) if one.looks > 100]:
        costs = {row.name: row.cost for row in exact.values(one.at)}
        assert costs[one.best] <= 0.5, one
