"""Movement: where a unit may go, and what is in its way."""

from itertools import pairwise

import pytest

from affray.core.errors import AnswerError
from affray.engine.exchange.session import Session
from affray.systems.grid_battles.map.hexes import from_label
from tests.systems.grid_battles.factory import (
    UNIT,
    WOODS,
    asked,
    board_of,
    closed,
    duel,
    game,
    offered,
    question,
    scenario,
    unit,
)


def words(session: Session, name: str) -> str:
    return next(option.words for option in question(session).options if option.name == name)


def test_gb50_only_activated_units_move_in_the_order_that_their_player_picks() -> None:
    made = game(
        scenario([(UNIT, "0000"), (UNIT, "0200"), (UNIT, "0400")], [(UNIT, "0403")], activations=2)
    )
    session = asked(made, "rider", "rider-3")
    assert offered(session) == ["rider", "rider-3"]
    assert offered(session.answer("rider-3"))[0] == "stay"


def test_gb51_no_two_units_on_one_hex() -> None:
    made = game(scenario([(UNIT, "0000"), (UNIT, "0100")], [(UNIT, "0101")], activations=2))
    session = asked(made, "rider")
    assert not {"0100", "0101"} & set(offered(session))
    assert closed(session)["0100"] == "another unit stands there (GB-51)"
    with pytest.raises(AnswerError, match="another unit stands there"):
        session.answer("0101")


@pytest.mark.parametrize("enemy", [False, True])
def test_gb52_v44_no_way_through_a_unit_but_perhaps_round_it(enemy: bool) -> None:
    one, other = [(UNIT, "0000")], [(UNIT, "1101")]
    (other if enemy else one).append((unit(name="Block"), "0100"))
    answers = [] if enemy else ["rider"]
    session = asked(game(scenario(one, other, columns=12, rows=2)), *answers)
    assert words(session, "0200") == "Rider goes 0001 0101 0200, 3 of 4 movement points"


def test_gb52_v44_in_a_lane_a_unit_bars_the_way() -> None:
    made = scenario([(UNIT, "0100")], [(UNIT, "0300")], columns=12, rows=1)
    session = Session(game(made))
    assert offered(session) == ["stay", "0000", "0200"]
    assert closed(session) == {
        "0300": "another unit stands there (GB-51)",
        "0400": "no way there (GB-53)",
        "0500": "no way there (GB-53)",
    }


def test_gb53_v46_as_many_steps_as_movement_points() -> None:
    made = game(scenario([(UNIT, "0000")], [(UNIT, "1100")], columns=12, rows=1))
    session = Session(made)
    assert offered(session) == ["stay", "0100", "0200", "0300", "0400"]
    assert words(session, "0400") == "Rider goes 0100 0200 0300 0400, 4 of 4 movement points"
    with pytest.raises(AnswerError, match="allowed: stay, 0100, 0200, 0300, 0400"):
        session.answer("0500")


def test_gb53_a_unit_without_points_stays() -> None:
    session = Session(game(scenario([(unit(move=0), "0000")], [(UNIT, "0100")])))
    assert question(session).step == "choose_attack"


def test_gb53_reach_in_the_open_is_the_distance() -> None:
    """In the open a hex n steps off costs n: 6 hexes at one step, 12 at two, 18 at three."""
    made = game(scenario([(unit(move=3), "0505")], [(UNIT, "0000")], columns=11, rows=11))
    session = Session(made)
    costs = [option.words.split(", ")[1][0] for option in question(session).options[1:]]
    assert [costs.count(str(n)) for n in (1, 2, 3)] == [6, 12, 18]


def test_gb54_v47_until_it_is_confirmed_a_move_can_be_taken_back() -> None:
    first = Session(game(duel("0000", "0403")))
    moved = first.answer("0100")
    assert board_of(moved).pieces[0] is not None
    assert moved.undo().question == first.question
    stayed = moved.undo().answer("stay")
    piece = board_of(stayed).pieces[0]
    assert piece is not None
    assert piece.hex == from_label("0000")


def test_gb54_a_way_is_made_of_single_steps() -> None:
    session = Session(game(duel("0000", "0403")))
    for option in question(session).options[1:]:
        steps = option.words.removeprefix("Rider goes ").split(", ")[0].split()
        assert steps[-1] == option.name
        places = [from_label(label) for label in ["0000", *steps]]
        for one, other in pairwise(places):
            q, r = other.q - one.q, other.r - one.r
            assert (abs(q) + abs(r) + abs(q + r)) == 2


def test_gb54_a_confirmed_move_is_final() -> None:
    session = asked(game(duel("0000", "0403")), "0100")
    assert question(session).actor == "other"


@pytest.mark.parametrize(("ruling", "reach"), [("one", ["0100", "0200"]), ("terrain", ["0100"])])
def test_gb55_terrain_may_cost_more(ruling: str, reach: list[str]) -> None:
    made = scenario([(unit(move=2), "0000")], [(UNIT, "1100")], {"0200": WOODS}, columns=12, rows=1)
    assert offered(Session(game(made, {"move_cost": ruling}))) == ["stay", *reach]
