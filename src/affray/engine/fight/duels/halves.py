"""Attacks of a duel as arrays in which all that may befall the actor is one entry.

In a share of an attack (`apart`) both sides are independent of each other. So the rows of an array
have one effect on the target each, and beside it a number that stands for everything that may
befall the actor:

    an attack:  0.3  x  (actor: A 0.5, B 0.5)  x  (target: C 1)            four pairs of effects,
                0.7  x  (actor: A 1)           x  (target: C 0.2, D 0.8)   three rows
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from affray.core.lazy import NamedTuple
from affray.engine.fight.duels.apart import Sides
from affray.engine.fight.duels.duelists import different
from affray.engine.fight.duels.ranges import ranges

__all__ = ["Halves", "Own", "own_of"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Own(NamedTuple):
    """What may befall whoever acts, by number: one effect for certain, or one of several.

    Attributes:
        starts: where the effects of each number begin, and where the last ones end.
        effects, ways: these effects, and their probabilities.
    """

    starts: Ints
    effects: Ints
    ways: Floats

    def among(self, numbers: Ints) -> Ints:
        """The different effects that some numbers stand for."""
        return _different(self.effects[self._spots(numbers)[0]])

    def spread(self, numbers: Ints) -> tuple[Ints, Floats]:
        """Different effects, and how likely each of them is, a column for each of some numbers."""
        spots, column = self._spots(numbers)
        effects, row = np.unique(self.effects[spots], return_inverse=True)
        likely = np.zeros((len(effects), len(numbers)))
        np.add.at(likely, (row, column), self.ways[spots])
        return effects, likely

    def _spots(self, numbers: Ints) -> tuple[Ints, Ints]:
        """Where the effects of some numbers stand, and of which of these each one is."""
        first = self.starts[numbers]
        count = self.starts[numbers + 1] - first
        return ranges(first, count), np.repeat(np.arange(len(numbers)), count)


class Halves(NamedTuple):
    """Attacks as arrays, with a row for each.

    Attributes:
        own: what may befall whoever acts, by its number in `of`. theirs: effects on the target.
        chance: how likely both are.
        of: what may befall whoever acts.
    """

    own: Ints
    theirs: Ints
    chance: Floats
    of: Own

    def acted(self, attacks: Ints) -> Ints:
        """The effects that some attacks may have on whoever acts."""
        return self.of.among(_different(self.own[attacks][self.chance[attacks] > 0]))

    def struck(self, attacks: Ints) -> Ints:
        """The effects that some attacks may have on the target."""
        return _different(self.theirs[attacks][self.chance[attacks] > 0])


def _different(numbers: Ints) -> Ints:
    """Each of these numbers once, the least first."""
    return different(numbers, int(numbers.max(initial=0)) + 1)


def own_of(n_effects: int, sides: Sides | None) -> Own:
    """What may befall whoever acts: each effect, and after these what stands in `sides`."""
    effects, ways, sizes = [*range(n_effects)], [1.0] * n_effects, [1] * n_effects
    if sides is not None:
        effects += sides.numbers
        ways += sides.ways
        sizes += sides.sizes
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return Own(starts, np.array(effects, np.int64), np.array(ways))
