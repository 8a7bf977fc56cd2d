"""Range and Line of Sight."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import product

import pytest

from affray.app.inputs.setups import roster
from affray.core.errors import AnswerError, SetupError
from affray.core.node import Choice
from affray.core.ruling import Rulings
from affray.systems.grid_battles.map.attacks import sees
from affray.systems.grid_battles.map.hexes import Hex
from affray.systems.grid_battles.sheet import PLAIN, Ground, Scenario, Terrain
from affray.systems.grid_battles.state import War
from tests.systems.grid_battles.factory import (
    BOW,
    HILL,
    SYSTEM,
    UNIT,
    WOODS,
    WORKED,
    asked,
    closed,
    game,
    offered,
    placed,
    scenario,
    setup,
    unit,
)

NOBODY: frozenset[Hex] = frozenset()


def war(**rulings: str) -> War:
    """A map of 5 x 5 with nothing on it."""
    made = Scenario(columns=5, rows=5, one=placed((UNIT, "0000")), other=placed((UNIT, "0404")))
    return War(made, WORKED, Rulings.pick(SYSTEM.rulings, rulings))


def clear(target: tuple[int, int], *units: tuple[int, int], **rulings: str) -> bool:
    """Whether somebody on (0, 0) sees the target past units on these hexes."""
    there = frozenset(Hex(*hex_) for hex_ in units)
    found = sees(war(**rulings), Hex(0, 0), Hex(*target), there)
    assert sees(war(**rulings), Hex(*target), Hex(0, 0), there) is found
    return found


def shot(at: str, where: str, hexes: Mapping[str, Terrain], *others: str) -> str:
    """ "clear", or why an Archer on one hex can't shoot at a unit on another."""
    made = scenario(
        [(BOW, at), *((unit(name="friend"), label) for label in others)], [(UNIT, where)], hexes
    )
    session = asked(game(made), *(["bow"] if others else []), "stay")
    places = [*(entry.at for entry in session.steps_taken), session.here]
    step, facts = next(at for at in places if at.step.name == "choose_attack")
    node = step.rule(facts)
    assert isinstance(node, Choice)
    assert ("bow-on-rider" in dict(node.closed)) != any(
        option.name == "bow-on-rider" for option in node.options
    )
    return dict(node.closed).get("bow-on-rider", "clear")


# -- range -----------------------------------------------------------------------------------


@pytest.mark.parametrize("away", [1, 2, 3, 4])
def test_gb60_range_reaches_as_many_hexes_and_nearer(away: int) -> None:
    assert game(setup(BOW, distance_hexes=away)).start.step.name == "roll_attack"


def test_gb60_farther_is_out_of_range() -> None:
    with pytest.raises(SetupError, match=r"its range is 4; the target is 5 away \(GB-60\)"):
        game(setup(BOW, distance_hexes=5))


# -- Line of Sight ---------------------------------------------------------------------------


def test_gb61_s5_nothing_between() -> None:
    assert shot("0000", "0300", {}) == "clear"


def test_gb63_s7_woods_between() -> None:
    assert "no Line of Sight (GB-67)" in shot("0000", "0300", {"0100": WOODS})


def test_gb64_s6_the_hill_under_the_target_does_not_count() -> None:
    assert shot("0000", "0300", {"0300": HILL}) == "clear"


def test_gb64_nor_does_the_shooters_own() -> None:
    assert shot("0000", "0300", {"0000": HILL}) == "clear"


def test_gb65_s8_a_feature_fills_its_hex() -> None:
    assert "GB-67" in shot("0200", "0303", {"0201": WOODS, "0302": HILL})


def test_gb66_s9_along_an_edge_one_free_side_is_enough() -> None:
    assert shot("0000", "0101", {"0001": WOODS}) == "clear"
    assert "GB-67" in shot("0000", "0101", {"0001": WOODS, "0100": HILL})


@pytest.mark.parametrize("label", ["0100", "0200"])
def test_gb62_other_units_are_in_the_way(label: str) -> None:
    assert "GB-67" in shot("0000", "0300", {}, label)


@pytest.mark.parametrize(("kind", "seen"), [(HILL, False), (WOODS, False), (PLAIN, True)])
def test_gb63_hill_and_woods_block_and_plain_does_not(kind: Terrain, seen: bool) -> None:
    assert (shot("0000", "0300", {"0200": kind}) == "clear") is seen


def test_gb63_the_rosters_hill_and_woods_block() -> None:
    blocking = {name for name, row in roster(SYSTEM)["terrain"].items() if row.get("blocks")}
    assert {"hill", "woods"} <= blocking
    assert "plain" not in blocking


def test_gb67_without_line_of_sight_no_attack() -> None:
    with pytest.raises(SetupError, match=r"no Line of Sight \(GB-67\)"):
        game(setup(BOW, distance_hexes=3, line_of_sight="blocked"))
    made = game(scenario([(BOW, "0000")], [(UNIT, "0300")], {"0100": WOODS}))
    with pytest.raises(AnswerError, match=r"choose_attack.*no Line of Sight \(GB-67\)"):
        asked(made.settle({"choose_attack": ("bow-on-rider",)}), "stay")


def test_gb67_an_adjacent_enemy_is_always_seen() -> None:
    made = setup(BOW, distance_hexes=1, line_of_sight="blocked")
    assert game(made).start.step.name == "roll_attack"


def test_gb62_in_melee_nothing_is_in_the_way() -> None:
    made = game(scenario([(UNIT, "0000")], [(UNIT, "0100")], {"0100": WOODS, "0000": HILL}))
    assert offered(asked(made, "stay")) == ["end", "rider-on-rider"]
    assert closed(asked(made, "stay")) == {}


# -- the list of worked-out lines: all hexes that matter, taken in every combination ----------

LINES: dict[tuple[int, int], tuple[list[tuple[int, int]], list[list[tuple[int, int]]]]] = {
    (1, 0): ([], []),
    (3, 0): ([(1, 0), (2, 0)], []),
    (2, 1): ([(1, 0), (1, 1)], []),
    (3, 1): ([(1, 0), (1, 1), (2, 0), (2, 1)], []),
    (1, 1): ([], [[(0, 1)], [(1, 0)]]),
    (2, -1): ([], [[(1, 0)], [(1, -1)]]),
    (4, 1): ([(1, 0), (2, 0), (2, 1), (3, 1)], [[(1, 1)], [(3, 0)]]),
    (2, 2): ([(1, 1)], [[(0, 1), (1, 2)], [(1, 0), (2, 1)]]),
    (4, -2): ([(2, -1)], [[(1, 0), (3, -1)], [(1, -1), (3, -2)]]),
}
"""Target: hexes that are always crossed, and those on either side."""


@pytest.mark.parametrize("target", LINES)
def test_gb66_lines_by_hand(target: tuple[int, int]) -> None:
    crossed, sides = LINES[target]
    matter = crossed + [hex_ for side in sides for hex_ in side]
    for marks in product((False, True), repeat=len(matter)):
        units = [hex_ for hex_, there in zip(matter, marks, strict=True) if there]
        free = not set(units) & set(crossed)
        if sides:
            free = free and any(not set(units) & set(side) for side in sides)
        if target == (4, 1):  # two corners, one on each side: places of their own
            assert clear(target, *units, edges="place") is (not set(units) & set(crossed))
            assert clear(target, *units) is free
            continue
        assert clear(target, *units) is free, units


def test_gb66_terrain_blocks_as_units_do() -> None:
    made = replace(war().scenario, hexes=(Ground(hex="0100", terrain=WOODS),))
    wooded = War(made, WORKED, Rulings())
    assert not sees(wooded, Hex(0, 0), Hex(3, 0), NOBODY)
    assert sees(wooded, Hex(0, 0), Hex(1, 1), NOBODY)  # woods at (1, 0) only
    assert not sees(wooded, Hex(0, 0), Hex(1, 1), frozenset({Hex(0, 1)}))
