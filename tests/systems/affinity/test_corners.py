"""Corners of the procedure that few situations reach."""

from dataclasses import replace
from typing import Any

import pytest

from affray.core.errors import AnswerError
from affray.systems.affinity.changes import Effect
from affray.systems.affinity.fight import FIGHT
from affray.systems.affinity.sheet import Action
from affray.systems.affinity.state import CombatantState

from .factory import (
    BLADE,
    MEDIUM,
    ORC,
    SLING,
    asked,
    attack,
    game,
    harmed,
    held_to,
    line,
    offered,
    play,
    played,
    question,
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
    rulings = held_to({})
    condition = FIGHT.enter(who, rulings)
    out = FIGHT.apply(who, condition, Effect(lost=5, resolve=-1)).now
    assert out == CombatantState(
        hd=0, down=True, layers=(), resolve=4, affinity=1, actions=2, attacked=False,
        expert=False, exerted=0, defending=False, acted=False, rushed=False, steadied=True,
        checked=False, stabilized=False, lost=0, raging=False, plenty=0,
    )  # fmt: skip


def test_af23_the_log_says_whether_a_layer_is_rolled_against() -> None:
    worn = target(MEDIUM, hd=9, hd_max=9, proficiency=3)
    strict = {"overwhelm": "strict"}
    much = played(game(harmed(3, worn), strict))
    assert line(much, "roll_layer").says == (
        "3 damage exceeds capacity 2: no roll."
    )  # fmt: skip
    for damage, picks in ((2, strict), (3, {})):
        rolled = played(game(harmed(damage, worn), picks), *(1,) * 4)
        beyond = "3 damage exceeds capacity 2; rolled anyway (reading A-1)."
        assert line(rolled, "roll_layer").says == (beyond if damage == 3 else "")
        assert [total.base.label for total in line(rolled, "roll_layer").totals] == ["capacity"]


# -- what is closed, and at which bound ------------------------------------------------------


def offer(made: Any, picks: dict[str, str] | None = None) -> tuple[list[str], dict[str, str]]:
    session = asked(game(made, picks))
    return offered(session), dict(question(session).closed)


def test_af42_af44_bounds_of_rush_and_steady() -> None:
    both = {"steady": "yes"}
    for changes, picks, name, why in (
        ({"resolve": -4}, {}, "rush", ""),
        ({"resolve": -5}, {}, "rush", "it costs 1 Resolve; there is -5 (AF-42)"),
        ({"resolve": 1}, {"rush_floor": "one"}, "rush", ""),
        ({"resolve": 0}, {"rush_floor": "one"}, "rush", "it costs 1 Resolve; there is 0 (AF-42)"),
        ({"rushed": True}, {}, "rush", ""),
        ({"rushed": True}, {"rush": "fixed"}, "rush", "it was used since the last rest (AF-44)"),
        ({}, {"rush": "fixed"}, "rush", ""),
        ({"hd": 3}, both, "steady", ""),
        ({"hd": 2}, both, "steady", "it costs 3 HD; there are 2 (AF-44)"),
        ({"steadied": True}, both, "steady", "it was used since the last rest (AF-44)"),
        ({"actions_left": 1, "attacked": True}, {}, "defend",
         "an attack was made in this turn already (AF-40)"),
        ({"actions_left": 1}, {}, "defend", ""),
        ({"actions_left": 1}, {"defend_cost": "turn"}, "defend",
         "something else was done in this turn already (AF-40)"),
        ({"defending": True}, {}, "rush", ""),
        ({"actions_left": 1, "attacked": True}, {"defend_cost": "action"}, "defend", ""),
        ({"defending": True}, {"defend_cost": "action"}, "defend", "it lasts already (AF-30)"),
        ({"defending": True}, {"defend_cost": "action"}, "rush", ""),
    ):  # fmt: skip
        who: dict[str, Any] = {"hd": 3, **changes}
        names, closed = offer(setup(striker(**who), target()), picks)
        assert (name in names, closed.get(name, "")) == (not why, why), (changes, picks)
    for name in ("defend", "dash"):
        with pytest.raises(AnswerError, match="Defend was taken instead of anything else"):
            asked(game(setup(striker(defending=True)), {"defend_cost": "turn"}, choose_action=name))
    assert "steady" not in offer(setup())[0]
    assert "steady" not in offer(setup())[1]


def test_af63_held_to_count_zero_only_basic_actions_are_left() -> None:
    feat = Action(name="feat", tier="advanced")
    made = setup(striker(feat, BLADE), held="zero")
    names, closed = offer(made)
    assert names == ["blade", "defend", "rush", "dash"]
    assert set(closed) == {"feat", "march", "disengage"}
    held = replace(made, held="trigger")
    assert offer(held) == (["feat", "blade", "defend", "rush", "dash", "march", "disengage"], {})


def test_af53_low_resolve_closes_big_actions() -> None:
    feat = Action(name="feat", tier="expert")
    for reading, resolve, opens in (
        ("core", 4, False), ("core", 5, True), ("later", 4, False), ("later", 5, True),
        ("off", 1, True),
    ):  # fmt: skip
        names, _ = offer(setup(striker(feat, BLADE, resolve=resolve)), {"resolve": reading})
        assert ("feat" in names) is opens
        assert "blade" in names
    for limit, used, opens in (("one", True, False), ("one", False, True), ("any", True, True)):
        who = striker(feat, BLADE, expert_used=used)
        names, _ = offer(setup(who), {"expert_limit": limit})
        assert ("feat" in names) is opens


def test_af45_towards_a_friend_one_stabilizes_or_helps() -> None:
    down, up = target(hd=0, hd_max=3), target()
    with pytest.raises(AnswerError, match="only a dying friend can be stabilized"):
        asked(game(setup(striker(), up, towards="friend"), {"help": "yes"},
                   choose_action="stabilize"))  # fmt: skip
    done = play(game(setup(striker(), down, towards="friend"), choose_exertion="1"), 2, 2)
    assert done["stabilized"] is True
    short = play(game(setup(striker(), down, towards="friend"), choose_exertion="1"), 2, 1)
    assert short["stabilized"] is False


@pytest.mark.parametrize(
    ("picks", "faces", "own_hd"),
    [
        ({}, (6, 6, 6, 2), 12),  # seven successes
        ({"rush_cap": "proficiency"}, (6, 6, 6, 2), 8),
        ({"rush_cap": "proficiency"}, (2, 2, 1, 1), 6),
        ({"rush_cap": "none"}, (6, 6, 6, 6), 13),
        ({"rush": "fixed"}, (), 8),
    ],
)
def test_af42_what_a_rush_restores(
    picks: dict[str, str], faces: tuple[int, ...], own_hd: int
) -> None:
    """Proficiency 3 and one exertion die; 5 Hit Dice of 12. A 1 on the last die burns."""
    who = striker(level=5, hd=5, hd_max=12)
    settled = {"choose_exertion": "1"} if faces else {}
    done = play(game(setup(who), picks, choose_action="rush", **settled), *faces)
    assert done["own_hd"] == own_hd
    assert done["own_resolve"] == 4


def test_af62_difficult_ground_halves_every_move() -> None:
    for name, faces, yards in (("dash", (2,), 5), ("march", (6,), 10), ("disengage", (6,), 5)):
        made = setup(difficult=True)
        done = play(game(made, choose_action=name, choose_exertion="0"), *faces)
        assert done["moved"] == yards


def test_af75_areas_grow_and_targets_add_up() -> None:
    blast = Action(name="blast", shape="area", required=1, base=2)
    who = striker(blast, level=3)
    for faces, spread in (((2, 1), 0), ((2, 2), 0), ((6, 2), 5), ((6, 6), 5), ((1, 1), 0)):
        done = play(attack(setup(who, target(immune=("slashing",)))), *faces)
        assert done["spread"] == spread
    wide = replace(blast, shape="zone")
    done = play(attack(setup(striker(wide, level=1, skill_dice=9),
                             target(immune=("slashing",)))), *(6,) * 10)  # fmt: skip
    assert done["spread"] == 5  # at most five yards for each point of Proficiency
    spark = replace(blast, shape="select")
    for faces, option, targets in (
        ((2, 1), None, 0), ((2, 2), "more", 1), ((2, 2), "stronger", 0), ((6, 6), "more", 2),
        ((6, 6), "stronger", 2), ((6, 2), "stronger", 1),
    ):  # fmt: skip
        options = (option,) if option else ()
        done = play(attack(setup(striker(spark, level=3), BARE)), *faces, options=options)
        assert done["targets"] == targets, (faces, option)
        assert done["hd_lost"] == 2 + (option == "stronger")


BARE = target(hd=9, hd_max=9, vulnerable=("slashing",))
"""Nothing that is done to them is canceled: no die is left to roll."""


def test_af61_who_is_surprised_gains_no_resolve_and_adds_no_dice() -> None:
    shy, keen = striker(surprised=1, resolve=3), target(resolve=3)
    made = setup(shy, keen, act="initiative")
    done = play(game(made), 4, 1, 1, 1, 1, options=("1",))
    assert (done["first"], done["own_resolve"], done["resolve"]) == ("attacker", 3, 4)
    assert (done["hd_lost"], done["burn"]) == (1, 0)
    other = play(game(setup(keen, shy, act="initiative")), 1, 1, 1, 4, options=("0",))
    assert (other["first"], other["own_resolve"], other["resolve"]) == ("defender", 4, 3)


def test_af22_layers_of_somebody_who_is_down_roll_die_by_die() -> None:
    worn = target(MEDIUM, hd=0, hd_max=3)
    points = {"overwhelm": "per_die"}
    assert play(game(harmed(1, worn), points), 5)["layers"] == "armor:2"
    assert play(game(harmed(1, worn), points), 4)["layers"] == "armor:1"
    gone = play(game(harmed(3, worn), points), 4)  # beyond the capacity of one nothing is rolled
    assert (gone["layers"], gone["hd_lost"]) == ("none", 0)
    bare = play(game(harmed(2, target(hd=0, hd_max=3)), points))
    assert (bare["layers"], bare["hd_lost"]) == ("none", 0)


def test_af24_die_by_die_capacity_and_bonus_dice_run_out() -> None:
    """Proficiency 3: two dice of what is outermost, and two d6 more while defending."""
    worn = target(MEDIUM, hd=9, hd_max=9, proficiency=3)
    points = {"overwhelm": "per_die"}
    one = play(game(harmed(1, worn), points), 4)
    assert (one["layers"], one["hd_lost"]) == ("armor:1", 0)
    both = play(game(harmed(2, worn), points), 4, 4)
    assert (both["layers"], both["hd_lost"]) == ("none", 0)
    half = play(game(harmed(3, worn), points), 4, 8)  # the third destroys a die without a roll
    assert (half["layers"], half["hd_lost"]) == ("none", 0)
    four = play(game(harmed(4, worn), points), 4, 4)
    assert (four["layers"], four["hd_lost"]) == ("none", 2)
    braced = replace(worn, defending=True)
    kept = play(game(harmed(4, braced), points), 4, 4, 5, 1)
    assert (kept["layers"], kept["hd_lost"]) == ("none", 1)
    bare = target(hd=9, hd_max=9, proficiency=3)
    assert play(game(harmed(3, bare), points), 10, 4)["hd_lost"] == 2
    assert play(game(harmed(2, bare), points), 5, 4)["hd_lost"] == 1
