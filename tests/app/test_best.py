"""The best options of the worked example, and what other ones cost."""

from __future__ import annotations

import pytest

from affray.app import best
from affray.app.best import ask_best, best_within
from affray.app.sources import Answers, Shipped
from affray.app.views.advice import EstimatedBestView
from affray.app.views.envelope import to_json
from affray.core.errors import LimitError
from affray.engine.budget import Budget

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


def test_what_is_within_reach_is_solved() -> None:
    assert best_within(*JINX, objective="hit") == ask_best(*JINX, objective="hit")


def test_beyond_the_places_bounds_hold_the_value_and_tell_the_best_option() -> None:
    """After a 96 the flip to 69 is best; the bounds of either option hold what it is worth."""
    view = best_within(
        *JINX, objective="hit", answers=Answers((96,)), budget=Budget(places=120), looking_s=0.2
    )
    assert isinstance(view, EstimatedBestView)
    assert view.certain is not None
    least, most = view.certain.least, view.certain.most
    assert least is not None
    assert most is not None
    assert least <= 0.97 <= most
    rows = {row.name: (row.least, row.most) for row in view.certain.options}
    solved = ask_best(*JINX, objective="hit", answers=Answers((96,)))
    for option in solved.decisions[0].situations[0].options:
        low, high = rows[option.name]
        assert low is not None
        assert high is not None
        assert low <= option.value <= high
    if view.certain.best:
        assert view.decisions[0].best == view.certain.best == "flip"
    plain = to_json(view)
    assert (plain["schema"], plain["version"]) == ("affray/best-estimate", 2)


def test_the_option_that_is_certainly_best_is_advised() -> None:
    """A dog shoots without a chance to kill; the defender needs no point, as bounds show."""
    view = best_within(
        "eclipse-phase", Shipped("pack"), objective="kill", budget=Budget(places=1_000), looking_s=1
    )
    assert isinstance(view, EstimatedBestView)
    assert view.certain is not None
    assert (view.certain.best, view.certain.most) == ("none", 0)
    assert view.decisions[0].best == "none"


def test_who_stops_it_gets_no_estimate() -> None:
    with pytest.raises(LimitError) as error:
        best_within("grid-battles", Shipped("ford"), budget=Budget(stop=lambda: True))
    assert error.value.limit == "interrupted"


def test_where_memory_is_spent_there_is_an_estimate() -> None:
    view = best_within(
        "eclipse-phase", Shipped("pack"), budget=Budget(bytes=1_000_000), looking_s=0.5
    )
    assert isinstance(view, EstimatedBestView)
    assert "1 MB of memory" in view.why


def test_what_is_solved_is_certain_though_it_can_not_all_be_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def spent(_: object) -> None:
        raise LimitError("time was over", limit="seconds")

    monkeypatch.setattr(best, "report", spent)
    view = best_within(*JINX, objective="hit", looking_s=0.2)
    assert isinstance(view, EstimatedBestView)
    assert view.certain is not None
    assert view.certain.least == pytest.approx(0.8595, abs=1e-12)
    assert view.certain.most == pytest.approx(0.8595, abs=1e-12)
    assert view.value == pytest.approx(0.8595, abs=1e-12)
