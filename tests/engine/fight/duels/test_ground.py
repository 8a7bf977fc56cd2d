"""The states of a duel that can come up: one row for all spots that share an exchange."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from affray.core.errors import LimitError
from affray.engine.budget import Budget, spending
from affray.engine.fight.duels import ground as grounds
from affray.engine.fight.duels.beginning import starts_of
from affray.engine.fight.duels.ground import Ground, ground_of
from affray.engine.fight.duels.optimal import BestDuel
from affray.engine.fight.duels.strategy import Strategy
from tests.engine.skirmish import Fencer, skirmish, skirmish_of

BOTH = (
    Fencer("Frail", 2, 1, bleeds=1),
    Fencer("Other", 3, 0, ("light", "hard", "guard"), bleeds=2),
)


def rolled_off() -> tuple[BestDuel, Ground]:
    """A duel in which it may be open in each round who goes first."""
    system = skirmish(actions=2, die=2)
    assert system.fight is not None
    steady = replace(system.fight, initiative=lambda sheet, body, rulings: (0, 0))
    duel = BestDuel(skirmish_of(*BOTH, None, system=replace(system, fight=steady)))
    ground = duel._open_order()
    assert ground is not None
    return duel, ground


def test_each_spot_has_the_row_of_the_one_that_stands_for_it() -> None:
    _, ground = rolled_off()
    spots = ground.spots
    shared = 0
    for number, (rows, seen) in enumerate(zip(ground.rows, ground.seen, strict=True)):
        found = ground.rows_of(number)
        assert (found >= 0).tolist() == seen.tolist()
        some = np.flatnonzero(seen)
        alike = spots.alike(number, some)
        assert rows.spots[found[some]].tolist() == alike.tolist()
        assert rows.spots.tolist() == sorted(set(alike.tolist()))
        assert rows.attack.tolist() == spots.attack(number, rows.spots).tolist()
        shared += len(some) - len(rows.spots)
    assert shared > 0


def test_no_order_is_open_where_initiative_decides_or_one_side_goes_first() -> None:
    duel = BestDuel(skirmish_of(*BOTH, "one"))
    assert duel._open_order() is None


def test_an_order_for_good_is_not_begun_if_it_takes_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with spending(Budget(seconds=20)):
        _, ground = rolled_off()
        n_states = [
            sum(int(seen.sum()) for seen in ground.in_order(first).seen) for first in (0, 1)
        ]
        monkeypatch.setattr(grounds, "LEAST_S", 100)
        for first, n in enumerate(n_states):
            with pytest.raises(LimitError, match=f"best play in {n} states takes some"):
                ground.in_order(first)


def test_states_are_foreseen_before_ways_to_begin_are_told_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In that order: what takes too long is not begun, and what is in reserve goes to the rest."""
    duel, _ = rolled_off()
    told: list[tuple[str, float]] = []
    with spending(Budget(seconds=20)) as clock:
        monkeypatch.setattr(clock, "reserve", lambda seconds: told.append(("reserve", seconds)))
        monkeypatch.setattr(clock, "foresee", lambda seconds, what: told.append((what, seconds)))
        ground = ground_of(duel, [1.0])
    n = sum(int(seen.sum()) for seen in ground.seen)
    assert told == [
        ("reserve", n * grounds.USUAL_S),
        (f"best play in {n} states", n * grounds.LEAST_S),
    ]


def test_orders_for_good_have_the_states_of_an_order_that_is_rolled_off() -> None:
    duel, rolled = rolled_off()
    for first in (0, 1):
        ground = rolled.in_order(first)
        alone = Strategy(duel, 1.0 - first)
        shared = Strategy(duel, 1.0 - first, ground=ground)
        assert [slot.actor.side for slot in ground.sweep.slots] == [
            slot.actor.side for slot in alone.sweep.slots
        ]
        for strategy in (alone, shared):
            strategy.solve()
        for place, seen in enumerate(alone.seen):
            spots = shared.spots.of[alone.spots.pair[seen], 0]
            assert shared.seen[place][spots].all()
            assert shared.values[place, spots] == pytest.approx(
                alone.values[place, seen], abs=1e-12
            )
        assert shared.leads.tolist() == [1.0 - first] * shared.spots.n


def test_a_fight_that_begins_anywhere_comes_to_more() -> None:
    moves = ("light", "hard", "guard")
    duel = BestDuel(skirmish_of(Fencer("A", 2, moves=("guard",)), Fencer("B", 3, moves=moves)))
    here, anywhere = ground_of(duel, [1.0]), ground_of(duel, [1.0], everywhere=True)
    counts = [[int(seen.sum()) for seen in ground.seen] for ground in (here, anywhere)]
    assert 0 < sum(counts[0]) < sum(counts[1])
    assert not here.spots.ways._effects  # they take much memory


def test_ways_to_begin_come_to_what_each_comes_to_by_itself_and_no_more() -> None:
    both = Fencer("Quick", 3, 1, speed=1), Fencer("Slow", 3, 0, ("light", "hard"))
    duel = BestDuel(skirmish_of(*both, None, system=skirmish(die=2)))
    begins = [np.asarray(duel._by_pair(start)) for start in starts_of(duel.contest, duel.duelists)]
    together = ground_of(duel, begins)
    alone = [ground_of(duel, [begin]) for begin in begins]
    assert len(alone) > 1
    for number, seen in enumerate(together.seen):
        spots = [
            together.spots.of[one.spots.pair[one.seen[number]], begin]
            for begin, one in enumerate(alone)
        ]
        assert np.flatnonzero(seen).tolist() == np.unique(np.concatenate(spots)).tolist()
