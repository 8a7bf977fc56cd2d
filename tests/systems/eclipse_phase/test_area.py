"""Attacks on an area: where they go off, whom they catch, what Fray and distance take off."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from affray.core.errors import AffrayError, SetupError
from affray.core.ruling import Rulings
from affray.systems.eclipse_phase.blast import Blast
from affray.systems.eclipse_phase.fight import FIGHT
from affray.systems.eclipse_phase.gear import Ammo, Weapon
from affray.systems.eclipse_phase.sheet import Setup

from .area import CHARGE, CLOUD, FRAG, TORCH, bomb, caught, throw
from .factory import (
    SHOOTER,
    answered,
    attack_tn,
    chance,
    game,
    offered,
    play,
    question,
    shooter,
    shot,
    struck,
    target,
)

TWENTY = replace(FRAG, d10=0, flat=20)
"""A grenade that always has a DV of 20."""


def twenty(**changes: Any) -> Weapon:
    return bomb(TWENTY, **changes)


def dvs(setup: Setup, *faces: int, **settled: str) -> list[int]:
    return [one.dv for one in play(game(setup, **settled), *faces).done]


# -- the blast -------------------------------------------------------------------------------


@pytest.mark.parametrize(("meters", "dv"), [(0, 20), (0.9, 20), (1, 18), (5, 10), (9, 2), (10, 0)])
def test_ep102_a_centered_blast_loses_two_for_each_meter(meters: float, dv: int) -> None:
    who = caught(place_m=(meters, 0.0), conditions=("immobilized",))
    assert dvs(throw(who, weapon=TWENTY), 20) == [dv]


@pytest.mark.parametrize(("meters", "dv"), [(0, 20), (5, 20), (5.9, 20), (6, 18), (9, 12)])
def test_ep102_a_uniform_blast_is_whole_within_its_radius(meters: float, dv: int) -> None:
    who = caught(place_m=(0.0, meters), conditions=("immobilized",))
    assert dvs(throw(who, weapon=replace(CLOUD, d10=0, flat=20)), 20) == [dv]


def test_ep102_in_vacuum_a_uniform_blast_ends_quickly() -> None:
    who = caught(place_m=(0.0, 6.0), conditions=("immobilized",))
    weapon = replace(CLOUD, d10=0, flat=20)
    assert dvs(throw(who, weapon=weapon, vacuum=True), 20) == [10]


def test_ep105_a_blast_is_dialed_down_by_losing_more() -> None:
    who = caught(place_m=(2.0, 0.0), conditions=("immobilized",))
    assert dvs(throw(who, weapon=twenty(falloff=8)), 20) == [4]


def test_ep102_one_roll_of_damage_serves_everybody() -> None:
    setup = throw(caught(), caught("second", place_m=(3.0, 0.0), kinetic=0), weapon=FRAG)
    done = play(game(setup), 20, 98, 98, 4, 5, 6).done
    assert [(one.dv, one.net) for one in done] == [(21, 15), (15, 15)]


def test_ep57_superior_success_adds_to_the_blast_and_a_critical_doubles_it() -> None:
    """Falloff comes off after everything that multiplies (EP-153)."""
    setup = throw(caught(), caught("second", place_m=(3.0, 0.0)), weapon=replace(FRAG, d10=1))
    assert dvs(setup, 40, 98, 98, 4, 6) == [16, 10]
    assert dvs(setup, 44, 98, 98, 4) == [20, 14]


def test_ep102_traits_act_within_their_radius_only() -> None:
    weapon = replace(twenty(effects_m=2), traits=("knockdown", "shock"), flat=60)
    near = replace(SHOOTER, name="near", durability=1000, wound_threshold=0, som=20)
    setup = throw(near, replace(near, name="far", place_m=(0.0, 3.0)), weapon=weapon)
    ended = play(game(setup), 20, 98, 98, 70)
    assert [one.prone for one in ended.done] == [True, False]
    assert [one.calls for one in ended.done] == [("shock",), ()]


def test_ep102_a_blast_without_damage_acts_within_its_radius() -> None:
    flash = Weapon(name="flash", form="thrown", skill="athletics", armor="none",
                   traits=("blinding",), blast=Blast(shape="uniform", radius_m=5))  # fmt: skip
    setup = throw(caught(), caught("far", place_m=(0.0, 6.0)), weapon=flash)
    ended = play(game(setup), 20, 98)
    assert [one.hit for one in ended.done] == [True, False]
    assert [one.calls for one in ended.done] == [("blinding",), ()]
    assert [one.dv for one in ended.done] == [0, 0]


# -- Fray ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("face", "dv"), [(0, 11), (25, 11), (26, 21), (98, 21)])
def test_ep103_fray_that_succeeds_halves_what_is_left(face: int, dv: int) -> None:
    """Fray 25 against 21 DV; halves are rounded up."""
    assert dvs(throw(weapon=replace(TWENTY, flat=21)), 30, face) == [dv]


def test_ep103_fray_need_not_beat_the_attack() -> None:
    done = struck(game(throw(weapon=TWENTY)), 70, 1, 1, 1)
    assert done.hit
    assert done.dodged
    assert done.dv == 11


def test_ep103_near_cover_fray_avoids_it_whole() -> None:
    for setup in (throw(caught(sheltered=True)), throw(cover="minor")):
        done = struck(game(setup), 20, 20)
        assert (done.hit, done.dodged, done.net) == (False, True, 0)


@pytest.mark.parametrize(("meters", "escapes"), [(3.9, False), (4, True), (5.5, True), (6, True)])
def test_ep103_near_the_edge_too(meters: float, escapes: bool) -> None:
    setup = throw(caught(place_m=(meters, 0.0)), weapon=replace(CLOUD, d10=0, flat=20))
    done = struck(game(setup), 20, 20)
    assert done.dodged
    assert (done.net == 0) == escapes


def test_ep103_the_edge_of_a_centered_blast_is_where_nothing_is_left() -> None:
    nine, ten = (throw(caught(place_m=(m, 0.0), kinetic=0), weapon=TWENTY) for m in (8.0, 9.0))
    assert dvs(nine, 20, 20) == [2]
    assert dvs(ten, 20, 20) == [0]


def test_ep46_only_those_within_reach_roll_fray() -> None:
    setup = throw(caught(), caught("far", place_m=(20.0, 0.0)), weapon=TWENTY)
    ended = play(game(setup), 20, 98)
    assert [one.hit for one in ended.done] == [True, False]


def test_ep20_a_point_flips_fray() -> None:
    setup = throw(caught(flex=1), weapon=TWENTY)
    asked = answered(game(setup, {}, "spend_on_dodge"), 20, 70)
    assert offered(asked) == ["none", "flip"]
    ended = asked.answer("flip").outcome
    assert ended is not None
    assert play(game(setup, spend_on_dodge="flip"), 20, 70).final.dodged


# -- scatter ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("attack", "meters"), [(71, 4), (80, 4), (88, 4), (99, 4)])
def test_ep104_a_miss_lands_elsewhere(attack: int, meters: int) -> None:
    ended = play(game(throw(weapon=TWENTY)), attack, 12, 4, 98)
    assert ended.scatter_m == meters
    assert ended.final.dv == 20 - 2 * meters


@pytest.mark.parametrize(("attack", "meters"), [(67, 3), (66, 3), (65, 6), (34, 6), (33, 3),
                                                (32, 12)])  # fmt: skip
def test_ep104_superior_failures_double_it(attack: int, meters: int) -> None:
    """66 and 33 are critical failures, and those have no band (EP-5)."""
    setup = throw(weapon=replace(TWENTY, flat=2), attacker=shooter(athletics=20))
    assert play(game(setup), attack, 12, 3).scatter_m == meters


@pytest.mark.parametrize(("bearing", "dv"), [(3, 20), (12, 12), (9, 8), (6, 12)])
def test_ep104_the_clock_tells_where_it_goes(bearing: int, dv: int) -> None:
    """3 m to the right: hit at three o'clock, 6 m off at nine, 4.2 m off straight on or back."""
    setup = throw(caught(place_m=(3.0, 0.0)), weapon=TWENTY)
    assert dvs(setup, 98, bearing, 3, 98) == [dv]


def test_ep104_where_only_the_distance_is_known_its_direction_is_rolled() -> None:
    setup = throw(caught(off_center_m=3), weapon=TWENTY)
    asked = question(answered(game(setup), 98))
    assert str(asked.dice) == "1d12+1d10+1d12"
    assert dvs(setup, 98, 4, 3, 4, 98) == [20]
    assert dvs(setup, 98, 4, 3, 10, 98) == [8]


@pytest.mark.parametrize(("blast", "scatters"), [
    ({}, False), ({"trigger": "airburst"}, False), ({"trigger": "timer"}, True),
    ({"trigger": "timer", "sticky": True}, False),
])  # fmt: skip
def test_ep105_a_hit_scatters_unless_it_goes_off_at_once(
    blast: dict[str, Any], scatters: bool
) -> None:
    asked = question(answered(game(throw(weapon=twenty(**blast))), 20))
    assert (asked.ask == "scatter: direction and meters") == scatters


def test_ep101_a_blind_throw_that_goes_wide_scatters() -> None:
    setup = throw(weapon=TWENTY, vision="blind")
    assert question(answered(game(setup), 20)).ask == "blind shot"
    assert play(game(setup), 20, 49, 12, 4, 98).scatter_m == 4
    assert play(game(setup), 20, 50, 98).scatter_m == 0


# -- the throw -------------------------------------------------------------------------------


def test_ep83_thrown_as_far_as_som() -> None:
    assert attack_tn(throw(distance_m=15)) == 60  # Athletics 70, range 15
    assert attack_tn(throw(distance_m=16)) == 50


def test_ep102_a_spot_has_neither_size_nor_cover() -> None:
    small = {"size": "small"}
    assert attack_tn(throw(caught(**small), cover="major")) == 30
    assert attack_tn(throw(caught(**small, place_m=(0.0, 1.0)), cover="major")) == 70


def test_ep99_an_area_attack_is_not_called() -> None:
    with pytest.raises(AffrayError, match="an area attack can't be called"):
        attack_tn(throw(), choose_called_shot="bypass")


def test_ep102_somebody_says_where_each_target_stands() -> None:
    with pytest.raises(SetupError, match="nobody says where 'second' stands"):
        attack_tn(throw(caught(), caught("second")))


REFUSED: dict[str, tuple[Any, str]] = {
    "a place without a blast": (
        lambda: shot(defender=target(place_m=(1.0, 0.0))),
        "no weapon here has a blast",
    ),
    "shelter without an area": (
        lambda: shot(defender=target(sheltered=True)),
        "no weapon here attacks an area",
    ),
    "a place of the attacker": (
        lambda: throw(attacker=replace(SHOOTER, place_m=(0.0, -9.0))),
        "among 'others'",
    ),
    "three numbers": (lambda: caught(place_m=(1.0, 2.0, 3.0)), "place_m has 3 numbers"),
    "two places": (lambda: caught(place_m=(1.0, 2.0), off_center_m=2), "leave 'off_center_m' out"),
    "a blade that explodes": (
        lambda: Weapon(name="b", form="melee", skill="melee", blast=Blast(shape="centered")),
        "a melee weapon can't explode",
    ),
    "a cone that explodes": (lambda: replace(TORCH, blast=Blast(shape="centered")), "no explosion"),
    "a radius in the center": (lambda: Blast(shape="centered", radius_m=3), "has no radius"),
    "no radius": (lambda: Blast(shape="uniform"), "needs 'radius_m'"),
    "a shaped cloud": (
        lambda: Blast(shape="uniform", radius_m=3, shaped="half"),
        "only a centered blast",
    ),
    "a shaped grenade": (lambda: bomb(shaped="half"), "only a charge"),
    "a sticky impact": (lambda: bomb(sticky=True), "'sticky' changes nothing"),
    "a charge with a timer": (lambda: bomb(CHARGE, trigger="timer"), "lies where it was put"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_ep102_what_makes_no_sense_is_refused(name: str) -> None:
    made, words = REFUSED[name]
    with pytest.raises(SetupError, match=words):
        made()


# -- charges ---------------------------------------------------------------------------------


def test_ep108_a_plain_charge_needs_no_test() -> None:
    setup = throw(weapon=replace(CHARGE, d10=0, flat=20), distance_m=None)
    assert dvs(setup, 98) == [20]


@pytest.mark.parametrize(("shaped", "times"), [("half", 2), ("quarter", 3)])
def test_ep108_a_shaped_charge_does_more_where_it_points(shaped: Any, times: int) -> None:
    weapon = replace(bomb(CHARGE, shaped=shaped), d10=0, flat=20)
    before, behind = caught(place_m=(0.0, 2.0)), caught("behind", place_m=(0.0, -2.0))
    setup = throw(before, behind, weapon=weapon, distance_m=None)
    assert dvs(setup, 20, 98) == [20 * times - 4, 0]
    assert dvs(setup, 98, 98, 98) == [16, 16]  # the test failed: it is not shaped


def test_ep108_beside_a_charge_half_is_wider_than_a_quarter() -> None:
    for shaped, reached in (("half", 40), ("quarter", 0)):
        weapon = replace(bomb(CHARGE, shaped=shaped), d10=0, flat=20)
        who = caught(place_m=(0.9, 0.0))
        faces = (20, 98) if reached else (20,)
        assert dvs(throw(who, weapon=weapon, distance_m=None), *faces) == [reached]


def test_ep108_skill_adds_against_objects_only() -> None:
    door = caught("door", body="object", kinetic=10)
    setup = throw(door, caught(place_m=(0.0, 0.0)), weapon=replace(CHARGE, d10=0, flat=20),
                  distance_m=None)  # fmt: skip
    assert dvs(setup, 40, 98, 6) == [26, 20]
    assert [one.net for one in play(game(setup), 44, 98).done] == [15, 14]


def test_ep43_demolitions_decides_where_the_ruling_says_so() -> None:
    setup = throw(weapon=CHARGE, distance_m=None)
    tested = game(setup, {"charge_test": "yes"})
    assert chance(tested, "hit") == Fraction(71, 100)
    failed = play(tested, 71)  # nothing goes off, nor anywhere else
    assert ([one.hit for one in failed.done], failed.scatter_m) == ([False], 0)


# -- cones -----------------------------------------------------------------------------------


def cone(n: int, meters: int, **changes: Any) -> Setup:
    mates = [caught(f"target {number}") for number in range(n)]
    weapon = replace(TORCH, d10=2, flat=10, armor="kinetic", **changes)
    return throw(*mates, weapon=weapon, distance_m=meters)


@pytest.mark.parametrize(("meters", "most"), [(2, 1), (10, 1), (11, 2), (15, 2), (16, 3)])
def test_ep102_a_cone_strikes_more_targets_farther_off(meters: int, most: int) -> None:
    assert attack_tn(cone(most, meters))
    with pytest.raises(SetupError, match=f"attacks {most} at most"):
        attack_tn(cone(most + 1, meters))


def test_ep103_fray_halves_a_cone() -> None:
    ended = play(game(cone(2, 12)), 20, 10, 98, 3, 4)
    assert [(one.dodged, one.dv) for one in ended.done] == [(True, 9), (False, 17)]


def test_ep102_a_cone_that_misses_strikes_nobody() -> None:
    ended = play(game(cone(2, 12)), 90)
    assert [one.hit for one in ended.done] == [False, False]
    assert ended.scatter_m == 0


def test_ep102_a_burst_of_a_cone_is_spread_over_its_targets() -> None:
    setup = cone(3, 16, modes=("burst",), rounds=9)
    assert attack_tn(setup, choose_fire="spread") == 50


# -- seekers ---------------------------------------------------------------------------------

SEEKER = Weapon(
    name="seeker", form="seeker", skill="guns", d10=3, flat=12, modes=("semi",), rounds=8,
    range_m=75, traits=("armor_piercing", "no_point_blank"),
)  # fmt: skip
MISSILE = Ammo(name="frag missile", payload=replace(TWENTY, traits=("knockdown",)))


def test_ep83_a_seeker_does_what_its_missile_does() -> None:
    setup = throw(caught(), caught("second", place_m=(2.0, 0.0)), weapon=SEEKER, ammo=MISSILE)
    ended = play(game(setup), 20, 98, 98, 10, 10)
    assert [one.dv for one in ended.done] == [20, 16]


def test_ep83_missiles_are_for_seekers() -> None:
    with pytest.raises(SetupError, match="a seeker takes missiles"):
        attack_tn(throw(weapon=replace(TORCH), ammo=MISSILE))
    with pytest.raises(SetupError, match="a seeker takes missiles"):
        attack_tn(throw(weapon=SEEKER, ammo=Ammo(name="biter", d6=1)))


# -- fights ----------------------------------------------------------------------------------


@pytest.mark.parametrize("where", [{"place_m": (1.0, 0.0)}, {"off_center_m": 2},
                                   {"sheltered": True}])  # fmt: skip
def test_ep102_a_fight_doesnt_know_where_anybody_stands(where: dict[str, Any]) -> None:
    with pytest.raises(SetupError, match="'stands_m' says who is near whom"):
        FIGHT.enter(caught(**where), Rulings())
