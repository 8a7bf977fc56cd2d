"""How fights leave their fighters: standing, out, dead, and what bleeding comes to in the end."""

from dataclasses import replace
from typing import Any

import pytest

from affray.core.ruling import Rulings
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.plans import Plan
from affray.engine.fight.played.play import play_battle, replay
from affray.engine.fight.sampled.battle import Battle
from affray.systems.eclipse_phase.condition import FATES, Condition, Effect
from affray.systems.eclipse_phase.fight import FIGHT
from affray.systems.eclipse_phase.scenes import STOP_BLEEDING
from affray.systems.eclipse_phase.sheet import Combatant

from .factory import BY_ATTACKS, QUIET, SYSTEM, pistol, shooter, shot, victim

Fates = dict[str, float]
DYING = {"durability": 30, "wound_threshold": 12, "damage": 20, "som_check": 45}
"""One hit for 12: damage 32 of 30, one wound, a check against 45 - 10 = 35."""


def hits(dv: int, rulings: dict[str, str] | None = None, **changes: Any) -> Contest:
    """A shooter against somebody who does nothing, and whom the first hit brings down.

    0 to 22 hit, at close range and without a defense: no superior success, and criticals double
    dice only, of which there are none.
    """
    prey = victim(fray=0, kinetic=0, conditions=("immobilized",), **{**DYING, **changes})
    gun = pistol(d10=0, flat=dv)
    one = shooter(guns=22, weapons=(gun,))
    situation = replace(shot(), weapon=None, attacker=one, defender=prey)
    plan = Plan("first", tuple(QUIET.items()))
    sides = (
        Side("one", (one,), situation, plan),
        Side("other", (prey,), situation, plan, idle=True),
    )
    held = Rulings.pick(
        SYSTEM.rulings, {"critical_doubles": "dice", "turns": "attacks", **(rulings or {})}
    )
    return Contest(SYSTEM, sides, held, first="one")


def fates(made: Contest) -> Fates:
    """What becomes of the prey."""
    return Duel(made).fates()[1]


def near(**expected: float) -> Any:
    return pytest.approx({**dict.fromkeys(FATES, 0.0), **expected})


def test_ep113_a_body_at_durability_with_a_wound_bleeds_to_death_unless_it_checks() -> None:
    assert fates(hits(12)) == near(out=0.36, dead=0.64)


def test_ep113_the_wounded_are_harder_to_stop_from_bleeding() -> None:
    # Two earlier wounds: 45 - 30 = 15, 16 faces.
    assert fates(hits(12, wounds=2)) == near(out=0.16, dead=0.84)


def test_ep113_treated_they_have_thirty_more() -> None:
    made = hits(12)
    one, other = made.sides
    helped = other._replace(situation=replace(other.situation, treated=True))
    made = Contest(SYSTEM, (one, helped), made.rulings, first="one")
    assert fates(made) == near(out=0.66, dead=0.34)


def test_ep113_without_a_wound_nobody_bleeds_unless_a39_says_so() -> None:
    assert fates(hits(12, wound_threshold=13)) == near(out=1.0)
    ruled = {"bleeds_unwounded": "yes"}
    assert fates(hits(12, ruled, wound_threshold=13)) == near(out=0.46, dead=0.54)


@pytest.mark.parametrize(
    "changes",
    [{"body": "synthmorph"}, {"qualities": ("medichines",)}, {"body": "bot"}],
    ids=["synthmorph", "medichines", "bot"],
)
def test_ep113_no_blood_no_bleeding(changes: dict[str, Any]) -> None:
    assert fates(hits(12, **changes)) == near(out=1.0)


def test_ep65_the_death_rating_kills_at_once() -> None:
    assert fates(hits(25)) == near(dead=1.0)  # 45 of 45
    assert fates(hits(24)) == near(out=0.26, dead=0.74)  # 44, two wounds


def test_ep113_a38_a_check_each_turn_until_the_death_rating() -> None:
    # 44 of 45 with two wounds: one failed check is the last one; 32 with one wound: thirteen.
    ruled = {"bleeding": "each"}
    assert fates(hits(24, ruled)) == near(out=0.26, dead=0.74)
    assert fates(hits(12, ruled)) == near(out=1 - 0.64**13, dead=0.64**13)


def test_ep65_battles_count_the_dead_as_duels_do() -> None:
    made = hits(12)
    found = Battle(made).run(2_000, seed=3)
    shooter_, prey = found.fighters
    assert {name: round(one.value, 9) for name, one in prey.fates.items()} == near(
        out=0.36, dead=0.64
    )
    assert shooter_.fates["standing"].value == 1
    assert found.by_fate[1]["dead"] == pytest.approx({0: 0.36 * 2_000, 1: 0.64 * 2_000})


def test_ep113_a_played_fight_rolls_the_check_when_it_is_over() -> None:
    made = hits(12)
    seen = set()
    for seed in range(12):
        played = play_battle(made, seed=seed)
        last = played.exchanges[-1]
        assert last.deed == STOP_BLEEDING.name
        (face,) = last.answers[-1].faces
        assert played.fates == (("standing",), ("out" if int(str(face)) <= 35 else "dead",))
        assert replay(made, played).fates == played.fates
        seen.add(played.fates[1][0])
    assert seen == {"out", "dead"}


def test_ep65_damage_is_kept_up_to_the_death_rating() -> None:
    sheet = Combatant(name="Body", durability=30)
    start = FIGHT.enter(sheet, BY_ATTACKS)
    found = [FIGHT.apply(sheet, start, Effect(net, 1)) for net in (29, 30, 44, 45, 99)]
    assert [condition.damage for condition in found] == [29, 30, 44, 45, 45]
    kinds = [FIGHT.fate(sheet, condition) for condition in found]
    assert kinds == ["standing", "out", "out", "dead", "dead"]


def test_ep114_a44_the_ruling_moves_the_death_rating() -> None:
    printed = Combatant(name="Body", durability=30, death_rating=60)
    for reading, dies_at in (("printed", 60), ("formula", 45)):
        condition = FIGHT.enter(
            printed, Rulings.pick(SYSTEM.rulings, {"printed": reading, "turns": "attacks"})
        )
        assert condition == Condition(dies_at=dies_at, bleeds="wounded")


def test_ep113_who_lies_bleeding_is_told_apart_by_the_turns_that_are_left() -> None:
    """Death at 53 with three wounds, one damage each a turn: 18 points are 6 turns, 15 are 5."""
    fresh = Condition(wounds=2, dies_at=53, bleeds="wounded")
    prey = victim(durability=35)
    lying = [FIGHT.apply(prey, fresh, Effect(net, 1)).damage for net in range(35, 54)]
    assert lying == [35] * 3 + [38] * 3 + [41] * 3 + [44] * 3 + [47] * 3 + [50] * 3 + [53]


def test_ep65_a_played_fight_keeps_all_damage() -> None:
    """A hit for 16 on 20: 36 of 30 is told, and nobody's fate hangs on more than that."""
    contest = hits(16)
    played = next(battle for seed in range(20)
                  if len((battle := play_battle(contest, seed=seed)).exchanges) > 1)  # fmt: skip
    struck, checked = (entry.conditions for entry in played.exchanges[-2:])
    assert (struck[1][0].damage, struck[1][0].wounds) == (36, 1)  # type: ignore[attr-defined]
    (prey,), sheet = checked[1], contest.sides[1].fighters[0]
    assert isinstance(prey, Condition)
    assert isinstance(sheet, Combatant)
    assert prey.damage == {"out": 36, "dead": 45}[FIGHT.fate(sheet, prey)]
    assert replay(contest, played).exchanges == played.exchanges
