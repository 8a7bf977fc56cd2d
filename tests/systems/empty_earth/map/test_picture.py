"""Pictures of a map: letters compared as they are, and an SVG that can be read."""

from dataclasses import replace
from textwrap import dedent
from xml.etree import ElementTree

from affray.engine.exchange.session import Session
from affray.systems.empty_earth.map.drawing import SIGHT
from affray.systems.empty_earth.map.picture import letters
from affray.systems.empty_earth.map.placed import ground_of
from affray.systems.empty_earth.map.zones import Figure, Ground, Map
from affray.systems.empty_earth.sheet import Setup
from tests.systems.empty_earth.factory import SYSTEM, bow, game, played, setup, striker
from tests.systems.empty_earth.map.charts import black, chart, figure, green, on_map, other, square

SVG = "{http://www.w3.org/2000/svg}"


def ground(made: Setup) -> Ground:
    found = ground_of(made)
    assert found is not None
    return found


def drawn(made: Setup, **readings: str) -> str:
    return letters(ground(made), SYSTEM.readings(readings))


def picked(made: Setup, **readings: str) -> ElementTree.Element:
    return ElementTree.fromstring(Session(game(made, readings)).drawing)


def classed(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [found for found in root.iter() if name in found.get("class", "").split()]


def test_ee13_the_map_in_letters() -> None:
    lines = black((4, 0), (4, 4)), green((8, 1), (8, 4)), other((9, 1), (12, 1))
    made = on_map(chart(["abc"], *lines), "a", "a", figure("b"), figure("b", "attacker"))
    expected = """
        ......................#.....................%......................
        .                     #                     %                     .
        .                     #                     %                     .
        .                     #                     %                     .
        .                     #                     %                     .
        .                     #                     %                     .
        .          * a        #          * b        %          * c        .
        .         A D         #        d1 a1        %                     .
        .                     #                     %     ~~~~~~~~~~~~~~~~~
        .                     #                     .                     .
        .                     #                     .                     .
        ......................#............................................

        # black, % green, ~ other line, . border, * aim dot; capitals: attacker and defender
        a: A striker, D target
        b: d1 defender's friend, a1 attacker's friend
        c: -
        attacker to defender: 0 Zones away; same Zone; 1 hostile in the attacker's Zone
    """
    assert drawn(made).split("\n") == dedent(expected).strip().split("\n")


def test_ee13_letters_say_how_the_two_stand() -> None:
    apart = on_map(chart(["a c"]), "a", "c")
    assert drawn(apart).endswith(
        "no way leads there; nothing between them; nobody hostile in the attacker's Zone"
    )
    for line, told in (
        (black((4, 0), (4, 4)), "the line between them is blocked"),
        (black((4, 2), (4, 4)), "the line between them touches a wall"),
        (black((3, 2), (5, 2)), "the line between them runs along a wall"),
    ):
        assert f"1 Zone away; {told}; nobody" in drawn(on_map(chart(["ab"], line), "a", "b"))


def test_ee10_everybody_is_listed_where_the_paper_is_too_narrow() -> None:
    crowd = [Figure(name=f"Husk {n}", zone="a", friend_of="defender") for n in range(1, 41)]
    shown = drawn(on_map(chart(["abcdefgh"]), "a", "b", *crowd))
    assert "a: A striker, d1 Husk 1, d2 Husk 2" in shown
    assert shown.count("Husk") == 40
    assert "40 hostile in the attacker's Zone" in shown


def test_ee10_long_and_high_maps_fit_the_paper() -> None:
    for rows in (["abcdefghijklmnop"], list("abcdefghijklmnop"), ["abcd", "efgh", "ijkl"]):
        lines = drawn(on_map(chart(rows), "a", "a")).split("\n\n# black")[0].split("\n")
        assert max(map(len, lines)) <= 67
        assert len(lines) <= 27
        assert sum(line.count("*") for line in lines) == sum(map(len, rows))


def test_ee13_the_drawing_holds_everything() -> None:
    lines = black((4, 0), (4, 4)), green((8, 1), (8, 4)), other((9, 1), (12, 1))
    drawn_map = Map(
        name="<Yard> & barn",
        zones=(
            *chart(["ab"]).zones,
            square("c & d", 2, 0, dots=((9, 2), (11, 2))),
        ),
        lines=lines,
    )
    root = picked(on_map(drawn_map, "b", "b", Figure(name="<Bo>", zone="a", friend_of="attacker")))
    assert [found.text for found in root.iter(SVG + "title")] == [
        "<Yard> & barn",
        *("a", "b", "c & d"),
        *("striker", "target", "<Bo>"),
    ]
    assert (len(classed(root, "zone")), len(classed(root, "dot"))) == (3, 4)
    assert [len(classed(root, color)) for color in ("black", "green", "other")] == [1, 1, 1]
    texts = [found.text for found in root.iter(SVG + "text")]
    assert texts[:-1] == ["a", "b", "c & d", "A", "D", "a1"]


def test_ee13_the_drawing_shows_the_line_that_counts() -> None:
    a, b = chart(
        ["ab"],
    ).zones
    two = Map(zones=(a, replace(b, dots=((6, 3), (6, 1)))), lines=(black((4, 2), (4, 4)),))
    made = on_map(two, "a", "b")
    free = classed(picked(made), "sight")
    # 8 grid points are 860 drawn; the margin is 28: (2, 2) and (6, 1) of a map 4 high
    assert [line.get("points") for line in free] == ["243.0,243.0 673.0,350.5"]
    assert free[0].get("stroke") == SIGHT[True].removeprefix("seen:")
    blocked = on_map(two, "a", "b", attacker=striker(bow(kind="essential")))
    (line,) = classed(picked(blocked, dots="all", icons="two"), "sight")
    assert line.get("points") == "243.0,243.0 673.0,135.5"
    assert line.get("stroke") == SIGHT[False].removeprefix("unseen:")
    assert not classed(picked(on_map(two, "a", "a")), "sight")


def test_ee13_the_drawing_is_the_same_wherever_the_map_begins() -> None:
    """Two Zones, one over the other: 8 high; they lie elsewhere, and are drawn no larger."""
    low, far = ((square("a", at, at), square("b", at, at + 1)) for at in (0, 5))
    one, other = (picked(on_map(Map(zones=zones), "a", "b")) for zones in (low, far))
    assert ElementTree.tostring(one) == ElementTree.tostring(other)
    assert one.get("viewBox") == "0 0 420 656"  # 560 high, two margins of 28, 40 for the foot


def test_ee13_the_picture_stays_after_the_attack() -> None:
    made = on_map(chart(["ab"]), "a", "b")
    session = played(game(made), 5, 6)
    assert session.picture == Session(game(made)).picture != ""
    assert session.drawing == Session(game(made)).drawing != ""


def test_ee13_without_a_map_there_is_nothing_to_draw() -> None:
    assert (Session(game(setup())).picture, Session(game(setup())).drawing) == ("", "")


def test_ee14_fields_read_the_map() -> None:
    walls = black((4, 2), (4, 4))
    made = on_map(chart(["ab"], walls), "a", "b", figure("a"), figure("a"), figure("b"))
    result = played(game(made), 5, 6).result
    names = ("zone", "zones_away", "line_of_sight", "hostiles")
    assert [result[name] for name in names] == ["a", 1, "touches", 2]
    assert {played(game(setup()), 5, 6).result[name] for name in names} == {""}
