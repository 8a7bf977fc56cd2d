"""Corners of the procedure that few situations reach."""

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from affray.core.dice import Pool, d
from affray.core.errors import AnswerError, SetupError
from affray.core.reading import enumerated
from affray.core.ruling import Rulings
from affray.systems.empty_earth.gear import Active, Armor
from affray.systems.empty_earth.harm import reach_of
from affray.systems.empty_earth.post_roll import moves, ways
from affray.systems.empty_earth.reading import Again, Band, Shown
from affray.systems.empty_earth.sheet import Affliction, Cubes, Fighter
from affray.systems.empty_earth.state import AttackDice, DodgeDice, PostRoll, Terms

from .factory import (
    ADA,
    BO,
    SYSTEM,
    asked,
    bow,
    facts_of,
    feature,
    game,
    line,
    offered,
    play,
    played,
    question,
    setup,
    striker,
    target,
    weapon,
)


def test_ee29_an_ability_adds_to_each_dodge_die() -> None:
    """6 against 4 and a Dodge of 1: with 1 more on the die the surplus of 2 is stopped."""
    nimble = feature("Nimble", timing="immediate", each_die=1)
    made = game(
        setup(weapon("1D6"), target(dodge="1D4", abilities=(nimble,), cubes=Cubes(red=1))),
        choose_reaction="dodge",
    )
    assert play(made, 6, 1, options=("Nimble", "stop-1"))["hits"] == 0
    assert play(made, 6, 1, options=("none",))["hits"] == 1


def test_ee39_a_dodge_die_below_zero_that_could_be_rerolled_is_worth_nothing() -> None:
    """1 less 2 is no Dodge at all, and the surplus of 1 passes; 3 less 2 stops it."""
    made = game(setup(weapon("1D6"), target(dodge="1D4-2", rerolls=1)), choose_reaction="dodge")
    assert play(made, 5, 1, options=("pass",))["hits"] == 1
    assert play(made, 5, 3, options=("pass", "stop-1"))["hits"] == 0


def test_ee34_a_feature_adds_rerolls_to_those_of_the_attacker() -> None:
    again = feature("Again", rerolls=1)
    made = setup(striker(weapon("1D6", features=(again,)), rerolls=1, cubes=Cubes(red=1)))
    done = play(game(made), 1, 2, 5, options=("Again", "reroll-miss", "reroll-miss"))
    assert done["hits"] == 1


def test_ee35_two_different_dice_rerolled_for_the_better_count_every_face_pair() -> None:
    read = Again((), (Shown(1), Shown(2)), Band(0, 4), better=True)
    pool = Pool((d(4), 2))
    assert read.counted(pool) == enumerated(pool, read)
    assert read.counted(pool)[Shown(2), Shown(2)] == 2  # 2, and 1 or 2
    assert read.counted(pool)[Shown(2), Shown(3)] == 3  # 2 and 3; 3, and 1 or 2


def test_ee14_to_place_the_penalty_costs_nothing() -> None:
    made = setup(bow(), distance_zones=1, hostile_in_own_zone=1)
    session = asked(game(made, {"crowd": "one_die"}), (1, 5))
    assert offered(session) == ["miss", "5"]
    assert [option.spends for option in question(session).options] == [0, 0]


# -- what a Dodge can stop, ordinary dice and those with an effect apart ----------------------


def landings(
    over: tuple[int, ...], special: tuple[int, ...], values: tuple[int, ...], spread: str
) -> set[tuple[int, int]]:
    """Every way to apply the values, by going through all of them."""
    dice = over + special
    total = sum(values)
    ways: Iterable[tuple[int, ...]]
    if spread == "all":
        ways = [(total,) * len(dice)]
    elif spread == "per_die":
        goals = product(range(len(dice) + 1), repeat=len(values))
        ways = [
            tuple(
                sum(v for v, g in zip(values, goal, strict=True) if g == i)
                for i in range(len(dice))
            )
            for goal in goals
        ]
    elif total < 0:
        ways = [tuple(total if i == j else 0 for j in range(len(dice))) for i in range(len(dice))]
    else:
        ways = [w for w in product(range(total + 1), repeat=len(dice)) if sum(w) <= total]
    found = set()
    for way in ways:
        lands = [surplus - off > 0 for surplus, off in zip(dice, way, strict=True)]
        found.add((sum(lands[: len(over)]), sum(lands[len(over) :])))
    return found


@pytest.mark.parametrize("spread", ["pool", "per_die", "all"])
def test_ee41_ordinary_dice_and_those_with_an_effect_are_stopped_apart(spread: str) -> None:
    rows: list[tuple[int, ...]] = [(), (1,), (2,), (1, 1), (1, 3)]
    lows: list[tuple[int, ...]] = [(0,), (-1,), (-2, 1)]
    for over, special in product(rows + lows, repeat=2):
        if not over + special:
            continue
        kept = any(surplus <= 0 for surplus in over + special)
        amounts: list[tuple[int, ...]] = [(0,), (1,), (2,), (4,)]
        if spread != "per_die":
            amounts += [(-1,), (-2,), (-3,)]
        elif not kept:
            amounts += [(1, 1), (1, 2), (2, 3), (1, 1, 3), (-1, 2)]
        for values in amounts:
            got = reach_of(over, special, values, spread)
            assert {tuple(way) for way in got} == landings(over, special, values, spread), (
                over,
                special,
                values,
            )


def test_ee41_ways_to_apply_a_dodge_have_names() -> None:
    sharp = weapon("2D6", unmodified=6, unmodified_must_hit=True)
    session = asked(game(setup(sharp, target(dodge="1D4")), choose_reaction="dodge"), (5, 6), (3,))
    assert [(option.name, option.words) for option in question(session).options] == [
        ("none", "2 of the dice hit"),
        ("stop-0-and-1-special", "1 of the dice hit"),
        ("stop-1", "1 of the dice hit"),
        ("stop-1-and-1-special", "0 of the dice hit"),
    ]
    assert dict(question(session).about)["dice over the defense"] == 2
    both = played(game(setup(sharp, target(dodge="1D4")), choose_reaction="dodge"), 5, 6, 3,
                  options=("stop-0-and-1-special",))  # fmt: skip
    assert both.outcome is not None
    made = setup(sharp, target(dodge="1D4-4"))
    for reading in ("pool", "all"):
        start = game(made, {"negative": "adds", "dodge": reading}, choose_reaction="dodge")
        assert play(start, 3, 4, 1)["hits"] == (1 if reading == "pool" else 2)


def test_ee23_late_features_count_for_every_hit() -> None:
    both = feature("Twist", timing="on_hit", damage=2, piercing=3, condition="Bled")
    made = game(setup(striker(weapon("2D6", 1, piercing=1, features=(both,)), cubes=Cubes(red=1))))
    done = play(made, 5, 6, options=("Twist",))
    assert (done["regular"], done["piercing"], done["damage"]) == (6, 8, 14)
    assert (done["conditions"], done["cubes"]) == (("Bled",), 0)
    left = play(made, 5, 6, options=("none",))
    assert (left["regular"], left["piercing"], left["conditions"]) == (2, 2, ())


def test_ee38_options_to_aim_are_told_with_what_they_add() -> None:
    made = setup(striker(weapon(aim=2), cubes=Cubes(blue=2)))
    ask = question(asked(game(made, {"aim": "each_cube"})))
    assert [(option.name, option.words) for option in ask.options] == [
        ("no", "don't aim"), ("aim", "+2 on every die"), ("aim-2", "+4 on every die"),
    ]  # fmt: skip
    for by, why in (
        (striker(weapon(), cubes=Cubes(blue=1)), "the attack has no Aim value (EE-38)"),
        (striker(weapon(aim=1)), "no blue cube is left (EE-38)"),
    ):
        with pytest.raises(AnswerError, match=re.escape(why)):
            play(game(setup(by), take_aim="aim"), 1, 1)
    both = striker(weapon(features=(feature("Barb", damage=1),)), cubes=Cubes(red=1, black=2))
    ask = question(asked(game(setup(both))))
    assert [(option.name, option.words) for option in ask.options] == [
        ("none", "buy nothing"), ("Barb", "for 1 red"),
    ]  # fmt: skip
    assert dict(ask.about) == {"cubes": "1 red, 2 black"}


def test_ee60_a_turn_of_whoever_is_down_brings_no_armor() -> None:
    worn = replace(ADA, phys_def=0, armor=Armor(active=Active(dr=1)), vitality=0, injuries=1,
                   cubes=Cubes(blue=1))  # fmt: skip
    made = game(setup(weapon("1D6"), worn, new_turn="defender"))
    done = play(made, 5)
    assert (done["armor_active"], done["defender_blue_cubes"]) == (False, 1)


def test_ee60_the_armor_allows_as_many_reactions_as_it_says_or_as_there_were() -> None:
    for allows, left in ((0, 1), (1, 1), (2, 2), (3, 3)):
        card = Armor(active=Active(reactions=allows, dr=1))
        worn = target(phys_def=0, ess_def=0, armor=card, cubes=Cubes(blue=2), reactions=0)
        done = play(game(setup(weapon("1D6"), worn, new_turn="defender")), 1, options=("activate",))
        assert (done["reactions"], done["armor_active"]) == (left, True)
        assert done["defender_blue_cubes"] == 1
        off = play(game(setup(weapon("1D6"), worn, new_turn="defender")), 1, options=("no",))
        assert (off["reactions"], off["armor_active"]) == (1, False)


def test_ee60_between_two_attacks_the_turn_is_the_defenders() -> None:
    card = Armor(active=Active(dr=9), phys_def=0)
    worn = target(phys_def=0, ess_def=0, armor=card, cubes=Cubes(blue=1), shields=1)
    made = setup(weapon("1D6"), worn, attacks=2, turn_between=True)
    done = play(game(made), 3, 3, options=("activate",))
    assert (done["damage"], done["shields"]) == (1, 0)  # 2 less the Shield; then DR 9
    three = play(game(replace(made, attacks=3)), 3, 3, 3, options=("no", "no"))
    assert three["damage"] == 1 + 2 + 2
    first = replace(made, new_turn="attacker", attacker=striker(weapon("1D6"), shields=2))
    assert play(game(first), 3, 3, options=("activate",))["attacker_shields"] == 0
    assert play(game(made), 3, 3, options=("no",))["attacker_shields"] == 0


def test_ee16_who_can_reach_with_one_line_of_two_may_attack() -> None:
    two = striker(weapon("1D6"), bow("1D6", name="bow"))
    assert game(setup(two, distance_zones=2)) is not None
    with pytest.raises(SetupError, match=r"club: melee reaches.*; physical ranged 1D6, damage 2:"):
        game(setup(striker(weapon("1D6"), replace(bow("1D6"), name="")), distance_zones=3))
    unnamed = striker(replace(weapon("1D6"), name=""), replace(weapon("1D8"), name=""))
    ask = question(asked(game(setup(unnamed))))
    assert [(option.name, option.spends) for option in ask.options] == [
        ("line-1", 0),
        ("line-2", 0),
    ]


def test_ee57_nobody_has_more_than_twenty_cubes_of_a_color() -> None:
    assert Cubes(red=20).number == 20
    with pytest.raises(SetupError, match="red is 21"):
        Cubes(red=21)


def test_ee1_the_bounds_of_sheets_are_allowed_and_no_more() -> None:
    assert target(vitality=3, vitality_max=3).left == 3
    with pytest.raises(SetupError, match="vitality 4; allowed: at most vitality_max 3"):
        target(vitality=4, vitality_max=3)
    assert target(vitality=1, side="ally").vitality == 1
    for side in ("ally", "enemy"):
        with pytest.raises(SetupError, match="gone at 0"):
            target(vitality=0, vitality_max=3, side=side)
        with pytest.raises(SetupError, match="1 injuries, vitality 10"):
            target(injuries=1, side=side)
    assert replace(ADA, vitality=0, injuries=1).is_down
    assert not replace(ADA, vitality=1, injuries=1).is_down
    with pytest.raises(SetupError, match="a PC draws one at 0"):
        replace(ADA, vitality=0)
    with pytest.raises(SetupError, match="injured_this_stage without an Injury"):
        replace(ADA, injured_this_stage=True)
    assert replace(ADA, injured_this_stage=True, injuries=1).injuries == 1
    card = Armor(active=Active(dr=1))
    for armor in (None, Armor()):
        with pytest.raises(SetupError, match="armor_active without an Armor"):
            Fighter(armor=armor, armor_active=True)
    assert Fighter(armor=card, armor_active=True).worn is card
    owned: tuple[dict[str, Any], ...] = (
        {"phys_def": 1}, {"ess_def": 1}, {"dr": 1}, {"dodge": "1D4"}, {"center": "1D4"},
    )  # fmt: skip
    for own in owned:
        with pytest.raises(SetupError, match="leave the other out"):
            Fighter(armor=card, **own)
    kinds: tuple[Any, ...] = (Fighter, Armor)
    for name, kind in product(("dodge", "center"), kinds):
        with pytest.raises(SetupError, match="not one line of dice"):
            kind(**{name: "1D4+1D6"})
        with pytest.raises(SetupError, match=f"^{kind.__name__} 'Mail': '1D4.1D6' is not one line"):
            kind(**{name: "1D4+1D6"}, name="Mail")
    for wrong in ("1D4+1D6", "four dice"):
        with pytest.raises(SetupError, match=f"^Weapon 'Bow': '{re.escape(wrong)}' is not"):
            weapon(name="Bow", dice=wrong)
    ranges: tuple[dict[str, Any], ...] = ({"reach": "ranged"}, {"range_zones": 1})
    for given in ranges:
        with pytest.raises(SetupError, match="allowed: 1 or more"):
            weapon(**given)


@pytest.mark.parametrize("late", ["on_hit", "on_damage"])
@pytest.mark.parametrize(
    "changes", [{"each_die": 1}, {"rerolls": 1}, {"sweeps": 1}, {"focus": (1,)}]
)
def test_ee31_late_features_change_no_dice_in_any_way(late: Any, changes: dict[str, Any]) -> None:
    with pytest.raises(SetupError, match="it can't change them"):
        feature("Late", timing=late, **changes)
    assert feature("Early", timing="post_roll", **changes).timing == "post_roll"


@pytest.mark.parametrize("changes", [{"damage": 1}, {"piercing": 1}])
def test_ee31_damage_is_not_added_once_it_is_done(changes: dict[str, Any]) -> None:
    with pytest.raises(SetupError, match="only bring a condition"):
        feature("Late", timing="on_damage", **changes)
    assert feature("Late", timing="on_hit", **changes).timing == "on_hit"


def test_ee30_cubes_cover_colour_by_colour() -> None:
    two = Cubes(red=2, blue=2, black=2)
    assert two.covers(two)
    for more in (Cubes(red=3), Cubes(blue=3), Cubes(black=3)):
        assert not two.covers(more)
    assert two - Cubes(red=1, black=2) == Cubes(red=1, blue=2, black=0)
    assert two + Cubes(red=1, blue=2, black=3) == Cubes(red=3, blue=4, black=5)
    assert Cubes(red=1, blue=2, black=4).number == 7


# -- effects after the roll, one by one ------------------------------------------------------


BAND = Band(2, 6, 6)


def named(
    dice: tuple[Shown, ...], post_roll: PostRoll, sides: int = 6, **picks: str
) -> dict[str, tuple[Any, ...]]:
    """Moves by name: the dice that lie then, those lifted, Focus, uses and price."""
    rulings = Rulings.pick(SYSTEM.rulings, picks)
    found = moves(dice, post_roll, BAND, sides, rulings)
    assert len({move.name for move in found}) == len(found)
    return {
        move.name: (
            tuple(die.value for die in move.dice),
            tuple(die.value for die in move.lifted),
            move.effects.focus,
            move.effects.uses,
            move.pays,
        )
        for move in found
    }


FOCUSED = PostRoll("attacker", on_attack=True, focus=(1, 2), uses=2)


def test_ee36_every_focus_that_changes_something_is_offered_once() -> None:
    """Of 3, 5 and 6, where 6 and more are sure and 2 and less a miss."""
    dice = (Shown(3), Shown(5), Shown(6, special=True))
    assert named(dice, FOCUSED) == {
        "focus-1-on-3": ((4, 5, 6), (), (2,), 1, 0),
        "focus-1-on-5": ((3, 6, 6), (), (2,), 1, 0),
        "focus-2-on-3": ((5, 5, 6), (), (1,), 1, 0),
        "focus-2-on-5": ((3, 6, 6), (), (1,), 1, 0),
    }
    once = named(dice, FOCUSED._replace(uses=1), focus_cost="blue")
    assert once["focus-1-on-3"] == ((4, 5, 6), (), (), 0, 1)
    assert named(dice, FOCUSED._replace(uses=0)) == {}
    twins = (Shown(3), Shown(3))
    assert list(named(twins, FOCUSED)) == ["focus-1-on-3", "focus-2-on-3"]
    assert named(dice, FOCUSED, sides=4, focus_limit="die") == {
        "focus-1-on-3": ((4, 5, 6), (), (2,), 1, 0),
        "focus-2-on-3": ((4, 5, 6), (), (1,), 1, 0),
    }


def test_ee36_focus_in_parts_and_over_dice() -> None:
    dice, two = (Shown(3), Shown(4)), FOCUSED._replace(focus=(2,), uses=1)
    assert list(named(dice, two, focus_amount="up_to")) == [
        "focus-2-on-3", "focus-2-on-4", "focus-2-only-1-on-3",
        "focus-2-only-1-on-4",
    ]  # fmt: skip
    split = named(dice, two, focus="split")
    assert sorted(row[0] for row in split.values()) == [(3, 6), (4, 5)]  # 5 and 4 lie like 4 and 5
    parts = named(dice, two, focus="split", focus_amount="up_to")
    assert sorted(row[0] for row in parts.values()) == [(3, 5), (3, 6), (4, 4), (4, 5)]


def test_ee35_every_handful_is_offered_once() -> None:
    dice = (Shown(1 + 1), Shown(4), Shown(4))
    one = PostRoll("attacker", on_attack=True, rerolls=1)
    assert named(dice, one) == {
        "reroll-miss": ((4, 4), (0,), (), 0, 0), "reroll-4": ((2, 4), (0,), (), 0, 0),
    }  # fmt: skip
    assert named(dice, one, reroll="all") == {"reroll-miss-4-4": ((), (0, 0, 0), (), 0, 0)}
    assert named(dice, one, reroll="better")["reroll-4"] == ((2, 4), (4,), (), 0, 0)
    sweeping = PostRoll("attacker", on_attack=True, sweeps=1)
    assert list(named(dice, sweeping)) == [
        "sweep-miss", "sweep-4", "sweep-miss-4", "sweep-4-4", "sweep-miss-4-4",
    ]  # fmt: skip
    assert named(dice, PostRoll("attacker", on_attack=True)) == {}
    both = moves(
        dice, PostRoll("attacker", on_attack=True, rerolls=2, sweeps=3), BAND, 6, Rulings()
    )
    assert {(move.effects.rerolls, move.effects.sweeps) for move in both} == {(1, 3), (2, 2)}
    defending = moves(dice, PostRoll("defender", on_attack=False, rerolls=1), BAND, 6, Rulings())
    assert [move.name for move in defending] == ["reroll-2", "reroll-4"]
    assert [move.also for move in defending] == [(), ()]


def test_ee35_a_die_that_is_told_by_a_word_answers_to_its_numbers() -> None:
    dice = (Shown(2), Shown(4), Shown(6))
    one = PostRoll("attacker", on_attack=True, rerolls=1, focus=(1,), uses=1)
    also = {move.name: move.also for move in moves(dice, one, BAND, 8, Rulings())}
    assert also["reroll-miss"] == ("reroll-1", "reroll-2")
    assert also["reroll-sure"] == ("reroll-6", "reroll-7", "reroll-8")
    assert also["reroll-4"] == ()
    assert also["focus-1-on-miss"] == ("focus-1-on-1", "focus-1-on-2")


def test_ee35_dice_rolled_again_keep_what_is_added_to_each() -> None:
    read = Again((Shown(3),), (Shown(0), Shown(0)), Band(2, 6), 1)
    assert read((1, 4)) == (Shown(2), Shown(3), Shown(5))
    pool = Pool((d(4), 2))
    assert read.counted(pool) == enumerated(pool, read)
    uneven = Again((Shown(3),), (Shown(0), Shown(4)), Band(2, 6), 1, better=True)
    assert uneven((1, 1)) == (Shown(2), Shown(3), Shown(4))
    assert uneven.counted(pool) == enumerated(pool, uneven)


def test_ee34_the_defender_sees_what_lies_there() -> None:
    made = setup(weapon("2D6"), target(dodge="1D4+1", rerolls=1))
    seen = question(asked(game(made, choose_reaction="dodge"), (5, 6), (2,)))
    assert dict(seen.about) == {"attack dice over the defense by": "1 2", "Dodge dice": "3"}
    missed = question(asked(game(made, choose_reaction="dodge"), (1, 2), (2,)))
    assert dict(missed.about)["attack dice over the defense by"] == "none"
    done = play(game(made, choose_reaction="dodge"), 5, 6, 1, 2, options=("reroll-2", "stop-2"))
    assert done["hits"] == 0  # 2 + 1 against 1 and 2


def test_ee34_turns_of_effects_go_to_and_fro() -> None:
    one = PostRoll("attacker", on_attack=True, rerolls=2)
    other = PostRoll("defender", on_attack=False, rerolls=1)
    attack, dodge = AttackDice(sides=6, low=2, high=6), DodgeDice(sides=4, cap=4)
    terms = Terms(rulings=Rulings(), attack=attack, dodge=dodge)
    dice = (Shown(4),)

    def queues(reading: str, *sides: PostRoll) -> dict[str, tuple[PostRoll, ...]]:
        rulings = Rulings.pick(SYSTEM.rulings, {"post_roll": reading})
        found = ways(replace(terms, rulings=rulings), sides, dice, on_attack=sides[0].on_attack)
        return {move.name: queue for move, queue in found}

    used = one._replace(rerolls=1)
    assert queues("attacker", one, other) == {"pass": (other,), "reroll-4": (used, other)}
    assert queues("attacker", used, other) == {"pass": (other,), "reroll-4": (other,)}
    waits = one._replace(passed=True)
    assert queues("alternate", one, other) == {"pass": (other, waits), "reroll-4": (other, used)}
    assert queues("alternate", other, waits) == {"pass": (), "reroll-4": (one,)}
    assert queues("alternate", one) == {"pass": (), "reroll-4": (used,)}


# -- what is closed, and why -----------------------------------------------------------------


def test_ee29_a_reaction_that_is_closed_says_why() -> None:
    able = {"dodge": "1D4", "center": ""}

    def says(picks: dict[str, str] | None = None, **changes: Any) -> dict[str, str]:
        session = asked(game(setup(weapon("1D6"), target(**{**able, **changes})), picks))
        asks = session.question
        return dict(asks.closed) if asks and asks.step == "choose_reaction" else {}

    none = "there are no dice for it on the stat block or Armor (EE-29)"
    assert says() == {"center": none}
    assert says(center="1D6") == {}
    for answer, changes, picks, why in (
        ("dodge", {"reactions": 0}, {}, "no reaction is left until the next turn (EE-61)"),
        ("dodge", {}, {"dodge_dice": "cube"}, "no blue cube is left for it (A-2)"),
        ("center", {}, {}, none),
    ):
        start = game(setup(weapon("1D6"), target(**{**able, **changes})), picks,
                     choose_reaction=answer)  # fmt: skip
        with pytest.raises(AnswerError, match=re.escape(why)):
            play(start, 1)
    one = target(dodge="1D4", reactions=2, cubes=Cubes(blue=1))
    done = play(game(setup(weapon("1D6"), one), {"dodge_dice": "cube"}), 1, 1, options=("dodge",))
    assert (done["reactions"], done["defender_blue_cubes"]) == (1, 0)


def test_ee30_what_is_too_dear_is_closed_with_its_price() -> None:
    dear = feature("Dear", red=2, blue=1, damage=1)
    fair = feature("Fair", red=1, damage=1)
    made = setup(striker(weapon("1D6", features=(dear, fair)), cubes=Cubes(red=2)))
    session = asked(game(made))
    assert dict(question(session).closed) == {
        "Dear": "costs 2 red, 1 blue; at hand: 2 red",
    }
    assert offered(session) == ["none", "Fair"]
    ward = feature("Ward", timing="immediate", red=0, blue=3, dr=1)
    calm = feature("Calm", timing="immediate", red=1, dr=2)
    armed = target(abilities=(ward, calm), cubes=Cubes(red=1, blue=2))
    session = asked(game(setup(weapon("1D6"), armed)))
    assert dict(question(session).closed) == {"Ward": "costs 3 blue; at hand: 1 red, 2 blue"}
    assert offered(session) == ["none", "Calm"]


def test_ee44_a_counter_that_is_closed_says_why() -> None:
    armed = target(attacks=(weapon("1D6"),))
    rows: tuple[tuple[Any, str, dict[str, Any], str], ...] = (
        (target(), "attack", {}, "there is no weapon to strike back with (A-18)"),
        (armed, "paid", {}, "no red cube is left for it (A-18)"),
        (armed, "attack", {"distance_zones": 1}, "melee reaches figures in the same Zone"),
    )
    for foe, kind, changes, why in rows:
        made = setup(bow("1D6"), foe, **changes)
        start = game(made, {"counter": kind}, offer_counter="counter")
        with pytest.raises(AnswerError, match=re.escape(why)):
            play(start, 1, 1)
    paid = replace(armed, cubes=Cubes(red=1))
    done = play(game(setup(weapon("1D6"), paid), {"counter": "paid"}), 1, 6, options=("counter",))
    assert (done["counter_damage"], done["defender_red_cubes"]) == (2, 0)


def test_ee51_who_can_not_be_revived_or_revive_is_told() -> None:
    down = replace(BO, vitality=0, injuries=1)
    rich = replace(ADA, cubes=Cubes(black=3))
    rows: tuple[tuple[Fighter, Fighter, str], ...] = (
        (rich, rich, "Ada can't revive themselves"),
        (rich, replace(down, name="Ada"), "Ada can't revive themselves"),
        (replace(rich, side="ally"), down, "Ada is an ally; only another player revives"),
        (replace(rich, vitality=0, injuries=1), down, "Ada is down and can't act"),
        (rich, BO, "Bo is not down and needs no revival"),
        (replace(rich, cubes=Cubes(red=9, black=2)), down, "Ada has 2 black cubes"),
    )
    for who, whom, why in rows:
        with pytest.raises(SetupError, match=why):
            game(setup(who, whom, act="revive"))
    twins = replace(rich, name=""), replace(down, name="")
    assert play(game(setup(*twins, act="revive")), 2)["vitality"] == 2


def test_ee52_the_stage_ends_with_the_last_injury_and_the_row_with_it() -> None:
    weak = replace(ADA, phys_def=0, vitality=1)
    for others, ended, left in ((("carried",), True, 4), (("none",), False, 2)):
        made = setup(weapon("1D6"), weak, attacks=2, other_pcs=others)
        faces = (1, 4) if ended else (1, 4, 1)
        done = play(game(made), *faces)
        assert (done["stage_ended"], done["vitality"], done["injuries"]) == (ended, left, 1)
    cut = play(game(setup(weapon("1D6"), weak), {"last_regain": "no"}), 1)
    assert (cut["stage_ended"], cut["vitality"], cut["injured_this_stage"]) == (True, 0, True)
    goes_on = game(setup(weapon("1D6"), weak, other_pcs=("none",)), {"last_regain": "no"})
    assert play(goes_on, 1, 6)["vitality"] == 6


def test_ee44_ee50_who_may_counter() -> None:
    down = replace(ADA, vitality=0, injuries=1, attacks=(weapon("1D6"),))
    for reading, counter in (("yes", False), ("no", True)):
        assert (
            play(game(setup(weapon("1D6"), down), {"counter_able": reading}), 1)["counter"]
            is counter
        )
    harmless = weapon("1D6", 0)
    for reading, counter in (("counter", True), ("none", False)):
        assert play(game(setup(harmless), {"harmless": reading}), 1)["counter"] is counter


def test_ee45_an_effect_may_fire_on_every_face() -> None:
    assert [Band(0, 6, 1).of(face).special for face in (1, 2)] == [True, True]
    assert [Band(0, 6).of(face).special for face in (0, 1)] == [False, False]
    assert [Band(0, 6, 3).of(face).special for face in (2, 3)] == [False, True]


def test_ee39_dice_below_zero_take_nothing_from_the_others() -> None:
    """1 less 2 and 4 less 2: worth 0 and 2 together, or 1 where less than nothing counts."""
    for rerolls in (0, 1):  # dice that can still be changed, and dice that can't
        made = setup(weapon("1D6"), target(dodge="2D4-2", rerolls=rerolls))
        passes = ("pass",) * rerolls
        start = game(made, choose_reaction="dodge")
        assert play(start, 6, 1, 4, options=(*passes, "stop-1"))["hits"] == 0
        adds = game(made, {"negative": "adds"}, choose_reaction="dodge")
        assert play(adds, 6, 1, 4, options=passes)["hits"] == 1


@pytest.mark.parametrize("timing", ["pre_roll", "immediate", "post_roll", "on_hit"])
def test_ee23_a_feature_without_a_condition_brings_none(timing: Any) -> None:
    plain = feature("Plain", timing=timing, damage=1)
    by = striker(weapon("1D6", features=(plain,)), cubes=Cubes(red=1))
    done = play(game(setup(by)), 6, options=("Plain",))
    assert (done["conditions"], done["damage"]) == ((), 3)
    both = replace(plain, name="Both", cost=Cubes(), condition=Affliction(name="Bled"))
    two = striker(weapon("1D6", features=(plain, both)), cubes=Cubes(red=1))
    again = play(game(setup(two)), 6, options=("Plain+Both",))
    assert (again["conditions"], again["damage"]) == (("Bled",), 4)


def test_ee34_what_is_bought_after_the_roll_is_told_and_adds_to_what_there_was() -> None:
    late = feature("Late", timing="post_roll", each_die=2, sweeps=2, rerolls=1, focus=(2,),
                   damage=3, piercing=2, condition="Bled")  # fmt: skip
    early = feature("Early", each_die=1)
    by = striker(
        weapon("1D6", features=(late, early)), rerolls=2, sweeps=1, focus=(1,), cubes=Cubes(red=2)
    )
    session = asked(game(setup(by)), "Early", (1,), "Late")
    (post_roll,) = facts_of(session).post_roll
    assert post_roll == PostRoll(
        "attacker", on_attack=True, rerolls=3, sweeps=3, focus=(1, 2), uses=2
    )  # fmt: skip
    terms = facts_of(session).terms
    assert (terms.attack.extra, terms.attack.shift, terms.later) == (3, 3 - 4, ())
    assert (terms.hit.damage, terms.hit.piercing, terms.hit.conditions) == (
        2 + 3, 2, (Affliction(name="Bled"),),
    )  # fmt: skip
    assert terms.striker.cubes == Cubes()
    (total,) = line(session.answer("pass"), "apply_modifiers").totals
    assert [(row.label, row.value) for row in total.terms] == [("features", 3)]
    alone = striker(weapon("1D6", features=(late,)), cubes=Cubes(red=1))
    (bought,) = facts_of(asked(game(setup(alone)), (1,), "Late")).post_roll
    assert bought == PostRoll("attacker", on_attack=True, rerolls=1, sweeps=2, focus=(2,), uses=1)
