"""Every opposed test of the room against all 10,000 pairs of d100s (EP-14 to EP-16)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from affray.systems.eclipse_phase.scenes import BREAK_HOLD

from .area import CLOUD, caught, throw
from .by_hand import ways
from .factory import SHOOTER, blow, chance, game, shot, target
from .fighting import opened, outcomes
from .test_hold import HELD, HOLDS, ONE, OTHER, at

F = Fraction
SKILLS = [
    (50, 30), (30, 50), (40, 40), (11, 10), (10, 11), (22, 21), (60, 98), (98, 60), (99, 99),
    (100, 99), (0, 0), (5, 0), (0, 5), (-10, 5), (5, -10), (33, 66),
]  # fmt: skip
"""Pairs of target numbers, at and around doubles and both ends."""
SHEETS = [pair for pair in SKILLS if min(pair) >= 0 and max(pair) < 100]
"""Those of them that a sheet can have as skills."""


def test_ep16_three_doubles_more_for_the_higher_skill() -> None:
    """00, 11 and 22 are critical successes of both 50 and 30; 33 isn't one of 30."""
    assert ways(50, 30) == 4553
    setup = shot(attacker=replace(SHOOTER, infiltrate=50), defender=target(perceive=50),
                 ambush=True)  # fmt: skip
    assert chance(game(setup), "ambush", "surprised") == F(4553, 10_000)


@pytest.mark.parametrize(("ours", "theirs"), SHEETS)
def test_ep16_an_ambush(ours: int, theirs: int) -> None:
    setup = shot(attacker=replace(SHOOTER, infiltrate=ours), defender=target(perceive=theirs),
                 ambush=True, alert=True)  # fmt: skip
    assert chance(game(setup), "ambush", "surprised") == F(ways(ours, theirs), 10_000)


@pytest.mark.parametrize(("ours", "theirs"), SHEETS)
def test_ep16_breaking_free(ours: int, theirs: int) -> None:
    held, holder = replace(OTHER, melee=ours), replace(ONE, melee=theirs)
    played = opened(
        at(BREAK_HOLD, (held, HELD), (holder, HOLDS)),
        choose_grip="melee", choose_resistance="melee", compare_strength="free",
    )  # fmt: skip
    freed = sum(p for outcome, p in outcomes(played).items() if outcome.hold == "freed")
    assert freed == F(ways(ours, theirs), 10_000)


@pytest.mark.parametrize(("ours", "theirs"), SHEETS)
def test_ep16_an_attack_hand_to_hand(ours: int, theirs: int) -> None:
    setup = blow(attacker=replace(SHOOTER, melee=ours), defender=target(fray=theirs))
    assert chance(game(setup), "hit") == F(ways(ours, theirs), 10_000)


@pytest.mark.parametrize(("ours", "theirs"), SHEETS)
def test_ep16_fray_against_a_grenade_where_it_is_opposed(ours: int, theirs: int) -> None:
    # Fray counts half. In the middle of the cloud an attack that fails harms nobody.
    setup = throw(caught(fray=2 * theirs), weapon=CLOUD, distance_m=10)
    setup = replace(setup, attacker=replace(setup.attacker, athletics=ours))
    played = game(setup, {"area_fray": "opposed"})
    beaten = sum(
        p for outcome, p in outcomes(played).items()
        if outcome.scatter_m == 0 and outcome.final.hit and not outcome.final.dodged
    )  # fmt: skip
    assert beaten == F(ways(ours, theirs), 10_000)


@pytest.mark.parametrize(("reading", "number"), [("final", 30), ("base", 50), ("raw", 50)])
def test_ep16_a3_the_skill_that_counts(reading: str, number: int) -> None:
    """Infiltrate 40 against Perceive 50, at -20 for the distraction."""
    setup = shot(attacker=replace(SHOOTER, infiltrate=40), defender=target(perceive=50),
                 ambush=True)  # fmt: skip
    equal = 3 if number < 40 else 0  # 00, 11, 22
    unequal = ways(40, 30) - 3
    found = chance(game(setup, {"equal_criticals": reading}), "ambush", "surprised")
    assert found == F(unequal + equal, 10_000)
