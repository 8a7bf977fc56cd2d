"""Attacks whose odds are kept in shares, against the same odds multiplied out."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

from affray.engine.fight.blending import EffectOdds, Ends, Share, Wholes
from affray.engine.fight.duels.apart import Apart


class Numbered:
    """A fighter of whom only the numbers of effects are known."""

    def __init__(self, name: str) -> None:
        self.effects = {f"{name} {number}": 7 * number + 1 for number in range(6)}


def _apart() -> tuple[Apart, Numbered, Numbered]:
    fighters: Any = Numbered("own"), Numbered("foe")
    return Apart(*fighters), *fighters


def _wholes() -> Wholes:
    wholes = Wholes()
    for own in range(6):
        for foe in range(6):
            wholes.number((f"own {own}", f"foe {foe}", ()))
    return wholes


def _ends(dice: Random) -> Ends:
    """Ends that add up to one."""
    weights = {number: dice.randint(1, 9) for number in dice.sample(range(36), dice.randint(1, 4))}
    return Ends(weights, sum(weights.values()))


def _shares(dice: Random) -> list[Share]:
    chances = [dice.randint(1, 9) for _ in range(dice.randint(1, 4))]
    return [
        Share(_ends(dice), _ends(dice) if dice.random() < 0.7 else None, chance, sum(chances))
        for chance in chances
    ]


def _by_hand(shares: list[Share], wholes: Wholes) -> dict[tuple[object, object], Fraction]:
    found: dict[tuple[object, object], Fraction] = {}
    for ends, own, weight, total in shares:
        for number, way in ends.weights.items():
            chance = Fraction(weight * way, total * ends.total)
            mine = {number: 1} if own is None else own.weights
            over = 1 if own is None else own.total
            for one, times in mine.items():
                pair = wholes.wholes[one][0], wholes.wholes[number][1]
                found[pair] = found.get(pair, Fraction(0)) + chance * Fraction(times, over)
    return found


@pytest.mark.parametrize("seed", range(20))
def test_shares_come_to_the_same_as_pairs_of_effects(seed: int) -> None:
    dice, wholes = Random(seed), _wholes()
    apart, own, foe = _apart()
    every = [_shares(dice) for _ in range(3)]
    attacks = [EffectOdds.of_shares(shares, 0, wholes) for shares in every]
    cells = apart.arrays(attacks)
    names = [{number: name for name, number in one.effects.items()} for one in (own, foe)]
    for number, (odds, shares) in enumerate(zip(attacks, every, strict=True)):
        expected = _by_hand(shares, wholes)
        told = zip(odds.effects, odds.weights, strict=True)
        assert {pair: Fraction(weight, odds.total) for pair, weight in told} == expected
        assert sum(odds.weights) == odds.total
        mine, theirs = apart.effects(odds)
        assert list(mine) == list(dict.fromkeys(pair[0] for pair in odds.effects))
        assert set(theirs) == {pair[1] for pair in odds.effects}
        of = cells.attack == number
        assert cells.place[of].tolist() == list(range(of.sum()))
        assert of.sum() <= cells.longest
        found: dict[tuple[object, object], float] = {}
        for one, other, chance in zip(
            cells.mine[of], cells.theirs[of], cells.chance[of], strict=True
        ):
            befell = names[0][int(one)], names[1][int(other)]
            found[befell] = found.get(befell, 0) + float(chance)
        assert found.keys() == expected.keys()
        for pair, share in expected.items():
            assert found[pair] == pytest.approx(float(share), rel=1e-14)
    assert cells.longest == np.bincount(cells.attack).max()


def test_attacks_with_the_same_effects_tell_them_in_one_object() -> None:
    wholes = _wholes()
    apart, _, _ = _apart()
    one, other = Ends({0: 1, 7: 2}, 3), Ends({7: 5, 0: 1}, 6)
    first = EffectOdds.of_shares([Share(one, one, 1, 1)], 0, wholes)
    second = EffectOdds.of_shares([Share(Ends(dict(one.weights), 3), one, 1, 1)], 0, wholes)
    third = EffectOdds.of_shares([Share(one, other, 1, 2), Share(one, one, 1, 2)], 0, wholes)
    assert list(apart.effects(first)[0]) == ["own 0", "own 1"]
    assert list(apart.effects(first)[1]) == ["foe 0", "foe 1"]
    assert apart.effects(first)[1] is apart.effects(second)[1] is apart.effects(third)[1]
    assert list(apart.effects(third)[0]) == ["own 1", "own 0"]


def test_what_befalls_both_together_is_a_share_for_each_effect_on_the_target() -> None:
    wholes = _wholes()
    apart, own, foe = _apart()
    ends = Ends({0: 1, 6: 2, 1: 3}, 6)  # own 0 and 1 with foe 0, own 0 with foe 1
    odds = [EffectOdds.of_shares([Share(ends, None, 1, 2)] * 2, way, wholes) for way in range(2)]
    cells, sides = apart.halves(odds)
    assert cells.attack.tolist() == [0] * 4 + [1] * 4
    assert cells.theirs.tolist() == [foe.effects["foe 0"], foe.effects["foe 1"]] * 4
    assert cells.chance.tolist() == [0.25] * 8
    assert cells.mine.tolist() == [0, 1] * 4
    mine = [own.effects[name] for name in ("own 0", "own 1", "own 0")]
    assert (sides.numbers, sides.ways) == (mine, [1 / 3, 2 / 3, 1.0])
    assert sides.sizes == [2, 1]


def test_the_same_ends_of_other_wholes_are_told_apart() -> None:
    """A number stands for other effects in each of them."""
    wholes, others = _wholes(), Wholes()
    for effects in (("own 4", "foe 2", ()), ("own 4", "foe 3", ())):
        others.number(effects)
    apart, _, foe = _apart()
    ends = Ends({0: 1, 1: 1}, 2)
    odds = [EffectOdds.of_shares([Share(ends, None, 1, 1)], 0, each) for each in (wholes, others)]
    cells, _ = apart.halves(odds)
    expected = [foe.effects[f"foe {number}"] for number in (0, 1, 2, 3)]
    assert cells.theirs.tolist() == expected


def test_odds_compare_by_what_they_come_to() -> None:
    wholes = _wholes()
    shares = [Share(Ends({0: 1, 1: 1}, 2), Ends({0: 1}, 1), 1, 1)]
    odds = EffectOdds.of_shares(shares, 0, wholes)
    plain = EffectOdds((("own 0", "foe 0"), ("own 0", "foe 1")), (1, 1), 2)
    assert odds == plain == EffectOdds.of_ends(Ends({0: 3, 1: 3}, 6), wholes)
    assert hash(odds) == hash(plain)
    assert repr(odds) == repr(plain)
    assert odds != EffectOdds(plain.effects, (1, 2), 3)
    assert odds != (plain.effects, plain.weights, plain.total, plain.helped)
    assert odds.helped == ()
    marked = wholes.number(("own 0", "foe 0", ((0, "marked"),)))
    helped = EffectOdds.of_shares([Share(Ends({marked: 1, 1: 1}, 2), None, 1, 1)], 0, wholes)
    assert helped.helped == (((0, "marked"),), ())
