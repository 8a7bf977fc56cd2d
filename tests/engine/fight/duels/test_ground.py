"""The states of a duel that can come up: one row for all spots that share an exchange."""

from __future__ import annotations

import numpy as np
import pytest

from affray.engine.budget import Budget, spending
from affray.engine.fight.duels import ground as grounds
from affray.engine.fight.duels.beginning import starts_of
from affray.engine.fight.duels.ground import Ground, ground_of
from affray.engine.fight.duels.optimal import BestDuel
from tests.engine.skirmish import Fencer, skirmish, skirmish_of

BOTH = (
    Fencer("Frail", 2, 1, bleeds=1),
    Fencer("Other", 3, 0, ("light", "hard", "guard"), bleeds=2),
)


def by_initiative() -> tuple[BestDuel, Ground]:
    """A duel in which who goes first depends on what both have lost."""
    duel = BestDuel(skirmish_of(*BOTH, None, system=skirmish(actions=2, die=2)))
    starts = starts_of(duel.contest, duel.duelists)
    return duel, ground_of(duel, [np.asarray(duel._by_pair(start)) for start in starts])


def test_each_spot_has_the_row_of_the_one_that_stands_for_it() -> None:
    _, ground = by_initiative()
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


def test_states_are_foreseen_before_ways_to_begin_are_told_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In that order: what takes too long is not begun, and what is in reserve goes to the rest."""
    duel, _ = by_initiative()
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
