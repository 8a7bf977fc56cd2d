"""Every reading of every open question changes what it says it changes."""

from dataclasses import replace
from typing import Any

import pytest

from affray.app.inputs.setups import load_raw
from affray.core.errors import AnswerError, SetupError
from affray.core.ruling import Rulings
from affray.engine.exchange.session import Session
from affray.systems.grid_battles.map.attacks import sees
from affray.systems.grid_battles.map.hexes import Hex
from affray.systems.grid_battles.rulings import RULINGS
from affray.systems.grid_battles.sheet import Bonus, Goal, Scenario, Terrain
from affray.systems.grid_battles.state import War

from .factory import (
    BOW,
    SYSTEM,
    UNIT,
    WOODS,
    WORKED,
    asked,
    board_of,
    closed,
    fought,
    game,
    giving,
    offered,
    placed,
    play,
    played,
    question,
    scenario,
    setup,
    unit,
)

BLANK = ("-", "-")


def test_every_question_has_a_test() -> None:
    import ast
    from pathlib import Path

    names = {
        node.name.split("_")[1]
        for node in ast.parse(Path(__file__).read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_a")
    }
    assert {ruling.id.replace("-", "").lower() for ruling in RULINGS} <= names


# -- dice ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("reading", "hits"), [("defence", 0), ("attack", 1)])
def test_a1_bonus_dice_gb25_join_which_pool(reading: str, hits: int) -> None:
    made = setup(defender_terrain=giving("defence_die", colour="grey"))
    start = game(made, {"bonus_dice": reading})
    first = question(Session(start)).dice
    assert str(first) == ("1yellow" if reading == "defence" else "1yellow+1grey")
    faces = ("d", "-", "s") if reading == "defence" else ("d", "s", "-")
    assert play(start, *faces, *BLANK)["hits"] == hits


def load_dice(name: str, **rulings: str) -> Any:
    raw: dict[str, object] = {"attacker": "light_cav", "defender": "light_cav", "dice": name}
    return load_raw(SYSTEM, raw, "dice", rulings=rulings).game


def test_a8_mixed_gb17_faces_with_both_symbols() -> None:
    assert load_dice("mixed")
    assert load_dice("assumed", mixed="never")
    with pytest.raises(SetupError, match=r"yellow die has the face 'db'.*'mixed' \(A-8\)"):
        load_dice("mixed", mixed="never")


def test_a9_blank_attack_gb17_faces() -> None:
    assert load_dice("mixed")
    assert load_dice("assumed", blank_attack="never")
    with pytest.raises(SetupError, match=r"yellow die has a blank side.*'blank_attack' \(A-9\)"):
        load_dice("mixed", blank_attack="never")


# -- Battle Back -----------------------------------------------------------------------------

LOYAL = unit(name="loyal", abilities=("battle_back",))


@pytest.mark.parametrize(
    ("reading", "case", "reason"),
    [
        ("adjacent", "melee", ""), ("adjacent", "bows", "not adjacent"),
        ("adjacent", "shot", "not adjacent"), ("adjacent", "loyal", ""),
        ("able", "melee", ""), ("able", "bows", ""), ("able", "shot", "out of reach"),
        ("able", "hidden", "out of reach"), ("adjacent", "hidden", "not adjacent"),
        ("ability", "melee", "no such ability"), ("ability", "bows", "no such ability"),
        ("ability", "loyal", ""),
    ],
)  # fmt: skip
def test_a2_battle_back_gb6_when_it_is_possible(reading: str, case: str, reason: str) -> None:
    made = {
        "melee": setup(),
        "bows": setup(BOW, BOW, distance_hexes=3),
        "shot": setup(BOW, UNIT, distance_hexes=3),
        "loyal": setup(defender=LOYAL),
        "hidden": setup(BOW, BOW, distance_hexes=3, return_sight="blocked"),
    }[case]
    faces = BLANK if reason else (*BLANK, *BLANK)
    done = fought(made, *faces, battle_back=reading)
    assert (done["battle_back"], done["no_battle_back"]) == (not reason, reason)


def test_a2_able_gb6_in_a_game_range_and_sight_count() -> None:
    made = scenario([(BOW, "0000")], [(BOW, "0300")], rounds=1)
    session = asked(game(made, {"battle_back": "able"}), "stay", "bow-on-bow", ("d",), ("-",))
    assert question(session).ask == "Battle Back, attack dice"
    session = asked(game(made), "stay", "bow-on-bow", ("d",), ("-",))
    assert question(session).step == "move"


@pytest.mark.parametrize(("reading", "asks"), [("always", False), ("chosen", True)])
def test_a10_strikes_back_gb6_by_itself_or_by_choice(reading: str, asks: bool) -> None:
    session = asked(game(setup(), {"strikes_back": reading}), ("d",), ("-",))
    assert (question(session).step == "battle_back") is asks
    if asks:
        assert (question(session).actor, offered(session)) == ("defender", ["strike", "hold"])
        held = session.answer("hold").outcome
        assert held is not None
        assert SYSTEM.field_named("no_battle_back").of(held) == "declined"  # type: ignore[union-attr]  # is one
        assert question(session.answer("strike")).ask == "Battle Back, attack dice"


@pytest.mark.parametrize(
    ("reading", "status", "reason"),
    [
        ("may", "fresh", ""), ("may", "activated", ""), ("may", "fatigued", ""),
        ("fresh", "fresh", ""), ("fresh", "activated", "not fresh"),
        ("fresh", "fatigued", "not fresh"),
    ],
)  # fmt: skip
def test_a13_fatigue_gb6_after_the_own_turn(reading: str, status: str, reason: str) -> None:
    faces = BLANK if reason else (*BLANK, *BLANK)
    done = fought(setup(defender_status=status), *faces, fatigue=reading)
    assert done["no_battle_back"] == reason


@pytest.mark.parametrize(("reading", "answered"), [("may", True), ("fresh", False)])
def test_a13_fatigue_gb41_in_a_game(reading: str, answered: bool) -> None:
    """The enemy had its turn; then the second unit attacks it."""
    made = scenario([(UNIT, "0000"), (UNIT, "0200")], [(UNIT, "0100")], rounds=1)
    start = game(made, {"fatigue": reading})
    session = asked(start, "rider", "stay", "end", "stay", "end", "stay", "rider-2-on-rider")
    session = session.answer(("d",)).answer(("-",))
    assert (session.question is not None and "Battle Back" in question(session).ask) is answered


@pytest.mark.parametrize(
    ("reading", "reason"), [("fights", ""), ("shoots", "shot at"), ("never", None)]
)
def test_a17_close_shots_gb46_at_an_adjacent_enemy(reading: str, reason: str | None) -> None:
    if reason is None:
        with pytest.raises(SetupError, match=r"'close_shots' \(A-17\)"):
            game(setup(BOW), {"close_shots": reading})
        game(setup(BOW, distance_hexes=2), {"close_shots": reading})
        return
    faces = BLANK if reason else (*BLANK, *BLANK)
    assert fought(setup(BOW), *faces, close_shots=reading)["no_battle_back"] == reason


# -- Advantage -------------------------------------------------------------------------------

KEEN = unit(name="keen", advantage_over=("Rider",))
HEIGHT = Terrain(name="height", advantage="grants")
MAZE = Terrain(name="maze", advantage="denies")


@pytest.mark.parametrize(
    ("reading", "changes", "hits"),
    [
        ("units", {}, 1), ("terrain", {}, 0), ("support", {}, 0),
        ("units", {"attacker": UNIT}, 0), ("support", {"attacker_supported": True}, 1),
        ("terrain", {"attacker_supported": True}, 0),
        ("units", {"attacker": UNIT, "attacker_supported": True}, 0),
        ("terrain", {"attacker_terrain": HEIGHT}, 1),
        ("units", {"attacker": UNIT, "attacker_terrain": HEIGHT}, 1),
        ("units", {"defender_terrain": MAZE}, 0), ("support", {"defender_terrain": HEIGHT}, 0),
        ("support", {"attacker_supported": True, "attacker_advantage": "denied"}, 0),
        ("terrain", {"attacker_advantage": "granted"}, 1),
        ("units", {"defender_advantage": "granted", "attacker": UNIT}, 0),
    ],
)  # fmt: skip
def test_a3_advantage_gb12_what_gives_it(reading: str, changes: dict[str, Any], hits: int) -> None:
    made = setup(**{"attacker": KEEN, **changes})
    assert fought(made, "b", "-", *BLANK, advantage=reading)["hits"] == hits


def test_a3_support_gb12_in_a_game_is_a_mate_next_to_the_enemy() -> None:
    made = scenario([(UNIT, "0000"), (UNIT, "0200")], [(UNIT, "0100")], dice=WORKED, rounds=1)
    for reading, left in (("support", 2), ("units", 3)):
        session = asked(
            game(made, {"advantage": reading}),
            "rider", "stay", "rider-on-rider", ("b",), ("-",), ("-",), ("-",),
        )  # fmt: skip
        assert board_of(session).pieces[2].points == left  # type: ignore[union-attr]  # it is there


# -- hits ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("reading", "hits", "health"), [("zero", 0, 1), ("heals", -2, 3)])
def test_a4_negative_gb15_more_shields_than_hits(reading: str, hits: int, health: int) -> None:
    made = setup(defender=unit(health=1, health_max=3))
    done = fought(made, "-", "ss", *BLANK, negative=reading)
    assert (done["hits"], done["health"]) == (hits, health)


def test_a4_negative_gb15_health_comes_back_up_to_a_fresh_units() -> None:
    made = setup(defender=unit(health=2, health_max=3))
    assert fought(made, "-", "ss", *BLANK, negative="heals")["health"] == 3
    assert fought(made, "-", "-", "-", "ss", negative="heals")["attacker_health"] == 3
    tired, strong = unit(health=2, health_max=3), unit(health=9, health_max=9)
    done = fought(setup(tired, strong), "-", "-", "-", "ss", negative="heals")
    assert (done["attacker_health"], done["health"]) == (3, 9)


@pytest.mark.parametrize(
    ("reading", "face", "removed", "health"),
    [("zero", "d", True, 0), ("below", "d", False, 0), ("below", "dd", True, 0)],
)
def test_a5_removal_gb16_at_nothing_or_below(
    reading: str, face: str, removed: bool, health: int
) -> None:
    faces = (face, "-") if removed else (face, "-", *BLANK)
    done = fought(setup(defender=unit(health=1)), *faces, removal=reading)
    assert (done["removed"], done["health"]) == (removed, health)


def test_a5_removal_gb16_a_unit_without_health_may_still_be_there() -> None:
    made = setup(defender=unit(health=0, health_max=3))
    with pytest.raises(SetupError, match="no longer present"):
        game(made)
    assert fought(made, "d", "-", removal="below")["removed"] is True


# -- bonuses ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reading", "own", "enemy"),
    [("declared", 1, 0), ("own", 1, 0), ("enemy", 0, 1), ("both", 1, 1)],
)
def test_a11_whose_hex_gb29_gives_the_bonus(reading: str, own: int, enemy: int) -> None:
    here, there = giving("damage"), giving("damage", whose="enemy")
    assert fought(setup(attacker_terrain=here), *BLANK, *BLANK, whose_hex=reading)["hits"] == own
    made = setup(defender_terrain=here)
    assert fought(made, *BLANK, *BLANK, whose_hex=reading)["hits"] == enemy
    swamp = 1 if reading == "declared" else enemy  # declares that the enemy's hex counts
    made = setup(defender_terrain=there)
    assert fought(made, *BLANK, *BLANK, whose_hex=reading)["hits"] == swamp


def test_a12_stacking_gb21_all_or_the_best_of_each_kind() -> None:
    camp = Terrain(name="camp", bonuses=(Bonus(kind="damage", count=2), Bonus(kind="damage")))
    made = setup(defender=unit(health=9), attacker_terrain=camp)
    assert fought(made, *BLANK, *BLANK, stacking="add")["hits"] == 3
    assert fought(made, *BLANK, *BLANK, stacking="best")["hits"] == 2
    dice = Terrain(
        name="tower",
        bonuses=(
            Bonus(kind="attack_die", colour="yellow"),
            Bonus(kind="attack_die", colour="red"),
            Bonus(kind="shield"),
        ),
    )
    pools = {
        reading: str(
            question(Session(game(setup(attacker_terrain=dice), {"stacking": reading}))).dice
        )
        for reading in ("add", "best")
    }
    assert pools == {"add": "2yellow+1red", "best": "1yellow+1red"}


@pytest.mark.parametrize(("blue", "kept"), [(4, "4yellow"), (5, "4yellow"), (6, "1yellow+1blue")])
def test_a12_the_best_dice_are_those_with_most_symbols_in_all(blue: int, kept: str) -> None:
    """Three dice with two hits among six faces bring one on average; of equals the first stays."""
    faces = ("d",) * blue + ("-",) * (6 - blue)
    weak = replace(WORKED, yellow=("d", "d", "-", "-", "-", "-"), blue=faces)
    tower = Terrain(
        name="tower",
        bonuses=(
            Bonus(kind="attack_die", colour="blue"),
            Bonus(kind="attack_die", colour="yellow", count=3),
        ),
    )
    made = replace(setup(attacker_terrain=tower), dice=weak)
    assert str(question(Session(game(made, {"stacking": "best"}))).dice) == kept


# -- Line of Sight ---------------------------------------------------------------------------


def clear(target: tuple[int, int], *units: tuple[int, int], **rulings: str) -> bool:
    made = Scenario(columns=5, rows=5, one=placed((UNIT, "0000")), other=placed((UNIT, "0404")))
    held = Rulings.pick(SYSTEM.rulings, rulings)
    there = frozenset(Hex(*hex_) for hex_ in units)
    return sees(War(made, WORKED, held), Hex(0, 0), Hex(*target), there)


@pytest.mark.parametrize(("reading", "seen"), [("line", False), ("place", True)])
def test_a6_edges_gb66_the_whole_line_or_place_by_place(reading: str, seen: bool) -> None:
    assert clear((2, 2), (0, 1), (2, 1), edges=reading) is seen
    assert clear((4, -2), (1, 0), (3, -2), edges=reading) is seen
    assert clear((2, 2), (0, 1), edges=reading)
    assert not clear((2, 2), (0, 1), (1, 0), edges=reading)


@pytest.mark.parametrize(
    ("reading", "between", "beside"),
    [("all", False, False), ("enemies", True, True), ("crossed", False, True)],
)
def test_a7_in_the_way_gb62_units_of_the_own_side(
    reading: str, between: bool, beside: bool
) -> None:
    for target, mates, seen in (
        ("0300", ("0100",), between), ("0101", ("0100", "0001"), beside),
    ):  # fmt: skip
        made = scenario(
            [(BOW, "0000"), *((unit(name="mate"), label) for label in mates)], [(UNIT, target)],
            activations=1, rounds=1,
        )  # fmt: skip
        start = game(made, {"in_the_way": reading}).settle({"choose_attack": ("bow-on-rider",)})
        answers = ["bow", "stay"] if len(mates) == 1 else ["bow"]
        if seen:
            assert question(asked(start, *answers)).ask == "attack dice"
        else:
            with pytest.raises(AnswerError, match="no Line of Sight"):
                asked(start, *answers)


def test_a7_in_the_way_gb62_enemies_always_are() -> None:
    made = scenario([(BOW, "0000")], [(UNIT, "0300"), (unit(name="mate"), "0100")])
    start = game(made, {"in_the_way": "enemies"})
    assert "no Line of Sight" in closed(asked(start, "stay"))["bow-on-rider"]


# -- rounds and turns ------------------------------------------------------------------------


def far(n_one: int, n_other: int, **changes: Any) -> Any:
    still = unit(move=0)
    changes = {"rounds": 9, **changes}
    return scenario(
        [(still, f"{n:02}00") for n in range(n_one)],
        [(still, f"{n:02}03") for n in range(n_other)],
        **changes,
    )


def starters(session: Session) -> list[str]:
    """Who had the first turn of each round."""
    told = [row.says for row in session.log if row.step == "begin_turn"]
    first: dict[str, str] = {}
    for line in told:
        if ": a turn of player " in line:
            number, _, player = line.removesuffix(".").partition(": a turn of player ")
            first.setdefault(number, player)
    return list(first.values())


@pytest.mark.parametrize(("reading", "turns"), [("passes", 4), ("ends", 2)])
def test_a14_no_fresh_gb42_pass_or_end_of_the_round(reading: str, turns: int) -> None:
    options = ["rider", "rider-2"] if reading == "passes" else ["rider"]
    session = played(game(far(1, 3, rounds=1), {"no_fresh": reading}), options=options)
    told = [row.says for row in session.log if row.step == "begin_turn"]
    assert sum(": a turn of player " in line for line in told) == turns


@pytest.mark.parametrize(
    ("reading", "first"),
    [
        ("continues", ["one", "other", "other", "other"]),
        ("alternates", ["one", "other", "one", "other"]),
        ("same", ["one", "one", "one", "one"]),
    ],
)
def test_a15_next_round_gb42_who_starts_it(reading: str, first: list[str]) -> None:
    """Two units against one: one, other, one; then it would be the other player's turn.

    If other starts, one has both of the turns that are left; then it is other's turn again.
    """
    start = game(far(2, 1, rounds=4), {"next_round": reading}).settle(
        {"activate": ("rider", "rider-2")}
    )
    assert starters(Session(start)) == first


@pytest.mark.parametrize("reading", ["exactly", "up_to"])
def test_a16_activations_gb44_all_of_them_or_fewer(reading: str) -> None:
    session = Session(game(far(3, 1, activations=2), {"activations": reading}))
    assert "enough" not in offered(session)
    session = session.answer("rider")
    if reading == "exactly":
        assert offered(session) == ["rider-2", "rider-3"]
        return
    assert offered(session) == ["enough", "rider-2", "rider-3"]
    ended = session.answer("enough")
    assert board_of(ended).pieces[1].status == "fresh"  # type: ignore[union-attr]  # it is there


# -- movement --------------------------------------------------------------------------------


@pytest.mark.parametrize(("reading", "points"), [("one", "1 of 4"), ("terrain", "2 of 4")])
def test_a19_move_cost_gb55_of_a_step_into_woods(reading: str, points: str) -> None:
    made = scenario([(UNIT, "0000")], [(UNIT, "0403")], {"0100": WOODS})
    found = question(Session(game(made, {"move_cost": reading}))).options
    assert points in next(option.words for option in found if option.name == "0100")


@pytest.mark.parametrize(("reading", "passes"), [("none", True), ("stops", False)])
def test_a19b_control_gb52_of_the_hexes_around_an_enemy(reading: str, passes: bool) -> None:
    """On a map of two rows the way past the enemy leads next to it."""
    made = scenario([(UNIT, "0000")], [(UNIT, "0201")], columns=6, rows=2)
    names = offered(Session(game(made, {"control": reading})))
    assert "0100" in names
    assert "0200" in names  # next to the enemy: allowed, as the end of a move
    assert ("0300" in names) is passes


def test_a19b_control_gb52_does_not_hold_whoever_starts_there() -> None:
    made = scenario([(UNIT, "0100")], [(UNIT, "0000")], columns=6, rows=2)
    assert "0300" in offered(Session(game(made, {"control": "stops"})))


def test_a19b_control_gb52_is_the_enemys_alone() -> None:
    """The same way past a friend is free."""
    made = scenario([(UNIT, "0000"), (UNIT, "0201")], [(UNIT, "0501")], columns=6, rows=2)
    session = asked(game(made, {"control": "stops"}), "rider")
    assert "0300" in offered(session)


@pytest.mark.parametrize(("reading", "attacks"), [("attacks", True), ("waits", False)])
def test_a19c_hampered_gb55_after_coming_onto_woods(reading: str, attacks: bool) -> None:
    made = scenario([(UNIT, "0000")], [(UNIT, "0200")], {"0100": WOODS}, rounds=1)
    session = asked(game(made, {"hampered": reading}), "0100")
    assert (question(session).step == "choose_attack") is attacks
    if not attacks:
        assert board_of(session).side == 1


def test_a19c_hampered_gb55_staying_there_is_no_coming() -> None:
    made = scenario([(UNIT, "0100")], [(UNIT, "0200")], {"0100": WOODS}, rounds=1)
    session = asked(game(made, {"hampered": "waits"}), "stay")
    assert question(session).step == "choose_attack"


# -- victory -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reading", "starts", "winner"),
    [("draw", "one", "draw"), ("starts", "one", "one"), ("starts", "other", "other")],
)
def test_a18_both_win_gb47_as_a_round_ends(reading: str, starts: str, winner: str) -> None:
    made = scenario(
        [(UNIT, "0000")], [(UNIT, "0403")], rounds=9, starts=starts,
        one_wins=Goal(hold=("0000",)), other_wins=Goal(hold=("0403",)),
    )  # fmt: skip
    session = asked(game(made, {"both_win": reading}), "stay", "stay")
    assert (board_of(session).winner, board_of(session).round) == (winner, 1)


@pytest.mark.parametrize(("reading", "winner"), [("any", "one"), ("all", "")])
def test_a22_conditions_gb47a_any_or_all(reading: str, winner: str) -> None:
    both = Goal(destroy=1, hold=("0000",))
    made = scenario([(UNIT, "0000")], [(UNIT, "0403")], rounds=9, one_wins=both)
    session = asked(game(made, {"conditions": reading}), "stay", "stay")
    assert board_of(session).winner == winner


@pytest.mark.parametrize(
    ("reading", "answers"),
    [("at_once", ["0100"]), ("turn", ["0100", "end"]), ("round", ["0100", "end", "stay", "end"])],
)
def test_a23_holding_gb47b_when_a_hex_counts(reading: str, answers: list[str]) -> None:
    made = scenario([(UNIT, "0000")], [(UNIT, "0200")], rounds=9, one_wins=Goal(hold=("0100",)))
    start = game(made, {"holding": reading})
    assert asked(start, *answers[:-1]).outcome is None
    assert board_of(asked(start, *answers)).winner == "one"


@pytest.mark.parametrize(("reading", "winner"), [("at_once", "one"), ("round", "")])
def test_a23_holding_gb47b_a_unit_that_leaves_brings_no_earlier_count(
    reading: str, winner: str
) -> None:
    """One of two that should escape does, while the other stands on the hex to hold."""
    goal = Goal(hold=("0000",), escape=2, exits=("0300",))
    made = scenario([(UNIT, "0000"), (UNIT, "0200")], [(UNIT, "0403")], rounds=9, one_wins=goal)
    session = asked(game(made, {"holding": reading}), "rider-2", "leave")
    assert board_of(session).winner == winner


@pytest.mark.parametrize(
    ("reading", "exit_", "leaves"),
    [("step", "0300", True), ("step", "0400", False), ("reach", "0400", True)],
)
def test_a24_leaving_gb47c_takes_a_point_or_none(reading: str, exit_: str, leaves: bool) -> None:
    """Four movement points; the exits are three and four steps away."""
    goal = Goal(escape=1, exits=(exit_,))
    made = scenario([(UNIT, "0000")], [(UNIT, "0403")], rounds=9, one_wins=goal)
    assert ("leave" in offered(Session(game(made, {"leaving": reading})))) is leaves


@pytest.mark.parametrize(("reading", "leaves"), [("step", False), ("reach", True)])
def test_a24_leaving_gb47c_next_to_an_enemy_that_controls(reading: str, leaves: bool) -> None:
    """A step next to an enemy ends the move: no further step, but the exit is reached."""
    goal = Goal(escape=1, exits=("0100",))
    made = scenario([(UNIT, "0000")], [(UNIT, "0200")], rounds=9, one_wins=goal)
    names = offered(Session(game(made, {"leaving": reading, "control": "stops"})))
    assert ("leave" in names) is leaves
