"""What faces mean, and that counting gives what enumeration gives."""

import pytest

from affray.core.dice import Pool, d
from affray.core.reading import enumerated, roll_of
from affray.systems.affinity.reading import (
    ACTION_DICE,
    Cancels,
    Check,
    Healed,
    Rolled,
    Speed,
    Successes,
    pool_of,
)

POOLS = [
    Pool((d(6), 3)),
    Pool((d(6), 2), (d(6), 2)),
    Pool((d(8), 2), (d(6), 2)),
    Pool((d(12), 1), (d(6), 4)),
    Pool(),
]
READS = [
    Successes(2, 2),
    Successes(4, 0),
    Successes(6, 9),
    Successes(2, 1, 2),
    Successes(2, 2, most=3),
    Cancels(2),
    Cancels(9),
    Healed(),
    Speed(2),
    Speed(3, 2),
    Speed(9, ties=False),
]


@pytest.mark.parametrize("pool", POOLS, ids=str)
@pytest.mark.parametrize("read", READS, ids=repr)
def test_af3_counted_is_enumerated(pool: Pool, read: object) -> None:
    assert dict(roll_of(pool, read).rows) == enumerated(pool, read)  # type: ignore[arg-type]


def test_af4_a_six_is_two_successes_and_the_threshold_one() -> None:
    read = Successes(4, 4)
    assert read((6, 5, 4, 3)) == Rolled(4, 0)
    assert Successes(6, 2)((6, 5)) == Rolled(2, 0)


def test_af7_only_ones_on_exertion_dice_count() -> None:
    read = Successes(2, 2)
    assert read((1, 1, 1, 4, 1)) == Rolled(1, 2)
    assert read((1, 1)) == Rolled(0, 0)


def test_af24_five_and_more_cancel() -> None:
    assert Cancels(9)((5, 4, 12, 6, 1)) == 3
    assert Cancels(2)((5, 5, 5)) == 2


def test_af25_no_face_cancels_two() -> None:
    for sides in (6, 8, 10, 12, 20):
        assert Cancels(9)((sides,)) == 1


def test_af52_a_check_falls_on_four_holds_on_five_rises_on_six() -> None:
    assert [Check()((face,)) for face in range(1, 7)] == [-1, -1, -1, -1, 0, 1]
    assert dict(roll_of(Pool((d(6), 1)), Check()).rows) == {-1: 4, 0: 1, 1: 1}


def test_af61_initiative_sums_faces_and_keeps_the_highest() -> None:
    assert Speed(3)((2, 6, 1)) == (9, 6, 0)
    assert Speed(2)((2, 6, 1)) == (9, 6, 1)
    assert Speed(3, 2)((2, 6, 1)) == (3, 6, 0)


def test_af39_healing_is_the_sum_of_its_dice() -> None:
    assert Healed()((3, 5)) == 8


def test_af11_dice_that_can_burn_are_told_from_the_others() -> None:
    pool = pool_of((6, 2), (6, 1), ACTION_DICE)
    assert pool.labels == ("Proficiency", "Proficiency", "exertion")
    assert pool == pool_of((6, 2), (6, 1))
