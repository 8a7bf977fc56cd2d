"""Conditions between the exchanges of a fight: what is marked, felt, kept and forgotten."""

from __future__ import annotations

from typing import Any

import pytest

from affray.core.ruling import Rulings
from affray.systems.emlia.fight import FIGHT, NOTHING, Force, Ranks, Suffered
from affray.systems.emlia.hints import HINTS
from affray.systems.emlia.rulings import RULINGS
from affray.systems.emlia.sheet import Row, Skill, Unit
from affray.systems.emlia.state import Stand

DEFAULTS = Rulings()
PLAIN = Unit(name="A", members=5)
TROLLS = Unit(name="T", members=3, damage_limit=2)


def read(**readings: str) -> Rulings:
    return Rulings.pick(RULINGS, readings)


def force(*stands: Stand, shift: int = 0) -> Force:
    return Force(stands, DEFAULTS, shift)


# -- effects ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "suffered", "after"),
    [
        ((5, 1, 0), Suffered(2, 1), (5, 3, 1)),
        ((5, 1, 1), Suffered(2), (5, 3, 1)),  # markers as before
        ((5, 1, 1), Suffered(2, 0), (5, 3, 0)),
        ((5, 1, 1), Suffered(4, 1), (5, 5, 0)),  # all of them: nothing lies there any more
        ((5, 1, 1), Suffered(9), (5, 5, 0)),
        ((5, 1, 1), NOTHING, (5, 1, 1)),
    ],
)
def test_em42_numbers_alone_take_points_and_markers(
    before: tuple[int, int, int], suffered: Suffered, after: tuple[int, int, int]
) -> None:
    ranks = Ranks(*before, DEFAULTS)
    assert FIGHT.apply(PLAIN, ranks, suffered) == Ranks(*after, DEFAULTS)


@pytest.mark.parametrize(
    ("suffered", "marked", "markers"),
    [(Suffered(2, 1), 3, 1), (Suffered(4, 1), 5, 0), (Suffered(9, 1), 5, 0),
     (Suffered(0, 2), 1, 2), (NOTHING, 1, 1)],
)  # fmt: skip
def test_em42_a_unit_that_will_be_numbers_again(
    suffered: Suffered, marked: int, markers: int
) -> None:
    """A plain unit that has charged is more than numbers for a round."""
    before = force(Stand(5, marked=1, markers=1, charged=True))
    after = FIGHT.apply(PLAIN, before, suffered)
    assert after == force(Stand(5, marked=marked, markers=markers, charged=True))


def test_em24_a_round_costs_morale_once_the_worst_of_it() -> None:
    before = force(Stand(3))
    worse = FIGHT.apply(TROLLS, before, Suffered(shift=-1))
    assert worse == force(Stand(3), shift=-1)
    assert FIGHT.apply(TROLLS, worse, Suffered(shift=-2)) == force(Stand(3), shift=-2)
    assert FIGHT.apply(TROLLS, worse, NOTHING) == worse
    assert FIGHT.apply(TROLLS, force(Stand(3), shift=-2), Suffered(shift=-1)) == force(
        Stand(3), shift=-2
    )


def test_em42_whole_stands_replace_those_before() -> None:
    now = Stand(3, marked=1, damage=1)
    assert FIGHT.apply(TROLLS, force(Stand(3)), Suffered(3, stands=(now,))) == force(now)


HIDDEN = HINTS.hidden


# -- what exchanges see ----------------------------------------------------------------------


def test_em44_what_is_marked_and_left_over_does_not_show() -> None:
    assert HIDDEN.visible(Ranks(5, 2, 1, DEFAULTS)) == Ranks(5, 0, 0, DEFAULTS)
    assert HIDDEN.visible(Ranks(5, 0, 1, DEFAULTS)) == Ranks(5, 0, 0, DEFAULTS)
    bare = Ranks(5, 0, 0, DEFAULTS)
    assert HIDDEN.visible(bare) is bare
    stand = Stand(3, 1, 1, 1, 2, 4, markers=1, bonus=2, weaker=1, lost=1, charged=True)
    seen = HIDDEN.visible(force(stand, shift=-2))
    assert seen == force(Stand(3, points=4, bonus=2, weaker=1, lost=1, charged=True))
    assert HIDDEN.part(force(stand)) == (stand,)
    assert HIDDEN.part(Ranks(5, 2, 1, DEFAULTS)) == 1


# -- the Resolution Phase --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reading", "before", "after"),
    [
        ("persist", (5, 2, 1), (3, 0, 1)),
        ("persist", (5, 0, 1), (5, 0, 1)),
        ("discard", (5, 2, 1), (3, 0, 1)),
        ("resolution", (5, 2, 1), (3, 0, 0)),
        ("resolution", (5, 0, 1), (5, 0, 0)),
        ("resolution", (5, 0, 0), (5, 0, 0)),
        ("persist", (5, 5, 0), (0, 0, 0)),
    ],
)
def test_em44_b12_numbers_after_a_round(
    reading: str, before: tuple[int, int, int], after: tuple[int, int, int]
) -> None:
    rulings = read(markers=reading)
    assert FIGHT.end_round(PLAIN, Ranks(*before, rulings)) == Ranks(*after, rulings)


def test_em44_a_plain_unit_is_numbers_again_after_its_first_round() -> None:
    for stand in (Stand(5, marked=1, charged=True), Stand(5, marked=1, aligned=True),
                  Stand(5, marked=1, double_paced=True), Stand(5, marked=1, exposed=2),
                  Stand(5, marked=1, pinned=2)):  # fmt: skip
        assert FIGHT.end_round(PLAIN, force(stand)) == Ranks(4, 0, 0, DEFAULTS)


def test_em32_a_wall_that_can_do_nothing_stays_unaware() -> None:
    rows = (Row(low=1),)
    for skills, unaware in (((), True), ((Skill(skill="close_combat", level=1),), False)):
        wall = Unit(name="W", members=2, threshold=3, table=rows, skills=skills)
        after: Any = FIGHT.end_round(wall, force(Stand(2, unaware=True)))
        assert after.stands[0].unaware is unaware


def test_em62_who_is_broken_is_out_and_nothing_else_of_it_is_kept() -> None:
    rulings = read(morale="on")
    unit = Unit(name="A", members=5, morale=2, joined=(Unit(name="H", morale=9),))
    before = Force((Stand(5, marked=1), Stand(1)), rulings, -2)
    after = FIGHT.end_round(unit, before)
    assert after == Force((Stand(0), Stand(0)), rulings)
    assert FIGHT.is_out(unit, after)
    steady = FIGHT.end_round(unit, before._replace(shift=-1))
    assert steady == Force((Stand(4, lost=1, morale=-1), Stand(1)), rulings)
    assert not FIGHT.is_out(unit, steady)
    assert FIGHT.is_out(unit, Force((Stand(4, broken=True), Stand(1)), rulings))


def test_em44_a_captain_alone_is_not_out() -> None:
    unit = Unit(name="A", members=5, joined=(Unit(name="H"),))
    after = FIGHT.end_round(unit, force(Stand(5, marked=5), Stand(1)))
    assert after == force(Stand(0), Stand(1))
    assert not FIGHT.is_out(unit, after)
    gone = FIGHT.end_round(unit, force(Stand(5, marked=5), Stand(1, marked=1)))
    assert gone == force(Stand(0), Stand(0))
    assert FIGHT.is_out(unit, gone)


# -- what makes no difference any more -------------------------------------------------------


@pytest.mark.parametrize(
    ("diminish", "reading", "most"),
    [(1, "value", 10), ("1/2", "value", 20), (2, "value", 5), ("3/2", "value", 7), (0, "value", 0),
     (2, "per_value", 20), ("1/2", "per_value", 5)],
)  # fmt: skip
def test_em45_points_beyond_the_last_level_make_no_difference(
    diminish: int | str, reading: str, most: int
) -> None:
    """Level 10 is gone after 10 points at a value of 1, 20 at a half, 7 at one and a half."""
    rulings = read(diminish=reading)
    skills = (Skill(skill="close_combat", level=10, diminish=diminish),)
    wall = Unit(name="W", threshold=4, table=(Row(low=1),), skills=skills)
    for points, kept in ((50, most), (most, most), (max(0, most - 1), max(0, most - 1))):
        after: Any = FIGHT.end_round(wall, Force((Stand(1, points=points),), rulings))
        assert after.stands[0].points == kept
    later: Any = FIGHT.end_round(wall, Force((Stand(1, points=1, fresh=60),), rulings))
    assert later.stands[0].points == most


def test_em43_levels_and_bonuses_beyond_the_table_make_no_difference() -> None:
    """Level 6; a d8 and rows up to 12: from 20 on a roll is the last row, from -20 the first."""
    rows = (Row(low=1, high=11), Row(low=12, high=12, name="ruin", destroyed=True))
    skills = Skill(skill="close_combat", level=6), Skill(skill="aimed_fire", level=4)
    wall = Unit(name="W", members=2, threshold=4, table=rows, table_die=8, skills=skills)
    for weaker, bonus, kept in ((6, 20, (6, 20)), (7, 21, (6, 20)), (5, -20, (5, -20)),
                                (9, -25, (6, -20)), (0, 19, (0, 19))):  # fmt: skip
        after: Any = FIGHT.end_round(wall, force(Stand(2, weaker=weaker, bonus=bonus)))
        assert (after.stands[0].weaker, after.stands[0].bonus) == kept
