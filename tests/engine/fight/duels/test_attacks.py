"""The attacks of a duel, by the looks of both, against exchanges between the conditions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from affray.engine.fight.duels.states import all_states
from affray.engine.fight.matchup import EffectOdds
from tests.engine.fight.duels.shipped import shipped_duel


def chances(odds: EffectOdds) -> dict[object, Fraction]:
    """The probability of each pair of effects."""
    found: dict[object, Fraction] = {}
    for effects, weight in zip(odds.effects, odds.weights, strict=True):
        found[effects] = found.get(effects, Fraction(0)) + Fraction(weight, odds.total)
    return found


def test_conditions_find_the_attack_that_they_call_for() -> None:
    duel = shipped_duel("affinity", "raid")
    states = next(all_states(duel.contest))
    sweep, _ = duel._sweeps[0]
    compared = 0
    for slot, standing in zip(sweep.slots, sweep.standing, strict=True):
        side, attacks = slot.actor.side, duel.attacks[slot.attacks]
        numbered = attacks.numbered(slot.number)
        for mine in standing[side][::5].tolist():
            for theirs in standing[1 - side][::5].tolist():
                acts = duel.duelists[side].begun[mine] if slot.begins else mine
                own = duel.duelists[side].conditions[acts]
                foe = duel.duelists[1 - side].conditions[theirs]
                pair = (own, foe) if side == 0 else (foe, own)
                exchange = states._exchange(slot.actor, pair, kind=slot.kind)
                number = int(numbered.between(np.array(mine), np.array(theirs)))
                if duel.duelists[side].allowed[acts] <= slot.number:
                    assert number == attacks.passed
                elif exchange is not None and exchange[0].side != side:
                    compared += 1
                    assert chances(attacks.odds[number]) == chances(exchange[1])
    assert compared > 50


def test_attacks_with_the_same_odds_are_one_however_large_their_weights_are() -> None:
    attacks = shipped_duel("affinity", "raid").attacks[0]
    one, other = attacks.odds[1].effects[:2]
    many = 10**30
    numbers = [
        attacks._keep(EffectOdds(effects, weights, sum(weights)))
        for effects, weights in (
            ((one, other), (1, 3)),
            ((other, one), (9, 3)),
            ((one, other), (3, 1)),
            ((one, other), (many, many + 1)),
            ((other, one), (many + 1, many)),
            ((one, other), (many, many + 2)),
        )
    ]
    assert numbers[0] == numbers[1] != numbers[2]
    assert numbers[3] == numbers[4] != numbers[5]


def test_attacks_whose_effects_stand_there_twice_are_one_in_any_order() -> None:
    attacks = shipped_duel("affinity", "raid").attacks[0]
    one, other = attacks.odds[1].effects[:2]
    same = [
        ((one, other, one), (1, 5, 2)),
        ((one, one, other), (2, 1, 5)),
        ((other, one, one), (10, 2, 4)),
    ]
    different = [((one, one, other), (2, 2, 4)), ((one, other, other), (1, 5, 2))]
    numbers = [
        attacks._keep(EffectOdds(effects, weights, sum(weights)))
        for effects, weights in (*same, *different)
    ]
    assert numbers[0] == numbers[1] == numbers[2]
    assert len(set(numbers)) == 3


def test_attacks_tell_each_effect_once() -> None:
    for system, fight in (("emlia", "manned-tower"), ("affinity", "raid")):
        for attacks in shipped_duel(system, fight).attacks:
            for number, odds in enumerate(attacks.odds):
                told = [list(effects) for effects in attacks.effects_of(number)]
                sides = [list(dict.fromkeys(side)) for side in zip(*odds.effects, strict=True)]
                assert told == sides
