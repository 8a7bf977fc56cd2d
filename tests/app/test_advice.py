"""Advice at a choice is what solving says there."""

from __future__ import annotations

from fractions import Fraction

import pytest

from affray.app.advice import advise
from affray.app.play import PlayedGame
from affray.app.sources import Shipped
from affray.app.views.envelope import to_json
from affray.core.errors import AnswerError, LimitError, UnknownNameError
from affray.engine.budget import Budget

GAME = PlayedGame.begin("eclipse-phase", Shipped("jinx-shoots"))


def test_each_option_has_its_value_and_the_best_costs_nothing() -> None:
    """96 misses; flipped to 69 it is beaten by 00, 11 and 22 alone: three faces in a hundred."""
    advice = advise(GAME.answer([96]), "hit")
    assert [(row.name, row.fraction, row.cost) for row in advice.options] == [
        ("none", Fraction(0), Fraction(97, 100)), ("flip", Fraction(97, 100), Fraction(0)),
    ]  # fmt: skip
    assert (advice.best, advice.wants, advice.how) == ("flip", "more", "exact")


def test_whoever_is_attacked_wants_less() -> None:
    """A point for 20 more on the own defense makes a hit less likely."""
    game = PlayedGame.begin("eclipse-phase", Shipped("pack"))
    question = game.question
    assert question is not None
    assert question.actor == "defender"
    advice = advise(game, "hit", Budget(seconds=60))
    none, spent = advice.options
    assert (advice.wants, advice.best) == ("less", "plus20")
    assert none.fraction is not None
    assert spent.fraction is not None
    assert none.fraction - spent.fraction == none.cost
    assert none.cost is not None
    assert none.cost > 0 == spent.cost


def test_there_is_advice_at_choices_only_and_within_the_budget() -> None:
    with pytest.raises(AnswerError, match="this is a roll, nothing to choose"):
        advise(GAME)
    with pytest.raises(UnknownNameError):
        advise(GAME.answer([96]), "glory")
    with pytest.raises(LimitError):
        advise(PlayedGame.begin("eclipse-phase", Shipped("pack")), "hit", Budget(stop=lambda: True))


def test_beyond_the_budget_it_is_an_estimate() -> None:
    """A whole game on a map: nobody calls exact what was sampled."""
    game = PlayedGame.begin("grid-battles", Shipped("ford"))
    view = advise(game, "win", Budget(places=3_000), seed=3)
    assert (view.known, view.stopped_by, view.fraction) == ("estimate", "places", None)
    assert view.how.startswith(f"estimate: {view.looks} look-aheads with seed 3")
    assert view.low <= view.value <= view.high
    assert {row.known for row in view.options} <= {"estimate", ""}
    assert view.best in {row.name for row in view.options}
    plain = to_json(view)
    assert (plain["schema"], plain["version"], plain["known"]) == ("affray/advice", 1, "estimate")
    assert view == advise(
        PlayedGame.begin("grid-battles", Shipped("ford")), "win", Budget(places=3_000), seed=3
    )
