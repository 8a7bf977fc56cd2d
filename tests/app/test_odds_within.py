"""Odds within a budget: exact, bounds or a sample, and it says which."""

from __future__ import annotations

import pytest

from affray.app.odds import ask_odds
from affray.app.odds_within import odds_within
from affray.app.sources import Changes, Shipped
from affray.app.views.envelope import to_json
from affray.app.views.estimates import EstimatedOddsView
from affray.app.views.exchanges import OddsView
from affray.core.errors import LimitError
from affray.engine.budget import Budget

JINX = ("eclipse-phase", Shipped("jinx-shoots"))


def test_what_is_within_reach_is_exact() -> None:
    view = odds_within(*JINX, ["wounds"], budget=Budget(seconds=60))
    assert isinstance(view, OddsView)
    assert view == ask_odds(*JINX, ["wounds"])


def test_beyond_the_places_it_is_a_sample_near_the_exact_odds() -> None:
    """The one decision is easy: looked ahead for, it is nearly that of the solution."""
    view = odds_within(*JINX, ["hit"], objective="hit", budget=Budget(places=60), looking_s=1)
    assert isinstance(view, EstimatedOddsView)
    assert (view.known, view.settled) == ("estimate", None)
    assert "over 60 places" in view.why
    assert view.n > 100
    hit = next(row for row in view.rows if row.value is True)
    assert hit.exactly.value == pytest.approx(0.8595, abs=0.1)
    plain = to_json(view)
    assert (plain["schema"], plain["version"]) == ("affray/odds-estimate", 1)


def test_decisions_of_the_solution_are_used_if_it_is_there() -> None:
    """Solved within the places, but not followed to the end."""
    changes = Changes(settle={"spend_after_attack": ("none",)})
    view = odds_within(*JINX, ["wounds"], changes=changes, budget=Budget(places=2), looking_s=0.4)
    assert isinstance(view, EstimatedOddsView)
    assert view.policy == "nothing was left to decide"
    exact = ask_odds(*JINX, ["wounds"], changes=changes)
    chances = {row.value: float(row.exactly) for row in exact.rows}
    for row in view.rows:
        assert row.exactly.value is not None
        error = (chances[row.value] * (1 - chances[row.value]) / view.n) ** 0.5
        assert abs(row.exactly.value - chances[row.value]) < 5 * error + 1e-9
        assert row.at_least is not None
        assert row.at_least.low <= row.at_least.high


def test_who_stops_it_gets_no_sample() -> None:
    with pytest.raises(LimitError) as error:
        odds_within("grid-battles", Shipped("ford"), budget=Budget(stop=lambda: True))
    assert error.value.limit == "interrupted"


def test_where_memory_is_spent_there_is_a_sample() -> None:
    view = odds_within(
        "eclipse-phase", Shipped("pack"), budget=Budget(bytes=1_000_000), looking_s=0.5
    )
    assert isinstance(view, EstimatedOddsView)
    assert "1 MB of memory" in view.why
