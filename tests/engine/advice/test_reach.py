"""What is too large to be solved is known soon, and nothing else is refused."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterator
from time import thread_time

import pytest

from affray.app.inputs.tables import examples
from affray.app.play import PlayedGame
from affray.app.registry import system_ids, system_named
from affray.app.sources import Shipped
from affray.core.errors import LimitError
from affray.engine.advice.reach import growth_from, solve_within_reach
from affray.engine.budget import Budget, spending
from affray.engine.exchange.best import Solution, objective_named, solve
from tests.engine.toy import DAMAGE, duel, wish

TOO_LARGE = {"ford", "breakout"}
"""Whole games of several rounds, the only examples that nobody solves."""


def solution_of(system_name: str, example: str) -> Solution:
    game = PlayedGame.begin(system_name, Shipped(example)).loaded.game
    return solve(game, objective_named(game.system, "", game.start))


@pytest.mark.parametrize("name", system_ids())
def test_no_example_that_can_be_solved_looks_too_large(name: str) -> None:
    for example, raw in examples(system_named(name)).items():
        if "refused" in repr(raw) or example in TOO_LARGE:
            continue
        solution = solution_of(name, example)
        growth = growth_from(solution, solution.game.start)
        assert growth.foreseen < 1_000_000, (example, growth)


@pytest.fixture
def _nothing_left_behind() -> Iterator[None]:
    """What other tests left in memory is not gone through by the collector meanwhile."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("_nothing_left_behind")
def test_a_game_of_many_rounds_is_refused_within_two_seconds() -> None:
    solution = solution_of("grid-battles", "ford")
    began = thread_time()
    with (
        pytest.raises(LimitError, match="too large to be solved") as error,
        spending(Budget(seconds=45)),
    ):
        solve_within_reach(solution, solution.game.start)
    assert thread_time() - began < 2
    assert error.value.limit == "growth"
    assert "Settle more choices beforehand" in str(error.value)


def test_counted_places_are_places_of_the_game() -> None:
    """Of the small map all places are known: its choices alone, under one throw, are fewer."""
    solution = solution_of("grid-battles", "chase")
    growth = growth_from(solution, solution.game.start)
    solution.value_at(solution.game.start)
    assert growth.levels[:2] == (1, 2), "either of two units is activated"
    assert sum(growth.levels) < solution.followed


def test_what_is_small_is_solved_and_the_rest_is_bounded_by_places() -> None:
    solution = solve(duel(1, points=1), wish(DAMAGE))
    solve_within_reach(solution, solution.game.start)
    assert solution.followed > 0
    large = solution_of("grid-battles", "chase")
    with pytest.raises(LimitError, match="over 500 places"), spending(Budget(places=500)):
        solve_within_reach(large, large.game.start)


def test_who_asks_to_stop_is_heard() -> None:
    solution = solution_of("grid-battles", "ford")
    with (
        pytest.raises(LimitError, match="interrupted") as error,
        spending(Budget(stop=lambda: True)),
    ):
        solve_within_reach(solution, solution.game.start)
    assert error.value.limit == "interrupted"


def test_advice_works_where_nobody_counts_the_time_of_a_thread() -> None:
    """Some platforms lack `time.thread_time`."""
    script = """
import time
del time.thread_time
from affray.app.advice import advise
from affray.app.play import PlayedGame
from affray.app.sources import Shipped
game = PlayedGame.begin("eclipse-phase", Shipped("jinx-shoots")).answer([96])
print(advise(game, "hit").best)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "flip"
