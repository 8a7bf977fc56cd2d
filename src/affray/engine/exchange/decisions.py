"""A report on a solved exchange: the choices that best play meets, what options are worth."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from heapq import nlargest
from typing import NamedTuple

from affray.core.meter import in_portions
from affray.core.node import Facts, Step
from affray.engine.budget import spending
from affray.engine.exchange.best import Solution, Valued
from affray.engine.exchange.flow import Decided, flow

__all__ = ["MOST_SITUATIONS", "Decision", "Situation", "decisions"]

MOST_SITUATIONS = 1_000
"""Situations of one choice that are listed: the most likely ones."""


class Situation(NamedTuple):
    """One place where a choice is met under optimal play.

    `about` is what the decider sees, `chance` how likely the place is to be met. Where a step
    tells several places in the same words, facts that differ among them stand beside those.
    """

    about: tuple[tuple[str, object], ...]
    options: tuple[Valued, ...]
    best: str
    chance: Fraction


class Decision(NamedTuple):
    """All situations of one choice, and what each option is worth when taken every time.

    `always` values each option as a fixed habit: taken at every situation that offers it, all
    else decided as in optimal play. `more` is how many situations are met besides those listed,
    which are the most likely ones.
    """

    step: str
    actor: str
    ask: str
    clauses: tuple[str, ...]
    situations: tuple[Situation, ...]
    always: tuple[Valued, ...]
    more: int = 0


def decisions(solution: Solution) -> tuple[Decision, ...]:
    """Every open choice that optimal play meets, with all its situations, in the book's order.

    Raises:
        LimitError: the budget of the solution is spent.
    """
    game = solution.game
    met: dict[tuple[Step[Facts], str], list[Decided]] = {}

    def note(decided: Decided) -> None:
        if decided.at.step.name not in game.settled and len(decided.choice.options) > 1:
            met.setdefault((decided.at.step, decided.choice.actor), []).append(decided)

    with spending(solution.budget):
        solution.value_at(game.start)  # solved from there on, decisions are looked up
        flow(game, solution.decide, watch=note)
        places = game.system.places
        return tuple(
            Decision(
                step.name, actor, found[0].choice.ask, step.clauses,
                _situations(solution, _likely(found)), _always(solution, step, actor, found),
                max(0, len(found) - MOST_SITUATIONS),
            )
            for (step, actor), found in sorted(met.items(), key=lambda row: places[row[0][0]])
        )  # fmt: skip


def _likely(found: Sequence[Decided]) -> Sequence[Decided]:
    """The most likely situations, if there are too many to list."""
    if len(found) <= MOST_SITUATIONS:
        return found
    return nlargest(MOST_SITUATIONS, found, key=lambda one: one.weight / one.total)


def _situations(solution: Solution, found: Sequence[Decided]) -> tuple[Situation, ...]:
    fields = _untold(found)
    situations = [
        Situation(
            (*decided.choice.about, *_told(decided.at.facts, fields)),
            solution.valued(decided.choice),
            decided.taken.name,
            Fraction(decided.weight, decided.total),
        )
        for part in in_portions(found)
        for decided in part
    ]
    return tuple(sorted(situations, key=lambda one: [_sortable(value) for _, value in one.about]))


def _untold(found: Sequence[Decided]) -> tuple[str, ...]:
    """Name the fields of the facts that differ where a step tells places in the same words.

    Only fields that can be said in a few words count: numbers, words, and rows of them.
    """
    alike: dict[object, Facts] = {}
    names: dict[str, None] = {}
    for part in in_portions(found):
        for decided in part:
            facts = decided.at.facts
            first = alike.setdefault(repr(decided.choice.about), facts)
            if first is not facts:
                names.update(dict.fromkeys(_differing(first, facts)))
    return tuple(names)


def _differing(one: Facts, other: Facts) -> tuple[str, ...]:
    fields: tuple[str, ...] = getattr(one, "_fields", ())
    return tuple(
        name
        for name in fields
        if (mine := getattr(one, name)) != (theirs := getattr(other, name, None))
        and _said(mine) is not None
        and _said(theirs) is not None
    )


def _told(facts: Facts, fields: Sequence[str]) -> tuple[tuple[str, object], ...]:
    return tuple((name.replace("_", " "), _said(getattr(facts, name))) for name in fields)


def _said(value: object) -> object:
    """A value in a few words, or None where it takes many."""
    if isinstance(value, (bool, int, str)):
        return value
    if not isinstance(value, tuple):
        return None
    if hasattr(value, "_fields"):
        first, *others = value or (None,)
        return None if any(others) else _said(first)
    parts = [_said(part) for part in value]
    if any(part is None for part in parts):
        return None
    return parts[0] if len(parts) == 1 else " ".join(map(str, parts)) or "nothing"


def _always(
    solution: Solution, step: Step[Facts], actor: str, found: Sequence[Decided]
) -> tuple[Valued, ...]:
    _, sign = solution.wish_of(actor)
    names: dict[str, str] = {}
    for decided in found:
        for option in decided.choice.options:
            names.setdefault(option.name, option.words if len(found) == 1 else "")
    best = solution.value_at(solution.game.start, actor)
    valued = []
    for name, words in names.items():
        worth = solution.worth_of_habit(step, actor, name)
        valued.append(Valued(name, words, worth, sign * (best - worth)))
    return tuple(valued)


def _sortable(value: object) -> tuple[int, float, str]:
    if isinstance(value, (int, float)):
        return (0, value, "")
    return (1, 0, str(value))
