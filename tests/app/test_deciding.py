"""A computer's decision in a game that was saved."""

from __future__ import annotations

import pytest

from affray.app.deciding import decision_in_exchange, decision_in_fight
from affray.app.fight import Fight
from affray.app.play import PlayedGame
from affray.app.sources import Shipped
from affray.core.errors import AnswerError
from affray.engine.budget import Budget


def test_an_exchange_is_decided_for_an_objective() -> None:
    """After 96 of 00 to 99 it hits only if the dice are flipped to 69."""
    game = PlayedGame.begin("eclipse-phase", Shipped("jinx-shoots")).answer([96])
    view = decision_in_exchange(game, "hit", Budget(seconds=5))
    assert (view.option, view.by, view.moves) == ("flip", ("solved",), 1)


def test_a_roll_is_no_decision_in_an_exchange() -> None:
    game = PlayedGame.begin("eclipse-phase", Shipped("jinx-shoots"))
    with pytest.raises(AnswerError, match="nothing is to be decided"):
        decision_in_exchange(game)


def test_a_fight_is_decided_by_a_policy_as_at_its_seat() -> None:
    fight = Fight.begin("empty-earth", ("bo", "2xhusk")).answer(["Bo"])
    view = decision_in_fight(fight, "first")
    assert view.option == fight.decides("first").option
    assert fight.asked is not None
    assert view.option in {option.name for option in fight.asked.options}
    assert (view.policy, view.moves) == ("first", 1)


def test_a_roll_is_no_decision_in_a_fight() -> None:
    with pytest.raises(AnswerError, match="nothing is to be decided"):
        decision_in_fight(Fight.begin("empty-earth", ("bo", "2xhusk")))
