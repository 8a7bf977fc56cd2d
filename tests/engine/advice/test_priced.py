"""Odds beyond the budget: bounds hold the exact chance, samples are near it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from affray.core.errors import LimitError
from affray.core.system import Field
from affray.engine.advice import priced
from affray.engine.advice.priced import EndedOdds, ended_of, played, share, within
from affray.engine.budget import Budget, spending
from affray.engine.exchange.flow import Decide
from affray.engine.exchange.game import Game
from affray.engine.exchange.odds import fields_named, odds, open_choice
from tests.engine.toy import always, duel
from tests.engine.trees import Leaf, Roll, Tree, game_of

PLAYS = 3_000
F = Fraction
Test = Callable[[object], bool]


@pytest.fixture(autouse=True)
def _few_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(priced, "MOST_PLAYS", PLAYS)


def leaf(worth: int) -> Leaf:
    return Leaf(F(worth), F(-worth))


LATE = Roll((1, 3), (leaf(1), Roll((1, 1), (leaf(2), Roll((1, 1), (leaf(3), leaf(4)))))))
"""1 at once in a quarter of all cases, 2 in 3/8, then 3 and 4 in 3/16 each."""


def asked(game: Game, name: str) -> tuple[Field[object], ...]:  # type: ignore[type-var]
    return fields_named(game.system, (name,))  # type: ignore[return-value]


def ended(tree: Tree, places: int, given: Test | None = None) -> EndedOdds:
    game = game_of(tree)
    fields = fields_named(game.system, ("attacker",))
    tests = [] if given is None else [(fields[0], given)]
    with spending(Budget(places=places)):
        return ended_of(game, fields, tests, open_choice)


def test_what_has_ended_is_counted_exactly() -> None:
    """Five places are the first two rolls and what they lead to; the third roll is still open."""
    found = ended(LATE, 5)
    assert dict(found.chances) == {(F(1),): F(1, 4)}
    assert found.open == F(3, 4)
    all_of_it = ended(LATE, 100)
    assert dict(all_of_it.chances) == {
        (F(1),): F(1, 4), (F(2),): F(3, 8), (F(3),): F(3, 16), (F(4),): F(3, 16),
    }  # fmt: skip
    assert all_of_it.open == 0


@pytest.mark.parametrize("places", [1, 3, 5, 7, 9, 20])
def test_bounds_hold_the_exact_chance(places: int) -> None:
    found, exact = ended(LATE, places), odds(game_of(LATE), "attacker")
    for worth in (1, 2, 3, 4, 5):
        low, high = within(found, lambda value, worth=worth: value[0] == worth)  # type: ignore[misc]
        assert low <= exact.chance(F(worth)) <= high
        assert high - low == found.open


@pytest.mark.parametrize("places", [1, 3, 5, 7, 9, 20])
def test_bounds_hold_a_chance_under_a_condition(places: int) -> None:
    """Given that it is not 2, a 1 comes in 1/4 of 5/8."""
    found = ended(LATE, places, lambda worth: worth != 2)
    low, high = within(found, lambda value: value[0] == 1)
    assert low <= F(2, 5) <= high
    if places == 20:
        assert low == high


def test_a_sample_is_near_the_exact_odds() -> None:
    """Of every value the interval, widened to five standard errors, holds the exact chance."""
    game, decide = duel(1, points=1), always("reroll", "block")
    fields = fields_named(game.system, ("damage",))
    found = played(game, fields, [], decide, seed=3)
    exact = odds(game, "damage", decide=decide)
    assert found.n == found.plays == PLAYS
    for value in exact:
        chance = float(exact.chance(value))
        error = (chance * (1 - chance) / found.n) ** 0.5
        seen = share(found, lambda values, value=value: values[0] == value)  # type: ignore[misc]
        assert abs(seen.value - chance) < 5 * error
        assert seen.low <= seen.value <= seen.high


def conditional(decide: Decide, *, impossible: bool = False) -> tuple[float, float]:
    game = duel(1)
    damage, hits = fields_named(game.system, ("damage", "hits"))
    least = 50 if impossible else 1
    given = [(hits, lambda many: many >= least)]
    with spending(Budget(seconds=60)):
        found = played(game, (damage,), given, decide, seed=3)
    assert found.n < found.plays
    exact = odds(game, "damage", decide=decide, given={"hits": lambda many: many >= 1})  # type: ignore[operator]
    return share(found, lambda values: values[0] == 1).value, float(exact.chance(1))


def test_a_sample_counts_only_what_is_known_to_hold() -> None:
    seen, exact = conditional(always("block"))
    assert seen == pytest.approx(exact, abs=0.05)
    with pytest.raises(LimitError, match="the condition on hits never held"):
        conditional(always("block"), impossible=True)


def test_the_same_seed_gives_the_same_sample() -> None:
    game = duel(1)
    fields = fields_named(game.system, ("damage",))
    one, two, other = (played(game, fields, [], always("block"), seed=seed) for seed in (1, 1, 2))
    assert one == two
    assert one != other


def test_where_nothing_counts_nothing_holds() -> None:
    nothing = EndedOdds({}, open=Fraction(0))
    assert within(nothing, lambda values: True) == (Fraction(0), Fraction(0))
    half = EndedOdds({(1,): Fraction(1, 4), (2,): Fraction(1, 8)}, Fraction(1, 8))
    assert within(half, lambda values: values == (1,)) == (Fraction(1, 2), Fraction(3, 4))
