"""The best options of an exchange, from its start or from where answers lead.

`ask_best` solves, or says soon that it can't; `best_within` then bounds what it can, looks ahead,
and estimates.
"""

from __future__ import annotations

from fractions import Fraction

from affray.app.advice import (
    between,
    certain_row,
    estimated_row,
    how_known,
    known_of,
    search_of,
    taking,
)
from affray.app.fight_advice import best_in_fight
from affray.app.files import saved_fights
from affray.app.inputs.tables import fight_examples
from affray.app.inputs.whole_games import whole_game
from affray.app.notes import with_notes
from affray.app.odds import remarks_on, told_limit
from affray.app.play import PlayedGame, play_script
from affray.app.registry import system_named
from affray.app.sources import AS_WRITTEN, NO_ANSWERS, Answers, Changes, Source, Table
from affray.app.views.advice import AdviceView, EstimatedBestView
from affray.app.views.exchanges import BestView, Cost, DecisionRow, SituationRow
from affray.app.views.policy_words import in_words
from affray.core.errors import LimitError, SetupError
from affray.core.fight import WIN
from affray.core.node import Choice, Facts
from affray.core.system import System
from affray.engine.advice.bounding import Bounds, bounds_of
from affray.engine.advice.reach import solve_within_reach
from affray.engine.advice.records import Advice
from affray.engine.advice.search import Search
from affray.engine.budget import Budget, spending
from affray.engine.exchange.best import Solution, Valued, objective_named, solve
from affray.engine.exchange.decisions import report
from affray.engine.exchange.session import Session

__all__ = ["ask_best", "best_within"]

MOST_MET = 8
"""Decisions that are told where dice come first."""
SHARE = 0.5
"""The share of the seconds that solving may take before it is left for an estimate."""
TELLING = 0.8
"""The same with the time that it takes to tell the decisions of what is solved."""
BOUNDING = 0.4
"""The share of the seconds left then that is kept for bounds."""


@with_notes
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
        LimitError: the budget is spent, or foreseen not to suffice.
        UnknownNameError, InputError, SetupError, AnswerError: as for `PlayedGame.begin`.
    """
    with spending(budget):
        game = play_script(PlayedGame.begin(system_name, source, changes), answers)
        goal = objective_named(game.here.system, objective, game.here.start)
        return _best(game, solve(game.here, goal, threshold=threshold))


@with_notes
def best_within(
    system_name: str,
    source: Source,
    *,
    objective: str = "",
    threshold: Fraction | int = 0,
    changes: Changes = AS_WRITTEN,
    answers: Answers = NO_ANSWERS,
    seed: int = 0,
    looking_s: float | None = None,
    budget: Budget | None = None,
) -> BestView | EstimatedBestView | AdviceView:
    """The same, or where that is not within reach, bounds and an estimate by look-ahead.

    Bounds are certain. Where the lower bound of one option is above the upper bounds of all others,
    it is the best one, and what looks ahead came to doesn't count. Of a whole fight it is asked
    how to win it: then the view is the advice at its first decision.

    Args:
        system_name: id of a system.
        source: a setup or a saved game; to win, also a fight.
        objective: what is wanted; the system's first by default.
        threshold: a point of a limited resource is spent only where it gains more than this.
        changes: what holds instead of what the setup says.
        answers: given first.
        seed: of the looks ahead.
        looking_s: how many seconds they may take; None: all that are left.
        budget: how much it may take; half of the seconds may go into solving.

    Raises:
        LimitError: somebody asked to stop.
        UnknownNameError, InputError, SetupError, AnswerError: as for `PlayedGame.begin`.
    """
    if objective == WIN and _is_fight(system_named(system_name), source):
        if threshold:
            raise SetupError("a threshold is for one exchange, not for the chance to win a fight")
        asked = budget if looking_s is None else None  # else as much as advice usually takes
        with spending(budget):
            return best_in_fight(system_name, source, changes, answers, budget=asked, seed=seed)
    with spending(budget) as clock:
        game = play_script(PlayedGame.begin(system_name, source, changes), answers)
        goal = objective_named(game.here.system, objective, game.here.start)
        solution = solve(game.here, goal, threshold=threshold)
        try:
            with spending(clock.part(TELLING)):
                return _best(game, solution, SHARE / TELLING)
        except LimitError as limit:
            why, is_large = told_limit(limit), limit.limit == "bytes"
        if is_large or (budget is not None and budget.places is not None):
            # Memory is given back; and within the same places it comes to the same.
            solution = _fresh(solution)
            clock.count_memory_from_now()
        search = search_of(game.here, goal, seed=seed, threshold=threshold, solves=False)
        part = clock.part(1 - BOUNDING).seconds
        found = search.advise(budget=Budget(seconds=part), looking_s=looking_s)
        certain = bounds_of(solution, budget=Budget(seconds=looking_s))
        return _estimated(game, solution, (search, found, why), certain)


def _is_fight(system: System[Facts], source: Source) -> bool:
    """Whether a source is a fight of several exchanges, or saved as one.

    Of an example and a fight that ship under one name that is the fight: an exchange isn't won.
    """
    if isinstance(source, Table):
        is_saved = source.raw.get("schema") == saved_fights.SCHEMA
        return is_saved or {"one", "other"} <= source.raw.keys()
    return source.name in fight_examples(system) and whole_game(system, source) is None


def _fresh(solution: Solution) -> Solution:
    """The same question with nothing followed yet, whatever others have followed."""
    goal = solution.objective
    return Solution(solution.game, {goal.actor: goal}, threshold=solution.threshold, shared=False)


def _estimated(
    game: PlayedGame,
    solution: Solution,
    looked: tuple[Search, Advice, str],
    certain: Bounds | None,
) -> EstimatedBestView:
    goal = solution.objective
    search, found, why = looked
    if certain is not None and certain.best and certain.at == found.at:
        found = taking(found, certain.best)
    if certain is not None:
        found = between(found, certain)
    advised = (found,) if found.options else search.met(MOST_MET)
    return EstimatedBestView(
        system=game.loaded.game.system.id,
        setup=game.loaded.origin,
        title=game.loaded.title,
        objective=goal.name,
        meaning=goal.title,
        threshold=solution.threshold,
        known=known_of(found),
        value=found.value,
        low=found.low,
        high=found.high,
        decisions=tuple(estimated_row(one, one.looks / max(1, found.looks)) for one in advised),
        certain=None if certain is None else certain_row(certain),
        looks=found.looks,
        seed=found.seed,
        stopped_by=found.stopped_by,
        why=why,
        how=how_known(found),
        remarks=remarks_on(game),
        assumed=game.loaded.assumed,
    )


LEFT_OUT = (
    "Best play meets thousands of situations: choices on which the objective no longer depends are "
    "left out."
)


def _best(game: PlayedGame, solution: Solution, share: float = 1) -> BestView:
    left, system = game.here, game.loaded.game.system
    goal, threshold = solution.objective, solution.threshold
    solve_within_reach(solution, left.start, share)
    found = report(solution)
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
            decision.closed,
        )
        for decision in found.decisions
    )
    return BestView(
        system=system.id,
        setup=game.loaded.origin,
        title=game.loaded.title,
        objective=goal.name,
        meaning=goal.title,
        threshold=threshold,
        value=solution.value,
        residual=solution.residual,
        decisions=rows,
        remarks=remarks_on(game) if found.is_whole else (*remarks_on(game), LEFT_OUT),
        assumed=game.loaded.assumed,
        regrets=_regrets(game.session, solve(game.loaded.game, goal, threshold=threshold)),
    )


def _regrets(session: Session, solution: Solution) -> tuple[tuple[str, Cost], ...]:
    """The cost of each choice that was made, against the best one."""
    rows = []
    for entry in session.steps_taken:
        if entry.asked and isinstance(entry.node, Choice) and entry.answer is not None:
            valued: tuple[Valued, ...] = solution.values(entry.at)
            taken = next(v for v in valued if v.name == entry.answer.option)
            rows.append((entry.at.step.name, Cost(*taken)))
    return tuple(rows)
