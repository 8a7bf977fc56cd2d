"""Rounds in which side two goes first, told from those in which side one does.

Where both sides are alike, a way to begin that is the same from either side (a tie that is rolled
off in each round) is followed in one order of turns: the other order does the same with sides
exchanged.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from affray.core.lazy import NamedTuple
from affray.engine.fight.duels.ahead import AnyLeads
from affray.engine.fight.duels.beginning import Leads
from affray.engine.fight.duels.mirrored import Images, is_the_same_from_both_sides

__all__ = ["Turned", "turned_of"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Turned(NamedTuple):
    """How a round in one order of turns is told from one in the other order.

    Attributes:
        ways: the ways to begin in which it comes. among: their places among those in which the
            other order does.
        at: for each condition with which side one, or side two, begins a round the place of the
            same one on the other side.
        images: as in `Images`.
    """

    ways: Ints
    among: Ints
    at: tuple[Ints, Ints]
    images: Images

    def on(self, now: Floats) -> Floats:
        """What goes on, by pair of conditions and way to begin."""
        one, other = self.at
        found: Floats = now.transpose(1, 0, 2)[np.ix_(one, other, self.among)]
        return found

    def corner(self, ids: tuple[Ints, Ints]) -> tuple[Ints, Ints]:
        """The pairs of conditions in which the fight may be over."""
        image, back = self.images
        return back[ids[1]], image[ids[0]]

    def over(self, values: Floats) -> Floats:
        """What is over, in the order of such pairs."""
        found: Floats = values[:, :, self.among].transpose(1, 0, 2)
        return found


def turned_of(
    images: Images,
    leads: Sequence[AnyLeads],
    ways: tuple[Ints, Ints],
    begins: tuple[tuple[Ints, Ints], tuple[Ints, Ints]],
) -> Turned | None:
    """How rounds in which side two goes first are told; None: they have to be followed.

    Args:
        images: as in `Images`.
        leads: for each way to begin the probability that side one goes first, by pair.
        ways: the ways to begin in which side one may go first, and in which side two may.
        begins: the conditions with which either side begins a round; and for each condition the one
            of these that stands for it.
    """
    for way in ways[1].tolist():
        lead = leads[way]
        if not isinstance(lead, Leads) or not is_the_same_from_both_sides(lead, images):
            return None
    (one, other), onto = begins
    at = []
    for mine, image, foe, stands in zip(
        (one, other), images, (other, one), onto[::-1], strict=True
    ):
        there = stands[image[mine]]
        places = np.searchsorted(foe, there)
        if len(mine) != len(foe) or not np.array_equal(np.sort(there), foe):
            return None
        at.append(places)
    among = np.searchsorted(ways[0], ways[1])
    return Turned(ways[1], among, (at[0], at[1]), images)
