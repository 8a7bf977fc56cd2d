"""Steps 6 to 9: damage, armor, thresholds, wounds, checks, bleeding."""

from dataclasses import replace
from typing import Any

import pytest

from affray.engine.exchange.session import Session
from affray.systems.eclipse_phase.harm import added_up
from affray.systems.eclipse_phase.sheet import Ammo, Armor, Combatant, Setup, Weapon
from affray.systems.eclipse_phase.state import Struck

from .factory import (
    answered,
    attack_tn,
    blade,
    blow,
    chance,
    defence_tn,
    game,
    joint,
    mean,
    pistol,
    play,
    question,
    ready,
    shooter,
    shot,
    struck,
    target,
    victim,
)

HIT = (20, 98)


def fixed(dv: int, **changes: Any) -> Weapon:
    """A gun without dice: every plain hit does the same damage."""
    return pistol(d10=0, flat=dv, **changes)


def hurt(net: int, *faces: int, who: Combatant | None = None, **changes: Any) -> Struck:
    """What a plain hit does that gets `net` points through."""
    who = who or victim()
    rolled = HIT[:1] if who.damage >= who.durability else HIT  # who is out rolls no defence
    setup = shot(weapon=fixed(net), defender=who, **changes)
    return struck(game(setup), *rolled, *faces)


# -- damage ----------------------------------------------------------------------------------


def test_ep60_dice_flat_and_every_extra_are_added() -> None:
    gun = pistol(d10=2, d6=1, flat=3)
    ammo = Ammo(name="biter", d6=1)
    done = struck(
        game(shot(weapon=gun, ammo=ammo), choose_mode="burst", choose_fire="damage"),
        40, 98, 10, 1, 7, 6, 2, 5,
    )  # fmt: skip
    assert done.dv == 10 + 1 + 7 + 6 + 2 + 5 + 3


def test_ep60_a_weapon_without_dice_rolls_none() -> None:
    assert hurt(6).dv == 6


def test_ep153_a_sum_below_zero_is_zero() -> None:
    blunt = blade(d10=0, d6=1, flat=-3)
    assert struck(game(blow(weapon=blunt)), *HIT, 2).dv == 0
    assert struck(game(blow(weapon=blunt)), *HIT, 4).dv == 1


def test_ep153_factors_come_after_all_dice_and_round_once() -> None:
    small = shooter(size="small")
    same = target(size="small")
    strike = game(blow(attacker=small, defender=same, movement="charge"))
    assert struck(strike, *HIT, 4, 5, 6).dv == 8  # 15 / 2
    # Size and a disarm quarter it: 9 / 4 = 2.25.
    disarm = game(blow(attacker=small, defender=same), choose_called_shot="disarm")
    assert struck(disarm, 40, 98, 4, 5, 0).dv == 2
    # Doubled and halved: as it was.
    assert struck(game(blow(attacker=small, defender=same)), 44, 98, 4, 5).dv == 9


def test_ep153_armor_comes_last() -> None:
    done = struck(game(shot(defender=target(kinetic=10))), 44, 98, 4, 5)
    assert (done.dv, done.net) == (18, 8)


def test_ep153_a_subtracted_die_can_not_go_below_zero() -> None:
    ammo = Ammo(name="ap", d10=-1)
    weak = shot(weapon=pistol(d10=0, d6=1), ammo=ammo)
    assert struck(game(weak), *HIT, 3, 9).dv == 0
    assert struck(game(weak), *HIT, 6, 2).dv == 4


# -- traits and the mind ---------------------------------------------------------------------


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


# -- armor -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("av", "net"), [(0, 9), (8, 1), (9, 0), (10, 0)])
def test_ep62_armor_is_subtracted(av: int, net: int) -> None:
    done = hurt(9, who=target(kinetic=av))
    assert (done.dv, done.net) == (9, net)


def test_ep62_nothing_left_no_injury() -> None:
    done = hurt(9, who=victim(kinetic=9, damage=5, wounds=1))
    assert (done.total, done.wounds, done.all_wounds, done.prone) == (5, 0, 1, False)


@pytest.mark.parametrize(
    ("kind", "av"), [("kinetic", 7), ("energy", 4), ("mental", 2), ("none", 0)]
)
def test_ep116_each_attack_meets_its_own_armor(kind: str, av: int) -> None:
    who = target(kinetic=7, energy=4, mental=2)
    assert ready(shot(weapon=pistol(armor=kind), defender=who)).targets[0].av == av


def test_ep116_pieces_and_inherent_armor_add_up() -> None:
    vest = Armor(energy=4, kinetic=10)
    plate = Armor(energy=2, kinetic=3, layer="bonus")
    who = target(pieces=(vest, plate), kinetic=1, energy=2, som=40)
    assert ready(shot(defender=who)).targets[0].av == 14
    assert ready(shot(weapon=pistol(armor="energy"), defender=who)).targets[0].av == 8


@pytest.mark.parametrize(("av", "half"), [(10, 5), (9, 5), (1, 1), (0, 0)])
def test_ep63_piercing_halves_armor_rounded(av: int, half: int) -> None:
    spike = pistol(traits=("armor_piercing",))
    assert ready(shot(weapon=spike, defender=target(kinetic=av))).targets[0].av == half


def test_ep63_two_sources_of_piercing_halve_once() -> None:
    spike = pistol(traits=("armor_piercing",))
    rounds = Ammo(name="ap", traits=("armor_piercing",))
    setup = shot(weapon=spike, ammo=rounds, defender=target(kinetic=12))
    assert ready(setup).targets[0].av == 6
    called = struck(game(setup, choose_called_shot="bypass"), 40, 98, 8, 8)
    assert called.net == 10


# -- durability and death --------------------------------------------------------------------


@pytest.mark.parametrize(("before", "net", "total"), [(0, 6, 6), (10, 6, 16), (10, 0, 10)])
def test_ep64_damage_adds_up(before: int, net: int, total: int) -> None:
    assert hurt(net, who=target(damage=before)).total == total


FRAIL = victim(wound_threshold=0)


@pytest.mark.parametrize(
    ("before", "out", "dead"),
    [(28, False, False), (29, True, False), (46, True, False), (47, True, True), (90, True, True)],
)
def test_ep65_durability_and_death_rating_count_when_reached(
    before: int, out: bool, dead: bool
) -> None:
    done = hurt(6, who=victim(wound_threshold=0, damage=before))
    assert (done.incapacitated, done.unconscious, done.dead) == (out, out, dead)


def test_ep65_exactly_the_death_rating_kills() -> None:
    assert not hurt(52, who=FRAIL).dead
    assert hurt(53, who=FRAIL).dead


def test_ep65_a_miss_leaves_things_as_they_were() -> None:
    missed = struck(game(shot(defender=victim(damage=40, wounds=2))), 99)
    assert (missed.total, missed.all_wounds) == (40, 2)
    assert (missed.incapacitated, missed.unconscious, missed.revivable) == (True, True, False)
    assert not missed.dead
    assert [struck(game(shot(defender=victim(damage=n))), 99).dead for n in (52, 53)] == [
        False, True,
    ]  # fmt: skip
    fine = struck(game(shot(defender=victim(damage=4))), 99)
    assert (fine.incapacitated, fine.unconscious, fine.revivable) == (False, False, True)


# -- wounds ----------------------------------------------------------------------------------


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


# -- bleeding --------------------------------------------------------------------------------


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


@pytest.mark.parametrize(
    ("body", "durability", "death"),
    [
        ("biomorph", 25, 38), ("biomorph", 35, 53), ("pod", 45, 68), ("uplift", 30, 45),
        ("synthmorph", 40, 80), ("bot", 75, 150), ("infomorph", 25, 50), ("object", 60, 60),
    ],
)  # fmt: skip
def test_ep114_death_rating_from_durability(body: str, durability: int, death: int) -> None:
    assert Combatant(name="a", body=body, durability=durability).death == death  # type: ignore[arg-type]  # any body
    assert target(death_rating=95, body=body).death == 95


def test_ep114_objects_neither_fall_nor_wake() -> None:
    crate = Combatant(name="crate", body="object", durability=60, wound_threshold=6)
    setup = shot(weapon=fixed(59), defender=crate)
    assert defence_tn(setup) is None
    done = struck(game(setup), 20)
    assert (done.wounds, done.prone, done.dead) == (9, False, False)
    assert struck(game(shot(weapon=fixed(60), defender=crate)), 20).dead


def test_ep111_shells_check_like_morphs() -> None:
    assert hurt(14, 41, who=victim(body="vehicle")).knocked_out


# -- other harm ------------------------------------------------------------------------------

PSI = Weapon(name="stab", form="psi", skill="psi", d10=2, armor="mental")


def test_ep124_stress_meets_mental_armor_and_lucidity() -> None:
    mind = Combatant(name="mind", wil=15, mental=4, energy=20, kinetic=20)
    scare = Weapon(name="scare", form="psi", skill="psi", armor="mental", harm="stress", flat=10)
    for stress, out, dead in ((23, False, False), (24, True, False), (54, True, True)):
        done = hurt_mind(mind, scare, stress)
        assert (done.net, done.total) == (6, stress + 6)
        assert (done.incapacitated, done.dead) == (out, dead)


def hurt_mind(mind: Combatant, weapon: Weapon, stress: int) -> Struck:
    setup = Setup(
        attacker=shooter(), defender=replace(mind, stress=stress), weapon=weapon, distance_m=5
    )
    out = stress >= mind.lucid  # who is out rolls no WIL check
    return struck(game(setup), *HIT[: 1 if out else 2])


def test_ep124_traumas_are_counted_by_their_own_threshold() -> None:
    mind = Combatant(name="mind", wil=18, lucidity=33, wound_threshold=3)
    scare = Weapon(name="scare", form="psi", skill="psi", armor="none", harm="stress", flat=14)
    assert hurt_mind(mind, scare, 0).wounds == 2  # 33 / 5 = 7


def test_ep137_psi_wounds_the_body_through_mental_armor() -> None:
    who = target(mental=5, kinetic=30, wound_threshold=7)
    done = struck(game(shot(weapon=PSI, defender=who)), 20, 98, 9, 4, 0)
    assert (done.dv, done.net, done.wounds) == (13, 8, 1)


def test_ep137_psi_knows_neither_sights_nor_called_shots() -> None:
    assert attack_tn(shot(weapon=PSI, smartlink=False, aim="complex")) == 70
    session = Session(game(shot(weapon=PSI), None, "choose_called_shot"))
    assert question(session).ask == "attack roll"


def test_ep110_the_odds_count_the_checks() -> None:
    setup = game(shot(weapon=fixed(7), defender=victim()))
    both = joint(setup, "hit", "prone")
    assert both[True, True] == chance(setup, "hit") - both[True, False]
    # Superior successes add to the 7 points, so falls are likelier than 49 in 100.
    assert both[True, True] > chance(setup, "hit") * 49 / 100
    assert mean(setup, "wounds") > chance(setup, "hit")


def test_ep124_stress_fills_no_mind_without_lucidity() -> None:
    assert added_up(0, 3, dur=0, dr=0) == (3, False, False)
    assert added_up(2, 3, dur=5, dr=10) == (5, True, False)
    assert added_up(7, 3, dur=5, dr=10) == (10, True, True)
