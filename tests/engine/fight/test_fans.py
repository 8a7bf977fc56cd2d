"""Rolls whose readings lead to one thing each, against chances that are put together one by one."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest

from affray.engine.fight.blending import (
    Ends,
    Look,
    OpenEnd,
    Place,
    Tail,
    Wholes,
    joined,
    together,
)
from affray.engine.fight.fans import Fan
from affray.engine.fight.front import EffectOdds

PLACES: list[Place] = [OpenEnd(("waits", number)) for number in range(4)]


def wholes() -> Wholes:
    """Effects on the target that are numbered as they are called."""
    found = Wholes()
    for number in range(6):
        assert found.number(("none", f"hit {number}", ())) == number
    return found


def leads_to(number: int) -> Tail:
    return Tail(Ends({number: 3}, 3), [])


def waits_for(number: int) -> Tail:
    return Tail(Ends({}, 1), [Look(PLACES[number], 2, 2)])


def by_hand(tail: Tail, beyond: Sequence[Ends], known: Wholes) -> dict[object, Fraction]:
    """The chance of each pair of effects, once it is known what lies beyond the looks."""
    parts = [(tail.ends, None, 1, 1)]
    parts += [
        (ends, None, look.weight, look.total) for look, ends in zip(tail.looks, beyond, strict=True)
    ]
    weights, total = joined(parts, known)
    found: dict[object, Fraction] = {}
    for number, weight in weights.items():
        pair = known.pairs[number]
        found[pair] = found.get(pair, Fraction(0)) + Fraction(weight, total)
    return found


def chances(odds: EffectOdds) -> dict[object, Fraction]:
    assert len(set(odds.effects)) == len(odds.effects)
    return {
        pair: Fraction(way, odds.total)
        for pair, way in zip(odds.effects, odds.weights, strict=True)
    }


@pytest.mark.parametrize(
    "tails",
    [
        [leads_to(0), waits_for(1), waits_for(2)],
        [waits_for(2), leads_to(0), waits_for(1), leads_to(3)],
        [leads_to(0), leads_to(1), leads_to(0)],
        [waits_for(0), waits_for(1), waits_for(0), leads_to(4)],
        [waits_for(0)],
        [leads_to(5)],
    ],
)
@pytest.mark.parametrize("beyond", [(1, 2), (4, 1), (2, 2), (0, 0)])
def test_chances_pass_on_as_they_are(tails: list[Tail], beyond: tuple[int, int]) -> None:
    known = wholes()
    fan, ways = Fan(tails, known), (6, 10, 4, 2)[: len(tails)]
    tail = fan.tail(ways, sum(ways))
    plain = together(
        [(one, way, sum(ways)) for one, way in zip(tails, ways, strict=True)], [], [], known
    )
    assert tail.fanned is not None
    assert list(tail.ends.weights) == list(plain.ends.weights)
    assert [look.place for look in tail.looks] == [look.place for look in plain.looks]
    after = [Ends({number: 7}, 7) for number in beyond[: len(tail.looks)]]
    odds = fan.odds(tail.fanned, after)
    assert odds is not None
    assert chances(odds) == by_hand(plain, after, known) == by_hand(tail, after, known)
    assert list(odds.effects) == list(by_hand(plain, after, known))
    assert sum(odds.weights) == odds.total


def test_the_same_chances_are_the_same_numbers() -> None:
    fan = Fan([leads_to(0), waits_for(1), waits_for(2)], wholes())
    one, other = fan.tail((1, 2, 3), 6), fan.tail((10, 20, 30), 60)
    assert one.fanned == other.fanned
    assert one.fanned is not None
    after = [Ends({1: 1}, 1)] * 2  # the two looks come to the same: 5 in 6
    odds = fan.odds(one.fanned, after)
    assert odds == EffectOdds((("none", "hit 0"), ("none", "hit 1")), (1, 5), 6)
    assert fan.odds(one.fanned, after) == odds
    assert fan.odds(one.fanned, [Ends({1: 1}, 1), Ends({2: 1}, 1)]) != odds


@pytest.mark.parametrize(
    "tail",
    [
        Tail(Ends({0: 1, 1: 1}, 2), []),
        Tail(Ends({0: 1}, 2), [Look(PLACES[0], 1, 2)]),
        Tail(Ends({0: 1}, 1), [Look(PLACES[0], 1, 1)]),
        Tail(Ends({0: 1, 1: 1}, 2), [Look(PLACES[0], 1, 1)]),
        Tail(Ends({}, 1), [Look(PLACES[0], 1, 2), Look(PLACES[1], 1, 2)]),
        Tail(Ends({}, 1), [Look(PLACES[0], 1, 2)]),
        Tail(Ends({}, 1), [Look(PLACES[0], 1, 1, Ends({1: 1}, 1))]),
        Tail(Ends({}, 1), [Look(PLACES[0], 1, 1)], Ends({1: 1}, 1)),
        Tail(Ends({0: 1}, 1), [], Ends({1: 1}, 1)),
    ],
)
def test_readings_that_lead_to_several_things_are_put_together(tail: Tail) -> None:
    known = wholes()
    tails = [leads_to(2), tail]
    found = Fan(tails, known).tail((3, 4), 7)
    assert found == together([(leads_to(2), 3, 7), (tail, 4, 7)], [], [], known)
    assert found.fanned is None


def test_a_place_that_comes_to_several_effects_is_not_for_a_fan() -> None:
    fan = Fan([leads_to(0), waits_for(1)], wholes())
    fanned = fan.tail((1, 1), 2).fanned
    assert fanned is not None
    for several in (Ends({0: 1, 1: 1}, 2), Ends({0: 1}, 2)):
        assert fan.odds(fanned, (several,)) is None


def test_what_befalls_mates_is_told() -> None:
    known = wholes()
    helped = ((0, "marked"),)
    number = known.number(("none", "hit 9", helped))
    fan = Fan([leads_to(0), leads_to(number)], known)
    fanned = fan.tail((1, 2), 3).fanned
    assert fanned is not None
    odds = fan.odds(fanned, ())
    assert odds is not None
    assert odds.helped == ((), helped)
