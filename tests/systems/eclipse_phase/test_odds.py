"""Exact odds that were counted by hand over all pairs of rolls, section by section."""

from collections.abc import Callable, Mapping
from fractions import Fraction

import pytest

from affray.core.dice import D100, Pool
from affray.core.distribution import Distribution
from affray.core.reading import distribution
from affray.engine.exchange import best
from affray.engine.exchange import odds as exact
from affray.engine.exchange.game import Game
from affray.systems.eclipse_phase import reading
from affray.systems.eclipse_phase.gear import Ammo, Weapon
from affray.systems.eclipse_phase.reading import Result
from affray.systems.eclipse_phase.sheet import Combatant, Setup

from .factory import (
    blow,
    chance,
    game,
    joint,
    mean,
    objective,
    pistol,
    shooter,
    shot,
    target,
)

F = Fraction
BURST = {"choose_mode": "burst", "choose_fire": "damage"}
CONDITION = Mapping[str, Callable[[object], bool]]


def of(attack: int, defense: int, **changes: object) -> Setup:
    """A shot with these target numbers."""
    who: dict[str, object] = {"fray": 2 * defense}
    return shot(attacker=shooter(guns=attack), defender=target(**who), **changes)


def share(counts: Distribution[Result], test: Callable[[Result], bool]) -> Fraction:
    return counts.where(test) * 100


def test_o1_a_single_test_at_70() -> None:
    one = distribution(Pool((D100, 1)), reading.TestRead(70))
    assert share(one, lambda r: not r.success and not r.critical and r.superior == 0) == 26
    assert share(one, lambda r: not r.success and r.critical) == 3
    assert [
        share(one, lambda r, n=n: r.success and not r.critical and r.superior == n)  # type: ignore[misc]  # bound now
        for n in (0, 1, 2)
    ] == [30, 30, 4]
    assert share(one, lambda r: r.success and r.critical) == 7


def test_o1b_a_single_test_at_60() -> None:
    one = distribution(Pool((D100, 1)), reading.TestRead(60))
    plain = [-1, 0]
    assert [
        share(one, lambda r, n=n: not r.success and not r.critical and r.superior == n)  # type: ignore[misc]  # bound now
        for n in plain
    ] == [5, 30]
    assert share(one, lambda r: not r.success and r.critical) == 4
    assert [
        share(one, lambda r, n=n: r.success and not r.critical and r.superior == n)  # type: ignore[misc]  # bound now
        for n in (0, 1, 2)
    ] == [30, 25, 0]
    assert share(one, lambda r: r.success and r.critical) == 6


@pytest.mark.parametrize("tn", [-10, 0])
def test_o1c_hopeless(tn: int) -> None:
    one = distribution(Pool((D100, 1)), reading.TestRead(tn))
    assert share(one, lambda r: r.success) == share(one, lambda r: r.critical and r.success) == 1


@pytest.mark.parametrize("tn", [98, 120])
def test_o1d_nearly_sure(tn: int) -> None:
    assert share(distribution(Pool((D100, 1)), reading.TestRead(tn)), lambda r: not r.success) == 1


def test_o2_70_against_30() -> None:
    assert chance(game(of(70, 30)), "hit") == F(6499, 10_000)


def test_o2b_how_it_hits() -> None:
    split = joint(game(of(70, 30)), "hit", "critical", "superior")
    assert split[True, True, 0] == F(697, 10_000)
    assert [split[True, False, n] for n in (0, 1, 2)] == [
        F(2504, 10_000), F(2910, 10_000), F(388, 10_000),
    ]  # fmt: skip


def flips(attack: int, defense: int, side: str, **rulings: str) -> tuple[Game, best.Solution]:
    """A point for flips only, on one side; who attacks wants to hit, who defends the opposite."""
    helped = {
        "attacker": shot(attacker=shooter(guns=attack, flex=1), defender=target(fray=2 * defense)),
        "defender": shot(attacker=shooter(guns=attack), defender=target(fray=2 * defense, flex=1)),
    }[side]
    step = {"attacker": "spend_after_attack", "defender": "spend_after_defence"}[side]
    opened = game(helped, rulings, step)
    return opened, best.solve(opened, objective("hit"))


@pytest.mark.parametrize(
    ("attack", "defense", "value"), [(70, 30, 8595), (40, 30, 5703), (60, 60, 6141)]
)
def test_o4_the_best_flips_for_a_hit(attack: int, defense: int, value: int) -> None:
    _, solved = flips(attack, defense, "attacker")
    assert solved.value == F(value, 10_000)


@pytest.mark.parametrize(("reveal", "spent"), [("own", F(36, 100)), ("both", F(2096, 10_000))])
def test_o4c_seeing_both_rolls_saves_points(reveal: str, spent: Fraction) -> None:
    opened, solved = flips(70, 30, "attacker", reveal=reveal)
    assert solved.value == F(8595, 10_000)
    assert exact.odds(opened, "spent", decide=solved.decide).mean() == spent


@pytest.mark.parametrize(("attack", "defense", "value"), [(70, 30, 6127), (60, 60, 3151)])
def test_o4d_the_defender_flips(attack: int, defense: int, value: int) -> None:
    _, solved = flips(attack, defense, "defender")
    assert solved.value == F(value, 10_000)


@pytest.mark.parametrize(
    ("attack", "defense", "value"), [(70, 30, 8445), (40, 30, 5526), (60, 60, 6107)]
)
def test_o5_plus_20_instead(attack: int, defense: int, value: int) -> None:
    setup = shot(attacker=shooter(guns=attack, flex=1), defender=target(fray=2 * defense))
    assert chance(game(setup, spend_before_attack="plus20"), "hit") == F(value, 10_000)


def test_o5_the_best_of_both_is_found() -> None:
    """40 against 30: the flip is better than the 20, and is kept for after the roll."""
    setup = shot(attacker=shooter(guns=40, flex=1), defender=target(fray=60))
    solved = best.solve(game(setup, None, "spend_before_attack", "spend_after_attack"),
                        objective("hit"))  # fmt: skip
    assert solved.value == F(5703, 10_000)


@pytest.mark.parametrize(
    ("tn", "base", "flip", "plus"), [(20, 21, 36, 41), (40, 41, 64, 61), (60, 61, 84, 81),
                                     (80, 81, 96, 99)],
)  # fmt: skip
def test_o7_unopposed(tn: int, base: int, flip: int, plus: int) -> None:
    setup = shot(attacker=shooter(guns=tn, flex=1), defender=target(conditions=("unconscious",)))
    assert chance(game(setup), "hit") * 100 == base
    opened = game(setup, None, "spend_after_attack")
    assert best.solve(opened, objective("hit")).value * 100 == flip
    assert chance(game(setup, spend_before_attack="plus20"), "hit") * 100 == plus


def test_o8_full_defense() -> None:
    assert chance(game(of(70, 30)), "hit") == F(6499, 10_000)
    guarded = shot(defender=target(full_defense=True))
    assert chance(game(guarded), "hit") == F(5161, 10_000)


EXHUMAN = Combatant(
    name="exhuman", fray=60, kinetic=10, durability=1000, wound_threshold=8, som_check=75
)
AT_EXHUMAN = shot(defender=EXHUMAN)
V1: CONDITION = {"superior": lambda n: n == 2}


def test_o10_after_the_rolls_of_v1() -> None:
    burst = game(AT_EXHUMAN, **BURST)
    net = exact.odds(burst, "net", given=V1)
    assert net.mean() == F(16_207, 1200)
    assert net.chance(11) == F(763, 12_000)
    wounds = exact.odds(burst, "wounds", given=V1)
    assert [wounds.chance(n) for n in range(5)] == [
        F(289, 2000), F(5903, 12_000), F(329, 1000), F(311, 9000), F(1, 36_000),
    ]  # fmt: skip


def test_o11_falling_and_fainting() -> None:
    burst = game(AT_EXHUMAN, **BURST)
    assert chance(burst, "prone") == F(10_869_407, 50_000_000)
    assert chance(burst, "knocked_out") == F(267_441_551, 4_500_000_000)


PLAIN: CONDITION = {"hit": bool, "critical": lambda v: not v, "superior": lambda n: n == 0}
CRITICAL: CONDITION = {"critical": bool}


def net_of(setup: Setup, given: CONDITION = PLAIN) -> Distribution[object]:
    return exact.odds(game(setup), "net", given=given)


def test_o13_two_d10_on_a_hit() -> None:
    assert exact.odds(game(shot()), "dv", given=PLAIN).mean() == 11
    net = net_of(shot(defender=target(kinetic=10)))
    assert (net.mean(), net.chance(0), net.at_least(7)) == (F(11, 5), F(9, 20), F(1, 10))


def test_o13_armor_piercing() -> None:
    spike = pistol(traits=("armor_piercing",))
    net = net_of(shot(weapon=spike, defender=target(kinetic=10)))
    assert (net.mean(), net.chance(0), net.at_least(7)) == (F(61, 10), F(1, 10), F(9, 20))
    assert net_of(shot(weapon=spike, defender=target(kinetic=7))).mean() == F(176, 25)


def test_o13_doubled() -> None:
    who = target(kinetic=10, wound_threshold=7, body="infomorph")
    assert net_of(shot(defender=who), CRITICAL).mean() == F(61, 5)
    wounds = exact.odds(game(shot(defender=who)), "wounds", given=CRITICAL)
    assert [wounds.chance(n) * 100 for n in range(5)] == [28, 27, 30, 12, 3]


def test_o13_halved() -> None:
    assert net_of(shot(ammo=Ammo(half=True))).mean() == F(23, 4)


@pytest.mark.parametrize(
    ("d10", "d6", "flat", "average"),
    [
        (2, 0, 2, F(13)), (3, 0, 0, F(33, 2)), (3, 2, 0, F(47, 2)), (1, 1, 0, F(9)),
        (3, 0, 10, F(53, 2)), (0, 2, 0, F(7)),
    ],
)  # fmt: skip
def test_o14_means(d10: int, d6: int, flat: int, average: Fraction) -> None:
    gun = pistol(d10=d10, d6=d6, flat=flat)
    assert exact.odds(game(shot(weapon=gun)), "dv", given=PLAIN).mean() == average


@pytest.mark.parametrize(
    ("reading", "average", "wound"),
    [("remove", F(21, 10), F(0)), ("subtract", F(57, 20), F(33, 200))],
)
def test_o16_a_die_less(reading: str, average: Fraction, wound: Fraction) -> None:
    rounds = Ammo(name="ap", d10=-1, traits=("armor_piercing",))
    setup = game(shot(ammo=rounds, defender=target(kinetic=8)), {"minus_die": reading})
    net = exact.odds(setup, "net", given=PLAIN)
    assert (net.mean(), net.at_least(7)) == (average, wound)


def test_o17_blind() -> None:
    dark = shot(vision="blind")
    assert chance(game(dark, search_target="shoot"), "hit") == F(179, 1000)
    assert chance(game(dark, search_target="perceive"), "hit") == F(27_029, 100_000)
    certain = shot(vision="blind", attacker=shooter(perceive=99))
    found = chance(game(certain, search_target="perceive"), "hit")
    assert found == F(99, 100) * F(179, 500) + F(1, 100) * F(179, 1000)


def test_o22_a_burst_at_two() -> None:
    setup = shot(attacker=shooter(guns=60), others=(target(),))
    spread = game(setup, choose_mode="burst", choose_fire="spread")
    both = joint(spread, "hit", "hit_2")
    assert both[True, True] == F(10_117, 20_000)
    assert 1 - both[False, False] == F(11_987, 20_000)
    assert chance(spread, "hit") == chance(spread, "hit_2") == F(5526, 10_000)


def test_o23_called_shots() -> None:
    called = game(shot(), choose_called_shot="bypass")
    assert chance(called, "hit") == F(5526, 10_000)
    assert 1 - chance(called, "effect", "") == F(1511, 5000)
    strict = game(shot(), {"called_critical": "doubles"}, choose_called_shot="bypass")
    assert 1 - chance(strict, "effect", "") == F(97, 400)


def test_o23_bypass_against_plain() -> None:
    setup = shot(defender=target(kinetic=12))
    assert mean(game(setup, choose_called_shot="bypass")) == F(1_258_937, 500_000)
    assert mean(game(setup)) == F(33_403, 15_000)


SNIPER = Weapon(
    name="sniper rifle", form="kinetic", skill="guns", d10=3, flat=10, modes=("semi",), rounds=10,
    range_m=500,
)  # fmt: skip


def test_o25_a_sniper() -> None:
    who = target(kinetic=10, wound_threshold=7, body="infomorph")
    setup = game(shot(weapon=SNIPER, defender=who))
    net = exact.odds(setup, "net")
    assert net.at_least(35) == F(66_539, 1_200_000)
    assert net.at_least(53) == F(23_001, 2_000_000)
    wounds = exact.odds(setup, "wounds", given=PLAIN)
    assert [wounds.chance(n) for n in range(5)] == [
        F(2, 100), F(263, 1000), F(497, 1000), F(21, 100), F(1, 100),
    ]  # fmt: skip


@pytest.mark.parametrize(("wounds", "hit"), [(0, 5526), (1, 4553), (2, 3580), (3, 2604), (4, 1677)])
def test_o28_the_wound_spiral(wounds: int, hit: int) -> None:
    setup = shot(attacker=shooter(guns=60, wounds=wounds))
    assert chance(game(setup), "hit") == F(hit, 10_000)


def test_o29_equal_rolls() -> None:
    """31 pairs; 3 are critical and hit by the higher skill, 28 are not."""
    tied = game(shot(), {"ties": "deadlock"})
    assert chance(tied, "deadlock") == F(28, 10_000)
    assert chance(tied, "hit") == F(6499, 10_000)
    assert chance(game(shot(), {"ties": "higher_skill"}), "hit") == F(6527, 10_000)


def test_o2_a_blow_at_full_fray_is_the_same_comparison() -> None:
    setup = blow(defender=target(fray=30))
    assert chance(game(setup), "hit") == F(6499, 10_000)
