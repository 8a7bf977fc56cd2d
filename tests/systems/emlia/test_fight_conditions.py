"""Conditions between the exchanges of a fight: what is marked, felt, kept and forgotten."""

from __future__ import annotations

from typing import Any

import pytest

from affray.core.ruling import Rulings
from affray.systems.emlia.fight import FIGHT, NO_EFFECT, Effect
from affray.systems.emlia.gear import Row, Skill
from affray.systems.emlia.hints import HINTS
from affray.systems.emlia.rulings import RULINGS
from affray.systems.emlia.sheet import Unit
from affray.systems.emlia.standing import Force, Ranks
from affray.systems.emlia.state import Status

DEFAULTS = Rulings()
PLAIN = Unit(name="A", members=5)
TROLLS = Unit(name="T", members=3, damage_limit=2)


def read(**readings: str) -> Rulings:
    return Rulings.pick(RULINGS, readings)


def force(*statuses: Status, sides: Any = (), fronts: int = 1) -> Force:
    return Force(statuses, DEFAULTS, sides, fronts)


# -- effects ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "suffered", "after"),
    [
        ((5, 1, 0), Effect(2, 1), (5, 3, 1)),
        ((5, 1, 1), Effect(2), (5, 3, 1)),  # markers as before
        ((5, 1, 1), Effect(2, 0), (5, 3, 0)),
        ((5, 1, 1), Effect(4, 1), (5, 5, 0)),  # all of them: nothing lies there any more
        ((5, 1, 1), Effect(9), (5, 5, 0)),
        ((5, 1, 1), NO_EFFECT, (5, 1, 1)),
    ],
)
def test_em42_numbers_alone_take_points_and_markers(
    before: tuple[int, int, int], suffered: Effect, after: tuple[int, int, int]
) -> None:
    ranks = Ranks(*before, DEFAULTS)
    assert FIGHT.apply(PLAIN, ranks, suffered) == Ranks(*after, DEFAULTS)


@pytest.mark.parametrize(
    ("suffered", "marked", "markers"),
    [(Effect(2, 1), 3, 1), (Effect(4, 1), 5, 0), (Effect(9, 1), 5, 0),
     (Effect(0, 2), 1, 2), (NO_EFFECT, 1, 1)],
)  # fmt: skip
def test_em42_a_unit_that_will_be_numbers_again(
    suffered: Effect, marked: int, markers: int
) -> None:
    """A plain unit that has charged is more than numbers for a round."""
    before = force(Status(5, marked=1, markers=1, charged=True))
    after = FIGHT.apply(PLAIN, before, suffered)
    assert after == force(Status(5, marked=marked, markers=markers, charged=True))


def test_em24_a_round_costs_morale_for_every_enemy() -> None:
    """One enemy on the flank, one in the rear, and two sides of which one is extra: -1 -2 -1."""
    before = force(Status(3))
    one = FIGHT.apply(TROLLS, before, Effect(sides=("flank",)))
    assert one == force(Status(3), sides=("flank",))
    two = FIGHT.apply(TROLLS, one, Effect(sides=("rear",), fronts=2))
    assert two == force(Status(3), sides=("flank", "rear"), fronts=2)
    assert FIGHT.apply(TROLLS, two, NO_EFFECT) == two
    rulings = read(morale="on")
    after: Any = FIGHT.end_round(TROLLS, two._replace(rulings=rulings))
    assert after.statuses[0].morale == -4
    thrice: Any = FIGHT.end_round(TROLLS, Force(
        (Status(3),), rulings, ("flank", "flank", "rear"), 2
    ))  # fmt: skip
    assert thrice.statuses[0].morale == -5
    sides = read(morale="on", morale_sides="sides")
    once: Any = FIGHT.end_round(TROLLS, Force((Status(3),), sides, ("flank", "flank", "rear"), 2))
    assert once.statuses[0].morale == -4


def test_em42_whole_stands_replace_those_before() -> None:
    now = Status(3, marked=1, damage=1)
    assert FIGHT.apply(TROLLS, force(Status(3)), Effect(3, statuses=(now,))) == force(now)


HIDDEN = HINTS.hidden


# -- what exchanges see ----------------------------------------------------------------------


def test_em44_what_is_marked_and_left_over_does_not_show() -> None:
    assert HIDDEN.visible(Ranks(5, 2, 1, DEFAULTS)) == Ranks(5, 0, 0, DEFAULTS)
    assert HIDDEN.visible(Ranks(5, 0, 1, DEFAULTS)) == Ranks(5, 0, 0, DEFAULTS)
    bare = Ranks(5, 0, 0, DEFAULTS)
    assert HIDDEN.visible(bare) is bare
    status = Status(3, 1, 1, 1, 2, 4, markers=1, bonus=2, weaker=1, lost=1, charged=True)
    seen = HIDDEN.visible(force(status, sides=("rear",)))
    assert seen == force(Status(3, points=4, bonus=2, weaker=1, lost=1, charged=True))
    assert HIDDEN.part(force(status)) == (status,)
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
    for status in (Status(5, marked=1, charged=True), Status(5, marked=1, aligned=True),
                  Status(5, marked=1, double_paced=True), Status(5, marked=1, exposed=2),
                  Status(5, marked=1, pinned=2)):  # fmt: skip
        assert FIGHT.end_round(PLAIN, force(status)) == Ranks(4, 0, 0, DEFAULTS)


def test_em32_a_wall_that_can_do_nothing_stays_unaware() -> None:
    rows = (Row(low=1),)
    for skills, unaware in (((), True), ((Skill(skill="close_combat", level=1),), False)):
        wall = Unit(name="W", members=2, threshold=3, table=rows, skills=skills)
        after: Any = FIGHT.end_round(wall, force(Status(2, unaware=True)))
        assert after.statuses[0].unaware is unaware


def test_em62_who_is_broken_is_out_and_nothing_else_of_it_is_kept() -> None:
    rulings = read(morale="on")
    unit = Unit(name="A", members=5, morale=2, joined=(Unit(name="H", morale=9),))
    before = Force((Status(5, marked=1), Status(1)), rulings, ("rear",))
    after = FIGHT.end_round(unit, before)
    assert after == Force((Status(0), Status(0)), rulings)
    assert FIGHT.is_out(unit, after)
    steady = FIGHT.end_round(unit, before._replace(sides=("flank",)))
    assert steady == Force((Status(4, lost=1, morale=-1), Status(1)), rulings)
    assert not FIGHT.is_out(unit, steady)
    assert FIGHT.is_out(unit, Force((Status(4, broken=True), Status(1)), rulings))


def test_em44_a_captain_alone_is_not_out() -> None:
    unit = Unit(name="A", members=5, joined=(Unit(name="H"),))
    after = FIGHT.end_round(unit, force(Status(5, marked=5), Status(1)))
    assert after == force(Status(0), Status(1))
    assert not FIGHT.is_out(unit, after)
    gone = FIGHT.end_round(unit, force(Status(5, marked=5), Status(1, marked=1)))
    assert gone == force(Status(0), Status(0))
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
        after: Any = FIGHT.end_round(wall, Force((Status(1, points=points),), rulings))
        assert after.statuses[0].points == kept
    later: Any = FIGHT.end_round(wall, Force((Status(1, points=1, fresh=60),), rulings))
    assert later.statuses[0].points == most


def test_em43_levels_and_bonuses_beyond_the_table_make_no_difference() -> None:
    """Level 6; a d8 and rows up to 12: from 20 on a roll is the last row, from -20 the first."""
    rows = (Row(low=1, high=11), Row(low=12, high=12, name="ruin", destroyed=True))
    skills = Skill(skill="close_combat", level=6), Skill(skill="aimed_fire", level=4)
    wall = Unit(name="W", members=2, threshold=4, table=rows, table_die=8, skills=skills)
    for weaker, bonus, kept in ((6, 20, (6, 20)), (7, 21, (6, 20)), (5, -20, (5, -20)),
                                (9, -25, (6, -20)), (0, 19, (0, 19))):  # fmt: skip
        after: Any = FIGHT.end_round(wall, force(Status(2, weaker=weaker, bonus=bonus)))
        assert (after.statuses[0].weaker, after.statuses[0].bonus) == kept
