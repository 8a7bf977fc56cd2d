"""The computer in an exchange: it rolls, and it decides for an objective."""

from __future__ import annotations

from math import inf
from time import monotonic

from affray.app.play import PlayedGame
from affray.engine.advice.search import Search, guides_for
from affray.engine.budget import Budget
from affray.engine.exchange.best import objective_named
from affray.engine.exchange.session import Answer, Question, Session
from affray.engine.exchange.sources import Entropy, Seeded
from affray.engine.exchange.sources import Source as Deciding

__all__ = [
    "COUNTED", "DECIDING_S", "check_objective", "computer_decides", "computer_rolls", "decide",
    "roll",
]  # fmt: skip

DECIDING_S = 2.0
"""The seconds that the computer looks ahead at a decision, unless it is told otherwise."""
COUNTED = Budget(places=2_000)
"""What it takes instead where the same seed shall decide the same."""


def computer_rolls(seed: int | None = None) -> Entropy:
    """Somebody who rolls: with a seed, or with the operating system's entropy.

    One who has a seed goes on in its sequence from roll to roll; in a game from where it stands, so
    that the same answers get the same faces when some were taken back.
    """
    return Entropy() if seed is None else Seeded(seed)


def roll(game: PlayedGame, dice: Entropy) -> PlayedGame:
    """The game after a roll by the computer; the same game if no dice are asked for."""
    question = game.session.question
    dice.went_on((*game.answers, game.lying))
    given = question and dice(game.session, question)
    return game if given is None else game.answer(given)


def check_objective(game: PlayedGame, name: str) -> None:
    """Check that an objective can be wanted in a game, whether or not anybody will decide for it.

    Raises:
        UnknownNameError: it can't.
    """
    objective_named(game.loaded.game.system, name, game.loaded.game.start)


def computer_decides(
    game: PlayedGame,
    objective: str = "",
    budget: Budget | None = None,
    *,
    looking_s: float | None = DECIDING_S,
    in_all_s: float | None = None,
    seed: int = 0,
) -> Deciding:
    """Somebody who takes the best options for an objective; the system's first by default.

    What can be solved is. Else they look ahead, and learn from one decision to the next.

    Args:
        game: what is played.
        objective: what they want.
        budget: how much each decision may take.
        looking_s: the seconds that looks ahead may take of it; None: all of them.
        in_all_s: the seconds that all decisions together may take; the less is left, the less
            each of them takes. None: no limit.
        seed: of the looks ahead.
    """
    loaded, left = game.loaded, inf if in_all_s is None else in_all_s
    goal = objective_named(loaded.game.system, objective, loaded.game.start)
    search = Search(loaded.game, goal, seed=seed, guides=guides_for(loaded.game, goal))

    def decided(session: Session, question: Question) -> Answer | None:
        nonlocal left
        if question.dice is not None:
            return None
        limits, looks_s = budget, looking_s
        if left < inf:
            limits = budget or Budget()
            limits = limits._replace(seconds=min(limits.seconds or inf, left / 2))
            looks_s = min(left / 2 if looks_s is None else looks_s, left / 12)
        began = monotonic()
        option, by = search.taken(session.here, budget=limits, looking_s=looks_s)
        left = max(0.0, left - (monotonic() - began))
        return Answer(option=option, by=(by,))

    return decided


def decide(game: PlayedGame, policy: Deciding) -> PlayedGame:
    """The game after a decision by the computer; the same game if nothing is to be decided.

    Raises:
        LimitError: the policy's budget is spent.
    """
    question = game.session.question
    given = question and policy(game.session, question)
    return game if given is None else game.answer(given)
