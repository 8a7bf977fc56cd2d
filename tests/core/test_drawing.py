"""Buttons on drawings: what has a name, what it says, what it answers."""

from xml.etree import ElementTree

from affray.app.fight import Fight
from affray.app.picture import draw_fight
from affray.core.drawing import Press, as_buttons, prefixed, spots_of

SVG = (
    '<svg role="img"><polygon class="fill-place" data-place="a &amp; b" points="0,0">'
    '<title>a &amp; b rough</title></polygon><g data-unit="&lt;Bo&gt;" data-at="a &amp; b">'
    "<title>Bo: 3/3</title><rect/></g></svg>"
)


def test_spots_have_names_places_and_titles() -> None:
    assert spots_of(SVG) == (
        ("place", "a & b", "", "a & b rough"),
        ("unit", "<Bo>", "a & b", "Bo: 3/3"),
    )


def test_buttons_say_what_they_do_and_nothing_breaks_out() -> None:
    made = as_buttons(
        SVG,
        {
            ("place", "a & b"): Press('a & b: "go"', ("go: a", "<stay>")),
            ("unit", "<Bo>"): Press("x"),
        },
    )
    root = ElementTree.fromstring(made)
    place, unit = root
    assert root.get("role") == "group"
    assert place.attrib == {
        "id": "spot-1", "role": "button", "tabindex": "0", "aria-label": 'a & b: "go"',
        "data-options": "go: a\n<stay>", "class": "fill-place", "data-place": "a & b",
        "points": "0,0",
    }  # fmt: skip
    assert (unit.get("tabindex"), unit.get("aria-disabled")) == ("-1", "true")
    assert 'data-place="a &amp; b"' in prefixed(made, "map-")


def test_a_drawing_without_buttons_stays_a_picture() -> None:
    assert as_buttons(SVG, {}) == SVG


def test_a_fight_is_drawn_as_it_stands_now() -> None:
    fight = Fight.begin("empty-earth", "on-the-farm")
    before = {spot.name: spot.at for spot in spots_of(draw_fight(fight, prefix="m-").drawing)}
    assert before["Ada"] == "gate"
    moved = fight.answer("move: yard")
    while moved.question is not None and moved.question.kind != "deed":
        moved = moved.answer(moved.question.options[0].name)
    after = {spot.name: spot.at for spot in spots_of(draw_fight(moved).drawing)}
    assert "yard" in after.values()
