"""The computers at the seats of a fight: they decide by the policies that battles know, or further.

| policy | decides |
|---|---|
| `first`, `opening`, `greedy` | as in battles |
| `optimal` | with the whole fight in view: fights of two that can be worked out |
| `search`, or none | by looking ahead, at the fight's own choices and in its exchanges |
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from affray.app.fight_outlook import Outlook, planned_like
from affray.app.inputs.fight_setups import LoadedFight, with_policies
from affray.app.inputs.fight_sheets import POLICIES
from affray.core.names import unknown
from affray.engine.budget import Budget, spending
from affray.engine.exchange.session import Answer
from affray.engine.fight.contest import Contest
from affray.engine.fight.played.computers import Computer
from affray.engine.fight.played.searching import Optimal, Searcher
from affray.engine.fight.played.session import FightSession

__all__ = ["AT_SEATS", "COUNTED", "SEARCH", "SECONDS", "Computers", "counted"]

SEARCH = "search"
"""The policy that looks ahead."""
AT_SEATS: Mapping[str, str] = {
    **POLICIES, SEARCH: "looks ahead, for as long as it is given; so does one without a policy",
}  # fmt: skip
"""The policies by which a computer decides at a seat."""
SECONDS = 2.0
"""The seconds that a search takes for a decision, unless it is told otherwise."""
OPENING = 0.5
"""The share of its first seconds in which it may work out opening moves, besides."""
COUNTED = Budget(places=2_000, battles=40)
"""What it takes instead where the same seed shall decide the same."""


def counted(contest: Contest) -> Budget:
    """What a search takes in a fight where the same seed shall decide the same.

    Where all stand on a board a fight takes a second to be played out; so none is, and the rule of
    thumb decides.
    """
    return COUNTED if contest.board is None else COUNTED._replace(battles=0)


class Computers:
    """The computers of one fight, each made when it is first needed.

    What they learn is kept from one decision to the next.

    Args:
        loaded: the fight.
    """

    def __init__(self, loaded: LoadedFight) -> None:
        self._loaded = loaded
        self._computers: dict[str, Computer] = {}
        self._searchers: dict[int, Searcher] = {}

    @cached_property
    def outlook(self) -> Outlook:
        """The chances in any position of the fight."""
        return Outlook(self._loaded)

    def outlook_within(self, seconds: float | None) -> Outlook:
        """The same; where it is new, opening moves take a share of so many seconds at most."""
        if "outlook" not in vars(self) and seconds is not None:
            vars(self)["outlook"] = Outlook(self._loaded, seconds * OPENING)
        return self.outlook

    def answer(
        self, session: FightSession, policy: str, budget: Budget | None, seed: int
    ) -> Answer | None:
        """The answer to the open question; None: nothing is to be decided.

        Args:
            session: the fight as it stands.
            policy: one of `AT_SEATS`; "": the best there is, which looks ahead.
            budget: how much it may take; None: `SECONDS` for a search.
            seed: of a search.

        Raises:
            UnknownNameError: no such policy.
            SetupError: optimal play is not known in this fight.
            LimitError: the budget is spent.
        """
        if policy and policy not in AT_SEATS:
            raise unknown("policy for a computer in a fight", policy, AT_SEATS)
        question = session.question
        if question is not None and question.kind == "situation":
            return Answer(option=question.options[0].name, by=("policy",))  # as it is assumed
        if policy in {"", SEARCH}:
            whole = budget or Budget(seconds=SECONDS)
            self.outlook_within(whole.seconds)
            return self._searcher(seed)(session, whole)
        with spending(budget):
            if policy == "optimal":
                return self._best(session)
            return self._computer(policy)(session)

    def _computer(self, policy: str) -> Computer:
        if policy not in self._computers:
            loaded = self._loaded
            policies = (policy, policy) if policy else loaded.policies
            planned = with_policies(loaded, policies).contest
            self._computers[policy] = Computer(planned, loaded.targets)
        return self._computers[policy]

    def _searcher(self, seed: int) -> Searcher:
        if seed not in self._searchers:
            self._searchers[seed] = Searcher(
                self.outlook.ready, self.outlook.players, seed, wins=self._loaded.wins
            )
        return self._searchers[seed]

    @cached_property
    def _best(self) -> Optimal:
        planned = with_policies(self._loaded, ("optimal", "optimal")).contest
        return Optimal(planned, planned_like(planned.sides))
