"""What stands for what nobody wrote: sheets with only what they must have."""

from __future__ import annotations

from typing import Any

import pytest

from affray.systems.emlia.gear import CoreCheck, Own, Row, Skill, Weapon
from affray.systems.emlia.sheet import Contact, Other, Setup, Troop, Unit
from affray.systems.emlia.table.placing import Placement, Table

MATE = Unit()
NO_EFFECT = (
    "lost", "marked", "armor", "reach", "elevation", "to_hit", "damage", "wear", "markers",
    "bonus", "next_bonus", "weaker", "unfelt", "exposed", "pinned",
)  # fmt: skip
UNTOLD = ("morale", "damage_limit", "threshold", "suffered")
LISTS = ("skills", "weapons", "actions", "table", "came_up")
NOT_SO = ("rough", "unaware", "charged", "double_paced", "aligned")
IN_THE_OPEN = ("cover", "concealment", "vertical_cover")


@pytest.mark.parametrize("one", [Troop(), Unit()], ids=["troop", "unit"])
def test_em40_a_single_unarmed_member_in_the_open(one: Troop) -> None:
    assert (one.members, one.hits, one.speed, one.formation) == (1, 1, 6, "close")
    assert (one.table_die, one.covered_by, one.points) == (10, "", 0)
    assert [key for key in NO_EFFECT if getattr(one, key) != 0] == []
    assert [key for key in UNTOLD if getattr(one, key) is not None] == []
    assert [key for key in LISTS if getattr(one, key) != ()] == []
    assert [key for key in NOT_SO if getattr(one, key) is not False] == []
    assert [key for key in IN_THE_OPEN if getattr(one, key) != "none"] == []
    assert MATE.joined == ()


def test_em45_a_skill_does_not_diminish_unless_it_says_so() -> None:
    assert Skill(skill="close_combat", level=4).diminish == 0


def test_em3_a_check_is_of_ten_sides_against_six() -> None:
    assert (CoreCheck().sides, CoreCheck().base, CoreCheck().ones) == (10, 6, "cancel")


def test_em31_a_weapon_is_for_melee_and_adds_nothing() -> None:
    plain = Weapon()
    assert (plain.skill, plain.also, plain.damage, plain.volley_full) == (
        "close_combat", "", 0, False,
    )  # fmt: skip
    assert (plain.short, plain.medium, plain.longest) == (0, 0, 0)
    assert (plain.damage_medium, plain.damage_long, plain.damage_charging) == (None, None, None)


def test_em43_a_row_of_a_table_means_nothing() -> None:
    row = Row(low=1)
    assert (row.high, row.name, row.speed) == (None, "nothing", None)
    assert (row.bonus, row.next_bonus, row.casualties, row.weaker) == (0, 0, 0, 0)
    assert (row.destroyed, row.uncovers) == (False, False)


def test_em1_an_own_action_is_like_close_combat() -> None:
    own = Own(name="sweep")
    assert (own.skill, own.like, own.default, own.modifiers, own.hits) == (
        "", "close_combat", False, (), 1,
    )  # fmt: skip


def test_em22_contact_is_front_to_front_all_that_can() -> None:
    touch = Contact()
    assert (touch.side, touch.own_side, touch.fronts, touch.own_fronts) == ("front", "front", 1, 1)
    counts = (touch.members, touch.theirs, touch.fighting, touch.theirs_fighting)
    assert counts == (None,) * 4


def test_em12_one_more_unit_is_an_enemy_who_fights_but_engages_nobody() -> None:
    more = Other(who=MATE)
    assert (more.side, more.body, more.fights, more.engages) == ("enemy", False, True, False)
    assert more.contact == Contact()


def test_em60_a_setup_leaves_everything_open_and_nothing_moves() -> None:
    made = Setup(attacker=MATE, defender=MATE)
    assert (made.action, made.weapon, made.focus, made.combat) == ("open", "", "open", "auto")
    assert (made.contact, made.others, made.distance, made.move) == (Contact(), (), 0, "none")
    flags: tuple[Any, ...] = (
        made.engaged, made.blind, made.in_sight, made.leaves, not made.may_align, made.resolution,
    )  # fmt: skip
    assert flags == (False,) * 6
    assert (made.align_cost, made.press, made.wrap, made.path) == ((0, 0, 0), 0, (), ())
    assert (made.core_check, made.table) == (None, None)


def test_em10_a_placement_is_one_base_that_looks_up_the_table() -> None:
    here = Placement(unit="A")
    assert (here.side, here.shape, here.files, here.members) == ("attacker", "block", 1, 1)
    assert (here.x, here.y, here.facing, here.elevation, here.radius) == (0, 0, 0, 0, 0)
    assert (here.base, here.depth) == (1, 1)
    assert (Table().placements, Table().length, Table().path) == ((), "inch", ())
