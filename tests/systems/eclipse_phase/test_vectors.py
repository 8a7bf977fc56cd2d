"""The worked examples of the rules, every one that a single attack can express."""

import pytest

from affray.systems.eclipse_phase.pools import after_roll
from affray.systems.eclipse_phase.reading import classify, flipped
from affray.systems.eclipse_phase.sheet import Ammo, Armor, Combatant, Setup, Weapon

from .factory import (
    answered,
    attack_tn,
    blow,
    defence_tn,
    facts_of,
    game,
    offered,
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

JINX = Combatant(name="Jinx", body="uplift", guns=70, fray=60, flex=1)
CLAWS = Weapon(name="claws", form="melee", skill="melee", d6=2)
EXHUMAN = Combatant(
    name="exhuman", fray=60, melee=80, kinetic=10, energy=8, durability=40, som_check=75,
    weapons=(CLAWS,),
)  # fmt: skip
MEDIUM_PISTOL = Weapon(
    name="medium pistol", form="kinetic", skill="guns", d10=2, modes=("semi", "burst", "auto"),
    rounds=16, range_m=30,
)  # fmt: skip
SHOT_AT_EXHUMAN = Setup(attacker=JINX, defender=EXHUMAN, weapon=MEDIUM_PISTOL, distance_m=10)
BURST = {"choose_mode": "burst", "choose_fire": "damage"}


def test_v1_jinx_shoots() -> None:
    opened = game(SHOT_AT_EXHUMAN, None, "spend_after_attack", **BURST)
    seen = facts_of(answered(opened))
    assert (seen.rounds, seen.numbers.tn, seen.targets[0].tn) == (13, 70, 30)
    assert not facts_of(answered(opened, 96)).roll.success
    ended = play(opened, 96, 7, 7, 5, 5, 1, 3, 9, options=("flip",))
    done = ended.final
    assert (done.hit, done.critical, done.superior) == (True, False, 2)
    assert (done.dv, done.net, done.wounds, done.prone) == (21, 11, 1, False)
    assert ended.spent == 1


@pytest.mark.parametrize(("check", "prone"), [(65, False), (66, True)])
def test_v1_the_fresh_wound_counts_in_the_check(check: int, prone: bool) -> None:
    opened = game(SHOT_AT_EXHUMAN, None, "spend_after_attack", **BURST)
    assert struck(opened, 96, 7, 7, 5, 5, 1, 3, check, options=("flip",)).prone is prone


def test_v2_the_exhuman_charges() -> None:
    hurt = Combatant(name="exhuman", melee=80, wounds=1, damage=11)
    charge = Setup(attacker=hurt, defender=JINX, weapon=CLAWS, movement="charge",
                   superior="defender")  # fmt: skip
    assert (attack_tn(charge), defence_tn(charge)) == (60, 80)
    assert not struck(game(charge), 7, 0).hit
    assert str(question(answered(game(charge), 7, 81)).dice) == "3d6"


@pytest.mark.parametrize(("attack", "defense", "hit"), [(44, 55, False), (55, 44, True)])
def test_v4_critical_against_critical(attack: int, defense: int, hit: bool) -> None:
    setup = shot(attacker=shooter(guns=60), defender=target(fray=110))
    done = struck(game(setup), attack, defense, *((4, 5) if hit else ()))
    assert (done.hit, done.critical, done.dv) == (hit, hit, 18 if hit else 0)


@pytest.mark.parametrize(
    ("skill", "fray", "hit"), [(60, 80, True), (40, 120, False), (50, 100, False)]
)
def test_v5_critical_tie(skill: int, fray: int, hit: bool) -> None:
    """60 against half of 80; 40 against 60; 50 against 50."""
    setup = shot(attacker=shooter(guns=skill), defender=target(fray=fray))
    done = struck(game(setup), 22, 22, *((1, 1) if hit else ()))
    assert (done.hit, done.critical) == (hit, hit)


def test_v7_both_fail() -> None:
    """The defender's 90 against 30 isn't even rolled."""
    done = struck(game(shot(attacker=shooter(guns=60))), 85)
    assert (done.hit, done.deadlock) == (False, False)


def test_v8_tie() -> None:
    assert not struck(game(shot(attacker=shooter(guns=60))), 24, 24).hit


SUCCESS, FAILURE = "success", "failure"


@pytest.mark.parametrize(
    ("tn", "face", "expected"),
    [
        (70, 32, (True, False, 0)), (70, 33, (True, True, 0)), (70, 34, (True, False, 1)),
        (70, 65, (True, False, 1)), (70, 66, (True, True, 0)), (70, 67, (True, False, 2)),
        (70, 70, (True, False, 2)), (70, 71, (False, False, 0)), (70, 77, (False, True, 0)),
        (70, 98, (False, False, 0)), (70, 99, (False, True, 0)),
        (20, 20, (True, False, 0)), (20, 21, (False, False, -2)), (20, 22, (False, True, 0)),
        (20, 32, (False, False, -2)), (20, 33, (False, True, 0)), (20, 34, (False, False, -1)),
        (20, 65, (False, False, -1)), (20, 66, (False, True, 0)), (20, 67, (False, False, 0)),
        (5, 5, (True, False, 0)), (5, 6, (False, False, -2)),
        (0, 0, (True, True, 0)), (0, 1, (False, False, -2)),
    ],
)  # fmt: skip
def test_v10_classification_edges(tn: int, face: int, expected: tuple[bool, bool, int]) -> None:
    result = classify(face, tn)
    assert (result.success, result.critical, result.superior) == expected


@pytest.mark.parametrize(
    ("face", "expected"),
    [
        (33, (True, False, 1)), (66, (True, False, 2)), (11, (True, False, 0)),
        (0, (True, False, 0)), (77, (False, True, 0)),
    ],
)  # fmt: skip
def test_v11_defaulting(face: int, expected: tuple[bool, bool, int]) -> None:
    result = classify(face, 70, "ordinary")
    assert (result.success, result.critical, result.superior) == expected


DYING = Combatant(name="dying", durability=30, som=15, damage=22, kinetic=6)
FOURTEEN = pistol(d10=0, flat=14)


def test_v13_exactly_durability_bleeding_to_exactly_death() -> None:
    assert (DYING.threshold, DYING.death) == (6, 45)
    done = struck(game(shot(weapon=FOURTEEN, defender=DYING)), 20, 98, 40)
    assert (done.net, done.total, done.wounds) == (8, 30, 1)
    assert (done.unconscious, done.dead) == (True, False)
    assert (done.bleeding, done.dies_in) == (1, 15)


@pytest.mark.parametrize(("check", "bleeding"), [(35, 0), (36, 1)])
def test_v13_the_check_to_stabilise(check: int, bleeding: int) -> None:
    assert struck(game(shot(weapon=FOURTEEN, defender=DYING)), 20, 98, check).bleeding == bleeding


def test_v13_with_healing_spray() -> None:
    helped = shot(weapon=FOURTEEN, defender=DYING, treated=True)
    assert struck(game(helped), 20, 98, 40).bleeding == 0
    assert struck(game(helped), 20, 98, 65).bleeding == 0
    assert struck(game(helped), 20, 98, 66).bleeding == 1


@pytest.mark.parametrize(("net", "wounds"), [(6, 0), (7, 1), (13, 1), (14, 2), (20, 2), (21, 3)])
def test_v14_multiples_of_the_wound_threshold(net: int, wounds: int) -> None:
    setup = shot(weapon=pistol(d10=0, flat=net), defender=victim(body="bot"))
    assert struck(game(setup), 20, 98, *((0,) * (wounds > 0))).wounds == wounds


def test_v16_positive_cap() -> None:
    setup = shot(attacker=shooter(guns=40), defender=target(size="very_large"), distance_m=2,
                 superior="attacker")  # fmt: skip
    auto = game(setup, choose_mode="auto", choose_fire="hit")
    seen = facts_of(answered(auto))
    assert (seen.numbers.tn, seen.rounds) == (100, 20)
    assert struck(auto, 98, 98, 1, 1, 1, 1).superior == 2
    ended = play(auto, 99)
    assert (ended.final.hit, ended.fumble) == (False, True)


def test_v17_negative_cap_and_a_pool_point() -> None:
    poor = shooter(guns=60, wounds=1, vigor=1)
    setup = shot(attacker=poor, cover="major", vision="major", movement="full", distance_m=30)
    assert attack_tn(setup) == 0
    assert attack_tn(setup, spend_before_attack="ignore") == 60


def test_v19_a_burst_at_two_adjacent_targets() -> None:
    first = target(name="first", fray=60, kinetic=6, wound_threshold=7)
    second = target(name="second", fray=60)
    setup = shot(attacker=shooter(guns=60), defender=first, others=(second,))
    spread = game(setup, choose_mode="burst", choose_fire="spread")
    ended = play(spread, 48, 25, 11, 6, 9, 4, 0)
    assert [done.hit for done in ended.done] == [True, False]
    assert (ended.done[0].superior, ended.done[0].dv, ended.done[0].net) == (1, 19, 13)
    assert (ended.done[0].wounds, ended.rounds) == (1, 27)


def test_v19_a_third_who_fails_is_hit_by_the_same_roll() -> None:
    setup = shot(attacker=shooter(guns=60), others=(target(fray=40),))
    spread = game(setup, choose_mode="burst", choose_fire="spread")
    ended = play(spread, 48, 11, 30, 1, 2, 3)
    assert [(done.hit, done.dv) for done in ended.done] == [(False, 0), (True, 6)]


@pytest.mark.parametrize(("face", "effect", "net"), [(52, "bypass", 10), (21, "", 5)])
def test_v20_called_shot_bypass(face: int, effect: str, net: int) -> None:
    called = game(shot(defender=target(kinetic=10)), choose_called_shot="bypass")
    assert attack_tn(shot(), choose_called_shot="bypass") == 60
    done = struck(called, face, 80, 7, 8)
    assert (done.effect.name, done.dv, done.net) == (effect, 15, net)


@pytest.mark.parametrize(("wide", "hit"), [(12, False), (71, True)])
def test_v22_blind_attack(wide: int, hit: bool) -> None:
    dark = game(shot(vision="blind"), search_target="perceive")
    assert struck(dark, 63, 37, 20, wide, *((1, 1, 1) if hit else ())).hit is hit


def test_v22_the_target_is_found() -> None:
    dark = game(shot(vision="blind"), search_target="perceive")
    found = answered(dark, 44)
    assert facts_of(found).numbers.tn == 40
    assert struck(dark, 44, 37, 20, 1, 1, 1).hit


def biter(size: str) -> Setup:
    bite = Weapon(name="bite", form="melee", skill="melee", d6=2)
    return blow(weapon=bite, attacker=shooter(size=size), defender=target(size=size))


def test_v23_size_and_halving() -> None:
    assert struck(game(biter("small")), 20, 98, 4, 5).dv == 5
    assert struck(game(biter("small")), 44, 98, 4, 5).dv == 9
    assert struck(game(biter("very_small")), 20, 98, 4, 5).dv == 1
    assert struck(game(biter("very_small")), 11, 98, 4, 5).dv == 1
    assert str(question(answered(game(biter("large")), 20, 98)).dice) == "1d10+2d6"


def test_v25_shock_although_nothing_gets_through() -> None:
    stunner = Weapon(name="stunner", form="beam", skill="guns", d6=1, armor="energy",
                     modes=("semi",), rounds=12, range_m=50, traits=("shock",))  # fmt: skip
    done = struck(game(shot(weapon=stunner, defender=target(energy=4))), 20, 98, 3)
    assert (done.net, done.calls) == (0, ("shock",))


@pytest.mark.parametrize(("check", "offline"), [(50, False), (51, True)])
def test_v26_ignored_wounds(check: int, offline: bool) -> None:
    arachnoid = Combatant(name="arachnoid", body="synthmorph", durability=55, som=20,
                          ignore_wounds=2)  # fmt: skip
    done = struck(game(shot(weapon=pistol(d10=0, flat=33), defender=arachnoid)), 20, 98, check)
    assert (done.wounds, done.prone, done.knocked_out) == (3, True, offline)
    assert attack_tn(shot(attacker=shooter(wounds=3, ignore_wounds=2))) == 60
    assert Combatant(name="a", ignore_wounds=5).ignored_wounds == 3


PSI = Weapon(name="stab", form="psi", skill="psi", d10=2, armor="mental")


def test_v28_psi_critical() -> None:
    mind = target(wil=20, mental=5, wound_threshold=7)
    setup = shot(weapon=PSI, defender=mind, distance_m=5)
    done = struck(game(setup), 66, 60, 9, 4, 0)
    assert (done.critical, done.superior, done.dv, done.net) == (True, 0, 26, 21)
    assert done.wounds == 3


def test_v28_full_psi_defence() -> None:
    guarded = shot(weapon=PSI, defender=target(wil=20, full_defense=True), distance_m=5)
    assert defence_tn(guarded) == 90
    assert not struck(game(guarded), 66, 77).hit


@pytest.mark.parametrize(
    ("face", "swapped"), [(7, 70), (70, 7), (40, 4), (96, 69), (11, 11), (0, 0), (99, 99)]
)
def test_v31_flip_table(face: int, swapped: int) -> None:
    assert flipped(face) == swapped


def test_v31_bad_luck_and_99() -> None:
    pools = (("flex", 1),)
    names = [
        offer.name for offer in after_roll(classify(96, 70), 70, "", pools, "guns", flips=False)
    ]
    assert names == ["none"]
    last = list(after_roll(classify(99, 70), 70, "", pools, "guns", flips=True))
    assert [offer.name for offer in last] == ["none", "downgrade"]
    assert (last[1].result.success, last[1].result.critical) == (False, False)


def test_v32_upgrade() -> None:
    opened = game(shot(attacker=shooter(vigor=2)), None, "spend_after_attack")
    done = struck(opened, 31, 30, 1, 1, 6, options=("upgrade",))
    assert (done.hit, done.superior, done.dv) == (True, 1, 8)
    assert question(answered(opened, 31, "upgrade")).ask == "defense roll"
    assert offered(answered(opened, 69)) == ["none", "flip"]
    assert question(answered(opened, 66)).ask == "defense roll"


HELMET = Armor(name="helmet", energy=2, kinetic=2, layer="bonus")


def test_v35_layers() -> None:
    pieces = (
        Armor(name="body armor", energy=8, kinetic=14),
        Armor(name="light vest", energy=4, kinetic=10),
        HELMET,
    )
    loaded = target(pieces=pieces, som=20)
    assert defence_tn(blow(defender=loaded)) == 60 - 40
    assert ready(shot(defender=loaded)).targets[0].av == 26
    assert ready(shot(defender=loaded, weapon=pistol(armor="energy"))).targets[0].av == 14
    one = target(pieces=(Armor(name="combat armor", energy=12, kinetic=16),), som=10)
    assert defence_tn(blow(defender=one)) == 60


@pytest.mark.parametrize(("face", "hit"), [(15, True), (41, False)])
def test_v38_no_defence(face: int, hit: bool) -> None:
    setup = shot(attacker=shooter(guns=40), defender=target(conditions=("incapacitated",)))
    done = struck(game(setup), face, *((1, 1) if hit else ()))
    assert (done.hit, done.superior) == (hit, 0)


@pytest.mark.parametrize(("durability", "death"), [(25, 38), (35, 53), (45, 68)])
def test_v41_derived_death_ratings(durability: int, death: int) -> None:
    assert Combatant(name="a", durability=durability).death == death


@pytest.mark.parametrize(("durability", "threshold"), [(33, 7), (32, 6)])
def test_v41_derived_wound_thresholds(durability: int, threshold: int) -> None:
    assert Combatant(name="a", durability=durability).threshold == threshold


def test_v43_suppression() -> None:
    runner_a, runner_c = target(name="A", fray=60), target(name="C", fray=60)
    setup = shot(attacker=shooter(guns=60), defender=runner_a, others=(runner_c,), distance_m=40,
                 cover="major", ammo=Ammo())  # fmt: skip
    fire = game(setup, choose_mode="auto", choose_fire="suppress")
    assert facts_of(answered(fire)).numbers.tn == 50
    ended = play(fire, 50, 18, 22, 3, 4, 5)
    assert [done.hit for done in ended.done] == [True, False]
    assert (ended.done[0].superior, ended.done[0].dv, ended.rounds) == (1, 12, 10)
