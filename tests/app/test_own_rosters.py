"""A user's own roster entries: in files, on the command line, inside a table."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from affray.app.fight_setups import FightWanted, load_fight
from affray.app.fight_sheets import fight_schema
from affray.app.registry import system_named
from affray.app.rosters import ROSTER_SCHEMA
from affray.app.setups import InputError, load, schema
from affray.app.use_cases import Wanted, ask_odds

OWN = """
[weapons.tuning_fork]
name = "Tuning Fork"
dice = "1D2"
damage = 7

[fighters.ada]
name = "Ada of my table"
side = "pc"
vitality = 5
phys_def = 3
attacks = ["tuning_fork"]
"""
SETUP = """
roster = "own.toml"
attacker = "ada"
defender = { phys_def = 1, vitality = 9 }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "own.toml").write_text(OWN)
    (tmp_path / "setup.toml").write_text(SETUP)
    return tmp_path


def test_entries_of_a_file_are_named_like_any_other(folder: Path) -> None:
    loaded = load("empty-earth", str(folder / "setup.toml"))
    assert "roster" not in loaded.raw  # a saved game needs the file no more
    attacker = loaded.raw["attacker"]
    assert isinstance(attacker, dict)
    assert attacker["name"] == "Ada of my table"


def test_a_file_on_the_command_line_wins_over_the_shipped_roster(folder: Path) -> None:
    (folder / "plain.toml").write_text(SETUP.replace('roster = "own.toml"\n', ""))
    wanted = Wanted(roster=(str(folder / "own.toml"),))
    view = ask_odds("empty-earth", str(folder / "plain.toml"), ("damage",), wanted=wanted)
    # One die of two sides against defence 1: a 2 hits for 7.
    assert {row.value: row.exactly for row in view.rows} == {0: Fraction(1, 2), 7: Fraction(1, 2)}


def test_fights_take_own_fighters_and_keep_them(folder: Path) -> None:
    wanted = FightWanted(roster=(str(folder / "own.toml"),))
    loaded = load_fight("empty-earth", "ada", "bulwark", wanted)
    assert loaded.contest.names[0] == ("Ada of my table",)
    assert isinstance(loaded.raw["roster"], dict)
    assert loaded.raw["roster"]["fighters"]["ada"]["vitality"] == 5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[weapon.club]\ndice = '1D6'", "weapon: no section of the roster.* Did you mean"),
        ("weapons = 3", "weapons: needed is a table for each entry"),
        ("[weapons", "neither TOML nor JSON"),
    ],
)
def test_bad_roster_files_get_one_message(folder: Path, text: str, message: str) -> None:
    (folder / "own.toml").write_text(text)
    with pytest.raises(InputError, match=message):
        load("empty-earth", str(folder / "setup.toml"))


def test_a_missing_roster_file_is_named(folder: Path) -> None:
    (folder / "own.toml").unlink()
    with pytest.raises(InputError, match=r"own\.toml: can't be read"):
        load("empty-earth", str(folder / "setup.toml"))


def test_schemas_name_the_key() -> None:
    """As editors need it: everywhere else unknown keys are refused."""
    system = system_named("empty-earth")
    for made in (schema(system), fight_schema(system)):
        properties = made["properties"]
        assert isinstance(properties, dict)
        assert properties["roster"] == ROSTER_SCHEMA
        assert made["additionalProperties"] is False


def test_entries_may_stand_in_the_table_itself(folder: Path) -> None:
    """So battle logs keep them."""
    text = SETUP.replace('roster = "own.toml"', "")
    inline = "\n".join(
        row.replace("[weapons.", "[roster.weapons.").replace("[fighters.", "[roster.fighters.")
        for row in OWN.splitlines()
    )
    (folder / "inline.toml").write_text(text + inline)
    attacker = load("empty-earth", str(folder / "inline.toml")).raw["attacker"]
    assert isinstance(attacker, dict)
    assert attacker["name"] == "Ada of my table"
