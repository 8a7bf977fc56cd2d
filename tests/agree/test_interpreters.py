"""Every way to use a rule text gives one answer: played, priced, solved."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import pytest

from affray.app.registry import system_named
from affray.core.errors import AnswerError, SetupError
from affray.core.node import Facts
from affray.engine.best import Solution, solve
from affray.engine.flow import flow
from affray.engine.game import Game
from affray.engine.odds import outcomes
from affray.engine.play import Policy, Seeded, Session, drive
from tests.scenarios import EXAMPLES, example

GAMES = 400
PLAYED_ONLY = {("grid-battles", "ford")}
"""Whole games with millions of places: they are played in other suites, never solved."""

SOLVED = [row for row in EXAMPLES if row not in PLAYED_ONLY]
over_examples = pytest.mark.parametrize(
    ("system", "name"), SOLVED, ids=[f"{system}:{name}" for system, name in SOLVED]
)


@over_examples
def test_play_odds_and_best_agree(system: str, name: str) -> None:
    try:
        game = example(system, name).game
        Session(game)
    except (AnswerError, SetupError):
        return
    found = system_named(system)
    goal = found.objectives[0]
    solution = solve(game, goal)
    value = solution.value

    # priced under the solved policy, the objective has the solved value
    finals = _finals(game, solution)
    assert sum(chance for _, chance in finals) == 1
    priced = sum((Fraction(goal.utility(facts)) * chance for facts, chance in finals), Fraction(0))
    assert priced == value

    # played under the solved policy, it comes near it
    total = squares = 0.0
    for seed in range(GAMES):
        session = drive(Session(game), Policy(solution.decide), Seeded(seed))
        assert session.outcome is not None
        worth = float(goal.utility(session.outcome))
        total, squares = total + worth, squares + worth * worth
    mean = total / GAMES
    spread = sqrt(max(0.0, squares / GAMES - mean * mean) / GAMES)
    assert abs(mean - float(value)) <= 5 * spread + 5 / GAMES


def _finals(game: Game, solution: Solution) -> list[tuple[Facts, Fraction]]:
    ended = flow(game, solution.decide)
    return [
        (facts, Fraction(weight, total))
        for total, rows in ended.items()
        for facts, weight in rows.items()
    ]


@over_examples
def test_a_joint_distribution_has_the_marginals(system: str, name: str) -> None:
    try:
        game = example(system, name).game
        Session(game)
    except (AnswerError, SetupError):
        return
    found = system_named(system)
    solution = solve(game, found.objectives[0])
    names = [field.name for field in found.fields[:4]]
    joint = outcomes(game, names, decide=solution.decide)
    assert sum(joint.fractions().values()) == 1
    for place, field in enumerate(names):
        single = outcomes(game, (field,), decide=solution.decide)
        assert single.map(lambda v: v[0]) == joint.map(lambda v, i=place: v[i])  # type: ignore[misc]
