"""Files and names for another command or another program: recognized, and told what to do."""

import json

import pytest

from tests.cli.running import affray

FIGHT = json.dumps({"one": {"fighters": ["jinx"]}, "other": {"fighters": ["exhuman"]}})
EXCHANGE = json.dumps({"attacker": "jinx", "defender": "exhuman"})
FOUNDRY = {"name": "Jinx", "type": "character", "system": {"aptitudes": {}}, "items": []}
ROLL20 = {"schema_version": 2, "name": "Jinx", "attribs": []}


@pytest.mark.parametrize("command", ["play", "odds", "best"])
def test_a_fight_given_to_a_command_for_exchanges_names_fight_and_battle(command: str) -> None:
    told = affray(command, "eclipse-phase", "w6")
    assert (told.returncode, told.stdout) == (2, "")
    assert "'w6': this is a whole fight, not one exchange (`affray fight eclipse" in told.stderr
    read = affray(command, "eclipse-phase", "-", stdin=FIGHT)
    assert read.returncode == 3
    assert "`affray battle eclipse-phase -` tells who wins" in read.stderr


@pytest.mark.parametrize("command", ["duel", "battle", "fight"])
def test_an_exchange_given_to_a_command_for_fights_names_play_and_odds(command: str) -> None:
    told = affray(command, "eclipse-phase", "jinx-shoots")
    assert (told.returncode, told.stdout) == (2, "")
    assert "this is one exchange, not a fight (`affray play eclipse-phase jinx" in told.stderr
    read = affray(command, "eclipse-phase", "-", stdin=EXCHANGE)
    assert read.returncode == 3
    assert "`affray odds eclipse-phase -` prices it" in read.stderr


@pytest.mark.parametrize("command", ["duel", "battle"])
def test_a_game_on_a_map_given_to_a_command_for_fights_names_fight(command: str) -> None:
    told = affray(command, "grid-battles", "breakout")
    assert told.returncode == 2
    assert "(`affray fight grid-battles breakout`)" in told.stderr


@pytest.mark.parametrize("command", ["play", "battle"])
@pytest.mark.parametrize(
    ("raw", "program"), [(FOUNDRY, "Foundry Virtual Tabletop"), (ROLL20, "Roll20")]
)
def test_a_file_of_another_program_is_named(command: str, raw: object, program: str) -> None:
    told = affray(command, "eclipse-phase", "-", stdin=json.dumps(raw))
    assert told.returncode == 3
    assert f"standard input: this file comes from {program}" in told.stderr


def test_a_file_for_another_system_says_for_which() -> None:
    told = affray("play", "eclipse-phase", "-", stdin='{"system": "emlia"}')
    assert "system: this file is for 'emlia', not 'eclipse-phase'" in told.stderr
    told = affray("play", "eclipse-phase", "-", stdin='{"system": 3}')
    assert "system: 3; allowed: 'eclipse-phase'" in told.stderr


@pytest.mark.parametrize("system", ["affinity", "emlia", "empty-earth", "eclipse-phase"])
def test_known_keys_are_listed_in_order(system: str) -> None:
    told = affray("odds", system, "-", stdin='{"attacker": {"xyzzy": 1}}').stderr
    (line,) = [line for line in told.splitlines() if "xyzzy" in line]
    known = line.partition("Known: ")[2].partition(" and ")[0].split(" (")[0].split(", ")
    assert len(known) > 10
    assert known == sorted(known)


def test_short_lists_of_known_keys_are_whole() -> None:
    told = affray("odds", "grid-battles", "-", stdin='{"attacker": {"xyzzy": 1}}').stderr
    known = told.partition("Known: ")[2].partition("\n")[0].split(" (")[0]
    assert known == (
        "abilities, advantage_over, attack, defence, health, health_max, kinds, move, name, "
        "range_hexes, source"
    )


def test_a_die_too_many_shows_what_was_played_before_it_is_named() -> None:
    whole = affray("play", "eclipse-phase", "jinx-shoots", "--dice", "65")
    told = affray("play", "eclipse-phase", "jinx-shoots", "--dice", "65,90")
    assert "65" in told.stdout
    assert told.stdout == whole.stdout
    assert told.returncode == 1
    assert "answers left over: 90" in told.stderr
    as_json = affray("play", "eclipse-phase", "jinx-shoots", "--dice", "65,90", "--json")
    assert json.loads(as_json.stdout)["log"]
