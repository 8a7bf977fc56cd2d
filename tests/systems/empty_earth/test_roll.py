"""Steps 3 to 5: the roll, Reroll and Focus, modifiers."""

from fractions import Fraction

import pytest

from affray.core.errors import AnswerError
from affray.engine.exchange.session import Session
from affray.systems.empty_earth.reading import Band, Shown
from affray.systems.empty_earth.sheet import Cubes

from .factory import (
    asked,
    bow,
    chance,
    facts_of,
    feature,
    game,
    line,
    offered,
    over,
    play,
    played,
    question,
    setup,
    striker,
    target,
    weapon,
)


def test_ee32_the_attacker_rolls_the_attack_dice() -> None:
    asks = question(Session(game(setup(weapon("2D8")))))
    assert (asks.actor, str(asks.dice)) == ("attacker", "2d8")


@pytest.mark.parametrize(
    ("kind", "reaction", "rolls"),
    [
        ("physical", "dodge", True),
        ("physical", "center", False),  # V46
        ("essential", "center", True),
        ("essential", "dodge", False),  # V19
    ],
)
def test_ee33_dodge_against_physical_center_against_essential(
    kind: str, reaction: str, rolls: bool
) -> None:
    made = setup(weapon(kind=kind), target(dodge="1D4", center="1D4"))
    session = asked(game(made, choose_reaction=reaction), (5, 6))
    assert (session.question is not None) is rolls
    if rolls:
        assert (question(session).actor, str(question(session).dice)) == ("defender", "1d4")


def test_ee33_a_useless_reaction_is_spent_all_the_same() -> None:
    made = setup(weapon(kind="essential"), target(dodge="1D4"))
    assert play(game(made, choose_reaction="dodge"), 5, 6)["reactions"] == 0


def test_ee34_both_sides_use_effects_on_their_own_dice_attacker_first() -> None:
    made = setup(striker(rerolls=1), target(dodge="1D4", rerolls=1, focus=(2,)))
    session = asked(game(made, choose_reaction="dodge"), (1, 6), 1)
    assert question(session).actor == "attacker"
    assert offered(session) == ["pass", "reroll-miss", "reroll-6"]
    session = session.answer("pass")
    assert question(session).actor == "defender"
    assert offered(session) == ["pass", "focus-2-on-1", "reroll-1"]
    session = session.answer("reroll-1").answer((3,))
    assert offered(session) == ["pass", "focus-2-on-3"]


def test_ee34_effects_are_used_up() -> None:
    made = setup(striker(rerolls=2))
    session = asked(game(made), (1, 1), "reroll-miss", 2, "reroll-miss")
    assert str(question(session).dice) == "1d6"
    assert session.answer((5,)).outcome is not None


def test_ee35_a_rerolled_value_is_the_unmodified_value() -> None:  # S-4, V12
    made = setup(striker(weapon(unmodified=4), rerolls=1))
    session = played(game(made), 1, 6, 4, options=("reroll-miss",))
    assert facts_of(session).unmodified == 2  # 4 and 6
    assert play(game(made), 1, 6, 4, options=("reroll-miss",))["hits"] == 1  # the 4 ties


def test_ee35_the_new_value_stands_even_if_worse() -> None:
    made = setup(striker(weapon("1D6"), rerolls=1))
    assert play(game(made), 6, 1, options=("reroll-sure",))["hits"] == 0


def test_ee36_focus_raises_the_value_not_the_unmodified_value() -> None:  # S-5, V13a
    made = setup(striker(weapon(unmodified=4), focus=(3,)))
    done = play(game(made), 1, 6, options=("focus-3-on-miss",))
    assert (done["hits"], done["unmodified"]) == (1, 1)
    with_bonus = setup(striker(weapon("2D6+1", unmodified=4), focus=(3,)))
    session = played(game(with_bonus), 1, 6, options=("focus-3-on-1",))  # V13b
    assert over(session) == [5, 5]  # the 7 is held: without a Dodge nothing stops either
    assert facts_of(session).unmodified == 1


def test_ee36_focus_is_for_one_die_and_exact() -> None:
    made = setup(striker(weapon("2D6"), focus=(2,)))
    session = asked(game(made), (3, 4))
    assert offered(session) == ["pass", "focus-2-on-3", "focus-2-on-4"]
    assert play(game(made), 3, 4, options=("focus-2-on-3",))["hits"] == 1
    assert play(game(made), 2, 2, options=("focus-2-on-miss",))["hits"] == 0  # 4 ties


@pytest.mark.parametrize(("dice", "hits"), [("2D6+1", 1), ("2D6-1", 0), ("2D6", 0)])
def test_ee37_the_printed_number_counts_for_each_die(dice: str, hits: int) -> None:
    assert play(game(setup(weapon(dice))), 4, 3)["hits"] == hits
    assert play(game(setup(weapon("2D6+2"))), 3, 3)["hits"] == 2


def test_ee38_aim_adds_to_every_die() -> None:  # V11a
    made = setup(striker(weapon("2D6+1", aim=2), cubes=Cubes(blue=1)))
    session = played(game(made, take_aim="aim"), 1, 3)
    assert over(session) == [5]  # held at "sure"; the other ties at 4
    assert play(game(made, take_aim="aim"), 2, 3)["hits"] == 2


def test_ee39_dodge_dice_have_modifiers_of_their_own() -> None:  # V17
    made = setup(weapon(), target(dodge="1D4+1"))
    done = play(game(made, choose_reaction="dodge"), 6, 6, 1, options=("stop-1",))
    assert (done["hits"], done["damage"]) == (1, 2)
    plain = setup(weapon(), target(dodge="1D4"))
    assert play(game(plain, choose_reaction="dodge"), 6, 6, 1)["hits"] == 2


def test_ee40_all_modifiers_add_up() -> None:  # V11b
    made = setup(
        striker(bow("2D6+1", aim=2), cubes=Cubes(blue=1)),
        distance_zones=1,
        hostile_in_own_zone=1,
    )
    done = play(game(made, take_aim="aim"), 1, 3)
    assert (done["hits"], done["vitality"]) == (1, 8)


def test_ee40_no_floor_no_cap_no_automatic_hit_or_miss() -> None:
    assert play(game(setup(weapon("1D6+4"))), 1)["hits"] == 1
    assert play(game(setup(weapon("1D6-2"))), 6)["hits"] == 0
    assert play(game(setup(weapon("1D6"), target(phys_def=0))), 1)["hits"] == 1
    assert play(game(setup(weapon("1D6"), target(phys_def=6))), 6)["hits"] == 0


def test_ee45_the_natural_roll_counts_and_nothing_else() -> None:
    made = setup(striker(weapon("2D6+3", aim=2, unmodified=6), cubes=Cubes(blue=1)))
    assert play(game(made, take_aim="aim"), 5, 6)["unmodified"] == 1
    low = setup(weapon("2D6-1", unmodified=6))
    assert play(game(low), 6, 6)["unmodified"] == 2


def test_ee45_effects_fire_for_dice_that_miss_unless_they_need_a_hit() -> None:
    for must_hit, fired in ((False, 2), (True, 0)):
        made = setup(weapon("2D4", unmodified=4, unmodified_must_hit=must_hit))
        assert play(game(made), 4, 4)["unmodified"] == fired


def test_ee45_the_dodge_may_go_for_the_dice_with_an_effect() -> None:
    made = setup(weapon("2D6+1", 2, unmodified=6, unmodified_must_hit=True), target(dodge="1D6"))
    session = asked(game(made, choose_reaction="dodge"), (5, 6), 3)
    assert offered(session) == ["none", "stop-0-and-1-special", "stop-1"]
    done = play(game(made, choose_reaction="dodge"), 5, 6, 3, options=("stop-0-and-1-special",))
    assert (done["hits"], done["unmodified"]) == (1, 0)
    kept = play(game(made, choose_reaction="dodge"), 5, 6, 3, options=("stop-1",))
    assert (kept["hits"], kept["unmodified"]) == (1, 1)


def test_ee45_fishing_for_an_unmodified_six() -> None:  # O19
    plain = setup(weapon(unmodified=6))
    assert 1 - chance(game(plain), "unmodified", 0) == Fraction(11, 36)
    fishing = setup(striker(weapon(unmodified=6), rerolls=1))
    assert 1 - chance(game(fishing), "unmodified", 0, wish="effect") == Fraction(91, 216)


def test_ee34_a_feature_bought_after_the_roll_brings_effects() -> None:
    sight = feature("Sight", timing="post_roll", rerolls=1, focus=(1,), each_die=1)
    made = setup(striker(weapon(features=(sight,)), cubes=Cubes(red=1)))
    session = asked(game(made), (1, 4), "Sight")
    assert (
        offered(session) == ["pass", "focus-1-on-4", "reroll-miss", "reroll-4"]
        or offered(session)[0] == "pass"
    )
    done = play(game(made), 1, 4, 4, options=("Sight", "reroll-miss", "pass"))
    assert (done["hits"], done["cubes"]) == (2, 0)


def test_ee36_focus_on_a_die_is_forgotten_where_no_dice_fall_again() -> None:
    """A cube for Up is left, but it could only be bought together with Lens."""
    lens = feature("Lens", timing="post_roll", focus=(1, 1))
    up = feature("Up", timing="post_roll", each_die=1)
    made = setup(striker(weapon(features=(lens, up)), cubes=Cubes(red=2)), target(dodge="1D4"))
    start = game(made, {"refocus": "kept"}, choose_reaction="dodge")
    session = asked(start, (3, 4), 4, "Lens", "focus-1-on-3")
    assert offered(session) == ["pass", "focus-1-on-4"]  # two fours, and they are alike


def test_dice_that_cannot_matter_any_more_are_one() -> None:
    made = setup(striker(weapon("2D12"), rerolls=1), target(dodge="1D4"))
    session = asked(game(made, choose_reaction="dodge"), (1, 12), 2)
    assert offered(session) == ["pass", "reroll-miss", "reroll-sure"]
    told = line(session, "roll_attack").says
    assert told == "1 miss, 12 hit (4 or less misses, 9 or more hits)."


def test_ee32_words_beside_faces_are_in_the_order_of_the_faces() -> None:
    made = game(setup(striker(weapon("3D6"))))
    told = line(asked(made, (1, 5, 1)), "roll_attack").says
    assert told == "1 miss, 5 hit, 1 miss (5 or more hits)."


def test_a_band_holds_values_at_its_edges() -> None:
    band = Band(4, 9, 6)
    assert band.of(2) == Shown(4)
    assert band.of(4) == Shown(4)
    assert band.of(5) == Shown(5)
    assert band.of(9) == band.of(12) == Shown(9, special=True)


def test_ee35_a_sweep_rerolls_any_number_at_once() -> None:
    made = setup(striker(weapon("3D6"), sweeps=1))
    session = asked(game(made), (1, 2, 6))
    assert offered(session) == [
        "pass", "sweep-miss", "sweep-sure", "sweep-miss-miss", "sweep-miss-sure",
        "sweep-miss-miss-sure",
    ]  # fmt: skip
    done = play(game(made), 1, 2, 6, 5, 5, options=("sweep-miss-miss",))
    assert done["hits"] == 3


def test_ee36_focus_bought_after_the_roll_costs_cubes_under_that_ruling() -> None:  # A-5d
    lens = feature("Lens", timing="post_roll", focus=(1, 1))
    made = setup(striker(weapon(features=(lens,)), cubes=Cubes(red=1, blue=1)))
    start = game(made, {"focus_cost": "blue"})
    done = play(start, 4, 4, options=("Lens", "focus-1-on-4"))  # one blue cube, one Focus
    assert (done["hits"], done["cubes"]) == (1, 0)


def test_ee36_what_was_bought_after_the_roll_is_gone_for_focus() -> None:  # A-5d
    """Two blue cubes: one buys the lens, the other one Focus; the second Focus is out of reach."""
    lens = feature("Lens", red=0, blue=1, timing="post_roll", focus=(1, 1))
    made = setup(striker(weapon(features=(lens,)), cubes=Cubes(blue=2)))
    done = play(game(made, {"focus_cost": "blue"}), 4, 4, options=("Lens", "focus-1-on-4"))
    assert (done["hits"], done["cubes"]) == (1, 0)


def test_the_log_never_shows_a_held_value_as_if_it_were_rolled() -> None:
    session = played(game(setup(weapon("1D12"))), 11)
    assert line(session, "apply_modifiers").says == "1 die beats Defense 4."


@pytest.mark.parametrize("defence", [4, 5])
def test_a_script_that_names_faces_holds_whatever_the_defence(defence: int) -> None:
    """A 1 is picked up: "reroll-1" says so, though any miss is as good as another."""
    session = asked(game(setup(striker(rerolls=1), target(phys_def=defence))), (1, 6))
    assert "reroll-1" not in offered(session)
    again = session.answer("reroll-1")
    assert again.answers[-1].option == "reroll-miss"
    assert again.here == session.answer("reroll-miss").here


def test_a_value_that_does_not_lie_there_has_no_name() -> None:
    """A 4 that Focus can lift and a sure hit lie there, and no miss."""
    session = asked(game(setup(striker(rerolls=1, focus=(1,)), target(phys_def=4))), (4, 6))
    with pytest.raises(AnswerError, match="reroll-4"):
        session.answer("reroll-3")


def test_a_habit_may_be_named_by_a_face() -> None:
    made = setup(striker(rerolls=1))
    settled = game(made, adjust_attack="reroll-1")
    assert [line.option for line in asked(settled, (1, 6)).log][-1] == "reroll-miss"
