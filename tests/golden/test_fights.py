"""What people see of whole fights stays what it was."""

from __future__ import annotations

import re

import pytest

from tests.cli.running import affray
from tests.golden.fights import FIGHTS, FOLDER, file_of, shown
from tests.golden.test_playthroughs import WANTED
from tests.scenarios import SHIPPED


def test_one_file_is_kept_for_each_script() -> None:
    assert set(FOLDER.iterdir()) == {file_of(*row) for row in FIGHTS}, WANTED


@pytest.mark.parametrize(("system", "name"), FIGHTS, ids=map(":".join, FIGHTS))
def test_a_fight_is_unchanged(system: str, name: str) -> None:
    told = shown(system, name)
    assert told.splitlines() == file_of(system, name).read_text("utf-8").splitlines(), WANTED
    assert "It is over after round " in told, "a script plays the fight to its end"
    assert "stopped here" not in told
    assert max(map(len, told.splitlines())) <= 80


@pytest.mark.parametrize("system", SHIPPED)
def test_every_system_has_a_fight_of_five_rounds(system: str) -> None:
    texts = [file_of(*row).read_text("utf-8") for row in FIGHTS if row[0] == system]
    assert any(re.search(r"\n== Round 5\b", text) for text in texts)


@pytest.mark.parametrize(("system", "name"), FIGHTS, ids=map(":".join, FIGHTS))
def test_a_script_fits_a_narrow_terminal(system: str, name: str) -> None:
    """Pictures and prompts apart, no line is wider than 40 columns; no line is lost."""
    done = affray("fight", system, name, "--script", env={"COLUMNS": "40"})
    for line in done.stdout.splitlines():
        assert len(line) <= 40 or re.match(r"(option|die \d+ of \d+ \(.*\))> ", line), line
    rounds = [re.findall(r"over after round (\d+)", text) for text in
              (done.stdout, file_of(system, name).read_text("utf-8"))]  # fmt: skip
    assert rounds[0] == rounds[1] != []
