"""Whole fights at the terminal: the table, seats, commands, files, scripts."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from math import inf
from pathlib import Path
from subprocess import CompletedProcess
from time import process_time
from typing import Any

import pytest

from affray.app.fight import Fight
from affray.app.fight_computers import counted
from affray.cli.fight_settings import Settings
from affray.engine.budget import Budget
from affray.engine.exchange.session import Answer
from affray.engine.exchange.sources import Script
from tests.cli.running import affray, asked

BROCKTON = ["fight", "empty-earth", "brockton", "--long"]
CAVALRY = ["fight", "grid-battles", "light-cavalry", "--long"]
COMPUTERS = ["--by", "one=computer:first", "--by", "other=computer:first", "--seed", "1"]


def fight(*words: str, script: str = "", by: str = "one=rolled", **more: Any) -> Any:
    """A fight of Ada and Bo, with lines that a person types."""
    seats = ["--by", by, "--by", "other=computer:first", "--seed", "1"]
    return affray(*BROCKTON, *seats, *words, stdin=script, **more)


def kept(path: Path) -> dict[str, Any]:
    raw: dict[str, Any] = json.loads(path.read_text())
    return raw


# -- the table ---------------------------------------------------------------------------------


def test_the_table_tells_round_turns_and_every_condition() -> None:
    told = fight(script="q\n").stdout
    assert "Round 1: Ada (now), Bo, Husk 1, Husk 2" in told
    assert "\n> Ada       Vitality 10 of 10; red cubes 2; blue cubes 2" not in told
    assert "\n> Ada  Vitality 10 of 10; red cubes 2; blue cubes 2; black cubes 3; " in told
    assert told.count("  Vitality 3 of 3\n") == 6
    assert "Ada: what now?\n  1 attack: Husk 1\n" in told


@pytest.mark.parametrize("width", [40, 80])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    """Six Husks, a Shrieker, a whole fight by the computer, and what a person is asked."""
    script = "who\ntable\nattack: Husk 1\n?\nhelp\nq\n"
    script = script if width == 80 else "who\nattack: Husk 1\n?\nq\n"
    for done in (
        fight(script=script, env={"COLUMNS": str(width)}),
        affray(*BROCKTON, *COMPUTERS, env={"COLUMNS": str(width)}),
    ):
        lines = [line.removeprefix("option> ") for line in done.stdout.splitlines()]
        assert not [line for line in lines if len(line) > width]


def test_what_a_condition_does_is_told_when_one_asks() -> None:
    done = affray("fight", "eclipse-phase", "ripper-dog", "--by", "one=rolled", "--seed", "1",
                  "--long", stdin="gm set Ripper wounds=2\nwho Ripper\nq\n")  # fmt: skip
    assert (
        "The game master sets Ripper's wounds to 2.\n  => Ripper: wounds 2 (was 0)\n" in done.stdout
    )
    assert "wounds 2: -20 on all tests, -2 on initiative (EP-50, EP-26)" in done.stdout


def test_an_exchange_tells_the_points_that_are_left() -> None:
    """Engines follow an exchange with points hidden; people read them as they are."""
    told = affray(*CAVALRY, *COMPUTERS).stdout.splitlines()
    left = [line.split("health ")[1].split()[0] for line in told if line.startswith("  => ")
            and "health" in line]  # fmt: skip
    assert left
    for place, line in enumerate(told):
        if line.startswith("  => ") and "health" in line:
            points = line.split("health ")[1].split()[0]
            said = [one for one in told[:place] if " health. [" in one or "is removed. [" in one]
            assert any(points in one for one in said[-2:]), line


def test_each_exchange_is_headed_once() -> None:
    told = affray(*CAVALRY, *COMPUTERS).stdout.splitlines()
    heads = [line for line in told if line.startswith("-- ")]
    assert heads
    assert all(one != other for one, other in pairwise(told) if one in heads)


# -- who answers -------------------------------------------------------------------------------


def test_the_log_says_what_a_computer_went_by() -> None:
    """One that looks ahead says so in words, at deeds and in exchanges; others have a policy."""
    seats = ["--by", "one=computer", *COMPUTERS[2:]]
    told = affray("fight", "grid-battles", "siege", *seats, "--places", "50", "--long").stdout
    assert "-- Light Cav 1: attack, Light Cav 2 (worked out)\n" in told
    chase = affray("fight", "grid-battles", "chase", *seats, "--places", "50", "--long").stdout
    assert "2 movement points (by looking ahead) [GB-45, GB-47c" in chase
    assert " other: Light Cav stays" in chase
    assert not any(
        "by " in line for line in chase.splitlines() if line.startswith("  other: Light")
    )


def test_computers_fight_it_out() -> None:
    done = affray(*BROCKTON, *COMPUTERS)
    assert done.returncode == 0, done.stderr
    assert "It is over after round " in done.stdout
    assert done.stdout.endswith("seed 1\n")
    assert affray(*BROCKTON, *COMPUTERS).stdout == done.stdout, "the same seed, the same fight"


def test_a_person_takes_over_and_hands_back() -> None:
    done = fight(script="take husk 2 typed\ngive Ada first\ntake the empty\nq\n")
    assert "you answer for Husk 2 from now on (typed)" in done.stdout
    assert "the computer answers for Ada from now on (computer:first)" in done.stdout
    assert "-- Ada: attack" in done.stdout, "her turn goes on at once"
    assert "Bo: what now?" in done.stdout


def test_options_called_like_numbers_are_taken_by_name() -> None:
    """How many exertion dice: 1 is one die, not the first option."""
    script = "5\nattack: Novice\nshort blade\n1\nq\n"
    words = ["fight", "affinity", "squire", "novice", "--by", "one=rolled", "--seed", "1", "--long"]
    done = affray(*words, "--first", "one", stdin=script)
    assert "  0  no exertion dice\n  1  1 exertion die\n" in done.stdout
    assert "Squire: 1 exertion die" in done.stdout


def test_dice_are_typed_for_one_side_and_rolled_for_the_other() -> None:
    done = fight(by="one=typed", script="attack: Husk 1\nno\nnone\nno\n6 7\nq\n")
    assert "Ada: attack roll, roll 2d8" in done.stdout
    assert "Ada: [6, 7]" in done.stdout


def test_answers_come_from_the_command_line_first() -> None:
    done = affray(*BROCKTON, "--dice", "6,7", "--choose", "attack: Husk 1,no,none,no")
    assert done.returncode == 0, done.stderr
    assert "Ada: [6, 7]" in done.stdout
    assert "Waiting for " in done.stdout


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("onne=typed", "is called 'onne'. Did you mean 'one'?"),
        ("one=me", "no way to answer is called 'me'"),
        ("one=computer:clever", "no policy for a computer in a fight is called 'clever'"),
        ("one=typed:first", "no way to answer is called 'typed:first'"),
    ],
)
def test_a_seat_that_there_is_not(given: str, message: str) -> None:
    done = affray(*BROCKTON, "--by", given)
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr


# -- advice ------------------------------------------------------------------------------------

BY = ["--by", "one=rolled", "--by", "other=computer:first", "--seed", "1", "--seconds", "60"]


def test_a_question_mark_tells_what_becomes_of_the_fight() -> None:
    """One blade against one maul: exact; whoever waits is struck first."""
    told = affray("fight", "eclipse-phase", "w6", *BY, stdin="\n\n?\nchances\nq\n").stdout
    assert "chance of Duellist A to win the fight (win); more is better; exact" in told
    best = next(line for line in told.splitlines() if line.endswith("  best"))
    assert best.startswith("  1 attack: Duellist B ")
    share = next(line for line in told.splitlines() if line.endswith(" %  Duellist A"))
    assert abs(float(share.split()[0]) / 100 - float(best.split()[-2])) < 1e-4


def test_a_question_mark_in_an_exchange_is_about_the_exchange_and_the_fight() -> None:
    told = fight(script="attack: Husk 1\n?\nq\n").stdout
    assert "expected Final Damage (damage); more is better; exact" in told
    assert "chance of Ada and Bo to win the fight (win); more is better; estimate: " in told
    head, no, activate = told[told.index("damage   ") :].splitlines()[:3]
    assert head.split() == ["damage", "win"]
    place = head.index("win") - head.index("damage")
    for line in (no, activate):
        assert line[place + 14 :].strip(), "a chance to win stands below its head"


def test_in_an_exchange_to_win_may_be_all_that_is_asked_for() -> None:
    words = ["fight", "empty-earth", "bo-husk", *BY, "--objective", "win", "--seconds", "1"]
    told = affray(*words, stdin="attack: Husk\n?\nq\n").stdout
    assert "chance of Bo to win the fight (win)" in told
    assert "(damage)" not in told


def test_a_policy_that_decides_exchange_by_exchange_can_not_play_to_win() -> None:
    seats = ["--by", "one=rolled", "--by", "other=computer:greedy", "--seed", "1"]
    done = affray("fight", "empty-earth", "bo-husk", *seats, "--objective", "win")
    assert "policy greedy decides exchange by exchange, for one of damage, hit, " in done.stderr
    assert "optimal decides to win the fight" in done.stderr


def test_advice_is_always_there_if_one_wants_it() -> None:
    words = ["fight", "grid-battles", "against-cavalry", *BY, "--advise", "--long"]
    told = affray(*words, stdin="\n\nattack: Light Cav\n\nq\n").stdout
    assert told.count("to win the fight (win)") >= 2, "at each choice"
    assert told.count("Chances to win (exact):") == 4, "after each exchange"


def test_the_table_is_shown_again_on_demand() -> None:
    told = fight(script="table\nq\n").stdout
    assert told.count("> Ada  Vitality 10 of 10") == 2


def test_a_game_on_the_map_is_played_as_a_fight() -> None:
    script = "chances\ngm leave Archer\npikeman\nq\n"
    done = affray("fight", "grid-battles", "ford", "--by", "one=rolled", "--seed", "1",
                  stdin=script)  # fmt: skip
    assert "this game is one exchange; advice at its decisions says" in done.stdout
    assert "    00            01            02            03            04" in done.stdout
    assert done.stdout.count("which unit is activated?") > 1


# -- a game master's hand ----------------------------------------------------------------------


def test_a_game_master_changes_what_no_rule_does() -> None:
    done = fight(script="gm set Husk 2 vitality=1\ngm enter other husk\ngm leave Husk 3\n"
                        "gm order Husk 1, Ada\ngm first other\ngm end other\n")  # fmt: skip
    for line in (
        "  => Husk 2: Vitality 1 of 3 (was 3 of 3)", "The game master brings in Husk 7.",
        "The game master takes Husk 3 out of the fight.",
        "The game master still lets act in this round: Husk 1, then Ada.",
        "The game master says how turns begin from the next round on: The Empty goes first.",
        "It is over after round 1: The Empty won.",
    ):  # fmt: skip
        assert f"{line}\n" in done.stdout


def test_the_situation_is_kept_until_it_is_changed() -> None:
    script = "1\n1\n1\n1\nset\nset one vision=minor\nset distance_m=12\nset\nq\n"
    done = affray("fight", "eclipse-phase", "shot-on-the-run", "--by", "one=rolled,other=rolled",
                  "--seed", "1", stdin=script)  # fmt: skip
    assert " sets vision to minor for Guard.\n" in done.stdout
    assert "The game master sets distance m to 12 for both sides.\n" in done.stdout
    first, *_, last = done.stdout.split("option> ")[1:5]
    assert "vision=minor" not in first
    assert last.count("distance_m=12") == 2
    assert last.count("vision=minor") == 1


def test_a_game_master_grants_a_position_to_a_side_or_to_two() -> None:
    """A position that names a role holds where the other one acts as well, the other way round."""
    script = (
        "10\n1\n1\n1\ngm set Jinx > Exhuman superior=attacker\nset\n"
        "gm set one superior=defender\nset\n"
        "gm set superior=both\nset\nq\n"
    )
    done = affray("fight", "eclipse-phase", "jinx", "exhuman", "--seed", "3",
                  "--by", "one=rolled,other=rolled", stdin=script)  # fmt: skip
    pair, side, both = done.stdout.split("option> ")[2:7:2]
    assert "Jinx > Exhuman: superior=attacker\n" in pair
    assert "Exhuman > Jinx: superior=defender\n" in pair
    assert re.search(r"  Jinx: .*superior=defender\n  Exhuman: .*superior=attacker\n", side)
    assert both.count("superior=both") == 2
    assert "game master" not in done.stderr


WRONG = {
    "gm": "no command of a game master is called ''",
    "gm dance": "no command of a game master is called 'dance'. Known: set",
    "gm set Husk 2": "gm set 'Husk 2': write it as KEY=VALUE",
    "gm set Husk 9 vitality=1": "no fighter is called 'Husk 9'. Did you mean",
    "gm set Husk 2 vitallity=1": "Did you mean 'vitality'?",
    "gm set Husk 2 vitality=-1": "vitality",
    "gm enter nowhere husk": "no side is called 'nowhere husk'",
    "gm enter other hsk": "Did you mean 'husk'?",
    "gm end never": "no verdict is called 'never'",
    "gm first never": "no way to go first is called 'never'",
    "gm leave": "no fighter is called ''",
    "set =3": "set '=3': write it as KEY=VALUE",
    "set distance_zones": "set 'distance_zones': write it as KEY=VALUE",
    "set distanc_zones=1": "Did you mean 'distance_zones'?",
    "take nobody": "no side or fighter is called 'nobody'",
    "take Ada computer": "no way to take somebody over is called 'computer'",
    "give Ada clever": "no policy for a computer in a fight is called 'clever'",
    "who nobody": "no fighter is called 'nobody'",
    "fly": "'fly' is not on offer. Allowed: attack: Husk 1",
    "redo": "nothing to redo",
    "u": "nothing to undo",
}


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_line_is_told_and_changes_nothing(line: str, tmp_path: Path) -> None:
    path = tmp_path / "fight.json"
    done = fight("--save", str(path), script=f"{line}\nq\n")
    assert done.returncode == 0, done.stderr
    assert WRONG[line] in done.stdout.split("option> ", 1)[1]
    assert "Traceback" not in done.stderr
    assert kept(path)["moves"] == []


@pytest.mark.parametrize("line", ["The Empty", "the empty", "2", "tails", "two", "other", "the"])
def test_the_coin_is_called_in_any_words(line: str) -> None:
    coin = ("--first", "coin")
    typed = fight(*coin, by="one=typed", script=f"{line}\nq\n").stdout
    assert "== Round 1: Husk 1" in typed
    again = fight(*coin, by="one=typed", script="edge\nada\nq\n").stdout
    assert "'edge' is no face" in again
    assert "== Round 1: Ada" in again


def test_fewer_answers_are_taken_back_than_asked_for_and_that_is_told() -> None:
    done = fight(script="pass\nu 3\nredo 2\nu\nu\nq\n")
    parts = done.stdout.split("option> ")
    assert "  1 taken back; there are no more\n" in parts[2]
    assert "  1 given again; there are no more\n" in parts[3]
    assert "nothing to undo" not in parts[4]
    assert "  nothing to undo\n" in parts[5]


def test_hands_are_undone_like_any_answer() -> None:
    done = fight(script="gm set Husk 2 vitality=1\nu\ntable\nredo\nq\n")
    parts = done.stdout.split("option> ")
    assert "Husk 2    Vitality 3 of 3" in parts[2]
    assert "The game master sets Husk 2's Vitality to 1." in parts[4]


def test_a_seat_of_somebody_who_is_taken_back_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "fight.json"
    script = "gm enter other husk\ntake Husk 7 typed\nu\ntake Ada typed\nq\n"
    done = fight("--save", str(path), script=script)
    assert "you answer for Ada from now on (typed)" in done.stdout
    assert kept(path)["seats"]["Husk 7"] == "typed"
    again = affray("fight", "empty-earth", str(path), "--save", str(path), stdin="redo\nq\n")
    assert "The game master brings in Husk 7." in again.stdout, again.stderr
    assert kept(path)["seats"]["Husk 7"] == "typed"


def test_a_script_may_go_back_after_the_end(tmp_path: Path) -> None:
    (tmp_path / "s.txt").write_text("gm end one\nu\nattack: Husk 1\nq\n")
    done = fight("--script", str(tmp_path / "s.txt"))
    assert "It is over after round 1: Ada and Bo won." in done.stdout
    assert "-- Ada: attack, Husk 1" in done.stdout


# -- habits ------------------------------------------------------------------------------------


def test_what_is_always_taken_is_asked_once_and_taken_back_by_undo(tmp_path: Path) -> None:
    """! after an option for the fighter, !! for the side; one u takes both back."""
    path = tmp_path / "fight.json"
    told = fight("--save", str(path), script="attack: Husk 1\nno!\nnone!!\nhabits\nu\nhabits\nq\n")
    assert 'From now on Ada always takes "no" (activate armor).\n' in told.stdout
    assert "  2 Ada and Bo: always none (buy features)\n" in told.stdout
    assert told.stdout.count("Ada: cubes for features of the attack? (cubes") == 2, "again after u"
    assert told.stdout.rstrip().count("1 Ada: always no (activate armor)") == 2
    moves = kept(path)["moves"]
    assert [move.get("hand") for move in moves] == [None, "habit", None]
    assert moves[2]["by"] == ["habit"]
    words = ["fight", "empty-earth", str(path), "--save", str(path)]
    again = affray(*words, stdin="none\nno\nhabits off\nhabits\nhabits off 3\nq\n").stdout
    assert "From now on Ada decides anew (activate armor)." in again
    assert "nobody has a habit" in again
    assert "no number of a habit is called '3'" in again


def test_a_habit_is_followed_in_the_next_exchange_without_asking() -> None:
    script = "attack: Husk 1\nno!\nnone!\nno!\npass\nlog\nq\n"
    told = fight(script=script).stdout
    first, _, later = told.partition("== Round 2")
    assert first.count("Ada: a blue cube for the Armor's active effect?") == 1
    assert later.count("Ada: a blue cube for the Armor's active effect?") == 0


def test_a_habit_may_be_against_a_kind_of_enemy_only() -> None:
    """Ada aims at Husks; against the Shrieker she is asked."""
    script = (
        "attack: Husk 1\nno\nnone\naim! against husk\npass\nnone!!\nhabits\n"
        "attack: Shrieker\nno\nnone\nq\n"
    )
    told = fight(script=script).stdout
    assert 'From now on Ada always takes "aim" against husk (take aim).' in told
    assert "Ada: always aim against husk (take aim)\n" in told
    assert told.endswith("Waiting for Ada: blue cubes to Aim? (no, aim)\nseed 1\n"), "not a Husk"
    again = fight(script=script.replace("attack: Shrieker", "attack: Husk 2")).stdout
    assert again.count("Ada: blue cubes to Aim?") == 1


def test_a_habit_can_be_taken_up_at_any_prompt() -> None:
    """At "what now?" and at dice, of an option that was on offer to the side before."""
    script = "attack: Husk 1\nno\nnone\nno\nalways barbed\nhabits\nq\n"
    assert "always Barbed (buy features)" in fight(script=script).stdout
    typed = fight(by="one=typed", script="attack: Husk 1\nno\nnone\nno\nalways aim\nhabits\nq\n")
    assert "  1 Ada: always aim (take aim)\n" in typed.stdout


def test_habits_are_for_choices_within_an_exchange() -> None:
    told = fight(script="attack: Husk 1!\nalways pass\nno!\nq\n").stdout
    assert told.count("no choice of an exchange has had it") == 2
    assert "'no!' is not on offer" in told


# -- back, on again, another way ---------------------------------------------------------------


def test_undo_passes_the_computers_answers_by(tmp_path: Path) -> None:
    """Ada and Bo have acted and all Husks have; one u comes back to the last choice of a person."""
    path = tmp_path / "fight.json"
    fight("--save", str(path), script="pass\npass\nq\n")
    before = len(kept(path)["moves"])
    assert before > 2
    done = affray("fight", "empty-earth", str(path), "--save", str(path), stdin="u\nq\n")
    assert "Bo: what now?" in done.stdout
    raw = kept(path)
    assert len(raw["moves"]) < before
    assert len(raw["moves"]) + len(raw["undone"]) == before
    again = affray("fight", "empty-earth", str(path), "--save", str(path), stdin="redo\nq\n")
    assert again.returncode == 0
    assert len(kept(path)["moves"]) == before


def test_a_saved_fight_goes_on_with_its_seats_and_faces(tmp_path: Path) -> None:
    path = tmp_path / "fight.json"
    fight("--save", str(path), by="one=typed", script="attack: Husk 1\nno\nnone\nno\n6\nq\n")
    raw = kept(path)
    assert (raw["lying"]["faces"], raw["seats"]["one"]) == ([6], "typed")
    done = affray("fight", "empty-earth", str(path), "--long", stdin="7\nq\n")
    assert "roll 2d8; 6 lie already" in done.stdout
    assert "Ada: [6, 7]" in done.stdout


def test_a_fork_leaves_the_first_fight_alone(tmp_path: Path) -> None:
    path, other = tmp_path / "fight.json", tmp_path / "other.json"
    fight("--save", str(path), script="pass\nq\n")
    first = kept(path)
    done = affray("fight", "empty-earth", str(path), "--from", "0", "--by", "one=rolled",
                  "--save", str(other), stdin="attack: Husk 1\nq\n")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert kept(path) == first
    assert kept(other)["moves"][0]["option"] == "attack: Husk 1"
    refused = affray("fight", "empty-earth", str(path), "--from", "99")
    assert (refused.returncode, "99; the fight has 1 moves" in refused.stderr) == (2, True)


def test_a_fight_is_watched_as_it_was_played(tmp_path: Path) -> None:
    path = tmp_path / "fight.json"
    live = affray(*CAVALRY, *COMPUTERS, "--save", str(path)).stdout
    seen = affray("fight", "grid-battles", str(path), "--watch", "--long").stdout
    lines = [line for line in live.splitlines() if line.startswith(("  ", "-- ", "== "))]
    assert [line for line in lines if line not in seen.splitlines()] == []
    assert "It is over after round" in seen


def test_sample_battles_open_as_fights(tmp_path: Path) -> None:
    path = tmp_path / "samples.json"
    saved = affray("battle", "grid-battles", "light-cavalry", "-n", "10", "--seed", "3", "--save",
                   str(path), "--samples", "2", "--policy", "first")  # fmt: skip
    assert saved.returncode == 0, saved.stderr
    seen = affray("fight", "grid-battles", str(path), "--watch", "--battle", "2")
    assert seen.returncode == 0, seen.stderr
    rounds = json.loads(path.read_text())["battles"][1]["rounds"]
    assert f"It is over after round {rounds}: " in seen.stdout


def test_watching_begins_with_what_came_before_the_first_question(tmp_path: Path) -> None:
    lair = [{"name": "gale", "count": 12, "moves_yd": 15}]
    own = {"first": "other", "one": {"fighters": ["squire"]},
           "other": {"fighters": [{"like": "orc_raider", "lair": lair}]}}  # fmt: skip
    (tmp_path / "lair.json").write_text(json.dumps(own))
    path = str(tmp_path / "battles.json")
    saved = affray("battle", "affinity", str(tmp_path / "lair.json"), "-n", "1", "--seed", "1",
                   "--save", path)  # fmt: skip
    assert saved.returncode == 0, saved.stderr
    seen = affray("fight", "affinity", path, "--watch", "--long").stdout
    assert seen.index("== Round 1") < seen.index("-- Squire: suffer gale") < seen.index("Hit Dice")
    assert seen.count("suffer gale") == seen.count("== Round ")
    later = affray("fight", "affinity", path, "--watch", "--from", "1").stdout
    assert "== Round 1" not in later


# -- output for programs, scripts --------------------------------------------------------------


def test_json_tells_the_whole_fight_and_asks_nobody() -> None:
    done = affray(*CAVALRY, *COMPUTERS, "--json")
    raw = json.loads(done.stdout)
    assert (raw["schema"], raw["verdict"] in {"one", "other"}) == ("affray/fight", True)
    waits = json.loads(affray(*BROCKTON, "--json").stdout)
    assert waits["question"]["ask"] == "Ada: what now?"


def test_a_script_is_typed_and_shown(tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text("# Ada begins\nattack: Husk 1\n\nno\n")
    done = fight("--script", str(script), by="one=computer")
    assert "option>" not in done.stdout, "nobody at the table types"
    done = affray(*BROCKTON, "--script", str(script))
    assert "option> attack: Husk 1\n" in done.stdout
    assert "Ada begins" not in done.stdout
    missing = affray(*BROCKTON, "--script")
    assert (missing.returncode, "has none; write it under `play`" in missing.stderr) == (2, True)


PLAY = {
    "by": ({"one": "computer", "other": "computer"}, "It is over after round "),
    "seed": (7, "seed 7"),
    "lines": (["attack: Husk", "q"], "option> attack: Husk\n"),
}
SCRIPTED: dict[str, Any] = {
    "first": "one",
    "one": {"fighters": ["bo"]},
    "other": {"fighters": ["husk"]},
    "play": {"by": {"one": "rolled"}, "seed": 1, "lines": ["attack: Husk", "none"]},
}


@pytest.mark.parametrize("key", PLAY)
def test_every_key_of_a_script_matters(key: str, tmp_path: Path) -> None:
    value, shows = PLAY[key]
    texts = []
    for play in (SCRIPTED["play"], {**SCRIPTED["play"], key: value}):
        (tmp_path / "my.json").write_text(json.dumps({**SCRIPTED, "play": play}))
        done = affray("fight", "empty-earth", str(tmp_path / "my.json"), "--script")
        assert done.returncode == 0, done.stderr
        texts.append(done.stdout)
    assert texts[0] != texts[1]
    assert shows in texts[1]


@pytest.mark.parametrize(
    ("play", "message"),
    [
        ({"by": {"three": "typed"}}, "is called 'three'"),
        ({"by": {"one": "me"}}, "no way to answer is called 'me'"),
        ({"lines": "q"}, "play.lines: 'q'; "),
        ({"seeds": 3}, "play.seeds: unknown key. Did you mean 'seed'?"),
        ({"seed": -1}, "play.seed: -1; "),
    ],
)
def test_a_script_that_does_not_fit_is_refused(
    play: dict[str, Any], message: str, tmp_path: Path
) -> None:
    (tmp_path / "my.json").write_text(json.dumps({**SCRIPTED, "play": play}))
    done = affray("fight", "empty-earth", str(tmp_path / "my.json"), "--script")
    assert done.returncode in {2, 3}
    assert message in done.stderr


def test_two_commands_on_one_fight(tmp_path: Path) -> None:
    """Whoever saves second leaves the first one's file alone, and keeps the own fight beside it."""
    path = tmp_path / "fight.json"
    fight("--save", str(path), script="q\n")

    def late() -> CompletedProcess[str]:
        return affray("fight", "empty-earth", str(path), "--by", "one=rolled", "--save", str(path),
                      stdin="pass\nq\n")  # fmt: skip

    from affray.cli.game_file import FightFile

    was = FightFile.save

    def disturbed(self: FightFile, found: Any) -> None:
        if found.moves:
            path.write_text(path.read_text() + " ")
        was(self, found)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FightFile, "save", disturbed)
        done = late()
    assert done.returncode == 3
    assert "another program has changed it meanwhile" in done.stderr
    assert kept(path)["moves"] == []
    assert kept(tmp_path / "fight-2.json")["moves"][0]["option"] == "pass"


def test_a_seat_that_searches_plays_within_the_places_that_it_is_given() -> None:
    words = ("fight", "grid-battles", "siege", "--by", "one=computer:search", "--by",
             "other=computer:optimal", "--seed", "2", "--places", "200")  # fmt: skip
    one, other = (asked(*words) for _ in range(2))
    assert one["verdict"] in {"one", "other", "drawn"}
    assert one == other


# -- computers alone ---------------------------------------------------------------------------


class Decides:
    """Stands for a fight, and keeps the budget of a decision."""

    def decides(self, policy: str, budget: Budget | None, *, seed: int) -> Answer:
        self.budget = budget
        return Answer(option="pass", by=("policy",))


@pytest.mark.parametrize(("left_s", "seconds"), [(inf, 2.0), (40.0, 2.0), (12.0, 1.0), (3.0, 0.25)])
def test_the_less_time_is_left_the_less_a_decision_takes(left_s: float, seconds: float) -> None:
    """Where computers play alone, a twelfth of what is left, and two seconds at most."""
    fight: Any = Decides()
    Settings(Script()).decision(fight, "", left_s)
    assert fight.budget.seconds == seconds


def test_with_a_seed_no_fights_are_played_out_on_a_board() -> None:
    """Each of them takes a second there; elsewhere hundredths."""
    fight = Fight.begin("emlia", "ford-meadow")
    began = process_time()
    for _ in range(8):
        question = fight.asked
        assert question is not None
        roll = fight.rolling
        if roll is not None:
            fight = fight.answer([die.faces[0] for die in roll.pool.dice])
            continue
        answer = fight.decides("", counted(fight.loaded.contest), seed=1)
        assert question.kind == "exchange" or answer.by != ("look-ahead",)
        fight = fight.answer(answer)
    assert process_time() - began < 10
    assert counted(Fight.begin("empty-earth", "brockton").loaded.contest).battles
