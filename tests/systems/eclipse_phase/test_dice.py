"""Core dice: tests, doubles, bands, defaulting, rounding, the limit on modifiers."""

import pytest

from affray.core.errors import SetupError
from affray.systems.eclipse_phase.reading import classify, flipped
from affray.systems.eclipse_phase.tables import round_half_up

from .factory import (
    attack_tn,
    blow,
    chance,
    defence_tn,
    game,
    joint,
    play,
    shooter,
    shot,
    struck,
    target,
)

DOUBLES = (0, 11, 22, 33, 44, 55, 66, 77, 88, 99)


@pytest.mark.parametrize(("face", "succeeds"), [(1, True), (69, True), (70, True), (71, False)])
def test_ep1_at_or_below_the_number_succeeds(face: int, succeeds: bool) -> None:
    assert classify(face, 70).success is succeeds


@pytest.mark.parametrize("face", DOUBLES)
def test_ep2_doubles_are_critical_for_better_and_for_worse(face: int) -> None:
    for tn in (10, 50, 98):
        assert classify(face, tn).critical


@pytest.mark.parametrize("face", sorted(set(range(100)) - set(DOUBLES)))
def test_ep2_nothing_else_is_critical(face: int) -> None:
    assert not classify(face, 50).critical


@pytest.mark.parametrize("tn", [-60, -1, 0, 50, 99, 130])
def test_ep3_zero_succeeds_and_99_fails_whatever_the_number(tn: int) -> None:
    zero, last = classify(0, tn), classify(99, tn)
    assert (zero.success, zero.critical) == (True, True)
    assert (last.success, last.critical) == (False, True)


@pytest.mark.parametrize("tn", [98, 99, 160])
def test_ep3_98_is_the_highest_success(tn: int) -> None:
    assert classify(98, tn).success


@pytest.mark.parametrize("tn", [-60, -1])
def test_ep3_01_fails_below_zero(tn: int) -> None:
    assert not classify(1, tn).success


@pytest.mark.parametrize(
    ("face", "superior"),
    [(1, 0), (32, 0), (34, 1), (65, 1), (67, 2), (95, 2)],
)
def test_ep4_superior_successes_from_33_and_66(face: int, superior: int) -> None:
    assert classify(face, 98).superior == superior


@pytest.mark.parametrize(
    ("face", "superior"),
    [(21, -2), (32, -2), (34, -1), (65, -1), (67, 0), (98, 0)],
)
def test_ep4_superior_failures_up_to_66_and_33(face: int, superior: int) -> None:
    assert classify(face, 20).superior == superior


@pytest.mark.parametrize("face", [33, 66])
@pytest.mark.parametrize("tn", [20, 90])
def test_ep5_a_critical_has_no_band(face: int, tn: int) -> None:
    assert classify(face, tn).superior == 0


@pytest.mark.parametrize("face", [33, 66])
def test_ep5_a_critical_hit_adds_no_dice(face: int) -> None:
    done = struck(game(shot()), face, 98, 4, 5)
    assert (done.critical, done.superior, done.dv) == (True, 0, 18)


def test_ep6_a_missing_skill_falls_back_to_the_aptitude() -> None:
    green = shooter(guns=None, melee=None, ref=15, som=25)
    assert attack_tn(shot(attacker=green)) == 15
    assert attack_tn(blow(attacker=green)) == 25


def test_ep6_missing_fray_is_twice_ref() -> None:
    assert defence_tn(blow(defender=target(fray=None, ref=20))) == 40
    assert defence_tn(shot(defender=target(fray=None, ref=20))) == 20


@pytest.mark.parametrize(
    ("face", "superior", "dice"), [(11, 0, 2), (22, 0, 2), (33, 1, 3), (66, 2, 4)]
)
def test_ep6_without_the_skill_criticals_are_ordinary(face: int, superior: int, dice: int) -> None:
    green = shooter(guns=None, ref=15)
    aided = shot(attacker=green, aim="complex", superior="attacker", attacker_modifier=10)
    assert attack_tn(aided) == 75
    done = struck(game(aided), face, 98, *([1] * dice))
    assert (done.hit, done.critical, done.superior, done.dv) == (True, False, superior, dice)


def test_ep6_a_failed_00_is_a_fumble_where_it_may_fail() -> None:
    hopeless = shot(attacker=shooter(guns=None, ref=5), attacker_modifier=-10)
    assert play(game(hopeless, {"default_zero": "may_fail"}), 0).fumble
    assert struck(game(hopeless), 0, 98, 1, 1).hit


def test_ep6_without_the_skill_a_critical_failure_still_counts() -> None:
    green = shooter(guns=None, ref=15)
    assert chance(game(shot(attacker=green)), "fumble") * 100 == 8  # 22 to 99


def test_ep6_a_defaulting_defence_ignores_its_criticals() -> None:
    dodger = target(fray=None, ref=25)
    assert struck(game(blow(defender=dodger)), 60, 44, 1, 1, 1).hit
    assert not struck(game(blow(defender=target(fray=50))), 60, 44).hit


@pytest.mark.parametrize(
    ("top", "bottom", "rounded"),
    [(35, 2, 18), (25, 2, 13), (24, 2, 12), (33, 5, 7), (32, 5, 6), (37, 5, 7), (-1, 2, 0)],
)
def test_ep7_to_the_nearest_halves_up(top: int, bottom: int, rounded: int) -> None:
    assert round_half_up(top, bottom) == rounded


@pytest.mark.parametrize(("fray", "halved"), [(60, 30), (55, 28), (45, 23), (1, 1)])
def test_ep7_half_fray_is_rounded_up(fray: int, halved: int) -> None:
    assert defence_tn(shot(defender=target(fray=fray))) == halved


@pytest.mark.parametrize(("modifier", "tn"), [(0, 120), (10, 130), (20, 130), (60, 130)])
def test_ep8_modifiers_add_up_to_60_at_most(modifier: int, tn: int) -> None:
    """Aim +30, position +20 and the GM's modifier on 70."""
    assert attack_tn(shot(aim="complex", superior="attacker", attacker_modifier=modifier)) == tn


@pytest.mark.parametrize(("modifier", "tn"), [(0, 20), (-10, 10), (-20, 10), (-60, 10)])
def test_ep8_and_down_to_minus_60(modifier: int, tn: int) -> None:
    assert attack_tn(shot(cover="major", vision="major", attacker_modifier=modifier)) == tn


def test_ep8_the_defender_is_held_to_the_limit_as_well() -> None:
    helped = target(full_defense=True)
    setup = blow(defender=helped, superior="defender", defender_modifier=30)
    assert defence_tn(setup) == 120
    hurt = target(conditions=("blinded", "stunned"))
    assert defence_tn(shot(defender=hurt, defender_modifier=-20)) == -30


def test_ep8_a_target_number_below_zero_leaves_00() -> None:
    hurt = target(fray=20, conditions=("blinded", "stunned"))
    setup = shot(defender=hurt)
    assert defence_tn(setup) == -50
    # 71 faces hit; 00 stops all of them but the seven criticals, the tie by the higher skill.
    assert chance(game(setup), "hit") * 10_000 == 99 * 71 + 7


def test_ep9_superior_successes_are_spent_on_damage() -> None:
    assert struck(game(shot()), 69, 98, 1, 1, 6, 6).dv == 14


def test_ep9_superior_failures_of_an_attack_change_nothing() -> None:
    told = joint(game(shot(attacker=shooter(guns=10))), "hit", "failures", "net")
    assert {row[1:] for row in told if not row[0]} == {(0, 0)}


@pytest.mark.parametrize("earlier", [0, 1, 3])
def test_ep11_attacks_are_no_retries(earlier: int) -> None:
    assert attack_tn(shot(failed_before=earlier)) == 70


@pytest.mark.parametrize(("known", "tn"), [((), 70), (("melee",), 70), (("guns",), 80)])
def test_ep13_a_specialization_adds_10_where_it_applies(known: tuple[str, ...], tn: int) -> None:
    assert attack_tn(shot(attacker=shooter(specialized=known))) == tn


@pytest.mark.parametrize(("known", "tn"), [((), 30), (("melee",), 30), (("fray",), 40)])
def test_ep13_after_the_halving_of_fray(known: tuple[str, ...], tn: int) -> None:
    assert defence_tn(shot(defender=target(specialized=known))) == tn


def test_ep13_nobody_specializes_in_what_they_never_learned() -> None:
    with pytest.raises(SetupError, match="specialized in guns, but 'guns' is missing"):
        shooter(guns=None, ref=15, specialized=("guns",))


@pytest.mark.parametrize(
    ("face", "swapped"), [(7, 70), (70, 7), (40, 4), (96, 69), (11, 11), (0, 0), (99, 99)]
)
def test_ep20_flipping_swaps_the_digits(face: int, swapped: int) -> None:
    assert flipped(face) == swapped
