"""Grid Battles and Affinity from the command line: what they show, and what they refuse."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import affray, asked

FACES = {
    **{color: ["d", "d", "d", "d", "d", "bb"] for color in ("yellow", "blue", "red")},
    **{color: ["s", "-", "-", "-", "-", "-"] for color in ("brown", "grey", "black")},
}
"""Faces of one's own."""


def _fraction(raw: Any) -> Fraction:
    return Fraction(int(raw["numerator"]), int(raw["denominator"]))


# -- readings, editions, errata ----------------------------------------------------------------


def _readings(data: dict[str, Any], name: str) -> dict[str, Fraction]:
    (row,) = [row for row in data["rulings"] if row["name"] == name]
    return {reading["name"]: _fraction(reading["mean"]) for reading in row["readings"]}


def test_af23_rulings_are_priced_where_an_example_shows_them() -> None:
    data: dict[str, Any] = asked("rulings", "affinity")
    overwhelm = _readings(data, "overwhelm")
    assert (overwhelm["roll"], overwhelm["strict"]) == (Fraction(89, 100), Fraction(3))
    assert _readings(data, "capacity") == {"half": 1, "full": Fraction(3, 8)}
    assert _readings(data, "intervene_timing") == {
        "before": Fraction(8, 9),
        "after": Fraction(1, 3),
    }


def test_af24_figures_of_the_text_that_are_wrong_are_told() -> None:
    errata = asked("rulings", "affinity")["errata"]
    assert isinstance(errata, list)
    found = {row["what"]: (_fraction(row["printed"]), _fraction(row["true"])) for row in errata}
    for die, printed, true in (
        ("d8", Fraction(3, 8), Fraction(1, 2)),
        ("d10", Fraction(2, 5), Fraction(3, 5)),
        ("d12", Fraction(1, 2), Fraction(2, 3)),
    ):
        assert (printed, true) in [found[what] for what in found if die in what]
    assert all(max(found[row["what"]]) <= 1 for row in errata if row["unit"] == "chance")
    told = affray("rulings", "affinity").stdout.partition("Errata in the figures of the text")[2]
    (counted,) = [line.split() for line in told.splitlines() if "Hit Dice" in line]
    assert counted[-2:] == ["5", "3"], "a count is no share"


def test_profiles_set_readings_together_and_single_ones_win() -> None:
    rows = asked("rulings", "affinity", "--ruling", "profile=E4")["profiles"]
    assert isinstance(rows, list)
    assert [row["name"] for row in rows] == ["E0", "E1", "E2", "E3", "E4", "E5"]
    assert [row["name"] for row in rows if row["in_force"]] == ["E4"]
    words = ("odds", "affinity", "layered", "--of", "hd_lost", "--exact")
    seed, fourth = affray(*words).stdout, affray(*words, "--ruling", "profile=E4").stdout
    back = affray(
        *words, "--ruling", "profile=E4,overwhelm=roll,capacity=half,defend_bonus=every_roll"
    ).stdout
    assert seed == back
    assert seed != fourth


def test_an_unknown_profile_is_refused() -> None:
    refused = affray("odds", "affinity", "layered", "--ruling", "profile=E9")
    assert "no profile of affinity is called 'E9'" in refused.stderr
    assert "E0, E1" in refused.stderr
    nothing = affray("odds", "empty-earth", "o4p", "--ruling", "profile=E1")
    assert "no profile of empty-earth" in nothing.stderr


# -- what they show --------------------------------------------------------------------------------


def test_gb6_the_mirror_of_the_light_cavalry() -> None:
    data = asked("odds", "grid-battles", "g13", "--of", "attacker_health", "--of", "health")
    rows = data["rows"]
    assert isinstance(rows, list)
    found = {tuple(row["value"]): _fraction(row["exactly"]) for row in rows}
    assert found == {
        (3, 3): Fraction(4, 9), (3, 2): Fraction(2, 9), (2, 3): Fraction(2, 9),
        (2, 2): Fraction(1, 9),
    }  # fmt: skip


def test_gb47_a_scenario_is_played_to_victory() -> None:
    answers = ("--choose", "light-cav,0101,light-cav-on-light-cav", "--dice", "d,-")
    shown = affray("play", "grid-battles", "chase", *answers)
    assert "winner one" in shown.stdout
    assert "LC:1" in shown.stdout  # the map
    data = asked("play", "grid-battles", "chase", *answers)
    assert "\n" in str(data["picture"])


def test_gb47_a_whole_game_is_played_from_its_script() -> None:
    """The third unit falls in a Battle Back; what was still to come is skipped (V29)."""
    data = asked("play", "grid-battles", "ford", "--script")
    outcome = data["outcome"]
    assert isinstance(outcome, dict)
    assert outcome["winner"] == "other"
    assert data["question"] is None
    refused = affray("play", "empty-earth", "o5p", "--script")
    assert "no script in it" in refused.stderr
    assert refused.returncode == 1


def test_a_game_asks_for_its_winner_unless_told_otherwise() -> None:
    assert asked("best", "grid-battles", "chase")["objective"] == "win"
    assert asked("odds", "grid-battles", "chase")["fields"] == ["winner"]
    assert asked("odds", "grid-battles", "g1")["fields"] == ["damage"]


def test_af1_best_tells_the_value_of_each_number_of_exertion_dice() -> None:
    data: dict[str, Any] = asked("best", "affinity", "exertion")
    (decision,) = [row for row in data["decisions"] if row["step"] == "choose_exertion"]
    names = [option["name"] for option in decision["always"]]
    values = [_fraction(option["value"]) for option in decision["always"]]
    assert names == ["0", "1", "2", "3"]
    assert values == sorted(values)


def test_own_dice_take_the_place_of_the_assumed_ones(tmp_path: Path) -> None:
    """All faces hit, nothing shields: one point for certain."""
    sides = ["d"] * 6
    faces = dict.fromkeys(("yellow", "blue", "red"), sides)
    faces |= {colour: ["-"] * 6 for colour in ("brown", "grey", "black")}
    mine = tmp_path / "mine.json"
    mine.write_text(json.dumps({"dice": {"assumed": faces}}))
    data = asked("odds", "grid-battles", "g1", "--roster", str(mine))
    rows = data["rows"]
    assert isinstance(rows, list)
    assert [(row["value"], _fraction(row["exactly"])) for row in rows] == [(1, Fraction(1))]
    duel = asked("duel", "grid-battles", "siege", "--roster", str(mine), "--exact")
    assert duel["rounds"] == 3


GAP = "The faces of the dice are assumed: the book shows them as pictures (GB-17a)."


@pytest.mark.parametrize(
    "words",
    [
        ("odds", "grid-battles", "g1"), ("best", "grid-battles", "chase"),
        ("play", "grid-battles", "g1", "--seed=1"),
        ("picture", "grid-battles", "chase"), ("duel", "grid-battles", "siege"),
        ("battle", "grid-battles", "siege", "-n", "20", "--seed=1"),
        ("battle", "grid-battles", "siege", "--versus", "hill", "-n", "20", "--seed=1"),
        ("battle", "grid-battles", "--all-pairs", "-n", "1", "--seed=1"),
    ],
    ids=lambda words: " ".join(words[:4]),
)  # fmt: skip
def test_gb17a_results_say_that_faces_are_assumed_unless_one_brings_faces(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    assert GAP in " ".join(affray(*words).stdout.split())
    if "--all-pairs" not in words:  # which are many
        assert asked(*words)["assumed"] == [GAP]
    mine = tmp_path / "mine.json"
    mine.write_text(json.dumps({"dice": {"assumed": FACES}}))
    assert asked(*words, "--roster", str(mine))["assumed"] == []
    if "--all-pairs" not in words:
        assert "are assumed" not in affray(*words, "--roster", str(mine)).stdout


def test_gb17a_systems_say_what_their_books_leave_out() -> None:
    rows = {row["id"]: row["gaps"] for row in asked("systems")["systems"]}
    assert rows["grid-battles"] == [GAP]
    assert GAP in " ".join(affray("systems", "grid-battles").stdout.split())
    assert asked("odds", "empty-earth", "o4p")["assumed"] == []


# -- what they refuse ------------------------------------------------------------------------------

FIVE = {
    "yellow": ["-", "d", "d", "b", "b"], "blue": ["d"] * 6, "red": ["d"] * 6,
    "brown": ["s"] * 6, "grey": ["s"] * 6, "black": ["s"] * 6,
}  # fmt: skip
PAIR = {"attacker": "light_cav", "defender": "light_cav"}
LINES = {"attacker": "house_guard", "defender": "trolls"}
MEET = {"attacker": "fighter", "defender": "orc_raider"}

WRONG: list[tuple[str, dict[str, Any], list[str]]] = [
    ("grid-battles", {**PAIR, "dice": FIVE}, ["yellow", "5", "6"]),
    ("grid-battles", {**PAIR, "dice": {**FIVE, "yellow": ["s"] * 6}}, ["yellow", "'s'", "d"]),
    ("grid-battles", {**PAIR, "attacker": {"like": "light_cav", "attack": []}},
     ["attack", "at least one"]),
    ("grid-battles", {**PAIR, "distance_hexes": 3}, ["adjacent"]),
    ("grid-battles", {"scenario": "ford", **PAIR}, ["scenario", "one of them"]),
    ("affinity", {**MEET, "choose": {"choose_exertion": "9"}}, ["choose_exertion", "9", "3"]),
    ("affinity", {**MEET, "attacker": {"like": "fighter", "proficiency": 1, "actions": [
        {"name": "doom", "tier": "legendary"}]}, "choose": {"choose_action": "doom"}},
     ["doom", "exertion", "2"]),
    ("affinity", {**MEET, "attacker": {"like": "fighter", "layers": [{"die": 7}]}},
     ["die", "7", "6, 8, 10"]),
    ("affinity", {**MEET, "allies": [{"combatant": {"like": "shield_sergeant"}, "distance_yd": 9}],
                  "choose": {"ask_ally": "intervene"}}, ["intervene", "5"]),
    ("affinity", {**MEET, "allies": [{"combatant": {"like": "shield_sergeant", "acted": True}}],
                  "choose": {"ask_ally": "intervene"}}, ["intervene", "acted"]),
    ("emlia", {**LINES, "defender": {"like": "trolls", "members": 0}}, ["members", "0", "1"]),
    ("emlia", {**LINES, "defender": {"like": "trolls", "threshold": 3}}, ["threshold", "table"]),
    ("emlia", {**LINES, "defender": {"like": "siege_tower", "table": [{"low": 1, "high": 6}]}},
     ["no row for 7", "d10"]),
    ("emlia", {**LINES, "attacker": {"like": "longbows", "formation": "open"},
               "action": "volley_fire"}, ["volley_fire", "open formation", "EM-31"]),
    ("emlia", {**LINES, "attacker": "longbows", "action": "volley_fire", "move": "normal"},
     ["forfeited", "EM-31"]),
    ("emlia", {**LINES, "focus": "Dwarves"}, ["Dwarves", "Trolls", "none"]),
    ("emlia", {**LINES, "weapon": "lance", "action": "close_combat"}, ["lance", "sword"]),
    ("emlia", {**LINES, "action": "dance"}, ["dance", "close_combat"]),
    ("emlia", {**LINES, "attacker": {"like": "trolls", "skills": [
        {"skill": "close_combat", "level": 4, "diminish": "a lot"}]}}, ["a lot", "1/2"]),
    ("emlia", {**LINES, "attacker": {"like": "longbows", "weapons": [
        {"like": "longbow", "medium": 4}]}}, ["8", "4", "at least as far"]),
    ("emlia", {**LINES, "table": {"placements": [
        {"unit": "House Guard", "files": 5},
        {"unit": "Trolls", "side": "defender", "files": 2}]}}, ["overlap", "House Guard"]),
    ("emlia", {**LINES, "action": "charge", "path": [[0, 0], [0, 5], [3, 8]], "table": {
        "placements": [{"unit": "House Guard", "files": 5},
                       {"unit": "Trolls", "side": "defender", "files": 2, "y": 9,
                        "facing": 180}]}}, ["straight line", "45", "EM-35"]),
    ("emlia", {**LINES, "table": {"placements": [{"unit": "House Guard", "files": 5}]}},
     ["Trolls", "House Guard"]),
]  # fmt: skip


@pytest.mark.parametrize(("system", "setup", "words"), WRONG)
def test_bad_input_gets_one_clear_message(
    tmp_path: Path, system: str, setup: dict[str, Any], words: list[str]
) -> None:
    file = tmp_path / "setup.json"
    file.write_text(json.dumps(setup))
    refused = affray("odds", system, str(file))
    assert refused.returncode in {1, 2, 3}
    assert refused.stdout == ""
    assert refused.stderr.startswith("affray: ")
    assert "Traceback" not in refused.stderr
    for word in words:
        assert word in refused.stderr
