"""Odds that are not known exactly: exact bounds where most has ended, else a sample."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from affray.app.advice import search_of
from affray.app.odds import conditions, is_number, remarks_on, told_limit
from affray.app.odds_asked import SHARE, Asked
from affray.app.play import PlayedGame
from affray.app.views.estimates import Between, EstimatedOddsRow, EstimatedOddsView
from affray.core.errors import LimitError
from affray.core.lazy import NamedTuple
from affray.core.node import At, Choice, Facts, Option
from affray.core.showing import percent
from affray.core.system import Field, Objective
from affray.engine.advice.priced import EndedOdds, Played, ended_of, played, share, within
from affray.engine.budget import Budget, Clock, spending
from affray.engine.exchange.best import objective_named, solve
from affray.engine.exchange.flow import Decide
from affray.engine.exchange.odds import fields_named
from affray.engine.fight.sampled.estimate import mean_of

__all__ = ["estimated_odds"]

ENOUGH = 0.5
"""The probability that has to have ended for bounds to say more than a sample."""


class _Asked(NamedTuple):
    """A question for odds, as its game understands it."""

    game: PlayedGame
    goal: Objective[Facts]
    fields: tuple[Field[Facts], ...]
    tests: tuple[tuple[Field[Facts], Callable[[object], bool]], ...]
    given: tuple[str, ...]
    why: str


def estimated_odds(
    given: Asked, clock: Clock, seed: int, looking_s: float | None
) -> EstimatedOddsView:
    """The odds that could not be worked out: bounds where most has ended, else a sample.

    Raises:
        LimitError: somebody asked to stop, or nothing was known in time.
        UnknownNameError, SetupError: fields, conditions or an objective that it can't have.
    """
    system, start = given.game.loaded.game.system, given.game.here.start
    tests = conditions(system, given.given)
    asked = _Asked(
        given.game,
        objective_named(system, given.objective, start),
        fields_named(system, given.names, start),
        tuple((fields_named(system, (name,))[0], test) for name, test in tests.items()),
        given.given,
        given.why,
    )
    return _estimated(asked, clock, seed, looking_s)


def _estimated(
    asked: _Asked, clock: Clock, seed: int, looking_s: float | None
) -> EstimatedOddsView:
    game, met = asked.game.here, dict[str, None]()
    decided, how = _decider(asked, clock, seed, looking_s)

    def decide(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
        met.setdefault(at.step.name)
        return decided(at, choice)

    if how == "solved":
        with spending(clock.part(SHARE)):
            ended = ended_of(game, asked.fields, asked.tests, decide)
        if ended.open < 1 - ENOUGH and ended.chances:
            return _view(asked, ended, None, _policy(asked, tuple(met), how))
    found = played(game, asked.fields, asked.tests, decide, seed=seed, seconds=looking_s)
    return _view(asked, found, seed, _policy(asked, tuple(met), how))


def _decider(asked: _Asked, clock: Clock, seed: int, looking_s: float | None) -> tuple[Decide, str]:
    """Who decides what is open: the solution, if it is there already; else a look-ahead."""
    game = asked.game.here
    solution = solve(game, asked.goal)
    try:
        if solution.value_within(game.start, 0) is not None:
            return solution.decide, "solved"
    except LimitError as limit:
        told_limit(limit)
    search = search_of(game, asked.goal, seed=seed, solves=False)
    part = clock.part(SHARE)
    if looking_s is not None and (part.seconds is None or part.seconds > looking_s):
        part = Budget(seconds=looking_s)
    search.advise(budget=part)
    return search.known_best, "looked"


def _policy(asked: _Asked, met: Sequence[str], how: str) -> str:
    if not met:
        return "nothing was left to decide"
    goal = asked.goal
    by = "" if how == "solved" else ", by looking ahead, not by a solution"
    return f"choices left open are taken for the highest {goal.title}{by}"


def _view(
    asked: _Asked, found: EndedOdds | Played, seed: int | None, policy: str
) -> EstimatedOddsView:
    game, fields = asked.game, asked.fields
    if isinstance(found, EndedOdds):
        settled = float(1 - found.open)
        ended = percent(settled)
        how = f"bounds: {ended} of the probability has ended, each chance lies between them"
        n, seen = 0, list(found.chances)
    else:
        settled = None
        of = "" if found.n == found.plays else f" of {found.plays:,}"
        how = (
            f"estimate: {found.n:,}{of} plays with seed {seed}; intervals hold 95 times in 100; "
            "values that did not come up are not listed"
        )
        n, seen = found.n, list(found.counts)
    return EstimatedOddsView(
        system=game.loaded.game.system.id,
        setup=game.loaded.origin,
        title=game.loaded.title,
        fields=tuple(field.name for field in fields),
        meaning=tuple(field.title for field in fields),
        unit=fields[0].unit if len(fields) == 1 else "",
        given=asked.given,
        known="bounds" if isinstance(found, EndedOdds) else "estimate",
        settled=settled,
        n=n,
        seed=seed,
        rows=_rows(found, seen),
        mean=_mean(found),
        policy=policy,
        why=asked.why,
        how=how,
        remarks=remarks_on(game),
        assumed=game.loaded.assumed,
    )


def _rows(
    found: EndedOdds | Played, seen: Sequence[tuple[object, ...]]
) -> tuple[EstimatedOddsRow, ...]:
    def chance(holds: Callable[[tuple[object, ...]], bool]) -> Between:
        if isinstance(found, Played):
            return Between(*share(found, holds))
        low, high = within(found, holds)
        return Between(None, float(low), float(high))

    if any(len(value) > 1 or not is_number(value[0]) for value in seen):
        return tuple(
            EstimatedOddsRow(
                value[0] if len(value) == 1 else value, chance(value.__eq__), None, None
            )
            for value in sorted(seen, key=repr)
        )
    numbers = sorted(value[0] for value in seen)  # type: ignore[type-var]  # numbers, just seen
    return tuple(
        EstimatedOddsRow(
            number,
            chance(lambda value, number=number: value[0] == number),  # type: ignore[misc]  # default
            chance(lambda value, number=number: value[0] >= number),  # type: ignore[misc]  # default
            chance(lambda value, number=number: value[0] <= number),  # type: ignore[misc]  # default
        )
        for number in numbers
    )


def _mean(found: EndedOdds | Played) -> Between | None:
    """The mean of a numeric field in a sample."""
    if isinstance(found, EndedOdds):
        return None
    numbers = [(value[0], times) for value, times in found.counts.items() if len(value) == 1]
    if len(numbers) < len(found.counts) or not all(is_number(number) for number, _ in numbers):
        return None
    total = squares = 0.0
    for number, times in numbers:
        value = float(number)  # type: ignore[arg-type]  # numbers, just seen
        total += value * times
        squares += value * value * times
    return Between(*mean_of(total, squares, found.n))
