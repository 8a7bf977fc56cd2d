"""A game at the terminal: dice typed, rolled, corrected; seats; advice; back and on again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import affray
from tests.cli.terminal import Terminal

JINX = ["eclipse-phase", "jinx-shoots"]
OWN = ["play", *JINX, "--own-dice", "--long"]
TO_DAMAGE = "96\nflip\n7\n"


# -- dice ------------------------------------------------------------------------------------


def test_each_die_is_labeled_with_what_it_is_for() -> None:
    done = affray(*OWN, stdin=f"{TO_DAMAGE}7 5 5\n1\nq\n")
    assert "Jinx: damage, roll 2d10 damage, 1d10 extra, 2d6 superior" in done.stderr
    assert "die 1 of 5 (d10 damage)> " in done.stderr
    assert "die 4 of 5 (d6 superior)> " in done.stderr


@pytest.mark.parametrize("key", ["r", ""])
def test_enter_or_r_rolls_all_that_is_missing(key: str, tmp_path: Path) -> None:
    kept = tmp_path / "game.json"
    affray(*OWN, "--save", str(kept), stdin=f"{TO_DAMAGE}7\n{key}\nq\n")
    row = json.loads(kept.read_text())["answers"][3]
    assert row["by"] == ["hand", *["entropy"] * 4]
    assert row["faces"][0] == 7


@pytest.mark.parametrize("typed", ["7 5 5 1 3", "7,5,5,1,3", "75513", "7 5\n513"])
def test_faces_are_typed_with_blanks_commas_or_digit_by_digit(typed: str) -> None:
    done = affray(*OWN, stdin=f"{TO_DAMAGE}{typed}\n9\n")
    assert "3d10+2d6: 7, 5, 5, 1, 3" in done.stdout


def test_faces_typed_in_part_are_kept_over_q_and_gone_on_with(tmp_path: Path) -> None:
    kept = tmp_path / "game.json"
    first = affray(*OWN, "--save", str(kept), stdin=f"{TO_DAMAGE}7 5\nq\n")
    assert first.returncode == 0, first.stderr
    done = affray("play", "eclipse-phase", str(kept), "--own-dice", "--save", str(kept),
                  "--long", stdin="5 1 3\n9\n")  # fmt: skip
    assert "2d6 superior; 7, 5 lie already" in done.stderr
    assert "die 3 of 5 (d10 extra)> " in done.stderr
    assert "DV 21 against armor 10: 11 gets through." in done.stdout
    assert json.loads(kept.read_text())["answers"][3]["faces"] == [7, 5, 5, 1, 3]


def test_one_die_of_many_is_corrected_before_the_roll_counts() -> None:
    done = affray(*OWN, stdin=f"{TO_DAMAGE}9 5 1=7\n3=1\n5 1 3=5 3\n9\n")
    assert "die 3 can't be corrected; dice 1 to 2 lie" in done.stderr
    assert "3d10+2d6: 7, 5, 5, 1, 3" in done.stdout


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("9=5", "die 9 can't be corrected; only die 1 lies"),
        ("x=5", "'x=5' is no face; allowed: 1 to 10"),
        ("7 1=11", "'11' is no face; allowed: 1 to 10"),
        ("7 5 5 1 3 3", "'3' is one face too many; it is not used"),
        ("7 5 5 1 3 r", "'r' is one face too many; it is not used"),
        ("roll", "'roll' is no face; allowed: 1 to 10"),
    ],
)
def test_what_is_no_face_is_told_and_what_lies_stays(typed: str, said: str) -> None:
    assert f"  {said}\n" in affray(*OWN, stdin=f"{TO_DAMAGE}{typed}\nq\n").stderr


def test_a_die_of_the_last_roll_is_corrected_when_it_counts_already() -> None:
    done = affray(*OWN, stdin="86\n1=96\nflip\nq\n")
    assert "1d100: 96" in done.stdout
    assert "1d100: 86" not in done.stdout
    assert "Taken back after the roll was seen: 86" in done.stdout


def test_u_takes_back_one_die_and_then_the_answer_before() -> None:
    done = affray(*OWN, stdin=f"{TO_DAMAGE}7 5\nu\n6 u\nu\nu\nu\n8\nq\n")
    # 7 stays, the 5 goes and a 6 comes; "6 u" takes the 6 and refuses the u
    assert "'u' is no face" in done.stderr
    # then 6, 7 and the defense roll of 7 are taken back, in its place lies 8
    assert "1d100: 8" in done.stdout
    assert "1d100: 7" not in done.stdout


# -- back and on again -------------------------------------------------------------------------


def test_undo_and_redo_over_several_answers() -> None:
    done = affray(*OWN, stdin=f"{TO_DAMAGE}u 3\nredo 2\nu\nnone\nq\n")
    assert done.stderr.count("attack roll, roll") == 2, "asked at first, and after three steps back"
    assert "the roll stands" in done.stdout
    assert "flip 96 to 69" not in done.stdout


def test_where_nothing_can_be_taken_back_it_is_said() -> None:
    done = affray(*OWN, stdin="u\nredo\nu 99\n96\nu 99\nq\n")
    assert done.stderr.count("  nothing to undo\n") == 2
    assert done.stderr.count("  1 taken back; there are no more\n") == 1
    assert done.stderr.count("  nothing to redo\n") == 1


def test_the_same_answers_after_undo_get_the_same_faces() -> None:
    seeded = [
        "play",
        "eclipse-phase",
        "jinx-shoots",
        "--seed",
        "5",
        "--long",
        "--by",
        "attacker=rolled",
    ]
    done = affray(*seeded, stdin="none\nu\nnone\nu 3\nflip\n")
    assert done.stderr.count("Exhuman: [74] Against 30") == 3
    assert done.stderr.count("  Taken back after the roll was seen: 74; ") == 2
    assert done.stdout.count("Taken back after the roll was seen: 74; ") == 2
    assert done.stderr.count("  1 taken back; there are no more\n") == 1


def test_undo_goes_back_to_what_the_person_answered() -> None:
    """The computer's roll in between is no question to anybody: it is passed by."""
    words = ["play", *JINX, "--by", "attacker=typed,defender=rolled", "--seed", "3", "--long"]
    done = affray(*words, stdin="96\nnone\nu\nflip\nq\n")
    assert "the roll stands" not in done.stdout
    assert "flip 96 to 69" in done.stdout


# -- seats -------------------------------------------------------------------------------------


def test_each_side_has_its_own_dice_and_decisions() -> None:
    words = ["play", *JINX, "--by", "attacker=typed,defender=computer", "--seed", "1", "--long"]
    done = affray(*words, stdin="96\nflip\nq\n")
    rows = [line for line in done.stdout.splitlines() if "1d100" in line]
    assert "Jinx" in rows[0]
    assert "by hand" in rows[0]
    assert "Exhuman" in rows[1]
    assert "by hand" not in rows[1]


@pytest.mark.parametrize("seat", [["--auto", "attacker"], ["--by", "attacker=computer"]])
def test_a_side_of_the_computer_takes_the_best_option(seat: list[str]) -> None:
    done = affray("play", *JINX, *seat, "--dice", "96", "--objective", "hit",
                  "--seed", "1", "--long")  # fmt: skip
    assert "flip (policy)" in done.stdout or "flip 96 to 69" in done.stdout


@pytest.mark.parametrize(
    ("given", "status", "message"),
    [
        ("atacker=typed", 2, "no side is called 'atacker'. Did you mean 'attacker'?"),
        ("attacker=me", 2, "no way to answer is called 'me'. Known: typed, rolled, computer"),
        ("attacker", 2, "write it as name=value"),
    ],
)
def test_a_seat_that_there_is_not(given: str, status: int, message: str) -> None:
    done = affray("play", *JINX, "--by", given)
    assert (done.returncode, message in done.stderr) == (status, True), done.stderr


def test_auto_for_a_side_that_there_is_not() -> None:
    done = affray("play", *JINX, "--auto", "atacker")
    assert (done.returncode, "Did you mean 'attacker'?" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("objective", "message"),
    [
        ("glory", "no objective of emlia is called 'glory'"),
        ("win", "one exchange (ask it of a fight: `affray fight emlia FIGHT` and ? there, or with "
                "--objective win `affray best`, `affray duel` and `affray report`)"),
    ],
)  # fmt: skip
def test_an_objective_that_an_exchange_can_not_have(objective: str, message: str) -> None:
    """Though nobody decides anything in it."""
    done = affray("play", "emlia", "mixed", "--objective", objective, "--auto", "--seed", "1")
    assert message in done.stderr
    assert not done.stdout


# -- advice ------------------------------------------------------------------------------------


def test_a_question_mark_tells_what_each_option_is_worth() -> None:
    """96 misses; 69 is beaten by three defense rolls in a hundred."""
    done = affray(*OWN, "--objective", "hit", stdin="96\n?\nq\n")
    assert "(hit); more is better; exact\n  1 none        0  costs 0.97\n" in done.stderr
    assert "  2 flip     0.97  best\n" in done.stderr
    always = affray(*OWN, "--objective", "hit", "--advise", stdin="96\nq\n")
    assert "  2 flip     0.97  best\n" in always.stderr


def test_help_says_what_can_be_typed() -> None:
    for line in ("?\n", "help\n", "h\n"):
        done = affray(*OWN, stdin=f"{line}q\n")
        assert "Enter or r rolls what is missing" in done.stderr
        assert done.stderr.count("attack roll, roll") == 1, "the question is not told again"


# -- on a terminal ---------------------------------------------------------------------------


@pytest.mark.parametrize("width", [80, 40])
def test_a_session_at_a_terminal(width: int, tmp_path: Path) -> None:
    kept = tmp_path / "game.json"
    with Terminal(*OWN, "--objective", "hit", "--save", str(kept), width=width) as here:
        here.reads("die (d100)> ")
        here.types("96")
        here.reads("option> ")
        here.types("?")
        assert "best" in here.reads("option> ")
        here.types("2")
        here.reads("(d100)> ")
        here.types("7")
        here.reads("die 1 of 5 (d10 damage)> ")
        here.types("95513")
        here.reads("(d100)> ")
        here.types("1=7")
        here.reads("(d100)> ")
        here.types("9")
        here.reads("It is over.")
        here.types("")
        here.ends()
        assert here.status == 0
        wide = [line for line in here.lines if len(line) > width and "> " not in line]
        assert not wide
    rows = json.loads(kept.read_text())["answers"]
    assert rows[3]["faces"] == [7, 5, 5, 1, 3]


def test_a_kill_loses_no_face(tmp_path: Path) -> None:
    kept = tmp_path / "game.json"
    with Terminal(*OWN, "--save", str(kept)) as here:
        for line in ("96", "flip", "7"):
            here.reads("> ")
            here.types(line)
        here.reads("(d10 damage)> ")
        here.types("7")
        here.reads("die 2 of 5 (d10 damage)> ")
        here.kill()
    raw = json.loads(kept.read_text())
    assert (len(raw["answers"]), raw["lying"]["faces"]) == (3, [7])


# -- what is told --------------------------------------------------------------------------------


def test_an_exchange_is_told_in_a_line_or_two_by_name() -> None:
    """The numbers of the shipped example; Guns 70 fails with 29 faces, Fray 30 with all but 00,
    11 and 22, a SOM check of 75 is passed with 76.
    """
    done = affray("play", *JINX, "--script")
    told = " ".join(done.stdout.split())
    assert (
        "Jinx attacks Exhuman with medium pistol: a burst; 96 against 70, failure (29 %); a point "
        "makes it a success; Exhuman: 7 against 30, not enough (97 %); a hit, twice superior; 21 - "
        "10 armor = 11 damage; one wound; 9 against 75 to stand, passed (76 %). Outcome"
    ) in told
    assert "EP-" not in told


def test_the_long_form_has_names_sums_and_clauses() -> None:
    done = affray("play", *JINX, "--script", "--long")
    told = " ".join(done.stdout.split())
    assert "Jinx 1d100: 96" in told
    assert "attacker" not in done.stdout.partition("Outcome")[0]
    for part in ("Guns: 70", "EP-1, EP-2, EP-3", "DV 21 against armor 10: 11 gets through."):
        assert part in told


def test_why_tells_every_step_so_far() -> None:
    done = affray("play", *JINX, "--own-dice", stdin="why\n96\nwhy\nq\n")
    first, second, *_ = done.stderr.split("Jinx: spend a pool point on the attack roll?")
    assert "Jinx: [96] Against 70" not in first
    assert "    70 Guns (EP-43)\n" in first + second
    assert "Jinx: [96] Against 70: failure. (29 % chance) [EP-1, EP-2, EP-3]\n" in second
