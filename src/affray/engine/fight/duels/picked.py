"""A duel under what both sides pick: a duel like any other."""

from __future__ import annotations

from copy import copy

import numpy as np
from numpy.typing import NDArray

from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.engine.fight.duels.strategy import Strategy
from affray.engine.fight.duels.sweep import AttackArrays, Sweep
from affray.engine.fight.duels.tree import Numbers

__all__ = ["sweeps_of"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class _Exchanges(NamedTuple):
    """Exchanges as they are decided: effects on both and probabilities, a row for each."""

    mine: Ints
    theirs: Ints
    chance: Floats


def sweeps_of(strategy: Strategy) -> list[tuple[Sweep, list[int]]]:
    """The duel under what is picked, like any other, and the ways to begin that pick alike."""
    found = [_compiled(strategy, number) for number in range(len(strategy.sweep.slots))]
    alike: dict[bytes, list[int]] = {}
    for begin in range(strategy.n):
        rows = b"".join(rows[:, begin].tobytes() for rows, _ in found)
        alike.setdefault(rows, []).append(begin)
    sweeps = []
    for begins in alike.values():
        sweep = copy(strategy.sweep)
        sweep.leads = strategy.begins[begins[0]]
        sweep.arrays = [
            _arrays(strategy, number, rows[:, begins[0]], made)
            for number, (rows, made) in enumerate(found)
        ]
        sweeps.append((sweep, begins))
    return sweeps


def _arrays(strategy: Strategy, number: int, of_row: Numbers, made: _Exchanges) -> AttackArrays:
    """The exchanges of a slot as they are decided for one way to begin."""
    acts = strategy.sweep.slots[number].actor.side
    rows = of_row[strategy.rows[number]].reshape(strategy.sweep.n)
    maps = strategy.sweep.maps[acts], strategy.sweep.maps[1 - acts]
    return AttackArrays(rows if acts == 0 else rows.T, *made, *maps, actor_stays=False)


def _compiled(strategy: Strategy, number: int) -> tuple[Numbers, _Exchanges]:
    """The exchange of each pair in a slot and each way to begin; and what each of them does."""
    slot = strategy.sweep.slots[number]
    attacks = strategy.attacks[slot.attacks]
    by_picks: dict[tuple[int, bytes], int] = {}
    known: dict[tuple[int, bytes], int] = {}
    found: list[tuple[int, Ints, Floats]] = []
    # The last row is of pairs that can't come up.
    of_row = np.zeros((strategy.n_rows[number] + 1, strategy.n), np.int32)
    meter = meter_in_force()
    for states in strategy.states[number]:
        meter.tick(8)
        columns = [column.tobytes() for column in np.ascontiguousarray(states.picks.T)]
        if not columns:
            columns = [b""] * states.picks.shape[1]
        fresh: dict[bytes, int] = {}
        for place, column in enumerate(columns):
            if (states.attack, column) not in by_picks:
                fresh.setdefault(column, place)
        if fresh:
            chances = states.tree.forward(states.picks[:, list(fresh.values())]).T
            for column, chance in zip(fresh, chances, strict=True):
                row = known.setdefault((states.attack, chance.tobytes()), len(found))
                by_picks[states.attack, column] = row
                if row == len(found):
                    some = np.nonzero(chance)[0]
                    found.append((states.attack, some, chance[some]))
        rows = np.array([by_picks[states.attack, column] for column in columns])
        of_row[states.rows] = rows.reshape(-1, strategy.n)
    shape = max(1, len(found)), max((len(some) for _, some, _ in found), default=1)
    meter.claim(8 * 3 * shape[0] * shape[1], f"{shape[0]:,} exchanges as they are decided")
    made = _Exchanges(np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.zeros(shape))
    for row, (attack, some, chance) in enumerate(found):
        own, foe = attacks.effect_numbers(attack)
        made.mine[row, : len(some)], made.theirs[row, : len(some)] = own[some], foe[some]
        made.chance[row, : len(some)] = chance
    return of_row, made
