"""Pairs with ways to begin: only ways that differ in what may follow are told apart."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from affray.engine.fight.duels.ahead import always, by_pair
from affray.engine.fight.duels.beginning import Leads, starts_of
from affray.engine.fight.duels.optimal import BestDuel
from affray.engine.fight.duels.reached import Ways
from affray.engine.fight.duels.spots import Spots, _first_alike
from affray.engine.fight.duels.strategy import Strategy
from affray.engine.fight.duels.sweep import Blocks, Sweep
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
    assert sorted({*spots.of.ravel().tolist()} - {-1}) == list(range(spots.n))
    settled = np.concatenate([level.pairs for level in spots.levels])
    assert len(np.unique(settled)) == len(settled)


def test_ways_that_settle_the_order_for_good_are_solved_by_themselves() -> None:
    system = skirmish(die=2)
    assert system.fight is not None
    steady = replace(system.fight, initiative=lambda sheet, body, rulings: (0, 0))
    duel = BestDuel(skirmish_of(*BOTH, None, system=replace(system, fight=steady)))
    assert not duel._side_by_side
    every = list(starts_of(duel.contest, duel.duelists))
    assert sorted(np.mean(duel._by_pair(start)) for start in every) == [0, 1]
    together = Strategy(duel, [duel._by_pair(start) for start in every])
    together.solve()
    spots = together.spots.of[duel.start_pair].tolist()
    worth = {case.name: row.won[0] + row.drawn / 2 for case, row in duel.solve().cases}
    for start, spot in zip(every, spots, strict=True):
        assert worth[start.case.name] == pytest.approx(0.5 + together.values[0, spot], abs=1e-12)
    told = duel.opening()
    assert {row.case for row in told} == {start.case.name for start in every}
    again = Strategy(duel, 1.0)
    again.solve()
    assert again.values[0, again.spots.of[duel.start_pair, 0]] + 0.5 == pytest.approx(
        worth[next(start.case.name for start in every if start.leads == 1.0)], abs=1e-12
    )
    varied = BestDuel(skirmish_of(*BOTH, None, system=skirmish(die=2)))
    assert varied._side_by_side
    assert {row.case for row in varied.opening()} == {case.name for case, _ in varied.solve().cases}


def test_only_pairs_that_come_up_have_spots() -> None:
    duel = BestDuel(skirmish_of(*BOTH))
    ways = Ways(Sweep(duel.duelists, duel.attacks, 1.0), duel.trees)
    seen = [np.zeros(ways.n, np.bool_) for _ in range(2)]
    up = np.flatnonzero(ways.on)[[0, 3, 4]]
    seen[0][up[:2]] = seen[1][up[1:]] = True
    spots = Spots(ways, seen, np.ones((ways.n, 1)))
    over = np.flatnonzero(~ways.on).tolist()
    assert spots.pair.tolist() == sorted(up.tolist() + over)
    assert spots.of[spots.pair, 0].tolist() == list(range(spots.n))
    assert (np.delete(spots.of, spots.pair) == -1).all()
    assert spots.on.tolist() == [pair in up for pair in spots.pair.tolist()]
    settled = np.concatenate([level.pairs for level in spots.levels])
    assert sorted(spots.pair[settled].tolist()) == up.tolist()
    one = spots.inside(settled[:1], settled[None, :])[0]
    assert one.tolist() == (spots.sweep.blocks_of(up) == spots.sweep.blocks_of(up[:1])).tolist()


def test_blocks_that_lose_all_their_pairs_are_gone() -> None:
    blocks = Blocks(np.array([5, 3, 8, 9, 2, 4]), np.array([0, 2, 3]))
    assert blocks.sizes.tolist() == [2, 1, 3]
    fewer = blocks.only(np.array([False, True, False, True, False, True]))
    assert (fewer.pairs.tolist(), fewer.starts.tolist()) == ([3, 9, 4], [0, 1])
    assert blocks.only(np.ones(6, np.bool_)) is blocks
    for start, stop, pairs, starts in (
        (0, 1, [5, 3], [0]), (1, 3, [8, 9, 2, 4], [0, 1]), (2, 9, [9, 2, 4], [0]),
    ):  # fmt: skip
        part = blocks.part(start, stop)
        assert (part.pairs.tolist(), part.starts.tolist()) == (pairs, starts)
    nothing = Blocks(np.zeros(0, np.int64), np.zeros(0, np.int64))
    assert nothing.only(np.zeros(0, np.bool_)) is nothing


def test_blocks_come_with_those_nearest_to_the_end_first() -> None:
    duel = BestDuel(skirmish_of(*BOTH))
    sweep = Sweep(duel.duelists, duel.attacks, 1.0)
    pairs = np.flatnonzero(sweep.going_on().ravel())
    whole = [(one.pairs.tolist(), one.size) for one in sweep.levels()]
    found = sweep.blocks(pairs)
    depth = {pair: n for n, (some, _) in enumerate(whole) for pair in some}
    in_order = [pair for one in found for pair in one.pairs.tolist()]
    assert sorted(in_order) == pairs.tolist()
    at = [depth[pair] for pair in in_order]
    assert at == sorted(at)
    for one in found:
        for start, size in zip(one.starts.tolist(), one.sizes.tolist(), strict=True):
            assert len({*sweep.blocks_of(one.pairs[start : start + size]).tolist()}) == 1


def test_ways_are_told_apart_by_whatever_differs() -> None:
    both = [(0, 1), (0, 2), (1, 2)]
    assert _first_alike(np.array([0b000]), both, 3) == [0, 0, 0]
    assert _first_alike(np.array([0b011]), both, 3) == [0, 1, 1]
    assert _first_alike(np.array([0b101]), both, 3) == [0, 1, 0]
    assert _first_alike(np.array([0b111]), both, 3) == [0, 1, 2]


def test_who_goes_first_is_told_by_pair_and_way() -> None:
    table, of = np.array([[1.0, 0.0], [0.5, 0.5]]), (np.array([0, 1]), np.array([0, 1, 0]))
    leads = Leads(table, of)
    assert always(leads) is None
    assert always(leads.always(0.5)) == always(0.5) == 0.5
    assert by_pair([leads], (2, 3))[:, 0].tolist() == [1, 0, 1, 0.5, 0.5, 0.5]
    found = by_pair([leads, 0.0], (2, 3))
    assert found.tolist() == [[1, 0], [0, 0], [1, 0], [0.5, 0], [0.5, 0], [0.5, 0]]
    assert by_pair([leads.always(0.5)], (2, 3)).tolist() == [[0.5]] * 6
    assert by_pair([1.0], (2, 3)).shape == (6, 1)


@pytest.mark.parametrize("bleeds", [0, 1])
def test_spots_come_to_those_of_the_pairs_that_theirs_come_to(bleeds: int) -> None:
    both = replace(BOTH[0], bleeds=bleeds), BOTH[1]
    duel = BestDuel(skirmish_of(*both, None, system=skirmish(die=2)))
    starts = starts_of(duel.contest, duel.duelists)
    strategy = Strategy(duel, [np.asarray(duel._by_pair(start)) for start in starts])
    spots, looked = strategy.spots, 0
    assert strategy.sweep.ends_change == bool(bleeds)
    assert len(np.unique(spots.begin)) > 1
    for number, seen in enumerate(strategy.seen):
        here = np.flatnonzero(seen)
        attacks = spots.attack(number, here)
        for attack in np.unique(attacks).tolist():
            some = here[attacks == attack]
            pairs = spots.ways.there(number, attack, spots.pair[some])
            there = spots.there(number, attack, some)
            assert there.tolist() == spots.of[pairs, spots.begin[some]].tolist()
            looked += there.size
    assert looked > 300
