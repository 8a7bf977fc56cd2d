"""A chunk of battles: which lanes they are sent into, and how they go."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from affray.engine.fight.course import COIN
from affray.engine.fight.sampled.arrays import Ints
from affray.engine.fight.sampled.by_fighter import FighterLanes
from affray.engine.fight.sampled.by_side import SideLanes, Unsuited
from affray.engine.fight.sampled.draws import Call, Draws
from affray.engine.fight.sampled.ended import Ended
from affray.engine.fight.sampled.lanes import Lanes
from affray.engine.fight.sampled.tables import BattleTables

__all__ = ["fight_chunk"]


def fight_chunk(
    tables: BattleTables,
    n: int,
    rounds: int,
    draws: Callable[[], Draws],
) -> Ended:
    """Fight this many battles to the end.

    Args:
        tables: what can happen.
        n: how many battles.
        rounds: after which a battle is broken off.
        draws: where the dice come from, from the start.

    Raises:
        LimitError: the budget in force is spent.
    """
    if tables.by_sides and SideLanes.suits(tables):
        try:
            return _fight(SideLanes, tables, (n, rounds, draws()))
        except Unsuited:
            tables.forget_sides()
    return _fight(FighterLanes, tables, (n, rounds, draws()))


def _fight(kind: type[Lanes], tables: BattleTables, how: tuple[int, int, Draws]) -> Ended:
    n, rounds, draws = how
    course = tables.contest.course._replace(rounds=rounds)
    ids = np.arange(n)
    groups = [(ids, course)]
    if course.first == "coin":
        heads = draws(Call("coin", ids=ids), n) >> np.uint64(63) == 0
        groups = [
            (ids[lands], course._replace(first=first))
            for first, lands in zip(COIN, (heads, ~heads), strict=True)
        ]
    parts = [kind(tables, group, course, draws).fight() for group, course in groups if len(group)]
    return _joined(parts, np.concatenate([group for group, _ in groups]), paired=draws.paired)


def _joined(parts: Sequence[Ended], ids: Ints, *, paired: bool) -> Ended:
    """Several groups of battles as one."""
    if len(parts) == 1:
        return parts[0]
    longest = max(len(part.histogram) for part in parts)
    last = parts[-1]
    words, kinds = last.words, last.kinds
    if kinds is None:
        words = _side_by_side([part.words for part in parts])
    else:  # the tables of the last part know all kinds
        kinds = _side_by_side([part.kinds for part in parts if part.kinds is not None])
    whole = Ended(
        words,
        kinds,
        np.concatenate([part.tallies for part in parts], axis=1),
        np.concatenate([part.stalled for part in parts]),
        np.concatenate([part.rounds for part in parts]),
        np.sum([np.pad(part.histogram, (0, longest - len(part.histogram))) for part in parts], 0),
    )
    return whole.by_id(ids) if paired else whole


def _side_by_side(parts: Sequence[tuple[Ints, Ints]]) -> tuple[Ints, Ints]:
    """The numbers of several groups for each of both sides."""
    one, other = (np.concatenate([part[side] for part in parts], axis=-1) for side in (0, 1))
    return one, other
