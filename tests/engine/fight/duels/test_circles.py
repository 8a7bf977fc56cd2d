"""Bounds of states that come back to each other, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array

from affray.engine.fight.duels.circles import HALVINGS, Alike, freed
from affray.engine.fight.duels.tree import Picks, Rolls, Tree

CLOSE = 0.5**HALVINGS
"""A bound is halved so often."""
PAIRS = ("a", "x"), ("b", "x")
COIN = Tree(PAIRS, [Rolls(slice(2, 3), csr_array(np.array([[0.5, 0.5]])))])


def choice(whose: int) -> Tree:
    """One of two ends: 0 where the one who acts chooses, 1 where the target does."""
    return Tree(PAIRS, [Picks(slice(2, 3), slice(0, 1), np.array([[0, 1]]), np.array([whose]))])


def state(tree: Tree, number: int, ends: tuple[int, int], side: int = 0, pick: int = 0) -> Alike:
    """A state in which a side acts."""
    picks = np.full((tree.n_picks, 1), pick, np.int16)
    signs = (-1, 1) if side else (1, -1)
    return Alike(tree, signs, np.array([number]), np.array([*ends])[:, None], picks)


def bounds(*worth: float) -> NDArray[np.float64]:
    return np.array(worth)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(("leaves", "comes_to"), [(-0.5, 0.0), (0.25, 0.25), (0.5, 0.5)])
def test_who_may_stay_gets_a_stalemate_or_what_leaving_is_worth(
    side: int, leaves: float, comes_to: float
) -> None:
    one = state(choice(0), 0, (0, 1), side)
    assert freed([one], bounds(0.5, leaves), side) == pytest.approx([comes_to, leaves], abs=CLOSE)


@pytest.mark.parametrize(("here", "there", "out"), [(0, 1, 2), (1, 2, 0), (2, 0, 1)])
def test_states_that_lend_each_other_their_worth_have_that_of_leaving(
    here: int, there: int, out: int
) -> None:
    most = bounds(0.5, 0.5, 0.5)
    most[out] = 0.2
    circle = [state(choice(0), here, (there, there)), state(choice(0), there, (here, out))]
    assert freed(circle, most, 0) == pytest.approx([0.2] * 3, abs=CLOSE)
    # The other side doesn't decide: the one who does hopes to leave.
    leaving = [circle[0], state(choice(0), there, (here, out), pick=1)]
    assert freed(leaving, most, 1) is most


def test_two_circles_have_a_bound_each() -> None:
    most = bounds(0.5, 0.5, 0.1, 0.3, 0.5)
    circles = [state(choice(0), 0, (0, 2)), state(choice(0), 1, (1, 3)), state(COIN, 4, (0, 1))]
    assert freed(circles, most, 0) == pytest.approx([0.1, 0.3, 0.1, 0.3, 0.5], abs=CLOSE)


def test_a_state_that_is_worth_less_already_stays_so() -> None:
    most = bounds(0.5, 0.05, 0.4)
    circle = [state(choice(0), 0, (1, 2)), state(choice(0), 1, (0, 0))]
    assert freed(circle, most, 0) == pytest.approx([0.4, 0.05, 0.4], abs=CLOSE)


@pytest.mark.parametrize(
    "one",
    [
        state(COIN, 0, (0, 1)),  # half of the time it goes on elsewhere
        state(choice(1), 0, (0, 1), pick=1),  # the foe hopes to leave
        state(choice(0), 0, (1, 1)),  # it never comes back
    ],
)
def test_who_can_not_stay_is_worth_what_was_known(one: Alike) -> None:
    most = bounds(0.5, -0.5)
    assert freed([one], most, 0) is most
    assert freed([], most, 0) is most


def test_who_can_be_kept_by_nobody_but_the_foe_is_worth_a_stalemate() -> None:
    one = state(choice(1), 0, (0, 1), pick=0)
    assert freed([one], bounds(0.5, 0.5), 0) == pytest.approx([0.0, 0.5], abs=CLOSE)
