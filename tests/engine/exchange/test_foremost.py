"""Options before the dice: the first of the best is taken without a look at all others."""

import random
from fractions import Fraction
from typing import Any

import pytest

from affray.core.hints import Hints
from affray.core.node import Choice
from affray.engine.exchange.best import Solution, solve
from tests.engine import trees
from tests.engine.trees import Fork, Leaf, Roll, Tree, game_of, name_of, place

ATTACKER = trees.WISHES["attacker"]


def worth(tree: Tree) -> Fraction:
    """What a tree comes to when both decide optimally."""
    if isinstance(tree, Leaf):
        return tree.attacker
    worths = [worth(branch) for branch in tree.branches]
    if isinstance(tree, Roll):
        rolled = zip(tree.weights, worths, strict=True)
        return sum((weight * each for weight, each in rolled), Fraction(0)) / sum(tree.weights)
    return max(worths) if tree.actor == "attacker" else min(worths)


def foremost(fork: Fork) -> str:
    """The first of the best branches."""
    worths = [worth(branch) for branch in fork.branches]
    best = max(worths) if fork.actor == "attacker" else min(worths)
    return name_of(worths.index(best))


def decided(solution: Solution, fork: Fork) -> str:
    """The option that a solution takes at a fork."""
    at = place(fork)
    choice = at.step.rule(at.facts)
    assert isinstance(choice, Choice)
    return solution.decide(at, choice).name


def grown(rng: random.Random, depth: int) -> Tree:
    """A tree in which both decide in any order, with few different worths."""
    if depth == 0 or rng.random() < 0.1:
        return Leaf(Fraction(rng.randint(-2, 2)), Fraction(0))
    branches = tuple(grown(rng, depth - 1) for _ in range(rng.randint(1, 4)))
    if rng.random() < 0.15:
        return Roll(tuple(rng.randint(1, 3) for _ in branches), branches)
    return Fork(rng.choice(trees.ACTORS), branches, (0,) * len(branches))


@pytest.mark.parametrize("seed", range(40))
def test_the_first_of_the_best_is_taken_in_whatever_order_it_is_asked(seed: int) -> None:
    rng = random.Random(seed)
    tree = Fork("attacker", tuple(grown(rng, 4) for _ in range(3)), (0, 0, 0))
    solution = solve(game_of(tree), ATTACKER)
    asked = list(trees.forks(tree))
    rng.shuffle(asked)
    for fork in asked:
        assert decided(solution, fork) == foremost(fork)


def test_of_equal_options_the_first_is_taken_though_another_was_best_before() -> None:
    low, high = (Leaf(Fraction(number), Fraction(0)) for number in (0, 1))
    late = Fork("attacker", (low, high, high), (0, 0, 0))
    even = Fork("attacker", (high, high, low), (0, 0, 0))
    tree = Fork("defender", (late, even), (0, 0))
    solution = solve(game_of(tree), ATTACKER)
    assert [decided(solution, fork) for fork in (late, even, late)] == [
        "branch 1", "branch 0", "branch 1",
    ]  # fmt: skip


def test_an_option_is_left_at_the_first_good_answer() -> None:
    def rolled(number: int) -> Roll:
        return Roll((1, 1), (Leaf(Fraction(number), Fraction(0)), Leaf(Fraction(9), Fraction(0))))

    answered = [[5, 6, 7, 8], *([[4, *range(10 * n, 10 * n + 9)] for n in range(2, 6)])]
    tree = Fork(
        "attacker",
        tuple(Fork("defender", tuple(map(rolled, row)), (0,) * len(row)) for row in answered),
        (0,) * len(answered),
    )
    solution = solve(game_of(tree), ATTACKER)
    assert decided(solution, tree) == "branch 0"
    looked_at = {4, 5, 6, 7, 8}  # all answers to the first option, and the first one to each other
    assert solution.followed == 3 * len(looked_at) + len(looked_at) + 1


@pytest.mark.parametrize("seed", range(10))
def test_what_is_spent_has_its_price_all_the_same(seed: int) -> None:
    rng = random.Random(seed)
    gains = [Fraction(rng.randint(0, 4)) for _ in range(4)]
    spends = tuple(rng.randint(0, 2) for _ in gains)
    fork = Fork("attacker", tuple(Leaf(gain, -gain) for gain in gains), spends)
    solution = solve(game_of(fork), ATTACKER, threshold=1)
    net = [gain - spent for gain, spent in zip(gains, spends, strict=True)]
    assert decided(solution, fork) == name_of(net.index(max(net)))


def test_an_option_that_hints_call_outdone_is_not_looked_at() -> None:
    fork = Fork("attacker", tuple(Leaf(Fraction(n), Fraction(0)) for n in (3, 2, 1)), (0, 0, 0))
    game = game_of(fork)
    hints = Hints[Any, Any, Any](
        outdone={ATTACKER.name: {trees.walk: {"branch 1": "branch 0", "branch 2": "branch 3"}}}
    )
    solution = solve(game._replace(system=game.system.with_hints(hints)), ATTACKER)
    assert decided(solution, fork) == "branch 0"
    assert solution.followed == 2, "without branch 1; nothing outdoes branch 2, which is no option"
    costs = [option.cost for option in solution.values(game.start)]
    assert costs == [0, 1, 2], "who asks for all values gets them"
