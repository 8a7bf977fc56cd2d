"""Pool points: one for each test, before or after the roll, from a pool that fits."""

from dataclasses import replace

import pytest

from affray.core.errors import AnswerError
from affray.engine.exchange.session import Session
from affray.systems.eclipse_phase.gear import Weapon
from affray.systems.eclipse_phase.sheet import Combatant, Setup
from affray.systems.eclipse_phase.tables import POOLS_FOR

from .factory import (
    BLADE,
    PISTOL,
    answered,
    blow,
    facts_of,
    game,
    offered,
    play,
    question,
    ready,
    shooter,
    shot,
    struck,
    target,
    victim,
)

PSI = Weapon(name="stab", form="psi", skill="psi", d10=2, armor="mental")
MIND = {"insight", "threat", "flex"}
BODY = {"vigor", "threat", "flex"}
SOUL = {"moxie", "threat", "flex"}


@pytest.mark.parametrize(
    ("test", "pools"),
    [
        ("guns", BODY), ("melee", BODY), ("athletics", BODY), ("fray", BODY), ("som", BODY),
        ("ref", BODY), ("interface", MIND), ("demolitions", MIND), ("perceive", MIND),
        ("psi", SOUL), ("wil", SOUL),
    ],
)  # fmt: skip
def test_ep18_which_pools_serve_which_test(test: str, pools: set[str]) -> None:
    assert set(POOLS_FOR[test]) == pools


@pytest.mark.parametrize("pool", ["insight", "moxie", "vigor", "flex", "threat"])
@pytest.mark.parametrize(
    ("weapon", "fits"),
    [
        (PISTOL, BODY), (BLADE, BODY), (replace(PISTOL, skill="interface"), MIND), (PSI, SOUL),
    ],
)  # fmt: skip
def test_ep18_the_attacker_spends_from_a_fitting_pool_only(
    pool: str, weapon: Weapon, fits: set[str]
) -> None:
    setup = Setup(
        attacker=shooter(interface=70, **{pool: 1}),
        defender=target(),
        weapon=weapon,
        distance_m=2 if weapon.is_melee else 5,
    )
    session = Session(game(setup, None, "spend_before_attack"))
    if pool in fits:
        assert offered(session) == ["none", "plus20"]
    else:
        assert question(session).ask == "attack roll"


@pytest.mark.parametrize("pool", ["insight", "moxie", "vigor", "flex", "threat"])
def test_ep18_the_defender_spends_from_a_fitting_pool_only(pool: str) -> None:
    for weapon, fits in ((PISTOL, BODY), (PSI, SOUL)):
        setup = shot(weapon=weapon, defender=target(**{pool: 1}))
        session = Session(game(setup, None, "spend_before_defence"))
        if pool in fits:
            assert question(session).actor == "defender"
            assert offered(session) == ["none", "plus20"]
        else:
            assert question(session).ask == "attack roll"


def test_ep18_one_point_for_each_test() -> None:
    setup = shot(attacker=shooter(vigor=3))
    opened = game(setup, None, "spend_before_attack", "spend_after_attack")
    spent = answered(opened, "plus20", 96)
    assert spent.outcome is not None  # a failure, and no question about a second point
    kept = answered(opened, "none", 96)
    assert offered(kept) == ["none", "flip"]


def test_ep18_a_second_point_on_the_roll_is_refused() -> None:
    session = answered(
        game(shot(attacker=shooter(vigor=3)), None, "spend_after_attack"), 31, "upgrade"
    )
    assert question(session).ask == "defense roll"


def test_ep18_both_sides_may_spend_and_checks_are_tests_of_their_own() -> None:
    setup = shot(
        weapon=replace(PISTOL, d10=0, flat=7),
        attacker=shooter(vigor=1),
        defender=victim(vigor=2),
    )
    opened = game(setup, None, "spend_before_attack", "spend_before_defence", "call_for_check")
    session = answered(opened, "plus20", "plus20", 60, 98, 1)
    assert (question(session).actor, offered(session)) == ("defender", ["none", "plus20", "ignore"])


def test_ep18_an_empty_pool_asks_nothing() -> None:
    session = Session(game(shot(), None, "spend_before_attack", "spend_after_attack"))
    assert question(session).ask == "attack roll"


def test_ep18_the_last_point_is_spent_only_once() -> None:
    setup = shot(weapon=replace(PISTOL, d10=0, flat=7), defender=victim(vigor=1))
    opened = game(setup, None, "spend_before_defence", "call_for_check", "spend_on_check")
    session = answered(opened, "plus20", 60, 98, 1)
    assert question(session).ask == "SOM check"


def test_ep18_points_are_counted() -> None:
    setup = shot(attacker=shooter(flex=1))
    ended = play(game(setup, None, "spend_before_attack"), 80, 98, 1, 1, 1, 1, options=("plus20",))
    assert ended.spent == 1
    assert play(game(setup), 80).spent == 0


# -- before the roll -------------------------------------------------------------------------

HARD = {"cover": "moderate", "vision": "minor"}


def test_ep19_plus_20_or_no_modifiers() -> None:
    setup = shot(attacker=shooter(vigor=1), **HARD)
    session = Session(game(setup, None, "spend_before_attack"))
    assert offered(session) == ["none", "plus20", "ignore"]
    for option, tn in (("none", 40), ("plus20", 60), ("ignore", 70)):
        assert ready(setup, spend_before_attack=option).numbers.tn == tn


def test_ep19_ignoring_drops_what_helps_as_well() -> None:
    setup = shot(attacker=shooter(vigor=1), aim="complex", cover="minor")
    assert ready(setup, spend_before_attack="ignore").numbers.tn == 70


def test_ep19_without_modifiers_there_is_nothing_to_ignore() -> None:
    session = Session(game(shot(attacker=shooter(vigor=1)), None, "spend_before_attack"))
    assert offered(session) == ["none", "plus20"]


def test_ep19_the_20_comes_after_the_limit() -> None:
    setup = shot(attacker=shooter(vigor=1), aim="complex", superior="attacker",
                 attacker_modifier=30)  # fmt: skip
    assert ready(setup, spend_before_attack="plus20").numbers.tn == 150


def test_ep19_the_defence_too_and_the_halving_stays() -> None:
    setup = shot(defender=target(vigor=1), defender_modifier=-30)
    for option, tn in (("none", 0), ("plus20", 20), ("ignore", 30)):
        assert ready(setup, spend_before_defence=option).targets[0].tn == tn


def test_ep19_a_check_too() -> None:
    setup = shot(weapon=replace(PISTOL, d10=0, flat=7), defender=victim(vigor=1))
    opened = game(setup, None, "call_for_check")
    session = answered(opened, 30, 98)
    assert offered(session) == ["none", "plus20", "ignore"]
    for option, tn in (("none", 50), ("plus20", 70), ("ignore", 60)):
        assert session.answer(option).answer((tn,)).outcome == play(
            opened, 30, 98, tn, options=(option,)
        )
        assert not struck(opened, 30, 98, tn, options=(option,)).prone
        assert struck(opened, 30, 98, tn + 1, options=(option,)).prone


def test_ep19_ignoring_all_modifiers_makes_targets_of_every_size_alike() -> None:
    setup = shot(attacker=shooter(vigor=1), others=(target(name="small", size="small"),),
                 cover="minor")  # fmt: skip
    opened = game(setup, spend_before_attack="ignore", choose_mode="burst", choose_fire="spread")
    ended = play(opened, 70, 98, 98, *([1] * 8))
    assert [done.hit for done in ended.done] == [True, True]


# -- after the roll --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("face", "options"),
    [
        (96, ["none", "flip"]), (7, ["none", "flip", "upgrade"]), (40, ["none", "flip", "upgrade"]),
        (69, ["none", "flip"]), (11, None), (0, None), (88, ["none", "downgrade"]),
        (99, ["none", "downgrade"]),
    ],
)  # fmt: skip
def test_ep20_what_a_point_can_do_after_the_roll(face: int, options: list[str] | None) -> None:
    opened = game(shot(attacker=shooter(flex=1)), None, "spend_after_attack")
    session = answered(opened, face)
    if options is None:
        assert question(session).ask == "defense roll"
    else:
        assert offered(session) == options


def test_ep20_a_flip_makes_a_new_roll_of_it() -> None:
    done = struck(
        game(shot(attacker=shooter(flex=1)), None, "spend_after_attack"),
        96, 98, 1, 1, 1, 1, options=("flip",),
    )  # fmt: skip
    assert (done.hit, done.superior) == (True, 2)


def test_ep20_a_flip_never_makes_a_critical() -> None:
    opened = game(shot(attacker=shooter(flex=1)), None, "spend_after_attack")
    for face in set(range(100)) - set(range(0, 100, 11)):
        assert not facts_of(answered(opened, face, "flip")).roll.critical


def test_ep20_99_can_be_toned_down_but_not_saved() -> None:
    opened = game(shot(attacker=shooter(flex=1)), None, "spend_after_attack")
    ended = play(opened, 99, options=("downgrade",))
    assert (ended.fumble, ended.final.hit, ended.spent) == (False, False, 1)
    assert play(opened, 99, options=("none",)).fumble


def test_ep20_an_upgrade_adds_a_die_and_keeps_the_number() -> None:
    opened = game(shot(attacker=shooter(vigor=1)), None, "spend_after_attack")
    done = struck(opened, 31, 30, 1, 1, 6, options=("upgrade",))
    assert (done.hit, done.superior, done.dv) == (True, 1, 8)
    assert not struck(opened, 29, 30, options=("upgrade",)).hit


def test_ep20_one_superior_becomes_two() -> None:
    opened = game(shot(attacker=shooter(vigor=1)), None, "spend_after_attack")
    done = struck(opened, 40, 98, 1, 1, 6, 6, options=("upgrade",))
    assert (done.superior, done.dv) == (2, 14)


def test_ep20_the_defender_flips_with_the_attack_in_view() -> None:
    setup = shot(defender=target(flex=1))
    opened = game(setup, None, "spend_after_defence")
    session = answered(opened, 20, 52)
    assert ("attack roll", 20) in question(session).about
    assert offered(session) == ["none", "flip"]
    assert not struck(opened, 20, 52, options=("flip",)).hit  # 25 is higher


def test_ep20_a_check_can_be_flipped() -> None:
    setup = shot(weapon=replace(PISTOL, d10=0, flat=7), defender=victim(vigor=1))
    opened = game(setup, None, "spend_on_check")
    assert not struck(opened, 30, 98, 82, options=("flip",)).prone
    assert struck(opened, 30, 98, 82, options=("none",)).prone
    assert struck(opened, 30, 98, 82, options=("flip",)).spent == 1


@pytest.mark.parametrize("face", [96, 40, 7])
def test_ep20_bad_luck_never_flips(face: int) -> None:
    unlucky = shooter(flex=1, qualities=("bad_luck",))
    session = answered(game(shot(attacker=unlucky), None, "spend_after_attack"), face)
    if session.outcome is None and question(session).dice is None:
        assert "flip" not in offered(session)
        with pytest.raises(AnswerError, match="flip"):
            session.answer("flip")


def test_ep20_bad_luck_defends_and_checks_without_flips() -> None:
    unlucky = victim(flex=2, qualities=("bad_luck",))
    setup = shot(weapon=replace(PISTOL, d10=0, flat=7), defender=unlucky)
    opened = game(setup, None, "spend_after_defence", "spend_on_check")
    assert struck(opened, 20, 52, 82).prone


def test_ep24_threat_stands_for_every_pool() -> None:
    npc = shooter(threat=1)
    for weapon in (PISTOL, BLADE, PSI):
        far = 2 if weapon.is_melee else 5
        setup = Setup(attacker=npc, defender=target(), weapon=weapon, distance_m=far)
        session = Session(game(setup, None, "spend_before_attack"))
        assert offered(session) == ["none", "plus20"]


def test_ep24_a_boss_picks_which_points_to_spend() -> None:
    boss = Combatant(name="boss", guns=70, threat=1, vigor=1, flex=1, moxie=1)
    session = Session(game(shot(attacker=boss), None, "spend_before_attack"))
    assert offered(session) == ["none", "plus20", "plus20-threat", "plus20-flex"]


def test_ep24_threat_serves_the_defence() -> None:
    session = Session(game(blow(defender=target(threat=1)), None, "spend_before_defence"))
    assert offered(session) == ["none", "plus20"]
