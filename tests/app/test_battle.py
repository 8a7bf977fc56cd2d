"""Battles as data: shares that add up and agree with duels."""

from __future__ import annotations

import math
import warnings

import pytest

from affray.app.battle import Sampling, ask_battle
from affray.app.duel import ask_duel
from affray.app.fight import Fight
from affray.app.inputs.fight_changes import FightChanges
from affray.app.matrix import ask_matrix
from affray.app.samples import play_samples
from affray.app.sources import Names, Table
from affray.core.errors import LimitError, SetupError
from affray.core.telling import AffrayWarning
from affray.engine.budget import Budget
from affray.systems.eclipse_phase.rulings import TURNS
from tests.scenarios import OFF_BOARDS

N = 20
"""Battles of each fight: most of the time they only find out what can happen in it."""
W6_ONE, W6_ROUNDS = 0.183410623124140, 7.281163511166391
"""Worked out by several programs of others."""


@pytest.mark.parametrize(("system", "fight"), OFF_BOARDS)
def test_every_fight_off_boards_is_a_battle_that_adds_up(system: str, fight: str) -> None:
    """And has no habit that never comes up."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", AffrayWarning)
        data = ask_battle(system, fight, sampling=Sampling(N, seed=1))
    assert (data.n, data.wanted, data.partial, data.seed) == (N, N, False, 1)
    shares = [*data.won, data.drawn, data.ended, data.stalled]
    assert math.fsum(share.value for share in shares) == pytest.approx(1)
    assert all(share.low <= share.value <= share.high for share in shares)
    assert sum(battles for _, battles in data.histogram) == N
    mean = math.fsum(rounds * battles for rounds, battles in data.histogram) / N
    assert mean == pytest.approx(data.rounds.value)
    for side in (0, 1):
        counted = [row for row in data.survivors if row.side == side]
        assert sum(row.battles for row in counted) == N
        fighters = [row for row in data.fighters if row.side == side]
        wanted = sum(row.number for row in data.sides[side].fighters)
        assert len(fighters) == wanted
        assert len({row.name for row in fighters}) == wanted


def test_a_battle_of_two_agrees_with_the_duel() -> None:
    n = 20_000
    data = ask_battle("eclipse-phase", "w6", sampling=Sampling(n, seed=11))
    # A share of n samples lies within five standard errors of what it stands for.
    five = 5 * math.sqrt(W6_ONE * (1 - W6_ONE) / n)
    assert data.won[0].value == pytest.approx(W6_ONE, abs=five)
    width = data.rounds.high - data.rounds.low
    assert data.rounds.value == pytest.approx(W6_ROUNDS, abs=5 * width / 3.92)


@pytest.mark.parametrize(
    ("system", "name"),
    [
        ("eclipse-phase", "pack"), ("empty-earth", "brockton"), ("affinity", "raid"),
        ("emlia", "irregulars"), ("grid-battles", "ford"),
    ],
)  # fmt: skip
def test_battles_decide_exchange_by_exchange_and_say_where_to_win_is_known(
    system: str, name: str
) -> None:
    with pytest.raises(SetupError, match="the chance to win decides in duels and where fights are"):
        ask_battle(system, name, changes=FightChanges(objective="win"))


def test_a_grenade_on_people_who_stand_together_is_battled() -> None:
    """Three within its reach have too many outcomes for a table; battles are played, and say so.

    The thrower has one grenade and idle foes who can't be put out by it: nobody ever wins.
    """
    thrower = {
        "name": "Thrower", "athletics": 60, "som": 20, "durability": 30,
        "weapons": ["frag_grenade"],
    }  # fmt: skip
    mark = {
        "fray": 30, "durability": 300, "wound_threshold": 60, "kinetic": 3,
        "vigor": 2, "som": 15, "weapons": ["knife"],
    }  # fmt: skip
    marks = [{**mark, "name": f"Mark {n}", "stands_m": [n, 0]} for n in range(4)]
    fight = {
        "first": "one", "rounds": 2, "rulings": {"ammunition": "counted"},
        "one": {"fighters": [thrower], "situation": {"distance_m": 12}},
        "other": {"fighters": marks, "idle": True, "situation": {"distance_m": 12}},
    }  # fmt: skip
    data = ask_battle("eclipse-phase", fight, sampling=Sampling(5, seed=1))
    assert (data.n, data.partial, data.tables) == (5, False, {})
    assert data.how.startswith("played one by one, since this fight is too large for tables: 5 ")
    assert data.stalled.value == 1


def test_openings_that_take_too_long_give_way_to_first_options(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def long(*_: object) -> None:
        raise LimitError("stopped", limit="seconds")

    monkeypatch.setattr("affray.app.inputs.fight_setups.opening_plans", long)
    changes = FightChanges(policies=("opening", "greedy"))
    data = ask_battle("eclipse-phase", "w8", changes=changes, sampling=Sampling(5, seed=1))
    assert data.n == 5
    assert [side.policy for side in data.sides] == ["first", "greedy"]
    assert "first options" in data.assumed[-1]


def test_ep27_turns_are_attacks_in_battles_and_duels_and_whole_where_people_play() -> None:
    """Each says so, unless the reading was named (H-4)."""
    names = ("corp_guard", "ripper")
    few, gap = Sampling(20, seed=1), "A turn is an attack"
    views = (
        ask_battle("eclipse-phase", names, sampling=few),
        ask_duel("eclipse-phase", names),
        ask_matrix("eclipse-phase", sampling=few, budget=Budget(seconds=20)),
    )
    for view in views:
        assert any(gap in told for told in view.assumed)
    played = Fight.begin("eclipse-phase", names)
    assert played.session.contest.rulings[TURNS] == "actions"
    assert not any(gap in told for told in played.view().assumed)
    whole = FightChanges(rulings={"turns": "actions"})
    battle = ask_battle("eclipse-phase", names, changes=whole, sampling=few)
    assert not any(gap in told for told in battle.assumed)


def test_a_kept_battle_is_watched_by_the_reading_by_which_it_was_fought() -> None:
    kept = play_samples("eclipse-phase", Names("corp_guard", "ripper"), seed=3, samples=1)
    watched = Fight.begin("eclipse-phase", Table(kept, "kept"))
    assert watched.session.contest.rulings[TURNS] == "attacks"
    assert watched.verdict
