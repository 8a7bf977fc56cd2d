"""Readings count what going through all faces counts."""

from itertools import product

import pytest

from affray.core.dice import Pool, d
from affray.core.reading import Read, enumerated
from affray.systems.empty_earth.reading import (
    Again,
    Band,
    Dice,
    DodgeSum,
    DodgeValues,
    Regained,
    Shown,
    face_name,
    picks,
)

BAND = Band(2, 5, 6)
WIDE = Band(0, 12)
KEPT = (Shown(3), Shown(5, special=True))

READS: list[tuple[Pool, Read[object]]] = [
    (Pool((d(6), 3)), Dice(BAND)),
    (Pool((d(4), 2)), Dice(WIDE, 2)),
    (Pool((d(6), 1)), Again(KEPT, (Shown(0),), BAND)),
    (Pool((d(6), 2)), Again(KEPT, (Shown(0), Shown(0)), BAND)),
    (Pool((d(6), 2)), Again((), (Shown(0), Shown(0, focus=2)), BAND)),
    (Pool((d(6), 2)), Again(KEPT, (Shown(2), Shown(4)), BAND, better=True)),
    (Pool((d(4), 2)), Again((), (Shown(1), Shown(3)), WIDE, 1, better=True)),
    (Pool((d(4), 3)), DodgeSum(0, 7)),
    (Pool((d(4), 3)), DodgeSum(2, 9)),
    (Pool((d(4), 2)), DodgeSum(-1, 9)),
    (Pool((d(4), 2)), DodgeSum(-3, 9)),
    (Pool((d(4), 2)), DodgeSum(-3, 9, None)),
    (Pool((d(6), 3)), DodgeValues(0, 4)),
    (Pool((d(4), 2)), DodgeValues(-3, 4)),
    (Pool((d(4), 2)), DodgeValues(-3, 4, None)),
    (Pool((d(6), 1)), Regained(4)),
]


@pytest.mark.parametrize(("pool", "read"), READS, ids=[str(read) for _, read in READS])
def test_ee4_counted_is_enumerated(pool: Pool, read: Read[object]) -> None:
    assert read.counted(pool) == enumerated(pool, read)  # type: ignore[attr-defined]  # all do


def test_ee33_a_dodge_that_is_added_up() -> None:
    assert DodgeSum(-2, 5)((1, 4)) == (2,)  # a die of -1 is worth nothing
    assert DodgeSum(-2, 5, None)((1, 4)) == (1,)
    assert DodgeSum(0, 5)((4, 4)) == (5,)


def test_ee35_the_better_value_stands_die_by_die() -> None:
    read = Again((), (Shown(3), Shown(4)), WIDE, better=True)
    for faces in product(range(1, 7), repeat=2):
        best = sorted((max(faces[0], 3), max(faces[1], 4)))
        assert [die.value for die in read(faces)] == best


def test_ee34_every_handful_is_offered_once() -> None:
    dice = (Shown(2), Shown(2), Shown(5))
    assert [picked for picked, _ in picks(dice, range(1, 4))] == [
        (Shown(2),), (Shown(5),), (Shown(2), Shown(2)), (Shown(2), Shown(5)), dice,
    ]  # fmt: skip


@pytest.mark.parametrize(("die", "name"), [(2, "miss"), (3, "3"), (5, "sure")])
def test_faces_have_names(die: int, name: str) -> None:
    assert face_name(Shown(die), BAND) == name
    assert face_name(Shown(die, special=True), BAND) == name + "!"
