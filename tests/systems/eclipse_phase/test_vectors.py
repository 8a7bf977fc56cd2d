"""What of the worked examples no played example says: numbers, classes of a roll, points."""

import pytest

from affray.systems.eclipse_phase.gear import Armor, Weapon
from affray.systems.eclipse_phase.pools import after_roll
from affray.systems.eclipse_phase.reading import classify, flipped
from affray.systems.eclipse_phase.sheet import Combatant

from .factory import (
    answered,
    attack_tn,
    blow,
    defence_tn,
    game,
    offered,
    pistol,
    question,
    ready,
    shooter,
    shot,
    target,
)


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


def test_v16_positive_cap() -> None:
    setup = shot(attacker=shooter(guns=40), defender=target(size="very_large"), distance_m=2,
                 superior="attacker")  # fmt: skip
    assert attack_tn(setup, choose_mode="auto", choose_fire="hit") == 100


def test_v17_negative_cap_and_a_pool_point() -> None:
    poor = shooter(guns=60, wounds=1, vigor=1)
    setup = shot(attacker=poor, cover="major", vision="major", movement="full", distance_m=30)
    assert attack_tn(setup) == 0
    assert attack_tn(setup, spend_before_attack="ignore") == 60


def test_v26_ignored_wounds() -> None:
    assert attack_tn(shot(attacker=shooter(wounds=3, ignore_wounds=2))) == 60
    assert Combatant(name="a", ignore_wounds=5).ignored_wounds == 3


PSI = Weapon(name="stab", form="psi", skill="psi", d10=2, armor="mental")


def test_v28_full_psi_defence() -> None:
    guarded = shot(weapon=PSI, defender=target(wil=20, full_defense=True), distance_m=5)
    assert defence_tn(guarded) == 90


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
    assert ready(shot(defender=loaded, weapon=pistol(armor="energy"))).targets[0].av == 14
    one = target(pieces=(Armor(name="combat armor", energy=12, kinetic=16),), som=10)
    assert defence_tn(blow(defender=one)) == 60


@pytest.mark.parametrize(("durability", "death"), [(25, 38), (30, 45), (35, 53), (45, 68)])
def test_v41_derived_death_ratings(durability: int, death: int) -> None:
    assert Combatant(name="a", durability=durability).death == death


@pytest.mark.parametrize(("durability", "threshold"), [(33, 7), (32, 6), (30, 6)])
def test_v41_derived_wound_thresholds(durability: int, threshold: int) -> None:
    assert Combatant(name="a", durability=durability).threshold == threshold
