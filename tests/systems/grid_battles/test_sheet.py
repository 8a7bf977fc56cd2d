"""Sheets at the edge of what is allowed, and what guards the facts of a combat or a game."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any, cast

import pytest

from affray.core.errors import RulesError, SetupError
from affray.systems.grid_battles.map.board import piece_at
from affray.systems.grid_battles.sheet import (
    ASSUMED,
    Bonus,
    DiceSet,
    Placed,
    Scenario,
    Setup,
    Terrain,
    Unit,
)
from affray.systems.grid_battles.state import Exchange

from .factory import UNIT, duel, game, played, scenario, setup, unit

COLOURS = ("yellow", "blue", "red", "brown", "grey", "black")


def dice(**changes: tuple[str, ...]) -> DiceSet:
    faces: dict[str, Any] = {colour: getattr(ASSUMED, colour) for colour in COLOURS}
    return DiceSet(**{**faces, **changes})


def given(made: object) -> dict[str, object]:
    """The fields of a sheet that are neither empty nor off."""
    found = {field.name: getattr(made, field.name) for field in fields(cast("Any", made))}
    return {name: value for name, value in found.items() if value not in ((), "", None, False)}


def test_gb1_what_a_sheet_says_that_says_nothing() -> None:
    """Foot on a plain, adjacent, in clear sight, fresh; one unit a turn, to the first one lost."""
    foot = Unit(attack=("red",), health=4)
    assert given(foot) == {"attack": ("red",), "health": 4, "range_hexes": 1}
    assert (foot.move, foot.health_max, foot.most, foot.shoots) == (0, 0, 4, False)
    assert given(Terrain()) == {"name": "plain", "move_cost": 1, "advantage": "none"}
    assert given(Bonus(kind="damage")) == {"kind": "damage", "count": 1, "whose_hex": "own"}
    assert given(Setup(attacker=foot, defender=foot)) == {
        "attacker": foot, "defender": foot, "attacker_terrain": Terrain(),
        "defender_terrain": Terrain(), "distance_hexes": 1, "line_of_sight": "clear",
        "return_sight": "same", "attacker_advantage": "rules", "defender_advantage": "rules",
        "defender_status": "fresh", "dice": ASSUMED,
    }  # fmt: skip
    one, other = (Placed(unit=foot, hex="0000"),), (Placed(unit=foot, hex="0100"),)
    assert given(Scenario(columns=2, rows=1, one=one, other=other)) == {
        "columns": 2, "rows": 1, "one": one, "other": other, "activations": 1, "starts": "one",
        "rounds": 100, "layout": "rows-right", "at_the_end": "draw",
    }  # fmt: skip


def test_gb18_as_much_as_is_allowed() -> None:
    assert len(unit(attack=("yellow",) * 20, defence=("brown",) * 20).attack) == 20
    names = tuple(f"n{n}" for n in range(20))
    assert unit(kinds=names, advantage_over=names).kinds == names
    assert len(setup(followers=(UNIT,) * 20).followers) == 20
    assert len(Terrain(bonuses=(Bonus(kind="damage"),) * 5).bonuses) == 5
    assert dice(red=("d" * 10,) * 6).red[0] == "d" * 10


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: unit(defence=("brown",) * 21), "more than 20 dice of a kind; allowed: at most 20"),
        (lambda: unit(attack=("yellow",) * 21), "more than 20 dice of a kind; allowed: at most 20"),
        (lambda: dice(red=("d" * 11,) * 6), "the red die has a face with 11 symbols"),
        (lambda: dice(black=("",) * 6), "the black die has the face ''"),
        (lambda: Bonus(kind="shield", colour="grey"), "shield with a colour; only dice have one"),
        (lambda: Bonus(kind="attack_die", colour="grey"), "attack_die: 'grey' is no attack die"),
        (lambda: Bonus(kind="attack_die"), "attack_die: '' is no attack die"),
    ],
)
def test_gb10_what_is_too_much_or_of_the_wrong_kind(make: Callable[[], object], words: str) -> None:
    with pytest.raises(SetupError, match=words):
        make()


def test_gb47_a_side_of_fifty_units_and_no_more() -> None:
    army = [(UNIT, f"{n % 10:02}{n // 10:02}") for n in range(51)]
    made = scenario(army[:50], [(UNIT, "0909")], columns=10, rows=10, destroy=1)
    assert made.scenario is not None
    assert len(made.scenario.one) == 50
    for one, other, side in ((army, [(UNIT, "0909")], "one"), ([(UNIT, "0909")], army, "other")):
        with pytest.raises(SetupError, match=f"side {side} has 51 units; allowed: at most 50"):
            scenario(one, other, columns=10, rows=10)


def test_gb47_a_game_that_nobody_wins_is_a_draw_after_a_hundred_rounds() -> None:
    """Riders who cannot move or reach each other: every turn passes, round by round."""
    still = unit(move=0)
    made = scenario([(still, "0000")], [(still, "0400")])
    board = cast("Exchange", played(game(made)).outcome).game
    assert (board.round, board.winner) == (100, "draw")
    short = scenario([(still, "0000")], [(still, "0400")], rounds=3)
    board = cast("Exchange", played(game(short)).outcome).game
    assert (board.round, board.winner) == (3, "draw")


def test_gb7_steps_of_a_combat_and_of_a_game_find_what_they_need() -> None:
    with pytest.raises(RulesError, match="a step of a combat came while none was fought"):
        _ = Exchange().fought
    with pytest.raises(RulesError, match="a step of a game came in a combat by itself"):
        _ = Exchange().game
    shot = cast("Exchange", game(setup(unit(range_hexes=3), distance_hexes=3)).start.facts)
    assert shot.clash.names == ("Rider (attacker)", "Rider (defender)")
    with pytest.raises(RulesError, match="a Battle Back is fought that is not possible"):
        _ = shot._replace(backs=True).clash


def test_gb16_a_removed_unit_is_nowhere() -> None:
    board = cast("Exchange", game(duel("0000", "0100")).start.facts).game
    gone = board._replace(pieces=(None, board.pieces[1]))
    with pytest.raises(RulesError, match="Rider is no longer present"):
        piece_at(gone, 0)
    assert piece_at(gone, 1) == board.pieces[1]
