"""Corners of the procedure that few situations reach."""

from affray.core.dice import Pool, d
from affray.core.reading import enumerated
from affray.systems.empty_earth.reading import Again, Band, Shown
from affray.systems.empty_earth.sheet import Cubes

from .factory import (
    asked,
    bow,
    feature,
    game,
    offered,
    play,
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
