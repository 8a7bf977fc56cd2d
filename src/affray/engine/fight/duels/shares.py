"""Exchanges in which every choice comes before the dice, as sums over shares.

A roll leads to ends, and an end is an effect on the one who acts and one on the target. Given the
effect on the one who acts, what befalls the target is a share: a few effects with their chances.
Hundreds of exchanges have a few dozen shares. So what a share is worth is worked out once for each
target and for each condition that the one who acts may be left in. A roll is a sum of some of them:

    worth of what follows  -->  worth of shares  -->  worth of rolls  -->  choices
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from affray.core.lazy import NamedTuple
from affray.core.meter import meter_in_force
from affray.engine.fight.duels.tree import Picks, Rolls, Tree

__all__ = ["Choices", "Layer", "Shares", "are_plain"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SMALL = 128
"""Numbers up to this one are bytes."""
DIGITS = 13
"""Chances of a share that differ no earlier are the same."""


class Layer(NamedTuple):
    """Choices that are equally far from the rolls.

    Attributes:
        here: their places. rows: where they stand among all choices.
        to: the place of each option: option by choice. whose: as in `Picks`.
    """

    here: slice
    rows: slice
    to: Ints
    whose: Ints


class Choices(NamedTuple):
    """What is chosen between the rolls of an exchange; rolls are the first places.

    Attributes:
        n_rolls, n_picks: how many rolls and choices there are.
        layers: the choices, those nearer to the rolls first; the last place is the root.
    """

    n_rolls: int
    n_picks: int
    layers: tuple[Layer, ...]


def are_plain(trees: Sequence[Tree]) -> bool:
    """Whether in these exchanges all choices come before the dice."""
    return all(
        int(layer.chances.indices.max(initial=0)) < len(tree.pairs)
        for tree in trees
        for layer in tree.layers
        if isinstance(layer, Rolls)
    )


class Shares:
    """The exchanges of one side, compiled.

    Args:
        trees: the exchanges.
        effects_of: the effects of the ends of an exchange, on the one who acts and on the target.

    Attributes:
        choices: the different ways to choose. kind: which of them each exchange has.
        rolls: where the rolls of each exchange start; one more than there are exchanges.
        entries: where the entries of each roll start; one more than there are rolls.
        own, share, chance: for each entry the effect on the one who acts, the share of the target,
            and how likely both are.
        starts: where each share starts; one more than there are shares.
        effects, likely: the effects of shares, and how likely each is.
    """

    def __init__(
        self, trees: Sequence[Tree], effects_of: Callable[[int], tuple[Ints, Ints]]
    ) -> None:
        self.choices: list[Choices] = []
        known: dict[object, int] = {}
        kinds, n_rolls = [], []
        roll, own, foe, likely = [], [], [], []
        start = 0
        for number, tree in enumerate(trees):
            meter_in_force().tick()
            choices, ends, sizes, chances = _rolls_of(tree)
            key = (
                choices.n_rolls,
                tuple(
                    (layer.here.start, layer.to.shape, layer.to.tobytes(), layer.whose.tobytes())
                    for layer in choices.layers
                ),
            )
            kinds.append(known.setdefault(key, len(self.choices)))
            if kinds[-1] == len(self.choices):
                self.choices.append(choices)
            n_rolls.append(choices.n_rolls)
            roll.append(np.repeat(np.arange(start, start + choices.n_rolls), sizes))
            start += choices.n_rolls
            mine, theirs = effects_of(number)
            own.append(mine[ends])
            foe.append(theirs[ends])
            likely.append(chances)
        self.kind: Ints = np.array(kinds)
        self.rolls: Ints = np.cumsum([0, *n_rolls])
        self._gather(np.concatenate(roll), np.concatenate(own), np.concatenate(foe),
                     np.concatenate(likely))  # fmt: skip

    def _gather(self, roll: Ints, own: Ints, foe: Ints, likely: Floats) -> None:
        """Put ends with the same effect on the one who acts together, roll by roll."""
        order = np.lexsort((foe, own, roll))
        roll, own, foe, likely = roll[order], own[order], foe[order], likely[order]
        begins = np.diff(own, prepend=-1) != 0
        begins |= np.diff(roll, prepend=-1) != 0
        starts = np.flatnonzero(begins)
        self.own = own[starts]
        self.chance: Floats = np.add.reduceat(likely, starts)
        self.entries: Ints = np.searchsorted(roll[starts], np.arange(self.rolls[-1] + 1))
        sizes = np.diff(starts, append=len(roll))
        likely = likely / np.repeat(self.chance, sizes)
        told = likely.round(DIGITS)
        known: dict[tuple[bytes, bytes], int] = {}
        share: list[int] = []
        first: list[tuple[int, int]] = []
        for at, size in zip(starts.tolist(), sizes.tolist(), strict=True):
            key = foe[at : at + size].tobytes(), told[at : at + size].tobytes()
            number = known.setdefault(key, len(known))
            if number == len(first):
                first.append((at, size))
            share.append(number)
        self.share: Ints = np.array(share)
        every = [np.arange(at, at + size) for at, size in first]
        self.starts: Ints = np.cumsum([0, *(len(one) for one in every)])
        self.effects: Ints = foe[np.concatenate(every)]
        self.likely: Floats = likely[np.concatenate(every)]

    @property
    def most_picks(self) -> int:
        """How many choices an exchange has at most."""
        return max(some.n_picks for some in self.choices)

    @property
    def few_options(self) -> bool:
        """Whether a byte holds the number of any option."""
        layers = (layer for some in self.choices for layer in some.layers)
        return all(len(layer.to) < SMALL for layer in layers)

    @property
    def n(self) -> int:
        """How many shares there are."""
        return len(self.starts) - 1


def _rolls_of(tree: Tree) -> tuple[Choices, Ints, Ints, Floats]:
    """The choices of an exchange; the ends of its rolls, how many each has, and their chances.

    An end that nobody rolls for is a roll with one end.
    """
    n_ends = len(tree.pairs)
    now = np.full(tree.n_places, -1)
    ends: list[Ints] = []
    sizes: list[int] = []
    chances: list[Floats] = []
    bare = [layer.to[layer.to < n_ends] for layer in tree.layers if isinstance(layer, Picks)]
    root = tree.n_places - 1
    bare.append(np.arange(root, n_ends))
    for layer in tree.layers:
        if isinstance(layer, Rolls):
            n = layer.here.stop - layer.here.start
            now[layer.here] = len(sizes) + np.arange(n)
            ends.append(layer.chances.indices.astype(np.int64))
            sizes += np.diff(layer.chances.indptr).tolist()
            chances.append(layer.chances.data)
    for end in np.unique(np.concatenate(bare)).tolist():
        now[end] = len(sizes)
        ends.append(np.array([end]))
        sizes.append(1)
        chances.append(np.ones(1))
    place = n_rolls = len(sizes)
    layers = []
    for layer in tree.layers:
        if isinstance(layer, Picks):
            n = len(layer.to)
            now[layer.here] = place + np.arange(n)
            to = np.ascontiguousarray(now[layer.to].T)
            layers.append(Layer(slice(place, place + n), layer.rows, to, layer.whose))
            place += n
    choices = Choices(n_rolls, tree.n_picks, tuple(layers))
    return choices, np.concatenate(ends), np.array(sizes), np.concatenate(chances)
