"""Every way to use a rule text gives one answer: played, priced, solved; and solved is best."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from math import sqrt
from typing import Any

from affray.core.actor import role_of
from affray.core.errors import LimitError
from affray.core.lazy import NamedTuple
from affray.core.node import At, Choice, Facts, Option
from affray.core.system import Objective
from affray.engine.budget import Budget, spending
from affray.engine.exchange.best import Solution, solve
from affray.engine.exchange.flow import Decide, flow
from affray.engine.exchange.game import Game, settled_option
from affray.engine.exchange.odds import outcomes
from affray.engine.exchange.session import Session
from affray.engine.exchange.sources import Policy, Seeded, drive
from affray.testing.law import Law, Skip, law
from affray.testing.material import Material

__all__ = ["LAWS"]

GAMES = 100
USUAL = 60_000
"""Places of an exchange that is solved; larger ones are left out."""
SMALL = 1_000
"""Places of an exchange that is solved for every objective."""
POLICIES = 3
MANY = 100
"""Where more than so many decisions are made at random, one policy of a side will do."""
_PURE = (
    "Interpreters differ where a rule is not pure, a hint is wrong, or facts that are equal are "
    "not alike; run the suites `places` and `hints` first."
)


Ends = Mapping[int, Mapping[Facts, int]]
"""The ends of an exchange, with their weights out of each total."""


class Solved(NamedTuple):
    """An example, its objective, and the solution for it."""

    game: Game
    goal: Objective[Facts]
    solution: Solution


@contextmanager
def _up_to(places: int) -> Iterator[None]:
    """Skip a case that has more places than this."""
    try:
        with spending(Budget(places=places)):
            yield
    except LimitError as error:
        if error.limit != "places":
            raise
        raise Skip from None


@contextmanager
def _priced(material: Material, name: str, places: int = USUAL) -> Iterator[None]:
    """Skip an example with more places at once if it was found to have them before."""
    key = ("too large", name)
    if material.kept.get(key, 0) >= places:
        raise Skip
    try:
        with _up_to(places):
            yield
    except Skip:
        material.kept[key] = places
        raise


def _solved(material: Material, name: str) -> Solved:
    """An example solved for the system's first objective; call it within a budget."""
    key = ("solved", name)
    if key not in material.kept:
        game, goal = material.loaded(name).game, material.system.objectives[0]
        material.kept[key] = Solved(game, goal, solve(game, goal))
    found: Solved = material.kept[key]
    return found


def _ends(material: Material, name: str, decide: Decide) -> Ends:
    """The ends of an example under a policy; where nothing is to decide, all have the same ones."""
    key = ("ends", name)
    if key in material.kept:
        found: Ends = material.kept[key]
        return found
    asked = False

    def decided(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
        nonlocal asked
        asked = True
        return decide(at, choice)

    ends = flow(material.loaded(name).game, decided)
    if not asked and sum(map(len, ends.values())) <= SMALL:
        material.kept[key] = ends
    return ends


def _mean(ends: Ends, goal: Objective[Facts]) -> tuple[Fraction, float, Fraction]:
    """The mean of the objective at some ends, its standard deviation, and all chances."""
    chances: dict[Fraction, Fraction] = {}
    for total, rows in ends.items():
        weights: dict[Any, int] = {}
        for facts, weight in rows.items():
            worth = goal.utility(facts)
            weights[worth] = weights.get(worth, 0) + weight
        for worth, weight in weights.items():
            value = Fraction(worth)
            chances[value] = chances.get(value, Fraction(0)) + Fraction(weight, total)
    mean = sum((value * chance for value, chance in chances.items()), Fraction(0))
    spread = sum((value - mean) ** 2 * chance for value, chance in chances.items())
    return mean, sqrt(spread), sum(chances.values(), Fraction(0))


@law("agreement", _PURE, over=Material.played)
def play_odds_and_best_agree(material: Material, name: str) -> Iterator[str]:
    """An exchange is worth the same solved, priced and played."""
    with _priced(material, name):
        game, goal, solution = _solved(material, name)
        ends = _ends(material, name, solution.decide)
        mean, spread, whole = _mean(ends, goal)
        if whole != 1:
            yield f"chances sum to {whole}"
        if solution.value != mean:
            yield f"{goal.name} is worth {solution.value} when solved, and {mean} when priced"
        total, begun = 0.0, Session(game)
        for seed in range(GAMES):
            session = drive(begun, Policy(solution.decide), Seeded(seed))
            outcome = session.outcome
            if outcome is None:
                yield f"played by its best policy it waits for {session.question}"
                return
            if not any(outcome in rows for rows in ends.values()):
                yield f"with seed {seed} it is played to an end that has no chance"
                return
            total += float(goal.utility(outcome))
        if abs(total / GAMES - float(mean)) > 5 * spread / sqrt(GAMES) + 1e-9:
            yield (
                f"{goal.name} comes to {total / GAMES:g} in {GAMES} plays, and to {float(mean):g} "
                f"when priced, with a standard deviation of {spread:g}"
            )


@law("agreement", _PURE, over=Material.played)
def every_objective_is_worth_what_it_is_priced_at(material: Material, name: str) -> Iterator[str]:
    """A solution promises the value at which its policy is priced, whatever the objective."""
    with _priced(material, name, SMALL):
        game = material.loaded(name).game
        for goal in material.system.objectives[1:]:  # the first is solved by other laws
            solution = solve(game, goal)
            mean, _, _ = _mean(_ends(material, name, solution.decide), goal)
            if solution.value != mean:
                yield f"{goal.name} is worth {solution.value} when solved, {mean} when priced"


@law("agreement", "A field must be a function of the final facts alone.", over=Material.played)
def joint_odds_have_the_marginals(material: Material, name: str) -> Iterator[str]:
    """The joint odds of several fields agree with the odds of each."""
    with _priced(material, name):
        game, _, solution = _solved(material, name)
        names = [field.name for field in material.system.fields[:4]]
        joint = outcomes(game, names, decide=solution.decide)
        if sum(joint.fractions().values()) != 1:
            yield f"the joint odds of {', '.join(names)} don't sum to one"
        for place, field in enumerate(names):
            single = outcomes(game, (field,), decide=solution.decide)
            if single.map(lambda v: v[0]) != joint.map(lambda v, i=place: v[i]):  # type: ignore[misc]
                yield f"{field} has other odds by itself than together with {', '.join(names)}"


@law("agreement", _PURE, over=Material.played)
def best_is_at_least_every_other_policy(material: Material, name: str) -> Iterator[str]:
    """No policy that takes options at random is better than the best one, for whoever decides.

    Everybody else keeps to the solution: those who share the wish can't do better, those who
    are against it can't push it lower.
    """
    with _priced(material, name):
        _, goal, solution = _solved(material, name)
        for friends in (True, False):
            for seed in range(POLICIES):
                decided: Counter[str] = Counter()
                decide = _at_random(solution, goal, decided, friends=friends, seed=f"{name} {seed}")
                mean, _, _ = _mean(_ends(material, name, decide), goal)
                if mean > solution.value if friends else mean < solution.value:
                    yield (
                        f"{goal.name} is worth {solution.value} at best, but options at random for "
                        f"{'those who want it' if friends else 'those against it'} come to {mean}"
                    )
                    return
                if not decided or decided.total() > MANY:  # another changes nothing, or takes long
                    break


def _at_random(
    solution: Solution, goal: Objective[Facts], decided: Counter[str], *, friends: bool, seed: str
) -> Decide:
    """The solution's policy, but one side decides at random, the same where it sees the same.

    Steps at which it does are counted in `decided`.
    """

    def decide(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
        wants = role_of(choice.actor) == goal.actor
        if wants != friends or settled_option(solution.game, at, choice) is not None:
            return solution.decide(at, choice)
        decided[at.step.name] += 1
        names = ",".join(option.name for option in choice.options)
        return random.Random(f"{seed} {at.step.name} {choice.about} {names}").choice(choice.options)

    return decide


LAWS: tuple[Law, ...] = (
    play_odds_and_best_agree,
    every_objective_is_worth_what_it_is_priced_at,
    joint_odds_have_the_marginals,
    best_is_at_least_every_other_policy,
)
