"""Pairs with ways to begin: only ways that differ in what may follow are told apart."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from affray.engine.fight.duels.beginning import starts_of
from affray.engine.fight.duels.optimal import BestDuel
from affray.engine.fight.duels.spots import _first_alike
from affray.engine.fight.duels.strategy import Strategy
from tests.engine.skirmish import Fencer, skirmish, skirmish_of

BOTH = Fencer("Quick", 3, 1, speed=1), Fencer("Slow", 3, 0, ("light", "hard"))


@pytest.fixture(name="strategy", scope="module")
def made() -> Strategy:
    duel = BestDuel(skirmish_of(*BOTH, None, system=skirmish(die=2)))
    starts = starts_of(duel.contest, duel.duelists)
    return Strategy(duel, [np.asarray(duel._by_pair(start)) for start in starts])


def leads(strategy: Strategy, begin: int) -> np.typing.NDArray[np.float64]:
    lead = np.asarray(strategy.begins[begin], np.float64)
    return np.broadcast_to(lead.ravel(), (strategy.sweep.n_pairs,))


def after(strategy: Strategy, pair: int) -> set[int]:
    """The pairs that may start a round or stand in one from a pair on, whatever is picked."""
    ways, slots = strategy.spots.ways, range(len(strategy.sweep.slots))
    seen, waiting = {pair}, [pair]
    while waiting:
        here = np.array([waiting.pop()])
        for number in slots:
            attack = int(ways.attack(number, here)[0])
            for there in ways.there(number, attack, here)[:, 0].tolist():
                if ways.on[there] and there not in seen:
                    seen.add(there)
                    waiting.append(there)
    return seen


def test_ways_to_begin_that_share_a_spot_have_the_same_leads_ever_after(strategy: Strategy) -> None:
    n, spots = len(strategy.begins), strategy.spots
    begins = strategy.seen[0] | strategy.seen[len(strategy.seen) // 2]
    rounds = set(spots.pair[begins].tolist())
    shared = 0
    for pair in np.unique(spots.pair[np.any(strategy.seen, axis=0)]).tolist():
        future = sorted(after(strategy, pair) & rounds)
        for one, other in product(range(n), repeat=2):
            if one < other and spots.of[pair, one] == spots.of[pair, other]:
                shared += 1
                assert (leads(strategy, one)[future] == leads(strategy, other)[future]).all()
    assert shared > 0


def test_ways_that_differ_at_a_pair_are_spots_of_their_own(strategy: Strategy) -> None:
    n, spots = len(strategy.begins), strategy.spots
    apart = 0
    for spot in np.nonzero(strategy.seen[0])[0].tolist():
        pair = int(spots.pair[spot])
        for one, other in product(range(n), repeat=2):
            if leads(strategy, one)[pair] != leads(strategy, other)[pair]:
                apart += 1
                assert spots.of[pair, one] != spots.of[pair, other]
    assert apart > 0


def test_each_spot_is_a_pair_with_the_first_of_its_ways(strategy: Strategy) -> None:
    spots = strategy.spots
    for spot in range(spots.n):
        ways = np.nonzero(spots.of[spots.pair[spot]] == spot)[0]
        assert ways[0] == spots.begin[spot]
    assert sorted(set(spots.of.ravel().tolist())) == list(range(spots.n))
    settled = np.concatenate([level.pairs for level in spots.levels])
    assert len(np.unique(settled)) == len(settled)


def test_one_way_to_begin_needs_no_spots() -> None:
    strategy = Strategy(BestDuel(skirmish_of(*BOTH)), 1.0)
    assert strategy.spots.n == strategy.sweep.n_pairs
    assert (strategy.spots.pair == strategy.spots.of[:, 0]).all()


def test_ways_are_told_apart_by_whatever_differs() -> None:
    both = [(0, 1), (0, 2), (1, 2)]
    assert _first_alike(np.array([0b000]), both, 3) == [0, 0, 0]
    assert _first_alike(np.array([0b011]), both, 3) == [0, 1, 1]
    assert _first_alike(np.array([0b101]), both, 3) == [0, 1, 0]
    assert _first_alike(np.array([0b111]), both, 3) == [0, 1, 2]
