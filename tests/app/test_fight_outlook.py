"""Looking ahead in a fight: how its sides are played on."""

from __future__ import annotations

from affray.app.fight import Fight
from affray.app.fight_outlook import Outlook
from affray.engine.budget import Budget


def test_openings_that_take_too_long_give_way_to_first_options() -> None:
    fight = Fight.begin("eclipse-phase", ("corp_guard", "2xripper"))
    here = fight.session.position
    hurried = Outlook(fight.loaded, 1e-9)
    assert not any(side.plans for side in hurried.ready(here).contest.sides)
    assert hurried.chances(here, Budget(battles=4)).won[0].value >= 0
    at_leisure = Outlook(fight.loaded)
    assert all(side.plans for side in at_leisure.ready(here).contest.sides)
