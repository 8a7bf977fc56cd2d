"""What a setup must say, and an outcome that becomes the next setup."""

from dataclasses import replace
from typing import Any

import pytest

from affray.core.errors import MissingError, RulesError, SetupError
from affray.core.ruling import Rulings
from affray.engine.exchange.session import Session
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.plans import Plan
from affray.systems.eclipse_phase.gear import Ammo, Armor, Weapon
from affray.systems.eclipse_phase.questions import FIELDS
from affray.systems.eclipse_phase.sheet import Combatant, Setup
from affray.systems.eclipse_phase.state import Exchange, Struck

from .factory import (
    BLADE,
    PISTOL,
    QUIET,
    SYSTEM,
    answered,
    attack_tn,
    blade,
    blow,
    chance,
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

STAB = Weapon(name="stab", form="psi", skill="psi", d10=2, armor="mental")
GRENADE = Weapon(name="grenade", form="thrown", skill="athletics", d10=3)
CHARGE = Weapon(name="charge", form="charge", skill="demolitions", d10=3)


# -- distance --------------------------------------------------------------------------------


@pytest.mark.parametrize("weapon", [PISTOL, STAB, GRENADE])
def test_ep74_whatever_flies_needs_a_distance(weapon: Weapon) -> None:
    with pytest.raises(MissingError, match="distance_m: missing; how far is 'shooter' from"):
        ready(shot(weapon=weapon, distance_m=None))


@pytest.mark.parametrize("weapon", [BLADE, CHARGE])
def test_ep74_blows_and_placed_charges_do_without(weapon: Weapon) -> None:
    setup = shot(weapon=weapon, attacker=shooter(demolitions=70), distance_m=None)
    assert attack_tn(setup) == 70


def test_ep74_who_has_a_gun_among_the_weapons_is_asked_how_far() -> None:
    armed = shooter(weapons=(BLADE, PISTOL))
    with pytest.raises(MissingError, match="distance_m"):
        Session(game(Setup(attacker=armed, defender=target())))


def test_ep74_a_fight_with_guns_needs_a_distance_too() -> None:
    one, other = shooter(weapons=(PISTOL,)), victim(weapons=(BLADE,))
    for meters in (None, 5):
        sides = [
            Side("", (who,), Setup(attacker=who, defender=foe, distance_m=meters), Plan("first"))
            for who, foe in ((one, other), (other, one))
        ]
        contest = Contest(SYSTEM, (sides[0], sides[1]), Rulings(), first="one")
        if meters is None:
            with pytest.raises(MissingError, match="distance_m"):
                Duel(contest).solve()
        else:
            assert Duel(contest).solve().won[0] > 0


# -- weapons and ammunition that make no sense -----------------------------------------------

WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "rounds of a blade": ({"form": "melee", "rounds": 3}, "has no magazine; leave 'rounds' out"),
    "range of a grenade": (
        {"form": "thrown", "range_m": 30}, "has no range rating; leave 'range_m' out",
    ),
    "reach of a gun": (
        {"form": "beam", "modes": ("semi",), "range_m": 9, "reach": 10},
        "a beam weapon has no reach",
    ),
    "dice of a fist": ({"form": "melee", "unarmed": True, "d6": 1}, "leave 'd10' and 'd6' out"),
    "single use": (
        {"form": "seeker", "modes": ("single",), "range_m": 9, "rounds": 2,
         "traits": ("single_use",)},
        "'single_use' is used up by one round, but 'rounds' is 2",
    ),
    "a shot that touches": ({"form": "thrown", "traits": ("touch_only",)}, "only melee can"),
    "a blade in a cone": ({"form": "melee", "traits": ("cone",)}, "can't be 'cone'"),
    "a trait twice": ({"form": "melee", "traits": ("shock", "shock")}, "names 'shock' twice"),
    "a mode twice": (
        {"form": "beam", "modes": ("semi", "semi"), "range_m": 9}, "names 'semi' twice",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_ep42_a_weapon_takes_nothing_that_it_would_ignore(case: str) -> None:
    changes, words = WRONG[case]
    with pytest.raises(SetupError, match=words):
        Weapon(name="odd", skill="melee", **changes)


def test_ep83_rounds_take_no_trait_twice() -> None:
    with pytest.raises(SetupError, match="names 'stun' twice"):
        Ammo(traits=("stun", "stun"))


def test_ep83_rounds_for_biomorphs_at_a_mixed_group_are_refused() -> None:
    hollow = Ammo(name="hollow point", d6=1, biomorphs_only=True)
    bot, man, woman = target(name="bot", body="bot"), target(), target(name="second")
    for others in ((man,), (bot, man)):
        mixed = shot(defender=bot, others=others, ammo=hollow)
        with pytest.raises(SetupError, match="works on biomorphs only, and the targets are mixed"):
            ready(mixed, choose_mode="auto")
    alike = shot(defender=man, others=(woman,), ammo=hollow)
    assert ready(alike, choose_mode="burst").numbers.d6 == 1


def test_ep83_rounds_never_take_a_d6_away() -> None:
    with pytest.raises(SetupError, match="d6 is -1; allowed: 0 or more"):
        Ammo(d6=-1)


def test_ep71_ten_targets_are_the_most() -> None:
    assert len(shot(others=(target(),) * 9).targets) == 10
    with pytest.raises(SetupError, match="10 other targets; allowed: at most 9"):
        shot(others=(target(),) * 10)


@pytest.mark.parametrize(
    ("look", "words"),
    [
        (lambda x: x.declared, "came after the numbers were settled"),
        (lambda x: x.weapon_used, "looks at the weapon before it is chosen"),
        (lambda x: x.numbers, "looks at target numbers before they are settled"),
    ],
)
def test_facts_that_are_not_there_are_a_fault_of_the_rules(look: Any, words: str) -> None:
    with pytest.raises(RulesError, match=words):
        look(Exchange(Rulings()))


def test_ep79_a_single_use_weapon_is_empty_after_its_shot() -> None:
    tube = pistol(modes=("single",), rounds=1, traits=("single_use",))
    assert play(game(shot(weapon=tube)), 99).rounds == 0


# -- armor that lets nobody move -------------------------------------------------------------

HEAVY = (Armor(energy=20, kinetic=20), Armor(energy=4, kinetic=16))


@pytest.mark.parametrize(("durability", "moves"), [(36, True), (35, False)])
def test_ep117_armor_in_layers_above_durability_stops_all_movement(
    durability: int, moves: bool
) -> None:
    worn = shooter(pieces=HEAVY, durability=durability)
    assert attack_tn(shot(attacker=worn)) == 30  # two layers, and heavier than SOM
    if moves:
        assert attack_tn(shot(attacker=worn, movement="base")) == 30
        return
    with pytest.raises(SetupError, match="can't move: armor 24/36 in layers exceeds durability 35"):
        ready(shot(attacker=worn, movement="base"))


def test_ep117_one_layer_lets_everybody_move() -> None:
    worn = shooter(pieces=(Armor(kinetic=90),), durability=35)
    assert attack_tn(shot(attacker=worn, movement="full")) == 50


# -- tests that traits call for --------------------------------------------------------------


def called(weapon: Weapon, who: Combatant, *faces: int, **changes: Any) -> dict[str, int]:
    done = struck(game(shot(weapon=weapon, defender=who), **changes), *faces)
    return dict(zip(done.calls, done.needs, strict=True))


DAZZLER = pistol(d10=0, traits=("blinding", "entangling", "pain", "shock", "stun"))


def test_ep61_each_test_has_its_number() -> None:
    """REF 45, WIL 45, SOM 60; energy armor 4 against shock, kinetic 9 against stun."""
    who = target(kinetic=9, energy=4)
    assert called(DAZZLER, who, 20, 98) == {
        "blinding": 45, "entangling": 45, "pain": 45, "shock": 64, "stun": 69,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("size", "shock", "stun"),
    [("very_small", 30, 30), ("small", 50, 30), ("large", 70, 90), ("very_large", 90, 90)],
)
def test_ep107_size_counts_against_shock_and_stun(size: Any, shock: int, stun: int) -> None:
    found = called(DAZZLER, target(size=size), 20, 98)
    assert (found["shock"], found["stun"]) == (shock, stun)


def test_ep61_new_wounds_old_ones_and_traumas_count() -> None:
    """7 points: one wound beside one old one and a trauma, -30; the check to stand comes after."""
    stunner = replace(DAZZLER, flat=7)
    found = called(stunner, victim(wounds=1, traumas=1), 20, 98, 0)
    assert found == {"blinding": 15, "entangling": 15, "pain": 15, "shock": 30, "stun": 30}


def test_ep61_superior_successes_hold_faster() -> None:
    assert called(DAZZLER, target(), 34, 98)["entangling"] == 35
    assert called(DAZZLER, target(), 67, 98)["entangling"] == 25


def test_ep61_low_pain_tolerance_counts_against_pain_shock_and_stun() -> None:
    found = called(DAZZLER, target(qualities=("low_pain_tolerance",)), 20, 98)
    assert found == {"blinding": 45, "entangling": 45, "pain": 15, "shock": 30, "stun": 30}


def test_ep8_their_modifiers_stay_within_60() -> None:
    assert called(DAZZLER, target(energy=70, size="large"), 20, 98)["shock"] == 120


def test_ep61_objects_are_tested_for_nothing() -> None:
    crate = Combatant(name="crate", body="object", durability=60)
    assert called(DAZZLER, crate, 20) == {}


def test_ep61_the_log_tells_the_numbers() -> None:
    ended = answered(game(shot(weapon=pistol(d10=0, traits=("stun",)))), 20, 98)
    assert "Further tests: stun: SOM check against 60." in [entry.says for entry in ended.log][-1]


# -- a weapon that lands somewhere -----------------------------------------------------------

AIMED = shot(attacker=shooter(guns=90), defender=target(kinetic=10))


def test_ep100_a_lost_weapon_lands_a_d10_of_metres_away() -> None:
    opened = game(AIMED, choose_called_shot="disarm")
    session = answered(opened, 40, 98, (8, 9), 31)
    assert (str(question(session).dice), question(session).ask) == ("1d10", "meters")
    assert [play(opened, 40, 98, 8, 9, 31, meters).lands_m for meters in (1, 10)] == [1, 10]
    lost = chance(opened, "disarmed")
    assert [chance(opened, "lands_m", meters) for meters in (1, 7, 10)] == [lost / 10] * 3
    assert chance(opened, "lands_m", 0) == 1 - lost


def test_ep100_a_weapon_that_is_kept_lands_nowhere() -> None:
    opened = game(AIMED, None, "choose_effect", choose_called_shot="disarm")
    ended = play(opened, 70, 98, 8, 9, options=("keep",))
    assert (ended.final.disarmed, ended.lands_m) == (True, 0)


@pytest.mark.parametrize("faces", [(99,), (20, 98, 1, 1)])
def test_ep100_who_is_missed_or_just_hit_keeps_the_weapon(faces: tuple[int, ...]) -> None:
    assert not struck(game(shot()), *faces).disarmed
    assert not struck(game(shot(), choose_called_shot="disarm"), *faces).disarmed


# -- one Threat pool for a group -------------------------------------------------------------


def pack(threat: int, **changes: Any) -> tuple[Combatant, Combatant]:
    first, second = (
        victim(name=name, threat=threat, threat_group="dogs", **changes) for name in ("rex", "fido")
    )
    return first, second


def test_ep24_a_point_that_one_spends_the_other_has_not() -> None:
    first, second = pack(1)
    setup = shot(defender=first, others=(second,))
    session = Session(game(setup, None, "spend_before_defence", choose_mode="burst"))
    assert (question(session).actor, offered(session)) == ("defender", ["none", "plus20"])
    assert question(session.answer("none")).actor == "defender 2"
    assert question(session.answer("plus20")).ask == "attack roll"


def test_ep24_two_points_serve_two() -> None:
    first, second = pack(2)
    spread = game(shot(defender=first, others=(second,)), None, "spend_before_defence",
                  choose_mode="burst")  # fmt: skip
    session = Session(spread).answer("plus20")
    assert question(session).actor == "defender 2"
    ended = play(spread, 99, options=("plus20", "plus20"))
    assert [done.pools for done in ended.done] == [(), ()]
    ended = play(spread, 99, options=("plus20", "none"))
    assert [done.pools for done in ended.done] == [(("threat", 1),)] * 2


def test_ep24_points_on_checks_come_out_of_the_same_pool() -> None:
    first, second = pack(2, flex=1)
    gun = pistol(d10=0, flat=7)
    spread = game(shot(weapon=gun, defender=first, others=(second,)), None, "call_for_check",
                  choose_mode="burst")  # fmt: skip
    ended = play(spread, 20, 98, 98, 0, 0, options=("plus20", "plus20"))
    assert [done.pools for done in ended.done] == [(("flex", 1),)] * 2
    ended = play(spread, 20, 98, 98, 0, 0, options=("none", "plus20"))
    assert [done.pools for done in ended.done] == [(("threat", 1), ("flex", 1))] * 2


def test_ep24_without_a_group_each_has_its_own() -> None:
    first, second = (replace(dog, threat_group="") for dog in pack(1))
    spread = game(shot(defender=first, others=(second,)), None, "spend_before_defence",
                  choose_mode="burst")  # fmt: skip
    assert question(Session(spread).answer("plus20")).actor == "defender 2"


def test_ep24_a_group_says_the_same_of_its_pool() -> None:
    first, second = pack(2)
    with pytest.raises(SetupError, match="'fido' shares the Threat pool 'dogs' and has 1 points"):
        shot(defender=first, others=(replace(second, threat=1),))
    attacked = shot(defender=first, attacker=replace(second, guns=70))
    with pytest.raises(SetupError, match="attacker and target share the Threat pool 'dogs'"):
        game(attacked)


# -- from an outcome to the next setup -------------------------------------------------------


def fields(x: Exchange) -> dict[str, Any]:
    return {field.name: field.of(x) for field in FIELDS}


def test_ep64_all_that_an_attack_leaves_behind_can_be_asked() -> None:
    """An aggressive blow for 8: one wound, a Flex point on each side, the check failed."""
    setup = blow(attacker=shooter(flex=2), defender=victim(flex=2, vigor=1, damage=3, wounds=1),
                 weapon=blade(d10=0, flat=8))  # fmt: skip
    opened = game(setup, None, "spend_before_attack", "call_for_check", choose_style="hit")
    seen = fields(play(opened, 20, 98, 99, options=("plus20", "plus20-flex")))
    left = {name: seen[name] for name in ("total", "all_wounds", "prone", "exposed")}
    assert left == {"total": 11, "all_wounds": 2, "prone": True, "exposed": True}
    assert seen["attacker_pools"] == (("flex", 1),)
    assert seen["target_pools"] == (("vigor", 1), ("flex", 1))
    assert fields(play(game(shot()), 99))["exposed"] is False


def test_ep18_pools_that_are_left_have_exact_chances() -> None:
    spender = shot(attacker=shooter(flex=1), defender=victim(threat=1))
    held = {**QUIET, "spend_before_attack": ("plus20",), "call_for_check": ("plus20", "none")}
    opened = game(spender)._replace(settled=held)
    assert chance(opened, "attacker_pools", ()) == 1
    kept = chance(opened, "target_pools", (("threat", 1),))
    assert kept == chance(opened, "spent_on_checks", 0)
    assert 0 < kept < 1
    assert isinstance(play(opened, 99).final, Struck)


@pytest.mark.parametrize(("reading", "tn"), [("after", 10), ("before", 20)])
def test_ep46_layers_of_armor_count_once_against_half_fray(reading: str, tn: int) -> None:
    """Fray 60 in two layers: 30 - 20, or half of 40."""
    worn = target(pieces=(Armor(name="vest", kinetic=3), Armor(name="coat", kinetic=2)))
    assert defence_tn(shot(defender=worn), {"halved_modifiers": reading}) == tn


def test_ep18_a_defender_spends_one_point_a_test() -> None:
    """A point before the roll: none after it; none before: one after."""
    rich = game(shot(defender=victim(vigor=2)), None, "spend_before_defence", "spend_after_defence")
    spent = answered(rich, "plus20", 60)
    assert question(spent).ask == "defense roll"
    assert question(spent.answer((98,))).ask == "damage"
    for face in (98, 12):  # superior successes are nothing to a defense: no upgrade
        assert offered(answered(rich, "none", 60, face)) == ["none", "flip"]


@pytest.mark.parametrize(("reading", "tn"), [("outside", 20), ("inside", 10)])
def test_ep19_a_point_on_a_check_and_the_limit_of_60(reading: str, tn: int) -> None:
    """SOM 60 and seven wounds: 0 with the limit; 20 more on top, or 60 - 70 + 20."""
    wounded = victim(wounds=6, vigor=1)
    hit = game(shot(weapon=pistol(d10=0, flat=7), defender=wounded), {"pool_cap": reading},
               "call_for_check")  # fmt: skip
    for face, prone in ((tn, False), (tn + 1, True)):
        assert play(hit, 20, 98, face, options=("plus20",)).final.prone is prone


def test_ep18_a_check_takes_one_point() -> None:
    """SOM 60, one wound: 70 with a point before the roll; 98 fails, and nothing flips it."""
    setup = shot(weapon=pistol(d10=0, flat=7), defender=victim(vigor=2))
    opened = game(setup, None, "call_for_check", "spend_on_check")
    spent = answered(opened, 20, 98, "plus20", 97)
    assert spent.question is None
    assert fields(facts_of(spent))["prone"] is True
    asked = answered(opened, 20, 98, "none", 97)
    assert offered(asked) == ["none", "flip"]


def test_ep83_rounds_may_add_a_d10() -> None:
    extra = shot(ammo=Ammo(name="heavy", d10=1))
    assert str(question(answered(game(extra), 20, 98)).dice) == "3d10"
    soft = shot(ammo=Ammo(name="heavy", d10=1, biomorphs_only=True), defender=target(body="bot"))
    assert str(question(answered(game(soft), 20, 98)).dice) == "2d10"


def test_ep96_two_hands_on_a_two_handed_weapon_cost_nothing() -> None:
    rifle = pistol(traits=("two_handed",))
    assert attack_tn(shot(weapon=rifle)) == 70
    assert attack_tn(shot(weapon=rifle, one_handed=True)) == 50
