"""Steps 4 and 5: the two rolls compared, and what the result is worth."""

from dataclasses import replace

import pytest

from affray.engine.exchange.session import Session
from affray.systems.eclipse_phase.gear import Weapon
from affray.systems.eclipse_phase.sheet import Combatant
from affray.systems.eclipse_phase.state import Exchange

from .factory import (
    BLADE,
    answered,
    attack_tn,
    blow,
    chance,
    game,
    joint,
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

HIT = (1, 1)
"""Damage dice of a plain hit; a miss asks for none."""


@pytest.mark.parametrize(("attack", "defense"), [(1, 31), (70, 98), (5, 90)])
def test_ep14_success_beats_failure_whatever_the_numbers(attack: int, defense: int) -> None:
    extra = {0: 0, 1: 1, 2: 2}[(attack > 32) + (attack > 65)]
    assert struck(game(shot()), attack, defense, *HIT, *([1] * extra)).hit


@pytest.mark.parametrize(("attack", "defense", "hits"), [(21, 20, True), (20, 21, False)])
def test_ep15_two_successes_the_higher_roll(attack: int, defense: int, hits: bool) -> None:
    assert struck(game(shot()), attack, defense, *(HIT if hits else ())).hit is hits


@pytest.mark.parametrize(
    ("attack", "defense", "hits"), [(11, 30, True), (70, 22, False), (70, 0, False), (0, 30, True)]
)
def test_ep15_a_lone_critical_beats_the_higher_roll(attack: int, defense: int, hits: bool) -> None:
    assert struck(game(shot()), attack, defense, *(HIT if hits else ())).hit is hits


@pytest.mark.parametrize(
    ("attack", "defense", "hits"), [(22, 11, True), (11, 22, False), (11, 0, True), (0, 11, False)]
)
def test_ep16_two_criticals_the_higher_roll(attack: int, defense: int, hits: bool) -> None:
    done = struck(game(shot()), attack, defense, *(HIT if hits else ()))
    assert (done.hit, done.critical) == (hits, hits)


@pytest.mark.parametrize(("guns", "hits"), [(60, True), (50, False), (40, False)])
def test_ep16_equal_criticals_the_higher_skill(guns: int, hits: bool) -> None:
    setup = shot(attacker=shooter(guns=guns), defender=target(fray=100))
    done = struck(game(setup), 22, 22, *(HIT if hits else ()))
    assert (done.hit, done.critical) == (hits, hits)


def test_ep16_equal_criticals_against_a_larger_second_target() -> None:
    """50 against 55 loses the tie, 60 against the large one wins it."""
    both = shot(attacker=shooter(guns=50), defender=target(fray=110),
                others=(target(name="big", size="large", fray=110),))  # fmt: skip
    ended = play(game(both, choose_mode="burst", choose_fire="spread"), 22, 22, 22, *HIT)
    assert [done.hit for done in ended.done] == [False, True]


@pytest.mark.parametrize(("attack", "defense"), [(85, 90), (71, 31), (99, 99), (88, 44)])
def test_ep17_a_double_failure_is_a_miss(attack: int, defense: int) -> None:
    done = struck(game(shot()), attack)
    assert (done.hit, done.deadlock) == (False, False)


@pytest.mark.parametrize(
    ("changes", "tn"), [({"attacker_modifier": -20}, 50), ({"attacker_modifier": 10}, 80)]
)
def test_ep49_situational_modifiers_count_on_the_attack(changes: dict[str, int], tn: int) -> None:
    assert attack_tn(shot(**changes)) == tn


@pytest.mark.parametrize(("modifier", "tn"), [(-10, 20), (0, 30), (20, 50)])
def test_ep49_and_on_the_defence(modifier: int, tn: int) -> None:
    assert ready(shot(defender_modifier=modifier)).targets[0].tn == tn


def test_ep52_both_roll_against_their_own_numbers() -> None:
    setup = shot(cover="minor", superior="defender")
    seen = ready(setup)
    assert (seen.numbers.tn, seen.targets[0].tn) == (60, 50)
    assert struck(game(setup), 60, 49, *HIT, 1).hit
    assert not struck(game(setup), 61).hit


@pytest.mark.parametrize("attack", [0, 1, 30, 31, 70])
def test_ep53_success_against_failure_hits(attack: int) -> None:
    extra = (attack > 32) + (attack > 65)
    assert struck(game(shot()), attack, 31, *HIT, *([1] * extra)).hit


@pytest.mark.parametrize("attack", [71, 77, 98, 99])
def test_ep54_a_failed_attack_misses_and_nobody_defends(attack: int) -> None:
    session = Session(game(shot())).answer((attack,))
    assert session.outcome is not None
    assert not struck(game(shot()), attack).hit


@pytest.mark.parametrize(("attack", "defense"), [(29, 28), (30, 29), (24, 7)])
def test_ep55_the_attack_must_roll_higher(attack: int, defense: int) -> None:
    assert struck(game(shot()), attack, defense, *HIT).hit
    assert not struck(game(shot()), defense, attack).hit


@pytest.mark.parametrize("both", [1, 24, 30])
def test_ep56_tie_misses(both: int) -> None:
    done = struck(game(shot()), both, both)
    assert (done.hit, done.deadlock, done.net) == (False, False, 0)


@pytest.mark.parametrize(
    ("attack", "superior", "dice"), [(32, 0, 2), (34, 1, 3), (65, 1, 3), (67, 2, 4), (70, 2, 4)]
)
def test_ep57_each_superior_success_adds_a_d6(attack: int, superior: int, dice: int) -> None:
    done = struck(game(shot()), attack, 98, *([1] * dice))
    assert (done.superior, done.dv, done.critical) == (superior, dice, False)


def test_ep57_it_counts_although_the_defence_succeeds() -> None:
    assert struck(game(shot()), 69, 7, 1, 1, 6, 5).dv == 13


@pytest.mark.parametrize("attack", [0, 11, 33, 66])
def test_ep58_a_critical_hit_doubles_the_damage(attack: int) -> None:
    done = struck(game(shot()), attack, 98, 3, 4)
    assert (done.critical, done.superior, done.dv) == (True, 0, 14)


def test_ep58_every_extra_is_doubled_and_armor_comes_after() -> None:
    hard = shot(weapon=pistol(flat=2), defender=target(kinetic=5))
    done = struck(game(hard, choose_mode="burst", choose_fire="damage"), 44, 98, 3, 4, 5)
    assert (done.dv, done.net) == (28, 23)


@pytest.mark.parametrize("defense", [31, 32, 44, 66, 99])
def test_ep59_a_bad_defence_changes_nothing(defense: int) -> None:
    done = struck(game(shot()), 30, defense, 4, 5)
    assert (done.dv, done.critical, done.superior) == (9, False, 0)


@pytest.mark.parametrize(("attack", "fumble"), [(88, True), (99, True), (71, False), (98, False)])
def test_ep59_a_critical_failure_of_the_attack_is_told(attack: int, fumble: bool) -> None:
    ended = play(game(shot()), attack)
    assert (ended.fumble, ended.final.hit) == (fumble, False)


# -- several targets under one roll ----------------------------------------------------------

SPREAD = {"choose_mode": "auto", "choose_fire": "spread"}


def test_ep71_each_target_defends_against_the_same_roll() -> None:
    setup = shot(others=(target(name="second"), target(name="third")))
    ended = play(game(setup, **SPREAD), 20, 31, 21, 19, 2, 3, 4, 5)
    assert [done.hit for done in ended.done] == [True, False, True]
    assert [done.dv for done in ended.done] == [5, 0, 9]


def test_ep71_the_defenders_answer_for_themselves() -> None:
    setup = shot(others=(target(name="second"), target(name="third")))
    session = Session(game(setup, **SPREAD)).answer((20,))
    asked = []
    while question(session).ask == "defense roll":
        asked.append(question(session).actor)
        session = session.answer((98,))
    assert asked == ["defender", "defender 2", "defender 3"]


def test_ep71_superior_and_critical_count_against_each() -> None:
    setup = shot(others=(target(name="second"),))
    ended = play(game(setup, **SPREAD), 69, 98, 98, 1, 1, 1, 1, 2, 2, 2, 2)
    assert [(done.superior, done.dv) for done in ended.done] == [(2, 4), (2, 8)]
    ended = play(game(setup, **SPREAD), 55, 98, 98, 1, 2, 3, 4)
    assert [(done.critical, done.dv) for done in ended.done] == [(True, 6), (True, 14)]


def test_ep71_hits_are_not_independent() -> None:
    setup = shot(attacker=shooter(guns=60), others=(target(name="second"),))
    both = joint(game(setup, choose_mode="burst", choose_fire="spread"), "hit", "hit_2")
    assert both[True, True] > sum(p for (one, _), p in both.items() if one) ** 2


def test_ep71_a_target_of_another_size_changes_its_own_number() -> None:
    setup = shot(others=(target(name="small", size="small"), target(name="big", size="large")))
    numbers = game(setup, **SPREAD)
    assert chance(numbers, "hit_2") < chance(numbers, "hit") < chance(numbers, "hit_3")
    ended = play(numbers, 65, 98, 98, 1, 1, 1, 1, 1, 1)
    assert [done.hit for done in ended.done] == [True, False, True]
    ended = play(numbers, 75, 98, 1, 1, 1, 1)
    assert [done.hit for done in ended.done] == [False, False, True]


def test_ep71_everybody_has_armor_and_threshold_of_their_own() -> None:
    setup = shot(
        defender=target(kinetic=4),
        others=(target(name="second", kinetic=1, wound_threshold=3, body="object"),),
    )
    ended = play(game(setup, **SPREAD), 20, 98, 5, 5, 5, 5)
    assert [(done.net, done.wounds) for done in ended.done] == [(6, 0), (9, 3)]


def test_ep88_several_opponents_each_an_attack_roll_of_its_own() -> None:
    """-20 for the second opponent, on both attacks; each attack has its own dice."""
    setup = blow(others=(target(name="second"),))
    assert attack_tn(setup) == 50
    ended = play(game(setup), 40, 98, 30, 98, 2, 3, 1, 4, 5)
    assert [(done.superior, done.dv) for done in ended.done] == [(1, 6), (0, 9)]
    assert [done.hit for done in play(game(setup), 51, 20, 98, 1, 1).done] == [False, True]
    ended = play(game(setup), 44, 98, 20, 98, 1, 1, 1, 1)
    assert [(done.critical, done.dv) for done in ended.done] == [(True, 4), (False, 2)]


def test_ep88_the_attacks_are_independent() -> None:
    setup = blow(others=(target(name="second"),))
    both = joint(game(setup), "hit", "hit_2")
    assert both[True, True] == chance(game(setup), "hit") * chance(game(setup), "hit_2")


def test_ep88_each_opponent_has_a_reach_size_and_posture_of_its_own() -> None:
    long = Weapon(name="long", form="melee", skill="melee", d10=1, reach=10)
    one = blow(others=(target(name="second", conditions=("prone",)),))
    two = blow(others=(target(name="second", size="large"),))
    three = blow(weapon=replace(BLADE, reach=10), others=(target(weapons=(long,)),))
    assert [ready(setup).targets[1].shift for setup in (one, two, three)] == [20, 10, -10]


def test_ep88_each_attack_is_a_test_that_a_point_may_help() -> None:
    setup = blow(attacker=shooter(vigor=2), others=(target(name="second", vigor=1),),
                 vision="minor")  # fmt: skip
    opened = game(setup, None, "spend_before_attack", "spend_before_defence")
    session = answered(opened, "plus20", 60, 98)
    assert (question(session).actor, offered(session)) == ("attacker", ["none", "plus20", "ignore"])
    session = session.answer("none")
    assert (question(session).actor, offered(session)) == ("defender 2", ["none", "plus20"])
    ended = session.answer("none").answer((41,)).answer((1, 1, 1)).outcome
    assert isinstance(ended, Exchange)
    assert [done.hit for done in ended.done] == [True, False]
    assert ended.spent == 1


@pytest.mark.parametrize(("others", "tn"), [(0, 70), (1, 50), (2, 30), (3, 10), (5, 10)])
def test_ep88_minus_20_for_each_further_opponent(others: int, tn: int) -> None:
    assert attack_tn(blow(others=(target(),) * others)) == tn


def test_ep124_stress_takes_the_same_way() -> None:
    scare = Weapon(name="scare", form="psi", skill="psi", d10=2, armor="mental", harm="stress")
    wil = Combatant(name="mind", wil=15, mental=3, stress=10)
    done = struck(game(shot(weapon=scare, defender=wil)), 69, 98, 4, 5, 1, 2)
    assert (done.dv, done.net, done.total) == (12, 9, 19)
    assert done.wounds == 1  # trauma threshold 30 / 5 = 6


@pytest.mark.parametrize(("face", "hits"), [(0, [True, True]), (1, [True, False])])
def test_ep3_zero_hits_the_smallest_as_well(face: int, hits: list[bool]) -> None:
    """20 against the first, -10 against the very small second: only 00 serves for both."""
    both = shot(attacker=shooter(guns=20), others=(target(name="mite", size="very_small"),))
    spread = game(both, choose_mode="burst", choose_fire="spread")
    ended = play(spread, face, 98, *([98] if hits[1] else []), *([1, 1] * sum(hits)))
    assert [done.hit for done in ended.done] == hits


def test_ep20_who_sees_both_rolls_is_told_of_both() -> None:
    setup = shot(attacker=shooter(flex=1))
    opened = game(setup, {"reveal": "both"}, "spend_after_attack")
    about = dict(question(answered(opened, 25, 17)).about)
    assert about == {"roll": 25, "needed": 70, "defense roll": 17}
    alone = game(setup, None, "spend_after_attack")
    assert dict(question(answered(alone, 25)).about) == {"roll": 25, "needed": 70}


def test_ep54_the_log_tells_of_no_defence_where_none_was_rolled() -> None:
    session = answered(game(shot()), 98)
    assert session.outcome is not None
    told = [line.says for line in session.log if line.step == "roll_defence"]
    assert told in ([], [""])


@pytest.mark.parametrize("helped", [0, 1])
def test_ep20_a_defender_with_a_point_sees_the_very_number_of_the_attack(helped: int) -> None:
    """65 is beyond every defense, and told all the same, whoever of the two has the point."""
    two = [target(name="first"), target(name="second")]
    two[helped] = replace(two[helped], flex=1)
    setup = shot(defender=two[0], others=(two[1],))
    opened = game(setup, None, "spend_after_defence", choose_mode="burst", choose_fire="spread")
    asked = question(answered(opened, 65, *([98] * helped), 81))
    assert asked.actor == ("defender", "defender 2")[helped]
    assert dict(asked.about) == {"roll": 81, "needed": 30, "attack roll": 65}


def test_ep88_each_attack_roll_may_be_helped_once() -> None:
    """A point before the first roll rules out one after it, not one after the second."""
    setup = blow(attacker=shooter(flex=2), others=(target(name="second"),))
    opened = game(setup, None, "spend_before_attack", "spend_after_attack")
    second = answered(opened, "plus20", 98, "none")
    asked = question(second.answer((96,)))
    assert [option.name for option in asked.options] == ["none", "flip"]
    assert question(answered(opened, "none", 96, "flip")).ask != "attack roll"
