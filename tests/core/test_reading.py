"""Readings: every count against brute force, against icepool and dyce, and by formula."""

from collections import Counter
from collections.abc import Hashable, Iterator
from fractions import Fraction
from itertools import permutations
from math import comb, factorial, prod
from typing import NamedTuple, TypeVar

import dyce
import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.core import reading
from affray.core.dice import Die, Face, Pool, d
from affray.core.errors import LimitError, RulesError
from affray.core.reading import (
    Counts,
    Read,
    SumOfDice,
    Tally,
    count_faces,
    count_multisets,
    count_sums,
    count_tallies,
    count_totals,
    distribution,
    enumerated,
    forget_distributions,
    roll_of,
)
from tests.core.strategies import ANY, NUMERIC, n_rolls, pools

R = TypeVar("R", bound=Hashable)

FACES: tuple[Face, ...] = ("", "hit", "miss", "crit", *range(-3, 10))
COIN = Die("coin", ("crown", "cross"))

assert isinstance(SumOfDice(), Read)


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    forget_distributions()
    yield
    forget_distributions()


class Sorted(NamedTuple):
    """Brute force: the classes of all faces, sorted."""

    of: tuple[tuple[Face, int], ...]

    def __call__(self, faces: tuple[Face, ...]) -> tuple[int, ...]:
        classes = dict(self.of)
        return tuple(sorted(classes[face] for face in faces))


class Joined(NamedTuple):
    """Brute force: all faces, in order."""

    def __call__(self, faces: tuple[Face, ...]) -> str:
        return ",".join(map(str, faces))


def shares(counts: Counts[R]) -> dict[R, Fraction]:
    total = sum(counts.values())
    return {reading: Fraction(weight, total) for reading, weight in counts.items()}


def as_icepool(die: Die) -> "icepool.Die[int]":
    counts: Counter[Face] = Counter()
    for face, weight in die.weighted:
        counts[face] += weight
    return icepool.Die(counts)


def as_dyce(die: Die) -> "dyce.H":
    counts: Counter[Face] = Counter()
    for face, weight in die.weighted:
        counts[face] += weight
    return dyce.H(counts)


# -- brute force -----------------------------------------------------------------------------


def test_enumeration_multiplies_weights() -> None:
    die = Die("loaded", (1, 2), (1, 3))
    assert enumerated(Pool((die, 2)), SumOfDice()) == {2: 1, 3: 6, 4: 9}


def test_enumeration_goes_in_the_order_of_the_dice() -> None:
    assert enumerated(Pool((COIN, 1), (d(2), 1)), Joined()) == {
        "crown,1": 1,
        "crown,2": 1,
        "cross,1": 1,
        "cross,2": 1,
    }


def test_enumeration_of_no_dice_is_one_reading() -> None:
    assert enumerated(Pool(), SumOfDice(3)) == {3: 1}


def test_enumeration_refuses_too_many_faces() -> None:
    pool = Pool((d(10), 7))
    with pytest.raises(LimitError, match=r"7d10 has 10000000 combinations of faces and Joined"):
        enumerated(pool, Joined())
    with pytest.raises(LimitError, match="allowed: 2000000"):
        distribution(pool, Joined())


@given(NUMERIC, st.integers(1, 4))
def test_count_faces_is_brute_force(die: Die, modulus: int) -> None:
    pool = Pool((die, 1))

    class Remainder(NamedTuple):
        def __call__(self, faces: tuple[Face, ...]) -> int:
            return int(faces[0]) % modulus

    assert count_faces(pool, lambda face: int(face) % modulus) == enumerated(pool, Remainder())


@pytest.mark.parametrize("pool", [Pool(), Pool((d(6), 2)), Pool((d(6), 1), (d(4), 1))])
def test_count_faces_refuses_other_than_one_die(pool: Pool) -> None:
    with pytest.raises(RulesError, match="a reading of one die was asked of"):
        count_faces(pool, str)


@given(pools(NUMERIC), st.integers(-5, 5))
def test_count_sums_is_brute_force(pool: Pool, flat: int) -> None:
    assert count_sums(pool) == enumerated(pool, SumOfDice())
    assert count_sums(pool, lambda total: total + flat) == enumerated(pool, SumOfDice(flat))
    assert SumOfDice(flat).counted(pool) == enumerated(pool, SumOfDice(flat))


@given(pools(NUMERIC), st.integers(2, 5))
def test_count_sums_merges_equal_readings(pool: Pool, modulus: int) -> None:
    class Remainder(NamedTuple):
        def __call__(self, faces: tuple[Face, ...]) -> int:
            return sum(map(int, faces)) % modulus

    assert count_sums(pool, modulus.__rmod__) == enumerated(pool, Remainder())


def test_count_sums_refuses_symbols() -> None:
    with pytest.raises(RulesError, match="the faces of coin are symbols; they have no sum"):
        count_sums(Pool((d(6), 1), (COIN, 1)))


def test_caller_may_change_what_count_sums_returned() -> None:
    pool = Pool((d(6), 1))
    count_sums(pool).clear()
    assert len(count_sums(pool)) == 6


@given(pools(ANY), st.data())
def test_count_multisets_is_brute_force(pool: Pool, data: st.DataObject) -> None:
    classes = {face: data.draw(st.integers(0, 3), label=repr(face)) for face in FACES}
    counted = count_multisets(pool, classes.__getitem__)
    assert counted == enumerated(pool, Sorted(tuple(classes.items())))
    assert sum(counted.values()) == n_rolls(pool)


@given(pools(ANY), st.data())
def test_count_tallies_is_brute_force(pool: Pool, data: st.DataObject) -> None:
    n_classes = data.draw(st.integers(1, 3))
    place = {face: data.draw(st.integers(0, n_classes), label=repr(face)) for face in FACES}
    classes = tuple(
        frozenset(face for face in FACES if place[face] == number) for number in range(n_classes)
    )
    counted = count_tallies(pool, classes)
    assert counted == enumerated(pool, Tally(classes))
    assert sum(counted.values()) == n_rolls(pool)
    assert Tally(classes).counted(pool) == counted


@pytest.mark.parametrize(
    "classes", [(), (frozenset({1, 2}), frozenset({2, 3})), (frozenset({1}), frozenset({1}))]
)
def test_tally_refuses_classes_that_overlap(classes: tuple[frozenset[Face], ...]) -> None:
    with pytest.raises(RulesError, match="at least one class of faces, and no face in two"):
        count_tallies(Pool((d(6), 2)), classes)


def test_tally_of_no_dice_is_zero_of_each() -> None:
    assert count_tallies(Pool(), (frozenset({1}), frozenset({2}))) == {(0, 0): 1}


def test_tally_of_a_class_that_never_shows() -> None:
    assert count_tallies(Pool((d(2), 2)), (frozenset({9}),)) == {(0,): 4}


# -- other libraries -------------------------------------------------------------------------


@given(pools(NUMERIC))
def test_sums_agree_with_icepool_and_dyce(pool: Pool) -> None:
    if not pool.size:
        return
    counted: Counts[int] = count_sums(pool)
    mine = shares(counted)
    total = sum(number @ as_icepool(die) for die, number in pool.groups)
    assert mine == {value: Fraction(weight, total.denominator()) for value, weight in total.items()}
    sums = dyce.P(*map(as_dyce, pool.dice)).h()
    assert mine == shares(dict(sums.items()))


@given(pools(NUMERIC))
def test_sorted_multisets_agree_with_icepool_and_dyce(pool: Pool) -> None:
    if not pool.size:
        return
    counted: Counts[tuple[int, ...]] = count_multisets(pool, int)
    mine = shares(counted)
    rolls = icepool.Pool([as_icepool(die) for die in pool.dice]).expand()
    assert mine == {
        tuple(faces): Fraction(weight, rolls.denominator()) for faces, weight in rolls.items()
    }
    sorted_rolls: Counter[Hashable] = Counter()
    for faces, weight in dyce.P(*map(as_dyce, pool.dice)).rolls_with_counts():
        sorted_rolls[tuple(sorted(faces))] += weight
    assert mine == shares(sorted_rolls)


@given(pools(NUMERIC), st.integers(-3, 8), st.integers(-3, 8))
def test_tallies_agree_with_icepool(pool: Pool, low: int, high: int) -> None:
    if not pool.size or low == high:
        return
    counted = count_tallies(pool, (frozenset({low}), frozenset({high})))
    vectors = sum(
        number @ as_icepool(die).map(lambda face: icepool.Vector((face == low, face == high)))
        for die, number in pool.groups
    )
    assert shares(counted) == {
        tuple(map(int, tally)): Fraction(weight, vectors.denominator())
        for tally, weight in vectors.items()
    }


# -- large pools -----------------------------------------------------------------------------

SEVENS_AND_ONES = (frozenset[Face]({7, 8, 9, 10}), frozenset[Face]({1}))


@pytest.mark.parametrize("n_dice", [30, 100])
def test_large_tally_is_the_multinomial(n_dice: int) -> None:
    counted = count_tallies(Pool((d(10), n_dice)), SEVENS_AND_ONES)
    assert counted == {
        (sevens, ones): comb(n_dice, sevens)
        * comb(n_dice - sevens, ones)
        * 4**sevens
        * 5 ** (n_dice - sevens - ones)
        for sevens in range(n_dice + 1)
        for ones in range(n_dice - sevens + 1)
    }
    assert sum(counted.values()) == 10**n_dice


@pytest.mark.parametrize("n_dice", [30, 100])
def test_large_tally_is_symmetric_in_classes_of_equal_weight(n_dice: int) -> None:
    low, high = frozenset[Face]({1, 2}), frozenset[Face]({9, 10})
    counted = count_tallies(Pool((d(10), n_dice)), (low, high))
    assert counted == {(b, a): weight for (a, b), weight in counted.items()}
    assert counted == count_tallies(Pool((d(10), n_dice)), (high, low))


def test_large_tally_splits_over_groups() -> None:
    whole = count_tallies(Pool((d(10), 30)), SEVENS_AND_ONES)
    assert count_tallies(Pool((d(10), 11), (d(10), 19)), SEVENS_AND_ONES) == whole


def test_thirty_dice_agree_with_icepool() -> None:
    counted = count_tallies(Pool((d(10), 30)), SEVENS_AND_ONES)
    oracle = 30 @ icepool.d10.map(lambda face: icepool.Vector((face >= 7, face == 1)))
    assert counted == {tuple(map(int, tally)): weight for tally, weight in oracle.items()}


def test_three_classes_of_thirty_dice_add_up_to_two() -> None:
    low, middle, high = (frozenset[Face](range(*ends)) for ends in ((1, 3), (3, 9), (9, 11)))
    three = count_tallies(Pool((d(10), 30)), (low, middle, high))
    folded: Counter[tuple[int, int]] = Counter()
    for (few, _, many), weight in three.items():
        folded[few, many] += weight
    assert folded == Counter(count_tallies(Pool((d(10), 30)), (low, high)))


@pytest.mark.parametrize("n_dice", [30, 100])
def test_large_sum_agrees_with_dyce_and_is_symmetric(n_dice: int) -> None:
    counted: Counts[int] = count_sums(Pool((d(10), n_dice)))
    assert counted == dict((n_dice @ dyce.H(10)).items())
    assert sum(counted.values()) == 10**n_dice
    assert all(counted[11 * n_dice - total] == weight for total, weight in counted.items())


@pytest.mark.parametrize(
    "die", [d(2), Die("canceled", (-1, 0, 1), (1, 4, 5)), Die("gaps", (0, 3, 7), (2, 1, 2))]
)
def test_sums_are_convolutions_one_die_after_the_other(die: Die) -> None:
    # So many that coefficients of a power are worked out one by one from some number on.
    sums: Counter[int] = Counter({0: 1})
    for n_dice in range(1, 71):
        longer: Counter[int] = Counter()
        for total, ways in sums.items():
            for face, weight in die.weighted:
                assert isinstance(face, int)
                longer[total + face] += ways * weight
        sums = longer
        assert count_sums(Pool((die, n_dice))) == sums


def test_sum_of_dice_that_weigh_more_than_a_machine_word() -> None:
    heavy = Die("heavy", (-2, 0, 5), (10**12, 1, 10**9))
    pool = Pool((heavy, 3), (d(6), 1))
    assert count_sums(pool) == enumerated(pool, SumOfDice())


@pytest.mark.parametrize("bits", [63, 64, 65, 128])
def test_sum_at_the_edge_of_a_machine_word(bits: int) -> None:
    die = Die("edge", (0, 1), (2**bits - 2, 1))
    assert count_sums(Pool((die, 1))) == {0: 2**bits - 2, 1: 1}


def test_multiset_weights_are_multinomial() -> None:
    counted = count_multisets(Pool((d(4), 9)), int)
    for faces, weight in counted.items():
        assert weight == factorial(9) // prod(map(factorial, Counter(faces).values()))
    assert len(counted) == comb(12, 3)


def test_multiset_weights_count_the_orders_of_a_row() -> None:
    counted = count_multisets(Pool((d(3), 4)), int)
    assert counted[1, 1, 2, 3] == len(set(permutations((1, 1, 2, 3))))


# -- kept distributions ----------------------------------------------------------------------


class Once(NamedTuple):
    """Counts how often it is asked to count itself."""

    name: str

    def __call__(self, faces: tuple[Face, ...]) -> int:
        raise AssertionError("a read that counts itself is not enumerated")

    def counted(self, pool: Pool) -> Counts[int]:
        ASKED.append(self.name)
        return {0: 2, 1: 2}


class Twice(NamedTuple):
    """Equal to a `Once` of the same name, as tuples go; another reading all the same."""

    name: str

    def __call__(self, faces: tuple[Face, ...]) -> str:
        return self.name


ASKED: list[str] = []


def test_reading_is_counted_once_for_a_pool() -> None:
    ASKED.clear()
    first = roll_of(Pool((d(6), 1)), Once("a"))
    assert roll_of(Pool((d(6), 1)), Once("a")) is first
    assert first == (4, ((0, 2), (1, 2)))
    roll_of(Pool((d(6), 1)), Once("b"))
    roll_of(Pool((d(6), 2)), Once("a"))
    assert ASKED == ["a", "b", "a"]


def test_equal_tuples_of_two_kinds_are_two_readings() -> None:
    assert Once("x") == Twice("x")  # type: ignore[comparison-overlap]  # tuples compare by value
    pool = Pool((d(6), 1))
    assert roll_of(pool, Once("x")).rows == ((0, 2), (1, 2))
    assert roll_of(pool, Twice("x")).rows == (("x", 6),)


def test_forgetting_counts_anew() -> None:
    ASKED.clear()
    roll_of(Pool((d(6), 1)), Once("again"))
    forget_distributions()
    roll_of(Pool((d(6), 1)), Once("again"))
    assert ASKED == ["again", "again"]


def test_kept_distributions_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "KEPT", 3)
    for number in range(10):
        roll = roll_of(Pool((d(6), 1)), SumOfDice(number))
        assert roll.total == 6
        assert len(reading._ROLLS) <= 3


@given(pools(NUMERIC))
def test_distribution_has_the_weights_of_the_roll(pool: Pool) -> None:
    exact = distribution(pool, SumOfDice())
    assert exact.total == n_rolls(pool)
    assert dict(exact) == enumerated(pool, SumOfDice())


def test_two_dice_by_hand() -> None:
    exact = distribution(Pool((d(6), 2)), SumOfDice(1))
    assert exact.chance(8) == Fraction(6, 36)
    assert exact.chance(3) == exact.chance(13) == Fraction(1, 36)
    assert exact.mean() == 8


# -- totals ----------------------------------------------------------------------------------


def _numbers(face: Face) -> tuple[int, int]:
    """A reading with two numbers, for any face: one that may be negative, one that is not."""
    return (face % 4 - 1, face % 3) if isinstance(face, int) else (0, len(face))


class Totals(NamedTuple):
    """Brute force: the two numbers of all faces, added up."""

    def __call__(self, faces: tuple[Face, ...]) -> tuple[int, ...]:
        rows = [_numbers(face) for face in faces]
        return (sum(row[0] for row in rows), sum(row[1] for row in rows))


@given(pools(ANY))
def test_totals_are_those_of_all_faces(pool: Pool) -> None:
    expected = enumerated(pool, Totals()) if pool.size else {(): 1}
    assert count_totals(pool, _numbers) == expected


def test_totals_of_many_dice_have_the_weight_of_all_faces() -> None:
    counts = count_totals(Pool((d(6), 12), (COIN, 3)), _numbers)
    assert sum(counts.values()) == 6**12 * 2**3


def test_totals_of_one_number_are_sums() -> None:
    pool = Pool((d(6), 3), (d(4), 2))
    sums = {key[0]: ways for key, ways in count_totals(pool, lambda face: (int(face),)).items()}
    assert sums == count_sums(pool)
