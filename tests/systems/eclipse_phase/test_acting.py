"""Wounds and traumas that are ignored make no difference to whoever attacks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from affray.app.inputs.fight_changes import FIGHT_AS_WRITTEN
from affray.app.inputs.fight_setups import load_fight
from affray.app.sources import Names
from affray.engine.fight.contest import Contest
from affray.systems.eclipse_phase.condition import Condition, Rare, enter
from affray.systems.eclipse_phase.hints import HINTS, acting
from affray.systems.eclipse_phase.sheet import Combatant
from affray.testing.rows import compare_rows
from tests.systems.eclipse_phase.factory import BY_ATTACKS, VICTIM

HARDY = replace(VICTIM, ignore_wounds=2, ignore_traumas=1, lucidity=30)
FRESH = enter(HARDY, BY_ATTACKS)


@pytest.mark.parametrize(
    ("harm", "seen"), [((2, 1), (0, 0)), ((3, 1), (3, 0)), ((2, 2), (0, 2)), ((3, 2), (3, 2))]
)
def test_ep109_ignored_harm_bears_on_no_attack(
    harm: tuple[int, int], seen: tuple[int, int]
) -> None:
    hurt = FRESH._replace(wounds=harm[0], traumas=harm[1])
    wounds, traumas = seen
    assert acting(HARDY, hurt) == FRESH._replace(wounds=wounds, traumas=traumas)


def test_ep22_with_whole_turns_all_harm_counts() -> None:
    hurt = FRESH._replace(wounds=1, traumas=1, rare=Rare(economy=True))
    assert acting(HARDY, hurt) == hurt


def _hurt(wounds: int) -> Contest:
    """Zahiri, who ignores two wounds, with some, and a limbwalker."""
    changes = FIGHT_AS_WRITTEN._replace(policies=("first", "first"))
    contest = load_fight("eclipse-phase", Names("zahiri", "limbwalker"), changes).contest
    one, other = contest.sides
    fighters: Any = tuple(replace(sheet, wounds=wounds) for sheet in one.fighters)  # type: ignore[type-var]
    return contest.changed(sides=(one._replace(fighters=fighters), other))


def test_ep109_attacks_by_the_wounded_come_to_the_same() -> None:
    assert compare_rows(_hurt(1), exchanges=2).exchanges


def test_harm_that_counts_is_missed() -> None:
    def blind(sheet: Combatant, condition: Condition) -> Condition:
        return condition._replace(wounds=0)

    quick = _hurt(3)
    hints: Any = replace(HINTS, acting=blind)
    wrong = Contest(quick.system.with_hints(hints), quick.sides, quick.rulings, first=quick.first)
    with pytest.raises(AssertionError, match="with everything known"):
        compare_rows(wrong, exchanges=2)
