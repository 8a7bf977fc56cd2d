"""Steps 8 and 9: allies, layers, the body."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from affray.core.errors import AnswerError
from affray.systems.affinity.sheet import Combatant, Hazard, Layer, Setup

from .factory import (
    BARRIER,
    DAZED,
    LIGHT,
    MEDIUM,
    SLOWED,
    SYSTEM,
    ally,
    asked,
    attack,
    chance,
    dice,
    game,
    harmed,
    line,
    mean,
    odds,
    offered,
    play,
    played,
    question,
    setup,
    striker,
    target,
)

F = Fraction


# -- layers ----------------------------------------------------------------------------------


def test_af8_the_target_of_an_attack_defends() -> None:
    session = asked(attack(setup()), (4,))
    assert question(session).actor == "defender"
    assert dice(session) == "1d10"


def test_af20_anything_harmful_is_defended_against() -> None:
    assert dice(asked(game(harmed(1)))) == "1d10"


def test_af20_no_damage_no_defence() -> None:
    assert play(game(harmed(0)))["hd_lost"] == 0


@pytest.mark.parametrize(("level", "cap"), [(1, 1), (2, 1), (3, 1), (4, 1), (5, 2), (6, 2), (7, 2),
                                            (8, 2), (9, 3), (10, 3)])  # fmt: skip
def test_af21_capacity_is_half_the_proficiency_rounded_up(level: int, cap: int) -> None:
    assert dice(asked(game(harmed(1, target(level=level))))) == f"{cap}d10"


def test_af21_capacity_is_at_least_one_and_fresh_at_every_layer() -> None:
    made = game(harmed(9, target(BARRIER, LIGHT, proficiency=0)))
    assert dice(asked(made)) == "1d12"
    assert dice(asked(made, 1)) == "1d6"
    assert dice(asked(made, 1, 1)) == "1d10"


def test_af22_from_the_outermost_inward_each_with_its_own_die() -> None:
    worn = target(LIGHT, Layer(kind="temporary", die=20), Layer(kind="shield", die=12), BARRIER)
    made = game(harmed(9, replace(worn, hd=9)))
    session, seen = asked(made), []
    while session.question is not None:
        seen.append(dice(session))
        session = session.answer((1,))
    assert seen == ["1d12", "1d12", "1d6", "1d20", "1d10"]


def test_af23_damage_beyond_the_capacity_is_rolled_against_all_the_same() -> None:
    made = game(harmed(3, target(MEDIUM, level=5)))
    assert dice(asked(made)) == "2d8"
    assert chance(made, "armor", 0) == 1


@pytest.mark.parametrize(("sides", "true"), [(6, F(1, 3)), (8, F(1, 2)), (10, F(3, 5)),
                                             (12, F(2, 3)), (20, F(4, 5))])  # fmt: skip
def test_af24_five_and_more_sustain(sides: Any, true: Fraction) -> None:
    made = game(harmed(1, replace(target(), hd_die=sides, hd=3)))
    assert chance(made, "hd_lost", 0) == true


def test_af25_no_face_cancels_two_points() -> None:
    assert play(game(harmed(2)), 10)["hd_lost"] == 1


def test_af26_no_exertion_no_affinity_no_skill_in_defence() -> None:
    able = target(level=5, skill_dice=3, affinity=3)
    session = asked(game(harmed(2, able)))
    assert dice(session) == "2d10"  # nobody was asked anything before


def test_af27_all_cancelled_leaves_the_layer_whole() -> None:
    end = play(game(harmed(1, target(MEDIUM))), 5)
    assert end["layers"] == "armor"
    assert end["hd_lost"] == 0


def test_af27_anything_left_takes_the_whole_layer_and_passes_inward() -> None:
    end = play(game(harmed(2, target(MEDIUM, level=5))), 5, 4, 4, 4)
    assert end["layers"] == "none"
    assert end["hd_lost"] == 1


def test_af28_the_body_loses_what_is_left_not_below_nothing() -> None:
    end = play(game(harmed(7)), 1)
    assert (end["hd"], end["hd_lost"]) == (0, 3)


def test_af29_it_ends_with_the_damage() -> None:
    made = game(harmed(1, target(BARRIER, MEDIUM, LIGHT)))
    session = played(made, 12)
    assert [e.at.step.name for e in session.steps_taken if "roll" in e.at.step.name] == [
        "roll_layer"
    ]


def test_af29_nothing_is_rolled_for_a_body_without_hit_dice() -> None:
    end = play(game(harmed(2, target(hd=0, hd_max=3))))
    assert end["hd_lost"] == 0


def test_af9_what_is_left_is_applied() -> None:
    assert line(played(game(harmed(2)), 5), "lose_hd").says == "HD 3 -> 2."


# -- Defend, resistance, vulnerability -------------------------------------------------------


def test_af30_defend_brings_two_d6_beside_the_layers_dice() -> None:
    made = game(harmed(2, target(MEDIUM, defending=True)))
    assert dice(asked(made)) == "1d8+2d6"
    assert play(made, 4, 5, 5)["layers"] == "armor"


def test_af30_a_layer_survives_with_bonus_dice_whatever_the_capacity() -> None:
    made = game(harmed(3, target(MEDIUM, defending=True)))
    assert play(made, 5, 5, 5)["layers"] == "armor"


def test_af30_odds_with_defend() -> None:  # AFO-10
    made = game(harmed(2, target(body="balanced", defending=True)))
    assert odds(made, "hd_lost") == {0: F(1, 3), 1: F(4, 9), 2: F(2, 9)}


def test_af31_resistance_adds_and_vulnerability_takes_two_dice() -> None:
    touchy = target(level=9, resist=("fire",), vulnerable=("cold",))
    assert dice(asked(game(harmed(1, touchy, kind="fire")))) == "3d10+2d6"
    assert dice(asked(game(harmed(1, touchy, kind="cold")))) == "1d10"
    assert dice(asked(game(harmed(1, touchy, kind="acid")))) == "3d10"


def test_af31_vulnerability_leaves_no_dice_at_the_least() -> None:
    made = game(harmed(2, target(LIGHT, vulnerable=("cold",)), kind="cold"))
    assert [row.step for row in played(made).log if row.actor] == []  # nobody is handed no dice
    assert play(made)["hd_lost"] == 2  # nothing is rolled


def test_af31_bonus_dice_go_before_those_of_the_layer() -> None:
    made = game(harmed(2, target(defending=True, vulnerable=("cold",)), kind="cold"))
    assert dice(asked(made)) == "1d10"


def test_af31_the_log_itemises_the_dice() -> None:
    braced = target(level=5, defending=True, resist=("fire",))
    session = played(game(harmed(1, braced, kind="fire")), 1, 1, 1, 1, 1, 1)
    (total,) = line(session, "roll_body").totals
    assert str(total) == "capacity: 2, +2 Defend, +2 resistance = 6"


def test_af72_a_phase_of_the_environment_does_its_damage_at_its_count() -> None:
    phase = Hazard(damage=2, type="fire", name="falling embers", count=15)
    made = Setup(attacker=Combatant(), defender=target(resist=("fire",)), hazard=phase)
    session = played(game(made), 1, 5, 1)
    assert line(session, "meet_hazard").says == "Falling embers at count 15: 2 HD of fire damage."
    assert session.outcome is not None
    assert mean(game(made), "hd_lost") < 2


def test_af72_the_environment_moves_the_defender_and_imposes_conditions() -> None:
    phase = Hazard(name="a gale", moves_yd=15, conditions=(SLOWED, DAZED))
    end = played(game(Setup(attacker=Combatant(), defender=target(), hazard=phase)))
    assert line(end, "meet_hazard").says == (
        "A gale: the defender is moved 15 yards, the defender is slowed, the defender is dazed."
    )
    assert end.outcome is not None
    fields = {field.name: field.of(end.outcome) for field in SYSTEM.fields}
    assert (fields["moved"], fields["conditions"], fields["hd_lost"]) == (15, "slowed, dazed", 0)


def test_af72_home_ground_adds_dice_to_the_roll() -> None:
    """Two d6 at 2 or more, a 6 counts twice: one success in eight of 36."""
    made = attack(setup(striker(level=1), target(hd=9), home_dice=1))
    assert odds(made, "successes")[1] == F(8, 36)
    assert odds(attack(setup(striker(level=1), target(hd=9))), "successes")[1] == F(4, 6)


# -- Intervene -------------------------------------------------------------------------------


def test_af41_an_ally_cancels_a_point_with_each_success() -> None:
    made = game(harmed(3, target(hd=9), allies=(ally(4),)))
    end = play(made, 6, 1, 4, options=("intervene-1",))
    assert (end["helped"], end["ally_burn"], end["hd_lost"]) == (1, 1, 1)


def test_af41_the_allys_dice_are_proficiency_and_exertion() -> None:
    session = asked(game(harmed(3, allies=(ally(level=3),))))
    assert question(session).actor == "ally"
    assert offered(session) == ["no", "intervene", "intervene-1", "intervene-2"]
    assert dice(session.answer("intervene-2")) == "2d6+2d6"


def test_af41_it_costs_an_action_whatever_is_exerted() -> None:
    asks = question(asked(game(harmed(3, allies=(ally(),)))))
    assert [option.spends for option in asks.options] == [0, 1, 1]
    assert [option.words for option in asks.options] == [
        "stay out of it", "an action", "an action and 1 exertion die",
    ]  # fmt: skip


def test_af41_nobody_is_asked_when_nothing_is_left() -> None:
    made = game(harmed(1, allies=(ally(), ally())))
    end = play(made, 4, options=("intervene",))
    assert end["helped"] == 1


def test_af41_allies_are_asked_before_the_target_defends() -> None:
    steps = [
        entry.at.step.name
        for entry in played(
            game(harmed(2, allies=(ally(),))), 2, 1, options=("intervene",)
        ).steps_taken
    ]
    assert steps.index("roll_ally") < steps.index("roll_body")


@pytest.mark.parametrize(
    ("who", "why"),
    [
        (ally(6), "they are 6 yards away; it reaches 5"),
        (ally(acted=True), "they have acted in this round already"),
        (ally(actions_left=0), "they have no action left"),
        (ally(hd=0, hd_max=3), "they are out of action themselves"),
        (ally(universal=("defend",)), "Intervene is not one of their actions"),
    ],
)
def test_af41_an_ally_who_can_not_is_told_why(who: object, why: str) -> None:
    made = harmed(1, allies=(who,))
    with pytest.raises(AnswerError, match=f"'intervene': {why}"):
        asked(game(made, ask_ally="intervene"), 1)
    assert play(game(made, ask_ally="no"), 1)["helped"] == 0


def test_af41_exertion_above_an_allys_cap_is_refused() -> None:
    with pytest.raises(AnswerError, match="'intervene-2': the cap is 1"):
        asked(game(harmed(1, allies=(ally(),)), ask_ally="intervene-2"))


def test_af41_an_attack_can_be_answered_as_well() -> None:
    made = attack(setup(striker(), allies=(ally(),)))
    assert play(made, 4, 4, options=("intervene",))["hd_lost"] == 0


@pytest.mark.parametrize(
    ("name", "option"),
    [(ruling.name, option) for ruling in SYSTEM.rulings for option in ruling.options],
)
@pytest.mark.parametrize("layers", [(), (LIGHT,)], ids=["bare", "in armor"])
def test_af25_once_all_is_cancelled_nothing_more_is_rolled(
    name: str, option: str, layers: tuple[Layer, ...]
) -> None:
    hurt = harmed(1, target(*layers, level=5, defending=True))
    session = asked(game(hurt, {name: option}))
    pool = question(session).dice
    assert pool is not None
    assert session.answer((5,) * len(pool.dice)).outcome is not None
