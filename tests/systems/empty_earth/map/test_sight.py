"""Sight, distance and company, read off the map; every number here is counted by hand."""

from dataclasses import replace
from typing import Literal

import pytest

from affray.core.errors import SetupError
from affray.systems.empty_earth.map.geometry import Lie
from affray.systems.empty_earth.map.placed import Stance, stance_of
from affray.systems.empty_earth.map.zones import Figure, Line, Map
from affray.systems.empty_earth.sheet import Setup
from tests.systems.empty_earth.factory import (
    SYSTEM,
    bow,
    game,
    play,
    played,
    setup,
    striker,
    weapon,
)
from tests.systems.empty_earth.map.charts import black, chart, figure, green, on_map, other, square

ROW = ["abc"]
"""Three Zones in a row; their dots lie at (2, 2), (6, 2) and (10, 2)."""


def stance(made: Setup, **readings: str) -> Stance:
    return stance_of(made, SYSTEM.readings(readings))


def lie(drawn: Map, one: str = "a", two: str = "b", **readings: str) -> Lie:
    return stance(on_map(drawn, one, two), **readings).line


# -- Line of Sight -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        (black((4, 0), (4, 4)), "blocked"),
        (green((4, 0), (4, 4)), "blocked"),
        (other((4, 0), (4, 4)), "clear"),
        (black((4, 3), (4, 4)), "clear"),  # ends above the line
        (black((4, 2), (4, 4)), "touches"),  # ends on it
        (black((4, 0), (4, 2)), "touches"),
        (black((3, 2), (5, 2)), "runs_along"),
        (black((3, 2), (5, 2), (5, 4)), "runs_along"),  # and leaves it on one side
        (black((3, 0), (3, 2), (5, 2), (5, 0)), "runs_along"),  # comes and leaves below
        (black((3, 0), (3, 2), (5, 2), (5, 4)), "blocked"),  # comes from below, leaves above
        (black((3, 0), (4, 2), (5, 0)), "touches"),  # with a corner
        (black((3, 0), (4, 2), (5, 4)), "blocked"),  # through a corner
        (black((3, 1), (5, 1), (4, 2), (3, 1)), "touches"),  # the corner of a closed line
        (black((4, 2), (3, 1), (5, 1), (4, 2)), "touches"),  # the same, drawn from that corner
        (black((3, 1), (5, 1), (5, 3), (3, 3), (3, 1)), "blocked"),  # round a pillar
        (black((4, 2), (4, 3), (5, 1), (4, 1), (4, 2)), "blocked"),
        (black((6, 5), (2, 5)), "clear"),
        (black((7, 0), (7, 4)), "clear"),  # behind the dot
        (black((-1, 2), (1, 2)), "clear"),  # in the same line, but before it begins
    ],
)
def test_ee13_lines_cross_touch_or_run_along(line: Line, seen: str) -> None:
    assert lie(chart(ROW, line)) == seen
    assert stance(on_map(chart(ROW, line), "b", "a")).line == seen  # the same from the other end


@pytest.mark.parametrize(
    ("lines", "joined", "apart"),
    [
        ((black((4, 2), (4, 4)), black((4, 2), (4, 0))), "blocked", "touches"),
        ((black((4, 2), (4, 4)), green((4, 2), (4, 0))), "blocked", "touches"),
        ((black((4, 2), (4, 4)), other((4, 2), (4, 0))), "touches", "touches"),
        ((black((4, 2), (3, 4)), black((4, 2), (5, 4))), "touches", "touches"),  # one side only
        ((black((3, 2), (3, 4)), black((4, 2), (4, 0))), "touches", "touches"),  # a gap between
        ((black((3, 2), (4, 2), (4, 4)), black((3, 2), (3, 0))), "blocked", "runs_along"),
        ((black((3, 2), (4, 2)), black((4, 2), (5, 2))), "runs_along", "runs_along"),
        ((black((4, 2), (4, 4)), black((5, 0), (5, 4))), "blocked", "blocked"),
    ],
)
def test_ee13_walls_that_meet_leave_no_gap(
    lines: tuple[Line, ...], joined: Lie, apart: Lie
) -> None:  # A-9b
    drawn = chart(ROW, *lines)
    assert (lie(drawn), lie(drawn, joints="apart")) == (joined, apart)


def test_ee13_lines_through_corners_of_zones_are_free() -> None:
    assert lie(chart(["ab", "cd"]), "a", "d") == "clear"  # right through the middle of four


def test_ee13_one_wall_at_the_corner_of_four_zones_is_touched() -> None:
    drawn = chart(["ab", "cd"], black((4, 4), (8, 4)))
    assert (lie(drawn, "a", "d"), lie(drawn, "c", "b")) == ("touches", "touches")
    crossed = chart(["ab", "cd"], black((4, 4), (8, 4)), black((0, 4), (4, 4)))
    assert (lie(crossed, "a", "d"), lie(crossed, "c", "b")) == ("blocked", "blocked")


@pytest.mark.parametrize(
    ("dots", "first", "every"),
    [
        (((6, 3), (6, 1)), "clear", "blocked"),
        (((6, 3),), "blocked", "blocked"),
        (((6, 1),), "clear", "clear"),
        (((6, 2), (6, 3)), "touches", "blocked"),
    ],
)
def test_ee13_of_several_aim_dots_one_is_enough(
    dots: tuple[tuple[int, int], ...], first: Lie, every: Lie
) -> None:  # A-9c
    a, b, c = chart(ROW).zones
    drawn = Map(zones=(a, replace(b, dots=dots), c), lines=(black((4, 2), (4, 4)),))
    assert (lie(drawn), lie(drawn, dots="all")) == (first, every)


@pytest.mark.parametrize(
    ("line", "readings"),
    [
        (black((4, 2), (4, 4)), {"crossing": True, "strict": False, "lenient": True}),
        (black((3, 2), (5, 2)), {"crossing": False, "strict": False, "lenient": True}),
        (black((4, 0), (4, 4)), {"crossing": False, "strict": False, "lenient": False}),
        (other((4, 0), (4, 4)), {"crossing": True, "strict": True, "lenient": True}),
    ],
)
def test_ee12_a_shot_needs_the_line_that_the_reading_asks_for(
    line: Line, readings: dict[str, bool]
) -> None:
    made = on_map(chart(ROW, line), "a", "b")
    for reading, sees in readings.items():
        if sees:
            assert play(game(made, {"sight": reading}), 5, 6)["hits"] == 2
            continue
        with pytest.raises(SetupError, match="no Line of Sight"):
            game(made, {"sight": reading})


def test_ee12_the_own_zone_is_in_sight_whatever_is_printed_there() -> None:
    drawn = chart(ROW, black((1, 1), (3, 1), (3, 3), (1, 3), (1, 1)))  # all round the dot
    assert stance(on_map(drawn, "a", "a")) == Stance(0, True, "clear", 1)


# -- Zones away --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "one", "two", "zones"),
    [
        (["abc"], "a", "a", 0),
        (["abc"], "a", "b", 1),
        (["abc"], "a", "c", 2),
        (["ab", "cd"], "a", "d", 2),  # they meet in a corner only
        (["a c"], "a", "c", None),
        (["abc", "d f", "ghi"], "d", "f", 4),  # round the hole
    ],
)
def test_ee11_zones_are_counted_over_borders(
    rows: list[str], one: str, two: str, zones: int | None
) -> None:
    assert stance(on_map(chart(rows), one, two)).zones == zones
    assert stance(on_map(chart(rows), two, one)).zones == zones


def test_ee11_a_corner_may_count_as_a_border() -> None:  # A-10b
    made = on_map(chart(["ab", "cd"]), "a", "d")
    assert (stance(made).zones, stance(made, corners="border").zones) == (2, 1)
    walked = stance(made, corners="border", zones="openings")
    assert walked.zones == 2  # nobody walks through a corner


@pytest.mark.parametrize(
    ("line", "borders", "openings", "both"),
    [
        (black((4, 0), (4, 4)), 1, None, None),
        (green((4, 0), (4, 4)), 1, 1, None),
        (other((4, 0), (4, 4)), 1, 1, 1),
        (black((4, 0), (4, 3)), 1, 1, 1),  # a door is left
        (black((4, 1), (4, 4)), 1, 1, 1),
        (black((4, -2), (4, 9)), 1, None, None),  # goes on beyond the border
        (black((4, 4), (4, 2), (4, 0)), 1, None, None),
        (black((4, 0), (4, 3), (4, 1), (4, 4)), 1, None, None),  # drawn to and fro
        (black((2, 1), (6, 1)), 1, 1, 1),  # across the border, not along it
    ],
)
def test_ee11_openings_are_borders_that_no_wall_covers(
    line: Line, borders: int, openings: int | None, both: int | None
) -> None:  # A-10, A-10c
    made = on_map(chart(["ab"], line), "a", "b")
    assert stance(made).zones == borders
    assert stance(made, zones="openings").zones == openings
    assert stance(made, zones="openings", walls="both").zones == both


def test_ee11_a_door_between_two_walls_is_an_opening() -> None:
    walls = black((4, 0), (4, 1)), black((4, 3), (4, 4))
    assert stance(on_map(chart(["ab"], *walls), "a", "b"), zones="openings").zones == 1
    closed = (*walls, black((4, 1), (4, 2), (4, 3)))
    assert stance(on_map(chart(["ab"], *closed), "a", "b"), zones="openings").zones is None


def test_ee11_a_zone_may_border_along_part_of_a_side() -> None:
    outline = ((4, 3), (8, 3), (8, 7), (4, 7))
    a, b = square("a", 0, 0), square("b", 1, 0, outline=outline, dots=((6, 5),))
    made = on_map(Map(zones=(a, b), lines=(black((4, 3), (4, 4)),)), "a", "b")
    assert stance(made).zones == 1
    assert stance(made, zones="openings").zones is None  # the wall covers what they share


@pytest.mark.parametrize(("zone", "legal"), [("a", True), ("b", True), ("c", True), ("d", False)])
def test_ee11_a_shot_reaches_as_far_as_the_map_says(zone: str, legal: bool) -> None:
    made = on_map(chart(["abcd"]), "a", zone)
    if legal:
        assert play(game(made), 6, 6)["hits"] == 2
        return
    with pytest.raises(SetupError, match="its range is 2 Zones; the target is 3 away"):
        game(made)


def test_ee11_nothing_reaches_where_no_way_leads() -> None:
    with pytest.raises(SetupError, match="its range is 2 Zones; the target is where no way leads"):
        game(on_map(chart(["a c"]), "a", "c"))


def test_ee9_melee_needs_the_zone_of_the_target() -> None:
    fighter = striker(weapon())
    assert play(game(on_map(chart(["ab"]), "b", "b", attacker=fighter)), 5, 6)["hits"] == 2
    with pytest.raises(SetupError, match=r"same Zone; this one is 1 away"):
        game(on_map(chart(["ab"]), "a", "b", attacker=fighter))


# -- hostile figures ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("figures", "two", "hostiles", "hits"),
    [
        ((), "b", 0, 2),
        ((figure("a"),), "b", 1, 1),  # 5 and 6 at -1 against 4
        ((figure("a"), figure("a")), "b", 2, 1),  # once, however many
        ((figure("b"),), "b", 0, 2),  # beside the target
        ((figure("a", "attacker"),), "b", 0, 2),  # a friend
        ((), "a", 1, 1),  # the target itself
        ((figure("c"), figure("a", "attacker")), "a", 1, 1),
    ],
)
def test_ee14_hostile_figures_are_counted_where_they_stand(
    figures: tuple[Figure, ...], two: str, hostiles: int, hits: int
) -> None:
    made = on_map(chart(ROW), "a", two, *figures)
    assert stance(made).hostiles == hostiles
    assert play(game(made), 5, 6)["hits"] == hits


def test_ee15_melee_among_hostile_figures_is_free() -> None:
    made = on_map(chart(ROW), "a", "a", figure("a"), attacker=striker(weapon()))
    assert play(game(made), 5, 6)["hits"] == 2


@pytest.mark.parametrize(
    ("friend_of", "damage"), [("attacker", 0), ("defender", 2)]
)  # fmt: skip
def test_ee44_a_counter_is_shot_from_the_zone_of_the_defender(
    friend_of: Literal["attacker", "defender"], damage: int
) -> None:
    made = on_map(chart(ROW), "a", "b", figure("b", friend_of))
    armed = replace(made.defender, attacks=(bow("1D6"),))
    session = played(
        game(replace(made, defender=armed), {"counter": "attack"}, offer_counter="counter"),
        1, 1, 1,
    )  # fmt: skip
    assert session.result["counter_damage"] == damage


def test_ee28_a_declaration_on_a_map_says_how_the_two_stand() -> None:
    made = on_map(chart(ROW, black((4, 2), (4, 4))), "a", "b", figure("a"))
    session = played(game(made), 5, 6)
    told = next(row.says for row in session.log if row.step == "declare_attack")
    assert told.endswith(
        f"To {made.defender.name}: 1 Zone away; the line between them touches a wall; "
        "1 hostile in the attacker's Zone."
    )
    plain = played(game(setup()), 5, 6)
    told = next(row.says for row in plain.log if row.step == "declare_attack")
    assert told.endswith("damage 2.")
