"""The conditions of a duel, against what the rules make of them one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from affray.app.inputs.fight_changes import FIGHT_AS_WRITTEN
from affray.app.inputs.fight_setups import load_fight
from affray.app.sources import Names
from affray.core.errors import SetupError
from affray.engine.fight.contest import Contest
from affray.engine.fight.duels import duelists
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.optimal import BestDuel
from tests import fight_systems as games
from tests.engine.fight.duels.shipped import shipped_duel
from tests.fight_systems import Fighter


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


def test_effects_told_apart_anew_make_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    known = shipped_duel("eclipse-phase", "w6")
    assert any(duelist._known_adding for duelist in known.duelists)
    monkeypatch.setattr(duelists, "MOST_ADDING", 1)
    known.contest.worked_out.clear()
    again = Duel(known.contest)
    for one, other in zip(known.duelists, again.duelists, strict=True):
        assert len(other._known_adding) <= 1
        assert (one.conditions, one.changes) == (other.conditions, other.changes)


def test_who_never_spends_anything_has_what_they_brought() -> None:
    """They are followed without it."""
    changes = FIGHT_AS_WRITTEN._replace(policies=("first", "opening"))
    duel = Duel(load_fight("eclipse-phase", Names("limbwalker", "limbwalker"), changes).contest)
    assert any(duel.duelists[0].spare.values())
    for duelist in duel.duelists:
        brings = duelist.fight.enter(duelist.sheet, duel.contest.rulings)
        brought = duelist.fight.resources(duelist.sheet, brings)
        left = duelist.left()
        assert {name: left[name][duelist.start] for name in left} == brought


@pytest.mark.parametrize("solved_by", [Duel, BestDuel])
@pytest.mark.parametrize("who", [0, 1])
def test_a_duel_refuses_what_is_urgent_for_somebody_who_fights_on(
    who: int, solved_by: Callable[[Contest], object]
) -> None:
    fighters = [Fighter("A", 9, sides=3), Fighter("B", 9, sides=3)]
    fighters[who] = Fighter("C", 2, sides=3)  # a point is left after the first blow
    contest = games.contest(games.gathering, fighters[0], fighters[1], "coin")
    with pytest.raises(SetupError, match="'gather' is settled at once, while the fight goes on"):
        solved_by(contest)


def test_a_duel_puts_off_what_is_urgent_where_nobody_minds() -> None:
    minded = games.gathering()
    assert minded.fight is not None
    calm = replace(minded, fight=replace(minded.fight, tends=lambda sheet, rulings: False))
    duel = Duel(games.contest(calm, Fighter("A", 1), Fighter("B", 1), "one"))
    assert duel.solve().won == (1, 0)
