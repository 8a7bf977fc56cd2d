"""Step 9: wounds, the checks that they call for, bleeding; what traits call for."""

import pytest

from affray.systems.eclipse_phase.gear import Ammo, Weapon
from affray.systems.eclipse_phase.sheet import Combatant

from .factory import (
    HIT,
    answered,
    attack_tn,
    blade,
    blow,
    chance,
    defence_tn,
    fixed,
    game,
    hurt,
    hurt_mind,
    joint,
    mean,
    play,
    question,
    shooter,
    shot,
    struck,
    target,
    victim,
)


def test_ep61_traits_call_for_tests_of_those_who_are_hit() -> None:
    stunner = fixed(3, traits=("shock", "pain", "blinding", "entangling", "stun"))
    done = struck(game(shot(weapon=stunner, defender=target(kinetic=2))), *HIT)
    assert sorted(done.calls) == ["blinding", "entangling", "pain", "shock", "stun"]
    assert struck(game(shot(weapon=stunner)), 99).calls == ()
    assert hurt(3, who=target()).calls == ()


@pytest.mark.parametrize(
    ("body", "felt"),
    [
        ("biomorph", ("blinding", "pain", "shock", "stun")),
        ("pod", ("blinding", "pain", "shock", "stun")),
        ("synthmorph", ("blinding", "stun")),
        ("bot", ("blinding", "stun")),
    ],
)
def test_ep61_pain_and_shock_need_a_living_body(body: str, felt: tuple[str, ...]) -> None:
    gun = fixed(3, traits=("blinding", "pain", "shock", "stun"))
    done = struck(game(shot(weapon=gun, defender=target(body=body))), *HIT)
    assert tuple(sorted(done.calls)) == felt


@pytest.mark.parametrize(("body", "felt"), [("biomorph", ("stun",)), ("synthmorph", ())])
def test_ep83_plastic_rounds_stun_biomorphs_only(body: str, felt: tuple[str, ...]) -> None:
    plastic = Ammo(name="plastic", half=True, traits=("stun",), biomorphs_only=True)
    done = struck(game(shot(ammo=plastic, defender=target(body=body))), *HIT, 4, 5)
    assert (done.calls, done.dv) == (felt, 5)


def test_ep61_they_do_although_armor_stops_the_damage() -> None:
    done = struck(game(shot(weapon=fixed(3, traits=("shock",)), defender=target(kinetic=4))), *HIT)
    assert (done.net, done.calls) == (0, ("shock",))


@pytest.mark.parametrize(("check", "prone"), [(60, False), (61, True)])
def test_ep61_knockdown_asks_for_som_without_a_wound(check: int, prone: bool) -> None:
    ram = fixed(1, traits=("knockdown",))
    done = struck(game(shot(weapon=ram, defender=victim())), *HIT, check)
    assert (done.wounds, done.prone, done.calls) == (0, prone, ())


@pytest.mark.parametrize(
    ("face", "broken"), [(71, False), (75, False), (77, False), (99, False), (70, False)]
)
def test_ep61_a_fragile_weapon_survives_good_and_plain_failures(face: int, broken: bool) -> None:
    wire = game(blow(weapon=blade(traits=("fragile",))))
    more = (98, *(1,) * 4) if face == 70 else ()
    assert play(wire, face, *more).broken is broken


@pytest.mark.parametrize("face", [21, 34, 65])
def test_ep61_a_fragile_weapon_breaks_on_a_superior_failure(face: int) -> None:
    for traits, broken in ((("fragile",), True), ((), False)):
        weapon = blade(traits=traits)
        setup = blow(weapon=weapon, attacker=shooter(melee=20))
        assert play(game(setup), face).broken is broken


def test_ep61_stress_is_counted_like_damage() -> None:
    mind = Combatant(name="mind", wil=15, stress=4, damage=20, wounds=0)
    scare = Weapon(name="scare", form="psi", skill="psi", flat=12, armor="none", harm="stress")
    done = struck(game(shot(weapon=scare, defender=mind)), *HIT)
    assert (done.total, done.wounds, done.prone) == (16, 2, False)


@pytest.mark.parametrize(
    ("net", "wounds"), [(0, 0), (6, 0), (7, 1), (13, 1), (14, 2), (20, 2), (21, 3)]
)
def test_ep66_each_full_threshold_is_a_wound(net: int, wounds: int) -> None:
    faces = (0,) * (wounds > 0)
    assert hurt(net, *faces).wounds == wounds


def test_ep66_each_attack_counts_alone() -> None:
    assert hurt(6, who=victim(damage=6)).wounds == 0


def test_ep66_some_bodies_take_no_wounds() -> None:
    assert hurt(30, who=victim(wound_threshold=0)).wounds == 0


def test_ep67_wounds_stay_and_modify_what_comes_next() -> None:
    done = hurt(14, 0, who=victim(wounds=1))
    assert (done.wounds, done.all_wounds) == (2, 3)
    assert attack_tn(shot(attacker=shooter(wounds=done.all_wounds))) == 40
    assert defence_tn(shot(defender=target(wounds=done.all_wounds))) == 0


@pytest.mark.parametrize(
    ("who", "tn"),
    [
        (victim(), 50), (victim(wounds=1), 40), (victim(wounds=2, traumas=1), 20),
        (victim(ignore_wounds=1), 60), (victim(wounds=2, ignore_wounds=1), 40),
        (victim(wounds=3, ignore_wounds=5), 50), (victim(wounds=9), 0),
        (victim(qualities=("low_pain_tolerance",)), 10), (victim(som_check=75), 65),
    ],
)  # fmt: skip
def test_ep110_one_wound_a_som_check_or_prone(who: Combatant, tn: int) -> None:
    """All wounds modify the check, the new one too."""
    if tn:
        assert not hurt(7, tn, who=who).prone
    assert hurt(7, tn + 1, who=who).prone


def test_ep110_no_wound_no_check() -> None:
    assert not hurt(6).prone


@pytest.mark.parametrize(("check", "out"), [(40, False), (41, True), (0, False), (99, True)])
def test_ep111_two_wounds_prone_and_a_check_to_stay_awake(check: int, out: bool) -> None:
    done = hurt(14, check)
    assert (done.prone, done.knocked_out, done.unconscious) == (True, out, out)


def test_ep111_the_prone_are_not_asked_to_stand() -> None:
    session = answered(game(shot(weapon=fixed(14), defender=victim())), *HIT)
    assert question(session).ask == "SOM check"
    assert session.answer((1,)).outcome is not None


def test_ep111_ignored_wounds_still_call_for_the_check() -> None:
    assert hurt(21, 60, who=victim(ignore_wounds=3)).prone
    assert not hurt(21, 60, who=victim(ignore_wounds=3)).knocked_out
    assert hurt(21, 61, who=victim(ignore_wounds=3)).knocked_out


def test_ep109_ignored_wounds_are_wounds_all_the_same() -> None:
    done = hurt(14, 0, who=victim(ignore_wounds=3, wounds=1))
    assert (done.wounds, done.all_wounds) == (2, 3)


def test_ep112_at_durability_the_target_collapses() -> None:
    done = hurt(6, who=victim(damage=29))
    assert (done.incapacitated, done.unconscious, done.prone) == (True, True, True)
    assert not done.revivable
    assert hurt(5, who=victim(damage=29)).revivable


def test_ep112_the_dead_make_no_checks() -> None:
    done = hurt(53)
    assert (done.dead, done.knocked_out, done.bleeding) == (True, False, 0)


def test_ep113_a_wounded_biomorph_at_durability_may_bleed_out() -> None:
    done = hurt(7, 51, who=victim(damage=28))
    assert (done.bleeding, done.dies_in, done.dead) == (1, 18, False)
    done = hurt(7, 50, who=victim(damage=28))
    assert (done.bleeding, done.dies_in) == (0, 0)


@pytest.mark.parametrize(("wounds", "turns"), [(0, 18), (1, 9), (2, 6), (3, 5)])
def test_ep113_one_point_a_turn_for_each_wound(wounds: int, turns: int) -> None:
    done = hurt(7, 99, who=victim(damage=28, wounds=wounds))
    assert (done.bleeding, done.dies_in) == (wounds + 1, turns)


@pytest.mark.parametrize(
    "who",
    [
        victim(damage=28, body="synthmorph"), victim(damage=28, qualities=("medichines",)),
        victim(damage=29, wound_threshold=0), victim(damage=27),
    ],
)  # fmt: skip
def test_ep113_others_do_not_bleed(who: Combatant) -> None:
    stands = who.damage == 27
    done = hurt(7, *((0,) if stands else ()), who=who)
    assert done.bleeding == 0


def test_ep113_help_at_hand_adds_30() -> None:
    hurting = victim(damage=28)
    assert hurt(7, 80, who=hurting, treated=True).bleeding == 0
    assert hurt(7, 81, who=hurting, treated=True).bleeding == 1


def test_ep113_two_wounds_at_durability_two_checks() -> None:
    done = hurt(14, 40, 41, who=victim(damage=28))
    assert (done.knocked_out, done.bleeding, done.dies_in) == (False, 2, 6)


def test_ep114_objects_neither_fall_nor_wake() -> None:
    crate = Combatant(name="crate", body="object", durability=60, wound_threshold=6)
    setup = shot(weapon=fixed(59), defender=crate)
    assert defence_tn(setup) is None
    done = struck(game(setup), 20)
    assert (done.wounds, done.prone, done.dead) == (9, False, False)
    assert struck(game(shot(weapon=fixed(60), defender=crate)), 20).dead


def test_ep111_shells_check_like_morphs() -> None:
    assert hurt(14, 41, who=victim(body="vehicle")).knocked_out


def test_ep124_traumas_are_counted_by_their_own_threshold() -> None:
    mind = Combatant(name="mind", wil=18, lucidity=33, wound_threshold=3)
    scare = Weapon(name="scare", form="psi", skill="psi", armor="none", harm="stress", flat=14)
    assert hurt_mind(mind, scare, 0).wounds == 2  # 33 / 5 = 7


def test_ep110_the_odds_count_the_checks() -> None:
    setup = game(shot(weapon=fixed(7), defender=victim()))
    both = joint(setup, "hit", "prone")
    assert both[True, True] == chance(setup, "hit") - both[True, False]
    # Superior successes add to the 7 points, so falls are likelier than 49 in 100.
    assert both[True, True] > chance(setup, "hit") * 49 / 100
    assert mean(setup, "wounds") > chance(setup, "hit")
