"""What lasts after a fight, and what the end of a Stage brings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from affray.core.errors import SetupError, UnknownNameError
from affray.core.ruling import Rulings
from affray.systems.empty_earth.cards import Affliction, Cubes, StageEffect
from affray.systems.empty_earth.conditions import HELD, Suffered
from affray.systems.empty_earth.fight import FIGHT
from affray.systems.empty_earth.sheet import Fighter, Setup
from affray.systems.empty_earth.state import Condition
from tests.systems.empty_earth.factory import ADA, BO

REST = StageEffect(name="Rest", vitality=3, gains=Cubes(red=1))
DREAD = StageEffect(name="Dread", condition=Affliction(name="Dread", each_die=-1))
HUSK = Fighter(name="Husk", vitality=3)


def stands(sheet: Fighter, **changes: Any) -> Condition:
    condition = FIGHT.enter(sheet, Rulings())
    return condition._replace(now=condition.now._replace(**changes))


def after(sheet: Fighter, condition: Condition, rest: str = "", *effects: StageEffect) -> Fighter:
    assert FIGHT.leaves is not None
    situation = Setup(attacker=ADA, defender=BO, stage_end=effects)
    found = FIGHT.leaves(situation, sheet, condition, rest)
    assert isinstance(found, Fighter)
    return found


def test_ee46_vitality_injuries_and_cubes_stay_as_they_are() -> None:
    few = Cubes(red=1)
    left = after(ADA, stands(ADA, vitality=4, injuries=1, taken=True, cubes=few))
    assert (left.vitality, left.vitality_max) == (4, ADA.vitality_max)
    assert (left.injuries, left.injured_this_stage, left.cubes) == (1, True, few)


def test_ee25_ee60_shields_reactions_and_the_armor_s_effect_are_over() -> None:
    left = after(ADA, stands(ADA, shields=3, reactions=0))
    assert (left.shields, left.reactions, left.armor_active) == (0, 1, False)


def test_ee52_the_end_of_a_stage_comes_upon_everybody() -> None:
    """Also upon those who took no part in the last attack."""
    hurt = stands(ADA, vitality=4, injuries=1, taken=True, cubes=Cubes())
    left = after(ADA, hurt, "stage", REST)
    assert (left.vitality, left.cubes, left.injured_this_stage) == (7, Cubes(red=1), False)
    down = stands(BO, vitality=0, injuries=1, fallen="incapacitated")
    assert after(BO, down, "stage", REST).vitality == 3


def test_ee59_effects_that_a_fight_has_enacted_come_once() -> None:
    ended = stands(ADA, vitality=4, injuries=1, taken=True)._replace(ended=True)
    for rest in ("", "stage"):
        left = after(ADA, ended, rest, REST)
        assert (left.vitality, left.injured_this_stage) == (4, False)


def test_ee56_conditions_of_a_stage_end_with_it() -> None:
    slow, numb = Suffered(Affliction(name="Slow")), Suffered(Affliction(name="Numb"), HELD)
    hurt = stands(ADA, vitality=4, injuries=1, conditions=(numb, slow))
    assert [one.name for one in after(ADA, hurt).conditions] == ["Numb", "Slow"]
    assert [one.name for one in after(ADA, hurt, "stage").conditions] == ["Numb"]
    assert [one.name for one in after(ADA, hurt, "stage", DREAD).conditions] == ["Dread", "Numb"]
    dreads = hurt.now._replace(conditions=(Suffered(Affliction(name="Dread", each_die=-1)), slow))
    enacted = hurt._replace(now=dreads, ended=True)
    assert [one.name for one in after(ADA, enacted, "", DREAD).conditions] == ["Dread"]


def test_ee53_whoever_is_defeated_is_gone() -> None:
    with pytest.raises(SetupError, match="Husk is defeated and gone"):
        after(HUSK, stands(HUSK, vitality=0, fallen="defeated"))


def test_ee59_effects_of_a_stage_pass_enemies_by() -> None:
    hurt = replace(HUSK, vitality_max=5)
    assert after(hurt, stands(hurt), "stage", REST).vitality == 3


def test_other_rests_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="nap"):
        after(ADA, stands(ADA), "nap")
