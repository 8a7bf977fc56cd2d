"""Advice at the decision that a game waits for: exact where that is quick, else an estimate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import isinf
from typing import TYPE_CHECKING, Literal

from affray.app.odds import remarks_on
from affray.app.play import PlayedGame
from affray.app.views.advice import (
    AdviceView,
    AdvisedRow,
    BoundedRow,
    Certain,
    EstimatedRow,
    Known,
)
from affray.core.errors import AnswerError
from affray.core.lazy import NamedTuple
from affray.core.node import Choice, Facts
from affray.core.system import Objective
from affray.engine.advice.bounding import BoundedOption, Bounds
from affray.engine.advice.records import Advice, Weighed, are_most
from affray.engine.advice.search import Search, guides_for
from affray.engine.budget import Budget
from affray.engine.exchange.best import objective_named
from affray.engine.exchange.game import Game

if TYPE_CHECKING:
    from affray.app.fight import Fight

__all__ = [
    "SECONDS", "advise", "advise_exchange", "alike_told", "between", "certain_row",
    "estimated_row", "how_known", "known_of", "search_of", "taking",
]  # fmt: skip

SECONDS = 2.0
"""The seconds that advice takes at most, unless it is told otherwise."""


def search_of(
    game: Game,
    objective: Objective[Facts],
    *,
    seed: int = 0,
    threshold: Fraction | int = 0,
    solves: bool = True,
) -> Search:
    """The look-ahead in a game, guided by whatever else its sides may want."""
    guides = guides_for(game, objective)
    return Search(game, objective, seed=seed, guides=guides, threshold=threshold, solves=solves)


def advise(
    game: PlayedGame,
    objective: str = "",
    budget: Budget | None = None,
    *,
    threshold: Fraction | int = 0,
    seed: int = 0,
) -> AdviceView:
    """What to do at the decision that a game waits for, and what each option is worth.

    What can be worked out exactly within the budget is. Else the view is an estimate, with
    intervals; it gets better with more seconds.

    Args:
        game: a game that waits for a decision.
        objective: what is wanted; the first that fits by default.
        budget: how much it may take; two seconds by default.
        threshold: a point of a limited resource is spent only where it gains more than this.
        seed: of the looks ahead.

    >>> from affray.app.play import PlayedGame
    >>> from affray.app.sources import Shipped
    >>> game = PlayedGame.begin("eclipse-phase", Shipped("jinx-shoots")).answer([96])
    >>> view = advise(game, "hit")
    >>> view.best, view.known, view.value
    ('flip', 'exact', 0.97)

    Raises:
        AnswerError: nothing is to be decided.
        UnknownNameError: an unknown objective.
        LimitError: the budget was spent before anything was known.
    """
    question = game.session.question
    if question is not None and question.dice is not None:
        raise AnswerError("this is a roll, nothing to choose: type the faces, or r to roll")
    if question is None or not question.options:
        raise AnswerError("nothing is to be decided; advice is for choices")
    loaded = game.loaded
    goal = objective_named(loaded.game.system, objective, loaded.game.start)
    search = search_of(loaded.game, goal, seed=seed, threshold=threshold)
    found = search.advise(game.session.here, budget=budget or Budget(seconds=SECONDS))
    return advice_view(game, goal, found)


def advise_exchange(
    fight: Fight, objective: str = "", budget: Budget | None = None, *, seed: int = 0
) -> AdviceView:
    """The same for the exchange that goes on in a fight, as if nothing came after it.

    Args:
        fight: a fight that waits for a decision in an exchange.
        objective: what is wanted; the fight's by default.
        budget: how much it may take; two seconds by default.
        seed: of the looks ahead.

    Raises:
        AnswerError: no exchange goes on, or nothing is to be decided in it.
        UnknownNameError: an unknown objective.
        LimitError: the budget was spent before anything was known.
    """
    exchange = fight.session.exchange
    question = None if exchange is None else exchange.question
    if exchange is None or question is None or not question.options:
        raise AnswerError("nothing is to be decided in an exchange; advice is for choices")
    game, contest = exchange.game, fight.session.contest
    goal = objective_named(game.system, objective, game.start) if objective else contest.objective
    search = search_of(game, goal, seed=seed)
    found = search.advise(exchange.here, budget=budget or Budget(seconds=SECONDS))
    loaded = fight.loaded
    origin = _Origin(loaded.origin, loaded.title, question.ask, fight.remarks, loaded.gaps)
    view = _view(found, goal, game.system.id, origin)
    shown = {option.name for option in fight.asked.options} if fight.asked else set()
    rows = tuple(row for row in view.options if row.name in shown)
    best = view.best if view.best in shown else _best_of(rows, view.wants)
    return replace(view, options=rows, best=best)


def _best_of(rows: tuple[AdvisedRow, ...], wants: Literal["more", "less"]) -> str:
    """The best of some options, where the best of all stands apart from the exchange."""
    known = {row.name: row.value for row in rows if row.value is not None}
    return (max if wants == "more" else min)(known, key=known.__getitem__) if known else ""


def advice_view(game: PlayedGame, goal: Objective[Facts], found: Advice) -> AdviceView:
    """What a look-ahead found, as a view."""
    loaded, question = game.loaded, game.session.question
    ask = "" if question is None else question.ask
    origin = _Origin(loaded.origin, loaded.title, ask, remarks_on(game), loaded.assumed)
    return _view(found, goal, loaded.game.system.id, origin)


class _Origin(NamedTuple):
    """Where a decision comes from, and what is asked."""

    setup: str
    title: str
    ask: str
    remarks: tuple[str, ...]
    assumed: tuple[str, ...]


def _view(found: Advice, goal: Objective[Facts], system: str, origin: _Origin) -> AdviceView:
    node = found.at.step.rule(found.at.facts)
    spends = {o.name: o.spends for o in node.options} if isinstance(node, Choice) else {}
    wants: Literal["more", "less"] = "more" if found.sign > 0 else "less"
    return AdviceView(
        system=system,
        setup=origin.setup,
        title=origin.title,
        objective=goal.name,
        meaning=goal.title,
        actor=found.actor,
        wants=wants,
        ask=origin.ask,
        step=found.at.step.name,
        clauses=found.at.step.clauses,
        known=known_of(found),
        best=found.best,
        value=found.value,
        low=found.low,
        high=found.high,
        fraction=found.exact,
        options=tuple(_row(option, found, spends.get(option.name, 0)) for option in found.options),
        looks=found.looks,
        seed=found.seed,
        stopped_by=found.stopped_by,
        how=how_known(found),
        remarks=origin.remarks,
        assumed=origin.assumed,
        by=found.by,
        alike=found.alike,
    )


def estimated_row(found: Advice, reached: float) -> EstimatedRow:
    """The advice at a choice as one of several."""
    node = found.at.step.rule(found.at.facts)
    assert isinstance(node, Choice)  # advice with options is at a choice
    spends = {option.name: option.spends for option in node.options}
    return EstimatedRow(
        found.at.step.name,
        found.actor,
        "more" if found.sign > 0 else "less",
        node.ask,
        found.at.step.clauses,
        node.about,
        reached,
        found.best,
        tuple(_row(option, found, spends[option.name]) for option in found.options),
    )


def certain_row(found: Bounds) -> Certain:
    """What is certain, as part of a view."""
    return Certain(
        _finite(found.low),
        _finite(found.high),
        tuple(BoundedRow(row.name, _finite(row.low), _finite(row.high)) for row in found.options),
        found.best,
    )


def _finite(number: float) -> float | None:
    return None if isinf(number) else number


def taking(found: Advice, name: str) -> Advice:
    """The same advice with another option to take."""
    option = next(option for option in found.options if option.name == name)
    if option.value is None or option.low is None or option.high is None:
        return found._replace(best=name)
    return found._replace(best=name, value=option.value, low=option.low, high=option.high)


def between(found: Advice, certain: Bounds) -> Advice:
    """The same advice, nothing of it outside of what is certain."""
    least, most = certain.low, certain.high
    value, low, high = (min(max(n, least), most) for n in (found.value, found.low, found.high))
    found = found._replace(value=value, low=low, high=high)
    if found.at != certain.at:
        return found
    bounds = {row.name: row for row in certain.options}
    return found._replace(
        options=tuple(_between(option, bounds[option.name]) for option in found.options)
    )


def _between(option: Weighed, bounds: BoundedOption) -> Weighed:
    value, low, high = (
        None if end is None else min(max(end, bounds.low), bounds.high)
        for end in (option.value, option.low, option.high)
    )
    return option._replace(value=value, low=low, high=high)


def known_of(found: Advice) -> Known:
    """Whether advice is exact or an estimate."""
    return "estimate" if found.exact is None else "exact"


def _row(option: Weighed, found: Advice, spends: int) -> AdvisedRow:
    known: Known | Literal[""] = "" if option.value is None else "estimate"
    cost: Fraction | float | None = None
    if option.exact is not None and found.exact is not None:
        cost = found.sign * (found.exact - option.exact)
    elif option.value is not None:
        cost = found.sign * (found.value - option.value)
    return AdvisedRow(
        option.name, option.words, spends, "exact" if option.exact is not None else known,
        option.value, option.low, option.high, option.exact, cost, option.visits,
    )  # fmt: skip


def how_known(found: Advice) -> str:
    """How the numbers of a look-ahead are known, in a sentence."""
    if found.exact is not None:
        return "exact"
    looks = "1 look-ahead" if found.looks == 1 else f"{found.looks:,} look-aheads"
    return (
        f"estimate: {looks} with seed {found.seed}, not solved; the 95 % "
        "intervals hold for the play in them, which comes closer to best play the more there are"
        f"{alike_told(found.alike, found.options, found.best, found.by)}"
    )


def alike_told(alike: Sequence[str], options: Sequence[object], best: str, by: str) -> str:
    """Says so where most other options may be as good as the best; else ""."""
    if not are_most(alike, options):
        return ""
    others = len(options) - 1
    told = f"{len(alike)} of {others} other options" if others > 1 else "the other option"
    why = f"; the rule of thumb prefers {best}" if by == "rule of thumb" else ""
    return f"; {told} may be as good{why}"
