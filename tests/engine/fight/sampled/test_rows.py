"""Exchanges of a battle: what looks alike is asked once, unless something hidden is looked at."""

from __future__ import annotations

from collections import Counter

import pytest

from affray.engine.fight.matchup import Encounter, Matchup
from affray.engine.fight.sampled.battle import Battle, BattleResult
from affray.engine.fight.sampled.numbering import TargetView
from affray.engine.fight.sampled.rows import Rows
from tests.engine.fight.duels.shipped import shipped_contest

Asked = Counter[tuple[int, Encounter]]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """How often each encounter was asked for as it is visible."""
    times: Asked = Counter()
    shared_odds = Matchup.shared_odds

    def counting(self: Matchup, encounter: Encounter) -> object:
        found, same = shared_odds(self, encounter)
        if same:
            times[id(self), self.visible(encounter)] += 1
        return found, same

    monkeypatch.setattr(Matchup, "shared_odds", counting)
    return times


def _fought(system: str, fight: str) -> BattleResult:
    return Battle(shipped_contest(system, fight)).run(300, seed=1)


@pytest.mark.parametrize(
    ("system", "fight"), [("eclipse-phase", "w8"), ("affinity", "raid"), ("empty-earth", "relief")]
)
def test_the_same_battles_come_of_targets_asked_one_by_one(
    system: str, fight: str, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = _fought(system, fight)
    most = max(asked.values(), default=0)
    asked.clear()

    def each_for_itself(self: Rows, target: int, view: TargetView) -> int:
        return target

    monkeypatch.setattr(Rows, "_as_shown", each_for_itself)
    assert _fought(system, fight) == found
    if system == "eclipse-phase":  # where damage is hidden, and mostly not looked at
        assert most < max(asked.values())
