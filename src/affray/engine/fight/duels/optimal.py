"""A duel in which both sides decide optimally, with the whole fight in view.

Every exchange is followed into a tree with all its choices (`grove`, `tree`); what is picked in
them is improved until nobody gains (`strategy`). For fixed picks a best duel is a
duel like any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from itertools import count
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from affray.core.lazy import NamedTuple
from affray.core.node import At, Choice, Facts, Go
from affray.core.unknown import Looked, is_look
from affray.engine.budget import Budget, spending
from affray.engine.exchange.game import considered
from affray.engine.fight.contest import Contest
from affray.engine.fight.duels.ahead import always
from affray.engine.fight.duels.answers import Case
from affray.engine.fight.duels.beginning import Leads, Start, starts_of
from affray.engine.fight.duels.chunks import States
from affray.engine.fight.duels.duel import Ending
from affray.engine.fight.duels.picked import Picked, decided
from affray.engine.fight.duels.strategy import Strategy
from affray.engine.fight.duels.trees import TreeDuel

__all__ = ["BestDuel", "Opening"]

Floats = NDArray[np.float64]
_Course: TypeAlias = Iterator[tuple[Floats, Floats]]


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
        self._anywhere: dict[float | bytes, Strategy] = {}
        self._told: dict[str, tuple[Fraction, tuple[Opening, ...]]] = {}
        super().__init__(contest, budget=budget)

    def opening(self) -> tuple[Opening, ...]:
        """The choices before the first roll, along what is picked, for every case by name.

        Of several ways to begin with one name (initiative that depends on dice) it is the
        likeliest.
        """
        with spending(self.budget):
            return tuple(self._every_opening())

    def _every_opening(self) -> list[Opening]:
        assert self._picked  # that tells them
        names = dict.fromkeys(start.case.name for start in self._all_starts)
        return [opening for name in names for opening in self._told[name][1]]

    def _tell(self, some: list[Start], strategy: Strategy) -> None:
        """Note the openings of some ways to begin, of those with one name for the likeliest."""
        for name in dict.fromkeys(start.case.name for start in some):
            named = [n for n, start in enumerate(some) if start.case.name == name]
            begin = max(named, key=lambda n: some[n].case.chance)
            chance = some[begin].case.chance
            if name not in self._told or chance > self._told[name][0]:
                self._told[name] = chance, tuple(self._openings(strategy, begin, name))

    @cached_property
    def _all_starts(self) -> list[Start]:
        return list(starts_of(self.contest, self.duelists))

    @cached_property
    def _side_by_side(self) -> bool:
        """Whether who goes first depends on conditions: then ways to begin share states."""
        return any(always(start.leads) is None for start in self._all_starts)

    @cached_property
    def _picked(self) -> tuple[tuple[Picked, list[Case]], ...]:
        """The duel under what is picked, with its cases: ways to begin that share a name."""
        starts = self._all_starts
        verdicts = self.verdicts.ravel()
        together = [starts] if self._side_by_side else [[start] for start in starts]
        found = []
        for some in together:
            by_name: dict[str, Case] = {}
            for case in (start.case for start in some):
                known = by_name.get(case.name)
                chance = case.chance + (known.chance if known else 0)
                by_name[case.name] = case._replace(chance=chance)
            cases = list(by_name.values())
            shares = np.zeros((len(some), len(cases)))
            for row, start in zip(shares, some, strict=True):
                case = by_name[start.case.name]
                row[cases.index(case)] = float(start.case.chance / case.chance)
            strategy = self._strategy(some)
            strategy.solve()
            self.residual = max(self.residual, strategy.residual)
            self._tell(some, strategy)
            picks = decided(strategy)
            del strategy  # it takes much memory
            found.append((Picked(picks, self.start_pair, shares, verdicts), cases))
            del picks  # as much again
        return tuple(found)

    @cached_property
    def _ends(self) -> tuple[Ending, ...]:
        found = []
        for picked, cases in self._picked:
            visits = picked.visits
            self.residual = max(self.residual, visits.residual)
            over, among = picked.last(visits.over)
            found.append(Ending(cases, over, visits.rounds, among))
        return tuple(found)

    def _courses(self) -> Iterator[tuple[list[Case], bool, _Course]]:
        for picked, cases in self._picked:
            rounds = (
                (picked.by_pair(picked.rounds, on), picked.by_pair(picked.ends, over))
                for on, over in picked.by_round()
            )
            yield cases, picked.begins, rounds

    def _rounds(self) -> Iterator[tuple[list[Case], _Course]]:
        for picked, cases in self._picked:
            yield cases, _verdicts(picked)

    @property
    def _n_states(self) -> int:
        return max(picked.n_states for picked, _ in self._picked)

    def _by_pair(self, start: Start) -> Floats:
        """How likely side one goes first with each pair of conditions."""
        shape = tuple(len(duelist.conditions) for duelist in self.duelists)
        return np.broadcast_to(np.asarray(start.leads, np.float64), shape)

    def _round_values(self, leads: Leads | float, before: tuple[int, ...]) -> Floats:
        assert not any(before)  # strategies know no interludes
        key = leads if isinstance(leads, float) else np.asarray(leads).tobytes()
        strategy = self._anywhere.get(key)
        if strategy is None:
            begins = leads if isinstance(leads, float) else [np.asarray(leads)]
            strategy = self._anywhere[key] = Strategy(self, begins, everywhere=True)
            strategy.solve()
            self.residual = max(self.residual, strategy.residual)
        worth = np.zeros(self.n_pairs)
        worth[strategy.spots.pair] = strategy.values[0]
        return np.stack([0.5 + worth, 0.5 - worth], -1)

    def _strategy(self, some: list[Start]) -> Strategy:
        """The picks for some ways to begin that share states."""
        if len(some) > 1:
            return Strategy(self, [self._by_pair(start) for start in some])
        first = always(some[0].leads)
        return Strategy(self, [some[0].leads] if first is None else first)

    def _openings(self, strategy: Strategy, begin: int, case: str) -> Iterator[Opening]:
        sweep = strategy.sweep
        numbers = [0]
        if sweep.offset:
            ahead = strategy.leads[strategy.spots.of[self.start_pair, begin]]
            orders = (0, ahead), (len(sweep.slots) // 2, 1 - ahead)
            numbers = [number for number, chance in orders if chance > 0]
        for number in numbers:
            found = strategy.found(number, self.start_pair, begin)
            if found is not None:
                yield from _choices(strategy, *found, case)


def _verdicts(picked: Picked) -> _Course:
    """For each round how likely the fight goes on, and the verdicts by then."""
    for number in count():
        if number == len(picked.on):
            picked.go_on()
        yield picked.on[number], picked.ended[number]


def _choices(strategy: Strategy, states: States, column: int, case: str) -> Iterator[Opening]:
    """Choices before the first roll of an exchange, in one of its states."""
    slot = strategy.sweep.slots[states.slot]
    actor = slot.actor.side
    attacks = strategy.attacks[slot.attacks]
    root = attacks.roots[states.attack]
    if root is None:
        return
    at = root.start.at
    tree, where = attacks.grove.tree(attacks.place(at, root))
    picks = states.picks[:, [column]]
    ends = strategy.ends_of(states)[:, [column]]
    values, _ = tree.backward(ends, picks, (0, 0), 0.0)

    def place(at: At[Facts]) -> int:
        return where[attacks.place(at, root)]

    while True:
        try:
            node = at.step.rule(at.facts)
        except (Looked, Exception) as error:
            if not is_look(error, at.facts, at.step.name):
                raise
            at = root.looked(at)
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
