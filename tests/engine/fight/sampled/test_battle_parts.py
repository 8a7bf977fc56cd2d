"""What battles are made of: tables to draw from, estimates, tables that grow, orders."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.core.errors import LimitError
from affray.engine.fight.sampled import sums
from affray.engine.fight.sampled.alias import BITS, Alias, alias, shares
from affray.engine.fight.sampled.arrays import Blocks, Grid, Memo, Vector, distinct
from affray.engine.fight.sampled.draws import Call, Shared, Stream
from affray.engine.fight.sampled.ended import Past
from affray.engine.fight.sampled.estimate import mean_of, share_of
from affray.engine.fight.sampled.layout import Layout, Tally
from affray.engine.fight.sampled.outcomes import Outcomes
from affray.engine.fight.sampled.turns import comparisons

WEIGHTS = st.lists(st.integers(1, 10**30), min_size=1, max_size=150)


def chances(table: Alias, n: int) -> list[Fraction]:
    """How much of all draws comes to each outcome, counted column by column."""
    found = [Fraction(0)] * n
    width = 1 << table.shift
    for column, threshold in enumerate(table.thresholds.tolist()):
        below = threshold - column * width
        last = column == len(table.thresholds) - 1
        if last and threshold == (1 << BITS) - 1:
            below += 1 if table.firsts[column] == table.seconds[column] else 0
        assert 0 <= below <= width
        found[table.firsts[column]] += Fraction(below, 1 << BITS)
        found[table.seconds[column]] += Fraction(width - below, 1 << BITS)
    return found


@given(WEIGHTS)
def test_tables_are_exact_to_one_in_two_to_the_sixty_fourth(weights: list[int]) -> None:
    total = sum(weights)
    parts = shares(weights)
    assert sum(parts) == 1 << BITS
    table = alias(weights)
    assert len(table.thresholds) << table.shift == 1 << BITS
    for weight, part, chance in zip(weights, parts, chances(table, len(weights)), strict=True):
        assert chance == Fraction(part, 1 << BITS)
        assert abs(Fraction(weight, total) - chance) < Fraction(1, 1 << BITS)


def test_equal_weights_make_a_table_by_hand() -> None:
    assert shares([1, 1, 2]) == [1 << 62, 1 << 62, 1 << 63]
    assert shares([1, 1, 1]) == [(1 << 64) // 3 + 1, (1 << 64) // 3, (1 << 64) // 3]
    certain = alias([5])
    assert {*certain.firsts.tolist(), *certain.seconds.tolist()} == {0}


def _place_of(outcomes: Outcomes, row: int, short: int, more: int) -> int:
    """Where a draw of 16 bits falls, and another one if that is asked for."""
    rows, drawn = np.array([row]), np.array([short], np.uint16)
    desk = np.empty((2, 1), np.int64)
    places = outcomes.places_of(rows, drawn, lambda n: np.full(n, more, np.uint64), desk)
    return int(outcomes.on_target.now[places[0]])


@given(st.lists(WEIGHTS, min_size=1, max_size=4), st.data())
def test_a_draw_at_a_threshold_takes_what_is_behind_it(
    rows: list[list[int]], data: st.DataObject
) -> None:
    """16 bits tell a slice of a column; in that of the threshold more bits tell the place."""
    outcomes, unsliced = Outcomes(), Outcomes()
    unsliced.sliced = None
    for weights in ([1], *rows):
        effects = [((0, n), 0) for n in range(len(weights))]
        first, again = (
            one.add(weights, effects, [(0, 0)] * len(weights), 0) for one in (outcomes, unsliced)
        )
        assert first == again
        table = alias(weights)
        width = table.shift - 4
        column = data.draw(st.integers(0, len(table.thresholds) - 1))
        threshold = int(table.thresholds[column])
        part = (threshold << 64 - width) % (1 << BITS)
        for piece in {threshold >> width, (threshold >> width) - 1, (threshold >> width) + 1}:
            for more in {0, max(0, part - 1), part, part + 1, (1 << BITS) - 1}:
                if piece >> 4 != column or more >= 1 << BITS:
                    continue
                is_below = (piece << width + 64) + (more << width) < threshold << 64
                expected = (table.firsts if is_below else table.seconds)[column]
                short = (piece << width) >> 48
                assert _place_of(outcomes, first, short, more) == expected
                assert _place_of(unsliced, first, short, more) == expected


def test_where_16_bits_are_too_few_a_row_is_drawn_from_by_64() -> None:
    outcomes = Outcomes()
    weights = [*range(1, 5001)]
    few = outcomes.add([1, 2], [((0, 1), 0), ((0, 2), 0)], [(0, 0)] * 2, 0)
    many = outcomes.add(weights, [((0, n), 0) for n in range(5000)], [(0, 0)] * 5000, 0)
    table = alias(weights)
    for column in (0, 17, 4999, len(table.thresholds) - 1):
        threshold = int(table.thresholds[column])
        for drawn in (threshold - 1, threshold, column << table.shift):
            if drawn >> table.shift == column:
                side = table.firsts if drawn < threshold else table.seconds
                assert _place_of(outcomes, many, 0, drawn) == side[column]
    assert [_place_of(outcomes, few, short, 0) for short in (0, (1 << 16) - 1)] == [1, 2]


@given(st.lists(st.integers(1, 50), min_size=1, max_size=12), st.integers(0, 2**64 - 1))
def test_rows_sorted_by_harm_rise_with_the_draw(weights: list[int], draw: int) -> None:
    """Up to its edge, a draw does as much harm as the inverse of the distribution says."""
    rows = Outcomes()
    rows.add([1], [((0, 0), 0)], [(0, 0)], 0)
    harms = [(n * 7 % 5, 0) for n in range(len(weights))]
    rows.add(weights, [((0, 100 + n), 0) for n in range(len(weights))], harms, 0)
    key = (1 << 32) + (draw >> 32)
    place = int(np.searchsorted(rows.edges.now[: rows.edges.size], key, "right"))
    found = int(rows.on_target.now[rows.places.now[place]]) - 100
    less = sum(w for w, harm in zip(weights, harms, strict=True) if harm < harms[found])
    upto = sum(w for w, harm in zip(weights, harms, strict=True) if harm <= harms[found])
    share = Fraction(draw >> 32, 1 << 32)
    total, rounding = sum(weights), Fraction(1, 1 << 31)
    assert Fraction(less, total) - rounding <= share <= Fraction(upto, total) + rounding


def test_intervals() -> None:
    """Wilson's for 8 of 10, as the textbooks have it, and the normal one."""
    share = share_of(8, 10)
    assert share.value == 0.8
    assert (round(share.low, 4), round(share.high, 4)) == (0.4902, 0.9433)
    assert share_of(0, 10).low == 0.0
    assert share_of(10, 10).high == 1.0
    mean = mean_of(10, 30, 5)
    # Squares of what is off the mean add up to 10; over 4, over 5: 0.5.
    assert mean.value == 2
    assert mean.high - 2 == pytest.approx(1.96 * 0.5**0.5, abs=1e-4)
    assert mean_of(3, 9, 1) == (3, 3, 3)


def test_tables_grow_and_keep_what_they_hold() -> None:
    row = Vector()
    assert [row.extend([7, 8]), row.append(9)] == [1, 3]
    row.extend(range(1000))
    assert row.now[:5].tolist() == [0, 7, 8, 9, 0]
    assert row.size == 1004
    grid = Grid(2)
    before = grid.now
    grid.put(3, 4, 5, 6)
    grid.put(700, 900, 1, 2)
    width, (first, second) = grid.now
    assert width >= 901
    assert (first[3 * width + 4], second[3 * width + 4]) == (5, 6)
    assert grid[700, 900] == 1
    assert grid[5000, 5000] == 0
    assert before[1][0][3 * before[0] + 4] == 5


def test_a_grid_works_out_what_is_new_each_once() -> None:
    grid, asked = Grid(2), []

    def work_out(row: int, column: int) -> None:
        asked.append((row, column))
        grid.put(row, column, 100 * row + column, -row)

    rows, columns = np.array([2, 1, 2, 70]), np.array([3, 4, 3, 5])
    grid.put(1, 4, 99, 98)
    grid.fit(70, 5)
    for _ in range(2):
        first, second = grid.look_up(rows, columns, work_out)
        assert first.tolist() == [203, 99, 203, 7005]
        assert second.tolist() == [-2, 98, -2, -70]
    assert asked == [(2, 3), (70, 5)]


@given(st.lists(st.integers(0, 99), max_size=60), st.sampled_from([100, 1_000, 100_000]))
def test_distinct_keys_come_once_in_order(keys: list[int], size: int) -> None:
    found = distinct(np.array(keys, np.int64), size)
    assert found.tolist() == sorted(set(keys))


def test_blocks_go_to_one_at_a_time_and_come_back() -> None:
    blocks = Blocks()
    one, other = blocks.take(10), blocks.take(20)
    assert not np.shares_memory(one, other)
    blocks.give_back(one, other)
    large = blocks.take(15)
    assert len(large) >= 15
    assert np.shares_memory(large, other)
    small = blocks.take(5)
    assert np.shares_memory(small, one)
    assert not np.shares_memory(small, large)


def test_a_memo_works_out_what_is_new() -> None:
    memo, asked = Memo(), []

    def work_out(place: int) -> int:
        asked.append(place)
        return 10 + place

    keys = np.array([5, -3, 5, 9])
    assert not memo.look_up(keys)[1].any()
    memo.learn(keys, work_out)
    values, known = memo.look_up(np.array([9, 5, 4, -3]))
    assert known.tolist() == [True, True, False, True]
    assert values[known].tolist() == [13, 10, 11]
    memo.learn(keys, work_out)
    assert sorted(asked) == [0, 1, 3]


@pytest.mark.parametrize("n", [1, 2, 3, 5, 6])
def test_the_network_sorts_everything(n: int) -> None:
    for order in permutations(range(n)):
        keys = list(order)
        for one, other in comparisons(n):
            keys[one], keys[other] = min(keys[one], keys[other]), max(keys[one], keys[other])
        assert keys == list(range(n))


def test_parts_of_a_word_do_not_overlap() -> None:
    layout = Layout(60, 40, 30)
    parts = [
        layout.condition, layout.taken << layout.taken_at, layout.fighter << layout.fighter_at,
        layout.rank << layout.rank_at, ~layout.uncounted, layout.out,
    ]  # fmt: skip
    assert sum(parts) == (1 << 63) - 1
    assert layout.kept & (1 << 63) - 1 == parts[1] | parts[2] | parts[4]
    with pytest.raises(LimitError):
        Layout(2, 1 << 45, 0)


def test_streams_differ_by_chunk_and_shared_ones_by_what_for() -> None:
    call = Call("exchange", 1, 0, 0, 0, np.arange(5))
    assert Stream(1, 0)(call, 5).tolist() == Stream(1, 0)(call, 5).tolist()
    assert Stream(1, 0)(call, 5).tolist() != Stream(1, 1)(call, 5).tolist()
    short, stream = Stream(1, 0).short(6), Stream(1, 0).more(2)
    assert [int(stream[n // 4]) >> n % 4 * 16 & 0xFFFF for n in range(6)] == short.tolist()

    def drawn(sides: tuple[int, int], call: Call) -> list[int]:
        ids = call.ids
        assert ids is not None
        return list(Shared(1, 0, size=5, sides=sides, actions=1)(call, len(ids)))

    # Other sides, fewer battles, fighters named one by one: the same numbers.
    whole = drawn((2, 2), call)
    assert drawn((3, 1), call) == whole
    assert drawn((2, 2), call._replace(ids=np.array([3, 1]))) == [whole[3], whole[1]]
    second = call._replace(place=1)
    each = call._replace(place=np.array([0, 1, 0, 1, 0]))
    mixed = [drawn((2, 2), (call, second)[n % 2])[n] for n in range(5)]
    assert drawn((2, 2), each) == mixed
    for other in (
        second,
        call._replace(number=2),
        call._replace(side=1),
        call._replace(what="roll"),
    ):
        assert not set(drawn((2, 2), other)) & set(whole)


@pytest.mark.parametrize("times", [None, [2, 1, 0, 3]])
def test_fates_are_counted_by_side_battle_by_battle(times: list[int] | None) -> None:
    """Three fighters, nine fates of four conditions; the last condition leads to two fates."""
    chances = np.zeros((9, 4))
    chances[0, 0] = chances[8, 1] = chances[1, 2] = 1
    chances[1, 3], chances[7, 3] = 0.25, 0.75
    battles = [(0, 0, 0), (0, 1, 2), (3, 3, 2), (1, 1, 3)]
    places = [np.array(column) for column in zip(*battles, strict=True)]
    found = sums._numbers_of(places, chances, None if times is None else np.array(times))
    for fate, counts in enumerate(found):
        expected = [0.0] * 4
        for battle in np.repeat(battles, times or 1, axis=0).tolist():
            for ends in product((False, True), repeat=3):
                one_by_one = (
                    chances[fate, here] if has else 1 - chances[fate, here]
                    for has, here in zip(ends, battle, strict=True)
                )  # fmt: skip
                expected[sum(ends)] += prod(one_by_one)
        assert counts.tolist() == pytest.approx(expected), fate


@pytest.mark.parametrize(("fighters", "battles", "at_once"), [(3, 10, 9), (1, 4, 64), (4, 5, 2)])
def test_tallies_are_added_up_battle_by_battle(
    fighters: int, battles: int, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sums, "AT_ONCE", at_once)
    random = np.random.default_rng(battles)
    dealt = random.integers(0, Tally.dealt + 1, (fighters, battles))
    outs = random.integers(0, Tally.outs + 1, (fighters, battles))
    taken = random.integers(0, 1000, (fighters, battles))  # counted by somebody else
    tallies = dealt | outs << Tally.outs_at | taken << Tally.taken_at
    found = [part.tolist() for part in sums._tallied(tallies)]
    mine, out = dealt.tolist(), outs.tolist()
    whole = [sum(column) for column in zip(*mine, strict=True)]
    assert found == [
        [list(map(sum, mine)), [sum(one * one for one in row) for row in mine]],
        [list(map(sum, out)), [sum(one * one for one in row) for row in out]],
        [[sum(whole)] * fighters, [sum(one * one for one in whole)] * fighters],
        [[sum(map(int.__mul__, row, whole)) for row in mine]],
    ]


def test_battles_that_are_over_are_put_aside_in_order() -> None:
    past = Past(2, 5)
    rows, left = np.array([[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]]), np.zeros((2, 3), np.int64)
    past.put_some(rows, 4, np.array([False, True, False, True, False]), left)
    assert left.tolist() == [[1, 3, 5], [6, 8, 10]]
    past.put_some(left.copy(), 5, np.array([True, True, True]), left[:, :0])
    assert past.n == 5
    assert past.rows.tolist() == [[2, 4, 1, 3, 5], [7, 9, 6, 8, 10]]
    assert past.rounds.tolist() == [4, 4, 5, 5, 5]
