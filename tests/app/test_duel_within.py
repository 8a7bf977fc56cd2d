"""Duels within a budget: worked out, or battles of the two."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from affray.app import duel_within as within
from affray.app.battle import MOST_ROUNDS, N_BATTLES
from affray.app.duel import ask_duel
from affray.app.duel_within import duel_within
from affray.app.inputs.fight_changes import FIGHT_AS_WRITTEN, FightChanges
from affray.app.inputs.fight_setups import LoadedFight, opened, read_fight
from affray.app.sources import Names
from affray.app.views.csv_tables import to_csv
from affray.app.views.envelope import to_json
from affray.app.views.estimated_duels import EstimatedDuelView
from affray.app.views.fights import DuelView
from affray.core.errors import LimitError, SetupError
from affray.engine import budget as budgets
from affray.engine.budget import Budget, Clock, clock_in_force, spending
from affray.engine.exchange.keeping import forget_kernels
from affray.engine.fight.contest import Contest
from affray.engine.fight.duels import bounded, certain, walked
from affray.engine.fight.played import play

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


def test_only_optimal_is_replaced() -> None:
    changes = FightChanges(policies=("optimal", "first"))
    view = duel_within("empty-earth", "bo-husk", changes=changes, budget=Budget(pairs=0))
    assert isinstance(view, EstimatedDuelView)
    assert [side.policy for side in view.sides] == ["greedy", "first"]


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


def test_best_play_that_is_called_off_has_no_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are known are of a fight to the end."""
    known = bounded.BestBounds(0.25, 0.5, 9, "")
    monkeypatch.setattr(bounded, "best_within", lambda _: known)
    changes = FightChanges(policies=("optimal", "optimal"), rounds=3)
    view = duel_within("empty-earth", "bo-husk", changes=changes, budget=Budget(pairs=0))
    assert isinstance(view, EstimatedDuelView)
    assert view.best is None
    assert view.limit == 3
    view = duel_within(
        "empty-earth", "bo-husk", changes=changes._replace(rounds=None), budget=Budget(pairs=0)
    )
    assert isinstance(view, EstimatedDuelView)
    assert view.best == (0.25, 0.5)


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


# -- what it does within its time ------------------------------------------------------------------

PAIR = ("empty-earth", "bo-husk")
OPTIMAL = FightChanges(policies=("optimal", "optimal"))


def refused(limit: str) -> Callable[..., Any]:
    """Work that comes to nothing."""

    def work(*_: object, **__: object) -> Any:
        raise LimitError(f"no {limit}", limit=limit)

    return work


def played(monkeypatch: pytest.MonkeyPatch, *battles: tuple[str, int] | str) -> list[int]:
    """Let battles that are fought one by one come to this; the seeds with which they are asked.

    Args:
        battles: verdict and rounds of each, or the limit that it reaches.
    """
    seeds: list[int] = []

    def battle(contest: Contest, *, seed: int, **_: object) -> SimpleNamespace:
        seeds.append(seed)
        now = battles[len(seeds) - 1]
        if isinstance(now, str):
            raise LimitError(f"no {now}", limit=now)
        return SimpleNamespace(verdict=now[0], rounds=now[1])

    monkeypatch.setattr(play, "play_battle", battle)
    return seeds


def loaded(changes: FightChanges = FIGHT_AS_WRITTEN) -> LoadedFight:
    return opened(read_fight(*PAIR, changes))


@pytest.mark.parametrize(
    ("stage", "changes"),
    [
        ("opened", FightChanges()),
        ("duel_view", FightChanges()),
        ("_fought", FightChanges()),
        ("_fought", OPTIMAL),
        ("_certain", FightChanges()),
        ("_best", OPTIMAL),
    ],
)
def test_who_stops_it_is_heard_at_every_stage(
    stage: str, changes: FightChanges, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, stops = getattr(within, stage), iter([refused("interrupted")])

    def stopped_once(*given: Any, **more: Any) -> Any:
        return next(stops, whole)(*given, **more)

    monkeypatch.setattr(within, stage, stopped_once)
    with pytest.raises(LimitError) as error:
        duel_within(*PAIR, changes=changes, budget=Budget(pairs=0))
    assert error.value.limit == "interrupted"


def test_each_piece_of_work_has_its_share_of_the_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 40 seconds 20 to work it out, 16 more if that is enough, and 4 or 20 for bounds."""
    given: dict[str, tuple[float | None, float]] = {}

    def noting(name: str, found: Callable[..., Any]) -> Callable[..., Any]:
        def work(*every: object, **more: object) -> Any:
            clock = clock_in_force()
            given[name] = clock.seconds, clock.budget.reserve
            return found(*every, **more)

        return work

    now = within._fought(loaded(), 4, Clock(Budget()))._replace(n=1)
    monkeypatch.setattr(budgets, "monotonic", lambda: 100.0)
    monkeypatch.setattr(within, "duel_view", noting("exact", refused("seconds")))
    monkeypatch.setattr(certain, "certain_of", noting("certain", lambda *_, **__: None))
    monkeypatch.setattr(within, "_fought", noting("sample", lambda *_: now))
    monkeypatch.setattr(bounded, "best_within", noting("best", lambda *_: None))
    duel_within(*PAIR, budget=Budget(seconds=40))
    assert given == {"exact": (20, 16), "certain": (4, 0), "sample": (40, 0)}
    given.clear()
    duel_within(*PAIR, changes=OPTIMAL, budget=Budget(seconds=40))
    assert given == {"exact": (20, 16), "best": (20, 0), "sample": (20, 0)}


def test_where_openings_take_too_long_as_well_first_options_are_fought(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fought = within._fought
    monkeypatch.setattr(
        within,
        "_fought",
        lambda fight, *more: (
            fought(fight, *more) if {*fight.policies} == {"first"} else refused("seconds")()
        ),
    )
    view = duel_within(*PAIR, changes=OPTIMAL, budget=Budget(pairs=0))
    assert isinstance(view, EstimatedDuelView)
    assert (view.instead, view.n) == ("optimal", 10_000)
    assert [side.policy for side in view.sides] == ["first", "first"]


def test_a_fight_that_is_not_found_out_is_fought_by_first_options(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(within, "opened", refused("places"))
    for policies, instead in (
        (("greedy", "first"), "greedy"),
        (("opening", "greedy"), "greedy"),
        (("opening", "opening"), "opening"),
    ):
        changes = FightChanges(policies=policies)
        view = duel_within(*PAIR, changes=changes, budget=Budget(pairs=0))
        assert isinstance(view, EstimatedDuelView)
        assert (view.instead, view.why, view.limit) == (instead, "no places", MOST_ROUNDS)
        assert [side.policy for side in view.sides] == ["first", "first"]
        assert (view.certain, view.best, view.seed) == (None, None, 0)


def test_what_is_all_open_is_not_told_as_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = dict.fromkeys(certain.VERDICTS, (0.0, 1.0))
    monkeypatch.setattr(within, "duel_view", refused("pairs"))
    monkeypatch.setattr(
        certain, "certain_of", lambda *_, **__: certain.CertainDuel(nothing, 1.0, 0, "")
    )
    monkeypatch.setattr(bounded, "best_within", lambda _: bounded.BestBounds(0.0, 1.0, 0, ""))
    for changes in (FightChanges(), OPTIMAL):
        view = duel_within(*PAIR, changes=changes, budget=Budget(pairs=0))
        assert isinstance(view, EstimatedDuelView)
        assert (view.certain, view.best) == (None, None)


# -- battles one after the other -------------------------------------------------------------------


def test_shares_of_battles_that_are_fought_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """One, other, one, drawn: half, a quarter, a quarter; 1 + 2 + 3 + 6 rounds are 3 on average."""
    seeds = played(monkeypatch, ("one", 1), ("other", 2), ("one", 3), ("drawn", 6))
    monkeypatch.setattr(walked, "walked", refused("places"))
    monkeypatch.setattr(within, "N_BATTLES", 4)
    sample = within._fought(loaded(), 7, Clock(Budget()))
    assert seeds == [7, 8, 9, 10]
    assert (sample.n, sample.stopped_by) == (4, "")
    shares = (*sample.won, sample.drawn, sample.ended, sample.stalled)
    assert [share.value for share in shares] == [1 / 2, 1 / 4, 1 / 4, 0, 0]
    assert sample.rounds.value == 3
    # (4 + 1 + 0 + 9) / 3 is the variance; its root over four battles.
    assert sample.rounds.high - 3 == pytest.approx(1.959963984540054 * (14 / 3 / 4) ** 0.5)


def test_battles_that_are_fought_one_by_one_are_called_off(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[int] = []

    def battle(*_: object, rounds: int, **__: object) -> SimpleNamespace:
        limits.append(rounds)
        return SimpleNamespace(verdict="stalled", rounds=rounds)

    monkeypatch.setattr(play, "play_battle", battle)
    monkeypatch.setattr(within, "N_BATTLES", 1)
    for changes in (FIGHT_AS_WRITTEN, FightChanges(rounds=7)):
        assert within._played(loaded(changes), 0, Clock(Budget())).stalled.value == 1
    assert limits == [MOST_ROUNDS, 7]


def test_battles_until_a_limit_is_reached_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walked, "walked", refused("places"))
    seeds = played(monkeypatch, ("one", 1), ("one", 2), "bytes")
    sample = within._fought(loaded(), 0, Clock(Budget()))
    assert (seeds, sample.n, sample.stopped_by) == ([0, 1, 2], 2, "bytes")
    for battles in (["bytes"], [("one", 1), "interrupted"]):
        played(monkeypatch, *battles)
        with pytest.raises(LimitError):
            within._fought(loaded(), 0, Clock(Budget()))


def test_battles_end_with_the_time_that_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second each: not much longer than five where time has no limit, else all that is given."""
    now = 100.0

    def battle(*_: object, **__: object) -> SimpleNamespace:
        nonlocal now
        now += 1
        return SimpleNamespace(verdict="one", rounds=1)

    monkeypatch.setattr(play, "play_battle", battle)
    monkeypatch.setattr(budgets, "monotonic", lambda: now)
    fight = loaded()
    with spending(Budget()) as clock:
        sample = within._played(fight, 0, clock)
    assert (sample.n, sample.stopped_by) == (6, "seconds"), "looked at after each"
    assert clock.now == budgets.Progress("battles", 6, N_BATTLES)
    for seconds, n in ((1.5, 2), (7.5, 8)):
        with spending(Budget(seconds=seconds)) as clock:
            sample = within._played(fight, 0, clock)
        assert (sample.n, sample.stopped_by) == (n, "seconds")


def test_the_first_battle_has_what_is_left_and_as_long_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 100.0
    monkeypatch.setattr(budgets, "monotonic", lambda: now)
    clock, short = Clock(Budget(seconds=10)), Clock(Budget(seconds=0.5))
    now += 4
    assert within._beyond(clock).left == 6 + 10
    assert within._beyond(short).left == within.GRACE_S
    endless = Clock(Budget(places=3))
    assert within._beyond(endless).seconds is None
    assert within._beyond(endless).places() == 3
    stopped = within._beyond(Clock(Budget(seconds=10, stop=lambda: True)))
    assert stopped.over() == "interrupted"
    assert within._beyond(clock).over() == ""
