"""The computers at the seats of a fight: they decide by the policies that battles know, or further.

| policy | decides |
|---|---|
| `first`, `opening`, `greedy` | as in battles |
| `optimal` | with the whole fight in view: fights of two that can be worked out |
| `search` | by looking ahead, at the fight's own choices and in its exchanges |
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from affray.app.fight_chances import outlook_of, planned_like
from affray.app.inputs.fight_setups import with_policies
from affray.app.inputs.fight_sheets import POLICIES
from affray.core.names import unknown
from affray.engine.budget import Budget, spending
from affray.engine.exchange.session import Answer
from affray.engine.fight.played.computers import Computer
from affray.engine.fight.played.searching import Optimal, Searcher

if TYPE_CHECKING:
    from affray.app.fight import Fight

__all__ = ["AT_SEATS", "SEARCH", "SECONDS", "Deciding", "decided"]

SEARCH = "search"
"""The policy that looks ahead."""
AT_SEATS: Mapping[str, str] = {
    **POLICIES, SEARCH: "looks ahead, for as long as it is given",
}  # fmt: skip
"""The policies by which a computer decides at a seat."""
SECONDS = 2.0
"""The seconds that a search takes for a decision, unless it is told otherwise."""


class Deciding:
    """The computers of one fight, each made when it is first needed.

    What they learn is kept from one decision to the next.
    """

    def __init__(self) -> None:
        self._computers: dict[str, Computer] = {}
        self._searchers: dict[int, Searcher] = {}
        self._optimal: Optimal | None = None

    def answer(self, fight: Fight, policy: str, budget: Budget | None, seed: int) -> Answer | None:
        """The answer to the open question; None: nothing is to be decided."""
        if policy == SEARCH:
            search = self._searcher(fight, seed)
            return search(fight.session, budget or Budget(seconds=SECONDS))
        with spending(budget):
            if policy == "optimal":
                return self._best(fight)(fight.session)
            return self._computer(fight, policy)(fight.session)

    def _computer(self, fight: Fight, policy: str) -> Computer:
        if policy not in self._computers:
            loaded = fight.loaded
            policies = (policy, policy) if policy else loaded.policies
            planned = with_policies(loaded, policies).contest
            self._computers[policy] = Computer(planned, loaded.targets)
        return self._computers[policy]

    def _searcher(self, fight: Fight, seed: int) -> Searcher:
        if seed not in self._searchers:
            outlook = outlook_of(fight)
            self._searchers[seed] = Searcher(outlook.ready, outlook.players, seed)
        return self._searchers[seed]

    def _best(self, fight: Fight) -> Optimal:
        if self._optimal is None:
            planned = with_policies(fight.loaded, ("optimal", "optimal")).contest
            self._optimal = Optimal(planned, planned_like(planned.sides))
        return self._optimal


def decided(fight: Fight, policy: str, budget: Budget | None, *, seed: int = 0) -> Answer | None:
    """The answer of a computer to the open question of a fight; None: nothing is to be decided.

    Raises:
        UnknownNameError: no such policy.
        SetupError: optimal play is not known in this fight.
        LimitError: the budget is spent.
    """
    if policy and policy not in AT_SEATS:
        raise unknown("policy for a computer in a fight", policy, AT_SEATS)
    known = vars(fight).setdefault("_deciding", Deciding())
    assert isinstance(known, Deciding)
    return known.answer(fight, policy, budget, seed)
