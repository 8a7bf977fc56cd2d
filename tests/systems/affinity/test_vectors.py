"""The text's own examples and the constructed ones, by scripted dice."""

from dataclasses import replace
from typing import Any

import pytest

from affray.app.inputs.setups import examples
from affray.core.errors import AnswerError
from affray.engine.exchange.session import Session
from affray.systems.affinity.sheet import Action

from .factory import (
    BARRIER,
    BLADE,
    LIGHT,
    MAUL,
    MEDIUM,
    ORC,
    SLING,
    SYSTEM,
    ally,
    asked,
    attack,
    dice,
    game,
    harmed,
    play,
    setup,
    striker,
    target,
)

STRICT = {"overwhelm": "strict"}
COMBATANT = target(MEDIUM, level=5)
WEAVER = target(BARRIER, LIGHT, body="fragile", hd=5)

WORKED = {
    "AFS-1", "AFS-2", "AFS-3", "AFS-4", "AFS-5", "AFS-1s", "AFS-2s", "AFV-1", "AFV-2", "AFV-4",
    "AFV-5", "AFV-7", "AFV-8", "AFV-10", "AFV-11", "AFV-13", "AFV-14", "AFV-16", "AFV-17",
    "AFV-19", "AFV-20", "AFV-22", "AFV-23", "AFV-25", "AFV-26", "AFV-28", "AFV-31", "AFV-32",
}  # fmt: skip
COUNTED = {
    "AFO-1", "AFO-2", "AFO-4", "AFO-5", "AFO-7", "AFO-7e", "AFO-8", "AFO-8e", "AFO-10",
    "AFO-10p", "AFO-10v", "AFO-11", "AFO-11b", "AFO-12", "AFO-13", "AFO-13r", "AFO-13v", "AFO-14",
}  # fmt: skip


@pytest.mark.parametrize("vector", sorted(WORKED | COUNTED))
def test_every_vector_is_an_example(vector: str) -> None:
    tables = [
        table
        for table in examples(SYSTEM).values()
        if vector in list(table.get("vectors", []))  # type: ignore[call-overload]  # a list
    ]
    assert tables
    assert all(("odds" if vector in COUNTED else "expect") in table for table in tables)


def ends(end: dict[str, Any], **wanted: object) -> None:
    assert {name: end[name] for name in wanted} == wanted


# -- the text's own --------------------------------------------------------------------------


def test_af27_afs1_the_armor_goes_and_one_hit_die() -> None:
    end = play(game(harmed(3, COMBATANT)), 7, 4, 6, 3)
    ends(end, layers="none", hd=10, hd_lost=1)


def test_af22_afs2_barrier_armor_and_two_hit_dice() -> None:
    ends(play(game(harmed(4, WEAVER)), 9, 2, 5), layers="none", hd=3)


def test_af24_afs3_both_points_are_cancelled() -> None:
    ends(play(game(harmed(2, target(level=7, body="balanced"))), 6, 7), hd=13, hd_lost=0)


def test_af6_afs4_three_successes_of_the_raider_do_four() -> None:
    ends(play(attack(setup(ORC, target(hd=9)), None), 5, 4, 2, 1), successes=3, damage=4)


def test_af6_afs5_eight_successes_do_five() -> None:
    made = attack(setup(striker(MAUL, level=5), target(hd=9)), 2)
    ends(play(made, 6, 6, 6, 2, 2, 1), successes=8, damage=5)


def test_af23_afs1s_and_afs2s_strictly_nothing_is_rolled() -> None:
    ends(play(game(harmed(3, COMBATANT), STRICT)), layers="none", hd=8)
    ends(play(game(harmed(4, WEAVER), STRICT)), layers="none", hd=1)


# -- constructed -----------------------------------------------------------------------------


def test_af7_afv1_and_afv2_only_exertion_burns() -> None:
    made = attack(setup(BLADE), 1)
    ends(play(made, 4, 1, 1), successes=1, damage=1, burn=1, own_hd=2)
    ends(play(made, 1, 6, 1), successes=2, damage=2, burn=0, own_hd=3)


def test_af5_afv4_and_afv5_just_too_few_and_just_enough() -> None:
    made = attack(setup(MAUL), 1)
    ends(play(made, 1, 1), damage=0, burn=1)
    ends(play(made, 3, 2, 1), damage=2)


def test_af4_afv7_an_expert_action() -> None:
    feat = striker(Action(name="feat", tier="expert"), level=5)
    made = attack(setup(feat, target(hd=9)), 3)
    ends(play(made, 4, 3, 6, 1, 1, 5, 1), successes=4, damage=4, burn=2)


def test_af10_afv8_a_legendary_action_of_a_beginner() -> None:
    wonder = striker(Action(name="wonder", tier="legendary"))
    with pytest.raises(AnswerError, match="at least 2 exertion dice; the cap is 1"):
        Session(attack(setup(wonder), 1))


def test_af70_afv10_and_afv11_range_takes_dice() -> None:
    made = attack(setup(striker(SLING, level=3), distance_yd=60), 1)
    assert dice(asked(made)) == "1d6+1d6"
    far = attack(setup(striker(SLING), distance_yd=120), 0)
    ends(play(far), successes=0, damage=0, burn=0)


def test_af25_afv13_a_ten_cancels_one() -> None:
    ends(play(game(harmed(2, target(MEDIUM))), 4, 10), layers="none", hd=2)


def test_af28_afv14_surplus_is_discarded() -> None:
    end = play(game(harmed(5, target(body="balanced", hd=2, hd_max=3))), 3)
    ends(end, hd=0, hd_lost=2, state="down")


def test_af31_afv16_and_afv17_vulnerability_with_and_without_defend() -> None:
    open_ = target(MEDIUM, level=5, vulnerable=("cold",))
    ends(play(game(harmed(1, open_, kind="cold"))), layers="none", hd=10)
    braced = replace(open_, hd=9, hd_max=11, defending=True)
    ends(play(game(harmed(2, braced, kind="cold")), 6, 2, 9, 1), layers="none", hd=9)


def test_af41_afv19_and_afv20_an_ally_helps_or_burns_for_nothing() -> None:
    made = game(harmed(3, target(hd=9), allies=(ally(4),)))
    helped = play(made, 6, 1, 1, options=("intervene-1",))
    ends(helped, hd_lost=1, ally_burn=1, helped=1)
    ends(play(made, 1, 1, 1, options=("intervene-1",)), hd_lost=3, ally_burn=1, helped=1)


def test_af42_afv22_rush_restores_then_burns_or_the_other_way_round() -> None:
    made = setup(striker(level=5, hd=10, hd_max=11, resolve=4))
    way: Any = {"choose_action": "rush", "choose_exertion": "2"}
    ends(play(game(made, **way), 6, 3, 1, 1, 5), own_hd=10, own_resolve=3)
    first = game(made, {"rush_order": "burn_first"}, **way)
    ends(play(first, 6, 3, 1, 1, 5), own_hd=11, own_resolve=3)


def test_af42_afv23_rush_may_put_one_down() -> None:
    made = setup(striker(hd=1, hd_max=3, resolve=0))
    end = play(game(made, choose_action="rush", choose_exertion="1"), 1, 1)
    ends(end, own_hd=0, own_state="down", own_resolve=-1)


def test_af21_afv25_capacity_is_fresh_for_the_next_attack() -> None:
    torn = target(replace(MEDIUM, intact=False), level=5, hd=10, hd_max=11)
    ends(play(game(harmed(1, torn)), 2, 9), hd=10)


def test_af73_afv26_the_raider_rages_below_half() -> None:
    assert dice(asked(attack(setup(replace(ORC, hd=4)), None))) == "3d6"
    assert dice(asked(attack(setup(replace(ORC, hd=3)), None))) == "5d6"


def test_af7_afv28_a_dying_blow_lands() -> None:
    made = attack(setup(striker(hd=1, hd_max=3)), 1)
    ends(play(made, 5, 1, 1), damage=1, hd_lost=1, own_hd=0, own_state="down")


@pytest.mark.parametrize("rulings", [{}, STRICT], ids=["roll", "strict"])
def test_af23_afv31_damage_equal_to_the_capacity_is_rolled_against(rulings: dict[str, str]) -> None:
    ends(play(game(harmed(2, COMBATANT), rulings), 1, 1, 1, 1), layers="none", hd=9)


def test_af53_afv32_shaken_one_success_is_too_few() -> None:
    made = attack(setup(striker(resolve=3)), 0, {"resolve": "core"})
    ends(play(made, 4), successes=1, damage=0)
