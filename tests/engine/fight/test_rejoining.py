"""First rolls after which exchanges are alike again, against exchanges followed one by one."""

from __future__ import annotations

import pytest

from affray.core.node import Chance, Facts
from affray.engine.fight import rejoining
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.matchup import EffectOdds
from affray.engine.fight.rejoining import Rejoins, Tails
from tests.engine.fight.duels.shipped import shipped_contest


def _odds(fight: str) -> list[EffectOdds]:
    """All exchanges of a duel of Eclipse Phase."""
    duel = Duel(shipped_contest("eclipse-phase", fight))
    return [odds for attacks in duel.attacks for odds in attacks.odds]


@pytest.mark.parametrize("fight", ["w6", "turrets", "ball-and-wire"])
def test_a_roll_comes_to_the_same_in_the_same_order(
    fight: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rolled, taken = Rejoins.rolled, []

    def noted(self: Rejoins, opening: Chance[Facts]) -> Tails | None:
        found = rolled(self, opening)
        taken.append(found is not None)
        return found

    monkeypatch.setattr(Rejoins, "rolled", noted)
    found = _odds(fight)
    assert any(taken)
    monkeypatch.setattr(Rejoins, "rolled", lambda self, opening: None)
    assert found == _odds(fight)


def test_where_the_way_to_a_seam_is_long_a_flow_takes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    found = _odds("turrets")
    monkeypatch.setattr(rejoining, "MOST_STRAIGHT", 0)
    assert found == _odds("turrets")
