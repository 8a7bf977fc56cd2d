"""`affray import`: shown, written, and listed what could not be taken."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from tests.cli.running import affray
from tests.systems.eclipse_phase.imports.test_foundry_ep2e import actor, item


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    whip = item("Neon Whip", "meleeWeapon", primaryAttack={"damageFormula": "1d10"})
    made = actor(item("Medium Pistol", "firearm"), whip, item("Coin", "physicalTech"))
    Path("tarn.json").write_text(json.dumps(made))


def test_what_is_brought_in_fights() -> None:
    done = affray("import", "foundry", "tarn.json")
    assert done.returncode == 0, done.stderr
    assert "not taken from the file (Foundry, system ep2e):" in done.stdout
    assert "physical tech: Coin; no rule here reads it" in done.stdout
    table = tomllib.loads(Path("tarn.toml").read_text())
    assert table["fighters"]["tarn"]["weapons"] == ["medium_pistol", "neon_whip"]
    fought = affray("battle", "eclipse-phase", "tarn", "jinx", "--roster", "tarn.toml", "-n", "5")
    assert fought.returncode == 0, fought.stderr


def test_a_second_one_of_the_same_name_is_refused() -> None:
    affray("import", "foundry", "tarn.json", "mine.toml")
    before = Path("mine.toml").read_text()
    done = affray("import", "foundry", "tarn.json", "mine.toml")
    assert done.returncode == 1
    assert "fighters.tarn stands there already" in done.stderr
    assert Path("mine.toml").read_text() == before


def test_what_two_share_stands_once() -> None:
    affray("import", "foundry", "tarn.json", "mine.toml")
    made = json.loads(Path("tarn.json").read_text()) | {"name": "Oru"}
    Path("oru.json").write_text(json.dumps(made))
    assert affray("import", "foundry", "oru.json", "mine.toml").returncode == 0
    table = tomllib.loads(Path("mine.toml").read_text())
    assert (list(table["fighters"]), list(table["weapons"])) == (["tarn", "oru"], ["neon_whip"])


def test_a_file_of_somebody_else_stays() -> None:
    Path("theirs.toml").write_text("[fighters.a]\n")
    assert affray("import", "foundry", "tarn.json", "theirs.toml").returncode == 3
    assert Path("theirs.toml").read_text() == "[fighters.a]\n"


def test_json_has_all_entries_and_what_is_left_out() -> None:
    done = affray("import", "foundry", "tarn.json", "--json")
    made = json.loads(done.stdout)
    assert (made["schema"], made["file"]) == ("affray/import", "tarn.toml")
    assert list(made["entries"]) == ["weapons", "fighters"]
    assert made["left_out"]


def test_standard_input_does_as_well() -> None:
    done = affray("import", "foundry", "-", "-", stdin=Path("tarn.json").read_text())
    assert "[fighters.tarn]" in done.stdout
    assert affray("import", "foundry", "-", "-", stdin="{}").returncode == 3
