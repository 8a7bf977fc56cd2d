"""Harm adds up: an attack makes the same of somebody as if its damage had been there before."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from affray.app.inputs.fight_changes import FIGHT_AS_WRITTEN
from affray.app.inputs.fight_setups import load_fight
from affray.app.sources import Names
from affray.core.errors import RulesError
from affray.core.ruling import Rulings
from affray.engine.fight.contest import Contest
from affray.engine.fight.duels.duel import Duel
from affray.systems.eclipse_phase.changes import apply
from affray.systems.eclipse_phase.condition import Besides, Effect, enter
from affray.systems.eclipse_phase.hints import HINTS, adds
from affray.testing.rows import compare_rows
from tests.systems.eclipse_phase.factory import VICTIM

SHEET = replace(VICTIM, lucidity=20)
EFFECTS = [
    Effect(7, 1),
    Effect(60, 5, prone=True, knocked_out=True),
    Effect(9, 1, stress=True),
    Effect(50, 4, stress=True),
    Effect(12, 1, states=(("impaired_20", 1),), exposed=True, pools=(("flex", 1),)),
]


@pytest.mark.parametrize("effect", EFFECTS)
def test_harm_that_was_there_before_comes_to_the_same(effect: Effect) -> None:
    for damage, stress, wounds in product((0, 10, 34, 51), (0, 5, 19), (0, 2)):
        begun = enter(SHEET, Rulings())._replace(wounds=wounds)
        hurt = begun._replace(damage=damage, stress=stress)
        found = adds(effect)
        assert found is not None
        (more_damage, more_stress), rest = found
        before = begun._replace(damage=damage + more_damage, stress=stress + more_stress)
        assert rest.net == 0
        assert apply(SHEET, before, rest) == apply(SHEET, hurt, effect)


def test_who_bleeds_to_death_is_another_matter() -> None:
    assert adds(Effect(3, besides=Besides(bled="dead"))) is None
    assert adds(Effect(wounds=1)) is None


def _without_wounds(effect: Effect) -> Any:
    found = adds(effect)
    return found and (found[0], found[1]._replace(wounds=0))


def test_a_wrong_sum_is_found() -> None:
    changes = FIGHT_AS_WRITTEN._replace(policies=("first", "first"))
    quick = load_fight("eclipse-phase", Names("ripper", "guard_dog"), changes).contest
    assert compare_rows(quick, exchanges=4).exchanges
    hints: Any = replace(HINTS, adds=_without_wounds)
    wrong = Contest(quick.system.with_hints(hints), quick.sides, quick.rulings, first=quick.first)
    with pytest.raises(AssertionError, match=r"Effect\(net=.*makes Condition"):
        compare_rows(wrong, exchanges=8)


def _damage_alone(effect: Effect) -> Any:
    found = adds(effect)
    return found and (found[0][:1], found[1])


def test_a_sum_of_fewer_numbers_than_are_hidden_is_refused() -> None:
    changes = FIGHT_AS_WRITTEN._replace(policies=("first", "first"))
    quick = load_fight("eclipse-phase", Names("ripper", "guard_dog"), changes).contest
    hints: Any = replace(HINTS, adds=_damage_alone)
    wrong = Contest(quick.system.with_hints(hints), quick.sides, quick.rulings, first=quick.first)
    with pytest.raises(RulesError, match=r"2 numbers are hidden, \(\d+, \d+\).*to \[1\] of them"):
        Duel(wrong)
