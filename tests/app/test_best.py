"""The best options of the worked example, and what other ones cost."""

from __future__ import annotations

from affray.app.best import ask_best
from affray.app.sources import Answers, Shipped

JINX = ("eclipse-phase", Shipped("jinx-shoots"))


def test_best_finds_the_flip_of_o4() -> None:
    view = ask_best(*JINX, objective="hit")
    assert float(view.value) == 0.8595
    (decision,) = [d for d in view.decisions if d.step == "spend_after_attack"]
    never = next(option for option in decision.always if option.name == "none")
    assert float(never.value) == 0.6499


def test_best_judges_the_choices_that_were_made() -> None:
    view = ask_best(*JINX, objective="hit", answers=Answers((96,), ("none",)))
    ((step, cost),) = view.regrets
    assert step == "spend_after_attack"
    # kept, 96 misses for certain; flipped to 69 only 33 and above of a defence of 30 would
    # beat it, that is 00, 11 and 22: 97 in 100
    assert (float(cost.value), float(cost.cost)) == (0, 0.97)
