"""Walking through an exchange by its rules, from roll to roll and decision to decision."""

from __future__ import annotations

from random import Random

from affray.core.errors import RulesError
from affray.core.node import At, Chance, Choice, End, Facts, Go, Step, fill
from affray.engine.exchange.faults import check_asked
from affray.engine.exchange.flow import Decide
from affray.engine.exchange.game import Game, settled_option

__all__ = ["MOST_STEPS", "Resting", "Walk"]

MOST_STEPS = 100_000
"""Steps of one way through an exchange."""

Resting = Chance[Facts] | Choice[Facts] | End[Facts]
"""What a walk comes to rest at: a roll, an open choice, or the end."""


class Walk:
    """Follows the rules of one exchange, and throws its dice.

    Args:
        game: the exchange; choices that are settled beforehand stay settled.
        stops: steps at which nothing that is wanted changes any more.
        random: throws the dice.

    Attributes:
        places: how many rules were applied.
    """

    def __init__(self, game: Game, stops: frozenset[Step[Facts]], random: Random) -> None:
        self.game = game
        self.random = random
        self.places = 0
        self._stops = stops

    def resting(self, step: Step[Facts], facts: Facts) -> tuple[At[Facts], Resting]:
        """Where the rules lead from here, up to a roll, an open choice or the end.

        Raises:
            RulesError: a hundred thousand steps without any of them.
        """
        game = self.game
        for _ in range(MOST_STEPS):
            if step in self._stops:
                return At(step, facts), End(facts)
            self.places += 1
            node = step.rule(facts)
            if isinstance(node, Go):
                step, facts = node.step, node.facts
                continue
            if isinstance(node, Choice):
                check_asked(game.system, step, node)
                settled = settled_option(game, At(step, facts), node)
                if settled is None:
                    return At(step, facts), node
                step, facts = settled.at
            elif isinstance(node, Chance):
                check_asked(game.system, step, node)
                if node.dice.size:
                    return At(step, facts), node
                step, facts = fill(node.then, node.into, node.read(()))
            else:
                return At(step, facts), node
        raise RulesError(f"step {step.name}: {MOST_STEPS} steps without a question")

    def thrown(self, node: Chance[Facts]) -> At[Facts]:
        """Where a throw of the dice leads."""
        throw = self.random.choices
        faces = tuple([throw(die.faces, die.weights)[0] for die in node.dice.dice])
        return fill(node.then, node.into, node.read(faces))

    def to_the_end(self, at: At[Facts], decide: Decide) -> Facts:
        """The outcome of one play from a place on.

        Raises:
            RulesError: a hundred thousand rolls and decisions without an end.
        """
        for _ in range(MOST_STEPS):
            at, node = self.resting(*at)
            if isinstance(node, End):
                outcome: Facts = node.outcome
                return outcome
            at = self.thrown(node) if isinstance(node, Chance) else decide(at, node).at
        raise RulesError(f"step {at.step.name}: {MOST_STEPS} rolls and decisions without an end")
