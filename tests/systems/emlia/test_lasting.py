"""What is left of a unit after a fight."""

from __future__ import annotations

from dataclasses import replace

import pytest

from affray.core.errors import SetupError
from affray.core.ruling import Rulings
from affray.systems.emlia import SYSTEM
from affray.systems.emlia.fight import enter
from affray.systems.emlia.gear import Row, Skill
from affray.systems.emlia.lasting import leaves
from affray.systems.emlia.sheet import Setup, Troop, Unit
from affray.systems.emlia.standing import Force, Ranks
from affray.systems.emlia.state import Status

RULINGS = SYSTEM.readings({})
SPEARS = Unit(name="Spears", members=10, skills=(Skill(skill="close_combat", level=3),))
BEAST = Unit(
    name="Beast",
    threshold=5,
    table=(
        Row(name="scratched", low=1, high=5),
        Row(name="maimed", low=6, high=10, weaker=1),
    ),
    skills=(Skill(skill="close_combat", level=5),),
)


def left(unit: Unit, condition: Ranks | Force, rest: str = "") -> Unit:
    situation = Setup(attacker=unit, defender=SPEARS)
    return leaves(situation, unit, condition, rest)


def test_em44_marked_casualties_leave_before_the_next_fight() -> None:
    found = left(SPEARS, Ranks(7, 2, 3, RULINGS))
    assert (found.members, found.lost, found.marked, found.markers) == (5, 5, 0, 0)


def test_em44_a_unit_that_nothing_has_befallen_is_as_it_was() -> None:
    assert left(SPEARS, enter(SPEARS, RULINGS)) == SPEARS


def test_em44_losses_of_several_fights_add_up() -> None:
    second = left(SPEARS, Ranks(7, 0, 0, RULINGS))
    third = left(second, Ranks(6, 0, 0, RULINGS))
    assert (third.members, third.lost) == (6, 4)


def test_em44_nobody_follows_a_unit_that_is_gone() -> None:
    with pytest.raises(SetupError, match=r"nobody of Spears is left \(EM-44\)"):
        left(SPEARS, Ranks(3, 3, 0, RULINGS))


def test_em62_a_broken_unit_has_left_the_field() -> None:
    with pytest.raises(SetupError, match=r"broken.*\(EM-62\)"):
        left(SPEARS, Force((Status(4, broken=True),), RULINGS))


def test_em42_points_toward_the_next_casualty_stay() -> None:
    trolls = replace(SPEARS, name="Trolls", members=3, damage_limit=4)
    found = left(trolls, Force((Status(2, damage=3, lost=1),), RULINGS))
    assert (found.members, found.lost, found.damage) == (2, 1, 3)


def test_em43_what_its_table_did_to_it_stays() -> None:
    now = Status(1, wear=2, points=7, bonus=1, weaker=1, rolled=("maimed",))
    found = left(BEAST, Force((now,), RULINGS))
    assert (found.wear, found.bonus, found.weaker, found.came_up) == (2, 1, 1, ("maimed",))


def test_em50_a_character_leads_where_the_unit_that_was_joined_has_fallen() -> None:
    captain = Troop(name="Captain", skills=(Skill(skill="close_combat", level=6),))
    unit = replace(SPEARS, joined=(captain,))
    found = left(unit, Force((Status(0), Status(1)), RULINGS))
    assert (found.name, found.members, found.joined) == ("Captain", 1, ())
    both = left(unit, Force((Status(4, lost=6), Status(0)), RULINGS))
    assert (both.name, both.members, both.joined) == ("Spears", 4, ())


def test_no_rest_is_known() -> None:
    with pytest.raises(SetupError, match="the text knows no rests"):
        left(SPEARS, Ranks(7, 0, 0, Rulings()), "sleep")
