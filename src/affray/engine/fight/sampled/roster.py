"""The fighters of a battle: their kinds, and the words that fit them."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.engine.fight.contest import Contest
from affray.engine.fight.sampled.arrays import Ints
from affray.engine.fight.sampled.layout import Layout
from affray.engine.fight.targeting import Targeting, ranking

__all__ = ["Kind", "Roster"]


class Kind(NamedTuple):
    """Fighters of one side with the same sheet, and their points at the start."""

    side: int
    sheet: Hashable
    points: int


class Roster:
    """The fighters of a battle as far as they never change.

    Attributes:
        kinds: by number; `kind_of` finds the number by side and sheet.
        sides: the numbers of the fighters of each side.
        layout: the words in which they are kept.
        rankings: for each side how its foes rank its fighters.
        salts: odd numbers by which the conditions of several fighters become one key.
    """

    def __init__(self, contest: Contest, targeting: tuple[Targeting, Targeting]) -> None:
        fight = contest.fight
        self.kinds: list[Kind] = []
        self.kind_of: dict[tuple[int, Hashable], int] = {}
        meter = meter_in_force()
        for side, sheet in contest.sheets:
            meter.tick()
            if (side, sheet) not in self.kind_of:
                self.kind_of[side, sheet] = len(self.kinds)
                points = fight.vitals(sheet, contest.enter(side, sheet))
                self.kinds.append(Kind(side, sheet, points))
        one, other = contest.course.sizes
        self.sides = range(one), range(one, one + other)
        most = max(kind.points for kind in self.kinds)
        if "nearest_out" in targeting:
            most = max(most, sum(kind.points + 1 for kind in self.kinds))
        attacks = max(one, other) * contest.course.exchanges if "spread" in targeting else 0
        self.layout = Layout(one + other, most, attacks)
        self.rankings = tuple(
            ranking(
                targeting[1 - side],
                [kind.points for kind in self.kinds if kind.side == side],
                self.layout.rank,
            )
            for side in (0, 1)
        )
        n_salts = 2 * (one + other)
        self.salts: Ints = np.random.SFC64(n_salts).random_raw(n_salts).view(np.int64) | 1
