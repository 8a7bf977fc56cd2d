"""The best options of an exchange, from its start or from where answers lead."""

from __future__ import annotations

from fractions import Fraction

from affray.app.odds import remarks_on
from affray.app.play import PlayedGame, begin, play_script
from affray.app.sources import AS_WRITTEN, NO_ANSWERS, Answers, Changes, Source
from affray.app.views.exchanges import BestView, Cost, DecisionRow, SituationRow
from affray.app.views.policy_words import in_words
from affray.core.node import Choice
from affray.engine.budget import Budget, spending
from affray.engine.exchange.best import Solution, Valued, objective_named, solve
from affray.engine.exchange.decisions import decisions
from affray.engine.exchange.session import Session

__all__ = ["ask_best"]


def ask_best(
    system_name: str,
    source: Source,
    *,
    objective: str = "",
    threshold: Fraction | int = 0,
    changes: Changes = AS_WRITTEN,
    answers: Answers = NO_ANSWERS,
    budget: Budget | None = None,
) -> BestView:
    """The best option at every choice that is met from here on.

    Args:
        system_name: id of a system.
        source: a setup or a saved game.
        objective: what is wanted; the system's first by default.
        threshold: a point of a limited resource is spent only where it gains more than this.
        changes: what holds instead of what the setup says.
        answers: given first; their choices are judged.
        budget: how much it may take.

    Raises:
        LimitError: the budget is spent.
        UnknownNameError, InputError, SetupError, AnswerError: as for `affray.app.play.begin`.
    """
    with spending(budget):
        game = play_script(begin(system_name, source, changes), answers)
        return _best(game, objective, Fraction(threshold))


def _best(game: PlayedGame, objective: str, threshold: Fraction) -> BestView:
    left, system = game.here, game.loaded.game.system
    goal = objective_named(system, objective, left.start)
    solution = solve(left, goal, threshold=threshold)
    rows = tuple(
        DecisionRow(
            decision.step,
            decision.actor,
            decision.ask,
            decision.clauses,
            in_words(decision),
            tuple(Cost(*option) for option in decision.always),
            tuple(
                SituationRow(s.about, s.best, s.chance, tuple(Cost(*o) for o in s.options))
                for s in decision.situations
            ),
            decision.more,
        )
        for decision in decisions(solution)
    )
    return BestView(
        system=system.id,
        setup=game.loaded.origin,
        title=game.loaded.title,
        objective=goal.name,
        meaning=goal.title,
        threshold=threshold,
        value=solution.value,
        decisions=rows,
        remarks=remarks_on(game),
        assumed=game.loaded.assumed,
        regrets=_regrets(game.session, solve(game.loaded.game, goal, threshold=threshold)),
    )


def _regrets(session: Session, solution: Solution) -> tuple[tuple[str, Cost], ...]:
    """The cost of each choice that was made, against the best one."""
    rows = []
    for entry in session.entries:
        if entry.asked and isinstance(entry.node, Choice) and entry.answer is not None:
            valued: tuple[Valued, ...] = solution.values(entry.at)
            taken = next(v for v in valued if v.name == entry.answer.option)
            rows.append((entry.at.step.name, Cost(*taken)))
    return tuple(rows)
