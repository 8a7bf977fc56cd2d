"""Look-ahead against backward induction: on trees, on the toy duel, on shipped examples."""

from fractions import Fraction
from random import Random

import pytest

from affray.app.inputs.tables import examples
from affray.app.play import PlayedGame
from affray.app.registry import system_named
from affray.app.sources import Shipped
from affray.core.errors import LimitError, RulesError
from affray.core.node import At, Choice, Facts
from affray.engine.advice.records import Advice, mean_within
from affray.engine.advice.search import Playout, Search, guides_for
from affray.engine.advice.walking import Walk
from affray.engine.budget import Budget
from affray.engine.exchange.best import objective_named, solve
from affray.engine.exchange.game import Game
from tests.engine import trees
from tests.engine.toy import BLOCK, DAMAGE, LOOT, SPARE, duel, wish
from tests.engine.trees import Fork, Leaf, Roll, Tree, game_of, place

ATTACKER, DEFENDER = trees.WISHES["attacker"], trees.WISHES["defender"]
F = Fraction


def leaf(worth: int) -> Leaf:
    return Leaf(F(worth), F(-worth))


def fork(actor: str, *branches: Tree) -> Fork:
    return Fork(actor, branches, (0,) * len(branches))


def looked(game: Game, places: int, *, seed: int = 1, playout: Playout = "habits") -> Advice:
    """Advice at the start by looks alone: nothing is solved."""
    search = Search(game, ATTACKER, seed=seed, small=0, playout=playout)
    return search.advise(budget=Budget(places=places))


# -- by hand ---------------------------------------------------------------------------------


def test_what_is_small_is_solved() -> None:
    """The defender would answer the left with 0 and the right with 1: the right is worth 1."""
    tree = fork("attacker", fork("defender", leaf(0), leaf(9)), fork("defender", leaf(1), leaf(2)))
    advice = Search(game_of(tree), ATTACKER).advise()
    assert (advice.best, advice.exact, advice.stopped_by) == ("branch 1", F(1), "")
    assert [option.exact for option in advice.options] == [F(0), F(1)]
    assert advice.low == advice.value == advice.high == 1


def test_options_that_looks_do_not_tell_apart_are_a_toss_up() -> None:
    """Three fair coins, nothing to choose between them; nothing is solved, and no rule speaks."""
    coin = Roll((1, 1), (leaf(1), leaf(0)))
    advice = looked(game_of(fork("attacker", coin, coin, coin)), 200)
    assert advice.exact is None
    assert advice.by == "toss-up"
    assert {advice.best, *advice.alike} == {"branch 0", "branch 1", "branch 2"}


def test_one_option_that_is_clearly_better_is_no_toss_up() -> None:
    """A coin for 8 or 9 beside two for 0 or 1: no look at those comes near it."""
    coin, better = Roll((1, 1), (leaf(1), leaf(0))), Roll((1, 1), (leaf(9), leaf(8)))
    advice = looked(game_of(fork("attacker", coin, better, coin)), 400)
    assert (advice.best, advice.by, advice.alike) == ("branch 1", "look-ahead", ())


def test_looks_alone_find_the_same_by_trying_everything() -> None:
    """All ends of a choice are exact once they were met, and so is the choice."""
    tree = fork("attacker", fork("defender", leaf(0), leaf(9)), fork("defender", leaf(1), leaf(2)))
    advice = looked(game_of(tree), 100)
    assert (advice.best, advice.exact) == ("branch 1", F(1))
    assert advice.looks < 30


def test_each_side_wants_its_own() -> None:
    """The defender takes what is worth least to the attacker."""
    tree = fork("defender", leaf(3), leaf(-2), leaf(5))
    advice = looked(game_of(tree), 100)
    assert (advice.best, advice.sign, advice.exact) == ("branch 1", -1, F(-2))
    for_the_defender = Search(game_of(tree), DEFENDER, small=0).advise(budget=Budget(places=100))
    assert (for_the_defender.best, for_the_defender.sign) == ("branch 1", 1)


def test_dice_make_an_estimate() -> None:
    """A die of 2 in 3 against one of 1 in 2, thrown again and again: never called exact."""
    tree = fork("attacker", Roll((2, 1), (leaf(1), leaf(0))), Roll((1, 1), (leaf(1), leaf(0))))
    advice = looked(game_of(tree), 20_000)
    assert (advice.best, advice.exact, advice.stopped_by) == ("branch 0", None, "places")
    best, other = advice.options
    assert best.low is not None
    assert best.high is not None
    assert best.low < 2 / 3 < best.high
    assert best.high - best.low < 0.05
    assert best.visits > other.visits > 10


@pytest.mark.parametrize("playout", ["habits", "lot", "first"])
def test_a_trap_is_seen_through(playout: Playout) -> None:
    """Left looks better on average (9, 9, 0), but the defender picks the 0; right is a sure 2."""
    trap = fork("defender", leaf(9), Roll((1, 1), (leaf(9), leaf(9))), Roll((1,), (leaf(0),)))
    tree = fork("attacker", trap, Roll((1, 1), (leaf(2), leaf(2))))
    assert looked(game_of(tree), 20_000, playout=playout).best == "branch 1"


def test_points_are_spent_only_for_more_than_the_threshold() -> None:
    tree = Fork("attacker", (leaf(1), leaf(2)), (0, 1))
    for small in (0, 100):
        for threshold, best in ((F(1, 2), "branch 1"), (F(3, 2), "branch 0")):
            search = Search(game_of(tree), ATTACKER, threshold=threshold, small=small)
            assert search.advise(budget=Budget(places=200)).best == best


def test_settled_choices_are_not_advised() -> None:
    game = duel(2, points=1, settled=BLOCK)
    advice = Search(game, wish(DAMAGE), small=0).advise(budget=Budget(places=3_000))
    assert (advice.options, advice.best, advice.actor) == ((), "", "")
    exact = solve(game, wish(DAMAGE)).value
    assert advice.low < exact < advice.high


def rolls(*numbers: int) -> Roll:
    return Roll((1,) * len(numbers), tuple(map(leaf, numbers)))


def test_a_decision_that_no_look_has_met_is_solved_if_that_takes_few_places() -> None:
    tree = fork("attacker", rolls(0, 5), rolls(1, 5), rolls(2, 5), rolls(3, 5))
    at = place(tree)
    choice = at.step.rule(at.facts)
    assert isinstance(choice, Choice)
    for seed in range(5):
        search = Search(game_of(tree), ATTACKER, seed=seed)
        assert search.known_best(at, choice).name == "branch 3"


def test_after_a_place_that_was_solved_a_larger_one_is_solved_too() -> None:
    """Looks alone don't end with what dice are worth."""
    large = fork("attacker", rolls(*range(9)), rolls(*range(3, 12)))
    tree = fork("attacker", leaf(1), large)
    search = Search(game_of(tree), ATTACKER, small=3)
    assert search.advise(place(leaf(1))).exact == 1
    assert search.advise(place(fork("attacker", leaf(2), leaf(3)))).exact == 3
    assert search.advise(place(large), budget=Budget(places=2_000)).exact == 7


def test_only_actors_of_the_system_are_asked() -> None:
    tree = fork("attacker", fork("nobody", leaf(0), leaf(9)), leaf(1))
    with pytest.raises(RulesError, match="step walk asks 'nobody'"):
        Walk(game_of(tree), frozenset(), Random(0)).resting(
            *place(fork("nobody", leaf(0), leaf(1)))
        )
    with pytest.raises(RulesError, match="step walk asks 'nobody'"):
        looked(game_of(tree), 100)


# -- against exact solutions -----------------------------------------------------------------


@pytest.mark.parametrize("objective", [DAMAGE, LOOT, SPARE], ids=lambda goal: goal.name)
def test_the_toy_duel_is_nearly_as_good_as_solved(objective: object) -> None:
    """What is advised anywhere costs little, and the value is near, though nothing is solved."""
    goal = wish(objective)  # type: ignore[arg-type]  # one of three kinds
    game = duel(1, points=1)
    solution = solve(game, goal)
    search = Search(game, goal, seed=3, small=0)
    advice = search.advise(budget=Budget(places=10_000))
    assert advice.exact is None
    assert advice.value == pytest.approx(float(solution.value), abs=0.15)
    lost = [cost_of(search, place, choice) for place, choice in often(search)]
    assert len(lost) > 5
    assert sum(lost) / len(lost) < 0.1


def often(search: Search) -> list[tuple[At[Facts], Choice[Facts]]]:
    found = []
    for advice in search.met(20):
        node = advice.at.step.rule(advice.at.facts)
        assert isinstance(node, Choice)
        found.append((advice.at, node))
    return found


def cost_of(search: Search, at: At[Facts], choice: Choice[Facts]) -> float:
    """How much worse than best the option is that the search knows as best."""
    solution = solve(search.game, search.objective)
    taken = search.known_best(at, choice)
    return float(next(row.cost for row in solution.values(at) if row.name == taken.name))


SMALL_GAMES = [
    ("affinity", 20), ("eclipse-phase", 20), ("emlia", 20), ("empty-earth", 20),
    ("grid-battles", 20),
]  # fmt: skip


@pytest.mark.parametrize(("name", "most"), SMALL_GAMES)
def test_small_examples_are_exact(name: str, most: int) -> None:
    """Where the search says exact, backward induction says the same, to the last digit."""
    system = system_named(name)
    met = 0
    for example, raw in examples(system).items():
        if "refused" in repr(raw) or met >= most:
            continue
        game = PlayedGame.begin(name, Shipped(example)).loaded.game
        goal = objective_named(system, "", game.start)
        advice = Search(game, goal).advise(budget=Budget(places=3_000))
        if advice.exact is not None:
            met += 1
            assert advice.exact == solve(game, goal).value, example
    assert met >= 5


def test_estimates_of_a_small_map_are_near_the_solution() -> None:
    """Two units after one: best play wins 0.7917; the search isn't allowed to solve."""
    game = PlayedGame.begin("grid-battles", Shipped("chase")).loaded.game
    goal = objective_named(game.system, "win", game.start)
    exact = solve(game, goal)
    advice = Search(game, goal, seed=2, small=0).advise(budget=Budget(places=6_000))
    assert advice.exact is None
    assert advice.value == pytest.approx(float(exact.value), abs=0.05)
    best = max(exact.values(advice.at), key=lambda row: row.value)
    taken = next(row for row in exact.values(advice.at) if row.name == advice.best)
    assert taken.value == best.value


# -- budgets, seeds --------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_advice() -> None:
    game = PlayedGame.begin("grid-battles", Shipped("ford")).loaded.game
    goal = objective_named(game.system, "win", game.start)
    guides = guides_for(game, goal)
    assert [guide.name for guide in guides] == ["units", "health"]
    one, two, other = (
        Search(game, goal, seed=seed, guides=guides).advise(budget=Budget(places=700))
        for seed in (5, 5, 6)
    )
    assert one == two
    assert one != other
    assert one.stopped_by == "places"
    assert one.places < 700 + 2_000
    assert sum(option.visits for option in one.options) == one.looks


def test_looks_are_counted_where_nothing_else_is() -> None:
    tree = fork("attacker", Roll((2, 1), (leaf(1), leaf(0))), Roll((1, 1), (leaf(1), leaf(0))))
    advice = Search(game_of(tree), ATTACKER, small=0).advise()
    assert (advice.looks, advice.stopped_by) == (2_000, "looks")


def test_who_asks_to_stop_gets_what_is_known() -> None:
    tree = fork("attacker", Roll((2, 1), (leaf(1), leaf(0))), Roll((1, 1), (leaf(1), leaf(0))))
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 50

    search = Search(game_of(tree), ATTACKER, small=0)
    advice = search.advise(budget=Budget(seconds=100, stop=stop))
    assert advice.stopped_by == "interrupted"
    assert 0 < advice.looks <= 50


def test_one_look_is_taken_however_few_places_there_are() -> None:
    game = PlayedGame.begin("grid-battles", Shipped("ford")).loaded.game
    search = Search(game, objective_named(game.system, "win", game.start))
    advice = search.advise(budget=Budget(places=10))
    assert (advice.looks, advice.stopped_by) == (1, "places")
    assert advice.best


def test_without_a_single_look_there_is_no_advice() -> None:
    game = PlayedGame.begin("grid-battles", Shipped("ford")).loaded.game
    search = Search(game, objective_named(game.system, "win", game.start))
    with pytest.raises(LimitError, match="interrupted") as error:
        search.advise(budget=Budget(stop=lambda: True))
    assert error.value.limit == "interrupted"


def test_what_was_learned_is_kept() -> None:
    """A second question at the same place begins where the first one ended."""
    game = PlayedGame.begin("grid-battles", Shipped("ford")).loaded.game
    search = Search(game, objective_named(game.system, "win", game.start), seed=1)
    first = search.advise(budget=Budget(places=1_000))
    again = search.advise(budget=Budget(places=1_000))
    visits = [sum(option.visits for option in advice.options) for advice in (first, again)]
    assert visits[0] == first.looks
    assert visits[1] == first.looks + again.looks


# -- intervals -------------------------------------------------------------------------------


def test_intervals_hold_the_mean_as_often_as_they_say() -> None:
    """A coin of 3 in 10, tossed 40 times, 1,000 times over: at least 93 in 100 hold it."""
    rng = Random(4)
    held = 0
    for _ in range(1_000):
        heads = sum(rng.random() < 0.3 for _ in range(40))
        low, high = mean_within(40, heads, heads, (0, 1))
        held += low <= 0.3 <= high
    assert held > 930
