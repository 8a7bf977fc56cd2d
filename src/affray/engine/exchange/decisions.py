"""A report on a solved exchange: the choices that best play meets, what options are worth."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from affray.core.meter import in_portions
from affray.core.node import At, Choice, Facts, Option, Step
from affray.engine.budget import spending
from affray.engine.exchange.best import Solution, Valued, exact_worth
from affray.engine.exchange.flow import Decided, flow

__all__ = ["Decision", "Situation", "decisions"]


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
    else decided as in optimal play.
    """

    step: str
    actor: str
    ask: str
    clauses: tuple[str, ...]
    situations: tuple[Situation, ...]
    always: tuple[Valued, ...]


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
        flow(game, solution.decide, watch=note)
        places = game.system.places
        return tuple(
            Decision(
                step.name, actor, found[0].choice.ask, step.clauses,
                _situations(solution, found), _always(solution, step, actor, found),
            )
            for (step, actor), found in sorted(met.items(), key=lambda row: places[row[0][0]])
        )  # fmt: skip


def _situations(solution: Solution, found: Sequence[Decided]) -> tuple[Situation, ...]:
    fields = _untold(found)
    situations = [
        Situation(
            (*decided.choice.about, *_told(decided.at.facts, fields)),
            solution.values(decided.at),
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
        worth = _as_a_habit(solution, step, actor, name)
        valued.append(Valued(name, words, worth, sign * (best - worth)))
    return tuple(valued)


def _as_a_habit(solution: Solution, step: Step[Facts], actor: str, name: str) -> Fraction:
    """The worth of the exchange if an actor takes one option wherever a step offers it."""
    wish, _ = solution.wish_of(actor)

    def decide(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
        if at.step is step and choice.actor == actor:
            for option in choice.options:
                if option.name == name:
                    return option
        return solution.decide(at, choice)

    worth = Fraction(0)
    for total, finals in flow(solution.game, decide).items():
        shares = (
            weight * exact_worth(solution.game.system, wish, facts)
            for facts, weight in finals.items()
        )
        worth += sum(shares, start=Fraction(0)) / total
    return worth


def _sortable(value: object) -> tuple[int, float, str]:
    if isinstance(value, (int, float)):
        return (0, value, "")
    return (1, 0, str(value))
