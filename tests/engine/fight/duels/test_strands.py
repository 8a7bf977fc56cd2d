"""Ways to begin that nothing tells apart yet are one strand."""

from __future__ import annotations

import numpy as np
import pytest

from affray.engine.fight.duels.ahead import Ahead, AnyLeads, ahead_of, always, by_pair
from affray.engine.fight.duels.beginning import Leads
from affray.engine.fight.duels.strands import Strands, as_one, first_alike, strands_of

TABLE = np.array(
    [
        [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]],  # no wounds: always first
        [[1.0, 1.0, 0.5], [1.0, 1.0, 1.0]],  # one: a tie in the last way
        [[1.0, 0.0, 0.0], [1.0, 1.0, 0.5]],
    ]
)
"""How likely side one goes first, by its wounds, the other side's, and way to begin."""
AHEAD = Ahead(TABLE, (np.array([0, 1, 2, 0]), np.array([0, 1])))


def strands(become: list[tuple[int, int]]) -> list[list[int]]:
    """The strand of each of six conditions, of which the last two never begin a round."""
    from_, to = np.array(become).reshape(-1, 2).T
    found = strands_of(0, AHEAD, np.arange(4), 6, (from_, to))
    of: list[list[int]] = (found.of - 3 * np.arange(6)[:, None]).tolist()
    return of


def test_ways_are_apart_from_the_condition_on_in_which_they_differ() -> None:
    wounded = [(0, 1), (1, 2), (1, 4), (4, 5)]
    assert strands(wounded) == [[0, 0, 0], [0, 0, 2], [0, 1, 2], [0, 0, 0], [0, 0, 2], [0, 0, 2]]


def test_ways_stay_apart_in_whatever_comes_later() -> None:
    healed = [(2, 3), (3, 4)]
    assert strands(healed)[3:] == [[0, 1, 2], [0, 1, 2], [0, 0, 0]]
    assert strands([]) == [[0, 0, 0], [0, 0, 2], [0, 1, 2], [0, 0, 0], [0, 0, 0], [0, 0, 0]]


def test_the_other_side_has_strands_of_its_own() -> None:
    found = strands_of(1, AHEAD, np.arange(2), 2, (np.array([0]), np.array([1])))
    assert found.of.tolist() == [[0, 1, 2], [3, 4, 5]]
    alone = strands_of(1, AHEAD, np.arange(2), 2, (np.array([], int), np.array([], int)))
    assert alone.of.tolist() == [[0, 1, 2], [3, 3, 5]]


def test_where_ways_make_no_difference_each_condition_is_one_strand() -> None:
    assert as_one(0, 3, 2).of.tolist() == [[0, 0], [2, 2], [4, 4]]
    nothing = np.array([], int), np.array([], int)
    for table in (TABLE[:, :, 2:], TABLE[:, :, [2, 2]]):
        found = strands_of(0, Ahead(table, AHEAD.of), np.arange(4), 5, nothing)
        assert found.of.tolist() == as_one(0, 5, table.shape[2]).of.tolist()


def test_ways_are_apart_from_the_only_condition_that_may_begin() -> None:
    alone = Ahead(TABLE[2:, 1:], (np.array([0]), np.array([0])))
    assert alone.n_ways == 3
    become = np.array([0, 1]), np.array([1, 2])
    found = strands_of(0, alone, np.array([0]), 3, become)
    assert found.of.tolist() == [[0, 0, 2], [3, 3, 5], [6, 6, 8]]


def test_two_ways_may_be_apart() -> None:
    nothing = np.array([], int), np.array([], int)
    some = strands_of(0, Ahead(TABLE[:, :, 1:], AHEAD.of), np.arange(4), 4, nothing)
    assert some.of.tolist() == [[0, 0], [2, 3], [4, 5], [6, 6]]


def test_strands_are_listed_by_condition() -> None:
    some = Strands(0, np.array([[0, 0, 2], [0, 1, 2], [0, 0, 0]]), np.array([0, 1, 2, 0]))
    at, listed = some.listed(np.array([3, 2, 1]))
    assert at.tolist() == [0, 0, 1, 2, 2, 2]
    assert listed.tolist() == [9, 11, 6, 3, 4, 5]
    assert some.count(np.array([3, 2, 1])) == 6
    assert some.size == 12
    assert some.ways(listed).tolist() == [
        [True, True, False], [False, False, True], [True, True, True],
        [True, False, False], [False, True, False], [False, False, True],
    ]  # fmt: skip
    assert some.before(np.array([4, 5, 3]), np.array([3, 3, 2])).tolist() == [9, 11, 6]
    group = some.group(np.array([9, 0, 11, 2, 6]))[0].tolist()
    assert group[0] == group[1] != group[2] == group[3] != group[4]
    assert some.listed(np.array([], int))[1].tolist() == []


def test_the_first_column_stands_for_those_that_are_the_same() -> None:
    rows = np.array([[2, 1, 2, 1], [0, 0, 0, 5]])
    assert first_alike(rows).tolist() == [0, 1, 0, 3]
    assert first_alike(rows[:0]).tolist() == [0, 0, 0, 0]


def test_kinds_that_go_first_just_as_often_are_one() -> None:
    table = np.array([[0.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.5, 1.0, 0.5]])[:, :, None]
    ahead = Ahead(table, (np.array([0, 1, 2, 1]), np.array([2, 1, 0])))
    some = ahead.among((np.array([3, 0, 2]), np.array([0, 2, 1])))
    assert [kinds.tolist() for kinds in some.of] == [[0, 0, 1], [0, 0, 1]]
    assert some.table[:, :, 0].tolist() == [[0, 1], [0.5, 1]]
    assert some.goes_first(1).table[:, :, 0].tolist() == [[1, 0], [0.5, 0]]
    np.testing.assert_array_equal(
        some.by_pair(np.array([0]))[:, :, 0], table[[1, 0, 2]][:, [2, 0, 1], 0]
    )
    nobody = ahead.among((np.array([], int), np.array([0])))
    assert nobody.by_pair(np.array([0])).shape == (0, 1, 1)


@pytest.mark.parametrize("spelled_out", [False, True])
def test_ways_to_begin_lie_side_by_side(spelled_out: bool) -> None:
    of = np.array([0, 1, 1]), np.array([1, 0])
    one = Leads(np.array([[0.0, 0.5], [1.0, 0.25]]), of)
    every: list[AnyLeads] = [np.asarray(one) if spelled_out else one, 1.0, one.always(0.5)]
    ahead = ahead_of(every, (3, 2))
    assert ahead.table.shape == ((3, 2, 3) if spelled_out else (2, 2, 3))
    found = ahead.by_pair(np.arange(3))
    assert found[:, :, 0].tolist() == np.asarray(one).tolist() == [[0.5, 0], [0.25, 1], [0.25, 1]]
    assert (found[:, :, 1:] == [1, 0.5]).all()
    assert one.mean() == pytest.approx(np.asarray(one).mean())
    assert one.at(np.array([0, 2]), np.array([0, 1])).tolist() == [0.5, 1]
    assert (
        ahead_of([one], (3, 2)).by_pair(np.arange(1))[:, :, 0].tolist() == np.asarray(one).tolist()
    )
    mixed = ahead_of([one, one._replace(of=(of[0], of[1].copy()))], (3, 2))
    assert (mixed.by_pair(np.arange(2))[:, :, 0] == mixed.by_pair(np.arange(2))[:, :, 1]).all()


def test_who_always_goes_first_is_told_without_pairs() -> None:
    of = np.array([0, 0, 1]), np.array([0, 0])
    some = Leads(np.array([[0.25], [0.5]]), of)
    assert always(0.75) == 0.75
    assert always(some) is None
    assert always(np.asarray(some)) is None
    assert always(some.always(0.5)) == 0.5
    assert always(Leads(np.array([[0.25]]), (np.array([0, 0]), of[1]))) == 0.25
    assert by_pair([0.75], (3, 2)).tolist() == [[0.75]] * 6
    assert by_pair([some], (3, 2))[:, 0].tolist() == [0.25, 0.25, 0.25, 0.25, 0.5, 0.5]
    assert by_pair([0.75, some], (3, 2)).tolist() == [
        [0.75, 0.25], [0.75, 0.25], [0.75, 0.25], [0.75, 0.25], [0.75, 0.5], [0.75, 0.5],
    ]  # fmt: skip
