"""Every way to use a rule text gives one answer: played, priced, solved."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import pytest

from affray.app.registry import system_named
from affray.core.errors import LimitError
from affray.core.node import Facts
from affray.core.system import Objective
from affray.engine.budget import Budget, spending
from affray.engine.exchange.best import Solution, objective_named, solve
from affray.engine.exchange.flow import flow
from affray.engine.exchange.game import Game
from affray.engine.exchange.odds import outcomes
from affray.engine.exchange.session import Session
from affray.engine.exchange.sources import Policy, Seeded, drive
from tests.scenarios import PLAYED, SYSTEMS, example

GAMES = 100
SMALL = 1_000
"""Places of an exchange that is solved for every objective."""
PLAYED_ONLY = {("grid-battles", "ford"), ("eclipse-phase", "pack")}
"""Too many places to be solved while tests wait: they are played in other suites."""

SOLVED = [row for row in PLAYED if row not in PLAYED_ONLY]
WANTED = [(name, goal.name) for name in SYSTEMS for goal in system_named(name).objectives]
over_examples = pytest.mark.parametrize(
    ("system", "name"), SOLVED, ids=[f"{system}:{name}" for system, name in SOLVED]
)


@over_examples
def test_play_odds_and_best_agree(system: str, name: str) -> None:
    game = example(system, name).game
    goal = system_named(system).objectives[0]
    solution = solve(game, goal)
    value, spread = _priced(game, goal, solution)
    assert solution.value == value

    # played under the solved policy, it comes near it
    total = 0.0
    for seed in range(GAMES):
        session = drive(Session(game), Policy(solution.decide), Seeded(seed))
        assert session.outcome is not None
        total += float(goal.utility(session.outcome))
    assert abs(total / GAMES - float(value)) <= 5 * spread / sqrt(GAMES) + 1e-9


@pytest.mark.parametrize(("system", "objective"), WANTED)
def test_every_objective_is_worth_what_its_solution_is_priced_at(
    system: str, objective: str
) -> None:
    """In every example that is solved at once."""
    goal = objective_named(system_named(system), objective)
    solved = 0
    for name in [name for one, name in SOLVED if one == system]:
        game = example(system, name).game
        try:
            with spending(Budget(places=SMALL)):
                solution = solve(game, goal)
                assert solution.value == _priced(game, goal, solution)[0]
        except LimitError:
            continue
        solved += 1
    assert solved


def _priced(game: Game, goal: Objective[Facts], solution: Solution) -> tuple[Fraction, float]:
    """What the objective comes to under a solved policy, and its standard deviation."""
    finals = _finals(game, solution)
    assert sum(chance for _, chance in finals) == 1
    worth = [(Fraction(goal.utility(facts)), chance) for facts, chance in finals]
    mean = sum((value * chance for value, chance in worth), Fraction(0))
    return mean, sqrt(sum((value - mean) ** 2 * chance for value, chance in worth))


def _finals(game: Game, solution: Solution) -> list[tuple[Facts, Fraction]]:
    ended = flow(game, solution.decide)
    return [
        (facts, Fraction(weight, total))
        for total, rows in ended.items()
        for facts, weight in rows.items()
    ]


@over_examples
def test_a_joint_distribution_has_the_marginals(system: str, name: str) -> None:
    game = example(system, name).game
    found = system_named(system)
    solution = solve(game, found.objectives[0])
    names = [field.name for field in found.fields[:4]]
    joint = outcomes(game, names, decide=solution.decide)
    assert sum(joint.fractions().values()) == 1
    for place, field in enumerate(names):
        single = outcomes(game, (field,), decide=solution.decide)
        assert single.map(lambda v: v[0]) == joint.map(lambda v, i=place: v[i])  # type: ignore[misc]
