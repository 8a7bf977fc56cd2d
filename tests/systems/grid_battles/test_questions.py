"""Fields and objectives, and small games solved by hand."""

from fractions import Fraction
from xml.etree.ElementTree import fromstring

import pytest

from affray.app.inputs.setups import load_raw
from affray.engine.exchange.best import objective_named
from affray.engine.exchange.odds import fields_named
from affray.engine.exchange.session import Session
from affray.systems.grid_battles.sheet import ASSUMED

from .factory import (
    BOW,
    SURE,
    SYSTEM,
    UNIT,
    WOODS,
    duel,
    game,
    joint,
    scenario,
    setup,
    unit,
    value,
)

CAV = {"attacker": "light_cav", "defender": "light_cav"}


def cavalry(**changes: object):  # type: ignore[no-untyped-def]  # a game
    return load_raw(SYSTEM, {**CAV, **changes}, "pair").game


def test_gb16_objectives_of_a_combat() -> None:
    """One hit in three, each way; the defender has three points."""
    assert value(cavalry(), "damage") == Fraction(1, 3)
    assert value(cavalry(), "kill") == 0
    assert value(cavalry(), "trade") == 0
    last = {"like": "light_cav", "health": 1}
    assert value(cavalry(defender=last), "kill") == Fraction(1, 3)
    assert value(cavalry(defender=last), "survive") == Fraction(2, 3)
    assert value(cavalry(defender=last), "trade") == Fraction(1, 3) - Fraction(2, 9)


def test_gb47_a_game_on_two_hexes_by_hand() -> None:
    """Both have one point and can't move; in a round each may attack once, a draw counts half.

    A hit comes in a third. If the second attacks: 1/3 lost, 2/9 won by Battle Back, 4/9 drawn:
    4/9 for the first, less than the half of not attacking. The first attacks: 1/3 won, 2/9
    lost by Battle Back, and 4/9 of the time the second attacks.
    """
    made = duel("0000", "0100", columns=2, rows=1, rounds=1, dice=ASSUMED)
    weak = scenario(
        [(unit(health=1), "0000")], [(unit(health=1), "0100")],
        columns=2, rows=1, rounds=1, dice=ASSUMED,
    )  # fmt: skip
    third, ninth = Fraction(1, 3), Fraction(1, 9)
    assert value(game(weak), "win") == third + 4 * ninth * 4 * ninth == Fraction(43, 81)
    assert joint(game(weak), "winner", wish="win") == {
        ("one",): third + 4 * ninth * 2 * ninth,
        ("other",): 2 * ninth + 4 * ninth * third,
        ("draw",): 4 * ninth * 4 * ninth,
    }
    assert value(game(made), "win") == Fraction(1, 2)  # three points: nobody falls in a round


def test_gb47_with_sure_dice_who_comes_first_wins() -> None:
    """A step and an attack that can't fail: the first player wins before the other has a turn."""
    weak = scenario([(unit(health=1), "0000")], [(unit(health=1), "0200")], rounds=1, dice=SURE)
    assert value(game(weak), "win") == 1
    assert value(game(weak), "units") == 1


def test_gb60_with_sure_dice_a_bow_wins_out_of_reach() -> None:
    """The bow shoots; the other walks four hexes at most and would need five."""
    bow = unit(name="Bow", range_hexes=6, health=1, move=0)
    foot = unit(name="Foot", health=2, move=4)
    made = scenario([(bow, "0000")], [(foot, "0600")], columns=7, rows=1, rounds=2, dice=SURE)
    assert value(game(made), "win") == 1
    assert joint(game(made), "winner", "rounds", wish="win") == {("one", 2): 1}
    near = scenario([(bow, "0000")], [(foot, "0500")], columns=7, rows=1, rounds=2, dice=SURE)
    assert value(game(near), "win") == 0  # it arrives, and strikes first


def test_gb42_fields_of_a_game_and_of_a_combat() -> None:
    assert set(joint(game(setup()), "winner", "rounds", "units_one", "units_other")) == {
        ("", 0, 0, 0)
    }
    made = duel("0000", "0100", columns=2, rows=1, rounds=1)
    facts = Session(game(made)).here.facts
    named = {field.name: field.of(facts) for field in SYSTEM.fields}
    assert (named["units_one"], named["units_other"], named["winner"]) == (1, 1, "")
    assert (named["damage"], named["health"], named["attacker_health"]) == (0, 0, 0)


@pytest.mark.parametrize("name", [field.name for field in SYSTEM.fields])
def test_every_field_can_be_priced(name: str) -> None:
    assert sum(joint(game(setup(BOW, UNIT)), name).values()) == 1


def test_the_table_is_drawn() -> None:
    made = scenario([(UNIT, "0000"), (UNIT, "0101")], [(BOW, "0302")], {"0201": WOODS}, rounds=1)
    drawn = Session(game(made)).picture.splitlines()
    assert drawn[0].split() == ["00", "01", "02", "03", "04"]
    assert drawn[1].split() == ["00", "RI:3", ".", ".", ".", "."]
    assert drawn[2] == "01        .           RI2:3       woods       .           ."
    assert drawn[3].split() == ["02", ".", ".", ".", "bo:3", "."]
    assert Session(game(setup())).picture == ""


def test_the_table_is_drawn_as_svg() -> None:
    made = scenario([(UNIT, "0000"), (UNIT, "0101")], [(BOW, "0302")], {"0201": WOODS}, rounds=1)
    root = fromstring(Session(game(made)).drawing)
    name = "{http://www.w3.org/2000/svg}"
    assert len(root.findall(f"{name}polygon")) == 20
    groups = root.findall(f"{name}g")
    assert [group.find(f"{name}rect") is not None for group in groups] == [True, True, False]
    words = ["".join(group.findall(f"{name}text")[-1].itertext()) for group in groups]
    assert [word.upper() for word in words] == ["RI 3", "RI2 3", "BO 3"]
    assert "woods" in "".join(root.itertext())
    assert Session(game(setup())).drawing == ""


def test_games_are_asked_who_wins_and_combats_what_they_cost() -> None:
    whole, pair = load_raw(SYSTEM, {"scenario": "chase"}, "a game").game, cavalry()
    assert [f.name for f in fields_named(SYSTEM, (), whole.start)] == ["winner"]
    assert [f.name for f in fields_named(SYSTEM, (), pair.start)] == ["damage"]
    assert objective_named(SYSTEM, "", whole.start).name == "win"
    assert objective_named(SYSTEM, "", pair.start).name == "damage"
