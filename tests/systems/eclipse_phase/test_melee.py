"""Close combat: aggression, charges, reach, touch, several weapons, size, called and blind."""

import pytest

from affray.core.errors import AnswerError, SetupError
from affray.engine.exchange.session import Session
from affray.systems.eclipse_phase.gear import Weapon
from affray.systems.eclipse_phase.sheet import Combatant, Setup

from .factory import (
    answered,
    attack_tn,
    blade,
    blow,
    chance,
    defence_tn,
    game,
    offered,
    pistol,
    play,
    question,
    shooter,
    shot,
    struck,
    target,
    victim,
)

FIST = Weapon(name="fist", form="melee", skill="melee", unarmed=True)
GLOVE = Weapon(name="glove", form="melee", skill="melee", unarmed=True, flat=2)
TOUCH = blade(name="baton", traits=("touch_only", "shock"))


def dice(setup: Setup, **settled: str) -> str:
    session = Session(game(setup, **settled)).answer((20,)).answer((98,))
    assert question(session).ask == "damage"
    return str(question(session).dice)


def test_ep84_aggressive_for_accuracy_or_for_damage_never_both() -> None:
    session = Session(game(blow(), None, "choose_style"))
    assert offered(session) == ["plain", "hit", "damage"]
    assert (attack_tn(blow(), choose_style="hit"), dice(blow(), choose_style="hit")) == (80, "2d10")
    assert attack_tn(blow(), choose_style="damage") == 70
    assert dice(blow(), choose_style="damage") == "3d10"


@pytest.mark.parametrize(("before", "tn"), [(True, 50), (False, 60)])
def test_ep84_who_was_aggressive_dodges_worse(before: bool, tn: int) -> None:
    assert defence_tn(blow(defender=target(was_aggressive=before))) == tn


def test_ep84_shots_are_not_aggressive() -> None:
    session = Session(game(shot(), None, "choose_style"))
    assert question(session).ask == "attack roll"


def test_ep85_a_charge_hits_harder_and_worse() -> None:
    charging = blow(movement="charge")
    assert (attack_tn(charging), dice(charging)) == (60, "2d10+1d6")
    assert dice(blow(movement="full")) == "2d10"


def test_ep86_reach_counts_on_attack_and_on_defence() -> None:
    spear, staff = blade(reach=20), blade(reach=10)
    assert (attack_tn(blow(weapon=spear)), defence_tn(blow(weapon=spear))) == (90, 60)
    armed = target(weapons=(staff,))
    assert (attack_tn(blow(defender=armed)), defence_tn(blow(defender=armed))) == (70, 70)
    assert attack_tn(blow(weapon=spear, defender=armed)) == 90


def test_ep86_a_gun_in_the_hand_has_no_reach() -> None:
    assert defence_tn(blow(defender=target(weapons=(pistol(),)))) == 60
    with pytest.raises(SetupError, match="a kinetic weapon has no reach; leave 'reach' out"):
        pistol(reach=20)


def test_ep87_a_touch_is_enough() -> None:
    touched = struck(game(blow(weapon=TOUCH), choose_touch="touch"), 90, 98)
    assert (touched.hit, touched.dv, touched.calls) == (True, 0, ("shock",))


def test_ep87_it_may_be_forgone_for_damage() -> None:
    session = Session(game(blow(weapon=TOUCH), None, "choose_touch"))
    assert offered(session) == ["touch", "strike"]
    hit = struck(game(blow(weapon=TOUCH), choose_touch="strike"), 20, 98, 3, 4)
    assert (hit.dv, hit.calls) == (7, ("shock",))
    assert not struck(game(blow(weapon=TOUCH), choose_touch="strike"), 90).hit


def test_ep87_other_weapons_do_not_touch() -> None:
    assert question(Session(game(blow(), None, "choose_touch"))).ask == "attack roll"


@pytest.mark.parametrize(("extra", "rolled"), [(0, "2d10"), (1, "2d10+1d6"), (2, "2d10+2d6"),
                                               (3, "2d10+3d6"), (4, "2d10+3d6")])  # fmt: skip
def test_ep89_each_extra_weapon_a_d6_up_to_three(extra: int, rolled: str) -> None:
    assert dice(blow(extra_weapons=extra)) == rolled


@pytest.mark.parametrize(("extra", "tn"), [(0, 50), (1, 60), (2, 70), (3, 80), (4, 80)])
def test_ep89_and_10_on_any_defence_in_melee_up_to_30(extra: int, tn: int) -> None:
    armed = target(extra_weapons=extra)
    assert defence_tn(blow(defender=armed), choose_defence="melee") == tn
    assert defence_tn(blow(defender=armed), choose_defence="fray") == tn + 10
    assert defence_tn(shot(defender=armed)) == 30


@pytest.mark.parametrize(
    ("size", "rolled", "dv"),
    [
        ("very_small", "2d10", 1), ("small", "2d10", 5), ("medium", "2d10", 9),
        ("large", "3d10", 10), ("very_large", "4d10", 11),
    ],
)  # fmt: skip
def test_ep94_size_and_melee_damage(size: str, rolled: str, dv: int) -> None:
    setup = blow(attacker=shooter(size=size), defender=target(size=size))
    assert dice(setup) == rolled
    extra = (1,) * (int(rolled[0]) - 2)
    assert struck(game(setup), 20, 98, 4, 5, *extra).dv == dv


@pytest.mark.parametrize("size", ["very_small", "small", "large", "very_large"])
def test_ep94_size_does_not_leak_into_shots(size: str) -> None:
    assert dice(shot(attacker=shooter(size=size))) == "2d10"
    assert struck(game(shot(attacker=shooter(size=size))), 20, 98, 4, 5).dv == 9


def test_ep94_ware_adds_to_melee_only() -> None:
    strong = shooter(melee_d6=1, melee_d10=1)
    assert dice(blow(attacker=strong)) == "3d10+1d6"
    assert dice(shot(attacker=strong)) == "2d10"


def test_ep95_without_a_weapon() -> None:
    assert dice(blow(weapon=FIST)) == "1d6"
    assert dice(blow(weapon=FIST, attacker=shooter(unarmed_d6=2))) == "2d6"
    assert struck(game(blow(weapon=GLOVE)), 20, 98, 4).dv == 6
    assert dice(blow(weapon=FIST, attacker=shooter(melee_d6=1))) == "2d6"


@pytest.mark.parametrize("size", ["large", "very_large"])
def test_ep96_the_large_need_no_second_hand(size: str) -> None:
    heavy = blade(traits=("two_handed",))
    same = target(size=size)
    one = blow(weapon=heavy, one_handed=True, attacker=shooter(size=size), defender=same)
    two = blow(weapon=heavy, one_handed=False, attacker=shooter(size=size), defender=same)
    assert attack_tn(one) == attack_tn(two)
    assert attack_tn(blow(weapon=heavy, one_handed=True)) == 50


def test_ep97_a_prone_foe_near_and_far() -> None:
    down = target(conditions=("prone",))
    assert attack_tn(blow(defender=down)) == 90
    assert attack_tn(shot(defender=down, distance_m=9)) == 70
    assert attack_tn(shot(defender=down, distance_m=10)) == 60


# -- called shots ----------------------------------------------------------------------------


def test_ep99_the_effect_replaces_a_superior_success() -> None:
    called = game(shot(defender=target(kinetic=10)), choose_called_shot="bypass")
    done = struck(called, 52, 80, 7, 8)
    assert (done.effect.name, done.superior, done.dv, done.net) == ("bypass", 1, 15, 10)


def test_ep99_without_one_it_is_a_plain_hit() -> None:
    called = game(shot(defender=target(kinetic=10)), choose_called_shot="bypass")
    done = struck(called, 21, 80, 7, 8)
    assert (done.effect.name, done.dv, done.net) == ("", 15, 5)


def test_ep99_a_miss_has_no_effect() -> None:
    assert struck(game(shot(), choose_called_shot="disarm"), 61).effect.name == ""


def test_ep99_a_critical_has_the_effect_and_doubles() -> None:
    called = game(shot(defender=target(kinetic=10)), choose_called_shot="bypass")
    done = struck(called, 55, 98, 3, 4)
    assert (done.effect.name, done.critical, done.dv, done.net) == ("bypass", True, 14, 9)


def test_ep99_what_spreads_cannot_be_called() -> None:
    setup = shot(others=(target(),))
    session = Session(game(setup, None, "choose_called_shot", choose_mode="burst"))
    assert question(session).ask == "attack roll"
    cone = shot(weapon=pistol(form="spray", traits=("cone",)))
    with pytest.raises(AnswerError, match="area"):
        attack_tn(cone, choose_called_shot="disarm")
    assert attack_tn(cone) == 70


AIMED = shot(attacker=shooter(guns=90), defender=target(kinetic=10, som=20, ref=20))


def test_ep100_bypass_halves_armor_and_a_second_success_adds_a_die() -> None:
    opened = game(AIMED, None, "choose_effect", choose_called_shot="bypass")
    done = struck(opened, 70, 98, 7, 8, 3)
    assert (done.effect.name, done.superior, done.dv, done.net) == ("bypass+damage", 2, 18, 13)


@pytest.mark.parametrize(("check", "lost"), [(30, False), (31, True)])
def test_ep100_disarm_halves_and_asks_for_som_at_minus_30(check: int, lost: bool) -> None:
    opened = game(AIMED, None, "choose_effect", choose_called_shot="disarm")
    ended = play(opened, 40, 98, 8, 9, check, *(7,) * lost)
    done = ended.final
    assert (done.dv, done.net, done.disarmed, ended.lands_m) == (9, 0, lost, 7 * lost)


@pytest.mark.parametrize(
    ("option", "dv", "passed", "failed"), [("harder", 9, 0, 1), ("damage", 17, 30, 31)]
)
def test_ep100_disarm_with_two_superior(option: str, dv: int, passed: int, failed: int) -> None:
    opened = game(AIMED, None, "choose_effect", choose_called_shot="disarm")
    # The first printing lets a shot take the weapon as well; later ones only melee.
    assert set(offered(answered(opened, 70, 98))) == {"harder", "damage", "keep"}
    for check, lost in ((passed, False), (failed, True)):
        ended = play(opened, 70, 98, 8, 9, check, *(10,) * lost, options=(option,))
        assert (ended.final.dv, ended.final.disarmed, ended.lands_m) == (dv, lost, 10 * lost)


def test_ep100_in_melee_the_weapon_may_be_kept() -> None:
    opened = game(blow(), None, "choose_effect", choose_called_shot="disarm",
                  choose_defence="none")  # fmt: skip
    strong = game(blow(attacker=shooter(melee=90)), None, "choose_effect",
                  choose_called_shot="disarm")  # fmt: skip
    assert question(answered(opened, 40)).ask == "damage"
    done = struck(strong, 70, 98, 8, 9, options=("keep",))
    assert (done.dv, done.disarmed) == (9, True)


def test_ep100_knockdown_instead_of_damage_or_with_it() -> None:
    opened = game(AIMED, None, "choose_effect", choose_called_shot="knockdown")
    done = struck(opened, 40, 98)
    assert (done.prone, done.dv) == (True, 0)
    done = struck(opened, 70, 98, 8, 9, options=("damage",))
    assert (done.prone, done.dv) == (True, 17)
    done = struck(opened, 70, 98, options=("none",))
    assert (done.prone, done.dv) == (True, 0)


@pytest.mark.parametrize(
    ("face", "options", "dice_", "passed", "failed"),
    [(40, (), (), 30, 31), (70, ("harder",), (), 0, 1), (70, ("damage",), (8, 9), 30, 31)],
)
def test_ep100_redirect_asks_for_ref(
    face: int, options: tuple[str, ...], dice_: tuple[int, ...], passed: int, failed: int
) -> None:
    opened = game(AIMED, None, "choose_effect", choose_called_shot="redirect")
    for check, sent in ((passed, False), (failed, True)):
        done = struck(opened, face, 98, *dice_, check, options=options)
        assert (done.redirected, done.dv) == (sent, sum(dice_))


def test_ep100_wounds_make_the_check_harder() -> None:
    hurt = shot(attacker=shooter(guns=90), defender=victim(wounds=1))
    opened = game(hurt, choose_called_shot="disarm")
    assert not struck(opened, 40, 98, 1, 1, 20).disarmed
    assert struck(opened, 40, 98, 1, 1, 21, 1).disarmed


def test_ep100_a_specific_target_is_told() -> None:
    opened = game(AIMED, choose_called_shot="specific")
    assert struck(opened, 40, 98, 1, 1).effect.name == "specific"


# -- blind -----------------------------------------------------------------------------------

DARK = shot(vision="blind")


def test_ep101_one_may_search_first() -> None:
    assert offered(Session(game(DARK, None, "search_target"))) == ["perceive", "shoot"]
    assert question(Session(game(shot(), None, "search_target"))).ask == "attack roll"


def test_ep101_found_there_is_only_the_minus_30() -> None:
    assert struck(game(DARK, search_target="perceive"), 50, 37, 98, 1, 1, 1).hit
    assert not struck(game(DARK, search_target="perceive"), 50, 41).hit


@pytest.mark.parametrize(("wide", "hit"), [(49, False), (50, True), (0, False), (99, True)])
def test_ep101_not_found_half_of_the_shots_go_wide(wide: int, hit: bool) -> None:
    more = (1, 1, 1) if hit else ()
    assert struck(game(DARK, search_target="perceive"), 51, 37, 98, wide, *more).hit is hit
    assert struck(game(DARK, search_target="shoot"), 37, 98, wide, *more).hit is hit


def test_ep101_a_miss_needs_no_second_roll() -> None:
    assert not struck(game(DARK), 41).hit


def test_ep101_perceive_defaults_to_twice_intuition() -> None:
    raw = Combatant(name="raw", guns=70, intuition=20)
    seen = game(shot(vision="blind", attacker=raw), search_target="perceive")
    sure = game(shot(vision="blind", attacker=shooter(perceive=40)), search_target="perceive")
    assert chance(seen, "hit") == chance(sure, "hit")


@pytest.mark.parametrize(
    ("changes", "tn"),
    [
        ({}, 50), ({"wounds": 2}, 30), ({"traumas": 1}, 40), ({"specialized": ("perceive",)}, 60),
        ({"wounds": 3, "ignore_wounds": 3}, 50),
    ],
)  # fmt: skip
def test_ep50_wounds_count_in_the_search_too(changes: dict[str, object], tn: int) -> None:
    looking = game(shot(vision="blind", attacker=shooter(**changes)), search_target="perceive")
    for face, found in ((tn, True), (tn + 1, False)):
        aim = answered(looking, face, 1, 98)
        assert (question(aim).ask == "damage") is found


def test_ep101_several_targets_each_may_be_missed() -> None:
    dark = shot(vision="blind", others=(target(name="second"),))
    spread = game(dark, choose_mode="burst", choose_fire="spread")
    ended = play(spread, 20, 98, 49, 98, 50, 1, 1)
    assert [done.hit for done in ended.done] == [False, True]
