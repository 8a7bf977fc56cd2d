"""The commands as users run them: output, JSON envelopes, help, exit status."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from affray import _version
from affray.cli.main import app
from tests.cli.running import affray, affray_alone, asked
from tests.scenarios import SHIPPED

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = [
    "systems",
    "roster",
    "rules",
    "rulings",
    "schema",
    "sheet",
    "new",
    "import",
    "play",
    "picture",
    "odds",
    "best",
    "duel",
    "battle",
    "fight",
    "report",
    "export",
    "check",
]
OF_THE_SERVICE = {"mcp", "serve", "store"}
"""Commands that show no view of a game; their own tests run the examples of their help."""
JINX = ["eclipse-phase", "jinx-shoots"]
SCRIPT = ["--dice", "96,7,7,5,5,1,3,9", "--choose", "flip"]

ENVELOPES = {
    "affray/systems": ["systems"],
    "affray/roster": ["roster", "empty-earth"],
    "affray/rules": ["rules", "eclipse-phase", "EP-56"],
    "affray/rulings": ["rulings", "empty-earth", "o4p", "--of", "hits"],
    "affray/schema": ["schema", "empty-earth"],
    "affray/sheet": ["sheet", "eclipse-phase", "jinx"],
    "affray/new": ["new", "eclipse-phase", "--line", "Nyx", "--line", "done"],
    "affray/import": ["import", "foundry", "my-actor.json", "-"],
    "affray/play": ["play", *JINX, *SCRIPT],
    "affray/picture": ["picture", "grid-battles", "ford"],
    "affray/odds": ["odds", *JINX, "--of", "net"],
    "affray/best": ["best", *JINX, "--objective", "hit"],
    "affray/duel": ["duel", "empty-earth", "bo-husk"],
    "affray/battle": ["battle", "empty-earth", "bo-husk", "-n", "50"],
    "affray/fight": [
        "fight",
        "grid-battles",
        "light-cavalry",
        "--by",
        "one=computer,other=computer",
    ],
    "affray/fight-report": ["report", "empty-earth", "my-fight.json"],
    "affray/export": ["export", "markdown", "my-fight.json"],
    "affray/check": ["check", "empty-earth", "--suite", "places/rolls-fill-a-field"],
}


# -- help and envelopes ----------------------------------------------------------------------


@pytest.fixture
def saved_fight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files that the examples of commands name: a saved fight, an actor."""
    monkeypatch.chdir(tmp_path)
    Path("my-actor.json").write_text((ROOT / "docs" / "examples" / "tarn.json").read_text())
    by = ["--by", "one=computer:first,other=computer:first", "--seed", "1"]
    done = affray("fight", "empty-earth", "bo-husk", *by, "--save", "my-fight.json")
    assert done.returncode == 0, done.stderr


@pytest.mark.usefixtures("saved_fight")
@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example_that_runs(command: str) -> None:
    shown = CliRunner().invoke(app, [command, "--help"], prog_name="affray", env={"COLUMNS": "200"})
    assert shown.exit_code == 0
    example = re.search(r"Example: affray (.+)", " ".join(shown.output.split()))
    assert example is not None
    words = example[1].split(" > ")[0].split()
    assert words[0] == command
    done = affray(*words)
    assert done.returncode == 0, done.stderr
    assert done.stdout


VERSIONS = {"affray/systems": 2, "affray/fight": 4, "affray/play": 3}
"""Versions of schemas that have had another one before."""


@pytest.mark.usefixtures("saved_fight")
@pytest.mark.parametrize("name", ENVELOPES)
def test_json_has_schema_and_version(name: str) -> None:
    data = asked(*ENVELOPES[name])
    version = VERSIONS.get(name, 1)
    assert (data["schema"], data["version"], data["affray"]) == (name, version, _version.VERSION)
    jsonschema.validate(data, schema_of_views())


@cache
def schema_of_views() -> object:
    return json.loads(affray("schema", "--views").stdout)


def test_schemas_are_of_a_system_or_of_views() -> None:
    assert asked("schema", "--views")["setup"] == schema_of_views()
    missing, both = affray("schema"), affray("schema", "emlia", "--views")
    assert (missing.returncode, both.returncode) == (2, 2)
    assert "name a system, or ask for --views" in " ".join(missing.stderr.split())
    assert "leave the system and --fight out" in " ".join(both.stderr.split())


def test_every_command_has_an_envelope() -> None:
    assert sorted(words[0] for words in ENVELOPES.values()) == sorted(COMMANDS)
    assert sorted(app.where) == sorted({*COMMANDS, *OF_THE_SERVICE})


def test_version() -> None:
    assert affray("--version").stdout == f"affray {_version.VERSION}\n"


# -- what the commands say -------------------------------------------------------------------


def test_systems_lists_every_system() -> None:
    rows = asked("systems")["systems"]
    assert isinstance(rows, list)
    ids = [row["id"] for row in rows]
    assert ids == sorted(ids)  # systems of other packages among them
    assert [name for name in ids if name in SHIPPED] == [
        "affinity", "eclipse-phase", "emlia", "empty-earth", "grid-battles"
    ]  # fmt: skip


def test_systems_are_a_line_each_and_one_is_told_whole() -> None:
    listed = affray("systems").stdout.splitlines()
    for name in SHIPPED:
        assert sum(line.startswith(f"{name} ") for line in listed) == 1
    assert len(listed) <= len(asked("systems")["systems"]) + 5  # a head, a hint, what is broken
    told = " ".join(affray("systems", "emlia").stdout.split())
    assert told.count("core check") == 1  # however many readings there are of it
    (row,) = asked("systems", "emlia")["systems"]
    for names in ("fields", "objectives"):
        assert ", ".join(row[names]) in told
    for one in (*row["examples"], *row["fights"]):
        assert one["name"] in told
        assert (one["title"] in told) == (one["kind"] == "case"), one
    assert "Did you mean 'emlia'?" in affray("systems", "emilia").stderr


def test_rules_of_one_clause_name_code_and_tests() -> None:
    data = asked("rules", "eclipse-phase", "ep-56")
    (row,) = data["clauses"]
    assert row["id"] == "EP-56"
    assert "roll.compare_rolls" in row["code"]
    assert any("test_ep56" in test for test in row["tests"])


def test_play_of_the_worked_example() -> None:
    data = asked("play", *JINX, *SCRIPT)
    outcome = data["outcome"]
    assert isinstance(outcome, dict)
    told = {name: outcome[name] for name in ("hit", "dv", "net", "wounds", "prone", "unconscious")}
    assert told == {
        "hit": True, "dv": 21, "net": 11, "wounds": 1, "prone": False, "unconscious": False,
    }  # fmt: skip


def test_play_stops_at_a_question_that_nobody_answers() -> None:
    done = affray("play", *JINX, "--dice", "96")
    assert done.returncode == 0
    assert "Waiting for Jinx: spend a pool point on the attack roll?" in done.stdout
    assert "flip: 1 flex: flip 96 to 69" in done.stdout


def test_explain_draws_a_tree_with_clauses() -> None:
    done = affray("play", *JINX, *SCRIPT, "--explain", "net")
    assert "net = 11  [EP-62]" in done.stdout
    assert "70 Guns (EP-43)" in done.stdout


def test_output_has_no_colour_when_it_is_piped() -> None:
    done = affray("odds", *JINX)
    assert "\x1b[" not in done.stdout + done.stderr


def test_probabilities_never_say_certain_for_what_is_not() -> None:
    done = affray("odds", *JINX, "--of", "fumble", "--settle", "spend_after_attack=none")
    assert "100.00 %" not in done.stdout
    rare = affray("odds", *JINX, "--of", "wounds", "--given", "superior=2,hit=true")
    assert "0.00 %" not in rare.stdout
    assert "<0.01 %" in rare.stdout


# -- a person at the terminal ----------------------------------------------------------------


def test_own_dice_are_asked_for_and_marked_as_thrown_by_hand(tmp_path: Path) -> None:
    typed = "96\nflip\n7\n7 5 5\n1\n3\n9\n"
    kept = tmp_path / "game.json"
    done = affray("play", *JINX, "--own-dice", "--save", str(kept), stdin=typed)
    assert done.returncode == 0, done.stderr
    assert "21 - 10 armor = 11 damage" in " ".join(done.stdout.split())
    answers = json.loads(kept.read_text())["answers"]
    assert [row.get("faces", row.get("option")) for row in answers] == [
        [96], "flip", [7], [7, 5, 5, 1, 3], [9],
    ]  # fmt: skip
    assert {source for row in answers for source in row["by"]} == {"hand"}


def test_a_wrong_face_is_refused_and_asked_again() -> None:
    done = affray("play", *JINX, "--own-dice", stdin="100\nsix\n96\nfloop\nflip\nq\n")
    assert "'100' is no face; allowed: 0 to 99" in done.stderr
    assert "'six' is no face" in done.stderr
    told = " ".join(done.stderr.split())
    assert "'floop' is not on offer. Did you mean 'flip'? Allowed: none, flip" in told
    assert "Waiting for Exhuman: defense roll" in done.stdout


def test_undo_at_the_terminal_takes_the_last_answer_back() -> None:
    done = affray("play", *JINX, "--own-dice", "--long", stdin="96\nu\n95\nnone\nu\nflip\nq\n")
    assert "1d100: 95" in done.stdout
    assert [line for line in done.stdout.splitlines() if "96" in line] == [
        "Taken back after the roll was seen: 96."
    ]
    assert "flip 95 to 59" in done.stdout, "the end can be undone as well"


def test_a_saved_game_is_gone_on_with(tmp_path: Path) -> None:
    kept = tmp_path / "game.json"
    first = affray("play", *JINX, "--dice", "96", "--choose", "flip", "--save", str(kept))
    assert first.returncode == 0
    second = affray("play", "eclipse-phase", str(kept), "--dice", "7,7,5,5,1,3,9")
    assert "21 - 10 armor = 11 damage" in " ".join(second.stdout.split())
    odds = asked("odds", "eclipse-phase", str(kept), "--of", "hit")
    # 69 is beaten by 00, 11 and 22 alone, three faces in a hundred
    assert [row["exactly"]["float"] for row in odds["rows"]] == [0.03, 0.97]
    refused = affray("odds", "eclipse-phase", str(kept), "--ruling", "ties=deadlock")
    assert refused.returncode == 1
    assert "a saved game keeps its rulings" in refused.stderr


def test_a_setup_may_come_from_standard_input() -> None:
    setup = {"attacker": "corp_guard", "defender": "crate", "weapon": "submachine_gun"}
    settled = "choose_mode=semi,choose_called_shot=none,spend_before_attack=none"
    settled += ",spend_after_attack=none"
    done = affray(
        "odds", "eclipse-phase", "-", "--of", "hit", "--settle", settled, "--json",
        stdin=json.dumps({**setup, "distance_m": 8}),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    # a crate does not defend: Guns 50 at close range hits on 00 to 50
    chances = {row["value"]: row["exactly"]["float"] for row in json.loads(done.stdout)["rows"]}
    assert chances == {False: 0.49, True: 0.51}


def test_the_program_runs_in_a_process_of_its_own() -> None:
    done = affray_alone("odds", *JINX, "--of", "net")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == affray("odds", *JINX, "--of", "net").stdout


def test_seeded_play_comes_again_and_prints_its_seed() -> None:
    words = ["play", *JINX, "--seed", "5", "--auto"]
    one, two = affray(*words), affray(*words)
    assert one.stdout == two.stdout
    assert "seed 5" in one.stdout


def test_dice_of_the_operating_system_differ() -> None:
    rolls = {affray("play", *JINX, "--auto", "--json").stdout for _ in range(4)}
    assert len(rolls) > 1


# -- bad input -------------------------------------------------------------------------------


def _file(folder: Path, text: str) -> str:
    path = folder / "setup.toml"
    path.write_text(text)
    return str(path)


GOOD = 'attacker = "jinx"\ndefender = "corp_guard"\nweapon = "medium_pistol"\n'

BAD = {
    "unknown key": (
        GOOD + "distanse_m = 3\n", 3, "distanse_m: unknown key. Did you mean 'distance_m'?",
    ),
    "another word for like": (
        GOOD.replace('"jinx"', '{ from = "jinx", flex = 1 }'), 3,
        "attacker.from: unknown key. Did you mean 'like'? It names the roster entry",
    ),
    "wrong type": (GOOD + 'distance_m = "far"\n', 3, "distance_m: 'far'; allowed: a number"),
    "number as text": (GOOD + 'earlier_attacks = "1"\n', 3, "earlier_attacks: '1'"),
    "out of range": (GOOD + "earlier_attacks = 9\n", 3, "earlier_attacks: 9; allowed: 5 or less"),
    "wrong word": (GOOD + 'vision = "dim"\n', 3, "vision: 'dim'; allowed: 'clear', 'minor'"),
    "unknown roster name": ('attacker = "jynx"\ndefender = "jinx"\n', 3, "Did you mean 'jinx'?"),
    "missing key": ('attacker = "jinx"\n', 3, "defender: missing"),
    "no toml": ("attacker = [\n", 3, "neither TOML nor JSON"),
    "unknown ruling": (GOOD + '[rulings]\ntyes = "miss"\n', 2, "Did you mean 'ties'?"),
    "unknown reading": (GOOD + '[rulings]\nties = "draw"\n', 1, "allowed: miss, deadlock"),
    "unknown step": (GOOD + '[choose]\nmode = "semi"\n', 1, "no step 'mode' to settle"),
    "empty magazine": (
        GOOD.replace('"medium_pistol"', '{ like = "medium_pistol", rounds = 2 }')
        + "distance_m = 10\n"
        + '[choose]\nchoose_mode = "burst"\n',
        1,
        "'burst': needs 3 rounds, medium pistol holds 2; allowed: semi",
    ),
    "nothing loaded": (
        GOOD.replace('"medium_pistol"', '{ like = "medium_pistol", rounds = 0 }')
        + "distance_m = 10\n",
        1,
        "holds 0",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_bad_setup_gets_one_clear_message(kind: str, tmp_path: Path) -> None:
    text, status, message = BAD[kind]
    done = affray("play", "eclipse-phase", _file(tmp_path, text))
    assert message in done.stderr.replace("Medium", "medium"), done.stderr
    assert done.returncode == status
    assert done.stderr.startswith("affray: ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["odds", "eclipse-fase", "x"], 2, "Did you mean 'eclipse-phase'?"),
        (["odds", "eclipse-phase", "jinx-shots"], 2, "Did you mean 'jinx-shoots'?"),
        (
            ["odds", *JINX, "--of", "damige"],
            2,
            "'damige'. Did you mean 'damage'?",
        ),
        (["best", *JINX, "--objective", "glory"], 2, "no objective"),
        (["rules", "eclipse-phase", "EP-999"], 2, "no clause"),
        (["roster", "eclipse-phase", "ships"], 2, "no roster section"),
        (["odds", *JINX, "--given", "hit?"], 1, "write it like hit=true"),
        (["odds", *JINX, "--given", "net=99"], 1, "never holds"),
        (["odds", *JINX, "--settle", "flip"], 2, "write it as name=value"),
        (["play", *JINX, "--dice", "100"], 1, "100 is no face of die 1 (d100); allowed: 0 to 99"),
        (["play", *JINX, "--dice", "96,7,7,5,5,1,3,9,4", "--choose", "flip"], 1, "left over: 4"),
        (["play", *JINX, "--dice", "96", "--choose", "flop"], 1, "allowed: none, flip"),
        (["play", *JINX, "--dice", "50,7,7", "--choose", "none"], 1, "only 1 are left"),
        (["play", "eclipse-phase", "nowhere/setup.toml"], 3, "No such file"),
        (["play", "eclipse-phase", "."], 3, "can't be read"),
        (["play", *JINX, "--seed", "soon"], 2, "--seed"),
        (["best", *JINX, "--threshold", "-1"], 2, "at least 0"),
        (["fly"], 2, "fly"),
        (["odds"], 2, "SYSTEM"),
    ],
)
def test_bad_words_get_one_clear_message(words: list[str], status: int, message: str) -> None:
    done = affray(*words)
    assert message in done.stderr, done.stderr
    assert done.returncode == status
    assert "Traceback" not in done.stderr


def test_a_file_that_can_not_be_written_is_said(tmp_path: Path) -> None:
    done = affray("play", *JINX, "--dice", "96", "--save", str(tmp_path / "no" / "game.json"))
    assert done.returncode == 3
    assert "can't be written" in done.stderr


def test_a_newer_saved_game_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps({"schema": "affray/saved-game", "version": 99}))
    done = affray("play", "eclipse-phase", str(path))
    assert done.returncode == 3
    assert "version 99; allowed: 1 to 5" in done.stderr
