"""Answers that people have typed ahead, for questions of a fight that are still to come."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from affray.engine.exchange.session import Answer

if TYPE_CHECKING:
    from affray.app.fight import Fight
    from affray.app.groups import Group
    from affray.app.turns import Decided, Turn
    from affray.engine.fight.course import FighterId
    from affray.engine.fight.played.questions import FightQuestion

__all__ = ["TypedAhead"]


class TypedAhead:
    """Keeps the rest of typed lines: one may decide a whole turn, or the turns of a group."""

    def __init__(self) -> None:
        self._answers = deque[Answer]()
        """To the next questions, one after the other."""
        self._later: dict[tuple[FighterId | None, str], Decided] = {}
        """By fighter and step, what is decided for after others have decided."""
        self._words = ""
        """For the decision that follows a question of the situation."""
        self._orders: dict[str, tuple[int, str]] = {}
        """By name, in which round a fighter does what its group was told to do."""

    def keep(self, turn: Turn, question: FightQuestion) -> None:
        """Keep what follows the first answer of a turn, which was typed at this question."""
        self._answers.extend(turn.answers[1:])
        self._later |= {(question.fighter, one.step): one for one in turn.later}
        self._words = turn.left

    def order(self, fight: Fight, group: Group) -> None:
        """Keep what a group is told to do in this round, instead of what another was told."""
        self._orders = dict.fromkeys(group.names, (fight.session.moment.round, group.line))

    def next_answer(self) -> Answer | None:
        """The next answer of the line typed last; None: all of them are given."""
        return self._answers.popleft() if self._answers else None

    def answer_for(self, question: FightQuestion) -> Answer | None:
        """The answer that an earlier line had; None: it had none, or other options were open."""
        one = self._later.pop((question.fighter, question.step), None)
        if one is None or one.names != tuple(option.name for option in question.options):
            return None
        return Answer(option=one.option, by=("line",))

    def words_for(self, fight: Fight, question: FightQuestion) -> str:
        """The words that are left for this decision, or what the fighter was ordered; "": none."""
        words, self._words = self._words, ""
        if words or question.kind != "deed" or question.fighter is None:
            return words
        number, line = self._orders.pop(fight.session.position.name(question.fighter), (0, ""))
        return line if number == fight.session.moment.round else ""

    def forget_exchange(self) -> None:
        """Forget what was typed for an exchange that is over."""
        self._later.clear()

    def forget(self) -> None:
        """Forget everything, since an answer on which it was built is taken back."""
        self._answers.clear()
        self._later.clear()
        self._orders.clear()
        self._words = ""
