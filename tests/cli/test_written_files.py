"""Options that write a file: what somebody else has put there stays, word for word."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest

from affray.cli.main import COMMANDS, app
from affray.cli.options import OutFile
from tests.cli.running import affray

JINX = ["eclipse-phase", "jinx-shoots", "--dice", "96,7,7,5,5,1,3,9", "--choose", "flip"]
PLAY = ["play", *JINX]
CAVALRY = ["grid-battles", "light-cavalry"]
COMPUTERS = ["--by", "one=computer:first", "--by", "other=computer:first", "--seed", "1"]
FIGHT = ["fight", "empty-earth", "bo-husk", *COMPUTERS]
FEW = ["-n", "10", "--seed", "1"]
WRITERS: dict[tuple[str, str], list[str]] = {
    ("play", "--save"): PLAY,
    ("play", "--next"): PLAY,
    ("picture", "--svg"): ["picture", "grid-battles", "ford"],
    ("fight", "--save"): FIGHT,
    ("fight", "--next"): FIGHT,
    ("duel", "--csv"): ["duel", *CAVALRY],
    ("battle", "--save"): ["battle", *CAVALRY, *FEW],
    ("battle", "--csv"): ["battle", *CAVALRY, *FEW],
    ("battle", "--svg"): ["battle", "grid-battles", "--all-pairs", *FEW],
    ("report", "--svg"): ["report", "grid-battles", "FIGHT"],
}
"""Every option that writes a file, with a command line that does."""
STRANGE = {
    "notes.txt": "Buy milk.\n",
    "other.json": json.dumps({"schema": "somebody/else", "version": 1}),
    "fight.toml": '# My own fight, with remarks.\nsystem = "empty-earth"\none = {}\n',
    "list.json": "[1, 2]",
    "mine.svg": "<svg></svg>",
    "mine.csv": "name,score\nAda,3\n",
    "bytes.bin": "\udcff\udcfe",
}


@pytest.fixture(scope="module")
def a_fight(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("saved") / "fight.json"
    saved = affray("fight", *CAVALRY, *COMPUTERS, "--rounds", "1", "--save", str(path))
    assert saved.returncode == 0, saved.stderr
    return str(path)


def line(words: list[str], a_fight: str) -> list[str]:
    return [a_fight if word == "FIGHT" else word for word in words]


def test_every_option_that_writes_is_tried_here() -> None:
    found = {name: app.get_command(click.Context(app), name) for name in COMMANDS}
    commands = {name: command for name, command in found.items() if command is not None}
    assert commands.keys() == COMMANDS.keys()
    writing = {
        (name, next(opt for opt in option.opts if opt.startswith("--")))
        for name, command in commands.items()
        for option in command.params
        if isinstance(option.type, OutFile)
    }
    assert writing == set(WRITERS)
    plain = [
        option.opts
        for command in commands.values()
        for option in command.params
        if isinstance(option, click.Option)
        and type(option.type) in {click.Path, click.File}
        and option.opts != ["--data"]  # a folder
    ]
    assert plain == [], "such an option would write whatever lies there"


@pytest.mark.parametrize("name", STRANGE)
@pytest.mark.parametrize("option", [("fight", "--save"), ("play", "--next"), ("duel", "--csv")])
def test_a_file_of_somebody_else_stays(option: tuple[str, str], name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(STRANGE[name].encode("utf-8", "surrogateescape"))
    before = path.read_bytes()
    done = affray(*WRITERS[option], option[1], str(path))
    assert done.returncode == 3
    assert done.stdout == "", "nothing is played or worked out first"
    assert f"{path}: that is not " in done.stderr
    assert done.stderr.rstrip().endswith("it stays. Name another file")
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("option", WRITERS)
def test_what_an_option_wrote_it_writes_again(
    option: tuple[str, str], a_fight: str, tmp_path: Path
) -> None:
    words = line(WRITERS[option], a_fight)
    for name in ("first.json", "second.toml"):
        path = tmp_path / name
        path.write_text("\n")  # nothing is lost where there is nothing
        for _ in range(2):
            done = affray(*words, option[1], str(path))
            assert done.returncode == 0, done.stderr
            assert path.stat().st_size > 9
        path.write_text("My notes.\n")
        assert affray(*words, option[1], str(path)).returncode == 3
        assert path.read_text() == "My notes.\n"
        if name.endswith("json") and option[1] != "--next":
            break


def test_next_replaces_no_file_in_which_somebody_has_written(tmp_path: Path) -> None:
    path = tmp_path / "next.toml"
    assert affray(*PLAY, "--next", str(path)).returncode == 0
    path.write_text(f"# after the bar\n{path.read_text()}")
    assert affray(*PLAY, "--next", str(path)).returncode == 3
    assert path.read_text().startswith("# after the bar\n")
