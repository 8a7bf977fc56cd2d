"""Charging, aligning to an enemy, wrapping round it; positions are worked out by hand."""

from dataclasses import replace
from math import atan, cos, degrees, nan, radians, sin

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from affray.core.errors import SetupError
from affray.systems.emlia.table.contact import checked, contacts, distance, engaged, fronts
from affray.systems.emlia.table.figures import boundary
from affray.systems.emlia.table.manoeuvres import align, charge, envelop
from affray.systems.emlia.table.placing import Placement

from .placed import FEW, LINE, SPEARS, only, ring, table, them, touched, us

# -- charge --------------------------------------------------------------------------------


def test_em35_emv25_target_13_away_is_not_reached() -> None:
    found = charge(table(us(), them(y=13)), "us", "them", 12)
    assert (found.arrives, found.moved, found.met, found.side) == (False, 12, "", None)
    assert (found.end.x, found.end.y, found.end.facing) == (0, 12, 0)


@pytest.mark.parametrize(
    ("away", "arrives"), [(12, True), (12.0009, True), (12.0011, False), (12.01, False)]
)
def test_em35_reaches_exactly_or_falls_short_by_a_hair(away: float, arrives: bool) -> None:
    found = table(us(files=4), them(y=away, files=4))
    after = charge(found, "us", "them", 12)
    assert after.arrives is arrives
    assert after.moved == 12
    assert bool(engaged(found.moved(after.end), "us")) is arrives


def test_em35_block_keeps_its_lane_when_it_faces_the_target() -> None:
    # Files from -2 to 2 run up 5 and meet enemies from 1 to 5: one file each.
    found = table(us(files=4), them(x=3, y=5, files=4))
    after = charge(found, "us", "them", 10)
    assert (after.arrives, after.moved, after.side) == (True, 5, "front")
    assert (after.end.x, after.end.y, after.end.facing) == (0, 5, 0)
    (contact,) = contacts(found.moved(after.end))
    assert touched(contact) == ("front", 1, "front", 1)


def test_em35_charge_in_a_slant_turns_its_front() -> None:
    # From the corner (0.5, 0) to the corner (3.5, 4): 3, 4, 5. Its front then lies across the way
    # through (3.5, 4): its middle (3, 4) moves 0.3 ahead along (0.6, 0.8).
    found = table(us(), them(x=4, y=4))
    after = charge(found, "us", "them", 5)
    assert (after.arrives, after.edge) == (True, "front")
    assert after.moved == pytest.approx(5)
    assert (after.end.x, after.end.y) == pytest.approx((3.18, 4.24))
    assert after.end.facing == pytest.approx(36.8699, abs=1e-4)
    assert engaged(found.moved(after.end), "us") == ("them",)
    # The same corner is a rear one of an enemy who looks away.
    after = charge(table(us(), them(x=4, y=5, facing=0)), "us", "them", 5)
    assert after.side == "flank"


@pytest.mark.parametrize(
    "third",
    [
        # From (2.4, 4.1) to (3.4, 5.1): where the left half of the turned front would be; the same
        # where it touches the unit that did not turn.
        us("third", x=2.9, y=5.1),
        us("third", x=2.9, y=5),
        # A circle of 1 that the left end of the turned front, (2.78, 4.54), would just touch.
        ring("third", 1.98, 5.14, 1, side="defender"),
    ],
)
def test_em35_no_room_to_turn(third: Placement) -> None:
    found = table(us(), them(x=4, y=4), third)
    after = charge(found, "us", "them", 5)
    assert (after.arrives, after.end.facing) == (True, 0)
    assert (after.end.x, after.end.y) == pytest.approx((3, 4))
    assert "them" in engaged(found.moved(after.end), "us")


@pytest.mark.parametrize("facing", [359.9999999, 1e-7, 0.0, 360.0])
def test_em35_who_looks_along_the_way_keeps_its_facing(facing: float) -> None:
    after = charge(table(us(facing=facing, files=3), them(y=7, files=3)), "us", "them", 9)
    assert after.end.facing == facing
    assert after.arrives


def test_em35_charge_that_looked_away_turns_about() -> None:
    # Its rear edge is at y = 1; the enemy is 4 from there. The front is at the enemy afterwards.
    found = table(us(y=2, facing=180, files=3), them(y=7, files=3))
    after = charge(found, "us", "them", 4)
    assert (after.arrives, after.moved) == (True, 4)
    assert (after.end.x, after.end.y, after.end.facing) == pytest.approx((0, 7, 0))
    (contact,) = contacts(found.moved(after.end))
    assert touched(contact) == ("front", 3, "front", 3)


def test_em35_who_looks_away_along_the_table_turns_about() -> None:
    # The same to the right: its rear edge is at x = 1, the enemy at x = 5.
    found = table(us(x=0, facing=270, files=3), them(x=5, facing=270, files=3))
    after = charge(found, "us", "them", 4)
    assert (after.arrives, after.moved) == (True, 4)
    assert (after.end.x, after.end.y, after.end.facing) == pytest.approx((5, 0, 90))


def test_em35_what_the_tail_of_a_column_touched_is_on_its_front() -> None:
    # A column of 5 looks right, from x = -5 to x = 0. The enemy stands 2.5 above its tail, from
    # x = -4.5 to x = -3.5. The column turns up: its front has to touch x = -4, so it is at -3.5.
    found = table(us(facing=90, files=1, members=5), them(x=-4, y=3))
    after = charge(found, "us", "them", 3)
    assert after.arrives
    assert after.moved == pytest.approx(2.5)
    assert (after.end.x, after.end.y, after.end.facing) == pytest.approx((-3.5, 3, 0))


def test_em35_what_a_column_touched_is_on_its_front_whichever_way_it_turns() -> None:
    # The same a quarter turned: a column from y = 5 down to y = 0, the enemy 2.5 to its right at
    # y = 4. The column turns right: its front has to touch y = 4, so its middle is at 3.5.
    found = table(us(facing=180, files=1, members=5), them(x=3, y=4, facing=270))
    after = charge(found, "us", "them", 3)
    assert after.arrives
    assert after.moved == pytest.approx(2.5)
    assert (after.end.x, after.end.y, after.end.facing) == pytest.approx((3, 3.5, 90))
    # And along a slant of 3, 4, 5: the way back along the front is 0.5 x (0.8, -0.6).
    turn = 36.86989764584402
    places = [(0.6 * y + 0.8 * x, 0.8 * y - 0.6 * x) for x, y in ((0.0, 0.0), (-4.0, 3.0))]
    found = table(
        us(x=places[0][0], y=places[0][1], facing=90 + turn, files=1, members=5),
        them(x=places[1][0], y=places[1][1], facing=180 + turn),
    )
    after = charge(found, "us", "them", 3)
    middle = (0.6 * 3 + 0.8 * -3.5, 0.8 * 3 - 0.6 * -3.5)
    assert (after.end.x, after.end.y, after.end.facing) == pytest.approx((*middle, turn))


@pytest.mark.parametrize("third", [us("third", y=1), ring("third", 0, 1, 1)])
def test_em35_who_stands_right_in_front_stops_it_at_once(third: Placement) -> None:
    after = charge(table(us(), them(y=6), third), "us", "them", 12)
    assert (after.arrives, after.moved, after.met) == (False, 0, "third")


def test_em35_rings_charge_each_other() -> None:
    # 10 apart, 1 of radius each: 8 to go; the middle stops 2 short, at 0.8 of the way.
    found = table(ring("us", 0, 0, 1), ring("them", 6, 8, 1, side="defender"))
    after = charge(found, "us", "them", 8)
    assert after.arrives
    assert after.moved == pytest.approx(8)
    assert (after.end.x, after.end.y) == pytest.approx((4.8, 6.4))
    assert engaged(found.moved(after.end), "us") == ("them",)


@pytest.mark.parametrize("third", [us("third", y=4), them("third", y=3)])
def test_em35_third_unit_in_the_way_stops_it(third: Placement) -> None:
    found = table(us(), them(y=6), them("later", y=5), third)
    after = charge(found, "us", "them", 12)
    assert (after.arrives, after.met, after.side) == (False, "third", None)
    assert after.moved == pytest.approx(3)
    assert after.end.y == pytest.approx(3)
    assert charge(found, "us", "them", 2).met == ""  # it doesn't get that far


def test_em35_round_unit_in_the_way() -> None:
    # The corner (0.5, t) meets a circle of 1 round (1.4, 5): 0.9^2 + (5 - t)^2 = 1.
    found = table(us(), them(y=9), ring("mob", 1.4, 5, 1))
    after = charge(found, "us", "them", 12)
    assert after.met == "mob"
    assert after.moved == pytest.approx(5 - 0.19**0.5)
    # Round (1.5, 5) it only grazes.
    assert charge(table(us(), them(y=9), ring("mob", 1.5, 5, 1)), "us", "them", 12).arrives


@pytest.mark.parametrize(("deep", "stops"), [(0.0004, False), (0.0008, True)])
def test_em35_passing_by_within_half_a_hair_is_not_running_into(deep: float, stops: bool) -> None:
    """A hair of bases of 1 is 0.001; so deep the lane of the charge cuts into the third unit."""
    found = table(us(), them(y=6), us("third", x=1 - deep, y=3))
    assert (charge(found, "us", "them", 12).met == "third") is stops


def test_em35_friends_shoulder_to_shoulder_are_not_in_the_way() -> None:
    found = table(us(), us("left", x=-1), us("right", x=1, y=3), them(y=6), them("next", x=1, y=6))
    after = charge(found, "us", "them", 12)
    assert (after.arrives, after.met) == (True, "")


def test_em35_who_touches_already_does_not_move() -> None:
    start = us()
    after = charge(table(start, them()), "us", "them", 12)
    assert (after.arrives, after.moved, after.end, after.side) == (True, 0, start, "front")


def test_em35_path_that_bends_is_refused() -> None:
    bent = table(us(), them(y=10), path=((0, 0), (0, 5), (5, 10)))
    with pytest.raises(
        SetupError,
        match=r"a charge goes in a straight line; the path bends by 45 degrees at point 2 \(0, 5\)",
    ):
        charge(bent, "us", "them", 20)
    back = table(us(), them(y=10), path=((0, 0), (0, 2), (0, 5), (0, 4)))
    with pytest.raises(SetupError, match=r"by 180 degrees at point 3 \(0, 5\)"):
        charge(back, "us", "them", 20)
    # Bends that are small one by one, but not together.
    curve = tuple((5 * sin(radians(a / 20)), 5 * (1 - cos(radians(a / 20)))) for a in range(20))
    with pytest.raises(SetupError, match="straight line"):
        charge(table(us(), them(y=10), path=curve), "us", "them", 20)


def test_em35_straight_path_is_followed() -> None:
    # Along (0.6, 0.8) it comes to y = 5 after 6.25, at x = 3.75; it can't turn there.
    found = table(us(), them(y=5, files=12), path=((0, 0), (1.5, 2), (3, 4)))
    after = charge(found, "us", "them", 7)
    assert after.arrives
    assert after.moved == pytest.approx(6.25)
    assert (after.end.x, after.end.y, after.end.facing) == pytest.approx((3.75, 5, 0))
    assert engaged(found.moved(after.end), "us") == ("them",)
    short = charge(found, "us", "them", 6)
    assert (short.arrives, short.moved) == (False, 6)


def test_em35_path_past_the_target_is_refused() -> None:
    with pytest.raises(SetupError, match="the path leads past 'them'"):
        charge(table(us(), them(y=5), path=((0, 0), (5, 5))), "us", "them", 20)


def test_em35_charge_needs_an_enemy_and_a_reach() -> None:
    found = table(us(), us("friend", y=5), them(y=9))
    with pytest.raises(SetupError, match="'us' charges 'friend' of its own side"):
        charge(found, "us", "friend", 20)
    for reach in (-1, nan):
        with pytest.raises(SetupError, match="reach of the charge is"):
            charge(found, "us", "them", reach)


@FEW
@given(
    x=st.floats(-6, 6), y=st.floats(3, 8), facing=st.floats(0, 360), own=st.floats(0, 360),
    third=st.floats(-6, 6), reach=st.floats(0, 12), round_=st.booleans(),
)  # fmt: skip
def test_em35_charge_ends_where_it_says(
    x: float, y: float, facing: float, own: float, third: float, reach: float, round_: bool
) -> None:
    aim = them(x=x, y=y, facing=facing, files=3, members=5)
    if round_:
        aim = ring("them", x, y, 1.5, side="defender")
    found = table(us(y=-3, facing=own, files=2, members=6), aim, us("third", x=third, y=-1))
    try:
        checked(found)
    except SetupError:
        assume(False)
    gap, after = distance(found, "us", "them"), charge(found, "us", "them", reach)
    there = checked(found.moved(after.end))
    assert after.moved <= min(gap, reach) + 1e-9
    if after.met:
        assert not after.arrives
        assert distance(there, "us", after.met) == 0
    else:
        assert after.arrives is (gap <= reach + 0.001)
        assert engaged(there, "us") == (("them",) if after.arrives else ())


# -- alignment -----------------------------------------------------------------------------


def test_em20_block_aligns_to_whoever_touched_its_flank() -> None:
    # The enemy's front is at x = 2, from y = 0 to y = -2, and looks left. LINE turns right: its
    # front of 4 stands at x = 2; its middle was at y = -1 and stays there.
    found = table(LINE, them(x=2, y=-1, facing=270, files=2))
    after = align(found, "line", "them")
    assert (after.x, after.y, after.facing) == pytest.approx((2, -1, 90))
    (contact,) = contacts(found.moved(after))
    assert touched(contact) == ("front", 2, "front", 2)
    # Whoever touched only the far end: a column of 5, touched from y = 0 to y = -1, turns on that.
    column = us("column", files=1, members=5)
    after = align(table(column, them(x=0.5, y=-0.5, facing=270)), "column", "them")
    assert (after.x, after.y) == pytest.approx((0.5, -1))


def test_em20_corner_contact_becomes_front_to_front() -> None:
    # Turned by 30 degrees, an enemy's front meets LINE's corner (2, 0).
    angle = radians(210)
    x, y = 2 + cos(angle), -sin(angle)
    found = table(LINE, them(x=x, y=y, facing=210, files=3, members=6))
    (before,) = contacts(found)
    assert before.members_of_one == 1
    after = align(found, "line", "them")
    assert after.facing == pytest.approx(30)
    (contact,) = contacts(found.moved(after))
    assert contact.side_of_one == contact.side_of_other == "front"
    assert contact.members_of_one > 1


def test_em20_skirmishers_align_along_the_edge() -> None:
    # 12 of them touch the front of 4 in a point; 4 stand along it afterwards, in 3 ranks.
    mob = ring("mob", 0.5, 2, 2, members=12, side="defender")
    found = table(LINE, mob)
    after = align(found, "mob", "line")
    assert (after.shape, after.files, after.ranks) == ("block", 4, 3)
    assert (after.x, after.y, after.facing) == pytest.approx((0, 0, 180))
    (contact,) = contacts(found.moved(after))
    assert touched(contact) == ("front", 4, "front", 4)
    # 2 members stand round where they touched: from x = -0.5 to x = 1.5.
    few = align(table(LINE, replace(mob, members=2)), "mob", "line")
    assert (few.files, few.x) == pytest.approx((2, 0.5))
    # On the flank there is room for 2.
    side = align(table(LINE, replace(mob, x=4, y=-0.5)), "mob", "line")
    assert (side.files, side.facing) == pytest.approx((2, 270))
    assert (side.x, side.y) == pytest.approx((2, -1))


def test_em20_block_aligns_to_a_ring() -> None:
    # The circle touches LINE's right flank in (2, -0.5); LINE's middle is 0.5 below.
    found = table(LINE, ring("mob", 4, -0.5, 2, side="defender"))
    after = align(found, "line", "mob")
    assert (after.x, after.y, after.facing) == pytest.approx((2, -1, 90))
    assert fronts(found.moved(after), "line") == ("front",)


def test_em20_no_room_to_align() -> None:
    # LINE would reach up to y = 1 and from x = 0 to x = 2; a friend stands from (0, 0) to (1, 1).
    found = table(LINE, them(x=2, y=-1, facing=270, files=2), us("friend", x=0.5, y=1))
    with pytest.raises(SetupError, match="'line' has no room to align to 'them': 'friend' is"):
        align(found, "line", "them")
    with pytest.raises(SetupError, match="'line' doesn't touch an enemy 'friend'"):
        align(found, "line", "friend")
    with pytest.raises(SetupError, match="'one' and 'other' are rings"):
        align(table(ring("one", 0, 0, 2), ring("other", 3, 4, 3, side="defender")), "one", "other")


# -- envelopment ---------------------------------------------------------------------------

# The spears touch all 4 files of a line of 2 ranks; 16 spears are not in contact.
#        rear            each flank has room for 2, the rear for 4
#       d d d d
#       d d d d
#     A A A A A A
HELD = them("held", files=4, members=8)


@pytest.mark.parametrize(
    ("movement", "expected"),
    [
        (0, (4, 0, 0, 0)), (0.9, (4, 0, 0, 0)), (1, (4, 1, 0, 1)), (2, (4, 2, 0, 2)),
        (2.9, (4, 2, 0, 2)), (3, (4, 2, 2, 2)), (4, (4, 2, 4, 2)), (50, (4, 2, 4, 2)),
    ],
)  # fmt: skip
def test_em21_members_wrap_round_both_ends(movement: float, expected: tuple[int, ...]) -> None:
    found = envelop(table(SPEARS, HELD), "spears", "held", movement)
    assert found[:4] == expected
    assert found.members == sum(expected)


def test_em21_three_sides_of_a_target() -> None:
    found = envelop(table(SPEARS, HELD), "spears", "held", 2)
    assert found.edges == ("front", "right", "left")


def test_em21_no_more_members_than_there_are() -> None:
    # 7 spears, 4 of them in contact: the other 3 take the nearest places, clockwise first.
    few = replace(SPEARS, members=7)
    assert envelop(table(few, HELD), "spears", "held", 50)[:4] == (4, 2, 0, 1)


def test_em21_rest_of_the_same_edge_comes_first() -> None:
    # 2 spears at the left end of the enemy's front of 4, as it sees it: x from 1 to 3.
    pair = us("pair", x=2, files=2, members=12)
    found = table(pair, them("held", x=1, files=4, members=8))
    got = {movement: envelop(found, "pair", "held", movement)[:4] for movement in (0, 1, 2, 3)}
    # x = 1 to -1 is free; past x = 3 is its left flank.
    assert got == {0: (2, 0, 0, 0), 1: (3, 0, 0, 1), 2: (4, 0, 0, 2), 3: (4, 1, 1, 2)}


def test_em21_nobody_passes_another_unit() -> None:
    # A friend holds the enemy's left flank, which is at x = 2.
    friend = us("friend", x=2, y=1, facing=270, files=2)
    found = envelop(table(SPEARS, HELD, friend), "spears", "held", 50)
    assert found[:4] == (4, 2, 4, 0)
    # One friend at the near end of that flank: its far end is open only from the other way round.
    held = table(SPEARS, HELD, us("friend", x=2, y=0.5, facing=270))
    assert envelop(held, "spears", "held", 4)[:4] == (4, 2, 2, 0)
    assert envelop(held, "spears", "held", 7)[:4] == (4, 2, 4, 1)


def test_em21_corner_contact_turns_flush() -> None:
    # One base meets the enemy's corner (2, 0): one stands along its front, the next round it.
    lone = us("lone", x=2.5, files=1, members=5)
    found = table(lone, HELD)
    assert only(lone, HELD).edge_of_other == "front"
    assert envelop(found, "lone", "held", 0)[:4] == (1, 0, 0, 0)
    assert envelop(found, "lone", "held", 0.9)[:4] == (1, 0, 0, 0)
    assert envelop(found, "lone", "held", 1)[:4] == (2, 0, 0, 1)


def test_em21_short_edge_takes_one() -> None:
    # Bases of 2 against a single enemy of 1 by 1: one on each edge.
    big = us("big", files=1, members=9, base=2, depth=2)
    assert envelop(table(big, them()), "big", "them", 10)[:4] == (1, 1, 1, 1)


def test_em21_places_on_every_edge_of_a_block() -> None:
    """Two files that look down on (0, 0), 1 deep: flanks at x = -1 and 1, the rear at y = 1.

    Ahead of each place is the block; on the rear the halves at x = -0.5 and x = 0.5.
    """
    found = table(us(files=2, members=8), them(files=2))
    around = envelop(found, "us", "them", 2)
    places = {(round(place.x, 6), round(place.y, 6), place.facing) for place in around.places}
    assert places == {(-1, 0.5, 90), (1, 0.5, 270), (-0.5, 1, 180), (0.5, 1, 180)}
    assert around[:4] == (2, 1, 2, 1)


def test_em21_who_touches_a_corner_stands_flush_there() -> None:
    """At the corner (1, 0) of a front from -1 to 1: flush from 0 to 1, so the next is at -0.5.

    The other way round the corner lies the flank, from (1, 0) to (1, 1).
    """
    around = envelop(table(us(x=1.5, members=5), them(files=2)), "us", "them", 1)
    places = {(round(place.x, 6), round(place.y, 6), place.facing) for place in around.places}
    assert places == {(-0.5, 0, 0), (1, 0.5, 270)}
    assert around[:4] == (2, 0, 0, 1)


def test_em21_round_a_circle() -> None:
    # A base of 1 on a circle of 2 takes 2 * atan(1 / 4) = 0.49 of 6.28: 12 fit, 0.98 to go each.
    crowd = us("crowd", y=-2, files=3, members=30)
    found = table(crowd, ring("mob", 0, 0, 2, side="defender"))
    assert only(*found.placements).members_of_one == 1  # the middle of the second file
    assert [envelop(found, "crowd", "mob", movement).members for movement in (0, 1, 2, 50)] == [
        1, 3, 5, 12,
    ]  # fmt: skip


def test_em21_round_a_circle_from_between_two() -> None:
    # Two stand at its lowest point; the next ones one and a half bases from there.
    crowd = us("crowd", y=-2, files=4, members=30)
    found = envelop(table(crowd, ring("mob", 0, 0, 2, side="defender")), "crowd", "mob", 1)
    assert found.members == 4
    angle = 3 * atan(1 / 4)
    spots = sorted((place.x, place.y) for place in found.places)
    assert spots[0] == pytest.approx((-2 * sin(angle), -2 * cos(angle)))
    assert spots[1] == pytest.approx((2 * sin(angle), -2 * cos(angle)))


@pytest.mark.parametrize(("x", "y"), [(0, 0), (7, 0), (0, -5), (-4, 11)])
@pytest.mark.parametrize("turn", [0, 60, 200])
def test_em21_round_a_circle_wherever_it_lies(x: float, y: float, turn: float) -> None:
    """One touches it; the next two stand a base beside, at the angle that a base takes up."""
    angle = radians(turn)
    crowd = us("crowd", x=x + 2 * sin(angle), y=y + 2 * cos(angle), facing=turn + 180, members=9)
    found = envelop(table(crowd, ring("mob", x, y, 2, side="defender")), "crowd", "mob", 1.1)
    assert (found.front, found.members) == (3, 3)
    step = 2 * atan(1 / 4)
    for place, at in zip(found.places, (angle + step, angle - step), strict=True):
        assert (place.x, place.y) == pytest.approx((x + 2 * sin(at), y + 2 * cos(at)))
        assert (place.facing - degrees(at)) % 360 == pytest.approx(180)


def test_em21_envelop_needs_contact_and_movement() -> None:
    with pytest.raises(SetupError, match="'spears' doesn't touch an enemy 'held'"):
        envelop(table(SPEARS, replace(HELD, y=1)), "spears", "held", 5)
    with pytest.raises(SetupError, match="movement is -1"):
        envelop(table(SPEARS, HELD), "spears", "held", -1)


@FEW
@given(
    movement=st.floats(0, 20), more=st.floats(0, 5), base=st.sampled_from([0.6, 1.0, 1.7]),
    x=st.floats(-3, 3), round_=st.booleans(),
)  # fmt: skip
def test_em21_places_touch_and_grow_with_movement(
    movement: float, more: float, base: float, x: float, round_: bool
) -> None:
    own = us("own", x / 3 if round_ else x, files=4, members=40, base=base, depth=base)
    aim = ring("aim", 0, 3, 3, side="defender") if round_ else replace(HELD, unit="aim")
    found = table(own, aim)
    little, much = (envelop(found, "own", "aim", m) for m in (movement, movement + more))
    assert all(a <= b for a, b in zip(little[:4], much[:4], strict=True))
    assert set(little.places) <= set(much.places)
    # Seen by shapely alone: every place is at the target, none lies over it or over another.
    figures = [boundary(place) for place in much.places]
    target = boundary(aim)
    for number, figure in enumerate(figures):
        assert figure.distance(target) < 0.01
        assert figure.intersection(target).area < 0.01
        if not round_:
            assert all(figure.intersection(o).area < 0.01 for o in figures[:number])


@pytest.mark.parametrize(
    ("x", "movement", "expected"),
    [
        # Held from x = -2 to x = 2; a corner meets its front in (0.5, 0): flush from 0 to 1.
        (0.5, 1, {(-0.5, 0, 0), (1.5, 0, 0)}),
        (0.5, 2, {(-0.5, 0, 0), (1.5, 0, 0), (-1.5, 0, 0), (2, 0.5, 270)}),
        # In (1.9, 0) it stands flush from 1 to 2, at the corner.
        (1.9, 1, {(0.5, 0, 0), (2, 0.5, 270)}),
        (-1.9, 1, {(-0.5, 0, 0), (-2, 0.5, 90)}),
    ],
)
def test_em21_who_touches_with_a_corner_stands_flush_where_it_touched(
    x: float, movement: float, expected: set[tuple[float, float, float]]
) -> None:
    """Facing 45 the front left corner is on top: half a base to the left along (1, -1)."""
    half = 0.5 * 0.5**0.5
    own = us("own", x=x + half, y=-half, facing=45, members=9)
    around = envelop(table(own, HELD), "own", "held", movement)
    places = {(round(p.x, 6) + 0, round(p.y, 6) + 0, round(p.facing) % 360) for p in around.places}
    assert places == expected
    assert around.members == 1 + len(expected)


@pytest.mark.parametrize("x", [-1, -0.5, 0, 1])
def test_em21_all_round_every_base_of_the_boundary_is_taken_once(x: float) -> None:
    """Wherever two of them touched: 4 on the front and the rear, 2 on each flank; or what fits."""
    pair = us("pair", x=x, files=2, members=40)
    around = envelop(table(pair, HELD), "pair", "held", 50)
    # Half a base is left over at either end of the front where they stand between two places.
    assert around[:4] == ((3 if x == -0.5 else 4), 2, 4, 2)
