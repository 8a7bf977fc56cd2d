"""A fight in front of an engine: two sides, who goes first, how each of them decides."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

from affray.core.errors import SetupError
from affray.core.node import Facts
from affray.core.ruling import Rulings
from affray.core.step import Objective, System
from affray.engine.best import objective_named, solve
from affray.engine.game import Game
from affray.engine.matchup import AnyFight, Matchup, fight_of
from affray.engine.policy import DECIDE_ALL, Both, Plan, habits

__all__ = ["Contest", "First", "Side", "opening_plans"]

First: TypeAlias = Literal["initiative", "one", "other", "coin", "alternate", "alternate_other"]
"""Who goes first: by initiative, the first side, the second one, or whom a coin names. With
`alternate` sides take turns fighter by fighter, the first side or the `other` one first."""


class Side(NamedTuple):
    """One side of a fight.

    Attributes:
        name: what it is called.
        fighters: their sheets, in order.
        situation: a setup of the system that holds whenever this side acts; its attacker and
            defender are replaced.
        plan: what it takes into consideration, when it acts and when it is acted upon.
    """

    name: str
    fighters: tuple[Hashable, ...]
    situation: Any
    plan: Plan = DECIDE_ALL


class Contest:
    """Two sides about to fight.

    Args:
        system: whose rules hold.
        sides: the two sides.
        rulings: the readings in force.
        first: who goes first; by default initiative, where the rules know it, else a coin.
        objective: what open choices are decided for, exchange by exchange.
        threshold: a point is spent only for a gain above this.

    Raises:
        SetupError: the system knows no fights, a side is empty, or there is no initiative.
    """

    def __init__(
        self,
        system: System[Facts],
        sides: tuple[Side, Side],
        rulings: Rulings,
        *,
        first: First | None = None,
        objective: Objective[Facts] | None = None,
        threshold: int = 0,
    ) -> None:
        self.system = system
        self.fight: AnyFight = fight_of(system)
        self.sides = sides
        self.rulings = rulings
        knows = self.fight.initiative is not None
        self.first: First = first or ("initiative" if knows else "coin")
        self.objective = objective or objective_named(system)
        self.threshold = threshold
        if self.first == "initiative" and not knows:
            raise SetupError(f"{system.id} knows no initiative; who goes first: one, other or coin")
        for side in sides:
            if not side.fighters:
                raise SetupError(f"side {side.name!r} has no fighters; needed is at least one")
        self.on_matchup: Callable[[Matchup], None] | None = None
        self._matchups: dict[tuple[int, Hashable, Hashable], Matchup] = {}

    @cached_property
    def sheets(self) -> tuple[tuple[int, Hashable], ...]:
        """Every fighter: the number of the side and the sheet, the first side first."""
        return tuple((n, sheet) for n, side in enumerate(self.sides) for sheet in side.fighters)

    def enter(self, side: int, sheet: Hashable) -> Hashable:
        """The condition with which a fighter of a side comes into the fight."""
        condition = self.fight.enter(sheet, self.rulings)
        plan = self.sides[side].plan
        spends = plan.rest == "any" or any(
            step in self.fight.spends_at and names != ("none",) for step, names in plan.habits
        )
        return condition if spends else self.fight.frugal(sheet, condition)

    def matchup(self, side: int, actor: Hashable, target: Hashable) -> Matchup:
        """Exchanges of one fighter of a side with another: a foe, or a friend."""
        key = (side, actor, target)
        known = self._matchups.get(key)
        if known is None:
            own = self.sides[side]
            foe = self.sides[1 - side]
            setup = replace(own.situation, attacker=actor, defender=target)
            plans = Both(own.plan, foe.plan, self.system.actors[0])
            known = self._matchups[key] = Matchup(
                self.system, setup, self.rulings, plans, self.objective, self.threshold
            )
            if self.on_matchup is not None:
                self.on_matchup(known)
        return known

    def forget(self) -> None:
        """Drop everything that was worked out."""
        self._matchups.clear()

    def matchups(self) -> tuple[Matchup, ...]:
        """Every matchup that came up so far."""
        return tuple(self._matchups.values())


def opening_plans(contest: Contest) -> tuple[Plan, Plan]:
    """Plans that keep up what is best in the opening exchange, spending nothing.

    The first fighters of both sides, as they come, attack each other once; whatever either of
    them then decides without looking at dice becomes a habit.
    """
    sides = [side._replace(plan=Plan("free", side.plan.habits)) for side in contest.sides]
    frugal = Contest(
        contest.system, (sides[0], sides[1]), contest.rulings,
        first=contest.first, objective=contest.objective,
    )  # fmt: skip
    fight, actors = contest.fight, contest.system.actors
    found: list[list[tuple[str, tuple[str, ...]]]] = [[], []]
    for number in (0, 1):
        actor, target = sides[number].fighters[0], sides[1 - number].fighters[0]
        one, two = frugal.enter(number, actor), frugal.enter(1 - number, target)
        matchup = frugal.matchup(number, actor, target)
        deeds = [deed for deed in fight.deeds(actor, one) if deed.on == "foe"]
        at = deeds and matchup.start(
            deeds[0].name, fight.shown(one), fight.shown(two), fight.held(two), fight.context(())
        )
        if not at:
            continue
        try:
            solution = solve(Game(contest.system, at, {}, matchup.plans), contest.objective)
            decided = habits(solution)
        except SetupError:
            continue
        found[number] += decided.get(actors[0], ())
        found[1 - number] += decided.get(actors[1], ())
    plans = [
        Plan("free", (*side.plan.habits, *own)) for side, own in zip(sides, found, strict=True)
    ]
    return plans[0], plans[1]
