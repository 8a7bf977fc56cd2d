"""A script is held against what its file expects (`affray play --script`)."""

from __future__ import annotations

import pytest

from affray.app import use_cases
from affray.core.errors import AnswerError, UnknownNameError

SCRIPTED = use_cases.Wanted(scripted=True)


def test_what_comes_as_expected_passes() -> None:
    loaded, session = use_cases.open_game("eclipse-phase", "jinx-shoots", SCRIPTED)
    assert loaded.expect["net"] == 11
    use_cases.check_expected(loaded, session)


@pytest.mark.parametrize(
    ("system", "name"), [("eclipse-phase", "stun-baton"), ("empty-earth", "bought-after-the-roll")]
)
def test_lists_and_other_names_of_fields_are_compared(system: str, name: str) -> None:
    loaded, session = use_cases.open_game(system, name, SCRIPTED)
    assert loaded.expect
    use_cases.check_expected(loaded, session)


def test_what_comes_otherwise_is_told() -> None:
    loaded, session = use_cases.open_game("eclipse-phase", "jinx-shoots", SCRIPTED)
    other = loaded._replace(expect={"hit": True, "net": 12})
    with pytest.raises(AnswerError, match=r"^example jinx-shoots: expect: net: 11, not 12$"):
        use_cases.check_expected(other, session)


def test_a_field_that_there_is_not_is_refused() -> None:
    loaded, session = use_cases.open_game("eclipse-phase", "jinx-shoots", SCRIPTED)
    with pytest.raises(UnknownNameError, match="damige"):
        use_cases.check_expected(loaded._replace(expect={"damige": 1}), session)


def test_an_exchange_that_goes_on_can_not_be_checked() -> None:
    loaded, session = use_cases.open_game("eclipse-phase", "jinx-shoots")
    with pytest.raises(AnswerError, match="the exchange is not over"):
        use_cases.check_expected(loaded, session)
