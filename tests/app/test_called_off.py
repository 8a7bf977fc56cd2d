"""Duels called off after some rounds: what is left of both, worked out by brute force."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from affray.app.battle import Sampling, ask_battle
from affray.app.duel import ask_duel
from affray.app.inputs.fight_changes import FightChanges
from affray.app.views.csv_tables import to_csv
from affray.app.views.fights import DuelView
from tests.app.conftest import Installed

ROOT = Path(__file__).parents[2]
Armies = tuple[int, int]


@pytest.fixture(autouse=True)
def risk(install: Installed, monkeypatch: pytest.MonkeyPatch) -> None:
    """A system of another package, in which both sides lose armies in one roll."""
    monkeypatch.syspath_prepend(str(ROOT / "tests" / "outside"))
    install("risk", "risk = risk:SYSTEM")


@cache
def one_roll(attack: int, defense: int) -> dict[Armies, Fraction]:
    """What both sides lose in a roll of so many dice, by all ways in which they can fall."""
    losses: dict[Armies, Fraction] = {}
    for faces in product(range(1, 7), repeat=attack + defense):
        mine, theirs = (sorted(some, reverse=True) for some in (faces[:attack], faces[attack:]))
        pairs = list(zip(mine, theirs, strict=False))
        lost = sum(a <= d for a, d in pairs)
        both = lost, len(pairs) - lost
        losses[both] = losses.get(both, Fraction(0)) + Fraction(1, 6 ** len(faces))
    return losses


def left_after(rounds: int, armies: Armies) -> dict[Armies, Fraction]:
    """What both have left after so many rounds, unless it is over before."""
    going = {armies: Fraction(1)}
    for _ in range(rounds):
        after: dict[Armies, Fraction] = {}
        for (one, other), chance in going.items():
            rolled = (
                one_roll(min(3, one), min(2, other)) if one and other else {(0, 0): Fraction(1)}
            )
            for (lost, taken), share in rolled.items():
                both = one - lost, other - taken
                after[both] = after.get(both, Fraction(0)) + chance * share
        going = after
    return going


def side_of(left: dict[Armies, Fraction], side: int) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    for both, chance in left.items():
        found[both[side]] = found.get(both[side], Fraction(0)) + chance
    return found


def fight(one: int = 5, other: int = 5) -> dict[str, object]:
    return {
        "system": "risk",
        "first": "one",
        "one": {"fighters": [{"name": "Attack", "armies": one}]},
        "other": {"fighters": [{"name": "Defense", "armies": other, "attacks": False}]},
    }


def duel(rounds: int | None, armies: Armies = (5, 5), *, exact: bool = False) -> DuelView:
    return ask_duel("risk", fight(*armies), changes=FightChanges(rounds=rounds), exact=exact)


def test_three_dice_against_two_come_to_what_the_table_knows() -> None:
    """The oracle itself: losses in a roll of three dice against two, as often published."""
    left = left_after(1, (5, 5))
    lost = [5 - sum(n * chance for n, chance in side_of(left, side).items()) for side in (0, 1)]
    assert [round(float(mean), 4) for mean in lost] == [0.9209, 1.0791]


@pytest.mark.parametrize("rounds", [1, 2, 3, 6])
@pytest.mark.parametrize("armies", [(5, 5), (3, 2)])
def test_what_is_left_of_both(armies: Armies, rounds: int) -> None:
    found, left = duel(rounds, armies, exact=True), left_after(rounds, armies)
    assert found.stalled == pytest.approx(
        float(sum(chance for both, chance in left.items() if all(both))), abs=1e-12
    )
    assert found.exact is not None
    assert found.exact.stalled == sum(chance for both, chance in left.items() if all(both))
    for side, points in enumerate(found.points):
        chances = side_of(left, side)
        assert dict(points.chances) == pytest.approx(
            {n: float(chance) for n, chance in chances.items()}, abs=1e-12
        )
        mean = sum(n * chance for n, chance in chances.items())
        assert points.mean == pytest.approx(float(mean), abs=1e-12)
        assert found.exact.points is not None
        assert found.exact.points[side] == mean


def test_a_duel_to_the_end_is_one_of_many_rounds() -> None:
    left = left_after(30, (3, 2))
    found = duel(None, (3, 2), exact=True)
    assert found.exact is not None
    assert found.exact.stalled == 0
    for side, points in enumerate(found.points):
        chances = side_of(left, side)
        assert dict(points.chances) == pytest.approx(
            {n: float(chance) for n, chance in chances.items()}, abs=1e-12
        )


def test_battles_of_as_many_rounds_agree() -> None:
    n, left = 4000, left_after(2, (5, 5))
    found = ask_battle(
        "risk", fight(), changes=FightChanges(rounds=2), sampling=Sampling(n=n, seed=5)
    )
    for side, fighter in enumerate(found.fighters):
        chances = side_of(left, side)
        mean = float(sum(k * chance for k, chance in chances.items()))
        variance = sum((k - mean) ** 2 * float(chance) for k, chance in chances.items())
        assert 5 - fighter.taken.value == pytest.approx(mean, abs=5 * (variance / n) ** 0.5)


def test_csv_lists_what_is_left() -> None:
    rows = [line.split(",") for line in to_csv(duel(1)).splitlines()]
    told = {row[2]: float(row[4]) for row in rows if row[:2] == ["points left", "Attack"]}
    chances = side_of(left_after(1, (5, 5)), 0)
    assert told == pytest.approx({str(n): float(chance) for n, chance in chances.items()})


@pytest.mark.parametrize("rounds", [1, 2, 5])
@pytest.mark.parametrize(
    ("system", "name"), [("eclipse-phase", "w6"), ("affinity", "raid"), ("empty-earth", "bo-husk")]
)
def test_shipped_duels_say_what_becomes_of_both(system: str, name: str, rounds: int) -> None:
    found = ask_duel(system, name, changes=FightChanges(rounds=rounds))
    for points, fates in zip(found.points, found.fates, strict=True):
        assert sum(chance for _, chance in points.chances) == pytest.approx(1, abs=1e-9)
        assert not fates or sum(fates.values()) == pytest.approx(1, abs=1e-9)
    lost = sum(chance for side in found.points for n, chance in side.chances if not n)
    assert lost == pytest.approx(found.won[0] + found.won[1] + 2 * found.drawn, abs=1e-9)
