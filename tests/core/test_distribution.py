"""Distributions: exact statistics, edges of the cumulative questions, refusals."""

from fractions import Fraction
from math import isclose, sqrt
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.core.distribution import Distribution

WEIGHTS = st.dictionaries(st.integers(-20, 20), st.integers(1, 9), min_size=1, max_size=8)
TWO_D4 = Distribution({2: 1, 3: 2, 4: 3, 5: 4, 6: 3, 7: 2, 8: 1})
HUGE = 10**400


# -- what it holds ---------------------------------------------------------------------------


def test_outcomes_come_in_ascending_order() -> None:
    made = Distribution({3: 1, -1: 2, 2: 1})
    assert list(made) == [-1, 2, 3]
    assert list(made.values()) == [2, 1, 1]
    assert made.total == 4


def test_impossible_outcomes_are_left_out() -> None:
    made = Distribution({1: 0, 2: 5})
    assert len(made) == 1
    assert 1 not in made
    assert made.chance(1) == 0
    assert made.p(1) == 0.0


def test_fractions_come_in_ascending_order() -> None:
    made = Distribution({Fraction(10): 1, Fraction(9): 1, Fraction(1, 2): 1, 3: 2})
    assert list(made) == [Fraction(1, 2), 3, 9, 10]
    assert made.median() == 3


@pytest.mark.parametrize(
    ("values", "ordered"),
    [
        ([True, False], [False, True]),
        (["b", None, 2, "a"], [2, None, "a", "b"]),
        ([(2, 1), (1, 9), (1, 2)], [(1, 2), (1, 9), (2, 1)]),
        ([(1, "b"), (1, None), (1, "a")], [(1, None), (1, "a"), (1, "b")]),
        ([(1,), 5, "x"], [5, "x", (1,)]),
    ],
)
def test_mixed_outcomes_have_an_order(values: list[object], ordered: list[object]) -> None:
    assert list(Distribution(dict.fromkeys(values, 1))) == ordered


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({}, "at least one outcome with a positive weight"),
        ({1: 0}, "at least one outcome with a positive weight"),
        ({1: 2, 2: -1}, "a weight below zero is no probability"),
    ],
)
def test_wrong_weights_are_refused(weights: dict[int, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Distribution(weights)


def test_equal_probabilities_are_equal() -> None:
    assert Distribution({1: 1, 2: 2}) == Distribution({2: 6, 1: 3})
    assert hash(Distribution({1: 1, 2: 2})) == hash(Distribution({2: 6, 1: 3}))


@pytest.mark.parametrize("other", [{1: 1}, {1: 1, 2: 3}, {1: 1, 3: 2}, {1: 1, 2: 2, 3: 1}])
def test_other_probabilities_are_not(other: dict[int, int]) -> None:
    assert Distribution({1: 1, 2: 2}) != Distribution(other)


def test_a_mapping_of_weights_is_no_distribution() -> None:
    assert Distribution({1: 1}) != {1: 1}


def test_equal_distributions_hash_alike_whatever_the_order_they_were_made_in() -> None:
    one, other = Distribution({None: 1, "None": 2}), Distribution({"None": 2, None: 1})
    assert one == other
    assert hash(one) == hash(other)


def test_repr_is_short() -> None:
    assert repr(Distribution({1: 2})) == "Distribution({1: 2}, total=2)"
    shown = repr(Distribution(dict.fromkeys(range(9), 1)))
    assert shown.endswith("7: 1, ...}, total=9)")


# -- probabilities ---------------------------------------------------------------------------


def test_chances_by_hand() -> None:
    assert TWO_D4.chance(5) == Fraction(1, 4)
    assert TWO_D4.p(5) == 0.25
    assert TWO_D4.where(lambda total: total % 2 == 0) == Fraction(1, 2)
    assert TWO_D4.fractions()[8] == Fraction(1, 16)
    assert TWO_D4.floats()[8] == 0.0625


@pytest.mark.parametrize(
    ("value", "at_least", "at_most"),
    [(1, 16, 0), (2, 16, 1), (5, 10, 10), (8, 1, 16), (9, 0, 16)],
)
def test_at_least_and_at_most_at_the_edges(value: int, at_least: int, at_most: int) -> None:
    assert TWO_D4.at_least(value) == Fraction(at_least, 16)
    assert TWO_D4.at_most(value) == Fraction(at_most, 16)


@given(WEIGHTS, st.integers(-25, 25))
def test_at_least_and_at_most_overlap_in_the_value(weights: dict[int, int], value: int) -> None:
    made = Distribution(weights)
    assert made.at_least(value) + made.at_most(value) == 1 + made.chance(value)
    assert made.at_least(value + 1) == 1 - made.at_most(value)


@given(WEIGHTS)
def test_probabilities_add_up_to_one(weights: dict[int, int]) -> None:
    assert sum(Distribution(weights).fractions().values()) == 1


def test_totals_beyond_floats() -> None:
    made = Distribution({0: HUGE, 1: 3 * HUGE})
    assert made.p(1) == 0.75
    assert made.floats() == {0: 0.25, 1: 0.75}
    assert made.sd() == sqrt(3 / 16)
    assert made.quantile(0.25) == 0
    assert made.quantile(0.26) == 1


# -- statistics ------------------------------------------------------------------------------


def test_statistics_by_hand() -> None:
    made = Distribution({0: 1, 6: 2})
    assert made.mean() == 4
    assert made.variance() == Fraction(16 + 2 * 4, 3)
    assert isclose(made.sd(), sqrt(8))


@given(WEIGHTS)
def test_statistics_are_those_of_the_list(weights: dict[int, int]) -> None:
    made = Distribution(weights)
    listed = sorted(value for value, weight in weights.items() for _ in range(weight))
    size = len(listed)
    mean = Fraction(sum(listed), size)
    assert made.mean() == mean
    assert made.variance() == sum((value - mean) ** 2 for value in listed) / size
    assert made.median() == listed[(size + 1) // 2 - 1]


def test_truth_values_and_fractions_have_a_mean() -> None:
    assert Distribution({True: 1, False: 3}).mean() == Fraction(1, 4)
    assert Distribution({Fraction(1, 3): 1, 1: 1}).mean() == Fraction(2, 3)
    assert Distribution({0.5: 1, 1: 1}).mean() == Fraction(3, 4)


@pytest.mark.parametrize("value", ["hit", None, (1, 2)])
def test_only_numbers_have_a_mean(value: object) -> None:
    made = Distribution({value: 1})
    with pytest.raises(ValueError, match="is not a number: only numbers have a mean"):
        made.mean()
    with pytest.raises(ValueError, match="is not a number"):
        made.variance()


@pytest.mark.parametrize(
    ("share", "value"),
    [
        (0, 2),
        (Fraction(1, 16), 2),
        (Fraction(1, 16) + Fraction(1, 10**9), 3),
        (Fraction(10, 16), 5),
        (0.625, 5),
        (Fraction(15, 16), 7),
        (1, 8),
        (1.0, 8),
    ],
)
def test_quantiles_at_the_edges(share: float | Fraction, value: int) -> None:
    assert TWO_D4.quantile(share) == value


@pytest.mark.parametrize("percent", range(1, 101))
def test_quantile_takes_a_float_as_it_is_written(percent: int) -> None:
    assert Distribution(dict.fromkeys(range(1, 101), 1)).quantile(percent / 100) == percent


@pytest.mark.parametrize("share", [-0.001, 1.001, Fraction(3, 2), float("nan")])
def test_quantile_outside_zero_to_one_is_refused(share: float | Fraction) -> None:
    with pytest.raises(ValueError, match="a quantile lies between 0 and 1, not at"):
        TWO_D4.quantile(share)


@given(WEIGHTS, st.fractions(0, 1))
def test_quantile_is_the_smallest_that_suffices(weights: dict[int, int], share: Fraction) -> None:
    made = Distribution(weights)
    value = made.quantile(share)
    assert made.at_most(value) >= share
    assert all(made.at_most(lower) < share for lower in made if lower < value)


# -- making others ---------------------------------------------------------------------------


def test_map_adds_up_what_falls_together() -> None:
    halves = TWO_D4.map(lambda total: total // 4)
    assert dict(halves) == {0: 3, 1: 12, 2: 1}
    assert halves.total == 16


def test_given_forgets_the_rest() -> None:
    high = TWO_D4.given(lambda total: total >= 7)
    assert high.chance(7) == Fraction(2, 3)
    assert high.chance(2) == 0


def test_condition_that_never_holds_is_refused() -> None:
    with pytest.raises(ValueError, match="the condition never holds"):
        TWO_D4.given(lambda total: total > 8)


@given(WEIGHTS)
def test_fractions_lead_back(weights: dict[int, int]) -> None:
    made = Distribution(weights)
    assert Distribution.from_fractions(made.fractions()) == made


def test_from_fractions_takes_the_least_denominator() -> None:
    made = Distribution.from_fractions(
        {"a": Fraction(1, 6), "b": Fraction(1, 4), "c": Fraction(7, 12)}
    )
    assert dict(made) == {"a": 2, "b": 3, "c": 7}


@pytest.mark.parametrize(
    ("chances", "message"),
    [
        ({}, "don't add up to one"),
        ({1: Fraction(1, 2)}, "don't add up to one"),
        ({1: Fraction(1, 2), 2: Fraction(2, 3)}, "don't add up to one"),
        ({1: Fraction(3, 2), 2: Fraction(-1, 2)}, "below zero"),
    ],
)
def test_wrong_fractions_are_refused(chances: dict[int, Fraction], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Distribution.from_fractions(chances)


@given(WEIGHTS)
def test_order_of_making_does_not_matter(weights: dict[int, int]) -> None:
    rows = list(weights.items())
    Random(1).shuffle(rows)
    one, other = Distribution(weights), Distribution(dict(rows))
    assert one == other
    assert hash(one) == hash(other)
    assert list(one.items()) == list(other.items())


@pytest.mark.parametrize("change", ["_weights", "new"])
def test_no_stray_attributes(change: str) -> None:
    made: Any = Distribution({1: 1})
    if change == "new":
        with pytest.raises(AttributeError):
            made.new = 1
    else:
        with pytest.raises(TypeError):
            made[1] = 2
