"""Features and Abilities at every timing (EE-57), for attackers and for defenders."""

from fractions import Fraction
from typing import Any

import pytest

from affray.core.errors import AnswerError, SetupError
from affray.systems.empty_earth.sheet import Affliction, Cubes, Feature

from .factory import (
    asked,
    feature,
    game,
    joint,
    offered,
    play,
    setup,
    striker,
    target,
    value,
    weapon,
)

CURSE = Affliction(name="Cursed", each_die=-1)


def ability(**changes: Any) -> Feature:
    return Feature(name="Art", **{"timing": "immediate", **changes})


@pytest.mark.parametrize("timing", ["immediate", "pre_roll", "post_roll", "on_hit"])
def test_ee57_an_attacker_uses_own_abilities_at_every_timing(timing: Any) -> None:
    rage = ability(timing=timing, damage=2, cost=Cubes(red=1))
    made = setup(striker(weapon("1D6"), abilities=(rage,), cubes=Cubes(red=1)))
    step = {
        "immediate": "buy_immediate", "pre_roll": "buy_features", "post_roll": "buy_after_roll",
        "on_hit": "buy_on_hit",
    }[timing]  # fmt: skip
    done = play(game(made, None, **{step: "Art"}), 6)
    assert (done["damage"], done["attacker_red_cubes"]) == (4, 0)


def test_ee57_dice_of_the_attack_by_an_ability() -> None:
    made = setup(striker(weapon("1D6"), abilities=(ability(timing="pre_roll", each_die=2),)))
    assert value(game(made), "hit") == Fraction(4, 6)


@pytest.mark.parametrize(
    ("role", "attacking", "defending"),
    [("either", True, True), ("attacker", True, False), ("defender", False, True)],
)
def test_ee57_a_role_says_who_uses_it(role: Any, attacking: bool, defending: bool) -> None:
    art = ability(each_die=6, role=role, cost=Cubes(red=1))
    by = striker(weapon("1D6"), abilities=(art,), cubes=Cubes(red=1))
    attack = game(setup(by))
    assert (value(attack, "hit") == 1) is attacking
    shy = target(dodge="1D4", abilities=(art,), cubes=Cubes(red=1))
    assert (value(game(setup(weapon("1D6"), shy)), "hit") == 0) is defending


def test_ee25_shields_can_be_gained_on_the_own_turn() -> None:
    cover = Feature(name="Cover", cost=Cubes(red=1), shields=2)
    made = setup(striker(weapon("1D6", features=(cover,)), cubes=Cubes(red=1), shields=5),
                 new_turn="attacker")  # fmt: skip
    assert play(game(made), 1, options=("Cover",))["attacker_shields"] == 2
    for timing in ("immediate", "post_roll", "on_hit", "on_damage"):
        late = setup(striker(weapon("1D6", features=(Feature(
            name="Cover", timing=timing, shields=2),))))  # fmt: skip
        assert play(game(late), 6, options=("Cover",))["attacker_shields"] == 2


# -- step 4: the defender ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("effect", "hits", "damage"),
    [({"defence": 1}, 1, 2), ({"dr": 3}, 2, 1), ({"shields": 1}, 2, 3)],
)
def test_ee34_defenders_use_abilities_after_the_roll(
    effect: dict[str, int], hits: int, damage: int
) -> None:
    ward = ability(timing="post_roll", **effect)
    done = play(game(setup(defender=target(abilities=(ward,)))), 5, 6, options=("Art",))
    assert (done["hits"], done["damage"]) == (hits, damage)


@pytest.mark.parametrize(
    ("effect", "faces", "options"),
    [
        ({"each_die": 1}, (6, 1), ("Art", "stop-1")),
        ({"focus": (1,)}, (6, 1), ("Art", "focus-1-on-1", "stop-1")),
        ({"rerolls": 1}, (6, 1, 2), ("Art", "reroll-1", "stop-1")),
    ],
)
def test_ee34_they_change_own_dodge_dice(
    effect: dict[str, Any], faces: tuple[int, ...], options: tuple[str, ...]
) -> None:
    nimble = target(dodge="1D4", abilities=(ability(timing="post_roll", **effect),))
    made = game(setup(weapon("1D6"), nimble), choose_reaction="dodge")
    assert play(made, *faces, options=options)["hits"] == 0


def test_ee34_abilities_for_dodge_dice_wait_for_a_dodge() -> None:
    nimble = target(dodge="1D4", abilities=(ability(timing="post_roll", each_die=1),))
    made = game(setup(weapon("1D6"), nimble), choose_reaction="none")
    assert play(made, 6)["hits"] == 1  # nothing is asked


@pytest.mark.parametrize(("reading", "first"), [("attacker", "attacker"), ("defender", "defender")])
def test_a4_post_roll_ee34_abilities_come_in_the_order_of_the_ruling(
    reading: str, first: str
) -> None:
    late = feature("Late", timing="post_roll", each_die=1)
    ward = ability(timing="post_roll", defence=1)
    made = setup(striker(weapon("1D6", features=(late,)), cubes=Cubes(red=1)),
                 target(abilities=(ward,)))  # fmt: skip
    session = asked(game(made, {"post_roll": reading}), (5,))
    question = session.question
    assert question is not None
    assert question.actor == first


def test_ee57_a_curse_of_the_defender_comes_upon_the_attacker_at_once() -> None:
    cursed = target(abilities=(ability(condition=CURSE),))
    done = play(game(setup(weapon("1D6"), cursed)), 5, options=("Art",))
    assert (done["hits"], done["attacker_conditions"]) == (0, ("Cursed",))
    late = target(abilities=(ability(timing="post_roll", condition=CURSE),))
    done = play(game(setup(weapon("1D6"), late)), 5, options=("Art",))
    assert (done["hits"], done["attacker_conditions"]) == (1, ("Cursed",))


# -- step 4: the attacker, after each Reroll ---------------------------------------------------


def test_ee34_a_feature_can_still_be_bought_after_a_reroll() -> None:
    push = feature("Push", timing="post_roll", each_die=1)
    by = striker(weapon("1D6", features=(push,)), rerolls=1, cubes=Cubes(red=1))
    session = asked(game(setup(by)), (2,), "none", "reroll-2", (4,))
    assert offered(session) == ["none", "Push"]
    done = play(game(setup(by)), 2, 4, options=("none", "reroll-2", "Push"))
    assert (done["hits"], done["attacker_red_cubes"]) == (1, 0)
    done = play(game(setup(by)), 2, 6, options=("none", "reroll-2", "none"))
    assert (done["hits"], done["attacker_red_cubes"]) == (1, 1)


def test_ee34_who_has_bought_it_is_not_asked_again() -> None:
    push = feature("Push", timing="post_roll", each_die=1)
    by = striker(weapon("1D6", features=(push,)), rerolls=1, cubes=Cubes(red=1))
    assert asked(game(setup(by)), (2,), "Push", "reroll-2", (4,)).outcome is not None


# -- input ------------------------------------------------------------------------------------


def test_ee57_one_name_for_a_feature_and_an_ability_is_refused() -> None:
    push = feature("Push", each_die=1)
    with pytest.raises(SetupError, match="Push names a Weapon Feature and an Ability; rename one"):
        striker(weapon(features=(push,)), abilities=(feature("Push", damage=1),))


def test_ee57_dear_abilities_are_closed_with_the_reason() -> None:
    art = ability(timing="pre_roll", damage=1, cost=Cubes(red=1))
    with pytest.raises(AnswerError, match="costs 1 red; at hand: nothing"):
        asked(game(setup(striker(abilities=(art,))), buy_features="Art"))


def test_ee57_free_features_come_first_and_dear_ones_after() -> None:
    both = (Feature(name="Free", damage=1), feature("Dear", damage=1))
    made = game(setup(striker(weapon(features=both), cubes=Cubes(red=1))))
    assert offered(asked(made)) == ["Free", "Free+Dear", "none", "Dear"]
    assert joint(made, "regular")


def test_ee28_attack_lines_of_one_name_are_refused() -> None:
    with pytest.raises(SetupError, match="attacks club, club; allowed: each named once"):
        striker(weapon(), weapon("1D6"))
    assert len(striker(weapon(name=""), weapon(name="")).attacks) == 2
