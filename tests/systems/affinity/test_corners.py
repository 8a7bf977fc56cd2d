"""Corners of the procedure that few situations reach."""

from dataclasses import replace
from typing import Any

import pytest

from affray.core.errors import AnswerError
from affray.core.ruling import Rulings
from affray.systems.affinity.fight import FIGHT, Suffered
from affray.systems.affinity.sheet import Action
from affray.systems.affinity.state import Condition

from .factory import (
    BLADE,
    MEDIUM,
    ORC,
    SLING,
    SYSTEM,
    asked,
    attack,
    game,
    harmed,
    line,
    offered,
    play,
    played,
    setup,
    striker,
    target,
)


def test_af74_a_printed_pool_needs_no_exertion_whatever_its_tier() -> None:
    feat = Action(name="feat", tier="legendary", pool=6)
    wild = replace(ORC, actions=(feat,))
    made = game(setup(wild), {"npc_burn": "reckless"}, choose_action="feat")
    assert offered(asked(made))[:2] == ["0", "1"]


def test_af70_nobody_is_handed_no_dice() -> None:  # AFV-11
    far = attack(setup(SLING, distance_yd=120), 0)
    session = played(far)
    assert [row.actor for row in session.log if row.step == "roll_action"] == [""]
    assert play(far)["damage"] == 0


def test_af52_whoever_checked_is_known_to_have_checked() -> None:
    core = {"resolve": "core"}
    end = play(game(harmed(1, target(hd=9, hd_max=9, lost_this_round=1)), core), 1, 5)
    assert (end["checked"], end["lost_this_round"], end["resolve"]) == (True, 0, 5)
    end = play(game(harmed(1, target(hd=9, hd_max=9)), core), 1)
    assert (end["checked"], end["lost_this_round"]) == (False, 1)
    held = play(game(harmed(9, target(stabilized=True)), core), 1)
    assert (held["checked"], held["resolve"], held["hd"]) == (True, 5, 0)


def test_af1_the_cap_of_a_universal_action_is_that_of_proficiency() -> None:
    made = game(setup(striker(hd=2)), choose_action="rush", choose_exertion="2")
    with pytest.raises(AnswerError, match=r"'2': the cap is 1 \(AF-1\)"):
        asked(made)


@pytest.mark.parametrize(("weapon", "hits"), [("light", 0), ("precise", 1)])
def test_af2_only_precise_weapons_lower_the_threshold(weapon: Any, hits: int) -> None:
    """Advanced takes 3 and more; a 2 is enough with a precise weapon."""
    edge = replace(BLADE, tier="advanced", weapon=weapon)
    made = attack(setup(edge, target(immune=("slashing",))), 0)
    assert play(made, 2)["successes"] == hits


def test_af50_of_whoever_is_down_little_is_kept() -> None:
    who = replace(striker(), hd=2, hd_max=2, affinity=1, defending=True, expert_used=True,
                  exerted=1, attacked=True, lost_this_round=1, steadied=True)  # fmt: skip
    rulings = Rulings.pick(SYSTEM.rulings, {})
    standing = FIGHT.enter(who, rulings)
    out = FIGHT.apply(who, standing, Suffered(lost=5, resolve=-1)).now
    assert out == Condition(
        hd=0, down=True, layers=(), resolve=4, affinity=1, actions=2, attacked=False,
        expert=False, exerted=0, defending=False, acted=False, rushed=False, steadied=True,
        checked=False, stabilized=False, lost=0, raging=False, plenty=0,
    )  # fmt: skip


def test_af23_the_log_says_whether_a_layer_is_rolled_against() -> None:
    worn = target(MEDIUM, hd=9, hd_max=9, proficiency=3)
    strict = {"overwhelm": "strict"}
    much = played(game(harmed(3, worn), strict))
    assert line(much, "roll_layer").says == (
        "3 damage is more than the capacity of 2: no roll."
    )  # fmt: skip
    for damage, picks in ((2, strict), (3, {})):
        rolled = played(game(harmed(damage, worn), picks), *(1,) * 4)
        assert line(rolled, "roll_layer").says == ""
        assert [total.base.label for total in line(rolled, "roll_layer").totals] == ["capacity"]
