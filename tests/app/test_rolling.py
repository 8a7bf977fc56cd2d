"""A roll on its way onto the table."""

from __future__ import annotations

import pytest

from affray.app.rolling import DieRow, Roll
from affray.core.dice import D100, Die, Pool, d
from affray.core.errors import AnswerError
from affray.engine.exchange.sources import Seeded

DAMAGE = Pool((d(10), 2), (d(6), 1), labels=(("damage", 2), ("superior", 1)))


def test_each_die_says_what_it_is_for() -> None:
    roll = Roll(DAMAGE)
    assert roll.rows[2] == DieRow("d6", "1 to 6", "superior")
    assert roll.told == "2d10 damage, 1d6 superior"
    assert Roll(Pool((d(6), 3))).told == "3d6"


def test_faces_are_typed_one_by_one_and_a_ten_as_0() -> None:
    roll = Roll(DAMAGE).typed("0").typed("3")
    assert (roll.faces, roll.by, roll.next.told) == ((10, 3), ("hand", "hand"), "d6 superior")
    assert roll.typed("6").is_whole
    assert roll.typed("6").answer.faces == (10, 3, 6)
    assert roll.shorter.faces == (10,)


def test_a_face_that_there_is_not_leaves_the_roll_as_it_was() -> None:
    roll = Roll(DAMAGE).typed("1").typed("1")
    with pytest.raises(AnswerError, match=r"^'7' is no face; allowed: 1 to 6$"):
        roll.typed("7")
    with pytest.raises(AnswerError, match="'2' is one face too many; it is not used"):
        roll.typed("1").typed("2")


def test_one_die_of_many_is_corrected_and_then_comes_from_the_hand() -> None:
    roll = Roll(DAMAGE).rolled(Seeded(1)).typed("4").corrected(1, "9")
    assert (roll.faces, roll.by) == ((9, 4), ("hand", "hand"))


@pytest.mark.parametrize(
    ("die", "face", "message"),
    [(0, "1", "die 0 can't be corrected; dice 1 to 2 lie"), (3, "1", "die 3 can't be corrected"),
     (2, "11", "'11' is no face; allowed: 1 to 10")],
)  # fmt: skip
def test_only_dice_that_lie_are_corrected(die: int, face: str, message: str) -> None:
    with pytest.raises(AnswerError, match=message):
        Roll(DAMAGE).typed("1").typed("1").corrected(die, face)


def test_nothing_lies_so_nothing_is_corrected() -> None:
    with pytest.raises(AnswerError, match="no die lies yet"):
        Roll(DAMAGE).corrected(1, "1")


def test_dice_rolled_one_by_one_are_those_rolled_at_once() -> None:
    """A seed gives the same faces either way: the next die takes the next number."""
    one_by_one, dice = Roll(DAMAGE), Seeded(7)
    while not one_by_one.is_whole:
        one_by_one = one_by_one.rolled(dice)
    again = Seeded(7)
    assert one_by_one.faces == tuple(again.face(die) for die in DAMAGE.dice)
    assert set(one_by_one.by) == {"seed"}


def test_a_roll_knows_the_faces_of_its_next_die() -> None:
    blank = Roll(Pool((Die("red", ("d", "")), 1)))
    assert (blank.takes("d"), blank.takes("blank"), blank.takes("r")) == (True, True, False)
    assert Roll(Pool((D100, 1))).takes("00")
    assert not Roll(Pool((D100, 1))).typed("1").takes("1")
