"""Kernels: kept tables answer as fresh ones do, and the vector form of a step is its rule."""

from __future__ import annotations

import pytest

from affray.core.node import At, fill
from affray.engine.exchange.best import solve
from affray.engine.exchange.keeping import forget_kernels, kernel_of
from affray.engine.exchange.odds import outcomes
from affray.engine.exchange.session import Session
from affray.testing.material import random_session
from tests.scenarios import EXAMPLES, example, of

QUICK = [pair for pair in EXAMPLES if pair[1] in {"jinx-decides", "two-targets", "o5d", "w2"}]


@pytest.mark.parametrize(("system", "name"), QUICK, ids=[f"{s}:{n}" for s, n in QUICK])
def test_a_kept_kernel_answers_as_a_fresh_one(system: str, name: str) -> None:
    game = example(system, name).game
    fresh = {}
    for goal in game.system.objectives:
        forget_kernels()
        fresh[goal.name] = solve(game, goal).value
    kept = {goal.name: solve(game, goal).value for goal in game.system.objectives}
    assert kept == fresh


def test_kept_ends_answer_as_fresh_ones() -> None:
    game = example("eclipse-phase", "jinx-shoots").game.settle({"spend_after_attack": ("none",)})
    forget_kernels()
    fresh = outcomes(game, ("net", "wounds"))
    assert outcomes(game, ("net", "wounds")) == fresh
    given = {"hit": lambda value: value is True}
    forget_kernels()
    fresh = outcomes(game, ("net",), given=given)
    assert outcomes(game, ("net",), given=given) == fresh


def test_different_settled_choices_have_different_kernels() -> None:
    game = example("eclipse-phase", "jinx-decides").game
    other = game.settle({"choose_fire": ("damage",)})
    assert kernel_of(game) is kernel_of(game)
    assert kernel_of(game) is not kernel_of(other)


def test_places_come_after_what_they_lead_to() -> None:
    game = example("eclipse-phase", "jinx-decides").game
    kernel = kernel_of(game)
    kernel.number(game.start, 1_000_000)
    for number, place in enumerate(kernel.entries):
        assert all(below < number for below in place.to)


ALIKE = [(system, name) for system, name in EXAMPLES if of(system).hints.alike]


def test_a_system_says_which_values_are_alike() -> None:
    assert ALIKE


@pytest.mark.parametrize(("system", "name"), ALIKE, ids=[f"{s}:{n}" for s, n in ALIKE])
def test_a_step_says_the_same_for_values_that_are_alike(system: str, name: str) -> None:
    """Every such step, at every place where examples meet it, for all values met."""
    hinted = of(system).hints.alike
    try:
        game = example(system, name).game
        Session(game)
    except ValueError:
        return
    met: dict[At[tuple[object, ...]], set[object]] = {}
    for seed in range(12):
        *_, last = random_session(game, seed)
        for entry in last.steps_taken:
            alike = hinted.get(entry.at.step)
            if alike is not None:
                blank = fill(entry.at, alike.field, ())
                met.setdefault(blank, set()).add(getattr(entry.at.facts, alike.field))
    for blank, values in met.items():
        alike = hinted[blank.step]
        ordered = sorted(values, key=repr)
        said: dict[object, object] = {}
        for value, key in zip(ordered, alike.keys(blank.facts, ordered), strict=True):
            node = blank.step.rule(fill(blank, alike.field, value).facts)
            assert said.setdefault(key, node) == node
