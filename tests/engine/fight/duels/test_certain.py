"""Bounds of a duel hold what it comes to, however soon they are broken off."""

from __future__ import annotations

from fractions import Fraction

import pytest

from affray.core.errors import LimitError
from affray.engine.budget import Budget
from affray.engine.fight.course import First, Verdict
from affray.engine.fight.duels.certain import CertainDuel, certain_of
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.exact import solve_exactly
from tests import fight_systems as games
from tests.engine.fight.duels.test_exact import CASES, GAMES, ONE, OTHER, Game

VERDICTS: tuple[Verdict, ...] = ("one", "other", "drawn", "ended")


def holds(found: CertainDuel, chances: tuple[Fraction, ...]) -> None:
    for verdict, chance in zip(VERDICTS, chances, strict=True):
        least, most = found.between[verdict]
        assert least <= chance <= most


@pytest.mark.parametrize(
    ("game", "first"), CASES, ids=[f"{game.name}-{first}" for game, first in CASES]
)
@pytest.mark.parametrize("states", [0, 5, 40])
def test_bounds_hold_what_it_comes_to_in_fractions(
    game: Game, first: First | None, states: int
) -> None:
    exact = solve_exactly(game.contest(first))
    found = certain_of(game.contest(first), budget=Budget(pairs=states))
    assert found.states <= states
    holds(found, (*exact.won, exact.drawn, exact.ended))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_without_a_limit_only_what_never_ends_is_open(game: Game) -> None:
    first = game.firsts[0]
    exact, found = solve_exactly(game.contest(first)), certain_of(game.contest(first))
    assert found.open == pytest.approx(float(exact.endless), abs=1e-9)
    assert found.stopped_by == ""
    whole = (*exact.won, exact.drawn, exact.ended)
    for verdict, chance in zip(VERDICTS, whole, strict=True):
        assert found.between[verdict][0] == pytest.approx(float(chance), abs=1e-9)


@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_a_fight_that_is_called_off_stalls(rounds: int) -> None:
    contest = games.contest(games.slugging, ONE, OTHER, "one")
    called_off, found = Duel(contest).solve(rounds), certain_of(contest, rounds=rounds)
    assert found.open < 1e-9
    assert found.between["stalled"][0] == pytest.approx(called_off.stalled, abs=1e-9)
    assert found.between["one"][0] == pytest.approx(called_off.won[0], abs=1e-9)


def test_half_the_states_leave_some_open_and_settle_some() -> None:
    contest = games.contest(games.slugging, ONE, OTHER, "one")
    whole = certain_of(contest)
    found = certain_of(contest, budget=Budget(pairs=whole.states // 2))
    assert found.stopped_by == "pairs"
    assert 0 < found.open < 1
    assert sum(least for least, _ in found.between.values()) + found.open == pytest.approx(1)


def test_who_asks_to_stop_is_heard() -> None:
    contest = games.contest(games.slugging, ONE, OTHER, "one")
    with pytest.raises(LimitError) as error:
        certain_of(contest, budget=Budget(stop=lambda: True))
    assert error.value.limit == "interrupted"
