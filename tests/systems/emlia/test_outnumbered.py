"""Targets in ranks that are said to be alike for an attacker: by the rules they suffer the same."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from affray.core.fight import ATTACK
from affray.core.hints import Hints
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.matchup import Encounter, Matchup
from affray.engine.fight.plans import Plan
from affray.systems.emlia import SYSTEM
from affray.systems.emlia.fight import FIGHT
from affray.systems.emlia.gear import Skill, Weapon
from affray.systems.emlia.hints import HINTS
from affray.systems.emlia.sheet import Contact, Setup, Unit
from affray.systems.emlia.standing import Ranks

PLAIN = SYSTEM.with_hints(Hints())
DICE = 3
SHOT = Weapon(skill="aimed_fire", short=50, medium=90, longest=99)
VOLLEY = Weapon(skill="volley_fire", short=50, medium=90, longest=99)


def unit(name: str, members: int, *skills: str, **more: Any) -> Unit:
    """A unit with the same level in each skill."""
    known = tuple([Skill(skill=skill, level=DICE) for skill in skills or ("close_combat",)])
    return Unit(**{"name": name, "members": members, "hits": 2, "skills": known, **more})


RANKED = {"formation": "ranked", "reach": 1}
CASES: dict[str, tuple[Unit, Unit, dict[str, Any], dict[str, str]]] = {
    "as it comes": (unit("A", 7), unit("B", 9), {}, {}),
    "few of them in contact": (
        unit("A", 7, **RANKED), unit("B", 9), {"contact": Contact(members=2, theirs=3)}, {},
    ),
    "units are counted": (unit("A", 4), unit("B", 9), {}, {"outnumber_count": "units"}),
    "as many dice as members": (unit("A", 4), unit("B", 5), {}, {"dice_from": "members"}),
    "shots, whoever is outnumbered": (
        unit("A", 4, "aimed_fire", weapons=(SHOT,)), unit("B", 9),
        {"action": "aimed_fire", "distance": 10}, {"aimed_odds": "always"},
    ),
    "shots": (
        unit("A", 4, "aimed_fire", weapons=(SHOT,)), unit("B", 9),
        {"action": "aimed_fire", "distance": 10}, {},
    ),
    "a volley": (
        unit("A", 4, "volley_fire", weapons=(VOLLEY,), formation="close"), unit("B", 9),
        {"action": "volley_fire", "distance": 10}, {},
    ),
    "after a charge": (unit("A", 4), unit("B", 9), {"action": "charge", "distance": 2}, {}),
    "one of two actions": (
        unit("A", 4, "close_combat", "aimed_fire", weapons=(SHOT,)), unit("B", 9), {}, {},
    ),
    "some were lost before": (unit("A", 4), unit("B", 5, lost=4), {}, {}),
}  # fmt: skip


def matchup(system: Any, case: str) -> Matchup:
    one, other, situation, readings = CASES[case]
    sides = [
        Side(
            own.name, (own,), Setup(attacker=own, defender=foe, focus="none", **more), Plan("first")
        )
        for own, foe, more in ((one, other, situation), (other, one, {}))
    ]
    contest = Contest(system, (sides[0], sides[1]), SYSTEM.readings(readings), first="one")
    return contest.matchup(0, one, other)


def after(rows: Matchup, own: Ranks, foe: Ranks) -> dict[object, Fraction]:
    """What may become of the target."""
    row = rows.odds(Encounter(ATTACK, own, foe))
    assert row is not None
    found: dict[object, Fraction] = {}
    effects: Any = row.effects
    for (_, effect), weight in zip(effects, row.weights, strict=True):
        becomes = FIGHT.apply(rows.setup.defender, foe, effect)
        found[becomes] = found.get(becomes, Fraction(0)) + Fraction(weight, row.total)
    return found


@pytest.mark.parametrize("case", CASES)
def test_em32_targets_that_are_as_badly_outnumbered_suffer_the_same(case: str) -> None:
    quick, plain = matchup(SYSTEM, case), matchup(PLAIN, case)
    one, other, *_ = CASES[case]
    everybody = product(range(1, one.members + 1), range(1, other.members + 1), (0, 1))
    for mine, theirs, markers in everybody:
        own = Ranks(mine, 0, 0, quick.rulings)
        foe = Ranks(theirs, theirs // 3, markers, quick.rulings)
        assert after(quick, own, foe) == after(plain, own, foe), (mine, theirs, markers)


def alike(case: str, own: int) -> list[int]:
    """For each number of the target's members, from one on, the one that it is taken for."""
    rows = matchup(SYSTEM, case)
    found: list[Any] = [
        HINTS.against(rows.setup, Ranks(own, 0, 0, rows.rulings), Ranks(n, 0, 0, rows.rulings))
        for n in range(1, CASES[case][1].members + 1)
    ]
    return [one.members for one in found]


def test_em32_the_strongest_stands_for_all_who_are_as_badly_outnumbered() -> None:
    """Five to one and two are more than two to one; four are outnumbered, five are not."""
    assert alike("as it comes", 5) == [1, 2, 4, 4, 9, 9, 9, 9, 9]
    assert alike("a volley", 4) == [9] * 9
    assert alike("some were lost before", 3) == [1, 2, 9, 9, 9]


@pytest.mark.parametrize("case", ["after a charge", "one of two actions"])
def test_em60_where_something_else_may_happen_everybody_stands_for_himself(case: str) -> None:
    assert alike(case, 3) == list(range(1, 10))


def test_em53_those_who_are_more_than_numbers_stand_for_themselves() -> None:
    one, other, *_ = CASES["as it comes"]
    open_one = unit("B", 5, formation="open")
    setup = Setup(attacker=one, defender=open_one)
    own, foe = FIGHT.enter(one, SYSTEM.readings({})), FIGHT.enter(open_one, SYSTEM.readings({}))
    assert HINTS.against(setup, own, foe) is foe
    assert HINTS.against(setup, foe, own) is own
    nobody = Ranks(other.members + 1, 0, 0, SYSTEM.readings({}))
    assert HINTS.against(Setup(attacker=one, defender=other), own, nobody) is nobody
