"""`affray new`: typed from a pipe, what is written, and what is never overwritten."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from tests.cli.running import affray

VEX = "Vex\n\n\nfray 60, guns 70\n\n\n\n\n\nmedium pistol\ndone\n"


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_typed_lines_make_a_fighter_that_fights() -> None:
    done = affray("new", "eclipse-phase", stdin=VEX)
    assert done.returncode == 0, done.stderr
    assert "Fray 60; Guns 70" in done.stdout
    assert "Vex attacks Exhuman (distance 10 meters): damage that gets through armor" in (
        " ".join(done.stdout.split())
    )
    assert tomllib.loads(Path("vex.toml").read_text()) == {
        "fighters": {
            "vex": {"name": "Vex", "fray": 60, "guns": 70, "weapons": ["medium_pistol"]}
        }
    }  # fmt: skip
    fought = affray("battle", "eclipse-phase", "vex", "exhuman", "--roster", "vex.toml", "-n", "5")
    assert fought.returncode == 0, fought.stderr


def test_a_second_one_comes_after_the_first() -> None:
    affray("new", "eclipse-phase", "mine.toml", stdin=VEX)
    affray("new", "eclipse-phase", "mine.toml", "--line", "Nyx", "--line", "done")
    assert list(tomllib.loads(Path("mine.toml").read_text())["fighters"]) == ["vex", "nyx"]
    again = affray("new", "eclipse-phase", "mine.toml", stdin="Vex\n")
    assert "stands in the file already" in again.stdout


def test_a_file_of_somebody_else_stays() -> None:
    theirs = Path("theirs.toml")
    theirs.write_text("[fighters.a]\n")
    done = affray("new", "eclipse-phase", "theirs.toml", stdin=VEX)
    assert done.returncode == 3
    assert "it stays" in done.stderr
    assert "Name>" not in done.stdout  # told before anything is asked
    assert theirs.read_text() == "[fighters.a]\n"
    assert affray("new", "eclipse-phase", "theirs.toml", "--replace", stdin=VEX).returncode == 0
    assert list(tomllib.loads(theirs.read_text())["fighters"]) == ["vex"]


def test_a_file_of_another_system_stays() -> None:
    affray("new", "affinity", "mine.toml", "--line", "Vex", "--line", "done")
    assert affray("new", "eclipse-phase", "mine.toml", stdin=VEX).returncode == 3


def test_without_a_file_a_free_name_is_taken() -> None:
    Path("vex.toml").write_text("theirs")
    done = affray("new", "eclipse-phase", stdin=VEX)
    assert Path("vex.toml").read_text() == "theirs"
    assert "written to vex-2.toml" in done.stdout
    assert "vex" in tomllib.loads(Path("vex-2.toml").read_text())["fighters"]


@pytest.mark.parametrize("end", ["", "q\n"])
def test_whoever_stops_writes_nothing(end: str) -> None:
    done = affray("new", "eclipse-phase", stdin=f"Vex\n\n{end}")
    assert (done.returncode, list(Path().iterdir())) == (0, [])
    assert "nothing is written" in done.stdout


def test_what_was_made_is_confirmed_and_may_be_undone() -> None:
    typed = "Rider\nred\n3\n\n\nundo\nadvantage over Archer\nq\n"
    done = affray("new", "grid-battles", stdin=typed)
    assert "write it to rider.toml? [yes]>" in done.stdout
    assert "Advantage over Archer" in done.stdout
    assert not Path("rider.toml").exists()


def test_a_question_mark_explains_with_range_and_clause() -> None:
    done = affray("new", "eclipse-phase", stdin="Vex\n\n\n?\n", env={"COLUMNS": "40"})
    told = " ".join(done.stdout.split())
    assert "half of it against ranged attacks; left out: not trained; 0 to 200 (EP-46)" in told
    assert max(len(line) for line in done.stdout.splitlines() if ">" not in line) <= 40


def test_json_comes_after_what_is_told() -> None:
    done = affray("new", "eclipse-phase", "--against", "ripper", "--json", stdin=VEX)
    made = json.loads(done.stdout)
    assert (made["key"], made["foe"], made["file"]) == ("vex", "ripper", "vex.toml")
    assert made["entry"]["guns"] == 70
    assert made["attacks"][0]["defender"] == "Ripper"
    assert "Name>" in done.stderr


def test_a_dash_prints_the_entry() -> None:
    done = affray("new", "eclipse-phase", "-", stdin=VEX)
    assert done.stdout.endswith('[fighters.vex]\nname = "Vex"\nfray = 60\nguns = 70\n'
                                'weapons = ["medium_pistol"]\n')  # fmt: skip
    assert list(Path().iterdir()) == []
