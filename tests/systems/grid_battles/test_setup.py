"""Setups that are refused: what was given, where, and what is allowed."""

from typing import Any

import pytest

from affray.app.inputs.setups import InputError, load_raw
from affray.core.errors import SetupError

from .factory import SYSTEM, game, scenario, setup, unit

CAV = "light_cav"


def load(**raw: Any) -> Any:
    return load_raw(SYSTEM, raw, "given").game


def small(**changes: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "columns": 3, "rows": 2,
        "one": [{"unit": CAV, "hex": "0000"}], "other": [{"unit": CAV, "hex": "0201"}],
    }  # fmt: skip
    return made | changes


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({}, "attacker, defender missing; needed: an attacker and a defender, or a scenario"),
        ({"attacker": CAV}, "defender missing"),
        ({"defender": CAV}, "attacker missing"),
        ({"attacker": CAV, "defender": CAV, "scenario": small()}, "allowed: one of them"),
        ({"followers": [CAV], "scenario": small()}, "allowed: one of them"),
        ({"attacker": {"like": CAV, "attack": []}, "defender": CAV}, "no attack dice"),
        ({"attacker": {"like": CAV, "attack": ["green"]}, "defender": CAV}, "'green'; allowed"),
        ({"attacker": {"like": CAV, "defence": ["red"]}, "defender": CAV}, "'red'; allowed"),
        ({"attacker": CAV, "defender": CAV, "dice": {"like": "assumed", "red": ["d"] * 5}},
         "red die has 5 faces"),
        ({"attacker": CAV, "defender": CAV, "dice": {"like": "assumed", "blue": ["s"] * 6}},
         "blue die has the face 's'"),
        ({"attacker": CAV, "defender": CAV, "dice": "loaded"}, "no 'loaded' among its dice"),
        ({"attacker": CAV, "defender": CAV, "distance_hexes": 0}, "1 or more"),
        ({"attacker": {"like": CAV, "health": 9, "health_max": 3}, "defender": CAV},
         "at most health_max 3"),
        ({"scenario": small(one=[{"unit": CAV, "hex": "0300"}])}, "off the map; it ends at 0201"),
        ({"scenario": small(one=[{"unit": CAV, "hex": "a1"}])}, "allowed: four digits"),
        ({"scenario": small(other=[{"unit": CAV, "hex": "0000"}])}, "two units on hex 0000"),
        ({"scenario": small(hexes=[{"hex": "0002", "terrain": "hill"}])}, "off the map"),
        ({"scenario": small(hexes=[{"hex": "0001", "terrain": "hill"}] * 2)},
         "two terrain on hex 0001"),
        ({"scenario": small(destroy=2)}, "destroy 2, and side other has 1 units"),
        ({"scenario": small(hexes=[{"hex": "0001", "terrain": "lava"}])}, "no 'lava'"),
        ({"scenario": small(rounds=0)}, "rounds: 0; allowed: 1 or more"),
        ({"scenario": small(rounds=1001)}, "rounds: 1001; allowed: 1000 or less"),
        ({"scenario": small(one=[{"unit": CAV, "hex": "000"}])}, "'000': allowed: four digits"),
        ({"scenario": small(one=[{"unit": CAV, "hex": "00001"}])}, "'00001': allowed: four digits"),
        ({"scenario": small(one=[{"unit": CAV, "hex": f"{n % 10:02}{n // 10:02}"}
                                 for n in range(51)], other=[{"unit": CAV, "hex": "0909"}],
                            columns=10, rows=10)},
         "side one has 51 units; allowed: at most 50"),
        ({"attacker": {"like": CAV, "kinds": ["horse"] * 21}, "defender": CAV}, "names in kinds"),
        ({"attacker": {"like": CAV, "advantage_over": ["horse"] * 21}, "defender": CAV},
         "21 names in advantage_over; allowed: at most 20"),
        ({"attacker": CAV, "defender": CAV, "followers": [CAV] * 21}, "21 followers; allowed"),
        ({"attacker": CAV, "defender": CAV,
          "attacker_terrain": {"bonuses": [{"kind": "damage"}] * 6}}, "6 bonuses; allowed"),
        ({"attacker": CAV, "defender": CAV, "dice": {"like": "assumed", "red": ["d" * 11] * 6}},
         "the red die has a face with 11 symbols; allowed: at most 10"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(raw: dict[str, Any], words: str) -> None:
    with pytest.raises((InputError, SetupError)) as refused:
        load(**raw)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"distance_hexes": 2}, r"melee reaches adjacent hexes; this one is 2 away \(GB-46\)"),
        ({"attacker": unit(range_hexes=3), "distance_hexes": 4}, r"its range is 3.*\(GB-60\)"),
        ({"attacker": unit(range_hexes=3), "distance_hexes": 2, "line_of_sight": "blocked"},
         r"no Line of Sight \(GB-67\)"),
        ({"defender": unit(health=0)}, r"Rider has no health left.*\(GB-16\)"),
    ],
)  # fmt: skip
def test_gb46_attacks_that_the_rules_refuse(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(SetupError, match=words):
        game(setup(**changes))


def test_gb16_a_unit_that_is_not_there_any_more_has_no_place_on_the_map() -> None:
    made = scenario([(unit(health=0), "0000")], [(unit(), "0100")])
    with pytest.raises(SetupError, match="scenario: one: Rider has no health left"):
        game(made)


def test_gb51_two_units_on_a_hex_and_gb65_two_terrains() -> None:
    with pytest.raises(SetupError, match=r"two units on hex 0000; allowed: one \(GB-51\)"):
        scenario([(unit(), "0000")], [(unit(), "0000")])


def test_gb18_dice_are_those_of_their_kind() -> None:
    with pytest.raises(SetupError, match="'brown' is no attack die; allowed: yellow, blue, red"):
        unit(attack=("brown",))
    with pytest.raises(SetupError, match="'yellow' is no defense die"):
        unit(defence=("yellow",))
    with pytest.raises(SetupError, match="at most 20"):
        unit(attack=("yellow",) * 21)
