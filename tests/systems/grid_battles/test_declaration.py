"""Rounds and turns: who is activated, in which order things happen, how a game ends."""

import random
from dataclasses import replace
from typing import Any

import pytest

from affray.app.inputs.intake import InputError
from affray.app.inputs.setups import load, load_raw
from affray.core.errors import AnswerError
from affray.engine.exchange.session import Session
from affray.engine.exchange.sources import Seeded, drive
from affray.systems.grid_battles.map.hexes import from_label
from affray.systems.grid_battles.sheet import Goal, Setup, Unit

from .factory import (
    BOW,
    HILL,
    SURE,
    SYSTEM,
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
        "Round 1 was the last one. It is a draw.",
    ]  # fmt: skip


def test_gb42_in_a_new_round_all_units_are_fresh() -> None:
    session = asked(game(duel("0000", "0403")), "stay", "stay")
    assert board_of(session).round == 2
    assert statuses(session) == ["activated", "fresh"]


# -- the turn --------------------------------------------------------------------------------


def test_gb43_a_turn_is_activation_movement_attack() -> None:
    session = asked(game(scenario(army("0000", "0300"), army("0100"))), "rider", "stay")
    assert question(session).step == "choose_attack"
    steps = [entry.at.step.name for entry in session.steps_taken]
    assert steps == ["begin_turn", "activate", "activate", "choose_mover", "move", "choose_mover"]


def test_gb44_exactly_as_many_as_the_scenario_says() -> None:
    made = game(scenario(army("0000", "0100", "0200"), army("0403"), activations=2))
    session = Session(made)
    assert offered(session) == ["rider", "rider-2", "rider-3"]
    session = session.answer("rider-3")
    assert offered(session) == ["rider", "rider-2"]
    assert closed(session) == {"rider-3": "activated already"}
    session = session.answer("rider")
    assert statuses(session)[:3] == ["activated", "fresh", "activated"]


def test_gb44_units_are_named_in_any_order_and_come_to_the_same() -> None:
    made = game(scenario(army("0000", "0100", "0200", "0300"), army("0403"), activations=2))
    found: dict[frozenset[str], set[object]] = {}
    for first in offered(Session(made)):
        session = Session(made).answer(first)
        for second in offered(session):
            places = found.setdefault(frozenset({first, second}), set())
            places.add(session.answer(second).here)
    assert len(found) == 6  # 4 over 2
    assert all(len(places) == 1 for places in found.values())


@pytest.mark.parametrize(("other", "theirs"), [(0, 2), (1, 1), (3, 3)])
def test_gb44_each_player_has_a_number_of_activations(other: int, theirs: int) -> None:
    """Player one activates two of three; the other player as many as the scenario gives them."""
    made = game(far(3, 3, activations=2, other_activations=other))
    named = {1: ["rider"], 2: ["rider", "rider-2", "rider"], 3: ["rider", "rider-2"]}[theirs]
    session = asked(made, "rider", "rider-2", "rider", *named)  # the last one moves first
    ended = [entry.at.facts for entry in session.steps_taken if entry.at.step.name == "end_turn"]
    (pieces,) = [facts.game.pieces for facts in ended[:2] if facts.game.side == 1]  # type: ignore[attr-defined]  # a game
    assert sum(piece.status != "fresh" for piece in pieces[3:]) == theirs


def test_gb43_the_log_says_who_moves_and_why_nobody_was_asked() -> None:
    made = game(scenario(army("0000", "0100"), army("0403"), activations=2))
    session = asked(made, "rider-2", "0200", "stay")
    said = [(row.step, row.words, row.says) for row in session.log]
    assert ("activate", "", "Rider and Rider 2 are activated: all fresh units must be.") in said
    assert (
        "choose_mover", "", "Rider moves: no other activated unit is left to move."
    ) in said  # fmt: skip
    assert ("move", "Rider 2 goes 0200, 1 of 4 movement points", "") in said
    assert ("move", "Rider stays on 0000", "") in said
    after = said[said.index(("move", "Rider stays on 0000", "")) + 1]
    assert after == ("choose_attack", "no further attack in this turn", ""), "nobody else moves"


def test_gb44_a_single_fresh_unit_is_activated_and_told() -> None:
    session = Session(game(duel("0000", "0403")))
    says = [row.says for row in session.log]
    assert "Rider is activated: no other unit is fresh." in says


def test_gb18_gb53_options_show_what_a_unit_has() -> None:
    made = game(scenario(army("0000", "0100", range_hexes=3), army("0403")))
    words = {option.name: option.words for option in question(Session(made)).options}
    assert words["rider"] == (
        "Rider 0000 (3/3 health, attack yellow, defense brown, move 4, range 3, fresh)"
    )


def test_gb6_gb12_options_show_what_an_attack_comes_to() -> None:
    keen = unit(name="Keen", advantage_over=("Rider",))
    made = scenario([(keen, "0000")], [(UNIT, "0100"), (UNIT, "0403")], {"0100": HILL}, rounds=1)
    session = asked(game(made), "stay")
    words = {option.name: option.words for option in question(session).options}
    assert words["keen-on-rider"] == (
        "Keen on 0000 (3 health) attacks Rider on 0100 (3 health): 1yellow against 1brown + "
        "1 Shield, with Advantage (over Rider); Battle Back: 1yellow against 1brown, no Advantage"
    )
    shot = scenario([(BOW, "0000")], [(UNIT, "0200")], rounds=1)
    words = {option.name: option.words for option in question(asked(game(shot), "stay")).options}
    assert words["bow-on-rider"].endswith("no Advantage; no Battle Back: not adjacent")


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
    told = "Rider 0100 (1/2)"
    assert question(session).about[2] == ("other", told)


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


# -- conditions of each player ---------------------------------------------------------------


def test_gb47a_each_player_has_conditions_of_their_own() -> None:
    """One must destroy two units, the other one: each has lost one."""
    made = scenario(
        army("0000", "0300", health=1), army("0100", "0400", health=1), activations=2,
        one_wins=Goal(destroy=2), rounds=2,
    )  # fmt: skip
    session = asked(game(made), "rider", "stay", "stay", "rider-on-rider", ("d",), ("-",))
    assert session.outcome is None
    session = session.answer("rider-2-on-rider-2").answer(("d",)).answer(("-",))
    assert board_of(session).winner == "one"
    assert made.scenario is not None
    other = replace(
        made, scenario=replace(made.scenario, one_wins=None, other_wins=Goal(destroy=2))
    )
    session = asked(game(other), "rider", "stay", "stay", "rider-on-rider", ("d",), ("-",))
    assert board_of(session).winner == "one"


def holding(**changes: Any) -> Setup:
    """A rider one step from the hex that it must hold, an enemy that never comes."""
    goal = Goal(hold=("0100",))
    return scenario(
        army("0000"), [(unit(move=0), "0403")], one_wins=goal, rounds=2, **changes
    )  # fmt: skip


def test_gb47b_a_hex_is_held_when_the_round_ends() -> None:
    session = asked(game(holding()), "0100")
    assert session.outcome is not None
    assert (board_of(session).winner, board_of(session).round) == ("one", 1)
    assert turns(session)[-1] == "Round 1 is over. Player one has won."
    away = asked(game(holding()), "stay")
    assert board_of(away).round == 2


def test_gb47b_every_hex_of_the_condition_must_be_held() -> None:
    goal = Goal(hold=("0100", "0200"))
    made = scenario(army("0100", "0300"), [(unit(move=0), "0403")], activations=2, one_wins=goal)
    assert board_of(asked(game(made), "rider", "stay", "stay")).round == 2
    session = asked(game(made), "rider-2", "0200", "stay")
    assert board_of(session).winner == "one"


def test_gb47c_a_unit_leaves_the_map_from_an_exit() -> None:
    goal = Goal(escape=1, exits=("0300",))
    made = scenario(army("0000"), [(unit(move=0), "0403")], one_wins=goal)
    session = Session(game(made))
    words = {option.name: option.words for option in question(session).options}
    assert words["leave"] == "Rider leaves the map by 0300, 4 of 4 movement points"
    session = session.answer("leave")
    assert (board_of(session).winner, board_of(session).escaped) == ("one", (1, 0))
    assert session.result["escaped_one"] == 1
    assert made.scenario is not None
    far_off = replace(made.scenario, one_wins=Goal(escape=1, exits=("0400",)))
    assert "leave" not in offered(Session(game(replace(made, scenario=far_off))))


def test_gb47_gb47c_once_enough_have_left_nobody_else_moves() -> None:
    """One of two must leave: the second one, activated with it, stays where it is."""
    goal = Goal(escape=1, exits=("0000",))
    made = scenario(army("0000", "0100"), [(UNIT, "0200")], activations=2, one_wins=goal)
    session = asked(game(made), "rider", "leave")
    assert session.outcome is not None
    assert session.result["winner"] == "one"
    assert statuses(session) == ["removed", "activated", "fresh"]


def test_gb47c_a_unit_that_has_left_is_not_destroyed() -> None:
    """One of two must leave; the enemy needs one kill, and gets none by it."""
    goal = Goal(escape=2, exits=("0000",))
    made = scenario(army("0000", "0100"), [(unit(move=0), "0403")], one_wins=goal)
    session = asked(game(made), "rider", "leave")
    assert session.outcome is None
    assert board_of(session).winner == ""
    assert ("escaped of one", 1) in question(session).about
    session = session.answer("leave") if "leave" in offered(session) else session
    assert session.result["winner"] == "one"


def test_gb47a_when_the_rounds_are_over_a_player_may_have_won() -> None:
    made = duel("0000", "0403", rounds=1, at_the_end="other")
    assert play(game(made), options=["stay"] * 2)["winner"] == "other"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"one_wins": {}}, "no condition; give destroy, hold or escape"),
        ({"one_wins": {"escape": 1}}, "escape 1 without exits"),
        ({"one_wins": {"destroy": 1, "exits": ["0000"]}}, "exits without escape"),
        ({"one_wins": {"hold": ["0900"]}}, "one_wins: hex '0900': off the map"),
        ({"one_wins": {"hold": ["0000", "0000"]}}, "hold 2 hexes, and side one has 1 units"),
        ({"other_wins": {"escape": 2, "exits": ["0000"]}}, "escape 2 units, and side other has 1"),
        ({"other_wins": {"destroy": 2}}, "destroy 2, and side one has 1 units"),
        ({"destroy": 1, "one_wins": {"destroy": 1}, "other_wins": {"destroy": 1}},
         "it counts for players without a goal"),
        ({"missing": ["0000"]}, "units on hex '0000': it is missing from the map"),
        ({"missing": ["0900"]}, "missing hex '0900': off the map"),
        ({"layout": "diagonal"}, "layout"),
    ],
)  # fmt: skip
def test_gb47a_conditions_out_of_reach_are_refused(changes: dict[str, object], words: str) -> None:
    raw = {
        "columns": 5, "rows": 4, "one": [{"unit": "light_cav", "hex": "0000"}],
        "other": [{"unit": "light_cav", "hex": "0403"}], **changes,
    }  # fmt: skip
    with pytest.raises(InputError, match=words):
        load_raw(SYSTEM, {"scenario": raw}, "given")


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


# -- points ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_gb1_no_option_spends_a_point(seed: int) -> None:
    """The game has nothing to spend: neither activating, moving, attacking nor holding back."""
    choices, dice, met = random.Random(seed), Seeded(seed), set()
    session = drive(Session(load("grid-battles", "ford").game), dice)
    while (asked_for := session.question) is not None:
        met.add(asked_for.step)
        assert [option.name for option in asked_for.options if option.spends] == []
        session = drive(session.answer(choices.choice(asked_for.options).name), dice)
    assert met >= {"activate", "choose_mover", "move"}
