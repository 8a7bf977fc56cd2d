"""The chance to hit beside each option of a turn, before anybody decides; and that to win.

>>> from affray.app.fight import Fight
>>> fight = Fight.begin("empty-earth", ("bo", "husk")).answer(["Bo"])
>>> [(row.name, str(row.hits)) for row in hit_chances(fight).decisions[0].options]
[('attack: Husk', '3/4'), ('pass', 'None')]
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from affray.app.fight import Fight
from affray.app.fight_advice import advise_deeds
from affray.app.inputs.fight_sheets import SIDES
from affray.app.turns import Decided, Turn, turn_of
from affray.app.views.fight_reports import ChanceRow
from affray.app.views.hit_chances import HitChancesView, HitDecision, HitRow
from affray.core.errors import AnswerError, LimitError, SetupError
from affray.engine.budget import Budget, spending
from affray.engine.fight.played.position import Exchange
from affray.engine.fight.played.striking import chance_to_hit

__all__ = ["SECONDS", "hit_chances"]

SECONDS = 1.0
"""The seconds that it takes at most, unless it is told otherwise."""
ON_HITS = 0.5
"""The share of them for chances to hit where those to win are wanted as well."""
NOTHING: Mapping[str, str] = {}


def hit_chances(
    fight: Fight,
    picks: Mapping[str, str] = NOTHING,
    budget: Budget | None = None,
    *,
    wins: bool = False,
    seed: int = 1,
) -> HitChancesView:
    """The chance that the attack hits, with each option of each decision of the open turn.

    Everything else in the turn is as it was picked, or as usual. What others decide, and what
    comes after the turn, is decided for the objective of the fight.

    Args:
        fight: a fight that waits for a decision.
        picks: options of the turn by the keys of their decisions; see `turn_of`.
        budget: how much it may take, all together; one second by default.
        wins: whether the chance to win the fight is told as well, beside the open question.
        seed: of fights that are played out.

    Raises:
        AnswerError: nothing is to be decided, or by the table.
        LimitError: somebody asked to stop.
    """
    question = fight.asked
    if question is None or not question.options:
        raise AnswerError("nothing is to be decided; chances stand beside options")
    if question.kind == "situation" or question.side is None:
        raise AnswerError("your table decides this; chances to hit come with a fighter's turn")
    limits = budget or Budget(seconds=SECONDS)
    if limits.seconds is None:
        limits = limits._replace(seconds=SECONDS)
    with spending(limits) as clock:
        found = _Found(fight, picks)
        with spending(clock.part(ON_HITS if wins else 1)):
            turn, decisions = found.turn, tuple(map(found.decision, found.decided))
            chosen = found.hits(turn)
        if wins:
            decisions = _with_wins(fight, decisions, clock.part(1), seed)
    need = fight.session.position.need
    is_struck = isinstance(need, Exchange) and need.actor.side != question.side
    goal = fight.session.contest.objective.title
    return HitChancesView(
        system=fight.system, setup=fight.loaded.origin, title=fight.loaded.title,
        moves=len(fight.moves), side=SIDES[question.side],
        is_struck=is_struck and fight.loaded.whole is None, hits=chosen, decisions=decisions,
        policy=f"decisions left open are taken for: {goal}", stopped_by=found.stopped_by,
    )  # fmt: skip


class _Found:
    """The chances of one turn as they are found.

    Attributes:
        turn: as it stands. decided: its decisions that come before anybody else's.
        stopped_by: the limit that was reached; "": none.
    """

    def __init__(self, fight: Fight, picks: Mapping[str, str]) -> None:
        self._fight = fight
        self.turn = turn_of(fight, picks=picks)
        self._picks = {one.key: one.option for one in self.turn.decided}
        self.decided = [
            one
            for one in self.turn.decided
            if one not in self.turn.later and (len(one.names) > 1 or one is self.turn.decided[0])
        ]
        self.stopped_by = ""

    def decision(self, one: Decided) -> HitDecision:
        """A decision with the chance of each option."""
        rows = tuple(HitRow(name, self._with(one.key, name)) for name in one.names)
        return HitDecision(one.key, one.ask, rows)

    def _with(self, key: str, option: str) -> Fraction | None:
        try:
            return self.hits(turn_of(self._fight, picks={**self._picks, key: option}))
        except (AnswerError, SetupError):
            return None  # the rules refuse it; they say why once it is chosen

    def hits(self, turn: Turn) -> Fraction | None:
        """The chance to hit after a turn; None where it is no attack, or not known in time."""
        if self.stopped_by:
            return None
        there = self._fight
        for answer in turn.answers:
            there = there.answer(answer)
        try:
            return chance_to_hit(there.session.position)
        except LimitError as limit:
            if limit.limit == "interrupted":
                raise
            self.stopped_by = limit.limit
            return None


def _with_wins(
    fight: Fight, decisions: tuple[HitDecision, ...], budget: Budget, seed: int
) -> tuple[HitDecision, ...]:
    """The decisions, with the chance to win beside the options of the open question."""
    try:
        advice = advise_deeds(fight, budget, seed=seed)
    except SetupError:
        return decisions  # one exchange is the whole fight; advice says what options are worth
    except LimitError as limit:
        if limit.limit == "interrupted":
            raise
        return decisions
    found = {
        row.name: ChanceRow(row.value, row.low, row.high)
        for row in advice.options
        if row.value is not None and row.low is not None and row.high is not None
    }
    first, *rest = decisions
    rows = tuple(row._replace(wins=found.get(row.name)) for row in first.options)
    return (first._replace(options=rows), *rest)
