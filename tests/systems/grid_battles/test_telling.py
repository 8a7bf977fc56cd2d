"""A unit's condition as it is told, and what a game master sets."""

import pytest

from affray.core.errors import SetupError
from affray.core.ruling import Rulings
from affray.systems.grid_battles.fight import FIGHT
from affray.systems.grid_battles.telling import mended, told

from .factory import unit

RIDER = unit(health=3)


def test_gb16_health_is_told_and_set() -> None:
    now = FIGHT.enter(RIDER, Rulings())
    (line,) = told(RIDER, now)
    assert (line.label, line.value) == ("health", "3 of 3")
    hurt = mended(RIDER, now, "health", "1")
    assert told(RIDER, hurt)[0].does == "removed after 1 more hit (GB-16)"
    gone = mended(RIDER, now, "health", 0)
    assert FIGHT.is_out(RIDER, gone)
    assert told(RIDER, gone)[0].value == "removed"


def test_gb41_fatigue_is_told_and_set() -> None:
    tired = mended(RIDER, FIGHT.enter(RIDER, Rulings()), "fatigued", "yes")
    assert [(line.label, line.value) for line in told(RIDER, tired)][1:] == [("status", "fatigued")]
    assert FIGHT.end_round(RIDER, tired).tired is False


def test_gb16_more_health_than_a_fresh_unit_has_is_refused() -> None:
    with pytest.raises(SetupError, match="health: 4; allowed: 0 to 3"):
        mended(RIDER, FIGHT.enter(RIDER, Rulings()), "health", 4)
