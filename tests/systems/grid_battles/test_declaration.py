"""Rounds and turns: who is activated, in which order things happen, how a game ends."""

from typing import Any

import pytest

from affray.core.errors import AnswerError
from affray.engine.exchange.session import Session
from affray.systems.grid_battles.map.hexes import from_label
from affray.systems.grid_battles.sheet import Setup, Unit

from .factory import (
    SURE,
    UNIT,
    WORKED,
    asked,
    board_of,
    closed,
    duel,
    game,
    offered,
    play,
    played,
    question,
    scenario,
    unit,
)


def army(*labels: str, **changes: Any) -> list[tuple[Unit, str]]:
    return [(unit(**changes), label) for label in labels]


def statuses(session: Session) -> list[str]:
    return [piece.status if piece else "removed" for piece in board_of(session).pieces]


def turns(session: Session) -> list[str]:
    """What the log says of turns and rounds."""
    return [row.says for row in session.log if row.step == "begin_turn"]


def far(n_one: int, n_other: int, **changes: Any) -> Setup:
    """Units that can neither move nor reach each other: only turns pass."""
    still = unit(move=0)
    labels = [f"{column:02}00" for column in range(n_one)]
    others = [f"{column:02}03" for column in range(n_other)]
    changes = {"rounds": 9, **changes}
    return scenario(
        [(still, label) for label in labels], [(still, label) for label in others], **changes
    )


# -- rounds ----------------------------------------------------------------------------------


def test_gb40_players_alternate_within_a_round() -> None:
    session = played(game(far(2, 2, rounds=1)), options=["rider", "rider"])
    assert turns(session)[:4] == [
        "Round 1: a turn of player one.", "Round 1: a turn of player other.",
        "Round 1: a turn of player one.", "Round 1: a turn of player other.",
    ]  # fmt: skip


def test_gb41_units_that_had_their_turn_are_fatigued() -> None:
    session = asked(game(far(2, 2)), "rider")
    assert statuses(session) == ["fatigued", "fresh", "fresh", "fresh"]
    session = session.answer("rider-2")
    assert closed(session) == {}
    assert statuses(session) == ["fresh"] * 4  # all had theirs: round 2
    session = asked(game(far(3, 2)), "rider", "rider")
    assert closed(session) == {"rider": "fatigued until the next round (GB-41)"}


def test_gb42_v41_a_player_without_fresh_units_passes_until_nobody_has_any() -> None:
    session = played(game(far(1, 3, rounds=1)), options=["rider", "rider-2"])
    assert turns(session) == [
        "Round 1: a turn of player one.", "Round 1: a turn of player other.",
        "Player one has no fresh unit and passes.", "Round 1: a turn of player other.",
        "Player one has no fresh unit and passes.", "Round 1: a turn of player other.",
        "Round 1 was the last one.",
    ]  # fmt: skip


def test_gb42_in_a_new_round_all_units_are_fresh() -> None:
    session = asked(game(duel("0000", "0403")), "stay", "stay")
    assert board_of(session).round == 2
    assert statuses(session) == ["activated", "fresh"]


# -- the turn --------------------------------------------------------------------------------


def test_gb43_a_turn_is_activation_movement_attack() -> None:
    session = asked(game(scenario(army("0000", "0300"), army("0100"))), "rider", "stay")
    assert question(session).step == "choose_attack"
    steps = [entry.at.step.name for entry in session.entries]
    assert steps == ["begin_turn", "activate", "activate", "choose_mover", "move", "choose_mover"]


def test_gb44_exactly_as_many_as_the_scenario_says() -> None:
    made = game(scenario(army("0000", "0100", "0200"), army("0403"), activations=2))
    session = Session(made)
    assert offered(session) == ["rider", "rider-2"]  # the third one would leave too few
    assert "2 units must be named" in closed(session)["rider-3"]
    session = session.answer("rider-2")
    assert statuses(session)[:3] == ["fresh", "activated", "activated"]


def test_gb44_no_set_of_units_is_offered_twice() -> None:
    made = game(far(4, 1, activations=2))
    found: set[tuple[str, ...]] = set()
    for first in offered(Session(made)):
        session = Session(made).answer(first)
        if question(session).step != "activate" or board_of(session).side == 1:
            found.add((first,))
            continue
        for second in offered(session):
            chosen = tuple(sorted((first, second)))
            assert chosen not in found
            found.add(chosen)
    assert len(found) == 6  # 4 over 2; the last pair leaves no choice for its second unit


def test_gb44_v40_with_fewer_fresh_units_all_of_them() -> None:
    session = Session(game(scenario(army("0000", "0100"), army("0403"), activations=3)))
    assert question(session).step == "choose_mover"
    assert statuses(session) == ["activated", "activated", "fresh"]


def test_gb45_each_unit_finishes_its_move_before_the_next_starts() -> None:
    made = game(scenario(army("0000", "0100"), army("0403"), activations=2))
    session = asked(made, "rider-2")
    assert question(session).ask == "where does Rider 2 go?"
    session = session.answer("0200")
    assert question(session).ask == "where does Rider go?"
    assert question(session.answer("stay")).actor == "other"


def test_gb46_v43_one_attack_for_each_unit() -> None:
    made = game(scenario(army("0100"), army("0000", "0200")))
    session = asked(made, "stay")
    assert offered(session) == ["end", "rider-on-rider", "rider-on-rider-2"]
    session = asked(made, "stay", "rider-on-rider", ("d",), ("-",), ("d",), ("-",))
    assert board_of(session).side == 1  # nothing was left to choose


def test_gb46_only_units_of_this_turn_attack() -> None:
    made = game(scenario(army("0000", "0200"), army("0100")))
    session = asked(made, "rider", "stay")
    assert offered(session) == ["end", "rider-on-rider"]
    with pytest.raises(AnswerError, match="allowed: end, rider-on-rider"):
        session.answer("rider-2-on-rider")


def test_gb46_melee_needs_an_adjacent_enemy() -> None:
    made = game(scenario(army("0000", "0300"), army("0100"), activations=2))
    session = asked(made, "rider", "stay", "stay")
    assert "adjacent hexes; this one is 2 away (GB-46)" in closed(session)["rider-2-on-rider"]


def test_gb46_combats_are_resolved_one_after_the_other() -> None:
    made = game(scenario(army("0000", "0200"), army("0100", health=2), activations=2))
    session = asked(made, "rider", "stay", "stay", "rider-on-rider", ("d",), ("-",))
    session = session.answer(("d",)).answer(("-",))
    assert offered(session) == ["end", "rider-2-on-rider"]
    assert question(session).about[2] == ("other", "Rider 0100 (1)")


def test_gb49_no_move_after_an_attack() -> None:
    made = game(scenario(army("0000", "0300"), army("0100"), activations=2))
    session = asked(made, "rider", "stay", "stay", "rider-on-rider", ("d",), ("-",), ("d",), ("-",))
    assert board_of(session).side == 1  # the second unit has no target, and can't move any more


# -- the end ---------------------------------------------------------------------------------


def test_gb47_v29_the_game_ends_in_the_battle_back_that_decides_it() -> None:
    made = scenario(army("0000", health=1) + army("0200"), army("0100"), activations=2, dice=WORKED)
    options = ["rider", "stay", "stay", "rider-on-rider"]
    done = play(game(made), "d", "s", "d", "-", options=options)
    assert (done["winner"], done["rounds"]) == ("other", 1)
    assert (done["units_one"], done["units_other"]) == (1, 1)  # the second attack is skipped


def test_gb47_the_game_goes_on_until_enough_are_destroyed() -> None:
    made = scenario(army("0000", "0200"), army("0100", "0300", health=1), activations=2, destroy=2)
    options = ["rider", "stay", "stay", "rider-on-rider", "rider-2-on-rider-2"]
    done = play(game(made), "d", "-", "d", "-", options=options)
    assert (done["winner"], done["units_one"], done["units_other"]) == ("one", 2, 0)


def test_gb47_nobody_has_won_when_the_rounds_are_over() -> None:
    done = play(game(duel("0000", "0403", rounds=2)), options=["stay"] * 4)
    assert (done["winner"], done["rounds"]) == ("draw", 2)


def test_gb48_the_scenario_sets_up_the_game() -> None:
    made = scenario(army("0102"), army("0303"), starts="other", dice=SURE)
    session = Session(game(made))
    board = board_of(session)
    assert question(session).actor == "other"
    assert [piece.hex for piece in board.pieces if piece] == [
        from_label("0102"), from_label("0303"),
    ]  # fmt: skip
    assert [piece.points for piece in board.pieces if piece] == [3, 3]


def test_gb48_nobody_moves_where_there_is_no_room() -> None:
    session = Session(game(duel("0000", "0100", columns=2, rows=1)))
    assert offered(session) == ["end", "rider-on-rider"]
    assert UNIT.move == 4
