"""What people type when a fight asks for a number."""

from __future__ import annotations

import pytest

from affray.core.errors import SetupError
from affray.core.matter import length_typed, number_typed


@pytest.mark.parametrize(("text", "number"), [("1", 1), ("08", 8), ("50", 50)])
def test_a_whole_number_within_its_bounds(text: str, number: int) -> None:
    assert number_typed(text, "hexes", 50, least=1) == number


@pytest.mark.parametrize(
    "text", ["", "0", "51", "-1", "7.5", "x", "²", "0000000000000051", "9" * 99]
)
def test_any_other_text_is_refused_with_what_is_allowed(text: str) -> None:
    with pytest.raises(SetupError, match="allowed: hexes, 1 to 50"):
        number_typed(text, "hexes", 50, least=1)


@pytest.mark.parametrize(("text", "length"), [("0", 0.0), ("7.5", 7.5), ("1000", 1000.0)])
def test_a_length_within_its_bounds(text: str, length: float) -> None:
    assert length_typed(text, "meters", 1000) == length


@pytest.mark.parametrize("text", ["", "-0.5", "1000.5", "nan", "inf", "x"])
def test_no_length_beyond_them(text: str) -> None:
    with pytest.raises(SetupError, match="allowed: meters, 0 to 1,000"):
        length_typed(text, "meters", 1000)
