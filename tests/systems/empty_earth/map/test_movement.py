"""A move as an exchange of its own: where one can walk, what is named first, what is refused."""

from dataclasses import replace
from typing import Any

import pytest

from affray.core.errors import AnswerError, SetupError
from affray.engine.exchange.session import Session
from affray.systems.empty_earth.map.movement import steps_to_attack
from affray.systems.empty_earth.sheet import Affliction, Fighter, Setup
from tests.systems.empty_earth.factory import (
    ADA,
    SYSTEM,
    bow,
    game,
    offered,
    played,
    question,
    setup,
    striker,
    weapon,
)
from tests.systems.empty_earth.map.charts import black, chart, figure, green, on_map, square

CLUB = striker(weapon())


def move(one: str, two: str, *, attacker: Fighter = CLUB, **changes: Any) -> Setup:
    drawn = changes.pop("drawn", chart(["abc", "def"]))
    changes = {"act": "move", **changes}
    return on_map(drawn, one, two, *changes.pop("figures", ()), attacker=attacker, **changes)


def test_ee70_every_open_zone_beside_is_on_offer_the_way_to_an_attack_first() -> None:
    made = move("b", "f")
    assert offered(Session(game(made))) == ["c", "e", "a", "stay"]
    words = {option.name: option.words for option in question(Session(game(made))).options}
    assert words == {
        "c": "1 more move to an attack", "e": "1 more move to an attack",
        "a": "3 more moves to an attack", "stay": "stay in the same Zone",
    }  # fmt: skip
    near = question(Session(game(move("c", "f")))).options
    assert (near[0].name, near[0].words) == ("f", "an attack is possible from there")


def test_ee70_walls_close_zones_off() -> None:  # A-10c
    wall, hedge = black((8, 4), (8, 8)), green((4, 4), (8, 4))
    made = move("b", "f", drawn=chart(["abc", "def"], wall, hedge))
    assert offered(Session(game(made))) == ["e", "a", "stay"]
    assert offered(Session(game(made, {"walls": "both"}))) == ["a", "stay"]


def test_ee70_zones_from_which_no_attack_is_reached_come_last() -> None:
    drawn = chart(["abc d"])
    made = move("b", "d", drawn=drawn)
    words = [option.words for option in question(Session(game(made))).options]
    assert words[:2] == ["no way leads from there to an attack"] * 2
    assert dict(steps_to_attack(made, SYSTEM.readings({}))) == {"d": 0}


def test_ee70_archers_are_led_to_range_and_sight() -> None:
    wall = black((8, 0), (8, 4))  # between b and c
    made = move("a", "c", attacker=striker(bow()), drawn=chart(["def", "abc"], wall))
    steps = steps_to_attack(made, SYSTEM.readings({}))
    # From e the line to c touches the end of the wall, from f it is free; d is too far away.
    assert dict(steps) == {"e": 0, "f": 0, "c": 0, "d": 1, "b": 1, "a": 2}
    strict = steps_to_attack(made, SYSTEM.readings({"sight": "strict"}))
    assert (strict["e"], strict["b"]) == (1, 2)


@pytest.mark.parametrize(("zone", "away", "hostiles"), [("a", 3, 0), ("c", 1, 2), ("stay", 2, 1)])
def test_ee70_one_stands_where_one_walked(zone: str, away: int, hostiles: int) -> None:
    around = (figure("c"), figure("c"), figure("b"))
    session = played(game(move("b", "f", figures=around)), options=(zone,))
    result = session.result
    assert result["zone"] == ("b" if zone == "stay" else zone)
    assert (result["zones_away"], result["hostiles"]) == (away, hostiles)
    told = "The attacker stays in b." if zone == "stay" else f"b -> {zone}."
    assert any(told in row.says for row in session.log)
    assert f"{result['zone']}: A striker" in session.picture


def test_ee70_a_move_is_to_a_zone_beside() -> None:
    with pytest.raises(AnswerError, match="f"):
        played(game(move("a", "f")), options=("f",))


def test_ee70_a_move_begins_a_turn_like_anything_else() -> None:
    shielded = replace(CLUB, shields=3)
    made = move("a", "f", attacker=shielded, new_turn="attacker")
    assert played(game(made), options=("b",)).result["attacker_shields"] == 0


def test_ee50_who_is_down_moves_nowhere() -> None:
    down = replace(ADA, vitality=0, injuries=1)
    with pytest.raises(SetupError, match="Ada has no Vitality left and can't move until revived"):
        game(move("a", "b", attacker=down))


def test_ee56_a_condition_that_forbids_actions_forbids_moves_too() -> None:
    for turns, new_turn, moves in ((0, "none", False), (1, "none", False), (1, "attacker", True)):
        numb = Affliction(name="Numb", no_actions=True, turns=turns)
        held = replace(CLUB, conditions=(numb,))
        if moves:
            assert offered(Session(game(move("b", "f", attacker=held, new_turn=new_turn))))
            continue
        with pytest.raises(SetupError, match=r"striker can't move: Numb \(EE-56\)"):
            game(move("b", "f", attacker=held, new_turn=new_turn))


def test_ee70_where_no_way_is_open_nobody_moves() -> None:
    with pytest.raises(SetupError, match="striker can't leave 'a'; no way is open"):
        game(move("a", "c", drawn=chart(["a c"])))


def test_ee70_a_move_is_one_deed_on_a_map() -> None:
    with pytest.raises(SetupError, match="act 'move' without a map"):
        setup(act="move")
    with pytest.raises(SetupError, match="attacks 2 with act 'move'; allowed: 1"):
        move("a", "b", attacks=2)


def test_ee70_no_zone_is_called_like_staying() -> None:
    with pytest.raises(SetupError, match="name is 'stay', which an option of every move is called"):
        square("stay", 0, 0)


# -- a step before an attack ---------------------------------------------------------------------


def strike(one: str, two: str, **changes: Any) -> Setup:
    return move(one, two, act="attack", **changes)


STEP = {"moves": "and_attack"}


def test_a10d_a_figure_walks_to_where_it_can_attack() -> None:
    made = strike("b", "f")
    with pytest.raises(SetupError, match="can't attack from there"):
        game(made)
    with pytest.raises(SetupError, match="can't attack from there"):
        game(strike("a", "f"), STEP)
    session = played(game(strike("b", "e"), STEP), 6, 6)
    assert session.result["zone"] == "e"
    assert any("b -> e." in row.says for row in session.log)


def test_a10d_who_can_attack_from_where_they_stand_may_stay() -> None:
    """An archer beside the target steps back, or shoots at -1."""
    made = strike("b", "b", attacker=striker(bow()))
    asked = question(Session(game(made, STEP)))
    assert [option.name for option in asked.options] == ["stay", "a", "c", "e"]
    for zone, hostiles in (("stay", 1), ("e", 0)):
        result = played(game(made, STEP), 6, 6, options=(zone,)).result
        assert (result["zone"], result["hostiles"]) == ("b" if zone == "stay" else "e", hostiles)


@pytest.mark.parametrize("turn_between", [False, True])
def test_a10d_a_row_of_attacks_has_one_step(turn_between: bool) -> None:
    """An archer can attack from three Zones more, but walks before the first attack alone."""
    made = strike("b", "b", attacks=2, turn_between=turn_between, attacker=striker(bow()))
    done = played(game(made, STEP), 1, 1, 1, 1, options=("e",))
    assert len([row for row in done.log if "b -> e." in row.says]) == 1
    asked_from = [entry.at.step.name for entry in done.steps_taken].count("approach")
    assert asked_from == 1  # nor could they stay where they are once more


def test_ee70_by_default_there_is_no_step_before_an_attack() -> None:
    made = strike("b", "b", attacker=striker(bow()))
    asked = question(Session(game(made)))
    assert asked.ask != "from where?"
