"""Whole fights at a real terminal, as a person drives them; nothing is lost on the way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import ENV, affray
from tests.cli.terminal import Terminal

TYPED = [
    "fight",
    "empty-earth",
    "brambles",
    "--long",
    "--by",
    "one=typed",
    "--by",
    "other=computer:first",
]


PROMPTS = ["option> ", "die 1 of 2 (d8)> ", "die 2 of 2 (d8)> ", "option> "]


def kept(path: Path) -> dict[str, Any]:
    raw: dict[str, Any] = json.loads(path.read_text())
    return raw


@pytest.mark.parametrize("width", [80, 40])
def test_a_session_of_a_fight(width: int, tmp_path: Path) -> None:
    """A turn with typed dice, one of them corrected; advice, undo, a game master's hand."""
    path = tmp_path / "fight.json"
    with Terminal(*TYPED, "--seed", "1", "--save", str(path), width=width) as here:
        assert "Ada (now)" in here.reads("option> ")
        here.types("?")
        assert "better" in here.reads("option> ")
        here.types("brambel 1")
        assert "mean 'bramble'?" in " ".join(here.reads("option> ").split())
        here.types("aim bramble 1")
        here.reads("die 1 of 2 (d8)> ")
        here.types("u")
        assert "Ada: what now?" in here.reads("option> ")
        here.types("")
        here.reads("die 1 of 2 (d8)> ")
        here.types("61")
        told = here.reads("option> ")
        assert "Ada: [6, 1]" in told
        here.types("2=7")
        told = here.reads("option> ")
        assert "Ada: [6, 7]" in told
        here.types("u")
        here.reads("die 1 of 2 (d8)> ")
        here.types("u")
        assert "Ada: what now?" in here.reads("option> ")
        here.types("redo 2")
        here.reads("option> ")
        here.types("gm set Bramble 2 vitality=1")
        here.reads("option> ")
        here.types("take other")
        here.reads("you answer for")
        here.reads("option> ")
        here.types("gm end one")
        here.reads("It is over after round 1: Ada and Bo")
        here.types("")
        here.ends()
        assert here.status == 0
        shown = here.lines
    assert kept(path)["verdict"] == "one"
    prompts = ("> ",)
    wide = [line for line in shown if len(line) > width and not any(p in line for p in prompts)]
    assert not wide


@pytest.mark.parametrize("width", [80, 40])
def test_how_things_stand_is_asked_once_at_the_terminal(width: int, tmp_path: Path) -> None:
    """Wrong answers, Enter, undo, killed in front of the question, asked again."""
    path = tmp_path / "fight.json"
    words = ["fight", "grid-battles", "archer", "axeman", "--first", "one", "--by", "one=rolled",
             "--by", "other=computer:first", "--seed", "1", "--save", str(path)]  # fmt: skip
    with Terminal(*words, width=width) as here:
        here.reads("hexes [1]> ")
        here.types("near")
        assert "allowed: hexes, 1 to 50" in " ".join(here.reads("hexes [1]> ").split())
        here.types("3")
        here.reads("line of sight [clear]> ")
        here.types("u")
        here.reads("hexes [1]> ")
        here.types("2")
        here.reads("line of sight [clear]> ")
        here.types("")
        here.reads("defender terrain [plain]> ")
        shown = here.lines
        here.kill()
    assert [move["option"] for move in kept(path)["moves"] if "option" in move] == [
        "2", "clear",
    ]  # fmt: skip
    assert not [line for line in shown if len(line) > width and "> " not in line]
    with Terminal("fight", "grid-battles", str(path), "--seed", "1", width=width) as here:
        here.reads("defender terrain [plain]> ")
        here.types("hill")
        told = " ".join(here.reads("terrain [plain]> ").split())
        assert "Terrain of Axeman: hill (1 shield)" in told
        here.types("2")
        told = " ".join(here.reads("option> ").split())
        assert "Terrain of Archer: hill" in told
        here.types("1")
        here.reads("option> ")
        here.types("ask defender_terrain")
        here.reads("option> ")
        here.types("q")
        here.ends()


def test_an_answer_is_kept_before_the_next_question_is_asked(tmp_path: Path) -> None:
    """Killed in front of any question, the file holds every answer and every face."""
    path = tmp_path / "fight.json"
    lines, options = ["att bramble 1", "6", "7"], ["attack: Bramble 1", "no", "none", "no"]
    for number in (1, 2, 3):
        path.unlink(missing_ok=True)
        with Terminal(*TYPED, "--save", str(path)) as here:
            for place, line in enumerate(lines[:number]):
                here.reads(PROMPTS[place])
                here.types(line)
            here.reads(PROMPTS[number])
            here.kill()
        raw = kept(path)
        assert [move["option"] for move in raw["moves"] if "option" in move][:4] == options
        lies = raw.get("lying", {"faces": []})["faces"]
        assert lies == ([6] if number == 2 else [])
        assert not list(tmp_path.glob("*.json.*"))
    done = affray("fight", "empty-earth", str(path), stdin="\n", env={"COLUMNS": "80"})
    assert "\nBo: " in done.stdout, "it goes on where it was killed"


def test_a_fight_survives_kills_in_a_loop(tmp_path: Path) -> None:
    """Killed at any moment while the computer fights, the file opens and goes on from there.

    Each run goes on with the file of the one before, until the fight is over.
    """
    path = tmp_path / "fight.json"
    by = ["--by", "one=computer:first", "--by", "other=computer:first", "--save", str(path)]
    begins = ["fight", "empty-earth", "brambles", "--first", "one", *by]
    moves, runs = 0, 0
    for runs in range(1, 60):
        words = [*begins] if not path.exists() else ["fight", "empty-earth", str(path), *by]
        child = subprocess.Popen(
            [sys.executable, "-m", "affray", *words], env=ENV, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        changed = path.stat().st_mtime_ns if path.exists() else 0
        until = time.monotonic() + 60
        while child.poll() is None and time.monotonic() < until:
            time.sleep(0.005)
            if path.exists() and path.stat().st_mtime_ns != changed:
                time.sleep(0.02 * (runs % 5))  # at another moment each time
                break
        child.send_signal(signal.SIGKILL)
        child.wait()
        assert path.exists()
        raw = kept(path)
        assert len(raw["moves"]) >= moves, "nothing that was kept is lost"
        moves = len(raw["moves"])
        if raw.get("verdict"):
            break
    assert kept(path)["verdict"], f"{runs} runs, {moves} moves"
    assert runs > 2
    again = affray("fight", "empty-earth", str(path), "--watch")
    assert "It is over after round " in again.stdout
    left = [name for name in os.listdir(tmp_path) if not name.endswith(".affray-unfinished")]
    assert left == ["fight.json"]


def test_redo_gives_a_whole_line_again() -> None:
    """As undo takes one back whole; what is asked after both is the same question."""
    with Terminal("fight", "empty-earth", "ada", "husk", "--first", "one", "--by", "one=typed",
                  "--seed", "1") as here:  # fmt: skip
        here.reads("Zones [0]> ")
        here.types("stop asking")
        here.reads("option> ")
        here.types("aim")
        here.reads("die 1 of")
        here.types("u")
        here.reads("option> ")
        here.types("redo")
        assert "die 1 of" in here.reads("> ").splitlines()[-1]


def test_words_for_a_turn_are_forgotten_when_it_is_taken_back() -> None:
    """They waited for an answer about the situation."""
    with Terminal("fight", "eclipse-phase", "jinx", "2xexhuman", "--first", "one",
                  "--seed", "1", "--set", "distance_m=10") as here:  # fmt: skip
        here.reads("cover [none]> ")
        here.types("stop asking")
        here.reads("option> ")
        here.types("ask cover")
        here.reads("option> ")
        here.types("exhuman 2 semi aim")
        here.reads("cover [none]> ")
        here.types("u")
        told = here.reads("> ")
        assert told.splitlines()[-1] == "option> ", "the turn is asked for anew"
        here.types("exhuman 1 auto")
        here.reads("cover [none]> ")
        here.types("minor")
        told = here.reads("option> ")
        assert "full automatic" in told
        assert "a quick action?" not in told, "the line had said already what is done"


def test_an_option_called_again_is_taken_before_the_command() -> None:
    with Terminal("fight", "eclipse-phase", "exhuman", "exhuman", "--first", "one",
                  "--seed", "1", "--set", "distance_m=2") as here:  # fmt: skip
        here.reads("> ")
        here.types("stop asking")
        here.reads("option> ")
        here.types("pass")
        here.reads("option> ")
        here.types("pass")
        assert "Enter: pass" in here.reads("option> ")
        here.types("again")
        assert "one more action: none" in here.reads("> ")


def test_when_it_is_over_one_may_still_look_back() -> None:
    """`why` and `log` tell, and ask again; anything else ends."""
    with Terminal("fight", "empty-earth", "bo-husk", "--by", "one=rolled", "--seed", "1") as here:
        here.reads("option> ")
        here.types("gm end one")
        here.reads("anything else to end> ")
        for line in ("table", "log", "why"):
            here.types(line)
            here.reads("anything else to end> ")
        here.types("")
        here.ends()
        assert here.status == 0


def test_undo_takes_back_what_a_whole_group_did_and_redo_gives_it_again() -> None:
    with Terminal("fight", "empty-earth", "bo", "3xhusk", "--first", "other",
                  "--seed", "1") as here:  # fmt: skip
        assert "Husk 1: what now?" in here.reads("option> ")
        here.types("all husks attack nearest")
        assert "Bo: what now?" in here.reads("option> ")
        here.types("u")
        assert "Husk 1: what now?" in here.reads("option> ")
        here.types("redo")
        assert "Bo: what now?" in here.reads("option> ")


def test_changes_of_a_line_add_up_before_it_goes() -> None:
    """Who charges decides how aggressive to be, which was not among the usual; it is told first."""
    known = ("cover=none", "vision=clear", "superior=none", "distance_m=10")
    words = ["fight", "eclipse-phase", "jinx", "2xexhuman", "--first", "one", "--by", "one=typed",
             "--by", "other=computer:first"]  # fmt: skip
    words += [word for pair in known for word in ("--set", pair)]
    with Terminal(*words) as here:
        assert "Enter: attack: Exhuman 1" in here.reads("option> ")
        here.types("charge")
        told = " ".join(here.reads("change it> ").split())
        assert "attack: Exhuman 1; " in told
        assert "how aggressive: plain" in told
        here.types("exhuman 2")
        told = here.reads("> ")
        here.types("why")
        shown = " ".join(here.reads("> ").split())
        assert "closer" in f"{told} {shown}"
        assert "attacks Exhuman 2" in shown


def test_a_group_may_be_told_what_to_do_by_a_mate_who_is_asked() -> None:
    """The Shrieker is asked; the Husks are told, and the Shrieker is asked again."""
    words = ["fight", "empty-earth", "shrieker,husk,husk", "ada", "--first", "one", "--by",
             "one=rolled", "--by", "other=computer:first", "--seed", "1"]  # fmt: skip
    with Terminal(*words) as here:
        told = here.reads("> ")
        while "Shrieker: what now?" not in told:
            here.types("")
            told = here.reads("> ")
        here.types("all husks attack nearest")
        assert "noted for this round: Husk 1, Husk 2: attack nearest" in here.reads("option> ")
        here.types("pass")
        told = here.reads("> ")
        assert "Husk 1: what now?" not in told
