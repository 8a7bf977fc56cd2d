"""Distance and actions in a fight: reach, moves, rushes, full defense, aims, rounds."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from affray.core.errors import SetupError
from affray.core.fight import ATTACK
from affray.core.ruling import Rulings
from affray.engine.exchange.session import Session
from affray.engine.fight.contest import Contest, Side, opening_plans
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.plans import Plan
from affray.engine.fight.played.play import play_battle
from affray.engine.fight.sampled.battle import Battle
from affray.systems.eclipse_phase.fight import FIGHT
from affray.systems.eclipse_phase.scenes import RELOAD
from affray.systems.eclipse_phase.sheet import Combatant, Setup
from affray.systems.eclipse_phase.state import Exchange

from .factory import (
    BLADE,
    QUIET,
    SYSTEM,
    attack_tn,
    blade,
    blow,
    offered,
    pistol,
    play,
    shooter,
    shot,
    victim,
)
from .fighting import Now, condition, declared, fresh, opened

F = Fraction
RUNNER = victim(weapons=(BLADE,), melee=70, athletics=50)

# -- reach -----------------------------------------------------------------------------------


def test_ep86_a_claw_at_18_meters_needs_a_move() -> None:
    with pytest.raises(SetupError, match="can't reach beyond 2 m; it is 18 m away"):
        attack_tn(blow(distance_m=18))
    with pytest.raises(
        SetupError, match="can't reach beyond 2 m; it is 18 m away after a base move"
    ):
        attack_tn(blow(distance_m=18, movement="base"))
    assert attack_tn(blow(distance_m=18, movement="charge")) == 60


@pytest.mark.parametrize(
    ("movement", "most"), [("none", 2), ("base", 6), ("full", 22), ("charge", 22), ("rush", 2)]
)
def test_ep85_as_far_as_the_move_goes(movement: Any, most: int) -> None:
    attack_tn(blow(distance_m=most, movement=movement))
    with pytest.raises(SetupError, match="can't reach beyond 2 m"):
        attack_tn(blow(distance_m=most + 0.5, movement=movement))


def test_ep86_a56_reach_by_weapon() -> None:
    ruled = {"melee_reach": "weapon"}
    for reach, meters in ((0, 1), (10, 2), (20, 3)):
        attack_tn(blow(weapon=blade(reach=reach), distance_m=meters), ruled)
        with pytest.raises(SetupError, match=f"can't reach beyond {meters} m"):
            attack_tn(blow(weapon=blade(reach=reach), distance_m=meters + 1), ruled)


def test_ep32_the_movement_rate_of_the_sheet_counts() -> None:
    fast = shooter(move_base=8, move_full=40)
    assert attack_tn(blow(attacker=fast, distance_m=42, movement="charge")) == 60


# -- moves in a fight ------------------------------------------------------------------------


def choices(now: Now, distance: float, rulings: Mapping[str, str] | None = None) -> list[str]:
    """The moves that are on offer."""
    setup = replace(blow(attacker=now[0], defender=victim()), weapon=None, distance_m=distance)
    at = declared(now, fresh(victim()), setup, rulings)
    session = Session(opened(at))
    assert session.question is not None
    return offered(session) if session.question.step == "choose_move" else []


@pytest.mark.parametrize(
    ("distance", "movement", "meters"),
    [(3, "base", 1), (6, "base", 4), (7, "charge", 5), (22, "charge", 20), (23, "full", 20)],
)
def test_ep32_whoever_is_out_of_reach_closes_in(distance: int, movement: str, meters: int) -> None:
    setup = replace(blow(attacker=RUNNER), weapon=None, distance_m=distance)
    at = declared(fresh(RUNNER), fresh(victim()), setup)
    assert at.step.name == "choose_move"
    entries = Session(opened(at, choose_action="attack/nothing")).steps_taken
    after = next(e.after.facts for e in entries if e.at.step.name == "choose_move")
    assert isinstance(after, Exchange)
    assert (after.declared.movement, after.moved) == (movement, meters)
    assert after.declared.distance_m == distance - meters


def test_ep32_within_reach_nobody_moves() -> None:
    for distance in (0, 2):
        setup = replace(blow(attacker=RUNNER), weapon=None, distance_m=distance)
        assert declared(fresh(RUNNER), fresh(victim()), setup).step.name == "declare_attack"


def test_ep32_somebody_with_a_gun_may_stay() -> None:
    both = victim(weapons=(BLADE, pistol()))
    assert choices(fresh(both), 18) == ["stay", "charge"]


def test_ep32_every_move_under_the_ruling() -> None:
    ruled = {"turns": "actions"}
    away = ["back", "withdraw", "later", "run later", "drop"]
    assert choices(fresh(RUNNER), 18, ruled) == ["charge", "run", "stay", *away]
    assert choices(fresh(RUNNER), 2, ruled) == ["stay", *away]


def run(now: Now, distance: float, *faces: int, **settled: str) -> Any:
    """The condition after a turn of moving."""
    setup = replace(blow(attacker=now[0], defender=victim()), weapon=None, distance_m=distance)
    at = declared(now, fresh(victim()), setup)
    done = play(opened(at, **settled), *faces)
    return FIGHT.apply(now[0], now[1], FIGHT.effect(done, "actor"))


def test_ep32_a_full_move_and_a_rush() -> None:
    assert run(fresh(RUNNER), 60, choose_action="nothing").advance == 20
    # Athletics 50: a base move more, and one more for each superior success.
    for face, meters in ((51, 20), (50, 28), (20, 24), (11, 24)):
        assert run(fresh(RUNNER), 60, face, choose_action="rush").advance == meters, face
    assert run(fresh(RUNNER), 27, 50, choose_action="rush").advance == 25  # near enough


def test_ep85_a_charge_ends_where_the_blade_reaches() -> None:
    after = run(fresh(RUNNER), 18, 99)  # 70 less 10 for the charge; a miss
    assert after.advance == 16
    near = run((RUNNER, after), 18, 99)  # the next turn needs no move
    assert near.advance == 16


def test_ep32_distance_is_what_both_leave() -> None:
    gun = shot(distance_m=60)
    one, other = fresh(shooter(), advance=10), fresh(victim(), advance=-5)
    at = declared(one, other, gun)
    assert at.facts.declared.distance_m == 55


# -- actions ---------------------------------------------------------------------------------


def test_ep48_full_defense_lasts_until_the_next_own_turn() -> None:
    armed = victim(weapons=(pistol(),))
    setup = replace(shot(attacker=armed, defender=victim()), weapon=None)
    held = {"turns": "actions"}
    at = declared(fresh(armed), fresh(victim()), setup, held)
    done = play(opened(at, choose_move="stay", choose_action="full defense"))
    after = FIGHT.apply(armed, condition(), FIGHT.effect(done, "actor"))
    assert after == condition(guard=True)
    x = declared(fresh(shooter()), (armed, after), shot()).facts
    assert x.declared.defender.full_defense
    assert FIGHT.begin_turn(armed, after) == condition()


def test_ep73_an_aim_counts_for_the_next_attack_and_is_used_up() -> None:
    armed = victim(guns=40, weapons=(pistol(),))
    setup = replace(shot(attacker=armed, defender=victim()), weapon=None)
    held = {"turns": "actions"}
    settled = {"choose_move": "stay", "declare_attack": "pistol"}
    at = declared(fresh(armed), fresh(victim()), setup, held)
    done = play(opened(at, choose_action="aim", **settled))
    aimed = FIGHT.apply(armed, condition(), FIGHT.effect(done, "actor"))
    assert aimed == condition(aim=True)
    at = declared((armed, aimed), fresh(victim()), setup, held)
    assert at.facts.declared.aim == "complex"
    session = Session(opened(at, choose_action="attack", **settled))
    settled_at = next(e for e in session.steps_taken if e.at.step.name == "settle_numbers")
    assert isinstance(settled_at.after.facts, Exchange)
    assert settled_at.after.facts.numbers.tn == 70
    done = play(opened(at, choose_action="attack", **settled), 99)
    assert FIGHT.apply(armed, aimed, FIGHT.effect(done, "actor")) == condition()


# -- rounds ----------------------------------------------------------------------------------


def test_ep79_rounds_are_spent_and_reloaded_under_the_ruling() -> None:
    gun = pistol(rounds=4, modes=("burst",))
    armed = victim(guns=40, weapons=(gun,))
    setup = replace(shot(attacker=armed, defender=victim()), weapon=None)
    for reading, rounds in (("plenty", ()), ("counted", (("pistol", 1),))):
        held = {"ammunition": reading}
        at = declared(fresh(armed), fresh(victim()), setup, held)
        settled = {"choose_mode": "burst", "choose_fire": "hit", "declare_attack": "pistol"}
        done = play(opened(at, **settled), 99)
        after = FIGHT.apply(armed, condition(), FIGHT.effect(done, "actor"))
        assert after == condition(rounds=rounds)
    assert FIGHT.deeds(armed, condition(rounds=(("pistol", 1),))) == (ATTACK, RELOAD)
    assert FIGHT.deeds(armed, condition()) == (ATTACK,)


def duel(one: Combatant, other: Combatant, situation: Setup, rulings: dict[str, str]) -> Contest:
    plan = Plan("first", tuple({**QUIET, "choose_mode": ("burst",)}.items()))
    setup = replace(situation, attacker=one, defender=other)
    return Contest(
        SYSTEM,
        (Side("one", (one,), setup, plan), Side("other", (other,), setup, plan, idle=True)),
        Rulings.pick(SYSTEM.rulings, {"critical_doubles": "dice", **rulings}), first="one",
    )  # fmt: skip


def test_ep79_an_empty_gun_costs_a_turn_each_magazine() -> None:
    """22 and 10 for accuracy: 33 of 100 hit; after each burst a turn goes into reloading."""
    gun = pistol(rounds=3, d10=0, flat=40, modes=("burst",))
    one = shooter(guns=22, weapons=(gun,))
    prey = victim(conditions=("immobilized",))
    situation = replace(shot(attacker=one), weapon=None)
    hit = F(33, 100)
    plenty = Duel(duel(one, prey, situation, {"ammunition": "plenty"})).solve()
    assert plenty.rounds == pytest.approx(float(1 / hit))
    counted = Duel(duel(one, prey, situation, {"ammunition": "counted"})).solve()
    assert counted.rounds == pytest.approx(float(2 / hit - 1))
    found = Battle(duel(one, prey, situation, {"ammunition": "counted"})).run(4_000, seed=5)
    assert found.rounds.low < float(2 / hit - 1) < found.rounds.high


def test_ep79_magazines_that_run_dry_again_and_again_keep_nobody_alive() -> None:
    """Three bursts of ten, one shot with the last round, a turn of reloading, and so on for ever.

    Two who are alike: each wins half of the fights, since every round may end one.
    """
    gun = pistol(rounds=31, d10=2, d6=1, modes=("semi", "auto"))
    guard = victim(guns=40, fray=40, durability=30, wound_threshold=6, weapons=(gun,))
    situation = replace(shot(attacker=guard, defender=guard), weapon=None)
    plan = Plan("first", tuple({**QUIET, "choose_mode": ("auto", "semi")}.items()))
    sides = Side("one", (guard,), situation, plan), Side("other", (guard,), situation, plan)
    ruled = Rulings.pick(SYSTEM.rulings, {"ammunition": "counted"})
    solved = Duel(Contest(SYSTEM, sides, ruled, first="coin")).solve()
    assert solved.won == pytest.approx((0.5, 0.5), abs=1e-9)
    assert solved.endless == pytest.approx(0, abs=1e-9)


def test_ep32_crossing_the_distance_takes_its_turns() -> None:
    """60 m to 2 m: runs of 20 with rushes of 0, 4 or 8 more, then a charge that always hits."""
    blade_ = blade(d10=0, flat=60)
    one = victim(melee=200, athletics=50, weapons=(blade_,))
    prey = victim(conditions=("immobilized",))
    situation = replace(blow(attacker=one), weapon=None, distance_m=60)
    made = duel(one, prey, situation, {})
    # Athletics 50: 0..32 and doubles 24 m, 34..50 but 44 28 m, else 20 m.
    ways = {24: F(35, 100), 28: F(16, 100), 20: F(49, 100)}

    def turns(gap: int) -> F:
        """Mean turns until a blow lands; 98 of 100 charges hit, 99 of 100 blows do too."""
        if gap <= 20:
            return 1 + F(1, 100) * F(100, 99)
        return 1 + sum(
            (chance * turns(max(0, gap - meters)) for meters, chance in ways.items()), F(0)
        )

    assert Duel(made).solve().rounds == pytest.approx(float(turns(58)))
    for seed in range(3):
        first = play_battle(made, seed=seed).exchanges[0]
        assert [line.step for line in first.lines][:2] == ["choose_move", "choose_action"]


def test_ep32_an_opening_is_kept_up_by_those_who_have_to_come_near_first() -> None:
    prey = victim(weapons=(BLADE,))
    situation = replace(blow(attacker=RUNNER), weapon=None, distance_m=50)
    sides = (
        Side("one", (RUNNER,), replace(situation, defender=prey)),
        Side("other", (prey,), replace(situation, attacker=prey, defender=RUNNER)),
    )
    one, other = opening_plans(Contest(SYSTEM, sides, Rulings(), first="one"))
    for side, sheet in ((one, RUNNER), (other, prey)):
        kept = {step for step, _ in side.plan_of(sheet).habits}
        assert {"choose_style", "choose_called_shot", "choose_defence"} <= kept


def test_ep32_only_those_without_a_farther_weapon_have_to_come_near() -> None:
    far = replace(blow(attacker=RUNNER), weapon=None, distance_m=50)
    assert FIGHT.engaged(far, condition(), Rulings()).advance == 50
    near = replace(far, distance_m=2)
    assert FIGHT.engaged(near, condition(), Rulings()) == condition()
    both = replace(far, attacker=victim(weapons=(BLADE, pistol())))
    assert FIGHT.engaged(both, condition(), Rulings()) == condition()
