"""A combatant's condition as it is told, and what a game master sets."""

from dataclasses import replace

import pytest

from affray.core.errors import SetupError
from affray.systems.affinity.fight import FIGHT
from affray.systems.affinity.sheet import Affliction, Combatant, Layer
from affray.systems.affinity.state import Condition
from affray.systems.affinity.telling import mended, told

from .factory import ORC, held_to

BOUND = Affliction(name="bound", move="none", dice=1)
KNIGHT = Combatant(
    name="Knight", level=3, hd=5, hd_max=7, resolve=4, affinity=2,
    layers=(Layer(kind="armor", die=8),), conditions=(BOUND,), universal=("defend",),
)  # fmt: skip


def entered(sheet: Combatant, resolve: str = "core") -> Condition:
    return FIGHT.enter(sheet, held_to({"resolve": resolve}))


def lines(sheet: Combatant, condition: Condition) -> list[tuple[str, object, str]]:
    return [(line.label, line.value, line.does) for line in told(sheet, condition)]


def test_af22_af53_everything_on_the_sheet_is_told() -> None:
    assert lines(KNIGHT, entered(KNIGHT)) == [
        ("Hit Dice", "5 of 7", ""),
        ("armor", "d8", ""),
        ("Resolve", "4 of 5", "no Expert action (AF-53)"),
        ("Affinity dice", 2, "as exertion, or safe (AF-12)"),
        ("bound", "until it is lifted", "movement: none, 1 action die fewer (AF-72)"),
    ]


def test_af32_af53_each_stage_of_resolve_says_what_it_does() -> None:
    weary = mended(KNIGHT, entered(KNIGHT), "resolve", 2)
    assert lines(KNIGHT, weary)[2][2] == (
        "1 defense die fewer (AF-32); an action needs one success more (AF-53); "
        "no Expert action (AF-53)"
    )
    assert FIGHT.is_out(KNIGHT, mended(KNIGHT, weary, "resolve", 0))


def test_af52_where_resolve_is_not_checked_nothing_is_told_of_it() -> None:
    assert "Resolve" not in [label for label, _, _ in lines(KNIGHT, entered(KNIGHT, "off"))]


def test_af50_at_no_hit_dice_one_is_down_and_up_again_with_some() -> None:
    down = mended(KNIGHT, entered(KNIGHT), "hd", 0)
    assert lines(KNIGHT, down)[0] == ("Hit Dice", "0 of 7", "down and dying, not dead (AF-50)")
    assert FIGHT.is_out(KNIGHT, down)
    assert not FIGHT.is_out(KNIGHT, mended(KNIGHT, down, "hd", "1"))


def test_af73_hit_dice_that_are_set_bring_a_rage_and_end_it() -> None:
    """An orc of 7 Hit Dice rages below half of them: with 3, not with 4."""
    raging = mended(ORC, entered(ORC), "hd", 3)
    assert "rage" in [label for label, _, _ in lines(ORC, raging)]
    assert mended(ORC, raging, "hd", 4).now.raging is False


def test_af30_who_defends_is_told_so() -> None:
    sheet = replace(KNIGHT, defending=True)
    assert ("Defend", True, "more dice in defense rolls until the next own turn (AF-30)") in lines(
        sheet, entered(sheet)
    )


@pytest.mark.parametrize(
    ("key", "value", "allowed"),
    [("hd", 8, "0 to 7"), ("resolve", -6, "-5 to 5"), ("affinity", 4, "0 to 3")],
)
def test_af39_more_than_the_sheet_has_room_for_is_refused(
    key: str, value: int, allowed: str
) -> None:
    with pytest.raises(SetupError, match=f"{key}: {value}; allowed: {allowed}"):
        mended(KNIGHT, entered(KNIGHT), key, value)
