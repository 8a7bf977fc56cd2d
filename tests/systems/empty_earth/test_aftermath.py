"""Vitality 0: Injuries, being down, revival, the end of a Stage."""

from dataclasses import replace

import pytest

from affray.core.errors import SetupError
from affray.engine.exchange.session import Session
from affray.systems.empty_earth.sheet import Cubes, Fighter, Setup

from .factory import (
    ADA,
    BO,
    asked,
    game,
    joint,
    play,
    played,
    question,
    setup,
    striker,
    target,
    weapon,
)

HELPER = Fighter(name="Cy", side="pc", cubes=Cubes(black=3))
DOWN = replace(BO, vitality=0, injuries=1)


def revival(rescuer: Fighter = HELPER, down: Fighter = DOWN) -> Setup:
    return Setup(attacker=rescuer, defender=down, act="revive")


@pytest.mark.parametrize(("damage", "left"), [(9, 1), (10, 0), (11, 0)])
def test_ee46_vitality_falls_to_zero_at_most(damage: int, left: int) -> None:
    done = play(game(setup(weapon("1D6", damage))), 5)
    assert (done["vitality"], done["damage"]) == (left, damage)
    assert done["downed"] is (left == 0)


def test_ee47_the_first_zero_brings_an_injury_and_vitality() -> None:  # V31
    hurt = replace(BO, vitality=1)
    done = play(game(setup(weapon("3D6", 3), hurt, other_pcs=("none",))), 5, 5, 6, 3)
    assert (done["vitality"], done["injuries"], done["damage"]) == (3, 1, 9)
    assert (done["incapacitated"], done["downed"]) == (False, True)


def test_ee48_the_card_comes_before_the_die() -> None:
    session = asked(game(setup(weapon("1D6", 20), BO)), 5)
    assert question(session).ask == "Vitality"
    assert [entry.at.step.name for entry in session.steps_taken][-1] == "draw_injury"
    assert session.here.facts is not None


@pytest.mark.parametrize(("face", "vitality"), [(2, 2), (4, 4), (6, 4)])
def test_ee49_regained_vitality_is_held_to_the_track(face: int, vitality: int) -> None:
    short = replace(BO, vitality=4, vitality_max=4)
    assert play(game(setup(weapon("1D6", 9), short)), 5, face)["vitality"] == vitality


def test_ee50_the_second_zero_puts_a_pc_out() -> None:  # V32
    hurt = replace(BO, vitality=2, injuries=1)
    done = play(game(setup(weapon("1D6"), hurt, other_pcs=("none",))), 5)
    assert (done["vitality"], done["injuries"], done["incapacitated"]) == (0, 1, True)


def test_ee51_three_black_cubes_of_another_player_revive() -> None:
    done = play(game(revival()), 4)
    assert (done["vitality"], done["injuries"], done["incapacitated"]) == (4, 1, False)
    assert done["cubes"] == 0


@pytest.mark.parametrize(
    ("rescuer", "down", "says"),
    [
        (replace(HELPER, cubes=Cubes(black=2, red=5)), DOWN, "2 black cubes, reviving takes 3"),
        (replace(DOWN, cubes=Cubes(black=3)), DOWN, "can't revive themselves"),
        (replace(HELPER, side="ally"), DOWN, "only another player"),
        (HELPER, BO, "Bo is not down"),
        (replace(HELPER, vitality=0, vitality_max=9, injuries=1), DOWN, "Cy is down"),
    ],
)  # V34, V35
def test_ee51_a_revival_against_the_rules_is_refused(
    rescuer: Fighter, down: Fighter, says: str
) -> None:
    with pytest.raises(SetupError, match=says):
        game(revival(rescuer, down))


def test_ee52_the_stage_ends_when_the_last_pc_takes_an_injury() -> None:  # V37
    made = setup(weapon("1D6", 20), BO, attacks=2, other_pcs=("taken",))
    done = play(game(made), 5, 4)  # the second attack is canceled: no more dice
    assert (done["stage_ended"], done["injuries"], done["vitality"]) == (True, 1, 4)


def test_ee52_somebody_without_an_injury_keeps_the_stage_going() -> None:
    made = setup(weapon("1D6", 20), BO, attacks=2, other_pcs=("taken", "none"))
    session = asked(game(made), 5, 4)
    assert question(session).ask == "attack roll"


def test_ee52_alone_the_first_zero_ends_it() -> None:  # V38
    assert play(game(setup(weapon("1D6", 20), BO)), 5, 4)["stage_ended"] is True


def test_ee52_enemies_take_no_injury() -> None:
    assert play(game(setup(weapon("1D6", 20))), 5)["stage_ended"] is False


@pytest.mark.parametrize("side", ["enemy", "ally"])
def test_ee53_enemies_and_allies_at_zero_are_gone(side: str) -> None:
    done = play(game(setup(weapon("1D6", 10), target(side=side), attacks=3)), 5)
    assert (done["defeated"], done["incapacitated"], done["vitality"]) == (True, False, 0)


def test_ee54_who_is_down_stays_so() -> None:
    done = play(game(setup(weapon("1D6", 10), DOWN)), 5)
    assert (done["vitality"], done["injuries"], done["downed"]) == (0, 1, False)


def test_ee54_no_damage_brings_nobody_down() -> None:
    frail = replace(ADA, vitality=1)
    done = play(game(setup(weapon("1D6"), frail)), 4)
    assert (done["vitality"], done["injuries"]) == (1, 0)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"vitality": 11, "vitality_max": 10}, "at most vitality_max 10"),
        ({"injuries": 1}, "draws no Injury"),
        ({"vitality": 0}, "gone at 0"),
        ({"side": "pc", "vitality": 0}, "give injuries = 1"),
        ({"side": "pc", "injured_this_stage": True}, "without an Injury"),
        ({"armor_active": True}, "without an Armor"),
        ({"dodge": "1D4+1D6"}, "one line of dice"),
    ],
)
def test_ee47_impossible_conditions_are_refused(changes: dict[str, object], says: str) -> None:
    with pytest.raises(SetupError, match=says):
        target(**changes)


def test_odds_of_vitality_after_an_injury() -> None:
    """1D6 against 4 for 5 on Vitality 5 of at most 5: 2/3 stays; 1/3 rolls 1D6, 5 and 6 alike."""
    made = game(setup(weapon("1D6", 5), replace(BO, vitality=5, vitality_max=5)))
    rows = joint(made, "vitality", "injuries")
    assert rows[5, 0] * 3 == 2
    assert rows[5, 1] * 9 == 1
    assert rows[1, 1] * 18 == 1
    assert sum(rows.values()) == 1


def test_a_session_keeps_the_story() -> None:
    session = played(game(setup(weapon("1D6", 20), BO)), 5, 4)
    says = " ".join(row.says for row in session.log)
    for words in ("1 hit:", "Vitality 10 -> 0", "draws an Injury", "0 -> 4", "Stage ends"):
        assert words in says
    assert Session(game(setup())).question is not None
    assert striker().attacks
