"""The states of a duel that both sides decide: all that can come up, whatever is picked.

Before each exchange of a round, a slot, stand spots: pairs of conditions with a way to begin.
One spot stands there for all that share its exchange.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from affray.core.lazy import NamedTuple
from affray.engine.budget import clock_in_force
from affray.engine.fight.duels.ahead import AnyLeads, by_pair
from affray.engine.fight.duels.reached import Ways, reached
from affray.engine.fight.duels.spots import Spots
from affray.engine.fight.duels.stand_ins import nearest, stand_ins
from affray.engine.fight.duels.sweep import Sweep

if TYPE_CHECKING:
    from affray.engine.fight.duels.trees import TreeDuel

__all__ = ["Ground", "Rows", "ground_of"]

Ints = NDArray[np.int64]
Small = NDArray[np.int32]
Bools = NDArray[np.bool_]

LEAST_S = 2e-6
"""Seconds that a state takes at the least."""
USUAL_S = 1e-5
"""Seconds that it takes as a rule, or less."""


class Rows(NamedTuple):
    """The states before the exchange of a slot.

    Attributes:
        spots: of each, in order. attack: the number of its exchange.
    """

    spots: Ints
    attack: Ints


class Ground:
    """The states of a duel that can come up.

    Attributes:
        sweep: the duel, without what is picked.
        spots: pairs of conditions with ways to begin.
        seen: for each slot the spots that can come up there.
    """

    def __init__(self, sweep: Sweep, spots: Spots, seen: list[Bools]) -> None:
        self.sweep, self.spots, self.seen = sweep, spots, seen

    @cached_property
    def rows(self) -> list[Rows]:
        """For each slot its states: of spots that share an exchange only one has any."""
        found = []
        for number, seen in enumerate(self.seen):
            spots = np.flatnonzero(seen)
            spots = spots[self.spots.alike(number, spots) == spots]
            found.append(Rows(spots, np.asarray(self.spots.attack(number, spots), np.int64)))
        return found

    def rows_of(self, number: int) -> Small:
        """Which row of a slot each spot has; -1: it can't come up there."""
        rows = np.full(self.spots.n, -1, np.int32)
        spots = self.rows[number].spots
        rows[spots] = np.arange(len(spots))
        some = np.flatnonzero(self.seen[number])
        rows[some] = rows[self.spots.alike(number, some)]
        return rows


def ground_of(duel: TreeDuel, begins: Sequence[AnyLeads], *, everywhere: bool = False) -> Ground:
    """All states of a duel that can come up.

    Args:
        duel: the duel.
        begins: for each way to begin how likely side one goes first in a round; see `Sweep`.
        everywhere: take the fight to begin with any conditions with which a round may.

    Raises:
        LimitError: there are too many to settle them in time.
    """
    attacks = duel.trees
    sweep = Sweep(duel.duelists, duel.attacks, begins[0], places=duel.closure.places)
    leads_of = by_pair(begins, sweep.n)
    onto = [nearest(sweep, every) for every in stand_ins(sweep, begins, attacks)]
    ways = Ways(sweep, attacks, onto)
    starts = np.array([duel.start_pair])
    if everywhere:
        starts = np.nonzero(sweep.at_rounds().ravel())[0]
    seen = reached(ways, starts, leads_of)
    n_states = sum(int(np.count_nonzero(some)) for some in seen)
    clock_in_force().reserve(USUAL_S * n_states)
    clock_in_force().foresee(LEAST_S * n_states, f"best play in {n_states:,} states")
    spots = Spots(ways, seen, leads_of)
    seen = [some[spots.pair] for some in seen]
    if len(begins) > 1:
        starts = np.unique(spots.of[starts])
        seen = reached(spots, starts, spots.leads[:, None])
    ways.forget()
    return Ground(sweep, spots, seen)
