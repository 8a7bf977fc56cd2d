"""Conditions that make no difference to an attack, while they make one to what comes after it."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from affray.core.fight import ATTACK, Deed, same
from affray.core.node import Facts
from affray.core.ruling import Rulings
from affray.core.system import System
from affray.engine.exchange.best import objective_named
from affray.engine.fight.matchup import EffectOdds, Encounter, Matchup
from affray.engine.fight.plans import Both, Plan
from affray.systems.eclipse_phase.condition import enter
from affray.systems.eclipse_phase.scenes import BREAK_FREE
from affray.systems.eclipse_phase.sheet import Combatant
from affray.systems.eclipse_phase.state import States
from affray.systems.eclipse_phase.tables import LASTING
from tests.systems.eclipse_phase.factory import BLOW, SHOOTER, SYSTEM, VICTIM

PLAIN = SYSTEM.with_hints(dataclasses.replace(SYSTEM.hints, struck=same))
FIRST = Both(Plan("first"), Plan("first"), "attacker")
STATES: list[States] = [
    (("fleeing", 2),),
    (("fleeing", 0), ("impaired_20", 0)),
    (("impaired_10", 3),),
    (("blinded", 1), ("stunned", 4)),
    (("blinded", LASTING),),
    (("dazed", 1), ("fleeing", LASTING)),
    (("entangled", 2), ("grappled", LASTING)),
]


def odds(system: System[Facts], states: States, deed: Deed = ATTACK) -> dict[Any, float]:
    """The effects on both of a deed done to somebody in these conditions."""
    actor: Combatant = VICTIM if deed is BREAK_FREE else SHOOTER
    setup = dataclasses.replace(BLOW, attacker=actor, defender=VICTIM)
    matchup = Matchup(system, setup, Rulings(), FIRST, objective_named(system, "damage"), 0)
    struck = enter(VICTIM, Rulings())._replace(states=states)
    one = struck if deed is BREAK_FREE else enter(actor, Rulings())
    found = matchup.odds(Encounter(deed, one, struck))
    assert isinstance(found, EffectOdds)
    return {
        both: weight / found.total
        for both, weight in zip(found.effects, found.weights, strict=True)
    }


@pytest.mark.parametrize("states", STATES)
def test_an_attack_is_the_same_however_long_conditions_go_on(states: States) -> None:
    assert odds(SYSTEM, states) == odds(PLAIN, states)


def test_what_impairs_counts_and_for_how_long_does_not() -> None:
    impaired = odds(PLAIN, (("impaired_20", 1),))
    assert impaired == odds(PLAIN, (("impaired_20", 3),))
    assert impaired == odds(PLAIN, (("fleeing", 2), ("impaired_20", 3)))
    assert impaired != odds(PLAIN, ())


def test_what_entangles_counts_for_those_who_break_free() -> None:
    """Each superior success of the attack makes it harder by 10."""
    tight: States = (("entangled", 2), ("grappled", LASTING))
    loose: States = (("entangled", 1), ("grappled", LASTING))
    assert odds(SYSTEM, tight, BREAK_FREE) == odds(PLAIN, tight, BREAK_FREE)
    assert odds(SYSTEM, tight, BREAK_FREE) != odds(SYSTEM, loose, BREAK_FREE)
