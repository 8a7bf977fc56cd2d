"""Engagement by geometry: touching, sides, members in contact, ranges.

Positions are worked out by hand, as `placed` tells them.
"""

import subprocess
import sys
from dataclasses import replace
from math import cos, hypot, nan, radians, sin
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from affray.core.errors import SetupError, UnknownNameError
from affray.systems.emlia.table.contact import (
    SIDES,
    Edge,
    band,
    checked,
    contacts,
    distance,
    engaged,
    fighting,
    fronts,
    hostile,
)
from affray.systems.emlia.table.figures import (
    boundary,
    corners,
    member_centers,
    overlap,
    to_table,
    towards,
)
from affray.systems.emlia.table.manoeuvres import charge, envelop
from affray.systems.emlia.table.placing import Placement, Table, ring_layers

from .placed import FEW, LINE, SPEARS, only, ring, table, them, touched, us

# -- sheets --------------------------------------------------------------------------------


def test_em10_block_counts_its_ranks() -> None:
    assert (SPEARS.front, SPEARS.ranks, SPEARS.frontage, SPEARS.thickness) == (6, 4, 6.0, 4.0)
    few = us(files=6, members=4, base=2, depth=3)  # fewer than files: one short rank
    assert (few.front, few.ranks, few.frontage, few.thickness) == (4, 1, 8.0, 3.0)


def test_em10_corners_follow_facing() -> None:
    # Facing right: the front edge runs from (0, 2) to (0, -2), the rear is at x = -2.
    turned = replace(LINE, facing=90)
    expected = [(0, 2), (0, -2), (-2, -2), (-2, 2)]
    for found, wanted in zip(corners(turned), expected, strict=True):
        assert found == pytest.approx(wanted)


def test_em10_ring_holds_its_members() -> None:
    # Circles of one size: 1 in the middle, 6 round it, 12 round those.
    assert ring_layers(1) == (1,)
    assert ring_layers(7) == (1, 6)
    assert ring_layers(8) == (1, 6, 1)
    assert ring_layers(19) == (1, 6, 12)
    # Half a diagonal of 3 by 4 is 2.5; with one layer round the middle three of them.
    assert ring("r", 0, 0, 0, base=3, depth=4, members=5).ring_radius == 7.5
    assert ring("r", 0, 0, 0, base=3, depth=4, members=1).ring_radius == 2.5
    assert ring("r", 0, 0, 4, members=5).ring_radius == 4
    assert LINE.ring_radius == 0


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"unit": " "}, "unit is empty"),
        ({"x": nan}, "x is nan; allowed"),
        ({"y": "3"}, "y is '3'; allowed: a finite number"),
        ({"facing": True}, "facing is True; allowed: a finite number"),
        ({"base": 0}, "base is 0; allowed: more than 0"),
        ({"depth": -1}, "depth is -1; allowed: more than 0"),
        ({"radius": 2}, "radius is 2; allowed: 0 for a block"),
        ({"shape": "ring", "radius": -2}, "radius is -2; allowed: 0 or more"),
        ({"members": 0}, "members is 0; allowed: 1 or more"),
        ({"files": 0}, "files is 0; allowed: 1 or more"),
        ({"side": "both"}, "side is 'both'; allowed: attacker, defender"),
        ({"shape": "wedge"}, "shape is 'wedge'; allowed: block, ring"),
    ],
)
def test_em10_wrong_placement_is_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(SetupError, match=words):
        Placement(**{"unit": "u"} | given)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"placements": (us(), us())}, "unit 'us' is placed twice"),
        ({"length": ""}, "length is empty"),
        ({"path": ((0, 0),)}, "path has 1 point"),
        ({"path": ((0, 0), (1, nan))}, "path is nan; allowed: a finite number"),
        ({"path": (("0", 0), (1, 1))}, "path is '0'; allowed: a finite number"),
        ({"path": ((0, 0), (1, True))}, "path is True; allowed: a finite number"),
        ({"path": ((0, 0), (1, 1e9), (0, -1.1e9))}, "point 3 of path has -1100000000.0; allowed"),
        ({"path": ((0, 0), (1,))}, r"path is \[1\]; allowed: 2 entries"),
        ({"path": ((0, 0), (1, 1), (1, 1))}, "points 2 and 3 of path are the same"),
    ],
)
def test_em10_wrong_table_is_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(SetupError, match=words):
        Table(**given)


def test_em10_table_finds_and_moves_units() -> None:
    found = table(us(), them(y=5), path=((0, 0), (0, 1)))
    assert found.of("them").y == 5
    after = found.moved(us(y=2))
    assert [p.y for p in after.placements] == [2, 5]
    assert after.path == ()
    with pytest.raises(UnknownNameError, match="no unit on the table is called 'then'"):
        found.of("then")


@pytest.mark.parametrize("ask", [engaged, fronts, hostile])
def test_em10_nobody_asks_for_the_contacts_of_somebody_elsewhere(ask: Any) -> None:
    with pytest.raises(UnknownNameError, match="no unit on the table is called 'ours'"):
        ask(table(us(), them(y=5)), "ours")


# -- touching ------------------------------------------------------------------------------


def test_em10_touching_units_are_engaged() -> None:
    found = table(SPEARS, them(files=6))
    assert engaged(found, "spears") == ("them",)
    assert engaged(found, "them") == ("spears",)
    assert distance(found, "spears", "them") == 0


def test_em10_units_apart_are_not_engaged() -> None:
    found = table(SPEARS, them(y=0.01, files=6))
    assert contacts(found) == ()
    assert engaged(found, "spears") == ()
    assert fronts(found, "spears") == ()


def test_em10_friends_touch_but_are_not_engaged() -> None:
    found = table(SPEARS, us("friend", x=4, files=2))
    (contact,) = contacts(found)
    assert not contact.hostile
    assert engaged(found, "spears") == ()


@pytest.mark.parametrize(
    ("base", "gap", "touch"),
    [
        (1, 0.0009, True), (1, 0.0011, False), (1, -0.0009, True),
        (25, 0.02, True), (25, 0.03, False), (25, -0.02, True),
    ],
)  # fmt: skip
def test_em10_a_thousandth_of_a_base_is_touching(base: float, gap: float, touch: bool) -> None:
    size: dict[str, Any] = {"base": base, "depth": base, "files": 3}
    found = contacts(table(us(**size), them(y=gap, **size)))
    assert bool(found) is touch
    if touch:
        assert touched(found[0]) == ("front", 3, "front", 3)


def test_em10_overlap_is_refused_with_its_depth() -> None:
    # LINE reaches up to y = 0; them down to y = -0.25.
    with pytest.raises(
        SetupError, match=r"'line' and 'them' overlap by 0\.25 cm; allowed: units that touch"
    ):
        checked(table(LINE, them(y=-0.25, files=2), length="cm"))


@pytest.mark.parametrize(
    ("one", "other", "deep"),
    [
        (LINE, them(y=-0.25, files=2), 0.25),
        (LINE, them(y=0, files=2), 0),
        (LINE, them(y=1, files=2), 0),
        (LINE, ring("r", 0, 1.5, 2), 0.5),  # the circle comes down to y = -0.5
        (LINE, ring("r", 0, -0.5, 2), 2.5),  # its middle is 0.5 inside: out by 0.5 and by 2
        (LINE, ring("r", 3, 4, 5), 5 - hypot(1, 4)),  # past the corner (2, 0)
        (ring("q", 0, 0, 2), ring("r", 3, 4, 4), 1),  # 5 apart, 6 of radius
        (ring("q", 0, 0, 2), ring("r", 0, 0, 4), 6),
        (LINE, replace(LINE, unit="again"), 2),  # one upon the other: out by its thickness
    ],
)
def test_em10_overlap_is_the_way_out(one: Placement, other: Placement, deep: float) -> None:
    assert overlap(one, other) == pytest.approx(deep, abs=1e-12)
    assert overlap(other, one) == pytest.approx(deep, abs=1e-12)


def test_em10_every_question_refuses_overlap() -> None:
    wrong = table(LINE, them(y=-0.25, files=2))
    for asked in (
        lambda: contacts(wrong),
        lambda: distance(wrong, "line", "them"),
        lambda: engaged(wrong, "line"),
        lambda: fronts(wrong, "line"),
        lambda: charge(wrong, "line", "them", 5),
        lambda: envelop(wrong, "line", "them", 5),
    ):
        with pytest.raises(SetupError, match="overlap by"):
            asked()


# -- sides ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("enemy", "edge", "members"),
    [
        (them(y=0, files=4), "front", 4),
        (them(x=2, y=-1, facing=270, files=2), "right", 2),
        (them(x=-2, y=-1, facing=90, files=2), "left", 2),
        (them(y=-2, facing=0, files=4), "rear", 4),
    ],
)
def test_em20_block_is_touched_on_each_edge(enemy: Placement, edge: Edge, members: int) -> None:
    found = only(LINE, enemy)
    assert (found.edge_of_one, found.members_of_one) == (edge, members)
    assert (found.side_of_one, found.side_of_other) == (SIDES[edge], "front")
    assert found.seen_from("them").edge_of_other == edge
    assert fronts(table(LINE, enemy), "line") == (edge,)


#         +---+ a
#     +---+---+          LINE from (-2, 0) to (2, -2), its corners touched by one member each,
#     |       |          who stands as this says: the edge towards LINE's corner is its own corner
#     +-------+---+
#             +---+ b
@pytest.mark.parametrize(
    ("x", "y", "edge"),
    [(2.5, 1, "front"), (-2.5, 1, "front"), (2.5, -2, "right"), (-2.5, -2, "left")],
)
def test_em20_corner_takes_the_least_penalty(x: float, y: float, edge: Edge) -> None:
    # Facing up, the enemy reaches from y down to y - 1 and half a base to each side.
    found = only(LINE, them(x=x, y=y, facing=0))
    assert (found.edge_of_one, found.members_of_one) == (edge, 1)
    assert found.stretch[0] == found.stretch[1] == pytest.approx((2 * x / 2.5, -2 if y < 0 else 0))
    # The enemy is touched on a rear corner from above, and on a front corner from below.
    assert found.side_of_other == ("flank" if y == 1 else "front")


def test_em20_corners_a_hair_apart_meet_in_a_point() -> None:
    found = only(LINE, them(x=2.5005, y=1.0005, facing=0))
    assert found.stretch[0] == found.stretch[1] == pytest.approx((2.00025, 0.00025))
    assert touched(found) == ("front", 1, "flank", 1)


@pytest.mark.parametrize(("x", "members"), [(0.5, 1), (1.0, 2), (2.0, 1)])
def test_em20_corner_on_an_edge(x: float, members: int) -> None:
    # Facing 225, a base points its front left corner down: it lies half an edge along (1, -1) from
    # the middle of the front. At x = 1 two members of LINE meet; x = 2 is LINE's own corner.
    half = 0.5 * 0.5**0.5
    found = only(LINE, them(x=x - half, y=half, facing=225))
    assert touched(found) == ("front", members, "front", 1)


def test_em20_corner_on_a_flank_is_the_flank() -> None:
    # Facing 225, the front right corner points left: half an edge along (-1, 1).
    half = 0.5 * 0.5**0.5
    found = only(LINE, them(x=2 + half, y=-1.5 - half, facing=225))
    assert touched(found) == ("flank", 1, "front", 1)


def test_em20_ring_is_touched_on_its_front_everywhere() -> None:
    for facing in (0, 90, 180):
        found = only(ring("mob", 0, 2, 2, facing=facing), them(facing=0, files=4))
        assert (found.side_of_one, found.members_of_one) == ("front", 1)
    # From all four sides: still one front.
    around = [
        them("up", y=2), them("right", x=2, facing=270),
        them("down", y=-2, facing=0), them("left", x=-2, facing=90),
    ]  # fmt: skip
    assert fronts(table(ring("mob", 0, 0, 2), *around), "mob") == ("front",)


# -- members -------------------------------------------------------------------------------


def test_em22_only_members_along_the_stretch_count() -> None:
    # Enemies from x = -2 to x = 1: files 2, 3 and 4 of the spears, counted from x = -3.
    found = only(SPEARS, them(x=-0.5, files=3))
    assert touched(found) == ("front", 3, "front", 3)
    assert found.stretch[0] == pytest.approx((-2, 0))
    assert found.stretch[1] == pytest.approx((1, 0))
    # Half a base further: the ends of four files, and still three enemies.
    assert touched(only(SPEARS, them(x=0, files=3))) == ("front", 4, "front", 3)
    # Wide bases against narrow ones: 2 of 1.5 from x = 0 to x = 3.
    assert touched(only(SPEARS, them(x=1.5, files=2, base=1.5))) == ("front", 3, "front", 2)


def test_em22_emv26_six_in_contact_and_twelve_with_reach() -> None:
    enemy = them(files=6)
    assert only(SPEARS, enemy).members_of_one == 6
    assert fighting(SPEARS, [enemy]) == 6
    assert fighting(SPEARS, [enemy], 1) == 12
    assert fighting(SPEARS, [enemy], 2) == 18
    assert fighting(SPEARS, [enemy], 3) == 20  # the last rank has 2
    assert fighting(SPEARS, [enemy], 9) == 20


# 10 members in 4 files, facing up, as numbers count them; 7 and 8 close the gap at the rear:
#     1 2 3 4
#     5 6 7 8
#     9 10
TEN = us("ten", files=4, members=10)


@pytest.mark.parametrize(
    ("enemy", "by_reach"),
    [
        (them(y=0, files=4), (4, 8, 10)),
        (them(y=-3, facing=0, files=4), (4, 8, 10)),  # 9 10 7 8, then 5 6 3 4, then 1 2
        (them(x=1, y=-3, facing=0, files=2), (2, 4, 4)),  # 7 8, then 3 4
        (them(x=2, y=-1.5, facing=270, files=3), (3, 6, 8, 10)),  # 4 8 10, then 3 7 9, 2 6, 1 5
        (them(x=-2, y=-1.5, facing=90, files=3), (3, 6, 8, 10)),
        (them(x=2, y=-2.5, facing=270, files=1), (1, 2, 2)),  # 10, then 9
    ],
)
def test_em22_last_rank_with_gaps(enemy: Placement, by_reach: tuple[int, ...]) -> None:
    found = only(TEN, enemy)
    assert found.members_of_one == by_reach[0]
    assert tuple(fighting(TEN, [enemy], reach) for reach in range(len(by_reach))) == by_reach


def test_em22_ring_against_block() -> None:
    # A circle touches in a point: one member, and one or two of the block.
    line = them("line", facing=0, files=4, members=8)
    mob = ring("mob", 0.5, 2, 2, members=12)
    assert touched(only(mob, line)) == ("front", 1, "front", 1)
    assert touched(only(replace(mob, x=1), line)) == ("front", 1, "front", 2)
    assert touched(only(replace(mob, x=4, y=-0.5), line)) == ("front", 1, "flank", 1)
    found = only(mob, line)
    assert found.stretch[0] == pytest.approx((0.5, 0))
    assert [fighting(mob, [line], reach) for reach in (0, 1, 20)] == [1, 2, 12]
    assert [fighting(line, [mob], reach) for reach in (0, 1, 20)] == [1, 2, 2]


def test_em22_ring_against_ring() -> None:
    one, other = ring("one", 0, 0, 2), ring("other", 3, 4, 3, side="defender")
    found = only(one, other)  # 5 apart
    assert touched(found) == ("front", 1, "front", 1)
    assert found.stretch[0] == pytest.approx((1.2, 1.6))


def test_em22_fighting_refuses_negative_reach() -> None:
    with pytest.raises(SetupError, match="reach is -1"):
        fighting(SPEARS, [them(files=6)], -1)


@FEW
@given(
    offset=st.integers(-39, 39).map(lambda tenth: tenth / 10 + 0.05),
    wide=st.sampled_from([0.5, 1.0, 1.3]),
    files=st.integers(1, 6),
    facing=st.floats(0, 360),
)
def test_em22_members_counted_one_by_one(
    offset: float, wide: float, files: int, facing: float
) -> None:
    # The oracle asks every single base how much of the other unit's boundary lies along it.
    assume(abs(offset) < 3 + files * wide / 2 - 0.01)  # they touch, and not in a corner
    one = us("one", files=6, members=12, facing=facing)
    x, y = to_table(one, (offset, 0))
    other = them("other", x, y, facing + 180, files=files, members=2 * files, base=wide)
    found = only(one, other)
    thin = 1e-6

    def counted(mine: Placement, theirs: Placement) -> int:
        zone = boundary(theirs).buffer(thin, join_style="mitre")
        total = 0
        for number in range(mine.members):
            right = (number % mine.front + 0.5) * mine.base - mine.frontage / 2
            x, y = to_table(mine, (right, -(number // mine.front) * mine.depth))
            alone = replace(mine, x=x, y=y, files=1, members=1)
            total += boundary(alone).intersection(zone).area / thin > 0.01
        return total

    assert (found.members_of_one, found.members_of_other) == (
        counted(one, other), counted(other, one),
    )  # fmt: skip


# -- fronts --------------------------------------------------------------------------------


def test_em23_front_and_flank_are_two_fronts() -> None:
    found = table(LINE, them("a", files=4), them("b", x=2, y=-1, facing=270, files=2))
    assert engaged(found, "line") == ("a", "b")
    assert fronts(found, "line") == ("front", "right")
    assert fronts(found, "a") == fronts(found, "b") == ("front",)


def test_em24_two_enemies_on_one_side_are_one_front() -> None:
    found = table(LINE, them("a", x=-1, files=2), them("b", x=1, files=2))
    assert engaged(found, "line") == ("a", "b")
    assert fronts(found, "line") == ("front",)


def test_em24_all_around_are_four_fronts() -> None:
    found = table(
        them("a", files=4), them("b", x=2, y=-1, facing=270, files=2), LINE,
        them("c", x=-2, y=-1, facing=90, files=2), them("d", y=-2, facing=0, files=4),
    )  # fmt: skip
    assert fronts(found, "line") == ("front", "right", "rear", "left")


# -- ranges --------------------------------------------------------------------------------


def test_em30_distance_is_boundary_to_boundary() -> None:
    # LINE's corner (2, 0); the enemy's rear left corner at (5, 4).
    assert distance(table(LINE, them(x=5.5, y=5, facing=0)), "line", "them") == pytest.approx(5)
    # 10 between the middles of circles of 2 and 3.
    found = table(ring("one", 0, 0, 2), ring("other", 6, 8, 3))
    assert distance(found, "one", "other") == distance(found, "other", "one") == pytest.approx(5)
    # From the same corner to a circle of 2 round (5, 4).
    assert distance(table(LINE, ring("r", 5, 4, 2)), "r", "line") == pytest.approx(3)


def test_em30_distance_needs_two_units_of_the_table() -> None:
    found = table(LINE, them(y=3))
    with pytest.raises(SetupError, match="'line' and itself"):
        distance(found, "line", "line")
    with pytest.raises(UnknownNameError, match="'then'"):
        distance(found, "line", "then")


@pytest.mark.parametrize(
    ("away", "expected"),
    [
        (0, "short"), (8, "short"), (8.001, "medium"), (16, "medium"), (16.001, "long"),
        (30, "long"), (30.001, None), (8 + 1e-12, "short"), (30 * (1 + 1e-12), "long"),
    ],
)  # fmt: skip
def test_em30_bands_include_their_edges(away: float, expected: str | None) -> None:
    assert band(away, 8, 16, 30) == expected


def test_em30_band_at_the_edge_despite_rounding() -> None:
    assert 0.1 + 0.2 > 0.3
    assert band(0.1 + 0.2, 0.3, 1, 2) == "short"
    for facing in range(0, 360, 7):  # turned about the middle, 8 apart all the same
        angle = radians(facing)
        far = them(x=8 * sin(angle), y=8 * cos(angle), facing=facing + 180, files=4)
        found = table(us(facing=facing, files=4), far)
        assert band(distance(found, "us", "them"), 8, 16, 30) == "short"


@pytest.mark.parametrize("edges", [(8, 4, 12), (4, 8, 6), (-1, 8, 12), (4, nan, 12)])
def test_em30_bands_must_grow(edges: tuple[float, float, float]) -> None:
    with pytest.raises(SetupError, match="allowed: three numbers from 0 that grow"):
        band(3, *edges)


# -- any table, any ruler ------------------------------------------------------------------

SCENE = table(
    SPEARS,
    them("held", files=4, members=8),
    us("flankers", x=2, y=1, facing=270, files=2, members=4),
    us("corner", x=-2.5, y=3),
    ring("mob", 2.5, -6, 2, side="defender"),
    them("far", x=0.3, y=9, facing=170, files=3, members=7),
)


def carried(scene: Table, angle: float, by: tuple[float, float], scale: float = 1) -> Table:
    """Everything turned about the origin, counted in another unit, and shifted."""
    turn = radians(angle)
    return replace(
        scene,
        placements=tuple(
            replace(
                p,
                x=scale * (p.x * cos(turn) + p.y * sin(turn)) + by[0],
                y=scale * (p.y * cos(turn) - p.x * sin(turn)) + by[1],
                facing=p.facing + angle,
                base=p.base * scale,
                depth=p.depth * scale,
                radius=p.radius * scale,
            )
            for p in scene.placements
        ),
    )


def test_em10_scene_as_drawn() -> None:
    found = [(c.one, c.other, c.hostile, *touched(c)) for c in contacts(SCENE)]
    assert found == [
        ("spears", "held", True, "front", 4, "front", 4),
        ("spears", "flankers", False, "front", 1, "flank", 1),
        ("spears", "mob", True, "rear", 1, "front", 1),
        ("held", "flankers", True, "flank", 2, "front", 2),
        ("held", "corner", True, "flank", 1, "flank", 1),
    ]
    assert fronts(SCENE, "held") == ("front", "right", "left")


@FEW
@given(
    angle=st.floats(-720, 720),
    x=st.floats(-1e4, 1e4),
    y=st.floats(-1e4, 1e4),
    scale=st.sampled_from([0.01, 1.0, 25.4, 1000.0]),
)
def test_em10_nothing_depends_on_where_the_table_lies(
    angle: float, x: float, y: float, scale: float
) -> None:
    there = carried(SCENE, angle, (x, y), scale)
    assert [c[:6] for c in contacts(there)] == [c[:6] for c in contacts(SCENE)]
    for unit in SCENE.units:
        assert fronts(there, unit) == fronts(SCENE, unit)
    here = distance(SCENE, "corner", "far")
    assert distance(there, "corner", "far") == pytest.approx(here * scale, rel=1e-6)
    assert (
        envelop(there, "spears", "held", 2.5 * scale)[:4]
        == envelop(SCENE, "spears", "held", 2.5)[:4]
    )
    one, other = charge(SCENE, "corner", "far", 8), charge(there, "corner", "far", 8 * scale)
    assert one.arrives
    assert (one.arrives, one.edge, one.met) == (other.arrives, other.edge, other.met)
    assert other.moved == pytest.approx(one.moved * scale, rel=1e-6)
    assert (one.end.facing + angle - other.end.facing + 180) % 360 == pytest.approx(180, abs=1e-3)


def test_em10_importing_it_leaves_shapely_alone() -> None:
    code = (
        "import sys, affray.systems.emlia.table.placing, affray.systems.emlia.table.picture, "
        "affray.systems.emlia.table.manoeuvres; sys.exit('shapely' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_em22_where_each_member_of_a_block_stands() -> None:
    """Bases 2 wide and 1 deep, two files: the third is behind the first, on the unit's left."""
    block = us(files=2, members=3, base=2, depth=1)
    assert member_centers(block) == ((-1.0, -0.5), (1.0, -0.5), (-1.0, -1.5))
    assert member_centers(us(files=9, members=1)) == ((0.0, -0.5),)


def test_em22_where_each_member_of_a_ring_stands() -> None:
    """Bases of 1 by 1 have half a diagonal of half the root of 2: the circle is twice that wide.

    In a radius of 1.5 there is only 1.5 less that for it.
    """
    half = 0.5**0.5
    for radius, step in ((10, 2 * half), (1.5, 1.5 - half), (0.5, 0)):
        middle, first, second, *rest = member_centers(ring("mob", 3, 4, radius, members=7))
        assert middle == (0, 0)
        assert first == pytest.approx((0, step))
        assert second == pytest.approx((step * sin(radians(60)), step * cos(radians(60))))
        assert len(rest) == 4
    # Two circles share the room between them.
    centers = member_centers(ring("mob", 0, 0, 2 + half, members=19))
    assert centers[7] == pytest.approx((0, 2))
    assert centers[1] == pytest.approx((0, 1))


def test_em22_files_mean_nothing_to_a_ring() -> None:
    line = them("line", facing=0, files=4, members=8)
    mob = ring("mob", 0.5, 2, 2, members=12, files=4)
    assert [fighting(mob, [line], reach) for reach in (0, 1, 10, 11, 12)] == [1, 2, 11, 12, 12]


def test_em10_no_way_at_all_leads_up_the_table() -> None:
    assert towards((2, 3), (2, 3)) == (0, 1)
    assert towards((2, 3), (5, -1)) == pytest.approx((0.6, -0.8))
