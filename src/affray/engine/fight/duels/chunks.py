"""States of a duel that are settled together, while their trees are grown and solved."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from affray.core.lazy import NamedTuple
from affray.engine.fight.duels.forest import Forest
from affray.engine.fight.duels.split import Split
from affray.engine.fight.duels.tree import Numbers, Tree

__all__ = ["Chunk", "Grown", "Led", "Met", "Numbered", "States"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class States:
    """States of one slot that share an exchange.

    Attributes:
        slot: the number of the slot. attack: its number. tree: the same with all its choices.
        spots: the conditions of both sides, and the way to begin, as one number.
        picks: what is picked: choice by column.
    """

    __slots__ = ("attack", "picks", "slot", "spots", "tree")

    def __init__(self, attack: tuple[int, int, Tree], spots: Ints) -> None:
        self.slot, self.attack, self.tree = attack
        self.spots = spots
        kind = np.int8 if self.tree.most_options < 128 else np.int16  # a byte
        self.picks: Numbers = np.zeros((self.tree.n_picks, len(spots)), kind)


class Chunk(NamedTuple):
    """Spots that are settled together: whole blocks of one size, everything else being settled.

    Attributes:
        spots: all of them. starts: where each block starts among them.
        states: those whose exchange is worked out here.
    """

    spots: Ints
    starts: Ints
    states: list[States]


class Led(NamedTuple):
    """One order of turns of the rounds that start with the spots of a chunk.

    Attributes:
        exchange: the state of the first exchange of each spot; -1 if it has none.
        chance: how likely it is.
    """

    exchange: Ints
    chance: Floats


class Numbered(NamedTuple):
    """The states of a chunk whose worth is unknown, numbered block by block.

    A block has its states place by place in a round; the first exchanges of both orders share the
    first place.

    Attributes:
        of: the state of each spot: slot by spot; those that share an exchange share their state.
            -1: it can't come up.
        sizes: the number of states of each place.
        n: of all states. Beyond them come the starts of rounds, where these are told apart.
        lent: states whose exchange is settled, and what that is worth.
    """

    of: Ints
    sizes: tuple[int, ...]
    n: int
    lent: tuple[Ints, Floats]


class Met(NamedTuple):
    """What states of a chunk come to.

    Attributes:
        states: these states. split: their tree.
        worth: of each end: end by column; of open ones it is not known yet.
        ends: for each open end and column the number of the state that it leads to; -1 for one
            whose worth is settled.
        rows: their numbers in the chunk.
    """

    states: States
    split: Split
    worth: Floats
    ends: Numbers
    rows: Ints


class Grown(NamedTuple):
    """A chunk while it is settled.

    Attributes:
        chunk: which one. numbered: its states.
        forest: its trees. rows: the state of each column of the forest.
        led: the orders of turns, where rounds have either.
        joined: states that were put side by side, and what they pick.
        slack: by how much a side could gain by other picks in what is settled.
    """

    chunk: Chunk
    numbered: Numbered
    forest: Forest
    rows: Ints
    led: list[Led]
    joined: list[tuple[list[States], Numbers]]
    slack: float

    def store(self) -> None:
        """Write what is picked into the picks of the states."""
        self.forest.store()
        for every, picks in self.joined:
            start = 0
            for states in every:
                stop = start + len(states.spots)
                states.picks[:] = picks[:, start:stop]
                start = stop
