"""Options before the dice: the first of the best is taken without a look at all others."""

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple, cast

import pytest

from affray.core.errors import RulesError
from affray.core.hints import Hints
from affray.core.meter import metered
from affray.core.node import At, Choice, End, Facts, Go, Node, Option
from affray.core.step import step
from affray.core.system import Field, Objective, System
from affray.engine.budget import Budget, Clock
from affray.engine.exchange.best import Solution, solve
from affray.engine.exchange.game import Game
from tests.core.assembling import Setup, assembled
from tests.engine import trees
from tests.engine.trees import ACTORS, Fork, Leaf, Roll, Tree, game_of, name_of, place

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


def test_who_decides_looks_no_further_than_what_is_better_already_higher_up() -> None:
    """5 is sure; so once an answer holds it to 5 below, no other answer there is looked at."""

    def rolled(number: int) -> Roll:
        return Roll((1, 1), (Leaf(Fraction(number), Fraction(0)), Leaf(Fraction(9), Fraction(0))))

    def fork(actor: str, *branches: Tree) -> Fork:
        return Fork(actor, branches, (0,) * len(branches))

    inner = fork("attacker", rolled(-3), fork("defender", rolled(1), rolled(90), rolled(91)))
    tree = fork("attacker", rolled(1), fork("defender", inner, rolled(92), rolled(93)))
    solution = solve(game_of(tree), ATTACKER)
    assert decided(solution, tree) == "branch 0"
    looked_at = {1, -3}
    assert solution.followed == 4 * len(looked_at) + 1, "a roll, two turns, an end; all have a 9"


class Counting(Clock):
    """Counts what it is told of."""

    ticks = 0

    def tick(self, work: int = 1) -> None:
        self.ticks += work


def ticked(tree: Fork) -> int:
    """The decisions that are looked at for the first one, and the ends."""
    counting = Counting(Budget())
    with metered(counting):
        decided(solve(game_of(tree), ATTACKER), tree)
    return counting.ticks


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize(
    ("who", "sure", "ends", "seen"),
    [
        ("own", 5, (3, 2), 2),
        ("own", 5, (6, 7), 2),
        ("own", 5, (5, 3), 2),
        ("other", 5, (4, 9), 1),
        ("other", 5, (5, 9), 1),
        ("other", 5, (6, 9), 2),
    ],
)
def test_a_place_is_looked_at_once(
    side: int, who: str, sure: int, ends: tuple[int, int], seen: int
) -> None:
    """Two options lead to one decision; the first option is sure. Seen from both sides."""
    own, other = ACTORS[::side]

    def leaf(number: int) -> Leaf:
        return Leaf(Fraction(side * number), Fraction(0))

    below = Fork(own if who == "own" else other, tuple(map(leaf, ends)), (0, 0))
    tree = Fork(own, (leaf(sure), below, below), (0, 0, 0))
    fresh = seen - (ends[0] == sure)
    assert ticked(tree) == 1 + fresh + 1, "what is sure, what is seen, and the decision"


@pytest.mark.parametrize("deep", [False, True])
def test_what_was_best_before_is_looked_at_first(deep: bool) -> None:
    def leaf(number: int) -> Leaf:
        return Leaf(Fraction(number), Fraction(0))

    def answers(*numbers: int) -> Fork:
        return Fork("defender", tuple(map(leaf, numbers)), (0,) * len(numbers))

    before = Fork("attacker", (leaf(0), leaf(-1), leaf(7)), (0, 0, 0))
    tree = Fork("attacker", (answers(1, 2), answers(3, 4), answers(8, 9)), (0, 0, 0))
    solution = solve(game_of(tree), ATTACKER)
    decided(solution, Fork("defender", (before, leaf(50)), (0, 0)) if deep else before)
    known = solution.followed
    assert decided(solution, tree) == "branch 2"
    assert solution.followed - known == len({8, 9, 1, 3}), "the others are left at one answer"


# -- places on the way ---------------------------------------------------------------------------


class Deal(NamedTuple):
    """Two decisions with steps between them, and what no decision depends on.

    Attributes:
        bid: of the attacker. cut: of the defender. chaff: of no matter.
        who: the one to cut. met: what comes after the bid: "", "settled" or "over".
    """

    bid: int = 0
    cut: int = 0
    chaff: int = 0
    who: str = "defender"
    met: Any = ""


CALLS: list[str] = []


@pytest.fixture(autouse=True)
def _calls() -> Iterator[None]:
    CALLS.clear()
    yield
    CALLS.clear()


@step("TY-1")
def bid(x: Deal) -> Node[Deal]:
    """The attacker bids, in four ways that come to two."""
    ways = [(number, chaff) for number in (1, 2) for chaff in (1, 2)]
    options = [Option(f"{n} {c}", At(note, x._replace(bid=n, chaff=c))) for n, c in ways]
    return Choice("attacker", "how much?", tuple(options))


@step("TY-1")
def note(x: Deal) -> Node[Deal]:
    """The bid is noted."""
    CALLS.append("note")
    return Go(lay_out, x)


@step("TY-1")
def lay_out(x: Deal) -> Node[Deal]:
    """Whatever is of no matter is of none from here."""
    CALLS.append("lay out")
    return Go(show if x.met == "settled" else cut, x)


@step("TY-1")
def show(x: Deal) -> Node[Deal]:
    """The attacker shows it or not: that is settled."""
    CALLS.append("show")
    options = (Option("no", At(cut, x._replace(bid=x.bid + 5))), Option("yes", At(cut, x)))
    return Choice("attacker", "show it?", options)


@step("TY-1")
def cut(x: Deal) -> Node[Deal]:
    """The defender, or another one, cuts by 0 to 2."""
    CALLS.append("cut")
    options = [Option(str(n), At(close, x._replace(cut=n))) for n in range(3)]
    return Choice(x.who, "by how much?", tuple(options))


@step("TY-1")
def close(x: Deal) -> Node[Deal]:
    """It is over."""
    CALLS.append("close")
    return End(x)


def without_chaff(x: Deal, needed: frozenset[str]) -> Deal:
    return x._replace(chaff=0) if x.chaff else x


def dealing(**hints: Any) -> System[Facts]:
    worth: Callable[[Deal], int] = lambda x: 10 * x.bid - x.cut  # noqa: E731
    system = assembled(
        (bid, note, lay_out, show, cut, close),
        fields=(Field("worth", "What it is worth.", worth, "TY-1"),),
        objectives=(Objective("worth", "It is worth a lot.", worth, "attacker"),),
    )
    return system.with_hints(Hints[Any, Any, Any](decides={"worth": ("worth",)}, **hints))


def dealt(system: System[Facts], **start: Any) -> tuple[Solution, str]:
    """The solution of a deal, and what the attacker bids."""
    game = Game(system, system.declared(Setup(Deal(**start))), {"show": ("yes",)})
    solution = solve(game, system.objectives[0])
    node = game.start.step.rule(game.start.facts)
    return solution, solution.decide(game.start, cast("Choice[Facts]", node)).name


@pytest.mark.parametrize("met", ["", "settled"])
def test_options_that_come_to_one_place_share_what_follows(met: str) -> None:
    _, plain = dealt(dealing(plain={lay_out: without_chaff}), met=met)
    assert plain == "2 1", "the best bid, the first of two ways"
    assert CALLS.count("note") == 4, "the bids differ up to here"
    for name in ("lay out", "cut", *(["show"] if met else [])):
        assert CALLS.count(name) == 2, name
    CALLS.clear()
    _, usual = dealt(dealing(), met=met)
    assert usual == plain
    assert CALLS.count("lay out") == 4, "nobody said that chaff is of no matter"


def test_what_was_followed_is_not_followed_again() -> None:
    solution, bids = dealt(dealing())
    CALLS.clear()
    start = cast("At[Facts]", At(bid, Deal()))
    assert solution.decide(start, cast("Choice[Facts]", bid.rule(Deal()))).name == bids
    assert CALLS == []


def test_nothing_is_followed_from_where_hints_say_nothing_changes() -> None:
    _, taken = dealt(dealing(fixes={cut: ("worth",)}))
    assert taken == "2 1"
    assert CALLS.count("lay out") == 4
    assert "cut" not in CALLS


def test_where_nothing_changes_the_first_option_is_taken_unseen() -> None:
    at = cast("At[Facts]", At(cut, Deal(bid=1)))
    choice = cast("Choice[Facts]", cut.rule(Deal(bid=1)))
    over, usual = dealing(fixes={cut: ("worth",)}), dealing()
    for system, threshold, taken in ((over, 0, "0"), (over, 1, None), (usual, 0, None)):
        game = Game(system, at, {})
        solution = solve(game, system.objectives[0], threshold=threshold)
        option = solution.foregone(at, choice)
        assert (option and option.name) == taken
        assert solution.decide(at, choice).name == (taken or "2"), "followed, it costs 2"
        assert (solution.followed == 0) == (taken is not None)


def test_on_the_way_too_only_actors_of_the_system_are_asked() -> None:
    with pytest.raises(RulesError, match="step cut asks 'nobody'"):
        dealt(dealing(), who="nobody")
