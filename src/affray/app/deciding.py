"""A computer's decision in a game that was saved: the option that it takes, not yet taken."""

from __future__ import annotations

from affray.app.exchange_computers import DECIDING_S, computer_decides
from affray.app.fight import Fight
from affray.app.play import PlayedGame
from affray.app.views.decisions import DecisionView
from affray.core.errors import AnswerError
from affray.engine.budget import Budget

__all__ = ["decision_in_exchange", "decision_in_fight"]


def decision_in_fight(
    fight: Fight, policy: str = "", budget: Budget | None = None, *, seed: int = 0
) -> DecisionView:
    """What a computer decides at the open question of a fight.

    Args:
        fight: a fight that waits for a decision.
        policy: as for `Fight.decides`.
        budget: how much it may take.
        seed: of a search.

    Raises:
        AnswerError: nothing is to be decided.
        UnknownNameError, SetupError, LimitError: as for `Fight.decides`.
    """
    question = fight.asked
    if question is None or not question.options:
        raise AnswerError("nothing is to be decided; computers roll in another way")
    found = fight.decides(policy, budget, seed=seed)
    return DecisionView(
        system=fight.system, setup=fight.loaded.origin, ask=question.ask, option=found.option,
        by=found.by, policy=policy, seed=seed, moves=len(fight.moves),
    )  # fmt: skip


def decision_in_exchange(
    game: PlayedGame, objective: str = "", budget: Budget | None = None, *, seed: int = 0
) -> DecisionView:
    """What a computer decides at the open question of an exchange.

    Args:
        game: an exchange that waits for a decision.
        objective: what it wants; the first that fits by default.
        budget: how much it may take.
        seed: of looks ahead.

    Raises:
        AnswerError: nothing is to be decided.
        UnknownNameError: an unknown objective.
        LimitError: the budget is spent.
    """
    question = game.session.question
    if question is None or not question.options:
        raise AnswerError("nothing is to be decided; computers roll in another way")
    looking_s = DECIDING_S if budget is None else budget.seconds
    policy = computer_decides(game, objective, budget, looking_s=looking_s, seed=seed)
    found = policy(game.session, question)
    assert found is not None  # it has options
    return DecisionView(
        system=game.system, setup=game.loaded.origin, ask=question.ask, option=found.option,
        by=found.by, policy="", seed=seed, moves=len(game.answers),
    )  # fmt: skip
