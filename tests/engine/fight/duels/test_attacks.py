"""The attacks of a duel, by the looks of both, against exchanges between the conditions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from affray.core.errors import SetupError
from affray.core.fight import ATTACK, Deed, Scene
from affray.core.node import At
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.states import all_states
from affray.engine.fight.matchup import EffectOdds
from tests import fight_systems as games
from tests.engine.fight.duels.shipped import shipped_duel
from tests.fight_systems import Blow, Body, Fighter, Setup


def chances(odds: EffectOdds) -> dict[object, Fraction]:
    """The probability of each pair of effects."""
    found: dict[object, Fraction] = {}
    for effects, weight in zip(odds.effects, odds.weights, strict=True):
        found[effects] = found.get(effects, Fraction(0)) + Fraction(weight, odds.total)
    return found


def compared(duel: Duel, every: int) -> int:
    """Compare the attacks of every so many conditions with their exchanges; how many there are."""
    states = next(all_states(duel.contest))
    sweep, _ = duel._sweeps[0]
    n = 0
    for slot, standing in zip(sweep.slots, sweep.standing, strict=True):
        side, attacks = slot.actor.side, duel.attacks[slot.attacks]
        numbered = attacks.numbered(slot.number)
        for mine in standing[side][::every].tolist():
            for theirs in standing[1 - side][::every].tolist():
                acts = duel.duelists[side].begun[mine] if slot.begins else mine
                own = duel.duelists[side].conditions[acts]
                foe = duel.duelists[1 - side].conditions[theirs]
                pair = (own, foe) if side == 0 else (foe, own)
                exchange = states._exchange(slot.actor, pair, kind=slot.kind)
                number = int(numbered.between(np.array(mine), np.array(theirs)))
                if duel.duelists[side].allowed[acts] <= slot.number:
                    assert number == attacks.passed
                elif exchange is not None and exchange[0].side != side:
                    n += 1
                    assert chances(attacks.odds[number]) == chances(exchange[1])
    return n


def test_conditions_find_the_attack_that_they_call_for() -> None:
    assert compared(shipped_duel("affinity", "raid"), 5) > 30


@pytest.mark.parametrize("finishes", [0, 3])
def test_whether_a_deed_is_refused_may_be_hidden(finishes: int) -> None:
    """One who has two points left is stabbed at, all others are struck, some of them dead."""
    stab = Deed("stab")

    def declare(scene: Scene[Setup, Body]) -> At[Any]:
        left = scene.target.hp
        if scene.deed == stab:
            if left > 2:
                raise SetupError("there is too much left to stab at")
            return At(games.choose_blow, Blow(2, 4))
        return At(games.choose_blow, Blow(1, 4, armor=1, left=left, finishes=finishes))

    system = games._system(declare=declare, deeds=lambda sheet, body: (stab, ATTACK))
    one, other = Fighter("One", 7), Fighter("Other", 6)
    assert compared(Duel(games.contest(system, one, other, "one")), 1) > 50


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


def test_who_does_something_to_themselves_is_target_as_well() -> None:
    """Of two with different dice each rests with their own."""
    system = games.resting()
    assert system.fight is not None

    def declare(scene: Scene[Setup, Body]) -> At[Any]:
        rests = scene.deed == games.REST
        sheet = scene.setup.defender if rests else scene.setup.attacker
        return At(games.choose_blow, Blow(1, sheet.sides, helps=rests))

    fight: Any = replace(system.fight, declare=declare)
    one, other = Fighter("One", 9, sides=6), Fighter("Other", 9, sides=3)
    duel = Duel(games.contest(replace(system, fight=fight), one, other, "one"))
    for attacks, sheet in zip(duel.attacks, (one, other), strict=False):
        rests = [odds for odds in attacks.odds if "heal" in repr(odds.effects)]
        assert [odds.total for odds in rests] == [sheet.sides]


def test_attacks_that_are_found_later_are_padded_too() -> None:
    duel = Duel(games.contest(games.slugging, Fighter("One", 3), Fighter("Other", 3), "one"))
    attacks = duel.attacks[0]
    before = attacks.padded()
    assert attacks.padded() is before
    effects = attacks.odds[-1].effects
    number = attacks._keep(EffectOdds(effects[:1], (1,), 1))
    mine, theirs, chance = attacks.padded()
    assert len(mine) == len(theirs) == len(chance) == number + 1 == len(before[0]) + 1
    assert chance[number].tolist() == [1, *[0] * (len(effects) - 1)]
