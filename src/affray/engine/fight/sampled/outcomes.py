"""The rows of all exchanges in one place, ready to be drawn from.

A row is named by its first column in tables of `alias`. Each column has two places for outcomes:
the second one at twice its number, the first one behind it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from affray.engine.fight.sampled.alias import alias, shares
from affray.engine.fight.sampled.arrays import Vector

__all__ = ["FOE", "FRIEND", "SELF", "Outcomes"]

FOE, FRIEND, SELF = 0, 1, 2
"""The target of a deed: a foe, a friend, or the actor."""


class Outcomes:
    """Rows, by column; nothing is in the first column.

    Attributes:
        thresholds: as `alias` has them, without sign. shifts: of a draw, to get its column;
            shift: the same for all rows, or 0. aims: the kind of target. numbers: of the row.
        on_target, on_actor: effects by place; on_mates: what befalls mates of the target.
        edges, places: outcomes by row with more and more harm: up to which draw (the number of
            the row above 32 bits of it), and the place.
    """

    def __init__(self) -> None:
        self.thresholds, self.shifts, self.aims, self.numbers = (Vector() for _ in range(4))
        self.on_target, self.on_actor, self.on_mates = Vector(2), Vector(2), Vector(2)
        self.edges, self.places = Vector(0), Vector(0)
        self.shift = -1
        self.n_rows = 0

    def add(
        self,
        weights: Sequence[int],
        effects: Sequence[tuple[tuple[int, int], int]],
        harms: Sequence[tuple[int, int]],
        aim: int,
    ) -> int:
        """Put a row to the others.

        Args:
            weights: of its outcomes.
            effects: on the actor and on the target, and what befalls its mates.
            harms: by which outcomes are sorted.
            aim: the kind of target.

        Returns:
            Its first column.
        """
        table = alias(weights)
        columns = len(table.firsts)
        number = self.n_rows
        self.n_rows += 1
        # The second outcome of each column, then the first.
        order = [
            outcome for both in zip(table.seconds, table.firsts, strict=True) for outcome in both
        ]
        self.on_actor.extend([effects[outcome][0][0] for outcome in order])
        self.on_target.extend([effects[outcome][0][1] for outcome in order])
        self.on_mates.extend([effects[outcome][1] for outcome in order])
        self.aims.extend([aim] * columns)
        self.numbers.extend([number] * columns)
        self.shifts.extend([table.shift] * columns)
        self.shift = table.shift if self.shift in {-1, table.shift} else 0
        base = self.thresholds.extend(np.array(table.thresholds, np.uint64).view(np.int64))
        parts, edge = shares(weights), 0
        by_harm = sorted(range(len(parts)), key=harms.__getitem__)
        edges = []
        for outcome in by_harm:
            edge += parts[outcome]
            edges.append((number << 32) + (edge >> 32))
        self.places.extend([2 * (base + outcome) + 1 for outcome in by_harm])
        self.edges.extend(edges)
        return base
