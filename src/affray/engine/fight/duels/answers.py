"""What is asked of a duel, and how it is answered."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isclose
from typing import TYPE_CHECKING

from affray.core.lazy import NamedTuple
from affray.engine.fight.course import DECIDED, VERDICT_OF
from affray.engine.fight.duels.duelists import Duelist

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = [
    "RESOURCES", "ROUNDS", "Answers", "Case", "DuelResult", "Round", "answers_of", "averaged",
    "ended_sums", "mixed",
]  # fmt: skip

ROUNDS, RESOURCES = 4, 7
"""Columns: of the verdicts, of the number of rounds, and from where on of what is left to spend."""


class Case(NamedTuple):
    """One way in which a duel can begin, and how likely it is.

    `goes_first` is the side that acts first in the first round; None where it makes no difference.
    """

    name: str
    chance: Fraction
    goes_first: int | None


class Round(NamedTuple):
    """Probabilities after a round: the fight goes on, each side has won, a draw, ended by rule."""

    number: int
    going_on: float
    won: tuple[float, float]
    drawn: float
    ended: float


@dataclass(frozen=True)
class Answers:
    """The answers to a duel.

    Attributes:
        won: probability that each side wins. drawn: that both are out; ended: that a rule ends
            the fight; endless: that it never ends; stalled: that a limit of rounds is reached.
            They add up to one.
        rounds: mean number of rounds; infinite if the fight can be endless.
        left: mean points left of a side if it has won; 0 if it never wins.
        resources: mean of what each side has left of what can be spent, when it is over.
    """

    won: tuple[float, float]
    drawn: float
    ended: float
    endless: float
    stalled: float
    rounds: float
    left: tuple[float, float]
    resources: tuple[dict[str, float], dict[str, float]]


@dataclass(frozen=True)
class DuelResult(Answers):
    """A duel to the end.

    Attributes:
        cases: the answers for each way to begin.
        states: how many states there are; exchanges: how many different exchanges.
        residual: by how much the equations are missed at most.
    """

    cases: tuple[tuple[Case, Answers], ...]
    states: int
    exchanges: int
    residual: float


def answers_of(row: Floats, duelists: tuple[Duelist, Duelist], *, stalls: bool) -> Answers:
    """The answers from a row of sums, in the order of `Duel.questions`.

    Args:
        row: what all questions come to.
        duelists: the fighters of both sides.
        stalls: whether what has not ended stops at a limit of rounds, or never ends.
    """
    import numpy as np  # heavy; only where fights are worked out

    rest = 1 - float(row[:ROUNDS].sum())
    if isclose(rest, 0, abs_tol=1e-9):  # what certainly ends adds up to one
        rest, row = 0.0, np.concatenate([row[:ROUNDS] / row[:ROUNDS].sum(), row[ROUNDS:]])
    won, drawn, ended = (float(row[0]), float(row[1])), float(row[2]), float(row[3])
    points = row[ROUNDS + 1 : RESOURCES]
    left = [float(total) / p if p else 0.0 for total, p in zip(points, won, strict=True)]
    numbers = iter(row[RESOURCES:].tolist())
    resources = [dict(zip(duelist.spare, numbers, strict=False)) for duelist in duelists]
    endless, stalled = (0.0, rest) if stalls else (rest, 0.0)
    rounds = float("inf") if endless else float(row[ROUNDS])
    return Answers(
        won, drawn, ended, endless, stalled, rounds, (left[0], left[1]),
        (resources[0], resources[1]),
    )  # fmt: skip


def ended_sums(
    over: Floats, duelists: tuple[Duelist, Duelist], among: tuple[Ints, Ints] | None = None
) -> Floats:
    """What all questions but the number of rounds come to, in the order of `Duel.questions`.

    A question looks at both conditions by their verdict, and else at one of them.

    Args:
        over: how likely each pair of conditions is the last; a row for each way to begin.
        duelists: the fighters of both sides.
        among: the conditions of either side of which `over` tells; None: all of them.
    """
    import numpy as np  # heavy; only where fights are worked out

    places = among or tuple(np.arange(len(who.conditions)) for who in duelists)
    ends = over.reshape(len(over), *map(len, places))
    codes = np.arange(4)
    kinds = [
        (2 * np.array(who.is_out) + np.array(who.is_over))[some]
        for who, some in zip(duelists, places, strict=True)
    ]
    is_kind = [(of[:, None] == codes).astype(np.float64) for of in kinds]
    verdict_of = np.array([
        [DECIDED.index(verdict) if verdict else -1 for verdict in (
            VERDICT_OF[4 * (mine >> 1) + 2 * (theirs >> 1) + ((mine | theirs) & 1)]
            for theirs in range(4)
        )] for mine in range(4)
    ])  # fmt: skip
    # By way to begin, a condition of the one side, and the kind of the other's.
    sides = ends @ is_kind[1], np.swapaxes(is_kind[0].T @ ends, 1, 2)
    found: list[Floats] = []
    for side, by_kind in enumerate(sides):
        of = verdict_of[kinds[0]] if side == 0 else verdict_of.T[kinds[1]]
        found.append(np.stack([(by_kind * (of == number)).sum(2) for number in range(ROUNDS)]))
    vitals = [
        np.array([who.fight.vitals(who.sheet, who.conditions[here]) for here in some])
        for who, some in zip(duelists, places, strict=True)
    ]
    spare = [
        mine.sum(0) @ left[some]
        for mine, who, some in zip(found, duelists, places, strict=True)
        for left in who.left().values()
    ]
    return np.stack([
        *found[0].sum(2), np.zeros(len(ends)), found[0][0] @ vitals[0], found[1][1] @ vitals[1],
        *spare,
    ], -1)  # fmt: skip


def mixed(cases: Sequence[Case], apart: Sequence[Hashable]) -> tuple[list[Case], list[list[float]]]:
    """Ways to begin of the same name as one.

    Args:
        cases: the ways to begin.
        apart: for each what tells it from others of its name.

    Returns:
        Those that are told apart, and for each of them the share of each way to begin.
    """
    groups: dict[Hashable, list[int]] = {}
    for way, (case, kind) in enumerate(zip(cases, apart, strict=True)):
        groups.setdefault((case.name, kind), []).append(way)
    found, shares = [], []
    for ways in groups.values():
        total = sum((cases[way].chance for way in ways), Fraction(0))
        found.append(cases[ways[0]]._replace(chance=total))
        shares.append(
            [float(case.chance / total) if way in ways else 0.0 for way, case in enumerate(cases)]
        )
    return found, shares


def averaged(rows: list[tuple[Case, Answers]]) -> tuple[Case, Answers]:
    """Several ways to begin as one."""
    total = sum((case.chance for case, _ in rows), Fraction(0))
    shares = [float(case.chance / total) for case, _ in rows]

    def mean(numbers: Iterable[float]) -> float:
        return sum(share * number for share, number in zip(shares, numbers, strict=True))

    every = [answers for _, answers in rows]
    won = [mean(answers.won[n] for answers in every) for n in (0, 1)]
    left = [mean(answers.left[n] * answers.won[n] for answers in every) for n in (0, 1)]
    resources = [
        {name: mean(answers.resources[n][name] for answers in every)
         for name in every[0].resources[n]}
        for n in (0, 1)
    ]  # fmt: skip
    whole = Answers(
        won=(won[0], won[1]),
        drawn=mean(answers.drawn for answers in every),
        ended=mean(answers.ended for answers in every),
        endless=mean(answers.endless for answers in every),
        stalled=mean(answers.stalled for answers in every),
        rounds=mean(answers.rounds for answers in every),
        left=(left[0] / (won[0] or 1), left[1] / (won[1] or 1)),
        resources=(resources[0], resources[1]),
    )
    return rows[0][0]._replace(chance=total), whole
