"""Groves: exchanges that come to the same are one, whatever they were followed through."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from affray.core.errors import LimitError
from affray.core.fight import UNKNOWN
from affray.core.meter import Meter, metered
from affray.core.node import At
from affray.core.unknown import OWN_UNKNOWN
from affray.engine.exchange.game import Game
from affray.engine.exchange.kernel import Kernel
from affray.engine.fight.duels import grove as groves
from affray.engine.fight.duels.grove import Grove
from affray.engine.fight.duels.tree import Rolls, Tree
from tests.engine import skirmish as game
from tests.engine.skirmish import Fencer, Turn, skirmish

SHEET = Fencer("A", 3, 2, finishes=2)
TURN: At[Any] = At(game.choose_move, Turn(SHEET, 1, 1, False, 2))
HELD: At[Any] = At(game.choose_move, Turn(SHEET, 1, 1, False, UNKNOWN))  # type: ignore[arg-type]  # as fights do
EFFECT: Any = game._effect


def grove(seams: frozenset[Any] = frozenset()) -> Grove:
    game_of = Game(skirmish(), TURN)
    return Grove(lambda: Kernel(game_of, lifts=False, seams=seams), EFFECT, lambda at: at)


def test_what_lies_beyond_a_seam_comes_to_the_same() -> None:
    """The skirmish's steps as seams, one after the other, and all of them."""
    steps = [step for step in skirmish().steps if step is not TURN.step]
    plain = grove()
    whole, _ = plain.tree(plain.place(TURN, 2, 10_000)[0])
    for seams in ([], *([step] for step in steps), steps):
        trees = grove(frozenset(seams))
        for left in (1, 2, 3):
            trees.place(HELD, left, 10_000)
        at, _ = trees.place(HELD, 2, 10_000)
        known, looked = trees.place(TURN, 2, 10_000)
        assert not looked
        assert known == at
        assert told_by_pairs(trees.tree(at)[0]) == told_by_pairs(whole)


def test_rolls_that_only_rolls_lead_to_are_seen_through() -> None:
    trees = grove()
    a, b, c = (trees.number(groves._End((name, ""))) for name in "abc")
    strike = trees.number(groves._Roll((a, b), (1, 1)))
    wound = trees.number(groves._Roll((c, strike), (2, 1)))
    late = trees.number(groves._Pick((b, c), 1))
    last = trees.number(groves._Roll((strike, late), (3, 1)))
    first = trees.number(groves._Pick((wound, last), 0))
    root = trees.number(groves._Roll((a, first, wound), (1, 2, 3)))
    tree, now = trees.tree(root)
    assert tree.pairs == (("a", ""), ("b", ""), ("c", ""))
    assert {*now} == {a, b, c, late, last, wound, first, root}, "nobody may choose the strike"
    assert now[root] == tree.n_places - 1
    ends, half = np.array([[6.0], [12.0], [24.0]]), np.array([0.5, 0.5])
    assert half @ ends[:2] == 9
    values, _ = tree.backward(ends, np.zeros((tree.n_picks, 1), np.int8), (1, -1), 0.0)
    # A wound: two in three 24, else 9; later: three in four 9, else the target takes 12.
    expected = {wound: 19, late: 12, last: 9.75, first: 19, root: (6 + 2 * 19 + 3 * 19) / 6}
    for place, value in expected.items():
        assert values[now[place], 0] == pytest.approx(value, abs=1e-14)
    by_hand = [(1 + 5 / 6) / 6, 5 / 36, 5 * 2 / 3 / 6]
    picked = np.zeros((tree.n_picks, 1), np.int8)
    assert tree.forward(picked)[:, 0] == pytest.approx(by_hand, abs=1e-15)
    only, at = trees.tree(a)
    assert (only.pairs, [*only.layers], at) == ((("a", ""),), [], {a: 0})


def told_by_pairs(tree: Tree) -> Any:
    """All that a tree is, however its places are numbered."""
    told: list[Any] = [*tree.pairs]
    for layer in tree.layers:
        if isinstance(layer, Rolls):
            for row in layer.chances.toarray():
                told.append(
                    frozenset((told[n], round(p, 14)) for n, p in enumerate(row.tolist()) if p)
                )
        else:
            for whose, to in zip(layer.whose.tolist(), layer.to.tolist(), strict=True):
                told.append((whose, tuple(told[n] for n in to)))
    return told[-1]


def test_equal_exchanges_are_one_place_though_a_fresh_kernel_was_begun(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(groves, "MOST_KEPT", 0)
    trees = grove(frozenset({game.dodge}))
    first = [trees.place(HELD, left, 10_000) for left in (1, 3, 1, 3)]
    assert first[:2] == first[2:]
    assert first[0] != first[1]
    assert trees.n_followed > len(trees.kernel)


def test_places_of_kernels_that_were_dropped_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groves, "MOST_KEPT", 0)
    trees = grove()
    trees.place(TURN, 2, 10_000)
    followed = trees.n_followed
    with pytest.raises(LimitError, match="places"):
        trees.place(HELD, 2, followed + 1)
    trees.place(HELD, 2, 10 * followed)
    assert trees.n_followed > followed


def test_an_exchange_that_begins_with_a_look_is_what_lies_beyond() -> None:
    trees = grove()
    trees.places_of(HELD, [1, 2, 3], 10_000)
    veiled = next(n for n, place in enumerate(trees.places) if isinstance(place, groves._Veiled))
    assert all(
        not trees.veils[one] for one in trees._hidden.with_parts(trees, veiled, [1, 2], 10_000)
    )


def test_several_hidden_parts_come_to_what_each_comes_to() -> None:
    together = grove()
    lefts = [3, 1, 2, 1, 9]
    numbers, looked = together.places_of(HELD, lefts, 10_000)
    assert looked
    assert numbers[1] == numbers[3]
    assert len({*numbers}) > 1
    for left, number in zip(lefts, numbers, strict=True):
        alone = grove()
        tree, _ = alone.tree(alone.place(HELD, left, 10_000)[0])
        assert told_by_pairs(together.tree(number)[0]) == told_by_pairs(tree)
    assert together.places_of(HELD, [2, 7], 10_000)[0][0] == numbers[2]
    known, looked = together.places_of(TURN, [1, 2], 10_000)
    assert known == [numbers[2]]
    assert not looked


def test_what_is_hidden_of_whoever_acts_is_filled_in_as_well() -> None:
    """Wherever seams are: before anybody looks at it, after, and where the exchange begins."""
    steps = [step for step in skirmish().steps if step is not TURN.step]
    for seams in ([], *([step] for step in steps), [*steps, TURN.step]):
        trees, alone = grove(frozenset(seams)), grove()
        at = At(TURN.step, TURN.facts._replace(mine=OWN_UNKNOWN, left=UNKNOWN))
        for mine in (2, 0, 1, 2):
            numbers, looked = trees.places_of(at, [3, 1, 9], 10_000, [mine])
            known = At(TURN.step, HELD.facts._replace(mine=mine))
            expected, does = alone.places_of(known, [3, 1, 9], 10_000)
            assert looked == does == (mine > 0), "only for luck can anybody be finished off"
            for number, other in zip(numbers, expected, strict=True):
                assert not trees.veils[number]
                assert told_by_pairs(trees.tree(number)[0]) == told_by_pairs(alone.tree(other)[0])
        (number,), _ = trees.places_of(TURN, [1], 10_000, [2])
        assert number == trees.places_of(at, [2], 10_000, [1])[0][0], "nothing is unknown there"


def test_an_end_may_depend_on_what_is_hidden_of_both() -> None:
    def effect(facts: Any, role: str) -> Any:
        return facts.mine + 1 if role == "actor" else facts.theirs + 1

    plain = grove()
    trees = Grove(plain._fresh, effect, lambda at: at)
    at: Any = At(game.stop, TURN.facts._replace(mine=OWN_UNKNOWN, theirs=UNKNOWN))
    numbers, looked = trees.places_of(at, [5, 6], 10_000, [2])
    assert looked
    assert [trees.tree(number)[0].pairs for number in numbers] == [((3, 6),), ((3, 7),)]


def test_hidden_parts_with_the_same_key_are_filled_in_once() -> None:
    asked: list[int] = []

    def key(at: At[Any], part: Any) -> Any:
        asked.append(part)
        return min(part, SHEET.finishes + 1)

    plain = grove()
    trees = Grove(plain._fresh, EFFECT, lambda at: at, key)
    lefts = [1, 2, 3, 4, 5]
    numbers, _ = trees.places_of(HELD, lefts, 10_000)
    every = [plain.place(HELD, left, 10_000)[0] for left in lefts]
    assert {*asked} == {*lefts}
    for number, other in zip(numbers, every, strict=True):
        assert told_by_pairs(trees.tree(number)[0]) == told_by_pairs(plain.tree(other)[0])
    assert trees.n_followed <= plain.n_followed
    assert len(trees.beyond) < len(plain.beyond)


def test_too_many_places_are_told() -> None:
    with pytest.raises(LimitError, match="over 10 places"):
        grove().place(TURN, 2, 10)


def test_places_that_a_kernel_knows_take_time_too() -> None:
    class Spent(Meter):
        def tick(self, work: int = 1) -> None:
            raise LimitError("no time", limit="seconds")

    trees = grove()
    trees.kernel.number(TURN, 10_000)
    with metered(Spent()), pytest.raises(LimitError, match="no time"):
        trees.place(TURN, 2, 10_000)
