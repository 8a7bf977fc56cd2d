"""One fighter's exchanges with another: worked out once for all conditions that look alike.

An exchange is declared with what is held back unknown. Conditions that declare the same facts
share one row: effects on both, with integer weights. Only where a step looks at what was held
back does the row differ with it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import fields, is_dataclass, replace
from math import lcm
from typing import NamedTuple, TypeVar

from affray.core.errors import AffrayError, RulesError, SetupError
from affray.core.fight import UNKNOWN, Deed, Fight, Scene
from affray.core.node import At, Choice, Facts, Option
from affray.core.ruling import Rulings
from affray.core.step import Objective, System
from affray.engine.best import solve
from affray.engine.flow import Decide, flow
from affray.engine.game import Game, settled_option
from affray.engine.policy import Both

__all__ = ["AnyFight", "Matchup", "Row", "fight_of", "filled"]

T = TypeVar("T")

AnyFight = Fight[Facts, Hashable, Hashable, Hashable, Hashable]
Weights = dict[tuple[Hashable, Hashable], int]


class Row(NamedTuple):
    """What an exchange does: (effect on the actor, effect on the target) with weights."""

    effects: tuple[tuple[Hashable, Hashable], ...]
    weights: tuple[int, ...]
    total: int


class Open(AffrayError):  # noqa: N818  # no error: asks for a solver
    """A choice is open: nobody's plan decides it."""


def fight_of(system: System[Facts]) -> AnyFight:
    """What a system says about fights.

    Raises:
        SetupError: it says nothing.
    """
    if system.fight is None:
        raise SetupError(f"{system.id} says nothing about fights; it knows single exchanges only")
    return system.fight


def filled(facts: T, value: object) -> T:
    """The same facts with what is unknown filled in, however deep it lies."""
    if facts is UNKNOWN:
        return value  # type: ignore[return-value]  # what stood there was as unknown to mypy
    if isinstance(facts, tuple):
        parts = [filled(part, value) for part in facts]
        if all(new is old for new, old in zip(parts, facts, strict=True)):
            return facts
        return tuple.__new__(type(facts), parts)
    if is_dataclass(facts) and not isinstance(facts, type):
        old = {field.name: getattr(facts, field.name) for field in fields(facts)}
        new = {name: filled(part, value) for name, part in old.items()}
        changed = {name: part for name, part in new.items() if part is not old[name]}
        return replace(facts, **changed) if changed else facts
    return facts


class Matchup:
    """Exchanges of one fighter as actor with another as target.

    Args:
        system: whose rules hold.
        setup: sheets of both and the situation.
        rulings: the readings in force.
        plans: what either side takes into consideration.
        objective: what open choices are decided for, exchange by exchange; zero-sum.
        threshold: a point is spent only for a gain above this.
    """

    def __init__(
        self,
        system: System[Facts],
        setup: Hashable,
        rulings: Rulings,
        plans: Both,
        objective: Objective[Facts],
        threshold: int = 0,
    ) -> None:
        self.system = system
        self.fight = fight_of(system)
        self.setup = setup
        self.rulings = rulings
        self.plans = plans
        self.objective = objective
        self.threshold = threshold
        self._rows: dict[At[Facts], Row] = {}
        self._fronts: dict[At[Facts], _Front] = {}
        self._starts: dict[tuple[Hashable, ...], At[Facts] | None] = {}

    def start(
        self, deed: str, actor: Hashable, target: Hashable, held: object, context: Hashable = None
    ) -> At[Facts] | None:
        """The first place of an exchange; None where the rules refuse the declaration."""
        key = (deed, actor, target, held, context)
        if key not in self._starts:
            scene = Scene(self.setup, deed, actor, target, held, context, self.rulings)
            try:
                self._starts[key] = self.fight.declare(scene)
            except SetupError:
                self._starts[key] = None
        return self._starts[key]

    def row(
        self, deed: Deed, actor: Hashable, target: Hashable, context: Hashable = None
    ) -> Row | None:
        """The row of an exchange between two conditions, or None where it can't be.

        Rows that are the same are the same object.
        """
        fight = self.fight
        one, other = fight.shown(actor), fight.shown(target)
        at = self.start(deed.name, one, other, UNKNOWN, context)
        if at is None:
            return None
        front = self._fronts.get(at)
        if front is None:
            try:
                front = self._front(at)
            except SetupError:
                # The rules refuse it at a later step.
                self._starts[deed.name, one, other, UNKNOWN, context] = None
                return None
            self._fronts[at] = front
        if front.row is not None:
            return front.row
        held = fight.held(target)
        known = front.by_held.get(held)
        if known is None:
            if front.is_open:
                real = self.start(deed.name, one, other, held, context)
                if real is None:
                    return None
                known = self._rows.get(real)
                if known is None:
                    known = self._rows[real] = self._solved(real)
            else:
                known = self._joined(front, held)
            front.by_held[held] = known
        return known

    def _game(self, at: At[Facts]) -> Game:
        return Game(self.system, at, {}, self.plans)

    def _front(self, at: At[Facts]) -> _Front:
        """The exchange up to where something unknown is looked at."""
        looks: list[tuple[At[Facts], int, int]] = []
        game = self._game(at)
        try:
            ended = flow(
                game, _closed(game), needed=self.fight.needed,
                looked=lambda place, weight, total: looks.append((place, weight, total)),
            )  # fmt: skip
        except Open:
            return _Front(None, {}, [], {}, is_open=True)
        if not looks:
            return _Front(self._merged([(ended, 1, 1)]), ended, looks, {}, is_open=False)
        return _Front(None, ended, looks, {}, is_open=False)

    def _joined(self, front: _Front, held: object) -> Row:
        """The row of an exchange for one value of what is held back."""
        parts = [(front.ended, 1, 1)]
        for place, weight, total in front.looks:
            at = At(place.step, filled(place.facts, held))
            game = self._game(at)
            parts.append((flow(game, _closed(game), needed=self.fight.needed), weight, total))
        return self._merged(parts)

    def _solved(self, at: At[Facts]) -> Row:
        game = self._game(at)
        decide = solve(game, self.objective, threshold=self.threshold).decide
        return self._merged([(flow(game, decide, needed=self.fight.needed), 1, 1)])

    def _merged(self, parts: Sequence[tuple[dict[int, dict[Facts, int]], int, int]]) -> Row:
        effect = self.fight.effect
        common = lcm(*[total * over for ended, _, over in parts for total in ended])
        weights: Weights = {}
        for ended, times, over in parts:
            for total, finals in ended.items():
                scale = common // (total * over) * times
                for facts, weight in finals.items():
                    pair = effect(facts, "actor"), effect(facts, "target")
                    weights[pair] = weights.get(pair, 0) + weight * scale
        if sum(weights.values()) != common:
            raise RulesError(f"{self.system.id}: the outcomes of an exchange don't add up to one")
        return Row(tuple(weights), tuple(weights.values()), common)


class _Front(NamedTuple):
    """An exchange as far as it goes without what is held back."""

    row: Row | None
    ended: dict[int, dict[Facts, int]]
    looks: list[tuple[At[Facts], int, int]]
    by_held: dict[Hashable, Row]
    is_open: bool


def _closed(game: Game) -> Decide:
    def decide(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
        option = settled_option(game, at, choice)
        if option is None:
            raise Open
        return option

    return decide
