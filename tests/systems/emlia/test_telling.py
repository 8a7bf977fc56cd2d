"""A unit's condition as it is told, and what a game master sets."""

from dataclasses import replace

import pytest

from affray.core.errors import SetupError
from affray.core.ruling import Rulings
from affray.systems.emlia.fight import FIGHT
from affray.systems.emlia.rulings import RULINGS
from affray.systems.emlia.standing import Condition, Force, Ranks
from affray.systems.emlia.telling import mended, told

from .factories import unit

GUARD = unit("Guard", 12, cc=3)
GIANT = unit("Giant", 1, formation="open", damage_limit=4, morale=3, cc=3)


def lines(sheet: object, condition: Condition) -> list[tuple[str, object, str]]:
    return [(line.label, line.value, line.does) for line in told(sheet, condition)]  # type: ignore[arg-type]  # a unit


def test_em44_members_and_casualties_of_plain_numbers() -> None:
    now = FIGHT.enter(GUARD, Rulings())
    assert isinstance(now, Ranks)
    assert lines(GUARD, now) == [("members", "12 of 12", "")]
    after = mended(GUARD, mended(GUARD, now, "members", "7"), "marked", 3)
    assert lines(GUARD, after) == [
        ("members", "7 of 12", ""),
        ("casualties", 3, "they count until the Resolution Phase, and then leave (EM-44)"),
    ]
    assert lines(GUARD, FIGHT.end_round(GUARD, after)) == [("members", "4 of 12", "")]


def test_em44_without_members_a_unit_is_out() -> None:
    gone = mended(GUARD, FIGHT.enter(GUARD, Rulings()), "members", 0)
    assert FIGHT.is_out(GUARD, gone)
    assert lines(GUARD, gone) == [("members", "0 of 12", "nobody is left (EM-44)")]


def test_em42_em62_damage_and_morale_of_a_giant() -> None:
    now = FIGHT.enter(GIANT, Rulings.pick(RULINGS, {"morale": "on"}))
    assert isinstance(now, Force)
    hurt = mended(GIANT, mended(GIANT, now, "damage", 3), "morale", 1)
    assert lines(GIANT, hurt) == [
        ("members", "1 of 1", ""),
        ("damage", 3, "at 4 a member falls (EM-42)"),
        ("morale", "1 of 3", "at 0 it breaks (EM-62)"),
    ]


def test_em36_a_unit_that_knows_of_no_enemy_says_so_until_it_acts() -> None:
    now = FIGHT.enter(replace(GIANT, unaware=True), Rulings())
    assert ("unaware", True, "of the enemy, until it acts") in lines(GIANT, now)
    assert "unaware" not in [label for label, _, _ in lines(GIANT, FIGHT.enter(GIANT, Rulings()))]


def test_em62_a_unit_without_morale_has_none_to_tell() -> None:
    now = FIGHT.enter(GUARD, Rulings.pick(RULINGS, {"morale": "on"}))
    assert GUARD.morale is None
    assert [label for label, _, _ in lines(GUARD, now)] == ["members"]


@pytest.mark.parametrize(
    ("key", "value", "allowed"),
    [("members", 13, "0 to 12"), ("damage", 1, "nothing now"), ("morale", 1, "nothing now")],
)
def test_em42_what_a_unit_has_not_is_refused(key: str, value: int, allowed: str) -> None:
    with pytest.raises(SetupError, match=f"{key}: {value}; allowed: {allowed}"):
        mended(GUARD, FIGHT.enter(GUARD, Rulings()), key, value)
