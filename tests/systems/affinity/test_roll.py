"""Steps 3 to 7: successes, damage, burning."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from affray.systems.affinity.sheet import Action

from .factory import (
    BLADE,
    MAUL,
    ORC,
    asked,
    attack,
    chance,
    joint,
    offered,
    play,
    played,
    setup,
    striker,
    target,
)

BOLT = Action(name="bolt", tier="advanced", type="force", required=2, base=2)


def test_af4_six_counts_twice() -> None:
    assert play(attack(setup(MAUL)), 6, 1)["successes"] == 2


def test_af5_too_few_successes_fail_and_nobody_defends() -> None:
    end = play(attack(setup(MAUL)), 5)  # one of two; no defense die is asked for
    assert end["successes"] == 1
    assert end["damage"] == 0


def test_af6_only_the_bonus_is_capped() -> None:
    made = attack(setup(striker(replace(BLADE, base=7)), target(hd=20)), 1)
    assert play(made, 6, 6, 1)["damage"] == 8  # three extra successes, Proficiency 1


def test_af6_the_cap_is_the_proficiency_of_a_stat_block() -> None:
    made = attack(setup(ORC, target(hd=9)), None)
    assert play(made, 6, 6, 6, 1)["damage"] == 4


def test_af7_ones_on_exertion_dice_burn_whatever_protects() -> None:
    made = attack(setup(striker(level=5, hd=11, immune=("slashing",))), 3)
    end = play(made, 1, 1, 2, 1, 1, 1, 1)
    assert end["burn"] == 3
    assert end["own_hd"] == 8


def test_af7_burning_comes_after_the_damage_is_worked_out() -> None:
    steps = [entry.at.step.name for entry in played(attack(setup(), 1), 4, 1, 1).steps_taken]
    assert steps.index("deal_damage") < steps.index("burn_hd") < steps.index("roll_body")


def test_af7_nobody_burns_below_nothing() -> None:
    made = attack(setup(striker(level=5, hd=1, hd_max=11)), 3)
    assert play(made, 2, 2, 2, 1, 1, 1, 1)["own_hd"] == 0


def test_af7_printed_pools_never_burn() -> None:
    assert chance(attack(setup(ORC), None), "burn", 0) == 1


def test_af1_joint_odds_of_damage_and_burn() -> None:  # AFO-2
    made = attack(setup(MAUL, target(hd=9)), 1)
    assert joint(made, "damage", "burn") == {
        (0, 0): Fraction(1, 9),
        (0, 1): Fraction(5, 36),
        (2, 0): Fraction(17, 36),
        (2, 1): Fraction(1, 36),
        (3, 0): Fraction(1, 4),
    }


def test_af31_immunity_takes_nothing_without_a_roll() -> None:
    end = play(attack(setup(BLADE, target(immune=("slashing",)))), 6)
    assert end["damage"] == 0
    assert end["successes"] == 2


def test_af31_a_doubled_type_counts_twice() -> None:
    end = play(attack(setup(MAUL, target(hd=9, doubled=("slashing",)))), 6, 1)
    assert end["damage"] == 4
    assert end["hd_lost"] == 4


@pytest.mark.parametrize("shape", ["area", "zone"])
def test_af75_an_area_never_does_more_damage(shape: Any) -> None:
    blast = replace(BOLT, shape=shape)
    made = attack(setup(striker(blast, level=3), target(hd=9)), 2)
    end = play(made, 6, 6, 6, 6, 1)
    assert end["damage"] == 2
    assert end["spread"] == 10  # six extra would be 15 yards; Proficiency 2 allows 10


def test_af75_two_extra_successes_widen_an_area_by_five_yards() -> None:
    made = attack(setup(striker(replace(BOLT, shape="area"), level=9), target(hd=9)), 0)
    assert play(made, 6, 6, 3, 1, 1, 1)["spread"] == 5


def test_af75_extra_successes_pick_more_targets_or_strengthen_one() -> None:
    made = attack(setup(striker(replace(BOLT, shape="select"), level=5), target(hd=9)), 0)
    session = asked(made, (6, 6, 3))
    assert offered(session) == ["more", "stronger"]
    many = play(made, 6, 6, 3, 1, options=("more",))
    assert (many["damage"], many["targets"]) == (2, 3)
    strong = play(made, 6, 6, 3, 1, options=("stronger",))
    assert (strong["damage"], strong["targets"]) == (3, 2)


def test_af75_without_extra_successes_there_is_nothing_to_choose() -> None:
    made = attack(setup(striker(replace(BOLT, shape="select"), level=3), target(hd=9)), 0)
    assert play(made, 3, 3, 1)["damage"] == 2


def test_af2_a_precise_weapon_lowers_the_threshold_of_higher_tiers() -> None:
    needle = Action(name="needle", tier="advanced", weapon="precise", pool=1)
    assert play(attack(setup(striker(needle)), None), 2, 1)["successes"] == 1
