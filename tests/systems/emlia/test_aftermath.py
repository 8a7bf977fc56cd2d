"""The Resolution Phase: casualties, skills, markers, morale (EM-44, EM-45, EM-61, EM-62)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from affray.core.ruling import Rulings
from affray.systems.emlia.aftermath import morale_left as morale_of
from affray.systems.emlia.aftermath import resolved
from affray.systems.emlia.gear import Row, Skill
from affray.systems.emlia.rulings import RULINGS
from affray.systems.emlia.sheet import Troop
from affray.systems.emlia.state import Status, status_of
from affray.systems.emlia.strength import level_of, speed_of
from tests.oracles import emlia as oracle
from tests.systems.emlia.bodies import hurt, troop

DEFAULTS = Rulings()


def skill(level: int, diminish: int | str = 0) -> Skill:
    return Skill(skill="close_combat", level=level, diminish=diminish)


def read(**readings: str) -> Rulings:
    return Rulings.pick(RULINGS, readings)


def level(unit: Troop, status: Status, *, rulings: Rulings = DEFAULTS, out: int = 0) -> int:
    return level_of(unit, status, unit.skills[0], rulings, out)


GUARD = troop("A", 10, 4, skills=(skill(10, 1),))


def test_em44_who_is_marked_fights_at_full_level_until_the_phase() -> None:
    status = hurt([GUARD], 20).statuses[0]  # Hits 4: five members
    assert (status.members, status.marked) == (10, 5)
    assert level(GUARD, status) == 10
    after = resolved(GUARD, status, DEFAULTS)
    assert (after.members, after.marked, after.lost, after.morale) == (5, 0, 5, 0)
    assert level(GUARD, after) == 5


@pytest.mark.parametrize(
    ("start", "value", "lost", "left"),
    [(10, 1, 4, 6), (10, "1/2", 3, 8), (10, "1/2", 4, 8), (10, "3/2", 3, 5), (4, 2, 3, 0),
     (4, "1/3", 1, 3), (4, "1/3", 3, 3), (7, 0, 6, 7)],
)  # fmt: skip
def test_em45_levels_fall_and_are_rounded_down(
    start: int, value: int | str, lost: int, left: int
) -> None:
    unit = troop("A", 9, 1, skills=(skill(start, value),))
    status = Status(9 - lost, lost=lost)
    assert level(unit, status) == left
    assert oracle.level_after(start, Fraction(value), lost) == left


@pytest.mark.parametrize(
    ("value", "lost", "left"), [(2, 4, 8), (2, 5, 8), (1, 4, 6), ("1/2", 3, 4), (0, 9, 10)]
)
def test_em45_b5_a_level_for_so_many_members(value: int | str, lost: int, left: int) -> None:
    unit = troop("A", 10, 1, skills=(skill(10, value),))
    status = Status(10 - lost, lost=lost)
    assert level(unit, status, rulings=read(diminish="per_value")) == left
    assert oracle.level_after(10, Fraction(value), lost, diminish="per_value") == left


def test_em45_b5_value_two_and_four_lost() -> None:
    unit, status = troop("A", 10, 1, skills=(skill(10, 2),)), Status(6, lost=4)
    assert level(unit, status) == 2
    assert level(unit, status, rulings=read(diminish="per_value")) == 8


@pytest.mark.parametrize(("out", "dice"), [(14, 6), (8, 12), (0, 20)])
def test_em22_emv26_who_is_out_of_contact_costs_levels(out: int, dice: int) -> None:
    unit = troop("A", 20, 1, skills=(skill(20, 1),))
    assert level(unit, Status(20), out=out) == dice


def test_em45_losses_from_before_count() -> None:
    unit = troop("A", 6, 1, lost=4, skills=(skill(10, 1),))
    assert level(unit, status_of(unit, DEFAULTS)) == 6


def test_em45_levels_lost_to_a_table_come_off_at_once() -> None:
    assert level(GUARD, Status(10, weaker=3)) == 7
    assert level(GUARD, Status(10, weaker=30)) == 0


DRAGON = troop("dragon", 1, 5, damage_limit=8, skills=(skill(10, 1),))


def test_em45_b23_a_dragon_weakens_with_every_point_but_not_before_the_phase() -> None:
    status = hurt([DRAGON], 15).statuses[0]  # Hits 5: three points
    assert level(DRAGON, status) == 10
    after = resolved(DRAGON, status, DEFAULTS)
    assert (after.members, after.damage, after.points, after.fresh) == (1, 3, 3, 0)
    assert level(DRAGON, after) == 7
    again = hurt([DRAGON], 10, statuses=[after]).statuses[0]
    assert level(DRAGON, again) == 7
    assert level(DRAGON, resolved(DRAGON, again, DEFAULTS)) == 5


def test_em45_b23_or_not_before_it_is_dead() -> None:
    rulings = read(dragon_diminish="members")
    status = hurt([DRAGON], 15, dragon_diminish="members").statuses[0]
    assert level(DRAGON, resolved(DRAGON, status, rulings), rulings=rulings) == 10


def test_em45_a_dragon_that_comes_hurt_is_weak_already() -> None:
    hurt_before = troop("dragon", 1, 5, damage_limit=8, damage=6, skills=(skill(10, 1),))
    assert level(hurt_before, status_of(hurt_before, DEFAULTS)) == 4
    with_table = troop("tower", 1, 5, threshold=4, wear=3, table=(Row(low=1),),
                       skills=(skill(5, 1),))  # fmt: skip
    assert level(with_table, status_of(with_table, DEFAULTS)) == 2


def test_em45_the_last_of_a_unit_is_no_dragon() -> None:
    """One member left of two: points towards the limit weaken nobody."""
    last = troop("A", 1, 5, lost=1, damage_limit=8, skills=(skill(10, 1),))
    after = resolved(last, hurt([last], 15).statuses[0], DEFAULTS)
    assert (level(last, after), after.points) == (9, 0)


@pytest.mark.parametrize(("reading", "left"), [("persist", 1), ("resolution", 0), ("discard", 1)])
def test_em41_b12_markers_in_the_phase(reading: str, left: int) -> None:
    rulings = read(markers=reading)
    assert resolved(GUARD, Status(10, markers=1), rulings).markers == left


def test_em61_two_attacks_of_three_hits_with_and_without_markers() -> None:
    """B12: into two Hits each, 3 and 3 make three points, or two if markers go in between."""
    unit = troop("A", 10, 2)
    for reading, points in (("persist", 3), ("resolution", 2), ("discard", 2)):
        rulings = read(markers=reading)
        first = hurt([unit], 3, markers=reading)
        between = resolved(unit, first.statuses[0], rulings)
        second = hurt([unit], 3, statuses=[between], markers=reading)
        assert first.dealt[0] + second.dealt[0] == points


def test_em61_the_dead_keep_nothing() -> None:
    after = resolved(GUARD, Status(3, marked=3, markers=2), DEFAULTS)
    assert (after.members, after.markers) == (0, 0)
    assert resolved(GUARD, Status(3, destroyed=True), DEFAULTS).members == 0


def test_em61_marks_of_the_turn_go() -> None:
    status = Status(5, exposed=2, pinned=4, charged=True, aligned=True)
    after = resolved(GUARD, status, DEFAULTS)
    assert (after.exposed, after.pinned, after.charged) == (0, 0, False)
    assert after.aligned  # until the end of its next activation (EM-20)


def test_em36_b22_exposure_may_last_until_the_next_activation() -> None:
    rulings = read(fumble_bonus_duration="activation")
    assert resolved(GUARD, Status(5, exposed=2), rulings).exposed == 2


@pytest.mark.parametrize(("start", "change", "broken"), [(2, -1, False), (2, -2, True),
                                                         (None, -9, False)])  # fmt: skip
def test_em62_b28_without_morale_a_unit_is_broken(
    start: int | None, change: int, broken: Any
) -> None:
    unit = troop("A", 5, 1, morale=start)
    assert resolved(unit, Status(5), read(morale="on"), change).broken is broken
    assert not resolved(unit, Status(5), DEFAULTS, change).broken


def test_em24_emv28_two_rounds_on_flank_and_front() -> None:
    """-1 for the flank and -1 for the further side, each round."""
    unit = troop("A", 5, 1, morale=7)
    once = resolved(unit, Status(5), DEFAULTS, -2)
    twice = resolved(unit, once, DEFAULTS, -2)
    assert twice.morale == -4
    assert morale_of(unit, twice) == 3


def test_em43_speed_after_a_table() -> None:
    rows = (Row(low=1, high=5), Row(low=6, high=8, name="stuck", speed=0),
            Row(low=9, name="lame", speed=2))  # fmt: skip
    tower = troop("tower", 1, 6, threshold=3, table=rows, speed=3)
    assert speed_of(tower, Status(1)) == 3
    assert speed_of(tower, Status(1, rolled=("lame",))) == 2
    assert speed_of(tower, Status(1, rolled=("lame", "stuck"))) == 0


@pytest.mark.parametrize("reading", ["points", "members"])
@pytest.mark.parametrize("points", range(9))
def test_em45_levels_are_those_of_the_oracle(points: int, reading: Any) -> None:
    rulings = read(dragon_diminish=reading)
    status = hurt([DRAGON], 5 * points, dragon_diminish=reading).statuses[0]
    after = resolved(DRAGON, status, rulings)
    unit: Any = {
        "name": "dragon", "members": 1, "hits": 5, "limit": 8, "damage": points,
        "marked": points == 8, "skills": {"close_combat": (10, 1)},
    }  # fmt: skip
    names = {"points": "damage", "members": "none"}
    _, levels = oracle.resolution(unit, dragon_diminish=names[reading])  # type: ignore[arg-type]  # its own word
    if after.members:
        assert level(DRAGON, after, rulings=rulings) == levels["close_combat"]
    else:
        assert levels["close_combat"] == 0
