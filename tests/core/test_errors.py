"""The exception tree: what callers may catch."""

import pickle

import pytest

from affray.core import errors
from affray.core.errors import (
    AffrayError,
    AnswerError,
    Fault,
    LimitError,
    RulesError,
    SetupError,
    StoreError,
)

ERRORS = [name for name in errors.__all__ if name.endswith("Error")]


@pytest.mark.parametrize("name", ERRORS)
def test_one_tree(name: str) -> None:
    assert issubclass(getattr(errors, name), AffrayError)


def test_each_kind_of_error_has_a_code_of_its_own() -> None:
    codes = [getattr(errors, name).code for name in ERRORS]
    assert len(set(codes)) == len(codes)


def test_every_error_is_listed() -> None:
    found = {
        name for name, thing in vars(errors).items()
        if isinstance(thing, type) and thing.__module__ == errors.__name__
    }  # fmt: skip
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
    assert LimitError("x", states=7, done={"rounds": 3}).settled == {
        "limit": "", "states": 7, "p_ended": 0.0, "done": {"rounds": 3.0},
    }  # fmt: skip


def test_an_error_without_faults_is_one_fault_of_the_whole() -> None:
    assert SetupError("it is \x1b[31m").faults == (
        Fault("", "it is \\x1b[31m", code="rules-refuse"),
    )


def test_faults_take_the_code_of_their_error_unless_they_have_one() -> None:
    error = StoreError("two", faults=[Fault("/a", "no"), Fault("/b", "no", code="missing")])
    assert [fault.code for fault in error.faults] == ["store", "missing"]


def test_faults_are_placed_below_the_place_of_their_table() -> None:
    error = SetupError("x", faults=[Fault("/hp", "no"), Fault("/hp", "no", origin="own.toml")])
    assert [(f.where, f.origin) for f in error.at("/attacker", "a.toml").faults] == [
        ("/attacker/hp", "a.toml"), ("/hp", "own.toml"),
    ]  # fmt: skip


def test_faults_outlive_a_way_to_another_process() -> None:
    error = SetupError("x", advice="roster", faults=[Fault("/a", "no", 3, "4", "missing")])
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.advice, again.faults) == ("x", "roster", error.faults)
