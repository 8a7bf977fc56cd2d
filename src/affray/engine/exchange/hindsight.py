"""Looking back at an exchange that was played: how lucky each roll was, what each decision cost.

Luck is told by what a roll was worth, not by its faces: of all that could have fallen, how much
would have been worth less to the one who rolled. So a 5 that hits and a 6 that hits are equally
lucky, where no more depends on them. Both rest on the exchange solved: from each roll and decision
on, everybody decides as well as can be.
"""

from __future__ import annotations

from fractions import Fraction

from affray.core.dice import Face
from affray.core.lazy import NamedTuple
from affray.core.node import Chance, Choice, Facts, fill
from affray.core.reading import roll_of
from affray.engine.exchange.best import Solution, Valued
from affray.engine.exchange.session import Session, StepTaken

__all__ = ["Hindsight", "JudgedChoice", "JudgedRoll", "hindsight", "luck"]


class JudgedRoll(NamedTuple):
    """A roll, and how lucky it was for the one who rolled.

    Attributes:
        actor, ask, step: whose, what for, and where.
        dice, faces: the pool in table notation, and what it showed.
        worth: what the exchange was worth after it. expected: before it.
        wants: whether the one who rolled wanted that to be large (1) or small (-1).
        percentile: the probability of something worse, and half of that of the same.
        open: whether anything depended on it.
    """

    actor: str
    ask: str
    step: str
    dice: str
    faces: tuple[Face, ...]
    worth: Fraction
    expected: Fraction
    wants: int
    percentile: Fraction
    open: bool

    @property
    def gain(self) -> Fraction:
        """By how much it was better than expected, for the one who rolled."""
        return self.wants * (self.worth - self.expected)


class JudgedChoice(NamedTuple):
    """A decision, and what each option was worth when it was taken.

    Attributes:
        actor, ask, step: whose, what about, and where.
        taken: the option taken; its cost says by how much another one was better.
        options: all that were on offer.
    """

    actor: str
    ask: str
    step: str
    taken: Valued
    options: tuple[Valued, ...]

    @property
    def best(self) -> Valued:
        """The best option, the one taken if none was better."""
        return self.taken if not self.taken.cost else min(self.options, key=lambda one: one.cost)


class Hindsight(NamedTuple):
    """An exchange that was played, roll by roll and decision by decision."""

    rolls: tuple[JudgedRoll, ...]
    choices: tuple[JudgedChoice, ...]


def hindsight(session: Session, solution: Solution) -> Hindsight:
    """Judge every roll and every decision of an exchange, as far as it was played.

    Args:
        session: the exchange; what was settled beforehand is not judged.
        solution: the same exchange, solved.

    Raises:
        LimitError: the budget is spent.
    """
    choices = []
    for taken in session.steps_taken:
        if taken.asked and isinstance(taken.node, Choice):
            assert taken.answer is not None  # somebody was asked
            options = solution.values(taken.at)
            chosen = next(one for one in options if one.name == taken.answer.option)
            node = taken.node
            choices.append(JudgedChoice(node.actor, node.ask, taken.at.step.name, chosen, options))
    return Hindsight(luck(session, solution), tuple(choices))


def luck(session: Session, solution: Solution) -> tuple[JudgedRoll, ...]:
    """Judge the rolls alone; what was not taken has no need of a worth.

    Args:
        session: as for `hindsight`.
        solution: as for `hindsight`.

    Raises:
        LimitError: the budget is spent.
    """
    return tuple(
        _roll(taken, taken.node, solution)
        for taken in session.steps_taken
        if taken.asked and isinstance(taken.node, Chance)
    )


def _roll(taken: StepTaken, node: Chance[Facts], solution: Solution) -> JudgedRoll:
    assert taken.answer is not None  # it was asked
    _, wants = solution.wish_of(node.actor)
    worth = solution.value_at(taken.after, node.actor)
    roll = roll_of(node.dice, node.read)
    below = same = 0
    whole = Fraction(0)
    for reading, ways in roll.rows:
        value = solution.value_at(fill(node.then, node.into, reading), node.actor)
        whole += ways * value
        below += ways * (wants * value < wants * worth)
        same += ways * (value == worth)
    return JudgedRoll(
        node.actor, node.ask, taken.at.step.name, str(node.dice), taken.answer.faces, worth,
        whole / roll.total, wants, Fraction(2 * below + same, 2 * roll.total),
        same < roll.total,
    )  # fmt: skip
