"""What exchanges come to in shares, by hand."""

from __future__ import annotations

from typing import Any

import pytest

from affray.engine.fight.blending import Ends, Look, OpenEnd, Share, Tail
from affray.engine.fight.front import Front
from affray.engine.fight.sharing import adds_up, shares_of

PLACES: list[Any] = [OpenEnd((name,)) for name in ("one", "two", "three")]
WHOLE, HALF = Ends({0: 2, 3: 2}, 4), Ends({1: 1}, 2)


def _front(ends: Ends, looks: list[Look]) -> Front:
    return Front(None, ends, looks, {}, {}, {})


@pytest.mark.parametrize(
    ("ends", "looks", "whole"),
    [
        (Ends({0: 1}, 2), [Look(PLACES[0], 1, 4, WHOLE), Look(PLACES[1], 1, 4)], True),
        (Ends({0: 1}, 2), [Look(PLACES[0], 1, 4, HALF), Look(PLACES[1], 1, 4)], False),
        (Ends({0: 1}, 2), [Look(PLACES[0], 1, 2, HALF), Look(PLACES[1], 1, 4)], True),
        (Ends({}, 1), [Look(PLACES[0], 1, 1, WHOLE)], True),
        (Ends({0: 1}, 1), [Look(PLACES[0], 1, 1, WHOLE)], False),
        (Ends({0: 1, 2: 2}, 4), [Look(PLACES[0], 1, 4)], True),
    ],
)
def test_ends_and_looks_are_all_that_may_come_up(
    ends: Ends,
    looks: list[Look],
    whole: bool,
) -> None:
    assert adds_up(Tail(ends, looks)) == whole


def test_each_look_is_a_share_beside_what_is_settled() -> None:
    one, other, ends = Ends({5: 1}, 1), Ends({6: 1}, 1), Ends({0: 1}, 2)
    looks = [Look(PLACES[0], 1, 4, WHOLE), Look(PLACES[1], 1, 4)]
    settled = Share(ends, None, 1, 1)
    shares = [Share(one, WHOLE, 1, 4), Share(other, None, 1, 4)]
    assert shares_of(_front(ends, looks), [one, other]) == [settled, *shares]
    assert shares_of(_front(Ends({}, 1), looks), [one, other]) == shares


def test_looks_beyond_which_there_is_the_same_are_one_share() -> None:
    same, other = Ends({5: 1}, 1), Ends({5: 1}, 1)
    looks = [Look(place, 1, 3, own) for place, own in zip(PLACES, (WHOLE, HALF, HALF), strict=True)]
    put_together = shares_of(_front(Ends({}, 1), looks), [same, same, other])
    assert put_together == [
        Share(same, Ends({0: 2, 3: 2, 1: 2}, 12), 1, 1),
        Share(other, HALF, 1, 3),
    ]
    assert put_together[0].ends is same
    assert put_together[1].ends is other


def test_what_befalls_both_is_not_put_together_with_what_is_settled_apart() -> None:
    same = Ends({5: 1}, 1)
    looks = [Look(PLACES[0], 1, 3, WHOLE), Look(PLACES[1], 1, 3), Look(PLACES[2], 1, 3)]
    assert shares_of(_front(Ends({}, 1), looks), [same, same, same]) == [
        Share(same, WHOLE, 1, 3),
        Share(same, None, 1, 3),
        Share(same, None, 1, 3),
    ]
