"""Procedures that may go on for ever: places that repeat, and dice that are rolled again."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.core.dice import Pool, d
from affray.core.distribution import Distribution
from affray.core.errors import LimitError, RulesError
from affray.core.hints import Hints
from affray.core.node import At, Chance, End, Go, Node, Step
from affray.core.reading import SumOfDice
from affray.core.step import step
from affray.core.system import Field
from affray.engine.exchange.flow import flow
from affray.engine.exchange.game import Game
from affray.engine.exchange.odds import odds
from affray.engine.exchange.returning import EndlessError, components, visits
from affray.engine.fight.contest import Contest
from affray.engine.fight.duels.exact import solve_exactly
from tests import fight_systems as games
from tests.core.assembling import assembled

F = Fraction


class X(NamedTuple):
    """The facts: where it stands, what lies on the table, what counts, what is left."""

    face: int = 0
    n: int = 0
    left: int = 0
    more: tuple[int, ...] = ()


FACE: Field[Any] = Field("face", "The face.", lambda x: x.face, "TY-1")
N: Field[Any] = Field("n", "What counts.", lambda x: x.n, "TY-1")


def game_of(steps: tuple[Any, ...], x: Any, *fields: Field[Any], **parts: Any) -> Game:
    """An exchange of these steps, which starts at the first one."""
    return Game(assembled(steps, fields=fields, **parts), At(steps[0], x))


def rolled(sides: int, then: Any, x: X) -> Node[X]:
    return Chance("attacker", "roll", Pool((d(sides), 1)), SumOfDice(), "face", At(then, x))


@step("TY-1")
def roll(x: X) -> Node[X]:
    """Roll the die."""
    return rolled(6, look, x._replace(face=0))


@step("TY-1")
def look(x: X) -> Node[X]:
    """A one is rolled again."""
    return Go(roll, x) if x.face == 1 else End(x)


def test_ones_that_are_rolled_again_leave_a_fifth_each() -> None:
    """1/6 + 1/6 · 1/6 + ... = 1/5 for each other face."""
    game = game_of((roll, look), X(), FACE)
    found = odds(game)
    assert found.fractions() == {face: F(1, 5) for face in range(2, 7)}
    assert found.residual == 0


@step("TY-1")
def explode(x: X) -> Node[X]:
    """Roll the next die."""
    if not x.left:
        return End(x)
    return rolled(10, count, x._replace(face=0))


@step("TY-1")
def count(x: X) -> Node[X]:
    """An 8 and more hits; a ten is rolled again."""
    after = X(0, x.n + (x.face >= 8), x.left - (x.face < 10))
    return Go(explode, after)


TENS = game_of((explode, count), X(left=2), N)


def test_tens_that_are_rolled_again() -> None:
    """A die comes to no hit in 7 of 10, to k > 0 in (1/10)^(k-1) · (2/10 + 1/10 · 7/10).

    (A ten is a hit and a new die; an 8 or 9 is a hit and the end.) Two dice: 49/100 for none.
    """
    one = {0: F(7, 10)}
    for k in range(1, 60):
        one[k] = F(1, 10) ** (k - 1) * (F(2, 10) + F(1, 10) * F(7, 10))
    found = odds(TENS)
    assert 0 < found.residual < F(1, 10**6)
    for k in range(5):
        right = sum((one[a] * one[k - a] for a in range(k + 1)), start=F(0))
        assert right - found.residual <= found.chance(k) <= right
    assert found.chance(0) == F(49, 100)
    assert sum(found.fractions().values()) + found.residual == 1


def test_what_is_left_open_is_carried_on() -> None:
    game = TENS
    found: Distribution[Any] = odds(game)
    assert found.map(bool).residual == found.residual
    hit: Distribution[Any] = odds(game, given={"n": bool})
    assert hit.residual == found.residual / (1 - found.chance(0))
    assert hit == found.given(bool)
    assert hit.residual == found.given(bool).residual
    assert found.mean() == sum(n * p for n, p in found.fractions().items()) / (1 - found.residual)


def test_nobody_gets_ends_with_a_residual_without_asking() -> None:
    game = TENS
    with pytest.raises(LimitError, match="can go on for ever; a residual of") as error:
        flow(game, lambda at, choice: choice.options[0])
    assert error.value.limit == "endless"
    assert error.value.p_ended > 1 - 1e-6


@step("TY-1")
def slowly(x: X) -> Node[X]:
    """Sixty dice at most: a one leads to the next."""
    return End(x) if x.n == 60 else rolled(10, slow, x._replace(face=0))


@step("TY-1")
def slow(x: X) -> Node[X]:
    """A one goes on."""
    return Go(slowly, X(n=x.n + 1)) if x.face == 1 else End(X(n=x.n))


def test_long_procedures_that_end_stay_exact() -> None:
    found = odds(game_of((slowly, slow), X(), N))
    assert found.residual == 0
    assert found.chance(60) == F(1, 10) ** 60


@step("TY-1")
def again(x: X) -> Node[X]:
    """Roll a die of many faces."""
    return rolled(1_000, seldom, x._replace(face=0))


@step("TY-1")
def seldom(x: X) -> Node[X]:
    """It ends with two of them; other rolls are counted in a circle."""
    if x.face < 999:
        return Go(again, X(n=(x.n + 1) % x.left, left=x.left))
    return End(X(n=x.n * (x.face == 999)))


@pytest.mark.parametrize("long", [1, 2, 7, 40])
def test_long_circles_that_hardly_ever_end_are_exact(long: int) -> None:
    """With q = 998/1000, n rolls that go on and 999: q^n (1 + q^long + q^(2 long) + ...) / 1000."""
    found = odds(game_of((again, seldom), X(left=long), N))
    q = F(998, 1000)
    right = {n: q**n / (1 - q**long) / 1000 for n in range(1, long)}
    assert found.residual == 0
    assert found.fractions() == {0: 1 - sum(right.values(), start=F(0)), **right}


@step("TY-1")
def burst(x: X) -> Node[X]:
    """Roll the next die."""
    return rolled(10, tally, x._replace(face=0)) if x.left else End(x)


@step("TY-1")
def tally(x: X) -> Node[X]:
    """A one doesn't count and is rolled again; an 8 and more hits, and after a ten comes a die."""
    if x.face == 1:
        return Go(burst, X(0, x.n, x.left))
    return Go(burst, X(0, x.n + (x.face >= 8), x.left - (x.face < 10)))


def test_a_reroll_within_dice_that_explode() -> None:
    """Without ones a die has nine faces: no hit 6/9, k hits (1/9)^(k-1) (2/9 + 1/9 · 6/9)."""
    found = odds(game_of((burst, tally), X(left=1), N))
    assert 0 < found.residual < F(1, 10**6)
    for k in range(5):
        right = F(1, 9) ** (k - 1) * (F(2, 9) + F(1, 9) * F(6, 9)) if k else F(6, 9)
        assert right - found.residual <= found.chance(k) <= right


@step("TY-1")
def around(x: X) -> Node[X]:
    """Toss a coin."""
    return rolled(2, about, x._replace(face=0))


@step("TY-1")
def about(x: X) -> Node[X]:
    """Only the first toss can end it."""
    return End(x) if x.face == 1 and not x.n else Go(around, X(n=1))


def test_circle_without_a_way_out_is_a_fault_of_the_rules() -> None:
    game = game_of((around, about), X(), N)
    with pytest.raises(RulesError, match="nothing leads out of this circle"):
        odds(game)


# -- random chains ---------------------------------------------------------------------------

SIZE = 6


@st.composite
def chains(draw: st.DrawFn) -> tuple[tuple[int, ...], ...]:
    """For each place six places that a die leads to; SIZE and SIZE + 1 are ends."""
    to = st.integers(0, SIZE + 1)
    last = st.sampled_from([SIZE, SIZE + 1])
    return tuple(draw(st.tuples(to, to, to, to, to, last)) for _ in range(SIZE))


class Walker(NamedTuple):
    """The facts: the chain, where it stands, a face."""

    chain: tuple[tuple[int, ...], ...]
    here: int = 0
    face: int = 0


HERE: Field[Any] = Field("here", "Where it ended.", lambda x: x.here, "TY-1")


@step("TY-1")
def stand(x: Walker) -> Node[Walker]:
    """Roll for the next place, or end."""
    if x.here >= SIZE:
        return End(x)
    return Chance(
        "attacker", "go", Pool((d(6), 1)), SumOfDice(), "face", At(move, x._replace(face=0))
    )


@step("TY-1")
def move(x: Walker) -> Node[Walker]:
    """Go where the face says."""
    return Go(stand, Walker(x.chain, x.chain[x.here][x.face - 1]))


def absorbed(chain: tuple[tuple[int, ...], ...]) -> Fraction:
    """The chance to end at SIZE from place 0: x = P x + r, by Cramer's rule."""

    def determinant(rows: list[list[Fraction]]) -> Fraction:
        if not rows:
            return F(1)
        return sum(
            (
                (-1) ** n * value * determinant([row[:n] + row[n + 1 :] for row in rows[1:]])
                for n, value in enumerate(rows[0])
                if value
            ),
            start=F(0),
        )

    rows = [[F(i == j) - F(chain[i].count(j), 6) for j in range(SIZE)] for i in range(SIZE)]
    right = [F(row.count(SIZE), 6) for row in chain]
    replaced = [[right[i], *row[1:]] for i, row in enumerate(rows)]
    return determinant(replaced) / determinant(rows)


@given(chains())
def test_random_chains_by_another_solution(chain: tuple[tuple[int, ...], ...]) -> None:
    game = game_of((stand, move), Walker(chain), HERE)
    found = odds(game)
    assert found.residual == 0
    assert found.chance(SIZE) == absorbed(chain)
    assert found.chance(SIZE) + found.chance(SIZE + 1) == 1


@given(st.dictionaries(st.integers(0, 7), st.sets(st.integers(0, 7), max_size=4)))
def test_components_by_what_can_be_reached(some: dict[int, set[int]]) -> None:
    leads = {place: sorted(some.get(place, ())) for place in range(8)}

    def reached(place: int) -> set[int]:
        found, waiting = set[int](), [place]
        while waiting:
            here = waiting.pop()
            if here not in found:
                found.add(here)
                waiting += leads[here]
        return found

    found = components(leads)
    number = {place: n for n, those in enumerate(found) for place in those}
    assert sorted(number) == list(range(8))
    for one, other in product(range(8), repeat=2):
        together = one in reached(other) and other in reached(one)
        assert (number[one] == number[other]) is together
        if other in reached(one):
            assert number[one] <= number[other]


def test_visits_by_hand() -> None:
    """A coin: stay, or go to a pair that tosses back and forth, with an end on one side.

    At a: 1 / (1 - 1/2) = 2 visits. b gets 2 · 1/2 from it and all of c's: b = 1 + c, c = b/2.
    """
    found = visits(
        {"a": F(1)},
        {"a": {"a": F(1, 2), "b": F(1, 2)}, "b": {"c": F(1, 2)}, "c": {"b": F(1)}},
    )
    assert found == {"a": 2, "b": 2, "c": 1}


def test_probability_that_never_ends_has_no_visits() -> None:
    with pytest.raises(EndlessError):
        visits({"a": F(1)}, {"a": {"b": F(1)}, "b": {"a": F(1)}})


# -- in a fight ------------------------------------------------------------------------------


@step("TY-1")
def throw(x: games.Blow) -> Node[games.Blow]:
    """Roll a die."""
    return Chance("attacker", "die", Pool((d(6), 1)), SumOfDice(), "rolled", At(struck, x))


@step("TY-1")
def struck(x: games.Blow) -> Node[games.Blow]:
    """A one is rolled again; a 5 and more does a point."""
    after = x._replace(rolled=0)
    return Go(throw, after) if x.rolled == 1 else Go(games.stop, _hurt(after, x.rolled >= 5))


def _hurt(x: games.Blow, hits: bool) -> games.Blow:
    return x._replace(damage=x.damage + hits)


@step("TY-1")
def struck_on(x: games.Blow) -> Node[games.Blow]:
    """A 5 and more does a point; a six is rolled again."""
    after = _hurt(x._replace(rolled=0), x.rolled >= 5)
    return Go(strike_on if x.rolled == 6 else games.stop, after)


@step("TY-1")
def strike_on(x: games.Blow) -> Node[games.Blow]:
    """Roll a die."""
    return Chance("attacker", "die", Pool((d(6), 1)), SumOfDice(), "rolled", At(struck_on, x))


def fighting(first: Step[Any], second: Step[Any]) -> Contest:
    """A duel of two fighters with two points each; the first strikes first."""
    fight: Any = games.slugging().fight
    fight = replace(fight, declare=lambda scene: At(first, games.Blow(1, 6, 5, 0)))
    ours = assembled(
        (first, second, games.stop),
        fields=games.FIELDS, objectives=(games.DAMAGE,), setup=games.Setup,
        declare=lambda setup, rulings: At(first, games.Blow(1, 6, 5, 0)), fight=fight,
        hints=Hints(needed=frozenset({"damage"}), hidden=games.HIDDEN),
    )  # fmt: skip
    fighter = games.Fighter(name="a", hp=2, dice=1, sides=6, hits=5)
    return games.contest(ours, fighter, fighter, "one")


def test_duel_of_dice_that_are_rolled_again() -> None:
    """A strike hits with p = 2/5. Whoever strikes and needs a hits, against b, wins with w(a, b).

    w(a, b) = p (1 - w(b, a-1)) + q (1 - w(b, a)), with w(b, 0) = 0; both orders solve together.
    """
    p, q = F(2, 5), F(3, 5)

    def wins(a: int, b: int) -> Fraction:
        mine = p * (1 - wins(b, a - 1)) if a > 1 else p
        theirs = p * (1 - wins(a, b - 1)) if b > 1 else p
        # w(a, b) = mine + q (1 - w(b, a)) and w(b, a) = theirs + q (1 - w(a, b)).
        return (mine + q * (1 - theirs - q)) / (1 - q * q)

    found = solve_exactly(fighting(throw, struck))
    assert found.won == (wins(2, 2), 1 - wins(2, 2))


def test_duel_with_a_residual_is_refused_at_once() -> None:
    with pytest.raises(LimitError, match="can go on for ever") as error:
        solve_exactly(fighting(strike_on, struck_on))
    assert error.value.limit == "endless"
