"""Step 1: what is offered, what is closed and why, with which dice it is rolled."""

from dataclasses import replace
from typing import Any

import pytest

from affray.core.errors import AnswerError, SetupError
from affray.engine.exchange.session import Session
from affray.systems.affinity.sheet import Action, Boost, Combatant

from .factory import (
    BLADE,
    MAUL,
    ORC,
    SLING,
    asked,
    attack,
    dice,
    game,
    harmed,
    line,
    offered,
    play,
    played,
    question,
    setup,
    striker,
    target,
)


def closed(session: Session) -> dict[str, str]:
    return dict(question(session).closed)


# -- which action ----------------------------------------------------------------------------


def test_af43_every_universal_action_is_offered_to_everybody() -> None:
    session = asked(game(setup()))
    assert offered(session) == ["blade", "defend", "rush", "dash", "march", "disengage"]


def test_af43_a_sheet_may_take_some_of_them_away() -> None:
    session = asked(game(setup(striker(universal=("defend",)))))
    assert offered(session) == ["blade", "defend"]


def test_af1_action_and_target_are_declared_first_then_exertion() -> None:
    session = asked(game(setup(striker(level=5))), "blade")
    assert question(session).actor == "attacker"
    assert offered(session) == ["0", "1", "2", "3"]
    assert closed(session) == {"4": "the cap is 3 (AF-1)"}


def test_af1_exertion_above_the_cap_is_refused() -> None:
    with pytest.raises(AnswerError, match="'2': the cap is 1 "):
        Session(attack(setup(), 2))
    with pytest.raises(AnswerError, match="'7' is not on offer; allowed: 0, 1"):
        Session(attack(setup(), 7))


@pytest.mark.parametrize(
    ("tier", "least"),
    [
        ("basic", 0),
        ("advanced", 0),
        ("expert", 1),
        ("legendary", 2),
        ("ultimate", 3),
        ("mythical", 3),
    ],
)
def test_af10_high_tiers_take_a_least_number_of_exertion_dice(tier: Any, least: int) -> None:
    made = setup(striker(Action(name="feat", tier=tier), level=9))
    session = asked(game(made), "feat")
    assert offered(session) == [str(n) for n in range(least, 6)]
    if least:
        with pytest.raises(AnswerError, match=f"take at least {least} exertion di"):
            Session(attack(made, least - 1))


def test_af10_a_tier_beyond_the_cap_is_closed() -> None:
    made = setup(striker(Action(name="wonder", tier="legendary"), BLADE))
    session = asked(game(made))
    assert "wonder" not in offered(session)
    assert closed(session)["wonder"] == (
        "legendary actions take at least 2 exertion dice; the cap is 1 (AF-10)"
    )


def test_af74_a_printed_pool_leaves_no_choice_of_exertion() -> None:
    session = asked(game(setup(ORC)), "axe")
    assert dice(session) == "3d6"
    with pytest.raises(AnswerError, match="the cap is 0"):
        Session(game(setup(replace(ORC, universal=("rush",))), choose_action="rush",
                     choose_exertion="1"))  # fmt: skip


def test_af62_without_an_action_left_nobody_acts() -> None:
    with pytest.raises(SetupError, match="striker has no action left; a turn has 2"):
        game(setup(striker(actions_left=0)))


def test_af50_whoever_is_down_can_not_act() -> None:
    with pytest.raises(SetupError, match="striker is out of action and can't act until restored"):
        game(setup(striker(hd=0, hd_max=3)))


def test_af40_defend_is_taken_instead_of_attacking() -> None:
    after = asked(game(setup(striker(attacked=True, actions_left=1))))
    assert "defend" not in offered(after)
    assert closed(after)["defend"] == "an attack was made in this turn already (AF-40)"
    with pytest.raises(AnswerError, match="'blade': Defend was taken instead of attacking"):
        Session(game(setup(striker(defending=True, actions_left=1)), choose_action="blade"))


def test_af40_defend_is_done_without_a_roll() -> None:
    end = play(game(setup(), choose_action="defend"))
    assert end["defending"]
    assert end["hd_lost"] == 0


def test_af63_one_expert_action_in_a_turn_where_the_reading_says_so() -> None:
    feat = Action(name="feat", tier="expert")
    twice = setup(striker(feat, BLADE, level=5, expert_used=True))
    assert "feat" in offered(asked(game(twice)))
    limited = asked(game(twice, {"expert_limit": "one"}))
    assert "feat" not in offered(limited)
    assert "second (AF-63)" in closed(limited)["feat"]
    assert "blade" in offered(limited)


def test_af63_held_to_count_zero_only_basic_actions_are_left() -> None:
    lunge = Action(name="lunge", tier="advanced")
    session = asked(game(setup(striker(lunge, BLADE), held="zero")))
    assert offered(session) == ["blade", "defend", "rush", "dash"]
    assert "only basic actions" in closed(session)["lunge"]
    assert "lunge" in offered(asked(game(setup(striker(lunge, BLADE), held="trigger"))))


def test_af62_somebody_without_anything_to_do_passes() -> None:
    idle = Combatant(universal=())
    assert play(game(setup(idle)))["damage"] == 0


def test_af20_a_harmful_effect_takes_no_action_of_anybody() -> None:
    end = play(game(harmed(1)), 1)
    assert end["hd_lost"] == 1


# -- range -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("yards", "pool"),
    [(0, 2), (5, 2), (6, 2), (10, 2), (30, 2), (31, 1), (60, 1), (100, 1), (101, 0)],
)
def test_af70_bands_of_range_cost_dice(yards: int, pool: int) -> None:
    made = setup(striker(SLING, level=3), distance_yd=yards)
    session = asked(game(made), "sling", "0")
    if pool:
        assert dice(session) == f"{pool}d6"
    else:
        assert session.outcome is not None  # no dice: a sure miss


def test_af70_melee_reaches_five_yards_and_polearms_further() -> None:
    session = asked(game(setup(striker(BLADE, replace(MAUL, reach_yd=10)), distance_yd=6)))
    assert "it reaches 5 yards; the target is 6 away" in closed(session)["blade"]
    assert "maul" in offered(session)


def test_af70_extreme_range_only_with_a_weapon_made_for_it() -> None:
    session = asked(game(setup(striker(replace(SLING, extreme=False), BLADE), distance_yd=120)))
    assert "extreme range, which this weapon can't reach" in closed(session)["sling"]
    far = asked(game(setup(striker(replace(SLING, max_yd=110), BLADE), distance_yd=120)))
    assert "its range is 110 yards" in closed(far)["sling"]


def test_af70_thrown_weapons_strike_in_melee_and_fly_beyond() -> None:
    dart = Action(name="dart", weapon="light", reach="thrown", max_yd=40)
    for yards, pool in ((3, "2d6"), (20, "2d6"), (35, "1d6")):
        made = setup(striker(dart, level=3), distance_yd=yards)
        assert dice(asked(game(made), "dart", "0")) == pool


# -- the pool --------------------------------------------------------------------------------


def test_af3_proficiency_and_exertion_dice_are_kept_apart() -> None:
    session = asked(attack(setup(striker(level=3)), 1))
    assert dice(session) == "2d6+1d6"


def test_af11_skill_dice_are_rolled_and_never_burn() -> None:
    made = attack(setup(striker(skill_dice=2)), 1)
    assert dice(asked(made)) == "3d6+1d6"
    assert play(made, 1, 1, 1, 2, 1)["burn"] == 0


def test_af12_affinity_dice_count_as_exertion() -> None:
    made = setup(striker(level=5, affinity=2))
    session = asked(game(made, choose_action="blade"), "2")
    assert offered(session) == ["0", "1"]  # within the cap of three
    assert dice(asked(game(made, choose_action="blade"), "2", "1")) == "3d6+3d6"


def test_af73_boosts_below_half_add_dice() -> None:
    assert dice(asked(game(setup(replace(ORC, hd=4))), "axe")) == "3d6"
    assert dice(asked(game(setup(replace(ORC, hd=3))), "axe")) == "5d6"


def test_af74_boosts_beside_an_ally_add_dice() -> None:
    hound = striker(Action(name="jaws", pool=2), boosts=(Boost(when="ally_near", amount=1),))
    assert dice(asked(game(setup(hound)), "jaws")) == "2d6"
    assert dice(asked(game(setup(hound, ally_near=True)), "jaws")) == "3d6"


@pytest.mark.parametrize(("tier", "face"), [("basic", 2), ("advanced", 3), ("expert", 4),
                                            ("legendary", 5), ("ultimate", 6)])  # fmt: skip
def test_af2_the_tier_gives_the_threshold(tier: Any, face: int) -> None:
    feat = Action(name="feat", tier=tier, required=1, base=1, pool=1)
    immune = target(immune=("slashing",))
    assert play(attack(setup(striker(feat), immune), None), face)["successes"] == 1 + (face == 6)
    assert play(attack(setup(striker(feat), immune), None), face - 1)["successes"] == 0


def test_af2_weapon_class_or_stat_block_gives_successes_and_damage() -> None:
    for action, needed, base in (
        (BLADE, 1, 1),
        (MAUL, 2, 2),
        (replace(MAUL, required=1, base=3), 1, 3),
        (Action(name="feat", tier="expert"), 3, 3),
    ):
        session = played(attack(setup(striker(action, level=5)), 1), 4, 4, 4, 4, 1)
        assert f"{needed} needed" in line(session, "roll_action").says
        facts = session.outcome
        assert facts is not None
        assert facts.dealt - min(3, facts.successes - needed) == base  # type: ignore[attr-defined]
