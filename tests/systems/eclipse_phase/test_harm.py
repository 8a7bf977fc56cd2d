"""Steps 6 to 8: damage, armor, durability and Death Rating."""

import pytest

from affray.engine.exchange.session import Session
from affray.systems.eclipse_phase.gear import Ammo, Armor, Weapon
from affray.systems.eclipse_phase.harm import added_up
from affray.systems.eclipse_phase.sheet import Combatant, Setup

from .factory import (
    HIT,
    answered,
    attack_tn,
    blade,
    blow,
    game,
    hurt,
    hurt_mind,
    pistol,
    question,
    ready,
    shooter,
    shot,
    struck,
    target,
    victim,
)

FRAIL = victim(wound_threshold=0)
PSI = Weapon(name="stab", form="psi", skill="psi", d10=2, armor="mental")


def test_ep60_dice_flat_and_every_extra_are_added() -> None:
    gun = pistol(d10=2, d6=1, flat=3)
    ammo = Ammo(name="biter", d6=1)
    done = struck(
        game(shot(weapon=gun, ammo=ammo), choose_mode="burst", choose_fire="damage"),
        40, 98, 10, 1, 7, 6, 2, 5,
    )  # fmt: skip
    assert done.dv == 10 + 1 + 7 + 6 + 2 + 5 + 3


def _labels(setup: Setup, rulings: dict[str, str], *faces: int, **settled: str) -> str:
    asked = question(answered(game(setup, rulings, **settled), *[(face,) for face in faces])).dice
    assert asked is not None
    return " ".join(label or "-" for label in asked.labels)


def test_ep60_each_die_says_what_it_is_for() -> None:
    gun, ammo = pistol(d10=2, d6=1), Ammo(name="biter", d6=1)
    setup, burst = shot(weapon=gun, ammo=ammo), {"choose_mode": "burst", "choose_fire": "damage"}
    # 40 is a superior success: one d6 more. 44 is critical instead; A-7 may double the dice.
    superior = "damage damage extra damage extra superior"
    assert _labels(setup, {}, 40, 98, **burst) == superior
    doubled = _labels(setup, {"critical_doubles": "dice"}, 44, 98, **burst).split()
    assert [doubled.count(word) for word in ("damage", "extra")] == [6, 4]
    weak = shot(weapon=pistol(d10=0, d6=1), ammo=Ammo(name="ap", d10=-1))
    assert _labels(weak, {}, 20, 98) == "damage subtracted"


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


@pytest.mark.parametrize(("before", "net", "total"), [(0, 6, 6), (10, 6, 16), (10, 0, 10)])
def test_ep64_damage_adds_up(before: int, net: int, total: int) -> None:
    assert hurt(net, who=target(damage=before)).total == total


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


def test_ep124_stress_meets_mental_armor_and_lucidity() -> None:
    mind = Combatant(name="mind", wil=15, mental=4, energy=20, kinetic=20)
    scare = Weapon(name="scare", form="psi", skill="psi", armor="mental", harm="stress", flat=10)
    for stress, out, dead in ((23, False, False), (24, True, False), (54, True, True)):
        done = hurt_mind(mind, scare, stress)
        assert (done.net, done.total) == (6, stress + 6)
        assert (done.incapacitated, done.insane, done.dead) == (out, dead, False)


def test_ep137_psi_wounds_the_body_through_mental_armor() -> None:
    who = target(mental=5, kinetic=30, wound_threshold=7)
    done = struck(game(shot(weapon=PSI, defender=who)), 20, 98, 9, 4, 0)
    assert (done.dv, done.net, done.wounds) == (13, 8, 1)


def test_ep137_psi_knows_neither_sights_nor_called_shots() -> None:
    assert attack_tn(shot(weapon=PSI, smartlink=False, aim="complex")) == 70
    session = Session(game(shot(weapon=PSI), None, "choose_called_shot"))
    assert question(session).ask == "attack roll"


def test_ep124_stress_fills_no_mind_without_lucidity() -> None:
    assert added_up(0, 3, dur=0, dr=0) == (3, False, False)
    assert added_up(2, 3, dur=5, dr=10) == (5, True, False)
    assert added_up(7, 3, dur=5, dr=10) == (10, True, True)
