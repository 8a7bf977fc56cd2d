"""Advice at a choice is what solving says there."""

from __future__ import annotations

from fractions import Fraction

import pytest

from affray.app.advice import advise
from affray.app.play import answer, begin
from affray.app.sources import Shipped
from affray.core.errors import AnswerError, LimitError, UnknownNameError
from affray.engine.budget import Budget

GAME = begin("eclipse-phase", Shipped("jinx-shoots"))


def test_each_option_has_its_value_and_the_best_costs_nothing() -> None:
    """96 misses; flipped to 69 it is beaten by 00, 11 and 22 alone: three faces in a hundred."""
    advice = advise(answer(GAME, [96]), "hit")
    assert [(row.name, row.value, row.cost) for row in advice.options] == [
        ("none", Fraction(0), Fraction(97, 100)), ("flip", Fraction(97, 100), Fraction(0)),
    ]  # fmt: skip
    assert (advice.best, advice.wants, advice.how) == ("flip", "more", "exact")


def test_whoever_is_attacked_wants_less() -> None:
    """A point for 20 more on the own defense makes a hit less likely."""
    game = begin("eclipse-phase", Shipped("pack"))
    question = game.question
    assert question is not None
    assert question.actor == "defender"
    advice = advise(game, "hit", Budget(seconds=60))
    none, spent = advice.options
    assert (advice.wants, advice.best) == ("less", "plus20")
    assert none.value - spent.value == none.cost > 0 == spent.cost


def test_there_is_advice_at_choices_only_and_within_the_budget() -> None:
    with pytest.raises(AnswerError, match="nothing is to be decided"):
        advise(GAME)
    with pytest.raises(UnknownNameError):
        advise(answer(GAME, [96]), "glory")
    with pytest.raises(LimitError):
        advise(begin("eclipse-phase", Shipped("pack")), "hit", Budget(places=3))
