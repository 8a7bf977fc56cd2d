"""Advice at a choice: the value of each option from here on, and which is best."""

from __future__ import annotations

from typing import NamedTuple

from affray.app.play import PlayedGame
from affray.app.views.exchanges import Cost
from affray.core.errors import AnswerError
from affray.engine.budget import Budget, spending
from affray.engine.exchange.best import objective_named, solve

__all__ = ["Advice", "advise"]


class Advice(NamedTuple):
    """Every option of a choice with its value.

    Attributes:
        objective: what is wanted, with its `meaning`.
        wants: "more" or "less" of it: what is best for the one who decides.
        options: in the order in which they are offered.
        best: the name of the best one.
        how: how the values were got, such as "exact".
    """

    objective: str
    meaning: str
    wants: str
    options: tuple[Cost, ...]
    best: str
    how: str = "exact"


def advise(game: PlayedGame, objective: str = "", budget: Budget | None = None) -> Advice:
    """The value of each option of the open choice, if everything after it is decided best.

    Args:
        game: a game that waits for a decision.
        objective: what is wanted; the system's first by default.
        budget: how much it may take.

    Raises:
        AnswerError: nothing is to be decided.
        UnknownNameError: an objective that there is not.
        LimitError: the budget is spent.
    """
    question = game.session.question
    if question is None or not question.options:
        raise AnswerError("nothing is to be decided; advice is for choices")
    start = game.loaded.game
    goal = objective_named(start.system, objective, start.start)
    with spending(budget):
        solution = solve(game.here, goal)
        values = solution.values(game.session.here)
    sign = solution.wish_of(question.actor)[1]
    return Advice(
        goal.name,
        goal.title,
        "more" if sign > 0 else "less",
        tuple(Cost(*value) for value in values),
        next(value.name for value in values if not value.cost),
    )
