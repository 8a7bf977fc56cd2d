"""A script is held against what its setup expects."""

from __future__ import annotations

import pytest

from affray.app.inputs.tables import examples
from affray.app.play import PlayedGame, check_expected, play_script
from affray.app.registry import system_named
from affray.app.sources import Answers, Shipped, Table
from affray.core.errors import AnswerError, UnknownNameError

SCRIPTED = Answers(own=True)
EP = system_named("eclipse-phase")


def expecting(expected: dict[str, object]) -> PlayedGame:
    """The worked example with its script played, held against something else."""
    table = {**examples(EP)["jinx-shoots"], "expect": expected}
    return play_script(PlayedGame.begin(EP.id, Table(table, "my table")), SCRIPTED)


def test_what_comes_as_expected_passes() -> None:
    game = play_script(PlayedGame.begin(EP.id, Shipped("jinx-shoots")), SCRIPTED)
    assert game.loaded.expect["net"] == 11
    check_expected(game)


@pytest.mark.parametrize(
    ("system", "name"), [("eclipse-phase", "stun-baton"), ("empty-earth", "bought-after-the-roll")]
)
def test_lists_and_other_names_of_fields_are_compared(system: str, name: str) -> None:
    game = play_script(PlayedGame.begin(system, Shipped(name)), SCRIPTED)
    assert game.loaded.expect
    check_expected(game)


def test_what_comes_otherwise_is_told() -> None:
    with pytest.raises(AnswerError, match=r"^my table: expect: net: 11, not 12$"):
        check_expected(expecting({"hit": True, "net": 12}))


def test_a_field_that_there_is_not_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="damige"):
        check_expected(expecting({"damige": 1}))


def test_an_exchange_that_goes_on_can_not_be_checked() -> None:
    with pytest.raises(AnswerError, match="the exchange is not over"):
        check_expected(PlayedGame.begin(EP.id, Shipped("jinx-shoots")))
