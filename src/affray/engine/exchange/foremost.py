"""The best option before dice are rolled, without the worth of all others.

Before the dice there is a tree of decisions by both sides. An option of one side is out as soon as
the other side has an answer that makes it no better than an option already found, so most of the
tree is never looked at; nor are options that hints call outdone. Rolls are solved as ever. Where
options are worth the same, the first one is taken, as if all had been looked at.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Protocol, TypeAlias

from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.core.node import At, Choice, Facts, Go, Option, Step
from affray.core.system import Objective
from affray.engine.exchange.faults import check_asked
from affray.engine.exchange.game import Game, considered, settled_option

__all__ = ["Foremost"]

_Bound: TypeAlias = "Fraction | None"
"""A worth that must be passed to make a difference; None: there is none."""


class Solved(Protocol):
    """A solution, as far as decisions before the dice ask it: see `engine.exchange.best`."""

    game: Game

    @property
    def objective(self) -> Objective[Facts]:
        """The single objective."""

    @property
    def stops(self) -> Collection[Step[Facts]]:
        """The steps from which on nothing that is wanted changes any more."""

    def plain(self, at: At[Facts]) -> At[Facts]:
        """A place without what the objectives don't need."""

    def value_at(self, at: At[Facts]) -> Fraction:
        """The value of a place."""

    def wish_of(self, actor: str) -> tuple[Objective[Facts], int]:
        """The objective of an actor, and whether it wants more (1) or less (-1)."""


class _Decision(NamedTuple):
    """An open choice before the dice: its options, and whether they are made for more (1)."""

    at: At[Facts]
    sign: int
    favors: dict[str, int]
    options: Sequence[Option[Facts]]


class Foremost:
    """Decisions before the dice of exchanges that one solution knows.

    Args:
        solution: with a single objective, for which nothing is charged for what is spent.
    """

    def __init__(self, solution: Solved) -> None:
        self._solution = solution
        self._nodes: dict[At[Facts], _Decision | Fraction] = {}
        self._known: dict[At[Facts], tuple[_Bound, _Bound]] = {}
        self._favors: dict[tuple[str, str], dict[str, int]] = {}
        self._turn = 0
        hints = solution.game.system.hints
        self._outdone = hints.outdone.get(solution.objective.name, {})

    def pick(self, at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
        """The best option of a choice, the first of those that are worth the same."""
        decision = self._decision(at, choice)
        sign, options = decision.sign, decision.options
        best: _Bound = None
        first = -1
        for number in _in_order(decision):
            there = options[number].at
            worth = self._worth(there, *_window(best, None, sign))
            if best is not None and worth == best and number < first:
                worth = self._worth(there, None, None)  # it may be less
                if worth == best:
                    first = number
            elif best is None or _gains(worth, best, sign):
                best, first = worth, number
        self._favor(decision, options[first])
        return options[first]

    def _worth(self, at: At[Facts], low: _Bound, high: _Bound) -> Fraction:
        """The worth of a place if it lies between bounds; else something on the same side."""
        node = self._node(at)
        if isinstance(node, Fraction):
            return node
        least, most = self._known.get(node.at, (None, None))
        if least is not None and (least == most or (high is not None and least >= high)):
            return least
        if most is not None and low is not None and most <= low:
            return most
        meter_in_force().tick()
        sign, options = node.sign, node.options
        own, other = (low, high) if sign > 0 else (high, low)
        best: _Bound = None
        for number in _in_order(node):
            worth = self._worth(options[number].at, *_window(own, other, sign))
            if best is not None and not _gains(worth, best, sign):
                continue
            best = worth
            if own is None or _gains(worth, own, sign):
                own = worth
                self._favor(node, options[number])
            if other is not None and not _gains(other, worth, sign):
                break
        assert best is not None  # a choice has options
        if low is None or best > low:
            least = best
        if high is None or best < high:
            most = best
        self._known[node.at] = least, most
        return best

    def _node(self, at: At[Facts]) -> _Decision | Fraction:
        """The next open choice from a place on; what the place is worth if there is none."""
        node = self._nodes.get(at)
        if node is None:
            node = self._nodes[at] = self._followed(at)
        return node

    def _followed(self, at: At[Facts]) -> _Decision | Fraction:
        """The next open choice from a place on, or its worth; plainer places on the way are kept.

        Many exchanges come to the same place once their numbers stand.
        """
        solution, passed = self._solution, list[At[Facts]]()
        found: _Decision | Fraction | None = None
        while found is None and at.step not in solution.stops:
            plain = solution.plain(at)
            if plain is not at:
                at = plain
                found = self._nodes.get(at)
                if found is not None:
                    break
                passed.append(at)
            node = at.step.rule(at.facts)
            if isinstance(node, Go):
                at = At(*node)
                continue
            if not isinstance(node, Choice):
                break
            check_asked(solution.game.system, at.step, node)
            settled = settled_option(solution.game, at, node)
            if settled is None:
                found = self._decision(at, node)
            else:
                at = settled.at
        if found is None:
            found = solution.value_at(at)
        for place in passed:
            self._nodes[place] = found
        return found

    def _decision(self, at: At[Facts], choice: Choice[Facts]) -> _Decision:
        favors = self._favors.setdefault((at.step.name, choice.actor), {})
        _, sign = self._solution.wish_of(choice.actor)
        options = considered(self._solution.game, at, choice)
        worse = self._outdone.get(at.step)
        if worse is not None:
            names = {option.name for option in options}
            options = tuple([
                option for option in options if worse.get(option.name, "") not in names
            ])  # fmt: skip
        return _Decision(at, sign, favors, options)

    def _favor(self, decision: _Decision, option: Option[Facts]) -> None:
        """Look at an option first from now on: what was best here is often best there."""
        self._turn += 1
        decision.favors[option.name] = self._turn


def _gains(worth: Fraction, known: Fraction, sign: int) -> bool:
    """Whether a worth is better than a known one for somebody who wants more (1) or less."""
    return worth > known if sign > 0 else worth < known


def _window(own: _Bound, other: _Bound, sign: int) -> tuple[_Bound, _Bound]:
    """The bounds for an option: of who decides, who wants more (1) or less, and of the other."""
    return (own, other) if sign > 0 else (other, own)


def _in_order(decision: _Decision) -> list[int]:
    """The options of a choice, those first that were best of late."""
    favors, options = decision.favors, decision.options
    return sorted(range(len(options)), key=lambda number: -favors.get(options[number].name, 0))
