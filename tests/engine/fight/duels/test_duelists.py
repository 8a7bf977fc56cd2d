"""The conditions of a duel, against what the rules make of them one by one."""

from __future__ import annotations

import pytest

from tests.engine.fight.duels.shipped import shipped_duel


@pytest.mark.parametrize(
    ("system_name", "fight"), [("eclipse-phase", "ripper-dog"), ("eclipse-phase", "w6")]
)
def test_effects_make_of_each_condition_what_the_rules_make_of_it(
    system_name: str, fight: str
) -> None:
    for duelist in shipped_duel(system_name, fight).duelists:
        effects = {number: effect for effect, number in duelist.effects.items()}
        assert any(duelist.changes)
        for condition, changes in zip(duelist.conditions, duelist.changes, strict=True):
            for number, after in changes.items():
                assert duelist.conditions[after] == duelist.after(condition, effects[number])
