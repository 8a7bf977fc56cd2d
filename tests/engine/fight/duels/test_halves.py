"""Attacks of which one half is left together, against all their pairs of effects."""

from __future__ import annotations

import numpy as np
import pytest

from affray.engine.fight.blending import EffectOdds, Ends, Share, Wholes
from affray.engine.fight.duels.halves import Own, own_of
from tests.engine.fight.duels.shipped import shipped_duel

OWN = Own(
    starts=np.array([0, 1, 2, 4, 7]),
    effects=np.array([0, 1, 1, 3, 3, 5, 0]),
    ways=np.array([1, 1, 0.25, 0.75, 0.5, 0.25, 0.25]),
)
"""Two effects that are certain, and after these two and three effects."""


def test_numbers_stand_for_one_effect_or_for_several() -> None:
    assert OWN.among(np.array([1])).tolist() == [1]
    assert OWN.among(np.array([2, 0])).tolist() == [0, 1, 3]
    assert OWN.among(np.zeros(0, np.int64)).tolist() == []
    effects, likely = OWN.spread(np.array([3, 1, 2]))
    assert effects.tolist() == [0, 1, 3, 5]
    assert likely.tolist() == [[0.25, 0, 0], [0, 1, 0.25], [0.5, 0, 0.75], [0.25, 0, 0]]


def test_every_effect_by_itself_is_certain() -> None:
    own = own_of(3, None)
    assert own.starts.tolist() == [0, 1, 2, 3]
    assert own.effects.tolist() == [0, 1, 2]
    assert own.ways.tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("system", "fight"),
    [
        ("affinity", "marsh"),
        ("affinity", "winter-pass"),
        ("eclipse-phase", "grenades-against-a-torch"),
    ],
)
def test_halves_come_to_the_same_as_pairs_of_effects(system: str, fight: str) -> None:
    n_shared = 0
    for attacks in shipped_duel(system, fight).attacks:
        halves, padded = attacks.halves(), attacks.padded()
        assert attacks.halves() is halves
        n_effects = len(attacks.actor.effects)
        for number, odds in enumerate(attacks.odds):
            n_shared += bool(odds.shares)
            found = np.zeros((n_effects, len(attacks.target.effects)))
            effects, likely = halves.of.spread(halves.own[number])
            for column, (theirs, chance) in enumerate(
                zip(halves.theirs[number], halves.chance[number], strict=True)
            ):
                found[effects, theirs] += likely[:, column] * chance
            expected = np.zeros_like(found)
            np.add.at(expected, (padded[0][number], padded[1][number]), padded[2][number])
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-15)
            whose = np.array([number])
            assert halves.acted(whose).tolist() == np.flatnonzero(expected.any(1)).tolist()
            assert halves.struck(whose).tolist() == np.flatnonzero(expected.any(0)).tolist()
    assert bool(n_shared) == (system == "affinity")


def test_attacks_that_are_found_later_have_halves_too() -> None:
    attacks = shipped_duel("affinity", "marsh").attacks[0]
    before = attacks.halves()
    shared = [odds for odds in attacks.odds if odds.shares]
    share = next(share for odds in shared for share in odds.shares if share.own is not None)
    wholes, (one, *_) = shared[0].wholes, share.ends.weights
    assert wholes is not None
    certain = Share(Ends({one: 3}, 3), share.own, 1, 1)
    number = attacks._keep(EffectOdds.of_shares([certain], "new", wholes))
    after = attacks.halves()
    assert len(after.own) == number + 1 == len(before.own) + 1
    assert after.chance[number].sum() == 1
    effect = attacks.target.effects[wholes.pairs[one][1]]
    assert after.struck(np.array([number])).tolist() == [effect]


def test_shares_of_other_numbers_are_not_taken_for_the_same() -> None:
    attacks = shipped_duel("affinity", "marsh").attacks[0]
    odds = next(odds for odds in attacks.odds if odds.shares)
    assert odds.wholes is not None
    known = attacks._keep(odds)
    again = EffectOdds.of_shares(odds.shares, odds.content, odds.wholes)
    assert attacks._keep(again) == known
    assert attacks.odds[known] is odds
    others = Wholes()
    for whole in odds.wholes.wholes:
        others.number(whole)
    assert attacks._keep(EffectOdds.of_shares(odds.shares, odds.content, others)) != known
