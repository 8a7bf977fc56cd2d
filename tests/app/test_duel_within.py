"""Duels within a budget: worked out, or battles of the two."""

from __future__ import annotations

import pytest

from affray.app import duel_within as within
from affray.app.duel import ask_duel
from affray.app.duel_within import duel_within
from affray.app.inputs.fight_setups import FightChanges, LoadedFight
from affray.app.sources import Names
from affray.app.views.csv_tables import to_csv
from affray.app.views.envelope import to_json
from affray.app.views.estimated_duels import EstimatedDuelView
from affray.app.views.fights import DuelView
from affray.core.errors import LimitError, SetupError
from affray.engine.budget import Budget, Clock
from affray.engine.exchange.keeping import forget_kernels

W6 = ("eclipse-phase", "w6")


def test_what_is_within_reach_is_worked_out() -> None:
    view = duel_within("empty-earth", "bo-husk", budget=Budget(seconds=60))
    assert isinstance(view, DuelView)
    assert view.won == ask_duel("empty-earth", "bo-husk").won


def test_beyond_the_pairs_it_is_a_sample_that_holds_the_exact_chance() -> None:
    """Ten thousand battles: within five standard errors of what is worked out."""
    exact = ask_duel(*W6)
    view = duel_within(*W6, budget=Budget(pairs=10), seed=4)
    assert isinstance(view, EstimatedDuelView)
    assert (view.known, view.n, view.instead) == ("estimate", 10_000, "")
    for share, chance in zip(view.won, exact.won, strict=True):
        assert abs(share.value - chance) < 5 * (chance * (1 - chance) / view.n) ** 0.5
        assert share.low <= share.value <= share.high
    assert exact.rounds is not None
    assert abs(view.rounds.value - exact.rounds) < 3 * (view.rounds.high - view.rounds.low)
    assert view == duel_within(*W6, budget=Budget(pairs=10), seed=4)
    plain = to_json(view)
    assert (plain["schema"], plain["version"]) == ("affray/duel-estimate", 3)
    assert "result,,,rounds," in to_csv(view)


def test_bounds_hold_what_is_worked_out() -> None:
    """Thirty states settle some of it and leave some open; ten settle less."""
    exact = ask_duel(*W6)
    widths = []
    for pairs in (30, 300):
        view = duel_within(*W6, budget=Budget(pairs=pairs), seed=4)
        assert isinstance(view, EstimatedDuelView)
        sure = view.certain
        assert sure is not None
        for bounds, chance in zip(sure.won, exact.won, strict=True):
            assert bounds.least <= chance <= bounds.most
        assert 0 < sure.open < 1
        widths.append(sure.open)
        assert "certain,,,drawn,," in to_csv(view)
    assert widths[0] > widths[1]


def test_bounds_of_a_fight_that_is_called_off_count_those_that_stall() -> None:
    changes = FightChanges(rounds=2)
    exact = ask_duel(*W6, changes=changes)
    view = duel_within(*W6, changes=changes, budget=Budget(pairs=300), seed=4)
    assert isinstance(view, EstimatedDuelView)
    assert view.certain is not None
    assert 0 < view.certain.stalled.least <= exact.stalled <= view.certain.stalled.most


def test_one_battle_is_fought_however_little_time_there_is() -> None:
    view = duel_within(*W6, budget=Budget(seconds=0.001), seed=4)
    assert isinstance(view, EstimatedDuelView)
    assert view.n == 1


def test_optimal_is_replaced_where_nothing_is_solved_and_said() -> None:
    changes = FightChanges(policies=("optimal", "optimal"))
    view = duel_within("empty-earth", "bo-husk", changes=changes, budget=Budget(pairs=0))
    assert isinstance(view, EstimatedDuelView)
    assert view.instead == "optimal"
    assert [side.policy for side in view.sides] == ["greedy", "greedy"]
    assert view.certain is None, "nobody knows how it is decided"


def test_bounds_of_best_play_hold_what_is_worked_out() -> None:
    changes = FightChanges(policies=("optimal", "optimal"), first="one")
    exact = ask_duel("affinity", "novices", changes=changes)
    worth = exact.won[0] + (exact.drawn + exact.ended + exact.endless) / 2
    view = duel_within("affinity", "novices", changes=changes, budget=Budget(pairs=1500), seed=4)
    assert isinstance(view, EstimatedDuelView)
    assert view.certain is None
    assert view.best is not None
    assert 0 < view.best.least <= worth <= view.best.most < 1
    assert "certain,Squire,,best play,," in to_csv(view)


def test_best_play_that_is_called_off_has_no_bounds() -> None:
    changes = FightChanges(policies=("optimal", "optimal"), rounds=3)
    view = duel_within("empty-earth", "bo-husk", changes=changes, budget=Budget(pairs=0))
    assert isinstance(view, EstimatedDuelView)
    assert view.best is None


def test_where_greedy_takes_too_long_openings_are_fought(monkeypatch: pytest.MonkeyPatch) -> None:
    fought = within._fought

    def slow(loaded: LoadedFight, seed: int, clock: Clock) -> within._Sample:
        if "greedy" in loaded.policies:
            raise LimitError("not one battle was over in time", limit="seconds")
        return fought(loaded, seed, clock)

    monkeypatch.setattr(within, "_fought", slow)
    changes = FightChanges(policies=("optimal", "optimal"))
    view = duel_within("empty-earth", "bo-husk", changes=changes, budget=Budget(pairs=0))
    assert isinstance(view, EstimatedDuelView)
    assert (view.instead, view.n) == ("optimal", 10_000)
    assert [side.policy for side in view.sides] == ["opening", "opening"]


def test_more_than_one_on_a_side_is_no_duel() -> None:
    with pytest.raises(SetupError, match="a duel is one against one"):
        duel_within("empty-earth", Names("2xbo", "husk"))


def test_who_stops_it_gets_no_sample() -> None:
    with pytest.raises(LimitError) as error:
        duel_within(*W6, budget=Budget(stop=lambda: True))
    assert error.value.limit == "interrupted"


@pytest.mark.filterwarnings("ignore:.*distance_m")
def test_a_policy_that_takes_too_long_to_find_out_is_replaced_and_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The best opening move of a predator can't be solved within ten places."""
    monkeypatch.setattr(within, "PLAYED_S", 0.3)
    forget_kernels()
    pair = Names("predator", "exhuman")
    view = duel_within("eclipse-phase", pair, budget=Budget(places=10), seed=4)
    assert isinstance(view, EstimatedDuelView)
    assert view.instead == "opening"
    assert [side.policy for side in view.sides] == ["first", "first"]
    assert view.certain is None
    assert view.n >= 1
