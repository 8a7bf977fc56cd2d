"""Duels between two fighters who are alike: half of the ways to begin mirror the other half.

The fight in which side one rolled three more for initiative is, with sides exchanged, the fight in
which side two did. So only one of the two is followed, and its results are told for both.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from affray.core.lazy import NamedTuple
from affray.engine.fight.duels.ahead import kinds_of
from affray.engine.fight.duels.beginning import Leads
from affray.engine.fight.duels.duelists import Duelist

__all__ = ["Images", "Twins", "images_of", "twins_of"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

Images = tuple[Ints, Ints]
"""For the conditions of either side the numbers of the same ones on the other side."""


class Twins(NamedTuple):
    """The ways to begin that are followed, and how all others are told from them.

    Attributes:
        kept: those that are followed, by number.
        of: for each way to begin its place among them, or that of its twin.
        turned: whether it is told from its twin.
        images: as in `Images`; None: no way has a twin.
    """

    kept: list[int]
    of: Ints
    turned: Bools
    images: Images | None

    def told(self, values: Floats) -> Floats:
        """Values that are the same from either side, for all ways to begin, from those followed."""
        return values[self.of]

    def verdicts(self, ended: Floats) -> Floats:
        """The same of verdicts, a column each as in `DECIDED`."""
        told: Floats = ended[self.of]
        one, other = told[self.turned, 0], told[self.turned, 1]
        told[self.turned, 0], told[self.turned, 1] = other, one
        return told

    def mixed(self, shares: Floats) -> tuple[Floats, Twins]:
        """Mixtures of ways to begin, told from mixtures of those that are followed.

        Args:
            shares: the share of each way in each mixture; of one either all are turned, or none.

        Returns:
            The shares of those that are followed in each mixture of them; and how the mixtures that
            are asked for are told from these.
        """
        followed = shares @ (self.of[:, None] == np.arange(len(self.kept)))
        different, of = kinds_of(followed)
        turned = self.turned[np.argmax(shares > 0, axis=1)]
        every = list(range(len(different)))
        return np.array(different), Twins(every, of, turned, self.images)

    def pairs(self, over: Floats, among: tuple[Ints, Ints]) -> tuple[Floats, tuple[Ints, Ints]]:
        """The same of pairs of conditions, a column each.

        Args:
            over: of the ways that are followed.
            among: the conditions of either side that make up the pairs.

        Returns:
            For all ways; and the conditions that make up the pairs of these.
        """
        if self.images is None:
            return over, among
        image, back = self.images
        one = np.union1d(among[0], back[among[1]])
        other = image[one]
        places = np.searchsorted(one, among[0]), np.searchsorted(one, back[among[1]])
        told = np.zeros((len(self.of), len(one), len(other)))
        for way, (followed, turned) in enumerate(zip(self.of, self.turned, strict=True)):
            whole = over[followed].reshape(*map(len, among))
            told[way][np.ix_(*places)] = whole
            if turned:
                told[way] = told[way].T.copy()
        return told.reshape(len(told), -1), (one, other)


def images_of(duelists: tuple[Duelist, Duelist]) -> Images | None:
    """The conditions of either side on the other one; None if the sides don't have the same."""
    one, other = duelists
    if len(one.conditions) != len(other.conditions):
        return None
    images = []
    for own, foe in ((one, other), (other, one)):
        numbers = [foe.number.get(condition, -1) for condition in own.conditions]
        if min(numbers) < 0:
            return None
        images.append(np.array(numbers, np.int64))
    return images[0], images[1]


def twins_of(leads: Sequence[Leads | float], images: Images | None) -> Twins:
    """The ways to begin that must be followed.

    Args:
        leads: for each way the probability that side one goes first in a round, by pair of
            conditions.
        images: as in `Images`; None: the sides are not alike.
    """
    of: list[int] = []
    turned: list[bool] = []
    kept: list[int] = []
    for way, lead in enumerate(leads):
        twin = -1
        if images is not None:
            seen = _from_the_other_side(lead, images)
            twin = next((place for place, k in enumerate(kept) if _is_same(leads[k], seen)), -1)
        turned.append(twin >= 0)
        of.append(twin if twin >= 0 else len(kept))
        if twin < 0:
            kept.append(way)
    found = np.array(turned, np.bool_)
    return Twins(kept, np.array(of, np.int64), found, images if found.any() else None)


def _from_the_other_side(lead: Leads | float, images: Images) -> Leads | float:
    """The probability that side one goes first, with sides exchanged."""
    if isinstance(lead, float):
        return 1 - lead
    image, back = images
    return Leads(1 - lead.table.T, (lead.of[1][image], lead.of[0][back]))


def _is_same(one: Leads | float, other: Leads | float) -> bool:
    if isinstance(one, float) or isinstance(other, float):
        return one == other
    places = []
    for kinds in zip(one.of, other.of, strict=True):
        _, first = np.unique(np.stack(kinds), axis=1, return_index=True)
        places.append(first)
    rows, columns = places[0][:, None], places[1]
    return np.array_equal(one.at(rows, columns), other.at(rows, columns))
