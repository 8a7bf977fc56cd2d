"""What options point at, so that people can pick it on a map or a list of fighters."""

from __future__ import annotations

import re

import pytest

from affray.app.fight import Fight
from affray.app.play import PlayedGame
from affray.app.sources import Shipped
from affray.app.views.envelope import plain
from affray.app.views.exchanges import OptionRow
from affray.app.views.played_fights import FightQuestionRow
from tests.app.views.test_said import FIGHTS, gone_on


def asked(fight: Fight, kind: str = "deed") -> FightQuestionRow:
    """The first question of a kind, with usual answers on the way."""
    for _ in range(40):
        question = fight.question
        assert question is not None
        if question.kind == kind and question.options:
            return question
        fight = gone_on(fight, 1)
    raise AssertionError(kind)


def named(options: tuple[OptionRow, ...], name: str) -> OptionRow:
    return next(option for option in options if option.name == name)


@pytest.mark.parametrize("system", sorted(set(FIGHTS) - {"grid-battles"}))
def test_a_deed_says_what_is_done_to_whom(system: str) -> None:
    fight = Fight.begin(system, FIGHTS[system])
    fighters = {row.name: row.side for row in fight.view().fighters}
    question = asked(fight)
    attacks = [option for option in question.options if option.deed == "attack"]
    for option in attacks:
        assert fighters[option.target] != question.side
        assert option.name == f"attack: {option.target}"
    assert attacks or all(option.deed for option in question.options)
    assert named(question.options, "pass").deed == "pass"
    assert not named(question.options, "pass").target


def test_a_deed_on_oneself_has_no_target() -> None:
    question = asked(Fight.begin("eclipse-phase", "ripper-dog"))
    alone = [option for option in question.options if not option.target]
    assert {option.deed for option in alone} == {option.name for option in alone}
    assert {"pass", "wait"} < {option.deed for option in alone}


def test_who_has_the_turn_is_a_unit() -> None:
    """In Emlia a player picks whose turn it is."""
    question = asked(Fight.begin("emlia", "ford-meadow"), "actor")
    assert len(question.options) > 1
    assert all(
        option == (option.name, "", 0, "", option.name, "", "") for option in question.options
    )


def test_gb_a_map_game_points_at_units_and_hexes_as_its_picture_names_them() -> None:
    """The first player names a unit, moves it, and attacks."""
    fight = Fight.begin("grid-battles", "ford")
    names = {row.name for row in fight.view().fighters}
    told = [line for row in fight.view().fighters for line in row.told]
    hexes = {str(line.value) for line in told if line.label == "hex"}
    first = asked(fight, "exchange")
    assert {option.unit for option in first.options} <= names
    assert all(option.unit for option in first.options)
    fight = fight.answer("axeman").answer("archer").answer("axeman")
    assert fight.question is not None
    stay, *moves = fight.question.options
    assert (stay.name, stay.unit) == ("stay", "Axeman")
    assert stay.place in hexes
    assert [(one.place, one.unit) for one in moves] == [(one.name, "Axeman") for one in moves]
    fight = fight.answer("0201").answer("stay")
    assert fight.question is not None
    shot = named(fight.question.options, "archer-on-swordman")
    assert shot[3:] == ("Swordman", "Archer (one)", "", "attack")


def test_ee70_zones_are_places() -> None:
    """A figure goes to a Zone beside its own, or stays where it is."""
    question = PlayedGame.begin("empty-earth", Shipped("round-the-barn")).view().question
    assert question is not None
    *zones, stay = question.options
    assert [one.place for one in zones] == [one.name for one in zones]
    assert (stay.name, stay.place) == ("stay", "yard")


def test_em10_ways_lead_to_spots_on_the_table_and_to_enemies() -> None:
    fight = Fight.begin("emlia", "ford-meadow")
    told = [line for row in fight.view().fighters for line in row.told]
    places = {str(line.value).split(")")[0][1:] for line in told if line.label == "stands"}
    question = fight.question
    while question is not None and not any(option.place for option in question.options):
        fight = gone_on(fight, 1)
        question = fight.question
    assert question is not None
    ways = [option for option in question.options if option.place]
    assert {option.unit for option in ways} == {question.fighter}
    assert not {option.place for option in ways} & places, "it goes somewhere else"
    fighters = {row.name for row in fight.view().fighters}
    assert {option.target for option in ways} - {""} <= fighters


def test_pointers_stand_in_the_json_of_a_question() -> None:
    row = plain(asked(Fight.begin("empty-earth", ("ada", "husk"))))
    assert isinstance(row, dict)
    assert row["options"][0] == {
        "name": "attack: Husk", "words": "", "spends": 0, "target": "Husk", "unit": "",
        "place": "", "deed": "attack",
    }  # fmt: skip


def test_pictures_carry_the_same_names() -> None:
    """Every hex and unit of the ford, every Zone and figure of the farm."""
    fight = Fight.begin("grid-battles", "ford")
    exchange = fight.session.exchange
    assert exchange is not None
    units = re.findall(r'data-unit="([^"]*)"', exchange.drawing)
    assert sorted(units) == sorted(row.name for row in fight.view().fighters)
    moving = fight.answer("axeman").answer("archer").answer("axeman").asked
    assert moving is not None
    for option in moving.options:
        assert f'data-place="{option.points.place}"' in exchange.drawing
    farm = PlayedGame.begin("empty-earth", Shipped("round-the-barn")).session
    assert farm.question is not None
    assert 'data-unit="Bo"' in farm.drawing
    assert 'data-unit="Husk"' in farm.drawing
    for way in farm.question.options:
        assert f'data-place="{way.points.place}"' in farm.drawing
