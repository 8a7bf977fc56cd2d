"""Modifiers: sums held in range that explain themselves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.core.modifier import Modifier, Total

GUNS = Modifier("Guns", 40, "TY-1")
DARK = Modifier("dark", -20, "TY-2")
AIM = Modifier("aim", 90, "TY-3")
LUCK = Modifier("luck", 5, "TY-4")


@pytest.mark.parametrize(
    ("modifier", "line"),
    [
        (DARK, "-20 dark (TY-2)"),
        (AIM, "+90 aim (TY-3)"),
        (Modifier("x", 0, "TY-9"), "+0 x (TY-9)"),
    ],
)
def test_modifier_shows_its_sign_and_clause(modifier: Modifier, line: str) -> None:
    assert str(modifier) == line


def test_base_alone() -> None:
    total = Total(GUNS)
    assert total.value == 40
    assert total.lines() == ("40 Guns (TY-1)",)
    assert str(total) == "Guns: 40"


def test_terms_are_added() -> None:
    total = Total(GUNS, (DARK, LUCK))
    assert total.value == 25
    assert total.lines() == ("40 Guns (TY-1)", "-20 dark (TY-2)", "+5 luck (TY-4)")
    assert str(total) == "Guns: 40, -20 dark, +5 luck = 25"


def test_sum_of_terms_is_held_in_range() -> None:
    total = Total(GUNS, (AIM, DARK), -60, 60, (LUCK,), "TY-5")
    assert total.uncapped == 70
    assert total.capped == 60
    assert total.value == 105
    assert total.lines() == (
        "40 Guns (TY-1)",
        "+90 aim (TY-3)",
        "-20 dark (TY-2)",
        "modifiers of +70 count as +60 (TY-5)",
        "+5 luck (TY-4)",
    )
    assert str(total) == "Guns: 40, +90 aim, -20 dark, held to +60, +5 luck = 105"


@pytest.mark.parametrize(
    ("value", "low", "high", "capped"),
    [
        (61, -60, 60, 60),
        (60, -60, 60, 60),
        (-60, -60, 60, -60),
        (-61, -60, 60, -60),
        (100, -60, None, 100),
        (-100, None, 60, -100),
        (-5, 0, 0, 0),
        (5, 0, 0, 0),
    ],
)
def test_limits_at_the_edges(value: int, low: int | None, high: int | None, capped: int) -> None:
    assert Total(GUNS, (Modifier("x", value, "TY-1"),), low, high).capped == capped


@given(st.lists(st.integers(-50, 50)), st.lists(st.integers(-50, 50)), st.integers(0, 60))
def test_value_is_base_and_held_sum_and_what_is_beyond(
    terms: list[int], beyond: list[int], limit: int
) -> None:
    total = Total(
        GUNS,
        tuple(Modifier("t", term, "TY-1") for term in terms),
        -limit,
        limit,
        tuple(Modifier("b", term, "TY-1") for term in beyond),
        "TY-5",
    )
    assert total.value == 40 + sorted((-limit, sum(terms), limit))[1] + sum(beyond)
    bites = abs(sum(terms)) > limit
    assert len(total.lines()) == 1 + len(terms) + len(beyond) + bites
