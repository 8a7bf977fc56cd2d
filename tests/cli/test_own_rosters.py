"""A user's own roster entries: in files, on the command line, inside a table."""

from __future__ import annotations

import io
import json
import os
import re
from fractions import Fraction
from pathlib import Path

import pytest

from affray.app.inputs.fight_changes import FightChanges
from affray.app.inputs.fight_fighters import fighters_of
from affray.app.inputs.fight_setups import load_fight, load_raw_fight
from affray.app.inputs.fight_sheets import fight_schema
from affray.app.inputs.rosters import ROSTER_SCHEMA
from affray.app.inputs.setups import InputError, load, schema
from affray.app.inputs.tables import roster
from affray.app.odds import ask_odds
from affray.app.play import PlayedGame
from affray.app.registry import system_named
from affray.app.sources import Changes, Names
from affray.cli.sources import own_rosters, setup_named, table_from_file, table_from_stdin
from affray.core.telling import AffrayWarning

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
    loaded = load("empty-earth", table_from_file(folder / "setup.toml"))
    assert "roster" not in loaded.raw  # a saved game needs the file no more
    attacker = loaded.raw["attacker"]
    assert isinstance(attacker, dict)
    assert attacker["name"] == "Ada of my table"


def test_a_file_on_the_command_line_wins_over_the_shipped_roster(folder: Path) -> None:
    (folder / "plain.toml").write_text(SETUP.replace('roster = "own.toml"\n', ""))
    changes = Changes(roster=own_rosters([str(folder / "own.toml")]))
    plain = table_from_file(folder / "plain.toml")
    view = ask_odds("empty-earth", plain, ("damage",), changes=changes)
    # One die of two sides against defence 1: a 2 hits for 7.
    assert {row.value: row.exactly for row in view.rows} == {0: Fraction(1, 2), 7: Fraction(1, 2)}


def test_fights_take_own_fighters_and_keep_them(folder: Path) -> None:
    changes = FightChanges(roster=own_rosters([str(folder / "own.toml")]))
    loaded = load_fight("empty-earth", Names("ada", "bulwark"), changes)
    assert loaded.contest.names[0] == ("Ada of my table",)
    assert isinstance(loaded.raw["roster"], dict)
    assert loaded.raw["roster"]["fighters"]["ada"]["vitality"] == 5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[weapon.club]\ndice = '1D6'", "weapon: no section of the roster.* Did you mean"),
        ("weapons = 3", "weapons: 3; allowed: a table for each entry"),
        ("[weapons", "neither TOML nor JSON"),
    ],
)
def test_bad_roster_files_get_one_message(folder: Path, text: str, message: str) -> None:
    (folder / "own.toml").write_text(text)
    with pytest.raises(InputError, match=message):
        load("empty-earth", table_from_file(folder / "setup.toml"))


def test_a_missing_roster_file_is_named(folder: Path) -> None:
    (folder / "own.toml").unlink()
    with pytest.raises(InputError, match=r"own\.toml: can't be read"):
        load("empty-earth", table_from_file(folder / "setup.toml"))


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
    attacker = load("empty-earth", table_from_file(folder / "inline.toml")).raw["attacker"]
    assert isinstance(attacker, dict)
    assert attacker["name"] == "Ada of my table"


# -- which files may be named --------------------------------------------------------------------

FOREIGN = "hidden_key = 1\n"


@pytest.mark.parametrize(
    "name",
    [
        "../own.toml", "/etc/passwd", "{folder}/own.toml", "below/../../own.toml", "link.toml",
        "linked/own.toml", "C:/own.toml", "//host/own.toml", "loop.toml",
    ],
)  # fmt: skip
def test_a_setup_names_no_file_that_lies_elsewhere(tmp_path: Path, name: str) -> None:
    inner = tmp_path / "inner"
    (inner / "below").mkdir(parents=True)
    (tmp_path / "own.toml").write_text(FOREIGN)
    (inner / "link.toml").symlink_to(tmp_path / "own.toml")
    (inner / "linked").symlink_to(tmp_path)
    (inner / "loop.toml").symlink_to(inner / "loop.toml")
    text = SETUP.replace("own.toml", name.format(folder=tmp_path))
    (inner / "setup.toml").write_text(text)
    with pytest.raises(InputError) as refused:
        load("empty-earth", table_from_file(inner / "setup.toml"))
    told = str(refused.value)
    assert told.startswith(f"{inner}/setup.toml: roster: ")
    assert told.endswith(
        ("beside the setup or below it; give others with --roster", "can't be read")
    )
    assert "hidden_key" not in told


def test_files_below_and_links_within_are_read(folder: Path) -> None:
    (folder / "below").mkdir()
    (folder / "own.toml").rename(folder / "below" / "real.toml")
    (folder / "own.toml").symlink_to(folder / "below" / "real.toml")
    attacker = load("empty-earth", table_from_file(folder / "setup.toml")).raw["attacker"]
    assert isinstance(attacker, dict)
    assert attacker["name"] == "Ada of my table"


def test_tables_and_standard_input_name_no_files(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    needed = "roster: 'own.toml': only a setup in a file can name files"
    with pytest.raises(InputError, match=f"table: {needed}"):
        load("empty-earth", {"roster": "own.toml", "attacker": "ada", "defender": "husk"})
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(SETUP.encode())))
    with pytest.raises(InputError, match=f"standard input: {needed}"):
        load("empty-earth", table_from_stdin())
    saved = {
        "schema": "affray/saved-game", "version": 1, "system": "empty-earth", "system_version": 1,
        "setup": {"roster": ["own.toml"], "attacker": "ada", "defender": "husk"}, "answers": [],
    }  # fmt: skip
    (folder / "game.json").write_text(json.dumps(saved))
    with pytest.raises(InputError, match=r"game.json: roster.0: 'own.toml': only a setup"):
        PlayedGame.begin("empty-earth", table_from_file(folder / "game.json"))
    with pytest.raises(InputError, match=f"a fight: {needed}"):
        load_raw_fight(system_named("empty-earth"), {"roster": "own.toml"}, "a fight")


def test_a_fight_in_a_file_names_files_beside_it(folder: Path) -> None:
    (folder / "fight.toml").write_text(
        'roster = "own.toml"\none.fighters = ["ada"]\nother.fighters = ["husk"]\n'
    )
    loaded = load_fight("empty-earth", table_from_file(folder / "fight.toml"))
    assert loaded.contest.names[0] == ("Ada of my table",)


def test_a_table_of_python_is_a_setup() -> None:
    loaded = load("empty-earth", {"attacker": "ada", "defender": {"phys_def": 1, "vitality": 9}})
    assert loaded.origin == "table"
    with pytest.raises(InputError, match=r"table: defender.vitality: nan; allowed: finite numbers"):
        load("empty-earth", {"attacker": "ada", "defender": {"vitality": float("nan")}})


@pytest.mark.parametrize("kind", ["fifo", "device", "folder", "NUL", "long", "surrogate"])
def test_only_regular_files_are_read(tmp_path: Path, kind: str) -> None:
    path = str(tmp_path / f"{kind}.toml")
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        Path(path).mkdir()
    path = {"device": "/dev/zero", "NUL": "a\0b.toml", "long": "x" * 300 + ".toml",
            "surrogate": "\ud800.toml"}.get(kind, path)  # fmt: skip
    for read in (lambda: own_rosters([path]), lambda: setup_named("empty-earth", path)):
        with pytest.raises(InputError, match="can't be read: ") as refused:
            read()
        assert len(str(refused.value)) < 400


# -- whose fault it is ---------------------------------------------------------------------------


def _refused(folder: Path, own: str, setup: str = SETUP) -> str:
    (folder / "own.toml").write_text(own)
    (folder / "setup.toml").write_text(setup)
    with pytest.raises(InputError) as refused:
        load("empty-earth", table_from_file(folder / "setup.toml"))
    return str(refused.value).replace(f"{folder}/", "")


def test_a_fault_in_an_own_entry_names_its_file_and_key(folder: Path) -> None:
    told = _refused(folder, OWN.replace("damage = 7", "damage = 'seven'"))
    assert told == "own.toml: weapons.tuning_fork.damage: 'seven'; allowed: a whole number"


def test_a_fault_in_an_own_fighter_of_a_fight_names_its_file_and_key(folder: Path) -> None:
    (folder / "own.toml").write_text(OWN.replace("damage = 7", "damage = -7"))
    changes = FightChanges(roster=own_rosters([str(folder / "own.toml")]))
    with pytest.raises(InputError, match=r"own.toml: weapons.tuning_fork.damage: -7; allowed: 0 o"):
        load_fight("empty-earth", Names("ada", "bulwark"), changes)
    (folder / "fight.toml").write_text(
        'one.fighters = ["husk", {like = "ada", vitality = 0}]\nother.fighters = ["husk"]\n'
    )
    (folder / "own.toml").write_text(OWN)
    changes = FightChanges(roster=own_rosters([str(folder / "own.toml")]))
    with pytest.raises(InputError, match=r"fight.toml: one.fighters.1: Fighter 'Ada of my"):
        load_fight("empty-earth", table_from_file(folder / "fight.toml"), changes)


def test_faults_of_several_files_are_told_apart(folder: Path) -> None:
    own = OWN.replace("damage = 7", "damge = 7").replace("phys_def = 3", "phys_def = true")
    told = _refused(folder, own, SETUP.replace("phys_def = 1", "phys_def = 1.5"))
    assert told.split("\n") == [
        "own.toml: weapons.tuning_fork.damge: unknown key. Did you mean 'damage'?",
        "  fighters.ada.phys_def: True; allowed: a whole number",
        "setup.toml: defender.phys_def: 1.5; allowed: a whole number",
    ]


def test_what_replaces_a_key_is_the_setups_own_fault(folder: Path) -> None:
    setup = SETUP.replace('attacker = "ada"', 'attacker = { like = "ada", vitality = "five" }')
    told = _refused(folder, OWN, setup)
    assert told == "setup.toml: attacker.vitality: 'five'; allowed: a whole number"


def test_a_name_that_an_own_entry_lacks_is_told_there(folder: Path) -> None:
    told = _refused(folder, OWN.replace('["tuning_fork"]', '["tuning_fork", "tuning_frok"]'))
    assert told.startswith(
        "own.toml: fighters.ada.attacks.1: the roster of empty-earth has no 'tuning_frok' "
        "among its weapons. Did you mean 'tuning_fork'?"
    )


def test_the_key_of_an_own_entry_is_its_name(folder: Path) -> None:
    (folder / "own.toml").write_text(
        OWN.replace('name = "Tuning Fork"\n', "").replace('name = "Ada of my table"\n', "")
    )
    attacker = load("empty-earth", table_from_file(folder / "setup.toml")).raw["attacker"]
    assert isinstance(attacker, dict)
    assert attacker["name"] == "ada"
    assert attacker["attacks"][0]["name"] == "tuning_fork"


def test_an_own_entry_may_be_like_another_or_like_the_one_it_replaces(folder: Path) -> None:
    (folder / "own.toml").write_text(
        '[fighters.eve]\nlike = "husk"\nvitality_max = 7\n'
        '[fighters.husk]\nlike = "husk"\nphys_def = 1\n'
    )
    (folder / "setup.toml").write_text(SETUP.replace('attacker = "ada"', 'attacker = "eve"'))
    eve = load("empty-earth", table_from_file(folder / "setup.toml")).raw["attacker"]
    shipped_husk = roster(system_named("empty-earth"))["fighters"]["husk"]
    assert isinstance(eve, dict)
    assert (eve["vitality_max"], eve["phys_def"]) == (7, 1)
    assert eve["ess_def"] == shipped_husk["ess_def"]


@pytest.mark.parametrize(
    "own",
    [
        '[fighters.ada]\nlike = "eve"\n[fighters.eve]\nlike = "ada"\n',
        '[fighters.ada]\nattacks = ["loop"]\n[weapons.loop]\nattacks = ["loop"]\n',
    ],
)
def test_entries_made_of_themselves_are_refused(folder: Path, own: str) -> None:
    assert "is made of itself" in _refused(folder, own)


def test_entries_that_multiply_are_refused(folder: Path) -> None:
    """Each holds the next one a hundred times."""
    lines = ['[fighters.ada]\nattacks = ["w0"]']
    lines += ["[weapons.w{}]\nattacks = [{}]".format(n, f'"w{n + 1}",' * 100) for n in range(8)]
    lines += ["[weapons.w8]\ndamage = 1"]
    assert "come to too much; allowed: 100,000 values" in _refused(folder, "\n".join(lines))


def test_entries_that_nobody_names_are_told(folder: Path) -> None:
    (folder / "own.toml").write_text(OWN + "[weapons.tuning_frok]\ndamage = 1\n")
    with pytest.warns(AffrayWarning) as told:
        load("empty-earth", table_from_file(folder / "setup.toml"))
    assert [str(row.message).replace(f"{folder}/", "") for row in told] == [
        "roster entries that nothing here names: own.toml: weapons.tuning_frok"
    ]


def test_unknown_keys_get_all_names_in_order_and_advice(folder: Path) -> None:
    told = _refused(folder, OWN, SETUP + "zzzz = 1\n")
    assert re.fullmatch(r"setup.toml: zzzz: unknown key. Known: act, attacker, (\w+, )+\w+", told)
    with pytest.raises(InputError) as refused:
        load("empty-earth", table_from_file(folder / "setup.toml"))
    assert refused.value.advice == "list-keys"


def test_many_faults_are_cut(folder: Path) -> None:
    told = _refused(folder, OWN, SETUP + "\n".join(f"zzzz{n} = 1" for n in range(500)))
    assert told.endswith("\n  and 494 more faults")
    assert len(told.split("\n")) == 7


def test_own_fighters_take_part_in_all_pairs(folder: Path) -> None:
    own = (
        OWN
        + '\n[fighters.zed]\nside = "pc"\nvitality = 3\nphys_def = 3\nattacks = ["tuning_fork"]\n'
    )
    (folder / "own.toml").write_text(own)
    system = system_named("empty-earth")
    armed, _ = fighters_of(system, own_rosters([str(folder / "own.toml")]))
    assert "zed" in armed
    assert "zed" not in fighters_of(system)[0]
