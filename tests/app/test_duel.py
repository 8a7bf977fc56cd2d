"""Duels as data: chances that add up, rounds, what is left."""

from __future__ import annotations

import math

import pytest

from affray.app.duel import ask_duel
from affray.app.inputs.fight_changes import FIGHT_AS_WRITTEN, FightChanges
from affray.app.views.fights import DuelView
from affray.core.errors import SetupError, UnknownNameError

DUELS = [
    ("eclipse-phase", "w6"),
    pytest.param("eclipse-phase", "ripper-dog", marks=pytest.mark.slow),
    ("empty-earth", "ada-bulwark"),
    ("empty-earth", "bo-husk"),
]
W6_ONE, W6_ROUNDS = 0.183410623124140, 7.281163511166391
"""Worked out by several programs of others."""


def duel(system: str, fight: str, changes: FightChanges = FIGHT_AS_WRITTEN) -> DuelView:
    return ask_duel(system, fight, changes=changes)


def shares_of(data: DuelView) -> list[float]:
    """Everything that a fight can come to."""
    return [*data.won, data.drawn, data.ended, data.endless, data.stalled]


@pytest.mark.parametrize(
    ("system", "name", "policy"),
    [
        ("eclipse-phase", "mind-and-fist", "first"), ("empty-earth", "bo-husk", "optimal"),
        ("affinity", "novices", "optimal"), ("emlia", "irregulars", "optimal"),
        ("grid-battles", "hill", "optimal"),
    ],
)  # fmt: skip
def test_to_win_is_to_play_optimally_unless_the_fight_names_a_policy(
    system: str, name: str, policy: str
) -> None:
    to_win = duel(system, name, FightChanges(objective="win"))
    assert to_win.objective == "win"
    assert [side.policy for side in to_win.sides] == [policy, policy]
    optimal = duel(system, name, FightChanges(policies=("optimal", "optimal")))
    if policy == "optimal":
        assert to_win.won == pytest.approx(optimal.won)


def test_an_unknown_objective_is_refused_with_those_of_fights() -> None:
    with pytest.raises(UnknownNameError, match=r"'glory'\. Known: win, damage, hit"):
        duel("empty-earth", "bo-husk", FightChanges(objective="glory"))


def test_a_policy_that_decides_exchange_by_exchange_can_not_decide_to_win() -> None:
    changes = FightChanges(objective="win", policies=("greedy", "greedy"))
    with pytest.raises(SetupError, match="policy greedy decides exchange by exchange, for one of"):
        duel("empty-earth", "bo-husk", changes)
    first = duel("empty-earth", "bo-husk", changes._replace(policies=("first", "first")))
    assert first.won == duel("empty-earth", "bo-husk", FightChanges(policies=("first",) * 2)).won


def test_w6_comes_to_the_numbers_of_its_definition() -> None:
    data = duel("eclipse-phase", "w6")
    assert data.won[0] == pytest.approx(W6_ONE, abs=1e-12)
    assert data.won[1] == pytest.approx(1 - W6_ONE, abs=1e-12)
    assert data.rounds == pytest.approx(W6_ROUNDS, abs=1e-12)
    assert (data.drawn, data.ended, data.endless) == (0, 0, 0)
    assert data.residual < 1e-12


@pytest.mark.parametrize(("system", "fight"), DUELS)
def test_every_duel_adds_up(system: str, fight: str) -> None:
    data = duel(system, fight)
    assert math.fsum(shares_of(data)) == pytest.approx(1, abs=1e-12)
    rounds = data.by_round
    # The mean is the sum of what still goes on before each round.
    mean = 1 + math.fsum(row.going_on for row in rounds)
    assert mean == pytest.approx(data.rounds, abs=1e-9)
    assert math.fsum(row.ends for row in rounds) == pytest.approx(1, abs=1e-9)
    assert rounds[-1].won == pytest.approx(data.won, abs=1e-9)
    assert rounds[-1].ended == pytest.approx(data.ended, abs=1e-9)
    low, half, high = (round_ or math.inf for round_ in data.quartiles)
    assert isinstance(half, int)
    assert rounds[half - 1].going_on <= 0.5 < (rounds[half - 2].going_on if half > 1 else 1)
    assert low <= half <= high
    cases = data.cases
    assert sum(float(case.chance) for case in cases) == pytest.approx(1)
    for side in (0, 1):
        whole = sum(float(case.chance) * case.won[side] for case in cases)
        assert whole == pytest.approx(data.won[side], abs=1e-12)


def test_what_is_left_is_that_of_duels_that_are_over() -> None:
    for rounds in (5, 40):
        data = duel("empty-earth", "ada-bulwark", FightChanges(rounds=rounds))
        assert {row.name: row.left for row in data.resources} == pytest.approx(
            {"red cubes": 2, "blue cubes": 2, "black cubes": 3}
        )
