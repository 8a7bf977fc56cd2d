"""How a fight is played at a terminal."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from affray.app.fight_computers import SEARCH, SECONDS
from affray.cli.seats import ADVICE_S, HASTE
from affray.core.lazy import NamedTuple
from affray.engine.budget import Budget
from affray.engine.exchange.session import Answer
from affray.engine.exchange.sources import Script

if TYPE_CHECKING:
    from affray.app.fight import Fight

__all__ = ["LEAST_S", "Settings"]

LEAST_S = 0.1
"""Seconds to begin with for what is left, when it is over: a few hundredths for a decision."""


class Settings(NamedTuple):
    """How a fight is played at a terminal, besides who answers.

    Attributes:
        seed: the computer rolls with this seed; None: with the operating system's entropy.
        objective: advice is given for it; "": for the fight's.
        seconds: how long advice may take.
        advises: whether advice is given at every choice, asked or not.
        budget: how much each decision of the computer may take. search: the same of a search.
        script: answers to give before anything else; they are used up.
        alone_s: the seconds that all decisions of computers may take together.
        quiet: nobody is asked.
        long: whether everything is told, each step of an exchange with its clauses.
    """

    script: Script
    seed: int | None = None
    objective: str = ""
    seconds: float = ADVICE_S
    advises: bool = False
    budget: Budget | None = None
    search: Budget = Budget(seconds=SECONDS)
    alone_s: float = inf
    quiet: bool = False
    long: bool = False

    def decision(self, fight: Fight, policy: str, left_s: float) -> Answer:
        """The computer's answer to the open question.

        Args:
            fight: it waits for a decision.
            policy: by which to decide.
            left_s: the seconds that are left for all decisions.
        """
        budget = self.search if policy in {"", SEARCH} else self.budget
        if budget is not None and budget.seconds is not None:
            budget = budget._replace(seconds=min(budget.seconds, left_s / HASTE))
        return fight.decides(policy, budget, seed=self.seed or 0)
