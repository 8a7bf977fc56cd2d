"""Look-ahead on random trees: near the exact value, and no worse than OpenSpiel's MCTS."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from affray.engine.advice.search import Search
from affray.engine.budget import Budget
from affray.engine.exchange.best import solve
from tests.engine import trees
from tests.engine.trees import Fork, Leaf, Roll, Tree, game_of
from tests.oracles.skirmish import Chosen, Ended, Node, Rolled, State

ATTACKER = trees.WISHES["attacker"]
SEEDS = range(6)
LOOKS = 600


def grown(rng: Random, depth: int, turn: int = 0) -> Tree:
    """A tree in which attacker, defender and dice take turns; worth from 0 to 1 at its ends."""
    if not depth:
        worth = Fraction(rng.randrange(9), 8)
        return Leaf(worth, 1 - worth)
    branches = tuple(grown(rng, depth - 1, turn + 1) for _ in range(3))
    if turn % 3 == 2:
        return Roll((1, 2, 1), branches)
    return Fork(("attacker", "defender")[turn % 3], branches, (0, 0, 0))


def lost_by_search(tree: Tree, seed: int) -> float:
    """How much worse than best the advised option is."""
    game = game_of(tree)
    advice = Search(game, ATTACKER, seed=seed, small=0).advise(budget=Budget(places=6 * LOOKS))
    rows = solve(game, ATTACKER).values(advice.at)
    return float(next(row.cost for row in rows if row.name == advice.best))


def test_advice_on_random_trees_costs_little() -> None:
    lost = [lost_by_search(grown(Random(seed), 5), seed) for seed in SEEDS]
    assert sum(lost) / len(lost) < 0.03
    assert max(lost) < 0.2


def node_of(tree: State) -> Node:
    """A node of a tree, as the oracle tells nodes."""
    if isinstance(tree, Leaf):
        return Ended(tree.attacker)
    if isinstance(tree, Roll):
        total = sum(tree.weights)
        rows = zip(tree.weights, tree.branches, strict=True)
        return Rolled(tuple((Fraction(weight, total), branch) for weight, branch in rows))
    assert isinstance(tree, Fork)
    side = ("attacker", "defender").index(tree.actor)
    return Chosen(side, tuple((str(n), branch) for n, branch in enumerate(tree.branches)))


def lost_by_open_spiel(mcts: Any, tree: Tree, seed: int) -> float:
    from numpy.random import RandomState

    from tests.oracles.spiel import spiel_game

    game = spiel_game(node_of, tree)
    rng = RandomState(seed)
    bot = mcts.MCTSBot(
        game, 1.0, LOOKS, mcts.RandomRolloutEvaluator(1, rng), random_state=rng, solve=False
    )
    taken = bot.step(game.new_initial_state())
    made = game_of(tree)
    return float(solve(made, ATTACKER).values(made.start)[taken].cost)


def test_open_spiel_advises_no_better() -> None:
    """OpenSpiel is no dependency of the tests."""
    mcts = pytest.importorskip("open_spiel.python.algorithms.mcts", exc_type=ImportError)
    ours, theirs = [], []
    for seed in SEEDS:
        tree = grown(Random(seed), 5)
        ours.append(lost_by_search(tree, seed))
        theirs.append(lost_by_open_spiel(mcts, tree, seed))
    assert sum(ours) <= sum(theirs) + 0.02 * len(ours)
