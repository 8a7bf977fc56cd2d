"""A number that a sweep changes: what is said of it holds for it, and for all that it is said of.

Each case is asked of `Swept` and of plain numbers: where both say the same for the present value,
every value that `Seen` has must say so too, and of those near by no other one may.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from affray.core.unknown import Looked
from affray.engine.exchange.swept import Seen, Stretch, Swept

NEAR = range(-15, 16)
COMPARED = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne]


@pytest.mark.parametrize("compared", COMPARED)
@pytest.mark.parametrize("plus", [0, 3, -2])
def test_a_comparison_holds_for_exactly_those_values_that_seen_has(
    compared: Callable[[Any, Any], bool], plus: int
) -> None:
    for now, limit, mirrored in product(range(-4, 8), (0, 1, 4), (False, True)):
        seen = Seen(now)
        swept = Swept(seen) + plus

        def asked(number: Any, limit: int = limit, *, mirrored: bool = mirrored) -> object:
            return compared(limit, number) if mirrored else compared(number, limit)

        found = asked(swept)
        assert found is asked(now + plus)
        same = {value for value in NEAR if asked(value + plus) is found}
        assert {value for value in NEAR if seen.has(value)} == same


@pytest.mark.parametrize("plus", [0, 3, -2])
def test_whether_it_is_anything_but_zero(plus: int) -> None:
    for now in range(-4, 5):
        seen = Seen(now)
        found = bool(Swept(seen, plus))
        assert found is bool(now + plus)
        same = {value for value in NEAR if bool(value + plus) is found}
        assert {value for value in NEAR if seen.has(value)} == same


def test_what_is_found_out_adds_up() -> None:
    seen = Seen(5)
    swept = Swept(seen)
    assert swept > 2
    assert swept <= 9
    assert swept != 7
    assert swept > 1, "less is found out than was known"
    assert swept < 12
    before = seen.again()
    assert swept != 4
    assert swept < 6
    assert [value for value in NEAR if before.has(value)] == [3, 4, 5, 6, 8, 9]
    assert [value for value in NEAR if seen.has(value)] == [3, 5]
    assert before.now == 5


@pytest.mark.parametrize("compared", COMPARED)
def test_against_itself_it_holds_for_every_value(compared: Callable[[Any, Any], bool]) -> None:
    for more, less in product((-1, 0, 1, 2), repeat=2):
        seen = Seen(10)
        assert compared(Swept(seen, more), Swept(seen, less)) is compared(10 + more, 10 + less)
        if compared not in {operator.eq, operator.ne}:
            assert all(seen.has(value) for value in NEAR)


def test_what_is_added_and_taken_away() -> None:
    seen = Seen(10)
    swept: Any = Swept(seen)
    for moved, plus in (
        (swept + 3, 3), (3 + swept, 3), (swept - 4, -4), (swept + 5 - 2, 3), (sum([swept, 2]), 2),
    ):  # fmt: skip
        assert type(moved) is Swept
        assert (moved.seen, moved.plus) == (seen, plus)
    assert (swept + 5) - (swept + 1) == 4
    assert (swept + 1) - (swept + 5) == -4
    assert all(seen.has(value) for value in NEAR)


def test_of_two_numbers_each_is_looked_at() -> None:
    swept, other = Swept(Seen(10)), Swept(Seen(10))
    for use in (operator.sub, operator.add, operator.lt, operator.ge):
        with pytest.raises(Looked):
            use(swept, other)
    assert not swept == other  # noqa: SIM201  # `==` is meant
    assert swept != other


@pytest.mark.parametrize("other", [None, "10", (10,)])
def test_it_is_no_text_and_not_missing(other: object) -> None:
    seen = Seen(10)
    assert not Swept(seen) == other  # noqa: SIM201  # `==` is meant
    assert Swept(seen) != other
    assert all(seen.has(value) for value in NEAR)


@pytest.mark.parametrize("other", [0.5, 10.0, True, Fraction(10)])
@pytest.mark.parametrize("use", [*COMPARED, operator.add, operator.sub])
def test_only_whole_numbers_are_exact(other: object, use: Callable[[Any, Any], object]) -> None:
    with pytest.raises(Looked):
        use(Swept(Seen(10)), other)


@pytest.mark.parametrize("now", [10.0, True])
@pytest.mark.parametrize("use", [*COMPARED, operator.add, operator.sub])
def test_only_of_whole_numbers(now: float, use: Callable[[Any, Any], object]) -> None:
    with pytest.raises(Looked):
        use(Swept(Seen(now)), 1)
    with pytest.raises(Looked):
        bool(Swept(Seen(now)))


@pytest.mark.parametrize(
    "use", [operator.neg, operator.mul, operator.floordiv, operator.index, int, abs, len]
)
def test_everything_else_is_a_look(use: Callable[..., object]) -> None:
    swept = Swept(Seen(10))
    with pytest.raises(Looked):
        use(*[swept, 2][: 2 if use in {operator.mul, operator.floordiv} else 1])
    with pytest.raises(Looked):
        3 - swept


@pytest.mark.parametrize("plus", [0, 3, -2])
@pytest.mark.parametrize("divisor", [1, 2, 5])
def test_a_stretch_can_be_divided(divisor: int, plus: int) -> None:
    for now in range(-4, 8):
        seen = Stretch(now)
        swept: Any = Swept(seen, plus)
        found = swept // divisor
        assert type(found) is int
        assert found == (now + plus) // divisor
        same = {value for value in NEAR if (value + plus) // divisor == found}
        assert {value for value in NEAR if seen.has(value)} == same
        assert swept > now + plus - 2
        assert swept // (divisor + 1) == (now + plus) // (divisor + 1)
        assert all((value + plus) // divisor == found for value in NEAR if seen.has(value))


def test_what_is_divided_otherwise_is_looked_at() -> None:
    number: Any = Swept(Seen(7))
    stretch: Any = Swept(Stretch(7))
    cases: list[tuple[Callable[[Any, Any], object], Any, Any]] = [
        (operator.floordiv, number, 2), (operator.floordiv, stretch, 0),
        (operator.floordiv, stretch, -2), (operator.floordiv, stretch, 2.0),
        (operator.floordiv, 7, stretch), (operator.mod, stretch, 2),
        (operator.truediv, stretch, 2),
    ]  # fmt: skip
    for divide, one, other in cases:
        with pytest.raises(Looked):
            divide(one, other)


def test_a_stretch_that_is_settled_holds_for_the_present_number() -> None:
    seen = Stretch(4)
    assert Swept(seen) > 2
    seen.settle()
    assert [value for value in NEAR if seen.has(value)] == [4]
