"""Ambushes, critical defenses that show, and calls on several targets."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from affray.core.errors import AnswerError, SetupError
from affray.core.fight import ATTACK, Scene
from affray.core.ruling import Rulings
from affray.engine.fight.contest import Contest, Side
from affray.engine.fight.duels.duel import Duel
from affray.engine.fight.duels.exact import solve_exactly
from affray.engine.fight.plans import Plan
from affray.engine.fight.played.play import play_battle
from affray.engine.fight.sampled.battle import Battle
from affray.systems.eclipse_phase.fight import FIGHT
from affray.systems.eclipse_phase.reading import HELD, HELD_CRITICALLY, DefenseRead
from affray.systems.eclipse_phase.sheet import Combatant

from .by_hand import succeeds, wins
from .factory import (
    BY_ATTACKS,
    QUIET,
    SYSTEM,
    blow,
    chance,
    defence_tn,
    game,
    pistol,
    play,
    ready,
    shooter,
    shot,
    target,
    victim,
)
from .fighting import opened

F = Fraction


SNEAK = shooter(infiltrate=60)
LURKS = shot(attacker=SNEAK, defender=target(perceive=50), ambush=True)


def test_ep34_infiltrate_against_perceive_with_the_distraction() -> None:
    # Perceive 50 - 20 = 30.
    won = sum(wins(a, 60, d, 30) for a, d in product(range(100), repeat=2))
    assert chance(game(LURKS), "ambush", "surprised") == F(won, 10_000)
    assert chance(game(LURKS), "ambush", "alerted") == 1 - F(won, 10_000)


def test_ep34_the_alert_are_not_distracted_and_danger_sense_helps() -> None:
    for changes, tn in (({"alert": True}, 50), ({}, 30)):
        setup = shot(attacker=SNEAK, defender=target(perceive=50), ambush=True, **changes)
        won = sum(wins(a, 60, d, tn) for a, d in product(range(100), repeat=2))
        assert chance(game(setup), "ambush", "surprised") == F(won, 10_000)
    keen = target(perceive=50, qualities=("danger_sense",))
    won = sum(wins(a, 60, d, 40) for a, d in product(range(100), repeat=2))
    setup = shot(attacker=SNEAK, defender=keen, ambush=True)
    assert chance(game(setup), "ambush", "surprised") == F(won, 10_000)


def test_ep35_the_surprised_do_not_defend() -> None:
    assert play(game(LURKS), 35, 41, 20, 3, 3).final.hit  # no face for a defense
    assert not play(game(LURKS), 35, 30, 99).final.hit  # noticed? 30 is lower: surprised
    noticed = play(game(LURKS), 20, 30, 20, 25)
    assert (noticed.ambush, noticed.final.hit) == ("alerted", False)


def test_ep34_a43_both_fail() -> None:
    for reading, came in (("noticed", "alerted"), ("higher", "surprised")):
        found = play(game(LURKS, {"ambush_failures": reading}), 95, 40, 99)
        assert found.ambush == came


def test_ep34_the_best_perceive_of_a_group_counts() -> None:
    setup = shot(
        attacker=SNEAK, defender=target(perceive=20), others=(target(perceive=90),), ambush=True,
    )  # fmt: skip
    played = game(setup, choose_mode="burst", choose_fire="spread")
    assert play(played, 35, 70, 99).ambush == "alerted"  # 70 of 70


POINTS = {
    "spend_before_hiding": "none", "spend_after_hiding": "none",
    "spend_before_noticing": "none", "spend_after_noticing": "none",
}  # fmt: skip


@pytest.mark.parametrize(
    ("sneak", "guard", "choose", "tns", "flips"),
    [
        ({"vigor": 1}, {}, {}, (60, 30), (False, False)),
        ({"vigor": 1}, {}, {"spend_before_hiding": "plus20"}, (80, 30), (False, False)),
        ({"flex": 1}, {}, {"spend_before_hiding": "plus20"}, (80, 30), (False, False)),
        (
            {"vigor": 1, "wounds": 1},
            {},
            {"spend_before_hiding": "ignore"},
            (60, 30),
            (False, False),
        ),
        ({}, {"insight": 1}, {"spend_before_noticing": "plus20"}, (60, 50), (False, False)),
        ({}, {"insight": 1}, {"spend_before_noticing": "ignore"}, (60, 50), (False, False)),
        ({"vigor": 1}, {}, {"spend_after_hiding": "flip/none"}, (60, 30), (True, False)),
        ({}, {"threat": 1}, {"spend_after_noticing": "flip/none"}, (60, 30), (False, True)),
    ],
)
def test_ep34_points_on_both_tests_by_brute_force(
    sneak: dict[str, Any],
    guard: dict[str, Any],
    choose: dict[str, str],
    tns: tuple[int, int],
    flips: tuple[bool, bool],
) -> None:
    setup = shot(
        attacker=replace(SNEAK, **sneak), defender=target(perceive=50, **guard), ambush=True
    )
    settled = {**QUIET, **{step: tuple(one.split("/")) for step, one in (POINTS | choose).items()}}
    played = game(setup, None, *settled).settle(settled)

    def kept(face: int, *, flip: bool) -> int:
        return face % 10 * 10 + face // 10 if flip else face

    won = sum(
        wins(kept(a, flip=flips[0]), tns[0], kept(d, flip=flips[1]), tns[1])
        for a, d in product(range(100), repeat=2)
    )
    assert chance(played, "ambush", "surprised") == F(won, 10_000)


def test_ep34_a_point_that_is_spent_is_gone() -> None:
    setup = shot(attacker=replace(SNEAK, vigor=2), defender=target(perceive=50), ambush=True)
    settled = {**QUIET, **{step: (one,) for step, one in POINTS.items()},
               "spend_before_hiding": ("plus20",)}  # fmt: skip
    ended = play(game(setup, None, *settled).settle(settled), 77, 40, 20, 3, 3)
    assert (ended.ambush, ended.pools, ended.spent) == ("surprised", (("vigor", 1),), 1)


def test_ep24_one_pool_serves_the_group_that_notices() -> None:
    dogs = [target(perceive=50, threat=1, threat_group="dogs") for _ in range(2)]
    setup = shot(attacker=SNEAK, defender=dogs[0], others=(dogs[1],), ambush=True)
    settled = {**QUIET, **{step: (one,) for step, one in POINTS.items()},
               "choose_mode": ("burst",), "choose_fire": ("spread",),
               "spend_before_noticing": ("plus20",)}  # fmt: skip
    ended = play(game(setup, None, *settled).settle(settled), 99, 40, 99)
    assert [done.pools for done in ended.done] == [(), ()]


def test_ep34_what_means_nothing_is_refused() -> None:
    with pytest.raises(SetupError, match="'alert' is for targets of an ambush"):
        shot(alert=True)
    hidden = shot(attacker=SNEAK, defender=target(conditions=("surprised",)), ambush=True)
    with pytest.raises(SetupError, match="surprised already"):
        play(game(hidden), 1)


def test_ep37_ep40_the_alerted_act_later() -> None:
    for alerted, expected in ((False, 8), (True, 5)):
        sheet = victim(initiative=8, alerted=alerted)
        assert FIGHT.initiative is not None
        assert FIGHT.initiative(sheet, FIGHT.enter(sheet, BY_ATTACKS), BY_ATTACKS)[0] == expected


@pytest.mark.parametrize(
    ("tn", "against", "tie"),
    [(30, 21, "defense"), (60, 45, "attack"), (60, 201 + 33, "attack"), (5, 99, "nobody")],
)
def test_ep15_a_critical_defense_is_told(tn: int, against: int, tie: str) -> None:
    read = DefenseRead(tn, "", against, tie)  # type: ignore[arg-type]
    from affray.core.dice import D100, Pool

    counted = read.counted(Pool((D100, 1)))
    by_face = [read((face,)) for face in range(100)]
    assert counted == {kind: by_face.count(kind) for kind in set(by_face)}
    assert HELD_CRITICALLY in counted or tn == 5 or against > 201
    plain = read._replace(tells=False).counted(Pool((D100, 1)))
    held = counted.get(HELD, 0) + counted.get(HELD_CRITICALLY, 0)
    assert plain.get(HELD, 0) == held


def test_ep15_a_critical_defense_stands_in_the_outcome() -> None:
    assert play(game(blow()), 50, 11).final.defense_critical
    assert not play(game(blow()), 50, 51).final.defense_critical
    assert not play(game(blow()), 55, 11, 3, 3).final.defense_critical  # both: the higher hits
    assert not play(game(blow()), 99).final.defense_critical  # nobody defends
    # 70 against 60: of each attack that succeeds, the critical defenses that stop it.
    pairs = product(range(100), repeat=2)
    stopped = sum(
        succeeds(a, 70) and succeeds(d, 60) and d % 11 == 0 and not wins(a, 70, d, 60)
        for a, d in pairs
    )
    assert chance(game(blow()), "defense_critical") == F(stopped, 10_000)


def test_ep99_a53_hand_to_hand_one_call_goes_for_all() -> None:
    two = blow(others=(target(),))
    called = {"choose_called_shot": "knockdown", "choose_defence": "none"}
    assert ready(two, **called).numbers.tn == 70 - 10 - 20
    # The first without a superior success, the second with one: hurt, and down.
    x = play(game(two, **called), 20, 40, 3, 3)
    assert [(s.net, s.prone) for s in x.done] == [(6, False), (0, True)]
    with pytest.raises(AnswerError, match="several targets can't be called"):
        ready(two, {"called_several": "none"}, **called)
    spread = shot(weapon=pistol(), others=(target(),))
    aimed = {"choose_mode": "burst", "choose_fire": "spread", **called}
    with pytest.raises(AnswerError, match="several targets can't be called"):
        ready(spread, **aimed)
    assert ready(spread, {"called_several": "all"}, **aimed).numbers.called == "knockdown"


def test_ep110_a52_the_fresh_wound_in_its_own_check() -> None:
    hurt = shot(defender=victim(wounds=1), weapon=pistol(d10=0, flat=7))
    for reading, tn in (("counts", 40), ("earlier", 50)):  # 60 less 10 or 20
        for face, prone in ((tn, False), (tn + 1, True)):
            x = play(game(hurt, {"fresh_wound": reading}), 20, 98, face)
            assert x.final.prone is prone
    assert defence_tn(hurt) == 20


# -- in a fight --------------------------------------------------------------------------------


def deadly(guns: int, **changes: Any) -> Combatant:
    """Every hit kills."""
    gun = pistol(d10=0, flat=99, modes=("semi",))
    return shooter(guns=guns, weapons=(gun,), durability=20, **changes)


def fight(one: tuple[Combatant, ...], other: tuple[Combatant, ...], first: Any = "one") -> Contest:
    """Two sides who shoot and never defend."""
    plan = Plan("first", tuple({**QUIET, "choose_defence": ("none",)}.items()))
    setup = replace(shot(attacker=one[0], defender=other[0]), weapon=None)
    rulings = Rulings.pick(
        SYSTEM.rulings, {"critical_doubles": "dice", "ammunition": "plenty", "turns": "attacks"}
    )
    sides = (Side("one", one, setup, plan), Side("other", other, setup, plan))
    return Contest(SYSTEM, sides, rulings, first=first)


@pytest.mark.parametrize("first", ["one", "other"])
def test_ep35_an_ambush_in_a_fight_by_hand(first: str) -> None:
    """Surprised: shot at, without a defense; noticed: no shot. Then turns, as ever."""
    one, other = deadly(22, infiltrate=60, lurks=True), deadly(40, perceive=50)
    won = F(sum(wins(a, 60, d, 30) for a, d in product(range(100), repeat=2)), 10_000)
    p, q = F(23, 100), F(41, 100)
    both_miss = (1 - p) * (1 - q)
    rest = p / (1 - both_miss) if first == "one" else (1 - q) * p / (1 - both_miss)
    expected = won * p + (1 - won * p) * rest
    contest = fight((one,), (other,), first)
    assert solve_exactly(contest).won[0] == expected
    assert Duel(contest).solve().won[0] == pytest.approx(float(expected), abs=1e-12)
    found = Battle(contest).run(4_000, seed=3).won[0]
    assert abs(found.value - float(expected)) < 5 * 0.5 / 4_000**0.5


def test_ep35_the_unaware_have_no_turn_in_the_first_round() -> None:
    one, other = deadly(0, infiltrate=60, lurks=True), deadly(0, perceive=50)
    played = play_battle(fight((one, one), (other, other), "other"), seed=4, rounds=2)
    who = [(entry.round, entry.actor.side) for entry in played.exchanges]
    assert {side for number, side in who if number == 1} == {0}
    assert [side for number, side in who if number == 2] == [1, 1, 0, 0]


def test_ep37_those_who_notice_it_act_later() -> None:
    sneak, guard = deadly(70, infiltrate=60, lurks=True), deadly(40, perceive=50)
    quickness = FIGHT.initiative
    assert quickness is not None
    now = FIGHT.meets(guard, FIGHT.enter(guard, BY_ATTACKS), (sneak,))
    assert FIGHT.deeds(guard, now) == ()
    mine = FIGHT.enter(sneak, BY_ATTACKS)
    setup = replace(shot(attacker=sneak, defender=guard), weapon=None)
    at = FIGHT.declare(Scene(setup, ATTACK, mine, now, None, BY_ATTACKS))
    noticed = play(opened(at), 61, 99)  # Infiltrate 60, Perceive 30: both fail
    after = FIGHT.apply(guard, now, FIGHT.effect(noticed, "target"))
    assert noticed.ambush == "alerted"
    assert not noticed.final.hit
    assert FIGHT.deeds(guard, after) == ()  # that was the free action
    later = FIGHT.end_round(guard, FIGHT.end_round(guard, after))
    assert quickness(guard, later, BY_ATTACKS)[0] == guard.initiative - 3
    assert FIGHT.deeds(guard, later) == (ATTACK,)
    with pytest.raises(SetupError, match="has noticed the ambush"):
        FIGHT.declare(Scene(setup, ATTACK, mine, after, None, BY_ATTACKS))


def test_ep35_both_cannot_lie_in_ambush() -> None:
    lurker = deadly(70, infiltrate=60, lurks=True)
    with pytest.raises(SetupError, match="both lie in ambush"):
        fight((lurker,), (deadly(40), lurker))


def test_ep34_who_lurks_springs_an_ambush_in_a_single_attack() -> None:
    lurker = shot(attacker=replace(SNEAK, lurks=True), defender=target(perceive=50))
    assert chance(game(lurker), "ambush", "surprised") == chance(game(LURKS), "ambush", "surprised")


def test_ep35_an_ambush_is_told_and_set() -> None:
    sneak, guard = deadly(70, infiltrate=60, lurks=True), deadly(40)
    now = FIGHT.meets(guard, FIGHT.enter(guard, BY_ATTACKS), (sneak,))
    assert ("ambush", "unaware") in [line[:2] for line in FIGHT.told(guard, now)]
    assert FIGHT.mended is not None
    aware = FIGHT.mended(guard, now, "ambush", "none")
    assert FIGHT.deeds(guard, aware) == (ATTACK,)
    with pytest.raises(SetupError, match="allowed: lurks, unaware, noticed, alerted; or none"):
        FIGHT.mended(guard, now, "ambush", "asleep")
