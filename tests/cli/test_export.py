"""The command that writes saved games for other programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import affray, asked

BY = ["--by", "one=computer:first,other=computer:first", "--seed", "1"]


@pytest.fixture
def fight(tmp_path: Path) -> str:
    path = tmp_path / "fight.json"
    done = affray("fight", "empty-earth", "brockton", *BY, "--save", str(path))
    assert done.returncode == 0, done.stderr
    return str(path)


@pytest.fixture
def game(tmp_path: Path) -> str:
    path = tmp_path / "game.json"
    words = ["--dice", "96,7,7,5,5,1,3,9", "--choose", "flip", "--save", str(path)]
    done = affray("play", "eclipse-phase", "jinx-shoots", *words)
    assert done.returncode == 0, done.stderr
    return str(path)


def test_a_fight_is_written_as_the_terminal_told_it(fight: str) -> None:
    told = " ".join(affray("fight", "empty-earth", "brockton", *BY).stdout.split())
    lines = affray("export", "text", fight).stdout.splitlines()
    exchanges = [line.partition(". ")[2] for line in lines if line.partition(". ")[0].isdecimal()]
    assert exchanges
    for line in exchanges:
        assert line in told


def test_an_exchange_is_named_by_its_number(fight: str) -> None:
    view = asked("export", "markdown", fight, "--exchange", "2")
    assert (view["schema"], view["form"], view["part"]) == ("affray/export", "markdown", "exchange")
    assert view["entries"] == 1
    assert affray("export", "text", fight, "--exchange", "99").returncode == 1


def test_the_last_roll_of_a_game_becomes_a_message(game: str) -> None:
    """Nine against 75 to stay on one's feet."""
    (message,) = json.loads(affray("export", "foundry", game, "--part", "roll").stdout)
    (roll,) = message["rolls"]
    assert json.loads(roll)["total"] == 9
    assert message["speaker"] == {"alias": "Exhuman"}


def test_a_game_comes_from_stdin(game: str) -> None:
    text = Path(game).read_text()
    piped = affray("export", "roll20", "-", stdin=text)
    assert piped.stdout == affray("export", "roll20", game).stdout
    assert piped.stdout.startswith("&{template:default} {{name=Jinx}}")


def test_what_is_no_saved_game_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "setup.json"
    path.write_text('{"attacker": "jinx"}')
    done = affray("export", "text", str(path))
    assert done.returncode == 3
    assert "no saved game" in done.stderr


def test_a_role_sees_no_more_than_its_view(fight: str) -> None:
    mine = affray("export", "text", fight, "--role", "one").stdout
    assert mine == affray("export", "text", fight).stdout, "nothing in this fight is sealed"
    assert affray("export", "text", fight, "--role", "neither").returncode == 2
    assert affray("export", "text", fight, "--part", "roll", "--exchange", "1").returncode == 2
