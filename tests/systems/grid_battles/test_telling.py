"""A unit's condition as it is told, and what a game master sets."""

import pytest

from affray.app.fight import Fight
from affray.core.errors import SetupError
from affray.core.ruling import Rulings
from affray.systems.grid_battles import SYSTEM
from affray.systems.grid_battles.fight import FIGHT, Effect
from affray.systems.grid_battles.telling import mended, told

from .factory import setup, unit

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


# -- games on the map -------------------------------------------------------------------------


def test_gb41_gb53_a_game_tells_status_and_hex_of_every_unit() -> None:
    begun = Fight.begin("grid-battles", "ford").answer("pikeman")
    rows = {row.name: {line.label: line for line in row.told} for row in begun.view().fighters}
    assert rows["Axeman"]["status"].value == "fresh"
    assert rows["Axeman"]["status"].does == "has its turn to come in this round (GB-44)"
    named = rows["Pikeman"]["status"].value
    assert str(named).startswith("activated")
    assert rows["Pikeman"]["hex"].value == "0100"


def test_gb47_the_picture_says_what_wins_and_how_far_one_is() -> None:
    picture = Fight.begin("grid-battles", "ford").view().picture
    assert "one wins with 3 enemy units destroyed (0 so far)" in picture
    escaping = Fight.begin("grid-battles", "breakout").view().picture
    assert "other wins with 1 unit off the map (0 so far)" in escaping


# -- what lasts -------------------------------------------------------------------------------


@pytest.mark.parametrize("removal", ["zero", "below"])
def test_gb16_a_unit_keeps_the_health_that_it_has_left(removal: str) -> None:
    assert FIGHT.leaves is not None
    rulings = SYSTEM.readings({"removal": removal})
    begun = FIGHT.enter(RIDER, rulings)
    struck = FIGHT.apply(RIDER, begun, Effect(1, tires=True))
    left = FIGHT.leaves(setup(), RIDER, struck, "")
    assert (left.health, left.most) == (2, 3)
    assert FIGHT.enter(left, rulings)._replace(tired=True) == struck
    gone = FIGHT.apply(RIDER, begun, Effect(9))
    with pytest.raises(SetupError, match="is removed"):
        FIGHT.leaves(setup(), RIDER, gone, "")
    with pytest.raises(SetupError, match="units don't rest"):
        FIGHT.leaves(setup(), RIDER, begun, "nap")
