"""Every read counts itself as if all faces were gone through."""

import random
from typing import Any

import pytest

from affray.core.dice import D100, Pool, d
from affray.core.reading import Read, enumerated
from affray.systems.eclipse_phase import reading
from affray.systems.eclipse_phase.at_once import OpposedRead
from affray.systems.eclipse_phase.reading import (
    HELD,
    HELD_CRITICALLY,
    LOST,
    TIED,
    DamageRead,
    DefenseRead,
    Detail,
    WideRead,
    Winner,
    Zero,
    classify,
    strength,
)

PERCENT = Pool((D100, 1))
NUMBERS = (-40, -1, 0, 1, 20, 33, 50, 66, 97, 98, 99, 140)
ZEROS: tuple[Zero, ...] = ("", "ordinary", "critical", "may_fail")


def counted(pool: Pool, read: Any) -> dict[object, int]:
    counts: dict[object, int] = read.counted(pool)
    return counts


def same(pool: Pool, read: Read[Any]) -> None:
    assert counted(pool, read) == enumerated(pool, read), read


@pytest.mark.parametrize("zero", ZEROS)
@pytest.mark.parametrize("detail", ["face", "rank", "pass"])
def test_ep52_a_test_counts_itself(zero: Zero, detail: Detail) -> None:
    for tn in NUMBERS:
        for beyond in (0, 1, 30, 60, 98):
            for failures in (False, True):
                same(PERCENT, reading.TestRead(tn, zero, detail, beyond, failures))


@pytest.mark.parametrize("tie", ["attack", "defense", "nobody"])
@pytest.mark.parametrize("zero", ZEROS)
def test_ep55_a_defence_counts_itself(tie: Winner, zero: Zero) -> None:
    strengths = sorted({strength(classify(face, tn)) for tn in (40, 98) for face in range(100)})
    for tn in NUMBERS:
        for against in strengths[::3]:
            same(PERCENT, DefenseRead(tn, zero, against, tie))


def test_ep101_a_blind_shot_counts_itself() -> None:
    same(PERCENT, WideRead())
    assert counted(PERCENT, WideRead()) == {True: 50, False: 50}


@pytest.mark.parametrize("seed", range(12))
def test_ep153_damage_counts_itself(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(12):
        minus = draw.choice((0, 0, 0, 1, 2))
        w10, w6 = draw.choice(((1, 0), (0, 2), (1, 1), (0, 0), (2, 0)))
        x10, x6 = draw.choice(((0, 0), (0, 1), (1, 0), (0, 2)))
        if minus + w10 + x10 > 3 or w6 + x6 > 3:
            continue
        flat = draw.randint(-6, 6)
        split = draw.random() < 0.5
        factors = [(2, 1), (1, 2)][: draw.randint(0, 2)]
        read = DamageRead(
            flat=flat,
            minus=minus,
            factor=draw.choice(((1, 1), (2, 1), (1, 2), (1, 4))) if not factors else (1, 1),
            weapon=w10 + w6 if split else 0,
            weapon_flat=flat if split else 0,
            weapon_factor=draw.choice(((2, 1), (1, 2))) if split else (1, 1),
            steps=tuple(factors),
            most=draw.choice((None, None, 1)),
        )
        # Smaller dice where there are many; what is subtracted is always a d10.
        high, low = (10, 6) if minus + w10 + x10 + w6 + x6 < 4 else (5, 3)
        dice = (d(high), w10), (d(low), w6), (d(high), x10), (d(low), x6), (d(10), minus)
        same(Pool(*dice), read)


def test_ep153_what_is_left_of_a_test_is_enough_to_compare() -> None:
    """With faces beyond a defense held alike, every defense still goes the same way."""
    for tn_a, tn_d in ((70, 30), (60, 60), (20, 90), (98, -20), (50, 0)):
        kept = reading.TestRead(tn_a, "", "rank", max(0, min(98, tn_d)))
        for face in range(100):
            whole, rank = classify(face, tn_a), kept.of(face)
            assert (whole.success, whole.critical) == (rank.success, rank.critical)
            for other in range(100):
                own = strength(classify(other, tn_d))
                whole_wins = strength(whole) - own
                rank_wins = strength(rank) - own
                assert (whole_wins > 0) == (rank_wins > 0)
                assert (whole_wins == 0) == (rank_wins == 0)


@pytest.mark.parametrize(("tie", "told"), [("attack", LOST), ("defense", HELD), ("nobody", TIED)])
def test_ep17_a_tie_goes_as_ruled(tie: Winner, told: object) -> None:
    against = strength(classify(24, 60))
    assert DefenseRead(30, "", against, tie)((24,)) == told
    assert DefenseRead(30, "", against, tie)((25,)) == HELD
    assert DefenseRead(30, "", against, tie)((23,)) == LOST
    assert DefenseRead(30, "", against, tie)((11,)) == HELD_CRITICALLY
    assert DefenseRead(30, "", against, tie, tells=False)((11,)) == HELD


def test_ep4_details_drop_only_what_is_not_asked() -> None:
    assert reading.TestRead(70, "", "pass")((69,)) == HELD
    assert reading.TestRead(70, "", "pass")((71,)) == LOST
    assert reading.TestRead(20, "", "rank")((21,)).superior == 0
    assert reading.TestRead(20, "", "rank", failures=True)((21,)).superior == -2
    assert reading.TestRead(70)((69,)).face == 69


def test_ep52_faces_that_no_defence_reaches_are_alike() -> None:
    read = reading.TestRead(70, "", "rank", beyond=30)
    assert [read((face,)).face for face in (29, 30, 31, 32, 70)] == [29, 30, 31, 31, 31]
    assert read((67,)).superior == 2


@pytest.mark.parametrize("zero", ZEROS)
def test_ep53_two_tests_thrown_at_once_count_themselves(zero: Zero) -> None:
    chooser = random.Random(f"at once {zero}")
    winners: tuple[Winner, ...] = ("attack", "defense", "nobody")
    for _ in range(12):
        tn, other = chooser.choice(NUMBERS), chooser.choice(NUMBERS)
        own = reading.TestRead(
            tn, zero, "rank", min(98, max(0, other)), failures=chooser.random() < 0.5
        )
        ties = chooser.choice(winners), chooser.choice(winners)
        same(Pool((D100, 2)), OpposedRead(own, other, chooser.choice(ZEROS), ties))


def test_ep53_of_two_tests_thrown_at_once_the_higher_success_prevails() -> None:
    """The first attacks against 60, the second defends against 40; equal rolls stop the attack."""
    read = OpposedRead(reading.TestRead(60), 40, "", ("defense", "defense"))
    hits = {(35, 20): (False, 1), (50, 41): (False, 1), (12, 10): (False, 0), (22, 39): (True, 0),
            (33, 22): (True, 0), (58, 99): (False, 1)}  # fmt: skip
    for faces, (critical, superior) in hits.items():
        found = read(faces)
        assert (found.success, found.critical, found.superior) == (True, critical, superior), faces
    for faces in ((20, 35), (35, 35), (50, 11), (11, 22), (61, 99), (22, 22), (66, 99)):
        assert not read(faces).success, faces
