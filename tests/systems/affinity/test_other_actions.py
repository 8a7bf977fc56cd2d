"""Defend, Rush, Steady, moving, healing, stabilizing, helping."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Literal

import pytest

from affray.core.errors import AnswerError
from affray.engine.exchange.session import Session
from affray.systems.affinity.sheet import Layer, Setup

from .factory import (
    BARRIER,
    MEND,
    asked,
    attack,
    game,
    mean,
    odds,
    offered,
    play,
    setup,
    striker,
    target,
)

HURT = striker(level=5, hd=8, hd_max=11, resolve=3)
DYING = target(hd=0, hd_max=3)


# -- Rush ------------------------------------------------------------------------------------


def test_af42_each_success_of_rush_restores_a_hit_die() -> None:
    made = game(setup(HURT), choose_action="rush", choose_exertion="1")
    end = play(made, 6, 2, 1, 1)  # three successes, the exertion die burns
    assert (end["healed"], end["burn"], end["own_hd"]) == (3, 1, 10)


def test_af42_rush_costs_resolve_whatever_is_rolled() -> None:
    made = game(setup(HURT), choose_action="rush", choose_exertion="0")
    assert play(made, 1, 1, 1)["own_resolve"] == 2
    assert play(made, 6, 6, 6)["own_resolve"] == 2


def test_af42_rush_may_drive_resolve_below_nothing_but_not_below_the_lowest() -> None:
    low = striker(hd=1, hd_max=3, resolve=-4)
    made = game(setup(low), choose_action="rush", choose_exertion="0")
    assert play(made, 1)["own_resolve"] == -5
    with pytest.raises(AnswerError, match="'rush': it costs 1 Resolve; there is -5"):
        Session(game(setup(striker(hd=1, hd_max=3, resolve=-5)), choose_action="rush"))


def test_af42_odds_of_rush() -> None:  # AFO-11
    low = striker(hd=10, hd_max=20)
    made = game(setup(low), choose_action="rush", choose_exertion="1")
    assert odds(made, "own_hd")[12] == Fraction(17, 36)
    many = striker(level=5, hd=10, hd_max=40)
    made = game(setup(many), choose_action="rush", choose_exertion="3")
    assert mean(made, "own_hd") == 10 + Fraction(11, 2)


def test_af39_rush_stops_at_the_most_hit_dice() -> None:
    made = game(setup(HURT), choose_action="rush", choose_exertion="0")
    assert play(made, 6, 6, 2)["own_hd"] == 11


# -- fixed trades ----------------------------------------------------------------------------


def test_af44_rush_as_a_trade_has_no_roll() -> None:
    end = play(game(setup(HURT), {"rush": "fixed"}, choose_action="rush"))
    assert (end["own_hd"], end["own_resolve"], end["burn"]) == (11, 2, 0)


def test_af44_rush_as_a_trade_comes_once_between_rests() -> None:
    spent = striker(rushed=True)
    with pytest.raises(AnswerError, match="'rush': it was used since the last rest"):
        Session(game(setup(spent), {"rush": "fixed"}, choose_action="rush"))
    assert "rush" in offered(asked(game(setup(spent))))


def test_af44_steady_gives_three_hit_dice_for_a_point_of_resolve() -> None:
    end = play(game(setup(HURT), {"steady": "yes"}, choose_action="steady"))
    assert (end["own_hd"], end["own_resolve"]) == (5, 4)


def test_af44_steady_comes_once_and_needs_three_hit_dice() -> None:
    for who, why in (
        (striker(steadied=True), "it was used since the last rest"),
        (striker(hd=2, hd_max=3), "it costs 3 HD; there are 2"),
    ):
        with pytest.raises(AnswerError, match=f"'steady': {why}"):
            Session(game(setup(who), {"steady": "yes"}, choose_action="steady"))


def test_af44_steady_never_lifts_resolve_above_its_most() -> None:
    end = play(game(setup(striker(level=5)), {"steady": "yes"}, choose_action="steady"))
    assert end["own_resolve"] == 5


# -- moving ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "enough", "short", "yards"),
    [("dash", (2,), (1,), 10), ("march", (6,), (3,), 20), ("disengage", (6,), (5,), 10)],
)
def test_af45_moves_need_their_successes(
    name: str, enough: tuple[int, ...], short: tuple[int, ...], yards: int
) -> None:
    made = game(setup(), choose_action=name, choose_exertion="0")
    assert play(made, *enough)["moved"] == yards
    assert play(made, *short)["moved"] == 0


def test_af62_difficult_ground_halves_a_move() -> None:
    made = game(setup(difficult=True), choose_action="dash", choose_exertion="0")
    assert play(made, 2)["moved"] == 5


# -- friends ---------------------------------------------------------------------------------


def test_af51_healing_restores_the_sum_of_its_dice() -> None:
    made = attack(setup(striker(MEND), target(hd=1, hd_max=9), towards="friend"))
    end = play(made, 2, 3, 4)
    assert (end["healed"], end["hd"]) == (7, 8)


def test_af51_healing_that_fails_restores_nothing() -> None:
    made = attack(setup(striker(MEND), target(hd=1, hd_max=9), towards="friend"))
    assert play(made, 1)["hd"] == 1


def test_af39_healing_stops_at_the_most_and_mends_no_layer() -> None:
    torn = target(BARRIER, hd=1, hd_max=3)
    made = attack(setup(striker(MEND), torn, towards="friend"))
    assert play(made, 2, 6, 6)["hd"] == 3
    gone = target(replace(BARRIER, intact=False), hd=1, hd_max=3)
    made = attack(setup(striker(MEND), gone, towards="friend"))
    assert play(made, 2, 6, 6)["layers"] == "none"


def test_af50_healing_brings_the_dying_back() -> None:
    made = attack(setup(striker(MEND), DYING, towards="friend"))
    assert play(made, 1)["state"] == "down"
    assert play(made, 2, 1, 1)["state"] == "up"


def test_af45_stabilize_takes_two_successes_on_somebody_dying() -> None:
    made = setup(striker(), DYING, towards="friend")
    assert play(game(made, choose_action="stabilize", choose_exertion="0"), 6)["stabilized"]
    assert not play(game(made, choose_action="stabilize", choose_exertion="0"), 5)["stabilized"]
    with pytest.raises(AnswerError, match="only a dying friend can be stabilized"):
        Session(game(setup(towards="friend"), choose_action="stabilize"))


def test_af45_help_gives_the_roll_to_a_friend() -> None:
    made = setup(striker(), DYING, towards="friend")
    assert "help" not in offered(asked(game(made)))
    given = play(game(made, {"help": "yes"}, choose_action="help", choose_exertion="1"), 6, 2)
    assert given["given"] == 3
    helped = attack(setup(given=3))
    end = play(helped, 1, 1)
    assert (end["successes"], end["damage"]) == (3, 2)


def test_af43_towards_a_friend_nobody_attacks() -> None:
    session = asked(game(setup(striker(MEND), DYING, towards="friend")))
    assert offered(session) == ["mend", "stabilize"]


def test_af30_defend_shows_in_the_outcome() -> None:
    assert play(game(setup(), choose_action="defend"))["defending"]
    assert not play(attack(setup()), 1)["defending"]


# -- repair and rest -------------------------------------------------------------------------

GONE = replace(BARRIER, intact=False)
TORN = Layer(kind="armor", die=8, intact=False)
SHIELD = Layer(kind="shield", die=12, dice=1, intact=False)


def _mended(act: Literal["repair", "recover"], **changes: Any) -> Mapping[str, object]:
    hurt = target(GONE, SHIELD, TORN, hd=2, hd_max=5)
    return play(game(Setup(attacker=striker(), defender=hurt, act=act, **changes)))


def test_af51_armor_is_repaired_and_nothing_else() -> None:
    end = _mended("repair")
    assert (end["armor"], end["shield"], end["magical"], end["hd"]) == (1, 1, 0, 2)


def test_af39_recover_makes_every_layer_whole() -> None:
    end = _mended("recover")
    assert (end["armor"], end["shield"], end["magical"], end["hd"]) == (1, 1, 1, 2)


@pytest.mark.parametrize(("rest", "hd"), [(1, 3), (3, 5), (9, 5)])
def test_af51_a_rest_restores_hit_dice_up_to_the_most(rest: int, hd: int) -> None:
    assert _mended("recover", rest_hd=rest)["hd"] == hd


def test_af51_whole_layers_stay_as_they_are() -> None:
    made = game(Setup(attacker=striker(), defender=target(BARRIER, hd=2), act="repair"))
    assert play(made)["magical"] == 1
