"""Ends and looks that are put together, against plain probabilities."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from fractions import Fraction
from random import Random
from typing import NamedTuple

import pytest

from affray.core.node import At, End, Node
from affray.core.step import step
from affray.engine.fight.blending import (
    Ends,
    Look,
    OpenEnd,
    Place,
    Tail,
    Whole,
    Wholes,
    joined,
    mixed,
    together,
    waits_at,
)


class Blow(NamedTuple):
    """The facts at a place."""

    number: int


@step("TY-1")
def over(x: Blow) -> Node[Blow]:
    """It is over."""
    return End(x)


Meaning = dict[Hashable, Fraction]
"""The probability of each whole, and of each place with what befalls the actor before it."""
WHOLES: list[Whole] = [
    ("spends", "loses one", ()),
    ("spends", "loses two", ((0, "burns"),)),
    ("rests", "loses one", ((0, "burns"),)),
    ("rests", "dodges", ()),
]
PLACES: list[Place] = [
    At(over, Blow(0)), At(over, Blow(1)), OpenEnd(Blow(1)),  # type: ignore[arg-type]  # facts of the step
]  # fmt: skip


@pytest.fixture
def wholes() -> Wholes:
    known = Wholes()
    assert [known.number(whole) for whole in WHOLES] == [0, 1, 2, 3]
    return known


def _of_ends(ends: Ends, own: Ends | None, share: Fraction, wholes: Wholes) -> Meaning:
    """What ends mean that come up with a share."""
    found: defaultdict[Hashable, Fraction] = defaultdict(Fraction)
    for number, weight in ends.weights.items():
        chance = share * Fraction(weight, ends.total)
        actor, target, mates = wholes.wholes[number]
        for mine, way in [(None, 1)] if own is None else own.weights.items():
            whole = actor if mine is None else wholes.wholes[mine][0], target, mates
            found[whole] += chance * Fraction(way, 1 if own is None else own.total)
    return found


def _sum(parts: Iterable[Meaning]) -> Meaning:
    found: defaultdict[Hashable, Fraction] = defaultdict(Fraction)
    for part in parts:
        for key, chance in part.items():
            found[key] += chance
    return {key: chance for key, chance in found.items() if chance}


def _of_looks(looks: Iterable[Look], own: Ends | None, share: Fraction, wholes: Wholes) -> Meaning:
    found: defaultdict[Hashable, Fraction] = defaultdict(Fraction)
    for place, weight, total, mine in looks:
        before = mine or own
        chance = share * Fraction(weight, total)
        if before is None:
            found[id(place), None] += chance
            continue
        for number, way in before.weights.items():
            actor = wholes.wholes[number][0]
            found[id(place), actor] += chance * Fraction(way, before.total)
    return found


def _of_tail(tail: Tail, share: Fraction, wholes: Wholes) -> Meaning:
    ends = _of_ends(tail.ends, tail.own, share, wholes)
    return _sum([ends, _of_looks(tail.looks, tail.own, share, wholes)])


# -- random parts --------------------------------------------------------------------------------


def _ends(dice: Random, *, none: bool = True) -> Ends:
    numbers = dice.sample(range(len(WHOLES)), dice.randrange(0 if none else 1, 4))
    weights = {number: dice.randrange(1, 4) for number in numbers}
    return Ends(weights, sum(weights.values()) + dice.randrange(3) or 1)


def _tail(dice: Random) -> Tail:
    places = dice.sample(PLACES, dice.randrange(3))
    if dice.random() < 0.5:
        return Tail(_ends(dice), [Look(place, dice.randrange(1, 3), 4) for place in places])
    own = _ends(dice, none=False)
    return Tail(_ends(dice), [Look(place, dice.randrange(1, 3), 4) for place in places], own)


@pytest.mark.parametrize("seed", range(40))
def test_what_is_put_together_keeps_its_probability(seed: int, wholes: Wholes) -> None:
    dice = Random(seed)
    tails = [(_tail(dice), dice.randrange(1, 4), dice.choice((3, 5, 6))) for _ in range(4)]
    split = [(tail._replace(own=_ends(dice, none=False)), 1, 6) for tail, _, _ in tails[:2]]
    tails += split  # the rest of these is the same, so they are put together
    tails += [(tail._replace(looks=_tail(dice).looks), 1, 6) for tail, _, _ in split]
    tails += [(tail._replace(ends=_ends(dice)), 1, 6) for tail, _, _ in split]
    parts = [(_ends(dice), 1, 4)]
    looks = [Look(PLACES[0], 1, 8), Look(PLACES[0], 1, 6, _ends(dice, none=False))]
    expected = _sum([
        _of_ends(parts[0][0], None, Fraction(1, 4), wholes),
        _of_looks(looks, None, Fraction(1), wholes),
        *[_of_tail(tail, Fraction(weight, total), wholes) for tail, weight, total in tails],
    ])  # fmt: skip
    found = together(tails, parts, looks, wholes)
    assert found.own is None
    assert _of_tail(found, Fraction(1), wholes) == expected
    once = [(id(look.place), look.own is None) for look in found.looks]
    assert len(set(once)) == len(once)


@pytest.mark.parametrize("seed", range(20))
def test_ends_keep_their_probability(seed: int, wholes: Wholes) -> None:
    dice = Random(seed)
    rows = [
        (_ends(dice), dice.choice((None, _ends(dice, none=False))), dice.randrange(1, 4), 4)
        for _ in range(dice.randrange(1, 4))
    ]
    expected = _sum(
        _of_ends(ends, own, Fraction(weight, total), wholes) for ends, own, weight, total in rows
    )
    found = joined(rows, wholes)
    assert _sum([_of_ends(found, None, Fraction(1), wholes)]) == expected
    plain = [(ends, weight, total) for ends, _, weight, total in rows]
    expected = _sum(_of_ends(ends, None, Fraction(w, t), wholes) for ends, w, t in plain)
    assert _sum([_of_ends(mixed(plain), None, Fraction(1), wholes)]) == expected


def test_what_comes_up_for_sure_is_itself(wholes: Wholes) -> None:
    ends, nothing = Ends({0: 1, 2: 3}, 5), Ends({}, 1)
    assert mixed([(nothing, 1, 2), (ends, 6, 6)]) is ends
    assert joined([(nothing, None, 1, 2), (ends, None, 6, 6)], wholes) is ends
    assert mixed([(nothing, 1, 2)]) == nothing
    own = Ends({3: 1}, 1)
    assert joined([(ends, own, 6, 6)], wholes).weights.keys() == {
        wholes.number(("rests", "loses one", ())), 2,
    }  # fmt: skip


# -- single looks, and numbers -------------------------------------------------------------------


def test_an_exchange_waits_where_nothing_else_comes_up() -> None:
    at, ended = PLACES[0], PLACES[2]
    assert waits_at([Look(at, 3, 3)]) is at
    assert waits_at([]) is None
    assert waits_at([Look(at, 1, 3)]) is None
    assert waits_at([Look(at, 1, 2), Look(PLACES[1], 1, 2)]) is None
    assert waits_at([Look(at, 1, 1), Look(PLACES[1], 1, 1)]) is None
    assert waits_at([Look(at, 1, 1, Ends({0: 1}, 1))]) is None
    assert waits_at([Look(ended, 1, 1)]) is None


def test_each_whole_has_one_number(wholes: Wholes) -> None:
    assert wholes.known(WHOLES[2]) == wholes.number(WHOLES[2]) == 2
    fresh: Whole = ("rests", "loses two", ((0, "burns"),))
    assert wholes.known(fresh) is None
    assert wholes.crossed(3, 1) == wholes.crossed(2, 1) == 4
    assert wholes.known(fresh) == 4
    assert wholes.crossed(0, 1) == 1  # it spends there too
    assert wholes.wholes == [*WHOLES, fresh]
    assert wholes.pairs == [whole[:2] for whole in wholes.wholes]
