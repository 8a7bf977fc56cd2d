"""Ways of pairs with effects added up, against the ways effect by effect."""

from __future__ import annotations

import numpy as np
import pytest

from affray.engine.fight.duels.onward import Onward
from tests.engine.fight.duels.shipped import shipped_duel

DUELS = [
    ("eclipse-phase", "behind-crates"),
    ("eclipse-phase", "shot-on-the-run"),
    ("eclipse-phase", "vigor-to-spare"),  # either may go first; acting costs points
    ("empty-earth", "bo-haunt"),
    ("grid-battles", "hill"),
]


@pytest.mark.parametrize(("system_name", "fight"), DUELS)
def test_ways_lead_where_their_effects_lead(system_name: str, fight: str) -> None:
    duel = shipped_duel(system_name, fight)
    for sweep, _ in duel._sweeps:
        pairs = np.concatenate([level.pairs for level in sweep.levels()])[:300]
        assert sweep.singles
        for number in range(len(sweep.slots)):
            moves, ways = sweep.moves(pairs, number), Onward(sweep, number)
            found = ways.of(pairs, np.arange(sweep.n_pairs))
            want = np.zeros((len(pairs), sweep.n_pairs))
            np.add.at(want, (np.arange(len(pairs))[:, None], moves.there), moves.chance)
            stays = want[np.arange(len(pairs)), pairs].copy()
            np.testing.assert_allclose(found.stays, stays, rtol=0, atol=1e-15)
            want[np.arange(len(pairs)), pairs] = 0
            told = np.zeros_like(want)
            np.add.at(told, (found.at, found.there), found.chance)
            np.testing.assert_allclose(told, want, rtol=0, atol=1e-15)
            at, there, chance = found.part(slice(1, 3))
            assert np.isin(at, (1, 2)).all()
            assert chance.sum() == pytest.approx(want[1:3].sum())
            assert len(there) == len(chance) == found.starts[3] - found.starts[1]
