"""The second oracle of Emlia's mixed targets: vectors, hand counts and laws.

Vectors (EMS, EMV) stand in the names; all other expected values are counted by hand in a comment.
Numbers such as 2.1.2 are the printed steps. Both ways of applying hits answer every case.
"""

import random
from collections.abc import Callable, Iterator
from itertools import permutations
from typing import cast

import pytest

from .emlia_text import (
    Outcome,
    Unit,
    apply_hits,
    apply_hits_by_recursion,
    difficulty,
    price,
    room,
)

Apply = Callable[..., Outcome]

EMS_1 = [(10, -1), (1, -3), (5, 0), (3, 0)]  # B, C, D, E


@pytest.fixture(params=[apply_hits, apply_hits_by_recursion], ids=["tokens", "recursion"])
def apply(request: pytest.FixtureRequest) -> Apply:
    chosen: Apply = request.param
    return chosen


def unit(members: int, hits: int, **more: int) -> Unit:
    return cast(Unit, {"members": members, "hits": hits, **more})


# ------------------------------------------------------------------ difficulty


def test_ems_1_eleven_harder_ones_beside_eight_give_one_step() -> None:
    assert difficulty(EMS_1) == 7


def test_emv_40_five_full_groups_stop_at_the_highest_number() -> None:
    assert difficulty([(4, 0), (20, -2)]) == 8


def test_emv_41_no_full_group_no_step() -> None:
    assert difficulty([(4, 0), (3, -2)]) == 6


def test_emv_43_a_group_just_full_gives_one_step() -> None:
    assert difficulty([(6, 0), (6, -1)]) == 7


def test_emv_44_a_lone_hero_beside_thirty() -> None:
    assert difficulty([(1, 2), (30, -4)]) == 10


def test_emv_46_focus_starts_at_its_own_number() -> None:
    assert difficulty(EMS_1, focus=0) == 8


def test_emv_47_focus_counts_all_who_share_the_number() -> None:
    assert difficulty(EMS_1, focus=2) == difficulty(EMS_1, focus=3) == 8


def test_step_1_3_penalty_comes_after_the_maximum() -> None:
    # start 6, 8 beside 4 = 2 steps, maximum 7, then the penalty
    assert difficulty([(4, 0), (8, -1)], focus=0) == 8


def test_step_1_3_focus_on_the_highest_adds_the_penalty_alone() -> None:
    # start 9, nobody higher
    assert difficulty(EMS_1, focus=1) == 10


@pytest.mark.parametrize(
    ("modifier", "focus", "expected"),
    [(3, None, 3), (4, None, 2), (5, None, 2), (5, 0, 2), (4, 0, 3), (-4, 0, 10), (-7, None, 10)],
)
def test_step_1_numbers_are_clamped_last(modifier: int, focus: int | None, expected: int) -> None:
    # 6 less the modifier, plus 1 with focus: 3, 2, 1, 1 + 1, 2 + 1, 10 + 1, 13
    assert difficulty([(5, modifier)], focus) == expected


def test_step_1_2_1_steps_from_a_number_below_the_clamp() -> None:
    # numbers 0 and 5; 2 beside 1 = 2 steps: 0 + 2, where a clamp first would give 4
    assert difficulty([(1, 6), (2, 1)]) == 2


def test_difficulty_needs_members() -> None:
    for empty in ([], [(3, 0), (0, 1)]):
        with pytest.raises(ValueError, match="at least 1 member"):
            difficulty(empty)


def test_law_difficulty_is_the_counted_formula_in_any_order() -> None:
    rng = random.Random(1)
    seen = set()
    for _ in range(400):
        body = [(rng.randint(1, 9), rng.randint(-4, 4)) for _ in range(rng.randint(1, 4))]
        focus = rng.choice([None, *range(len(body))])
        numbers = [6 - modifier for _, modifier in body]
        start = min(numbers) if focus is None else numbers[focus]
        same = sum(n for (n, _), number in zip(body, numbers, strict=True) if number == start)
        above = sum(n for (n, _), number in zip(body, numbers, strict=True) if number > start)
        raised = min(start + above // same, max(numbers)) + (focus is not None)
        expected = sorted([2, raised, 10])[1]
        for order in permutations(range(len(body))):
            moved = None if focus is None else order.index(focus)
            assert difficulty([body[i] for i in order], moved) == expected
        seen.add(expected)
    assert seen == set(range(2, 11))


# ------------------------------------------------------------------ hits: vectors


def test_emv_50_twice_as_large_takes_two_points(apply: Apply) -> None:
    result = apply([unit(10, 2), unit(4, 3)], 9)
    assert result == Outcome((3, 1), (3, 1), (0, 0), (6, 3), (0, 0), 0)


def test_emv_52_step_without_enough_hits_is_skipped(apply: Apply) -> None:
    result = apply([unit(10, 5), unit(6, 2)], 3)
    assert (result.points, result.markers, result.lost) == ((0, 1), (1, 0), 0)


def test_emv_53_base_damage_and_two_cycles(apply: Apply) -> None:
    body = [unit(12, 2, base=1), unit(6, 3, base=1), unit(2, 4, base=1)]
    result = apply(body, 10)
    assert (result.points, result.markers, result.lost) == ((4, 3, 0), (0, 0, 0), 0)


MEN_AND_TOWER = [unit(10, 2, base=2), unit(1, 6, base=2, threshold=3)]


def test_emv_55_men_beside_a_tower_take_all(apply: Apply) -> None:
    result = apply(MEN_AND_TOWER, 9)
    assert (result.points, result.rolls, result.markers) == ((9, 0), (0, 0), (0, 0))


def test_emv_56_tower_takes_one_whole_roll_and_the_markers(apply: Apply) -> None:
    result = apply(MEN_AND_TOWER, 25)
    assert result == Outcome((10, 3), (10, 0), (0, 1), (10, 12), (0, 3), 0)


def test_emv_58_markers_count_towards_the_next_point(apply: Apply) -> None:
    result = apply([unit(10, 2, markers=1), unit(4, 3)], 3)
    assert (result.points, result.markers, result.lost) == ((2, 0), (0, 0), 0)


def test_emv_59_one_group_takes_points_in_turn_and_the_rest_is_lost(apply: Apply) -> None:
    body = [unit(3, 1), unit(2, 1)]
    turns = [apply(body, hits).points for hits in range(1, 6)]
    assert turns == [(1, 0), (1, 1), (2, 1), (2, 2), (3, 2)]
    result = apply(body, 9)
    assert (result.points, result.casualties, result.lost) == ((3, 2), (3, 2), 4)


@pytest.mark.parametrize("men", [8, 10, 20])
@pytest.mark.parametrize("hero", [unit(1, 5), unit(1, 5, limit=3)])
def test_emv_61_focus_comes_first(apply: Apply, men: int, hero: Unit) -> None:
    # Of the body the vector tells only 20 hits, prices 2 and 5 and a last hero: any such body does.
    result = apply([unit(men, 2), hero], 20, focus=1)
    assert (result.points, result.markers, result.lost) == ((7, 1), (1, 0), 0)


# ------------------------------------------------------------------ hits: hand counts


def test_step_2_one_hit_is_the_least_price(apply: Apply) -> None:
    # 2 - 5 is no price: 1 a point
    assert apply([unit(6, 2, base=5)], 4).points == (4,)


def test_step_2_groups_go_by_the_attribute_not_by_the_price(apply: Apply) -> None:
    # prices 1 and 1; two groups of 4 and 2: A A B A A B
    body = [unit(4, 2, base=1), unit(2, 3, base=2)]
    assert [apply(body, hits).points for hits in (1, 2, 3, 5)] == [(1, 0), (2, 0), (2, 1), (4, 1)]


def test_step_2_units_of_one_value_count_as_one_size(apply: Apply) -> None:
    # 4 + 5 against 8: the pair is first, its larger unit before its smaller
    body = [unit(8, 3), unit(4, 1), unit(5, 1)]
    assert apply(body, 1).points == (0, 0, 1)
    assert apply(body, 4).points == (1, 0, 1)
    assert apply(body, 5).points == (1, 1, 1)


def test_step_2_the_round_in_a_group_goes_on_in_the_next_cycle(apply: Apply) -> None:
    # group 3 + 2 = 5 against 4, one point a visit: A, C, B, C, A
    body = [unit(3, 1), unit(2, 1), unit(4, 2)]
    assert apply(body, 4).points == (1, 1, 1)
    assert apply(body, 7).points == (2, 1, 2)


def test_step_2_1_equal_sizes_keep_the_order_of_the_list(apply: Apply) -> None:
    assert apply([unit(4, 3), unit(4, 2)], 3).points == (1, 0)
    assert apply([unit(4, 2), unit(4, 3)], 3).points == (1, 0)
    assert apply([unit(2, 1), unit(2, 1)], 1).points == (1, 0)


def test_step_2_1_1_the_next_group_is_tried_and_the_cycle_ends_when_none_can(apply: Apply) -> None:
    # A needs 4, B 3, C 2 of 7: A 4; B 3; nothing left
    body = [unit(6, 4), unit(5, 3), unit(4, 2)]
    assert apply(body, 7).points == (1, 1, 0)
    # 6: A 4; B cannot; C 2
    assert apply(body, 6).points == (1, 0, 1)
    # 5: A 4, then 1 left is a marker on A
    assert apply(body, 5) == Outcome((1, 0, 0), (1, 0, 0), (0, 0, 0), (4, 0, 0), (1, 0, 0), 0)


@pytest.mark.parametrize(("size", "first"), [(3, 1), (5, 1), (6, 2), (8, 2), (9, 3)])
def test_step_2_1_2_whole_multiples_only(apply: Apply, size: int, first: int) -> None:
    # with as many hits as the multiple and one more, B gets the last one
    assert apply([unit(size, 1), unit(3, 9, base=8)], first + 1).points == (first, 1)


def test_step_2_1_2_multiple_of_the_group_next_to_it(apply: Apply) -> None:
    # 12, 6, 2: two, three, one in a cycle
    body = [unit(12, 1), unit(6, 2, base=1), unit(2, 3, base=2)]
    assert apply(body, 6).points == (2, 3, 1)


def test_step_2_1_2_sizes_stay_those_of_the_start(apply: Apply) -> None:
    # 6 against 3: A A B, A A; by the 4 and 3 that are left it would be A A B, A B
    assert apply([unit(6, 1), unit(3, 2, base=1, limit=9)], 5).points == (4, 1)


def test_step_2_1_2_several_rolls_for_a_large_group_with_threshold(apply: Apply) -> None:
    # 4 against 2: two rolls of 2 points at 1 hit, then B 1
    result = apply([unit(4, 1, threshold=2), unit(2, 9, base=8)], 5)
    assert (result.points, result.rolls) == ((4, 1), (2, 0))
    # 3 hits: one roll; the second needs 2, B takes 1
    assert apply([unit(4, 1, threshold=2), unit(2, 9, base=8)], 3).points == (2, 1)


def test_step_2_2_markers_lie_on_the_largest_that_can_be_hurt(apply: Apply) -> None:
    # A 2 points and gone, B needs 5: 3 left
    assert apply([unit(2, 1), unit(1, 5)], 5).markers == (0, 3)
    # sizes 3 + 1 and 2, two points a visit: A B, C at 7, A A: 15 of 16 hits; A and B gone
    body = [unit(3, 2), unit(1, 2), unit(2, 7)]
    result = apply(body, 16)
    assert (result.points, result.markers) == ((3, 1, 1), (0, 0, 1))


def test_step_2_2_markers_lie_on_the_largest_unit_left_in_the_group(apply: Apply) -> None:
    # A 3 with limit 1, B 2 with limit 2, one group at 2: A B A B A = 10; 1 left for B
    result = apply([unit(3, 2), unit(2, 2, limit=2)], 11)
    assert (result.points, result.casualties, result.markers) == ((3, 2), (3, 1), (0, 1))


def test_step_2_2_markers_on_the_dead_pass_to_the_living_of_the_group(apply: Apply) -> None:
    # A at 1 hit takes 2 of its 3 markers and is gone; B needs 4 and has that marker and 1 hit
    result = apply([unit(2, 4, base=3, markers=3), unit(1, 4)], 1)
    assert (result.points, result.markers, result.lost) == ((2, 0), (0, 2), 0)


def test_step_2_2_old_markers_of_a_smaller_group_stay(apply: Apply) -> None:
    # A needs 4, B 5 with 1 marker: nobody has enough
    assert apply([unit(5, 4), unit(4, 5, markers=1)], 3).markers == (3, 1)


def test_step_2_2_more_markers_than_a_point_needs(apply: Apply) -> None:
    # price 2 now, 5 markers and 1 hit: 3 points
    assert apply([unit(9, 4, base=2, markers=5)], 1).points == (3,)
    # one man: 1 point, the other 3 markers and the hit are lost
    result = apply([unit(1, 4, base=2, markers=5)], 1)
    assert (result.points, result.markers, result.lost) == ((1,), (0,), 4)


def test_step_2_3_focus_once_before_every_cycle(apply: Apply) -> None:
    # at 1 hit each, 6 against 3: B, A A B, B, A A B
    body = [unit(6, 1), unit(3, 2, base=1, limit=9)]
    rounds = [apply(body, hits, focus=1).points for hits in (1, 3, 4, 5, 7, 8)]
    assert rounds == [(0, 1), (2, 1), (2, 2), (2, 3), (4, 3), (4, 4)]


def test_step_2_3_focus_on_the_largest_is_one_extra_point(apply: Apply) -> None:
    # 6 against 3: A, A A B
    body = [unit(6, 1), unit(3, 2, base=1)]
    assert [apply(body, hits, focus=0).points for hits in (1, 3, 4, 5)] == [
        (1, 0),
        (3, 0),
        (3, 1),
        (4, 1),
    ]


def test_step_2_3_focus_hurts_the_unit_not_its_group(apply: Apply) -> None:
    # one group 3 + 2: the extra goes to B, the round still begins with A: B, A, B, B
    body = [unit(3, 1), unit(2, 1, limit=5)]
    assert [apply(body, hits, focus=1).points for hits in (1, 2, 3, 4)] == [
        (0, 1),
        (1, 1),
        (1, 2),
        (1, 3),
    ]


def test_step_2_3_focus_takes_a_whole_roll(apply: Apply) -> None:
    # a roll costs 12: with 11 the men go first
    assert apply(MEN_AND_TOWER, 11, focus=1).points == (10, 0)
    assert apply(MEN_AND_TOWER, 12, focus=1).points == (0, 3)


def test_step_2_3_focus_on_the_dead_is_passed_over(apply: Apply) -> None:
    # B B, then B gone: A
    assert apply([unit(6, 1), unit(1, 2, base=1)], 4, focus=1).points == (3, 1)


def test_limit_counts_points_per_member(apply: Apply) -> None:
    # 7 points at 2 hits, 3 a member
    result = apply([unit(4, 2, limit=3)], 15)
    assert (result.points, result.casualties, result.markers) == ((7,), (2,), (1,))


def test_threshold_with_limit_ends_with_the_points_left(apply: Apply) -> None:
    # room for 4: a roll of 3 points, then the last one; 3 hits are lost
    result = apply([unit(1, 1, limit=4, threshold=3)], 7)
    assert result == Outcome((4,), (1,), (1,), (4,), (0,), 3)


def test_group_with_and_without_threshold(apply: Apply) -> None:
    # one group at 1: the wall would need 4, so the men take all 3
    assert apply([unit(5, 1, threshold=4), unit(3, 1)], 3).points == (0, 3)
    assert apply([unit(5, 1, threshold=4), unit(3, 1)], 5).points == (4, 1)


def test_bad_bodies_are_refused(apply: Apply) -> None:
    good = unit(3, 1)
    with pytest.raises(ValueError, match="hits are -1"):
        apply([good], -1)
    for focus in (-1, 1):
        with pytest.raises(ValueError, match="focus is"):
            apply([good], 1, focus=focus)
    for bad in (unit(0, 1), unit(1, 1, limit=0), unit(1, 1, threshold=0), unit(1, 1, markers=-1)):
        with pytest.raises(ValueError, match="at least"):
            apply([good, bad], 1)


# ------------------------------------------------------------------ laws on random bodies


def random_unit(rng: random.Random) -> Unit:
    built = unit(rng.randint(1, 9), rng.randint(1, 5), base=rng.choice([0, 0, 1, 2]))
    if rng.random() < 0.3:
        built["limit"] = rng.randint(1, 3)
    if rng.random() < 0.25:
        built["threshold"] = rng.randint(1, 3)
    if rng.random() < 0.3:
        built["markers"] = rng.randint(1, 4)
    return built


def cases(seed: int, n: int) -> Iterator[tuple[list[Unit], int, int | None]]:
    rng = random.Random(seed)
    for _ in range(n):
        body = [random_unit(rng) for _ in range(rng.randint(1, 4))]
        yield body, rng.randint(0, 45), rng.choice([None, *range(len(body))])


def test_law_tokens_and_recursion_agree() -> None:
    for body, hits, focus in cases(2, 1500):
        tokens = apply_hits(body, hits, focus)
        assert tokens == apply_hits_by_recursion(body, hits, focus), (body, hits, focus)


def test_law_no_hit_appears_or_vanishes(apply: Apply) -> None:
    for body, hits, focus in cases(3, 500):
        result = apply(body, hits, focus)
        old = sum(u.get("markers", 0) for u in body)
        assert sum(result.spent) + sum(result.markers) + result.lost == hits + old
        for u, points, spent in zip(body, result.points, result.spent, strict=True):
            assert spent == points * price(u)


def test_law_nobody_takes_more_than_it_can(apply: Apply) -> None:
    exhausted = 0
    for body, hits, focus in cases(4, 500):
        result = apply(body, hits, focus)
        for u, points, dead in zip(body, result.points, result.casualties, strict=True):
            most = room(u)
            assert most is None or points <= most
            assert dead <= u["members"]
            assert most is None or (dead == u["members"]) == (points == most)
            if "threshold" in u and points != most:
                assert points % u["threshold"] == 0
            exhausted += points == most
    assert exhausted > 100


def test_law_hits_are_lost_only_when_a_whole_group_is_gone(apply: Apply) -> None:
    lost = 0
    for body, hits, focus in cases(5, 500):
        result = apply(body, hits, focus)
        over = [room(u) == n for u, n in zip(body, result.points, strict=True)]
        assert all(m == 0 for m, gone in zip(result.markers, over, strict=True) if gone)
        if result.lost and not all(over):  # then old markers lay on a group now gone
            values = {u["hits"] for u in body}
            gone = {
                v
                for v in values
                if all(o for u, o in zip(body, over, strict=True) if u["hits"] == v)
            }
            assert result.lost <= sum(u.get("markers", 0) for u in body if u["hits"] in gone)
        lost += result.lost > 0
    assert lost > 20


def test_law_markers_left_are_too_few_for_a_point(apply: Apply) -> None:
    held = 0
    for body, hits, focus in cases(6, 500):
        result = apply(body, hits, focus)
        for u, points in zip(body, result.points, strict=True):
            most = room(u)
            portion = u.get("threshold", 1)
            portion = portion if most is None else min(portion, most - points)
            group = [m for v, m in zip(body, result.markers, strict=True) if v["hits"] == u["hits"]]
            if portion:
                assert sum(group) < portion * price(u)
                held += sum(group) > 0
    assert held > 50


def test_law_one_unit_is_plain_division(apply: Apply) -> None:
    rng = random.Random(7)
    for _ in range(400):
        alone = unit(rng.randint(1, 9), rng.randint(1, 5), base=rng.randint(0, 3))
        alone["markers"] = rng.randint(0, 4)
        if rng.random() < 0.5:
            alone["limit"] = rng.randint(1, 4)
        hits, focus = rng.randint(0, 40), rng.choice([None, 0])
        cost = max(1, alone["hits"] - alone.get("base", 0))
        most = alone["members"] * alone.get("limit", 1)
        quotient, rest = divmod(hits + alone["markers"], cost)
        result = apply([alone], hits, focus)
        assert result.points == (min(quotient, most),)
        if quotient < most:
            assert (result.markers, result.lost) == ((rest,), 0)
        else:
            assert (result.markers, result.lost) == ((0,), hits + alone["markers"] - most * cost)


def test_law_one_unit_with_a_threshold_is_plain_division_by_the_roll(apply: Apply) -> None:
    rng = random.Random(8)
    for _ in range(200):
        value, threshold, hits = rng.randint(1, 4), rng.randint(1, 4), rng.randint(0, 40)
        result = apply([unit(rng.randint(1, 3), value, threshold=threshold)], hits)
        n_rolls, rest = divmod(hits, value * threshold)
        assert (result.rolls, result.points) == ((n_rolls,), (n_rolls * threshold,))
        assert (result.casualties, result.markers, result.lost) == ((0,), (rest,), 0)


def has_ties(body: list[Unit]) -> bool:
    """Whether two groups, or two units of one group, are of one size."""
    values = {u["hits"] for u in body}
    totals = [sum(u["members"] for u in body if u["hits"] == v) for v in values]
    pairs = [(u["hits"], u["members"]) for u in body]
    return len(set(totals)) < len(totals) or len(set(pairs)) < len(pairs)


def test_law_order_of_the_list_does_not_matter_without_ties(apply: Apply) -> None:
    tried = 0
    for body, hits, focus in cases(9, 250):
        if has_ties(body) or len(body) == 1:
            continue
        tried += 1
        result = apply(body, hits, focus)
        for order in permutations(range(len(body))):
            moved = None if focus is None else order.index(focus)
            again = apply([body[i] for i in order], hits, moved)
            assert again.points == tuple(result.points[i] for i in order)
            assert again.markers == tuple(result.markers[i] for i in order)
            assert again.lost == result.lost
    assert tried > 80


def test_law_a_split_unit_takes_what_it_took_whole(apply: Apply) -> None:
    rng = random.Random(10)
    for _ in range(300):
        whole, other = unit(rng.randint(2, 9), rng.randint(1, 3)), unit(rng.randint(1, 9), 4)
        first = rng.randint(1, whole["members"] - 1)
        parts = [unit(first, whole["hits"]), unit(whole["members"] - first, whole["hits"])]
        hits = rng.randint(0, 40)
        one, two = apply([whole, other], hits), apply([*parts, other], hits)
        assert one.points == (two.points[0] + two.points[1], two.points[2])
        assert one.markers == (two.markers[0] + two.markers[1], two.markers[2])
        assert one.lost == two.lost
