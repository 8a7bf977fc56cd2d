"""What may be written down as a map, and who may stand where on it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from affray.core.errors import SetupError
from affray.systems.empty_earth.map.zones import Figure, Line, Map, Zone
from affray.systems.empty_earth.sheet import Setup
from tests.systems.empty_earth.factory import bow, game, setup, striker, target
from tests.systems.empty_earth.map.charts import black, chart, figure, green, on_map, other, square

Points = tuple[tuple[int, int], ...]


def zone(outline: Points, *dots: tuple[int, int]) -> Zone:
    return Zone(name="a", outline=outline, dots=dots or ((1, 1),))


@pytest.mark.parametrize(
    "outline",
    [
        ((0, 0), (4, 0), (4, 4), (0, 4)),
        ((0, 4), (4, 4), (4, 0), (0, 0)),  # the other way round
        ((0, 0), (2, 0), (4, 0), (4, 4), (0, 4)),  # a corner in the middle of a side
        ((0, 0), (4, 0), (1, 4)),
        ((0, 0), (4, 0), (4, 4), (2, 1), (0, 4)),  # a notch
    ],
)
def test_ee10_outlines_go_round_one_area(outline: Points) -> None:
    assert zone(outline).outline == outline


@pytest.mark.parametrize(
    ("outline", "dots", "message"),
    [
        (((0, 0), (4, 0)), (), "outline has 2 corners; allowed: 3 to 40"),
        (tuple((n, n * n) for n in range(41)), (), "outline has 41 corners"),
        (((0, 0), (4, 4), (4, 0), (0, 4)), (), "outline meets itself"),  # an hourglass
        (((0, 0), (4, 0), (4, 4), (0, 4), (0, 0)), (), "outline meets itself"),  # closed by hand
        (((0, 0), (4, 0), (2, 0)), (), "outline meets itself"),  # no area
        (((0, 0), (4, 0), (4, 4), (4, 0), (0, 4)), (), "outline meets itself"),  # a thorn
        (((0, 0), (4, 0), (4, 4), (2, 0), (0, 4)), (), "outline meets itself"),  # a notch too deep
        (((0, 0), (4, 0), (1, 4)), ((5, 5),), r"aim dot 1 at \(5, 5\) is not inside"),
        (((0, 0), (4, 0), (1, 4)), ((1, 1), (2, 0)), r"aim dot 2 at \(2, 0\) is not inside"),
        (((0, 0), (4, 0), (1, 4)), ((0, 0),), r"aim dot 1 at \(0, 0\) is not inside"),
        (((0, 0), (4, 0), (4, 4), (2, 1), (0, 4)), ((2, 3),), r"aim dot 1 at \(2, 3\)"),
        (((0, 0), (4, 0), (1, 4)), ((1, 1),) * 7, "dots has 7; allowed: 1 to 6"),
        (((0, 0), (200_000, 0), (1, 4)), (), r"outline has \(200000, 0\); allowed: from -100,000"),
        (((0, 0), (4, 0), (1, 4)), ((1, -200_000),), "dots has"),
    ],
)
def test_ee13_zones_that_no_map_has_are_refused(
    outline: Points, dots: Points, message: str
) -> None:
    with pytest.raises(SetupError, match=message):
        zone(outline, *dots)


def test_ee13_a_zone_has_a_name_and_a_dot() -> None:
    with pytest.raises(SetupError, match="name is empty"):
        square(" ", 0, 0)
    with pytest.raises(SetupError, match="dots has 0; allowed: 1 to 6"):
        square("a", 0, 0, dots=())


@pytest.mark.parametrize(
    ("points", "message"),
    [
        (((0, 0),), "points has 1; allowed: 2 to 40"),
        (((0, 0), (1, 1), (1, 1)), "points 2 and 3 are the same"),
        (((0, 0), (0, 200_000)), "points has"),
    ],
)
def test_ee13_lines_have_points_apart(points: Points, message: str) -> None:
    with pytest.raises(SetupError, match=message):
        Line(color="black", points=points)


@pytest.mark.parametrize(
    ("outline", "dot"),
    [
        (((2, 2), (6, 2), (6, 6), (2, 6)), (3, 3)),  # across a corner
        (((0, 0), (4, 0), (4, 4), (0, 4)), (2, 2)),  # the same
        (((0, 0), (2, 0), (4, 0), (4, 4), (0, 4)), (2, 2)),  # the same, with one more corner
        (((1, 1), (3, 1), (3, 3), (1, 3)), (2, 2)),  # inside
        (((-1, -1), (9, -1), (9, 9), (-1, 9)), (8, 8)),  # round it
        (((0, 0), (2, 0), (2, 4), (0, 4)), (1, 1)),  # half of it
        (((-1, 1), (5, 1), (5, 3), (-1, 3)), (2, 2)),  # a cross
        (((2, -1), (4, 4), (0, 4)), (2, 2)),  # leaves through the lower side only
        (((4, 0), (4, 4), (2, 2)), (3, 2)),  # a tip from the right side inwards
        (((0, 0), (4, 4), (4, 5), (-1, 5), (-1, 0)), (1, 3)),  # along the diagonal
    ],
)
def test_ee10_no_zone_lies_over_another(outline: Points, dot: tuple[int, int]) -> None:
    under = Zone(name="b", outline=outline, dots=(dot,))
    for zones in ((square("a", 0, 0), under), (under, square("a", 0, 0))):
        with pytest.raises(SetupError, match="overlap; allowed: side by side"):
            Map(zones=zones)


@pytest.mark.parametrize(
    ("outline", "dot"),
    [
        (((4, 0), (8, 0), (8, 4), (4, 4)), (6, 2)),  # along a side
        (((4, 4), (8, 4), (8, 8), (4, 8)), (6, 6)),  # at a corner
        (((4, 2), (8, 0), (8, 4)), (7, 2)),  # a tip on a side
        (((4, 1), (8, 1), (8, 9), (4, 9)), (6, 2)),  # along part of a side
        (((5, 0), (8, 0), (8, 4), (5, 4)), (6, 2)),  # apart
        (((-4, -4), (8, -4), (8, 8), (4, 8), (4, 0), (-4, 0)), (6, 6)),  # round two sides
    ],
)
def test_ee10_zones_may_lie_side_by_side(outline: Points, dot: tuple[int, int]) -> None:
    beside = Zone(name="b", outline=outline, dots=(dot,))
    assert Map(zones=(square("a", 0, 0), beside)).names == ("a", "b")


@pytest.mark.parametrize("color", [black, green])
def test_ee13_no_dot_lies_on_a_line_that_stops_sight(color: Any) -> None:
    with pytest.raises(SetupError, match=r"the aim dot of 'a' at \(2, 2\) lies on line 2"):
        chart(["ab"], other((2, 0), (2, 4)), color((2, 0), (2, 4)))
    assert chart(["ab"], other((2, 0), (2, 4))).names == ("a", "b")


def test_ee10_a_map_has_zones_with_names_of_their_own() -> None:
    with pytest.raises(SetupError, match="no zones; allowed: at least one"):
        Map(zones=())
    with pytest.raises(SetupError, match="two Zones are called 'a'"):
        chart(["aa"])
    with pytest.raises(SetupError, match="61 zones; allowed: at most 60"):
        chart(["".join(chr(192 + n) for n in range(61))])
    with pytest.raises(SetupError, match="201 lines; allowed: at most 200"):
        chart(["ab"], *[black((0, 9), (1, 9))] * 201)


# -- who stands where ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "said",
    [
        {"distance_zones": 0},
        {"distance_zones": 1},
        {"distance_through_openings": 1},
        {"line_of_sight": "clear"},
        {"hostile_in_own_zone": 0},
        {"hostile_near_defender": 1},
    ],
)
def test_ee13_what_the_map_says_nobody_says_again(said: Mapping[str, Any]) -> None:
    (key,) = said
    with pytest.raises(SetupError, match=f"{key} with a map, which says it already"):
        on_map(chart(["ab"]), "a", "b", **said)


@pytest.mark.parametrize(
    ("one", "two", "figures", "message"),
    [
        ("", "b", (), "attacker: no zone; Zones of the map: a, b"),
        ("a", "x", (), "defender: zone 'x'; Zones of the map: a, b"),
        ("a", "b", (figure("a"), figure("c")), "figure 2: zone 'c'; Zones of the map"),
        ("a", "b", (figure("a"),) * 101, "101 figures; allowed: at most 100"),
    ],
)
def test_ee10_everybody_stands_in_a_zone_of_the_map(
    one: str, two: str, figures: tuple[Figure, ...], message: str
) -> None:
    with pytest.raises(SetupError, match=message):
        on_map(chart(["ab"]), one, two, *figures)


def test_ee10_without_a_map_nobody_has_a_zone() -> None:
    for who, made in (
        ("attacker", {"attacker": replace(striker(bow()), zone="a")}),
        ("defender", {"defender": replace(target(), zone="a")}),
        ("figure 1", {"figures": (figure("a"),)}),
    ):
        with pytest.raises(SetupError, match=f"{who}: zone 'a' without a map"):
            replace(setup(), **made)


def test_ee10_zones_may_have_any_name() -> None:
    drawn = Map(zones=(square("the old barn", 0, 0),))
    made = on_map(drawn, "the old barn", "the old barn")
    assert isinstance(made, Setup)
    assert game(made)
