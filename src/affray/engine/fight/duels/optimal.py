"""A duel in which both sides decide optimally, with the whole fight in view.

Every exchange is followed into a tree with all its choices (`tree`); what is picked in them is
improved until nobody gains (`strategy`). For fixed picks a best duel is a duel like any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from affray.core.node import At, Choice, Facts, Go
from affray.core.unknown import Looked, filled, is_look
from affray.engine.budget import Budget, spending
from affray.engine.exchange.game import considered
from affray.engine.fight.contest import Contest
from affray.engine.fight.duels.duel import Start
from affray.engine.fight.duels.strategy import States, Strategy, TreeDuel
from affray.engine.fight.duels.sweep import Sweep

__all__ = ["BestDuel", "Opening"]

Floats = NDArray[np.float64]


class Opening(NamedTuple):
    """A choice before the first roll of the duel, and what each option is worth.

    Attributes:
        side: whose choice it is.
        step, ask: where it is made, and the question.
        values: for each option the probability that the first side wins, draws, ends by rule and
            fights without end counting one half.
        best: what is picked.
        case: the way to begin, as in `DuelResult.cases`.
    """

    side: int
    step: str
    ask: str
    values: tuple[tuple[str, float], ...]
    best: str
    case: str


class BestDuel(TreeDuel):
    """A duel in which both sides decide for the whole fight; made like `Duel`.

    The first side wants to win, a draw, an end by rule and a fight without end counting one half;
    the second side wants the opposite. Both keep to their plans, and know nothing of an objective,
    a threshold or a limit of rounds. So in `at_round` both chances count what neither wins half.
    `DuelResult.residual` is also the most that either side could gain by other picks in any one
    exchange, wherever the duel stands.
    """

    def __init__(self, contest: Contest, *, budget: Budget | None = None) -> None:
        self._solved: dict[object, Strategy] = {}
        super().__init__(contest, budget=budget)

    def opening(self) -> tuple[Opening, ...]:
        """The choices before the first roll, along what is picked, for every case by name.

        Of several ways to begin with one name (initiative that depends on dice) it is the
        likeliest.
        """
        with spending(self.budget):
            return tuple(self._every_opening())

    def _every_opening(self) -> list[Opening]:
        starts = list(self._starts())
        found: list[Opening] = []
        for name in dict.fromkeys(start.case.name for start in starts):
            named = [start for start in starts if start.case.name == name]
            likeliest = max(named, key=lambda start: start.case.chance)
            found += self._openings(self._strategy(likeliest.leads), name)
        return found

    @cached_property
    def _sweeps(self) -> tuple[tuple[Sweep, list[Start]], ...]:
        return tuple((self._strategy(start.leads).sweep, [start]) for start in self._starts())

    def _round_values(self, leads: Floats | float, before: tuple[int, ...]) -> Floats:
        assert not any(before)  # strategies know no interludes
        worth = self._strategy(leads).values[0]
        return np.stack([0.5 + worth, 0.5 - worth], -1)

    def _strategy(self, leads: Floats | float) -> Strategy:
        key = leads if isinstance(leads, float) else leads.tobytes()
        if key not in self._solved:
            strategy = Strategy(self, leads)
            if self._solved:
                strategy.begin_like(next(reversed(self._solved.values())))
            strategy.solve()
            self._solved[key] = strategy
            self.residual = max(self.residual, strategy.residual)
        return self._solved[key]

    def _openings(self, strategy: Strategy, case: str) -> Iterator[Opening]:
        sweep = strategy.sweep
        numbers = [0]
        if sweep.offset:
            ahead = np.asarray(sweep.leads).ravel()[self.start_pair]
            orders = (0, ahead), (len(sweep.slots) // 2, 1 - ahead)
            numbers = [number for number, chance in orders if chance > 0]
        for number in numbers:
            for states in strategy.states[number]:
                columns = np.nonzero(strategy.pairs_of(states) == self.start_pair)[0]
                for column in columns.tolist():
                    yield from _choices(strategy, states, column, case)


def _choices(strategy: Strategy, states: States, column: int, case: str) -> Iterator[Opening]:
    """Choices before the first roll of an exchange, in one of its states."""
    slot = strategy.sweep.slots[states.slot]
    actor = slot.actor.side
    attacks = strategy.attacks[slot.attacks]
    root = attacks.roots[states.attack]
    if root is None:
        return
    at, part = root
    tree, where = attacks.grove.tree(attacks.place(at, part)[0])
    picks = states.picks[:, [column]]
    ends = strategy.ends_of(states, strategy.values)[:, [column]]
    values, _ = tree.backward(ends, picks, (0, 0), 0.0)

    def place(at: At[Facts]) -> int:
        return where[attacks.place(at, part)[0]]

    while True:
        try:
            node = at.step.rule(at.facts)
        except (Looked, Exception) as error:
            if not is_look(error, at.facts, at.step.name):
                raise
            at = At(at.step, filled(at.facts, part))
            continue
        if isinstance(node, Go):
            at = node.at
        elif isinstance(node, Choice):
            options = considered(attacks.game, at, node)
            leads = [place(option.at) for option in options]
            best = options[0]
            if len(set(leads)) > 1:
                best = options[leads.index(tree.picked(place(at), picks[:, 0]))]
            if len(options) > 1:
                worth = (0.5 + float(values[lead, 0]) for lead in leads)
                rows = tuple((o.name, w) for o, w in zip(options, worth, strict=True))
                side = actor if node.actor == attacks.game.system.actors[0] else 1 - actor
                yield Opening(side, at.step.name, node.ask, rows, best.name, case)
            at = best.at
        else:
            return
