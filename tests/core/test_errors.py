"""The exception tree: what callers may catch."""

import pytest

from affray.core import errors
from affray.core.errors import (
    AffrayError,
    AnswerError,
    LimitError,
    RulesError,
    SetupError,
    StoreError,
)


@pytest.mark.parametrize("name", errors.__all__)
def test_one_tree(name: str) -> None:
    assert issubclass(getattr(errors, name), AffrayError)


def test_every_error_is_listed() -> None:
    found = {name for name, thing in vars(errors).items() if isinstance(thing, type)}
    assert found == set(errors.__all__)


@pytest.mark.parametrize("kind", [SetupError, AnswerError])
def test_what_a_user_gave_is_a_value_error(kind: type[AffrayError]) -> None:
    assert issubclass(kind, ValueError)


@pytest.mark.parametrize("kind", [RulesError, LimitError, StoreError])
def test_what_a_user_did_not_give_is_no_value_error(kind: type[AffrayError]) -> None:
    assert not issubclass(kind, ValueError)


def test_limit_error_carries_what_was_settled() -> None:
    error = LimitError("too many", states=7, p_ended=0.25)
    assert str(error) == "too many"
    assert (error.states, error.p_ended) == (7, 0.25)
    assert (LimitError("x").states, LimitError("x").p_ended) == (0, 0.0)
