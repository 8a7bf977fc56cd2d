"""States that are settled together: room for what is picked."""

from __future__ import annotations

import numpy as np
import pytest

from affray.engine.fight.duels.chunks import States
from affray.engine.fight.duels.tree import Picks, Tree


@pytest.mark.parametrize("n_options", [2, 127, 128, 129, 300])
def test_the_last_of_many_options_can_be_picked(n_options: int) -> None:
    ends = tuple((number, None) for number in range(n_options))
    to = np.arange(n_options)[None]
    last = n_options - 1
    tree = Tree(ends, [Picks(slice(n_options, n_options + 1), slice(0, 1), to, np.array([0]))])
    states = States((4, 7, tree), np.array([5, 9, 6]))
    assert (states.slot, states.attack) == (4, 7)
    assert states.picks.shape == (1, 3)
    _, best = tree.backward(np.eye(n_options)[:, [last] * 3], states.picks, (1, -1), 0.0)
    assert best.tolist() == [[last] * 3]
