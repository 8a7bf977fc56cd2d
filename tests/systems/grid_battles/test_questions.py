"""Fields and objectives, and small games solved by hand."""

from fractions import Fraction
from xml.etree.ElementTree import fromstring

import pytest

from affray.app.inputs.setups import load_raw
from affray.engine.exchange.best import objective_named
from affray.engine.exchange.odds import fields_named
from affray.engine.exchange.session import Session
from affray.systems.grid_battles.map.hexes import LAYOUTS, Layout, from_label, neighbors
from affray.systems.grid_battles.sheet import ASSUMED, Setup

from .factory import (
    BOW,
    SURE,
    SYSTEM,
    UNIT,
    WOODS,
    asked,
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
    strong = scenario([(unit(health=2), "0000")], [(unit(health=1), "0200")], rounds=1, dice=SURE)
    assert value(game(strong), "health") == 2


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
    assert drawn[2] == "01         .             RI2:3         woods         .             ."
    assert drawn[3].split() == ["02", ".", ".", ".", "bo:3", "."]
    shows = "health 3/3  attack yellow  defense brown  move 4"
    assert drawn[6:9] == [
        f"one    RI   Rider    0000  {shows}  range 1  fresh",
        f"one    RI2  Rider 2  0101  {shows}  range 1  fresh",
        f"other  bo   Bow      0302  {shows}  range 4  fresh",
    ]
    assert Session(game(setup())).picture == ""


def test_the_table_is_drawn_as_svg() -> None:
    made = scenario([(UNIT, "0000"), (UNIT, "0101")], [(BOW, "0302")], {"0201": WOODS}, rounds=1)
    root = fromstring(Session(game(made)).drawing)
    name = "{http://www.w3.org/2000/svg}"
    assert len(root.findall(f"{name}polygon")) == 20
    groups = root.findall(f"{name}g")
    assert [group.find(f"{name}circle") is None for group in groups] == [True, True, False]
    for group in groups:  # attack dice at the top right, defense dice at the bottom left
        (attack, defence) = [
            r for r in group.findall(f"{name}rect") if "die" in r.get("class", "").split()
        ]
        assert "yellow" in str(attack.get("class")).split()
        assert "brown" in str(defence.get("class")).split()
        assert float(attack.get("x", 0)) > float(defence.get("x", 0))
        assert float(attack.get("y", 0)) < float(defence.get("y", 0))
    words = ["".join(group.findall(f"{name}text")[-1].itertext()) for group in groups]
    assert [word.upper() for word in words] == ["RI 3", "RI2 3", "BO 3"]
    assert "woods" in "".join(root.itertext())
    assert Session(game(setup())).drawing == ""


def statuses(made: Setup, *answers: str) -> list[tuple[str, str]]:
    """The map's mark and the words of every unit."""
    session = asked(game(made), *answers)
    lines = session.picture.splitlines()
    rows = [line.split("  ") for line in lines if line.startswith(("one  ", "other  "))]
    marks = {
        cell.partition(":")[0]: cell[-1] for line in lines for cell in line.split() if ":" in cell
    }
    return [(marks[next(filter(None, row[1:])).strip()], row[-1].strip()) for row in rows]


def test_gb41_gb53_the_picture_shows_who_is_fresh_activated_or_fatigued() -> None:
    made = scenario(
        [(UNIT, "0000"), (UNIT, "0100"), (UNIT, "0200")], [(UNIT, "0403")], activations=2
    )
    assert statuses(made, "rider", "rider-3", "rider-3") == [
        ("*", "activated, 4 movement points left"), ("3", "fresh"),
        ("*", "activated, 4 movement points left"), ("3", "fresh"),
    ]  # fmt: skip
    assert statuses(made, "rider", "rider-3", "rider-3", "0300")[2] == ("*", "activated, has moved")
    assert statuses(made, "rider", "rider-3", "rider-3", "stay", "stay")[:2] == [
        ("~", "fatigued"), ("3", "fresh"),
    ]  # fmt: skip


def test_gb53_an_activated_counter_shows_its_points_at_the_top_left() -> None:
    made = scenario([(UNIT, "0000"), (UNIT, "0100")], [(UNIT, "0403")], activations=2)
    root = fromstring(asked(game(made), "rider").drawing)
    name = "{http://www.w3.org/2000/svg}"
    texts = [[t.text for t in g.findall(f"{name}text")] for g in root.findall(f"{name}g")]
    assert texts == [["4", "4", "Ri 3"], ["4", "4", "Ri2 3"], ["4", "Ri 3"]]
    titles = [g.findtext(f"{name}title") for g in root.findall(f"{name}g")]
    assert titles[0] == (
        "Rider: 3/3 health, attack yellow, defense brown, move 4, activated, 4 movement points left"
    )


@pytest.mark.parametrize("layout", LAYOUTS)
def test_gb48_every_layout_is_drawn_where_its_hexes_lie(layout: Layout) -> None:
    """Neighbors are those whose centers lie nearest, on the drawing."""
    made = scenario(
        [(UNIT, "0000")], [(UNIT, "0302")], layout=layout, missing=("0401",), columns=5, rows=4
    )
    root = fromstring(Session(game(made)).drawing)
    name = "{http://www.w3.org/2000/svg}"
    polygons = root.findall(f"{name}polygon")
    assert len(polygons) == 19
    centers: list[tuple[float, float]] = []
    for polygon in polygons:
        corners = [tuple(map(float, pair.split(","))) for pair in polygon.get("points", "").split()]
        x, y = (sum(corner[n] for corner in corners) / 6 for n in (0, 1))
        centers.append((x, y))
    labels = [t.text or "" for t in root.findall(f"{name}text") if (t.text or "").isdigit()]
    width = 36 * 3**0.5
    for one, (x, y) in zip(labels, centers, strict=True):
        near = {
            other
            for other, (a, b) in zip(labels, centers, strict=True)
            if other != one and abs(((x - a) ** 2 + (y - b) ** 2) ** 0.5 - width) < 1
        }
        around = set(neighbors(from_label(one, layout)))
        assert near == {label for label in labels if from_label(label, layout) in around}


@pytest.mark.parametrize(
    ("layout", "lines"),
    [
        ("rows-right", ["00  RI:3          .", "01         ri:3         ."]),
        ("rows-left", ["00         RI:3          .", "01  ri:3         ."]),
        ("columns-down", ["00  RI:3", "                  .", "01  ri:3", "                  ."]),
        ("columns-up", ["00                .", "    RI:3", "01                .", "    ri:3"]),
    ],
)
def test_gb48_every_layout_is_drawn_in_letters(layout: Layout, lines: list[str]) -> None:
    made = scenario(
        [(UNIT, "0000")], [(UNIT, "0001")], layout=layout, columns=2, rows=2, starts="other"
    )
    drawn = Session(game(made)).picture.replace("ri:3*", "ri:3").splitlines()
    assert [line.rstrip() for line in drawn[1 : 1 + len(lines)]] == lines


def test_games_are_asked_who_wins_and_combats_what_they_cost() -> None:
    whole, pair = load_raw(SYSTEM, {"scenario": "chase"}, "a game").game, cavalry()
    assert [f.name for f in fields_named(SYSTEM, (), whole.start)] == ["winner"]
    assert [f.name for f in fields_named(SYSTEM, (), pair.start)] == ["damage"]
    assert objective_named(SYSTEM, "", whole.start).name == "win"
    assert objective_named(SYSTEM, "", pair.start).name == "damage"
