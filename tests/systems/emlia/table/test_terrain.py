"""Terrain as areas on a table: movement, rough ground, cover; counted by hand."""

from __future__ import annotations

from typing import Any

import pytest

from affray.core.errors import SetupError
from affray.engine.exchange.session import Session
from affray.systems.emlia.gear import Weapon
from affray.systems.emlia.measured import course_of
from affray.systems.emlia.table.manoeuvres import envelop
from affray.systems.emlia.table.placing import Area, Placement, Table
from tests.systems.emlia.factories import asked, at, ends, game, play, setup, unit

SQUARE = ((-5.0, 2.0), (5.0, 2.0), (5.0, 5.0), (-5.0, 5.0))


def field(*areas: Area, y: float = 9, **own: Any) -> Table:
    """A at the origin looks up at B; ground between them."""
    places = (
        Placement(unit="A", x=0, y=0, **own),
        Placement(unit="B", side="defender", x=0, y=y, facing=180),
    )
    return Table(placements=places, terrain=areas)


@pytest.mark.parametrize(
    ("slows", "speed", "moved", "reached"),
    [
        # From 2 to 6: from when the front comes in until the rear is out: 4 of 9 lengths.
        (1.5, 6, 9, True),  # 5 + 4 * 1.5 = 11 of 12
        (2, 6, 8, False),  # 2 + 8 = 10 of 12 to the far side, 2 more
        (2, 6.5, 9, True),  # 5 + 8 = 13
        (4, 6, 4.5, False),  # 2, and 10 / 4 in it
    ],
)
def test_em35_em66_ground_slows_a_charge(
    slows: float, speed: float, moved: float, reached: bool
) -> None:
    made = setup(unit("A", 1, cc=1, speed=speed, morale=5), unit("B", 1), action="charge",
                 table=field(Area(corners=SQUARE, slows=slows)))  # fmt: skip
    end = play(game(made), *((9,) if reached else ()))
    ends(end, reached=reached, own_morale=0 if reached else -1)
    assert end["moved"] == pytest.approx(moved, abs=1e-6)


def test_em66_of_several_areas_the_slowest_counts() -> None:
    """2 free, 4 at 3, 3 free."""
    areas = (Area(corners=SQUARE, slows=3), Area(corners=SQUARE, slows=2, rough=True))
    made = setup(unit("A", 1, cc=1, speed=8.4), unit("B", 1), action="charge", table=field(*areas))
    end = play(game(made))
    ends(end, reached=False)
    assert end["moved"] == pytest.approx(8.8, abs=1e-6)  # 2 + 12, and 2.8 more of 16.8


def test_em21_em66_what_ground_took_is_not_left_for_enveloping() -> None:
    """Nine away, 16 to go: 7 are left; over slow ground, 9 + 4, none but 3."""
    for areas, left in (((), 7), ((Area(corners=SQUARE, slows=2),), 3)):
        made = setup(unit("A", 1, cc=1, speed=8), unit("B", 1), action="charge",
                     table=field(*areas))  # fmt: skip
        start: Any = game(made).start.facts
        course = course_of(start.terms, 16)
        assert course.left == pytest.approx(left, abs=1e-6)


def test_em32_em66_rough_ground_counts_for_units_partly_in_it() -> None:
    """Either of the two stands with one side of its base in it, or only at its edge."""
    for low, number in ((0.0, 6), (-0.5, 7)):
        area = Area(corners=((-5, low), (5, low), (5, 0), (-5, 0)), rough=True) if low else None
        edge = Area(corners=((-5, 1), (5, 1), (5, 3), (-5, 3)), rough=True)
        made = setup(unit("A", 1, cc=1), unit("B", 1), table=field(area or edge, y=0))
        assert at(made) == number


def test_em30_em66_cover_is_that_of_units_wholly_in_it() -> None:
    bow = Weapon(name="bow", skill="aimed_fire", short=20, medium=20, longest=20)
    by = unit("A", 1, aim=1, weapons=(bow,))
    for high, number in ((10.0, 8), (9.5, 6)):
        wood = Area(corners=((-2, 8), (2, 8), (2, high), (-2, high)), cover="partial")
        made = setup(by, unit("B", 1), action="aimed_fire", table=field(wood))
        assert at(made) == number


def test_em66_a_unit_leaves_rough_ground_with_its_charge() -> None:
    """A starts in it and ends out of it."""
    bog = Area(corners=((-3, -3), (3, -3), (3, 1), (-3, 1)), rough=True)
    made = setup(unit("A", 1, cc=1), unit("B", 1), action="charge", table=field(bog, y=5))
    assert at(made) == 5  # charged: +1
    facts: Any = asked(game(made)).here.facts
    assert not facts.terms.setup.attacker.rough


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"corners": SQUARE[:2], "slows": 2}, "2 corners; allowed: 3 or more"),
        ({"corners": SQUARE}, "ground that does nothing"),
        ({"corners": ((0, 0), (4, 0), (1, 1), (0, 4)), "slows": 2}, "corners with a dent"),
        ({"corners": SQUARE, "slows": 0.5}, "slows is 0.5"),
    ],
)
def test_em66_areas_that_are_none(changes: Any, words: str) -> None:
    with pytest.raises(SetupError, match=words):
        Area(**changes)


def test_em10_em66_what_the_table_shows_is_not_said_again() -> None:
    made = setup(unit("A", 1, cc=1), unit("B", 1), distance=30, table=field())
    with pytest.raises(SetupError, match=r"distance with a table, which shows it; allowed: leave"):
        game(made)


# -- wrapping and aligning -----------------------------------------------------------------------


def wrapped(movement: float, *ground: Area) -> tuple[int, int, int, int]:
    """Members in contact along B's edges: six wide, A touches the whole front of B, two by two."""
    places = (
        Placement(unit="A", x=0, y=0, files=6, members=12),
        Placement(unit="B", side="defender", x=0, y=0, facing=180, files=2, members=4),
    )
    return envelop(Table(placements=places, terrain=ground), "A", "B", movement)[:4]


EAST = ((1.0, -9.0), (9.0, -9.0), (9.0, 9.0), (1.0, 9.0))
"""East of B: whoever comes round its left, as it looks south, has to go there."""


@pytest.mark.parametrize(
    ("movement", "slows", "contact"),
    [
        (2, 1.5, (2, 2, 0, 1)),  # 1.5, and 3 for the second one
        (3, 1.5, (2, 2, 1, 2)),  # 3; the corner behind is another 1.5, on open ground 3
        (2, 2, (2, 2, 0, 1)),
        (1.9, 2, (2, 1, 0, 0)),
        (4, 4, (2, 2, 2, 1)),  # by the west all of the rear as well
    ],
)
def test_em21_em66_ground_slows_those_who_wrap_round(
    movement: float, slows: float, contact: tuple[int, int, int, int]
) -> None:
    """Front, right, rear, left, counted by hand; each step costs what the ground under it does."""
    assert wrapped(movement, Area(corners=EAST, slows=slows)) == contact


def test_em21_em66_without_slow_ground_both_ways_lead_as_far() -> None:
    assert wrapped(2) == (2, 2, 0, 2)
    assert wrapped(2, Area(corners=EAST, rough=True)) == (2, 2, 0, 2)


@pytest.mark.parametrize(
    ("slows", "speed", "offered"), [(1, 2, True), (2, 4, True), (2, 3.9, False), (1, 1.9, False)]
)
def test_em20_em66_ground_slows_those_who_align(slows: float, speed: float, offered: bool) -> None:
    """Two for a flank, on ground that slows by two four."""
    ground = (Area(corners=EAST, slows=slows),) if slows > 1 else ()
    places = (
        Placement(unit="A", x=2, y=4, facing=180, files=1),
        Placement(unit="B", side="defender", x=2, y=0, facing=90, files=4, members=8),
    )
    own = unit("A", 1, cc=1, speed=6)
    ranks = unit("B", 8, formation="ranked", speed=speed)
    made = setup(own, ranks, action="charge", table=Table(placements=places, terrain=ground),
                 align_cost=(0, 2, 4))  # fmt: skip
    asks = Session(game(made)).question
    assert asks is not None
    assert ("align" in [option.name for option in asks.options]) is offered
