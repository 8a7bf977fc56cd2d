"""Attacks on an area, priced and counted by brute force: every outcome with its chance."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from affray.systems.eclipse_phase.gear import Weapon
from affray.systems.eclipse_phase.sheet import Combatant
from tests.oracles.eclipse_phase_area import Explosive, Person, Readings, area_attack

from .area import CHARGE, CLOUD, FRAG, TORCH, bomb, caught, throw
from .factory import chance, game, joint

SHEETS = {
    "center": caught(),
    "right": caught("right", fray=40, place_m=(3, 0)),
    "near": caught("near", fray=31, kinetic=2, place_m=(-1.5, 2)),
    "behind": caught("behind", fray=70, place_m=(0, -4), sheltered=True),
    "adrift": caught("adrift", fray=50, off_center_m=2.5),
    "lost": caught("lost", fray=20, off_center_m=6),
    "helpless": caught("helpless", place_m=(2, 2), conditions=("immobilized",)),
    "door": caught("door", body="object", kinetic=9, place_m=(0, 2)),
}
LIGHT = replace(FRAG, d10=1, flat=15)
"""One die instead of three: as many cases, fewer sums."""
STEADY = replace(FRAG, d10=0, flat=20)
"""No die but those of superior successes: directions, distances and Fray rolls are as many."""
STEADY_CLOUD = replace(CLOUD, d10=0, flat=20)


def person(who: Combatant) -> Person:
    right, beyond = who.place_m or (0, 0)
    dodges = not who.conditions and who.body != "object"
    return Person(
        fray=((who.fray or 0) + 1) // 2 if dodges else None,
        armor=who.kinetic, right=right, beyond=beyond, off=who.off_center_m or None,
        near_cover=who.sheltered, is_object=who.body == "object",
    )  # fmt: skip


def explosive(weapon: Weapon) -> Explosive:
    blast = weapon.blast
    if blast is None:
        return Explosive(weapon.d10, weapon.flat, spread="cone")
    shape = {"none": "round", "half": "half", "quarter": "quarter"}[blast.shaped]
    spread = {"centered": "center", "uniform": "radius"}[blast.shape]
    return Explosive(
        weapon.d10, weapon.flat, spread=spread, radius=blast.radius_m,  # type: ignore[arg-type]
        per_meter=blast.falloff, comes_to_rest=blast.trigger == "timer" and not blast.sticky,
        placed=weapon.form == "charge", shape=shape,  # type: ignore[arg-type]
    )  # fmt: skip


def agree(
    weapon: Weapon, names: str, rulings: Mapping[str, str], readings: Readings, **situation: Any
) -> None:
    """The same chance for every outcome: what gets through to each, and how far it scattered."""
    who = [SHEETS[name] for name in names.split()]
    setup = throw(*who, weapon=weapon, **situation)
    nets = ("net", "net_2", "net_3")[: len(who)]
    priced = joint(game(setup, rulings), *nets, "scatter_m")
    counted = area_attack(explosive(weapon), 70, [person(one) for one in who], readings)
    assert priced == counted


@pytest.mark.parametrize("names", ["center", "right", "adrift", "center helpless"])
def test_ep104_a_grenade_on_several_targets_is_counted(names: str) -> None:
    agree(LIGHT, names, {}, Readings())


@pytest.mark.parametrize("names", ["adrift lost", "right near behind", "adrift near"])
def test_ep104_a_grenade_on_many_who_may_stand_anywhere_is_counted(names: str) -> None:
    """Without dice for damage: directions of those that move make places enough."""
    agree(STEADY, names, {}, Readings())


def test_ep102_a_cloud_with_dice_is_counted() -> None:
    agree(CLOUD, "lost", {}, Readings())
    agree(replace(CLOUD, d10=1), "near", {}, Readings())


@pytest.mark.parametrize("names", ["center near", "right behind", "lost"])
@pytest.mark.parametrize("weapon", [
    STEADY_CLOUD, bomb(STEADY_CLOUD, radius_m=2), bomb(STEADY, falloff=7),
    bomb(STEADY, trigger="timer"), bomb(STEADY, trigger="timer", sticky=True),
])  # fmt: skip
def test_ep102_every_kind_of_blast_is_counted(weapon: Weapon, names: str) -> None:
    agree(weapon, names, {}, Readings())


@pytest.mark.parametrize(("rulings", "readings"), [
    ({"area_fray": "opposed"}, Readings(fray="opposed")),
    ({"blast_meters": "nearest"}, Readings(meters="nearest")),
    ({"scatter_doubled": "added"}, Readings(twice=3)),
    ({"area_edge": "damage"}, Readings(edge="damage")),
    ({"scatter_bearings": "compass"}, Readings(bearings=8)),
])  # fmt: skip
def test_ep103_other_readings_are_counted(rulings: dict[str, str], readings: Readings) -> None:
    agree(STEADY, "near behind", rulings, readings)
    agree(replace(bomb(CLOUD, radius_m=3), d10=0, flat=15), "right near", rulings, readings)
    agree(replace(bomb(CLOUD, radius_m=3), d10=1, flat=10), "right", rulings, readings)


def test_ep102_damage_for_each_target_is_counted() -> None:
    weapon = bomb(replace(FRAG, d10=1), falloff=5)
    agree(weapon, "center near", {"blast_damage": "each"}, Readings(damage="each"))


@pytest.mark.parametrize("sheltered", [False, True])
def test_ep103_a_cone_is_halved_by_fray(*, sheltered: bool) -> None:
    """Near by, a cone has one die more."""
    who = caught(sheltered=sheltered)
    counted = area_attack(Explosive(4, spread="cone"), 70, [person(who)])
    weapon = replace(TORCH, armor="kinetic")
    assert joint(game(throw(who, weapon=weapon)), "net", "scatter_m") == counted


def test_ep102_a_cone_strikes_two_at_range() -> None:
    weapon, who = replace(TORCH, armor="kinetic"), [SHEETS["center"], caught("mate", fray=80)]
    counted = area_attack(Explosive(3, spread="cone"), 60, [person(one) for one in who], Readings())
    setup = throw(*who, weapon=weapon, distance_m=12)
    assert joint(game(setup), "net", "net_2", "scatter_m") == counted


@pytest.mark.parametrize("shape", ["none", "half", "quarter"])
@pytest.mark.parametrize("names", ["center", "near behind", "door right", "adrift door"])
def test_ep108_a_placed_charge_is_counted(shape: str, names: str) -> None:
    charge = CHARGE if names == "center" else replace(CHARGE, d10=1, flat=14)
    agree(bomb(charge, shaped=shape), names, {}, Readings(), distance_m=None)


def test_ep102_a_fragmentation_grenade_two_meters_off() -> None:
    """Vector O-26: 3d10+2 against armor 6 and Fray 25, once it has gone off."""
    who = caught(place_m=(2, 0))
    odds = joint(game(throw(who, weapon=replace(FRAG, blast=bomb().blast))), "net", "scatter_m",
                 "superior", "critical")  # fmt: skip
    plain = {row[0]: p for row, p in odds.items() if row[1:] == (0, 0, False)}
    # On target without superior success: 1 to 32 but 11, 22.
    whole = Fraction(30, 100)
    assert sum(int(str(net)) * p for net, p in plain.items()) == whole * Fraction(509077, 50000)
    assert chance(game(throw(who)), "scatter_m", 0) == Fraction(71, 100)
