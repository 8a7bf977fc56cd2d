"""Conditions (EE-56): they come with a hit, act, last, end, and are told."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import affray
from affray.core.errors import AnswerError, SetupError
from affray.systems.empty_earth.conditions import begun, injured, written
from affray.systems.empty_earth.fight import FIGHT
from affray.systems.empty_earth.gear import Active, Armor
from affray.systems.empty_earth.sheet import Affliction, Cubes, Feature, Fighter

from .factory import (
    ADA,
    asked,
    game,
    joint,
    line,
    offered,
    play,
    played,
    setup,
    striker,
    target,
    weapon,
)
from .test_fight import FOE, HUMAN, enter, outcomes, turn

SHAKEN = Affliction(name="Shaken", each_die=-1, turns=2)
FREE = Feature(name="Chill", timing="on_hit", condition=SHAKEN)
ARM = Affliction(name="Arm", each_die=-1)
CHILLER = striker(weapon("1D6", 1, features=(FREE,)))
CHILLING = weapon("1D6", 1, features=(FREE,))


def bearing(one: Fighter, **changes: Any) -> Fighter:
    return replace(one, conditions=(Affliction(name="Odd", **changes),))


@pytest.mark.parametrize(
    ("by", "against"),
    [
        (bearing(striker(), each_die=-1), target()),
        (striker(), bearing(target(), phys_def=1)),
    ],
    ids=["on the dice of the attacker", "on the defense"],
)
def test_ee56_a_condition_changes_dice_and_defenses(by: Fighter, against: Fighter) -> None:
    assert joint(game(setup(by, against)), "hits") == {  # each die needs a 6
        (0,): Fraction(25, 36), (1,): Fraction(10, 36), (2,): Fraction(1, 36),
    }  # fmt: skip


def test_ee56_it_changes_dodge_dice_and_resistance() -> None:
    slow = bearing(target(dodge="1D4"), each_die=-1)
    made = game(setup(weapon("1D6"), slow), choose_reaction="dodge")
    assert play(made, 5, 1)["hits"] == 1  # the 1 is worth nothing
    assert play(game(setup(weapon("1D6"), bearing(target(dr=1), dr=-2))), 6)["damage"] == 2
    assert play(game(setup(weapon("1D6"), bearing(target(dr=1), dr=-1))), 6)["damage"] == 2
    assert play(game(setup(weapon("1D6"), bearing(target(), dr=1))), 6)["damage"] == 1


def test_ee56_the_log_names_it_among_the_modifiers() -> None:
    session = played(game(setup(bearing(striker(), each_die=-1))), 6, 6)
    (total,) = line(session, "apply_modifiers").totals
    assert [(row.label, row.value, row.clause) for row in total.terms] == [
        ("Conditions", -1, "EE-56")
    ]


def test_ee56_one_that_forbids_reactions_leaves_none() -> None:
    stiff = bearing(target(dodge="1D4"), no_reactions=True)
    with pytest.raises(AnswerError, match=r"Odd forbids it \(EE-56\)"):
        asked(game(setup(defender=stiff), choose_reaction="dodge"))


def test_ee56_one_that_forbids_actions_leaves_no_attack_and_no_counter() -> None:
    with pytest.raises(SetupError, match=r"striker can't act: Odd \(EE-56\)"):
        game(setup(bearing(striker(), no_actions=True)))
    numb = bearing(target(attacks=(weapon(),)), no_actions=True)
    done = play(game(setup(defender=numb), {"counter": "attack"}), 1, 1)
    assert (done["counter"], done["counters"]) == (True, False)
    rescuer = bearing(replace(ADA, name="Cy", cubes=Cubes(black=3)), no_actions=True)
    with pytest.raises(SetupError, match="Cy can't act: Odd"):
        game(setup(rescuer, replace(ADA, vitality=0, injuries=1), act="revive"))


def test_ee56_nor_abilities_nor_the_effect_of_an_armor() -> None:
    ward = Feature(name="Ward", timing="immediate", dr=1)
    numb = bearing(target(abilities=(ward,)), no_actions=True)
    assert play(game(setup(weapon("1D6"), numb)), 6)["damage"] == 2
    worn = bearing(
        Fighter(armor=Armor(active=Active(dr=1)), cubes=Cubes(blue=1)), no_actions=True, turns=0
    )
    made = game(setup(weapon("1D6"), worn, new_turn="defender"))
    assert play(made, 6)["armor_active"] is False


@pytest.mark.parametrize(("turns", "left"), [(0, ("Odd",)), (1, ()), (2, ("Odd",))])
def test_ee56_it_ends_as_own_turns_begin(turns: int, left: tuple[str, ...]) -> None:
    made = setup(bearing(striker(), turns=turns), new_turn="attacker")
    assert play(game(made), 1, 1)["attacker_conditions"] == left


def test_ee56_the_turn_that_ends_it_can_be_used() -> None:
    numb = bearing(striker(), no_actions=True, turns=1)
    assert play(game(setup(numb, new_turn="attacker")), 6, 6)["hits"] == 2


def test_ee23_a_free_condition_is_taken_by_default() -> None:
    made = setup(CHILLING)
    session = asked(game(made), (6,))
    assert offered(session) == ["Chill", "none"]
    assert joint(game(made), "conditions") == {
        ((),): Fraction(2, 3),
        (("Shaken",),): Fraction(1, 3),
    }
    told = line(played(game(made), 6, options=("Chill",)), "buy_on_hit").says
    assert told == "The defender suffers Shaken."


def test_ee56_a_row_of_attacks_meets_what_the_first_one_brought() -> None:
    low = Affliction(name="Low", phys_def=-2)
    opens = weapon("1D6", 1, features=(replace(FREE, condition=low),))
    done = play(game(setup(opens, attacks=2), buy_on_hit=("Chill")), 5, 3)
    assert (done["hits"], done["conditions"]) == (2, ("Low",))


def test_ee56_a_second_time_it_begins_anew_and_counts_once() -> None:
    made = setup(CHILLING, target(vitality_max=20), attacks=3)
    assert play(game(made), 6, 6, 6, options=("Chill",) * 3)["conditions"] == ("Shaken",)


# -- in fights -------------------------------------------------------------------------------


def suffering(sheet: Fighter, *cards: Affliction) -> Any:
    return enter(replace(sheet, conditions=cards))


def test_ee56_fights_keep_it_and_end_it() -> None:
    foe = striker(weapon("1D6", 1, features=(FREE,)))
    hit = turn((foe, enter(foe)), (FOE, enter(FOE)))[1]  # against 0 every die hits
    assert [(one.card.name, one.left) for one in hit.now.conditions] == [("Shaken", 2)]
    once = FIGHT.begin_turn(FOE, hit)
    assert [one.left for one in once.now.conditions] == [1]
    assert FIGHT.begin_turn(FOE, once).now.conditions == ()
    healthy, shaken = enter(FOE), hit
    wall = target(phys_def=3)
    for mine, chance in ((healthy, Fraction(1, 2)), (shaken, Fraction(1, 3))):
        found = outcomes((FOE, mine), (wall, enter(wall)))
        assert sum(p for (_, two), p in found.items() if two.now.vitality < 10) == chance


def test_ee56_fighters_who_may_not_act_lose_the_turn() -> None:
    numb = Affliction(name="Numb", no_actions=True, turns=2)
    held = suffering(FOE, numb)
    first = FIGHT.begin_turn(FOE, held)
    assert FIGHT.deeds(FOE, first) == ()
    free = FIGHT.begin_turn(FOE, first)
    assert FIGHT.deeds(FOE, free) != ()


def test_ee56_the_attacker_of_a_fight_keeps_conditions_too() -> None:
    found = outcomes((HUMAN, suffering(HUMAN, SHAKEN)), (FOE, enter(FOE)))
    kept = {tuple((one.card.name, one.left) for one in mine.now.conditions) for mine, _ in found}
    assert kept == {(("Shaken", 1),)}


@pytest.mark.parametrize(
    ("condition", "word"),
    [
        (enter(HUMAN), "standing"),
        (enter(HUMAN, vitality=1, injuries=1), "injured"),
        (enter(HUMAN, injuries=1, conditions=begun((SHAKEN,))), "injured"),
        (enter(HUMAN, conditions=begun((SHAKEN,))), "suffering"),
        (enter(HUMAN, vitality=0, injuries=1, fallen="incapacitated"), "incapacitated"),
        (enter(FOE, fallen="defeated"), "defeated"),
    ],
)
def test_ee56_results_of_fights_tell_who_suffers(condition: Any, word: str) -> None:
    assert FIGHT.fate(HUMAN, condition) == word
    assert word in FIGHT.fates


def test_ee56_a_fight_tells_how_often_somebody_is_left_with_conditions() -> None:
    """A Haunt that always hits and never kills leaves Bo shaken, unless his turn has just begun."""
    table = {
        "first": "other",
        "one": {"fighters": [{"like": "bo", "attacks": [{"dice": "1D6", "damage": 9}]}]},
        "other": {"fighters": [{"like": "haunt", "phys_def": 0, "vitality": 1,
                                "attacks": [{"like": "cold_grip", "dice": "1D6+9",
                                             "kind": "essential", "piercing": 0}]}]},
    }  # fmt: skip
    assert affray.duel("empty-earth", table).fates[0]["suffering"] == pytest.approx(1)


def test_ee47_battles_and_duels_tell_how_often_somebody_is_left_with_an_injury() -> None:
    """The one with 1 Vitality is struck first and draws an Injury; then the mate strikes back."""
    frail = {"name": "Ada", "side": "pc", "vitality": 1, "vitality_max": 6}
    sure = {"attacks": [{"dice": "1D4", "damage": 1}]}
    mate = {"name": "Bo", "side": "pc", "vitality": 5, **sure}
    foe = {"fighters": [{"name": "Husk", "vitality": 1, **sure}]}
    table = {"first": "other", "one": {"fighters": [frail, mate]}, "other": foe}
    told = {one.name: one.fates for one in affray.battle("empty-earth", table).fighters}
    assert (told["Ada"]["injured"].value, told["Bo"]["injured"].value) == (1, 0)
    alone = affray.duel("empty-earth", {**table, "one": {"fighters": [frail]}})
    assert alone.fates[0]["injured"] == pytest.approx(1)


# -- from one setup to the next ----------------------------------------------------------------


def test_ee56_the_next_setup_has_what_is_left_of_it() -> None:
    hit = turn((CHILLER, enter(CHILLER)), (FOE, enter(FOE)))[1]
    once = FIGHT.begin_turn(FOE, hit).now.conditions
    (card,) = written(once)
    assert (card.name, card.turns, card.held, card.each_die) == ("Shaken", 1, False, -1)
    assert begun((card,)) == once
    (arm,) = written(injured((), ARM))
    assert (arm.turns, arm.held) == (0, True)
    assert begun((arm,)) == injured((), ARM)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Affliction(name=""), "a Condition without a name"),
        (lambda: Affliction(name="Arm", held=True, turns=1), "turns 1 of a card that is held"),
        (lambda: replace(FREE, condition=replace(ARM, held=True)), "only a fighter holds"),
        (lambda: replace(ADA, conditions=(replace(ARM, held=True),)), "without an Injury"),
        (lambda: setup(defender=ADA, injury_deck=(replace(ARM, held=True),)), "is held already"),
    ],
)
def test_ee59_a_card_is_held_with_an_injury_only(make: Any, says: str) -> None:
    with pytest.raises(SetupError, match=says):
        make()
