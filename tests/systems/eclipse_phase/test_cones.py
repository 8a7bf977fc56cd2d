"""Cones: what a spray does to one target, near and far."""

from fractions import Fraction

import pytest

from affray.systems.eclipse_phase.gear import Weapon

from .factory import game, shot, struck

SPRAY = Weapon(
    name="spray", form="spray", skill="guns", d10=3, modes=("semi",), rounds=5, range_m=20,
    traits=("cone",),
)  # fmt: skip


@pytest.mark.parametrize(("meters", "faces"), [(1, 4), (10, 4), (11, 3), (20, 3), (21, 2)])
def test_ep102_a_cone_gains_a_die_near_and_loses_one_far(meters: int, faces: int) -> None:
    done = struck(game(shot(weapon=SPRAY, distance_m=meters)), 20, 98, *[10] * faces)
    assert done.hit
    assert Fraction(done.dv) == 10 * faces
