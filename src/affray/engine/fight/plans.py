"""The options that a side considers: habits, the first, those that spend nothing, or all."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from affray.core.node import At, Choice, Facts, Option, Step
from affray.engine.budget import spending
from affray.engine.exchange.best import Solution
from affray.engine.exchange.flow import Decided, Flow
from affray.engine.exchange.game import first_option, free_options

__all__ = ["DECIDE_ALL", "Both", "Plan", "Rest", "habits"]

Rest = Literal["first", "free", "any"]
"""The options that a side considers where no habit decides: the first, those that spend nothing, or
any."""


@dataclass(frozen=True)
class Plan:
    """The options that one side considers.

    Attributes:
        rest: which options of a choice without a habit.
        habits: options that are taken wherever they are offered: (step, options), the most
            wanted first.
    """

    rest: Rest = "any"
    habits: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def __call__(self, at: At[Facts], choice: Choice[Facts]) -> tuple[Option[Facts], ...]:
        """The options of a choice that come into consideration."""
        for step, names in self.habits:
            if step == at.step.name:
                for name in names:
                    option = choice.named(name)
                    if option is not None:
                        return (option,)
        if self.rest == "any":
            return choice.options
        narrow = first_option if self.rest == "first" else free_options
        return narrow(at, choice)

    def takes(self, step: str, names: Sequence[str]) -> str | None:
        """The option that it takes of several by their names; None: it looks at more than that."""
        for habit, wanted in self.habits:
            if habit == step:
                for name in wanted:
                    if name in names:
                        return name
        return names[0] if self.rest == "first" else None

    def is_sparing(self, steps: Mapping[Step[Facts], Collection[str]]) -> bool:
        """Whether it only ever takes free options at steps that are given with theirs."""
        return self.rest != "any" and not self.strains(steps)

    def strains(self, steps: Mapping[Step[Facts], Collection[str]]) -> bool:
        """Whether a habit may take options that aren't free at steps given with those that are."""
        free = {step.name: frozenset(names) for step, names in steps.items()}
        return not all(free[step].issuperset(names) for step, names in self.habits if step in free)


DECIDE_ALL = Plan()


@dataclass(frozen=True)
class Both:
    """Two plans: of the side that acts in an exchange, and of the other one."""

    actor: Plan
    target: Plan
    first: str

    @cached_property
    def watched(self) -> frozenset[str]:
        """Names of steps for which either side has a habit."""
        return frozenset(step for plan in (self.actor, self.target) for step, _ in plan.habits)

    def __call__(self, at: At[Facts], choice: Choice[Facts]) -> tuple[Option[Facts], ...]:
        """The options that the side considers whose choice it is."""
        plan = self.actor if choice.actor == self.first else self.target
        return plan(at, choice)


def habits(solution: Solution) -> dict[str, tuple[tuple[str, tuple[str, ...]], ...]]:
    """Decisions of each actor that an exchange leaves no second thought about.

    Those that optimal play meets in one situation only: weapon, mode, style, defence. What
    depends on dice already rolled is no habit.
    """
    met: dict[tuple[str, str], list[str]] = {}

    def note(seen: Decided) -> None:
        met.setdefault((seen.choice.actor, seen.at.step.name), []).append(seen.taken.name)

    with spending(solution.budget):
        Flow(solution.game, solution.decide, watch=note).run_on()
    found: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {}
    for (actor, step), taken in met.items():
        if len(taken) == 1:
            found[actor] = (*found.get(actor, ()), (step, (taken[0],)))
    return found
