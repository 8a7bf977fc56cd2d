"""Pictures of a table: an SVG that holds everything and can be read, and exact letters."""

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from xml.etree import ElementTree

import pytest

from affray.core.errors import SetupError
from affray.systems.emlia.table.letters import letters
from affray.systems.emlia.table.picture import (
    BOLD,
    FILLS,
    GROUND,
    INK,
    MARGIN,
    STROKES,
    drawing,
)
from affray.systems.emlia.table.placing import Area, Placement, Table

SVG = "{http://www.w3.org/2000/svg}"

# Spears from (-2, 0) to (2, -2), and two guards in front of their right half.
SPEARS = Placement(unit="Spears", files=4, members=8)
GUARD = Placement(unit="Guard", side="defender", x=1, facing=180, files=2, members=2)
SMALL = Table(placements=(SPEARS, GUARD))
BIG = Table(
    placements=(
        replace(SPEARS, unit="Line & <Spears>", files=6, members=20),
        replace(GUARD, files=5, members=10),
        Placement(unit="Knights", x=3.5, y=1, facing=270, files=2, members=6, depth=1.5),
        Placement(unit='The "mob"', side="defender", shape="ring", x=-6, y=3, members=9, radius=4),
        Placement(unit="Archers", side="defender", x=-4, y=-6, facing=30, files=6, members=11),
        Placement(unit="Captain", x=8, y=-5, facing=315),
    ),
    length="cm",
    path=((8, -5), (3, 0)),
)


def parsed(table: Table) -> ElementTree.Element:
    return ElementTree.fromstring(drawing(table))


def words(root: ElementTree.Element, tag: str) -> list[str]:
    return ["".join(found.itertext()) for found in root.iter(SVG + tag)]


def classed(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [found for found in root.iter() if name in found.get("class", "").split()]


# -- SVG -----------------------------------------------------------------------------------


def test_em10_drawing_holds_every_unit_and_member() -> None:
    root = parsed(BIG)
    units = classed(root, "unit")
    assert len(units) == 6
    assert [len(classed(unit, "member")) for unit in units] == [20, 10, 6, 9, 11, 1]
    names = ["".join(found.itertext()) for found in classed(root, "name")]
    assert names == ["Line & <Spears>", "Guard", "Knights", 'The "mob"', "Archers", "Captain"]


def test_em10_drawing_is_told_in_words_too() -> None:
    root = parsed(SMALL)
    title, desc = root.find(SVG + "title"), root.find(SVG + "desc")
    assert title is not None
    assert desc is not None
    assert root.get("role") == "img"
    assert (root.get("aria-labelledby") or "").split() == [title.get("id"), desc.get("id")]
    assert desc.text == (
        "Spears: attacker, 8 members, 4 wide, 2 ranks, facing ↑. "
        "Guard: defender, 2 members, 2 wide, 1 rank, facing ↓. "
        "Spears (front, 2) touches Guard (front, 2)."
    )


def test_em10_two_drawings_on_one_page_keep_apart() -> None:
    def ids(table: Table) -> set[str]:
        return set(re.findall(r' id="([^"]+)"', drawing(table)))

    assert len(ids(SMALL)) == 5
    assert not ids(SMALL) & ids(BIG)
    used = set(re.findall(r"url\(#([^)]+)\)", drawing(BIG)))
    assert len(used) == 3
    assert used <= ids(BIG)


def test_em10_drawing_needs_nothing_else() -> None:
    text = drawing(BIG)
    assert re.findall(r"(?:href|src)=|@import|url\((?!#)|<script", text) == []
    assert re.findall(r"https?://\S+?\"", text) == ['http://www.w3.org/2000/svg"']


def test_em10_sides_differ_in_more_than_colour() -> None:
    root = parsed(SMALL)
    hatches = {p.get("id", "").split("-")[-1]: p for p in root.iter(SVG + "pattern")}
    inside = {side: [e.tag for e in hatch] for side, hatch in hatches.items()}
    assert inside == {"attacker": [SVG + "rect", SVG + "path"],
                      "defender": [SVG + "rect", SVG + "circle"]}  # fmt: skip
    ours, theirs = classed(root, "unit")
    assert "attacker" in ours.get("class", "")
    assert [member.get("fill", "")[-10:] for member in classed(ours, "member")] == [
        "-attacker)"
    ] * 8
    assert [m.get("fill", "")[-10:] for m in classed(theirs, "member")] == ["-defender)"] * 2
    dashed = [next(unit.iter(SVG + "rect")).get("stroke-dasharray") for unit in (ours, theirs)]
    assert dashed == [None, "6 3"]
    badges = [word for word in words(root, "text") if word in {"A", "D"}]
    assert badges == ["A", "D"]


def test_em10_drawing_turns_units_as_they_face() -> None:
    # Both coordinate systems turn clockwise; only y is counted downwards in the drawing.
    turned = [unit.get("transform", "") for unit in classed(parsed(BIG), "unit")]
    assert [t.split("rotate")[1] for t in turned] == [
        "(0)",
        "(180)",
        "(270)",
        "(0)",
        "(30)",
        "(315)",
    ]
    # A block has an arrow, a ring faces everywhere.
    arrows = [len(classed(unit, "facing")) for unit in classed(parsed(BIG), "unit")]
    assert arrows == [1, 1, 1, 0, 1, 1]


def test_em10_contact_is_bold_where_units_touch() -> None:
    # A base is 44 wide. The fronts touch from x = 0 to x = 2, 1 below the upper edge of all.
    (line,) = [found for found in classed(parsed(SMALL), "contact") if found.tag == SVG + "line"]
    ends = [float(line.get(name, "nan")) for name in ("x1", "y1", "x2", "y2")]
    assert ends[2] - ends[0] == pytest.approx(88)
    assert ends[1] == ends[3] == pytest.approx(MARGIN + 44)
    assert words(line, "title") == ["Spears (front, 2) touches Guard (front, 2)"]
    # Guards from x = 2 on touch in the corner: a spot instead.
    corner = replace(SMALL, placements=(SPEARS, replace(GUARD, x=3)))
    (spot,) = classed(parsed(corner), "contact")
    assert spot.tag == SVG + "circle"
    apart = replace(SMALL, placements=(SPEARS, replace(GUARD, y=1)))
    assert classed(parsed(apart), "contact") == []
    friends = replace(SMALL, placements=(SPEARS, replace(GUARD, side="attacker")))
    assert classed(parsed(friends), "contact") == []


def test_em10_everything_fits_on_the_drawing() -> None:
    for table in (SMALL, BIG, replace(SMALL, placements=(replace(GUARD, base=25, depth=25),))):
        root = parsed(table)
        left, top, width, height = map(float, (root.get("viewBox") or "").split())
        assert (left, top) == (0, 0)
        assert width <= 860 + 2 * MARGIN
        for unit in classed(root, "unit"):
            found = re.findall(r"translate\((\S+) (\S+)\)", unit.get("transform", ""))
            x, y = map(float, found[0])
            assert MARGIN - 0.01 <= x <= width - MARGIN + 0.01
            assert MARGIN - 0.01 <= y <= height - MARGIN


def test_em10_a_block_is_drawn_as_wide_and_deep_as_its_members() -> None:
    """44 points a base: four of them side by side, in two ranks with bases half as deep again."""
    (unit,) = classed(parsed(Table(placements=(replace(SPEARS, depth=1.5),))), "unit")
    block = next(unit.iter(SVG + "rect"))
    assert [block.get(key) for key in ("x", "width", "height")] == ["-88", "176", "132"]


def test_em10_scale_bar_is_as_long_as_it_says() -> None:
    # 44 points a base: 140 points are 3.2 inches, so 2 inches are shown: 88 points.
    for table, told, points in (
        (SMALL, "2 inch", 88), (replace(SMALL, length="<ell>"), "2 <ell>", 88),
        (replace(SMALL, placements=(replace(GUARD, base=25, depth=25),)), "50 inch", 88),
    ):  # fmt: skip
        root = parsed(table)
        (bar,) = classed(root, "scale")
        found = re.fullmatch(r"M(\S+) \S+?V\S+?H(\S+?)V\S+", bar.get("d", ""))
        assert found is not None
        assert float(found[2]) - float(found[1]) == pytest.approx(points, abs=0.02)
        assert told in words(root, "text")


def test_em35_path_is_drawn() -> None:
    assert len(classed(parsed(BIG), "path")) == 1
    assert classed(parsed(SMALL), "path") == []


CLOSE = Table(
    placements=tuple(
        Placement(unit=f"the guards of gate {n}", x=1.5 * n, files=1, members=4) for n in (1, 2)
    )
)


@pytest.mark.parametrize("table", [BIG, CLOSE])
def test_em10_names_keep_apart_from_each_other(table: Table) -> None:
    names = classed(parsed(table), "name")
    boxes = []
    for name in names:
        x, y = float(name.get("x", "nan")), float(name.get("y", "nan"))
        boxes.append((x, y - 11, x + 7 * len("".join(name.itertext())), y + 4))
    for one, other in combinations(boxes, 2):
        beside = one[2] <= other[0] or other[2] <= one[0]
        assert beside or one[3] <= other[1] or other[3] <= one[1]


def luminance(color: str) -> float:
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def color(with_role: str) -> str:
    return with_role.partition(":")[2]


def test_em10_colours_can_be_read() -> None:
    # WCAG: 4.5 for text, 3 for shapes. The ground is opaque, so the page behind doesn't matter.
    for side in ("attacker", "defender"):
        assert contrast(color(INK), color(FILLS[side])) >= 4.5
        assert contrast("#ffffff", color(STROKES[side])) >= 4.5
        assert contrast(color(STROKES[side]), color(GROUND)) >= 3
        assert contrast(color(BOLD), color(FILLS[side])) >= 3
    first = next(found for found in parsed(SMALL) if found.tag == SVG + "rect")
    assert (first.get("fill"), first.get("fill-opacity")) == (GROUND, None)


def test_em10_odd_names_are_still_xml() -> None:
    odd = "A\x00B\n]]> &amp; \ud800 'Ü'"
    root = parsed(Table(placements=(Placement(unit=odd),)))
    assert words(root, "text")[1] == "A?B ]]> &amp; ? 'Ü'"


# -- letters -------------------------------------------------------------------------------


def test_em10_letters_of_a_small_table() -> None:
    # Two letters to a base across, one down: 8 by 3 letters.
    assert letters(SMALL).splitlines() == [
        "....aaaa",
        "AAAAAAAA",
        "AAAAAAAA",
        "",
        "|--| 2 inch",
        "",
        "A  Spears: attacker, 8 members, 4 wide, 2 ranks, facing ↑",
        "a  Guard: defender, 2 members, 2 wide, 1 rank, facing ↓",
        "A-a  Spears (front, 2) touches Guard (front, 2)",
    ]


def test_em10_letters_of_a_ring_and_a_turned_block() -> None:
    # A circle of 2 round (2, 2), and a block that faces right: x from 5 to 6, y from 1 to 3.
    # Letters are half a base apart; rows lie at y = 3.5, 2.5, 1.5, 0.5, their ends at
    # 2 - sqrt(4 - 1.5^2) = 0.68 and 2 - sqrt(4 - 0.5^2) = 0.06.
    found = Table(
        placements=(
            Placement(unit="Mob", shape="ring", x=2, y=2, radius=2, members=5),
            Placement(unit="Wall", side="defender", x=6, y=2, facing=90, files=2, members=2),
        ),
        length="m",
    )
    assert letters(found).splitlines() == [
        ".AAAAAA.....",
        "AAAAAAAA..aa",
        "AAAAAAAA..aa",
        ".AAAAAA.....",
        "",
        "|--------| 5 m",
        "",
        "A  Mob: attacker, 5 members in a ring",
        "a  Wall: defender, 2 members, 2 wide, 1 rank, facing →",
    ]


@pytest.mark.parametrize(
    ("facing", "arrow"),
    [(0, "↑"), (22, "↑"), (23, "↗"), (90, "→"), (180, "↓"), (-90, "←"), (315, "↖"), (350, "↑")],
)
def test_em10_arrow_of_a_facing(facing: float, arrow: str) -> None:
    found = letters(Table(placements=(replace(SPEARS, facing=facing),)))
    assert found.endswith(f"facing {arrow}")


def test_em10_letters_keep_to_their_width() -> None:
    for width in (20, 40, 72):
        grid = letters(BIG, width).split("\n\n")[0].splitlines()
        assert max(map(len, grid)) <= width
        assert len(grid) <= 40
        assert set("".join(grid)) == set(".ABCabc")


def test_em10_letters_show_units_smaller_than_a_letter() -> None:
    far = Table(placements=(SPEARS, replace(GUARD, x=2000)))
    grid = letters(far).split("\n\n")[0]
    assert grid.count("A") == grid.count("a") == 1


def test_em10_letters_refuse_what_they_cannot_show() -> None:
    with pytest.raises(SetupError, match="width is 10; allowed: 20 letters or more"):
        letters(SMALL, 10)
    many = tuple(Placement(unit=f"u{n}", x=2 * n) for n in range(27))
    with pytest.raises(SetupError, match=r"27 units of the attacker; allowed .*: 26 a side"):
        letters(Table(placements=many))
    assert len(classed(parsed(Table(placements=many)), "unit")) == 27


@pytest.mark.parametrize("draw", [drawing, letters])
def test_em10_pictures_refuse_empty_and_overlapping(draw: Callable[[Table], str]) -> None:
    with pytest.raises(SetupError, match="a table without units"):
        draw(Table())
    with pytest.raises(SetupError, match=r"'Spears' and 'Guard' overlap by 0\.5 inch"):
        draw(replace(SMALL, placements=(SPEARS, replace(GUARD, y=-0.5))))


def test_areas_of_ground_are_told_apart() -> None:
    areas = tuple(
        Area(name=name, corners=((x, -9), (x + 4, -9), (x + 4, 9), (x, 9)), rough=True)
        for name, x in (("bog", 10), ("wood", 20), ("ford", 22))
    )
    grid, *_, legend = letters(replace(SMALL, terrain=areas)).split("\n\n")
    assert [line[0] for line in legend.splitlines()[-3:]] == ["~", "%", "#"]
    row = grid.splitlines()[0]
    assert [sign for sign in "~%#" if sign in row] == ["~", "%", "#"]
    assert row.index("~") < row.index("%") < row.index("#")
