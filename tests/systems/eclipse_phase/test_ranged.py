"""Shooting: modes, rounds, range, aim, suppression, ammunition."""

from math import ceil

import pytest

from affray.engine.exchange.session import Session
from affray.systems.eclipse_phase.gear import Ammo, Weapon
from affray.systems.eclipse_phase.sheet import Setup

from .factory import (
    attack_tn,
    blow,
    chance,
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
)

GRENADE = Weapon(name="grenade", form="thrown", skill="athletics", d10=3)


def dice(setup: Setup, **settled: str) -> str:
    """The damage dice of a plain hit, in table notation."""
    session = Session(game(setup, **settled)).answer((20,)).answer((98,))
    asked = question(session)
    assert asked.ask == "damage"
    return str(asked.dice)


# -- modes and rounds ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "fire", "used"),
    [
        ("single", "", 1), ("semi", "", 1), ("burst", "hit", 3), ("burst", "damage", 3),
        ("auto", "hit", 10), ("auto", "damage", 10), ("auto", "suppress", 20),
    ],
)  # fmt: skip
def test_ep68_each_mode_uses_its_rounds(mode: str, fire: str, used: int) -> None:
    settled = {"choose_mode": mode} | ({"choose_fire": fire} if fire else {})
    assert ready(shot(), None, **settled).rounds == 30 - used


@pytest.mark.parametrize(
    ("rounds", "modes"),
    [
        (1, ["single", "semi"]), (2, ["single", "semi"]), (3, ["single", "semi", "burst"]),
        (9, ["single", "semi", "burst"]), (10, ["single", "semi", "burst", "auto"]),
    ],
)  # fmt: skip
def test_ep79_a_mode_needs_all_its_rounds(rounds: int, modes: list[str]) -> None:
    session = Session(game(shot(weapon=pistol(rounds=rounds)), None, "choose_mode"))
    assert offered(session) == modes


@pytest.mark.parametrize(
    ("rounds", "options"),
    [(19, ["hit", "damage"]), (20, ["hit", "damage", "suppress"])],
)
def test_ep79_suppression_needs_20(rounds: int, options: list[str]) -> None:
    session = Session(
        game(shot(weapon=pistol(rounds=rounds)), None, "choose_fire", choose_mode="auto")
    )
    assert offered(session) == options


@pytest.mark.parametrize(("mode", "rounds"), [("semi", 1), ("burst", 3), ("auto", 10)])
def test_ep79_the_last_rounds_may_be_fired(mode: str, rounds: int) -> None:
    assert ready(shot(weapon=pistol(rounds=rounds)), choose_mode=mode).rounds == 0


def test_ep79_rounds_are_gone_on_a_miss_too() -> None:
    assert play(game(shot(), choose_mode="burst", choose_fire="hit"), 99).rounds == 27


def test_ep69_a_burst_for_accuracy_or_for_damage() -> None:
    assert attack_tn(shot(), choose_mode="burst", choose_fire="hit") == 80
    assert dice(shot(), choose_mode="burst", choose_fire="hit") == "2d10"
    assert attack_tn(shot(), choose_mode="burst", choose_fire="damage") == 70
    assert dice(shot(), choose_mode="burst", choose_fire="damage") == "3d10"


def test_ep69_or_two_targets_with_plain_damage() -> None:
    setup = shot(others=(target(name="second"),))
    session = Session(game(setup, None, "choose_fire", choose_mode="burst"))
    assert question(session).ask == "attack roll"  # spread is all there is
    assert attack_tn(setup, choose_mode="burst", choose_fire="spread") == 70
    assert dice_for_two(setup, choose_mode="burst", choose_fire="spread") == "2d10"


def dice_for_two(setup: Setup, **settled: str) -> str:
    session = Session(game(setup, **settled)).answer((20,)).answer((98,)).answer((98,))
    return str(question(session).dice)


def test_ep70_automatic_fire_for_accuracy_or_for_damage() -> None:
    assert attack_tn(shot(), choose_mode="auto", choose_fire="hit") == 100
    assert dice(shot(), choose_mode="auto", choose_fire="hit") == "2d10"
    assert attack_tn(shot(), choose_mode="auto", choose_fire="damage") == 70
    assert dice(shot(), choose_mode="auto", choose_fire="damage") == "4d10"


@pytest.mark.parametrize("n_others", [1, 2])
def test_ep70_or_three_targets_with_plain_damage(n_others: int) -> None:
    setup = shot(others=(target(name="other"),) * n_others)
    seen = ready(setup, choose_mode="auto", choose_fire="spread")
    assert (seen.numbers.tn, seen.numbers.d10, len(seen.targets)) == (70, 0, n_others + 1)


def test_ep71_a_burst_at_two_and_automatic_fire_at_three() -> None:
    two, three = (target(),), (target(), target())
    assert offered_modes(shot(others=two)) == ["burst", "auto"]
    assert offered_modes(shot(weapon=pistol(rounds=19), others=three)) == ["auto"]


def offered_modes(setup: Setup) -> list[str]:
    session = Session(game(setup, None, "choose_mode"))
    if question(session).dice is not None:
        return ["auto"]
    return offered(session)


# -- suppression -----------------------------------------------------------------------------

SUPPRESS = {"choose_mode": "auto", "choose_fire": "suppress"}


def test_ep72_only_range_and_wounds_modify_suppression() -> None:
    busy = shot(
        attacker=shooter(wounds=1, specialized=("guns",)), distance_m=30, cover="major",
        vision="major", superior="attacker", smartlink=False, movement="full", hidden=True,
        attacker_modifier=20, defender=target(size="small"),
    )  # fmt: skip
    assert attack_tn(busy, None, **SUPPRESS) == 50


def test_ep72_those_in_the_cone_defend_as_usual() -> None:
    setup = shot(others=(target(),) * 5)
    seen = ready(setup, None, **SUPPRESS)
    assert [who.tn for who in seen.targets] == [30] * 6
    assert seen.rounds == 10


def test_ep72_it_does_the_damage_of_a_single_shot() -> None:
    assert dice(shot(), **SUPPRESS) == "2d10"


def test_ep72_it_lasts_until_the_next_action() -> None:
    assert ready(shot(), None, **SUPPRESS).suppresses == "next_action"
    assert ready(shot(), choose_mode="auto", choose_fire="hit").suppresses == ""


# -- aim -------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["single", "semi"])
@pytest.mark.parametrize(("aim", "tn"), [("none", 70), ("quick", 80), ("complex", 100)])
def test_ep73_aiming(mode: str, aim: str, tn: int) -> None:
    assert attack_tn(shot(aim=aim), choose_mode=mode) == tn


@pytest.mark.parametrize("aim", ["quick", "complex"])
def test_ep73_no_aim_before_bursts(aim: str) -> None:
    assert offered_modes(shot(aim=aim)) == ["single", "semi"]


# -- range -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("distance", "modifier"),
    [
        (0, 10), (2, 10), (2.01, 0), (10, 0), (10.1, -10), (50, -10), (50.1, -20), (100, -20),
        (100.1, -30), (150, -30), (151, -40), (200, -40), (250, -50), (251, -60), (400, -60),
    ],
)  # fmt: skip
def test_ep74_range_bands(distance: float, modifier: int) -> None:
    assert attack_tn(shot(distance_m=distance)) == 70 + modifier


@pytest.mark.parametrize(("distance", "modifier"), [(1, 0), (2, 0), (5, 0), (11, -10)])
def test_ep74_a_long_weapon_has_no_point_blank(distance: float, modifier: int) -> None:
    setup = shot(weapon=pistol(traits=("long",)), distance_m=distance)
    assert attack_tn(setup) == 70 + modifier


@pytest.mark.parametrize(
    ("distance", "modifier"), [(5, 0), (8, 0), (10, 0), (11, -30), (15, -30), (16, -40)]
)
def test_ep74_close_comes_before_a_short_rating(distance: float, modifier: int) -> None:
    assert attack_tn(shot(weapon=pistol(range_m=5), distance_m=distance)) == 70 + modifier


@pytest.mark.parametrize(
    ("form", "traits", "distance", "vacuum", "rolled"),
    [
        ("kinetic", (), 50, False, "2d10"), ("kinetic", (), 51, False, "1d10"),
        ("kinetic", (), 500, False, "1d10"), ("kinetic", (), 51, True, "2d10"),
        ("railgun", (), 51, False, "1d10"), ("beam", (), 51, False, "2d10"),
        ("spray", ("cone",), 51, False, "1d10"), ("seeker", (), 51, False, "2d10"),
        ("kinetic", ("steady",), 51, False, "2d10"),
    ],
)  # fmt: skip
def test_ep75_beyond_range_bullets_lose_a_die(
    form: str, traits: tuple[str, ...], distance: float, vacuum: bool, rolled: str
) -> None:
    able = shooter(guns=98)
    setup = shot(weapon=pistol(form=form, traits=traits), distance_m=distance, vacuum=vacuum,
                 attacker=able)  # fmt: skip
    assert dice(setup) == rolled


@pytest.mark.parametrize(
    ("distance", "rolled"), [(2, "3d10"), (10, "3d10"), (11, "2d10"), (50, "2d10"), (51, "1d10")]
)
def test_ep102_a_cone_does_more_near_and_less_beyond(distance: float, rolled: str) -> None:
    spray = pistol(form="spray", traits=("cone",))
    assert dice(shot(weapon=spray, distance_m=distance)) == rolled
    assert dice(shot(weapon=pistol(form="spray"), distance_m=min(distance, 50))) == "2d10"


def test_ep75_a_burst_makes_up_for_it() -> None:
    assert dice(shot(distance_m=51), choose_mode="burst", choose_fire="damage") == "2d10"


@pytest.mark.parametrize(("distance", "modifier"), [(1, 10), (5, 0), (50, 0), (500, 0)])
def test_ep75_a_steady_weapon_knows_no_range_penalty(distance: float, modifier: int) -> None:
    setup = shot(weapon=pistol(traits=("steady",)), distance_m=distance)
    assert attack_tn(setup) == 70 + modifier


@pytest.mark.parametrize(
    ("form", "gravity", "distance", "modifier"),
    [
        ("kinetic", 0.5, 100, -10), ("kinetic", 0.5, 101, -20), ("kinetic", 2, 25, -10),
        ("kinetic", 2, 26, -20), ("railgun", 2, 26, -20), ("spray", 2, 26, -20),
        ("seeker", 2, 26, -20), ("beam", 2, 50, -10), ("beam", 2, 51, -20),
        ("beam", 0.5, 51, -20), ("kinetic", 0, 10_000, -10), ("beam", 0, 51, -20),
    ],
)  # fmt: skip
def test_ep76_gravity_stretches_range_but_not_beams(
    form: str, gravity: float, distance: float, modifier: int
) -> None:
    setup = shot(weapon=pistol(form=form), gravity=gravity, distance_m=distance)
    assert attack_tn(setup) == 70 + modifier


@pytest.mark.parametrize(("form", "modifier"), [("beam", -10), ("kinetic", -60)])
def test_ep76_in_a_vacuum_beams_reach_as_far_as_one_sees(form: str, modifier: int) -> None:
    setup = shot(weapon=pistol(form=form), vacuum=True, distance_m=5000)
    assert attack_tn(setup) == 70 + modifier


@pytest.mark.parametrize("hundredths", [7, 14, 35, 38, 70, 110, 140, 280])
@pytest.mark.parametrize("rating", [15, 35, 50, 75, 100])
def test_ep76_the_border_is_met_exactly_in_any_gravity(hundredths: int, rating: int) -> None:
    """Wherever whole meters hit a multiple of the rating; worked out in whole numbers."""
    for multiple in (1, 2, 3):
        meters, rest = divmod(100 * rating * multiple, hundredths)
        if not rest and meters > 10:
            setup = shot(weapon=pistol(range_m=rating), gravity=hundredths / 100,
                         distance_m=meters)  # fmt: skip
            assert attack_tn(setup) == 70 - 10 * multiple


@pytest.mark.parametrize(
    ("form", "painted", "modifier"),
    [("kinetic", False, -20), ("seeker", False, -20), ("seeker", True, 0), ("kinetic", True, -20)],
)
def test_ep78_indirect_fire_and_spotters(form: str, painted: bool, modifier: int) -> None:
    setup = shot(weapon=pistol(form=form), indirect=True, painted=painted)
    assert attack_tn(setup) == 70 + modifier


@pytest.mark.parametrize("earlier", [0, 1, 2, 3])
def test_ep90_each_further_weapon_is_20_harder(earlier: int) -> None:
    assert attack_tn(shot(earlier_attacks=earlier)) == 70 - 20 * earlier


@pytest.mark.parametrize(
    ("distance", "traits"), [(2, ("no_point_blank",)), (10, ("no_close",)), (2, ("no_close",))]
)
def test_ep74_seekers_need_room(distance: float, traits: tuple[str, ...]) -> None:
    far = shot(weapon=pistol(form="seeker", traits=traits), distance_m=10.1)
    assert attack_tn(far) == 60
    with pytest.raises(ValueError, match="distance_m"):
        ready(shot(weapon=pistol(form="seeker", traits=traits), distance_m=distance))


# -- ammunition ------------------------------------------------------------------------------


def test_ep82_a_railgun_pierces_and_weakens_beyond_its_range() -> None:
    rail = pistol(form="railgun", traits=("armor_piercing",))
    assert ready(shot(weapon=rail, defender=target(kinetic=9))).targets[0].av == 5
    assert dice(shot(weapon=rail, distance_m=51)) == "1d10"


def test_ep82_a_railgun_takes_its_own_rounds() -> None:
    rail = pistol(form="railgun", traits=("armor_piercing",))
    with pytest.raises(ValueError, match=r"biter.*only firearms"):
        ready(shot(weapon=rail, ammo=Ammo(name="biter", d6=1)))
    assert attack_tn(shot(weapon=rail, ammo=Ammo(name="railgun"))) == 70


AMMO = {
    "standard": (Ammo(), "2d10", 10),
    "armor-piercing": (Ammo(name="ap", d10=-1, traits=("armor_piercing",)), "1d10", 5),
    "biter": (Ammo(name="biter", d6=1), "2d10+1d6", 10),
    "hollow-point": (Ammo(name="hp", d6=1, biomorphs_only=True), "2d10+1d6", 10),
    "reactive": (Ammo(name="rap", traits=("armor_piercing",)), "2d10", 5),
}


@pytest.mark.parametrize("kind", AMMO)
def test_ep83_ammunition_changes_dice_and_armor(kind: str) -> None:
    ammo, rolled, av = AMMO[kind]
    setup = shot(ammo=ammo, defender=target(kinetic=10))
    assert dice(setup) == rolled
    assert ready(setup).targets[0].av == av


@pytest.mark.parametrize(
    ("body", "rolled"),
    [("biomorph", "2d10+1d6"), ("pod", "2d10+1d6"), ("uplift", "2d10+1d6"),
     ("synthmorph", "2d10"), ("bot", "2d10")],
)  # fmt: skip
def test_ep83_some_rounds_work_on_the_living_only(body: str, rolled: str) -> None:
    _, hollow = AMMO["standard"][0], AMMO["hollow-point"][0]
    assert dice(shot(ammo=hollow, defender=target(body=body))) == rolled


def test_ep83_half_damage_rounds_up() -> None:
    done = struck(game(shot(ammo=Ammo(name="plastic", half=True, traits=("stun",)))), 20, 98, 4, 5)
    assert (done.dv, done.calls) == (5, ("stun",))


def test_ep83_half_rounds_that_hit_critically_do_what_the_weapon_does() -> None:
    """Twice and half of 4 and 5; the 4 of the burst are not the weapon's own, and count once."""
    own = {"critical_doubles": "weapon", "half_ammo": "weapon"}
    burst = {"choose_mode": "burst", "choose_fire": "damage"}
    assert struck(game(shot(ammo=Ammo(half=True)), own, **burst), 44, 98, 4, 5, 4).dv == 9 + 4


def test_ep83_some_rounds_do_no_damage() -> None:
    done = struck(game(shot(ammo=Ammo(name="jammer", no_damage=True))), 20, 98)
    assert (done.hit, done.dv, done.net) == (True, 0, 0)


def test_ep83_thrown_weapons_reach_as_far_as_som() -> None:
    strong = shooter(som=25)
    for meters, modifier in ((2, 10), (10, 0), (25, -10), (26, -20), (50, -20), (51, -30)):
        setup = shot(weapon=GRENADE, attacker=strong, distance_m=meters)
        assert attack_tn(setup) == 70 + modifier
        if meters > 10:
            assert modifier == (-10 if meters <= 25 else -10 * ceil(meters / 25))


@pytest.mark.parametrize(("gravity", "meters"), [(0.5, 50), (2, 12.5), (1, 25)])
def test_ep83_in_any_gravity(gravity: float, meters: float) -> None:
    setup = shot(weapon=GRENADE, attacker=shooter(som=25), gravity=gravity, distance_m=meters)
    assert attack_tn(setup) == 60


def test_ep61_steady_rounds_make_a_steady_weapon() -> None:
    accushot = Ammo(name="accushot", traits=("steady",))
    assert attack_tn(shot(ammo=accushot, distance_m=200)) == 70


def test_ep68_a_blade_fires_nothing() -> None:
    assert ready(blow()).rounds == 0
    assert chance(game(blow()), "rounds", 0) == 1


@pytest.mark.parametrize(("n", "suppresses"), [(2, ""), (3, "next_action")])
def test_ep71_more_than_three_targets_can_only_be_suppressed(n: int, suppresses: str) -> None:
    """Automatic fire is spread over three at most, if the shooter would rather do that."""
    setup = shot(others=(target(),) * n)
    assert ready(setup, choose_mode="auto").suppresses == suppresses


@pytest.mark.parametrize(("rounds", "left"), [(1, (0, 0, 0)), (3, (2, 0, 0)), (12, (11, 9, 2))])
def test_ep79_a_short_magazine_fires_the_highest_mode_it_can(
    rounds: int, left: tuple[int, ...]
) -> None:
    gun = shot(weapon=pistol(rounds=rounds, modes=("semi", "burst", "auto")))
    ruled = {"short_magazine": "lower"}
    modes = ("semi", "burst", "auto")
    assert tuple(ready(gun, ruled, choose_mode=mode).rounds for mode in modes) == left
