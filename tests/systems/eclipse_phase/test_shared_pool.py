"""One Threat pool for a group, in fights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from affray.core.errors import SetupError
from affray.core.ruling import Rulings
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.course import FighterId
from affray.engine.fight.plans import Plan
from affray.engine.fight.played.hands import Enter, SetCondition, play_hand
from affray.engine.fight.played.play import play_battle
from affray.engine.fight.played.position import Position
from affray.engine.fight.played.session import FightSession
from affray.engine.fight.played.supply import begin
from affray.engine.fight.sampled.battle import Battle
from affray.systems.eclipse_phase.condition import Condition
from affray.systems.eclipse_phase.fight import FIGHT
from affray.systems.eclipse_phase.sheet import Combatant

from .factory import QUIET, SYSTEM, pistol, shooter, shot, victim

F = Fraction
RULED = Rulings.pick(SYSTEM.rulings, {})
DOG = victim(threat=1, threat_group="dogs", weapons=(pistol(),), fray=0, som=10)
HARMLESS = shooter(name="foe", guns=0, weapons=(pistol(d10=0),), durability=500)


def fight(
    dogs: tuple[Combatant, ...],
    foe: Combatant = HARMLESS,
    *,
    choose: Mapping[str, Any] | None = None,
) -> Contest:
    habits = {**QUIET, **(choose or {})}
    plan = Plan("first", tuple((step, (options,) if isinstance(options, str) else options)
                               for step, options in habits.items()))  # fmt: skip
    setup = replace(shot(attacker=dogs[0], defender=foe), weapon=None)
    foes = replace(shot(attacker=foe, defender=dogs[0]), weapon=None)
    return Contest(SYSTEM, (Side("dogs", dogs, setup, plan), Side("foe", (foe,), foes, plan)),
                   RULED, first="one")  # fmt: skip


SPENDS = {"call_for_check": ("plus20", "none")}


@pytest.mark.parametrize(
    ("points", "group", "helped"),
    [(0, "", (0, 0)), (1, "", (1, 1)), (1, "dogs", (1, 0)), (2, "dogs", (1, 1))],
)
def test_ep24_who_checks_first_takes_the_point(
    points: int, group: str, helped: tuple[int, int]
) -> None:
    """Both lie bleeding: SOM 30, less 10 for the wound, 20 more for whoever has a point."""
    hurt = replace(DOG, damage=40, wounds=1, threat=points, threat_group=group)
    dog = replace(DOG, durability=500, threat=points, threat_group=group)
    contest = fight((hurt, hurt, dog), choose=SPENDS)
    result = Battle(contest, rounds=1).run(2_000, seed=9)
    played: Counter[int] = Counter()
    n = 60
    for seed in range(n):
        battle = play_battle(contest, seed=seed, rounds=1)
        played.update(place for place, fate in enumerate(battle.fates[0]) if fate == "dead")
    for place, point in enumerate(helped):
        dies = 1 - float(F(21 + 20 * point, 100))
        error = (dies * (1 - dies)) ** 0.5
        assert abs(result.fighters[place].fates["dead"].value - dies) < 5 * error / 2_000**0.5
        assert abs(played[place] / n - dies) < 5 * error / n**0.5


def pools(here: Position) -> list[int]:
    found = []
    for condition in here.conditions[0]:
        assert isinstance(condition, Condition)
        found.append(condition.pools[3])
    return found


def test_ep24_a_point_that_one_spends_is_gone_for_all() -> None:
    other = replace(DOG, threat_group="", threat=2)
    contest = fight((DOG, DOG, other), choose={"spend_before_attack": ("plus20", "none")})
    battle = play_battle(contest, seed=1, rounds=1)
    assert [one.pools[3] for one in battle.conditions[0]] == [0, 0, 1]  # type: ignore[attr-defined]


def test_ep24_what_a_game_master_sets_all_have() -> None:
    contest = fight((DOG, DOG, replace(DOG, threat_group="cats", threat=4)), choose=SPENDS)
    here = play_hand(begin(contest), SetCondition(FighterId(0, 1), "threat", 3))
    assert pools(here) == [3, 3, 4]
    joined = play_hand(here, Enter(0, DOG))
    assert pools(joined) == [3, 3, 4, 3]
    told = {line.label: line for line in FIGHT.told(DOG, FIGHT.enter(DOG, RULED))}
    assert told["threat"].does.startswith("shared by 'dogs' (EP-24)")


def test_ep24_what_a_group_says_of_its_pool_fits() -> None:
    with pytest.raises(SetupError, match="has 2 points in it, another 1"):
        fight((DOG, replace(DOG, threat=2)))
    with pytest.raises(SetupError, match="both draw on the Threat pool 'dogs'"):
        fight((DOG,), replace(HARMLESS, threat=1, threat_group="dogs"))
    with pytest.raises(SetupError, match="takes the lead"):
        fight((replace(DOG, takes_lead=True),))
    assert FightSession(fight((DOG, DOG))).verdict is None


def test_ep24_battles_share_a_pool_that_shots_draw_on() -> None:
    """Two dogs shoot at 70; the foe can't dodge. A point makes that 90, for one shot."""
    gun = pistol(d10=0, flat=9)
    dog = replace(DOG, weapons=(gun,), guns=70)
    foe = replace(HARMLESS, fray=0, conditions=("surprised",))
    choose = {"spend_before_attack": ("plus20", "none")}
    taken = {}
    for threat, group in ((1, "dogs"), (1, ""), (0, "")):
        one = replace(dog, threat=threat, threat_group=group)
        result = Battle(fight((one, one), foe, choose=choose), rounds=1).run(20_000, seed=3)
        taken[threat, group] = [fighter.dealt.value for fighter in result.fighters[:2]]
    (spends, goes_without), (helped, _), (plain, _) = taken.values()
    assert spends == pytest.approx(helped, rel=0.03)
    assert goes_without == pytest.approx(plain, rel=0.03)
    assert plain < 0.8 * helped
