"""Best play in procedures that may go on for ever."""

from fractions import Fraction
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.core.dice import Pool, d
from affray.core.errors import LimitError, RulesError
from affray.core.node import At, Chance, End, Go, Node, Option, choose
from affray.core.reading import SumOfDice
from affray.core.step import step
from affray.core.system import Field, Objective
from affray.engine.budget import Budget, spending
from affray.engine.exchange.best import Solution, solve
from affray.engine.exchange.decisions import report
from affray.engine.exchange.game import Game
from affray.engine.exchange.odds import odds
from tests.core.assembling import assembled

F = Fraction


class X(NamedTuple):
    """The facts: a face, what counts, dice that are left."""

    face: int = 0
    n: int = 0
    left: int = 0
    deadly: bool = False


FACE: Field[Any] = Field("face", "The face.", lambda x: x.face, "TY-1")
N: Field[Any] = Field("n", "What counts.", lambda x: x.n, "TY-1")
MOST: Objective[Any] = Objective("most", "A large face.", lambda x: x.face, "attacker")
LEAST: Objective[Any] = Objective("least", "A small face.", lambda x: -x.face, "attacker")
HIT: Objective[Any] = Objective("hit", "A hit.", lambda x: int(x.n > 0), "attacker")


def solved(steps: tuple[Any, ...], x: Any, wish: Objective[Any], *fields: Field[Any]) -> Solution:
    """An exchange of these steps, which starts at the first one, solved."""
    system = assembled(steps, fields=fields or (FACE,), objectives=(wish,))
    return solve(Game(system, At(steps[0], x)), wish)


@step("TY-1")
def roll(x: X) -> Node[X]:
    """Roll a die."""
    then = At(keep_or_roll, x._replace(face=0))
    return Chance("attacker", "roll", Pool((d(6), 1)), SumOfDice(), "face", then)


@step("TY-1")
def keep_or_roll(x: X) -> Node[X]:
    """Keep the face, or roll again, as often as one likes; a deadly one ends it with nothing."""
    if x.deadly and x.face == 1:
        return End(X())
    keep = Option("keep", At(over, X(x.face)))
    return choose("attacker", "Again?", [keep, Option("again", At(roll, x))], (("face", x.face),))


@step("TY-1")
def over(x: X) -> Node[X]:
    """It is over."""
    return End(x)


STEPS = (roll, keep_or_roll, over)


@pytest.mark.parametrize(("wish", "best"), [(MOST, 6), (LEAST, -1)])
def test_rolling_until_the_best_face_lies(wish: Objective[Any], best: int) -> None:
    solution = solved(STEPS, X(), wish)
    assert solution.value == best
    assert solution.residual == 0
    assert odds(solution.game, decide=solution.decide).fractions() == {abs(best): 1}


def test_more_places_than_allowed_are_not_solved() -> None:
    """A roll, six faces to decide on; from each an end and a roll."""
    with spending(Budget(places=18)), pytest.raises(LimitError, match="over 18 places") as caught:
        assert solved(STEPS, X(), MOST).value
    assert caught.value.limit == "places"
    with spending(Budget(places=19)):
        assert solved(STEPS, X(), MOST).value == 6


def test_rolling_on_when_a_one_ends_it_with_nothing() -> None:
    """Keep a face from t on: v = (t + ... + 6 + (t - 2) v) / 6. The best is t = 4: v = 15/4.

    (t = 3: 18/5, t = 5: 11/3.) With t = 4 a face of 4, 5, 6 and nothing are equally likely.
    """
    solution = solved(STEPS, X(deadly=True), MOST)
    assert solution.value == F(15, 4)
    found = odds(solution.game, decide=solution.decide)
    assert found.fractions() == dict.fromkeys((0, 4, 5, 6), F(1, 4))
    three: At[Any] = At(keep_or_roll, X(3, deadly=True))
    assert [(v.name, v.value, v.cost) for v in solution.values(three)] == [
        ("keep", 3, F(3, 4)), ("again", F(15, 4), 0),
    ]  # fmt: skip


def test_a_report_leaves_out_a_habit_that_never_ends() -> None:
    """To keep whatever lies is worth 20/6, to roll again always: nothing is ever kept.

    On a deadly one it ends, and always rolling again is worth 0.
    """
    (decision,) = report(solved(STEPS, X(), MOST)).decisions
    assert [(v.name, v.value, v.cost) for v in decision.always] == [("keep", F(7, 2), F(5, 2))]
    (decision,) = report(solved(STEPS, X(deadly=True), MOST)).decisions
    assert [(v.name, v.value, v.cost) for v in decision.always] == [
        ("keep", F(20, 6), F(15, 4) - F(20, 6)), ("again", 0, F(15, 4)),
    ]  # fmt: skip


@step("TY-1")
def how_many(x: X) -> Node[X]:
    """One die or two."""
    options = [Option(name, At(explode, X(left=n))) for n, name in ((1, "one"), (2, "two"))]
    return choose("attacker", "How many dice?", options)


@step("TY-1")
def explode(x: X) -> Node[X]:
    """Roll the next die."""
    if not x.left:
        return End(x)
    then = At(count, x._replace(face=0))
    return Chance("attacker", "roll", Pool((d(10), 1)), SumOfDice(), "face", then)


@step("TY-1")
def count(x: X) -> Node[X]:
    """An 8 and more hits; a ten is rolled again."""
    return Go(explode, X(0, x.n + (x.face >= 8), x.left - (x.face < 10)))


def test_choice_before_dice_that_explode() -> None:
    """One die hits in 3 of 10; two in 51 of 100."""
    solution = solved((how_many, explode, count), X(), HIT, N)
    assert 0 <= F(51, 100) - solution.value <= solution.residual < F(1, 10**6)
    assert solution.residual > 0
    (decision,) = report(solution).decisions
    assert decision.situations[0].best == "two"
    found = odds(solution.game, decide=solution.decide)
    assert found.chance(0) == F(49, 100)
    assert 0 < found.residual < F(1, 10**6)


@step("TY-1")
def dance(x: X) -> Node[X]:
    """One way or the other."""
    options = [Option(name, At(dance_on, X(n=n))) for n, name in enumerate(("left", "right"))]
    return choose("attacker", "Which way?", options)


@step("TY-1")
def dance_on(x: X) -> Node[X]:
    """And again."""
    return Go(dance, x)


def test_decisions_without_a_way_out_are_a_fault_of_the_rules() -> None:
    with pytest.raises(RulesError, match="dance comes back to where it was"):
        assert solved((dance, dance_on), X(), MOST).value


# -- random games ----------------------------------------------------------------------------

SIZE = 5


class Walker(NamedTuple):
    """The facts: for each place who moves ("" for a die) and where it leads; where it stands."""

    places: tuple[tuple[str, tuple[int, ...]], ...]
    here: int = 0
    face: int = 0


@step("TY-1")
def stand(x: Walker) -> Node[Walker]:
    """Roll or decide where to go; from SIZE on all is over."""
    if x.here >= SIZE:
        return End(x)
    actor, to = x.places[x.here]
    if actor:
        options = [
            Option(f"to {n}", At(stand, x._replace(here=place))) for n, place in enumerate(to)
        ]
        return choose(actor, "Where?", options)
    then = At(move, x._replace(face=0))
    return Chance("attacker", "go", Pool((d(3), 1)), SumOfDice(), "face", then)


@step("TY-1")
def move(x: Walker) -> Node[Walker]:
    """Go where the face says."""
    return Go(stand, Walker(x.places, x.places[x.here][1][x.face - 1]))


HERE: Field[Any] = Field("here", "Where it ended.", lambda x: x.here, "TY-1")
FAR: Objective[Any] = Objective("far", "To end far away.", lambda x: x.here, "attacker")
ANY = st.integers(0, SIZE + 2)
LATER = st.integers(SIZE, SIZE + 2)


@st.composite
def games(draw: st.DrawFn) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Places of dice, which may end it, and of decisions, which lead to dice or to an end."""
    n_dice = draw(st.integers(1, SIZE))
    places: list[tuple[str, tuple[int, ...]]] = []
    for number in range(SIZE):
        if number < n_dice:
            places.append(("", draw(st.tuples(ANY, ANY, LATER))))
        else:
            to = st.integers(0, n_dice - 1) | LATER
            places.append(
                (draw(st.sampled_from(["attacker", "defender"])), draw(st.tuples(to, to)))
            )
    return tuple(places)


@given(games())
def test_random_games_by_value_iteration(places: tuple[tuple[str, tuple[int, ...]], ...]) -> None:
    """Each roll ends with 1/3 or more; after 120 rounds 10^-20 of the probability is left."""
    values = [0.0] * SIZE + [SIZE, SIZE + 1, SIZE + 2]
    for _ in range(120):
        for number, (actor, to) in enumerate(places):
            worths = [values[place] for place in to]
            mean = sum(worths) / len(worths)
            values[number] = {"attacker": max(worths), "defender": min(worths)}.get(actor, mean)
    solution = solved((stand, move), Walker(places), FAR, HERE)
    assert float(solution.value) == pytest.approx(values[0], abs=1e-9)
    found = odds(solution.game, decide=solution.decide)
    assert found.residual == 0
    assert found.mean() == solution.value
