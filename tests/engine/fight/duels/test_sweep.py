"""Sweeps: what is settled before what, how much at once, and which exchange a turn calls for."""

from __future__ import annotations

import numpy as np
import pytest

from affray.engine.fight.contest import Contest
from affray.engine.fight.duels import sweep as sweeps
from affray.engine.fight.duels.answers import ROUNDS
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.exact import solve_exactly
from affray.engine.fight.duels.optimal import BestDuel
from affray.engine.fight.duels.sweep import Blocks, Level, Moves, Sweep
from tests import fight_systems as games
from tests.engine.fight.duels.test_places import come_up
from tests.engine.noting import noting
from tests.fight_systems import Fighter

PAIRS = {
    "nobody heals": games.contest(games.slugging, Fighter("A", 4), Fighter("B", 5, armor=1), "one"),
    "one heals": games.contest(games.healing, Fighter("A", 4, heals=1), Fighter("B", 5), "other"),
    "both heal": games.contest(
        games.healing, Fighter("A", 4, armor=2, heals=2), Fighter("B", 3, armor=2, heals=1), "one"
    ),
    "either may go first": games.contest(
        games.hurrying, Fighter("A", 3, armor=1, speed=1), Fighter("B", 4, armor=2)
    ),
    "they hide": games.contest(
        games.hiding, Fighter("A", 4, armor=1, heals=1, speed=2), Fighter("B", 5, armor=1, speed=3)
    ),
}  # fmt: skip


def sweep_of(contest: Contest) -> Sweep:
    ((sweep, _),) = Duel(contest)._sweeps
    return sweep


@pytest.mark.parametrize("contest", PAIRS.values(), ids=PAIRS)
def test_an_exchange_leads_to_the_same_block_or_to_what_is_settled(contest: Contest) -> None:
    sweep = sweep_of(contest)
    on, done = sweep.going_on().ravel(), ~sweep.going_on().ravel()
    for level in sweep.levels():
        whole = level.pairs.reshape(-1, level.size)
        for number in range(len(sweep.slots)):
            moves = sweep.moves(level.pairs, number)
            stays = np.zeros((len(level.pairs), level.size))
            np.add.at(stays, (moves.at, moves.target), moves.stays)
            for place, (there, chance) in enumerate(zip(moves.there, moves.chance, strict=True)):
                block = whole[place // level.size]
                assert chance.sum() == pytest.approx(1)
                assert all(done[pair] or pair in block for pair in there[chance > 0])
                inside = [chance[there == pair].sum() for pair in block]
                assert stays[place] == pytest.approx(inside, abs=1e-15)
        done[level.pairs] = True
    assert done.all()
    every = np.flatnonzero(on)
    assert sorted(np.concatenate([level.pairs for level in sweep.levels()])) == every.tolist()
    # The same blocks, for some of the pairs; whoever comes back to whom is in the same block.
    some = every[::2]
    together = sweep.blocks(some)
    told = [
        (level.size, set(block) & set(some.tolist()))
        for level in sweep.levels()
        for block in level.pairs.reshape(-1, level.size).tolist()
    ]
    found = [
        set(block.tolist())
        for blocks in together
        for block in np.split(blocks.pairs, blocks.starts[1:])
    ]
    assert sorted(map(sorted, found)) == sorted(sorted(block) for _, block in told if block)
    assert [len(block) for block in found] == np.concatenate(
        [blocks.sizes for blocks in together]
    ).tolist()


@pytest.mark.parametrize("contest", PAIRS.values(), ids=PAIRS)
def test_a_sweep_back_comes_to_what_fractions_come_to(contest: Contest) -> None:
    exact, duel = solve_exactly(contest), Duel(contest)
    ((_, starts),) = duel._sweeps
    values = [
        Sweep(duel.duelists, duel.attacks, start.leads).run(duel.questions, ROUNDS)
        for start in starts
    ]
    chances = [float(start.case.chance) for start in starts]
    found = sum(
        chance * every[0, duel.start_pair] for chance, every in zip(chances, values, strict=True)
    )
    assert found[:2] == pytest.approx(tuple(map(float, exact.won)), abs=1e-12)
    if exact.rounds is not None:  # else they may hide from each other for ever
        assert found[ROUNDS] == pytest.approx(float(exact.rounds), rel=1e-12)


@pytest.mark.parametrize("contest", PAIRS.values(), ids=PAIRS)
def test_a_round_may_begin_with_all_that_come_up_at_its_start(contest: Contest) -> None:
    duel = Duel(contest)
    ((sweep, starts),) = duel._sweeps
    every = come_up(duel, sweep, [start.leads for start in starts])
    may = sweep.at_rounds()
    for number in (0, len(sweep.slots) // 2) if sweep.offset else (0,):
        assert (may | ~every[number]).all()
        assert may[np.ix_(*sweep.standing[number])].all()
    assert not (may & ~sweep.going_on()).any()


def test_states_are_counted_before_each_exchange() -> None:
    """All pairs in which both have points left, if nobody knows who comes up where."""
    duel = Duel(PAIRS["nobody heals"])
    everywhere = Sweep(duel.duelists, duel.attacks, 1.0)
    assert everywhere.n_states == 2 * 4 * 5
    assert sweep_of(PAIRS["nobody heals"]).n_states <= 2 * 4 * 5
    # Each blow takes a point, and each side is looked at by itself: before the first blow of a
    # round one has 2 or 1 left and the other 3, 2 or 1; before the second one both have 2 or 1.
    both = Fighter("A", 2, sides=1), Fighter("B", 3, sides=1)
    assert sweep_of(games.contest(games.slugging, *both, "one")).n_states == 2 * 3 + 2 * 2


def test_an_order_of_turns_of_which_no_places_are_known_is_swept_everywhere() -> None:
    both = Fighter("A", 4), Fighter("B", 5, armor=1)
    duel = Duel(games.contest(games.slugging, *both, "one"))
    sweep = Sweep(duel.duelists, duel.attacks, 0.0, places=duel.closure.places)
    assert sweep.n_states == 2 * 4 * 5
    exact = solve_exactly(games.contest(games.slugging, *both, "other"))
    found = sweep.run(duel.questions, ROUNDS)[0, duel.start_pair]
    assert found[:2] == pytest.approx(tuple(map(float, exact.won)), abs=1e-12)


def test_of_three_blows_in_a_turn_those_that_are_allowed_are_struck() -> None:
    """Every blow takes a point: two in a turn of six and three of five."""
    system = games._system(actions=3, actions_of=lambda sheet, body: sheet.quickness)
    one = Fighter("Two blows", 6, sides=2, hits=1, quickness=2)
    other = Fighter("Three blows", 5, sides=2, hits=1, quickness=3)
    # 5 - 2, 6 - 3, 3 - 2, 3 - 3: the second one wins with a point left.
    contest = games.contest(system, one, other, "one")
    for result in (Duel(contest).solve(), BestDuel(contest).solve(), solve_exactly(contest)):
        assert [float(won) for won in result.won] == [0, 1]
        assert result.rounds == 2


# -- how much at once ------------------------------------------------------------------------------


def test_levels_are_prepared_together_as_long_as_there_is_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sweep = sweep_of(PAIRS["nobody heals"])
    width = sum(arrays.mine.shape[1] for arrays in sweep.arrays)
    monkeypatch.setattr(sweeps, "AT_ONCE", 5 * width)
    levels = [Level(np.arange(size), 1) for size in (2, 3, 1, 4, 6, 1, 5)]
    batches = [[len(level.pairs) for level in batch] for batch in sweep.batches(levels)]
    assert batches == [[2, 3], [1, 4], [6], [1], [5]]
    assert not list(sweep.batches([]))


def test_a_sweep_claims_its_table_and_looks_at_the_clock_before_each_batch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    duel = Duel(PAIRS["either may go first"])
    ((sweep, _),) = duel._sweeps
    monkeypatch.setattr(sweeps, "AT_ONCE", 1)
    with noting() as clock:
        values = sweep.run(duel.questions, ROUNDS)
    # A round of two exchanges in either order, and its start.
    assert values.shape[:2] == (5, 4 * 5)
    assert (values.nbytes, "100 states with") in [(n, what[:15]) for n, what in clock.claims]
    assert (
        clock.polls == np.cumsum([0, *(len(level.pairs) for level in sweep.levels())])[:-1].tolist()
    )
    assert clock.now.wanted == np.count_nonzero(sweep.going_on())


# -- parts of what is settled together -------------------------------------------------------------


def test_blocks_of_which_only_some_are_left() -> None:
    blocks = Blocks(np.array([7, 3, 9, 4, 5]), np.array([0, 2, 3]))
    assert blocks.sizes.tolist() == [2, 1, 2]
    assert blocks.only(np.ones(5, np.bool_)) is blocks
    few = blocks.only(np.array([False, True, False, True, True]))
    assert (few.pairs.tolist(), few.starts.tolist()) == ([3, 4, 5], [0, 1])
    none = blocks.only(np.zeros(5, np.bool_))
    assert not len(none.pairs)
    assert none.only(np.zeros(0, np.bool_)) is none
    last = blocks.part(1, 9)
    assert (last.pairs.tolist(), last.starts.tolist()) == ([9, 4, 5], [0, 1])
    assert blocks.part(0, 2).pairs.tolist() == [7, 3, 9]


def test_moves_of_some_pairs_are_counted_from_the_first_of_them() -> None:
    there = np.arange(8).reshape(4, 2)
    at, target, stays = np.array([0, 1, 1, 3]), np.array([5, 6, 7, 8]), np.array([1, 2, 3, 4]) / 8
    moves = Moves(there, there / 16, at, target, stays)
    part = moves.part(1, 3)
    assert part.there.tolist() == [[2, 3], [4, 5]]
    assert part.chance.tolist() == [[2 / 16, 3 / 16], [4 / 16, 5 / 16]]
    assert (part.at.tolist(), part.target.tolist()) == ([0, 0], [6, 7])
    assert part.stays.tolist() == [2 / 8, 3 / 8]
    assert moves.part(3, 4).at.tolist() == [0]
