"""Best: backward induction against minimax, whole strategies and habits written out here."""

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import prod
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.app.inputs.setups import load
from affray.core.actor import Actor
from affray.core.errors import LimitError, RulesError, SetupError, UnknownNameError
from affray.core.node import At, Choice, Facts, Option
from affray.core.system import Objective
from affray.engine.budget import Budget
from affray.engine.exchange.best import Solution, Valued, objective_named, solve
from affray.engine.exchange.decisions import decisions
from affray.engine.exchange.flow import Decide
from affray.engine.exchange.game import Game
from affray.engine.exchange.keeping import forget_kernels
from affray.engine.exchange.odds import odds, outcomes
from tests.engine import toy, trees, veils
from tests.engine.toy import DAMAGE, LOOT, SPARE, always, duel, facts_of, fewest_states, wish
from tests.engine.trees import TREES, Fork, Leaf, Roll, Tree, game_of, name_of, place

ATTACKER, DEFENDER = trees.WISHES["attacker"], trees.WISHES["defender"]
SIDES = {"attacker": 0, "defender": 1}
THRESHOLDS = st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1), Fraction(5, 3)])


# -- minimax, written out --------------------------------------------------------------------


@dataclass(frozen=True)
class Minimax:
    """What a tree comes to when both sides decide optimally.

    Attributes:
        zero_sum: whether the defender only wants the attacker to get little.
        threshold: what a point must gain.
    """

    zero_sum: bool = True
    threshold: Fraction = Fraction(0)

    def worth(self, tree: Tree) -> tuple[Fraction, Fraction]:
        """To attacker and defender."""
        return self.followed(tree, "", 0)

    def followed(self, tree: Tree, actor: str, habit: int) -> tuple[Fraction, Fraction]:
        """The same when `actor` takes branch `habit` wherever there is such a branch."""
        if isinstance(tree, Leaf):
            return (tree.attacker, -tree.attacker if self.zero_sum else tree.defender)
        if isinstance(tree, Fork):
            bound = tree.actor == actor and habit < len(tree.branches)
            taken = habit if bound else self.pick(tree)
            return self.followed(tree.branches[taken], actor, habit)
        worths = [self.followed(branch, actor, habit) for branch in tree.branches]
        shares = [Fraction(weight, sum(tree.weights)) for weight in tree.weights]
        attacker = sum(share * own for share, (own, _) in zip(shares, worths, strict=True))
        defender = sum(share * own for share, (_, own) in zip(shares, worths, strict=True))
        return (Fraction(attacker), Fraction(defender))

    def pick(self, fork: Fork) -> int:
        """The best branch; of equally good ones the first."""
        side = SIDES[fork.actor]
        best, wanted = 0, None
        for number, branch in enumerate(fork.branches):
            own = self.worth(branch)[side] - self.threshold * fork.spends[number]
            if wanted is None or own > wanted:
                best, wanted = number, own
        return best

    def met(self, tree: Tree, actor: str, chance: Fraction = Fraction(1)) -> Fraction:
        """How often `actor` has something to decide, on average."""
        if isinstance(tree, Leaf):
            return Fraction(0)
        if isinstance(tree, Fork):
            own = chance if tree.actor == actor and len(tree.branches) > 1 else Fraction(0)
            return own + self.met(tree.branches[self.pick(tree)], actor, chance)
        total = sum(tree.weights)
        parts = (
            self.met(branch, actor, chance * weight / total)
            for weight, branch in zip(tree.weights, tree.branches, strict=True)
        )
        return sum(parts, start=Fraction(0))


def solved(tree: Tree, *, zero_sum: bool, threshold: Fraction = Fraction(0)) -> Solution:
    return solve(game_of(tree), ATTACKER if zero_sum else trees.WISHES, threshold=threshold)


# -- values ----------------------------------------------------------------------------------


@given(TREES)
def test_zero_sum_value_is_minimax(tree: Tree) -> None:
    assert solved(tree, zero_sum=True).value == Minimax().worth(tree)[0]


@given(TREES)
def test_defenders_objective_in_a_zero_sum_exchange(tree: Tree) -> None:
    mirrored = solve(game_of(_mirrored(tree)), DEFENDER)
    assert mirrored.value == -Minimax().worth(tree)[0]


def _mirrored(tree: Tree) -> Tree:
    """The same tree with the worth to the defender opposite to that of the attacker."""
    if isinstance(tree, Leaf):
        return Leaf(tree.attacker, -tree.attacker)
    branches = tuple(_mirrored(branch) for branch in tree.branches)
    return tree._replace(branches=branches)


def test_a_value_is_worked_out_only_within_so_many_places() -> None:
    """A roll, six turns and six ends."""
    branches = tuple(Leaf(Fraction(n), Fraction(0)) for n in range(6))
    tree = Roll((1,) * 6, branches)
    for places, value in ((0, None), (12, None), (13, Fraction(5, 2)), (500, Fraction(5, 2))):
        solution = solve(game_of(tree), ATTACKER)
        assert solution.value_within(place(tree), places) == value
        forget_kernels()
    known = solve(game_of(tree), ATTACKER)
    assert known.value_at(place(branches[3])) == 3
    assert known.value_within(place(tree), 11) is None, "an end is known, twelve are not"
    assert known.value == Fraction(5, 2)
    assert known.value_within(place(tree), 0) == Fraction(5, 2)


def _positions(tree: Tree, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Fork]]:
    if isinstance(tree, Leaf):
        return
    if isinstance(tree, Fork):
        yield path, tree
    for number, branch in enumerate(tree.branches):
        yield from _positions(branch, (*path, number))


def _played(
    tree: Tree, strategy: Mapping[tuple[int, ...], int], path: tuple[int, ...] = ()
) -> Fraction:
    if isinstance(tree, Leaf):
        return tree.attacker
    if isinstance(tree, Fork):
        taken = strategy[path]
        return _played(tree.branches[taken], strategy, (*path, taken))
    total = sum(tree.weights)
    return sum(
        (
            _played(branch, strategy, (*path, number)) * Fraction(weight, total)
            for number, (weight, branch) in enumerate(zip(tree.weights, tree.branches, strict=True))
        ),
        start=Fraction(0),
    )


def _strategies(tree: Tree, actor: str) -> list[dict[tuple[int, ...], int]]:
    own = [(path, len(fork.branches)) for path, fork in _positions(tree) if fork.actor == actor]
    picks = product(*(range(size) for _, size in own))
    return [dict(zip((path for path, _ in own), row, strict=True)) for row in picks]


def _n_strategies(tree: Tree) -> int:
    return prod(len(fork.branches) for fork in trees.forks(tree))


@given(TREES.filter(lambda tree: _n_strategies(tree) <= 100))
def test_zero_sum_value_is_the_best_strategy_against_the_best_answer(tree: Tree) -> None:
    attackers, defenders = _strategies(tree, "attacker"), _strategies(tree, "defender")
    assert solved(tree, zero_sum=True).value == max(
        min(_played(tree, own | other) for other in defenders) for own in attackers
    )


@given(TREES)
def test_general_sum_values_are_those_of_backward_induction(tree: Tree) -> None:
    solution = solved(tree, zero_sum=False)
    worth = Minimax(zero_sum=False).worth(tree)
    assert (solution.value_at(place(tree), "attacker"), solution.value) == (worth[0], worth[0])
    assert solution.value_at(place(tree), "defender") == worth[1]


@given(TREES, st.booleans(), THRESHOLDS)
def test_threshold_is_what_a_point_must_gain(
    tree: Tree, zero_sum: bool, threshold: Fraction
) -> None:
    solution = solved(tree, zero_sum=zero_sum, threshold=threshold)
    worth = Minimax(zero_sum, threshold).worth(tree)
    assert solution.value == worth[0]
    if not zero_sum:
        assert solution.value_at(place(tree), "defender") == worth[1]


@pytest.mark.parametrize(
    ("gain", "threshold", "taken"),
    [
        (Fraction(1), Fraction(99, 100), "branch 1"),
        (Fraction(1), Fraction(101, 100), "branch 0"),
        (Fraction(1), Fraction(1), "branch 0"),  # a tie: the first, which costs nothing
        (Fraction(0), Fraction(0), "branch 0"),
        (Fraction(1, 10**9), Fraction(0), "branch 1"),
    ],
)
@pytest.mark.parametrize("actor", ["attacker", "defender"])
def test_point_is_spent_for_a_gain_above_the_threshold(
    actor: str, gain: Fraction, threshold: Fraction, taken: str
) -> None:
    sign = 1 if actor == "attacker" else -1
    fork = Fork(actor, (Leaf(Fraction(0), Fraction(0)), Leaf(sign * gain, -sign * gain)), (0, 1))
    solution = solved(fork, zero_sum=True, threshold=threshold)
    assert _decided(solution, fork) == taken
    (decision,) = decisions(solution)
    assert decision.situations[0].best == taken


def test_each_point_has_its_price() -> None:
    worths = (0, 2, 3)
    fork = Fork("attacker", tuple(Leaf(Fraction(w), Fraction(0)) for w in worths), (0, 1, 2))
    for threshold, taken in ((Fraction(1, 2), 2), (Fraction(5, 4), 1), (Fraction(5, 2), 0)):
        assert _decided(solved(fork, zero_sum=True, threshold=threshold), fork) == name_of(taken)


def test_options_are_valued_without_the_price() -> None:
    fork = Fork(
        "attacker", (Leaf(Fraction(0), Fraction(0)), Leaf(Fraction(1), Fraction(0))), (0, 1)
    )
    solution = solved(fork, zero_sum=True, threshold=Fraction(2))
    first, second = solution.values(place(fork))
    assert first == Valued("branch 0", "", Fraction(0), Fraction(1))
    assert second == Valued("branch 1", "", Fraction(1), Fraction(0))


# -- options ---------------------------------------------------------------------------------


def _decided(solution: Solution, fork: Fork) -> str:
    at = place(fork)
    choice = at.step.rule(at.facts)
    assert isinstance(choice, Choice)
    return solution.decide(at, choice).name


@given(TREES, st.booleans(), THRESHOLDS)
def test_decide_takes_the_first_of_the_best(
    tree: Tree, zero_sum: bool, threshold: Fraction
) -> None:
    solution = solved(tree, zero_sum=zero_sum, threshold=threshold)
    minimax = Minimax(zero_sum, threshold)
    for fork in trees.forks(tree):
        assert _decided(solution, fork) == name_of(minimax.pick(fork))


@given(TREES, st.booleans())
def test_options_have_the_value_of_what_follows(tree: Tree, zero_sum: bool) -> None:
    solution = solved(tree, zero_sum=zero_sum)
    minimax = Minimax(zero_sum)
    for fork in trees.forks(tree):
        side = SIDES[fork.actor]
        worths = [minimax.worth(branch)[side] for branch in fork.branches]
        sign = -1 if zero_sum and side else 1  # zero-sum: the attacker's sign for both
        assert solution.values(place(fork)) == tuple(
            Valued(name_of(number), "", sign * worth, max(worths) - worth)
            for number, worth in enumerate(worths)
        )


def test_values_where_there_is_no_choice() -> None:
    solution = solve(duel(), wish(DAMAGE))
    with pytest.raises(RulesError, match="step toss_coin leaves nothing to decide here"):
        solution.values(solution.game.start)


def test_actors_of_one_side_share_its_objective() -> None:
    # The second defender plays for the defender, somebody without an objective against the first.
    low, high = Leaf(Fraction(1), Fraction(5)), Leaf(Fraction(2), Fraction(9))
    for actor, taken in ((Actor("defender", 2), 1), (Actor("attacker", 2), 1), ("referee", 0)):
        fork = Fork(actor, (low, high), (0, 0))
        assert _decided(solved(fork, zero_sum=False), fork) == name_of(taken)


# -- decisions and habits --------------------------------------------------------------------


@given(TREES, st.booleans(), THRESHOLDS)
def test_chances_of_situations_add_up_to_how_often_one_decides(
    tree: Tree, zero_sum: bool, threshold: Fraction
) -> None:
    found = decisions(solved(tree, zero_sum=zero_sum, threshold=threshold))
    met = {decision.actor: sum(each.chance for each in decision.situations) for decision in found}
    minimax = Minimax(zero_sum, threshold)
    expected = {actor: minimax.met(tree, actor) for actor in trees.ACTORS}
    assert met == {actor: times for actor, times in expected.items() if times}
    assert all(decision.step == "walk" for decision in found)


@given(TREES, st.booleans())
def test_situations_name_the_first_option_that_costs_nothing(tree: Tree, zero_sum: bool) -> None:
    for decision in decisions(solved(tree, zero_sum=zero_sum)):
        for situation in decision.situations:
            free = [option.name for option in situation.options if option.cost == 0]
            assert situation.best == free[0]
            assert all(option.cost >= 0 for option in situation.options)


@given(TREES, st.booleans(), THRESHOLDS)
def test_habits_are_valued_by_taking_them_every_time(
    tree: Tree, zero_sum: bool, threshold: Fraction
) -> None:
    solution = solved(tree, zero_sum=zero_sum, threshold=threshold)
    minimax = Minimax(zero_sum, threshold)
    for decision in decisions(solution):
        side = SIDES[decision.actor]
        sign = -1 if zero_sum and side else 1
        best = minimax.worth(tree)[side]
        for valued in decision.always:
            branch = int(valued.name.removeprefix("branch "))
            worth = minimax.followed(tree, decision.actor, branch)[side]
            assert (valued.value, valued.cost) == (sign * worth, best - worth)
            assert valued.cost >= 0 or threshold or not zero_sum


def test_habit_of_one_side_does_not_bind_the_other() -> None:
    # Both decide at the same step; the attacker's habit of branch 1 leaves the defender free.
    leaves = [Leaf(Fraction(n), Fraction(-n)) for n in (4, 9, 3, 1)]
    under = (Fork("defender", (leaves[0], leaves[1]), (0, 0)),)
    tree = Fork("attacker", (*under, Fork("defender", (leaves[2], leaves[3]), (0, 0))), (0, 0))
    found = {decision.actor: decision for decision in decisions(solved(tree, zero_sum=True))}
    assert {v.name: v.value for v in found["attacker"].always} == {
        "branch 0": 4,
        "branch 1": 1,
    }
    assert {v.name: v.value for v in found["defender"].always} == {
        "branch 0": 4,
        "branch 1": 9,
    }


def test_decisions_come_in_the_order_of_the_book() -> None:
    # The defender's stance of this target is met before the attacker's reroll of the next.
    start = At(toy.SYSTEM.step_named("choose_stance"), toy.Duel((1, 1), 1, "cross", 5, 2))
    found = decisions(solve(duel()._replace(start=start), wish(DAMAGE)))
    assert [decision.step for decision in found] == ["choose_reroll", "choose_stance"]


def test_decisions_leave_out_what_is_settled_or_alone() -> None:
    game = duel(1, settled={"choose_stance": ("block",)})
    assert decisions(solve(game, wish(DAMAGE))) == ()
    open_game = duel(1, points=1, settled={"choose_stance": ("block",)})
    (decision,) = decisions(solve(open_game, wish(DAMAGE)))
    assert (decision.step, decision.actor, decision.ask) == ("choose_reroll", "attacker", "reroll?")
    assert decision.clauses == ("TY-4",)
    assert {option.name for option in decision.always} == {"keep", "reroll"}


def test_situations_are_sorted_by_what_the_decider_sees() -> None:
    (_, stance) = decisions(solve(duel(1, points=1), wish(DAMAGE)))
    seen = [tuple(value for _, value in situation.about) for situation in stance.situations]
    assert seen == sorted(seen)
    assert sum(situation.chance for situation in stance.situations) == 1
    assert {options.words for s in stance.situations for options in s.options} == {""}


# -- the duel --------------------------------------------------------------------------------


def block_or_gamble(die: int, guard: int) -> Fraction:
    """Damage when the defender, without armor, does what is best."""
    return min(Fraction(max(0, die - guard)), Fraction(2, 3) * die)


@pytest.mark.parametrize("worth", [0.5, 1.0, float("nan"), "1", None, Decimal(1), 1j])
def test_objectives_that_are_not_exact_are_refused(worth: Any) -> None:
    rough: Objective[Facts] = Objective("rough", "Roughly.", lambda x: worth, "attacker")
    message = f"toy: objective rough is worth {worth!r} .*must be an int or a Fraction"
    with pytest.raises(RulesError, match=re.escape(message).replace("\\.\\*", ".*")):
        _ = solve(duel(), rough).value
    exact: Objective[Facts] = Objective("exact", "Exactly.", lambda x: 1, "defender")
    with pytest.raises(RulesError, match="objective rough"):
        _ = solve(duel(), {"defender": exact, "attacker": rough}).value


def test_one_end_that_is_not_exact_is_enough() -> None:
    def half(x: Any) -> Any:
        return x.damage if x.damage < 3 else x.damage / 2

    rough: Objective[Facts] = Objective("rough", "Roughly.", half, "attacker")
    with pytest.raises(RulesError, match=r"rough is worth \d+\.\d \(float\)"):
        _ = solve(duel(), rough).value


def test_duel_by_hand() -> None:
    """One target without armor, one point: every roll in turn, no engine."""
    total = Fraction(0)
    for sides, share in ((8, Fraction(1, 3)), (6, Fraction(2, 3))):
        for guard in range(1, 5):
            worths = [block_or_gamble(die, guard) for die in range(1, sides + 1)]
            again = sum(worths, start=Fraction(0)) / sides
            total += sum(share / 4 / sides * max(worth, again) for worth in worths)
    assert solve(duel(points=1), wish(DAMAGE)).value == total


def value_of(game: Game, decide: Decide) -> Fraction:
    return odds(game, "damage", decide=decide).mean()


def sides(attacker: Decide, defender: Decide) -> Decide:
    """A policy for each side."""

    def decide(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
        return (attacker if choice.actor == "attacker" else defender)(at, choice)

    return decide


def erratic(seed: int) -> Decide:
    """A policy that decides each place at random, always in the same way."""

    def decide(at: At[Facts], choice: Choice[Facts]) -> Option[Facts]:
        return random.Random(f"{seed} {at!r}").choice(choice.options)

    return decide


DUEL = duel(1, 2, points=1)
DUEL_SOLVED = solve(DUEL, wish(DAMAGE))


def test_the_solved_policy_is_worth_its_value() -> None:
    assert value_of(DUEL, DUEL_SOLVED.decide) == DUEL_SOLVED.value


@pytest.mark.parametrize(
    "policy", [always("keep", "block"), always("reroll", "gamble"), *map(erratic, range(8))]
)
def test_no_other_policy_does_better(policy: Decide) -> None:
    best = DUEL_SOLVED.decide
    assert value_of(DUEL, sides(policy, best)) <= DUEL_SOLVED.value
    assert value_of(DUEL, sides(best, policy)) >= DUEL_SOLVED.value


def test_habit_of_the_duel_is_that_policy_against_the_best_answer() -> None:
    # A habit of the last decider can be priced by odds, as nobody answers it any more.
    game = duel(2, settled={"choose_reroll": ("keep",)})
    (stance,) = decisions(solve(game, wish(DAMAGE)))
    for valued in stance.always:
        assert valued.value == value_of(game, always(valued.name))
        assert valued.cost == valued.value - solve(game, wish(DAMAGE)).value


def test_settled_choices_stay_settled() -> None:
    game = duel(1, points=1, settled={"choose_reroll": ("reroll",)})
    solution = solve(game, wish(DAMAGE))
    assert solution.value == value_of(game, solution.decide)
    assert solution.value <= solve(duel(1, points=1), wish(DAMAGE)).value
    both = duel(1, points=1, settled={"choose_reroll": ("reroll",), "choose_stance": ("block",)})
    assert solve(both, wish(DAMAGE)).value == odds(both).mean()


def test_objective_that_is_settled_early_is_not_followed_to_the_end() -> None:
    late = wish(DAMAGE._replace(about=""))
    early = wish(DAMAGE)
    game = duel(1, points=1)
    assert solve(game, late).value == solve(game, early).value

    def places(objective: Objective[Facts]) -> int:
        def run(most: int) -> object:
            forget_kernels()
            return solve(game, objective, budget=Budget(places=most)).value

        return fewest_states(run)

    assert places(early) < places(late)


def test_objectives_settled_at_different_places() -> None:
    # Damage is settled before the loot: with both wishes the loot must be rolled.
    game = duel(1, points=1)
    solution = solve(game, {"attacker": wish(LOOT), "defender": wish(SPARE)})
    priced = outcomes(game, ("loot", "hits"), decide=solution.decide)
    assert solution.value == priced.map(lambda row: row[0]).mean()
    assert solution.value_at(game.start, "defender") == -priced.map(lambda row: row[1]).mean()


def test_general_sum_against_every_other_policy() -> None:
    game = duel(1, points=1)
    solution = solve(game, {"attacker": wish(LOOT), "defender": wish(SPARE)})
    for seed in range(6):
        other = sides(solution.decide, erratic(seed))
        assert -odds(game, "hits", decide=other).mean() <= solution.value_at(game.start, "defender")


@pytest.mark.parametrize(
    "utility",
    [
        lambda x: Fraction(x.damage, 3) + Fraction(x.hits, 7),
        lambda x: x.hits > 0,
    ],
    ids=["fraction", "truth value"],
)
def test_utilities_are_exact(utility: Any) -> None:
    game = duel(1, 2, settled=toy.BLOCK)
    value = solve(game, Objective("own", "Own.", utility, "attacker")).value
    joint = outcomes(game, ("damage", "hits")).fractions()
    worths = [
        chance * Fraction(utility(SimpleNamespace(damage=damage, hits=hits)))
        for (damage, hits), chance in joint.items()
    ]
    assert value == sum(worths)
    assert isinstance(value, Fraction)


# -- held aside ------------------------------------------------------------------------------


def everything(game: Game, objective: Any, threshold: Fraction) -> tuple[object, ...]:
    """Values, decisions and habits of an exchange."""
    solution = solve(game, objective, threshold=threshold)
    return (
        solution.value,
        solution.value_at(game.start, "attacker"),
        solution.value_at(game.start, "defender"),
        decisions(solution),
    )


@settings(max_examples=25)
@given(veils.VEILS, st.booleans(), THRESHOLDS)
def test_what_is_held_aside_changes_no_answer(
    veil: veils.Veil, zero_sum: bool, threshold: Fraction
) -> None:
    objective = veils.WISHES["attacker"] if zero_sum else veils.WISHES
    game = veils.game_of(veil)
    held = everything(game, objective, threshold)
    assert everything(veils.without_aside(game), objective, threshold) == held


BOTH = {"attacker": wish(DAMAGE), "defender": wish(SPARE)}


@pytest.mark.parametrize(
    ("targets", "objective", "threshold"),
    [
        ((1, 2), wish(DAMAGE), Fraction(1, 3)),
        ((1, 2), BOTH, Fraction(0)),
        ((0,), wish(LOOT), Fraction(0)),
        ((1,), BOTH, Fraction(1, 3)),
    ],
)
def test_duel_is_the_same_without_aside(
    targets: tuple[int, ...], objective: Any, threshold: Fraction
) -> None:
    game = duel(*targets, points=1)
    held = everything(game, objective, threshold)
    assert everything(veils.without_aside(game), objective, threshold) == held


def test_aside_saves_places() -> None:
    def places(game: Game) -> int:
        def solved(most: int) -> Fraction:
            forget_kernels()
            return solve(game, wish(DAMAGE), budget=Budget(places=most)).value

        return fewest_states(solved)

    game = duel(1, points=1)
    assert places(game) < places(veils.without_aside(game))


@settings(max_examples=25)
@given(veils.VEILS)
def test_veil_by_hand(veil: veils.Veil) -> None:
    """The way out, or the better side; a coin of 1 to 2; the answer that gives least."""

    def side(row: tuple[veils.Pair, ...], start: int) -> Fraction:
        worths = [pair[0] for pair in row]
        return sum(
            (
                share * min(worths[start + noise], worths[start + 2 + noise])
                for noise, share in ((0, Fraction(1, 3)), (1, Fraction(2, 3)))
            ),
            start=Fraction(0),
        )

    total = sum(veil.weights)
    expected = sum(
        Fraction(weight, total) * max(side(row, 0), side(row, 4), row[8][0])
        for row, weight in zip(veil.table, veil.weights, strict=True)
    )
    assert solve(veils.game_of(veil), veils.WISHES["attacker"]).value == expected


# -- limits and names ------------------------------------------------------------------------


def test_limit_is_told_when_a_value_is_asked_for() -> None:
    solution = solve(DUEL, wish(DAMAGE), budget=Budget(places=20))
    with pytest.raises(LimitError, match="toy: over 20 places to solve, at '") as caught:
        _ = solution.value
    assert caught.value.states == 21


def test_objective_by_name() -> None:
    system = toy.SYSTEM
    assert objective_named(system) == objective_named(system, "damage") == DAMAGE
    assert objective_named(system, "spare") == SPARE
    with pytest.raises(
        SetupError, match=r"no objective of toy is called 'glory'.*Known: damage, loot, spare"
    ):
        objective_named(system, "glory")


def test_to_win_is_wanted_of_a_whole_fight() -> None:
    """Of a game on a map as well, which is one exchange; of a combat by itself it isn't."""
    with pytest.raises(UnknownNameError, match="the chance to win a whole fight; this is one"):
        objective_named(toy.SYSTEM, "win")
    game, combat = (load("grid-battles", name).game for name in ("ford", "one-damage"))
    assert objective_named(game.system, "win", game.start).name == "win"
    with pytest.raises(UnknownNameError, match="the chance to win a whole fight; this is one"):
        objective_named(combat.system, "win", combat.start)


def test_solution_of_a_place_further_on() -> None:
    solution = solve(duel(points=1), wish(DAMAGE))
    at: At[Facts] = At(toy.SYSTEM.step_named("choose_stance"), toy.Duel((0,), die=6, guard=4))
    assert solution.value_at(at) == block_or_gamble(6, 4)
    assert facts_of(at.facts).die == 6
    assert solution.values(at) == (
        Valued("block", "", Fraction(2), Fraction(0)),
        Valued("gamble", "", Fraction(4), Fraction(2)),
    )
