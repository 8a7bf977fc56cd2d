"""Values and messages as they are told: short, on one screen, nothing that a terminal obeys."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.core.errors import AffrayError, SetupError
from affray.core.names import unknown
from affray.core.telling import MOST_COLUMNS, MOST_LINES, escaped, fitted, shown


def rows(text: str) -> int:
    """Lines that a text takes on a screen."""
    return sum(max(1, -(-len(line) // MOST_COLUMNS)) for line in text.split("\n"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Ada", "Ada"),
        ("a\nb", "a\nb"),
        ("\x1b[2J", "\\x1b[2J"),
        ("a\rb\tc\x00", "a\\rb\\tc\\x00"),
        ("\ud800", "\\ud800"),
        ("x\u202ey", "x\\u202ey"),
        ("Müller, 五", "Müller, 五"),
    ],
)
def test_control_characters_are_written_as_escapes(text: str, told: str) -> None:
    assert escaped(text) == told


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("Ada", "'Ada'"),
        ("x" * 61, "'" + "x" * 60 + "...' (61 characters)"),
        (7, "7"),
        (-(10**29), "-1" + "0" * 29),
        (True, "True"),
        (None, "None"),
        (1.5, "1.5"),
        ({}, "an empty table"),
        ({"a": 1}, "a table"),
        ([], "[]"),
        ([1, "b"], "[1, 'b']"),
        ([[1]], "a list of 1"),
        ([1] * 9, "a list of 9"),
        (["x" * 40] * 2, "a list of 2"),
    ],
)
def test_values_are_told_short(value: object, told: str) -> None:
    assert shown(value) == told


def test_a_number_that_python_refuses_to_write_is_told_by_its_digits() -> None:
    assert shown(10**5000) == "a number of about 5,001 digits"
    assert shown([10**5000]) == "[a number of about 5,001 digits]"


def test_what_fits_stays_as_it_is() -> None:
    text = "\n".join(["short"] * 22)
    assert fitted(text) == text


@pytest.mark.parametrize("text", ["x" * 100_000, "x\n" * 1000, ("y" * 200 + "\n") * 50])
def test_a_long_message_is_cut_and_says_so(text: str) -> None:
    told = fitted(text)
    assert rows(told) <= MOST_LINES - 1
    assert told.startswith(text[:40])
    assert told.endswith(f"... and more; {len(text):,} characters in all")


@given(st.text(alphabet="ab \n\x1b\ud800", max_size=4000))
def test_every_message_fits_and_prints(text: str) -> None:
    told = str(SetupError(text))
    assert rows(told) <= MOST_LINES - 1
    assert all(line.isprintable() for line in told.split("\n"))
    told.encode()


def test_an_error_told_again_stays_the_same() -> None:
    once = AffrayError("x" * 9000)
    assert str(AffrayError(str(once))) == str(once)


def test_a_long_unknown_name_is_cut() -> None:
    told = str(unknown("system", "x" * 100_000, ["one", "two"]))
    assert told == (f"no system is called '{'x' * 60}...' (100,000 characters). Known: one, two")


def test_where_nothing_has_a_name_that_is_told() -> None:
    assert str(unknown("ruling", "ties", [])) == "no ruling is called 'ties'; there is none at all"
