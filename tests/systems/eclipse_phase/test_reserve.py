"""Points that no exchange gets so far as to spend: a roll takes one of a pool at most."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from affray.app.inputs.fight_changes import FIGHT_AS_WRITTEN
from affray.app.inputs.fight_setups import load_fight
from affray.app.sources import Names
from affray.core.hints import Reserve
from affray.engine.fight.contest import Contest
from affray.systems.eclipse_phase.condition import Rare, enter
from affray.systems.eclipse_phase.hints import HINTS, with_spare, without_spare
from affray.testing.rows import compare_rows
from tests.systems.eclipse_phase.factory import BY_ATTACKS, VICTIM

RICH = enter(VICTIM, BY_ATTACKS)._replace(damage=3, wounds=1, pools=(3, 1, 0, 2, 4))
DAMAGE = frozenset({"net_all"})


def test_ep18_an_attack_takes_no_more_than_a_point_of_each_pool() -> None:
    known = without_spare(VICTIM, RICH, DAMAGE)
    assert known == RICH._replace(pools=(1, 1, 0, 1, 1))
    after = known._replace(damage=9, pools=(1, 1, 0, 0, 1))
    assert with_spare(after, known, RICH) == RICH._replace(damage=9, pools=(3, 1, 0, 1, 4))
    poor = RICH._replace(pools=(1, 0, 1, 0, 1))
    assert without_spare(VICTIM, poor, DAMAGE) == poor


@pytest.mark.parametrize("spends_for", [None, frozenset({"dead"}), DAMAGE | {"unconscious"}])
def test_ep18_checks_take_points_as_well(spends_for: frozenset[str] | None) -> None:
    assert without_spare(VICTIM, RICH, spends_for) == RICH


@pytest.mark.parametrize("rare", [Rare(economy=True), Rare(ambush="lurks")])
def test_ep30_in_ambush_and_in_a_whole_turn_more_is_spent(rare: Rare) -> None:
    held = RICH._replace(rare=rare)
    assert without_spare(VICTIM, held, DAMAGE) == held


def _greedy(one: str, other: str) -> Contest:
    changes = FIGHT_AS_WRITTEN._replace(policies=("greedy", "greedy"))
    return load_fight("eclipse-phase", Names(one, other), changes).contest


def test_ep18_those_with_points_to_spare_fight_alike() -> None:
    contest = _greedy("ozma_agent", "duellist_a")
    assert contest.spends_for == DAMAGE
    compare_rows(contest, exchanges=4)


def test_a_wrong_reserve_is_found() -> None:
    quick = _greedy("ozma_agent", "duellist_a")
    none: Any = lambda sheet, condition, _: condition._replace(pools=(0,) * 5)  # noqa: E731
    hints: Any = replace(HINTS, reserve=Reserve(none, with_spare))
    wrong = quick.system.with_hints(hints)
    contest = Contest(wrong, quick.sides, quick.rulings, first=quick.first)
    with pytest.raises(AssertionError, match="if it is declared without a reserve"):
        compare_rows(contest, exchanges=4)
